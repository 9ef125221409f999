/// cairn/view.h -- read-only arrays of a world: state, contacts, energy ledger, certificate.
///
/// Pointers stay valid until the next call that changes the world.
#pragma once

#include "cairn/base.h"
#include "cairn/body.h"
#include "cairn/joint.h"
#include "cairn/overlap.h"
#include "cairn/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact of the last step (or of cn_world_detect). u is the velocity of body i relative to j at
/// the point; the normal points from j to i; r acts on i and -r on j. The tangents follow from the
/// normal (cn_contact_tangents).
typedef struct cn_contact {
    uint64_t pair;        ///< body slots, i in the upper half: with feature the persistent identity
    uint64_t feature;     ///< shapes of both bodies and geometric feature
    int i, j;             ///< bodies, as places in the arrays of cn_view
    int law;              ///< number of the law
    signed char shift[3]; ///< periodic cell of j relative to i; 0 without periodicity
    signed char status;   ///< cn_contact_status
    double point[3];      ///< midway between the two surfaces [m]
    double normal[3];
    double gap;         ///< at q + gamma h v; negative: penetration [m]
    double r[3];        ///< impulse: normal, tangential [N s]
    double u[3];        ///< relative velocity after the step: normal, tangential [m/s]
    double u_before[3]; ///< relative velocity before the step, in the same frame [m/s]
} cn_contact;

/// Impulse of a contact on body i as a vector of the world [N s]: r along the normal and the
/// tangents, `dim` of the world. The last of its three numbers is 0 in the plane.
CN_API void cn_contact_impulse(const cn_contact *contact, int dim, double impulse[3]);

/// Moment of contact a of the view on its body i as a vector of the world (theory 2.4) [N m s];
/// zero if its law resists neither rolling nor spinning. The same numbers are the last law states
/// of the contact, "moment_x" to "moment_z".
CN_API void cn_world_moment(const cn_world *w, int a, double moment[3]);

typedef enum cn_energy_row {
    CN_ENERGY_KINETIC = 0, ///< change of kinetic energy
    CN_ENERGY_POTENTIAL,   ///< change of potential energy in gravity
    CN_ENERGY_APPLIED,     ///< - work of applied forces
    CN_ENERGY_DRIVE,       ///< - work of drives
    CN_ENERGY_FRICTION,    ///< dissipated by sliding, rolling and spinning
    CN_ENERGY_SHOCK,       ///< dissipated by shocks
    CN_ENERGY_STORAGE,     ///< change of energy stored in contacts
    CN_ENERGY_VISCOUS,     ///< dissipated by viscous contacts
    CN_ENERGY_JOINT,       ///< - work of bilateral constraints
    CN_ENERGY_THETA,       ///< dissipated by the scheme, theta > 1/2
    CN_ENERGY_ROTATION,    ///< - energy that turning inertias gain beyond the work of impulses; 3D
    CN_ENERGY_ELASTIC,     ///< change of energy stored in deformable bodies
    CN_ENERGY_PLASTIC,     ///< dissipated by plastic strain, and by contacts that are crushed
    CN_ENERGY_INTERNAL, ///< work of internal forces that nothing of the above accounts for: error
                        ///< of the step in bodies that are not linear
    CN_ENERGY_GIVEN,    ///< - what contacts put into the motion: restitution, depth given back
    CN_ENERGY_FRACTURE, ///< spent on damage of bonds
    CN_ENERGY_CELL,     ///< what bodies and a periodic cell exchange by its flow, of second order
    CN_ENERGY_WEAR,     ///< energy that went with what was worn off
    CN_ENERGY_INFLOW,   ///< - energy of bodies that were added after the first step
    CN_ENERGY_OUTFLOW,  ///< energy of bodies that were removed
    CN_ENERGY_GROWTH,   ///< - work that bodies do as they grow
    CN_ENERGY_ROW_COUNT
} cn_energy_row;

CN_API const char *cn_energy_row_name(cn_energy_row row);

