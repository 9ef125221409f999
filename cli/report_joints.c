// cli/report_joints.c -- forces of a report: reactions, joints, and how a mechanism moves.
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LIGHT = 1e-6; // share of the largest force from which on a joint counts
static const double STILL = 1e-3; // share of the fastest point from which on a joint moves

enum { COLUMN_MOST = 12, CELL = 200 };

// A row that is filled cell by cell.
typedef struct row {
    char text[COLUMN_MOST][CELL];
    const char *cell[COLUMN_MOST];
    int count;
} row;

static void put_text(row *r, const char *text)
{
    snprintf(r->text[r->count], CELL, "%s", text);
    r->cell[r->count] = r->text[r->count];
    r->count++;
}

// A dash where there is no number.
static void put_number(row *r, double x, int digits)
{
    char text[40] = "-";
    if (!isnan(x)) {
        snprintf(text, sizeof text, "%.*g", digits, x);
    }
    put_text(r, text);
}

static void put_body(row *r, const cn_reader *reader, cn_body_id id)
{
    char number[32];
    const char *name = cn_reader_body_name(reader, id);
    snprintf(number, sizeof number, "body %llu", (unsigned long long)id);
    put_text(r, name != NULL ? name : number);
}

static void put_point(row *r, const double *x, int dim)
{
    char text[100];
    int used = 0;
    for (int d = 0; d < dim; d++) {
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s%.4g", d > 0 ? ", " : "", x[d]);
    }
    put_text(r, text);
}

// ---- reactions

// Force on each body of the frame from the contacts of others [N].
static double *sum_forces(const cn_frame *f)
{
    double *sum = calloc(3 * (size_t)f->body_count + 1, sizeof *sum);
    for (int a = 0; a < f->contact_count && sum != NULL; a++) {
        double r[3];
        const cn_contact *x = &f->contact[a];
        cn_contact_impulse(x, f->dim, r);
        for (int d = 0; d < 3; d++) {
            sum[3 * (size_t)x->i + (size_t)d] += r[d] / f->h;
            sum[3 * (size_t)x->j + (size_t)d] -= r[d] / f->h;
        }
    }
    return sum;
}

static void print_reaction(const cn_report *report, int dim, const char *name, const double *force)
{
    row r = {.count = 0};
    put_text(&r, name);
    for (int d = 0; d < dim; d++) {
        put_number(&r, force[d], 5);
    }
    cn_report_row(report->page, "td", r.count, r.cell);
}

static void print_reactions(const cn_report *report, const cn_frame *f, const double *sum)
{
    static const char *const head[4] = {"body", "x [N]", "y [N]", "z [N]"};
    double all[3] = {0.0, 0.0, 0.0};
    int shown = 0, held = 0;
    fprintf(report->page,
            "<h3>Forces on what is held</h3>\n<p>Of contacts, at t = %.6g s.</p>\n"
            "<table>\n",
            f->time);
    cn_report_row(report->page, "th", 1 + f->dim, head);
    for (int i = 0; i < f->body_count; i++) {
        const double *force = sum + 3 * (size_t)i;
        bool is_pressed = force[0] != 0.0 || force[1] != 0.0 || force[2] != 0.0;
        if (!cn_reader_is_fixed(report->reader, f->id[i]) || !is_pressed) {
            continue;
        }
        held++;
        for (int d = 0; d < 3; d++) {
            all[d] += force[d];
        }
        if (shown < report->row_most) {
            row name = {.count = 0};
            put_body(&name, report->reader, f->id[i]);
            print_reaction(report, f->dim, name.text[0], force);
            shown++;
        }
    }
    print_reaction(report, f->dim, "all of them", all);
    fprintf(report->page, "</table>\n");
    if (held > shown) {
        fprintf(report->page, "<p>%d of %d bodies are shown.</p>\n", shown, held);
    }
}

// ---- joints

// A joint and what it is sorted by.
typedef struct ranked {
    int patch;
    double rank;
} ranked;

static int compare_ranks(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->rank != y->rank ? (x->rank < y->rank ? 1 : -1) : x->patch - y->patch;
}

