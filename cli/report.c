// cli/report.c -- cairn report: what an engineer signs, as one page: verdict and certificate,
// pictures, curves of what was observed, forces, joints, mechanism, energy, the scene.
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SERIES_MOST = 24, PICTURE_WIDTH = 900, ROWS = 40 };

typedef struct report_args {
    cn_operands operands;
    const char *output, *tables, *title;
    int rows;
    bool no_pictures, no_scene;
} report_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "page (.html); default: name of the first result with .html",
              report_args, output),
    CN_OPTION(0, "tables", "FOLDER",
              "write all joints and all observers of each result there, as tables (.csv)\n"
              "                             that spreadsheets open",
              report_args, tables),
    CN_OPTION(0, "title", "TEXT", "title of the page; default: that of the first result",
              report_args, title),
    CN_OPTION_FROM(0, "rows", "N", "most rows of each table; default: 40", report_args, rows, 1,
                   1000000),
    CN_FLAG(0, "no-pictures", "words and tables only", report_args, no_pictures),
    CN_FLAG(0, "no-scene", "leave out the text of the scene", report_args, no_scene),
    {0},
};

// ---- verdict and certificate

CN_PRINTF(3, 4)
static void print_fact(FILE *page, const char *name, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *const cell[2] = {name, text};
    cn_report_row(page, "td", 2, cell);
}

static bool has_missed(const cn_summary *s)
{
    return !s->is_complete || 100 * s->nonconverged_steps > s->steps || s->overlap_missed > 0;
}

static void print_verdict(const cn_report *r, const cn_summary *s)
{
    bool is_missed = has_missed(s);
    fprintf(r->page, "<p class=\"verdict%s\"><strong>", is_missed ? " missed" : "");
    cn_report_text(r->page,
                   s->is_complete ? s->outcome : "incomplete: the run was ended from outside");
    fputs("</strong>", r->page);
    if (is_missed && s->is_complete) {
        fprintf(r->page,
                "<br>What was asked was missed: %" PRId64 " of %" PRId64
                " steps did not converge, overlaps that no contact knows in %" PRId64
                " looks. The certificate below says where.",
                s->nonconverged_steps, s->steps, s->overlap_missed);
    }
    fputs("</p>\n", r->page);
}

static void print_steps(const cn_report *r, const cn_summary *s)
{
    FILE *page = r->page;
    print_fact(page, "steps", "%" PRId64 " to t = %.6g s, %d frames", s->steps, s->time, s->frames);
    print_fact(page, "contacts", "%" PRId64 " at most", s->contacts_max);
    print_fact(page, "residual", "%.2e at worst, missed in %" PRId64 " steps", s->residual_max,
               s->nonconverged_steps);
    if (s->missed_criterion != CN_CRITERION_NONE) {
        print_fact(page, "missed by most", "%s %.3g in step %" PRId64,
                   cn_criterion_name(s->missed_criterion), s->missed_value, s->missed_step);
    }
    print_fact(page, "penetration", "%.2e m at worst, %.2e of the smaller body",
               s->penetration_max_m, s->penetration_max_rel);
    if (s->overlap_looks > 0) {
        print_fact(page, "overlap", "%.2e m at worst; unseen by contacts %.2e m",
                   s->overlap.deepest.depth, s->overlap.unseen.depth);
    }
    print_fact(page, "energy", "the ledger closes to %.1e", s->energy_error);
    print_fact(page, "state hash", "%016" PRIx64, s->state_hash);
}

static void print_certificate(const cn_report *r, const cn_summary *s)
{
    fputs("<h3>Certificate</h3>\n<table class=\"facts\">\n", r->page);
    print_fact(r->page, "scene", "%s, cairn %s, seed %" PRIu64, s->scene_path, s->version, s->seed);
    print_fact(r->page, "bodies", "%d in %dD", s->bodies, s->dim);
    if (!r->is_limit) {
        print_steps(r, s);
    }
    fputs("</table>\n", r->page);
}

