// fem/mesh/block_plans.c -- the blocks of each kind of volume and how they are mapped.
//
// Round volumes have a square (cubic) core, bulged half way to a circle, and one block from each of
// its sides to the rim: no cell degenerates, and cells of one volume have similar sizes.
#include <math.h>
#include <string.h>

#include "fem/mesh/mesh_blocks.h"

static const double PI = 3.14159265358979323846;
static const double CORE = 0.5; // radius of the corners of the core over that of the rim

static cn_status need_length(const char *kind, const char *what, double value, cn_error *err)
{
    return value > 0.0 && isfinite(value)
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "%s: %s must be > 0 m, got %g", kind, what, value);
}

// Cells along a length: as given, or such that their edges are about `cell_size` long.
static int cells_along(const cn_volume_def *def, int k, double length)
{
    if (!(def->cell_size > 0.0)) {
        return def->cells[k];
    }
    double count = ceil(length / def->cell_size - 1e-9);
    return count < 1.0 ? 1 : (int)fmin(count, CN_VOLUME_CELL_MAX);
}

// ---- box

static void map_box(const cn_volume_def *def, int block, const double u[3], double x[3])
{
    (void)block;
    for (int d = 0; d < 3; d++) {
        x[d] = (u[d] - 0.5) * def->size[d];
    }
}

static cn_status plan_box(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err)
{
    cn_volume_block *b = &plan->block[0];
    plan->block_count = 1;
    plan->map = map_box;
    for (int d = 0; d < plan->dim; d++) {
        CN_TRY(need_length("box", "its size", def->size[d], err));
        b->cells[d] = cells_along(def, d, def->size[d]);
    }
    const char *plane[] = {"left", "right", "bottom", "top"};
    const char *space[] = {"left", "right", "front", "back", "bottom", "top"};
    memcpy(b->side, plan->dim == 2 ? plane : space, plan->dim == 2 ? sizeof plane : sizeof space);
    return CN_OK;
}

// ---- plate with a round lower edge (Feng et al. 2006)

static void map_plate(const cn_volume_def *def, int block, const double u[3], double x[3])
{
    (void)block;
    double R = def->radius, half = 0.5 * def->size[0];
    double across = (2.0 * u[0] - 1.0) * half;
    double bottom = R - sqrt(R * R - across * across); // height of the arc above its lowest point
    x[0] = across;
    x[1] = bottom + u[1] * (def->size[1] - bottom);
    x[2] = 0.0;
}

static cn_status plan_plate(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err)
{
    CN_TRY(need_length("plate", "its width", def->size[0], err));
    CN_TRY(need_length("plate", "its height", def->size[1], err));
    CN_TRY(need_length("plate", "the radius of its lower edge", def->radius, err));
    double half = 0.5 * def->size[0], R = def->radius;
    if (!(half < R) || !(R - sqrt(R * R - half * half) < def->size[1])) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "plate: an arc of radius %g m does not fit under a width of %g m and a height "
            "of %g m; choose a larger radius",
            R, def->size[0], def->size[1]);
    }
    plan->block_count = 1;
    plan->map = map_plate;
    plan->block[0] = (cn_volume_block){
        .cells = {cells_along(def, 0, def->size[0]), cells_along(def, 1, def->size[1])},
        .side = {"left", "right", "bottom", "top"}};
    return CN_OK;
}

// ---- annulus

static void map_annulus(const cn_volume_def *def, int block, const double u[3], double x[3])
{
    (void)block;
    double angle = 2.0 * PI * u[0], r = def->radius + u[1] * (def->inner_radius - def->radius);
    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
    x[2] = 0.0;
}

static cn_status plan_annulus(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err)
{
    CN_TRY(need_length("annulus", "its radius", def->radius, err));
    CN_TRY(need_length("annulus", "its inner radius", def->inner_radius, err));
    if (!(def->inner_radius < def->radius)) {
        return cn_fail(err, CN_BAD_INPUT, "annulus: inner radius %g m is not below its radius %g m",
                       def->inner_radius, def->radius);
    }
    int around = cells_along(def, 0, PI * (def->radius + def->inner_radius));
    plan->block_count = 1;
    plan->map = map_annulus;
    plan->block[0] =
        (cn_volume_block){.cells = {around < 3 && def->cell_size > 0.0 ? 3 : around,
                                    cells_along(def, 1, def->radius - def->inner_radius)},
                          .side = {NULL, NULL, "outer", "inner"}};
    if (around < 3 && !(def->cell_size > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "annulus: at least 3 cells go around, got %d", around);
    }
    return CN_OK;
}

