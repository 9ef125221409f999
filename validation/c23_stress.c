// validation/c23_stress.c -- C23, C24, C32: stress of cells, and what fabric makes of it.
//
// Question: does it matter which image of a grain is stored, do the sums that stress is made of
// agree in every step, converged or not, and does the analysis find the anisotropies that contacts
// were made of? Reference: invariance; V (sigma - carried) = J dL/dt (theory 15.4); q/p = (a_c +
// a_n + a_t)/2/(1 + a_c a_n/2). Source: derived; Rothenburg and Bathurst 1989.
#include <math.h>
#include <stdlib.h>

#include "builders.h"
#include "table.h"

enum { GRAINS = 300, ROW = 20 };
static const double H = 1e-3, PRESSURE = 100.0;

typedef struct grain {
    double radius, x[3], v[3];
} grain;

typedef struct sample {
    int dim, count;
    double C[9];
    grain grain[GRAINS];
} sample;

static double spread_place(sample *s, int k, int d, uint64_t *seed)
{
    int side = s->dim == 2 ? ROW : 6;
    int at = d == 0 ? k % side : (d == 1 ? k / side % side : k / (side * side));
    return (at + 0.5 + 0.1 * (cn_random(seed) - 0.5)) * (s->dim == 2 ? 0.06 : 0.07);
}

// Grains apart from each other, with velocities at random.
static sample loose(int dim)
{
    sample s = {.dim = dim, .count = dim == 2 ? GRAINS : 216};
    uint64_t seed = 23;
    const double side = dim == 2 ? 0.06 : 0.07;
    s.C[0] = dim == 2 ? ROW * side : 6 * side;
    s.C[4] = dim == 2 ? GRAINS / ROW * side : 6 * side;
    s.C[8] = dim == 2 ? 1.0 : 6 * side;
    for (int k = 0; k < s.count; k++) {
        grain *g = &s.grain[k];
        g->radius = 0.025 * (0.8 + 0.4 * cn_random(&seed));
        for (int d = 0; d < dim; d++) {
            g->x[d] = spread_place(&s, k, d, &seed);
            g->v[d] = cn_random(&seed) - 0.5;
        }
    }
    return s;
}

// A cell of the sample under the pressure along all axes and without shear; stress of a shear xy.
static cn_trial build(cn_book *book, const sample *s, double mu, double eps_v, double shear)
{
    cn_world_def def = cn_trial_def();
    cn_place place = s->dim == 2 ? cn_place_plane() : cn_place_along_axes(1.0);
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    def.solver.method = CN_METHOD_AUTO;
    def.solver.eps_v = def.solver.tol = eps_v;
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_cell_def cell = {.is_periodic = {true, true, s->dim == 3}};
    cn_cell_control control[CN_CELL_COMPONENT_COUNT];
    for (int k = 0; k < 9; k++) {
        cell.vectors[k] = s->C[k];
    }
    for (int k = 0; k < s->count; k++) {
        const grain *g = &s->grain[k];
        cn_build_disk(&t, g->radius,
                      (cn_body_def){.density = 1.0,
                                    .at = {g->x[0], g->x[1], g->x[2]},
                                    .velocity = {g->v[0], g->v[1], g->v[2]}});
    }
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        bool is_normal = k == CN_CELL_XX || k == CN_CELL_YY || (k == CN_CELL_ZZ && s->dim == 3);
        double stress = is_normal ? -PRESSURE : (k == CN_CELL_XY ? shear : 0.0);
        bool is_there = is_normal || k == CN_CELL_XY || s->dim == 3;
        control[k] = (cn_cell_control){.is_stress = is_there, .f = cn_constant(stress)};
    }
    cn_error err;
    cn_trial_ok(&t, cn_world_set_cell(t.world, &cell, &err), &err);
    cn_trial_ok(&t, cn_world_control_cell(t.world, control, &err), &err);
    return t;
}

