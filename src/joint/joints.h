// joint/joints.h -- joints of a world: definition in the frames of the bodies, rows, problem.
//
// A joint is a few rows along the axes of its frame (theory 7.1): point rows stop a point of body
// i relative to body j, spin rows stop the relative rotation about an axis. The rows are formed at
// q_mid; the gaps they close are those of the next q_mid (7.3).
#pragma once

#include "body/bodies.h"
#include "body/deformable/joint_frame.h"
#include "cairn/joint.h"
#include "cairn/solver.h"
#include "contact/contacts.h"

enum { CN_STOPS = 2, CN_LINK_ROWS = CN_ROW_MAX + CN_STOPS };

typedef struct cn_joint_row {
    bool is_spin, is_reversed;
    int axis; // of the frame of the joint
} cn_joint_row;

// What a joint is, in frames that move with the bodies; those of the world for j < 0.
typedef struct cn_link {
    cn_joint_id id;
    cn_joint_kind kind;
    int i, j;             // slots; j < 0: the world
    cn_mount mount[2];    // where sides on deformable bodies are fastened, as if to rigid ones
    int rows, motor_rows; // of the joint, then 1 if it has a motor
    int stop_rows;        // then 2 if it has stops: at the low and at the high end
    cn_joint_row row[CN_LINK_ROWS];
    cn_vec3 anchor_i, anchor_j; // [m]
    cn_mat3 frame_i, frame_j;   // axes of the joint, one per row
    double arm;                 // makes a rotation a length: spin rows are times it [m]
    double length;              // rod and cable [m]
    double stiffness, damping;  // [N/m], [N s/m]
    double yield, strength;     // 0: does not yield, does not break [N]
    double motor_speed, motor_limit;
    double stop[CN_STOPS], restitution; // positions of the stops [rad, m], [-]
    bool is_apart;                      // contacts between the two bodies are left out
    // What the last accepted step left.
    bool is_broken;
    double r[CN_LINK_ROWS]; // of all rows [N s]
} cn_link;

// Part of a joint that a checkpoint holds, as reals: cn_joint_gather and cn_joint_restore.
enum { CN_JOINT_REALS = 3 + 3 + 9 + 9 + 4 + CN_LINK_ROWS };

// Place of a joint in some configuration.
typedef struct cn_link_place {
    cn_vec3 point_i, point_j;   // the anchors
    cn_vec3 axis[3], turned[3]; // axes as body j and as body i carries them; of a rod and a cable
                                // the first is along the line from j to i
    double distance;            // of the anchors [m]
} cn_link_place;

// One joint in the step; r = 0 if it does not act. Rows on a deformable body act on its mount.
typedef struct cn_link_step {
    int constraint;                                      // first one in the problem, -1: none
    double H_i[6 * CN_LINK_ROWS], H_j[6 * CN_LINK_ROWS]; // at q_mid
    cn_mount_turn turn[2];                               // of the mounts, at q_mid
    double u_before[CN_LINK_ROWS], u[CN_LINK_ROWS];      // H^T v and H^T v+ [m/s]
    double r[CN_LINK_ROWS];                              // [N s]
    double gap[CN_LINK_ROWS];                            // at the next q_mid [m]
    double shift[CN_LINK_ROWS];                          // b that closes them (7.4) [m/s]
    double gap_start, gap_end;                           // of an elastic one, at q and q+ [m]
    double compliance;                                   // likewise, that closes it [1/kg]
    double plastic; // of the change of that gap in the step, with its sign (7.8) [m]
    bool breaks;    // by the impulse of this step
} cn_link_step;

typedef struct cn_joints {
    const cn_hooks *hooks;
    int count;
    cn_joint_id id_next;
    cn_link *link;
    cn_link_step *step;
    cn_joint_state *state; // for views
    uint64_t *apart;       // sorted pairs of slots without contact: cn_joints_sort_apart
    int apart_count;
    bool is_apart_stale;
    double memory_h;        // step that made the impulses [s]
    double h, theta, gamma; // of the step
    int solve_count;        // of the step
    double excess_halved;   // the one that the next is to halve, reached at solve_halved
    int solve_halved;
    double excess; // largest change that a shift still asks for, over the accepted one
    int worst;     // the joint that asks for it
    // Rows on large deformable bodies: A^-1 H, and the stored part of W with them (11.24).
    int wide_count;
    struct cn_wide *wide;
    double *response;
    int *W_row, *W_col, *W_start;
    size_t wide_capacity, response_capacity, W_row_capacity, W_col_capacity, W_start_capacity;
    size_t link_capacity, step_capacity, state_capacity, apart_capacity;
} cn_joints;

