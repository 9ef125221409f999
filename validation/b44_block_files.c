// validation/b44_block_files.c -- B44, B45: assemblies of COMPAS in its four layouts, and names of
// blocks to the end.
//
// Question: are all blocks of a file there, with their volumes, supports and names, and does what
// is written back hold the same vertices? Reference: 19 voussoirs between 20 joints of a
// semicircle, each of volume b (R^2 - r^2)/2 sin(pi/19). The files that the catalogue names for B44
// are not at hand: those here have the layouts of compas_assembly 1, lists of meshes,
// compas_assembly 2 and compas_dem as their readme files show them. Source: derived.
#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table.h"

enum { BLOCKS = 19, TEXT_MOST = 1 << 17, NAME_MOST = 96 };

static const double INNER = 2.0, OUTER = 2.5, BREADTH = 0.6; // [m]

static const int face[6][4] = {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1},
                               {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};

static double block_volume(void)
{
    return 0.5 * BREADTH * (OUTER * OUTER - INNER * INNER) * sin(CN_PI / BLOCKS);
}

// Corner n of block k: four in front, counterclockwise from there, four behind.
static void corner(int k, int n, double x[3])
{
    int joint = k + (n % 4 >= 2);
    double radius = n % 4 == 1 || n % 4 == 2 ? OUTER : INNER, angle = CN_PI * joint / BLOCKS;
    x[0] = -radius * cos(angle);
    x[1] = n < 4 ? -0.5 * BREADTH : 0.5 * BREADTH;
    x[2] = radius * sin(angle);
}

// ---- texts of files

typedef struct text {
    size_t length;
    char byte[TEXT_MOST];
} text;

static void CN_PRINTF(2, 3) put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->length += (size_t)vsnprintf(t->byte + t->length, sizeof t->byte - t->length, format, args);
    va_end(args);
}

static void put_mesh(text *t, int k)
{
    put(t, "{\"vertex\": {");
    for (int n = 0; n < 8; n++) {
        double x[3];
        corner(k, n, x);
        put(t, "%s\"%d\": {\"x\": %.17g, \"y\": %.17g, \"z\": %.17g}", n > 0 ? ", " : "", n, x[0],
            x[1], x[2]);
    }
    put(t, "}, \"face\": {");
    for (int f = 0; f < 6; f++) {
        put(t, "%s\"%d\": [%d, %d, %d, %d]", f > 0 ? ", " : "", f, face[f][0], face[f][1],
            face[f][2], face[f][3]);
    }
    put(t, "}}");
}

static bool is_held(int k)
{
    return k == 0 || k == BLOCKS - 1;
}

static const char *flag(int k)
{
    return is_held(k) ? "true" : "false";
}

typedef enum layout { NETWORK = 0, MESHES, ASSEMBLY, MODEL, LAYOUT_COUNT } layout;

static const char *const layout_name[] = {"compas_assembly 1", "list of meshes",
                                          "compas_assembly 2", "compas_dem"};

static void put_block(text *t, layout which, int k)
{
    put(t, "%s", k > 0 ? ", " : "");
    switch (which) {
    case NETWORK:
        put(t, "\"%d\": {\"is_support\": %s, \"block\": {\"dtype\": \"x/Block\", \"value\": ", k,
            flag(k));
        put_mesh(t, k);
        put(t, "}}");
        break;
    case MESHES:
        put(t, "{\"dtype\": \"compas.datastructures/Mesh\", \"value\": ");
        put_mesh(t, k);
        put(t, "}");
        break;
    case ASSEMBLY:
        put(t, "\"%d\": {\"is_support\": %s, \"block\": {\"name\": \"stone_%02d\", \"data\": ", k,
            flag(k), k);
        put_mesh(t, k);
        put(t, "}}");
        break;
    default:
        put(t,
            "\"g-%02d\": {\"data\": {\"transformation\": null, \"name\": \"Block\", "
            "\"is_support\": %s, \"geometry\": {\"data\": ",
            k, flag(k));
        put_mesh(t, k);
        put(t, "}}}");
        break;
    }
}

static void put_file(text *t, layout which)
{
    static const char *const head[] = {"{\"value\": {\"node\": {", "[",
                                       "{\"data\": {\"graph\": {\"data\": {\"node\": {",
                                       "{\"data\": {\"elements\": {"};
    static const char *const tail[] = {"}}}", "]", "}}}}}", "}}}"};
    t->length = 0;
    put(t, "%s", head[which]);
    for (int k = 0; k < BLOCKS; k++) {
        put_block(t, which, k);
    }
    put(t, "%s", tail[which]);
}

// ---- B44

static bool has_double_names(const cn_surface *s)
{
    bool is_double = false;
    for (int a = 0; a < s->group_count; a++) {
        for (int b = 0; b < a; b++) {
            is_double = is_double || strcmp(s->group_name[a], s->group_name[b]) == 0;
        }
    }
    return is_double;
}

