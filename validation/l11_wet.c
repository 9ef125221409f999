// validation/l11_wet.c -- L11: a liquid bridge between two balls.
//
// Question: does a bridge pull as its law says, break where it should, spend what it stored, and
// form again on touching only? Reference: closed forms. Source: Richefeu, El Youssoufi and Radjai
// 2006; the energy is the integral of the force.
#include <math.h>

#include "builders.h"
#include "table.h"

static const double R = 1e-3, V = 1e-3, H = 1e-4, F0 = 4.523893e-4; // 0.1 um a step

typedef struct pair {
    cn_trial trial;
    cn_body_id second;
} pair;

static cn_body_id add_ball(cn_trial *t, double x, double mass, unsigned fixed)
{
    cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = R};
    double inertia = 0.4 * mass * R * R;
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &ball},
                       .mass = mass,
                       .inertia = {inertia, inertia, inertia},
                       .at = {x, 0.0, 0.0},
                       .fixed = fixed};
    return cn_trial_add(t, &def);
}

static pair make_pair(cn_book *book, double mass, double gravity)
{
    cn_law_def law = cn_law_default("wet");
    cn_law_set(&law, "surface_tension", 0.072, NULL);
    cn_law_set(&law, "volume", 2e-12, NULL);
    cn_world_def def = cn_trial_def();
    cn_place place = cn_place_plane();
    place.dim = 3;
    def.gravity[0] = gravity;
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    def.solver.eps_v = def.solver.tol = 1e-14; // of a heavy ball: forces to 1e-11 N
    pair p = {.trial = cn_trial_begin_at(book, &def, &place)};
    cn_trial_law(&p.trial, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    add_ball(&p.trial, 0.0, 1e-5, CN_FIXED_ALL);
    p.second = add_ball(&p.trial, 2.0 * R, mass, 0);
    return p;
}

// So heavy that the bridge hardly slows it.
static void lead(pair *p, double v)
{
    cn_error err;
    cn_body_state s = cn_trial_state(&p->trial, p->second);
    s.velocity[0] = v;
    cn_trial_ok(&p->trial, cn_body_set(p->trial.world, p->second, &s, &err), &err);
}

// Mean pull in the last step of length h [N].
static double pull(const pair *p, double h)
{
    cn_view view = cn_world_view(p->trial.world);
    return view.contact_count > 0 ? -view.contact[0].r[0] / h : 0.0;
}

static double gap(const pair *p)
{
    return cn_trial_state(&p->trial, p->second).position[0] - 2.0 * R;
}

// Pull on the way out, between the middles of two steps.
static double force_at(pair *p, double at)
{
    double x[2] = {0.0, 0.0}, F[2] = {0.0, 0.0};
    while (x[1] < at && !p->trial.is_broken) {
        double before = gap(p);
        cn_trial_run(&p->trial, H, 1);
        x[0] = x[1];
        F[0] = F[1];
        x[1] = 0.5 * (before + gap(p));
        F[1] = pull(p, H);
    }
    return F[0] + (F[1] - F[0]) * (at - x[0]) / (x[1] - x[0]);
}

static void check_curve(cn_book *book)
{
    pair p = make_pair(book, 10.0, 0.0);
    lead(&p, V);
    cn_trial_run(&p.trial, 0.01 * H, 1);
    cn_check_rel(book, "force in contact [N]", pull(&p, 0.01 * H), F0, 1e-3);
    cn_trial_run(&p.trial, 0.01 * H, 99);
    cn_check_rel(book, "force at 50 um [N]", force_at(&p, 50e-6), 1.306188e-4, 1e-3);
    while (gap(&p) < 125.9e-6 && !p.trial.is_broken) {
        cn_trial_run(&p.trial, H, 1);
    }
    cn_trial_run(&p.trial, 0.01 * H, 1);
    double last = 0.0;
    for (int n = 0; n < 1000 && pull(&p, 0.01 * H) != 0.0 && !p.trial.is_broken; n++) {
        last = pull(&p, 0.01 * H);
        cn_trial_run(&p.trial, 0.01 * H, 1);
    }
    const cn_ledger *ledger = cn_world_view(p.trial.world).ledger;
    cn_check_rel(book, "gap at which it breaks [m]", gap(&p), 125.992105e-6, 1e-3);
    cn_check_rel(book, "force then [N]", last, 1.977155e-5, 1e-3);
    cn_check_rel(book, "energy spent [J]", ledger->total[CN_ENERGY_FRACTURE], 1.741253e-8, 1e-3);
    cn_check(book, "energy stored [J]", ledger->storage, 0.0, 1e-15);
    lead(&p, -V);
    double most = 0.0;
    for (int n = 0; n < 1200 && gap(&p) > 1e-6; n++) {
        cn_trial_run(&p.trial, H, 1);
        most = fmax(most, fabs(pull(&p, H)));
    }
    cn_check(book, "force on the way back, largest [N]", most, 0.0, 0.0);
    cn_trial_end(&p.trial);
}

// A ball under another one, along x.
static double fall(cn_book *book, double weight)
{
    pair p = make_pair(book, weight / CN_G, CN_G);
    cn_trial_run(&p.trial, 1e-4, 200);
    double way = gap(&p);
    cn_trial_end(&p.trial);
    return way;
}

void cn_case_L11(cn_book *book)
{
    check_curve(book);
    cn_check(book, "ball of 0.99 of the pull: way [m]", fall(book, 0.99 * F0), 0.0, 1e-12);
    cn_check_true(book, "ball of 1.01 of the pull falls", fall(book, 1.01 * F0) > 1e-6);
}
