// picture/space/space_frame.c -- frames in space: solids of bodies and lines of joints as parts.
#include <math.h>

#include "geometry/space/solid_kind.h"
#include "picture/space/space_frame.h"

enum { SIDES = 64, RINGS = CN_PROFILE_RINGS_MAX }; // of round solids that are drawn as faces

void cn_tableau_destroy(cn_tableau *tableau)
{
    if (tableau == NULL) {
        return;
    }
    for (int k = 0; tableau->hull != NULL && k < tableau->part_count; k++) {
        cn_hull_destroy(NULL, tableau->hull[k]);
    }
    for (int k = 0; tableau->skin != NULL && k < tableau->part_count; k++) {
        CN_RELEASE(tableau->skin[k].vertex, tableau->skin[k].start, tableau->skin[k].loop);
    }
    for (int k = 0; tableau->coat != NULL && k < tableau->part_count; k++) {
        cn_coat_free(&tableau->coat[k]);
    }
    CN_RELEASE(tableau->start, tableau->part, tableau->hull, tableau->skin, tableau->coat,
               tableau->faces, tableau->force, tableau->film, tableau);
}

static cn_quat quat_of(const double q[4])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0.0 ? cn_quat_unit((cn_quat){q[0], q[1], q[2], q[3]})
                        : (cn_quat){1.0, 0.0, 0.0, 0.0};
}

static cn_part_kind part_kind(const cn_solid_def *solid)
{
    const cn_solid_ops *ops = cn_solid_ops_of(solid->kind);
    return ops->is_unbounded     ? CN_PART_GROUND
           : ops->end_count == 0 ? CN_PART_FACES
           : ops->end_count == 1 ? CN_PART_BALL
                                 : CN_PART_ROD;
}

// A place that is not finite stays so, and is left out of the picture.
static cn_space_part place_solid(const cn_solid_def *solid, const double q[7], int body)
{
    cn_quat turn = quat_of(q + 3);
    cn_mat3 R = cn_quat_matrix(turn);
    cn_vec3 shift = cn_mat3_mul(&R, cn_v3(solid->at[0], solid->at[1], solid->at[2]));
    return (cn_space_part){.kind = part_kind(solid),
                           .radius = solid->radius,
                           .length = solid->length,
                           .at = cn_add3(cn_v3(q[0], q[1], q[2]), shift),
                           .turn = cn_quat_matrix(cn_quat_mul(turn, quat_of(solid->rotation))),
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
    cn_skin_faces *s = context;
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
    cn_skin_faces *s = &tableau->skin[k];
    cn_fineness fine = {.rings = RINGS, .sides = SIDES, .is_inside_only = true};
    CN_TRY(cn_solid_faces(solid, &fine, add_face, s, err));
    tableau->faces[k] = (cn_space_faces){.vertex_count = s->vertex_count,
                                         .face_count = s->face_count,
                                         .vertex = s->vertex,
                                         .face_start = s->start,
                                         .face_vertex = s->loop};
    tableau->part[k].faces = &tableau->faces[k];
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
    part->kind = CN_PART_FACES;
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
        tableau->skin[k] = (cn_skin_faces){0};
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
            if (tableau->part[k].kind == CN_PART_FACES) {
                bool is_hull = cn_solid_ops_of(solid->kind)->faces == NULL;
                CN_TRY(is_hull ? add_hull(tableau, k, solid, err)
                               : add_skin(tableau, k, solid, err));
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
        double r = p->radius, length = p->kind == CN_PART_ROD ? p->length : 0.0;
        if (p->kind == CN_PART_FACES) {
            measure_faces(p->faces, &surface, &volume);
        } else if (p->kind == CN_PART_GROUND) {
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
