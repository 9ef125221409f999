// Scenes in space: bodies, orientations, loads, stages, observers; what is wrong is told.
#include "cairn/scene.h"
#include "cairn/view.h"
#include "run/run.h"
#include "scene/model.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "scene_text.h"
#include "strict.h"
#include "test.h"

// The scene must be refused with these words among those told.
static void expect(int line, const char *text, const char *wanted)
{
    cn_scene *scene = NULL;
    lines[0] = '\0';
    cn_status status = cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, keep, NULL,
                                     &scene, &test_error);
    cn_scene_destroy(scene);
    test_count++;
    if (status != CN_BAD_INPUT || strstr(lines, wanted) == NULL) {
        test_failures++;
        printf("%s:%d: %s: wanted \"%s\", got %s:\n%s", __FILE__, line, test_name, wanted,
               cn_status_name(status), lines);
    }
}

#define EXPECT(text, wanted) expect(__LINE__, text, wanted)

#define HEAD                                                                                       \
    "cairn: 1\ndimension: 3\nmaterials: {stone: {density: 2000}}\n"                                \
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"
#define STAGE "stages: [{step: 1e-3, duration: 1}]\n"
#define BALL "bodies: {ball: {shape: {sphere: 1}, material: stone}}\n"

CN_TEST(bodies_masses_and_places)
{
    cn_scene *scene = parse(
        HEAD
        "bodies:\n  ground: {shape: half_space, fixed: true}\n"
        "  brick: {shape: {box: [1, 2, 3]}, at: [0, 0, 9], material: stone,\n"
        "          rotation: {axis: [0, 0, 2], angle: \"=pi/2\"}, velocity: [1, 2, 3]}\n"
        "  ball: {shape: {sphere: {radius: 0.5}}, mass: 3, at: [9, 0, 9], angular_velocity: [1, 2, "
        "3]}\n"
        "  tetra: {shape: {polyhedron: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},\n"
        "          material: stone, at: [20, 0, 9], rotation: [0.6, 0, 0, 0.8]}\n"
        "  rod: {shape: {capsule: {length: 2, radius: 0.5}}, material: stone, at: [30, 0, 9]}\n"
        "  pan: {shape: {hollow_box: {size: [1, 2, 3], thickness: 0.1}}, material: stone,\n"
        "        at: [40, 0, 9]}\n"
        "  two: {cluster: [{shape: {sphere: 1}}, {shape: {box: [2, 2, 2]}, at: [3, 0, 0],\n"
        "        rotation: {axis: [1, 0, 0], angle: 0.3}}], mass: 5, at: [50, 0, 9],\n"
        "        inertia: [2, 3, 4]}\n" STAGE);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    CN_TRUE(scene->gravity[2] == -9.81 && scene->gravity[1] == 0.0);
    cn_view view = cn_world_view(w);
    CN_TRUE(view.dim == 3 && view.body_count == 7);
    CN_NEAR(view.mass[1], 6.0 * 2000.0, 1e-8, "volume x density");
    CN_NEAR(view.mass[3], 2000.0 / 6.0, 1e-10, "a sixth of the cube");
    CN_NEAR(view.mass[4], 2000.0 * CN_PI * (0.25 * 2.0 + 0.5 / 3.0), 1e-8, "cylinder and ball");
    CN_NEAR(view.mass[5], 2000.0 * (1.2 * 2.2 * 3.2 - 6.0), 1e-8, "outside less inside");
    CN_NEAR(view.mass[6], 5.0, 0.0, "as given");
    cn_body_state state;
    CN_DO(cn_body_get(w, 2, &state, &test_error));
    CN_NEAR(state.rotation[0], sqrt(0.5), 1e-15, "half of a quarter turn");
    CN_NEAR(state.rotation[3], sqrt(0.5), 1e-15, "about z");
    CN_TRUE(state.velocity[0] == 1.0 && state.velocity[2] == 3.0);
    CN_DO(cn_body_get(w, 3, &state, &test_error));
    CN_NEAR(state.inertia[0], 0.4 * 3.0 * 0.25, 1e-14, "2/5 m r^2");
    CN_TRUE(state.angular_velocity[0] == 1.0 && state.angular_velocity[2] == 3.0);
    CN_DO(cn_body_get(w, 4, &state, &test_error));
    // Centre (1, 1, 1)/4 turned by q = (0.6, 0, 0, 0.8): cos = -0.28, sin = 0.96.
    CN_NEAR(state.position[0], 20.0 + 0.25 * (-0.28 - 0.96), 1e-13, "turned about z");
    CN_NEAR(state.position[2], 9.25, 1e-13, "height stays");
    CN_DO(cn_body_get(w, 7, &state, &test_error));
    double sum = state.inertia[0] + state.inertia[1] + state.inertia[2];
    CN_NEAR(sum, 9.0, 1e-13, "trace of the given inertia");
    CN_DO(test_step(w, 1e-3, &test_error));
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

CN_TEST(containers_and_plates)
{
    cn_scene *scene = parse(
        HEAD
        "bodies:\n"
        "  shell: {shape: {hollow_sphere: 1}, fixed: true}\n"
        "  cup: {shape: {hollow_cylinder: {radius: 1, length: 2, ends: [lower]}}, fixed: true,\n"
        "        at: [5, 0, 0], axis: [0, 3, 0]}\n"
        "  slab: {shape: {plate: {size: [2, 1], thickness: 0.1}}, material: stone,\n"
        "         at: [9, 0, 0]}\n"
        "  bar: {shape: {cylinder: {radius: 0.5, length: 2}}, material: stone, at: [15, 0, 0]}\n"
        "  in: {generate: {pack: {inside: cup, shape: {sphere: 0.2}, count: 9}},\n"
        "       material: stone}\n" STAGE);
    const cn_solid_def *shell = scene->body[0].def.solids.item,
                       *cup = scene->body[1].def.solids.item;
    CN_TRUE(shell->kind == CN_SOLID_HOLLOW_SPHERE && shell->radius == 1.0);
    CN_NEAR(shell->thickness, 0.1, 1e-15, "a tenth of the radius");
    CN_TRUE(cup->kind == CN_SOLID_HOLLOW_CYLINDER && cup->ends == 1u && cup->length == 2.0);
    CN_NEAR(scene->body[1].def.rotation[1], -sqrt(0.5), 1e-15, "z to y is a quarter turn about -x");
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_view view = cn_world_view(w);
    CN_NEAR(view.mass[2], 2000.0 * 0.2, 1e-10, "length x width x thickness");
    CN_NEAR(view.mass[3], 2000.0 * CN_PI * 0.5, 1e-9, "base times height");
    CN_TRUE(view.body_count == 13);
    for (int i = 4; i < 13; i++) {
        const double *q = view.q + 7 * i;
        CN_TRUE(hypot(q[0] - 5.0, q[2]) <= 0.8 + 1e-9 && fabs(q[1]) <= 0.8 + 1e-9);
    }
    cn_world_destroy(w);
    cn_scene_destroy(scene);
    EXPECT(HEAD "bodies: {b: {shape: {hollow_sphere: -1}, fixed: true}}\n" STAGE, "radius");
    EXPECT(HEAD "bodies: {b: {shape: {hollow_cylinder: {radius: 1}}, fixed: true}}\n" STAGE,
           "length");
    EXPECT(HEAD "bodies: {b: {shape: {hollow_cylinder: {radius: 1, length: 1, ends: [left]}}, "
                "fixed: true}}\n" STAGE,
           "unknown ends 'left'");
    EXPECT(HEAD "bodies: {b: {shape: {plate: {size: [1, 0], thickness: 1}}, fixed: true}}\n" STAGE,
           "size");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, axis: [1, 0, 0], rotation: [1, 0, 0, "
                "0]}}\n" STAGE,
           "either an axis or a rotation");
}

// Parts of an entry turn with it.
CN_TEST(an_entry_turns_as_a_whole)
{
    cn_scene *scene =
        parse(HEAD "bodies:\n  s: {generate: {stack: {blocks: 2, block: [1, 1, 2]}}, material: "
                   "stone,\n      at: [5, 0, 0], rotation: {axis: [0, 1, 0], angle: \"=pi/2\"}}\n"
                   "gravity: none\n" STAGE);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    const double *q = cn_world_view(w).q;
    CN_NEAR(q[7 + 0], 8.0, 1e-14, "3 m up the stack is 3 m along x");
    CN_NEAR(q[7 + 2], 0.0, 1e-14, "and none up");
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// In running bond a stone of a dome is one body of two solids.
CN_TEST(joined_pieces_are_one_body)
{
    cn_scene *scene =
        parse(HEAD "bodies:\n  dome: {generate: {dome: {radius: 2, thickness: 0.4, rings: "
                   "3, stones: 8}}, material: stone}\n" STAGE);
    CN_TRUE(scene->body_count == 3 * 8 + 1 + 16);
    const cn_body_def *stone = &scene->body[0].def;
    CN_TRUE(stone->solids.count == 2 && scene->body[24].def.solids.count == 1);
    cn_solid_mass mass;
    CN_DO(cn_solids_measure(stone->solids.item, 2, &mass, &test_error));
    double half = CN_PI / 16.0, low = CN_PI / 2.0, high = low - CN_PI / 7.0;
    CN_NEAR(mass.volume,
            2.0 * (10.648 - 5.832) / 3.0 * sin(half) * cos(half) * (sin(low) + sin(high)) *
                sin(low - high),
            1e-14, "two facets of the lowest ring, between spheres of 1.8 and 2.2 m");
    cn_scene_destroy(scene);
}

CN_TEST(keys_of_the_plane_are_refused_with_a_hint)
{
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, material: stone}}\n" STAGE,
           "'disk' is for scenes in the plane ('dimension: 2'), this one is in space; write "
           "'sphere' here");
    EXPECT(HEAD "bodies: {b: {shape: half_plane, fixed: true}}\n" STAGE, "write 'half_space' here");
    EXPECT(HEAD "bodies: {b: {shape: {polygon: [[0, 0]]}, fixed: true}}\n" STAGE,
           "write 'polyhedron' here");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, material: stone, angle: 1}}\n" STAGE,
           "'angle' was 'rotation' of scenes in the plane; write 'rotation' here");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, material: stone, spin: 1}}\n" STAGE,
           "write 'angular_velocity' here");
    EXPECT(HEAD "bodies: {b: {shape: {hollow_disk: 1}, material: stone}}\n" STAGE,
           "it comes later in space");
    EXPECT(HEAD "bodies: {b: {generate: {arch: {blocks: 9, thickness: 1, radius: 9}}, material: "
                "stone}}\n" STAGE,
           "missing key 'depth' in arch: of the stones, along y [m]");
    EXPECT("cairn: 1\nbodies: {b: {generate: {vault: {blocks: 9}}, mass: 1}}\n" STAGE,
           "'vault' is for scenes in space ('dimension: 3'), this one is in the plane");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 1, drive: {ball: {velocity: {rotation: 1}}}}]\n",
           "write 'rz' here");
    EXPECT("cairn: 1\nbodies: {b: {shape: {sphere: 1}, mass: 1}}\n" STAGE,
           "'sphere' is for scenes in space ('dimension: 3'), this one is in the plane; write "
           "'disk' here");
    EXPECT("cairn: 1\nbodies: {b: {shape: {disk: 1}, mass: 1, rotation: [1, 0, 0, 0]}}\n" STAGE,
           "rotation takes a number [rad]");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, turn: [1, 0, 0, 0], angle: 1}}\n" STAGE,
           "write 'rotation' here");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, turn: [1, 0, 0, 0], "
                "rotation: [1, 0, 0, 0]}}\n" STAGE,
           "'turn' is the former name of 'rotation', which is given, too");
}

