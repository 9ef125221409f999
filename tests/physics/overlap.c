// What the overlap check says of worlds: hollows from inside, contacts that know of their depth,
// pairs that the scene excludes, contacts of bodies that are apart.
#include "../unit/deep_bodies.h"
#include "base/hash.h"
#include "grids.h"
#include "scenes.h"
#include "strict.h"

// A sphere or disk of radius r whose farthest point is at `end`, as seen from the origin.
static made ball_of(int dim, double r)
{
    made m;
    if (dim == 2) {
        make_shape(&m, "disk", (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = r}, 2.0 * r);
    } else {
        make_solid(&m, "sphere", (cn_solid_def){.kind = CN_SOLID_SPHERE, .radius = r}, 2.0 * r);
    }
    return m;
}

static const turn NO_TURN = {.q = {1.0, 0.0, 0.0, 0.0},
                             .R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};

// A ball of radius 0.1 in a container, its point along d at `from` + depth.
static cn_overlap look_inside(int dim, const made *container, cn_vec3 d, double from, double depth)
{
    cn_world *w = empty_world(dim);
    made ball = ball_of(dim, 0.1);
    add_made(w, container, &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &ball, &NO_TURN, cn_mul3(from + depth - 0.1, d));
    cn_overlap overlap = look_alone(w);
    cn_world_destroy(w);
    return overlap;
}

static void check_inside(int dim, const made *container, cn_vec3 d, double from)
{
    const double depth = 1e-4;
    cn_overlap in = look_inside(dim, container, d, from, depth);
    CN_NEAR(in.unseen.depth, depth, 1e-9,
            "strides end at 1e-6 of the wall, squared on a round one");
    CN_NEAR(in.unseen.rel, depth / 0.1, 1e-8, "the wall is 0.1 m");
    cn_vec3 at = cn_v3(in.unseen.point[0], in.unseen.point[1], in.unseen.point[2]);
    CN_NEAR(cn_norm3(cn_sub3(at, cn_mul3(from, d))), 0.0, 0.01, "in a lens 0.0045 m wide");
    CN_TRUE(look_inside(dim, container, d, from, -depth).deepest.i == 0);
}

CN_TEST(containers_hold_from_inside)
{
    made flat[FLAT_KINDS], space[SPACE_KINDS];
    int flats = make_flat(flat), solids = make_space(space);
    check_inside(2, &flat[4], cn_v3(0.6, 0.8, 0.0), 0.5);
    check_inside(3, &space[7], cn_v3(0.6, 0.0, 0.8), 0.5);
    check_inside(3, &space[8], cn_v3(0.6, 0.8, 0.0), 0.4);  // side of an open tube
    check_inside(3, &space[9], cn_v3(0.0, 0.0, -1.0), 0.4); // lower end of a can
    check_inside(3, &space[9], cn_v3(0.0, 0.0, 1.0), 0.4);
    CN_TRUE(look_inside(3, &space[8], cn_v3(0.0, 0.0, 1.0), 0.4, 0.1).deepest.i == 0); // no end
    unmake(flat, flats);
    unmake(space, solids);
}

// A ball is 1e-4 m in the face of a block, wherever the block is.
CN_TEST(balls_are_seen_from_every_side)
{
    uint64_t state = 3;
    const double depth = 1e-4, size[3] = {2.0, 2.0, 2.0};
    for (int k = 0; k < 200; k++) {
        double part[4];
        for (int d = 0; d < 4; d++) {
            part[d] = cn_random(&state) - 0.5;
        }
        cn_quat q = cn_quat_unit((cn_quat){part[0], part[1], part[2], part[3]});
        cn_mat3 R = cn_quat_matrix(q);
        cn_vec3 below = cn_mat3_mul(&R, cn_v3(0.0, 0.0, -1.5 + depth));
        const double at[3] = {below.x, below.y, below.z}, turned[4] = {q.w, q.x, q.y, q.z};
        cn_world *w = empty_world(3);
        scene_block(w, at, size, turned, 0);
        scene_sphere(w, 0.0, 0.0, 0.0, 0.5);
        cn_overlap seen = look_alone(w);
        CN_NEAR(seen.unseen.depth, depth, 1e-9, "strides end at 1e-6 of the ball, squared");
        cn_world_destroy(w);
    }
}

