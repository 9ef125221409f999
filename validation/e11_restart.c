// validation/e11_restart.c -- E11: the same run again, in two parts, and on other thread counts.
//
// Question: are results reproducible to the bit? Reference: the hash of q, v and r after 200 steps
// of a pile of mixed bodies, and every coordinate.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

// With the solver that users have: restarts and threads must not change what it decides.
static cn_mixed build(cn_book *book, int dim, int threads)
{
    const double eps = 1e-10;
    cn_placement placement = cn_placement_default(dim);
    placement.threads = threads;
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    cn_mixed mixed = cn_build_mixed(book, &placement, &law, eps);
    cn_error err;
    cn_solver_def solver = cn_trial_def().solver;
    cn_trial *t = &mixed.trial;
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_world_set_solver(t->world, &solver, &err), &err);
    return mixed;
}

static uint64_t finish(cn_mixed *mixed, int step_count)
{
    cn_trial_run(&mixed->trial, STEP, step_count);
    uint64_t hash = mixed->trial.is_broken ? 0 : cn_world_state_hash(mixed->trial.world);
    cn_trial_end(&mixed->trial);
    return hash;
}

static uint64_t run_in_parts(cn_book *book, int dim, int first, int step_count)
{
    cn_mixed mixed = build(book, dim, 1), again = build(book, dim, 1);
    cn_trial_run(&mixed.trial, STEP, first);
    cn_saved saved = cn_save(&mixed.trial);
    cn_save_restore(&saved, &again.trial);
    cn_save_free(&saved);
    cn_trial_end(&mixed.trial);
    return finish(&again, step_count - first);
}

static void check_bits(cn_book *book, int dim)
{
    const char *name = cn_placement_default(dim).place.name;
    const int step_count = 200;
    cn_mixed mixed = build(book, dim, 1);
    uint64_t hash = finish(&mixed, step_count);
    mixed = build(book, dim, 1);
    cn_check_true(book, cn_name(book, "same bits when run again%s", name),
                  finish(&mixed, step_count) == hash);
    mixed = build(book, dim, 1);
    cn_check_true(book, cn_name(book, "other bits after one step less%s", name),
                  finish(&mixed, step_count - 1) != hash);
    for (int k = 0; k < 3; k++) {
        int first = 50 + 50 * k;
        cn_check_true(book, cn_name(book, "same bits with a restart at step %d%s", first, name),
                      run_in_parts(book, dim, first, step_count) == hash);
    }
    static const int threads[3] = {2, 3, 8};
    for (int k = 0; k < 3; k++) {
        mixed = build(book, dim, threads[k]);
        cn_check_true(book, cn_name(book, "same bits with %d threads%s", threads[k], name),
                      finish(&mixed, step_count) == hash);
    }
}

void cn_case_E11(cn_book *book)
{
    check_bits(book, 2);
    check_bits(book, 3);
}
