// joint/joints.c -- storage of joints: check, add, remove, find.
#include "joint/joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cn_joints_init(cn_joints *joints, const cn_hooks *hooks)
{
    *joints = (cn_joints){.hooks = hooks, .id_next = 1};
}

static void free_mounts(const cn_joints *joints, cn_link *link)
{
    cn_mount_free(joints->hooks, &link->mount[0]);
    cn_mount_free(joints->hooks, &link->mount[1]);
}

void cn_joints_free(cn_joints *joints)
{
    for (int n = 0; n < joints->count; n++) {
        free_mounts(joints, &joints->link[n]);
    }
    cn_release(joints->hooks, joints->wide);
    cn_release(joints->hooks, joints->response);
    cn_release(joints->hooks, joints->W_row);
    cn_release(joints->hooks, joints->W_col);
    cn_release(joints->hooks, joints->W_start);
    cn_release(joints->hooks, joints->link);
    cn_release(joints->hooks, joints->step);
    cn_release(joints->hooks, joints->state);
    cn_release(joints->hooks, joints->apart);
    cn_joints_init(joints, joints->hooks);
}

int cn_joints_find(const cn_joints *joints, cn_joint_id id)
{
    for (int n = 0; n < joints->count; n++) {
        if (joints->link[n].id == id) {
            return n;
        }
    }
    return -1;
}

static cn_vec3 vec_at(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

static bool is_line(const cn_joint_def *def)
{
    return cn_joint_type_of(def->kind)->is_line;
}

// A body that nothing can move, or the world.
static bool is_immovable(const cn_bodies *b, int i)
{
    if (i >= 0 && b->deformable[i] >= 0) {
        unsigned axes = 1u << CN_DOF_X | 1u << CN_DOF_Y | (b->dim == 3 ? 1u << CN_DOF_Z : 0u);
        return (b->deformables->body[b->deformable[i]].fixed & axes) == axes;
    }
    unsigned all = b->dim == 2 ? CN_DOFS_PLANE : CN_FIXED_ALL;
    return i < 0 || (b->fixed[i] & all) == all;
}

static cn_status check_bodies(const cn_bodies *b, const cn_joint_def *def, int *i, int *j,
                              cn_error *err)
{
    const char *name = cn_joint_kind_name(def->kind);
    *i = cn_bodies_find(b, def->body);
    *j = def->other == 0 ? -1 : cn_bodies_find(b, def->other);
    if (*i < 0 || (*j < 0 && def->other != 0)) {
        return cn_fail(err, CN_BAD_INPUT, "a %s joins body %llu, which does not exist", name,
                       (unsigned long long)(*i < 0 ? def->body : def->other));
    }
    if (*i == *j && (b->deformable[*i] < 0 || !is_line(def))) {
        return cn_fail(err, CN_BAD_INPUT, "a %s joins body %llu to itself: name two bodies", name,
                       (unsigned long long)def->body);
    }
    if (is_immovable(b, *i) && is_immovable(b, *j)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s joins two bodies that are both fixed: leave it out or free one", name);
    }
    return CN_OK;
}

// Where the range of a hinge or slider ends: it starts within, and turns less than once.
static cn_status check_stops(const cn_joint_def *def, cn_error *err)
{
    const char *name = cn_joint_kind_name(def->kind);
    double low = def->limit[0], high = def->limit[1], e = def->limit_restitution;
    bool has_stops = low != 0.0 || high != 0.0;
    if (!has_stops && e == 0.0) {
        return CN_OK;
    }
    if (!cn_joint_type_of(def->kind)->has_motor) {
        return cn_fail(err, CN_BAD_INPUT, "a %s has limits: a hinge or a slider has them", name);
    }
    if (!(low <= 0.0 && high >= 0.0 && low < high) || !isfinite(high - low)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s has limits %g and %g: they are about where it starts, one <= 0 and "
                       "one >= 0",
                       name, low, high);
    }
    if (cn_joint_type_of(def->kind)->is_motor_turning && !(high - low < 2.0 * CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s has limits %g and %g rad: they must be less than one turn apart", name,
                       low, high);
    }
    if (!(e >= 0.0 && e <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "a %s has limits with restitution %g: it is from 0 to 1",
                       name, e);
    }
    return CN_OK;
}

