// generate/aqueduct.c -- bridges and aqueducts: tiers of arches on piers, one above the other.
//
// Each tier is made in the plane, then cut into stones across its width. Its piers are courses of
// blocks; each arch is a ring of voussoirs between joints that all aim at its centre; everything
// else up to the level top is filled. Up to 60 degrees from the springing the beds of the filling
// go through the corners of the extrados, above that upright joints do, so that every stone beside
// a ring lies on one straight edge of it: all stones are convex, and neighbours share whole edges.
//
//      top  ----------------------------------    caps: courses over the whole length
//           | haunches |  crown   | haunches |    crown: one stone over each voussoir
//           |----------+---___----+----------|
//           | spandrels / arch  \ spandrels  |
//  springing|----------/         \-----------|
//           |  pier   |   span    |   pier   |
//     foot  -----------           ------------
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

static const double MARGIN = 0.25; // by which foundations reach out, of the lesser of pier and span

typedef struct tier {
    const cn_tier_def *def;
    double outer;                // radius of the extrados at its corners [m]
    int beside;                  // courses of spandrels: to this corner of the extrados
    int piers, haunches, caps;   // courses
    double foot, springing, top; // heights [m]
    double level;                // on which the caps lie [m]
    double half;                 // of its length [m]
    int end;                     // of its pieces in the plane
} tier;

typedef struct making {
    cn_pieces *plane;
    int row, position;
} making;

// ---- measures of a tier

static cn_status check(const cn_tier_def *def, int dim, cn_error *err)
{
    CN_TRY(cn_check_count("spans", def->spans, err));
    CN_TRY(cn_check_count("rings", def->rings, err));
    CN_TRY(cn_check_length("span", def->span, err));
    CN_TRY(cn_check_length("pier", def->pier, err));
    CN_TRY(cn_check_length("thickness", def->thickness, err));
    CN_TRY(cn_check_length("cover", def->cover, err));
    CN_TRY(cn_check_length("course", def->course, err));
    if (!(def->height >= 0.0 && def->height <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "height must be at least 0 m, got %g", def->height);
    }
    if (!(def->voussoirs >= 5)) {
        return cn_fail(err, CN_BAD_INPUT, "an arch needs at least 5 voussoirs, got %d",
                       def->voussoirs);
    }
    if (!(def->pier > 2.0 * def->thickness)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a pier of %g m has no room for two rings of %g m: make it wider, or the "
                       "rings thinner",
                       def->pier, def->thickness);
    }
    if (dim == 3) {
        CN_TRY(cn_check_length("width", def->width, err));
        double twice = 2.0 * def->stones;
        if (!(twice >= 2.0 && twice == floor(twice) && twice <= CN_PIECES_MAX)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "stones across the width must be a whole number of halves from 1 up, "
                           "got %g",
                           def->stones);
        }
    }
    return isnan(def->block) ? CN_OK : cn_check_length("block", def->block, err);
}

// Number of equal parts of a height that are nearest to a course.
static cn_status count_courses(double height, double course, int least, int *count, cn_error *err)
{
    double whole = fmax(round(height / course), least);
    *count = (int)fmin(whole, CN_PIECES_MAX);
    return whole > 0.0 ? cn_check_count("courses", whole, err) : CN_OK;
}

// Corner j of a ring about its centre, from the left; the right half is the mirror image.
static cn_vec2 corner(const tier *t, double radius, int j)
{
    int n = t->def->voussoirs;
    if (2 * j > n) {
        cn_vec2 left = corner(t, radius, n - j);
        return cn_v2(-left.x, left.y);
    }
    double angle = CN_PI * (n - 2 * j) / (2.0 * n); // from the crown
    return j == 0 ? cn_v2(-radius, 0.0) : cn_v2(-radius * sin(angle), radius * cos(angle));
}

static cn_status measure(const cn_tier_def *def, double foot, tier *t, cn_error *err)
{
    *t = (tier){.def = def, .foot = foot, .springing = foot + def->height};
    t->outer = 0.5 * def->span + def->thickness;
    t->half = 0.5 * (def->spans * def->span + (def->spans + 1) * def->pier);
    t->beside = def->voussoirs / 3;
    int layers = 0; // of the cover, the lowest of them over each voussoir
    double crown = corner(t, t->outer, def->voussoirs / 2).y;
    CN_TRY(count_courses(def->height, def->course, def->height > 0.0 ? 1 : 0, &t->piers, err));
    CN_TRY(count_courses(def->cover, def->course, 1, &layers, err));
    t->caps = layers - 1;
    t->top = t->springing + crown + def->cover;
    t->level = t->springing + crown + def->cover / layers;
    double rise = t->level - t->springing - corner(t, t->outer, t->beside).y;
    return count_courses(rise, def->course, 1, &t->haunches, err);
}

