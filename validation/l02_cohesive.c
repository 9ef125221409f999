// validation/l02_cohesive.c -- L02, L03, L06, L07: one cohesive joint, led along paths.
//
// Question: does a joint follow the curve of its shape, unload along the secant, spend its energy
// and no more, fail in mixed modes where the criteria say and hand over to friction? Reference:
// formulas of the laws (theory 4.26 to 4.28), integrals by quadrature. Source: Monerie, Acary,
// Perales, Camanho; Benzeggagh and Kenane 1996.
#include <math.h>

#include "builders.h"
#include "law_rig.h"
#include "table.h"

static const double H = 1e-4, V = 1e-3, C = 1e12; // a step moves the grip by 0.1 um; [Pa/m]

typedef struct pull {
    cn_trial trial;
    cn_law_rig rig;
} pull;

static cn_law_def law_of(const char *shape, double strength)
{
    cn_law_def law = cn_law_default("cohesive");
    cn_law_set_word(&law, "shape", shape, NULL);
    cn_law_set(&law, "stiffness", C, NULL);
    cn_law_set(&law, "strength", strength, NULL);
    cn_law_set(&law, "energy", 100.0, NULL);
    cn_law_set(&law, "plateau", 10e-6, NULL);
    cn_law_set(&law, "end", 80e-6, NULL);
    return law;
}

static pull begin(cn_book *book, const cn_law_def *law, double pressure, double vx, double vy)
{
    cn_world_def def = cn_trial_def();
    cn_error err;
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    pull p = {.trial = cn_trial_begin(book, &def)};
    cn_trial_law(&p.trial, CN_GROUP_ANY, CN_GROUP_ANY, law);
    cn_trial_ok(&p.trial,
                cn_law_rig_add(p.trial.world, pressure, (double[2]){vx, vy}, &p.rig, &err), &err);
    return p;
}

static void go_on(pull *p, double vx, double vy, int steps)
{
    cn_error err;
    cn_trial_ok(&p->trial, cn_law_rig_lead(&p->rig, (double[2]){vx, vy}, &err), &err);
    cn_trial_run(&p->trial, H, steps);
}

// Traction of the joint as it is; none once it is broken [MPa].
static double traction(const pull *p)
{
    double damage = cn_law_rig_state(&p->rig, "damage");
    double opening = cn_law_rig_state(&p->rig, "opening");
    return isnan(damage) || damage >= 1.0 ? 0.0 : 1e-6 * (1.0 - damage) * C * opening;
}

static double fracture(const pull *p)
{
    return cn_world_view(p->trial.world).ledger->total[CN_ENERGY_FRACTURE];
}

void cn_case_L02(cn_book *book)
{
    enum { POINTS = 7 };
    static const int at[POINTS] = {20, 50, 100, 150, 200, 300, 400}; // steps of 0.1 um
    static const struct {
        const char *shape;
        double T[POINTS], energy;
    } curve[] = {
        {"mac", {2, 5, 10, 2.962963, 1.25, 0.370370, 0.156250}, 96.875},
        {"mp", {2, 5, 7.283768, 5.192058, 2.046947, 0, 0}, 100},
        {"parabolic", {2, 5, 4.818594, 4.274376, 3.367347, 0.464853, 0}, 100},
        {"linear", {2, 5, 4.285714, 3.571429, 2.857143, 1.428571, 0}, 100},
        {"trapezoid", {2, 5, 5, 4, 3, 1, 0}, 100},
        {"bilinear", {2, 5, 4.146341, 3.292683, 2.439024, 0.731707, 0.506329}, 89.873418},
        {"exponential", {2, 5, 3.757386, 2.823591, 2.121864, 1.198255, 0.676676}, 88.158163},
    };
    for (int n = 0; n < (int)(sizeof curve / sizeof *curve); n++) {
        cn_law_def law = law_of(curve[n].shape, 5e6);
        pull p = begin(book, &law, 0.0, 0.0, V);
        double worst = 0.0;
        for (int k = 0, done = 0; k < POINTS; done = at[k++]) {
            cn_trial_run(&p.trial, H, at[k] - done);
            worst = fmax(worst, fabs(traction(&p) - curve[n].T[k]));
        }
        const cn_ledger *ledger = cn_world_view(p.trial.world).ledger;
        cn_check(book, cn_name(book, "%s: traction [MPa], worst", curve[n].shape), worst, 0.0,
                 1e-5);
        cn_check_rel(book, cn_name(book, "%s: fracture and storage", curve[n].shape),
                     fracture(&p) + ledger->storage, curve[n].energy, 1e-4);
        cn_trial_end(&p.trial);
    }
}

