// Scenes that start from the state of another run: it goes on as if it had not been interrupted.
#include "cairn/cairn.h"
#include "files.h"
#include "test.h"

// Bodies slide, roll or deform at the time of the change, but for the glued ones.
#define PLANE                                                                                      \
    "cairn: 1\n"                                                                                   \
    "gravity: [2.5, -9.81]\n"                                                                      \
    "materials: {stone: {density: 2000}}\n"                                                        \
    "laws: {dry: {type: coulomb, friction: 0.4}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "solver: {accuracy: 1e-6}\n"                                                                   \
    "bodies:\n"                                                                                    \
    "  table: {shape: {half_plane: {}}, fixed: true}\n"                                            \
    "  wall: {generate: {wall: {courses: 3, block: [0.4, 0.2], length: 1.2}}, material: stone}\n"

#define SPACE                                                                                      \
    "cairn: 1\n"                                                                                   \
    "dimension: 3\n"                                                                               \
    "gravity: [2.5, 1, -9.81]\n"                                                                   \
    "materials: {stone: {density: 2000}}\n"                                                        \
    "laws: {dry: {type: coulomb, friction: 0.3, rolling: 0.02}}\n"                                 \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "solver: {accuracy: 1e-6}\n"                                                                   \
    "bodies:\n"                                                                                    \
    "  floor: {shape: {half_space: {}}, fixed: true}\n"                                            \
    "  box: {shape: {box: [0.5, 0.3, 0.2]}, material: stone, at: [0, 0, 0.1]}\n"                   \
    "  ball: {shape: {sphere: {radius: 0.2}}, material: stone, at: [-0.6, 0, 0.2], velocity: "     \
    "[2, 0, 0]}\n"

#define GLUED                                                                                      \
    "cairn: 1\n"                                                                                   \
    "materials: {stone: {density: 2000}}\n"                                                        \
    "laws: {dry: {type: coulomb, friction: 0.5}, glue: {type: glue}}\n"                            \
    "contacts: [{between: [lower, upper], law: glue}, {between: [any, any], law: dry}]\n"          \
    "solver: {accuracy: 1e-8}\n"                                                                   \
    "bodies:\n"                                                                                    \
    "  table: {shape: {half_plane: {}}, fixed: true}\n"                                            \
    "  lower: {shape: {box: [0.4, 0.2]}, material: stone, at: [0, 0.1], fixed: true}\n"            \
    "  upper: {shape: {box: [0.4, 0.2]}, material: stone, at: [0.21, 0.3]}\n"

#define SOFT(options)                                                                              \
    "cairn: 1\n"                                                                                   \
    "materials: {gum: {density: 1000, young: 1e6, poisson: 0.3" options "}}\n"                     \
    "laws: {dry: {type: coulomb, friction: 0.4}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "solver: {accuracy: 1e-8}\n"                                                                   \
    "bodies:\n"                                                                                    \
    "  table: {shape: {half_plane: {}}, fixed: true}\n"                                            \
    "  pad: {mesh: {box: [0.6, 0.3], cells: [4, 2]}, material: gum" PSEUDO ", at: [0, 0.15], "     \
    "velocity: [1, -1]}\n"

#define SOFT_SPACE                                                                                 \
    "cairn: 1\n"                                                                                   \
    "dimension: 3\n"                                                                               \
    "materials: {gum: {density: 1000, young: 1e6, poisson: 0.3, kinematics: corotational}}\n"      \
    "laws: {dry: {type: coulomb, friction: 0.4}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "solver: {accuracy: 1e-8}\n"                                                                   \
    "bodies:\n"                                                                                    \
    "  floor: {shape: {half_space: {}}, fixed: true}\n"                                            \
    "  pad: {mesh: {box: [0.6, 0.4, 0.3], cells: [2, 2, 1]}, material: gum, at: [0, 0, 0.15], "    \
    "velocity: [1, 0, -1]}\n"                                                                      \
    "  lump: {mesh: {box: [0.2, 0.2, 0.2], cells: [1, 1, 1]}, pseudo_rigid: true, material: gum, " \
    "at: [0.8, 0, 0.1], velocity: [0.5, 0, 0]}\n"

