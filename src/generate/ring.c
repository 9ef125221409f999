// generate/ring.c -- pieces on circles around the origin: beads of a membrane, a rough drum, vanes,
// or a loose annular packing that a pressure closes.
//
// A piece counts by the circle that holds it. Pieces of one ring have their centres on one circle
// of radius c; two of bounds b stand free of each other if their angle is at least the sum of their
// halves asin((b + gap/2) / c), since asin is convex. What is left of the turn is shared evenly.
#include "base/hash.h"
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/generate.h"
#include "generate/pack/grain.h"

#include <stdio.h>

#define ROUNDING 1e-14 // six equal disks fit around one

// One ring that is being filled: pieces first .. first + count - 1 of the sample.
typedef struct ring {
    int number; // from 1, inside first
    int first, count;
    double radius; // of the circle of the centres [m]
    double used;   // sum of the angles of its pieces [rad]
} ring;

static cn_status check(const cn_ring_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("radius inside a ring", def->radius, err));
    CN_TRY(cn_grain_check(&def->shape, err));
    CN_TRY(cn_check_seed(def->seed, err));
    if (!(def->gap >= 0.0 && def->gap <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "ring gap must be at least 0 m, got %g", def->gap);
    }
    if ((def->rings > 0) == (def->count > 0)) {
        return cn_fail(err, CN_BAD_INPUT, "a ring takes either rings or count, %s",
                       def->count > 0 ? "both are given" : "neither is given");
    }
    if (def->around < 0 || def->rings < 0 || def->count < 0) {
        return cn_fail(err, CN_BAD_INPUT, "rings, count and around of a ring are at least 1");
    }
    if (def->rings > 0 && def->around > 0) {
        return cn_check_count("pieces of a ring", (double)def->rings * def->around, err);
    }
    return cn_check_count("pieces of a ring", def->rings + def->count, err);
}

static double half_angle(const cn_ring_def *def, const cn_grain *grain, const ring *r)
{
    return asin(fmin(1.0, (grain->bound + 0.5 * def->gap) / r->radius));
}

// Counts the pieces of a ring: as many as fit, or as are wanted.
static cn_status fill(const cn_ring_def *def, ring *r, cn_error *err)
{
    int left = def->count > 0 ? def->count - r->first : CN_PIECES_MAX - r->first;
    int most = def->around > 0 && def->around < left ? def->around : left;
    r->used = 0.0;
    for (r->count = 0; r->count < most; r->count++) {
        cn_grain grain;
        cn_grain_draw(&def->shape, (uint64_t)def->seed, (uint64_t)(r->first + r->count), &grain);
        double angle = 2.0 * half_angle(def, &grain, r);
        if (r->used + angle > 2.0 * CN_PI * (1.0 + ROUNDING)) {
            break;
        }
        r->used += angle;
    }
    if (r->count < most && def->around > 0) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "ring %d has room for %d pieces, not for the %d that `around` asks for; take "
            "a larger radius, smaller pieces or a smaller gap",
            r->number, r->count, def->around);
    }
    return cn_check_count("pieces of a ring", (double)r->first + r->count, err);
}

static cn_status add_ring(const cn_ring_def *def, const ring *r, double start, cn_pieces *pieces,
                          cn_error *err)
{
    double share = (2.0 * CN_PI - r->used) / r->count, angle = start;
    for (int n = 0; n < r->count; n++) {
        const int index[2] = {r->number, n + 1};
        cn_grain grain;
        cn_grain_draw(&def->shape, (uint64_t)def->seed, (uint64_t)(r->first + n), &grain);
        double half = half_angle(def, &grain, r) + 0.5 * share;
        angle += n > 0 ? half : 0.0;
        CN_TRY(cn_grain_add(&grain, r->radius * cos(angle), r->radius * sin(angle), angle, index,
                            pieces, err));
        angle += half;
    }
    return CN_OK;
}

cn_status cn_generate_ring(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_ring_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    uint64_t random = cn_mix2((uint64_t)def->seed, UINT64_MAX);
    double bound = cn_grain_bound_most(&def->shape);
    ring r = {.number = 1, .radius = def->radius + def->gap + bound};
    while (def->count > 0 ? r.first < def->count : r.number <= def->rings) {
        CN_TRY(fill(def, &r, err));
        bool is_even = r.number == 1 || def->around > 0;
        CN_TRY(add_ring(def, &r, is_even ? 0.0 : 2.0 * CN_PI * cn_random(&random), pieces, err));
        r.first += r.count;
        r.number++;
        r.radius += 2.0 * bound + def->gap;
    }
    snprintf(pieces->note, sizeof pieces->note, "%d pieces in %d rings, up to a radius of %.4g m",
             r.first, r.number - 1, r.radius - bound - def->gap);
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_ring_def, radius, "of the circle that the first ring is around")},
    {CN_FIELD(cn_ring_def, shape, CN_FIELD_ONE_OF, "-",
              "shape and sizes of the pieces, whose x axes point outwards", 0.0, 0.0, NAN, NULL),
     .variant_count = CN_GRAIN_VARIANT_COUNT, .variant = cn_grain_variants},
    {CN_COUNT_FIELD(cn_ring_def, rings, "number of rings, one around the other; or give count"),
     .is_optional = true},
    {CN_COUNT_FIELD(cn_ring_def, count, "number of pieces of all rings together; or give rings"),
     .is_optional = true},
    {CN_COUNT_FIELD(cn_ring_def, around, "pieces in each ring; without it as many as fit"),
     .is_optional = true},
    {CN_GAP_FIELD(cn_ring_def, gap, "least distance between pieces and to the circle inside")},
    {CN_SEED_FIELD(cn_ring_def)},
};

const cn_generator cn_ring_generator = {
    .name = "ring",
    .help = "pieces on circles around the origin, spread evenly: beads of a membrane, a rough "
            "drum, an annular packing; ring[number from inside, position counterclockwise]; the "
            "first piece is on the x axis, with `around` that of each ring",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_ring_def),
    .dim = 2,
    .make = cn_generate_ring,
};
