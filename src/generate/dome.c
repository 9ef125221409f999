// generate/dome.c -- domes: rings of stones with plane faces that lie on each other.
//
// The surface of a dome is cut by `sides` half-planes through the axis (meridians) and by cones
// about it (rings). Its corners are the points of two spheres on these cuts; between them the shell
// is straight. A facet is what lies between two meridians and two cones: six plane faces, since the
// rays from the centre through two corners of a ring span a plane and the chords above and below
// are parallel. Facets are cut from the same corners, so neighbours share whole faces.
//
// In stack bond a stone is one facet. In running bond there are two sides per stone, a stone is two
// facets joined at a meridian, and every second ring is shifted by one side. Lunes are the stones
// about the x axis only; at the crown, where their sides would meet in a line, they keep a narrow
// face (2 BLADE of the thickness wide) with which the two press against each other.
#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

#define BLADE 0.01 // half width of lunes at the crown over the thickness [-]

// Angles are from the axis, at the crown and at the springing [rad].
typedef struct shell {
    double inner, outer;     // radii [m]
    double crown, springing; // [rad]
    double base;             // height of z = 0 above the centre [m]
    int sides;
    int rings;
} shell;

static cn_status check_crown(const cn_dome_def *def, const shell *s, cn_error *err)
{
    bool is_lunes = def->form == CN_DOME_LUNES;
    if (is_lunes && (!isnan(def->oculus) || def->stones % 2 != 0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "two opposite lunes need an even number of stones and no oculus, got %d "
                       "stones%s",
                       def->stones, isnan(def->oculus) ? "" : " and an oculus");
    }
    double most = s->inner * sin(s->springing);
    if (!isnan(def->oculus) && !(def->oculus > 0.0 && def->oculus < most)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "oculus must be between 0 and the radius of the springing, %g m, got %g",
                       most, def->oculus);
    }
    return CN_OK;
}

static cn_status check(const cn_dome_def *def, shell *s, cn_error *err)
{
    CN_TRY(cn_check_length("dome radius", def->radius, err));
    CN_TRY(cn_check_length("dome thickness", def->thickness, err));
    CN_TRY(cn_check_count("rings of a dome", def->rings, err));
    CN_TRY(cn_check_count("stones of a ring", def->stones, err));
    CN_TRY(cn_check_count("stones of a dome", 2.0 * def->rings * def->stones, err));
    if (def->stones < 4) {
        return cn_fail(err, CN_BAD_INPUT, "a ring of a dome needs at least 4 stones, got %d",
                       def->stones);
    }
    if (!(def->thickness < 2.0 * def->radius)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "dome thickness %g m leaves no room: it must be less than twice the radius "
                       "%g m",
                       def->thickness, def->radius);
    }
    if (!(def->embrace > 0.0 && def->embrace <= CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT, "embrace must be between 0 and pi rad, got %g",
                       def->embrace);
    }
    bool is_split = def->bond == CN_BOND_RUNNING && def->form == CN_DOME_WHOLE;
    *s = (shell){.inner = def->radius - 0.5 * def->thickness,
                 .outer = def->radius + 0.5 * def->thickness,
                 .springing = 0.5 * def->embrace,
                 .sides = is_split ? 2 * def->stones : def->stones,
                 .rings = def->rings};
    s->base = def->embrace == CN_PI ? 0.0 : s->inner * cos(s->springing);
    return check_crown(def, s, err);
}

// Without oculus the keystone is half a ring wide on each side of the axis.
static double crown_angle(const cn_dome_def *def, const shell *s)
{
    if (def->form == CN_DOME_LUNES) {
        return 0.0;
    }
    return isnan(def->oculus) ? s->springing / (2 * def->rings + 1) : asin(def->oculus / s->inner);
}

// Angle of the cone below ring k, k from 0 at the springing.
static double cone_angle(const shell *s, int k)
{
    return s->springing + (s->crown - s->springing) * k / s->rings;
}

// The corner at distance r from the centre on meridian j; side j is between meridians j and j + 1,
// side 0 across the x axis.
static cn_vec3 corner(const shell *s, double r, double angle, int j)
{
    j %= s->sides;
    double turn = (2 * j - 1) * CN_PI / s->sides;
    bool is_level = angle == 0.5 * CN_PI; // cos(pi/2) is not quite 0
    double sine = is_level ? 1.0 : sin(angle), cosine = is_level ? 0.0 : cos(angle);
    return cn_v3(r * sine * cos(turn), r * sine * sin(turn), r * cosine - s->base);
}

static void put(double point[3], cn_vec3 x)
{
    point[0] = x.x;
    point[1] = x.y;
    point[2] = x.z;
}

// The part of the shell between two spheres and two cones.
typedef struct layer {
    double inner, outer; // radii [m]
    double low, high;    // angles of the cones from the axis [rad]
} layer;

// Side j of a layer.
static cn_status add_facet(const shell *s, const layer *in, int j, const cn_piece *piece,
                           cn_pieces *pieces, cn_error *err)
{
    double point[24];
    for (int n = 0; n < 8; n++) {
        double r = n % 2 == 0 ? in->inner : in->outer, angle = n < 4 ? in->low : in->high;
        put(point + 3 * n, corner(s, r, angle, j + (n / 2) % 2));
    }
    return cn_pieces_add_hull(pieces, 8, point, piece, err);
}

