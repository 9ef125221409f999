// output/picture/space_frame.c -- frames in space: solids of bodies as parts, contact forces and
// joints as rods, the camera, and which fixed bodies must not stand in the way.
#include <math.h>

#include "output/picture/render.h"
#include "output/picture/space_meshes.h"
#include "output/profile.h"
#include "solid/solid.h"

enum { SIDES = 64, RINGS = CN_PROFILE_RINGS_MAX }; // of round solids that are drawn as faces

// Faces of a solid that is neither a ball nor a rod nor a hull.
typedef struct skin {
    cn_vec3 *vertex;
    int *start, *loop;
    int face_count, vertex_count;
    size_t vertex_room, start_room, loop_room;
} skin;

struct cn_tableau {
    int *start;            // body_count + 1: parts of each body
    cn_space_part *part;   // one per solid
    cn_hull **hull;        // per part, NULL unless a hull
    skin *skin;            // per part, empty unless it needs one
    cn_coat *coat;         // per part, empty unless it is a deformable body
    cn_space_faces *faces; // per part
    cn_space_force *force;
    cn_space_film *film;
    size_t force_room;
    int part_count, body_count; // behind the parts of bodies: rods and cables
    cn_box3 frame;              // asked for
    cn_space_def def;
};

void cn_tableau_destroy(cn_tableau *tableau)
{
    if (tableau == NULL) {
        return;
    }
    for (int k = 0; tableau->hull != NULL && k < tableau->part_count; k++) {
        cn_hull_destroy(NULL, tableau->hull[k]);
    }
    for (int k = 0; tableau->skin != NULL && k < tableau->part_count; k++) {
        cn_release(NULL, tableau->skin[k].vertex);
        cn_release(NULL, tableau->skin[k].start);
        cn_release(NULL, tableau->skin[k].loop);
    }
    for (int k = 0; tableau->coat != NULL && k < tableau->part_count; k++) {
        cn_coat_free(&tableau->coat[k]);
    }
    cn_release(NULL, tableau->start);
    cn_release(NULL, tableau->part);
    cn_release(NULL, tableau->hull);
    cn_release(NULL, tableau->skin);
    cn_release(NULL, tableau->coat);
    cn_release(NULL, tableau->faces);
    cn_release(NULL, tableau->force);
    cn_release(NULL, tableau->film);
    cn_release(NULL, tableau);
}

static cn_quat quat_of(const double q[4])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0.0 ? cn_quat_unit((cn_quat){q[0], q[1], q[2], q[3]})
                        : (cn_quat){1.0, 0.0, 0.0, 0.0};
}

// A place that is not finite stays so, and is left out of the picture.
static cn_space_part place_solid(const cn_solid_def *solid, const double q[7], int body)
{
    cn_quat turn = quat_of(q + 3);
    cn_mat3 R = cn_quat_matrix(turn);
    cn_vec3 shift = cn_mat3_mul(&R, cn_v3(solid->at[0], solid->at[1], solid->at[2]));
    return (cn_space_part){.kind = solid->kind,
                           .radius = solid->radius,
                           .length = solid->length,
                           .at = cn_add3(cn_v3(q[0], q[1], q[2]), shift),
                           .turn = cn_quat_matrix(cn_quat_mul(turn, quat_of(solid->turn))),
                           .body = body};
}

static cn_status add_hull(cn_tableau *tableau, int k, const cn_solid_def *solid, cn_error *err)
{
    CN_TRY(cn_hull_create(NULL, solid->point, solid->point_count, &tableau->hull[k], err));
    const cn_hull *hull = tableau->hull[k];
    tableau->faces[k] = (cn_space_faces){.vertex_count = hull->vertex_count,
                                         .face_count = hull->face_count,
                                         .vertex = hull->vertex,
                                         .face_start = hull->face_start,
                                         .face_vertex = hull->face_vertex};
    tableau->part[k].faces = &tableau->faces[k];
    return CN_OK;
}

static cn_status add_face(void *context, const cn_vec3 *corner, int count, cn_error *err)
{
    skin *s = context;
    size_t vertices = (size_t)(s->vertex_count + count);
    CN_TRY(cn_reserve(NULL, &s->vertex, &s->vertex_room, vertices, err));
    CN_TRY(cn_reserve(NULL, &s->loop, &s->loop_room, vertices, err));
    CN_TRY(cn_reserve(NULL, &s->start, &s->start_room, (size_t)s->face_count + 2, err));
    s->start[s->face_count++] = s->vertex_count;
    for (int k = 0; k < count; k++, s->vertex_count++) {
        s->vertex[s->vertex_count] = corner[k];
        s->loop[s->vertex_count] = s->vertex_count;
    }
    s->start[s->face_count] = s->vertex_count;
    return CN_OK;
}

