// fem/mesh/read_vtu_data.c -- the contents of an array of a VTU file, as doubles.
//
// Binary data are a stream of bytes, raw or base64: a count of bytes and the bytes, or, compressed,
// the number of blocks, their size, that of the last, the compressed size of each, and the blocks.
// Where base64 is padded the next group starts afresh, so that headers encoded alone and together
// with their data read the same.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fem/mesh/vtu.h"

typedef enum number_kind { SIGNED, UNSIGNED, REAL } number_kind;

static const struct {
    const char *name;
    int size;
    number_kind kind;
} number_type[] = {{"Int8", 1, SIGNED},     {"UInt8", 1, UNSIGNED},  {"Int16", 2, SIGNED},
                   {"UInt16", 2, UNSIGNED}, {"Int32", 4, SIGNED},    {"UInt32", 4, UNSIGNED},
                   {"Int64", 8, SIGNED},    {"UInt64", 8, UNSIGNED}, {"Float32", 4, REAL},
                   {"Float64", 8, REAL}};

// ---- a stream of bytes

typedef struct stream {
    const char *at, *end;
    bool is_base64;
    unsigned char waiting[3]; // decoded and not taken yet
    int waiting_count;
} stream;

static int digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

// Decodes the next four digits; false where they end.
static bool decode(stream *s)
{
    uint32_t bits = 0;
    int count = 0, padding = 0;
    while (count < 4 && s->at < s->end && *s->at != '<') {
        int digit = digit_of(*s->at);
        bool is_padding = *s->at == '=';
        if (digit < 0 && !is_padding && strchr(" \t\r\n", *s->at) == NULL) {
            return false;
        }
        if (digit >= 0 || is_padding) {
            bits = bits << 6 | (uint32_t)(digit >= 0 ? digit : 0);
            padding += is_padding;
            count++;
        }
        s->at++;
    }
    if (count < 4 || padding > 2) {
        return false;
    }
    s->waiting_count = 3 - padding;
    s->waiting[0] = (unsigned char)(bits >> 16);
    s->waiting[1] = (unsigned char)(bits >> 8);
    s->waiting[2] = (unsigned char)bits;
    return true;
}

// Takes bytes; false if there are fewer.
static bool pull(stream *s, size_t count, unsigned char *to)
{
    if (!s->is_base64) {
        if ((size_t)(s->end - s->at) < count) {
            return false;
        }
        memcpy(to, s->at, count);
        s->at += count;
        return true;
    }
    while (count > 0) {
        if (s->waiting_count == 0 && !decode(s)) {
            return false;
        }
        *to++ = s->waiting[0];
        memmove(s->waiting, s->waiting + 1, 2);
        s->waiting_count--;
        count--;
    }
    return true;
}

// Bytes that can still come at most.
static size_t left(const stream *s)
{
    return (size_t)(s->end - s->at) + 3;
}

static cn_status pull_count(cn_vtu *f, stream *s, const char *name, uint64_t *count)
{
    unsigned char bytes[8];
    if (!pull(s, (size_t)f->header_size, bytes)) {
        return cn_cursor_fail(f->c, "the array '%s' ends before its data", name);
    }
    *count = f->header_size == 8 ? cn_cursor_u64(f->c, (const char *)bytes)
                                 : cn_cursor_u32(f->c, (const char *)bytes);
    return CN_OK;
}

// ---- binary data

static cn_status wrong_size(cn_vtu *f, const char *name, uint64_t size, size_t wanted)
{
    return cn_cursor_fail(f->c, "the array '%s' has %llu bytes, not %zu", name,
                          (unsigned long long)size, wanted);
}

static cn_status pull_plain(cn_vtu *f, stream *s, const char *name, size_t wanted)
{
    uint64_t size = 0;
    CN_TRY(pull_count(f, s, name, &size));
    if (size != wanted) {
        return wrong_size(f, name, size, wanted);
    }
    if (wanted > left(s)) {
        return cn_cursor_fail(f->c, "the array '%s' is cut off", name);
    }
    CN_TRY(cn_reserve(NULL, &f->unpacked, &f->unpacked_capacity, wanted + 1, f->c->err));
    return pull(s, wanted, f->unpacked) ? CN_OK
                                        : cn_cursor_fail(f->c, "the array '%s' is cut off", name);
}

// Inflates one block of `packed` bytes to `size` bytes at `to`.
static cn_status inflate_block(cn_vtu *f, stream *s, const char *name, uint64_t packed,
                               unsigned char *to, uint64_t size)
{
    unsigned char *bytes = packed <= left(s) ? malloc((size_t)packed + 1) : NULL;
    if (bytes == NULL) {
        return packed <= left(s) ? cn_fail(f->c->err, CN_NO_MEMORY, "out of memory for an array")
                                 : cn_cursor_fail(f->c, "the array '%s' is cut off", name);
    }
    uLongf length = (uLongf)size;
    bool is_good = pull(s, (size_t)packed, bytes) &&
                   uncompress(to, &length, bytes, (uLong)packed) == Z_OK && length == size;
    free(bytes);
    return is_good ? CN_OK : cn_cursor_fail(f->c, "the array '%s' is damaged", name);
}

