// Steps are called not converged only if something is missed, and say what.
#include "cairn/cairn.h"
#include "scenes.h"
#include "strict.h"
#include "test.h"

// A rope of beads and cables falls over a post: cables get taut one after the other, and the shifts
// of joints need a solve for each of them.
static const char rope_text[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "materials: {m: 2000}\n"
    "laws: {c: {type: coulomb, friction: 0.3}}\n"
    "contacts: [{between: [any, any], law: c}]\n"
    "solver: {accuracy: 1e-4}\n"
    "bodies:\n"
    "  post: {shape: {cylinder: {radius: 0.2, length: 1}}, axis: [0, 1, 0], fixed: true}\n"
    "  rope: {generate: {grid: {columns: 21, spacing: [0.06, 0.06, 0.06], shape: {sphere: 0.02}}}, "
    "material: m, at: [0, 0, 0.25]}\n"
    "  bar: {shape: {capsule: {length: 0.5, radius: 0.03}}, axis: [0, 1, 0], at: [0.0, 0, 0.5], "
    "material: m}\n"
    "joints: {r: {chain: rope, cable: {}}}\n"
    "stages: [{step: 1e-3, duration: 0.3}]\n";

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

CN_TEST(rope_that_gets_taut_converges)
{
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "rope.yaml", .text = rope_text}, print_problem,
                        NULL, &scene, &test_error));
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    for (int k = 0; k < 300; k++) {
        CN_DO(test_step(w, 1e-3, &test_error));
        const cn_certificate *c = cn_world_view(w).certificate;
        CN_TRUE(c->solver.is_converged && c->solver.criterion == CN_CRITERION_NONE);
    }
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// One sweep is not enough for ten balls on each other: the certificate tells what is missed, by how
// much, and which bodies are at it.
CN_TEST(certificate_names_what_is_missed)
{
    cn_world_def def = cn_world_def_default();
    def.solver.method = CN_METHOD_NLGS;
    def.solver.sweep_max = 1;
    cn_world *w = NULL;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    int number;
    CN_DO(cn_world_create(&def, &w, &test_error));
    CN_DO(cn_law_add(w, &law, &number, &test_error));
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, number, &test_error));
    cn_body_id id[11];
    for (int k = 0; k < 11; k++) {
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.5};
        const cn_body_def body = {.shapes = {1, &disk},
                                  .density = 1000.0,
                                  .at = {0.0, (double)k, 0.0},
                                  .fixed = k == 0 ? CN_FIXED_ALL : 0};
        CN_DO(cn_body_add(w, &body, &id[k], &test_error));
    }
    CN_TRUE(test_step(w, 1e-3, NULL) == CN_MISSED);
    const cn_certificate *c = cn_world_view(w).certificate;
    CN_TRUE(c->solver.criterion == CN_CRITERION_VELOCITY ||
            c->solver.criterion == CN_CRITERION_ENERGY);
    CN_TRUE(c->solver.value > c->solver.asked && c->solver.asked > 0.0);
    CN_TRUE(c->solver.is_work_limited && !c->solver.is_infeasible);
    CN_TRUE(c->missed_joint == 0 && c->missed_body[1] == c->missed_body[0] + 1);
    cn_world_destroy(w);
}

// Two plates close on a block that cannot give way, up to 0.6 of a step that is cut at 0.5 of it,
// where a fast disk meets a wall: what the first part missed is told, though the second misses
// nothing.
static double closes(double t, void *context)
{
    (void)context;
    return t < 6e-3 ? -4.0 : 0.0;
}

