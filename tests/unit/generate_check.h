// tests/unit/generate_check.h -- geometry of pieces, written apart from the generators.
#pragma once

#include "generate/generate.h"

#include <float.h>
#include <math.h>

typedef struct outline {
    int count;
    double x[64], y[64];
} outline;

// World vertices of a polygon.
static inline outline outline_of(const cn_pieces *pieces, int k)
{
    const cn_piece *piece = &pieces->piece[k];
    cn_shape_def shape = cn_piece_shape(pieces, k);
    outline o = {.count = shape.vertex_count};
    double c = cos(piece->angle), s = sin(piece->angle);
    for (int n = 0; n < o.count; n++) {
        double x = shape.vertex[2 * n], y = shape.vertex[2 * n + 1];
        o.x[n] = piece->at[0] + c * x - s * y;
        o.y[n] = piece->at[1] + s * x + c * y;
    }
    return o;
}

static inline double outline_area(const outline *o)
{
    double area = 0.0;
    for (int n = 0; n < o->count; n++) {
        int m = (n + 1) % o->count;
        area += 0.5 * ((o->x[n] - o->x[0]) * (o->y[m] - o->y[0]) -
                       (o->y[n] - o->y[0]) * (o->x[m] - o->x[0]));
    }
    return area;
}

// Largest distance by which an edge of a separates it from b; negative: overlap along that edge.
static inline double edge_gap(const outline *a, const outline *b)
{
    double best = -DBL_MAX;
    for (int n = 0; n < a->count; n++) {
        int m = (n + 1) % a->count;
        double tx = a->x[m] - a->x[n], ty = a->y[m] - a->y[n];
        double length = sqrt(tx * tx + ty * ty), nearest = DBL_MAX;
        for (int k = 0; k < b->count; k++) {
            double gap = ((b->x[k] - a->x[n]) * ty - (b->y[k] - a->y[n]) * tx) / length;
            nearest = fmin(nearest, gap);
        }
        best = fmax(best, nearest);
    }
    return best;
}

// Depth of the deepest overlap between polygons of the list [m]; 0 if there is none.
static inline double deepest_overlap(const cn_pieces *pieces)
{
    double deepest = 0.0;
    for (int i = 0; i < pieces->count; i++) {
        outline a = outline_of(pieces, i);
        for (int j = 0; j < i; j++) {
            outline b = outline_of(pieces, j);
            deepest = fmax(deepest, -fmax(edge_gap(&a, &b), edge_gap(&b, &a)));
        }
    }
    return deepest;
}

static inline double total_area(const cn_pieces *pieces)
{
    double area = 0.0;
    for (int k = 0; k < pieces->count; k++) {
        outline o = outline_of(pieces, k);
        area += outline_area(&o);
    }
    return area;
}
