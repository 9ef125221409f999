// import/read_datbox.c -- the files of a DATBOX folder, one after the other.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "import/datbox.h"

#define FILE_MOST ((size_t)1 << 31) // [bytes]

void cn_dat_name(char name[CN_DAT_NAME], const char *word)
{
    snprintf(name, CN_DAT_NAME, "%.5s", word);
}

bool cn_dat_body_kind(const char *word, cn_dat_kind *kind)
{
    static const char *const names[CN_DAT_KINDS] = {"RBDY2", "RBDY3", "MAILx"};
    for (int k = 0; k < CN_DAT_KINDS; k++) {
        if (strcmp(word, names[k]) == 0) {
            *kind = (cn_dat_kind)k;
            return true;
        }
    }
    return false;
}

// Bodies of one kind follow each other, mostly: the guess is right then.
const cn_dat_body *cn_datbox_body(const cn_datbox *box, cn_dat_kind kind, int number)
{
    size_t count = box->body.count;
    if (number < 1 || number > box->count_of[kind]) {
        return NULL;
    }
    size_t guess = (size_t)number - 1;
    for (size_t k = 0; k < count; k++) {
        const cn_dat_body *body = &box->body.item[(guess + k) % count];
        if (body->kind == kind && body->number == number) {
            return body;
        }
    }
    return NULL;
}

int cn_datbox_dim(const cn_datbox *box)
{
    for (size_t k = 0; k < box->body.count; k++) {
        if (box->body.item[k].kind != CN_DAT_MESH) {
            return box->body.item[k].kind == CN_DAT_RIGID2 ? 2 : 3;
        }
    }
    for (size_t k = 0; k < box->element.count; k++) {
        static const char *const plane[] = {"T3xxx", "T6xxx", "Q4xxx", "Q8xxx", "Q4P0x"};
        for (size_t n = 0; n < sizeof plane / sizeof *plane; n++) {
            if (strcmp(box->element.item[k].kind, plane[n]) == 0) {
                return 2;
            }
        }
    }
    return 3;
}

cn_status cn_datbox_load(cn_datbox *box, const char *path, const cn_source **source, cn_error *err)
{
    struct stat info;
    cn_source *s = cn_arena_take(box->arena, 1, sizeof *s, err);
    *source = NULL;
    if (s == NULL) {
        return CN_NO_MEMORY;
    }
    if (stat(path, &info) != 0) {
        return errno == ENOENT ? CN_OK : cn_fail(err, CN_IO, "%s: %s", path, strerror(errno));
    }
    CN_TRY(cn_file_read(path, FILE_MOST, box->arena, &s->text, &s->length, err));
    s->name = cn_arena_print(box->arena, err, "%s", path);
    *source = s;
    return s->name == NULL ? CN_NO_MEMORY : CN_OK;
}

cn_status cn_datbox_open(cn_datbox *box, const char *name, const cn_source **source, cn_error *err)
{
    char *path = cn_arena_print(box->arena, err, "%s%s", box->folder, name);
    *source = NULL;
    return path == NULL ? CN_NO_MEMORY : cn_datbox_load(box, path, source, err);
}

// A number in the last line may have lost digits where a file was cut.
static void check_end(cn_datbox *box, const cn_source *source)
{
    const char *text = source->text, *end = text + source->length;
    if (source->length == 0 || end[-1] == '\n') {
        return;
    }
    const char *begin = memrchr(text, '\n', source->length);
    begin = begin == NULL ? text : begin + 1;
    const char *word = begin + strspn(begin, " \t\r");
    int line = 1;
    for (const char *c = text; c < begin; c++) {
        line += *c == '\n' ? 1 : 0;
    }
    if (word < end && *word != '!' && strncmp(word, "$$$$$$", 6) != 0) {
        cn_complain(box->report, (cn_place){source, line, (int)(end - begin)},
                    "the file ends within this line: it is cut, or the end of its last line is "
                    "missing");
    }
}

typedef cn_status reader(cn_datbox *box, const cn_source *source, cn_error *err);

