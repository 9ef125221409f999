// body/cell_lattice.c -- the lattice of a periodic cell: what it may hold, and bodies and vectors
// that are put back, theory 15.1 and 15.7.
#include <math.h>
#include <string.h>

#include "body/cell.h"
#include "math/tensor.h"

static const double LONG = 0.5; // part of a vector along a shorter one from which on it is reduced
static const double ROUNDING = 1e-9; // of the cell: sizes that are the same [-]

static const char axis_name[] = "xyz";

void cn_cell_free(cn_cell *c)
{
    cn_release(c->hooks, c->moved);
    *c = (cn_cell){.hooks = c->hooks};
}

static cn_status check_vectors(const cn_cell_def *def, int dim, cn_error *err)
{
    const double *C = def->vectors;
    bool is_some = false;
    for (int d = 0; d < 3; d++) {
        is_some = is_some || def->is_periodic[d];
        if (d < dim && (!(C[4 * d] > 0.0) || !isfinite(C[4 * d]))) {
            return cn_fail(err, CN_BAD_INPUT, "the cell is %g m along %c: it must be > 0", C[4 * d],
                           axis_name[d]);
        }
        if (d >= dim && def->is_periodic[d]) {
            return cn_fail(err, CN_BAD_INPUT, "a cell in the plane has no period along z");
        }
    }
    if (!is_some) {
        return cn_fail(err, CN_BAD_INPUT, "a cell must be periodic along one axis at least");
    }
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            double x = C[3 * row + column];
            bool is_tilt = column > row && def->is_periodic[row] && def->is_periodic[column];
            if (row != column && x != 0.0 && !(is_tilt && isfinite(x))) {
                return cn_fail(err, CN_BAD_INPUT,
                               "entry %c%c of the cell is %g m: only those above the diagonal, of "
                               "two periodic axes, may be other than 0",
                               axis_name[row], axis_name[column], x);
            }
        }
    }
    return CN_OK;
}

cn_status cn_cell_define(cn_cell *c, int dim, const cn_cell_def *def, cn_error *err)
{
    CN_TRY(check_vectors(def, dim, err));
    if (!(def->inertia >= 0.0) || !isfinite(def->inertia)) {
        return cn_fail(err, CN_BAD_INPUT, "the inertia of the cell is %g: it must be > 0",
                       def->inertia);
    }
    cn_cell_free(c);
    c->dim = dim;
    c->is_there = true;
    c->may_meet_itself = def->may_meet_itself;
    c->inertia = def->inertia;
    memcpy(c->is_periodic, def->is_periodic, sizeof c->is_periodic);
    memcpy(c->C, def->vectors, sizeof c->C);
    if (dim == 2) {
        c->C[8] = 1.0;
    }
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        int row = cn_cell_row(k), column = cn_cell_column(k);
        bool is_there = c->is_periodic[row] && c->is_periodic[column];
        c->there |= is_there ? 1u << k : 0u;
        c->control[k] = (cn_cell_control){.f = cn_constant(0.0)};
    }
    memcpy(c->C_mid, c->C, sizeof c->C);
    c->volume_0 = cn_periodic_volume(c, c->C);
    return CN_OK;
}

static bool is_half(const cn_bodies *b, int s)
{
    return b->dim == 2 ? b->shape[s].kind == CN_SHAPE_HALF_PLANE
                       : b->solid[s].kind == CN_SOLID_HALF_SPACE;
}

bool cn_cell_repeats(const cn_bodies *b, int i)
{
    bool repeats = true;
    for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
        repeats = repeats && !is_half(b, s);
    }
    return repeats;
}

// The normal of a half-plane or half-space.
static cn_vec3 normal_of(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        cn_posed p = cn_body_posed(b, s, b->q);
        cn_vec2 n = cn_posed_normal(&p, 0);
        return cn_v3(n.x, n.y, 0.0);
    }
    cn_posed3 p = cn_body_posed3(b, s, b->q);
    return cn_mat3_mul(&p.R, b->solid[s].axis);
}

