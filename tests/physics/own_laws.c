// Laws from outside: what they must state, what they may not do, and that they are like those of
// the library in everything else. The way of a user, with files: tests/consumer/own_law.c.
#include "cairn/own_law.h"
#include "scenes.h"
#include "test.h"

// As coulomb without restitution, and misbehaving as `fault` says.
enum { FRICTION, FAULT, PARAM_COUNT };
enum { NONE, FRICTION_NAN, COMPLIANCE_NEGATIVE, FREE_WITH_K, SHIFT_INFINITE, ENERGY_NAN };
static const cn_param param_table[PARAM_COUNT] = {
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [FAULT] = {"fault", "-", "what it does wrong", 0, 9, NONE, NULL},
};
static const char *const state_table[] = {"slid"};

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    if (!in->is_met && param[FAULT] != FREE_WITH_K) {
        return;
    }
    core->kind = param[FAULT] == FREE_WITH_K ? CN_CORE_FREE : CN_CORE_CONE;
    core->mu = param[FAULT] == FRICTION_NAN ? NAN : param[FRICTION];
    core->b[0] = param[FAULT] == SHIFT_INFINITE ? -INFINITY : in->shift;
    core->c[0] = param[FAULT] == COMPLIANCE_NEGATIVE ? -1.0 : 0.0;
    core->k[0] = param[FAULT] == FREE_WITH_K ? 1.0 : 0.0;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    (void)param;
    (void)state;
    (void)in;
    state_new[0] = out->status == CN_STATUS_SLIDE;
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    (void)in;
    energy->storage = param[FAULT] == ENERGY_NAN && out->r[0] > 0.0 ? NAN : 0.0;
}

static const cn_law plain = {
    .interface = CN_LAW_INTERFACE,
    .type = {"plain", "as coulomb", PARAM_COUNT, param_table, 1, state_table},
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
};

static cn_law_def plain_law(double friction, int fault)
{
    CN_DO(cn_law_register(&plain, &test_error));
    cn_law_def law = cn_law_default("plain");
    CN_DO(cn_law_set(&law, "friction", friction, &test_error));
    CN_DO(cn_law_set(&law, "fault", fault, &test_error));
    return law;
}

// Blocks thrown onto a floor.
static cn_world *blocks(const cn_law_def *law, int threads)
{
    cn_world_def def = cn_world_def_default();
    def.threads = threads;
    cn_world *w = scene_world_with(&def, law);
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < 5; k++) {
        cn_body_id id = scene_box(w, 0.02 * k, 0.1 + 0.21 * k, 0.4, 0.2, 0.1 * k, 0);
        scene_set_velocity(w, id, 0.5, 0.0, 0.0);
    }
    return w;
}

static uint64_t hash_after(const cn_law_def *law, int threads, int steps)
{
    cn_world *w = blocks(law, threads);
    scene_run(w, 1e-3, steps);
    uint64_t hash = cn_world_state_hash(w);
    cn_world_destroy(w);
    return hash;
}

CN_TEST(the_same_law_from_outside_gives_the_same_bits)
{
    cn_law_def inside = cn_law_coulomb(0.4, 0.0), outside = plain_law(0.4, NONE);
    uint64_t hash = hash_after(&inside, 1, 300);
    CN_TRUE(hash_after(&outside, 1, 300) == hash);
    CN_TRUE(hash_after(&outside, 3, 300) == hash);
    CN_DO(cn_law_register(&plain, &test_error)); // once more: it is the same one
}

