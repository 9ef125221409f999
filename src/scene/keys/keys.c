// scene/keys/keys.c -- the table.
#include <math.h>
#include <string.h>

#include "scene/keys/keys_words.h"

// A table, one key per line where it fits.
// clang-format off

// ---- bodies, materials, contacts

#define FIXED_HELP                                                                                 \
    "degrees of freedom held at rest: true for all, or a list; a fixed body needs no mass. If "     \
    "not given nothing is fixed but the supports that generators make"

static const cn_key part_item = {.name = "part", .type = CN_TYPE_MAP, .section = &cn_section_part};
static const cn_key held_plane = {.name = "fixed_sets", .type = CN_TYPE_WORDS, .choices = "x y"};
static const cn_key held_space = {.name = "fixed_sets", .type = CN_TYPE_WORDS, .choices = "x y z"};

static const cn_key support_keys[] = {
    {.name = "name", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "name of a block, or a pattern such as \"abutment_*\""},
    {.name = "below", .type = CN_TYPE_NUMBER, .unit = "m", OPTIONAL,
     .help = "blocks that reach below this height of the frame of the entry"},
};
static const cn_section support = {"support", "blocks that are held: by name, or by height",
                                   KEYS(support_keys), .short_scalar = "name"};
static const cn_key support_item = {.name = "support", .type = CN_TYPE_MAP, .section = &support};

static const cn_key body_keys[] = {
    {.name = "shape", .type = CN_TYPE_ONE, .section = &cn_section_shape, OPTIONAL,
     .help = "geometry of one body, or of each line of `from` that brings none"},
    {.name = "cluster", .type = CN_TYPE_LIST, .item = &part_item, .least = 1.0, .most = INFINITY,
     OPTIONAL, .help = "several shapes that move as one body; taken as disjoint for its mass"},
    {.name = "generate", .type = CN_TYPE_GENERATOR, OPTIONAL, .help = "many bodies by a generator"},
    {.name = "from", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "CSV file with one body per line and a header of columns among x, y, angle, "
             "radius, length, width, height, vx, vy, spin, mass, inertia; in space x, y, z, qw, "
             "qx, qy, qz, radius, length, width, depth, height, vx, vy, vz, wx, wy, wz, mass; "
             "relative to the scene"},
    {.name = "blocks", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, OPTIONAL, IN_SPACE,
     .instead = "generate",
     .help = "surfaces that hold many blocks (.obj, .stl, .ply, .msh, .dxf, .json of COMPAS): a file, a folder, a "
             "pattern such as \"stl/*.stl\", or a list; each block is a body and keeps its name"},
    {.name = "split", .type = CN_TYPE_WORD, .choices = "auto objects groups parts layers", OPTIONAL, IN_SPACE,
     .help = "what a block of `blocks` is: an object (o) or group (g) of OBJ, a solid of STL, a layer "
             "of DXF, or a connected part; auto: objects if there are two, else groups, else parts"},
    {.name = "scale", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL, IN_SPACE,
     .help = "unit of the files of `blocks`: 0.001 for millimetres; 1 if not given"},
    {.name = "up", .type = CN_TYPE_WORD, .choices = "x y z", OPTIONAL, IN_SPACE,
     .help = "axis of the files of `blocks` that is up and becomes z; z if not given"},
    {.name = "concave", .type = CN_TYPE_WORD, .choices = "cut refuse hull", OPTIONAL, IN_SPACE,
     .help = "blocks that are not convex: cut into convex parts of one body (if not given), refused, or taken "
             "as their hulls"},
    {.name = "supports", .type = CN_TYPE_LIST, .item = &support_item, .least = 1.0, .most = INFINITY,
     OPTIONAL, IN_SPACE,
     .help = "blocks that are held: names, patterns, {below: z}; fixed unless `fixed` says otherwise"},
    {.name = "mesh", .type = CN_TYPE_MAP, .section = &cn_section_volume, OPTIONAL,
     .help = "elements of a deformable body, instead of a shape; beside `generate`, `from` or "
             "`blocks`: each of their pieces is cut into elements"},
    {.name = "pseudo_rigid", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "deforms homogeneously, by the law of its material: more than rigid, less than "
             "elements; a convex shape, its pieces, or a mesh that is no more than its shape"},
    {.name = "at", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "origin of the frame in which shapes are given; moves all bodies of the entry"},
    {.name = "rotation", .formerly = "angle", .type = CN_TYPE_NUMBER, .unit = "rad", .fallback = "0", IN_PLANE,
     .help = "angle of that frame; rotates all bodies of the entry together"},
    {.name = "rotation", .formerly = "turn", .type = CN_TYPE_MAP, .section = &cn_section_orientation, OPTIONAL,
     IN_SPACE, .help = "orientation of that frame; rotates all bodies of the entry together"},
    {.name = "axis", .type = CN_TYPE_POINT, OPTIONAL, IN_SPACE, .instead = "rotation",
     .help = "direction of the z axis of that frame, instead of a rotation: the axis of a drum"},
    {.name = "velocity", .type = CN_TYPE_POINT, .unit = "m/s", .fallback = "0",
     .help = "initial velocity of the mass centre"},
    {.name = "angular_velocity", .formerly = "spin", .type = CN_TYPE_NUMBER, .unit = "rad/s", .fallback = "0",
     IN_PLANE, .help = "initial angular velocity"},
    {.name = "angular_velocity", .formerly = "rate", .type = CN_TYPE_POINT, .unit = "rad/s", .fallback = "0",
     IN_SPACE, .help = "initial angular velocity about the axes of the world"},
    {.name = "material", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "gives the density, and of a mesh its law"},
    {.name = "mass", .type = CN_TYPE_NUMBER, .choices = "auto", .unit = "kg", POSITIVE, OPTIONAL,
     .help = "instead of a material; auto, of a wall that does not turn: a hundredth of all rigid "
             "bodies that can move"},
    {.name = "inertia", .type = CN_TYPE_NUMBER, .unit = "kg m2", POSITIVE, OPTIONAL, IN_PLANE,
     .help = "about the mass centre; from mass and shape if not given"},
    {.name = "inertia", .type = CN_TYPE_NUMBERS, .unit = "kg m2", OPTIONAL, IN_SPACE,
     .help = "about the mass centre, along the axes in which shapes are given: [xx, yy, zz] or "
             "[xx, yy, zz, yz, zx, xy]; from mass and shape if not given"},
    {.name = "centre", .type = CN_TYPE_POINT, .unit = "m", OPTIONAL,
     .help = "mass centre in the frame in which shapes are given, of one body with mass and "
             "inertia; that of the shapes if not given"},
    {.name = "fixed", .type = CN_TYPE_WORDS, .choices = "x y rotation", OPTIONAL, IN_PLANE,
     .help = FIXED_HELP},
    {.name = "fixed", .type = CN_TYPE_WORDS, .choices = "x y z rx ry rz", OPTIONAL, IN_SPACE,
     .help = FIXED_HELP},
    {.name = "fixed_sets", .type = CN_TYPE_NAMED, .item = &held_plane, OPTIONAL, IN_PLANE,
     .help = "of a mesh: sets whose nodes are held at rest, e.g. {bottom: true, left: [x]}"},
    {.name = "fixed_sets", .type = CN_TYPE_NAMED, .item = &held_space, OPTIONAL, IN_SPACE,
     .help = "of a mesh: sets whose nodes are held at rest, e.g. {bottom: true, left: [x]}"},
    {.name = "group", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "second name, shared by entries, for contacts and selections"},
};
static const cn_section body = {
    "body", "one body or, with `generate`, `from` or `blocks`, many", KEYS(body_keys)};
