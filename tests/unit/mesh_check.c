// The doctor: every kind of defect alone, and sound surfaces that look like defects.
#include "mesh_surfaces.h"

#include "base/hash.h"
#include "geometry/surface/doctor/crossing.h"

static void expect_text(const char *text, cn_defect defect, int64_t count)
{
    cn_surface s = surface_of_text(text);
    expect_only(&s, defect, count);
    cn_surface_free(&s);
}

CN_TEST(sound_cube)
{
    expect_text(CUBE CUBE_LAST, CN_DEFECT_COUNT, 0);
    CN_TRUE(report.part_count == 1 && !report.is_cut_short && cn_surface_error_count(&report) == 0);
}

CN_TEST(open_edges_are_told_with_their_faces)
{
    expect_text(CUBE, CN_DEFECT_OPEN_EDGE, 4);
    CN_TRUE(cn_surface_error_count(&report) == 4);
    static const int64_t faces[] = {1, 3, 5, 2}; // edges by their vertices: 1-4, 1-5, 4-8, 5-8
    for (int k = 0; k < 4; k++) {
        const cn_defect_place *p = &report.place[CN_DEFECT_OPEN_EDGE][k];
        CN_TRUE(p->element[0] == faces[k] && p->element[1] == 0 && p->at.x == 0.0);
    }
}

// The first 20 are listed, all are counted.
CN_TEST(many_defects)
{
    static file f;
    for (int k = 0; k < 30; k++) {
        print(&f, "v %d 0 0\nv %d 1 0\nv %d.5 0 0\nf -1 -2 -3\n", k, k, k);
    }
    cn_surface s = surface_of(&f);
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_OPEN_EDGE] == 90 && report.count[CN_DEFECT_PARTS] == 29);
    CN_TRUE(report.place[CN_DEFECT_OPEN_EDGE][19].element[0] == 7);
    cn_surface_free(&s);
}

CN_TEST(edges_and_vertices_where_too_much_meets)
{
    // Two wedges with one edge in common, then two with one vertex.
    const char *wedges = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 1 1 0\nv -1 0 0\nv -1 -1 0\n"
                         "f 1 4 3\nf 1 3 2\nf 3 4 2\nf 1 2 4\nf 1 6 5\nf 1 5 2\nf 5 6 2\nf 1 2 6\n";
    expect_text(wedges, CN_DEFECT_CROWDED_EDGE, 1);
    CN_TRUE(report.part_count == 1);
    CN_NEAR(report.place[CN_DEFECT_CROWDED_EDGE][0].at.z, 0.5, 0.0, "middle of the edge");
    const char *tips = "v 0 0 0\nv 1 0 1\nv 1 1 1\nv 2 0 1\nv -1 0 1\nv -1 1 1\nv -2 0 1\n"
                       "f 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\nf 1 6 5\nf 1 7 6\nf 1 5 7\nf 5 6 7\n";
    cn_surface s = surface_of_text(tips);
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_CROWDED_VERTEX] == 1 && report.part_count == 2);
    CN_TRUE(cn_surface_error_count(&report) - report.count[CN_DEFECT_INVERTED] == 1);
    CN_NEAR(cn_norm3(report.place[CN_DEFECT_CROWDED_VERTEX][0].at), 0.0, 0.0, "the tip");
    cn_surface_free(&s);
}

CN_TEST(orientation_and_inversion)
{
    expect_text(CUBE "f 8 5 1 4\n", CN_DEFECT_ORIENTATION, 4);
    CN_TRUE(report.place[CN_DEFECT_ORIENTATION][0].element[0] == 1 &&
            report.place[CN_DEFECT_ORIENTATION][0].element[1] == 6);
    static file f;
    print_cube(&f, 1.0, 0.0, 0.0, 0.0, true);
    cn_surface s = surface_of(&f);
    expect_only(&s, CN_DEFECT_INVERTED, 1);
    CN_NEAR(report.mass.volume, -1.0, 1e-15, "inside out");
    cn_surface_free(&s);
}

