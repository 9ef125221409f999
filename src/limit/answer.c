// limit/answer.c -- one load of a model solved, and what joints do in its forces and its mechanism.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "limit/limit_model.h"

// Share of the largest velocity of a point from which on a joint moves.
static const double MOVES = 1e-4;

const char *cn_joint_motion_name(cn_joint_motion motion)
{
    static const char *const name[] = {"stays", "hinges", "slides", "parts"};
    return (unsigned)motion <= CN_JOINT_PARTS ? name[motion] : "unknown";
}

cn_joint_motion cn_limit_joint_motion(const cn_limit_answer *answer, int joint)
{
    if (answer == NULL || joint < 0 || joint >= answer->joint_count) {
        return CN_JOINT_STAYS;
    }
    const cn_limit_joint *x = &answer->joint[joint];
    double least = MOVES * answer->speed;
    if (x->opening[0] > least) {
        return CN_JOINT_PARTS;
    }
    if (x->slip > least) {
        return CN_JOINT_SLIDES;
    }
    return x->opening[1] > least ? CN_JOINT_HINGES : CN_JOINT_STAYS;
}

// ---- motions

static void fill_motions(const cn_model_program *made, const double *v, double *of_body)
{
    const cn_limit_program *p = &made->program;
    for (int i = 0; i < p->body_count; i++) {
        double *at = of_body + 6 * (size_t)made->place[i];
        for (int k = p->dof_start[i]; k < p->dof_start[i + 1]; k++) {
            for (int d = 0; d < 6; d++) {
                at[d] += v[k] * p->dof[6 * k + d];
            }
        }
    }
}

static cn_vec3 velocity_at(const cn_limit_model *m, const double *of_body, int i,
                           const double point[3])
{
    const double *q = m->view.q + (m->scene->dim == 2 ? 3 : 7) * (size_t)i;
    const double *v = of_body + 6 * (size_t)i;
    cn_vec3 arm =
        cn_v3(point[0] - q[0], point[1] - q[1], m->scene->dim == 3 ? point[2] - q[2] : 0.0);
    return cn_add3(cn_v3(v[0], v[1], v[2]), cn_cross3(cn_v3(v[3], v[4], v[5]), arm));
}

static cn_contact_status status_of(const cn_contact *x, const cn_model_program *made, int a,
                                   double unit)
{
    double slip = hypot(x->r[1], x->r[2]), cohesion = made->cohesion[a];
    if (!(x->r[0] > 1e-9 * unit) && cohesion == 0.0 && made->tension[a] == 0.0) {
        return CN_STATUS_OPEN;
    }
    double most = made->friction[a] * x->r[0] + cohesion;
    return slip >= most * (1.0 - 1e-6) ? CN_STATUS_SLIDE : CN_STATUS_STICK;
}

static void fill_contacts(const cn_limit_model *m, const cn_model_program *made,
                          cn_limit_answer *answer)
{
    const cn_limit *limit = answer->limit;
    double unit = answer->weight / answer->body_count;
    for (int a = 0; a < limit->contact_count; a++) {
        cn_contact *x = &made->contact[a];
        double axis[3][3];
        memcpy(axis[0], x->normal, sizeof x->normal);
        cn_contact_tangents(x, m->scene->dim, axis[1], axis[2]);
        cn_vec3 one = velocity_at(m, answer->v, x->i, x->point);
        cn_vec3 other = velocity_at(m, answer->v, x->j, x->point), u = cn_sub3(one, other);
        memcpy(x->r, limit->r + 3 * (size_t)a, sizeof x->r);
        for (int k = 0; k < 3; k++) {
            x->u[k] = u.x * axis[k][0] + u.y * axis[k][1] + u.z * axis[k][2];
            x->u_before[k] = 0.0;
        }
        x->status = (signed char)status_of(x, made, a, unit);
        answer->speed = fmax(answer->speed, fmax(cn_norm3(one), cn_norm3(other)));
    }
}

// ---- joints

// A contact of the program, for the order of pairs.
typedef struct place {
    const cn_contact *x;
    int a;
} place;

