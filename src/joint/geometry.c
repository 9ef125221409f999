// joint/geometry.c -- where a joint is, its rows and its gaps, theory 4.31 and 4.32.
//
// One table says which motions a kind stops; it is written for space. In the plane rows along z and
// rotations about x and y drop out.
#include <math.h>
#include <string.h>

#include "joint/joints.h"

// Axes of the frame as bits: the axis of the joint, then two across it.
enum { ALONG = 1, ACROSS = 2 | 4, ALL = 7 };

static const struct {
    const char *name;
    unsigned point, spin;             // motions that are stopped
    unsigned motor_point, motor_spin; // motion that a motor drives
    int upright;                      // axis of the frame that is z in the plane
} kind_table[CN_JOINT_KIND_COUNT] = {
    [CN_JOINT_BALL] = {"ball", ALL, 0, 0, 0, 0},
    [CN_JOINT_HINGE] = {"hinge", ALL, ACROSS, 0, ALONG, 0},
    [CN_JOINT_SLIDER] = {"slider", ACROSS, ALL, ALONG, 0, 2},
    [CN_JOINT_FIXED] = {"fixed", ALL, ALL, 0, 0, 0},
    [CN_JOINT_ROD] = {"rod", ALONG, 0, 0, 0, 2},
    [CN_JOINT_CABLE] = {"cable", ALONG, 0, 0, 0, 2},
};

const char *cn_joint_kind_name(cn_joint_kind kind)
{
    return (unsigned)kind < CN_JOINT_KIND_COUNT ? kind_table[kind].name : NULL;
}

static int list(unsigned bits, bool is_spin, int dim, int upright, cn_joint_row *row)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        bool exists = dim == 3 || (k == upright) == is_spin;
        if ((bits & 1u << k) != 0 && exists) {
            row[count++] = (cn_joint_row){is_spin, k};
        }
    }
    return count;
}

void cn_link_list_rows(cn_link *link, int dim)
{
    cn_joint_row *row = link->row;
    int upright = kind_table[link->kind].upright, rows = 0;
    rows += list(kind_table[link->kind].point, false, dim, upright, row + rows);
    rows += list(kind_table[link->kind].spin, true, dim, upright, row + rows);
    link->rows = rows;
    link->motor_rows = 0;
    if (link->motor_limit > 0.0) {
        rows += list(kind_table[link->kind].motor_point, false, dim, upright, row + rows);
        rows += list(kind_table[link->kind].motor_spin, true, dim, upright, row + rows);
        link->motor_rows = rows - link->rows;
    }
}

bool cn_joint_kind_has_motor(cn_joint_kind kind)
{
    return kind_table[kind].motor_point != 0 || kind_table[kind].motor_spin != 0;
}

cn_mat3 cn_joint_frame(cn_joint_kind kind, int dim, cn_vec3 axis)
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
    if (has_axis) {
        frame.row[0] = along;
        cn_tangents3(along, &frame.row[1], &frame.row[2]);
    }
    return frame;
}

