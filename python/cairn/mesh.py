"""Deformable bodies of worlds: meshes and materials as dicts with the keys of the YAML files, nodes as arrays."""
import numpy as np

from ._native import BadInput, array, call, choice, ffi, lib, text, vector

_kinds = {"box": "CN_VOLUME_BOX", "disk": "CN_VOLUME_DISK", "annulus": "CN_VOLUME_ANNULUS", "plate": "CN_VOLUME_PLATE",
          "cylinder": "CN_VOLUME_CYLINDER", "sphere": "CN_VOLUME_SPHERE"}
_parts = {"size": "size", "radius": "radius", "inner_radius": "inner_radius", "length": "length"}
_choices = {"kinematics": {"small": "CN_SMALL", "corotational": "CN_COROTATIONAL", "total": "CN_TOTAL_LAGRANGE"},
            "plane": {"strain": "CN_PLANE_STRAIN", "stress": "CN_PLANE_STRESS", "axisymmetric": "CN_AXISYMMETRIC"},
            "mass": {"lumped": "CN_MASS_LUMPED", "consistent": "CN_MASS_CONSISTENT"},
            "integration": {"bbar": "CN_INTEGRATION_BBAR", "full": "CN_INTEGRATION_FULL",
                            "selective": "CN_INTEGRATION_SELECTIVE"}}


def _choice(key, word):
    return getattr(lib, choice(key, word, _choices[key]))


def material_of(keys):
    """A cn_material_def of the keys of a material: density, model, young, poisson, ..."""
    made = ffi.new("cn_material_def *", lib.cn_material_def_default())
    known = [name for name, _ in ffi.typeof("cn_material_def").fields] + ["plane", "thickness"]
    for key, value in keys.items():
        if key not in known:
            raise BadInput(f"a material has no '{key}'; it has {', '.join(known)}")
        if key == "model":
            made.model = lib.cn_material_find(str(value).encode())
            if made.model == lib.CN_MATERIAL_COUNT:
                raise BadInput(f"unknown model '{value}' of a material")
        elif key == "kinematics":
            made.kinematics = _choice(key, value)
        elif key not in ("plane", "thickness"):
            if np.ndim(value) == 0:
                setattr(made, key, float(value))
            else:
                vector(getattr(made, key), value, key)
    return made


def _element(word):
    kind = lib.cn_element_find(str(word).encode())
    if kind == lib.CN_ELEMENT_COUNT:
        raise BadInput(f"unknown elements '{word}'")
    return kind


def _made(keys, dim):
    """A mesh made of blocks of cells: {"box": [2, 1], "cells": [8, 4], "elements": "quad4"}."""
    shapes = [name for name in _kinds if name in keys]
    if len(shapes) != 1:
        raise BadInput(f"a mesh has one of {', '.join(_kinds)}, or nodes and elements")
    inner = keys[shapes[0]]
    inner = dict(inner) if isinstance(inner, dict) else {"size" if shapes[0] in ("box", "plate") else "radius": inner}
    own = {**{k: v for k, v in keys.items() if k not in _kinds}, **inner}
    made = ffi.new("cn_volume_def *", lib.cn_volume_def_default())
    made.kind = getattr(lib, _kinds[shapes[0]])
    made.element = _element(own.pop("elements", "quad4" if dim == 2 else "hex8"))
    made.is_crossed = bool(own.pop("crossed", False))
    if "cells" in own:
        vector(made.cells, (int(n) for n in np.atleast_1d(own.pop("cells"))), "cells")
        made.cell_size = 0.0
    for key, value in own.items():
        if key == "size" and shapes[0] not in ("box", "plate") or key == "size" and np.ndim(value) == 0:
            made.cell_size = float(value)
        elif key in _parts and np.ndim(value) == 0:
            setattr(made, key, float(value))
        elif key == "size":
            vector(made.size, value, key)
        elif key not in ("mass", "integration", "two_pass", "mid_face", "self_contact"):
            raise BadInput(f"a mesh has no '{key}'")
    volume = ffi.new("cn_volume **")
    call(lib.cn_volume_make, made, volume)
    return ffi.gc(volume[0], lib.cn_volume_destroy)


