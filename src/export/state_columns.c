// export/state_columns.c
#include "export/state_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// The column of a state, a new one if there is none of this name yet.
static int column_named(cn_state_columns *c, const char *law, const char *state)
{
    char name[sizeof c->name[0]];
    snprintf(name, sizeof name, "%s.%s", law, state);
    for (int k = 0; k < c->count; k++) {
        if (strcmp(c->name[k], name) == 0) {
            return k;
        }
    }
    memcpy(c->name[c->count], name, sizeof name);
    return c->count++;
}

cn_status cn_state_columns_make(const cn_reader *reader, cn_state_columns *columns, cn_error *err)
{
    cn_state_columns *c = columns;
    size_t law_count = (size_t)cn_reader_law_count(reader);
    size_t total = 0;
    for (size_t law = 0; law < law_count; law++) {
        total += (size_t)cn_reader_law(reader, (int)law)->state_count;
    }
    c->reader = reader;
    c->name = calloc(total + 1, sizeof *c->name);
    c->law_start = calloc(law_count + 1, sizeof *c->law_start);
    c->column_of = calloc(total + 1, sizeof *c->column_of);
    c->value = calloc(total + 1, sizeof *c->value);
    if (c->name == NULL || c->law_start == NULL || c->column_of == NULL || c->value == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %zu columns of law states", total);
    }
    for (size_t law = 0; law < law_count; law++) {
        const cn_law_info *info = cn_reader_law(reader, (int)law);
        int start = c->law_start[law];
        c->law_start[law + 1] = start + info->state_count;
        for (int k = 0; k < info->state_count; k++) {
            c->column_of[start + k] = column_named(c, info->name, info->state_name[k]);
        }
    }
    return CN_OK;
}

void cn_state_columns_free(cn_state_columns *columns)
{
    free(columns->name);
    free(columns->law_start);
    free(columns->column_of);
    free(columns->value);
    *columns = (cn_state_columns){0};
}

const double *cn_state_columns_of(cn_state_columns *columns, const cn_frame *frame, int a)
{
    int start = frame->state_start[a];
    int count = frame->state_start[a + 1] - start;
    for (int k = 0; k < columns->count; k++) {
        columns->value[k] = NAN;
    }
    for (int k = 0; k < count; k++) {
        int column = columns->column_of[columns->law_start[frame->contact[a].law] + k];
        columns->value[column] = frame->state[start + k];
    }
    return columns->value;
}
