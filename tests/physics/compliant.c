// Joints with stiffness per area: deflections and friction known on paper.
#include "scenes.h"
#include "test.h"

static cn_law_def law_of(double kn, double ks, double mu)
{
    cn_law_def law = cn_law_default("compliant");
    CN_DO(cn_law_set(&law, "stiffness", kn, &test_error));
    CN_DO(cn_law_set(&law, "stiffness_tangential", ks, &test_error));
    CN_DO(cn_law_set(&law, "friction", mu, &test_error));
    return law;
}

static void push(cn_world *w, cn_body_id body, const double direction[3], double force, bool turns)
{
    cn_force_def def = {.body = body,
                        .is_torque = turns,
                        .direction = {direction[0], direction[1], direction[2]},
                        .f = {.c = force},
                        .t0 = NAN};
    CN_DO(cn_force_add(w, &def, &test_error));
}

// L09: a pressed joint of width b turns by M / (K b^3 / 12); two end points would give a third.
CN_TEST(a_pressed_joint_bends_as_a_section_does)
{
    const double b = 0.4, K = 1e10, N = 1e5, M = 100.0;
    cn_law_def law = law_of(K, 0.5 * K, 0.6);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.theta = 1.0; // comes to rest
    def.solver.eps_v = 1e-9;
    cn_world *w = scene_world_with(&def, &law);
    scene_box(w, 0.0, -0.5 * b, b, b, 0.0, CN_FIXED_ALL);
    cn_body_id block = scene_box(w, 0.0, 0.5 * b, b, b, 0.0, 0);
    push(w, block, (double[3]){0.0, -1.0, 0.0}, N, false);
    push(w, block, (double[3]){0.0, 0.0, 1.0}, M, true);
    CN_TRUE(scene_run(w, 1e-3, 300) == 0);
    cn_body_state s = scene_state(w, block);
    CN_NEAR(s.position[1] - 0.5 * b, -N / (K * b), 1e-6 * N / (K * b), "at rest");
    CN_NEAR(s.angle, M / (K * b * b * b / 12.0 - 0.5 * b * N), 1e-6 * M * 1.875e-8,
            "at rest; 1.875e-8 rad per N m, and what N does above the joint as it turns");
    cn_world_destroy(w);
}

// A block is sheared under a pressure: first by F / (ks A), and when friction gives way it slides.
CN_TEST(shear_is_elastic_until_friction_gives_way)
{
    const double K = 1e9, ks = 4e8, A = 0.2 * 0.3, N = 1e4, mu = 0.5, h = 1e-3;
    for (int k = 0; k < 2; k++) {
        cn_law_def law = law_of(K, ks, mu);
        cn_world_def def = cn_world_def_default();
        def.dim = 3;
        def.gravity[1] = def.gravity[2] = 0.0;
        def.theta = 1.0;
        def.solver.eps_v = 1e-9;
        cn_world *w = scene_world_with(&def, &law);
        const double size[3] = {0.2, 0.3, 0.2};
        const unsigned upright = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
        scene_block(w, (double[3]){0.0, 0.0, -0.1}, size, NULL, CN_FIXED_ALL);
        cn_body_id block = scene_block(w, (double[3]){0.0, 0.0, 0.1}, size, NULL, upright);
        double F = (k == 0 ? 0.4 : 1.1) * mu * N; // a sudden load swings to twice its deflection
        push(w, block, (double[3]){0.0, 0.0, -1.0}, N, false);
        CN_TRUE(scene_run(w, h, 200) == 0);
        push(w, block, (double[3]){0.6, 0.8, 0.0}, F, false);
        CN_TRUE(scene_run(w, h, 20) == 0);
        cn_body_state s = scene_state(w, block);
        double mass = cn_world_view(w).mass[1];
        if (k == 0) {
            CN_TRUE(scene_run(w, h, 280) == 0);
            s = scene_state(w, block);
            CN_NEAR(s.position[0], 0.6 * F / (ks * A), 1e-6 * F / (ks * A), "at rest");
            CN_NEAR(s.position[1], 0.8 * F / (ks * A), 1e-6 * F / (ks * A), "at rest");
        } else {
            double v = s.velocity[1];
            CN_TRUE(scene_run(w, h, 10) == 0);
            double dv = scene_state(w, block).velocity[1] - v;
            CN_NEAR(mass * dv / (10.0 * h), 0.8 * (F - mu * N), 1.0, "what friction leaves");
        }
        CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "it closes");
        cn_world_destroy(w);
    }
}

// A block on a joint is thrown to and fro: friction takes energy in every step or none, and a
// restart in the middle changes no bit.
CN_TEST(friction_never_gives)
{
    cn_law_def law = law_of(1e8, 3e7, 0.4);
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = 1e-9;
    cn_world *world[2];
    for (int k = 0; k < 2; k++) {
        world[k] = scene_world_with(&def, &law);
        scene_box(world[k], 0.0, -0.5, 1.0, 1.0, 0.0, CN_FIXED_ALL);
        cn_body_id block = scene_box(world[k], 0.0, 0.1, 0.4, 0.2, 0.0, 0);
        scene_set_velocity(world[k], block, 0.05, 0.0, 0.0);
    }
    const cn_ledger *ledger = cn_world_view(world[0]).ledger;
    double least = 0.0;
    for (int n = 0; n < 400; n++) {
        if (n == 150) {
            const cn_state_part *part;
            int count;
            CN_DO(cn_world_state(world[0], &part, &count, &test_error));
            CN_DO(cn_world_restore(world[1], part, count, &test_error));
        }
        CN_TRUE(scene_run(world[0], 1e-4, 1) == 0);
        CN_TRUE(n < 150 || scene_run(world[1], 1e-4, 1) == 0);
        least = fmin(least, ledger->step[CN_ENERGY_FRICTION]);
    }
    CN_NEAR(least, 0.0, 1e-9, "1e-9 of the energy of 0.1 J");
    cn_view x = cn_world_view(world[0]), y = cn_world_view(world[1]);
    CN_TRUE(ledger->total[CN_ENERGY_FRICTION] > 1e-3);
    CN_TRUE(memcmp(x.q, y.q, sizeof(double) * 3 * (size_t)x.body_count) == 0);
    CN_TRUE(memcmp(x.v, y.v, sizeof(double) * 3 * (size_t)x.body_count) == 0);
    cn_world_destroy(world[0]);
    cn_world_destroy(world[1]);
}

