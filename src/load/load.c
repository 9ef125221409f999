// load/load.c -- forces theta P(t+h) + (1-theta) P(t) and imposed velocities, theory 3.2 and 3.5.
#include "load/load.h"

#include <math.h>
#include <string.h>

cn_function cn_constant(double c)
{
    return (cn_function){.kind = CN_FUNCTION_CONSTANT, .c = c};
}

static double table_at(const cn_function *f, double t)
{
    if (t <= f->time[0]) {
        return f->value[0];
    }
    if (t >= f->time[f->count - 1]) {
        return f->value[f->count - 1];
    }
    int lo = 0, hi = f->count - 1;
    while (hi - lo > 1) {
        int middle = (lo + hi) / 2;
        if (f->time[middle] <= t) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    double x = (t - f->time[lo]) / (f->time[hi] - f->time[lo]);
    return (1.0 - x) * f->value[lo] + x * f->value[hi];
}

double cn_function_at(const cn_function *f, double t)
{
    if (f == NULL) {
        return NAN;
    }
    switch (f->kind) {
    case CN_FUNCTION_CONSTANT:
        return f->c;
    case CN_FUNCTION_COSINE:
        return (f->c + f->a * cos(f->w * t + f->p)) * fmin(1.0, f->r0 + f->r * t);
    case CN_FUNCTION_TABLE:
        return table_at(f, t);
    case CN_FUNCTION_CALL:
        return f->call(t, f->context);
    }
    return NAN;
}

void cn_function_free(const cn_hooks *hooks, cn_function *f)
{
    if (f->kind == CN_FUNCTION_TABLE) {
        cn_release(hooks, (void *)f->time);
        f->time = f->value = NULL;
    }
}

cn_status cn_function_own(const cn_hooks *hooks, cn_function *f, cn_error *err)
{
    if ((unsigned)f->kind > CN_FUNCTION_CALL || (f->kind == CN_FUNCTION_CALL && f->call == NULL)) {
        return cn_fail(err, CN_BAD_INPUT, "a function of time has kind %d", (int)f->kind);
    }
    if (f->kind != CN_FUNCTION_TABLE) {
        double sum = f->c + f->a + f->w + f->p + f->r0 + f->r;
        return isfinite(sum) || f->kind == CN_FUNCTION_CALL
                   ? CN_OK
                   : cn_fail(err, CN_BAD_INPUT,
                             "a function of time has a parameter that is not finite");
    }
    if (f->count < 1) {
        return cn_fail(err, CN_BAD_INPUT, "a table of time needs at least one line");
    }
    for (int k = 0; k < f->count; k++) {
        bool is_increasing = k == 0 || f->time[k] > f->time[k - 1];
        if (!isfinite(f->time[k] + f->value[k]) || !is_increasing) {
            return cn_fail(err, CN_BAD_INPUT,
                           "line %d of a table of time is (%g, %g): times must increase and all "
                           "numbers be finite",
                           k + 1, f->time[k], f->value[k]);
        }
    }
    size_t size = sizeof(double) * (size_t)f->count;
    double *own = cn_resize(hooks, NULL, 2 * size);
    if (own == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a table of %d lines", f->count);
    }
    memcpy(own, f->time, size);
    memcpy(own + f->count, f->value, size);
    f->time = own;
    f->value = own + f->count;
    return CN_OK;
}

// Deformable bodies have loads of their own (node_loads.c): these would move nothing of them.
static cn_status find_body(const cn_bodies *b, cn_body_id id, const char *what, cn_error *err)
{
    int i = cn_bodies_find(b, id);
    if (i < 0 || b->deformable[i] >= 0) {
        return cn_fail(err, CN_BAD_INPUT, "%s names body %llu, which %s", what,
                       (unsigned long long)id,
                       i < 0 ? "does not exist" : "is deformable: drive or load its nodes");
    }
    return CN_OK;
}

cn_status cn_loads_add_drive(cn_loads *loads, const cn_bodies *b, const cn_drive_def *def, double t,
                             cn_error *err)
{
    CN_TRY(find_body(b, def->body, "a drive", err));
    bool is_planar = def->dof == CN_DOF_X || def->dof == CN_DOF_Y || def->dof == CN_DOF_RZ;
    if (def->kind != CN_DRIVE_ROTATION && b->dim == 2 && !is_planar) {
        return cn_fail(err, CN_BAD_INPUT, "a drive in 2D acts on x, y or the rotation about z");
    }
    CN_TRY(cn_reserve(loads->hooks, &loads->drive, &loads->drive_capacity,
                      (size_t)loads->drive_count + 1, err));
    cn_drive_def own = *def;
    CN_TRY(cn_function_own(loads->hooks, &own.f, err));
    own.t0 = isnan(def->t0) ? t : def->t0;
    loads->drive[loads->drive_count++] = own;
    return CN_OK;
}

cn_status cn_loads_add_force(cn_loads *loads, const cn_bodies *b, const cn_force_def *def, double t,
                             cn_error *err)
{
    CN_TRY(find_body(b, def->body, "a force", err));
    for (int d = 0; d < 3; d++) {
        if (!isfinite(def->direction[d]) || !isfinite(def->point[d])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a force on body %llu has a direction or point that is not finite",
                           (unsigned long long)def->body);
        }
    }
    CN_TRY(cn_span_check(def, b, err));
    CN_TRY(cn_reserve(loads->hooks, &loads->force, &loads->force_capacity,
                      (size_t)loads->force_count + 1, err));
    cn_force_def own = *def;
    CN_TRY(cn_function_own(loads->hooks, &own.f, err));
    own.t0 = isnan(def->t0) ? t : def->t0;
    loads->force[loads->force_count++] = own;
    return CN_OK;
}

