// solve/direct/system_bodies.c -- B(E) = I + G E G^T over the bodies that touch, theory 13.7.
//
// One block column per body with a constraint; bodies in free flight do not enter. Two bodies are
// linked when they share a constraint, so the pattern is the graph of contacts.
#include <string.h>

#include "base/hash.h"
#include "solve/direct/linear_system.h"

static int dof_of(const cn_packed *c, int side)
{
    return side == 0 ? c->dof_i : c->dof_j;
}

// Bodies with a constraint get the columns, in the order of their numbers.
static void number_bodies(cn_linear_system *k, const cn_solver *s, const cn_problem *p)
{
    const cn_factors *f = &p->W.factors;
    for (int i = 0; i < f->body_count; i++) {
        k->block_of[i] = -1;
    }
    for (int n = 0; n < s->packed_count; n++) {
        for (int side = 0; side < 2; side++) {
            if (dof_of(&s->packed[n], side) > 0) {
                k->block_of[f->body[2 * s->packed[n].a + side]] = 0;
            }
        }
    }
    int column = 0;
    k->block_count = 0;
    for (int i = 0; i < f->body_count; i++) {
        if (k->block_of[i] == 0) {
            k->block_of[i] = k->block_count;
            k->block_start[k->block_count++] = column;
            column += f->dof_start[i + 1] - f->dof_start[i];
        }
    }
    k->block_start[k->block_count] = column;
}

cn_status cn_system_number_bodies(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                                  cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    size_t bodies = (size_t)f->body_count;
    CN_TRY(cn_reserve(&k->hooks, &k->block_of, &k->block_of_capacity, bodies, err));
    CN_TRY(cn_reserve(&k->hooks, &k->block_start, &k->block_start_capacity, bodies + 1, err));
    CN_TRY(
        cn_reserve(&k->hooks, &k->column, &k->column_capacity, 2 * (size_t)s->packed_count, err));
    number_bodies(k, s, p);
    for (int n = 0; n < s->packed_count; n++) {
        for (int side = 0; side < 2; side++) {
            bool is_held = dof_of(&s->packed[n], side) == 0;
            int block = is_held ? 0 : k->block_of[f->body[2 * s->packed[n].a + side]];
            k->column[2 * n + side] =
                is_held ? k->block_start[k->block_count] : k->block_start[block];
        }
    }
    k->hash = cn_hash_bytes(1, k->block_start, sizeof(int) * (size_t)(k->block_count + 1));
    k->hash = cn_hash_bytes(k->hash, k->column, sizeof(int) * 2 * (size_t)s->packed_count);
    return CN_OK;
}

// Block of a side of constraint n, -1 if it is held.
static int block_of(const cn_linear_system *k, const cn_problem *p, const cn_packed *c, int side)
{
    return dof_of(c, side) == 0 ? -1 : k->block_of[p->W.factors.body[2 * c->a + side]];
}

// The links of every block column, its own block first: upper ones only, unless is_full.
static cn_status find_links(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                            bool is_full, cn_error *err)
{
    size_t most = (size_t)k->block_count + 2 * (size_t)s->packed_count;
    CN_TRY(cn_reserve(&k->hooks, &k->pair_start, &k->pair_start_capacity,
                      (size_t)k->block_count + 2, err));
    CN_TRY(cn_reserve(&k->hooks, &k->pair, &k->pair_capacity, most, err));
    int *next = k->pair_start + 1; // next[J] runs from the start of J to that of J + 1
    memset(k->pair_start, 0, sizeof(int) * ((size_t)k->block_count + 2));
    for (int pass = 0; pass < 2; pass++) {
        for (int J = 0; J < k->block_count; J++) {
            if (pass == 0) {
                next[J + 1]++;
            } else {
                k->pair[next[J]++] = J;
            }
        }
        for (int n = 0; n < s->packed_count; n++) {
            int I = block_of(k, p, &s->packed[n], 0), J = block_of(k, p, &s->packed[n], 1);
            for (int turn = 0; turn < 2 && I >= 0 && J >= 0 && I != J; turn++) {
                int row = turn == 0 ? I : J, column = turn == 0 ? J : I;
                if (!is_full && row > column) {
                    continue;
                }
                if (pass == 0) {
                    next[column + 1]++;
                } else {
                    k->pair[next[column]++] = row;
                }
            }
        }
        for (int J = 0; pass == 0 && J < k->block_count; J++) {
            next[J + 1] += next[J];
        }
    }
    return CN_OK;
}

cn_status cn_system_link_bodies(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                                bool is_full, cn_system_matrix *m, cn_error *err)
{
    CN_TRY(find_links(k, s, p, is_full, err));
    CN_TRY(cn_system_layout(k, m, err));
    CN_TRY(cn_reserve(&k->hooks, &m->at, &m->at_capacity, 4 * (size_t)s->packed_count, err));
    for (int n = 0; n < s->packed_count; n++) {
        int I = block_of(k, p, &s->packed[n], 0), J = block_of(k, p, &s->packed[n], 1);
        int *at = m->at + 4 * n;
        at[0] = I < 0 ? -1 : cn_system_find(k, m, I, I);
        at[1] = J < 0 ? -1 : cn_system_find(k, m, J, J);
        at[2] = I < 0 || J < 0 ? -1 : cn_system_find(k, m, I, J);
        at[3] = I < 0 || J < 0 ? -1 : cn_system_find(k, m, J, I);
    }
    return CN_OK;
}

