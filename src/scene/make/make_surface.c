// scene/make/make_surface.c -- shapes given by surface files: an obstacle as it is, or convex
// parts.
#include <math.h>
#include <string.h>

#include "scene/make/make_bodies.h"

static const double RATIO = 500.0; // of sizes that looks like a wrong unit [-]

static bool is_before(cn_place a, cn_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

// Name of the entry of `bodies` that holds a place: the last one of its file that begins before it.
static const char *body_at(const cn_reading *r, cn_place at)
{
    const cn_value *bodies = cn_value_get(r->making->root, "bodies");
    int found = -1;
    for (int k = 0; k < bodies->count; k++) {
        cn_place begin = bodies->name_at[k];
        bool is_later = found < 0 || is_before(bodies->name_at[found], begin);
        if (begin.source == at.source && is_before(begin, at) && is_later) {
            found = k;
        }
    }
    return found < 0 ? "?" : bodies->name[found];
}

// Says the first error that the doctor found, and remarks that lengths look wrong.
static bool is_sound(cn_reading *r, const cn_value *file, const cn_surface_report *report)
{
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        const cn_defect_place *place = &report->place[k][0];
        if (report->count[k] > 0 && cn_defect_is_error((cn_defect)k)) {
            cn_complain(r->report, file->at,
                        "body '%.60s': '%.200s' does not bound a solid: %lld x %s, the first at "
                        "face %lld (%.6g, %.6g, %.6g); see `cairn check %.200s`: %s",
                        body_at(r, file->at), file->text, (long long)report->count[k],
                        cn_defect_name((cn_defect)k), (long long)place->element[0], place->at.x,
                        place->at.y, place->at.z, file->text, cn_defect_remedy((cn_defect)k));
            return false;
        }
    }
    cn_vec3 side = cn_sub3(report->mass.box_hi, report->mass.box_lo);
    if (report->count[CN_DEFECT_UNIT] > 0) {
        cn_remark(
            r->report, file->at,
            "'%.200s' measures %.3g x %.3g x %.3g m: is its unit the metre? `scale: 0.001` is "
            "for millimetres",
            file->text, side.x, side.y, side.z);
    }
    return true;
}

static bool complain(cn_reading *r, const cn_value *file, cn_status status, const cn_error *why)
{
    if (status == CN_NO_MEMORY) {
        r->status = cn_fail(r->err, CN_NO_MEMORY, "%s", why->text);
        return false;
    }
    cn_complain(r->report, file->at, "body '%.60s': '%.200s': %s", body_at(r, file->at), file->text,
                why->text);
    return true;
}

// Reads and examines a file. *is_good: it bounds a solid and must be freed. False without memory.
static bool load(cn_reading *r, const cn_value *file, double scale, cn_surface *surface,
                 bool *is_good)
{
    cn_source source;
    *is_good = false;
    cn_surface_format format = cn_surface_format_of(file->text);
    if (format == CN_SURFACE_FORMAT_COUNT) {
        cn_complain(r->report, file->at, "'%.200s' is none of .stl, .obj, .ply, .msh, .dxf",
                    file->text);
        return true;
    }
    if (!cn_making_open(r->making, file->at, file->text, CN_SURFACE_BYTES_MAX, &source)) {
        return r->status == CN_OK;
    }
    cn_surface_def def = cn_surface_def_default();
    cn_surface_check_def check = cn_surface_check_def_default();
    cn_surface_report *report = cn_reading_take(r, 1, sizeof *report);
    cn_error why = {0};
    def.scale = scale;
    if (report == NULL) {
        return false;
    }
    cn_status status =
        cn_surface_parse(source.name, format, source.text, source.length, &def, surface, &why);
    if (status != CN_OK) {
        return complain(r, file, status, &why);
    }
    status = cn_surface_check(surface, &check, report, &why);
    bool has_memory = status == CN_OK || complain(r, file, status, &why);
    *is_good = status == CN_OK && is_sound(r, file, report);
    if (!*is_good) {
        cn_surface_free(surface);
    }
    return has_memory;
}

// The surface as it is: the corners of its triangles.
static bool take_surface(cn_reading *r, const cn_surface *s, cn_solid_list *list)
{
    size_t corners = 3 * (size_t)s->triangle_count;
    double *point = cn_reading_take(r, 3 * corners, sizeof *point);
    cn_solid_def *solid = cn_reading_take(r, 1, sizeof *solid);
    if (point == NULL || solid == NULL) {
        return false;
    }
    for (size_t k = 0; k < corners; k++) {
        memcpy(point + 3 * k, s->vertex + 3 * (size_t)s->triangle[k], 3 * sizeof *point);
    }
    *solid = (cn_solid_def){.kind = CN_SOLID_SURFACE, .point_count = (int)corners, .point = point};
    *list = (cn_solid_list){1, solid};
    return true;
}

