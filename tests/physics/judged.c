// Steps that cannot be: a fast body that begins close to a wall keeps to its law, and what contacts
// could not have done is rejected with the names of the bodies.
#include "scenes.h"
#include "test.h"

// Velocity of a ball after some steps that began at a distance from a thin plate, down at 30 m/s.
static double speed_after(int dim, double e, double distance, double h)
{
    const double radius = 0.01, thickness = 1e-3;
    cn_law_def law = cn_law_coulomb(0.3, e);
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = 0.0;
    cn_world *w = scene_world_with(&def, &law);
    double at = 0.5 * thickness + radius + distance;
    cn_body_id ball;
    if (dim == 2) {
        scene_box(w, 0.0, 0.0, 1.0, thickness, 0.0, CN_FIXED_ALL);
        ball = scene_disk(w, 0.05, at, radius, 0);
    } else {
        scene_block(w, (double[3]){0}, (double[3]){1.0, 1.0, thickness}, NULL, CN_FIXED_ALL);
        ball = scene_sphere(w, 0.05, 0.0, at, radius);
    }
    cn_body_state s = scene_state(w, ball);
    s.velocity[dim - 1] = -30.0;
    CN_DO(cn_body_set(w, ball, &s, &test_error));
    for (int n = 0; n < 5; n++) {
        CN_DO(cn_world_step(w, h, &test_error));
        CN_TRUE(scene_state(w, ball).position[dim - 1] > radius * (1.0 - 1e-3));
    }
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-12);
    double speed = scene_state(w, ball).velocity[dim - 1];
    cn_world_destroy(w);
    return speed;
}

// 0.3 m a step: the middle of the first one lies behind the plate.
CN_TEST(restitution_holds_in_the_first_step)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (double distance = 0.0; distance < 0.15; distance = 3.0 * distance + 1e-6) {
            CN_NEAR(speed_after(dim, 0.0, distance, 1e-2), 0.0, 1e-9, "e = 0: nothing rebounds");
            CN_NEAR(speed_after(dim, 0.5, distance, 1e-2), 15.0, 1e-9, "e = 1/2, one shock");
        }
    }
}

// A step that was cut is one step: its time, its rows and its parts.
CN_TEST(cut_steps_count_as_one)
{
    cn_world *w = scene_world(0.0, 0.0, 1e-10);
    scene_box(w, 0.0, 0.0, 1.0, 1e-3, 0.0, CN_FIXED_ALL);
    cn_body_id disk = scene_disk(w, 0.0, 0.05, 0.01, 0);
    scene_set_velocity(w, disk, 0.0, -30.0, 0.0);
    CN_DO(cn_world_step(w, 1e-2, &test_error));
    cn_view view = cn_world_view(w);
    CN_TRUE(view.step == 1 && view.certificate->part_count == 2);
    CN_NEAR(view.time, 1e-2, 0.0, "to the bit");
    double sum = 0.0, kinetic = view.ledger->step[CN_ENERGY_KINETIC];
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        sum += view.ledger->step[k];
    }
    CN_NEAR(kinetic, -0.5 * view.mass[1] * 900.0, 1e-9 * -kinetic, "it is stopped");
    CN_NEAR(sum, 0.0, 1e-12 * -kinetic, "rows of both parts add up");
    cn_world_destroy(w);
}

// Deeper in each other than they are thick.
CN_TEST(bodies_through_each_other_are_rejected)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-8);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id disk = scene_disk(w, 0.0, -0.5, 0.1, 0);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BROKEN, "bodies 1 and 2");
    CN_NEAR(scene_state(w, disk).position[1], -0.5, 0.0, "the state is that before");
    CN_TRUE(cn_world_view(w).step == 0);
    cn_world_destroy(w);
}

// A disk at rest, 0.6 of its radius in the wall of a drum, is pushed out of it: energy from
// nowhere.
CN_TEST(depth_from_nowhere_is_rejected)
{
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    cn_world *w = scene_world_with(&def, &law);
    cn_shape_def drum = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 1.0, .thickness = 0.5};
    cn_body_def of = {.shape_count = 1, .shape = &drum, .density = 1.0, .fixed = CN_FIXED_ALL};
    cn_body_id id;
    CN_DO(cn_body_add(w, &of, &id, &test_error));
    scene_disk(w, 0.96, 0.0, 0.1, 0);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BROKEN, "bodies 1 and 2");
    CN_NEAR(cn_world_view(w).ledger->total[CN_ENERGY_GIVEN], 0.0, 0.0, "nothing was entered");
    cn_world_destroy(w);
}

// With restitution the row of what contacts give is r_n e |u-|, and the shock is never negative.
CN_TEST(what_contacts_give_has_a_row)
{
    const double e = 0.5, v = 2.0;
    cn_law_def law = cn_law_coulomb(0.0, e);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id disk = scene_disk(w, 0.0, 0.1, 0.1, 0);
    scene_set_velocity(w, disk, 0.0, -v, 0.0);
    CN_DO(cn_world_step(w, 1e-3, &test_error));
    cn_view view = cn_world_view(w);
    double m = view.mass[1], r = m * v * (1.0 + e);
    CN_NEAR(view.ledger->step[CN_ENERGY_GIVEN], -r * e * v, 1e-12 * m, "r_n u_n+");
    CN_NEAR(view.ledger->step[CN_ENERGY_SHOCK], 0.5 * r * v * (1.0 + e), 1e-12 * m, "both halves");
    CN_NEAR(view.certificate->given, r * e * v, 1e-12 * m, "as in the ledger");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(restitution_holds_in_the_first_step); CN_RUN(cut_steps_count_as_one);
        CN_RUN(bodies_through_each_other_are_rejected); CN_RUN(depth_from_nowhere_is_rejected);
        CN_RUN(what_contacts_give_has_a_row);)
