// load/face_parts.c -- faces, what is cut from them, and integrals over what is left. Theory 3.23
// to 3.25.
#include <math.h>
#include <string.h>

#include "load/faces.h"

// Polygons of less than this share of the square of their length are lines; corners that cuts by
// box, level and gap add.
static const double SLIVER = 1e-13;
enum { CUT_CORNERS = 10 };

int cn_face_count(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        return b->shape[s].kind == CN_SHAPE_POLYGON ? b->shape[s].vertex_count : 0;
    }
    return b->solid[s].hull != NULL ? b->solid[s].hull->face_count : 0;
}

int cn_face_corners_most(const cn_bodies *b, int s)
{
    int most = 4;
    for (int k = 0; b->dim == 3 && k < cn_face_count(b, s); k++) {
        const int *start = b->solid[s].hull->face_start;
        most = start[k + 1] - start[k] > most ? start[k + 1] - start[k] : most;
    }
    return most;
}

// The side from vertex k to the next, as a rectangle from z = -1/2 to 1/2.
static void place_side(const cn_shape *shape, int k, const cn_body_pose *pose,
                       cn_face_polygon *face, cn_vec3 *normal)
{
    cn_vec2 p = shape->vertex[k], q = shape->vertex[k + 1 < shape->vertex_count ? k + 1 : 0];
    cn_vec2 n = shape->normal[k];
    cn_vec3 from = cn_add3(pose->x, cn_mat3_mul(&pose->R, cn_v3(p.x, p.y, 0.0)));
    cn_vec3 to = cn_add3(pose->x, cn_mat3_mul(&pose->R, cn_v3(q.x, q.y, 0.0)));
    *normal = cn_mat3_mul(&pose->R, cn_v3(n.x, n.y, 0.0));
    face->count = 4;
    face->corner[0] = cn_v3(from.x, from.y, -0.5);
    face->corner[1] = cn_v3(to.x, to.y, -0.5);
    face->corner[2] = cn_v3(to.x, to.y, 0.5);
    face->corner[3] = cn_v3(from.x, from.y, 0.5);
}

void cn_face_place(const cn_bodies *b, int s, int k, const cn_body_pose *pose,
                   cn_face_polygon *face, cn_vec3 *normal)
{
    if (b->dim == 2) {
        place_side(&b->shape[s], k, pose, face, normal);
        return;
    }
    const cn_hull *hull = b->solid[s].hull;
    *normal = cn_mat3_mul(&pose->R, hull->normal[k]);
    face->count = 0;
    for (int n = hull->face_start[k]; n < hull->face_start[k + 1]; n++) {
        cn_vec3 local = hull->vertex[hull->face_vertex[n]];
        face->corner[face->count++] = cn_add3(pose->x, cn_mat3_mul(&pose->R, local));
    }
}

// ---- cuts

// Keeps of a polygon what is where normal . x <= offset; `spare` has room for one corner more.
static void cut(cn_face_polygon *face, cn_face_polygon *spare, cn_vec3 normal, double offset)
{
    int count = 0;
    for (int k = 0; k < face->count; k++) {
        cn_vec3 x = face->corner[k], y = face->corner[k + 1 < face->count ? k + 1 : 0];
        double out_x = cn_dot3(normal, x) - offset, out_y = cn_dot3(normal, y) - offset;
        if (out_x <= 0.0) {
            spare->corner[count++] = x;
        }
        if ((out_x < 0.0 && out_y > 0.0) || (out_x > 0.0 && out_y < 0.0)) {
            spare->corner[count++] = cn_add_mul3(x, out_x / (out_x - out_y), cn_sub3(y, x));
        }
    }
    cn_face_polygon kept = *spare;
    *spare = *face;
    *face = kept;
    face->count = count;
}

static void copy(const cn_vec3 *corner, int count, cn_face_polygon *to)
{
    memcpy(to->corner, corner, sizeof *corner * (size_t)count);
    to->count = count;
}

