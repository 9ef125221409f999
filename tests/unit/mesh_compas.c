// COMPAS: the four layouts of assemblies, names, supports, transformations, and damaged files.
#include "mesh_files.h"

static const char *const box_faces =
    "{\"0\": [0, 2, 3, 1], \"1\": [4, 5, 7, 6], \"2\": [0, 1, 5, 4], "
    "\"3\": [2, 6, 7, 3], \"4\": [0, 4, 6, 2], \"5\": [1, 3, 7, 5]}";

// A cube from height z on; coordinates that are 0 are left out, as COMPAS does with defaults.
static void put_mesh(file *f, int z)
{
    print(f, "{\"attributes\": {}, \"vertex\": {");
    for (int n = 0; n < 8; n++) {
        print(f, "%s\"%d\": {\"z\": %d", n > 0 ? ", " : "", n, z + (n >> 2));
        print(f, n & 1 ? ", \"x\": 1.0" : "");
        print(f, n >> 1 & 1 ? ", \"y\": 1.0}" : "}");
    }
    print(f, "}, \"face\": %s, \"facedata\": {}}", box_faces);
}

static cn_status parse_compas(const file *f, cn_surface *s)
{
    cn_surface_def def = cn_surface_def_default();
    return cn_surface_parse("a.json", CN_SURFACE_COMPAS, f->byte, f->length, &def, s, &test_error);
}

static void expect_blocks(const file *f, const char *const names[3], const char *supports)
{
    cn_surface s;
    cn_block_list blocks = {0};
    CN_DO(parse_compas(f, &s));
    CN_DO(cn_surface_blocks(&s, true, &blocks, &test_error));
    CN_TRUE(blocks.count == 3 && s.group_count == 3);
    for (int k = 0; k < 3 && k < blocks.count; k++) {
        CN_TRUE(strcmp(s.group_name[k], names[k]) == 0);
        CN_TRUE(s.group_is_support[k] == (supports[k] == '1'));
        CN_NEAR(blocks.block[k].volume, 1.0, 1e-15, "a cube of side 1");
        CN_TRUE(blocks.block[k].turned_count == 0);
    }
    cn_surface_blocks_free(&blocks);
    cn_surface_free(&s);
}

// compas_assembly 1: a network whose nodes have blocks.
CN_TEST(networks_of_blocks)
{
    static file f;
    f.length = 0;
    print(&f, "{\"dtype\": \"x/Assembly\", \"value\": {\"attributes\": {\"name\": \"Assembly\"}, "
              "\"node\": {");
    for (int k = 0; k < 3; k++) {
        print(&f, "%s\"%d\": {\"is_support\": %s, \"block\": {\"dtype\": \"x/Block\", \"value\": ",
              k > 0 ? ", " : "", 7 + k, k == 0 ? "true" : "false");
        put_mesh(&f, k);
        print(&f, "}}");
    }
    print(&f, "}, \"edge\": {\"7\": {\"8\": {\"interface\": {\"vertex\": {\"0\": {}}, \"face\": "
              "{\"0\": []}}}}}}}");
    expect_blocks(&f, (const char *const[]){"7", "8", "9"}, "100");
}

// A plain list of meshes.
CN_TEST(lists_of_meshes)
{
    static file f;
    f.length = 0;
    print(&f, "[");
    for (int k = 0; k < 3; k++) {
        print(&f, "%s{\"dtype\": \"compas.datastructures/Mesh\", \"value\": ", k > 0 ? ", " : "");
        put_mesh(&f, k);
        print(&f, "}");
    }
    print(&f, "]");
    expect_blocks(&f, (const char *const[]){"0", "1", "2"}, "000");
}

// compas_assembly 2: the same inside a graph, with names of their own.
CN_TEST(assemblies)
{
    static file f;
    f.length = 0;
    print(
        &f,
        "{\"data\": {\"graph\": {\"data\": {\"default_node_attributes\": {\"is_support\": false}, "
        "\"node\": {");
    for (int k = 0; k < 3; k++) {
        print(&f, "%s\"%d\": {\"block\": {\"name\": \"stone %c\", \"data\": ", k > 0 ? ", " : "", k,
              'a' + k);
        put_mesh(&f, k);
        print(&f, "}, \"is_support\": %d}", k == 2);
    }
    print(&f, "}}}}}");
    expect_blocks(&f, (const char *const[]){"stone a", "stone b", "stone c"}, "001");
}

// compas_dem: elements by guid, all called Block; the second is moved by a transformation.
CN_TEST(models_of_elements)
{
    static file f;
    cn_surface s;
    f.length = 0;
    print(&f, "{\"data\": {\"transformation\": null, \"elements\": {");
    for (int k = 0; k < 3; k++) {
        print(&f,
              "%s\"g-%d\": {\"data\": {\"transformation\": %s, \"name\": \"Block\", \"geometry\": "
              "{\"data\": ",
              k > 0 ? ", " : "", k,
              k == 1 ? "{\"data\": {\"matrix\": [[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, "
                       "0, 1]]}}"
                     : "null");
        put_mesh(&f, k);
        print(&f, ", \"name\": \"Box\"}, \"is_support\": %s}, \"guid\": \"g-%d\"}",
              k == 0 ? "true" : "false", k);
    }
    print(&f, "}}}");
    expect_blocks(&f, (const char *const[]){"g-0", "g-1", "g-2"}, "100");
    CN_DO(parse_compas(&f, &s));
    double lo = 9.0, hi = -9.0;
    for (int v = 8; v < 16; v++) {
        lo = fmin(lo, s.vertex[3 * v]);
        hi = fmax(hi, s.vertex[3 * v]);
    }
    CN_TRUE(lo == 4.0 && hi == 5.0);
    cn_surface_free(&s);
}

static void expect_refused(const char *text, const char *words)
{
    static file f;
    cn_surface s;
    f.length = 0;
    print(&f, "%s", text);
    CN_FAILS(parse_compas(&f, &s), CN_BAD_INPUT, words);
    CN_TRUE(s.vertex == NULL && s.group_is_support == NULL);
}

CN_TEST(damaged)
{
    expect_refused(
        "{\"dtype\": \"x/Y\", \"data\": {}, \"guid\": 1}",
        "no blocks, which are objects with `vertex` and `face`; an object of dtype 'x/Y' with "
        "the keys: dtype, data, guid");
    expect_refused("{\"data\": {\n\"vertex\": ", "a.json:2");
    expect_refused("{\"vertex\": {\"0\": {}}, \"face\": {\"0\": [0, 0, 1]}}",
                   "a face names a vertex that is not there: '1'");
    expect_refused("{\"vertex\": {\"0\": {}}, \"face\": {\"0\": [0, 0]}}", "fewer than three");
    expect_refused("{\"vertex\": {\"0\": {\"x\": \"a\"}}, \"face\": {\"0\": [0, 0, 0]}}",
                   "no coordinates at vertex '0'");
    expect_refused("{\"vertex\": {\"0\": 3}, \"face\": {\"0\": 4}}", "no coordinates");
    expect_refused("[[[[[]]]]]", "no blocks");
    expect_refused("{\"vertex\": {\"0\": {\"x\": NaN}}}", "a.json:1");
}

CN_MAIN(CN_RUN(networks_of_blocks); CN_RUN(lists_of_meshes); CN_RUN(assemblies);
        CN_RUN(models_of_elements); CN_RUN(damaged);)
