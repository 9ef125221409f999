"""Worlds: bodies, laws and loads, stepped one call at a time."""
import contextlib
import threading
import warnings
import weakref

import numpy as np

from . import mesh as _mesh
from ._native import (CONTACT, BadInput, Error, InUse, NotConverged, Raised, array, call, check, ffi, lib, record, text, vector)
from ._signals import signal_flag

_dofs = {"x": "CN_DOF_X", "y": "CN_DOF_Y", "z": "CN_DOF_Z", "rx": "CN_DOF_RX", "ry": "CN_DOF_RY", "rz": "CN_DOF_RZ"}
_drives = ("velocity", "displacement", "acceleration")


class _Handle:
    """Owns a world in C. Arrays hold it, so that their memory outlives the World object."""

    def __init__(self, pointer):
        self.pointer = pointer
        self.arrays = weakref.WeakSet()
        self.keep = []  # callbacks and names that C refers to
        self.raised = Raised()
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

    @contextlib.contextmanager
    def stepping(self):
        with self.gate:
            self.check_free()
            self.stepper = threading.get_ident()
        try:
            with signal_flag() as flag:
                lib.cn_world_watch_flag(self.pointer, flag)
                yield self.pointer, flag
        finally:
            lib.cn_world_watch_flag(self.pointer, ffi.NULL)
            self.stepper = None

    def make_step(self, h, flag, err):
        """The status of one step; a signal drops it. If its handler raises nothing the step is made again, with the
        same bits, and signals wait for its end."""
        status = lib.cn_world_step(self.pointer, h, err)
        self.raised.check()
        if status == lib.CN_STOPPED and flag != ffi.NULL and flag[0] != 0:
            lib.cn_world_watch_flag(self.pointer, ffi.NULL)
            status = lib.cn_world_step(self.pointer, h, err)
            self.raised.check()
        return status

    def __del__(self):
        lib.cn_world_destroy(self.pointer)


class _Lease:
    """Held by an array and its slices: as long as one of them lives, so does the memory."""

    def __init__(self, handle):
        self.handle = handle
        handle.arrays.add(self)


