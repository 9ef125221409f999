// validation/l19_wear.c -- L19: a slider wears as Archard says.
//
// Question: how much of a block is worn off when it is dragged 50 m under 1000 N with K/H = 1e-11
// 1/Pa? Reference: V = K N s / H = 5e-7 m3, 5 um of its foot of 0.1 m2, whatever the speed;
// friction works mu N s. Source: Archard 1953.
#include <math.h>

#include "builders.h"
#include "table.h"

static void drag(cn_book *book, double speed, double h)
{
    const double N = 1000.0, mu = 0.3, way = 50.0, density = 7800.0;
    cn_world_def def = cn_trial_def();
    cn_error err;
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_build_plane(&t, (cn_body_def){.fixed = CN_FIXED_ALL});
    cn_body_id block = cn_build_box(&t, 0.1, 0.1,
                                    (cn_body_def){.density = density,
                                                  .at = {0.0, 0.05},
                                                  .wear = 1e-11,
                                                  .velocity = {speed},
                                                  .fixed = 1u << CN_DOF_RZ});
    cn_force_def press = {.body = block, .direction = {0.0, -1.0}, .f = {.c = N}, .t0 = NAN};
    cn_drive_def pull = {
        .body = block, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_X, .f = {.c = speed}, .t0 = NAN};
    cn_trial_ok(&t, cn_force_add(t.world, &press, &err), &err);
    cn_trial_ok(&t, cn_drive_add(t.world, &pull, &err), &err);
    cn_trial_run(&t, h, llround(way / (speed * h)));
    cn_body_state s = cn_trial_state(&t, block);
    cn_view v = cn_world_view(t.world);
    const double *foot = v.shape[1].vertex, *top = foot + 4;
    double height = top[1] - foot[1];
    cn_check_rel(book, cn_name(book, "%g m/s: depth [m]", speed), 0.1 - height, 5e-6, 1e-6);
    cn_check(book, cn_name(book, "%g m/s: height [m]", speed), height, 0.1 - 5e-6, 1e-9);
    cn_check(book, cn_name(book, "%g m/s: mass worn off [kg]", speed), 78.0 - s.mass, 3.9e-3, 1e-8);
    cn_check(book, cn_name(book, "%g m/s: inertia about its centre [kg m2]", speed), s.inertia[2],
             s.mass * (0.01 + height * height) / 12.0, 1e-13);
    cn_check(book, cn_name(book, "%g m/s: foot above the floor [m]", speed),
             s.position[1] + foot[1], 0.0, 1e-9);
    cn_check_rel(book, cn_name(book, "%g m/s: work of friction [J]", speed),
                 v.ledger->total[CN_ENERGY_FRICTION], mu * N * way, 1e-6);
    cn_check_rel(book, cn_name(book, "%g m/s: energy that went with it [J]", speed),
                 v.ledger->total[CN_ENERGY_WEAR], 0.5 * 3.9e-3 * speed * speed, 1e-5);
    cn_trial_end(&t);
}

void cn_case_L19(cn_book *book)
{
    drag(book, 1.0, 2e-3);
    drag(book, 0.5, 4e-3);
}
