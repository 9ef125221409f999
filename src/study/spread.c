// study/spread.c -- solutions of one scene gathered and compared, theory 8.20.
//
// Samples of all solutions go into one array, are sorted by the identity of the contact and then
// reduced group by group, so that the sums do not depend on anything but the solutions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "cairn/spread.h"

// A contact in one solution.
typedef struct sample {
    cn_body_id body[2];
    uint64_t feature;
    int run;
    double point[3], normal[3];
    double force[2]; // normal, size of the tangential one [N]
} sample;

typedef struct gathering {
    const cn_spread_def *def;
    sample *sample;
    size_t count, capacity;
    double *series; // run by run
    size_t series_capacity;
    int series_count;
    char (*name)[128];
    size_t name_capacity;
    int run; // in progress
    double residual_max, time;
    int nonconverged_count;
    cn_status status;
    cn_error *err;
} gathering;

cn_spread_def cn_spread_def_default(void)
{
    return (cn_spread_def){.run_count = 10, .seed = 1, .threads = 1};
}

// The contacts of a view with impulses r, `stride` apart or those of the contacts themselves.
static cn_status take_contacts(gathering *g, const cn_view *view, const cn_problem *p)
{
    double h = view->certificate->h;
    CN_TRY(
        cn_reserve(NULL, &g->sample, &g->capacity, g->count + (size_t)view->contact_count, g->err));
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        const double *r = p != NULL ? p->r + p->row_start[a] : c->r;
        double tangent = view->dim == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
        sample *s = &g->sample[g->count++];
        *s = (sample){.body = {view->id[c->i], view->id[c->j]},
                      .feature = c->feature,
                      .run = g->run,
                      .force = {h > 0.0 ? r[0] / h : 0.0, h > 0.0 ? tangent / h : 0.0}};
        memcpy(s->point, c->point, sizeof s->point);
        memcpy(s->normal, c->normal, sizeof s->normal);
    }
    return CN_OK;
}

// Series of the run that has ended.
static cn_status take_series(gathering *g, int count, const char *const *name, const double *value)
{
    if (g->run == 0) {
        g->series_count = count;
        CN_TRY(cn_reserve(NULL, &g->name, &g->name_capacity, (size_t)count, g->err));
        for (int k = 0; k < count; k++) {
            snprintf(g->name[k], sizeof g->name[k], "%s", name[k]);
        }
    }
    size_t start = (size_t)g->run * (size_t)count;
    CN_TRY(cn_reserve(NULL, &g->series, &g->series_capacity, start + (size_t)count, g->err));
    memcpy(g->series + start, value, sizeof *value * (size_t)count);
    return CN_OK;
}

static void take_certificate(gathering *g, const cn_solver_report *report)
{
    g->residual_max = fmax(g->residual_max, report->residual.err_v);
    g->nonconverged_count += !report->is_converged;
}

static void end_of_run(void *context, const cn_world *w, int count, const char *const *name,
                       const double *series)
{
    gathering *g = context;
    cn_view view = cn_world_view(w);
    g->time = view.time;
    take_certificate(g, &view.certificate->solver);
    g->status = take_contacts(g, &view, NULL);
    if (g->status == CN_OK && !g->def->is_last_step) {
        g->status = take_series(g, count, name, series);
    }
}

// Random impulses inside the cones, as large as those of the solution.
static void draw_start(const cn_problem *p, const double *r, uint64_t seed, double *start)
{
    uint64_t state = seed;
    double sum = 0.0;
    for (int a = 0; a < p->contact_count; a++) {
        sum += r[p->row_start[a]];
    }
    double scale = p->contact_count > 0 ? 2.0 * sum / p->contact_count : 0.0;
    for (int a = 0; a < p->contact_count; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        bool is_cone = p->kind[a] == CN_CORE_CONE;
        memcpy(start + row, r + row, sizeof *r * (size_t)rows);
        if (is_cone) {
            start[row] = scale * cn_random(&state);
            double size = p->mu[a] * start[row] * cn_random(&state);
            double angle = 6.283185307179586 * cn_random(&state);
            for (int k = 1; k < rows; k++) {
                start[row + k] = k == 1 ? size * cos(angle) : (k == 2 ? size * sin(angle) : 0.0);
            }
            if (p->dim == 2 && rows > 2) {
                start[row + 2] = 0.0; // a moment
            }
        }
    }
}

