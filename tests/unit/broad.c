// Pairs of overlapping boxes against all pairs, work per box as the number grows, and bad boxes.
#include "detect/broad.h"

#include <stdlib.h>

#include "base/hash.h"
#include "test.h"

static double random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * cn_random(state);
}

static bool overlaps(const cn_box2 *a, const cn_box2 *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y;
}

static int compare_pairs(const void *p, const void *q)
{
    const cn_pair *a = p, *b = q;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

// Every pair once, none missing.
static void check_all(cn_broad *broad, int count, const cn_box2 *box)
{
    CN_DO(cn_broad_find(broad, count, box, NULL, NULL, &test_error));
    qsort(broad->pair, broad->pair_count, sizeof *broad->pair, compare_pairs);
    size_t n = 0;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            if (!overlaps(&box[a], &box[b])) {
                continue;
            }
            CN_TRUE(n < broad->pair_count && broad->pair[n].a == a && broad->pair[n].b == b);
            n++;
        }
    }
    CN_TRUE(n == broad->pair_count);
}

enum { COUNT = 600 };

// Sizes over `decades` powers of ten, some of them zero, around a centre far from the origin.
static void make_boxes(cn_box2 *box, int count, double decades, double far, uint64_t *random)
{
    for (int k = 0; k < count; k++) {
        double size = pow(10.0, -random_between(random, 0.0, decades));
        double x = far + random_between(random, -3.0, 3.0),
               y = -far + random_between(random, -3.0, 3.0);
        double w = k % 9 == 0 ? 0.0 : size * cn_random(random), h = size * cn_random(random);
        box[k] = (cn_box2){{x, y}, {x + w, y + h}};
    }
}

CN_TEST(finds_the_same_pairs_as_brute_force)
{
    const double decades[4] = {0.0, 1.0, 3.0, 9.0}, far[3] = {0.0, 1e3, 1e12};
    uint64_t random = 1;
    cn_broad broad = {0};
    cn_box2 box[COUNT];
    for (int n = 0; n < 36; n++) {
        make_boxes(box, COUNT - n, decades[n % 4], far[n % 3], &random);
        check_all(&broad, COUNT - n, box);
    }
    check_all(&broad, 0, box);
    check_all(&broad, 1, box);
    cn_broad_free(&broad);
}

// Cells that touch at their borders: integer boxes on a lattice, shared sides count as overlap.
CN_TEST(boxes_that_share_a_side_are_pairs)
{
    cn_broad broad = {0};
    cn_box2 box[COUNT];
    int n = 0;
    for (int x = -8; x < 8; x++) {
        for (int y = -8; y < 8; y++) {
            box[n++] = (cn_box2){{x, y}, {x + 1.0, y + 1.0}};
        }
    }
    box[n++] = (cn_box2){{-4.0, -4.0}, {4.0, 4.0}};
    box[n++] = (cn_box2){{8.0, 8.0}, {16.0, 16.0}};
    check_all(&broad, n, box);
    cn_broad_free(&broad);
}

