// result/reader_laws.c -- laws of a result file and the states that contacts keep of them.
//
// States of a frame lie one after the other in the order of its contacts; how many belong to a
// contact follows from its law.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/reader.h"

#define LAW_MAX 10000 // more laws, or names of states, than any run has

static cn_status damaged(const cn_reader *r, int64_t law, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT, "%s: law %lld is damaged", r->tables.hdf->path,
                   (long long)law);
}

static cn_status read_state_names(cn_reader *r, int64_t count, cn_error *err)
{
    CN_TRY(cn_reader_take(r, &r->law_state, count, err));
    CN_TRY(cn_reader_take(r, &r->state_name, count, err));
    CN_TRY(cn_table_read(&r->tables.law_state, 0, count, r->law_state, err));
    for (int64_t k = 0; k < count; k++) {
        r->law_state[k].name[CN_NAME_SIZE - 1] = '\0';
        r->state_name[k] = r->law_state[k].name;
    }
    return CN_OK;
}

cn_status cn_reader_read_laws(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    int64_t count = last->known_laws, state_count = last->known_law_states, start = 0;
    if (count > LAW_MAX || state_count > LAW_MAX) {
        return damaged(r, count, err);
    }
    CN_TRY(cn_reader_take(r, &r->law_row, count, err));
    CN_TRY(cn_reader_take(r, &r->law, count, err));
    CN_TRY(read_state_names(r, state_count, err));
    CN_TRY(cn_table_read(&r->tables.law, 0, count, r->law_row, err));
    for (int64_t k = 0; k < count; k++) {
        cn_law_row *row = &r->law_row[k];
        if (row->state_start != start || row->state_count < 0 ||
            row->state_count > state_count - start) {
            return damaged(r, k, err);
        }
        start += row->state_count;
        row->name[CN_NAME_SIZE - 1] = '\0';
        r->law[k] =
            (cn_law_info){row->name, (int)row->state_count, r->state_name + row->state_start};
    }
    r->law_count = (int)count;
    return CN_OK;
}

// Where the states of each contact start; the number of states goes to *total.
static void place_states(cn_reader *r, size_t contact_count, bool has_states, int64_t *total)
{
    *total = 0;
    for (size_t a = 0; a < contact_count; a++) {
        r->contact_state_start[a] = (int)*total;
        const cn_law_info *law = cn_reader_law(r, r->contact[a].law);
        *total += has_states && law != NULL ? law->state_count : 0;
        *total = *total < INT32_MAX ? *total : INT32_MAX;
    }
    r->contact_state_start[contact_count] = (int)*total;
}

cn_status cn_reader_read_contact_states(cn_reader *r, int index, const cn_frame_row *row,
                                        cn_error *err)
{
    size_t count = (size_t)row->contact_count;
    size_t state_count = (size_t)row->state_count;
    int64_t total;
    CN_TRY(cn_reserve(NULL, &r->contact_state_start, &r->start_capacity, count + 1, err));
    CN_TRY(cn_reserve(NULL, &r->contact_state, &r->contact_state_capacity, state_count, err));
    CN_TRY(cn_table_read(&r->tables.contact_state, row->state_start, row->state_count,
                         r->contact_state, err));
    place_states(r, count, state_count > 0, &total);
    bool is_sound = total == row->state_count;
    for (size_t k = 0; is_sound && k < state_count; k++) {
        is_sound = isfinite(r->contact_state[k]);
    }
    if (!is_sound) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: frame %d: the states of contacts are damaged (%lld for %lld that the "
                       "laws keep)",
                       r->tables.hdf->path, index, (long long)row->state_count, (long long)total);
    }
    return CN_OK;
}

int cn_reader_law_count(const cn_reader *reader)
{
    return reader != NULL ? reader->law_count : 0;
}

const cn_law_info *cn_reader_law(const cn_reader *reader, int law)
{
    return reader != NULL && law >= 0 && law < reader->law_count ? &reader->law[law] : NULL;
}

double cn_reader_state(const cn_reader *reader, const cn_frame *frame, int a, const char *name)
{
    if (reader == NULL || frame == NULL || name == NULL) {
        return NAN;
    }
    if (a < 0 || a >= frame->contact_count) {
        return NAN;
    }
    int start = frame->state_start[a];
    int count = frame->state_start[a + 1] - start;
    const cn_law_info *law = cn_reader_law(reader, frame->contact[a].law);
    for (int k = 0; k < count; k++) {
        if (strcmp(law->state_name[k], name) == 0) {
            return frame->state[start + k];
        }
    }
    return NAN;
}
