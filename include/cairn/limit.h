/// cairn/limit.h -- limit analysis: the largest multiple of a load that rigid blocks can carry on
/// joints with friction, cohesion and tension, between two bounds that are checked (theory
/// chapter 16).
///
/// A structure in the position that it has now, its contact points those of the dynamics. Dead
/// loads w act in full, live loads l times a multiplier lambda:
///     static     max lambda     w + lambda l + H r = 0,  r_a in K_a = {|r_t| <= mu r_n}  (16.1)
///     kinematic  min -w . v     H^T v in K*_a = {u_n >= mu |u_t|},  l . v = 1            (16.2)
/// Any r of the first proves that lambda can be carried by joints that dilate as they slide, any v
/// of the second that no more can, whatever dilates. Joints of Coulomb do not dilate: theirs fail
/// at that multiplier or below it.
#pragma once

#include "cairn/base.h"
#include "cairn/scene.h"
#include "cairn/view.h"
#include "cairn/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Plain data: bodies with their free motions, loads and contact points. The caller owns all
/// arrays. A free motion is a velocity of the mass centre [m/s] and an angular velocity [rad/s]: of
/// a block in the plane the three are (1 0 0, 0 0 0), (0 1 0, 0 0 0) and (0 0 0, 0 0 1).
typedef struct cn_limit_program {
    int dim; ///< 2 or 3
    int body_count;
    const int *dof_start; ///< body_count + 1: free motions of each body, up to 6
    const double *dof;    ///< 6 of each motion
    const double *at;     ///< 3 of each body: mass centre [m]
    const double *dead;   ///< of each motion: power of the dead load on it [N, N m]
    const double *live;   ///< likewise; NULL: the dead load alone, which stands or falls
    int contact_count;
    const int *body;        ///< 2 of each contact: i and j, -1: what cannot move
    const double *point;    ///< 3 of each contact [m]
    const double *normal;   ///< 3 of each contact, from j to i
    const double *friction; ///< of each contact
    const double *shift;    ///< of each contact, added to u_n in (16.2) (theory 16.14); NULL: zero
    const double *cohesion; ///< of each contact [N]: |r_t| <= mu r_n + cohesion (theory 16.9), zero
                            ///< without friction; NULL: zero
    const double *tension;  ///< likewise: r_n >= -tension, counts up to cohesion/mu if there is
                            ///< friction; NULL: zero
    const double *crush;    ///< likewise: r_n <= crush, may be infinite; NULL: infinite
} cn_limit_program;

typedef struct cn_limit_def {
    double gap;        ///< accepted distance of the bounds over the multiplier [-]
    int iteration_max; ///< of the interior point
    bool (*is_interrupted)(void *context); ///< asked at each iteration, true stops; NULL: never
    void *context;
} cn_limit_def;

/// Gap 1e-6, 200 iterations.
CN_API cn_limit_def cn_limit_def_default(void);

typedef enum cn_limit_outcome {
    CN_LIMIT_BOUNDED = 0, ///< the multiplier is known; without a live load: it stands
    CN_LIMIT_FALLS,       ///< no multiplier is in equilibrium: v proves it
    CN_LIMIT_UNBOUNDED,   ///< every multiplier is carried: r proves it
    CN_LIMIT_UNDECIDED    ///< none of the three was reached; the bounds are what is known
} cn_limit_outcome;

/// "bounded", "falls", "unbounded", "undecided".
CN_API const char *cn_limit_outcome_name(cn_limit_outcome outcome);

/// What the checker found, which shares no code with the solver (theory 16.7 and 16.8). Forces are
/// over the mean dead load of a body, velocities over the largest of a contact point.
typedef struct cn_limit_check {
    double imbalance; ///< largest force or moment over arm left on a body [-]
    double outside;   ///< largest excess of forces over friction and strength [-]
    double sink;      ///< largest (mu |u_t| - u_n)+ of points that no force crushes [-]
    double power;     ///< |l . v - 1|, or of a proof the power that should be zero over the one
                      ///< that should not [-]
} cn_limit_check;

