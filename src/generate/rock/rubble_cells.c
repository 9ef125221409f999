// generate/rock/rubble_cells.c -- Voronoi cells inside a convex cell.
//
// Seeds lie in a grid of cubes that holds about one each. The cell of a seed is what the planes
// halfway to all others leave of the whole; a seed further away than twice the farthest corner
// cannot cut, so rings of cubes are visited until that is so.
#include "generate/rock/rubble_cells.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum { AXIS_MOST = 128, TRIES = 1000 };

typedef struct grid {
    cn_vec3 low;
    double side; // of a cube [m]
    int n[3];    // cubes along the axes
    int *start;  // first place in `seed` of each cube, and the end
    int *seed;
} grid;

typedef struct filling {
    const cn_voronoi_def *def;
    const cn_cell *whole;
    double flat;
    cn_vec3 low, high; // box of the whole
    cn_vec3 *at;       // seeds [m]
    grid g;
} filling;

// Of its volume.
static cn_vec3 centroid(const cn_cell *cell)
{
    cn_vec3 origin = cell->corner[0], sum = {0};
    double volume = 0.0;
    for (int f = 0; f < cell->face_count; f++) {
        const uint8_t *loop = cell->loop + cell->face_start[f];
        cn_vec3 a = cn_sub3(cell->corner[loop[0]], origin);
        for (int k = 1; k + 1 < cell->face_start[f + 1] - cell->face_start[f]; k++) {
            cn_vec3 b = cn_sub3(cell->corner[loop[k]], origin);
            cn_vec3 c = cn_sub3(cell->corner[loop[k + 1]], origin);
            double part = cn_dot3(a, cn_cross3(b, c)); // six times that of a tetrahedron
            volume += part;
            sum = cn_add_mul3(sum, 0.25 * part, cn_add3(a, cn_add3(b, c)));
        }
    }
    return cn_add_mul3(origin, 1.0 / volume, sum);
}

static void find_box(filling *v)
{
    v->low = v->high = v->whole->corner[0];
    for (int k = 1; k < v->whole->corner_count; k++) {
        cn_vec3 x = v->whole->corner[k];
        v->low = cn_v3(fmin(v->low.x, x.x), fmin(v->low.y, x.y), fmin(v->low.z, x.z));
        v->high = cn_v3(fmax(v->high.x, x.x), fmax(v->high.y, x.y), fmax(v->high.z, x.z));
    }
}

static bool is_inside(const cn_cell *whole, cn_vec3 x)
{
    for (int f = 0; f < whole->face_count; f++) {
        const uint8_t *loop = whole->loop + whole->face_start[f];
        cn_vec3 a = whole->corner[loop[0]];
        cn_vec3 n =
            cn_cross3(cn_sub3(whole->corner[loop[1]], a), cn_sub3(whole->corner[loop[2]], a));
        if (cn_dot3(n, cn_sub3(x, a)) > 0.0) {
            return false;
        }
    }
    return true;
}

// Seed k: a pure function of the seed of the filling and of k.
static cn_status draw(const filling *v, int k, cn_vec3 *at, cn_error *err)
{
    uint64_t random = cn_mix2(v->def->seed, (uint64_t)k);
    for (int n = 0; n < TRIES; n++) {
        double x = cn_random(&random), y = cn_random(&random), z = cn_random(&random);
        *at = cn_v3(v->low.x + x * (v->high.x - v->low.x), v->low.y + y * (v->high.y - v->low.y),
                    v->low.z + z * (v->high.z - v->low.z));
        if (is_inside(v->whole, *at)) {
            return CN_OK;
        }
    }
    return cn_fail(err, CN_BAD_INPUT, "a region is so thin that no stone is found inside it");
}

// ---- the grid

static int cube_along(const grid *g, double x, double low, int axis)
{
    int k = (int)floor((x - low) / g->side);
    return k < 0 ? 0 : k >= g->n[axis] ? g->n[axis] - 1 : k;
}

static void cube_of(const grid *g, cn_vec3 x, int c[3])
{
    c[0] = cube_along(g, x.x, g->low.x, 0);
    c[1] = cube_along(g, x.y, g->low.y, 1);
    c[2] = cube_along(g, x.z, g->low.z, 2);
}

static int number_of(const grid *g, const int c[3])
{
    return (c[2] * g->n[1] + c[1]) * g->n[0] + c[0];
}

