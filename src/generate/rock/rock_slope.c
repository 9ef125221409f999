// generate/rock/rock_slope.c -- a slope or a box of rock cut by joints into convex blocks.
//
// The whole is a convex prism; every plane of every set cuts the blocks that it meets, one set
// after the other, so that the blocks fill it exactly. A cut that would leave a piece
// thinner than `thinnest` is not made in that block: the joint ends there, as real ones do. So does
// a plane of a set that does not persist, at blocks that are drawn for each plane, and a disc at
// its rim: blocks stay convex, and what is not cut is one body.
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "generate/masonry.h"
#include "generate/rock/cut_polyhedron.h"
#include "generate/rock/rock_joints.h"
#include "generate/rock/terrain.h"

#define FLAT 1e-12 // corners this close to a plane are on it, of the size of the whole [-]
#define THIN 1e-8  // least thickness of a block, likewise

// Tags of faces; 0 is the surface.
enum { TAG_JOINT = 1, TAG_BASE = 2, TAG_BACK = 4, TAG_SIDE = 8 };

typedef struct blocks {
    int count;
    size_t capacity;
    cn_cell *cell;
    double size;     // largest extent of the whole [m]
    double thinnest; // [m]
    cn_joint_domain domain;
    cn_terrain terrain; // its heights are NULL without ground
    int discs, idle;    // joints that are discs, and those of them that have cut nothing
} blocks;

static bool is_box(const cn_slope_def *def)
{
    return def->size[0] > 0.0;
}

static cn_status check_slope(const cn_slope_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("height of the slope", def->height, err));
    CN_TRY(cn_check_length("length of the slope", def->length, err));
    CN_TRY(cn_check_length("width of the slope", def->width, err));
    if (!(def->angle > 0.0 && def->angle <= 0.5 * CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "angle of the slope must be above 0 and up to pi/2, got %g", def->angle);
    }
    double run = def->height / tan(def->angle);
    if (!(def->length > run)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a slope %g m high at %g rad runs back %g m: its length must be more than "
                       "that, got %g m",
                       def->height, def->angle, run, def->length);
    }
    return CN_OK;
}

static cn_status check_box(const cn_slope_def *def, cn_error *err)
{
    static const char *const side[] = {"size along x", "size along y", "size along z"};
    for (int d = 0; d < 3; d++) {
        CN_TRY(cn_check_length(side[d], def->size[d], err));
    }
    return CN_OK;
}

static cn_status check(const cn_slope_def *def, cn_error *err)
{
    CN_TRY(is_box(def) ? check_box(def, err) : check_slope(def, err));
    CN_TRY(cn_check_seed(def->seed, err));
    if (!(isnan(def->thinnest) || def->thinnest >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "thinnest must be at least 0 m, got %g", def->thinnest);
    }
    if (!isfinite(def->azimuth)) {
        return cn_fail(err, CN_BAD_INPUT, "azimuth must be finite, got %g", def->azimuth);
    }
    return cn_joints_check(def, err);
}

static cn_status add_block(blocks *b, const cn_cell *cell, cn_error *err)
{
    CN_TRY(cn_check_count("blocks of a slope", b->count + 1.0, err));
    CN_TRY(cn_reserve(NULL, &b->cell, &b->capacity, (size_t)b->count + 1, err));
    b->cell[b->count++] = *cell;
    return CN_OK;
}

static double least_spacing(const cn_slope_def *def, cn_vec3 extent)
{
    const cn_joint_set *set = def->joints.row;
    double least = fmin(extent.z, fmin(extent.x, extent.y));
    for (int k = 0; k < def->joints.count; k++) {
        least = fmin(least, cn_spacing_mean(&set[k].spacing));
    }
    return least;
}

static void make_slope(const cn_slope_def *def, blocks *b, cn_cell *whole)
{
    double run = def->angle < 0.5 * CN_PI ? def->height / tan(def->angle) : 0.0;
    const cn_vec2 profile[4] = {
        {-def->length, 0.0}, {0.0, 0.0}, {-run, def->height}, {-def->length, def->height}};
    const uint8_t side[4] = {TAG_BASE, 0, 0, TAG_BACK};
    cn_cell_prism(4, profile, def->width, side, TAG_SIDE, whole);
    b->domain.extent = cn_v3(def->length, def->width, def->height);
    b->domain.centre = cn_v3(-0.5 * def->length, 0.0, 0.5 * def->height);
}

