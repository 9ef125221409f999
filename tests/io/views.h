// tests/io/views.h -- hand-made states for the writer, so that files can be tested without a world.
#pragma once

#include <string.h>

#include "result/checkpoint.h"
#include "result/writer.h"

#define VIEW_BODIES 40
#define VIEW_CONTACTS 60
#define VIEW_JOINTS 3

// Frame k of an imaginary run: every number follows from k, so that a reader can check it.
typedef struct made_view {
    cn_body_id id[VIEW_BODIES];
    int group[VIEW_BODIES];
    unsigned fixed[VIEW_BODIES];
    double mass[VIEW_BODIES], q[3 * VIEW_BODIES], v[3 * VIEW_BODIES];
    int shape_start[VIEW_BODIES + 1];
    cn_shape_def shape[VIEW_BODIES];
    cn_contact contact[VIEW_CONTACTS];
    cn_joint_state joint[VIEW_JOINTS];
    int state_start[VIEW_CONTACTS + 1];
    double state[2 * VIEW_CONTACTS];
    cn_ledger ledger;
    cn_certificate certificate;
    double seconds[CN_STAGE_COUNT];
    cn_snapshot snapshot;
} made_view;

static inline const char *made_group(const void *context, int group)
{
    (void)context;
    return group == 0 ? "default" : "grains";
}

// Law 0 keeps two states, law 1 none.
static inline const cn_law_type *made_law(const void *context, int law)
{
    static const char *const name[2] = {"worn", "hot"};
    static const cn_law_type type[2] = {{.name = "made", .state_count = 2, .state_name = name},
                                        {.name = "bare"}};
    (void)context;
    return &type[law];
}

static inline double made_number(int k, int n)
{
    return (double)k + 0.001 * (double)n;
}

// Bodies: disks and triangles, one more each 10 frames.
static inline int made_bodies(int k)
{
    int count = 10 + k / 10;
    return count < VIEW_BODIES ? count : VIEW_BODIES;
}

static inline int made_contacts(int k)
{
    return k * 7 % VIEW_CONTACTS;
}

static inline void fill_made_body(made_view *m, int k, int i)
{
    static const double triangle[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0};
    m->id[i] = (cn_body_id)(100 + i);
    m->group[i] = i % 2;
    m->fixed[i] = i == 0 ? CN_FIXED_ALL : 0;
    m->mass[i] = 1.0 + i;
    m->shape_start[i + 1] = i + 1;
    m->shape[i] =
        i % 2 == 0
            ? (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 1.0 + i}
            : (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 3, .vertex = triangle};
    for (int d = 0; d < 3; d++) {
        m->q[3 * i + d] = made_number(k, 3 * i + d);
        m->v[3 * i + d] = -made_number(k, 3 * i + d);
    }
}

static inline void fill_made_states(made_view *m, int k, int a)
{
    int start = m->state_start[a];
    int count = made_law(NULL, m->contact[a].law)->state_count;
    m->state_start[a + 1] = start + count;
    for (int n = 0; n < count; n++) {
        m->state[start + n] = made_number(k, a) + n;
    }
}

static inline void fill_made_contact(cn_contact *c, int k, int a)
{
    *c = (cn_contact){.pair = (uint64_t)a << 32 | (uint64_t)k,
                      .feature = (uint64_t)a,
                      .i = a % 10,
                      .j = (a + 1) % 10,
                      .law = a % 3 == 1,
                      .status = (signed char)(a % 4),
                      .point = {made_number(k, a), 1.0, 0.0},
                      .normal = {0.0, 1.0, 0.0},
                      .gap = -made_number(k, a),
                      .r = {made_number(k, a), 0.5, 0.0}};
}

static inline int made_joints(int k)
{
    return k % (VIEW_JOINTS + 1);
}

static inline void fill_made_joint(cn_joint_state *s, int k, int n)
{
    *s = (cn_joint_state){.id = (cn_joint_id)(n + 1),
                          .kind = (cn_joint_kind)n,
                          .i = n,
                          .j = n - 1,
                          .is_broken = (signed char)(n == 2),
                          .point = {made_number(k, n), 2.0, 0.0},
                          .end = {3.0, made_number(k, n), 0.0},
                          .axis = {0.0, 0.0, 1.0},
                          .impulse = {0.1, made_number(k, n), 0.0},
                          .moment = {0.0, 0.0, made_number(k, n)},
                          .motor = 0.2,
                          .stop = -0.3,
                          .gap = 1e-9 * n,
                          .gap_angle = 1e-8 * n,
                          .position = made_number(k, n),
                          .speed = -1.0};
}

// All members; padding does not count.
static inline bool is_same_joint(const cn_joint_state *a, const cn_joint_state *b)
{
    const double x[] = {a->motor, a->gap, a->gap_angle, a->position, a->speed, a->stop};
    const double y[] = {b->motor, b->gap, b->gap_angle, b->position, b->speed, b->stop};
    return a->id == b->id && a->kind == b->kind && a->i == b->i && a->j == b->j &&
           a->is_broken == b->is_broken && memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->end, b->end, sizeof a->end) == 0 &&
           memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(a->impulse, b->impulse, sizeof a->impulse) == 0 &&
           memcmp(a->moment, b->moment, sizeof a->moment) == 0 && memcmp(x, y, sizeof x) == 0;
}