static double largest_push(const cn_patch_forces *p)
{
    double most = 0.0;
    for (int k = 0; k < p->count; k++) {
        most = fmax(most, p->patch[k].push);
    }
    return most;
}

static void print_joint(const cn_report *report, const cn_frame *f, const cn_patch_force *x)
{
    row r = {.count = 0};
    put_body(&r, report->reader, f->id[x->i]);
    put_body(&r, report->reader, f->id[x->j]);
    put_point(&r, x->at, f->dim);
    put_number(&r, x->push / f->h, 5);
    put_number(&r, x->shear / f->h, 5);
    put_number(&r, x->push > 0.0 ? x->shear / x->push : NAN, 4);
    put_number(&r, x->eccentricity, 4);
    put_text(&r, x->in_kernel ? "yes" : "no");
    cn_report_row(report->page, "td", r.count, r.cell);
}

static void print_joints(const cn_report *report, const cn_frame *f, const cn_patch_forces *p,
                         ranked *order)
{
    static const char *const head[] = {"body",      "other",        "acts at [m]",  "push [N]",
                                       "shear [N]", "shear / push", "eccentricity", "in kernel"};
    double least = LIGHT * largest_push(p);
    int count = 0, outside = 0;
    for (int k = 0; k < p->count; k++) {
        const cn_patch_force *x = &p->patch[k];
        if (x->push > least) {
            bool has_edge = !isnan(x->eccentricity);
            order[count++] = (ranked){k, has_edge ? x->eccentricity : -1.0};
            outside += has_edge && !x->in_kernel ? 1 : 0;
        }
    }
    qsort(order, (size_t)count, sizeof *order, compare_ranks);
    int shown = count < report->row_most ? count : report->row_most;
    fprintf(report->page,
            "<h3>Joints</h3>\n<p>%d of %d joints are pressed, %d of them outside their kernel. "
            "%d are shown, those first whose force acts nearest to the edge (eccentricity 1). All "
            "of them: <code>cairn patches</code>.</p>\n<table>\n",
            count, p->count, outside, shown);
    cn_report_row(report->page, "th", 8, head);
    for (int k = 0; k < shown; k++) {
        print_joint(report, f, &p->patch[order[k].patch]);
    }
    fputs("</table>\n", report->page);
}

