// Pairs of overlapping boxes against all pairs, in the plane and in space, work per box as the
// number grows, and bad boxes.
#include "detect/broad/broad_cells.h"

#include <stdlib.h>

#include "base/hash.h"
#include "counted.h"
#include "test.h"

static double random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * cn_random(state);
}

static bool overlaps(int dim, const cn_box3 *a, const cn_box3 *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           (dim == 2 || (a->lo.z <= b->hi.z && b->lo.z <= a->hi.z));
}

static int compare_pairs(const void *p, const void *q)
{
    const cn_pair *a = p, *b = q;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

// Every pair once, none missing.
static void check_all(cn_broad *broad, int dim, int count, const cn_box3 *box)
{
    CN_DO(cn_broad_find(broad, dim, count, box, NULL, NULL, &test_error));
    qsort(broad->pair, broad->pair_count, sizeof *broad->pair, compare_pairs);
    size_t n = 0;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            if (!overlaps(dim, &box[a], &box[b])) {
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
static void make_boxes(cn_box3 *box, int count, double decades, double far, uint64_t *random)
{
    for (int k = 0; k < count; k++) {
        double size = pow(10.0, -random_between(random, 0.0, decades));
        cn_vec3 at = {far + random_between(random, -3.0, 3.0),
                      -far + random_between(random, -3.0, 3.0),
                      0.5 * far + random_between(random, -3.0, 3.0)};
        cn_vec3 sides = {k % 9 == 0 ? 0.0 : size * cn_random(random), size * cn_random(random),
                         k % 7 == 0 ? 0.0 : size * cn_random(random)};
        box[k] = (cn_box3){at, cn_add3(at, sides)};
    }
}

CN_TEST(finds_the_same_pairs_as_brute_force)
{
    const double decades[4] = {0.0, 1.0, 3.0, 9.0}, far[3] = {0.0, 1e3, 1e12};
    uint64_t random = 1;
    cn_broad broad = {0};
    cn_box3 box[COUNT];
    for (int n = 0; n < 36; n++) {
        make_boxes(box, COUNT - n, decades[n % 4], far[n % 3], &random);
        check_all(&broad, 2, COUNT - n, box);
        check_all(&broad, 3, COUNT - n, box);
    }
    for (int dim = 2; dim <= 3; dim++) {
        check_all(&broad, dim, 0, box);
        check_all(&broad, dim, 1, box);
    }
    cn_broad_free(&broad);
}

// Large boxes among many that fill space more densely: pairs across levels in every direction.
CN_TEST(crowded_mixtures_match_brute_force)
{
    uint64_t random = 7;
    cn_broad broad = {0};
    cn_box3 box[COUNT];
    for (int n = 0; n < 12; n++) {
        make_boxes(box, COUNT, 0.5 * n, 0.0, &random);
        for (int k = 0; k < COUNT; k++) { // drawn together by another factor along each axis
            cn_vec3 move = cn_mul3(-0.8, box[k].lo);
            move.y *= n % 2;
            move.z *= n % 3;
            box[k] = (cn_box3){cn_add3(box[k].lo, move), cn_add3(box[k].hi, move)};
        }
        check_all(&broad, 2, COUNT, box);
        check_all(&broad, 3, COUNT, box);
    }
    cn_broad_free(&broad);
}

// Cells that touch at their borders: integer boxes on a lattice, shared sides count as overlap.
CN_TEST(boxes_that_share_a_side_are_pairs)
{
    cn_broad broad = {0};
    cn_box3 box[COUNT];
    int n = 0;
    for (int x = -8; x < 8; x++) {
        for (int y = -8; y < 8; y++) {
            double z = (x + y) % 2;
            box[n++] = (cn_box3){{x, y, z}, {x + 1.0, y + 1.0, z + 1.0}};
        }
    }
    box[n++] = (cn_box3){{-4.0, -4.0, -6.0}, {4.0, 4.0, -1.0}};
    box[n++] = (cn_box3){{8.0, 8.0, 2.0}, {16.0, 16.0, 10.0}};
    check_all(&broad, 2, n, box);
    check_all(&broad, 3, n, box);
    cn_broad_free(&broad);
}

// Cell numbers start again from zero: rows of boxes that pass that place along every axis, on two
// levels, with others where the same numbers come back.
CN_TEST(cell_numbers_may_start_again)
{
    const double turn[2] = {0x1p26, 0x1p17};
    cn_broad broad = {0};
    cn_box3 box[COUNT];
    for (int dim = 2; dim <= 3; dim++) {
        int n = 0;
        for (int axis = 0; axis < dim; axis++) {
            for (int k = 0; k < 120; k++) {
                double half = turn[dim - 2] * (k % 3 == 0 ? 1.0 : 0.5);
                double at = half + 0.4 * (k / 3 - 20);
                double size = k % 4 == 0 ? 1.99 : 0.99; // so that cells have sides 2 and 1
                cn_vec3 lo = {axis == 0 ? at : 0.1 * (k % 5), axis == 1 ? at : 0.2 * (k % 5),
                              axis == 2 ? at : 0.3 * (k % 5)};
                box[n++] = (cn_box3){lo, cn_add3(lo, (cn_vec3){size, size, size})};
            }
        }
        check_all(&broad, dim, n, box);
    }
    cn_broad_free(&broad);
}

CN_TEST(unbounded_and_far_boxes_are_found)
{
    uint64_t random = 2;
    cn_broad broad = {0};
    cn_box3 box[COUNT];
    make_boxes(box, COUNT, 2.0, 0.0, &random);
    box[7] = (cn_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    box[100] = (cn_box3){{-INFINITY, -1.0, -1.0}, {INFINITY, 0.0, 1.0}};
    box[200] = (cn_box3){{0.5, -INFINITY, -2.0}, {1.0, 0.0, 2.0}};
    box[250] = (cn_box3){{0.5, -1.0, 0.0}, {1.0, 0.0, INFINITY}};
    box[300] = (cn_box3){{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}};
    box[400] = (cn_box3){{1e300, 1e300, 1e300}, {1.0000001e300, 1.0000001e300, 1e300}};
    box[500] = (cn_box3){{-1e-300, 0.0, 0.0}, {1e-300, 0.0, 0.0}};
    check_all(&broad, 2, COUNT, box);
    check_all(&broad, 3, COUNT, box);
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
    cn_box3 box[COUNT];
    make_boxes(box, COUNT, 1.0, 0.0, &random);
    box[3] = (cn_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    CN_DO(cn_broad_find(&broad, 3, COUNT, box, NULL, NULL, &test_error));
    size_t all = broad.pair_count, some = 0;
    for (int odd = 0; odd < 2; odd++) {
        CN_DO(cn_broad_find(&broad, 3, COUNT, box, has_odd_difference, &odd, &test_error));
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
    const cn_box3 good = {{0, 0, 0}, {1, 1, 1}};
    cn_box3 box[3] = {good, good, good};
    const cn_box3 bad[8] = {{{0, 0, NAN}, {1, 1, 1}},
                            {{0, 0, 0}, {1, 1, NAN}},
                            {{0, 0, 2}, {1, 1, 1}},
                            {{NAN, 0, 0}, {1, 1, 0}},
                            {{0, 0, 0}, {1, NAN, 0}},
                            {{2, 0, 0}, {1, 1, 0}},
                            {{INFINITY, 0, 0}, {INFINITY, 1, 0}},
                            {{0, -INFINITY, 0}, {1, -INFINITY, 0}}};
    for (int k = 0; k < 8; k++) {
        box[1] = bad[k];
        CN_FAILS(cn_broad_find(&broad, 3, 3, box, NULL, NULL, &test_error), CN_BROKEN, "box 1 ");
        if (k < 3) { // only z is lost
            CN_DO(cn_broad_find(&broad, 2, 3, box, NULL, NULL, &test_error));
        } else {
            CN_FAILS(cn_broad_find(&broad, 2, 3, box, NULL, NULL, &test_error), CN_BROKEN,
                     "box 1 ");
        }
    }
    cn_broad_free(&broad);
}

CN_TEST(warm_calls_allocate_nothing)
{
    counted memory = {0};
    const cn_hooks hooks = counted_hooks(&memory);
    uint64_t random = 4;
    cn_broad broad = {.hooks = &hooks};
    cn_box3 box[COUNT];
    make_boxes(box, COUNT, 1.0, 0.0, &random);
    CN_DO(cn_broad_find(&broad, 3, COUNT, box, NULL, NULL, &test_error));
    long cold = memory.calls;
    size_t pairs = broad.pair_count;
    for (int k = 0; k < 3; k++) {
        CN_DO(cn_broad_find(&broad, 3, COUNT, box, NULL, NULL, &test_error));
    }
    CN_TRUE(cold > 0 && memory.calls == cold && broad.pair_count == pairs);
    cn_broad_free(&broad);
}

CN_TEST(running_out_of_memory_is_reported)
{
    uint64_t random = 5;
    cn_box3 box[COUNT];
    make_boxes(box, COUNT, 1.0, 0.0, &random);
    int failures = 0;
    for (int k = 1;; k++) {
        counted memory = {.fail_at = k};
        const cn_hooks hooks = counted_hooks(&memory);
        cn_broad broad = {.hooks = &hooks};
        cn_status status = cn_broad_find(&broad, 3, COUNT, box, NULL, NULL, &test_error);
        cn_broad_free(&broad);
        if (status == CN_OK) {
            break;
        }
        CN_TRUE(status == CN_NO_MEMORY);
        failures++;
    }
    CN_TRUE(failures >= 5);
}

// Boxes at constant coverage of the plane or of space; sizes from `unit` to `ratio` times that with
// equal area or volume per octave, so that large and small ones lie among each other. Returns
// comparisons per box.
static double tests_per_box(int dim, int count, double unit, double ratio)
{
    uint64_t random = 6;
    cn_box3 *box = malloc((size_t)count * sizeof *box);
    CN_TRUE(box != NULL);
    double filled = 0.0;
    for (int k = 0; k < count; k++) {
        double u = (k + 0.5) / count; // number density of sizes goes with size^-(dim + 1)
        double size = unit * pow(1.0 - u * (1.0 - pow(ratio, -dim)), -1.0 / dim);
        box[k].hi = cn_v3(size, size, size);
        filled += pow(size, dim);
    }
    double side = pow(filled, 1.0 / dim);
    for (int k = 0; k < count; k++) {
        double x = random_between(&random, 0.0, side), y = random_between(&random, 0.0, side);
        box[k].lo = cn_v3(x, y, random_between(&random, 0.0, side));
        box[k].hi = cn_add3(box[k].hi, box[k].lo);
    }
    cn_broad broad = {0};
    CN_DO(cn_broad_find(&broad, dim, count, box, NULL, NULL, &test_error));
    double tests = (double)broad.test_count / count;
    cn_broad_free(&broad);
    free(box);
    return tests;
}

CN_TEST(work_per_box_does_not_grow)
{
    const double ratio[2] = {1.0, 1000.0}, most[2] = {10.0, 30.0};
    // The smallest sample is large enough to hold boxes of every size, and in space to have most of
    // its boxes away from its faces.
    const int few[2] = {4000, 20000}, many[2] = {100000, 200000};
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 2; k++) {
            double start = tests_per_box(dim, few[dim - 2], 1.0, ratio[k]);
            double end = tests_per_box(dim, many[dim - 2], 1.0, ratio[k]);
            CN_TRUE(end < most[dim - 2]);
            CN_TRUE(end < 1.2 * start);
        }
    }
}

// Boxes of one size are as good as their cells: 4.5 or 13.5 cells with one box each. Cells may be a
// sixteenth too long.
CN_TEST(work_per_box_does_not_depend_on_the_size)
{
    for (double size = 1.0; size < 2.1; size *= 1.11) {
        CN_TRUE(tests_per_box(2, 5000, size, 1.0) < 4.5 * 1.15);
        CN_TRUE(tests_per_box(3, 5000, size, 1.0) < 13.5 * 1.25);
    }
}

// Threads walk through slices of the boxes, and sort them together: the list is that of one thread,
// pair by pair, and so is the work.
CN_TEST(threads_list_the_same_pairs)
{
    enum { MANY = 40000 };
    static const int threads[] = {2, 3, 8};
    uint64_t random = 6;
    cn_broad one = {0}, some = {0};
    cn_box3 *box = malloc(MANY * sizeof *box);
    make_boxes(box, MANY, 1.5, 0.0, &random);
    for (int k = 0; k < MANY; k++) { // spread out
        cn_vec3 to = cn_mul3(4.0, box[k].lo);
        box[k] = (cn_box3){to, cn_add3(to, cn_sub3(box[k].hi, box[k].lo))};
    }
    box[7] = (cn_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0.0}};
    for (int dim = 2; dim < 4; dim++) {
        CN_DO(cn_broad_find(&one, dim, MANY, box, NULL, NULL, &test_error));
        for (int k = 0; k < 3; k++) {
            some.thread_count = threads[k];
            CN_DO(cn_broad_find(&some, dim, MANY, box, NULL, NULL, &test_error));
            CN_TRUE(some.pair_count == one.pair_count && some.test_count == one.test_count);
            CN_TRUE(memcmp(some.pair, one.pair, one.pair_count * sizeof *one.pair) == 0);
        }
    }
    cn_broad_free(&one);
    cn_broad_free(&some);
    free(box);
}

// Cubes of two sizes, `small` of them of the first.
static cn_cells cells_of(int dim, int count, int small, double a, double b, uint64_t *random)
{
    cn_box3 *box = malloc(sizeof *box * (size_t)count);
    cn_cells s = {.entry = malloc(sizeof *s.entry * (size_t)count),
                  .side = malloc(sizeof *s.side * 6 * (size_t)count)};
    for (int k = 0; k < count; k++) {
        double size = k < small ? a : b;
        cn_vec3 at = {random_between(random, -9.0, 9.0), random_between(random, -9.0, 9.0),
                      random_between(random, -9.0, 9.0)};
        box[k] = (cn_box3){at, cn_add3(at, cn_v3(size, size, size))};
    }
    CN_DO(cn_cells_sort(&s, dim, count, box, 1, &test_error));
    bool has[1000] = {false};
    for (int k = 0; k < count; k++) {
        CN_TRUE(k == 0 || s.entry[k - 1].key <= s.entry[k].key);
        CN_TRUE(!has[s.entry[k].item]);
        has[s.entry[k].item] = true;
        CN_NEAR(cn_sides_at(&s, dim, k)[0], box[s.entry[k].item].lo.x, 0.0, "its own side");
    }
    free(box);
    return s;
}

static void cells_free(cn_cells *s)
{
    free(s->entry);
    free(s->side);
}

// Boxes of one size get cells that are larger by a sixteenth at most; of two sizes the cells fit
// that of most of them, as less work is then wasted. Boxes are listed in the order of cells, around
// the origin, too.
CN_TEST(cells_fit_their_boxes_and_are_in_order)
{
    uint64_t random = 5;
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 40; k++) {
            double size = 0.8 * (1.0 + (k + 0.5) / 40.0);
            cn_cells s = cells_of(dim, 300, 300, size, size, &random);
            double cell = ldexp(1.0, cn_key_exponent(s.entry[0].key)) / s.unit;
            CN_TRUE(cell >= size && cell <= 17.0 / 16.0 * size * (1.0 + 1e-9));
            cells_free(&s);
        }
        // A cell of 17/16 leaves boxes of 1.5 in one of 34/16; one of 25/16 has room for both.
        for (int few = 0; few < 2; few++) {
            cn_cells s = cells_of(dim, 1000, few ? 100 : 900, 1.01, 1.51, &random);
            double cell = ldexp(1.0, cn_key_exponent(s.entry[0].key)) / s.unit;
            CN_NEAR(cell, few ? 25.0 / 16.0 : 17.0 / 16.0, 1e-12, "sixteenths");
            cells_free(&s);
        }
    }
}

CN_MAIN(CN_RUN(finds_the_same_pairs_as_brute_force); CN_RUN(crowded_mixtures_match_brute_force);
        CN_RUN(boxes_that_share_a_side_are_pairs); CN_RUN(cell_numbers_may_start_again);
        CN_RUN(unbounded_and_far_boxes_are_found); CN_RUN(refused_pairs_are_left_out);
        CN_RUN(lost_boxes_are_named); CN_RUN(warm_calls_allocate_nothing);
        CN_RUN(running_out_of_memory_is_reported); CN_RUN(work_per_box_does_not_grow);
        CN_RUN(work_per_box_does_not_depend_on_the_size); CN_RUN(threads_list_the_same_pairs);
        CN_RUN(cells_fit_their_boxes_and_are_in_order);)
