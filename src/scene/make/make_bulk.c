// scene/make/make_bulk.c -- bulk bodies: one line of a CSV file each.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/language/csv.h"
#include "scene/make/make_bodies.h"

typedef enum column {
    X,
    Y,
    Z,
    ANGLE,
    QW,
    QX,
    QY,
    QZ,
    RADIUS,
    LENGTH,
    WIDTH,
    DEPTH,
    HEIGHT,
    VX,
    VY,
    VZ,
    SPIN,
    WX,
    WY,
    WZ,
    MASS,
    INERTIA,
    COLUMN_COUNT
} column;

// Names of the columns, and the dimension of those that only one has.
static const struct {
    const char *name;
    int dim;
} known[COLUMN_COUNT] = {[X] = {"x", 0},           [Y] = {"y", 0},
                         [Z] = {"z", 3},           [ANGLE] = {"angle", 2},
                         [QW] = {"qw", 3},         [QX] = {"qx", 3},
                         [QY] = {"qy", 3},         [QZ] = {"qz", 3},
                         [RADIUS] = {"radius", 0}, [LENGTH] = {"length", 0},
                         [WIDTH] = {"width", 0},   [DEPTH] = {"depth", 3},
                         [HEIGHT] = {"height", 0}, [VX] = {"vx", 0},
                         [VY] = {"vy", 0},         [VZ] = {"vz", 3},
                         [SPIN] = {"spin", 2},     [WX] = {"wx", 3},
                         [WY] = {"wy", 3},         [WZ] = {"wz", 3},
                         [MASS] = {"mass", 0},     [INERTIA] = {"inertia", 2}};

// Where each known column is in the file, -1 if it is not.
typedef struct columns {
    int at[COLUMN_COUNT];
} columns;

static bool name_columns(cn_report *report, const cn_csv *csv, int dim, cn_place header, columns *c)
{
    const char *usable[COLUMN_COUNT];
    int usable_count = 0;
    if (csv->name == NULL) {
        cn_complain(report, (cn_place){csv->source, csv->row_count > 0 ? csv->line[0] : 0, 1},
                    "the first line must name the columns, e.g. %s",
                    dim == 3 ? "x,y,z,radius" : "x,y,angle,radius");
        return false;
    }
    for (int n = 0; n < COLUMN_COUNT; n++) {
        bool is_usable = known[n].dim == 0 || known[n].dim == dim;
        c->at[n] = is_usable ? cn_csv_column(csv, known[n].name) : -1;
        if (is_usable) {
            usable[usable_count++] = known[n].name;
        }
    }
    for (int k = 0; k < csv->column_count; k++) {
        bool is_known = false;
        for (int n = 0; n < usable_count && !is_known; n++) {
            is_known = strcmp(csv->name[k], usable[n]) == 0;
        }
        if (!is_known) {
            cn_complain_unknown(report, header, "column", csv->name[k], NULL, usable, usable_count);
            return false;
        }
    }
    return true;
}

// All of some columns, or none: a part of a vector is a mistake.
static bool has_whole(cn_report *report, const columns *c, cn_place header, column first, int count)
{
    int given = 0;
    for (int k = 0; k < count; k++) {
        given += c->at[first + k] >= 0 ? 1 : 0;
    }
    if (given != 0 && given != count) {
        cn_complain(report, header, "columns %s to %s go together: %d of %d are there",
                    known[first].name, known[first + count - 1].name, given, count);
    }
    return given == 0 || given == count;
}

