// tests/unit/narrow3_mirror.c -- the pair (i, j) and the pair (j, i) are mirror images bit for bit,
// for every two kinds of solids.
#include <string.h>

#include "block_mesh.h"
#include "detect/space/narrow_space.h"
#include "test.h"
#include "unit/hull_random.h"

static const cn_mat3 LEVEL = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

// A solid of the kind, or another one of another size; containers are large enough for the rest.
static cn_solid solid_of(cn_solid_kind kind, bool is_other, uint64_t *state)
{
    static double triangle[3 * BLOCK_MESH_POINTS(3)];
    double corner[36];
    bool is_hollow = kind == CN_SOLID_HOLLOW_SPHERE || kind == CN_SOLID_HOLLOW_CYLINDER;
    cn_solid_def def = {.kind = kind,
                        .radius = is_hollow  ? 0.9
                                  : is_other ? 0.3
                                             : 0.5,
                        .length = is_hollow  ? 1.8
                                  : is_other ? 0.8
                                             : 0.6,
                        .thickness = is_hollow ? 0.1 : 0.0};
    if (kind == CN_SOLID_HULL) {
        for (int k = 0; k < 36; k++) {
            corner[k] = uniform(state) - 0.5;
        }
        def.point = corner;
        def.point_count = 12;
    } else if (kind == CN_SOLID_SURFACE) {
        def.point = triangle;
        def.point_count = block_mesh(1.0, 0.8, 0.7, 3, triangle);
    }
    cn_solid solid = {.body = is_other};
    CN_DO(cn_solid_place(&def, cn_v3(0.0, 0.0, 0.0), &LEVEL, NULL, &solid, &test_error));
    solid.body = is_other;
    return solid;
}

// Turned by anything, or by quarters, where many directions are equal.
static cn_mat3 quarter_or_any(uint64_t *state)
{
    cn_vec3 axis = on_sphere(state);
    double angle = 2.0 * PI * uniform(state);
    cn_quat q = uniform(state) < 0.7 ? turn(axis.x, axis.y, axis.z, angle)
                                     : turn(1.0, 0.0, 0.0, floor(angle) * 0.5 * PI);
    return cn_quat_matrix(q);
}

static bool is_mirrored(const cn_touch3 *t, const cn_touch3 *u)
{
    return t->gap == u->gap && t->feature == u->feature && t->point.x == u->point.x &&
           t->point.y == u->point.y && t->point.z == u->point.z && t->normal.x == -u->normal.x &&
           t->normal.y == -u->normal.y && t->normal.z == -u->normal.z;
}

// How many of 300 random places touch; all must be mirrored.
static int touching_places(const cn_solid *s, const cn_solid *r, uint64_t *state)
{
    int touching = 0;
    for (int trial = 0; trial < 300; trial++) {
        double far = 1.2 * uniform(state);
        cn_posed3 a = {s, {0.1, 3.0, -0.2}, quarter_or_any(state)},
                  b = {r, a.x, quarter_or_any(state)};
        b.x = cn_add_mul3(a.x, far, on_sphere(state));
        if (trial % 10 == 0) {
            b.x = cn_add_mul3(a.x, 0.5, cn_v3(trial % 20 == 0, 0.0, 1.0));
            b.R = a.R;
        }
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.2, t);
        CN_TRUE(cn_narrow3(&b, &a, 0.2, u) == count);
        for (int k = 0; k < count; k++) {
            CN_TRUE(is_mirrored(&t[k], &u[k]));
        }
        touching += count > 0;
    }
    return touching;
}

CN_TEST(all_pairs_of_solids_are_mirror_images)
{
    uint64_t state = 17;
    for (int i = 0; i < CN_SOLID_KIND_COUNT; i++) {
        for (int j = i; j < CN_SOLID_KIND_COUNT; j++) {
            bool never_meet = i == j && (i == CN_SOLID_HALF_SPACE || i == CN_SOLID_SURFACE);
            never_meet = never_meet || (i == CN_SOLID_HALF_SPACE && j == CN_SOLID_SURFACE);
            cn_solid s = solid_of((cn_solid_kind)i, false, &state);
            cn_solid r = solid_of((cn_solid_kind)j, true, &state);
            cn_solid twin = solid_of((cn_solid_kind)i, false, &state);
            twin.body = 1;
            CN_TRUE(touching_places(&s, &r, &state) >= (never_meet ? 0 : 50));
            if (i == j && i != CN_SOLID_HULL) {
                CN_TRUE(touching_places(&s, &twin, &state) >= (never_meet ? 0 : 50));
            }
            cn_solid_free(NULL, &s);
            cn_solid_free(NULL, &r);
            cn_solid_free(NULL, &twin);
        }
    }
}

CN_MAIN(CN_RUN(all_pairs_of_solids_are_mirror_images);)
