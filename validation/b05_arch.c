// validation/b05_arch.c -- B05, B09: least thickness of semicircular and pointed arches.
//
// Question: at which thickness does an arch of straight-edged stones no longer stand? Contact
// points that are not exactly at the ends of the joints fail this one. Reference: limit analysis
// with two points per joint; velocities of the first step from rest. Source: Couplet 1730;
// Milankovitch 1907; Heyman 1969; Nikolic 2017; Solfec validation manual.
#include "builders.h"
#include "table.h"

#define R_CENTRE 10.0 // [m]
#define MU 0.7

static void check_first_step(cn_book *book, const cn_place *place, double thickness,
                             double speed_exact, double vx_exact)
{
    const double h = 1e-3;
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, MU, 0.0);
    cn_joints_circular(10, R_CENTRE, thickness * R_CENTRE, CN_PI, joint);
    cn_arch arch = cn_build_arch(&t, 10, 1, joint, 2000.0);
    cn_trial_step(&t, h);
    double vx = 0.0;
    int fastest = 0;
    for (int k = 0; k < arch.stone_count; k++) {
        double v = fabs(cn_trial_state(&t, arch.stone[k]).velocity[0]);
        fastest = v > vx ? k : fastest;
        vx = fmax(vx, v);
    }
    const char *format = "first step, %s over g h, t/R %g%s", *where = place->name;
    if (speed_exact > 0.0) {
        cn_check_rel(book, cn_name(book, format, "|v|", thickness, where),
                     cn_trial_speed(&t) / (CN_G * h), speed_exact, 0.01);
        cn_check_rel(book, cn_name(book, format, "|v_x|", thickness, where), vx / (CN_G * h),
                     vx_exact, 0.01);
        cn_check_true(book,
                      cn_name(book, "its second stone is fastest, t/R %g%s", thickness, where),
                      fastest == 1 || fastest == 8);
    } else {
        cn_check(book, cn_name(book, format, "|v|", thickness, where),
                 cn_trial_speed(&t) / (CN_G * h), 0.0, 1e-6);
    }
    cn_trial_end(&t);
}

// Largest drop of the crown within 5 s, and kinetic energy at the end over weight times thickness.
static double crown_drop(cn_book *book, const cn_place *place, double thickness, double accuracy,
                         double *kinetic)
{
    const double h = 1e-3, t_arch = thickness * R_CENTRE;
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_world_def def = cn_trial_def();
    def.solver.eps_v = def.solver.tol = accuracy;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, MU, 0.0);
    cn_joints_circular(27, R_CENTRE, t_arch, CN_PI, joint);
    cn_arch arch = cn_build_arch(&t, 27, 1, joint, 2000.0);
    double start = cn_trial_state(&t, arch.stone[13]).position[1], drop = 0.0;
    for (int n = 0; n < 5000 && drop <= t_arch && cn_trial_step(&t, h); n++) {
        drop = start - cn_trial_state(&t, arch.stone[13]).position[1];
    }
    *kinetic = t.is_broken ? NAN : cn_world_view(t.world).ledger->kinetic / (arch.weight * t_arch);
    cn_trial_end(&t);
    return drop;
}

static void check_arch(cn_book *book, cn_place place)
{
    check_first_step(book, &place, 0.1078, 0.0, 0.0);
    check_first_step(book, &place, 0.1067, 1.53927e-3, 1.43683e-3);
    check_first_step(book, &place, 0.1056, 6.96159e-3, 6.50085e-3);
    check_first_step(book, &place, 0.1045, 1.235989e-2, 1.15464e-2);
    check_first_step(book, &place, 0.0950, 5.787728e-2, 5.42506e-2);
    double kinetic;
    double drop = crown_drop(book, &place, 0.1078, 1e-10, &kinetic);
    cn_check(book, cn_name(book, "kinetic energy after 5 s, t/R 0.1078%s", place.name), kinetic,
             0.0, 1e-12);
    cn_check(book, cn_name(book, "drop of the crown, t/R 0.1078%s", place.name), drop, 0.0, 1e-6);
    drop = crown_drop(book, &place, 0.1056, 1e-10, &kinetic);
    cn_check_least(book, cn_name(book, "drop of the crown, t/R 0.1056%s", place.name), drop,
                   0.1056 * R_CENTRE);
}

void cn_case_B05(cn_book *book)
{
    check_arch(book, cn_place_plane());
    check_arch(book, cn_place_space(1.0));
}

// Least t/R that stands, by bisection on the first step from rest. A stone that moves does so at
// about (1 - t/limit) g h / 2, so 1e-6 g h places the limit to some 1e-5.
static double least_thickness(cn_book *book, double c, double expected)
{
    cn_bracket t = {0.95 * expected, 1.05 * expected};
    for (int k = 0; k < 12; k++) {
        cn_joint joint[CN_ARCH_MAX + 1];
        cn_joints_pointed(40, R_CENTRE, cn_middle(t) * R_CENTRE, c * R_CENTRE, joint);
        t = cn_halve(t, cn_arch_first_step(book, 40, joint, MU, NULL) < 1e-6);
    }
    return cn_middle(t);
}

void cn_case_B09(cn_book *book)
{
    static const double offset[4] = {0.0, 0.1, 0.2, 0.5};
    static const double limit[4] = {0.107432, 0.086416, 0.070598, 0.039551};
    for (int k = 0; k < 4; k++) {
        cn_check_rel(book, cn_name(book, "least t/R, c/R %g", offset[k]),
                     least_thickness(book, offset[k], limit[k]), limit[k], 0.015);
    }
}
