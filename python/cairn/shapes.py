"""Shapes of bodies that are added one by one: dicts with the keys of scenes, as structs of C."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._native import BadInput, call, choice, ffi, lib, nearest, vector

Shape = Mapping[str, Any]


def _lengths(name: str, value: Any, keys: Sequence[str]) -> list[float]:
    """The numbers of {"radius": r, "length": l}; a number alone is the only one."""
    if not isinstance(value, Mapping):
        value = {keys[0]: value} if len(keys) == 1 else value
    if not isinstance(value, Mapping) or sorted(value) != sorted(keys):
        raise BadInput(f"'{name}' takes {', '.join(keys)}, such as {{{', '.join(f'{k!r}: 0.1' for k in keys)}}}, got {value!r}")
    return [float(value[key]) for key in keys]


def _sides(name: str, value: Any, count: int) -> list[float]:
    value = value.get("size", value) if isinstance(value, Mapping) else value
    if np.shape(value) != (count,):
        raise BadInput(f"a {name} has {count} sides here, got {value!r}")
    return [float(x) for x in value]


def _points(name: str, value: Any, width: int, keep: list[Any]):
    value = value.get("vertices", value.get("points", value)) if isinstance(value, Mapping) else value
    points = np.ascontiguousarray(value, dtype=float)
    if points.ndim != 2 or points.shape[1] != width:
        raise BadInput(f"'{name}' takes points of {width} numbers, an array of shape (n, {width}), got {points.shape}")
    keep.append(points)
    return ffi.cast("double *", points.ctypes.data), len(points)


def _disk(made, value, keep):
    made.kind, (made.radius,) = lib.CN_SHAPE_DISK, _lengths("disk", value, ["radius"])


def _capsule(made, value, keep):
    made.kind = lib.CN_SHAPE_CAPSULE
    made.radius, made.length = _lengths("capsule", value, ["radius", "length"])


def _hollow_disk(made, value, keep):
    made.kind = lib.CN_SHAPE_HOLLOW_DISK
    made.radius, made.thickness = _lengths("hollow_disk", value, ["radius", "thickness"])


def _polygon(made, value, keep):
    made.kind = lib.CN_SHAPE_POLYGON
    made.vertex, made.vertex_count = _points("polygon", value, 2, keep)


def _box(made, value, keep):
    width, height = _sides("box", value, 2)
    corners = ffi.new("double[8]")
    lib.cn_box_vertices(width, height, corners)
    keep.append(corners)
    made.kind, made.vertex_count, made.vertex = lib.CN_SHAPE_POLYGON, 4, corners


def _half_plane(made, value, keep):
    made.kind = lib.CN_SHAPE_HALF_PLANE


_plane: dict[str, Callable] = {"disk": _disk, "box": _box, "polygon": _polygon, "capsule": _capsule,
                               "hollow_disk": _hollow_disk, "half_plane": _half_plane}


def _sphere(made, value, keep):
    made.kind, (made.radius,) = lib.CN_SOLID_SPHERE, _lengths("sphere", value, ["radius"])


def _rod(kind: str) -> Callable:
    def fill(made, value, keep):
        made.kind = getattr(lib, f"CN_SOLID_{kind.upper()}")
        made.radius, made.length = _lengths(kind, value, ["radius", "length"])
    return fill


def _sized(kind: str) -> Callable:
    def fill(made, value, keep):
        made.kind, made.size = getattr(lib, f"CN_SOLID_{kind.upper()}"), _sides(kind, value, 3)
    return fill


def _hull(made, value, keep):
    made.kind = lib.CN_SOLID_HULL
    made.point, made.point_count = _points("polyhedron", value, 3, keep)


def _hollow_sphere(made, value, keep):
    made.kind = lib.CN_SOLID_HOLLOW_SPHERE
    made.radius, made.thickness = _lengths("hollow_sphere", value, ["radius", "thickness"])


def _hollow_cylinder(made, value, keep):
    value = dict(value)
    ends = value.pop("ends", True)
    ends = {True: ["lower", "upper"], False: []}.get(ends, ends) if isinstance(ends, bool) else ends
    made.kind = lib.CN_SOLID_HOLLOW_CYLINDER
    made.ends = sum(choice("ends", end, {"lower": 1, "upper": 2}) for end in ends)
    value.setdefault("thickness", 0.1 * float(value.get("radius", 0.0)))
    made.radius, made.length, made.thickness = _lengths("hollow_cylinder", value, ["radius", "length", "thickness"])


def _surface(made, value, keep):
    """Corners of triangles, of arrays or of a file (STL, OBJ, PLY, gmsh) with "scale", the unit of it in metres."""
    value = {"file": value} if isinstance(value, (str, os.PathLike)) else dict(value)
    if "file" in value:
        vertices, triangles = _loaded(**value)
    elif sorted(value) == ["triangles", "vertices"]:
        vertices, triangles = np.asarray(value["vertices"], dtype=float), np.asarray(value["triangles"], dtype=int)
    else:
        raise BadInput(f"'surface' takes a file, or vertices and triangles, got {', '.join(map(repr, value))}")
    if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise BadInput(f"'surface' takes vertices of shape (n, 3) and triangles of shape (m, 3), got {vertices.shape} and "
                       f"{triangles.shape}")
    if triangles.size and not 0 <= triangles.min() <= triangles.max() < len(vertices):
        raise BadInput(f"'surface' has {len(vertices)} vertices, from 0 on, and a triangle with vertex "
                       f"{triangles.min() if triangles.min() < 0 else triangles.max()}")
    made.kind = lib.CN_SOLID_SURFACE
    made.point, made.point_count = _points("surface", vertices[triangles].reshape(-1, 3), 3, keep)


def _loaded(file, scale=1.0):
    definition, surface = ffi.new("cn_surface_def *", lib.cn_surface_def_default()), ffi.new("cn_surface *")
    definition.scale = scale
    call(lib.cn_surface_load, str(file).encode(), definition, surface)
    try:
        arrays = (np.frombuffer(ffi.buffer(surface.vertex, 24 * surface.vertex_count), float).reshape(-1, 3).copy(),
                  np.frombuffer(ffi.buffer(surface.triangle, 12 * surface.triangle_count), np.int32).reshape(-1, 3).copy())
    finally:
        lib.cn_surface_free(surface)
    return arrays


def _half_space(made, value, keep):
    made.kind = lib.CN_SOLID_HALF_SPACE


_space: dict[str, Callable] = {"sphere": _sphere, "box": _sized("box"), "ellipsoid": _sized("ellipsoid"),
                               "polyhedron": _hull, "capsule": _rod("capsule"), "cylinder": _rod("cylinder"),
                               "hollow_sphere": _hollow_sphere, "hollow_cylinder": _hollow_cylinder,
                               "surface": _surface, "half_space": _half_space}


def fill(shapes: Shape | str | Sequence[Shape], dim: int, keep: list[Any]):
    """An array of cn_shape_def or, in space, cn_solid_def, of one shape or a list of them, and their number."""
    if isinstance(shapes, (Mapping, str)):
        shapes = [{shapes: {}}] if isinstance(shapes, str) else [shapes]
    known = _plane if dim == 2 else _space
    made = ffi.new("cn_shape_def[]" if dim == 2 else "cn_solid_def[]", len(shapes))
    for k, shape in enumerate(shapes):
        shape = dict(shape)
        at, rotation = shape.pop("at", None), shape.pop("rotation", None)
        if len(shape) != 1:
            raise BadInput(f"a shape is one key with its value, and 'at' and 'rotation', such as {{'disk': 0.1}}, got {shape!r}")
        (name, value), = shape.items()
        if name not in known:
            raise BadInput(f"unknown shape {name!r}{nearest(name, known)}; here are {', '.join(known)}")
        known[name](made[k], value, keep)
        if at is not None:
            vector(made[k].at, at, "at")
        if rotation is not None and dim == 2:
            made[k].angle = float(rotation)
        elif rotation is not None:
            vector(made[k].rotation, rotation, "rotation")
    keep.append(made)
    return made, len(shapes)
