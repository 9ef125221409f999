// import/measure_contactor.c -- area or volume, centre and moments of one contactor, as LMGC90
// takes them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/importing.h"

bool cn_dat_is_point(const cn_dat_contactor *c)
{
    return strcmp(c->kind, "PT2Dx") == 0 || strcmp(c->kind, "PT3Dx") == 0;
}

static bool is_kind(const cn_dat_contactor *c, const char *a, const char *b)
{
    return strcmp(c->kind, a) == 0 || strcmp(c->kind, b) == 0;
}

static bool sizes_are_good(cn_importing *m, const cn_dat_contactor *c, int count)
{
    for (int k = 0; k < count; k++) {
        if (!(c->size[k] > 0.0)) {
            cn_complain(&m->report, c->at, "size %d of this %s must be above 0, it is %g", k + 1,
                        c->kind, c->size[k]);
            return false;
        }
    }
    return true;
}

// Area, centroid and polar moment of a polygon by its corners.
static bool measure_polygon(cn_importing *m, const cn_dat_contactor *c, cn_dat_measure *out)
{
    const double *x = m->box.vertex.item + 3 * (size_t)c->vertex.first;
    double area = 0.0, moment = 0.0, sum[2] = {0.0, 0.0};
    for (int k = 0; k < c->vertex.count; k++) { // about the first corner, where it is exact
        const double *p = x + 3 * (size_t)k, *q = x + 3 * (size_t)((k + 1) % c->vertex.count);
        double a[2] = {p[0] - x[0], p[1] - x[1]}, b[2] = {q[0] - x[0], q[1] - x[1]};
        double cross = a[0] * b[1] - a[1] * b[0];
        area += 0.5 * cross;
        moment +=
            cross / 12.0 *
            (a[0] * a[0] + a[0] * b[0] + b[0] * b[0] + a[1] * a[1] + a[1] * b[1] + b[1] * b[1]);
        for (int n = 0; n < 2; n++) {
            sum[n] += cross / 6.0 * (a[n] + b[n]);
        }
    }
    if (!(fabs(area) > 0.0)) {
        cn_complain(&m->report, c->at, "this polygon has no area");
        return false;
    }
    double shift[2] = {sum[0] / area, sum[1] / area};
    *out = (cn_dat_measure){.content = fabs(area), .centre = {x[0] + shift[0], x[1] + shift[1]}};
    out->moment[2] = fabs(moment) - fabs(area) * (shift[0] * shift[0] + shift[1] * shift[1]);
    return true;
}

static bool measure_plane(cn_importing *m, const cn_dat_contactor *c, cn_dat_measure *out)
{
    double a = c->size[0], b = c->size[1];
    if (strcmp(c->kind, "POLYG") == 0) {
        return measure_polygon(m, c, out);
    }
    *out = (cn_dat_measure){.centre = {c->shift[0], c->shift[1]}};
    if (is_kind(c, "DISKx", "DISKb") || strcmp(c->kind, "xKSID") == 0) {
        out->content = CN_PI * a * a;
        out->moment[2] = 0.5 * out->content * a * a;
        return sizes_are_good(m, c, 1);
    }
    if (strcmp(c->kind, "JONCx") == 0) { // their moment: not that of a bar with round ends
        out->content = 4.0 * a * b + CN_PI * b * b;
        out->moment[2] = CN_PI * b * b * (a * a + 0.5 * b * b) + 2.0 * a * b * (a * a + b * b);
        return sizes_are_good(m, c, 2);
    }
    cn_import_lost(m, c->at, "contactor %s is not known in the plane", c->kind);
    return false;
}

// Moments of a diagonal tensor along the axes of a contactor, in those of the body.
static void turn_moments(const double diagonal[3], const double *R, double tensor[6])
{
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    for (int k = 0; k < 6; k++) {
        tensor[k] = 0.0;
        for (int n = 0; n < 3; n++) {
            tensor[k] += R[3 * row[k] + n] * diagonal[n] * R[3 * column[k] + n];
        }
    }
}

