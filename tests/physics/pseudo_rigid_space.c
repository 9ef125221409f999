// Pseudo-rigid polyhedra in space touch like rigid ones: with faces, edges and corners (11.30).
#include "test.h"

#include <math.h>

#include "grids.h"
#include "scenes.h"

// Two blocks, the lower one about the origin.
typedef struct pair {
    double low[3], high[3];           // sizes [m]
    double at[3];                     // of the upper one [m]
    double turn_low[4], turn_high[4]; // quaternions
} pair;

#define HALF(angle) cos(0.5 * (angle))
#define SINE(angle) sin(0.5 * (angle))

static cn_material_def stone(double E)
{
    cn_material_def material = grid_elastic(E, 0.2, 2000.0);
    material.kinematics = CN_COROTATIONAL;
    return material;
}

// With four cells on every face, whose nodes are no corners.
static cn_body_id turning_block(cn_world *w, const double at[3], const double size[3],
                                const double turn[4], const double rate[3], unsigned fixed,
                                double E)
{
    double lo[3] = {-0.5 * size[0], -0.5 * size[1], -0.5 * size[2]};
    grid *g = grid_make(3, CN_HEX8, (int[]){2, 2, 2}, lo, size, stone(E));
    g->def.is_pseudo_rigid = true;
    cn_body_def def = cn_body_def_default();
    cn_body_id id;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.fixed = fixed;
    memcpy(def.at, at, sizeof def.at);
    memcpy(def.rotation, turn, sizeof def.rotation);
    memcpy(def.angular_velocity, rate, sizeof def.angular_velocity);
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    grid_free(g);
    return id;
}

static const double ORIGIN[3] = {0.0, 0.0, 0.0};

static cn_body_id soft_block(cn_world *w, const double at[3], const double size[3],
                             const double turn[4], unsigned fixed, double E)
{
    return turning_block(w, at, size, turn, ORIGIN, fixed, E);
}

static const unsigned AXES = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_Z;

static cn_body_id add(cn_world *w, bool is_soft, const double at[3], const double size[3],
                      const double turn[4], bool is_fixed, double E)
{
    return is_soft ? soft_block(w, at, size, turn, is_fixed ? AXES : 0, E)
                   : scene_block(w, at, size, turn, is_fixed ? CN_FIXED_ALL : 0);
}

static cn_world *make(const pair *p, bool is_low_soft, bool is_high_soft, double E, cn_body_id *id)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    CN_DO(cn_world_set_scheme(w, 1.0, -1.0, &test_error));
    add(w, is_low_soft, ORIGIN, p->low, p->turn_low, true, E);
    *id = add(w, is_high_soft, p->at, p->high, p->turn_high, false, E);
    return w;
}

// Distance of a contact from the nearest of another world, in point, normal and gap.
static double off(const cn_contact *x, const cn_view *other)
{
    double best = INFINITY;
    for (int a = 0; a < other->contact_count; a++) {
        const cn_contact *y = &other->contact[a];
        double sum = fabs(x->gap - y->gap);
        for (int k = 0; k < 3; k++) {
            sum += fabs(x->point[k] - y->point[k]) + fabs(x->normal[k] - y->normal[k]);
        }
        best = fmin(best, sum);
    }
    return best;
}

static void compare(const pair *p, int least)
{
    cn_body_id id;
    cn_world *rigid = make(p, false, false, 0.0, &id);
    CN_DO(cn_world_detect(rigid, 0.02, &test_error));
    cn_view of_rigid = cn_world_view(rigid);
    CN_TRUE(of_rigid.contact_count >= least);
    for (int k = 1; k < 4; k++) {
        cn_world *soft = make(p, (k & 1) != 0, (k & 2) != 0, 1e9, &id);
        CN_DO(cn_world_detect(soft, 0.02, &test_error));
        cn_view of_soft = cn_world_view(soft);
        CN_NEAR(of_soft.contact_count, of_rigid.contact_count, 0.0, "the same points");
        for (int a = 0; a < of_soft.contact_count; a++) {
            CN_NEAR(off(&of_soft.contact[a], &of_rigid), 0.0, 1e-12, "the same polyhedra");
        }
        cn_world_destroy(soft);
    }
    cn_world_destroy(rigid);
}

// Two bars with an edge up and an edge down that cross at right angles, and touch in one point.
static pair crossed(double gap)
{
    const double side = 0.2, up = 0.5 * side * sqrt(2.0);
    return (pair){.low = {1.0, side, side},
                  .high = {side, 1.0, side},
                  .at = {0.05, 0.1, 2.0 * up + gap},
                  .turn_low = {HALF(CN_PI / 4), SINE(CN_PI / 4), 0.0, 0.0},
                  .turn_high = {HALF(CN_PI / 4), 0.0, SINE(CN_PI / 4), 0.0}};
}

CN_TEST(points_are_those_of_rigid_blocks)
{
    const double plain[4] = {1.0, 0.0, 0.0, 0.0};
    pair stack = {.low = {0.6, 0.6, 0.2}, .high = {0.6, 0.6, 0.3}, .at = {0.0, 0.0, 0.251}};
    memcpy(stack.turn_low, plain, sizeof plain);
    memcpy(stack.turn_high, (double[4]){HALF(0.6), 0.0, 0.0, SINE(0.6)}, sizeof plain);
    compare(&stack, 4);
    pair tilted = {.low = {0.6, 0.6, 0.2}, .high = {0.3, 0.3, 0.3}, .at = {0.32, 0.0, 0.26}};
    memcpy(tilted.turn_low, plain, sizeof plain);
    memcpy(tilted.turn_high, (double[4]){HALF(0.7), 0.0, SINE(0.7), 0.0}, sizeof plain);
    compare(&tilted, 1);
    pair bars = crossed(0.005);
    compare(&bars, 1);
}

