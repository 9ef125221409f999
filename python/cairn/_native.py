"""The library and its declarations, errors as exceptions, C arrays as numpy arrays."""
import difflib
import os
import re
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from ._cdef import cdef

_here = Path(__file__).resolve().parent


def _find():
    """Library and headers: of a source tree (CAIRN_LIBRARY names the library), the package, or the system."""
    library = os.environ.get("CAIRN_LIBRARY")
    if library:
        return library, _here.parent.parent / "include" / "cairn"
    return str(next(_here.glob("libcairn-view.so*"), "libcairn-view.so.0")), _here / "include"


def _open(path, headers):
    """The library, if there is one and it is of the version of the headers that say how to call it."""
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"cairn: the library cannot be loaded ({error}); install the package with pip or apt, or "
                          "let CAIRN_LIBRARY name a libcairn-view.so") from error
    made = re.search(r'CN_VERSION "(.*)"', (headers / "base.h").read_text()).group(1)
    found = text(library.cn_version())
    if found != made:
        raise ImportError(f"cairn: the module is of version {made}, the library '{path}' of {found}; "
                          "install both from the same sources")
    return library


def text(pointer):
    """A C string as str; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


_path, _headers = _find()
ffi = cffi.FFI()
ffi.cdef(cdef(_headers))
ffi.cdef("void free(void *);")  # of texts that belong to the caller
lib = _open(_path, _headers)


class Error(Exception):
    """A call failed; the text is the sentence of the library."""

    status = None


class NotConverged(Error):
    """A step was made, but missed the accuracy asked for."""


class BadInput(Error, ValueError):
    """Values that cannot be used; nothing was changed."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class OutOfMemory(Error, MemoryError):
    """An allocation failed; the object is still valid."""


class Broken(Error, ArithmeticError):
    """NaN or another contradiction: the state is not to be trusted."""


class Stopped(Error):
    """Stopped on request; all files are complete."""


class InUse(Error, RuntimeError):
    """A world inside a step, of another thread or of the function that asks; nothing was changed."""


_kinds = {lib.CN_MISSED: NotConverged, lib.CN_BAD_INPUT: BadInput, lib.CN_IO: FileError,
          lib.CN_NO_MEMORY: OutOfMemory, lib.CN_BROKEN: Broken, lib.CN_STOPPED: Stopped}


def owned_text(pointer):
    """A C string that the caller owns, as str; its memory is given back."""
    try:
        return text(pointer)
    finally:
        lib.free(pointer)


def check(status, err, told=()):
    """Raises what a status stands for, with the problems that were told before."""
    if status == lib.CN_OK:
        return
    sentence = text(err.text) or text(lib.cn_status_name(status))
    raised = _kinds[status]("\n".join(told) or sentence)
    raised.status = text(lib.cn_status_name(status))
    raise raised


class Raised(list):
    """Exceptions of functions that C calls: kept on their way through it, raised when it returns."""

    def callback(self, kind, function, error=None):
        """The function for C, which gets the value `error` where it raises."""
        return ffi.callback(kind, function, error=error, onerror=lambda _, value, trace: self.append(value))

    def check(self):
        """Raises the first of them."""
        if self:
            first = self[0]
            self.clear()
            raise first


def nearest(word, known):
    """" (did you mean 'wall'?)", or "" if no known word is near."""
    near = difflib.get_close_matches(str(word), list(known), n=1)
    return f" (did you mean '{near[0]}'?)" if near else ""


def choice(what, word, known):
    """The value of a word among those that are known; another one is told with the nearest."""
    if word in known:
        return known[word]
    raise BadInput(f"'{what}' is one of {', '.join(known)}, not {word!r}{nearest(word, known)}")


def vector(to, values, what):
    """Copies numbers into an array of C; too many of them are an error."""
    if not hasattr(values, "__iter__"):
        raise BadInput(f"'{what}' takes up to {len(to)} numbers, got {values!r}")
    values = list(values)
    if len(values) > len(to):
        raise BadInput(f"'{what}' takes at most {len(to)} numbers, got {len(values)}")
    for k, x in enumerate(values):
        to[k] = x


def call(function, *args):
    """Calls a fallible function whose last argument is the error."""
    err = ffi.new("cn_error *")
    check(function(*args, err), err)


class Array(np.ndarray):
    """An array in memory of the library, which stays there as long as the array does."""

    _owner = None

    def __array_finalize__(self, obj):
        self._owner = getattr(obj, "_owner", None)


def array(owner, pointer, shape, dtype=float):
    """Memory of the library as a read-only array without a copy. `owner` keeps it alive."""
    shape = (shape,) if np.isscalar(shape) else tuple(shape)
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    if pointer == ffi.NULL or size == 0:
        return np.empty(shape if size == 0 else 0, dtype)
    made = np.frombuffer(ffi.buffer(pointer, size), dtype).reshape(shape).view(Array)
    made.flags.writeable = False
    made._owner = owner
    return made


def dtype_of(name):
    """The numpy type of a C struct of numbers and arrays of numbers."""
    numbers = {"double": "f8", "int": "i4", "uint64_t": "u8", "int64_t": "i8", "signed char": "i1",
               "unsigned int": "u4", "bool": "?", "_Bool": "?", "char": "S1"}

    def of(ctype):
        if ctype.kind == "array":
            base, shape = of(ctype.item)[0], (ctype.length,)
            return base, shape
        if ctype.kind == "enum":
            return "i4", ()
        if ctype.kind == "struct":
            return dtype_of(ctype.cname), ()
        return numbers[ctype.cname], ()

    fields = ffi.typeof(name).fields
    spec: Any = {"names": [], "formats": [], "offsets": [], "itemsize": ffi.sizeof(name)}
    for key, field in fields:
        base, shape = of(field.type)
        spec["names"].append(key)
        spec["formats"].append((base, shape) if shape else base)
        spec["offsets"].append(field.offset)
    return np.dtype(spec)


CONTACT = dtype_of("cn_contact")


def record(struct, name):
    """A C struct of numbers, strings and arrays as a dict; pointers are left out."""
    out = {}
    for key, field in ffi.typeof(name).fields:
        value = getattr(struct, key)
        kind = field.type.kind
        if kind == "array" and field.type.item.cname == "char":
            out[key] = text(value)
        elif kind == "array" and field.type.item.kind in ("primitive", "enum"):
            out[key] = list(value)
        elif kind in ("primitive", "enum"):
            out[key] = value
        elif kind == "struct":
            out[key] = record(value, field.type.cname)
    return out
