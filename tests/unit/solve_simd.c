// Sweeps four contacts at a time: every kernel obeys the law, both builds of the kernels and any
// number of threads give the same bits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "solve/solver.h"
#include "solve/sweep/simd/loops.h"
#include "strict.h"
#include "test.h"

// Bricks are stones given by their geometry.
typedef enum grain { GRAIN_DISK, GRAIN_BALL, GRAIN_STONE, GRAIN_BRICK, GRAIN_COUNT } grain;

// A square grid of bodies, each touching its right and upper neighbour (or nothing that moves at
// the border), with random frames, masses and arms.
typedef struct lattice {
    cn_problem problem;
    int *row_start, *body, *block_start, *dof_start;
    double *G, *root, *u_free, *mu, *r;
    unsigned char *kind;
} lattice;

static double between(uint64_t *random, double low, double high)
{
    return low + (high - low) * cn_random(random);
}

// An orthonormal frame, rows of `axis`; in the plane the first two of it.
static void random_frame(uint64_t *random, int dim, double axis[3][3])
{
    double a = between(random, 0.0, 6.0), b = dim == 3 ? between(random, 0.0, 6.0) : 0.0;
    const double n[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)};
    const double t[3] = {-sin(a), cos(a), 0.0};
    for (int k = 0; k < 3; k++) {
        axis[0][k] = n[k];
        axis[1][k] = t[k];
        axis[2][k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
    }
}

// One side of a contact: translation scaled by s, rotation by arm x axis.
static void put_side(grain kind, double s, const double arm[3], double axis[3][3], double *G)
{
    int dim = kind == GRAIN_DISK ? 2 : 3, dof = dim == 2 ? 3 : 6;
    for (int k = 0; k < dim; k++) {
        for (int d = 0; d < dim; d++) {
            G[dof * k + d] = s * axis[k][d];
        }
        for (int d = 0; d < 3 && dim == 3; d++) {
            int e = (d + 1) % 3, f = (d + 2) % 3;
            G[dof * k + 3 + d] = 2.0 * s * (arm[e] * axis[k][f] - arm[f] * axis[k][e]);
        }
        if (dim == 2) {
            G[dof * k + 2] = 2.0 * s * (arm[0] * axis[k][1] - arm[1] * axis[k][0]);
        }
    }
}

static void put_contact(lattice *l, grain kind, int a, uint64_t *random)
{
    int dim = kind == GRAIN_DISK ? 2 : 3, block = dim * (dim == 2 ? 3 : 6);
    double axis[3][3], arm[3];
    random_frame(random, dim, axis);
    memcpy(l->G + CN_GEOMETRY_SIZE * a, axis, kind == GRAIN_BRICK ? 6 * sizeof(double) : 0);
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1.0 : -1.0;
        bool is_round = kind == GRAIN_DISK || kind == GRAIN_BALL;
        for (int k = 0; k < 3; k++) {
            arm[k] = is_round ? -sign * 0.5 * axis[0][k] : between(random, -0.7, 0.7);
        }
        if (kind == GRAIN_BRICK) {
            memcpy(l->G + CN_GEOMETRY_SIZE * a + 6 + 3 * side, arm, sizeof arm);
            l->block_start[2 * a + side] = ~(CN_GEOMETRY_SIZE * a);
            continue;
        }
        int start = l->block_start[2 * a + side] = block * (2 * a + side);
        put_side(kind, sign, arm, axis, l->G + start);
    }
    l->row_start[a] = dim * a;
    l->kind[a] = CN_CORE_CONE;
    l->mu[a] = between(random, 0.0, 0.6);
    for (int k = 0; k < dim; k++) {
        l->u_free[dim * a + k] = between(random, k == 0 ? -1.0 : -0.3, 0.3);
    }
}

