// scene/make/make_generated.c -- fills the parameters of a generator from values and takes over its
// pieces.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "generate/generate.h"
#include "scene/language/csv.h"
#include "scene/make/make_bodies.h"

typedef enum outcome { DONE = 0, REPORTED, NO_MEMORY } outcome;

static outcome fill_fields(cn_entry_making *e, const cn_field *field, int count,
                           const cn_value *map, void *def);

static outcome refuse(cn_entry_making *e, cn_place at, const cn_error *why)
{
    cn_complain(e->m->reading.report, at, "body '%s': %s", e->name, why->text);
    return REPORTED;
}

// The walls of a hollow_box: from the value, since the body is several boxes.
static outcome region_of_box(cn_entry_making *e, const cn_value *name, const cn_value *body,
                             cn_region *region)
{
    cn_pose pose = cn_pose_of(&e->m->reading, body);
    double angle = pose.angle + 2.0 * acos(fmin(1.0, fabs(pose.turn.w)));
    if (angle != 0.0) {
        cn_complain(e->m->reading.report, name->at,
                    "'%s' is turned by %g rad; only an upright box "
                    "can be filled",
                    name->text, angle);
        return REPORTED;
    }
    const cn_value *shape = cn_value_get(body, "shape");
    *region = (cn_region){.kind = CN_REGION_BOX};
    cn_value_point(shape->item[0], "size", region->box);
    cn_value_point(body, "at", region->at);
    return DONE;
}

// A drum may lie. Along an axis of the frame it is filled as it lies, so that a dense pack fills it
// from below; else its pieces are made upright at the origin and placed with it.
static outcome region_of_drum(cn_entry_making *e, const cn_value *body, cn_region *region)
{
    const cn_value *drum = cn_value_get(body, "shape")->item[0];
    cn_pose pose = cn_pose_of(&e->m->reading, body);
    cn_mat3 R = cn_quat_matrix(pose.turn);
    cn_vec3 along = cn_mat3_mul(&R, cn_v3(0.0, 0.0, 1.0));
    bool is_x = fabs(along.x) > 1.0 - 1e-12, is_y = fabs(along.y) > 1.0 - 1e-12;
    *region = (cn_region){.kind = CN_REGION_DISK,
                          .axis = is_x   ? CN_REGION_AXIS_X
                                  : is_y ? CN_REGION_AXIS_Y
                                         : CN_REGION_AXIS_Z,
                          .radius = cn_value_number(drum, "radius"),
                          .length = cn_value_number(drum, "length")};
    e->inside = pose;
    if (is_x || is_y) {
        e->inside.turn = (cn_quat){1.0, 0.0, 0.0, 0.0};
    }
    return DONE;
}

// `inside: cell`: the periodic cell, whose low corner is the origin.
static outcome region_of_cell(cn_entry_making *e, const cn_value *name, cn_region *region)
{
    const cn_value *cell = cn_value_get(e->m->root, "cell");
    if (cell == NULL || cn_value_get(cell, "tilt") != NULL) {
        cn_complain(e->m->reading.report, name->at,
                    cell == NULL ? "there is no periodic cell to fill; give one with 'cell'"
                                 : "the cell is tilted; only an upright one can be filled");
        return REPORTED;
    }
    *region = (cn_region){.kind = CN_REGION_BOX};
    cn_value_point(cell, "size", region->box);
    for (int d = 0; d < e->m->scene->dim; d++) {
        region->at[d] = 0.5 * region->box[d];
    }
    return DONE;
}