static void make_box(const cn_slope_def *def, blocks *b, cn_cell *whole)
{
    double half = 0.5 * def->size[0];
    double height = b->terrain.height != NULL ? b->terrain.high : def->size[2];
    const cn_vec2 profile[4] = {{-half, 0.0}, {half, 0.0}, {half, height}, {-half, height}};
    const uint8_t side[4] = {TAG_BASE, TAG_SIDE, 0, TAG_SIDE};
    cn_cell_prism(4, profile, def->size[1], side, TAG_SIDE, whole);
    b->domain.extent = cn_v3(def->size[0], def->size[1], height);
    b->domain.centre = cn_v3(0.0, 0.0, 0.5 * height);
}

static cn_status make_terrain(const cn_slope_def *def, blocks *b, cn_error *err)
{
    if (!is_box(def) || def->ground.x.count + def->ground.y.count + def->ground.z.count == 0) {
        return CN_OK;
    }
    const double lo[2] = {-0.5 * def->size[0], -0.5 * def->size[1]};
    const double hi[2] = {0.5 * def->size[0], 0.5 * def->size[1]};
    CN_TRY(cn_terrain_make(&def->ground, lo, hi, &b->terrain, err));
    if (!(b->terrain.low > 0.0)) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "the ground goes down to z = %g m: it must stay above the base of the rock at "
            "z = 0; add to all heights",
            b->terrain.low);
    }
    return CN_OK;
}

// The whole as one block.
static cn_status begin(const cn_slope_def *def, blocks *b, cn_error *err)
{
    cn_cell whole;
    CN_TRY(make_terrain(def, b, err));
    (is_box(def) ? make_box : make_slope)(def, b, &whole);
    cn_vec3 extent = b->domain.extent;
    b->size = fmax(extent.x, fmax(extent.y, extent.z));
    b->thinnest = isnan(def->thinnest) ? 0.1 * least_spacing(def, extent) : def->thinnest;
    b->thinnest = fmax(b->thinnest, THIN * b->size);
    b->domain.azimuth = def->azimuth;
    b->domain.seed = (uint64_t)def->seed;
    return add_block(b, &whole, err);
}

// Centre of the face that a cut has made, the last one.
static cn_vec3 section_centre(const cn_cell *cell)
{
    int start = cell->face_start[cell->face_count - 1], end = cell->face_start[cell->face_count];
    cn_vec3 sum = {0};
    for (int k = start; k < end; k++) {
        sum = cn_add_mul3(sum, 1.0 / (end - start), cell->corner[cell->loop[k]]);
    }
    return sum;
}

// Cuts block k if both pieces are worth it; the upper one goes to the end of the list.
static cn_status cut_block(blocks *b, int k, const cn_joint *by, cn_error *err)
{
    double span[2], flat = FLAT * b->size;
    cn_cell_span(&b->cell[k], &by->plane, span);
    if (!(-span[0] >= b->thinnest && span[1] >= b->thinnest)) {
        return CN_OK;
    }
    cn_cell below, above;
    CN_TRY(cn_cell_cut(&b->cell[k], &by->plane, flat, TAG_JOINT, &below, &above, err));
    double least = b->thinnest * b->thinnest * b->thinnest;
    bool is_thick = cn_cell_volume(&below) >= least && cn_cell_volume(&above) >= least;
    if (!is_thick || cn_norm3(cn_sub3(section_centre(&below), by->centre)) > by->radius) {
        return CN_OK;
    }
    CN_TRY(add_block(b, &above, err));
    b->cell[k] = below;
    return CN_OK;
}

static void count_disc(blocks *b, const cn_joint *joint, int blocks_before)
{
    bool is_disc = isfinite(joint->radius);
    b->discs += is_disc;
    b->idle += is_disc && b->count == blocks_before;
}

// Whether joint k of a set cuts a block in its way: drawn anew for each block.
static bool does_persist(const blocks *b, const cn_joint_set *set, const int of[2], int block)
{
    uint64_t random = cn_mix2(cn_mix2(b->domain.seed, (uint64_t)of[0]), (uint64_t)of[1]);
    random = cn_mix2(random, (uint64_t)block);
    return set->persistence == 1.0 || cn_random(&random) < set->persistence;
}

