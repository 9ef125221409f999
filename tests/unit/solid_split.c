// tests/unit/solid_split.c -- closed surfaces cut into convex pieces.
#include "cairn/solid.h"
#include "test.h"

enum { POINTS = 8, ROOM = 64 };

// A prism of height 1 over a polygon, whose triangles are given.
typedef struct prism {
    int count, triangle_count;
    double vertex[6 * POINTS];
    int triangle[3 * ROOM];
} prism;

static cn_surface make(prism *p, int count, const double (*outline)[2], int cap_count,
                       const int (*cap)[3])
{
    *p = (prism){.count = count};
    for (int k = 0; k < count; k++) {
        for (int z = 0; z < 2; z++) {
            double *v = p->vertex + 3 * (k + z * count);
            v[0] = outline[k][0];
            v[1] = outline[k][1];
            v[2] = z;
        }
    }
    int *t = p->triangle;
    for (int k = 0; k < cap_count; k++) {
        const int *c = cap[k], n = count;
        const int two[6] = {c[0], c[2], c[1], c[0] + n, c[1] + n, c[2] + n};
        memcpy(t, two, sizeof two);
        t += 6;
    }
    for (int k = 0; k < count; k++) {
        int m = (k + 1) % count, n = count;
        const int side[6] = {k, m, m + n, k, m + n, k + n};
        memcpy(t, side, sizeof side);
        t += 6;
    }
    p->triangle_count = (int)(t - p->triangle) / 3;
    return (cn_surface){.vertex_count = 2 * count,
                        .triangle_count = p->triangle_count,
                        .vertex = p->vertex,
                        .triangle = p->triangle};
}

static const double ell[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
static const int ell_cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
static const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const int square_cap[2][3] = {{0, 1, 2}, {0, 2, 3}};
// A bridge: a deck 3 x 1 on two legs 1 x 1.
static const double bridge[8][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 0}, {3, 0}, {3, 2}, {0, 2}};
static const int bridge_cap[6][3] = {{0, 1, 2}, {0, 2, 7}, {2, 3, 7},
                                     {3, 6, 7}, {3, 5, 6}, {3, 4, 5}};

// The pieces together have the mass properties of the body.
static void check_mass(const cn_surface *s, const cn_split *split)
{
    cn_surface_mass wanted = cn_surface_measure(s);
    cn_solid_mass found;
    CN_DO(cn_solids_measure(split->solid, split->count, &found, &test_error));
    CN_NEAR(found.volume, wanted.volume, 1e-14, "the pieces fill the body");
    CN_NEAR(found.centre[0], wanted.centre.x, 1e-14, "the same body");
    CN_NEAR(found.centre[1], wanted.centre.y, 1e-14, "the same body");
    CN_NEAR(found.inertia[0], wanted.inertia.row[0].x, 1e-13, "the same body");
    CN_NEAR(found.inertia[2], wanted.inertia.row[2].z, 1e-13, "the same body");
    CN_NEAR(found.inertia[5], wanted.inertia.row[0].y, 1e-13, "the same body");
}

