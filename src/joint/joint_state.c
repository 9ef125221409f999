// joint/joint_state.c -- joints as observers and checkpoints see them.
#include <math.h>
#include <string.h>

#include "joint/joints.h"

// Rate of the angle, way or distance that cn_link_position gives.
static double speed_of(const cn_link *link, const cn_bodies *b)
{
    cn_link free = *link; // as if it had a motor: its row measures the motion that is left
    cn_link_step s;
    double u[CN_LINK_ROWS];
    free.motor_limit = 1.0;
    cn_link_list_rows(&free, b->dim);
    cn_link_form_rows(&free, b, cn_link_now(b), &s);
    cn_link_velocity(&free, &s, b, b->v, b->deformables->v, u);
    if (cn_link_is_line(link)) {
        return cn_link_is_cable(link) ? -u[0] : u[0];
    }
    if (free.motor_rows == 0) {
        return 0.0;
    }
    return free.row[free.rows].is_spin ? u[free.rows] / free.arm : u[free.rows];
}

static double position_of(const cn_link *link, const cn_bodies *b)
{
    cn_link_place at = cn_link_place_at(link, b, cn_link_now(b));
    return cn_link_position(link, &at);
}

static void put(cn_vec3 a, double *x)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

void cn_joint_fill_state(cn_joints *joints, const cn_bodies *b, int n)
{
    const cn_link *link = &joints->link[n];
    const cn_link_step *s = &joints->step[n];
    bool acts = s->constraint >= 0;
    cn_joint_state *to = &joints->state[n];
    *to = (cn_joint_state){.id = link->id,
                           .kind = link->kind,
                           .i = link->i,
                           .j = link->j,
                           .is_broken = link->is_broken,
                           .position = position_of(link, b),
                           .speed = speed_of(link, b)};
    cn_link_place at = cn_link_place_at(link, b, acts ? cn_link_mid(b) : cn_link_now(b));
    cn_vec3 impulse = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
    for (int k = 0; k < link->rows && acts; k++) {
        cn_vec3 axis = at.axis[link->row[k].axis];
        if (link->row[k].is_spin) {
            moment = cn_add_mul3(moment, link->arm * s->r[k], axis);
        } else {
            impulse = cn_add_mul3(impulse, s->r[k], axis);
        }
    }
    put(impulse, to->impulse);
    put(moment, to->moment);
    put(at.point_i, to->point);
    put(at.point_j, to->end);
    put(cn_link_is_cable(link) ? cn_neg3(at.axis[0]) : at.axis[0], to->axis);
    if (acts) {
        bool is_angle = cn_joint_type_of(link->kind)->is_motor_turning; // the free motion
        double arm = is_angle ? link->arm : 1.0;
        const double *stop = s->r + link->rows + link->motor_rows;
        to->motor = link->motor_rows == 0 ? 0.0 : s->r[link->rows] * arm;
        to->stop = link->stop_rows == 0 ? 0.0 : (stop[0] - stop[1]) * arm;
        cn_link_gap_sizes(link, s->gap, &to->gap, &to->gap_angle);
    }
}

void cn_joint_gather(const cn_joints *joints, int n, double real[CN_JOINT_REALS])
{
    const cn_link *link = &joints->link[n];
    const double numbers[] = {link->length, link->motor_speed, link->motor_limit, link->arm};
    put(link->anchor_i, real);
    put(link->anchor_j, real + 3);
    for (int k = 0; k < 3; k++) {
        put(link->frame_i.row[k], real + 6 + 3 * k);
        put(link->frame_j.row[k], real + 15 + 3 * k);
    }
    memcpy(real + 24, numbers, sizeof numbers);
    memcpy(real + 28, link->r, sizeof link->r);
}