static cn_status cut_set(const cn_slope_def *def, blocks *b, int number, cn_joints *joints,
                         cn_error *err)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    joints->count = 0;
    CN_TRY(cn_joints_add_set(def, &b->domain, number, joints, err));
    for (int k = 0; k < joints->count; k++) {
        const int of[2] = {number, k};
        int before = b->count;
        for (int n = 0; n < before; n++) {
            CN_TRY(does_persist(b, set, of, n) ? cut_block(b, n, &joints->joint[k], err) : CN_OK);
        }
        count_disc(b, &joints->joint[k], before);
    }
    return CN_OK;
}

static cn_status cut_all(const cn_slope_def *def, blocks *b, cn_joints *joints, cn_error *err)
{
    CN_TRY(cn_joints_add_mapped(def, &b->domain, joints, err));
    for (int k = 0; k < joints->count; k++) {
        int before = b->count;
        for (int n = 0; n < before; n++) {
            CN_TRY(cut_block(b, n, &joints->joint[k], err));
        }
        count_disc(b, &joints->joint[k], before);
    }
    for (int k = 0; k < def->joints.count; k++) {
        CN_TRY(cut_set(def, b, k, joints, err));
    }
    return CN_OK;
}

static double mean_height(const cn_cell *cell)
{
    double sum = 0.0;
    for (int k = 0; k < cell->corner_count; k++) {
        sum += cell->corner[k].z / cell->corner_count;
    }
    return sum;
}

typedef struct rank {
    double height;
    int block;
} rank;

static int compare_ranks(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->height != y->height) {
        return x->height < y->height ? -1 : 1;
    }
    return (x->block > y->block) - (x->block < y->block);
}

static cn_status sort_blocks(const blocks *b, rank **order, cn_error *err)
{
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, order, &capacity, (size_t)b->count, err));
    for (int k = 0; k < b->count; k++) {
        (*order)[k] = (rank){mean_height(&b->cell[k]), k};
    }
    qsort(*order, (size_t)b->count, sizeof **order, compare_ranks);
    return CN_OK;
}

static bool is_held(const cn_slope_def *def, const cn_cell *cell)
{
    int held = (def->hold_base ? TAG_BASE : 0) | (def->hold_back ? TAG_BACK : 0) |
               (def->hold_sides ? TAG_SIDE : 0);
    bool found = false;
    for (int f = 0; f < cell->face_count; f++) {
        found = found || (cell->tag[f] & held) != 0;
    }
    return found;
}

// What is told at the end.
typedef struct tally {
    int count, held;
    double smallest, sum; // [m3]
} tally;

static cn_status add_part(const cn_cell *cell, const cn_piece *piece, cn_pieces *pieces,
                          cn_error *err)
{
    double point[3 * CN_CELL_CORNER_MAX];
    for (int n = 0; n < cell->corner_count; n++) {
        point[3 * n] = cell->corner[n].x;
        point[3 * n + 1] = cell->corner[n].y;
        point[3 * n + 2] = cell->corner[n].z;
    }
    return cn_pieces_add_hull(pieces, cell->corner_count, point, piece, err);
}

// One body of the parts that the ground leaves of a block; the first of its parts gives the number.
static cn_status add_body(const cn_slope_def *def, const cn_terrain_parts *parts, int body,
                          tally *t, cn_pieces *pieces, cn_error *err)
{
    cn_piece piece = {.index = {1, ++t->count}};
    double volume = 0.0;
    for (int k = body; k < parts->count; k++) {
        bool is_mine = parts->body[k] == body;
        piece.is_support = piece.is_support || (is_mine && is_held(def, &parts->part[k]));
        volume += is_mine ? cn_cell_volume(&parts->part[k]) : 0.0;
    }
    for (int k = body; k < parts->count; k++) {
        if (parts->body[k] == body) {
            CN_TRY(add_part(&parts->part[k], &piece, pieces, err));
            piece.is_part = true;
        }
    }
    t->held += piece.is_support;
    t->sum += volume;
    t->smallest = fmin(t->smallest, volume);
    return CN_OK;
}

static cn_status add_block_bodies(const cn_slope_def *def, const blocks *b, int block,
                                  cn_terrain_parts *parts, tally *t, cn_pieces *pieces,
                                  cn_error *err)
{
    double flat = FLAT * b->size, thin = THIN * b->size;
    CN_TRY(cn_terrain_clip(&b->terrain, &b->cell[block], flat, thin, parts, err));
    for (int k = 0; k < parts->count; k++) {
        CN_TRY(parts->body[k] == k ? add_body(def, parts, k, t, pieces, err) : CN_OK);
    }
    return CN_OK;
}

