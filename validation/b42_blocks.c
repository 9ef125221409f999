// validation/b42_blocks.c -- B42, B43: rock cut by sets of joints, and blocks that are not convex.
//
// Question: how many blocks of which volume do sets of joints cut, how many faces meet, and into
// how many convex parts does a concave block fall? Reference: counted and computed on paper; the
// volume of a whole cell is S1 S2 S3 / |n1 . (n2 x n3)|; numbers of parts by CGAL. Source: derived.
#include <math.h>

#include "builders.h"
#include "limit_rig.h"
#include "table.h"

// Volumes of the blocks of a cube of 10 m.
typedef struct cut {
    int count, smallest_count, largest_count, patch_count;
    double sum, smallest, largest; // [m3]
} cut;

static int count_faces(cn_book *book, cn_world *w)
{
    cn_error err;
    cn_patch_forces patches = {0};
    int count = 0;
    if (cn_world_detect(w, 1e-6, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        return 0;
    }
    cn_view view = cn_world_view(w);
    if (cn_patch_forces_find(view.contact, view.contact_count, 3, &patches, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    for (int k = 0; k < patches.count; k++) {
        count += patches.patch[k].area > 1e-3;
    }
    cn_patch_forces_free(&patches);
    return count;
}

static cut cut_cube(cn_book *book, const char *joints, double azimuth, bool has_faces)
{
    cn_limits l = cn_limits_begin(book, 3, 1.0, 0.5); // of density 1: masses are volumes
    cn_limits_add(&l,
                  "bodies:\n"
                  "  rock:\n"
                  "    generate:\n"
                  "      rock_slope: {height: 10, angle: 90deg, azimuth: %gdeg, length: 10, "
                  "width: 10,\n"
                  "        thinnest: 0, joints: [%s]}\n"
                  "    material: m\n"
                  "stages: [{step: 1e-3, duration: 1}]\n",
                  azimuth, joints);
    cn_scene_source source = {.name = "rock.yaml", .text = l.text, .length = l.length};
    cn_world *w = NULL;
    cn_error err;
    cut x = {.smallest = INFINITY};
    if (cn_scene_read(&source, NULL, NULL, &l.scene, &err) != CN_OK ||
        cn_scene_build(l.scene, 1, &w, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        cn_limits_end(&l);
        return x;
    }
    cn_view view = cn_world_view(w);
    x.count = view.body_count;
    for (int i = 0; i < x.count; i++) {
        x.sum += view.mass[i];
        x.smallest = fmin(x.smallest, view.mass[i]);
        x.largest = fmax(x.largest, view.mass[i]);
    }
    for (int i = 0; i < x.count; i++) {
        x.smallest_count += fabs(view.mass[i] - x.smallest) < 1e-9;
        x.largest_count += fabs(view.mass[i] - x.largest) < 1e-9;
    }
    x.patch_count = has_faces ? count_faces(book, w) : 0;
    cn_world_destroy(w);
    cn_limits_end(&l);
    return x;
}

// Volume of the rubble between the leaves of a wall, whose stones are all bodies but the leaves'.
static void fill_core(cn_book *book, int *count, double *sum)
{
    cn_limits l = cn_limits_begin(book, 3, 1.0, 0.5);
    cn_limits_add(&l, "bodies:\n"
                      "  wall:\n"
                      "    generate:\n"
                      "      leaf_wall: {blocks: 5, courses: 10, block: [1, 0.4, 0.5], core: 1, "
                      "stone: 0.36840314986403866}\n"
                      "    material: m\n"
                      "stages: [{step: 1e-3, duration: 1}]\n");
    cn_scene_source source = {.name = "wall.yaml", .text = l.text, .length = l.length};
    cn_world *w = NULL;
    cn_error err;
    *count = 0;
    *sum = 0.0;
    if (cn_scene_read(&source, NULL, NULL, &l.scene, &err) != CN_OK ||
        cn_scene_build(l.scene, 1, &w, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    } else {
        cn_view view = cn_world_view(w);
        for (int i = 0; i < view.body_count; i++) {
            bool is_core = fabs(view.q[7 * i + 1]) < 0.5;
            *count += is_core;
            *sum += is_core ? view.mass[i] : 0.0;
        }
    }
    cn_world_destroy(w);
    cn_limits_end(&l);
}

#define SQUARE(more)                                                                               \
    "{dip: 0, spacing: 2" more "}, {dip: 90deg, spacing: 2" more                                   \
    "}, {dip: 90deg, direction: 90deg, spacing: 2" more "}"

void cn_case_B42(cn_book *book)
{
    cut x = cut_cube(book, SQUARE(""), 0.0, true);
    cn_check(book, "planes at 2, 4, 6, 8 m: blocks", x.count, 125, 0.0);
    cn_check(book, "of least and most volume [m3]", x.largest - x.smallest, 0.0, 8e-12);
    cn_check(book, "faces that meet", x.patch_count, 300, 0.0);
    cn_check_rel(book, "their sum [m3]", x.sum, 1000.0, 1e-12);
    x = cut_cube(book, SQUARE(", offset: 1"), 0.0, false);
    cn_check(book, "planes at 1, 3, 5, 7, 9 m: blocks", x.count, 216, 0.0);
    cn_check_rel(book, "their sum [m3]", x.sum, 1000.0, 1e-12);
    cn_check_rel(book, "the smallest [m3]", x.smallest, 1.0, 1e-12);
    cn_check(book, "how many", x.smallest_count, 8, 0.0);
    cn_check_rel(book, "the largest [m3]", x.largest, 8.0, 1e-12);
    cn_check(book, "how many", x.largest_count, 64, 0.0);
    x = cut_cube(book,
                 "{dip: 70deg, dip_direction: 90deg, spacing: 1.5}, {dip: 80deg, dip_direction: "
                 "190deg, spacing: 2}, {dip: 15deg, dip_direction: 310deg, spacing: 1}",
                 35.0, false);
    cn_check_rel(book, "by the compass: a whole cell [m3]", x.largest, 3.052044703, 1e-9);
    cn_check_rel(book, "their sum [m3]", x.sum, 1000.0, 1e-12);
    x = cut_cube(book, SQUARE(", persistence: 0"), 0.0, false);
    cn_check(book, "persistence 0: blocks", x.count, 1, 0.0);
    int stones = 0;
    double core = 0.0;
    fill_core(book, &stones, &core);
    cn_check(book, "core of a wall: Voronoi cells", stones, 500, 0.0);
    cn_check_rel(book, "their sum [m3]", core, 25.0, 1e-12);
}

// ---- B43: prisms of height 1 over unions of unit squares

enum { SIDE_MOST = 8, POINT_MOST = 2 * (SIDE_MOST + 1) * (SIDE_MOST + 1) };

typedef struct prism {
    int point[SIDE_MOST + 1][SIDE_MOST + 1][2]; // number of a corner of the grid, below and above
    int point_count, triangle_count;
    double vertex[3 * POINT_MOST];
    int triangle[3 * 12 * SIDE_MOST * SIDE_MOST];
} prism;

static int corner(prism *p, int x, int y, int z)
{
    int *n = &p->point[y][x][z];
    if (*n == 0) {
        double *v = p->vertex + 3 * (size_t)p->point_count;
        v[0] = x;
        v[1] = y;
        v[2] = z;
        *n = ++p->point_count;
    }
    return *n - 1;
}

static void add_quad(prism *p, const int c[4])
{
    int *t = p->triangle + 3 * (size_t)p->triangle_count;
    const int two[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
    for (int k = 0; k < 6; k++) {
        t[k] = two[k];
    }
    p->triangle_count += 2;
}

static bool is_full(const char *const *row, int rows, int x, int y)
{
    if (y < 0 || y >= rows || x < 0) {
        return false;
    }
    for (int k = 0; k <= x; k++) {
        if (row[y][k] == '\0') {
            return false;
        }
    }
    return row[y][x] == '#';
}

// Rows of squares from y = 0 on.
static cn_surface make_prism(prism *p, const char *const *row, int rows)
{
    static const int step[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    static const int edge[4][4] = {{0, 0, 1, 0}, {1, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 0, 0}};
    *p = (prism){.point_count = 0};
    for (int y = 0; y < rows; y++) {
        for (int x = 0; row[y][x] != '\0'; x++) {
            if (row[y][x] != '#') {
                continue;
            }
            add_quad(p, (int[]){corner(p, x, y, 1), corner(p, x + 1, y, 1),
                                corner(p, x + 1, y + 1, 1), corner(p, x, y + 1, 1)});
            add_quad(p, (int[]){corner(p, x, y + 1, 0), corner(p, x + 1, y + 1, 0),
                                corner(p, x + 1, y, 0), corner(p, x, y, 0)});
            for (int k = 0; k < 4; k++) {
                const int *e = edge[k];
                if (!is_full(row, rows, x + step[k][0], y + step[k][1])) {
                    add_quad(p, (int[]){corner(p, x + e[0], y + e[1], 0),
                                        corner(p, x + e[2], y + e[3], 0),
                                        corner(p, x + e[2], y + e[3], 1),
                                        corner(p, x + e[0], y + e[1], 1)});
                }
            }
        }
    }
    return (cn_surface){.vertex_count = p->point_count,
                        .triangle_count = p->triangle_count,
                        .vertex = p->vertex,
                        .triangle = p->triangle};
}

void cn_case_B43(cn_book *book)
{
    static const struct {
        const char *name;
        int rows;
        const char *row[6];
        int parts;
        double volume;
    } block[] = {
        {"L", 2, {"##", "#"}, 2, 3.0},
        {"T", 2, {"###", ".#"}, 2, 4.0},
        {"cross", 3, {".#", "###", ".#"}, 3, 5.0},
        {"stair", 6, {"######", "#####", "####", "###", "##", "#"}, 6, 21.0},
    };
    for (int k = 0; k < (int)(sizeof block / sizeof *block); k++) {
        prism p;
        cn_surface surface = make_prism(&p, block[k].row, block[k].rows);
        cn_split split = {0};
        cn_solid_mass mass = {0};
        cn_error err;
        if (cn_surface_decompose(&surface, &split, &err) != CN_OK ||
            cn_solids_measure(split.solid, split.count, &mass, &err) != CN_OK) {
            cn_book_failure(book, err.text);
        }
        cn_check(book, cn_name(book, "%s: parts", block[k].name), split.count, block[k].parts, 0.0);
        cn_check_rel(book, cn_name(book, "%s: volume", block[k].name), mass.volume, block[k].volume,
                     1e-12);
        cn_split_free(&split);
    }
}