#define PENDULUM                                                                                   \
    "cairn: 1\n"                                                                                   \
    "materials: {stone: {density: 2000}}\n"                                                        \
    "bodies:\n"                                                                                    \
    "  bob: {shape: {disk: 0.1}, material: stone, at: [1, 0]}\n"                                   \
    "  weak: {shape: {disk: 0.1}, material: stone, at: [3, 0]}\n"                                  \
    "joints:\n"                                                                                    \
    "  pivot: {between: [bob, world], hinge: {at: [0, 0]}}\n"                                      \
    "  thread: {between: [weak, world], fixed: {}, strength: 400}\n"

// The state at the end of a run of `text` with one stage of `time` seconds.
typedef struct ending {
    uint64_t hash;
    cn_status status;
    double x[3], v[3]; // of the last body
    double energy_error;
} ending;

static void keep_end(void *context, const cn_world *w, int count, const char *const *name,
                     const double *series)
{
    (void)count, (void)name, (void)series;
    ending *end = context;
    cn_view view = cn_world_view(w);
    cn_body_state state;
    CN_DO(cn_body_get(w, view.id[view.body_count - 1], &state, &test_error));
    memcpy(end->x, state.position, sizeof end->x);
    memcpy(end->v, state.velocity, sizeof end->v);
    end->energy_error = view.ledger->error_max;
}

static ending run(const char *text, const char *more, double time, const char *result)
{
    ending end = {0};
    char all[4000], path[300];
    snprintf(all, sizeof all, "%sstages: [{step: 1e-3, duration: %g}]\n%s", text, time, more);
    cn_scene *scene = NULL;
    end.status = cn_scene_read(&(cn_scene_source){.name = files_path("scene.yaml"), .text = all},
                               NULL, NULL, &scene, &test_error);
    cn_run_def def = cn_run_def_default();
    cn_run_report report = {0};
    def.result_path = result != NULL ? files_path(result) : NULL;
    snprintf(path, sizeof path, "%.128s.ckpt", result != NULL ? files_path(result) : "");
    def.checkpoint_path = result != NULL ? path : NULL;
    def.at_end = keep_end;
    def.context = &end;
    if (end.status == CN_OK) {
        end.status = cn_scene_run(scene, &def, &report, &test_error);
    }
    cn_scene_destroy(scene);
    end.hash = report.state_hash;
    return end;
}