CN_TEST(wrong_values_are_told)
{
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, at: [0, 1], material: stone}}\n" STAGE,
           "at takes three numbers in space, got 2");
    EXPECT(HEAD "gravity: [0, 1]\n" BALL STAGE, "gravity takes three numbers in space, got 2");
    EXPECT(HEAD "gravity: 9.81\n" BALL STAGE,
           "gravity takes three numbers such as [0, 0, 1], or none");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, rotation: [1, 0, 0]}}\n" STAGE,
           "a quaternion is four numbers [w, x, y, z], got 3");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, rotation: [1, 0, 0, 1]}}\n" STAGE,
           "has length 1, this one has 1.41421");
    EXPECT(
        HEAD
        "bodies: {b: {shape: {sphere: 1}, mass: 1, rotation: {axis: [0, 0, 0], angle: 1}}}\n" STAGE,
        "axis has no direction");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, rotation: {axis: [0, 0, 1]}}}\n" STAGE,
           "a rotation is either {axis: [x, y, z], angle: a} or a quaternion");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, inertia: [1, 2]}}\n" STAGE,
           "inertia takes three numbers [xx, yy, zz] or six");
    EXPECT(HEAD
           "bodies: {b: {shape: {polyhedron: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}, mass: 1}}\n" STAGE,
           "body 'b'");
    EXPECT(HEAD "bodies: {b: {shape: {polyhedron: [[0,0,0],[1,0,0]]}, mass: 1}}\n" STAGE,
           "body 'b'");
    EXPECT(HEAD "bodies: {b: {shape: half_space, fixed: [x, y, z], mass: 1}}\n" STAGE,
           "a half_space has no moment of inertia; it must be 'fixed: true'");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, fixed: [x, y, z, rx]}}\n" STAGE,
           "moves and needs a material or a mass");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, fixed: [rx], angular_velocity: [1, 0, "
                "0]}}\n" STAGE,
           "is fixed where it has a velocity");
    EXPECT(HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, fixed: [rotation]}}\n" STAGE,
           "unknown fixed 'rotation'");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 1, force: {ball: {torque: {}}}}]\n",
           "a torque is either a value about an axis or a vector");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 1, force: {ball: {}}}]\n",
           "force names none of x, y, z, torque");
    EXPECT(HEAD BALL
           "stages: [{step: 1, duration: 1, drive: {ball: {velocity: {rx: 1}, spin: 1}}}]\n",
           "is driven twice");
    EXPECT(HEAD "bodies:\n  b: {shape: {sphere: 1}, mass: 1}\n"
                "  p: {generate: {pack: {inside: b, shape: {sphere: {radius: 0.1}}, count: 2}},\n  "
                "    mass: 1}\n" STAGE,
           "has no inside to pack grains into; name a hollow_box");
}

