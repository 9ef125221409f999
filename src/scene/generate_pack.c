// scene/generate_pack.c -- random grains in a region, without overlap.
//
// Sizes are drawn first, until the wanted count or fill is reached; then the circles that hold the
// grains are placed by one of three methods; then the grains are drawn again and put into their
// circles. The fill counts the true area of the grains.
#include "scene/generate_pack.h"
#include "base/memory.h"
#include "scene/generate_fields.h"
#include "scene/generate_grain.h"

#include <stdio.h>

#define TOUCH 1e-12 // relative overlap that counts as a touch

static const char *const method_name[] = {"auto", "random", "lattice", "dense"};

// ---- circles in their grid of cells ------------------------------------------------------------

bool cn_region_holds(const cn_region *region, cn_vec2 x, double radius)
{
    if (region->kind == CN_REGION_BOX) {
        double slack = TOUCH * fmax(region->box[0], region->box[1]);
        return fabs(x.x) + radius <= 0.5 * region->box[0] + slack &&
               fabs(x.y) + radius <= 0.5 * region->box[1] + slack;
    }
    double distance = cn_norm2(x), slack = TOUCH * region->radius;
    bool is_outside_hole =
        region->kind == CN_REGION_DISK || distance - radius >= region->inner - slack;
    return is_outside_hole && distance + radius <= region->radius + slack;
}

static int cell_of(double x, double corner, double cell, int count)
{
    int k = (int)((x - corner) / cell);
    return k < 0 ? 0 : k >= count ? count - 1 : k;
}

bool cn_circles_is_free(const cn_circles *c, cn_vec2 x, double radius)
{
    int column = cell_of(x.x, c->corner.x, c->cell, c->columns);
    int row = cell_of(x.y, c->corner.y, c->cell, c->rows);
    for (int j = row > 0 ? row - 1 : 0; j <= row + 1 && j < c->rows; j++) {
        for (int i = column > 0 ? column - 1 : 0; i <= column + 1 && i < c->columns; i++) {
            for (int k = c->first[j * c->columns + i]; k >= 0; k = c->next[k]) {
                cn_vec2 d = cn_sub2(c->centre[k], x);
                double reach = (radius + c->radius[k]) * (1.0 - TOUCH);
                if (cn_dot2(d, d) < reach * reach) {
                    return false;
                }
            }
        }
    }
    return true;
}

void cn_circles_put(cn_circles *c, int k, cn_vec2 x)
{
    int column = cell_of(x.x, c->corner.x, c->cell, c->columns);
    int row = cell_of(x.y, c->corner.y, c->cell, c->rows);
    int *first = &c->first[row * c->columns + column];
    c->centre[k] = x;
    c->next[k] = *first;
    *first = k;
    c->placed_count++;
}

void cn_circles_clear(cn_circles *c)
{
    for (int k = 0; k < c->columns * c->rows; k++) {
        c->first[k] = -1;
    }
    for (int k = 0; k < c->count; k++) {
        c->centre[k] = cn_v2(NAN, NAN);
        c->next[k] = -1;
    }
    c->placed_count = 0;
}

static void free_circles(cn_circles *c)
{
    cn_release(NULL, c->radius);
    cn_release(NULL, c->centre);
    cn_release(NULL, c->first);
    cn_release(NULL, c->next);
}

// Cells are at least the largest diameter wide and not many more than there are circles.
static cn_status make_cells(cn_circles *c, cn_error *err)
{
    size_t none = 0;
    CN_TRY(cn_reserve(NULL, &c->centre, &none, (size_t)c->count, err));
    none = 0;
    CN_TRY(cn_reserve(NULL, &c->next, &none, (size_t)c->count, err));
    bool is_box = c->region.kind == CN_REGION_BOX;
    double width = is_box ? c->region.box[0] : 2.0 * c->region.radius;
    double height = is_box ? c->region.box[1] : 2.0 * c->region.radius;
    double cell_least = sqrt(width * height / (4.0 * c->count + 16.0));
    c->cell = fmax(2.0 * c->radius_most * (1.0 + TOUCH), cell_least);
    c->corner = cn_v2(-0.5 * width, -0.5 * height);
    c->columns = (int)fmin(ceil(width / c->cell), CN_PIECES_MAX);
    c->rows = (int)fmin(ceil(height / c->cell), CN_PIECES_MAX);
    none = 0;
    CN_TRY(cn_reserve(NULL, &c->first, &none, (size_t)c->columns * (size_t)c->rows, err));
    cn_circles_clear(c);
    return CN_OK;
}

// ---- what is asked for -------------------------------------------------------------------------

static double region_area(const cn_region *region)
{
    if (region->kind == CN_REGION_BOX) {
        return region->box[0] * region->box[1];
    }
    double hole = region->kind == CN_REGION_ANNULUS ? region->inner : 0.0;
    return CN_PI * (region->radius * region->radius - hole * hole);
}