static void make_lattice(lattice *l, grain kind, int side)
{
    int n = side * side, contacts = 2 * n, dim = kind == GRAIN_DISK ? 2 : 3, dof = dim == 2 ? 3 : 6;
    *l = (lattice){.row_start = calloc((size_t)contacts + 1, sizeof(int)),
                   .body = calloc((size_t)contacts * 2, sizeof(int)),
                   .block_start = calloc((size_t)contacts * 2, sizeof(int)),
                   .dof_start = calloc((size_t)n + 1, sizeof(int)),
                   .G = calloc((size_t)(contacts * 2 * dim * dof), sizeof(double)),
                   .root = calloc((size_t)(CN_ROOT_SIZE * n), sizeof(double)),
                   .u_free = calloc((size_t)(contacts * dim), sizeof(double)),
                   .mu = calloc((size_t)contacts, sizeof(double)),
                   .r = calloc((size_t)(contacts * dim), sizeof(double)),
                   .kind = calloc((size_t)contacts, 1)};
    uint64_t random = 5, of_root = 7;
    for (int i = 0; i < n; i++) {
        l->dof_start[i + 1] = dof * (i + 1);
        for (int k = 0; k < CN_ROOT_SIZE; k++) {
            double diagonal = k < 3 ? 1.0 : (k % 4 == 3 ? 2.0 : 0.0);
            l->root[CN_ROOT_SIZE * i + k] = diagonal + (k < 3 ? 0.0 : between(&of_root, -0.3, 0.3));
        }
        for (int up = 0; up < 2; up++) {
            int a = 2 * i + up, other = up ? i + side : i + 1;
            bool is_border = up ? other >= n : other % side == 0;
            l->body[2 * a] = is_border && up ? -1 : i;
            l->body[2 * a + 1] = is_border ? (up ? i : -1) : other;
            put_contact(l, kind, a, &random);
        }
    }
    l->row_start[contacts] = dim * contacts;
    l->problem =
        (cn_problem){.dim = dim,
                     .contact_count = contacts,
                     .row_start = l->row_start,
                     .W.factors = {n, l->dof_start, l->body, l->block_start, l->G, l->root},
                     .u_free = l->u_free,
                     .kind = l->kind,
                     .mu = l->mu,
                     .v_floor = 1.0,
                     .r = l->r};
}

static void free_lattice(lattice *l)
{
    void *owned[] = {l->row_start, l->body,   l->block_start, l->dof_start, l->G,
                     l->root,      l->u_free, l->mu,          l->r,         l->kind};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        free(owned[k]);
    }
}

static size_t bytes_of_r(const lattice *l)
{
    return sizeof(double) * (size_t)l->problem.row_start[l->problem.contact_count];
}

// Every kind of record takes all contacts, and NLGS brings the one residual down.
CN_TEST(all_kernels_obey_the_law)
{
    static const cn_simd_kind expected[GRAIN_COUNT] = {CN_SIMD_PLANE, CN_SIMD_BALL, CN_SIMD_SPACE,
                                                       CN_SIMD_ARM};
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        lattice l;
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = CN_METHOD_NLGS;
        def.eps_v = def.tol = 1e-10;
        make_lattice(&l, (grain)kind, 12);
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&l.problem, &def, s, &report, &test_error));
        CN_TRUE(s->batches.rest_count == 0 && s->batches.batch_count > 0);
        for (int n = 0; n < s->batches.batch_count; n++) {
            CN_TRUE(s->batches.batch[n].kind == (int)expected[kind]);
        }
        cn_residual residual;
        CN_DO(cn_problem_velocity(&l.problem, s, s->u, &test_error));
        CN_DO(cn_problem_residual(&l.problem, s->u, s, &residual, &test_error));
        CN_NEAR(residual.err_v, 0.0, 1e-10, "what the solver was asked for");
        CN_TRUE(report.slide_count > 20 && report.stick_count > 20 && report.open_count > 20);
        cn_solver_destroy(s);
        free_lattice(&l);
    }
}

