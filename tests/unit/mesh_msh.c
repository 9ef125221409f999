// gmsh: versions 2.2 and 4.1, text and binary of both byte orders; groups, volumes, damaged files.
#include "mesh_files.h"

typedef struct form {
    bool is_4, is_text, is_big;
} form;

static void put_int(file *f, const form *how, int value)
{
    if (how->is_text) {
        print(f, "%d ", value);
    } else {
        put_i32(f, value);
    }
}

static void put_size(file *f, const form *how, int64_t value)
{
    if (how->is_text) {
        print(f, "%lld ", (long long)value);
    } else {
        put_i64(f, value);
    }
}

static void put_real(file *f, const form *how, double value)
{
    if (how->is_text) {
        print(f, "%.17g ", value);
    } else {
        put_f64(f, value);
    }
}

static void begin(file *f, const form *how)
{
    *f = (file){.is_big = how->is_big};
    print(f, "$MeshFormat\n%s %d 8\n", how->is_4 ? "4.1" : "2.2", how->is_text ? 0 : 1);
    if (!how->is_text) {
        put_i32(f, 1);
        print(f, "\n");
    }
    print(f, "$EndMeshFormat\n$PhysicalNames\n3\n1 5 \"rim\"\n2 7 \"lower face\"\n3 9 \"all\"\n");
    print(f, "$EndPhysicalNames\n$Comment\nanything $ at all\n$EndComment\n");
}

// Nodes have tags 10, 20, ...; the last one is used by the volume alone.
static void write_2(file *f, const form *how)
{
    begin(f, how);
    print(f, "$Nodes\n9\n");
    for (int v = 0; v < 9; v++) {
        put_int(f, how, 10 * (v + 1));
        for (int k = 0; k < 3; k++) {
            put_real(f, how, v < 8 ? cube_vertex(v, k) : 0.5);
        }
    }
    print(f, "\n$EndNodes\n$Elements\n8\n");
    for (int n = 0; n < 6; n++) {
        if (how->is_text) {
            print(f, "%d 3 ", 100 + n);
            print(f, "2 %d 1 ", n == 0 ? 7 : n == 1 ? 8 : 0);
        } else {
            put_i32(f, 3);
            put_i32(f, 1);
            put_i32(f, 2);
            put_i32(f, 100 + n);
            put_i32(f, n == 0 ? 7 : n == 1 ? 8 : 0);
            put_i32(f, 1);
        }
        for (int k = 0; k < 4; k++) {
            put_int(f, how, 10 * (cube_face[n][k] + 1));
        }
    }
    if (how->is_text) {
        print(f, "200 4 2 9 1 10 20 30 90\n201 15 2 0 1 10\n");
    } else {
        static const int blocks[] = {4, 1, 2, 200, 9, 1, 10, 20, 30, 90, 15, 1, 2, 201, 0, 1, 10};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            put_i32(f, blocks[k]);
        }
    }
    print(f, "\n$EndElements\n");
}

static void put_entity(file *f, const form *how, int dimension, int tag, int physical)
{
    put_int(f, how, tag);
    for (int k = 0; k < (dimension == 0 ? 3 : 6); k++) {
        put_real(f, how, 0.25);
    }
    put_size(f, how, physical != 0 ? 1 : 0);
    if (physical != 0) {
        put_int(f, how, physical);
    }
    if (dimension > 0) {
        put_size(f, how, 2);
        put_int(f, how, 1);
        put_int(f, how, -2);
    }
}

static void put_block(file *f, const form *how, int dimension, int tag, int kind, int count)
{
    put_int(f, how, dimension);
    put_int(f, how, tag);
    put_int(f, how, kind);
    put_size(f, how, count);
}

