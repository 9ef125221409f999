// result/checkpoint.c -- the full state of a run, one dataset per part, with checksums.
//
// The file is written under another name, synced to the disk and then renamed, so that at any
// moment `path` is a complete checkpoint, even after a power cut; the one before stays as path.old.
#include "result/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "result/hdf/hdf_table.h"

#define FORMAT "cairn checkpoint"
#define VERSION 1
#define PART_MAX 100000 // more parts than any program has

// One line of the list of parts. Dataset: state/NAME or extra/NAME.
typedef struct part_row {
    char name[sizeof((cn_state_part *)0)->name];
    int32_t is_extra;
    uint64_t checksum;
} part_row;

static const cn_field part_field[] = {
    {"name", CN_FIELD_TEXT, offsetof(part_row, name), sizeof((part_row *)0)->name, false},
    {"is_extra", CN_FIELD_INT32, offsetof(part_row, is_extra), 1, false},
    {"checksum", CN_FIELD_UINT64, offsetof(part_row, checksum), 1, false},
};
static const cn_row_type part_record = {sizeof(part_row), 3, part_field};

struct cn_checkpoint {
    int state_count, extra_count;
    cn_state_part *part; // those of the world, then those of the caller; each owns its data
};

static cn_status kind_of(const cn_state_part *part, cn_field_kind *kind, cn_error *err)
{
    if (part->element_size == 8) {
        *kind = part->is_real ? CN_FIELD_REAL : CN_FIELD_INT64;
        return CN_OK;
    }
    if ((part->element_size == 4 || part->element_size == 1) && !part->is_real) {
        *kind = part->element_size == 4 ? CN_FIELD_INT32 : CN_FIELD_INT8;
        return CN_OK;
    }
    return cn_fail(err, CN_BAD_INPUT, "part '%s' of a checkpoint has elements of %zu bytes",
                   part->name, part->element_size);
}

// Over name, type and bytes.
static uint64_t checksum(const cn_state_part *part)
{
    uint64_t sort = part->element_size * 2 + part->is_real;
    uint64_t hash = cn_hash_bytes(sort, part->name, strlen(part->name));
    return part->count > 0 ? cn_hash_bytes(hash, part->data, part->count * part->element_size)
                           : hash;
}

static void dataset_name(const char *part, bool is_extra, size_t size, char *name)
{
    snprintf(name, size, "%s/%s", is_extra ? "extra" : "state", part);
}

static cn_status write_parts(cn_hdf *hdf, cn_table *list, const cn_state_part *part, int count,
                             bool is_extra, cn_error *err)
{
    for (int k = 0; k < count; k++) {
        cn_field_kind kind = CN_FIELD_REAL;
        char name[64];
        part_row row = {.is_extra = is_extra, .checksum = checksum(&part[k])};
        CN_TRY(kind_of(&part[k], &kind, err));
        snprintf(row.name, sizeof row.name, "%s", part[k].name);
        dataset_name(row.name, is_extra, sizeof name, name);
        CN_TRY(cn_hdf_put(hdf, name, kind, part[k].count, part[k].data, err));
        CN_TRY(cn_table_append(list, &row, 1, NULL, err));
    }
    return CN_OK;
}

static cn_status write_all(cn_hdf *hdf, cn_table *list, const cn_state_part *state, int state_count,
                           const cn_state_part *extra, int extra_count, cn_error *err)
{
    int32_t version = VERSION;
    CN_TRY(cn_hdf_put_text(hdf, "format", FORMAT, err));
    CN_TRY(cn_hdf_put(hdf, "format_version", CN_FIELD_INT32, 1, &version, err));
    CN_TRY(cn_hdf_put_text(hdf, "cairn_version", cn_version(), err));
    CN_TRY(cn_table_create(hdf, "parts", &part_record, 64, false, list, err));
    CN_TRY(write_parts(hdf, list, state, state_count, false, err));
    CN_TRY(write_parts(hdf, list, extra, extra_count, true, err));
    return cn_hdf_flush(hdf, err);
}

