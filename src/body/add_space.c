// body/add_space.c -- bodies in space get their solids, principal frame, mass and state (3.7).
#include <math.h>
#include <string.h>

#include "body/bodies.h"
#include "math/mat3_quat.h"

// Principal inertias and axes of a symmetric tensor by Jacobi rotations. Rows of B are the axes; a
// tensor that is diagonal to rounding keeps its axes, so that boxes and spheres stay as they were
// given.
static void principal_axes(const double tensor[6], double J[3], cn_mat3 *B)
{
    double A[3][3] = {{tensor[0], tensor[5], tensor[4]},
                      {tensor[5], tensor[1], tensor[3]},
                      {tensor[4], tensor[3], tensor[2]}};
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // rows: axes
    double scale = fabs(A[0][0]) + fabs(A[1][1]) + fabs(A[2][2]);
    for (int sweep = 0; sweep < 50; sweep++) {
        double off = fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]);
        if (!(off > 1e-14 * scale)) {
            break;
        }
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (A[p][q] == 0.0) {
                    continue;
                }
                double angle = 0.5 * atan2(2.0 * A[p][q], A[q][q] - A[p][p]);
                double c = cos(angle), s = sin(angle);
                for (int k = 0; k < 3; k++) { // A <- A G
                    double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) { // A <- G^T A, V <- G^T V
                    double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                    x = V[p][k];
                    y = V[q][k];
                    V[p][k] = c * x - s * y;
                    V[q][k] = s * x + c * y;
                }
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        J[k] = A[k][k];
        B->row[k] = cn_v3(V[k][0], V[k][1], V[k][2]);
    }
}

static cn_status orientation_of(const cn_body_def *def, cn_quat *turn, cn_error *err)
{
    cn_quat q = {def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]};
    double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (size == 0.0) {
        *turn = (cn_quat){1.0, 0.0, 0.0, 0.0};
        return CN_OK;
    }
    if (!(fabs(size - 1.0) < 1e-6)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a body has orientation (%g, %g, %g, %g), which is no unit "
                       "quaternion",
                       q.w, q.x, q.y, q.z);
    }
    *turn = cn_quat_unit(q);
    return CN_OK;
}

// The placed solid as a definition in the principal frame: what views and results show.
static void describe(const cn_solid_def *def, const cn_solid *solid, cn_quat principal,
                     cn_solid_def *out)
{
    cn_vec3 at = cn_mul3(0.5, cn_add3(solid->end[0], solid->end[1]));
    cn_quat turn = {def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]};
    bool is_turned = turn.w != 0.0 || turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
    cn_quat placed = is_turned ? cn_quat_unit(cn_quat_mul(principal, turn)) : principal;
    *out = (cn_solid_def){.kind = solid->kind,
                          .radius = def->radius,
                          .length = def->length,
                          .thickness = def->thickness,
                          .size = {def->size[0], def->size[1], def->size[2]},
                          .ends = def->ends,
                          .at = {at.x, at.y, at.z},
                          .rotation = {placed.w, placed.x, placed.y, placed.z}};
    if (solid->hull != NULL || solid->mesh != NULL) { // vertices are stored placed
        bool is_hull = solid->hull != NULL;
        *out = (cn_solid_def){
            .kind = solid->kind,
            .point_count = is_hull ? solid->hull->vertex_count : 3 * solid->mesh->triangle_count,
            .point = is_hull ? &solid->hull->vertex[0].x : &solid->mesh->corner[0].x,
            .rotation = {1.0, 0.0, 0.0, 0.0}};
    }
}

static cn_status place_solids(cn_bodies *b, const cn_body_def *def, cn_vec3 centre,
                              const cn_mat3 *B, cn_error *err)
{
    int i = b->count, first = b->shape_start[i];
    b->reach[i] = 0.0;
    for (int k = 0; k < def->solids.count; k++) {
        cn_status status =
            cn_solid_place(&def->solids.item[k], centre, B, b->hooks, &b->solid[first + k], err);
        if (status != CN_OK) {
            for (int s = 0; s < k; s++) {
                cn_solid_free(b->hooks, &b->solid[first + s]);
            }
            return status;
        }
        b->solid[first + k].body = i;
        describe(&def->solids.item[k], &b->solid[first + k], cn_mat3_quat(B),
                 &b->solid_def[first + k]);
        b->reach[i] = fmax(b->reach[i], b->solid[first + k].reach);
    }
    b->shape_start[i + 1] = first + def->solids.count;
    return CN_OK;
}

