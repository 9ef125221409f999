// scene/make/loads/make_loads.c
#include "scene/make/make_loads.h"

#include <math.h>
#include <string.h>

#include "scene/language/csv.h"
#include "scene/make/make_bodies.h"

// What one selection can make at most: one drive per degree of freedom; forces, a torque
// and a pressure.
enum { DRIVES_PER_KIND = 6, FORCES_PER_ITEM = 6 };

// Keys of imposed motion; those of the other dimension are never there.
static const struct {
    const char *name;
    cn_dof dof;
} dofs[] = {{"x", CN_DOF_X},   {"y", CN_DOF_Y},   {"z", CN_DOF_Z},        {"rx", CN_DOF_RX},
            {"ry", CN_DOF_RY}, {"rz", CN_DOF_RZ}, {"rotation", CN_DOF_RZ}};

// ---- functions of time

static void check_times(cn_making *m, cn_place at, const cn_function *f)
{
    for (int k = 1; k < f->count; k++) {
        if (!(f->time[k] > f->time[k - 1])) {
            cn_complain(m->reading.report, at,
                        "times of a table must increase; entry %d has %g s after %g s", k + 1,
                        f->time[k], f->time[k - 1]);
            return;
        }
    }
}

static bool new_table(cn_making *m, int count, double **time, double **value, cn_function *f)
{
    *time = cn_reading_take(&m->reading, (size_t)count, sizeof **time);
    *value = cn_reading_take(&m->reading, (size_t)count, sizeof **value);
    *f = (cn_function){.kind = CN_FUNCTION_TABLE, .count = count, .time = *time, .value = *value};
    return *time != NULL && *value != NULL;
}

static bool table_of_points(cn_making *m, const cn_value *points, double scale, cn_function *f)
{
    double *time, *value;
    if (points->count == 0) {
        cn_complain(m->reading.report, points->at, "a table needs at least one point");
    }
    if (!new_table(m, points->count, &time, &value, f)) {
        return false;
    }
    for (int k = 0; k < points->count; k++) {
        time[k] = points->item[k]->item[0]->number;
        value[k] = scale * points->item[k]->item[1]->number;
    }
    check_times(m, points->at, f);
    return true;
}

// Number of the column of the value, -1 after a problem.
static int value_column(cn_making *m, const cn_csv *csv, const cn_value *column)
{
    if (csv->column_count < 2 || csv->row_count == 0) {
        cn_complain(m->reading.report, (cn_place){csv->source, 0, 0},
                    "a table of time needs two columns and one line of numbers");
        return -1;
    }
    if (column == NULL) {
        return 1;
    }
    int found = cn_csv_column(csv, column->text);
    if (found < 0) {
        cn_complain_unknown(m->reading.report, column->at, "column", column->text,
                            csv->source->name, csv->name,
                            csv->name != NULL ? csv->column_count : 0);
    }
    return found;
}

static bool table_of_file(cn_making *m, const cn_value *file, const cn_value *column, double scale,
                          cn_function *f)
{
    cn_reading *r = &m->reading;
    cn_source *source = cn_reading_take(r, 1, sizeof *source);
    if (source == NULL || !cn_making_open(m, file->at, file->text, CN_DATA_BYTES_MAX, source)) {
        return r->status == CN_OK;
    }
    int before = r->report->count;
    cn_csv csv;
    r->status = cn_csv_read(source, r->arena, r->report, &csv, r->err);
    if (r->status != CN_OK || r->report->count > before) {
        return r->status == CN_OK;
    }
    int chosen = value_column(m, &csv, column);
    double *time, *value;
    if (chosen < 0) {
        return true;
    }
    if (!new_table(m, csv.row_count, &time, &value, f)) {
        return false;
    }
    for (int k = 0; k < csv.row_count; k++) {
        const double *row = csv.cell + (size_t)k * (size_t)csv.column_count;
        time[k] = row[0];
        value[k] = scale * row[chosen];
    }
    check_times(m, (cn_place){source, 0, 0}, f);
    return true;
}

static bool make_table(cn_making *m, const cn_value *value, cn_function *f)
{
    const cn_value *file = cn_value_get(value, "file"), *points = cn_value_get(value, "points");
    double scale = cn_value_number(value, "scale");
    if ((file == NULL) == (points == NULL)) {
        cn_complain(m->reading.report, value->at, "a table takes either 'file' or 'points'");
        return true;
    }
    return points != NULL ? table_of_points(m, points, scale, f)
                          : table_of_file(m, file, cn_value_get(value, "column"), scale, f);
}

