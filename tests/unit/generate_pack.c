// Packings and grids: no overlap, inside the region, reproducible, as full as asked for.
#include "generate_check.h"
#include "test.h"

#include <stdlib.h>
#include <time.h>

static cn_pack_def make_pack(double width, double height)
{
    return (cn_pack_def){
        .inside = {.kind = CN_REGION_BOX, .box = {width, height}},
        .shape = {.kind = CN_GRAIN_DISK, .radius = {.kind = CN_SIZE_CONSTANT, .constant = 0.01}},
        .fill = NAN,
        .seed = 7.0,
    };
}

static int compare_x(const void *a, const void *b)
{
    const cn_piece *p = a, *q = b;
    return p->at[0] < q->at[0] ? -1 : p->at[0] > q->at[0];
}

// Smallest gap between disks of the list, by a sweep along x.
static double least_gap(cn_pieces *pieces, double radius_most)
{
    double least = DBL_MAX;
    qsort(pieces->piece, (size_t)pieces->count, sizeof *pieces->piece, compare_x);
    for (int i = 0; i < pieces->count; i++) {
        const cn_piece *a = &pieces->piece[i];
        for (int j = i + 1; j < pieces->count; j++) {
            const cn_piece *b = &pieces->piece[j];
            if (b->at[0] - a->at[0] > 2.0 * radius_most) {
                break;
            }
            double apart = hypot(a->at[0] - b->at[0], a->at[1] - b->at[1]);
            least = fmin(least, apart - a->radius - b->radius);
        }
    }
    return least;
}

static double disk_area(const cn_pieces *pieces)
{
    double area = 0.0;
    for (int k = 0; k < pieces->count; k++) {
        area += CN_PI * pieces->piece[k].radius * pieces->piece[k].radius;
    }
    return area;
}

static bool is_in_box(const cn_pieces *pieces, const cn_region *box)
{
    for (int k = 0; k < pieces->count; k++) {
        const cn_piece *p = &pieces->piece[k];
        if (fabs(p->at[0] - box->at[0]) + p->radius > 0.5 * box->box[0] * (1.0 + 1e-11) ||
            fabs(p->at[1] - box->at[1]) + p->radius > 0.5 * box->box[1] * (1.0 + 1e-11)) {
            return false;
        }
    }
    return true;
}

CN_TEST(each_method_packs_without_overlap)
{
    const double fill[] = {0.0, 0.45, 0.7, 0.75};
    for (int method = CN_PACK_RANDOM; method <= CN_PACK_DENSE; method++) {
        cn_pieces pack = {0};
        cn_pack_def def = make_pack(1.0, 0.8);
        def.inside.at[0] = 5.0;
        def.method = method;
        def.fill = fill[method];
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        double grain = CN_PI * 1e-4;
        CN_NEAR(disk_area(&pack), fill[method] * 0.8, grain, "fill is reached to one grain");
        CN_TRUE(is_in_box(&pack, &def.inside));
        CN_TRUE(least_gap(&pack, 0.01) > -1e-12);
        cn_pieces_free(&pack);
    }
}

CN_TEST(gap_is_kept_between_grains_and_to_walls)
{
    for (int method = CN_PACK_RANDOM; method <= CN_PACK_DENSE; method++) {
        cn_pieces pack = {0};
        cn_pack_def def = make_pack(1.0, 1.0);
        def.method = method;
        def.count = 500;
        def.gap = 0.004;
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        CN_TRUE(pack.count == 500 && least_gap(&pack, 0.02) > 0.004 * (1.0 - 1e-9));
        for (int k = 0; k < pack.count; k++) {
            CN_TRUE(fabs(pack.piece[k].at[0]) < 0.5 - 0.014 + 1e-12);
        }
        cn_pieces_free(&pack);
    }
}

