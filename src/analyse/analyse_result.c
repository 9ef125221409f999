// analyse/analyse_result.c -- a quantity in every frame of a result, as a table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyse.h"
#include "base/memory.h"

// What is taken of one frame after the other.
typedef struct analysing {
    const cn_analyse_def *def;
    const cn_analysis *what;
    cn_reader *reader;
    int group; // -1: all that nothing holds
    double param[CN_ANALYSIS_PARAM_MOST];
    bool *is_in;
    double *mass, *content;
    int *room;
    size_t in_capacity, mass_capacity, content_capacity, room_capacity;
    FILE *out;
} analysing;

double cn_reader_content(const cn_reader *reader, cn_body_id id)
{
    int count = 0;
    const cn_shape_def *shape = cn_reader_shapes(reader, id, &count);
    if (count > 0) {
        return cn_content(shape, NULL, count);
    }
    const cn_solid_def *solid = cn_reader_solids(reader, id, &count);
    return cn_content(NULL, solid, count);
}

static cn_status find_quantity(analysing *a, cn_error *err)
{
    char known[200] = "";
    a->what = cn_analysis_named(a->def->what);
    for (int k = 0; cn_analysis_at(k) != NULL; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "",
                 cn_analysis_at(k)->name);
    }
    return a->what != NULL
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "there is no quantity '%.60s'; there are %s",
                         a->def->what != NULL ? a->def->what : "", known);
}

static cn_status find_group(analysing *a, cn_error *err)
{
    a->group = -1;
    for (int k = 0; a->def->of != NULL && k < cn_reader_group_count(a->reader); k++) {
        if (strcmp(cn_reader_group_name(a->reader, k), a->def->of) == 0) {
            a->group = k;
        }
    }
    return a->def->of == NULL || a->group >= 0
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "no bodies are called '%.60s'", a->def->of);
}

static cn_status set_param(analysing *a, const char *text, cn_error *err)
{
    const cn_analysis *what = a->what;
    size_t length = strcspn(text, "=");
    for (int k = 0; k < what->param_count; k++) {
        const cn_param *p = &what->param[k];
        if (strlen(p->name) == length && strncmp(p->name, text, length) == 0) {
            char *end = NULL;
            double value = text[length] == '=' ? strtod(text + length + 1, &end) : NAN;
            if (!(value >= p->least && value <= p->most) || *end != '\0') {
                return cn_fail(err, CN_BAD_INPUT, "'%.60s': %s is a number from %g to %g%s%s", text,
                               p->name, p->least, p->most, p->unit[0] != '-' ? " " : "",
                               p->unit[0] != '-' ? p->unit : "");
            }
            a->param[k] = value;
            return CN_OK;
        }
    }
    return cn_fail(err, CN_BAD_INPUT, "'%s' is given no '%.*s'%s", what->name,
                   (int)(length < 60 ? length : 60), text,
                   what->param_count == 0 ? ", nor anything else"
                                          : "; 'cairn analyse' lists what is");
}

static cn_status set_params(analysing *a, cn_error *err)
{
    for (int k = 0; k < a->what->param_count; k++) {
        a->param[k] = a->what->param[k].fallback;
    }
    for (int k = 0; k < a->def->param_count; k++) {
        CN_TRY(set_param(a, a->def->param[k], err));
    }
    return CN_OK;
}

// A wall that moves along one axis only is no part of what it presses.
static bool is_selected(const analysing *a, const cn_frame *f, int i)
{
    return a->group >= 0 ? f->group[i] == a->group : f->fixed[i] == 0;
}

// Bodies may come and go between frames.
static cn_status reserve(analysing *a, int count, cn_error *err)
{
    size_t bodies = (size_t)count;
    CN_TRY(cn_reserve(NULL, &a->is_in, &a->in_capacity, bodies, err));
    CN_TRY(cn_reserve(NULL, &a->mass, &a->mass_capacity, bodies, err));
    CN_TRY(cn_reserve(NULL, &a->content, &a->content_capacity, bodies, err));
    return cn_reserve(NULL, &a->room, &a->room_capacity, CN_SAMPLE_ROOM * bodies, err);
}

static void print_header(const analysing *a, int dim)
{
    fputs("frame,time,", a->out);
    for (const char *c = dim == 2 ? a->what->plane : a->what->space; *c != '\0'; c++) {
        fputc(*c == ' ' ? ',' : *c, a->out);
    }
    fputc('\n', a->out);
}

static int number_count(const cn_analysis *what, int dim)
{
    int count = 1;
    for (const char *c = dim == 2 ? what->plane : what->space; *c != '\0'; c++) {
        count += *c == ' ';
    }
    return count;
}

static cn_status print_frame(analysing *a, int k, cn_error *err)
{
    cn_frame f;
    double out[CN_ANALYSIS_MOST];
    CN_TRY(cn_reader_frame(a->reader, k, &f, err));
    if (f.lacks_contacts) {
        return CN_OK;
    }
    CN_TRY(reserve(a, f.body_count, err));
    for (int i = 0; i < f.body_count; i++) {
        a->is_in[i] = is_selected(a, &f, i);
        a->mass[i] = cn_reader_mass(a->reader, f.id[i]);
        a->content[i] =
            a->is_in[i] && a->what->takes_content ? cn_reader_content(a->reader, f.id[i]) : NAN;
    }
    cn_sample sample = cn_sample_of_frame(&f);
    sample.is_in = a->is_in;
    sample.mass = a->mass;
    sample.room = a->room;
    sample.content = a->content;
    sample.param = a->param;
    a->what->find(&sample, out);
    fprintf(a->out, "%d,%.17g", f.index, f.time);
    for (int n = 0; n < number_count(a->what, f.dim); n++) {
        fprintf(a->out, ",%.17g", out[n]);
    }
    fputc('\n', a->out);
    return CN_OK;
}

static cn_status print_frames(analysing *a, cn_error *err)
{
    const cn_summary *summary = cn_reader_summary(a->reader);
    CN_TRY(find_quantity(a, err));
    CN_TRY(set_params(a, err));
    CN_TRY(find_group(a, err));
    print_header(a, summary->dim);
    for (int k = 0; k < summary->frames; k++) {
        CN_TRY(print_frame(a, k, err));
    }
    return CN_OK;
}

cn_status cn_analyse(cn_reader *reader, const cn_analyse_def *def, char **table, cn_error *err)
{
    CN_NEED(err, reader, def, table);
    size_t size = 0;
    analysing a = {.def = def, .reader = reader};
    *table = NULL;
    a.out = open_memstream(table, &size);
    cn_status status = a.out != NULL ? print_frames(&a, err)
                                     : cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    if (a.out != NULL && fclose(a.out) != 0 && status == CN_OK) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    }
    if (status != CN_OK) {
        free(*table);
        *table = NULL;
    }
    CN_RELEASE(a.is_in, a.mass, a.content, a.room);
    return status;
}