// A block of 0.4 m that is pressed by 10 kN on a wide floor, at rest and then led along it at 0.2
// m/s: K = 1e9, ks = 4e8, mu = 0.5.
static cn_world *make_slider(int dim, cn_body_id *block)
{
    const double b = 0.4;
    const unsigned upright = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    cn_law_def law = law_of(1e9, 4e8, 0.5);
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.theta = 1.0;
    def.solver.eps_v = 1e-9;
    cn_world *w = scene_world_with(&def, &law);
    if (dim == 2) {
        scene_box(w, 0.0, -0.5, 4.0, 1.0, 0.0, CN_FIXED_ALL);
        *block = scene_box(w, 0.0, 0.5 * b, b, b, 0.0, 1u << CN_DOF_RZ);
    } else {
        const double wide[3] = {4.0, 4.0, 1.0}, cube[3] = {b, b, b};
        scene_block(w, (double[3]){0.0, 0.0, -0.5}, wide, NULL, CN_FIXED_ALL);
        *block = scene_block(w, (double[3]){0.0, 0.0, 0.5 * b}, cube, NULL, upright);
    }
    double down[3] = {0.0, dim == 2 ? -1.0 : 0.0, dim == 2 ? 0.0 : -1.0};
    push(w, *block, down, 1e4, false);
    CN_TRUE(scene_run(w, 1e-3, 300) == 0);
    cn_drive_def lead = {
        .body = *block, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_X, .f = {.c = 0.2}, .t0 = NAN};
    CN_DO(cn_drive_add(w, &lead, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 20) == 0);
    return w;
}

// Led over a fifth of its size its points are renewed many times, and nothing is felt of it:
// closure, friction and shear stiffness are those of its face throughout. The same bits after a
// restart between.
CN_TEST(a_joint_that_slides_keeps_its_stiffness)
{
    const double K = 1e9, ks = 4e8, b = 0.4, N = 1e4, mu = 0.5, h = 1e-3, v = 0.2;
    for (int dim = 2; dim <= 3; dim++) {
        cn_body_id block;
        cn_world *other = make_slider(dim, &block), *w = make_slider(dim, &block);
        double A = dim == 2 ? b : b * b, sunk = 0.0, shear = 0.0, missed = 0.0;
        const cn_ledger *ledger = cn_world_view(w).ledger;
        double before = ledger->total[CN_ENERGY_FRICTION];
        for (int n = 0; n < 400; n++) {
            if (n == 150) {
                const cn_state_part *part;
                int count;
                CN_DO(cn_world_state(w, &part, &count, &test_error));
                CN_DO(cn_world_restore(other, part, count, &test_error));
            }
            CN_TRUE(scene_run(w, h, 1) == 0);
            CN_TRUE(n < 150 || scene_run(other, h, 1) == 0);
            cn_view view = cn_world_view(w);
            double z = scene_state(w, block).position[dim - 1] - 0.5 * b, area = 0.0, F = 0.0;
            for (int a = 0; a < view.contact_count; a++) {
                const double *state = view.state + view.state_start[a];
                area += state[0] == 1.0 ? state[2] : 0.0;
                F += hypot(view.contact[a].r[1], view.contact[a].r[2]) / h;
            }
            sunk = fmax(sunk, fabs(z + N / (K * A)));
            shear = fmax(shear, fabs(F - mu * N));
            missed = fmax(missed, fabs(area - A));
        }
        CN_NEAR(missed, 0.0, 1e-9, "the points have the whole face");
        CN_NEAR(sunk, 0.0, 1e-6 * N / (K * A), "it sinks as much as at rest");
        CN_NEAR(shear, 0.0, 1e-6 * mu * N, "friction of the whole load");
        double work = mu * N * v * 0.4, shear_energy = 0.5 * mu * mu * N * N / (ks * A);
        CN_NEAR(ledger->total[CN_ENERGY_FRICTION] - before, work, 1e-5 * work, "its work");
        CN_NEAR(ledger->total[CN_ENERGY_STORAGE], 0.5 * N * N / (K * A) + shear_energy, 1e-6,
                "springs are as they were");
        CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
        CN_TRUE(cn_world_state_hash(w) == cn_world_state_hash(other));
        cn_world_destroy(w);
        cn_world_destroy(other);
    }
}

CN_MAIN(CN_RUN(a_pressed_joint_bends_as_a_section_does);
        CN_RUN(shear_is_elastic_until_friction_gives_way); CN_RUN(friction_never_gives);
        CN_RUN(a_joint_that_slides_keeps_its_stiffness);)
