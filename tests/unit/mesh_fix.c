// Repairs: each alone, all together, what cannot be repaired; written files read back.
#include "mesh_surfaces.h"

#include <unistd.h>

static cn_status fix(cn_surface *s, double weld)
{
    cn_surface_fix_def def = cn_surface_fix_def_default();
    def.weld = weld;
    def.told = take_remark;
    remarks[0] = '\0';
    return cn_surface_fix(s, &def, &report, &test_error);
}

// Repaired to the unit cube, with these words in the log; a second repair has nothing to do.
static void expect_fixed(const char *text, double weld, const char *words)
{
    cn_surface s = surface_of_text(text);
    CN_DO(fix(&s, weld));
    test_count++;
    if (strstr(remarks, words) == NULL) {
        test_failures++;
        printf("%s: the log lacks '%s': %s\n", test_name, words, remarks);
    }
    CN_TRUE(cn_surface_error_count(&report) == 0);
    expect_cube(&s);
    CN_DO(fix(&s, weld));
    CN_TRUE(remarks[0] == '\0');
    cn_surface_free(&s);
}

CN_TEST(vertices_are_joined)
{
    static file f;
    for (int n = 0; n < 6; n++) {
        for (int k = 0; k < 4; k++) {
            int v = cube_face[n][k];
            print(&f, "v %g %g %g\n", cube_vertex(v, 0), cube_vertex(v, 1), cube_vertex(v, 2));
        }
        print(&f, "f -4 -3 -2 -1\n");
    }
    print(&f, "v 7 7 7\n");
    cn_surface s = surface_of(&f);
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_OPEN_EDGE] == 24 &&
            report.count[CN_DEFECT_DUPLICATE_VERTEX] == 16);
    cn_surface_free(&s);
    expect_fixed(f.byte, 0.0, "16 vertices joined with others at the same place");
    expect_fixed(f.byte, 0.0, "1 unused vertex removed");
    expect_fixed(CUBE "v -0.001 1 1\nf 4 1 5 -1\n", 0.01,
                 "1 vertices joined with others at most 0.01 m away");
}

CN_TEST(triangles_are_removed)
{
    expect_fixed(CUBE CUBE_LAST "f 1 2 2\nf 3 3 3\n", 0.0,
                 "2 triangles with a corner twice removed: face 7, 8");
    expect_fixed(CUBE CUBE_LAST "f 4 1 5\nf 1 5 4\n", 0.0,
                 "2 triangles given twice removed: face 7, 8");
    expect_fixed(CUBE CUBE_LAST "f 5 1 4\n", 0.0, "1 triangle given twice removed: face 7");
}

CN_TEST(sides_are_turned)
{
    expect_fixed(CUBE "f 8 5 1 4\n", 0.0,
                 "2 triangles turned to the side of the neighbours: face 6\n");
    static file f;
    print_cube(&f, 1.0, 0.0, 0.0, 0.0, true);
    expect_fixed(f.byte, 0.0, "1 part inside out turned, begins with: face 1");
}

// A vertex on an edge of the cube, joined by a flat triangle: the face beyond it is split there.
CN_TEST(flat_triangles_are_flipped)
{
    const char *text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                       "v 0.25 0 0\n"
                       "f 4 3 2 1\nf 5 6 7 8\nf 1 9 5\nf 9 6 5\nf 9 2 6\nf 1 2 9\n"
                       "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    cn_surface s = surface_of_text(text);
    expect_only(&s, CN_DEFECT_DEGENERATE, 1);
    CN_DO(fix(&s, 0.0));
    CN_TRUE(strstr(remarks, "1 flat triangle removed by flipping the longest edge: face 6") !=
            NULL);
    expect_only(&s, CN_DEFECT_COUNT, 0);
    CN_NEAR(report.mass.volume, 1.0, 1e-15, "the shape stays");
    CN_TRUE(s.triangle_count == 14 && s.vertex_count == 9);
    cn_surface_free(&s);
}