def _given(keys, dim, keep):
    """A mesh of arrays: {"nodes": (n, dim), "elements": (m, k), "type": "tri3", "sets": {name: nodes}}."""
    kind = _element(keys.get("type", ""))
    width = lib.cn_element_node_count(kind)
    nodes = np.ascontiguousarray(keys["nodes"], dtype=float)
    elements = np.ascontiguousarray(keys["elements"], dtype=np.int32)
    if nodes.ndim != 2 or nodes.shape[1] != dim:
        raise BadInput(f"nodes are an array of shape (n, {dim}), got {nodes.shape}")
    if elements.ndim != 2 or elements.shape[1] != width:
        raise BadInput(f"elements of type {keys['type']} are an array of shape (m, {width}), got {elements.shape}")
    types = np.full(len(elements), kind, dtype=np.uint8)
    starts = np.arange(0, width * len(elements) + 1, width, dtype=np.int32)
    mesh = ffi.new("cn_mesh_def *")
    mesh.dim, mesh.node_count, mesh.element_count = dim, len(nodes), len(elements)
    mesh.node = ffi.cast("double *", nodes.ctypes.data)
    mesh.element_node = ffi.cast("int *", elements.ctypes.data)
    mesh.type = ffi.cast("unsigned char *", types.ctypes.data)
    mesh.element_start = ffi.cast("int *", starts.ctypes.data)
    sets = keys.get("sets", {})
    lists = ffi.new("cn_mesh_set[]", max(1, len(sets)))
    for k, (name, members) in enumerate(sets.items()):
        members = np.ascontiguousarray(members, dtype=np.int32).ravel()
        keep += [ffi.new("char[]", name.encode()), members]
        lists[k].name, lists[k].node_count = keep[-2], len(members)
        lists[k].node = ffi.cast("int *", members.ctypes.data)
    mesh.set, mesh.set_count = lists, len(sets)
    keep += [nodes, elements, types, starts, lists]
    return mesh


def mesh_of(keys, material, dim):
    """A cn_mesh_def * and what must live until the body was added."""
    keep: list = []
    if "nodes" in keys:
        mesh = _given(keys, dim, keep)
    else:
        volume = _made(keys, dim)
        mesh = ffi.new("cn_mesh_def *", lib.cn_volume_mesh(volume)[0])
        keep.append(volume)
    if mesh.dim != dim:
        raise BadInput(f"a mesh of dimension {mesh.dim} cannot be in a world of dimension {dim}")
    made = material_of(material)
    keep.append(made)
    mesh.material, mesh.material_count = made, 1
    mesh.plane = _choice("plane", material.get("plane", "strain"))
    mesh.thickness = float(material.get("thickness", 1.0))
    mesh.mass = _choice("mass", keys.get("mass", "lumped"))
    mesh.integration = _choice("integration", keys.get("integration", "bbar"))
    return mesh, keep


def elements_of(mesh):
    """Elements of a cn_mesh_def: list of (name of the type, nodes)."""
    out = []
    for e in range(mesh.element_count):
        first, last = mesh.element_start[e], mesh.element_start[e + 1]
        out.append((text(lib.cn_element_name(mesh.type[e])), [mesh.element_node[k] for k in range(first, last)]))
    return out


class Nodes:
    """Nodes of a deformable body: views of the memory of the world, as q and v are.

    x, v: positions and velocities; reference: positions without deformation (a copy); reaction and impulse of the
    drives and of contacts in the last step [N s]; elastic: stored energy [J]."""

    def __init__(self, view, make):
        shape = (view.node_count, view.dim)
        self.x, self.v = make(view.x, shape), make(view.v, shape)
        self.reaction, self.impulse = make(view.reaction, shape), make(view.impulse, shape)
        self.reference = np.array(array(None, view.X, shape)).view(np.ndarray) + np.array(list(view.at)[:view.dim])
        self.elastic = view.elastic

    @property
    def displacement(self):
        return np.asarray(self.x) - self.reference
