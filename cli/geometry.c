// cli/geometry.c -- cairn check of a geometry file: report, repaired copy.
#include "command.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GROUP_SHOWN = 20 };

static const char *const key_of[CN_DEFECT_COUNT] = {
    [CN_DEFECT_OPEN_EDGE] = "open_edges",
    [CN_DEFECT_CROWDED_EDGE] = "crowded_edges",
    [CN_DEFECT_CROWDED_VERTEX] = "crowded_vertices",
    [CN_DEFECT_ORIENTATION] = "orientation",
    [CN_DEFECT_INVERTED] = "inverted_parts",
    [CN_DEFECT_DEGENERATE] = "degenerate",
    [CN_DEFECT_DUPLICATE] = "duplicates",
    [CN_DEFECT_INTERSECTION] = "intersections",
    [CN_DEFECT_SLIVER] = "slivers",
    [CN_DEFECT_DUPLICATE_VERTEX] = "duplicate_vertices",
    [CN_DEFECT_UNUSED_VERTEX] = "unused_vertices",
    [CN_DEFECT_PARTS] = "extra_parts",
    [CN_DEFECT_UNIT] = "implausible_size",
};

static void print_place(const cn_defect_place *p)
{
    printf("    ");
    if (p->element[0] != 0) {
        printf("face %lld", (long long)p->element[0]);
    }
    if (p->element[1] != 0) {
        printf(" and %lld", (long long)p->element[1]);
    }
    printf("%s(%.6g, %.6g, %.6g)\n", p->element[0] != 0 ? " at " : "at ", p->at.x, p->at.y,
           p->at.z);
}

static void print_defect(const cn_surface_report *r, cn_defect k)
{
    printf("%s: %lld x %s\n", cn_defect_is_error(k) ? "error" : "warning", (long long)r->count[k],
           cn_defect_name(k));
    int64_t shown = r->count[k] < CN_DEFECT_PLACES ? r->count[k] : CN_DEFECT_PLACES;
    for (int64_t n = 0; n < shown && k != CN_DEFECT_UNIT; n++) {
        print_place(&r->place[k][n]);
    }
    if (r->count[k] > shown) {
        printf("    and %lld more\n", (long long)(r->count[k] - shown));
    }
    printf("    %s\n", cn_defect_remedy(k));
}

static void print_mass(const cn_surface_mass *m)
{
    printf("box: (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m, size %.6g x %.6g x %.6g m\n",
           m->box_lo.x, m->box_lo.y, m->box_lo.z, m->box_hi.x, m->box_hi.y, m->box_hi.z,
           m->box_hi.x - m->box_lo.x, m->box_hi.y - m->box_lo.y, m->box_hi.z - m->box_lo.z);
    printf("area: %.9g m2\nvolume: %.9g m3\ncentre: (%.9g, %.9g, %.9g) m\n", m->area, m->volume,
           m->centre.x, m->centre.y, m->centre.z);
    printf("inertia per density about the centre [m5]:\n");
    for (int k = 0; k < 3; k++) {
        printf("    %15.9g %15.9g %15.9g\n", m->inertia.row[k].x, m->inertia.row[k].y,
               m->inertia.row[k].z);
    }
}

static void print_report(const cn_surface *s, const cn_surface_report *r)
{
    printf("surface: %d triangle%s, %d vertices, %d part%s\n", s->triangle_count,
           s->triangle_count == 1 ? "" : "s", s->vertex_count, r->part_count,
           r->part_count == 1 ? "" : "s");
    for (int k = 0; k < s->group_count && k < GROUP_SHOWN; k++) {
        int count = 0;
        for (int t = 0; t < s->triangle_count; t++) {
            count += s->group[t] == k ? 1 : 0;
        }
        printf("group '%s': %d triangle%s\n", s->group_name[k], count, count == 1 ? "" : "s");
    }
    if (s->group_count > GROUP_SHOWN) {
        printf("and %d more groups\n", s->group_count - GROUP_SHOWN);
    }
    print_mass(&r->mass);
    if (r->count[CN_DEFECT_OPEN_EDGE] + r->count[CN_DEFECT_ORIENTATION] +
            r->count[CN_DEFECT_DUPLICATE] + r->count[CN_DEFECT_INTERSECTION] >
        0) {
        printf(
            "note: volume, centre and inertia have no meaning before the errors below are gone\n");
    }
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        if (r->count[k] > 0) {
            print_defect(r, (cn_defect)k);
        }
    }
    if (r->is_cut_short) {
        printf("note: so much overlaps that the search was stopped: there may be more\n");
    }
    int64_t error_count = cn_surface_error_count(r);
    if (error_count == 0) {
        printf("closed and oriented: it bounds a solid\n");
    } else {
        printf("%lld error%s: it does not bound a solid, or has no sound faces\n",
               (long long)error_count, error_count == 1 ? "" : "s");
    }
}

static void json_vec(cn_json *json, const char *key, cn_vec3 v)
{
    cn_json_list_begin(json, key);
    cn_json_number(json, NULL, v.x);
    cn_json_number(json, NULL, v.y);
    cn_json_number(json, NULL, v.z);
    cn_json_list_end(json);
}

