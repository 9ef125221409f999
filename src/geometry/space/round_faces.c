// geometry/space/round_faces.c
#include "geometry/space/round_faces.h"

#include <math.h>

#include "base/memory.h"

static void add(cn_profile *p, double across, double along)
{
    p->point[p->count++] = cn_v2(across, along);
}

// A sphere cut in two halves that stand `length` apart, from the lower pole to the upper.
void cn_profile_add_capsule(cn_profile *p, double radius, double length, int rings)
{
    for (int m = 0; m <= rings; m++) {
        bool is_pole = m == 0 || m == rings;
        double polar = CN_PI * m / rings, across = is_pole ? 0.0 : radius * sin(polar);
        double along = -radius * cos(polar);
        if (2 * m <= rings) {
            add(p, across, along - 0.5 * length);
        }
        if (2 * m > rings || (2 * m == rings && length > 0.0)) {
            add(p, across, along + 0.5 * length);
        }
    }
}

// Turns the points from `first` on round.
void cn_profile_reverse(cn_profile *p, int first)
{
    for (int k = first, m = p->count - 1; k < m; k++, m--) {
        cn_vec2 kept = p->point[k];
        p->point[k] = p->point[m];
        p->point[m] = kept;
    }
}

// From the lower end to the upper; an open end leaves the axis out.
void cn_profile_add_tube(cn_profile *p, double radius, double length, unsigned ends, double lid)
{
    double half = 0.5 * length;
    double low = ends & 1u ? half + lid : half, high = ends & 2u ? half + lid : half;
    if (ends & 1u) {
        add(p, 0.0, -low);
    }
    add(p, radius, -low);
    add(p, radius, high);
    if (ends & 2u) {
        add(p, 0.0, high);
    }
}

static cn_vec3 corner_at(cn_vec2 point, int k, int sides)
{
    double angle = 2.0 * CN_PI * k / sides;
    return cn_v3(point.x * cos(angle), point.x * sin(angle), point.y);
}

// A flat end: the whole disk at once.
static cn_status visit_disk(cn_vec2 rim, bool is_upper, int sides, cn_face_visit *visit,
                            void *context, cn_error *err)
{
    cn_vec3 corner[CN_PROFILE_SIDES_MAX];
    for (int k = 0; k < sides; k++) {
        corner[k] = corner_at(rim, is_upper ? k : sides - 1 - k, sides);
    }
    return visit(context, corner, sides, err);
}

static cn_status visit_band(cn_vec2 from, cn_vec2 to, int sides, cn_face_visit *visit,
                            void *context, cn_error *err)
{
    for (int k = 0; k < sides; k++) {
        cn_vec3 corner[4];
        int count = 0;
        corner[count++] = corner_at(from, k, sides);
        if (from.x > 0.0) {
            corner[count++] = corner_at(from, k + 1, sides);
        }
        corner[count++] = corner_at(to, k + 1, sides);
        if (to.x > 0.0) {
            corner[count++] = corner_at(to, k, sides);
        }
        CN_TRY(visit(context, corner, count, err));
    }
    return CN_OK;
}

cn_status cn_profile_revolve(const cn_profile *p, int sides, cn_face_visit *visit, void *context,
                             cn_error *err)
{
    for (int m = 0; m + 1 < p->count + (p->is_closed ? 1 : 0); m++) {
        cn_vec2 from = p->point[m], to = p->point[(m + 1) % p->count];
        if (!(from.x > 0.0) && !(to.x > 0.0)) {
            continue; // along the axis: from the outside of a shell to its inside
        }
        bool is_disk = from.y == to.y && !(from.x > 0.0 && to.x > 0.0);
        CN_TRY(is_disk
                   ? visit_disk(from.x > 0.0 ? from : to, from.x > 0.0, sides, visit, context, err)
                   : visit_band(from, to, sides, visit, context, err));
    }
    return CN_OK;
}
