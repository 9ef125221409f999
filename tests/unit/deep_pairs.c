// Overlaps of every pair of kinds, planted 1e-3 of the size deep, and gaps as wide: the audit finds
// the former and is silent at the latter.
#include "deep_bodies.h"

enum { TRIES = 3 };

// Body b above body a so that its lowest point is `depth` below the highest one of a. A plane is
// between them if depth < 0.
static cn_world *stack(int dim, const made *a, const made *b, double depth, uint64_t seed)
{
    cn_vec3 up = dim == 2 ? cn_v3(0.0, 1.0, 0.0) : cn_v3(0.0, 0.0, 1.0);
    turn ta = draw_turn(dim, a, &seed), tb = draw_turn(dim, b, &seed);
    cn_vec3 top = farthest(a, &ta.R, up), bottom = farthest(b, &tb.R, cn_neg3(up));
    cn_world *w = empty_world(dim);
    add_made(w, a, &ta, cn_v3(0.0, 0.0, 0.0));
    add_made(w, b, &tb, cn_add_mul3(cn_sub3(top, bottom), -depth, up));
    return w;
}

static void check_pair(int dim, const made *a, const made *b, uint64_t seed)
{
    double depth = 1e-3 * fmin(a->size, b->size);
    cn_world *w = stack(dim, a, b, depth, seed);
    cn_overlap in = look_alone(w);
    cn_world_destroy(w);
    w = stack(dim, a, b, -depth, seed);
    cn_overlap out = look_alone(w);
    cn_world_destroy(w);
    // Corners are sharp: what is d deep along one line may be 0.02 d from a face beside it.
    bool is_found = in.deepest.depth > 0.02 * depth && in.deepest.depth < 1.001 * depth &&
                    fabs(in.unseen.depth - in.deepest.depth) < 1e-12;
    bool is_silent = out.deepest.i == 0 && out.unseen.i == 0;
    test_count++;
    if (!is_found || !is_silent) {
        test_failures++;
        printf("%s on %s, seed %llu: overlap %g and gap %g m found as %g and %g m\n", b->name,
               a->name, (unsigned long long)seed, depth, depth, in.deepest.depth,
               out.deepest.depth);
    }
}

static void check_all(int dim, const made *m, int count)
{
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            for (uint64_t n = 0; n < TRIES && !m[b].is_fixed; n++) {
                check_pair(dim, &m[a], &m[b], 1 + n + 100 * (uint64_t)(a + count * b));
            }
        }
    }
}

CN_TEST(every_pair_of_shapes)
{
    made m[FLAT_KINDS];
    int count = make_flat(m);
    check_all(2, m, count);
    unmake(m, count);
}

CN_TEST(every_pair_of_solids)
{
    made m[SPACE_KINDS];
    int count = make_space(m);
    check_all(3, m, count);
    unmake(m, count);
}

// Turned about its own x axis, then about the upright one.
static turn edge_turn(double lean, double round)
{
    cn_quat own = {cos(0.5 * lean), sin(0.5 * lean), 0.0, 0.0};
    cn_quat up = {cos(0.5 * round), 0.0, 0.0, sin(0.5 * round)};
    turn t = {.q = cn_quat_mul(up, own)};
    t.R = cn_quat_matrix(t.q);
    return t;
}

// The middle of the edge of a body along its own x axis that is farthest along d, and a place on it
// that is no node.
static cn_vec3 edge_place(const made *m, const turn *t, cn_vec3 d, double off)
{
    cn_vec3 x = cn_mat3_mul(&t->R, cn_v3(1.0, 0.0, 0.0));
    cn_vec3 from = farthest(m, &t->R, cn_add_mul3(d, -1e-6, x));
    cn_vec3 to = farthest(m, &t->R, cn_add_mul3(d, 1e-6, x));
    return cn_add_mul3(from, 0.5 + off, cn_sub3(to, from));
}