// `inside: drum`: the inside of a body of an earlier entry.
static outcome region_of_body(cn_entry_making *e, const cn_value *name, cn_region *region)
{
    const cn_scene *scene = e->m->scene;
    if (strcmp(name->text, "cell") == 0) {
        return region_of_cell(e, name, region);
    }
    const cn_value *bodies = cn_value_get(e->m->root, "bodies");
    int found = -1;
    for (int k = 0; k < scene->entry_count; k++) {
        if (strcmp(scene->entry[k].name, name->text) == 0) {
            found = k;
        }
    }
    if (found < 0 || scene->entry[found].count != 1) {
        cn_complain(e->m->reading.report, name->at,
                    "'%.60s' is not a single body that comes before '%s'", name->text, e->name);
        return REPORTED;
    }
    const cn_value *shape = cn_value_get(bodies->item[found], "shape");
    if (shape != NULL && strcmp(shape->name[0], "hollow_box") == 0) {
        return region_of_box(e, name, bodies->item[found], region);
    }
    if (shape != NULL && strcmp(shape->name[0], "hollow_cylinder") == 0) {
        return region_of_drum(e, bodies->item[found], region);
    }
    const cn_body_def *def = &scene->body[scene->entry[found].first].def;
    cn_error why = {0};
    if (scene->dim == 3) {
        cn_complain(
            e->m->reading.report, name->at,
            "'%.60s' has no inside to pack grains into; name a hollow_box or hollow_cylinder "
            "or give a box or cylinder",
            name->text);
        return REPORTED;
    }
    if (cn_region_from_shape(&def->shapes.item[0], def->at, region, &why) != CN_OK) {
        return refuse(e, name->at, &why);
    }
    return DONE;
}

static outcome fill_one_of(cn_entry_making *e, const cn_field *field, const cn_value *value,
                           void *def)
{
    if (field->is_region && strcmp(value->name[0], "body") == 0) {
        return region_of_body(e, value->item[0], (cn_region *)((char *)def + field->offset));
    }
    void *inner = NULL;
    const cn_variant *variant = cn_field_choose(field, def, value->name[0], &inner);
    if (!variant->is_bare) {
        return fill_fields(e, variant->field, variant->field_count, value->item[0], inner);
    }
    // The value of the only field, as if it were a map of one.
    const cn_value map = {.kind = CN_VALUE_MAP,
                          .count = 1,
                          .name = &variant->field[0].param.name,
                          .item = &value->item[0]};
    return fill_fields(e, variant->field, 1, &map, inner);
}

static outcome fill_list(cn_entry_making *e, const cn_field *field, const cn_value *value,
                         void *def)
{
    const cn_variant *variant = &field->variant[0];
    size_t count = (size_t)value->count;
    char *row = cn_reading_take(&e->m->reading, count, field->row_size);
    for (size_t k = 0; k < count && row != NULL; k++) {
        void *at = row + k * field->row_size;
        cn_fields_default(variant->field, variant->field_count, at);
        outcome done = fill_fields(e, variant->field, variant->field_count, value->item[k], at);
        if (done != DONE) {
            return done;
        }
    }
    *(cn_structs *)((char *)def + field->offset) = (cn_structs){value->count, row};
    return row != NULL ? DONE : NO_MEMORY;
}

static outcome fill_field(cn_entry_making *e, const cn_field *field, const cn_value *value,
                          void *def)
{
    if (field->kind == CN_FIELD_ONE_OF) {
        return fill_one_of(e, field, value, def);
    }
    if (field->kind == CN_FIELD_LIST) {
        return fill_list(e, field, value, def);
    }
    bool is_list = value->kind == CN_VALUE_LIST;
    int count = is_list ? value->count : 1;
    if (count == 0) {
        cn_complain(e->m->reading.report, value->at,
                    "body '%s': %s takes at least one number, got 0 numbers", e->name,
                    field->param.name);
        return REPORTED;
    }
    double *number = cn_reading_take(&e->m->reading, (size_t)count, sizeof *number);
    if (number == NULL) {
        return NO_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        number[k] = is_list ? value->item[k]->number : value->number;
    }
    cn_field_set(field, def, number, count);
    return DONE;
}

// One column of a file as the numbers of a field.
static outcome fill_column(cn_entry_making *e, const cn_csv *csv, int column, const cn_field *field,
                           void *def)
{
    double *number = cn_reading_take(&e->m->reading, (size_t)csv->row_count, sizeof *number);
    for (int k = 0; k < csv->row_count && number != NULL; k++) {
        number[k] = csv->cell[(size_t)k * (size_t)csv->column_count + (size_t)column];
    }
    cn_field_set(field, def, number, csv->row_count);
    return number != NULL ? DONE : NO_MEMORY;
}

