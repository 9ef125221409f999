// output/picture/space_light.c -- lamps and what they reach.
//
// A lamp is far away: its map holds, on a raster across its direction, the depth of the first
// surface it meets. A point is lit if nothing in the map is nearer to the lamp. Points are lifted
// off their surface by about one sample of the map before they are compared, so that a surface does
// not shade itself; four neighbouring samples are mixed, so that shadows have no steps.
#include <math.h>

#include "output/picture/space_scene.h"

enum { NOTHING = 65535 };

static cn_vec3 unit(cn_vec3 a)
{
    return cn_mul3(1.0 / cn_norm3(a), a);
}

// Directions spread evenly: equal steps in height, golden angle around.
static cn_vec3 spiral(int k, int count, double height_min, double turn)
{
    double z = height_min + (1.0 - height_min) * (k + 0.5) / count;
    double across = sqrt(1.0 - z * z), angle = turn + k * CN_PI * (3.0 - sqrt(5.0));
    return cn_v3(across * cos(angle), across * sin(angle), z);
}

// The main light: from above, left of the camera and behind it.
static cn_vec3 key_direction(const cn_space_view *camera)
{
    cn_vec3 right = camera->axes.row[0], up = {0.0, 0.0, 1.0};
    cn_vec3 back = cn_cross3(right, up);
    return unit(cn_add_mul3(cn_add_mul3(cn_mul3(-0.62, right), 0.38, back), 1.0, up));
}

// A lamp within a small cone about the main light, which gives shadows soft edges.
static cn_vec3 key_lamp(cn_vec3 key, int k)
{
    cn_vec3 side = unit(cn_cross3(key, cn_v3(0.0, 1.0, 0.0))), other = cn_cross3(key, side);
    double reach = 0.07 * sqrt((k + 0.5) / CN_LAMP_KEY), angle = k * CN_PI * (3.0 - sqrt(5.0));
    return unit(cn_add_mul3(cn_add_mul3(key, reach * cos(angle), side), reach * sin(angle), other));
}

static cn_space_view lamp_view(const cn_items *items, cn_vec3 towards)
{
    cn_vec3 forward = cn_neg3(towards);
    cn_vec3 across = fabs(forward.z) < 0.9 ? cn_v3(0.0, 0.0, 1.0) : cn_v3(1.0, 0.0, 0.0);
    cn_vec3 right = unit(cn_cross3(forward, across));
    double reach = 1.01 * items->radius;
    return (cn_space_view){.eye = cn_add_mul3(items->centre, reach, towards),
                           .axes = {{right, cn_cross3(right, forward), forward}},
                           .scale = 0.5 * CN_LAMP_SIZE / reach,
                           .s_0 = 0.5 * CN_LAMP_SIZE,
                           .t_0 = 0.5 * CN_LAMP_SIZE,
                           .near = -INFINITY,
                           .is_parallel = true};
}

static cn_status light_lamp(const cn_items *items, double step, cn_space_buffer *buffer,
                            cn_lamp *lamp, cn_error *err)
{
    size_t count = (size_t)CN_LAMP_SIZE * CN_LAMP_SIZE, room = 0;
    CN_TRY(cn_reserve(NULL, &lamp->depth, &room, count, err));
    lamp->view = lamp_view(items, lamp->towards);
    cn_buffer_clear(buffer);
    cn_items_cast(items, &lamp->view, true, buffer);
    for (size_t k = 0; k < count; k++) {
        double steps = buffer->depth[k] / step;
        lamp->depth[k] = steps < NOTHING ? (unsigned short)fmax(steps, 0.0) : NOTHING;
    }
    return CN_OK;
}

cn_status cn_lamps_light(const cn_items *items, const cn_space_view *view, cn_lamps *lamps,
                         cn_error *err)
{
    *lamps = (cn_lamps){.step = 2.02 * items->radius / (NOTHING - 1),
                        .texel = 2.02 * items->radius / CN_LAMP_SIZE};
    lamps->key = key_direction(view);
    cn_space_buffer buffer = {.width = CN_LAMP_SIZE, .height = CN_LAMP_SIZE};
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &buffer.depth, &room, (size_t)CN_LAMP_SIZE * CN_LAMP_SIZE, err));
    cn_status status = CN_OK;
    for (int k = 0; k < CN_LAMP_COUNT && status == CN_OK; k++) {
        bool is_sky = k < CN_LAMP_SKY;
        lamps->lamp[k].towards =
            is_sky ? spiral(k, CN_LAMP_SKY, 0.05, 0.3) : key_lamp(lamps->key, k - CN_LAMP_SKY);
        status = light_lamp(items, lamps->step, &buffer, &lamps->lamp[k], err);
    }
    cn_release(NULL, buffer.depth);
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

// Part of the lamp's light that reaches the point: 0 to 1.
static double reach_of(const cn_lamps *lamps, const cn_lamp *lamp, cn_vec3 at)
{
    cn_vec3 local = cn_view_point(&lamp->view, at);
    double s = lamp->view.s_0 + lamp->view.scale * local.x - 0.5;
    double t = lamp->view.t_0 - lamp->view.scale * local.y - 0.5;
    if (!(s >= 0.0 && t >= 0.0 && s < CN_LAMP_SIZE - 1 && t < CN_LAMP_SIZE - 1)) {
        return 1.0;
    }
    int i = (int)s, j = (int)t;
    double x = s - i, y = t - j, depth = local.z / lamps->step;
    const unsigned short *map = lamp->depth + (size_t)j * CN_LAMP_SIZE + (size_t)i;
    double upper = (1.0 - x) * (map[0] >= depth) + x * (map[1] >= depth);
    double lower = (1.0 - x) * (map[CN_LAMP_SIZE] >= depth) + x * (map[CN_LAMP_SIZE + 1] >= depth);
    return (1.0 - y) * upper + y * lower;
}

void cn_lamps_shine(const cn_lamps *lamps, cn_vec3 at, cn_vec3 normal, double *sky, double *key)
{
    double sum[2] = {0.0, 0.0}, open_sky = 0.0;
    cn_vec3 lifted = cn_add_mul3(at, 1.2 * lamps->texel, normal);
    for (int k = 0; k < CN_LAMP_COUNT; k++) {
        const cn_lamp *lamp = &lamps->lamp[k];
        double slope = cn_dot3(normal, lamp->towards);
        bool is_sky = k < CN_LAMP_SKY;
        open_sky += is_sky ? fmax(lamp->towards.z, 0.0) : 0.0;
        if (slope > 0.0) {
            cn_vec3 start = cn_add_mul3(lifted, 0.8 * lamps->texel, lamp->towards);
            sum[!is_sky] += slope * reach_of(lamps, lamp, start);
        }
    }
    *sky = sum[0] / open_sky;
    *key = sum[1] / CN_LAMP_KEY;
}
