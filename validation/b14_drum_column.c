// validation/b14_drum_column.c -- B14: a column of drums under a growing horizontal acceleration.
//
// Question: which joint opens first, and when? Reference: the whole column rocks at the base joint
// at a/g = D/(n H); with little friction it slides first, at mu. Source: Psycharis et al. 2000;
// Konstantinidis and Makris 2005.
#include "builders.h"
#include "table.h"

#define DRUM_COUNT 5

typedef struct onset {
    double a;                // over g
    int joint;               // between body joint - 1 (0: the ground) and joint
    double tilt[DRUM_COUNT]; // of each drum [rad]
} onset;

// Raises a by 0.02 g per second until a drum moves at 0.1 mm/s.
static onset ramp(cn_book *book, double mu, double start)
{
    const double h = 1e-3;
    onset o = {.a = start};
    cn_body_id drum[DRUM_COUNT];
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_build_stack(&t, DRUM_COUNT, 1.0, 1.0, 2000.0, drum);
    while (o.a < 0.5 && !t.is_broken) {
        cn_world_set_gravity(t.world, (double[]){o.a * CN_G, -CN_G, 0.0}, NULL);
        if (!cn_trial_step(&t, h) || cn_trial_speed(&t) > 1e-4) {
            break;
        }
        o.a += 0.02 * h;
    }
    double least = 0.0;
    for (int k = 0; k < DRUM_COUNT; k++) {
        cn_body_state s = cn_trial_state(&t, drum[k]), below = {0};
        below = k > 0 ? cn_trial_state(&t, drum[k - 1]) : below;
        double opening = fabs(s.angle - below.angle);
        o.joint = opening > least ? k : o.joint;
        least = fmax(least, opening);
        o.tilt[k] = fabs(s.angle);
    }
    cn_trial_end(&t);
    return o;
}

void cn_case_B14(cn_book *book)
{
    onset o = ramp(book, 0.7, 0.18);
    cn_check_rel(book, "a/g at onset, mu 0.7", o.a, 0.2, 0.01);
    cn_check(book, "joint that opens, mu 0.7", o.joint, 0.0, 0.0);
    cn_check_least(book, "tilt of the lowest drum, mu 0.7", o.tilt[0], 1e-7);
    o = ramp(book, 0.15, 0.13);
    cn_check_rel(book, "a/g at onset, mu 0.15", o.a, 0.15, 0.01);
    cn_check(book, "tilt of the top drum, mu 0.15", o.tilt[DRUM_COUNT - 1], 0.0, 1e-9);
}
