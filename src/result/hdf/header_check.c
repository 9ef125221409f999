// result/hdf/header_check.c -- the words are those of the HDF5 File Format Specification.
#include "result/hdf/header_check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNKS_MAX = 1024, // of one header; more are a ring
    DEPTH_MAX = 16,    // of types in types
    RANK_MAX = 33,     // sides of a chunk
    CHECKSUM_SIZE = 4,
};

enum { DATASPACE = 1, DATATYPE = 3, LAYOUT = 8, ATTRIBUTE = 12, CONTINUATION = 16 };
enum { OPAQUE = 5, COMPOUND = 6, ENUMERATION = 8, VARIABLE = 9, ARRAY = 10 };

// What is left of some bytes; once it is too little, `is_sound` is false for good.
typedef struct cursor {
    const uint8_t *at, *end;
    bool is_sound;
} cursor;

static size_t left(const cursor *c)
{
    return (size_t)(c->end - c->at);
}

static const uint8_t *skip(cursor *c, size_t size)
{
    if (!c->is_sound || left(c) < size) {
        c->is_sound = false;
        return NULL;
    }
    c->at += size;
    return c->at - size;
}

// The next number of up to 8 bytes, 0 if there is none.
static uint64_t take(cursor *c, size_t size)
{
    const uint8_t *at = size <= 8 ? skip(c, size) : NULL;
    uint64_t value = 0;
    c->is_sound = at != NULL;
    for (size_t k = size; at != NULL && k > 0; k--) {
        value = value << 8 | at[k - 1];
    }
    return value;
}

// A name up to its zero byte; those of older types are filled up to eight bytes.
static void skip_name(cursor *c, unsigned version)
{
    const uint8_t *zero = c->is_sound ? memchr(c->at, 0, left(c)) : NULL;
    size_t size = zero != NULL ? (size_t)(zero - c->at) + 1 : SIZE_MAX;
    skip(c, zero == NULL || version >= 3 ? size : (size + 7) / 8 * 8);
}

static size_t bytes_of(uint64_t number)
{
    size_t size = 1;
    while (size < 8 && number >> 8 * size != 0) {
        size++;
    }
    return size;
}

static void skip_datatype(cursor *c, int depth);

static void skip_members(cursor *c, unsigned version, uint64_t count, uint64_t size, int depth)
{
    for (uint64_t k = 0; k < count && c->is_sound; k++) {
        skip_name(c, version);
        skip(c, version >= 3 ? bytes_of(size) : 4);
        skip(c, version == 1 ? 28 : 0); // sides of an array
        skip_datatype(c, depth + 1);
    }
}

static void skip_names_and_values(cursor *c, unsigned version, uint64_t count, int depth)
{
    cursor base = *c;
    skip(&base, 4);
    uint64_t size = take(&base, 4);
    skip_datatype(c, depth + 1);
    for (uint64_t k = 0; k < count && c->is_sound; k++) {
        skip_name(c, version);
    }
    skip(c, count * size);
}

static void skip_array(cursor *c, unsigned version, int depth)
{
    uint64_t rank = take(c, 1);
    skip(c, version >= 3 ? 4 * rank : 3 + 8 * rank); // older ones have permutations, too
    c->is_sound = c->is_sound && rank < RANK_MAX;
    skip_datatype(c, depth + 1);
}

static void skip_datatype(cursor *c, int depth)
{
    static const size_t property_size[16] = {4, 12, 2, 0, 4};
    uint64_t first = take(c, 1), bits = take(c, 3), size = take(c, 4);
    unsigned kind = first & 15, version = (unsigned)first >> 4;
    c->is_sound = c->is_sound && depth < DEPTH_MAX && size > 0 && kind <= ARRAY && version >= 1 &&
                  version <= 3;
    skip(c, property_size[kind]);
    if (kind == OPAQUE) {
        skip(c, bits & 255);
    } else if (kind == COMPOUND) {
        skip_members(c, version, bits & 65535, size, depth);
    } else if (kind == ENUMERATION) {
        skip_names_and_values(c, version, bits & 65535, depth);
    } else if (kind == VARIABLE) {
        skip_datatype(c, depth + 1);
    } else if (kind == ARRAY) {
        skip_array(c, version, depth);
    }
}

// Extents and, where it says so, their limits; 8 bytes each. Older versions have 4 bytes more.
static uint64_t skip_dataspace(cursor *c)
{
    uint64_t version = take(c, 1), rank = take(c, 1), flags = take(c, 1);
    skip(c, version == 1 ? 5 : 1);
    skip(c, 8 * rank * (flags & 1 ? 2 : 1));
    c->is_sound = c->is_sound && rank < RANK_MAX;
    return rank;
}

// Sides of chunks, the last of them the size of an element: none is zero.
static void check_sides(cursor *c, uint64_t count, size_t size)
{
    c->is_sound = c->is_sound && count >= 2 && count <= RANK_MAX && size >= 1;
    for (uint64_t k = 0; k < count && c->is_sound; k++) {
        c->is_sound = take(c, size) > 0;
    }
}

static void check_layout(cursor *c)
{
    enum { CHUNKED = 2 };
    uint64_t version = take(c, 1), second = take(c, 1);
    if (version == 4 && second == CHUNKED) {
        skip(c, 1);
        uint64_t count = take(c, 1), size = take(c, 1);
        check_sides(c, count, size);
    } else if (version == 3 && second == CHUNKED) {
        uint64_t count = take(c, 1);
        skip(c, 8);
        check_sides(c, count, 4);
    } else if (version < 3 && take(c, 1) == CHUNKED) {
        skip(c, 5 + 8);
        check_sides(c, second, 4);
    }
}

