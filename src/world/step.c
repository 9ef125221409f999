// world/step.c -- one step of Moreau-Jean time stepping, theory section 3.
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/share.h"
#include "solve/local.h"
#include "solve/still.h"
#include "world/world.h"

enum { SHARED_MIN = 1024 }; // bodies or contacts per thread
enum { LOOKS_MAX = 8 };     // at where a step takes bodies that turn (4.42)
enum { THROWS_MAX = 8 };    // times that contacts are found anew in a step (4.47)

// Accuracy that tells which contacts a step has; its last solve is as accurate as was asked for.
static const double ROUGH = 1e-2;

// Adds the time since *last to a stage. Clocks are read for the report only, never for a decision.
static void stamp(cn_world *w, cn_stage stage, double *last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (*last > 0.0) {
        w->seconds[stage] += seconds - *last;
    }
    *last = seconds;
}

// Least velocity that errors are compared with: max(h |g|, 1e-12 L/h), L the smallest body (5.9).
static double velocity_floor(const cn_bodies *b, double h)
{
    double L = INFINITY;
    for (int i = 0; i < b->count; i++) {
        L = fmin(L, b->size[i]);
    }
    bool has_inertia = b->meshes.count == 0 || !b->meshes.settings.is_quasi_static;
    double g = cn_norm3(cn_v3(b->gravity[0], b->gravity[1], b->gravity[2]));
    return fmax(has_inertia ? h * g : 0.0, isfinite(L) ? 1e-12 * L / h : 0.0);
}

// Square of the velocity of a body, of its centre and of what its spin adds at its rim.
static double square_velocity(const cn_bodies *b, int i)
{
    const double *v = cn_body_v(b, b->v, i);
    double rim = 0.5 * b->size[i], sum = 0.0;
    for (int d = 0; d < b->kind->dof; d++) {
        double v_d = d < b->dim ? v[d] : rim * v[d];
        sum += v_d * v_d;
    }
    return sum;
}

// Root mean square velocity of bodies that can move: tells rest from flow.
static double rms_velocity(const cn_bodies *b)
{
    double part[CN_SEGMENTS] = {0.0}, sum = 0.0;
    int count = 0, threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static) reduction(+ : count)), k, CN_SEGMENTS, {
        for (int i = cn_segment_start(b->count, k); i < cn_segment_start(b->count, k + 1); i++) {
            bool is_held = cn_body_is_held(b, i);
            part[k] += is_held ? 0.0 : square_velocity(b, i);
            count += !is_held;
        }
    });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        sum += part[k];
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
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

// Statuses of the accepted impulses, for laws, views and pictures.
static void set_statuses(cn_world *w)
{
    double v_small = 1e-9 * w->certificate.solver.residual.v_ref;
    int threads = cn_share(w->threads, w->contacts.count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), a, w->contacts.count,
                  { set_status(&w->problem, v_small, w->contacts.d, a, &w->contacts.contact[a]); });
}

// Whether all numbers of the state of body i are finite.
static bool is_finite(const cn_bodies *b, int i)
{
    double sum = 0.0;
    for (int k = 0; k < b->kind->q_size; k++) {
        sum += b->q[b->kind->q_size * i + k];
    }
    for (int k = 0; k < b->kind->dof; k++) {
        sum += b->v[b->kind->dof * i + k];
    }
    return isfinite(sum);
}

static cn_status check_finite(const cn_bodies *b, cn_error *err)
{
    int lost = b->count, threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(min
                                              : lost)),
                  i, b->count, {
                      if (i < lost && !is_finite(b, i)) {
                          lost = i;
                      }
                  });
    if (lost < b->count) {
        const double *v = cn_body_v(b, b->v, lost), *q = cn_body_q(b, b->q, lost);
        return cn_fail(err, CN_BROKEN, "body %llu: velocity (%g, %g), position (%g, %g)",
                       (unsigned long long)b->id[lost], v[0], v[1], q[0], q[1]);
    }
    return CN_OK;
}