void cn_joints_init(cn_joints *joints, const cn_hooks *hooks);
void cn_joints_free(cn_joints *joints);

cn_status cn_joints_add(cn_joints *joints, const cn_bodies *b, const cn_joint_def *def,
                        cn_error *err);
void cn_joints_remove(cn_joints *joints, int n);

// Place of an id in the arrays, -1 if there is none.
int cn_joints_find(const cn_joints *joints, cn_joint_id id);

// Brings the list of pairs without contact up to date.
void cn_joints_sort_apart(cn_joints *joints);

// Slot `removed` is gone, and that mesh (-1: none): so are its joints, and higher ones move down by
// one.
void cn_joints_forget_body(cn_joints *joints, int removed, int removed_mesh);

// The rows of a kind (7.1): fills link->row, rows and motor_rows.
void cn_link_list_rows(cn_link *link, int dim);
bool cn_joint_kind_turns(cn_joint_kind kind); // needs the frames of both sides

// Axes of a new joint in the world, one per row: the given one first if the kind has one, or third
// the pin of a cross.
cn_mat3 cn_joint_frame(cn_joint_kind kind, int dim, cn_vec3 axis, cn_vec3 pin);

static inline bool cn_link_is_line(const cn_link *link)
{
    return cn_joint_type_of(link->kind)->is_line;
}

static inline bool cn_link_is_cable(const cn_link *link)
{
    return cn_joint_type_of(link->kind)->is_one_sided;
}

static inline int cn_link_all_rows(const cn_link *link)
{
    return link->rows + link->motor_rows + link->stop_rows;
}

// The constraint of row k: motor and stops have their own.
static inline int cn_link_constraint(const cn_link *link, const cn_link_step *s, int k)
{
    return s->constraint + (k < link->rows ? 0 : 1 + k - link->rows);
}

static inline bool cn_link_is_stop(const cn_link *link, int k)
{
    return k >= link->rows + link->motor_rows;
}

// A row that only pushes, unless it is a stop that bounces.
static inline bool cn_link_is_one_sided(const cn_link *link, int k)
{
    return cn_link_is_cable(link) || cn_link_is_stop(link, k);
}

static inline int cn_link_slot(const cn_link *link, int side)
{
    return side == 0 ? link->i : link->j;
}

static inline bool cn_link_is_mounted(const cn_link *link, int side)
{
    return link->mount[side].mesh >= 0;
}

// Configuration of all bodies and nodes, moved on for the time dt at their velocities.
typedef struct cn_link_at {
    const double *q, *x;
    double dt;
} cn_link_at;

static inline cn_link_at cn_link_now(const cn_bodies *b)
{
    return (cn_link_at){b->q, b->deformables->x, 0.0};
}

static inline cn_link_at cn_link_mid(const cn_bodies *b)
{
    return (cn_link_at){b->q_mid, b->deformables->x_mid, 0.0};
}

// Place of one side of a joint: of a body, of a mount, of the world.
cn_body_pose cn_link_pose(const cn_link *link, int side, const cn_bodies *b, cn_link_at at);

// Place of a joint.
cn_link_place cn_link_place_at(const cn_link *link, const cn_bodies *b, cn_link_at at);

// Gaps of all rows but that of a motor (7.2, 7.7); spin rows times the arm [m].
void cn_link_gaps(const cn_link *link, const cn_link_place *at, double gap[CN_LINK_ROWS]);

// Largest distance and angle of the gaps [m, rad].
void cn_link_gap_sizes(const cn_link *link, const double *gap, double *distance, double *angle);

// Angle of a hinge, way of a slider, distance of the ends [rad, m].
double cn_link_position(const cn_link *link, const cn_link_place *at);

// H of all rows for both sides, and how mounts turn: the parts of a step that the place gives.
void cn_link_form_rows(const cn_link *link, const cn_bodies *b, cn_link_at at, cn_link_step *s);

