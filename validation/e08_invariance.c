// validation/e08_invariance.c -- E08, E12: the same motion in another frame, order or scale.
//
// Question: does a pile of mixed bodies move the same when everything is turned, shifted, moved at
// constant velocity, numbered in another order or scaled? Reference: itself. Lengths x 4, h x 2 and
// density x 4 are powers of two, so rounding is identical and the difference must be 0.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

typedef struct snapshot {
    double pose[CN_MIXED_COUNT][CN_POSE_SIZE];
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
    // A tenth of what the book asks. Four points of one body that slide at once leave plain sweeps
    // at 2e-12: there rounding goes round in circles.
    cn_mixed mixed = cn_build_mixed(book, placement, &law, 1e-11);
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
        for (int c = 0; c < CN_POSE_SIZE; c++) {
            most = fmax(most, fabs(a->pose[k][c] - b->pose[k][c]));
        }
    }
    return most;
}

enum { TURNED, SHIFTED, MOVING, RENUMBERED, ALL, CHANGE_COUNT };

static void change(const cn_placement *plain, cn_place turned, cn_placement other[CHANGE_COUNT])
{
    for (int k = 0; k < CHANGE_COUNT; k++) {
        other[k] = *plain;
    }
    other[TURNED].place = other[ALL].place = turned;
    for (int d = 0; d < plain->place.dim; d++) {
        other[SHIFTED].shift[d] = other[ALL].shift[d] = d == 1 ? -1e3 : 1e3;
        other[MOVING].velocity[d] = other[ALL].velocity[d] = (const double[]){1.7, 0.6, -0.9}[d];
    }
    other[RENUMBERED].is_reversed = other[ALL].is_reversed = true;
}

static void check_invariance(cn_book *book, const cn_placement *plain, cn_place turned,
                             const char *which)
{
    static const char *const name[CHANGE_COUNT] = {"turned", "shifted by 1e3", "moving",
                                                   "renumbered", "all at once"};
    cn_placement other[CHANGE_COUNT];
    snapshot exact[2], now[2];
    change(plain, turned, other);
    run(book, plain, STEP, 10, 100, exact);
    for (int k = 0; k < CHANGE_COUNT; k++) {
        run(book, &other[k], STEP, 10, 100, now);
        cn_check(book, cn_name(book, "difference after 10 steps, %s%s", name[k], which),
                 difference(&exact[0], &now[0]), 0.0, 1e-9);
        cn_check(book, cn_name(book, "difference after 100 steps, %s%s", name[k], which),
                 difference(&exact[1], &now[1]), 0.0, 1e-6);
    }
    cn_check_least(book, cn_name(book, "impulse of the last step, to be a test%s", which),
                   exact[1].impulse, 1e-3);
}

void cn_case_E08(cn_book *book)
{
    cn_placement plane = cn_placement_default(2), space = cn_placement_default(3);
    cn_place oblique = cn_place_space(space.place.depth);
    check_invariance(book, &plane, cn_place_turned(0.7391), "");
    check_invariance(book, &space, oblique, ", in space");
    space.is_round = true;
    check_invariance(book, &space, oblique, ", round, in space");
}

// Forces grow with density times length to the power of `dim`.
static void check_similarity(cn_book *book, int dim, int step_count)
{
    cn_placement plain = cn_placement_default(dim), large = plain;
    const char *name = plain.place.name;
    const double volume = pow(4.0, dim);
    snapshot exact[2], now[2];
    run(book, &plain, STEP, 50, step_count, exact);
    large.scale = 4.0;
    large.weight = 4.0;
    run(book, &large, 2.0 * STEP, 50, step_count, now);
    cn_check(book, cn_name(book, "x/L after 50 steps, density x 4%s", name),
             difference(&exact[0], &now[0]), 0.0, 0.0);
    cn_check(book, cn_name(book, "x/L after %d steps, density x 4%s", step_count, name),
             difference(&exact[1], &now[1]), 0.0, 0.0);
    cn_check_rel(book, cn_name(book, "force ratio, density x 4%s", name),
                 now[1].impulse / exact[1].impulse / 2.0, 4.0 * volume, 1e-15);
    large.weight = 3.0;
    run(book, &large, 2.0 * STEP, 50, step_count, now);
    cn_check(book, cn_name(book, "x/L after 50 steps, density x 3%s", name),
             difference(&exact[0], &now[0]), 0.0, 1e-9);
    cn_check_rel(book, cn_name(book, "force ratio, density x 3%s", name),
                 now[0].impulse / exact[0].impulse / 2.0, 3.0 * volume, 1e-9);
}

void cn_case_E12(cn_book *book)
{
    check_similarity(book, 2, 200);
    check_similarity(book, 3, 100); // then it jams, where sweeps alone stall at 1e-6
}
