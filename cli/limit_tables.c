// cli/limit_tables.c -- see limit_tables.h.
#include "limit_tables.h"

#include <math.h>
#include <stdlib.h>

#include "json.h"

enum { NAME_MOST = 4200 };

// Writes what `print` puts out as the table of this ending; its name, or nothing, into `name`.
static cn_status save_table(const cn_limit_telling *t, const char *ending,
                            void (*print)(FILE *out, const void *what), const void *what,
                            char name[NAME_MOST], cn_error *err)
{
    char *table = NULL;
    size_t size = 0;
    name[0] = '\0';
    if (t->result == NULL) {
        return CN_OK;
    }
    FILE *out = open_memstream(&table, &size);
    if (out == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a table");
    }
    print(out, what);
    bool is_whole = fclose(out) == 0;
    cn_change_ending(t->result, ending, name, NAME_MOST);
    cn_status status = is_whole ? cn_file_save(name, table, size, err)
                                : cn_fail(err, CN_NO_MEMORY, "no memory for a table");
    free(table);
    return status;
}

static bool is_silent(const cn_limit_telling *t)
{
    return t->is_json || t->is_quiet;
}

static void name_table(const cn_limit_telling *t, const char *name)
{
    if (name[0] != '\0' && !is_silent(t)) {
        printf("               %s\n", cn_shown(name));
    }
}

// ---- curves

static void print_curve(FILE *out, const void *what)
{
    const cn_limit_curve *c = what;
    fprintf(out, "way,x,y,z,turned,at_least,at_most,contacts\n");
    for (int k = 0; k < c->count; k++) {
        const cn_limit_curve_point *p = &c->point[k];
        fprintf(out, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d\n", p->way, p->moved[0], p->moved[1],
                p->moved[2], p->turned, p->lower, p->upper, p->contact_count);
    }
}

static void tell_curve(const cn_limit_telling *t, const cn_limit_curve *c)
{
    const cn_limit_curve_point *last = &c->point[c->count - 1];
    if (t->is_json) {
        cn_json json = cn_json_begin(stdout);
        cn_json_text(&json, "curve", cn_limit_model_name(t->model, t->k));
        cn_json_integer(&json, "points", c->count);
        cn_json_number(&json, "way_m", last->way);
        cn_json_number(&json, "turned_rad", last->turned);
        cn_json_number(&json, "upper", last->upper);
        cn_json_bool(&json, "whole", c->is_whole);
        cn_json_text(&json, "ending", c->ending);
        cn_json_end(&json);
        return;
    }
    printf("  curve        %d states; %.6g at the start, %.6g after %.6g m%s\n               %s\n",
           c->count, c->point[0].upper, last->upper, last->way,
           c->is_whole ? "" : ", NOT to its end:", c->ending);
}

cn_status cn_limit_tell_curve(cn_limit_telling *t, cn_error *err)
{
    cn_limit_curve curve = {.count = 0};
    char name[NAME_MOST] = "";
    cn_limit_def def = cn_limit_def_default();
    def.is_interrupted = t->def.is_interrupted;
    cn_status status = cn_limit_model_curve(t->model, t->k, &def, &curve, err);
    if (status == CN_OK) {
        t->is_missed = !curve.is_whole;
        tell_curve(t, &curve);
        status = save_table(t, ".curve.csv", print_curve, &curve, name, err);
    }
    name_table(t, name);
    cn_limit_curve_free(&curve);
    return status;
}

// ---- lines of influence

static void print_influence(FILE *out, const void *what)
{
    const cn_limit_influence *line = what;
    fprintf(out, "x,outcome,at_least,at_most\n");
    for (int k = 0; k < line->count; k++) {
        const cn_limit_place *p = &line->place[k];
        fprintf(out, "%.9g,%s,%.9g,%.9g\n", p->x, cn_limit_outcome_name(p->outcome), p->lower,
                p->upper);
    }
}

static void tell_crossing(const cn_limit_influence *line, const char *table)
{
    printf("axles        at %d places, ", line->count);
    if (line->worst >= 0) {
        printf("the worst with the first at x = %.6g m:\n", line->place[line->worst].x);
    } else {
        printf("carried at all of them whatever the multiplier\n");
    }
    if (table[0] != '\0') {
        printf("             %s\n", cn_shown(table));
    }
}

