// audit/cell_energy.c -- the rows of the ledger of a periodic cell, theory 15.8.
//
// Bodies lose h m v' . L v' to the flow and the cell gains h K : L, at mean velocities that differ
// by what contacts change in the step: what is left of the two is a row of its own.
#include <string.h>

#include "audit/audit.h"
#include "base/tasks.h"
#include "body/cell.h"

enum { SHARED_MIN = 1024 }; // bodies per thread

// -h m L of the mean free velocity of body i [N s].
static cn_vec3 flow_impulse(const cn_bodies *b, int i, double h)
{
    const double *v = cn_body_v(b, b->v_before, i), *v_free = cn_body_v(b, b->v_free, i);
    cn_vec3 mean = cn_v3(0.5 * (v[0] + v_free[0]), 0.5 * (v[1] + v_free[1]),
                         b->dim == 3 ? 0.5 * (v[2] + v_free[2]) : 0.0);
    return cn_mul3(-h * b->mass[i], cn_cell_mul(b->cell->L_before, mean));
}

void cn_cell_push_bodies(cn_bodies *b, double h)
{
    int dof = b->kind->dof, threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    if (!cn_cell_is_there(b)) {
        return;
    }
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        if (!cn_body_is_held(b, i)) {
            cn_vec3 push = flow_impulse(b, i, h);
            const double along[3] = {push.x, push.y, push.z};
            for (int d = 0; d < b->dim; d++) {
                b->impulse[dof * i + d] += along[d];
            }
        }
    });
}

double cn_cell_kinetic(const cn_bodies *b)
{
    double sum = 0.0;
    for (int k = 0; cn_cell_is_there(b) && k < CN_CELL_COMPONENT_COUNT; k++) {
        double L = b->cell->L[3 * cn_cell_row(k) + cn_cell_column(k)];
        sum += (b->cell->free & 1u << k) != 0 ? 0.5 * b->cell->J * L * L : 0.0;
    }
    return sum;
}

// Work that the flow takes from the bodies of segment k.
static double flow_work(const cn_bodies *b, double h, int k)
{
    double sum = 0.0;
    for (int i = cn_segment_start(b->count, k); i < cn_segment_start(b->count, k + 1); i++) {
        if (cn_body_is_held(b, i)) {
            continue;
        }
        cn_vec3 push = flow_impulse(b, i, h);
        const double *v = cn_body_v(b, b->v_before, i), *v_new = cn_body_v(b, b->v_solved, i);
        sum -= 0.5 * (push.x * (v[0] + v_new[0]) + push.y * (v[1] + v_new[1]));
        sum -= b->dim == 3 ? 0.5 * push.z * (v[2] + v_new[2]) : 0.0;
    }
    return sum;
}

void cn_audit_cell(const cn_bodies *b, double h, double *row)
{
    if (!cn_cell_is_there(b)) {
        return;
    }
    const cn_cell *c = b->cell;
    double part[CN_SEGMENTS], volume = cn_periodic_volume(c, c->C_mid);
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), k, CN_SEGMENTS, { part[k] = flow_work(b, h, k); });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        row[CN_ENERGY_CELL] += part[k];
    }
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        int n = 3 * cn_cell_row(k) + cn_cell_column(k);
        double mean = 0.5 * (c->L[n] + c->L_before[n]);
        row[CN_ENERGY_CELL] -= h * c->flow[n] * mean;
        if ((c->free & 1u << k) != 0) {
            row[CN_ENERGY_APPLIED] -= h * volume * c->target[k] * mean;
            row[CN_ENERGY_KINETIC] += c->J * mean * (c->L[n] - c->L_before[n]);
        } else {
            row[CN_ENERGY_DRIVE] += (c->push[n] + h * c->flow[n]) * mean;
        }
    }
}
