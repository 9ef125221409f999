// generate/house.c -- a house: four walls in running bond with interlocked corners, openings
// with lintels, a floor and a roof slab.
//
// Walls are front, right, back, left; s runs along each from one outer corner to the other. In
// every course two opposite walls run through to the corners and the other two fit between them; in
// the next course it is the other way round. Head joints are at multiples of a block length from
// the corner, in every second course shifted by half a block; joints nearer than a quarter of a
// block to an end of the run, an opening or a lintel are left out, so stones are a quarter to one
// and a half blocks long. A lintel is one course high.
#include "base/memory.h"
#include "generate/masonry.h"

#define WALLS 4
#define QUARTER (0.25 - 1e-9) // of a block: the shortest stone, up to rounding [-]
#define COURSE_TOLERANCE 1e-6 // accepted distance of a height from a whole number of courses [-]

static const char *const wall_name[WALLS] = {"front", "right", "back", "left"};

// Openings of one wall from s = 0 on, in courses from 0: [sill, top).
typedef struct opening {
    double from, to; // [m]
    int sill, top;
} opening;

typedef struct house {
    const cn_house_def *def;
    double bearing;              // of lintels on each side [m]
    int door_top;                // [courses]
    int window_sill, window_top; // [courses]
    int windows[WALLS];
} house;

static double wall_length(const house *h, int wall)
{
    return h->def->size[wall % 2];
}

static bool has_door(const house *h, int wall)
{
    return wall == 0 && !isnan(h->def->door[0]);
}

static int count_openings(const house *h, int wall)
{
    return h->windows[wall] + (has_door(h, wall) ? 1 : 0);
}

// Openings are in the middle of equal parts of the wall between its corners, the door in the middle
// part.
static opening opening_at(const house *h, int wall, int k)
{
    int count = count_openings(h, wall);
    bool is_door = has_door(h, wall) && k == count / 2;
    double thickness = h->def->block[1], width = is_door ? h->def->door[0] : h->def->window[0];
    double inside = wall_length(h, wall) - 2.0 * thickness;
    double middle = thickness + inside * (2 * k + 1) / (2.0 * count);
    return (opening){.from = middle - 0.5 * width,
                     .to = middle + 0.5 * width,
                     .sill = is_door ? 0 : h->window_sill,
                     .top = is_door ? h->door_top : h->window_top};
}

// ---- checks

static cn_status check_sizes(const cn_house_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("house size along x", def->size[0], err));
    CN_TRY(cn_check_length("house size along y", def->size[1], err));
    CN_TRY(cn_check_length("block length", def->block[0], err));
    CN_TRY(cn_check_length("block thickness", def->block[1], err));
    CN_TRY(cn_check_length("block height", def->block[2], err));
    CN_TRY(cn_check_count("courses of a house", def->courses, err));
    double around = (def->size[0] + def->size[1]) / def->block[0];
    CN_TRY(cn_check_count("stones of a house", 8.0 * around * def->courses, err));
    double least = 2.0 * def->block[1] + def->block[0], shorter = fmin(def->size[0], def->size[1]);
    if (!(def->block[1] <= def->block[0] && shorter >= least)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "walls of blocks of length %g m and thickness %g m need a thickness of at "
                       "most the length and a house of at least %g m, got %g x %g m",
                       def->block[0], def->block[1], least, def->size[0], def->size[1]);
    }
    return CN_OK;
}

static cn_status whole_courses(const cn_house_def *def, const char *what, double height,
                               int *courses, cn_error *err)
{
    double exact = height / def->block[2], whole = round(exact);
    if (!(whole <= def->courses)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s %g m is more than the wall has, %d courses of %g m: make it lower, or "
                       "give more courses",
                       what, height, def->courses, def->block[2]);
    }
    if (!(fabs(exact - whole) <= COURSE_TOLERANCE)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s %g m is not a whole number of courses of %g m: use %.9g or %.9g m", what,
                       height, def->block[2], floor(exact) * def->block[2],
                       ceil(exact) * def->block[2]);
    }
    *courses = (int)whole;
    return CN_OK;
}

static cn_status check_lintel(const cn_house_def *def, const char *what, int sill, int top,
                              cn_error *err)
{
    if (!(sill < top && top < def->courses)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s from course %d to %d leaves no room for its lintel in a wall of %d "
                       "courses",
                       what, sill + 1, top, def->courses);
    }
    return CN_OK;
}

