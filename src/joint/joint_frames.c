// joint/joint_frames.c -- where a joint is, its rows and its gaps, theory 7.1, 7.2 and 7.7.
//
// One table says which motions a kind stops; it is written for space. In the plane rows along z and
// rotations about x and y drop out.
#include <math.h>
#include <string.h>

#include "joint/joints.h"

// Axes of the frame as bits: the axis of the joint, then two across it.
enum { ALONG = 1, ACROSS = 2 | 4, ALL = 7 };

static const struct {
    unsigned point, spin;             // motions that are stopped
    unsigned motor_point, motor_spin; // motion that a motor drives
    int upright;                      // axis of the frame that is z in the plane
    cn_joint_type type;
} kind_table[CN_JOINT_KIND_COUNT] = {
    [CN_JOINT_BALL] = {ALL, 0, 0, 0, 0, {"ball", .is_point = true}},
    [CN_JOINT_HINGE] = {ALL,
                        ACROSS,
                        0,
                        ALONG,
                        0,
                        {"hinge", .is_point = true, .has_axis = true, .has_motor = true,
                         .is_motor_turning = true}},
    [CN_JOINT_SLIDER] = {ACROSS, ALL, ALONG, 0, 2, {"slider", .has_axis = true, .has_motor = true}},
    [CN_JOINT_FIXED] = {ALL, ALL, 0, 0, 0, {"fixed", .is_point = true, .is_fixed = true}},
    [CN_JOINT_ROD] = {ALONG, 0, 0, 0, 2, {"rod", .is_line = true}},
    [CN_JOINT_CABLE] = {ALONG, 0, 0, 0, 2, {"cable", .is_line = true, .is_one_sided = true}},
    [CN_JOINT_UNIVERSAL] = {ALL,
                            ALONG,
                            0,
                            0,
                            0,
                            {"universal", .is_point = true, .has_axis = true, .has_pin = true,
                             .is_spatial = true}},
    [CN_JOINT_CYLINDRICAL] = {ACROSS,
                              ACROSS,
                              ALONG,
                              0,
                              2,
                              {"cylindrical", .has_axis = true, .has_motor = true,
                               .is_spatial = true}},
    [CN_JOINT_IN_PLANE] = {ALONG, 0, 0, 0, 2, {"in_plane", .has_axis = true}},
};

const cn_joint_type *cn_joint_type_of(cn_joint_kind kind)
{
    return (unsigned)kind < CN_JOINT_KIND_COUNT ? &kind_table[kind].type : NULL;
}

const char *cn_joint_kind_name(cn_joint_kind kind)
{
    return (unsigned)kind < CN_JOINT_KIND_COUNT ? kind_table[kind].type.name : NULL;
}

static int list(unsigned bits, bool is_spin, int dim, int upright, cn_joint_row *row)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        bool exists = dim == 3 || (k == upright) == is_spin;
        if ((bits & 1u << k) != 0 && exists) {
            row[count++] = (cn_joint_row){.is_spin = is_spin, .axis = k};
        }
    }
    return count;
}

// The row of the motion that a joint leaves free.
static int list_free(const cn_link *link, int dim, cn_joint_row *row)
{
    int upright = kind_table[link->kind].upright;
    int rows = list(kind_table[link->kind].motor_point, false, dim, upright, row);
    return rows + list(kind_table[link->kind].motor_spin, true, dim, upright, row + rows);
}

void cn_link_list_rows(cn_link *link, int dim)
{
    cn_joint_row *row = link->row;
    int upright = kind_table[link->kind].upright, rows = 0;
    rows += list(kind_table[link->kind].point, false, dim, upright, row + rows);
    rows += list(kind_table[link->kind].spin, true, dim, upright, row + rows);
    link->rows = rows;
    if (link->motor_limit > 0.0) {
        rows += list_free(link, dim, row + rows);
    }
    link->motor_rows = rows - link->rows;
    for (int n = 0; n < CN_STOPS && link->stop[0] < link->stop[1]; n++) {
        int first = rows;
        rows += list_free(link, dim, row + rows);
        row[first].is_reversed = n == 1;
    }
    link->stop_rows = rows - link->rows - link->motor_rows;
}

cn_mat3 cn_joint_frame(cn_joint_kind kind, int dim, cn_vec3 axis, cn_vec3 pin)
{
    const cn_vec3 z = {0.0, 0.0, 1.0};
    cn_mat3 frame = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    bool has_axis = cn_norm3(axis) > 0.0;
    cn_vec3 along = has_axis ? cn_mul3(1.0 / cn_norm3(axis), axis) : frame.row[0];
    if (dim == 2 && kind_table[kind].upright == 0) {
        return (cn_mat3){{z, frame.row[0], frame.row[1]}};
    }
    if (dim == 2) {
        return (cn_mat3){{along, cn_cross3(z, along), z}};
    }
    if (kind_table[kind].type.has_pin) {
        cn_vec3 other = cn_mul3(1.0 / cn_norm3(pin), pin);
        return (cn_mat3){{cn_cross3(along, other), along, other}};
    }
    if (has_axis) {
        frame.row[0] = along;
        cn_tangents3(along, &frame.row[1], &frame.row[2]);
    }
    return frame;
}

