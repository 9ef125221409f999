// scene/keys/keys_joints.c -- the table of keys of joints and motors.
#include <math.h>

#include "scene/keys/keys_words.h"

// A table, one key per line where it fits.
// clang-format off

static const cn_key motor_keys[] = {
    {.name = "speed", .type = CN_TYPE_NUMBER, .unit = "rad/s or m/s", .fallback = "0",
     .help = "of the first body relative to the second; 0 with a limit is dry friction"},
    {.name = "limit", .type = CN_TYPE_NUMBER, .unit = "N m or N", NOT_NEGATIVE, REQUIRED,
     .help = "largest torque of a hinge, force of a slider; 0: switched off"},
};
const cn_section cn_section_motor = {
    "motor", "brings a joint to a speed with a limited torque or force", KEYS(motor_keys)};

#define JOINT_AT(text)                                                                             \
    {.name = "at", .type = CN_TYPE_POINT, .unit = "m", OPTIONAL, .help = text}
#define MOTOR                                                                                      \
    {.name = "motor", .type = CN_TYPE_MAP, .section = &cn_section_motor, OPTIONAL,                            \
     .help = "drives the motion that the joint leaves free"}

#define LIMITS                                                                                     \
    {.name = "limits", .type = CN_TYPE_PAIR, .unit = "rad or m", OPTIONAL,                         \
     .help = "stops at the ends of its range: angle or way from where it starts, [<= 0, >= 0]"},   \
    {.name = "restitution", .type = CN_TYPE_NUMBER, .least = 0.0, .most = 1.0, .fallback = "0",    \
     .help = "of the stops"}

static const cn_key ball_keys[] = {JOINT_AT("the common point; not with `chain`; the mean of a set if not given")};
static const cn_section ball_joint = {"ball", "a point in common; in the plane a pin",
                                      KEYS(ball_keys), .short_list = "at"};

static const cn_key hinge_keys[] = {
    JOINT_AT("a point of the axis; not with `chain`; the mean of a set if not given"),
    {.name = "axis", .type = CN_TYPE_POINT, REQUIRED, IN_SPACE,
     .help = "direction of the axis, of any length"},
    MOTOR,
    LIMITS,
};
static const cn_section hinge_joint = {"hinge", "an axis in common; in the plane a pin",
                                       KEYS(hinge_keys), .short_list = "at"};

static const cn_key slider_keys[] = {
    JOINT_AT("a point of the axis; the mass centre of the first body if not given"),
    {.name = "axis", .type = CN_TYPE_POINT, REQUIRED,
     .help = "direction of the axis, of any length; it moves with the second body"},
    MOTOR,
    LIMITS,
};
static const cn_section slider_joint = {
    "slider", "slides along an axis without turning", KEYS(slider_keys), .short_list = "axis"};

static const cn_section cylindrical_joint = {
    "cylindrical", "slides along an axis and turns about it", KEYS(slider_keys),
    .short_list = "axis"};

static const cn_key universal_keys[] = {
    JOINT_AT("the point where the two pins cross"),
    {.name = "axis", .type = CN_TYPE_POINT, REQUIRED, IN_SPACE,
     .help = "the pin on the second body, of any length"},
    {.name = "pin", .type = CN_TYPE_POINT, REQUIRED, IN_SPACE,
     .help = "the pin on the first body, at right angles to the other"},
};
static const cn_section universal_joint = {
    "universal", "two pins that cross, one on each body: a cardan joint", KEYS(universal_keys)};

static const cn_key in_plane_keys[] = {
    JOINT_AT("the point; the mass centre of the first body, or the mean of its set, if not given"),
    {.name = "axis", .type = CN_TYPE_POINT, REQUIRED,
     .help = "normal of the plane, of any length; it moves with the second body"},
};
static const cn_section in_plane_joint = {
    "in_plane", "a point of the first body stays in a plane of the second, in the plane on a line: "
                "a pin in a slot, a roller support", KEYS(in_plane_keys), .short_list = "axis"};

static const cn_key fixed_joint_keys[] = {
    JOINT_AT("where its force is given; the mass centre of the first body if not given"),
};
static const cn_section fixed_joint = {
    "fixed", "no relative motion", KEYS(fixed_joint_keys), .short_list = "at"};

static const cn_key rod_keys[] = {
    {.name = "from", .type = CN_TYPE_POINT, .unit = "m", OPTIONAL,
     .help = "its end on the first body; the mass centre, or the mean of the set, if not given"},
    {.name = "to", .type = CN_TYPE_POINT, .unit = "m", OPTIONAL,
     .help = "its end on the second body; the mass centre, or the mean of the set, if not given; "
             "the world has neither"},
    {.name = "length", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,
     .help = "without load; the distance of its ends if not given"},
    {.name = "stiffness", .type = CN_TYPE_NUMBER, .unit = "N/m", NOT_NEGATIVE, .fallback = "0",
     .help = "0: rigid"},
    {.name = "damping", .type = CN_TYPE_NUMBER, .unit = "N s/m", NOT_NEGATIVE, .fallback = "0",
     .help = "beside a stiffness"},
    {.name = "prestrain", .type = CN_TYPE_NUMBER, .least = -1.0, .most = 0.99, .fallback = "0",
     .help = "instead of `length`: how much shorter it is without load, over the distance of its ends"},
};
static const cn_section rod_joint = {
    "rod", "two points keep their distance; with a stiffness a spring", KEYS(rod_keys)};
