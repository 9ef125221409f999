// generate/rock/rock_slope.c -- a slope of rock cut by sets of joints into convex blocks.
//
// The slope is a convex prism; every plane of every set cuts the blocks that it meets, one set
// after the other, so that the blocks fill the slope exactly. A cut that would leave a piece
// thinner than `thinnest` is not made in that block: the joint ends there, as real ones do. So does
// a plane of a set that does not persist, at blocks that are drawn for each plane, and a disc at
// its rim: blocks stay convex, and what is not cut is one body.
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "generate/ground.h"
#include "generate/masonry.h"
#include "generate/rock/cut_polyhedron.h"

#define FLAT 1e-9 // corners this close to a plane are on it, of the size of the slope [-]
#define PLANES_MAX 10000

// Tags of faces; 0 is the surface.
enum { TAG_JOINT = 1, TAG_BASE = 2, TAG_BACK = 4, TAG_SIDE = 8 };

typedef struct blocks {
    int count;
    size_t capacity;
    cn_cell *cell;
    double size;     // largest extent of the slope [m]
    double thinnest; // [m]
    cn_vec3 centre;  // of the box around the slope
} blocks;

// How a plane lies: where it dips to from +x, if it is known.
static cn_status check_attitude(double dip, double direction, double dip_direction, cn_error *err)
{
    if (!(dip >= 0.0 && dip <= 0.5 * CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "dip between 0 and pi/2 is wanted, got %g rad; degrees are written 35deg",
                       dip);
    }
    if (!isnan(direction) && !isnan(dip_direction)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "give either direction, from the x axis, or dip_direction, from north");
    }
    if (isinf(direction) || isinf(dip_direction)) {
        return cn_fail(err, CN_BAD_INPUT, "a direction must be finite");
    }
    return CN_OK;
}

static cn_status check_set(const cn_joint_set *set, cn_error *err)
{
    bool is_good = set->scatter >= 0.0 && set->scatter <= 0.5 && set->uneven >= 0.0 &&
                   set->uneven <= 1.0 && isfinite(set->offset);
    CN_TRY(check_attitude(set->dip, set->direction, set->dip_direction, err));
    if (!is_good) {
        return cn_fail(err, CN_BAD_INPUT,
                       "scatter between 0 and 0.5 rad and uneven between 0 and 1 are wanted, got "
                       "%g and %g",
                       set->scatter, set->uneven);
    }
    if (!(set->persistence >= 0.0 && set->persistence <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "persistence between 0 and 1 is wanted, got %g",
                       set->persistence);
    }
    return cn_check_length("spacing", set->spacing, err);
}

static cn_status check_plane(const cn_joint_plane *plane, cn_error *err)
{
    CN_TRY(check_attitude(plane->dip, plane->direction, plane->dip_direction, err));
    if (!isfinite(plane->at[0] + plane->at[1] + plane->at[2])) {
        return cn_fail(err, CN_BAD_INPUT, "its point must be finite");
    }
    return isnan(plane->radius) ? CN_OK : cn_check_length("radius", plane->radius, err);
}

static cn_status check_joints(const cn_slope_def *def, cn_error *err)
{
    const cn_joint_set *set = def->joints.row;
    const cn_joint_plane *plane = def->planes.row;
    cn_error why = {0};
    for (int k = 0; k < def->joints.count; k++) {
        if (check_set(&set[k], &why) != CN_OK) {
            return cn_fail(err, CN_BAD_INPUT, "joint set %d: %s", k + 1, why.text);
        }
    }
    for (int k = 0; k < def->planes.count; k++) {
        if (check_plane(&plane[k], &why) != CN_OK) {
            return cn_fail(err, CN_BAD_INPUT, "plane %d: %s", k + 1, why.text);
        }
    }
    return CN_OK;
}

static cn_status check(const cn_slope_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("height of the slope", def->height, err));
    CN_TRY(cn_check_length("length of the slope", def->length, err));
    CN_TRY(cn_check_length("width of the slope", def->width, err));
    CN_TRY(cn_check_seed(def->seed, err));
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
    if (!(isnan(def->thinnest) || def->thinnest >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "thinnest must be at least 0 m, got %g", def->thinnest);
    }
    if (!isfinite(def->azimuth)) {
        return cn_fail(err, CN_BAD_INPUT, "azimuth must be finite, got %g", def->azimuth);
    }
    return check_joints(def, err);
}

static cn_status add_block(blocks *b, const cn_cell *cell, cn_error *err)
{
    CN_TRY(cn_check_count("blocks of a slope", b->count + 1.0, err));
    CN_TRY(cn_reserve(NULL, &b->cell, &b->capacity, (size_t)b->count + 1, err));
    b->cell[b->count++] = *cell;
    return CN_OK;
}

static double least_spacing(const cn_slope_def *def)
{
    const cn_joint_set *set = def->joints.row;
    double least = fmin(def->height, fmin(def->length, def->width));
    for (int k = 0; k < def->joints.count; k++) {
        least = fmin(least, set[k].spacing);
    }
    return least;
}

