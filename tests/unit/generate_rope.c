// Ropes: where their links lie, what joins them, and when one slips around a pulley.
#include <stdio.h>

#include "cairn/scene.h"
#include "cairn/view.h"
#include "generate/generate.h"
#include "scene/model.h"

#include "scene_text.h"
#include "strict.h"
#include "test.h"

// The end of a link, side -1 or 1.
static cn_vec3 end_of(const cn_piece *p, int dim, double side)
{
    cn_vec3 axis = cn_v3(cos(p->angle), sin(p->angle), 0.0);
    if (dim == 3) {
        cn_mat3 R = cn_quat_matrix((cn_quat){p->turn[0], p->turn[1], p->turn[2], p->turn[3]});
        axis = cn_mat3_mul(&R, cn_v3(0.0, 0.0, 1.0));
    }
    return cn_add_mul3(cn_v3(p->at[0], p->at[1], p->at[2]), 0.5 * side * p->length, axis);
}

static void check_ends(const cn_rope_def *def, int dim, double middle)
{
    cn_pieces rope = {.dim = dim};
    CN_DO(cn_generate_rope(def, &rope, &test_error));
    CN_TRUE(rope.count == def->links && rope.piece[2].index[1] == 3);
    for (int k = 0; k + 1 < rope.count; k++) {
        cn_vec3 knot = end_of(&rope.piece[k], dim, 1.0),
                next = end_of(&rope.piece[k + 1], dim, -1.0);
        CN_NEAR(cn_norm3(cn_sub3(knot, next)), 0.0, 1e-12, "end on end");
    }
    cn_vec3 first = end_of(&rope.piece[0], dim, -1.0);
    cn_vec3 last = end_of(&rope.piece[rope.count - 1], dim, 1.0);
    CN_NEAR(cn_norm3(cn_sub3(first, cn_v3(def->from[0], def->from[1], def->from[2]))), 0.0, 1e-12,
            "it begins there");
    CN_NEAR(cn_norm3(cn_sub3(last, cn_v3(def->to[0], def->to[1], def->to[2]))), 0.0, 1e-12,
            "it ends there");
    CN_NEAR(rope.piece[def->links / 2].at[dim - 1], middle, 1e-12, "its middle");
    cn_pieces_free(&rope);
}

CN_TEST(links_lie_end_on_end)
{
    // seven links: the middle one lies straight below or above; 8 links of a straight one
    cn_rope_def straight = {
        .links = 8, .from = {-1.0, 2.0}, .to = {3.0, 2.0}, .length = NAN, .radius = 0.01};
    check_ends(&straight, 2, 2.0);
    // a half circle of the polygon: Rm = l/(2 tan(pi/14)) below its chord
    double l = 2.0 * sin(CN_PI / 14.0), middle = cos(CN_PI / 14.0);
    for (int bend = 0; bend < 2; bend++) {
        cn_rope_def plane = {.links = 7,
                             .from = {-1.0, 0.5},
                             .to = {1.0, 0.5},
                             .length = 7.0 * l,
                             .bend = bend,
                             .radius = 0.01};
        check_ends(&plane, 2, 0.5 + (bend == 0 ? -middle : middle));
        cn_rope_def space = {.links = 7,
                             .from = {-0.6, 0.8, 0.5},
                             .to = {0.6, -0.8, 0.5},
                             .length = 7.0 * l,
                             .bend = bend,
                             .radius = 0.01};
        check_ends(&space, 3, 0.5 + (bend == 0 ? -middle : middle));
    }
}

CN_TEST(what_does_not_reach_is_refused)
{
    cn_pieces rope = {.dim = 2};
    cn_rope_def def = {.links = 8, .to = {1.0, 0.0}, .length = 0.9, .radius = 0.01};
    CN_TRUE(cn_generate_rope(&def, &rope, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "does not reach") != NULL);
    def = (cn_rope_def){.links = 8, .to = {0.0, 1.0}, .length = 1.5, .radius = 0.01};
    CN_TRUE(cn_generate_rope(&def, &rope, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "above each other") != NULL);
    cn_pieces_free(&rope);
}

// Way down of the heavier of two weights that a rope of 18 links around a fixed pulley joins [m].
static double slip(double heavier)
{
    char text[1600];
    const double x = 0.506929, length = 1.590552; // its middles touch a circle of 0.505 m
    snprintf(
        text, sizeof text,
        "cairn: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "materials: {iron: {density: 7800}, cord: {density: 100}}\n"
        "laws: {dry: {type: coulomb, friction: 0.3}}\n"
        "contacts: [{between: [any, any], law: dry}]\n"
        "bodies:\n"
        "  pulley: {shape: {disk: {radius: 0.5}}, material: iron, fixed: true}\n"
        "  cord: {generate: {rope: {from: [-%.9g, 0], to: [%.9g, 0], length: %.9g, links: 18,\n"
        "    bend: above, radius: 5e-3}}, material: cord}\n"
        "  light: {shape: {disk: {radius: 0.05}}, mass: 10, at: [-%.9g, -0.3]}\n"
        "  heavy: {shape: {disk: {radius: 0.05}}, mass: %g, at: [%.9g, -0.3]}\n"
        "joints:\n"
        "  knots: {net: {of: cord, ends: true, reach: 1e-6}, ball: {}}\n"
        "  left: {between: [light, cord.first], ball: [-%.9g, 0]}\n"
        "  right: {between: [heavy, cord.last], ball: [%.9g, 0]}\n"
        "stages: [{step: 2e-3, duration: 0.2}]\n",
        x, x, length, x, heavier, x, x, x);
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    lines[0] = '\0';
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, keep, NULL, &scene,
                        &test_error));
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    for (int n = 0; n < 100; n++) {
        CN_DO(cn_world_step(w, 2e-3, &test_error));
    }
    cn_view v = cn_world_view(w);
    double way = -0.3 - v.q[3 * (v.body_count - 1) + 1];
    cn_world_destroy(w);
    cn_scene_destroy(scene);
    return way;
}

// 18 contacts hold R = 2.573 (L15); free fall would be 0.2 m, that of a ratio of 3.2 by what
// is not held, (3.2 - R) / (3.2 + R) of it.
CN_TEST(a_rope_slips_around_a_pulley_as_euler_has_it)
{
    CN_NEAR(slip(24.0), 0.0, 2e-3, "held; the rope settles on its knots");
    CN_NEAR(slip(32.0), 0.5 * 9.81 * 0.04 * 0.627 / 5.773, 4e-3, "links round the end by degrees");
}

CN_MAIN(CN_RUN(links_lie_end_on_end); CN_RUN(what_does_not_reach_is_refused);
        CN_RUN(a_rope_slips_around_a_pulley_as_euler_has_it);)