static bool measure_round(cn_importing *m, const cn_dat_contactor *c, cn_dat_measure *out)
{
    double a = c->size[0], b = c->size[1], d = c->size[2], V = 0.0, moment[3] = {0.0, 0.0, 0.0};
    int sizes = 1;
    if (is_kind(c, "SPHER", "SPHEb")) {
        V = 4.0 / 3.0 * CN_PI * a * a * a;
        moment[0] = moment[1] = moment[2] = 0.4 * V * a * a;
    } else if (strcmp(c->kind, "PLANx") == 0) {
        sizes = 3;
        V = 8.0 * a * b * d;
        moment[0] = V / 3.0 * (b * b + d * d);
        moment[1] = V / 3.0 * (d * d + a * a);
        moment[2] = V / 3.0 * (a * a + b * b);
    } else { // CYLND, DNLYC: half its height, and radius
        sizes = 2;
        V = 2.0 * CN_PI * a * b * b;
        moment[2] = 0.5 * V * b * b;
        moment[0] = moment[1] = V * (0.25 * b * b + a * a / 3.0);
    }
    *out = (cn_dat_measure){.content = V, .centre = {c->shift[0], c->shift[1], c->shift[2]}};
    turn_moments(moment, c->axes, out->moment);
    return sizes_are_good(m, c, sizes);
}

// Six times the volume, and its integrals, of the tetrahedron from the origin to a triangle.
static void add_tetrahedron(const double *const p[3], double *volume, double sum[3],
                            double product[6])
{
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    double det = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                 p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                 p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    *volume += det / 6.0;
    for (int n = 0; n < 3; n++) {
        sum[n] += det / 24.0 * (p[0][n] + p[1][n] + p[2][n]);
    }
    for (int k = 0; k < 6; k++) { // integral of x_i x_j
        int i = row[k], j = column[k];
        double total_i = p[0][i] + p[1][i] + p[2][i], total_j = p[0][j] + p[1][j] + p[2][j];
        double same = p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j];
        product[k] += det / 120.0 * (total_i * total_j + same);
    }
}

static int compare_edges(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0] ? 1 : -1) : x[1] != y[1] ? (x[1] > y[1] ? 1 : -1) : 0;
}

// Each edge of a closed surface belongs to two triangles.
static bool is_closed(cn_importing *m, const cn_dat_contactor *c)
{
    const int *t = m->box.triangle.item + 3 * (size_t)c->triangle.first;
    size_t count = 3 * (size_t)c->triangle.count;
    int(*edge)[2] = malloc(count * sizeof *edge);
    if (edge == NULL) {
        m->status = cn_fail(m->err, CN_NO_MEMORY, "out of memory");
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        int a = t[k], b = t[k - k % 3 + (k + 1) % 3];
        edge[k][0] = a < b ? a : b;
        edge[k][1] = a < b ? b : a;
    }
    qsort(edge, count, sizeof *edge, compare_edges);
    bool is_good = count % 2 == 0;
    for (size_t k = 0; k + 1 < count && is_good; k += 2) {
        is_good = compare_edges(edge[k], edge[k + 1]) == 0 &&
                  (k == 0 || compare_edges(edge[k], edge[k - 1]) != 0);
    }
    free(edge);
    return is_good;
}

static void mean_of_corners(const double *x, int count, double mean[3], double *extent)
{
    double least[3], most[3];
    for (int n = 0; n < 3; n++) {
        double total = 0.0;
        least[n] = most[n] = x[n];
        for (int k = 0; k < count; k++) {
            total += x[3 * (size_t)k + n];
            least[n] = fmin(least[n], x[3 * (size_t)k + n]);
            most[n] = fmax(most[n], x[3 * (size_t)k + n]);
        }
        mean[n] = total / count;
    }
    *extent = hypot(hypot(most[0] - least[0], most[1] - least[1]), most[2] - least[2]);
}

