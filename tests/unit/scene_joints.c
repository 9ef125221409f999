// Joints in scenes: bodies, kinds, chains, stages, observers; what is wrong is told.
#include "cairn/scene.h"
#include "cairn/view.h"
#include "scene/model.h"

#include "scene_text.h"
#include "strict.h"
#include "test.h"

// The scene must be refused, when it is read or when its world is built, with these words.
static void expect(int line, const char *text, const char *wanted)
{
    cn_scene *scene = NULL;
    cn_error err = {0};
    lines[0] = '\0';
    cn_status status =
        cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, keep, NULL, &scene, &err);
    if (status == CN_OK) {
        status = cn_scene_check(scene, NULL, NULL, &err);
        keep(NULL, err.text);
    }
    cn_scene_destroy(scene);
    test_count++;
    if (status != CN_BAD_INPUT || strstr(lines, wanted) == NULL) {
        test_failures++;
        printf("%s:%d: %s: wanted \"%s\", got %s:\n%s", __FILE__, line, test_name, wanted,
               cn_status_name(status), lines);
    }
}

#define EXPECT(text, wanted) expect(__LINE__, text, wanted)

#define HEAD(dim)                                                                                  \
    "cairn: 1\ndimension: " dim "\nmaterials: {stone: {density: 2000}}\n"                          \
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"
#define STAGE "stages: [{step: 1e-3, duration: 0.1}]\n"
#define PLANE                                                                                      \
    HEAD("2")                                                                                      \
    "bodies:\n  wall: {shape: {box: [1, 1]}, at: [0, 5], fixed: true}\n"                           \
    "  post: {shape: {box: [1, 1]}, at: [0, 9], fixed: true}\n"                                    \
    "  a: {shape: {box: [1, 0.2]}, material: stone, at: [0.5, 0]}\n"                               \
    "  b: {shape: {box: [1, 0.2]}, material: stone, at: [1.5, 0]}\n"                               \
    "  beads: {generate: {grid: {columns: 4, rows: 1, spacing: [0.5, 0.5],\n"                      \
    "          shape: {disk: {radius: 0.1}}}}, material: stone, at: [3, 0]}\n" STAGE
#define JOINT(text) PLANE "joints: {j: {" text "}}\n"