// A small ball in the middle of a mesh is in it, as deep as the nearest side is far and its own
// radius.
CN_TEST(what_is_swallowed_by_a_mesh_is_seen)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = empty_world(dim);
        grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){4, 4, 4},
                            (double[]){-1.0, -1.0, -1.0}, (double[]){2.0, 2.0, 2.0},
                            grid_elastic(1e6, 0.3, 1.0));
        grid_body(w, g, 0.0, 0.0);
        if (dim == 2) {
            scene_disk(w, 0.1, 0.0, 0.05, 0);
        } else {
            scene_sphere(w, 0.1, 0.0, 0.0, 0.05);
        }
        cn_overlap seen = look_alone(w);
        CN_NEAR(seen.deepest.depth, 0.95, 0.01, "its point towards the middle");
        cn_world_destroy(w);
        grid_free(g);
    }
}

// A soft contact is as deep as its spring is short: the check agrees with it and accuses nobody.
CN_TEST(depth_that_contacts_know_is_not_unseen)
{
    made m[SPACE_KINDS];
    int count = make_space(m);
    cn_world *w = empty_world(3);
    cn_overlap overlap;
    add_made(w, &m[10], &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &m[2], &NO_TURN, cn_v3(0.0, 0.0, 0.24)); // box of height 0.5
    CN_FAILS(cn_world_overlap(w, &overlap, &test_error), CN_BAD_INPUT, "make a step");
    CN_DO(cn_world_detect(w, 0.0, &test_error));
    CN_DO(cn_world_overlap(w, &overlap, &test_error));
    CN_NEAR(overlap.deepest.depth, 0.01, 1e-15, "a corner in a half-space");
    CN_NEAR(overlap.unseen.depth, 0.0, 1e-15, "gaps of corners, from another formula");
    CN_TRUE(overlap.deepest.i == 1 && overlap.deepest.j == 2 && !cn_overlap_is_missed(&overlap));
    CN_TRUE(cn_world_view(w).certificate->has_overlap);
    CN_DO(test_step(w, 1e-3, &test_error));
    CN_TRUE(!cn_world_view(w).certificate->has_overlap);
    cn_world_destroy(w);
    unmake(m, count);
}

// Contacts that detection did not find: the same box, looked at without them.
CN_TEST(depth_without_contacts_is_unseen)
{
    made m[SPACE_KINDS];
    int count = make_space(m);
    cn_world *w = empty_world(3);
    add_made(w, &m[10], &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &m[2], &NO_TURN, cn_v3(0.0, 0.0, 0.24));
    cn_overlap overlap = look_alone(w);
    CN_NEAR(overlap.unseen.depth, 0.01, 1e-15, "a corner in a half-space");
    CN_NEAR(overlap.unseen.rel, 0.02, 1e-14, "over the height of the box");
    CN_TRUE(cn_overlap_is_missed(&overlap));
    cn_world_destroy(w);
    unmake(m, count);
}

static void make_ring(made *m, double inner, double outer, int around)
{
    static cn_material_def material;
    cn_volume_def def = cn_volume_def_default();
    material = soft();
    *m = (made){.name = "ring"};
    def.kind = CN_VOLUME_ANNULUS;
    def.element = CN_QUAD4;
    def.inner_radius = inner;
    def.radius = outer;
    memcpy(def.cells, (int[3]){around, 3, 0}, sizeof def.cells);
    CN_DO(cn_volume_make(&def, &m->volume, &test_error));
    m->mesh = *cn_volume_mesh(m->volume);
    m->mesh.material_count = 1;
    m->mesh.material = &material;
}

