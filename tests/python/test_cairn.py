"""The Python module: keys and functions within reach, arrays without copies, errors as exceptions."""
import json
import math
import os
import re
import subprocess
import threading
import unittest
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
        self.assertIn("half_plane", result.scene)
        result.render("slope.png")
        result.plot("energy", "slope.svg")
        self.assertTrue(Path("slope.png").stat().st_size > 1000 and Path("slope.svg").stat().st_size > 1000)

    def test_stop(self):
        seen = []
        with self.assertRaises(cairn.Stopped):
            slope().run(stop=lambda p: seen.append(p["step"]) or p["step"] == 7)
        self.assertEqual(seen, [1, 2, 3, 4, 5, 6, 7])

    def test_errors_of_callbacks_arrive(self):
        def stop(progress):
            raise KeyError("mine")
        with self.assertRaises(KeyError):
            slope().run(stop=stop)

    def test_messages(self):
        with self.assertRaisesRegex(cairn.BadInput, "did you mean 'friction'"):
            cairn.Scene({**slope(), "laws": {"dry": {"type": "coulomb", "frition": 1}}}).check()
        with self.assertRaises(cairn.FileError):
            cairn.Result("no-such.h5")
        with self.assertRaisesRegex(cairn.BadInput, "nothing"):
            slope().run("s.h5") and cairn.Result("s.h5")["nothing"]


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

    def test_space(self):
        world = cairn.World(dimension=3)
        world.add_law(0.5)
        world.add_body({"half_space": {}}, fixed=True)
        box = world.add_body({"box": [0.2, 0.2, 0.1]}, at=(0, 0, 0.05))
        world.step(1e-3, 10)
        self.assertAlmostEqual(world.get(box)["position"][2], 0.05, delta=1e-8)
        self.assertEqual(world.q.shape, (2, 7))

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

    def test_dead_handles(self):
        world, ball = self.falling()
        world.remove_body(ball)
        for use in (lambda: world.get(ball), lambda: world.set(ball, angle=0.0), lambda: world.remove_body(ball),
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


if __name__ == "__main__":
    unittest.main(verbosity=0)