CN_TEST(kinds_places_and_chains)
{
    cn_scene *scene =
        parse(PLANE "joints:\n"
                    "  pin: {between: [a, world], ball: [0, 0]}\n"
                    "  elbow: {between: [b, a], hinge: {at: [1, 0],\n"
                    "          motor: {speed: 2, limit: 5}}, contact: true}\n"
                    "  links: {chain: beads, rod: {}}\n"
                    "  rope: {between: [beads.first, wall], cable: {length: 9}, strength: 7}\n"
                    "  rail: {between: [beads.last, world], slider: [3, 4]}\n");
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_view view = cn_world_view(w);
    const cn_joint_kind kind[7] = {CN_JOINT_BALL, CN_JOINT_HINGE, CN_JOINT_ROD,   CN_JOINT_ROD,
                                   CN_JOINT_ROD,  CN_JOINT_CABLE, CN_JOINT_SLIDER};
    CN_TRUE(view.joint_count == 7);
    for (int k = 0; k < 7 && view.joint_count == 7; k++) {
        CN_TRUE(view.joint[k].kind == kind[k] && view.joint[k].id == (cn_joint_id)k + 1);
    }
    CN_TRUE(view.joint[0].j == -1 && view.id[view.joint[1].j] == 3);
    CN_NEAR(view.joint[3].position, 0.5, 1e-15, "from one mass centre to the next");
    CN_NEAR(view.joint[5].position, hypot(2.25, 5.0), 1e-15, "from mass centre to mass centre");
    CN_NEAR(view.joint[6].axis[0], 0.6, 1e-15, "of any length");
    CN_NEAR(view.joint[6].point[0], 3.75, 1e-15, "at the mass centre unless said");
    CN_DO(test_step(w, 1e-3, &test_error));
    view = cn_world_view(w);
    CN_TRUE(view.contact_count == 2); // the elbow keeps the contact of a and b
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// Beads of a ring slide along their radii; blocks in space stand on rods along their own z axes.
CN_TEST(each_body_is_joined_in_its_own_frame)
{
    cn_scene *scene = parse(HEAD("2") "bodies: {beads: {material: stone, rotation: 0.3, generate: "
                                      "{ring: {radius: 1, rings: 1, around: 6, shape: {disk: "
                                      "{radius: 0.1}}}}}}\n" STAGE
                                      "joints: {rails: {each: beads, slider: [2, 0]}}\n");
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_view view = cn_world_view(w);
    CN_TRUE(view.joint_count == 6);
    for (int k = 0; k < 6 && view.joint_count == 6; k++) {
        double angle = 0.3 + CN_PI * k / 3.0;
        CN_TRUE(view.joint[k].j == -1);
        CN_NEAR(view.joint[k].axis[0], cos(angle), 1e-14, "along the radius");
        CN_NEAR(view.joint[k].axis[1], sin(angle), 1e-14, "along the radius");
        CN_NEAR(view.joint[k].point[1], 1.1 * sin(angle), 1e-14, "at the mass centre");
    }
    cn_world_destroy(w);
    cn_scene_destroy(scene);
    scene = parse(HEAD("3") "bodies: {b: {shape: {box: [1, 1, 2]}, material: stone, at: [5, 0, 0], "
                            "rotation: {axis: [0, 1, 0], angle: \"=pi/2\"}}}\n" STAGE
                            "joints: {legs: {each: b, rod: {from: [0, 0, -1], to: [0, 0, -4]}}}\n");
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    view = cn_world_view(w);
    CN_NEAR(view.joint[0].position, 3.0, 1e-14, "length of the rod");
    CN_NEAR(view.joint[0].point[0], 4.0, 1e-14, "z of the body is x of the world");
    cn_world_destroy(w);
    cn_scene_destroy(scene);
    EXPECT(JOINT("each: beads, rod: {}"), "needs 'to'");
    EXPECT(JOINT("each: beads, between: [a, b], ball: {}"), "or 'each'");
    EXPECT(JOINT("each: wall, slider: [1, 0]"), "fixed");
}

CN_TEST(hinge_in_space_takes_an_axis)
{
    const char *door =
        HEAD("3") "bodies: {door: {shape: {box: [1, 0.1, 2]}, material: stone}}\n" STAGE
                  "joints: {j: {between: [door, world], hinge: {at: [-0.5, 0, 0], "
                  "axis: [0, 0, 2]}}}\n";
    cn_scene *scene = parse(door);
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    CN_NEAR(cn_world_view(w).joint[0].axis[2], 1.0, 0.0, "made unit");
    cn_world_destroy(w);
    cn_scene_destroy(scene);
    EXPECT(
        HEAD("3") "bodies: {d: {shape: {sphere: 1}, material: stone}}\n" STAGE
                  "joints: {j: {between: [d, world], hinge: {at: [0, 0, 0], axis: [0, 0, 0]}}}\n",
        "axis has no direction");
    EXPECT(HEAD("3") "bodies: {d: {shape: {sphere: 1}, material: stone}}\n" STAGE
                     "joints: {j: {between: [d, world], hinge: [0, 0, 0]}}\n",
           "missing key 'axis'");
}

// A weight hangs on a cable and a brake; the second stage lets it go. The series show it.
CN_TEST(stages_release_joints_and_set_motors)
{
    cn_scene *scene = parse(
        HEAD("2") "bodies: {w: {shape: {box: [1, 1]}, mass: 2},\n"
                  "         v: {shape: {box: [1, 1]}, mass: 2, at: [5, 0]}}\n"
                  "joints:\n  rope: {between: [w, world], cable: {to: [0, 3]}}\n"
                  "  rail: {between: [v, world], slider: {axis: [0, 1], motor: {limit: 50}}}\n"
                  "stages:\n  - {step: 1e-2, duration: 0.5}\n"
                  "  - {step: 1e-2, duration: 0.5, release: [rope], motor: {rail: {limit: 0}}}\n"
                  "observe: [{name: rope, joint: rope}, {name: rail, joint: rail}]\n"
                  "output: {every: 0.5}\n");
    cn_run_def def = cn_run_def_default();
    def.result_path = "scene_joints.h5";
    cn_run_report report;
    CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    cn_reader *reader = NULL;
    CN_DO(cn_reader_open("scene_joints.h5", &reader, &test_error));
    cn_column force, speed;
    CN_DO(cn_reader_column(reader, "series/rope.fy", &force, &test_error));
    CN_NEAR(force.value[49], 2.0 * 9.81, 1e-9, "it carries the weight");
    CN_TRUE(isnan(force.value[50]));
    CN_DO(cn_reader_column(reader, "series/rail.motor", &force, &test_error));
    CN_NEAR(force.value[49], 2.0 * 9.81, 1e-9, "speed 0 holds what is below its limit");
    CN_DO(cn_reader_column(reader, "series/rail.speed", &speed, &test_error));
    CN_NEAR(speed.value[99], -9.81 * 0.5, 1e-9, "free from then on");
    cn_reader_close(reader);
    remove("scene_joints.h5");
    def = cn_run_def_default(); // and a restart in the second stage goes on bit for bit
    def.checkpoint_path = "scene_joints.chk";
    def.until = 0.7;
    cn_run_report part;
    CN_DO(cn_scene_run(scene, &def, &part, &test_error));
    def = cn_run_def_default();
    def.restart_path = "scene_joints.chk";
    CN_DO(cn_scene_run(scene, &def, &part, &test_error));
    CN_TRUE(part.steps == report.steps && part.state_hash == report.state_hash);
    remove("scene_joints.chk");
    cn_scene_destroy(scene);
}

// A beam of elements held by the mean of its left end, a rope between two of its points.
#define BEAM                                                                                       \
    "cairn: 1\ndimension: 2\nmaterials: {gum: {density: 1000, young: 1e6, poisson: 0}}\n"          \
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "bodies:\n  beam: {mesh: {box: [1, 0.2], cells: [5, 2]}, material: gum}\n"                     \
    "  peg: {shape: {disk: {radius: 0.1}}, at: [3, 0], material: gum}\n" STAGE

CN_TEST(sets_of_meshes_and_limits)
{
    cn_scene *scene =
        parse(BEAM "joints:\n"
                   "  wall: {between: [beam.left, world], fixed: {}}\n"
                   "  tip: {between: [peg, beam.right], ball: {}}\n"
                   "  pin: {between: [beam, world], ball: [0.1, 0]}\n"
                   "  bow: {between: [beam.left, beam], cable: {to: [0.4, 0.05]}}\n"
                   "  rail: {between: [peg, world], slider: {axis: [0, 1], limits: "
                   "[-0.1, 0.2], restitution: 0.5}}\n"
                   "  door: {between: [beam.right, peg], hinge: {limits: [-1, 1]}}\n");
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_view view = cn_world_view(w);
    CN_TRUE(view.joint_count == 6);
    for (int k = 0; k < 6 && view.joint_count == 6; k++) {
        const double x[6] = {-0.5, 0.5, 0.1, -0.5, 3.0, 0.5};
        CN_NEAR(view.joint[k].point[0], x[k], 1e-15, "the mean of a set, or the point given");
    }
    const cn_joint_def *rail = &scene->joint[4].def;
    CN_TRUE(rail->limit[0] == -0.1 && rail->limit[1] == 0.2 && rail->limit_restitution == 0.5);
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// A drive pulls a straight chain of a pin and a rod apart: neither alone is against it. The scene
// is refused with the names of both before anything moves; in a later stage the run ends there.
CN_TEST(drive_against_joints_is_refused)
{
#define CHAIN(stages)                                                                              \
    HEAD("2")                                                                                      \
    "bodies:\n"                                                                                    \
    "  a: {shape: {box: [1, 0.2]}, material: stone, at: [0.5, 0]}\n"                               \
    "  b: {shape: {disk: {radius: 0.1}}, at: [1.5, 0], fixed: true}\n"                             \
    "joints:\n"                                                                                    \
    "  pin: {between: [a, world], ball: [0, 0]}\n"                                                 \
    "  rod: {between: [a, b], rod: {from: [1, 0]}}\n"                                              \
    "stages: [" stages "]\n"
    const char *pull = CHAIN("{step: 1e-2, duration: 1, drive: {b: {velocity: {x: 0.5}}}}");
    const char *later =
        CHAIN("{step: 1e-2, duration: 0.02, gravity: none}, {name: pull, step: 1e-2, duration: 1, "
              "drive: {b: {velocity: {x: 0.5}}}}");
    const char *round = CHAIN("{step: 1e-2, duration: 0.02, drive: {b: {velocity: {y: 0.5}}}}");
    const cn_status expected[] = {CN_BAD_INPUT, CN_BROKEN, CN_OK};
    const char *const text[] = {pull, later, round};
    for (int k = 0; k < 3; k++) {
        cn_scene *scene = parse(text[k]);
        cn_run_def def = cn_run_def_default();
        cn_run_report report;
        cn_status status = cn_scene_run(scene, &def, &report, &test_error);
        CN_TRUE(status == expected[k]);
        CN_TRUE(k == 2 || strstr(test_error.text, "joint 'pin', joint 'rod' contradict") != NULL);
        CN_TRUE(k == 2 || strstr(test_error.text, "0.5 m/s") != NULL);
        CN_TRUE(k != 1 || (report.steps == 2 && strstr(test_error.text, "stage 'pull'") != NULL));
        cn_scene_destroy(scene);
    }
}

// A bar between two driven cranks can follow them only if both turn alike.
CN_TEST(cranks_that_differ_are_refused)
{
#define CRANKS(rate)                                                                               \
    HEAD("2")                                                                                      \
    "bodies:\n"                                                                                    \
    "  left: {shape: {disk: {radius: 0.1}}, material: stone}\n"                                    \
    "  right: {shape: {disk: {radius: 0.1}}, material: stone, at: [1, 0]}\n"                       \
    "  bar: {shape: {box: [1, 0.1]}, material: stone, at: [0.5, 0.5]}\n"                           \
    "joints: {a: {between: [bar, left], ball: [0, 0.5]},\n"                                        \
    "         b: {between: [bar, right], ball: [1, 0.5]}}\n"                                       \
    "stages: [{step: 5e-3, duration: 0.02, drive: {\n"                                             \
    "  left: {velocity: {x: 0, y: 0, rotation: 6}},\n"                                             \
    "  right: {velocity: {x: 0, y: 0, rotation: " rate "}}}}]\n"
    cn_run_def def = cn_run_def_default();
    cn_run_report report;
    cn_scene *same = parse(CRANKS("6")), *other = parse(CRANKS("5"));
    CN_DO(cn_scene_run(same, &def, &report, &test_error));
    CN_FAILS(cn_scene_run(other, &def, &report, &test_error), CN_BAD_INPUT,
             "joint 'a', joint 'b' contradict each other");
    cn_scene_destroy(same);
    cn_scene_destroy(other);
}

// A drive that goes round the pin of its body is no contradiction, however fast; nor are two that
// carry both ends along; one that begins gently is found as soon as it moves.
CN_TEST(drives_along_joints_are_accepted)
{
#define DRIVEN(drive)                                                                              \
    HEAD("2")                                                                                      \
    "bodies:\n"                                                                                    \
    "  a: {shape: {box: [1, 0.2]}, material: stone, at: [0.5, 0]}\n"                               \
    "  b: {shape: {disk: {radius: 0.1}}, material: stone, at: [1.5, 0]}\n"                         \
    "joints: {pin: {between: [a, b], ball: [0, 0]}}\n"                                             \
    "stages: [{step: 1e-2, duration: 0.1, drive: {" drive "}}]\n"
    const char *scenes[3] = {
        DRIVEN(
            "b: {velocity: {x: 0, y: 0, rotation: 0}}, a: {rotation: {about: [0, 0], rate: 30}}"),
        DRIVEN("any: {velocity: {x: 3, y: 1, rotation: 0}}"),
        DRIVEN("b: {velocity: {x: 0, y: 0, rotation: 0}},"
               "a: {velocity: {x: {cosine: {a: 5, r0: 0, r: 10}}, y: 0, rotation: 0}}")};
    for (int k = 0; k < 3; k++) {
        cn_scene *scene = parse(scenes[k]);
        cn_run_def def = cn_run_def_default();
        cn_run_report report;
        if (k < 2) {
            CN_DO(cn_scene_run(scene, &def, &report, &test_error));
        } else {
            CN_FAILS(cn_scene_run(scene, &def, &report, &test_error), CN_BAD_INPUT, "torn open");
        }
        cn_scene_destroy(scene);
    }
}

CN_TEST(inconsistent_joints_of_meshes_are_told)
{
    EXPECT(BEAM "joints: {j: {between: [beam.nose, world], ball: {}}}\n", "nose");
    EXPECT(BEAM "joints: {j: {between: [beam, world], ball: {}}}\n", "needs 'at'");
    EXPECT(BEAM "joints: {j: {between: [beam, world], ball: [2, 0]}}\n",
           "joint 'j': a ball joins body 'beam', which is 1.5 m away from (2, 0, 0)");
    EXPECT(BEAM "joints: {j: {between: [beam, world], hinge: [0, 0]}}\n", "the same pin");
    EXPECT(BEAM "joints: {j: {between: [peg.left, world], ball: [3, 0]}}\n", "no sets of nodes");
    EXPECT(JOINT("between: [a, b], hinge: {at: [1, 0], limits: [0, 0]}"), "take a fixed joint");
    EXPECT(JOINT("between: [a, b], hinge: {at: [1, 0], limits: [0.2, 1]}"), "where it starts");
    EXPECT(JOINT("between: [a, b], hinge: {at: [1, 0], limits: [-4, 4]}"), "one turn");
    EXPECT(JOINT("between: [a, b], slider: {axis: [1, 0], restitution: 0.5}"), "needs 'limits'");
    EXPECT(JOINT("between: [a, b], ball: {at: [1, 0], limits: [-1, 1]}"), "limits");
}

CN_TEST(inconsistent_joints_are_told)
{
    EXPECT(JOINT("between: [a, nobody], ball: [0, 0]"), "unknown body or group 'nobody'");
    EXPECT(JOINT("between: [world, a], ball: [0, 0]"), "a body first and the world second");
    EXPECT(JOINT("between: [a, a], ball: [0, 0]"), "joint 'j': a ball joins body 'a' to itself");
    EXPECT(JOINT("between: [wall, post], ball: [0, 0]"), "both fixed");
    EXPECT(JOINT("between: [wall, world], ball: [0, 0]"), "both fixed");
    EXPECT(JOINT("between: [beads, a], ball: [0, 0]"), "'beads' selects 4");
    EXPECT(JOINT("ball: [0, 0]"), "either 'between' or 'chain' or 'each'");
    EXPECT(JOINT("between: [a, b], chain: beads, ball: [0, 0]"),
           "either 'between' or 'chain' or 'each'");
    EXPECT(JOINT("chain: a, rod: {}"), "a chain needs two bodies");
    EXPECT(JOINT("chain: beads, rod: {to: [0, 0]}"), "find their own places");
    EXPECT(JOINT("between: [a, b]"), "exactly one of ball, hinge");
    EXPECT(JOINT("between: [a, b], ball: [0, 0], rod: {}"), "exactly one of ball, hinge");
    EXPECT(JOINT("between: [a, b], ball: {}"), "needs 'at'");
    EXPECT(JOINT("between: [a, world], cable: {}"), "needs 'to'");
    EXPECT(JOINT("between: [a, b], slider: [0, 0]"), "axis has no direction");
    EXPECT(JOINT("between: [a, b], cable: {length: 0.5}"), "ends 1 m apart");
    EXPECT(JOINT("between: [a, b], rod: {length: 2}"), "ends 1 m apart");
    EXPECT(JOINT("between: [a, b], rod: {damping: 2}"), "without a stiffness");
    EXPECT(JOINT("between: [a, b], rod: {stiffness: -1}"), "stiffness");
    EXPECT(JOINT("between: [a, b], ball: [0, 0], strength: 0"), "strength");
    EXPECT(PLANE "joints: {j: {between: [a, b], rod: {}}}\nobserve: [{name: x, joint: k}]\n",
           "unknown joint 'k'");
}

CN_MAIN(CN_RUN(kinds_places_and_chains); CN_RUN(each_body_is_joined_in_its_own_frame);
        CN_RUN(hinge_in_space_takes_an_axis); CN_RUN(stages_release_joints_and_set_motors);
        CN_RUN(inconsistent_joints_are_told); CN_RUN(sets_of_meshes_and_limits);
        CN_RUN(drive_against_joints_is_refused); CN_RUN(cranks_that_differ_are_refused);
        CN_RUN(drives_along_joints_are_accepted); CN_RUN(inconsistent_joints_of_meshes_are_told);)
