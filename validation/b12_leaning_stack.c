// validation/b12_leaning_stack.c -- B12: a stack that overhangs the edge of a table.
//
// Question: does the harmonic stack stand just below its limit and topple just above?
// Reference: block k from the top overhangs the one below by L/(2k). Source: classical.
#include "builders.h"
#include "table.h"

#define LENGTH 1.0 // [m]
#define HEIGHT 0.2 // [m]

// Tips when the top block has moved by 5 % of a length; else the kinetic energy at the end.
static bool topples(cn_book *book, const cn_place *place, int count, double factor, double *kinetic)
{
    const double h = 2e-3, duration = 5.0;
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 0.5, 0.0);
    cn_build_box(&t, 4.0, 1.0,
                 (cn_body_def){.density = 1.0, .at = {-2.0, -0.5}, .fixed = CN_FIXED_ALL});
    cn_body_id top = 0;
    double x = -0.5 * LENGTH;
    for (int k = count; k >= 1; k--) {
        x += factor * LENGTH / (2.0 * k);
        top = cn_build_box(&t, LENGTH, HEIGHT,
                           (cn_body_def){.density = 2000.0, .at = {x, (count - k + 0.5) * HEIGHT}});
    }
    cn_body_state start = cn_trial_state(&t, top);
    double weight = start.mass * CN_G, moved = 0.0;
    for (int n = 0; n < (int)lround(duration / h) && moved < 0.05 && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, top);
        moved = hypot(s.position[0] - start.position[0], s.position[1] - start.position[1]);
    }
    *kinetic = t.is_broken ? NAN : cn_world_view(t.world).ledger->kinetic / (weight * HEIGHT);
    cn_trial_end(&t);
    return moved >= 0.05;
}

static void check_stacks(cn_book *book, cn_place place)
{
    static const int count[2] = {4, 10};
    for (int k = 0; k < 2; k++) {
        double kinetic;
        cn_check_true(book, cn_name(book, "stands at 0.99, n %d%s", count[k], place.name),
                      !topples(book, &place, count[k], 0.99, &kinetic));
        cn_check(book, cn_name(book, "kinetic energy at 0.99, n %d%s", count[k], place.name),
                 kinetic, 0.0, 1e-10);
        cn_check_true(book, cn_name(book, "topples at 1.01, n %d%s", count[k], place.name),
                      topples(book, &place, count[k], 1.01, &kinetic));
    }
}

void cn_case_B12(cn_book *book)
{
    check_stacks(book, cn_place_plane());
    check_stacks(book, cn_place_space(0.5));
}
