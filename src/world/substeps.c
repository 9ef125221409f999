// world/substeps.c -- a step in one part, or in several where fast bodies meet within it,
// theory 6.9.
#include <math.h>
#include <string.h>

#include "solve/solver.h"
#include "world/world.h"

enum { CUTS_MAX = 8 }; // of one step (6.9)

// What is left after a cut is at least this part of the step [-].
static const double LEFT = 1e-3;

static cn_status try_part(cn_world *w, double h, double h_whole, double *cut, cn_error *err)
{
    cn_bodies_begin(&w->bodies);
    return cn_world_try_step(w, h, h_whole, cut, err);
}

// A part of a step of h: up to where bodies meet, or all of it. *part is what was made of it.
static cn_status make_part(cn_world *w, double h, double *part, int *cuts, cn_error *err)
{
    double cut = *cuts < CUTS_MAX ? (1.0 - LEFT) * *part : 0.0;
    cn_status status = try_part(w, *part, h, &cut, err);
    if (status != CN_OK || cut == *part) {
        return status;
    }
    cn_bodies_restore(&w->bodies);
    ++*cuts;
    *part = cut;
    cut = 0.0; // the earliest meeting is in its middle
    return try_part(w, *part, h, &cut, err);
}

// Whether a part missed more of what was asked than another, or is less accurate.
static bool is_worse(const cn_certificate *a, const cn_certificate *b)
{
    const cn_solver_report *x = &a->solver, *y = &b->solver;
    if (x->is_converged != y->is_converged) {
        return y->is_converged;
    }
    if (!x->is_converged && x->is_infeasible != y->is_infeasible) {
        return x->is_infeasible;
    }
    return x->is_converged ? x->residual.err_v > y->residual.err_v
                           : x->value * y->asked > y->value * x->asked;
}

// What was missed, by how much and where is that of the worse part.
static void merge_solver(const cn_certificate *before, cn_certificate *now)
{
    int sweeps = before->solver.sweep_count + now->solver.sweep_count;
    cn_method_work work[CN_METHOD_NAME_COUNT];
    memcpy(work, now->solver.work, sizeof work);
    cn_work_add(before->solver.work, work);
    if (before->part_count > 0 && is_worse(before, now)) {
        now->solver = before->solver;
        now->missed_joint = before->missed_joint;
        memcpy(now->missed_body, before->missed_body, sizeof now->missed_body);
        memcpy(now->worst_body, before->worst_body, sizeof now->worst_body);
    }
    now->solver.sweep_count = sweeps;
    memcpy(now->solver.work, work, sizeof work);
}

// What a part made of certificate and ledger, with that of the parts before.
static void merge_parts(const cn_certificate *before, const double *rows, cn_world *w)
{
    cn_certificate *now = &w->certificate;
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        w->ledger.step[k] += rows[k];
    }
    merge_solver(before, now);
    now->given += before->given;
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        now->repeat_count[k] += before->repeat_count[k];
    }
    now->added_penetration += before->added_penetration;
    now->joint_gap = fmax(now->joint_gap, before->joint_gap);
    now->law_residual = fmax(now->law_residual, before->law_residual);
    now->held_rigid = now->held_rigid > before->held_rigid ? now->held_rigid : before->held_rigid;
    now->part_count = before->part_count + 1;
    if (before->drive_error > now->drive_error) {
        now->drive_error = before->drive_error;
        now->drive_worst = before->drive_worst;
    }
    if (before->penetration_rel > now->penetration_rel) {
        now->penetration_rel = before->penetration_rel;
        memcpy(now->deepest, before->deepest, sizeof now->deepest);
    }
    now->penetration = fmax(now->penetration, before->penetration);
}

cn_status cn_world_step_in_parts(cn_world *w, double h, double *made, cn_error *err)
{
    double start = w->t;
    cn_certificate before = {0};
    double rows[CN_ENERGY_ROW_COUNT] = {0.0};
    for (int cuts = 0; *made < h;) {
        cn_certificate certificate = w->certificate;
        cn_ledger ledger = w->ledger;
        double spring_energy = w->spring_energy, part = h - *made;
        cn_contact_set_aside(&w->contacts);
        cn_status status = make_part(w, h, &part, &cuts, err);
        if (status != CN_OK) {
            cn_contact_take_back(&w->contacts);
            cn_bodies_restore(&w->bodies);
            cn_growth_end(&w->growth, &w->bodies, w->t);
            w->certificate = certificate;
            w->ledger = ledger;
            w->spring_energy = spring_energy;
            return status;
        }
        merge_parts(&before, rows, w);
        before = w->certificate;
        memcpy(rows, w->ledger.step, sizeof rows);
        *made = part < h - *made ? *made + part : h;
        w->t = start + *made;
    }
    return CN_OK;
}