bool cn_make_function(cn_making *m, const cn_value *value, cn_function *f)
{
    const cn_value *inner = value->item[0];
    *f = cn_constant(0.0);
    if (strcmp(value->name[0], "constant") == 0) {
        *f = cn_constant(inner->number);
        return true;
    }
    if (strcmp(value->name[0], "table") == 0) {
        return make_table(m, inner, f);
    }
    *f = (cn_function){.kind = CN_FUNCTION_COSINE,
                       .c = cn_value_number(inner, "c"),
                       .a = cn_value_number(inner, "a"),
                       .w = cn_value_number(inner, "w"),
                       .p = cn_value_number(inner, "p"),
                       .r0 = cn_value_number(inner, "r0"),
                       .r = cn_value_number(inner, "r")};
    return true;
}

// True if all bodies of a selection are rigid; else tells what meshes cannot.
static bool is_rigid(cn_stage_making *s, cn_place at, const cn_pick *pick, const char *what)
{
    for (int k = 0; k < pick->count; k++) {
        if (s->m->scene->body[pick->body[k]].def.type == CN_BODY_MESH) {
            char name[96];
            cn_scene_body_name(s->m->scene, pick->body[k], name);
            cn_complain(s->m->reading.report, at, "body '%s' has a mesh: %s", name, what);
            return false;
        }
    }
    return true;
}

// ---- drives

// Marks the degrees of freedom of a drive; each may be driven once in a stage.
static void claim(cn_stage_making *s, cn_place at, const cn_pick *pick, unsigned bits)
{
    for (int k = 0; k < pick->count && pick->set == NULL; k++) {
        int body = pick->body[k];
        if ((s->is_driven[body] & bits) != 0) {
            char name[96];
            cn_scene_body_name(s->m->scene, body, name);
            cn_complain(s->m->reading.report, at, "body '%s' is driven twice in this stage", name);
            return;
        }
        s->is_driven[body] = (unsigned char)(s->is_driven[body] | bits);
    }
}

static void add_drive(cn_stage_making *s, const cn_pick *pick, cn_drive_def def)
{
    cn_scene_drive *drive = (cn_scene_drive *)s->stage->drive;
    drive[s->stage->drive_count++] =
        (cn_scene_drive){*pick, def, cn_making_line(s->m, s->drive_at)};
}

// velocity, displacement and acceleration: one drive per degree of freedom.
static bool add_motion(cn_stage_making *s, const cn_pick *pick, const cn_value *value,
                       cn_drive_kind kind)
{
    for (size_t d = 0; d < sizeof dofs / sizeof *dofs; d++) {
        const cn_value *function = cn_value_get(value, dofs[d].name);
        cn_drive_def def = {.kind = kind, .dof = dofs[d].dof};
        if (function == NULL) {
            continue;
        }
        bool is_record = strcmp(function->name[0], "record") == 0;
        def.kind = is_record ? CN_DRIVE_VELOCITY : kind;
        if (is_record ? !cn_make_record(s, function->item[0], &def.f)
                      : !cn_make_function(s->m, function, &def.f)) {
            return false;
        }
        if (def.dof >= CN_DOF_RX &&
            !is_rigid(s, function->at, pick, "its nodes are driven along x, y, z only")) {
            continue;
        }
        claim(s, function->at, pick, 1u << def.dof);
        add_drive(s, pick, def);
    }
    if (value->count == 0) {
        cn_complain(s->m->reading.report, value->at, "%s names none of %s", value->key->name,
                    s->m->scene->dim == 3 ? "x, y, z, rx, ry, rz" : "x, y, rotation");
    }
    return true;
}

static bool add_rotation(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    cn_drive_def def = {.kind = CN_DRIVE_ROTATION};
    cn_value_point(value, "about", def.about);
    claim(s, value->at, pick, CN_FIXED_ALL);
    bool has_memory = cn_make_function(s->m, cn_value_get(value, "angular_velocity"), &def.f);
    add_drive(s, pick, def);
    return has_memory;
}

