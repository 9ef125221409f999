"""Result files: summary, history and frames."""
from __future__ import annotations

import html
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from ._native import (CONTACT, BadInput, Error, Raised, array, call, choice, ffi, lib, nearest, owned_text, record, text)
from ._table import Table, flat, parse, stacked
from .mesh import elements_of


def _paints():
    return {text(lib.cn_paint_name(k)): k for k in range(lib.CN_PAINT_COUNT) if k != lib.CN_PAINT_SPREAD}


class MeshFrame:
    """Nodes of a deformable body in a frame: x, v, stress (None: not written); reference and elements of its mesh."""

    body: int
    x: np.ndarray
    v: np.ndarray
    stress: np.ndarray | None
    reference: np.ndarray
    elements: list[tuple[str, list[int]]]

    def __init__(self, reader, body, mesh, dim, copy):
        definition = ffi.new("cn_mesh_def *")
        lib.cn_reader_mesh(reader, body, definition)
        self.body = body
        self.x, self.v = copy(mesh.x, (mesh.node_count, dim)), copy(mesh.v, (mesh.node_count, dim))
        self.stress = None if mesh.stress == ffi.NULL else copy(mesh.stress, (mesh.node_count, 6))
        self.reference = copy(definition.node, (definition.node_count, dim))
        self.elements = elements_of(definition)

    def __repr__(self) -> str:
        return f"<MeshFrame of body {self.body}: {len(self.x)} nodes, {len(self.elements)} elements>"

    @property
    def displacement(self) -> np.ndarray:
        return self.x - self.reference

    @property
    def mises(self) -> np.ndarray:
        """Von Mises stress at the nodes [Pa]."""
        a = self.stress
        if a is None:
            raise BadInput("the result has no stresses: 'output: {stress: true}' writes them")
        normal = 0.5 * ((a[:, 0] - a[:, 1])**2 + (a[:, 1] - a[:, 2])**2 + (a[:, 2] - a[:, 0])**2)
        return np.sqrt(normal + 3.0 * (a[:, 3:]**2).sum(axis=1))


def _name(reader, body):
    """What the scene calls a body; results without names have numbers."""
    name = lib.cn_reader_body_name(reader, int(body))
    return f"body {body}" if name == ffi.NULL else text(name)


class Frame:
    """One frame: arrays are copies, so that frames can be kept. names[k] is what the scene calls body k of it."""

    index: int
    time: float
    step: int
    h: float
    ids: np.ndarray
    names: list[str]
    groups: np.ndarray
    q: np.ndarray
    v: np.ndarray
    lacks_contacts: bool
    meshes: list[MeshFrame]

    def __init__(self, reader, frame):
        copy = lambda pointer, shape, dtype=float: np.array(array(None, pointer, shape, dtype)).view(np.ndarray)
        self.index, self.time, self.step, self.h = frame.index, frame.time, frame.step, frame.h
        self.dimension = frame.dim
        self.ids = copy(frame.id, frame.body_count, np.uint64)
        self.names = [_name(reader, body) for body in self.ids]
        self.groups = copy(frame.group, frame.body_count, np.int32)
        self.q = copy(frame.q, (frame.body_count, frame.q_size))
        self.v = copy(frame.v, (frame.body_count, frame.v_size))
        self.mass = np.array([lib.cn_reader_mass(reader, int(body)) for body in self.ids])
        self.lacks_contacts = bool(frame.lacks_contacts)
        self._contacts = copy(frame.contact, frame.contact_count, CONTACT)
        self.meshes = [MeshFrame(reader, frame.id[frame.mesh[k].body], frame.mesh[k], frame.dim, copy)
                       for k in range(frame.mesh_count)]
        self.kinetic, self.potential, self.energy_error = frame.kinetic, frame.potential, frame.energy_error

    def __repr__(self) -> str:
        contacts = "contacts not written" if self.lacks_contacts else f"{len(self.contacts)} contacts"
        return f"<Frame {self.index} at {self.time:g} s: {len(self.ids)} bodies, {contacts}>"

    @property
    def contacts(self) -> np.ndarray:
        """The contacts; BadInput if the run was told to leave those of this frame out (key contacts of output)."""
        if self.lacks_contacts:
            raise BadInput(f"frame {self.index} was written without its contacts (key contacts of output)")
        return self._contacts

    def find(self, pattern: str) -> list[int]:
        """Places in the arrays of the bodies whose names match: "bridge.voussoir_09", "bridge.arch*"."""
        return [k for k, name in enumerate(self.names) if name == pattern or fnmatchcase(name, pattern)]

    @property
    def bodies(self) -> Table:
        """The table of bodies_table: frame.bodies["y"].max()."""
        return self.bodies_table()

    def bodies_table(self) -> Table:
        """One row per body: name, id, mass [kg], position [m] and velocity [m/s, rad/s]."""
        plane = self.dimension == 2
        made = Table(name=np.array(self.names, dtype=object), id=self.ids, group=self.groups, mass=self.mass)
        for names, values in ((("x", "y", "angle") if plane else ("x", "y", "z", "qw", "qx", "qy", "qz"), self.q),
                              (("vx", "vy", "rate") if plane else ("vx", "vy", "vz", "wx", "wy", "wz"), self.v)):
            made.update((name, values[:, k]) for k, name in enumerate(names))
        return made

    def contacts_table(self) -> Table:
        """One row per contact: names of both bodies, point, normal, gap [m], impulse r [N s] and velocity u [m/s] along
        the normal n and the tangents t and s, and the forces [N], impulses over the step."""
        made = Table(body=np.array([self.names[k] for k in self.contacts["i"]], dtype=object),
                     other=np.array([self.names[k] for k in self.contacts["j"]], dtype=object))
        made.update(flat(self.contacts))
        for k in "nts"[:self.dimension]:
            made["force_" + k] = made["r_" + k] / self.h if self.h > 0.0 else np.zeros(len(self.contacts))
        return made


