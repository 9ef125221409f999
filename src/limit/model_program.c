// limit/model_program.c -- the limit program of one load: motions, loads and contacts of a model.
//
// In worlds made from a scene body k of the scene has place k.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "limit/limit_model.h"

enum { AXES = 6 };

static const double *place_of(const cn_limit_model *m, int i)
{
    return m->view.q + (m->scene->dim == 2 ? 3 : 7) * (size_t)i;
}

// Whether axis d, of three translations and three rotations, exists in the scene's dimension.
static bool has_axis(const cn_limit_model *m, int d)
{
    return m->scene->dim == 3 || d == CN_DOF_X || d == CN_DOF_Y || d == CN_DOF_RZ;
}

// Arm of a point given in the frame of the body.
static cn_vec3 arm_of(const cn_limit_model *m, int body, const double at[3])
{
    cn_vec3 arm = cn_v3(at[0], at[1], at[2]);
    cn_body_state state;
    if (cn_body_get(m->world, cn_scene_body_id(body), &state, NULL) != CN_OK) {
        return arm;
    }
    if (m->scene->dim == 2) {
        double c = cos(state.angle), s = sin(state.angle);
        return cn_v3(c * at[0] - s * at[1], s * at[0] + c * at[1], 0.0);
    }
    cn_mat3 R = cn_quat_matrix(
        (cn_quat){state.rotation[0], state.rotation[1], state.rotation[2], state.rotation[3]});
    return cn_mat3_mul(&R, arm);
}

// Of the mass centre of a body above the base of a load, 0 below.
static double height_of(const cn_limit_model *m, const cn_scene_limit_load *load, int i)
{
    return fmax(0.0, place_of(m, i)[m->scene->dim - 1] - load->base);
}

// Mean over the mass of what can move.
static double mean_height(const cn_limit_model *m, const cn_scene_limit_load *load)
{
    double sum = 0.0, mass = 0.0;
    for (int i = 0; i < m->view.body_count; i++) {
        if (!cn_model_is_held(m, i)) {
            sum += m->view.mass[i] * height_of(m, load, i);
            mass += m->view.mass[i];
        }
    }
    return sum / mass;
}

// Adds water, fill or wind on the free faces of bodies as they are now.
static cn_status add_face_load(const cn_limit_model *m, const cn_scene_face_load *load,
                               double *of_body, cn_error *err)
{
    size_t count = (size_t)load->bodies.count;
    cn_face_load_def def = load->def;
    cn_body_id *id = calloc(count + 1, sizeof *id);
    double *six = calloc(AXES * count + 1, sizeof *six);
    cn_status status = CN_OK;
    if (id == NULL || six == NULL) {
        status =
            cn_fail(err, CN_NO_MEMORY, "no memory for a load on %d bodies", load->bodies.count);
    }
    for (size_t k = 0; k < count && status == CN_OK; k++) {
        id[k] = cn_scene_body_id(load->bodies.body[k]);
    }
    def.body = id;
    def.body_count = (int)count;
    CN_THEN(status, cn_scene_named(m->scene, cn_face_load_forces(m->world, &def, six, err), err));
    for (size_t k = 0; k < AXES * count && status == CN_OK; k++) {
        of_body[AXES * (size_t)load->bodies.body[k / AXES] + k % AXES] += six[k];
    }
    CN_RELEASE(id, six);
    return status;
}