static void put_nodes_4(file *f, const form *how)
{
    print(f, "$Nodes\n");
    put_size(f, how, 3);
    for (int k = 0; k < 3; k++) {
        put_size(f, how, 9);
    }
    put_block(f, how, 2, 1, 1, 5); // with parameters u v
    for (int v = 0; v < 5; v++) {
        put_size(f, how, 10 * (v + 1));
    }
    for (int v = 0; v < 5; v++) {
        for (int k = 0; k < 5; k++) {
            put_real(f, how, k < 3 ? cube_vertex(v, k) : 77.0);
        }
    }
    put_block(f, how, 1, 1, 0, 0);
    put_block(f, how, 3, 1, 0, 4);
    for (int v = 5; v < 9; v++) {
        put_size(f, how, 10 * (v + 1));
    }
    for (int v = 5; v < 9; v++) {
        for (int k = 0; k < 3; k++) {
            put_real(f, how, v < 8 ? cube_vertex(v, k) : 0.5);
        }
    }
    print(f, "\n$EndNodes\n");
}

static void put_elements_4(file *f, const form *how)
{
    print(f, "$Elements\n");
    put_size(f, how, 4);
    for (int k = 0; k < 3; k++) {
        put_size(f, how, 8);
    }
    for (int block = 0; block < 3; block++) {
        put_block(f, how, 2, block + 1, 3, block < 2 ? 1 : 4);
        for (int n = block; n < (block < 2 ? block + 1 : 6); n++) {
            put_size(f, how, 100 + n);
            for (int k = 0; k < 4; k++) {
                put_size(f, how, 10 * (cube_face[n][k] + 1));
            }
        }
    }
    put_block(f, how, 3, 1, 4, 1);
    static const int tetrahedron[] = {200, 10, 20, 30, 90};
    for (int k = 0; k < 5; k++) {
        put_size(f, how, tetrahedron[k]);
    }
    print(f, "\n$EndElements\n");
}

static void write_4(file *f, const form *how)
{
    begin(f, how);
    print(f, "$Entities\n");
    static const int counts[] = {1, 1, 3, 1};
    for (int k = 0; k < 4; k++) {
        put_size(f, how, counts[k]);
    }
    put_entity(f, how, 0, 1, 0);
    put_entity(f, how, 1, 1, 5);
    put_entity(f, how, 2, 1, 7);
    put_entity(f, how, 2, 2, -8);
    put_entity(f, how, 2, 3, 0);
    put_entity(f, how, 3, 1, 9);
    print(f, "\n$EndEntities\n");
    put_nodes_4(f, how);
    put_elements_4(f, how);
}

static const form forms[] = {{false, true, false}, {false, false, false}, {false, false, true},
                             {true, true, false},  {true, false, false},  {true, false, true}};

static void write_form(file *f, const form *how)
{
    (how->is_4 ? write_4 : write_2)(f, how);
}

CN_TEST(every_version_and_form)
{
    static file f;
    for (int n = 0; n < 6; n++) {
        cn_surface s;
        write_form(&f, &forms[n]);
        CN_DO(parse("a.msh", &f, &s));
        expect_cube(&s);
        CN_TRUE(strstr(remarks, "1 volume elements are skipped") != NULL);
        CN_TRUE(s.group_count == 2 && strcmp(s.group_name[0], "lower face") == 0 &&
                strcmp(s.group_name[1], "8") == 0);
        CN_TRUE(s.group[0] == 0 && s.group[2] == 1 && s.group[4] == -1);
        CN_TRUE(s.element[0] == 100 && s.element[11] == 105);
        cn_surface_free(&s);
    }
}

// Cut anywhere before its last section ends, a file is refused.
CN_TEST(cut_anywhere)
{
    static file f;
    for (int n = 0; n < 6; n++) {
        write_form(&f, &forms[n]);
        for (size_t cut = 0; cut < f.length - 1; cut++) {
            cn_surface s;
            CN_FAILS(parse_bytes("a.msh", f.byte, cut, &s), CN_BAD_INPUT, "a.msh");
        }
    }
}

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
#define NODES4 "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"

CN_TEST(faces_of_higher_order)
{
    cn_surface s;
    CN_DO(parse_text("a.msh",
                     HEAD2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 .5 0 0\n5 .5 .5 0\n6 0 .5 0\n"
                           "$EndNodes\n$Elements\n1\n1 9 0 1 2 3 4 5 6\n$EndElements\n",
                     &s));
    CN_TRUE(s.triangle_count == 1 && s.vertex_count == 3);
    CN_TRUE(strstr(remarks, "1 curved faces are taken as flat") != NULL);
    cn_surface_free(&s);
}

