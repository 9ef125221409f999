// generate/rock/cut_polyhedron.c -- convex cells that planes cut in two.
#include "generate/rock/cut_polyhedron.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void cn_cell_prism(int count, const cn_vec2 *polygon, double width, const uint8_t *side,
                   uint8_t end, cn_cell *cell)
{
    int used = 0;
    *cell = (cn_cell){.corner_count = 2 * count, .face_count = count + 2};
    for (int k = 0; k < count; k++) {
        int next = (k + 1) % count;
        cell->corner[k] = cn_v3(polygon[k].x, -0.5 * width, polygon[k].y);
        cell->corner[count + k] = cn_v3(polygon[k].x, 0.5 * width, polygon[k].y);
        const int loop[4] = {next, k, count + k, count + next};
        cell->tag[k] = side[k];
        cell->face_start[k] = (int16_t)used;
        for (int n = 0; n < 4; n++) {
            cell->loop[used++] = (uint8_t)loop[n];
        }
    }
    for (int f = 0; f < 2; f++) {
        cell->tag[count + f] = end;
        cell->face_start[count + f] = (int16_t)used;
        for (int k = 0; k < count; k++) {
            cell->loop[used++] = (uint8_t)(f == 0 ? k : 2 * count - 1 - k);
        }
    }
    cell->face_start[count + 2] = (int16_t)used;
}

double cn_cell_volume(const cn_cell *cell)
{
    cn_vec3 origin = cell->corner[0];
    double volume = 0.0;
    for (int f = 0; f < cell->face_count; f++) {
        const uint8_t *loop = cell->loop + cell->face_start[f];
        cn_vec3 a = cn_sub3(cell->corner[loop[0]], origin);
        for (int k = 1; k + 1 < cell->face_start[f + 1] - cell->face_start[f]; k++) {
            cn_vec3 b = cn_sub3(cell->corner[loop[k]], origin);
            cn_vec3 c = cn_sub3(cell->corner[loop[k + 1]], origin);
            volume += cn_dot3(a, cn_cross3(b, c)) / 6.0;
        }
    }
    return volume;
}

void cn_cell_span(const cn_cell *cell, const cn_plane *plane, double span[2])
{
    span[0] = INFINITY;
    span[1] = -INFINITY;
    for (int k = 0; k < cell->corner_count; k++) {
        double s = cn_dot3(plane->normal, cell->corner[k]) - plane->offset;
        span[0] = fmin(span[0], s);
        span[1] = fmax(span[1], s);
    }
}

// One half while it is made. Corners of the whole cell and of the cut are renamed.
typedef struct half {
    cn_cell *cell;
    int sign;                             // -1 below, 1 above
    int16_t name[CN_CELL_CORNER_MAX];     // of corners of the whole; -1: not there yet
    int16_t cut_name[CN_CELL_CORNER_MAX]; // of corners of the cut
    int16_t after[CN_CELL_CORNER_MAX];    // the next corner of the new face; -1: not on it
    int used;                             // of loop
    bool is_full;
} half;

// The whole cell and where the plane cuts its edges.
typedef struct cut {
    const cn_cell *cell;
    double s[CN_CELL_CORNER_MAX]; // distance from the plane
    int side[CN_CELL_CORNER_MAX]; // -1, 0, 1
    int count;                    // cut edges
    uint8_t edge[CN_CELL_CORNER_MAX][2];
    cn_vec3 corner[CN_CELL_CORNER_MAX];
} cut;

// The corner where the edge between a and b is cut; -1: there is no room for it.
static int find_cut(cut *c, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int k = 0; k < c->count; k++) {
        if (c->edge[k][0] == low && c->edge[k][1] == high) {
            return k;
        }
    }
    if (c->count == CN_CELL_CORNER_MAX) {
        return -1;
    }
    double t = c->s[low] / (c->s[low] - c->s[high]);
    cn_vec3 along = cn_sub3(c->cell->corner[high], c->cell->corner[low]);
    c->edge[c->count][0] = (uint8_t)low;
    c->edge[c->count][1] = (uint8_t)high;
    c->corner[c->count] = cn_add_mul3(c->cell->corner[low], t, along);
    return c->count++;
}

