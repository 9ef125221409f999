// world/repeat.c -- why a step is solved again, and how: the reasons of cn_repeat in their order.
//
// The problem of a step is linear and knows the contacts that detection listed. Where deformable
// bodies, joints or the motion itself say otherwise, it is changed and solved again.
#include <math.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "body/stages.h"
#include "world/world.h"

enum { ROTATION_MAX = 8 }; // looks at where a step takes bodies that turn (6.2)
enum { LAW_MAX = 100 };    // solves for laws that depend on what the step decides (4.41), and
enum { LAW_MISSED = 8 };   // where a solve missed what it was asked for
enum { FAST_MAX = 8 };     // times that contacts are found anew in a step (5.2), and
enum { RESTART_MAX = 4 };  // where deformable bodies are led to their balance anew

const char *cn_repeat_name(cn_repeat reason)
{
    static const char *const name[CN_REPEAT_COUNT] = {
        [CN_REPEAT_DEFORMABLES] = "deformables",
        [CN_REPEAT_JOINTS] = "joints",
        [CN_REPEAT_FAST] = "fast",
        [CN_REPEAT_ROUGH] = "rough",
        [CN_REPEAT_ROTATION] = "rotation",
        [CN_REPEAT_LAWS] = "laws",
    };
    return (unsigned)reason < CN_REPEAT_COUNT ? name[reason] : NULL;
}

// Iterations on joints aim at eps_v of h |g|. They end above that where contacts, which are solved
// to eps_v v_ref, move them from solve to solve: no velocity of the step is better known.
static bool are_joints_open(const cn_world *w)
{
    double v_ref = w->certificate.solver.residual.v_ref;
    return w->joints.excess > fmax(1.0, v_ref / w->problem.v_floor);
}

// Joints that the iterations leave open make the step one that is not converged.
static void judge_joints(cn_world *w, double eps_v)
{
    double v_ref = w->certificate.solver.residual.v_ref;
    cn_joint_judge(&w->joints, eps_v * w->problem.v_floor, eps_v * v_ref, &w->certificate.solver);
}

// Whether a contact of two bodies is bonded. It is asked of pairs that would enter each other only.
static bool is_bonded(const void *context, int i, int j)
{
    const cn_world *w = context;
    for (int a = 0; a < w->contacts.count; a++) {
        const cn_contact *x = &w->contacts.contact[a];
        bool is_theirs = (x->i == i && x->j == j) || (x->i == j && x->j == i);
        if (is_theirs && (w->problem.kind[a] == CN_CORE_BILATERAL || w->contacts.is_bond[a])) {
            return true;
        }
    }
    return false;
}

// Looks where the step takes bodies that turn; those that would enter each other have points then.
static cn_status look_at_rotations(cn_world *w, const cn_scheme *scheme, bool *is_clear,
                                   cn_error *err)
{
    cn_ccd *again = &w->detect.ccd;
    cn_ccd_step step = {.law = w->law,
                        .cache = &w->detect.cache,
                        .h = scheme->h,
                        .theta = scheme->theta,
                        .gamma = scheme->gamma,
                        .thread_count = w->threads,
                        .is_bonded = is_bonded,
                        .context = w};
    CN_TRY(cn_ccd_look(again, &w->bodies, &step, &w->hooks, err));
    *is_clear = again->point_count == 0;
    cn_world_stamp(w, CN_STAGE_NARROW);
    return CN_OK;
}

// Of contacts: whether bodies go where none were looked for, or turn into each other.
static cn_status find_contact_repeat(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt,
                                     cn_error *err)
{
    const int *count = w->certificate.repeat_count;
    bool is_solved = w->certificate.solver.is_converged;
    bool has_deformables = w->bodies.deformables->count > 0;
    if (has_deformables || (is_solved && count[CN_REPEAT_FAST] < FAST_MAX)) {
        cn_detect_needs_redetect(&w->detect, &w->bodies);
        if (w->detect.needs_redetect && has_deformables && count[CN_REPEAT_FAST] == RESTART_MAX) {
            return cn_fail(err, CN_BROKEN,
                           "bodies move so far in the step that contacts are missed, and again "
                           "where these are added; take a smaller time step");
        }
        if (w->detect.needs_redetect) {
            attempt->reason = CN_REPEAT_FAST;
            return CN_OK;
        }
    }
    if (attempt->is_rough) {
        attempt->reason = CN_REPEAT_ROUGH;
    } else if (count[CN_REPEAT_ROTATION] < ROTATION_MAX) {
        bool is_clear;
        CN_TRY(look_at_rotations(w, scheme, &is_clear, err));
        attempt->reason = is_clear ? CN_REPEAT_NONE : CN_REPEAT_ROTATION;
    }
    return CN_OK;
}

