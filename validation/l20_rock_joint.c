// validation/l20_rock_joint.c -- L20: rough joints of rock in a shear box.
//
// Question: do joints of Barton and of Patton bear the shear, and ride up, as on paper, and is the
// work of the shear force that of the lift and of friction? Reference: formulas (theory 4.49,
// 4.52). Source: Barton and Choubey 1977; Patton 1966.
#include <math.h>

#include "builders.h"
#include "law_rig.h"
#include "table.h"

static const double H = 1e-3, V = 1e-3; // a step shears by 1 um
static const int STEPS = 1000;

typedef struct box {
    cn_trial trial;
    cn_law_rig rig;
} box;

static box begin(cn_book *book, const cn_law_def *law, double pressure)
{
    cn_world_def def = cn_trial_def();
    cn_error err;
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    box x = {.trial = cn_trial_begin(book, &def)};
    cn_trial_law(&x.trial, CN_GROUP_ANY, CN_GROUP_ANY, law);
    cn_trial_ok(&x.trial,
                cn_law_rig_add(x.trial.world, pressure, (double[2]){V, 0.0}, &x.rig, &err), &err);
    return x;
}

static void check_barton(cn_book *book)
{
    static const struct {
        double pressure, peak, tau, dilation; // [MPa, degrees, MPa, degrees]
    } at[] = {{0.5, 53.010300, 0.663771, 11.505150},
              {1.0, 50.0, 1.191754, 10.0},
              {2.0, 46.989700, 2.143965, 8.494850},
              {5.0, 43.010300, 4.664256, 6.505150}};
    cn_law_def law = cn_law_default("rock_joint");
    cn_law_set(&law, "phi_r", cn_degrees(30.0), NULL);
    cn_law_set(&law, "JRC", 10.0, NULL);
    cn_law_set(&law, "JCS", 100e6, NULL);
    for (int k = 0; k < (int)(sizeof at / sizeof *at); k++) {
        double stress[2], place[2];
        box x = begin(book, &law, 1e6 * at[k].pressure);
        cn_trial_run(&x.trial, H, STEPS);
        cn_law_rig_traction(&x.rig, H, stress);
        cn_law_rig_place(&x.rig, place);
        double tau = 1e-6 * fabs(stress[0]);
        cn_check_rel(book, cn_name(book, "%g MPa: shear [MPa]", at[k].pressure), tau, at[k].tau,
                     2e-3);
        cn_check(book, cn_name(book, "%g MPa: peak angle", at[k].pressure),
                 atan(tau / at[k].pressure) * 180.0 / CN_PI, at[k].peak, 0.05);
        cn_check(book, cn_name(book, "%g MPa: dilation", at[k].pressure),
                 atan(place[1] / place[0]) * 180.0 / CN_PI, at[k].dilation, 0.1);
        cn_trial_end(&x.trial);
    }
}

// 1 MPa on teeth of 15 degrees, that 2 MPa shear off.
static void check_patton(cn_book *book)
{
    cn_law_def law = cn_law_default("rock_joint");
    cn_law_set_word(&law, "model", "patton", NULL);
    cn_law_set(&law, "phi_r", cn_degrees(30.0), NULL);
    cn_law_set(&law, "asperity_angle", cn_degrees(15.0), NULL);
    cn_law_set(&law, "shear_off", 2e6, NULL);
    for (int k = 0; k < 2; k++) {
        double pressure = k == 0 ? 1e6 : 3e6, stress[2], place[2];
        box x = begin(book, &law, pressure);
        cn_trial_run(&x.trial, H, STEPS);
        cn_law_rig_traction(&x.rig, H, stress);
        cn_law_rig_place(&x.rig, place);
        const cn_ledger *ledger = cn_world_view(x.trial.world).ledger;
        double tau = pressure * tan(cn_degrees(k == 0 ? 45.0 : 30.0));
        double lift = pressure * place[1], friction = ledger->total[CN_ENERGY_FRICTION];
        const char *which = k == 0 ? "below the limit" : "sheared off";
        cn_check_rel(book, cn_name(book, "%s: shear [Pa]", which), fabs(stress[0]), tau, 2e-3);
        cn_check(book, cn_name(book, "%s: dilation", which),
                 atan(place[1] / place[0]) * 180.0 / CN_PI, k == 0 ? 15.0 : 0.0, 0.1);
        cn_check_rel(book, cn_name(book, "%s: work of the shear is lift and friction", which),
                     lift + friction, tau * place[0], 2e-3);
        cn_trial_end(&x.trial);
    }
}

void cn_case_L20(cn_book *book)
{
    check_barton(book);
    check_patton(book);
}