CN_TEST(overlaps_are_refused_by_name)
{
    cn_scene *scene =
        parse(HEAD "bodies:\n  a: {shape: {sphere: 0.5}, material: stone}\n"
                   "  b: {shape: {sphere: 0.5}, material: stone, at: [0, 0, 0.9]}\n" STAGE);
    lines[0] = '\0';
    CN_FAILS(cn_scene_check(scene, keep, NULL, &test_error), CN_BAD_INPUT,
             "overlap by 0.1 m, 10 % of the smaller one");
    CN_TRUE(strstr(test_error.text, "'a'") != NULL && strstr(test_error.text, "'b'") != NULL);
    cn_scene_destroy(scene);
}

// ---- runs

static cn_run_report run_text(const char *text)
{
    cn_scene *scene = parse(text);
    cn_run_def def = cn_run_def_default();
    cn_run_report report = {0};
    if (scene != NULL) {
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    }
    cn_scene_destroy(scene);
    return report;
}

CN_TEST(a_run_needs_no_result_file)
{
    cn_run_report report =
        run_text(HEAD "bodies:\n  g: {shape: half_space, fixed: true}\n"
                      "  b: {shape: {box: [0.2, 0.2, 0.2]}, at: [0, 0, 0.11], material: stone}\n"
                      "stages: [{step: 2e-3, until: at_rest, at_most: 2}]\n"
                      "observe: [{name: b, track: b}, {name: f, resultant: [b, g]}]\n");
    CN_TRUE(strcmp(report.outcome, "reached the end") == 0);
    CN_TRUE(report.time > 0.04 && report.time < 0.5);
}

