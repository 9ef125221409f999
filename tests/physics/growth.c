// Growth: radii that change push others as surfaces that move, with energy of their own.
#include <string.h>

#include "scenes.h"
#include "test.h"

static cn_world *empty(int dim, double gravity, const cn_law_def *law, int threads)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.threads = threads;
    def.gravity[1] = dim == 2 ? -gravity : 0.0;
    def.gravity[2] = dim == 3 ? -gravity : 0.0;
    def.solver.eps_v = def.solver.tol = 1e-10;
    return scene_world_with(&def, law);
}

static cn_body_id add_ball(cn_world *w, int dim, double radius, const double at[3], unsigned fixed)
{
    const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = radius};
    const cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = radius};
    cn_body_def def = {.density = 1000.0, .at = {at[0], at[1], at[2]}, .fixed = fixed};
    scene_part(&def, dim, &disk, &sphere);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static void grow(cn_world *w, int count, const cn_body_id *id, double to, double duration)
{
    cn_growth_def def = {
        .body_count = count, .body = id, .from = NAN, .to = to, .t0 = NAN, .duration = duration};
    CN_DO(cn_growth_add(w, &def, &test_error));
}

static double radius_of(const cn_world *w, int i)
{
    cn_view view = cn_world_view(w);
    return view.dim == 2 ? view.shape[i].radius : view.solid[i].radius;
}

// A ball that grows on the floor is lifted by its radius, and its growth does that work.
CN_TEST(a_growing_ball_lifts_itself)
{
    for (int dim = 2; dim <= 3; dim++) {
        const double h = 1e-3, g = 10.0, at[3] = {0.2, dim == 2 ? 0.1 : 0.3, 0.1};
        const cn_law_def law = cn_law_coulomb(0.5, 0.0);
        cn_world *w = empty(dim, g, &law, 1);
        cn_body_id ball = add_ball(w, dim, 0.1, at, 0);
        dim == 2 ? scene_ground(w, 0.0, 0.0, 0.0) : scene_floor(w, 0.0);
        double mass = scene_state(w, ball).mass,
               inertia = scene_state(w, ball).inertia[dim == 2 ? 2 : 0];
        grow(w, 1, &ball, 1.5, 0.2);
        CN_TRUE(scene_run(w, h, 250) == 0);
        const cn_ledger *ledger = cn_world_view(w).ledger;
        CN_NEAR(radius_of(w, 0), 0.15, 1e-15, "the factor ends at its last value");
        CN_NEAR(cn_world_view(w).size[0], 0.3, 1e-15, "and so does the size");
        CN_NEAR(scene_state(w, ball).position[dim - 1], 0.15, 1e-9,
                "it touches the floor, and sank by what the first step did not know");
        CN_TRUE(scene_state(w, ball).mass == mass);
        CN_TRUE(scene_state(w, ball).inertia[dim == 2 ? 2 : 0] == inertia);
        double thrown = 0.5 * mass * 0.25 * 0.25;
        CN_NEAR(-ledger->total[CN_ENERGY_GROWTH], mass * g * 0.05, 2.5 * thrown,
                "the weight that is lifted, and what it takes to be thrown up and to land");
        CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
        CN_NEAR(ledger->total[CN_ENERGY_GIVEN], 0.0, 1e-12 * mass, "no depth is given back");
        cn_world_destroy(w);
    }
}

// A disk between two walls that are held cannot grow: the step says that it fails, nothing passes.
CN_TEST(what_has_no_room_is_told)
{
    const double at[3] = {0.0, 0.1, 0.0};
    const cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = empty(2, 0.0, &law, 1);
    cn_body_id ball = add_ball(w, 2, 0.1, at, 0);
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_ground(w, 0.0, 0.2, CN_PI);
    grow(w, 1, &ball, 1.1, 1.0);
    CN_DO(cn_world_step(w, 1e-3, &test_error));
    CN_TRUE(!cn_world_view(w).certificate->solver.is_converged);
    cn_world_destroy(w);
}

// A ring of five disks that grows in a hollow disk is pressed against it and stays inside.
CN_TEST(disks_grow_in_a_drum)
{
    const cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_world *w = empty(2, 0.0, &law, 1);
    cn_shape_def hollow = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 0.3, .thickness = 0.05};
    cn_body_def drum = {.shapes = {1, &hollow}, .density = 1.0, .fixed = CN_FIXED_ALL};
    cn_body_id id[5], shell;
    CN_DO(cn_body_add(w, &drum, &shell, &test_error));
    for (int k = 0; k < 5; k++) {
        double angle = 2.0 * CN_PI * k / 5.0;
        const double at[3] = {0.15 * cos(angle), 0.15 * sin(angle), 0.0};
        id[k] = add_ball(w, 2, 0.08, at, 0);
    }
    double sine = sin(CN_PI / 5.0), full = 0.3 * sine / (1.0 + sine);
    grow(w, 5, id, 0.995 * full / 0.08, 1.0);
    CN_TRUE(scene_run(w, 1e-3, 1000) == 0);
    for (int k = 0; k < 5; k++) {
        cn_body_state s = scene_state(w, id[k]);
        double out = hypot(s.position[0], s.position[1]) + radius_of(w, k + 1);
        CN_TRUE(out < 0.3 * (1.0 + 1e-3)); // a half step of growth, 1e-4 of the radius
    }
    cn_world_destroy(w);
}