// A sweep with compliance and offsets agrees with the local solver of the public interface: after
// the last visit of a lone contact nothing is left to do.
CN_TEST(compliance_and_offset_reach_the_kernels)
{
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        lattice l;
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.eps_v = def.tol = 1e-10;
        make_lattice(&l, (grain)kind, 8);
        int rows = l.problem.row_start[l.problem.contact_count];
        double *c = calloc((size_t)rows, sizeof *c), *r0 = calloc((size_t)rows, sizeof *r0);
        for (int k = 0; k < rows; k++) {
            c[k] = k % l.problem.dim == 0 ? 0.3 : 0.5;
            r0[k] = k % l.problem.dim == 0 ? 0.05 : 0.0;
        }
        l.problem.c = c;
        l.problem.r0 = r0;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&l.problem, &def, s, &report, &test_error));
        CN_TRUE(s->batches.rest_count == 0 && report.residual.err_v <= 1e-10);
        cn_solver_destroy(s);
        free_lattice(&l);
        free(c);
        free(r0);
    }
}

// Visits every batch alone.
static void sweep_alone(const cn_simd_task *task, int first, int end, bool is_backward)
{
    for (int n = 0; n < end - first; n++) {
        int k = is_backward ? end - 1 - n : first + n;
        cn_simd_sweep_pick()(task, k, k + 1, is_backward);
    }
}

// Batches that are visited together with the one before.
static int apart_count(const cn_solver *s)
{
    int count = 0;
    for (int n = 0; n < s->batches.batch_count; n++) {
        count += s->batches.batch[n].is_apart;
    }
    return count;
}

// The impulses after three sweeps forth and back with a given build of the kernels or threads.
static uint64_t hash_of_sweeps(grain kind, int side, int thread_count, cn_simd_sweep_fn *sweep)
{
    lattice l;
    cn_solver *s;
    cn_solver_def def = cn_solver_def_default();
    def.thread_count = thread_count;
    make_lattice(&l, kind, side);
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(cn_solver_pack(s, &l.problem, &def, &test_error));
    cn_solver_apply(s, &l.problem, l.r);
    CN_TRUE(2 * apart_count(s) > s->batches.batch_count);
    cn_simd_task task = {.batch = s->batches.batch,
                         .stream = s->batches.stream,
                         .root = l.root,
                         .w = s->w,
                         .r = l.r,
                         .newton_max = 100};
    for (int k = 0; k < 6; k++) {
        if (sweep != NULL) {
            sweep(&task, 0, s->batches.batch_count, k % 2 == 1);
        } else {
            cn_sweep(s, &l.problem, k % 2 == 1);
        }
    }
    uint64_t hash = cn_hash_bytes(0, l.r, bytes_of_r(&l));
    cn_residual residual;
    cn_solver_apply(s, &l.problem, l.r);
    cn_solver_velocity(s, &l.problem, l.r, s->u);
    cn_solver_residual(s, &l.problem, s->u, &residual);
    hash = cn_hash_bytes(hash, &residual.err_e, sizeof residual.err_e);
    cn_solver_destroy(s);
    free_lattice(&l);
    return hash;
}

CN_TEST(both_builds_give_the_same_bits)
{
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        uint64_t plain = hash_of_sweeps((grain)kind, 20, 1, cn_simd_sweep_plain);
        CN_TRUE(plain == hash_of_sweeps((grain)kind, 20, 1, cn_simd_sweep_pick()));
    }
}

