// validation/e08_invariance.c -- E08, E12: the same motion in another frame, order or scale.
//
// Question: does a pile of mixed bodies move the same when everything is turned, shifted, moved at
// constant velocity, numbered in another order or scaled? Reference: itself. Lengths x 4, h x 2 and
// density x 4 are powers of two, so rounding is identical and the difference must be 0.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

typedef struct snapshot {
    double pose[CN_MIXED_COUNT][3];
    double impulse; // sum of normal impulses of the last step [N s]
} snapshot;

static snapshot look(const cn_mixed *mixed, const cn_placement *placement)
{
    snapshot s = {0};
    for (int k = 0; k < CN_MIXED_COUNT; k++) {
        cn_mixed_pose(mixed, placement, k, s.pose[k]);
    }
    cn_view view = mixed->trial.is_broken ? (cn_view){0} : cn_world_view(mixed->trial.world);
    for (int a = 0; a < view.contact_count; a++) {
        s.impulse += view.contact[a].r[0];
    }
    return s;
}

// Runs to the first and to the second number of steps.
static void run(cn_book *book, const cn_placement *placement, double h, int first, int second,
                snapshot out[2])
{
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_mixed mixed = cn_build_mixed(book, placement, &law, 1e-12);
    cn_trial_run(&mixed.trial, h, first);
    out[0] = look(&mixed, placement);
    cn_trial_run(&mixed.trial, h, second - first);
    out[1] = look(&mixed, placement);
    cn_trial_end(&mixed.trial);
}

static double difference(const snapshot *a, const snapshot *b)
{
    double most = 0.0;
    for (int k = 0; k < CN_MIXED_COUNT; k++) {
        for (int c = 0; c < 3; c++) {
            most = fmax(most, fabs(a->pose[k][c] - b->pose[k][c]));
        }
    }
    return most;
}

void cn_case_E08(cn_book *book)
{
    static const char *const name[5] = {"turned", "shifted by 1e3", "moving", "renumbered",
                                        "all at once"};
    cn_placement plain = cn_placement_default(), other[5];
    for (int k = 0; k < 5; k++) {
        other[k] = plain;
    }
    other[0].angle = other[4].angle = 0.7391;
    other[1].shift[0] = other[4].shift[0] = 1e3;
    other[1].shift[1] = other[4].shift[1] = -1e3;
    other[2].velocity[0] = other[4].velocity[0] = 1.7;
    other[2].velocity[1] = other[4].velocity[1] = 0.6;
    other[3].is_reversed = other[4].is_reversed = true;
    snapshot exact[2], now[2];
    run(book, &plain, STEP, 10, 100, exact);
    for (int k = 0; k < 5; k++) {
        run(book, &other[k], STEP, 10, 100, now);
        cn_check(book, cn_name(book, "difference after 10 steps, %s", name[k]),
                 difference(&exact[0], &now[0]), 0.0, 1e-9);
        cn_check(book, cn_name(book, "difference after 100 steps, %s", name[k]),
                 difference(&exact[1], &now[1]), 0.0, 1e-6);
    }
    cn_check_least(book, "impulse of the last step, so that it is a test", exact[1].impulse, 1e-3);
}

void cn_case_E12(cn_book *book)
{
    cn_placement plain = cn_placement_default(), large = plain;
    snapshot exact[2], now[2];
    run(book, &plain, STEP, 50, 200, exact);
    large.scale = 4.0;
    large.weight = 4.0;
    run(book, &large, 2.0 * STEP, 50, 200, now);
    cn_check(book, "x/L after 50 steps, density x 4", difference(&exact[0], &now[0]), 0.0, 0.0);
    cn_check(book, "x/L after 200 steps, density x 4", difference(&exact[1], &now[1]), 0.0, 0.0);
    cn_check_rel(book, "force ratio, density x 4", now[1].impulse / exact[1].impulse / 2.0, 64.0,
                 1e-15);
    large.weight = 3.0;
    run(book, &large, 2.0 * STEP, 50, 200, now);
    cn_check(book, "x/L after 50 steps, density x 3", difference(&exact[0], &now[0]), 0.0, 1e-9);
    cn_check_rel(book, "force ratio, density x 3", now[0].impulse / exact[0].impulse / 2.0, 48.0,
                 1e-9);
}