// Edges that cross, 1e-3 of the smaller body deep: no corner of either is in the other.
static void check_edges(const made *a, const made *b, int k, double depth)
{
    cn_vec3 up = {0.0, 0.0, 1.0};
    turn ta = edge_turn(0.5 + 0.2 * k, 0.1 * k), tb = edge_turn(0.6 + 0.15 * k, 1.7 + 0.1 * k);
    cn_vec3 top = edge_place(a, &ta, up, 0.137), bottom = edge_place(b, &tb, cn_neg3(up), 0.071);
    cn_world *w = empty_world(3);
    add_made(w, a, &ta, cn_v3(0.0, 0.0, 0.0));
    add_made(w, b, &tb, cn_add_mul3(cn_sub3(top, bottom), -depth, up));
    cn_overlap found = look_alone(w);
    cn_world_destroy(w);
    bool is_right = depth > 0.0 ? found.unseen.depth > 0.02 * depth && found.unseen.depth < depth
                                : found.deepest.i == 0;
    test_count++;
    if (!is_right) {
        test_failures++;
        printf("edges of %s on %s, turn %d: %g m found as %g m\n", b->name, a->name, k, depth,
               found.unseen.depth);
    }
}

CN_TEST(edges_that_cross)
{
    static const char *const edged[] = {"box",   "plate", "surface", "tet4",
                                        "tet10", "hex8",  "hex20",   "wedge6"};
    made m[SPACE_KINDS];
    int count = make_space(m);
    for (int n = 0; n < 2 * count * count; n++) {
        const made *a = &m[n / (2 * count)], *b = &m[n / 2 % count];
        bool has_a = false, has_b = false;
        for (size_t e = 0; e < sizeof edged / sizeof *edged; e++) {
            has_a = has_a || strcmp(a->name, edged[e]) == 0;
            has_b = has_b || strcmp(b->name, edged[e]) == 0;
        }
        if (has_a && has_b && !b->is_fixed) {
            check_edges(a, b, 2 + n % 2, 1e-3 * fmin(a->size, b->size));
            check_edges(a, b, 2 + n % 2, -1e-3 * fmin(a->size, b->size));
        }
    }
    unmake(m, count);
}

// What the audit finds of body b at a place in or near body a, neither turned.
static cn_overlap find_at(const made *a, const made *b, cn_vec3 at, const turn *of_b)
{
    const turn none = {.q = {1.0, 0.0, 0.0, 0.0}};
    cn_world *w = empty_world(3);
    add_made(w, a, &none, cn_v3(0.0, 0.0, 0.0));
    add_made(w, b, of_b != NULL ? of_b : &none, at);
    cn_overlap found = look_alone(w);
    cn_world_destroy(w);
    return found;
}

// Bars that cross touch with their sides, far from all rims: at a distance of 2 R - d they are d
// deep in each other.
CN_TEST(crossed_bars_meet_at_their_sides)
{
    const double R = 0.4, depth = 1e-3, side = sqrt(0.5);
    const turn across = {.q = {side, side, 0.0, 0.0}}; // along y
    const cn_solid_def bar = {.kind = CN_SOLID_CYLINDER, .radius = R, .length = 3.0};
    const cn_solid_def tube = {
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.3, .thickness = 0.1, .length = 3.0};
    const cn_solid_def rod = {.kind = CN_SOLID_CAPSULE, .radius = R, .length = 3.0};
    const cn_solid_def *kind[3] = {&bar, &tube, &rod};
    for (int k = 0; k < 9; k++) {
        made a, b;
        make_solid(&a, "bar", *kind[k % 3], 0.1);
        make_solid(&b, "bar", *kind[k / 3], 0.1);
        cn_overlap in = find_at(&a, &b, cn_v3(2.0 * R - depth, 0.2, 0.3), &across);
        cn_overlap out = find_at(&a, &b, cn_v3(2.0 * R + depth, 0.2, 0.3), &across);
        CN_NEAR(in.deepest.depth, depth, 1e-6, "1e-6 of the size is not looked for");
        CN_TRUE(out.deepest.i == 0);
    }
}

