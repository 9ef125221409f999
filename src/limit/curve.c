// limit/curve.c -- capacity curves: what a structure still carries while its mechanism goes on.
//
// In every state the contacts are detected again and the multiplier is found with its two bounds;
// bodies then move on by finite screws along the mechanism. A step takes the mechanism of its
// middle, which is found first, so that the error of the path is of second order (theory 16.21).
// What a hinge opens must not count as closed: after the first state gaps are closed up to those of
// the first state and a small share of what moved in the last step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "limit/hinges.h"

static const double OPENED = 1e-3; // of the largest motion in a step: gaps beyond it are open
// Open contacts that are nearer than this, over the smallest body, stay in the program with a shift
// that no mechanism uses up, over its speed: without them its matrix is singular.
enum { APARTS = 4 };
static const double NEAR = 0.5, APART[APARTS] = {1e3, 30.0, 1e5, 1e7};
static const double SLIDES = 1e-3; // of the largest velocity: what is slower is at rest
static const double PARTED = 0.05; // of the way of a step: hinges further apart have opened
static const double NARROW = 1e-4; // gap of the bounds beyond which open contacts carry
static const double ENDS = 1e-6;   // of the first multiplier: what is carried at the end of a curve
enum { SEARCH_MOST = 60 };

typedef struct following {
    cn_limit_model *model;
    int k;
    const cn_limit_def *def;
    const cn_scene_limit_curve *asked;
    cn_body_state *state; // of each body
    double *start, *q;    // CN_PLACE of each body: in the first state, and now
    double *next;         // likewise, where they are tried
    cn_hinges hinges;     // of the present state
    double *v;            // six of each body: along which the step goes
    double close;         // gaps that are closed now [m]
    double closed;        // largest gap that is closed in the first state [m]
    size_t capacity;
    cn_limit_curve *curve;
} following;

// ---- places

static void pack(const cn_body_state *state, int dim, double *q)
{
    memcpy(q, state->position, 3 * sizeof *q);
    if (dim == 2) {
        q[2] = state->angle;
    } else {
        memcpy(q + 3, state->rotation, 4 * sizeof *q);
    }
}

static cn_status take_places(following *f, cn_error *err)
{
    const cn_limit_model *m = f->model;
    for (int i = 0; i < m->view.body_count; i++) {
        CN_TRY(cn_body_get(m->world, cn_scene_body_id(i), &f->state[i], err));
        pack(&f->state[i], m->scene->dim, f->start + CN_PLACE * i);
    }
    memcpy(f->q, f->start, CN_PLACE * (size_t)m->view.body_count * sizeof *f->q);
    return CN_OK;
}

static cn_status place(following *f, const double *q, cn_error *err)
{
    const cn_limit_model *m = f->model;
    int dim = m->scene->dim;
    for (int i = 0; i < m->view.body_count; i++) {
        const double *at = q + CN_PLACE * i;
        cn_body_state state = f->state[i];
        memcpy(state.position, at, (dim == 2 ? 2 : 3) * sizeof *at);
        memset(state.velocity, 0, sizeof state.velocity);
        memset(state.angular_velocity, 0, sizeof state.angular_velocity);
        if (dim == 2) {
            state.angle = at[2];
        } else {
            memcpy(state.rotation, at + 3, sizeof state.rotation);
        }
        CN_TRY(cn_body_set(m->world, cn_scene_body_id(i), &state, err));
    }
    return CN_OK;
}

// Bodies where the mechanism v carries them in t seconds, hinges closed: in f->next and the world.
// Points that have moved apart by more than a share of the way have opened.
static cn_status carry(following *f, const double *v, double t, double speed, cn_error *err)
{
    for (int i = 0; i < f->model->view.body_count; i++) {
        cn_model_carry(f->model->scene->dim, f->q + CN_PLACE * i, v + 6 * (size_t)i, t,
                       f->next + CN_PLACE * i);
    }
    cn_hinges_close(f->model, PARTED * speed * t, &f->hinges, f->next);
    return place(f, f->next, err);
}

static void advance(following *f)
{
    memcpy(f->q, f->next, CN_PLACE * (size_t)f->model->view.body_count * sizeof *f->q);
}

// The screws of the middle of a step, where bodies are in f->next, as velocities of the mass
// centres of the present state: the axes stay where they were found.
static void take_screws(following *f, const double *middle)
{
    int dim = f->model->scene->dim;
    for (int i = 0; i < f->model->view.body_count; i++) {
        const double *from = f->q + CN_PLACE * i, *q = f->next + CN_PLACE * i;
        double *v = f->v + 6 * (size_t)i;
        memcpy(v, middle + 6 * (size_t)i, 6 * sizeof *v);
        cn_vec3 arm = cn_v3(from[0] - q[0], from[1] - q[1], dim == 3 ? from[2] - q[2] : 0.0);
        cn_vec3 more = cn_cross3(cn_v3(v[3], v[4], v[5]), arm);
        v[0] += more.x;
        v[1] += more.y;
        v[2] += more.z;
    }
}