// What is stretched touches where it is: the lower bar is taller by its half diagonal times 0.05.
CN_TEST(a_stretched_bar_is_met_where_it_is)
{
    pair bars = crossed(0.05);
    cn_body_id id;
    cn_world *w = make(&bars, true, true, 1e9, &id);
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, 1, &nodes, &test_error));
    double x[81];
    for (int k = 0; k < 3 * nodes.node_count; k++) {
        x[k] = (k % 3 == 2 ? 1.05 : 1.0) * nodes.x[k];
    }
    CN_DO(cn_body_set_nodes(w, 1, x, NULL, &test_error));
    CN_DO(cn_world_detect(w, 0.06, &test_error));
    cn_view view = cn_world_view(w);
    CN_NEAR(view.contact_count, 1.0, 0.0, "edges that cross have one point");
    CN_NEAR(view.contact[0].gap, 0.05 - 0.05 * 0.1 * sqrt(2.0), 1e-12, "it is taller");
    cn_world_destroy(w);
}

// A bar that lies on an edge, edge to edge, is carried: nothing moves in 0.1 s but by what presses.
CN_TEST(edges_carry)
{
    for (int k = 1; k < 4; k++) {
        pair bars = crossed(0.0);
        bars.at[0] = bars.at[1] = 0.0;
        cn_body_id id;
        cn_world *w = make(&bars, (k & 1) != 0, (k & 2) != 0, 1e9, &id);
        CN_TRUE(scene_run(w, 1e-3, 100) == 0);
        CN_NEAR(scene_state(w, id).position[2], bars.at[2], 1e-5, "free fall would be 0.05 m");
        cn_view view = cn_world_view(w);
        CN_NEAR(view.contact_count, 1.0, 0.0, "one point");
        CN_NEAR(view.contact[0].r[0] / 1e-3, 2000.0 * 0.04 * 9.81, 1.0, "weight; theta 1 damps");
        cn_world_destroy(w);
    }
}

// A tilted block turns over the edge of another one: when stiff, like a rigid block.
CN_TEST(stiff_blocks_fall_like_rigid_ones)
{
    pair p = {.low = {0.6, 0.6, 0.2},
              .high = {0.3, 0.4, 0.3},
              .at = {0.2, 0.1, 0.40},
              .turn_low = {1.0, 0.0, 0.0, 0.0},
              .turn_high = {0.9, 0.3, 0.3, 0.1}};
    cn_body_state state[2];
    for (int k = 0; k < 2; k++) {
        cn_body_id id;
        cn_world *w = make(&p, k == 1, k == 1, 1e10, &id);
        CN_TRUE(scene_run(w, 5e-4, 400) == 0);
        state[k] = scene_state(w, id);
        cn_world_destroy(w);
    }
    CN_TRUE(state[0].position[0] < 0.19); // it turns over the edge
    for (int d = 0; d < 3; d++) {
        CN_NEAR(state[1].position[d], state[0].position[d], 1e-4, "first impacts differ by a step");
    }
}

// A block that leans on one corner claps down on the cap of a drum, which is no polyhedron: corners
// that the step brings down are met in it. Met in the next one they would be deep by what they have
// moved, and thrown up by that.
CN_TEST(corners_that_clap_down_on_a_drum_are_met_when_they_do)
{
    const double size[3] = {0.4, 0.4, 0.1}, tilt = 0.02, rate = 30.0, h = 1e-3;
    const double half = sqrt(0.5), across = 0.4 * half; // of the lower face
    cn_world *w = scene_space(0.3, 0.0, 1e-10);
    cn_solid_def drum = {.kind = CN_SOLID_CYLINDER, .radius = 2.0, .length = 1.0};
    drum.at[2] = -0.5;
    drum.rotation[0] = 1.0;
    cn_body_def def = {.type = CN_BODY_SOLIDS, .solids = {1, &drum}, .fixed = CN_FIXED_ALL};
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    const double at[3] = {0.0, 0.0, across * sin(tilt) + 0.05 * cos(tilt) + 1e-5};
    const double turn[4] = {HALF(tilt), half * SINE(tilt), half * SINE(tilt), 0.0};
    turning_block(w, at, size, turn, (double[3]){-half * rate, -half * rate, 0.0}, 0, 1e9);
    double low = INFINITY;
    for (int k = 0; k < 10; k++) {
        CN_DO(cn_world_step(w, h, &test_error));
        cn_view view = cn_world_view(w);
        low = fmin(low, -view.certificate->penetration);
    }
    CN_NEAR(low, 0.0, 1e-4 * size[2], "of second order in the angle of a step");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(points_are_those_of_rigid_blocks);
        CN_RUN(corners_that_clap_down_on_a_drum_are_met_when_they_do);
        CN_RUN(a_stretched_bar_is_met_where_it_is); CN_RUN(edges_carry);
        CN_RUN(stiff_blocks_fall_like_rigid_ones);)
