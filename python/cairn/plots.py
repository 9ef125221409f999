"""Figures for papers by matplotlib: what `cairn plot` shows, from the same numbers.

    figure = cairn.plots.plot("wall.h5", "energy")
    cairn.plots.plot({"slow": "a.h5", "fast": "b.h5"}, "axial.fy / width", numbers={"width": 0.3}, path="stress.pdf",
                     size=(84, 60), y_label="stress [Pa]")

Sizes are millimetres, text stays text in PDF and SVG, and curves differ in colour and in dashes, so that they can be
told apart without colours."""
from __future__ import annotations

import functools
import io
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._native import BadInput, Raised, ffi, lib, nearest, text
from ._table import Table, parse
from .result import Result

Run = Union[Result, str, "os.PathLike[str]"]

# Those of `cairn plot`; dashes go with the colours.
COLOURS = ("#1b6ca8", "#d2591e", "#14967a", "#b05f9c", "#e0a021", "#58b0e0", "#6b5b4b", "#8a9a2e")
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))
MARKERS = "os^Dv<>p"
INK = "#22282f"

STYLE = {
    "font.size": 8, "axes.labelsize": 8, "axes.titlesize": 9, "legend.fontsize": 7, "xtick.labelsize": 7,
    "ytick.labelsize": 7, "axes.linewidth": 0.6, "lines.linewidth": 1.2, "xtick.major.width": 0.6,
    "ytick.major.width": 0.6, "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": INK,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK, "legend.frameon": False,
    "svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42, "figure.dpi": 150, "savefig.dpi": 300,
    "axes.formatter.use_mathtext": True, "axes.formatter.limits": (-3, 4)}


class Curve:
    """One curve of a chart: x, y, its name, and "line", "dashed" or "dots"."""

    def __init__(self, name: str, x: np.ndarray, y: np.ndarray, style: str = "line"):
        self.name, self.x, self.y, self.style = name, x, y, style

    def __repr__(self) -> str:
        return f"<Curve {self.name!r}, {len(self.x)} points>"


class Chart:
    """The curves of a plot with their words, as `cairn plot` would draw them."""

    def __init__(self, title: str, x_label: str, y_label: str, log_x: bool, log_y: bool, curves: list[Curve]):
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.log_x, self.log_y, self.curves = log_x, log_y, curves

    def __repr__(self) -> str:
        return f"<Chart {self.title!r}: {', '.join(curve.name for curve in self.curves)}>"


def _opened(run: Run) -> Result:
    return run if isinstance(run, Result) else Result(run)


def _copied(chart: Any) -> Chart:
    styles = {lib.CN_CURVE_LINE: "line", lib.CN_CURVE_DASHED: "dashed", lib.CN_CURVE_DOTS: "dots"}

    def numbers(pointer, count):
        return np.frombuffer(ffi.buffer(pointer, 8 * count), float).copy() if count else np.empty(0)

    curves = [Curve(text(c.name) or "", numbers(c.x, c.count), numbers(c.y, c.count), styles[c.style])
              for c in (chart.curve[k] for k in range(chart.curve_count))]
    return Chart(text(chart.title) or "", text(chart.x_label) or "", text(chart.y_label) or "", bool(chart.log_x),
                 bool(chart.log_y), curves)


def chart(run: Run, what: str, **options: Any) -> Chart:
    """The numbers of a plot: curves over time or another axis, with labels. Options are those of Result.plot, and
    `numbers`, a dict of names that formulas may use."""
    result, taken, raised = _opened(run), [], Raised()
    take = raised.callback("void(void *, const cn_chart_def *)", lambda _, c: taken.append(_copied(c)))
    try:
        result._plot(what, None, take=take, **options)
    except BadInput as error:
        unknown = re.search(r"unknown name '(\w+)'", str(error))
        raise BadInput(f"{error}; numbers={{{unknown[1]!r}: ...}} gives it a value") if unknown else error from None
    raised.check()
    return taken[0]


