// geometry/outside.c -- see outside.h. Centres are lifted to |x|^2 - r^2: the lower side of their
// hull, found by the library Qhull, is the regular triangulation. A point high above them makes the
// hull one of enough points, and all that touches it is outside.
#include "geometry/outside.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 4096 };
enum { IS_UNKNOWN = 0, IS_IN, IS_OUT }; // unknown in the end: in a hole

// Height of that point; lifted centres are below 1 [-].
static const double ABOVE = 4.0;
// Downward part of a normal from which on a facet counts as one of the lower side [-].
static const double DOWN = 1e-12;

// Centres are scaled to a box of half side 1/2 about the middle.
typedef struct lift {
    int dim, count;
    const double *ball;
    double middle[3], scale;
    double *point; // dim + 1 numbers of each ball, then the point above
} lift;

static void find_scale(lift *l)
{
    l->scale = 0.0;
    for (int d = 0; d < l->dim; d++) {
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < l->count; k++) {
            least = fmin(least, l->ball[(l->dim + 1) * k + d]);
            most = fmax(most, l->ball[(l->dim + 1) * k + d]);
        }
        l->middle[d] = 0.5 * (least + most);
        l->scale = fmax(l->scale, most - least);
    }
}

static void lift_centres(const lift *l)
{
    int size = l->dim + 1;
    for (int k = 0; k < l->count; k++) {
        double *to = l->point + size * k, radius = l->ball[size * k + l->dim] / l->scale;
        to[l->dim] = -radius * radius;
        for (int d = 0; d < l->dim; d++) {
            to[d] = (l->ball[size * k + d] - l->middle[d]) / l->scale;
            to[l->dim] += to[d] * to[d];
        }
    }
    double *above = l->point + size * l->count;
    memset(above, 0, sizeof *above * (size_t)l->dim);
    above[l->dim] = ABOVE;
}

static int index_of(const lift *l, const vertexT *vertex)
{
    return (int)((vertex->point - l->point) / (l->dim + 1));
}

// In are simplices whose corners have a point of all their balls in common: the ball that is
// orthogonal to them has a radius whose square is not positive. The plane n x + m z + a = 0 of a
// facet holds the points with |x|^2 - r^2 = 2 c x + k, c the centre of that ball. The upper side of
// the hull is out.
static unsigned place_of(const lift *l, const facetT *facet)
{
    vertexT *vertex, **vertexp;
    const double *n = facet->normal, m = n[l->dim];
    bool is_upper = !(m < -DOWN);
    FOREACHvertex_(facet->vertices)
    {
        is_upper = is_upper || index_of(l, vertex) == l->count;
    }
    double square = -facet->offset / m;
    for (int d = 0; d < l->dim; d++) {
        double c = -0.5 * n[d] / m;
        square += c * c;
    }
    return is_upper ? IS_OUT : (square <= 0.0 ? IS_IN : IS_UNKNOWN);
}

// The balls of the corners of a simplex but for number k; returns that one, NULL for the point
// above.
static const double *split_corners(const lift *l, const facetT *simplex, int k, const double **face)
{
    const double *apex = NULL;
    int n = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(simplex->vertices)
    {
        int at = index_of(l, vertex);
        *(n++ == k ? &apex : face++) = at < l->count ? l->ball + (l->dim + 1) * at : NULL;
    }
    return apex;
}

bool cn_outside_power(int dim, const double *const *ball, double place[3], double *power)
{
    const double *x = ball[0];
    double e[2][3] = {{0.0}}, g[3] = {0.0, dim == 2, 0.0}, half[2] = {0.0}; // g: 00 11 01
    for (int k = 1; k < dim; k++) {
        const double *y = ball[k];
        for (int d = 0; d < dim; d++) {
            e[k - 1][d] = y[d] - x[d];
            g[k - 1] += e[k - 1][d] * e[k - 1][d];
        }
        half[k - 1] = 0.5 * (g[k - 1] + (x[dim] - y[dim]) * (x[dim] + y[dim]));
    }
    g[2] = e[0][0] * e[1][0] + e[0][1] * e[1][1] + e[0][2] * e[1][2];
    double det = g[0] * g[1] - g[2] * g[2];
    if (!(det > 0.0)) {
        return false;
    }
    double s = (half[0] * g[1] - half[1] * g[2]) / det, t = (half[1] * g[0] - half[0] * g[2]) / det;
    for (int d = 0; d < dim; d++) {
        place[d] = x[d] + s * e[0][d] + t * e[1][d];
    }
    *power = s * half[0] + t * half[1] - x[dim] * x[dim];
    return true;
}

// Whether a ball takes less of a point than the power says; NULL takes nothing.
static bool is_beside(const lift *l, const double *ball, const double place[3], double power)
{
    double square = 0.0;
    for (int d = 0; d < l->dim && ball != NULL; d++) {
        square += (place[d] - ball[d]) * (place[d] - ball[d]);
    }
    return ball == NULL || square - ball[l->dim] * ball[l->dim] >= power;
}

// Number of a neighbour of a facet, which is that of the vertex opposite to it.
static int number_of(const facetT *facet, const facetT *neighbour)
{
    int k = 0;
    facetT *neighbor, **neighborp;
    FOREACHneighbor_(facet)
    {
        if (neighbor == neighbour) {
            break;
        }
        k++;
    }
    return k;
}