// Solves the last step of a world again, run after run.
static cn_status solve_again(gathering *g, const cn_world *w, cn_solver *solver, double *r)
{
    const cn_spread_def *def = g->def;
    cn_view view = cn_world_view(w);
    cn_problem p;
    CN_TRY(cn_world_problem(w, &p, NULL, g->err));
    const double *solution = p.r;
    cn_solver_def method = cn_solver_def_default();
    method.method = CN_METHOD_NLGS;
    method.order = CN_ORDER_RANDOM;
    method.eps_v = view.certificate->eps_v;
    method.tol = view.certificate->tol;
    method.thread_count = def->threads;
    p.r = r;
    for (g->run = 0; g->run < def->run_count; g->run++) {
        cn_solver_report report;
        method.seed = cn_mix2(def->seed, (uint64_t)g->run);
        draw_start(&p, solution, method.seed, r);
        CN_TRY(cn_problem_solve(&p, &method, solver, &report, g->err));
        take_certificate(g, &report);
        CN_TRY(take_contacts(g, &view, &p));
        if (def->progress != NULL && !def->progress(def->context, g->run + 1)) {
            return cn_fail(g->err, CN_STOPPED, "stopped on request after %d solutions", g->run + 1);
        }
    }
    return CN_OK;
}

static void resolve(void *context, const cn_world *w, int count, const char *const *name,
                    const double *series)
{
    (void)count, (void)name, (void)series;
    gathering *g = context;
    cn_solver *solver = NULL;
    double *r = NULL;
    size_t capacity = 0;
    cn_problem p;
    g->time = cn_world_view(w).time;
    g->status = cn_world_problem(w, &p, NULL, g->err);
    if (g->status == CN_OK) {
        g->status = cn_reserve(NULL, &r, &capacity, (size_t)p.row_start[p.contact_count], g->err);
    }
    if (g->status == CN_OK) {
        g->status = cn_solver_create(NULL, &solver, g->err);
    }
    if (g->status == CN_OK) {
        g->status = solve_again(g, w, solver, r);
    }
    cn_solver_destroy(solver);
    cn_release(NULL, r);
}

static cn_status run_scene(gathering *g, const cn_scene *scene, const char *result_path)
{
    cn_run_def run = cn_run_def_default();
    cn_run_report report;
    run.threads = g->def->threads;
    run.result_path = result_path;
    run.command_line = "cairn spread";
    run.context = g;
    run.at_end = g->def->is_last_step ? resolve : end_of_run;
    run.shuffle = g->def->is_last_step ? 0 : cn_mix2(g->def->seed, (uint64_t)g->run) | 1;
    CN_TRY(cn_scene_run(scene, &run, &report, g->err));
    return g->status;
}

static cn_status gather(gathering *g, const cn_scene *scene)
{
    const cn_spread_def *def = g->def;
    if (def->is_last_step) {
        return run_scene(g, scene, def->result_path);
    }
    for (g->run = 0; g->run < def->run_count; g->run++) {
        CN_TRY(run_scene(g, scene, g->run == 0 ? def->result_path : NULL));
        if (def->progress != NULL && !def->progress(def->context, g->run + 1)) {
            return cn_fail(g->err, CN_STOPPED, "stopped on request after %d runs", g->run + 1);
        }
    }
    return CN_OK;
}

static int compare_samples(const void *x, const void *y)
{
    const sample *a = x, *b = y;
    for (int k = 0; k < 2; k++) {
        if (a->body[k] != b->body[k]) {
            return a->body[k] < b->body[k] ? -1 : 1;
        }
    }
    if (a->feature != b->feature) {
        return a->feature < b->feature ? -1 : 1;
    }
    return (a->run > b->run) - (a->run < b->run);
}