// ---- round volumes: a core and a block from each of its sides to the rim

// Point s of [-1, 1]^dim of the core. Its sides are half way between planes and the ball through
// its corners.
static void core_point(const cn_volume_def *def, int dim, const double s[3], double x[3])
{
    double largest = 0.0, length = 0.0;
    for (int d = 0; d < dim; d++) {
        largest = fmax(largest, fabs(s[d]));
        length += s[d] * s[d];
    }
    length = sqrt(length);
    double corner = CORE * def->radius; // distance of the corners
    for (int d = 0; d < dim; d++) {
        double flat = s[d] * corner / sqrt((double)dim);
        double round = length > 0.0 ? s[d] * largest * corner / length : 0.0;
        x[d] = 0.5 * (flat + round);
    }
}

// The point of the rim in the direction of a point of the side of the core.
static void rim_point(const cn_volume_def *def, int dim, const double s[3], double x[3])
{
    // Directions by tangents of equal angles, so that cells of the rim have equal sizes.
    double length = 0.0;
    for (int d = 0; d < dim; d++) {
        x[d] = tan(0.25 * PI * s[d]);
        length += x[d] * x[d];
    }
    for (int d = 0; d < dim; d++) {
        x[d] *= def->radius / sqrt(length);
    }
}

// Block 0 is the core; block n > 0 lies on side (n - 1) of it: axis (n - 1) / 2, positive if n is
// even. The last coordinate of such a block runs inwards or outwards so that volumes are positive.
static void map_round(const cn_volume_def *def, int dim, int block, const double u[3], double x[3])
{
    double s[3] = {0.0, 0.0, 0.0}, inner[3], outer[3];
    if (block == 0) {
        for (int d = 0; d < dim; d++) {
            s[d] = 2.0 * u[d] - 1.0;
        }
        core_point(def, dim, s, x);
        return;
    }
    int axis = (block - 1) / 2;
    double sign = block % 2 == 0 ? 1.0 : -1.0;
    // (axis, next, after) is a right-handed frame; the block runs along (next, after, out) on the
    // positive side and with `next` turned around on the negative one.
    s[axis] = sign;
    s[(axis + 1) % dim] = (2.0 * u[0] - 1.0) * (dim == 2 ? (axis == 0 ? sign : -sign) : sign);
    if (dim == 3) {
        s[(axis + 2) % 3] = 2.0 * u[1] - 1.0;
    }
    // In the plane (along, inward) is right-handed, in space (next, after, out).
    double t = dim == 2 ? 1.0 - u[1] : u[2];
    core_point(def, dim, s, inner);
    rim_point(def, dim, s, outer);
    for (int d = 0; d < dim; d++) {
        x[d] = (1.0 - t) * inner[d] + t * outer[d];
    }
}

static void map_disk(const cn_volume_def *def, int block, const double u[3], double x[3])
{
    map_round(def, 2, block, u, x);
    x[2] = 0.0;
}

static void map_cylinder(const cn_volume_def *def, int block, const double u[3], double x[3])
{
    map_round(def, 2, block, u, x);
    x[2] = (u[2] - 0.5) * def->length;
}

static void map_sphere(const cn_volume_def *def, int block, const double u[3], double x[3])
{
    map_round(def, 3, block, u, x);
}

// Cells of the core along its side, and from there to the rim.
static void round_cells(const cn_volume_def *def, int cells[2])
{
    cells[0] = cells_along(def, 0, 0.5 * PI * def->radius * 0.75);
    cells[1] = cells_along(def, 1, 0.55 * def->radius);
}