// Of a container the inside is drawn, which is seen from there only: the near wall is as if it were
// cut away.
static cn_status add_skin(cn_tableau *tableau, int k, const cn_solid_def *solid, cn_error *err)
{
    skin *s = &tableau->skin[k];
    for (int t = 0; solid->kind == CN_SOLID_SURFACE && t < solid->point_count; t += 3) {
        const double *p = solid->point + 3 * (size_t)t;
        const cn_vec3 corner[3] = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}};
        CN_TRY(add_face(s, corner, 3, err));
    }
    cn_profile profile = cn_profile_of(solid, RINGS, true);
    CN_TRY(cn_profile_revolve(&profile, SIDES, add_face, s, err));
    tableau->faces[k] = (cn_space_faces){.vertex_count = s->vertex_count,
                                         .face_count = s->face_count,
                                         .vertex = s->vertex,
                                         .face_start = s->start,
                                         .face_vertex = s->loop};
    tableau->part[k].faces = &tableau->faces[k];
    tableau->part[k].kind = CN_SOLID_HULL;
    return CN_OK;
}

// Solids of a body, or the one part of a deformable body, which `figure` then knows.
static const cn_solid_def *solids_of(const cn_render_plan *plan, int i, cn_figure *figure,
                                     int *count)
{
    const cn_picture_frame *frame = plan->frame;
    *count = 0;
    cn_figure_take_mesh(plan, i, figure);
    const cn_solid_def *solid = frame->solids(frame->context, frame->state.id[i], count);
    *count = figure->nodes != NULL ? 1 : solid != NULL ? *count : 0;
    return solid;
}

static cn_status add_mesh(cn_tableau *tableau, int k, const cn_figure *figure, const double q[7],
                          cn_error *err)
{
    cn_vec3 origin = cn_v3(q[0], q[1], q[2]);
    cn_space_part *part = &tableau->part[k];
    CN_TRY(cn_coat_make(figure, origin, &tableau->coat[k], err));
    part->kind = CN_SOLID_HULL;
    part->at = origin;
    part->turn = (cn_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    part->faces = &tableau->coat[k].faces;
    return CN_OK;
}

static cn_status reserve_parts(const cn_render_plan *plan, cn_tableau *tableau, cn_error *err)
{
    size_t room[6] = {0}, bodies = (size_t)tableau->body_count;
    CN_TRY(cn_reserve(NULL, &tableau->start, &room[0], bodies + 1, err));
    int total = 0;
    for (int i = 0; i < tableau->body_count; i++) {
        int count;
        cn_figure figure;
        solids_of(plan, i, &figure, &count);
        tableau->start[i] = total;
        total += count;
    }
    tableau->start[tableau->body_count] = total;
    const cn_frame *state = &plan->frame->state;
    for (int n = 0; n < state->joint_count; n++) {
        total += cn_joint_is_line(&state->joint[n]) ? 1 : 0;
    }
    CN_TRY(cn_reserve(NULL, &tableau->part, &room[1], (size_t)total, err));
    CN_TRY(cn_reserve(NULL, &tableau->faces, &room[2], (size_t)total, err));
    CN_TRY(cn_reserve(NULL, &tableau->hull, &room[3], (size_t)total, err));
    for (int k = 0; k < total; k++) {
        tableau->hull[k] = NULL;
    }
    tableau->part_count = total;
    CN_TRY(cn_reserve(NULL, &tableau->skin, &room[4], (size_t)total, err));
    for (int k = 0; k < total; k++) {
        tableau->skin[k] = (skin){0};
    }
    CN_TRY(cn_reserve(NULL, &tableau->coat, &room[5], (size_t)total, err));
    for (int k = 0; k < total; k++) {
        tableau->coat[k] = (cn_coat){0};
    }
    return CN_OK;
}

static cn_status fill(const cn_render_plan *plan, cn_tableau *tableau, cn_error *err)
{
    CN_TRY(reserve_parts(plan, tableau, err));
    for (int i = 0; i < tableau->body_count; i++) {
        int count;
        cn_figure figure;
        const double *q = plan->frame->state.q + 7 * (size_t)i;
        const cn_solid_def *solid = solids_of(plan, i, &figure, &count);
        if (figure.nodes != NULL) {
            tableau->part[tableau->start[i]] = (cn_space_part){.body = i};
            CN_TRY(add_mesh(tableau, tableau->start[i], &figure, q, err));
            continue;
        }
        for (int k = tableau->start[i]; k < tableau->start[i + 1]; k++, solid++) {
            tableau->part[k] = place_solid(solid, q, i);
            if (solid->kind == CN_SOLID_HULL) {
                CN_TRY(add_hull(tableau, k, solid, err));
            } else if (solid->kind > CN_SOLID_HALF_SPACE) {
                CN_TRY(add_skin(tableau, k, solid, err));
            }
        }
    }
    const cn_frame *state = &plan->frame->state;
    for (int n = 0, k = tableau->start[tableau->body_count]; n < state->joint_count; n++) {
        if (cn_joint_is_line(&state->joint[n])) {
            tableau->part[k++] = cn_joint_line(&state->joint[n]);
        }
    }
    return CN_OK;
}

cn_status cn_tableau_create(const cn_render_plan *plan, cn_tableau **tableau, cn_error *err)
{
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, tableau, &room, 1, err));
    **tableau =
        (cn_tableau){.body_count = plan->frame->state.body_count, .def = cn_space_def_default()};
    return fill(plan, *tableau, err);
}

