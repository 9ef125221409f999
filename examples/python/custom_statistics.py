"""Statistics of one's own: distribution of contact forces and mean number of contacts in a settling pile."""
import cairn
import numpy as np

world = cairn.starter("pile").build()
world.step(2e-3, 300, strict=False)

contacts = world.contacts
force = contacts["r"][:, 0] / world.certificate["h"]
carrying = force[force > 1e-3 * force.mean()]
grains = np.unique(np.concatenate([contacts["i"], contacts["j"]]))
histogram, edges = np.histogram(carrying / carrying.mean(), bins=8, range=(0.0, 4.0))
print(f"{len(world.ids)} bodies, {len(carrying)} contacts carry, {2 * len(carrying) / len(grains):.2f} per body")
for count, edge in zip(histogram, edges):
    print(f"  {edge:.1f} .. {edge + 0.5:.1f} of the mean force: {'#' * (60 * count // max(histogram.max(), 1))}")
assert len(carrying) > 10 and world.ledger["error_max"] < 1e-10
