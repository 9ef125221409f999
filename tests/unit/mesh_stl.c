// STL: text and binary, and telling them apart.
#include "mesh_files.h"

static void print_facet(file *f, int t)
{
    print(f, " facet normal 0 0 0\r\n  OUTER loop\r\n");
    for (int k = 0; k < 3; k++) {
        int v = cube_triangle[t][k];
        print(f, "   vertex %g %g %ge0\r\n", cube_vertex(v, 0), cube_vertex(v, 1),
              cube_vertex(v, 2));
    }
    print(f, "  endloop\r\n endfacet\r\n");
}

static void write_binary(file *f, const char *header, int count)
{
    *f = (file){0};
    print(f, "%s", header);
    f->length = 80;
    put_i32(f, count);
    for (int t = 0; t < 12; t++) {
        for (int k = 0; k < 3; k++) {
            put_f32(f, 0.0);
        }
        for (int k = 0; k < 9; k++) {
            put_f32(f, cube_vertex(cube_triangle[t][k / 3], k % 3));
        }
        put_i16(f, 0x1234);
    }
}

CN_TEST(text_with_two_solids)
{
    static file f;
    cn_surface s;
    print(&f, "solid lower half\r\n");
    for (int t = 0; t < 12; t++) {
        if (t == 6) {
            print(&f, "endsolid lower half\r\nsolid upper\r\n");
        }
        print_facet(&f, t);
    }
    print(&f, "endsolid upper\r\n");
    CN_DO(parse("a.stl", &f, &s));
    expect_cube(&s);
    CN_TRUE(s.group_count == 2 && strcmp(s.group_name[0], "lower half") == 0);
    CN_TRUE(s.group[5] == 0 && s.group[6] == 1 && s.element[11] == 12);
    cn_surface_free(&s);
}

CN_TEST(binary_even_if_it_begins_with_solid)
{
    static file f;
    cn_surface s;
    static const char *const headers[] = {"made by something", "solid facet normal 0 0 0", ""};
    for (int k = 0; k < 3; k++) {
        write_binary(&f, headers[k], 12);
        CN_DO(parse("a.STL", &f, &s));
        expect_cube(&s);
        CN_TRUE(s.group == NULL && s.group_count == 0);
        cn_surface_free(&s);
    }
    write_binary(&f, "x", 11); // one triangle too many: ignored, and said
    CN_DO(parse("a.stl", &f, &s));
    CN_TRUE(s.triangle_count == 11 && strstr(remarks, "50 bytes behind") != NULL);
    cn_surface_free(&s);
}

CN_TEST(damaged_binary)
{
    static file f;
    cn_surface s;
    write_binary(&f, "cut", 12);
    f.length -= 17;
    CN_FAILS(parse("a.stl", &f, &s), CN_BAD_INPUT, "a.stl: byte 667: the header promises 12");
    write_binary(&f, "solid", 13);
    CN_FAILS(parse("a.stl", &f, &s), CN_BAD_INPUT, "promises 13 triangles");
    write_binary(&f, "nan", 12);
    memcpy(f.byte + 84 + 50 + 12, "\xff\xff\xff\x7f", 4);
    CN_FAILS(parse("a.stl", &f, &s), CN_BAD_INPUT, "byte 146: vertex 4 is not finite");
    write_binary(&f, "none", 0);
    f.length = 84;
    CN_FAILS(parse("a.stl", &f, &s), CN_BAD_INPUT, "holds no triangles");
    f.length = 83;
    CN_FAILS(parse("a.stl", &f, &s), CN_BAD_INPUT, "nor a binary header of 84 bytes");
    f.length = 0;
    CN_FAILS(parse("a.stl", &f, &s), CN_BAD_INPUT, "a.stl: the file is empty");
}

CN_TEST(damaged_text)
{
    REFUSED("a.stl", "solid\nendsolid\n", "holds no triangles");
    REFUSED("a.stl", "solid\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 z\n",
            "a.stl:4: z of a vertex should be a number, found 'z'");
    REFUSED("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 inf 0\n",
            "a.stl:4: y of a vertex is not finite: 'inf'");
    REFUSED("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n",
            "a.stl:5: expected 'vertex', found '' (the file ends here)");
    REFUSED("a.stl", "solid\nfacet normal 0 0 1\nouter ring\n", "a.stl:3: expected 'loop'");
    REFUSED("a.stl",
            "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
            "endloop\nend\n",
            "a.stl:3: expected 'endfacet'");
    REFUSED("a.stl", "solid a\nface\n", "a.stl:2: expected 'facet' or 'endsolid', found 'face'");
    REFUSED("a.stl", "solid a\n", "(the file ends here)");
    REFUSED("a.stl", "solid a\nendsolid a\nliquid b\n", "a.stl:3: expected 'solid'");
}

// Corners a hair apart stay apart unless the caller says how far a hair is.
CN_TEST(welding_by_distance)
{
    static file f;
    cn_surface s;
    cn_surface_def def = cn_surface_def_default();
    write_binary(&f, "crack", 12);
    float moved = 1e-6f; // x of the first corner of the last triangle, which is 0
    memcpy(f.byte + 84 + 11 * 50 + 12, &moved, 4);
    CN_DO(parse("a.stl", &f, &s));
    CN_TRUE(s.vertex_count == 9);
    cn_surface_free(&s);
    def.weld = 1e-5;
    CN_DO(cn_surface_parse("a.stl", CN_SURFACE_STL, f.byte, f.length, &def, &s, &test_error));
    expect_cube(&s);
    cn_surface_free(&s);
}

CN_TEST(units_and_bad_arguments)
{
    static file f;
    cn_surface s;
    cn_surface_def def = cn_surface_def_default();
    write_binary(&f, "mm", 12);
    def.scale = 1e-3;
    CN_DO(cn_surface_parse("a.stl", CN_SURFACE_STL, f.byte, f.length, &def, &s, &test_error));
    CN_NEAR(cn_surface_measure(&s).volume, 1e-9, 1e-24, "a cube of a millimetre");
    cn_surface_free(&s);
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        def.scale = bad[k];
        CN_FAILS(cn_surface_parse("a.stl", CN_SURFACE_STL, f.byte, f.length, &def, &s, &test_error),
                 CN_BAD_INPUT, "scale of a surface must be > 0");
    }
    static const double bad_weld[] = {-1.0, NAN, INFINITY};
    def.scale = 1.0;
    for (int k = 0; k < 3; k++) {
        def.weld = bad_weld[k];
        CN_FAILS(cn_surface_parse("a.stl", CN_SURFACE_STL, f.byte, f.length, &def, &s, &test_error),
                 CN_BAD_INPUT, "welding distance");
    }
    def.weld = 0.0;
    def.scale = 1e300;
    const char *far = "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n";
    CN_FAILS(cn_surface_parse("a.obj", CN_SURFACE_OBJ, far, strlen(far), &def, &s, &test_error),
             CN_BAD_INPUT, "with a scale of 1e+300 vertex 2 is not finite");
    CN_FAILS(parse("a.stp", &f, &s), CN_BAD_INPUT, "read from .stl, .obj, .ply, .msh and .dxf");
    CN_FAILS(cn_surface_load("no/such.stl", &def, &s, &test_error), CN_IO, "no/such.stl");
    CN_FAILS(cn_surface_load("/", &def, &s, &test_error), CN_IO, "'/'");
}

CN_MAIN(CN_RUN(text_with_two_solids); CN_RUN(binary_even_if_it_begins_with_solid);
        CN_RUN(damaged_binary); CN_RUN(damaged_text); CN_RUN(welding_by_distance);
        CN_RUN(units_and_bad_arguments);)
