// picture/space/light.c -- lamps and what they reach.
//
// A lamp is far away: its map holds, on a raster across its direction, the depth of the first
// surface it meets. A point is lit if nothing in the map is nearer to the lamp. Points are lifted
// off their surface by about one sample of the map before they are compared, so that a surface does
// not shade itself; four neighbouring samples are mixed, so that shadows have no steps.
#include <math.h>

#include "picture/space/space_scene.h"

enum { NOTHING = 65535 };

static cn_vec3 unit(cn_vec3 a)
{
    return cn_mul3(1.0 / cn_norm3(a), a);
}

// Directions over the upper half of the sky, denser towards its top in proportion to their height,
// as on an overcast day: equal steps in height squared, golden angle around.
static cn_vec3 sky_direction(int k)
{
    double square = (k + 0.5) / CN_LAMP_SKY, angle = k * CN_PI * (3.0 - sqrt(5.0));
    double across = sqrt(1.0 - square);
    return cn_v3(across * cos(angle), across * sin(angle), sqrt(square));
}

// The main light: from above, left of the camera and behind it.
static cn_vec3 key_direction(const cn_space_view *camera)
{
    cn_vec3 right = camera->axes.row[0], up = {0.0, 0.0, 1.0};
    cn_vec3 back = cn_cross3(right, up);
    return unit(cn_add_mul3(cn_add_mul3(cn_mul3(-0.60, right), 0.62, back), 1.0, up));
}

// A lamp within a small cone about the main light, which gives shadows soft edges.
static cn_vec3 key_lamp(cn_vec3 key, int k)
{
    cn_vec3 side = unit(cn_cross3(key, cn_v3(0.0, 1.0, 0.0))), other = cn_cross3(key, side);
    double reach = 0.06 * sqrt((k + 0.5) / CN_LAMP_KEY), angle = k * CN_PI * (3.0 - sqrt(5.0));
    return unit(cn_add_mul3(cn_add_mul3(key, reach * cos(angle), side), reach * sin(angle), other));
}

static cn_space_view lamp_view(const cn_items *items, cn_vec3 towards, int size)
{
    cn_vec3 forward = cn_neg3(towards);
    cn_vec3 across = fabs(forward.z) < 0.9 ? cn_v3(0.0, 0.0, 1.0) : cn_v3(1.0, 0.0, 0.0);
    cn_vec3 right = unit(cn_cross3(forward, across));
    double reach = 1.01 * items->radius;
    return (cn_space_view){.eye = cn_add_mul3(items->centre, reach, towards),
                           .axes = {{right, cn_cross3(right, forward), forward}},
                           .scale = 0.5 * size / reach,
                           .s_0 = 0.5 * size,
                           .t_0 = 0.5 * size,
                           .near = -INFINITY,
                           .is_parallel = true};
}

static void set_row(cn_lamp *lamp, int k, cn_vec3 axis, double scale, double shift)
{
    lamp->row[k][0] = (float)(scale * axis.x);
    lamp->row[k][1] = (float)(scale * axis.y);
    lamp->row[k][2] = (float)(scale * axis.z);
    lamp->shift[k] = (float)shift;
}

static cn_status light_lamp(const cn_items *items, cn_vec3 towards, int size, float *depth,
                            cn_lamp *lamp, cn_error *err)
{
    size_t count = (size_t)size * (size_t)size, room = 0;
    CN_TRY(cn_reserve(NULL, &lamp->depth, &room, count, err));
    cn_space_view view = lamp_view(items, towards, size);
    double reach = 1.01 * items->radius, step = 2.0 * reach / (NOTHING - 1);
    lamp->size = size;
    lamp->texel = (float)(2.0 * reach / size);
    lamp->towards[0] = (float)towards.x;
    lamp->towards[1] = (float)towards.y;
    lamp->towards[2] = (float)towards.z;
    set_row(lamp, 0, view.axes.row[0], view.scale, view.s_0 - 0.5);
    set_row(lamp, 1, view.axes.row[1], -view.scale, view.t_0 - 0.5);
    set_row(lamp, 2, view.axes.row[2], 1.0 / step, reach / step);
    cn_space_buffer buffer = {.width = size, .height = size, .depth = depth};
    cn_buffer_clear(&buffer);
    cn_items_cast(items, &view, true, &buffer);
    for (size_t k = 0; k < count; k++) {
        float steps = depth[k] / (float)step;
        lamp->depth[k] = steps < NOTHING ? (unsigned short)(steps > 0.0f ? steps : 0.0f) : NOTHING;
    }
    return CN_OK;
}

