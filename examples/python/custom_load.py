"""A load of one's own: a ball on a spring-less support, pushed by a function written in Python."""
import math

import cairn

world = cairn.World(gravity=[0, -9.81, 0], accuracy=1e-8)
world.add_law(friction=0.3)
world.add_body({"half_plane": {}}, fixed=True)
block = world.add_body({"box": [0.4, 0.2]}, at=(0.0, 0.1), density=1000)
weight = float(world.mass[1]) * 9.81
world.add_force(block, lambda t: 0.5 * weight * math.sin(math.pi * t), direction=[1, 0, 0])

started = None
while world.time < 1.0:
    world.step(1e-3)
    if started is None and world.get(block)["velocity"][0] > 1e-6:
        started = world.time
print(f"the block starts at t = {started:.3f} s; friction is overcome at {math.asin(0.6) / math.pi:.3f} s")
assert abs(started - math.asin(0.6) / math.pi) < 3e-3