CN_TEST(same_seed_same_bits_other_seed_other_sample)
{
    cn_pieces a = {0}, b = {0}, other = {0};
    cn_pack_def def = make_pack(1.0, 1.0);
    def.count = 300;
    def.shape.radius = (cn_size_def){.kind = CN_SIZE_UNIFORM, .pair = {0.005, 0.015}};
    CN_DO(cn_generate_pack(&def, &a, &test_error));
    CN_DO(cn_generate_pack(&def, &b, &test_error));
    def.seed = 8.0;
    CN_DO(cn_generate_pack(&def, &other, &test_error));
    int same = 0, moved = 0;
    for (int k = 0; k < 300; k++) {
        same += a.piece[k].at[0] == b.piece[k].at[0] && a.piece[k].radius == b.piece[k].radius;
        moved += a.piece[k].at[0] != other.piece[k].at[0];
    }
    CN_TRUE(same == 300 && moved == 300);
    CN_TRUE(strstr(a.note, "300 grains") != NULL);
    cn_pieces_free(&a);
    cn_pieces_free(&b);
    cn_pieces_free(&other);
}

static void moments(const cn_pieces *pack, double *mean, double *deviation, double *most)
{
    double sum = 0.0, square = 0.0;
    *most = 0.0;
    for (int k = 0; k < pack->count; k++) {
        sum += pack->piece[k].radius;
        *most = fmax(*most, pack->piece[k].radius);
    }
    *mean = sum / pack->count;
    for (int k = 0; k < pack->count; k++) {
        square += pow(pack->piece[k].radius - *mean, 2.0);
    }
    *deviation = sqrt(square / pack->count);
}

CN_TEST(sizes_follow_their_distribution)
{
    const double value[] = {0.01, 0.014}, share[] = {3.0, 1.0};
    const struct {
        cn_size_def size;
        double mean, deviation, most;
    } cases[] = {
        {{.kind = CN_SIZE_UNIFORM, .pair = {0.01, 0.02}}, 0.015, 0.01 / sqrt(12.0), 0.02},
        {{.kind = CN_SIZE_NORMAL, .pair = {0.015, 0.002}}, 0.015, 0.002 * 0.98658, 0.021},
        {{.kind = CN_SIZE_LIST, .value = {2, value}, .share = {2, share}},
         0.011,
         0.004 * sqrt(3.0) / 4.0,
         0.014},
    };
    for (int k = 0; k < 3; k++) {
        cn_pieces pack = {0};
        cn_pack_def def = make_pack(8.0, 8.0);
        double mean, deviation, most;
        def.count = 20000;
        def.shape.radius = cases[k].size;
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        moments(&pack, &mean, &deviation, &most);
        double noise = cases[k].deviation / sqrt(20000.0);
        CN_NEAR(mean, cases[k].mean, 4.0 * noise, "4 standard errors of 20000 draws");
        CN_NEAR(deviation, cases[k].deviation, 4.0 * noise,
                "standard error of a deviation is less");
        CN_TRUE(most <= cases[k].most);
        CN_TRUE(least_gap(&pack, most) > -1e-12);
        cn_pieces_free(&pack);
    }
}

// A drum a bit less than half full, packed from below: the upper half stays empty.
CN_TEST(dense_pack_fills_a_drum_from_below)
{
    cn_pieces pack = {0};
    cn_shape_def drum = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 0.25, .thickness = 0.01};
    cn_pack_def def = make_pack(1.0, 1.0);
    const double at[2] = {1.0, 2.0};
    CN_DO(cn_region_from_shape(&drum, at, &def.inside, &test_error));
    def.method = CN_PACK_DENSE;
    def.fill = 0.38;
    def.shape.radius = (cn_size_def){.kind = CN_SIZE_UNIFORM, .pair = {0.004, 0.006}};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    double highest = -1.0, farthest = 0.0;
    for (int k = 0; k < pack.count; k++) {
        const cn_piece *p = &pack.piece[k];
        highest = fmax(highest, p->at[1] + p->radius - 2.0);
        farthest = fmax(farthest, hypot(p->at[0] - 1.0, p->at[1] - 2.0) + p->radius);
    }
    CN_TRUE(farthest <= 0.25 * (1.0 + 1e-11));
    CN_TRUE(highest < 0.02);
    CN_TRUE(least_gap(&pack, 0.006) > 0.0);
    cn_pieces_free(&pack);
}

CN_TEST(annulus_keeps_its_hub_free)
{
    for (int method = CN_PACK_RANDOM; method <= CN_PACK_DENSE; method++) {
        cn_pieces pack = {0};
        cn_pack_def def = make_pack(1.0, 1.0);
        def.inside = (cn_region){.kind = CN_REGION_ANNULUS, .inner = 0.3, .radius = 0.5};
        def.method = method;
        def.count = 200;
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        for (int k = 0; k < pack.count; k++) {
            double distance = hypot(pack.piece[k].at[0], pack.piece[k].at[1]);
            CN_TRUE(distance >= 0.31 - 1e-12 && distance <= 0.49 + 1e-12);
        }
        CN_TRUE(least_gap(&pack, 0.01) > -1e-12);
        cn_pieces_free(&pack);
    }
}

