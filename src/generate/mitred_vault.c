// generate/mitred_vault.c -- groin and cloister vaults: two barrels that meet over the diagonals.
//
// The profile along x is a part of a circle; that along y is the same one stretched, so that both
// barrels meet in the upright planes over the diagonals of the plan, at every joint. A groin vault
// keeps of each barrel what is outside the other (open at four sides, on four corners), a cloister
// vault what is inside (on four walls). Every stone is a prism along its barrel, ended by upright
// cuts across it or by the plane over a diagonal (a mitre), so all stones are convex.
//
// A web is one of the four parts. Its stones are given by u across the barrel from its crown, v
// along it and z; mitres are at |v| = mitre |u|, where both webs get the same bits.
#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

#define SHORTEST 0.25 // length of stones at a mitre over that of others, at least [-]

// A half profile: corners of joint k from the springing up.
typedef struct profile {
    double inner, outer; // radii [m]
    double springing;    // angle from the crown [rad]
    double base;         // height of z = 0 above the centre [m]
    double depth;        // of abutments [m]
    double ratio;        // of the second size over the first
    double reach;        // largest u [m]
    int courses;         // from springing to springing
} profile;

typedef struct web {
    bool is_along_x;
    double stretch; // of u
    double mitre;
    double side; // groin: sign of v; cloister: sign of u
} web;

// Where a stone ends: a cut across at v, or the mitre on the side of the sign of v.
typedef struct cut {
    bool is_mitre;
    double v;
} cut;

// A section across a barrel: u and z of its corners.
typedef struct section {
    int count;
    cn_vec2 corner[6];
} section;

static cn_status check(const cn_mitred_vault_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("size of a vault along x", def->size[0], err));
    CN_TRY(cn_check_length("size of a vault along y", def->size[1], err));
    CN_TRY(cn_check_length("vault thickness", def->thickness, err));
    CN_TRY(cn_check_length("vault stone", def->stone, err));
    if (!(isnan(def->rise) || (def->rise > 0.0 && def->rise <= 0.5 * def->size[0]))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "rise must be between 0 and half the size along x, %g m, got %g",
                       0.5 * def->size[0], def->rise);
    }
    if (def->courses < 3) {
        return cn_fail(err, CN_BAD_INPUT, "a vault needs at least 3 courses, got %d", def->courses);
    }
    double length = fmax(def->size[0], def->size[1]) + 2.0 * def->thickness;
    return cn_check_count("stones of a vault", 4.0 * def->courses * (length / def->stone + 2.0),
                          err);
}

static profile profile_of(const cn_mitred_vault_def *def)
{
    double half = 0.5 * def->size[0], rise = isnan(def->rise) ? half : def->rise;
    double radius = 0.5 * (half * half / rise + rise);
    profile p = {.inner = radius,
                 .outer = radius + def->thickness,
                 .springing = rise == half ? 0.5 * CN_PI : 2.0 * atan(rise / half),
                 .base = radius - rise,
                 .depth = def->thickness,
                 .ratio = def->size[1] / def->size[0],
                 .courses = def->courses};
    p.reach = p.outer * sin(p.springing);
    return p;
}

// Corner of joint k, from 0 at the springing.
static cn_vec2 corner(const profile *p, double radius, int k)
{
    double angle = k == 0 ? p->springing : p->springing * (p->courses - 2 * k) / p->courses;
    double height = angle == 0.5 * CN_PI ? 0.0 : radius * cos(angle); // cos(pi/2) is not quite 0
    return cn_v2(radius * sin(angle), height - p->base);
}

// Course k on the side of sign `side` of the crown; the one at the crown reaches over both.
static section section_of(const profile *p, int k, double side)
{
    cn_vec2 a = corner(p, p->inner, k), b = corner(p, p->outer, k);
    if (2 * k + 1 == p->courses) {
        return (section){6, {{-a.x, a.y}, {-b.x, b.y}, {0.0, b.y}, {b.x, b.y}, a, {0.0, a.y}}};
    }
    cn_vec2 c = corner(p, p->outer, k + 1), d = corner(p, p->inner, k + 1);
    return (section){4,
                     {{side * a.x, a.y}, {side * b.x, b.y}, {side * c.x, c.y}, {side * d.x, d.y}}};
}

// What lies below the springing, as deep as the vault is thick.
static section abutment_of(const profile *p, double side)
{
    cn_vec2 a = corner(p, p->inner, 0), b = corner(p, p->outer, 0);
    double down = p->depth * sin(p->springing);
    double out = p->springing == 0.5 * CN_PI ? 0.0 : p->depth * cos(p->springing);
    return (section){4,
                     {{side * a.x, a.y},
                      {side * b.x, b.y},
                      {side * (b.x + out), b.y - down},
                      {side * (a.x + out), a.y - down}}};
}