// A half-plane has to be the same wherever the cell is repeated.
static cn_status check_halves(const cn_bodies *b, int i, cn_error *err)
{
    for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
        cn_vec3 n = is_half(b, s) ? normal_of(b, s) : cn_v3(0.0, 0.0, 0.0);
        const double along[3] = {n.x, n.y, n.z};
        for (int d = 0; d < 3; d++) {
            if (b->cell->is_periodic[d] && fabs(along[d]) > ROUNDING) {
                return cn_fail(err, CN_BAD_INPUT,
                               "body %llu is a half-%s across %c, along which the cell is "
                               "periodic: it would be everywhere. Leave it out, or let the cell "
                               "have no period along %c",
                               (unsigned long long)b->id[i], b->dim == 2 ? "plane" : "space",
                               axis_name[d], axis_name[d]);
            }
        }
    }
    return CN_OK;
}

// What surrounds others is not repeated: a lid that is its own image has no inside.
static cn_status check_hollows(const cn_bodies *b, int i, cn_error *err)
{
    for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
        bool is_hollow = b->dim == 3 ? cn_solid_is_hollow(&b->solid[s])
                                     : b->shape[s].kind == CN_SHAPE_HOLLOW_DISK;
        if (is_hollow) {
            return cn_fail(err, CN_BAD_INPUT,
                           "body %llu is hollow: a periodic cell takes bodies that are repeated, "
                           "not such that surround others",
                           (unsigned long long)b->id[i]);
        }
    }
    return CN_OK;
}

static cn_status check_body(const cn_bodies *b, int i, bool moves, cn_error *err)
{
    unsigned translations = b->dim == 2 ? 3u : 7u;
    if (b->deformable[i] >= 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu is deformable, but the world has a periodic cell, which takes "
                       "rigid bodies only",
                       (unsigned long long)b->id[i]);
    }
    CN_TRY(check_halves(b, i, err));
    CN_TRY(check_hollows(b, i, err));
    if (moves && (b->held[i] & translations) != 0 &&
        (cn_cell_repeats(b, i) || !cn_body_is_held(b, i))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu is held or driven in a cell that deforms: it cannot follow. "
                       "Impose rates of 0 on the cell, or let the body move",
                       (unsigned long long)b->id[i]);
    }
    return CN_OK;
}

static cn_status check_gravity(const cn_bodies *b, bool moves, bool has_support, cn_error *err)
{
    const cn_cell *c = b->cell;
    for (int d = 0; d < b->dim; d++) {
        if (b->gravity[d] != 0.0 && c->is_periodic[d] && (moves || !has_support)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "gravity is %g m/s2 along %c, where the cell %s: set gravity to none, "
                           "or %s",
                           b->gravity[d], axis_name[d],
                           moves ? "is periodic and deforms" : "is periodic and nothing is held",
                           moves ? "give the cell rates of 0" : "hold a body");
        }
    }
    return CN_OK;
}

// How far opposite faces of the cell are apart along axis d: the vectors are triangular, so that is
// an entry of the diagonal for the last axis, and less for the others where they are tilted.
static double height_of(const double C[9], int d)
{
    double inverse[9];
    cn_tensor_inverse(C, inverse);
    const double *row = inverse + 3 * d;
    return 1.0 / sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

// No body may meet two images of another one along a vector: they are all found then, and none
// twice. Bodies that may meet themselves are held to what is needed for the former.
static cn_status check_sizes(const cn_bodies *b, cn_error *err)
{
    const cn_cell *c = b->cell;
    double first = 0.0, second = 0.0; // the largest two
    int largest = -1;
    for (int i = 0; i < b->count; i++) {
        double reach = cn_cell_repeats(b, i) ? b->reach[i] : 0.0;
        second = reach > first ? first : fmax(second, reach);
        largest = reach > first ? i : largest;
        first = fmax(first, reach);
    }
    double need = c->may_meet_itself ? fmax(first + second, first) : 4.0 * first;
    for (int d = 0; d < b->dim && largest >= 0; d++) {
        double height = height_of(c->C, d);
        if (c->is_periodic[d] && height < (1.0 - ROUNDING) * need) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the cell is %g m across its faces along %c, too small for body %llu, "
                           "whose points are up to %g m from its centre: it needs %g m%s",
                           height, axis_name[d], (unsigned long long)b->id[largest], first, need,
                           c->may_meet_itself ? ""
                                              : " (twice its diameter), or the key allow_self, for "
                                                "cells of one or a few bodies");
        }
    }
    return CN_OK;
}

