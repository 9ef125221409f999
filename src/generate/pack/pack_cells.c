// generate/pack/pack_cells.c -- balls of a packing in their grid of cells, and the region that
// holds them.
#include <math.h>

#include "base/memory.h"
#include "generate/pack/pack.h"

#define TOUCH 1e-12 // relative overlap that counts as a touch

cn_vec3 cn_region_sides(const cn_region *region, int dim)
{
    if (region->kind == CN_REGION_BOX) {
        return cn_v3(region->box[0], region->box[1], dim == 2 ? 0.0 : region->box[2]);
    }
    double across = 2.0 * region->radius, along = region->length;
    if (dim == 2) {
        return cn_v3(across, across, 0.0);
    }
    return cn_v3(region->axis == CN_REGION_AXIS_X ? along : across,
                 region->axis == CN_REGION_AXIS_Y ? along : across,
                 region->axis == CN_REGION_AXIS_Z ? along : across);
}

// A cylinder in coordinates whose z is its axis.
static cn_vec3 along_axis(const cn_region *region, cn_vec3 x)
{
    return region->axis == CN_REGION_AXIS_X   ? cn_v3(x.y, x.z, x.x)
           : region->axis == CN_REGION_AXIS_Y ? cn_v3(x.z, x.x, x.y)
                                              : x;
}

bool cn_region_holds(const cn_region *region, int dim, cn_vec3 x, double radius)
{
    if (region->kind == CN_REGION_BOX) {
        double slack = TOUCH * fmax(region->box[0], fmax(region->box[1], region->box[2]));
        return fabs(x.x) + radius <= 0.5 * region->box[0] + slack &&
               fabs(x.y) + radius <= 0.5 * region->box[1] + slack &&
               (dim == 2 || fabs(x.z) + radius <= 0.5 * region->box[2] + slack);
    }
    if (dim == 3) {
        x = along_axis(region, x);
        double slack = TOUCH * fmax(region->length, region->radius);
        if (!(fabs(x.z) + radius <= 0.5 * region->length + slack)) {
            return false;
        }
    }
    double distance = cn_norm2(cn_v2(x.x, x.y)), slack = TOUCH * region->radius;
    bool is_outside_hole =
        region->kind == CN_REGION_DISK || distance - radius >= region->inner - slack;
    return is_outside_hole && distance + radius <= region->radius + slack;
}

static int cell_of(double x, double corner, double cell, int count)
{
    int k = (int)((x - corner) / cell);
    return k < 0 ? 0 : k >= count ? count - 1 : k;
}

// Cell of a point as column, row and layer.
static void find_cell(const cn_balls *c, cn_vec3 x, int cell[3])
{
    cell[0] = cell_of(x.x, c->corner.x, c->cell, c->columns);
    cell[1] = cell_of(x.y, c->corner.y, c->cell, c->rows);
    cell[2] = cell_of(x.z, c->corner.z, c->cell, c->layers);
}

static int *first_of(const cn_balls *c, int column, int row, int layer)
{
    return &c->first[((size_t)layer * (size_t)c->rows + (size_t)row) * (size_t)c->columns +
                     (size_t)column];
}

static bool cell_is_free(const cn_balls *c, int first, cn_vec3 x, double radius)
{
    for (int k = first; k >= 0; k = c->next[k]) {
        cn_vec3 d = cn_sub3(c->centre[k], x);
        double reach = (radius + c->radius[k]) * (1.0 - TOUCH);
        if (cn_dot3(d, d) < reach * reach) {
            return false;
        }
    }
    return true;
}

static int at_least_0(int k)
{
    return k > 0 ? k : 0;
}

bool cn_balls_is_free(const cn_balls *c, cn_vec3 x, double radius)
{
    int cell[3];
    find_cell(c, x, cell);
    for (int l = at_least_0(cell[2] - 1); l <= cell[2] + 1 && l < c->layers; l++) {
        for (int j = at_least_0(cell[1] - 1); j <= cell[1] + 1 && j < c->rows; j++) {
            for (int i = at_least_0(cell[0] - 1); i <= cell[0] + 1 && i < c->columns; i++) {
                if (!cell_is_free(c, *first_of(c, i, j, l), x, radius)) {
                    return false;
                }
            }
        }
    }
    return true;
}

void cn_balls_put(cn_balls *c, int k, cn_vec3 x)
{
    int cell[3];
    find_cell(c, x, cell);
    int *first = first_of(c, cell[0], cell[1], cell[2]);
    c->centre[k] = x;
    c->next[k] = *first;
    *first = k;
    c->placed_count++;
}

void cn_balls_clear(cn_balls *c)
{
    size_t cell_count = (size_t)c->columns * (size_t)c->rows * (size_t)c->layers;
    for (size_t k = 0; k < cell_count; k++) {
        c->first[k] = -1;
    }
    for (int k = 0; k < c->count; k++) {
        c->centre[k] = cn_v3(NAN, NAN, NAN);
        c->next[k] = -1;
    }
    c->placed_count = 0;
}

void cn_balls_free(cn_balls *c)
{
    CN_RELEASE(c->radius, c->centre, c->first, c->next);
}

static double cells_along(double side, double cell)
{
    return fmax(1.0, ceil(side / cell));
}

static double cells_in(cn_vec3 side, double cell)
{
    return cells_along(side.x, cell) * cells_along(side.y, cell) * cells_along(side.z, cell);
}

// Side of a cell such that not many more cells than balls fit in a box, be it flat or slender.
static double cell_least(cn_vec3 side, int dim, double count)
{
    double wanted = 4.0 * count + 16.0;
    double cell =
        dim == 2 ? sqrt(side.x * side.y / wanted) : cbrt(side.x * side.y * side.z / wanted);
    while (cells_in(side, cell) > 16.0 * wanted) {
        cell *= 2.0;
    }
    return cell;
}

cn_status cn_balls_make(cn_balls *c, cn_error *err)
{
    size_t none = 0;
    CN_TRY(cn_reserve(NULL, &c->centre, &none, (size_t)c->count, err));
    none = 0;
    CN_TRY(cn_reserve(NULL, &c->next, &none, (size_t)c->count, err));
    cn_vec3 side = cn_region_sides(&c->region, c->dim);
    c->cell = fmax(2.0 * c->radius_most * (1.0 + TOUCH), cell_least(side, c->dim, c->count));
    c->corner = cn_mul3(-0.5, side);
    c->columns = (int)cells_along(side.x, c->cell);
    c->rows = (int)cells_along(side.y, c->cell);
    c->layers = (int)cells_along(side.z, c->cell);
    none = 0;
    CN_TRY(cn_reserve(NULL, &c->first, &none,
                      (size_t)c->columns * (size_t)c->rows * (size_t)c->layers, err));
    cn_balls_clear(c);
    return CN_OK;
}