// In the plane the axis of a point that stays is z.
static cn_status check_axes(const cn_bodies *b, const cn_joint_def *def, cn_error *err)
{
    const cn_joint_type *type = cn_joint_type_of(def->kind);
    cn_vec3 axis = vec_at(def->axis), pin = vec_at(def->pin);
    if (type->is_spatial && b->dim == 2) {
        return cn_fail(err, CN_BAD_INPUT, "a %s is a joint of space: take a hinge or a slider",
                       type->name);
    }
    bool needs_axis = type->has_axis && (b->dim == 3 || !type->is_point);
    if (needs_axis && !(cn_norm3(axis) > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "a %s has axis (%g, %g, %g): it must not be zero",
                       type->name, axis.x, axis.y, axis.z);
    }
    double size = cn_norm3(axis) * cn_norm3(pin);
    if (type->has_pin && !(fabs(cn_dot3(axis, pin)) < 1e-6 * size)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s has axis (%g, %g, %g) and pin (%g, %g, %g): they must be at right "
                       "angles",
                       type->name, axis.x, axis.y, axis.z, pin.x, pin.y, pin.z);
    }
    return CN_OK;
}

static cn_status check_numbers(const cn_bodies *b, const cn_joint_def *def, cn_error *err)
{
    const char *name = cn_joint_kind_name(def->kind);
    double sum = def->motor_speed;
    for (int k = 0; k < 3; k++) {
        sum += def->at[k] + def->to[k] + def->axis[k] + def->pin[k];
    }
    if (!isfinite(sum)) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a %s has a point, an axis or a speed that is not finite; a point may be left "
            "out where a set of a deformable body is named",
            name);
    }
    CN_TRY(check_stops(def, err));
    const struct {
        const char *what;
        double value;
        bool is_used;
    } number[] = {
        {"length", def->length, is_line(def)},
        {"stiffness", def->stiffness, is_line(def)},
        {"damping", def->damping, is_line(def) && def->stiffness > 0.0},
        {"strength", def->strength, true},
        {"yield", def->yield, is_line(def) && def->stiffness > 0.0},
        {"motor limit", def->motor_limit, cn_joint_type_of(def->kind)->has_motor},
    };
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        if (!(number[k].value >= 0.0) || !isfinite(number[k].value)) {
            return cn_fail(err, CN_BAD_INPUT, "a %s has %s %g: it must be >= 0", name,
                           number[k].what, number[k].value);
        }
        if (number[k].value > 0.0 && !number[k].is_used) {
            return cn_fail(err, CN_BAD_INPUT, "a %s has no use for %s %g%s", name, number[k].what,
                           number[k].value, k == 2 || k == 4 ? " without a stiffness" : "");
        }
    }
    if (def->yield > 0.0 && def->damping > 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s with a yield of %g N has damping %g N s/m: leave the damping out, "
                       "yielding takes the energy",
                       name, def->yield, def->damping);
    }
    return check_axes(b, def, err);
}

// The length of a rod or cable at its start, and what may be wrong with it. Mass centres are known
// up to rounding: ends within 1e-6 of the arm are one point, and a line between them points
// nowhere.
static cn_status find_length(const cn_joint_def *def, double arm, double *length, cn_error *err)
{
    double distance = cn_norm3(cn_sub3(vec_at(def->at), vec_at(def->to)));
    bool is_point = !(distance > 1e-6 * arm);
    *length = def->length > 0.0 ? def->length : distance;
    if (is_point && (def->kind == CN_JOINT_ROD || def->length == 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s has both ends at (%g, %g, %g): a ball joins two bodies at a point",
                       cn_joint_kind_name(def->kind), def->at[0], def->at[1], def->at[2]);
    }
    double excess = distance - *length;
    bool is_rigid = def->stiffness == 0.0;
    if (is_rigid && def->kind == CN_JOINT_CABLE && excess > 1e-9 * *length) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a cable of length %g m has its ends %g m apart: make it longer, or give "
                       "it a stiffness to start stretched",
                       *length, distance);
    }
    if (is_rigid && def->kind == CN_JOINT_ROD && fabs(excess) > 1e-9 * *length) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a rod of length %g m has its ends %g m apart: leave the length out, or "
                       "give it a stiffness to start stretched or pressed",
                       *length, distance);
    }
    return CN_OK;
}

// Length that makes rotations comparable with displacements: the reach of the smaller moving body.
static double arm_of(const cn_bodies *b, int i, int j)
{
    double arm = is_immovable(b, i) ? INFINITY : b->reach[i];
    arm = is_immovable(b, j) ? arm : fmin(arm, b->reach[j]);
    return isfinite(arm) && arm > 0.0 ? arm : 1.0;
}

