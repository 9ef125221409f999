// An arch on spreading supports: in every step the same few joints open, and the rest holds.
#include "cairn/cairn.h"
#include "test.h"

// Half a circle of 21 stones in three rows; after 0.1 s the right support leaves at the given
// speed, as a share of the radius per second.
static const char scene_format[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {stone: {density: 2400}}\n"
    "laws: {dry: {type: coulomb, friction: 0.7}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  arch:\n"
    "    generate: {vault: {blocks: 21, radius: 2, thickness: 0.3, length: 1.5, stones: 2.5}}\n"
    "    material: stone\n"
    "stages:\n"
    "  - {step: 4e-3, duration: 0.1}\n"
    "  - {step: 4e-3, duration: 0.2, drive: {'arch[-1, 2]': {velocity: {x: '=2*%g'}}}}\n"
    "solver: {accuracy: masonry}\n";

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static cn_run_report spread(double speed)
{
    cn_run_report report = {0};
    cn_run_def def = cn_run_def_default();
    cn_scene *scene = NULL;
    char text[sizeof scene_format + 32];
    snprintf(text, sizeof text, scene_format, speed);
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "spread.yaml", .text = text}, print_problem,
                        NULL, &scene, &test_error));
    CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    cn_scene_destroy(scene);
    return report;
}

// Slowly, near rest, and ten times faster, the impulses of the step before are gone on from: 400
// sweeps in each of the 50 steps that move, 2000 to 4000 where interior points start anew.
CN_TEST(mechanisms_go_on_from_the_step_before)
{
    static const double speeds[] = {0.002, 0.02};
    for (int k = 0; k < 2; k++) {
        cn_run_report r = spread(speeds[k]);
        CN_TRUE(r.steps == 75 && r.nonconverged_steps == 0);
        CN_TRUE(r.sweeps < 50 * 800);
    }
}

CN_MAIN(CN_RUN(mechanisms_go_on_from_the_step_before);)