// These two are only looked at.
static cn_status look_for_contacts(cn_datbox *box, const cn_source *source, cn_error *err)
{
    (void)err;
    box->has_contacts = cn_dat_has_entries(source);
    return CN_OK;
}

static cn_status look_for_stresses(cn_datbox *box, const cn_source *source, cn_error *err)
{
    (void)err;
    box->has_stresses = cn_dat_has_entries(source);
    return CN_OK;
}

static cn_status read_file(cn_datbox *box, const char *name, bool is_needed, reader *read,
                           cn_error *err)
{
    const cn_source *source;
    CN_TRY(cn_datbox_open(box, name, &source, err));
    if (source == NULL) {
        return is_needed ? cn_fail(err, CN_IO,
                                   "there is no '%s%s': a DATBOX folder is needed, or "
                                   "one that holds it",
                                   box->folder, name)
                         : CN_OK;
    }
    if (source->length == 0 && is_needed) {
        cn_complain(box->report, (cn_place){source, 0, 0}, "the file is empty");
        return CN_OK;
    }
    if (read != look_for_contacts && read != look_for_stresses) {
        check_end(box, source);
    }
    return read(box, source, err);
}

// A state is named like any file, not as one of the folder.
static cn_status read_state_file(cn_datbox *box, const char *path, cn_error *err)
{
    const cn_source *source;
    CN_TRY(cn_datbox_load(box, path, &source, err));
    if (source == NULL) {
        return cn_fail(err, CN_IO, "%s: no such file", path);
    }
    check_end(box, source);
    return cn_read_states(box, source, err);
}

static cn_status read_files(cn_datbox *box, const char *state, cn_error *err)
{
    CN_TRY(read_file(box, "BODIES.DAT", true, cn_read_bodies, err));
    CN_TRY(read_file(box, "BULK_BEHAV.DAT", true, cn_read_bulk, err));
    CN_TRY(read_file(box, "TACT_BEHAV.DAT", true, cn_read_laws, err));
    CN_TRY(read_file(box, "MODELS.DAT", false, cn_read_models, err));
    CN_TRY(read_file(box, "DRV_DOF.DAT", false, cn_read_drives, err));
    CN_TRY(state != NULL ? read_state_file(box, state, err)
                         : read_file(box, "DOF.INI", false, cn_read_states, err));
    CN_TRY(read_file(box, "Vloc_Rloc.INI", false, look_for_contacts, err));
    return read_file(box, "GPV.INI", false, look_for_stresses, err);
}

// The folder is DATBOX itself, or the one that holds it.
static cn_status find_folder(const char *folder, cn_datbox *box, cn_error *err)
{
    struct stat info;
    if (strlen(folder) > sizeof box->folder - 64) {
        return cn_fail(err, CN_BAD_INPUT, "the name of the folder '%.80s...' is too long", folder);
    }
    if (stat(folder, &info) != 0) {
        return cn_fail(err, CN_IO, "%s: %s", folder, strerror(errno));
    }
    snprintf(box->folder, sizeof box->folder, "%s/DATBOX/", folder);
    if (stat(box->folder, &info) != 0) {
        snprintf(box->folder, sizeof box->folder, "%s/", folder);
    }
    return CN_OK;
}

cn_status cn_datbox_read(const char *folder, const char *state, cn_arena *arena, cn_report *report,
                         cn_datbox *box, cn_error *err)
{
    cn_plain_locale locale;
    *box = (cn_datbox){.arena = arena, .report = report};
    CN_TRY(find_folder(folder, box, err));
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory");
    }
    cn_status status = read_files(box, state, err);
    cn_plain_end(&locale);
    return status == CN_OK ? cn_report_status(report, box->folder, err) : status;
}

void cn_datbox_free(cn_datbox *box)
{
    CN_RELEASE(box->body.item, box->contactor.item, box->vertex.item, box->triangle.item,
               box->facet.item, box->element.item, box->node.item, box->bulk.item, box->law.item,
               box->see.item, box->drive.item, box->state.item, box->model.item, box->option.item);
}