// Places and axes as the two bodies carry them.
static void enter_frames(const cn_bodies *b, const cn_joint_def *def, cn_link *link)
{
    bool line = is_line(def);
    cn_vec3 at = vec_at(def->at), to = line ? vec_at(def->to) : at;
    cn_mat3 frame = cn_joint_frame(def->kind, b->dim, line ? cn_sub3(at, to) : vec_at(def->axis),
                                   vec_at(def->pin));
    cn_body_pose i = cn_link_pose(link, 0, b, cn_link_now(b));
    cn_body_pose j = cn_link_pose(link, 1, b, cn_link_now(b));
    link->anchor_i = cn_mat3_mul_transposed(&i.R, cn_sub3(at, i.x));
    link->anchor_j = cn_mat3_mul_transposed(&j.R, cn_sub3(to, j.x));
    for (int k = 0; k < 3; k++) {
        link->frame_i.row[k] = cn_mat3_mul_transposed(&i.R, frame.row[k]);
        link->frame_j.row[k] = cn_mat3_mul_transposed(&j.R, frame.row[k]);
    }
}

// Fastens one side of a joint to a deformable body: at a set, or at the point where it is.
static cn_status fasten(const cn_joints *joints, const cn_bodies *b, const cn_joint_def *def,
                        int side, cn_link *link, cn_error *err)
{
    int slot = cn_link_slot(link, side);
    const char *set = side == 0 ? def->body_set : def->other_set;
    const char *name = cn_joint_kind_name(def->kind);
    unsigned long long id = side == 0 ? def->body : def->other;
    if (slot < 0 || b->deformable[slot] < 0) {
        return set == NULL ? CN_OK
                           : cn_fail(err, CN_BAD_INPUT,
                                     "a %s names set '%.60s' of body %llu, which is not deformable",
                                     name, set, id);
    }
    cn_mount *mount = &link->mount[side];
    cn_error why = {0};
    const double *at = side == 1 && is_line(def) ? def->to : def->at;
    cn_status status = set != NULL ? cn_mount_set(joints->hooks, b->deformables,
                                                  b->deformable[slot], set, mount, &why)
                                   : cn_mount_point(joints->hooks, b->deformables,
                                                    b->deformable[slot], vec_at(at), mount, &why);
    if (status != CN_OK) {
        return cn_fail(err, status, "a %s joins body %llu, which %s", name, id, why.text);
    }
    bool carries_axis = side == 1 && cn_joint_type_of(def->kind)->has_axis;
    if ((cn_joint_kind_turns(def->kind) || carries_axis) && !mount->has_frame) {
        return cn_fail(err, CN_BAD_INPUT, "a %s joins body %llu, which is deformable, at %s: %s",
                       name, id,
                       set != NULL ? "a set whose nodes lie on a line" : "a point without a frame",
                       def->kind == CN_JOINT_HINGE && b->dim == 2
                           ? "name a set of its mesh, or take a ball, which is the same pin"
                           : "name a set of its mesh that spans a face, or take a ball");
    }
    return CN_OK;
}

// Points that are left out are means of sets; others are moved to the point of a mesh that they
// mean.
static void find_point(const cn_bodies *b, const cn_link *link, int side, double at[3])
{
    if (cn_link_is_mounted(link, side) && (isnan(at[0]) || !link->mount[side].has_frame)) {
        cn_vec3 x = cn_link_pose(link, side, b, cn_link_now(b)).x;
        memcpy(at, &x, 3 * sizeof *at);
    }
    if (b->dim == 2) {
        at[2] = 0.0;
    }
}

// Fastens both sides; the points of the definition are then those of the joint.
static cn_status fasten_sides(const cn_joints *joints, const cn_bodies *b, cn_joint_def *def,
                              cn_link *link, cn_error *err)
{
    const double given[3] = {def->at[0], def->at[1], def->at[2]};
    int first = def->body_set == NULL && def->other_set != NULL; // sets say where it is
    for (int n = 0; n < 2; n++) {
        int side = n == 0 ? first : 1 - first;
        CN_TRY(fasten(joints, b, def, side, link, err));
        find_point(b, link, side, side == 1 && is_line(def) ? def->to : def->at);
    }
    bool is_given = !is_line(def) && isfinite(given[0] + given[1] + given[2]);
    double way = cn_norm3(cn_sub3(vec_at(def->at), vec_at(given)));
    for (int side = 0; side < 2 && is_given; side++) {
        const cn_mount *mount = &link->mount[side];
        bool is_between_nodes = mount->mesh >= 0 && !mount->has_frame &&
                                (side == 0 ? def->body_set : def->other_set) != NULL;
        if (is_between_nodes &&
            way > 1e-6 * cn_deformable_model(b->deformables, mount->mesh)->size) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a %s is at (%g, %g, %g), %.3g m from the mean of the set it is "
                           "fastened to, whose nodes lie on a line and hold no arm: leave the "
                           "point out",
                           cn_joint_kind_name(def->kind), given[0], given[1], given[2], way);
        }
    }
    return CN_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void cn_joints_sort_apart(cn_joints *joints)
{
    if (!joints->is_apart_stale) {
        return;
    }
    joints->is_apart_stale = false;
    joints->apart_count = 0;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        if (link->is_apart && link->j >= 0) {
            joints->apart[joints->apart_count++] = cn_pair_apart(link->i, link->j);
        }
    }
    if (joints->apart_count > 0) {
        qsort(joints->apart, (size_t)joints->apart_count, sizeof *joints->apart, compare_pairs);
    }
}