// EG = E G^T of one side: rows x dof.
static inline void weigh(int rows, int dof, const double *E, const double *G, double *EG)
{
    for (int i = 0; i < rows; i++) {
        for (int d = 0; d < dof; d++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++) {
                sum += E[rows * i + k] * G[dof * k + d];
            }
            EG[dof * i + d] = sum;
        }
    }
}

// Adds G_i E G_j^T to a block by columns.
static inline void add_block(int rows, int dof_i, int dof_j, const double *G_i, const double *EG_j,
                             int stride, double *value)
{
    for (int c = 0; c < dof_j; c++) {
        for (int d = 0; d < dof_i; d++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++) {
                sum += G_i[dof_i * k + d] * EG_j[dof_j * k + c];
            }
            value[stride * c + d] += sum;
        }
    }
}

enum { DOF_MAX = 128 }; // of one body: the packed form keeps it in a signed char

// Rows of a constraint and degrees of freedom of its bodies.
typedef struct sizes {
    int rows, dof_i, dof_j;
} sizes;

// Constraint n; sizes are literals where speed matters.
static inline void add_constraint(const cn_linear_system *k, const cn_solver *s,
                                  const cn_problem *p, cn_system_matrix *m, int n, const double *E,
                                  sizes size)
{
    const int rows = size.rows, dof_i = size.dof_i, dof_j = size.dof_j;
    const cn_packed *c = &s->packed[n];
    double room_i[CN_BLOCK_ROOM], room_j[CN_BLOCK_ROOM];
    const double *G_i = cn_problem_factor(p, c->a, 0, room_i);
    const double *G_j = cn_problem_factor(p, c->a, 1, room_j);
    const int *at = m->at + 4 * n, *start = m->A.start;
    int column_i = k->column[2 * n], column_j = k->column[2 * n + 1];
    int stride_i = dof_i == 0 ? 0 : start[column_i + 1] - start[column_i];
    int stride_j = dof_j == 0 ? 0 : start[column_j + 1] - start[column_j];
    double EG_i[CN_ROW_MAX * DOF_MAX], EG_j[CN_ROW_MAX * DOF_MAX];
    weigh(rows, dof_i, E, G_i, EG_i);
    weigh(rows, dof_j, E, G_j, EG_j);
    if (at[0] >= 0) {
        add_block(rows, dof_i, dof_i, G_i, EG_i, stride_i, m->A.value + at[0]);
    }
    if (at[1] >= 0) {
        add_block(rows, dof_j, dof_j, G_j, EG_j, stride_j, m->A.value + at[1]);
    }
    if (at[2] >= 0) {
        add_block(rows, dof_i, dof_j, G_i, EG_j, stride_j, m->A.value + at[2]);
    }
    if (at[3] >= 0) {
        add_block(rows, dof_j, dof_i, G_j, EG_i, stride_i, m->A.value + at[3]);
    }
}

static bool is_zero(const double *E, int count)
{
    for (int k = 0; k < count; k++) {
        if (E[k] != 0.0) {
            return false;
        }
    }
    return true;
}

// The block of constraint n: E, or E + k of a folded problem (8.23).
static const double *block_with_parallel(const cn_linear_system *k, const cn_solver *s, int n,
                                         double *room)
{
    const cn_packed *c = &s->packed[n];
    const double *E = k->E + k->block_at[n];
    if (s->fold.k == NULL) {
        return E;
    }
    memcpy(room, E, sizeof *room * (size_t)(c->rows * c->rows));
    for (int i = 0; i < c->rows; i++) {
        room[(c->rows + 1) * i] += s->fold.k[c->row + i];
    }
    return room;
}

void cn_system_assemble_bodies(const cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                               cn_system_matrix *m)
{
    memset(m->A.value, 0, sizeof(double) * (size_t)m->A.start[m->A.size]);
    for (int J = 0; J < k->block_count; J++) {
        int place = cn_system_find(k, m, J, J);
        int columns = k->block_start[J + 1] - k->block_start[J];
        int stride = m->A.start[k->block_start[J] + 1] - m->A.start[k->block_start[J]];
        for (int c = 0; c < columns; c++) {
            m->A.value[place + c * stride + c] = 1.0;
        }
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double room[CN_ROW_MAX * CN_ROW_MAX];
        const double *E = block_with_parallel(k, s, n, room);
        if (is_zero(E, c->rows * c->rows)) {
            continue;
        }
        if (c->rows == 3 && c->dof_i == 6 && c->dof_j == 6) {
            add_constraint(k, s, p, m, n, E, (sizes){3, 6, 6});
        } else if (c->rows == 2 && c->dof_i == 3 && c->dof_j == 3) {
            add_constraint(k, s, p, m, n, E, (sizes){2, 3, 3});
        } else {
            add_constraint(k, s, p, m, n, E, (sizes){c->rows, c->dof_i, c->dof_j});
        }
    }
}