static const cn_key body_item = {.name = "body", .type = CN_TYPE_MAP, .section = &body};

static const cn_key material_item = {.name = "material", .type = CN_TYPE_MAP, .section = &cn_section_material};

static const cn_key law_item = {.name = "law", .type = CN_TYPE_LAW};

static const cn_key contact_keys[] = {
    {.name = "between", .type = CN_TYPE_TEXTS, .least = 2.0, .most = 2.0, REQUIRED,
     .help = "two names of bodies or groups, or any"},
    {.name = "law", .type = CN_TYPE_TEXT, REQUIRED,
     .help = "name of a law, or none: they pass through each other"},
};
static const cn_section contact = {
    "contact", "which law holds between which bodies", KEYS(contact_keys)};
static const cn_key contact_item = {.name = "contact", .type = CN_TYPE_MAP, .section = &contact};
static const cn_key limit_item = {.name = "limit", .type = CN_TYPE_MAP, .section = &cn_section_limit};
static const cn_key joint_item = {.name = "joint", .type = CN_TYPE_MAP, .section = &cn_section_joint};
static const cn_key motor_item = {.name = "motor", .type = CN_TYPE_MAP, .section = &cn_section_motor};

// ---- functions of time, drives, forces

static const cn_key cosine_keys[] = {
    {.name = "c", .type = CN_TYPE_NUMBER, .fallback = "0", .help = "mean"},
    {.name = "a", .type = CN_TYPE_NUMBER, .fallback = "1", .help = "amplitude"},
    {.name = "w", .type = CN_TYPE_NUMBER, .unit = "rad/s", .fallback = "0",
     .help = "angular frequency"},
    {.name = "p", .type = CN_TYPE_NUMBER, .unit = "rad", .fallback = "0", .help = "phase"},
    {.name = "r0", .type = CN_TYPE_NUMBER, .fallback = "1", .help = "ramp at the start"},
    {.name = "r", .type = CN_TYPE_NUMBER, .unit = "1/s", .fallback = "0",
     .help = "slope of the ramp"},
};
static const cn_section cosine = {
    "cosine", "[c + a cos(w t + p)] min(1, r0 + r t)", KEYS(cosine_keys)};

static const cn_key table_keys[] = {
    {.name = "file", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "CSV file: time in the first column, the value in the second or in `column`"},
    {.name = "points", .type = CN_TYPE_PAIRS, OPTIONAL, .help = "[[time, value], ...]"},
    {.name = "column", .type = CN_TYPE_TEXT, OPTIONAL, .help = "name of the column of the value"},
    {.name = "scale", .type = CN_TYPE_NUMBER, .fallback = "1", .help = "factor on the values"},
};
static const cn_section table = {
    "table", "piecewise linear in time, constant before the first and after the last point",
    KEYS(table_keys), .short_scalar = "file", .short_list = "points"};