// How far bodies may move in the step.
static cn_status find_motion(cn_world *w, double h, cn_error *err)
{
    CN_TRY(cn_detect_motion(&w->detect, &w->bodies, h, cn_contact_touching(&w->contacts),
                            cn_contact_incidence(&w->contacts, w->bodies.count), err)); // (4.14)
    for (int n = 0; n < w->joints.count; n++) {
        const cn_link *link = &w->joints.link[n];
        if (link->j >= 0) {
            cn_detect_share(&w->detect, &w->bodies, link->i, link->j);
        }
    }
    return CN_OK;
}

// Contacts of the step at q_mid, matched with the last step.
static cn_status find_contacts(cn_world *w, double *clock, cn_error *err)
{
    cn_rules rules;
    CN_TRY(cn_world_rules(w, &rules, err));
    CN_TRY(cn_detect_broad(&w->detect, &w->bodies, &rules, err));
    stamp(w, CN_STAGE_BROAD, clock);
    CN_TRY(cn_detect_narrow(&w->detect, &w->bodies, &rules, err)); // (4.3)
    stamp(w, CN_STAGE_NARROW, clock);
    cn_joints_room(&w->joints, &w->bodies, &w->contacts.guest_count, &w->contacts.guest_rows,
                   &w->contacts.guest_entries);
    return cn_contact_match(&w->contacts, &w->bodies, w->law, w->detect.point,
                            w->detect.point_count, w->detect.anchor, err);
}

// Contacts and joints as a problem (4.2 to 4.6). The first `known` contacts have been in one.
static cn_status assemble(cn_world *w, double h, int known, cn_error *err)
{
    CN_TRY(cn_contact_assemble(&w->contacts, &w->bodies, w->law, h, w->theta, cn_world_gamma(w),
                               known, &w->problem, err));
    CN_TRY(cn_joint_assemble(&w->joints, &w->bodies, h, w->theta, cn_world_gamma(w), &w->contacts,
                             &w->problem, err));                             // (4.31)
    CN_TRY(cn_contact_condense(&w->contacts, &w->bodies, &w->problem, err)); // (11.14)
    CN_TRY(cn_joint_condense(&w->joints, &w->bodies, &w->contacts, &w->problem, err));
    w->problem.v_floor = velocity_floor(&w->bodies, h);
    w->problem.v_before = rms_velocity(&w->bodies);
    w->problem.is_grounded = !cn_bodies_are_driven(&w->bodies);
    return CN_OK;
}

static cn_status set_up_problem(cn_world *w, double h, double *clock, cn_error *err)
{
    cn_world_collect(w, CN_BORROWING_UPDATE); // of the last step, or of the last solve
    cn_world_lend(w, CN_BORROWING_DETECTION);
    cn_status found = find_motion(w, h, err);
    found = found == CN_OK ? find_contacts(w, clock, err) : found;
    cn_world_collect(w, CN_BORROWING_DETECTION);
    CN_TRY(found);
    CN_TRY(cn_contact_append(&w->contacts, &w->bodies, w->law, w->detect.again.kept,
                             w->detect.again.kept_count, err));
    CN_TRY(assemble(w, h, 0, err));
    stamp(w, CN_STAGE_CONTACT, clock);
    return CN_OK;
}

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
static cn_status widen(cn_world *w, double h, bool *is_clear, double *clock, cn_error *err)
{
    cn_detect_widen(&w->detect, &w->bodies);
    *is_clear = !w->detect.is_wider;
    if (!*is_clear) {
        start_again(w, 0);
        CN_TRY(set_up_problem(w, h, clock, err));
    }
    return CN_OK;
}

// Looks where the step takes bodies that turn. Those that would enter each other get the points
// where they do, and the step is to be solved again (4.42).
static cn_status look_again(cn_world *w, double h, bool *is_clear, double *clock, cn_error *err)
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
    stamp(w, CN_STAGE_NARROW, clock);
    if (*is_clear) {
        return CN_OK;
    }
    int known = w->contacts.count, rows = w->contacts.row_start[known];
    start_again(w, rows);
    CN_TRY(
        cn_contact_append(&w->contacts, &w->bodies, w->law, again->point, again->point_count, err));
    CN_TRY(assemble(w, h, known, err));
    stamp(w, CN_STAGE_CONTACT, clock);
    return CN_OK;
}

// What a step has tried so far.
typedef struct tries {
    int looks, throws;
    bool can_be_rough, is_rough; // the next solve is to find contacts only
} tries;

