// joint/joint_conflicts.c -- joints that what is held or driven tears open at once.
//
// One joint alone: its rows must stop u, and impulses change it within the range of G^T of the
// degrees of freedom that are left free (4.8). What of u lies outside nobody can stop. Several
// joints together: the same with all rows, as least squares by conjugate gradients.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "joint/joints.h"

// Most of the speeds of both ends that may be left: held motion is that of the end of the step,
// rows are those of its middle, which makes a difference of half the angle of a step.
static const double SHARE = 0.1;
// Shortest way of a step that counts, over the size of the joint: tables are rounded.
static const double WAY = 1e-6;
// Free bodies so many times as fast as what they would have to make good: nobody means that.
static const double FAST = 1e4;

enum { ITERATIONS_MAX = 1000, WORK_MAX = 3000000, NAMED_MAX = 4 }; // work: joints x iterations

static bool is_partly_held(const cn_link *link, const cn_bodies *b)
{
    for (int side = 0; side < 2; side++) {
        int slot = cn_link_slot(link, side);
        if (slot >= 0 && b->held[slot] != 0) {
            return true;
        }
    }
    return false;
}

static double dot(int count, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

// Takes from u what lies along the column x, and from later columns, too.
static void remove_along(int rows, const double *x, double *u)
{
    double xu = dot(rows, x, u), xx = dot(rows, x, x);
    for (int k = 0; k < rows && xx > 0.0; k++) {
        u[k] -= xu / xx * x[k];
    }
}

// G of one side: what its free degrees of freedom, normalized by the kind, do to the rows. False if
// it has none.
static bool find_G(const cn_link *link, const cn_link_step *s, const cn_bodies *b, int side,
                   double *G)
{
    int slot = cn_link_slot(link, side);
    if (slot < 0 || cn_body_is_held(b, slot)) {
        return false;
    }
    b->kind->scale(b->root + b->kind->root_size * slot, link->rows, side == 0 ? s->H_i : s->H_j,
                   (side == 0 ? 1.0 : -1.0) * sqrt(b->mass[slot]), G);
    return true;
}

static int list_columns(const cn_link *link, const cn_link_step *s, const cn_bodies *b,
                        double column[12][CN_ROW_MAX])
{
    int dof = b->kind->dof, count = 0;
    double G[6 * CN_ROW_MAX];
    for (int side = 0; side < 2; side++) {
        for (int d = 0; find_G(link, s, b, side, G) && d < dof; d++, count++) {
            for (int k = 0; k < link->rows; k++) {
                column[count][k] = G[dof * k + d];
            }
        }
    }
    return count;
}

static double norm(int count, const double *x)
{
    return sqrt(dot(count, x, x));
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

static double rate_of(const cn_bodies *b, int slot)
{
    return slot < 0 ? 0.0 : norm(b->kind->dof - b->dim, cn_body_v(b, b->v_free, slot) + b->dim);
}

// Speed of one end: what its velocity and spin give to the point and, of the spin, to rows that
// stop it. The first two may cancel.
static double speed_of_end(const cn_link *link, const cn_link_step *s, const cn_bodies *b, int side)
{
    int slot = cn_link_slot(link, side), dof = b->kind->dof;
    if (slot < 0) {
        return 0.0;
    }
    const double *v = cn_body_v(b, b->v_free, slot), *H = side == 0 ? s->H_i : s->H_j;
    double stopped = 0.0;
    for (int k = 0; k < link->rows; k++) {
        stopped = link->row[k].is_spin ? hypot(stopped, dot(dof, H + dof * k, v)) : stopped;
    }
    double arm = cn_norm3(side == 0 ? link->anchor_i : link->anchor_j);
    return norm(b->dim, v) + arm * rate_of(b, slot) + stopped;
}

static double speed_of_ends(const cn_link *link, const cn_link_step *s, const cn_bodies *b)
{
    return speed_of_end(link, s, b, 0) + speed_of_end(link, s, b, 1);
}

// A joint that holds rigid bodies whatever the force, so that drives can contradict it.
static bool is_firm(const cn_link *link)
{
    return !link->is_broken && !cn_link_is_cable(link) && !cn_link_is_elastic(link) &&
           !cn_link_is_mounted(link, 0) && !cn_link_is_mounted(link, 1);
}

static double size_of(const cn_link *link)
{
    return link->arm + link->length + cn_norm3(link->anchor_i);
}

// Rows of a joint in the step, and how fast free motion opens them [m/s].
static void form_rows(const cn_link *link, const cn_bodies *b, cn_link_step *s,
                      double u[CN_LINK_ROWS])
{
    cn_link_form_rows(link, b, cn_link_mid(b), s);
    cn_link_velocity(link, s, b, b->v_free, b->deformables->v_free, u);
}

// Whether a joint is torn open in the step, and how fast [m/s].
static bool is_torn(const cn_link *link, const cn_bodies *b, double h, double *speed)
{
    cn_link_step s;
    double u[CN_LINK_ROWS], column[12][CN_ROW_MAX];
    if (!is_firm(link) || !is_partly_held(link, b)) {
        return false;
    }
    form_rows(link, b, &s, u);
    int count = list_columns(link, &s, b, column);
    *speed = unstoppable(link->rows, count, column, u);
    return *speed > SHARE * speed_of_ends(link, &s, b) && *speed * h > WAY * size_of(link);
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

// All firm joints at once: the least squares problem min |u - G^T x|, x the motion that is free.
typedef struct together {
    const cn_joints *joints;
    const cn_bodies *b;
    double (*G)[2][6 * CN_ROW_MAX]; // by joint and side; 0 where nothing is free
    double (*left)[CN_ROW_MAX];     // u - G^T x [m/s]
    double (*change)[CN_ROW_MAX];   // G^T of the direction
    double *slope, *direction;      // G (u - G^T x) and its conjugate, by degree of freedom
    size_t room[5];
} together;

static void release(together *t)
{
    void *array[] = {t->G, t->left, t->change, t->slope, t->direction};
    for (int k = 0; k < 5; k++) {
        cn_release(t->joints->hooks, array[k]);
    }
}

static cn_status reserve(together *t, cn_error *err)
{
    const cn_hooks *hooks = t->joints->hooks;
    size_t joints = (size_t)t->joints->count, dofs = (size_t)(t->b->kind->dof * t->b->count);
    CN_TRY(cn_reserve(hooks, &t->G, &t->room[0], joints, err));
    CN_TRY(cn_reserve(hooks, &t->left, &t->room[1], joints, err));
    CN_TRY(cn_reserve(hooks, &t->change, &t->room[2], joints, err));
    CN_TRY(cn_reserve(hooks, &t->slope, &t->room[3], dofs, err));
    return cn_reserve(hooks, &t->direction, &t->room[4], dofs, err);
}

static void form_problem(together *t)
{
    memset(t->G, 0, sizeof *t->G * (size_t)t->joints->count);
    memset(t->left, 0, sizeof *t->left * (size_t)t->joints->count);
    memset(t->change, 0, sizeof *t->change * (size_t)t->joints->count);
    for (int n = 0; n < t->joints->count; n++) {
        const cn_link *link = &t->joints->link[n];
        cn_link_step s;
        double u[CN_LINK_ROWS];
        if (is_firm(link)) {
            form_rows(link, t->b, &s, u);
            memcpy(t->left[n], u, sizeof(double) * (size_t)link->rows);
            find_G(link, &s, t->b, 0, t->G[n][0]);
            find_G(link, &s, t->b, 1, t->G[n][1]);
        }
    }
}

// change = G^T direction; returns its square.
static double find_change(together *t)
{
    int dof = t->b->kind->dof;
    double sum = 0.0;
    for (int n = 0; n < t->joints->count; n++) {
        const cn_link *link = &t->joints->link[n];
        for (int k = 0; k < link->rows; k++) {
            double along = 0.0;
            for (int side = 0; side < 2 && cn_link_slot(link, side) >= 0; side++) {
                const double *x = t->direction + dof * cn_link_slot(link, side);
                for (int d = 0; d < dof; d++) {
                    along += t->G[n][side][dof * k + d] * x[d];
                }
            }
            t->change[n][k] = along;
            sum += along * along;
        }
    }
    return sum;
}

// slope = G left; returns its square.
static double find_slope(together *t)
{
    int dof = t->b->kind->dof, dofs = dof * t->b->count;
    memset(t->slope, 0, sizeof(double) * (size_t)dofs);
    for (int n = 0; n < t->joints->count; n++) {
        const cn_link *link = &t->joints->link[n];
        for (int side = 0; side < 2 && cn_link_slot(link, side) >= 0; side++) {
            double *to = t->slope + dof * cn_link_slot(link, side);
            for (int k = 0; k < dof * link->rows; k++) {
                to[k % dof] += t->G[n][side][k] * t->left[n][k / dof];
            }
        }
    }
    return dot(dofs, t->slope, t->slope);
}

static double square_left(const together *t)
{
    double sum = 0.0;
    for (int n = 0; n < t->joints->count; n++) {
        sum += dot(t->joints->link[n].rows, t->left[n], t->left[n]);
    }
    return sum;
}

// Conjugate gradients. True: what is left no motion of the free bodies takes away, unless they were
// FAST; for a solution x would have left . u = slope . x, and left . u = |left|^2.
static bool is_left_open(together *t)
{
    int dofs = t->b->kind->dof * t->b->count, most = WORK_MAX / t->joints->count;
    double first = square_left(t), square = find_slope(t);
    memcpy(t->direction, t->slope, sizeof(double) * (size_t)dofs);
    for (int n = 0; n < ITERATIONS_MAX && n < most; n++) {
        double left = square_left(t);
        if (!(left > 1e-12 * first)) { // rounding
            return false;
        }
        if (FAST * FAST * square <= left) {
            return true;
        }
        double step = square / find_change(t), before = square;
        for (int k = 0; k < t->joints->count * CN_ROW_MAX; k++) {
            t->left[k / CN_ROW_MAX][k % CN_ROW_MAX] -=
                step * t->change[k / CN_ROW_MAX][k % CN_ROW_MAX];
        }
        square = find_slope(t);
        for (int k = 0; k < dofs; k++) {
            t->direction[k] = t->slope[k] + square / before * t->direction[k];
        }
    }
    return false;
}

// Writes "joint 3, joint 5 and 2 more": those that what is left pulls at most.
static void list_joints(const together *t, double most, char *text, size_t size)
{
    int count = 0, length = 0;
    for (int n = 0; n < t->joints->count; n++) {
        const cn_link *link = &t->joints->link[n];
        if (norm(link->rows, t->left[n]) > 1e-3 * most && ++count <= NAMED_MAX) {
            length += snprintf(text + length, size - (size_t)length, "%sjoint %llu",
                               count > 1 ? ", " : "", (unsigned long long)link->id);
        }
    }
    if (count > NAMED_MAX) {
        snprintf(text + length, size - (size_t)length, " and %d more", count - NAMED_MAX);
    }
}

// Speeds of the ends that may be left: before a run less than SHARE unless an end turns far in a
// step.
static double tolerated(const together *t, int n, double h)
{
    const double LEAST = 0.05; // tables are sampled
    const cn_link *link = &t->joints->link[n];
    cn_link_step s;
    double u[CN_LINK_ROWS];
    form_rows(link, t->b, &s, u);
    double turn = h * fmax(rate_of(t->b, link->i), rate_of(t->b, link->j));
    return fmax(LEAST, fmin(SHARE, turn)) * speed_of_ends(link, &s, t->b);
}

// What is left, as forces of the joints, makes no power with what is free; with what is driven
// |left|^2. The same bounds as for one joint, each weighed with its force.
static cn_status judge(const together *t, double h, cn_error *err)
{
    double ends = 0.0, sizes = 0.0, most = 0.0, power = square_left(t);
    for (int n = 0; n < t->joints->count; n++) {
        double force = norm(t->joints->link[n].rows, t->left[n]);
        ends += force > 0.0 ? force * tolerated(t, n, h) : 0.0;
        sizes += force > 0.0 ? force * size_of(&t->joints->link[n]) : 0.0;
        most = fmax(most, force);
    }
    if (!(power > ends && power * h > WAY * sizes)) {
        return CN_OK;
    }
    char names[200];
    list_joints(t, most, names, sizeof names);
    return cn_fail(err, CN_BROKEN,
                   "%s contradict each other: what is fixed or driven tears them open at %.3g m/s; "
                   "drive what they leave free together, or leave one out",
                   names, power / most);
}

// Whether a joint has an end that is held, or driven, and moves.
static bool is_any_driven(const cn_joints *joints, const cn_bodies *b)
{
    for (int s = 0; s < 2 * joints->count; s++) {
        int slot = cn_link_slot(&joints->link[s / 2], s % 2);
        if (slot >= 0 && b->held[slot] != 0 &&
            norm(b->kind->dof, cn_body_v(b, b->v_free, slot)) > 0.0) {
            return true;
        }
    }
    return false;
}

cn_status cn_joint_check_together(const cn_joints *joints, const cn_bodies *b, double h,
                                  cn_error *err)
{
    if (!is_any_driven(joints, b)) {
        return CN_OK;
    }
    together t = {.joints = joints, .b = b};
    cn_status status = reserve(&t, err);
    if (status == CN_OK) {
        form_problem(&t);
        status = is_left_open(&t) ? judge(&t, h, err) : CN_OK;
    }
    release(&t);
    return status;
}
