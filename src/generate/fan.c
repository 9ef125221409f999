// generate/fan.c -- fan vaults: quarters of a surface of revolution about the corners of a square,
// and the level slab between them.
//
// The profile of a fan is a quarter of an ellipse that rises upright from the pier and ends level
// in the middle of the sides, where neighbouring fans touch. Half-planes through the axis of the
// fan and level cuts divide it into facets as those of a dome: edges below and above are parallel,
// so all six faces are plane. The slab between the four fans has concave sides; it is one body of
// wedges that meet in its middle. In running bond a stone is two facets, every second course is
// shifted by one, and ends with half a stone at the sides.
#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

typedef struct fan {
    double half;            // half the side of the square: radius at the crown [m]
    double rise, thickness; // [m]
    double reach;           // of the intrados from the pier to the crown, level [m]
    int courses, sides;     // facets of each course
    int per_stone;
} fan;

static cn_status check(const cn_fan_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("size of a fan vault", def->size, err));
    CN_TRY(cn_check_length("pier of a fan vault", def->pier, err));
    CN_TRY(cn_check_length("thickness of a fan vault", def->thickness, err));
    if (!isnan(def->rise)) {
        CN_TRY(cn_check_length("rise of a fan vault", def->rise, err));
    }
    if (!(def->pier < 0.5 * def->size)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "pier must be less than half the size of the fan vault, %g m, got %g",
                       0.5 * def->size, def->pier);
    }
    if (!(def->thickness < def->pier)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "thickness must be less than the pier of the fan vault, %g m, got %g: its "
                       "extrados lies nearer to the axis than its intrados",
                       def->pier, def->thickness);
    }
    if (def->stones < 2) {
        return cn_fail(err, CN_BAD_INPUT, "a course of a fan needs at least 2 stones, got %d",
                       def->stones);
    }
    CN_TRY(cn_check_count("courses of a fan vault", def->courses, err));
    return cn_check_count("stones of a fan vault", 8.0 * def->courses * def->stones, err);
}

static fan fan_of(const cn_fan_def *def)
{
    double reach = 0.5 * def->size - def->pier;
    int per_stone = def->bond == CN_BOND_RUNNING ? 2 : 1;
    return (fan){.half = 0.5 * def->size,
                 .rise = isnan(def->rise) ? reach : def->rise,
                 .thickness = def->thickness,
                 .reach = reach,
                 .courses = def->courses,
                 .sides = per_stone * def->stones,
                 .per_stone = per_stone};
}

// Distance from the axis, and height, of cut k, from 0 at the springing.
static cn_vec2 profile(const fan *f, bool is_outer, int k)
{
    double angle = 0.5 * CN_PI * k / f->courses, more = is_outer ? f->thickness : 0.0;
    double cosine = k == f->courses ? 0.0 : cos(angle); // cos(pi/2) is not quite 0
    return cn_v2(f->half - (f->reach + more) * cosine, (f->rise + more) * sin(angle));
}

// Quarters follow each other by turns of a right angle about the middle, first that of the corner
// at x, y < 0. Meridian j of `sides` starts at the side of the square; the second half mirrors the
// first, so that neighbouring quarters share bits.
static void meridian(const fan *f, int j, double direction[2])
{
    bool is_mirrored = 2 * j > f->sides;
    double angle = 0.5 * CN_PI * (is_mirrored ? f->sides - j : j) / f->sides;
    bool is_middle = 2 * j == f->sides;
    double c = cos(angle), s = is_middle ? c : sin(angle);
    direction[0] = is_mirrored ? s : c;
    direction[1] = is_mirrored ? c : s;
}

static void turned(int quarter, double x, double y, double point[2])
{
    static const double cosine[4] = {1.0, 0.0, -1.0, 0.0}, sine[4] = {0.0, 1.0, 0.0, -1.0};
    point[0] = cosine[quarter] * x - sine[quarter] * y;
    point[1] = sine[quarter] * x + cosine[quarter] * y;
}

static void put(const fan *f, int quarter, int j, cn_vec2 at, double point[3])
{
    double direction[2];
    meridian(f, j, direction);
    turned(quarter, at.x * direction[0] - f->half, at.x * direction[1] - f->half, point);
    point[2] = at.y;
}

