// Bodies that appear, vanish, stick together or fall apart between steps.
#include "scenes.h"
#include "strict.h"
#include "test.h"

// The middle of three stacked boxes vanishes: the upper one falls onto the lower one.
CN_TEST(removed_body_lets_its_neighbours_move)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id low = scene_box(w, 0.0, 0.05, 0.2, 0.1, 0.0, 0);
    cn_body_id middle = scene_box(w, 0.0, 0.15, 0.2, 0.1, 0.0, 0);
    cn_body_id top = scene_box(w, 0.0, 0.25, 0.2, 0.1, 0.0, 0);
    scene_run(w, 1e-3, 20);
    CN_NEAR(scene_state(w, top).position[1], 0.25, 1e-10, "the stack rests");
    CN_DO(cn_body_remove(w, middle, &test_error));
    CN_FAILS(cn_body_remove(w, middle, &test_error), CN_BAD_INPUT, "no body 3");
    scene_run(w, 1e-3, 100);
    double fallen = 0.5 * 9.81 * 0.1 * 0.1;
    CN_NEAR(scene_state(w, top).position[1], 0.25 - fallen, 1e-9, "free fall for 0.1 s");
    scene_run(w, 1e-3, 200);
    CN_NEAR(scene_state(w, top).position[1], 0.15, 1e-9, "it rests on the lower box");
    CN_NEAR(scene_state(w, low).position[1], 0.05, 1e-9, "which has not moved");
    cn_body_id next = scene_box(w, 5.0, 0.05, 0.2, 0.1, 0.0, 0);
    CN_TRUE(next == top + 1); // ids are never used twice
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// Two boxes glued end to end, one held: a cantilever that neither falls nor creeps.
CN_TEST(glued_cantilever_stays_where_it_is)
{
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_default("glue");
    cn_world *w = scene_world_with(&def, &law);
    scene_box(w, 0.0, 0.0, 0.2, 0.1, 0.0, CN_FIXED_ALL);
    cn_body_id box = scene_box(w, 0.2, 0.0, 0.2, 0.1, 0.0, 0);
    double weight = scene_state(w, box).mass * 9.81;
    CN_TRUE(scene_run(w, 1e-3, 1000) == 0);
    cn_body_state s = scene_state(w, box);
    CN_NEAR(s.position[1], 0.0, 1e-10, "displacement form: errors do not add up");
    CN_NEAR(s.angle, 0.0, 1e-10, "two bonded points couple the rotation");
    cn_view view = cn_world_view(w);
    double up = 0.0, moment = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        double sign = view.id[x->i] == box ? 1.0 : -1.0;
        up += sign * (x->r[0] * x->normal[1] + x->r[1] * x->normal[0]) / 1e-3;
        moment += sign * (-x->r[0] * x->normal[0] * x->point[1]) / 1e-3;
    }
    CN_NEAR(up, weight, 1e-6 * weight, "the joint carries the weight");
    CN_NEAR(moment, 0.1 * weight, 1e-6 * weight, "and its moment about the joint");
    CN_TRUE(view.ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// Laws by pair of groups: balls of group a rest on the ground, those of group b pass through it.
CN_TEST(rules_choose_the_law_by_groups)
{
    cn_world_def def = cn_world_def_default();
    cn_world *w;
    int a, b, law;
    CN_DO(cn_world_create(&def, &w, &test_error));
    CN_DO(cn_group_add(w, "a", &a, &test_error));
    CN_DO(cn_group_add(w, "b", &b, &test_error));
    cn_law_def dry = cn_law_coulomb(0.5, 0.0);
    CN_DO(cn_law_add(w, &dry, &law, &test_error));
    CN_DO(cn_rule_add(w, b, CN_GROUP_ANY, CN_LAW_NO_CONTACT, &test_error));
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, 0, law, &test_error));
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    cn_body_def body = {.shapes = {1, &disk}, .density = 1000.0, .at = {0.0, 0.1}, .group = a};
    cn_body_id on, through, stray;
    CN_DO(cn_body_add(w, &body, &on, &test_error));
    body.group = b;
    body.at[0] = 1.0;
    CN_DO(cn_body_add(w, &body, &through, &test_error));
    scene_run(w, 1e-3, 100);
    CN_NEAR(scene_state(w, on).position[1], 0.1, 1e-9, "rests");
    CN_NEAR(scene_state(w, through).position[1], 0.1 - 0.5 * 9.81 * 0.01, 1e-9, "falls");
    body.group = a;
    body.at[0] = 0.15; // touches the first ball of its group, for which no rule exists
    CN_DO(cn_body_add(w, &body, &stray, &test_error));
    CN_FAILS(test_step(w, 1e-3, &test_error), CN_BAD_INPUT, "no rule");
    cn_world_destroy(w);
}

CN_TEST(bad_bodies_get_a_message)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-6);
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    cn_body_def def = {.shapes = {1, &disk}, .density = -1.0};
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "mass");
    def.density = 0.0;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "must be > 0");
    def.density = 1.0;
    def.at[0] = NAN;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "finite");
    def.at[0] = 0.0;
    disk.radius = -1.0;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "radius");
    CN_FAILS(test_step(w, 0.0, &test_error), CN_BAD_INPUT, "time step");
    CN_FAILS(test_step(w, NAN, &test_error), CN_BAD_INPUT, "time step");
    CN_FAILS(cn_world_set_scheme(w, 0.3, -1.0, &test_error), CN_BAD_INPUT, "theta");
    cn_drive_def drive = {.body = 99, .f = cn_constant(1.0)};
    CN_FAILS(cn_drive_add(w, &drive, &test_error), CN_BAD_INPUT, "99");
    CN_DO(test_step(w, 1e-3, &test_error)); // an empty world is a world
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(removed_body_lets_its_neighbours_move); CN_RUN(glued_cantilever_stays_where_it_is);
        CN_RUN(rules_choose_the_law_by_groups); CN_RUN(bad_bodies_get_a_message);)
