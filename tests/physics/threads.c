// Whole runs on 1, 2, 3 and 8 threads: the same bits in states, impulses and ledger, whatever the
// shapes, and with one thread or many no memory is taken in a warm step.
#include <stdlib.h>

#include "base/hash.h"
#include "counted.h"
#include "scenes.h"
#include "test.h"
#include "world/world.h"

enum { COLUMNS = 16, LAYERS = 13, COUNT = COLUMNS * COLUMNS * LAYERS };
static const double radius = 0.01;

static void set_threads(cn_world *w, int threads)
{
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NNCG;
    def.sweep_max = 20;
    CN_DO(cn_world_set_solver(w, &def, &test_error));
    w->threads = threads;
}

// A bead of any shape that fits a cube and touches its sides; the polyhedron is a cube without one
// of its corners.
static cn_body_id add_bead(cn_world *w, int k, const double at[3])
{
    double corner[30];
    cn_box_corners(2.0 * radius, 2.0 * radius, 2.0 * radius, corner);
    const double cut[3] = {corner[21], corner[22], corner[23]};
    for (int n = 0; n < 3; n++) {
        for (int d = 0; d < 3; d++) {
            corner[21 + 3 * n + d] = cut[d] * (d == n ? 0.5 : 1.0);
        }
    }
    cn_solid_def kind[4] = {
        {.kind = CN_SOLID_SPHERE, .radius = radius},
        {.kind = CN_SOLID_HULL, .point_count = 10, .point = corner},
        {.kind = CN_SOLID_CYLINDER, .radius = radius, .length = 2.0 * radius},
        {.kind = CN_SOLID_CAPSULE, .radius = 0.5 * radius, .length = radius},
    };
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &kind[k % 4]},
                       .density = 1000.0,
                       .at = {at[0], at[1], at[2]}};
    cn_body_id id = 0;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// A block of beads, each on top of another, some joined to the next one.
static cn_world *beads_world(int shapes, double rolling)
{
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -9.81;
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    CN_DO(cn_law_set(&law, "rolling", rolling, &test_error));
    CN_DO(cn_law_set(&law, "spinning", 0.5 * rolling, &test_error));
    cn_world *w = scene_world_with(&def, &law);
    scene_floor(w, 0.0);
    cn_body_id last = 0;
    for (int k = 0; k < COUNT; k++) {
        int layer = k / (COLUMNS * COLUMNS), row = k / COLUMNS % COLUMNS, column = k % COLUMNS;
        double shake = 1e-3 * (k % 7), pitch = 2.0 * radius;
        const double at[3] = {pitch * (column + shake * layer), pitch * row,
                              radius + pitch * layer};
        cn_body_id id = add_bead(w, shapes == 1 ? 0 : k, at);
        if (k % 40 == 39 && column > 0) {
            cn_joint_def joint = {.kind = CN_JOINT_BALL,
                                  .body = id,
                                  .other = last,
                                  .at = {at[0] - radius, at[1], at[2]}};
            CN_DO(cn_joint_add(w, &joint, NULL, &test_error));
        }
        last = id;
    }
    return w;
}

// A wall with a row of disks on top.
static cn_world *plane_world(void)
{
    cn_world *w = scene_world(0.4, 0.0, 1e-2);
    cn_body_id first;
    scene_wall(w, 25, 40, 0.2, 0.1, &first);
    for (int k = 0; k < 200; k++) {
        scene_disk(w, 0.03 + 0.033 * k, 2.515, 0.015, 0);
    }
    return w;
}

static uint64_t hash_of_run(cn_world *w, int threads, int steps)
{
    set_threads(w, threads);
    scene_run(w, 1e-3, steps);
    uint64_t hash = cn_world_state_hash(w);
    hash = cn_hash_bytes(hash, w->ledger.total, sizeof w->ledger.total);
    hash = cn_hash_bytes(hash, &w->ledger.kinetic, sizeof w->ledger.kinetic);
    hash = cn_hash_bytes(hash, &w->certificate.penetration_rel, sizeof(double));
    hash = cn_hash_bytes(hash, &w->certificate.solver.residual.err_e, sizeof(double));
    CN_TRUE(w->contacts.count > 1000); // enough for four threads
    cn_world_destroy(w);
    return hash;
}

static cn_world *make(int scene)
{
    switch (scene) {
    case 0:
        return beads_world(1, 0.0);
    case 1:
        return beads_world(4, 0.0);
    case 2:
        return beads_world(1, 0.05);
    default:
        return plane_world();
    }
}

CN_TEST(any_number_of_threads_gives_the_same_run)
{
    static const int threads[] = {2, 3, 8};
    for (int scene = 0; scene < 4; scene++) {
        uint64_t one = hash_of_run(make(scene), 1, 3);
        for (int k = 0; k < 3; k++) {
            CN_TRUE(one == hash_of_run(make(scene), threads[k], 3));
        }
    }
}

// 520 sticks far from each other, each of which turns by 2 rad in a step and by 2.5 rad on a peg
// that is across its way when the step is half done: it is seen after the solve only (6.2).
// Whichever thread looks at a stick, its peg stops it like all others.
CN_TEST(threads_leave_out_no_body_that_turns)
{
    enum { STICKS = 520 }; // enough for two threads
    const double h = 0.05, spin = 2.0 / h;
    cn_world *w = scene_world(0.0, 0.0, 1e-10);
    cn_body_id stick[STICKS];
    CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
    for (int k = 0; k < STICKS; k++) {
        stick[k] = scene_box(w, 4.0 * k, 0.0, 1.0, 0.04, 0.0, 0);
        scene_set_velocity(w, stick[k], 0.0, 0.0, spin);
        scene_disk(w, 4.0 * k + 0.4 * cos(2.5), 0.4 * sin(2.5), 0.02, CN_FIXED_ALL);
    }
    set_threads(w, 2);
    scene_run(w, h, 1);
    for (int k = 0; k < STICKS; k++) {
        CN_TRUE(scene_state(w, stick[k]).angular_velocity[2] < 0.9 * spin);
    }
    cn_world_destroy(w);
}

// The lists of threads keep their room too.
CN_TEST(warm_step_of_threads_allocates_nothing)
{
    counted memory = {0};
    cn_hooks hooks = counted_hooks(&memory);
    cn_world_def def = cn_world_def_default();
    def.hooks = &hooks;
    def.threads = 3;
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_packing(w, 900, 0.01);
    set_threads(w, 3);
    scene_run(w, 2e-3, 400);
    long before = memory.calls;
    scene_run(w, 2e-3, 20);
    CN_TRUE(memory.calls == before);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(threads_leave_out_no_body_that_turns);
        CN_RUN(any_number_of_threads_gives_the_same_run);
        CN_RUN(warm_step_of_threads_allocates_nothing);)