static cn_status write_file(const cn_claim *claim, const cn_state_part *state, int state_count,
                            const cn_state_part *extra, int extra_count, cn_error *err)
{
    cn_hdf *hdf;
    cn_table list = {0};
    CN_TRY(cn_hdf_create(claim->part, claim->shown, &hdf, err));
    cn_status status = write_all(hdf, &list, state, state_count, extra, extra_count, err);
    if (status != CN_OK) {
        cn_hdf_cut_off(hdf);
    }
    cn_table_close(&list);
    cn_status closed = cn_hdf_close(hdf, status == CN_OK ? err : NULL);
    return status != CN_OK ? status : closed;
}

static cn_status sync_path(const char *path, const char *shown, cn_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int failed = file < 0 || fsync(file) != 0 ? errno : 0;
    if (file >= 0) {
        close(file);
    }
    // Some file systems cannot sync folders; the rename is then as safe as they make it.
    if (failed != 0 && failed != EINVAL) {
        return cn_fail(err, CN_IO, "%s: cannot bring the checkpoint to the disk: %s%s", shown,
                       strerror(failed), failed == ENOSPC ? " (disk full?)" : "");
    }
    return CN_OK;
}

static cn_status sync_folder(const char *path, cn_error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (folder == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a folder name");
    }
    cn_status status = sync_path(folder, path, err);
    free(folder);
    return status;
}

// The present checkpoint gets a second name before the new one takes its place: there is one under
// `path` at any moment.
static cn_status keep_old(const char *path, cn_error *err)
{
    size_t size = strlen(path) + sizeof ".old";
    char *old_path = malloc(size);
    if (old_path == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a file name");
    }
    snprintf(old_path, size, "%s.old", path);
    cn_status status = CN_OK;
    if (access(path, F_OK) == 0) {
        unlink(old_path);
        if (link(path, old_path) != 0 && rename(path, old_path) != 0) {
            status = cn_fail(err, CN_IO, "%s: cannot keep the checkpoint before: %s", old_path,
                             strerror(errno));
        }
    }
    free(old_path);
    return status;
}

static cn_status replace(cn_claim *claim, cn_error *err)
{
    CN_TRY(sync_path(claim->part, claim->shown, err));
    CN_TRY(keep_old(claim->path, err));
    CN_TRY(cn_claim_publish(claim, err));
    return sync_folder(claim->path, err);
}

cn_status cn_checkpoint_put(cn_claim *claim, const cn_state_part *state, int state_count,
                            const cn_state_part *extra, int extra_count, cn_error *err)
{
    CN_TRY(cn_claim_begin(claim, err));
    cn_status status = write_file(claim, state, state_count, extra, extra_count, err);
    CN_THEN(status, replace(claim, err));
    if (status != CN_OK) {
        cn_claim_drop(claim);
    }
    return status;
}

cn_status cn_checkpoint_save(const char *path, const cn_state_part *state, int state_count,
                             const cn_state_part *extra, int extra_count, cn_error *err)
{
    cn_claim *claim;
    CN_TRY(cn_claim_take(path, &claim, err));
    cn_status status = cn_checkpoint_put(claim, state, state_count, extra, extra_count, err);
    cn_claim_release(claim);
    return status;
}

static cn_status damaged(const cn_hdf *hdf, const char *part, const char *what, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "%s: this checkpoint is damaged: part '%s' %s; try the one before, %s.old",
                   hdf->path, part, what, hdf->path);
}