static cn_vec3 take(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

void cn_joint_restore(cn_joints *joints, const cn_bodies *b, int n, bool is_broken,
                      const double real[CN_JOINT_REALS])
{
    cn_link *link = &joints->link[n];
    link->anchor_i = take(real);
    link->anchor_j = take(real + 3);
    for (int k = 0; k < 3; k++) {
        link->frame_i.row[k] = take(real + 6 + 3 * k);
        link->frame_j.row[k] = take(real + 15 + 3 * k);
    }
    link->length = real[24];
    link->motor_speed = real[25];
    link->motor_limit = real[26];
    link->arm = real[27];
    memcpy(link->r, real + 28, sizeof link->r);
    link->is_broken = is_broken;
    cn_link_list_rows(link, b->dim);
    joints->step[n] = (cn_link_step){.constraint = -1};
    cn_joint_fill_state(joints, b, n);
}

// A mount as numbers: how many nodes, whether it has a frame, then node, weight and lever of each.
enum { MOUNT_HEAD = 2, MOUNT_NODE = 5 };

static size_t mount_reals(const cn_mount *mount)
{
    return mount->mesh < 0 ? 0 : MOUNT_HEAD + MOUNT_NODE * (size_t)mount->count;
}

size_t cn_joint_mount_reals(const cn_joints *joints)
{
    size_t count = 0;
    for (int n = 0; n < joints->count; n++) {
        count += mount_reals(&joints->link[n].mount[0]) + mount_reals(&joints->link[n].mount[1]);
    }
    return count;
}

void cn_joint_gather_mounts(const cn_joints *joints, double *real)
{
    for (int s = 0; s < 2 * joints->count; s++) {
        const cn_mount *mount = &joints->link[s / 2].mount[s % 2];
        if (mount->mesh < 0) {
            continue;
        }
        *real++ = mount->count;
        *real++ = mount->has_frame;
        for (int n = 0; n < mount->count; n++, real += MOUNT_NODE) {
            real[0] = mount->node[n];
            real[1] = mount->weight[n];
            put(mount->lever[n], real + 2);
        }
    }
}

// Whether `left` numbers begin with a mount on a mesh of that many nodes.
static bool is_sound_mount(const double *real, size_t left, int node_count)
{
    bool is_sound = left >= MOUNT_HEAD && real[0] >= 1.0 && real[0] <= node_count &&
                    left >= MOUNT_HEAD + MOUNT_NODE * (size_t)real[0];
    for (int n = 0; is_sound && n < (int)real[0]; n++) {
        double node = real[MOUNT_HEAD + MOUNT_NODE * n];
        is_sound = node >= 0.0 && node < node_count;
    }
    return is_sound;
}

cn_status cn_joint_check_mounts(cn_joints *joints, const cn_bodies *b, const double *real,
                                size_t count, cn_error *err)
{
    size_t at = 0;
    for (int s = 0; s < 2 * joints->count; s++) {
        cn_mount *mount = &joints->link[s / 2].mount[s % 2];
        if (mount->mesh < 0) {
            continue;
        }
        int nodes = cn_deformable_model(b->deformables, mount->mesh)->mesh->node_count;
        if (!is_sound_mount(real + at, count - at, nodes)) {
            return cn_fail(err, CN_BAD_INPUT, "the state holds joint %llu on another mesh",
                           (unsigned long long)joints->link[s / 2].id);
        }
        CN_TRY(cn_mount_reserve(joints->hooks, mount, (int)real[at], err));
        at += MOUNT_HEAD + MOUNT_NODE * (size_t)real[at];
    }
    return at == count ? CN_OK
                       : cn_fail(err, CN_BAD_INPUT, "the state holds more joints on meshes");
}

void cn_joint_restore_mounts(cn_joints *joints, const double *real)
{
    for (int s = 0; s < 2 * joints->count; s++) {
        cn_mount *mount = &joints->link[s / 2].mount[s % 2];
        if (mount->mesh < 0) {
            continue;
        }
        mount->count = (int)real[0];
        mount->has_frame = real[1] != 0.0;
        real += MOUNT_HEAD;
        for (int n = 0; n < mount->count; n++, real += MOUNT_NODE) {
            mount->node[n] = (int)real[0];
            mount->weight[n] = real[1];
            mount->lever[n] = take(real + 2);
        }
    }
}

void cn_joint_move_frame(cn_joints *joints, int body, cn_vec3 way)
{
    for (int n = 0; n < joints->count; n++) {
        cn_link *link = &joints->link[n];
        link->anchor_i = link->i == body ? cn_sub3(link->anchor_i, way) : link->anchor_i;
        link->anchor_j = link->j == body ? cn_sub3(link->anchor_j, way) : link->anchor_j;
    }
}
