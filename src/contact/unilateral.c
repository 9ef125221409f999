// contact/unilateral.c -- the normal row: what keeps bodies out of each other (see the header).
#include <math.h>

#include "body/gravity.h"
#include "contact/frame.h"
#include "contact/unilateral.h"

// Depths that the points of a patch may share (4.12), and gaps that are rounding, of the size [-].
static const double SHARED = 1e-5;
static const double ROUNDING = 1e-10;

// Depths below this part of the smaller body are left as they are [-].
static const double SPECK = 1e-12;

// Part of the period T of a spring that a step may last in a hollow (6.8) [-]. Measured on balls
// that ride in a drum: springs stay on the wall up to h = 0.27 T and leave it from 0.45 T on.
static const double SPRING_STEP = 0.25;

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// ---- patches

// What all of some contacts of a patch may give back (6.4).
static double chord_of(const cn_contacts *c, const cn_bodies *b, int first, int end)
{
    double chord = INFINITY;
    for (int a = first; a < end; a++) {
        chord = -larger(-cn_contact_chord(c, b, &c->contact[a]), -chord);
    }
    return chord;
}

cn_contact_patch cn_contact_patch_make(const cn_contacts *c, const cn_bodies *b, int first, int end)
{
    cn_contact_patch patch = {.is_shared = end - first > 3, .top = -INFINITY};
    for (int a = first; a < end && patch.is_shared; a++) {
        patch.floor = -larger(-c->contact[a].gap, -patch.floor);
        patch.top = larger(c->contact[a].gap, patch.top);
    }
    patch.chord = patch.is_shared && patch.floor < 0.0 ? chord_of(c, b, first, end) : 0.0;
    return patch;
}

// The patch that is contact a alone.
static cn_contact_patch patch_alone(const cn_contacts *c, const cn_bodies *b, int a)
{
    double gap = c->contact[a].gap, floor = -larger(-gap, 0.0);
    return (cn_contact_patch){
        .floor = floor, .top = gap, .chord = floor < 0.0 ? chord_of(c, b, a, a + 1) : 0.0};
}

// ---- forms

static cn_form form_of(const cn_normal *normal, const cn_approach *x)
{
    if (normal->form != CN_FORM_AUTO) {
        return normal->form;
    }
    if (normal->restitution > 0.0 || normal->restitution_t != 0.0) {
        return x->is_concave ? CN_FORM_AHEAD : CN_FORM_VELOCITY; // else bodies would sink (6.7)
    }
    return x->is_deformable ? CN_FORM_DISPLACEMENT : CN_FORM_QUASI_INELASTIC;
}

// Shift with which the gap at the end of the step is not negative (4.11).
static double shift_to_end(const cn_approach *x)
{
    return (x->gap + (1.0 - x->theta - x->gamma) * x->h * x->U_n) / (x->theta * x->h);
}

// Velocity that closes a gap in this step. Depth is given back in the step that it is a part of: in
// a short part it would be faster than anything has closed it (6.9).
static double close_gap(const cn_approach *x, double gap)
{
    return gap / (gap < 0.0 ? fmax(x->h, x->h_whole) : x->h);
}

// Depth that bodies gain by turning is given back (6.4) [m].
static double given_back(const cn_approach *x)
{
    double depth = fmin(-x->patch.floor, x->patch.chord);
    return depth > SPECK * x->size ? depth : 0.0;
}

// What a point may close (4.12), less what rounding makes of a closed patch: a joint that touches
// must not ask for velocities of 1e-16 L/h, since around a closed ring of joints they contradict
// each other and stall the solver.
static double open_gap(const cn_approach *x)
{
    double floor = fmax(x->patch.floor, -SHARED * x->size), rounding = ROUNDING * x->size;
    double open = x->patch.top - floor;
    double part = open > rounding ? fmin(1.0, 2.0 * (open - rounding) / open) : 0.0;
    return part * fmax(x->gap - floor, 0.0) - given_back(x);
}

// Newton's law where bodies touch, or are fast and about to pass through each other (4.9), (6.1),
// be it by turning.
static bool shift_velocity(double e, const cn_approach *x, double *b_n)
{
    bool is_fast = x->is_fast || -x->h * x->U_n > 0.5 * x->size;
    *b_n = e * fmin(x->U_n, 0.0);
    if (x->is_fast && x->gap < 0.0) {
        *b_n = fmin(*b_n, shift_to_end(x));
    }
    return x->gap <= CN_TOUCH * x->size || (is_fast && x->gap + x->h * x->U_n < 0.0);
}

// The same, and what would pass a surface is met ahead of it; what others throw through it is
// brought to touch it, and its shock is that of the next step, as in (6.5).
static bool shift_late(double e, const cn_approach *x, double *b_n)
{
    bool is_met = shift_velocity(e, x, b_n);
    if (!is_met && x->is_from_ccd && x->gap + x->h * x->U_n >= 0.0) {
        *b_n = x->gap / x->h;
    }
    return is_met || x->is_from_ccd;
}

