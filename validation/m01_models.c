// validation/m01_models.c -- M01, M02, M05 to M07: fourteen models of LMGC90 at their start.
//
// Question: is what `cairn import` writes the model that LMGC90 has? References: every folder is
// taken over, with nothing lost in it but what is told (M01); masses, moments and places to 1e-6
// (M02: the files have eight digits and a pi that is wrong by 2.8e-8); of 321 polyhedra in
// coordinates of the world the mass (M05); the pairs that touch within 1e-4 m, in the drum 1e-5 m
// (M06: of the aqueduct at least 1000 of 1274, the others touch along edges only and carry 0.7 % of
// the force); the number of their points, between half of LMGC90's and 1.1 times it (M07). Source:
// LMGC90 3.0.0, its own examples (tests/data/lmgc90).
#include "import_rig.h"
#include "table.h"

#include <math.h>
#include <string.h>

void cn_case_M01(cn_book *book)
{
    for (int k = 0; k < CN_IMPORT_MODELS; k++) {
        const char *name = cn_import_models[k].name;
        cn_import_trial m = cn_import_trial_made(book, name);
        cn_check_true(book, cn_name(book, "%s: a scene is written", name), m.report.is_written);
        cn_check(book, cn_name(book, "%s: things lost", name), m.report.lost_count, 0.0, 0.0);
        cn_import_trial_close(&m);
    }
}

void cn_case_M02(cn_book *book)
{
    for (int k = 0; k < CN_IMPORT_MODELS; k++) {
        cn_import_trial m = cn_import_trial_made(book, cn_import_models[k].name);
        cn_import_trial_run(&m, m.set.step);
        cn_import_trial_start start = cn_import_trial_start_of(&m, 1e-4);
        cn_check(book, cn_name(book, "%s: masses and moments", m.set.name), start.weight_error, 0.0,
                 1e-6);
        cn_check(book, cn_name(book, "%s: places over the size", m.set.name), start.place_error,
                 0.0, 1e-6);
        cn_import_trial_close(&m);
    }
}

void cn_case_M05(cn_book *book)
{
    cn_import_trial m = cn_import_trial_made(book, "aqueduct");
    cn_frame frame;
    double sum = 0.0, least = INFINITY;
    int count = 0;
    if (cn_import_trial_run(&m, m.set.step) &&
        cn_reader_frame(m.reader, 0, &frame, NULL) == CN_OK) {
        for (int k = 0; k < frame.body_count; k++) {
            double mass = cn_reader_mass(m.reader, frame.id[k]);
            bool is_held = cn_reader_is_fixed(m.reader, frame.id[k]);
            count += !is_held;
            sum += is_held ? 0.0 : mass;
            least = is_held ? least : fmin(least, mass);
        }
    }
    cn_check(book, "polyhedra that move", count, 321.0, 0.0);
    cn_check_rel(book, "their mass [kg]", sum, 210231.0, 1e-5);
    cn_check_least(book, "least mass [kg]", least, 0.0);
    cn_import_trial_close(&m);
}

// Pairs and points within the reach, as LMGC90 lists them in its first step.
static const struct {
    const char *name;
    double reach; // [m]
    int pairs, points;
} touching[] = {
    {"drum_xksid", 1e-5, 1004, 1004}, {"wall_polyg", 1e-4, 277, 552},
    {"spheres_box", 1e-4, 477, 477},  {"bricks_q4", 1e-4, 99, 285},
    {"wires_3d", 1e-4, 3, 12},        {"cubes_h8", 1e-4, 1, 16},
    {"cylinders", 1e-4, 1, 1},        {"aqueduct", 1e-4, 1274, 4418},
};
enum { TOUCHING_COUNT = sizeof touching / sizeof *touching };

static cn_import_trial_start start_of(cn_book *book, int k)
{
    cn_import_trial m = cn_import_trial_made(book, touching[k].name);
    cn_import_trial_run(&m, m.set.step);
    cn_import_trial_start start = cn_import_trial_start_of(&m, touching[k].reach);
    cn_import_trial_close(&m);
    return start;
}

void cn_case_M06(cn_book *book)
{
    for (int k = 0; k < TOUCHING_COUNT; k++) {
        const char *name = touching[k].name;
        cn_import_trial_start start = start_of(book, k);
        cn_check(book, cn_name(book, "%s: pairs of LMGC90", name), start.theirs, touching[k].pairs,
                 0.0);
        if (strcmp(name, "aqueduct") == 0) {
            cn_check_least(book, "aqueduct: pairs in both", start.common, 1000.0);
            continue;
        }
        cn_check(book, cn_name(book, "%s: pairs in both", name), start.common, touching[k].pairs,
                 0.0);
        cn_check(book, cn_name(book, "%s: pairs of cairn", name), start.pairs, touching[k].pairs,
                 0.0);
    }
}

void cn_case_M07(cn_book *book)
{
    for (int k = 0; k < TOUCHING_COUNT; k++) {
        double share = (double)start_of(book, k).points / touching[k].points;
        if (strcmp(touching[k].name, "bricks_q4") == 0) {
            cn_open(book, "nodes of both meshes meet the faces of the other, at their edges, too");
        }
        cn_check(book, cn_name(book, "%s: points over LMGC90's", touching[k].name), share, 0.8,
                 0.3);
    }
}
