// validation/m08_runs.c -- M08 to M14: models of LMGC90 with rigid bodies, run to their end.
//
// Question: do imported models move as they do in LMGC90? References: mass centre, mean kinetic
// energy and forces of LMGC90, within what two runs of it with other orders or tolerances differ
// by; at rest the weight. Overlaps must be a tenth of LMGC90's or less. Source: LMGC90 3.0.0, its
// own examples (tests/data/lmgc90).
#include "import_rig.h"
#include "table.h"

#include <math.h>

// Runs a model to its end.
static cn_import_trial_end run(cn_book *book, const char *name)
{
    cn_import_trial m = cn_import_trial_made(book, name);
    cn_import_trial_run(&m, INFINITY);
    cn_import_trial_end end = cn_import_trial_end_of(&m);
    cn_import_trial_close(&m);
    return end;
}

static void check_centre(cn_book *book, const cn_import_trial_end *end, const double wanted[3],
                         double tolerance)
{
    for (int k = 0; k < 3; k++) {
        if (!isnan(wanted[k])) {
            cn_check(book, cn_name(book, "mass centre, %c [m]", "xyz"[k]), end->centre[k],
                     wanted[k], tolerance);
        }
    }
}

void cn_case_M08(cn_book *book)
{
    cn_import_trial_end end = run(book, "disks_box");
    check_centre(book, &end, (double[]){0.0363, 0.0285, NAN}, 6e-4);
    cn_check(book, "highest centre [m]", end.top, 0.0577, 1.5e-3);
    cn_check_rel(book, "mean kinetic energy [J]", end.kinetic_mean, 0.128, 0.08);
    cn_check(book, "deepest overlap [m]", end.deepest, 0.0, 5e-6);
}

void cn_case_M09(cn_book *book)
{
    cn_import_trial_end end = run(book, "drum_xksid");
    check_centre(book, &end, (double[]){50.202, 27.884, NAN}, 0.05);
    cn_check_rel(book, "kinetic energy of the disks [J]", end.kinetic, 9.31e5, 0.1);
    cn_check(book, "deepest overlap [m]", end.deepest, 0.0, 3e-3);
}

void cn_case_M10(cn_book *book)
{
    cn_import_trial_end end = run(book, "wall_polyg");
    check_centre(book, &end, (double[]){0.99998, 0.25392, NAN}, 5e-4);
    cn_check_rel(book, "mean kinetic energy [J]", end.kinetic_mean, 5.81, 0.15);
    cn_check_rel(book, "sum of normal forces [N]", end.force, 2.14e5, 0.06);
}

void cn_case_M11(cn_book *book)
{
    cn_import_trial_end end = run(book, "cluster_mixed");
    check_centre(book, &end, (double[]){NAN, 0.00314663, NAN}, 1e-6);
    cn_check_rel(book, "sum of normal forces, the weight [N]", end.force, 4.7158, 1e-3);
    cn_check(book, "kinetic energy [J]", end.kinetic, 0.0, 1e-12);
    cn_check(book, "deepest overlap [m]", end.deepest, 0.0, 1e-6);
}

void cn_case_M12(cn_book *book)
{
    cn_import_trial_end end = run(book, "spheres_box");
    check_centre(book, &end, (double[]){0.2015, 0.1394, 0.0476}, 1e-3);
    cn_check_rel(book, "mean kinetic energy [J]", end.kinetic_mean, 0.236, 0.05);
    cn_check(book, "deepest overlap [m]", end.deepest, 0.0, 1e-4);
}

void cn_case_M13(cn_book *book)
{
    cn_import_trial m = cn_import_trial_begin(book, "aqueduct");
    const double start[3] = {39.5592174, 0.45, 0.51756828}; // as in LMGC90, which does not move it
    m.set.step_count = cn_book_is_fast(book) ? 20 : 10000;
    cn_import_trial_import(&m);
    cn_import_trial_run(&m, 20 * m.set.step);
    cn_import_trial_end end = cn_import_trial_end_of(&m);
    cn_check_rel(book, "force on the ground, the weight [N]",
                 -cn_import_trial_force(&m, cn_import_trial_body(&m, 'R', 322)), 2.06237e6, 1e-3);
    check_centre(book, &end, start, 1e-6);
    cn_check(book, "kinetic energy [J]", end.kinetic, 0.0, 1e-6);
    if (!cn_book_is_fast(book)) {
        cn_import_trial_run(&m, INFINITY);
        end = cn_import_trial_end_of(&m);
        cn_say(book, "after 1 s");
        check_centre(book, &end, start, 1e-4);
        cn_check(book, "kinetic energy after 1 s [J]", end.kinetic, 0.0, 1e-6);
    }
    cn_import_trial_close(&m);
}

void cn_case_M14(cn_book *book)
{
    cn_import_trial m = cn_import_trial_made(book, "cylinders");
    cn_import_trial_run(&m, m.set.step);
    double start = cn_import_trial_end_of(&m).deepest;
    cn_check(book, "overlap in the first step [m]", start, 0.0711, 1e-4);
    cn_import_trial_run(&m, 0.3);
    cn_import_trial_end end = cn_import_trial_end_of(&m);
    check_centre(book, &end, (double[]){1.58838714, 2.04336343, 4.75710199}, 1e-2);
    cn_import_trial_run(&m, INFINITY);
    end = cn_import_trial_end_of(&m);
    cn_say(book, "after 1 s");
    check_centre(book, &end, (double[]){2.28340491, 3.06376189, 3.87665052}, 0.15);
    cn_check_rel(book, "mean kinetic energy [J]", end.kinetic_mean, 1.78e4, 0.1);
    cn_check(book, "deeper than at the start [m]", end.deepest, start, 1e-6);
    cn_import_trial_close(&m);
}
