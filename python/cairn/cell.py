"""The periodic cell of a world (docs/theory/15-periodic-cells.md)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from ._native import BadInput, choice, ffi, lib, record, text

Component = Union[float, Callable[[float], float]]  # of a rate or stress: a constant, or a function of time


class Cell:
    """What a World has of its cell."""

    _change: Any
    _function: Any
    _reading: Any
    dimension: int

    def set_cell(self, size: Sequence[float], periodic: bool | Sequence[str] = True, tilt: Sequence[float] = (),
                 inertia: float = 0.0, allow_self: bool = False) -> None:
        """Space repeats along all axes, or those named: periodic=["x"]. The corner of the cell is the origin; size [m];
        tilt: how far its second vector leans along x, in space [xy, xz, yz] [m]. allow_self: bodies may be so large that
        they touch their own images. All components of its motion stand still until control_cell."""
        dim, definition = self.dimension, ffi.new("cn_cell_def *")
        count = 1 if dim == 2 else 3
        if len(size) != dim or len(tilt) not in (0, count):
            raise BadInput(f"a cell in {dim}D takes {dim} numbers for 'size' and {count} for 'tilt', got {len(size)} and "
                           f"{len(tilt)}")
        axes = {axis: k for k, axis in enumerate("xyz"[:dim])}
        named = list(axes) if periodic is True else [] if periodic is False else list(periodic)
        for axis in named:
            definition.is_periodic[choice("periodic", axis, axes)] = True
        for d in range(dim):
            definition.vectors[4 * d] = size[d]
        for place, value in zip((1, 2, 5), tilt):  # xy xz yz
            definition.vectors[place] = value
        definition.inertia, definition.may_meet_itself = inertia, allow_self
        self._change(lib.cn_world_set_cell, definition)

    def control_cell(self, strain_rate: Mapping[str, Component] | None = None,
                     stress: Mapping[str, Component] | None = None) -> None:
        """How the cell deforms from now on: components "xx", "yy", "xy" ... by a rate [1/s], or following a stress, tension
        positive [Pa, in the plane N/m]; each a number or a function of time. Those that are not named stand still."""
        names = [text(lib.cn_cell_component_name(k)) for k in range(lib.CN_CELL_COMPONENT_COUNT)]
        known = {name: k for k, name in enumerate(names) if self.dimension == 3 or "z" not in name}
        control = ffi.new("cn_cell_control[]", lib.CN_CELL_COMPONENT_COUNT)
        for k in range(lib.CN_CELL_COMPONENT_COUNT):
            control[k].f, control[k].t0 = lib.cn_constant(0.0), float("nan")
        for is_stress, given in ((False, strain_rate or {}), (True, stress or {})):
            for name, value in given.items():
                k = choice("stress" if is_stress else "strain_rate", name, known)
                if is_stress and name in (strain_rate or {}):
                    raise BadInput(f"the component {name!r} of the cell has a rate or a stress, not both")
                control[k].is_stress, control[k].f = is_stress, self._function(value)
        self._change(lib.cn_world_control_cell, control)

    @property
    def cell(self) -> dict[str, Any] | None:
        """vectors [m], gradient [1/s], strain, carried (its stress) [Pa] as matrices, volume, inertia; None without a cell."""
        state, err = ffi.new("cn_cell_state *"), ffi.new("cn_error *")
        with self._reading() as world:
            lib.cn_world_cell(world, state, err)
        if not state.is_there:
            return None
        made = record(state, "cn_cell_state")
        for name in ("vectors", "gradient", "strain", "carried"):
            made[name] = np.array(made[name]).reshape(3, 3)[:self.dimension, :self.dimension]
        return made
