"""Reads the ParaView exports of tests/io/show.h with VTK itself; called by paraview.c."""
import math
import sys
import xml.etree.ElementTree as xml

import vtk


def read(folder, collection):
    """The frames of a collection: (time, polydata)."""
    frames = []
    for entry in xml.parse(f"{folder}/{collection}.pvd").getroot().iter("DataSet"):
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(f"{folder}/{entry.get('file')}")
        reader.Update()
        assert reader.GetErrorCode() == 0
        data = reader.GetOutput()
        time = data.GetFieldData().GetArray("TimeValue").GetValue(0)
        assert time == float(entry.get("timestep"))
        frames.append((time, data))
    return frames


def near(value, exact, tolerance):
    assert abs(value - exact) <= tolerance, f"{value} is not {exact} within {tolerance}"


def column(fields, name):
    array = fields.GetArray(name)
    assert array is not None, f"no array {name}"
    width = array.GetNumberOfComponents()
    rows = [array.GetTuple(k) for k in range(array.GetNumberOfTuples())]
    return [row[0] for row in rows] if width == 1 else rows


def check_bodies(frames):
    """Three disk shapes: one of body 3, two of the cluster 6."""
    for _, data in frames:
        assert data.GetNumberOfPoints() == 3 and data.GetNumberOfVerts() == 3
        fields = data.GetPointData()
        assert column(fields, "id") == [3, 6, 6]
        assert column(fields, "radius") == [0.25, 0.2, 0.2]
        assert column(fields, "group") == [0, 0, 0]
        near(data.GetPoint(1)[0], 3.7, 1e-6)
        near(data.GetPoint(2)[0], 4.3, 1e-6)
        for direction in column(fields, "orientation"):
            near(math.hypot(direction[0], direction[1]), 1.0, 1e-12)
        assert len(column(fields, "velocity")[0]) == 3


def polygon_area(cell):
    points = [cell.GetPoints().GetPoint(k) for k in range(cell.GetNumberOfPoints())]
    pairs = zip(points, points[1:] + points[:1])
    return sum(0.5 * (p[0] * q[1] - p[1] * q[0]) for p, q in pairs)


def check_blocks(frames):
    circle = 12 * math.sin(math.pi / 12)  # area of a regular 24-gon in a unit circle
    exact = {2: 64 * math.sin(math.pi / 64) * 0.21, 3: circle * 0.0625, 4: circle * 0.01 + 0.08, 5: 0.08,
             6: circle * 0.08}
    for _, data in frames:
        assert data.GetNumberOfPolys() == 1 + 128 + 1 + 1 + 1 + 2
        ids = column(data.GetCellData(), "id")
        area = {}
        for k, body in enumerate(ids):
            area[body] = area.get(body, 0.0) + polygon_area(data.GetCell(k))
        for body, value in exact.items():
            near(area[body], value, 3e-6)  # corners are floats
        mass = dict(zip(ids, column(data.GetCellData(), "mass")))
        near(mass[5], 2000 * 0.08, 1e-10)


def check_contacts(frames, weight, up):
    assert frames[0][1].GetNumberOfPoints() == 0
    data = frames[2][1]
    fields = data.GetPointData()
    total = 0.0
    for normal, force, i, j, status in zip(*(column(fields, name) for name in
                                             ("normal", "force", "id_i", "id_j", "status"))):
        near(math.hypot(*normal), 1.0, 1e-12)
        assert status in (0, 1, 2, 3)
        total += force[up] * (1 if j == 1 else -1 if i == 1 else 0)
    near(total, weight, 1e-6 * weight)
    assert all(value in (0, 1) for value in column(fields, "coulomb.slid"))
    assert len(column(fields, "gap")) == data.GetNumberOfPoints()
    assert len(column(fields, "impulse")[0]) == 3


def check_spheres(frames):
    """Three spheres: body 3 and the two of the cluster 5; its x axis may be any principal one."""
    for _, data in frames:
        assert data.GetNumberOfPoints() == 3 and data.GetNumberOfVerts() == 3
        fields = data.GetPointData()
        assert column(fields, "id") == [3, 5, 5]
        assert column(fields, "radius") == [0.25, 0.2, 0.2]
        for k, place in enumerate([(1, 0, 0.25), (2.8, -0.2, 0.2), (3.2, 0.2, 0.2)]):
            near(math.dist(data.GetPoint(k), place), 0, 1e-6)
        for name, width in (("orientation", 3), ("quaternion", 4)):
            rows = column(fields, name)
            assert len(rows) == 3 and all(len(row) == width for row in rows)
            near(max(abs(math.hypot(*row) - 1) for row in rows), 0, 1e-12)
        assert len(column(fields, "spin")[0]) == 3


def cell_volume(cell):
    """Six times the volume between the origin and a polygon."""
    p = [cell.GetPoints().GetPoint(k) for k in range(cell.GetNumberOfPoints())]
    total = 0.0
    for a, b, c in zip([p[0]] * len(p), p[1:], p[2:]):
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                  + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return total


def check_solids(frames):
    """The block has 6 faces, the floor is drawn as 6; the capsule as 13 bands of 24. Spheres are points."""
    for _, data in frames:
        ids = column(data.GetCellData(), "id")
        assert (ids.count(1), ids.count(2), ids.count(4), len(ids)) == (6, 6, 13 * 24, 12 + 13 * 24)
        volume = sum(cell_volume(data.GetCell(k)) for k, body in enumerate(ids) if body == 2) / 6
        near(volume, 0.4 * 0.3 * 0.2, 1e-6)  # corners are floats
        assert len(column(data.GetCellData(), "quaternion")[0]) == 4


kind, folder, weight = sys.argv[1], sys.argv[2], float(sys.argv[3])
bodies, blocks, contacts = (read(folder, name) for name in ("bodies", "blocks", "contacts"))
assert [len(frames) for frames in (bodies, blocks, contacts)] == [3, 3, 3]
near(bodies[2][0], 0.02, 1e-15)
if kind == "plane":
    check_bodies(bodies)
    check_blocks(blocks)
    check_contacts(contacts, weight, 1)
else:
    check_spheres(bodies)
    check_solids(blocks)
    check_contacts(contacts, weight, 2)