/// Energy ledger (theory 9.3): the rows of a step add up to zero. Each row has its own formula.
typedef struct cn_ledger {
    double step[CN_ENERGY_ROW_COUNT];   ///< last step [J]
    double total[CN_ENERGY_ROW_COUNT];  ///< since the start [J]
    double kinetic, potential, storage; ///< present values; potential is 0 at the origin [J]
    double elastic;                     ///< likewise, of deformable bodies [J]
    double scale;                       ///< running maximum of the sum of absolute rows [J]
    double error_step;                  ///< |sum of the last step| / scale [-]
    double error;                       ///< |sum of totals| / scale [-]
    double error_max;                   ///< largest of both over the run [-]
    cn_body_id worst_body;              ///< where the last step closes worst
} cn_ledger;

typedef enum cn_stage {
    CN_STAGE_LOAD = 0,
    CN_STAGE_FREE,
    CN_STAGE_BROAD,
    CN_STAGE_NARROW,
    CN_STAGE_CONTACT,
    CN_STAGE_SOLVE,
    CN_STAGE_UPDATE,
    CN_STAGE_AUDIT,
    CN_STAGE_COUNT
} cn_stage;

CN_API const char *cn_stage_name(cn_stage stage);

/// Why a step was solved again before it was accepted.
typedef enum cn_repeat {
    CN_REPEAT_DEFORMABLES = 0, ///< bodies linearized in the problem were not in balance (11.6)
    CN_REPEAT_JOINTS,          ///< joints are straight in the problem and curved in truth (7.4)
    CN_REPEAT_FAST,            ///< bodies left the region in which contacts were looked for (5.2)
    CN_REPEAT_ROUGH,           ///< contacts were found by a rough solve, which a full one follows
    CN_REPEAT_ROTATION,        ///< turning bodies would have entered each other (6.2)
    CN_REPEAT_LAWS,            ///< laws depend on what the step decides (theory 4.41)
    CN_REPEAT_COUNT,
    CN_REPEAT_NONE = CN_REPEAT_COUNT
} cn_repeat;

/// "deformables", "joints", ...; NULL for a reason that does not exist.
CN_API const char *cn_repeat_name(cn_repeat reason);

/// Certificate of one step.
typedef struct cn_certificate {
    int64_t step;             ///< number of the step, from 1
    double time, h;           ///< at the end of the step [s]
    int contact_count;        ///< within alert distance
    int active_count;         ///< with an impulse
    cn_solver_report solver;  ///< is_converged: the step reached what it was asked for; before the
                              ///< first one it is set
    cn_accuracy accuracy;     ///< word by which it was accepted
    double eps_v, tol;        ///< accepted err_v, or rms of a word, and err_e of this step [-]
    cn_body_id worst_body[2]; ///< bodies of the constraint with the largest e_a; 0: none
    double penetration;       ///< largest, at q + gamma h v [m]
    double penetration_rel;   ///< over the size of the smaller body [-]
    int joint_count;          ///< that act
    double joint_gap;         ///< largest of those that are not elastic, at q + gamma h v after the
                              ///< step; angles times the arm of the joint (theory 7.1) [m]
    double drive_error; ///< largest |v - v_imposed| h over held and driven degrees of freedom of
                        ///< bodies and nodes, rotations times the reach (theory 9.6) [m]
    cn_body_id drive_worst; ///< where; 0 if there is none
    double creep; ///< largest way that a sticking contact has slipped since it began to stick
                  ///< (theory 8.31) [m]
    cn_body_id creep_body[2];  ///< its bodies; 0: none
    cn_body_id deepest[2];     ///< bodies of the contact with that; 0 without penetration
    double given;              ///< energy that contacts put into the motion (theory 9.7) [J]
    double given_excess;       ///< part of it that gives back more depth than the bodies can have
                               ///< gained since they were apart (theory 9.8) [J]
    cn_body_id given_worst[2]; ///< bodies of the contact with most of that
    int held_rigid;            ///< springs that gave way to rigid rows (theory 6.8)
    double
        law_residual; ///< by how much laws that depend on the step are missed (theory 4.41) [m/s]
    int part_count;   ///< parts that the step was made in: 1, or it was cut where fast
                      ///< bodies meet (theory 6.9)
    int repeat_count[CN_REPEAT_COUNT]; ///< how often the step was solved again, by reason
    double added_penetration;  ///< bound on what this step may add: h sqrt(1 + mu^2) max e_a [m]
    cn_joint_id missed_joint;  ///< of the constraint solver.at, where most is missed; 0: a contact
    cn_body_id missed_body[2]; ///< its bodies; 0: none
    bool has_overlap;          ///< cn_world_overlap was asked after this step
    cn_overlap overlap;        ///< its answer
} cn_certificate;

