// generate/pack/grain_space.c -- grains in space drawn at random: solid, size and orientation.
#include "base/hash.h"
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/pack/grain.h"

#include <string.h>

static cn_status check_polyhedron(const cn_grain3_def *def, cn_error *err)
{
    double least = def->vertices[0], most = def->vertices[1];
    if (!(least >= 4.0 && most >= least && most <= CN_GRAIN3_VERTICES_MAX) ||
        least != floor(least) || most != floor(most)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "vertices [%g, %g]: whole numbers between 4 and %d, the smaller first",
                       least, most, CN_GRAIN3_VERTICES_MAX);
    }
    if (!(def->irregular >= 0.0 && def->irregular <= 0.9)) {
        return cn_fail(err, CN_BAD_INPUT, "irregular must be between 0 and 0.9, got %g",
                       def->irregular);
    }
    return cn_size_check(&def->radius, err);
}

cn_status cn_grain3_check(const cn_grain3_def *def, cn_error *err)
{
    static const char *const side[] = {"box side along x", "box side along y", "box side along z"};
    switch (def->kind) {
    case CN_GRAIN_SPHERE:
        return cn_size_check(&def->radius, err);
    case CN_GRAIN_BLOCK:
        for (int d = 0; d < 3; d++) {
            CN_TRY(cn_check_length(side[d], def->box[d], err));
        }
        return CN_OK;
    case CN_GRAIN_ROD:
    case CN_GRAIN_CYLINDER:
        CN_TRY(cn_check_length(def->kind == CN_GRAIN_ROD ? "capsule length" : "cylinder length",
                               def->length, err));
        return cn_size_check(&def->radius, err);
    case CN_GRAIN_POLYHEDRON:
        return check_polyhedron(def, err);
    default:
        return cn_fail(err, CN_BAD_INPUT, "the shape of the grains is not given");
    }
}

// Uniform over all rotations, from three uniform numbers.
static void draw_turn(uint64_t *random, double turn[4])
{
    double u = cn_random(random);
    double a = 2.0 * CN_PI * cn_random(random), b = 2.0 * CN_PI * cn_random(random);
    turn[0] = sqrt(u) * cos(b);
    turn[1] = sqrt(1.0 - u) * sin(a);
    turn[2] = sqrt(1.0 - u) * cos(a);
    turn[3] = sqrt(u) * sin(b);
}

// Vertices on a sphere, on a spiral that spreads them evenly, then each moved at random by up to
// half the distance of neighbours.
static void draw_vertices(const cn_grain3_def *def, uint64_t *random, cn_grain3 *grain)
{
    const double golden = CN_PI * (3.0 - sqrt(5.0));
    int least = (int)def->vertices[0], most = (int)def->vertices[1];
    int n = least + (int)(cn_random(random) * (most - least + 1));
    double reach = 0.5 * def->irregular * sqrt(4.0 * CN_PI / n);
    grain->vertex_count = n;
    for (int k = 0; k < n; k++) {
        double z = 1.0 - (2.0 * k + 1.0) / n, across = sqrt(1.0 - z * z), x[3], square = 0.0;
        x[0] = across * cos(golden * k);
        x[1] = across * sin(golden * k);
        x[2] = z;
        for (int d = 0; d < 3; d++) {
            x[d] += reach * (2.0 * cn_random(random) - 1.0);
            square += x[d] * x[d];
        }
        for (int d = 0; d < 3; d++) {
            grain->vertex[3 * k + d] = grain->bound * x[d] / sqrt(square);
        }
    }
}

static cn_solid_def solid_of(const cn_grain3 *grain)
{
    return (cn_solid_def){.kind = grain->kind,
                          .radius = grain->radius,
                          .length = grain->length,
                          .point_count = grain->vertex_count,
                          .point = grain->vertex};
}

// Radius of the sphere about the centre that holds a sphere, rod or cylinder of radius r.
static double round_bound(const cn_grain3_def *def, double r)
{
    double half = def->kind == CN_GRAIN_SPHERE ? 0.0 : 0.5 * def->length;
    return def->kind == CN_GRAIN_CYLINDER ? hypot(r, half) : r + half;
}

// Spheres, rods and cylinders.
static void draw_round(const cn_grain3_def *def, double r, cn_grain3 *grain)
{
    bool is_cylinder = def->kind == CN_GRAIN_CYLINDER;
    grain->kind = is_cylinder                 ? CN_SOLID_CYLINDER
                  : def->kind == CN_GRAIN_ROD ? CN_SOLID_CAPSULE
                                              : CN_SOLID_SPHERE;
    grain->radius = r;
    grain->length = def->kind == CN_GRAIN_SPHERE ? 0.0 : def->length;
    grain->bound = round_bound(def, r);
    grain->volume = CN_PI * r * r * ((is_cylinder ? 0.0 : 4.0 / 3.0 * r) + grain->length);
}