// The whole slope as one block.
static cn_status begin(const cn_slope_def *def, blocks *b, cn_error *err)
{
    double run = def->angle < 0.5 * CN_PI ? def->height / tan(def->angle) : 0.0;
    const cn_vec2 profile[4] = {
        {-def->length, 0.0}, {0.0, 0.0}, {-run, def->height}, {-def->length, def->height}};
    const uint8_t side[4] = {TAG_BASE, 0, 0, TAG_BACK};
    cn_cell whole;
    cn_cell_prism(4, profile, def->width, side, TAG_SIDE, &whole);
    b->size = fmax(def->height, fmax(def->length, def->width));
    b->centre = cn_v3(-0.5 * def->length, 0.0, 0.5 * def->height);
    b->thinnest = isnan(def->thinnest) ? 0.1 * least_spacing(def) : def->thinnest;
    b->thinnest = fmax(b->thinnest, 10.0 * FLAT * b->size);
    return add_block(b, &whole, err);
}

// Where planes dip to, from +x towards +y.
static double direction_of(const cn_slope_def *def, double direction, double dip_direction)
{
    return !isnan(dip_direction) ? def->azimuth - dip_direction
           : isnan(direction)    ? 0.0
                                 : direction;
}

static cn_vec3 upward_normal(double dip, double direction)
{
    double s = sin(dip);
    return cn_v3(s * cos(direction), s * sin(direction), cos(dip));
}

// Plane k of a set: a pure function of the seed and of the two numbers.
static cn_plane draw_plane(const cn_slope_def *def, const blocks *b, int set_number, int k)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + set_number;
    uint64_t random = cn_mix2(cn_mix2((uint64_t)def->seed, (uint64_t)set_number), (uint64_t)k);
    double place = k + 0.5 + set->uneven * (cn_random(&random) - 0.5);
    double tilt = tan(set->scatter * sqrt(cn_random(&random)));
    double around = 2.0 * CN_PI * cn_random(&random);
    double direction = direction_of(def, set->direction, set->dip_direction);
    cn_vec3 mean = upward_normal(set->dip, direction);
    cn_vec3 u = cn_v3(-sin(direction), cos(direction), 0.0), v = cn_cross3(mean, u);
    cn_vec3 normal = cn_add_mul3(cn_add_mul3(mean, tilt * cos(around), u), tilt * sin(around), v);
    normal = cn_mul3(1.0 / cn_norm3(normal), normal);
    cn_vec3 point = cn_add_mul3(b->centre, set->offset + place * set->spacing, mean);
    return (cn_plane){normal, cn_dot3(normal, point)};
}

// A plane that cuts, and the disc of it that exists.
typedef struct joint {
    cn_plane plane;
    cn_vec3 centre;
    double radius; // [m]
} joint;

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
static cn_status cut_block(blocks *b, int k, const joint *by, cn_error *err)
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

static cn_status cut_planes(const cn_slope_def *def, blocks *b, cn_error *err)
{
    const cn_joint_plane *plane = def->planes.row;
    for (int k = 0; k < def->planes.count; k++) {
        const cn_joint_plane *p = &plane[k];
        cn_vec3 n = upward_normal(p->dip, direction_of(def, p->direction, p->dip_direction));
        cn_vec3 at = cn_v3(p->at[0], p->at[1], p->at[2]);
        const joint by = {{n, cn_dot3(n, at)}, at, isnan(p->radius) ? INFINITY : p->radius};
        for (int m = 0, before = b->count; m < before; m++) {
            CN_TRY(cut_block(b, m, &by, err));
        }
    }
    return CN_OK;
}

// Whether plane k of a set cuts a block in its way: drawn anew for each block.
static bool does_persist(const cn_slope_def *def, int set_number, int k, int block)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + set_number;
    uint64_t random = cn_mix2(cn_mix2((uint64_t)def->seed, (uint64_t)set_number), (uint64_t)k);
    random = cn_mix2(random, (uint64_t)block);
    return set->persistence == 1.0 || cn_random(&random) < set->persistence;
}

