// bench/stress/packings.c -- grains on a dense lattice, which gravity closes within a few steps;
// without the wall in front they flow.
//
// Grains have a mass of about 1 kg and a size of 1 m, so that impulses and velocities are of one
// size: the natural error adds them up as they are. Only h sqrt(g / size) matters.
#include "packings.h"

#include <math.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cn_status try_status = (call);                                                             \
        if (try_status != CN_OK) {                                                                 \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)

enum { CORNERS = 12 };
static const double radius = 0.5, step = 1e-2, density = 6.0 / CN_PI; // [m], [s], [kg/m3]

// Uniform in [0, 1), the same on every machine.
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static cn_status create(const cn_packing_def *def, cn_world **world, cn_error *err)
{
    cn_world_def settings = cn_world_def_default();
    bool is_plane = def->grain == CN_GRAIN_DISK;
    settings.dim = is_plane ? 2 : 3;
    settings.gravity[0] = 0.0;
    settings.gravity[1] = is_plane ? -9.81 : 0.0;
    settings.gravity[2] = is_plane ? 0.0 : -9.81;
    settings.solver.method = CN_METHOD_NNCG;
    settings.solver.sweep_max = 200;
    cn_law_def law = cn_law_coulomb(def->mu, 0.0);
    int number;
    TRY(cn_world_create(&settings, world, err));
    TRY(cn_law_add(*world, &law, &number, err));
    return cn_rule_add(*world, CN_GROUP_ANY, CN_GROUP_ANY, number, err);
}

// A fixed wall through a point with the given outward normal; in the plane along x or y.
static cn_status add_wall(cn_world *w, bool is_plane, const double at[3], const double normal[3],
                          cn_error *err)
{
    cn_body_def def = {.fixed = CN_FIXED_ALL, .at = {at[0], at[1], at[2]}};
    cn_shape_def shape = {.kind = CN_SHAPE_HALF_PLANE};
    cn_solid_def solid = {.kind = CN_SOLID_HALF_SPACE};
    if (is_plane) {
        def.shapes = (cn_shape_parts){1, &shape};
        def.angle = atan2(-normal[0], normal[1]);
    } else {
        bool is_floor = normal[2] > 0.0; // else z is turned onto the normal, about (-ny, nx, 0)
        const double half = sqrt(0.5);
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){1, &solid};
        def.rotation[0] = is_floor ? 1.0 : half;
        def.rotation[1] = is_floor ? 0.0 : -normal[1] * half;
        def.rotation[2] = is_floor ? 0.0 : normal[0] * half;
    }
    return cn_body_add(w, &def, NULL, err);
}

static cn_status add_walls(const cn_packing_def *def, cn_world *w, double side, cn_error *err)
{
    bool is_plane = def->grain == CN_GRAIN_DISK;
    const double origin[3] = {0}, far[3] = {side, is_plane ? 0.0 : side, 0.0};
    const double up[3] = {0.0, is_plane ? 1.0 : 0.0, is_plane ? 0.0 : 1.0};
    TRY(add_wall(w, is_plane, origin, up, err));
    TRY(add_wall(w, is_plane, origin, (double[3]){1.0, 0.0, 0.0}, err));
    if (!def->is_flowing) {
        TRY(add_wall(w, is_plane, far, (double[3]){-1.0, 0.0, 0.0}, err));
    }
    if (!is_plane) {
        TRY(add_wall(w, is_plane, origin, (double[3]){0.0, 1.0, 0.0}, err));
        TRY(add_wall(w, is_plane, far, (double[3]){0.0, -1.0, 0.0}, err));
    }
    return CN_OK;
}

// Twelve corners on a sphere, no two of them within half a radius.
static void draw_corners(uint64_t *random, double size, double corner[3 * CORNERS])
{
    for (int k = 0; k < CORNERS;) {
        double z = 2.0 * draw(random) - 1.0, angle = 2.0 * CN_PI * draw(random);
        double across = sqrt(1.0 - z * z), x[3] = {across * cos(angle), across * sin(angle), z};
        bool is_near = false;
        for (int m = 0; m < k; m++) {
            double dot = x[0] * corner[3 * m] + x[1] * corner[3 * m + 1] + x[2] * corner[3 * m + 2];
            is_near = is_near || dot > 0.875 * size; // |x - y| < 1/2
        }
        for (int d = 0; d < 3 && !is_near; d++) {
            corner[3 * k + d] = size * x[d];
        }
        k += !is_near;
    }
}

// One grain with its centre at x y z, in the plane at x y.
static cn_status add_grain(cn_world *w, cn_grain grain, const double at[3], uint64_t *random,
                           cn_error *err)
{
    double size = radius * (1.0 - 0.1 * draw(random)), corner[3 * CORNERS];
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = size};
    cn_solid_def solid = {.kind = CN_SOLID_SPHERE, .radius = size};
    cn_body_def def = {.density = density, .at = {at[0], at[1], at[2]}};
    if (grain == CN_GRAIN_HULL) {
        draw_corners(random, size, corner);
        solid = (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = CORNERS, .point = corner};
    }
    if (grain == CN_GRAIN_DISK) {
        def.shapes = (cn_shape_parts){1, &disk};
    } else {
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){1, &solid};
    }
    return cn_body_add(w, &def, NULL, err);
}

// Layers of `columns` (squared) grains, every other one shifted by half a grain.
static cn_status add_grains(const cn_packing_def *def, cn_world *w, int columns, cn_error *err)
{
    bool is_plane = def->grain == CN_GRAIN_DISK;
    int layer = is_plane ? columns : columns * columns;
    double pitch = 2.0 * radius, rise = pitch * (is_plane ? sqrt(0.75) : sqrt(0.5));
    rise = def->grain == CN_GRAIN_HULL ? pitch : rise;
    uint64_t random = def->seed;
    for (int k = 0; k < def->count; k++) {
        int level = k / layer, column = k % columns, row = k / columns % columns;
        double shift = def->grain != CN_GRAIN_HULL && level % 2 == 1 ? 0.5 : 0.0;
        double x = pitch * (column + 0.5 + shift), z = radius + rise * level;
        const double at[3] = {x, is_plane ? z : pitch * (row + 0.5 + shift), is_plane ? 0.0 : z};
        TRY(add_grain(w, def->grain, at, &random, err));
    }
    return CN_OK;
}

static cn_status run(const cn_packing_def *def, cn_world *w, cn_error *err)
{
    bool is_plane = def->grain == CN_GRAIN_DISK;
    // A flowing column is twice as high as wide, a settled one as high as wide.
    double share = def->is_flowing ? 0.5 : 1.0;
    int columns = (int)ceil(is_plane ? sqrt(share * def->count) : cbrt(share * def->count));
    TRY(add_walls(def, w, 2.0 * radius * (columns + 0.5), err));
    TRY(add_grains(def, w, columns, err));
    for (int k = 0; k < def->steps; k++) {
        TRY(cn_world_step(w, step, err));
    }
    return CN_OK;
}

cn_status cn_packing_make(const cn_packing_def *def, cn_world **world, cn_error *err)
{
    *world = NULL;
    cn_status status = create(def, world, err);
    status = status == CN_OK ? run(def, *world, err) : status;
    if (status != CN_OK) {
        cn_world_destroy(*world);
        *world = NULL;
    }
    return status;
}
