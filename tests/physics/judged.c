// Steps that cannot be: a fast body that begins close to a wall keeps to its law, and what contacts
// could not have done is rejected with the names of the bodies.
#include "test.h"

#include "grids.h"
#include "scenes.h"
#include "strict.h"
#include "world/world.h"

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
        CN_DO(test_step(w, h, &test_error));
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
    CN_DO(test_step(w, 1e-2, &test_error));
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
    CN_FAILS(test_step(w, 1e-3, &test_error), CN_BROKEN, "bodies 1 and 2");
    CN_NEAR(scene_state(w, disk).position[1], -0.5, 0.0, "the state is that before");
    CN_TRUE(cn_world_view(w).step == 0);
    cn_world_destroy(w);
}

// What is seen after a step that was rejected is the last one that was accepted, contacts included.
CN_TEST(views_show_what_was_accepted)
{
    cn_law_def law = cn_law_default("glue"); // which has states
    cn_world_def def = cn_world_def_default();
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_box(w, 0.0, 0.05, 0.4, 0.1, 0.0, 0);
    scene_run(w, 1e-3, 3);
    scene_disk(w, 5.0, -0.5, 0.1, 0);
    cn_view before = cn_world_view(w);
    int count = before.contact_count, states = before.state_start[count];
    cn_contact contact[2];
    double state[16];
    CN_TRUE(count == 2 && states > 0 && states <= 16);
    memcpy(contact, before.contact, sizeof contact);
    memcpy(state, before.state, sizeof *state * (size_t)states);
    CN_FAILS(test_step(w, 1e-3, &test_error), CN_BROKEN, "bodies 1 and 3");
    cn_view after = cn_world_view(w);
    CN_TRUE(after.contact_count == count && after.state_start[count] == states);
    CN_TRUE(memcmp(contact, after.contact, sizeof contact) == 0);
    CN_TRUE(memcmp(state, after.state, sizeof *state * (size_t)states) == 0);
    cn_world_destroy(w);
}

// A disk 0.6 of its radius in the wall of a drum is pushed out of it at 60 m/s: energy from
// nowhere.
static void check_depth_in_a_drum(double speed, cn_status expected)
{
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    cn_world *w = scene_world_with(&def, &law);
    cn_shape_def drum = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 1.0, .thickness = 0.5};
    cn_body_def of = {.shapes = {1, &drum}, .density = 1.0, .fixed = CN_FIXED_ALL};
    cn_body_id id;
    CN_DO(cn_body_add(w, &of, &id, &test_error));
    double h = 1e-3, at = 0.96 + 0.5 * h * speed; // in the middle of the step it is at 0.96
    scene_set_velocity(w, scene_disk(w, at, 0.0, 0.1, 0), -speed, 0.0, 0.0);
    CN_TRUE(test_step(w, h, &test_error) == expected);
    CN_TRUE(expected == CN_OK || strstr(test_error.text, "bodies 1 and 2") != NULL);
    double given = cn_world_view(w).ledger->total[CN_ENERGY_GIVEN];
    CN_TRUE((given < 0.0) == (expected == CN_OK)); // nothing is entered of what is rejected
    cn_world_destroy(w);
}

// The bound of what it may gain is what it has: at 40 m/s (60^2 - 40^2) > 40^2, at 45 not.
CN_TEST(depth_from_nowhere_is_rejected)
{
    check_depth_in_a_drum(0.0, CN_BROKEN);
    check_depth_in_a_drum(40.0, CN_BROKEN);
    check_depth_in_a_drum(45.0, CN_OK);
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
    CN_DO(test_step(w, 1e-3, &test_error));
    cn_view view = cn_world_view(w);
    double m = view.mass[1], r = m * v * (1.0 + e);
    CN_NEAR(view.ledger->step[CN_ENERGY_GIVEN], -r * e * v, 1e-12 * m, "r_n u_n+");
    CN_NEAR(view.ledger->step[CN_ENERGY_SHOCK], 0.5 * r * v * (1.0 + e), 1e-12 * m, "both halves");
    CN_NEAR(view.certificate->given, r * e * v, 1e-12 * m, "as in the ledger");
    cn_world_destroy(w);
}

// What the judge says if contact a alone pushed back at the speed `push` with the impulse r.
static double excess_if(cn_world *w, int a, double push, double r, double added)
{
    cn_certificate certificate = {0};
    const cn_ledger ledger = {0};
    for (int k = 0; k < w->contacts.count; k++) {
        w->contacts.contact[k].r[0] = k == a ? r : 0.0;
        w->contacts.b[w->contacts.row_start[k]] = -push;
    }
    cn_status status = cn_audit_judge(&w->contacts, &w->bodies, &ledger, added, &certificate, NULL);
    CN_TRUE((status == CN_BROKEN) == (certificate.given_excess > 0.0));
    return certificate.given_excess;
}

// (9.8): a contact may give back the speed at which its bodies can have come together, and what the
// bodies have of their own; the rest of r push is too much.
static void check_excess(cn_world *w, int a, double most, double own)
{
    const double push = 2.0 * most, added = 1e-5, more = added / w->contacts.h;
    double limit = own / (push - most - more);
    CN_NEAR(excess_if(w, a, push, 1e3 * limit, added), 1e3 * own, 1e-9 * own, "rounding");
    CN_NEAR(excess_if(w, a, push, 1.000001 * limit, added), 1.000001 * own, 1e-9 * own, "just");
    CN_NEAR(excess_if(w, a, push, 0.999999 * limit, added), 0.0, 0.0, "it has as much");
    CN_NEAR(excess_if(w, a, most, 1e9 * limit, added), 0.0, 0.0, "slower than it came");
}