CN_TEST(unbounded_and_far_boxes_are_found)
{
    uint64_t random = 2;
    cn_broad broad = {0};
    cn_box2 box[COUNT];
    make_boxes(box, COUNT, 2.0, 0.0, &random);
    box[7] = (cn_box2){{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    box[100] = (cn_box2){{-INFINITY, -1.0}, {INFINITY, 0.0}};
    box[200] = (cn_box2){{0.5, -INFINITY}, {1.0, 0.0}};
    box[300] = (cn_box2){{-1e308, -1e308}, {1e308, 1e308}};
    box[400] = (cn_box2){{1e300, 1e300}, {1.0000001e300, 1.0000001e300}};
    box[500] = (cn_box2){{-1e-300, 0.0}, {1e-300, 0.0}};
    check_all(&broad, COUNT, box);
    cn_broad_free(&broad);
}

static bool has_odd_difference(const void *context, int a, int b)
{
    CN_TRUE(a < b);
    return (b - a) % 2 == *(const int *)context;
}

CN_TEST(refused_pairs_are_left_out)
{
    uint64_t random = 3;
    cn_broad broad = {0};
    cn_box2 box[COUNT];
    make_boxes(box, COUNT, 1.0, 0.0, &random);
    box[3] = (cn_box2){{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    CN_DO(cn_broad_find(&broad, COUNT, box, NULL, NULL, &test_error));
    size_t all = broad.pair_count, some = 0;
    for (int odd = 0; odd < 2; odd++) {
        CN_DO(cn_broad_find(&broad, COUNT, box, has_odd_difference, &odd, &test_error));
        CN_TRUE(broad.pair_count > 0);
        some += broad.pair_count;
        for (size_t n = 0; n < broad.pair_count; n++) {
            CN_TRUE((broad.pair[n].b - broad.pair[n].a) % 2 == odd);
        }
    }
    CN_TRUE(some == all);
    cn_broad_free(&broad);
}

CN_TEST(lost_boxes_are_named)
{
    cn_broad broad = {0};
    cn_box2 box[3] = {{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}};
    const cn_box2 bad[5] = {{{NAN, 0}, {1, 1}},
                            {{0, 0}, {1, NAN}},
                            {{2, 0}, {1, 1}},
                            {{INFINITY, 0}, {INFINITY, 1}},
                            {{0, -INFINITY}, {1, -INFINITY}}};
    for (int k = 0; k < 5; k++) {
        box[1] = bad[k];
        CN_FAILS(cn_broad_find(&broad, 3, box, NULL, NULL, &test_error), CN_BROKEN, "box 1 ");
    }
    cn_broad_free(&broad);
}

static int allocations;

static void *count_resize(void *context, void *memory, size_t size)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    allocations++;
    return realloc(memory, size);
}

static void *fail_resize(void *context, void *memory, size_t size)
{
    int *left = context;
    if (size > 0 && (*left)-- == 0) {
        return NULL;
    }
    return count_resize(NULL, memory, size);
}

CN_TEST(warm_calls_allocate_nothing)
{
    const cn_hooks hooks = {count_resize, NULL};
    uint64_t random = 4;
    cn_broad broad = {.hooks = &hooks};
    cn_box2 box[COUNT];
    make_boxes(box, COUNT, 1.0, 0.0, &random);
    CN_DO(cn_broad_find(&broad, COUNT, box, NULL, NULL, &test_error));
    int cold = allocations;
    size_t pairs = broad.pair_count;
    for (int k = 0; k < 3; k++) {
        CN_DO(cn_broad_find(&broad, COUNT, box, NULL, NULL, &test_error));
    }
    CN_TRUE(cold > 0 && allocations == cold && broad.pair_count == pairs);
    cn_broad_free(&broad);
}

CN_TEST(running_out_of_memory_is_reported)
{
    uint64_t random = 5;
    cn_box2 box[COUNT];
    make_boxes(box, COUNT, 1.0, 0.0, &random);
    int failures = 0;
    for (int k = 0;; k++) {
        int left = k;
        const cn_hooks hooks = {fail_resize, &left};
        cn_broad broad = {.hooks = &hooks};
        cn_status status = cn_broad_find(&broad, COUNT, box, NULL, NULL, &test_error);
        cn_broad_free(&broad);
        if (status == CN_OK) {
            break;
        }
        CN_TRUE(status == CN_NO_MEMORY);
        failures++;
    }
    CN_TRUE(failures >= 6);
}

// Boxes at constant coverage of the plane; sizes from 1 to `ratio` with equal area per octave, so
// that large and small ones lie among each other. Returns comparisons per box.
static double tests_per_box(int count, double ratio)
{
    uint64_t random = 6;
    cn_box2 *box = malloc((size_t)count * sizeof *box);
    CN_TRUE(box != NULL);
    double area = 0.0;
    for (int k = 0; k < count; k++) {
        double u = cn_random(&random); // number density of sizes goes with size^-3
        double size = 1.0 / sqrt(1.0 - u * (1.0 - 1.0 / (ratio * ratio)));
        box[k].hi = cn_v2(size, size);
        area += size * size;
    }
    double side = sqrt(area);
    for (int k = 0; k < count; k++) {
        box[k].lo = cn_v2(random_between(&random, 0.0, side), random_between(&random, 0.0, side));
        box[k].hi = cn_add2(box[k].hi, box[k].lo);
    }
    cn_broad broad = {0};
    CN_DO(cn_broad_find(&broad, count, box, NULL, NULL, &test_error));
    double tests = (double)broad.test_count / count;
    cn_broad_free(&broad);
    free(box);
    return tests;
}

CN_TEST(work_per_box_does_not_grow)
{
    const double ratio[2] = {1.0, 1000.0};
    for (int k = 0; k < 2; k++) {
        // The smallest sample is large enough to hold boxes of every size.
        double few = tests_per_box(4000, ratio[k]), many = tests_per_box(100000, ratio[k]);
        CN_TRUE(many < 20.0);
        CN_TRUE(many < 1.2 * few);
    }
}

CN_MAIN(CN_RUN(finds_the_same_pairs_as_brute_force); CN_RUN(boxes_that_share_a_side_are_pairs);
        CN_RUN(unbounded_and_far_boxes_are_found); CN_RUN(refused_pairs_are_left_out);
        CN_RUN(lost_boxes_are_named); CN_RUN(warm_calls_allocate_nothing);
        CN_RUN(running_out_of_memory_is_reported); CN_RUN(work_per_box_does_not_grow);)