// Shells within shells: sides must alternate.
CN_TEST(cavities_are_no_inversions)
{
    for (int wrong = 0; wrong < 4; wrong++) {
        static file f;
        f.length = 0;
        for (int k = 0; k < 4; k++) {
            double in = 0.1 * k;
            bool is_wrong = k == wrong && wrong > 0;
            print_cube(&f, 1.0 - 2.0 * in, in, in, in, (k % 2 == 1) != is_wrong);
        }
        print_cube(&f, 0.5, 5.0, 0.0, 0.0, false);
        cn_surface s = surface_of(&f);
        examine(&s);
        CN_TRUE(report.count[CN_DEFECT_INVERTED] == (wrong > 0 ? 1 : 0));
        CN_TRUE(report.count[CN_DEFECT_PARTS] == 4 && report.count[CN_DEFECT_INTERSECTION] == 0);
        cn_surface_free(&s);
    }
}

CN_TEST(triangles_without_area_and_slivers)
{
    cn_surface s = surface_of_text(CUBE CUBE_LAST "f 1 1 2\n");
    expect_only(&s, CN_DEFECT_DEGENERATE, 1);
    CN_TRUE(report.place[CN_DEFECT_DEGENERATE][0].element[0] == 7);
    cn_surface_free(&s);
    const char *thin =
        "v 0 0 0\nv 1 0 0\nv 0.5 %g 0\nv 0.5 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    char text[200];
    snprintf(text, sizeof text, thin, -1e-12);
    s = surface_of_text(text);
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_DEGENERATE] == 1 && report.count[CN_DEFECT_SLIVER] == 0);
    cn_surface_free(&s);
    snprintf(text, sizeof text, thin, -5e-4);
    s = surface_of_text(text);
    expect_only(&s, CN_DEFECT_SLIVER, 1);
    CN_TRUE(cn_surface_error_count(&report) == 0);
    cn_surface_free(&s);
}

CN_TEST(things_given_twice_and_unused)
{
    cn_surface s = surface_of_text(CUBE CUBE_LAST "f 4 1 5\n");
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_DUPLICATE] == 1);
    const cn_defect_place *p = &report.place[CN_DEFECT_DUPLICATE][0];
    CN_TRUE(p->element[0] == 7 && p->element[1] == 6);
    cn_surface_free(&s);
    s = surface_of_text(CUBE CUBE_LAST "v 0.5 0.5 0.5\n");
    expect_only(&s, CN_DEFECT_UNUSED_VERTEX, 1);
    cn_surface_free(&s);
    s = surface_of_text(CUBE CUBE_LAST "v -0 0 0\n");
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_DUPLICATE_VERTEX] == 1 && cn_surface_error_count(&report) == 0);
    cn_surface_free(&s);
}

static int64_t count_crossings(double x, double y, double z)
{
    static file f;
    f.length = 0;
    print_cube(&f, 1.0, 0.0, 0.0, 0.0, false);
    print_cube(&f, 1.0, x, y, z, false);
    cn_surface s = surface_of(&f);
    examine(&s);
    cn_surface_free(&s);
    return report.count[CN_DEFECT_INTERSECTION];
}

CN_TEST(crossing_and_touching)
{
    CN_TRUE(count_crossings(2.0, 0.0, 0.0) == 0);
    CN_TRUE(count_crossings(0.5, 0.5, 0.5) > 0); // edges pass through diagonals of faces
    CN_TRUE(count_crossings(0.3, 0.2, 0.4) > 0);
    CN_TRUE(count_crossings(0.5, 0.0, 0.0) > 0);   // sides in one plane overlap
    CN_TRUE(count_crossings(1.0, 1.0, 1.0) == 0);  // corner to corner
    CN_TRUE(count_crossings(1.0, 1.0, 0.0) == 0);  // edge to edge
    CN_TRUE(count_crossings(1.0, 0.25, 0.25) > 0); // faces lie on each other: no solid is between
    // Two triangles with a common vertex, one through the other, and a fold onto a neighbour.
    const char *fan = "v 0 0 0\nv 2 -1 0\nv 2 1 0\nv 1 0 -1\nv 1 0 1\nf 1 2 3\nf 1 4 5\n";
    cn_surface s = surface_of_text(fan);
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_INTERSECTION] == 1);
    CN_TRUE(report.place[CN_DEFECT_INTERSECTION][0].element[1] == 2);
    cn_surface_free(&s);
    s = surface_of_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 1 -1 0\nf 1 2 3\nf 2 1 4\nf 2 1 5\n");
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_INTERSECTION] == 1);
    cn_surface_free(&s);
}

