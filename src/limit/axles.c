// limit/axles.c -- axle loads on the surface of blocks, and the line of influence of their place:
// what multiple is carried where (theory 16.23).
//
// Loads come down on what is uppermost, spread evenly over a length. Corners of blocks divide that
// length into pieces, over each of which one edge is uppermost; the part of the load of a piece
// acts in its middle, as an even load does.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "limit/limit_model.h"

enum { AXES = 6 };

// An edge that looks up, from its left to its right end.
typedef struct edge {
    int body;
    double x[2], y[2];
} edge;

typedef struct surface {
    int count;
    size_t capacity;
    edge *edge;
} surface;

static cn_status add_edge(surface *s, int body, const double *a, const double *b, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &s->edge, &s->capacity, (size_t)s->count + 1, err));
    s->edge[s->count++] = (edge){body, {a[0], b[0]}, {a[1], b[1]}};
    return CN_OK;
}

// Corners of a polygon run counterclockwise: what looks up runs to the left.
static cn_status add_polygon(const cn_view *view, int body, const cn_shape_def *shape, surface *s,
                             cn_error *err)
{
    const double *q = view->q + 3 * (size_t)body;
    double c = cos(q[2]), n = sin(q[2]), cs = cos(shape->angle), ns = sin(shape->angle);
    double before[2] = {0.0, 0.0};
    for (int k = 0; k <= shape->vertex_count; k++) {
        const double *v = shape->vertex + 2 * (size_t)(k % shape->vertex_count);
        double x = shape->at[0] + cs * v[0] - ns * v[1], y = shape->at[1] + ns * v[0] + cs * v[1];
        const double at[2] = {q[0] + c * x - n * y, q[1] + n * x + c * y};
        if (k > 0 && at[0] < before[0]) {
            CN_TRY(add_edge(s, body, at, before, err));
        }
        memcpy(before, at, sizeof before);
    }
    return CN_OK;
}

static cn_status find_surface(const cn_limit_model *m, const cn_pick *on, surface *s, cn_error *err)
{
    const cn_view *view = &m->view;
    for (int n = 0; n < on->count; n++) {
        int body = on->body[n];
        for (int k = view->shape_start[body]; k < view->shape_start[body + 1]; k++) {
            if (view->shape[k].kind == CN_SHAPE_POLYGON) {
                CN_TRY(add_polygon(view, body, &view->shape[k], s, err));
            }
        }
    }
    if (s->count == 0) {
        return cn_fail(err, CN_BAD_INPUT, "axles roll on polygons and boxes, '%s' has none",
                       on->text);
    }
    return CN_OK;
}

// The uppermost edge over x; NULL: there is none.
static const edge *uppermost(const surface *s, double x, double *height)
{
    const edge *found = NULL;
    for (int k = 0; k < s->count; k++) {
        const edge *e = &s->edge[k];
        if (x >= e->x[0] && x <= e->x[1]) {
            double share = (x - e->x[0]) / (e->x[1] - e->x[0]);
            double y = e->y[0] + share * (e->y[1] - e->y[0]);
            if (found == NULL || y > *height) {
                found = e;
                *height = y;
            }
        }
    }
    return found;
}