static const cn_key record_keys[] = {
    {.name = "file", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, REQUIRED,
     .help = "PEER (.AT2), ESM or ITACA file, columns of time and value, or one column with `dt`; "
             "relative to the scene; or a list of them, of which `number` takes one"},
    {.name = "number", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e6, .fallback = "1",
     .help = "which of several files, from 1: a param of studies"},
    {.name = "unit", .type = CN_TYPE_WORD, .choices = "file m/s2 g cm/s2 mm/s2", .fallback = "file",
     .help = "of the values; file: what the header says"},
    {.name = "dt", .type = CN_TYPE_NUMBER, .unit = "s", POSITIVE, OPTIONAL,
     .help = "interval of values that have no times"},
    {.name = "column", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e6, OPTIONAL,
     .help = "of the values, from 1; the second, or the only one, if not given"},
    {.name = "scale", .type = CN_TYPE_NUMBER, .fallback = "1", .help = "factor on the values"},
    {.name = "taper", .type = CN_TYPE_NUMBER, .least = 0.0, .most = 0.5, .fallback = "0",
     .help = "share of the duration that is faded at each end"},
    {.name = "baseline", .type = CN_TYPE_WORD, .choices = "none constant linear quadratic",
     .fallback = "none", .help = "what is taken off the acceleration so that the velocity does not drift"},
    {.name = "band", .type = CN_TYPE_PAIR, .unit = "Hz", OPTIONAL,
     .help = "[low, high]: frequencies that are kept, by filters that shift no phase; 0: no end there"},
};
static const cn_section record = {
    "record", "a record of ground acceleration from a file; its velocity is imposed exactly",
    KEYS(record_keys), .short_scalar = "file"};

#define FUNCTION_KEYS                                                                              \
    {.name = "constant", .type = CN_TYPE_NUMBER, OPTIONAL, .help = "does not change"},             \
    {.name = "cosine", .type = CN_TYPE_MAP, .section = &cosine, OPTIONAL,                          \
     .help = "oscillation with a ramp"},                                                           \
    {.name = "table", .type = CN_TYPE_MAP, .section = &table, OPTIONAL, .help = "values by points"},

static const cn_key ground_keys[] = {
    FUNCTION_KEYS
    {.name = "record", .type = CN_TYPE_MAP, .section = &record, OPTIONAL, .help = "a record from a file"},
};
static const cn_section ground = {
    "ground_motion", "an acceleration as a function of the time since the start of the stage: a "
    "number, or one of these", KEYS(ground_keys), .short_scalar = "constant"};

static const cn_key function_keys[] = {FUNCTION_KEYS};
const cn_section cn_section_function = {
    "function", "a function of the time since the start of the stage: a number, or one of these",
    KEYS(function_keys), .short_scalar = "constant"};

#define FUNCTION .type = CN_TYPE_ONE, .section = &cn_section_function

// Functions of the degrees of freedom of a body, with the units of lengths and of angles.
#define MOTION(along, length, angle)                                                               \
    {.name = "x", .type = CN_TYPE_ONE, .section = &along, .unit = length, OPTIONAL,                \
     .help = "along x"},                                                                           \
    {.name = "y", .type = CN_TYPE_ONE, .section = &along, .unit = length, OPTIONAL,                \
     .help = "along y"},                                                                           \
    {.name = "z", .type = CN_TYPE_ONE, .section = &along, .unit = length, OPTIONAL, IN_SPACE,      \
     .instead = "y", .help = "along z"},                                                           \
    {.name = "rotation", FUNCTION, .unit = angle, OPTIONAL, IN_PLANE, .instead = "rz",             \
     .help = "about the mass centre"},                                                             \
    {.name = "rx", FUNCTION, .unit = angle, OPTIONAL, IN_SPACE, .instead = "rotation",             \
     .help = "about an axis along x through the mass centre"},                                     \
    {.name = "ry", FUNCTION, .unit = angle, OPTIONAL, IN_SPACE, .instead = "rotation",             \
     .help = "about an axis along y"},                                                             \
    {.name = "rz", FUNCTION, .unit = angle, OPTIONAL, IN_SPACE, .instead = "rotation",             \
     .help = "about an axis along z"},

static const cn_key velocity_keys[] = {MOTION(cn_section_function, "m/s", "rad/s")};
static const cn_section velocity = {
    "velocity", "imposed velocity, per degree of freedom", KEYS(velocity_keys)};

static const cn_key displacement_keys[] = {MOTION(cn_section_function, "m", "rad")};
static const cn_section displacement = {
    "displacement", "imposed displacement from the start of the stage, per degree of freedom",
    KEYS(displacement_keys)};

static const cn_key acceleration_keys[] = {MOTION(ground, "m/s2", "rad/s2")};
static const cn_section acceleration = {
    "acceleration", "imposed acceleration, e.g. the record of an earthquake, per degree of freedom",
    KEYS(acceleration_keys)};

static const cn_key rotation_keys[] = {
    {.name = "angular_velocity", .formerly = "rate", FUNCTION, .unit = "rad/s", REQUIRED,
     .help = "of the body and of its way about the point"},
    {.name = "about", .type = CN_TYPE_POINT, .unit = "m", REQUIRED, .help = "fixed point"},
};
static const cn_section rotation = {
    "rotation", "turns as a whole about a fixed point, in space about the z axis through it",
    KEYS(rotation_keys)};

static const cn_key spin_keys[] = {
    {.name = "angular_velocity", .formerly = "rate", FUNCTION, .unit = "rad/s", REQUIRED,
     .help = "about the axis"},
    {.name = "axis", .type = CN_TYPE_POINT, .fallback = "0 0 1", IN_SPACE,
     .help = "direction of the axis in the world, of any length"},
};
static const cn_section spin = {"spin", "turns about its own mass centre, which is held at rest",
                                KEYS(spin_keys), .short_scalar = "angular_velocity"};

