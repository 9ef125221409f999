// generate/arch.c -- arches of voussoirs with straight edges.
//
// An arch is a row of joints: joint j goes from the intrados to the extrados, voussoir k lies
// between joints k-1 and k. Only the left half is computed; the right half is its mirror image bit
// for bit, and a joint or voussoir on the axis is exactly symmetric. Neighbours are cut from the
// same joint points. In space the plane is the one of x and z, and every piece is a prism along y.
#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

typedef struct joint {
    cn_vec2 inner, outer;
} joint;

static const char *const form_name[] = {"semicircular", "segmental", "pointed", "flat"};

// Which lengths a form takes; the others must be left out.
static cn_status check_given(const cn_arch_def *def, cn_error *err)
{
    const struct {
        const char *name;
        double value;
        bool is_wanted;
    } length[] = {
        {"radius", def->radius, def->form != CN_ARCH_FLAT},
        {"thickness", def->thickness, true},
        {"embrace", def->embrace, def->form == CN_ARCH_SEGMENTAL},
        {"offset", def->offset, def->form == CN_ARCH_POINTED},
        {"span", def->span, def->form == CN_ARCH_FLAT},
        {"focus", def->focus, def->form == CN_ARCH_FLAT},
    };
    for (int k = 0; k < CN_COUNT_OF(length); k++) {
        bool is_given = !isnan(length[k].value);
        if (is_given != length[k].is_wanted) {
            return cn_fail(err, CN_BAD_INPUT, "a %s arch %s %s", form_name[def->form],
                           is_given ? "takes no" : "needs", length[k].name);
        }
        if (is_given && !(length[k].value >= 0.0 && length[k].value <= CN_LENGTH_MOST)) {
            return cn_fail(err, CN_BAD_INPUT, "arch %s must be positive, got %g", length[k].name,
                           length[k].value);
        }
    }
    return CN_OK;
}

static cn_status check_round(const cn_arch_def *def, cn_error *err)
{
    double inner = def->radius - 0.5 * def->thickness;
    if (!(inner > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "arch thickness %g m leaves no opening: it must be less than twice the "
                       "radius %g m",
                       def->thickness, def->radius);
    }
    if (def->form == CN_ARCH_SEGMENTAL && !(def->embrace > 0.0 && def->embrace <= 1.5 * CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "embrace must be between 0 and 3 pi/2 = 4.712 rad, got %g (180 degrees are "
                       "\"=pi\")",
                       def->embrace);
    }
    if (def->form == CN_ARCH_POINTED && (def->blocks % 2 != 0 || !(def->offset < inner))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a pointed arch needs an even number of blocks and an offset less than its "
                       "inner radius %g m, got %d blocks and offset %g m",
                       inner, def->blocks, def->offset);
    }
    return CN_OK;
}

static cn_status check(const cn_arch_def *def, cn_error *err)
{
    if (!(def->form >= CN_ARCH_SEMICIRCULAR && def->form <= CN_ARCH_FLAT)) {
        return cn_fail(err, CN_BAD_INPUT, "unknown form of arch %d", def->form);
    }
    CN_TRY(check_given(def, err));
    CN_TRY(cn_check_length("arch thickness", def->thickness, err));
    CN_TRY(cn_check_count("blocks of an arch", def->blocks, err));
    if (def->blocks < 3) {
        return cn_fail(err, CN_BAD_INPUT, "an arch needs at least 3 blocks, got %d", def->blocks);
    }
    if (def->form == CN_ARCH_FLAT) {
        CN_TRY(cn_check_length("arch span", def->span, err));
        return cn_check_length("arch focus", def->focus, err);
    }
    CN_TRY(cn_check_length("arch radius", def->radius, err));
    return check_round(def, err);
}

// Point of a circle about the axis, at an angle to the left of the crown.
static cn_vec2 circle_point(double radius, double sine, double cosine, double base)
{
    return cn_v2(-radius * sine, radius * cosine - base);
}

