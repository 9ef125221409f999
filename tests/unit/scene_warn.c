// What check and run warn of, with file and line; and that they are silent where all is well.
#include "scene_text.h"

#define HEAD                                                                                       \
    "cairn: 1\n"                                                                                   \
    "laws: {dry: {type: coulomb}}\n"                                                               \
    "contacts: [{between: [any, any], law: dry}]\n"

#define GROUND "  ground: {shape: {half_plane: {}}, fixed: true}\n"
#define BLOCK "  block: {shape: {box: [0.4, 0.2]}, mass: 3, at: [0, 0.1]}\n"
#define SHAKEN(kind, points)                                                                       \
    HEAD "bodies:\n"                                                                               \
         "  table: {shape: {box: [1, 0.2]}, at: [0, -0.1], fixed: true}\n" BLOCK "stages:\n"       \
         "  - {step: 1e-3, duration: 0.1, drive: {table: {" kind ": {y: {table: {points: " points  \
         "}}}}}}\n"

static void check(const char *text)
{
    lines[0] = '\0';
    cn_scene *scene = parse(text);
    CN_DO(cn_scene_check(scene, keep, NULL, &test_error));
    cn_scene_destroy(scene);
}

static void warns(const char *text, const char *where, const char *what)
{
    check(text);
    bool is_told = strstr(lines, where) != NULL && strstr(lines, what) != NULL;
    CN_TRUE(is_told);
    if (!is_told) {
        printf("'%s ... %s' is not in:\n%s", where, what, lines);
    }
}

static void is_silent(const char *text)
{
    check(text);
    CN_TRUE(strstr(lines, "warning") == NULL);
    if (strstr(lines, "warning") != NULL) {
        printf("%s", lines);
    }
}

CN_TEST(sound_scenes_are_silent)
{
    is_silent(HEAD "bodies:\n" GROUND BLOCK "stages: [{step: 1e-3, duration: 1}]\n");
    is_silent(SHAKEN("displacement", "[[0, 0], [0.05, 1e-5], [0.1, 0]]"));
    is_silent(
        SHAKEN("velocity", "[[0, 0], [0.05, 1], [0.1, 0]]") "  - {step: 1e-3, duration: 1}\n");
}

CN_TEST(gravity_points_down)
{
    warns(HEAD "gravity: [0, 9.81]\nbodies:\n" GROUND BLOCK "stages: [{step: 1e-3, duration: 1}]\n",
          "s.yaml:4: warning", "gravity points up");
}

CN_TEST(something_can_move)
{
    warns(HEAD "bodies:\n" GROUND "stages: [{step: 1e-3, duration: 1}]\n", "s.yaml:5: warning",
          "nothing can move");
}

// sqrt(0.2/9.81) = 0.14 s.
CN_TEST(steps_fit_the_size_of_bodies)
{
    warns(HEAD "bodies:\n" GROUND BLOCK "stages:\n  - {step: 0.04, duration: 1}\n",
          "s.yaml:8: warning", "steps of 0.04 s are long for 'block'");
    warns(HEAD "bodies:\n  ball: {shape: {disk: 0.1}, mass: 1, velocity: [200, 0]}\n"
               "stages: [{step: 1e-3, duration: 1}]\n",
          "s.yaml:5: warning", "'ball' (0.2 m) moves 0.2 m in the first step");
}

CN_TEST(drives_start_and_end_gently)
{
    warns(SHAKEN("displacement", "[[0, 0], [1, 1]]"), "s.yaml:8: warning",
          "'table' starts with 1 m/s at once");
    warns(SHAKEN("displacement", "[[0, 0], [0.05, 0], [0.1, 0.1]]"), "s.yaml:8: warning",
          "corner at t = 0.05 s: its velocity jumps from 0 to 2 m/s");
    warns(SHAKEN("velocity", "[[0, 0], [0.1, 1]]") "  - {step: 1e-3, duration: 1}\n",
          "s.yaml:8: warning", "'table' ends with stage 'stage 1' at 1 m/s");
}

// 1 mm at 10 m/s is reached after 0.1 ms.
CN_TEST(bodies_do_not_meet_in_the_first_step)
{
    warns(HEAD "bodies:\n" GROUND
               "  ball: {shape: {disk: 0.1}, mass: 1, at: [0, 0.101], velocity: [0, -10]}\n"
               "stages: [{step: 1e-3, duration: 1}]\n",
          "s.yaml:6: warning", "starts 0.001 m from");
}

CN_TEST(masses_are_comparable)
{
    warns(HEAD "bodies:\n" GROUND BLOCK "  moon: {shape: {disk: 1}, mass: 7e22, at: [9, 1]}\n"
               "stages: [{step: 1e-3, duration: 1}]\n",
          "s.yaml:6: warning", "'block' has 3 kg and 'moon' 7e+22 kg");
}

// A run tells the same before its first step.
CN_TEST(runs_warn_once)
{
    cn_scene *scene = parse(SHAKEN("displacement", "[[0, 0], [1, 1]]"));
    cn_run_def def = cn_run_def_default();
    lines[0] = '\0';
    def.told = keep;
    CN_DO(cn_scene_run(scene, &def, NULL, &test_error));
    const char *first = strstr(lines, "warning");
    CN_TRUE(first != NULL && strstr(first + 1, "warning") == NULL);
    cn_scene_destroy(scene);
}

CN_MAIN(CN_RUN(sound_scenes_are_silent); CN_RUN(gravity_points_down); CN_RUN(something_can_move);
        CN_RUN(steps_fit_the_size_of_bodies); CN_RUN(drives_start_and_end_gently);
        CN_RUN(bodies_do_not_meet_in_the_first_step); CN_RUN(masses_are_comparable);
        CN_RUN(runs_warn_once);)