static const cn_key drive_keys[] = {
    {.name = "velocity", .type = CN_TYPE_MAP, .section = &velocity, OPTIONAL,
     .help = "imposed velocity"},
    {.name = "displacement", .type = CN_TYPE_MAP, .section = &displacement, OPTIONAL,
     .help = "imposed displacement"},
    {.name = "acceleration", .type = CN_TYPE_MAP, .section = &acceleration, OPTIONAL,
     .help = "imposed acceleration"},
    {.name = "rotation", .type = CN_TYPE_MAP, .section = &rotation, OPTIONAL,
     .help = "turn about a fixed point"},
    {.name = "spin", .type = CN_TYPE_MAP, .section = &spin, OPTIONAL,
     .help = "turn about its own centre"},
};
static const cn_section drive = {"drive", "imposed motion of bodies", KEYS(drive_keys)};
static const cn_key drive_item = {.name = "drive", .type = CN_TYPE_MAP, .section = &drive};

static const cn_key torque_keys[] = {
    {.name = "value", FUNCTION, .unit = "N m", OPTIONAL, .help = "torque about the axis"},
    {.name = "axis", .type = CN_TYPE_POINT, .fallback = "0 0 1", IN_SPACE,
     .help = "direction of the axis, of any length"},
    {.name = "vector", .type = CN_TYPE_POINT, .unit = "N m", OPTIONAL, IN_SPACE,
     .help = "constant torque, instead of value and axis"},
};
static const cn_section torque = {
    "torque", "torque in space: a function of time about an axis, or a constant vector",
    KEYS(torque_keys), .short_scalar = "value", .short_list = "vector"};

static const cn_key centrifugal_keys[] = {
    {.name = "angular_velocity", .formerly = "rate", FUNCTION, .unit = "rad/s", REQUIRED,
     .help = "of the frame"},
    {.name = "about", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "a point of the axis"},
    {.name = "axis", .type = CN_TYPE_POINT, .fallback = "0 0 1", IN_SPACE,
     .help = "direction of the axis, of any length"},
};
static const cn_section centrifugal = {
    "centrifugal", "forces on a mesh in a frame that turns about a fixed axis, of axisymmetric "
    "meshes their own", KEYS(centrifugal_keys), .short_scalar = "angular_velocity"};

static const cn_key around_keys[] = {
    {.name = "pressure", FUNCTION, .unit = "Pa", REQUIRED, .help = "inwards; below 0 outwards"},
    {.name = "probe", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,
     .help = "radius of the ball that tells from outside which bodies are neighbours; that of the "
             "largest body if not given"},
    {.name = "platens", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "walls at the ends of the sample: no pressure where they leave no room for the probe"},
    {.name = "ring", .type = CN_TYPE_FLAG, .fallback = "false", IN_PLANE,
     .help = "the bodies are the beads of a closed ring, in their order; else the outermost ones "
             "are found in every step"},
};
static const cn_section around = {
    "around", "pressure around all of the bodies together, without a membrane or on its beads",
    KEYS(around_keys), .short_scalar = "pressure"};

static const cn_key force_keys[] = {
    {.name = "x", FUNCTION, .unit = "N", OPTIONAL, .help = "force along x"},
    {.name = "y", FUNCTION, .unit = "N", OPTIONAL, .help = "force along y"},
    {.name = "z", FUNCTION, .unit = "N", OPTIONAL, IN_SPACE, .instead = "y",
     .help = "force along z"},
    {.name = "torque", FUNCTION, .unit = "N m", OPTIONAL, IN_PLANE,
     .help = "torque, counterclockwise"},
    {.name = "torque", .type = CN_TYPE_MAP, .section = &torque, OPTIONAL, IN_SPACE,
     .help = "torque about an axis, or a vector"},
    {.name = "at", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "where the force acts, in the frame of the body, from its mass centre"},
    {.name = "follower", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "the force turns with the body"},
    {.name = "per", .type = CN_TYPE_WORD, .choices = "total node area", .fallback = "total",
     .help = "of a mesh: x, y, z are the whole force, shared by the nodes, or the force on each "
             "node, or a traction [Pa] on the sides of the set"},
    {.name = "span", .type = CN_TYPE_TEXTS, .least = 2.0, .most = 4.0, OPTIONAL,
     .help = "walls between which the force acts, the lower one first: x, y or z is then a pressure "
             "[Pa] times their distance; in space two pairs, along the two other axes in the order "
             "x, y, z"},
    {.name = "pressure", FUNCTION, .unit = "Pa", OPTIONAL,
     .help = "of a mesh: against the sides of the set, which it follows"},
    {.name = "around", .type = CN_TYPE_MAP, .section = &around, OPTIONAL,
     .help = "pressure around the bodies, on the edges or triangles between outermost mass centres"},
    FACES
    {.name = "centrifugal", .type = CN_TYPE_MAP, .section = &centrifugal, OPTIONAL,
     .help = "of a mesh: forces of a turning frame"},
};
static const cn_section force = {
    "force", "force and torque on each of the bodies", KEYS(force_keys)};
static const cn_key force_item = {.name = "force", .type = CN_TYPE_MAP, .section = &force};

