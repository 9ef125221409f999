// generate/pack/grain.c -- grains drawn at random: shape, size and orientation.
#include "generate/pack/grain.h"
#include "base/hash.h"
#include "base/memory.h"
#include "generate/fields.h"

static cn_status check_polygon(const cn_grain_def *def, cn_error *err)
{
    double least = def->sides[0], most = def->sides[1];
    if (!(least >= 3.0 && most >= least && most <= CN_GRAIN_SIDES_MAX) || least != floor(least) ||
        most != floor(most)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "sides [%g, %g]: whole numbers between 3 and %d, the smaller first", least,
                       most, CN_GRAIN_SIDES_MAX);
    }
    if (!(def->irregular >= 0.0 && def->irregular <= 0.9)) {
        return cn_fail(err, CN_BAD_INPUT, "irregular must be between 0 and 0.9, got %g",
                       def->irregular);
    }
    if (!(def->aspect >= 0.01 && def->aspect <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "aspect must be between 0.01 and 1, got %g", def->aspect);
    }
    return cn_size_check(&def->radius, err);
}

cn_status cn_grain_check(const cn_grain_def *def, cn_error *err)
{
    switch (def->kind) {
    case CN_GRAIN_DISK:
        return cn_size_check(&def->radius, err);
    case CN_GRAIN_POLYGON:
        return check_polygon(def, err);
    case CN_GRAIN_BOX:
        CN_TRY(cn_check_length("box width", def->box[0], err));
        return cn_check_length("box height", def->box[1], err);
    case CN_GRAIN_CAPSULE:
        CN_TRY(cn_check_length("capsule length", def->length, err));
        return cn_size_check(&def->radius, err);
    default:
        return cn_fail(err, CN_BAD_INPUT, "the shape of the grains is not given");
    }
}

// Vertices on a circle, so that the polygon is convex; a squeeze in y keeps it so.
static void draw_polygon(const cn_grain_def *def, uint64_t *random, cn_grain *grain)
{
    int least = (int)def->sides[0], most = (int)def->sides[1];
    int n = least + (int)(cn_random(random) * (most - least + 1));
    grain->sides = n;
    grain->area = 0.0;
    for (int k = 0; k < n; k++) {
        double place = k + def->irregular * (cn_random(random) - 0.5);
        grain->vertex[2 * k] = grain->bound * cos(2.0 * CN_PI * place / n);
        grain->vertex[2 * k + 1] = grain->bound * sin(2.0 * CN_PI * place / n) * def->aspect;
    }
    for (int k = 0; k < n; k++) {
        const double *a = grain->vertex + 2 * k, *b = grain->vertex + 2 * ((k + 1) % n);
        grain->area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
}

void cn_grain_draw(const cn_grain_def *def, uint64_t seed, uint64_t k, cn_grain *grain)
{
    uint64_t random = cn_mix2(seed, k);
    *grain = (cn_grain){.kind = CN_SHAPE_POLYGON};
    grain->turn = 2.0 * CN_PI * cn_random(&random);
    double radius =
        def->kind == CN_GRAIN_BOX ? 0.0 : cn_size_draw(&def->radius, 2, (cn_lot){seed, k, &random});
    switch (def->kind) {
    case CN_GRAIN_POLYGON:
        grain->bound = radius;
        draw_polygon(def, &random, grain);
        break;
    case CN_GRAIN_BOX:
        grain->sides = 4;
        cn_box_vertices(def->box[0], def->box[1], grain->vertex);
        grain->bound = 0.5 * sqrt(def->box[0] * def->box[0] + def->box[1] * def->box[1]);
        grain->area = def->box[0] * def->box[1];
        break;
    case CN_GRAIN_CAPSULE:
        grain->kind = CN_SHAPE_CAPSULE;
        grain->radius = radius;
        grain->length = def->length;
        grain->bound = radius + 0.5 * def->length;
        grain->area = CN_PI * radius * radius + 2.0 * radius * def->length;
        break;
    default:
        grain->kind = CN_SHAPE_DISK;
        grain->radius = radius;
        grain->bound = radius;
        grain->area = CN_PI * radius * radius;
        break;
    }
}

double cn_grain_bound_most(const cn_grain_def *def)
{
    if (def->kind == CN_GRAIN_BOX) {
        return 0.5 * sqrt(def->box[0] * def->box[0] + def->box[1] * def->box[1]);
    }
    return cn_size_most(&def->radius) + (def->kind == CN_GRAIN_CAPSULE ? 0.5 * def->length : 0.0);
}

cn_status cn_grain_add(const cn_grain *grain, double x, double y, double angle, const int index[2],
                       cn_pieces *pieces, cn_error *err)
{
    cn_piece piece = {
        .kind = grain->kind,
        .radius = grain->radius,
        .length = grain->length,
        .at = {x, y},
        .angle = angle,
        .index = {index[0], index[1]},
    };
    if (grain->kind != CN_SHAPE_POLYGON) {
        return cn_pieces_add(pieces, &piece, err);
    }
    CN_TRY(cn_pieces_add_polygon(pieces, grain->sides, grain->vertex, &piece, err));
    // The list has put the centroid in the frame of the grain: turn it and move it into place.
    cn_piece *added = &pieces->piece[pieces->count - 1];
    double c = cos(angle), s = sin(angle), dx = added->at[0], dy = added->at[1];
    added->at[0] = x + c * dx - s * dy;
    added->at[1] = y + s * dx + c * dy;
    return CN_OK;
}

#define RADIUS_FIELD(help)                                                                         \
    CN_FIELD(cn_grain_def, radius, CN_FIELD_ONE_OF, "m", help, CN_LENGTH_LEAST, CN_LENGTH_MOST,    \
             NAN, NULL),                                                                           \
        .variant_count = CN_SIZE_VARIANT_COUNT, .variant = cn_size_variants

static const cn_field disk_fields[] = {{RADIUS_FIELD("radius of the disks")}};
static const cn_field polygon_fields[] = {
    {RADIUS_FIELD("radius of the circle through the vertices")},
    {CN_FIELD(cn_grain_def, sides, CN_FIELD_RANGE, "-",
              "number of sides, or least and most, drawn uniformly", 3.0, CN_GRAIN_SIDES_MAX, 6.0,
              NULL)},
    {CN_FIELD(cn_grain_def, irregular, CN_FIELD_NUMBER, "-",
              "0: equal sides; larger: vertices moved at random along the circle", 0.0, 0.9, 0.0,
              NULL)},
    {CN_FIELD(cn_grain_def, aspect, CN_FIELD_NUMBER, "-", "height over width", 0.01, 1.0, 1.0,
              NULL)},
};
static const cn_field box_fields[] = {
    {CN_FIELD(cn_grain_def, box, CN_FIELD_PAIR, "m", "width and height", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
};
static const cn_field capsule_fields[] = {
    {RADIUS_FIELD("radius of the ends")},
    {CN_LENGTH_FIELD(cn_grain_def, length, "distance of the centres of the ends")},
};

const cn_variant cn_grain_variants[CN_GRAIN_VARIANT_COUNT] = {
    {"disk", "disks", false, CN_COUNT_OF(disk_fields), disk_fields},
    {"polygon", "convex polygons, regular or not", false, CN_COUNT_OF(polygon_fields),
     polygon_fields},
    {"box", "boxes: [width, height]", true, CN_COUNT_OF(box_fields), box_fields},
    {"capsule", "rounded bars", false, CN_COUNT_OF(capsule_fields), capsule_fields},
};
