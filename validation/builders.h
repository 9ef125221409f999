// validation/builders.h -- bodies and structures that several cases share.
#pragma once

#include "validation.h"

#define CN_G 9.81 // [m/s2]

static inline double cn_degrees(double angle)
{
    return angle * CN_PI / 180.0;
}

// A threshold is looked for by halving what it lies in.
typedef struct cn_bracket {
    double low, high;
} cn_bracket;

static inline double cn_middle(cn_bracket b)
{
    return 0.5 * (b.low + b.high);
}

// The half below or above the middle.
static inline cn_bracket cn_halve(cn_bracket b, bool is_below)
{
    double middle = cn_middle(b);
    return is_below ? (cn_bracket){b.low, middle} : (cn_bracket){middle, b.high};
}

// Each fills the shape of `rest` (density or mass, place, velocity, group, held directions) and
// adds the body.
cn_body_id cn_build_disk(cn_trial *t, double radius, cn_body_def rest);
cn_body_id cn_build_capsule(cn_trial *t, double radius, double length, cn_body_def rest);
cn_body_id cn_build_box(cn_trial *t, double width, double height, cn_body_def rest);
cn_body_id cn_build_polygon(cn_trial *t, int vertex_count, const double *vertex, cn_body_def rest);
cn_body_id cn_build_plane(cn_trial *t, cn_body_def rest); // fixed half-plane, solid below local y

// Floor y = 0 and walls at x = -half and half; in space also at z = -half and half.
#define CN_BIN_WALL_MAX 5
typedef struct cn_bin {
    cn_body_id wall[CN_BIN_WALL_MAX];
    int wall_count;
} cn_bin;

// Moved away from the origin by `at`.
cn_bin cn_build_bin(cn_trial *t, double half, const double at[3]);

// A point mass of 1 kg at height z above the plane y = 0: a disk that does not turn.
typedef struct cn_ball {
    cn_trial trial;
    cn_body_id id;
} cn_ball;

cn_ball cn_build_ball(cn_book *book, const cn_world_def *def, const cn_law_def *law, double z,
                      double v);
double cn_ball_height(const cn_ball *ball);
double cn_ball_velocity(const cn_ball *ball);
double cn_ball_energy(const cn_ball *ball); // kinetic + m g z [J]

// Box on a plane through the origin turned by `slope`, resting on it with its lower corners. In
// space it may be twisted about the normal of the plane.
cn_body_id cn_build_box_on_plane(cn_trial *t, double width, double height, double density,
                                 double slope, double speed_along, double twist);

// A joint of an arch: its ends on intrados and extrados.
typedef struct cn_joint {
    cn_vec2 in, ex;
} cn_joint;

#define CN_ARCH_MAX 64
#define CN_PIECE_MAX 8

// Joints are listed from the left springer to the right one: stone_count + 1 of them.
// Radial joints of an arc of `embrace` [rad] about the origin, centreline radius R, thickness t.
void cn_joints_circular(int stone_count, double R, double t, double embrace, cn_joint *joint);

// Two arcs of centreline radius R with centres at x = -c and +c; vertical joint at the crown.
void cn_joints_pointed(int stone_count, double R, double t, double c, cn_joint *joint);

// Flat soffit of `span` at y = 0; joints through the point `focus` below its middle.
void cn_joints_flat(int stone_count, double span, double depth, double focus, cn_joint *joint);

typedef struct cn_arch {
    int stone_count;
    cn_body_id stone[CN_ARCH_MAX], support[2];
    double weight; // [N]
} cn_arch;

// Stones on two held supports, which are wider than the joints. A stone is made of `pieces`
// straight pieces, so that one piece is a straight-edged stone and several follow the curve;
// `joint` lists the ends of all pieces.
cn_arch cn_build_arch(cn_trial *t, int stone_count, int pieces, const cn_joint *joint,
                      double density);

// Speed of the fastest mass centre after one step from rest, over g h: 0 if the arch stands.
// *sliding (may be NULL) gets the number of contacts that slide.
double cn_arch_first_step(cn_book *book, int stone_count, const cn_joint *joint, double mu,
                          int *sliding);

// Stack of boxes from the plane y = 0 upwards; id gets `count` bodies.
void cn_build_stack(cn_trial *t, int count, double width, double height, double density,
                    cn_body_id *id);

// A copy of the state of a world, to repeat a step from.
typedef struct cn_saved {
    cn_state_part *part;
    int count;
} cn_saved;

cn_saved cn_save(cn_trial *t);
void cn_save_restore(const cn_saved *saved, cn_trial *t);
void cn_save_free(cn_saved *saved);

// Numbers in [0, 1), the same on every machine.
double cn_random(uint64_t *state);

// A pile of mixed bodies falling in a bin, in generic position: no gap is zero. The placement
// turns, shifts, scales and moves everything, fixed bodies and gravity included.
typedef struct cn_placement {
    cn_place place;       // in the plane or in space, turned or not
    double shift[3];      // in the axes of the case [m]
    double velocity[3];   // of everything, in the axes of the case [m/s]
    double scale, weight; // of lengths and of density [-]
    bool is_round;        // disks and capsules only
    bool is_reversed;     // bodies are created in the opposite order
    int threads;
} cn_placement;

#define CN_MIXED_COUNT 20

typedef struct cn_mixed {
    cn_trial trial;
    cn_body_id id[CN_MIXED_COUNT];
} cn_mixed;

cn_placement cn_placement_default(int dim); // along the axes
cn_mixed cn_build_mixed(cn_book *book, const cn_placement *placement, const cn_law_def *law,
                        double eps_v);

// Position and angle of body k, in space position and rotation matrix, brought back to the frame of
// the default placement.
#define CN_POSE_SIZE 12
void cn_mixed_pose(const cn_mixed *mixed, const cn_placement *placement, int k,
                   double pose[CN_POSE_SIZE]);
