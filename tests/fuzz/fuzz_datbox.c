// Fuzz target of cairn import: the files of a DATBOX folder in one input, each behind a line such
// as
// "%BODIES.DAT"; what is understood is written as a scene.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import/importing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef cn_status reader(cn_datbox *box, const cn_source *source, cn_error *err);

// The part of the input behind "%NAME\n", up to the next '%' at the start of a line.
static bool find_file(const char *text, const char *name, cn_arena *arena, cn_source *source)
{
    size_t length = strlen(name);
    for (const char *at = text; at != NULL; at = strstr(at + 1, "\n%")) {
        const char *mark = at == text ? at : at + 1;
        if (*mark == '%' && strncmp(mark + 1, name, length) == 0 && mark[1 + length] == '\n') {
            const char *begin = mark + 2 + length, *end = strstr(begin - 1, "\n%");
            source->name = name;
            source->length = end == NULL       ? strlen(begin)
                             : end + 1 > begin ? (size_t)(end + 1 - begin)
                                               : 0;
            source->text = cn_arena_text(arena, begin, source->length, NULL);
            return source->text != NULL;
        }
    }
    return false;
}

static void read_files(const char *text, cn_importing *m, cn_error *err)
{
    static const struct {
        const char *name;
        reader *read;
    } files[] = {{"BODIES.DAT", cn_read_bodies},   {"BULK_BEHAV.DAT", cn_read_bulk},
                 {"TACT_BEHAV.DAT", cn_read_laws}, {"MODELS.DAT", cn_read_models},
                 {"DRV_DOF.DAT", cn_read_drives},  {"DOF.INI", cn_read_states}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        cn_source *source = cn_arena_take(&m->arena, 1, sizeof *source, err);
        if (find_file(text, files[k].name, &m->arena, source)) {
            files[k].read(&m->box, source, err);
        }
    }
}

static void convert(cn_importing *m, cn_error *err)
{
    char *scene = NULL;
    size_t length = 0;
    m->dim = cn_datbox_dim(&m->box);
    cn_import_rigid(m);
    cn_import_sort_drives(m);
    cn_import_mesh_drives(m);
    cn_import_sets(m);
    if (m->report.count == 0 && m->status == CN_OK) {
        cn_status status = cn_import_compose(m, &scene, &length, err);
        if (status == CN_OK &&
            (length == 0 || strstr(scene, " nan") != NULL || strstr(scene, "[nan") != NULL)) {
            abort();
        }
    }
    free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cn_error err = {0};
    cn_import_def def = {.folder = "fuzz", .scene = "fuzz.yaml"};
    cn_importing m = {.def = &def, .err = &err};
    char *text = cn_arena_text(&m.arena, (const char *)data, size, &err);
    m.set = (cn_import_settings){.step = 1e-3, .theta = 0.5, .duration = 1.0, .every = 0.1};
    m.box.arena = &m.arena;
    m.box.report = &m.report;
    snprintf(m.box.folder, sizeof m.box.folder, "no-such-folder/");
    read_files(text, &m, &err);
    if (m.report.count == 0 && m.box.body.count > 0) {
        convert(&m, &err);
    }
    cn_import_free(&m);
    return 0;
}