static void press(const cn_limit_model *m, const surface *s, double x, double force,
                  double *of_body)
{
    double height = 0.0;
    const edge *e = uppermost(s, x, &height);
    if (e != NULL) {
        double *load = of_body + AXES * (size_t)e->body;
        load[1] -= force;
        load[5] -= (x - m->view.q[3 * (size_t)e->body]) * force;
    }
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// One axle, spread from x - spread/2 to x + spread/2.
static cn_status add_axle(const cn_limit_model *m, const surface *s, double x, double spread,
                          double force, double *of_body, cn_error *err)
{
    double from = x - 0.5 * spread, to = x + 0.5 * spread, *end = NULL;
    if (!(spread > 0.0)) {
        press(m, s, x, force, of_body);
        return CN_OK;
    }
    int count = 0;
    end = malloc((2 * (size_t)s->count + 2) * sizeof *end);
    if (end == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for an axle on %d edges", s->count);
    }
    end[count++] = from;
    end[count++] = to;
    for (int k = 0; k < 2 * s->count; k++) {
        double corner = s->edge[k / 2].x[k % 2];
        if (corner > from && corner < to) {
            end[count++] = corner;
        }
    }
    qsort(end, (size_t)count, sizeof *end, compare);
    for (int k = 0; k + 1 < count; k++) {
        double share = (end[k + 1] - end[k]) / spread;
        press(m, s, 0.5 * (end[k] + end[k + 1]), share * force, of_body);
    }
    free(end);
    return CN_OK;
}

cn_status cn_model_add_axles(const cn_limit_model *m, int k, double *of_body, cn_error *err)
{
    const cn_scene_limit_axles *axles = &m->limit[k].axles;
    double first = m->placed == k ? m->place : axles->from;
    surface s = {0};
    cn_status status = find_surface(m, &axles->on, &s, err);
    for (int n = 0; n < axles->count && status == CN_OK; n++) {
        status = add_axle(m, &s, first + axles->axle[2 * n], axles->spread, axles->axle[2 * n + 1],
                          of_body, err);
    }
    free(s.edge);
    return status;
}

// ---- the line of influence

bool cn_limit_model_has_axles(const cn_limit_model *model, int k)
{
    return model != NULL && k >= 0 && k < model->case_count && model->limit[k].axles.count > 0;
}

static bool has_load(const cn_model_program *made)
{
    const cn_limit_program *p = &made->program;
    for (int k = 0; k < p->dof_start[p->body_count]; k++) {
        if (p->live[k] != 0.0) {
            return true;
        }
    }
    return false;
}

// Answer at the place where the model has its axles; where none is on a block that can move, every
// multiplier is carried.
static cn_status find_place(cn_limit_model *m, int k, const cn_limit_def *def,
                            cn_limit_place *place, cn_error *err)
{
    cn_model_program made;
    cn_limit *limit = NULL;
    CN_TRY(cn_model_program_make(m, k, cn_model_close(m, k), &made, err));
    *place = (cn_limit_place){m->place, CN_LIMIT_UNBOUNDED, NAN, NAN};
    cn_status status = has_load(&made) ? cn_limit_solve(&made.program, def, &limit, err) : CN_OK;
    if (status == CN_OK && limit != NULL) {
        bool is_number = limit->outcome == CN_LIMIT_BOUNDED || limit->outcome == CN_LIMIT_UNDECIDED;
        place->outcome = limit->outcome;
        place->lower = is_number ? limit->lower : NAN;
        place->upper = is_number ? limit->upper : NAN;
    }
    cn_limit_destroy(limit);
    cn_model_program_free(&made);
    return status;
}

cn_status cn_limit_model_influence(cn_limit_model *model, int k, const cn_limit_def *def,
                                   cn_limit_influence *line, cn_error *err)
{
    CN_NEED(err, model, def, line);
    *line = (cn_limit_influence){.worst = -1};
    if (!cn_limit_model_has_axles(model, k)) {
        return cn_fail(err, CN_BAD_INPUT, "load %d has no axles", k);
    }
    const cn_scene_limit_axles *axles = &model->limit[k].axles;
    line->place = calloc((size_t)axles->steps + 1, sizeof *line->place);
    if (line->place == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d places", axles->steps + 1);
    }
    cn_status status = CN_OK;
    model->placed = k;
    for (int n = 0; n <= axles->steps && status == CN_OK; n++) {
        cn_limit_place *at = &line->place[n];
        model->place = axles->from + (axles->to - axles->from) * n / axles->steps;
        status = find_place(model, k, def, at, err);
        line->count++;
        bool is_known = at->outcome == CN_LIMIT_BOUNDED || at->outcome == CN_LIMIT_FALLS;
        double upper = at->outcome == CN_LIMIT_FALLS ? -INFINITY : at->upper;
        if (is_known && (line->worst < 0 || upper < line->place[line->worst].upper)) {
            line->worst = n;
        }
    }
    model->place = line->worst >= 0 ? line->place[line->worst].x : axles->from;
    return status;
}

void cn_limit_influence_free(cn_limit_influence *line)
{
    if (line != NULL) {
        free(line->place);
        *line = (cn_limit_influence){.worst = -1};
    }
}
