// Mutations for fuzz_scene.c (tools/fuzz.sh scene) that know what a scene is made of: numbers,
// words and names, keys, flow collections and blocks of lines. Bytes changed at random mostly break
// YAML, and then nothing behind its parser is reached. Keys and words come from the reference of
// the language itself, so that new ones are tried without a line here.
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cairn/scene.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);

enum { WORD_MAX = 2000, WORD_BYTES = 32, TOKEN_MAX = 4000, LINE_MAX_COUNT = 2000 };

// ---- words of the language

static char word[WORD_MAX][WORD_BYTES];
static int word_count;

// Keeps what stands between backquotes in a line of the reference.
static void keep_words(void *context, const char *line)
{
    (void)context;
    for (const char *at = strchr(line, '`'); at != NULL && word_count < WORD_MAX;) {
        const char *end = strchr(at + 1, '`');
        size_t length = end != NULL ? (size_t)(end - at - 1) : 0;
        if (length > 0 && length < WORD_BYTES) {
            memcpy(word[word_count++], at + 1, length);
        }
        at = end != NULL ? strchr(end + 1, '`') : NULL;
    }
}

static const char *random_word(uint64_t *random)
{
    if (word_count == 0) {
        cn_error err;
        if (cn_scene_reference(keep_words, NULL, &err) != CN_OK || word_count == 0) {
            abort();
        }
    }
    return word[cn_random_word(random) % (uint64_t)word_count];
}

static const char *random_number(uint64_t *random)
{
    static const char *const number[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "0.5",
                                         "-0.0",
                                         "1e-3",
                                         "1e3",
                                         "1e6",
                                         "1e-9",
                                         "-1e-12",
                                         "1e-300",
                                         "5e-324",
                                         "1e15",
                                         "1e100",
                                         "1e300",
                                         "-1e308",
                                         "1e309",
                                         "nan",
                                         ".nan",
                                         "inf",
                                         "-inf",
                                         ".inf",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483649",
                                         "9007199254740993",
                                         "99999999999999999999",
                                         "1e9",
                                         "3.7",
                                         "0x10",
                                         "07",
                                         "1_000",
                                         "1,5",
                                         "=2*pi",
                                         "=1/0",
                                         "=sqrt(-1)",
                                         "=0/0",
                                         "=1e200^2",
                                         "=(1",
                                         "=missing",
                                         "=-3",
                                         "=1e-30",
                                         "=mod(5,0)",
                                         "=2^2^2^2^2",
                                         "\"1\"",
                                         "''",
                                         "~",
                                         "true",
                                         "null",
                                         "[]",
                                         "{}"};
    return number[cn_random_word(random) % (sizeof number / sizeof number[0])];
}

static const char *random_unit(uint64_t *random)
{
    static const char *const unit[] = {" m",  " mm", "mm",   " deg", " rad",  " s",
                                       " ms", " kN", " MPa", " %",   " kg/m3"};
    return unit[cn_random_word(random) % (sizeof unit / sizeof unit[0])];
}

// ---- the parts of a text

typedef struct span {
    size_t start, end;
} span;

typedef struct parts {
    int key_count, value_count, flow_count, line_count;
    span key[TOKEN_MAX], value[TOKEN_MAX]; // scalars before ':' and others
    span flow[TOKEN_MAX];                  // collections in brackets, with them
    span line[LINE_MAX_COUNT];             // with the line end
} parts;

typedef struct text {
    char *byte;
    size_t size, size_max;
} text;

// Puts `length` bytes in the place of a span; nothing happens where there is no room.
static void splice(text *t, span at, const char *bytes, size_t length)
{
    size_t rest = t->size - at.end, removed = at.end - at.start;
    if (t->size - removed + length <= t->size_max) {
        memmove(t->byte + at.start + length, t->byte + at.end, rest);
        memcpy(t->byte + at.start, bytes, length);
        t->size = t->size - removed + length;
    }
}

static void put(text *t, span at, const char *words)
{
    splice(t, at, words, strlen(words));
}

static bool is_plain(char c)
{
    return c != '\n' && c != ',' && c != ':' && c != '{' && c != '}' && c != '[' && c != ']' &&
           c != '#' && c != '"' && c != '\'';
}

// End of the scalar that starts here: a string in quotes, or a run of plain characters.
static size_t scalar_end(const text *t, size_t at)
{
    size_t end = at + 1;
    if (t->byte[at] == '"' || t->byte[at] == '\'') {
        while (end < t->size && t->byte[end] != t->byte[at]) {
            end++;
        }
        return end < t->size ? end + 1 : end;
    }
    while (end < t->size && is_plain(t->byte[end])) {
        end++;
    }
    while (end > at + 1 && t->byte[end - 1] == ' ') {
        end--;
    }
    return end;
}