cn_status cn_loads_add_around(cn_loads *loads, const cn_bodies *b, const cn_around_def *def,
                              double t, cn_error *err)
{
    CN_TRY(cn_reserve(loads->hooks, &loads->around, &loads->around_capacity,
                      (size_t)loads->around_count + 1, err));
    CN_TRY(cn_around_own(loads->hooks, b, def, t, &loads->around[loads->around_count], err));
    loads->around_count++;
    return CN_OK;
}

cn_status cn_loads_add_face_load(cn_loads *loads, const cn_bodies *b, const cn_face_load_def *def,
                                 double t, cn_error *err)
{
    CN_TRY(cn_reserve(loads->hooks, &loads->face, &loads->face_capacity,
                      (size_t)loads->face_count + 1, err));
    CN_TRY(cn_face_load_own(loads->hooks, b, def, t, &loads->face[loads->face_count], err));
    loads->face_count++;
    return CN_OK;
}

cn_status cn_load_outside(cn_loads *loads, double t, double h, double theta, cn_bodies *b,
                          cn_error *err)
{
    for (int k = 0; k < loads->around_count; k++) {
        CN_TRY(cn_around_eval(loads->hooks, &loads->around[k], t, h, theta, b, err)); // (3.19)
    }
    for (int k = 0; k < loads->face_count; k++) {
        CN_TRY(cn_face_load_eval(loads->hooks, &loads->face[k], t, h, theta, b, err)); // (3.22)
    }
    return CN_OK;
}

void cn_loads_remove_all(cn_loads *loads)
{
    while (loads->around_count > 0) {
        cn_around_free(loads->hooks, &loads->around[--loads->around_count]);
    }
    while (loads->face_count > 0) {
        cn_face_load_free(loads->hooks, &loads->face[--loads->face_count]);
    }
    for (int k = 0; k < loads->drive_count; k++) {
        cn_function_free(loads->hooks, &loads->drive[k].f);
    }
    for (int k = 0; k < loads->force_count; k++) {
        cn_function_free(loads->hooks, &loads->force[k].f);
    }
    loads->drive_count = loads->force_count = 0;
    cn_loads_remove_nodes(loads);
}

void cn_loads_forget(cn_loads *loads, cn_body_id id)
{
    int kept = 0;
    for (int k = 0; k < loads->drive_count; k++) {
        if (loads->drive[k].body == id) {
            cn_function_free(loads->hooks, &loads->drive[k].f);
        } else {
            loads->drive[kept++] = loads->drive[k];
        }
    }
    loads->drive_count = kept;
    kept = 0;
    for (int k = 0; k < loads->force_count; k++) {
        if (loads->force[k].body == id) {
            cn_function_free(loads->hooks, &loads->force[k].f);
        } else {
            loads->force[kept++] = loads->force[k];
        }
    }
    loads->force_count = kept;
    for (int k = 0; k < loads->around_count; k++) {
        cn_around_forget(&loads->around[k], id);
    }
    for (int k = 0; k < loads->face_count; k++) {
        cn_face_load_forget(&loads->face[k], id);
    }
    cn_loads_forget_nodes(loads, id);
}

void cn_loads_free(cn_loads *loads)
{
    cn_loads_remove_all(loads);
    cn_release(loads->hooks, loads->drive);
    cn_release(loads->hooks, loads->force);
    cn_release(loads->hooks, loads->around);
    cn_release(loads->hooks, loads->face);
    cn_release(loads->hooks, loads->node_drive);
    cn_release(loads->hooks, loads->node_load);
    *loads = (cn_loads){.hooks = loads->hooks};
}

cn_status cn_load_value_of(const cn_function *f, cn_body_id body, double t, double h, double t0,
                           cn_load_value *value, cn_error *err)
{
    *value = (cn_load_value){cn_function_at(f, t - t0), cn_function_at(f, t + h - t0)};
    if (isfinite(value->f_0) && isfinite(value->f_1)) {
        return CN_OK;
    }
    bool is_first = !isfinite(value->f_0);
    return cn_fail(err, CN_BAD_INPUT,
                   "the function of time of a load of body %llu is %g at %g s after its start",
                   (unsigned long long)body, is_first ? value->f_0 : value->f_1,
                   is_first ? t - t0 : t + h - t0);
}

