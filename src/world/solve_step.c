// world/solve_step.c -- the answer of a step: its problem, solved until contacts, joints and
// deformable bodies agree with where it leads (3.5).
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "solve/problem/acceptance.h"
#include "solve/sleep/locked.h"
#include "solve/sweep/local.h"
#include "world/world.h"

enum { SHARED_MIN = 1024 }; // contacts per thread
enum { LOOKS_MAX = 8 };     // at where a step takes bodies that turn (4.42)
enum { THROWS_MAX = 8 };    // times that contacts are found anew in a step (4.47)

// Accuracy that tells which contacts a step has; its last solve is as accurate as was asked for.
static const double ROUGH = 1e-2;

// Goes back to the start of the step, to solve it again. The springs of an elastic step keep their
// centre, that of the first `rows` rows.
static void start_again(cn_world *w, int rows)
{
    cn_bodies_go_back(&w->bodies);
    if (w->certificate.solver.elastic_c < INFINITY) {
        memcpy(w->problem.r, cn_solver_guess(w->solver), sizeof *w->problem.r * (size_t)rows);
    }
}

// Finds contacts anew if the solve throws bodies further than their balls know: they may meet what
// is not listed (4.47). Points of looks stay.
static cn_status widen(cn_world *w, double h, bool *is_clear, cn_error *err)
{
    cn_detect_widen(&w->detect, &w->bodies);
    *is_clear = !w->detect.is_wider;
    if (!*is_clear) {
        start_again(w, 0);
        CN_TRY(cn_world_set_up(w, h, err));
    }
    return CN_OK;
}

// Looks where the step takes bodies that turn. Those that would enter each other get the points
// where they do, and the step is to be solved again (4.42).
static cn_status look_again(cn_world *w, double h, bool *is_clear, cn_error *err)
{
    cn_again *again = &w->detect.again;
    cn_again_step step = {.law = w->law,
                          .hints = &w->detect.hints,
                          .h = h,
                          .theta = w->theta,
                          .gamma = cn_world_gamma(w),
                          .thread_count = w->threads};
    CN_TRY(cn_again_look(again, &w->bodies, &step, &w->hooks, err));
    *is_clear = again->point_count == 0;
    cn_world_stamp(w, CN_STAGE_NARROW);
    if (*is_clear) {
        return CN_OK;
    }
    int known = w->contacts.count, rows = w->contacts.row_start[known];
    start_again(w, rows);
    CN_TRY(
        cn_contact_append(&w->contacts, &w->bodies, w->law, again->point, again->point_count, err));
    CN_TRY(cn_world_assemble(w, h, known, err));
    cn_world_stamp(w, CN_STAGE_CONTACT);
    return CN_OK;
}

// What a step has tried so far.
typedef struct tries {
    int looks, throws;
    bool can_be_rough, is_rough; // the next solve is to find contacts only
} tries;

// Whether a solve is the answer of the step; if not, the problem is ready to be solved again.
static cn_status go_on(cn_world *w, double h, bool is_solved, tries *so_far, bool *is_clear,
                       cn_error *err)
{
    *is_clear = true;
    if (w->bodies.meshes.count == 0 && is_solved && so_far->throws < THROWS_MAX) {
        CN_TRY(widen(w, h, is_clear, err));
    }
    if (!*is_clear) {
        so_far->throws++;
        so_far->is_rough = so_far->can_be_rough;
    } else if (so_far->is_rough) {
        so_far->is_rough = *is_clear = false;
        start_again(w, w->problem.row_start[w->problem.contact_count]);
    } else if (so_far->looks++ < LOOKS_MAX) {
        CN_TRY(look_again(w, h, is_clear, err));
    }
    return CN_OK;
}

// One solve of the problem, as accurate as def asks; adds its sweeps to those of the step.
static cn_status solve_once(cn_world *w, const cn_solver_def *def, cn_error *err)
{
    int before = w->certificate.solver.sweep_count;
    cn_world_collect(w, CN_BORROWING_UPDATE);
    cn_world_lend(w, CN_BORROWING_SOLVER);
    cn_status solved = cn_problem_solve(&w->problem, def, w->solver, &w->certificate.solver, err);
    cn_world_collect(w, CN_BORROWING_SOLVER);
    cn_world_lend(w, CN_BORROWING_UPDATE);
    w->certificate.solver.sweep_count += before;
    cn_world_stamp(w, CN_STAGE_SOLVE);
    return solved;
}

// Velocities and configuration that the impulses lead to.
static cn_status move(cn_world *w, double h, cn_error *err)
{
    cn_bodies *b = &w->bodies;
    CN_TRY(cn_bodies_keep(b, err));
    CN_TRY(cn_contact_correct(&w->contacts, &w->problem, b, err)); // (3.1)
    cn_bodies_stand(b, cn_solver_still(w->solver));
    cn_joint_push(&w->joints, &w->contacts, b);
    CN_TRY(cn_meshes_update(&b->meshes, b->id, err)); // (11.5)
    cn_contact_measure(&w->contacts, b);
    b->kind->update(b, h, w->theta);
    cn_world_stamp(w, CN_STAGE_UPDATE);
    return CN_OK;
}