static void print_energy(const cn_report *r, const cn_summary *s)
{
    static const char *const head[2] = {"energy", "change or loss since the start [J]"};
    if (s->steps == 0 || r->is_limit) {
        return;
    }
    fputs("<h3>Energy</h3>\n<table>\n", r->page);
    cn_report_row(r->page, "th", 2, head);
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        if (s->energy_total[k] != 0.0) {
            print_fact(r->page, cn_energy_row_name((cn_energy_row)k), "%.6e", s->energy_total[k]);
        }
    }
    fputs("</table>\n", r->page);
}

// ---- pictures

static cn_status draw(const cn_report *r, const cn_render_def *def, const char *caption,
                      cn_error *err)
{
    char path[100];
    snprintf(path, sizeof path, "%s/a.png", r->folder);
    cn_status status = cn_render(r->reader, def, path, err);
    return status == CN_OK ? cn_report_picture(r->page, path, caption, err) : status;
}

// Whether most bodies that move are links of a chain, whose line of thrust tells how it stands.
static bool has_thrust(const cn_report *r, int frame)
{
    cn_frame f;
    cn_error ignored;
    cn_patch_forces patches = {0};
    cn_thrust *piece = NULL;
    int count = 0, free_count = 0;
    cn_status status = cn_reader_frame(r->reader, frame, &f, &ignored);
    if (status != CN_OK || !(f.h > 0.0)) {
        return false;
    }
    for (int i = 0; i < f.body_count; i++) {
        free_count += cn_reader_is_fixed(r->reader, f.id[i]) ? 0 : 1;
    }
    status = cn_patch_forces_find(f.contact, f.contact_count, f.dim, &patches, &ignored);
    if (status == CN_OK) {
        status = cn_thrust_find(&patches, f.body_count, &piece, &count, &ignored);
    }
    cn_patch_forces_free(&patches);
    free(piece);
    return status == CN_OK && 2 * count > free_count;
}

static cn_status draw_frames(const cn_report *r, const cn_summary *s, cn_error *err)
{
    cn_frame f;
    cn_render_def def = cn_render_def_default();
    int forces = r->is_limit ? 0 : -1;
    bool is_chain = has_thrust(r, forces);
    cn_status status = cn_reader_frame(r->reader, -1, &f, err);
    bool has_meshes = status == CN_OK && f.mesh_count > 0;
    def.width = PICTURE_WIDTH;
    def.frame = forces;
    def.with_thrust = is_chain;
    if (status == CN_OK) {
        status = draw(r, &def,
                      is_chain       ? "Line of thrust"
                      : r->is_limit  ? "Forces that carry the load"
                      : s->steps > 0 ? "At the end, with the forces of contacts"
                                     : "At the start",
                      err);
    }
    def.with_thrust = def.with_forces = false;
    def.frame = -1;
    def.paint = has_meshes ? CN_PAINT_DISPLACEMENT : CN_PAINT_OPENING;
    if (status == CN_OK && s->frames > 1) {
        status = draw(r, &def,
                      r->is_limit  ? "Mechanism and where joints open in it"
                      : has_meshes ? "Displacements at the end"
                                   : "Joints by how far they have opened since the start",
                      err);
    }
    return status;
}

static cn_status plot(const cn_report *r, const char *what, const char *caption, cn_error *err)
{
    char path[100];
    snprintf(path, sizeof path, "%s/a.svg", r->folder);
    cn_plot_def def = cn_plot_def_default(what);
    cn_status status = cn_plot(r->reader, &def, path, err);
    return status == CN_OK ? cn_report_picture(r->page, path, caption, err) : status;
}

// The name of the observer of a series: what is before its last point.
static size_t observer_length(const char *name)
{
    const char *point = strrchr(name, '.');
    return point != NULL ? (size_t)(point - name) : strlen(name);
}

static bool is_series(const char *name)
{
    return strncmp(name, "series/", 7) == 0;
}

