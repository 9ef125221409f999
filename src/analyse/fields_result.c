// analyse/fields_result.c -- fields of a result on a grid, as a table or as an image for ParaView.
#include "cairn/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/frame_sample.h"
#include "base/memory.h"

static const double POINTS_MOST = 1e7, DIAMETERS = 1.5;

typedef struct making {
    const cn_fields_def *def;
    cn_frame_sample of;
    cn_grid grid;
    double width;
    size_t count; // of points
    cn_field_values *mean, *now;
    FILE *out;
} making;

// ---- width, box and grid, by the first frame that is taken

static cn_status find_width(making *m, cn_error *err)
{
    const cn_sample *s = &m->of.sample;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < s->body_count; i++) {
        if (s->is_in[i]) {
            double V = s->content[i];
            sum += s->dim == 2 ? 2.0 * sqrt(V / CN_PI) : cbrt(6.0 * V / CN_PI);
            count++;
        }
    }
    if (count == 0) {
        return cn_fail(err, CN_BAD_INPUT, "no bodies are selected: all are held or driven");
    }
    m->width = m->def->width > 0.0 ? m->def->width : DIAMETERS * sum / count;
    return m->width > 0.0
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "volumes of the bodies are not known: give the width of the kernel");
}

static void find_box(const making *m, double low[3], double high[3])
{
    const cn_sample *s = &m->of.sample;
    const double *C = s->cell;
    for (int d = 0; d < s->dim; d++) {
        low[d] = INFINITY;
        high[d] = -INFINITY;
        for (int i = 0; i < s->body_count; i++) {
            if (s->is_in[i]) {
                low[d] = fmin(low[d], s->q[s->q_size * i + d]);
                high[d] = fmax(high[d], s->q[s->q_size * i + d]);
            }
        }
        if (s->cell_state != NULL && s->cell_state->is_periodic[d]) {
            low[d] = 0.0;
            high[d] = C[4 * d];
        }
        if (m->def->has_box) {
            low[d] = m->def->low[d];
            high[d] = m->def->high[d];
        }
    }
}

static cn_status find_grid(making *m, cn_error *err)
{
    double low[3] = {0.0}, high[3] = {0.0}, points = 1.0;
    find_box(m, low, high);
    for (int d = 0; d < 3; d++) {
        double length = high[d] - low[d];
        bool is_there = d < m->of.sample.dim;
        if (is_there && !(length > 0.0 && isfinite(length))) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the box of the fields is %g m along %c: it must be > 0; give one",
                           length, "xyz"[d]);
        }
        double wanted = is_there ? fmax(1.0, ceil(2.0 * length / m->width)) : 1.0;
        double count = is_there && m->def->count[d] > 0 ? m->def->count[d] : wanted;
        points *= count;
        if (points > POINTS_MOST) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the grid would have %.3g points or more, %.3g at most: ask for fewer, "
                           "or for a wider kernel",
                           points, POINTS_MOST);
        }
        m->grid.count[d] = (int)count;
        m->grid.step[d] = is_there ? length / count : 1.0;
        m->grid.low[d] = is_there ? low[d] + 0.5 * m->grid.step[d] : 0.0;
    }
    m->count = (size_t)points;
    m->mean = calloc(m->count, sizeof *m->mean);
    m->now = calloc(m->count, sizeof *m->now);
    return m->mean != NULL && m->now != NULL
               ? CN_OK
               : cn_fail(err, CN_NO_MEMORY, "out of memory for %zu points", m->count);
}

// ---- means over frames

enum { FIELD_REALS = sizeof(cn_field_values) / sizeof(double) };

static void add_part(making *m, double part)
{
    for (size_t n = 0; n < m->count; n++) {
        double sum[FIELD_REALS], now[FIELD_REALS];
        memcpy(sum, &m->mean[n], sizeof sum);
        memcpy(now, &m->now[n], sizeof now);
        for (int k = 0; k < FIELD_REALS; k++) {
            sum[k] += part * now[k];
        }
        memcpy(&m->mean[n], sum, sizeof sum);
    }
}

static cn_status add_frame(making *m, int frame, double part, cn_error *err)
{
    CN_TRY(cn_frame_sample_read(&m->of, frame, true, err));
    CN_TRY(cn_reader_need_contacts(m->of.reader, &m->of.frame, err));
    const cn_sample *s = &m->of.sample;
    if (s->cell != NULL && s->cell_state == NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the file does not tell along which axes its cell repeats: run the scene "
                       "again with this version");
    }
    if (m->mean == NULL) {
        CN_TRY(find_width(m, err));
        CN_TRY(find_grid(m, err));
    }
    CN_TRY(cn_coarse_grain(s, m->width, &m->grid, m->now, err));
    add_part(m, part);
    return CN_OK;
}

static cn_status add_frames(making *m, cn_error *err)
{
    int all = cn_reader_summary(m->of.reader)->frames, wanted = m->def->frame_count;
    int last = m->def->frame < 0 ? all + m->def->frame : m->def->frame;
    int count = wanted > 1 ? wanted : 1;
    if (last < 0 || last >= all || count > last + 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "there are no %d frames up to frame %d; frames are 0 to %d", count,
                       m->def->frame, all - 1);
    }
    for (int k = last - count + 1; k <= last; k++) {
        CN_TRY(add_frame(m, k, 1.0 / count, err));
    }
    return CN_OK;
}