// Semicircular and segmental: joints at equal angles, lowered until the springing of the intrados
// is on y = 0.
static joint round_joint(const cn_arch_def *def, int j)
{
    bool is_full = def->form == CN_ARCH_SEMICIRCULAR;
    double inner = def->radius - 0.5 * def->thickness, outer = def->radius + 0.5 * def->thickness;
    double embrace = is_full ? CN_PI : def->embrace;
    double angle = embrace * (def->blocks - 2 * j) / (2.0 * def->blocks);
    double base = is_full ? 0.0 : inner * cos(0.5 * embrace);
    bool is_springing = is_full && j == 0; // cos(pi/2) is not quite 0
    double sine = is_springing ? 1.0 : sin(angle), cosine = is_springing ? 0.0 : cos(angle);
    return (joint){circle_point(inner, sine, cosine, base),
                   circle_point(outer, sine, cosine, base)};
}

// Pointed: the left arc has its centre at x = +offset and ends on the axis with a vertical joint.
static joint pointed_joint(const cn_arch_def *def, int j)
{
    double inner = def->radius - 0.5 * def->thickness, outer = def->radius + 0.5 * def->thickness;
    double c = def->offset;
    int half = def->blocks / 2;
    if (j == half) {
        return (joint){cn_v2(0.0, sqrt(inner * inner - c * c)),
                       cn_v2(0.0, sqrt(outer * outer - c * c))};
    }
    double angle = acos(c / def->radius) * j / half; // from the springing
    return (joint){cn_v2(c - inner * cos(angle), inner * sin(angle)),
                   cn_v2(c - outer * cos(angle), outer * sin(angle))};
}

// Flat: equal widths at the soffit y = 0, joints aim at (0, -focus).
static joint flat_joint(const cn_arch_def *def, int j)
{
    double x = (2 * j - def->blocks) * def->span / (2.0 * def->blocks);
    double stretch = (def->focus + def->thickness) / def->focus;
    return (joint){cn_v2(x, 0.0), cn_v2(x * stretch, def->thickness)};
}

static joint mirror(joint a)
{
    return (joint){cn_v2(-a.inner.x, a.inner.y), cn_v2(-a.outer.x, a.outer.y)};
}

static joint make_joint(const cn_arch_def *def, int j)
{
    if (2 * j > def->blocks) {
        return mirror(make_joint(def, def->blocks - j));
    }
    joint made = def->form == CN_ARCH_FLAT      ? flat_joint(def, j)
                 : def->form == CN_ARCH_POINTED ? pointed_joint(def, j)
                                                : round_joint(def, j);
    if (2 * j == def->blocks) {
        made.inner.x = 0.0;
        made.outer.x = 0.0;
    }
    return made;
}