// All series of one observer in one chart.
static cn_status plot_observers(const cn_report *r, cn_error *err)
{
    int count = cn_reader_column_count(r->reader), charts = 0, left_out = 0;
    cn_status status = CN_OK;
    for (int k = 0; k < count && status == CN_OK; k++) {
        const char *name = cn_reader_column_name(r->reader, k);
        char what[4096];
        size_t length = observer_length(name);
        int used = snprintf(what, sizeof what, "%s", name);
        if (!is_series(name)) {
            continue;
        }
        for (; k + 1 < count; k++) {
            const char *next = cn_reader_column_name(r->reader, k + 1);
            if (observer_length(next) != length || strncmp(next, name, length) != 0 ||
                strlen(next) + 2 > sizeof what - (size_t)used) {
                break;
            }
            used += snprintf(what + used, sizeof what - (size_t)used, ",%s", next);
        }
        if (charts < SERIES_MOST) {
            char caption[256];
            snprintf(caption, sizeof caption, "Observed: %.*s", (int)(length < 200 ? length : 200),
                     name);
            status = plot(r, what, caption, err);
            charts++;
        } else {
            left_out++;
        }
    }
    if (left_out > 0) {
        fprintf(r->page, "<p>%d more observers are in the result: <code>cairn info</code>.</p>\n",
                left_out);
    }
    return status;
}

static cn_status draw_curves(const cn_report *r, const cn_summary *s, cn_error *err)
{
    if (s->steps < 2 || r->is_limit) {
        return CN_OK;
    }
    fputs("<h3>Curves</h3>\n", r->page);
    cn_status status = plot_observers(r, err);
    if (status == CN_OK) {
        status = plot(r, "energy", "Rows of the energy ledger", err);
    }
    return status == CN_OK ? plot(r, "residual", "Residual of each step", err) : status;
}