static cn_status pull_blocks(cn_vtu *f, stream *s, const char *name, size_t wanted)
{
    enum { RATIO_MAX = 1100 }; // zlib never packs tighter
    uint64_t count = 0, size = 0, last = 0;
    CN_TRY(pull_count(f, s, name, &count));
    if (count > left(s) || wanted / RATIO_MAX > left(s)) {
        return cn_cursor_fail(f->c, "the array '%s' is cut off", name);
    }
    CN_TRY(cn_reserve(NULL, &f->unpacked, &f->unpacked_capacity, wanted + 1, f->c->err));
    if (count == 0) {
        return wanted == 0 ? CN_OK : wrong_size(f, name, 0, wanted);
    }
    CN_TRY(pull_count(f, s, name, &size));
    CN_TRY(pull_count(f, s, name, &last));
    last = last == 0 ? size : last;
    if ((count > 1 && size > wanted) || last > size || (count - 1) * size + last != wanted) {
        return wrong_size(f, name, (count - 1) * size + last, wanted);
    }
    uint64_t *packed = calloc((size_t)count, sizeof *packed);
    cn_status status =
        packed != NULL ? CN_OK : cn_fail(f->c->err, CN_NO_MEMORY, "out of memory for an array");
    for (uint64_t k = 0; k < count && status == CN_OK; k++) {
        status = pull_count(f, s, name, &packed[k]);
    }
    for (uint64_t k = 0; k < count && status == CN_OK; k++) {
        status = inflate_block(f, s, name, packed[k], f->unpacked + k * size,
                               k + 1 < count ? size : last);
    }
    free(packed);
    return status;
}

// One number of a binary array.
static double number_at(const cn_cursor *c, const unsigned char *at, int size, number_kind kind)
{
    const char *bytes = (const char *)at;
    if (kind == REAL) {
        return size == 4 ? cn_cursor_f32(c, bytes) : cn_cursor_f64(c, bytes);
    }
    uint64_t bits = size == 1   ? at[0]
                    : size == 2 ? cn_cursor_u16(c, bytes)
                    : size == 4 ? cn_cursor_u32(c, bytes)
                                : cn_cursor_u64(c, bytes);
    if (kind == UNSIGNED) {
        return (double)bits;
    }
    int shift = 64 - 8 * size;
    return (double)((int64_t)(bits << shift) >> shift);
}

// ---- an array

static cn_status read_text(cn_vtu *f, const char *name, int64_t count, double **to)
{
    size_t room = 0;
    if (!cn_cursor_has(f->c, count, 2)) {
        return cn_cursor_fail(f->c, "the array '%s' is cut off", name);
    }
    CN_TRY(cn_reserve(NULL, to, &room, (size_t)count + 1, f->c->err));
    for (int64_t k = 0; k < count; k++) {
        CN_TRY(cn_cursor_number(f->c, name, &(*to)[k]));
    }
    return CN_OK;
}

static cn_status open_stream(cn_vtu *f, const cn_vtu_tag *tag, const char *name, stream *s)
{
    *s = (stream){.at = f->c->at, .end = f->c->end, .is_base64 = true};
    if (strcmp(f->c->word, "binary") == 0) {
        return CN_OK;
    }
    if (strcmp(f->c->word, "appended") != 0) {
        return cn_cursor_fail(f->c,
                              "the array '%s' has format '%s', which is none of ascii, "
                              "binary, appended",
                              name, f->c->word);
    }
    int64_t offset = 0;
    if (!cn_vtu_attribute(tag, "offset", f->c->word) || f->appended == NULL) {
        return cn_cursor_fail(f->c, "the array '%s' is appended, but %s", name,
                              f->appended == NULL ? "there are no appended data" : "has no offset");
    }
    CN_TRY(cn_cursor_as_integer(f->c, "offset", &offset));
    if (offset < 0 || offset > f->c->end - f->appended) {
        return cn_cursor_fail(f->c, "the offset %lld of the array '%s' is outside of the file",
                              (long long)offset, name);
    }
    s->at = f->appended + offset;
    s->is_base64 = f->is_base64;
    return CN_OK;
}

cn_status cn_vtu_array(cn_vtu *f, const cn_vtu_tag *tag, const char *name, int64_t count,
                       double **to)
{
    char type[CN_WORD_MAX + 1];
    size_t n = 0, types = sizeof number_type / sizeof *number_type, room = 0;
    cn_vtu_attribute(tag, "type", type);
    while (n < types && strcmp(type, number_type[n].name) != 0) {
        n++;
    }
    if (n == types) {
        return cn_cursor_fail(f->c, "the array '%s' has numbers of type '%s'", name, type);
    }
    cn_vtu_attribute(tag, "format", f->c->word);
    if (strcmp(f->c->word, "ascii") == 0 || f->c->word[0] == '\0') {
        return read_text(f, name, count, to);
    }
    stream s;
    CN_TRY(open_stream(f, tag, name, &s));
    size_t wanted = (size_t)count * (size_t)number_type[n].size;
    CN_TRY(f->is_zlib ? pull_blocks(f, &s, name, wanted) : pull_plain(f, &s, name, wanted));
    CN_TRY(cn_reserve(NULL, to, &room, (size_t)count + 1, f->c->err));
    for (int64_t k = 0; k < count; k++) {
        (*to)[k] = number_at(f->c, f->unpacked + k * number_type[n].size, number_type[n].size,
                             number_type[n].kind);
        if (!isfinite((*to)[k])) {
            return cn_cursor_fail(f->c, "number %lld of the array '%s' is not finite", (long long)k,
                                  name);
        }
    }
    return CN_OK;
}