// `file: psd.csv`: columns by the names of the fields that take numbers, which are then not given.
static outcome fill_columns(cn_entry_making *e, const cn_field *field, int count,
                            const cn_value *map, const cn_value *file, void *def)
{
    cn_reading *r = &e->m->reading;
    int before = r->report->count;
    cn_csv csv;
    cn_source *source = cn_reading_take(r, 1, sizeof *source);
    if (source == NULL || !cn_making_open(e->m, file->at, file->text, CN_DATA_BYTES_MAX, source)) {
        return r->status == CN_OK ? REPORTED : NO_MEMORY;
    }
    r->status = cn_csv_read(source, r->arena, r->report, &csv, r->err);
    if (r->status != CN_OK || r->report->count > before) {
        return r->status == CN_OK ? REPORTED : NO_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const char *name = field[k].param.name;
        if (field[k].kind != CN_FIELD_NUMBERS) {
            continue;
        }
        int column = cn_csv_column(&csv, name);
        if (column < 0 || cn_value_get(map, name) != NULL) {
            cn_complain(r->report, file->at,
                        column < 0 ? "'%.60s' has no column '%s'"
                                   : "the file '%.60s' has the column '%s', which is also given",
                        file->text, name);
            return REPORTED;
        }
        outcome done = fill_column(e, &csv, column, &field[k], def);
        if (done != DONE) {
            return done;
        }
    }
    return DONE;
}

static outcome fill_fields(cn_entry_making *e, const cn_field *field, int count,
                           const cn_value *map, void *def)
{
    for (int k = 0; k < count; k++) {
        bool is_here = field[k].dim == 0 || field[k].dim == e->m->scene->dim;
        const cn_value *value = is_here ? cn_value_get(map, field[k].param.name) : NULL;
        outcome done = value == NULL ? DONE
                       : field[k].kind == CN_FIELD_COLUMNS
                           ? fill_columns(e, field, count, map, value, def)
                           : fill_field(e, &field[k], value, def);
        if (done != DONE) {
            return done;
        }
    }
    return DONE;
}

// Number of pieces of the body that begins with piece k.
static int pieces_of_body(const cn_pieces *pieces, int k)
{
    int count = 1;
    while (k + count < pieces->count && pieces->piece[k + count].is_part) {
        count++;
    }
    return count;
}

// The geometry of `count` pieces from k on in memory of the scene; `vertex` is the copy of all
// vertices. A body of several pieces has the frame of the generator.
static bool parts_of_body(cn_reading *r, const cn_pieces *pieces, int k, int count,
                          const double *vertex, cn_parts *parts)
{
    bool is_space = pieces->dim == 3, is_placed = count > 1;
    cn_solid_def *solid = is_space ? cn_reading_take(r, (size_t)count, sizeof *solid) : NULL;
    cn_shape_def *shape = is_space ? NULL : cn_reading_take(r, (size_t)count, sizeof *shape);
    *parts = (cn_parts){.count = count, .solid = solid, .shape = shape};
    if (solid == NULL && shape == NULL) {
        return false;
    }
    for (int n = 0; n < count; n++) {
        const cn_piece *piece = &pieces->piece[k + n];
        size_t start = (size_t)piece->vertex_start;
        if (is_space) {
            solid[n] = cn_piece_solid(pieces, k + n);
            solid[n].point = solid[n].point != NULL ? vertex + 3 * start : NULL;
            memcpy(solid[n].rotation, piece->turn, is_placed ? sizeof piece->turn : 0);
            memcpy(solid[n].at, piece->at, is_placed ? sizeof piece->at : 0);
        } else {
            shape[n] = cn_piece_shape(pieces, k + n);
            shape[n].vertex = shape[n].vertex != NULL ? vertex + 2 * start : NULL;
            shape[n].angle = is_placed ? piece->angle : 0.0;
            memcpy(shape[n].at, piece->at, is_placed ? sizeof shape[n].at : 0);
        }
    }
    return true;
}

