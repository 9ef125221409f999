// scene/model.h -- a scene that has been read and checked, as plain data.
//
// Everything here is resolved: expressions are numbers, names are indices, defaults are filled in,
// ranges are checked. All memory belongs to the arena of the scene and lives as long as it.
//
// Body k of the scene is added to the world with id k + 1 (cn_scene_body_id), in this order, so
// that indices of bodies in selections turn into ids without a table. Group g of the scene is group
// g of the world, law n of the scene is law n of the world.
#pragma once

#include "cairn/analyse.h"
#include "cairn/body.h"
#include "cairn/cell.h"
#include "cairn/deformable.h"
#include "cairn/joint.h"
#include "cairn/law.h"
#include "cairn/load.h"
#include "cairn/scene.h"
#include "cairn/solver.h"
#include "scene/language/arena.h"

// Where something is written, for messages about scenes that have been read.
typedef struct cn_line {
    const char *file;
    int line;
} cn_line;

// Some bodies of the scene: increasing indices, none twice. `text` is the selector as written.
typedef struct cn_pick {
    int count;
    const int *body;
    const char *text;
    const char *set; // of their meshes, where one may be named; NULL: none
} cn_pick;

typedef struct cn_scene_material {
    const char *name;
    double density; // [kg/m3]
    double wear;    // [1/Pa]
    // Of meshes:
    bool is_deformable; // more than a density is given
    cn_plane plane;
    double thickness; // [m]
    cn_material_def def;
} cn_scene_material;

typedef struct cn_scene_law {
    const char *name;
    cn_law_def def;
} cn_scene_law;

// Bodies of one of the groups `a` against bodies of one of the groups `b`. One group CN_GROUP_ANY
// stands for all. Both directions match; the first rule that matches a pair wins.
typedef struct cn_scene_rule {
    int a_count, b_count;
    const int *a, *b; // groups of the world
    int law;          // or CN_LAW_NO_CONTACT
} cn_scene_rule;

// A set of nodes of a mesh that is held at rest along the axes of bits 1 << cn_dof.
typedef struct cn_scene_held {
    const char *set;
    unsigned fixed;
} cn_scene_held;

// One line of `bodies:`, which is one body or many.
typedef struct cn_scene_entry {
    const char *name;
    cn_line at;
    const char *tag;  // extra group name, or NULL
    int group;        // world group of its bodies
    int first, count; // its bodies
    const char *note; // what its generator has to say, or ""
    int held_count;
    const cn_scene_held *held; // of each of its meshes
    bool is_exploded;          // its bodies are pieces of one mesh: sets are shared among them
} cn_scene_entry;

// A body with the numbers by which selectors call it: `wall[course, position]`, `arch[k]`; both
// from 1. def.id and def.group are filled in; a single body has index 1, 1.
typedef struct cn_scene_body {
    cn_body_def def;
    int entry;
    int index[2];
    const char *label; // name of a block of a file: `bridge.voussoir_09`; NULL: it has numbers only
    const char *material; // of a piece of a mesh; NULL: none
    bool is_support;      // abutments and the like
    bool is_mass_auto;    // a wall whose mass is a share of that of the others
    double size;          // smallest extent [m]
    double mass;          // of a rigid body [kg]
} cn_scene_body;

// Whether the mesh of a body has a set of nodes: pieces of an exploded mesh have those they share.
bool cn_scene_body_has_set(const cn_scene *scene, int body, const char *set);

// NULL: the body is rigid.
static inline const cn_mesh_def *cn_body_mesh_of(const cn_body_def *def)
{
    return def->type == CN_BODY_MESH ? def->mesh.item : NULL;
}

// One line of `joints:`. The bodies of def are left 0 and its points that were not given zero: they
// follow from the mass centres. A chain is several joints, each body of `a` with the next; `each`
// joins every body of `a` to the world, with points and axes in the frame of the body.
typedef struct cn_scene_joint {
    const char *name;
    cn_pick a, b; // one body each; b of none: the world
    bool is_chain, is_each;
    int *pair;        // of nets and threads: two bodies of each joint, instead of the next one
    cn_vec3 *end;     // and its two ends; NULL: as a chain has them [m]
    double prestrain; // of a rod or cable: how much shorter than the distance it is [-]
    bool has_at, has_to;
    cn_joint_def def;
    int first, count; // its joints have the ids first + 1 ... first + count
} cn_scene_joint;

// A motor that a stage sets.
typedef struct cn_scene_motor {
    int joint;
    double speed, limit;
} cn_scene_motor;

// Imposed motion of every body of a selection, or of a set of their meshes; def.body is left 0. A
// drive of several degrees of freedom in the file is several of these. Functions count time from
// the start of the stage.
typedef struct cn_scene_drive {
    cn_pick bodies;
    cn_drive_def def;
    cn_line at;
} cn_scene_drive;

// Force or torque on every body of a selection, or on a set of their meshes; def.body is left 0.
typedef struct cn_scene_force {
    cn_pick bodies;
    cn_force_def def;
    cn_node_load_kind kind; // on meshes, where def is only a direction and a function
} cn_scene_force;

