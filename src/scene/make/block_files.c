// scene/make/block_files.c -- the files that `blocks` names: one, a folder, or a pattern.
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cairn/surface.h"
#include "scene/make/make_blocks.h"

// What is looked for in a folder: `pattern`, or all surfaces.
typedef struct search {
    cn_making *m;
    const cn_value *text;
    const char *folder;  // as the scene writes it, with the slash at its end, or ""
    const char *pattern; // NULL: all surfaces
    const char *nearest; // a file that matches but for large and small letters
    int other_count;     // files that are not meant
    cn_block_files *files;
} search;

static bool add_file(cn_making *m, cn_place at, const char *path, cn_block_files *files)
{
    cn_reading *r = &m->reading;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
    char *stem = cn_arena_text(r->arena, name, length, r->err);
    if (stem == NULL || cn_reserve(NULL, &files->file, &files->capacity, (size_t)files->count + 1,
                                   r->err) != CN_OK) {
        r->status = CN_NO_MEMORY;
        return false;
    }
    files->file[files->count++] = (cn_block_file){at, path, stem};
    return true;
}

static bool look_at(search *s, const char *name)
{
    cn_reading *r = &s->m->reading;
    bool is_surface = cn_surface_format_of(name) != CN_SURFACE_FORMAT_COUNT;
    bool is_meant = s->pattern == NULL ? is_surface : fnmatch(s->pattern, name, FNM_PERIOD) == 0;
    if (name[0] == '.') {
        return true;
    }
    bool is_near = s->pattern != NULL && fnmatch(s->pattern, name, FNM_PERIOD | FNM_CASEFOLD) == 0;
    if (!is_meant) {
        s->other_count++;
    }
    if (!is_meant && !is_near) {
        return true;
    }
    const char *path = cn_arena_print(r->arena, r->err, "%s%s", s->folder, name);
    if (path == NULL) {
        r->status = CN_NO_MEMORY;
        return false;
    }
    s->nearest = is_meant ? s->nearest : path;
    return !is_meant || add_file(s->m, s->text->at, path, s->files);
}

// In the order of names, numbers in them by value: v2 comes before v10, on any machine.
static int compare_files(const void *a, const void *b)
{
    const cn_block_file *p = a, *q = b;
    int order = strverscmp(p->path, q->path);
    return order != 0 ? order : strcmp(p->path, q->path);
}

static void complain_none(search *s)
{
    cn_report *report = s->m->reading.report;
    if (s->pattern == NULL) {
        cn_complain(report, s->text->at,
                    "the folder '%.200s' holds no .stl, .obj, .ply, .msh or .dxf files (%d others)",
                    s->text->text, s->other_count);
    } else {
        cn_complain(report, s->text->at, "no file matches '%.200s' (%d others there)%s%.100s%s",
                    s->text->text, s->other_count, s->nearest != NULL ? "; did you mean '" : "",
                    s->nearest != NULL ? s->nearest : "", s->nearest != NULL ? "'?" : "");
    }
}

static bool search_folder(search *s)
{
    cn_making *m = s->m;
    const char *path = cn_making_path(m, s->text->at, s->folder[0] != '\0' ? s->folder : "./");
    if (path == NULL) {
        return false;
    }
    DIR *open = opendir(path);
    if (open == NULL) {
        m->reading.report->io_count++;
        cn_complain(m->reading.report, s->text->at, "the folder '%.200s' cannot be read", path);
        return true;
    }
    int first = s->files->count;
    bool has_memory = true;
    for (struct dirent *e = readdir(open); e != NULL && has_memory; e = readdir(open)) {
        has_memory = look_at(s, e->d_name);
    }
    closedir(open);
    int found = s->files->count - first;
    if (found > 0) {
        qsort(s->files->file + first, (size_t)found, sizeof *s->files->file, compare_files);
    } else if (has_memory) {
        complain_none(s);
    }
    return has_memory;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return path != NULL && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool find_pattern(cn_making *m, const cn_value *text, cn_block_files *files)
{
    cn_reading *r = &m->reading;
    const char *slash = strrchr(text->text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text->text) + 1 : 0;
    char *folder = cn_arena_text(r->arena, text->text, length, r->err);
    search s = {
        .m = m, .text = text, .folder = folder, .pattern = text->text + length, .files = files};
    if (folder == NULL) {
        r->status = CN_NO_MEMORY;
        return false;
    }
    if (strpbrk(folder, "*?[") != NULL) {
        cn_complain(r->report, text->at, "'%.200s': only the name of the file may have *, ? and []",
                    text->text);
        return true;
    }
    return search_folder(&s);
}

static bool find_files(cn_making *m, const cn_value *text, cn_block_files *files)
{
    cn_reading *r = &m->reading;
    if (m->def->no_files) {
        return add_file(m, text->at, text->text, files); // opening it says why not
    }
    if (is_folder(cn_making_path(m, text->at, text->text))) {
        size_t length = strlen(text->text);
        bool has_slash = length > 0 && text->text[length - 1] == '/';
        char *folder = cn_arena_print(r->arena, r->err, "%s%s", text->text, has_slash ? "" : "/");
        search s = {.m = m, .text = text, .folder = folder, .files = files};
        r->status = folder == NULL ? CN_NO_MEMORY : r->status;
        return folder != NULL && search_folder(&s);
    }
    return strpbrk(text->text, "*?[") != NULL ? find_pattern(m, text, files)
                                              : add_file(m, text->at, text->text, files);
}

bool cn_block_files_find(cn_making *m, const cn_value *blocks, cn_block_files *files)
{
    bool has_memory = true;
    for (int k = 0; k < blocks->count && has_memory; k++) {
        has_memory = find_files(m, blocks->item[k], files);
    }
    return has_memory && m->reading.status == CN_OK;
}
