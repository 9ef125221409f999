// tests/unit/narrow3_mirror.c -- the pair (i, j) and the pair (j, i) are mirror images bit for bit,
// for every two kinds of solids, and pairs that are 1024 times as small touch likewise.
#include <string.h>

#include "block_mesh.h"
#include "detect/space/narrow_space.h"
#include "test.h"
#include "unit/hull_random.h"

static const cn_mat3 LEVEL = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

// A solid of the kind, or another one of another size; containers are large enough for the rest.
// All lengths are times `scale`.
static cn_solid scaled_solid(cn_solid_kind kind, bool is_other, double scale, uint64_t *state)
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
                        .thickness = is_hollow ? 0.1 : 0.0,
                        .size = {0.9 * scale, (is_other ? 0.5 : 0.6) * scale, 0.4 * scale}};
    if (kind == CN_SOLID_HULL) {
        for (int k = 0; k < 36; k++) {
            corner[k] = scale * (uniform(state) - 0.5);
        }
        def.point = corner;
        def.point_count = 12;
    } else if (kind == CN_SOLID_SURFACE) {
        def.point = triangle;
        def.point_count = block_mesh(scale, 0.8 * scale, 0.7 * scale, 3, triangle);
    }
    def.radius *= scale;
    def.length *= scale;
    def.thickness *= scale;
    cn_solid solid = {.body = is_other};
    CN_DO(cn_solid_place(&def, cn_v3(0.0, 0.0, 0.0), &LEVEL, NULL, &solid, &test_error));
    solid.body = is_other;
    return solid;
}

static cn_solid solid_of(cn_solid_kind kind, bool is_other, uint64_t *state)
{
    return scaled_solid(kind, is_other, 1.0, state);
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

static bool is_scaled(const cn_touch3 *t, const cn_touch3 *u, double scale)
{
    return scale * t->gap == u->gap && t->feature == u->feature &&
           scale * t->point.x == u->point.x && scale * t->point.y == u->point.y &&
           scale * t->point.z == u->point.z && t->normal.x == u->normal.x &&
           t->normal.y == u->normal.y && t->normal.z == u->normal.z;
}

// A power of two changes no digit of a length, so no bit of a direction: lengths that are compared
// with numbers instead of lengths would.
CN_TEST(a_unit_of_length_changes_no_bit)
{
    const double scale = 0x1p-10;
    for (int n = 0; n < CN_SOLID_KIND_COUNT * CN_SOLID_KIND_COUNT; n++) {
        cn_solid_kind i = (cn_solid_kind)(n / CN_SOLID_KIND_COUNT);
        cn_solid_kind j = (cn_solid_kind)(n % CN_SOLID_KIND_COUNT);
        uint64_t state = 19, same = 19;
        cn_solid s = scaled_solid(i, false, 1.0, &state), r = scaled_solid(j, true, 1.0, &state);
        cn_solid small = scaled_solid(i, false, scale, &same);
        cn_solid tiny = scaled_solid(j, true, scale, &same);
        for (int trial = 0; trial < 100; trial++) {
            cn_posed3 a = {&s, {0.1, 3.0, -0.2}, quarter_or_any(&state)}, b = {&r, a.x, a.R};
            b.x = cn_add_mul3(a.x, 1.2 * uniform(&state), on_sphere(&state));
            b.R = trial % 10 == 0 ? a.R : quarter_or_any(&state);
            cn_posed3 c = {&small, cn_mul3(scale, a.x), a.R}, d = {&tiny, cn_mul3(scale, b.x), b.R};
            cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
            double sweep = trial % 3 == 0 ? 0.3 : 0.0;
            cn_hint hint = {0}, other = {0};
            int count = cn_narrow3_warm(&a, &b, 0.2, sweep, &hint, t);
            CN_TRUE(cn_narrow3_warm(&c, &d, 0.2 * scale, sweep * scale, &other, u) == count);
            for (int k = 0; k < count; k++) {
                CN_TRUE(is_scaled(&t[k], &u[k], scale));
            }
            bool is_sunk = cn_surface_sunk(&a, &b, t);
            CN_TRUE(cn_surface_sunk(&c, &d, u) == is_sunk);
            CN_TRUE(!is_sunk || is_scaled(t, u, scale));
        }
        cn_solid_free(NULL, &s);
        cn_solid_free(NULL, &r);
        cn_solid_free(NULL, &small);
        cn_solid_free(NULL, &tiny);
    }
}

CN_MAIN(CN_RUN(a_unit_of_length_changes_no_bit); CN_RUN(all_pairs_of_solids_are_mirror_images);)
