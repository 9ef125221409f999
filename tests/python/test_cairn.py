"""The Python module: keys and functions within reach, arrays without copies, errors as exceptions."""
import json
import math
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path

import cairn
import numpy as np

source = Path(__file__).resolve().parent.parent.parent


def slope(**more):
    return cairn.Scene(dimension=2, params={"angle": 0.3}, gravity=["=9.81*sin(angle)", "=-9.81*cos(angle)"],
                       materials={"stone": {"density": 2400}}, laws={"dry": {"type": "coulomb", "friction": 0.5}},
                       contacts=[{"between": ["any", "any"], "law": "dry"}],
                       bodies={"ground": {"shape": {"half_plane": {}}, "fixed": True},
                               "block": {"shape": {"box": [0.4, 0.2]}, "at": [0, 0.1], "material": "stone"}},
                       stages=[{"step": 1e-3, "duration": 0.2}], observe=[{"name": "block", "track": {"body": "block"}}],
                       solver={"accuracy": 1e-8}, **more)


def sample(node, defs):
    """A value that a schema may take."""
    if "$ref" in node:
        return sample(defs[node["$ref"].split("/")[-1]], defs)
    for key in ("default", "const"):
        if key in node:
            return node[key]
    if "enum" in node:
        return node["enum"][0]
    for part in [*node.get("allOf", []), *node.get("anyOf", []), *node.get("oneOf", [])]:
        return sample(part, defs)
    kind = node.get("type", "number")
    kind = kind[0] if isinstance(kind, list) else kind
    return {"string": "a", "boolean": True, "array": [1] * node.get("minItems", 1), "object": {}}.get(
        kind, node.get("minimum", 1))


def keys_of(node, defs, wrap, beside, seen):
    """All keys of a schema as (how to put a dict in its place, keys that must stand beside, key, a value)."""
    if "$ref" in node:
        name = node["$ref"].split("/")[-1]
        if name not in seen:
            seen.add(name)
            yield from keys_of(defs[name], defs, wrap, beside, seen)
        return
    parts = node.get("allOf", [])
    constants = {key: sub["const"] for part in parts for key, sub in part.get("properties", {}).items() if "const" in sub}
    for part in [*parts, *node.get("anyOf", []), *node.get("oneOf", [])]:
        yield from keys_of(part, defs, wrap, {**beside, **constants}, seen)
    for key, sub in node.get("properties", {}).items():
        if "const" in sub:
            continue
        yield wrap, beside, key, sample(sub, defs)
        put = lambda value, key=key: wrap({**beside, key: value})
        yield from keys_of(sub, defs, put, {}, seen)
    if isinstance(node.get("additionalProperties"), dict):
        yield from keys_of(node["additionalProperties"], defs, lambda value: wrap({"a": value}), {}, seen)
    if isinstance(node.get("items"), dict):
        yield from keys_of(node["items"], defs, lambda value: wrap([value]), {}, seen)


class Reach(unittest.TestCase):
    def test_every_function_of_the_headers(self):
        count = 0
        for header in (source / "include/cairn").glob("*.h"):
            for name in re.findall(r"^CN_API [^;(]*?\b(cn_\w+)\(", header.read_text(), flags=re.M):
                self.assertTrue(callable(getattr(cairn.lib, name)), name)
                count += 1
        self.assertGreater(count, 100)

    def test_every_function_is_tried_with_null(self):
        """tests/io/pointers.c calls every function that takes a pointer besides the error."""
        tried, missing = (source / "tests/io/pointers.c").read_text(), []
        for header in (source / "include/cairn").glob("*.h"):
            for name, taken in re.findall(r"^CN_API [^;(]*?\b(cn_\w+)\(([^;]*)\)[^;]*;", header.read_text(), flags=re.M):
                takes_pointer = re.search(r"[*\[]", taken.replace("cn_error *err", ""))
                missing += [name] if takes_pointer and name + "(" not in tried else []
        self.assertEqual(missing, [], "try them with NULL there, and check them with CN_NEED")

    def test_every_key_of_scenes(self):
        """Every key of `cairn schema`, at every level, written from Python, is one that the library knows there;
        with a letter more it is not, so that it was really looked at."""
        schema = json.loads(subprocess.run([os.environ["CAIRN_PROGRAM"], "schema"], capture_output=True, check=True).stdout)
        found = list(keys_of(schema, schema["$defs"], lambda value: value, {}, set()))
        names = {key for _, _, key, _ in found}
        self.assertLessEqual({"stages", "friction", "young", "crossed", "fixed_sets", "per", "quasi_static", "motor"}, names)
        self.assertGreater(len(found), 300)
        Path("a").write_text("params: {unused: 1}\n")  # for `include`
        for wrap, beside, key, value in found:
            put = wrap({**beside, key: value, key + "q": 1})
            told = [self.told_of({"dimension": dim, **put}) for dim in (2, 3)]
            self.assertTrue(any(self.is_known(key, text) for text in told), f"{cairn.Scene(put).yaml()}{told}")

    def told_of(self, keys):
        with self.assertRaises(cairn.Error) as caught:
            cairn.Scene(keys).check()
        return str(caught.exception)

    def is_known(self, key, told):
        """Where one of several keys is wanted, the library lists them."""
        is_listed = re.search(rf"exactly one of [^\n]*\b{key}\b", told)
        return is_listed or f"unknown key '{key}q'" in told and f"unknown key '{key}' " not in told

    def test_every_family_of_functions(self):
        """One call each: what the headers offer can be used, not only found."""
        families = {re.match(r"cn_[a-z]+", name).group() for header in (source / "include/cairn").glob("*.h")
                    for name in re.findall(r"^CN_API [^;(]*?\b(cn_\w+)\(", header.read_text(), flags=re.M)}
        lib, ffi, call = cairn.lib, cairn.ffi, cairn.call
        slope().run("family.h5")
        world, reader, out = slope().build(), ffi.new("cn_reader **"), ffi.new("cn_error *")
        world.step(1e-3)
        call(lib.cn_reader_open, b"family.h5", reader)
        reader, frame = ffi.gc(reader[0], lib.cn_reader_close), ffi.new("cn_frame *")
        call(lib.cn_reader_frame, reader, -1, frame)
        impulse, problem = ffi.new("double[3]"), ffi.new("cn_problem *")
        calls = {
            "cn_version": lambda: lib.cn_version(),
            "cn_status": lambda: lib.cn_status_name(lib.CN_OK),
            "cn_world": lambda: lib.cn_world_state_hash(world.pointer),
            "cn_body": lambda: lib.cn_body_is_deformable(world.pointer, 1),
            "cn_group": lambda: world.add_group("more"),
            "cn_law": lambda: lib.cn_law_coulomb(0.3, 0.0),
            "cn_contact": lambda: lib.cn_contact_impulse(frame.contact, 2, impulse),
            "cn_reader": lambda: lib.cn_reader_column_count(reader),
            "cn_render": lambda: lib.cn_render_def_default(),
            "cn_plot": lambda: lib.cn_plot_def_default(b"energy"),
            "cn_export": lambda: call(lib.cn_export_csv, reader, b"family", ffi.NULL, ffi.NULL),
            "cn_scene": lambda: slope().check(),
            "cn_volume": lambda: lib.cn_volume_def_default(),
            "cn_material": lambda: lib.cn_material_def_default(),
            "cn_element": lambda: lib.cn_element_node_count(lib.CN_HEX8),
            "cn_solver": lambda: lib.cn_solver_def_default(),
        }
        self.assertLessEqual(set(calls), families)
        for name, use in calls.items():
            use()
        self.assertGreater(len(families), 40)

    def test_yaml_is_the_same_scene(self):
        scene = slope()
        again = cairn.Scene.parse(scene.yaml())
        self.assertEqual(scene.run()["state_hash"], again.run()["state_hash"])

    def test_values_that_need_quotes(self):
        text = cairn.Scene(title='say "no": #1', names=["on", "none", "wall.last", "=2*R"], number=np.float64(1e-9)).yaml()
        self.assertIn('title: "say \\"no\\": #1"', text)
        self.assertIn('["on", none, wall.last, "=2*R"]', text)
        self.assertIn("number: 1e-09", text)
        with self.assertRaises(ValueError):
            cairn.Scene(number=math.inf).yaml()