static cn_status add_quad(cn_pieces *pieces, cn_vec2 a, cn_vec2 b, cn_vec2 c, cn_vec2 d,
                          const cn_piece *piece, cn_error *err)
{
    double vertex[8] = {a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
    return cn_pieces_add_polygon(pieces, 4, vertex, piece, err);
}

// Adds the mirror image of piece `source`; vertices are taken backwards to stay counterclockwise.
static cn_status add_mirrored(cn_pieces *pieces, int source, const int index[2], cn_error *err)
{
    cn_piece piece = pieces->piece[source];
    double vertex[8];
    for (int k = 0; k < 4; k++) {
        const double *from = pieces->vertex + 2 * (size_t)(piece.vertex_start + 3 - k);
        vertex[2 * k] = -from[0];
        vertex[2 * k + 1] = from[1];
    }
    piece.at[0] = -piece.at[0];
    piece.index[0] = index[0];
    piece.index[1] = index[1];
    CN_TRY(cn_pieces_add_vertices(pieces, 4, vertex, &piece.vertex_start, err));
    return cn_pieces_add(pieces, &piece, err);
}

// The keystone of an odd arch: its centroid is on the axis, not beside it by a rounding error.
static void centre_keystone(cn_pieces *pieces, joint left)
{
    cn_piece *piece = &pieces->piece[pieces->count - 1];
    double *vertex = pieces->vertex + 2 * (size_t)piece->vertex_start;
    piece->at[0] = 0.0;
    vertex[0] = left.inner.x;
    vertex[2] = -left.inner.x;
    vertex[4] = -left.outer.x;
    vertex[6] = left.outer.x;
}

static cn_status add_voussoirs(const cn_arch_def *def, cn_pieces *pieces, cn_error *err)
{
    int first = pieces->count;
    for (int k = 1; k <= def->blocks; k++) {
        cn_piece piece = {.index = {1, k}};
        if (2 * k > def->blocks + 1) {
            CN_TRY(add_mirrored(pieces, first + def->blocks - k, piece.index, err));
            continue;
        }
        joint left = make_joint(def, k - 1), right = make_joint(def, k);
        CN_TRY(add_quad(pieces, left.inner, right.inner, right.outer, left.outer, &piece, err));
        if (2 * k == def->blocks + 1) {
            centre_keystone(pieces, left);
        }
    }
    return CN_OK;
}

// Abutments are one thickness deep and reach half a thickness beyond the joint on both sides, so
// that a voussoir that hinges or slides a little still rests on a face.
static cn_status add_abutments(const cn_arch_def *def, cn_pieces *pieces, cn_error *err)
{
    joint end = make_joint(def, 0);
    cn_vec2 along = cn_sub2(end.outer, end.inner);
    along = cn_mul2(1.0 / cn_norm2(along), along);
    cn_vec2 away = cn_mul2(def->thickness, cn_left2(along));
    cn_vec2 a = cn_add_mul2(end.inner, -0.5 * def->thickness, along);
    cn_vec2 b = cn_add_mul2(end.outer, 0.5 * def->thickness, along);
    cn_piece piece = {.index = {2, 1}, .is_support = true};
    CN_TRY(add_quad(pieces, a, b, cn_add2(b, away), cn_add2(a, away), &piece, err));
    return add_mirrored(pieces, pieces->count - 1, (int[2]){2, 2}, err);
}

static cn_status add_plane(const cn_arch_def *def, cn_pieces *pieces, cn_error *err)
{
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    CN_TRY(add_voussoirs(def, pieces, err));
    return def->abutments ? add_abutments(def, pieces, err) : CN_OK;
}

static cn_status add_space(const cn_arch_def *def, const cn_pieces *plane, cn_pieces *pieces,
                           cn_error *err)
{
    double half = 0.5 * def->depth;
    for (int k = 0; k < plane->count; k++) {
        CN_TRY(cn_pieces_extrude(plane, k, -half, half, plane->piece[k].index, pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_arch(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_arch_def *def = params;
    if (cn_pieces_dim(pieces) == 2) {
        return add_plane(def, pieces, err);
    }
    pieces->note[0] = '\0';
    CN_TRY(cn_check_length("arch depth", def->depth, err));
    cn_pieces plane = {.dim = 2};
    cn_status status = add_plane(def, &plane, err);
    CN_THEN(status, add_space(def, &plane, pieces, err));
    cn_pieces_free(&plane);
    return status;
}

static const cn_field fields[] = {
    CN_ARCH_FIELDS,
    {CN_LENGTH_FIELD(cn_arch_def, depth, "of the stones, along y"), .dim = 3},
    {CN_FIELD(cn_arch_def, abutments, CN_FIELD_FLAG, "-",
              "add a fixed block behind each end joint: arch[2, 1] left and arch[2, 2] right", 0.0,
              1.0, 1.0, NULL)},
};

const cn_generator cn_arch_generator = {
    .name = "arch",
    .help = "voussoirs between shared joints, springing of the intrados on y = 0 (in space z = 0, "
            "stones deep along y); arch[1, k] from the left",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_arch_def),
    .make = cn_generate_arch,
};