// The sample as it is in the trial, at once at rest: grains that nothing holds would fly on.
static void take(const cn_trial *t, sample *s)
{
    cn_cell_state cell;
    if (t->is_broken) {
        return;
    }
    cn_world_cell(t->world, &cell, NULL);
    cn_view view = cn_world_view(t->world);
    int q = s->dim == 2 ? 3 : 7;
    for (int k = 0; k < 9; k++) {
        s->C[k] = cell.vectors[k];
    }
    for (int i = 0; i < s->count; i++) {
        for (int d = 0; d < s->dim; d++) {
            s->grain[i].x[d] = view.q[(size_t)q * i + d];
            s->grain[i].v[d] = 0.0;
        }
    }
}

// ---- C24

typedef double tensor[3][3];

static void add_dyad(const double a[3], const double b[3], double sign, tensor sum)
{
    for (int k = 0; k < 9; k++) {
        sum[k / 3][k % 3] += sign * a[k / 3] * b[k % 3];
    }
}

static double largest(const tensor a)
{
    double most = 0.0;
    for (int k = 0; k < 9; k++) {
        most = fmax(most, fabs(a[k / 3][k % 3]));
    }
    return most;
}

// Centres of body i and of the image of j that a contact is with.
static void centres(const cn_view *view, const cn_contact *x, double ci[3], double cj[3])
{
    int size = view->dim == 2 ? 3 : 7;
    for (int d = 0; d < 3; d++) {
        ci[d] = d < view->dim ? view->q[(size_t)size * x->i + d] : 0.0;
        cj[d] = d < view->dim ? view->q[(size_t)size * x->j + d] : 0.0;
        for (int k = 0; k < view->dim; k++) {
            cj[d] += view->cell[3 * d + k] * x->shift[k];
        }
    }
}

typedef struct worst {
    double moments, balance;
} worst;

// The step before left the gradient `before`.
static void check_step(const cn_trial *t, const cn_cell_state *before, worst *w)
{
    cn_cell_state s;
    cn_world_cell(t->world, &s, NULL);
    cn_view view = cn_world_view(t->world);
    tensor moments = {{0.0}}, missed = {{0.0}};
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        double f[3], ci[3], cj[3], arm[2][3], branch[3];
        cn_contact_impulse(x, view.dim, f);
        centres(&view, x, ci, cj);
        for (int d = 0; d < 3; d++) {
            arm[0][d] = x->point[d] - ci[d];
            arm[1][d] = x->point[d] - cj[d];
            branch[d] = ci[d] - cj[d];
        }
        add_dyad(f, arm[0], 1.0, moments); // of body i by f, of body j by -f
        add_dyad(f, arm[1], -1.0, moments);
        add_dyad(f, branch, 1.0, moments); // which is the branch form with the other sign
    }
    double scale = PRESSURE * before->volume;
    w->moments = fmax(w->moments, largest(moments) / (H * scale));
    static const int row[CN_CELL_COMPONENT_COUNT][2] = {
        [CN_CELL_XX] = {0, 0}, [CN_CELL_YY] = {1, 1}, [CN_CELL_ZZ] = {2, 2},
        [CN_CELL_XY] = {0, 1}, [CN_CELL_XZ] = {0, 2}, [CN_CELL_YZ] = {1, 2}};
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        int n = 3 * row[k][0] + row[k][1];
        if (s.stress_components & 1u << k) {
            missed[row[k][0]][row[k][1]] = before->volume * (s.applied[k] - s.carried[n]) -
                                           s.inertia * (s.gradient[n] - before->gradient[n]) / H;
        }
    }
    w->balance = fmax(w->balance, largest(missed) / scale);
}

static double force_through(const cn_view *view, double y)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *x = &view->contact[a];
        double f[3], ci[3], cj[3], height = view->cell[4];
        cn_contact_impulse(x, view->dim, f);
        centres(view, x, ci, cj);
        for (int image = -2; image <= 2; image++) { // planes y + image * height cut the branch
            double cut = y + image * height;
            sum += ci[1] > cut && cj[1] <= cut ? f[1] : 0.0;
            sum -= cj[1] > cut && ci[1] <= cut ? f[1] : 0.0;
        }
    }
    return sum / H;
}