// f times a factor; a table gets values of its own.
static bool scale_function(cn_making *m, double factor, cn_function *f)
{
    f->c *= factor;
    f->a *= factor;
    double *value = cn_reading_take(&m->reading, (size_t)f->count, sizeof *value);
    for (int k = 0; k < f->count && value != NULL; k++) {
        value[k] = factor * f->value[k];
    }
    f->value = f->count > 0 ? value : NULL;
    return value != NULL;
}

// The mass centre is held, so that a drum that is not fixed stays where it is. In space the rate is
// shared out to the axes of the world, of which none is left free.
static bool add_spin(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    int dim = s->m->scene->dim;
    cn_function rate;
    claim(s, value->at, pick, CN_FIXED_ALL);
    if (!cn_make_function(s->m, cn_value_get(value, "angular_velocity"), &rate)) {
        return false;
    }
    for (int d = 0; d < dim; d++) {
        add_drive(s, pick,
                  (cn_drive_def){.kind = CN_DRIVE_VELOCITY,
                                 .dof = (cn_dof)(CN_DOF_X + d),
                                 .f = cn_constant(0.0)});
    }
    cn_vec3 axis = cn_axis_of(&s->m->reading, value, "axis");
    const double share[3] = {axis.x, axis.y, axis.z};
    for (int d = dim == 2 ? 2 : 0; d < 3; d++) {
        cn_drive_def def = {.kind = CN_DRIVE_VELOCITY, .dof = (cn_dof)(CN_DOF_RX + d), .f = rate};
        if (dim == 3 && !scale_function(s->m, share[d], &def.f)) {
            return false;
        }
        add_drive(s, pick, def);
    }
    return true;
}

static bool add_kind(cn_stage_making *s, const cn_pick *pick, const char *name,
                     const cn_value *value)
{
    if (strcmp(name, "velocity") == 0) {
        return add_motion(s, pick, value, CN_DRIVE_VELOCITY);
    }
    if (strcmp(name, "displacement") == 0) {
        return add_motion(s, pick, value, CN_DRIVE_DISPLACEMENT);
    }
    if (strcmp(name, "acceleration") == 0) {
        return add_motion(s, pick, value, CN_DRIVE_ACCELERATION);
    }
    if (!is_rigid(s, value->at, pick, "its nodes are driven along x, y, z only")) {
        return true;
    }
    return strcmp(name, "rotation") == 0 ? add_rotation(s, pick, value) : add_spin(s, pick, value);
}

static int count_kinds(const cn_value *named)
{
    int count = 0;
    for (int k = 0; k < named->count; k++) {
        count += named->item[k]->count;
    }
    return count;
}

bool cn_make_drives(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "drive");
    if (named == NULL) {
        return true;
    }
    s->stage->drive = cn_reading_take(&s->m->reading, DRIVES_PER_KIND * (size_t)count_kinds(named),
                                      sizeof *s->stage->drive);
    bool has_memory = s->stage->drive != NULL;
    for (int k = 0; k < named->count && has_memory; k++) {
        cn_pick pick;
        bool is_good = false;
        has_memory = cn_make_pick_set(s->m, named->name_at[k], named->name[k], s->is_removed, &pick,
                                      &is_good);
        const cn_value *kinds = named->item[k];
        s->drive_at = named->name_at[k];
        if (kinds->count == 0) {
            cn_complain(s->m->reading.report, kinds->at,
                        "a drive takes velocity, displacement, acceleration, rotation or spin");
        }
        for (int n = 0; n < kinds->count && is_good && has_memory; n++) {
            has_memory = add_kind(s, &pick, kinds->name[n], kinds->item[n]);
        }
    }
    return has_memory;
}

// ---- forces

// Whether a piece of an exploded mesh has sides in a set, not a corner alone.
static bool has_sides(const cn_scene *scene, int body, const char *set)
{
    const cn_mesh_def *mesh = cn_body_mesh_of(&scene->body[body].def);
    for (int k = 0; mesh != NULL && k < mesh->set_count; k++) {
        if (strcmp(mesh->set[k].name, set) == 0) {
            return mesh->set[k].side_count > 0;
        }
    }
    return false;
}

