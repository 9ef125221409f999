// detect/space/hull/hull_point.c -- the surface of a polyhedron nearest to a point.
//
// Inside, the face of least depth. Outside, the nearest point lies on a face that the point sees;
// over the inside of a face the direction is the normal of the face, to the last digit.
#include "detect/space/nearest_space.h"

static const double ROUNDING = 1e-12; // heights below this are on the face, of the distances [-]

// Nearest point of the outline of a face, for a point at `height` above its plane. False if the
// point is over the inside of the face.
static bool find_outline(const cn_hull *h, int face, cn_vec3 p, double height, cn_vec3 *nearest)
{
    cn_vec3 n = h->normal[face], shadow = cn_add_mul3(p, -height, n);
    int start = h->face_start[face], end = h->face_start[face + 1];
    double least = INFINITY;
    for (int k = start; k < end; k++) {
        cn_vec3 u = h->vertex[h->face_vertex[k]];
        cn_vec3 v = h->vertex[h->face_vertex[k + 1 == end ? start : k + 1]];
        cn_vec3 outward = cn_cross3(cn_sub3(v, u), n);
        if (!(cn_dot3(outward, cn_sub3(shadow, u)) > 0.0)) {
            continue;
        }
        cn_vec3 on = cn_add_mul3(u, cn_segment_place(u, v, p), cn_sub3(v, u));
        cn_vec3 apart = cn_sub3(p, on);
        double squared = cn_dot3(apart, apart);
        if (squared < least) {
            least = squared;
            *nearest = on;
        }
    }
    return least < INFINITY;
}

static double height_of(const cn_hull *h, int face, cn_vec3 p)
{
    return cn_dot3(h->normal[face], p) - h->offset[face];
}

static cn_foot find_outside(const cn_hull *h, cn_vec3 p)
{
    cn_foot best = {.distance = INFINITY};
    for (int f = 0; f < h->face_count; f++) {
        double height = height_of(h, f, p);
        if (!(height > 0.0 && height < best.distance)) {
            continue;
        }
        cn_vec3 on = p;
        if (!find_outline(h, f, p, height, &on)) {
            return (cn_foot){h->normal[f], height, true};
        }
        cn_vec3 apart = cn_sub3(p, on);
        double distance = cn_norm3(apart);
        if (distance < best.distance) {
            best = (cn_foot){cn_mul3(1.0 / distance, apart), distance, false};
        }
    }
    return best;
}

bool cn_hull_foot(const cn_hull *hull, cn_vec3 p, double limit, cn_foot *foot)
{
    int face = 0;
    double highest = -INFINITY;
    for (int f = 0; f < hull->face_count; f++) {
        double height = height_of(hull, f, p);
        if (!(height <= limit)) {
            return false;
        }
        if (height > highest) {
            highest = height;
            face = f;
        }
    }
    *foot = highest > ROUNDING * cn_norm3(p) ? find_outside(hull, p)
                                             : (cn_foot){hull->normal[face], highest, true};
    return foot->distance <= limit;
}
