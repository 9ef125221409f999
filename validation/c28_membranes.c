// validation/c28_membranes.c -- C27 to C30: a loaded wall, and pressure around beads and grains.
//
// Question: does a wall bear what its force and its mass ask, and do rings, membranes and heaps
// carry a pressure as geometry says? Reference: balance of momentum of the wall; p R cos(pi/n) in
// the cables of a ring; p R^2/(3 sqrt 2) in those of an octahedron; p d/(2 sqrt 3) between three
// disks; no resultant and no torque of a closed outline, and its work -p dA. Source: derived.
#include <math.h>
#include <stdlib.h>

#include "builders.h"
#include "table.h"

static const double H = 1e-3;

static cn_trial begin(cn_book *book, int dim, double mu, double g)
{
    cn_world_def def = cn_trial_def();
    cn_place place = dim == 2 ? cn_place_plane() : cn_place_along_axes(0.1);
    def.gravity[1] = -g;
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_trial_coulomb(&t, mu, 0.0);
    return t;
}

static void add_around(cn_trial *t, const cn_around_def *def)
{
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_around_add(t->world, def, &err), &err);
    }
}

// ---- C27

enum { GRAINS = 200 };

static void check_wall(cn_book *book, double M)
{
    const double half = 0.5, r = 0.02, F = 100.0;
    cn_trial t = begin(book, 2, 0.3, CN_G);
    uint64_t seed = 27;
    cn_build_bin(&t, half, (double[3]){0.0, 0.0, 0.0});
    for (int k = 0; k < GRAINS; k++) {
        double size = r * (0.8 + 0.4 * cn_random(&seed));
        double x = -half + 1.3 * r + 0.048 * (k % 20), y = 1.3 * r + 0.05 * floor(k / 20.0);
        cn_build_disk(&t, size,
                      (cn_body_def){.density = 2000.0, .at = {x, y}, .velocity = {0.0, -0.2}});
    }
    const unsigned way = 1u << CN_DOF_X | 1u << CN_DOF_RZ;
    cn_body_id wall =
        cn_build_box(&t, 2.0 * half - 1e-3, 0.05,
                     (cn_body_def){.mass = M, .inertia[0] = M, .at = {0.0, 0.6}, .fixed = way});
    cn_force_def load = {
        .body = wall, .direction = {0.0, -1.0, 0.0}, .f = cn_constant(F), .t0 = NAN};
    cn_error err;
    cn_trial_ok(&t, cn_force_add(t.world, &load, &err), &err);
    double worst = 0.0, v = 0.0, weight = M * CN_G;
    for (int n = 0; n < 1500 && cn_trial_step(&t, H); n++) {
        double next = cn_trial_state(&t, wall).velocity[1];
        double push = cn_trial_impulse(&t, wall, NULL).y;
        worst = fmax(worst, fabs(push - (H * (F + weight) + M * (next - v))));
        v = next;
    }
    double rest = cn_trial_impulse(&t, wall, NULL).y / H;
    cn_check(book, cn_name(book, "wall of %g kg: impulses over h F and M dv", M),
             worst / (H * (F + weight)), 0.0, 1e-11);
    cn_check_rel(book, cn_name(book, "wall of %g kg: force at rest", M), rest, F + weight, 1e-8);
    cn_check(book, cn_name(book, "wall of %g kg: speed then [m/s]", M), fabs(v), 0.0, 1e-8);
    cn_trial_end(&t);
}

void cn_case_C27(cn_book *book)
{
    check_wall(book, 0.1);
    check_wall(book, 10.0);
    check_wall(book, 100.0);
}

// ---- C28, C29

static void tie(cn_trial *t, cn_body_id a, cn_body_id b)
{
    cn_joint_def def = {.kind = CN_JOINT_CABLE, .body = a, .other = b};
    cn_body_state from = cn_trial_state(t, a), to = cn_trial_state(t, b);
    for (int k = 0; k < 3; k++) {
        def.at[k] = from.position[k];
        def.to[k] = to.position[k];
    }
    cn_trial_join(t, &def);
}

// Largest difference of a tension from what it should be.
static double tension_error(const cn_trial *t, int count, double exact)
{
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        cn_joint_state s = cn_trial_joint(t, (cn_joint_id)(k + 1));
        const double *p = s.impulse;
        worst = fmax(worst, fabs(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / H - exact));
    }
    return worst;
}

// Momentum and moment of momentum about the origin of all bodies: what the pressure gave.
static void sums(const cn_trial *t, double sum[3])
{
    cn_view view = cn_world_view(t->world);
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int i = 0; i < view.body_count; i++) {
        const double *q = view.q + 3 * (size_t)i, *v = view.v + 3 * (size_t)i;
        sum[0] += view.mass[i] * v[0];
        sum[1] += view.mass[i] * v[1];
        sum[2] += view.mass[i] * (q[0] * v[1] - q[1] * v[0]) + view.inertia[i] * v[2];
    }
}