// ---- the control point

static cn_vec3 control_at(const following *f, const double *q)
{
    int dim = f->model->scene->dim;
    cn_vec3 at = cn_v3(f->asked->at[0], f->asked->at[1], f->asked->at[2]), arm = at;
    if (dim == 2) {
        double c = cos(q[2]), s = sin(q[2]);
        arm = cn_v3(c * at.x - s * at.y, s * at.x + c * at.y, 0.0);
        return cn_v3(q[0] + arm.x, q[1] + arm.y, 0.0);
    }
    cn_mat3 R = cn_quat_matrix((cn_quat){q[3], q[4], q[5], q[6]});
    return cn_add3(cn_v3(q[0], q[1], q[2]), cn_mat3_mul(&R, at));
}

static double control_speed(const following *f, const double *v)
{
    int i = f->asked->control.body[0], dim = f->model->scene->dim;
    const double *q = f->q + CN_PLACE * i, *of = v + 6 * (size_t)i;
    cn_vec3 arm = cn_sub3(control_at(f, q), cn_v3(q[0], q[1], dim == 3 ? q[2] : 0.0));
    cn_vec3 turn = cn_v3(of[3], of[4], of[5]);
    return cn_norm3(cn_add3(cn_v3(of[0], of[1], of[2]), cn_cross3(turn, arm)));
}

static double rotation_between(const double *a, const double *b, int dim)
{
    if (dim == 2) {
        return fabs(b[2] - a[2]);
    }
    double cosine = fabs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]);
    return 2.0 * acos(fmin(1.0, cosine));
}

static cn_status add_point(following *f, const cn_limit_answer *a, cn_error *err)
{
    cn_limit_curve *c = f->curve;
    CN_TRY(cn_reserve(NULL, &c->point, &f->capacity, (size_t)c->count + 1, err));
    int i = f->asked->control.body[0], closed = 0;
    for (int n = 0; n < a->limit->contact_count; n++) {
        closed += a->contact[n].gap <= f->close ? 1 : 0;
    }
    const double *from = f->start + CN_PLACE * i, *to = f->q + CN_PLACE * i;
    cn_vec3 way = cn_sub3(control_at(f, to), control_at(f, from));
    c->point[c->count++] =
        (cn_limit_curve_point){.way = cn_norm3(way),
                               .moved = {way.x, way.y, way.z},
                               .turned = rotation_between(from, to, f->model->scene->dim),
                               .lower = a->limit->lower,
                               .upper = a->limit->upper,
                               .contact_count = closed};
    return CN_OK;
}

// ---- states

static bool is_known(const cn_limit_answer *a)
{
    const cn_limit *x = a != NULL ? a->limit : NULL;
    return x != NULL && x->outcome == CN_LIMIT_BOUNDED &&
           fabs(x->upper - x->lower) <= NARROW * fmax(fabs(x->upper), 1e-3 * x->unit);
}

// The answer where bodies are now; `moved` is the largest motion of the last step, `speed` that of
// its mechanism. The shift of open contacts decides nothing but how well the program is solved.
static cn_status solve_here(following *f, double moved, double speed, cn_limit_answer **answer,
                            cn_error *err)
{
    cn_limit_model *m = f->model;
    cn_status status = cn_model_look(m, NEAR * m->size, err);
    f->close = f->closed + OPENED * moved;
    for (int n = 0; n < APARTS && status == CN_OK && !is_known(*answer); n++) {
        cn_limit_answer_destroy(*answer);
        *answer = NULL;
        m->apart = APART[n] * speed;
        status = cn_model_answer(m, f->k, f->close, f->def, answer, err);
    }
    m->apart = 0.0;
    return status == CN_BAD_INPUT ? CN_OK : status; // a body that touches nothing: no answer
}