// Least and most of |u|.
static void section_span(const section *s, double span[2])
{
    span[0] = span[1] = fabs(s->corner[0].x);
    for (int n = 1; n < s->count; n++) {
        span[0] = fmin(span[0], fabs(s->corner[n].x));
        span[1] = fmax(span[1], fabs(s->corner[n].x));
    }
}

// A prism between two cuts. Where they meet, a corner is counted once; on a cut across, the middle
// of the crown is no corner.
static cn_status add_prism(const web *w, const section *s, const cut end[2], const cn_piece *piece,
                           cn_pieces *pieces, cn_error *err)
{
    double point[36];
    int count = 0;
    for (int n = 0; n < s->count; n++) {
        double u = s->corner[n].x, v[2];
        bool is_middle = s->count == 6 && u == 0.0;
        for (int e = 0; e < 2; e++) {
            v[e] = end[e].is_mitre ? end[e].v * (fabs(u) * w->mitre) : end[e].v;
            bool is_corner = end[e].is_mitre || !is_middle;
            if (is_corner && (e == 0 || v[1] != v[0])) {
                double across = u * w->stretch, *to = point + 3 * count++;
                to[0] = w->is_along_x ? v[e] : across;
                to[1] = w->is_along_x ? across : v[e];
                to[2] = s->corner[n].y;
            }
        }
    }
    return cn_pieces_add_hull(pieces, count, point, piece, err);
}

// ---- groin vaults

// Webs from the front (-y) through the right, back and left.
static web groin_web(const profile *p, int k)
{
    bool is_along_x = k % 2 == 1;
    return (web){.is_along_x = is_along_x,
                 .stretch = is_along_x ? p->ratio : 1.0,
                 .mitre = is_along_x ? 1.0 : p->ratio,
                 .side = k == 1 || k == 2 ? 1.0 : -1.0};
}

// Cuts across a course, from the open end inwards; every second course is shifted by half a stone.
// The last one leaves a stone at the groin that is not too short. Returns how many, 0 is the end.
static int count_cuts(double from, double to, double stone, bool is_shifted)
{
    double room = (from - to) / stone - SHORTEST + (is_shifted ? 0.5 : 0.0);
    return room >= 1.0 ? (int)room : 0;
}

static double cut_at(double from, double stone, bool is_shifted, int k)
{
    return k == 0 ? from : from - stone * (is_shifted ? k - 0.5 : k);
}

typedef struct making {
    const cn_mitred_vault_def *def;
    const profile *p;
    int course, position; // of the last stone
    cn_pieces *pieces;
} making;

static cn_piece next_piece(making *m, bool is_part)
{
    m->position += is_part ? 0 : 1;
    return (cn_piece){.index = {m->course + 1, m->position}, .is_part = is_part};
}

// Stones of a course of one web: the one at the groin (first), or all others.
static cn_status add_groin_course(making *m, int web_number, double side, bool is_first,
                                  bool is_part, cn_error *err)
{
    web w = groin_web(m->p, web_number);
    section s = section_of(m->p, m->course, side);
    double span[2], from = m->p->reach * w.mitre, stone = m->def->stone;
    bool is_shifted = m->course % 2 == 1;
    section_span(&s, span);
    int cuts = count_cuts(from, span[1] * w.mitre, stone, is_shifted);
    for (int k = is_first ? cuts : 0; k < cuts + (is_first ? 1 : 0); k++) {
        cut end[2] = {{false, w.side * cut_at(from, stone, is_shifted, k)}, {is_first, w.side}};
        if (!is_first) {
            end[1].v = w.side * cut_at(from, stone, is_shifted, k + 1);
        }
        cn_piece piece = next_piece(m, is_part);
        CN_TRY(add_prism(&w, &s, end, &piece, m->pieces, err));
    }
    return CN_OK;
}

// The corner of the plan between web k and the next one, from the front right one.
static double corner_side(int k, bool is_next)
{
    static const double x[4] = {1.0, 1.0, -1.0, -1.0}, y[4] = {-1.0, 1.0, 1.0, -1.0};
    bool is_along_x = (is_next ? k + 1 : k) % 2 == 1;
    return is_along_x ? y[k] : x[k];
}

