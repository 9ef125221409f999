// result/hdf/chunk.h -- rows of a compressed table as HDF5 keeps them, made by several threads.
//
// HDF5 itself packs, shuffles, deflates and sums up one chunk after the other, under a lock. Here
// that is done beside it: each chunk depends on its own rows alone, so the bytes of the file do not
// know how many threads made them, and any HDF5 program reads them.
#pragma once

#include "base/shared.h"
#include "result/hdf/hdf.h"

typedef struct cn_chunk {
    unsigned char *bytes; // as stored
    size_t size;
} cn_chunk;

#define CN_CHECKSUM_SIZE 4 // behind the bytes of a chunk

// Fletcher's checksum, as the filter of HDF5 computes it.
uint32_t cn_chunk_checksum(const unsigned char *bytes, size_t size);

// Chunks made at a time, and the room for them.
typedef struct cn_chunk_room {
    cn_chunk *chunk;
    unsigned char *memory;
    int capacity;                       // chunks
    size_t row_size, chunk_rows, bound; // stored row [byte], rows of a chunk, most it takes [byte]
} cn_chunk_room;

// For chunks of `chunk_rows` rows of the record, about four for each thread but no more than rows
// need. Freed by cn_chunk_room_free, also after a failure.
cn_status cn_chunk_room_make(const cn_row_type *record, int64_t chunk_rows, int64_t row_count,
                             int threads, cn_chunk_room *room, cn_error *err);
void cn_chunk_room_free(cn_chunk_room *room);

// Chunks of up to `capacity` times `chunk_rows` rows; the last one is filled up with zeros. False
// if zlib has no memory.
bool cn_chunks_make(cn_chunk_room *room, const cn_row_type *record, const void *rows, int64_t count,
                    int threads);

// Bytes of a record in the file, where it is packed.
size_t cn_row_stored_size(const cn_row_type *record);

// Byte 0 of all rows, then byte 1 of all rows, ...: bytes of equal weight lie together.
CN_SHARED void cn_shuffle(const unsigned char *from, size_t row_size, size_t row_count,
                          unsigned char *to);
