/// cairn/load.h -- what moves bodies from outside: functions of time, drives and forces.
#pragma once

#include "cairn/base.h"
#include "cairn/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cn_function_kind {
    CN_FUNCTION_CONSTANT = 0, ///< c
    CN_FUNCTION_COSINE,       ///< [c + a cos(w t + p)] min(1, r0 + r t)
    CN_FUNCTION_TABLE,        ///< piecewise linear, constant outside the table
    CN_FUNCTION_CALL          ///< a function of the caller; must be a pure function of t. A value
                              ///< that is not finite ends the step with CN_BAD_INPUT, the state
                              ///< being that before it: a way to stop from inside
} cn_function_kind;

/// A scalar function of time. `t` is the time since `t0` of the drive or force that uses it.
typedef struct cn_function {
    cn_function_kind kind;
    double c, a, w, p, r0, r;
    int count;           ///< table entries
    const double *time;  ///< increasing [s]; copied by the world
    const double *value; ///< copied by the world
    double (*call)(double t, void *context);
    void *context;
} cn_function;

CN_API cn_function cn_constant(double c);
CN_API double cn_function_at(const cn_function *f, double t);

typedef enum cn_drive_kind {
    CN_DRIVE_VELOCITY = 0, ///< v(t+h) = f(t+h)
    CN_DRIVE_DISPLACEMENT, ///< q(t) - q(0) = f(t) - f(0), by (x(t+h) - x(t) - (1-theta) h v)/(theta
                           ///< h); where the rate of f jumps, at its start too, give the body that
                           ///< velocity before the step, or it swings about it (theory 3.6)
    CN_DRIVE_ACCELERATION, ///< v(t+h) = v(t) + h [(1-theta) f(t) + theta f(t+h)]: a base record
    CN_DRIVE_ROTATION ///< turns about the z axis through a point at the rate f(t) [rad/s]; drives
                      ///< all
} cn_drive_kind;

/// Imposed motion of one degree of freedom (of three for CN_DRIVE_ROTATION). A driven degree of
/// freedom has infinite inertia; the reaction it needs appears as drive work in the ledger.
typedef struct cn_drive_def {
    cn_body_id body;
    cn_drive_kind kind;
    cn_dof dof;      ///< not used by CN_DRIVE_ROTATION
    double about[3]; ///< CN_DRIVE_ROTATION: fixed point [m]
    cn_function f;
    double t0; ///< time at which the function's clock starts; NaN: now [s]
} cn_drive_def;

/// The way along an axis of the world from the upper side of one rigid body to the lower side of
/// another, which lies above it. A half-plane or half-space has a side where its normal is.
typedef struct cn_span {
    cn_body_id from, to;
    cn_dof axis; ///< CN_DOF_X, CN_DOF_Y or CN_DOF_Z
} cn_span;

#define CN_SPAN_MAX 2

/// Force or torque on a body. The magnitude is f(t); a force acts along `direction` at `point`.
/// With spans f is a pressure: the force is f times the length, or the area, that they have in the
/// step (theory 3.11), as walls of a box need it that hold a stress while the box changes.
typedef struct cn_force_def {
    cn_body_id body;
    bool is_torque;      ///< f is a torque [N m]: about z in the plane, about direction in space
    bool is_follower;    ///< direction turns with the body
    double direction[3]; ///< unit vector, world frame (body frame for a follower)
    double point[3];     ///< where it acts, in the frame of the body, from its mass centre [m]
    cn_function f;       ///< [N], with spans [Pa]
    double t0;           ///< time at which the function's clock starts; NaN: now [s]
    int span_count;      ///< 0; 1 for the length in the plane, 2 for the area in space
    cn_span span[CN_SPAN_MAX];
} cn_force_def;

/// Pressure around several rigid bodies, as of a membrane that has no weight and no stiffness of
/// its own (theory 3.19). It acts on the edges, in space on the triangles, between the mass centres
/// of neighbours: of each facet an equal share on each of its bodies, without a moment.
typedef struct cn_around_def {
    int body_count;
    const cn_body_id *body; ///< copied
    bool is_chain; ///< the bodies are beads of a closed ring in this order, in the plane; otherwise
                   ///< the facets are those that a probe from outside touches, found in every step
    double probe;  ///< radius of the probe; 0: that of the largest body [m]
    int platen_count;
    const cn_body_id *platen; ///< where they leave no room for the probe there is no pressure;
                              ///< polygons, polyhedra, half-planes, half-spaces; copied
    cn_function f;            ///< pressure, > 0: inwards [Pa]
    double t0;                ///< time at which the function's clock starts; NaN: now [s]
} cn_around_def;