// A joint as it is defined, without its place in the arrays.
static cn_status define(const cn_joints *joints, const cn_bodies *b, const cn_joint_def *given,
                        cn_link *link, cn_error *err)
{
    cn_joint_def def = *given;
    CN_TRY(check_bodies(b, &def, &link->i, &link->j, err));
    CN_TRY(fasten_sides(joints, b, &def, link, err));
    CN_TRY(check_numbers(b, &def, err));
    link->arm = arm_of(b, link->i, link->j);
    if (is_line(&def)) {
        CN_TRY(find_length(&def, link->arm, &link->length, err));
    }
    enter_frames(b, &def, link);
    cn_link_list_rows(link, b->dim);
    return CN_OK;
}

cn_status cn_joints_add(cn_joints *joints, const cn_bodies *b, const cn_joint_def *def,
                        cn_error *err)
{
    if ((unsigned)def->kind >= CN_JOINT_KIND_COUNT) {
        return cn_fail(err, CN_BAD_INPUT, "there is no joint of kind %d", (int)def->kind);
    }
    size_t count = (size_t)joints->count + 1;
    CN_TRY(cn_reserve(joints->hooks, &joints->link, &joints->link_capacity, count, err));
    CN_TRY(cn_reserve(joints->hooks, &joints->step, &joints->step_capacity, count, err));
    CN_TRY(cn_reserve(joints->hooks, &joints->state, &joints->state_capacity, count, err));
    CN_TRY(cn_reserve(joints->hooks, &joints->apart, &joints->apart_capacity, count, err));
    cn_link link = {.kind = def->kind,
                    .mount = {CN_MOUNT_NONE, CN_MOUNT_NONE},
                    .stiffness = def->stiffness,
                    .damping = def->damping,
                    .yield = def->yield,
                    .strength = def->strength,
                    .motor_speed = def->motor_speed,
                    .motor_limit = def->motor_limit,
                    .stop = {def->limit[0], def->limit[1]},
                    .restitution = def->limit_restitution,
                    .is_apart = !is_line(def) && !def->is_contact_kept};
    cn_status status = define(joints, b, def, &link, err);
    if (status != CN_OK) {
        free_mounts(joints, &link);
        return status;
    }
    link.id = joints->id_next++;
    int n = joints->count++;
    joints->link[n] = link;
    joints->step[n] = (cn_link_step){.constraint = -1};
    cn_joint_fill_state(joints, b, n);
    joints->is_apart_stale = true;
    return CN_OK;
}

void cn_joints_remove(cn_joints *joints, int n)
{
    free_mounts(joints, &joints->link[n]);
    cn_close_gap(joints->link, sizeof *joints->link, n, 1, joints->count);
    cn_close_gap(joints->step, sizeof *joints->step, n, 1, joints->count);
    cn_close_gap(joints->state, sizeof *joints->state, n, 1, joints->count);
    joints->count--;
    joints->is_apart_stale = true;
}

void cn_joints_forget_body(cn_joints *joints, int removed, int removed_mesh)
{
    for (int n = joints->count - 1; n >= 0; n--) {
        if (joints->link[n].i == removed || joints->link[n].j == removed) {
            cn_joints_remove(joints, n);
        }
    }
    for (int n = 0; n < joints->count; n++) {
        cn_link *link = &joints->link[n];
        link->i -= link->i > removed;
        link->j -= link->j > removed;
        for (int side = 0; side < 2 && removed_mesh >= 0; side++) {
            link->mount[side].mesh -= link->mount[side].mesh > removed_mesh;
        }
        joints->state[n].i = link->i;
        joints->state[n].j = link->j;
        joints->step[n] = (cn_link_step){.constraint = -1}; // the last step is no longer shown
    }
    joints->is_apart_stale = true;
}