// H^T v of all rows (2.5), for velocities of bodies and nodes.
void cn_link_velocity(const cn_link *link, const cn_link_step *s, const cn_bodies *b,
                      const double *body_v, const double *node_v, double *u);

// Force and moment of a row of H, or of a sum of them.
void cn_link_split_row(const cn_bodies *b, const double *H, double sign, cn_vec3 *force,
                       cn_vec3 *moment);

// Energy stored in an elastic joint with that gap [J].
double cn_link_energy(const cn_link *link, double gap);

// Of a joint as it is now, and of all of them [J].
double cn_link_energy_now(const cn_link *link, const cn_bodies *b);
double cn_joints_energy(const cn_joints *joints, const cn_bodies *b);

static inline bool cn_link_is_elastic(const cn_link *link)
{
    return link->stiffness > 0.0;
}

// Room that the joints need after the contacts of a problem: constraints, rows and entries of G.
void cn_joints_room(const cn_joints *joints, const cn_bodies *b, int *constraints, int *rows,
                    size_t *entries);

// CN_BROKEN names a joint that no impulse can hold in the step that begins, since what is held or
// driven tears it open: free motion is known.
cn_status cn_joint_check_drives(const cn_joints *joints, const cn_bodies *b, double h,
                                cn_error *err);

// The same of several joints that only together cannot be held. Takes memory: for checks before a
// run or a stage. Says nothing of chains too long to be judged in a fixed number of iterations.
cn_status cn_joint_check_together(const cn_joints *joints, const cn_bodies *b, double h,
                                  cn_error *err);

// Appends the joints to the problem of the contacts (7.1 to 7.6 and 7.7).
cn_status cn_joint_assemble(cn_joints *joints, const cn_bodies *b, const cn_scheme *scheme,
                            cn_contacts *c, cn_problem *p, cn_error *err);

// Deformable bodies have new factors and free velocities: the rows that feel them.
void cn_joint_relinearize(cn_joints *joints, const cn_bodies *b, cn_contacts *c);

// Adds rows on large deformable bodies to the stored part of W, after cn_contact_condense (11.24).
cn_status cn_joint_condense(cn_joints *joints, cn_bodies *b, cn_contacts *c, cn_problem *p,
                            cn_error *err);

// Gives deformable bodies the impulses of joints, after those of contacts.
void cn_joint_push(const cn_joints *joints, const cn_contacts *c, cn_bodies *b);

// After a solve and update: measures the gaps that the step leaves and moves the shifts of the
// problem by them (7.4). True: they ask for no more than `accepted` [m/s], or for what cannot be
// had; excess tells.
bool cn_joint_refine(cn_joints *joints, const cn_bodies *b, double accepted, cn_contacts *c);

// Enters in the report that joints are open, or move from solve to solve: by how much, and the
// constraint of the worst. `aim` is the change of a shift that was aimed at, `v` the one that would
// be accepted [m/s].
void cn_joint_judge(const cn_joints *joints, double aim, double v, cn_solver_report *report);

// CN_BROKEN names a joint that the step leaves wide open: nothing that follows would mean anything.
cn_status cn_joint_check(const cn_joints *joints, cn_error *err);

// Accepts the step: remembers impulses, breaks what is overloaded, fills the states for views.
void cn_joint_commit(cn_joints *joints, const cn_bodies *b);

// The origin of a body's frame moves on it by `way` of this frame: anchors stay where they are.
void cn_joint_move_frame(cn_joints *joints, int body, cn_vec3 way);

// Places in the bodies, length, motor and last impulses of joint n as numbers, and back.
void cn_joint_gather(const cn_joints *joints, int n, double real[CN_JOINT_REALS]);
void cn_joint_restore(cn_joints *joints, const cn_bodies *b, int n, bool is_broken,
                      const double real[CN_JOINT_REALS]);

// Mounts of all joints as numbers, and back: how many there are; what is written or, checked, read.
size_t cn_joint_mount_reals(const cn_joints *joints);
void cn_joint_gather_mounts(const cn_joints *joints, double *real);
cn_status cn_joint_check_mounts(cn_joints *joints, const cn_bodies *b, const double *real,
                                size_t count, cn_error *err);
void cn_joint_restore_mounts(cn_joints *joints, const double *real);

// State of joint n of the present configuration.
void cn_joint_fill_state(cn_joints *joints, const cn_bodies *b, int n);
