// Stress, fabric and coordination of bodies whose forces are known on paper (chapter 14).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyse.h"
#include "sample_number.h"
#include "scenes.h"
#include "test.h"

enum { BODY_MAX = 400 };
static bool is_in[BODY_MAX];
static int room[CN_SAMPLE_ROOM * BODY_MAX];
static double given;

// All bodies that can move.
static cn_sample sample_of(const cn_world *w, double volume)
{
    cn_view view = cn_world_view(w);
    cn_sample s = cn_sample_of_view(&view);
    CN_TRUE(view.body_count <= BODY_MAX);
    for (int i = 0; i < view.body_count; i++) {
        is_in[i] = view.fixed[i] == 0;
    }
    s.is_in = is_in;
    s.room = room;
    given = volume;
    s.param = &given;
    return s;
}

// A disk at rest: its weight at the arm R below it. In space likewise.
CN_TEST(weight_of_one_body)
{
    const double R = 0.1, h = 1e-3;
    cn_world *w = scene_world(0.5, 0.0, 1e-12);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id disk = scene_disk(w, 0.0, R, R, 0);
    scene_run(w, h, 3);
    double exact = scene_state(w, disk).mass * 9.81 * R / 0.5;
    cn_sample s = sample_of(w, 0.5);
    CN_NEAR(number(&s, "stress", "yy"), exact, 1e-9 * exact, "accuracy of the solve");
    CN_NEAR(number(&s, "stress", "xx"), 0.0, 1e-9 * exact, "no force along x");
    CN_NEAR(number(&s, "stress", "p"), 0.5 * exact, 1e-9 * exact, "half of the trace");
    CN_NEAR(number(&s, "stress", "q"), 0.5 * exact, 1e-9 * exact, "radius of Mohr's circle");
    CN_NEAR(number(&s, "stress", "kinetic"), 0.0, 1e-12 * exact, "one body has no fluctuation");
    cn_world_destroy(w);

    w = scene_space(0.5, 0.0, 1e-12);
    scene_floor(w, 0.0);
    cn_body_id ball = scene_sphere(w, 0.0, 0.0, R, R);
    scene_run(w, h, 3);
    exact = scene_state(w, ball).mass * 9.81 * R / 0.5;
    s = sample_of(w, 0.5);
    CN_NEAR(number(&s, "stress", "zz"), exact, 1e-9 * exact, "accuracy of the solve");
    CN_NEAR(number(&s, "stress", "p"), exact / 3.0, 1e-9 * exact, "a third of the trace");
    CN_NEAR(number(&s, "stress", "q"), exact, 1e-9 * exact, "one principal stress alone");
    cn_world_destroy(w);
}

// A wall of the box: free along one axis, pushed by F against the disk.
static void add_piston(cn_world *w, int axis, double F, double at)
{
    const double side[2] = {axis == 0 ? 0.02 : 0.15, axis == 0 ? 0.15 : 0.02};
    double x[2] = {0.0, 0.0};
    x[axis] = at + 0.01;
    unsigned fixed = CN_FIXED_ALL & ~(1u << axis);
    cn_body_id wall = scene_box(w, x[0], x[1], side[0], side[1], 0.0, fixed);
    cn_force_def push = {.body = wall, .f = cn_constant(F)};
    push.direction[axis] = -1.0;
    CN_DO(cn_force_add(w, &push, &test_error));
}

// A disk between two fixed and two pushed walls: the stress of a wall is its force over the side.
CN_TEST(the_box_of_the_walls)
{
    const double R = 0.1, F = 30.0;
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, -R, 0.0);
    scene_ground(w, -R, 0.0, -0.5 * CN_PI);
    scene_disk(w, 0.0, 0.0, R, 0);
    add_piston(w, 0, F, R);
    add_piston(w, 1, 2.0 * F, R);
    scene_run(w, 1e-3, 5);
    cn_sample s = sample_of(w, 0.0);
    CN_NEAR(cn_sample_volume(&s, 0.0), 4.0 * R * R, 1e-9, "walls touch within rounding");
    CN_NEAR(number(&s, "stress", "xx"), F / (2.0 * R), 1e-6 * F, "force over the side");
    CN_NEAR(number(&s, "stress", "yy"), 2.0 * F / (2.0 * R), 1e-6 * F, "force over the side");
    s.contact_count--; // a wall is missing: whatever the other points span is no volume
    CN_TRUE(isnan(cn_sample_volume(&s, 0.0)) && isnan(number(&s, "stress", "p")));
    cn_world_destroy(w);
}

// Whether a selection is at rest or not, forces at its boundary, weights and accelerations make up
// the moments of its contacts (14.3): 100 disks that fall into a box.
CN_TEST(boundary_and_contacts_agree)
{
    const double h = 2e-3, g[2] = {0.0, -9.81};
    cn_world *w = scene_world(0.4, 0.0, 1e-8);
    double v[3 * BODY_MAX], boundary[4] = {0.0}, scale = 0.0;
    scene_packing(w, 100, 0.05);
    scene_run(w, h, 150);
    memcpy(v, cn_world_view(w).v, sizeof(double) * 3 * (size_t)cn_world_view(w).body_count);
    scene_run(w, h, 1);
    cn_sample s = sample_of(w, 1.0);
    CN_TRUE(s.contact_count > 100);
    for (int a = 0; a < s.contact_count; a++) {
        const cn_contact *c = &s.contact[a];
        double r[3];
        cn_contact_impulse(c, 2, r);
        for (int k = 0; k < 4; k++) {
            double moment = r[k / 2] * c->point[k % 2] / h;
            boundary[k] -= (is_in[c->i] - is_in[c->j]) * moment;
            scale += fabs(moment);
        }
    }
    for (int i = 0; i < s.body_count; i++) {
        for (int k = 0; k < 4 && is_in[i]; k++) {
            int d = k / 2;
            double force = s.mass[i] * ((s.v[3 * i + d] - v[3 * i + d]) / h - g[d]);
            boundary[k] += force * s.q[3 * i + k % 2];
        }
    }
    const char *name[4] = {"xx", "xy", "yx", "yy"};
    for (int k = 0; k < 4; k++) {
        CN_NEAR(number(&s, "stress", name[k]), boundary[k], 1e-12 * scale, "rounding");
    }
    cn_world_destroy(w);
}

