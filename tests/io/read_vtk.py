"""Reads the ParaView export of tests/io/show.h with VTK itself; called by paraview.c."""
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


def check_contacts(frames, weight):
    assert frames[0][1].GetNumberOfPoints() == 0
    data = frames[2][1]
    fields = data.GetPointData()
    total = 0.0
    for normal, force, i, j, status in zip(*(column(fields, name) for name in
                                             ("normal", "force", "id_i", "id_j", "status"))):
        near(math.hypot(normal[0], normal[1]), 1.0, 1e-12)
        assert status in (0, 1, 2, 3)
        total += force[1] * (1 if j == 1 else -1 if i == 1 else 0)
    near(total, weight, 1e-6 * weight)
    assert all(value in (0, 1) for value in column(fields, "coulomb.slid"))
    assert len(column(fields, "gap")) == data.GetNumberOfPoints()
    assert len(column(fields, "impulse")[0]) == 3


folder, weight = sys.argv[1], float(sys.argv[2])
bodies, blocks, contacts = (read(folder, name) for name in ("bodies", "blocks", "contacts"))
assert [len(frames) for frames in (bodies, blocks, contacts)] == [3, 3, 3]
near(bodies[2][0], 0.02, 1e-15)
check_bodies(bodies)
check_blocks(blocks)
check_contacts(contacts, weight)
