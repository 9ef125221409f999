// picture/space/camera.c -- where to look from, and the raster of a camera.
//
// Fitting a perspective view: each side plane of the pyramid of sight has a fixed direction, so the
// items push it outwards by a known amount; the left and right planes meet above one line, the
// upper and lower ones above another, and the eye stands on the farther of the two. A camera that
// turns sees each point as the circle that it runs about the vertical through the centre.
#include <math.h>

#include "picture/space/space_scene.h"

cn_space_def cn_space_def_default(void)
{
    return (cn_space_def){.line_width = 1.0, .sampling = 2};
}

static cn_vec3 unit(cn_vec3 a)
{
    return cn_mul3(1.0 / cn_norm3(a), a);
}

// Rows: right, up, forward.
static cn_mat3 axes_of(cn_vec3 forward, cn_vec3 up)
{
    cn_vec3 side = cn_cross3(forward, up);
    if (!(cn_norm3(side) > 1e-9 * cn_norm3(up))) { // straight up or down: y is up in the picture
        side =
            cn_cross3(forward, fabs(forward.y) < 0.9 ? cn_v3(0.0, 1.0, 0.0) : cn_v3(1.0, 0.0, 0.0));
    }
    cn_vec3 right = unit(side);
    return (cn_mat3){{right, cn_cross3(right, forward), forward}};
}

cn_vec3 cn_view_point(const cn_space_view *view, cn_vec3 world)
{
    return cn_mat3_mul(&view->axes, cn_sub3(world, view->eye));
}

cn_vec3 cn_view_world(const cn_space_view *view, double s, double t, double depth)
{
    double x = (s - view->s_0) / view->scale, y = (view->t_0 - t) / view->scale;
    cn_vec3 local = view->is_parallel ? cn_v3(x, y, depth) : cn_v3(x * depth, y * depth, depth);
    return cn_add3(view->eye, cn_mat3_mul_transposed(&view->axes, local));
}

cn_space_view cn_space_view_of(const cn_space_def *def)
{
    const cn_space_camera *camera = &def->camera;
    cn_vec3 gaze = cn_sub3(camera->target, camera->eye);
    double distance = cn_norm3(gaze), height = def->area[3] - def->area[1];
    bool is_parallel = camera->view_angle == 0.0;
    double seen = is_parallel ? camera->height : 2.0 * tan(0.5 * camera->view_angle);
    return (cn_space_view){.eye = camera->eye,
                           .axes = axes_of(cn_mul3(1.0 / distance, gaze), camera->up),
                           .scale = def->sampling * height / seen,
                           .s_0 = 0.5 * def->sampling * (def->area[0] + def->area[2]),
                           .t_0 = 0.5 * def->sampling * (def->area[1] + def->area[3]),
                           .near = is_parallel ? -INFINITY : 1e-3 * distance,
                           .is_parallel = is_parallel};
}

double cn_space_scale(const cn_space_def *def)
{
    cn_space_view view = cn_space_view_of(def);
    double distance = cn_norm3(cn_sub3(def->camera.target, def->camera.eye));
    return view.scale / def->sampling / (view.is_parallel ? 1.0 : distance);
}

static cn_vec3 look_direction(double azimuth, double elevation)
{
    return cn_v3(-cos(elevation) * cos(azimuth), -cos(elevation) * sin(azimuth), -sin(elevation));
}

// Largest value of each direction over all items, in camera axes about the origin of the world.
typedef struct extremes {
    cn_vec3 side[4]; // in axes of the world
    double most[4];
    cn_vec3 centre;
    bool is_turning;
} extremes;

static void push(void *context, cn_vec3 at, double reach)
{
    extremes *e = context;
    double around = 0.0;
    if (e->is_turning) {
        around = hypot(at.x - e->centre.x, at.y - e->centre.y);
        at = cn_v3(e->centre.x, e->centre.y, at.z);
    }
    for (int k = 0; k < 4; k++) {
        double wide = around * hypot(e->side[k].x, e->side[k].y);
        e->most[k] = fmax(e->most[k], cn_dot3(e->side[k], at) + wide + reach);
    }
}

static void push_box(extremes *e, const cn_box3 *box)
{
    for (int k = 0; k < 8; k++) {
        push(e,
             cn_v3(k & 1 ? box->hi.x : box->lo.x, k & 2 ? box->hi.y : box->lo.y,
                   k & 4 ? box->hi.z : box->lo.z),
             0.0);
    }
}

static cn_vec3 to_world(const cn_mat3 *axes, cn_vec3 local)
{
    return cn_mat3_mul_transposed(axes, local);
}

// right, left, upper, lower side; half angles 0: parallel
static extremes find_extremes(const cn_space_def *def, const cn_items *items, const cn_mat3 *axes,
                              double half_x, double half_y)
{
    extremes e = {.side = {to_world(axes, cn_v3(cos(half_x), 0.0, -sin(half_x))),
                           to_world(axes, cn_v3(-cos(half_x), 0.0, -sin(half_x))),
                           to_world(axes, cn_v3(0.0, cos(half_y), -sin(half_y))),
                           to_world(axes, cn_v3(0.0, -cos(half_y), -sin(half_y)))},
                  .most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                  .centre = items->centre,
                  .is_turning = def->is_turning};
    if (def->frame != NULL) {
        push_box(&e, def->frame);
    } else {
        cn_items_reach(items, push, &e);
    }
    if (!(e.most[0] > -INFINITY)) { // planes only
        push(&e, items->centre, items->radius);
    }
    return e;
}