static cn_status save_table(const cn_report *report, const char *ending, const char *table,
                            cn_error *err)
{
    char name[4096], path[4200];
    cn_change_ending(cn_base_name(report->path), ending, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", report->tables, name);
    return cn_file_save(path, table, strlen(table), err);
}

// Forces of all joints; of a run its cracks too.
static cn_status save_joints(const cn_report *report, int frame, cn_error *err)
{
    char *table = NULL;
    if (report->tables == NULL) {
        return CN_OK;
    }
    cn_status status = cn_patch_force_table(report->reader, frame, &table, err);
    if (status == CN_OK) {
        status = save_table(report, ".joints.csv", table, err);
    }
    free(table);
    table = NULL;
    if (status == CN_OK && !report->is_limit) {
        status = cn_crack_table(report->reader, -1, &table, err);
        status = status == CN_OK ? save_table(report, ".cracks.csv", table, err) : status;
    }
    free(table);
    return status;
}

cn_status cn_report_forces(cn_report *report, cn_error *err)
{
    cn_frame f;
    int frame = report->is_limit ? 0 : -1;
    cn_status status = cn_reader_frame(report->reader, frame, &f, err);
    if (status != CN_OK || !(f.h > 0.0) || f.contact_count == 0) {
        return status;
    }
    cn_patch_forces patches = {0};
    double *sum = sum_forces(&f);
    ranked *order = NULL;
    status = cn_patch_forces_find(f.contact, f.contact_count, f.dim, &patches, err);
    if (status == CN_OK) {
        order = malloc((size_t)patches.count * sizeof *order + 1);
        status = order != NULL && sum != NULL
                     ? CN_OK
                     : cn_fail(err, CN_NO_MEMORY, "no memory for the joints of a report");
    }
    if (status == CN_OK) {
        print_reactions(report, &f, sum);
        print_joints(report, &f, &patches, order);
    }
    cn_patch_forces_free(&patches);
    free(order);
    free(sum);
    return status == CN_OK ? save_joints(report, frame, err) : status;
}

// ---- mechanism

// Least and largest opening and largest slip of the points of a joint [m/s].
typedef struct motion {
    double opening[2], slip;
} motion;

// Rounding is no motion.
static double share_of(double u, double most)
{
    return fabs(u) > 1e-9 * most ? u / most : 0.0;
}

static motion motion_of(const cn_frame *f, const cn_patch_forces *p, int k)
{
    motion m = {{INFINITY, -INFINITY}, 0.0};
    for (int n = 0; n < p->patch[k].count; n++) {
        const double *u = f->contact[p->order[p->patch[k].first + n]].u;
        m.opening[0] = fmin(m.opening[0], u[0]);
        m.opening[1] = fmax(m.opening[1], u[0]);
        m.slip = fmax(m.slip, hypot(u[1], f->dim == 3 ? u[2] : 0.0));
    }
    return m;
}

static void print_motion(const cn_report *report, const cn_frame *f, const cn_patch_force *x,
                         const motion *m, double most)
{
    row r = {.count = 0};
    put_body(&r, report->reader, f->id[x->i]);
    put_body(&r, report->reader, f->id[x->j]);
    put_point(&r, x->centre, f->dim);
    put_number(&r, share_of(m->opening[0], most), 4);
    put_number(&r, share_of(m->opening[1], most), 4);
    put_number(&r, share_of(m->slip, most), 4);
    cn_report_row(report->page, "td", r.count, r.cell);
}

static void print_motions(const cn_report *report, const cn_frame *f, const cn_patch_forces *p,
                          ranked *order)
{
    static const char *const head[] = {"body",          "other",        "at [m]",
                                       "least opening", "most opening", "slip"};
    double most = 0.0, slip = 0.0;
    int moving = 0;
    for (int k = 0; k < p->count; k++) {
        motion m = motion_of(f, p, k);
        order[k] = (ranked){k, fmax(fabs(m.opening[1]), m.slip)};
        most = fmax(most, order[k].rank);
        slip = fmax(slip, m.slip);
    }
    qsort(order, (size_t)p->count, sizeof *order, compare_ranks);
    while (moving < p->count && order[moving].rank > STILL * most) {
        moving++;
    }
    int shown = moving < report->row_most ? moving : report->row_most;
    fprintf(
        report->page,
        "<h3>Mechanism</h3>\n<p>%d of %d joints move; the %d that move most are shown, as shares "
        "of the fastest of their points. A joint that opens at one edge only (least opening 0) "
        "is a hinge.%s</p>\n<table>\n",
        moving, p->count, shown,
        slip > STILL * most ? " Some slide: the bounds are those of joints that dilate as they "
                              "slide. Without dilatancy the upper one holds, the lower one is no "
                              "proof."
                            : "");
    cn_report_row(report->page, "th", 6, head);
    for (int k = 0; k < shown; k++) {
        motion m = motion_of(f, p, order[k].patch);
        print_motion(report, f, &p->patch[order[k].patch], &m, most);
    }
    fputs("</table>\n", report->page);
}

cn_status cn_report_mechanism(cn_report *report, cn_error *err)
{
    cn_frame f;
    cn_status status = cn_reader_frame(report->reader, 0, &f, err);
    if (status != CN_OK || f.contact_count == 0) {
        return status;
    }
    cn_patch_forces patches = {0};
    ranked *order = NULL;
    status = cn_patch_forces_find(f.contact, f.contact_count, f.dim, &patches, err);
    if (status == CN_OK) {
        order = malloc((size_t)patches.count * sizeof *order + 1);
        status = order != NULL ? CN_OK
                               : cn_fail(err, CN_NO_MEMORY, "no memory for the joints of a report");
    }
    if (status == CN_OK) {
        print_motions(report, &f, &patches, order);
    }
    cn_patch_forces_free(&patches);
    free(order);
    return status;
}
