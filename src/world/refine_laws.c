// world/refine_laws.c -- laws whose cores depend on what the step decides, theory 4.41.
//
// After a solve each such law says which core it would have had for the velocities found. What
// differs is an impulse, and as a velocity it is compared with what the solver is asked for. What a
// core misses within that is work that the law tells apart, so that the ledger closes whatever the
// tolerance.
#include <math.h>
#include <string.h>

#include "contact/frame.h"
#include "contact/interface.h"
#include "solve/problem/parallel.h"
#include "solve/solver.h"
#include "world/world.h"

// The core that the law of contact a has for the velocities found.
static cn_core refined_core(const cn_world *w, int a, double *assumed)
{
    const cn_contacts *c = &w->contacts;
    const cn_contact *x = &c->contact[a];
    const cn_law_entry *entry = &w->law[x->law];
    cn_law_input in = cn_contact_law_input(c, &w->bodies, entry, a);
    cn_law_output out = cn_contact_law_output(c, &w->bodies, a);
    cn_core core = {.dim = c->d};
    out.status = CN_STATUS_OPEN;
    in.is_met = true;
    in.shift = c->b[c->row_start[a]];
    in.assumed = cn_contact_assumed(c, entry, a);
    in.size = cn_contact_size(&w->bodies, x);
    cn_interface_input(c, &w->bodies, entry, a, &in);
    entry->law->refine(entry->param, cn_contact_old_state(c, entry, a), &in, &out, &core, assumed);
    return core;
}

// Whether a contact does under the refined core what it did: the law asks for the same, or for
// another coefficient of friction of a contact that both of them hold.
static bool is_kept(const cn_contacts *c, int a, const cn_core *refined)
{
    const double held = 0.99; // of the lesser friction
    const double *r = c->contact[a].r;
    double beside = 0.0;
    for (int k = 0; k < c->d; k++) {
        int row = c->row_start[a] + k;
        double r0 = c->has_r0 ? c->r0[row] : 0.0, parallel = c->has_k ? c->k[row] : 0.0;
        double compliance = c->has_c ? c->c[row] : 0.0;
        if (c->b[row] != refined->b[k] || compliance != refined->c[k] || r0 != refined->r0[k] ||
            parallel != refined->k[k]) {
            return false;
        }
        beside += fabs(r0) + parallel;
    }
    double least = held * r[0] * fmin(c->mu[a], refined->mu);
    double tangential2 = r[1] * r[1] + (c->d == 3 ? r[2] * r[2] : 0.0);
    bool is_pressed = beside != 0.0 || r[0] > 0.0;
    bool is_held = beside == 0.0 && least > 0.0 && tangential2 < least * least;
    return c->mu[a] == refined->mu || !is_pressed || is_held;
}

// |W' (dr0 + dk u)|, what db + dc r' moves behind a compliance c, |W/(W + c) (db + dc r')|, and
// what another coefficient of friction changes [m/s].
static double miss_of(const cn_world *w, int a, const cn_core *refined)
{
    const cn_contacts *c = &w->contacts;
    if (is_kept(c, a, refined)) {
        return 0.0;
    }
    int rows = cn_contact_row_count(c, a); // those of moments are not refined
    cn_core core = cn_contact_core(c, a);
    double W[CN_ROW_MAX * CN_ROW_MAX], d[CN_ROW_MAX], moved[CN_ROW_MAX];
    double miss = 0.0, trace = 0.0;
    cn_problem_block(&w->problem, a, W);
    cn_parallel_soften(rows, core.k, W);
    memset(d, 0, sizeof d);
    for (int k = 0; k < c->d; k++) {
        d[k] = refined->r0[k] - core.r0[k] + (refined->k[k] - core.k[k]) * c->contact[a].u[k];
        double given = (refined->c[k] - core.c[k]) * cn_contact_core_impulse(c, a, k);
        double W_kk = W[(rows + 1) * k], c_kk = fmin(refined->c[k], core.c[k]);
        double share = c_kk > 0.0 ? W_kk / (W_kk + c_kk) : 1.0;
        miss = fmax(miss, share * fabs(refined->b[k] - core.b[k] + given));
        trace += W_kk;
    }
    cn_parallel_multiply(rows, W, d, moved);
    for (int k = 0; k < rows; k++) {
        miss = fmax(miss, fabs(moved[k]));
    }

    double r_n = fmax(cn_contact_core_impulse(c, a, 0), 0.0);
    return fmax(miss, fabs(refined->mu - core.mu) * r_n * trace / c->d);
}

static bool is_refined(const cn_world *w, int a)
{
    const cn_contacts *c = &w->contacts;
    const cn_law_entry *entry = &w->law[c->contact[a].law];
    return cn_contact_can_refine(c, entry, a) && !cn_interface_is_stuck(c, &w->bodies, a);
}

// Whether any law is: most worlds have none.
static bool has_refined(const cn_world *w)
{
    bool found = false;
    for (int k = 0; k < w->law_count; k++) {
        found = found || w->law[k].law->refine != NULL;
    }
    return found;
}

// Meshes have velocities that tell nothing of what a stiff joint does between them, and without
// inertia they are not those of the motion (11.11): then the reference is the largest opening of a
// point that holds, over the step, if that is less.
double cn_world_law_reference(const cn_world *w)
{
    const cn_contacts *c = &w->contacts;
    double v_ref = w->certificate.solver.residual.v_ref, most = 0.0;
    if (w->bodies.deformables->count == 0 || !has_refined(w)) {
        return v_ref;
    }
    for (int a = 0; a < c->count; a++) {
        const cn_law_entry *entry = &w->law[c->contact[a].law];
        if (c->is_bond[a] && is_refined(w, a) &&
            cn_contact_old_state(c, entry, a)[CN_BOND_DAMAGE] < 1.0) {
            const double *state = cn_contact_old_state(c, entry, a), *u = c->contact[a].u;
            double apart = hypot(state[CN_BOND_SLIP], state[CN_BOND_SLIP_2]);
            double moved = hypot(hypot(u[0], u[1]), c->d == 3 ? u[2] : 0.0);
            most = fmax(most, hypot(state[CN_BOND_OPENING], apart) / c->h + moved);
        }
    }
    return most > 0.0 ? fmin(v_ref, most) : v_ref;
}

cn_status cn_world_refine_laws(cn_world *w, double limit, bool may_change, double *residual,
                               int *worst, cn_error *err)
{
    cn_contacts *c = &w->contacts;
    double assumed[CN_LAW_ASSUMED_MAX];
    *residual = 0.0;
    if (!has_refined(w)) {
        return CN_OK;
    }
    for (int a = 0; a < c->count; a++) {
        if (is_refined(w, a)) {
            cn_core refined = refined_core(w, a, assumed);
            double miss = miss_of(w, a, &refined);
            if (!(miss <= *residual)) {
                *residual = miss;
                *worst = a;
            }
        }
    }
    if (!may_change || *residual <= limit) {
        return CN_OK;
    }
    CN_TRY(cn_contact_need_assumed(c, err));
    for (int a = 0; a < c->count; a++) {
        if (is_refined(w, a)) {
            double *to = c->assumed + CN_LAW_ASSUMED_MAX * a;
            cn_core refined = refined_core(w, a, assumed);
            cn_contact_set_core(c, a, &refined);
            memcpy(to, assumed, sizeof assumed);
        }
    }
    c->has_assumed = true;
    return CN_OK;
}
