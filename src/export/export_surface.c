// export/export_surface.c -- surfaces as binary STL or OBJ files.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "cairn/surface.h"
#include "export/export.h"

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        to[k] = (unsigned char)(value >> 8 * k);
    }
}

static void put_f32(unsigned char *to, double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_u32(to, bits);
}

static cn_vec3 corner_at(const cn_surface *s, int t, int k)
{
    const double *p = s->vertex + 3 * (size_t)s->triangle[3 * (size_t)t + (size_t)k];
    return cn_v3(p[0], p[1], p[2]);
}

static void put_vec(unsigned char *to, cn_vec3 v)
{
    put_f32(to, v.x);
    put_f32(to + 4, v.y);
    put_f32(to + 8, v.z);
}

static void write_stl(const cn_surface *s, cn_out *out)
{
    unsigned char header[84] = {0};
    snprintf((char *)header, 80, "binary STL by cairn %s, lengths in metres", cn_version());
    put_u32(header + 80, (uint32_t)s->triangle_count);
    cn_out_bytes(out, header, sizeof header);
    for (int t = 0; t < s->triangle_count; t++) {
        unsigned char facet[50] = {0};
        cn_vec3 a = corner_at(s, t, 0), b = corner_at(s, t, 1), c = corner_at(s, t, 2);
        cn_vec3 normal = cn_cross3(cn_sub3(b, a), cn_sub3(c, a));
        double size = cn_norm3(normal);
        put_vec(facet, size > 0.0 ? cn_mul3(1.0 / size, normal) : normal);
        put_vec(facet + 12, a);
        put_vec(facet + 24, b);
        put_vec(facet + 36, c);
        cn_out_bytes(out, facet, sizeof facet);
    }
}

static void write_obj(const cn_surface *s, cn_out *out)
{
    cn_out_print(out, "# cairn %s, lengths in metres\n", cn_version());
    for (int v = 0; v < s->vertex_count; v++) {
        const double *p = s->vertex + 3 * (size_t)v;
        cn_out_print(out, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    int group = -1;
    for (int t = 0; t < s->triangle_count; t++) {
        const int *corner = s->triangle + 3 * (size_t)t;
        if (s->group != NULL && s->group[t] != group) {
            group = s->group[t];
            cn_out_print(out, "g %s\n", group >= 0 ? s->group_name[group] : "");
        }
        cn_out_print(out, "f %d %d %d\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
    }
}

// Single precision holds less than double.
static cn_status check_range(const cn_surface *s, const char *path, cn_error *err)
{
    for (size_t n = 0; n < 3 * (size_t)s->vertex_count; n++) {
        if (!isfinite((float)s->vertex[n])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "%s: a coordinate of %g m does not fit in STL; write OBJ", path,
                           s->vertex[n]);
        }
    }
    return CN_OK;
}

static cn_status write_file(const cn_surface *s, bool is_stl, const char *path, cn_error *err)
{
    cn_out out;
    cn_plain_locale locale;
    CN_TRY(cn_out_open(NULL, path, &out, err));
    if (!cn_plain_begin(&locale)) {
        cn_out_drop(&out);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a locale");
    }
    (is_stl ? write_stl : write_obj)(s, &out);
    cn_plain_end(&locale);
    return cn_out_close(&out, NULL, NULL, err);
}

cn_status cn_surface_save(const cn_surface *surface, const char *path, cn_error *err)
{
    CN_NEED(err, surface, path);
    cn_surface_format format = cn_surface_format_of(path);
    if (format != CN_SURFACE_STL && format != CN_SURFACE_OBJ) {
        return cn_fail(err, CN_BAD_INPUT, "%s: surfaces are written as .stl or .obj", path);
    }
    if (format == CN_SURFACE_STL) {
        CN_TRY(check_range(surface, path, err));
    }
    return write_file(surface, format == CN_SURFACE_STL, path, err);
}