def _of_table(table: Mapping[str, Any], what: str, against: str | None) -> Chart:
    names = list(table)
    wanted = [name.strip() for name in what.split(",")]
    for name in [*wanted, against] if against else wanted:
        if name not in names:
            raise BadInput(f"the table has no column {name!r}{nearest(name, names) or '; there are ' + ', '.join(names)}")
    x = np.asarray(table[against or names[0]], float)
    label = wanted[0] if len(wanted) == 1 else "value"
    return Chart("", against or names[0], label, False, False,
                 [Curve(name, x, np.asarray(table[name], float), "dots") for name in wanted])


def _charts(runs: Any, what: str, against: str | None, options: dict[str, Any]) -> list[tuple[str, Chart]]:
    """Charts with the names of their runs."""
    is_table = isinstance(runs, Table) or hasattr(runs, "columns") and not isinstance(runs, Result)
    if is_table:
        return [("", _of_table(runs, what, against))]
    if isinstance(runs, Mapping):
        named = list(runs.items())
    elif isinstance(runs, Sequence) and not isinstance(runs, (str, os.PathLike)):
        named = [(Path(run.path if isinstance(run, Result) else run).stem, run) for run in runs]
    else:
        named = [("", runs)]
    if not named:
        raise BadInput("there is no run to plot")
    return [(name, chart(run, what, against=against, **options)) for name, run in named]


def _matplotlib() -> Any:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise ImportError("cairn.plots draws with matplotlib (python3-matplotlib in Debian); "
                          "Result.plot does without") from None
    return matplotlib


@functools.cache
def _figure_kind(matplotlib: Any) -> Any:
    class Figure(matplotlib.figure.Figure):
        """A figure whose files keep their text as text; notebooks show it."""

        def savefig(self, *args, **options):
            with matplotlib.rc_context(STYLE):
                super().savefig(*args, **options)

        def _repr_png_(self):
            file = io.BytesIO()
            self.savefig(file, format="png", dpi=150)
            return file.getvalue()

    return Figure


def _axes(matplotlib: Any, ax: Any, size: tuple[float, float], projection: str | None = None) -> Any:
    """Axes of the user, or those of a new figure that pyplot does not know, so that notebooks show it once."""
    if ax is not None:
        return ax
    figure = _figure_kind(matplotlib)(figsize=(size[0] / 25.4, size[1] / 25.4), layout="constrained")
    return figure.add_subplot(projection=projection)


def _draw(ax: Any, charts: list[tuple[str, Chart]]) -> None:
    k = 0
    for run, shown in charts:
        for curve in shown.curves:
            alone = len(shown.curves) == 1
            label = run if run and alone else f"{run}: {curve.name}" if run else curve.name
            colour, dashes = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
            if curve.style == "dots":
                ax.plot(curve.x, curve.y, MARKERS[k % len(MARKERS)], color=colour, markersize=3.5, label=label)
            elif curve.style == "dashed" and not run:
                ax.plot(curve.x, curve.y, color=INK, linestyle=(0, (4, 3)), linewidth=0.9, label=label)
            else:
                ax.plot(curve.x, curve.y, color=colour, linestyle=dashes, label=label)
            k += curve.style != "dashed" or bool(run)
    if k > 1 or len(ax.lines) > 1:
        ax.legend()


def _words(ax: Any, first: Chart, look: dict[str, Any]) -> None:
    title = look["title"]
    ax.set_title(first.title if title is None else title, loc="left")
    ax.set_xlabel(first.x_label if look["x_label"] is None else look["x_label"])
    ax.set_ylabel(first.y_label if look["y_label"] is None else look["y_label"])
    if first.log_x or look["log_x"]:
        ax.set_xscale("log")
    if first.log_y or look["log_y"]:
        ax.set_yscale("log")
    if look["x_range"] is not None:
        ax.set_xlim(*look["x_range"])
    if look["y_range"] is not None:
        ax.set_ylim(*look["y_range"])


def _one(runs: Any, what: str) -> Result:
    if not isinstance(runs, (str, os.PathLike, Result)):
        raise BadInput(f"a plot of {what!r} shows one run")
    return _opened(runs)


def _csv(result: Result, what: str, options: dict[str, Any]) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbers.csv"
        result.plot(what, path, **options)
        return parse(path.read_text(encoding="utf-8"))


