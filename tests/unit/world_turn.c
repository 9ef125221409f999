// One call at a time uses a world: what a load asks of its own world inside a step is refused, and
// a load without a finite value ends the step with nothing changed.
#include "cairn/deformable.h"
#include "cairn/view.h"
#include "cairn/world.h"
#include "strict.h"
#include "test.h"

typedef struct scene {
    cn_world *w;
    cn_body_id ball;
    void (*ask)(struct scene *s); // called by the load
    double value;                 // of the load [N]
} scene;

static double load_of(double t, void *context)
{
    scene *s = context;
    if (s->ask != NULL) {
        s->ask(s);
    }
    return t < 2e-3 ? 1.0 : s->value;
}

static void fall(scene *s)
{
    cn_world_def def = cn_world_def_default();
    CN_DO(cn_world_create(&def, &s->w, &test_error));
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    cn_body_def body = cn_body_def_default();
    body.shapes = (cn_shape_parts){1, &disk};
    CN_DO(cn_body_add(s->w, &body, &s->ball, &test_error));
    cn_force_def force = {.body = s->ball, .direction = {1.0, 0.0, 0.0}, .t0 = NAN};
    force.f = (cn_function){.kind = CN_FUNCTION_CALL, .call = load_of, .context = s};
    CN_DO(cn_force_add(s->w, &force, &test_error));
}

static void ask_with_status(scene *s)
{
    cn_body_def body = cn_body_def_default();
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_body_state state;
    int number;
    CN_FAILS(test_step(s->w, 1e-3, &test_error), CN_BAD_INPUT, "cn_world_step: the world is");
    CN_FAILS(cn_world_advance(s->w, 1e-3, 1, &test_error), CN_BAD_INPUT, "inside a step");
    CN_FAILS(cn_world_detect(s->w, 0.1, &test_error), CN_BAD_INPUT, "inside a step");
    CN_FAILS(cn_world_check_drives(s->w, 0.1, &test_error), CN_BAD_INPUT, "inside a step");
    CN_FAILS(cn_body_add(s->w, &body, NULL, &test_error), CN_BAD_INPUT, "inside a step");
    CN_FAILS(cn_body_remove(s->w, s->ball, &test_error), CN_BAD_INPUT, "inside a step");
    CN_FAILS(cn_law_add(s->w, &law, &number, &test_error), CN_BAD_INPUT, "inside a step");
    CN_DO(cn_body_get(s->w, s->ball, &state, &test_error));
    CN_FAILS(cn_body_set(s->w, s->ball, &state, &test_error), CN_BAD_INPUT, "inside a step");
}

CN_TEST(a_load_cannot_change_its_world)
{
    scene s = {.ask = ask_with_status, .value = 1.0}, plain = {.value = 1.0};
    fall(&s);
    fall(&plain);
    CN_DO(test_step(s.w, 1e-3, &test_error));
    CN_DO(test_step(plain.w, 1e-3, &test_error));
    CN_TRUE(cn_world_state_hash(s.w) == cn_world_state_hash(plain.w));
    s.ask = NULL;
    CN_DO(cn_world_detect(s.w, 0.1, &test_error)); // free again
    cn_world_destroy(s.w);
    cn_world_destroy(plain.w);
}

static void destroy(scene *s)
{
    cn_world_destroy(s->w);
}

static void clear_loads(scene *s)
{
    cn_loads_clear(s->w);
}

static void clear_rules(scene *s)
{
    cn_rules_clear(s->w);
}

CN_TEST(functions_without_status_do_nothing_and_the_step_says_so)
{
    void (*const ask[])(scene *) = {destroy, clear_loads, clear_rules};
    const char *const name[] = {"cn_world_destroy", "cn_loads_clear", "cn_rules_clear"};
    for (int k = 0; k < 3; k++) {
        scene s = {.ask = ask[k], .value = 1.0};
        fall(&s);
        uint64_t before = cn_world_state_hash(s.w);
        CN_FAILS(test_step(s.w, 1e-3, &test_error), CN_BAD_INPUT, name[k]);
        CN_TRUE(cn_world_state_hash(s.w) == before && cn_world_view(s.w).step == 0);
        s.ask = NULL;
        CN_DO(test_step(s.w, 1e-3, &test_error));
        CN_TRUE(cn_world_view(s.w).v[0] > 0.0); // the load is still there
        cn_world_destroy(s.w);
    }
}

CN_TEST(a_load_that_is_not_finite_ends_the_step_only)
{
    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        scene s = {.value = NAN};
        fall(&s);
        CN_DO(cn_body_fix(s.w, s.ball, is_fixed ? CN_FIXED_ALL : 0, &test_error));
        CN_DO(test_step(s.w, 1e-3, &test_error));
        uint64_t before = cn_world_state_hash(s.w);
        CN_FAILS(test_step(s.w, 1e-3, &test_error), CN_BAD_INPUT,
                 "load of body 1 is nan at 0.002 s after its start");
        CN_TRUE(cn_world_state_hash(s.w) == before && cn_world_view(s.w).step == 1);
        s.value = 1.0;
        CN_DO(test_step(s.w, 1e-3, &test_error));
        cn_world_destroy(s.w);
    }
}

CN_MAIN(CN_RUN(a_load_cannot_change_its_world);
        CN_RUN(functions_without_status_do_nothing_and_the_step_says_so);
        CN_RUN(a_load_that_is_not_finite_ends_the_step_only);)
