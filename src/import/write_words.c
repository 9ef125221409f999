// import/write_words.c -- names, numbers and notes of the importer.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/importing.h"

const char *cn_import_number(double value, char text[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value == 0.0 ? 0.0 : value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return text;
}

void cn_import_vector(FILE *out, const double *value, int count)
{
    char text[32];
    for (int k = 0; k < count; k++) {
        fprintf(out, "%s%s", k == 0 ? "[" : ", ", cn_import_number(value[k], text));
    }
    fputc(']', out);
}

void cn_import_word(const char *word, char *name, size_t size)
{
    size_t length = 0;
    if (!isalpha((unsigned char)word[0])) {
        name[length++] = 'n';
    }
    for (const char *c = word; *c != '\0' && length + 1 < size; c++) {
        bool is_good = isalnum((unsigned char)*c) || *c == '-';
        name[length++] = is_good ? *c : '_';
    }
    name[length] = '\0';
}

static void note(cn_importing *m, bool is_lost, cn_place at, const char *format, va_list args)
{
    for (size_t k = 0; k < m->notes.count; k++) {
        if (m->notes.item[k].format == format) {
            m->notes.item[k].count++;
            return;
        }
    }
    char sentence[600];
    vsnprintf(sentence, sizeof sentence, format, args);
    cn_import_note n = {.format = format, .count = 1, .is_lost = is_lost};
    n.first = at.source == NULL ? cn_arena_print(&m->arena, m->err, "%s", sentence)
                                : cn_arena_print(&m->arena, m->err, "%s:%d:%d: %s", at.source->name,
                                                 at.line, at.column, sentence);
    if (n.first == NULL) {
        m->status = CN_NO_MEMORY;
        return;
    }
    CN_THEN(m->status, CN_DAT_ADD(m->notes, n, m->err));
}

void cn_import_lost(cn_importing *m, cn_place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(m, true, at, format, args);
    va_end(args);
}

void cn_import_changed(cn_importing *m, cn_place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(m, false, at, format, args);
    va_end(args);
}

FILE *cn_import_open(cn_importing *m, const char *name, const char **path)
{
    const char *base = strrchr(m->def->scene, '/');
    base = base == NULL ? m->def->scene : base + 1;
    const char *dot = strrchr(base, '.');
    int length = dot == NULL ? (int)strlen(base) : (int)(dot - base);
    cn_import_file *file = cn_arena_take(&m->arena, 1, sizeof *file, m->err);
    if (file == NULL) {
        m->status = CN_NO_MEMORY;
        return NULL;
    }
    file->path = cn_arena_print(&m->arena, m->err, "%.*s%s", length, base, name);
    file->file = open_memstream(&file->text, &file->length);
    if (file->path == NULL || file->file == NULL || CN_DAT_ADD(m->files, file, m->err) != CN_OK) {
        m->status = CN_NO_MEMORY;
        if (file->file != NULL) {
            fclose(file->file);
            free(file->text);
        }
        return NULL;
    }
    *path = file->path;
    return file->file;
}

void cn_import_forget(cn_importing *m)
{
    for (size_t k = 0; k < m->files.count; k++) {
        if (m->files.item[k]->file != NULL) {
            fclose(m->files.item[k]->file);
            m->files.item[k]->file = NULL;
        }
        free(m->files.item[k]->text);
        m->files.item[k]->text = NULL;
    }
    CN_RELEASE(m->rigid.item, m->box.body.item, m->box.contactor.item);
    m->rigid.item = NULL;
    m->box.body.item = NULL;
    m->box.contactor.item = NULL;
}

void cn_import_free(cn_importing *m)
{
    cn_import_forget(m);
    cn_datbox_free(&m->box);
    CN_RELEASE(m->rigid.item, m->sets.item, m->notes.item, m->files.item, m->meshes.item,
               m->node_sets.item, m->set_nodes.item);
    cn_arena_free(&m->arena);
}