CN_TEST(a_restarted_run_ends_with_the_same_bits)
{
    const char *path = "scene_space_test.chk";
    cn_scene *scene = parse(
        HEAD "bodies:\n  g: {shape: half_space, fixed: true}\n"
             "  b: {generate: {grid: {columns: 2, rows: 2, layers: 2, spacing: [0.4, 0.4, "
             "0.4],\n      shape: {box: [0.2, 0.2, 0.2]}, turned: true}}, at: [0, 0, 0.5],\n"
             "      material: stone, angular_velocity: [1, 2, 3]}\n"
             "stages: [{step: 5e-3, duration: 0.4, stop_when: {turned: {more_than: 3.1}}}]\n");
    cn_run_def def = cn_run_def_default();
    cn_run_report whole = {0}, part = {0};
    CN_DO(cn_scene_run(scene, &def, &whole, &test_error));
    def.checkpoint_path = path;
    def.until = 0.2;
    CN_DO(cn_scene_run(scene, &def, &part, &test_error));
    CN_TRUE(part.steps == 40 && part.state_hash != whole.state_hash);
    def.checkpoint_path = NULL;
    def.restart_path = path;
    def.until = INFINITY;
    CN_DO(cn_scene_run(scene, &def, &part, &test_error));
    CN_TRUE(part.steps == whole.steps && part.state_hash == whole.state_hash);
    cn_scene_destroy(scene);
    unlink(path);
}

