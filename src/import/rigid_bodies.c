// import/rigid_bodies.c -- mass, inertia and place of rigid bodies, by the rules of LMGC90.
//
// They decide where a body is, so they are copied with their oddities: squared lengths held against
// 1e-6, areas of parts that overlap counted twice, a centre in axes of the body added in axes of
// the world.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "import/importing.h"

static const cn_dat_contactor *contactor_of(const cn_importing *m, const cn_dat_body *body, int k)
{
    return &m->box.contactor.item[body->contactor.first + k];
}

static double density_of(cn_importing *m, const cn_dat_body *body)
{
    for (size_t k = 0; k < m->box.bulk.count; k++) {
        const cn_dat_law *bulk = &m->box.bulk.item[k];
        if (strcmp(bulk->name, body->material) == 0) {
            if (bulk->count > 0 && bulk->param[0].value > 0.0) {
                return bulk->param[0].value;
            }
            cn_complain(&m->report, bulk->at, "behaviour '%s' needs a density Umas above 0",
                        bulk->name);
            return NAN;
        }
    }
    cn_complain(&m->report, body->at, "behaviour '%s' of this body is not in BULK_BEHAV.DAT",
                body->material);
    return NAN;
}

// All contactors together: content, centre, and moments about it.
typedef struct whole {
    cn_dat_measure sum;
    int count; // of those that have extent
} whole;

static bool measure_whole(cn_importing *m, const cn_dat_body *body, int dim, whole *w)
{
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    cn_dat_measure part;
    *w = (whole){0};
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < body->contactor.count; k++) {
            if (!cn_dat_measure_contactor(m, dim, contactor_of(m, body, k), &part)) {
                return false;
            }
            double d[3], square = 0.0;
            for (int n = 0; n < 3; n++) {
                w->sum.centre[n] += pass == 0 ? part.content * part.centre[n] : 0.0;
                d[n] = pass == 0 ? 0.0 : part.centre[n] - w->sum.centre[n];
                square += d[n] * d[n];
            }
            w->sum.content += pass == 0 ? part.content : 0.0;
            w->count += pass == 0 && part.content > 0.0 ? 1 : 0;
            for (int n = 0; n < 6 && pass == 1; n++) {
                double steiner = (n < 3 ? square : 0.0) - d[row[n]] * d[column[n]];
                w->sum.moment[n] += part.moment[n] + part.content * steiner;
            }
        }
        for (int n = 0; n < 3 && pass == 0 && w->sum.content > 0.0; n++) {
            w->sum.centre[n] /= w->sum.content;
        }
    }
    return true;
}

static bool is_polygon(const cn_importing *m, const cn_dat_body *body)
{
    return body->contactor.count > 0 && strcmp(contactor_of(m, body, 0)->kind, "POLYG") == 0;
}

// Where the mass centre of a plane body is, from that of its contactors.
static void place_plane(const cn_importing *m, const whole *w, cn_rigid *r)
{
    const double LEAST = 1e-6; // of a squared length, whatever the unit
    const double ROUNDING = 1e-12;
    const cn_dat_body *body = r->body;
    const double *c = w->sum.centre, *node = body->place;
    bool is_at_zero = node[0] == 0.0 && node[1] == 0.0 && node[2] == 0.0;
    bool is_in_world = is_at_zero && w->count == 1 && is_polygon(m, body);
    bool is_moved = is_in_world || c[0] * c[0] + c[1] * c[1] >= LEAST;
    r->angle = node[2];
    r->at[0] = node[0];
    r->at[1] = node[1];
    if (is_moved) {
        r->at[0] += cos(node[2]) * c[0] - sin(node[2]) * c[1];
        r->at[1] += sin(node[2]) * c[0] + cos(node[2]) * c[1];
        memcpy(r->centre, c, 2 * sizeof *c);
    }
    r->has_centre = !is_moved && hypot(c[0], c[1]) > ROUNDING * sqrt(w->sum.content);
}

static void weigh_plane(cn_importing *m, const whole *w, double density, cn_rigid *r)
{
    const cn_dat_body *body = r->body;
    double shape = density * w->sum.moment[2];
    if (body->radius > 0.0 && body->gyration > 0.0) {
        r->mass = density * CN_PI * body->radius * body->radius;
        r->inertia[2] = r->mass * body->gyration * body->gyration;
    } else {
        r->mass = density * w->sum.content;
        r->inertia[2] = shape;
    }
    bool is_bar = strcmp(contactor_of(m, body, 0)->kind, "JONCx") == 0;
    if (is_bar || fabs(r->inertia[2] - shape) > 0.01 * shape) {
        cn_import_changed(m, body->at,
                          "inertia %.6g kg m2 is as in the file, not that of the shape",
                          r->inertia[2]);
    }
}

static void place_space(const whole *w, bool has_moments, cn_rigid *r)
{
    for (int n = 0; n < 3; n++) { // in axes of the world, though the contactors may be turned
        r->at[n] = r->body->place[n] + w->sum.centre[n];
        r->centre[n] = w->sum.centre[n];
    }
    memcpy(r->axes, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof r->axes);
    r->has_centre = w->count > 1;
    (void)has_moments;
}