static cn_status cut_set(const cn_slope_def *def, blocks *b, int number, cn_error *err)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    double reach = cn_norm3(cn_v3(def->length, def->width, def->height)) / set->spacing;
    double shift = set->offset / set->spacing;
    if (!(reach <= PLANES_MAX && fabs(shift) <= PLANES_MAX)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "joint set %d: spacing %g m and offset %g m give more than %d planes",
                       number + 1, set->spacing, set->offset, PLANES_MAX);
    }
    int most = (int)ceil(0.5 * reach + fabs(shift)) + 1;
    for (int k = -most; k < most; k++) {
        const joint by = {.plane = draw_plane(def, b, number, k), .radius = INFINITY};
        for (int n = 0, before = b->count; n < before; n++) {
            if (does_persist(def, number, k, n)) {
                CN_TRY(cut_block(b, n, &by, err));
            }
        }
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

static cn_status add_pieces(const cn_slope_def *def, const blocks *b, const rank *order,
                            cn_pieces *pieces, cn_error *err)
{
    double smallest = INFINITY;
    int held = 0;
    for (int k = 0; k < b->count; k++) {
        const cn_cell *cell = &b->cell[order[k].block];
        cn_piece piece = {.index = {1, k + 1}, .is_support = is_held(def, cell)};
        double point[3 * CN_CELL_CORNER_MAX];
        for (int n = 0; n < cell->corner_count; n++) {
            point[3 * n] = cell->corner[n].x;
            point[3 * n + 1] = cell->corner[n].y;
            point[3 * n + 2] = cell->corner[n].z;
        }
        CN_TRY(cn_pieces_add_hull(pieces, cell->corner_count, point, &piece, err));
        smallest = fmin(smallest, cn_cell_volume(cell));
        held += piece.is_support;
    }
    snprintf(pieces->note, sizeof pieces->note,
             "%d blocks, %d of them held; the smallest has %.3g m3", b->count, held, smallest);
    return CN_OK;
}

static cn_status generate(const cn_slope_def *def, blocks *b, rank **order, cn_pieces *pieces,
                          cn_error *err)
{
    CN_TRY(begin(def, b, err));
    CN_TRY(cut_planes(def, b, err));
    for (int k = 0; k < def->joints.count; k++) {
        CN_TRY(cut_set(def, b, k, err));
    }
    CN_TRY(sort_blocks(b, order, err));
    return add_pieces(def, b, *order, pieces, err);
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

static const cn_field set_fields[] = {
    ATTITUDE_FIELDS(cn_joint_set),
    {CN_LENGTH_FIELD(cn_joint_set, spacing, "distance of the planes along their normal")},
    {CN_FIELD(cn_joint_set, offset, CN_FIELD_NUMBER, "m",
              "shift of the planes along their normal; 0: two lie half a spacing from the centre",
              -CN_LENGTH_MOST, CN_LENGTH_MOST, 0.0, NULL)},
    {CN_FIELD(cn_joint_set, scatter, CN_FIELD_NUMBER, "rad",
              "largest angle of a plane with the mean of its set, at random", 0.0, 0.5, 0.0, NULL)},
    {CN_FIELD(cn_joint_set, uneven, CN_FIELD_NUMBER, "-",
              "0: equal spacing .. 1: every plane anywhere in its share of it, at random", 0.0, 1.0,
              0.0, NULL)},
    {CN_FIELD(cn_joint_set, persistence, CN_FIELD_NUMBER, "-",
              "share of the blocks in its way that a plane cuts, at random: rock bridges are left",
              0.0, 1.0, 1.0, NULL)},
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

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_slope_def, height, "height")},
    {CN_FIELD(cn_slope_def, angle, CN_FIELD_NUMBER, "rad", "angle of the face, from the horizontal",
              0.01, 0.5 * CN_PI, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_slope_def, length, "length of the base, from the toe back")},
    {CN_LENGTH_FIELD(cn_slope_def, width, "width along y")},
    {CN_FIELD(cn_slope_def, azimuth, CN_FIELD_NUMBER, "rad",
              "dip direction of the face, the one of +x: clockwise from north, as dip_direction",
              -2.0 * CN_PI, 2.0 * CN_PI, 0.0, NULL)},
    {CN_FIELD(cn_slope_def, planes, CN_FIELD_LIST, "-",
              "single joints and faults, which cut before the sets", 0.0, 0.0, NAN, NULL),
     .is_optional = true, .variant_count = 1, .variant = &plane_variant,
     .row_size = sizeof(cn_joint_plane)},
    {CN_FIELD(cn_slope_def, joints, CN_FIELD_LIST, "-", "sets of joints that cut it", 0.0, 0.0, NAN,
              NULL),
     .is_optional = true, .variant_count = 1, .variant = &set_variant,
     .row_size = sizeof(cn_joint_set)},
    {CN_FIELD(
         cn_slope_def, thinnest, CN_FIELD_NUMBER, "m",
         "cuts that leave thinner pieces are not made; without it a tenth of the least spacing",
         0.0, CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_slope_def, hold_base, CN_FIELD_FLAG, "-", "blocks that reach the base are fixed",
              0.0, 1.0, 0.0, NULL)},
    {CN_FIELD(cn_slope_def, hold_back, CN_FIELD_FLAG, "-", "blocks that reach the back are fixed",
              0.0, 1.0, 0.0, NULL)},
    {CN_FIELD(cn_slope_def, hold_sides, CN_FIELD_FLAG, "-",
              "blocks that reach the two sides are fixed", 0.0, 1.0, 0.0, NULL)},
    {CN_SEED_FIELD(cn_slope_def)},
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
