// Blocks from files: names, folders, supports, and files that try to lie.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scene/model.h"
#include "scene_text.h"

static char folder[] = "/tmp/cairn-blocks-XXXXXX";

// An OBJ file under way.
typedef struct obj {
    FILE *file;
    int vertices;
    double scale;
} obj;

static const char *path_of(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static obj begin(const char *name)
{
    return (obj){.file = fopen(path_of(name), "w"), .scale = 1.0};
}

static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

// A box of the sides 1, 1, 0.5 at (x, 0, z); bits of `missing` are faces that are left out.
static void add_box(obj *o, const char *line, double x, double z, unsigned missing)
{
    fprintf(o->file, "%s\n", line);
    for (int k = 0; k < 8; k++) {
        fprintf(o->file, "v %.17g %.17g %.17g\n", o->scale * (x + (k & 1)), o->scale * (k >> 1 & 1),
                o->scale * (z + 0.5 * (k >> 2)));
    }
    for (int n = 0; n < 6; n++) {
        if (!(missing >> n & 1u)) {
            fprintf(o->file, "f %d %d %d %d\n", o->vertices + faces[n][0] + 1,
                    o->vertices + faces[n][1] + 1, o->vertices + faces[n][2] + 1,
                    o->vertices + faces[n][3] + 1);
        }
    }
    o->vertices += 8;
}

static void end(obj *o)
{
    fclose(o->file);
}

// A scene in the folder with these keys of its one entry.
static cn_status read_entry(const char *keys, cn_scene **scene)
{
    static char text[2000];
    snprintf(text, sizeof text,
             "cairn: 1\ndimension: 3\nmaterials: {stone: {density: 2000}}\n"
             "laws: {dry: {type: coulomb, friction: 0.6}}\n"
             "contacts: [{between: [any, any], law: dry}]\n"
             "bodies:\n  pile: {%s, material: stone}\n"
             "stages: [{step: 1e-3, duration: 0.01}]\n",
             keys);
    char name[300];
    snprintf(name, sizeof name, "%s/s.yaml", folder);
    lines[0] = '\0';
    *scene = NULL;
    return cn_scene_read(&(cn_scene_source){.name = name, .text = text}, keep, NULL, scene,
                         &test_error);
}

static void expect_said(const char *words)
{
    CN_TRUE(strstr(lines, words) != NULL);
    if (strstr(lines, words) == NULL) {
        printf("not said: %s\nbut: %s\n", words, lines);
    }
}

static void expect_refused(const char *keys, const char *words)
{
    cn_scene *scene;
    CN_TRUE(read_entry(keys, &scene) != CN_OK);
    expect_said(words);
    cn_scene_destroy(scene);
}

// Bodies that a selector finds; *first is the first of them.
static int count_of(const cn_scene *scene, const char *selector, int *first)
{
    cn_arena arena = {0};
    cn_pick pick = {0};
    int count = -1;
    if (cn_scene_select(scene, selector, &arena, &pick, &test_error) == CN_OK) {
        count = pick.count;
        *first = pick.body[0];
    }
    cn_arena_free(&arena);
    return count;
}

// Four stones on each other, of which two have one name and one has letters beyond ASCII.
static void write_pile(void)
{
    obj o = begin("pile.obj");
    add_box(&o, "o foot", 0.0, 0.0, 0u);
    add_box(&o, "o stone", 0.0, 0.5, 0u);
    fprintf(o.file, "o empty\n");
    add_box(&o, "o Schlu\xc3\x9fstein 1", 0.0, 1.0, 0u);
    add_box(&o, "o stone", 0.0, 1.5, 0u);
    end(&o);
}

CN_TEST(names_select_blocks)
{
    cn_scene *scene;
    int first = -1;
    char name[96];
    write_pile();
    CN_DO(read_entry("blocks: pile.obj, supports: foot", &scene));
    CN_TRUE(scene->body_count == 4 && scene->body[0].def.fixed == CN_FIXED_ALL &&
            scene->body[1].def.fixed == 0u);
    CN_TRUE(count_of(scene, "pile", &first) == 4);
    CN_TRUE(count_of(scene, "pile.foot", &first) == 1 && first == 0);
    CN_TRUE(count_of(scene, "pile.stone#2", &first) == 1 && first == 3);
    CN_TRUE(count_of(scene, "pile[\"st*\"]", &first) == 2 && first == 1);
    CN_TRUE(count_of(scene, "pile[st*], pile[1]", &first) == 3 && first == 0);
    CN_TRUE(count_of(scene, "pile[-1]", &first) == 1 && first == 3);
    CN_TRUE(count_of(scene, "pile.supports", &first) == 1 && first == 0);
    CN_TRUE(count_of(scene, "pile.Schlu\xc3\x9fstein_1", &first) == 1 && first == 2);
    CN_TRUE(count_of(scene, "pile.ston", &first) == -1);
    CN_TRUE(strstr(test_error.text, "did you mean 'stone'?") != NULL);
    CN_TRUE(count_of(scene, "pile[\"x*\"]", &first) == -1);
    cn_scene_body_name(scene, 3, name);
    CN_TRUE(strcmp(name, "pile.stone#2") == 0);
    expect_said("1 names of blocks occur before");
    expect_said("1 groups have no faces, the first is 'empty'");
    CN_NEAR(scene->body[1].size, 0.5, 1e-15, "the height of the box");
    cn_scene_destroy(scene);
}

// A drawing of two layers, one of them with two stones.
CN_TEST(layers_of_drawings_are_blocks)
{
    static const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int face[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    cn_scene *scene;
    char name[96];
    FILE *file = fopen(path_of("three.dxf"), "w");
    fprintf(file, "0\nSECTION\n2\nENTITIES\n");
    for (int n = 0; n < 18; n++) {
        fprintf(file, "0\n3DFACE\n8\n%s\n", n < 6 ? "Fuss" : "Stein");
        for (int k = 0; k < 4; k++) {
            const double *x = corner[face[n % 6][k]];
            fprintf(file, "%d\n%g\n%d\n%g\n%d\n%g\n", 10 + k, 1e3 * x[0], 20 + k, 1e3 * x[1],
                    30 + k, 1e3 * (x[2] + n / 6));
        }
    }
    fprintf(file, "0\nENDSEC\n0\nEOF\n");
    fclose(file);
    CN_DO(read_entry("blocks: three.dxf, split: layers, scale: 0.001, supports: Fuss", &scene));
    CN_TRUE(scene->body_count == 3 && scene->body[0].def.fixed == CN_FIXED_ALL);
    cn_scene_body_name(scene, 2, name);
    CN_TRUE(strcmp(name, "pile.Stein#2") == 0);
    CN_NEAR(scene->body[2].size, 1.0, 1e-15, "a cube of 1000 mm");
    cn_scene_destroy(scene);
}

// The same blocks, each in a file of its own, give the same bodies: names, places and points.
CN_TEST(a_folder_is_the_same_as_a_file)
{
    static const char *const names[] = {"v1", "v2", "v10"};
    cn_scene *one, *many;
    obj all = begin("three.obj");
    mkdir(path_of("parts"), 0700);
    for (int k = 0; k < 3; k++) {
        char line[32], file[32];
        snprintf(line, sizeof line, "g %s", names[k]);
        snprintf(file, sizeof file, "parts/%s.obj", names[k]);
        add_box(&all, line, 0.1 * k, 0.5 * k, 0u);
        obj o = begin(file);
        add_box(&o, "# alone", 0.1 * k, 0.5 * k, 0u);
        end(&o);
    }
    end(&all);
    CN_DO(read_entry("blocks: three.obj", &one));
    static const char *const keys[] = {"blocks: parts", "blocks: \"parts/v*.obj\"",
                                       "blocks: [parts/v1.obj, parts/v2.obj, parts/v10.obj]"};
    for (int n = 0; n < 3; n++) {
        CN_DO(read_entry(keys[n], &many));
        CN_TRUE(many->body_count == 3);
        for (int k = 0; k < 3 && k < many->body_count; k++) {
            const cn_body_def *a = &one->body[k].def, *b = &many->body[k].def;
            CN_TRUE(strcmp(one->body[k].label, names[k]) == 0);
            CN_TRUE(strcmp(many->body[k].label, names[k]) == 0);
            CN_TRUE(memcmp(a->at, b->at, sizeof a->at) == 0);
            CN_TRUE(memcmp(a->solids.item[0].point, b->solids.item[0].point, 24 * sizeof(double)) ==
                    0);
        }
        cn_scene_destroy(many);
    }
    cn_scene_destroy(one);
}

// A file in millimetres with y up: the pile stands on z = 0 and has its metres.
CN_TEST(units_and_the_axis_that_is_up)
{
    cn_scene *scene;
    obj o = begin("mm.obj");
    fprintf(o.file, "o a\nv 0 0 0\nv 400 0 0\nv 0 0 -300\nv 0 200 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
                    "f 3 1 4\no b\nv 0 0 1000\nv 400 0 1000\nv 0 0 700\nv 0 200 1000\nf 5 7 6\n"
                    "f 5 6 8\nf 6 7 8\nf 7 5 8\n");
    end(&o);
    CN_DO(read_entry("blocks: mm.obj, scale: 0.001, up: y, supports: {below: 0.01}", &scene));
    const cn_body_def *def = &scene->body[0].def;
    const double *p = def->solids.item[0].point;
    double hi[3] = {0.0, 0.0, 0.0};
    for (int n = 0; n < 12; n++) {
        hi[n % 3] = fmax(hi[n % 3], def->at[n % 3] + p[n]);
    }
    CN_NEAR(hi[0], 0.4, 1e-15, "x stays");
    CN_NEAR(hi[1], 0.3, 1e-15, "y is minus z of the file");
    CN_NEAR(hi[2], 0.2, 1e-15, "z is y of the file");
    CN_TRUE(scene->body[1].is_support);
    cn_scene_destroy(scene);
    CN_DO(read_entry("blocks: mm.obj, up: y", &scene));
    expect_said("`scale: 0.001` is for millimetres");
    cn_scene_destroy(scene);
}

CN_TEST(what_is_wrong_is_said_with_its_place)
{
    obj o = begin("open.obj");
    add_box(&o, "g lower", 0.0, 0.0, 2u);
    add_box(&o, "g upper", 0.0, 0.5, 1u);
    end(&o);
    expect_refused("blocks: open.obj", "open.obj:1: block 'lower' is not closed: 4 open edges");
    expect_said("faces between it and 'upper' are missing: export blocks as closed solids");
    o = begin("l.obj");
    add_box(&o, "g box", 5.0, 0.0, 0u);
    fprintf(o.file, "g ell\n");
    static const int corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int k = 0; k < 12; k++) {
        fprintf(o.file, "v %d %d %d\n", corner[k % 6][0], corner[k % 6][1], k / 6);
    }
    fprintf(o.file, "f 14 13 12 11 10 9\nf 15 16 17 18 19 20\n");
    for (int k = 0; k < 6; k++) {
        int next = (k + 1) % 6;
        fprintf(o.file, "f %d %d %d %d\n", k + 9, next + 9, next + 15, k + 15);
    }
    end(&o);
    expect_refused("blocks: l.obj, concave: refuse",
                   "l.obj:16: block 'ell' is not convex: a reflex edge between its "
                   "faces 11 and 12 is 1 m deep");
    expect_said("its hull has 16.7 % more volume");
    cn_scene *scene;
    CN_DO(read_entry("blocks: l.obj, concave: hull", &scene));
    expect_said("1 blocks are taken as their hulls");
    expect_said("nothing is fixed: name `supports`");
    cn_scene_destroy(scene);
    CN_DO(read_entry("blocks: l.obj", &scene));
    expect_said("1 blocks that are not convex are cut into 2 convex parts, the first is 'ell'");
    CN_TRUE(scene->body_count == 2 && scene->body[0].def.solids.count == 1);
    CN_TRUE(scene->body[1].def.solids.count == 2);
    cn_solid_mass mass;
    CN_DO(cn_solids_measure(scene->body[1].def.solids.item, 2, &mass, &test_error));
    CN_NEAR(mass.volume, 3.0, 1e-14, "three unit squares");
    CN_NEAR(scene->body[1].def.at[0] + mass.centre[0], 5.0 / 6.0, 1e-14, "centre of an L");
    cn_scene_destroy(scene);
    o = begin("walls.obj"); // three cubes on each other, of which the middle one looks inwards
    for (int k = 0; k < 16; k++) {
        fprintf(o.file, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
    }
    for (int n = 0; n < 18; n++) {
        const int *c = faces[n % 6], first = 4 * (n / 6) + 1;
        bool is_turned = n / 6 == 1;
        fprintf(o.file, "f %d %d %d %d\n", first + c[0], first + c[is_turned ? 3 : 1], first + c[2],
                first + c[is_turned ? 1 : 3]);
    }
    end(&o);
    expect_refused("blocks: walls.obj", "where blocks touch, their faces must look outwards");
    mkdir(path_of("none"), 0700);
    expect_refused("blocks: none", "the folder 'none' holds no .stl");
    expect_refused("blocks: \"*.OBJ\"", "no file matches '*.OBJ'");
    expect_said("did you mean '");
    expect_refused("blocks: missing.obj", "missing.obj");
    expect_refused("blocks: pile.obj, split: groups", "has no groups (g lines) to split it by");
    expect_refused("blocks: pile.obj, supports: fool", "is called 'fool' (did you mean 'foot'?)");
    expect_refused("blocks: pile.obj, supports: {below: -1}", "the lowest point is at 0 m");
    expect_refused("shape: {sphere: 1}, up: y", "'up' says how `blocks` is read");
    expect_refused("shape: {sphere: 1}, blocks: pile.obj", "exactly one of shape");
}

// A model of COMPAS says itself what is held.
CN_TEST(an_assembly_brings_its_supports)
{
    cn_scene *scene;
    FILE *file = fopen(path_of("two.json"), "w");
    fprintf(file, "{\"data\": {\"elements\": {");
    for (int k = 0; k < 2; k++) {
        fprintf(file,
                "%s\"e%d\": {\"data\": {\"name\": \"Block\", \"is_support\": %s, \"geometry\": "
                "{\"data\": {\"vertex\": {",
                k > 0 ? ", " : "", k, k == 0 ? "true" : "false");
        for (int n = 0; n < 8; n++) {
            fprintf(file, "%s\"%d\": {\"x\": %d, \"y\": %d, \"z\": %d}", n > 0 ? ", " : "", n,
                    n & 1, n >> 1 & 1, k + (n >> 2));
        }
        fprintf(file,
                "}, \"face\": [[0,2,3,1],[4,5,7,6],[0,1,5,4],[2,6,7,3],[0,4,6,2],[1,3,7,5]]}}}}");
    }
    fprintf(file, "}}}");
    fclose(file);
    CN_DO(read_entry("blocks: two.json", &scene));
    CN_TRUE(scene->body_count == 2 && strcmp(scene->body[1].label, "e1") == 0);
    CN_TRUE(scene->body[0].def.fixed == CN_FIXED_ALL && scene->body[1].def.fixed == 0u);
    cn_scene_destroy(scene);
    expect_refused("blocks: two.json, supports: e2", "is called 'e2' (did you mean 'e");
}

CN_TEST(many_blocks)
{
    enum { COUNT = 2000 };
    cn_scene *scene;
    obj o = begin("many.obj");
    for (int k = 0; k < COUNT; k++) {
        char line[32];
        snprintf(line, sizeof line, "o b%d", k);
        add_box(&o, line, 1.0 * (k % 100), 0.5 * (k / 100), 0u);
    }
    end(&o);
    CN_DO(read_entry("blocks: many.obj, supports: {below: 0.1}", &scene));
    CN_TRUE(scene != NULL && scene->body_count == COUNT);
    cn_scene_destroy(scene);
}

CN_MAIN(
    if (mkdtemp(folder) == NULL) { return 1; } CN_RUN(names_select_blocks);
    CN_RUN(layers_of_drawings_are_blocks); CN_RUN(a_folder_is_the_same_as_a_file);
    CN_RUN(units_and_the_axis_that_is_up); CN_RUN(what_is_wrong_is_said_with_its_place);
    CN_RUN(an_assembly_brings_its_supports); CN_RUN(many_blocks); char clean[340];
    snprintf(clean, sizeof clean, "rm -rf %s", folder); if (system(clean) != 0) { return 1; })