// All series as a table.
static cn_status save_series(const cn_report *r, cn_error *err)
{
    char what[16384] = "", name[4096], path[8300];
    size_t used = 0;
    for (int k = 0; k < cn_reader_column_count(r->reader); k++) {
        const char *column = cn_reader_column_name(r->reader, k);
        if (is_series(column) && used + strlen(column) + 2 < sizeof what) {
            used += (size_t)snprintf(what + used, sizeof what - used, "%s%s", used > 0 ? "," : "",
                                     column);
        }
    }
    if (r->tables == NULL || used == 0) {
        return CN_OK;
    }
    cn_change_ending(cn_base_name(r->path), ".series.csv", name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", r->tables, name);
    cn_plot_def def = cn_plot_def_default(what);
    return cn_plot(r->reader, &def, path, err);
}

// ---- the page

static cn_status write_result(cn_report *r, const report_args *args, cn_error *err)
{
    const cn_summary *s = cn_reader_summary(r->reader);
    cn_status status = CN_OK;
    r->is_limit = strncmp(s->outcome, "limit analysis", 14) == 0;
    fputs("<section>\n<h2>", r->page);
    cn_report_text(r->page, s->title);
    fputs("</h2>\n", r->page);
    print_verdict(r, s);
    if (!args->no_pictures) {
        status = draw_frames(r, s, err);
    }
    print_certificate(r, s);
    if (status == CN_OK && r->is_limit) {
        status = cn_report_mechanism(r, err);
    }
    if (status == CN_OK) {
        status = cn_report_forces(r, err);
    }
    if (status == CN_OK && !args->no_pictures) {
        status = draw_curves(r, s, err);
    }
    print_energy(r, s);
    if (!args->no_scene) {
        fputs("<h3>Scene</h3>\n<pre>", r->page);
        cn_report_text(r->page, cn_reader_scene_text(r->reader));
        fputs("</pre>\n", r->page);
    }
    fputs("</section>\n", r->page);
    return status == CN_OK ? save_series(r, err) : status;
}

// Returns an exit code; CN_EXIT_MISSED if a run missed what was asked.
static int write_all(cn_report *r, const report_args *args)
{
    int code = CN_EXIT_OK;
    for (int k = 0; k < args->operands.count; k++) {
        cn_error err = {0};
        r->path = args->operands.item[k];
        int opened = cn_command_open(&cn_command_report, r->path, &r->reader);
        if (opened != CN_PARSE_GO) {
            return opened;
        }
        if (k == 0) {
            const char *own = cn_reader_summary(r->reader)->title;
            cn_report_begin(r->page, args->title != NULL ? args->title : own);
        }
        code = has_missed(cn_reader_summary(r->reader)) ? CN_EXIT_MISSED : code;
        cn_status status = write_result(r, args, &err);
        cn_reader_close(r->reader);
        if (status != CN_OK) {
            return cn_command_fail(&cn_command_report, status, &err);
        }
    }
    cn_report_end(r->page);
    return code;
}

static int begin(cn_report *r, const report_args *args)
{
    const char *temporary = getenv("TMPDIR");
    cn_error err = {0};
    cn_status status = CN_OK;
    int length = snprintf(r->folder, sizeof r->folder, "%s/cairn-report-XXXXXX",
                          temporary != NULL && strlen(temporary) < 32 ? temporary : "/tmp");
    if (length >= (int)sizeof r->folder || mkdtemp(r->folder) == NULL) {
        r->folder[0] = '\0';
        status = cn_fail(&err, CN_IO, "no folder for pictures in %s: %s; set TMPDIR",
                         temporary != NULL ? temporary : "/tmp", strerror(errno));
    } else if (args->tables != NULL && mkdir(args->tables, 0777) != 0 && errno != EEXIST) {
        status = cn_fail(&err, CN_IO, "%s cannot be made: %s", args->tables, strerror(errno));
    }
    return status == CN_OK ? CN_PARSE_GO : cn_command_fail(&cn_command_report, status, &err);
}

static void end(const cn_report *r)
{
    static const char *const picture[2] = {"a.png", "a.svg"};
    for (int k = 0; k < 2 && r->folder[0] != '\0'; k++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", r->folder, picture[k]);
        unlink(path);
    }
    if (r->folder[0] != '\0') {
        rmdir(r->folder);
    }
}

static int save(const report_args *args, const char *text, size_t size)
{
    char name[4096];
    cn_error err = {0};
    cn_change_ending(args->operands.item[0], ".html", name, sizeof name);
    const char *path = args->output != NULL ? args->output : name;
    cn_status status = cn_file_save(path, text, size, &err);
    if (status == CN_OK) {
        printf("%s\n", cn_shown(path));
    }
    return cn_command_fail(&cn_command_report, status, &err);
}

static int run(void *given)
{
    const report_args *args = given;
    cn_report r = {.tables = args->tables, .row_most = args->rows};
    char *text = NULL;
    size_t size = 0;
    int code = begin(&r, args);
    if (code == CN_PARSE_GO) {
        r.page = open_memstream(&text, &size);
        code = r.page != NULL ? write_all(&r, args) : CN_EXIT_FAILED;
        bool is_whole = r.page != NULL && fclose(r.page) == 0;
        if (is_whole && (code == CN_EXIT_OK || code == CN_EXIT_MISSED)) {
            int saved = save(args, text, size);
            code = saved != CN_EXIT_OK ? saved : code;
        }
    }
    end(&r);
    free(text);
    return code;
}

const cn_command cn_command_report = {
    .name = "report",
    .operands = "RESULT...",
    .operand_least = 1,
    .operand_most = CN_LIST_MAX,
    .help = "one page of verdict, pictures, forces, joints, curves and energy, for print",
    .details = "The page (.html) needs no other file; a browser prints it or saves it as PDF. Of a "
               "result\n"
               "of cairn limit it shows the bounds, the forces and the mechanism. Several results "
               "make one\n"
               "page. Exit code 6: a run missed what was asked; the page says so, too.",
    .option = options,
    .args_size = sizeof(report_args),
    .defaults = &(const report_args){.rows = ROWS},
    .run = run,
};