static int compare_pairs(const void *a, const void *b)
{
    const cn_contact *x = ((const place *)a)->x, *y = ((const place *)b)->x;
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static void add_contact(const cn_contact *x, int dim, cn_limit_joint *joint)
{
    double force[3], pressed = fmax(x->r[0], 0.0);
    cn_contact_impulse(x, dim, force);
    for (int d = 0; d < 3; d++) {
        joint->force[d] += force[d];
        joint->at[d] += pressed * x->point[d];
        joint->normal[d] += x->normal[d];
    }
    joint->push += pressed; // sum of what presses until the normal is known
    joint->opening[0] = fmin(joint->opening[0], x->u[0]);
    joint->opening[1] = fmax(joint->opening[1], x->u[0]);
    joint->slip = fmax(joint->slip, hypot(x->u[1], x->u[2]));
}

// usage holds the cohesion until here.
static void finish_joint(const cn_contact *first, double friction, cn_limit_joint *joint)
{
    cn_vec3 n = cn_v3(joint->normal[0], joint->normal[1], joint->normal[2]);
    cn_vec3 force = cn_v3(joint->force[0], joint->force[1], joint->force[2]);
    double length = cn_norm3(n), sum = joint->push;
    n = length > 0.0 ? cn_mul3(1.0 / length, n)
                     : cn_v3(first->normal[0], first->normal[1], first->normal[2]);
    memcpy(joint->normal, &n, sizeof joint->normal);
    for (int d = 0; d < 3; d++) {
        double mean = 0.0;
        for (int k = 0; k < joint->count; k++) {
            mean += first[k].point[d] / joint->count;
        }
        joint->at[d] = sum > 0.0 ? joint->at[d] / sum : mean;
    }
    joint->push = cn_dot3(force, n);
    joint->slip_force = cn_norm3(cn_add_mul3(force, -joint->push, n));
    double bound = friction * joint->push + joint->usage;
    joint->usage = bound > 0.0 ? joint->slip_force / bound : 0.0;
}

static void fill_joints(const cn_limit_model *m, const cn_model_program *made, const place *order,
                        cn_limit_answer *answer, cn_limit_joint *joint)
{
    const cn_contact *contact = answer->contact;
    for (int a = 0; a < answer->limit->contact_count; a++) {
        bool is_new = a == 0 || contact[a].pair != contact[a - 1].pair;
        if (is_new) {
            joint[answer->joint_count++] =
                (cn_limit_joint){.body = {m->view.id[contact[a].i], m->view.id[contact[a].j]},
                                 .first = a,
                                 .opening = {INFINITY, -INFINITY}};
        }
        cn_limit_joint *at = &joint[answer->joint_count - 1];
        at->count++;
        at->usage += made->cohesion[order[a].a];
        add_contact(&contact[a], m->scene->dim, at);
    }
    for (int k = 0; k < answer->joint_count; k++) {
        int first = joint[k].first;
        finish_joint(&contact[first], made->friction[order[first].a], &joint[k]);
    }
}

// ---- one load

// Whether an acceleration is across gravity and of its size: with gravity it is that of a table
// that leans.
static bool is_across(const cn_limit_model *m, const double *acceleration)
{
    double along = 0.0, square = 0.0;
    for (int d = 0; d < 3; d++) {
        along += acceleration[d] * m->scene->gravity[d];
        square += acceleration[d] * acceleration[d];
    }
    return fabs(along) < 1e-9 * m->gravity && fabs(square - 1.0) < 1e-9;
}

static void describe(const cn_limit_model *m, const cn_model_program *made, int k,
                     cn_limit_answer *answer)
{
    const cn_limit_program *p = &made->program;
    const cn_scene_limit *limit = k < 0 ? NULL : &m->limit[k];
    answer->name = limit != NULL ? limit->name : "dead load";
    answer->is_plane = p->dim == 2;
    answer->is_support = limit != NULL && limit->support.count == 1;
    answer->is_acceleration = limit != NULL && !answer->is_support &&
                              limit->live.force_count == 0 && limit->axles.count == 0;
    // Loads and strength that do not grow with gravity tell a table from an acceleration.
    bool is_weight_alone = made->bonded_area == 0.0 && limit != NULL &&
                           limit->dead.force_count == 0 && limit->dead.acceleration[0] == 0.0 &&
                           limit->dead.acceleration[1] == 0.0 && limit->dead.acceleration[2] == 0.0;
    answer->is_slope =
        answer->is_acceleration && is_weight_alone && is_across(m, limit->live.acceleration);
    answer->above = limit != NULL ? limit->above : NAN;
    answer->body_count = p->body_count;
    answer->bonded_area = made->bonded_area;
    answer->friction[0] = INFINITY;
    for (int a = 0; a < p->contact_count; a++) {
        answer->friction[0] = fmin(answer->friction[0], p->friction[a]);
        answer->friction[1] = fmax(answer->friction[1], p->friction[a]);
    }
    const double *g = m->scene->gravity;
    double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int i = 0; i < p->body_count; i++) {
        double mass = m->view.mass[made->place[i]];
        answer->weight += isfinite(mass) ? size * mass : 0.0;
    }
}