class Scenes(unittest.TestCase):
    def test_params_and_result(self):
        report = slope().run("slope.h5", angle=0.6)
        result = cairn.Result("slope.h5")
        a = 9.81 * (math.sin(0.6) - 0.5 * math.cos(0.6))  # slides: the scheme is exact for constant forces
        self.assertAlmostEqual(result["block.x"][-1], 0.5 * a * 0.2**2, delta=1e-6)
        self.assertEqual(report["steps"], 200)
        self.assertEqual(len(result["time"]), 200)
        self.assertEqual(result.summary["steps"], 200)
        self.assertEqual(result.frame(-1).q.shape, (2, 3))
        names = result.frame(-1).names
        self.assertEqual(len(names), 2)
        self.assertEqual(result.frame(-1).find(names[1]), [1])
        self.assertIn("half_plane", result.scene)
        solid = result.analyse("fraction", of="block", volume=0.4)
        self.assertEqual(len(solid["time"]), len(result))
        np.testing.assert_allclose(solid["fraction"], 0.2, rtol=1e-12)  # 0.4 m by 0.2 m in 0.4 m2
        with self.assertRaisesRegex(cairn.Error, "there is no quantity"):
            result.analyse("porridge")
        result.render("slope.png")
        result.plot("energy", "slope.svg")
        self.assertTrue(Path("slope.png").stat().st_size > 1000 and Path("slope.svg").stat().st_size > 1000)

    def test_laws_from_outside(self):
        """The block hangs upside down by a law of a shared object, which scenes know once it is loaded."""
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{source}/include", source / "tests/consumer/sticky.c", "-o",
                        "libsticky.so"], check=True)
        scene = slope()
        scene["laws"]["dry"] = {"type": "sticky", "friction": 1, "cohesion": 2e3}  # on each of two corners; 1883 N
        scene["gravity"] = [0, 9.81]
        with self.assertRaisesRegex(cairn.BadInput, "has to be registered"):
            scene.run()
        cairn.load_laws("./libsticky.so")
        self.assertEqual(scene.run("hangs.h5")["steps"], 200)
        self.assertAlmostEqual(cairn.Result("hangs.h5")["block.y"][-1], 0.1, delta=1e-12)
        with self.assertRaises(cairn.FileError):
            cairn.load_laws("./none.so")

    def test_stop(self):
        seen = []
        with self.assertRaises(cairn.Stopped):
            slope().run(stop=lambda p: seen.append(p["step"]) or p["step"] == 7)
        self.assertEqual(seen, [1, 2, 3, 4, 5, 6, 7])

    def test_keys_are_no_attributes(self):
        for name, words in (("stages", "a scene is a dictionary: scene.'stages'."), ("stage", "did you mean 'stages'")):
            with self.assertRaisesRegex(AttributeError, words):
                getattr(slope(), name)

    def test_errors_of_callbacks_arrive(self):
        def stop(progress):
            raise KeyError("mine")
        with self.assertRaises(KeyError):
            slope().run(stop=stop)

    def test_a_loaded_scene_is_a_dictionary(self):
        """What is changed in it counts, at every level; what is not stays as it is written; files are found from its
        folder."""
        Path("sub").mkdir(exist_ok=True)
        Path("sub/motion.csv").write_text("0, 0\n1, 2\n")
        Path("sub/more.yaml").write_text("laws: {dry: {type: coulomb, friction: 0.5}}\n")
        Path("sub/cart.yaml").write_text('''# a cart
cairn: 1
include: [more.yaml]
title: "3"
params: {push: 1.50}
materials: {stone: {density: 2.4e+3}}
contacts: [{between: [any, any], law: dry}]
bodies:
  cart: {shape: {disk: .5}, at: [0, "=push"], material: stone, fixed: false}
stages:
  - {step: 1e-3, duration: 0.5, drive: {cart: {velocity: {x: {table: motion.csv}}}}}
''')
        scene = cairn.Scene.load("sub/cart.yaml")
        self.assertEqual(scene, {
            "cairn": 1, "include": ["more.yaml"], "title": "3", "params": {"push": 1.5},
            "materials": {"stone": {"density": 2400}}, "contacts": [{"between": ["any", "any"], "law": "dry"}],
            "bodies": {"cart": {"shape": {"disk": 0.5}, "at": [0, "=push"], "material": "stone", "fixed": False}},
            "stages": [{"step": 1e-3, "duration": 0.5, "drive": {"cart": {"velocity": {"x": {"table": "motion.csv"}}}}}]})
        self.assertEqual(scene.yaml(), Path("sub/cart.yaml").read_text())
        whole = scene.run()
        self.assertEqual(whole["steps"], 500)
        scene["title"] = "4"
        self.assertEqual(scene.run()["state_hash"], whole["state_hash"])
        scene["stages"][0]["duration"] = np.float64(0.1)
        scene["bodies"]["cart"]["at"] = np.array([0.0, 7.0])
        self.assertEqual(scene.run()["steps"], 100)
        self.assertAlmostEqual(scene.build().q[0, 1], 7.0)
        self.assertEqual(scene.run(push=np.float64(2.0))["steps"], 100)
        scene["stages"][0]["duratoin"] = 1
        with self.assertRaisesRegex(cairn.BadInput, r"cart.yaml \(changed\):\d+:\d+: error: .*'duratoin'"):
            scene.check()
        for text, words in (("a: [1", "error"), ("[1, 2]", "a list"), ("", "empty")):
            with self.assertRaisesRegex(cairn.BadInput, words):
                cairn.Scene.parse(text)

    def test_limit(self):
        """A block 1 m wide whose centre is 2 m up turns at a quarter of its weight."""
        scene = cairn.Scene(
            materials={"stone": {"density": 2000}}, laws={"dry": {"type": "coulomb", "friction": 0.7}},
            contacts=[{"between": ["any", "any"], "law": "dry"}],
            bodies={"ground": {"shape": {"box": [4, 1]}, "at": [0, -0.5], "fixed": True},
                    "block": {"shape": {"box": [1, 4]}, "at": [0, 2], "material": "stone"}},
            limit=[{"name": "push", "load": {"acceleration": [1, 0]}}])
        dead, push = scene.limit("push.h5", gap=1e-9)
        self.assertEqual((dead["outcome"], push["outcome"]), ("bounded", "bounded"))
        self.assertAlmostEqual(push["lower"], 0.25, places=8)
        self.assertAlmostEqual(push["upper"], 0.25, places=8)
        self.assertAlmostEqual(push["r"][:, 0].sum(), push["weight"], delta=1e-9 * push["weight"])
        self.assertEqual(len(cairn.Result("push.h5")), 21)
        scene["bodies"]["ground"]["fixed"] = False
        scene["bodies"]["ground"]["material"] = "stone"
        with self.assertRaisesRegex(cairn.BadInput, "nothing is fixed"):
            scene.limit()

    def test_loaded_scenes_stay_the_same(self):
        """Every example, read and written anew, is the same scene."""
        for path in sorted(source.glob("examples/*.yaml")):
            scene = cairn.Scene.load(path)
            again = cairn.Scene(scene)
            again._name = str(path)  # files are found from there
            self.assertEqual(cairn.Scene.parse(again.yaml()), scene, path.name)
            self.assertEqual(*[self.explained(one._compile({})) for one in (scene, again)], path.name)

    def explained(self, scene):
        lines = []
        tell = cairn.ffi.callback("cn_tell", lambda _, line: lines.append(cairn.ffi.string(line)))
        cairn.call(cairn.lib.cn_scene_explain, scene, tell, cairn.ffi.NULL)
        return lines

    def test_messages(self):
        with self.assertRaisesRegex(cairn.BadInput, "did you mean 'friction'"):
            cairn.Scene({**slope(), "laws": {"dry": {"type": "coulomb", "frition": 1}}}).check()
        with self.assertRaises(cairn.FileError):
            cairn.Result("no-such.h5")
        with self.assertRaisesRegex(cairn.BadInput, "nothing"):
            slope().run("s.h5") and cairn.Result("s.h5")["nothing"]
        with self.assertRaisesRegex(cairn.BadInput, "(?s)unknown param 'untill'.*did you mean 'until'"):
            slope().run(untill=0.1)


