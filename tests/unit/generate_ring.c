// Rings: no overlap, evenly spread, as many as fit, turned outwards, reproducible.
#include "generate_check.h"
#include "test.h"

static cn_ring_def make_ring(double radius, double grain)
{
    return (cn_ring_def){
        .radius = radius,
        .shape = {.kind = CN_GRAIN_DISK, .radius = {.kind = CN_SIZE_CONSTANT, .constant = grain}},
        .seed = 3.0,
    };
}

static double least_gap(const cn_pieces *pieces)
{
    double least = DBL_MAX;
    for (int i = 0; i < pieces->count; i++) {
        const cn_piece *a = &pieces->piece[i];
        for (int j = 0; j < i; j++) {
            const cn_piece *b = &pieces->piece[j];
            double apart = hypot(a->at[0] - b->at[0], a->at[1] - b->at[1]);
            least = fmin(least, apart - a->radius - b->radius);
        }
    }
    return least;
}

// Six equal disks touch a seventh in the middle and each other; the next ring has twelve.
CN_TEST(six_disks_fit_around_one)
{
    cn_pieces ring = {0};
    cn_ring_def def = make_ring(0.5, 0.5);
    def.rings = 2;
    CN_DO(cn_generate_ring(&def, &ring, &test_error));
    CN_TRUE(ring.count == 18 && ring.piece[6].index[0] == 2 && ring.piece[6].index[1] == 1);
    CN_NEAR(least_gap(&ring), 0.0, 1e-14, "they touch");
    CN_NEAR(ring.piece[0].at[0], 1.0, 0.0, "the first one is on the x axis");
    CN_NEAR(ring.piece[1].at[1], sin(CN_PI / 3.0), 1e-14, "counterclockwise");
    cn_pieces_free(&ring);
}

// Random sizes: a number of grains in all, nothing overlaps, gaps to the circle inside are kept.
CN_TEST(a_loose_annulus_has_its_count_and_gaps)
{
    cn_pieces ring = {0}, again = {0};
    cn_ring_def def = make_ring(0.1, 0.0);
    def.shape.radius = (cn_size_def){.kind = CN_SIZE_UNIFORM, .pair = {4e-3, 6e-3}};
    def.count = 700;
    def.gap = 2e-4;
    CN_DO(cn_generate_ring(&def, &ring, &test_error));
    CN_DO(cn_generate_ring(&def, &again, &test_error));
    CN_TRUE(ring.count == 700 && again.count == 700);
    CN_TRUE(least_gap(&ring) >= 2e-4 * (1.0 - 1e-9));
    double area = 0.0, most = 0.0, least = DBL_MAX;
    for (int k = 0; k < ring.count; k++) {
        const cn_piece *p = &ring.piece[k];
        double distance = hypot(p->at[0], p->at[1]);
        CN_TRUE(p->at[0] == again.piece[k].at[0] && p->radius == again.piece[k].radius);
        area += CN_PI * p->radius * p->radius;
        most = fmax(most, distance + p->radius);
        least = fmin(least, distance - p->radius);
    }
    CN_TRUE(least >= 0.1 + 2e-4 - 1e-15);
    double fill = area / (CN_PI * (most * most - 0.01));
    // Rings as wide as the largest grain: pi/4 <d^2> / (d_most <d>) = 0.663, less the gaps, 0.04,
    // and a last ring that may be almost empty, at most 2 of 35 widths.
    CN_TRUE(fill > 0.56 && fill < 0.67);
    cn_pieces_free(&ring);
    cn_pieces_free(&again);
}

// Vanes: the long side of each box is along the radius.
CN_TEST(boxes_point_outwards)
{
    cn_pieces ring = {0};
    cn_ring_def def = make_ring(1.0, 0.0);
    def.shape = (cn_grain_def){.kind = CN_GRAIN_BOX, .box = {0.4, 0.1}};
    def.rings = 1;
    def.around = 8;
    CN_DO(cn_generate_ring(&def, &ring, &test_error));
    CN_TRUE(ring.count == 8);
    for (int k = 0; k < ring.count; k++) {
        const cn_piece *p = &ring.piece[k];
        double angle = atan2(p->at[1], p->at[0]);
        CN_NEAR(cos(p->angle - angle), 1.0, 1e-14, "x axis along the radius");
        CN_NEAR(cos(8.0 * angle), 1.0, 1e-13, "spread evenly, from the x axis");
    }
    CN_NEAR(deepest_overlap(&ring), 0.0, 0.0, "no overlap");
    cn_pieces_free(&ring);
}

CN_TEST(bad_rings_are_refused)
{
    cn_pieces ring = {0};
    cn_ring_def def = make_ring(0.5, 0.5);
    CN_FAILS(cn_generate_ring(&def, &ring, &test_error), CN_BAD_INPUT, "neither is given");
    def.rings = 1;
    def.around = 7;
    CN_FAILS(cn_generate_ring(&def, &ring, &test_error), CN_BAD_INPUT, "room for 6 pieces");
    def.count = 9;
    CN_FAILS(cn_generate_ring(&def, &ring, &test_error), CN_BAD_INPUT, "both are given");
    def = make_ring(NAN, 0.5);
    CN_FAILS(cn_generate_ring(&def, &ring, &test_error), CN_BAD_INPUT, "radius inside");
    def = make_ring(0.5, 0.5);
    def.rings = 1;
    def.gap = -1.0;
    CN_FAILS(cn_generate_ring(&def, &ring, &test_error), CN_BAD_INPUT, "gap");
    CN_TRUE(ring.count == 0);
    cn_pieces_free(&ring);
}

CN_MAIN(CN_RUN(six_disks_fit_around_one); CN_RUN(a_loose_annulus_has_its_count_and_gaps);
        CN_RUN(boxes_point_outwards); CN_RUN(bad_rings_are_refused);)
