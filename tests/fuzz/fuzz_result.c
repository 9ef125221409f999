// Fuzz target of the readers of results and checkpoints (tools/fuzz.sh result). The bytes become a
// file in memory (a name is needed: HDF5 wants its real path); whatever a reader accepts is read to
// the end, and its arrays are touched.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cairn/result.h"
#include "result/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_BYTES_MAX = 1 << 20, FUZZ_FRAME_MAX = 64 };

// Places in arrays are right and coordinates finite, as reader.c promises.
static double touch_frame(const cn_reader *r, const cn_frame *f)
{
    double sum = f->time;
    for (int i = 0; i < f->body_count; i++) {
        int count;
        const cn_shape_def *shape = cn_reader_shapes(r, f->id[i], &count);
        for (int n = 0; n < count; n++) {
            int corners = shape[n].vertex_count;
            sum += corners > 0 ? shape[n].vertex[2 * corners - 1] : shape[n].radius;
        }
        const cn_solid_def *solid = cn_reader_solids(r, f->id[i], &count);
        for (int n = 0; n < count; n++) {
            int corners = solid[n].point_count;
            sum += corners > 0 ? solid[n].point[3 * corners - 1] : solid[n].rotation[0];
        }
        sum += f->q[f->q_size * (i + 1) - 1] + f->v[f->v_size * (i + 1) - 1];
        sum += (double)strlen(cn_reader_group_name(r, f->group[i]));
    }
    for (int a = 0; a < f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        const cn_law_info *law = cn_reader_law(r, c->law);
        int states = f->state_start[a + 1] - f->state_start[a];
        sum += (double)(f->id[c->i] != f->id[c->j]) + c->r[0] + c->gap;
        for (int k = 0; k < states; k++) {
            sum += f->state[f->state_start[a] + k] + (double)strlen(law->state_name[k]);
        }
        sum += cn_reader_state(r, f, a, "bonded") > 0.0;
    }
    return sum;
}

// Text, frames and columns; CN_OK only if all of it can be read.
static cn_status read_opened(cn_reader *r, double *sum, cn_error *err)
{
    cn_status status = CN_OK;
    *sum += (double)(strlen(cn_reader_scene_text(r)) + strlen(cn_reader_summary(r)->outcome));
    for (int k = 0; k < cn_reader_summary(r)->frames && k < FUZZ_FRAME_MAX; k++) {
        cn_frame f;
        cn_status read = cn_reader_frame(r, k, &f, err);
        *sum += read == CN_OK ? touch_frame(r, &f) : 0.0;
        status = read != CN_OK ? read : status;
    }
    for (int k = 0; k < cn_reader_column_count(r); k++) {
        cn_column column;
        cn_status read = cn_reader_column(r, cn_reader_column_name(r, k), &column, err);
        *sum += read == CN_OK && column.count > 0 ? column.value[column.count - 1] : 0.0;
        status = read != CN_OK ? read : status;
    }
    return status;
}

static cn_status read_result(const char *path, double *sum, cn_error *err)
{
    cn_reader *r = NULL;
    cn_status status = cn_reader_open(path, &r, err);
    if (status == CN_OK) {
        status = read_opened(r, sum, err);
        cn_reader_close(r);
    }
    return status;
}

static cn_status read_checkpoint(const char *path, double *sum, cn_error *err)
{
    cn_checkpoint *c = NULL;
    cn_status status = cn_checkpoint_open(path, &c, err);
    if (status == CN_OK) {
        int count;
        const cn_state_part *part = cn_checkpoint_state(c, &count);
        for (int k = 0; k < count; k++) {
            size_t size = part[k].count * part[k].element_size;
            *sum += size > 0 ? ((const unsigned char *)part[k].data)[size - 1] : 0;
            *sum += (double)strlen(part[k].name);
        }
        *sum += cn_checkpoint_part(c, "stage") != NULL;
        cn_checkpoint_close(c);
    }
    return status;
}

// Reads the bytes as a file of either sort; CN_OK if it is a whole one.
static cn_status read_in_memory(const uint8_t *data, size_t size, cn_error *err)
{
    char path[] = "/dev/shm/cairn-fuzz-XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0) {
        abort();
    }
    volatile double touched = 0.0; // keeps the sums from being optimised away
    double sum = 0.0;
    cn_status status = read_result(path, &sum, err);
    if (status != CN_OK && read_checkpoint(path, &sum, NULL) == CN_OK) {
        status = CN_OK;
    }
    touched += sum;
    unlink(path);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cn_error err = {0};
    if (size <= FUZZ_BYTES_MAX) {
        cn_status status = read_in_memory(data, size, &err);
        if (status != CN_OK && (err.text[0] == '\0' || status == CN_MISSED)) {
            abort(); // a failure without a sentence
        }
    }
    return 0;
}