static bool has_area(const cn_face_polygon *face)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    double length = 0.0;
    for (int k = 1; k + 1 < face->count; k++) {
        cn_vec3 x = cn_sub3(face->corner[k], face->corner[0]);
        cn_vec3 y = cn_sub3(face->corner[k + 1], face->corner[0]);
        sum = cn_add3(sum, cn_cross3(x, y));
        length = fmax(length, fmax(cn_norm3(x), cn_norm3(y)));
    }
    return cn_norm3(sum) > SLIVER * length * length;
}

static cn_status add_piece(const cn_hooks *hooks, const cn_vec3 *corner, int count,
                           cn_face_pieces *pieces, cn_error *err)
{
    int from = pieces->count == 0 ? 0 : pieces->start[pieces->count];
    CN_TRY(
        cn_reserve(hooks, &pieces->corner, &pieces->corner_capacity, (size_t)(from + count), err));
    CN_TRY(
        cn_reserve(hooks, &pieces->start, &pieces->start_capacity, (size_t)pieces->count + 2, err));
    memcpy(pieces->corner + from, corner, sizeof *corner * (size_t)count);
    pieces->start[pieces->count++] = from;
    pieces->start[pieces->count] = from + count;
    return CN_OK;
}

cn_status cn_face_begin(const cn_hooks *hooks, cn_face_load *a, cn_error *err)
{
    a->free.count = 0;
    return add_piece(hooks, a->part.corner, a->part.count, &a->free, err);
}

// Plane k of what bounds the cover of a face: two at the gap, then one through each edge.
static bool bound_of(const cn_face_polygon *other, int k, cn_vec3 normal, double gap, cn_vec3 *out,
                     double *offset)
{
    double height = cn_dot3(normal, other->corner[0]);
    if (k < 2) {
        *out = k == 0 ? normal : cn_neg3(normal);
        *offset = k == 0 ? height + gap : gap - height;
        return true;
    }
    if (k - 2 >= other->count || other->count < 2) {
        return false;
    }
    cn_vec3 x = other->corner[k - 2], y = other->corner[k - 1 < other->count ? k - 1 : 0];
    *out = cn_cross3(cn_sub3(y, x), normal);
    *offset = cn_dot3(*out, x);
    return true;
}

// Leaves of one piece what is outside of the cover, as convex pieces: outside of its first bound,
// inside of that and outside of the second, and so on.
static cn_status cover_piece(const cn_hooks *hooks, cn_face_load *a, int n, cn_vec3 normal,
                             double gap, cn_error *err)
{
    const cn_vec3 *corner = a->free.corner + a->free.start[n];
    int count = a->free.start[n + 1] - a->free.start[n];
    size_t room = (size_t)(count + a->other.count) + CUT_CORNERS;
    cn_vec3 out;
    double offset;
    cn_face_polygon *const polygon[] = {&a->part, &a->rest, &a->spare};
    for (size_t k = 0; k < sizeof polygon / sizeof *polygon; k++) {
        CN_TRY(cn_reserve(hooks, &polygon[k]->corner, &polygon[k]->capacity, room, err));
    }
    copy(corner, count, &a->rest);
    for (int k = 0; a->rest.count > 2 && bound_of(&a->other, k, normal, gap, &out, &offset); k++) {
        cut(&a->rest, &a->spare, out, offset);
    }
    if (!has_area(&a->rest)) {
        return add_piece(hooks, corner, count, &a->next, err);
    }
    copy(corner, count, &a->rest);
    for (int k = 0; bound_of(&a->other, k, normal, gap, &out, &offset); k++) {
        copy(a->rest.corner, a->rest.count, &a->part);
        cut(&a->part, &a->spare, cn_neg3(out), -offset);
        if (has_area(&a->part)) {
            CN_TRY(add_piece(hooks, a->part.corner, a->part.count, &a->next, err));
        }
        cut(&a->rest, &a->spare, out, offset);
    }
    return CN_OK;
}

cn_status cn_face_cover(const cn_hooks *hooks, cn_face_load *a, cn_vec3 normal, double gap,
                        cn_error *err)
{
    a->next.count = 0;
    for (int n = 0; n < a->free.count; n++) {
        CN_TRY(cover_piece(hooks, a, n, normal, gap, err));
    }
    cn_face_pieces left = a->next;
    a->next = a->free;
    a->free = left;
    return CN_OK;
}

