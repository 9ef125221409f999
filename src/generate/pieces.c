// generate/pieces.c -- the growing list of pieces that generators fill.
#include "base/memory.h"
#include "generate/masonry.h"

#include <limits.h>
#include <string.h>

void cn_pieces_free(cn_pieces *pieces)
{
    CN_RELEASE(pieces->piece, pieces->vertex);
    *pieces = (cn_pieces){0};
}

cn_shape_def cn_piece_shape(const cn_pieces *pieces, int k)
{
    const cn_piece *piece = &pieces->piece[k];
    cn_shape_def shape = {.kind = piece->kind, .radius = piece->radius, .length = piece->length};
    if (piece->kind == CN_SHAPE_POLYGON) {
        shape.vertex_count = piece->vertex_count;
        shape.vertex = pieces->vertex + 2 * (size_t)piece->vertex_start;
    }
    return shape;
}

cn_solid_def cn_piece_solid(const cn_pieces *pieces, int k)
{
    const cn_piece *piece = &pieces->piece[k];
    cn_solid_def solid = {.kind = piece->solid, .radius = piece->radius, .length = piece->length};
    if (piece->solid == CN_SOLID_HULL) {
        solid.point_count = piece->vertex_count;
        solid.point = pieces->vertex + 3 * (size_t)piece->vertex_start;
    }
    return solid;
}

cn_status cn_pieces_add(cn_pieces *pieces, const cn_piece *piece, cn_error *err)
{
    CN_TRY(cn_check_count("pieces in one list", pieces->count + 1.0, err));
    CN_TRY(
        cn_reserve(NULL, &pieces->piece, &pieces->piece_capacity, (size_t)pieces->count + 1, err));
    pieces->piece[pieces->count++] = *piece;
    return CN_OK;
}

cn_status cn_pieces_add_vertices(cn_pieces *pieces, int vertex_count, const double *vertex,
                                 int *vertex_start, cn_error *err)
{
    if (vertex_count > INT_MAX / 3 - pieces->vertex_count) {
        return cn_fail(err, CN_BAD_INPUT, "the pieces have more than %d vertices", INT_MAX / 3);
    }
    size_t dim = (size_t)cn_pieces_dim(pieces);
    size_t used = dim * (size_t)pieces->vertex_count;
    size_t more = dim * (size_t)vertex_count;
    CN_TRY(cn_reserve(NULL, &pieces->vertex, &pieces->vertex_capacity, used + more, err));
    memcpy(pieces->vertex + used, vertex, more * sizeof *vertex);
    *vertex_start = pieces->vertex_count;
    pieces->vertex_count += vertex_count;
    return CN_OK;
}

// Centroid by triangles from the first vertex, so that a polygon far from the origin loses no
// digits. Returns twice the area.
static double polygon_centroid(int count, const double *vertex, double centroid[2])
{
    double x = vertex[0], y = vertex[1];
    double area = 0.0, moment_x = 0.0, moment_y = 0.0;
    for (int k = 1; k + 1 < count; k++) {
        double ax = vertex[2 * k] - x, ay = vertex[2 * k + 1] - y;
        double bx = vertex[2 * k + 2] - x, by = vertex[2 * k + 3] - y;
        double twice = ax * by - ay * bx;
        area += twice;
        moment_x += twice * (ax + bx);
        moment_y += twice * (ay + by);
    }
    centroid[0] = x + moment_x / (3.0 * area);
    centroid[1] = y + moment_y / (3.0 * area);
    return area;
}

cn_status cn_pieces_add_polygon(cn_pieces *pieces, int vertex_count, const double *vertex,
                                const cn_piece *piece, cn_error *err)
{
    cn_piece added = *piece;
    added.kind = CN_SHAPE_POLYGON;
    added.vertex_count = vertex_count;
    double area = polygon_centroid(vertex_count, vertex, added.at);
    if (!(area > 0.0 && isfinite(added.at[0]) && isfinite(added.at[1]))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "piece [%d, %d] has no area: its lengths differ too much from each other or "
                       "from its place",
                       piece->index[0], piece->index[1]);
    }
    CN_TRY(cn_pieces_add_vertices(pieces, vertex_count, vertex, &added.vertex_start, err));
    double *own = pieces->vertex + 2 * (size_t)added.vertex_start;
    for (int k = 0; k < vertex_count; k++) {
        own[2 * k] -= added.at[0];
        own[2 * k + 1] -= added.at[1];
    }
    return cn_pieces_add(pieces, &added, err);
}

cn_status cn_pieces_add_hull(cn_pieces *pieces, int point_count, const double *point,
                             const cn_piece *piece, cn_error *err)
{
    cn_piece added = *piece;
    added.solid = CN_SOLID_HULL;
    added.vertex_count = point_count;
    for (int d = 0; d < 3; d++) {
        double sum = 0.0;
        for (int k = 0; k < point_count; k++) {
            sum += point[3 * k + d];
        }
        added.at[d] = sum / point_count;
    }
    CN_TRY(cn_pieces_add_vertices(pieces, point_count, point, &added.vertex_start, err));
    double *own = pieces->vertex + 3 * (size_t)added.vertex_start;
    for (int k = 0; k < 3 * point_count; k++) {
        own[k] -= added.at[k % 3];
    }
    return cn_pieces_add(pieces, &added, err);
}

cn_status cn_pieces_extrude(const cn_pieces *plane, int k, double from, double to,
                            const int index[2], cn_pieces *space, cn_error *err)
{
    const cn_piece *profile = &plane->piece[k];
    cn_piece piece = {.solid = CN_SOLID_HULL,
                      .vertex_count = 2 * profile->vertex_count,
                      .at = {profile->at[0], 0.5 * (from + to), profile->at[1]},
                      .index = {index[0], index[1]},
                      .is_support = profile->is_support};
    for (int n = 0; n < piece.vertex_count; n++) {
        const double *x = plane->vertex + 2 * ((size_t)profile->vertex_start + (size_t)(n / 2));
        double vertex[3] = {x[0], (n % 2 == 0 ? -0.5 : 0.5) * (to - from), x[1]};
        int start = 0;
        CN_TRY(cn_pieces_add_vertices(space, 1, vertex, &start, err));
        piece.vertex_start = n == 0 ? start : piece.vertex_start;
    }
    return cn_pieces_add(space, &piece, err);
}

cn_status cn_check_length(const char *what, double value, cn_error *err)
{
    if (!(value >= CN_LENGTH_LEAST && value <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "%s must be > 0 m, got %g", what, value);
    }
    return CN_OK;
}

cn_status cn_check_count(const char *what, double count, cn_error *err)
{
    if (!(count >= 1.0 && count <= CN_PIECES_MAX)) {
        return cn_fail(err, CN_BAD_INPUT, "%s must be between 1 and %d, got %g", what,
                       CN_PIECES_MAX, count);
    }
    return CN_OK;
}

cn_status cn_check_seed(double seed, cn_error *err)
{
    if (!(seed >= 0.0 && seed <= 0x1p53 && seed == floor(seed))) {
        return cn_fail(err, CN_BAD_INPUT, "seed must be a whole number from 0 to 2^53, got %g",
                       seed);
    }
    return CN_OK;
}
