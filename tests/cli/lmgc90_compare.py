"""A scene that cairn import made, held against LMGC90: places, masses, inertias and pairs at the start, centre
and energies of a run. Called by import_models.sh: lmgc90_compare.py NAME start|end; prints one line."""
import csv
import math
import os
import re
import sys

name, what = sys.argv[1:]


def rows(path):
    if not os.path.exists(path):
        return []  # a model without rigid bodies
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def principal(tensor):
    """Eigenvalues of [xx, yy, zz, yz, zx, xy] by Jacobi's method, in order."""
    xx, yy, zz, yz, zx, xy = tensor
    a = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]
    for _ in range(50):
        _, i, j = max((abs(a[i][j]), i, j) for i in range(3) for j in range(i + 1, 3))
        angle = 0.5 * math.atan2(2 * a[i][j], a[j][j] - a[i][i])
        turn = [[float(k == n) for n in range(3)] for k in range(3)]
        turn[i][i] = turn[j][j] = math.cos(angle)
        turn[i][j], turn[j][i] = math.sin(angle), -math.sin(angle)
        half = [[sum(turn[k][r] * a[k][c] for k in range(3)) for c in range(3)] for r in range(3)]
        a = [[sum(half[r][k] * turn[k][c] for k in range(3)) for c in range(3)] for r in range(3)]
    return sorted(a[k][k] for k in range(3))


def weights():
    """Mass and inertia of each body of the scene, from its entries and tables."""
    found = {}
    text = open(f"{name}.yaml", encoding="utf-8").read()
    for entry in re.finditer(r"^  (b\d+): \{.*?mass: ([^,]+), inertia: (\[.*?\]|[^,]+)", text, re.M):
        inertia = [float(x) for x in entry[3].strip("[]").split(",")]
        found[entry[1]] = float(entry[2]), principal(inertia) if len(inertia) == 6 else sorted(inertia)
    for entry in re.finditer(r'^  (\S+): \{from: "(.*?)"', text, re.M):
        for k, row in enumerate(rows(entry[2])):
            mass, radius = float(row["mass"]), float(row["radius"])
            inertia = [float(row["inertia"])] if "inertia" in row else [0.4 * mass * radius**2] * 3
            found[f"{entry[1]}[1,{k + 1}]"] = mass, inertia
    return found


def kinetic(row):
    """Of one rigid body of the plane; driven ones in space do not move, nor do held meshes."""
    if "spin" not in row or row["name"] not in weights():
        return 0.0
    mass, inertia = weights()[row["name"]]
    square = sum(float(row[v]) ** 2 for v in ("vx", "vy"))
    return 0.5 * (mass * square + inertia[0] * float(row["spin"]) ** 2)


numbers = {}
for row in rows(f"{name}.names.csv"):
    shown = re.sub(r"\[(\d+)\]", r"[1,\1]", row["name"])
    numbers[shown] = ("M" if row["kind"] == "MAILx" else "R") + row["number"]
bodies = rows("tables/bodies.csv")
ids = {row["id"]: numbers[row["name"]] for row in bodies}

if what == "start":
    weight = {numbers[key]: value for key, value in weights().items()}
    place = {numbers[row["name"]]: row for row in bodies if row["frame"] == "0"}
    worst = 0.0
    for row in rows(f"{name}/bodies.csv"):
        mass, inertia = weight["R" + row["body"]]
        wanted = [float(row["inertia"])] if "inertia" in row else sorted(float(row[f"i{k}"]) for k in (1, 2, 3))
        worst = max(worst, abs(mass / float(row["mass"]) - 1), *(abs(a / b - 1) for a, b in zip(inertia, wanted)))
        worst = max(worst, *(abs(float(place["R" + row["body"]][x]) - float(row[x])) for x in "xyz" if x in row))
    reach = 1e-5 if name == "drum_xksid" else 1e-4
    mine = {tuple(sorted((ids[row["id_i"]], ids[row["id_j"]]))) for row in rows("tables/contacts.csv")
            if row["frame"] == "1" and float(row["gap"]) <= reach}
    theirs = {(row["one"], row["other"]) for row in rows(f"{name}/pairs.csv")}
    print("%.1e %d %d %d" % (worst, len(mine), len(theirs), len(mine & theirs)))
else:
    weight = {numbers[key]: value[0] for key, value in weights().items()}
    free = {"R" + row["body"] for row in rows(f"{name}/bodies.csv")}
    last = max(int(row["frame"]) for row in bodies)
    moving = [row for row in bodies if int(row["frame"]) == last and ids[row["id"]] in free]
    total = sum(weight[ids[row["id"]]] for row in moving)
    centre = [sum(weight[ids[row["id"]]] * float(row.get(x, 0)) for row in moving) / max(total, 1e-99) for x in "xyz"]
    history = rows("tables/history.csv")
    held = [kinetic(row) for row in bodies if int(row["frame"]) == last and ids[row["id"]] not in free]
    energy = [float(row["kinetic"]) - sum(held) for row in history]  # what is driven moves steadily
    deepest = max(float(row["penetration"]) for row in history)
    force = sum(float(row["r_n"]) for row in rows("tables/contacts.csv") if int(row["frame"]) == last)
    print(*("%.8g" % x for x in centre), "%.6g %.6g %.3g %.6g"
          % (sum(energy) / len(energy), energy[-1], deepest, force / float(history[-1]["h"])))
