// law/friction.c -- see friction.h.
#include "law/friction.h"

#include <math.h>

// Theta after a time at a speed: d theta/dt = 1 - v theta / D_c (4.17), solved exactly.
static double film_after(const cn_friction *f, const cn_friction_memory *m, double speed, double h)
{
    double theta = m->film > 0.0 ? m->film : f->state_distance / f->speed;
    double part = speed * h / f->state_distance;
    // h (1 - exp(-part)) / part, which is h at rest
    double grown = part > 1e-8 ? -expm1(-part) * h / part : h * (1.0 - 0.5 * part);
    return theta * exp(-part) + grown;
}

// (4.16), in the form that is finite at rest.
static double rate_and_state(const cn_friction *f, const cn_friction_memory *m, double speed,
                             double h)
{
    double theta = film_after(f, m, speed, 0.5 * h);
    double level = (f->sliding + f->state * log(f->speed * theta / f->state_distance)) / f->rate;
    return f->rate * asinh(0.5 * speed / f->speed * exp(level));
}

// Strength of what rests (4.15).
static double strength(const cn_friction *f, double age)
{
    double aged = f->ageing > 0.0 ? f->ageing * log10(1.0 + age / f->ageing_time) : 0.0;
    return fmax(f->at_rest, f->sliding) + aged;
}

// Coefficient of what sticks whatever it bears.
static const double HELD = 1e6;

double cn_friction_at(const cn_friction *f, const cn_friction_memory *m, double speed, double h)
{
    if (m->held < f->hold) {
        return HELD;
    }
    if (f->rate > 0.0) {
        return rate_and_state(f, m, speed, h);
    }
    bool was_sliding = m->slip > 0.0;
    double peak = was_sliding ? m->peak : strength(f, m->age), left = was_sliding ? 0.0 : 1.0;
    if (f->slip_distance > 0.0) { // (4.14), in the middle of the step
        left = fmax(0.0, 1.0 - (m->slip + 0.5 * h * speed) / f->slip_distance);
    }
    double mu = f->sliding + (peak - f->sliding) * left;
    return f->velocity_scale > 0.0 ? f->fast + (mu - f->fast) * exp(-speed / f->velocity_scale)
                                   : mu;
}

cn_friction_memory cn_friction_after(const cn_friction *f, const cn_friction_memory *m,
                                     bool has_slid, double speed, double h)
{
    cn_friction_memory next = {.film = f->rate > 0.0 ? film_after(f, m, speed, h) : 0.0,
                               .held = fmin(m->held + h, f->hold)};
    if (has_slid) {
        next.slip = m->slip + h * speed;
        next.peak = m->slip > 0.0 ? m->peak : strength(f, m->age);
    } else {
        next.age = m->age + h;
    }
    return next;
}

// What the law asks for less mu, where the speed is found - slope (mu - found).
typedef struct line {
    const cn_friction *f;
    const cn_friction_memory *m;
    double h, mu, speed, slope;
} line;

static double misfit(const line *x, double mu)
{
    double speed = fmax(x->speed - x->slope * (mu - x->mu), 0.0);
    return cn_friction_at(x->f, x->m, speed, x->h) - mu;
}

// The root of the misfit next to x->mu on the side that its sign tells, by false position.
static double meet(const line *x)
{
    enum { STEPS = 60 };
    double a = x->mu, F_a = misfit(x, a), rest = cn_friction_at(x->f, x->m, 0.0, x->h);
    double b = F_a > 0.0 ? fmax(a + x->speed / x->slope, rest) : 0.0, F_b = misfit(x, b);
    int side = 0;
    for (int n = 0; n < STEPS && F_a * F_b < 0.0 && fabs(b - a) > 1e-14; n++) {
        bool is_slow = side > 1 || side < -1; // one end stays: halve
        double c = is_slow ? 0.5 * (a + b) : a - F_a * (b - a) / (F_b - F_a), F = misfit(x, c);
        bool replaces_a = F * F_a > 0.0;
        side = replaces_a ? (side > 0 ? side + 1 : 1) : (side < 0 ? side - 1 : -1);
        side = is_slow ? 0 : side;
        if (replaces_a) {
            a = c;
            F_a = F;
        } else {
            b = c;
            F_b = F;
        }
    }
    return fabs(F_a) < fabs(F_b) ? a : b;
}

// Speed below which a contact sticks: the friction of rate and state creeps however small it is
// [m/s].
static const double STUCK = 1e-12;

// Enters a coefficient and the speed that it led to; false: it stuck.
static bool enter(cn_friction_search *x, double mu, double speed)
{
    bool slides = speed > STUCK;
    x->count += 1.0;
    if (!slides) {
        x->mu_other = mu;
        x->speed_other = 0.0;
        return false;
    }
    if (x->speed_slide > 0.0) {
        x->mu_other = x->mu_slide;
        x->speed_other = x->speed_slide;
    }
    x->mu_slide = mu;
    x->speed_slide = speed;
    return true;
}

void cn_friction_search_on(const cn_friction *f, const cn_friction_memory *m, double h,
                           const cn_friction_search *search, double speed, cn_friction_search *next)
{
    double found = cn_friction_at(f, m, fmax(speed, STUCK), h);
    *next = *search;
    bool slides = enter(next, search->used, speed);
    line x = {.f = f, .m = m, .h = h, .mu = next->mu_slide, .speed = next->speed_slide};
    double change = next->mu_other - next->mu_slide;
    bool has_both = next->count > 1.0 && next->speed_slide > 0.0 && change != 0.0;
    bool is_consistent = slides ? found == search->used : found >= search->used;
    x.slope = has_both ? (next->speed_slide - next->speed_other) / change : 0.0;
    if (has_both && !is_consistent && next->speed_other == 0.0 && misfit(&x, x.mu) > 0.0) {
        next->used = 0.5 * (next->mu_slide + next->mu_other);
    } else {
        bool is_line = x.slope > 0.0 && next->speed_other > 0.0 && !is_consistent;
        next->used = is_line ? meet(&x) : found;
    }
}