// A facet of a fan: what lies over side j between the corners of two level cuts.
static cn_status add_facet(const fan *f, int quarter, int j, const cn_vec2 corner[4],
                           const cn_piece *piece, cn_pieces *pieces, cn_error *err)
{
    double point[24];
    for (int n = 0; n < 8; n++) {
        put(f, quarter, j + n % 2, corner[n / 2], point + 3 * n);
    }
    return cn_pieces_add_hull(pieces, 8, point, piece, err);
}

static cn_status add_course(const fan *f, int k, cn_pieces *pieces, cn_error *err)
{
    const cn_vec2 corner[4] = {profile(f, false, k), profile(f, true, k), profile(f, false, k + 1),
                               profile(f, true, k + 1)};
    int shift = f->per_stone == 2 ? k % 2 : 0, position = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
        for (int j = 0; j < f->sides; j++) {
            bool is_part = j > 0 && (j + shift) % f->per_stone != 0;
            position += is_part ? 0 : 1;
            cn_piece piece = {.index = {k + 1, position}, .is_part = is_part};
            CN_TRY(add_facet(f, quarter, j, corner, &piece, pieces, err));
        }
    }
    return CN_OK;
}

// Wedges from the middle to the last edges of the fans.
static cn_status add_slab(const fan *f, cn_pieces *pieces, cn_error *err)
{
    const cn_vec2 low = profile(f, false, f->courses), high = profile(f, true, f->courses);
    for (int n = 0; n < 4 * f->sides; n++) {
        double point[18] = {0.0, 0.0, low.y, 0.0, 0.0, high.y};
        for (int m = 0; m < 4; m++) {
            put(f, n / f->sides, n % f->sides + m % 2, m < 2 ? low : high, point + 6 + 3 * m);
        }
        cn_piece piece = {.index = {f->courses + 1, 1}, .is_part = n > 0};
        CN_TRY(cn_pieces_add_hull(pieces, 6, point, &piece, err));
    }
    return CN_OK;
}

// Fixed blocks one thickness deep below the springing.
static cn_status add_abutments(const fan *f, cn_pieces *pieces, cn_error *err)
{
    cn_vec2 corner[4] = {profile(f, false, 0), profile(f, true, 0)};
    corner[2] = cn_v2(corner[0].x, -f->thickness);
    corner[3] = cn_v2(corner[1].x, -f->thickness);
    for (int n = 0; n < 4 * f->sides; n++) {
        cn_piece piece = {.index = {f->courses + 2, n + 1}, .is_support = true};
        CN_TRY(add_facet(f, n / f->sides, n % f->sides, corner, &piece, pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_fan(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_fan_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    fan f = fan_of(def);
    for (int k = 0; k < f.courses; k++) {
        CN_TRY(add_course(&f, k, pieces, err));
    }
    CN_TRY(add_slab(&f, pieces, err));
    return def->abutments ? add_abutments(&f, pieces, err) : CN_OK;
}

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_fan_def, size, "side of the square that it covers")},
    {CN_LENGTH_FIELD(cn_fan_def, pier, "radius of the fans at their springing")},
    {CN_LENGTH_FIELD(cn_fan_def, rise,
                     "of the intrados; size/2 - pier if not given, a quarter of a circle"),
     .is_optional = true},
    {CN_LENGTH_FIELD(cn_fan_def, thickness, "less than the pier")},
    {CN_COUNT_FIELD(cn_fan_def, courses, "from the springing to the crown")},
    {CN_COUNT_FIELD(cn_fan_def, stones, "of each course of a fan, at least 2")},
    {CN_FIELD(cn_fan_def, bond, CN_FIELD_WORD, "-",
              "running: every second course is turned by half a stone; stack: none is", 0.0, 1.0,
              CN_BOND_RUNNING, "running stack")},
    {CN_FIELD(cn_fan_def, abutments, CN_FIELD_FLAG, "-",
              "add fixed blocks below the springing: fan.supports", 0.0, 1.0, 1.0, NULL)},
};

const cn_generator cn_fan_generator = {
    .name = "fan",
    .help = "fan vault over a square: a quarter of a fan at each corner and a slab between them, "
            "springing of the intrados on z = 0; fan[course, stone] from below, the slab after the "
            "last course",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_fan_def),
    .dim = 3,
    .make = cn_generate_fan,
};
