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

CN_MAIN(CN_RUN(every_pair_of_shapes); CN_RUN(every_pair_of_solids);)