CN_TEST(conditions_see_all_three_directions)
{
    const char *const moved =
        HEAD "gravity: none\nbodies: {b: {shape: {sphere: 1}, mass: 1, velocity: [0, 0, 2]}}\n"
             "stages: [{step: 1e-2, duration: 9, stop_when: {moved: {more_than: 1}}}]\n";
    CN_NEAR(run_text(moved).time, 0.505, 0.0051, "1 m at 2 m/s, then one step");
    const char *const turned = HEAD
        "gravity: none\nbodies: {b: {shape: {sphere: 1}, mass: 1, angular_velocity: [0, 2, 0]}}\n"
        "stages: [{step: 1e-2, duration: 9, stop_when: {turned: {more_than: 1}}}]\n";
    CN_NEAR(run_text(turned).time, 0.505, 0.0051, "1 rad at 2 rad/s, then one step");
    const char *const fast =
        HEAD "bodies: {b: {shape: {sphere: 1}, mass: 1, angular_velocity: [3, 0, 4]}}\n"
             "stages: [{step: 1e-2, duration: 9, stop_when: {speed_above: {speed: 14.81}}}]\n";
    CN_NEAR(run_text(fast).time, 1.0, 0.011, "|w| size/2 = 5 m/s and 9.81 m/s after 1 s");
}

// Names of 0.1.0 mean what those of today do, to the last bit.
CN_TEST(former_names_of_keys_are_read)
{
    const char *const now =
        "dimension: 3\nbodies: {b: {shape: {box: [1, 2, 3]}, mass: 1, rotation: {axis: [0, 1, 0], "
        "angle: 0.3}, angular_velocity: [1, 2, 3]}}\n";
    const char *const then =
        "dimension: 3\nbodies: {b: {shape: {box: [1, 2, 3]}, mass: 1, turn: {axis: [0, 1, 0], "
        "angle: 0.3}, rate: [1, 2, 3]}}\n";
    char text[2][600];
    snprintf(text[0], sizeof text[0], "cairn: 1\n%sstages: [{step: 1e-2, duration: 0.1}]\n", now);
    snprintf(text[1], sizeof text[1], "cairn: 1\n%sstages: [{step: 1e-2, duration: 0.1}]\n", then);
    CN_TRUE(run_text(text[0]).state_hash == run_text(text[1]).state_hash);
}

// A run in the hands of the test: its state after some steps.
typedef struct hand {
    cn_scene *scene;
    cn_run_def def;
    cn_run run;
} hand;

static void begin(hand *x, const char *text)
{
    x->scene = parse(text);
    x->def = cn_run_def_default();
    x->run = (cn_run){.scene = x->scene, .def = &x->def};
    cn_run *run = &x->run;
    size_t count = (size_t)x->scene->body_count;
    CN_DO(cn_scene_build(x->scene, 1, &run->world, &test_error));
    run->held = cn_arena_take(&run->arena, 8, sizeof *run->held, &test_error);
    run->q_start = cn_arena_take(&run->arena, 7 * count, sizeof *run->q_start, &test_error);
    run->place = cn_arena_take(&run->arena, count, sizeof *run->place, &test_error);
    CN_DO(cn_run_observe_prepare(run, &test_error));
    CN_DO(cn_run_enter_stage(run, 0, &test_error));
}