static const cn_key fix_plane = {.name = "fix", .type = CN_TYPE_WORDS, .choices = "x y rotation"};
static const cn_key fix_space = {.name = "fix", .type = CN_TYPE_WORDS, .choices = "x y z rx ry rz"};

// ---- conditions, stages

#define GROUP {.name = "group", .type = CN_TYPE_TEXT, .fallback = "any", .help = "which bodies"}

static const cn_key at_rest_keys[] = {
    GROUP,
    {.name = "speed", .type = CN_TYPE_NUMBER, .unit = "m/s", POSITIVE, OPTIONAL,
     .help = "all are slower than this (|v| + |spin| size/2); 1e-3 sqrt(|g| L) if not given, L "
             "the mean body size"},
    {.name = "hold", .type = CN_TYPE_NUMBER, .unit = "s", NOT_NEGATIVE, OPTIONAL,
     .help = "for this long on end; the larger of 0.1 sqrt(L/|g|) and 10 steps if not given"},
};
static const cn_section at_rest = {"at_rest", "nothing moves any more", KEYS(at_rest_keys)};

static const cn_key moved_keys[] = {
    GROUP,
    {.name = "more_than", .type = CN_TYPE_NUMBER, .unit = "m", NOT_NEGATIVE, REQUIRED,
     .help = "distance of some mass centre from where the stage began"},
};
static const cn_section moved = {"moved", "some body has moved", KEYS(moved_keys)};

static const cn_key turned_keys[] = {
    GROUP,
    {.name = "more_than", .type = CN_TYPE_NUMBER, .unit = "rad", NOT_NEGATIVE, REQUIRED,
     .help = "turn of some body since the start of the stage; in space at most pi is seen"},
};
static const cn_section turned = {"turned", "some body has turned", KEYS(turned_keys)};

static const cn_key speed_below_keys[] = {
    GROUP,
    {.name = "speed", .type = CN_TYPE_NUMBER, .unit = "m/s", POSITIVE, REQUIRED,
     .help = "all are slower than this (|v| + |spin| size/2)"},
    {.name = "hold", .type = CN_TYPE_NUMBER, .unit = "s", NOT_NEGATIVE, .fallback = "0",
     .help = "for this long on end"},
};
static const cn_section speed_below = {
    "speed_below", "all bodies are slow", KEYS(speed_below_keys)};

static const cn_key speed_above_keys[] = {
    GROUP,
    {.name = "speed", .type = CN_TYPE_NUMBER, .unit = "m/s", POSITIVE, REQUIRED,
     .help = "some body is faster than this (|v| + |spin| size/2)"},
};
static const cn_section speed_above = {"speed_above", "some body is fast", KEYS(speed_above_keys)};

static const cn_key series_keys[] = {
    {.name = "of", .type = CN_TYPE_TEXT, REQUIRED,
     .help = "an observed number, as s.p of the observer {name: s, stress: grains}"},
    {.name = "above", .type = CN_TYPE_NUMBER, OPTIONAL, .help = "it is above this"},
    {.name = "below", .type = CN_TYPE_NUMBER, OPTIONAL, .help = "or below this"},
    {.name = "hold", .type = CN_TYPE_NUMBER, .unit = "s", NOT_NEGATIVE, .fallback = "0",
     .help = "for this long on end"},
};
static const cn_section series = {
    "series", "an observed number has passed a limit", KEYS(series_keys)};

static const cn_key condition_keys[] = {
    {.name = "at_rest", .type = CN_TYPE_MAP, .section = &at_rest, OPTIONAL,
     .help = "nothing moves any more"},
    {.name = "moved", .type = CN_TYPE_MAP, .section = &moved, OPTIONAL,
     .help = "some body has moved"},
    {.name = "turned", .type = CN_TYPE_MAP, .section = &turned, OPTIONAL,
     .help = "some body has turned"},
    {.name = "speed_below", .type = CN_TYPE_MAP, .section = &speed_below, OPTIONAL,
     .help = "all bodies are slow"},
    {.name = "speed_above", .type = CN_TYPE_MAP, .section = &speed_above, OPTIONAL,
     .help = "some body is fast"},
    {.name = "series", .type = CN_TYPE_MAP, .section = &series, OPTIONAL,
     .help = "an observed number has passed a limit: a pressure, a solid fraction, contacts per grain"},
};
static const cn_section condition = {"condition",
                                     "one or several of these; the first that holds counts",
                                     KEYS(condition_keys), .has_words = true};

static const cn_key scheme_keys[] = {
    {.name = "theta", .type = CN_TYPE_NUMBER, .least = 0.5, .most = 1.0, .fallback = "0.5",
     .help = "0.5 keeps energy, 1 damps most"},
    {.name = "gamma", .type = CN_TYPE_NUMBER, .least = 0.0, .most = 1.0, OPTIONAL,
     .help = "contacts are set up at q + gamma h v; 1 - theta if not given"},
    {.name = "conserving", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "of meshes: internal forces that keep the energy, theta 0.5; contacts keep it if the "
             "form of their law is conserving"},
    {.name = "quasi_static", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "of meshes: no inertia; theta 1, and bodies that supports or contacts can hold"},
    {.name = "newton", .type = CN_TYPE_WORD, .choices = "full frozen mass", .fallback = "full",
     .help = "of meshes that are not linear: tangent of each iterate, of the reference, or the mass"},
    {.name = "newton_tol", .type = CN_TYPE_NUMBER, POSITIVE, .fallback = "1e-11",
     .help = "of meshes: accepted error of the balance of impulses, relative"},
    {.name = "newton_max", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e6, .fallback = "40",
     .help = "of meshes: iterations after which a step has failed"},
};
static const cn_section scheme = {
    "scheme", "Moreau-Jean time stepping", KEYS(scheme_keys), .short_scalar = "theta"};

