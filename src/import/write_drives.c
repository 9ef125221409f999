// import/write_drives.c -- driven degrees of freedom and forces become lines of the stage.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "import/importing.h"

bool cn_dat_is_zero(const cn_dat_drive *d)
{
    return d->file[0] == '\0' &&
           ((d->ct == 0.0 && d->amp == 0.0) || (d->rampi == 0.0 && d->ramp == 0.0));
}

static cn_rigid *rigid_of(cn_importing *m, const cn_dat_drive *d)
{
    const cn_dat_body *body = cn_datbox_body(&m->box, d->kind, d->body);
    size_t count = m->rigid.count;
    for (size_t k = 0; k < count; k++) {
        cn_rigid *r = &m->rigid.item[((size_t)d->body - 1 + k) % count];
        if (r->body == body) {
            return r;
        }
    }
    return NULL;
}

static void sort_one(cn_importing *m, const cn_dat_drive *d, cn_rigid *r)
{
    const cn_dat_drive **slot =
        d->is_force ? &r->force_of[d->dof - 1] : &r->velocity_of[d->dof - 1];
    bool is_mistaken = d->rampi == 0.0 && d->ramp == 0.0 && (d->ct != 0.0 || d->amp != 0.0);
    if (is_mistaken) {
        cn_import_changed(m, d->at,
                          "RAMPI and RAMP are 0, so that this imposes 0, as in LMGC90: a "
                          "mistake, most likely");
    }
    if (*slot != NULL) {
        cn_import_changed(m, d->at, "a degree of freedom is driven twice: the last line counts");
    }
    if (!d->is_force || !cn_dat_is_zero(d)) {
        *slot = d;
    }
}

void cn_import_sort_drives(cn_importing *m)
{
    for (size_t k = 0; k < m->box.drive.count; k++) {
        const cn_dat_drive *d = &m->box.drive.item[k];
        cn_rigid *r = d->kind == CN_DAT_MESH ? NULL : rigid_of(m, d);
        if (d->is_other) {
            cn_import_lost(m, d->at, "a driven degree of freedom of another physics");
        } else if (r != NULL) {
            sort_one(m, d, r);
        }
    }
}

// Time and value of the next line of an evolution; 1, 0 at the end, -1 if it cannot be read.
static int next_pair(const cn_source *s, const char **at, double pair[2])
{
    for (int k = 0; k < 2; k++) {
        char copy[64], *end;
        size_t length = 0;
        *at += strspn(*at, " \t\r\n");
        if (**at == '\0' && k == 0) {
            return 0;
        }
        while (length < sizeof copy - 1 && (*at)[length] != '\0' &&
               strchr(" \t\r\n,", (*at)[length]) == NULL) {
            char c = (*at)[length];
            copy[length++] = c == 'd' || c == 'D' ? 'e' : c;
        }
        copy[length] = '\0';
        pair[k] = strtod(copy, &end);
        if (length == 0 || *end != '\0' || !isfinite(pair[k])) {
            return -1;
        }
        *at += length;
        *at += **at == ',' ? 1 : 0;
    }
    (void)s;
    return 1;
}

static int line_of(const cn_source *s, const char *at)
{
    int line = 1;
    for (const char *c = s->text; c < at; c++) {
        line += *c == '\n' ? 1 : 0;
    }
    return line;
}

typedef struct evolution {
    double (*row)[2];
    size_t count, capacity;
} evolution;