static cn_status read_windows(const cn_house_def *def, house *h, cn_error *err)
{
    int count = def->windows.count, sum = 0;
    if (count != 0 && count != WALLS) {
        return cn_fail(err, CN_BAD_INPUT,
                       "windows takes four numbers, for the front, right, back and left wall, got "
                       "%d",
                       count);
    }
    for (int wall = 0; wall < count; wall++) {
        double n = def->windows.value[wall];
        if (!(n >= 0.0 && n <= 1000.0 && n == floor(n))) {
            return cn_fail(err, CN_BAD_INPUT, "%g windows in the %s wall: give a whole number", n,
                           wall_name[wall]);
        }
        h->windows[wall] = (int)n;
        sum += (int)n;
    }
    if (count == 0 && !(isnan(def->window[0]) && isnan(def->sill))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "windows have a size or a sill, but no wall has any: give windows: [front, "
                       "right, back, left], how many each has");
    }
    if (sum > 0 && (isnan(def->window[0]) || isnan(def->sill))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%d windows, but their size is not known: give window: [width, height] and "
                       "sill",
                       sum);
    }
    return CN_OK;
}

static cn_status check_openings(const cn_house_def *def, house *h, cn_error *err)
{
    CN_TRY(read_windows(def, h, err));
    if (!isnan(def->door[0])) {
        CN_TRY(cn_check_length("door width", def->door[0], err));
        CN_TRY(whole_courses(def, "door height", def->door[1], &h->door_top, err));
        CN_TRY(check_lintel(def, "door", 0, h->door_top, err));
    }
    for (int wall = 0; wall < WALLS; wall++) {
        if (h->windows[wall] > 0) {
            int height = 0;
            CN_TRY(cn_check_length("window width", def->window[0], err));
            CN_TRY(whole_courses(def, "sill", def->sill, &h->window_sill, err));
            CN_TRY(whole_courses(def, "window height", def->window[1], &height, err));
            h->window_top = h->window_sill + height;
            CN_TRY(check_lintel(def, "window", h->window_sill, h->window_top, err));
        }
    }
    return CN_OK;
}

// Between openings there is room for two bearings and a stone, to the corner for one.
static cn_status check_piers(const house *h, int wall, cn_error *err)
{
    double stone = QUARTER * h->def->block[0], thickness = h->def->block[1];
    int count = count_openings(h, wall);
    for (int k = 0; k <= count; k++) {
        double from = k == 0 ? thickness : opening_at(h, wall, k - 1).to + h->bearing;
        double to = k == count ? wall_length(h, wall) - thickness
                               : opening_at(h, wall, k).from - h->bearing;
        if (!(to - from >= stone || count == 0)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the %s wall has no room for %d openings with lintels that rest %g m on "
                           "each side: make them fewer or narrower",
                           wall_name[wall], count, h->bearing);
        }
    }
    return CN_OK;
}

static cn_status check(const cn_house_def *def, house *h, cn_error *err)
{
    *h = (house){.def = def, .bearing = isnan(def->bearing) ? 0.5 * def->block[0] : def->bearing};
    CN_TRY(check_sizes(def, err));
    CN_TRY(check_openings(def, h, err));
    CN_TRY(cn_check_length("bearing of a lintel", h->bearing, err));
    for (int wall = 0; wall < WALLS; wall++) {
        CN_TRY(check_piers(h, wall, err));
    }
    if (!(def->roof >= 0.0 && def->floor >= 0.0 && def->overhang >= 0.0 &&
          def->roof + def->floor + def->overhang <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "roof, floor and overhang must be at least 0 m, got %g, %g and %g",
                       def->roof, def->floor, def->overhang);
    }
    return CN_OK;
}

// ---- stones

static cn_status add_box(double x, double y, double z, const cn_piece *piece, cn_pieces *pieces,
                         cn_error *err)
{
    double corner[24];
    cn_piece box = *piece;
    box.solid = CN_SOLID_HULL;
    box.vertex_count = 8;
    cn_box_corners(x, y, z, corner);
    CN_TRY(cn_pieces_add_vertices(pieces, 8, corner, &box.vertex_start, err));
    return cn_pieces_add(pieces, &box, err);
}

// One course of one wall; positions count through the walls of a course.
typedef struct run {
    const house *h;
    int wall, course;
    double phase; // of its head joints [m]
    int *position;
    cn_pieces *pieces;
} run;

static cn_status add_stone(const run *r, double from, double to, cn_error *err)
{
    const cn_house_def *def = r->h->def;
    int along = r->wall % 2, across = 1 - along;
    bool is_far = r->wall == 1 || r->wall == 2;
    double size[3] = {0}, out = 0.5 * (def->size[across] - def->block[1]);
    cn_piece piece = {.index = {r->course + 1, ++*r->position}};
    size[along] = to - from;
    size[across] = def->block[1];
    piece.at[along] = 0.5 * (from + to) - 0.5 * def->size[along];
    piece.at[across] = is_far ? out : -out;
    piece.at[2] = (r->course + 0.5) * def->block[2];
    return add_box(size[0], size[1], def->block[2], &piece, r->pieces, err);
}