static cn_status add_pieces(const cn_slope_def *def, const blocks *b, const rank *order,
                            cn_pieces *pieces, cn_error *err)
{
    tally t = {.smallest = INFINITY};
    cn_terrain_parts parts = {0};
    cn_status status = CN_OK;
    for (int k = 0; k < b->count && status == CN_OK; k++) {
        status = add_block_bodies(def, b, order[k].block, &parts, &t, pieces, err);
    }
    CN_RELEASE(parts.part, parts.body);
    char idle[64] = "";
    if (b->idle > 0) {
        snprintf(idle, sizeof idle, "; %d of %d discs cut none", b->idle, b->discs);
    }
    snprintf(pieces->note, sizeof pieces->note,
             "%d blocks, %d of them held; the smallest has %.3g m3, all have %.6g m3%s", t.count,
             t.held, t.smallest, t.sum, idle);
    return status;
}

static cn_status generate(const cn_slope_def *def, blocks *b, rank **order, cn_pieces *pieces,
                          cn_error *err)
{
    cn_joints joints = {0};
    CN_TRY(begin(def, b, err));
    cn_status status = cut_all(def, b, &joints, err);
    CN_RELEASE(joints.joint);
    CN_THEN(status, sort_blocks(b, order, err));
    return status == CN_OK ? add_pieces(def, b, *order, pieces, err) : status;
}

cn_status cn_generate_slope(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_slope_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    blocks b = {0};
    rank *order = NULL;
    cn_status status = generate(def, &b, &order, pieces, err);
    CN_RELEASE(b.cell, order);
    cn_terrain_free(&b.terrain);
    return status;
}

#define ATTITUDE_FIELDS(type)                                                                      \
    {CN_FIELD(type, dip, CN_FIELD_NUMBER, "rad", "angle below the horizontal: 35deg", 0.0,         \
              0.5 * CN_PI, NAN, NULL)},                                                            \
        {CN_FIELD(type, direction, CN_FIELD_NUMBER, "rad",                                         \
                  "where it dips to, from x towards y: 0, out of the slope, if not given",         \
                  -2.0 * CN_PI, 2.0 * CN_PI, NAN, NULL),                                           \
         .is_optional = true},                                                                     \
    {                                                                                              \
        CN_FIELD(type, dip_direction, CN_FIELD_NUMBER, "rad",                                      \
                 "the same as geologists measure it, clockwise from north; see azimuth",           \
                 -2.0 * CN_PI, 2.0 * CN_PI, NAN, NULL),                                            \
            .is_optional = true                                                                    \
    }

