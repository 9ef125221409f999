"""Writes inclusion.msh: a square of 1 mm with a round inclusion of 0.4 mm, as triangles.

Points on the rims and on the circle, the rest at random but not near each other, joined by the Delaunay rule
(Bowyer and Watson). python3 inclusion_msh.py [SIZE [SEED]] >inclusion.msh; SIZE 0.06e-3 m, SEED 1 if not given."""
import math
import random
import sys

SIZE = float(sys.argv[1]) if len(sys.argv) > 1 else 0.06e-3
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
SIDE, RADIUS = 1e-3, 0.2e-3


def place_points():
    rng = random.Random(SEED)
    n, m = round(SIDE / SIZE), round(2 * math.pi * RADIUS / SIZE)
    points = [(SIDE * (k / n - 0.5), s * SIDE / 2) for k in range(n + 1) for s in (-1, 1)]
    points += [(s * SIDE / 2, SIDE * (k / n - 0.5)) for k in range(1, n) for s in (-1, 1)]
    points += [(RADIUS * math.cos(2 * math.pi * k / m), RADIUS * math.sin(2 * math.pi * k / m)) for k in range(m)]
    for _ in range(200 * n * n):
        x, y = (rng.uniform(-0.5, 0.5) * (SIDE - SIZE) for _ in range(2))
        near = min(math.hypot(x - a, y - b) for a, b in points)
        if near > 0.75 * SIZE and abs(math.hypot(x, y) - RADIUS) > 0.6 * SIZE:
            points.append((x, y))
    return points


def circle(points, t):
    (ax, ay), (bx, by), (cx, cy) = (points[k] for k in t)
    d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    ux = ((ax * ax + ay * ay) * (by - cy) + (bx * bx + by * by) * (cy - ay) + (cx * cx + cy * cy) * (ay - by)) / d
    uy = ((ax * ax + ay * ay) * (cx - bx) + (bx * bx + by * by) * (ax - cx) + (cx * cx + cy * cy) * (bx - ax)) / d
    return ux, uy, (ax - ux) ** 2 + (ay - uy) ** 2


def triangulate(points):
    n = len(points)
    rng = random.Random(SEED)  # points on lines and circles are moved by a hair while they are joined
    far = 100 * SIDE
    moved = [(x + 1e-7 * SIDE * rng.uniform(-1, 1), y + 1e-7 * SIDE * rng.uniform(-1, 1)) for x, y in points]
    moved += [(-far, -far), (far, -far), (0.0, far)]
    triangles = {(n, n + 1, n + 2): circle(moved, (n, n + 1, n + 2))}
    for k, (x, y) in enumerate(moved[:n]):
        bad = [t for t, (ux, uy, r2) in triangles.items() if (x - ux) ** 2 + (y - uy) ** 2 < r2]
        edges = [e for t in bad for e in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0]))]
        for t in bad:
            del triangles[t]
        for a, b in edges:
            if (b, a) not in edges:
                triangles[(a, b, k)] = circle(moved, (a, b, k))
    kept = [t for t in triangles if max(t) < n]
    return [t for t in kept if area(points, t) > 1e-4 * SIZE * SIZE]  # not the slivers on the rims


def area(points, t):
    (ax, ay), (bx, by), (cx, cy) = (points[k] for k in t)
    return 0.5 * ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))


points = place_points()
triangles = triangulate(points)


def group(t):
    x, y = (sum(points[k][d] for k in t) / 3 for d in (0, 1))
    return 2 if math.hypot(x, y) < RADIUS else 1


out = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "4", '1 3 "bottom"', '1 4 "top"', '2 1 "matrix"',
       '2 2 "inclusion"', "$EndPhysicalNames", "$Nodes", str(len(points))]
out += ["%d %.9g %.9g 0" % (k + 1, x, y) for k, (x, y) in enumerate(points)]
rims = []
for name, y in ((3, -SIDE / 2), (4, SIDE / 2)):
    row = sorted((x, k) for k, (x, v) in enumerate(points) if v == y)
    rims += [(name, row[k][1], row[k + 1][1]) for k in range(len(row) - 1)]
out += ["$EndNodes", "$Elements", str(len(rims) + len(triangles))]
out += ["%d 1 2 %d %d %d %d" % (k + 1, g, g, a + 1, b + 1) for k, (g, a, b) in enumerate(rims)]
out += ["%d 2 2 %d %d %d %d %d" % (k + 1 + len(rims), group(t), group(t), t[0] + 1, t[1] + 1, t[2] + 1)
        for k, t in enumerate(triangles)]
out += ["$EndElements"]
print("\n".join(out))
