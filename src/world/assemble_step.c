// world/assemble_step.c -- the contacts of a step and the problem they make, theory chapter 4.
#include <math.h>

#include "body/gravity.h"
#include "contact/interface.h"
#include "world/world.h"

static double smallest_size(const cn_bodies *b)
{
    double L = INFINITY;
    for (int i = 0; i < b->count; i++) {
        L = fmin(L, b->size[i]);
    }
    return L;
}

// Largest speed of surfaces that grow.
static double growth_speed(const cn_bodies *b)
{
    double most = 0.0;
    for (int i = 0; i < b->count && b->growth != NULL; i++) {
        most = fmax(most, fabs(b->growth[i]));
    }
    return most;
}

// Least velocity that errors are compared with: max(h |g|, 1e-12 L/h), L the smallest body (8.9),
// and that of growth.
static double velocity_floor(const cn_bodies *b, double h, double L)
{
    bool has_inertia = b->deformables->count == 0 || !b->deformables->settings.is_quasi_static;
    double g = cn_gravity_size(b);
    double least = fmax(has_inertia ? h * g : 0.0, isfinite(L) ? 1e-12 * L / h : 0.0);
    return fmax(least, growth_speed(b));
}

// How far bodies may move in the step.
static cn_status find_motion(cn_world *w, double h, cn_error *err)
{
    CN_TRY(cn_detect_motion(&w->detect, &w->bodies, h, cn_contact_touching(&w->contacts),
                            cn_contact_incidence(&w->contacts, w->bodies.count), err)); // (5.1)
    for (int n = 0; n < w->joints.count; n++) {
        const cn_link *link = &w->joints.link[n];
        if (link->j >= 0) {
            cn_detect_share(&w->detect, &w->bodies, link->i, link->j);
        }
    }
    return CN_OK;
}

// Contacts of the step at q_mid, matched with the last step.
static cn_status find_contacts(cn_world *w, cn_error *err)
{
    cn_rules rules;
    CN_TRY(cn_world_rules(w, &rules, err));
    CN_TRY(cn_interface_cover(&w->contacts, &w->bodies, &rules, &w->detect, err));
    CN_TRY(cn_detect_broad(&w->detect, &w->bodies, &rules, err));
    w->detect.covered = NULL;
    cn_world_stamp(w, CN_STAGE_BROAD);
    CN_TRY(cn_detect_narrow(&w->detect, &w->bodies, &rules, err)); // (4.5)
    cn_world_stamp(w, CN_STAGE_NARROW);
    cn_joints_room(&w->joints, &w->bodies, &w->contacts.guest_count, &w->contacts.guest_rows,
                   &w->contacts.guest_entries);
    cn_points fed;
    CN_TRY(
        cn_interface_feed(&w->contacts, &w->bodies, &rules, w->step == 0, &w->detect, &fed, err));
    return cn_contact_match(&w->contacts, &w->bodies, w->law, fed.point, fed.count,
                            w->detect.anchor, err);
}

cn_status cn_world_assemble(cn_world *w, const cn_scheme *scheme, int known, cn_error *err)
{
    CN_TRY(cn_contact_assemble(&w->contacts, &w->bodies, w->law, scheme, known, &w->problem, err));
    CN_TRY(cn_joint_assemble(&w->joints, &w->bodies, scheme, &w->contacts, &w->problem,
                             err));                                          // (7.1)
    CN_TRY(cn_contact_condense(&w->contacts, &w->bodies, &w->problem, err)); // (11.20)
    CN_TRY(cn_joint_condense(&w->joints, &w->bodies, &w->contacts, &w->problem, err));
    double L = smallest_size(&w->bodies);
    w->problem.v_floor = velocity_floor(&w->bodies, scheme->h, L);
    w->problem.length = isfinite(L) ? L : 0.0;
    w->problem.force_share = cn_accuracy_row(w->solver_def.accuracy)->force_share;
    w->problem.v_before = cn_bodies_rms_velocity(&w->bodies);
    bool is_quiet = !cn_bodies_are_driven(&w->bodies) && w->bodies.growth == NULL;
    w->problem.is_grounded = is_quiet && !w->contacts.has_self;
    return CN_OK;
}

cn_status cn_world_set_up(cn_world *w, const cn_scheme *scheme, cn_error *err)
{
    cn_world_use_workspace(w, CN_WORKSPACE_DETECTION);
    cn_status found = find_motion(w, scheme->h, err);
    found = found == CN_OK ? find_contacts(w, err) : found;
    cn_world_use_workspace(w, CN_WORKSPACE_NOBODY);
    CN_TRY(found);
    CN_TRY(cn_contact_append(&w->contacts, &w->bodies, w->law, w->detect.ccd.kept,
                             w->detect.ccd.kept_count, err));
    CN_TRY(cn_world_assemble(w, scheme, 0, err));
    cn_world_stamp(w, CN_STAGE_CONTACT);
    return CN_OK;
}
