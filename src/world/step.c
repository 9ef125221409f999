// world/step.c -- one step of Moreau-Jean time stepping, theory chapter 3.
#include <math.h>
#include <string.h>

#include "body/stages.h"
#include "world/world.h"

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

static void audit(cn_world *w, double h)
{
    cn_audit_energy(&w->contacts, &w->joints, w->law, h, w->theta, &w->bodies,
                    &w->ledger); // (9.2)
    audit_springs(w);
    cn_audit_penetration(&w->contacts, &w->bodies, h, &w->certificate); // (9.4)
    cn_audit_creep(&w->contacts, &w->bodies, &w->certificate);          // (8.31)
    cn_audit_joints(&w->joints, &w->certificate);                       // (7.4)
    cn_audit_drives(&w->bodies, h, &w->certificate);                    // (9.6)
}

// What slid is worn off for the next step.
static cn_status wear_off(cn_world *w, cn_error *err)
{
    cn_worn_energy worn;
    if (w->wear.count == 0) {
        return CN_OK;
    }
    CN_TRY(cn_wear_step(&w->wear, &w->contacts, &w->joints, &w->bodies, &worn, err));
    cn_audit_wear((double[2]){worn.kinetic, worn.potential}, worn.taken, &w->ledger);
    return CN_OK;
}

// Radii of bodies that grow, where contacts are set up.
static cn_status grow(cn_world *w, const cn_scheme *scheme, cn_error *err)
{
    cn_rules rules;
    if (w->growth.count == 0) {
        return CN_OK;
    }
    CN_TRY(cn_world_rules(w, &rules, err));
    return cn_growth_begin(&w->growth, &w->bodies, &rules, w->t, scheme, err);
}

cn_status cn_world_move_freely(cn_world *w, const cn_scheme *scheme, cn_error *err)
{
    CN_TRY(cn_load_eval(&w->loads, w->t, scheme->h, w->theta, &w->bodies, err)); // (3.2)
    CN_TRY(
        cn_load_outside(&w->loads, w->t, scheme->h, w->theta, &w->bodies, err)); // (3.19), (3.22)
    CN_TRY(cn_load_cell(&w->cell, w->t, scheme->h, w->theta, err));
    CN_TRY(cn_world_check_refused(w, err));
    cn_world_stamp(w, CN_STAGE_LOAD);
    CN_TRY(cn_bodies_free_motion(&w->bodies, scheme, err)); // (3.3), (11.3)
    CN_TRY(cn_joint_check_drives(&w->joints, &w->bodies, scheme->h, err));
    cn_world_stamp(w, CN_STAGE_FREE);
    return cn_world_look_for_stop(w, err);
}

cn_status cn_world_try_step(cn_world *w, double h, double h_whole, double *cut, cn_error *err)
{
    const cn_scheme scheme = {
        .h = h, .theta = w->theta, .gamma = cn_world_gamma(w), .h_whole = h_whole};
    double added_before = w->certificate.added_penetration;
    cn_world_start_clock(w);
    cn_detect_begin(&w->detect);
    CN_TRY(grow(w, &scheme, err));                 // (4.59)
    CN_TRY(cn_world_move_freely(w, &scheme, err)); // loads, v_free and q_mid (3.2), (3.3)
    CN_TRY(
        cn_world_set_up(w, &scheme, err)); // contacts at q_mid and their problem (4.2, 4.5 to 4.8)
    if (w->contacts.first_touch < *cut) {
        *cut = w->contacts.first_touch;
        return CN_OK;
    }
    *cut = h;

    cn_attempt attempt = {.reason = CN_REPEAT_NONE};
    memset(w->certificate.repeat_count, 0, sizeof w->certificate.repeat_count);
    w->certificate.solver.sweep_count = 0;
    memset(w->certificate.solver.work, 0, sizeof w->certificate.solver.work);
    do {                                                   // again for each reason of cn_repeat
        CN_TRY(cn_world_solve(w, &scheme, &attempt, err)); // impulses (8.1)
        CN_TRY(cn_world_move(w, &scheme, err));            // v+ and q+ (3.1), (3.4)
        CN_TRY(cn_world_find_repeat(w, &scheme, &attempt, err));
        CN_TRY(cn_world_prepare_repeat(w, &scheme, &attempt, err));
    } while (attempt.reason != CN_REPEAT_NONE);

    cn_bodies_publish(&w->bodies);
    CN_TRY(cn_bodies_check(&w->bodies, err));
    CN_TRY(cn_joint_check(&w->joints, err));
    cn_world_set_statuses(w);
    cn_world_stamp(w, CN_STAGE_UPDATE);
    audit(w, h);
    CN_TRY(cn_audit_judge(&w->contacts, &w->bodies, &w->ledger, added_before, &w->certificate,
                          err)); // (9.8)
    cn_contact_commit(&w->contacts, &w->bodies, w->law);
    cn_joint_commit(&w->joints, &w->bodies);
    cn_bodies_commit(&w->bodies);
    CN_TRY(wear_off(w, err)); // (4.56)
    cn_growth_end(&w->growth, &w->bodies, w->t + h);
    cn_world_stamp(w, CN_STAGE_AUDIT);
    return CN_OK;
}

// Threads and the request to stop are the world's; every stage looks at them.
static void prepare_stages(cn_world *w)
{
    cn_deformables *deformables = w->bodies.deformables;
    w->bodies.thread_count = deformables->thread_count = w->threads;
    w->detect.thread_count = w->contacts.thread_count = w->threads;
    w->detect.stop = w->detect.ccd.stop = deformables->stop = &w->stop;
}

static cn_status make_step(cn_world *w, double h, cn_error *err)
{
    if (!(h > 0.0) || !isfinite(h)) {
        return cn_fail(err, CN_BAD_INPUT, "time step must be > 0 s, got %g", h);
    }
    prepare_stages(w);
    CN_TRY(cn_world_wrap(w, err));
    double made = 0.0;
    w->is_set_up = false;
    cn_status status = cn_world_step_in_parts(w, h, &made, err);
    if (status == CN_STOPPED) {
        cn_world_answer_stop(w);
    }
    if (made > 0.0) {
        w->step++;
        w->certificate.step = w->step;
        w->certificate.time = w->t;
        w->certificate.h = made;
        w->certificate.contact_count = w->contacts.count;
        w->certificate.has_overlap = false;
        w->is_set_up = status == CN_OK;
    }
    return status;
}

cn_status cn_world_step(cn_world *w, double h, cn_error *err)
{
    CN_NEED(err, w);
    CN_TRY(cn_world_take(w, __func__, err));
    cn_status status = make_step(w, h, err);
    cn_world_give(w);
    return status;
}
