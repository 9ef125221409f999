"""Least thickness of a semicircular arch under its own weight, by bisection: Milankovitch's 0.1075 R."""
import cairn

ARCH = {
    "dimension": 2,
    "params": {"t": 0.12},
    "materials": {"stone": {"density": 2000}},
    "laws": {"dry": {"type": "coulomb", "friction": 0.9}},
    "contacts": [{"between": ["any", "any"], "law": "dry"}],
    "bodies": {"arch": {"generate": {"arch": {"radius": 1.0, "thickness": "=t", "blocks": 27}}, "material": "stone"}},
    "stages": [{"step": 2e-3, "duration": 0.6, "stop_when": {"moved": {"group": "arch", "more_than": 0.01}}}],
    "solver": {"accuracy": "masonry"},
}


def falls(thickness):
    return cairn.Scene(ARCH).run(t=thickness)["outcome"].startswith("stopped")


low, high = 0.08, 0.14
assert falls(low) and not falls(high)
while high - low > 2e-3:
    middle = 0.5 * (low + high)
    low, high = (middle, high) if falls(middle) else (low, middle)
print(f"the arch stands from t/R = {low:.4f} .. {high:.4f} on")
assert 0.095 < high < 0.115