// Where the body of a piece is: at the piece if it is alone, else at the frame of the generator.
static cn_local local_of_piece(const cn_entry_making *e, const cn_piece *piece, bool is_alone)
{
    bool is_held = piece->is_support && !e->has_fixed;
    cn_local local = {.pose = CN_POSE_NONE,
                      .index = {piece->index[0], piece->index[1]},
                      .fixed = is_held ? CN_FIXED_ALL : 0u,
                      .is_support = piece->is_support};
    cn_quat turn = {piece->turn[0], piece->turn[1], piece->turn[2], piece->turn[3]};
    bool is_turned = turn.w != 0.0 || turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
    cn_vec3 at = {0};
    if (is_alone) {
        local.pose.angle = piece->angle;
        local.pose.turn = is_turned ? turn : local.pose.turn;
        at = cn_v3(piece->at[0], piece->at[1], piece->at[2]);
    }
    cn_mat3 R = cn_quat_matrix(e->inside.turn);
    cn_vec3 moved = cn_mat3_mul(&R, at);
    local.pose.at[0] = e->inside.at[0] + moved.x;
    local.pose.at[1] = e->inside.at[1] + moved.y;
    local.pose.at[2] = e->inside.at[2] + moved.z;
    local.pose.turn = cn_quat_mul(e->inside.turn, local.pose.turn);
    return local;
}

// Vertices of the pieces live in a list that ends here; the scene keeps its own copy.
static bool take_over(cn_entry_making *e, cn_body_list *list, cn_place at, const cn_pieces *pieces)
{
    cn_reading *r = &e->m->reading;
    size_t numbers = (size_t)cn_pieces_dim(pieces) * (size_t)pieces->vertex_count;
    double *vertex = cn_reading_take(r, numbers, sizeof *vertex);
    bool has_memory = vertex != NULL;
    if (has_memory && numbers > 0) {
        memcpy(vertex, pieces->vertex, numbers * sizeof *vertex);
    }
    for (int k = 0, count; k < pieces->count && has_memory; k += count) {
        cn_parts parts;
        count = pieces_of_body(pieces, k);
        cn_local local = local_of_piece(e, &pieces->piece[k], count == 1);
        has_memory = parts_of_body(r, pieces, k, count, vertex, &parts) &&
                     cn_bodies_append(e, list, at, &parts, &local);
    }
    return has_memory;
}

static outcome run(cn_entry_making *e, const cn_value *value, const cn_generator *generator,
                   cn_pieces *pieces)
{
    max_align_t def[CN_GENERATOR_DEF_MAX / sizeof(max_align_t) + 1] = {0};
    cn_error why = {0};
    cn_fields_default(generator->field, generator->field_count, def);
    outcome filled = fill_fields(e, generator->field, generator->field_count, value, def);
    if (filled != DONE) {
        return filled;
    }
    cn_status status = generator->make(def, pieces, &why);
    if (status == CN_NO_MEMORY) {
        e->m->reading.status = cn_fail(e->m->reading.err, CN_NO_MEMORY, "%s", why.text);
        return NO_MEMORY;
    }
    return status == CN_OK ? DONE : refuse(e, value->at, &why);
}

bool cn_bodies_generate(cn_entry_making *e, cn_body_list *list, const cn_value *generate)
{
    const cn_value *value = generate->item[0];
    const cn_generator *generator = cn_generator_find(generate->name[0]);
    cn_pieces pieces = {.dim = e->m->scene->dim};
    outcome done = run(e, value, generator, &pieces);
    bool has_memory = done != NO_MEMORY;
    if (done == DONE && cn_bodies_fit(e, list, generate->at, pieces.count)) {
        has_memory = take_over(e, list, generate->at, &pieces);
    }
    char *note = cn_arena_text(e->m->reading.arena, pieces.note, strlen(pieces.note), NULL);
    e->note = note != NULL ? note : "";
    cn_pieces_free(&pieces);
    return has_memory;
}
