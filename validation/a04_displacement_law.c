// validation/a04_displacement_law.c -- A04: why the displacement law is not the default between
// rigid bodies.
//
// Question: which restitution comes out when 0 <= z+ is written instead of a shock law?
// Reference: theta = 1/2: e_app = 1 - 2 z/(h |v|), anything, by the phase of the impact; theta = 1:
// v+ = -z/h, then 0. Source: Dubois and Dureisseix, slides; Jean 1999, section 4.3.
#include "builders.h"
#include "table.h"

static cn_ball drop(cn_book *book, double theta)
{
    cn_world_def def = cn_trial_def();
    def.theta = theta;
    def.gamma = 0.5;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_law_set_word(&law, "form", "displacement_end", NULL);
    return cn_build_ball(book, &def, &law, 1.0, 0.0);
}

// Steps until the first contact step is made; z and v are those before it.
static void reach_contact(cn_ball *ball, double h, double *z, double *v)
{
    do {
        *z = cn_ball_height(ball);
        *v = cn_ball_velocity(ball);
    } while (cn_trial_step(&ball->trial, h) &&
             fabs(cn_ball_velocity(ball) - (*v - CN_G * h)) < 1e-9);
}

void cn_case_A04(cn_book *book)
{
    const double restitution[3] = {0.682736703, 0.316243929, -0.054086466};
    double z, v;
    for (int k = 0; k < 3; k++) {
        int step_count = 95 + k;
        double h = 2.5 / step_count;
        cn_ball ball = drop(book, 0.5);
        reach_contact(&ball, h, &z, &v);
        cn_check(book, cn_name(book, "apparent restitution, theta 0.5, N %d", step_count),
                 -cn_ball_velocity(&ball) / v, restitution[k], 1e-9);
        if (step_count == 97) {
            v = cn_ball_velocity(&ball);
            cn_trial_step(&ball.trial, h);
            cn_check(book, "the same of its second contact step", -cn_ball_velocity(&ball) / v, 1.0,
                     1e-9);
        }
        cn_trial_end(&ball.trial);

        ball = drop(book, 1.0);
        reach_contact(&ball, h, &z, &v);
        cn_check(book, cn_name(book, "v + z/h, first contact step, theta 1, N %d", step_count),
                 cn_ball_velocity(&ball) + z / h, 0.0, 1e-9);
        cn_trial_step(&ball.trial, h);
        cn_check(book, cn_name(book, "v, second contact step, theta 1, N %d", step_count),
                 cn_ball_velocity(&ball), 0.0, 1e-9);
        cn_trial_end(&ball.trial);
    }
}