def _rose(ax: Any, table: Table) -> None:
    """Petals in the plane; in space the hemisphere seen from above, rings of equal area."""
    weight, frequency = "force over isotropic [-]", "contacts over isotropic [-]"
    if "angle [deg]" in table:
        angle = np.radians(table["angle [deg]"])
        ax.bar(angle, table[frequency], width=2 * np.pi / len(angle), color=COLOURS[5], edgecolor="white", linewidth=0.4,
               label="contacts")
        closed = np.append(angle, angle[0]), np.append(table[weight], table[weight][0])
        ax.plot(*closed, color=COLOURS[1], label="weighted by normal force")
        ax.legend(loc="lower left", bbox_to_anchor=(1.05, -0.1))
        ax.set_yticks([1.0])
        return
    sectors = len(np.unique(table["azimuth [deg]"]))
    count = len(table) // sectors
    edges = np.sqrt(np.arange(count + 1) / count), np.linspace(0, 2 * np.pi, sectors + 1)
    shown = ax.pcolormesh(edges[1], edges[0], table[frequency].reshape(count, sectors), cmap="cividis")
    ax.set_yticks([])
    ax.figure.colorbar(shown, ax=ax, label=frequency, shrink=0.8, pad=0.12)


def _pressure_map(ax: Any, table: Table) -> None:
    pressure = np.asarray(table["pressure [Pa]"], float)
    has_area = np.isfinite(pressure).any()
    value, label = (pressure, "pressure [Pa]") if has_area else (np.asarray(table["force [N]"], float), "force [N]")
    spans = {name: np.ptp(table[f"{name} [m]"]) for name in "xyz"}
    across, up = (name for name in "xyz" if name != min(spans, key=lambda name: spans[name]))
    shown = ax.scatter(table[f"{across} [m]"], table[f"{up} [m]"], c=value, cmap="cividis", s=14)
    ax.set_aspect("equal")
    ax.set_xlabel(f"{across} [m]")
    ax.set_ylabel(f"{up} [m]")
    ax.figure.colorbar(shown, ax=ax, label=label)


def plot(runs: Any, what: str, *, path: str | os.PathLike[str] | None = None, against: str | None = None,
         numbers: Mapping[str, float] | None = None, ax: Any = None, size: tuple[float, float] = (120, 80),
         title: str | None = None, x_label: str | None = None, y_label: str | None = None,
         x_range: tuple[float, float] | None = None, y_range: tuple[float, float] | None = None, log_x: bool = False,
         log_y: bool = False, **options: Any) -> Any:
    """A matplotlib figure of a plot of `cairn plot`: "energy", "residual", columns or formulas of them ("axial.fy / width"
    with numbers={"width": 0.3}), "forces", "rose", "profile", "fraction", "reaction", "pressure". `runs` is a result or its path, a
    list of them, a dict of them by the names that the legend is to show, or a table of a study (points).

    size is in millimetres; title="" leaves the title out; `ax` draws into axes that are there; other options are those of
    Result.plot (frame, frames, bins, axis, body, with_walls, from_, until, beside). path writes the figure."""
    matplotlib = _matplotlib()
    with matplotlib.rc_context(STYLE):
        result = _one(runs, what) if what in ("rose", "pressure") else None
        is_rose, is_map = what == "rose", result is not None and result.summary["dim"] == 3
        if result is not None and (is_rose or is_map):
            ax = _axes(matplotlib, ax, size, "polar" if is_rose else None)
            (_rose if is_rose else _pressure_map)(ax, _csv(result, what, options))
            ax.set_title(result.summary["title"] if title is None else title, loc="left")
        else:
            if numbers:
                options["numbers"] = numbers
            charts = _charts(runs, what, against, options)
            ax = _axes(matplotlib, ax, size)
            _draw(ax, charts)
            look = {"title": title if title is not None or len(charts) == 1 else "", "x_label": x_label, "y_label": y_label,
                    "x_range": x_range, "y_range": y_range, "log_x": log_x, "log_y": log_y}
            _words(ax, charts[0][1], look)
        if path is not None:
            ax.figure.savefig(path)
    return ax.figure