// A gas in a cell whose disks grow until they are packed.
static cn_world *make_gas(int dim, int threads)
{
    enum { SIDE = 6 };
    const cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_world *w = empty(dim, 0.0, &law, threads);
    cn_cell_def cell = {.is_periodic = {true, true, dim == 3},
                        .vectors = {SIDE, 0.0, 0.0, 0.0, SIDE, 0.0, 0.0, 0.0, SIDE}};
    CN_DO(cn_world_set_cell(w, &cell, &test_error));
    uint64_t seed = 5;
    cn_body_id id[SIDE * SIDE * SIDE];
    int count = dim == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE;
    for (int k = 0; k < count; k++) {
        double off[3];
        for (int d = 0; d < 3; d++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            off[d] = 0.3 * (double)(seed >> 40) / (double)(1 << 24);
        }
        const double at[3] = {k % SIDE + off[0], k / SIDE % SIDE + off[1],
                              dim == 3 ? k / (SIDE * SIDE) + off[2] : 0.0};
        id[k] = add_ball(w, dim, 0.34, at, 0);
    }
    grow(w, count, id, 1.5, 2.0);
    return w;
}

// The same bits for any number of threads, in a step of growth as in others; the ledger closes.
CN_TEST(threads_give_the_same_bits)
{
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t hash = 0;
        for (int k = 0; k < 4; k++) {
            const int threads[4] = {1, 2, 3, 8};
            cn_world *w = make_gas(dim, threads[k]);
            CN_TRUE(scene_run(w, 5e-3, 120) == 0);
            CN_TRUE(cn_world_view(w).certificate->penetration_rel < 1e-3);
            hash = k == 0 ? cn_world_state_hash(w) : hash;
            CN_TRUE(cn_world_state_hash(w) == hash);
            cn_world_destroy(w);
        }
    }
}

// Radii belong to the state: a restart amid growth goes on with the same bits, whoever defines it
// again; growth that has stopped stays where it was.
CN_TEST(a_restart_goes_on_growing)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *a = make_gas(dim, 1), *b = make_gas(dim, 1);
        const cn_state_part *part;
        int count;
        CN_TRUE(scene_run(a, 5e-3, 60) == 0);
        CN_DO(cn_world_state(a, &part, &count, &test_error));
        CN_DO(cn_world_restore(b, part, count, &test_error));
        CN_TRUE(radius_of(a, 7) == radius_of(b, 7) && radius_of(a, 7) > 0.34);
        CN_TRUE(scene_run(a, 5e-3, 60) == 0);
        CN_TRUE(scene_run(b, 5e-3, 60) == 0);
        CN_TRUE(cn_world_state_hash(a) == cn_world_state_hash(b));
        cn_loads_clear(a);
        double radius = radius_of(a, 7);
        CN_TRUE(scene_run(a, 5e-3, 5) == 0);
        CN_TRUE(radius_of(a, 7) == radius);
        cn_world_destroy(a);
        cn_world_destroy(b);
    }
}

// A step that is refused leaves radii as they were.
CN_TEST(what_cannot_grow_is_refused)
{
    const double at[3] = {0.0, 1.0, 0.0};
    cn_law_def law = cn_law_coulomb(0.5, 0.3);
    cn_world *w = empty(2, 10.0, &law, 1);
    cn_body_id box = scene_box(w, 1.0, 1.0, 0.1, 0.1, 0.0, 0), ball = add_ball(w, 2, 0.1, at, 0);
    cn_growth_def def = {
        .body_count = 1, .body = &box, .from = NAN, .to = 2.0, .t0 = NAN, .duration = 1.0};
    cn_error err;
    CN_TRUE(cn_growth_add(w, &def, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "one disk or sphere") != NULL);
    def.body = &ball;
    def.from = 1.5;
    CN_TRUE(cn_growth_add(w, &def, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "jump from 1 to 1.5") != NULL);
    def.from = 0.5;
    def.to = 0.0;
    CN_TRUE(cn_growth_add(w, &def, &err) == CN_BAD_INPUT);
    def.to = 2.0;
    def.duration = NAN;
    CN_TRUE(cn_growth_add(w, &def, &err) == CN_BAD_INPUT);
    def.duration = 1.0;
    CN_DO(cn_growth_add(w, &def, &test_error));
    CN_NEAR(radius_of(w, 1), 0.05, 0.0, "it begins at once");
    CN_TRUE(cn_world_step(w, 1e-3, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "restitution") != NULL);
    CN_NEAR(radius_of(w, 1), 0.05, 0.0, "a step that failed leaves nothing");
    cn_world_destroy(w);

    law = cn_law_coulomb(0.5, 0.0);
    w = empty(2, 10.0, &law, 1);
    ball = add_ball(w, 2, 0.1, at, 0);
    grow(w, 1, &ball, 3.0, 1e-2);
    CN_TRUE(cn_world_step(w, 1e-3, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "shorten the step") != NULL);
    CN_NEAR(radius_of(w, 0), 0.1, 0.0, "likewise");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(a_growing_ball_lifts_itself); CN_RUN(what_has_no_room_is_told);
        CN_RUN(disks_grow_in_a_drum); CN_RUN(threads_give_the_same_bits);
        CN_RUN(a_restart_goes_on_growing); CN_RUN(what_cannot_grow_is_refused);)
