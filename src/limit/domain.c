// limit/domain.c -- which multiples of two loads are carried together, between two polygons: theory
// 16.24 and 16.25.
//
// In every direction of both loads the lower bound is a corner of the inner polygon, and the
// mechanism of the upper one a side of the outer polygon: it proves that nothing beyond its line is
// carried, whatever the direction.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "limit/limit_model.h"

// The outer polygon is cut out of a square of this many times the largest inner corner; what
// reaches its rim has no end.
static const double FAR = 1e4, AT_RIM = 0.999;

// More than this many times what the loads alone may be counts as no limit: a line so far away is
// not known well enough near the origin.
static const double NO_LIMIT = 1e3;

// The program of both loads; `live` is the one that is solved.
typedef struct mixing {
    const cn_limit_def *def;
    cn_model_program made[2];
    double *live;
    int dof_count;
    cn_limit_domain *domain;
} mixing;

bool cn_limit_model_has_domain(const cn_limit_model *model, int k)
{
    return model != NULL && k >= 0 && k < model->case_count && model->limit[k].directions > 0;
}

static double power_of(const double *load, const double *v, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += load[k] * v[k];
    }
    return sum;
}

// Both bounds in one direction, and the line behind which nothing is carried.
static cn_status find_direction(mixing *w, const double load[2], cn_limit_direction *d,
                                cn_error *err)
{
    cn_limit_program program = w->made[0].program;
    const double *one = program.live, *other = w->made[1].program.live;
    cn_limit *limit = NULL;
    for (int k = 0; k < w->dof_count; k++) {
        w->live[k] = load[0] * one[k] + load[1] * other[k];
    }
    program.live = w->live;
    CN_TRY(cn_limit_solve(&program, w->def, &limit, err));
    *d = (cn_limit_direction){.load = {load[0], load[1]},
                              .outcome = limit->outcome,
                              .lower = NAN,
                              .upper = NAN,
                              .side = {NAN, NAN}};
    if (limit->outcome == CN_LIMIT_BOUNDED || limit->outcome == CN_LIMIT_UNDECIDED) {
        d->lower = limit->lower;
        d->upper = limit->upper;
        d->side[0] = power_of(one, limit->v, w->dof_count);
        d->side[1] = power_of(other, limit->v, w->dof_count);
    }
    cn_limit_destroy(limit);
    return CN_OK;
}

// Multiples of load n alone, by which directions are spread evenly over both.
static cn_status find_size(mixing *w, int n, double *size, cn_error *err)
{
    *size = 0.0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        cn_limit_direction d;
        CN_TRY(find_direction(w, (double[2]){n == 0 ? sign : 0.0, n == 1 ? sign : 0.0}, &d, err));
        *size = isfinite(d.lower) ? fmax(*size, d.lower) : *size;
    }
    *size = *size > 0.0 ? *size : 1.0;
    return CN_OK;
}

// ---- polygons