static void check_cell(cn_book *book, int dim)
{
    sample s = loose(dim);
    const char *name = dim == 2 ? "2D" : "3D";
    worst w = {0};
    cn_trial t =
        build(book, &s, 0.3, 1e-3, 10.0); // on its way: no step is solved to more than that
    for (int n = 0; n < 150 && !t.is_broken; n++) {
        cn_cell_state before;
        cn_world_cell(t.world, &before, NULL);
        if (cn_trial_step(&t, H)) {
            check_step(&t, &before, &w);
        }
    }
    cn_check(book, cn_name(book, "%s: branches against moments of grains", name), w.moments, 0.0,
             1e-11);
    cn_check(book, cn_name(book, "%s: stresses against J dL/dt", name), w.balance, 0.0, 1e-11);
    cn_trial_end(&t);
}

// At rest, to 1e-10: what goes through planes y = const, one by one.
static void check_planes(cn_book *book)
{
    sample s = loose(2);
    cn_trial t = build(book, &s, 0.0, 1e-3, 0.0);
    cn_trial_run(&t, H, 600);
    take(&t, &s);
    cn_trial_end(&t);
    t = build(book, &s, 0.0, 1e-10, 0.0);
    cn_trial_run(&t, H, 200);
    double mean = 0.0, least = INFINITY, most = 0.0;
    enum { PLANES = 200 };
    cn_view view = t.is_broken ? (cn_view){0} : cn_world_view(t.world);
    for (int k = 0; k < PLANES && view.cell != NULL; k++) {
        double f = force_through(&view, view.cell[4] * (k + 0.5) / PLANES) / view.cell[0];
        mean += f / PLANES;
        least = fmin(least, f);
        most = fmax(most, f);
    }
    cn_check_rel(book, "at rest: mean stress through planes [N/m]", mean, PRESSURE, 1e-6);
    cn_check_rel(book, "at rest: least of a plane [N/m]", least, PRESSURE, 1e-6);
    cn_check_rel(book, "at rest: most of a plane [N/m]", most, PRESSURE, 1e-6);
    cn_trial_end(&t);
}

void cn_case_C24(cn_book *book)
{
    check_cell(book, 2);
    check_cell(book, 3);
    check_planes(book);
}

// ---- C23

// One step from zero impulses of the sample, whose grains were moved by whole vectors of the cell
// and all together.
static cn_cell_state step_once(cn_book *book, const sample *s, bool is_moved, double shift,
                               double *force)
{
    sample moved = *s;
    uint64_t seed = 7;
    for (int k = 0; k < s->count && is_moved; k++) {
        int n[2] = {(int)(5.0 * cn_random(&seed)) - 2, (int)(5.0 * cn_random(&seed)) - 2};
        for (int d = 0; d < 2; d++) {
            moved.grain[k].x[d] += s->C[3 * d] * n[0] + s->C[3 * d + 1] * n[1];
        }
    }
    for (int k = 0; k < s->count; k++) {
        moved.grain[k].x[0] += shift;
        moved.grain[k].x[1] += 0.7 * shift;
    }
    cn_trial t = build(book, &moved, 0.0, 1e-10, 10.0);
    cn_trial_run(&t, H, 1);
    cn_cell_state state = {0};
    *force = 0.0;
    if (!t.is_broken) {
        cn_world_cell(t.world, &state, NULL);
        cn_view view = cn_world_view(t.world);
        for (int a = 0; a < view.contact_count; a++) {
            *force += hypot(view.contact[a].r[0], view.contact[a].r[1]) / H;
        }
    }
    cn_trial_end(&t);
    return state;
}