// Whether a solve is the answer of the step; if not, the problem is ready to be solved again.
static cn_status go_on(cn_world *w, double h, bool is_solved, tries *so_far, bool *is_clear,
                       double *clock, cn_error *err)
{
    *is_clear = true;
    if (w->bodies.meshes.count == 0 && is_solved && so_far->throws < THROWS_MAX) {
        CN_TRY(widen(w, h, is_clear, clock, err));
    }
    if (!*is_clear) {
        so_far->throws++;
        so_far->is_rough = so_far->can_be_rough;
    } else if (so_far->is_rough) {
        so_far->is_rough = *is_clear = false;
        start_again(w, w->problem.row_start[w->problem.contact_count]);
    } else if (so_far->looks++ < LOOKS_MAX) {
        CN_TRY(look_again(w, h, is_clear, clock, err));
    }
    return CN_OK;
}

// One solve of the problem, as accurate as def asks; adds its sweeps to those of the step.
static cn_status solve_once(cn_world *w, const cn_solver_def *def, double *clock, cn_error *err)
{
    int before = w->certificate.solver.sweep_count;
    cn_world_collect(w, CN_BORROWING_UPDATE);
    cn_world_lend(w, CN_BORROWING_SOLVER);
    cn_status solved = cn_problem_solve(&w->problem, def, w->solver, &w->certificate.solver, err);
    cn_world_collect(w, CN_BORROWING_SOLVER);
    cn_world_lend(w, CN_BORROWING_UPDATE);
    w->certificate.solver.sweep_count += before;
    stamp(w, CN_STAGE_SOLVE, clock);
    return solved;
}