CN_TEST(polygons_are_convex_inside_and_apart)
{
    cn_pieces pack = {0};
    cn_pack_def def = make_pack(1.0, 1.0);
    def.shape = (cn_grain_def){.kind = CN_GRAIN_POLYGON,
                               .radius = {.kind = CN_SIZE_UNIFORM, .pair = {0.02, 0.04}},
                               .sides = {3.0, 9.0},
                               .irregular = 0.8,
                               .aspect = 0.7};
    def.fill = 0.35;
    def.method = CN_PACK_DENSE;
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    CN_NEAR(total_area(&pack), 0.35, 0.005, "fill counts true areas, to one grain");
    CN_NEAR(deepest_overlap(&pack), 0.0, 1e-15, "circles around the grains are apart");
    for (int k = 0; k < pack.count; k++) {
        outline o = outline_of(&pack, k);
        double x = 0.0, y = 0.0;
        for (int n = 0; n < o.count; n++) {
            int m = (n + 1) % o.count, l = (n + 2) % o.count;
            CN_TRUE((o.x[m] - o.x[n]) * (o.y[l] - o.y[m]) > (o.y[m] - o.y[n]) * (o.x[l] - o.x[m]));
            CN_TRUE(fabs(o.x[n]) <= 0.5 && fabs(o.y[n]) <= 0.5);
            x += pack.vertex[2 * (pack.piece[k].vertex_start + n)];
            y += pack.vertex[2 * (pack.piece[k].vertex_start + n) + 1];
        }
        CN_TRUE(hypot(x, y) < 0.04 * o.count);
    }
    cn_pieces_free(&pack);
}

CN_TEST(boxes_and_capsules_can_be_packed)
{
    cn_pieces pack = {0};
    cn_pack_def def = make_pack(1.0, 1.0);
    def.shape = (cn_grain_def){.kind = CN_GRAIN_BOX, .box = {0.04, 0.02}};
    def.count = 100;
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    CN_NEAR(total_area(&pack), 100 * 0.04 * 0.02, 1e-14, "boxes keep their size");
    CN_NEAR(deepest_overlap(&pack), 0.0, 1e-15, "apart");
    cn_pieces_free(&pack);
    def.shape =
        (cn_grain_def){.kind = CN_GRAIN_CAPSULE, .radius = {.constant = 0.01}, .length = 0.03};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    CN_TRUE(pack.piece[99].kind == CN_SHAPE_CAPSULE && pack.piece[99].length == 0.03);
    cn_pieces_free(&pack);
}

// The promise of the method: 1e5 grains in seconds. The bound is far above what is needed (0.2 s on
// a laptop), so that it fails only when the cost is no longer linear.
CN_TEST(hundred_thousand_disks_take_seconds)
{
    const double fill[] = {0.0, 0.45, 0.7, 0.75};
    for (int method = CN_PACK_RANDOM; method <= CN_PACK_DENSE; method++) {
        cn_pieces pack = {0};
        cn_pack_def def = make_pack(1.0, 1.0);
        def.method = method;
        def.count = 100000;
        def.shape.radius.constant = sqrt(fill[method] / (CN_PI * 1e5));
        clock_t start = clock();
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        CN_TRUE(pack.count == 100000 && seconds < 20.0);
        if (getenv("CAIRN_TEST_TIMES")) {
            printf("%s: %.3f s\n", pack.note, seconds);
        }
        CN_TRUE(least_gap(&pack, def.shape.radius.constant) > -1e-14);
        cn_pieces_free(&pack);
    }
}