static const cn_field constant_fields[] = {
    {CN_LENGTH_FIELD(cn_spacing_def, constant, "the same everywhere")},
};
static const cn_field pair_fields[] = {
    {CN_FIELD(cn_spacing_def, pair, CN_FIELD_PAIR, "m", "two lengths", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
};
static const cn_field mean_fields[] = {
    {CN_LENGTH_FIELD(cn_spacing_def, mean, "of all distances")},
};
static const cn_variant spacing_variants[] = {
    {"constant", "one distance", true, 1, constant_fields},
    {"uniform", "least and most, evenly in between", true, 1, pair_fields},
    {"lognormal", "mean and standard deviation", true, 1, pair_fields},
    {"exponential", "mean; planes at random places", true, 1, mean_fields},
};

static const cn_field cone_fields[] = {
    {CN_FIELD(cn_scatter_def, cone, CN_FIELD_NUMBER, "rad", "largest angle", 0.0, 0.5, 0.0, NULL)},
};
static const cn_field fisher_fields[] = {
    {CN_FIELD(cn_scatter_def, fisher, CN_FIELD_NUMBER, "-",
              "concentration: half of all normals lie within acos(1 - ln 2 / fisher)", 1.0, 1e9,
              NAN, NULL)},
};
static const cn_variant scatter_variants[] = {
    {"cone", "evenly within an angle", true, 1, cone_fields},
    {"fisher", "Fisher's distribution", true, 1, fisher_fields},
};

static const cn_field disc_fields[] = {
    {.param = {"file", "-", "CSV file with columns x, y, z, dip, dip_direction and radius", 0.0,
               0.0, NAN, NULL},
     .kind = CN_FIELD_COLUMNS,
     .is_optional = true},
    {CN_FIELD(cn_network_def, x, CN_FIELD_NUMBERS, "m", "of the centres, in the frame of the slope",
              -CN_LENGTH_MOST, CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_network_def, y, CN_FIELD_NUMBERS, "m", "likewise", -CN_LENGTH_MOST, CN_LENGTH_MOST,
              NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_network_def, z, CN_FIELD_NUMBERS, "m", "likewise", -CN_LENGTH_MOST, CN_LENGTH_MOST,
              NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_network_def, dip, CN_FIELD_NUMBERS, "-",
              "below the horizontal, plain numbers of degrees as such files have them", 0.0, 90.0,
              NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_network_def, dip_direction, CN_FIELD_NUMBERS, "-",
              "clockwise from north, likewise in degrees", -360.0, 360.0, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_network_def, radius, CN_FIELD_NUMBERS, "m",
              "of the discs; they cut blocks whose section has its centre within", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
};
static const cn_variant network_variants[] = {
    {"discs", "mapped joints as discs, the largest cuts first", false, CN_COUNT_OF(disc_fields),
     disc_fields},
};

static const cn_field set_fields[] = {
    ATTITUDE_FIELDS(cn_joint_set),
    {CN_FIELD(cn_joint_set, spacing, CN_FIELD_ONE_OF, "-",
              "distance of the planes along their normal", 0.0, 0.0, NAN, NULL),
     .variant_count = CN_COUNT_OF(spacing_variants), .variant = spacing_variants},
    {CN_FIELD(cn_joint_set, offset, CN_FIELD_NUMBER, "m",
              "shift of the planes along their normal; 0: two lie half a spacing from the centre",
              -CN_LENGTH_MOST, CN_LENGTH_MOST, 0.0, NULL)},
    {CN_FIELD(cn_joint_set, scatter, CN_FIELD_ONE_OF, "-",
              "how normals lie about that of the set, at random", 0.0, 0.0, CN_SCATTER_CONE, NULL),
     .variant_count = CN_COUNT_OF(scatter_variants), .variant = scatter_variants},
    {CN_FIELD(cn_joint_set, uneven, CN_FIELD_NUMBER, "-",
              "of a constant spacing, 0: equal .. 1: every plane anywhere in its share of it, at "
              "random",
              0.0, 1.0, 0.0, NULL)},
    {CN_FIELD(cn_joint_set, persistence, CN_FIELD_NUMBER, "-",
              "share of the blocks in its way that a plane cuts, at random: rock bridges are left",
              0.0, 1.0, 1.0, NULL)},
    {CN_LENGTH_FIELD(cn_joint_set, trace,
                     "mean diameter of joints that are discs at random places, in place of planes; "
                     "of as much area as planes at the spacing"),
     .is_optional = true},
};
static const cn_variant set_variant = {"joint_set", "parallel joints", false,
                                       CN_COUNT_OF(set_fields), set_fields};

static const cn_field plane_fields[] = {
    {CN_FIELD(cn_joint_plane, at, CN_FIELD_POINT, "m", "a point of it, in the frame of the slope",
              -CN_LENGTH_MOST, CN_LENGTH_MOST, NAN, NULL)},
    ATTITUDE_FIELDS(cn_joint_plane),
    {CN_LENGTH_FIELD(cn_joint_plane, radius,
                     "it cuts only blocks whose section has its centre that near to `at`"),
     .is_optional = true},
};
static const cn_variant plane_variant = {"joint_plane", "one joint or fault", false,
                                         CN_COUNT_OF(plane_fields), plane_fields};

#define ROCK_FIELDS                                                                                \
    {CN_FIELD(cn_slope_def, azimuth, CN_FIELD_NUMBER, "rad",                                       \
              "where +x, in slopes the face, points to: clockwise from north, as dip_direction",   \
              -2.0 * CN_PI, 2.0 * CN_PI, 0.0, NULL)},                                              \
        {CN_FIELD(cn_slope_def, planes, CN_FIELD_LIST, "-",                                        \
                  "single joints and faults, which cut before the sets", 0.0, 0.0, NAN, NULL),     \
         .is_optional = true, .variant_count = 1, .variant = &plane_variant,                       \
         .row_size = sizeof(cn_joint_plane)},                                                      \
        {CN_FIELD(cn_slope_def, network, CN_FIELD_ONE_OF, "-",                                     \
                  "joints that were mapped, which cut after `planes`", 0.0, 0.0, NAN, NULL),       \
         .is_optional = true, .variant_count = CN_COUNT_OF(network_variants),                      \
         .variant = network_variants},                                                             \
        {CN_FIELD(cn_slope_def, joints, CN_FIELD_LIST, "-", "sets of joints that cut it", 0.0,     \
                  0.0, NAN, NULL),                                                                 \
         .is_optional = true, .variant_count = 1, .variant = &set_variant,                         \
         .row_size = sizeof(cn_joint_set)},                                                        \
        {CN_FIELD(cn_slope_def, thinnest, CN_FIELD_NUMBER, "m",                                    \
                  "cuts that leave thinner pieces are not made; without it a tenth of the least "  \
                  "spacing",                                                                       \
                  0.0, CN_LENGTH_MOST, NAN, NULL),                                                 \
         .is_optional = true},                                                                     \
        {CN_FIELD(cn_slope_def, hold_base, CN_FIELD_FLAG, "-",                                     \
                  "blocks that reach the base are fixed", 0.0, 1.0, 0.0, NULL)},                   \
        {CN_FIELD(cn_slope_def, hold_sides, CN_FIELD_FLAG, "-",                                    \
                  "blocks that reach the sides are fixed", 0.0, 1.0, 0.0, NULL)},                  \
    {                                                                                              \
        CN_SEED_FIELD(cn_slope_def)                                                                \
    }

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_slope_def, height, "height")},
    {CN_FIELD(cn_slope_def, angle, CN_FIELD_NUMBER, "rad", "angle of the face, from the horizontal",
              0.01, 0.5 * CN_PI, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_slope_def, length, "length of the base, from the toe back")},
    {CN_LENGTH_FIELD(cn_slope_def, width, "width along y")},
    {CN_FIELD(cn_slope_def, hold_back, CN_FIELD_FLAG, "-", "blocks that reach the back are fixed",
              0.0, 1.0, 0.0, NULL)},
    ROCK_FIELDS,
};

const cn_generator cn_slope_generator = {
    .name = "rock_slope",
    .help = "a slope that faces +x, toe at the origin, cut into blocks by sets of joints; "
            "rock_slope[k] from the lowest up",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_slope_def),
    .dim = 3,
    .make = cn_generate_slope,
};