class World:
    """A world. World(dimension=3, gravity=[0, 0, -9.81], theta=0.5) is empty; scenes build full ones.

    Arrays (q, v, mass, ...) are views of the memory of the world: they change as it steps. They cannot be
    written to; `set` does that. While one is held no body can be added or removed.

    One thread at a time uses a world: what others ask while it steps raises InUse, and so does what a function that
    the step calls (a load) asks of it, except to read. Different worlds can step at the same time."""

    def __init__(self, dimension=2, gravity=None, theta=0.5, threads=1, accuracy=None):
        definition = ffi.new("cn_world_def *", lib.cn_world_def_default())
        definition.dim, definition.theta, definition.threads = dimension, theta, threads
        if accuracy is not None:
            definition.solver.eps_v = accuracy
        down = [0.0, -9.81, 0.0] if dimension == 2 else [0.0, 0.0, -9.81]
        vector(definition.gravity, down if gravity is None else gravity, "gravity")
        world = ffi.new("cn_world **")
        call(lib.cn_world_create, definition, world)
        self._handle = _Handle(world[0])

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

    def close(self):
        """Gives the world up; arrays that are still held stay valid. Not while it steps."""
        handle = self._handle
        if handle is not None:
            with handle.gate:
                handle.check_free()
                self._handle = None

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

    def add_group(self, name):
        """Number of a new group."""
        out = ffi.new("int *")
        self._change(lib.cn_group_add, name.encode(), out)
        return out[0]

    def add_law(self, friction=0.0, restitution=0.0, a=-1, b=-1):
        """Coulomb's law between groups a and b (-1: any). Returns its number."""
        law, out = ffi.new("cn_law_def *", lib.cn_law_coulomb(friction, restitution)), ffi.new("int *")
        self._change(lib.cn_law_add, law, out)
        self._change(lib.cn_rule_add, a, b, out[0])
        return out[0]

    def add_body(self, shape, at=(0.0, 0.0, 0.0), density=1.0, velocity=(0.0, 0.0, 0.0), rotation=None,
                 angular_velocity=None, group=0, fixed=False, **former):
        """A rigid body of one shape: {"disk": r}, {"box": [a, b]} or {"half_plane": {}} in the plane,
        {"sphere": r}, {"box": [a, b, c]}, {"ellipsoid": [a, b, c]} (its diameters), {"half_space": {}}, and
        {"radius": r, "length": l} of a "capsule" or "cylinder" in space. rotation is an angle [rad] in the
        plane, a unit quaternion w x y z in space; angular_velocity a number in the plane, a vector of the world's
        axes in space. Returns its id."""
        self._check_arrays()
        body = ffi.new("cn_body_def *")
        dim, keep = self._view().dim, []
        solid = _solid(shape, keep) if dim == 3 else _shape(shape, keep)
        if dim == 3:
            body.type, body.solids.item, body.solids.count = lib.CN_BODY_SOLIDS, solid, 1
        else:
            body.type, body.shapes.item, body.shapes.count = lib.CN_BODY_SHAPES, solid, 1
        body.density, body.group = density, group
        _turn(body, dim, _named(_former(former), rotation=rotation, angular_velocity=angular_velocity))
        body.fixed = lib.CN_FIXED_ALL if fixed else 0
        vector(body.at, at, "at")
        vector(body.velocity, velocity, "velocity")
        out = ffi.new("cn_body_id *")
        self._change(lib.cn_body_add, body, out)
        return out[0]

    def add_mesh(self, mesh, material, at=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), rotation=None,
                 angular_velocity=None, group=0, fixed_sets=None, **former):
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

    def nodes(self, body):
        """Nodes of a deformable body: x, v, reference, displacement, reaction, impulse, elastic."""
        view = ffi.new("cn_node_view *")
        with self._reading() as world:
            call(lib.cn_body_nodes, world, body, view)
            return _mesh.Nodes(view, self._array)

    def elements(self, body):
        """Elements of a deformable body: list of (type, nodes)."""
        mesh = ffi.new("cn_mesh_def *")
        with self._reading() as world:
            call(lib.cn_body_mesh, world, body, mesh)
            return _mesh.elements_of(mesh)

    def stress(self, body):
        """Stresses at the nodes of a deformable body: xx yy zz xy yz zx each [Pa]."""
        out = np.zeros((len(self.nodes(body).x), 6))
        with self._reading() as world:
            call(lib.cn_body_node_stress, world, body, ffi.cast("double *", out.ctypes.data))
        return out

    def set_nodes(self, body, x=None, v=None):
        """Sets positions and velocities of all nodes of a deformable body."""
        shape, arrays = self.nodes(body).x.shape, []
        for name, values in (("x", x), ("v", v)):
            made = None if values is None else np.ascontiguousarray(values, dtype=float)
            if made is not None and made.shape != shape:
                raise BadInput(f"'{name}' of the nodes of body {body} has the shape {shape}, got {made.shape}")
            arrays.append(made)
        pointers = [ffi.NULL if a is None else ffi.cast("double *", a.ctypes.data) for a in arrays]
        self._change(lib.cn_body_set_nodes, body, *pointers)

    def remove_body(self, body):
        self._check_arrays()
        self._change(lib.cn_body_remove, body)

    def _check_arrays(self):
        if len(self._opened().arrays) > 0:
            raise Error("arrays of the world are held: copy or delete them before bodies come or go")

    def get(self, body):
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

    def set(self, body, **values):
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

    def add_force(self, body, f, direction, point=(0.0, 0.0, 0.0), torque=False, follower=False):
        """A force (or torque) of size f, a number or a function of time, on a body."""
        force = ffi.new("cn_force_def *")
        force.body, force.is_torque, force.is_follower, force.t0 = body, torque, follower, float("nan")
        vector(force.direction, direction, "direction")
        vector(force.point, point, "point")
        force.f = self._function(f)
        self._change(lib.cn_force_add, force)

    def add_drive(self, body, dof, f, kind="velocity"):
        """Imposed motion of one degree of freedom (x y z rx ry rz); f is a number or a function of time."""
        drive = ffi.new("cn_drive_def *")
        drive.body, drive.t0 = body, float("nan")
        if dof not in _dofs or kind not in _drives:
            raise BadInput(f"a drive moves one of {', '.join(_dofs)} by {', '.join(_drives)}, not '{dof}' by '{kind}'")
        drive.kind = getattr(lib, f"CN_DRIVE_{kind.upper()}")
        drive.dof = getattr(lib, _dofs[dof])
        drive.f = self._function(f)
        self._change(lib.cn_drive_add, drive)

    def add_node_force(self, body, f, direction, set=None, per="total"):
        """A force on nodes of a deformable body: shared by those of the set (per "total"), on each ("node"), a
        traction on its sides ("area", Pa), or per mass of the body ("mass")."""
        kinds = {"total": lib.CN_LOAD_TOTAL, "node": lib.CN_LOAD_NODES, "area": lib.CN_LOAD_TRACTION,
                 "mass": lib.CN_LOAD_BODY}
        if per not in kinds:
            raise BadInput(f"a force on nodes is per {', '.join(kinds)}, not '{per}'")
        self._add_node_load(body, kinds[per], f, direction, set)

    def add_pressure(self, body, f, set=None):
        """A pressure against the sides of a set of a deformable body, which it follows [Pa]."""
        self._add_node_load(body, lib.CN_LOAD_PRESSURE, f, (0.0, 0.0, 0.0), set)

    def _add_node_load(self, body, kind, f, direction, name):
        load = ffi.new("cn_node_load_def *")
        load.body, load.kind, load.t0 = body, kind, float("nan")
        vector(load.direction, direction, "direction")
        label = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        load.set, load.f = label, self._function(f)
        self._change(lib.cn_node_load_add, load)

    def add_node_drive(self, body, dof, f, kind="velocity", set=None):
        """Imposed motion of the nodes of a set of a deformable body along x, y or z."""
        drive = ffi.new("cn_node_drive_def *")
        if dof not in ("x", "y", "z") or kind not in _drives:
            raise BadInput(f"a drive moves nodes along x, y or z by {', '.join(_drives)}, not '{dof}' by '{kind}'")
        label = ffi.NULL if set is None else ffi.new("char[]", set.encode())
        drive.body, drive.set, drive.t0 = body, label, float("nan")
        drive.kind, drive.dof = getattr(lib, f"CN_DRIVE_{kind.upper()}"), getattr(lib, _dofs[dof])
        drive.f = self._function(f)
        self._change(lib.cn_node_drive_add, drive)

    def clear_loads(self):
        """Removes all drives and forces."""
        handle = self._opened()
        with handle.gate:
            handle.check_free()
            lib.cn_loads_clear(handle.pointer)

    # ---- time

    def step(self, h, count=1, strict=True):
        """Makes steps of h seconds. The lock of the interpreter is released meanwhile. A step that misses the
        accuracy raises NotConverged (after it was made) unless strict is False. After any other exception, among them
        those of functions of time, which arrive here, and Ctrl-C, the state is that before the step."""
        handle, err, missed = self._opened(), ffi.new("cn_error *"), 0
        with handle.stepping() as (world, flag):
            for _ in range(count):
                check(handle.make_step(h, flag, err), err)
                report = lib.cn_world_view(world).certificate.solver
                missed += not report.is_converged
                if strict and missed:
                    sentence = ffi.new("char[]", 256)
                    raise NotConverged(text(lib.cn_solver_missed(ffi.addressof(report), sentence, 256)))
        return missed

    def request_stop(self):
        """Asks for the step under way, or else the next one, to be dropped: it raises Stopped. From any thread."""
        lib.cn_world_request_stop(self.pointer)

    def detect(self, reach):
        """Finds contacts at the present positions, gaps up to `reach`, without moving anything."""
        handle, err = self._opened(), ffi.new("cn_error *")
        with handle.stepping() as (world, _):
            status = lib.cn_world_detect(world, reach, err)
            handle.raised.check()
            check(status, err)

    # ---- arrays

    def _view(self):
        with self._reading() as world:
            return lib.cn_world_view(world)

    def _array(self, pointer, shape, dtype=float):
        return array(_Lease(self._opened()), pointer, shape, dtype)

    @property
    def time(self):
        return self._view().time

    @property
    def dimension(self):
        return self._view().dim

    @property
    def ids(self):
        view = self._view()
        return self._array(view.id, view.body_count, np.uint64)

    @property
    def groups(self):
        view = self._view()
        return self._array(view.group, view.body_count, np.int32)

    @property
    def q(self):
        """Configurations, one row per body: x y angle, or x y z and a quaternion."""
        view = self._view()
        return self._array(view.q, (view.body_count, 3 if view.dim == 2 else 7))

    @property
    def v(self):
        """Velocities, one row per body: x y spin, or x y z and the angular velocity."""
        view = self._view()
        return self._array(view.v, (view.body_count, 3 if view.dim == 2 else 6))

    @property
    def mass(self):
        view = self._view()
        return self._array(view.mass, view.body_count)

    @property
    def inertia(self):
        view = self._view()
        return self._array(view.inertia, (view.body_count,) if view.dim == 2 else (view.body_count, 3))

    @property
    def size(self):
        view = self._view()
        return self._array(view.size, view.body_count)

    @property
    def contacts(self):
        """Contacts of the last step, a copy: structured array with the members of cn_contact."""
        with self._reading() as world:
            view = lib.cn_world_view(world)
            return np.array(array(None, view.contact, view.contact_count, CONTACT), copy=True).view(np.ndarray)

    @property
    def certificate(self):
        """Residual, penetration, counts and status of the last step, as a dict."""
        with self._reading() as world:
            return record(lib.cn_world_view(world).certificate, "cn_certificate")

    @property
    def ledger(self):
        """Energy ledger: rows by name ({"kinetic": ...}), present values and closing error."""
        with self._reading() as world:
            ledger = lib.cn_world_view(world).ledger
            rows = {text(lib.cn_energy_row_name(k)): ledger.total[k] for k in range(lib.CN_ENERGY_ROW_COUNT)}
            return {"total": rows, "kinetic": ledger.kinetic, "potential": ledger.potential, "storage": ledger.storage,
                    "error": ledger.error, "error_max": ledger.error_max}

    @property
    def state_hash(self):
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