static double area_of(const double *corner, int count)
{
    double area = 0.0;
    for (int k = 0; k < count; k++) {
        const double *p = corner + 2 * k, *q = corner + 2 * ((k + 1) % count);
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return area;
}

// What of a polygon is on the near side of a line; `cut` has room for one corner more.
static int cut_polygon(const double *corner, int count, const cn_limit_direction *d, double *cut)
{
    int left = 0;
    for (int k = 0; k < count; k++) {
        const double *p = corner + 2 * k, *q = corner + 2 * ((k + 1) % count);
        double from = d->side[0] * p[0] + d->side[1] * p[1] - d->upper;
        double to = d->side[0] * q[0] + d->side[1] * q[1] - d->upper;
        if (from <= 0.0) {
            memcpy(cut + 2 * left++, p, 2 * sizeof *p);
        }
        if ((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)) {
            double share = from / (from - to);
            cut[2 * left] = p[0] + share * (q[0] - p[0]);
            cut[2 * left + 1] = p[1] + share * (q[1] - p[1]);
            left++;
        }
    }
    return left;
}

// The outer polygon, by both of its arrays in turn; corners on the rim are left out.
static void find_outer(cn_limit_domain *domain, const double size[2], double *spare)
{
    double *polygon = domain->outer, *cut = spare;
    const double rim[8] = {-FAR, -FAR, FAR, -FAR, FAR, FAR, -FAR, FAR};
    int count = 4, left = 0;
    for (int k = 0; k < 8; k++) {
        polygon[k] = rim[k] * size[k % 2];
    }
    for (int k = 0; k < domain->count; k++) {
        if (isfinite(domain->direction[k].upper)) {
            count = cut_polygon(polygon, count, &domain->direction[k], cut);
            double *other = polygon;
            polygon = cut;
            cut = other;
        }
    }
    domain->outer_area = area_of(polygon, count);
    memmove(domain->outer, polygon, 2 * (size_t)count * sizeof *polygon);
    for (int k = 0; k < count; k++) {
        double *p = domain->outer + 2 * k;
        bool is_far = fmax(fabs(p[0]) / size[0], fabs(p[1]) / size[1]) > AT_RIM * FAR;
        domain->outer_area = is_far ? INFINITY : domain->outer_area;
        if (!is_far) {
            memmove(domain->outer + 2 * left++, p, 2 * sizeof *p);
        }
    }
    domain->outer_count = left;
}

static void find_inner_area(cn_limit_domain *domain, double *corner)
{
    int count = 0;
    bool is_open = false;
    for (int k = 0; k < domain->count; k++) {
        const cn_limit_direction *d = &domain->direction[k];
        is_open = is_open || d->outcome == CN_LIMIT_UNBOUNDED;
        if (isfinite(d->lower)) {
            corner[2 * count] = d->lower * d->load[0];
            corner[2 * count + 1] = d->lower * d->load[1];
            count++;
        }
    }
    domain->inner_area = is_open ? INFINITY : area_of(corner, count);
}

// ---- all of it

static cn_status go_round(mixing *w, double *spare, cn_error *err)
{
    cn_limit_domain *domain = w->domain;
    int count = domain->count;
    double size[2];
    CN_TRY(find_size(w, 0, &size[0], err));
    CN_TRY(find_size(w, 1, &size[1], err));
    for (int k = 0; k < count; k++) {
        double angle = 2.0 * CN_PI * k / count;
        const double load[2] = {size[0] * cos(angle), size[1] * sin(angle)};
        cn_limit_direction *d = &domain->direction[k];
        CN_TRY(find_direction(w, load, d, err));
        if (d->lower > NO_LIMIT) {
            d->outcome = CN_LIMIT_UNBOUNDED;
            d->lower = d->upper = d->side[0] = d->side[1] = NAN;
        }
    }
    find_outer(domain, size, spare);
    find_inner_area(domain, spare);
    return CN_OK;
}

static cn_status make(cn_limit_model *model, int k, mixing *w, cn_error *err)
{
    cn_status status = CN_OK;
    for (int n = 0; n < 2 && status == CN_OK; n++) {
        model->is_other = n == 1;
        status = cn_model_program_make(model, k, cn_model_close(model, k), &w->made[n], err);
    }
    model->is_other = false;
    return status;
}

cn_status cn_limit_model_domain(cn_limit_model *model, int k, const cn_limit_def *def,
                                cn_limit_domain *domain, cn_error *err)
{
    CN_NEED(err, model, def, domain);
    *domain = (cn_limit_domain){.count = 0};
    if (!cn_limit_model_has_domain(model, k)) {
        return cn_fail(err, CN_BAD_INPUT, "load %d has no domain", k);
    }
    mixing w = {.def = def, .domain = domain};
    size_t count = (size_t)model->limit[k].directions, corners = 2 * (count + 8);
    cn_status status = make(model, k, &w, err);
    if (status == CN_OK) {
        w.dof_count = w.made[0].program.dof_start[w.made[0].program.body_count];
        domain->count = (int)count;
        domain->direction = calloc(count, sizeof *domain->direction);
        domain->outer = calloc(corners, sizeof *domain->outer);
        w.live = calloc((size_t)w.dof_count + corners, sizeof *w.live);
        status = domain->direction != NULL && domain->outer != NULL && w.live != NULL
                     ? go_round(&w, w.live + w.dof_count, err)
                     : cn_fail(err, CN_NO_MEMORY, "no memory for %zu directions", count);
    }
    free(w.live);
    cn_model_program_free(&w.made[0]);
    cn_model_program_free(&w.made[1]);
    return status;
}

void cn_limit_domain_free(cn_limit_domain *domain)
{
    if (domain != NULL) {
        CN_RELEASE(domain->direction, domain->outer);
        *domain = (cn_limit_domain){.count = 0};
    }
}