// Sorts the seeds into cubes, in each by their number.
static cn_status sort_seeds(filling *v, cn_error *err)
{
    grid *g = &v->g;
    cn_vec3 size = cn_sub3(v->high, v->low);
    g->low = v->low;
    g->side = fmax(cbrt(cn_cell_volume(v->whole) / v->def->count),
                   fmax(size.x, fmax(size.y, size.z)) / AXIS_MOST);
    const double along[3] = {size.x, size.y, size.z};
    for (int d = 0; d < 3; d++) {
        g->n[d] = (int)ceil(along[d] / g->side);
        g->n[d] = g->n[d] < 1 ? 1 : g->n[d];
    }
    int cubes = g->n[0] * g->n[1] * g->n[2];
    CN_RELEASE(g->start, g->seed);
    g->start = calloc((size_t)cubes + 2, sizeof *g->start);
    g->seed = calloc((size_t)v->def->count, sizeof *g->seed);
    if (g->start == NULL || g->seed == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d seeds of stones", v->def->count);
    }
    for (int k = 0; k < v->def->count; k++) {
        int c[3];
        cube_of(g, v->at[k], c);
        g->start[number_of(g, c) + 2]++;
    }
    for (int n = 0; n < cubes; n++) {
        g->start[n + 2] += g->start[n + 1];
    }
    for (int k = 0; k < v->def->count; k++) {
        int c[3];
        cube_of(g, v->at[k], c);
        g->seed[g->start[number_of(g, c) + 1]++] = k;
    }
    return CN_OK;
}

// ---- cells

static double farthest(const cn_cell *cell, cn_vec3 from)
{
    double most = 0.0;
    for (int k = 0; k < cell->corner_count; k++) {
        most = fmax(most, cn_norm3(cn_sub3(cell->corner[k], from)));
    }
    return most;
}

// Keeps what is nearer to seed k than to seed j.
static cn_status cut_between(const filling *v, int k, int j, cn_cell *cell, cn_error *err)
{
    cn_vec3 way = cn_sub3(v->at[j], v->at[k]), middle = cn_add_mul3(v->at[k], 0.5, way);
    double length = cn_norm3(way), span[2];
    if (!(length > 4.0 * v->flat)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "two seeds of stones lie on each other: take another seed");
    }
    cn_vec3 normal = cn_mul3(1.0 / length, way);
    const cn_plane plane = {normal, cn_dot3(normal, middle)};
    cn_cell_span(cell, &plane, span);
    if (!(span[1] > v->flat)) {
        return CN_OK;
    }
    cn_cell below, above;
    CN_TRY(cn_cell_cut(cell, &plane, v->flat, 0, &below, &above, err));
    *cell = below;
    return CN_OK;
}

// The cubes at distance `ring` of the one in the middle, those of them that exist.
static cn_status cut_ring(const filling *v, int k, int ring, cn_cell *cell, cn_error *err)
{
    const grid *g = &v->g;
    int centre[3], c[3];
    cube_of(g, v->at[k], centre);
    for (c[2] = centre[2] - ring; c[2] <= centre[2] + ring; c[2]++) {
        for (c[1] = centre[1] - ring; c[1] <= centre[1] + ring; c[1]++) {
            bool is_shell = abs(c[2] - centre[2]) == ring || abs(c[1] - centre[1]) == ring;
            int step = is_shell || ring == 0 ? 1 : 2 * ring;
            for (c[0] = centre[0] - ring; c[0] <= centre[0] + ring; c[0] += step) {
                bool is_there = c[0] >= 0 && c[0] < g->n[0] && c[1] >= 0 && c[1] < g->n[1] &&
                                c[2] >= 0 && c[2] < g->n[2];
                int n = is_there ? number_of(g, c) : 0;
                for (int s = g->start[n]; is_there && s < g->start[n + 1]; s++) {
                    CN_TRY(g->seed[s] == k ? CN_OK : cut_between(v, k, g->seed[s], cell, err));
                }
            }
        }
    }
    return CN_OK;
}

static cn_status make_cell(const filling *v, int k, cn_cell *cell, cn_error *err)
{
    const grid *g = &v->g;
    int rings = g->n[0] > g->n[1] ? g->n[0] : g->n[1];
    rings = rings > g->n[2] ? rings : g->n[2];
    *cell = *v->whole;
    // Seeds beyond a ring are at least so many sides away.
    for (int ring = 0; ring < rings; ring++) {
        if ((ring - 1) * g->side > 2.0 * farthest(cell, v->at[k])) {
            break;
        }
        CN_TRY(cut_ring(v, k, ring, cell, err));
    }
    return CN_OK;
}

static cn_status fill(filling *v, cn_cell *cell, cn_error *err)
{
    for (int k = 0; k < v->def->count; k++) {
        CN_TRY(draw(v, k, &v->at[k], err));
    }
    for (int step = 0; step <= v->def->relax; step++) {
        CN_TRY(sort_seeds(v, err));
        for (int k = 0; k < v->def->count; k++) {
            CN_TRY(make_cell(v, k, &cell[k], err));
        }
        for (int k = 0; k < v->def->count && step < v->def->relax; k++) {
            v->at[k] = centroid(&cell[k]);
        }
    }
    return CN_OK;
}

cn_status cn_voronoi_fill(const cn_voronoi_def *def, const cn_cell *whole, double flat,
                          cn_cell *cell, cn_error *err)
{
    filling v = {.def = def, .whole = whole, .flat = flat};
    v.at = calloc((size_t)def->count, sizeof *v.at);
    if (v.at == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d seeds of stones", def->count);
    }
    find_box(&v);
    cn_status status = fill(&v, cell, err);
    CN_RELEASE(v.at, v.g.start, v.g.seed);
    return status;
}
