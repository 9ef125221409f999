// A step that is dropped on request leaves no trace: the state is that before it, and the run that
// goes on has the bits of one that was never stopped.
#include "cairn/cairn.h"
#include "strict.h"
#include "test.h"

// Bricks, a wire of beads, soft blocks and turning polyhedra: all that keeps something of a step.
static const char *const scene_text[] = {
    "cairn: 1\n"
    "dimension: 2\n"
    "materials: {stone: 2000, gum: {density: 1000, model: neo_hookean, young: 1e5, poisson: 0.3}}\n"
    "laws: {dry: {type: coulomb, friction: 0.5}, soft: {type: viscoelastic, friction: 0.3, "
    "stiffness: 1e6, damping: 100}}\n"
    "contacts: [{between: [beads, any], law: soft}, {between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  ground: {shape: {half_plane: {}}, fixed: true}\n"
    "  wall: {generate: {grid: {columns: 3, rows: 4, spacing: [0.4, 0.2], shape: {box: [0.4, "
    "0.2]}}}, material: stone, at: [0, 0.4]}\n"
    "  beads: {generate: {grid: {columns: 6, spacing: [0.1, 0.1], shape: {disk: 0.03}}}, "
    "material: stone, group: beads, at: [0, 0.95]}\n"
    "  pad: {mesh: {box: {size: [0.4, 0.2], cells: [4, 2]}}, material: gum, at: [1.5, 0.1]}\n"
    "  block: {shape: {box: [0.3, 0.2]}, at: [1.5, 0.302], spin: 2, material: stone}\n"
    "joints: {wire: {chain: beads, cable: {}}}\n"
    "stages: [{step: 2e-3, duration: 1}]\n",
    "cairn: 1\n"
    "dimension: 3\n"
    "materials: {stone: 2000}\n"
    "laws: {dry: {type: coulomb, friction: 0.5, rolling: 0.01}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  ground: {shape: {half_space: {}}, fixed: true}\n"
    "  low: {shape: {box: [0.4, 0.3, 0.2]}, at: [0, 0, 0.1], material: stone}\n"
    "  high: {shape: {box: [0.4, 0.3, 0.2]}, at: [0.1, 0, 0.301], angular_velocity: [3, 5, 40], "
    "material: "
    "stone}\n"
    "  bar: {shape: {capsule: {radius: 0.05, length: 0.3}}, at: [0, 0, 0.6], velocity: [0, 0, -3], "
    "material: stone}\n"
    "joints: {pin: {between: [high, bar], ball: {at: [0, 0, 0.5]}}}\n"
    "stages: [{step: 2e-3, duration: 1}]\n",
};

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static cn_world *make(int which)
{
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "stops.yaml", .text = scene_text[which]},
                        print_problem, NULL, &scene, &test_error));
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_scene_destroy(scene);
    return w;
}

// Counts how often it is asked, and says stop at the last one.
typedef struct counter {
    int left;
} counter;

static bool is_last(void *context)
{
    counter *c = context;
    return c->left-- == 0;
}

static void arm(cn_world *w, counter *c)
{
    cn_solver_def def = cn_solver_def_default();
    def.is_interrupted = is_last;
    def.context = c;
    CN_DO(cn_world_set_solver(w, &def, &test_error));
}

// Every step is dropped at its first chance, at its second, ... until it is over before that.
static void check(int which)
{
    cn_world *plain = make(which), *stopped = make(which);
    counter c = {-1}, none = {-1};
    arm(stopped, &c);
    arm(plain, &none);
    int dropped = 0;
    for (int k = 0; k < 60; k++) {
        uint64_t before = cn_world_state_hash(stopped);
        cn_status status = CN_STOPPED;
        for (int chance = 0; status == CN_STOPPED; chance += 1 + chance / 4) {
            c.left = chance;
            status = test_step(stopped, 2e-3, &test_error);
            dropped += status == CN_STOPPED;
            if (status == CN_STOPPED) {
                CN_TRUE(cn_world_state_hash(stopped) == before);
                CN_TRUE(cn_world_view(stopped).step == k);
                CN_TRUE(cn_world_view(stopped).contact_count == 0);
                CN_TRUE(cn_world_view(stopped).certificate->step == k);
            }
        }
        CN_TRUE(status == test_step(plain, 2e-3, NULL));
        CN_TRUE(cn_world_state_hash(stopped) == cn_world_state_hash(plain));
    }
    CN_TRUE(dropped > 100);
    CN_TRUE(memcmp(cn_world_view(stopped).ledger, cn_world_view(plain).ledger, sizeof(cn_ledger)) ==
            0);
    cn_world_destroy(plain);
    cn_world_destroy(stopped);
}

CN_TEST(dropped_steps_leave_no_trace)
{
    check(0);
}

CN_TEST(dropped_steps_leave_no_trace_in_space)
{
    check(1);
}

CN_TEST(request_is_answered_once)
{
    cn_world *w = make(1);
    volatile int flag = 0;
    cn_world_watch_flag(w, &flag);
    cn_world_request_stop(w);
    CN_FAILS(test_step(w, 2e-3, &test_error), CN_STOPPED, "request");
    CN_DO(test_step(w, 2e-3, &test_error));
    flag = 2;
    CN_FAILS(test_step(w, 2e-3, &test_error), CN_STOPPED, "request");
    CN_FAILS(test_step(w, 2e-3, &test_error), CN_STOPPED, "request"); // it is the caller's
    flag = 0;
    CN_DO(test_step(w, 2e-3, &test_error));
    CN_TRUE(cn_world_view(w).step == 2);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(dropped_steps_leave_no_trace); CN_RUN(dropped_steps_leave_no_trace_in_space);
        CN_RUN(request_is_answered_once);)
