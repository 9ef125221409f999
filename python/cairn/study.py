"""Studies: one scene run for many values of its params, as `cairn sweep` does."""
from __future__ import annotations

import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ._native import Raised, call, check, ffi, lib, text
from ._table import Table
from .result import Result
from .scene import Scene


class Study:
    """A study file (docs/howto/studies.md). run() makes its runs and returns the table of `cairn sweep`."""

    def __init__(self, path: str | os.PathLike[str]):
        told: list[str] = []
        raised, err, study = Raised(), ffi.new("cn_error *"), ffi.new("cn_study **")
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        status = lib.cn_study_load(str(path).encode(), tell, ffi.NULL, study, err)
        raised.check()
        check(status, err, told)
        self._study: Any = ffi.gc(study[0], lib.cn_study_destroy)
        self.path, self.title = str(path), text(lib.cn_study_title(self._study))
        self.scene = text(lib.cn_study_scene(self._study))
        self.params = [text(lib.cn_study_param(self._study, k)) for k in range(lib.cn_study_param_count(self._study))]
        self.reports = [text(lib.cn_study_report(self._study, k)) for k in range(lib.cn_study_report_count(self._study))]
        self.brackets: list[tuple[float, float]] = []  # of a bisection: the outcome changes between them, one per line

    def __repr__(self) -> str:
        lines = lib.cn_study_line_count(self._study)
        return f"<Study {self.title!r} of {self.scene}: {', '.join(self.params)}, up to {lines * self._most} runs>"

    @property
    def _most(self) -> int:
        return lib.cn_study_run_max(self._study)

    def run(self, jobs: int = 1, keep: str | os.PathLike[str] | None = None) -> Table:
        """One row per run: its number, the params, "failed" (if the study says what that is) and what is reported. jobs
        runs go on at a time, each on one thread; the table does not depend on it. keep: a folder for their results."""
        lines = lib.cn_study_line_count(self._study)
        stop = threading.Event()
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
            folder = Path(scratch if keep is None else keep)
            folder.mkdir(parents=True, exist_ok=True)
            tasks = [pool.submit(self._line, line, folder, keep is not None, stop) for line in range(lines)]
            try:
                done = [task.result() for task in tasks]
            except BaseException:  # Ctrl-C as well: runs under way end after their step, others do not begin
                stop.set()
                for task in tasks:
                    task.cancel()
                raise
        self.brackets = [bracket for _, bracket in done if bracket is not None]
        rows = [row for line, _ in done for row in line]
        names = ["run", *self.params, "failed", *self.reports]
        return Table((name, np.array([row[k] for row in rows])) for k, name in enumerate(names))

    def _line(self, line: int, folder: Path, is_kept: bool, stop: threading.Event):
        """The rows of runs that follow each other, and the bracket of a bisection."""
        rows: list[tuple] = []
        failed = ffi.new("bool[]", self._most)
        value = ffi.new("double[]", max(1, len(self.params)))
        report, has_failed, bracket = ffi.new("double[]", len(self.reports) + 1), ffi.new("bool *"), ffi.new("double[2]")
        while lib.cn_study_next(self._study, line, len(rows), failed, value) and not stop.is_set():
            number = line * self._most + len(rows) + 1
            path = folder / f"run{number:05d}.h5"
            Scene.load(self.scene).run(path, stop=lambda _: stop.is_set(), **dict(zip(self.params, value)))
            with Result(path) as result:
                call(lib.cn_study_measure, self._study, result._reader, report, has_failed)
            if not is_kept:
                path.unlink()
            failed[len(rows)] = has_failed[0]
            rows.append((number, *list(value)[:len(self.params)], has_failed[0], *list(report)[:len(self.reports)]))
        known = lib.cn_study_bracket(self._study, line, len(rows), failed, bracket)
        return rows, (bracket[0], bracket[1]) if known else None
