// export/polygons.c -- polygons of a frame; outlines of shapes in the plane.
#include "export/polygons.h"

#include <math.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "geometry/plane/shape_kind.h"

// A shape placed in the world: the origin of its frame and the direction of its x axis.
typedef struct placed {
    cn_vec2 at;
    double c, s;
} placed;

static placed place(const double *q, const cn_shape_def *shape)
{
    cn_vec2 offset = cn_turn2(cn_v2(shape->at[0], shape->at[1]), cos(q[2]), sin(q[2]));
    double angle = q[2] + shape->angle;
    return (placed){cn_add2(cn_v2(q[0], q[1]), offset), cos(angle), sin(angle)};
}

cn_status cn_polygons_corner(cn_polygons *p, double x, double y, double z, cn_error *err)
{
    size_t count = (size_t)p->point_count;
    CN_TRY(cn_reserve(NULL, &p->point, &p->point_capacity, 3 * (count + 1), err));
    p->point[3 * count] = x;
    p->point[3 * count + 1] = y;
    p->point[3 * count + 2] = z;
    p->point_count++;
    return CN_OK;
}

cn_status cn_polygons_close(cn_polygons *p, int body, cn_error *err)
{
    size_t count = (size_t)p->count;
    CN_TRY(cn_reserve(NULL, &p->start, &p->start_capacity, count + 2, err));
    CN_TRY(cn_reserve(NULL, &p->body, &p->body_capacity, count + 1, err));
    p->start[0] = 0;
    p->start[count + 1] = p->point_count;
    p->body[count] = body;
    p->count++;
    return CN_OK;
}

static cn_status add_point(cn_polygons *o, const placed *p, double x, double y, cn_error *err)
{
    cn_vec2 point = cn_add2(p->at, cn_turn2(cn_v2(x, y), p->c, p->s));
    return cn_polygons_corner(o, point.x, point.y, 0.0, err);
}

static double side_angle(int k, int sides)
{
    return 2.0 * CN_PI * k / sides;
}

// `pieces` of an arc around a corner, the points where they begin.
static cn_status add_arc(cn_polygons *o, const placed *p, cn_vec2 centre, double radius,
                         double from, int pieces, cn_error *err)
{
    for (int k = 0; k < pieces; k++) {
        double angle = from + side_angle(k, CN_POLYGON_SIDES);
        CN_TRY(
            add_point(o, p, centre.x + radius * cos(angle), centre.y + radius * sin(angle), err));
    }
    return CN_OK;
}

// Direction of the outward normal of the edge that leaves vertex k.
static double normal_angle(const cn_skeleton *s, int k)
{
    cn_vec2 a = cn_skeleton_vertex(s, k), b = cn_skeleton_vertex(s, (k + 1) % s->count);
    return atan2(a.x - b.x, b.y - a.y);
}

// Corners, rounded between the normals of the edges that meet there; a disk is one corner.
static cn_status add_outline(cn_polygons *o, const placed *p, const cn_skeleton *s, int body,
                             cn_error *err)
{
    for (int n = 0; n < s->count; n++) {
        int k = s->radius > 0.0 ? (n + 1) % s->count : n;
        cn_vec2 corner = cn_skeleton_vertex(s, k);
        if (s->count == 1) {
            CN_TRY(add_arc(o, p, corner, s->radius, 0.0, CN_POLYGON_SIDES, err));
        } else if (!(s->radius > 0.0)) {
            CN_TRY(add_point(o, p, corner.x, corner.y, err));
        } else {
            double from = normal_angle(s, (k + s->count - 1) % s->count);
            double turn = fmod(normal_angle(s, k) - from + 2.0 * CN_PI, 2.0 * CN_PI);
            int pieces = (int)ceil(turn / side_angle(1, CN_POLYGON_SIDES) - 1e-9);
            CN_TRY(add_arc(o, p, corner, s->radius, from, pieces + 1, err));
        }
    }
    return cn_polygons_close(o, body, err);
}

