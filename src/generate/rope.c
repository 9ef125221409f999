// generate/rope.c -- ropes and chains: a row of capsules, end on end.
//
// A rope as long as the distance of its ends is straight. A longer one is the part of a regular
// polygon: its n links of length l turn by phi/n from one to the next, with the chord d between the
// ends,
//     d sin(phi/(2 n)) = l sin(phi/2).
// It hangs below both ends, or lies above them, as around a pulley.
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/generate.h"

#include <stdio.h>

enum { BELOW, ABOVE };

// What a rope needs to be laid: its chord, which way is up across it, and the angle of its links.
typedef struct lay {
    double along[3], up[3]; // unit vectors
    double chord, link;     // [m]
    double turn;            // phi: from the first link to one after the last [rad]
} lay;

static cn_status check(const cn_rope_def *def, cn_error *err)
{
    CN_TRY(cn_check_count("links of a rope", def->links, err));
    CN_TRY(cn_check_length("radius of a rope", def->radius, err));
    return isnan(def->length) ? CN_OK : cn_check_length("length of a rope", def->length, err);
}

// The angle of a polygon whose links are longer than its chord by a ratio above 1, by halving: the
// chord over the length falls from 1 at 0 to 0 at a full turn.
static double turn_of(int links, double ratio)
{
    double low = 0.0, high = 2.0 * CN_PI;
    for (int k = 0; k < 100; k++) {
        double phi = 0.5 * (low + high);
        bool is_longer = sin(0.5 * phi) * ratio > links * sin(0.5 * phi / links);
        *(is_longer ? &low : &high) = phi;
    }
    return 0.5 * (low + high);
}

static cn_status plan(const cn_rope_def *def, int dim, lay *x, cn_error *err)
{
    double size2 = 0.0, rise = 0.0, across2 = 0.0;
    for (int d = 0; d < dim; d++) {
        x->along[d] = def->to[d] - def->from[d];
        size2 += x->along[d] * x->along[d];
    }
    x->chord = sqrt(size2);
    double length = isnan(def->length) ? x->chord : def->length;
    if (!(x->chord > 0.0) || !(length >= (1.0 - 1e-12) * x->chord)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a rope of %g m does not reach from one end to the other, %g m away", length,
                       x->chord);
    }
    for (int d = 0; d < dim; d++) {
        x->along[d] /= x->chord;
    }
    rise = x->along[dim - 1];
    for (int d = 0; d < dim; d++) {
        x->up[d] = (d == dim - 1 ? 1.0 : 0.0) - rise * x->along[d];
        across2 += x->up[d] * x->up[d];
    }
    bool is_slack = length > (1.0 + 1e-12) * x->chord;
    if (is_slack && (def->links < 2 || !(across2 > 1e-12))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a rope of %g m over %g m needs two links at least, and ends that are not "
                       "above each other",
                       length, x->chord);
    }
    for (int d = 0; d < dim && across2 > 1e-12; d++) {
        x->up[d] /= sqrt(across2);
    }
    x->turn = is_slack ? turn_of(def->links, length / x->chord) : 0.0;
    x->link = length / def->links;
    return CN_OK;
}

// A link along a direction of angle a against the chord, upwards.
static cn_piece link_at(const cn_rope_def *def, int dim, const lay *x, double a, double place[3])
{
    double c = cos(a), s = sin(a), way[3] = {0.0, 0.0, 0.0};
    cn_piece link = {.kind = CN_SHAPE_CAPSULE,
                     .solid = CN_SOLID_CAPSULE,
                     .radius = def->radius,
                     .length = x->link};
    for (int d = 0; d < dim; d++) {
        way[d] = c * x->along[d] + s * x->up[d];
        link.at[d] = place[d] + 0.5 * x->link * way[d];
        place[d] += x->link * way[d];
    }
    link.angle = atan2(way[1], way[0]);
    double half = 0.5 * acos(fmin(fmax(way[2], -1.0), 1.0)); // from z to its direction
    double flat = hypot(way[0], way[1]);
    link.turn[0] = cos(half);
    link.turn[1] = flat > 0.0 ? -way[1] / flat * sin(half) : sin(half);
    link.turn[2] = flat > 0.0 ? way[0] / flat * sin(half) : 0.0;
    return link;
}

cn_status cn_generate_rope(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_rope_def *def = params;
    int dim = cn_pieces_dim(pieces);
    double place[3] = {def->from[0], def->from[1], def->from[2]};
    lay x = {0};
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    CN_TRY(plan(def, dim, &x, err));
    double sign = def->bend == ABOVE ? 1.0 : -1.0;
    for (int n = 0; n < def->links; n++) {
        double a = sign * x.turn * (0.5 - (n + 0.5) / def->links);
        cn_piece link = link_at(def, dim, &x, a, place);
        link.index[0] = 1;
        link.index[1] = n + 1;
        CN_TRY(cn_pieces_add(pieces, &link, err));
    }
    double half = 0.5 * x.turn / def->links;
    snprintf(pieces->note, sizeof pieces->note, "links of %.6g m", x.link);
    if (x.turn > 0.0) {
        snprintf(pieces->note, sizeof pieces->note,
                 "links of %.6g m, which touch a circle of %.6g m with their middles", x.link,
                 0.5 * x.link / tan(half));
    }
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_COUNT_FIELD(cn_rope_def, links, "capsules, end on end")},
    {CN_FIELD(cn_rope_def, from, CN_FIELD_POINT, "m", "where the rope begins", -CN_LENGTH_MOST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_rope_def, to, CN_FIELD_POINT, "m", "where it ends", -CN_LENGTH_MOST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_rope_def, length, CN_FIELD_NUMBER, "m",
              "of all links; without it the distance of both ends", CN_LENGTH_LEAST, CN_LENGTH_MOST,
              NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_rope_def, bend, CN_FIELD_WORD, "-",
              "where a rope that is longer lies, on a circle: below its ends, or above them, as "
              "around a pulley",
              0.0, 1.0, BELOW, "below above")},
    {CN_LENGTH_FIELD(cn_rope_def, radius, "of the links, which are capsules")},
};

const cn_generator cn_rope_generator = {
    .name = "rope",
    .help = "a rope or a chain: capsules end on end, whose knots are a joint `net` of their ends "
            "(`ball` in space and in the plane); rope[1, link]",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_rope_def),
    .make = cn_generate_rope,
};