CN_TEST(parts_of_a_step_tell_what_the_worst_one_missed)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-8);
    scene_box(w, 5.0, 0.0, 1.0, 1e-3, 0.0, CN_FIXED_ALL);
    cn_body_id disk = scene_disk(w, 5.0, 0.0105 + 0.05, 0.01, 0);
    scene_set_velocity(w, disk, 0.0, -20.0, 0.0);
    scene_box(w, 0.0, -0.5, 1.0, 1.0, 0.0, CN_FIXED_ALL);
    cn_body_id block = scene_box(w, 0.0, 0.1, 0.2, 0.2, 0.0, 0);
    cn_body_id plate = scene_box(w, 0.0, 0.7, 1.0, 1.0, 0.0, CN_FIXED_ALL);
    cn_drive_def drive = {.body = plate,
                          .kind = CN_DRIVE_VELOCITY,
                          .dof = CN_DOF_Y,
                          .f = {.kind = CN_FUNCTION_CALL, .call = closes},
                          .t0 = 0.0};
    CN_DO(cn_drive_add(w, &drive, &test_error));
    CN_TRUE(test_step(w, 1e-2, NULL) == CN_MISSED);
    const cn_certificate *c = cn_world_view(w).certificate;
    CN_TRUE(c->part_count == 2 && !c->solver.is_converged);
    CN_TRUE(c->solver.is_infeasible && c->solver.criterion == CN_CRITERION_INFEASIBLE);
    CN_TRUE(c->missed_body[0] == block || c->missed_body[1] == block);
    CN_TRUE(c->solver.value > 0.4 && c->solver.value <= 4.0); // a part of how fast it closes
    cn_world_destroy(w);
}

// A flat block that flies along the ground and bounces has no reason to turn about x or y before
// friction stops it: the impulses of its four corners are solved deep, since that costs nothing.
CN_TEST(flat_block_bounces_flat)
{
    cn_world *w = scene_space(0.3, 0.9, 0.0); // tolerance 0: as small problems ask (8.11)
    scene_floor(w, 0.0);
    cn_body_id b = scene_block(w, (double[]){0.0, 0.0, 0.6}, (double[]){0.4, 0.4, 0.2}, NULL, 0);
    cn_body_state state = scene_state(w, b);
    state.velocity[0] = 20.0;
    state.velocity[1] = 7.0;
    CN_DO(cn_body_set(w, b, &state, &test_error));
    double turned = 0.0;
    for (int k = 0; k < 3000; k++) {
        CN_DO(test_step(w, 1e-3, &test_error));
        state = scene_state(w, b);
        turned = fmax(turned, hypot(state.angular_velocity[0], state.angular_velocity[1]));
    }
    CN_NEAR(turned, 0.0, 1e-6, "rad/s: eps_v = 1e-6 of a velocity of 1 m/s over 0.2 m, 13 bounces");
    CN_NEAR(cn_world_view(w).certificate->eps_v, 1e-6, 0.0, "four contacts");
    cn_world_destroy(w);
}

// What is asked of n contacts that nobody spoke of (8.11), up to that of flows.
CN_TEST(accuracy_asked_by_size)
{
    const int courses[2] = {1, 60}, bricks[2] = {2, 4};
    const double asked[2] = {1e-6, 1e-2};
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_world(0.5, 0.0, 0.0);
        cn_body_id first;
        scene_ground(w, 0.0, 0.0, 0.0);
        scene_wall(w, courses[k], bricks[k], 0.4, 0.2, &first);
        CN_DO(test_step(w, 1e-3, &test_error));
        const cn_certificate *c = cn_world_view(w).certificate;
        CN_TRUE(k == 0 ? c->contact_count <= 20 : c->contact_count >= 200);
        CN_NEAR(c->eps_v, asked[k], 0.0, "as the theory has it");
        CN_NEAR(c->tol, k == 0 ? 1e-10 : 1e-4, 1e-18, "squared, not below 1e-10");
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(rope_that_gets_taut_converges); CN_RUN(certificate_names_what_is_missed);
        CN_RUN(parts_of_a_step_tell_what_the_worst_one_missed); CN_RUN(flat_block_bounces_flat);
        CN_RUN(accuracy_asked_by_size);)