static void fit_parallel(const cn_space_def *def, const cn_items *items, const cn_mat3 *axes,
                         const cn_space_gaze *gaze, cn_space_camera *camera)
{
    extremes e = find_extremes(def, items, axes, 0.0, 0.0);
    double width = e.most[0] + e.most[1], height = e.most[2] + e.most[3];
    camera->height = fmax(height, width / gaze->aspect) / (1.0 - 2.0 * gaze->margin);
    cn_vec3 centre = cn_mat3_mul(axes, items->centre);
    cn_vec3 target = cn_v3(0.5 * (e.most[0] - e.most[1]), 0.5 * (e.most[2] - e.most[3]), centre.z);
    camera->target = to_world(axes, target);
    target.z -= 2.0 * items->radius;
    camera->eye = to_world(axes, target);
}

static void fit_perspective(const cn_space_def *def, const cn_items *items, const cn_mat3 *axes,
                            const cn_space_gaze *gaze, cn_space_camera *camera)
{
    double tangent = tan(0.5 * camera->view_angle) * (1.0 - 2.0 * gaze->margin);
    double half_x = atan(gaze->aspect * tangent), half_y = atan(tangent);
    extremes e = find_extremes(def, items, axes, half_x, half_y);
    // cos x - sin z = most on the right plane, -cos x - sin z = most on the left one
    double x = 0.5 * (e.most[0] - e.most[1]) / cos(half_x);
    double y = 0.5 * (e.most[2] - e.most[3]) / cos(half_y);
    double z_x = -0.5 * (e.most[0] + e.most[1]) / sin(half_x);
    double z_y = -0.5 * (e.most[2] + e.most[3]) / sin(half_y);
    cn_vec3 centre = cn_mat3_mul(axes, items->centre);
    cn_vec3 eye = cn_v3(x, y, fmin(fmin(z_x, z_y), centre.z - 1e-6 * items->radius));
    camera->eye = to_world(axes, eye);
    camera->target = to_world(axes, cn_v3(x, y, centre.z));
    camera->height = 2.0 * (centre.z - eye.z) * tan(0.5 * camera->view_angle);
}

// Items, with the ball around what the camera shall see.
static cn_status collect(const cn_space_def *def, cn_items *items, cn_error *err)
{
    CN_TRY(cn_items_from_parts(def, items, err));
    if (def->frame != NULL) {
        items->centre = cn_mul3(0.5, cn_add3(def->frame->lo, def->frame->hi));
        items->radius = 0.5 * cn_norm3(cn_sub3(def->frame->hi, def->frame->lo));
    }
    return CN_OK;
}

cn_status cn_space_camera_fit(const cn_space_def *def, const cn_space_gaze *gaze,
                              cn_space_camera *camera, cn_error *err)
{
    bool is_good = isfinite(gaze->azimuth + gaze->elevation) && gaze->view_angle >= 0.0 &&
                   gaze->view_angle < 3.0 && gaze->aspect > 0.0 && isfinite(gaze->aspect) &&
                   gaze->margin >= 0.0 && gaze->margin < 0.5;
    if (!is_good) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a camera needs finite angles and a view angle of 0 to 3 rad, got azimuth "
                       "%g, elevation %g, view angle %g",
                       gaze->azimuth, gaze->elevation, gaze->view_angle);
    }
    cn_items items;
    CN_TRY(collect(def, &items, err));
    *camera = (cn_space_camera){.up = {0.0, 0.0, 1.0}, .view_angle = gaze->view_angle};
    cn_mat3 axes = axes_of(look_direction(gaze->azimuth, gaze->elevation), camera->up);
    if (gaze->view_angle == 0.0) {
        fit_parallel(def, &items, &axes, gaze, camera);
    } else {
        fit_perspective(def, &items, &axes, gaze, camera);
    }
    cn_items_free(&items);
    return CN_OK;
}

cn_status cn_space_aspect(const cn_space_def *def, double azimuth, double elevation, double *aspect,
                          cn_error *err)
{
    cn_items items;
    CN_TRY(collect(def, &items, err));
    cn_mat3 axes = axes_of(look_direction(azimuth, elevation), cn_v3(0.0, 0.0, 1.0));
    extremes e = find_extremes(def, &items, &axes, 0.0, 0.0);
    *aspect = (e.most[0] + e.most[1]) / (e.most[2] + e.most[3]);
    cn_items_free(&items);
    return CN_OK;
}

cn_status cn_space_box(const cn_space_def *def, cn_box3 *box, cn_error *err)
{
    cn_items items;
    CN_TRY(cn_items_from_parts(def, &items, err));
    *box = items.box;
    cn_items_free(&items);
    return CN_OK;
}
