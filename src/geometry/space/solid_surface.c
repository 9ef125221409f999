// geometry/space/solid_surface.c -- the inside of a closed triangle surface.
#include "geometry/space/solid_kind.h"

// Smallest side of the box of the points of a definition [m].
static double thickness_of(const cn_solid_def *def)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int k = 0; k < def->point_count; k++) {
            lo = fmin(lo, def->point[3 * k + i]);
            hi = fmax(hi, def->point[3 * k + i]);
        }
        least = fmin(least, hi - lo);
    }
    return least;
}

static cn_vec3 corner_of(const cn_solid_def *def, int k, cn_vec3 origin)
{
    const double *p = def->point + 3 * k;
    return cn_sub3(cn_v3(p[0], p[1], p[2]), origin);
}

static cn_status check_surface(const cn_solid_def *def, cn_error *err)
{
    if (def->point == NULL || def->point_count < 12 || def->point_count % 3 != 0) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a surface needs three points for each of at least 4 triangles, got %d points",
            def->point_count);
    }
    for (int k = 0; k < 3 * def->point_count; k++) {
        if (!isfinite(def->point[k])) {
            return cn_fail(err, CN_BAD_INPUT, "triangle %d of the surface is not finite",
                           k / 9 + 1);
        }
    }
    return CN_OK;
}

// Sums of tetrahedra as for a polyhedron; whether it is closed is seen when it is placed.
static cn_status measure(const cn_solid_def *def, cn_solid_moments *sum, cn_error *err)
{
    CN_TRY(check_surface(def, err));
    cn_vec3 base = corner_of(def, 0, cn_v3(0.0, 0.0, 0.0));
    *sum = (cn_solid_moments){.size = thickness_of(def)};
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < def->point_count; k += 3) {
            (pass == 0 ? cn_solid_add_volume
                       : cn_solid_add_inertia)(corner_of(def, k, base), corner_of(def, k + 1, base),
                                               corner_of(def, k + 2, base), sum);
        }
        if (pass == 0 && !(sum->volume > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a surface encloses %g m3: its normals point inwards, or it is not "
                           "closed; `cairn check --fix` turns them round",
                           sum->volume);
        }
        base = pass == 0 ? cn_add_mul3(base, 1.0 / sum->volume, sum->centre) : base;
    }
    sum->centre = base;
    return CN_OK;
}

static bool has_sharp_edge(const cn_surface_solid *m)
{
    double least = INFINITY;
    for (int half = 0; half < 3 * m->triangle_count; half++) {
        bool is_convex = m->bend[half] > 0;
        double cosine = cn_dot3(m->normal[half / 3], m->normal[m->twin[half] / 3]);
        least = is_convex ? fmin(least, cosine) : least;
    }
    return least < -CN_SHARP;
}

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    cn_vec3 *corner = NULL;
    CN_TRY(cn_array(hooks, &corner, def->point_count, err));
    double farthest = 0.0;
    for (int k = 0; k < def->point_count; k++) {
        const double *p = def->point + 3 * k;
        corner[k] = cn_solid_moved(way, cn_v3(p[0], p[1], p[2]));
        farthest = fmax(farthest, cn_norm3(corner[k]));
    }
    solid->reach = farthest;
    solid->size = thickness_of(def);
    CN_TRY(cn_surface_solid_create(hooks, corner, def->point_count / 3, &solid->mesh, err));
    solid->is_sharp = has_sharp_edge(solid->mesh);
    return CN_OK;
}

static cn_status faces(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                       void *context, cn_error *err)
{
    (void)fine;
    for (int t = 0; t < def->point_count; t += 3) {
        const double *p = def->point + 3 * (size_t)t;
        const cn_vec3 corner[3] = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}};
        CN_TRY(visit(context, corner, 3, err));
    }
    return CN_OK;
}

const cn_solid_ops cn_solid_surface = {
    .name = "surface", .has_points = true, .measure = measure, .place = place, .faces = faces};