// Whether balls bar the way from a facet into a simplex, as those of a chain of beads do: the
// corners of the face between them have a point in common that no ball beside it takes.
static bool is_barred(const lift *l, const facetT *from, const facetT *simplex)
{
    const double *face[4], *other[4];
    double place[3], power;
    const double *apex = split_corners(l, simplex, number_of(simplex, from), face);
    const double *beyond = split_corners(l, from, number_of(from, simplex), other);
    return cn_outside_power(l->dim, face, place, &power) && power <= 0.0 &&
           is_beside(l, apex, place, power) && is_beside(l, beyond, place, power);
}

// Marks what is in, and what can be reached from outside without passing through it or between
// balls that leave no way. `open` has room for all facets.
static void mark(qhT *qh, const lift *l, facetT **open)
{
    int count = 0;
    facetT *facet, *neighbor, **neighborp;
    FORALLfacets
    {
        facet->visitid = place_of(l, facet);
        if (facet->visitid == IS_OUT) {
            open[count++] = facet;
        }
    }
    while (count > 0) {
        facet = open[--count];
        FOREACHneighbor_(facet)
        {
            if (neighbor->visitid == IS_UNKNOWN && !is_barred(l, facet, neighbor)) {
                neighbor->visitid = IS_OUT;
                open[count++] = neighbor;
            }
        }
    }
}

// Facet k of a simplex, opposite to its vertex k, with the orientation that the simplex has.
static void put_facet(const lift *l, const facetT *simplex, int k, int *corner)
{
    int at = 0, n = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(simplex->vertices)
    {
        if (n++ != k) {
            corner[at++] = index_of(l, vertex);
        }
    }
    if ((k % 2 == 1) != (simplex->toporient != 0)) {
        int first = corner[0];
        corner[0] = corner[1];
        corner[1] = first;
    }
}

static cn_status read_facets(const cn_hooks *hooks, qhT *qh, const lift *l, cn_outside *out,
                             cn_error *err)
{
    facetT *facet, *neighbor, **neighborp;
    FORALLfacets
    {
        int k = 0;
        if (facet->visitid == IS_OUT) {
            continue;
        }
        FOREACHneighbor_(facet)
        {
            if (neighbor->visitid == IS_OUT) {
                size_t need = (size_t)l->dim * ((size_t)out->count + 1);
                CN_TRY(cn_reserve(hooks, &out->corner, &out->capacity, need, err));
                put_facet(l, facet, k, out->corner + l->dim * out->count++);
            }
            k++;
        }
    }
    return CN_OK;
}

// Area or volume that the facets enclose, times 2 or 6.
static double measure(const lift *l, const cn_outside *out)
{
    double sum = 0.0;
    for (int f = 0; f < out->count; f++) {
        const double *x[3];
        for (int k = 0; k < l->dim; k++) {
            x[k] = l->point + (l->dim + 1) * out->corner[l->dim * f + k];
        }
        sum += l->dim == 2 ? x[0][0] * x[1][1] - x[0][1] * x[1][0]
                           : x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
                                 x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
                                 x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
    }
    return sum;
}

// All simplices have one orientation; which of the two it is shows in the sign of the measure.
static void turn_outwards(const lift *l, cn_outside *out)
{
    bool is_inwards = measure(l, out) < 0.0;
    for (int f = 0; f < out->count && is_inwards; f++) {
        int *corner = out->corner + l->dim * f, first = corner[0];
        corner[0] = corner[1];
        corner[1] = first;
    }
}

static cn_status collect(const cn_hooks *hooks, qhT *qh, const lift *l, cn_outside *out,
                         cn_error *err)
{
    facetT **open = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(hooks, &open, &capacity, (size_t)qh->num_facets, err));
    mark(qh, l, open);
    cn_release(hooks, open);
    CN_TRY(read_facets(hooks, qh, l, out, err));
    turn_outwards(l, out);
    return CN_OK;
}

static cn_status run(const cn_hooks *hooks, const lift *l, FILE *messages, cn_outside *out,
                     cn_error *err)
{
    qhT qh;
    qh_zero(&qh, messages);
    char command[] = "qhull Qt";
    int code =
        qh_new_qhull(&qh, l->dim + 1, l->count + 1, l->point, False, command, NULL, messages);
    cn_status status = CN_OK;
    if (code == qh_ERRmem) {
        status = cn_fail(err, CN_NO_MEMORY, "no memory for what is outside of %d bodies", l->count);
    } else if (code != qh_ERRnone) {
        status = cn_fail(err, CN_BAD_INPUT,
                         "the centres of %d bodies lie in one %s and enclose nothing (Qhull says "
                         "%d)",
                         l->count, l->dim == 2 ? "line" : "plane", code);
    } else {
        status = collect(hooks, &qh, l, out, err);
    }
    int left_count, left_bytes;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left_count, &left_bytes);
    return status;
}

cn_status cn_outside_find(const cn_hooks *hooks, int dim, int count, const double *ball,
                          cn_outside *out, cn_error *err)
{
    out->count = 0;
    lift l = {.dim = dim, .count = count, .ball = ball};
    find_scale(&l);
    if (count <= dim || !(l.scale > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "%d bodies enclose nothing", count);
    }
    size_t capacity = 0, need = ((size_t)dim + 1) * ((size_t)count + 1);
    CN_TRY(cn_reserve(hooks, &l.point, &capacity, need, err));
    lift_centres(&l);
    char text[MESSAGE_MAX];
    FILE *messages = fmemopen(text, sizeof text, "w");
    cn_status status = messages != NULL
                           ? run(hooks, &l, messages, out, err)
                           : cn_fail(err, CN_NO_MEMORY, "no memory for what is outside of bodies");
    if (messages != NULL) {
        fclose(messages);
    }
    cn_release(hooks, l.point);
    return status;
}