cn_body_pose cn_link_pose(const cn_bodies *b, const double *q)
{
    if (q == NULL) {
        return (cn_body_pose){.R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
    }
    return b->kind->pose(q);
}

cn_link_place cn_link_place_at(const cn_link *link, const cn_bodies *b, const double *q)
{
    return cn_link_place_between(link, b, cn_body_q(b, q, link->i),
                                 link->j < 0 ? NULL : cn_body_q(b, q, link->j));
}

cn_link_place cn_link_place_between(const cn_link *link, const cn_bodies *b, const double *q_i,
                                    const double *q_j)
{
    cn_body_pose i = cn_link_pose(b, q_i), j = cn_link_pose(b, q_j);
    cn_link_place at;
    at.point_i = cn_add3(i.x, cn_mat3_mul(&i.R, link->anchor_i));
    at.point_j = cn_add3(j.x, cn_mat3_mul(&j.R, link->anchor_j));
    for (int k = 0; k < 3; k++) {
        at.axis[k] = cn_mat3_mul(&j.R, link->frame_j.row[k]);
        at.turned[k] = cn_mat3_mul(&i.R, link->frame_i.row[k]);
    }
    cn_vec3 apart = cn_sub3(at.point_i, at.point_j);
    at.distance = cn_norm3(apart);
    if (cn_link_is_line(link) && at.distance > 0.0) {
        // A cable opens when its ends approach: the impulse that it can give points from i to j.
        double sign = link->kind == CN_JOINT_CABLE ? -1.0 : 1.0;
        at.axis[0] = cn_mul3(sign / at.distance, apart);
    }
    return at;
}

// Turn of body i against body j (4.32): of the one axis of a hinge, else of all three.
static cn_vec3 turn_between(const cn_link *link, const cn_link_place *at)
{
    cn_vec3 turn = cn_cross3(at->axis[0], at->turned[0]);
    if (link->kind == CN_JOINT_HINGE) {
        return turn;
    }
    for (int k = 1; k < 3; k++) {
        turn = cn_add3(turn, cn_cross3(at->axis[k], at->turned[k]));
    }
    return cn_mul3(0.5, turn);
}

void cn_link_gaps(const cn_link *link, const cn_link_place *at, double gap[CN_ROW_MAX])
{
    if (cn_link_is_line(link)) {
        double stretch = at->distance - link->length;
        gap[0] = link->kind == CN_JOINT_CABLE ? -stretch : stretch;
        return;
    }
    cn_vec3 apart = cn_sub3(at->point_i, at->point_j), turn = turn_between(link, at);
    for (int k = 0; k < link->rows; k++) {
        cn_vec3 axis = at->axis[link->row[k].axis];
        gap[k] = link->row[k].is_spin ? link->arm * cn_dot3(turn, axis) : cn_dot3(apart, axis);
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
        *distance = link->kind == CN_JOINT_CABLE ? fmax(0.0, -gap[0]) : gap[0];
    }
}

double cn_link_position(const cn_link *link, const cn_bodies *b, const double *q)
{
    cn_link_place at = cn_link_place_at(link, b, q);
    if (cn_link_is_line(link)) {
        return at.distance;
    }
    if (link->kind == CN_JOINT_SLIDER) {
        return cn_dot3(cn_sub3(at.point_i, at.point_j), at.axis[0]);
    }
    if (link->kind == CN_JOINT_HINGE) {
        return atan2(cn_dot3(at.turned[1], at.axis[2]), cn_dot3(at.turned[1], at.axis[1]));
    }
    return 0.0;
}

void cn_link_rows(const cn_link *link, const cn_bodies *b, const cn_link_place *at, const double *q,
                  double *H_i, double *H_j)
{
    int dof = b->kind->dof;
    const int body[2] = {link->i, link->j};
    double *const H[2] = {H_i, H_j};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < link->rows + link->motor_rows; k++) {
            double one[18] = {0.0}; // rows() fills as many as there are dimensions
            cn_vec3 axis = at->axis[link->row[k].axis];
            if (body[side] >= 0 && link->row[k].is_spin) {
                axis = cn_mul3(link->arm, axis);
                b->kind->spin_rows(1, &axis, one); // (4.18)
            } else if (body[side] >= 0) {
                cn_axes frame = {.point = at->point_i, .axis = {axis}};
                b->kind->rows(cn_body_q(b, q, body[side]), &frame, one); // (4.2)
            }
            memcpy(H[side] + dof * k, one, sizeof(double) * (size_t)dof);
        }
    }
}

double cn_link_energy_now(const cn_link *link, const cn_bodies *b)
{
    if (!cn_link_is_elastic(link) || link->is_broken) {
        return 0.0;
    }
    double gap[CN_ROW_MAX];
    cn_link_place at = cn_link_place_at(link, b, b->q);
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
    bool is_slack = link->kind == CN_JOINT_CABLE && gap > 0.0;
    return is_slack ? 0.0 : 0.5 * link->stiffness * gap * gap;
}