// Appends a corner to the loop that is being made; `name` remembers what it is called.
static void push(half *h, int16_t *name, cn_vec3 corner)
{
    cn_cell *cell = h->cell;
    if (*name < 0 && cell->corner_count < CN_CELL_CORNER_MAX) {
        *name = (int16_t)cell->corner_count;
        h->after[cell->corner_count] = -1;
        cell->corner[cell->corner_count++] = corner;
    }
    h->is_full = h->is_full || *name < 0 || h->used == CN_CELL_LOOP_MAX;
    if (!h->is_full) {
        cell->loop[h->used++] = (uint8_t)*name;
    }
}

static void begin_half(half *h, cn_cell *cell, int sign)
{
    *h = (half){.cell = cell, .sign = sign};
    *cell = (cn_cell){0};
    for (int k = 0; k < CN_CELL_CORNER_MAX; k++) {
        h->name[k] = h->cut_name[k] = -1;
    }
}

static void end_face(half *h, int start, uint8_t tag)
{
    cn_cell *cell = h->cell;
    if (h->used - start < 3) { // touches the plane from the other side
        h->used = start;
        return;
    }
    if (cell->face_count == CN_CELL_FACE_MAX) {
        h->is_full = true;
        return;
    }
    cell->tag[cell->face_count] = tag;
    cell->face_start[cell->face_count++] = (int16_t)start;
    cell->face_start[cell->face_count] = (int16_t)h->used;
}

// What is left of face f. Of a face on the plane nothing is left: the new face takes its place.
static void clip_face(cut *c, int f, half *h)
{
    int first = c->cell->face_start[f], count = c->cell->face_start[f + 1] - first;
    int start = h->used;
    bool has_inside = false;
    for (int k = 0; k < count; k++) {
        int a = c->cell->loop[first + k], b = c->cell->loop[first + (k + 1) % count];
        if (c->side[a] * h->sign >= 0) {
            push(h, &h->name[a], c->cell->corner[a]);
            has_inside = has_inside || c->side[a] != 0;
        }
        if (c->side[a] * c->side[b] < 0) {
            int n = find_cut(c, a, b);
            h->is_full = h->is_full || n < 0;
            if (n >= 0) {
                push(h, &h->cut_name[n], c->corner[n]);
            }
        }
    }
    if (!has_inside) {
        h->used = start;
    }
    end_face(h, start, c->cell->tag[f]);
}

static bool is_on_plane(const cut *c, const half *h, int name)
{
    for (int k = 0; k < c->cell->corner_count; k++) {
        if (h->name[k] == name) {
            return c->side[k] == 0;
        }
    }
    return true; // made by the cut
}

// The new face runs against the edges that the others have on the plane.
static void close_half(const cut *c, half *h, uint8_t tag)
{
    cn_cell *cell = h->cell;
    int first = -1;
    for (int f = 0; f < cell->face_count; f++) {
        int start = cell->face_start[f], count = cell->face_start[f + 1] - start;
        for (int k = 0; k < count; k++) {
            int a = cell->loop[start + k], b = cell->loop[start + (k + 1) % count];
            if (is_on_plane(c, h, a) && is_on_plane(c, h, b)) {
                h->after[b] = (int16_t)a;
                first = b;
            }
        }
    }
    int start = h->used, at = first, steps = 0;
    while (at >= 0 && steps++ < cell->corner_count && h->used < CN_CELL_LOOP_MAX) {
        cell->loop[h->used++] = (uint8_t)at;
        at = h->after[at];
        if (at == first) {
            break;
        }
    }
    h->is_full = h->is_full || at != first || h->used - start < 3;
    end_face(h, start, tag);
}

cn_status cn_cell_cut(const cn_cell *cell, const cn_plane *plane, double flat, uint8_t tag,
                      cn_cell *below, cn_cell *above, cn_error *err)
{
    cut c = {.cell = cell};
    for (int k = 0; k < cell->corner_count; k++) {
        c.s[k] = cn_dot3(plane->normal, cell->corner[k]) - plane->offset;
        c.side[k] = c.s[k] > flat ? 1 : c.s[k] < -flat ? -1 : 0;
    }
    half h[2];
    begin_half(&h[0], below, -1);
    begin_half(&h[1], above, 1);
    for (int n = 0; n < 2; n++) {
        for (int f = 0; f < cell->face_count; f++) {
            clip_face(&c, f, &h[n]);
        }
        close_half(&c, &h[n], tag);
        if (h[n].is_full) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a block would have more than %d faces or %d corners: cut with fewer "
                           "sets of joints or less scatter",
                           (int)CN_CELL_FACE_MAX, (int)CN_CELL_CORNER_MAX);
        }
    }
    return CN_OK;
}