static void weigh_space(cn_importing *m, const whole *w, double density, cn_rigid *r)
{
    const cn_dat_body *body = r->body;
    const double *I = body->inertia;
    bool is_given = I[0] > 0.0 || I[1] > 0.0 || I[2] > 0.0;
    double radius = body->radius;
    bool is_ball = w->count == 1 && radius > 0.0;
    r->mass = density * (is_ball ? 4.0 / 3.0 * CN_PI * radius * radius * radius : w->sum.content);
    for (int n = 0; n < 6; n++) {
        r->inertia[n] = density * (is_given ? (n < 3 ? I[n] : 0.0) : w->sum.moment[n]);
    }
    place_space(w, is_given, r);
    if (is_given && (I[0] + I[1] < I[2] || I[1] + I[2] < I[0] || I[2] + I[0] < I[1])) {
        cn_import_changed(m, body->at,
                          "one moment of inertia is larger than the sum of the others");
    }
}

static void add_rigid(cn_importing *m, const cn_dat_body *body)
{
    int dim = body->kind == CN_DAT_RIGID2 ? 2 : 3;
    cn_rigid r = {.body = body};
    whole w;
    if (dim != m->dim) {
        cn_complain(&m->report, body->at, "bodies of the plane and of space are mixed");
        return;
    }
    double density = density_of(m, body);
    if (isnan(density) || !measure_whole(m, body, dim, &w)) {
        return;
    }
    if (dim == 2) {
        weigh_plane(m, &w, density, &r);
        place_plane(m, &w, &r);
    } else {
        weigh_space(m, &w, density, &r);
    }
    if (!isfinite(r.mass) || !isfinite(r.inertia[0] + r.inertia[1] + r.inertia[2]) ||
        !isfinite(r.at[0] + r.at[1] + r.at[2])) {
        cn_complain(&m->report, body->at, "mass %g kg or inertia of this body is beyond numbers",
                    r.mass);
        return;
    }
    memcpy(r.first, r.at, sizeof r.first);
    r.first_angle = r.angle;
    CN_THEN(m->status, CN_DAT_ADD(m->rigid, r, m->err));
}

static cn_rigid *find_rigid(cn_importing *m, const cn_dat_state *state)
{
    const cn_dat_body *body = cn_datbox_body(&m->box, state->kind, state->body);
    size_t count = m->rigid.count;
    for (size_t k = 0; k < count; k++) {
        cn_rigid *r = &m->rigid.item[((size_t)state->body - 1 + k) % count];
        if (r->body == body) {
            return r;
        }
    }
    return NULL;
}

static void multiply(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
}

// The frame of DOF.INI is that of the principal axes. Where BODIES.DAT gives no moments LMGC90 has
// found them itself; if the tensor is diagonal they are the axes of the contactors.
static void turn_space(cn_importing *m, const cn_dat_state *state, cn_rigid *r)
{
    const double *J = r->inertia;
    double least = fmin(J[0], fmin(J[1], J[2]));
    bool is_diagonal = fabs(J[3]) + fabs(J[4]) + fabs(J[5]) <= 1e-7 * least;
    double gram[9], transposed[9];
    for (int k = 0; k < 9; k++) {
        transposed[k] = state->axes[3 * (k % 3) + k / 3];
    }
    multiply(transposed, state->axes, gram);
    for (int k = 0; k < 9; k++) {
        if (fabs(gram[k] - (k % 4 == 0 ? 1.0 : 0.0)) > 1e-4) {
            cn_complain(&m->report, state->at,
                        "the axes a, b and g are not at right angles, or not "
                        "of length 1");
            return;
        }
    }
    if (!is_diagonal) {
        cn_import_lost(m, state->at,
                       "the frame of a body whose principal axes are not in "
                       "BODIES.DAT: let LMGC90 write BODIES.OUT (WriteBodies) and "
                       "import that");
        return;
    }
    memcpy(r->axes, state->axes, sizeof r->axes);
    for (int n = 0; n < 3; n++) { // rates are about the axes of the body
        r->rate[n] = r->axes[3 * n] * state->rate[3] + r->axes[3 * n + 1] * state->rate[4] +
                     r->axes[3 * n + 2] * state->rate[5];
    }
}

static void apply_state(cn_importing *m, const cn_dat_state *state)
{
    cn_rigid *r = state->kind == CN_DAT_MESH ? NULL : find_rigid(m, state);
    if (r == NULL) {
        return;
    }
    for (int n = 0; n < m->dim; n++) {
        r->at[n] += state->moved[n];
        r->velocity[n] = state->rate[n];
    }
    if (m->dim == 2) {
        r->angle += state->moved[2];
        r->rate[2] = state->rate[2];
    } else if (state->has_axes) {
        turn_space(m, state, r);
    }
}

void cn_import_rigid(cn_importing *m)
{
    for (size_t k = 0; k < m->box.body.count && m->status == CN_OK; k++) {
        if (m->box.body.item[k].kind != CN_DAT_MESH) {
            add_rigid(m, &m->box.body.item[k]);
        }
    }
    for (size_t k = 0; k < m->box.state.count && m->status == CN_OK; k++) {
        apply_state(m, &m->box.state.item[k]);
    }
}