/// What a pressure acts on, by the facets of the last step and the positions now.
typedef struct cn_around_state {
    int facet_count;   ///< that close the outside; 0: no step has been made
    int pressed_count; ///< of these, without those at platens
    double content;    ///< area or volume that they enclose [m2, m3]
    double pressure;   ///< of the last step [Pa]
} cn_around_state;

CN_API cn_status cn_around_add(cn_world *w, const cn_around_def *def, cn_error *err);

/// The state of number k of those that were added since loads were cleared last.
CN_API cn_status cn_around_get(const cn_world *w, int k, cn_around_state *state, cn_error *err);

/// Growth of rigid bodies that are one disk or sphere about its mass centre: the radius is a factor
/// times that of the definition, and the factor goes from one value to another, linear in time.
/// Mass and inertia stay those of the definition (theory "Growth").
typedef struct cn_growth_def {
    int body_count;
    const cn_body_id *body; ///< copied
    double from, to;        ///< factors; from: NaN for that which each body has now [-]
    double t0;              ///< when it begins; NaN: now [s]
    double duration;        ///< how long it takes [s]
} cn_growth_def;

/// Bodies that grow are in the way of others without restitution, stiffness or bond. They stop, and
/// keep the radius that they have then, with cn_loads_clear.
CN_API cn_status cn_growth_add(cn_world *w, const cn_growth_def *def, cn_error *err);

/// What lies or blows against the free faces of bodies.
typedef enum cn_face_load_kind {
    CN_FACE_FILL =
        0,       ///< fill, or water, whose ratio is 1: up to a level, its stress grows downwards
    CN_FACE_WIND ///< pressure against the wind and suction behind
} cn_face_load_kind;

/// Stress of water, fill or wind on the free faces of several polygons or polyhedra (theory 3.22 to
/// 3.25). A part of a face is free where no face of another body, whichever, lies on it.
typedef struct cn_face_load_def {
    int body_count;
    const cn_body_id *body; ///< copied
    cn_face_load_kind kind;
    double weight;          ///< fill: per volume [N/m3]
    double ratio;           ///< fill: horizontal over vertical stress; 1 for water
    double surcharge;       ///< fill: vertical stress at the level, > 0: it presses [Pa]
    bool has_open_joints;   ///< fill: it gets into all joints; faces are free as a whole
    double direction[3];    ///< wind: to where it blows, of any length
    double windward;        ///< wind: pressure over f, times |cos| of wind and normal, on faces
                            ///< against it
    double leeward;         ///< wind: suction likewise on faces that look away
    double low[3], high[3]; ///< it is in this box alone; may be infinite [m]
    double close;           ///< joints are closed up to this gap [m]; 0: 1e-3 of the smaller shape
    cn_function f;          ///< level along the last axis of the world [m]; velocity pressure [Pa]
    double t0;              ///< time at which the function's clock starts; NaN: now [s]
} cn_face_load_def;

/// What it did in the last step.
typedef struct cn_face_load_state {
    double value;    ///< of f: level [m] or velocity pressure [Pa]
    double area;     ///< of all faces that are pressed [m2], in the plane [m]
    double force[3]; ///< on all bodies together [N]
} cn_face_load_state;

CN_API cn_status cn_face_load_add(cn_world *w, const cn_face_load_def *def, cn_error *err);

/// The state of number k of those that were added since loads were cleared last.
CN_API cn_status cn_face_load_get(const cn_world *w, int k, cn_face_load_state *state,
                                  cn_error *err);

/// Force and moment about its mass centre on each body of the definition, six doubles each, as
/// bodies are now and by the value of f at t0. Nothing is added.
CN_API cn_status cn_face_load_forces(cn_world *w, const cn_face_load_def *def, double *six,
                                     cn_error *err);

CN_API cn_status cn_drive_add(cn_world *w, const cn_drive_def *def, cn_error *err);
CN_API cn_status cn_force_add(cn_world *w, const cn_force_def *def, cn_error *err);

/// Removes all drives and forces, and ends all growth: the bodies are again free or fixed as they
/// were defined.
CN_API void cn_loads_clear(cn_world *w);

#ifdef __cplusplus
}
#endif
