// result/hdf/hdf_table.h -- a growing table of records in an HDF5 file.
//
// Two sorts. A *plain* table grows row by row; its last chunk is overwritten in place with the same
// bytes and more; each row ends with its checksum. A *blocked* table is compressed; each block of
// rows starts a new chunk, so that a chunk is written once and never touched again, and has a
// checksum. Rows between the end of a block and the next chunk are zero and belong to nobody.
//
// What is read has been checked: CN_IO tells that it is damaged. Tables of earlier versions have no
// checksums.
#pragma once

#include "result/hdf/hdf.h"

typedef struct cn_table {
    cn_hdf *hdf;
    const char *name;   // not owned
    hid_t dataset;      // 0: closed
    hid_t type;         // record in memory
    hid_t stored;       // record in the file, once a row was written; 0: not yet
    cn_row_type record; // of a table made here
    size_t row_size;
    int64_t row_count, chunk_rows;
    bool is_blocked;
    bool has_sums; // of rows, or of chunks
} cn_table;

#define CN_TABLE_CHECK "check" // member of the rows of a plain table

// Checksum of a row of a plain table: over the name of the table, the place of the row and its
// stored bytes without the checksum.
uint32_t cn_row_check(const char *table, int64_t row, const void *bytes, size_t size);

// Reads the first rows, as they are stored, to check them. *first and *last are the rows that
// are damaged, -1 if none is; they may be further apart than the damage is.
cn_status cn_table_verify(const cn_table *table, int64_t row_count, int64_t *first, int64_t *last,
                          cn_error *err);

// chunk_rows is lowered so that a chunk stays below 1 MiB.
cn_status cn_table_create(cn_hdf *hdf, const char *name, const cn_row_type *record,
                          int64_t chunk_rows, bool is_blocked, cn_table *table, cn_error *err);

// Checks that the table has the members of the record, with their types, and a believable length.
cn_status cn_table_open(cn_hdf *hdf, const char *name, const cn_row_type *record, cn_table *table,
                        cn_error *err);
void cn_table_close(cn_table *table);

// Appends rows; *start (may be NULL) is the place of the first one.
cn_status cn_table_append(cn_table *table, const void *rows, int64_t count, int64_t *start,
                          cn_error *err);

// Writes rows of a plain table that may not be there yet; those before them then have no meaning.
cn_status cn_table_put(cn_table *table, const void *rows, int64_t start, int64_t count,
                       cn_error *err);

// Overwrites rows of a plain table, or reads rows of any; rows that are not there are CN_BAD_INPUT.
cn_status cn_table_write(cn_table *table, const void *rows, int64_t start, int64_t count,
                         cn_error *err);
cn_status cn_table_read(const cn_table *table, int64_t start, int64_t count, void *rows,
                        cn_error *err);

// Reads one member that is a real number, by name, into a plain array.
cn_status cn_table_read_column(const cn_table *table, const char *member, int64_t start,
                               int64_t count, double *values, cn_error *err);

// Fills an empty table with the first rows of another, at the same places: chunk by chunk as they
// are stored, or record by record if the other was laid out by an earlier program. Rows beyond
// row_count in the last chunk are unused.
cn_status cn_table_copy(const cn_table *from, int64_t row_count, cn_table *to, cn_error *err);

// Members of the stored record that are real numbers: their number, and their names (cn_release) if
// there is an array for them; a name is NULL if memory is short.
int cn_table_column_names(const cn_table *table, char **name);