class Worlds(unittest.TestCase):
    def falling(self):
        world = cairn.World()
        world.add_law(0.5)
        world.add_body({"half_plane": {}}, fixed=True)
        return world, world.add_body({"disk": 0.1}, at=(0.0, 1.0), density=2400)

    def test_arrays_are_views(self):
        world, ball = self.falling()
        q = world.q
        world.step(1e-3, 100)
        self.assertAlmostEqual(q[1, 1], 1.0 - 0.5 * 9.81 * 0.01, delta=1e-12)  # the array has moved with the world
        self.assertTrue(np.shares_memory(q, world.q))
        with self.assertRaises(ValueError):
            q[1, 1] = 0.0
        with self.assertRaisesRegex(cairn.Error, "held"):
            world.add_body({"disk": 0.1})
        part = q[1]
        del q
        with self.assertRaisesRegex(cairn.Error, "held"):
            world.remove_body(ball)
        world.close()
        self.assertAlmostEqual(part[1], 1.0 - 0.5 * 9.81 * 0.01, delta=1e-12)  # its memory is still there
        with self.assertRaisesRegex(cairn.Error, "closed"):
            world.step(1e-3)

    def test_contacts_and_certificate(self):
        world, ball = self.falling()
        world.set(ball, position=[0.0, 0.1, 0.0])
        world.step(1e-3, 10)
        weight = math.pi * 0.01 * 2400 * 9.81
        self.assertAlmostEqual(world.contacts["r"][0, 0] / 1e-3, weight, delta=1e-6 * weight)
        self.assertLess(world.certificate["solver"]["residual"]["err_v"], 1e-2)
        self.assertLess(world.ledger["error_max"], 1e-10)
        self.assertAlmostEqual(world.mass[1], math.pi * 0.01 * 2400, delta=1e-9)

    def test_loads_by_functions(self):
        world = cairn.World(gravity=[0, 0, 0])
        ball = world.add_body({"disk": 0.1}, density=100)
        world.add_force(ball, lambda t: 2.0 * t, direction=[1, 0, 0])
        world.step(1e-3, 500)
        # v = t^2 / m; the trapezoidal rule is exact for a linear load.
        self.assertAlmostEqual(world.get(ball)["velocity"][0], 0.25 / world.mass[0], delta=1e-12)

    def test_errors_of_loads_arrive(self):
        """Whatever a function of time raises is raised by the step, and nothing has moved; also on a held body, whose
        forces do not matter."""
        loads = {"force": lambda world, ball, f: world.add_force(ball, f, direction=[1, 0, 0]),
                 "drive": lambda world, ball, f: world.add_drive(ball, "x", f),
                 "held": lambda world, ball, f: world.add_force(1, f, direction=[1, 0, 0])}
        for add in loads.values():
            for kind in (KeyError, SystemExit, KeyboardInterrupt):
                world, ball = self.falling()

                def f(t):
                    if t > 4.5e-3:
                        raise kind("mine")
                    return 1.0

                add(world, ball, f)
                world.step(1e-3, 4)
                before = world.state_hash
                for _ in range(2):
                    with self.assertRaisesRegex(kind, "mine"):
                        world.step(1e-3)
                    self.assertEqual((world.state_hash, world.certificate["step"]), (before, 4))
        mesh = cairn.World()
        body = mesh.add_mesh({"box": [2, 1], "cells": [2, 1]}, Meshes.steel)
        mesh.add_node_force(body, lambda t: {}["mine"], [1, 0])
        with self.assertRaisesRegex(KeyError, "mine"):
            mesh.step(1e-3)
        with self.assertRaisesRegex(cairn.BadInput, "load of body 1 is inf at 0 s"):
            world = cairn.World()
            world.add_force(world.add_body({"disk": 1.0}), lambda t: math.inf, [1, 0])
            world.step(1e-3)

    def test_one_user_at_a_time(self):
        """Inside a step its own functions can read and no more, other threads get an exception; nothing crashes."""
        world, ball = self.falling()
        changes = (world.close, world.clear_loads, lambda: world.step(1e-3), lambda: world.set(ball, angular_velocity=1.0),
                   lambda: world.add_body({"disk": 0.1}), lambda: world.remove_body(ball), lambda: world.detect(0.1),
                   lambda: world.add_force(ball, 1.0, [1, 0]))
        reads = (lambda: world.time, lambda: world.q, lambda: world.contacts, lambda: world.get(ball))
        tried = []

        def ask(thread_name, uses, then):
            for use in uses:
                try:
                    use()
                    tried.append((thread_name, "done"))
                except cairn.InUse as error:
                    tried.append((thread_name, "its own" if "its own step" in str(error) else "another"))
            return then

        def f(t):
            ask("load", changes, None)
            ask("load", reads, None)
            thread = threading.Thread(target=ask, args=("other", changes + reads, None))
            thread.start()
            thread.join()
            return 0.0

        world.add_force(ball, f, direction=[1, 0, 0])
        world.step(1e-3)
        load, other = [how for who, how in tried if who == "load"], [how for who, how in tried if who == "other"]
        self.assertEqual(load, 2 * (len(changes) * ["its own"] + len(reads) * ["done"]))
        self.assertEqual(other, 2 * len(changes + reads) * ["another"])
        self.assertAlmostEqual(world.time, 1e-3, delta=1e-15)
        world.close()

    def test_worlds_and_results_in_threads(self):
        """Threads that use worlds of their own, or one result, do not disturb each other."""
        slope().run("threads.h5")
        alone, result, found = cairn.starter("pile").build(), cairn.Result("threads.h5"), []
        alone.step(1e-3, 20, strict=False)
        frames = [frame.q[1, 0] for frame in result]

        def work():
            world = cairn.starter("pile").build()
            for k in range(20):
                world.step(1e-3, strict=False)
                found.append(result.frame(k % len(frames)).q[1, 0] == frames[k % len(frames)])
            found.append(world.state_hash == alone.state_hash)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 84)

    def test_space(self):
        world = cairn.World(dimension=3)
        world.add_law(0.5)
        world.add_body({"half_space": {}}, fixed=True)
        box = world.add_body({"box": [0.2, 0.2, 0.1]}, at=(0, 0, 0.05))
        world.step(1e-3, 10)
        self.assertAlmostEqual(world.get(box)["position"][2], 0.05, delta=1e-8)
        self.assertEqual(world.q.shape, (2, 7))

    def test_rotation(self):
        plane = cairn.World(gravity=[0, 0, 0])
        disk = plane.add_body({"disk": 0.1}, rotation=0.3, angular_velocity=2.0)
        plane.step(0.1)
        state = plane.get(disk)
        self.assertAlmostEqual(state["rotation"], 0.5, delta=1e-14)
        self.assertEqual(state["angular_velocity"], 2.0)
        plane.set(disk, rotation=1.0, angular_velocity=-1.0)
        self.assertEqual((plane.get(disk)["rotation"], plane.get(disk)["angular_velocity"]), (1.0, -1.0))
        with self.assertWarnsRegex(DeprecationWarning, "angular_velocity"):
            plane.set(disk, spin=3.0)
        self.assertEqual(plane.get(disk)["angular_velocity"], 3.0)
        with self.assertRaisesRegex(TypeError, "swirl"):
            plane.add_body({"disk": 0.1}, swirl=1.0)
        space = cairn.World(dimension=3, gravity=[0, 0, 0])
        half = 0.5 ** 0.5  # of a right angle about x
        box = space.add_body({"box": [1, 2, 3]}, rotation=[half, half, 0, 0], angular_velocity=[0, 0, 1])
        for got, exact in zip(space.get(box)["rotation"] + space.get(box)["angular_velocity"],
                              [half, half, 0, 0, 0, 0, 1]):
            self.assertAlmostEqual(got, exact, delta=1e-14)

    def test_wrong_shapes_and_values(self):
        world, ball = self.falling()
        with self.assertRaisesRegex(cairn.BadInput, "at most 3"):
            world.add_body({"disk": 0.1}, at=(1, 2, 3, 4))
        with self.assertRaises(cairn.BadInput):
            world.add_body({"disk": -1.0})
        with self.assertRaisesRegex(cairn.BadInput, "unknown shape"):
            world.add_body({"cube": 1})
        with self.assertRaises(cairn.BadInput):
            world.step(-1.0)
        with self.assertRaises(cairn.BadInput):
            world.get(77)
        with self.assertRaises(cairn.BadInput):
            world.set(ball, colour=3)

    def test_sentences_instead_of_bare_errors(self):
        slope().run("words.h5")
        result, world = cairn.Result("words.h5"), cairn.World()
        body = world.add_body({"disk": 0.1})
        wrong = [(lambda: result.render("w.png", paint="speed"), "'paint' is one of group, velocity, .*, not 'speed'"),
                 (lambda: result.render("w.png", paint="velocty"), "did you mean 'velocity'"),
                 (lambda: result.plot("profile", "w.svg", axis="w"), "'axis' is one of x, y, z, r, not 'w'"),
                 (lambda: world.add_body({"box": 3}), "a box has 2 sides here, got 3"),
                 (lambda: world.add_body({"box": [1, 2, 3]}), "a box has 2 sides here"),
                 (lambda: world.add_body({"disk": 1}, at=2.0), "'at' takes up to 3 numbers, got 2.0"),
                 (lambda: world.set(body, position=1.0), "'position' takes up to 3 numbers, got 1.0")]
        for use, words in wrong:
            with self.assertRaisesRegex(cairn.BadInput, words):
                use()
        for paint in ("group", "velocity", "pressure", "opening", "displacement", "mises", "principal"):
            result.render("w.png", paint=paint)

    def test_dead_handles(self):
        world, ball = self.falling()
        world.remove_body(ball)
        for use in (lambda: world.get(ball), lambda: world.set(ball, rotation=0.0), lambda: world.remove_body(ball),
                    lambda: world.add_force(ball, 1.0, [1, 0, 0]), lambda: world.add_drive(ball, "x", 1.0),
                    lambda: world.nodes(ball), lambda: world.stress(ball)):
            with self.assertRaisesRegex(cairn.BadInput, str(ball)):
                use()
        world.close()
        for use in (lambda: world.q, lambda: world.contacts, lambda: world.time, lambda: world.step(1e-3),
                    lambda: world.add_group("g"), lambda: world.add_law(0.5), lambda: world.add_body({"disk": 1.0}),
                    lambda: world.get(1), lambda: world.clear_loads(), lambda: world.nodes(1), lambda: world.state_hash):
            with self.assertRaisesRegex(cairn.Error, "closed"):
                use()
        slope().run("dead.h5")
        result = cairn.Result("dead.h5")
        time = result["time"]
        result.close()
        self.assertEqual(len(time), 200)  # its memory is still there
        for use in (lambda: result["time"], lambda: result.frame(0), lambda: len(result), lambda: result.summary):
            with self.assertRaisesRegex(cairn.Error, "closed"):
                use()

    def test_the_lock_is_released_while_stepping(self):
        scene = cairn.starter("pile")
        world, counted, done = scene.build(), [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        world.step(1e-3, 30, strict=False)
        done.set()
        thread.join()
        self.assertGreater(counted[0], 1000)


class Signals(unittest.TestCase):
    """A signal drops the step under way, which would not end; Ctrl-C is raised, other handlers just run."""

    def slow(self, length=800.0, **solver):
        """More digits than there are, and patience for it: a step of hours."""
        wall = {"generate": {"wall": {"length": length, "courses": 40, "block": [0.4, 0.2]}}, "material": "stone"}
        return cairn.Scene({**slope(), "bodies": {"ground": {"shape": {"half_plane": {}}, "fixed": True}, "wall": wall},
                            "solver": {"accuracy": 1e-15, "method": "nlgs", "patience": 100000000,
                                       "sweep_max": 100000000, **solver},
                            "observe": None})

    def send(self, number, after=0.3):
        threading.Timer(after, lambda: os.kill(os.getpid(), number)).start()

    def test_a_step(self):
        world = self.slow().build()
        before, start = world.state_hash, time.monotonic()
        self.send(signal.SIGINT)
        with self.assertRaises(KeyboardInterrupt):
            world.step(1e-3)
        self.assertLess(time.monotonic() - start, 20.0)  # 0.02 s on an idle machine, more on a busy one
        self.assertEqual((world.state_hash, world.time), (before, 0.0))
        threading.Timer(0.3, world.request_stop).start()
        with self.assertRaises(cairn.Stopped):
            world.step(1e-3)
        self.assertEqual((world.state_hash, world.time), (before, 0.0))

    def test_a_run(self):
        scene = self.slow()  # without gravity there is nothing to solve
        scene["stages"] = [{"step": 1e-3, "duration": 3e-3, "gravity": "none"},
                           {"step": 1e-3, "duration": 1.0, "gravity": [0, -9.81]}]

        def progress(told):
            if told["step"] == 3:
                self.send(signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            scene.run("signal.h5", checkpoint="signal.ckpt", stop=progress)
        self.assertEqual(cairn.Result("signal.h5").summary["steps"], 3)
        scene.run("signal.h5", restart="signal.ckpt", until=3e-3)  # the checkpoint stands

    def test_other_handlers_run(self):
        """The step that was dropped is made again with the same bits; a run goes on."""
        scene, seen = self.slow(length=8.0, accuracy=1e-9, patience=4000, sweep_max=20000), []
        alone, world = scene.build(), scene.build()
        alone.step(1e-3, strict=False)
        before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
        try:
            self.send(signal.SIGUSR1, after=0.05)
            world.step(1e-3, strict=False)
            scene["stages"][0]["duration"] = 2e-3
            self.send(signal.SIGUSR1, after=0.05)
            self.assertEqual(scene.run()["steps"], 2)
            while len(seen) < 2:
                time.sleep(0.01)
        finally:
            signal.signal(signal.SIGUSR1, before)
        self.assertEqual(world.state_hash, alone.state_hash)


class Built(unittest.TestCase):
    """Worlds built by hand: every shape, law and joint, and their result files."""

    def test_every_shape(self):
        square, tetra = [[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        rod = {"radius": 0.5, "length": 2.0}
        areas = [({"disk": 2.0}, 4 * math.pi), ({"box": [2, 3]}, 6), ({"polygon": square}, 1),
                 ({"capsule": rod}, math.pi / 4 + 2), ({"hollow_disk": {"radius": 1, "thickness": 1}}, 3 * math.pi),
                 ([{"disk": 1.0, "at": [2, 0]}, {"box": [1, 1], "rotation": 0.3}], math.pi + 1)]
        volumes = [({"sphere": 1.0}, 4 / 3 * math.pi), ({"box": [1, 2, 3]}, 6), ({"ellipsoid": [2, 2, 4]}, 8 / 3 * math.pi),
                   ({"polyhedron": tetra}, 1 / 6), ({"capsule": rod}, math.pi / 6 + math.pi / 2),
                   ({"cylinder": rod}, math.pi / 2), ({"hollow_sphere": {"radius": 1, "thickness": 1}}, 28 / 3 * math.pi),
                   ({"hollow_cylinder": {"radius": 1, "length": 1, "thickness": 1, "ends": False}}, 3 * math.pi)]
        for dimension, known in ((2, areas), (3, volumes)):
            world = cairn.World(dimension=dimension)
            for k, (shape, size) in enumerate(known):
                world.add_body(shape, at=[10 * k, 0], density=3.0)
            world.add_body("half_plane" if dimension == 2 else "half_space", at=[0, -9], fixed=True)
            for mass, (shape, size) in zip(world.mass, known):
                self.assertAlmostEqual(mass, 3 * size, delta=1e-12 * mass, msg=shape)
        flat = cairn.World()
        body = flat.add_body({"disk": 1}, mass=5, inertia=7, fixed=["x", "rz"])
        self.assertEqual((flat.get(body)["mass"], flat.get(body)["inertia"]), (5.0, 7.0))
        flat.step(0.1)
        self.assertEqual((flat.v[0, 0], flat.v[0, 2]), (0.0, 0.0))
        self.assertAlmostEqual(flat.v[0, 1], -0.981, delta=1e-14)
        for shape, words in (({"dsk": 1}, "did you mean 'disk'"), ({"capsule": 1}, "takes radius, length"),
                             ({"polygon": [1, 2]}, "shape .n, 2."), ({"disk": 1, "box": [1, 1]}, "one key")):
            with self.assertRaisesRegex(cairn.BadInput, words):
                cairn.World().add_body(shape)

    def test_laws_by_name(self):
        """A spring carries a disk of weight m g where it is compressed by m g / k."""
        world = cairn.World()
        world.add_law(type="viscoelastic", stiffness=1e4, damping=1100.0)  # nearly critical: e^-35 is left
        world.add_body("half_plane", fixed=True)
        world.add_body({"disk": 0.1}, at=[0, 0.1], density=1000)
        world.step(1e-3, 2000)
        self.assertAlmostEqual(0.1 - world.q[1, 1], world.mass[1] * 9.81 / 1e4, delta=1e-9)
        for keys, words in (({"type": "viscoelstic"}, "did you mean 'viscoelastic'"), ({"frction": 1}, "did you mean 'friction'"),
                            ({"type": "elastic", "stiffness": -1}, "stiffness"),
                            ({"type": "mohr", "cohesion": 1}, "needs cohesion_tangential")):
            with self.assertRaisesRegex(cairn.BadInput, words):
                cairn.World().add_law(**keys)

    def test_a_law_of_functions(self):
        """A disk hangs under a ceiling as long as a law of Python pulls more than its weight, for any threads; what the law
        raises arrives, and the step does not count."""
        def prepare(p, state, contact):
            touches = contact.gap <= 1e-6 * contact.size
            return {"mu": p["friction"], "b": [contact.shift], "r0": [contact.h * p["pull"] if touches else 0.0]}

        cairn.register_law("magnet", prepare, params={"friction": 0.5, "pull": {"unit": "N", "least": 0, "default": None}})
        weight, hashes = 1000 * math.pi * 0.1**2 * 9.81, set()
        for pull, threads in ((1.01, 1), (1.01, 2), (0.99, 1)):
            world = cairn.World(threads=threads, accuracy=1e-10)
            world.add_law(type="magnet", pull=pull * weight)
            world.add_body("half_plane", fixed=True, rotation=math.pi)
            world.add_body({"disk": 0.1}, at=[0, -0.1], density=1000)
            world.step(1e-3, 100)
            # in two steps at g/100 it leaves the reach of the pull, 2e-7 m; the other 98 are of free fall
            fallen = 0.0 if pull > 1 else 9.81 * (0.01 * (0.5 * 2e-3**2 + 2e-3 * 0.098) + 0.5 * 0.098**2)
            self.assertAlmostEqual(world.q[1, 1], -0.1 - fallen, delta=1e-12)
            self.assertLess(world.ledger["error_max"], 1e-12)
            hashes.add((pull, world.state_hash))
        self.assertEqual(len(hashes), 2)

        cairn.register_law("slipping", lambda p, state, contact: {"muu": 1})
        cairn.register_law("counting", lambda p, state, contact: {"b": [contact.shift]}, states=["steps"],
                           commit=lambda p, state, contact, out: [state[0] + 1 if state[0] < 2 else 1 / 0])
        cairn.register_law("bouncing", lambda p, state, contact: {"b": [contact.shift]}, params={"e": 0.5},
                           normal=lambda p: {"form": "velocity", "restitution": p["e"]})
        for law, wanted in (("slipping", "did you mean 'mu'"), ("counting", "division by zero"), ("bouncing", None)):
            world = cairn.World(gravity=[0, 0])
            world.add_law(type=law)
            world.add_body("half_plane", fixed=True)
            world.add_body({"disk": 0.1}, at=[0, 0.1005], velocity=[0, -1])
            if wanted is None:
                world.step(1e-3, 10)
                self.assertAlmostEqual(world.v[1, 1], 0.5, delta=1e-9)  # of 1 m/s
                continue
            before = world.state_hash
            with self.assertRaisesRegex((cairn.BadInput, ZeroDivisionError), wanted):
                world.step(1e-3, 10)
            self.assertEqual(world.time > 0.0, law == "counting")  # commit is asked after the step
            self.assertEqual(world.state_hash == before, law == "slipping")
        scene = slope()
        scene["laws"]["dry"] = {"type": "slipping"}
        with self.assertRaisesRegex(cairn.BadInput, "did you mean 'mu'"):
            scene.run()
        for make, words in ((lambda: cairn.register_law("coulomb", prepare), "there is a law coulomb"),
                            (lambda: cairn.register_law("a", prepare, states=["x"]), "go together"),
                            (lambda: cairn.register_law("a", prepare, {"x": {"defualt": 1}}), "did you mean 'default'")):
            with self.assertRaisesRegex(cairn.BadInput, words):
                make()

    def test_surfaces(self):
        """A ball rests on the top of a cube of triangles, from arrays and from a file in millimetres."""
        corner = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
        faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 5], [0, 5, 4], [2, 7, 3], [2, 6, 7], [0, 6, 2], [0, 4, 6],
                 [1, 3, 7], [1, 7, 5]]
        with open("cube.obj", "w", encoding="utf-8") as file:
            file.writelines(f"v {x} {y} {z}\n" for x, y, z in 1000 * corner)
            file.writelines("f {} {} {}\n".format(*(k + 1 for k in face)) for face in faces)
        for shape in ({"surface": {"vertices": corner, "triangles": faces}}, {"surface": {"file": "cube.obj", "scale": 1e-3}}):
            world = cairn.World(dimension=3)
            world.add_law(0.5)
            world.add_body(shape, fixed=True)
            world.add_body({"sphere": 0.1}, at=[0.4, 0.6, 1.1])
            world.step(1e-3, 50)
            np.testing.assert_allclose(world.q[1, :3], [0.4, 0.6, 1.1], atol=1e-12)  # it was at rest
        for shape, words in (({"surface": {"vertices": corner, "triangles": [[0, 1, 9]]}}, "vertex 9"),
                             ({"surface": {"points": corner}}, "takes a file, or vertices and triangles"),
                             ({"surface": "none.stl"}, "none.stl")):
            with self.assertRaisesRegex(cairn.Error, words):
                world.add_body(shape, fixed=True)

    def test_a_cell(self):
        """A row of grains that is pressed together across the faces of a cell carries its stress."""
        world = cairn.World(gravity=[0, 0], accuracy="packing")
        world.add_law(0.0)
        for k in range(4):
            world.add_body({"disk": 0.12}, at=[0.125 + 0.25 * k, 0.5], density=2000)
        self.assertIsNone(world.cell)
        world.set_cell([1.0, 1.0], periodic=["x"])
        world.control_cell(stress={"xx": lambda t: -1e3})
        world.step(1e-3, 2000, strict=False)
        self.assertAlmostEqual(world.cell["vectors"][0, 0], 0.96, delta=1e-4)
        self.assertAlmostEqual(world.cell["carried"][0, 0], -1e3, delta=10)
        for call, words in ((lambda: world.set_cell([1, 1, 1]), "takes 2 numbers"),
                            (lambda: world.set_cell([1, 1], periodic=["z"]), "one of x, y"),
                            (lambda: world.control_cell(strain_rate={"xz": 1}), "one of xx, yy, xy"),
                            (lambda: world.control_cell({"xx": 1}, {"xx": 1}), "not both"),
                            (lambda: cairn.World(accuracy="pakcing"), "did you mean 'packing'")):
            with self.assertRaisesRegex(cairn.BadInput, words):
                call()

    def test_joints_and_files(self):
        """A pendulum of a point 1 m below its pin swings with v^2 = 2 g (1 - cos(0.5)) at the bottom; its file says so."""
        world = cairn.World(theta=0.5)
        ball = world.add_body({"disk": 0.01}, at=[math.sin(0.5), -math.cos(0.5)], mass=1.0, inertia=1e-9)
        joint = world.add_joint("rod", ball, at=[math.sin(0.5), -math.cos(0.5)], to=[0, 0])
        with world.record("pendulum.h5", every=0.01, series={"x": lambda w: w.q[0, 0]}, names={ball: "bob"}):
            world.step(1e-3, 600)
        self.assertEqual((world.joints["id"][0], len(world.joints)), (joint, 1))
        self.assertLess(abs(world.joints["gap"][0]), 1e-11)  # its iterations end at 1e-12 of the arm, 1 m
        with cairn.Result("pendulum.h5") as result:
            speed = np.sqrt(2 * result["kinetic"])
            self.assertAlmostEqual(speed.max(), math.sqrt(2 * 9.81 * (1 - math.cos(0.5))), delta=1e-5)  # of second order
            self.assertEqual((len(result["x"]), len(result.frames), result.frame(-1).names), (600, 61, ["bob"]))
            self.assertEqual(result.frame(-1).q[0, 0], result["x"][-1])
            self.assertEqual(result.summary["outcome"], "closed")
        world.remove_joint(joint)
        self.assertEqual(len(world.joints), 0)
        with self.assertRaisesRegex(cairn.BadInput, "did you mean 'hinge'"):
            world.add_joint("hing", ball)
        with self.assertRaisesRegex(cairn.BadInput, "no 'lenght' .did you mean 'length'"):
            world.add_joint("rod", ball, lenght=1)

    def test_a_file_of_a_run_that_fails(self):
        world = cairn.World()
        ball = world.add_body({"disk": 1})
        world.add_force(ball, lambda t: 1 / (t < 0.005), [1, 0])
        with self.assertRaises(ZeroDivisionError), world.record("cut.h5"):
            world.step(1e-3, 10)
        result = cairn.Result("cut.h5")
        self.assertEqual(result.summary["outcome"], "ended by ZeroDivisionError")
        self.assertEqual(len(result["time"]), round(world.time / 1e-3))
        world.clear_loads()
        world.step(1e-3)  # writes no more


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        slope().run("tables.h5")
        cls.result = cairn.Result("tables.h5")

    def test_history_and_frames(self):
        r = self.result
        self.assertIn("200 steps to 0.2 s", repr(r))
        self.assertEqual(len(r.series["block.y"]), 200)
        self.assertTrue("kinetic" in r and "block.x" in r and "colour" not in r)
        self.assertEqual([f.index for f in r.frames[-2:]], [len(r) - 2, len(r) - 1])
        with self.assertRaisesRegex(cairn.BadInput, "no column 'knetic' .did you mean 'kinetic'"):
            r["knetic"]
        bodies, contacts = r.frames[-1].bodies, r.frame(-1).contacts_table()
        self.assertEqual(list(bodies["name"]), ["ground", "block"])
        self.assertAlmostEqual(bodies["mass"][1], 192.0, delta=1e-10)
        # the block stands: both contacts carry m g cos(0.3), and friction m g sin(0.3)
        weight = 192.0 * 9.81
        self.assertAlmostEqual(contacts["force_n"].sum(), weight * math.cos(0.3), delta=1e-5 * weight)
        self.assertAlmostEqual(abs(contacts["force_t"].sum()), weight * math.sin(0.3), delta=1e-5 * weight)
        self.assertEqual(set(contacts["body"]) | set(contacts["other"]), {"ground", "block"})
        rows = r.frames[::10].bodies
        self.assertEqual(len(rows), 2 * len(r.frames[::10]))
        self.assertEqual(list(rows)[:3], ["frame", "time", "name"])
        self.assertEqual(rows["time"][-1], r.frames[::10][-1].time)
        self.assertEqual(len(r.contacts), sum(len(frame.contacts) for frame in r))
        with self.assertRaisesRegex(cairn.BadInput, "no column 'nmae' .did you mean 'name'"):
            rows["nmae"]
        try:
            import pandas
        except ImportError:
            return
        self.assertEqual(len(r.bodies.dataframe().groupby("name")), 2)
        self.assertEqual(r.history("time", "kinetic").dataframe("time").shape, (200, 1))
        self.assertEqual(len(pandas.DataFrame(contacts)), len(contacts))

    def test_commands(self):
        r = self.result
        self.assertEqual(r.analyse("coordination", of="block")["time"][-1], r.frame(-1).time)
        self.assertEqual(r.patches()["push"].shape, (1,))
        with self.assertRaisesRegex(cairn.BadInput, "did you mean 'stress'"):
            r.analyse("stres")
        self.assertIn("tables/bodies.csv", r.export("csv", "tables"))
        self.assertEqual(r.export("html"), ["tables.html"])
        slope().run("other.h5", angle=0.30001)
        self.assertEqual(r.compare("tables.h5"), [])
        self.assertGreater(len(r.compare("other.h5")), 0)
        self.assertEqual(r.compare("other.h5", rtol=1.0), [])
        self.assertEqual(r.verify(), [])
        self.assertEqual(r.render("t.png", width=64)._repr_png_()[1:4], b"PNG")
        self.assertIn("<svg", r.plot("energy", "t.svg")._repr_svg_())

    def test_viewer(self):
        with self.result.view() as viewer:
            self.assertEqual(urllib.request.urlopen(viewer.url).read()[:2], b"\x1f\x8b")  # a page, gzipped
            self.assertIn(viewer.url.split("?")[0], viewer._repr_html_())
        with self.assertRaises(OSError):
            urllib.request.urlopen(viewer.url, timeout=5)

    def test_study(self):
        """The block slides where tan(angle) > 0.5."""
        slope().save("slope.yaml")
        Path("study.yaml").write_text("study: 1\nscene: slope.yaml\nparams: {angle: {bisect: {from: 10deg, to: 45 deg, "
                                      "tolerance: 1deg}}}\nfails_when: {value: {series: block.vx, take: most, above: "
                                      "1e-3}}\nreport: {end: block.x}\n")
        study = cairn.Study("study.yaml")
        table = study.run(jobs=2)
        low, high = study.brackets[0]
        self.assertLess(low, math.atan(0.5))
        self.assertGreater(high, math.atan(0.5))
        self.assertEqual(list(table)[:3], ["run", "angle", "failed"])
        self.assertTrue((table["failed"] == (table["angle"] > math.atan(0.5))).all())

    def test_spread_and_progress(self):
        found = slope().spread(runs=2)
        self.assertEqual((found["runs"], len(found["contacts"])), (2, 2))
        mean = found["contacts"]["normal_force"]["mean"]
        self.assertAlmostEqual(mean.sum(), 192.0 * 9.81 * math.cos(0.3), delta=0.01)
        self.assertEqual(slope().run(progress=True)["steps"], 200)
        self.assertIn("1 stage", repr(slope()))


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        slope().run("sticks.h5")
        slope().run("slides.h5", angle=0.6)

    def test_numbers_are_those_of_the_columns(self):
        result = cairn.Result("slides.h5")
        chart = cairn.plots.chart(result, "block.vx / g, 2 * block.x", numbers={"g": 9.81}, from_=0.1)
        late = result["time"] >= 0.1
        self.assertEqual([curve.name for curve in chart.curves], ["block.vx / g", "2 * block.x"])
        np.testing.assert_array_equal(chart.curves[0].x, result["time"][late])
        np.testing.assert_array_equal(chart.curves[0].y, result["block.vx"][late] / 9.81)
        np.testing.assert_array_equal(chart.curves[1].y, 2 * result["block.x"][late])
        self.assertEqual((chart.x_label, chart.y_label, chart.log_y), ("time [s]", "value", False))  # no unit is made up
        residual = cairn.plots.chart(result, "residual")
        self.assertTrue(residual.log_y)
        self.assertEqual([curve.style for curve in residual.curves], ["line", "line", "line", "dashed"])
        self.assertEqual(cairn.plots.chart(result, "kinetic", against="block.x").x_label, "block.x [m]")
        with self.assertRaisesRegex(cairn.BadInput, "numbers=.'g': .... gives it a value"):
            cairn.plots.chart(result, "block.vx / g")
        with self.assertRaisesRegex(cairn.BadInput, "unknown name 'blok.x' in '2 . blok.x' .did you mean 'block.x'"):
            cairn.plots.chart(result, "2 * blok.x")
        with self.assertRaisesRegex(cairn.BadInput, "is a column of the history"):
            cairn.plots.chart(result, "2 * kinetic", numbers={"kinetic": 1.0})
        with self.assertRaisesRegex(cairn.BadInput, "no axes"):
            cairn.plots.chart(result, "rose", with_walls=True)

    def test_figures(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not installed")
        plot = cairn.plots.plot
        figure = plot({"at rest": "sticks.h5", "slides": "slides.h5"}, "block.x / 2", path="two.svg", size=(84, 60),
                      title="", x_label="t / s", y_range=(0, 0.1), log_x=True)
        axes = figure.axes[0]
        self.assertEqual([line.get_label() for line in axes.lines], ["at rest", "slides"])
        np.testing.assert_array_equal(axes.lines[1].get_ydata(), cairn.Result("slides.h5")["block.x"] / 2)
        self.assertEqual((axes.get_xlabel(), axes.get_ylim(), axes.get_xscale()), ("t / s", (0, 0.1), "log"))
        self.assertNotEqual(axes.lines[0].get_linestyle(), axes.lines[1].get_linestyle())
        self.assertAlmostEqual(figure.get_size_inches()[0] * 25.4, 84)
        self.assertTrue(">slides</text>" in Path("two.svg").read_text())
        figure.savefig("two.pdf")
        pdf = Path("two.pdf").read_bytes()
        self.assertTrue(b"/CIDFontType2" in pdf and b"/ToUnicode" in pdf)  # a font and its letters, not outlines
        self.assertEqual(figure._repr_png_()[1:4], b"PNG")
        for what in ("energy", "mechanical", "residual", "sweeps", "penetration", "contacts", "profile"):
            self.assertTrue(plot("slides.h5", what).axes[0].lines, what)
        self.assertTrue(plot("slides.h5", "reaction", body="block", axis="x").axes[0].lines)
        self.assertTrue(plot("slides.h5", "rose", with_walls=True).axes[0].patches)
        self.assertTrue(plot("sticks.h5", "pressure", body="block").axes[0].lines)
        table = cairn.Table(angle=np.array([0.1, 0.2]), way=np.array([1.0, 3.0]))
        self.assertEqual(list(plot(table, "way").axes[0].lines[0].get_ydata()), [1.0, 3.0])
        with self.assertRaisesRegex(cairn.BadInput, "no column 'wax' .did you mean 'way'"):
            plot(table, "wax")
        with self.assertRaisesRegex(cairn.BadInput, "shows one run"):
            plot(["sticks.h5", "slides.h5"], "rose")


class Meshes(unittest.TestCase):
    steel = {"density": 7800, "young": 2e5, "poisson": 0.25, "plane": "stress"}

    def bar(self, **more):
        """A bar of 2 m by 1 m pulled by 100 Pa: after a while at rest, its stress is 100 Pa everywhere."""
        world = cairn.World(gravity=[0, 0], theta=1.0)
        body = world.add_mesh({"box": [2, 1], "cells": [4, 2], "elements": "quad8", **more},
                              {**self.steel, "rayleigh_mass": 8.0}, fixed_sets={"left": ["x"], "bottom": ["y"]})
        world.add_node_force(body, 100.0, [1, 0, 0], set="right", per="area")
        world.step(0.1, 200)
        return world, body

    def test_a_bar_is_pulled(self):
        world, body = self.bar()
        stress, nodes = world.stress(body), world.nodes(body)
        np.testing.assert_allclose(stress[:, 0], 100.0, rtol=1e-6)  # what is left of the motion
        right = nodes.reference[:, 0] == nodes.reference[:, 0].max()
        np.testing.assert_allclose(nodes.displacement[right, 0], 2.0 * 100.0 / 2e5, rtol=1e-6)
        self.assertAlmostEqual(-nodes.reaction[:, 0].sum() / 0.1, 100.0, delta=1e-4)  # held as strongly as pulled
        self.assertAlmostEqual(nodes.elastic, 0.5 * 100.0**2 / 2e5 * 2.0, delta=1e-6)
        self.assertEqual(len(world.elements(body)), 8)
        self.assertEqual(world.elements(body)[0][0], "quad8")

    def test_the_same_names_as_in_scenes(self):
        scene = cairn.Scene(gravity="none", materials={"steel": {**self.steel, "rayleigh_mass": 8.0}},
                            bodies={"bar": {"mesh": {"box": [2, 1], "cells": [4, 2], "elements": "quad8"}, "material": "steel",
                                            "fixed_sets": {"left": ["x"], "bottom": ["y"]}}},
                            stages=[{"step": 0.1, "duration": 20.0, "scheme": {"theta": 1},
                                     "force": {"bar.right": {"x": 100, "per": "area"}}}], output={"every": 20.0})
        scene.run("bar.h5")
        mesh, (world, body) = cairn.Result("bar.h5").frame(-1).meshes[0], self.bar()
        np.testing.assert_allclose(mesh.x, world.nodes(body).x, atol=1e-12)
        np.testing.assert_allclose(mesh.stress, world.stress(body), atol=1e-8)
        np.testing.assert_allclose(mesh.mises, 100.0, rtol=1e-6)
        np.testing.assert_allclose(mesh.displacement, world.nodes(body).displacement, atol=1e-12)
        self.assertEqual(mesh.elements, world.elements(body))

    def test_a_mesh_of_arrays(self):
        world = cairn.World(dimension=3, gravity=[0, 0, 0])
        nodes = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
        body = world.add_mesh({"nodes": nodes, "elements": [[0, 1, 2, 3]], "type": "tet4", "sets": {"foot": [0, 1, 2]}},
                              {"density": 6.0, "young": 1e3, "poisson": 0.0}, at=[5, 0, 0], velocity=[0, 0, 2])
        world.step(1e-2, 10)
        np.testing.assert_allclose(world.nodes(body).x, nodes + [5, 0, 0.2], atol=1e-12)
        self.assertAlmostEqual(world.get(body)["mass"], 1.0, delta=1e-12)
        world.set_nodes(body, x=nodes + [0, 0, 3.0], v=np.zeros((4, 3)))
        world.step(1e-2)
        np.testing.assert_allclose(world.nodes(body).x, nodes + [0, 0, 3.0], atol=1e-12)
        world.add_node_drive(body, "z", lambda t: 1.0, set="foot")
        world.add_pressure(body, 10.0)
        world.step(1e-2, 10)
        np.testing.assert_allclose(world.nodes(body).v[:3, 2], 1.0, atol=1e-12)

    def test_wrong_meshes(self):
        world, nodes = cairn.World(), np.zeros((3, 2))
        wrong = [({"box": [2, 1], "cels": [1, 1]}, self.steel, "no 'cels'"), ({"box": [2, 1], "elements": "quad5"}, self.steel, "quad5"),
                 ({"box": [2, 1], "size": 1.0, "elements": "hex8"}, self.steel, "dimension|box"), ({}, self.steel, "one of box"),
                 ({"box": [2, 1], "cells": [1, 1]}, {"density": 1, "yong": 2}, "no 'yong'"),
                 ({"box": [2, 1], "cells": [1, 1]}, {**self.steel, "model": "gum"}, "gum"),
                 ({"box": [2, 1], "cells": [1, 1]}, {**self.steel, "plane": "ship"}, "strain, stress"),
                 ({"nodes": np.zeros((3, 3)), "elements": [[0, 1, 2]], "type": "tri3"}, self.steel, r"\(n, 2\)"),
                 ({"nodes": nodes, "elements": [[0, 1]], "type": "tri3"}, self.steel, r"\(m, 3\)"),
                 ({"nodes": nodes, "elements": [[0, 1, 2]], "type": "tri3"}, self.steel, "element|volume|area"),
                 ({"nodes": nodes, "elements": [[0, 1, 7]], "type": "tri3"}, self.steel, "7|node")]
        for mesh, material, words in wrong:
            with self.assertRaisesRegex(cairn.BadInput, words):
                world.add_mesh(mesh, material)
        body = world.add_mesh({"box": [2, 1], "cells": [1, 1]}, self.steel)
        with self.assertRaisesRegex(cairn.BadInput, r"shape \(4, 2\), got \(2, 4\)"):
            world.set_nodes(body, x=np.zeros((2, 4)))
        with self.assertRaisesRegex(cairn.BadInput, "nothing"):
            world.add_node_drive(body, "x", 0.0, set="nothing")
        with self.assertRaisesRegex(cairn.BadInput, "per total"):
            world.add_node_force(body, 1.0, [1, 0], per="metre")


class Start(unittest.TestCase):
    def test_a_scene_starts_from_a_result(self):
        ball = {"ball": {"shape": {"disk": 0.1}, "mass": 2, "velocity": [1, 0]}}
        scene = cairn.Scene(gravity="none", bodies=ball, stages=[{"step": 1e-3, "duration": 0.1}])
        with tempfile.TemporaryDirectory() as folder:
            scene.run(result=f"{folder}/first.h5")
            scene["start"] = {"from": f"{folder}/first.h5"}
            self.assertAlmostEqual(scene.build().q[0, 0], 0.1, delta=1e-12)  # 1 m/s for 0.1 s
            self.assertTrue(any(line.startswith("start ") for line in scene.check()))
            scene["start"]["from"] = "none.h5"
            with self.assertRaises(cairn.Error):
                scene.run()


if __name__ == "__main__":
    unittest.main(verbosity=0)