CN_TEST(auto_takes_the_loosest_method_that_fits)
{
    const struct {
        double fill;
        const char *method;
    } cases[] = {{0.4, "random"}, {0.6, "lattice"}};
    for (int k = 0; k < 2; k++) {
        cn_pieces pack = {0};
        cn_pack_def def = make_pack(1.0, 1.0);
        def.fill = cases[k].fill;
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        CN_TRUE(strstr(pack.note, cases[k].method) != NULL);
        cn_pieces_free(&pack);
    }
    // Unequal grains waste room on a lattice.
    cn_pieces pack = {0};
    cn_pack_def def = make_pack(1.0, 1.0);
    def.shape.radius = (cn_size_def){.kind = CN_SIZE_UNIFORM, .pair = {0.005, 0.015}};
    def.fill = 0.7;
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    CN_TRUE(strstr(pack.note, "dense") != NULL);
    cn_pieces_free(&pack);
}

CN_TEST(bad_packs_are_told)
{
    cn_pieces pack = {0};
    cn_pack_def def = make_pack(1.0, 1.0);
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "neither is given");
    def.count = 10;
    def.fill = 0.3;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "both are given");
    def.count = 0;
    def.fill = 0.95;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "of 0.950 asked for");
    def.method = CN_PACK_RANDOM;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "method: dense");
    def.shape.radius.constant = 1e-6; // at once: they are not drawn one by one
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "got 3.02");
    def.shape.radius.constant = 0.6;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "do not fit");
    def.shape.radius.constant = -0.1;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "radius must be > 0 m");
    def.shape.radius = (cn_size_def){.kind = CN_SIZE_UNIFORM, .pair = {0.02, 0.01}};
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "comes first");
    def.shape.radius = (cn_size_def){.kind = CN_SIZE_NORMAL, .pair = {0.01, 0.005}};
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "deviation");
    def = make_pack(1.0, 1.0);
    def.count = 5;
    def.seed = 0.5;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "seed");
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 1.0};
    CN_FAILS(cn_region_from_shape(&disk, (double[2]){0.0, 0.0}, &def.inside, &test_error),
             CN_BAD_INPUT, "hollow_disk");
    CN_TRUE(pack.count == 0);
    cn_pieces_free(&pack);
}

CN_TEST(grid_is_centred_staggered_and_shaken)
{
    cn_pieces grid = {0};
    cn_grid_def def = {.columns = 4,
                       .rows = 3,
                       .spacing = {0.1, 0.2},
                       .shape = {.kind = CN_GRAIN_DISK, .radius = {.constant = 0.03}},
                       .stagger = 0.5,
                       .seed = 1.0};
    CN_DO(cn_generate_grid(&def, &grid, &test_error));
    CN_TRUE(grid.count == 12 && grid.piece[5].index[0] == 2 && grid.piece[5].index[1] == 2);
    CN_NEAR(grid.piece[0].at[0], -0.15, 1e-16, "middle of 4 columns");
    CN_NEAR(grid.piece[0].at[1], -0.2, 1e-16, "middle of 3 rows");
    CN_NEAR(grid.piece[4].at[0], -0.1, 1e-16, "second row is shifted by half a spacing");
    cn_pieces_free(&grid);
    def.jitter = 0.01;
    CN_DO(cn_generate_grid(&def, &grid, &test_error));
    for (int k = 0; k < 4; k++) {
        double moved = grid.piece[k].at[0] - (-0.15 + 0.1 * k);
        CN_TRUE(moved != 0.0 && fabs(moved) <= 0.01 + 1e-15);
    }
    cn_pieces_free(&grid);
    def.spacing[1] = 0.0;
    CN_FAILS(cn_generate_grid(&def, &grid, &test_error), CN_BAD_INPUT, "spacing in y");
    def.spacing[1] = 0.2;
    def.shape.kind = -1;
    CN_FAILS(cn_generate_grid(&def, &grid, &test_error), CN_BAD_INPUT, "shape");
    cn_pieces_free(&grid);
}

CN_MAIN(CN_RUN(each_method_packs_without_overlap); CN_RUN(gap_is_kept_between_grains_and_to_walls);
        CN_RUN(same_seed_same_bits_other_seed_other_sample);
        CN_RUN(sizes_follow_their_distribution); CN_RUN(dense_pack_fills_a_drum_from_below);
        CN_RUN(annulus_keeps_its_hub_free); CN_RUN(polygons_are_convex_inside_and_apart);
        CN_RUN(boxes_and_capsules_can_be_packed); CN_RUN(hundred_thousand_disks_take_seconds);
        CN_RUN(auto_takes_the_loosest_method_that_fits); CN_RUN(bad_packs_are_told);
        CN_RUN(grid_is_centred_staggered_and_shaken);)