static void find_scalars(const text *t, parts *p)
{
    size_t open[64];
    int depth = 0;
    for (size_t at = 0; at < t->size;) {
        char c = t->byte[at];
        if (c == '#') {
            while (at < t->size && t->byte[at] != '\n') {
                at++;
            }
        } else if ((c == '{' || c == '[') && depth < 64) {
            open[depth++] = at++;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
            if (p->flow_count < TOKEN_MAX) {
                p->flow[p->flow_count++] = (span){open[depth], at + 1};
            }
            at++;
        } else if ((is_plain(c) && c != ' ' && c != '-') || c == '"' || c == '\'' ||
                   (c == '-' && at + 1 < t->size && t->byte[at + 1] != ' ')) {
            span found = {at, scalar_end(t, at)};
            bool is_key = found.end < t->size && t->byte[found.end] == ':';
            int *count = is_key ? &p->key_count : &p->value_count;
            if (*count < TOKEN_MAX) {
                (is_key ? p->key : p->value)[(*count)++] = found;
            }
            at = found.end;
        } else {
            at++;
        }
    }
}

static void find_lines(const text *t, parts *p)
{
    for (size_t at = 0; at < t->size && p->line_count < LINE_MAX_COUNT;) {
        const char *end = memchr(t->byte + at, '\n', t->size - at);
        size_t next = end != NULL ? (size_t)(end - t->byte) + 1 : t->size;
        p->line[p->line_count++] = (span){at, next};
        at = next;
    }
}

static parts *find_parts(const text *t)
{
    static parts p;
    p.key_count = p.value_count = p.flow_count = p.line_count = 0;
    find_scalars(t, &p);
    find_lines(t, &p);
    return &p;
}

static int indent_of(const text *t, span line)
{
    int n = 0;
    while (line.start + (size_t)n < line.end && t->byte[line.start + (size_t)n] == ' ') {
        n++;
    }
    return n;
}

// A line with all lines below it that are deeper in.
static span block_at(const text *t, const parts *p, int line)
{
    int indent = indent_of(t, p->line[line]), last = line;
    while (last + 1 < p->line_count && indent_of(t, p->line[last + 1]) > indent) {
        last++;
    }
    return (span){p->line[line].start, p->line[last].end};
}

static span choose(const span *list, int count, uint64_t *random)
{
    return list[cn_random_word(random) % (uint64_t)count];
}

// ---- changes

// Lines of `from` before a line of t, moved sideways to its indentation.
static void insert_block(text *t, const parts *p, int line, const char *from, size_t length)
{
    static char moved[1 << 17];
    size_t size = 0, source = 0, target = (size_t)indent_of(t, p->line[line]);
    while (source < length && from[source] == ' ') {
        source++;
    }
    for (size_t at = 0; at < length && size + 256 < sizeof moved;) {
        size_t spaces = 0;
        while (at < length && from[at] == ' ') {
            spaces++, at++;
        }
        size_t wanted = target + (spaces > source ? spaces - source : 0);
        for (size_t k = 0; k < wanted && k < 200; k++) {
            moved[size++] = ' ';
        }
        while (at < length && size + 2 < sizeof moved && from[at] != '\n') {
            moved[size++] = from[at++];
        }
        moved[size++] = '\n';
        at++;
    }
    splice(t, (span){p->line[line].start, p->line[line].start}, moved, size);
}

static void scale_number(text *t, span at, uint64_t *random)
{
    static const double factor[] = {-1.0, 2.0, 0.5, 1e3, 1e-3, 1e9, 1e-9, 1.0000001, 0.1, 100.0};
    char words[64] = "", *end;
    size_t length = at.end - at.start;
    if (length < sizeof words) {
        memcpy(words, t->byte + at.start, length);
        double value = strtod(words, &end);
        if (end != words) {
            value *= factor[cn_random_word(random) % (sizeof factor / sizeof factor[0])];
            snprintf(words, sizeof words, "%.9g", value);
            put(t, at, words);
        }
    }
}

static void wrap(text *t, span at, uint64_t *random)
{
    char words[512];
    int length = (int)(at.end - at.start < 200 ? at.end - at.start : 200);
    const char *old = t->byte + at.start;
    switch (cn_random_word(random) % 4) {
    case 0:
        snprintf(words, sizeof words, "[%.*s]", length, old);
        break;
    case 1:
        snprintf(words, sizeof words, "{%s: %.*s}", random_word(random), length, old);
        break;
    case 2:
        snprintf(words, sizeof words, "[%.*s, %.*s, %s]", length, old, length, old,
                 random_number(random));
        break;
    default:
        snprintf(words, sizeof words, "=%.*s%s", length, old,
                 cn_random_word(random) % 2 == 0 ? "*2" : "/3");
    }
    put(t, at, words);
}