// Two cubes that touch in a point or along an edge are sound, and stay so; two tetrahedra with the
// same vertices along an edge of two pieces get their own, and STL keeps them apart.
CN_TEST(bodies_that_touch_are_parted)
{
    static file point, edge;
    print_cube(&point, 1.0, 0.0, 0.0, 0.0, false);
    print_cube(&point, 1.0, 1.0, 1.0, 1.0, false);
    print_cube(&edge, 1.0, 0.0, 0.0, 0.0, false);
    print_cube(&edge, 1.0, 1.0, 1.0, 0.0, false);
    const file *both[2] = {&point, &edge};
    for (int k = 0; k < 2; k++) {
        cn_surface s = surface_of(both[k]);
        CN_DO(fix(&s, 0.0));
        CN_TRUE(remarks[0] == '\0' && report.part_count == 2 && s.vertex_count == 16);
        CN_TRUE(cn_surface_error_count(&report) == 0);
        cn_surface_free(&s);
    }
    cn_surface s =
        surface_of_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -1 0 0\nv 0 -1 0\nv 0 0 2\n"
                        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 7 4\nf 4 7 3\nf 2 3 7\n"
                        "f 1 6 5\nf 1 5 4\nf 1 4 6\nf 5 7 4\nf 4 7 6\nf 5 6 7\n");
    examine(&s);
    CN_TRUE(report.count[CN_DEFECT_CROWDED_EDGE] == 2);
    CN_DO(fix(&s, 0.0));
    CN_TRUE(strcmp(remarks, "3 vertices added: surfaces that only touch have their own\n") == 0);
    CN_TRUE(cn_surface_error_count(&report) == 0 && report.part_count == 2);
    const char *path = "cairn-mesh-touch.stl";
    cn_surface again;
    cn_surface_def def = cn_surface_def_default();
    CN_DO(cn_surface_save(&s, path, &test_error));
    CN_DO(cn_surface_load(path, &def, &again, &test_error));
    examine(&again);
    CN_TRUE(cn_surface_error_count(&report) == 0 && report.part_count == 2);
    CN_TRUE(unlink(path) == 0);
    cn_surface_free(&again);
    cn_surface_free(&s);
}

// A neighbour that is missing, or flat too, leaves a flat triangle in place, and that is said.
CN_TEST(what_cannot_be_repaired_is_said)
{
    cn_surface s = surface_of_text(CUBE);
    CN_DO(fix(&s, 0.0));
    CN_TRUE(strcmp(remarks, "not repaired: 4 x open edge\n") == 0);
    CN_TRUE(report.count[CN_DEFECT_OPEN_EDGE] == 4);
    cn_surface_free(&s);
    s = surface_of_text("v 0 0 0\nv 2 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf 1 3 4\nf 3 2 4\n");
    CN_DO(fix(&s, 0.0));
    CN_TRUE(strstr(remarks, "not repaired: 1 x triangle without area") != NULL);
    cn_surface_free(&s);
    s = surface_of_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 2\n");
    CN_FAILS(fix(&s, 0.0), CN_BAD_INPUT, "nothing is left of the surface");
    cn_surface_free(&s);
    s = surface_of_text(CUBE CUBE_LAST);
    CN_FAILS(fix(&s, 10.0), CN_BAD_INPUT, "is the welding distance too large?");
    CN_FAILS(fix(&s, NAN), CN_BAD_INPUT, "welding distance must be >= 0");
    cn_surface_free(&s);
}