static void check_ring(cn_book *book, int n, double exact)
{
    enum { MOST = 60 };
    const double R = 1.0, p = 1.0;
    cn_body_id id[MOST];
    cn_trial t = begin(book, 2, 0.0, 0.0);
    for (int k = 0; k < n; k++) {
        double a = 2.0 * CN_PI * k / n;
        id[k] = cn_build_disk(&t, 0.04,
                              (cn_body_def){.density = 1000.0, .at = {R * cos(a), R * sin(a)}});
    }
    for (int k = 0; k < n; k++) {
        tie(&t, id[k], id[(k + 1) % n]);
    }
    add_around(
        &t, &(cn_around_def){.body_count = n, .body = id, .is_chain = true, .f = cn_constant(-p)});
    cn_trial_run(&t, H, 3);
    cn_check(book, cn_name(book, "%d beads: tension, worst", n), tension_error(&t, n, exact), 0.0,
             1e-9);
    double sum[3] = {0.0};
    if (!t.is_broken) {
        sums(&t, sum);
    }
    cn_check(book, cn_name(book, "%d beads: resultant over p R", n),
             hypot(sum[0], sum[1]) / (3.0 * H * p * R), 0.0, 1e-13);
    cn_check(book, cn_name(book, "%d beads: torque over p R^2", n), sum[2] / (3.0 * H * p * R * R),
             0.0, 1e-13);
    cn_trial_end(&t);
}

void cn_case_C28(cn_book *book)
{
    check_ring(book, 6, 0.866025404);
    check_ring(book, 12, 0.965925826);
    check_ring(book, 60, 0.998629535);
}

void cn_case_C29(cn_book *book)
{
    const double R = 1.0, p = 1.0;
    cn_body_id id[6];
    cn_trial t = begin(book, 3, 0.0, 0.0);
    for (int k = 0; k < 6; k++) {
        cn_body_def def = {.density = 1000.0};
        def.at[k / 2] = k % 2 == 0 ? R : -R;
        id[k] = cn_build_disk(&t, 0.05, def);
    }
    for (int k = 0; k < 6; k++) {
        for (int n = k + 1; n < 6; n++) {
            if (n / 2 != k / 2) {
                tie(&t, id[k], id[n]);
            }
        }
    }
    add_around(&t,
               &(cn_around_def){.body_count = 6, .body = id, .probe = 1.0, .f = cn_constant(-p)});
    cn_trial_run(&t, H, 3);
    cn_check(book, "tension of 12 cables, worst", tension_error(&t, 12, 0.235702260), 0.0, 1e-9);
    cn_trial_end(&t);
}

// ---- C30

static void check_three(cn_book *book)
{
    const double R = 0.1, p = 1e3, d = 2.0 * R;
    cn_trial t = begin(book, 2, 0.0, 0.0);
    cn_body_id id[3];
    const double at[3][2] = {{0.0, 0.0}, {d, 0.0}, {R, sqrt(3.0) * R}};
    for (int k = 0; k < 3; k++) {
        id[k] = cn_build_disk(&t, R, (cn_body_def){.density = 1000.0, .at = {at[k][0], at[k][1]}});
    }
    add_around(&t, &(cn_around_def){.body_count = 3, .body = id, .f = cn_constant(p)});
    cn_trial_run(&t, H, 5);
    cn_view view = t.is_broken ? (cn_view){0} : cn_world_view(t.world);
    cn_check(book, "three disks: contacts", view.contact_count, 3, 0.0);
    for (int a = 0; a < view.contact_count; a++) {
        cn_check(book, "three disks: force over p d", view.contact[a].r[0] / H / (p * d),
                 0.288675135, 1e-9);
    }
    cn_trial_end(&t);
}

// 500 disks at random, apart from each other: those outside are pressed inwards.
static void check_many(cn_book *book)
{
    enum { MANY = 500, ROW = 25 };
    const double p = 10.0, gap = 0.1;
    cn_trial t = begin(book, 2, 0.0, 0.0);
    cn_body_id *id = calloc(MANY, sizeof *id);
    uint64_t seed = 30;
    for (int k = 0; k < MANY && id != NULL; k++) {
        double r = 0.03 + 0.01 * cn_random(&seed);
        double x = gap * (k % ROW) + 0.02 * cn_random(&seed);
        double y = gap * floor(k / (double)ROW) + 0.02 * cn_random(&seed);
        id[k] = cn_build_disk(&t, r, (cn_body_def){.density = 1000.0, .at = {x, y}});
    }
    add_around(&t, &(cn_around_def){.body_count = MANY, .body = id, .f = cn_constant(p)});
    cn_trial_run(&t, H, 1);
    cn_around_state before = {0}, after = {0};
    double sum[3] = {0.0}, length = gap * ROW;
    if (!t.is_broken) {
        sums(&t, sum);
        cn_around_get(t.world, 0, &before, NULL);
    }
    cn_check(book, "500 disks: resultant over p L", hypot(sum[0], sum[1]) / (H * p * length), 0.0,
             1e-12);
    cn_check(book, "500 disks: torque over p L^2", sum[2] / (H * p * length * length), 0.0, 1e-12);
    // As long as the same disks are outside, the work is that of the area that they enclose, to the
    // square of the step: forces are those at q_mid.
    double work = 0.0;
    for (int n = 0; n < 20 && cn_trial_step(&t, 0.1 * H); n++) {
        cn_around_get(t.world, 0, &after, NULL);
        work -= cn_world_view(t.world).ledger->step[CN_ENERGY_APPLIED];
    }
    cn_check_rel(book, "500 disks: work of the pressure over -p dA", work,
                 p * (before.content - after.content), 1e-9);
    cn_trial_end(&t);
    free(id);
}

void cn_case_C30(cn_book *book)
{
    check_three(book);
    check_many(book);
}