void cn_case_C23(cn_book *book)
{
    sample s = loose(2);
    cn_trial t = build(book, &s, 0.0, 1e-3, 0.0);
    cn_trial_run(&t, H, 300);
    take(&t, &s);
    cn_trial_end(&t);
    double force[3];
    cn_cell_state state[3] = {step_once(book, &s, false, 0.0, &force[0]),
                              step_once(book, &s, true, 0.0, &force[1]),
                              step_once(book, &s, false, 0.123, &force[2])};
    for (int k = 1; k < 3; k++) {
        const char *name = k == 1 ? "other images" : "other origin";
        double L = 0.0, stress = 0.0, size = 0.0;
        for (int n = 0; n < 9; n++) {
            size = fmax(size, fabs(state[0].gradient[n]));
            L = fmax(L, fabs(state[k].gradient[n] - state[0].gradient[n]));
            stress = fmax(stress, fabs(state[k].carried[n] - state[0].carried[n]));
        }
        cn_check(book, cn_name(book, "%s: change of L over L", name), L / size, 0.0, 1e-9);
        cn_check(book, cn_name(book, "%s: change of stress over pressure", name), stress / PRESSURE,
                 0.0, 1e-9);
        cn_check_rel(book, cn_name(book, "%s: sum of forces [N]", name), force[k], force[0], 1e-9);
    }
}

// ---- C32

// Where the share F of directions of the density (1 + a cos 2t)/2pi ends.
static double quantile(double a, double F)
{
    double t = 2.0 * CN_PI * F;
    for (int n = 0; n < 50; n++) {
        t -= (t + 0.5 * a * sin(2.0 * t) - 2.0 * CN_PI * F) / (1.0 + a * cos(2.0 * t));
    }
    return t;
}

void cn_case_C32(cn_book *book)
{
    enum { CONTACTS = 100000 };
    const double a_c = 0.2, a_n = 0.3, a_t = 0.1;
    int count = CONTACTS + 1;
    double *q = calloc(3 * (size_t)count, sizeof *q), *v = calloc(3 * (size_t)count, sizeof *v);
    cn_contact *contact = calloc(CONTACTS, sizeof *contact);
    bool *is_in = calloc((size_t)count, sizeof *is_in);
    int *room = calloc((size_t)count, sizeof *room);
    const cn_analysis *what = cn_analysis_named("anisotropy");
    if (q == NULL || v == NULL || contact == NULL || is_in == NULL || room == NULL ||
        what == NULL) {
        cn_book_failure(book, "no memory, or no quantity called anisotropy");
    } else {
        for (int k = 0; k < CONTACTS; k++) { // of body k + 1 with body 0, at the distance 1
            double t = quantile(a_c, (k + 0.5) / CONTACTS);
            contact[k] = (cn_contact){.i = k + 1,
                                      .status = CN_STATUS_STICK,
                                      .normal = {cos(t), sin(t)},
                                      .point = {0.5 * cos(t), 0.5 * sin(t)},
                                      .r = {1.0 + a_n * cos(2.0 * t), -a_t * sin(2.0 * t)}};
            q[3 * (size_t)(k + 1)] = cos(t);
            q[3 * (size_t)(k + 1) + 1] = sin(t);
        }
        for (int k = 0; k < count; k++) {
            is_in[k] = true;
        }
        cn_sample s = {.dim = 2,
                       .body_count = count,
                       .contact_count = CONTACTS,
                       .q_size = 3,
                       .v_size = 3,
                       .q = q,
                       .v = v,
                       .contact = contact,
                       .h = 1.0,
                       .is_in = is_in,
                       .room = room};
        double out[CN_ANALYSIS_MOST];
        what->find(&s, out);
        cn_check(book, "a_c", out[0], a_c, 1e-4);
        cn_check(book, "a_n", out[1], a_n, 1e-4);
        cn_check(book, "a_t", out[2], a_t, 1e-4);
        cn_check(book, "q/p that they predict", out[4], 0.291262136, 1e-4);
        cn_check(book, "q/p of the stress", out[5], 0.291262136, 1e-4);
    }
    free(q);
    free(v);
    free(contact);
    free(is_in);
    free(room);
}