// One mistake each, and what is said of it.
CN_TEST(a_law_that_does_not_say_enough_is_refused)
{
    static const cn_param doubled[] = {{"a", "-", "one", 0, 1, 0, NULL},
                                       {"a", "-", "two", 0, 1, 0, NULL}};
    static const cn_param typed[] = {{"type", "-", "taken", 0, 1, 0, NULL}};
    static const cn_param mute[] = {{"a", NULL, "no unit", 0, 1, 0, NULL}};
    static const cn_param outside[] = {{"a", "-", "default beyond its range", 0, 1, 2, NULL}};
    static const cn_param worded[] = {{"a", "-", "three words", 0, 1, 0, "x y z"}};
    static const char *const twins[] = {"s", "s"}, *const odd[] = {"a b"};
    const struct {
        cn_law law;
        const char *told;
    } bad[] = {
        {{.type = plain.type, .prepare = prepare}, "interface 0"},
        {{.type = {.name = "two words", .help = ""}, .prepare = prepare}, "needs a name"},
        {{.type = {.name = "own", .help = ""}}, "law own needs"},
        {{.type = {.name = "coulomb", .help = ""}, .prepare = prepare}, "a law coulomb already"},
        {{.type = {"own", "", 2, doubled, 0, NULL}, .prepare = prepare}, "two parameters 'a'"},
        {{.type = {"own", "", 1, typed, 0, NULL}, .prepare = prepare}, "other than 'type'"},
        {{.type = {"own", "", 1, mute, 0, NULL}, .prepare = prepare}, "'a' needs a unit"},
        {{.type = {"own", "", 1, outside, 0, NULL}, .prepare = prepare}, "default 2"},
        {{.type = {"own", "", 1, worded, 0, NULL}, .prepare = prepare}, "places are 0 to 2"},
        {{.type = {"own", "", 25, param_table, 0, NULL}, .prepare = prepare}, "25 parameters"},
        {{.type = {"own", "", 0, NULL, 1, NULL}, .prepare = prepare, .commit = commit}, "state 0"},
        {{.type = {"own", "", 0, NULL, 1, odd}, .prepare = prepare, .commit = commit}, "state 0"},
        {{.type = {"own", "", 0, NULL, 2, twins}, .prepare = prepare, .commit = commit}, "two st"},
        {{.type = {"own", "", 0, NULL, 37, twins}, .prepare = prepare, .commit = commit}, "37 st"},
        {{.type = {"own", "", 0, NULL, 1, state_table}, .prepare = prepare}, "no commit"},
        {{.type = {"own", "", 0, NULL, 0, NULL}, .prepare = prepare, .commit = commit}, "a commit"},
        {{.type = {"own", "", 0, NULL, 0, NULL}, .prepare = prepare, .is_bonding = true}, "bonds"},
        {{.type = {"own", "", 0, NULL, 0, NULL}, .prepare = prepare, .has_beams = true}, "of 3"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        cn_law law = bad[k].law;
        law.interface = k > 0 ? CN_LAW_INTERFACE : 0;
        CN_FAILS(cn_law_register(&law, &test_error), CN_BAD_INPUT, bad[k].told);
    }
    CN_FAILS(cn_law_load("./there_is_none.so", &test_error), CN_IO, "there_is_none");
    CN_TRUE(cn_law_type_find("own") == NULL);
}

// The step ends with the name of the law and of the bodies; it does not go on with such a number.
CN_TEST(cores_that_no_solver_can_obey_name_their_law)
{
    for (int fault = FRICTION_NAN; fault <= SHIFT_INFINITE; fault++) {
        cn_law_def law = plain_law(0.4, fault);
        cn_world *w = blocks(&law, 1);
        cn_status status = CN_OK;
        for (int n = 0; n < 10 && status == CN_OK; n++) {
            status = cn_world_step(w, 1e-3, &test_error);
        }
        CN_TRUE(status == CN_BROKEN || status == CN_BAD_INPUT);
        CN_TRUE(strstr(test_error.text, "law plain, which is from outside, gave bodies") != NULL);
        cn_world_destroy(w);
    }
}

// The ledger does not close to a number then, for the rest of the run.
CN_TEST(energies_that_are_no_numbers_stay_visible)
{
    cn_law_def law = plain_law(0.4, ENERGY_NAN);
    cn_world *w = blocks(&law, 1);
    scene_run(w, 1e-3, 300);
    CN_TRUE(isnan(cn_world_view(w).ledger->error_max));
    cn_world_destroy(w);
}

// States go on under the law that kept them, only.
CN_TEST(a_state_of_another_law_is_not_taken_over)
{
    cn_law_def inside = cn_law_coulomb(0.4, 0.0), outside = plain_law(0.4, NONE);
    cn_world *from = blocks(&outside, 1), *other = blocks(&inside, 1), *same = blocks(&outside, 1);
    const cn_state_part *part;
    int count;
    scene_run(from, 1e-3, 100);
    CN_DO(cn_world_state(from, &part, &count, &test_error));
    CN_FAILS(cn_world_restore(other, part, count, &test_error), CN_BAD_INPUT, "law 0 (coulomb)");
    CN_DO(cn_world_restore(same, part, count, &test_error));
    scene_run(from, 1e-3, 100);
    scene_run(same, 1e-3, 100);
    CN_TRUE(cn_world_state_hash(from) == cn_world_state_hash(same));
    cn_world_destroy(from);
    cn_world_destroy(other);
    cn_world_destroy(same);
}

CN_MAIN(CN_RUN(the_same_law_from_outside_gives_the_same_bits);
        CN_RUN(a_law_that_does_not_say_enough_is_refused);
        CN_RUN(cores_that_no_solver_can_obey_name_their_law);
        CN_RUN(energies_that_are_no_numbers_stay_visible);
        CN_RUN(a_state_of_another_law_is_not_taken_over);)