// ---- stones of the plane

static cn_status add_stone(making *m, int count, const cn_vec2 *corner_of, cn_error *err)
{
    double vertex[8];
    cn_piece piece = {.index = {m->row, ++m->position}};
    for (int k = 0; k < count; k++) {
        vertex[2 * k] = corner_of[k].x;
        vertex[2 * k + 1] = corner_of[k].y;
    }
    return cn_pieces_add_polygon(m->plane, count, vertex, &piece, err);
}

static void begin_row(making *m)
{
    m->row++;
    m->position = 0;
}

// Part of a course; its ends may slope. Places of its ends at the lower and the upper bed.
typedef struct stretch {
    double bed[2]; // heights [m]
    double left[2], right[2];
} stretch;

// Upright joints at equal distances of about a block; in every second course they are shifted by
// half of it.
static cn_status lay(making *m, const stretch *s, double block, bool is_shifted, cn_error *err)
{
    double length = s->right[0] - s->left[0], whole = fmax(1.0, round(length / block));
    CN_TRY(cn_check_count("stones of a course", whole, err));
    int parts = (int)whole, stones = is_shifted && parts > 1 ? parts + 1 : parts;
    double low = s->left[0], high = s->left[1];
    for (int k = 1; k <= stones; k++) {
        double place = stones > parts ? k - 0.5 : k, next = s->left[0] + length * (place / parts);
        bool is_last = k == stones;
        double low_end = is_last ? s->right[0] : next, high_end = is_last ? s->right[1] : next;
        const cn_vec2 quad[4] = {
            {low, s->bed[0]}, {low_end, s->bed[0]}, {high_end, s->bed[1]}, {high, s->bed[1]}};
        CN_TRY(add_stone(m, 4, quad, err));
        low = high = next;
    }
    return CN_OK;
}

static double block_of(const cn_tier_def *def)
{
    return isnan(def->block) ? 2.0 * def->course : def->block;
}

// Middle of span k, from 0.
static double middle_of(const tier *t, int k)
{
    return 0.5 * (2 * k + 1 - t->def->spans) * (t->def->span + t->def->pier);
}

// Sides of pier k, from 0.
static void pier_sides(const tier *t, int k, double side[2])
{
    double half = 0.5 * t->def->span;
    side[0] = k == 0 ? -t->half : middle_of(t, k - 1) + half;
    side[1] = k == t->def->spans ? t->half : middle_of(t, k) - half;
}

static double bed_height(double low, double high, int k, int count)
{
    return k == count ? high : low + (high - low) * k / count;
}

static cn_status add_piers(const tier *t, making *m, cn_error *err)
{
    for (int course = 0; course < t->piers; course++) {
        begin_row(m);
        for (int k = 0; k <= t->def->spans; k++) {
            double side[2];
            pier_sides(t, k, side);
            const stretch s = {{bed_height(t->foot, t->springing, course, t->piers),
                                bed_height(t->foot, t->springing, course + 1, t->piers)},
                               {side[0], side[0]},
                               {side[1], side[1]}};
            CN_TRY(lay(m, &s, block_of(t->def), course % 2 == 1, err));
        }
    }
    return CN_OK;
}

static cn_vec2 placed(const tier *t, int span, cn_vec2 x)
{
    return cn_v2(middle_of(t, span) + x.x, t->springing + x.y);
}

// Rings one over the other meet on the chords of their common circle: their joints are in line.
static cn_status add_ring(const tier *t, int ring, making *m, cn_error *err)
{
    double inner = 0.5 * t->def->span, deep = t->def->thickness / t->def->rings;
    double low = inner + ring * deep;
    double high = ring + 1 == t->def->rings ? t->outer : inner + (ring + 1) * deep;
    begin_row(m);
    for (int k = 0; k < t->def->spans; k++) {
        for (int j = 0; j < t->def->voussoirs; j++) {
            const cn_vec2 quad[4] = {
                placed(t, k, corner(t, low, j)), placed(t, k, corner(t, low, j + 1)),
                placed(t, k, corner(t, high, j + 1)), placed(t, k, corner(t, high, j))};
            CN_TRY(add_stone(m, 4, quad, err));
        }
    }
    return CN_OK;
}