static void go(hand *x, int steps)
{
    for (int k = 0; k < steps; k++) {
        CN_DO(test_step(x->run.world, x->scene->stage[0].h, &test_error));
    }
    cn_run_find_places(&x->run);
    cn_run_observe(&x->run);
}

static void end(hand *x)
{
    cn_world_destroy(x->run.world);
    cn_arena_free(&x->run.arena);
    cn_scene_destroy(x->scene);
}

static double series(const hand *x, const char *name)
{
    for (int k = 0; k < x->run.series_count; k++) {
        if (strcmp(x->run.series_name[k], name) == 0) {
            return x->run.series[k];
        }
    }
    return NAN;
}

CN_TEST(observers_give_six_components)
{
    hand x;
    begin(&x, HEAD
          "bodies:\n  g: {shape: half_space, fixed: true}\n"
          "  b: {shape: {box: [1, 1, 1]}, at: [2, 3, 0.5], mass: 10}\n"
          "  t: {shape: {box: [1, 2, 3]}, at: [50, 0, 5], mass: 12, angular_velocity: [0, 0, 1],\n"
          "      rotation: {axis: [0, 0, 1], angle: 0.5}, velocity: [1, 0, 0]}\n"
          "stages: [{step: 1e-3, duration: 1}]\nsolver: {accuracy: 1e-8}\n"
          "observe: [{name: b, track: b}, {name: f, resultant: {between: [b, g]}}, {name: t, "
          "track: t},\n          {name: e, energy: t}]\n");
    CN_TRUE(x.run.series_count == 13 + 6 + 13 + 2);
    go(&x, 5);
    CN_NEAR(series(&x, "f.fz"), 98.1, 1e-5, "weight of the block");
    CN_NEAR(series(&x, "f.fx"), 0.0, 1e-5, "nothing pushes it");
    CN_NEAR(series(&x, "f.mx"), 3.0 * 98.1, 1e-4, "y fz about the origin");
    CN_NEAR(series(&x, "f.my"), -2.0 * 98.1, 1e-4, "- x fz");
    CN_NEAR(series(&x, "b.z"), 0.5, 1e-9, "stands");
    CN_NEAR(series(&x, "b.qw"), 1.0, 1e-9, "and does not turn");
    CN_NEAR(series(&x, "t.x"), 50.005, 1e-12, "5 ms at 1 m/s");
    CN_NEAR(series(&x, "t.qz"), sin(0.5 * 0.505), 1e-8, "0.5 rad, then 5 ms at 1 rad/s");
    CN_NEAR(series(&x, "t.wz"), 1.0, 1e-12, "free about a principal axis");
    CN_NEAR(series(&x, "t.vz"), -0.04905, 1e-12, "5 ms of fall");
    double kinetic = 6.0 * (1.0 + 0.04905 * 0.04905) + 0.5 * 12.0 * 5.0 / 12.0;
    CN_NEAR(series(&x, "e.kinetic"), kinetic, 1e-10, "m v^2/2 + J w^2/2, J = m (1 + 4)/12");
    end(&x);
}