// Six times the volume of a tetrahedron.
static long double det(const cn_surface *s, int a, int b, int c, int d)
{
    long double m[3][3];
    for (int k = 0; k < 3; k++) {
        long double from = s->vertex[3 * a + k];
        m[0][k] = s->vertex[3 * b + k] - from;
        m[1][k] = s->vertex[3 * c + k] - from;
        m[2][k] = s->vertex[3 * d + k] - from;
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Whether an edge of one passes through the other, by signs of volumes alone.
static bool oracle_pierces(const cn_surface *s, const int *t, const int *u)
{
    for (int k = 0; k < 3; k++) {
        int p = t[k], q = t[(k + 1) % 3];
        bool is_across = det(s, u[0], u[1], u[2], p) * det(s, u[0], u[1], u[2], q) < 0.0L;
        bool side = det(s, p, q, u[0], u[1]) > 0.0L;
        if (is_across && (det(s, p, q, u[1], u[2]) > 0.0L) == side &&
            (det(s, p, q, u[2], u[0]) > 0.0L) == side) {
            return true;
        }
    }
    return false;
}

static void count_pair(void *context, int t, int u, cn_vec3 at)
{
    (void)at;
    uint64_t *sum = context;
    sum[0]++;
    sum[1] += cn_mix2((uint64_t)t, (uint64_t)u);
}

// The tree finds what testing all pairs finds, and single tests agree with signs of volumes.
CN_TEST(random_triangles_against_all_pairs)
{
    enum { COUNT = 400 };
    static double vertex[9 * COUNT];
    static int triangle[3 * COUNT];
    uint64_t seed = 5;
    for (int t = 0; t < COUNT; t++) {
        double size = t % 7 == 0 ? 1.0 : 0.15; // of very different size
        for (int k = 0; k < 9; k++) {
            vertex[9 * t + k] = (k < 3 ? cn_random(&seed) : vertex[9 * t + k % 3]) +
                                (k < 3 ? 0.0 : size * (cn_random(&seed) - 0.5));
            triangle[3 * t + k / 3] = 3 * t + k / 3;
        }
    }
    cn_surface s = {3 * COUNT, COUNT, 0, vertex, triangle, NULL, NULL, NULL, NULL, NULL};
    uint64_t found[2] = {0, 0}, all[2] = {0, 0};
    bool is_cut_short = true;
    CN_DO(cn_find_crossings(&s, 1e-12, count_pair, found, &is_cut_short, &test_error));
    int disagree = 0;
    for (int t = 0; t < COUNT; t++) {
        for (int u = t + 1; u < COUNT; u++) {
            cn_vec3 at;
            bool crosses = cn_triangles_cross(&s, t, u, 1e-12, &at);
            const int *a = triangle + 3 * t, *b = triangle + 3 * u;
            disagree += crosses != (oracle_pierces(&s, a, b) || oracle_pierces(&s, b, a));
            if (crosses) {
                count_pair(all, t, u, at);
            }
        }
    }
    CN_TRUE(disagree == 0 && !is_cut_short);
    CN_TRUE(found[0] == all[0] && found[1] == all[1] && found[0] > 100);
}

// Thousands of triangles on one spot end in a message, not in a long wait.
CN_TEST(search_ends)
{
    enum { COUNT = 4000 };
    static double vertex[9 * COUNT];
    static int triangle[3 * COUNT];
    uint64_t seed = 9;
    for (int k = 0; k < 9 * COUNT; k++) {
        vertex[k] = cn_random(&seed);
        triangle[k / 3] = k / 3;
    }
    cn_surface s = {3 * COUNT, COUNT, 0, vertex, triangle, NULL, NULL, NULL, NULL, NULL};
    uint64_t found[2] = {0, 0};
    bool is_cut_short = false;
    CN_DO(cn_find_crossings(&s, 1e-12, count_pair, found, &is_cut_short, &test_error));
    CN_TRUE(is_cut_short && found[0] > 1000);
}

CN_TEST(sizes_that_are_no_metres)
{
    static const double sizes[] = {1e-4, 2e-3, 500.0, 2e3};
    for (int k = 0; k < 4; k++) {
        static file f;
        f.length = 0;
        print_cube(&f, sizes[k], 0.0, 0.0, 0.0, false);
        cn_surface s = surface_of(&f);
        expect_only(&s, CN_DEFECT_UNIT, k == 0 || k == 3 ? 1 : 0);
        cn_surface_free(&s);
    }
}

CN_TEST(exact_integrals)
{
    cn_surface s = surface_of_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                   "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    cn_surface_mass m = cn_surface_measure(&s);
    const char *why = "exact up to rounding";
    CN_NEAR(m.volume, 1.0 / 6.0, 1e-16, why);
    CN_NEAR(m.area, 1.5 + sqrt(3.0) / 2.0, 1e-15, why);
    CN_NEAR(m.centre.z, 0.25, 1e-15, why);
    CN_NEAR(m.inertia.row[0].x, 1.0 / 80.0, 1e-16, why);
    CN_NEAR(m.inertia.row[0].y, 1.0 / 480.0, 1e-16, why);
    cn_surface_free(&s);
    // A box of 1 x 2 x 3 far from the origin.
    static file f;
    print_cube(&f, 1.0, 4096.0, -4096.0, 0.0, false);
    s = surface_of(&f);
    for (int v = 0; v < s.vertex_count; v++) {
        s.vertex[3 * v + 1] = 2.0 * (s.vertex[3 * v + 1] + 4096.0) - 4096.0;
        s.vertex[3 * v + 2] *= 3.0;
    }
    m = cn_surface_measure(&s);
    CN_NEAR(m.volume, 6.0, 1e-14, why);
    CN_NEAR(m.inertia.row[0].x, 6.0 * (4.0 + 9.0) / 12.0, 1e-13, why);
    CN_NEAR(m.inertia.row[2].z, 6.0 * (1.0 + 4.0) / 12.0, 1e-13, why);
    CN_NEAR(m.box_hi.y, -4094.0, 0.0, "a vertex");
    cn_surface_free(&s);
}

CN_TEST(arrays_that_cannot_be_examined)
{
    double vertex[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    int triangle[3] = {0, 1, 2};
    cn_surface s = {3, 1, 0, vertex, triangle, NULL, NULL, NULL, NULL, NULL};
    cn_surface_check_def def = cn_surface_check_def_default();
    CN_DO(cn_surface_check(&s, &def, &report, &test_error));
    CN_TRUE(report.place[CN_DEFECT_OPEN_EDGE][0].element[0] == 1);
    triangle[2] = 3;
    CN_FAILS(cn_surface_check(&s, &def, &report, &test_error), CN_BAD_INPUT, "names vertex 3 of 3");
    triangle[2] = -1;
    CN_FAILS(cn_surface_check(&s, &def, &report, &test_error), CN_BAD_INPUT, "names vertex -1");
    triangle[2] = 2;
    vertex[4] = NAN;
    CN_FAILS(cn_surface_check(&s, &def, &report, &test_error), CN_BAD_INPUT, "vertex 2");
    cn_surface none = {0};
    CN_DO(cn_surface_check(&none, &def, &report, &test_error));
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        CN_TRUE(cn_defect_name((cn_defect)k)[0] && cn_defect_remedy((cn_defect)k)[0]);
    }
}

CN_MAIN(CN_RUN(sound_cube); CN_RUN(open_edges_are_told_with_their_faces); CN_RUN(many_defects);
        CN_RUN(edges_and_vertices_where_too_much_meets); CN_RUN(orientation_and_inversion);
        CN_RUN(cavities_are_no_inversions); CN_RUN(triangles_without_area_and_slivers);
        CN_RUN(things_given_twice_and_unused); CN_RUN(crossing_and_touching);
        CN_RUN(random_triangles_against_all_pairs); CN_RUN(search_ends);
        CN_RUN(sizes_that_are_no_metres); CN_RUN(exact_integrals);
        CN_RUN(arrays_that_cannot_be_examined);)