typedef struct cn_limit {
    cn_limit_outcome outcome;
    double lower, upper; ///< bounds of the multiplier; NaN: not found
    double gap;  ///< (upper - lower) over the larger of them, or over unit/1000 if that is more [-]
    double unit; ///< multiplier at which the live load is as large as the dead one
    int iteration_count, factorization_count;
    int contact_count, dof_count;
    double *r; ///< 3 of each contact: normal and tangential force of the lower bound [N], or of
               ///< the proof that no load is too much
    double *v; ///< of each motion: mechanism of the upper bound with l . v = 1, or of the proof
               ///< that it falls with w . v = 1
    cn_limit_check check;
} cn_limit;

/// Solves by an interior point on the bodies (theory 16.4 to 16.6). CN_OK whatever the outcome;
/// CN_BAD_INPUT says what of the program cannot be. The caller destroys *limit.
CN_API cn_status cn_limit_solve(const cn_limit_program *program, const cn_limit_def *def,
                                cn_limit **limit, cn_error *err);
CN_API void cn_limit_destroy(cn_limit *limit);

/// What is known of joints that do not dilate. No theorem makes one number of it: the same
/// mechanism goes with many normal forces, and there may be several mechanisms.
typedef struct cn_limit_coulomb {
    double multiplier; ///< of the solution with the least residual; NaN: none was found
    double residual; ///< its largest |r . (u + mu |u_t| n)| over mean load and largest velocity, or
                     ///< (-u_n)+ over the latter
    double change;   ///< of the shift in its last program, over the largest velocity
    double range[2]; ///< multipliers of all forces that go with its mechanism (theory 16.16);
                     ///< points count as moving from 1e-6 of the largest velocity on
    double range_coarse[2]; ///< the same from 1e-5 on
    double least;           ///< of all solutions
    int solution_count, start_count, program_count;
} cn_limit_coulomb;

/// Looks for solutions of Coulomb's law by a fixed point on its shift (theory 16.14 and 16.15),
/// from no shift and from `start_count` random ones.
CN_API cn_status cn_limit_coulomb_solve(const cn_limit_program *program, const cn_limit_def *def,
                                        int start_count, uint64_t seed, cn_limit_coulomb *found,
                                        cn_error *err);

/// The blocks of a scene with the points where they touch, ready for its loads.
typedef struct cn_limit_model cn_limit_model;

typedef struct cn_limit_model_def {
    const char *result; ///< state of another run, as in `start`; NULL: as the scene builds it
    int frame;          ///< of the result; negative: from the end
    cn_tell *told;      ///< remarks, such as laws of which friction alone counts; may be NULL
    void *context;
} cn_limit_model_def;

/// Bodies that are held or driven stand still. CN_BAD_INPUT: nothing is fixed, bodies touch nothing
/// that leads to what is fixed, or they are of a kind that limit analysis does not know. The scene
/// must live as long as the model.
CN_API cn_status cn_limit_model_create(cn_scene *scene, const cn_limit_model_def *def,
                                       cn_limit_model **model, cn_error *err);
CN_API void cn_limit_model_destroy(cn_limit_model *model);

/// Lines of `limit:` of the scene, or the one that stands for them: an acceleration along x.
CN_API int cn_limit_model_count(const cn_limit_model *model);

/// Name of line k of `limit:`; NULL: there is no such line.
CN_API const char *cn_limit_model_name(const cn_limit_model *model, int k);

/// Gap that the scene accepts for a load; of the dead load (-1) that of the first one.
CN_API double cn_limit_model_gap(const cn_limit_model *model, int k);