// A box that turns on the ground: its surface moves at up to half a diagonal times the spin.
CN_TEST(rigid_bodies_give_back_what_they_can_have_gained)
{
    const double h = 1e-2, g = 9.81, v = -0.3, spin = 0.2;
    cn_world *w = scene_world(0.0, 0.0, 1e-8);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id box = scene_box(w, 0.0, 0.05, 0.4, 0.1, 0.0, 0);
    cn_body_state s = scene_state(w, box);
    scene_set_velocity(w, box, 0.0, v, spin);
    scene_run(w, h, 1);
    double u = hypot(w->contacts.contact[0].u_before[0], w->contacts.contact[0].u_before[1]);
    double T = 0.5 * s.mass * (v - h * g) * (v - h * g) + 0.5 * s.inertia[2] * spin * spin;
    check_excess(w, 0, u + spin * hypot(0.2, 0.05) + h * g, T + s.mass * g * 0.1);
    cn_world_destroy(w);
}

// Deformable bodies neither turn nor have an energy of their own here: a disk on a block, whichever
// of them is first.
CN_TEST(deformable_bodies_count_nothing)
{
    const double h = 1e-2, g = 9.81, v = -0.3;
    for (int first = 0; first < 2; first++) {
        cn_world *w = scene_world(0.0, 0.0, 1e-8);
        grid *block = grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){-0.5, -1.0},
                                (double[]){1.0, 1.0}, grid_elastic(1e6, 0.3, 1000.0));
        cn_body_id disk = 0;
        for (int k = 0; k < 2; k++) {
            if (k == first) {
                grid_body(w, block, 0.0, 0.0);
            } else {
                disk = scene_disk(w, 0.1, 0.1, 0.1, 0);
            }
        }
        double mass = scene_state(w, disk).mass;
        scene_set_velocity(w, disk, 0.0, v, 5.0);
        scene_run(w, h, 1);
        const cn_contact *x = &w->contacts.contact[0];
        double T = 0.5 * mass * (v - h * g) * (v - h * g) + 0.25 * mass * 0.01 * 25.0;
        check_excess(w, 0, hypot(x->u_before[0], x->u_before[1]) + h * g, T + mass * g * 0.2);
        cn_world_destroy(w);
        grid_free(block);
    }
}

// Glued boxes are where they bonded; a bond that is off by more than a twentieth of the thinner one
// is told, in any direction.
CN_TEST(bonds_that_drift_are_rejected)
{
    const double h = 1e-3, thin = 0.1;
    cn_law_def law = cn_law_default("glue");
    cn_world_def def = cn_world_def_default();
    cn_world *w = scene_world_with(&def, &law);
    scene_box(w, 0.0, 0.0, 1.0, 1.0, 0.0, CN_FIXED_ALL);
    scene_box(w, 0.0, 0.5 + 0.5 * thin, 0.4, thin, 0.0, 0);
    scene_run(w, h, 2);
    CN_TRUE(w->contacts.kind[0] == CN_CORE_BILATERAL);
    for (int k = 0; k < 4; k++) {
        cn_certificate certificate = {0};
        const cn_ledger ledger = {0};
        double *b = w->contacts.b + w->contacts.row_start[0];
        b[k / 2] = (k % 2 == 0 ? 1.01 : -0.99) * 0.05 * thin / h;
        b[1 - k / 2] = 0.0;
        CN_TRUE(cn_audit_judge(&w->contacts, &w->bodies, &ledger, 0.0, &certificate, NULL) ==
                (k % 2 == 0 ? CN_BROKEN : CN_OK));
    }
    cn_world_destroy(w);
}

// Of several contacts that give too much the one that gives most is named; what they give adds up.
CN_TEST(the_worst_of_several_is_named)
{
    cn_world *w = scene_world(0.0, 0.0, 1e-8);
    cn_body_id id[4] = {scene_ground(w, 0.0, 0.0, 0.0)};
    for (int k = 1; k < 4; k++) {
        id[k] = scene_disk(w, 0.0, 0.2 * k - 0.1, 0.1, 0);
    }
    scene_run(w, 1e-2, 1);
    CN_TRUE(w->contacts.count == 3);
    const cn_ledger ledger = {0};
    for (int worst = 0; worst < 3; worst++) {
        cn_certificate certificate = {0};
        for (int a = 0; a < 3; a++) {
            w->contacts.contact[a].r[0] = 1e3 * (a == worst ? 3.0 : 1.0);
            w->contacts.b[w->contacts.row_start[a]] = -100.0;
        }
        CN_TRUE(cn_audit_judge(&w->contacts, &w->bodies, &ledger, 0.0, &certificate, NULL) ==
                CN_BROKEN);
        CN_TRUE(certificate.given_worst[0] == id[worst]);
        CN_TRUE(certificate.given_worst[1] == id[worst + 1]);
        CN_NEAR(certificate.given_excess, 5e3 * (100.0 - 9.81e-2), 1e-8, "rounding");
    }
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(restitution_holds_in_the_first_step); CN_RUN(cut_steps_count_as_one);
        CN_RUN(bodies_through_each_other_are_rejected); CN_RUN(depth_from_nowhere_is_rejected);
        CN_RUN(what_contacts_give_has_a_row);
        CN_RUN(rigid_bodies_give_back_what_they_can_have_gained);
        CN_RUN(deformable_bodies_count_nothing); CN_RUN(the_worst_of_several_is_named);
        CN_RUN(views_show_what_was_accepted); CN_RUN(bonds_that_drift_are_rejected);)