// The problem with deformable bodies linearized where the last solve has led.
static cn_status relinearize(cn_world *w, cn_error *err)
{
    cn_contact_relinearize(&w->contacts, &w->bodies);
    cn_joint_relinearize(&w->joints, &w->bodies, &w->contacts);
    CN_TRY(cn_contact_condense(&w->contacts, &w->bodies, &w->problem, err));
    return cn_joint_condense(&w->joints, &w->bodies, &w->contacts, &w->problem, err);
}

// What a solve is asked for, which the certificate tells, and what one that only finds contacts is.
static cn_solver_def solver_def_of(cn_world *w, double h, cn_solver_def *rough)
{
    cn_solver_def def = cn_judge_asked(&w->solver_def, w->problem.contact_count);
    w->certificate.eps_v = w->bodies.meshes.contact_eps = def.eps_v;
    w->certificate.tol = def.tol;
    def.seed += (uint64_t)w->step;
    def.thread_count = w->threads;
    def.h = h;
    def.is_interrupted = cn_world_is_stopping;
    def.context = w;
    def.eps_v *= cn_meshes_accuracy(&w->bodies.meshes); // (11.26)
    *rough = def;
    rough->eps_v = fmax(def.eps_v, ROUGH);
    rough->tol = fmax(def.tol, ROUGH);
    return def;
}

// Iterations on joints aim at eps_v of h |g|. They end above that where contacts, which are solved
// to eps_v v_ref, move them from solve to solve: no velocity of the step is better known.
static bool are_joints_open(const cn_world *w)
{
    double v_ref = w->certificate.solver.residual.v_ref;
    return w->joints.excess > fmax(1.0, v_ref / w->problem.v_floor);
}

// Bodies or joint of the constraint that misses most, for those who read the certificate.
static void name_missed(cn_world *w)
{
    cn_certificate *c = &w->certificate;
    cn_world_name(w, c->solver.at, c->missed_body, &c->missed_joint);
}

// Impulses, velocities and configuration at the end of the step (3.5). Joints are straight in the
// problem and curved in truth: solved again, with shifts that make up for it, until their gaps
// vanish (4.34). Deformable bodies are linear in the problem: solved again, linearized anew, until
// they are in balance (11.6).
cn_status cn_world_solve(cn_world *w, double h, cn_error *err)
{
    cn_bodies *b = &w->bodies;
    tries so_far = {0};
    w->certificate.solver.sweep_count = 0;
    for (;;) {
        cn_solver_def rough, def = solver_def_of(w, h, &rough);
        so_far.can_be_rough =
            w->joints.count == 0 && (rough.eps_v > def.eps_v || rough.tol > def.tol);
        cn_status solved = solve_once(w, so_far.is_rough ? &rough : &def, err);
        if (solved != CN_OK && solved != CN_NOT_CONVERGED) {
            return solved;
        }
        CN_TRY(cn_world_look_for_stop(w, err));
        CN_TRY(move(w, h, err));
        bool is_balanced, is_closed = cn_joint_refine(&w->joints, b, def.eps_v * w->problem.v_floor,
                                                      &w->contacts);
        CN_TRY(cn_meshes_refine(&b->meshes, b->id, &is_balanced, err)); // (11.6)
        cn_world_stamp(w, CN_STAGE_FREE);
        if (is_closed && is_balanced && solved == CN_OK && are_joints_open(w)) {
            double v_ref = w->certificate.solver.residual.v_ref;
            cn_joint_judge(&w->joints, def.eps_v * w->problem.v_floor, def.eps_v * v_ref,
                           &w->certificate.solver);
            solved = cn_joint_fail(&w->joints, err);
        }
        if (is_balanced && (is_closed || solved != CN_OK)) {
            bool is_clear;
            CN_TRY(go_on(w, h, solved == CN_OK, &so_far, &is_clear, err));
            if (is_clear) {
                name_missed(w);
                return solved;
            }
            continue;
        }
        if (!is_balanced) {
            CN_TRY(relinearize(w, err));
        }
        start_again(w, w->problem.row_start[w->problem.contact_count]);
    }
}

// Status of contact a, whose impulse is accepted.
static void set_status(const cn_problem *p, double v_small, int d, int a, cn_contact *x)
{
    cn_core core; // what a status needs of it
    core.kind = (cn_core_kind)p->kind[a];
    core.dim = p->dim;
    core.mu = p->mu[a];
    double u[3], r[3];
    for (int k = 0; k < d; k++) {
        int row = p->row_start[a] + k;
        r[k] = x->r[k] + (p->r0 != NULL ? p->r0[row] : 0.0);
        u[k] = x->u[k] + p->b[row] + (p->c != NULL ? p->c[row] : 0.0) * r[k];
    }
    x->status = (signed char)cn_core_status(&core, d, u, r, v_small);
}

void cn_world_set_statuses(cn_world *w)
{
    double v_small = 1e-9 * w->certificate.solver.residual.v_ref;
    int threads = cn_share(w->threads, w->contacts.count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), a, w->contacts.count,
                  { set_status(&w->problem, v_small, w->contacts.d, a, &w->contacts.contact[a]); });
}