/// The pair of bodies of a joint: all points where they touch, forces and mechanism there.
typedef struct cn_limit_joint {
    cn_body_id body[2];
    int first, count; ///< its contacts in cn_limit_answer
    double force[3];  ///< on the first body [N]
    double at[3];     ///< centre of pressure: mean of its points weighted by what presses them [m]
    double normal[3]; ///< mean, from the second body to the first
    double push, slip_force; ///< normal and tangential part of the force [N]
    double usage;      ///< tangential force over what friction and cohesion bear; 0 without [-]
    double opening[2]; ///< least and largest velocity of its points along the normal [m/s]
    double slip;       ///< largest velocity of its points along the joint [m/s]
} cn_limit_joint;

/// What a joint does in a mechanism: shares of the largest velocity of a point tell.
typedef enum cn_joint_motion {
    CN_JOINT_STAYS = 0,
    CN_JOINT_HINGES, ///< opens at some of its points
    CN_JOINT_SLIDES, ///< its points move along it
    CN_JOINT_PARTS   ///< all its points open
} cn_joint_motion;

/// "stays", "hinges", "slides", "parts".
CN_API const char *cn_joint_motion_name(cn_joint_motion motion);

/// One load and what was found.
typedef struct cn_limit_answer {
    const char *name;     ///< of the line of `limit:`; "dead load" of case -1
    bool is_plane;        ///< of dimension 2
    bool is_support;      ///< the multiplier is the reaction of a support [N]
    bool is_slope;        ///< ... the tangent of the slope of a table on which it stands
    bool is_acceleration; ///< ... an acceleration over gravity; else a factor on the forces
    double above;         ///< asked by the scene; NaN: nothing
    double close;         ///< gaps up to this count as closed [m]
    double friction[2];   ///< least and largest of the contacts
    double weight;        ///< of all bodies that can move [N]
    double bonded_area;   ///< of joints with strength [m2], in the plane [m]; 0: friction alone
    int body_count;       ///< that can move
    cn_limit *limit;
    const cn_contact *contact; ///< limit->contact_count: points and normals; r is the force of
                               ///< limit->r [N], u the velocity of the mechanism [m/s]
    int joint_count;
    const cn_limit_joint *joint;
    double speed;    ///< largest velocity of a point of contact in the mechanism [m/s]
    const double *v; ///< 6 of each body of the scene: velocity and angular velocity [m/s, rad/s]
} cn_limit_answer;

CN_API cn_joint_motion cn_limit_joint_motion(const cn_limit_answer *answer, int joint);

/// Finds the multiplier of case k of cn_limit_model_count; -1: whether it stands under its dead
/// load alone. The gap is that of the definition if `def` is not NULL, else that of the scene. The
/// caller destroys *answer.
CN_API cn_status cn_limit_model_solve(cn_limit_model *model, int k, const cn_limit_def *def,
                                      cn_limit_answer **answer, cn_error *err);
CN_API void cn_limit_answer_destroy(cn_limit_answer *answer);

/// The same of joints that do not dilate, for case k from 0 on.
CN_API cn_status cn_limit_model_coulomb(cn_limit_model *model, int k, int start_count,
                                        cn_limit_coulomb *found, cn_error *err);

/// What is taken away until the dead load is carried no more.
typedef enum cn_limit_less {
    CN_LIMIT_LESS_JOINTS = 0, ///< all joint faces shrink about their centres
    CN_LIMIT_LESS_FRICTION    ///< all friction coefficients
} cn_limit_less;

/// "joints", "friction".
CN_API const char *cn_limit_less_name(cn_limit_less what);

/// Shares of what there is, 1 as it is, between which the dead load comes down (theory 16.20).
typedef struct cn_limit_share {
    double stands; ///< least share with forces in balance; NaN: it does not stand as it is
    double falls;  ///< largest share with a mechanism; 0: none was found
    int program_count;
} cn_limit_share;

/// Halves the interval until it is shorter than def->gap, or until a program proves neither: the
/// shares say how far it came.
CN_API cn_status cn_limit_model_least(cn_limit_model *model, cn_limit_less what,
                                      const cn_limit_def *def, cn_limit_share *share,
                                      cn_error *err);