// What is per area acts on pieces of exploded meshes that have sides in the set, if some have.
static bool keep_sided(cn_stage_making *s, cn_node_load_kind kind, cn_pick *pick)
{
    bool is_area = kind == CN_LOAD_TRACTION || kind == CN_LOAD_PRESSURE;
    int *kept = is_area && pick->set != NULL
                    ? cn_reading_take(&s->m->reading, (size_t)pick->count + 1, sizeof *kept)
                    : NULL;
    int count = 0;
    for (int k = 0; kept != NULL && k < pick->count; k++) {
        const cn_scene *scene = s->m->scene;
        bool is_piece = scene->entry[scene->body[pick->body[k]].entry].is_exploded;
        if (!is_piece || has_sides(scene, pick->body[k], pick->set)) {
            kept[count++] = pick->body[k];
        }
    }
    if (count > 0) {
        pick->body = kept;
        pick->count = count;
    }
    return kept != NULL || !is_area || pick->set == NULL;
}

static bool put_force(cn_stage_making *s, const cn_pick *pick, cn_force_def def,
                      cn_node_load_kind kind)
{
    cn_scene_force *force = (cn_scene_force *)s->stage->force;
    cn_pick kept = *pick;
    bool has_memory = keep_sided(s, kind, &kept);
    force[s->stage->force_count++] = (cn_scene_force){kept, def, kind};
    return has_memory;
}

// True if all bodies of a selection have meshes; else tells who acts on these only.
static bool is_meshed(cn_stage_making *s, cn_place at, const cn_pick *pick, const char *who)
{
    for (int k = 0; k < pick->count; k++) {
        if (s->m->scene->body[pick->body[k]].def.type != CN_BODY_MESH) {
            cn_complain(s->m->reading.report, at, "%s meshes, '%.80s' is rigid", who, pick->text);
            return false;
        }
    }
    return true;
}

static bool add_centrifugal(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    cn_force_def def = {0};
    if (!is_meshed(s, value->at, pick, "centrifugal forces act on")) {
        return true;
    }
    cn_value_point(value, "about", def.point);
    if (s->m->scene->dim == 3) {
        cn_vec3 axis = cn_axis_of(&s->m->reading, value, "axis");
        memcpy(def.direction, (double[3]){axis.x, axis.y, axis.z}, sizeof def.direction);
    }
    bool has_memory = cn_make_function(s->m, cn_value_get(value, "angular_velocity"), &def.f);
    return put_force(s, pick, def, CN_LOAD_CENTRIFUGAL) && has_memory;
}

// `pressure`, and what is for rigid bodies or for meshes only. False for lack of memory only.
static bool add_pressure(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    const cn_value *pressure = cn_value_get(value, "pressure");
    cn_force_def def = {0};
    if (pressure != NULL && !is_meshed(s, pressure->at, pick, "pressure acts on the sides of")) {
        return true;
    }
    if (pressure != NULL && !cn_make_function(s->m, pressure, &def.f)) {
        return false;
    }
    if (pressure != NULL && !put_force(s, pick, def, CN_LOAD_PRESSURE)) {
        return false;
    }
    double point[3] = {0.0};
    cn_value_point(value, "at", point);
    if (point[0] != 0.0 || point[1] != 0.0 || point[2] != 0.0 ||
        cn_value_get(value, "torque") != NULL || cn_value_number(value, "follower") == 1.0) {
        is_rigid(s, value->at, pick,
                 "'torque', 'at' and 'follower' are for rigid bodies; name a set of its nodes");
    }
    return true;
}

// A constant vector as a direction and a magnitude.
static void set_vector(cn_reading *r, const cn_value *value, cn_force_def *def)
{
    double x[3] = {0.0};
    cn_value_point(value, "vector", x);
    cn_vec3 axis = cn_axis_of(r, value, "vector");
    memcpy(def->direction, (double[3]){axis.x, axis.y, axis.z}, sizeof def->direction);
    def->f = cn_constant(axis.x * x[0] + axis.y * x[1] + axis.z * x[2]);
}