static const cn_key box_keys[] = {
    {.name = "low", .type = CN_TYPE_POINT, .unit = "m", REQUIRED, .help = "its corner of small coordinates"},
    {.name = "high", .type = CN_TYPE_POINT, .unit = "m", REQUIRED, .help = "its other corner"},
};
static const cn_section within = {
    "within", "a box along the axes", KEYS(box_keys)};
static const cn_section leave = {
    "leave", "a box along the axes that bodies are not to leave, or they are taken away",
    KEYS(box_keys)};
static const cn_key leave_item = {.name = "leave", .type = CN_TYPE_MAP, .section = &leave};

static const cn_key enter_keys[] = {
    {.name = "per_second", .type = CN_TYPE_NUMBER, .unit = "1/s", POSITIVE, REQUIRED,
     .help = "bodies per second, as long as there is room for the next one; else it waits, and those "
             "behind it wait, too"},
    {.name = "within", .type = CN_TYPE_MAP, .section = &within, OPTIONAL,
     .help = "they enter at random places in this box instead of where they are defined"},
};
static const cn_section enter = {
    "enter", "bodies that enter one after the other, in their order", KEYS(enter_keys),
    .short_scalar = "per_second"};
static const cn_key enter_item = {.name = "enter", .type = CN_TYPE_MAP, .section = &enter};

static const cn_key grow_keys[] = {
    {.name = "from", .type = CN_TYPE_NUMBER, POSITIVE, OPTIONAL,
     .help = "part of the radius in the scene that the stage begins with; what it is if not given"},
    {.name = "to", .type = CN_TYPE_NUMBER, POSITIVE, .fallback = "1",
     .help = "part of it that is reached, evenly in time; mass and inertia stay those of the scene"},
    {.name = "over", .type = CN_TYPE_NUMBER, .unit = "s", POSITIVE, OPTIONAL,
     .help = "how long that takes; `duration` or `at_most` of the stage if not given"},
};
static const cn_section grow = {
    "grow", "radii of disks or spheres that change", KEYS(grow_keys), .short_scalar = "to"};
static const cn_key grow_item = {.name = "grow", .type = CN_TYPE_MAP, .section = &grow};

static const cn_key stage_keys[] = {
    {.name = "name", .type = CN_TYPE_TEXT, OPTIONAL, .help = "for messages and results"},
    {.name = "step", .type = CN_TYPE_NUMBER, .unit = "s", POSITIVE, REQUIRED, .help = "time step"},
    {.name = "duration", .type = CN_TYPE_NUMBER, .unit = "s", POSITIVE, OPTIONAL,
     .help = "how long it lasts"},
    {.name = "until", .type = CN_TYPE_MAP, .section = &condition, OPTIONAL,
     .help = "it lasts until this holds, instead of `duration`"},
    {.name = "at_most", .type = CN_TYPE_NUMBER, .unit = "s", POSITIVE, OPTIONAL,
     .help = "longest time to wait for `until`"},
    {.name = "stop_when", .type = CN_TYPE_MAP, .section = &condition, OPTIONAL,
     .help = "the whole run ends when this holds"},
    {.name = "drive", .type = CN_TYPE_NAMED, .item = &drive_item, OPTIONAL,
     .help = "imposed motion, by selection of bodies or of a set of their meshes: block.top; it ends "
             "with the stage, when a fixed body stops in one step and a free one goes on"},
    {.name = "force", .type = CN_TYPE_NAMED, .item = &force_item, OPTIONAL,
     .help = "forces, by selection of bodies or of a set of their meshes: block.top"},
    {.name = "gravity", .type = CN_TYPE_POINT, .unit = "m/s2", .choices = "none", OPTIONAL,
     .help = "other gravity in this stage"},
    {.name = "scheme", .type = CN_TYPE_MAP, .section = &scheme, OPTIONAL,
     .help = "other scheme in this stage"},
    {.name = "contacts", .type = CN_TYPE_LIST, .item = &contact_item, OPTIONAL,
     .help = "lines that come before those of the scene in this stage, such as no friction while a "
             "sample is prepared; contacts of a law of another type begin without memory"},
    {.name = "cell", .type = CN_TYPE_MAP, .section = &cn_section_cell_control, OPTIONAL,
     .help = "how the periodic cell deforms in this stage; it stands still without"},
    {.name = "remove", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, OPTIONAL,
     .help = "bodies taken away at the start of the stage, e.g. a gate"},
    {.name = "enter", .type = CN_TYPE_NAMED, .item = &enter_item, OPTIONAL,
     .help = "bodies that wait outside until they enter in this stage, by selection: rain, a hopper"},
    {.name = "leave", .type = CN_TYPE_NAMED, .item = &leave_item, OPTIONAL,
     .help = "bodies that are taken away in this stage when their mass centre gets out of a box, by "
             "selection"},
    {.name = "grow", .type = CN_TYPE_NAMED, .item = &grow_item, OPTIONAL,
     .help = "disks and spheres that grow in this stage, by selection; they keep the radius that they "
             "have at its end"},
    {.name = "release", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, OPTIONAL,
     .help = "joints taken away at the start of the stage"},
    {.name = "motor", .type = CN_TYPE_NAMED, .item = &motor_item, OPTIONAL,
     .help = "motors of hinges and sliders from the start of the stage on, by joint"},
    {.name = "fix", .type = CN_TYPE_NAMED, .item = &fix_plane, OPTIONAL, IN_PLANE,
     .help = "degrees of freedom held from the start of the stage on: true, false or a list"},
    {.name = "fix", .type = CN_TYPE_NAMED, .item = &fix_space, OPTIONAL, IN_SPACE,
     .help = "degrees of freedom held from the start of the stage on: true, false or a list"},
};
static const cn_section stage = {"stage", "a part of the run", KEYS(stage_keys)};
static const cn_key stage_item = {.name = "stage", .type = CN_TYPE_MAP, .section = &stage};