cn_status cn_grain3_draw(const cn_grain3_def *def, uint64_t seed, uint64_t k, cn_grain3 *grain,
                         cn_error *err)
{
    uint64_t random = cn_mix2(seed, k);
    *grain = (cn_grain3){.kind = CN_SOLID_HULL, .bound = cn_grain3_bound_most(def)};
    draw_turn(&random, grain->turn);
    if (def->kind == CN_GRAIN_BLOCK) {
        grain->vertex_count = 8;
        cn_box_corners(def->box[0], def->box[1], def->box[2], grain->vertex);
        grain->volume = def->box[0] * def->box[1] * def->box[2];
        return CN_OK;
    }
    double r = cn_size_draw(&def->radius, 3, (cn_lot){seed, k, &random});
    if (def->kind != CN_GRAIN_POLYHEDRON) {
        draw_round(def, r, grain);
        return CN_OK;
    }
    grain->bound = r;
    draw_vertices(def, &random, grain);
    cn_solid_def solid = solid_of(grain);
    cn_solid_mass mass;
    CN_TRY(cn_solids_measure(&solid, 1, &mass, err));
    grain->volume = mass.volume;
    return CN_OK;
}

double cn_grain3_bound_most(const cn_grain3_def *def)
{
    if (def->kind == CN_GRAIN_BLOCK) {
        const double *s = def->box;
        return 0.5 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    }
    double r = cn_size_most(&def->radius);
    return def->kind == CN_GRAIN_POLYHEDRON ? r : round_bound(def, r);
}

cn_status cn_grain3_add(const cn_grain3 *grain, const double at[3], bool is_turned,
                        const int index[2], cn_pieces *pieces, cn_error *err)
{
    cn_piece piece = {
        .solid = grain->kind,
        .radius = grain->radius,
        .length = grain->length,
        .vertex_count = grain->vertex_count,
        .at = {at[0], at[1], at[2]},
        .index = {index[0], index[1]},
    };
    if (is_turned && grain->kind != CN_SOLID_SPHERE) {
        memcpy(piece.turn, grain->turn, sizeof piece.turn);
    }
    if (grain->kind == CN_SOLID_HULL) {
        CN_TRY(cn_pieces_add_vertices(pieces, grain->vertex_count, grain->vertex,
                                      &piece.vertex_start, err));
    }
    return cn_pieces_add(pieces, &piece, err);
}

#define RADIUS_FIELD(help)                                                                         \
    CN_FIELD(cn_grain3_def, radius, CN_FIELD_ONE_OF, "m", help, CN_LENGTH_LEAST, CN_LENGTH_MOST,   \
             NAN, NULL),                                                                           \
        .variant_count = CN_SIZE_VARIANT_COUNT, .variant = cn_size_variants

static const cn_field sphere_fields[] = {{RADIUS_FIELD("radius of the balls")}};
static const cn_field box_fields[] = {
    {CN_FIELD(cn_grain3_def, box, CN_FIELD_POINT, "m", "sides along x, y and z", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL),
     .dim = 3},
};
static const cn_field capsule_fields[] = {
    {RADIUS_FIELD("radius of the ends")},
    {CN_LENGTH_FIELD(cn_grain3_def, length, "distance of the centres of the ends")},
};
static const cn_field cylinder_fields[] = {
    {RADIUS_FIELD("radius")},
    {CN_LENGTH_FIELD(cn_grain3_def, length, "length along the axis")},
};
static const cn_field polyhedron_fields[] = {
    {RADIUS_FIELD("radius of the sphere through the vertices")},
    {CN_FIELD(cn_grain3_def, vertices, CN_FIELD_RANGE, "-",
              "number of vertices, or least and most, drawn uniformly", 4.0, CN_GRAIN3_VERTICES_MAX,
              12.0, NULL)},
    {CN_FIELD(cn_grain3_def, irregular, CN_FIELD_NUMBER, "-",
              "0: vertices evenly spread; larger: moved at random over the sphere", 0.0, 0.9, 0.5,
              NULL)},
};

const cn_variant cn_grain3_variants[CN_GRAIN3_VARIANT_COUNT] = {
    {"sphere", "balls", false, CN_COUNT_OF(sphere_fields), sphere_fields},
    {"box", "blocks: [x, y, z]", true, CN_COUNT_OF(box_fields), box_fields},
    {"capsule", "rounded bars in space", false, CN_COUNT_OF(capsule_fields), capsule_fields},
    {"polyhedron", "convex polyhedra with vertices on a sphere", false,
     CN_COUNT_OF(polyhedron_fields), polyhedron_fields},
    {"cylinder", "cylinders with flat ends", false, CN_COUNT_OF(cylinder_fields), cylinder_fields},
};
