"""Worlds: bodies, laws and loads, stepped one call at a time."""
from __future__ import annotations

import contextlib
import threading
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from . import law as _law
from . import mesh as _mesh
from . import shapes as _shapes
from ._native import (CONTACT, BadInput, Error, InUse, NotConverged, Raised, array, call, check, choice, dtype_of, ffi, lib,
                      nearest, record, text, vector)
from ._signals import signal_flag
from .cell import Cell
from .recorder import Recorder

Number = Union[float, Callable[[float], float]]  # of a load: a constant, or a function of time
Vector = Sequence[float]

_dofs = {"x": "CN_DOF_X", "y": "CN_DOF_Y", "z": "CN_DOF_Z", "rx": "CN_DOF_RX", "ry": "CN_DOF_RY", "rz": "CN_DOF_RZ"}
_drives = ("velocity", "displacement", "acceleration")


class _Handle:
    """Owns a world in C. Arrays hold it, so that their memory outlives the World object."""

    def __init__(self, pointer):
        self.pointer = pointer
        self.arrays: weakref.WeakSet = weakref.WeakSet()
        self.keep = []  # callbacks and names that C refers to
        self.raised = Raised()
        self.recorders = []  # files that every step is written to
        self.gate = threading.RLock()  # held for a moment by every call, never during a step
        self.stepper = None  # the thread that makes a step

    def check_free(self, reads=False):
        """While a step is made other threads are kept out; functions that it calls may read."""
        if self.stepper is None or reads and self.stepper == threading.get_ident():
            return
        raise InUse("the world is inside its own step: a function that the step calls can read it, no more"
                    if self.stepper == threading.get_ident() else
                    "the world is inside a step of another thread: wait until it has ended, or give each thread a "
                    "world of its own")

    def make_step(self, h, flag, err):
        """The status of one step; a signal drops it. If its handler raises nothing the step is made again, with the
        same bits, and signals wait for its end."""
        status = lib.cn_world_step(self.pointer, h, err)
        self.check_raised()
        if status == lib.CN_STOPPED and flag != ffi.NULL and flag[0] != 0:
            lib.cn_world_watch_flag(self.pointer, ffi.NULL)
            status = lib.cn_world_step(self.pointer, h, err)
            self.check_raised()
        return status

    def check_raised(self):
        """Raises what loads and laws that are functions have raised on the way."""
        self.raised.check()
        _law.raised.check()

    def __del__(self):
        lib.cn_world_destroy(self.pointer)


class _Stepping:
    """`with _Stepping(handle) as (world, flag)`: a step is made, and nobody else uses the world."""

    __slots__ = ("handle", "signals")

    def __init__(self, handle):
        self.handle, self.signals = handle, signal_flag()

    def __enter__(self):
        handle = self.handle
        with handle.gate:
            handle.check_free()
            handle.stepper = threading.get_ident()
        flag = self.signals.__enter__()
        lib.cn_world_watch_flag(handle.pointer, flag)
        return handle.pointer, flag

    def __exit__(self, *raised):
        try:
            self.signals.__exit__(*raised)
        finally:
            lib.cn_world_watch_flag(self.handle.pointer, ffi.NULL)
            self.handle.stepper = None


class _Lease:
    """Held by an array and its slices: as long as one of them lives, so does the memory."""

    def __init__(self, handle):
        self.handle = handle
        handle.arrays.add(self)