// Adds a pattern of loads to the six of each body.
static cn_status add_load(const cn_limit_model *m, const cn_scene_limit_load *load, double *of_body,
                          cn_error *err)
{
    for (int n = 0; n < load->face_load_count; n++) {
        CN_TRY(add_face_load(m, &load->face_load[n], of_body, err));
    }
    double mean = mean_height(m, load);
    if (load->grows_with_height && !(mean > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: a push that grows with the height above %g m acts on nothing that is "
                       "above: give a lower 'base'",
                       m->scene->name, load->base);
    }
    for (int i = 0; i < m->view.body_count; i++) {
        double share = load->grows_with_height ? height_of(m, load, i) / mean : 1.0;
        for (int d = 0; d < 3; d++) {
            double g = m->view.mass[i] * m->gravity * load->acceleration[d] * share;
            of_body[AXES * i + d] += load->acceleration[d] != 0.0 ? g : 0.0;
        }
    }
    for (int n = 0; n < load->force_count; n++) {
        const cn_scene_limit_force *f = &load->force[n];
        cn_vec3 force = cn_v3(f->force[0], f->force[1], f->force[2]);
        for (int k = 0; k < f->bodies.count; k++) {
            double *at = of_body + AXES * (size_t)f->bodies.body[k];
            cn_vec3 moment = cn_cross3(arm_of(m, f->bodies.body[k], f->at), force);
            const double six[AXES] = {force.x,
                                      force.y,
                                      force.z,
                                      moment.x + f->torque[0],
                                      moment.y + f->torque[1],
                                      moment.z + f->torque[2]};
            for (int d = 0; d < AXES; d++) {
                at[d] += six[d];
            }
        }
    }
    return CN_OK;
}

static void add_weight(const cn_limit_model *m, double *of_body)
{
    for (int i = 0; i < m->view.body_count; i++) {
        for (int d = 0; d < 3; d++) {
            double g = m->scene->gravity[d];
            of_body[AXES * i + d] += g != 0.0 ? m->view.mass[i] * g : 0.0;
        }
    }
}

// Work in progress: the program and what it is made from.
typedef struct making {
    const cn_limit_model *model;
    const cn_scene_limit *limit; // NULL: dead load
    cn_model_program *made;
    double close;
    int support;         // body that is free along one direction; -1: none
    int *body_of;        // of each body of the view in the program; -1: it cannot move
    double *dead, *live; // six of each body of the view
    int *dof_start, *body;
    double *dof, *at, *dead_dof, *live_dof, *point, *normal, *shift;
} making;

static int motions_of(const making *k, int i)
{
    int count = 0;
    for (int d = 0; d < AXES; d++) {
        count += has_axis(k->model, d) && (k->model->held[i] & 1u << d) == 0;
    }
    return i == k->support ? 1 : count;
}

static void add_motion(making *k, int *dof, int i, const double motion[AXES])
{
    double dead = 0.0, live = 0.0;
    for (int d = 0; d < AXES; d++) {
        dead += motion[d] != 0.0 ? motion[d] * k->dead[AXES * i + d] : 0.0;
        live += motion[d] != 0.0 ? motion[d] * k->live[AXES * i + d] : 0.0;
    }
    memcpy(k->dof + AXES * (size_t)*dof, motion, AXES * sizeof *motion);
    k->dead_dof[*dof] = i == k->support ? 0.0 : dead;
    k->live_dof[*dof] = i == k->support ? 1.0 : live;
    ++*dof;
}

static void fill_bodies(making *k)
{
    const cn_limit_model *m = k->model;
    int dof = 0, count = 0;
    for (int i = 0; i < m->view.body_count; i++) {
        k->body_of[i] = -1;
        if (motions_of(k, i) == 0) {
            continue;
        }
        k->body_of[i] = count;
        k->made->place[count] = i;
        k->dof_start[count] = dof;
        const double *q = place_of(m, i);
        memcpy(k->at + 3 * (size_t)count, (double[3]){q[0], q[1], m->scene->dim == 3 ? q[2] : 0.0},
               3 * sizeof *k->at);
        for (int d = 0; d < AXES && i != k->support; d++) {
            double motion[AXES] = {0.0};
            motion[d] = 1.0;
            if (has_axis(m, d) && (m->held[i] & 1u << d) == 0) {
                add_motion(k, &dof, i, motion);
            }
        }
        if (i == k->support) {
            const double *a = k->limit->along;
            add_motion(k, &dof, i, (double[AXES]){a[0], a[1], a[2], 0.0, 0.0, 0.0});
        }
        k->dof_start[++count] = dof;
    }
    k->made->program.body_count = count;
}