static void check_attribute(cursor *c)
{
    uint64_t version = take(c, 1), flags = take(c, 1);
    size_t name = take(c, 2), type = take(c, 2), space = take(c, 2);
    skip(c, version >= 3 ? 1 : 0);
    c->is_sound = c->is_sound && version >= 1 && version <= 3 && name > 0;
    size_t fill = version == 1 ? 8 : 1;
    const uint8_t *text = skip(c, (name + fill - 1) / fill * fill);
    const uint8_t *at = skip(c, (type + fill - 1) / fill * fill);
    const uint8_t *extent = skip(c, (space + fill - 1) / fill * fill);
    if (!c->is_sound || memchr(text, 0, name) == NULL) {
        c->is_sound = false;
        return;
    }
    cursor part = {at, at + type, true};
    if ((flags & 1) == 0 || version == 1) { // it is not one that others share
        skip_datatype(&part, 0);
    }
    cursor rest = {extent, extent + space, part.is_sound};
    if ((flags & 2) == 0 || version == 1) {
        skip_dataspace(&rest);
    }
    c->is_sound = rest.is_sound;
}

// Where the header goes on; size 0: nowhere.
typedef struct chunk_place {
    uint64_t address, size;
} chunk_place;

static bool is_message_sound(unsigned kind, cursor c, chunk_place *next, int *next_count)
{
    switch (kind) {
    case DATASPACE:
        skip_dataspace(&c);
        break;
    case DATATYPE:
        skip_datatype(&c, 0);
        break;
    case LAYOUT:
        check_layout(&c);
        break;
    case ATTRIBUTE:
        check_attribute(&c);
        break;
    case CONTINUATION:
        c.is_sound = *next_count < CHUNKS_MAX;
        if (c.is_sound) {
            next[*next_count].address = take(&c, 8);
            next[*next_count].size = take(&c, 8);
            *next_count += 1;
        }
        break;
    default:
        break;
    }
    return c.is_sound;
}

// All messages of one chunk. HDF5 leaves gaps at the end that are too short for a message.
static bool are_messages_sound(cursor c, unsigned flags, chunk_place *next, int *next_count)
{
    enum { IS_SHARED = 2, HAS_ORDER = 4 };
    size_t head = flags & HAS_ORDER ? 6 : 4;
    bool is_sound = c.is_sound;
    while (is_sound && left(&c) >= head) {
        unsigned kind = (unsigned)take(&c, 1);
        size_t size = take(&c, 2);
        uint64_t message_flags = take(&c, 1);
        skip(&c, head - 4);
        const uint8_t *at = skip(&c, size);
        is_sound =
            at != NULL && ((message_flags & IS_SHARED) != 0 ||
                           is_message_sound(kind, (cursor){at, at + size, true}, next, next_count));
    }
    return is_sound;
}

// Bytes of the file, NULL if they are not there; the caller frees them.
static uint8_t *read_part(int descriptor, chunk_place place)
{
    struct stat state;
    bool is_there = fstat(descriptor, &state) == 0 && place.address < (uint64_t)state.st_size &&
                    place.size <= (uint64_t)state.st_size - place.address;
    uint8_t *bytes = is_there ? malloc(place.size + 1) : NULL;
    if (bytes != NULL &&
        pread(descriptor, bytes, place.size, (off_t)place.address) != (ssize_t)place.size) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

// The prefix of a header: its flags and its first messages. False: this is none of version 2 that
// has offsets of 8 bytes.
static bool read_prefix(int descriptor, uint64_t address, unsigned *flags, chunk_place *messages)
{
    uint8_t superblock[11] = {0}, bytes[34] = {0};
    if (pread(descriptor, superblock, sizeof superblock, 0) < (ssize_t)sizeof superblock ||
        superblock[8] < 2 || superblock[9] != 8 || superblock[10] != 8 ||
        pread(descriptor, bytes, sizeof bytes, (off_t)address) < 16 ||
        memcmp(bytes, "OHDR", 4) != 0 || bytes[4] != 2) {
        return false;
    }
    cursor c = {bytes + 6, bytes + sizeof bytes, true};
    *flags = bytes[5];
    skip(&c, *flags & 0x20 ? 16 : 0); // times
    skip(&c, *flags & 0x10 ? 4 : 0);  // numbers of attributes
    messages->size = take(&c, (size_t)1 << (*flags & 3));
    messages->address = address + (uint64_t)(c.at - bytes);
    return c.is_sound;
}

bool cn_header_is_sound(int descriptor, uint64_t address)
{
    unsigned flags;
    chunk_place *place = calloc(CHUNKS_MAX + 1, sizeof *place);
    int count = 1, frame = 0; // of bytes around messages: the first has none here
    bool is_sound = place != NULL;
    if (place != NULL && !read_prefix(descriptor, address, &flags, &place[0])) {
        count = 0;
    }
    for (int k = 0; k < count && is_sound; k++) {
        uint8_t *bytes = read_part(descriptor, place[k]);
        is_sound = bytes != NULL && place[k].size >= 2 * (uint64_t)frame;
        if (is_sound) {
            cursor c = {bytes + frame, bytes + place[k].size - frame, true};
            is_sound = are_messages_sound(c, flags, place, &count);
        }
        free(bytes);
        frame = CHECKSUM_SIZE; // as long as a signature
    }
    free(place);
    return is_sound;
}

uint64_t cn_header_length(int descriptor, uint64_t address)
{
    unsigned flags;
    chunk_place messages;
    bool is_header = read_prefix(descriptor, address, &flags, &messages);
    return is_header ? messages.address - address + messages.size + CHECKSUM_SIZE : 0;
}
