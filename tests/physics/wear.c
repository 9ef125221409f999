// Wear: what slides under load loses a strip of its side, with mass, inertia and energy.
#include <string.h>

#include "scenes.h"
#include "test.h"

static const double V = 0.2, MU = 0.3, H = 1e-3;

// A block on a wide floor that wears fast enough to see it: K over hardness [1/Pa].
static cn_world *make_slider(double wear_block, double wear_floor, cn_body_id id[2])
{
    cn_law_def law = cn_law_coulomb(MU, 0.0);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = -10.0;
    def.solver.eps_v = 1e-10;
    cn_world *w = scene_world_with(&def, &law);
    double vertex[2][8];
    cn_box_vertices(4.0, 0.2, vertex[0]);
    cn_box_vertices(0.2, 0.1, vertex[1]);
    cn_shape_def shape[2];
    for (int k = 0; k < 2; k++) {
        shape[k] = (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex[k]};
        cn_body_def body = {.shapes = {1, &shape[k]},
                            .density = 1000.0,
                            .at = {k == 0 ? 0.0 : -1.0, k == 0 ? -0.1 : 0.05},
                            .velocity = {k == 0 ? 0.0 : V},
                            .wear = k == 0 ? wear_floor : wear_block,
                            .fixed = k == 0 ? CN_FIXED_ALL : 0u};
        CN_DO(cn_body_add(w, &body, &id[k], &test_error));
    }
    cn_drive_def pull = {
        .body = id[1], .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_X, .f = {.c = V}, .t0 = NAN};
    CN_DO(cn_drive_add(w, &pull, &test_error));
    return w;
}

static double height_of(const cn_world *w, int body)
{
    const double *x = cn_world_view(w).shape[body].vertex;
    return x[5] - x[1];
}

// Two percent of the block are worn off: volume K N s / H, shared by both as their coefficients
// are; mass and inertia are those of the shape that is left, and the ledger closes.
CN_TEST(both_wear_by_their_coefficients)
{
    cn_body_id id[2];
    cn_world *w = make_slider(1e-5, 4e-5, id);
    CN_TRUE(scene_run(w, H, 500) == 0);
    double s = 500 * H * V, left = height_of(w, 1), N = 20.0 * 10.0;
    CN_NEAR(0.1 - left, 1e-5 * N * s / 0.2, 2e-2 * 1e-5 * N * s / 0.2,
            "Archard, with the weight that is left: 1 % less at the end");
    CN_NEAR((0.2 - height_of(w, 0)) * 4.0 / ((0.1 - left) * 0.2), 4.0, 1e-6, "by coefficients");
    cn_body_state b = scene_state(w, id[1]);
    CN_NEAR(b.mass, 1000.0 * 0.2 * left, 1e-10, "mass of the shape");
    CN_NEAR(b.inertia[2], b.mass * (0.04 + left * left) / 12.0, 1e-12, "inertia of the shape");
    const cn_ledger *ledger = cn_world_view(w).ledger;
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
    double lost = 20.0 - b.mass, floor = 800.0 - scene_state(w, id[0]).mass;
    CN_NEAR(ledger->total[CN_ENERGY_WEAR], 0.5 * lost * V * V - floor * 10.0 * 0.1, 2e-3 * lost,
            "a strip that moved with the block, and one of the floor, held at its middle");
    cn_world_destroy(w);
}

// What is worn off belongs to the state: the same bits after a restart.
CN_TEST(a_restart_goes_on_with_the_worn_shape)
{
    cn_body_id id[2];
    cn_world *a = make_slider(1e-5, 0.0, id), *b = make_slider(1e-5, 0.0, id);
    const cn_state_part *part;
    int count;
    CN_TRUE(scene_run(a, H, 200) == 0);
    CN_DO(cn_world_state(a, &part, &count, &test_error));
    CN_DO(cn_world_restore(b, part, count, &test_error));
    CN_TRUE(height_of(a, 1) == height_of(b, 1) && height_of(a, 1) < 0.1);
    CN_TRUE(scene_run(a, H, 200) == 0);
    CN_TRUE(scene_run(b, H, 200) == 0);
    CN_TRUE(cn_world_state_hash(a) == cn_world_state_hash(b));
    CN_TRUE(height_of(a, 1) == height_of(b, 1));
    cn_world_destroy(a);
    cn_world_destroy(b);
}

// A joint stays where it is on the material while the mass centre moves away from the worn foot.
CN_TEST(joints_keep_their_places)
{
    cn_body_id id[2];
    cn_world *w = make_slider(1e-5, 0.0, id);
    cn_body_def weight = cn_body_def_default();
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.01};
    weight.shapes.count = 1;
    weight.shapes.item = &disk;
    weight.at[0] = -1.0;
    weight.at[1] = 0.2;
    weight.velocity[0] = V;
    cn_body_id ball;
    cn_joint_id joint;
    CN_DO(cn_body_add(w, &weight, &ball, &test_error));
    cn_joint_def bar = {.kind = CN_JOINT_FIXED, .body = ball, .other = id[1], .at = {-1.0, 0.2}};
    CN_DO(cn_joint_add(w, &bar, &joint, &test_error));
    CN_TRUE(scene_run(w, H, 400) == 0);
    double top = scene_state(w, id[1]).position[1] + cn_world_view(w).shape[1].vertex[5];
    CN_TRUE(top < 0.1 - 1e-4);
    CN_NEAR(scene_state(w, ball).position[1] - top, 0.1, 1e-7,
            "above the top as before, but for the turn that friction leaves");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "it closes");
    cn_world_destroy(w);
}

// What cannot wear is refused, and a side that is gone ends the run.
CN_TEST(what_cannot_wear_is_told)
{
    cn_world_def def = cn_world_def_default();
    cn_world *w = NULL;
    CN_DO(cn_world_create(&def, &w, &test_error));
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    cn_body_def body = {.shapes = {1, &disk}, .density = 1000.0, .wear = 1e-11};
    CN_TRUE(cn_body_add(w, &body, NULL, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "convex polygon") != NULL);
    double vertex[8];
    cn_box_vertices(0.1, 0.1, vertex);
    cn_shape_def box = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex};
    body.shapes.item = &box;
    body.has_centre = true;
    body.centre[0] = 0.01;
    CN_TRUE(cn_body_add(w, &body, NULL, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "mass centre") != NULL);
    body.has_centre = false;
    body.wear = -1.0;
    CN_TRUE(cn_body_add(w, &body, NULL, &test_error) == CN_BAD_INPUT);
    CN_TRUE(cn_world_view(w).body_count == 0);
    cn_world_destroy(w);

    cn_body_id id[2];
    w = make_slider(0.1, 0.0, id);
    cn_status status = CN_OK;
    for (int n = 0; n < 1000 && status == CN_OK; n++) {
        status = cn_world_step(w, H, &test_error);
    }
    CN_TRUE(status == CN_BAD_INPUT && strstr(test_error.text, "worn away") != NULL);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(both_wear_by_their_coefficients); CN_RUN(a_restart_goes_on_with_the_worn_shape);
        CN_RUN(joints_keep_their_places); CN_RUN(what_cannot_wear_is_told);)
