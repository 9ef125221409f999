"""Scenes as YAML: dicts, lists, numbers and words written so that people like to read them."""
import math
import re

import numpy as np

_plain = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_words = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "none"}


def scalar(value):
    """A number, truth or word; text in quotes where YAML would take it for something else."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"a scene takes finite numbers, got {value}")
        return repr(float(value))
    word = str(value)
    if _plain.match(word) and word.lower() not in _words or word == "none":
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _flow(value):
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(k)}: {_flow(v)}" for k, v in value.items() if v is not None) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_flow(v) for v in value) + "]"
    return scalar(value)


def dump(value, indent=0):
    """A dict as YAML; what fits into a line is written on one."""
    pad, lines = "  " * indent, []
    for key, item in value.items():
        if item is None:
            continue
        line = f"{pad}{scalar(key)}: {_flow(item)}"
        if isinstance(item, dict) and item and (len(line) > 100 or indent == 0 and len(item) > 1):
            lines += [f"{pad}{scalar(key)}:", dump(item, indent + 1).rstrip("\n")]
        elif isinstance(item, (list, tuple)) and len(line) > 100 and any(isinstance(i, dict) for i in item):
            lines.append(f"{pad}{scalar(key)}:")
            lines += [f"{pad}  - {_flow(i)}" for i in item]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
