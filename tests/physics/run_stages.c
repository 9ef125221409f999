// Stages of a run: how long they last, what ends them, when their loads start.
#include "cairn/cairn.h"
#include "test.h"

// Free flight of a disk with whatever stages follow.
#define FLIGHT                                                                                     \
    "cairn: 1\n"                                                                                   \
    "gravity: none\n"                                                                              \
    "bodies: {ball: {shape: {disk: 0.1}, mass: 2, velocity: [1, 0], spin: 0.5}}\n"

// A block 1 cm above the ground; |g| = 10.
#define DROP                                                                                       \
    "cairn: 1\n"                                                                                   \
    "gravity: [0, -10]\n"                                                                          \
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "bodies:\n"                                                                                    \
    "  ground: {shape: {half_plane: {}}, fixed: true}\n"                                           \
    "  block: {shape: {box: [0.4, 0.2]}, at: [0, 0.11], mass: 3}\n"

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static cn_scene *parse(const char *text)
{
    cn_scene *scene = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    return scene;
}

static cn_run_report run_def(const char *text, const cn_run_def *def)
{
    cn_run_report report = {0};
    cn_scene *scene = parse(text);
    if (scene != NULL) {
        CN_DO(cn_scene_run(scene, def, &report, &test_error));
    }
    cn_scene_destroy(scene);
    return report;
}

static cn_run_report run(const char *text)
{
    cn_run_def def = cn_run_def_default();
    return run_def(text, &def);
}

CN_TEST(the_last_step_of_a_stage_is_shortened)
{
    cn_run_report r = run(FLIGHT "stages: [{step: 1e-3, duration: 0.0105}]\n");
    CN_TRUE(r.steps == 11);
    CN_NEAR(r.time, 0.0105, 1e-15, "ten steps of 1 ms and one of half");
    r = run(FLIGHT "stages: [{step: 1e-3, duration: 0.3}, {step: 1e-4, duration: 0.1}]\n");
    CN_TRUE(r.steps == 300 + 1000);
    CN_NEAR(r.time, 0.4, 1e-12, "sum of 1300 steps");
    CN_TRUE(strcmp(r.outcome, "reached the end") == 0);
}

// Gravity along the ground speeds the block up while there is no friction, holds its speed where
// friction takes as much, and stops it under the rougher contact of the last stage.
CN_TEST(a_stage_has_contacts_of_its_own)
{
    cn_scene *scene = parse(
        "cairn: 1\n"
        "gravity: [5, -10]\n"
        "laws: {smooth: {type: coulomb}, dry: {type: coulomb, friction: 0.5}, rough: {type: "
        "sliding, friction: 1}}\n"
        "contacts: [{between: [any, any], law: dry}]\n"
        "bodies:\n"
        "  ground: {shape: {half_plane: {}}, fixed: true}\n"
        "  block: {shape: {box: [0.4, 0.2]}, at: [0, 0.1], mass: 3}\n"
        "stages:\n"
        "  - {step: 1e-3, duration: 0.1, contacts: [{between: [block, any], law: smooth}]}\n"
        "  - {step: 1e-3, duration: 0.1}\n"
        "  - {step: 1e-3, duration: 0.05, contacts: [{between: [block, ground], law: rough}]}\n"
        "observe: [{name: block, track: block}]\n");
    cn_run_def def = cn_run_def_default();
    def.result_path = "stage_contacts.h5";
    cn_run_report report;
    CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    cn_reader *reader = NULL;
    cn_column speed;
    CN_DO(cn_reader_open("stage_contacts.h5", &reader, &test_error));
    CN_DO(cn_reader_column(reader, "series/block.vx", &speed, &test_error));
    CN_NEAR(speed.value[99], 0.5, 1e-9, "5 m/s2 for 0.1 s, residual of 1e-6 per step");
    CN_NEAR(speed.value[199], 0.5, 1e-6, "friction takes what gravity gives");
    CN_NEAR(speed.value[249], 0.25, 1e-6, "5 - 10 m/s2 for 0.05 s");
    cn_reader_close(reader);
    cn_scene_destroy(scene);
}

CN_TEST(a_stage_ends_at_rest)
{
    cn_run_report r = run(DROP "stages: [{step: 1e-3, until: at_rest, at_most: 5}]\n");
    // falls for sqrt(2 * 0.01 / 10) = 0.045 s and does not bounce
    CN_TRUE(r.time > 0.045 && r.time < 0.5);
    CN_TRUE(strcmp(r.outcome, "reached the end") == 0);
    CN_TRUE(r.penetration_max < 1e-6);
}

