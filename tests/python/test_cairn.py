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


class Reach(unittest.TestCase):
    def test_every_function_of_the_headers(self):
        count = 0
        for header in (source / "include/cairn").glob("*.h"):
            for name in re.findall(r"^CN_API [^;(]*?\b(cn_\w+)\(", header.read_text(), flags=re.M):
                self.assertTrue(callable(getattr(cairn.lib, name)), name)
                count += 1
        self.assertGreater(count, 100)

    def test_every_key_of_scenes(self):
        schema = json.loads(subprocess.run([os.environ["CAIRN_PROGRAM"], "schema"], capture_output=True, check=True).stdout)
        keys = [key for part in schema["allOf"] for key in part.get("properties", {})]
        self.assertIn("stages", keys)
        scene = cairn.Scene({key: "x" for key in keys})
        for key in keys:
            self.assertRegex(scene.yaml(), rf"(?m)^{key}: ")

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


if __name__ == "__main__":
    unittest.main(verbosity=0)