static const cn_section cable_joint = {
    "cable", "two points come no further apart than its length; with a stiffness a spring that "
             "only pulls", KEYS(rod_keys)};

#define NET_OF                                                                                     \
    {.name = "of", .type = CN_TYPE_TEXT, REQUIRED, .help = "the bodies, a selection"},             \
    {.name = "reach", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,                     \
     .help = "largest distance of two that are joined"}

static const cn_key net_keys[] = {
    NET_OF,
    {.name = "beyond", .type = CN_TYPE_NUMBER, .unit = "m", NOT_NEGATIVE, .fallback = "0",
     .help = "least distance; above 0, ends at one place are one node"},
    {.name = "ends", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "from end to end of capsules, not from mass centre to mass centre"},
};
static const cn_section net_section = {
    "net", "joints between all bodies that are near each other", KEYS(net_keys)};

static const cn_key thread_keys[] = {
    NET_OF,
    {.name = "count", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e6, .fallback = "1",
     .help = "number of threads"},
    {.name = "steps", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e6, REQUIRED,
     .help = "joints of one thread; fewer where it is caught among bodies that it has met"},
    {.name = "seed", .type = CN_TYPE_NUMBER, .least = 0.0, .most = 9007199254740992.0,
     .fallback = "1", .help = "whole number that selects one of the random walks"},
};
static const cn_section thread_section = {
    "thread", "threads that wander at random from body to body, as laid into a soil",
    KEYS(thread_keys)};

static const cn_key joint_keys[] = {
    {.name = "between", .type = CN_TYPE_TEXTS, .least = 2.0, .most = 2.0, OPTIONAL,
     .help = "two bodies, or a body and world; of a deformable body a set of its mesh, as in "
             "beam.left, is held by its mean place and turn; without a set the point of the joint "
             "is a point of the mesh"},
    {.name = "chain", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "instead of `between`: each body of a selection is joined to the next, midway "
             "between their mass centres or, by rod or cable, from one to the other"},
    {.name = "each", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "instead of `between`: each body of a selection is joined to the world, with points "
             "and directions in the frame of the body as it stands at the start"},
    {.name = "net", .type = CN_TYPE_MAP, .section = &net_section, OPTIONAL,
     .help = "instead of `between`: all bodies of a selection that are near each other"},
    {.name = "thread", .type = CN_TYPE_MAP, .section = &thread_section, OPTIONAL,
     .help = "instead of `between`: from body to body along random walks"},
    {.name = "ball", .type = CN_TYPE_MAP, .section = &ball_joint, OPTIONAL,
     .help = "a point in common"},
    {.name = "hinge", .type = CN_TYPE_MAP, .section = &hinge_joint, OPTIONAL,
     .help = "an axis in common"},
    {.name = "slider", .type = CN_TYPE_MAP, .section = &slider_joint, OPTIONAL,
     .help = "along an axis"},
    {.name = "fixed", .type = CN_TYPE_MAP, .section = &fixed_joint, OPTIONAL,
     .help = "as if one body"},
    {.name = "rod", .type = CN_TYPE_MAP, .section = &rod_joint, OPTIONAL, .help = "a distance"},
    {.name = "cable", .type = CN_TYPE_MAP, .section = &cable_joint, OPTIONAL,
     .help = "a largest distance"},
    {.name = "universal", .type = CN_TYPE_MAP, .section = &universal_joint, OPTIONAL, IN_SPACE,
     .instead = "ball", .help = "a cardan joint"},
    {.name = "cylindrical", .type = CN_TYPE_MAP, .section = &cylindrical_joint, OPTIONAL, IN_SPACE,
     .instead = "slider", .help = "along and about an axis"},
    {.name = "in_plane", .type = CN_TYPE_MAP, .section = &in_plane_joint, OPTIONAL,
     .help = "a point in a plane"},
    {.name = "yield", .type = CN_TYPE_NUMBER, .unit = "N", POSITIVE, OPTIONAL,
     .help = "force at which a rod or cable with a stiffness, but no damping, gets longer for good"},
    {.name = "strength", .type = CN_TYPE_NUMBER, .unit = "N", POSITIVE, OPTIONAL,
     .help = "force beyond which it breaks for good; it does not break if not given"},
    {.name = "contact", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "the two bodies may also touch each other; with rod and cable they always may"},
};
const cn_section cn_section_joint = {
    "joint", "what connects two bodies for good: exactly one of ball, hinge, slider, fixed, rod, "
             "cable, universal, cylindrical, in_plane", KEYS(joint_keys)};