static void fill_contacts(making *k)
{
    const cn_limit_model *m = k->model;
    int count = 0;
    for (int a = 0; a < m->view.contact_count; a++) {
        const cn_contact *x = &m->view.contact[a];
        int i = k->body_of[x->i], j = k->body_of[x->j];
        bool is_open = x->gap > k->close;
        if ((is_open && m->apart == 0.0) || (i < 0 && j < 0)) {
            continue;
        }
        k->body[2 * count] = i;
        k->body[2 * count + 1] = j;
        memcpy(k->point + 3 * (size_t)count, x->point, sizeof x->point);
        memcpy(k->normal + 3 * (size_t)count, x->normal, sizeof x->normal);
        k->made->friction[count] = m->friction[a];
        k->shift[count] = is_open ? m->apart : 0.0;
        k->made->contact[count++] = *x;
    }
    k->made->program.contact_count = count;
}

static void *take(char **at, size_t count, size_t size)
{
    void *taken = *at;
    *at += (count * size + 15) & ~(size_t)15;
    return taken;
}

// All arrays in one block of memory; called without memory it counts.
static size_t take_arrays(making *k, char *memory)
{
    size_t bodies = (size_t)k->model->view.body_count, dofs = AXES * bodies;
    size_t contacts = (size_t)k->model->view.contact_count;
    char *at = memory;
    k->dof = take(&at, AXES * dofs, sizeof(double));
    k->dead = take(&at, dofs, sizeof(double));
    k->live = take(&at, dofs, sizeof(double));
    k->dead_dof = take(&at, dofs, sizeof(double));
    k->live_dof = take(&at, dofs, sizeof(double));
    k->at = take(&at, 3 * bodies, sizeof(double));
    k->point = take(&at, 3 * contacts, sizeof(double));
    k->normal = take(&at, 3 * contacts, sizeof(double));
    k->made->friction = take(&at, contacts, sizeof(double));
    k->made->cohesion = take(&at, contacts, sizeof(double));
    k->made->tension = take(&at, contacts, sizeof(double));
    k->shift = take(&at, contacts, sizeof(double));
    k->made->contact = take(&at, contacts, sizeof(cn_contact));
    k->made->place = take(&at, bodies, sizeof(int));
    k->body_of = take(&at, bodies, sizeof(int));
    k->dof_start = take(&at, bodies + 1, sizeof(int));
    k->body = take(&at, 2 * contacts, sizeof(int));
    return (size_t)(at - memory);
}

cn_status cn_model_program_make(const cn_limit_model *model, int k, double close,
                                cn_model_program *made, cn_error *err)
{
    static char nowhere[1];
    const cn_scene_limit *limit = k < 0 ? NULL : &model->limit[k];
    *made = (cn_model_program){0};
    making work = {.model = model, .limit = limit, .made = made, .close = close, .support = -1};
    if (limit != NULL && limit->support.count == 1) {
        work.support = limit->support.body[0];
    }
    made->memory = calloc(1, take_arrays(&work, nowhere) + 16);
    if (made->memory == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a limit program of %d bodies",
                       model->view.body_count);
    }
    take_arrays(&work, made->memory);
    add_weight(model, work.dead);
    cn_status status = CN_OK;
    if (limit != NULL) {
        const cn_scene_limit_load *live = model->is_other ? &limit->other : &limit->live;
        CN_THEN(status, add_load(model, &limit->dead, work.dead, err));
        CN_THEN(status, add_load(model, live, work.live, err));
        CN_THEN(status,
                limit->axles.count > 0 ? cn_model_add_axles(model, k, work.live, err) : CN_OK);
    }
    if (status != CN_OK) {
        cn_model_program_free(made);
        return status;
    }
    fill_bodies(&work);
    fill_contacts(&work);
    made->program = (cn_limit_program){.dim = model->scene->dim,
                                       .body_count = made->program.body_count,
                                       .dof_start = work.dof_start,
                                       .dof = work.dof,
                                       .at = work.at,
                                       .dead = work.dead_dof,
                                       .live = limit != NULL ? work.live_dof : NULL,
                                       .contact_count = made->program.contact_count,
                                       .body = work.body,
                                       .point = work.point,
                                       .normal = work.normal,
                                       .friction = made->friction,
                                       .shift = model->apart > 0.0 ? work.shift : NULL};
    status = cn_model_strengthen(model, made, err);
    if (status != CN_OK) {
        cn_model_program_free(made);
    }
    return status;
}

void cn_model_program_free(cn_model_program *made)
{
    free(made->memory);
    *made = (cn_model_program){0};
}