// Largest velocity of a mass centre or of a point of contact. The latter alone is rounding where
// the only contact is a hinge.
static double speed_of(const following *f, const cn_limit_answer *a)
{
    double speed = a->speed;
    for (int i = 0; i < f->model->view.body_count; i++) {
        const double *v = a->v + 6 * (size_t)i;
        speed = fmax(speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return speed;
}

// What ends a curve beside its end, NULL if nothing does. Joints that dilate lift off as they
// slide: their path is not that of any real joint.
static const char *obstacle(const following *f, const cn_limit_answer *a)
{
    switch (a->limit->outcome) {
    case CN_LIMIT_FALLS:
        return "nothing is in balance any more: a contact is lost";
    case CN_LIMIT_UNBOUNDED:
        return "any multiplier is carried: the mechanism has locked";
    case CN_LIMIT_UNDECIDED:
        return "a multiplier was not found";
    default:
        break;
    }
    for (int k = 0; k < a->joint_count; k++) {
        if (a->joint[k].slip > SLIDES * speed_of(f, a) && a->joint[k].push > 0.0) {
            return "the mechanism slides: joints that dilate lift off as they do, so that only "
                   "mechanisms of hinges are followed";
        }
    }
    return control_speed(f, a->v) > SLIDES * speed_of(f, a) ? NULL
                                                            : "the control point does not move";
}

// Whether closed contacts alone prove that nothing is in balance where bodies are.
static cn_status find_fall(const following *f, bool *falls, cn_error *err)
{
    cn_limit_answer *a = NULL;
    cn_status status = cn_model_answer(f->model, f->k, f->close, f->def, &a, err);
    *falls = status == CN_OK && a->limit->outcome == CN_LIMIT_FALLS;
    cn_limit_answer_destroy(a);
    return status == CN_BAD_INPUT ? CN_OK : status; // a body that touches nothing
}

// A try of find_end: the bodies t seconds along f->v, *carries if a positive multiplier is known
// there, *last the latest answer of those.
static cn_status try_end(following *f, double t, double speed, bool *carries,
                         cn_limit_answer **last, cn_error *err)
{
    cn_limit_answer *a = NULL;
    CN_TRY(carry(f, f->v, t, speed, err));
    CN_TRY(solve_here(f, speed * t, speed, &a, err));
    *carries = is_known(a) && a->limit->upper > 0.0;
    cn_limit_answer_destroy(*carries ? *last : a);
    *last = *carries ? a : *last;
    return CN_OK;
}

// Ends the curve in a step of t seconds that starts where a multiplier is known and does not end
// so. Halves it until the last state that carries is found, which is written.
static cn_status find_end(following *f, double t, double speed, double first, cn_error *err)
{
    double low = 0.0, high = t;
    bool falls = false, carries = false;
    cn_limit_answer *last = NULL;
    cn_status status = CN_OK;
    for (int n = 0; n < SEARCH_MOST && status == CN_OK && high - low > 1e-12 * t; n++) {
        double middle = 0.5 * (low + high);
        status = try_end(f, middle, speed, &carries, &last, err);
        low = carries ? middle : low;
        high = carries ? high : middle;
    }
    CN_THEN(status, carry(f, f->v, high, speed, err));
    CN_THEN(status, cn_model_look(f->model, NEAR * f->model->size, err));
    CN_THEN(status, find_fall(f, &falls, err));
    bool is_end = last != NULL && last->limit->upper <= ENDS * first;
    if (status == CN_OK && last != NULL) {
        status = carry(f, f->v, low, speed, err);
        advance(f);
        CN_THEN(status, add_point(f, last, err));
    }
    f->curve->is_whole = is_end || falls;
    snprintf(f->curve->ending, sizeof f->curve->ending, "%s",
             is_end  ? "nothing is carried any more"
             : falls ? "beyond it a mechanism proves that nothing is in balance"
                     : "beyond it no state in balance was found: another joint opens or slides, a "
                       "contact is lost, or steps are too long");
    cn_limit_answer_destroy(last);
    return status;
}

// One step from the answer *a of the present state, which becomes that of the next one; *goes_on is
// false where the curve ends.
static cn_status step(following *f, cn_limit_answer **a, double first, bool *goes_on, cn_error *err)
{
    double way = f->asked->until / f->asked->steps;
    cn_limit_answer *middle = NULL, *next = NULL;
    double t = way / control_speed(f, (*a)->v);
    CN_TRY(cn_hinges_find(f->model, *a, f->close, speed_of(f, *a), f->q, &f->hinges, err));
    CN_TRY(carry(f, (*a)->v, 0.5 * t, speed_of(f, *a), err));
    CN_TRY(solve_here(f, 0.5 * t * speed_of(f, *a), speed_of(f, *a), &middle, err));
    const cn_limit_answer *along = *a;
    if (is_known(middle) && obstacle(f, middle) == NULL) {
        along = middle;
        take_screws(f, middle->v);
    } else {
        memcpy(f->v, (*a)->v, 6 * (size_t)f->model->view.body_count * sizeof *f->v);
    }
    t = way / control_speed(f, f->v);
    double speed = speed_of(f, along);
    cn_status status = carry(f, f->v, t, speed, err);
    CN_THEN(status, solve_here(f, t * speed, speed, &next, err));
    if (status == CN_OK && !(is_known(next) && next->limit->upper > 0.0)) {
        status = find_end(f, t, speed, first, err);
        *goes_on = false;
    } else if (status == CN_OK) {
        advance(f);
        status = add_point(f, next, err);
        cn_limit_answer_destroy(*a);
        *a = next;
        next = NULL;
    }
    cn_limit_answer_destroy(middle);
    cn_limit_answer_destroy(next);
    return status;
}

static cn_status follow(following *f, cn_error *err)
{
    cn_limit_answer *a = NULL;
    bool goes_on = true;
    f->close = cn_model_close(f->model, f->k);
    cn_status status = cn_model_answer(f->model, f->k, f->close, f->def, &a, err);
    CN_THEN(status, add_point(f, a, err));
    for (int n = 0; status == CN_OK && n < a->limit->contact_count; n++) {
        f->closed = fmax(f->closed, a->contact[n].gap);
    }
    double first = status == CN_OK ? a->limit->upper : NAN;
    for (int n = 0; status == CN_OK && goes_on; n++) {
        const char *why = obstacle(f, a);
        f->curve->is_whole = why == NULL && n == f->asked->steps;
        if (why != NULL || n == f->asked->steps) {
            snprintf(f->curve->ending, sizeof f->curve->ending, "%s",
                     why != NULL ? why : "the way that was asked for");
            break;
        }
        status = step(f, &a, first, &goes_on, err);
    }
    cn_limit_answer_destroy(a);
    return status;
}

// ---- the call

bool cn_limit_model_has_curve(const cn_limit_model *model, int k)
{
    return model != NULL && k >= 0 && k < model->case_count &&
           model->limit[k].curve.control.count == 1;
}

static cn_status check(const cn_limit_model *m, int k, cn_error *err)
{
    if (!cn_limit_model_has_curve(m, k)) {
        return cn_fail(err, CN_BAD_INPUT, "load %d asks for no curve: give it the key 'curve'", k);
    }
    int i = m->limit[k].curve.control.body[0];
    if (m->held[i] == CN_FIXED_ALL || (m->scene->dim == 2 && m->view.fixed[i] == CN_FIXED_ALL)) {
        return cn_fail(err, CN_BAD_INPUT, "%s:%d: '%s' is fixed and has no way to measure",
                       m->limit[k].at.file, m->limit[k].at.line, m->limit[k].curve.control.text);
    }
    return CN_OK;
}

cn_status cn_limit_model_curve(cn_limit_model *model, int k, const cn_limit_def *def,
                               cn_limit_curve *curve, cn_error *err)
{
    CN_NEED(err, model, def, curve);
    *curve = (cn_limit_curve){.count = 0};
    CN_TRY(check(model, k, err));
    if (model->has_strength) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: joints with strength break as they open: give the law of a curve "
                       "`bond: off`, friction alone goes on",
                       model->limit[k].name);
    }
    size_t bodies = (size_t)model->view.body_count;
    following f = {
        .model = model, .k = k, .def = def, .asked = &model->limit[k].curve, .curve = curve};
    f.state = calloc(bodies + 1, sizeof *f.state);
    f.start = calloc(CN_PLACE * bodies + 1, sizeof *f.start);
    f.q = calloc(CN_PLACE * bodies + 1, sizeof *f.q);
    f.next = calloc(CN_PLACE * bodies + 1, sizeof *f.next);
    f.v = calloc(6 * bodies + 1, sizeof *f.v);
    cn_status status =
        f.state != NULL && f.start != NULL && f.q != NULL && f.v != NULL && f.next != NULL
            ? take_places(&f, err)
            : cn_fail(err, CN_NO_MEMORY, "no memory for a curve of %zu bodies", bodies);
    if (status == CN_OK) {
        cn_error other = {0};
        status = follow(&f, err);
        cn_status back = place(&f, f.start, &other);
        CN_THEN(back, cn_model_look(model, model->reach, &other));
        if (status == CN_OK && back != CN_OK) {
            status = cn_fail(err, back, "%s", other.text);
        }
    }
    CN_RELEASE(f.state, f.start, f.q, f.v, f.next);
    cn_hinges_free(&f.hinges);
    return status;
}

void cn_limit_curve_free(cn_limit_curve *curve)
{
    if (curve != NULL) {
        free(curve->point);
        curve->point = NULL;
        curve->count = 0;
    }
}
