// validation/a12_cradle.c -- A12: Newton's cradle, simultaneous against sequential impact.
//
// Question: which outcome does the impact law give? Reference: written on all closed contacts at
// once, Newton's law gives (-1/3, 2/3, 2/3): energy is kept, but it is not what is observed; with
// small gaps the impacts come one by one and the last ball leaves alone.
// Source: Moreau 1988; Glocker and Pfeiffer 1996.
#include "builders.h"
#include "table.h"

#define BALL_MAX 5

static void strike(cn_book *book, int count, int incoming, double gap, double e, int step_count,
                   double v[BALL_MAX])
{
    const double R = 0.01;
    cn_body_id ball[BALL_MAX];
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, e);
    for (int k = 0; k < count; k++) {
        ball[k] = cn_build_disk(&t, R,
                                (cn_body_def){.density = 1000.0,
                                              .at = {k * (2.0 * R + gap), 0.0},
                                              .velocity = {k < incoming ? 1.0 : 0.0, 0.0}});
    }
    cn_trial_run(&t, 1e-4, step_count);
    for (int k = 0; k < count; k++) {
        v[k] = cn_trial_state(&t, ball[k]).velocity[0];
    }
    cn_trial_end(&t);
}

static void check_balls(cn_book *book, const char *what, int count, const double *v,
                        const double *exact, double tolerance)
{
    for (int k = 0; k < count; k++) {
        cn_check(book, cn_name(book, "%s, ball %d", what, k + 1), v[k], exact[k], tolerance);
    }
}

void cn_case_A12(cn_book *book)
{
    double v[BALL_MAX];
    strike(book, 3, 1, 0.0, 1.0, 1, v);
    check_balls(book, "3 in contact", 3, v, (double[]){-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-9);
    strike(book, 5, 1, 0.0, 1.0, 1, v);
    check_balls(book, "5 in contact", 5, v, (double[]){-0.6, 0.4, 0.4, 0.4, 0.4}, 1e-9);
    strike(book, 5, 2, 0.0, 1.0, 1, v);
    check_balls(book, "2 onto 3", 5, v, (double[]){-0.2, -0.2, 0.8, 0.8, 0.8}, 1e-9);
    strike(book, 3, 1, 0.0, 0.5, 1, v);
    check_balls(book, "3 in contact, e 0.5", 3, v, (double[]){0.0, 0.5, 0.5}, 1e-9);
    strike(book, 3, 1, 1e-3, 1.0, 60, v);
    check_balls(book, "3 with gaps", 3, v, (double[]){0.0, 0.0, 1.0}, 1e-6);
    strike(book, 5, 1, 1e-3, 1.0, 100, v);
    check_balls(book, "5 with gaps", 5, v, (double[]){0.0, 0.0, 0.0, 0.0, 1.0}, 1e-6);
}
