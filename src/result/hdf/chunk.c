// result/hdf/chunk.c
#include "result/hdf/chunk.h"

#include <string.h>

#include "base/memory.h"
#include "base/tasks.h"
#include "result/hdf/planes.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows are stored as they lie");

enum { CHUNKS_PER_THREAD = 4 };

size_t cn_row_stored_size(const cn_row_type *record)
{
    size_t size = 0;
    for (int k = 0; k < record->field_count; k++) {
        size += (size_t)record->field[k].count * cn_field_size(record->field[k].kind);
    }
    return size;
}

void cn_shuffle(const unsigned char *from, size_t row_size, size_t row_count, unsigned char *to)
{
    enum { TILE = 64 }; // rows that a cache holds while all their bytes go to their planes
    for (size_t first = 0; first < row_count; first += TILE) {
        size_t end = first + TILE < row_count ? first + TILE : row_count;
        for (size_t b = 0; b < row_size; b++) {
            for (size_t k = first; k < end; k++) {
                to[row_count * b + k] = from[row_size * k + b];
            }
        }
    }
}

static size_t plain_size(const cn_chunk_room *room)
{
    return room->row_size * room->chunk_rows;
}

// A chunk has its rows packed, then shuffled, then deflated: three places.
static size_t room_each(const cn_chunk_room *room)
{
    return 2 * plain_size(room) + room->bound + CN_CHECKSUM_SIZE;
}

cn_status cn_chunk_room_make(const cn_row_type *record, int64_t chunk_rows, int64_t row_count,
                             int threads, cn_chunk_room *room, cn_error *err)
{
    int64_t needed = (row_count + chunk_rows - 1) / chunk_rows;
    int64_t most = (int64_t)CHUNKS_PER_THREAD * threads;
    *room = (cn_chunk_room){.row_size = cn_row_stored_size(record),
                            .chunk_rows = (size_t)chunk_rows,
                            .capacity = (int)(needed < most ? needed : most)};
    room->bound = cn_planes_bound(room->row_size, room->chunk_rows);
    size_t count = (size_t)room->capacity, bytes = 0, chunks = 0;
    CN_TRY(cn_reserve(NULL, &room->memory, &bytes, room_each(room) * count, err));
    return cn_reserve(NULL, &room->chunk, &chunks, count, err);
}

void cn_chunk_room_free(cn_chunk_room *room)
{
    CN_RELEASE(room->chunk, room->memory);
    *room = (cn_chunk_room){0};
}

// Rows without the holes that they have in memory.
static void pack(const cn_row_type *record, const unsigned char *rows, size_t count,
                 unsigned char *to)
{
    for (size_t n = 0; n < count; n++, rows += record->size) {
        for (int k = 0; k < record->field_count; k++) {
            const cn_field *field = &record->field[k];
            size_t size = (size_t)field->count * cn_field_size(field->kind);
            memcpy(to, rows + field->offset, size);
            to += size;
        }
    }
}

static uint32_t fold(uint32_t sum)
{
    return (sum & 0xffff) + (sum >> 16);
}

// Sums of words of two bytes, the first byte the higher one, modulo 65535.
uint32_t cn_chunk_checksum(const unsigned char *bytes, size_t size)
{
    enum { WORDS = 360 }; // that the sums hold without overflow
    uint32_t a = 0, b = 0;
    size_t n = 0;
    while (n + 1 < size) {
        for (int k = 0; k < WORDS && n + 1 < size; k++, n += 2) {
            a += (uint32_t)bytes[n] << 8 | bytes[n + 1];
            b += a;
        }
        a = fold(a);
        b = fold(b);
    }
    if (n < size) {
        a += (uint32_t)bytes[n] << 8;
        b += a;
        a = fold(a);
        b = fold(b);
    }
    return fold(b) << 16 | fold(a);
}

static void put_checksum(unsigned char *bytes, size_t size)
{
    uint32_t sum = cn_chunk_checksum(bytes, size);
    for (int k = 0; k < CN_CHECKSUM_SIZE; k++) {
        bytes[size + (size_t)k] = (unsigned char)(sum >> 8 * k);
    }
}

// Deflated even where that lengthens it: zeros, as a disk may leave them, are never a deflated
// chunk, whereas their checksum is right.
static bool make_chunk(const cn_chunk_room *room, const cn_row_type *record, const void *rows,
                       size_t count, unsigned char *memory, cn_chunk *chunk)
{
    size_t size = plain_size(room), filled = count * room->row_size;
    unsigned char *packed = memory, *shuffled = memory + size, *deflated = memory + 2 * size;
    pack(record, rows, count, packed);
    memset(packed + filled, 0, size - filled);
    cn_shuffle(packed, room->row_size, room->chunk_rows, shuffled);
    size_t length;
    if (!cn_planes_deflate(shuffled, room->row_size, room->chunk_rows, deflated, &length)) {
        return false;
    }
    put_checksum(deflated, length);
    *chunk = (cn_chunk){.bytes = deflated, .size = length + CN_CHECKSUM_SIZE};
    return true;
}

bool cn_chunks_make(cn_chunk_room *room, const cn_row_type *record, const void *rows, int64_t count,
                    int threads)
{
    size_t chunk_rows = room->chunk_rows, each = room_each(room);
    int chunk_count = (int)((count + (int64_t)chunk_rows - 1) / (int64_t)chunk_rows);
    int failures = 0, sharing = cn_share(threads, chunk_count, 1);
    CN_SHARED_FOR(sharing, (schedule(dynamic) reduction(+ : failures)), k, chunk_count, {
        size_t first = (size_t)k * chunk_rows, left = (size_t)count - first;
        failures += !make_chunk(room, record, (const unsigned char *)rows + first * record->size,
                                left < chunk_rows ? left : chunk_rows,
                                room->memory + (size_t)k * each, &room->chunk[k]);
    });
    return failures == 0;
}