CN_TEST(a_stage_that_misses_its_goal_says_so)
{
    cn_run_report r = run(FLIGHT "stages: [{name: wait, step: 1e-3, until: {at_rest: {speed: 0.1, "
                                 "hold: 0.01}}, at_most: 0.05}]\n");
    CN_NEAR(r.time, 0.05, 1e-12, "the longest time");
    CN_TRUE(strstr(r.outcome, "stage wait lasted its 0.05 s without") != NULL);
}

CN_TEST(a_condition_must_hold_on_end)
{
    cn_run_report r =
        run(FLIGHT "stages: [{step: 1e-3, until: {speed_below: {speed: 2, hold: 0.02}}, "
                   "at_most: 1}]\n");
    CN_NEAR(r.time, 0.02, 1e-12, "always slow enough: the hold alone");
}

CN_TEST(a_run_stops_when_a_body_has_moved_or_turned)
{
    const char *later = ", {step: 1e-3, duration: 1}]\n";
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s", FLIGHT,
             "stages: [{step: 1e-3, duration: 1, stop_when: {moved: {more_than: 0.1}}}", later);
    cn_run_report r = run(text);
    CN_NEAR(r.time, 0.1, 1.0001e-3, "1 m/s: 0.1 s, found at the end of a step");
    CN_TRUE(strncmp(r.outcome, "stopped: ", 9) == 0);
    snprintf(text, sizeof text, "%s%s%s", FLIGHT,
             "stages: [{step: 1e-3, duration: 1, stop_when: {turned: {more_than: 0.1}}}", later);
    r = run(text);
    CN_NEAR(r.time, 0.2, 1.0001e-3, "0.5 rad/s: 0.2 s");
    snprintf(text, sizeof text, "%s%s%s", FLIGHT,
             "stages: [{step: 1e-3, duration: 1, force: {ball: {x: 20}}, stop_when: {speed_above: "
             "{speed: 3}}}",
             later);
    r = run(text);
    CN_NEAR(r.time, 0.195, 1.0001e-3, "1 + 10 t + 0.5 * 0.2 / 2 = 3");
}

// The angle in `turned` and the place in `moved` count from the start of the stage.
CN_TEST(conditions_count_from_the_start_of_their_stage)
{
    cn_run_report r = run(FLIGHT "stages: [{step: 1e-3, duration: 0.3}, {step: 1e-3, duration: 1, "
                                 "stop_when: {moved: {more_than: 0.1}}}]\n");
    CN_NEAR(r.time, 0.4, 1.0001e-3, "0.3 s, then 0.1 m at 1 m/s");
}

CN_TEST(a_removed_body_is_gone)
{
    cn_run_report r =
        run(DROP "stages: [{step: 1e-3, until: at_rest, at_most: 5}, {step: 1e-3, duration: 0.1, "
                 "remove: ground, stop_when: {speed_above: {group: block, speed: 0.9}}}]\n");
    CN_TRUE(strncmp(r.outcome, "stopped: ", 9) == 0);
}

typedef struct stop_at {
    int64_t step;
    int calls, frames;
    double time_end;
} stop_at;

static bool stop(void *context, const cn_progress *p)
{
    stop_at *s = context;
    s->calls++;
    s->frames += p->is_frame;
    s->time_end = p->time_end;
    return p->certificate->step < s->step;
}

CN_TEST(the_caller_can_stop_a_run)
{
    stop_at s = {.step = 7};
    cn_run_def def = cn_run_def_default();
    def.progress = stop;
    def.context = &s;
    cn_scene *scene = parse(FLIGHT "stages: [{step: 1e-3, duration: 0.3}, {step: 1e-3, duration: "
                                   "0.2}]\noutput: {every: 0.002}\n");
    cn_run_report r;
    CN_FAILS(cn_scene_run(scene, &def, &r, &test_error), CN_STOPPED, "t = 0.007");
    CN_TRUE(r.steps == 7 && s.calls == 7 && s.frames == 3);
    CN_NEAR(s.time_end, 0.5, 1e-12, "sum of the stages");
    cn_scene_destroy(scene);
}

CN_TEST(a_run_can_end_early)
{
    cn_run_def def = cn_run_def_default();
    def.until = 0.05;
    cn_run_report r = run_def(FLIGHT "stages: [{step: 1e-3, duration: 0.3}]\n", &def);
    CN_TRUE(r.steps == 50);
    def.until = NAN;
    cn_scene *scene = parse(FLIGHT "stages: [{step: 1e-3, duration: 0.3}]\n");
    CN_FAILS(cn_scene_run(scene, &def, &r, &test_error), CN_BAD_INPUT, "NaN");
    cn_scene_destroy(scene);
}