// Adds surface and volume inside the faces.
static void measure_faces(const cn_space_faces *faces, double *surface, double *volume)
{
    double inside = 0.0;
    for (int f = 0; f < faces->face_count; f++) {
        const int *loop = faces->face_vertex + faces->face_start[f];
        cn_vec3 sum = {0.0, 0.0, 0.0}, a = faces->vertex[loop[0]];
        for (int k = 1; k + 1 < faces->face_start[f + 1] - faces->face_start[f]; k++) {
            sum = cn_add3(sum, cn_cross3(cn_sub3(faces->vertex[loop[k]], a),
                                         cn_sub3(faces->vertex[loop[k + 1]], a)));
        }
        *surface += 0.5 * cn_norm3(sum);
        inside += cn_dot3(a, sum) / 6.0;
    }
    *volume += fabs(inside);
}

void cn_tableau_measure(const cn_tableau *tableau, int body, cn_figure *figure)
{
    double surface = 0.0, volume = 0.0;
    for (int k = tableau->start[body]; k < tableau->start[body + 1] && figure->is_drawn; k++) {
        const cn_space_part *p = &tableau->part[k];
        double r = p->radius, length = p->kind == CN_SOLID_CAPSULE ? p->length : 0.0;
        if (p->kind == CN_SOLID_HULL) {
            measure_faces(p->faces, &surface, &volume);
        } else if (p->kind == CN_SOLID_HALF_SPACE) {
            figure->has_plane = true;
        } else {
            surface += 2.0 * CN_PI * r * (2.0 * r + length);
            volume += CN_PI * r * r * (4.0 / 3.0 * r + length);
        }
    }
    figure->perimeter = surface;
    figure->size =
        surface > 0.0 ? 6.0 * volume / surface : 0.0; // diameter of a sphere, side of a cube
}

// How far the part reaches from its place.
static double part_reach(const cn_tableau *tableau, int k)
{
    const cn_space_part *p = &tableau->part[k];
    double reach = p->kind == CN_SOLID_CAPSULE ? p->radius + 0.5 * p->length : p->radius;
    for (int n = 0; p->faces != NULL && n < p->faces->vertex_count; n++) {
        reach = fmax(reach, cn_norm3(p->faces->vertex[n]));
    }
    return reach;
}

static bool is_free(const cn_render_plan *plan, int body)
{
    const cn_figure *f = body >= 0 ? &plan->figure[body] : NULL;
    return f != NULL && f->is_drawn && !f->is_fixed && f->perimeter > 0.0;
}

// Half the longest side of the box of free bodies; 0: there are none.
static double free_extent(const cn_render_plan *plan)
{
    const cn_tableau *tableau = plan->tableau;
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < tableau->part_count; k++) {
        const cn_space_part *p = &tableau->part[k];
        double reach = part_reach(tableau, k), at[3] = {p->at.x, p->at.y, p->at.z};
        for (int c = 0; c < 3 && is_free(plan, p->body); c++) {
            lo[c] = fmin(lo[c], at[c] - reach);
            hi[c] = fmax(hi[c], at[c] + reach);
        }
    }
    return 0.5 * fmax(fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2])), 0.0);
}

