// Worlds built from scenes: counts, masses, groups, laws; overlaps are refused by name.
#include "cairn/scene.h"
#include "cairn/view.h"
#include "scene_text.h"
#include "strict.h"
#include "test.h"

#define HEAD                                                                                       \
    "cairn: 1\nmaterials: {stone: {density: 2000}}\nlaws: {dry: {type: coulomb, friction: 0.5}}\n" \
    "contacts: [{between: [any, any], law: dry}]\n"
#define STAGE "stages: [{step: 1e-3, duration: 1}]\n"

CN_TEST(bodies_masses_and_groups)
{
    cn_scene *scene = parse(
        HEAD
        "bodies:\n  table: {shape: {box: [4, 0.2]}, at: [0, -0.1], fixed: true}\n"
        "  wall: {generate: {wall: {blocks: 3, courses: 4, block: [0.4, 0.2], bond: stack}},\n"
        "         material: stone}\n"
        "  pan: {shape: {hollow_box: {size: [1, 1], thickness: 0.1}}, at: [9, 0], material: "
        "stone}\n"
        "  ball: {shape: {disk: 0.5}, mass: 3, at: [9, 5], velocity: [1, 2], spin: 3}\n" STAGE);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_view view = cn_world_view(w);
    CN_TRUE(view.body_count == 15 && view.id[14] == 15);
    CN_NEAR(view.mass[1], 0.08 * 2000, 1e-10, "width x height x density");
    CN_NEAR(view.mass[13], 2000 * (1.2 * 1.2 - 1.0), 1e-9, "outside less inside");
    CN_NEAR(view.mass[14], 3.0, 1e-14, "as given");
    CN_NEAR(view.inertia[14], 0.5 * 3.0 * 0.25, 1e-14, "m r^2 / 2 from the shape");
    CN_NEAR(view.v[3 * 14 + 2], 3.0, 0.0, "spin as given");
    CN_TRUE(strcmp(cn_group_name(w, view.group[1]), "wall") == 0);
    cn_error why;
    CN_TRUE(test_step(w, 1e-3, &why) == CN_OK);
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

CN_TEST(rules_choose_the_law)
{
    // Two balls rest on ground; one pair passes through by rule.
    cn_scene *scene = parse("cairn: 1\nlaws: {dry: {type: coulomb}}\n"
                            "contacts:\n  - {between: [ghost, any], law: none}\n"
                            "  - {between: [any, any], law: dry}\n"
                            "bodies:\n  ground: {shape: half_plane, fixed: true}\n"
                            "  ghost: {shape: {disk: 1}, mass: 1, at: [0, 1]}\n"
                            "  ball: {shape: {disk: 1}, mass: 1, at: [5, 1]}\n" STAGE);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    for (int k = 0; k < 100; k++) {
        CN_DO(test_step(w, 1e-2, &test_error));
    }
    cn_view view = cn_world_view(w);
    CN_NEAR(view.q[3 * 2 + 1], 1.0, 1e-9, "held by the ground");
    CN_NEAR(view.v[3 * 1 + 1], -9.81, 1e-9, "1 s of free fall");
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// Held sets belong to the body: a world built without stages has them, too. theta = 1 damps what
// the weight sets swinging by a factor of 1e3 per step.
CN_TEST(sets_are_held_without_stages)
{
    cn_scene *scene = parse("cairn: 1\nscheme: {theta: 1}\n"
                            "materials: {steel: {density: 8e3, young: 2e11, poisson: 0.3}}\n"
                            "bodies:\n  bar: {mesh: {box: [1, 1], cells: [2, 2], elements: quad4}, "
                            "material: steel,\n    fixed_sets: {bottom: true}}\n" STAGE);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    for (int k = 0; k < 10; k++) {
        CN_DO(test_step(w, 1e-2, &test_error));
    }
    const double falling = 0.5 * 8e3 * (9.81 * 0.1) * (9.81 * 0.1);
    CN_NEAR(cn_world_view(w).ledger->kinetic / falling, 0.0, 1e-12, "it hangs on its set");
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// A disk that is heavy on one side, pinned at its middle, and a ball likewise about y: the first
// step turns them by -h m g d/(I + m d^2).
static double first_spin(const char *dimension, const char *body, int dof)
{
    char text[600];
    snprintf(text, sizeof text,
             "cairn: 1\ndimension: %s\nbodies:\n  b: {%s}\njoints: {pin: {between: [b, world], "
             "%s}}\n"
             "stages: [{step: 1e-6, duration: 1}]\n",
             dimension, body,
             dof == 2 ? "ball: [3, 0]" : "hinge: {at: [3, 0, 0], axis: [0, 1, 0]}");
    cn_scene *scene = parse(text);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_body_state state;
    CN_DO(cn_body_get(w, 1, &state, &test_error));
    CN_NEAR(state.position[0], 3.1, 1e-15, "the mass centre, not the middle");
    CN_DO(test_step(w, 1e-6, &test_error));
    double spin = cn_world_view(w).v[dof];
    cn_world_destroy(w);
    cn_scene_destroy(scene);
    return spin;
}

CN_TEST(a_mass_centre_may_be_given)
{
    const double exact = 1e-6 * 2.0 * 9.81 * 0.1 / (0.05 + 2.0 * 0.01);
    double plane = first_spin("2",
                              "shape: {disk: 0.2}, mass: 2, inertia: 0.05, centre: [0.1, 0], at: "
                              "[3, 0]",
                              2);
    double space = first_spin("3",
                              "shape: {sphere: 0.2}, mass: 2, inertia: [0.04, 0.05, 0.06], "
                              "centre: [0.1, 0, 0], at: [3, 0, 0]",
                              4);
    CN_NEAR(plane, -exact, 1e-9 * exact, "one step from rest is exact but for h^2");
    CN_NEAR(space, exact, 1e-9 * exact, "the same about y");
}

// A body may have the name of a region: `inside: box` cannot be a region, which has a size.
CN_TEST(a_body_called_box_is_packed)
{
    cn_scene *scene = parse(
        HEAD "bodies:\n  box: {shape: {hollow_box: {size: [1, 1], thickness: 0.1}}, fixed: true}\n"
             "  grains: {generate: {pack: {inside: box, shape: {disk: {radius: 0.1}}, count: 5}},\n"
             "           material: stone}\n" STAGE);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_view view = cn_world_view(w);
    CN_TRUE(view.body_count == 6);
    for (int i = 1; i < view.body_count; i++) {
        CN_TRUE(fabs(view.q[3 * i]) <= 0.4 && fabs(view.q[3 * i + 1]) <= 0.4);
    }
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

CN_TEST(overlaps_are_refused_by_name)
{
    cn_scene *scene =
        parse(HEAD "bodies:\n  a: {shape: {disk: 0.5}, material: stone}\n"
                   "  b: {shape: {disk: 0.5}, material: stone, at: [0.9, 0]}\n" STAGE);
    cn_world *w = NULL;
    CN_FAILS(cn_scene_build(scene, 1, &w, &test_error), CN_BAD_INPUT,
             "overlap by 0.1 m, 10 % of the smaller one (accepted: 1 %)");
    CN_TRUE(w == NULL);
    lines[0] = '\0';
    CN_FAILS(cn_scene_check(scene, keep, NULL, &test_error), CN_BAD_INPUT, "raise 'overlap_max'");
    CN_TRUE(strstr(test_error.text, "'a'") != NULL && strstr(test_error.text, "'b'") != NULL);
    cn_scene_destroy(scene);
    scene = parse(HEAD "overlap_max: 0.2\nbodies:\n  a: {shape: {disk: 0.5}, material: stone}\n"
                       "  b: {shape: {disk: 0.5}, material: stone, at: [0.9, 0]}\n" STAGE);
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

CN_TEST(check_tells_what_is_there)
{
    cn_scene *scene =
        parse("cairn: 1\ntitle: two blocks\nmaterials: {stone: 2000}\n"
              "laws: {dry: {type: coulomb}}\ncontacts: [{between: [s, g], law: dry}]\n"
              "bodies:\n  g: {shape: {box: [9, 1]}, at: [0, -0.5], fixed: true}\n"
              "  s: {shape: {box: [1, 1]}, at: [0, 0.5], material: stone}\n"
              "  t: {shape: {box: [1, 1]}, at: [3, 9], material: stone}\n" STAGE);
    lines[0] = '\0';
    CN_DO(cn_scene_check(scene, keep, NULL, &test_error));
    CN_TRUE(strstr(lines, "bodies          3 (2 can move) in 3 groups") != NULL);
    CN_TRUE(strstr(lines, "mass            4000 kg") != NULL);
    CN_TRUE(strstr(lines, "contacts        2 within") != NULL);
    CN_TRUE(strstr(lines, "no contact rule for 'g' and 't'") != NULL);
    CN_TRUE(strstr(lines, "no contact rule for 'g' and 's'") == NULL);
    CN_TRUE(strstr(lines, "1000 steps") != NULL);
    cn_scene_destroy(scene);
}

CN_MAIN(CN_RUN(bodies_masses_and_groups); CN_RUN(rules_choose_the_law);
        CN_RUN(sets_are_held_without_stages); CN_RUN(a_mass_centre_may_be_given);
        CN_RUN(a_body_called_box_is_packed); CN_RUN(overlaps_are_refused_by_name);
        CN_RUN(check_tells_what_is_there);)
