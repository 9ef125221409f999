/// cairn/joint.h -- joints: what connects two bodies, rigid or deformable, for good.
///
/// A joint removes relative motions of two bodies, or of one body and the world (theory chapter 7).
/// It is solved together with the contacts, on the configuration and not on the velocity, so that
/// it does not drift. In the plane all axes of rotation are z, and ball and hinge are both a pin.
///
/// A deformable body is held at a point of its mesh, or at a named set as if at a rigid plate that
/// follows the mean motion of the set (theory 11.21). Hinge, slider and fixed need the latter,
/// except for pseudo-rigid bodies. A rod or a cable may connect two points of one deformable body.
#pragma once

#include "cairn/base.h"
#include "cairn/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Stable for the life of a world and never used twice; 0 is no joint.
typedef uint64_t cn_joint_id;

typedef enum cn_joint_kind {
    CN_JOINT_BALL = 0,    ///< a point in common
    CN_JOINT_HINGE,       ///< a point and the axis in common
    CN_JOINT_SLIDER,      ///< no relative rotation, a point stays on the axis
    CN_JOINT_FIXED,       ///< no relative motion
    CN_JOINT_ROD,         ///< two points keep their distance; with a stiffness a spring
    CN_JOINT_CABLE,       ///< two points come no further apart than the length; with a stiffness a
                          ///< spring that only pulls
    CN_JOINT_UNIVERSAL,   ///< a point in common, and two pins that cross at right angles: `axis` on
                          ///< `other` and `pin` on `body` (cardan joint); in space
    CN_JOINT_CYLINDRICAL, ///< the axis in common: slides along and turns about it; in space
    CN_JOINT_IN_PLANE,    ///< a point of `body` stays in the plane across `axis` that `other`
                          ///< carries, in the plane on a line: a pin in a slot, a roller support
    CN_JOINT_KIND_COUNT
} cn_joint_kind;

/// All places and directions are those at the moment the joint is added, in the frame of the world;
/// from then on they move with the bodies. What a kind has no use for must be zero.
typedef struct cn_joint_def {
    cn_joint_kind kind;
    cn_body_id body;      ///< feels the impulse
    cn_body_id other;     ///< feels its opposite; 0: the world
    const char *body_set; ///< deformable body: a set of its mesh; NULL: the point nearest to `at`
    const char *other_set;
    double at[3];     ///< the common point; rod and cable: the end on `body`; NaN: the mean of
                      ///< the set [m]
    double to[3];     ///< rod and cable: the end on `other`; NaN likewise [m]
    double axis[3];   ///< of kinds that have one; of any length, carried by `other`
    double pin[3];    ///< universal: across `axis`, carried by `body`
    double length;    ///< rod and cable; 0: the distance of the ends [m]
    double stiffness; ///< rod and cable; 0: rigid [N/m]
    double damping;   ///< rod and cable with a stiffness [N s/m]
    double yield; ///< force at which a rod or cable with a stiffness and no damping gets longer (a
                  ///< pressed rod shorter) for good; 0: none does [N]
    double strength;    ///< force beyond which the joint breaks for good; 0: none does [N]
    double motor_speed; ///< hinge, slider, cylindrical (along the axis): of `body` relative to
                        ///< `other` [rad/s, m/s]
    double motor_limit; ///< largest torque or force of the motor; 0: no motor [N m, N]
    double limit[2]; ///< hinge, slider, cylindrical: range of its position, which starts at 0; both
                     ///< 0: none [rad, m]
    double limit_restitution; ///< of the stops at its ends [-]
    bool is_contact_kept; ///< bodies that are joined pass through each other unless this is set; a
                          ///< rod or a cable always leaves contacts as they are
} cn_joint_def;

/// A joint after the last step.
typedef struct cn_joint_state {
    cn_joint_id id;
    cn_joint_kind kind;
    int i, j; ///< body and other, as places in the arrays of cn_view; j is -1: the world
    signed char is_broken; ///< 1: it was loaded beyond its strength and acts no more
    double point[3];       ///< common point, or end on `body`, at q + gamma h v [m]
    double end[3];     ///< rod and cable: the end on `other`; else the same point on `other` [m]
    double axis[3];    ///< of kinds that have one; rod and cable: from `end` to `point`
    double impulse[3]; ///< on `body`, at the point, without a motor [N s]
    double moment[3];  ///< angular impulse on `body`, without a motor [N m s]
    double motor;      ///< impulse of the motor along or about the axis [N s, N m s]
    double gap;        ///< distance that should be zero, at q + gamma h v after the step; rod and
                       ///< cable: length less what it should be (more than that for a cable) [m]
    double gap_angle;  ///< likewise the angle [rad]
    double position;   ///< slider, cylindrical: way along the axis; hinge: angle in (-pi, pi]; rod
                       ///< and cable: distance of the ends. At the end of the step [m, rad]
    double speed;      ///< its rate [m/s, rad/s]
    double stop;       ///< impulse of the stops along or about the axis: > 0 at the low end of the
                       ///< range [N s, N m s]
} cn_joint_state;

/// What a kind of joint is like.
typedef struct cn_joint_type {
    const char *name;      ///< "ball", "hinge", ...
    bool is_line;          ///< between two points, with a length
    bool is_one_sided;     ///< only pulls
    bool is_point;         ///< two points stay one
    bool is_fixed;         ///< nothing moves
    bool has_axis;         ///< takes an axis
    bool has_pin;          ///< and a pin: two that stay at right angles
    bool has_motor;        ///< one motion may have a motor and stops
    bool is_motor_turning; ///< that motion is a rotation
    bool is_spatial;       ///< does not exist in the plane
} cn_joint_type;

/// The type of a kind, and its name; NULL if there is no such kind.
CN_API const cn_joint_type *cn_joint_type_of(cn_joint_kind kind);
CN_API const char *cn_joint_kind_name(cn_joint_kind kind);

/// Adds a joint; its id is returned in *id (may be NULL). Gaps are zero at this moment, except that
/// a rod or a cable with a stiffness may start stretched and a cable slack.
CN_API cn_status cn_joint_add(cn_world *w, const cn_joint_def *def, cn_joint_id *id, cn_error *err);

/// Removes a joint. Those of a body that is removed go with it.
CN_API cn_status cn_joint_remove(cn_world *w, cn_joint_id id, cn_error *err);

CN_API cn_status cn_joint_get(const cn_world *w, cn_joint_id id, cn_joint_state *state,
                              cn_error *err);

/// Changes the motor of a hinge or slider; limit 0 switches it off.
CN_API cn_status cn_joint_set_motor(cn_world *w, cn_joint_id id, double speed, double limit,
                                    cn_error *err);

#ifdef __cplusplus
}
#endif