static bool read_evolution(cn_importing *m, const cn_dat_drive *d, evolution *e)
{
    const cn_source *s;
    double pair[2];
    CN_THEN(m->status, cn_datbox_open(&m->box, d->file, &s, m->err));
    if (m->status != CN_OK) {
        return false;
    }
    if (s == NULL) {
        cn_complain(&m->report, d->at, "there is no file '%s' in the folder", d->file);
        return false;
    }
    const char *at = s->text;
    for (int found = next_pair(s, &at, pair); found != 0; found = next_pair(s, &at, pair)) {
        bool is_later = e->count == 0 || pair[0] > e->row[e->count - 1][0];
        if (found < 0 || !is_later) {
            cn_complain(&m->report, (cn_place){s, line_of(s, at), 1}, "%s",
                        found < 0 ? "here should be a time and a value"
                                  : "times of an evolution must increase");
            return false;
        }
        if (cn_reserve(NULL, &e->row, &e->capacity, e->count + 1, m->err) != CN_OK) {
            m->status = CN_NO_MEMORY;
            return false;
        }
        memcpy(e->row[e->count++], pair, sizeof pair);
    }
    if (e->count < 2) {
        cn_complain(&m->report, (cn_place){s, 0, 0}, "an evolution has at least two lines");
    }
    return e->count >= 2;
}

// LMGC90 goes on along the last slope, tables keep the last value: the point at the end of the run.
static double beyond(const double a[2], const double b[2], double t)
{
    return b[1] + (b[1] - a[1]) * (t - b[0]) / (b[0] - a[0]);
}

static void write_rows(cn_importing *m, const cn_dat_drive *d, const evolution *e, FILE *out)
{
    double t0 = m->box.time, end = m->set.duration;
    const double(*row)[2] = (const double(*)[2])e->row;
    size_t last = e->count - 1;
    char a[32], b[32];
    fputs("time,value\n", out);
    if (row[0][0] - t0 > 0.0 && row[0][1] != row[1][1]) {
        fprintf(out, "0,%s\n", cn_import_number(beyond(row[1], row[0], t0), a));
        cn_import_changed(m, d->at, "an evolution begins late: its first slope is kept before it");
    }
    for (size_t k = 0; k < e->count; k++) {
        fprintf(out, "%s,%s\n", cn_import_number(row[k][0] - t0, a),
                cn_import_number(row[k][1], b));
    }
    if (row[last][0] - t0 < end && row[last][1] != row[last - 1][1]) {
        fprintf(out, "%s,%s\n", cn_import_number(end, a),
                cn_import_number(beyond(row[last - 1], row[last], t0 + end), b));
        cn_import_changed(m, d->at, "an evolution ends early: its last slope is kept after it");
    }
}

static void write_evolution(cn_importing *m, const cn_dat_drive *d)
{
    const char *path;
    char name[128];
    evolution e = {0};
    snprintf(name, sizeof name, ".files/%s%s%d_%d_%d.csv", d->kind == CN_DAT_MESH ? "mesh_" : "",
             d->is_force ? "force" : "drive", d->body, d->node, d->dof);
    if (read_evolution(m, d, &e)) {
        FILE *out = cn_import_open(m, name, &path);
        if (out != NULL) {
            write_rows(m, d, &e, out);
            fprintf(m->scene, "{table: \"%s\"}", path);
        }
    }
    free(e.row);
}

// Time there is absolute, here it begins with the stage.
void cn_import_write_function(cn_importing *m, const cn_dat_drive *d)
{
    char text[32];
    double t0 = m->box.time, start = d->rampi + d->ramp * t0;
    bool is_constant =
        (d->amp == 0.0 || d->omega == 0.0) && (d->ramp == 0.0 || (start >= 1.0 && d->ramp > 0.0));
    if (d->file[0] != '\0') {
        write_evolution(m, d);
        return;
    }
    if (is_constant) {
        double value = (d->ct + d->amp * cos(d->phi)) * fmin(1.0, start);
        fputs(cn_import_number(value, text), m->scene);
        return;
    }
    const struct {
        const char *key;
        double value;
    } part[] = {{"c", d->ct},  {"a", d->amp}, {"w", d->omega}, {"p", d->phi + d->omega * t0},
                {"r0", start}, {"r", d->ramp}};
    fputs("{cosine: {", m->scene);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        fprintf(m->scene, "%s%s: %s", k > 0 ? ", " : "", part[k].key,
                cn_import_number(part[k].value, text));
    }
    fputs("}}", m->scene);
}