// Velocities before there are batches and with them; errors of single contacts and their sums.
CN_TEST(loops_over_four_agree_with_contacts_one_by_one)
{
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        lattice l;
        cn_solver *s;
        cn_solver_def def = cn_solver_def_default();
        make_lattice(&l, (grain)kind, 9);
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(cn_solver_pack(s, &l.problem, &def, &test_error));
        cn_solver_apply(s, &l.problem, l.r);
        cn_sweep(s, &l.problem, false);
        int rows = l.problem.row_start[l.problem.contact_count];
        double *u = malloc(sizeof *u * (size_t)rows);
        cn_residual all;
        s->batched_count = 0;
        cn_solver_velocity(s, &l.problem, l.r, u);
        s->batched_count = s->packed_count;
        cn_solver_velocity(s, &l.problem, l.r, s->u);
        for (int k = 0; k < rows; k++) {
            CN_NEAR(s->u[k], u[k], 1e-13, "sums of products of size one in another order");
        }
        cn_solver_residual(s, &l.problem, u, &all);
        double most = 0.0, sum = 0.0;
        for (int a = 0; a < l.problem.contact_count; a++) {
            double miss = cn_solver_miss(s, &l.problem, u, a);
            most = fmax(most, miss);
            sum += miss * miss;
        }
        CN_NEAR(all.e_max, most, 1e-14, "the same formula");
        CN_NEAR(all.miss, sqrt(sum), 1e-13, "the same terms in another order");
        CN_TRUE(cn_solver_miss(s, &l.problem, u, all.worst) == most);
        free(u);
        cn_solver_destroy(s);
        free_lattice(&l);
    }
}

// What is done between sweeps, in both builds.
CN_TEST(loops_give_the_same_bits_in_both_builds)
{
    enum { COUNT = 103, ROWS = 3 * COUNT };
    const cn_loops *builds[] = {&cn_loops_plain, cn_loops_pick()};
    double change[2], x[2][ROWS], x_old[2][ROWS], p[2][ROWS], w[COUNT];
    for (int n = 0; n < 2; n++) {
        uint64_t random = 5;
        for (int k = 0; k < ROWS; k++) {
            x[n][k] = cn_random(&random);
            x_old[n][k] = cn_random(&random);
            p[n][k] = cn_random(&random);
            w[k % COUNT] = 1.0 + cn_random(&random);
        }
        change[n] = builds[n]->change(COUNT, 3, w, x[n], x_old[n]);
        builds[n]->push(ROWS, 0.7, x_old[n], x[n], p[n]);
    }
    CN_TRUE(change[0] == change[1] && memcmp(x[0], x[1], sizeof x[0]) == 0);
    CN_TRUE(memcmp(p[0], p[1], sizeof p[0]) == 0 && memcmp(x[0], x_old[0], sizeof x[0]) == 0);
}

CN_TEST(two_at_once_give_the_bits_of_one_after_the_other)
{
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        uint64_t alone = hash_of_sweeps((grain)kind, 20, 1, sweep_alone);
        CN_TRUE(alone == hash_of_sweeps((grain)kind, 20, 1, cn_simd_sweep_pick()));
    }
}

// 20 000 contacts are cut into nine blocks and the zones between them.
CN_TEST(any_number_of_threads_gives_the_same_bits)
{
    uint64_t one = hash_of_sweeps(GRAIN_DISK, 100, 1, NULL);
    static const int threads[] = {2, 3, 8};
    for (int k = 0; k < 3; k++) {
        CN_TRUE(one == hash_of_sweeps(GRAIN_DISK, 100, threads[k], NULL));
    }
}

// Numbers the bodies of a lattice anew, far from their neighbours.
static void scatter_bodies(lattice *l)
{
    enum { STRIDE = 7919 }; // a prime
    int n = l->problem.W.factors.body_count;
    double *root = calloc((size_t)(CN_ROOT_SIZE * n), sizeof *root);
    for (int i = 0; i < n; i++) {
        int to = (int)((int64_t)STRIDE * i % n);
        memcpy(root + CN_ROOT_SIZE * to, l->root + CN_ROOT_SIZE * i, CN_ROOT_SIZE * sizeof *root);
    }
    memcpy(l->root, root, sizeof *root * (size_t)(CN_ROOT_SIZE * n));
    free(root);
    for (int k = 0; k < 2 * l->problem.contact_count; k++) {
        l->body[k] = l->body[k] < 0 ? -1 : (int)((int64_t)STRIDE * l->body[k] % n);
    }
}

