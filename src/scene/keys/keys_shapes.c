// scene/keys/keys_shapes.c -- the table of keys of shapes.
#include <math.h>

#include "scene/keys/keys_words.h"

// A table, one key per line where it fits.
// clang-format off

static const cn_key disk_keys[] = {
    {.name = "radius", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED, .help = "radius"},
};
static const cn_section disk = {"disk", "a disk", KEYS(disk_keys), .short_scalar = "radius"};
static const cn_section sphere = {"sphere", "a ball", KEYS(disk_keys), .short_scalar = "radius"};

static const cn_key box_keys[] = {
    {.name = "size", .type = CN_TYPE_POINT, .unit = "m", POSITIVE, REQUIRED,
     .help = "width and height; in space along x, y and z"},
};
static const cn_section box = {
    "box", "a rectangle, in space a block, centred on its origin", KEYS(box_keys),
    .short_list = "size"};

static const cn_key polygon_keys[] = {
    {.name = "vertices", .type = CN_TYPE_POINTS, .unit = "m", REQUIRED, IN_PLANE,
     .help = "at least three points, convex, counterclockwise"},
};
static const cn_section polygon = {
    "polygon", "a convex polygon", KEYS(polygon_keys), .short_list = "vertices"};

static const cn_key polyhedron_keys[] = {
    {.name = "vertices", .type = CN_TYPE_POINTS, .unit = "m", REQUIRED, IN_SPACE,
     .help = "at least four points that are not in one plane, in any order; points inside are "
             "left out"},
};
static const cn_section polyhedron = {
    "polyhedron", "the convex hull of points", KEYS(polyhedron_keys), .short_list = "vertices"};

static const cn_key capsule_keys[] = {
    {.name = "length", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "distance of the centres of its two round ends, along local x; in space along z"},
    {.name = "radius", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "radius of its ends, half its width"},
};
static const cn_section capsule = {"capsule", "a bar with round ends", KEYS(capsule_keys)};

static const cn_key cylinder_keys[] = {
    {.name = "radius", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED, .help = "radius"},
    {.name = "length", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "along local z"},
};
static const cn_section cylinder = {
    "cylinder", "a round bar with flat ends: a drum, a disk, a log", KEYS(cylinder_keys)};

static const cn_key ellipsoid_keys[] = {
    {.name = "size", .type = CN_TYPE_POINT, .unit = "m", POSITIVE, REQUIRED, IN_SPACE,
     .help = "diameters along local x, y and z"},
};
static const cn_section ellipsoid = {
    "ellipsoid", "an ellipsoid: a pebble, a lens, an egg", KEYS(ellipsoid_keys),
    .short_list = "size"};

static const cn_section half_plane = {
    .name = "half_plane",
    .help = "all points with local y <= 0; only for bodies that are fixed or driven"};
static const cn_section half_space = {
    .name = "half_space",
    .help = "all points with local z <= 0; only for bodies that are fixed or driven"};

static const cn_key hollow_disk_keys[] = {
    {.name = "radius", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "inner radius"},
    {.name = "thickness", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,
     .help = "wall; a tenth of the radius if not given"},
};
static const cn_section hollow_disk = {"hollow_disk", "a ring that holds bodies inside: a drum",
                                       KEYS(hollow_disk_keys), .short_scalar = "radius"};

static const cn_section hollow_sphere = {"hollow_sphere", "a shell that holds bodies inside",
                                         KEYS(hollow_disk_keys), .short_scalar = "radius"};

static const cn_key hollow_cylinder_keys[] = {
    {.name = "radius", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "inner radius"},
    {.name = "length", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "inner length along local z"},
    {.name = "thickness", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,
     .help = "wall and ends; a tenth of the radius if not given"},
    {.name = "ends", .type = CN_TYPE_WORDS, .choices = "lower upper", .fallback = "true", IN_SPACE,
     .help = "which ends are closed: true for both, false for a tube, [lower] for a cup"},
};
static const cn_section hollow_cylinder = {
    "hollow_cylinder", "a drum, cup or tube that holds bodies inside", KEYS(hollow_cylinder_keys)};

static const cn_key plate_keys[] = {
    {.name = "size", .type = CN_TYPE_PAIR, .unit = "m", POSITIVE, REQUIRED,
     .help = "along x and y"},
    {.name = "thickness", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "along z"},
};
static const cn_section plate = {"plate", "a flat block, centred on its origin", KEYS(plate_keys)};

static const cn_key hollow_box_keys[] = {
    {.name = "size", .type = CN_TYPE_POINT, .unit = "m", POSITIVE, REQUIRED,
     .help = "inner width and height; in space along x, y and z"},
    {.name = "thickness", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,
     .help = "walls; a tenth of the smaller side if not given"},
};
static const cn_section hollow_box = {"hollow_box",
                                      "four walls, in space six, that hold bodies inside",
                                      KEYS(hollow_box_keys), .short_list = "size"};

static const cn_key cut_keys[] = {
    {.name = "point", .type = CN_TYPE_POINT, .unit = "m", REQUIRED, .help = "a point of the plane"},
    {.name = "normal", .type = CN_TYPE_POINT, REQUIRED, .help = "its normal, of any length"},
};
static const cn_section cut = {"cut", "a plane that cuts a surface", KEYS(cut_keys)};
static const cn_key cut_item = {.name = "cut", .type = CN_TYPE_MAP, .section = &cut};