static cn_overlap look_at_rings(double interference, int inside, int outside)
{
    made m[2];
    cn_world *w = empty_world(2);
    make_ring(&m[0], 0.05, 0.08 + 0.5 * interference, inside);
    make_ring(&m[1], 0.08 - 0.5 * interference, 0.13, outside);
    add_made(w, &m[0], &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &m[1], &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    cn_overlap overlap = look_alone(w);
    cn_world_destroy(w);
    unmake(m, 2);
    return overlap;
}

// Two rings with an interference, node on node: facets tell nothing of it but their nodes do. With
// other divisions chords of two circles that touch overlap, which is no fault.
CN_TEST(facets_that_stand_for_a_circle_are_off_it)
{
    CN_NEAR(look_at_rings(5e-5, 72, 72).unseen.depth, 5e-5, 1e-7,
            "seen over a chord of 5 degrees: 1 - cos(2.5 degrees)");
    CN_TRUE(cn_overlap_is_missed(&(cn_overlap){.unseen = {.rel = 1.7e-3}}));
    cn_overlap touching = look_at_rings(0.0, 72, 50);
    CN_TRUE(touching.deepest.depth > 5e-5 && touching.unseen.depth < 1e-6);
}

static cn_overlap ask(cn_world *w)
{
    cn_overlap overlap = {0};
    CN_DO(cn_world_detect(w, 0.0, &test_error));
    CN_DO(cn_world_overlap(w, &overlap, &test_error));
    return overlap;
}

// Pairs without a law, joined bodies and bodies that are both held may overlap.
CN_TEST(pairs_that_the_scene_excludes_are_left_out)
{
    made ball = ball_of(2, 0.5);
    cn_world *w = empty_world(2);
    add_made(w, &ball, &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &ball, &NO_TURN, cn_v3(0.9, 0.0, 0.0));
    CN_NEAR(ask(w).deepest.depth, 0.1, 1e-9, "two disks of radius 0.5 at 0.9");
    cn_rules_clear(w);
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, CN_LAW_NO_CONTACT, &test_error));
    CN_TRUE(ask(w).pair_count == 0);
    cn_rules_clear(w);
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, 0, &test_error));
    cn_joint_def joint = {.kind = CN_JOINT_BALL, .body = 1, .other = 2, .at = {0.45, 0.0, 0.0}};
    CN_DO(cn_joint_add(w, &joint, NULL, &test_error));
    CN_TRUE(ask(w).pair_count == 0);
    cn_world_destroy(w);
    ball.is_fixed = true;
    w = empty_world(2);
    add_made(w, &ball, &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &ball, &NO_TURN, cn_v3(0.9, 0.0, 0.0));
    CN_TRUE(ask(w).pair_count == 0);
    cn_world_destroy(w);
}

// A contact as one that detection would invent: between two disks 0.2 m apart.
CN_TEST(contacts_of_bodies_that_are_apart_are_phantoms)
{
    made ball = ball_of(2, 0.5);
    cn_world *w = empty_world(2);
    cn_overlap overlap;
    add_made(w, &ball, &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &ball, &NO_TURN, cn_v3(1.2, 0.0, 0.0));
    CN_DO(cn_world_detect(w, 0.0, &test_error));
    const bool no = false;
    cn_contact contact = {.i = 0, .j = 1, .point = {0.6, 0.0, 0.0}, .gap = -0.3, .r = {1.0}};
    cn_deep_input in = {.b = &w->bodies,
                        .contact_count = 1,
                        .found = 1,
                        .contact = &contact,
                        .is_fast = &no,
                        .is_at_start = &no,
                        .may_meet = meet_always};
    CN_DO(cn_deep_look(&in, &overlap, &test_error));
    CN_NEAR(overlap.phantom.depth, 0.2, 1e-15, "1.2 less two radii");
    CN_TRUE(cn_overlap_is_missed(&overlap));
    contact.gap = 0.2; // it pushes ahead, and says so
    CN_DO(cn_deep_look(&in, &overlap, &test_error));
    CN_NEAR(overlap.phantom.depth, 0.0, 1e-15, "the gap is what it is");
    contact = (cn_contact){.i = 0, .j = 1, .point = {0.6, 0.0, 0.0}, .gap = -0.3};
    CN_DO(cn_deep_look(&in, &overlap, &test_error));
    CN_NEAR(overlap.phantom.depth, 0.0, 0.0, "without an impulse it does nothing");
    cn_world_destroy(w);
}

