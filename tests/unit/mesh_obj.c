// OBJ: forms of faces, groups, polygons, and lines that cannot be read.
#include "mesh_files.h"

static const char *const cube_vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                                         "v 0 0 1 1.0\nv 1 0 1 0.5 0.5 0.5\nv 1 1 1\nv 0 1 1\n";

CN_TEST(forms_of_faces_and_groups)
{
    static file f;
    cn_surface s;
    print(&f, "# a cube, path C:\\\n%smtllib a.mtl\nvt 0 0\nvn 0 0 1\nvp 1\n", cube_vertices);
    print(&f, "o block\nf 4 3 2 1 # bottom\ng top of it\nusemtl stone\ns off\nf 5/1 6/1 7/1 8/1\n");
    print(&f, "g\nf 1//1 2//1 6//1 5//1\nf -7/1/1 -6/1/1 -2/1/1 -3/1/1\n");
    print(&f, "g top of it\nf 3 4 \\\r\n 8 \\\n 7\nl 1 2\np 1\n\nf 4 1 5 8");
    CN_DO(parse("a.obj", &f, &s));
    expect_cube(&s);
    CN_TRUE(s.group_count == 3 && strcmp(s.group_name[1], "top of it") == 0 &&
            strcmp(s.group_name[2], "default") == 0);
    CN_TRUE(s.group[0] == 0 && s.group[2] == 1 && s.group[4] == 2 && s.group[11] == 1);
    CN_TRUE(s.element[0] == 1 && s.element[1] == 1 && s.element[11] == 6);
    CN_TRUE(remarks[0] == '\0');
    cn_surface_free(&s);
}

// Faces may name vertices that come later; negative numbers count from the line they are in.
CN_TEST(faces_before_vertices)
{
    cn_surface s;
    CN_DO(parse_text("a.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 9 9 9\n", &s));
    CN_TRUE(s.triangle_count == 2 && memcmp(s.triangle, s.triangle + 3, 3 * sizeof(int)) == 0);
    CN_TRUE(s.vertex_count == 4 && s.group == NULL);
    cn_surface_free(&s);
}

// Area of a polygon however it is split; no triangle of it may be flat or stick out.
static void expect_polygon(const char *vertices, int count, double area, bool is_good)
{
    static file f;
    cn_surface s;
    f.length = 0;
    print(&f, "%sf", vertices);
    for (int k = 1; k <= count; k++) {
        print(&f, " %d", k);
    }
    print(&f, "\n");
    CN_DO(parse("a.obj", &f, &s));
    CN_TRUE(s.triangle_count == count - 2);
    CN_TRUE((remarks[0] == '\0') == is_good);
    cn_surface_check_def def = cn_surface_check_def_default();
    cn_surface_report *r = malloc(sizeof *r);
    CN_DO(cn_surface_check(&s, &def, r, &test_error));
    if (is_good) {
        CN_NEAR(r->mass.area, area, 1e-12, "triangles that do not overlap share the area");
        CN_TRUE(r->count[CN_DEFECT_DEGENERATE] == 0 && r->count[CN_DEFECT_INTERSECTION] == 0);
    }
    free(r);
    cn_surface_free(&s);
}

CN_TEST(polygons_are_split)
{
    // A square with a vertex in the middle of each side: no fan about a corner of it is sound.
    expect_polygon("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 2 2 0\nv 1 2 0\nv 0 2 0\nv 0 1 0\n", 8,
                   4.0, true);
    // An L, in the plane x = 5, clockwise as seen from +x; a comb; an arrow head.
    expect_polygon("v 5 0 0\nv 5 0 2\nv 5 1 2\nv 5 1 1\nv 5 2 1\nv 5 2 0\n", 6, 3.0, true);
    expect_polygon(
        "v 0 0 0\nv 7 0 0\nv 7 0 2\nv 6 0 2\nv 6 0 1\nv 4 0 1\nv 4 0 2\nv 3 0 2\nv 3 0 1\n"
        "v 1 0 1\nv 1 0 2\nv 0 0 2\n",
        12, 10.0, true);
    expect_polygon("v 0 0 0\nv 2 2 0\nv 0 1 0\nv -2 2 0\n", 4, 2.0, true);
    // A bow tie crosses itself: said, not hidden.
    expect_polygon("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\n", 4, 0.0, false);
    CN_TRUE(strstr(remarks, "the first is face 1") != NULL);
    // All in one place.
    expect_polygon("v 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\n", 4, 0.0, false);
}

// More corners than ears are looked for: a zigzag becomes a fan about its first corner. That is
// sound if this corner sees all others; else it is said.
CN_TEST(huge_polygons)
{
    for (int is_seen = 0; is_seen < 2; is_seen++) {
        static file f;
        cn_surface s;
        f.length = 0;
        for (int k = 0; k < 1200; k++) {
            print(&f, "v %d %d 0\n", k, k % 2 == 0 ? 0 : 3);
        }
        print(&f, "v 600 -5000 0\nf");
        for (int k = 1; k <= 1201; k++) {
            print(&f, " %d", is_seen ? 1202 - k : k);
        }
        CN_DO(parse("a.obj", &f, &s));
        CN_TRUE(s.triangle_count == 1199);
        CN_TRUE((strstr(remarks, "too intricate") == NULL) == is_seen);
        cn_surface_free(&s);
    }
}

CN_TEST(statements_that_are_not_read)
{
    cn_surface s;
    CN_DO(parse_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ncstype bezier\ncurv 0 1 1 2\nf 1 2 3\n",
                     &s));
    CN_TRUE(strstr(remarks, "a.obj: note: 2 lines") && strstr(remarks, "line 4"));
    cn_surface_free(&s);
}

CN_TEST(damaged)
{
    REFUSED("a.obj", "v 0 0\n", "a.obj:1: z of a vertex should be a number, found 'the end'");
    REFUSED("a.obj", "v 0 0 1e999\n", "a.obj:1: z of a vertex is not finite");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "holds no triangles");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n",
            "a.obj:5: a face names vertex 4; there are 3");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "a.obj:4: a face names vertex 0");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "a face names vertex -4");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n",
            "needs at least 3 corners, this one has 2");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "should be a whole number, found 'x'");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3/a\n", "v, v/vt, v//vn or v/vt/vn");
    REFUSED("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "whole number");
    REFUSED("a.obj", "\x01\x02\x03\n", "a.obj:1: this line is no OBJ statement");
    REFUSED("a.obj", "{\"json\": 1}\n", "is it another kind of file?");
}

CN_MAIN(CN_RUN(forms_of_faces_and_groups); CN_RUN(faces_before_vertices);
        CN_RUN(polygons_are_split); CN_RUN(huge_polygons); CN_RUN(statements_that_are_not_read);
        CN_RUN(damaged);)