// Of many contacts the bodies stand in w as they are visited, whatever their numbers: 66 248
// contacts.
CN_TEST(numbers_of_bodies_change_neither_places_nor_bits)
{
    static const grain kinds[] = {GRAIN_BALL, GRAIN_BRICK};
    cn_solver_def def = cn_solver_def_default();
    for (int n = 0; n < 2; n++) {
        uint64_t hash[2];
        for (int is_scattered = 0; is_scattered < 2; is_scattered++) {
            lattice l;
            cn_solver *s;
            make_lattice(&l, kinds[n], 182);
            if (is_scattered) {
                scatter_bodies(&l);
            }
            CN_DO(cn_solver_create(NULL, &s, &test_error));
            CN_DO(cn_solver_pack(s, &l.problem, &def, &test_error));
            CN_TRUE(s->body_start[l.body[0]] == 0 && s->body_start[l.body[1]] == 6);
            cn_solver_apply(s, &l.problem, l.r);
            cn_sweep(s, &l.problem, false);
            cn_sweep(s, &l.problem, true);
            cn_solver_velocity(s, &l.problem, l.r, s->u);
            hash[is_scattered] =
                cn_hash_bytes(cn_hash_bytes(0, l.r, bytes_of_r(&l)), s->u, bytes_of_r(&l));
            cn_solver_destroy(s);
            free_lattice(&l);
        }
        CN_TRUE(hash[0] == hash[1]);
    }
}

// The same contacts with their blocks written out: sweeps agree but for rounding.
CN_TEST(geometry_stands_for_blocks)
{
    lattice l;
    make_lattice(&l, GRAIN_BRICK, 8);
    int contacts = l.problem.contact_count;
    double *blocks = calloc((size_t)(36 * contacts), sizeof *blocks);
    int *start = calloc((size_t)(2 * contacts), sizeof *start);
    for (int x = 0; x < 2 * contacts; x++) {
        double room[CN_BLOCK_ROOM];
        const double *G = cn_problem_factor(&l.problem, x / 2, x % 2, room);
        start[x] = 18 * x;
        if (G != NULL) {
            memcpy(blocks + start[x], G, sizeof room);
        }
    }
    double *r = calloc((size_t)(3 * contacts), sizeof *r), worst = 0.0;
    cn_problem whole = l.problem;
    whole.W.factors.block_start = start;
    whole.W.factors.G = blocks;
    whole.r = r;
    cn_problem *both[2] = {&l.problem, &whole};
    cn_solver_def def = cn_solver_def_default();
    for (int k = 0; k < 2; k++) {
        cn_solver *s;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(cn_solver_pack(s, both[k], &def, &test_error));
        CN_TRUE(s->batches.batch[0].kind == (k == 0 ? CN_SIMD_ARM : CN_SIMD_SPACE));
        cn_solver_apply(s, both[k], both[k]->r);
        cn_sweep(s, both[k], false);
        cn_sweep(s, both[k], true);
        cn_solver_destroy(s);
    }
    for (int k = 0; k < 3 * contacts; k++) {
        worst = fmax(worst, fabs(r[k] - l.r[k]));
    }
    CN_NEAR(worst, 0.0, 1e-10, "two sweeps, rounding of blocks grows by their condition");
    free(blocks);
    free(start);
    free(r);
    free_lattice(&l);
}