static cn_status read_part(cn_hdf *hdf, const part_row *row, cn_state_part *part, cn_error *err)
{
    char name[64];
    cn_field_kind kind;
    dataset_name(row->name, row->is_extra != 0, sizeof name, name);
    if (cn_hdf_look(hdf, name, &kind, &part->count, NULL) != CN_OK) {
        bool is_there = cn_hdf_has(hdf, name);
        return damaged(hdf, row->name, is_there ? "has a wrong checksum" : "is missing", err);
    }
    snprintf(part->name, sizeof part->name, "%s", row->name);
    part->element_size = cn_field_size(kind);
    part->is_real = kind == CN_FIELD_REAL;
    void *data = malloc(part->count > 0 ? part->count * part->element_size : 1);
    if (data == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "%s: out of memory for part '%s'", hdf->path, row->name);
    }
    part->data = data;
    if (part->count > 0) {
        CN_TRY(cn_hdf_get(hdf, name, kind, part->count, data, err));
    }
    return checksum(part) == row->checksum ? CN_OK
                                           : damaged(hdf, row->name, "has a wrong checksum", err);
}

static cn_status read_parts(cn_hdf *hdf, const cn_table *list, cn_checkpoint *c, cn_error *err)
{
    if (list->row_count > PART_MAX) {
        return damaged(hdf, "parts", "is too long", err);
    }
    c->part = calloc((size_t)list->row_count + 1, sizeof *c->part);
    if (c->part == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "%s: out of memory for a checkpoint", hdf->path);
    }
    for (int64_t k = 0; k < list->row_count; k++) {
        part_row row;
        CN_TRY(cn_table_read(list, k, 1, &row, err));
        row.name[sizeof row.name - 1] = '\0';
        if (c->extra_count > 0 && row.is_extra == 0) {
            return damaged(hdf, row.name, "is out of order", err);
        }
        *(row.is_extra != 0 ? &c->extra_count : &c->state_count) += 1;
        CN_TRY(read_part(hdf, &row, &c->part[k], err));
    }
    return CN_OK;
}

static cn_status read_file(const char *path, cn_hdf **hdf, cn_table *list, cn_checkpoint *c,
                           cn_error *err)
{
    int version;
    CN_TRY(cn_hdf_open(path, hdf, err));
    CN_TRY(cn_hdf_check_format(*hdf, FORMAT, VERSION, &version, err));
    CN_TRY(cn_table_open(*hdf, "parts", &part_record, list, err));
    return read_parts(*hdf, list, c, err);
}

cn_status cn_checkpoint_open(const char *path, cn_checkpoint **checkpoint, cn_error *err)
{
    CN_NEED(err, path, checkpoint);
    *checkpoint = calloc(1, sizeof **checkpoint);
    if (*checkpoint == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "%s: out of memory for a checkpoint", path);
    }
    cn_hdf *hdf = NULL;
    cn_table list = {0};
    cn_status status = read_file(path, &hdf, &list, *checkpoint, err);
    cn_table_close(&list);
    cn_hdf_close(hdf, NULL);
    if (status != CN_OK) {
        cn_checkpoint_close(*checkpoint);
        *checkpoint = NULL;
    }
    return status;
}

const cn_state_part *cn_checkpoint_state(const cn_checkpoint *checkpoint, int *count)
{
    *count = checkpoint->state_count;
    return checkpoint->part;
}

const cn_state_part *cn_checkpoint_part(const cn_checkpoint *checkpoint, const char *name)
{
    if (checkpoint == NULL || name == NULL) {
        return NULL;
    }
    const cn_state_part *extra = checkpoint->part + checkpoint->state_count;
    for (int k = 0; k < checkpoint->extra_count; k++) {
        if (strcmp(extra[k].name, name) == 0) {
            return &extra[k];
        }
    }
    return NULL;
}

void cn_checkpoint_close(cn_checkpoint *checkpoint)
{
    if (checkpoint == NULL) {
        return;
    }
    int count = checkpoint->state_count + checkpoint->extra_count;
    for (int k = 0; checkpoint->part != NULL && k < count; k++) {
        free((void *)checkpoint->part[k].data);
    }
    free(checkpoint->part);
    free(checkpoint);
}
