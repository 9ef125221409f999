// geometry/surface/load_surface.c -- from a file to a surface: format by name, reader, unit,
// welding.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "geometry/surface/read/surface_draft.h"
#include "geometry/surface/weld.h"

typedef struct format {
    const char *ending;
    cn_status (*read)(cn_mesher *m);
} format;

static const format formats[CN_SURFACE_FORMAT_COUNT] = {
    [CN_SURFACE_STL] = {".stl", cn_read_stl},     [CN_SURFACE_OBJ] = {".obj", cn_read_obj},
    [CN_SURFACE_PLY] = {".ply", cn_read_ply},     [CN_SURFACE_MSH] = {".msh", cn_read_msh},
    [CN_SURFACE_COMPAS] = {NULL, cn_read_compas}, // scenes and studies may be .json as well
    [CN_SURFACE_DXF] = {".dxf", cn_read_dxf},
};

cn_surface_def cn_surface_def_default(void)
{
    return (cn_surface_def){.scale = 1.0};
}

cn_surface_format cn_surface_format_of(const char *path)
{
    if (path == NULL) {
        return CN_SURFACE_FORMAT_COUNT;
    }
    const char *dot = strrchr(path, '.');
    int k = 0;
    while (k < CN_SURFACE_FORMAT_COUNT &&
           (dot == NULL || formats[k].ending == NULL || strcasecmp(dot, formats[k].ending) != 0)) {
        k++;
    }
    return (cn_surface_format)k;
}

void cn_surface_free(cn_surface *surface)
{
    if (surface == NULL) {
        return;
    }
    for (int k = 0; k < surface->group_count; k++) {
        free(surface->group_name[k]);
    }
    free(surface->group_name);
    free(surface->group_line);
    free(surface->group_is_support);
    free(surface->vertex);
    free(surface->triangle);
    free(surface->group);
    free(surface->element);
    *surface = (cn_surface){0};
}

static cn_status apply_scale(cn_mesher *m)
{
    double scale = m->def->scale;
    for (size_t n = 0; n < 3 * (size_t)m->s.vertex_count; n++) {
        m->s.vertex[n] *= scale;
        if (!isfinite(m->s.vertex[n])) {
            return cn_fail(m->c->err, CN_BAD_INPUT,
                           "%s: with a scale of %g vertex %zu is not finite", m->c->name, scale,
                           n / 3 + 1);
        }
    }
    return CN_OK;
}

// What is left to do when all faces are read.
static cn_status finish(cn_mesher *m)
{
    cn_surface *s = &m->s;
    if (s->triangle_count == 0) {
        return cn_fail(m->c->err, CN_BAD_INPUT, "%s: the file holds no triangles or other faces",
                       m->c->name);
    }
    if (s->group_count == 0) {
        free(s->group);
        s->group = NULL;
    }
    if (m->odd_count > 0) {
        cn_mesher_remark(
            m,
            "%lld polygons cross themselves or are too intricate to be split properly, "
            "the first is face %lld",
            (long long)m->odd_count, (long long)m->odd_element);
    }
    CN_TRY(apply_scale(m));
    if (m->is_welded || m->def->weld > 0.0) {
        int joined = 0;
        CN_TRY(cn_surface_weld(s, m->def->weld, &joined, m->c->err));
        CN_TRY(cn_surface_part(s, &joined, m->c->err));
    }
    return CN_OK;
}

static cn_status read_format(cn_mesher *m, cn_surface_format which)
{
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(m->c->err, CN_NO_MEMORY, "out of memory for a locale");
    }
    cn_status status = formats[which].read(m);
    cn_plain_end(&locale);
    return status == CN_OK ? finish(m) : status;
}

static cn_status check_call(const char *name, cn_surface_format which, size_t length,
                            const cn_surface_def *def, cn_error *err)
{
    if ((unsigned)which >= CN_SURFACE_FORMAT_COUNT) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: geometry is read from .stl, .obj, .ply, .msh and .dxf files", name);
    }
    if (!(def->scale > 0.0) || !isfinite(def->scale)) {
        return cn_fail(err, CN_BAD_INPUT, "the scale of a surface must be > 0, got %g", def->scale);
    }
    if (!(def->weld >= 0.0) || !isfinite(def->weld)) {
        return cn_fail(err, CN_BAD_INPUT, "the welding distance must be >= 0 m, got %g", def->weld);
    }
    if (length > CN_SURFACE_BYTES_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "%s: larger than %zu MiB, the most that is read", name,
                       CN_SURFACE_BYTES_MAX >> 20);
    }
    return length > 0 ? CN_OK : cn_fail(err, CN_BAD_INPUT, "%s: the file is empty", name);
}

cn_status cn_surface_parse(const char *name, cn_surface_format which, const void *bytes,
                           size_t length, const cn_surface_def *def, cn_surface *surface,
                           cn_error *err)
{
    CN_NEED(err, name, def, surface);
    if (length > 0) {
        CN_NEED(err, bytes);
    }
    *surface = (cn_surface){0};
    CN_TRY(check_call(name, which, length, def, err));
    const char *begin = bytes;
    cn_cursor c = {
        .name = name, .begin = begin, .at = begin, .end = begin + length, .line = 1, .err = err};
    cn_mesher m = {.c = &c, .def = def, .group = -1};
    cn_status status = read_format(&m, which);
    cn_chain_free(&m.names);
    free(m.corner);
    free(m.split);
    if (status != CN_OK) {
        cn_surface_free(&m.s);
    }
    *surface = m.s;
    return status;
}

cn_status cn_surface_load(const char *path, const cn_surface_def *def, cn_surface *surface,
                          cn_error *err)
{
    CN_NEED(err, path, def, surface);
    char *bytes = NULL;
    size_t length = 0;
    *surface = (cn_surface){0};
    CN_TRY(cn_file_bytes(path, CN_SURFACE_BYTES_MAX, &bytes, &length, err));
    cn_status status =
        cn_surface_parse(path, cn_surface_format_of(path), bytes, length, def, surface, err);
    free(bytes);
    return status;
}
