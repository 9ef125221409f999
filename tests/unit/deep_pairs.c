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

CN_MAIN(CN_RUN(every_pair_of_shapes); CN_RUN(every_pair_of_solids); CN_RUN(edges_that_cross);)