static void change_value(text *t, const parts *p, uint64_t *random)
{
    span at = choose(p->value, p->value_count, random);
    switch (cn_random_word(random) % 8) {
    case 0:
    case 1:
        put(t, at, random_number(random));
        break;
    case 2:
    case 3:
        scale_number(t, at, random);
        break;
    case 4:
        put(t, at, random_word(random));
        break;
    case 5: { // what stands elsewhere: names of other things
        static char other[4096];
        span from = choose(p->value, p->value_count, random);
        size_t length = from.end - from.start < sizeof other ? from.end - from.start : sizeof other;
        memcpy(other, t->byte + from.start, length);
        splice(t, at, other, length);
        break;
    }
    case 6:
        put(t, (span){at.end, at.end}, random_unit(random));
        break;
    default:
        wrap(t, at, random);
    }
}

static void change_flow(text *t, const parts *p, uint64_t *random)
{
    char words[128];
    span at = choose(p->flow, p->flow_count, random);
    bool is_map = t->byte[at.start] == '{';
    switch (cn_random_word(random) % 4) {
    case 0:
        put(t, at, is_map ? "{}" : "[]");
        break;
    case 1:
        put(t, at, random_number(random));
        break;
    case 2: { // one entry more
        snprintf(words, sizeof words, is_map ? "%s: %s, " : "%.0s%s, ", random_word(random),
                 random_number(random));
        put(t, (span){at.start + 1, at.start + 1}, words);
        break;
    }
    default: { // the last entry goes
        size_t comma = at.end - 1;
        while (comma > at.start + 1 && t->byte[comma] != ',') {
            comma--;
        }
        put(t, (span){comma, at.end - 1}, "");
    }
    }
}

static void change_block(text *t, const parts *p, uint64_t *random)
{
    static char copy[1 << 16];
    int line = (int)(cn_random_word(random) % (uint64_t)p->line_count);
    span block = block_at(t, p, (int)(cn_random_word(random) % (uint64_t)p->line_count));
    switch (cn_random_word(random) % 3) {
    case 0:
        put(t, block, "");
        break;
    case 1:
        snprintf(copy, sizeof copy, "%s: %s\n", random_word(random), random_number(random));
        insert_block(t, p, line, copy, strlen(copy));
        break;
    default:
        if (block.end - block.start < sizeof copy) {
            memcpy(copy, t->byte + block.start, block.end - block.start);
            insert_block(t, p, line, copy, block.end - block.start);
        }
    }
}

static void change_once(text *t, uint64_t *random)
{
    const parts *p = find_parts(t);
    uint64_t choice = cn_random_word(random) % 16;
    if (choice < 9 && p->value_count > 0) {
        change_value(t, p, random);
    } else if (choice < 11 && p->key_count > 0) {
        put(t, choose(p->key, p->key_count, random), random_word(random));
    } else if (choice < 13 && p->flow_count > 0) {
        change_flow(t, p, random);
    } else if (p->line_count > 0) {
        change_block(t, p, random);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint64_t random = seed;
    if (size < 8 || cn_random_word(&random) % 32 == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    text t = {(char *)data, size, max_size};
    int changes = 1 + (int)(cn_random_word(&random) % 3);
    for (int k = 0; k < changes; k++) {
        change_once(&t, &random);
    }
    return t.size;
}

// A block of one scene comes into another.
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned int seed)
{
    static char copy[1 << 16];
    uint64_t random = seed;
    text from = {(char *)(uintptr_t)b, b_size, b_size};
    const parts *p = find_parts(&from);
    size_t length = 0;
    if (p->line_count > 0) {
        span block = block_at(&from, p, (int)(cn_random_word(&random) % (uint64_t)p->line_count));
        length = block.end - block.start < sizeof copy ? block.end - block.start : 0;
        memcpy(copy, from.byte + block.start, length);
    }
    text t = {(char *)out, a_size < max_size ? a_size : max_size, max_size};
    memcpy(out, a, t.size);
    p = find_parts(&t);
    if (p->line_count > 0 && length > 0) {
        insert_block(&t, p, (int)(cn_random_word(&random) % (uint64_t)p->line_count), copy, length);
    }
    return t.size;
}
