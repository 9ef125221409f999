// DXF: faces and polyfaces by layer, what is left out, and drawings that would lose blocks.
#include "mesh_files.h"

static void begin(file *f)
{
    f->length = 0;
    print(f, "0\r\nSECTION\r\n2\r\nHEADER\r\n9\r\n$INSUNITS\r\n70\r\n6\r\n0\r\nENDSEC\r\n");
    print(f, "  0\nSECTION\n  2\nENTITIES\n");
}

static void end(file *f)
{
    print(f, "0\nENDSEC\n0\nEOF\n");
}

// A unit cube from height z on, of six 3DFACEs.
static void add_faces(file *f, const char *layer, double z)
{
    for (int n = 0; n < 6; n++) {
        print(f, "0\n3DFACE\n5\n1F\n100\nAcDbEntity\n8\n%s\n", layer);
        for (int k = 0; k < 4; k++) {
            int v = cube_face[n][k];
            print(f, "%d\n%.16g\n%d\n%.16g\n%d\n%.16g\n", 10 + k, cube_vertex(v, 0), 20 + k,
                  cube_vertex(v, 1), 30 + k, cube_vertex(v, 2) + z);
        }
    }
}

static void add_point(file *f, const char *layer, const double at[3])
{
    print(f, "0\nVERTEX\n8\n%s\n10\n%.16g\n20\n%.16g\n30\n%.16g\n70\n192\n", layer, at[0], at[1],
          at[2]);
}

// The same as a polyface of triangles, whose edges across a side are not drawn.
static void add_polyface(file *f, const char *layer, double z)
{
    print(f, "0\nPOLYLINE\n8\n%s\n66\n1\n10\n0.0\n20\n0.0\n30\n0.0\n70\n64\n71\n8\n72\n12\n",
          layer);
    for (int v = 0; v < 8; v++) {
        add_point(f, layer,
                  (double[]){cube_vertex(v, 0), cube_vertex(v, 1), cube_vertex(v, 2) + z});
    }
    for (int n = 0; n < 12; n++) {
        const int *t = cube_triangle[n];
        print(f, "0\nVERTEX\n8\n%s\n10\n0\n20\n0\n30\n0\n70\n128\n71\n%d\n72\n%d\n73\n-%d\n", layer,
              t[0] + 1, t[1] + 1, t[2] + 1);
    }
    print(f, "0\nSEQEND\n");
}

CN_TEST(layers_are_groups)
{
    static file f;
    cn_surface s;
    cn_block_list blocks = {0};
    begin(&f);
    add_faces(&f, "Pfeiler", 0.0);
    print(&f, "0\nLINE\n8\nnotes\n10\n0\n20\n0\n11\n1\n21\n1\n");
    add_polyface(&f, "Bogen", 1.0);
    add_polyface(&f, "Bogen", 2.0);
    print(&f, "0\n3DFACE\n8\nframe\n67\n1\n10\n5\n");
    end(&f);
    CN_DO(parse("a.dxf", &f, &s));
    CN_DO(cn_surface_blocks(&s, true, &blocks, &test_error));
    CN_TRUE(s.group_count == 2 && strcmp(s.group_name[0], "Pfeiler") == 0 &&
            strcmp(s.group_name[1], "Bogen") == 0);
    CN_TRUE(blocks.count == 3);
    for (int k = 0; k < blocks.count && k < 3; k++) {
        CN_TRUE(blocks.block[k].group == (k > 0) && blocks.block[k].open_count == 0);
        CN_NEAR(blocks.block[k].volume, 1.0, 1e-15, "a cube of side 1");
    }
    cn_surface_blocks_free(&blocks);
    cn_surface_free(&s);
}

// A triangle is a 3DFACE whose last corner occurs twice.
CN_TEST(one_cube_either_way)
{
    static file f;
    cn_surface s;
    for (int k = 0; k < 2; k++) {
        begin(&f);
        if (k == 0) {
            add_faces(&f, "0", 0.0);
            print(&f, "0\n3DFACE\n8\n0\n10\n7\n11\n7\n12\n7\n13\n7\n"); // without area
        } else {
            add_polyface(&f, "0", 0.0);
        }
        end(&f);
        CN_DO(parse("A.DXF", &f, &s));
        if (k == 1) {
            expect_cube(&s);
        }
        CN_TRUE(s.triangle_count == 12 && s.group_count == 1);
        cn_surface_free(&s);
    }
    begin(&f);
    print(&f, "0\n3DFACE\n8\n0\n10\n0\n11\n1\n22\n1\n23\n1\n");
    end(&f);
    CN_DO(parse("a.dxf", &f, &s));
    CN_TRUE(s.triangle_count == 1);
    cn_surface_free(&s);
}

#define DRAWN "0\nSECTION\n2\nENTITIES\n"
#define DEFINED "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nstone\n"
#define PLACED                                                                                     \
    "0\nENDBLK\n0\nENDSEC\n" DRAWN "0\nINSERT\n8\n0\n2\nstone\n10\n1\n0\nENDSEC\n0\nEOF\n"

CN_TEST(what_would_be_lost_is_refused)
{
    REFUSED("a.dxf", DRAWN "0\n3DSOLID\n8\n0\n1\nACIS\n0\nENDSEC\n",
            "a.dxf:6: a 3DSOLID is not read");
    REFUSED("a.dxf", DRAWN "0\nPOLYLINE\n70\n16\n71\n3\n0\nENDSEC\n", "polygon mesh");
    REFUSED("a.dxf", DEFINED "0\n3DFACE\n10\n1\n" PLACED, "a.dxf:22: the block");
    REFUSED("a.dxf", DEFINED "0\nINSERT\n2\nother\n" PLACED, "explode it in the drawing");
    REFUSED("a.dxf", DEFINED "0\nLINE\n10\n1\n" PLACED, "no triangles or other faces");
    REFUSED("a.dxf", "AutoCAD Binary DXF\r\n\032\0", "write it as text");
}

CN_TEST(damaged)
{
    REFUSED("a.dxf", "not a drawing\n", "a group code of DXF should be a whole number");
    REFUSED("a.dxf", "9999\nx\n", "-5 to 1071");
    REFUSED("a.dxf", DRAWN "0\n3DFACE\n10\none\n", "a coordinate should be a number");
    REFUSED("a.dxf", DRAWN "0\n3DFACE\n10\nnan\n", "not finite");
    REFUSED("a.dxf",
            DRAWN "0\nPOLYLINE\n70\n64\n0\nVERTEX\n70\n128\n71\n9\n72\n9\n73\n9\n0\nSEQEND\n",
            "names vertex 9 of its polyface, which has 0");
    REFUSED("a.dxf", DRAWN "0\nPOLYLINE\n70\n64\n0\nVERTEX\n70\n128\n0\nSEQEND\n", "0 corners");
    REFUSED("a.dxf", DRAWN "0\nVERTEX\n70\n99999999999\n0\nEOF\n", "too large");
    REFUSED("a.dxf", DRAWN, "no triangles or other faces");
}

CN_MAIN(CN_RUN(layers_are_groups); CN_RUN(one_cube_either_way);
        CN_RUN(what_would_be_lost_is_refused); CN_RUN(damaged);)