// Bricks whose bodies turn alike about all axes and whose arms go along the normals are balls. They
// are known as such when they are listed, and what is then taken for W_aa is its trace.
CN_TEST(balls_are_known_by_their_geometry)
{
    lattice l;
    cn_solver *s;
    cn_solver_def def = cn_solver_def_default();
    make_lattice(&l, GRAIN_BRICK, 8);
    int contacts = l.problem.contact_count;
    for (int k = 0; k < CN_ROOT_SIZE * l.problem.W.factors.body_count; k++) {
        int entry = k % CN_ROOT_SIZE;
        l.root[k] = entry < 3 ? 1.0 : (entry % 4 == 3 ? 2.0 : 0.0);
    }
    for (int x = 0; x < 2 * contacts; x++) {
        double *geometry = l.G + CN_GEOMETRY_SIZE * (x / 2), length = x % 2 == 0 ? -0.5 : 0.4;
        for (int d = 0; d < 3; d++) {
            geometry[6 + 3 * (x % 2) + d] = length * geometry[d];
        }
    }
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(cn_solver_pack(s, &l.problem, &def, &test_error));
    CN_TRUE(s->batches.rest_count == 0);
    for (int n = 0; n < s->batches.batch_count; n++) {
        CN_TRUE(s->batches.batch[n].kind == CN_SIMD_BALL);
    }
    double worst = 0.0;
    for (int a = 0; a < contacts; a++) {
        double W[9];
        cn_problem_block(&l.problem, a, W);
        worst = fmax(worst, fabs((W[0] + W[4] + W[8]) / 3.0 - s->W_diag[a]));
    }
    CN_NEAR(worst, 0.0, 1e-14, "a few roundings of numbers of the size of 2");
    cn_solver_destroy(s);
    free_lattice(&l);
}

// Numbers that are renewed after a change of compliances and shifts are those of a problem that is
// packed with them: a sweep gives the same bits.
CN_TEST(renewed_numbers_are_those_packed_anew)
{
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        lattice l;
        cn_solver *s;
        cn_solver_def def = cn_solver_def_default();
        make_lattice(&l, (grain)kind, 8);
        int rows = l.problem.row_start[l.problem.contact_count];
        double *c = calloc((size_t)rows, sizeof *c), *b = calloc((size_t)rows, sizeof *b);
        uint64_t hash[2];
        l.problem.c = c;
        l.problem.b = b;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        for (int is_anew = 0; is_anew < 2; is_anew++) {
            if (!is_anew) {
                CN_DO(cn_solver_pack(s, &l.problem, &def, &test_error));
            }
            for (int k = 0; k < rows; k++) {
                c[k] = 0.1 + 0.01 * (k / l.problem.dim % 7);
                b[k] = -0.02 * (k % 5);
            }
            memset(l.r, 0, bytes_of_r(&l));
            if (is_anew) {
                CN_DO(cn_solver_pack(s, &l.problem, &def, &test_error));
            } else {
                cn_solver_renumber(s, &l.problem);
            }
            cn_solver_apply(s, &l.problem, l.r);
            cn_sweep(s, &l.problem, false);
            hash[is_anew] = cn_hash_bytes(0, l.r, bytes_of_r(&l));
        }
        CN_TRUE(hash[0] == hash[1]);
        cn_solver_destroy(s);
        free_lattice(&l);
        free(c);
        free(b);
    }
}

// One contact of two balls that resists rolling, and spinning if it has 6 rows.
typedef struct pair {
    cn_problem problem;
    int row_start[2], body[2], block_start[2], dof_start[3];
    double G[72], u_free[6], mu, mu_roll, mu_spin, r[6];
    unsigned char kind;
} pair;