// Velocity with which a body in a hollow follows the wall instead of a chord (6.7).
static double follow(const cn_approach *x)
{
    return fmax(x->arc + fmin(-x->gap, x->arc), 0.0) / x->h;
}

// The same, also ahead of the surface where a solve leads into it. What the velocity before does
// not close is closed and no more: its shock is that of the next step (6.5).
static bool shift_ahead(double e, const cn_approach *x, double *b_n)
{
    bool is_met = shift_velocity(e, x, b_n) || x->gap < x->arc;
    bool is_closing = x->gap + x->h * x->U_n < 0.0;
    if (!is_met && !is_closing) {
        *b_n = x->gap / x->h;
    } else if (!x->is_fast) {
        *b_n = fmin(*b_n, fmin(-given_back(x) / x->h, -follow(x)));
    }
    return is_met || x->is_from_ccd;
}

// What moves past its thickness within a step is met ahead of the surface and never let through it
// (6.1). Along a hollow every chord cuts into the wall, so that depth is given back (6.6).
bool cn_unilateral_shift(const cn_normal *normal, const cn_approach *x, double *b_n)
{
    bool has_passed = x->is_fast && x->gap < 0.0;
    switch (form_of(normal, x)) {
    case CN_FORM_VELOCITY:
        return shift_late(normal->restitution, x, b_n);
    case CN_FORM_AHEAD:
        return shift_ahead(normal->restitution, x, b_n);
    case CN_FORM_CONSERVING: // (11.10)
        *b_n = x->U_n;
        return x->gap - x->gamma * x->h * x->U_n <= 0.0;
    case CN_FORM_DISPLACEMENT: // (4.10)
        *b_n = close_gap(x, x->gap);
        if (has_passed) {
            *b_n = fmin(*b_n, shift_to_end(x));
        }
        return true;
    case CN_FORM_DISPLACEMENT_END: // (4.11)
        *b_n = shift_to_end(x);
        return true;
    default: // (4.12)
        *b_n = has_passed ? shift_to_end(x) : open_gap(x) / x->h;
        if (x->is_concave && !has_passed) { // (6.6)
            *b_n = close_gap(x, x->gap) - x->arc / x->h;
        }
        return true;
    }
}

cn_law_input cn_unilateral_input(const cn_contacts *c, const cn_bodies *b,
                                 const cn_law_entry *entry, const cn_contact_patch *patch, int a)
{
    const cn_contact *contact = &c->contact[a];
    cn_law_input in = cn_contact_law_input(c, b, entry, a);
    double growth = cn_contact_growth(b, contact);
    cn_approach x = {
        .h = c->h,
        .h_whole = c->h_whole,
        .theta = c->theta,
        .gamma = c->gamma,
        .gap = in.gap,
        .U_n = in.u_before[0] - growth,
        .size = cn_contact_size(b, contact),
        .patch = patch->is_shared ? *patch : patch_alone(c, b, a),
        .is_concave = cn_contact_is_concave(b, contact),
        .is_fast = c->is_fast[a],
        .is_from_ccd = a >= c->found,
        // What overlaps where a bond has left it is not given back.
        .is_deformable = in.is_deformable && (c->is_bond[a] || !entry->law->is_bonding),
    };
    x.arc = x.is_concave && !x.is_from_ccd ? cn_contact_arc(c, b, contact) : 0.0;
    in.is_met = cn_unilateral_shift(&entry->normal, &x, &in.shift);
    in.shift -= growth; // (4.60)
    in.size = x.size;
    in.curvature_gap = x.arc;
    return in;
}

// A step that short leaves at most 1e-3 of the smaller body to a pair that touches at its start.
static const double TOUCHING = 1e-3;

// Where a fast pair is met that has passed a surface at q_mid (6.9).
static double touch_of_fast(const cn_contacts *c, const cn_bodies *b, int a, double speed)
{
    const cn_contact *x = &c->contact[a];
    double gap_start = -cn_contact_depth(c, a), least = TOUCHING * cn_contact_size(b, x);
    bool has_passed = x->gap < 0.0 && gap_start >= -least;
    return has_passed ? fmax(gap_start / c->gamma, least) / speed : INFINITY;
}

// Worlds with no more contacts meet inelastic impacts in the middle of a step (6.10), if they are
// this many times as fast as gravity makes a body in a step.
enum { IMPACT_CONTACTS = 16 };
static const double IMPACT_SPEED = 50.0;

// Impacts are met when they are this near, of the step: as long as it lasts, what held the bodies
// before does not hold them.
static const double IMPACT_TIME = 0.02;

// Turns of bodies in a step beyond which their contacts are those of (6.2) [rad].
static const double IMPACT_TURN = 0.01;

// Angle by which the bodies of a contact turn in a step.
static double turn_in_step(const cn_contacts *c, const cn_bodies *b, const cn_contact *x)
{
    double turn = 0.0;
    for (int side = 0; side < 2; side++) {
        const double *v = cn_body_v(b, b->v_before, side == 0 ? x->i : x->j);
        turn += c->h * (b->dim == 2 ? fabs(v[2]) : cn_norm3(cn_v3(v[3], v[4], v[5])));
    }
    return turn;
}