static void set_state(cn_bodies *b, const cn_body_def *def, cn_quat turn, cn_vec3 centre,
                      const cn_mat3 *B)
{
    int i = b->count;
    double *q = b->q + 7 * i, *v = b->v + 6 * i;
    cn_mat3 R = cn_quat_matrix(turn);
    cn_vec3 moved = cn_mat3_mul(&R, centre);
    cn_quat frame = cn_mat3_quat(B); // takes vectors of the definition to the principal frame
    cn_quat back = {frame.w, -frame.x, -frame.y, -frame.z};
    cn_quat principal = cn_quat_unit(cn_quat_mul(turn, back));
    const double at[7] = {def->at[0] + moved.x, def->at[1] + moved.y, def->at[2] + moved.z,
                          principal.w,          principal.x,          principal.y,
                          principal.z};
    memcpy(q, at, sizeof at);
    memcpy(v, def->velocity, 3 * sizeof *v);
    memcpy(v + 3, def->angular_velocity, 3 * sizeof *v);
    memcpy(b->frame + 4 * i, &frame, sizeof frame);
}

// Surfaces are met by what is convex, not by each other and not by half-spaces: they must be held.
static cn_status check_surfaces(const cn_body_def *def, cn_error *err)
{
    bool is_held = (def->fixed & CN_FIXED_ALL) == CN_FIXED_ALL;
    for (int k = 0; k < def->solids.count; k++) {
        if (def->solids.item[k].kind == CN_SOLID_SURFACE && !is_held) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "a body with a surface must be fixed (a drive may still move it); a body "
                "that moves freely is made of convex parts");
        }
    }
    return CN_OK;
}

cn_status cn_bodies_add_solids(cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    CN_TRY(check_surfaces(def, err));
    cn_solid_mass solid;
    CN_TRY(cn_solids_measure(def->solids.item, def->solids.count, &solid, err));
    cn_quat turn = {1.0, 0.0, 0.0, 0.0};
    CN_TRY(orientation_of(def, &turn, err));
    bool from_density = def->density != 0.0;
    double mass = from_density ? def->density * solid.volume : def->mass;
    double tensor[6], J[3];
    for (int k = 0; k < 6; k++) {
        tensor[k] = from_density ? def->density * solid.inertia[k] : def->inertia[k];
        tensor[k] = isfinite(solid.size) ? tensor[k] : 0.0; // what has no end cannot turn
    }
    cn_mat3 B;
    principal_axes(tensor, J, &B);
    CN_TRY(cn_bodies_check_mass(b, def, mass, fmin(J[0], fmin(J[1], J[2])), err));
    int i = b->count, first = i > 0 ? b->shape_start[i] : 0;
    CN_TRY(cn_bodies_reserve(b, first + def->solids.count, 0, err));
    b->shape_start[i] = first;
    const double *c = def->has_centre ? def->centre : solid.centre;
    cn_vec3 centre = cn_v3(c[0], c[1], c[2]);
    CN_TRY(place_solids(b, def, centre, &B, err));
    memcpy(b->inertia + 3 * i, J, sizeof J);
    set_state(b, def, turn, centre, &B);
    cn_bodies_enter(b, def, mass, solid.size);
    return CN_OK;
}

void cn_bodies_remove_solids(cn_bodies *b, int first, int solids)
{
    for (int s = first; s < first + solids; s++) {
        cn_solid_free(b->hooks, &b->solid[s]);
    }
    cn_close_gap(b->solid, sizeof *b->solid, first, solids, b->shape_start[b->count]);
    cn_close_gap(b->solid_def, sizeof *b->solid_def, first, solids, b->shape_start[b->count]);
}

static cn_posed3 posed(const cn_bodies *b, int solid, const double *q)
{
    return (cn_posed3){.solid = &b->solid[solid], .x = {q[0], q[1], q[2]}};
}

cn_posed3 cn_body_posed3(const cn_bodies *b, int solid, const double *q)
{
    const double *at = cn_body_q(b, q, b->solid[solid].body);
    cn_posed3 p = posed(b, solid, at);
    p.R = cn_quat_matrix((cn_quat){at[3], at[4], at[5], at[6]});
    return p;
}

cn_posed3 cn_body_posed3_mid(const cn_bodies *b, int solid)
{
    return cn_body_posed3(b, solid, b->q_mid);
}
