"""Non-smooth contact dynamics: scenes, worlds and results of cairn from Python.

    import cairn
    scene = cairn.Scene(dimension=2, materials={"stone": {"density": 2400}}, ...)
    scene.run("wall.h5")
    print(cairn.Result("wall.h5")["kinetic"].max())

Whatever the C library offers beyond this is in cairn.lib, with cairn.ffi (cffi)."""
from ._native import (BadInput, Broken, Error, FileError, InUse, NotConverged, OutOfMemory, Stopped, call, ffi, lib, text)
from .result import Frame, Result
from .scene import Scene, starter, starters
from .world import World



def load_laws(path):
    """Makes the laws of a shared object known to scenes and worlds of this process (docs/howto/add-a-law.md)."""
    call(lib.cn_law_load, str(path).encode())


__version__ = text(lib.cn_version())
__all__ = ["BadInput", "Broken", "Error", "FileError", "Frame", "InUse", "NotConverged", "OutOfMemory", "Result",
           "Scene", "Stopped", "World", "call", "ffi", "lib", "load_laws", "starter", "starters"]