class World(Cell):
    """A world. World(dimension=3, gravity=[0, 0, -9.81], theta=0.5) is empty; scenes build full ones. accuracy is flow,
    quake, packing, masonry or a number (docs/howto/step-and-accuracy.md).

    Arrays (q, v, mass, ...) are views of the memory of the world: they change as it steps. They cannot be
    written to; `set` does that. While one is held no body can be added or removed.

    One thread at a time uses a world: what others ask while it steps raises InUse, and so does what a function that
    the step calls (a load) asks of it, except to read. Different worlds can step at the same time."""

    def __init__(self, dimension: int = 2, gravity: Vector | None = None, theta: float = 0.5, threads: int = 1,
                 accuracy: float | str | None = None):
        definition = ffi.new("cn_world_def *", lib.cn_world_def_default())
        definition.dim, definition.theta, definition.threads = dimension, theta, threads
        if isinstance(accuracy, str):
            words = {text(lib.cn_accuracy_row(k).name): k for k in range(lib.CN_ACCURACY_FLOW, lib.CN_ACCURACY_COUNT)}
            definition.solver.accuracy = choice("accuracy", accuracy, words)
        elif accuracy is not None:
            definition.solver.eps_v = accuracy
        down = [0.0, -9.81, 0.0] if dimension == 2 else [0.0, 0.0, -9.81]
        vector(definition.gravity, down if gravity is None else gravity, "gravity")
        world = ffi.new("cn_world **")
        call(lib.cn_world_create, definition, world)
        self._handle: _Handle | None = _Handle(world[0])

    @classmethod
    def _own(cls, pointer):
        made = cls.__new__(cls)
        made._handle = _Handle(pointer)
        return made

    def _opened(self):
        handle = self._handle
        if handle is None:
            raise Error("the world is closed")
        return handle

    @property
    def pointer(self):
        """The cn_world *, for functions of cairn.lib."""
        return self._opened().pointer

    def close(self) -> None:
        """Gives the world up; arrays that are still held stay valid. Not while it steps."""
        handle = self._handle
        if handle is not None:
            with handle.gate:
                handle.check_free()
                self._handle = None

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<World, closed>"
        view = self._view()
        return f"<World in {view.dim}D at {view.time:g} s: {view.body_count} bodies, {view.contact_count} contacts>"

    def _change(self, function, *args):
        """Calls a fallible function that changes the world."""
        handle = self._opened()
        with handle.gate:
            handle.check_free()
            call(function, handle.pointer, *args)

    @contextlib.contextmanager
    def _reading(self):
        """The cn_world *, which nobody changes meanwhile."""
        handle = self._opened()
        with handle.gate:
            handle.check_free(reads=True)
            yield handle.pointer

    # ---- what is in it

    def add_group(self, name: str) -> int:
        """Number of a new group."""
        out = ffi.new("int *")
        self._change(lib.cn_group_add, name.encode(), out)
        return out[0]

    def add_law(self, friction: float | None = None, restitution: float | None = None, a: int = -1, b: int = -1,
                type: str = "coulomb", **params: float | str) -> int:
        """A law between groups a and b (-1: any), with the parameters of docs/scene.md: add_law(0.5), or
        add_law(type="mohr", friction=0.6, cohesion=2e5, cohesion_tangential=1e5). Returns its number."""
        if lib.cn_law_type_find(type.encode()) == ffi.NULL:
            known = [text(lib.cn_law_type_at(k).name) for k in range(lib.cn_law_type_count())]
            raise BadInput(f"there is no law {type!r}{nearest(type, known)}; there are {', '.join(known)}")
        law, out = ffi.new("cn_law_def *", lib.cn_law_default(type.encode())), ffi.new("int *")
        known = [text(law.type.param[k].name) for k in range(law.type.param_count)]
        friction = 0.0 if friction is None and type == "coulomb" else friction
        params.update({name: value for name, value in (("friction", friction), ("restitution", restitution))
                       if value is not None})
        missing = [name for k, name in enumerate(known) if np.isnan(law.type.param[k].fallback) and name not in params]
        if missing:
            raise BadInput(f"the law {type!r} needs {', '.join(missing)}")
        for name, value in params.items():
            if name not in known:
                raise BadInput(f"the law {type!r} has no {name!r}{nearest(name, known)}; it has {', '.join(known)}")
            if isinstance(value, str):
                call(lib.cn_law_set_word, law, name.encode(), value.encode())
            else:
                call(lib.cn_law_set, law, name.encode(), float(value))
        self._change(lib.cn_law_add, law, out)
        self._change(lib.cn_rule_add, a, b, out[0])
        return out[0]

    def add_body(self, shape: _shapes.Shape | str | Sequence[_shapes.Shape], at: Vector = (0.0, 0.0, 0.0),
                 density: float = 1.0, velocity: Vector = (0.0, 0.0, 0.0), rotation: float | Vector | None = None,
                 angular_velocity: float | Vector | None = None, group: int = 0, fixed: bool | Sequence[str] = False,
                 mass: float | None = None, inertia: float | Vector | None = None, **former: Any) -> int:
        """A rigid body of a shape or a list of them. In the plane {"disk": r}, {"box": [a, b]}, {"polygon": points},
        {"capsule": {"radius": r, "length": l}}, {"hollow_disk": {"radius": r, "thickness": t}}, "half_plane"; in space
        {"sphere": r}, {"box": [a, b, c]}, {"ellipsoid": [a, b, c]} (its diameters), {"polyhedron": points},
        "capsule", "cylinder", "hollow_sphere", "hollow_cylinder", "half_space", and for bodies that are held or driven
        {"surface": "file.stl"} or {"surface": {"vertices": points, "triangles": array}}. Each may have "at" and "rotation" in
        the frame of the body. rotation is an angle [rad] in the plane, a unit quaternion w x y z in space;
        angular_velocity a number in the plane, a vector of the world's axes in space. fixed: all, or some of x y z rx
        ry rz. mass and inertia (in space three principal ones) stand for density. Returns the id."""
        self._check_arrays()
        body = ffi.new("cn_body_def *")
        keep: list = []
        dim = self._view().dim
        made, count = _shapes.fill(shape, dim, keep)
        if dim == 3:
            body.type, body.solids.item, body.solids.count = lib.CN_BODY_SOLIDS, made, count
        else:
            body.type, body.shapes.item, body.shapes.count = lib.CN_BODY_SHAPES, made, count
        body.density, body.group = density, group
        if mass is not None or inertia is not None:
            if mass is None or inertia is None:
                raise BadInput("a body has a density, or both mass and inertia")
            body.density, body.mass = 0.0, mass
            vector(body.inertia, [0.0, 0.0, inertia] if dim == 2 else inertia, "inertia")
        _turn(body, dim, _named(_former(former), rotation=rotation, angular_velocity=angular_velocity))
        body.fixed = _fixed(fixed)
        vector(body.at, at, "at")
        vector(body.velocity, velocity, "velocity")
        out = ffi.new("cn_body_id *")
        self._change(lib.cn_body_add, body, out)
        return out[0]

    # ---- joints

    def add_joint(self, kind: str, body: int, other: int = 0, at: Vector | None = None, to: Vector | None = None,
                  axis: Vector | None = None, pin: Vector | None = None, limit: Sequence[float] | None = None,
                  motor: Sequence[float] | None = None, body_set: str | None = None, other_set: str | None = None,
                  keep_contact: bool = False, **numbers: float) -> int:
        """A joint between two bodies, or a body and the world (other=0): ball, hinge, slider, fixed, rod, cable,
        universal, cylindrical, in_plane. Places and directions are those at this moment, in the frame of the world.
        motor is (speed, largest force); numbers are length, stiffness, damping, strength, limit_restitution (see
        cn_joint_def in cairn/joint.h). Returns the id."""
        kinds = {text(lib.cn_joint_kind_name(k)): k for k in range(lib.CN_JOINT_KIND_COUNT)}
        joint = ffi.new("cn_joint_def *")
        joint.kind, joint.body, joint.other = choice("kind", kind, kinds), body, other
        joint.is_contact_kept = keep_contact
        for name, values in (("at", at), ("to", to), ("axis", axis), ("pin", pin), ("limit", limit)):
            if values is not None:
                vector(getattr(joint, name), values, name)
        if motor is not None:
            joint.motor_speed, joint.motor_limit = motor
        known = ("length", "stiffness", "damping", "strength", "limit_restitution")
        for name, value in numbers.items():
            if name not in known:
                raise BadInput(f"a joint has no {name!r}{nearest(name, known)}")
            setattr(joint, name, float(value))
        sets = [ffi.NULL if name is None else ffi.new("char[]", name.encode()) for name in (body_set, other_set)]
        joint.body_set, joint.other_set = sets
        out = ffi.new("cn_joint_id *")
        self._change(lib.cn_joint_add, joint, out)
        return out[0]

    def remove_joint(self, joint: int) -> None:
        self._change(lib.cn_joint_remove, joint)

    def set_motor(self, joint: int, speed: float, limit: float) -> None:
        """Changes the motor of a hinge, slider or cylindrical joint; limit 0 switches it off."""
        self._change(lib.cn_joint_set_motor, joint, speed, limit)

    @property
    def joints(self) -> np.ndarray:
        """Joints after the last step, a copy: structured array with the members of cn_joint_state."""
        with self._reading() as world:
            view = lib.cn_world_view(world)
            return np.array(array(None, view.joint, view.joint_count, dtype_of("cn_joint_state")), copy=True).view(np.ndarray)

    # ---- deformable bodies

    def add_mesh(self, mesh: Mapping[str, Any], material: Mapping[str, Any], at: Vector = (0.0, 0.0, 0.0),
                 velocity: Vector = (0.0, 0.0, 0.0), rotation: float | Vector | None = None,
                 angular_velocity: float | Vector | None = None, group: int = 0,
                 fixed_sets: Mapping[str, Sequence[str]] | None = None, **former: Any) -> int:
        """A deformable body. mesh and material have the keys of the YAML files: {"box": [2, 1], "cells": [8, 4],
        "elements": "quad4"} and {"density": 7800, "young": 2e11, "poisson": 0.3}; or mesh is {"nodes": array,
        "elements": array, "type": "tri3", "sets": {"left": nodes}}. fixed_sets holds nodes: {"left": ["x", "y"]}.
        Returns the id."""
        self._check_arrays()
        dim = self._view().dim
        made, keep = _mesh.mesh_of(mesh, material, dim)
        body = ffi.new("cn_body_def *")
        body.type, body.mesh.item, body.group = lib.CN_BODY_MESH, made, group
        body.mesh.is_two_pass, body.mesh.is_self_contact = bool(mesh.get("two_pass")), bool(mesh.get("self_contact"))
        body.mesh.is_mid_face = bool(mesh.get("mid_face"))
        _turn(body, dim, _named(_former(former), rotation=rotation, angular_velocity=angular_velocity))
        vector(body.at, at, "at")
        vector(body.velocity, velocity, "velocity")
        out = ffi.new("cn_body_id *")
        self._change(lib.cn_body_add, body, out)
        del keep
        for name, dofs in (fixed_sets or {}).items():
            for dof in dofs:
                self.add_node_drive(out[0], dof, 0.0, set=name)
        return out[0]

    def nodes(self, body: int) -> _mesh.Nodes:
        """Nodes of a deformable body: x, v, reference, displacement, reaction, impulse, elastic."""
        view = ffi.new("cn_node_view *")
        with self._reading() as world:
            call(lib.cn_body_nodes, world, body, view)
            return _mesh.Nodes(view, self._array)

    def elements(self, body: int) -> list[tuple[str, list[int]]]:
        """Elements of a deformable body: list of (type, nodes)."""
        mesh = ffi.new("cn_mesh_def *")
        with self._reading() as world:
            call(lib.cn_body_mesh, world, body, mesh)
            return _mesh.elements_of(mesh)

    def stress(self, body: int) -> np.ndarray:
        """Stresses at the nodes of a deformable body: xx yy zz xy yz zx each [Pa]."""
        out = np.zeros((len(self.nodes(body).x), 6))
        with self._reading() as world:
            call(lib.cn_body_node_stress, world, body, ffi.cast("double *", out.ctypes.data))
        return out

    def set_nodes(self, body: int, x: Any = None, v: Any = None) -> None:
        """Sets positions and velocities of all nodes of a deformable body."""
        shape, arrays = self.nodes(body).x.shape, []
        for name, values in (("x", x), ("v", v)):
            made = None if values is None else np.ascontiguousarray(values, dtype=float)
            if made is not None and made.shape != shape:
                raise BadInput(f"'{name}' of the nodes of body {body} has the shape {shape}, got {made.shape}")
            arrays.append(made)
        pointers = [ffi.NULL if a is None else ffi.cast("double *", a.ctypes.data) for a in arrays]
        self._change(lib.cn_body_set_nodes, body, *pointers)

    def remove_body(self, body: int) -> None:
        self._check_arrays()
        self._change(lib.cn_body_remove, body)

    def _check_arrays(self):
        if len(self._opened().arrays) > 0:
            raise Error("arrays of the world are held: copy or delete them before bodies come or go")

    def get(self, body: int) -> dict[str, Any]:
        """State of a body as a dict: position, rotation, velocity, angular_velocity, mass, inertia, size, ...; in the
        plane rotation (the angle), angular_velocity and inertia are numbers."""
        state = record(self._state(body), "cn_body_state")
        angle = state.pop("angle")
        if self._view().dim == 2:
            state.update(rotation=angle, angular_velocity=state["angular_velocity"][2], inertia=state["inertia"][2])
        return state

    def _state(self, body):
        state = ffi.new("cn_body_state *")
        with self._reading() as world:
            call(lib.cn_body_get, world, body, state)
        return state

    def set(self, body: int, **values: float | Vector) -> None:
        """Changes position, rotation, velocity and angular_velocity of a body."""
        state, values = self._state(body), _named(values)
        for key, value in values.items():
            if key not in ("position", "rotation", "velocity", "angular_velocity"):
                raise BadInput(f"a body has no '{key}' that can be set")
            if key in ("position", "velocity"):
                vector(getattr(state, key), value, key)
        _turn(state, self._view().dim, values)
        self._change(lib.cn_body_set, body, state)

    # ---- loads

    def _function(self, f):
        """A number or a function of time. What the function raises ends the step and is raised by it."""
        if not callable(f):
            return lib.cn_constant(float(f))
        handle, made = self._opened(), ffi.new("cn_function *")
        made.kind = lib.CN_FUNCTION_CALL
        function = handle.raised.callback("double(double, void *)", lambda t, _: float(f(t)), error=float("nan"))
        handle.keep.append(function)
        made.call = function
        return made[0]

    def add_force(self, body: int, f: Number, direction: Vector, point: Vector = (0.0, 0.0, 0.0), torque: bool = False,
                  follower: bool = False) -> None:
        """A force (or torque) of size f, a number or a function of time, on a body."""
        force = ffi.new("cn_force_def *")
        force.body, force.is_torque, force.is_follower, force.t0 = body, torque, follower, float("nan")
        vector(force.direction, direction, "direction")
        vector(force.point, point, "point")
        force.f = self._function(f)
        self._change(lib.cn_force_add, force)

    def add_drive(self, body: int, dof: str, f: Number, kind: str = "velocity") -> None:
        """Imposed motion of one degree of freedom (x y z rx ry rz); f is a number or a function of time."""
        drive = ffi.new("cn_drive_def *")
        drive.body, drive.t0 = body, float("nan")
        if dof not in _dofs or kind not in _drives:
            raise BadInput(f"a drive moves one of {', '.join(_dofs)} by {', '.join(_drives)}, not '{dof}' by '{kind}'")
        drive.kind = getattr(lib, f"CN_DRIVE_{kind.upper()}")
        drive.dof = getattr(lib, _dofs[dof])
        drive.f = self._function(f)
        self._change(lib.cn_drive_add, drive)

    def add_node_force(self, body: int, f: Number, direction: Vector, set: str | None = None, per: str = "total") -> None:
        """A force on nodes of a deformable body: shared by those of the set (per "total"), on each ("node"), a
        traction on its sides ("area", Pa), or per mass of the body ("mass")."""
        kinds = {"total": lib.CN_LOAD_TOTAL, "node": lib.CN_LOAD_NODES, "area": lib.CN_LOAD_TRACTION,
                 "mass": lib.CN_LOAD_BODY}
        if per not in kinds:
            raise BadInput(f"a force on nodes is per {', '.join(kinds)}, not '{per}'")
        self._add_node_load(body, kinds[per], f, direction, set)

    def add_pressure(self, body: int, f: Number, set: str | None = None) -> None:
        """A pressure against the sides of a set of a deformable body, which it follows [Pa]."""
        self._add_node_load(body, lib.CN_LOAD_PRESSURE, f, (0.0, 0.0, 0.0), set)

    def _add_node_load(self, body, kind, f, direction, name):
        load = ffi.new("cn_node_load_def *")
        load.body, load.kind, load.t0 = body, kind, float("nan")
        vector(load.direction, direction, "direction")
        label = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        load.set, load.f = label, self._function(f)
        self._change(lib.cn_node_load_add, load)

    def add_node_drive(self, body: int, dof: str, f: Number, kind: str = "velocity", set: str | None = None) -> None:
        """Imposed motion of the nodes of a set of a deformable body along x, y or z."""
        drive = ffi.new("cn_node_drive_def *")
        if dof not in ("x", "y", "z") or kind not in _drives:
            raise BadInput(f"a drive moves nodes along x, y or z by {', '.join(_drives)}, not '{dof}' by '{kind}'")
        label = ffi.NULL if set is None else ffi.new("char[]", set.encode())
        drive.body, drive.set, drive.t0 = body, label, float("nan")
        drive.kind, drive.dof = getattr(lib, f"CN_DRIVE_{kind.upper()}"), getattr(lib, _dofs[dof])
        drive.f = self._function(f)
        self._change(lib.cn_node_drive_add, drive)

    def clear_loads(self) -> None:
        """Removes all drives and forces; sets of meshes that a scene holds (fixed_sets) are drives, too."""
        handle = self._opened()
        with handle.gate:
            handle.check_free()
            lib.cn_loads_clear(handle.pointer)

    # ---- time

    def step(self, h: float, count: int = 1, strict: bool = True) -> int:
        """Makes steps of h seconds. The lock of the interpreter is released meanwhile. A step that misses the
        accuracy raises NotConverged (after it was made) unless strict is False. After any other exception, among them
        those of functions of time, which arrive here, and Ctrl-C, the state is that before the step."""
        handle, err, missed = self._opened(), ffi.new("cn_error *"), 0
        with _Stepping(handle) as (world, flag):
            for _ in range(count):
                check(handle.make_step(h, flag, err), err)
                for recorder in handle.recorders:
                    recorder._write()
                report = lib.cn_world_view(world).certificate.solver
                missed += not report.is_converged
                if strict and missed:
                    sentence = ffi.new("char[]", 256)
                    raise NotConverged(text(lib.cn_solver_missed(ffi.addressof(report), sentence, 256)))
        return missed

    def record(self, path: str, every: float = 0.0, title: str = "", series: Mapping[str, Callable[[World], float]] | None = None,
               names: Mapping[int, str] | None = None) -> Recorder:
        """Writes every step from now on to a result file, and a frame of it every so many seconds (0: at every step),
        until it is closed: with world.record("out.h5", every=0.01, series={"top": lambda w: w.q[3, 1]}): ... `names`
        are names of bodies by id. What it wrote is read with cairn.Result and all commands."""
        return Recorder(self, path, every, title, series or {}, names or {})

    def request_stop(self) -> None:
        """Asks for the step under way, or else the next one, to be dropped: it raises Stopped. From any thread."""
        lib.cn_world_request_stop(self.pointer)

    def detect(self, reach: float) -> None:
        """Finds contacts at the present positions, gaps up to `reach`, without moving anything."""
        handle, err = self._opened(), ffi.new("cn_error *")
        with _Stepping(handle) as (world, _):
            status = lib.cn_world_detect(world, reach, err)
            handle.check_raised()
            check(status, err)

    # ---- arrays

    def _view(self):
        with self._reading() as world:
            return lib.cn_world_view(world)

    def _array(self, pointer, shape, dtype=float):
        return array(_Lease(self._opened()), pointer, shape, dtype)

    @property
    def time(self) -> float:
        """[s]"""
        return self._view().time

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._view().dim

    @property
    def ids(self) -> np.ndarray:
        """Stable numbers of the bodies."""
        view = self._view()
        return self._array(view.id, view.body_count, np.uint64)

    @property
    def groups(self) -> np.ndarray:
        """Numbers of their groups."""
        view = self._view()
        return self._array(view.group, view.body_count, np.int32)

    @property
    def q(self) -> np.ndarray:
        """Configurations, one row per body: x y angle, or x y z and a quaternion."""
        view = self._view()
        return self._array(view.q, (view.body_count, 3 if view.dim == 2 else 7))

    @property
    def v(self) -> np.ndarray:
        """Velocities, one row per body: x y spin, or x y z and the angular velocity."""
        view = self._view()
        return self._array(view.v, (view.body_count, 3 if view.dim == 2 else 6))

    @property
    def mass(self) -> np.ndarray:
        """Masses [kg]."""
        view = self._view()
        return self._array(view.mass, view.body_count)

    @property
    def inertia(self) -> np.ndarray:
        """Moments of inertia, in space three principal ones [kg m2]."""
        view = self._view()
        return self._array(view.inertia, (view.body_count,) if view.dim == 2 else (view.body_count, 3))

    @property
    def size(self) -> np.ndarray:
        """Smallest extents [m]."""
        view = self._view()
        return self._array(view.size, view.body_count)

    @property
    def contacts(self) -> np.ndarray:
        """Contacts of the last step, a copy: structured array with the members of cn_contact."""
        with self._reading() as world:
            view = lib.cn_world_view(world)
            return np.array(array(None, view.contact, view.contact_count, CONTACT), copy=True).view(np.ndarray)

    @property
    def certificate(self) -> dict[str, Any]:
        """Residual, penetration, counts and status of the last step, as a dict."""
        with self._reading() as world:
            return record(lib.cn_world_view(world).certificate, "cn_certificate")

    @property
    def ledger(self) -> dict[str, Any]:
        """Energy ledger: rows by name ({"kinetic": ...}), present values and closing error."""
        with self._reading() as world:
            ledger = lib.cn_world_view(world).ledger
            rows = {text(lib.cn_energy_row_name(k)): ledger.total[k] for k in range(lib.CN_ENERGY_ROW_COUNT)}
            return {"total": rows, "kinetic": ledger.kinetic, "potential": ledger.potential, "storage": ledger.storage,
                    "error": ledger.error, "error_max": ledger.error_max}

    @property
    def state_hash(self) -> str:
        """16 digits over all positions, velocities and impulses: equal for equal bits."""
        with self._reading() as world:
            return f"{lib.cn_world_state_hash(world):016x}"


