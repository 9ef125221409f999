// result/tables/result_tables.h -- all tables of one result file, opened together by writer and
// reader.
#pragma once

#include "base/shared.h"
#include "result/hdf/long_table.h"
#include "result/tables/layout.h"

typedef struct cn_tables {
    cn_hdf *hdf; // owned
    cn_layout layout;
    int version, series_count;
    cn_table group, law, law_state;                       // lists that only grow
    cn_table body, shape, vertex;                         // likewise
    cn_table mesh, mesh_node, element;                    // likewise
    cn_table frame, state, contact, contact_state, joint; // per frame
    cn_table node, stress, strain, mean;                  // likewise
    cn_long step, series; // per step; series is closed if there are none
    cn_table series_name;
    cn_table end; // one row
    int64_t frames_committed, steps_committed;
    int64_t steps_packed; // all of them in a finished file, else 0
} cn_tables;

// Rows per chunk of the compressed tables: about one frame.
typedef struct cn_chunks {
    int64_t state, contact, contact_state, node;
} cn_chunks;

// Chunks that suit frames with so many bodies, and nodes of their meshes.
cn_chunks cn_chunks_for(int64_t body_count, int64_t node_count);

// How many rows a chunk has: that of short lists, of lists, or as cn_chunks says.
typedef enum cn_chunk_kind {
    CN_CHUNK_FEW,
    CN_CHUNK_LIST,
    CN_CHUNK_STATE,
    CN_CHUNK_CONTACT,
    CN_CHUNK_CONTACT_STATE,
    CN_CHUNK_NODE
} cn_chunk_kind;

// A table of the file: where it is in cn_tables and its record in cn_layout, since which version of
// files it exists, how it is stored, and where a frame says which rows it refers to.
#define CN_NO_PLACE SIZE_MAX
typedef struct cn_table_place {
    const char *name;
    size_t table, record;
    int since;
    cn_chunk_kind chunk;
    bool is_blocked;
    size_t count, start; // in cn_frame_row; a list has no start, `frames` has neither
} cn_table_place;

// Table k of 0 .. count - 1, and how many of its rows are used up to the last one of some frames.
int cn_tables_count(void);
cn_table *cn_tables_at(const cn_tables *tables, int k);
int64_t cn_tables_rows(int k, const cn_frame_row *last, int64_t frames);

// The calls below fill zeroed tables; after a failure cn_tables_close is due as after success.
// Creates `path` with all tables empty; messages name it `shown`.
cn_status cn_tables_create(const char *path, const char *shown, int dim, int series_count,
                           cn_chunks chunks, cn_tables *tables, cn_error *err);

// Opens and checks: format, tables, committed counts within what is there. Read only.
cn_status cn_tables_open(const char *path, cn_tables *tables, cn_error *err);

// Reads the row of a committed frame and checks that all it refers to is there.
CN_SHARED cn_status cn_tables_frame_row(const cn_tables *tables, int64_t index, cn_frame_row *row,
                                        cn_error *err);

// Flushes, then writes the counts that make rows valid, then flushes again.
cn_status cn_tables_commit(cn_tables *tables, int64_t frames, int64_t steps, cn_error *err);

// Most steps between two commits.
int64_t cn_tables_steps_max(const cn_tables *tables);

// Compresses the rest of the history. Nothing comes after it but the end.
cn_status cn_tables_finish(cn_tables *tables, cn_error *err);

// Closes tables and file. With is_cut nothing that is still in memory reaches the file.
cn_status cn_tables_close(cn_tables *tables, bool is_cut, cn_error *err);
