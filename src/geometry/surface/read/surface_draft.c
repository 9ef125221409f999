// geometry/surface/read/surface_draft.c
#include "geometry/surface/read/surface_draft.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

cn_status cn_mesher_vertex(cn_mesher *m, double x, double y, double z)
{
    cn_surface *s = &m->s;
    if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
        return cn_cursor_fail(m->c, "vertex %d is not finite: %g %g %g", s->vertex_count + 1, x, y,
                              z);
    }
    if (s->vertex_count == CN_SURFACE_COUNT_MAX) {
        return cn_cursor_fail(m->c, "more than %d vertices", CN_SURFACE_COUNT_MAX);
    }
    size_t need = 3 * ((size_t)s->vertex_count + 1);
    CN_TRY(cn_reserve(NULL, &s->vertex, &m->vertex_capacity, need, m->c->err));
    double *to = s->vertex + 3 * (size_t)s->vertex_count++;
    // Minus zero becomes zero, so that equal coordinates have equal bits.
    to[0] = x + 0.0;
    to[1] = y + 0.0;
    to[2] = z + 0.0;
    return CN_OK;
}

static cn_status add_triangles(cn_mesher *m, const int *triangle, int count, int64_t element)
{
    cn_surface *s = &m->s;
    cn_error *err = m->c->err;
    if (count > CN_SURFACE_COUNT_MAX - s->triangle_count) {
        return cn_cursor_fail(m->c, "more than %d triangles", CN_SURFACE_COUNT_MAX);
    }
    size_t need = (size_t)s->triangle_count + (size_t)count;
    CN_TRY(cn_reserve(NULL, &s->triangle, &m->triangle_capacity, 3 * need, err));
    CN_TRY(cn_reserve(NULL, &s->group, &m->group_capacity, need, err));
    CN_TRY(cn_reserve(NULL, &s->element, &m->element_capacity, need, err));
    memcpy(s->triangle + 3 * (size_t)s->triangle_count, triangle,
           3 * (size_t)count * sizeof *triangle);
    for (int k = 0; k < count; k++) {
        s->group[s->triangle_count] = m->group;
        s->element[s->triangle_count++] = element;
    }
    return CN_OK;
}

cn_status cn_mesher_face(cn_mesher *m, const int *corner, int count, int64_t element)
{
    if (count == 3) {
        return add_triangles(m, corner, 1, element);
    }
    size_t need = 3 * ((size_t)count - 2);
    CN_TRY(cn_reserve(NULL, &m->split, &m->split_capacity, need, m->c->err));
    if (!cn_polygon_split(m->s.vertex, corner, count, m->split)) {
        m->odd_element = m->odd_count++ == 0 ? element : m->odd_element;
    }
    return add_triangles(m, m->split, count - 2, element);
}

cn_status cn_mesher_room(cn_mesher *m, int count)
{
    return cn_reserve(NULL, &m->corner, &m->corner_capacity, (size_t)count + 1, m->c->err);
}

static int find_group(const cn_mesher *m, const char *name, uint64_t hash)
{
    int k = cn_chain_first(&m->names, hash);
    while (k >= 0 && strcmp(m->s.group_name[k], name) != 0) {
        k = cn_chain_next(&m->names, k);
    }
    return k;
}

// Takes over `name`, memory of malloc.
static cn_status add_group(cn_mesher *m, char *name, uint64_t hash)
{
    cn_surface *s = &m->s;
    cn_status status =
        cn_reserve(NULL, &s->group_name, &m->name_capacity, (size_t)s->group_count + 1, m->c->err);
    CN_THEN(status, cn_reserve(NULL, &s->group_line, &m->line_capacity, (size_t)s->group_count + 1,
                               m->c->err));
    CN_THEN(status, cn_chain_add(&m->names, hash, m->c->err));
    if (status != CN_OK) {
        free(name);
        return status;
    }
    s->group_line[s->group_count] = m->c->is_binary ? 0 : m->c->line;
    s->group_name[s->group_count++] = name;
    return CN_OK;
}

cn_status cn_mesher_group(cn_mesher *m, const char *name, size_t length, int *group)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        return cn_fail(m->c->err, CN_NO_MEMORY, "out of memory for the name of a group");
    }
    for (size_t k = 0; k < length; k++) {
        // Names are printed: no control characters.
        copy[k] = (unsigned char)name[k] < 0x20 || name[k] == 0x7f ? '?' : name[k];
    }
    copy[length] = '\0';
    uint64_t hash = cn_hash_bytes(cn_mix(length), copy, length);
    *group = find_group(m, copy, hash);
    if (*group >= 0) {
        free(copy);
        return CN_OK;
    }
    *group = m->s.group_count;
    return add_group(m, copy, hash);
}

void cn_mesher_remark(cn_mesher *m, const char *format, ...)
{
    if (m->def->told == NULL) {
        return;
    }
    char sentence[600], line[900];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%.250s: note: %s", m->c->name, sentence);
    m->def->told(m->def->context, line);
}