// Torque: a function in the plane; in space a function about an axis, or a vector.
static bool add_torque(cn_stage_making *s, const cn_pick *pick, const cn_value *torque,
                       cn_force_def def)
{
    cn_reading *r = &s->m->reading;
    const cn_value *function = torque;
    def.is_torque = true;
    def.direction[2] = s->m->scene->dim == 3 ? 1.0 : 0.0;
    if (s->m->scene->dim == 3) {
        bool has_vector = cn_value_get(torque, "vector") != NULL;
        function = cn_value_get(torque, "value");
        if (has_vector == (function != NULL)) {
            cn_complain(r->report, torque->at,
                        "a torque is either a value about an axis or a vector [x, y, z]");
            return true;
        }
        cn_vec3 axis = cn_axis_of(r, torque, "axis");
        memcpy(def.direction, (double[3]){axis.x, axis.y, axis.z}, sizeof def.direction);
        if (has_vector) {
            set_vector(r, torque, &def);
        }
    }
    if (function != NULL && !cn_make_function(s->m, function, &def.f)) {
        return false;
    }
    return put_force(s, pick, def, CN_LOAD_TOTAL);
}

// The walls of `span`, pair by pair along the axes that the force leaves. False for lack of memory
// only.
static bool set_span(cn_stage_making *s, const cn_value *value, int along, cn_force_def *def)
{
    const cn_value *span = cn_value_get(value, "span");
    cn_report *report = s->m->reading.report;
    int dim = s->m->scene->dim;
    if (span->count != 2 * (dim - 1)) {
        cn_complain(report, span->at, "span names %s, got %d",
                    dim == 2 ? "two walls" : "four walls: two pairs", span->count);
        return true;
    }
    for (int k = 0; k < span->count; k++) {
        cn_pick pick;
        bool is_good = false;
        const cn_value *name = span->item[k];
        if (!cn_make_pick(s->m, name->at, name->text, s->is_removed, &pick, &is_good)) {
            return false;
        }
        if (is_good &&
            (pick.count != 1 || s->m->scene->body[pick.body[0]].def.type == CN_BODY_MESH)) {
            cn_complain(report, name->at, "a span goes from one rigid body to another, '%.60s' %s",
                        name->text, pick.count == 1 ? "is a mesh" : "selects several");
            is_good = false;
        }
        cn_span *pair = &def->span[k / 2];
        cn_body_id id = is_good ? cn_scene_body_id(pick.body[0]) : 0;
        *(k % 2 == 0 ? &pair->from : &pair->to) = id;
        pair->axis = (cn_dof)((k / 2) + (k / 2 >= along));
    }
    def->span_count = dim - 1;
    return true;
}

// True if a span goes with what else is given.
static bool check_span(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    const cn_value *span = cn_value_get(value, "span");
    int forces = 0;
    for (int d = 0; d < 3; d++) {
        forces += cn_value_get(value, (const char *[]){"x", "y", "z"}[d]) != NULL;
    }
    if (span == NULL) {
        return true;
    }
    if (forces != 1 || cn_value_get(value, "torque") != NULL ||
        cn_value_number(value, "follower") == 1.0) {
        cn_complain(s->m->reading.report, span->at,
                    "a span goes with one of x, y, z, which is then a pressure [Pa], and neither "
                    "with torque nor with follower");
        return false;
    }
    return is_rigid(s, span->at, pick, "a span is for rigid walls; give 'per: area' or 'pressure'");
}

// A force on each of the pieces of a mesh would count as often as there are pieces.
static bool check_pieces(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    const cn_scene *scene = s->m->scene;
    bool is_shared =
        pick->set != NULL && scene->entry[scene->body[pick->body[0]].entry].is_exploded;
    bool is_per_area = cn_value_number(value, "per") == 2.0;
    bool has_force = cn_value_get(value, "x") != NULL || cn_value_get(value, "y") != NULL ||
                     cn_value_get(value, "z") != NULL;
    if (is_shared && has_force && !is_per_area) {
        cn_complain(
            s->m->reading.report, value->at,
            "'%.80s' is exploded, and its pieces share the nodes of the set: give the force "
            "'per: area', or a pressure",
            pick->text);
        return false;
    }
    return true;
}

