"""Non-smooth contact dynamics: scenes, worlds and results of cairn from Python.

    import cairn
    scene = cairn.Scene(dimension=2, materials={"stone": {"density": 2400}}, ...)
    scene.run("wall.h5")
    print(cairn.Result("wall.h5")["kinetic"].max())

Whatever the C library offers beyond this is in cairn.lib, with cairn.ffi (cffi)."""
import os

from . import plots
from ._native import (BadInput, Broken, Error, FileError, InUse, NotConverged, OutOfMemory, Stopped, call, ffi, lib, text)
from ._table import Table
from .law import register_law
from .recorder import Recorder
from .result import Frame, Frames, Picture, Result, Viewer
from .scene import Scene, starter, starters
from .study import Study
from .world import World


def load_laws(path: "str | os.PathLike[str]") -> None:
    """Makes the laws of a shared object known to scenes and worlds of this process (docs/howto/add-a-law.md)."""
    call(lib.cn_law_load, str(path).encode())


__version__: str = text(lib.cn_version())
__all__ = ["BadInput", "Broken", "Error", "FileError", "Frame", "Frames", "InUse", "NotConverged", "OutOfMemory", "Picture",
           "Recorder", "Result", "Scene", "Stopped", "Study", "Table", "Viewer", "World", "call", "ffi", "lib", "load_laws",
           "plots", "register_law", "starter", "starters"]
