// geometry/surface/triangulate.c -- polygons as triangles. A convex polygon is a fan about a corner
// that gives no flat triangle; any other loses one ear after another (Meisters' theorem: a simple
// polygon of more than three corners has two ears).
#include <math.h>
#include <string.h>

#include "cairn/vec.h"
#include "geometry/surface/read/surface_draft.h"

enum { APEX_MAX = 64, EAR_MAX = 1000 };

// The plane in which the polygon is seen: coordinates i, j of space, in the order in which its area
// is positive.
typedef struct flat {
    const double *vertex;
    int i, j;
    double area; // twice
} flat;

static double cross_of(const flat *f, int a, int b, int c)
{
    const double *A = f->vertex + 3 * (size_t)a, *B = f->vertex + 3 * (size_t)b,
                 *C = f->vertex + 3 * (size_t)c;
    return (B[f->i] - A[f->i]) * (C[f->j] - A[f->j]) - (B[f->j] - A[f->j]) * (C[f->i] - A[f->i]);
}

// Area vector by Newell's sum, about the first corner; the plane drops its largest component.
static flat flatten(const double *vertex, const int *corner, int count)
{
    double area[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        flat f = {vertex, (k + 1) % 3, (k + 2) % 3, 0.0};
        for (int n = 1; n + 1 < count; n++) {
            area[k] += cross_of(&f, corner[0], corner[n], corner[n + 1]);
        }
    }
    int k = fabs(area[0]) >= fabs(area[1]) ? 0 : 1;
    k = fabs(area[2]) > fabs(area[k]) ? 2 : k;
    bool is_up = area[k] >= 0.0;
    return (flat){vertex, (k + (is_up ? 1 : 2)) % 3, (k + (is_up ? 2 : 1)) % 3, fabs(area[k])};
}

static void make_fan(const int *corner, int count, int apex, int *triangle)
{
    for (int n = 1; n + 1 < count; n++) {
        *triangle++ = corner[apex];
        *triangle++ = corner[(apex + n) % count];
        *triangle++ = corner[(apex + n + 1) % count];
    }
}

static bool is_fan_good(const flat *f, const int *corner, int count, int apex, double least)
{
    for (int n = 1; n + 1 < count; n++) {
        if (!(cross_of(f, corner[apex], corner[(apex + n) % count],
                       corner[(apex + n + 1) % count]) > least)) {
            return false;
        }
    }
    return true;
}

// Whether p lies in the triangle or on its border.
static bool is_inside(const flat *f, int a, int b, int c, int p)
{
    return cross_of(f, a, b, p) >= 0.0 && cross_of(f, b, c, p) >= 0.0 &&
           cross_of(f, c, a, p) >= 0.0;
}

static bool is_same_point(const flat *f, int a, int b)
{
    return memcmp(f->vertex + 3 * (size_t)a, f->vertex + 3 * (size_t)b, 3 * sizeof(double)) == 0;
}

static bool is_ear(const flat *f, const int *left, int count, int k, double least)
{
    int a = left[(k + count - 1) % count], b = left[k], c = left[(k + 1) % count];
    if (!(cross_of(f, a, b, c) > least)) {
        return false;
    }
    for (int n = 2; n + 1 < count; n++) {
        int p = left[(k + n) % count];
        if (is_inside(f, a, b, c, p) && !is_same_point(f, p, a) && !is_same_point(f, p, b) &&
            !is_same_point(f, p, c)) {
            return false;
        }
    }
    return true;
}

static bool cut_ears(const flat *f, const int *corner, int count, double least, int *triangle)
{
    int left[EAR_MAX];
    memcpy(left, corner, (size_t)count * sizeof *left);
    while (count > 3) {
        int k = 0;
        while (k < count && !is_ear(f, left, count, k, least)) {
            k++;
        }
        if (k == count) {
            return false;
        }
        *triangle++ = left[(k + count - 1) % count];
        *triangle++ = left[k];
        *triangle++ = left[(k + 1) % count];
        count--;
        memmove(left + k, left + k + 1, (size_t)(count - k) * sizeof *left);
    }
    memcpy(triangle, left, 3 * sizeof *left);
    return cross_of(f, left[0], left[1], left[2]) > least;
}

bool cn_polygon_split(const double *vertex, const int *corner, int count, int *triangle)
{
    flat f = flatten(vertex, corner, count);
    double least = 1e-9 * f.area;
    for (int apex = 0; apex < count && apex < APEX_MAX; apex++) {
        if (is_fan_good(&f, corner, count, apex, least)) {
            make_fan(corner, count, apex, triangle);
            return true;
        }
    }
    if (count <= EAR_MAX && f.area > 0.0 && cut_ears(&f, corner, count, least, triangle)) {
        return true;
    }
    make_fan(corner, count, 0, triangle);
    return false;
}
