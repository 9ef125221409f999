// analyse/analyse_result.c -- a quantity in every frame of a result, as a table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/frame_sample.h"
#include "base/memory.h"

// What is taken of one frame after the other.
typedef struct analysing {
    const cn_analyse_def *def;
    const cn_analysis *what;
    double param[CN_ANALYSIS_PARAM_MOST];
    cn_frame_sample of;
    FILE *out;
} analysing;

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
    const cn_frame *f = &a->of.frame;
    double out[CN_ANALYSIS_MOST];
    CN_TRY(cn_frame_sample_read(&a->of, k, a->what->takes_content, err));
    if (f->lacks_contacts) {
        return CN_OK;
    }
    a->of.sample.param = a->param;
    a->what->find(&a->of.sample, out);
    fprintf(a->out, "%d,%.17g", f->index, f->time);
    for (int n = 0; n < number_count(a->what, f->dim); n++) {
        fprintf(a->out, ",%.17g", out[n]);
    }
    fputc('\n', a->out);
    return CN_OK;
}

static cn_status print_frames(analysing *a, cn_reader *reader, cn_error *err)
{
    const cn_summary *summary = cn_reader_summary(reader);
    CN_TRY(find_quantity(a, err));
    CN_TRY(set_params(a, err));
    CN_TRY(cn_frame_sample_begin(&a->of, reader, a->def->of, err));
    if (a->what->takes_way) {
        CN_TRY(cn_frame_sample_count_from(&a->of, a->def->from, err));
    }
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
    analysing a = {.def = def};
    *table = NULL;
    a.out = open_memstream(table, &size);
    cn_status status = a.out != NULL ? print_frames(&a, reader, err)
                                     : cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    if (a.out != NULL && fclose(a.out) != 0 && status == CN_OK) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    }
    if (status != CN_OK) {
        free(*table);
        *table = NULL;
    }
    cn_frame_sample_end(&a.of);
    return status;
}