/// A moment of a capacity curve.
typedef struct cn_limit_curve_point {
    double way;          ///< of the control point from where it was [m]
    double moved[3];     ///< likewise, along x, y and z [m]
    double turned;       ///< rotation of its body [rad]
    double lower, upper; ///< bounds of the multiplier; NaN: none, it falls
    int contact_count;   ///< that are closed
} cn_limit_curve_point;

/// The multiplier that a structure carries while its mechanism goes on (theory 16.21): from the
/// state of the model to where nothing is carried any more, or to the end that the scene asks for.
typedef struct cn_limit_curve {
    int count;
    cn_limit_curve_point *point;
    bool is_whole;    ///< it came to its end; else `ending` says what was in the way
    char ending[300]; ///< one sentence
} cn_limit_curve;

/// True if case k asks for one (key `curve`).
CN_API bool cn_limit_model_has_curve(const cn_limit_model *model, int k);

/// Follows the mechanism of case k from 0 on. The model is afterwards as it was. The caller calls
/// cn_limit_curve_free, whatever is returned.
CN_API cn_status cn_limit_model_curve(cn_limit_model *model, int k, const cn_limit_def *def,
                                      cn_limit_curve *curve, cn_error *err);
/// NULL is allowed.
CN_API void cn_limit_curve_free(cn_limit_curve *curve);

/// Multiples of axle loads that are carried while these are at one place.
typedef struct cn_limit_place {
    double x; ///< of the first axle [m]
    cn_limit_outcome outcome;
    double lower, upper; ///< NaN: there is none
} cn_limit_place;

/// A line of influence; `worst` is the place of the least multiplier, -1 if there is none.
typedef struct cn_limit_influence {
    int count, worst;
    cn_limit_place *place;
} cn_limit_influence;

/// True if the load of case k is one of axles (key `axles`).
CN_API bool cn_limit_model_has_axles(const cn_limit_model *model, int k);

/// Moves the axles of case k from end to end. They are left at the worst place, where
/// cn_limit_model_solve then finds its answer. The caller calls cn_limit_influence_free, whatever
/// is returned.
CN_API cn_status cn_limit_model_influence(cn_limit_model *model, int k, const cn_limit_def *def,
                                          cn_limit_influence *line, cn_error *err);
/// NULL is allowed.
CN_API void cn_limit_influence_free(cn_limit_influence *line);

/// What is known in one direction of two loads.
typedef struct cn_limit_direction {
    double load[2]; ///< multiples of the first load and of the other, times a multiplier:
    cn_limit_outcome outcome;
    double lower, upper; ///< its bounds; NaN: there is none, or they are beyond 1000
    double side[2];      ///< no multiples a, b with side[0] a + side[1] b > upper are carried
} cn_limit_direction;

/// Multiples of two loads that are carried together (theory 16.24 and 16.25).
typedef struct cn_limit_domain {
    int count;
    cn_limit_direction *direction; ///< all around; lower times load are corners of a polygon of
                                   ///< multiples that are carried
    int outer_count;
    double *outer; ///< two of each corner of a polygon beyond which none are, counterclockwise;
                   ///< corners at infinity are left out
    double inner_area, outer_area; ///< of both polygons; infinite where there is no end
} cn_limit_domain;

/// True if case k has another load to go with its own (key `domain`).
CN_API bool cn_limit_model_has_domain(const cn_limit_model *model, int k);

/// Finds the domain of case k. The caller calls cn_limit_domain_free, whatever is returned.
CN_API cn_status cn_limit_model_domain(cn_limit_model *model, int k, const cn_limit_def *def,
                                       cn_limit_domain *domain, cn_error *err);
/// NULL is allowed.
CN_API void cn_limit_domain_free(cn_limit_domain *domain);

/// A result file: the forces of the lower bound in frame 0, then the mechanism of the upper bound
/// at growing amplitude. Everything that shows results shows it.
CN_API cn_status cn_limit_write(const cn_limit_model *model, const cn_limit_answer *answer,
                                const char *path, const char *command_line, cn_error *err);

#ifdef __cplusplus
}
#endif