// Range of `count` values `stride` doubles apart; solutions beyond those have the value zero.
static cn_range range_of(const double *value, size_t stride, int count, int runs)
{
    cn_range r = {.least = count < runs ? 0.0 : INFINITY, .most = count < runs ? 0.0 : -INFINITY};
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < count; k++) {
        double x = value[stride * (size_t)k];
        r.least = fmin(r.least, x);
        r.most = fmax(r.most, x);
        sum += x;
    }
    r.mean = sum / runs;
    for (int k = 0; k < runs; k++) {
        double x = k < count ? value[stride * (size_t)k] : 0.0;
        square += (x - r.mean) * (x - r.mean);
    }
    r.deviation = sqrt(square / runs);
    return r;
}

// Samples first .. end - 1 are one contact.
static cn_spread_contact reduce(const gathering *g, size_t first, size_t end)
{
    const sample *s = &g->sample[first];
    cn_spread_contact c = {
        .body = {s->body[0], s->body[1]}, .feature = s->feature, .seen = (int)(end - first)};
    size_t stride = sizeof *s / sizeof(double);
    memcpy(c.point, s->point, sizeof c.point);
    memcpy(c.normal, s->normal, sizeof c.normal);
    c.normal_force = range_of(&s->force[0], stride, c.seen, g->def->run_count);
    c.tangent_force = range_of(&s->force[1], stride, c.seen, g->def->run_count);
    return c;
}

static cn_status reduce_contacts(gathering *g, cn_spread *out)
{
    size_t capacity = 0;
    double sum = 0.0;
    int carrying = 0;
    if (g->count > 0) {
        qsort(g->sample, g->count, sizeof *g->sample, compare_samples);
    }
    CN_TRY(cn_reserve(NULL, &out->contact, &capacity, g->count, g->err));
    for (size_t first = 0, end; first < g->count; first = end) {
        for (end = first + 1; end < g->count && g->sample[end].run != g->sample[first].run; end++) {
            const sample *a = &g->sample[first], *b = &g->sample[end];
            if (a->body[0] != b->body[0] || a->body[1] != b->body[1] || a->feature != b->feature) {
                break;
            }
        }
        cn_spread_contact c = reduce(g, first, end);
        out->contact[out->contact_count++] = c;
        sum += c.normal_force.mean;
        carrying += c.normal_force.most > 0.0;
    }
    out->force_scale = carrying > 0 ? sum / carrying : 0.0;
    return CN_OK;
}

static cn_status reduce_series(const gathering *g, cn_spread *out)
{
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, &out->series, &capacity, (size_t)g->series_count, g->err));
    out->series_count = g->series_count;
    for (int k = 0; k < g->series_count; k++) {
        memcpy(out->series[k].name, g->name[k], sizeof out->series[k].name);
        out->series[k].value =
            range_of(g->series + k, (size_t)g->series_count, g->def->run_count, g->def->run_count);
    }
    return CN_OK;
}

cn_status cn_spread_measure(const cn_scene *scene, const cn_spread_def *def, cn_spread **spread,
                            cn_error *err)
{
    CN_NEED(err, scene, def, spread);
    *spread = NULL;
    if (def->run_count < 2 || def->run_count > 100000) {
        return cn_fail(err, CN_BAD_INPUT, "a spread needs 2 to 100000 runs, got %d",
                       def->run_count);
    }
    cn_error own = {0};
    gathering g = {.def = def, .err = &own};
    cn_spread *made = calloc(1, sizeof *made);
    cn_status status = made != NULL ? gather(&g, scene) : CN_NO_MEMORY;
    CN_THEN(status, reduce_contacts(&g, made));
    CN_THEN(status, reduce_series(&g, made));
    CN_RELEASE(g.sample, g.series, g.name);
    if (status != CN_OK) {
        cn_spread_destroy(made);
        if (err != NULL) {
            *err = own;
        }
        return status;
    }
    made->run_count = def->run_count;
    made->nonconverged_count = g.nonconverged_count;
    made->residual_max = g.residual_max;
    made->time = g.time;
    *spread = made;
    return CN_OK;
}

void cn_spread_destroy(cn_spread *spread)
{
    if (spread != NULL) {
        CN_RELEASE(spread->contact, spread->series);
        free(spread);
    }
}