// Adds copies of the pieces to the list.
static bool take_pieces(cn_reading *r, const cn_split *split, cn_solid_list *list)
{
    int total = list->count + split->count;
    cn_solid_def *solid = cn_reading_take(r, (size_t)total, sizeof *solid);
    if (solid == NULL) {
        return false;
    }
    if (list->count > 0) {
        memcpy(solid, list->solid, (size_t)list->count * sizeof *solid);
    }
    for (int k = 0; k < split->count; k++) {
        cn_solid_def piece = split->solid[k];
        size_t numbers = 3 * (size_t)piece.point_count;
        double *point = cn_reading_take(r, numbers, sizeof *point);
        if (point == NULL) {
            return false;
        }
        memcpy(point, piece.point, numbers * sizeof *point);
        piece.point = point;
        solid[list->count + k] = piece;
    }
    *list = (cn_solid_list){total, solid};
    return true;
}

static bool split(cn_reading *r, const cn_value *file, const cn_surface *s, const cn_cut *cut,
                  int count, cn_solid_list *list)
{
    cn_split pieces;
    cn_error why = {0};
    cn_status status = cn_surface_split(s, cut, count, &pieces, &why);
    if (status != CN_OK) {
        return complain(r, file, status, &why);
    }
    bool has_memory = take_pieces(r, &pieces, list);
    cn_split_free(&pieces);
    return has_memory;
}

static bool add_file(cn_reading *r, const cn_value *v, const cn_value *file, cn_solid_list *list)
{
    const cn_value *cuts = cn_value_get(v, "cuts");
    bool is_part = cn_value_get(v, "parts") != NULL, is_good;
    int count = cuts != NULL ? cuts->count : 0;
    cn_cut *cut = cn_reading_take(r, (size_t)count, sizeof *cut);
    cn_surface surface = {0};
    if (cut == NULL || !load(r, file, cn_value_number(v, "scale"), &surface, &is_good)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        cn_value_point(cuts->item[k], "point", cut[k].point);
        cn_value_point(cuts->item[k], "normal", cut[k].normal);
    }
    bool has_memory = true;
    if (is_good) {
        has_memory = is_part || cuts != NULL ? split(r, file, &surface, cut, count, list)
                                             : take_surface(r, &surface, list);
        cn_surface_free(&surface);
    }
    return has_memory;
}

bool cn_surface_solids(cn_reading *r, const cn_value *v, cn_solid_list *list)
{
    const cn_value *file = cn_value_get(v, "file"), *parts = cn_value_get(v, "parts");
    *list = (cn_solid_list){0, NULL};
    if ((file == NULL) == (parts == NULL) || (parts != NULL && cn_value_get(v, "cuts") != NULL)) {
        cn_complain(r->report, v->at,
                    "a mesh is a file, a file with cuts, or a list of convex parts");
        return true;
    }
    bool has_memory = file == NULL || add_file(r, v, file, list);
    for (int k = 0; parts != NULL && k < parts->count && has_memory; k++) {
        has_memory = add_file(r, v, parts->item[k], list);
    }
    return has_memory;
}

// The surface that an entry is made of, NULL if it is something else.
static const cn_value *mesh_of(const cn_value *entry)
{
    const cn_value *shape = cn_value_get(entry, "shape");
    return shape != NULL && strcmp(shape->name[0], "mesh") == 0 ? shape->item[0] : NULL;
}

// A file in millimetres among bodies in metres passes all other checks.
void cn_surface_compare(cn_making *m)
{
    const cn_value *bodies = cn_value_get(m->root, "bodies");
    const cn_scene *scene = m->scene;
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < scene->body_count; k++) {
        const cn_scene_body *body = &scene->body[k];
        if (mesh_of(bodies->item[body->entry]) == NULL && isfinite(body->size)) {
            sum += body->size;
            count++;
        }
    }
    for (int k = 0; k < scene->body_count && count > 0; k++) {
        const cn_value *mesh = mesh_of(bodies->item[scene->body[k].entry]);
        double ratio = scene->body[k].size * count / sum;
        if (mesh != NULL && (ratio > RATIO || ratio < 1.0 / RATIO)) {
            cn_remark(m->reading.report, mesh->at,
                      "this surface is %.3g m thin, other bodies %.3g m: is its unit the metre? "
                      "`scale: 0.001` is for millimetres",
                      scene->body[k].size, sum / count);
        }
    }
}