CN_TEST(an_angle_is_two_blocks)
{
    prism p;
    cn_surface s = make(&p, 6, ell, 4, ell_cap);
    cn_cut cut = {{1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
    cn_split split;
    CN_DO(cn_surface_split(&s, &cut, 1, &split, &test_error));
    CN_TRUE(split.count == 2);
    check_mass(&s, &split);
    cn_split_free(&split);
    CN_FAILS(cn_surface_split(&s, NULL, 0, &split, &test_error), CN_BAD_INPUT,
             "a piece is not convex: it reaches 1 m beyond face");
    CN_TRUE(split.count == 0 && split.solid == NULL);
    // A slanting cut through the inner corner does as well.
    cn_cut slant = {{1.0, 1.0, 0.0}, {1.0, -1.0, 0.0}};
    CN_DO(cn_surface_split(&s, &slant, 1, &split, &test_error));
    CN_TRUE(split.count == 2);
    check_mass(&s, &split);
    cn_split_free(&split);
}

CN_TEST(a_bridge_is_three_blocks)
{
    prism p;
    cn_surface s = make(&p, 8, bridge, 6, bridge_cap);
    cn_cut cut = {{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}}; // both legs are on one side of it
    cn_split split;
    CN_DO(cn_surface_split(&s, &cut, 1, &split, &test_error));
    CN_TRUE(split.count == 3);
    check_mass(&s, &split);
    cn_split_free(&split);
}

CN_TEST(cuts_may_cross_inside)
{
    prism p;
    cn_surface s = make(&p, 4, square, 2, square_cap);
    const cn_cut cut[3] = {{{0.3, 0.0, 0.0}, {1.0, 0.0, 0.0}},
                           {{0.0, 0.4, 0.0}, {0.1, 1.0, 0.0}},
                           {{0.0, 0.0, 0.6}, {0.0, 0.2, 1.0}}};
    cn_split split;
    CN_DO(cn_surface_split(&s, cut, 3, &split, &test_error));
    CN_TRUE(split.count == 8);
    check_mass(&s, &split);
    cn_split_free(&split);
    CN_DO(cn_surface_split(&s, NULL, 0, &split, &test_error)); // a cube is convex
    CN_TRUE(split.count == 1);
    cn_split_free(&split);
}

CN_TEST(bad_cuts_are_refused)
{
    prism p;
    cn_surface s = make(&p, 4, square, 2, square_cap);
    cn_cut cut = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    cn_split split;
    CN_FAILS(cn_surface_split(&s, &cut, 1, &split, &test_error), CN_BAD_INPUT, "no plane");
    CN_FAILS(cn_surface_split(&s, &cut, 33, &split, &test_error), CN_BAD_INPUT, "at most 32");
    s.triangle_count = 2; // only its caps: open
    CN_FAILS(cn_surface_split(&s, NULL, 0, &split, &test_error), CN_BAD_INPUT, "");
}

// ---- cuts that are found

// A prism of height 1 over an outline, as the faces of a file.
static cn_surface read_prism(int count, const double (*outline)[2])
{
    char text[20000];
    size_t used = 0;
    for (int k = 0; k < 2 * count; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "v %.17g %.17g %d\n",
                                 outline[k % count][0], outline[k % count][1], k / count);
    }
    for (int z = 0; z < 2; z++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "f");
        for (int k = 0; k < count; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %d",
                                     z == 0 ? count - k : count + k + 1);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    for (int k = 0; k < count; k++) {
        int m = (k + 1) % count;
        used += (size_t)snprintf(text + used, sizeof text - used, "f %d %d %d %d\n", k + 1, m + 1,
                                 m + count + 1, k + count + 1);
    }
    cn_surface s;
    cn_surface_def def = cn_surface_def_default();
    CN_DO(cn_surface_parse("prism", CN_SURFACE_OBJ, text, used, &def, &s, &test_error));
    return s;
}

static void check_decomposed(int count, const double (*outline)[2], int pieces)
{
    cn_surface s = read_prism(count, outline);
    cn_split split;
    CN_DO(cn_surface_decompose(&s, &split, &test_error));
    CN_TRUE(split.count == pieces);
    cn_surface_mass wanted = cn_surface_measure(&s);
    cn_solid_mass found;
    CN_DO(cn_solids_measure(split.solid, split.count, &found, &test_error));
    CN_NEAR(found.volume, wanted.volume, 1e-13, "the pieces fill the body");
    CN_NEAR(found.centre[0], wanted.centre.x, 1e-13, "the same body");
    CN_NEAR(found.inertia[2], wanted.inertia.row[2].z, 1e-12, "the same body");
    cn_split_free(&split);
    cn_surface_free(&s);
}

// Case B43 of the catalogue: prisms of unit squares.
CN_TEST(prisms_take_as_few_pieces_as_they_can)
{
    const double tee[8][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {0, 2}, {0, 1}, {1, 1}};
    const double cross[12][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
                                 {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
    double stair[14][2] = {{0, 0}, {6, 0}};
    for (int k = 0; k < 6; k++) {
        stair[2 + 2 * k][0] = 6 - k;
        stair[2 + 2 * k][1] = k + 1;
        stair[3 + 2 * k][0] = 5 - k;
        stair[3 + 2 * k][1] = k + 1;
    }
    check_decomposed(6, ell, 2);
    check_decomposed(8, tee, 2);
    check_decomposed(12, cross, 3);
    check_decomposed(13, stair, 6); // the last corner is the first
    check_decomposed(8, bridge, 3);
    check_decomposed(4, square, 1);
}

// A groin stone: two arms at a right angle, 2 m deep at the mitre, whose faces are warped by 0.1
// mm. The mitre takes care of all its reflex edges; the volume changes by no more than the warping.
CN_TEST(a_warped_groin_stone_is_cut_at_its_mitre)
{
    const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    cn_surface s = read_prism(6, outline);
    for (int v = 0; v < 6; v++) { // the upper face rises to the ends of both arms
        double *upper = s.vertex + 3 * (6 + v);
        upper[2] += 0.5 * fmax(upper[0], upper[1]);
        upper[v % 2] += v % 3 == 0 ? 1e-4 : -1e-4;
    }
    cn_split split;
    cn_solid_mass found;
    CN_DO(cn_surface_decompose(&s, &split, &test_error));
    CN_TRUE(split.count == 2);
    CN_DO(cn_solids_measure(split.solid, split.count, &found, &test_error));
    CN_NEAR(found.volume, cn_surface_measure(&s).volume, 1e-3, "0.1 mm of 10 m2");
    cn_split_free(&split);
    cn_surface_free(&s);
}

// A block 2 m wide and high with a round hollow in its top, of so many sides.
static int hollow_block(int sides, double (*outline)[2])
{
    outline[0][0] = -1.0;
    outline[1][0] = 1.0;
    outline[0][1] = outline[1][1] = 0.0;
    for (int k = 0; k <= sides; k++) {
        outline[2 + k][0] = cos(CN_PI * k / sides);
        outline[2 + k][1] = 2.0 - 1.5 * sin(CN_PI * k / sides);
    }
    return sides + 3;
}

CN_TEST(round_hollows_are_cut_as_far_as_they_can)
{
    double outline[96][2];
    check_decomposed(hollow_block(16, outline), outline, 16);
    cn_split split;
    cn_surface s = read_prism(hollow_block(80, outline), outline);
    CN_FAILS(cn_surface_decompose(&s, &split, &test_error), CN_BAD_INPUT,
             "it takes more than 32 cuts");
    CN_TRUE(split.count == 0 && split.solid == NULL);
    s.triangle_count = 1;
    CN_FAILS(cn_surface_decompose(&s, &split, &test_error), CN_BAD_INPUT, "cannot be split");
    cn_surface_free(&s);
}

CN_MAIN(CN_RUN(an_angle_is_two_blocks); CN_RUN(a_bridge_is_three_blocks);
        CN_RUN(cuts_may_cross_inside); CN_RUN(bad_cuts_are_refused);
        CN_RUN(prisms_take_as_few_pieces_as_they_can);
        CN_RUN(a_warped_groin_stone_is_cut_at_its_mitre);
        CN_RUN(round_hollows_are_cut_as_far_as_they_can);)
