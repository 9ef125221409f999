"""Result files of worlds that are stepped from Python."""
from __future__ import annotations

import time
from typing import Any

from ._native import Error, call, ffi, lib


class Recorder:
    """A result file under way; World.record makes it. Leaving its `with` block closes the file."""

    def __init__(self, world, path, every, title, series, names):
        self.path, self._world, self._every, self._series = str(path), world, every, dict(series)
        self._handle = world._opened()
        known = [names.get(int(k), f"body {int(k)}") for k in world.ids]
        count = max((int(k) for k in world.ids), default=0)
        by_id = dict(zip((int(k) for k in world.ids), known))
        lines = "".join(by_id.get(k, f"body {k}") + "\n" for k in range(1, count + 1))
        keep = [ffi.new("char[]", word.encode()) for word in (title or self.path, "", "world of Python", lines)]
        words = [ffi.new("char[]", name.encode()) for name in self._series]
        provenance = ffi.new("cn_provenance *", {"title": keep[0], "scene_path": keep[1], "scene_text": keep[1],
                                                 "command_line": keep[2], "body_names": keep[3], "history": 1})
        self._names = ffi.new("const char *[]", words)
        self._value = ffi.new("double[]", max(1, len(words)))
        writer = ffi.new("cn_writer **")
        with world._reading() as pointer:
            call(lib.cn_writer_create, self.path.encode(), provenance, pointer, len(words), self._names, writer)
        self._writer: Any = writer[0]
        self._start, self._next = time.monotonic(), world.time + every
        self._handle.recorders.append(self)

    def _write(self) -> None:
        """After a step: its row, and a frame if it is time for one."""
        for k, function in enumerate(self._series.values()):
            self._value[k] = float(function(self._world))
        pointer, now = self._handle.pointer, self._world.time
        call(lib.cn_writer_step, self._writer, pointer, self._value)
        if now >= self._next - 1e-9 * max(1.0, abs(now)):
            call(lib.cn_writer_frame, self._writer, pointer)
            while self._every > 0.0 and self._next <= now + 1e-9 * max(1.0, abs(now)):
                self._next += self._every

    def close(self, outcome: str = "closed") -> None:
        """Writes the last frame and the totals."""
        if self._writer is None:
            return
        self._handle.recorders.remove(self)
        writer, self._writer = self._writer, None
        call(lib.cn_writer_close, writer, self._handle.pointer, outcome.encode(), time.monotonic() - self._start)

    def __enter__(self) -> Recorder:
        if self._writer is None:
            raise Error("the file is closed")
        return self

    def __exit__(self, kind, value, trace) -> None:
        self.close("closed" if kind is None else f"ended by {kind.__name__}")

    def __del__(self) -> None:
        if getattr(self, "_writer", None) is not None:
            lib.cn_writer_abandon(self._writer)

    def __repr__(self) -> str:
        return f"<Recorder of {self.path}{', closed' if self._writer is None else ''}>"