static const cn_field height_fields[] = {
    {.param = {"file", "-", "CSV file with columns x, y and z", 0.0, 0.0, NAN, NULL},
     .kind = CN_FIELD_COLUMNS,
     .is_optional = true},
    {CN_FIELD(cn_heights_def, x, CN_FIELD_NUMBERS, "m", "of the points, in the frame of the rock",
              -CN_LENGTH_MOST, CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_heights_def, y, CN_FIELD_NUMBERS, "m", "likewise", -CN_LENGTH_MOST, CN_LENGTH_MOST,
              NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_heights_def, z, CN_FIELD_NUMBERS, "m", "height above the base", -CN_LENGTH_MOST,
              CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
};
static const cn_variant ground_variants[] = {
    {"heights", "points of a grid, in any order; two triangles for each of its rectangles", false,
     CN_COUNT_OF(height_fields), height_fields},
};

static const cn_field box_fields[] = {
    {CN_FIELD(cn_slope_def, size, CN_FIELD_POINT, "m",
              "along x, y and z; with `ground` its highest point stands for the last",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_slope_def, ground, CN_FIELD_ONE_OF, "-",
              "surface of the ground: what is above it is not there", 0.0, 0.0, NAN, NULL),
     .is_optional = true, .variant_count = CN_COUNT_OF(ground_variants),
     .variant = ground_variants},
    ROCK_FIELDS,
};

const cn_generator cn_rock_generator = {
    .name = "rock",
    .help =
        "a box of rock on z = 0, centred on x = 0 and y = 0, cut into blocks by joints; rock[k] "
        "from the lowest up",
    .field_count = CN_COUNT_OF(box_fields),
    .field = box_fields,
    .def_size = sizeof(cn_slope_def),
    .dim = 3,
    .make = cn_generate_slope,
};