cn_status cn_cell_check(const cn_bodies *b, cn_error *err)
{
    bool moves = cn_cell_moves(b->cell), has_support = false;
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        moves = moves || b->cell->target[k] != 0.0;
    }
    for (int i = 0; i < b->count; i++) {
        CN_TRY(check_body(b, i, moves, err));
        has_support = has_support || cn_body_is_held(b, i);
    }
    CN_TRY(check_gravity(b, moves, has_support, err));
    return check_sizes(b, err);
}

// Takes `times` of vector `from` off vector `of`.
static void reduce(cn_cell *c, int of, int from, int times)
{
    for (int row = 0; row < 3; row++) {
        c->C[3 * row + of] -= times * c->C[3 * row + from];
    }
    for (int column = 0; column < 3; column++) { // rows of the matrix of shifts
        c->change[3 * from + column] += times * c->change[3 * of + column];
    }
}

// Shorter vectors of the same lattice where shear has tilted them. False: they are short.
static bool reduce_vectors(cn_cell *c)
{
    bool some = false;
    for (int k = 0; k < 9; k++) {
        c->change[k] = k % 4 == 0;
    }
    for (int of = c->dim - 1; of > 0; of--) {
        for (int from = of - 1; from >= 0; from--) {
            double part = c->C[3 * from + of] / c->C[4 * from];
            bool is_both = c->is_periodic[of] && c->is_periodic[from];
            if (is_both && fabs(part) > LONG * (1.0 + ROUNDING)) {
                reduce(c, of, from, (int)lround(part));
                some = true;
            }
        }
    }
    return some;
}

// Puts body i back into the cell.
static bool wrap_body(cn_bodies *b, int i, const double inverse[9])
{
    cn_cell *c = b->cell;
    double *q = b->q + b->kind->q_size * i;
    cn_vec3 x = cn_v3(q[0], q[1], b->dim == 3 ? q[2] : 0.0), s = cn_cell_mul(inverse, x);
    const double part[3] = {s.x, s.y, s.z};
    int *moved = c->moved + 3 * i;
    for (int d = 0; d < 3; d++) {
        moved[d] = c->is_periodic[d] ? (int)floor(part[d]) : 0;
    }
    if (moved[0] == 0 && moved[1] == 0 && moved[2] == 0) {
        return false;
    }
    x = cn_sub3(x, cn_cell_mul(c->C, cn_v3(moved[0], moved[1], moved[2])));
    q[0] = x.x;
    q[1] = x.y;
    if (b->dim == 3) {
        q[2] = x.z;
    }
    return true;
}

cn_status cn_cell_wrap(cn_bodies *b, bool *some, cn_error *err)
{
    cn_cell *c = b->cell;
    *some = false;
    if (!cn_cell_is_there(b)) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(c->hooks, &c->moved, &c->moved_capacity, 3 * (size_t)b->count, err));
    bool is_reduced = reduce_vectors(c);
    *some = is_reduced;
    double inverse[9];
    cn_tensor_inverse(c->C, inverse);
    for (int i = 0; i < b->count; i++) {
        int *image = b->image + 3 * i, *moved = c->moved + 3 * i, old[3];
        memcpy(old, image, sizeof old);
        moved[0] = moved[1] = moved[2] = 0;
        bool is_put_back = cn_cell_repeats(b, i) && wrap_body(b, i, inverse);
        for (int d = 0; d < 3 && (is_put_back || is_reduced); d++) {
            const int *row = c->change + 3 * d;
            image[d] = row[0] * old[0] + row[1] * old[1] + row[2] * old[2] + moved[d];
        }
        *some = *some || is_put_back;
    }
    return CN_OK;
}
