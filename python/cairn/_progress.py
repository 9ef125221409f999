"""A bar of how far a run is: that of tqdm where it is installed, else a line on standard error."""
from __future__ import annotations

import math
import sys
import time
from typing import Any


class Bar:
    """Shows simulated time. A plain line is written at most five times a second, and only to a terminal or a notebook."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._shown = self._start = time.monotonic()
        self._is_written = False
        try:
            from tqdm.auto import tqdm
            self._tqdm: Any = tqdm
        except ImportError:
            self._tqdm = None

    def show(self, now: float, end: float, contacts: int, missed: int) -> None:
        if self._tqdm is not None:
            self._show_tqdm(now, end, contacts)
            return
        clock = time.monotonic()
        if clock - self._shown < 0.2 and now < end or not (sys.stderr.isatty() or "ipykernel" in sys.modules):
            return
        share = now / end if 0.0 < end < math.inf else 0.0
        left = f", {(clock - self._start) * (1.0 / share - 1.0):.0f} s left" if share > 0.0 else ""
        bar = f"[{'#' * int(30 * share):30}] " if share > 0.0 else ""
        words = f", {missed} steps missed" if missed else ""
        sys.stderr.write(f"\r{bar}t = {now:.4g} s, {contacts} contacts{words}{left}   ")
        sys.stderr.flush()
        self._shown, self._is_written = clock, True

    def _show_tqdm(self, now: float, end: float, contacts: int) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=end if end < math.inf else None, unit="s",
                                   bar_format="{l_bar}{bar}| {n:.4g}/{total:.4g} s [{elapsed}<{remaining}{postfix}]")
        self._bar.n = min(now, end)
        clock = time.monotonic()
        if clock - self._shown >= 0.2:
            self._bar.set_postfix_str(f"{contacts} contacts")
            self._shown = clock

    def close(self) -> None:
        if self._bar is not None:
            self._bar.refresh()
            self._bar.close()
        elif self._is_written:
            sys.stderr.write("\n")