// Pressure around all bodies of a selection. False for lack of memory only.
static bool add_around(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    cn_report *report = s->m->reading.report;
    cn_scene_around around = {.bodies = *pick, .platens = {.text = ""}};
    double probe = cn_value_number(value, "probe");
    const cn_value *platens = cn_value_get(value, "platens");
    int dim = s->m->scene->dim;
    around.def.probe = isnan(probe) ? 0.0 : probe;
    around.def.is_chain = dim == 2 && cn_value_number(value, "ring") == 1.0;
    if (!is_rigid(s, value->at, pick, "give a 'pressure' on its sides")) {
        return true;
    }
    if (pick->count <= dim) {
        cn_complain(report, value->at, "'%.60s' selects %d bodies: %d at least enclose something",
                    pick->text, pick->count, dim + 1);
    }
    if (s->m->scene->has_cell) {
        cn_complain(report, value->at,
                    "a periodic cell has no outside; give the cell a stress or a pressure");
    }
    if (around.def.is_chain && (platens != NULL || !isnan(probe))) {
        cn_complain(report, value->at, "a ring is closed: it takes no probe and no platens");
    }
    bool is_good = true;
    if (!cn_make_function(s->m, cn_value_get(value, "pressure"), &around.def.f) ||
        (platens != NULL && !cn_make_pick(s->m, platens->at, platens->text, s->is_removed,
                                          &around.platens, &is_good))) {
        return false;
    }
    cn_scene_around *list = (cn_scene_around *)s->stage->around;
    list[s->stage->around_count++] = around;
    return true;
}

static bool add_forces(cn_stage_making *s, const cn_pick *pick, const cn_value *value)
{
    if (!check_span(s, pick, value) || !check_pieces(s, pick, value)) {
        return true;
    }
    static const char *const names[] = {"x", "y", "z"};
    static const cn_node_load_kind kinds[] = {CN_LOAD_TOTAL, CN_LOAD_NODES, CN_LOAD_TRACTION};
    cn_node_load_kind kind = kinds[(int)cn_value_number(value, "per")];
    const cn_value *torque = cn_value_get(value, "torque");
    int before = s->stage->force_count;
    cn_force_def common = {.is_follower = cn_value_number(value, "follower") == 1.0};
    cn_value_point(value, "at", common.point);
    for (int d = 0; d < 3; d++) {
        const cn_value *function = cn_value_get(value, names[d]);
        cn_force_def def = common;
        if (function == NULL) {
            continue;
        }
        def.direction[d] = 1.0;
        if (!cn_make_function(s->m, function, &def.f) ||
            (cn_value_get(value, "span") != NULL && !set_span(s, value, d, &def))) {
            return false;
        }
        if (!put_force(s, pick, def, kind)) {
            return false;
        }
    }
    const cn_value *centrifugal = cn_value_get(value, "centrifugal");
    const cn_value *around = cn_value_get(value, "around");
    if (around != NULL && !add_around(s, pick, around)) {
        return false;
    }
    int faces = s->stage->face_load_count;
    if (!cn_make_face_loads(s->m, value, pick, s->stage->gravity,
                            (cn_scene_face_load *)s->stage->face_load,
                            &s->stage->face_load_count)) {
        return false;
    }
    bool has_other = around != NULL || s->stage->face_load_count > faces;
    if (!add_pressure(s, pick, value) ||
        (centrifugal != NULL && !add_centrifugal(s, pick, centrifugal))) {
        return false;
    }
    if (torque != NULL) {
        return add_torque(s, pick, torque, common);
    }
    if (s->stage->force_count == before && !has_other) {
        cn_complain(s->m->reading.report, value->at, "force names none of %s",
                    s->m->scene->dim == 3
                        ? "x, y, z, torque, around, water, fill, wind, pressure, centrifugal"
                        : "x, y, torque, around, water, fill, wind, pressure, centrifugal");
    }
    return true;
}

bool cn_make_forces(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "force");
    if (named == NULL) {
        return true;
    }
    s->stage->force = cn_reading_take(&s->m->reading, FORCES_PER_ITEM * (size_t)named->count,
                                      sizeof *s->stage->force);
    s->stage->around =
        cn_reading_take(&s->m->reading, (size_t)named->count, sizeof *s->stage->around);
    s->stage->face_load = cn_reading_take(&s->m->reading, CN_FACE_LOADS_MOST * (size_t)named->count,
                                          sizeof *s->stage->face_load);
    bool has_memory =
        s->stage->force != NULL && s->stage->around != NULL && s->stage->face_load != NULL;
    for (int k = 0; k < named->count && has_memory; k++) {
        cn_pick pick;
        bool is_good = false;
        has_memory = cn_make_pick_set(s->m, named->name_at[k], named->name[k], s->is_removed, &pick,
                                      &is_good) &&
                     (!is_good || add_forces(s, &pick, named->item[k]));
    }
    return has_memory;
}
