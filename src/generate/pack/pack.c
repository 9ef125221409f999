// generate/pack/pack.c -- random grains in a region, without overlap.
//
// Sizes are drawn first, until the wanted count or fill is reached; then the balls (in the plane
// circles) that hold the grains are placed by one of three methods; then the grains are drawn again
// and put into their balls. The fill counts the true area or volume of the grains, called content.
#include "generate/pack/pack.h"
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/pack/grain.h"

#include <stdio.h>

static const char *const method_name[] = {"auto", "random", "lattice", "dense"};

// ---- what is asked for -------------------------------------------------------------------------

// What the two dimensions do differently: content of a region, check, sizes and places of grains.

// Area, in space volume.
static double region_content(const cn_region *region, int dim)
{
    double depth = dim == 2 ? 1.0 : region->kind == CN_REGION_BOX ? region->box[2] : region->length;
    if (region->kind == CN_REGION_BOX) {
        return region->box[0] * region->box[1] * depth;
    }
    double hole = region->kind == CN_REGION_ANNULUS ? region->inner : 0.0;
    return CN_PI * (region->radius * region->radius - hole * hole) * depth;
}

static cn_status check_region(const cn_region *region, int dim, cn_error *err)
{
    switch (region->kind) {
    case CN_REGION_BOX:
        CN_TRY(cn_check_length("width of the region", region->box[0], err));
        if (dim == 3) {
            CN_TRY(cn_check_length("depth of the region", region->box[1], err));
        }
        return cn_check_length("height of the region", region->box[dim - 1], err);
    case CN_REGION_DISK:
        if (dim == 3) {
            CN_TRY(cn_check_length("length of the region", region->length, err));
        }
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

// Radius of the ball that holds grain k, and its area or volume.
static cn_status measure_grain(const cn_pack_def *def, int dim, int k, double *bound,
                               double *content, cn_error *err)
{
    uint64_t seed = (uint64_t)def->seed;
    if (dim == 3) {
        cn_grain3 grain;
        CN_TRY(cn_grain3_draw(&def->solid, seed, (uint64_t)k, &grain, err));
        *bound = grain.bound;
        *content = grain.volume;
        return CN_OK;
    }
    cn_grain grain;
    cn_grain_draw(&def->shape, seed, (uint64_t)k, &grain);
    *bound = grain.bound;
    *content = grain.area;
    return CN_OK;
}

static cn_status add_grain(const cn_pack_def *def, int k, cn_vec3 x, cn_pieces *pieces,
                           cn_error *err)
{
    const int index[2] = {1, k + 1};
    const double *centre = def->inside.at;
    uint64_t seed = (uint64_t)def->seed;
    if (cn_pieces_dim(pieces) == 3) {
        const double at[3] = {centre[0] + x.x, centre[1] + x.y, centre[2] + x.z};
        cn_grain3 grain;
        CN_TRY(cn_grain3_draw(&def->solid, seed, (uint64_t)k, &grain, err));
        return cn_grain3_add(&grain, at, true, index, pieces, err);
    }
    cn_grain grain;
    cn_grain_draw(&def->shape, seed, (uint64_t)k, &grain);
    double angle = grain.kind == CN_SHAPE_DISK ? 0.0 : grain.turn;
    return cn_grain_add(&grain, centre[0] + x.x, centre[1] + x.y, angle, index, pieces, err);
}

static cn_status check(const cn_pack_def *def, int dim, cn_error *err)
{
    CN_TRY(check_region(&def->inside, dim, err));
    CN_TRY(dim == 3 ? cn_grain3_check(&def->solid, err) : cn_grain_check(&def->shape, err));
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
static cn_status shrink_region(const cn_pack_def *def, cn_balls *c, cn_error *err)
{
    double half = 0.5 * def->gap;
    double bound =
        c->dim == 3 ? cn_grain3_bound_most(&def->solid) : cn_grain_bound_most(&def->shape);
    double most = bound + half;
    cn_region region = def->inside;
    for (int d = 0; d < 3; d++) {
        region.at[d] = 0.0;
        region.box[d] -= 2.0 * half;
    }
    region.length -= 2.0 * half;
    region.radius -= half;
    region.inner += half;
    double room = region.kind == CN_REGION_BOX    ? 0.5 * fmin(region.box[0], region.box[1])
                  : region.kind == CN_REGION_DISK ? region.radius
                                                  : 0.5 * (region.radius - region.inner);
    if (c->dim == 3) {
        room = fmin(room, 0.5 * (region.kind == CN_REGION_BOX ? region.box[2] : region.length));
    }
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

// Draws sizes until count or fill is reached; *sum is the content of all grains. A sample tells
// early that they are too many.
static cn_status draw_sizes(const cn_pack_def *def, cn_balls *c, double *sum, cn_error *err)
{
    enum { SAMPLE = 32 };
    double wanted = def->count > 0 ? INFINITY : def->fill * region_content(&def->inside, c->dim);
    size_t capacity = 0;
    *sum = 0.0;
    for (int k = 0; def->count > 0 ? k < def->count : *sum < wanted; k++) {
        double bound, content;
        CN_TRY(measure_grain(def, c->dim, k, &bound, &content, err));
        if (k > 0 && *sum + 0.5 * content > wanted) {
            break;
        }
        if (k == SAMPLE && def->count == 0 && SAMPLE * wanted > 2.0 * CN_PIECES_MAX * *sum) {
            CN_TRY(cn_check_count("grains of a pack", floor(SAMPLE * wanted / *sum), err));
        }
        CN_TRY(cn_check_count("grains of a pack", k + 1.0, err));
        CN_TRY(cn_reserve(NULL, &c->radius, &capacity, (size_t)k + 1, err));
        c->radius[k] = bound + 0.5 * def->gap;
        c->count = k + 1;
        *sum += content;
    }
    return CN_OK;
}

// ---- placing -----------------------------------------------------------------------------------

static cn_status place(const cn_pack_def *def, cn_balls *c, int *method, cn_error *err)
{
    int first = def->method == CN_PACK_AUTO ? CN_PACK_RANDOM : def->method;
    int last = def->method == CN_PACK_AUTO ? CN_PACK_DENSE : def->method;
    for (*method = first;; ++*method) {
        cn_balls_clear(c);
        if (*method == CN_PACK_RANDOM) {
            CN_TRY(cn_pack_random(c, (uint64_t)def->seed, err));
        } else if (*method == CN_PACK_LATTICE) {
            CN_TRY(cn_pack_lattice(c, (uint64_t)def->seed, err));
        } else if (c->dim == 3) {
            cn_pack_drop(c, (uint64_t)def->seed);
        } else {
            CN_TRY(cn_pack_dense(c, err));
        }
        if (c->placed_count == c->count || *method == last) {
            return CN_OK;
        }
    }
}

static double placed_content(const cn_pack_def *def, const cn_balls *c)
{
    double sum = 0.0, bound, content;
    for (int k = 0; k < c->count; k++) {
        if (!isnan(c->centre[k].x) &&
            measure_grain(def, c->dim, k, &bound, &content, NULL) == CN_OK) {
            sum += content;
        }
    }
    return sum;
}

static cn_status not_reached(const cn_pack_def *def, const cn_balls *c, double sum, int method,
                             cn_error *err)
{
    double room = region_content(&def->inside, c->dim);
    const char *remedy = method == CN_PACK_DENSE
                             ? "a smaller fill or count, a larger region or a smaller gap would do"
                             : "method: dense packs closer";
    return cn_fail(err, CN_BAD_INPUT,
                   "pack: %d of %d grains fit (%s), fill %.3f of %.3f asked for; %s",
                   c->placed_count, c->count, method_name[method], placed_content(def, c) / room,
                   sum / room, remedy);
}

static cn_status add_grains(const cn_pack_def *def, const cn_balls *c, cn_pieces *pieces,
                            cn_error *err)
{
    for (int k = 0; k < c->count; k++) {
        CN_TRY(add_grain(def, k, c->centre[k], pieces, err));
    }
    return CN_OK;
}

static cn_status pack(const cn_pack_def *def, cn_balls *c, cn_pieces *pieces, cn_error *err)
{
    double sum = 0.0;
    int method = 0;
    CN_TRY(shrink_region(def, c, err));
    CN_TRY(draw_sizes(def, c, &sum, err));
    CN_TRY(cn_balls_make(c, err));
    CN_TRY(place(def, c, &method, err));
    if (c->placed_count < c->count) {
        return not_reached(def, c, sum, method, err);
    }
    snprintf(pieces->note, sizeof pieces->note, "%d grains fill %.4f of the region (method %s)",
             c->count, sum / region_content(&def->inside, c->dim), method_name[method]);
    return add_grains(def, c, pieces, err);
}

cn_status cn_generate_pack(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_pack_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, cn_pieces_dim(pieces), err));
    cn_balls balls = {.dim = cn_pieces_dim(pieces)};
    cn_status status = pack(def, &balls, pieces, err);
    cn_balls_free(&balls);
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

static const cn_field box3_fields[] = {
    {CN_FIELD(cn_region, box, CN_FIELD_POINT, "m", "sides along x, y and z", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL),
     .dim = 3},
};
static const cn_field cylinder_fields[] = {
    {CN_LENGTH_FIELD(cn_region, radius, "radius")},
    {CN_LENGTH_FIELD(cn_region, length, "length along the axis")},
    {CN_FIELD(cn_region, axis, CN_FIELD_WORD, "-", "direction of the axis", 0.0, 2.0,
              CN_REGION_AXIS_Z, "z x y")},
};
static const cn_variant region3_variants[] = {
    {"box", "[x, y, z], centred on the origin", true, CN_COUNT_OF(box3_fields), box3_fields},
    {"cylinder", "centred on the origin", false, CN_COUNT_OF(cylinder_fields), cylinder_fields},
};

static const cn_field fields[] = {
    {CN_FIELD(cn_pack_def, inside, CN_FIELD_ONE_OF, "-",
              "region to fill, the name of a hollow body, or cell", 0.0, 0.0, NAN, NULL),
     .dim = 2, .is_region = true, .variant_count = CN_COUNT_OF(region_variants),
     .variant = region_variants},
    {CN_FIELD(cn_pack_def, inside, CN_FIELD_ONE_OF, "-",
              "space to fill, the name of a hollow_box or hollow_cylinder, or cell", 0.0, 0.0, NAN,
              NULL),
     .dim = 3, .is_region = true, .variant_count = CN_COUNT_OF(region3_variants),
     .variant = region3_variants},
    {CN_FIELD(cn_pack_def, shape, CN_FIELD_ONE_OF, "-", "shape and sizes of the grains", 0.0, 0.0,
              NAN, NULL),
     .dim = 2, .variant_count = CN_GRAIN_VARIANT_COUNT, .variant = cn_grain_variants},
    {CN_SOLID_FIELD(cn_pack_def, "solid and sizes of the grains")},
    {CN_COUNT_FIELD(cn_pack_def, count, "number of grains; or give fill"), .is_optional = true},
    {CN_FIELD(cn_pack_def, fill, CN_FIELD_NUMBER, "-",
              "area (in space volume) of the grains over that of the region; or give count", 1e-9,
              1.0, NAN, NULL),
     .is_optional = true},
    {CN_GAP_FIELD(cn_pack_def, gap, "least distance between grains and to the walls")},
    {CN_FIELD(cn_pack_def, method, CN_FIELD_WORD, "-",
              "random: anywhere, loose; lattice: near a triangular lattice; dense: from the lowest "
              "place up, touching; auto: the first of these that fits",
              0.0, 3.0, CN_PACK_AUTO, "auto random lattice dense"),
     .dim = 2},
    {CN_FIELD(cn_pack_def, method, CN_FIELD_WORD, "-",
              "random: anywhere, loose, up to a fill of about 0.3; lattice: near a close-packed "
              "lattice; dense: dropped one by one, touching; auto: the first of these that fits",
              0.0, 3.0, CN_PACK_AUTO, "auto random lattice dense"),
     .dim = 3},
    {CN_SEED_FIELD(cn_pack_def)},
};

const cn_generator cn_pack_generator = {
    .name = "pack",
    .help = "random grains in a region, without overlap; pack[k] in the order they were drawn",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_pack_def),
    .make = cn_generate_pack,
};