static cn_status add_arches(const tier *t, making *m, cn_error *err)
{
    for (int ring = 0; ring < t->def->rings; ring++) {
        CN_TRY(add_ring(t, ring, m, err));
    }
    return CN_OK;
}

// What fills the place over pier k between corners `low` and `high` of the rings beside it.
static stretch between_rings(const tier *t, int k, int low, int high)
{
    stretch s;
    for (int n = 0; n < 2; n++) {
        cn_vec2 x = corner(t, t->outer, n == 0 ? low : high);
        s.bed[n] = t->springing + x.y;
        s.left[n] = k == 0 ? -t->half : middle_of(t, k - 1) - x.x;
        s.right[n] = k == t->def->spans ? t->half : middle_of(t, k) + x.x;
    }
    return s;
}

static cn_status add_spandrels(const tier *t, making *m, cn_error *err)
{
    for (int course = 0; course < t->beside; course++) {
        begin_row(m);
        for (int k = 0; k <= t->def->spans; k++) {
            const stretch s = between_rings(t, k, course, course + 1);
            CN_TRY(lay(m, &s, block_of(t->def), course % 2 == 1, err));
        }
    }
    return CN_OK;
}

static cn_status add_haunches(const tier *t, making *m, cn_error *err)
{
    for (int course = 0; course < t->haunches; course++) {
        begin_row(m);
        for (int k = 0; k <= t->def->spans; k++) {
            stretch s = between_rings(t, k, t->beside, t->beside);
            double low = s.bed[0];
            s.bed[0] = bed_height(low, t->level, course, t->haunches);
            s.bed[1] = bed_height(low, t->level, course + 1, t->haunches);
            CN_TRY(lay(m, &s, block_of(t->def), course % 2 == 1, err));
        }
    }
    return CN_OK;
}

static cn_status add_crowns(const tier *t, making *m, cn_error *err)
{
    begin_row(m);
    for (int k = 0; k < t->def->spans; k++) {
        for (int j = t->beside; j < t->def->voussoirs - t->beside; j++) {
            cn_vec2 left = placed(t, k, corner(t, t->outer, j));
            cn_vec2 right = placed(t, k, corner(t, t->outer, j + 1));
            const cn_vec2 quad[4] = {left, right, {right.x, t->level}, {left.x, t->level}};
            CN_TRY(add_stone(m, 4, quad, err));
        }
    }
    return CN_OK;
}

static cn_status add_caps(const tier *t, making *m, cn_error *err)
{
    for (int course = 0; course < t->caps; course++) {
        const stretch s = {{bed_height(t->level, t->top, course, t->caps),
                            bed_height(t->level, t->top, course + 1, t->caps)},
                           {-t->half, -t->half},
                           {t->half, t->half}};
        begin_row(m);
        CN_TRY(lay(m, &s, block_of(t->def), course % 2 == 1, err));
    }
    return CN_OK;
}

static cn_status add_tier(const tier *t, making *m, cn_error *err)
{
    CN_TRY(add_piers(t, m, err));
    CN_TRY(add_arches(t, m, err));
    CN_TRY(add_spandrels(t, m, err));
    CN_TRY(add_haunches(t, m, err));
    CN_TRY(add_crowns(t, m, err));
    return add_caps(t, m, err);
}

// ---- what the piers stand on

// The lowest tier stands on foundations; so do piers of the others that are beside the tier below.
static cn_status add_foundations(const tier *t, const tier *below, making *m, cn_error *err)
{
    double reach = MARGIN * fmin(t->def->pier, t->def->span);
    for (int k = 0; k <= t->def->spans; k++) {
        double side[2], edge = below != NULL ? below->half : 0.0;
        pier_sides(t, k, side);
        bool is_left = side[1] <= -edge, is_right = side[0] >= edge;
        if (below != NULL && !is_left && !is_right) {
            continue;
        }
        double from = side[0] - reach, to = side[1] + reach;
        if (below != NULL) {
            from = is_right ? fmax(from, edge) : from;
            to = is_left ? fmin(to, -edge) : to;
        }
        double low = t->foot - t->def->course;
        const cn_vec2 quad[4] = {{from, low}, {to, low}, {to, t->foot}, {from, t->foot}};
        CN_TRY(add_stone(m, 4, quad, err));
        m->plane->piece[m->plane->count - 1].is_support = true;
    }
    return CN_OK;
}