// Mitred stones are two at each corner, or one that is bent; at the crown, four or one.
static cn_status add_groin_stones(making *m, cn_error *err)
{
    bool is_bent = m->def->corner == CN_CORNER_BENT;
    bool is_crown = 2 * m->course + 1 == m->p->courses;
    for (int k = 0; k < 4; k++) {
        bool is_part = is_bent && is_crown && k > 0;
        CN_TRY(add_groin_course(m, k, corner_side(k, false), true, is_part, err));
        if (!is_crown) {
            CN_TRY(add_groin_course(m, (k + 1) % 4, corner_side(k, true), true, is_bent, err));
        }
    }
    for (int k = 0; k < 4; k++) {
        CN_TRY(add_groin_course(m, k, -1.0, false, false, err));
        if (!is_crown) {
            CN_TRY(add_groin_course(m, k, 1.0, false, false, err));
        }
    }
    return CN_OK;
}

static cn_status add_groin_abutments(making *m, cn_error *err)
{
    for (int k = 0; k < 8; k++) {
        web w = groin_web(m->p, k / 2);
        section s = abutment_of(m->p, k % 2 == 0 ? -1.0 : 1.0);
        double span[2];
        section_span(&s, span);
        const cut end[2] = {{false, w.side * fmax(m->p->reach, span[1]) * w.mitre}, {true, w.side}};
        cn_piece piece = next_piece(m, false);
        piece.is_support = true;
        CN_TRY(add_prism(&w, &s, end, &piece, m->pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_groin(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_mitred_vault_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    profile p = profile_of(def);
    making m = {.def = def, .p = &p, .pieces = pieces};
    for (; 2 * m.course < p.courses; m.course++) {
        m.position = 0;
        CN_TRY(add_groin_stones(&m, err));
    }
    m.position = 0;
    return def->abutments ? add_groin_abutments(&m, err) : CN_OK;
}

// ---- cloister vaults

// Webs on the right, back, left and front wall; each runs along its wall.
static web cloister_web(const profile *p, int k)
{
    bool is_along_x = k % 2 == 1;
    return (web){.is_along_x = is_along_x,
                 .stretch = is_along_x ? p->ratio : 1.0,
                 .mitre = is_along_x ? 1.0 : p->ratio,
                 .side = k < 2 ? 1.0 : -1.0};
}

// Equal stones along a course, odd and even numbers in turn, at least `least`. Each cut across must
// keep off the mitres.
static int count_stones(const double span[2], double stone, bool is_odd, int least)
{
    double middle = span[0] + span[1];
    int count = (int)fmax(round(middle / stone), 1.0);
    count += (count % 2 == 1) == is_odd ? 0 : 1;
    while (count > 2 && 0.5 * middle - middle / count > span[0] - SHORTEST * middle / count) {
        count--;
    }
    return count > least ? count : least;
}

// Cut k of `count` stones, from the side of the negative mitre: 0 and `count` are the mitres.
static cut cloister_cut(const double span[2], int count, int k)
{
    if (k == 0 || k == count) {
        return (cut){true, k == 0 ? -1.0 : 1.0};
    }
    return (cut){false, (2 * k - count) * (0.5 * (span[0] + span[1]) / count)};
}

// Web k with stones `first` to `last`.
static cn_status add_cloister_stones(making *m, int k, const int range[2], bool is_part,
                                     cn_error *err)
{
    web w = cloister_web(m->p, k);
    section s = section_of(m->p, m->course, w.side);
    double span[2];
    int least = m->def->corner == CN_CORNER_BENT ? 2 : 1;
    section_span(&s, span);
    span[0] *= w.mitre;
    span[1] *= w.mitre;
    int count = count_stones(span, m->def->stone, m->course % 2 == 1, least);
    int first = range[0] < 0 ? count + range[0] : range[0];
    int last = range[1] < 0 ? count + range[1] : range[1];
    for (int n = first; n <= last; n++) {
        const cut end[2] = {cloister_cut(span, count, n), cloister_cut(span, count, n + 1)};
        cn_piece piece = next_piece(m, is_part);
        CN_TRY(add_prism(&w, &s, end, &piece, m->pieces, err));
    }
    return CN_OK;
}

// The stones of a web that ends at the corner between web k and the next: its last along +x or +y
// where the corner is on that side.
static const int *end_stone(int k, bool is_next)
{
    static const int first[2] = {0, 0}, last[2] = {-1, -1};
    double side = corner_side((k + 1) % 4, is_next);
    return side > 0.0 ? last : first;
}

static cn_status add_cloister_course(making *m, cn_error *err)
{
    static const int all[2] = {0, -1}, inner[2] = {1, -2};
    for (int k = 0; k < 4; k++) {
        if (m->def->corner == CN_CORNER_MITRED) {
            CN_TRY(add_cloister_stones(m, k, all, false, err));
            continue;
        }
        CN_TRY(add_cloister_stones(m, k, end_stone(k, false), false, err));
        CN_TRY(add_cloister_stones(m, (k + 1) % 4, end_stone(k, true), true, err));
        CN_TRY(add_cloister_stones(m, k, inner, false, err));
    }
    return CN_OK;
}

// The keystone fills what the last courses leave open.
static cn_status add_key(making *m, cn_error *err)
{
    double point[24];
    for (int n = 0; n < 8; n++) {
        cn_vec2 x = corner(m->p, n < 4 ? m->p->inner : m->p->outer, m->course);
        point[3 * n] = n % 2 == 0 ? -x.x : x.x;
        point[3 * n + 1] = (n / 2 % 2 == 0 ? -x.x : x.x) * m->p->ratio;
        point[3 * n + 2] = x.y;
    }
    cn_piece piece = next_piece(m, false);
    return cn_pieces_add_hull(m->pieces, 8, point, &piece, err);
}

static cn_status add_cloister_abutments(making *m, cn_error *err)
{
    for (int k = 0; k < 4; k++) {
        web w = cloister_web(m->p, k);
        section s = abutment_of(m->p, w.side);
        const cut end[2] = {{true, -1.0}, {true, 1.0}};
        cn_piece piece = next_piece(m, false);
        piece.is_support = true;
        CN_TRY(add_prism(&w, &s, end, &piece, m->pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_cloister(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_mitred_vault_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    if (def->courses % 2 == 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a cloister vault needs an odd number of courses, the middle one is its "
                       "keystone, got %d",
                       def->courses);
    }
    profile p = profile_of(def);
    making m = {.def = def, .p = &p, .pieces = pieces};
    for (; 2 * m.course + 1 < p.courses; m.course++) {
        m.position = 0;
        CN_TRY(add_cloister_course(&m, err));
    }
    m.position = 0;
    CN_TRY(add_key(&m, err));
    m.course++;
    m.position = 0;
    return def->abutments ? add_cloister_abutments(&m, err) : CN_OK;
}

// ---- parameters

#define MITRED_VAULT_FIELDS(corner_help, abutment_help)                                            \
    {CN_FIELD(cn_mitred_vault_def, size, CN_FIELD_PAIR, "m", "clear spans along x and y",          \
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},                                        \
        {CN_LENGTH_FIELD(                                                                          \
             cn_mitred_vault_def, rise,                                                            \
             "of the intrados over its springing; half the span along x if not given"),            \
         .is_optional = true},                                                                     \
        {CN_LENGTH_FIELD(cn_mitred_vault_def, thickness,                                           \
                         "intrados to extrados, across the span along x")},                        \
        {CN_COUNT_FIELD(cn_mitred_vault_def, courses, "from springing to springing, at least 3")}, \
        {CN_LENGTH_FIELD(cn_mitred_vault_def, stone, "length of stones along a course, about")},   \
        {CN_FIELD(cn_mitred_vault_def, corner, CN_FIELD_WORD, "-", corner_help, 0.0, 1.0,          \
                  CN_CORNER_MITRED, "mitred bent")},                                               \
    {                                                                                              \
        CN_FIELD(cn_mitred_vault_def, abutments, CN_FIELD_FLAG, "-", abutment_help, 0.0, 1.0, 1.0, \
                 NULL)                                                                             \
    }

static const cn_field groin_fields[] = {
    MITRED_VAULT_FIELDS("stones where two webs meet. mitred: two that meet in the groin; bent: one "
                        "that reaches into both webs",
                        "add fixed blocks below the four springings: groin.supports"),
};

static const cn_field cloister_fields[] = {
    MITRED_VAULT_FIELDS("stones where two webs meet. mitred: two that meet over the diagonal; "
                        "bent: one that reaches into both webs",
                        "add a fixed block below each of the four webs: cloister.supports"),
};

const cn_generator cn_groin_generator = {
    .name = "groin",
    .help = "groin vault: two barrels that cross, on four corners, springing of the intrados on "
            "z = 0; groin[course, stone] from below, stones at the groins first",
    .field_count = CN_COUNT_OF(groin_fields),
    .field = groin_fields,
    .def_size = sizeof(cn_mitred_vault_def),
    .dim = 3,
    .make = cn_generate_groin,
};

const cn_generator cn_cloister_generator = {
    .name = "cloister",
    .help = "cloister vault: four webs that rise from four walls, springing of the intrados on "
            "z = 0; cloister[course, stone] from below, the keystone after the last course",
    .field_count = CN_COUNT_OF(cloister_fields),
    .field = cloister_fields,
    .def_size = sizeof(cn_mitred_vault_def),
    .dim = 3,
    .make = cn_generate_cloister,
};
