// world/solve_step.c -- the answer of a step: impulses of its problem (8.1), and the velocities and
// configuration that they lead to (3.1, 3.4).
#include <math.h>

#include "base/tasks.h"
#include "body/deformable/deformables.h"
#include "body/stages.h"
#include "solve/problem/acceptance.h"
#include "solve/sleep/locked.h"
#include "solve/sweep/local.h"
#include "world/world.h"

enum { SHARED_MIN = 1024 }; // contacts per thread

// Accuracy that tells which contacts a step has; its last solve is as accurate as was asked for.
static const double ROUGH = 1e-2;

// One solve of the problem, as accurate as def asks; adds its work to that of the step.
static cn_status solve_once(cn_world *w, const cn_solver_def *def, cn_error *err)
{
    cn_solver_report before = w->certificate.solver;
    cn_world_use_workspace(w, CN_WORKSPACE_SOLVER);
    cn_status solved = cn_problem_solve(&w->problem, def, w->solver, &w->certificate.solver, err);
    cn_world_use_workspace(w, CN_WORKSPACE_UPDATE);
    w->certificate.solver.sweep_count += before.sweep_count;
    cn_work_add(before.work, w->certificate.solver.work);
    cn_world_stamp(w, CN_STAGE_SOLVE);
    return solved;
}

// What a solve is asked for, which the certificate tells, and what one that only finds contacts is.
static cn_solver_def solver_def_of(cn_world *w, double h, cn_solver_def *rough)
{
    cn_solver_def def = cn_acceptance_asked(&w->solver_def, w->problem.contact_count);
    w->certificate.accuracy = def.accuracy;
    w->certificate.eps_v = w->bodies.deformables->contact_eps = def.eps_v;
    w->certificate.tol = def.tol;
    def.seed += (uint64_t)w->step;
    def.thread_count = w->threads;
    def.h = h;
    def.is_interrupted = cn_world_is_stopping;
    def.context = w;
    def.eps_v *= cn_deformables_accuracy(w->bodies.deformables); // (11.11)
    *rough = def;
    rough->eps_v = fmax(def.eps_v, ROUGH);
    rough->tol = fmax(def.tol, ROUGH);
    return def;
}

// Whether a core can be solved, as cn_problem_check asks.
static bool is_sound(const cn_core *core, int rows)
{
    bool is_good = core->mu >= 0.0 && core->kind <= CN_CORE_BOUNDED;
    for (int k = 0; k < rows; k++) {
        is_good = is_good && isfinite(core->b[k] + core->r0[k] + core->k[k]);
        is_good = is_good && core->c[k] >= 0.0 && core->k[k] >= 0.0;
        is_good = is_good && (core->kind != CN_CORE_FREE || core->k[k] == 0.0);
    }
    return is_good;
}

// A problem was refused: if that is by a law from outside, it is named.
static cn_status name_law(const cn_world *w, cn_status status, cn_error *err)
{
    const cn_contacts *c = &w->contacts;
    bool is_refused = status == CN_BROKEN || status == CN_BAD_INPUT;
    for (int a = 0; a < c->count && is_refused; a++) {
        const cn_contact *x = &c->contact[a];
        const cn_law *law = w->law[x->law].law;
        cn_core core = cn_contact_core(c, a);
        if (law->interface != 0 && !is_sound(&core, c->d)) {
            return cn_fail(err, status,
                           "law %s, which is from outside, gave bodies %llu and %llu a core that "
                           "no solver can obey: kind %d, friction %g; normal row b %g, c %g, r0 "
                           "%g, k %g. All must be finite, friction, c and k at least 0, k only "
                           "where the kind is not free",
                           law->type.name, (unsigned long long)w->bodies.id[x->i],
                           (unsigned long long)w->bodies.id[x->j], (int)core.kind, core.mu,
                           core.b[0], core.c[0], core.r0[0], core.k[0]);
        }
    }
    return status;
}

cn_status cn_world_solve(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt, cn_error *err)
{
    cn_solver_def rough, def = solver_def_of(w, scheme->h, &rough);
    bool is_fine = rough.eps_v > def.eps_v || rough.tol > def.tol;
    bool has_rough = is_fine && !cn_accuracy_row(def.accuracy)->is_bulk; // those are rough enough
    attempt->can_be_rough = w->joints.count == 0 && has_rough;
    attempt->eps_v = def.eps_v;
    cn_status solved = solve_once(w, attempt->is_rough ? &rough : &def, err);
    CN_TRY(name_law(w, solved, err));
    return cn_world_look_for_stop(w, err);
}

cn_status cn_world_move(cn_world *w, const cn_scheme *scheme, cn_error *err)
{
    cn_bodies *b = &w->bodies;
    CN_TRY(cn_bodies_keep(b, err));
    CN_TRY(cn_contact_correct(&w->contacts, &w->problem, b, err)); // (3.1)
    cn_bodies_lock(b, cn_solver_locked(w->solver));
    cn_joint_push(&w->joints, &w->contacts, b);
    CN_TRY(cn_bodies_correct(b, err)); // (11.5)
    cn_contact_measure(&w->contacts, b);
    cn_bodies_move(b, scheme); // (3.4)
    cn_world_stamp(w, CN_STAGE_UPDATE);
    return CN_OK;
}

// Status of contact a, whose impulse is accepted, and its creep.
static void set_status(const cn_problem *p, double v_small, int a, cn_contacts *c)
{
    cn_contact *x = &c->contact[a];
    int d = c->d;
    cn_core core; // what a status needs of it
    core.kind = (cn_core_kind)p->kind[a];
    core.dim = p->dim;
    core.mu = p->mu[a];
    double u[3], r[3], v[3] = {x->u[0], x->u[1], x->u[2]}, push[3] = {x->r[0], x->r[1], x->r[2]};
    cn_contact_to_rows(c, a, v, push);
    for (int k = 0; k < d; k++) {
        int row = p->row_start[a] + k;
        r[k] =
            push[k] + (p->r0 != NULL ? p->r0[row] : 0.0) + (p->k != NULL ? p->k[row] * v[k] : 0.0);
        u[k] = v[k] + p->b[row] + (p->c != NULL ? p->c[row] : 0.0) * r[k];
    }
    x->status = (signed char)cn_core_status(&core, d, u, r, v_small);
    cn_contact_creep(c, a, u);
}

void cn_world_set_statuses(cn_world *w)
{
    double v_small = 1e-9 * w->certificate.solver.residual.v_ref;
    w->contacts.v_noise = w->certificate.eps_v * w->certificate.solver.residual.v_ref;
    int threads = cn_share(w->threads, w->contacts.count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), a, w->contacts.count,
                  { set_status(&w->problem, v_small, a, &w->contacts); });
}