// A strip with a half turn has one side; nothing of it is turned.
CN_TEST(moebius_strip)
{
    static file f;
    enum { COUNT = 12 };
    for (int k = 0; k < COUNT; k++) {
        double a = 2.0 * CN_PI * k / COUNT, half = 0.3;
        for (int side = -1; side <= 1; side += 2) {
            double r = 1.0 + side * half * cos(a / 2.0);
            print(&f, "v %.17g %.17g %.17g\n", r * cos(a), r * sin(a), side * half * sin(a / 2.0));
        }
    }
    for (int k = 0; k < COUNT; k++) {
        int a = 2 * k + 1, b = 2 * k + 2;
        int c = k + 1 < COUNT ? a + 2 : 2, d = k + 1 < COUNT ? b + 2 : 1;
        print(&f, "f %d %d %d\nf %d %d %d\n", a, c, b, b, c, d);
    }
    cn_surface s = surface_of(&f);
    int before[6 * COUNT];
    memcpy(before, s.triangle, sizeof before);
    CN_DO(fix(&s, 0.0));
    CN_TRUE(strstr(remarks, "1 surface with one side only left as it is") != NULL);
    CN_TRUE(strstr(remarks, "not repaired: ") && report.count[CN_DEFECT_ORIENTATION] > 0);
    CN_TRUE(memcmp(before, s.triangle, sizeof before) == 0);
    cn_surface_free(&s);
}

static void expect_read_back(const cn_surface *s, const char *path)
{
    cn_surface again;
    cn_surface_def def = cn_surface_def_default();
    CN_DO(cn_surface_save(s, path, &test_error));
    CN_DO(cn_surface_load(path, &def, &again, &test_error));
    expect_cube(&again);
    if (cn_surface_format_of(path) == CN_SURFACE_OBJ) {
        CN_TRUE(memcmp(s->vertex, again.vertex, 24 * sizeof(double)) == 0);
        CN_TRUE(memcmp(s->triangle, again.triangle, 36 * sizeof(int)) == 0);
        CN_TRUE(again.group_count == 2 && memcmp(s->group, again.group, 12 * sizeof(int)) == 0 &&
                strcmp(again.group_name[1], "side wall") == 0);
    }
    cn_surface_free(&again);
    CN_TRUE(unlink(path) == 0);
}

CN_TEST(everything_at_once_and_read_back)
{
    const char *text =
        "g low\n" CUBE "g side wall\nv 0 1 1\nf 8 5 1 4\nf 1 5 8\nf 5 5 1\nv 3 3 3\n";
    expect_fixed(text, 1e-9, "turned to the side");
    cn_surface s = surface_of_text(text);
    CN_DO(fix(&s, 1e-9));
    expect_read_back(&s, "cairn-mesh-fix.stl");
    expect_read_back(&s, "cairn-mesh-fix.obj");
    CN_FAILS(cn_surface_save(&s, "a.ply", &test_error), CN_BAD_INPUT, "written as .stl or .obj");
    CN_FAILS(cn_surface_save(&s, "no/such/a.stl", &test_error), CN_IO, "no/such/a.stl");
    CN_FAILS(cn_surface_save(&s, "/dev/null/a.obj", &test_error), CN_IO, "/dev/null/a.obj");
    s.vertex[0] = 1e39;
    CN_FAILS(cn_surface_save(&s, "a.stl", &test_error), CN_BAD_INPUT, "does not fit in STL");
    CN_TRUE(access("a.stl", F_OK) != 0 && access("a.stl.part", F_OK) != 0);
    cn_surface_free(&s);
}

// Arrays of the caller may have no names for their triangles.
CN_TEST(surfaces_without_elements)
{
    cn_surface s = surface_of_text(CUBE CUBE_LAST "f 1 1 2\nf 4 1 5\n");
    free(s.element);
    s.element = NULL;
    CN_DO(fix(&s, 0.0));
    CN_TRUE(strstr(remarks, "removed: face 13") != NULL);
    expect_cube(&s);
    cn_surface_free(&s);
}

CN_MAIN(CN_RUN(vertices_are_joined); CN_RUN(triangles_are_removed); CN_RUN(sides_are_turned);
        CN_RUN(flat_triangles_are_flipped); CN_RUN(what_cannot_be_repaired_is_said);
        CN_RUN(bodies_that_touch_are_parted); CN_RUN(moebius_strip);
        CN_RUN(everything_at_once_and_read_back); CN_RUN(surfaces_without_elements);)
