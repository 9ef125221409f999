// scene/make_bulk.c -- bulk bodies: one line of a CSV file each.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/csv.h"
#include "scene/make_bodies.h"

enum { X, Y, ANGLE, RADIUS, LENGTH, WIDTH, HEIGHT, VX, VY, SPIN, MASS, INERTIA, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {"x",      "y",     "angle",  "radius",
                                                       "length", "width", "height", "vx",
                                                       "vy",     "spin",  "mass",   "inertia"};

// Where each known column is in the file, -1 if it is not.
typedef struct columns {
    int at[COLUMN_COUNT];
} columns;

static bool name_columns(cn_report *report, const cn_csv *csv, cn_place header, columns *c)
{
    if (csv->name == NULL) {
        cn_complain(report, (cn_place){csv->source, csv->row_count > 0 ? csv->line[0] : 0, 1},
                    "the first line must name the columns, e.g. x,y,angle,radius");
        return false;
    }
    for (int k = 0; k < csv->column_count; k++) {
        bool is_known = false;
        for (int n = 0; n < COLUMN_COUNT && !is_known; n++) {
            is_known = strcmp(csv->name[k], column_names[n]) == 0;
        }
        if (!is_known) {
            cn_complain_unknown(report, header, "column", csv->name[k], NULL, column_names,
                                COLUMN_COUNT);
            return false;
        }
    }
    for (int n = 0; n < COLUMN_COUNT; n++) {
        c->at[n] = cn_csv_column(csv, column_names[n]);
    }
    return true;
}

// Place, shape and mass must each be said once.
static bool find_columns(cn_entry_making *e, const cn_csv *csv, bool has_shape, columns *c)
{
    cn_report *report = e->m->reading.report;
    cn_place header = {csv->source, csv->header_line, 1};
    if (!name_columns(report, csv, header, c)) {
        return false;
    }
    if (c->at[X] < 0 || c->at[Y] < 0) {
        cn_complain(report, header, "columns x and y are needed");
        return false;
    }
    bool is_round = c->at[RADIUS] >= 0, is_box = c->at[WIDTH] >= 0 && c->at[HEIGHT] >= 0;
    if (is_round + is_box + has_shape != 1) {
        cn_complain(report, header,
                    "the shape is needed once: columns radius (disk), radius and length (capsule), "
                    "width and height (box), or the key 'shape' of the body");
        return false;
    }
    if (c->at[MASS] >= 0 && cn_value_get(e->value, "material") != NULL) {
        cn_complain(report, header, "a column mass and a material exclude each other");
        return false;
    }
    if (c->at[INERTIA] >= 0 && c->at[MASS] < 0) {
        cn_complain(report, header, "a column inertia needs a column mass");
        return false;
    }
    return true;
}

static double cell(const cn_csv *csv, const columns *c, int row, int column, double otherwise)
{
    int at = c->at[column];
    return at < 0 ? otherwise : csv->cell[(size_t)row * (size_t)csv->column_count + (size_t)at];
}

static bool set_shape(cn_reading *r, const cn_csv *csv, const columns *c, int row,
                      cn_shape_def *shape)
{
    if (c->at[RADIUS] >= 0) {
        double length = cell(csv, c, row, LENGTH, 0.0);
        *shape = (cn_shape_def){.kind = c->at[LENGTH] >= 0 ? CN_SHAPE_CAPSULE : CN_SHAPE_DISK,
                                .radius = cell(csv, c, row, RADIUS, 0.0),
                                .length = length};
        return true;
    }
    double *vertex = cn_reading_take(r, 8, sizeof *vertex);
    if (vertex == NULL) {
        return false;
    }
    cn_box_vertices(cell(csv, c, row, WIDTH, 0.0), cell(csv, c, row, HEIGHT, 0.0), vertex);
    *shape = (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex};
    return true;
}

// Mass and size of a line that cannot be: its own message, since the shape only knows its vertices.
static bool check_row(cn_entry_making *e, const cn_csv *csv, const columns *c, int row)
{
    static const int positive[] = {RADIUS, LENGTH, WIDTH, HEIGHT, MASS, INERTIA};
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++) {
        double value = cell(csv, c, row, positive[k], 1.0);
        if (!(value > 0.0)) {
            cn_complain(e->m->reading.report, (cn_place){csv->source, csv->line[row], 1},
                        "%s must be > 0, got %g", column_names[positive[k]], value);
            return false;
        }
    }
    return true;
}

static bool add_row(cn_entry_making *e, cn_body_list *list, const cn_csv *csv, const columns *c,
                    int row, const cn_shape_def *shape, int shape_count)
{
    cn_entry_making own = *e;
    own.base.velocity[0] = cell(csv, c, row, VX, e->base.velocity[0]);
    own.base.velocity[1] = cell(csv, c, row, VY, e->base.velocity[1]);
    own.base.spin = cell(csv, c, row, SPIN, e->base.spin);
    own.mass = cell(csv, c, row, MASS, e->mass);
    own.inertia = cell(csv, c, row, INERTIA, e->inertia);
    cn_local local = {.at = {cell(csv, c, row, X, 0.0), cell(csv, c, row, Y, 0.0)},
                      .angle = cell(csv, c, row, ANGLE, 0.0),
                      .index = {1, row + 1}};
    cn_place at = {csv->source, csv->line[row], 1};
    return cn_bodies_append(&own, list, at, shape, shape_count, &local);
}

static bool add_rows(cn_entry_making *e, cn_body_list *list, const cn_csv *csv, const columns *c,
                     const cn_value *given)
{
    cn_reading *r = &e->m->reading;
    const double origin[2] = {0.0, 0.0};
    int shape_count = 1;
    cn_shape_def *shape = given != NULL ? cn_shapes_of(r, given, origin, 0.0, &shape_count)
                                        : cn_reading_take(r, (size_t)csv->row_count, sizeof *shape);
    int before = r->report->count;
    for (int row = 0; row < csv->row_count && shape != NULL; row++) {
        cn_shape_def *own = given != NULL ? shape : &shape[row];
        if (r->report->count - before >= CN_REPORT_MAX || !check_row(e, csv, c, row)) {
            continue;
        }
        if ((given == NULL && !set_shape(r, csv, c, row, own)) ||
            !add_row(e, list, csv, c, row, own, shape_count)) {
            return false;
        }
    }
    return shape != NULL;
}

bool cn_bodies_from_csv(cn_entry_making *e, cn_body_list *list, const cn_value *from,
                        const cn_value *shape)
{
    cn_reading *r = &e->m->reading;
    cn_source *source = cn_reading_take(r, 1, sizeof *source);
    if (source == NULL || !cn_making_open(e->m, from->at, from->text, CN_DATA_BYTES_MAX, source)) {
        return r->status == CN_OK;
    }
    int before = r->report->count;
    cn_csv csv;
    cn_status status = cn_csv_read(source, r->arena, r->report, &csv, r->err);
    if (status != CN_OK) {
        r->status = status;
        return false;
    }
    columns c;
    if (r->report->count > before || !find_columns(e, &csv, shape != NULL, &c) ||
        !cn_bodies_fit(e, list, from->at, csv.row_count)) {
        return true;
    }
    if (c.at[MASS] >= 0) {
        // That each line has a mass is all that the caller needs to know.
        e->mass = 1.0;
    }
    return add_rows(e, list, &csv, &c, shape);
}