CN_TEST(drives_and_torques_turn_about_any_axis)
{
    hand x;
    begin(&x, HEAD
          "gravity: none\nbodies:\n"
          "  d: {shape: {sphere: 1}, mass: 1}\n"
          "  s: {shape: {box: [1, 1, 1]}, at: [9, 0, 0], mass: 1}\n"
          "  f: {shape: {box: [1, 1, 1]}, at: [18, 0, 0], mass: 6}\n"
          "  g: {shape: {box: [1, 1, 1]}, at: [27, 0, 0], mass: 6, fixed: [x, y]}\n"
          "stages:\n  - step: 1e-2\n    duration: 1\n"
          "    drive:\n      d: {velocity: {z: 2, rx: {cosine: {a: 3}}}, displacement: {y: {table: "
          "[[0, 0], [1, 4]]}}}\n"
          "      s: {spin: {rate: 2, axis: [0, 3, 4]}}\n"
          "    force:\n      f: {torque: [0, 0, 1], z: 6, x: {constant: 12}}\n"
          "      g: {torque: {value: 2, axis: [5, 0, 0]}, y: 9}\n");
    go(&x, 100);
    cn_body_state d, s, f, g;
    CN_DO(cn_body_get(x.run.world, 1, &d, &test_error));
    CN_DO(cn_body_get(x.run.world, 2, &s, &test_error));
    CN_DO(cn_body_get(x.run.world, 3, &f, &test_error));
    CN_DO(cn_body_get(x.run.world, 4, &g, &test_error));
    CN_NEAR(d.position[2], 1.99, 1e-9, "2 m/s for 1 s, the first step from rest: - h v/2");
    CN_NEAR(d.position[1], 4.0, 1e-9, "imposed displacement");
    CN_NEAR(d.angular_velocity[0], 3.0, 1e-12, "imposed rate");
    CN_NEAR(s.angular_velocity[1], 1.2, 1e-12, "2 rad/s times 3/5");
    CN_NEAR(s.angular_velocity[2], 1.6, 1e-12, "2 rad/s times 4/5");
    CN_NEAR(s.position[0], 9.0, 0.0, "the centre is held");
    CN_NEAR(f.angular_velocity[2], 1.0, 1e-9, "torque/J = 1 rad/s2 for 1 s");
    CN_NEAR(f.velocity[2], 1.0, 1e-12, "force/m");
    CN_NEAR(f.velocity[0], 2.0, 1e-12, "force/m");
    CN_NEAR(g.angular_velocity[0], 2.0, 1e-9, "about x, whatever the length of the axis");
    CN_NEAR(g.velocity[1], 0.0, 0.0, "held");
    end(&x);
}

CN_TEST(stages_fix_and_remove)
{
    hand x;
    begin(&x, HEAD "bodies:\n  a: {shape: {sphere: 1}, mass: 1}\n"
                   "  b: {shape: {sphere: 1}, mass: 1, at: [9, 0, 0]}\n"
                   "  c: {shape: {sphere: 1}, mass: 1, at: [18, 0, 0]}\n"
                   "stages: [{step: 1e-2, duration: 1, fix: {a: [z], b: true}, remove: c}]\n");
    go(&x, 10);
    cn_view view = cn_world_view(x.run.world);
    CN_TRUE(view.body_count == 2 && view.v[2] == 0.0 && view.v[8] == 0.0);
    CN_TRUE(view.fixed[0] == 1u << CN_DOF_Z && view.fixed[1] == CN_FIXED_ALL);
    end(&x);
}

// ---- files

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CN_TRUE(file != NULL);
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
}

CN_TEST(bodies_come_from_csv)
{
    const char *path = "scene_space_test.csv";
    const char *text = HEAD "bodies: {b: {from: scene_space_test.csv, material: stone, at: [0, 0, "
                            "1]}}\n" STAGE;
    write_file(path, "x,y,z,radius,wz\n0,0,0,0.5,2\n2,0,1,0.25,0\n");
    cn_scene *scene = parse(text);
    CN_TRUE(scene != NULL && scene->body_count == 2 && scene->body[1].def.at[2] == 2.0);
    CN_TRUE(scene->body[1].def.solids.item[0].kind == CN_SOLID_SPHERE);
    CN_TRUE(scene->body[0].def.angular_velocity[2] == 2.0);
    cn_scene_destroy(scene);
    write_file(path, "x,y,z,width,depth,height,qw,qx,qy,qz\n0,0,0,1,2,3,0.6,0.8,0,0\n");
    scene = parse(text);
    CN_TRUE(scene != NULL && scene->body[0].def.solids.item[0].point_count == 8);
    CN_NEAR(scene->body[0].def.rotation[1], 0.8, 1e-15, "as given");
    cn_scene_destroy(scene);
    write_file(path, "x,y,radius\n0,0,1\n");
    EXPECT(text, "columns x, y and z are needed");
    write_file(path, "x,y,z,radius,angle\n0,0,0,1,1\n");
    EXPECT(text, "unknown column 'angle'");
    write_file(path, "x,y,z,radius,qw,qx\n0,0,0,1,1,0\n");
    EXPECT(text, "columns qw to qz go together: 2 of 4 are there");
    write_file(path, "x,y,z,radius,qw,qx,qy,qz\n0,0,0,1,1,0,0,1\n");
    EXPECT(text, "the quaternion has length 1.41421");
    write_file(path, "x,y,z,width,height\n0,0,0,1,1\n");
    EXPECT(text, "width, depth and height (box)");
    unlink(path);
}