// Stones between two ends.
static cn_status lay(const run *r, double from, double to, cn_error *err)
{
    double length = r->h->def->block[0], near = QUARTER * length;
    int first = (int)ceil((from + near - r->phase) / length);
    for (int k = first; r->phase + k * length <= to - near; k++) {
        double joint = r->phase + k * length;
        CN_TRY(add_stone(r, from, joint, err));
        from = joint;
    }
    return add_stone(r, from, to, err);
}

static cn_status add_run(const run *r, cn_error *err)
{
    const house *h = r->h;
    bool is_through = r->wall % 2 == r->course % 2;
    double from = is_through ? 0.0 : h->def->block[1], to = wall_length(h, r->wall) - from;
    for (int k = 0; k < count_openings(h, r->wall); k++) {
        opening o = opening_at(h, r->wall, k);
        if (r->course == o.top) {
            CN_TRY(lay(r, from, o.from - h->bearing, err));
            CN_TRY(add_stone(r, o.from - h->bearing, o.to + h->bearing, err));
            from = o.to + h->bearing;
        } else if (r->course >= o.sill && r->course < o.top) {
            CN_TRY(lay(r, from, o.from, err));
            from = o.to;
        }
    }
    return lay(r, from, to, err);
}

static cn_status add_slab(const house *h, double thickness, double middle, int course,
                          bool is_support, cn_pieces *pieces, cn_error *err)
{
    const cn_house_def *def = h->def;
    cn_piece piece = {.at = {0.0, 0.0, middle}, .index = {course, 1}, .is_support = is_support};
    return add_box(def->size[0] + 2.0 * def->overhang, def->size[1] + 2.0 * def->overhang,
                   thickness, &piece, pieces, err);
}

cn_status cn_generate_house(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_house_def *def = params;
    house h = {0};
    pieces->note[0] = '\0';
    CN_TRY(check(def, &h, err));
    for (int course = 0; course < def->courses; course++) {
        int position = 0;
        for (int wall = 0; wall < WALLS; wall++) {
            double phase = wall % 2 == course % 2 ? 0.0 : 0.5 * def->block[0];
            run r = {&h, wall, course, phase, &position, pieces};
            CN_TRY(add_run(&r, err));
        }
    }
    int next = def->courses + 1;
    if (def->roof > 0.0) {
        double middle = def->courses * def->block[2] + 0.5 * def->roof;
        CN_TRY(add_slab(&h, def->roof, middle, next++, false, pieces, err));
    }
    return def->floor > 0.0 ? add_slab(&h, def->floor, -0.5 * def->floor, next, true, pieces, err)
                            : CN_OK;
}

static const cn_field fields[] = {
    {CN_FIELD(cn_house_def, size, CN_FIELD_PAIR, "m", "outer size along x and y", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_COUNT_FIELD(cn_house_def, courses, "number of courses")},
    {CN_FIELD(cn_house_def, block, CN_FIELD_POINT, "m",
              "length, thickness and height of a block; the bond is regular if the thickness is "
              "half the length and the house a whole number of lengths",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_house_def, door, CN_FIELD_PAIR, "m",
              "width and height of a door in the middle of the front wall, the one at -y; heights "
              "are whole numbers of courses",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_house_def, window, CN_FIELD_PAIR, "m", "width and height of each window",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_LENGTH_FIELD(cn_house_def, sill, "height of the windows above the floor"),
     .is_optional = true},
    {CN_FIELD(cn_house_def, windows, CN_FIELD_NUMBERS, "-",
              "how many windows the front, right, back and left wall has: four numbers", 0.0,
              1000.0, NAN, NULL),
     .is_optional = true},
    {CN_LENGTH_FIELD(cn_house_def, bearing,
                     "how far lintels rest on each side; half a block length if not given"),
     .is_optional = true},
    {CN_GAP_FIELD(cn_house_def, roof, "thickness of a slab on the walls; 0: none")},
    {CN_GAP_FIELD(cn_house_def, floor,
                  "thickness of a fixed slab below the walls, house.supports; 0: none")},
    {CN_GAP_FIELD(cn_house_def, overhang, "how far the slabs reach beyond the walls")},
};

const cn_generator cn_house_generator = {
    .name = "house",
    .help = "four walls in running bond with interlocked corners, openings and lintels, centred on "
            "the z axis; house[course, position], positions through front, right, back, left",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_house_def),
    .dim = 3,
    .make = cn_generate_house,
};
