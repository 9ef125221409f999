// viewer/array_blocks.h -- what the viewer reads: named arrays one after the other.
//
//   "cairnv01", then blocks: name (36 bytes, zeros behind), kind, width, count (uint32 each), and
//   count rows of width numbers, filled up to a multiple of 8 bytes. All little-endian.
//
// A reader takes the blocks that it knows and skips the others, so that a new sort of data (nodes
// of meshes, fields) is one more block and no new version.
#pragma once

#include "cairn/base.h"

#define CN_BLOCKS_MAGIC "cairnv01"
#define CN_BLOCK_NAME_SIZE 36
#define CN_BLOCK_PACKED 0x100u // bit of kind: bytes of equal weight stand together

typedef enum cn_block_kind {
    CN_BLOCK_FLOAT = 1, // 4 bytes
    CN_BLOCK_INT,       // 4 bytes, signed
    CN_BLOCK_BYTE,
    CN_BLOCK_DOUBLE, // 8 bytes
    CN_BLOCK_ROUGH   // 4 bytes, a float of which packing keeps 4 decimal digits
} cn_block_kind;

typedef struct cn_blocks {
    unsigned char *bytes;
    size_t size, capacity;
} cn_blocks;

// Empties, keeping the memory, and writes the magic.
cn_status cn_blocks_begin(cn_blocks *blocks, cn_error *err);
void cn_blocks_free(cn_blocks *blocks);

// Adds a block of zeros; *room is where its numbers go, valid until the next block is added.
cn_status cn_blocks_add(cn_blocks *blocks, const char *name, cn_block_kind kind, int width,
                        int64_t count, void *room, cn_error *err);

// Smaller: rough numbers rounded, all packed, then deflated (zlib). *packed belongs to the caller
// (free).
cn_status cn_blocks_pack(const cn_blocks *blocks, unsigned char **packed, size_t *size,
                         cn_error *err);
