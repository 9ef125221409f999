// viewer/array_blocks.c -- named arrays one after the other, plain or packed.
//
// Packing: neighbouring numbers differ in their low bytes only, so that bytes of equal weight, put
// together, deflate to about half of what the numbers as they are would.
#include "viewer/array_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "result/hdf/chunk.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "blocks are written as they lie");

#define ROUGH_BITS 14 // of 24 binary digits: 4 decimal ones

typedef struct block_head {
    char name[CN_BLOCK_NAME_SIZE];
    uint32_t kind, width, count;
} block_head;

static size_t number_size(uint32_t kind)
{
    return kind == CN_BLOCK_BYTE ? 1 : kind == CN_BLOCK_DOUBLE ? 8 : 4;
}

// Bytes of the numbers of a block, without and with what fills them up.
static size_t data_size(const block_head *head)
{
    return number_size(head->kind & 0xffu) * head->width * head->count;
}

static size_t filled(size_t size)
{
    return (size + 7) / 8 * 8;
}

cn_status cn_blocks_begin(cn_blocks *blocks, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &blocks->bytes, &blocks->capacity, 8, err));
    memcpy(blocks->bytes, CN_BLOCKS_MAGIC, 8);
    blocks->size = 8;
    return CN_OK;
}

void cn_blocks_free(cn_blocks *blocks)
{
    cn_release(NULL, blocks->bytes);
    *blocks = (cn_blocks){0};
}

cn_status cn_blocks_add(cn_blocks *blocks, const char *name, cn_block_kind kind, int width,
                        int64_t count, void *room, cn_error *err)
{
    block_head head = {.kind = kind, .width = (uint32_t)width, .count = (uint32_t)count};
    if (count < 0 || count > UINT32_MAX / 64) {
        return cn_fail(err, CN_BAD_INPUT, "%lld rows of %s are too many for the viewer",
                       (long long)count, name);
    }
    strncpy(head.name, name, sizeof head.name - 1);
    size_t size = sizeof head + filled(data_size(&head));
    CN_TRY(cn_reserve(NULL, &blocks->bytes, &blocks->capacity, blocks->size + size, err));
    unsigned char *place = blocks->bytes + blocks->size;
    memcpy(place, &head, sizeof head);
    memset(place + sizeof head, 0, size - sizeof head);
    blocks->size += size;
    *(void **)room = place + sizeof head;
    return CN_OK;
}

// Rounds to nearest; infinities and NaN stay what they are.
static uint32_t round_bits(uint32_t x)
{
    uint32_t unit = 1u << (24 - ROUGH_BITS);
    bool is_finite = (x & 0x7f800000u) != 0x7f800000u;
    return is_finite ? (x + unit / 2) & ~(unit - 1) : x;
}

static void round_floats(unsigned char *data, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        uint32_t x;
        memcpy(&x, data + 4 * k, 4);
        x = round_bits(x);
        memcpy(data + 4 * k, &x, 4);
    }
}

// The block that begins at `from`; returns its length.
static size_t pack_block(unsigned char *from, unsigned char *to)
{
    block_head head;
    memcpy(&head, from, sizeof head);
    if (head.kind == CN_BLOCK_ROUGH) {
        round_floats(from + sizeof head, (size_t)head.width * head.count);
    }
    size_t row = number_size(head.kind) * head.width;
    cn_shuffle(from + sizeof head, row, head.count, to + sizeof head);
    size_t size = sizeof head + filled(data_size(&head));
    head.kind |= CN_BLOCK_PACKED;
    memcpy(to, &head, sizeof head);
    return size;
}

static cn_status deflate_all(const unsigned char *bytes, size_t size, unsigned char **packed,
                             size_t *packed_size, cn_error *err)
{
    uLongf room = compressBound(size);
    *packed = malloc(room);
    if (*packed == NULL || compress2(*packed, &room, bytes, size, 6) != Z_OK) {
        free(*packed);
        *packed = NULL;
        return cn_fail(err, CN_NO_MEMORY, "out of memory to compress %zu bytes", size);
    }
    *packed_size = room;
    return CN_OK;
}

cn_status cn_blocks_pack(const cn_blocks *blocks, unsigned char **packed, size_t *size,
                         cn_error *err)
{
    *packed = NULL;
    unsigned char *from = malloc(blocks->size), *to = calloc(1, blocks->size);
    cn_status status = CN_OK;
    if (from == NULL || to == NULL) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory to pack %zu bytes", blocks->size);
    } else {
        memcpy(from, blocks->bytes, blocks->size);
        memcpy(to, from, 8);
        for (size_t at = 8; at < blocks->size;) {
            at += pack_block(from + at, to + at);
        }
        status = deflate_all(to, blocks->size, packed, size, err);
    }
    free(from);
    free(to);
    return status;
}