static cn_status add_ring(cn_polygons *o, const placed *p, const cn_skeleton *shape, int body,
                          cn_error *err)
{
    double inner = shape->radius;
    double outer = shape->radius + shape->thickness;
    for (int k = 0; k < CN_POLYGON_RING_SIDES; k++) {
        double a = side_angle(k, CN_POLYGON_RING_SIDES);
        double b = side_angle(k + 1, CN_POLYGON_RING_SIDES);
        CN_TRY(add_point(o, p, inner * cos(a), inner * sin(a), err));
        CN_TRY(add_point(o, p, outer * cos(a), outer * sin(a), err));
        CN_TRY(add_point(o, p, outer * cos(b), outer * sin(b), err));
        CN_TRY(add_point(o, p, inner * cos(b), inner * sin(b), err));
        CN_TRY(cn_polygons_close(o, body, err));
    }
    return CN_OK;
}

// `centre` and `reach` enclose everything else.
static cn_status add_slab(cn_polygons *o, const placed *p, cn_vec2 centre, double reach, int body,
                          cn_error *err)
{
    // The part of the boundary that lies beside the centre, and a twentieth of its length in depth.
    double middle = cn_dot2(cn_sub2(centre, p->at), cn_v2(p->c, p->s));
    double depth = 0.1 * reach;
    CN_TRY(add_point(o, p, middle - reach, -depth, err));
    CN_TRY(add_point(o, p, middle + reach, -depth, err));
    CN_TRY(add_point(o, p, middle + reach, 0.0, err));
    CN_TRY(add_point(o, p, middle - reach, 0.0, err));
    return cn_polygons_close(o, body, err);
}

// Half-planes come last, when the size of the rest is known.
static cn_status add_shape(const cn_polygons_job *job, int body, const cn_shape_def *shape,
                           cn_error *err)
{
    cn_polygons *o = job->polygons;
    placed p = place(job->frame->q + 3 * (size_t)body, shape);
    cn_skeleton s = cn_skeleton_of(shape);
    if (s.ops->is_unbounded != job->is_last) {
        return CN_OK;
    }
    if (s.ops->is_unbounded) {
        return add_slab(o, &p, cn_v2(job->middle[0], job->middle[1]), job->reach, body, err);
    }
    return s.ops->is_hollow ? add_ring(o, &p, &s, body, err) : add_outline(o, &p, &s, body, err);
}

// Length of the diagonal of the box around all corners so far, 1 without any, and its middle [m].
static double find_reach(const cn_polygons *p, double middle[3])
{
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        double low = p->point_count > 0 ? p->point[d] : 0.0;
        double high = low;
        for (int k = 1; k < p->point_count; k++) {
            low = fmin(low, p->point[3 * (size_t)k + (size_t)d]);
            high = fmax(high, p->point[3 * (size_t)k + (size_t)d]);
        }
        middle[d] = 0.5 * (low + high);
        square += (high - low) * (high - low);
    }
    return square > 0.0 ? sqrt(square) : 1.0;
}

static cn_status add_bodies(const cn_polygons_job *job, cn_error *err)
{
    const cn_frame *f = job->frame;
    for (int i = 0; i < f->body_count; i++) {
        int shapes, solids;
        const cn_shape_def *shape = cn_reader_shapes(job->reader, f->id[i], &shapes);
        const cn_solid_def *solid = cn_reader_solids(job->reader, f->id[i], &solids);
        for (int n = 0; n < shapes; n++) {
            CN_TRY(add_shape(job, i, &shape[n], err));
        }
        for (int n = 0; n < solids; n++) {
            CN_TRY(cn_polygons_add_solid(job, i, &solid[n], err));
        }
    }
    return CN_OK;
}

cn_status cn_polygons_make(cn_reader *reader, const cn_frame *frame, bool with_spheres,
                           cn_polygons *polygons, cn_error *err)
{
    cn_polygons_job job = {
        .reader = reader, .frame = frame, .with_spheres = with_spheres, .polygons = polygons};
    polygons->point_count = 0;
    polygons->count = 0;
    CN_TRY(add_bodies(&job, err));
    job.is_last = true;
    job.reach = find_reach(polygons, job.middle);
    return add_bodies(&job, err);
}

void cn_polygons_free(cn_polygons *polygons)
{
    CN_RELEASE(polygons->point, polygons->start, polygons->body);
    *polygons = (cn_polygons){0};
}