static cn_status check_stands(const tier *t, const tier *below, cn_error *err)
{
    for (int k = 0; k <= t->def->spans; k++) {
        double side[2];
        pier_sides(t, k, side);
        bool is_on = side[0] >= -below->half && side[1] <= below->half;
        if (!is_on && side[1] > -below->half && side[0] < below->half) {
            return cn_fail(err, CN_BAD_INPUT,
                           "its pier %d, from x = %g to %g m, stands partly on the tier below, "
                           "which ends at %g m, and partly beside it: change a span or a pier",
                           k + 1, side[0], side[1], side[0] < 0.0 ? -below->half : below->half);
        }
    }
    if (t->def->width > below->def->width) {
        return cn_fail(err, CN_BAD_INPUT,
                       "it is %g m wide and overhangs the tier below, which has %g m",
                       t->def->width, below->def->width);
    }
    return CN_OK;
}

// ---- all tiers

typedef struct across {
    double width, stones;
} across;

// Cuts a piece of the plane into stones across the width; neighbours in a row and rows above each
// other are shifted by half a stone.
static cn_status cut_across(const cn_pieces *plane, int k, across a, int *position,
                            cn_pieces *pieces, cn_error *err)
{
    const int *index = plane->piece[k].index;
    int units = (int)(2.0 * a.stones);
    double half = 0.5 * a.width / units; // half of half a stone [m]
    bool is_shifted = (index[0] + index[1]) % 2 == 1 && units > 2;
    for (int j = 0, n = 0; j < units; j += n) {
        n = (j == 0 && is_shifted) || units - j == 1 ? 1 : 2;
        CN_TRY(cn_pieces_extrude(plane, k, (2 * j - units) * half, (2 * (j + n) - units) * half,
                                 (int[2]){index[0], ++*position}, pieces, err));
    }
    return CN_OK;
}

typedef struct aqueduct {
    int count;
    tier *tier;
    cn_pieces plane;
} aqueduct;

static cn_status extrude(const aqueduct *a, cn_pieces *pieces, cn_error *err)
{
    const cn_tier_def *lowest = a->tier[0].def;
    double foundation = lowest->width + 2.0 * MARGIN * fmin(lowest->pier, lowest->span);
    for (int k = 0, n = 0, position = 0; k < a->plane.count; k++) {
        const cn_piece *piece = &a->plane.piece[k];
        while (n < a->count && k == a->tier[n].end) {
            n++;
        }
        position = piece->index[1] == 1 ? 0 : position;
        across of = n == a->count ? (across){foundation, 1.0}
                                  : (across){a->tier[n].def->width, a->tier[n].def->stones};
        CN_TRY(cut_across(&a->plane, k, of, &position, pieces, err));
    }
    return CN_OK;
}

static cn_status copy_plane(const cn_pieces *plane, cn_pieces *pieces, cn_error *err)
{
    for (int k = 0; k < plane->count; k++) {
        cn_piece piece = plane->piece[k];
        CN_TRY(cn_pieces_add_vertices(pieces, piece.vertex_count,
                                      plane->vertex + 2 * (size_t)piece.vertex_start,
                                      &piece.vertex_start, err));
        CN_TRY(cn_pieces_add(pieces, &piece, err));
    }
    return CN_OK;
}

// Says which rows are what.
static void note_tier(const tier *t, int number, int row, cn_pieces *pieces)
{
    size_t used = strlen(pieces->note);
    int arches = row + t->piers + 1, rings = t->def->rings;
    int crown = arches + rings - 1 + t->beside + t->haunches + 1;
    char more[40] = "";
    if (rings > 1) {
        snprintf(more, sizeof more, " to %d", arches + rings - 1);
    }
    snprintf(pieces->note + used, sizeof pieces->note - used,
             "%stier %d: rows %d to %d piers, %d%s arches, to %d above them",
             number > 1 ? "; " : "", number, row + 1, row + t->piers, arches, more,
             crown + t->caps);
}

