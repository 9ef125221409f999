// validation/e06_audit.c -- E06: the energy audit, recomputed from the views alone.
//
// Question: is what the ledger says what happened? Reference: the identity of the scheme,
// T+ - T = 1/2 (v+ + v) . (h F + H r), contact dissipation D = -1/2 sum r . (u+ + u-), and for e =
// 0 D - 1/2 r . u_F = 1/2 r . W r - r_t . u_t+ >= 0 with u_F the velocity that gravity adds in a
// step. Every other case checks that its ledger closes. Source: Acary 2016 on Moreau-Jean schemes.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

static double kinetic(const cn_view *view)
{
    double sum = 0.0;
    for (int i = 0; i < view->body_count; i++) {
        const double *v = view->v + 3 * i;
        if (!view->fixed[i]) {
            sum += 0.5 *
                   (view->mass[i] * (v[0] * v[0] + v[1] * v[1]) + view->inertia[i] * v[2] * v[2]);
        }
    }
    return sum;
}

// Mass times vertical velocity of all that falls.
static double fall(const cn_view *view)
{
    double sum = 0.0;
    for (int i = 0; i < view->body_count; i++) {
        sum += view->fixed[i] ? 0.0 : view->mass[i] * view->v[3 * i + 1];
    }
    return sum;
}

typedef struct books {
    double identity; // largest closing error of the step identity [J]
    double forged;   // the same with one impulse changed by 1e-6
    double ledger;   // largest difference of D to friction + shock rows [J]
    double split;    // largest error of the formula for e = 0 [J]
    double least;    // least D - 1/2 r . u_F [J]
    double negative; // least D + 1/2 |r . u_F| [J]
    double scale;    // largest kinetic energy [J]
} books;

static void audit_step(cn_trial *t, books *b)
{
    cn_view view = cn_world_view(t->world);
    double before = kinetic(&view), fall_before = fall(&view);
    if (!cn_trial_step(t, STEP)) {
        return;
    }
    view = cn_world_view(t->world);
    double work = 0.0, r_uF = 0.0, r_W_r = 0.0, slip = 0.0, largest = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double falls = (view.fixed[c->i] == 0) - (view.fixed[c->j] == 0);
        double uF_n = -CN_G * STEP * falls * c->normal[1],
               uF_t = -CN_G * STEP * falls * c->normal[0];
        double part =
            0.5 * (c->r[0] * (c->u[0] + c->u_before[0]) + c->r[1] * (c->u[1] + c->u_before[1]));
        work += part;
        largest = fabs(part) > fabs(largest) ? part : largest;
        r_uF += c->r[0] * uF_n + c->r[1] * uF_t;
        r_W_r += c->r[0] * (c->u[0] - c->u_before[0] - uF_n) +
                 c->r[1] * (c->u[1] - c->u_before[1] - uF_t);
        slip += c->r[1] * c->u[1];
    }
    double gravity = -0.5 * STEP * CN_G * (fall(&view) + fall_before);
    double gap = kinetic(&view) - before - gravity - work;
    double rows = view.ledger->step[CN_ENERGY_FRICTION] + view.ledger->step[CN_ENERGY_SHOCK];
    b->identity = fmax(b->identity, fabs(gap));
    b->forged = fmax(b->forged, fabs(gap - 1e-6 * largest));
    b->ledger = fmax(b->ledger, fabs(rows + work));
    b->split = fmax(b->split, fabs(-work - 0.5 * r_uF - (0.5 * r_W_r - slip)));
    b->least = fmin(b->least, -work - 0.5 * r_uF);
    b->negative = fmin(b->negative, -work + 0.5 * fabs(r_uF));
    b->scale = fmax(b->scale, kinetic(&view));
}

static books run(cn_book *book, double mu, double e)
{
    books b = {0};
    cn_placement placement = cn_placement_default(2);
    cn_law_def law = cn_law_coulomb(mu, e);
    cn_law_set_word(&law, "form", "velocity", NULL);
    cn_mixed mixed = cn_build_mixed(book, &placement, &law, 1e-10);
    for (int n = 0; n < 300 && !mixed.trial.is_broken; n++) {
        audit_step(&mixed.trial, &b);
    }
    cn_trial_end(&mixed.trial);
    return b;
}

static void check_books(cn_book *book, const books *b, const char *name)
{
    cn_check(book, cn_name(book, "step identity over energy, %s", name), b->identity / b->scale,
             0.0, 1e-10);
    cn_check(book, cn_name(book, "ledger rows less dissipation, %s", name), b->ledger / b->scale,
             0.0, 1e-10);
    cn_check_least(book, cn_name(book, "dissipation + |r.u_F|/2 over energy, %s", name),
                   b->negative / b->scale, -1e-10);
}

void cn_case_E06(cn_book *book)
{
    books b = run(book, 0.3, 0.0);
    check_books(book, &b, "mu 0.3, e 0");
    cn_check(book, "formula of dissipation, mu 0.3, e 0", b.split / b.scale, 0.0, 1e-10);
    cn_check_least(book, "dissipation - r.u_F/2, mu 0.3, e 0", b.least / b.scale, -1e-10);
    cn_check_least(book, "identity sees an impulse off by 1e-6", b.forged / b.scale, 1e-9);
    b = run(book, 0.0, 0.5);
    check_books(book, &b, "mu 0, e 0.5");
}