// ---- explain

static char explained[65536];

static void gather(void *context, const char *line)
{
    size_t *used = context;
    int wrote = snprintf(explained + *used, sizeof explained - *used, "%s\n", line);
    *used += wrote > 0 ? (size_t)wrote : 0;
}

CN_TEST(explained_scenes_read_back_the_same)
{
    const char *text =
        HEAD "bodies:\n  g: {shape: half_space, fixed: true}\n"
             "  p: {shape: {hollow_box: [2, 2, 2]}, at: [0, 0, 2], fixed: true}\n"
             "  a: {generate: {pack: {inside: p, shape: {sphere: [0.1, 0.2]},\n"
             "      fill: 0.1}}, material: stone}\n"
             "  b: {generate: {wall: {blocks: 2, courses: 2, block: [0.4, 0.2, 0.1], leaves: 2}},\n"
             "      at: [9, 0, 0], material: stone}\n"
             "  c: {generate: {grid: {columns: 2, rows: 2, layers: 2, spacing: [1, 1, 1], shape:\n"
             "      {polyhedron: {radius: 0.3}}}}, at: [0, 9, 2], mass: 1, angular_velocity: [1, "
             "0, 0]}\n"
             "  d: {shape: {capsule: {length: 1, radius: 1}}, at: [20, 0, 2], mass: 1,\n"
             "      rotation: [0.6, 0, 0.8, 0], fixed: [x, rz]}\n"
             "stages: [{step: 1e-3, until: at_rest, at_most: 1, drive: {d: {spin: 1}},\n"
             "          force: {b: {torque: [1, 2, 3]}}, fix: {c: [ry]}}]\n"
             "observe: [{name: r, resultant: [a, p]}]\n";
    cn_scene *scene = parse(text), *again = NULL;
    size_t used = 0;
    CN_DO(cn_scene_explain(scene, gather, &used, &test_error));
    CN_TRUE(strstr(explained, "uniform: [0.1, 0.2]") != NULL); // what two sizes mean
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "e.yaml", .text = explained, .length = used},
                        NULL, NULL, &again, &test_error));
    CN_TRUE(again != NULL && scene->body_count == again->body_count);
    bool is_same = again != NULL;
    for (int k = 0; is_same && k < scene->body_count; k++) {
        const cn_body_def *p = &scene->body[k].def, *q = &again->body[k].def;
        is_same = memcmp(p->at, q->at, sizeof p->at) == 0 && p->fixed == q->fixed &&
                  memcmp(p->rotation, q->rotation, sizeof p->rotation) == 0 &&
                  p->density == q->density && p->solids.count == q->solids.count &&
                  p->solids.item[0].radius == q->solids.item[0].radius &&
                  memcmp(p->angular_velocity, q->angular_velocity, sizeof p->angular_velocity) == 0;
    }
    CN_TRUE(is_same);
    CN_TRUE(again != NULL && again->stage[0].drive_count == 6 && again->stage[0].force_count == 1);
    CN_TRUE(again != NULL && again->stage[0].until[0].limit == scene->stage[0].until[0].limit);
    cn_scene_destroy(scene);
    cn_scene_destroy(again);
}

CN_MAIN(CN_RUN(bodies_masses_and_places); CN_RUN(containers_and_plates);
        CN_RUN(an_entry_turns_as_a_whole); CN_RUN(joined_pieces_are_one_body);
        CN_RUN(keys_of_the_plane_are_refused_with_a_hint); CN_RUN(wrong_values_are_told);
        CN_RUN(overlaps_are_refused_by_name); CN_RUN(a_run_needs_no_result_file);
        CN_RUN(a_restarted_run_ends_with_the_same_bits);
        CN_RUN(conditions_see_all_three_directions); CN_RUN(former_names_of_keys_are_read);
        CN_RUN(observers_give_six_components); CN_RUN(drives_and_torques_turn_about_any_axis);
        CN_RUN(stages_fix_and_remove); CN_RUN(bodies_come_from_csv);
        CN_RUN(explained_scenes_read_back_the_same);)