static void dress_lines(cn_render_plan *plan)
{
    const cn_frame *state = &plan->frame->state;
    cn_space_part *part = plan->tableau->part + plan->tableau->start[plan->tableau->body_count];
    for (int n = 0; n < state->joint_count; n++) {
        if (cn_joint_is_line(&state->joint[n])) {
            (part++)->radius = cn_joint_radius(plan, &state->joint[n]);
        }
    }
}

// Colours; fixed parts much larger than all free bodies together are scenery.
static cn_status dress(cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    dress_lines(plan);
    double extent = free_extent(plan);
    for (int k = 0; k < tableau->start[tableau->body_count]; k++) {
        cn_space_part *p = &tableau->part[k];
        const cn_figure *f = &plan->figure[p->body];
        p->colour = cn_plan_fill(plan, f);
        p->is_scenery = extent > 0.0 && f->is_fixed && part_reach(tableau, k) > 3.0 * extent;
        if (f->nodes != NULL) {
            CN_TRY(cn_coat_colour(plan, f, &tableau->coat[k], err));
        }
    }
    tableau->def.part = tableau->part;
    tableau->def.part_count = tableau->part_count;
    return CN_OK;
}

static cn_status take_frame(cn_render_plan *plan, cn_error *err)
{
    const double *v = plan->def->view;
    bool is_good = v[0] < v[3] && v[1] < v[4] && v[2] < v[5] && isfinite(v[3] - v[0]) &&
                   isfinite(v[4] - v[1]) && isfinite(v[5] - v[2]);
    if (!is_good) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a view in space is x_min, y_min, z_min, x_max, y_max, z_max with min < "
                       "max, got %g, %g, %g, %g, %g, %g",
                       v[0], v[1], v[2], v[3], v[4], v[5]);
    }
    plan->tableau->frame = (cn_box3){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    plan->tableau->def.frame = &plan->tableau->frame;
    return CN_OK;
}