static const cn_key mesh_keys[] = {
    {.name = "file", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "closed surface of triangles (.stl, .obj, .ply, .msh, .dxf), relative to the scene; only for "
             "bodies that are fixed or driven, unless it is cut"},
    {.name = "cuts", .type = CN_TYPE_LIST, .item = &cut_item, .most = 32.0, OPTIONAL,
     .help = "planes that cut it into convex pieces, for a body that moves; none ([]) if it is "
             "convex as it is"},
    {.name = "parts", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, OPTIONAL,
     .help = "instead of one file: convex parts, a file each, that move as one body"},
    {.name = "scale", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, .fallback = "1",
     .help = "unit of the files: 0.001 for millimetres"},
};
static const cn_section mesh = {
    "mesh", "the inside of a closed surface from a file", KEYS(mesh_keys), .short_scalar = "file"};

static const cn_key shape_keys[] = {
    {.name = "disk", .type = CN_TYPE_MAP, .section = &disk, OPTIONAL, IN_PLANE,
     .instead = "sphere", .help = "a disk"},
    {.name = "sphere", .type = CN_TYPE_MAP, .section = &sphere, OPTIONAL, IN_SPACE,
     .instead = "disk", .help = "a ball"},
    {.name = "box", .type = CN_TYPE_MAP, .section = &box, OPTIONAL,
     .help = "a rectangle; in space a block"},
    {.name = "polygon", .type = CN_TYPE_MAP, .section = &polygon, OPTIONAL, IN_PLANE,
     .instead = "polyhedron", .help = "a convex polygon"},
    {.name = "polyhedron", .type = CN_TYPE_MAP, .section = &polyhedron, OPTIONAL, IN_SPACE,
     .instead = "polygon", .help = "the convex hull of points"},
    {.name = "capsule", .type = CN_TYPE_MAP, .section = &capsule, OPTIONAL,
     .help = "a bar with round ends"},
    {.name = "half_plane", .type = CN_TYPE_MAP, .section = &half_plane, OPTIONAL, IN_PLANE,
     .instead = "half_space", .help = "flat ground without end"},
    {.name = "half_space", .type = CN_TYPE_MAP, .section = &half_space, OPTIONAL, IN_SPACE,
     .instead = "half_plane", .help = "flat ground without end"},
    {.name = "hollow_disk", .type = CN_TYPE_MAP, .section = &hollow_disk, OPTIONAL, IN_PLANE,
     .help = "a drum"},
    {.name = "hollow_box", .type = CN_TYPE_MAP, .section = &hollow_box, OPTIONAL,
     .help = "a container of four walls, in space of six"},
    {.name = "cylinder", .type = CN_TYPE_MAP, .section = &cylinder, OPTIONAL, IN_SPACE,
     .instead = "disk", .help = "a round bar with flat ends"},
    {.name = "ellipsoid", .type = CN_TYPE_MAP, .section = &ellipsoid, OPTIONAL, IN_SPACE,
     .instead = "disk", .help = "a pebble, a lens, an egg"},
    {.name = "hollow_sphere", .type = CN_TYPE_MAP, .section = &hollow_sphere, OPTIONAL, IN_SPACE,
     .instead = "hollow_disk", .help = "a shell"},
    {.name = "hollow_cylinder", .type = CN_TYPE_MAP, .section = &hollow_cylinder, OPTIONAL, IN_SPACE,
     .instead = "hollow_disk", .help = "a drum, cup or tube"},
    {.name = "plate", .type = CN_TYPE_MAP, .section = &plate, OPTIONAL, IN_SPACE, .instead = "box",
     .help = "a flat block"},
    {.name = "mesh", .type = CN_TYPE_MAP, .section = &mesh, OPTIONAL, IN_SPACE, .instead = "polygon",
     .help = "a surface from a file"},
};
const cn_section cn_section_shape = {"shape", "geometry of a body: one of these", KEYS(shape_keys)};

static const cn_key orientation_keys[] = {
    {.name = "axis", .type = CN_TYPE_POINT, .fallback = "0 0 1", IN_SPACE,
     .help = "direction, of any length"},
    {.name = "angle", .type = CN_TYPE_NUMBER, .unit = "rad", OPTIONAL,
     .help = "about the axis, by the right hand"},
    {.name = "quaternion", .type = CN_TYPE_NUMBERS, OPTIONAL,
     .help = "[w, x, y, z] of length 1, instead of an angle"},
};
const cn_section cn_section_orientation = {
    "orientation", "in space: an angle about an axis, or a quaternion", KEYS(orientation_keys),
    .short_list = "quaternion"};

static const cn_key part_keys[] = {
    {.name = "shape", .type = CN_TYPE_ONE, .section = &cn_section_shape, REQUIRED, .help = "its geometry"},
    {.name = "at", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "origin of the shape in the frame of the body"},
    {.name = "rotation", .formerly = "angle", .type = CN_TYPE_NUMBER, .unit = "rad", .fallback = "0", IN_PLANE,
     .help = "angle of the shape in the frame of the body"},
    {.name = "rotation", .formerly = "turn", .type = CN_TYPE_MAP, .section = &cn_section_orientation, OPTIONAL,
     IN_SPACE, .help = "orientation of the shape in the frame of the body"},
    {.name = "axis", .type = CN_TYPE_POINT, OPTIONAL, IN_SPACE, .instead = "rotation",
     .help = "direction of the local z axis of the shape, instead of a rotation"},
};
const cn_section cn_section_part = {"part", "one shape of a cluster", KEYS(part_keys)};
