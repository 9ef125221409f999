// result/hdf/planes.c
#include "result/hdf/planes.h"

#include <zlib.h>

#define LEVEL 1 // as hdf_table.c tells HDF5

enum {
    SAMPLE = 256,      // bytes that are looked at in a plane
    SWITCH = 16,       // bytes that a change of level takes at most
    WORTHWHILE = 1024, // rows from which on: a change of level costs a block with its own codes
    RANDOM_SUM = 3     // of squared counts over the sample: 2 if random, more if some are rarer
};

size_t cn_planes_bound(size_t row_size, size_t row_count)
{
    return compressBound(row_size * row_count) + SWITCH * row_size;
}

// Whether all bytes are about as frequent, by a sample. Counts c of n bytes, all equally likely,
// have a sum of c^2 of n + n (n - 1)/256.
static bool is_random(const unsigned char *plane, size_t size)
{
    if (size < WORTHWHILE) {
        return false;
    }
    unsigned short count[256] = {0};
    unsigned sum = 0;
    size_t stride = size / SAMPLE;
    for (size_t k = 0; k < SAMPLE; k++) {
        sum += 2u * count[plane[k * stride]]++ + 1; // (c + 1)^2 - c^2
    }
    return sum < RANDOM_SUM * SAMPLE;
}

// Hands `size` bytes to the stream at a level.
static bool put(z_stream *z, int level, const unsigned char *bytes, size_t size, int flush)
{
    bool done = deflateParams(z, level, Z_DEFAULT_STRATEGY) == Z_OK;
    z->next_in = (unsigned char *)bytes;
    z->avail_in = (uInt)size;
    int status = deflate(z, flush);
    return done && z->avail_in == 0 && status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK);
}

// Planes of one kind that follow each other go together.
static bool put_all(z_stream *z, const unsigned char *planes, size_t row_size, size_t row_count)
{
    bool done = true;
    size_t first = 0;
    while (first < row_size && done) {
        bool random = is_random(planes + first * row_count, row_count);
        size_t end = first + 1;
        while (end < row_size && is_random(planes + end * row_count, row_count) == random) {
            end++;
        }
        done = put(z, random ? 0 : LEVEL, planes + first * row_count, (end - first) * row_count,
                   end == row_size ? Z_FINISH : Z_NO_FLUSH);
        first = end;
    }
    return done;
}

bool cn_planes_deflate(const unsigned char *planes, size_t row_size, size_t row_count,
                       unsigned char *to, size_t *length)
{
    z_stream z = {.next_out = to, .avail_out = (uInt)cn_planes_bound(row_size, row_count)};
    if (deflateInit(&z, LEVEL) != Z_OK) {
        return false;
    }
    bool done = put_all(&z, planes, row_size, row_count);
    *length = z.total_out;
    deflateEnd(&z);
    return done;
}
