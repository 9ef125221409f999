// body/deformable_slots.c -- slots of deformable bodies: what observers see of them (theory 11.26).
#include <math.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "body/stages.h"
#include "math/mat3_quat.h"

static cn_deformable_start start_of(const cn_bodies *b, const cn_body_def *def)
{
    cn_deformable_start start = {.R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                 .is_mid_face = def->mesh.is_mid_face};
    memcpy(start.at, def->at, sizeof start.at);
    memcpy(start.velocity, def->velocity, sizeof start.velocity);
    if (b->dim == 2) {
        start.rate = cn_v3(0.0, 0.0, def->angular_velocity[2]);
        if (def->angle != 0.0) {
            double c = cos(def->angle), s = sin(def->angle);
            start.R = (cn_mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
        }
        return start;
    }
    start.rate =
        cn_v3(def->angular_velocity[0], def->angular_velocity[1], def->angular_velocity[2]);
    const double *turn = def->rotation;
    if (turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0) {
        start.R = cn_quat_matrix(cn_quat_unit((cn_quat){turn[0], turn[1], turn[2], turn[3]}));
    }
    return start;
}

// Unit quaternion of a rotation matrix that is near the unit quaternion `near`, which may be its
// opposite.
static cn_quat quat_near(const cn_mat3 *R, cn_quat near)
{
    cn_quat q = cn_mat3_quat(R);
    double along = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
    return along < 0.0 ? (cn_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

static cn_mat3 product(const cn_mat3 *A, const cn_mat3 *B)
{
    cn_mat3 C;
    for (int i = 0; i < 3; i++) {
        C.row[i] = cn_mat3_mul_transposed(B, A->row[i]);
    }
    return C;
}

static void show(cn_bodies *b, int k)
{
    const cn_deformable *body = &b->deformables->body[k];
    int i = body->slot;
    cn_deformable_show_points(b->deformables, k);
    cn_deformable_mean mean = cn_deformable_mean_of(b->deformables, k);
    double *q = b->q + b->kind->q_size * i, *v = b->v + b->kind->dof * i;
    memcpy(q, &mean.x, sizeof(double) * (size_t)b->dim);
    memcpy(v, &mean.v, sizeof(double) * (size_t)b->dim);
    cn_mat3 R = product(&mean.R, &body->R);
    if (b->dim == 2) {
        double angle = atan2(R.row[1].x, R.row[0].x); // whole turns are kept
        q[2] += remainder(angle - q[2], 2.0 * CN_PI);
        v[2] = mean.rate.z;
        return;
    }
    cn_quat turn = quat_near(&R, (cn_quat){q[3], q[4], q[5], q[6]});
    memcpy(q + 3, &turn, sizeof turn);
    memcpy(v + 3, &mean.rate, sizeof mean.rate);
}

static void publish(cn_bodies *b)
{
    for (int k = 0; k < b->deformables->count; k++) {
        show(b, k);
    }
}

// What detection needs to know: normals at x_mid, spread of velocities.
static void face(cn_bodies *b)
{
    cn_deformables_update_normals(b->deformables);
    for (int k = 0; k < b->deformables->count; k++) {
        int i = b->deformables->body[k].slot;
        const double *v = cn_body_v(b, b->v, i);
        cn_vec3 mean = cn_v3(v[0], v[1], b->dim == 3 ? v[2] : 0.0);
        b->spread[i] = cn_deformable_spread(b->deformables, k, mean);
    }
}

static void begin(cn_bodies *b)
{
    cn_deformables_begin(b->deformables);
}

static cn_status free_motion(cn_bodies *b, const cn_scheme *scheme, cn_error *err)
{
    CN_TRY(cn_deformables_free_motion(b->deformables, scheme->h, scheme->theta, scheme->gamma,
                                      b->gravity, b->id, err)); // (11.3)
    face(b);
    return CN_OK;
}

static void place(cn_bodies *b, const cn_scheme *scheme)
{
    cn_deformables_place(b->deformables, scheme->gamma * scheme->h);
    face(b);
}

static cn_status correct(cn_bodies *b, cn_error *err)
{
    return cn_deformables_update(b->deformables, b->id, err); // (11.5)
}

static cn_status balance(cn_bodies *b, bool *is_balanced, cn_error *err)
{
    return cn_deformables_refine(b->deformables, b->id, is_balanced, err); // (11.6)
}

static cn_status check(const cn_bodies *b, cn_error *err)
{
    return cn_deformables_check_rotation(b->deformables, b->id, err); // (11.12)
}

static void restore(cn_bodies *b)
{
    cn_deformables_restore(b->deformables);
    publish(b);
}

static void commit(cn_bodies *b)
{
    cn_deformables_commit(b->deformables);
}

const cn_body_stages cn_deformable_stages = {.name = "deformable",
                                             .begin = begin,
                                             .free_motion = free_motion,
                                             .place = place,
                                             .correct = correct,
                                             .balance = balance,
                                             .check = check,
                                             .restore = restore,
                                             .publish = publish,
                                             .commit = commit};

static cn_status check_bond_set(const cn_mesh_body *def, cn_error *err)
{
    bool is_known = def->bond_set == NULL;
    for (int k = 0; k < def->item->set_count && !is_known; k++) {
        is_known = strcmp(def->item->set[k].name, def->bond_set) == 0;
    }
    return is_known ? CN_OK
                    : cn_fail(err, CN_BAD_INPUT, "the mesh of the body has no set '%.60s' to bond",
                              def->bond_set);
}

cn_status cn_bodies_add_mesh(cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    int i = b->count, first = i > 0 ? b->shape_start[i] : 0;
    CN_TRY(check_bond_set(&def->mesh, err));
    CN_TRY(cn_bodies_reserve(b, first, b->vertex_count, err));
    b->shape_start[i] = b->shape_start[i + 1] = first;
    cn_deformable_start start = start_of(b, def);
    CN_TRY(cn_deformables_add(b->deformables, def->mesh.item, &start, i, err));
    int k = b->deformables->count - 1;
    cn_deformable *body = &b->deformables->body[k];
    const cn_model *model = cn_deformable_model(b->deformables, k);
    body->fixed = def->fixed;
    body->is_two_pass = def->mesh.is_two_pass;
    body->is_self_contact = def->mesh.is_self_contact;
    body->bond_set =
        def->mesh.bond_set != NULL ? cn_fem_set_find(model->mesh, def->mesh.bond_set) : -1;
    for (int d = 0; d < b->kind->inertia_size; d++) {
        b->inertia[b->kind->inertia_size * i + d] = model->inertia;
    }
    memset(b->q + b->kind->q_size * i, 0, sizeof(double) * (size_t)b->kind->q_size);
    memset(b->v + b->kind->dof * i, 0, sizeof(double) * (size_t)b->kind->dof);
    if (b->dim == 2) {
        b->q[3 * i + 2] = def->angle;
    } else {
        b->q[7 * i + 3] = b->frame[4 * i] = 1.0;
        b->frame[4 * i + 1] = b->frame[4 * i + 2] = b->frame[4 * i + 3] = 0.0;
    }
    b->reach[i] = model->reach;
    cn_body_def slot = *def;
    slot.fixed = CN_FIXED_ALL;
    cn_bodies_enter(b, &slot, model->fem->total_mass, model->size);
    b->deformable[i] = k;
    show(b, k);
    return CN_OK;
}
