// Bars of tensegrity prisms, and nets and threads that join bodies.
#include "cairn/scene.h"
#include "cairn/view.h"
#include "generate/generate.h"
#include "scene/model.h"

#include "scene_text.h"
#include "strict.h"
#include "test.h"

#define HEAD(dim)                                                                                  \
    "cairn: 1\ndimension: " dim "\nmaterials: {stone: {density: 2000}}\n"                          \
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"
#define STAGE "stages: [{step: 1e-3, duration: 0.1}]\n"
#define TOWER                                                                                      \
    HEAD("3")                                                                                      \
    "bodies:\n  tower: {generate: {tensegrity: {levels: 2, radius: 1, height: 1.2, bar: 0.03}},"   \
    " material: stone}\n" STAGE
#define GRID                                                                                       \
    HEAD("2")                                                                                      \
    "bodies:\n  net: {generate: {grid: {columns: 5, rows: 4, spacing: [1, 1], shape: {disk: "      \
    "{radius: 0.1}}}}, material: stone}\n" STAGE

static cn_scene *read(const char *text)
{
    cn_scene *scene = NULL;
    lines[0] = '\0';
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, keep, NULL, &scene,
                        &test_error));
    return scene;
}

static int joints_of(const char *text)
{
    cn_scene *scene = read(text);
    int count = scene != NULL ? scene->joint[0].count : -1;
    cn_scene_destroy(scene);
    return count;
}

static void refuse(const char *text, const char *wanted)
{
    cn_scene *scene = NULL;
    cn_error err = {0};
    lines[0] = '\0';
    cn_status status =
        cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, keep, NULL, &scene, &err);
    cn_scene_destroy(scene);
    CN_TRUE(status == CN_BAD_INPUT && strstr(lines, wanted) != NULL);
}

static cn_vec3 end_of(const cn_piece *p, double side)
{
    cn_mat3 R = cn_quat_matrix((cn_quat){p->turn[0], p->turn[1], p->turn[2], p->turn[3]});
    cn_vec3 axis = cn_mat3_mul(&R, cn_v3(0.0, 0.0, 1.0));
    return cn_add_mul3(cn_v3(p->at[0], p->at[1], p->at[2]), 0.5 * side * p->length, axis);
}

// The prism of three bars, radius 1 m, height 1.2 m: bars 2.274214, cables 1.732051 and 1.306885 m.
CN_TEST(a_tower_is_made_of_prisms)
{
    cn_pieces bars = {.dim = 3};
    cn_tensegrity_def def = {
        .bars = 3, .levels = 2, .radius = 1.0, .height = 1.2, .bar = 0.03, .twist = NAN};
    CN_DO(cn_generate_tensegrity(&def, &bars, &test_error));
    CN_TRUE(bars.count == 6 && bars.piece[4].index[0] == 2 && bars.piece[4].index[1] == 2);
    for (int k = 0; k < 3; k++) {
        cn_vec3 bottom = end_of(&bars.piece[k], -1.0), top = end_of(&bars.piece[k], 1.0);
        cn_vec3 next = end_of(&bars.piece[(k + 1) % 3], -1.0),
                up = end_of(&bars.piece[3 + k], -1.0);
        CN_NEAR(bars.piece[k].length, 2.274214, 1e-6, "bar");
        CN_NEAR(cn_norm3(cn_sub3(next, bottom)), 1.732051, 1e-6, "around");
        CN_NEAR(cn_norm3(cn_sub3(next, top)), 1.306885, 1e-6, "up, to the bottom end behind it");
        CN_NEAR(cn_norm3(cn_sub3(up, top)), 0.0, 1e-14, "the next level stands on the ends");
        CN_NEAR(bottom.z, 0.03, 1e-15, "it stands on the ground");
    }
    def.bars = 2;
    CN_TRUE(cn_generate_tensegrity(&def, &bars, &test_error) == CN_BAD_INPUT);
    cn_pieces_free(&bars);
}

CN_TEST(a_net_joins_what_is_near)
{
    CN_TRUE(joints_of(GRID "joints: {x: {net: {of: net, reach: 1.01}, cable: {}}}\n") == 31);
    CN_TRUE(joints_of(GRID "joints: {x: {net: {of: net, reach: 1.5, beyond: 1.1}, cable: {}}}\n") ==
            24);
    // knots: 3; cables of two levels whose shared ends are one node: 3 x 3 around, 2 x 3 up
    CN_TRUE(joints_of(TOWER
                      "joints: {x: {net: {of: tower, ends: true, reach: 1e-6}, ball: {}}}\n") == 3);
    CN_TRUE(joints_of(TOWER "joints: {x: {net: {of: tower, ends: true, reach: 1.8, beyond: 0.1}, "
                            "cable: {stiffness: 1e5, prestrain: 0.01}}}\n") == 15);
}