static void json_defect(cn_json *json, const cn_surface_report *r, cn_defect k)
{
    cn_json_object_begin(json, key_of[k]);
    cn_json_integer(json, "count", r->count[k]);
    cn_json_bool(json, "is_error", cn_defect_is_error(k));
    cn_json_list_begin(json, "places");
    for (int64_t n = 0; n < r->count[k] && n < CN_DEFECT_PLACES; n++) {
        const cn_defect_place *p = &r->place[k][n];
        cn_json_object_begin(json, NULL);
        cn_json_list_begin(json, "faces");
        for (int i = 0; i < 2 && p->element[i] != 0; i++) {
            cn_json_integer(json, NULL, p->element[i]);
        }
        cn_json_list_end(json);
        json_vec(json, "at", p->at);
        cn_json_object_end(json);
    }
    cn_json_list_end(json);
    cn_json_object_end(json);
}

static void json_groups(cn_json *json, const cn_surface *s)
{
    cn_json_list_begin(json, "groups");
    for (int k = 0; k < s->group_count; k++) {
        cn_json_text(json, NULL, s->group_name[k]);
    }
    cn_json_list_end(json);
}

static void print_json(const char *path, const cn_surface *s, const cn_surface_report *r)
{
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "file", path);
    cn_json_integer(&json, "triangles", s->triangle_count);
    cn_json_integer(&json, "vertices", s->vertex_count);
    cn_json_integer(&json, "parts", r->part_count);
    json_groups(&json, s);
    json_vec(&json, "box_lo", r->mass.box_lo);
    json_vec(&json, "box_hi", r->mass.box_hi);
    cn_json_number(&json, "area", r->mass.area);
    cn_json_number(&json, "volume", r->mass.volume);
    json_vec(&json, "centre", r->mass.centre);
    cn_json_list_begin(&json, "inertia");
    for (int k = 0; k < 3; k++) {
        json_vec(&json, NULL, r->mass.inertia.row[k]);
    }
    cn_json_list_end(&json);
    cn_json_integer(&json, "errors", cn_surface_error_count(r));
    cn_json_bool(&json, "is_cut_short", r->is_cut_short);
    cn_json_object_begin(&json, "defects");
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        json_defect(&json, r, (cn_defect)k);
    }
    cn_json_object_end(&json);
    cn_json_end(&json);
}

bool cn_is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static int check_args(const cn_command *command, const char *path, const cn_geometry_args *args)
{
    if (args->is_fixed != (args->output != NULL)) {
        return cn_usage_error(command, "--fix and -o FILE go together: the copy needs a name");
    }
    if (!args->is_fixed) {
        return CN_PARSE_GO;
    }
    cn_surface_format format = cn_surface_format_of(args->output);
    if (format != CN_SURFACE_STL && format != CN_SURFACE_OBJ) {
        return cn_usage_error(command, "--output must end in .stl or .obj, got '%s'", args->output);
    }
    if (cn_is_same_file(path, args->output)) {
        return cn_usage_error(command, "--output is the input '%s': give the copy another name",
                              path);
    }
    return CN_PARSE_GO;
}

// Repairs and saves. The log goes where remarks go, so that stdout holds the report alone.
static cn_status fix(cn_surface *s, const cn_geometry_args *args, cn_repair_log *log,
                     cn_surface_report *report, cn_error *err)
{
    cn_surface_fix_def def = cn_surface_fix_def_default();
    def.weld = args->weld;
    def.told = cn_repair_log_tell;
    def.context = log;
    cn_status status = cn_surface_fix(s, &def, report, err);
    if (status == CN_OK) {
        status = cn_surface_save(s, args->output, err);
    }
    if (status == CN_OK) {
        cn_repair_log_wrote(log, args->output, "");
    }
    return status;
}

static cn_status examine(const char *path, const cn_geometry_args *args, cn_surface *s,
                         cn_repair_log *log, cn_surface_report *report, cn_error *err)
{
    cn_surface_def def = cn_surface_def_default();
    def.scale = args->scale;
    def.weld = args->is_fixed ? 0.0 : args->weld;
    def.told = cn_tell_file;
    def.context = stderr;
    cn_status status = cn_surface_load(path, &def, s, err);
    if (status == CN_OK && args->is_fixed) {
        return fix(s, args, log, report, err);
    }
    cn_surface_check_def check = cn_surface_check_def_default();
    return status == CN_OK ? cn_surface_check(s, &check, report, err) : status;
}

int cn_command_geometry(const cn_command *command, const char *path, const cn_geometry_args *args)
{
    int code = check_args(command, path, args);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_surface s = {0};
    cn_error err = {0};
    cn_repair_log log;
    cn_surface_report *report = malloc(sizeof *report);
    if (report == NULL || !cn_repair_log_begin(&log, args->as_json ? stderr : stdout)) {
        free(report);
        return cn_command_fail(command, CN_NO_MEMORY, &err);
    }
    cn_status status = examine(path, args, &s, &log, report, &err);
    code = cn_command_fail(command, status, &err);
    if (status == CN_OK) {
        if (args->as_json) {
            print_json(path, &s, report);
        } else {
            print_report(&s, report);
        }
        code = cn_surface_error_count(report) > 0 ? CN_EXIT_INPUT : CN_EXIT_OK;
    }
    status = cn_repair_log_end(&log, args->output, &err);
    code = status == CN_OK ? code : cn_command_fail(command, status, &err);
    cn_surface_free(&s);
    free(report);
    return code;
}
