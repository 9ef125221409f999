// tests/unit/mesh_files.h -- geometry files written in memory, and the unit cube in every format.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/surface.h"
#include "test.h"

// Bytes under way.
typedef struct file {
    char byte[1 << 16];
    size_t length;
    bool is_big; // byte order of what is put
} file;

static inline void print(file *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    f->length += (size_t)vsnprintf(f->byte + f->length, sizeof f->byte - f->length, format, args);
    va_end(args);
}

static inline void put(file *f, const void *value, size_t size)
{
    const char *from = value;
    for (size_t k = 0; k < size; k++) { // hosts are little-endian
        f->byte[f->length++] = from[f->is_big ? size - 1 - k : k];
    }
}

static inline void put_i8(file *f, int value)
{
    int8_t v = (int8_t)value;
    put(f, &v, 1);
}

static inline void put_i16(file *f, int value)
{
    int16_t v = (int16_t)value;
    put(f, &v, 2);
}

static inline void put_i32(file *f, int value)
{
    int32_t v = value;
    put(f, &v, 4);
}

static inline void put_i64(file *f, int64_t value)
{
    put(f, &value, 8);
}

static inline void put_f32(file *f, double value)
{
    float v = (float)value;
    put(f, &v, 4);
}

static inline void put_f64(file *f, double value)
{
    put(f, &value, 8);
}

static inline double cube_vertex(int v, int k)
{
    static const int at[8] = {0, 1, 3, 2,
                              4, 5, 7, 6}; // bits x y z, around the bottom, then the top
    return (double)(at[v] >> k & 1);
}

static const int cube_face[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static const int cube_triangle[12][3] = {{3, 2, 1}, {3, 1, 0}, {4, 5, 6}, {4, 6, 7},
                                         {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                         {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static char remarks[4000]; // what the last parse told

static inline void take_remark(void *context, const char *line)
{
    (void)context;
    size_t length = strlen(remarks);
    snprintf(remarks + length, sizeof remarks - length, "%s\n", line);
}

// Parses bytes copied to memory of their own, so that a sanitizer sees reads behind the end.
static inline cn_status parse_bytes(const char *name, const char *bytes, size_t length,
                                    cn_surface *s)
{
    cn_surface_def def = cn_surface_def_default();
    def.told = take_remark;
    remarks[0] = '\0';
    char *copy = malloc(length + (length == 0));
    memcpy(copy, bytes, length);
    cn_status status =
        cn_surface_parse(name, cn_surface_format_of(name), copy, length, &def, s, &test_error);
    free(copy);
    return status;
}

static inline cn_status parse(const char *name, const file *f, cn_surface *s)
{
    return parse_bytes(name, f->byte, f->length, s);
}

static inline cn_status parse_text(const char *name, const char *text, cn_surface *s)
{
    return parse_bytes(name, text, strlen(text), s);
}

// The text must be refused, with these words.
#define REFUSED(name, text, words)                                                                 \
    do {                                                                                           \
        cn_surface refused;                                                                        \
        CN_FAILS(parse_text(name, text, &refused), CN_BAD_INPUT, words);                           \
        CN_TRUE(refused.vertex == NULL && refused.triangle_count == 0);                            \
    } while (0)

// It must be the unit cube, closed and outward.
static inline void expect_cube(const cn_surface *s)
{
    cn_surface_check_def def = cn_surface_check_def_default();
    cn_surface_report *r = malloc(sizeof *r);
    CN_DO(cn_surface_check(s, &def, r, &test_error));
    CN_TRUE(s->triangle_count == 12 && s->vertex_count == 8 && r->part_count == 1);
    CN_TRUE(cn_surface_error_count(r) == 0);
    CN_NEAR(r->mass.volume, 1.0, 1e-15, "a cube of side 1");
    CN_NEAR(r->mass.centre.x, 0.5, 1e-15, "a cube of side 1");
    free(r);
}