// Moves the axles over the blocks and leaves them at the worst place.
cn_status cn_limit_tell_axles(cn_limit_telling *t, cn_error *err)
{
    cn_limit_influence line = {.count = 0};
    char name[NAME_MOST] = "";
    cn_status status = cn_limit_model_influence(t->model, t->k, &t->def, &line, err);
    for (int n = 0; status == CN_OK && n < line.count; n++) {
        t->is_missed = t->is_missed || line.place[n].outcome == CN_LIMIT_UNDECIDED;
    }
    if (status == CN_OK) {
        status = save_table(t, ".influence.csv", print_influence, &line, name, err);
    }
    if (status == CN_OK && !is_silent(t)) {
        tell_crossing(&line, name);
    }
    cn_limit_influence_free(&line);
    return status;
}

// ---- domains

// Corners of both polygons side by side, the first ones again at the end.
static void print_domain(FILE *out, const void *what)
{
    const cn_limit_domain *d = what;
    int rows = (d->count > d->outer_count ? d->count : d->outer_count) + 1;
    fprintf(out, "outcome,inner_1,inner_2,outer_1,outer_2\n");
    for (int k = 0; k < rows; k++) {
        const cn_limit_direction *at = &d->direction[k % d->count];
        double outer[2] = {NAN, NAN}, inner = k <= d->count ? at->lower : NAN;
        if (k <= d->outer_count && d->outer_count > 0) {
            outer[0] = d->outer[2 * (k % d->outer_count)];
            outer[1] = d->outer[2 * (k % d->outer_count) + 1];
        }
        fprintf(out, "%s,%.9g,%.9g,%.9g,%.9g\n",
                k < d->count ? cn_limit_outcome_name(at->outcome) : "", inner * at->load[0],
                inner * at->load[1], outer[0], outer[1]);
    }
}

static void tell_domain(const cn_limit_telling *t, const cn_limit_domain *d, int count[4])
{
    if (t->is_json) {
        cn_json json = cn_json_begin(stdout);
        cn_json_text(&json, "domain", cn_limit_model_name(t->model, t->k));
        cn_json_integer(&json, "directions", d->count);
        cn_json_integer(&json, "unbounded", count[CN_LIMIT_UNBOUNDED]);
        cn_json_integer(&json, "falls", count[CN_LIMIT_FALLS]);
        cn_json_integer(&json, "undecided", count[CN_LIMIT_UNDECIDED]);
        cn_json_number(&json, "inner_area", d->inner_area);
        cn_json_number(&json, "outer_area", d->outer_area);
        cn_json_end(&json);
        return;
    }
    printf("  domain       %d directions, %d without limit", d->count, count[CN_LIMIT_UNBOUNDED]);
    if (count[CN_LIMIT_FALLS] + count[CN_LIMIT_UNDECIDED] > 0) {
        printf(", %d in which it falls, %d undecided", count[CN_LIMIT_FALLS],
               count[CN_LIMIT_UNDECIDED]);
    }
    if (isfinite(d->inner_area) && isfinite(d->outer_area)) {
        printf("; area at least %.6g, at most %.6g", d->inner_area, d->outer_area);
    }
    printf("\n");
}

cn_status cn_limit_tell_domain(cn_limit_telling *t, cn_error *err)
{
    cn_limit_domain domain = {.count = 0};
    char name[NAME_MOST] = "";
    int count[4] = {0};
    cn_status status = cn_limit_model_domain(t->model, t->k, &t->def, &domain, err);
    for (int k = 0; k < domain.count && status == CN_OK; k++) {
        count[domain.direction[k].outcome]++;
    }
    t->is_missed = count[CN_LIMIT_UNDECIDED] > 0;
    if (status == CN_OK) {
        status = save_table(t, ".domain.csv", print_domain, &domain, name, err);
        tell_domain(t, &domain, count);
    }
    name_table(t, name);
    cn_limit_domain_free(&domain);
    return status;
}