def _one(shape):
    if not isinstance(shape, dict) or len(shape) != 1:
        raise BadInput(f"a shape is one key with its value, such as {{'disk': 0.1}}, got {shape!r}")
    return next(iter(shape.items()))


def _sides(value, count):
    if np.shape(value) != (count,):
        raise BadInput(f"a box has {count} sides here, got {value!r}" if count == 2 else f"this takes three lengths, got {value!r}")
    return (0.5 * float(x) for x in value)


def _shape(shape, keep):
    name, value = _one(shape)
    made = ffi.new("cn_shape_def *")
    keep.append(made)
    if name == "disk":
        made.kind, made.radius = lib.CN_SHAPE_DISK, float(value)
    elif name == "half_plane":
        made.kind = lib.CN_SHAPE_HALF_PLANE
    elif name == "box":
        a, b = _sides(value, 2)
        corners = ffi.new("double[]", [-a, -b, a, -b, a, b, -a, b])
        keep.append(corners)
        made.kind, made.vertex_count, made.vertex = lib.CN_SHAPE_POLYGON, 4, corners
    else:
        raise BadInput(f"unknown shape '{name}'; scenes know more of them")
    return made


def _solid(shape, keep):
    name, value = _one(shape)
    made = ffi.new("cn_solid_def *")
    keep.append(made)
    made.kind = getattr(lib, f"CN_SOLID_{name.upper()}", lib.CN_SOLID_KIND_COUNT)
    if name == "sphere":
        made.radius = float(value)
    elif name in ("box", "ellipsoid"):
        made.size = [2.0 * half for half in _sides(value, 3)]
    elif name in ("capsule", "cylinder"):
        made.radius, made.length = float(value["radius"]), float(value["length"])
    elif name != "half_space":
        raise BadInput(f"unknown solid '{name}'; scenes know more of them")
    return made