static cn_status plan_disk(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err)
{
    bool is_solid = def->kind == CN_VOLUME_CYLINDER;
    CN_TRY(need_length(cn_volume_kind_name(def->kind), "its radius", def->radius, err));
    if (is_solid) {
        CN_TRY(need_length("cylinder", "its length", def->length, err));
    }
    int cells[2], up = is_solid ? cells_along(def, 2, def->length) : 0;
    round_cells(def, cells);
    plan->block_count = 5;
    plan->map = is_solid ? map_cylinder : map_disk;
    for (int n = 0; n < 5; n++) {
        plan->block[n] = (cn_volume_block){.cells = {cells[0], n == 0 ? cells[0] : cells[1], up},
                                           .side = {NULL, NULL, n > 0 ? "outer" : NULL}};
        plan->block[n].side[4] = is_solid ? "bottom" : NULL;
        plan->block[n].side[5] = is_solid ? "top" : NULL;
    }
    return CN_OK;
}

static cn_status plan_sphere(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err)
{
    CN_TRY(need_length("sphere", "its radius", def->radius, err));
    if (def->element == CN_WEDGE6) { // triangles of one block would meet quadrangles of the next
        return cn_fail(err, CN_BAD_INPUT,
                       "sphere: wedge6 elements do not fit; use hex or tet ones");
    }
    int cells[2];
    round_cells(def, cells);
    plan->block_count = 7;
    plan->map = map_sphere;
    for (int n = 0; n < 7; n++) {
        plan->block[n] =
            (cn_volume_block){.cells = {cells[0], cells[0], n == 0 ? cells[0] : cells[1]}};
        plan->block[n].side[5] = n > 0 ? "outer" : NULL;
    }
    return CN_OK;
}

// ---- table

typedef struct kind_row {
    const char *name;
    int dim; // 0: both
    cn_status (*plan)(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err);
} kind_row;

static const kind_row kinds[CN_VOLUME_KIND_COUNT] = {
    [CN_VOLUME_BOX] = {"box", 0, plan_box},
    [CN_VOLUME_ANNULUS] = {"annulus", 2, plan_annulus},
    [CN_VOLUME_DISK] = {"disk", 2, plan_disk},
    [CN_VOLUME_CYLINDER] = {"cylinder", 3, plan_disk},
    [CN_VOLUME_SPHERE] = {"sphere", 3, plan_sphere},
    [CN_VOLUME_PLATE] = {"plate", 2, plan_plate},
};

const char *cn_volume_kind_name(cn_volume_kind kind)
{
    return (unsigned)kind < CN_VOLUME_KIND_COUNT ? kinds[kind].name : NULL;
}

static cn_status check_cells(const cn_volume_def *def, const cn_volume_plan *plan, cn_error *err)
{
    double total = 0.0;
    for (int n = 0; n < plan->block_count; n++) {
        double cells = 1.0;
        for (int d = 0; d < plan->dim; d++) {
            if (plan->block[n].cells[d] < 1) {
                return cn_fail(err, CN_BAD_INPUT,
                               "%s: give the size of cells, or at least one cell along each axis",
                               kinds[def->kind].name);
            }
            cells *= plan->block[n].cells[d];
        }
        total += cells;
    }
    if (total > CN_VOLUME_CELL_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %.3g cells are more than %d; make cells larger",
                       kinds[def->kind].name, total, CN_VOLUME_CELL_MAX);
    }
    return CN_OK;
}

cn_status cn_volume_plan_make(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err)
{
    if ((unsigned)def->kind >= CN_VOLUME_KIND_COUNT || (unsigned)def->element >= CN_ELEMENT_COUNT) {
        return cn_fail(err, CN_BAD_INPUT, "there is no volume of kind %d or element of type %d",
                       (int)def->kind, (int)def->element);
    }
    const kind_row *kind = &kinds[def->kind];
    *plan = (cn_volume_plan){.dim = cn_element_dim(def->element)};
    if (kind->dim != 0 && kind->dim != plan->dim) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s elements fill %s; choose others", kind->name,
                       cn_element_name(def->element), plan->dim == 2 ? "a plane" : "space");
    }
    if (def->is_crossed && def->element != CN_TRI3) {
        return cn_fail(err, CN_BAD_INPUT, "%s: only tri3 elements can be crossed", kind->name);
    }
    CN_TRY(kind->plan(def, plan, err));
    return check_cells(def, plan, err);
}