static cn_vec3 along(int d, double size)
{
    return cn_v3(d == 0 ? size : 0.0, d == 1 ? size : 0.0, d == 2 ? size : 0.0);
}

static double component(cn_vec3 x, int d)
{
    return d == 0 ? x.x : (d == 1 ? x.y : x.z);
}

void cn_face_cut_to_load(cn_face_load *a, int dim, double value)
{
    for (int d = 0; d < dim; d++) {
        double high = a->def.high[d];
        if (d == dim - 1 && a->def.kind == CN_FACE_FILL) {
            high = fmin(high, value);
        }
        if (isfinite(high)) {
            cut(&a->part, &a->spare, along(d, 1.0), high);
        }
        if (isfinite(a->def.low[d])) {
            cut(&a->part, &a->spare, along(d, -1.0), -a->def.low[d]);
        }
    }
}

// ---- sums

// The vertical stress of fill at a point (3.22).
static double stress_at(const cn_face_load *a, int up, double level, cn_vec3 x)
{
    return a->def.weight * (level - component(x, up)) + a->def.surcharge;
}

// Traction over that stress on a face of fill; of wind the traction itself (3.23).
static cn_vec3 traction(const cn_face_load *a, int up, double value, cn_vec3 normal)
{
    if (a->def.kind == CN_FACE_FILL) {
        cn_vec3 t = cn_mul3(-a->def.ratio, normal);
        return cn_add3(t, along(up, (a->def.ratio - 1.0) * component(normal, up)));
    }
    const double *d = a->def.direction;
    double cosine = cn_dot3(normal, cn_v3(d[0], d[1], d[2]));
    return cn_mul3(value * cosine * (cosine < 0.0 ? a->def.windward : a->def.leeward), normal);
}

// A face while sums over its pieces are formed.
typedef struct side {
    const cn_face_load *load;
    int up;
    double level;
    cn_vec3 normal, centre;
    cn_vec3 t; // traction over the stress, of wind the traction
} side;

// Adds the integrals over a convex polygon, a fan of triangles (3.25).
static void add_polygon(const side *f, const cn_vec3 *corner, int count, cn_face_sum *sum)
{
    bool is_fill = f->load->def.kind == CN_FACE_FILL;
    for (int k = 1; k + 1 < count; k++) {
        const cn_vec3 p[3] = {corner[0], corner[k], corner[k + 1]};
        double A = 0.5 * cn_dot3(f->normal, cn_cross3(cn_sub3(p[1], p[0]), cn_sub3(p[2], p[0])));
        double s_sum = 0.0;
        cn_vec3 x_sum = cn_v3(0.0, 0.0, 0.0), xs_sum = x_sum;
        for (int n = 0; n < 3; n++) {
            cn_vec3 arm = cn_sub3(p[n], f->centre);
            double s = is_fill ? stress_at(f->load, f->up, f->level, p[n]) : 1.0;
            s_sum += s;
            x_sum = cn_add3(x_sum, arm);
            xs_sum = cn_add_mul3(xs_sum, s, arm);
        }
        cn_vec3 first = cn_mul3(A / 12.0, cn_add_mul3(xs_sum, s_sum, x_sum));
        sum->area += A;
        sum->force = cn_add_mul3(sum->force, A / 3.0 * s_sum, f->t);
        sum->moment = cn_add3(sum->moment, cn_cross3(first, f->t));
    }
}

void cn_face_press(const cn_face_load *a, int dim, double value, cn_vec3 normal, cn_vec3 centre,
                   cn_face_sum *sum)
{
    const side f = {.load = a,
                    .up = dim - 1,
                    .level = value,
                    .normal = normal,
                    .centre = centre,
                    .t = traction(a, dim - 1, value, normal)};
    for (int n = 0; n < a->free.count; n++) {
        int from = a->free.start[n];
        add_polygon(&f, a->free.corner + from, a->free.start[n + 1] - from, sum);
    }
}