// The uppermost stone of a lune, with its narrow face on x = 0.
static cn_status add_tip(const shell *s, int j, const cn_piece *piece, cn_pieces *pieces,
                         cn_error *err)
{
    double point[24], half = BLADE * (s->outer - s->inner);
    for (int n = 0; n < 8; n++) {
        double r = n % 2 == 0 ? s->inner : s->outer;
        int end = (n / 2) % 2;
        put(point + 3 * n, n < 4 ? corner(s, r, cone_angle(s, s->rings - 1), j + end)
                                 : cn_v3(0.0, end == 0 ? -half : half, r - s->base));
    }
    return cn_pieces_add_hull(pieces, 8, point, piece, err);
}

static cn_status add_ring(const cn_dome_def *def, const shell *s, int k, cn_pieces *pieces,
                          cn_error *err)
{
    int per_stone = s->sides / def->stones;
    bool is_lunes = def->form == CN_DOME_LUNES;
    int step = is_lunes ? def->stones / 2 : 1;
    const layer ring = {s->inner, s->outer, cone_angle(s, k), cone_angle(s, k + 1)};
    for (int stone = 0, position = 1; stone < def->stones; stone += step, position++) {
        cn_piece piece = {.index = {k + 1, position}};
        if (is_lunes && k + 1 == s->rings) {
            CN_TRY(add_tip(s, stone, &piece, pieces, err));
            continue;
        }
        for (int n = 0; n < per_stone; n++) {
            int side = per_stone * stone + n + (per_stone == 2 ? k % 2 : 0);
            piece.is_part = n > 0;
            CN_TRY(add_facet(s, &ring, side, &piece, pieces, err));
        }
    }
    return CN_OK;
}

static cn_status add_key(const shell *s, cn_pieces *pieces, cn_error *err)
{
    double middle = 0.5 * (s->inner + s->outer) * cos(s->crown) - s->base;
    cn_piece piece = {.solid = CN_SOLID_HULL,
                      .vertex_count = 2 * s->sides,
                      .at = {0.0, 0.0, middle},
                      .index = {s->rings + 1, 1}};
    for (int n = 0; n < piece.vertex_count; n++) {
        double point[3];
        int start = 0;
        put(point, corner(s, n % 2 == 0 ? s->inner : s->outer, s->crown, n / 2));
        point[2] -= middle;
        CN_TRY(cn_pieces_add_vertices(pieces, 1, point, &start, err));
        piece.vertex_start = n == 0 ? start : piece.vertex_start;
    }
    return cn_pieces_add(pieces, &piece, err);
}

// Abutments are one thickness deep and reach half a thickness beyond the joint on both sides.
static cn_status add_abutments(const cn_dome_def *def, const shell *s, int course,
                               cn_pieces *pieces, cn_error *err)
{
    double more = 0.5 * def->thickness, below = s->springing + def->thickness / def->radius;
    const layer base = {fmax(s->inner - more, 0.5 * s->inner), s->outer + more, below,
                        s->springing};
    int step = def->form == CN_DOME_LUNES ? s->sides / 2 : 1;
    for (int side = 0, position = 1; side < s->sides; side += step, position++) {
        cn_piece piece = {.index = {course, position}, .is_support = true};
        CN_TRY(add_facet(s, &base, side, &piece, pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_dome(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_dome_def *def = params;
    shell s = {0};
    pieces->note[0] = '\0';
    CN_TRY(check(def, &s, err));
    s.crown = crown_angle(def, &s);
    for (int k = 0; k < s.rings; k++) {
        CN_TRY(add_ring(def, &s, k, pieces, err));
    }
    bool has_key = isnan(def->oculus) && def->form == CN_DOME_WHOLE;
    if (has_key) {
        CN_TRY(add_key(&s, pieces, err));
    }
    return def->abutments ? add_abutments(def, &s, s.rings + (has_key ? 2 : 1), pieces, err)
                          : CN_OK;
}

static const cn_field fields[] = {
    {CN_FIELD(
        cn_dome_def, form, CN_FIELD_WORD, "-",
        "whole; lunes: only the stones about the x axis, two opposite lunes that lean on each "
        "other at the crown",
        0.0, 1.0, CN_DOME_WHOLE, "whole lunes")},
    {CN_LENGTH_FIELD(cn_dome_def, radius, "of the middle of the shell")},
    {CN_LENGTH_FIELD(cn_dome_def, thickness, "intrados to extrados")},
    {CN_COUNT_FIELD(cn_dome_def, rings, "rings of stones from springing to crown")},
    {CN_COUNT_FIELD(cn_dome_def, stones, "stones of each ring, at least 4")},
    {CN_FIELD(cn_dome_def, embrace, CN_FIELD_NUMBER, "rad",
              "angle between opposite springings, seen from the centre", 1e-3, CN_PI, CN_PI, NULL)},
    {CN_LENGTH_FIELD(cn_dome_def, oculus,
                     "radius of an opening at the crown, at the intrados; if not given a keystone "
                     "closes the dome"),
     .is_optional = true},
    {CN_FIELD(cn_dome_def, bond, CN_FIELD_WORD, "-",
              "running: every second ring is turned by half a stone; stack: none is", 0.0, 1.0,
              CN_BOND_RUNNING, "running stack")},
    {CN_FIELD(cn_dome_def, abutments, CN_FIELD_FLAG, "-",
              "add a ring of fixed blocks below the springing: dome.supports", 0.0, 1.0, 1.0,
              NULL)},
};

const cn_generator cn_dome_generator = {
    .name = "dome",
    .help = "rings of stones with plane faces, springing of the intrados on z = 0; dome[ring, "
            "stone] from below, the keystone after the last ring",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_dome_def),
    .dim = 3,
    .make = cn_generate_dome,
};