// ---- observers, solver, output

static const cn_key observer_item = {.name = "observer", .type = CN_TYPE_OBSERVER};

static const cn_key solver_keys[] = {
    {.name = "method", .type = CN_TYPE_WORD,
     .choices = "nncg nlgs apgd prox admm ipm ipm-lagged alm prox-newton newton cpg bipotential uzawa "
                 "lemke auto",
     .fallback = "auto",
     .help = "how the problem is solved; docs/solvers.md says which when"},
    {.name = "accuracy", .type = CN_TYPE_NUMBER, .choices = "auto flow quake packing masonry", POSITIVE,
     .fallback = "auto",
     .help = "a word for what the run is to be good for (docs/howto/step-and-accuracy.md), or the "
             "velocity error that the worst contact may have over the reference velocity; auto: by "
             "the number n of contacts, 1e-2 (n/200)^4 within 1e-6 and 1e-2"},
    {.name = "tol", .type = CN_TYPE_NUMBER, POSITIVE, OPTIONAL,
     .help = "accepted energy error; accuracy squared (but not below 1e-10) if not given"},
    {.name = "sweep_max", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e9, .fallback = "20000",
     .help = "sweeps after which a step is taken as not converged"},
    {.name = "patience", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e9, OPTIONAL,
     .help = "sweeps without halving the error after which the method that is named gives up; as "
             "the method has it, some thousands, if not given"},
    {.name = "order", .type = CN_TYPE_WORD, .choices = "fixed reversed alternating random",
     .fallback = "fixed", .help = "in which contacts are visited"},
    {.name = "seed", .type = CN_TYPE_INTEGER, .least = 0.0, .most = 9007199254740992.0,
     .fallback = "0", .help = "of the random order"},
    {.name = "c", .type = CN_TYPE_NUMBER, .choices = "auto", POSITIVE, OPTIONAL,
     .help = "elastic step of this hardness, e.g. 100, for flows that must be reproducible; auto: "
             "25/mu^2 of each contact, at most 100; rigid if neither this nor contact_stiffness is "
             "given"},
    {.name = "contact_stiffness", .type = CN_TYPE_NUMBER, .unit = "N/m", POSITIVE, OPTIONAL,
     .help = "elastic step with springs of this stiffness"},
};
static const cn_section solver = {
    "solver", "how the contact problem of a step is solved", KEYS(solver_keys)};

static const cn_key output_keys[] = {
    {.name = "every", .type = CN_TYPE_NUMBER, .unit = "s", POSITIVE, OPTIONAL,
     .help = "time between frames; a hundredth of the longest possible run if not given"},
    {.name = "checkpoint_every", .type = CN_TYPE_NUMBER, .unit = "s", NOT_NEGATIVE,
     .fallback = "0", .help = "simulated time between checkpoints; 0: at the end only"},
    {.name = "history", .type = CN_TYPE_NUMBER, .choices = "all frames", .least = 1.0, .most = 1e9,
     .fallback = "all",
     .help = "steps that have a row of their own: all, those of frames, or every N-th and those of "
             "frames; a row stands for the steps since the one before, with their worst errors, so "
             "that none is hidden"},
    {.name = "contacts", .type = CN_TYPE_NUMBER, .choices = "all last", .least = 1.0, .most = 1e9,
     .fallback = "all",
     .help = "frames that hold contacts: all, every N-th from frame 0 on and the last one, or the "
             "last one alone"},
    {.name = "precision", .type = CN_TYPE_WORD, .choices = "full reduced", .fallback = "full",
     .help = "of numbers in frames: reduced rounds velocities to 4 digits, all else of bodies and "
             "contacts to 6, which halves the file; checkpoints are exact"},
    {.name = "fields", .type = CN_TYPE_WORDS, .choices = "displacement stress",
     .fallback = "true",
     .help = "of meshes, in frames: displacements are always there, stresses unless left out"},
};
static const cn_section output = {"output", "what is written", KEYS(output_keys)};

static const cn_key start_name_item = {.name = "name", .type = CN_TYPE_TEXT};