// Pressure around the bodies of a selection; the lists of def are left empty.
typedef struct cn_scene_around {
    cn_pick bodies, platens;
    cn_around_def def;
} cn_scene_around;

// Radii of the bodies of a selection that change; the list of def is left empty.
typedef struct cn_scene_growth {
    cn_pick bodies;
    cn_growth_def def;
} cn_scene_growth;

// Water, fill or wind on the free faces of a selection; the list of def is left empty.
typedef struct cn_scene_face_load {
    cn_pick bodies;
    cn_face_load_def def;
} cn_scene_face_load;

// Conditions on a selection. Speed of a body is |v| + |spin| size / 2, so that turning counts; held
// and driven degrees of freedom do not count.
typedef enum cn_condition_kind {
    CN_CONDITION_SPEED_BELOW =
        0,                    // every body is slower than `limit` [m/s], for `hold` seconds on end
    CN_CONDITION_SPEED_ABOVE, // some body is faster than `limit` [m/s]
    CN_CONDITION_MOVED,  // some mass centre is more than `limit` from where the stage began [m]
    CN_CONDITION_TURNED, // some body has turned by more than `limit` in the stage [rad]
    CN_CONDITION_ABOVE,  // an observed number is above `limit`, for `hold` seconds on end
    CN_CONDITION_BELOW,  // likewise below
    CN_CONDITION_KIND_COUNT
} cn_condition_kind;

typedef struct cn_scene_condition {
    cn_condition_kind kind;
    cn_pick bodies;
    int series; // of the observed numbers of a step
    double limit;
    double hold;      // [s]
    const char *text; // for the outcome of the run, e.g. "wall moved more than 0.2 m"
} cn_scene_condition;

// Change of held degrees of freedom at the start of a stage, kept in later stages.
typedef struct cn_scene_fix {
    cn_pick bodies;
    unsigned fixed;
} cn_scene_fix;

// Bodies that wait outside the world and enter in their order, one after the other.
typedef struct cn_scene_enter {
    cn_pick bodies;
    double rate; // bodies per second; they wait until there is room [1/s]
    bool has_box;
    double low[3], high[3]; // of places that are drawn; else they enter where they are defined [m]
} cn_scene_enter;

// Bodies that are taken away when their mass centre gets out of a box.
typedef struct cn_scene_leave {
    cn_pick bodies;
    double low[3], high[3]; // [m]
} cn_scene_leave;

// At its start a stage removes bodies and joints, changes what is held, sets motors, gravity and
// scheme, drops the loads of the stage before and adds its own. It lasts `duration`, or until one
// `until` condition holds. A `stop_when` condition ends the whole run.
typedef struct cn_scene_stage {
    const char *name;
    cn_line at, gravity_at;
    double h;        // time step [s]
    double duration; // at most [s]
    double theta, gamma;
    cn_deform_def deform;
    double gravity[3];                             // [m/s2]
    cn_cell_control cell[CN_CELL_COMPONENT_COUNT]; // of the scene's cell, if it has one
    cn_pick removed;
    int fix_count, drive_count, force_count, around_count, face_load_count;
    int until_count, stop_count;
    int released_count, motor_count, enter_count, leave_count, growth_count;
    const cn_scene_growth *growth;
    const cn_scene_enter *enter;
    const cn_scene_leave *leave;
    const int *released; // joints of the scene
    int rule_count;      // of the scene, with those of the stage first
    const cn_rule_def *rule;
    const cn_scene_motor *motor;
    const cn_scene_fix *fix;
    const cn_scene_drive *drive;
    const cn_scene_force *force;
    const cn_scene_around *around;
    const cn_scene_face_load *face_load;
    const cn_scene_condition *until;
    const cn_scene_condition *stop_when;
} cn_scene_stage;

// What its type makes of it (scene/observe/).
typedef struct cn_scene_observer {
    const char *name;
    const struct cn_observer_type *type;
    const cn_analysis *analysis; // of the type that observes quantities of samples
    const double *param;         // of that
    const double *content;       // volume of each body of `a` [m3]; NULL: not needed
    cn_pick a, b;
    const unsigned char *in_a, *in_b; // of each body of the scene; NULL: not needed
    cn_joint_id joint;
    double about[3];  // [m]
    double more_than; // way from which on bodies are lost [m]; NaN: their size
} cn_scene_observer;

// Force and torque of a load pattern on every body of a selection.
typedef struct cn_scene_limit_force {
    cn_pick bodies;
    double force[3], torque[3]; // world axes [N, N m]
    double at[3];               // in the frame of the body, from its mass centre [m]
} cn_scene_limit_force;

// A pattern of loads: mass times acceleration times the size of gravity, forces, and what is on
// free faces.
typedef struct cn_scene_limit_load {
    double acceleration[3];
    bool grows_with_height; // ... times the height of a mass centre above `base` over the mean one
    double base;            // [m]
    int force_count, face_load_count;
    const cn_scene_limit_force *force;
    const cn_scene_face_load *face_load;
} cn_scene_limit_load;

