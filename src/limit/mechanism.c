// limit/mechanism.c -- an answer as a result file: forces in frame 0, then the mechanism at growing
// amplitude, for everything that shows results.
//
// Frames are made by hand: impulses of a step of 1 s are forces. Motions are finite screws, so that
// blocks keep their shape.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "limit/limit_model.h"
#include "result/writer.h"

// Largest motion that is shown, over the mean size of the bodies that can move, and most rotation.
static const double AMPLITUDE = 0.5, TURN_MOST = 0.5;
enum { FRAMES = 20 };

typedef struct showing {
    const cn_limit_model *model;
    const cn_limit_answer *answer;
    cn_snapshot snapshot;
    cn_certificate certificate;
    cn_ledger ledger;
    double seconds[CN_STAGE_COUNT];
    double *q, *v;
    cn_contact *contact;
    int *state_start;
    double most; // seconds of the mechanism that the last frame shows
} showing;

static const char *group_name(const void *context, int group)
{
    return cn_group_name(context, group);
}

static const cn_law_type *law_type(const void *context, int law)
{
    return cn_law_type_of(context, law);
}

static int q_size(const showing *s)
{
    return s->model->scene->dim == 2 ? 3 : 7;
}

// How long the mechanism may go on until it is seen well.
static double find_most(const showing *s)
{
    const cn_view *view = &s->model->view;
    double size = 0.0, speed = s->answer->speed, turn = 0.0;
    int count = 0;
    for (int i = 0; i < view->body_count; i++) {
        const double *v = s->answer->v + 6 * (size_t)i;
        double moves = hypot(hypot(v[0], v[1]), v[2]);
        turn = fmax(turn, hypot(hypot(v[3], v[4]), v[5]));
        speed = fmax(speed, moves);
        if (view->fixed[i] != CN_FIXED_ALL && isfinite(view->size[i])) {
            size += view->size[i];
            count++;
        }
    }
    if (!(speed > 0.0) || count == 0) {
        return 0.0;
    }
    double most = AMPLITUDE * size / count / speed;
    return turn > 0.0 ? fmin(most, TURN_MOST / turn) : most;
}

// Way of a point of velocity u of a body that turns by `turn` per second: along the screw of this
// motion, so that bodies which move as one stay together.
static cn_vec3 way_of(cn_vec3 u, cn_vec3 turn, double t)
{
    double rate = cn_norm3(turn), angle = t * rate;
    if (!(angle > 1e-9)) {
        return cn_mul3(t, u);
    }
    cn_vec3 along = cn_mul3(cn_dot3(u, turn) / (rate * rate), turn), across = cn_sub3(u, along);
    double half = sin(0.5 * angle) / rate;
    cn_vec3 way = cn_add_mul3(cn_mul3(t, along), sin(angle) / rate, across);
    return cn_add_mul3(way, 2.0 * half * half, cn_cross3(turn, across));
}

void cn_model_carry(int dim, const double *from, const double v[6], double t, double *to)
{
    cn_vec3 turn = cn_v3(v[3], v[4], v[5]), way = way_of(cn_v3(v[0], v[1], v[2]), turn, t);
    to[0] = from[0] + way.x;
    to[1] = from[1] + way.y;
    if (dim == 2) {
        to[2] = from[2] + t * v[5];
        return;
    }
    to[2] = from[2] + way.z;
    double angle = t * cn_norm3(turn), half = angle != 0.0 ? sin(0.5 * angle) / angle * t : 0.0;
    cn_quat turned = {cos(0.5 * angle), half * v[3], half * v[4], half * v[5]};
    cn_quat placed =
        cn_quat_unit(cn_quat_mul(turned, (cn_quat){from[3], from[4], from[5], from[6]}));
    memcpy(to + 3, &placed, 4 * sizeof *to);
}

static void place_body(showing *s, int i, double t)
{
    int size = q_size(s);
    cn_model_carry(s->model->scene->dim, s->model->view.q + size * (size_t)i,
                   s->answer->v + 6 * (size_t)i, t, s->q + size * (size_t)i);
}

// Contacts go with the mean motion of their bodies; forces stay those of the lower bound.
static void place_contact(showing *s, int a, double t)
{
    const cn_contact *from = &s->answer->contact[a];
    cn_contact *x = &s->contact[a];
    int size = q_size(s);
    *x = *from;
    for (int side = 0; side < 2; side++) {
        int i = side == 0 ? from->i : from->j;
        const double *v = s->answer->v + 6 * (size_t)i, *q = s->model->view.q + size * (size_t)i;
        cn_vec3 arm = cn_v3(from->point[0] - q[0], from->point[1] - q[1],
                            size == 7 ? from->point[2] - q[2] : 0.0);
        cn_vec3 turn = cn_v3(v[3], v[4], v[5]);
        cn_vec3 u = cn_add3(cn_v3(v[0], v[1], v[2]), cn_cross3(turn, arm));
        cn_vec3 way = way_of(u, turn, t);
        x->point[0] += 0.5 * way.x;
        x->point[1] += 0.5 * way.y;
        x->point[2] += 0.5 * way.z;
    }
    x->gap = from->gap + t * from->u[0];
}

