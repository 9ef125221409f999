// What a solver holds per contact of rigid bodies in space, and a world per sphere.
#include <math.h>

#include "counted.h"
#include "scenes.h"
#include "solve/solver.h"
#include "strict.h"
#include "test.h"
#include "world/world.h"

enum { SIDE = 10 }; // bodies along each edge of the stack; blocks make several zones

// Layers on a floor, each shifted by half a body against the one below: spheres in the hollows,
// blocks across the joints. The first body is at x = `from` [m].
static cn_world *stack(bool is_block, double from, const cn_hooks *hooks)
{
    const double radius = 0.005, pitch = 2.04 * radius;
    double rise = is_block ? 2.0 * radius : sqrt(4.0 * radius * radius - 0.5 * pitch * pitch);
    cn_world_def def = cn_world_def_default();
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -9.81;
    def.hooks = hooks;
    cn_world *w = scene_world_with(&def, &law);
    scene_floor(w, 0.0);
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        int layer = k / (SIDE * SIDE);
        double shift = layer % 2 ? 0.5 : 0.0;
        double x = from + pitch * (k % SIDE + shift), y = pitch * (k / SIDE % SIDE + shift);
        if (is_block) {
            const double at[3] = {x, y, radius + rise * layer};
            const double size[3] = {2.0 * radius, 2.0 * radius, 2.0 * radius};
            scene_block(w, at, size, NULL, 0);
        } else {
            scene_sphere(w, x, y, radius + rise * layer, radius);
        }
    }
    scene_run(w, 1e-3, 2);
    return w;
}

static double bytes_per_contact(bool is_block, double from)
{
    cn_world *w = stack(is_block, from, NULL);
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.method = CN_METHOD_NNCG;
    def.sweep_max = 20;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_status solved = test_solve(&w->problem, &def, s, &report, &test_error);
    CN_TRUE(solved == CN_OK || solved == CN_MISSED);
    CN_TRUE(s->packed_count > 3 * SIDE * SIDE * (SIDE - 1)); // about four per sphere
    CN_TRUE(s->batches.rest_count == 0);
    for (int n = 0; n < s->batches.batch_count; n++) {
        CN_TRUE(s->batches.batch[n].kind == (is_block ? CN_SIMD_ARM : CN_SIMD_BALL));
    }
    CN_TRUE(4 * s->batches.batch_count < 1.03 * s->packed_count); // lanes that repeat another
    double bytes = (double)cn_solver_bytes(s) / s->packed_count;
    cn_solver_destroy(s);
    cn_world_destroy(w);
    return bytes;
}

CN_TEST(spheres_take_less_than_400_bytes_per_contact)
{
    CN_TRUE(bytes_per_contact(false, 0.0) < 400.0);
}

// 5 mm spheres at 100 m: arms are off by a thousand roundings, and are still those of balls.
CN_TEST(spheres_far_from_the_origin_are_visited_as_balls)
{
    CN_TRUE(bytes_per_contact(false, 100.0) < 400.0);
}

CN_TEST(blocks_take_less_than_400_bytes_per_contact)
{
    CN_TRUE(bytes_per_contact(true, 0.0) < 400.0);
}

// 10^6 spheres with 3.2 contacts each fit in 3.5 GB. Arrays of few bodies, as here, have room to
// grow by an eighth where those of many have a thirty-second.
CN_TEST(a_sphere_and_its_contacts_take_less_than_4200_bytes)
{
    counted memory = {0};
    cn_hooks hooks = counted_hooks(&memory);
    cn_world *w = stack(false, 0.0, &hooks);
    CN_TRUE(w->contacts.count > 3.3 * SIDE * SIDE * SIDE);
    CN_TRUE((double)memory.most < 4200.0 * SIDE * SIDE * SIDE);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(spheres_take_less_than_400_bytes_per_contact);
        CN_RUN(spheres_far_from_the_origin_are_visited_as_balls);
        CN_RUN(blocks_take_less_than_400_bytes_per_contact);
        CN_RUN(a_sphere_and_its_contacts_take_less_than_4200_bytes);)