// Laws whose cores depend on the velocities that were found.
static cn_status find_law_repeat(cn_world *w, cn_attempt *attempt, cn_error *err)
{
    cn_certificate *c = &w->certificate;
    double v_ref = cn_world_law_reference(w), limit = attempt->eps_v * v_ref;
    int most = c->solver.is_converged ? LAW_MAX : LAW_MISSED;
    bool may_repeat = c->repeat_count[CN_REPEAT_LAWS] < most;
    int worst = -1;
    CN_TRY(cn_world_refine_laws(w, limit, may_repeat, &c->law_residual, &worst, err));
    if (c->law_residual <= limit) {
        return CN_OK;
    }
    if (may_repeat) {
        attempt->reason = CN_REPEAT_LAWS;
    } else if (c->solver.is_converged) {
        c->solver.is_converged = false;
        c->solver.criterion = CN_CRITERION_LAW;
        c->solver.value = c->law_residual / v_ref;
        c->solver.asked = attempt->eps_v;
        c->solver.at = worst;
    }
    return CN_OK;
}

cn_status cn_world_find_repeat(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt,
                               cn_error *err)
{
    const cn_solver_report *solver = &w->certificate.solver;
    bool is_balanced,
        is_closed = cn_joint_refine(&w->joints, &w->bodies, attempt->eps_v * w->problem.v_floor,
                                    &w->contacts);
    CN_TRY(cn_bodies_balance(&w->bodies, &is_balanced, err)); // (11.6)
    cn_world_stamp(w, CN_STAGE_FREE);
    attempt->reason = CN_REPEAT_NONE;
    if (!is_balanced) {
        attempt->reason = CN_REPEAT_DEFORMABLES;
    } else if (!is_closed && solver->is_converged) {
        attempt->reason = CN_REPEAT_JOINTS;
    } else {
        if (is_closed && solver->is_converged && are_joints_open(w)) {
            judge_joints(w, attempt->eps_v);
        }
        CN_TRY(find_contact_repeat(w, scheme, attempt, err));
    }
    if (attempt->reason == CN_REPEAT_NONE) {
        CN_TRY(find_law_repeat(w, attempt, err));
    }
    if (attempt->reason != CN_REPEAT_NONE) {
        w->certificate.repeat_count[attempt->reason]++;
    } else {
        cn_certificate *c = &w->certificate;
        cn_joint_id joint;
        cn_world_name(w, c->solver.at, c->missed_body, &c->missed_joint);
        cn_world_name(w, c->solver.residual.worst, c->worst_body, &joint);
    }
    return CN_OK;
}

// Goes back to the start of the step. The springs of an elastic step keep their centre, that of the
// first `rows` rows.
static void rewind_step(cn_world *w, int rows)
{
    cn_bodies_rewind(&w->bodies);
    if (w->certificate.solver.elastic_c < INFINITY) {
        memcpy(w->problem.r, cn_solver_guess(w->solver), sizeof *w->problem.r * (size_t)rows);
    }
}

// The problem with deformable bodies linearized where the last solve has led.
static cn_status relinearize(cn_world *w, cn_error *err)
{
    cn_contact_relinearize(&w->contacts, &w->bodies);
    cn_joint_relinearize(&w->joints, &w->bodies, &w->contacts);
    CN_TRY(cn_contact_condense(&w->contacts, &w->bodies, &w->problem, err));
    return cn_joint_condense(&w->joints, &w->bodies, &w->contacts, &w->problem, err);
}

// Finds contacts anew where bodies have left the region in which they were looked for. Points of
// looks at rotations stay. What is not linear is led there from the start of the step.
static cn_status find_contacts_anew(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt,
                                    cn_error *err)
{
    attempt->is_rough = attempt->can_be_rough;
    rewind_step(w, 0);
    if (w->bodies.deformables->count > 0) {
        cn_bodies_restore(&w->bodies);
        CN_TRY(cn_world_move_freely(w, scheme, err));
        attempt->is_rough = false;
    }
    return cn_world_set_up(w, scheme, err);
}

// Adds the points where turning bodies would enter each other (6.2).
static cn_status add_rotation_points(cn_world *w, const cn_scheme *scheme, cn_error *err)
{
    const cn_ccd *ccd = &w->detect.ccd;
    int known = w->contacts.count;
    rewind_step(w, w->contacts.row_start[known]);
    CN_TRY(cn_contact_append(&w->contacts, &w->bodies, w->law, ccd->point, ccd->point_count, err));
    CN_TRY(cn_world_assemble(w, scheme, known, err));
    cn_world_stamp(w, CN_STAGE_CONTACT);
    return CN_OK;
}

cn_status cn_world_prepare_repeat(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt,
                                  cn_error *err)
{
    int rows = w->problem.row_start[w->problem.contact_count];
    switch (attempt->reason) {
    case CN_REPEAT_DEFORMABLES:
        CN_TRY(relinearize(w, err));
        rewind_step(w, rows);
        return CN_OK;
    case CN_REPEAT_JOINTS:
        rewind_step(w, rows);
        return CN_OK;
    case CN_REPEAT_FAST:
        return find_contacts_anew(w, scheme, attempt, err);
    case CN_REPEAT_ROUGH:
        attempt->is_rough = false;
        rewind_step(w, rows);
        return CN_OK;
    case CN_REPEAT_LAWS:
        rewind_step(w, rows);
        return CN_OK;
    case CN_REPEAT_ROTATION:
        return add_rotation_points(w, scheme, err);
    case CN_REPEAT_NONE:
        break;
    }
    return CN_OK;
}