static void show_frame(showing *s, int k)
{
    double t = s->most * k / FRAMES;
    const cn_view *from = &s->model->view;
    for (int i = 0; i < from->body_count; i++) {
        place_body(s, i, t);
    }
    for (int a = 0; a < s->answer->limit->contact_count; a++) {
        place_contact(s, a, t);
    }
    s->snapshot.view.time = (double)k / FRAMES;
    s->snapshot.view.step = k + 1;
    s->certificate.step = k + 1;
    s->certificate.time = s->snapshot.view.time;
}

static cn_status prepare(showing *s, cn_error *err)
{
    const cn_limit_model *m = s->model;
    size_t bodies = (size_t)m->view.body_count, size = (size_t)q_size(s);
    size_t contacts = (size_t)s->answer->limit->contact_count;
    s->q = malloc(sizeof(double) * (bodies * size + 1));
    s->v = calloc(6 * bodies + 1, sizeof(double));
    s->contact = calloc(contacts + 1, sizeof *s->contact);
    s->state_start = calloc(contacts + 2, sizeof(int));
    if (s->q == NULL || s->v == NULL || s->contact == NULL || s->state_start == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the frames of a mechanism");
    }
    memcpy(s->q, m->view.q, sizeof(double) * bodies * size);
    s->most = find_most(s);
    s->certificate.h = 1.0;
    cn_view view = m->view;
    view.q = s->q;
    view.v = s->v;
    view.contact = s->contact;
    view.contact_count = (int)contacts;
    view.state_start = s->state_start;
    view.ledger = &s->ledger;
    view.certificate = &s->certificate;
    view.seconds = s->seconds;
    s->snapshot = (cn_snapshot){.view = view,
                                .threads = 1,
                                .group_count = cn_group_count(m->world),
                                .group_name = group_name,
                                .law_count = cn_law_count(m->world),
                                .law_type = law_type,
                                .context = m->world};
    return CN_OK;
}

// One name per line, in the order of ids.
static char *list_names(const cn_scene *scene)
{
    char *names = malloc((size_t)scene->body_count * (CN_BODY_NAME_MAX + 1) + 1), *to = names;
    for (int k = 0; k < scene->body_count && names != NULL; k++) {
        cn_scene_body_name(scene, k, to);
        to += strlen(to);
        *to++ = '\n';
    }
    if (names != NULL) {
        *to = '\0';
    }
    return names;
}

// The verdict in one sentence, for whoever reads the result.
static void describe(const cn_limit_answer *a, char *text, size_t size)
{
    const cn_limit *x = a->limit;
    const char *unit = a->is_support ? " N" : "";
    int used = snprintf(text, size, "limit analysis, %.80s: %s", a->name,
                        cn_limit_outcome_name(x->outcome));
    if (x->outcome == CN_LIMIT_BOUNDED || x->outcome == CN_LIMIT_UNDECIDED) {
        used += snprintf(text + used, size - (size_t)used, ", at least %.9g%s, at most %.9g%s",
                         x->lower, unit, x->upper, unit);
    }
    snprintf(text + used, size - (size_t)used,
             "; out of balance by %.1g of a load, sinking by %.1g", x->check.imbalance,
             x->check.sink);
}

static cn_status write_frames(showing *s, const char *path, const cn_provenance *provenance,
                              cn_error *err)
{
    cn_writer *writer = NULL;
    show_frame(s, 0);
    CN_TRY(cn_results_create(path, provenance, &s->snapshot, 0, NULL, &writer, err));
    cn_status status = CN_OK;
    for (int k = 1; k <= FRAMES && status == CN_OK && s->most > 0.0; k++) {
        show_frame(s, k);
        status = cn_results_frame(writer, &s->snapshot, err);
    }
    if (status != CN_OK) {
        cn_writer_abandon(writer);
        return status;
    }
    char outcome[250];
    describe(s->answer, outcome, sizeof outcome);
    return cn_results_close(writer, &s->snapshot, outcome, 0.0, -1, err);
}

cn_status cn_limit_write(const cn_limit_model *model, const cn_limit_answer *answer,
                         const char *path, const char *command_line, cn_error *err)
{
    CN_NEED(err, model, answer, path);
    showing s = {.model = model, .answer = answer};
    char *names = list_names(model->scene);
    char title[256];
    snprintf(title, sizeof title, "%.120s: %.100s", model->scene->title, answer->name);
    const cn_provenance provenance = {.title = title,
                                      .scene_path = model->scene->name,
                                      .scene_text = model->scene->text,
                                      .command_line = command_line != NULL ? command_line : "",
                                      .step = 1.0,
                                      .body_names = names};
    cn_status status = names != NULL
                           ? prepare(&s, err)
                           : cn_fail(err, CN_NO_MEMORY, "no memory for the names of bodies");
    CN_THEN(status, write_frames(&s, path, &provenance, err));
    CN_RELEASE(names, s.q, s.v, s.contact, s.state_start);
    return status;
}
