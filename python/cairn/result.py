"""Result files: summary, history and frames."""
import numpy as np

from ._native import CONTACT, array, call, ffi, lib, record, text


class Frame:
    """One frame: arrays are copies, so that frames can be kept."""

    def __init__(self, frame):
        copy = lambda pointer, shape, dtype=float: np.array(array(None, pointer, shape, dtype)).view(np.ndarray)
        self.index, self.time, self.step, self.h = frame.index, frame.time, frame.step, frame.h
        self.ids = copy(frame.id, frame.body_count, np.uint64)
        self.groups = copy(frame.group, frame.body_count, np.int32)
        self.q = copy(frame.q, (frame.body_count, frame.q_size))
        self.v = copy(frame.v, (frame.body_count, frame.v_size))
        self.contacts = copy(frame.contact, frame.contact_count, CONTACT)
        self.kinetic, self.potential, self.energy_error = frame.kinetic, frame.potential, frame.energy_error


class Result:
    """A result file. result["kinetic"] is a column of the history, result.frame(-1) the last frame."""

    def __init__(self, path):
        reader = ffi.new("cn_reader **")
        call(lib.cn_reader_open, str(path).encode(), reader)
        self._reader = ffi.gc(reader[0], lib.cn_reader_close)

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
        call(lib.cn_reader_column, self._reader, (name if name in known else "series/" + name).encode(), column)
        return array(self._reader, column.value, column.count)

    def __len__(self):
        return lib.cn_reader_summary(self._reader).frames

    def frame(self, index):
        """Frame `index`, negative from the end."""
        frame = ffi.new("cn_frame *")
        call(lib.cn_reader_frame, self._reader, index, frame)
        return Frame(frame)

    def __iter__(self):
        return (self.frame(k) for k in range(len(self)))

    def render(self, path, frame=-1, paint="group"):
        """Draws a frame as PNG; paint is group, velocity, pressure or opening."""
        definition = ffi.new("cn_render_def *", lib.cn_render_def_default())
        definition.frame = frame
        definition.paint = getattr(lib, f"CN_PAINT_{paint.upper()}")
        call(lib.cn_render, self._reader, definition, str(path).encode())

    def plot(self, what, path):
        """Draws curves of the history (.svg, .png or .csv): "energy", "residual" or columns."""
        call(lib.cn_plot, self._reader, what.encode(), str(path).encode())