static cn_status check_region(const cn_region *region, cn_error *err)
{
    switch (region->kind) {
    case CN_REGION_BOX:
        CN_TRY(cn_check_length("width of the region", region->box[0], err));
        return cn_check_length("height of the region", region->box[1], err);
    case CN_REGION_DISK:
        return cn_check_length("radius of the region", region->radius, err);
    case CN_REGION_ANNULUS:
        CN_TRY(cn_check_length("inner radius of the region", region->inner, err));
        CN_TRY(cn_check_length("radius of the region", region->radius, err));
        if (!(region->inner < region->radius)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "annulus: inner radius %g m must be less than radius %g m",
                           region->inner, region->radius);
        }
        return CN_OK;
    default:
        return cn_fail(err, CN_BAD_INPUT, "the region to pack grains into is not given");
    }
}

static cn_status check(const cn_pack_def *def, cn_error *err)
{
    CN_TRY(check_region(&def->inside, err));
    CN_TRY(cn_grain_check(&def->shape, err));
    CN_TRY(cn_check_seed(def->seed, err));
    if (!(def->gap >= 0.0 && def->gap <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "pack gap must be at least 0 m, got %g", def->gap);
    }
    if ((def->count > 0) != isnan(def->fill)) {
        return cn_fail(err, CN_BAD_INPUT, "a pack takes either count or fill, %s",
                       def->count > 0 ? "both are given" : "neither is given");
    }
    if (def->count > 0) {
        return cn_check_count("count of a pack", def->count, err);
    }
    if (!(def->fill > 0.0 && def->fill <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "fill must be between 0 and 1, got %g", def->fill);
    }
    return CN_OK;
}

// The region less half a gap along its walls. A grain that cannot fit is found here.
static cn_status shrink_region(const cn_pack_def *def, cn_circles *c, cn_error *err)
{
    double half = 0.5 * def->gap, most = cn_grain_bound_most(&def->shape) + half;
    cn_region region = def->inside;
    region.at[0] = region.at[1] = 0.0;
    region.box[0] -= 2.0 * half;
    region.box[1] -= 2.0 * half;
    region.radius -= half;
    region.inner += half;
    double room = region.kind == CN_REGION_BOX    ? 0.5 * fmin(region.box[0], region.box[1])
                  : region.kind == CN_REGION_DISK ? region.radius
                                                  : 0.5 * (region.radius - region.inner);
    if (!(room >= most)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "grains of radius %g m and gap %g m do not fit: the region has room for a "
                       "radius of %g m; take smaller grains or a larger region",
                       most - half, def->gap, fmax(room - half, 0.0));
    }
    c->region = region;
    c->radius_most = most;
    return CN_OK;
}

// Draws sizes until count or fill is reached; *area is the sum of the areas of the grains.
static cn_status draw_sizes(const cn_pack_def *def, cn_circles *c, double *area, cn_error *err)
{
    double wanted = def->count > 0 ? INFINITY : def->fill * region_area(&def->inside);
    size_t capacity = 0;
    *area = 0.0;
    for (int k = 0; def->count > 0 ? k < def->count : *area < wanted; k++) {
        cn_grain grain;
        cn_grain_draw(&def->shape, (uint64_t)def->seed, (uint64_t)k, &grain);
        if (k > 0 && *area + 0.5 * grain.area > wanted) {
            break;
        }
        CN_TRY(cn_check_count("grains of a pack", k + 1.0, err));
        CN_TRY(cn_reserve(NULL, &c->radius, &capacity, (size_t)k + 1, err));
        c->radius[k] = grain.bound + 0.5 * def->gap;
        c->count = k + 1;
        *area += grain.area;
    }
    return CN_OK;
}

// ---- placing -----------------------------------------------------------------------------------

static cn_status place(const cn_pack_def *def, cn_circles *c, int *method, cn_error *err)
{
    int first = def->method == CN_PACK_AUTO ? CN_PACK_RANDOM : def->method;
    int last = def->method == CN_PACK_AUTO ? CN_PACK_DENSE : def->method;
    for (*method = first;; ++*method) {
        cn_circles_clear(c);
        if (*method == CN_PACK_RANDOM) {
            CN_TRY(cn_pack_random(c, (uint64_t)def->seed, err));
        } else if (*method == CN_PACK_LATTICE) {
            CN_TRY(cn_pack_lattice(c, (uint64_t)def->seed, err));
        } else {
            CN_TRY(cn_pack_dense(c, err));
        }
        if (c->placed_count == c->count || *method == last) {
            return CN_OK;
        }
    }
}

static double placed_area(const cn_pack_def *def, const cn_circles *c)
{
    double area = 0.0;
    for (int k = 0; k < c->count; k++) {
        if (!isnan(c->centre[k].x)) {
            cn_grain grain;
            cn_grain_draw(&def->shape, (uint64_t)def->seed, (uint64_t)k, &grain);
            area += grain.area;
        }
    }
    return area;
}