cn_status cn_lamps_light(const cn_items *items, const cn_space_view *view, int size,
                         cn_lamps *lamps, cn_error *err)
{
    *lamps = (cn_lamps){.centre = items->centre, .key = key_direction(view)};
    float *depth = NULL;
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &depth, &room, (size_t)size * (size_t)size, err));
    cn_status status = CN_OK;
    for (int k = 0; k < CN_LAMP_COUNT && status == CN_OK; k++) {
        bool is_sky = k < CN_LAMP_SKY;
        cn_vec3 towards = is_sky ? sky_direction(k) : key_lamp(lamps->key, k - CN_LAMP_SKY);
        lamps->open_sky += is_sky ? towards.z : 0.0;
        status = light_lamp(items, towards, is_sky ? size / 2 : size, depth, &lamps->lamp[k], err);
    }
    cn_release(NULL, depth);
    if (status != CN_OK) {
        cn_lamps_free(lamps);
    }
    return status;
}

void cn_lamps_free(cn_lamps *lamps)
{
    for (int k = 0; k < CN_LAMP_COUNT; k++) {
        cn_release(NULL, lamps->lamp[k].depth);
        lamps->lamp[k].depth = NULL;
    }
}

static inline float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Part of the lamp's light that reaches the point: 0 to 1.
static inline float reach_of(const cn_lamp *lamp, const float at[3])
{
    float s = dot(lamp->row[0], at) + lamp->shift[0], t = dot(lamp->row[1], at) + lamp->shift[1];
    float last = (float)(lamp->size - 1);
    if (!(s >= 0.0f && t >= 0.0f && s < last && t < last)) {
        return 1.0f;
    }
    float far = dot(lamp->row[2], at) + lamp->shift[2];
    int depth = far < NOTHING ? (int)far : NOTHING, i = (int)s, j = (int)t;
    const unsigned short *upper = lamp->depth + (size_t)j * (size_t)lamp->size + (size_t)i;
    const unsigned short *lower = upper + lamp->size;
    int open[4] = {upper[0] >= depth, upper[1] >= depth, lower[0] >= depth, lower[1] >= depth};
    int count = open[0] + open[1] + open[2] + open[3];
    if (count == 0 || count == 4) {
        return count == 0 ? 0.0f : 1.0f;
    }
    float x = s - (float)i, y = t - (float)j;
    float above = (1.0f - x) * (float)open[0] + x * (float)open[1];
    float below = (1.0f - x) * (float)open[2] + x * (float)open[3];
    return (1.0f - y) * above + y * below;
}

void cn_lamps_shine(const cn_lamps *lamps, cn_vec3 at, cn_vec3 normal, double *sky, double *key)
{
    float sum[2] = {0.0f, 0.0f};
    cn_vec3 p = cn_sub3(at, lamps->centre);
    const float x[3] = {(float)p.x, (float)p.y, (float)p.z};
    const float n[3] = {(float)normal.x, (float)normal.y, (float)normal.z};
    for (int k = 0; k < CN_LAMP_COUNT; k++) {
        const cn_lamp *lamp = &lamps->lamp[k];
        float slope = dot(n, lamp->towards);
        if (slope > 0.0f) {
            float lift = 1.2f * lamp->texel, lean = 0.8f * lamp->texel;
            float start[3];
            for (int c = 0; c < 3; c++) {
                start[c] = x[c] + lift * n[c] + lean * lamp->towards[c];
            }
            sum[k >= CN_LAMP_SKY] += slope * reach_of(lamp, start);
        }
    }
    *sky = sum[0] / lamps->open_sky;
    *key = sum[1] / CN_LAMP_KEY;
}