bool cn_joint_kind_turns(cn_joint_kind kind)
{
    return kind_table[kind].spin != 0 || kind_table[kind].motor_spin != 0;
}

cn_body_pose cn_link_pose(const cn_link *link, int side, const cn_bodies *b, cn_link_at at)
{
    int slot = cn_link_slot(link, side);
    if (cn_link_is_mounted(link, side)) {
        cn_mount_at nodes = {at.x, at.dt};
        return (cn_body_pose){cn_mount_place(b->deformables, &link->mount[side], nodes),
                              cn_mount_turn_of(b->deformables, &link->mount[side], nodes).R};
    }
    if (slot < 0) {
        return (cn_body_pose){.R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
    }
    const double *q = cn_body_q(b, at.q, slot);
    double ahead[7];
    if (at.dt != 0.0) {
        b->kind->advance(q, cn_body_v(b, b->v, slot), at.dt, ahead);
    }
    return b->kind->pose(at.dt != 0.0 ? ahead : q);
}

cn_link_place cn_link_place_at(const cn_link *link, const cn_bodies *b, cn_link_at when)
{
    cn_body_pose i = cn_link_pose(link, 0, b, when), j = cn_link_pose(link, 1, b, when);
    cn_link_place at;
    at.point_i = cn_add3(i.x, cn_mat3_mul(&i.R, link->anchor_i));
    at.point_j = cn_add3(j.x, cn_mat3_mul(&j.R, link->anchor_j));
    for (int k = 0; k < 3; k++) {
        at.axis[k] = cn_mat3_mul(&j.R, link->frame_j.row[k]);
        at.turned[k] = cn_mat3_mul(&i.R, link->frame_i.row[k]);
    }
    cn_vec3 apart = cn_sub3(at.point_i, at.point_j);
    at.distance = cn_norm3(apart);
    if (kind_table[link->kind].type.has_pin) {
        cn_vec3 out = cn_cross3(at.axis[1], at.turned[2]);
        at.axis[0] = cn_mul3(1.0 / cn_norm3(out), out);
        at.axis[2] = at.turned[2];
    }
    if (cn_link_is_line(link) && at.distance > 0.0) {
        // A cable opens when its ends approach: the impulse that it can give points from i to j.
        double sign = cn_link_is_cable(link) ? -1.0 : 1.0;
        at.axis[0] = cn_mul3(sign / at.distance, apart);
    }
    return at;
}

// Turn of body i against body j (7.2): of the one axis in common, of the two pins of a cross, else
// of all three.
static cn_vec3 turn_between(const cn_link *link, const cn_link_place *at)
{
    if (kind_table[link->kind].type.has_pin) {
        return cn_mul3(-cn_dot3(at->axis[1], at->turned[2]), at->axis[0]);
    }
    cn_vec3 turn = cn_cross3(at->axis[0], at->turned[0]);
    if (kind_table[link->kind].spin == ACROSS) {
        return turn;
    }
    for (int k = 1; k < 3; k++) {
        turn = cn_add3(turn, cn_cross3(at->axis[k], at->turned[k]));
    }
    return cn_mul3(0.5, turn);
}

// Way to the stops (7.7). Of angles that which is nearest to the middle of the range.
static void stop_gaps(const cn_link *link, const cn_link_place *at, double *gap)
{
    double position = cn_link_position(link, at);
    bool is_angle = kind_table[link->kind].type.is_motor_turning;
    if (is_angle) {
        double middle = 0.5 * (link->stop[0] + link->stop[1]);
        position = middle + remainder(position - middle, 2.0 * CN_PI);
    }
    double scale = is_angle ? link->arm : 1.0;
    gap[0] = scale * (position - link->stop[0]);
    gap[1] = scale * (link->stop[1] - position);
}

void cn_link_gaps(const cn_link *link, const cn_link_place *at, double gap[CN_LINK_ROWS])
{
    if (cn_link_is_line(link)) {
        double stretch = at->distance - link->length;
        gap[0] = cn_link_is_cable(link) ? -stretch : stretch;
        return;
    }
    cn_vec3 apart = cn_sub3(at->point_i, at->point_j), turn = turn_between(link, at);
    for (int k = 0; k < link->rows; k++) {
        cn_vec3 axis = at->axis[link->row[k].axis];
        gap[k] = link->row[k].is_spin ? link->arm * cn_dot3(turn, axis) : cn_dot3(apart, axis);
    }
    if (link->stop_rows > 0) {
        stop_gaps(link, at, gap + link->rows + link->motor_rows);
    }
}

void cn_link_gap_sizes(const cn_link *link, const double *gap, double *distance, double *angle)
{
    double square[2] = {0.0, 0.0};
    for (int k = 0; k < link->rows; k++) {
        square[link->row[k].is_spin] += gap[k] * gap[k];
    }
    *distance = sqrt(square[0]);
    *angle = sqrt(square[1]) / link->arm;
    if (cn_link_is_line(link)) {
        *distance = cn_link_is_cable(link) ? fmax(0.0, -gap[0]) : gap[0];
    }
}

double cn_link_position(const cn_link *link, const cn_link_place *at)
{
    if (cn_link_is_line(link)) {
        return at->distance;
    }
    if (kind_table[link->kind].motor_point != 0) {
        return cn_dot3(cn_sub3(at->point_i, at->point_j), at->axis[0]);
    }
    if (kind_table[link->kind].motor_spin != 0) {
        return atan2(cn_dot3(at->turned[1], at->axis[2]), cn_dot3(at->turned[1], at->axis[1]));
    }
    return 0.0;
}

// H of row k for a side whose mass centre, or mount, is at x.
static void form_row(const cn_link *link, const cn_bodies *b, const cn_link_place *at, int k,
                     cn_vec3 x, double *H)
{
    double one[18] = {0.0}; // rows() fills as many as there are dimensions
    cn_vec3 axis = at->axis[link->row[k].axis];
    axis = link->row[k].is_reversed ? cn_neg3(axis) : axis;
    if (link->row[k].is_spin) {
        axis = cn_mul3(link->arm, axis);
        b->kind->spin_rows(1, &axis, one); // (4.3)
    } else {
        cn_axes frame = {.point = at->point_i, .axis = {axis}};
        b->kind->rows(&x.x, &frame, one); // (4.2)
    }
    memcpy(H, one, sizeof(double) * (size_t)b->kind->dof);
}

void cn_link_form_rows(const cn_link *link, const cn_bodies *b, cn_link_at when, cn_link_step *s)
{
    int dof = b->kind->dof;
    double *const H[2] = {s->H_i, s->H_j};
    cn_link_place at = cn_link_place_at(link, b, when);
    for (int side = 0; side < 2; side++) {
        if (cn_link_is_mounted(link, side)) {
            s->turn[side] = cn_mount_turn_of(b->deformables, &link->mount[side],
                                             (cn_mount_at){when.x, when.dt});
        }
        cn_vec3 x = cn_link_pose(link, side, b, when).x;
        for (int k = 0; k < cn_link_all_rows(link) && cn_link_slot(link, side) >= 0; k++) {
            form_row(link, b, &at, k, x, H[side] + dof * k);
        }
    }
}

// Velocity of one side as that of a rigid body.
static void side_velocity(const cn_link *link, const cn_link_step *s, int side, const cn_bodies *b,
                          const double *body_v, const double *node_v, double v[6])
{
    int slot = cn_link_slot(link, side);
    if (!cn_link_is_mounted(link, side)) {
        memcpy(v, cn_body_v(b, body_v, slot), sizeof(double) * (size_t)b->kind->dof);
        return;
    }
    cn_vec3 velocity, rate;
    cn_mount_velocity(b->deformables, &link->mount[side], &s->turn[side], node_v, &velocity, &rate);
    memcpy(v, &velocity, sizeof(double) * (size_t)b->dim);
    memcpy(v + b->dim, b->dim == 2 ? &rate.z : &rate.x,
           sizeof(double) * (size_t)(b->kind->dof - b->dim));
}

void cn_link_velocity(const cn_link *link, const cn_link_step *s, const cn_bodies *b,
                      const double *body_v, const double *node_v, double *u)
{
    int dof = b->kind->dof;
    const double *const H[2] = {s->H_i, s->H_j};
    double along[2][CN_LINK_ROWS] = {{0.0}};
    for (int side = 0; side < 2 && cn_link_slot(link, side) >= 0; side++) {
        double v[6];
        side_velocity(link, s, side, b, body_v, node_v, v);
        for (int k = 0; k < cn_link_all_rows(link); k++) {
            for (int d = 0; d < dof; d++) {
                along[side][k] += H[side][dof * k + d] * v[d];
            }
        }
    }
    for (int k = 0; k < cn_link_all_rows(link); k++) {
        u[k] = along[0][k] - along[1][k];
    }
}

double cn_link_energy_now(const cn_link *link, const cn_bodies *b)
{
    if (!cn_link_is_elastic(link) || link->is_broken) {
        return 0.0;
    }
    double gap[CN_LINK_ROWS];
    cn_link_place at = cn_link_place_at(link, b, cn_link_now(b));
    cn_link_gaps(link, &at, gap);
    return cn_link_energy(link, gap[0]);
}

double cn_joints_energy(const cn_joints *joints, const cn_bodies *b)
{
    double sum = 0.0;
    for (int n = 0; n < joints->count; n++) {
        sum += cn_link_energy_now(&joints->link[n], b);
    }
    return sum;
}

double cn_link_energy(const cn_link *link, double gap)
{
    bool is_slack = cn_link_is_cable(link) && gap > 0.0;
    return is_slack ? 0.0 : 0.5 * link->stiffness * gap * gap;
}
