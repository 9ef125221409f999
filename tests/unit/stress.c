// The stress library: what it claims to be, and that its buildings stand.
#include <math.h>
#include <stdlib.h>

#include "stress.h"
#include "strict.h"
#include "test.h"

// Largest velocity that gravity leaves at the contacts of a building at rest, after `auto`.
static double motion_left(made *m)
{
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.measure = CN_MEASURE_NATURAL;
    def.tol = 1e-9;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&m->problem, &def, s, &report, &test_error));
    int rows = m->dim * m->contact_count;
    double *u = malloc(sizeof *u * (size_t)rows), most = 0.0;
    CN_DO(cn_problem_velocity(&m->problem, s, u, &test_error));
    for (int k = 0; k < rows; k++) {
        most = fmax(most, fabs(u[k]));
    }
    free(u);
    cn_solver_destroy(s);
    return most;
}

// Bodies fall at 1 m/s; in a building that stands nothing is left of it.
CN_TEST(a_viaduct_stands)
{
    const bridge_def def = {2, 21, 3, 2, 10.0, 1.5, 0.6};
    made *m = made_bridge(&def);
    CN_TRUE(m->body_count == 2 * (11 * 2 + 10 * 3) + 3 * 2);
    CN_TRUE(m->contact_count == 4 * (2 * (20 * 4 + 2 * 2) + 3 * 2));
    CN_NEAR(motion_left(m), 0.0, 1e-6, "natural error 1e-9 of impulses of up to 100 N s");
    made_destroy(m);
}

CN_TEST(towers_and_tables_stand)
{
    made *kapla = made_kapla(6, 0.3), *table = made_table(3, 2, 100.0, 0.5);
    CN_TRUE(kapla->body_count == 18 && kapla->contact_count == 6 * 9 * 4);
    CN_TRUE(table->body_count == 19 && table->contact_count == 9 * 3 * 4);
    CN_NEAR(motion_left(kapla), 0.0, 1e-6, "disturbed by 2 %, held by friction 0.3");
    CN_NEAR(motion_left(table), 0.0, 1e-6, "pushed by 0.1 g, held by friction 0.5");
    made_destroy(kapla);
    made_destroy(table);
}

// The sizes that the table promises; packings depend on rounding and are made when asked for.
CN_TEST(sizes_are_as_listed)
{
    int count, last = 0;
    const cn_stress *table = cn_stress_table(&count);
    for (int k = 0; k < count; k++) {
        CN_TRUE(table[k].contacts >= last && cn_stress_find(table[k].name) == &table[k]);
        last = table[k].contacts;
        if (table[k].build != NULL) {
            made *m = table[k].build();
            CN_TRUE(m->contact_count == table[k].contacts);
            made_destroy(m);
        }
    }
    CN_TRUE(cn_stress_find("no such problem") == NULL);
}

// A settled packing presses on its floor with its weight; a flowing one moves.
CN_TEST(packings_settle_or_flow)
{
    for (int is_flowing = 0; is_flowing < 2; is_flowing++) {
        const cn_packing_def def = {CN_GRAIN_SPHERE, 100, 0.5, is_flowing == 1, 150, 7};
        cn_world *w;
        CN_DO(cn_packing_make(&def, &w, &test_error));
        cn_view view = cn_world_view(w);
        double speed = 0.0;
        for (int i = 0; i < view.body_count; i++) {
            speed = fmax(speed, fabs(view.v[6 * i]));
        }
        CN_TRUE(view.contact_count > 100);
        CN_TRUE(is_flowing ? speed > 0.5 : speed < 0.2);
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(a_viaduct_stands); CN_RUN(towers_and_tables_stand); CN_RUN(sizes_are_as_listed);
        CN_RUN(packings_settle_or_flow);)