// The step that leads to frame k is step 2k; made_step(k, 0 or 1) prepares the two between.
static inline void made_frame(made_view *m, int k)
{
    int bodies = made_bodies(k);
    m->shape_start[0] = 0;
    for (int i = 0; i < bodies; i++) {
        fill_made_body(m, k, i);
    }
    m->state_start[0] = 0;
    for (int a = 0; a < made_contacts(k); a++) {
        fill_made_contact(&m->contact[a], k, a);
        fill_made_states(m, k, a);
    }
    for (int n = 0; n < made_joints(k); n++) {
        fill_made_joint(&m->joint[n], k, n);
    }
    m->certificate.step = 2 * k;
    m->certificate.time = 0.2 * k;
    m->certificate.h = 0.1;
    m->certificate.contact_count = made_contacts(k);
    m->certificate.solver.residual.err_v = made_number(k, 1);
    m->certificate.solver.sweep_count = k;
    m->ledger.total[CN_ENERGY_FRICTION] = k;
    m->seconds[CN_STAGE_SOLVE] = 0.5 * k;
    cn_view view = {.time = 0.2 * k,
                    .step = 2 * k,
                    .dim = 2,
                    .body_count = bodies,
                    .id = m->id,
                    .group = m->group,
                    .fixed = m->fixed,
                    .mass = m->mass,
                    .inertia = m->mass,
                    .size = m->mass,
                    .q = m->q,
                    .v = m->v,
                    .shape_start = m->shape_start,
                    .shape = m->shape,
                    .contact_count = made_contacts(k),
                    .contact = m->contact,
                    .state_start = m->state_start,
                    .state = m->state,
                    .joint_count = made_joints(k),
                    .joint = m->joint,
                    .ledger = &m->ledger,
                    .certificate = &m->certificate,
                    .seconds = m->seconds};
    m->snapshot = (cn_snapshot){.view = view,
                                .threads = 1,
                                .state_hash = (uint64_t)k + 1,
                                .group_count = 2,
                                .group_name = made_group,
                                .law_count = 2,
                                .law_type = made_law};
}

// Writes the file of an imaginary run: frames 0 to `last`, two steps between frames, one series.
static inline cn_status made_start(const char *path, made_view *m, cn_writer **writer,
                                   cn_error *err)
{
    static const char *const series[1] = {"height"};
    cn_provenance p = {.title = "made", .scene_text = "cairn: 1\n", .seed = 7, .step = 0.1};
    made_frame(m, 0);
    return cn_results_create(path, &p, &m->snapshot, 1, series, writer, err);
}

static inline cn_status made_write(cn_writer *writer, made_view *m, int k, cn_error *err)
{
    made_frame(m, k);
    for (int s = 1; s >= 0; s--) {
        m->certificate.step = 2 * k - s;
        m->certificate.time = 0.1 * (2 * k - s);
        double height = 0.5 * (2 * k - s);
        cn_status status = cn_results_step(writer, &m->snapshot.view, &height, err);
        if (status != CN_OK) {
            return status;
        }
    }
    return cn_results_frame(writer, &m->snapshot, err);
}

// Whether frame k of a reader is what made_frame(k) wrote.
static inline bool made_equals(cn_reader *r, int k, cn_error *err)
{
    made_view m = {0};
    made_frame(&m, k);
    cn_frame f;
    if (cn_reader_frame(r, k, &f, err) != CN_OK) {
        return false;
    }
    const cn_view *v = &m.snapshot.view;
    size_t bodies = (size_t)v->body_count;
    bool is_equal = f.step == v->step && f.body_count == v->body_count &&
                    f.contact_count == v->contact_count &&
                    memcmp(f.id, v->id, bodies * sizeof *v->id) == 0 &&
                    memcmp(f.q, v->q, 3 * bodies * sizeof *v->q) == 0 &&
                    memcmp(f.v, v->v, 3 * bodies * sizeof *v->v) == 0 &&
                    memcmp(f.contact, v->contact, (size_t)f.contact_count * sizeof *f.contact) == 0;
    size_t contacts = (size_t)v->contact_count;
    is_equal = is_equal &&
               memcmp(f.state_start, v->state_start, (contacts + 1) * sizeof(int)) == 0 &&
               memcmp(f.state, v->state, (size_t)f.state_start[contacts] * sizeof(double)) == 0;
    is_equal = is_equal && f.joint_count == v->joint_count;
    for (int n = 0; is_equal && n < v->joint_count; n++) {
        is_equal = is_same_joint(&f.joint[n], &v->joint[n]);
    }
    for (int i = 0; is_equal && i < v->body_count; i++) {
        int count;
        const cn_shape_def *shape = cn_reader_shapes(r, f.id[i], &count);
        is_equal =
            count == 1 && shape->kind == v->shape[i].kind && shape->radius == v->shape[i].radius;
    }
    return is_equal;
}