cn_status cn_tableau_box(cn_render_plan *plan, double view[6], cn_error *err)
{
    CN_TRY(dress(plan, err));
    cn_box3 box;
    CN_TRY(cn_space_box(&plan->tableau->def, &box, err));
    const double sides[6] = {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
    for (int k = 0; k < 6; k++) {
        view[k] = sides[k];
    }
    return CN_OK;
}

// A box of the shape of what will be seen, so that a height that was not asked for follows from it.
cn_status cn_tableau_view(cn_render_plan *plan, cn_error *err)
{
    const cn_render_def *def = plan->def;
    CN_TRY(dress(plan, err));
    if (def->has_view) {
        CN_TRY(take_frame(plan, err));
    }
    plan->tableau->def.is_turning = def->is_turning;
    double aspect;
    CN_TRY(cn_space_aspect(&plan->tableau->def, def->azimuth, def->elevation, &aspect, err));
    plan->view[0] = plan->view[1] = 0.0;
    plan->view[2] = 1.0;
    plan->view[3] = fmin(fmax(1.0 / aspect, 0.5), 0.85);
    return CN_OK;
}

// Whether the segment from a to b, in the frame of the hull, passes through it.
static bool is_crossed(const cn_hull *hull, cn_vec3 a, cn_vec3 b)
{
    double enter = 0.0, leave = 1.0;
    for (int f = 0; f < hull->face_count; f++) {
        double start = cn_dot3(hull->normal[f], a) - hull->offset[f];
        double end = cn_dot3(hull->normal[f], b) - hull->offset[f];
        if (start > 0.0 && end > 0.0) {
            return false;
        }
        if (start > 0.0) {
            enter = fmax(enter, start / (start - end));
        } else if (end > 0.0) {
            leave = fmin(leave, start / (start - end));
        }
    }
    return enter < leave;
}

// The part of the free bodies that a hull hides. A few hundred of them tell enough.
static double hidden_share(const cn_render_plan *plan, int k)
{
    const cn_tableau *tableau = plan->tableau;
    const cn_space_part *p = &tableau->part[k];
    int seen = 0, hidden = 0, stride = 1 + tableau->body_count / 400;
    cn_vec3 eye = cn_mat3_mul_transposed(&p->turn, cn_sub3(tableau->def.camera.eye, p->at));
    for (int i = 0; i < tableau->body_count; i += stride) {
        if (is_free(plan, i)) {
            const double *at = plan->figure[i].at;
            cn_vec3 centre = cn_sub3(cn_v3(at[0], at[1], at[2]), p->at);
            seen++;
            hidden += is_crossed(tableau->hull[k], eye, cn_mat3_mul_transposed(&p->turn, centre));
        }
    }
    return seen > 0 ? (double)hidden / seen : 0.0;
}

// A fixed body between the eye and many free bodies is drawn as wires, as far as it hides them: a
// pipe of many plates is seen through in front and keeps its back.
static void clear_sight(const cn_render_plan *plan, int body)
{
    cn_tableau *tableau = plan->tableau;
    double share = 0.0;
    for (int k = tableau->start[body]; k < tableau->start[body + 1]; k++) {
        share += tableau->hull[k] != NULL ? hidden_share(plan, k) : 0.0;
    }
    for (int k = tableau->start[body]; k < tableau->start[body + 1] && share > 0.2; k++) {
        cn_space_part *p = &tableau->part[k];
        if (tableau->hull[k] != NULL && hidden_share(plan, k) > 0.04) {
            p->is_ghost = true;
            p->colour = cn_tone_faint();
        }
    }
}

cn_status cn_tableau_aim(cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    const cn_render_def *def = plan->def;
    double width = plan->area[2] - plan->area[0], height = plan->area[3] - plan->area[1];
    for (int k = 0; k < 4; k++) {
        tableau->def.area[k] = plan->area[k];
    }
    tableau->def.line_width = plan->ui;
    CN_TRY(cn_space_camera_fit(&tableau->def, def->azimuth, def->elevation, def->view_angle,
                               width / height, 0.05, &tableau->def.camera, err));
    plan->scale = cn_space_scale(&tableau->def);
    for (int i = 0; i < tableau->body_count; i++) {
        if (plan->figure[i].is_fixed) {
            clear_sight(plan, i);
        }
    }
    return CN_OK;
}

// How far a body reaches from the point along `sign` times the normal [m].
static double reach(const cn_render_plan *plan, int body, const cn_contact *c, double sign)
{
    if (body < 0 || body >= plan->frame->state.body_count || !plan->figure[body].is_drawn ||
        plan->figure[body].has_plane) {
        return 0.0;
    }
    const double *at = plan->figure[body].at;
    double along = 0.0;
    for (int k = 0; k < 3; k++) {
        along += (at[k] - c->point[k]) * c->normal[k];
    }
    return fmax(0.0, sign * along);
}

// Each contact with an impulse is a rod through its point along its normal, as far as the mass
// centres of the two bodies project on it.
static cn_status make_forces(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    const cn_frame *state = &plan->frame->state;
    int count = tableau->def.force_count;
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)(count + state->contact_count), err));
    for (int a = 0; a < state->contact_count; a++) {
        const cn_contact *c = &state->contact[a];
        double radius = 0.5 * cn_contact_force(plan->frame, c) * plan->force_scale;
        if (!(radius * plan->scale > 0.05)) { // thinner than can be seen
            continue;
        }
        cn_vec3 point = cn_v3(c->point[0], c->point[1], c->point[2]);
        cn_vec3 normal = cn_v3(c->normal[0], c->normal[1], c->normal[2]);
        double up = reach(plan, c->i, c, 1.0), down = reach(plan, c->j, c, -1.0);
        bool is_beyond = c->shift[0] != 0 || c->shift[1] != 0 || c->shift[2] != 0;
        tableau->force[count++] =
            (cn_space_force){.end = {cn_add_mul3(point, up, normal),
                                     cn_add_mul3(point, is_beyond ? -up : -down, normal)},
                             .radius = radius,
                             .colour = cn_plan_force_colour(plan, c)};
    }
    tableau->def.force_count = count;
    return CN_OK;
}

// Joints that are no lines.
static cn_status make_pins(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    const cn_frame *state = &plan->frame->state;
    int count = tableau->def.force_count;
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)(count + state->joint_count), err));
    for (int n = 0; n < state->joint_count; n++) {
        if (!state->joint[n].is_broken && !cn_joint_is_line(&state->joint[n])) {
            tableau->force[count++] = cn_joint_pin(plan, &state->joint[n]);
        }
    }
    tableau->def.force_count = count;
    return CN_OK;
}