// Place, shape and mass must each be said once.
static bool find_columns(cn_entry_making *e, const cn_csv *csv, bool has_shape, columns *c)
{
    cn_report *report = e->m->reading.report;
    cn_place header = {csv->source, csv->header_line, 1};
    int dim = e->m->scene->dim;
    if (!name_columns(report, csv, dim, header, c) || !has_whole(report, c, header, QW, 4)) {
        return false;
    }
    if (c->at[X] < 0 || c->at[Y] < 0 || (dim == 3 && c->at[Z] < 0)) {
        cn_complain(report, header, "columns %s are needed", dim == 3 ? "x, y and z" : "x and y");
        return false;
    }
    bool is_round = c->at[RADIUS] >= 0;
    bool is_box = c->at[WIDTH] >= 0 && c->at[HEIGHT] >= 0 && (dim == 2 || c->at[DEPTH] >= 0);
    if (is_round + is_box + has_shape != 1) {
        cn_complain(report, header,
                    "the shape is needed once: columns radius (%s), radius and length (capsule), "
                    "%s (box), or the key 'shape' of the body",
                    dim == 3 ? "sphere" : "disk",
                    dim == 3 ? "width, depth and height" : "width and height");
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

static double cell(const cn_csv *csv, const columns *c, int row, column which, double otherwise)
{
    int at = c->at[which];
    return at < 0 ? otherwise : csv->cell[(size_t)row * (size_t)csv->column_count + (size_t)at];
}

static bool set_solid(cn_reading *r, const cn_csv *csv, const columns *c, int row,
                      cn_solid_def *solid)
{
    if (c->at[RADIUS] >= 0) {
        *solid = (cn_solid_def){.kind = c->at[LENGTH] >= 0 ? CN_SOLID_CAPSULE : CN_SOLID_SPHERE,
                                .radius = cell(csv, c, row, RADIUS, 0.0),
                                .length = cell(csv, c, row, LENGTH, 0.0)};
        return true;
    }
    double *point = cn_reading_take(r, 24, sizeof *point);
    if (point == NULL) {
        return false;
    }
    cn_box_corners(cell(csv, c, row, WIDTH, 0.0), cell(csv, c, row, DEPTH, 0.0),
                   cell(csv, c, row, HEIGHT, 0.0), point);
    *solid = (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
    return true;
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

static cn_quat turn_of_row(const cn_csv *csv, const columns *c, int row)
{
    return (cn_quat){cell(csv, c, row, QW, 1.0), cell(csv, c, row, QX, 0.0),
                     cell(csv, c, row, QY, 0.0), cell(csv, c, row, QZ, 0.0)};
}

// Geometry of one line.
static bool set_part(cn_reading *r, const cn_csv *csv, const columns *c, int row, cn_parts *part)
{
    *part = (cn_parts){.count = 1};
    if (r->dim == 3) {
        cn_solid_def *solid = cn_reading_take(r, 1, sizeof *solid);
        part->solid = solid;
        return solid != NULL && set_solid(r, csv, c, row, solid);
    }
    cn_shape_def *shape = cn_reading_take(r, 1, sizeof *shape);
    part->shape = shape;
    return shape != NULL && set_shape(r, csv, c, row, shape);
}

// Mass and size of a line that cannot be: its own message, since the shape only knows its vertices.
static bool check_row(cn_entry_making *e, const cn_csv *csv, const columns *c, int row)
{
    static const column positive[] = {RADIUS, LENGTH, WIDTH, DEPTH, HEIGHT, MASS, INERTIA};
    cn_place at = {csv->source, csv->line[row], 1};
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++) {
        double value = cell(csv, c, row, positive[k], 1.0);
        if (!(value > 0.0)) {
            cn_complain(e->m->reading.report, at, "%s must be > 0, got %g", known[positive[k]].name,
                        value);
            return false;
        }
    }
    cn_quat q = turn_of_row(csv, c, row);
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(fabs(length - 1.0) <= 1e-3)) {
        cn_complain(e->m->reading.report, at, "the quaternion has length %g, it must have 1",
                    length);
        return false;
    }
    return true;
}

static bool add_row(cn_entry_making *e, cn_body_list *list, const cn_csv *csv, const columns *c,
                    int row, const cn_parts *parts)
{
    cn_entry_making own = *e;
    for (int d = 0; d < 3; d++) {
        own.base.velocity[d] = cell(csv, c, row, (column)(VX + d), e->base.velocity[d]);
        own.base.angular_velocity[d] =
            cell(csv, c, row, (column)(WX + d), e->base.angular_velocity[d]);
    }
    if (e->m->scene->dim == 2) {
        own.base.angular_velocity[2] = cell(csv, c, row, SPIN, e->base.angular_velocity[2]);
    }
    own.mass = cell(csv, c, row, MASS, e->mass);
    own.is_mass_auto = e->is_mass_auto && c->at[MASS] < 0;
    own.inertia = cell(csv, c, row, INERTIA, e->inertia);
    cn_local local = {.pose = {.at = {cell(csv, c, row, X, 0.0), cell(csv, c, row, Y, 0.0),
                                      cell(csv, c, row, Z, 0.0)},
                               .angle = cell(csv, c, row, ANGLE, 0.0),
                               .turn = cn_quat_unit(turn_of_row(csv, c, row))},
                      .index = {1, row + 1}};
    cn_place at = {csv->source, csv->line[row], 1};
    return cn_bodies_append(&own, list, at, parts, &local);
}

static bool add_rows(cn_entry_making *e, cn_body_list *list, const cn_csv *csv, const columns *c,
                     const cn_value *given)
{
    cn_reading *r = &e->m->reading;
    const cn_pose none = CN_POSE_NONE;
    cn_parts parts = {0};
    bool has_memory = given == NULL || cn_parts_of(r, given, &none, &parts);
    int before = r->report->count;
    for (int row = 0; row < csv->row_count && has_memory; row++) {
        if (r->report->count - before >= CN_REPORT_MAX || !check_row(e, csv, c, row)) {
            continue;
        }
        has_memory = (given != NULL || set_part(r, csv, c, row, &parts)) &&
                     add_row(e, list, csv, c, row, &parts);
    }
    return has_memory;
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
