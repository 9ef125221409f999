"""Declarations for cffi, made from the public headers: what C offers, Python can call."""
import re
from pathlib import Path

LEFT_OUT = {"cairn.h"}  # which includes all others


def _order(folder):
    """Headers after those that they include."""
    names, done = sorted(p.name for p in folder.glob("*.h") if p.name not in LEFT_OUT), []

    def visit(name):
        if name in done or name in LEFT_OUT:
            return
        text = (folder / name).read_text()
        for other in re.findall(r'#include "cairn/(\w+\.h)"', text):
            visit(other)
        done.append(name)

    for name in names:
        visit(name)
    return done


def _plain(text):
    """A header without comments, directives, attributes and inline functions; integer macros become constants."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"#if defined\(__GNUC__\).*?#endif", "", text, flags=re.S)
    text = re.sub(r"static inline .*?\n}\n", "", text, flags=re.S)  # have no symbols in the library
    macros = re.findall(r"^#define (CN_\w+) (\(-?\d+\)|-?\d+|0x[0-9a-fA-F]+u?)\s*$", text, flags=re.M)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"\bCN_PRINTF\([^)]*\)", "", text.replace("CN_API ", ""))
    head = "".join(f"#define {name} {value.strip('()u')}\n" for name, value in macros)
    return head + text


def cdef(folder):
    """All declarations of the headers in a folder, as cffi takes them."""
    folder = Path(folder)
    return "\n".join(_plain((folder / name).read_text()) for name in _order(folder))
