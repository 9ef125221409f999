// geometry/surface/weld.c -- vertices kept so far are hashed by their place: their bits if only
// equal ones are joined, else the cube of the size of the tolerance that they are in, of which 27
// are searched.
#include "geometry/surface/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/surface/hash_chain.h"

typedef struct welder {
    const double *vertex;
    double tolerance; // [m]
    cn_chain kept;
    int *vertex_of; // of each item of the chain
} welder;

static uint64_t hash_place(const double place[3])
{
    return cn_hash_bytes(0, place, 3 * sizeof *place);
}

static bool is_near(const welder *w, const double *p, int other)
{
    const double *q = w->vertex + 3 * (size_t)other;
    double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    return x * x + y * y + z * z <= w->tolerance * w->tolerance;
}

// First kept vertex near p among those of one hash, -1: none.
static int search_hash(const welder *w, const double *p, uint64_t hash, int best)
{
    for (int k = cn_chain_first(&w->kept, hash); k >= 0; k = cn_chain_next(&w->kept, k)) {
        int vertex = w->vertex_of[k];
        if ((best < 0 || vertex < best) && is_near(w, p, vertex)) {
            best = vertex;
        }
    }
    return best;
}

// Where p is hashed: with a tolerance the number of its cube.
static void place_of(const welder *w, const double *p, double place[3])
{
    for (int k = 0; k < 3; k++) {
        place[k] = (w->tolerance > 0.0 ? floor(p[k] / w->tolerance) : p[k]) + 0.0;
    }
}

static int search(const welder *w, const double *p, const double place[3])
{
    if (!(w->tolerance > 0.0)) {
        return search_hash(w, p, hash_place(place), -1);
    }
    int best = -1;
    for (int k = 0; k < 27; k++) {
        double around[3] = {place[0] + k % 3 - 1 + 0.0, place[1] + k / 3 % 3 - 1 + 0.0,
                            place[2] + k / 9 - 1 + 0.0};
        best = search_hash(w, p, hash_place(around), best);
    }
    return best;
}

cn_status cn_weld_find(const double *vertex, int count, double tolerance, int *stands_for,
                       cn_error *err)
{
    welder w = {vertex, tolerance, {0}, malloc(((size_t)count + 1) * sizeof(int))};
    cn_status status = w.vertex_of != NULL
                           ? CN_OK
                           : cn_fail(err, CN_NO_MEMORY, "out of memory for %d vertices", count);
    for (int k = 0; k < count && status == CN_OK; k++) {
        double place[3];
        place_of(&w, vertex + 3 * (size_t)k, place);
        int earlier = search(&w, vertex + 3 * (size_t)k, place);
        stands_for[k] = earlier >= 0 ? earlier : k;
        if (earlier < 0) {
            w.vertex_of[w.kept.count] = k;
            status = cn_chain_add(&w.kept, hash_place(place), err);
        }
    }
    cn_chain_free(&w.kept);
    free(w.vertex_of);
    return status;
}

// Moves the vertices with number[k] == k together and replaces the others by the one they name;
// afterwards triangles use the new numbers. Returns how many vertices are gone.
static int renumber(cn_surface *s, int *number)
{
    int count = 0;
    for (int k = 0; k < s->vertex_count; k++) {
        if (number[k] == k) {
            memmove(s->vertex + 3 * (size_t)count, s->vertex + 3 * (size_t)k,
                    3 * sizeof *s->vertex);
            number[k] = count++;
        } else if (number[k] >= 0) {
            number[k] = number[number[k]]; // earlier, so it has its new number
        }
    }
    for (size_t n = 0; n < 3 * (size_t)s->triangle_count; n++) {
        s->triangle[n] = number[s->triangle[n]];
    }
    int gone = s->vertex_count - count;
    s->vertex_count = count;
    return gone;
}

cn_status cn_surface_weld(cn_surface *s, double tolerance, int *joined_count, cn_error *err)
{
    int *number = malloc(((size_t)s->vertex_count + 1) * sizeof *number);
    if (number == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d vertices", s->vertex_count);
    }
    cn_status status = cn_weld_find(s->vertex, s->vertex_count, tolerance, number, err);
    if (status == CN_OK) {
        *joined_count = renumber(s, number);
    }
    free(number);
    return status;
}

cn_status cn_surface_drop_unused(cn_surface *s, int *dropped_count, cn_error *err)
{
    int *number = malloc(((size_t)s->vertex_count + 1) * sizeof *number);
    if (number == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d vertices", s->vertex_count);
    }
    memset(number, 0xff, (size_t)s->vertex_count * sizeof *number); // -1
    for (size_t n = 0; n < 3 * (size_t)s->triangle_count; n++) {
        number[s->triangle[n]] = s->triangle[n];
    }
    *dropped_count = renumber(s, number);
    free(number);
    return CN_OK;
}

int cn_surface_keep_triangles(cn_surface *s, const bool *is_kept)
{
    int count = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        if (!is_kept[t]) {
            continue;
        }
        memmove(s->triangle + 3 * (size_t)count, s->triangle + 3 * (size_t)t,
                3 * sizeof *s->triangle);
        if (s->group != NULL) {
            s->group[count] = s->group[t];
        }
        if (s->element != NULL) {
            s->element[count] = s->element[t];
        }
        count++;
    }
    int gone = s->triangle_count - count;
    s->triangle_count = count;
    return gone;
}