static double distance(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

// Runs for 0.1 s, once as a whole and once in two halves.
static void compare_halves(const char *text, const char *from, ending *whole, ending *second)
{
    char start[100];
    snprintf(start, sizeof start, "start: {from: %s}\n", from);
    *whole = run(text, "", 0.1, NULL);
    ending first = run(text, "", 0.05, "first.h5");
    *second = run(text, start, 0.05, "second.h5");
    CN_TRUE(whole->status == CN_OK && first.status == CN_OK && second->status == CN_OK);
    if (second->status != CN_OK) {
        printf("%s\n", test_error.text);
    }
    CN_NEAR(second->energy_error, 0.0, 1e-10, "the ledger starts anew and closes");
}

CN_TEST(rigid_bodies_go_on_bit_for_bit)
{
    const char *const scene[] = {PLANE, SPACE, GLUED};
    const char *const from[] = {"first.h5", "first.h5.ckpt"};
    for (int k = 0; k < 6; k++) {
        ending whole, second;
        compare_halves(scene[k / 2], from[k % 2], &whole, &second);
        CN_TRUE(whole.hash == second.hash);
    }
}

CN_TEST(deformable_bodies_go_on)
{
#define PSEUDO ""
    const char *const mesh[] = {SOFT(", model: neo_hookean"), SOFT("")};
    const char *const plastic = SOFT(", model: j2, yield: 5e3, hardening: 1e5");
#undef PSEUDO
#define PSEUDO ", pseudo_rigid: true"
    const char *const affine = SOFT("");
#undef PSEUDO
    for (int k = 0; k < 4; k++) {
        ending whole, second;
        const char *text = k < 2 ? mesh[k] : k == 2 ? affine : SOFT_SPACE;
        compare_halves(text, "first.h5", &whole, &second);
        CN_NEAR(distance(whole.x, second.x), 0.0, 1e-10,
                "forces at the nodes are formed anew, to rounding: 50 steps at 1e-8 of h g follow");
        CN_NEAR(distance(whole.v, second.v), 0.0, 1e-7, "the accuracy of contacts, 1e-8 of v_ref");
        compare_halves(text, "first.h5.ckpt", &whole, &second);
        CN_TRUE(whole.hash == second.hash);
    }
    ending whole, second;
    compare_halves(plastic, "first.h5.ckpt", &whole, &second);
    CN_TRUE(whole.hash == second.hash); // with its plastic strains
}

CN_TEST(joints_go_on_and_broken_ones_stay_broken)
{
    ending whole, second;
    compare_halves(PENDULUM, "first.h5", &whole, &second);
    CN_NEAR(distance(whole.x, second.x), 0.0, 1e-12, "a body that falls");
    CN_TRUE(whole.x[1] < -0.04); // free fall in 0.1 s: 0.049 m, so the joint broke
    compare_halves(PENDULUM, "first.h5.ckpt", &whole, &second);
    CN_TRUE(whole.hash == second.hash);
}

// A disk on a slope of gravity: at rest it takes up speed from zero, a t.
CN_TEST(velocities_may_be_zero)
{
    const char *text = "cairn: 1\n"
                       "gravity: [3, 0]\n"
                       "bodies: {ball: {shape: {disk: 0.1}, mass: 2, velocity: [5, 1]}}\n";
    run(text, "", 0.1, "first.h5");
    for (int k = 0; k < 2; k++) {
        char start[100];
        snprintf(start, sizeof start, "start: {from: first.h5%s, velocities: zero}\n",
                 k == 0 ? "" : ".ckpt");
        ending end = run(text, start, 0.2, NULL);
        CN_NEAR(end.v[0], 0.6, 1e-12, "a t");
        CN_NEAR(end.v[1], 0.0, 1e-15, "nothing pushes along y");
        CN_NEAR(end.x[0], 0.5 + 0.015 + 0.06, 1e-12, "what the first run left, and a t^2/2");
    }
}

CN_TEST(frames_and_bodies_are_chosen)
{
    const char *text = "cairn: 1\n"
                       "gravity: none\n"
                       "output: {every: 0.01}\n"
                       "bodies:\n"
                       "  a: {shape: {disk: 0.1}, mass: 2, velocity: [1, 0]}\n"
                       "  b: {shape: {disk: 0.1}, mass: 2, at: [0, 1], velocity: [1, 0]}\n";
    run(text, "", 0.1, "first.h5");
    ending end = run(text, "start: {from: first.h5, frame: 3}\n", 0.1, NULL);
    CN_NEAR(end.x[0], 0.13, 1e-12, "frame 3 is at 0.03 s");
    end = run(text, "start: {from: first.h5, frame: -2, bodies: b}\n", 0.1, NULL);
    CN_NEAR(end.x[0], 0.19, 1e-12, "the last but one is at 0.09 s");
    end = run(text, "start: {from: first.h5, bodies: [a]}\n", 0.1, NULL);
    CN_NEAR(end.x[0], 0.1, 1e-12, "b starts as the scene says");
    const char *other = "cairn: 1\n"
                        "gravity: none\n"
                        "bodies: {c: {shape: {disk: 0.1}, mass: 2, velocity: [1, 0]}}\n";
    end = run(other, "start: {from: first.h5, names: {c: b}}\n", 0.1, NULL);
    CN_NEAR(end.x[0], 0.2, 1e-12, "c is b there");
    CN_NEAR(end.x[1], 1.0, 1e-12, "c is b there");
}

static void fails(const char *text, const char *start, const char *word)
{
    ending end = run(text, start, 0.05, NULL);
    CN_TRUE(end.status == CN_BAD_INPUT || end.status == CN_IO);
    CN_TRUE(strstr(test_error.text, word) != NULL);
    if (strstr(test_error.text, word) == NULL) {
        printf("'%s' is not in: %s\n", word, test_error.text);
    }
}

// Cuts a file in the middle and says how that is told.
static void damage(const char *from, const char *to)
{
    size_t size = 0;
    char *bytes = files_read(files_path(from), &size);
    FILE *file = fopen(files_path(to), "wb");
    fwrite(bytes, 1, size / 2, file);
    fclose(file);
    free(bytes);
}

#define FREE "cairn: 1\ngravity: none\nbodies:\n"

CN_TEST(what_does_not_fit_is_named)
{
    const char *start = "start: {from: first.h5}\n";
    const char *more = FREE "  a: {shape: {disk: 0.1}, mass: 2, velocity: [1, 0]}\n"
                            "  b: {shape: {box: [0.2, 0.1]}, mass: 2, at: [1, 0]}\n";
    run(more, "", 0.05, "first.h5");
    damage("first.h5", "half.h5");
    fails(more, "start: {from: none.h5}\n", "none.h5");
    fails(more, "start: {from: half.h5}\n", "half.h5");
    fails(more, "start: {from: first.h5, frame: 700}\n", "700");
    fails(FREE "  c: {shape: {disk: 0.1}, mass: 2}\n", start, "body 'c' is not in frame");
    fails(FREE "  a: {shape: {disk: 0.2}, mass: 2}\n", start, "'a' has another shape");
    fails(FREE "  b: {shape: {disk: 0.2}, mass: 2}\n", start, "(polygon) than here (disk)");
    fails(FREE "  a: {mesh: {box: [1, 1], cells: [1, 1]}, material: m}\n"
               "materials: {m: {density: 1, young: 1, poisson: 0}}\n",
          start, "'a' is rigid there and deformable here");
    fails("cairn: 1\ndimension: 3\nbodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}}\n", start,
          "2 dimensions");
    fails(FREE "  a: {shape: {disk: 0.1}, mass: 2}\n"
               "  d: {shape: {disk: 0.1}, mass: 2, at: [0.1, 0]}\n"
               "laws: {dry: {type: coulomb}}\ncontacts: [{between: [any, any], law: dry}]\n",
          "start: {from: first.h5, bodies: a}\n", "after the start from");
    fails(FREE "  a: {shape: {disk: 0.1}, mass: 2}\n"
               "joints: {pin: {between: [a, world], ball: {at: [0, 0]}}}\n",
          start, "joint 'pin' would be open by 0.05 m");
    fails(FREE "  b: {shape: {box: [0.2, 0.1]}, mass: 2}\n", "start: {from: first.h5.ckpt}\n",
          "its body 1 is 'a' where this scene has 'b'");
    fails(FREE "  a: {mesh: {box: [1, 1], cells: [1, 1]}, material: m}\n"
               "materials: {m: {density: 1, young: 1, poisson: 0, model: j2, yield: 1}}\n",
          start, "checkpoint");
}

// What a run starts from is not replaced by it.
CN_TEST(the_state_is_not_overwritten)
{
    const char *text = FREE "  a: {shape: {disk: 0.1}, mass: 2, velocity: [1, 0]}\n";
    run(text, "", 0.05, "first.h5");
    ending end = run(text, "start: {from: first.h5}\n", 0.05, "first.h5");
    CN_TRUE(end.status == CN_BAD_INPUT && strstr(test_error.text, "starts from") != NULL);
}

CN_MAIN({
    CN_RUN(rigid_bodies_go_on_bit_for_bit);
    CN_RUN(deformable_bodies_go_on);
    CN_RUN(joints_go_on_and_broken_ones_stay_broken);
    CN_RUN(velocities_may_be_zero);
    CN_RUN(frames_and_bodies_are_chosen);
    CN_RUN(what_does_not_fit_is_named);
    CN_RUN(the_state_is_not_overwritten);
    files_remove();
})