// Two balls that no contact was looked for are in each other where the step has left them.
CN_TEST(a_step_that_ends_in_an_overlap_is_seen)
{
    cn_world *w = empty_world(2);
    made ball = ball_of(2, 0.5);
    add_made(w, &ball, &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &ball, &NO_TURN, cn_v3(9.0, 0.0, 0.0));
    CN_DO(test_step(w, 1e-3, &test_error));
    cn_overlap overlap;
    CN_DO(cn_world_overlap(w, &overlap, &test_error));
    CN_TRUE(overlap.unseen.i == 0);
    w->bodies.q[3] = 0.9; // as if the step had thrown it there
    CN_DO(cn_world_overlap(w, &overlap, &test_error));
    CN_NEAR(overlap.unseen.depth, 0.1 - 0.01, 1e-9, "a hundredth of the size is allowed");
    CN_TRUE(cn_overlap_is_missed(&overlap));
    cn_world_destroy(w);
}

// Falls, anyhow turned, on an open tube that itself falls on the ground, leaning by up to 0.3 rad.
static void fall_on_tube(const made *m, uint64_t seed)
{
    made tube, ground;
    make_solid(&ground, "ground", (cn_solid_def){.kind = CN_SOLID_HALF_SPACE}, 1.0);
    make_solid(
        &tube, "tube",
        (cn_solid_def){
            .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.1, .length = 0.2, .thickness = 0.02},
        0.02);
    turn lean = {.q = {1.0, 0.15 * draw(&seed), 0.15 * draw(&seed), 0.0}};
    lean.q = cn_quat_unit(lean.q);
    lean.R = cn_quat_matrix(lean.q);
    turn any = draw_turn(3, m, &seed);
    cn_world *w = empty_world(3);
    add_made(w, &ground, &NO_TURN, cn_v3(0.0, 0.0, 0.0));
    add_made(w, &tube, &lean, cn_v3(0.0, 0.0, 0.16));
    add_made(w, m, &any, cn_v3(0.1 * draw(&seed), 0.1 * draw(&seed), 0.5));
    cn_body_state state;
    CN_DO(cn_body_get(w, 3, &state, &test_error));
    state.velocity[2] = -1.0;
    state.angular_velocity[0] = 6.0 * draw(&seed);
    state.angular_velocity[1] = 6.0 * draw(&seed);
    CN_DO(cn_body_set(w, 3, &state, &test_error));
    for (int n = 0; n < 400; n++) {
        cn_overlap overlap;
        CN_DO(test_step(w, 1e-3, &test_error));
        CN_DO(cn_world_overlap(w, &overlap, &test_error));
        CN_TRUE(!cn_overlap_is_missed(&overlap));
    }
    cn_world_destroy(w);
}

// Sides and rims of what falls into a mouth or across it meet the lip, its inner rim and the wall.
CN_TEST(mouths_of_tubes_are_met_by_all_that_is_round)
{
    static const cn_solid_def round[4] = {
        {.kind = CN_SOLID_CYLINDER, .radius = 0.06, .length = 0.1},  // a drum
        {.kind = CN_SOLID_CYLINDER, .radius = 0.11, .length = 0.03}, // a coin wider than the mouth
        {.kind = CN_SOLID_CYLINDER, .radius = 0.03, .length = 0.3},  // a pole
        {.kind = CN_SOLID_CAPSULE, .radius = 0.04, .length = 0.12},
    };
    for (int k = 0; k < 4; k++) {
        made m;
        make_solid(&m, "round", round[k], 2.0 * round[k].radius);
        for (uint64_t seed = 1; seed <= 6; seed++) {
            fall_on_tube(&m, 100 * (uint64_t)k + seed);
        }
    }
}

CN_MAIN(CN_RUN(a_step_that_ends_in_an_overlap_is_seen); CN_RUN(containers_hold_from_inside);
        CN_RUN(balls_are_seen_from_every_side); CN_RUN(what_is_swallowed_by_a_mesh_is_seen);
        CN_RUN(depth_that_contacts_know_is_not_unseen); CN_RUN(depth_without_contacts_is_unseen);
        CN_RUN(facets_that_stand_for_a_circle_are_off_it);
        CN_RUN(pairs_that_the_scene_excludes_are_left_out);
        CN_RUN(contacts_of_bodies_that_are_apart_are_phantoms);
        CN_RUN(mouths_of_tubes_are_met_by_all_that_is_round);)
