// contact/cell_rows.c -- see cell_rows.h.
#include "contact/cell_rows.h"

#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "contact/frame.h"

enum { SHARED_MIN = 512 }; // contacts per thread

static const double DEPTH = 1e-6; // of a body in its own image, that counts as none [-]

cn_status cn_cell_rows_room(cn_contacts *c, const cn_bodies *b, cn_error *err)
{
    c->cell_dof = cn_cell_is_there(b) ? cn_cell_dof(b->cell) : 0;
    size_t rows = (size_t)c->row_start[c->count];
    return cn_reserve(c->hooks, &c->cell_G, &c->capacity.cell_G, (size_t)c->cell_dof * rows, err);
}

void cn_cell_rows_write(cn_contacts *c, const cn_bodies *b, int a, const cn_axes *frame)
{
    const cn_cell *cell = b->cell;
    cn_vec3 branch = cn_contact_branch(c, b, a);
    const double l[3] = {branch.x, branch.y, branch.z};
    double root = 1.0 / sqrt(cell->J);
    double *G = c->cell_G + c->cell_dof * c->row_start[a];
    for (int n = 0; n < cn_contact_row_count(c, a); n++) {
        for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
            if ((cell->free & 1u << k) != 0) {
                const double *axis = &frame->axis[n < c->d ? n : 0].x;
                *G++ = n < c->d ? root * axis[cn_cell_row(k)] * l[cn_cell_column(k)] : 0.0;
            }
        }
    }
}

bool cn_cell_is_stiff_along(const cn_contacts *c, const cn_bodies *b, int a, const cn_axes *frame)
{
    const double ROUNDING = 1e-12;
    cn_vec3 branch = cn_contact_branch(c, b, a);
    const double l[3] = {branch.x, branch.y, branch.z}, *n = &frame->axis[0].x;
    double most = 0.0;
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        bool is_free = (b->cell->free & 1u << k) != 0;
        most = is_free ? fmax(most, fabs(n[cn_cell_row(k)] * l[cn_cell_column(k)])) : most;
    }
    return most <= ROUNDING * cn_norm3(branch);
}

cn_status cn_cell_check_self(const cn_contacts *c, const cn_bodies *b, cn_error *err)
{
    for (int a = 0; c->has_self && a < c->count; a++) {
        const cn_contact *x = &c->contact[a];
        if (x->i != x->j || !(-x->gap > DEPTH * b->size[x->i])) {
            continue;
        }
        cn_axes frame = cn_contact_axes(x, c->d);
        if (cn_cell_is_stiff_along(c, b, a, &frame)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "body %llu is %g m deep in its own image: the cell, whose size there is "
                           "given, is smaller than the body. Give it a larger size or a stress",
                           (unsigned long long)b->id[x->i], -x->gap);
        }
    }
    return CN_OK;
}

// What the contacts of segment k do to the cell.
static void gather_segment(const cn_contacts *c, const cn_bodies *b, int k, double push[9])
{
    for (int a = cn_segment_start(c->count, k); a < cn_segment_start(c->count, k + 1); a++) {
        const double *r = c->r + c->row_start[a];
        if (c->kind[a] == CN_CORE_FREE) {
            continue;
        }
        cn_axes frame = cn_contact_row_axes(c, a);
        cn_vec3 sum = cn_mul3(r[0], frame.axis[0]), branch = cn_contact_branch(c, b, a);
        for (int n = 1; n < c->d; n++) {
            sum = cn_add_mul3(sum, r[n], frame.axis[n]);
        }
        const double force[3] = {sum.x, sum.y, sum.z}, l[3] = {branch.x, branch.y, branch.z};
        for (int n = 0; n < 9; n++) {
            push[n] += force[n / 3] * l[n % 3];
        }
    }
}

void cn_cell_collect(const cn_contacts *c, const cn_bodies *b)
{
    if (!cn_cell_is_there(b)) {
        return;
    }
    double push[CN_SEGMENTS][9], *sum = b->cell->push;
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    memset(push, 0, sizeof push);
    memset(sum, 0, sizeof b->cell->push);
    CN_SHARED_FOR(threads, (schedule(static)), k, CN_SEGMENTS,
                  { gather_segment(c, b, k, push[k]); });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        for (int n = 0; n < 9; n++) {
            sum[n] += push[k][n];
        }
    }
}

// s after the vectors were chosen anew and both bodies put back.
static void rewrap(const cn_cell *cell, const cn_bodies *b, cn_memory *m)
{
    int i = cn_pair_i(m->pair), j = cn_pair_j(m->pair), s[3];
    if (!cn_cell_repeats(b, i) || !cn_cell_repeats(b, j)) {
        return;
    }
    for (int d = 0; d < 3; d++) {
        const int *row = cell->change + 3 * d;
        s[d] = row[0] * m->shift[0] + row[1] * m->shift[1] + row[2] * m->shift[2] +
               cell->moved[3 * j + d] - cell->moved[3 * i + d];
    }
    for (int d = 0; d < 3; d++) {
        m->shift[d] = (signed char)s[d];
    }
}

void cn_contact_rewrap(cn_contacts *c, const cn_bodies *b)
{
    for (int n = 0; n < c->memory_count; n++) {
        rewrap(b->cell, b, &c->memory[n]);
    }
}
