"""At which tilt does a dry-stone wall on a table begin to move? A table turned slowly, watched from Python."""
import math

import cairn

scene = cairn.Scene(
    dimension=2,
    materials={"stone": {"density": 2400}},
    laws={"dry": {"type": "coulomb", "friction": 0.6}},
    contacts=[{"between": ["any", "any"], "law": "dry"}],
    bodies={"table": {"shape": {"box": [2.0, 0.2]}, "at": [0, -0.1], "fixed": True},
            "wall": {"generate": {"wall": {"length": 1.2, "courses": 4, "block": [0.4, 0.2]}}, "material": "stone"}},
    stages=[{"step": 2e-3, "duration": 4.0,
             "drive": {"table": {"rotation": {"rate": 0.2, "about": [-1.0, 0.0]}}}}])

tilt = []


def has_slid(progress):
    """Kinetic energy of the wall beyond that of turning with the table."""
    tilt.append(0.2 * progress["time"])
    return progress["kinetic"] > 100.0


try:
    scene.run(stop=has_slid)
except cairn.Stopped:
    pass
print(f"the wall moves at a tilt of {tilt[-1]:.3f} rad; a single block slides at atan(0.6) = {math.atan(0.6):.3f}")
assert 0.5 < tilt[-1] < 0.7
