// joint/drives.c -- joints that what is held or driven tears open at once.
//
// One joint alone: its rows must stop u, and impulses change it within the range of G^T of the
// degrees of freedom that are left free (4.6). What of u lies outside nobody can stop.
#include <math.h>
#include <stdio.h>

#include "joint/joints.h"

// Most of the speeds of both ends that may be left: held motion is that of the end of the step,
// rows are those of its middle, which makes a difference of half the angle of a step.
static const double SHARE = 0.1;
// Shortest way of a step that counts, over the size of the joint: tables are rounded.
static const double WAY = 1e-6;

static bool is_partly_held(const cn_link *link, const cn_bodies *b)
{
    for (int side = 0; side < 2; side++) {
        int slot = cn_link_slot(link, side);
        if (cn_link_is_mounted(link, side)) {
            return false;
        }
        if (slot >= 0 && b->held[slot] != 0) {
            return true;
        }
    }
    return false;
}

// Takes from u what lies along the column x, and from later columns, too.
static void remove_along(int rows, const double *x, double *u)
{
    double xu = 0.0, xx = 0.0;
    for (int k = 0; k < rows; k++) {
        xu += x[k] * u[k];
        xx += x[k] * x[k];
    }
    for (int k = 0; k < rows && xx > 0.0; k++) {
        u[k] -= xu / xx * x[k];
    }
}

// Columns of G: what a free degree of freedom does to the rows, normalized by the kind.
static int list_columns(const cn_link *link, const cn_link_step *s, const cn_bodies *b,
                        double column[12][CN_ROW_MAX])
{
    const double *const H[2] = {s->H_i, s->H_j};
    int dof = b->kind->dof, count = 0;
    for (int side = 0; side < 2; side++) {
        int slot = cn_link_slot(link, side);
        if (slot < 0 || cn_body_is_held(b, slot)) {
            continue;
        }
        double G[6 * CN_ROW_MAX];
        b->kind->scale(b->root + b->kind->root_size * slot, link->rows, H[side], 1.0, G);
        for (int d = 0; d < dof; d++, count++) {
            for (int k = 0; k < link->rows; k++) {
                column[count][k] = sqrt(b->mass[slot]) * G[dof * k + d];
            }
        }
    }
    return count;
}

static double norm(int count, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// |u| without what free motion can change: Gram and Schmidt, the longest column first.
static double unstoppable(int rows, int count, double column[12][CN_ROW_MAX], double *u)
{
    const double none = 1e-6; // of the first column: rounding
    double first = 0.0;
    for (int n = 0; n < count; n++) {
        int best = 0;
        for (int k = 1; k < count; k++) {
            best = norm(rows, column[k]) > norm(rows, column[best]) ? k : best;
        }
        double length = norm(rows, column[best]);
        first = n == 0 ? length : first;
        if (!(length > none * first)) {
            break;
        }
        double x[CN_ROW_MAX];
        for (int k = 0; k < rows; k++) {
            x[k] = column[best][k] / length;
        }
        remove_along(rows, x, u);
        for (int k = 0; k < count; k++) {
            remove_along(rows, x, column[k]);
        }
        for (int k = 0; k < rows; k++) {
            column[best][k] = 0.0;
        }
    }
    return norm(rows, u);
}

// Speeds of the two ends, without what gravity and forces add.
static double speed_of_ends(const cn_link *link, const cn_bodies *b)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        int slot = cn_link_slot(link, side);
        if (slot >= 0) {
            int turns = b->dim == 3 ? 3 : 1;
            const double *v = cn_body_v(b, b->v_free, slot);
            double arm = link->arm + cn_norm3(side == 0 ? link->anchor_i : link->anchor_j);
            sum += norm(b->dim, v) + arm * norm(turns, v + b->dim);
        }
    }
    return sum;
}

// Whether a joint is torn open in the step, and how fast [m/s].
static bool is_torn(const cn_link *link, const cn_bodies *b, double h, double *speed)
{
    cn_link_step s;
    double u[CN_LINK_ROWS], column[12][CN_ROW_MAX];
    if (link->is_broken || link->kind == CN_JOINT_CABLE || cn_link_is_elastic(link) ||
        !is_partly_held(link, b)) {
        return false;
    }
    cn_link_form_rows(link, b, cn_link_mid(b), &s);
    cn_link_velocity(link, &s, b, b->v_free, b->meshes.v_free, u);
    int count = list_columns(link, &s, b, column);
    double size = link->arm + link->length + cn_norm3(link->anchor_i);
    *speed = unstoppable(link->rows, count, column, u);
    return *speed > SHARE * speed_of_ends(link, b) && *speed * h > WAY * size;
}

cn_status cn_joint_check_drives(const cn_joints *joints, const cn_bodies *b, double h,
                                cn_error *err)
{
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        double speed;
        if (is_torn(link, b, h, &speed)) {
            char other[60] = "the world";
            if (link->j >= 0) {
                snprintf(other, sizeof other, "body %llu", (unsigned long long)b->id[link->j]);
            }
            return cn_fail(err, CN_BROKEN,
                           "joint %llu, a %s between body %llu and %s, is torn open at %.3g m/s by "
                           "what is fixed or driven: drive what the joint leaves free, or leave "
                           "it out",
                           (unsigned long long)link->id, cn_joint_kind_name(link->kind),
                           (unsigned long long)b->id[link->i], other, speed);
        }
    }
    return CN_OK;
}