static const cn_key start_keys[] = {
    {.name = "from", .type = CN_TYPE_TEXT, REQUIRED,
     .help = "result of another run (*.h5), or its checkpoint, which holds all of its state; "
             "relative to this file"},
    {.name = "frame", .type = CN_TYPE_INTEGER, .least = -1e9, .most = 1e9, .fallback = "-1",
     .help = "of a result, from 0; negative ones count from the end: -1 is the last"},
    {.name = "velocities", .type = CN_TYPE_WORD, .choices = "keep zero", .fallback = "keep",
     .help = "those of the file, or none"},
    {.name = "bodies", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, .fallback = "same",
     .help = "same: every body of this scene starts from the file; or which ones do, e.g. [wall, "
             "table], the others start as this scene says"},
    {.name = "names", .type = CN_TYPE_NAMED, .item = &start_name_item, OPTIONAL,
     .help = "bodies that have another name in the file: {wall: old_wall}, by lines of `bodies`"},
};
static const cn_section start = {"start", "the state that the scene starts from",
                                 KEYS(start_keys), .short_scalar = "from"};

// ---- the scene

static const cn_key param_item = {.name = "param", .type = CN_TYPE_NUMBER, .unit = "*"};

static const cn_key scene_keys[] = {
    {.name = "cairn", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1.0, REQUIRED,
     .help = "version of the scene language, the first key of the file"},
    {.name = "title", .type = CN_TYPE_TEXT, .fallback = "untitled", .help = "one line"},
    {.name = "dimension", .type = CN_TYPE_INTEGER, .least = 2.0, .most = 3.0, .fallback = "2",
     .help = "2: in the plane, y up; 3: in space, z up"},
    {.name = "include", .type = CN_TYPE_TEXTS, .least = 1.0, .most = INFINITY, OPTIONAL,
     .help = "files whose keys are added to this one, relative to it"},
    {.name = "params", .type = CN_TYPE_NAMED, .item = &param_item, OPTIONAL,
     .help = "named numbers for expressions such as \"=2*R\"; each may use those before it"},
    {.name = "gravity", .type = CN_TYPE_POINT, .unit = "m/s2", .choices = "none", IN_PLANE,
     .fallback = "0 -9.81", .help = "acceleration, or none"},
    {.name = "gravity", .type = CN_TYPE_POINT, .unit = "m/s2", .choices = "none", IN_SPACE,
     .fallback = "0 0 -9.81", .help = "acceleration, or none"},
    {.name = "scheme", .type = CN_TYPE_MAP, .section = &scheme, .fallback = "{}",
     .help = "time stepping"},
    {.name = "solver", .type = CN_TYPE_MAP, .section = &solver, .fallback = "{}",
     .help = "contact solver"},
    {.name = "cell", .type = CN_TYPE_MAP, .section = &cn_section_cell, OPTIONAL,
     .help = "space repeats along some axes; velocities of bodies are then relative to its motion"},
    {.name = "overlap_max", .type = CN_TYPE_NUMBER, NOT_NEGATIVE, .fallback = "0.01",
     .help = "accepted depth of initial overlaps over the size of the smaller body"},
    {.name = "materials", .type = CN_TYPE_NAMED, .item = &material_item, .fallback = "{}",
     .help = "what bodies are made of, by name"},
    {.name = "laws", .type = CN_TYPE_NAMED, .item = &law_item, .fallback = "{}",
     .help = "interaction laws, by name"},
    {.name = "contacts", .type = CN_TYPE_LIST, .item = &contact_item, .fallback = "[]",
     .help = "the first line that matches a pair wins; a pair in reach that none matches is an "
             "error"},
    {.name = "bodies", .type = CN_TYPE_NAMED, .item = &body_item, REQUIRED,
     .help = "bodies and sets of bodies, by name"},
    {.name = "joints", .type = CN_TYPE_NAMED, .item = &joint_item, .fallback = "{}",
     .help = "what connects bodies, by name"},
    {.name = "start", .type = CN_TYPE_MAP, .section = &start, OPTIONAL,
     .help = "starts from the state of another run: bodies are found by name"},
    {.name = "stages", .type = CN_TYPE_LIST, .item = &stage_item, .least = 1.0, .most = INFINITY,
     OPTIONAL, .help = "what happens, one after the other; must be given unless `limit` is"},
    {.name = "limit", .type = CN_TYPE_LIST, .item = &limit_item, .least = 1.0, .most = INFINITY,
     OPTIONAL, .help = "loads whose largest multiples `cairn limit` finds"},
    {.name = "observe", .type = CN_TYPE_LIST, .item = &observer_item, .fallback = "[]",
     .help = "series written at every step"},
    {.name = "output", .type = CN_TYPE_MAP, .section = &output, .fallback = "{}",
     .help = "frames and checkpoints"},
};
static const cn_section scene = {"scene", "a scene file", KEYS(scene_keys)};

// clang-format on

const cn_section *cn_section_scene(void)
{
    return &scene;
}

const cn_key *cn_section_find(const cn_section *section, const char *name, int dim)
{
    for (int k = 0; k < section->count; k++) {
        if (cn_key_is_for(&section->key[k], dim) && strcmp(section->key[k].name, name) == 0) {
            return &section->key[k];
        }
    }
    return NULL;
}

bool cn_choice_at(const char *choices, int k, char word[64])
{
    const char *at = choices;
    for (int n = 0; at != NULL && *at != '\0'; n++) {
        size_t length = strcspn(at, " ");
        if (n == k) {
            size_t kept = length < 63 ? length : 63;
            memcpy(word, at, kept);
            word[kept] = '\0';
            return true;
        }
        at += length + strspn(at + length, " ");
    }
    return false;
}

int cn_choice_find(const char *choices, const char *word)
{
    char known[64];
    for (int k = 0; cn_choice_at(choices, k, known); k++) {
        if (strcmp(known, word) == 0) {
            return k;
        }
    }
    return -1;
}