// The affine field through the openings of the corners, by least squares about their mean.
static void fit_film(const cn_seam *seam, double value_max, cn_space_film *film)
{
    double n = seam->corner_count, mean = 0.0;
    cn_vec3 middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < seam->corner_count; k++) {
        middle = cn_add_mul3(middle, 1.0 / n, seam->corner[k]);
        mean += seam->opening[k] / n;
    }
    cn_vec3 u = cn_sub3(seam->corner[0], middle);
    cn_vec3 normal = cn_cross3(u, cn_sub3(seam->corner[1], middle)), v = cn_cross3(normal, u);
    double uu = 0.0, uv = 0.0, vv = 0.0, u_value = 0.0, v_value = 0.0;
    for (int k = 0; k < seam->corner_count; k++) {
        cn_vec3 arm = cn_sub3(seam->corner[k], middle);
        double a = cn_dot3(u, arm), b = cn_dot3(v, arm), value = seam->opening[k] - mean;
        uu += a * a;
        uv += a * b;
        vv += b * b;
        u_value += a * value;
        v_value += b * value;
    }
    double det = uu * vv - uv * uv;
    if (det > 0.0) {
        film->gradient = cn_add3(cn_mul3((vv * u_value - uv * v_value) / det / value_max, u),
                                 cn_mul3((uu * v_value - uv * u_value) / det / value_max, v));
    }
    film->value = mean / value_max + cn_dot3(film->gradient, cn_sub3(film->corner[0], middle));
}

// Patches become films; where bodies touched along a line or at a point, a rod tells the opening.
static cn_status make_films(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    size_t room = 0, count = (size_t)plan->seam_count;
    CN_TRY(cn_reserve(NULL, &tableau->film, &room, count, err));
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)tableau->def.force_count + count, err));
    for (int k = 0; k < plan->seam_count; k++) {
        const cn_seam *seam = &plan->seam[k];
        if (!cn_seam_is_shown(plan, seam)) {
            continue;
        }
        if (seam->corner_count < 3) {
            tableau->force[tableau->def.force_count++] = (cn_space_force){
                .end = {seam->corner[0], seam->corner[seam->corner_count - 1]},
                .radius = 0.03 * seam->size,
                .colour = cn_scale_at(&plan->colours, seam->most / plan->value_max)};
            continue;
        }
        cn_space_film *film = &tableau->film[tableau->def.film_count++];
        *film = (cn_space_film){.corner_count = seam->corner_count, .scale = &plan->colours};
        for (int c = 0; c < seam->corner_count; c++) {
            film->corner[c] = seam->corner[c];
        }
        fit_film(seam, plan->value_max, film);
    }
    tableau->def.film = tableau->film;
    return CN_OK;
}

double cn_tableau_stress_max(const cn_render_plan *plan, int body)
{
    const cn_tableau *tableau = plan->tableau;
    return cn_coat_stress_max(&plan->figure[body], &tableau->coat[tableau->start[body]]);
}

// Principal stresses on the surfaces of deformable bodies.
static cn_status make_crosses(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    size_t most = (size_t)tableau->def.force_count;
    for (int k = 0; k < tableau->part_count; k++) {
        most += 3 * (size_t)tableau->coat[k].faces.face_count;
    }
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room, most, err));
    int count = tableau->def.force_count;
    for (int i = 0; i < tableau->body_count; i++) {
        if (plan->figure[i].nodes != NULL && plan->figure[i].is_drawn) {
            int k = tableau->start[i];
            count += cn_coat_crosses(plan, &plan->figure[i], &tableau->coat[k], tableau->part[k].at,
                                     tableau->def.camera.eye, tableau->force + count);
        }
    }
    tableau->def.force_count = count;
    return CN_OK;
}

cn_status cn_tableau_paint(const cn_render_plan *plan, cn_canvas *canvas, cn_error *err)
{
    plan->tableau->def.force_count = 0;
    CN_TRY(make_pins(plan, err));
    if (cn_plan_has_forces(plan)) {
        CN_TRY(make_forces(plan, err));
    } else if (plan->seam_count > 0) {
        CN_TRY(make_films(plan, err));
    } else if (plan->def->paint == CN_PAINT_PRINCIPAL) {
        CN_TRY(make_crosses(plan, err));
    }
    plan->tableau->def.force = plan->tableau->force;
    return cn_space_draw(&plan->tableau->def, canvas, err);
}