// ---- text

// Columns of a point: names in the plane and in space, and what they are.
typedef struct column {
    const char *name;
    bool is_space; // of results in space only
    int place;     // in cn_field_values, in reals; VELOCITY + axis: of the mean velocity
} column;

#define PLACE(member, k) ((int)(offsetof(cn_field_values, member) / sizeof(double)) + (k))
enum { VELOCITY = 1000 };

static const column columns[] = {{"density", false, PLACE(density, 0)},
                                 {"fraction", false, PLACE(fraction, 0)},
                                 {"vx", false, VELOCITY},
                                 {"vy", false, VELOCITY + 1},
                                 {"vz", true, VELOCITY + 2},
                                 {"sxx", false, PLACE(contact, 0)},
                                 {"sxy", false, PLACE(contact, 1)},
                                 {"sxz", true, PLACE(contact, 2)},
                                 {"syx", false, PLACE(contact, 3)},
                                 {"syy", false, PLACE(contact, 4)},
                                 {"syz", true, PLACE(contact, 5)},
                                 {"szx", true, PLACE(contact, 6)},
                                 {"szy", true, PLACE(contact, 7)},
                                 {"szz", true, PLACE(contact, 8)},
                                 {"kxx", false, PLACE(kinetic, 0)},
                                 {"kxy", false, PLACE(kinetic, 1)},
                                 {"kyy", false, PLACE(kinetic, 4)},
                                 {"kxz", true, PLACE(kinetic, 2)},
                                 {"kyz", true, PLACE(kinetic, 5)},
                                 {"kzz", true, PLACE(kinetic, 8)},
                                 {"wx", false, PLACE(wall, 0)},
                                 {"wy", false, PLACE(wall, 1)},
                                 {"wz", true, PLACE(wall, 2)}};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static double value_of(const cn_field_values *f, const column *c)
{
    double all[FIELD_REALS];
    memcpy(all, f, sizeof all);
    return c->place < VELOCITY ? all[c->place] : f->momentum[c->place - VELOCITY] / f->density;
}

static bool is_shown(const making *m, const column *c)
{
    return m->of.sample.dim == 3 || !c->is_space;
}

static void print_table(const making *m)
{
    const cn_grid *g = &m->grid;
    int dim = m->of.sample.dim;
    fputs(dim == 2 ? "x,y" : "x,y,z", m->out);
    for (int c = 0; c < COLUMNS; c++) {
        if (is_shown(m, &columns[c])) {
            fprintf(m->out, ",%s", columns[c].name);
        }
    }
    for (size_t n = 0; n < m->count; n++) {
        size_t rest = n;
        for (int d = 0; d < dim; d++) {
            size_t k = rest % (size_t)g->count[d];
            rest /= (size_t)g->count[d];
            fprintf(m->out, "%c%.10g", d == 0 ? '\n' : ',', g->low[d] + (double)k * g->step[d]);
        }
        for (int c = 0; c < COLUMNS; c++) {
            if (is_shown(m, &columns[c])) {
                fprintf(m->out, ",%.10g", value_of(&m->mean[n], &columns[c]));
            }
        }
    }
    fputc('\n', m->out);
}

static void print_image(const making *m)
{
    const cn_grid *g = &m->grid;
    fprintf(m->out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\">\n"
            "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" "
            "Spacing=\"%.17g %.17g %.17g\">\n<Piece Extent=\"0 %d 0 %d 0 %d\">\n<PointData>\n",
            g->count[0] - 1, g->count[1] - 1, g->count[2] - 1, g->low[0], g->low[1], g->low[2],
            g->step[0], g->step[1], g->step[2], g->count[0] - 1, g->count[1] - 1, g->count[2] - 1);
    for (int c = 0; c < COLUMNS; c++) {
        if (!is_shown(m, &columns[c])) {
            continue;
        }
        fprintf(m->out, "<DataArray type=\"Float64\" Name=\"%s\" format=\"ascii\">\n",
                columns[c].name);
        for (size_t n = 0; n < m->count; n++) {
            fprintf(m->out, "%.10g\n", value_of(&m->mean[n], &columns[c]));
        }
        fputs("</DataArray>\n", m->out);
    }
    fputs("</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n", m->out);
}

cn_status cn_fields(cn_reader *reader, const cn_fields_def *def, char **text, cn_error *err)
{
    CN_NEED(err, reader, def, text);
    size_t size = 0;
    making m = {.def = def};
    *text = NULL;
    cn_status status = cn_frame_sample_begin(&m.of, reader, def->of, err);
    status = status == CN_OK ? add_frames(&m, err) : status;
    if (status == CN_OK && (m.out = open_memstream(text, &size)) != NULL) {
        (def->is_image ? print_image : print_table)(&m);
    }
    if (status == CN_OK && (m.out == NULL || fclose(m.out) != 0)) {
        free(*text);
        *text = NULL;
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    }
    cn_frame_sample_end(&m.of);
    CN_RELEASE(m.mean, m.now);
    return status;
}
