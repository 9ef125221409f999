// geometry/surface/surface_mass.c -- integrals over the solid inside a surface: it is the signed
// sum of tetrahedra from one point to the triangles (divergence theorem). The point is the middle
// of the box, so that a small part far from the origin loses no digits.
#include <math.h>

#include "geometry/surface/topology.h"

static void grow_box(cn_surface_mass *mass, cn_vec3 p)
{
    mass->box_lo =
        cn_v3(fmin(mass->box_lo.x, p.x), fmin(mass->box_lo.y, p.y), fmin(mass->box_lo.z, p.z));
    mass->box_hi =
        cn_v3(fmax(mass->box_hi.x, p.x), fmax(mass->box_hi.y, p.y), fmax(mass->box_hi.z, p.z));
}

static void measure_box(const cn_surface *s, cn_surface_mass *mass)
{
    if (s->triangle_count == 0) {
        return;
    }
    mass->box_lo = mass->box_hi = cn_vertex_at(s, s->triangle[0]);
    for (size_t n = 0; n < 3 * (size_t)s->triangle_count; n++) {
        grow_box(mass, cn_vertex_at(s, s->triangle[n]));
    }
}

// Second moments of the solid: integrals of x x, y y, z z, x y, y z, z x about the point.
typedef struct moments {
    double volume;
    cn_vec3 first;
    double second[6];
} moments;

// Tetrahedron (0, a, b, c): volume det / 6; integral of x_i x_j = det / 120 times the sum over the
// corners of p_i p_j plus the product of the sums of p_i and of p_j.
static void add_tetrahedron(moments *m, cn_vec3 a, cn_vec3 b, cn_vec3 c)
{
    double det = cn_dot3(a, cn_cross3(b, c));
    cn_vec3 sum = cn_add3(cn_add3(a, b), c);
    m->volume += det / 6.0;
    m->first = cn_add_mul3(m->first, det / 24.0, sum);
    double w = det / 120.0;
    m->second[0] += w * (a.x * a.x + b.x * b.x + c.x * c.x + sum.x * sum.x);
    m->second[1] += w * (a.y * a.y + b.y * b.y + c.y * c.y + sum.y * sum.y);
    m->second[2] += w * (a.z * a.z + b.z * b.z + c.z * c.z + sum.z * sum.z);
    m->second[3] += w * (a.x * a.y + b.x * b.y + c.x * c.y + sum.x * sum.y);
    m->second[4] += w * (a.y * a.z + b.y * b.z + c.y * c.z + sum.y * sum.z);
    m->second[5] += w * (a.z * a.x + b.z * b.x + c.z * c.x + sum.z * sum.x);
}

// Inertia about the centre `d` from the point (Steiner).
static cn_mat3 inertia_of(const moments *m, cn_vec3 d)
{
    double xx = m->second[0] - m->volume * d.x * d.x, yy = m->second[1] - m->volume * d.y * d.y;
    double zz = m->second[2] - m->volume * d.z * d.z, xy = m->second[3] - m->volume * d.x * d.y;
    double yz = m->second[4] - m->volume * d.y * d.z, zx = m->second[5] - m->volume * d.z * d.x;
    // 0 - x: no minus zeros.
    return (cn_mat3){{{yy + zz, 0.0 - xy, 0.0 - zx},
                      {0.0 - xy, xx + zz, 0.0 - yz},
                      {0.0 - zx, 0.0 - yz, xx + yy}}};
}

cn_surface_mass cn_surface_measure(const cn_surface *s)
{
    if (s == NULL) {
        return (cn_surface_mass){0};
    }
    cn_surface_mass mass = {0};
    measure_box(s, &mass);
    cn_vec3 middle = cn_mul3(0.5, cn_add3(mass.box_lo, mass.box_hi));
    moments m = {0};
    for (int t = 0; t < s->triangle_count; t++) {
        const int *corner = cn_corners(s, t);
        cn_vec3 a = cn_sub3(cn_vertex_at(s, corner[0]), middle);
        cn_vec3 b = cn_sub3(cn_vertex_at(s, corner[1]), middle);
        cn_vec3 c = cn_sub3(cn_vertex_at(s, corner[2]), middle);
        mass.area += 0.5 * cn_norm3(cn_cross3(cn_sub3(b, a), cn_sub3(c, a)));
        add_tetrahedron(&m, a, b, c);
    }
    cn_vec3 d = m.volume != 0.0 ? cn_mul3(1.0 / m.volume, m.first) : cn_v3(0.0, 0.0, 0.0);
    mass.volume = m.volume;
    mass.centre = cn_add3(middle, d);
    mass.inertia = inertia_of(&m, d);
    return mass;
}