// A thin plate goes through a ball beside its edges and diagonals: the deepest point is inside its
// face, over the centre, and R - t/2 deep. No point of the ball is deeper than half the plate.
CN_TEST(plates_cut_balls_with_their_faces)
{
    const double R = 0.15, t = 0.02;
    made plate[3], ball;
    double corner[24];
    cn_box_corners(1.0, 0.8, t, corner);
    make_points(&plate[0], "plate", 8, corner, t);
    plate[0].solid[0].point = plate[0].point;
    make_solid(&plate[1], "surface", (cn_solid_def){.kind = CN_SOLID_SURFACE, .point_count = 36},
               t);
    box_surface(1.0, 0.8, t, plate[1].point);
    plate[1].solid[0].point = plate[1].point;
    make_solid(&plate[2], "coin",
               (cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.5, .length = t}, t);
    make_solid(&ball, "ball", (cn_solid_def){.kind = CN_SOLID_SPHERE, .radius = R}, 2.0 * R);
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 2; n++) { // over either triangle
            cn_vec3 at = cn_v3(n == 0 ? 0.24 : -0.24, n == 0 ? -0.17 : 0.17, 0.0);
            cn_overlap found = find_at(&plate[k], &ball, at, NULL);
            CN_NEAR(found.deepest.depth, R - 0.5 * t, 1e-6 * t, "likewise, of the plate");
        }
    }
}

// A needle stands 0.1 m in a block: its tip is as deep as that, and nothing of the block is deeper
// in the needle than half its thickness. So points must be known to be inside.
CN_TEST(needles_are_as_deep_as_their_tips)
{
    made m[SPACE_KINDS], needle;
    double corner[24];
    int count = make_space(m);
    cn_box_corners(0.02, 0.02, 1.0, corner);
    make_points(&needle, "needle", 8, corner, 0.02);
    needle.solid[0].point = needle.point;
    for (int k = 0; k < count; k++) {
        bool is_box = k == 2 || k == 11, is_mesh = m[k].volume != NULL;
        double top = is_box ? 0.25 : 0.4; // of boxes of 0.5 and meshes of 0.8
        if (is_box || is_mesh) {
            cn_overlap found = find_at(&m[k], &needle, cn_v3(0.13, 0.07, top + 0.4), NULL);
            CN_NEAR(found.deepest.depth, 0.1, 1e-12, "a corner, which is tried first");
        }
    }
    unmake(m, count);
}

// Boxes on each other are settled by a bound that two corners attain: no search.
CN_TEST(boxes_on_each_other_need_no_search)
{
    made box;
    double corner[24];
    cn_box_corners(1.0, 0.7, 0.5, corner);
    make_points(&box, "box", 8, corner, 0.5);
    box.solid[0].point = box.point;
    cn_overlap found = find_at(&box, &box, cn_v3(0.1, 0.2, 0.5 - 1e-3), NULL);
    CN_NEAR(found.deepest.depth, 1e-3, 1e-15, "a corner");
    CN_TRUE(found.point_count <= 2);
}

// Surfaces bulge between nodes, not at them: 2 (1 - sum N^2), at most 1, whichever corners.
CN_TEST(surfaces_bulge_between_nodes)
{
    for (int k = 0; k < 3; k++) {
        double N[3] = {0.0, 0.0, 0.0};
        N[k] = 1.0;
        CN_NEAR(cn_deep_bulge(N), 0.0, 0.0, "a node");
        N[k] = 0.9;
        N[(k + 1) % 3] = 0.1;
        CN_NEAR(cn_deep_bulge(N), 0.36, 1e-15, "4 * 0.9 * 0.1");
        N[k] = N[(k + 1) % 3] = 0.5;
        CN_NEAR(cn_deep_bulge(N), 1.0, 0.0, "between two");
        N[k] = 1.2;
        N[(k + 1) % 3] = -0.2;
        CN_NEAR(cn_deep_bulge(N), 0.0, 0.0, "beside the facet");
    }
    CN_NEAR(cn_deep_bulge((double[3]){0.4, 0.3, 0.3}), 1.0, 0.0, "inside");
}

CN_MAIN(CN_RUN(every_pair_of_shapes); CN_RUN(every_pair_of_solids); CN_RUN(edges_that_cross);
        CN_RUN(crossed_bars_meet_at_their_sides); CN_RUN(plates_cut_balls_with_their_faces);
        CN_RUN(needles_are_as_deep_as_their_tips); CN_RUN(boxes_on_each_other_need_no_search);
        CN_RUN(surfaces_bulge_between_nodes);)