void cn_case_L03(cn_book *book)
{
    cn_law_def law = law_of("linear", 5e6);
    pull p = begin(book, &law, 0.0, 0.0, V);
    cn_trial_run(&p.trial, H, 200);
    cn_check_rel(book, "traction at 20 um [MPa]", traction(&p), 2.857143, 1e-6);
    cn_check_rel(book, "spent at 20 um", fracture(&p), 42.857143, 1e-6);
    go_on(&p, 0.0, -V, 100);
    cn_check_rel(book, "traction at 10 um on the way back [MPa]", traction(&p), 1.428571, 1e-6);
    go_on(&p, 0.0, -V, 98); // a grip that is led does not give: nearly closed
    double closed = fracture(&p);
    cn_check(book, "spent on the way back", closed - 42.857143, 0.0, 1e-6);
    go_on(&p, 0.0, V, 298);
    cn_check_rel(book, "traction at 30 um [MPa]", traction(&p), 1.428571, 1e-6);
    cn_check_rel(book, "spent at 30 um", fracture(&p), 71.428571, 1e-6);
    go_on(&p, 0.0, -V, 298);
    go_on(&p, 0.0, V, 498);
    cn_check_rel(book, "spent when broken", fracture(&p), 100.0, 1e-9);
    go_on(&p, 0.0, -V, 498);
    go_on(&p, 0.0, V, 100);
    cn_check(book, "traction of what was closed again [MPa]", traction(&p), 0.0, 0.0);
    cn_trial_end(&p.trial);
}

// Failure and energy along a straight path at an angle from the normal.
static void check_mode(cn_book *book, double angle, double onset, double G, double failure)
{
    cn_law_def law = law_of("linear", 5e6);
    cn_law_set(&law, "strength_tangential", 8e6, NULL);
    cn_law_set(&law, "energy_tangential", 300.0, NULL);
    cn_law_set_word(&law, "mixity", "bk", NULL);
    cn_law_set(&law, "mixity_exponent", 1.75, NULL);
    const double fine = 0.02 * H, near = 0.2e-6; // 2 nm a step where something happens
    pull p = begin(book, &law, 0.0, V * sin(cn_degrees(angle)), V * cos(cn_degrees(angle)));
    double begins = 0.0, ends = 0.0, way = 0.0;
    for (int n = 0; n < 2000 && ends == 0.0; n++) {
        bool is_near = fabs(way - onset) < near || fabs(way - failure) < near;
        if (!cn_trial_step(&p.trial, is_near ? fine : H)) {
            break;
        }
        double place[2], damage = cn_law_rig_state(&p.rig, "damage");
        cn_law_rig_place(&p.rig, place);
        way = hypot(place[0], place[1]);
        begins = begins == 0.0 && damage > 0.0 ? way : begins;
        ends = damage >= 1.0 ? way : 0.0;
    }
    cn_check_rel(book, cn_name(book, "%g deg: onset [m]", angle), begins, onset, 1e-3);
    cn_check_rel(book, cn_name(book, "%g deg: failure [m]", angle), ends, failure, 1e-3);
    cn_check_rel(book, cn_name(book, "%g deg: fracture", angle), fracture(&p), G, 2e-3);
    cn_trial_end(&p.trial);
}

void cn_case_L06(cn_book *book)
{
    check_mode(book, 0.0, 5e-6, 100.0, 40e-6);
    check_mode(book, 30.0, 5.430754e-6, 117.677670, 43.337508e-6);
    check_mode(book, 45.0, 5.996254e-6, 159.460356, 53.186662e-6);
    check_mode(book, 60.0, 6.785511e-6, 220.889117, 65.106107e-6);
    check_mode(book, 90.0, 8e-6, 300.0, 75e-6);
}

void cn_case_L07(cn_book *book)
{
    enum { POINTS = 6, FINE = 100 };
    static const int at[POINTS] = {50, 100, 200, 300, 400, 500};
    static const double shear[3][POINTS] = {{6.2, 5.485714, 4.057143, 2.628571, 1.2, 1.2},
                                            {5.0, 4.971429, 3.885714, 2.571429, 1.2, 1.2},
                                            {5.0, 4.677551, 3.738776, 2.517007, 1.2, 1.2}};
    for (int power = 0; power < 3; power++) {
        cn_law_def law = law_of("linear", 5e6);
        cn_law_set(&law, "friction", 0.6, NULL);
        cn_law_set_word(&law, "friction_onset", power == 0 ? "always" : "gradual", NULL);
        cn_law_set(&law, "friction_power", power, NULL);
        pull p = begin(book, &law, 2e6, V, 0.0);
        for (int k = 0, done = 0; k < POINTS; done = at[k++] + 1) {
            double before[2], after[2]; // impulses are means of a step: those of two short ones
            cn_trial_run(&p.trial, H, at[k] - done - 1);
            cn_trial_run(&p.trial, H / FINE, FINE);
            cn_law_rig_traction(&p.rig, H / FINE, before);
            cn_trial_run(&p.trial, H / FINE, 1);
            cn_law_rig_traction(&p.rig, H / FINE, after);
            cn_trial_run(&p.trial, H / FINE, FINE - 1);
            cn_check_rel(book, cn_name(book, "power %d: shear at %g um [MPa]", power, 0.1 * at[k]),
                         0.5e-6 * fabs(before[0] + after[0]), shear[power][k], 1e-3);
        }
        cn_check_rel(book, cn_name(book, "power %d: fracture", power), fracture(&p), 100.0, 1e-4);
        cn_trial_end(&p.trial);
    }
}
