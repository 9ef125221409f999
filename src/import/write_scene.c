// import/write_scene.c -- the text of the scene, in memory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "import/importing.h"

// Text of others, as far as it can be shown in quotes or in a comment.
static void write_shown(FILE *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        bool is_plain = *c >= 0x20 && *c < 0x7f && *c != '"' && *c != '\\';
        fputc(is_plain ? *c : '_', out);
    }
}

static void write_title(const cn_importing *m)
{
    fputs("title: \"DATBOX ", m->scene);
    write_shown(m->scene, m->def->folder);
    fputs("\"\n", m->scene);
}

static void write_head(cn_importing *m)
{
    char text[32];
    fputs("cairn: 1\n# Made by cairn import of a DATBOX folder of LMGC90. Bodies b17 are number 17 "
          "there;\n# the table of names is beside this file.\n",
          m->scene);
    write_title(m);
    fprintf(m->scene, "dimension: %d\n", m->dim);
    cn_import_write_cell(m);
    fputs("gravity: ", m->scene);
    cn_import_vector(m->scene, m->box.gravity, m->dim);
    fprintf(m->scene, "\nscheme: {theta: %s}\n", cn_import_number(m->set.theta, text));
    if (m->def->accuracy != NULL) {
        fprintf(m->scene, "solver: {accuracy: %s}\n", m->def->accuracy);
    }
}

static void write_stage(cn_importing *m)
{
    enum { FRAMES_MOST = 1000 };
    const cn_import_settings *s = &m->set;
    char a[32], b[32];
    if (m->script != NULL) {
        fputs("# step, duration and theta by the command script, but for what was given\n",
              m->scene);
    }
    fprintf(m->scene, "stages:\n  - step: %s\n    duration: %s\n", cn_import_number(s->step, a),
            cn_import_number(s->duration, b));
    cn_import_write_drives(m);
    if (!isnan(s->every)) {
        fprintf(m->scene, "output: {every: %s}\n",
                cn_import_number(fmax(s->every, s->duration / FRAMES_MOST), a));
    }
}

// What the scene lacks, as comments, so that it does not pass for the whole model.
static void write_lost(const cn_importing *m)
{
    for (size_t k = 0; k < m->notes.count; k++) {
        const cn_import_note *n = &m->notes.item[k];
        if (n->is_lost) {
            fputs("# not taken over: ", m->scene);
            write_shown(m->scene, n->first);
            fputs(n->count > 1 ? ", and others like it\n" : "\n", m->scene);
        }
    }
}

static void write_all(cn_importing *m)
{
    write_head(m);
    cn_import_write_materials(m);
    cn_import_write_contacts(m);
    cn_import_write_bodies(m);
    cn_import_write_joints(m);
    write_stage(m);
    write_lost(m);
}

cn_status cn_import_compose(cn_importing *m, char **text, size_t *length, cn_error *err)
{
    cn_plain_locale locale;
    m->scene = open_memstream(text, length);
    if (m->scene == NULL || !cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory"); // the caller frees *text
    }
    write_all(m);
    cn_plain_end(&locale);
    fclose(m->scene);
    CN_TRY(m->status);
    return cn_report_status(&m->report, m->box.folder, err);
}

cn_status cn_import_add_overlap(double depth, char **text, size_t *length, cn_error *err)
{
    char line[120];
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory");
    }
    size_t size = (size_t)snprintf(line, sizeof line,
                                   "overlap_max: %.3g   # as deep as bodies are in each other at "
                                   "the start\n",
                                   depth);
    cn_plain_end(&locale);
    size_t first = (size_t)(strstr(*text, "\nscheme: ") + 1 - *text); // it stands in every head
    char *made = malloc(*length + size + 1);
    if (made == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory");
    }
    memcpy(made, *text, first);
    memcpy(made + first, line, size);
    memcpy(made + first + size, *text + first, *length - first + 1);
    free(*text);
    *text = made;
    *length += size;
    return CN_OK;
}
