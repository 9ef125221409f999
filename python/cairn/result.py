"""Result files: summary, history and frames."""
import threading
from fnmatch import fnmatchcase

import numpy as np

from ._native import CONTACT, Error, array, call, choice, ffi, lib, record, text
from .mesh import elements_of


def _paints():
    return {text(lib.cn_paint_name(k)): k for k in range(lib.CN_PAINT_COUNT) if k != lib.CN_PAINT_SPREAD}


class MeshFrame:
    """Nodes of a deformable body in a frame: x, v, stress (None: not written); reference and elements of its mesh."""

    def __init__(self, reader, body, mesh, dim, copy):
        definition = ffi.new("cn_mesh_def *")
        lib.cn_reader_mesh(reader, body, definition)
        self.body = body
        self.x, self.v = copy(mesh.x, (mesh.node_count, dim)), copy(mesh.v, (mesh.node_count, dim))
        self.stress = None if mesh.stress == ffi.NULL else copy(mesh.stress, (mesh.node_count, 6))
        self.reference = copy(definition.node, (definition.node_count, dim))
        self.elements = elements_of(definition)

    @property
    def displacement(self):
        return self.x - self.reference

    @property
    def mises(self):
        """Von Mises stress at the nodes [Pa]."""
        a = self.stress
        normal = 0.5 * ((a[:, 0] - a[:, 1])**2 + (a[:, 1] - a[:, 2])**2 + (a[:, 2] - a[:, 0])**2)
        return np.sqrt(normal + 3.0 * (a[:, 3:]**2).sum(axis=1))


def _name(reader, body):
    """What the scene calls a body; results without names have numbers."""
    name = lib.cn_reader_body_name(reader, int(body))
    return f"body {body}" if name == ffi.NULL else text(name)


class Frame:
    """One frame: arrays are copies, so that frames can be kept. names[k] is what the scene calls body k of it."""

    def __init__(self, reader, frame):
        copy = lambda pointer, shape, dtype=float: np.array(array(None, pointer, shape, dtype)).view(np.ndarray)
        self.index, self.time, self.step, self.h = frame.index, frame.time, frame.step, frame.h
        self.ids = copy(frame.id, frame.body_count, np.uint64)
        self.names = [_name(reader, body) for body in self.ids]
        self.groups = copy(frame.group, frame.body_count, np.int32)
        self.q = copy(frame.q, (frame.body_count, frame.q_size))
        self.v = copy(frame.v, (frame.body_count, frame.v_size))
        self.contacts = copy(frame.contact, frame.contact_count, CONTACT)
        self.meshes = [MeshFrame(reader, frame.id[frame.mesh[k].body], frame.mesh[k], frame.dim, copy)
                       for k in range(frame.mesh_count)]
        self.kinetic, self.potential, self.energy_error = frame.kinetic, frame.potential, frame.energy_error

    def find(self, pattern):
        """Places in the arrays of the bodies whose names match: "bridge.voussoir_09", "bridge.arch*"."""
        return [k for k, name in enumerate(self.names) if name == pattern or fnmatchcase(name, pattern)]


class Result:
    """A result file. result["kinetic"] is a column of the history, result.frame(-1) the last frame. Threads that ask at
    the same time wait for each other."""

    def __init__(self, path):
        reader = ffi.new("cn_reader **")
        call(lib.cn_reader_open, str(path).encode(), reader)
        self._open = ffi.gc(reader[0], lib.cn_reader_close)
        self._lock = threading.RLock()  # a reader has one user at a time

    @property
    def _reader(self):
        if self._open is None:
            raise Error("the result is closed")
        return self._open

    def close(self):
        """Gives the file up; arrays that are still held stay valid."""
        self._open = None

    @property
    def summary(self):
        return record(lib.cn_reader_summary(self._reader), "cn_summary")

    @property
    def scene(self):
        """The text of the scene that made it."""
        return text(lib.cn_reader_scene_text(self._reader))

    def columns(self):
        """Names of the columns of the history: "time", "residual", ..., "series/NAME"."""
        return [text(lib.cn_reader_column_name(self._reader, k))
                for k in range(lib.cn_reader_column_count(self._reader))]

    def __getitem__(self, name):
        """A column of the history, one number per step; observed series by their own name."""
        known = self.columns()
        column = ffi.new("cn_column *")
        with self._lock:
            call(lib.cn_reader_column, self._reader, (name if name in known else "series/" + name).encode(), column)
        return array(self._reader, column.value, column.count)

    def __len__(self):
        return lib.cn_reader_summary(self._reader).frames

    def frame(self, index):
        """Frame `index`, negative from the end."""
        frame = ffi.new("cn_frame *")
        with self._lock:
            call(lib.cn_reader_frame, self._reader, index, frame)
            return Frame(self._reader, frame)

    def __iter__(self):
        return (self.frame(k) for k in range(len(self)))

    def analyse(self, what, of=None, **given):
        """A quantity of the bodies `of` in every frame, as arrays by the names of its numbers, with "frame" and "time":
        "stress", "fabric", "fraction" ...; `cairn analyse` lists them and what they may be given, e.g. volume=0.5."""
        keep = [ffi.new("char[]", f"{name}={value!r}".encode()) for name, value in given.items()]
        names = ffi.new("char[]", what.encode()), ffi.NULL if of is None else ffi.new("char[]", of.encode())
        params = ffi.new("char *[]", keep)
        table = ffi.new("char **")
        with self._lock:
            call(lib.cn_analyse, self._reader, ffi.new("cn_analyse_def *", [*names, len(keep), params]), table)
        lines = text(table[0]).splitlines()
        lib.free(table[0])
        rows = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
        return dict(zip(lines[0].split(","), rows.T))

    def render(self, path, frame=-1, paint="group"):
        """Draws a frame as PNG; paint is group, velocity, pressure, opening, displacement, mises or principal."""
        definition = ffi.new("cn_render_def *", lib.cn_render_def_default())
        definition.frame = frame
        definition.paint = choice("paint", paint, _paints())
        with self._lock:
            call(lib.cn_render, self._reader, definition, str(path).encode())

    def plot(self, what, path, against=None, beside=None, frame=-1, frames=1, bins=0, axis=None, body=None,
             with_walls=False):
        """Draws curves of the history (.svg, .png or .csv): "energy", "residual" or columns, over time or against
        another column; or what frames hold: "forces", "rose", "profile" (axis, body), "reaction" (axis, body), "pressure" (body).
        beside is a CSV file of curves to draw dashed. Forces and roses leave contacts of walls (bodies that are held or
        driven) out unless with_walls."""
        keep = {name: ffi.NULL if value is None else ffi.new("char[]", str(value).encode())
                for name, value in {"what": what, "against": against, "beside": beside, "body": body}.items()}
        definition = ffi.new("cn_plot_def *", lib.cn_plot_def_default(keep["what"]))
        definition.against, definition.beside, definition.body = keep["against"], keep["beside"], keep["body"]
        definition.frame, definition.frame_count, definition.bins = frame, frames, bins
        definition.with_walls = with_walls
        definition.axis = -1 if axis is None else choice("axis", axis, {"x": 0, "y": 1, "z": 2})
        with self._lock:
            call(lib.cn_plot, self._reader, definition, str(path).encode())
