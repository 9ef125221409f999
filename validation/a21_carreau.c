// validation/a21_carreau.c -- A21: a block slides down on a film of mud.
//
// Question: at which speed does a block slide down a slope on a film whose viscosity falls with the
// rate of shear? Reference: eta(v/d) v/d A = m g sin(30 degrees). Source: Carreau 1972; derived.
#include <math.h>

#include "builders.h"
#include "table.h"

static void slide(cn_book *book, double exponent, double reference)
{
    const double h = 1e-3, mass = 2.0;
    cn_law_def law = cn_law_default("film");
    cn_law_set(&law, "viscosity", 100.0, NULL);
    cn_law_set(&law, "viscosity_fast", 1.0, NULL);
    cn_law_set(&law, "relaxation_time", 1.0, NULL);
    cn_law_set(&law, "exponent", exponent, NULL);
    cn_law_set(&law, "thickness", 1e-3, NULL);
    cn_law_set(&law, "area", 0.5 * 0.01, NULL); // of each of two corners
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_body_id block = cn_build_box_on_plane(&t, 0.2, 0.1, mass / 0.02, cn_degrees(30.0), 0.0, 0.0);
    double before = 0.0, speed = 0.0, back = 0.0, most = 0.0;
    for (int n = 0; n < 1000 && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, block);
        speed = hypot(s.velocity[0], s.velocity[1]);
        back = fmax(back, before - speed);
        most = fmax(most, speed);
        before = speed;
    }
    cn_check_rel(book, cn_name(book, "n %g: steady speed [m/s]", exponent), speed, reference, 1e-3);
    cn_check(book, cn_name(book, "n %g: largest loss of speed [m/s]", exponent), back, 0.0, 1e-9);
    cn_check(book, cn_name(book, "n %g: overshoot [m/s]", exponent), most - speed, 0.0, 1e-9);
    cn_trial_end(&t);
}

void cn_case_A21(cn_book *book)
{
    slide(book, 0.5, 0.082394743);
    slide(book, 1.0, 9.81e-3);
}