// Whether all corners lie behind the plane of a face whose normal points away from their mean.
// Corners are given from the mean; they are ordered so that the normal points outwards.
static bool is_behind(const double *x, int count, const double *p[3], double slack)
{
    double a[3], b[3], normal[3];
    for (int n = 0; n < 3; n++) {
        a[n] = p[1][n] - p[0][n];
        b[n] = p[2][n] - p[0][n];
    }
    for (int n = 0; n < 3; n++) {
        normal[n] = a[(n + 1) % 3] * b[(n + 2) % 3] - a[(n + 2) % 3] * b[(n + 1) % 3];
    }
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double level = normal[0] * p[0][0] + normal[1] * p[0][1] + normal[2] * p[0][2];
    if (level < 0.0) { // orientation is mixed in old files
        const double *swapped = p[1];
        p[1] = p[2];
        p[2] = swapped;
    }
    double sign = level < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < count; k++) {
        const double *q = x + 3 * (size_t)k;
        double height = normal[0] * q[0] + normal[1] * q[1] + normal[2] * q[2] - level;
        if (sign * height > slack * length) {
            return false;
        }
    }
    return true;
}

// Volume and moments of a convex polyhedron. LMGC90 takes others apart into faces; here they are
// not known as bodies that move.
static bool measure_polyhedron(cn_importing *m, const cn_dat_contactor *c, cn_dat_measure *out)
{
    const double *x = m->box.vertex.item + 3 * (size_t)c->vertex.first;
    const int *t = m->box.triangle.item + 3 * (size_t)c->triangle.first;
    const double FLAT = 1e-6; // of the size
    int count = c->vertex.count;
    double mean[3], extent, volume = 0.0, sum[3] = {0.0, 0.0, 0.0}, product[6] = {0.0};
    double *from_mean = malloc(3 * (size_t)count * sizeof *from_mean);
    if (from_mean == NULL || !is_closed(m, c)) {
        if (from_mean != NULL && m->status == CN_OK) {
            cn_complain(&m->report, c->at, "the surface of this %s is open", c->kind);
        }
        free(from_mean);
        return false;
    }
    mean_of_corners(x, count, mean, &extent);
    for (int k = 0; k < 3 * count; k++) {
        from_mean[k] = x[k] - mean[k % 3];
    }
    bool is_convex = true;
    for (int k = 0; k < c->triangle.count && is_convex; k++) {
        const double *p[3] = {from_mean + 3 * (size_t)t[3 * (size_t)k],
                              from_mean + 3 * (size_t)t[3 * (size_t)k + 1],
                              from_mean + 3 * (size_t)t[3 * (size_t)k + 2]};
        is_convex = is_behind(from_mean, count, p, FLAT * extent);
        add_tetrahedron(p, &volume, sum, product);
    }
    free(from_mean);
    if (!is_convex || !(volume > 0.0)) {
        cn_import_lost(m, c->at, "this %s is not convex: cut it into convex ones", c->kind);
        return false;
    }
    double s[3] = {sum[0] / volume, sum[1] / volume, sum[2] / volume};
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    double second[6];
    for (int k = 0; k < 6; k++) {
        second[k] = product[k] - volume * s[row[k]] * s[column[k]];
    }
    *out = (cn_dat_measure){.content = volume,
                            .centre = {mean[0] + s[0], mean[1] + s[1], mean[2] + s[2]},
                            .moment = {second[1] + second[2], second[2] + second[0],
                                       second[0] + second[1], -second[3], -second[4], -second[5]}};
    return true;
}

bool cn_dat_measure_contactor(cn_importing *m, int dim, const cn_dat_contactor *c,
                              cn_dat_measure *out)
{
    *out = (cn_dat_measure){0};
    if (cn_dat_is_point(c)) {
        memcpy(out->centre, c->shift, sizeof out->centre);
        return true;
    }
    if (dim == 2) {
        return measure_plane(m, c, out);
    }
    if (is_kind(c, "POLYR", "POLYF")) {
        return measure_polyhedron(m, c, out);
    }
    if (is_kind(c, "SPHER", "SPHEb") || is_kind(c, "CYLND", "DNLYC") ||
        strcmp(c->kind, "PLANx") == 0) {
        return measure_round(m, c, out);
    }
    cn_import_lost(m, c->at, "contactor %s is not known in space", c->kind);
    return false;
}