static bool is_identity(const double *axes)
{
    for (int k = 0; k < 9; k++) {
        if (fabs(axes[k] - (k % 4 == 0 ? 1.0 : 0.0)) > 1e-7) {
            return false;
        }
    }
    return true;
}

// Rates and torques in space are about the axes of the body; those of the world are the same only
// if it is not turned.
static bool turns_badly(cn_importing *m, const cn_rigid *r, const cn_dat_drive *const *of)
{
    bool is_turning = false;
    int held = 0;
    for (int k = 3; k < 6 && m->dim == 3; k++) {
        is_turning = is_turning || (of[k] != NULL && !cn_dat_is_zero(of[k]));
        held += of[k] != NULL ? 1 : 0;
    }
    return m->dim == 3 && (is_turning || (held > 0 && held < 3)) && !is_identity(r->axes);
}

static const char *const plane_dof[] = {"x", "y", "rotation"};
static const char *const space_dof[] = {"x", "y", "z", "rx", "ry", "rz"};

static bool is_driven(const cn_rigid *r)
{
    for (int k = 0; k < 6; k++) {
        if (r->velocity_of[k] != NULL && !cn_dat_is_zero(r->velocity_of[k])) {
            return true;
        }
    }
    return false;
}

static void write_drive(cn_importing *m, const cn_rigid *r)
{
    const char *const *word = m->dim == 2 ? plane_dof : space_dof;
    fprintf(m->scene, "      %s: {velocity: {", r->name);
    for (int k = 0, n = 0; k < 6; k++) {
        if (r->velocity_of[k] != NULL) {
            fprintf(m->scene, "%s%s: ", n++ > 0 ? ", " : "", word[k]);
            if (cn_dat_is_zero(r->velocity_of[k])) {
                fputc('0', m->scene);
            } else {
                cn_import_write_function(m, r->velocity_of[k]);
            }
        }
    }
    fputs("}}\n", m->scene);
}

static bool is_forced(const cn_rigid *r)
{
    for (int k = 0; k < 6; k++) {
        if (r->force_of[k] != NULL && r->velocity_of[k] == NULL) {
            return true;
        }
    }
    return false;
}

static void write_force(cn_importing *m, const cn_rigid *r)
{
    int count = 0;
    fprintf(m->scene, "      %s: {", r->name);
    for (int k = 0; k < 6; k++) {
        const cn_dat_drive *d = r->force_of[k];
        if (d == NULL || r->velocity_of[k] != NULL) {
            continue;
        }
        if (k >= m->dim && m->dim == 3) {
            cn_import_lost(m, d->at, "a torque in space: it turns with the body in LMGC90");
            continue;
        }
        fprintf(m->scene, "%s%s: ", count++ > 0 ? ", " : "", k < m->dim ? space_dof[k] : "torque");
        cn_import_write_function(m, d);
    }
    fputs("}\n", m->scene);
}

void cn_import_write_drives(cn_importing *m)
{
    bool is_open = false;
    for (size_t k = 0; k < m->rigid.count; k++) {
        const cn_rigid *r = &m->rigid.item[k];
        if (turns_badly(m, r, r->velocity_of)) {
            cn_import_lost(m, r->body->at,
                           "turns about the axes of a body that is turned itself at the start");
        } else if (is_driven(r)) {
            fputs(is_open ? "" : "    drive:\n", m->scene);
            is_open = true;
            write_drive(m, r);
        }
    }
    cn_import_write_set_drives(m, false, &is_open);
    is_open = false;
    for (size_t k = 0; k < m->rigid.count; k++) {
        if (is_forced(&m->rigid.item[k])) {
            fputs(is_open ? "" : "    force:\n", m->scene);
            is_open = true;
            write_force(m, &m->rigid.item[k]);
        }
    }
    cn_import_write_set_drives(m, true, &is_open);
}