CN_TEST(partitioned_meshes_lose_their_groups)
{
    cn_surface s;
    CN_DO(parse_text("a.msh",
                     HEAD4 "$PartitionedEntities\n1\n$EndPartitionedEntities\n" NODES4
                           "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n",
                     &s));
    CN_TRUE(s.triangle_count == 1 && strstr(remarks, "partitioned") != NULL);
    cn_surface_free(&s);
}

CN_TEST(damaged_2)
{
    REFUSED("a.msh", "$NOD\n", "this is version 1, save as 4.1");
    REFUSED("a.msh", "solid", "begins with $MeshFormat");
    REFUSED("a.msh", "$MeshFormat\n4 0 8\n", "a.msh:2: version 4 of the gmsh format is not read");
    REFUSED("a.msh", "$MeshFormat\n2.2 0 4\n", "data size of 4 bytes");
    REFUSED("a.msh", "$MeshFormat\n2.2 1 8\nabcd", "byte order of this binary file is not known");
    REFUSED("a.msh", "$MeshFormat\n2.2 0 8\n$Nodes\n", "expected $EndMeshFormat, found '$Nodes'");
    REFUSED("a.msh", HEAD2 "Nodes\n", "a.msh:4: expected a section such as $Nodes");
    REFUSED("a.msh", HEAD2 "$Stuff\n1\n", "section $Stuff has no end");
    REFUSED("a.msh", HEAD2 "$PhysicalNames\n1\n2 1 name\n", "must stand in quotes");
    REFUSED("a.msh", HEAD2 NODES2, "holds no triangles");
    REFUSED("a.msh", HEAD2 NODES2 NODES2, "section $Nodes is there twice");
    REFUSED("a.msh", HEAD2 "$Nodes\n99999\n", "99999 nodes do not fit");
    REFUSED("a.msh", HEAD2 "$Nodes\n-1\n", "-1 nodes do not fit");
    REFUSED("a.msh", HEAD2 "$Nodes\n2\n1 0 0 0\n1 1 1 1\n", "a.msh:7: node 1 is there twice");
    REFUSED("a.msh", HEAD2 "$Nodes\n1\n5000000000 0 0 0\n", "is too large: 5000000000");
#define ELEMENT(text) HEAD2 NODES2 "$Elements\n1\n" text "\n$EndElements\n"
    REFUSED("a.msh", ELEMENT("1 2 2 0 0 1 2 4"), "a.msh:12: element 1 names node 4");
    REFUSED("a.msh", ELEMENT("1 99 0 1 2 3"), "element type 99 is not known");
    REFUSED("a.msh", ELEMENT("1 33 0 1 2 3"), "element type 33 is not known");
    REFUSED("a.msh", ELEMENT("1 2 -1 1 2 3"), "element 1 has -1 tags");
    REFUSED("a.msh", ELEMENT("1 4 0 1 2 3 1"), "holds 1 volume elements and no faces");
    static file f;
    cn_surface s;
    begin(&f, &forms[1]);
    print(&f, "$Nodes\n0\n$EndNodes\n$Elements\n1\n");
    put_i32(&f, 2);
    put_i32(&f, 0);
    put_i32(&f, 0);
    CN_FAILS(parse("a.msh", &f, &s), CN_BAD_INPUT, "a block of 0 elements");
}

CN_TEST(damaged_4)
{
    REFUSED("a.msh", HEAD4 "$Entities\n9999 0 0 0\n", "9999 entities do not fit");
    REFUSED("a.msh", HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 1 -2\n", "-2 physical groups do not");
    REFUSED("a.msh", HEAD4 "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n", "an entity of dimension 4");
    REFUSED("a.msh", HEAD4 "$Nodes\n1 1 1 1\n2 1 0 10000000\n1\n", "10000000 nodes do not fit");
    REFUSED("a.msh", HEAD4 "$Nodes\n99 1 1 1\n", "99 blocks of nodes do not fit");
    REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 4\n$EndElements\n",
            "element 1 names node 4");
    REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n2 1 77 1\n1 1 2 3\n$EndElements\n",
            "element type 77 is not known");
}

