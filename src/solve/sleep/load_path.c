// solve/sleep/load_path.c -- see load_path.h.
#include "solve/sleep/load_path.h"

#include <math.h>

#include "solve/problem/project.h"

// How much a constraint carries: its normal impulse, or all of a joint.
static double load_of(const cn_problem *p, int a)
{
    int row = p->row_start[a];
    if (p->kind[a] == CN_CORE_CONE) {
        return p->r[row] + cn_row_or_zero(p->r0, row);
    }
    double sum = 0.0;
    for (int k = row; k < p->row_start[a + 1]; k++) {
        sum += fabs(p->r[k] + cn_row_or_zero(p->r0, k));
    }
    return sum;
}

// The other body of constraint a; -1: it cannot move.
static int other_of(const cn_problem *p, int a, int i)
{
    const int *body = p->W.factors.body + 2 * a;
    return body[0] == i ? body[1] : body[0];
}

// Constraints of each body, in the order of visits.
static void list_ends(const cn_solver *s, const cn_problem *p, cn_load_path *x)
{
    const cn_factors *f = &p->W.factors;
    for (int i = 0; i <= f->body_count; i++) {
        x->start[i] = 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < 2 * s->packed_count; n++) {
            int a = s->packed[n / 2].a, i = f->body[2 * a + n % 2];
            if (i >= 0 && pass == 0) {
                x->start[i + 1]++;
            } else if (i >= 0) {
                x->end[x->start[i]++] = a;
            }
        }
        for (int i = 0; i < f->body_count && pass == 0; i++) {
            x->start[i + 1] += x->start[i];
        }
    }
    for (int i = f->body_count; i > 0; i--) { // each start has become the next one
        x->start[i] = x->start[i - 1];
    }
    x->start[0] = 0;
}

static bool is_grounded(const cn_load_path *x, const cn_problem *p, int i)
{
    for (int n = x->start[i]; n < x->start[i + 1]; n++) {
        if (other_of(p, x->end[n], i) < 0 && load_of(p, x->end[n]) > 0.0) {
            return true;
        }
    }
    return false;
}

static void find_levels(const cn_problem *p, cn_load_path *x)
{
    int count = 0;
    for (int i = 0; i < p->W.factors.body_count; i++) {
        x->level[i] = is_grounded(x, p, i) ? 0 : -1;
        if (x->level[i] == 0) {
            x->queue[count++] = i;
        }
    }
    for (int k = 0; k < count; k++) {
        int i = x->queue[k];
        for (int n = x->start[i]; n < x->start[i + 1]; n++) {
            int j = other_of(p, x->end[n], i);
            if (j >= 0 && x->level[j] < 0 && load_of(p, x->end[n]) > 0.0) {
                x->level[j] = x->level[i] + 1;
                x->queue[count++] = j;
            }
        }
    }
}

cn_status cn_load_path_find(cn_solver *s, const cn_problem *p, cn_load_path *support, cn_error *err)
{
    size_t bodies = (size_t)p->W.factors.body_count, ends = 2 * (size_t)s->packed_count;
    size_t integers = 3 * bodies + 1 + ends;
    double *work;
    CN_TRY(cn_solver_work(s, integers * sizeof(int) / sizeof(double) + 1, &work, err));
    support->start = (int *)work;
    support->end = support->start + bodies + 1;
    support->level = support->end + ends;
    support->queue = support->level + bodies;
    list_ends(s, p, support);
    find_levels(p, support);
    return CN_OK;
}

int cn_load_path_below(const cn_load_path *support, const cn_problem *p, int i)
{
    int below = -1;
    double most = 0.0, sum = 0.0;
    for (int n = support->start[i], last = -1; n < support->start[i + 1]; n++) {
        int j = other_of(p, support->end[n], i);
        sum = fmax(load_of(p, support->end[n]), 0.0) + (j == last ? sum : 0.0);
        last = j;
        if (j >= 0 && support->level[j] >= 0 && support->level[j] < support->level[i] &&
            sum > most) {
            most = sum;
            below = j;
        }
    }
    return below;
}