class Frames(Sequence):
    """The frames of a result: frames[-1], frames[::10], for frame in frames. Each is read when it is asked for."""

    def __init__(self, result: Result, places: range):
        self._result, self._places = result, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Frames(self._result, self._places[index])
        return self._result.frame(self._places[index])

    def __repr__(self) -> str:
        return f"<{len(self)} frames>"

    @property
    def bodies(self) -> Table:
        """One row per body and frame: frame, time, then the columns of Frame.bodies_table. frames[::10].bodies reads every
        tenth frame only."""
        return stacked([_dated(frame, frame.bodies_table()) for frame in self])

    @property
    def contacts(self) -> Table:
        """One row per contact and frame: frame, time, then the columns of Frame.contacts_table. Frames that were written
        without contacts are left out."""
        return stacked([_dated(frame, frame.contacts_table()) for frame in self if not frame.lacks_contacts])


def _dated(frame: Frame, table: Table) -> Table:
    rows = len(table)
    return Table(frame=np.full(rows, frame.index), time=np.full(rows, frame.time), **table)


class Picture:
    """A picture that was written; notebooks show it."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"<Picture {self.path}>"

    def _repr_png_(self) -> bytes | None:
        return self.path.read_bytes() if self.path.suffix == ".png" else None

    def _repr_svg_(self) -> str | None:
        return self.path.read_text(encoding="utf-8") if self.path.suffix == ".svg" else None


class Viewer:
    """The interactive viewer of a result, served on this machine until close() or the end of the program."""

    def __init__(self, path: str | os.PathLike[str], live: bool = False, port: int = 0, height: int = 600):
        viewer, definition = ffi.new("cn_viewer **"), ffi.new("cn_viewer_def *", {"port": port, "is_live": live})
        call(lib.cn_viewer_start, str(path).encode(), definition, viewer)
        self._viewer: Any = ffi.gc(viewer[0], lib.cn_viewer_stop)
        self.height = height
        self.url = f"http://127.0.0.1:{lib.cn_viewer_port(viewer[0])}/?token={text(lib.cn_viewer_token(viewer[0]))}"

    def close(self) -> None:
        if self._viewer is not None:
            ffi.release(self._viewer)
            self._viewer = None

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Viewer at {self.url}>" if self._viewer is not None else "<Viewer, closed>"

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.url)}" width="100%" height="{self.height}" style="border:0"></iframe>'


class Result:
    """A result file. result["kinetic"] is a column of the history, result.frame(-1) the last frame. Threads that ask at
    the same time wait for each other."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = str(path)
        reader = ffi.new("cn_reader **")
        call(lib.cn_reader_open, self.path.encode(), reader)
        self._open: Any = ffi.gc(reader[0], lib.cn_reader_close)
        self._lock = threading.RLock()  # a reader has one user at a time

    @property
    def _reader(self):
        if self._open is None:
            raise Error("the result is closed")
        return self._open

    def close(self) -> None:
        """Gives the file up; arrays that are still held stay valid."""
        self._open = None

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open is None:
            return f"<Result {self.path}, closed>"
        s = lib.cn_reader_summary(self._open)
        return (f"<Result {self.path}: {text(s.title)!r}, {s.bodies} bodies in {s.dim}D, {s.steps} steps to {s.time:g} s, "
                f"{s.frames} frames>")

    @property
    def summary(self) -> dict[str, Any]:
        """What `cairn info` says, by the names of cn_summary in cairn/result.h."""
        return record(lib.cn_reader_summary(self._reader), "cn_summary")

    @property
    def scene(self) -> str:
        """The text of the scene that made it."""
        return text(lib.cn_reader_scene_text(self._reader))

    # ---- history

    def columns(self) -> list[str]:
        """Names of the columns of the history: "time", "residual", ..., "series/NAME"."""
        return [text(lib.cn_reader_column_name(self._reader, k))
                for k in range(lib.cn_reader_column_count(self._reader))]

    keys = columns

    def __contains__(self, name: object) -> bool:
        known = self.columns()
        return name in known or f"series/{name}" in known

    def __getitem__(self, name: str) -> np.ndarray:
        """A column of the history, one number per step; observed series by their own name."""
        known = self.columns()
        whole = name if name in known else f"series/{name}"
        if whole not in known:
            near = nearest(name, known) or nearest(f"series/{name}", known)
            raise BadInput(f"{self.path} has no column {name!r}{near or '; columns() names all'}")
        column = ffi.new("cn_column *")
        with self._lock:
            call(lib.cn_reader_column, self._reader, whole.encode(), column)
        return array(self._reader, column.value, column.count)

    @property
    def series(self) -> Table:
        """Time and what the scene observes, by name."""
        return self.history("time", *(name for name in self.columns() if name.startswith("series/")))

    def history(self, *names: str) -> Table:
        """Columns of the history as a table, all of them if none is named; .dataframe() for pandas."""
        return Table((name.removeprefix("series/"), np.array(self[name]).view(np.ndarray)) for name in names or self.columns())

    # ---- frames

    def __len__(self) -> int:
        return lib.cn_reader_summary(self._reader).frames

    @property
    def frames(self) -> Frames:
        """All frames as a sequence."""
        return Frames(self, range(len(self)))

    @property
    def bodies(self) -> Table:
        """All bodies of all frames as a table: result.bodies.dataframe().groupby("name")["y"].max(). See Frames.bodies."""
        return self.frames.bodies

    @property
    def contacts(self) -> Table:
        """All contacts of all frames as a table; see Frames.contacts."""
        return self.frames.contacts

    def frame(self, index: int) -> Frame:
        """Frame `index`, negative from the end."""
        frame = ffi.new("cn_frame *")
        with self._lock:
            call(lib.cn_reader_frame, self._reader, index, frame)
            return Frame(self._reader, frame)

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(k) for k in range(len(self)))

    # ---- what programs of the command line make of it

    def analyse(self, what: str, of: str | None = None, **given: float | str) -> Table:
        """A quantity of the bodies `of` (all that are free) in every frame, by the names of its numbers, with "frame" and
        "time": "stress", "fabric", "fraction" ...; `cairn analyse` lists them and what they may be given, e.g. volume=0.5."""
        known, k = [], 0
        while lib.cn_analysis_at(k) != ffi.NULL:
            known.append(text(lib.cn_analysis_at(k).name))
            k += 1
        if what not in known:
            raise BadInput(f"there is no quantity {what!r}{nearest(what, known)}; there are {', '.join(known)}")
        keep = [ffi.new("char[]", f"{name}={value!r}".encode()) for name, value in given.items()]
        names = ffi.new("char[]", what.encode()), ffi.NULL if of is None else ffi.new("char[]", of.encode())
        params = ffi.new("char *[]", keep)
        return self._table(lib.cn_analyse, ffi.new("cn_analyse_def *", [*names, len(keep), params]))

    def patches(self, frame: int = -1) -> Table:
        """`cairn patches`: force, moment and eccentricity on each patch where two bodies touch in a frame."""
        return self._table(lib.cn_patch_force_table, frame)

    def bonds(self, frame: int = -1) -> Table:
        """`cairn patches --bonds`: the points of mortar, glue or cement in a frame with their area, damage, opening, slip,
        tractions (tension above zero), mode (0 opens, 1 slips) and the energy spent on them."""
        return self._table(lib.cn_bond_table, frame)

    def cracks(self, frame: int = -1) -> Table:
        """`cairn patches --cracks`: how far the joints of frame 0 have opened and slipped in a frame [m]."""
        return self._table(lib.cn_crack_table, frame)

    def _table(self, function, *args):
        table = ffi.new("char **")
        with self._lock:
            call(function, self._reader, *args, table)
        return parse(owned_text(table[0]))

    def export(self, format: str, folder: str | os.PathLike[str] | None = None, frame: int = -1) -> list[str]:
        """`cairn export`: "paraview", "csv", "obj", "xyz", "compas" into a folder (default: name of the result), or "html", one
        file. Returns the paths to open."""
        known = [text(lib.cn_export_format_at(k).name) for k in range(lib.cn_export_format_count())]
        choice("format", format, dict.fromkeys([*known, "html"]))
        place = str(folder) if folder is not None else str(Path(self.path).with_suffix(".html" if format == "html" else ""))
        told: list[str] = []
        raised = Raised()
        with self._lock:
            if format == "html":
                call(lib.cn_export_html, self._reader, place.encode())
                return [place]
            path = ffi.new("char[]", place.encode())
            tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
            definition = ffi.new("cn_export_def *", {"folder": path, "frame": frame, "told": tell})
            call(lib.cn_export, self._reader, format.encode(), definition)
        raised.check()
        return told

    def compare(self, other: Result | str | os.PathLike[str], rtol: float = 0.0) -> list[str]:
        """`cairn compare`: what differs from another result by more than rtol of its range; [] if nothing does."""
        second = other if isinstance(other, Result) else Result(other)
        told: list[str] = []
        raised, count = Raised(), ffi.new("int *")
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        first, last = sorted((self._lock, second._lock), key=id)  # always in one order
        with first, last:
            call(lib.cn_result_compare, self._reader, second._reader, rtol, tell, ffi.NULL, count)
        raised.check()
        return told if count[0] > 0 else []

    def verify(self) -> list[str]:
        """Reads all of the file against its checksums: names of what is damaged."""
        told: list[str] = []
        raised, count = Raised(), ffi.new("int *")
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        with self._lock:
            call(lib.cn_reader_verify, self._reader, tell, ffi.NULL, count)
        raised.check()
        return told

    def render(self, path: str | os.PathLike[str], frame: int = -1, paint: str = "group", width: int | None = None,
               height: int | None = None, forces: bool = True, legend: bool = True,
               camera: tuple[float, float] | None = None) -> Picture:
        """Draws a frame as PNG; paint is group, velocity, pressure, opening, damage, displacement, mises or principal.
        camera: azimuth and elevation from which a scene in space is seen [rad]."""
        definition = ffi.new("cn_render_def *", lib.cn_render_def_default())
        definition.frame, definition.with_forces, definition.with_legend = frame, forces, legend
        definition.width = definition.width if width is None else width
        definition.height = definition.height if height is None else height
        if camera is not None:
            definition.azimuth, definition.elevation = camera
        definition.paint = choice("paint", paint, _paints())
        with self._lock:
            call(lib.cn_render, self._reader, definition, str(path).encode())
        return Picture(path)

    def _plot(self, what, path, against=None, beside=None, frame=-1, frames=1, bins=0, axis=None, body=None,
              with_walls=False, from_=None, until=None, numbers=None, take=None):
        """cn_plot into a file or, with `take`, to a function of C."""
        keep = {name: ffi.NULL if value is None else ffi.new("char[]", str(value).encode())
                for name, value in {"what": what, "against": against, "beside": beside, "body": body, "path": path}.items()}
        definition = ffi.new("cn_plot_def *", lib.cn_plot_def_default(keep["what"]))
        definition.against, definition.beside, definition.body = keep["against"], keep["beside"], keep["body"]
        definition.frame, definition.frame_count, definition.bins = frame, frames, bins
        setattr(definition, "from", float("-inf") if from_ is None else from_)
        definition.until = float("inf") if until is None else until
        definition.with_walls = with_walls
        definition.axis = -1 if axis is None else choice("axis", axis, {"x": 0, "y": 1, "z": 2, "r": lib.CN_PLOT_RADIUS})
        names = [ffi.new("char[]", name.encode()) for name in numbers or {}]
        given = ffi.new("cn_plot_number[]", [(name, value) for name, value in zip(names, (numbers or {}).values())])
        definition.number, definition.number_count = given, len(names)
        definition.take = ffi.NULL if take is None else take
        with self._lock:
            call(lib.cn_plot, self._reader, definition, keep["path"])

    def plot(self, what: str, path: str | os.PathLike[str], against: str | None = None,
             beside: str | os.PathLike[str] | None = None, frame: int = -1, frames: int = 1, bins: int = 0,
             axis: str | None = None, body: str | None = None, with_walls: bool = False, from_: float | None = None,
             until: float | None = None, numbers: Mapping[str, float] | None = None) -> Picture:
        """Draws curves of the history (.svg, .png or .csv): "energy", "residual", columns, or formulas of columns such as
        "axial.fy / width" with numbers={"width": 0.3}, over time (from_, until) or against another column; or what frames
        hold: "forces", "rose", "profile" and "fraction" (axis, "r" for the radius, body), "reaction" (axis, body), "pressure"
        (body). beside is a CSV file of
        curves to draw dashed. Forces and roses leave contacts of walls (bodies that are held or driven) out unless
        with_walls. cairn.plots has the same as figures of matplotlib."""
        self._plot(what, path, against, beside, frame, frames, bins, axis, body, with_walls, from_, until, numbers)
        return Picture(path)

    def view(self, live: bool = False, port: int = 0) -> Viewer:
        """The interactive viewer: a notebook shows it, elsewhere open its url in a browser."""
        return Viewer(self.path, live, port)