_FORMER = {"angle": "rotation", "turn": "rotation", "spin": "angular_velocity", "rate": "angular_velocity"}


def _named(given, **values):
    """Arguments by their names; those of 0.1 are taken until 0.4, with a warning."""
    for key, value in given.items():
        if key in _FORMER:
            warnings.warn(f"'{key}' is now called '{_FORMER[key]}'", DeprecationWarning, stacklevel=3)
        values[_FORMER.get(key, key)] = value
    return values


def _former(given):
    """Refuses keywords that never had a meaning."""
    for key in given:
        if key not in _FORMER:
            raise TypeError(f"unexpected keyword argument '{key}'")
    return given


def _turn(to, dim, values):
    """Sets rotation and angular velocity of a definition or a state from a dict that may have them."""
    rotation, rate = values.get("rotation"), values.get("angular_velocity")
    if dim == 2:
        to.angle = to.angle if rotation is None else rotation
        to.angular_velocity[2] = to.angular_velocity[2] if rate is None else rate
        return
    if rotation is not None:
        vector(to.rotation, rotation, "rotation")
    if rate is not None:
        vector(to.angular_velocity, rate, "angular_velocity")


def _fixed(fixed):
    """Bits of held degrees of freedom."""
    if isinstance(fixed, str):
        fixed = [fixed]
    if not isinstance(fixed, Sequence):
        return lib.CN_FIXED_ALL if fixed else 0
    bits = 0
    for dof in fixed:
        bits |= 1 << getattr(lib, choice("fixed", dof, _dofs))
    return bits