static void make_pair(pair *x, int rows, uint64_t *random)
{
    double axis[3][3];
    *x = (pair){.row_start = {0, rows}, .body = {0, 1}, .block_start = {0, 6 * rows}};
    random_frame(random, 3, axis);
    for (int side = 0; side < 2; side++) {
        double s = (side == 0 ? 1.0 : -1.0) * between(random, 0.5, 2.0);
        double kappa = between(random, 0.5, 2.0), g = s * between(random, 0.5, 2.0);
        for (int k = 0; k < rows; k++) {
            const double *a = axis[k < 3 ? k : (k + 1) % 3], *n = axis[0]; // n t t, then t t n
            double *to = x->G + 6 * rows * side + 6 * k;
            for (int d = 0; d < 3; d++) {
                int e = (d + 1) % 3, f = (d + 2) % 3;
                to[d] = k < 3 ? s * a[d] : 0.0;
                to[3 + d] = k < 3 ? kappa * (n[e] * a[f] - n[f] * a[e]) : g * a[d];
            }
        }
    }
    for (int k = 0; k < rows; k++) {
        x->u_free[k] = between(random, -1.0, k == 0 ? 0.1 : 1.0);
    }
    x->dof_start[1] = 6;
    x->dof_start[2] = 12;
    x->kind = CN_CORE_CONE;
    x->mu = between(random, 0.0, 1.0);
    x->mu_roll = between(random, 0.0, 1.0);
    x->mu_spin = rows > 5 ? between(random, 0.0, 1.0) : 0.0;
    x->problem = (cn_problem){.dim = 3,
                              .contact_count = 1,
                              .row_start = x->row_start,
                              .W.factors = {2, x->dof_start, x->body, x->block_start, x->G, NULL},
                              .u_free = x->u_free,
                              .kind = &x->kind,
                              .mu = &x->mu,
                              .mu_roll = &x->mu_roll,
                              .mu_spin = &x->mu_spin,
                              .v_floor = 1.0,
                              .r = x->r};
}

// Balls with moments: one visit finds what the solver of cones with moments finds, whichever of
// friction and rolling give way.
CN_TEST(balls_with_moments_obey_the_law)
{
    uint64_t random = 3;
    int given[2][2] = {{0}}; // friction, rolling: holds or gives way
    cn_solver *s;
    cn_solver_def def = cn_solver_def_default();
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    for (int n = 0; n < 2000; n++) {
        pair x;
        int rows = 5 + n % 2;
        double W[36], exact[6];
        make_pair(&x, rows, &random);
        cn_core core = cn_problem_core(&x.problem, 0);
        cn_problem_block(&x.problem, 0, W);
        cn_core_solve(&core, rows, W, x.u_free, exact);
        CN_DO(cn_solver_pack(s, &x.problem, &def, &test_error));
        CN_TRUE(s->batches.batch_count == 1 && s->batches.rest_count == 0);
        CN_TRUE(s->batches.batch[0].kind == (rows == 5 ? CN_SIMD_ROLL : CN_SIMD_ROLL_SPIN));
        cn_solver_apply(s, &x.problem, x.r);
        cn_sweep(s, &x.problem, false);
        double worst = 0.0;
        for (int k = 0; k < rows; k++) {
            worst = fmax(worst, fabs(x.r[k] - exact[k]));
        }
        CN_NEAR(worst, 0.0, 1e-9, "100 turns of two discs that act on each other by at most 0.94");
        if (exact[0] > 0.0) {
            bool slides = hypot(exact[1], exact[2]) >= x.mu * exact[0] * (1.0 - 1e-9);
            bool rolls = hypot(exact[3], exact[4]) >= x.mu_roll * exact[0] * (1.0 - 1e-9);
            given[slides][rolls]++;
        }
    }
    CN_TRUE(given[0][0] > 20 && given[0][1] > 20 && given[1][0] > 20 && given[1][1] > 20);
    cn_solver_destroy(s);
}

CN_MAIN(CN_RUN(all_kernels_obey_the_law); CN_RUN(compliance_and_offset_reach_the_kernels);
        CN_RUN(numbers_of_bodies_change_neither_places_nor_bits);
        CN_RUN(geometry_stands_for_blocks); CN_RUN(balls_are_known_by_their_geometry);
        CN_RUN(renewed_numbers_are_those_packed_anew); CN_RUN(balls_with_moments_obey_the_law);
        CN_RUN(both_builds_give_the_same_bits);
        CN_RUN(loops_over_four_agree_with_contacts_one_by_one);
        CN_RUN(loops_give_the_same_bits_in_both_builds);
        CN_RUN(two_at_once_give_the_bits_of_one_after_the_other);
        CN_RUN(any_number_of_threads_gives_the_same_bits);)