// ---- imposed displacements

typedef struct found {
    const char *name;
    double value;
} found;

static void keep_series(void *context, const cn_world *w, int count, const char *const *name,
                        const double *series)
{
    (void)w;
    found *f = context;
    for (int k = 0; k < count; k++) {
        f->value = strcmp(name[k], f->name) == 0 ? series[k] : f->value;
    }
}

// The last value of a series of a run of `steps` steps of 1 ms.
static double last_of(const char *bodies, int steps, const char *name)
{
    char text[1000];
    found f = {name, NAN};
    cn_run_def def = cn_run_def_default();
    def.at_end = keep_series;
    def.context = &f;
    snprintf(text, sizeof text, bodies, 1e-3 * steps);
    run_def(text, &def);
    return f.value;
}

#define DRIVEN(body, points, observer)                                                             \
    "cairn: 1\n"                                                                                   \
    "gravity: none\n"                                                                              \
    "materials: {gum: {density: 1000, young: 1e6, poisson: 0.3}}\n"                                \
    "bodies: {a: {" body "}}\n"                                                                    \
    "stages: [{step: 1e-3, duration: %g, drive: {a: {displacement: {y: " points "}}}}]\n"          \
    "observe: [{name: o, " observer "}]\n"

// 1 m/s at once, then back at 2 m/s from 5.5 ms on, amid a step: velocities were 2, 0, 2, 0 ... for
// an imposed 1 m/s.
CN_TEST(velocities_of_imposed_displacements_do_not_ring)
{
    const char *rigid = DRIVEN("shape: {box: [1, 1]}, fixed: true",
                               "{table: [[0, 0], [0.0055, 0.0055], [1, -1.9835]]}", "track: a");
    for (int steps = 1; steps <= 9; steps++) {
        double x = steps <= 5 ? 1e-3 * steps : 0.0055 - 2.0 * (1e-3 * steps - 0.0055);
        double v = steps <= 5 ? 1.0 : steps == 6 ? -0.5 : -2.0;
        CN_NEAR(last_of(rigid, steps, "o.y"), x, 1e-15, "the place is met to rounding");
        CN_NEAR(last_of(rigid, steps, "o.vy"), v, 1e-9,
                "the rate of the table, its mean in step 6");
    }
    const char *cosine = DRIVEN("shape: {box: [1, 1]}, mass: 1",
                                "{cosine: {a: 0.1, w: 20, p: \"=-pi/2\"}}", "track: a");
    for (int steps = 9; steps <= 10; steps++) {
        CN_NEAR(last_of(cosine, steps, "o.vy"), 2.0 * cos(0.02 * steps), 4e-4,
                "second order: w^3 a h^2/6 = 1.3e-4 in every step, of alternating sign");
    }
}

// The reaction of a mesh that moves steadily is zero; it swung by 2 m v/h = 2e6 N.
CN_TEST(reactions_of_imposed_displacements_do_not_ring)
{
    const char *soft = DRIVEN("mesh: {box: [1, 1], cells: [2, 2]}, material: gum",
                              "{table: [[0, 0], [1, 1]]}", "nodes: a");
    for (int steps = 9; steps <= 10; steps++) {
        CN_NEAR(last_of(soft, steps, "o.ry"), 0.0, 1e-3, "1e-9 of m v/h = 1e6 N: rounding");
        CN_NEAR(last_of(soft, steps, "o.uy"), 1e-3 * steps, 1e-14, "the place is met to rounding");
    }
}

CN_MAIN(CN_RUN(the_last_step_of_a_stage_is_shortened); CN_RUN(a_stage_ends_at_rest);
        CN_RUN(a_stage_has_contacts_of_its_own); CN_RUN(a_stage_that_misses_its_goal_says_so);
        CN_RUN(a_condition_must_hold_on_end); CN_RUN(a_run_stops_when_a_body_has_moved_or_turned);
        CN_RUN(conditions_count_from_the_start_of_their_stage); CN_RUN(a_removed_body_is_gone);
        CN_RUN(the_caller_can_stop_a_run); CN_RUN(a_run_can_end_early);
        CN_RUN(velocities_of_imposed_displacements_do_not_ring);
        CN_RUN(reactions_of_imposed_displacements_do_not_ring);)