// Largest distance of a corner from the vertex of its block that is nearest.
static double farthest_corner(const cn_block_list *blocks)
{
    double worst = 0.0;
    for (int k = 0; k < blocks->count; k++) {
        for (int n = 0; n < 8; n++) {
            double x[3], nearest = INFINITY;
            corner(k, n, x);
            for (int v = 0; v < blocks->block[k].point_count; v++) {
                const double *p = blocks->block[k].point + 3 * (size_t)v;
                nearest = fmin(nearest, hypot(hypot(p[0] - x[0], p[1] - x[1]), p[2] - x[2]));
            }
            worst = fmax(worst, nearest);
        }
    }
    return worst;
}

static void check_file(cn_book *book, const char *name, const text *t, bool has_supports)
{
    cn_surface s = {0};
    cn_block_list blocks = {0};
    cn_surface_def def = cn_surface_def_default();
    cn_error err;
    int held = 0;
    double volume = 0.0;
    if (cn_surface_parse("a.json", CN_SURFACE_COMPAS, t->byte, t->length, &def, &s, &err) !=
            CN_OK ||
        cn_surface_blocks(&s, true, &blocks, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    for (int k = 0; k < blocks.count; k++) {
        volume += blocks.block[k].volume;
    }
    for (int k = 0; k < s.group_count; k++) {
        held += s.group_is_support != NULL && s.group_is_support[k];
    }
    cn_check(book, cn_name(book, "%s: blocks", name), blocks.count, BLOCKS, 0.0);
    cn_check(book, cn_name(book, "%s: supports", name), held, has_supports ? 2.0 : 0.0, 0.0);
    cn_check_rel(book, cn_name(book, "%s: volume [m3]", name), volume, BLOCKS * block_volume(),
                 1e-6);
    cn_check_true(book, cn_name(book, "%s: names are unique", name), !has_double_names(&s));
    cn_check(book, cn_name(book, "%s: corners move by [m]", name), farthest_corner(&blocks), 0.0,
             1e-12);
    cn_surface_blocks_free(&blocks);
    cn_surface_free(&s);
}

// ---- files in a folder of their own

typedef struct place {
    cn_book *book;
    char folder[64];
} place;

static place begin_place(cn_book *book)
{
    const char *folder = getenv("TMPDIR");
    place p = {.book = book};
    snprintf(p.folder, sizeof p.folder, "%.40s/cairn-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(p.folder) == NULL) {
        cn_book_failure(book, "no room for the files of blocks");
    }
    return p;
}

static const char *path_of(const place *p, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%.50s", p->folder, name);
    return path;
}

static void save(const place *p, const char *name, const text *t)
{
    char path[128];
    FILE *file = fopen(path_of(p, name, path), "w");
    bool is_good = file != NULL && fwrite(t->byte, 1, t->length, file) == t->length;
    is_good = file != NULL && fclose(file) == 0 && is_good;
    if (!is_good) {
        cn_book_failure(p->book, "a file of blocks cannot be written");
    }
}

static void load(const place *p, const char *name, text *t)
{
    char path[128];
    FILE *file = fopen(path_of(p, name, path), "r");
    t->length = file != NULL ? fread(t->byte, 1, sizeof t->byte - 1, file) : 0;
    t->byte[t->length] = '\0';
    if (file != NULL) {
        fclose(file);
    }
}

static void end_place(const place *p)
{
    DIR *open = opendir(p->folder);
    char path[400];
    for (struct dirent *e = open != NULL ? readdir(open) : NULL; e != NULL; e = readdir(open)) {
        snprintf(path, sizeof path, "%s/%s", p->folder, e->d_name);
        unlink(path);
    }
    if (open != NULL) {
        closedir(open);
    }
    rmdir(p->folder);
}

// Runs one step of blocks that are all held; the hash of the state it leaves.
static uint64_t run_blocks(const place *p, const char *blocks)
{
    char scene_path[128], result_path[128], scene_text[600];
    cn_scene *scene = NULL;
    cn_run_report report = {0};
    cn_run_def def = cn_run_def_default();
    cn_error err;
    def.result_path = path_of(p, "a.h5", result_path);
    snprintf(scene_text, sizeof scene_text,
             "cairn: 1\ndimension: 3\nmaterials: {stone: {density: 2000}}\n"
             "laws: {dry: {type: coulomb, friction: 0.7}}\n"
             "contacts: [{between: [any, any], law: dry}]\n"
             "bodies: {arch: {blocks: %s, material: stone, fixed: true}}\n"
             "stages: [{step: 1e-3, duration: 1e-3}]\n",
             blocks);
    cn_scene_source source = {.name = path_of(p, "a.yaml", scene_path), .text = scene_text};
    if (cn_scene_read(&source, NULL, NULL, &scene, &err) != CN_OK ||
        cn_scene_run(scene, &def, &report, &err) != CN_OK) {
        cn_book_failure(p->book, err.text);
    }
    cn_scene_destroy(scene);
    return report.state_hash;
}

static void export_to(const place *p, const char *format)
{
    char path[128];
    cn_reader *reader = NULL;
    cn_export_def def = {.folder = p->folder};
    cn_error err;
    if (cn_reader_open(path_of(p, "a.h5", path), &reader, &err) != CN_OK ||
        cn_export(reader, format, &def, &err) != CN_OK) {
        cn_book_failure(p->book, err.text);
    }
    cn_reader_close(reader);
}

void cn_case_B44(cn_book *book)
{
    static text t;
    for (layout which = NETWORK; which < LAYOUT_COUNT; which++) {
        put_file(&t, which);
        check_file(book, layout_name[which], &t, which != MESHES);
    }
    place p = begin_place(book);
    put_file(&t, ASSEMBLY);
    save(&p, "vault.json", &t);
    run_blocks(&p, "vault.json");
    export_to(&p, "compas");
    load(&p, "assembly.json", &t);
    cn_surface s = {0};
    cn_block_list blocks = {0};
    cn_surface_def def = cn_surface_def_default();
    cn_error err;
    if (cn_surface_parse("assembly.json", CN_SURFACE_COMPAS, t.byte, t.length, &def, &s, &err) !=
            CN_OK ||
        cn_surface_blocks(&s, true, &blocks, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    cn_check(book, "written back: blocks", blocks.count, BLOCKS, 0.0);
    cn_check(book, "written back: corners move by [m]", farthest_corner(&blocks), 0.0, 1e-12);
    cn_surface_blocks_free(&blocks);
    cn_surface_free(&s);
    end_place(&p);
}

// ---- B45

static void name_of(int k, char name[NAME_MOST])
{
    snprintf(name, NAME_MOST, k == BLOCKS / 2 ? "keystone" : "voussoir_%02d", k + 1);
}

static void put_obj(text *t)
{
    t->length = 0;
    for (int k = 0; k < BLOCKS; k++) {
        char name[NAME_MOST];
        name_of(k, name);
        put(t, "g %s\n", name);
        for (int n = 0; n < 8; n++) {
            double x[3];
            corner(k, n, x);
            put(t, "v %.17g %.17g %.17g\n", x[0], x[1], x[2]);
        }
        for (int f = 0; f < 6; f++) {
            put(t, "f %d %d %d %d\n", 8 * k + face[f][0] + 1, 8 * k + face[f][1] + 1,
                8 * k + face[f][2] + 1, 8 * k + face[f][3] + 1);
        }
    }
}

static void put_stl(text *t, int k)
{
    t->length = 0;
    put(t, "solid\n");
    for (int f = 0; f < 12; f++) {
        const int *c = face[f / 2];
        const int three[3] = {c[0], c[f % 2 + 1], c[f % 2 + 2]};
        put(t, "facet normal 0 0 0\nouter loop\n");
        for (int n = 0; n < 3; n++) {
            double x[3];
            corner(k, three[n], x);
            put(t, "vertex %.17g %.17g %.17g\n", x[0], x[1], x[2]);
        }
        put(t, "endloop\nendfacet\n");
    }
    put(t, "endsolid\n");
}

static int names_in_result(const place *p)
{
    char path[128];
    cn_reader *reader = NULL;
    cn_error err;
    int found = 0;
    if (cn_reader_open(path_of(p, "a.h5", path), &reader, &err) != CN_OK) {
        cn_book_failure(p->book, err.text);
        return 0;
    }
    for (int k = 0; k < BLOCKS; k++) {
        char name[NAME_MOST], full[NAME_MOST + 8];
        name_of(k, name);
        snprintf(full, sizeof full, "arch.%s", name);
        const char *told = cn_reader_body_name(reader, (cn_body_id)(k + 1));
        found += told != NULL && strcmp(told, full) == 0;
    }
    cn_reader_close(reader);
    return found;
}

static int names_in_file(const place *p, const char *file)
{
    static text t;
    int found = 0;
    load(p, file, &t);
    for (int k = 0; k < BLOCKS; k++) {
        char name[NAME_MOST];
        name_of(k, name);
        found += strstr(t.byte, name) != NULL;
    }
    return found;
}

void cn_case_B45(cn_book *book)
{
    static text t;
    place p = begin_place(book);
    put_obj(&t);
    save(&p, "arch.obj", &t);
    uint64_t one = run_blocks(&p, "arch.obj");
    cn_check(book, "names in the result", names_in_result(&p), BLOCKS, 0.0);
    export_to(&p, "csv");
    cn_check(book, "names in bodies.csv", names_in_file(&p, "bodies.csv"), BLOCKS, 0.0);
    export_to(&p, "compas");
    cn_check(book, "names in assembly.json", names_in_file(&p, "assembly.json"), BLOCKS, 0.0);
    for (int k = 0; k < BLOCKS; k++) {
        char name[NAME_MOST];
        put_stl(&t, k);
        name_of(k, name);
        snprintf(name + strlen(name), sizeof name - strlen(name), ".stl");
        save(&p, name, &t);
    }
    // In the order of the OBJ file, since the hash goes through the bodies in their order.
    uint64_t many = run_blocks(&p, "[\"voussoir_0*.stl\", keystone.stl, \"voussoir_1*.stl\"]");
    cn_check_true(book, "19 STL files give the same state hash", one == many && one != 0);
    cn_check(book, "names in their result", names_in_result(&p), BLOCKS, 0.0);
    end_place(&p);
}
