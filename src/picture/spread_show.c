// picture/spread_show.c -- a spread as tables, picture and histogram.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "cairn/picture.h"
#include "cairn/spread.h"

static void print_range(FILE *out, const cn_range *r)
{
    fprintf(out, ",%.9g,%.9g,%.9g,%.9g", r->mean, r->least, r->most, r->deviation);
}

static void print_contacts(const cn_spread *spread, FILE *out)
{
    fprintf(out, "body_i,body_j,feature,seen,x,y,z,nx,ny,nz,"
                 "normal_mean,normal_least,normal_most,normal_deviation,"
                 "tangent_mean,tangent_least,tangent_most,tangent_deviation\n");
    for (int k = 0; k < spread->contact_count; k++) {
        const cn_spread_contact *c = &spread->contact[k];
        fprintf(out, "%llu,%llu,%llu,%d", (unsigned long long)c->body[0],
                (unsigned long long)c->body[1], (unsigned long long)c->feature, c->seen);
        for (int d = 0; d < 3; d++) {
            fprintf(out, ",%.9g", c->point[d]);
        }
        for (int d = 0; d < 3; d++) {
            fprintf(out, ",%.9g", c->normal[d]);
        }
        print_range(out, &c->normal_force);
        print_range(out, &c->tangent_force);
        fputc('\n', out);
    }
}

static void print_series(const cn_spread *spread, FILE *out)
{
    fprintf(out, "series,mean,least,most,deviation\n");
    for (int k = 0; k < spread->series_count; k++) {
        fprintf(out, "%s", spread->series[k].name);
        print_range(out, &spread->series[k].value);
        fputc('\n', out);
    }
}

static cn_status write_table(const cn_spread *spread, const char *folder, const char *name,
                             void (*print)(const cn_spread *, FILE *), cn_error *err)
{
    char path[1200];
    snprintf(path, sizeof path, "%.1000s/%s", folder, name);
    cn_whole out;
    cn_plain_locale locale;
    CN_TRY(cn_whole_open(path, &out, err));
    if (!cn_plain_begin(&locale)) {
        cn_whole_abandon(&out);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a locale");
    }
    print(spread, out.file);
    cn_plain_end(&locale);
    return cn_whole_commit(&out, err);
}

cn_status cn_spread_write(const cn_spread *spread, const char *folder, cn_error *err)
{
    CN_NEED(err, spread, folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return cn_fail(err, CN_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    }
    CN_TRY(write_table(spread, folder, "contacts.csv", print_contacts, err));
    return spread->series_count > 0 ? write_table(spread, folder, "series.csv", print_series, err)
                                    : CN_OK;
}

static int compare_contacts(const void *x, const void *y)
{
    const cn_spread_contact *a = x, *b = y;
    for (int k = 0; k < 2; k++) {
        if (a->body[k] != b->body[k]) {
            return a->body[k] < b->body[k] ? -1 : 1;
        }
    }
    return (a->feature > b->feature) - (a->feature < b->feature);
}

// Means and ranges of the contacts of a frame, zero for those that no solution has.
static void look_up(const cn_spread *spread, const cn_frame *frame, double *mean, double *range)
{
    for (int a = 0; a < frame->contact_count; a++) {
        const cn_contact *c = &frame->contact[a];
        cn_spread_contact key = {.body = {frame->id[c->i], frame->id[c->j]}, .feature = c->feature};
        const cn_spread_contact *found = bsearch(
            &key, spread->contact, (size_t)spread->contact_count, sizeof key, compare_contacts);
        mean[a] = found != NULL ? found->normal_force.mean : 0.0;
        range[a] = found != NULL ? found->normal_force.most - found->normal_force.least : 0.0;
    }
}

static cn_status render(const cn_spread *spread, cn_reader *reader, const char *png_path,
                        double **mean, double **range, cn_error *err)
{
    cn_frame frame;
    size_t room[2] = {0, 0};
    CN_TRY(cn_reader_frame(reader, -1, &frame, err));
    CN_TRY(cn_reserve(NULL, mean, &room[0], (size_t)frame.contact_count, err));
    CN_TRY(cn_reserve(NULL, range, &room[1], (size_t)frame.contact_count, err));
    look_up(spread, &frame, *mean, *range);
    cn_force_spread forces = {frame.contact_count, *mean, *range};
    cn_render_def def = cn_render_def_default();
    def.frame = -1;
    def.paint = CN_PAINT_SPREAD;
    def.spread = &forces;
    return cn_render(reader, &def, png_path, err);
}

cn_status cn_spread_render(const cn_spread *spread, const char *result_path, const char *png_path,
                           cn_error *err)
{
    CN_NEED(err, spread, result_path, png_path);
    cn_reader *reader = NULL;
    double *mean = NULL, *range = NULL;
    CN_TRY(cn_reader_open(result_path, &reader, err));
    cn_status status = render(spread, reader, png_path, &mean, &range, err);
    CN_RELEASE(mean, range);
    cn_reader_close(reader);
    return status;
}

cn_status cn_spread_histogram(const cn_spread *spread, const char *path, cn_error *err)
{
    CN_NEED(err, spread, path);
    enum { BINS = 40 };
    double most = 0.0, scale = spread->force_scale > 0.0 ? spread->force_scale : 1.0;
    for (int k = 0; k < spread->contact_count; k++) {
        const cn_range *r = &spread->contact[k].normal_force;
        most = fmax(most, (r->most - r->least) / scale);
    }
    double width = most > 0.0 ? most / BINS : 1.0 / BINS;
    double x[2 * BINS + 2] = {0.0}, y[2 * BINS + 2] = {0.0};
    int count[BINS] = {0};
    for (int k = 0; k < spread->contact_count; k++) {
        const cn_range *r = &spread->contact[k].normal_force;
        int bin = (int)((r->most - r->least) / scale / width);
        count[bin < BINS ? bin : BINS - 1]++;
    }
    for (int bin = 0; bin < BINS; bin++) { // the outline of the columns
        x[2 * bin + 1] = bin * width;
        x[2 * bin + 2] = (bin + 1) * width;
        y[2 * bin + 1] = y[2 * bin + 2] = count[bin];
    }
    x[2 * BINS + 1] = BINS * width;
    cn_curve curve = {.name = "contacts", .count = 2 * BINS + 2, .x = x, .y = y};
    cn_chart_def chart = {.title = "Range of normal forces over their mean",
                          .x_label = "(largest - least) / mean force [-]",
                          .y_label = "contacts [-]",
                          .curve_count = 1,
                          .curve = &curve};
    return cn_chart(&chart, path, err);
}