// Where an inelastic impact is met, or up to where a step leaves it alone (6.10).
static double touch_of_impact(const cn_contacts *c, const cn_bodies *b, int a, double speed)
{
    const cn_contact *x = &c->contact[a];
    double g = cn_gravity_size(b);
    double gap_start = x->gap + c->gamma * c->h * speed, time = gap_start / speed;
    bool is_slow = !(g > 0.0) || speed < IMPACT_SPEED * c->h * g;
    if (is_slow || turn_in_step(c, b, x) > IMPACT_TURN || c->count > IMPACT_CONTACTS ||
        !(gap_start > ROUNDING * cn_contact_size(b, x)) ||
        x->gap + c->h * c->u_free[c->row_start[a]] >= 0.0) {
        return INFINITY;
    }
    if (time <= IMPACT_TIME * c->h) {
        return fmax(time / c->gamma, 0.05 * IMPACT_TIME * c->h);
    }
    // What loads add within the step must not be held back, either.
    double most = fmax(speed, -c->u_free[c->row_start[a]]) + c->h * g;
    return gap_start / ((1.0 + c->gamma) * most);
}

double cn_unilateral_first_touch(const cn_contacts *c, const cn_bodies *b, const cn_normal *normal,
                                 int a)
{
    double speed = -c->contact[a].u_before[0];
    bool is_inelastic = normal->form == CN_FORM_AUTO && normal->stiffness == 0.0 &&
                        normal->restitution == 0.0 && normal->restitution_t == 0.0;
    if (!(speed > 0.0) || !(c->gamma > 0.0) || b->growth != NULL) {
        return INFINITY;
    }
    if (c->is_at_start[a]) {
        return c->is_fast[a] ? touch_of_fast(c, b, a, speed) : INFINITY;
    }
    bool is_rigid = !cn_contact_is_deformable(b, &c->contact[a]);
    return is_inelastic && is_rigid ? touch_of_impact(c, b, a, speed) : INFINITY;
}

// ---- springs

// Normal entry of W_aa, of what is rigid in it [1/kg].
static double normal_mobility(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    double G[CN_ROWS_MAX], W = 0.0;
    cn_contact_rows rows;
    cn_contact_rows_make(c, b, c->d, false, a, &rows);
    for (int k = 0; k < c->cell_dof; k++) {
        double root = c->cell_G[c->cell_dof * c->row_start[a] + k];
        W += root * root;
    }
    for (int side = 0; side < 2 && x->i != x->j; side++) {
        int i = side == 0 ? x->i : x->j, dof = cn_rigid_dof(c->d);
        if (cn_contact_anchor(c, a, side) != NULL || cn_body_is_held(b, i)) {
            continue;
        }
        cn_rigid_scale(c->d, b->root + cn_rigid_root_size(c->d) * i, 1, rows.H[side], 1.0, G);
        for (int k = 0; k < dof; k++) {
            W += G[k] * G[k];
        }
    }
    return W;
}

// Gap at the next q_mid if contact a were alone with its core.
static double gap_alone(const cn_contacts *c, int a, double W, const cn_core *core)
{
    double u_free = c->u_free[c->row_start[a]], give = W + core->c[0];
    bool acts = core->kind == CN_CORE_CONE && give > 0.0;
    double r = acts ? larger(-(u_free + core->b[0]) / give, 0.0) : 0.0;
    return c->contact[a].gap + c->h * (u_free + W * r);
}

// Whether a step cannot resolve the spring of contact a (6.8).
static bool is_too_long(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                        const cn_law_input *in, const cn_core *core)
{
    double W = normal_mobility(c, b, a), gap = c->contact[a].gap;
    double next = gap_alone(c, a, W, core);
    bool is_deep = next < -CN_SPRING_DEPTH * in->size && next < gap;
    double turn = 2.0 * CN_PI * SPRING_STEP; // h sqrt(k W) at h = T/4
    return is_deep || (in->curvature_gap > 0.0 && gap < in->curvature_gap &&
                       entry->normal.stiffness * W * c->h * c->h > turn * turn);
}

bool cn_unilateral_hold(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                        const cn_law_input *in, cn_core *core)
{
    bool is_spring = !cn_law_is_rigid(entry), is_from_ccd = a >= c->found;
    if (is_spring && is_too_long(c, b, entry, a, in, core)) {
        core->kind = CN_CORE_CONE;
        core->b[0] = in->shift;
        core->c[0] = core->r0[0] = core->k[0] = 0.0;
        return true;
    }
    if (is_spring && is_from_ccd) { // the spring itself is at q_mid
        core->kind = CN_CORE_FREE;
    } else if (core->kind == CN_CORE_BILATERAL && is_from_ccd && c->memory_of[a] < 0) {
        core->kind = CN_CORE_CONE; // surfaces bond where they touch, not where they may
        core->b[0] = in->shift;
    } else if (core->kind == CN_CORE_CONE && core->c[0] == 0.0) {
        core->b[0] = -larger(-core->b[0], -in->shift);
    }
    return false;
}