// A curve of the multiplier over the way of a point.
typedef struct cn_scene_limit_curve {
    cn_pick control; // one body, or none: no curve
    double at[3];    // in the frame of the body, from its mass centre [m]
    double until;    // [m]
    int steps;
} cn_scene_limit_curve;

// Axles that roll over blocks, in the plane.
typedef struct cn_scene_limit_axles {
    int count;
    const double *axle; // distance behind the first one and load of each [m, N]
    cn_pick on;
    double spread;   // of each load on the surface [m]
    double from, to; // places of the first axle [m]
    int steps;
} cn_scene_limit_axles;

// One line of `limit:`. Without a support the live load is that of `live`.
typedef struct cn_scene_limit {
    const char *name;
    cn_line at;
    cn_scene_limit_load live, dead;
    cn_pick support; // one body, or none
    double along[3]; // of the reaction of the support, length 1
    double gap;
    double close; // [m]; NaN: by the sizes of bodies
    double above; // NaN: not asked
    cn_scene_limit_curve curve;
    cn_scene_limit_axles axles;
    cn_scene_limit_load other; // beside `live`, of a domain
    int directions;            // of the domain; 0: none
} cn_scene_limit;

typedef struct cn_scene_output {
    double every;            // time between frames [s]; infinity: first and last only
    double checkpoint_every; // [s]; 0: at the end only
    int64_t history;         // steps from row to row of the history; 0: those of frames
    int64_t contacts_every;  // frames from one with contacts to the next; -1: the last one alone
    bool is_reduced;         // numbers in frames are rounded
    bool has_stress;         // frames hold stresses of meshes
} cn_scene_output;

// The state of another run that the scene starts from.
typedef struct cn_scene_start {
    const char *path; // NULL: it starts as its bodies say
    cn_line at;
    int frame; // of a result; negative: from the end
    bool is_at_rest;
    cn_pick bodies;                // that start from it; text NULL: all
    const char *const *name_there; // of each entry, NULL: the same; NULL for all: the same
} cn_scene_start;

struct cn_scene {
    cn_arena arena;
    const char *name; // file, as given
    const char *text; // as read, includes resolved
    size_t text_length;
    uint64_t hash;
    const char *title;
    int dim;
    double gravity[3];   // [m/s2]
    double theta, gamma; // both resolved
    bool has_cell;
    cn_line cell_at;
    cn_cell_def cell;
    cn_deform_def deform;
    cn_solver_def solver;
    double overlap_max; // accepted initial penetration over the size of the smaller body [-]
    int material_count, law_count, rule_count, group_count, entry_count, body_count, joint_count,
        stage_count, observer_count, limit_count;
    const cn_scene_material *material;
    const cn_scene_law *law;
    const cn_scene_rule *rule;
    const char *const *group; // names of the groups of the world; 0 is "default"
    const cn_scene_entry *entry;
    const cn_scene_body *body;
    unsigned char *waits; // of each body: not in the world at the start; NULL: all are
    const cn_scene_joint *joint;
    const cn_scene_stage *stage;
    const cn_scene_observer *observer;
    const cn_scene_limit *limit;
    cn_scene_output output;
    cn_scene_start start;
    const struct cn_value *value; // all keys with defaults, for cn_scene_explain
};

static inline cn_body_id cn_scene_body_id(int body)
{
    return (cn_body_id)body + 1;
}

// Resolves a selector: `any`, an entry or group name, `name.first`, `name.last`, `name[course,
// position]`, `name[k]` (course k, or position k where there is one course only); numbers count
// from 1, negative ones from the end. Supports count only in `name` and `name[course, position]`.
// Blocks of files have names: `name.voussoir_09`, and `name["arch*"]` for all that match; their
// numbers count supports too. Several selectors are separated by commas outside brackets. Another
// word after the point, as in `block.top` and `wall[3,2].left`, goes to pick->set: the same for all
// selectors. Memory comes from `arena`. CN_BAD_INPUT says what exists.
cn_status cn_scene_select(const cn_scene *scene, const char *text, cn_arena *arena, cn_pick *pick,
                          cn_error *err);

// Name of a body as a selector, for messages: "table", "wall[3,2]", "bridge.voussoir_09".
#define CN_BODY_NAME_MAX 96
void cn_scene_body_name(const cn_scene *scene, int body, char name[96]);

// Passes on the status of a call to the world; where it failed, bodies get their names in the
// message.
cn_status cn_scene_named(const cn_scene *scene, cn_status status, cn_error *err);

// Law of two groups: that of the first rule that matches, or CN_LAW_NO_CONTACT. CN_SCENE_NO_RULE:
// none does.
#define CN_SCENE_NO_RULE (-2)
int cn_scene_law_between(const cn_scene *scene, int group, int other);

// Worlds are built in parts: cn_scene_build is create, bodies, then the check of overlaps. A pair
// of bodies deeper in each other than scene->overlap_max is CN_BAD_INPUT; each (up to 20) is told.
cn_status cn_scene_check_overlaps(const cn_scene *scene, cn_world *w, cn_tell *told, void *context,
                                  cn_error *err);