// Velocities and configuration that the impulses lead to.
static cn_status move(cn_world *w, double h, double *clock, cn_error *err)
{
    cn_bodies *b = &w->bodies;
    CN_TRY(cn_bodies_keep(b, err));
    CN_TRY(cn_contact_correct(&w->contacts, &w->problem, b, err)); // (3.1)
    cn_bodies_stand(b, cn_solver_still(w->solver));
    cn_joint_push(&w->joints, &w->contacts, b);
    CN_TRY(cn_meshes_update(&b->meshes, b->id, err)); // (11.5)
    cn_contact_measure(&w->contacts, b);
    b->kind->update(b, h, w->theta);
    stamp(w, CN_STAGE_UPDATE, clock);
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

// What a solve is asked for, and what one that only finds contacts is.
static cn_solver_def solver_def_of(const cn_world *w, double h, cn_solver_def *rough)
{
    cn_solver_def def = w->solver_def;
    def.seed += (uint64_t)w->step;
    def.thread_count = w->threads;
    def.h = h;
    def.eps_v *= cn_meshes_accuracy(&w->bodies.meshes); // (11.26)
    *rough = def;
    rough->eps_v = fmax(def.eps_v, ROUGH);
    rough->tol = fmax(def.tol, ROUGH);
    return def;
}

// Impulses, velocities and configuration at the end of the step (3.5). Joints are straight in the
// problem and curved in truth: solved again, with shifts that make up for it, until their gaps
// vanish (4.34). Deformable bodies are linear in the problem: solved again, linearized anew, until
// they are in balance (11.6).
static cn_status solve(cn_world *w, double h, double *clock, cn_error *err)
{
    cn_bodies *b = &w->bodies;
    cn_solver_def rough, def = solver_def_of(w, h, &rough);
    bool is_finer = rough.eps_v > def.eps_v || rough.tol > def.tol;
    tries so_far = {.can_be_rough = is_finer && w->joints.count == 0};
    w->certificate.solver.sweep_count = 0;
    for (;;) {
        cn_status solved = solve_once(w, so_far.is_rough ? &rough : &def, clock, err);
        if (solved != CN_OK && solved != CN_NOT_CONVERGED) {
            return solved;
        }
        CN_TRY(move(w, h, clock, err));
        bool is_balanced, is_closed = cn_joint_refine(&w->joints, b, def.eps_v * w->problem.v_floor,
                                                      &w->contacts);
        CN_TRY(cn_meshes_refine(&b->meshes, b->id, &is_balanced, err)); // (11.6)
        stamp(w, CN_STAGE_FREE, clock);
        if (is_closed && is_balanced && solved == CN_OK && w->joints.excess > 1.0) {
            solved = cn_joint_fail(&w->joints, err);
        }
        if (is_balanced && (is_closed || solved != CN_OK)) {
            bool is_clear;
            CN_TRY(go_on(w, h, solved == CN_OK, &so_far, &is_clear, clock, err));
            if (is_clear) {
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

// The storage row of an elastic step, and of the first one after it.
static void audit_springs(cn_world *w)
{
    cn_problem solved = cn_solver_problem(w->solver, &w->problem);
    bool is_elastic = solved.c != w->problem.c;
    if (is_elastic || w->spring_energy > 0.0) {
        cn_audit_springs(&w->problem, &solved, cn_solver_guess(w->solver),
                         is_elastic ? w->contacts.count : 0, &w->spring_energy, &w->ledger);
    }
}

static cn_status step(cn_world *w, double h, cn_error *err)
{
    double clock = 0.0;
    stamp(w, CN_STAGE_LOAD, &clock);
    cn_load_eval(&w->loads, w->t, h, w->theta, &w->bodies); // (3.2)
    stamp(w, CN_STAGE_LOAD, &clock);
    w->bodies.kind->free_motion(&w->bodies, h, w->theta, cn_world_gamma(w)); // (3.3)
    CN_TRY(cn_meshes_free_motion(&w->bodies.meshes, h, w->theta, cn_world_gamma(w),
                                 w->bodies.gravity, w->bodies.id, err)); // (11.3)
    cn_bodies_face_meshes(&w->bodies);
    CN_TRY(cn_joint_check_drives(&w->joints, &w->bodies, h, err));
    stamp(w, CN_STAGE_FREE, &clock);
    w->detect.is_wider = false;
    w->detect.again.kept_count = 0;
    CN_TRY(set_up_problem(w, h, &clock, err));
    cn_status solved = solve(w, h, &clock, err); // (3.5)
    if (solved != CN_OK && solved != CN_NOT_CONVERGED) {
        return solved;
    }
    cn_bodies_show_meshes(&w->bodies);
    CN_TRY(check_finite(&w->bodies, err));
    CN_TRY(cn_joint_check(&w->joints, err));
    set_statuses(w);
    stamp(w, CN_STAGE_UPDATE, &clock);
    cn_audit_energy(&w->contacts, &w->joints, w->law, h, w->theta, &w->bodies,
                    &w->ledger); // (6.2)
    audit_springs(w);
    cn_audit_penetration(&w->contacts, &w->bodies, h, &w->certificate); // (6.4)
    cn_audit_joints(&w->joints, &w->certificate);                       // (4.34)
    cn_contact_commit(&w->contacts, &w->bodies, w->law);
    cn_joint_commit(&w->joints, &w->bodies);
    cn_meshes_commit(&w->bodies.meshes);
    stamp(w, CN_STAGE_AUDIT, &clock);
    return solved;
}

cn_status cn_world_step(cn_world *w, double h, cn_error *err)
{
    if (!(h > 0.0) || !isfinite(h)) {
        return cn_fail(err, CN_BAD_INPUT, "time step must be > 0 s, got %g", h);
    }
    cn_bodies *b = &w->bodies;
    b->thread_count = b->meshes.thread_count = w->threads;
    b->meshes.contact_eps = w->solver_def.eps_v;
    w->detect.thread_count = w->contacts.thread_count = w->threads;
    cn_bodies_begin(b);
    cn_meshes_begin(&b->meshes);
    cn_status status = step(w, h, err);
    if (status != CN_OK && status != CN_NOT_CONVERGED) {
        cn_bodies_go_back(b);
        cn_meshes_restore(&b->meshes);
        cn_bodies_show_meshes(b);
        return status;
    }
    w->t += h;
    w->step++;
    w->certificate.step = w->step;
    w->certificate.time = w->t;
    w->certificate.h = h;
    w->certificate.eps_v = w->solver_def.eps_v;
    w->certificate.tol = w->solver_def.tol;
    w->certificate.contact_count = w->contacts.count;
    w->certificate.status = status;
    return status;
}