/// What a long step tells while it goes.
typedef struct cn_beat {
    int64_t step;        ///< that is under way
    double time;         ///< when it began [s]
    double seconds;      ///< of the clock, since it began
    int contact_count;   ///< of its problem, joints too
    bool is_solving;     ///< what follows is known
    cn_method method;    ///< that runs
    int iteration_count; ///< so far, of all methods
    int sweep_count;     ///< counted work so far
    double error;        ///< over what is asked, of the last iterate that was measured [-]
    cn_body_id body[2];  ///< of the contact with the largest error, or of the joint; 0: none
    cn_joint_id joint;   ///< 0: a contact
} cn_beat;
typedef void cn_beat_hook(void *context, const cn_beat *beat);

/// Steps that take long call the hook every so many seconds, from within; NULL: never. It must not
/// change the world, but may ask for a stop. The clock is read for this only: no result depends on
/// it.
CN_API void cn_world_set_beat(cn_world *w, double every, cn_beat_hook *hook, void *context);

typedef struct cn_view {
    double time;
    int64_t step;
    int dim;
    int body_count;
    const cn_body_id *id;
    const int *group;
    const unsigned *fixed; ///< bits of held or driven degrees of freedom
    const double *mass;    ///< [kg]
    const double *inertia; ///< one per body, in space three principal ones [kg m2]
    const double *size;    ///< [m]
    const double *q; ///< x y angle of each body [m, m, rad]; in space x y z and the unit quaternion
                     ///< w x y z of its principal frame [m, -]: 7 entries
    const double *v; ///< [m/s, m/s, rad/s]; in space velocity, angular velocity in world axes: 6
    const int *shape_start;    ///< body_count + 1: shapes or solids of body i
    const cn_shape_def *shape; ///< placed in the frame of the body, origin at the mass centre
    const cn_solid_def *solid; ///< in space instead: placed in the principal frame of the body;
                               ///< points of hulls are their vertices
    int contact_count;
    const cn_contact *contact;
    const int *state_start; ///< contact_count + 1: law state of contact a in `state`
    const double *state;
    const double *cell; ///< vectors of the periodic cell, 9 numbers as in cn_cell_state; NULL:
                        ///< there is none
    unsigned cell_axes; ///< bits 1 2 4: along x, y, z the cell repeats; 0 without a cell
    int joint_count;
    const cn_joint_state *joint; ///< in the order of creation
    const cn_ledger *ledger;
    const cn_certificate *certificate;
    const double *seconds;           ///< CN_STAGE_COUNT, wall time spent in each stage so far [s]
    const double *processor_seconds; ///< CN_STAGE_COUNT, processor time of all threads of the
                                     ///< program in each stage, while it is measured [s]
} cn_view;

/// From now on steps measure processor time, too (cn_view.processor_seconds), which costs some
/// microseconds a step. NULL does nothing.
CN_API void cn_world_time_processor(cn_world *w, bool is_timed);

CN_API cn_view cn_world_view(const cn_world *w);

/// The contact problem of the last step as it was solved, its impulses in r; *guess (may be NULL)
/// receives those that it started from. CN_BAD_INPUT before the first step.
CN_API cn_status cn_world_problem(const cn_world *w, cn_problem *problem, const double **guess,
                                  cn_error *err);

/// Directions of the tangential components of r and u (theory 4.2): t1, and in space t2 with t2 =
/// normal x t1. In the plane t1 is the normal turned by +90 degrees, and t2 is zero.
CN_API void cn_contact_tangents(const cn_contact *x, int dim, double t1[3], double t2[3]);

/// Nullity of the columns of H of active contacts and joints: how many parameters of the impulses
/// are free (theory 8.20).
CN_API cn_status cn_world_indeterminate(const cn_world *w, int *nullity, cn_error *err);

#ifdef __cplusplus
}
#endif