// Rotation that body i will have after the time dt at its present velocity.
static cn_mat3 rotation_after(const cn_bodies *b, int i, double dt)
{
    double ahead[CN_Q_MAX];
    b->kind->advance(cn_body_q(b, b->q, i), cn_body_v(b, b->v, i), dt, ahead);
    return b->kind->pose(ahead).R;
}

// (3.2); the direction of a follower and the arm of a force are those at q + (1-theta) h v, which
// makes their work second order with theta = 1/2.
static void add_force(const cn_force_def *def, double F, double h, double theta, cn_bodies *b)
{
    int i = cn_bodies_find(b, def->body), turn = b->dim; // first degree of freedom of the rotation
    double *f = b->f + b->kind->dof * i;
    cn_mat3 R = rotation_after(b, i, (1.0 - theta) * h);
    cn_vec3 direction = cn_v3(def->direction[0], def->direction[1], def->direction[2]);
    if (def->is_torque && b->dim == 2) {
        direction = cn_v3(0.0, 0.0, 1.0);
    } else if (def->is_follower) {
        direction = cn_mat3_mul(&R, direction);
    }
    cn_vec3 arm = cn_mat3_mul(&R, cn_v3(def->point[0], def->point[1], def->point[2]));
    cn_vec3 moment = def->is_torque ? direction : cn_cross3(arm, direction);
    const double along[3] = {direction.x, direction.y, direction.z};
    const double about[3] = {moment.x, moment.y, moment.z};
    for (int d = 0; d < b->dim && !def->is_torque; d++) {
        f[d] += F * along[d];
    }
    for (int d = turn; d < b->kind->dof; d++) {
        f[d] += F * about[b->kind->dof_name[d] - CN_DOF_RX];
    }
}

// Place of a degree of freedom among those of a body.
static int place_of(const cn_body_kind *kind, cn_dof dof)
{
    int d = 0;
    while (kind->dof_name[d] != dof) {
        d++;
    }
    return d;
}

// (3.5) rotation about a point at the rate f: the velocity of a rigid turn through the position
// that the body will have at t+h.
static void impose_rotation(const cn_drive_def *def, double rate, double h, double theta,
                            cn_bodies *b, int i)
{
    int dof = b->kind->dof, z = place_of(b->kind, CN_DOF_RZ);
    double *to = b->v_free + dof * i;
    const double *q = cn_body_q(b, b->q, i);
    double turn = h * ((1.0 - theta) * b->v[dof * i + z] + theta * rate);
    cn_vec2 arm = cn_v2(q[0] - def->about[0], q[1] - def->about[1]);
    cn_vec2 arm_end = cn_turn2(arm, cos(turn), sin(turn));
    to[0] = -rate * arm_end.y;
    to[1] = rate * arm_end.x;
    to[z] = rate;
    b->held[i] |= b->dim == 2 ? CN_DOFS_PLANE : CN_FIXED_ALL;
}

static void impose(const cn_drive_def *def, const cn_load_value *value, double h, double theta,
                   cn_bodies *b)
{
    int i = cn_bodies_find(b, def->body);
    if (def->kind == CN_DRIVE_ROTATION) {
        impose_rotation(def, value->f_1, h, theta, b, i);
        return;
    }
    int k = b->kind->dof * i + place_of(b->kind, def->dof);
    double f_0 = value->f_0, f_1 = value->f_1;
    switch (def->kind) {
    case CN_DRIVE_VELOCITY:
        b->v_free[k] = f_1;
        break;
    case CN_DRIVE_DISPLACEMENT:
        b->v_free[k] = (f_1 - f_0 - (1.0 - theta) * h * b->v[k]) / (theta * h);
        break;
    case CN_DRIVE_ACCELERATION:
        b->v_free[k] = b->v[k] + h * ((1.0 - theta) * f_0 + theta * f_1);
        break;
    case CN_DRIVE_ROTATION:
        break;
    }
    b->held[i] |= 1u << def->dof;
}

cn_status cn_load_eval(const cn_loads *loads, double t, double h, double theta, cn_bodies *b,
                       cn_error *err)
{
    size_t size = sizeof(double) * (size_t)(b->kind->dof * b->count);
    if (b->count > 0) {
        memset(b->f, 0, size);
        memset(b->v_free, 0, size);
        memcpy(b->held, b->fixed, sizeof *b->held * (size_t)b->count);
    }
    CN_TRY(cn_load_nodes(loads, t, h, theta, b, err));
    cn_load_value value;
    for (int k = 0; k < loads->force_count; k++) {
        const cn_force_def *def = &loads->force[k];
        CN_TRY(cn_load_value_of(&def->f, def->body, t, h, def->t0, &value, err));
        double span;
        CN_TRY(cn_span_measure(def, (1.0 - theta) * h, b, &span, err));
        add_force(def, span * (theta * value.f_1 + (1.0 - theta) * value.f_0), h, theta, b);
    }
    for (int k = 0; k < loads->drive_count; k++) {
        const cn_drive_def *def = &loads->drive[k];
        CN_TRY(cn_load_value_of(&def->f, def->body, t, h, def->t0, &value, err));
        impose(def, &value, h, theta, b);
    }
    return CN_OK;
}