// A cube on which a pyramid stands, beside it a prism and a tetrahedron; the cube in two elements.
static void put_volumes(file *f, bool is_4)
{
    const char *nodes[] = {"0 0 0", "1 0 0",     "1 1 0",  "0 1 0",  "0 0 1", "1 0 1", "1 1 1",
                           "0 1 1", "0.5 0.5 2", "2 0 0",  "2 0 1",  "3 0 0", "4 0 0", "3 1 0",
                           "3 0 1", "0 0 .5",    "1 0 .5", "1 1 .5", "0 1 .5"};
    f->length = 0;
    print(f, "$MeshFormat\n%s 0 8\n$EndMeshFormat\n$Nodes\n%s\n", is_4 ? "4.1" : "2.2",
          is_4 ? "1 19 1 19\n3 1 0 19" : "19");
    for (int k = 0; is_4 && k < 19; k++) {
        print(f, "%d\n", k + 1);
    }
    for (int k = 0; k < 19; k++) {
        is_4 ? print(f, "%s\n", nodes[k]) : print(f, "%d %s\n", k + 1, nodes[k]);
    }
    print(f, "$EndNodes\n$Elements\n%s\n", is_4 ? "4 5 1 5" : "5");
    const char *head[] = {"3 4 5 2\n", NULL, "3 5 7 1\n", "3 6 6 1\n", "3 7 4 1\n"};
    const char *tags[] = {"5 2 0 4 ", "5 2 0 4 ", "7 2 0 5 ", "6 2 0 6 ", "4 2 0 7 "};
    const char *corners[] = {"1 2 3 4 16 17 18 19", "16 17 18 19 5 6 7 8", "5 6 7 8 9",
                             "2 10 3 6 11 7", "12 13 14 15"};
    for (int k = 0; k < 5; k++) {
        print(f, "%s%d %s%s\n", is_4 && head[k] != NULL ? head[k] : "", k + 1, is_4 ? "" : tags[k],
              corners[k]);
    }
    print(f, "$EndElements\n");
}

CN_TEST(volumes_are_blocks)
{
    static const struct {
        const char *name;
        double volume;
    } exact[4] = {
        {"volume_4", 1.0}, {"volume_5", 1.0 / 3.0}, {"volume_6", 0.5}, {"volume_7", 1.0 / 6.0}};
    for (int is_4 = 0; is_4 < 2; is_4++) {
        static file f;
        cn_surface s;
        cn_block_list blocks = {0};
        cn_surface_def def = cn_surface_def_default();
        def.volumes = true;
        put_volumes(&f, is_4);
        CN_DO(cn_surface_parse("a.msh", CN_SURFACE_MSH, f.byte, f.length, &def, &s, &test_error));
        CN_DO(cn_surface_blocks(&s, true, &blocks, &test_error));
        CN_TRUE(blocks.count == 4 && s.group_count == 4);
        for (int k = 0; k < 4 && k < blocks.count; k++) {
            CN_TRUE(strcmp(s.group_name[k], exact[k].name) == 0);
            CN_NEAR(blocks.block[k].volume, exact[k].volume, 1e-15, "on paper");
            CN_TRUE(blocks.block[k].turned_count == 0); // faces are seen from outside
        }
        cn_surface_blocks_free(&blocks);
        cn_surface_free(&s);
        CN_FAILS(cn_surface_parse("a.msh", CN_SURFACE_MSH, f.byte, f.length,
                                  &(cn_surface_def){.scale = 1.0}, &s, &test_error),
                 CN_BAD_INPUT, "holds 5 volume elements and no faces");
    }
}

CN_MAIN(CN_RUN(every_version_and_form); CN_RUN(volumes_are_blocks); CN_RUN(cut_anywhere);
        CN_RUN(faces_of_higher_order); CN_RUN(partitioned_meshes_lose_their_groups);
        CN_RUN(damaged_2); CN_RUN(damaged_4);)