// A copy of what is shown of the contacts, in the order of pairs, and the sums over pairs.
static cn_status fill(const cn_limit_model *m, cn_model_program *made, cn_limit_answer *answer,
                      cn_error *err)
{
    size_t contacts = (size_t)answer->limit->contact_count;
    double *v = calloc(6 * (size_t)m->view.body_count + 1, sizeof *v);
    cn_contact *contact = calloc(contacts + 1, sizeof *contact);
    cn_limit_joint *joint = calloc(contacts + 1, sizeof *joint);
    place *order = calloc(contacts + 1, sizeof *order);
    answer->v = v;
    answer->contact = contact;
    answer->joint = joint;
    if (v == NULL || contact == NULL || joint == NULL || order == NULL) {
        free(order);
        return cn_fail(err, CN_NO_MEMORY, "no memory for the joints of %zu contacts", contacts);
    }
    fill_motions(made, answer->limit->v, v);
    fill_contacts(m, made, answer);
    for (size_t a = 0; a < contacts; a++) {
        order[a] = (place){&made->contact[a], (int)a};
    }
    qsort(order, contacts, sizeof *order, compare_pairs);
    for (size_t a = 0; a < contacts; a++) {
        contact[a] = *order[a].x;
    }
    fill_joints(m, made, order, answer, joint);
    free(order);
    return CN_OK;
}

static cn_status solve(const cn_limit_model *m, int k, const cn_limit_def *def,
                       cn_limit_answer *answer, cn_error *err)
{
    cn_model_program made;
    CN_TRY(cn_model_program_make(m, k, answer->close, &made, err));
    describe(m, &made, k, answer);
    cn_limit_def own = cn_limit_def_default();
    if (k >= 0) {
        own.gap = m->limit[k].gap;
    }
    cn_status status = cn_limit_solve(&made.program, def != NULL ? def : &own, &answer->limit, err);
    CN_THEN(status, fill(m, &made, answer, err));
    cn_model_program_free(&made);
    return status;
}

cn_status cn_model_answer(const cn_limit_model *model, int k, double close, const cn_limit_def *def,
                          cn_limit_answer **answer, cn_error *err)
{
    cn_limit_answer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the answer to a load");
    }
    made->close = close;
    cn_status status = solve(model, k, def, made, err);
    if (status != CN_OK) {
        cn_limit_answer_destroy(made);
        return status;
    }
    *answer = made;
    return CN_OK;
}

cn_status cn_limit_model_solve(cn_limit_model *model, int k, const cn_limit_def *def,
                               cn_limit_answer **answer, cn_error *err)
{
    CN_NEED(err, model, answer);
    *answer = NULL;
    if (k < -1 || k >= model->case_count) {
        return cn_fail(err, CN_BAD_INPUT, "there are %d loads, load %d is not among them",
                       model->case_count, k);
    }
    return cn_model_answer(model, k, cn_model_close(model, k), def, answer, err);
}

cn_status cn_limit_model_coulomb(cn_limit_model *model, int k, int start_count,
                                 cn_limit_coulomb *found, cn_error *err)
{
    CN_NEED(err, model, found);
    if (k < 0 || k >= model->case_count) {
        return cn_fail(err, CN_BAD_INPUT, "there are %d loads, load %d is not among them",
                       model->case_count, k);
    }
    cn_model_program made;
    cn_limit_def def = cn_limit_def_default();
    CN_TRY(cn_model_program_make(model, k, cn_model_close(model, k), &made, err));
    cn_status status =
        cn_limit_coulomb_solve(&made.program, &def, start_count, (uint64_t)k + 1, found, err);
    cn_model_program_free(&made);
    return status;
}

void cn_limit_answer_destroy(cn_limit_answer *answer)
{
    if (answer != NULL) {
        cn_limit_destroy(answer->limit);
        CN_RELEASE((void *)answer->contact, (void *)answer->joint, (void *)answer->v, answer);
    }
}