// The lengths that a prestrain leaves, of joints from end to end.
CN_TEST(a_prestrain_is_a_share_of_the_distance)
{
    cn_scene *scene = read(
        HEAD("3") "bodies:\n  prism: {generate: {tensegrity: {radius: 1, height: 1.2, bar: 0.03}}, "
                  "material: stone}\n" STAGE "joints: {x: {net: {of: prism, ends: true, reach: "
                  "1.8}, cable: {stiffness: 1e5, prestrain: 0.01}}}\n");
    cn_world *w = NULL;
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    CN_DO(cn_world_step(w, 1e-6, &test_error));
    cn_view v = cn_world_view(w);
    for (int k = 0; k < v.joint_count; k++) {
        const double *p = v.joint[k].impulse;
        double force = cn_norm3(cn_v3(p[0], p[1], p[2])) / 1e-6, length = v.joint[k].position;
        CN_NEAR(force, 1e5 * 0.01 * length, 1e-3 * force, "a step of 1 us moves nothing");
    }
    CN_TRUE(v.joint_count == 9);
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

// Threads: the same seed the same steps, each between neighbours and once only.
CN_TEST(threads_wander_from_neighbour_to_neighbour)
{
#define YARN(seed)                                                                                 \
    GRID "joints: {x: {thread: {of: net, count: 6, steps: 9, reach: 1.01, seed: " seed             \
         "}, cable: {}}}\n"
    cn_scene *one = read(YARN("3")), *again = read(YARN("3")), *other = read(YARN("4"));
    const cn_scene_joint *a = one->joint, *b = again->joint, *c = other->joint;
    CN_TRUE(a->count > 15 && a->count <= 31 && a->count == b->count);
    size_t size = sizeof(int) * 2 * (size_t)a->count;
    CN_TRUE(memcmp(a->pair, b->pair, size) == 0);
    CN_TRUE(c->count != a->count || memcmp(a->pair, c->pair, size) != 0);
    for (int k = 0; k < a->count; k++) {
        const double *p = one->body[a->pair[2 * k]].def.at,
                     *q = one->body[a->pair[2 * k + 1]].def.at;
        CN_NEAR(hypot(p[0] - q[0], p[1] - q[1]), 1.0, 1e-12, "neighbours");
        bool is_new =
            k == 0 || a->pair[2 * k] > a->pair[2 * k - 2] ||
            (a->pair[2 * k] == a->pair[2 * k - 2] && a->pair[2 * k + 1] > a->pair[2 * k - 1]);
        CN_TRUE(is_new && a->pair[2 * k] < a->pair[2 * k + 1]);
    }
    cn_scene_destroy(one);
    cn_scene_destroy(again);
    cn_scene_destroy(other);
}

CN_TEST(what_makes_no_sense_is_told)
{
    refuse(GRID "joints: {x: {net: {of: net, reach: 0.5}, cable: {}}}\n", "the nearest one");
    refuse(GRID "joints: {x: {net: {of: net, reach: 1, beyond: 1}, cable: {}}}\n", "not below");
    refuse(GRID "joints: {x: {net: {of: net, reach: 2, ends: true}, cable: {}}}\n", "capsules");
    refuse(GRID "joints: {x: {net: {of: net, reach: 2}, cable: {prestrain: 0.1}}}\n",
           "needs a 'stiffness'");
    refuse(GRID "joints: {x: {net: {of: net, reach: 2}, "
                "cable: {stiffness: 1, length: 1, prestrain: 0.1}}}\n",
           "either 'length' or 'prestrain'");
    refuse(GRID "joints: {x: {net: {of: net, reach: 2}, chain: net, cable: {}}}\n", "takes either");
    refuse(GRID "joints: {x: {net: {of: net, reach: 2}, cable: {to: [0, 0]}}}\n",
           "find their own places");
}

CN_MAIN(CN_RUN(a_tower_is_made_of_prisms); CN_RUN(a_net_joins_what_is_near);
        CN_RUN(a_prestrain_is_a_share_of_the_distance);
        CN_RUN(threads_wander_from_neighbour_to_neighbour); CN_RUN(what_makes_no_sense_is_told);)