static cn_status make_tiers(const cn_aqueduct_def *def, aqueduct *a, cn_pieces *pieces,
                            cn_error *err)
{
    making m = {.plane = &a->plane};
    const cn_tier_def *row = def->tiers.row;
    for (int k = 0; k < a->count; k++) {
        const tier *below = k > 0 ? &a->tier[k - 1] : NULL;
        cn_error why = {0};
        int before = m.row;
        cn_status status = check(&row[k], cn_pieces_dim(pieces), &why);
        CN_THEN(status, measure(&row[k], k > 0 ? below->top : 0.0, &a->tier[k], &why));
        CN_THEN(status, k > 0 ? check_stands(&a->tier[k], below, &why) : CN_OK);
        CN_THEN(status, add_tier(&a->tier[k], &m, &why));
        if (status != CN_OK) {
            return cn_fail(err, status, "tier %d: %s", k + 1, why.text);
        }
        a->tier[k].end = a->plane.count;
        note_tier(&a->tier[k], k + 1, before, pieces);
    }
    begin_row(&m);
    for (int k = 0; k < a->count && def->foundations; k++) {
        CN_TRY(add_foundations(&a->tier[k], k > 0 ? &a->tier[k - 1] : NULL, &m, err));
    }
    return CN_OK;
}

cn_status cn_generate_aqueduct(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_aqueduct_def *def = params;
    pieces->note[0] = '\0';
    if (def->tiers.count < 1) {
        return cn_fail(err, CN_BAD_INPUT, "an aqueduct needs at least one tier");
    }
    aqueduct a = {.count = def->tiers.count, .plane = {.dim = 2}};
    size_t capacity = 0;
    cn_status status = cn_reserve(NULL, &a.tier, &capacity, (size_t)a.count, err);
    CN_THEN(status, make_tiers(def, &a, pieces, err));
    CN_THEN(status, cn_pieces_dim(pieces) == 3 ? extrude(&a, pieces, err)
                                               : copy_plane(&a.plane, pieces, err));
    CN_RELEASE(a.tier);
    cn_pieces_free(&a.plane);
    return status;
}

static const cn_field tier_fields[] = {
    {CN_COUNT_FIELD(cn_tier_def, spans, "number of arches")},
    {CN_LENGTH_FIELD(cn_tier_def, span, "width of each opening, the diameter of the intrados")},
    {CN_LENGTH_FIELD(cn_tier_def, pier, "width of the piers, more than two rings")},
    {CN_GAP_FIELD(cn_tier_def, height, "of the piers, from their foot to the springing")},
    {CN_COUNT_FIELD(cn_tier_def, voussoirs, "of each arch, at least 5")},
    {CN_LENGTH_FIELD(cn_tier_def, thickness, "of the arches, intrados to extrados")},
    {CN_FIELD(cn_tier_def, rings, CN_FIELD_COUNT, "-",
              "rings of voussoirs over each other in every arch, which nothing but friction holds "
              "together",
              1.0, CN_PIECES_MAX, 1.0, NULL)},
    {CN_LENGTH_FIELD(cn_tier_def, cover, "from the highest corner of the rings to the level top")},
    {CN_LENGTH_FIELD(cn_tier_def, course,
                     "height of courses, about: heights are divided into equal parts. Beside the "
                     "rings courses are as high as voussoirs")},
    {CN_LENGTH_FIELD(cn_tier_def, block, "length of blocks, about; twice the course if not given"),
     .is_optional = true},
    {CN_LENGTH_FIELD(cn_tier_def, width, "along y"), .dim = 3},
    {CN_FIELD(cn_tier_def, stones, CN_FIELD_NUMBER, "-",
              "stones across the width, a multiple of 1/2; neighbours are shifted by half a stone",
              1.0, CN_PIECES_MAX, 1.0, NULL),
     .dim = 3},
};
static const cn_variant tier_variant = {"tier", "a row of equal arches", false,
                                        CN_COUNT_OF(tier_fields), tier_fields};

static const cn_field fields[] = {
    {CN_FIELD(cn_aqueduct_def, tiers, CN_FIELD_LIST, "-", "rows of arches, the lowest first", 0.0,
              0.0, NAN, NULL),
     .variant_count = 1, .variant = &tier_variant, .row_size = sizeof(cn_tier_def)},
    {CN_FIELD(cn_aqueduct_def, foundations, CN_FIELD_FLAG, "-",
              "a fixed block below each pier that stands on no other tier: the last row, and "
              "aqueduct.supports",
              0.0, 1.0, 1.0, NULL)},
};

const cn_generator cn_aqueduct_generator = {
    .name = "aqueduct",
    .help = "bridge or aqueduct: tiers of semicircular arches on piers, filled up to a level top, "
            "along x and centred on it, foot on y = 0 (in space z = 0); aqueduct[row, position], "
            "rows as the note of the check says",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_aqueduct_def),
    .make = cn_generate_aqueduct,
};