// Three disks in a heap, and one that falls: top has two neighbours, the others the ground and it.
CN_TEST(neighbours_and_rattlers)
{
    const double R = 0.1;
    cn_world *w = scene_world(0.6, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_disk(w, -1.05 * R, R, R, 0);
    scene_disk(w, 1.05 * R, R, R, 0);
    scene_disk(w, 0.0, R + sqrt(4.0 - 1.05 * 1.05) * R, R, 0);
    scene_disk(w, 0.0, 50.0 * R, R, 0);
    scene_run(w, 1e-3, 5);
    cn_sample s = sample_of(w, 1.0);
    CN_TRUE(number(&s, "coordination", "z") == 6.0 / 4.0);
    CN_TRUE(number(&s, "coordination", "z_held") == 6.0 / 3.0);
    CN_TRUE(number(&s, "coordination", "rattlers") == 1.0 / 4.0);
    CN_TRUE(number(&s, "coordination", "contacts") == 4.0);
    CN_TRUE(number(&s, "coordination", "sliding") == 0.0);
    cn_world_destroy(w);

    w = scene_world(0.0, 0.0, 1e-10); // without friction a column holds nothing
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_disk(w, 0.0, R, R, 0);
    scene_disk(w, 0.0, 3.0 * R, R, 0);
    scene_run(w, 1e-3, 5);
    s = sample_of(w, 1.0);
    CN_TRUE(number(&s, "coordination", "z") == 1.5);
    CN_TRUE(number(&s, "coordination", "rattlers") == 1.0);
    CN_TRUE(isnan(number(&s, "coordination", "z_held")));
    cn_world_destroy(w);
}

// A block on the ground has two points and one neighbour.
CN_TEST(a_pair_counts_once)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_box(w, 0.0, 0.1, 0.4, 0.2, 0.0, 0);
    scene_run(w, 1e-3, 3);
    cn_sample s = sample_of(w, 1.0);
    CN_TRUE(number(&s, "coordination", "z") == 1.0);
    CN_TRUE(number(&s, "coordination", "contacts") == 2.0);
    cn_world_destroy(w);
}

// A column: all contacts point up. The floor is no part of it.
CN_TEST(fabric_of_a_column)
{
    const double R = 0.1;
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < 4; k++) {
        scene_disk(w, 0.0, R * (1.0 + 2.0 * k), R, 0);
    }
    scene_run(w, 1e-3, 3);
    cn_sample s = sample_of(w, 1.0);
    CN_NEAR(number(&s, "fabric", "yy"), 1.0, 1e-12, "rounding");
    CN_NEAR(number(&s, "fabric", "a"), 2.0, 1e-12, "2 (F1 - F2)");
    CN_NEAR(fabs(number(&s, "fabric", "angle")), 0.5 * CN_PI, 1e-9, "upright");
    CN_TRUE(number(&s, "fabric", "contacts") == 3.0);
    cn_world_destroy(w);

    w = scene_space(0.5, 0.0, 1e-10);
    scene_floor(w, 0.0);
    for (int k = 0; k < 3; k++) {
        scene_sphere(w, 0.0, 0.0, R * (1.0 + 2.0 * k), R);
    }
    scene_run(w, 1e-3, 3);
    s = sample_of(w, 1.0);
    CN_NEAR(number(&s, "fabric", "zz"), 1.0, 1e-12, "rounding");
    CN_NEAR(number(&s, "fabric", "a"), 7.5, 1e-11, "15/2 (F1 - F3)");
    cn_world_destroy(w);
}

CN_TEST(quantities_by_name)
{
    CN_TRUE(cn_analysis_named("porridge") == NULL && cn_analysis_named(NULL) == NULL);
    for (int k = 0; cn_analysis_at(k) != NULL; k++) {
        const cn_analysis *x = cn_analysis_at(k);
        const char *columns[2] = {x->plane, x->space};
        CN_TRUE(cn_analysis_named(x->name) == x);
        for (int dim = 0; dim < 2; dim++) {
            int count = 1;
            for (const char *c = columns[dim]; *c != '\0'; c++) {
                count += *c == ' ';
            }
            CN_TRUE(count <= CN_ANALYSIS_MOST);
        }
    }
}

CN_MAIN(CN_RUN(weight_of_one_body); CN_RUN(the_box_of_the_walls);
        CN_RUN(boundary_and_contacts_agree); CN_RUN(neighbours_and_rattlers);
        CN_RUN(a_pair_counts_once); CN_RUN(fabric_of_a_column); CN_RUN(quantities_by_name);)
