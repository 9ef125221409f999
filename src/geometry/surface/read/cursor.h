// geometry/surface/read/cursor.h -- a place in the bytes of a geometry file. Text is taken word by
// word, binary data by value; whoever finds something wrong calls cn_cursor_fail, which names the
// line or the byte.
#pragma once

#include "cairn/surface.h"

#include <string.h>

enum { CN_WORD_MAX = 127 };

// Invariant: begin <= at <= end.
typedef struct cn_cursor {
    const char *name; // of the file, for messages
    const char *begin, *at, *end;
    int64_t line;    // of `at`, from 1; counted in text only
    bool is_binary;  // places are told as bytes
    bool is_swapped; // binary values have the other byte order
    char word[CN_WORD_MAX + 1];
    cn_error *err;
} cn_cursor;

// Writes "name:line: ..." or "name: byte n: ..." and returns CN_BAD_INPUT.
cn_status cn_cursor_fail(cn_cursor *c, const char *format, ...) CN_PRINTF(2, 3);

// The next word into c->word, also from later lines; empty at the end of the file. A longer one is
// cut: it is no word that any format knows.
const char *cn_cursor_word(cn_cursor *c);

// The next word of this line; empty at its end. A backslash at the end of a line continues it.
const char *cn_cursor_word_in_line(cn_cursor *c);

// What is left of this line without blanks at both ends; goes to the next line.
void cn_cursor_rest(cn_cursor *c, const char **text, size_t *length);

// Goes behind the end of this line.
void cn_cursor_skip_line(cn_cursor *c);

// Turns c->word into a finite number, or into an integer. `what` is said in messages: "x".
cn_status cn_cursor_as_number(cn_cursor *c, const char *what, double *number);
cn_status cn_cursor_as_integer(cn_cursor *c, const char *what, int64_t *integer);

// The next word and then as above.
cn_status cn_cursor_number(cn_cursor *c, const char *what, double *number);
cn_status cn_cursor_integer(cn_cursor *c, const char *what, int64_t *integer);

// Bytes that must be there; c->at moves behind them.
cn_status cn_cursor_bytes(cn_cursor *c, size_t count, const char *what, const char **bytes);

// Whether `count` things of at least `size` bytes each can still follow.
static inline bool cn_cursor_has(const cn_cursor *c, int64_t count, size_t size)
{
    return count >= 0 && (uint64_t)count <= (uint64_t)(c->end - c->at) / (size > 0 ? size : 1);
}

// Says which byte order binary values have.
void cn_cursor_set_order(cn_cursor *c, bool is_little_endian);

// Binary values in the byte order of the file.
uint16_t cn_cursor_u16(const cn_cursor *c, const char *bytes);
uint32_t cn_cursor_u32(const cn_cursor *c, const char *bytes);
uint64_t cn_cursor_u64(const cn_cursor *c, const char *bytes);

static inline double cn_cursor_f32(const cn_cursor *c, const char *bytes)
{
    uint32_t bits = cn_cursor_u32(c, bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static inline double cn_cursor_f64(const cn_cursor *c, const char *bytes)
{
    uint64_t bits = cn_cursor_u64(c, bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