static cn_status not_reached(const cn_pack_def *def, const cn_circles *c, double area, int method,
                             cn_error *err)
{
    double room = region_area(&def->inside);
    const char *remedy = method == CN_PACK_RANDOM || method == CN_PACK_LATTICE
                             ? "method: dense packs closer"
                             : "a smaller fill or count, a larger region or a smaller gap would do";
    return cn_fail(err, CN_BAD_INPUT,
                   "pack: %d of %d grains fit (%s), fill %.3f of %.3f asked for; %s",
                   c->placed_count, c->count, method_name[method], placed_area(def, c) / room,
                   area / room, remedy);
}

static cn_status add_grains(const cn_pack_def *def, const cn_circles *c, cn_pieces *pieces,
                            cn_error *err)
{
    for (int k = 0; k < c->count; k++) {
        cn_grain grain;
        cn_grain_draw(&def->shape, (uint64_t)def->seed, (uint64_t)k, &grain);
        int index[2] = {1, k + 1};
        double angle = grain.kind == CN_SHAPE_DISK ? 0.0 : grain.turn;
        CN_TRY(cn_grain_add(&grain, def->inside.at[0] + c->centre[k].x,
                            def->inside.at[1] + c->centre[k].y, angle, index, pieces, err));
    }
    return CN_OK;
}

static cn_status pack(const cn_pack_def *def, cn_circles *c, cn_pieces *pieces, cn_error *err)
{
    double area = 0.0;
    int method = 0;
    CN_TRY(shrink_region(def, c, err));
    CN_TRY(draw_sizes(def, c, &area, err));
    CN_TRY(make_cells(c, err));
    CN_TRY(place(def, c, &method, err));
    if (c->placed_count < c->count) {
        return not_reached(def, c, area, method, err);
    }
    snprintf(pieces->note, sizeof pieces->note, "%d grains fill %.4f of the region (method %s)",
             c->count, area / region_area(&def->inside), method_name[method]);
    return add_grains(def, c, pieces, err);
}

cn_status cn_generate_pack(const cn_pack_def *def, cn_pieces *pieces, cn_error *err)
{
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    cn_circles circles = {0};
    cn_status status = pack(def, &circles, pieces, err);
    free_circles(&circles);
    return status;
}

cn_status cn_region_from_shape(const cn_shape_def *shape, const double at[2], cn_region *region,
                               cn_error *err)
{
    if (shape->kind != CN_SHAPE_HOLLOW_DISK) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s has no inside to pack grains into; name a hollow_disk or give a box, "
                       "disk or annulus",
                       cn_shape_kind_name(shape->kind));
    }
    *region = (cn_region){.kind = CN_REGION_DISK, .radius = shape->radius, .at = {at[0], at[1]}};
    return CN_OK;
}

// ---- description -------------------------------------------------------------------------------

static cn_status make(const void *def, cn_pieces *pieces, cn_error *err)
{
    return cn_generate_pack(def, pieces, err);
}

static const cn_field box_fields[] = {
    {CN_FIELD(cn_region, box, CN_FIELD_PAIR, "m", "width and height", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
};
static const cn_field disk_fields[] = {
    {CN_LENGTH_FIELD(cn_region, radius, "radius")},
};
static const cn_field annulus_fields[] = {
    {CN_LENGTH_FIELD(cn_region, inner, "inner radius")},
    {CN_LENGTH_FIELD(cn_region, radius, "outer radius")},
};
static const cn_variant region_variants[] = {
    {"box", "[width, height], centred on the origin", true, CN_COUNT_OF(box_fields), box_fields},
    {"disk", "a disk", false, CN_COUNT_OF(disk_fields), disk_fields},
    {"annulus", "between two circles", false, CN_COUNT_OF(annulus_fields), annulus_fields},
};

static const cn_field fields[] = {
    {CN_FIELD(cn_pack_def, inside, CN_FIELD_ONE_OF, "-",
              "region to fill, or the name of a hollow body", 0.0, 0.0, NAN, NULL),
     .is_region = true, .variant_count = CN_COUNT_OF(region_variants), .variant = region_variants},
    {CN_FIELD(cn_pack_def, shape, CN_FIELD_ONE_OF, "-", "shape and sizes of the grains", 0.0, 0.0,
              NAN, NULL),
     .variant_count = CN_GRAIN_VARIANT_COUNT, .variant = cn_grain_variants},
    {CN_COUNT_FIELD(cn_pack_def, count, "number of grains; or give fill"), .is_optional = true},
    {CN_FIELD(cn_pack_def, fill, CN_FIELD_NUMBER, "-",
              "area of the grains over area of the region; or give count", 1e-9, 1.0, NAN, NULL),
     .is_optional = true},
    {CN_GAP_FIELD(cn_pack_def, gap, "least distance between grains and to the walls")},
    {CN_FIELD(cn_pack_def, method, CN_FIELD_WORD, "-",
              "random: anywhere, loose; lattice: near a triangular lattice; dense: from the lowest "
              "place up, touching; auto: the first of these that fits",
              0.0, 3.0, CN_PACK_AUTO, "auto random lattice dense")},
    {CN_SEED_FIELD(cn_pack_def)},
};

const cn_generator cn_pack_generator = {
    .name = "pack",
    .help = "random grains in a region, without overlap; pack[k] in the order they were drawn",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_pack_def),
    .make = make,
};
