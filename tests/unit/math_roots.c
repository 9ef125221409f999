// Blocks of A^-1 from half solves along the tree of supernodes.
#include "math/factor.h"
#include "math/inverse_blocks.h"
#include "test.h"

// Springs between neighbours on a grid of SIDE x SIDE nodes with two degrees of freedom, which are
// coupled; the upper triangle by columns.
enum { SIDE = 24, SIZE = 2 * SIDE * SIDE, PICKED = 90 };

typedef struct net {
    int start[SIZE + 1], row[8 * SIZE], blocks[SIZE / 2 + 1];
    double value[8 * SIZE];
    cn_sparse A;
    cn_factor *factor;
    cn_supernodes L;
} net;

static net make_net(void)
{
    static net n; // too large for the stack of a test
    int count = 0;
    for (int column = 0; column < SIZE; column++) {
        n.start[column] = count;
        int node = column / 2, axis = column % 2;
        const int back[3] = {node - SIDE, node % SIDE > 0 ? node - 1 : -1, node};
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i <= (back[k] == node ? axis : 1) && back[k] >= 0; i++) {
                n.row[count] = 2 * back[k] + i;
                n.value[count++] = back[k] == node ? (i == axis ? 4.6 + 0.01 * (node % 7) : 0.3)
                                                   : (i == axis ? -1.0 : 0.05);
            }
        }
    }
    n.start[SIZE] = count;
    for (int k = 0; k <= SIZE / 2; k++) {
        n.blocks[k] = 2 * k;
    }
    n.A = (cn_sparse){SIZE, n.start, n.row, n.value};
    n.factor = NULL;
    CN_DO(cn_factor_create(NULL, CN_FACTOR_NESTED, &n.factor, &test_error));
    CN_DO(cn_factor_analyze(n.factor, &n.A, SIZE / 2, n.blocks, &test_error));
    CN_DO(cn_factor_numeric(n.factor, &n.A, &test_error));
    CN_DO(cn_factor_supernodes(n.factor, &n.L, &test_error));
    return n;
}

static int picked(int k)
{
    return k * 37 % SIZE;
}

// A^-1 among the picked rows, in strips of `width` columns.
static void find_inverse(const net *n, int width, int threads, double *inverse)
{
    cn_roots roots = {0};
    double tile[CN_STRIP_WIDTH * CN_STRIP_WIDTH];
    for (int k = 0; k < PICKED; k += width) {
        int dof[CN_STRIP_WIDTH], count = k + width < PICKED ? width : PICKED - k;
        for (int c = 0; c < count; c++) {
            dof[c] = picked(k + c);
        }
        CN_DO(cn_roots_add(NULL, &roots, &n->L, count, dof, &test_error));
    }
    CN_DO(cn_roots_find(NULL, &roots, &n->L, 0, threads, &test_error));
    CN_TRUE(cn_roots_flops(&roots, &n->L) > 0.0);
    for (int s = 0; s < roots.count; s++) {
        for (int t = 0; t < roots.count; t++) {
            const cn_root_strip *a = &roots.strip[s], *b = &roots.strip[t];
            cn_roots_product(&roots, a, b, tile);
            for (int k = 0; k < a->count * b->count; k++) {
                int i = k / b->count, j = k % b->count;
                inverse[PICKED * (width * s + i) + width * t + j] =
                    tile[CN_STRIP_STEP * b->groups * i + j];
            }
        }
    }
    cn_roots_free(NULL, &roots);
}

CN_TEST(products_of_roots_are_the_inverse)
{
    static double inverse[PICKED * PICKED];
    double x[SIZE], worst = 0.0;
    net n = make_net();
    find_inverse(&n, 48, 1, inverse);
    for (int k = 0; k < PICKED; k++) {
        memset(x, 0, sizeof x);
        x[picked(k)] = 1.0;
        CN_DO(cn_factor_solve(n.factor, &n.A, x, x, &test_error));
        for (int l = 0; l < PICKED; l++) {
            worst = fmax(worst, fabs(x[picked(l)] - inverse[PICKED * k + l]));
        }
    }
    CN_NEAR(worst, 0.0, 1e-13, "rounding, entries of A^-1 are below 10");
    cn_factor_destroy(n.factor);
}

CN_TEST(bits_do_not_depend_on_strips_or_threads)
{
    static double whole[PICKED * PICKED], parts[PICKED * PICKED];
    net n = make_net();
    find_inverse(&n, 48, 1, whole);
    const int width[4] = {1, 5, 32, 48}, threads[4] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        find_inverse(&n, width[k], threads[k], parts);
        CN_TRUE(memcmp(whole, parts, sizeof whole) == 0);
    }
    bool is_symmetric = true;
    for (int k = 0; k < PICKED * PICKED; k++) {
        is_symmetric = is_symmetric && whole[k] == whole[k % PICKED * PICKED + k / PICKED];
    }
    CN_TRUE(is_symmetric);
    cn_factor_destroy(n.factor);
}

// Kernels for any machine and those of this one.
CN_TEST(kernels_agree_bit_by_bit)
{
    enum { ROWS = 21, GROUPS = 2, STRIDE = CN_STRIP_STEP * (ROWS + CN_STRIP_STEP) };
    double Z[2][GROUPS * STRIDE], L[CN_STRIP_STEP * ROWS], tile[2][256];
    cn_strip_kernels own = cn_strip_kernels_pick();
    for (int k = 0; k < CN_STRIP_STEP * ROWS; k++) {
        L[k] = sin(k);
    }
    for (int version = 0; version < 2; version++) {
        double *row[CN_STRIP_STEP];
        for (int k = 0; k < GROUPS * STRIDE; k++) {
            Z[version][k] = cos(0.7 * k);
        }
        for (int r = 0; r < CN_STRIP_STEP; r++) {
            row[r] = Z[version] + CN_STRIP_STEP * (ROWS + r);
        }
        cn_strip X = {GROUPS, STRIDE, Z[version]};
        memset(tile[version], 0, sizeof tile[version]);
        (version == 0 ? own.update : cn_strip_update_plain)(ROWS, L, &X, row);
        (version == 0 ? own.product : cn_strip_product_plain)(ROWS + CN_STRIP_STEP, &X, &X,
                                                              tile[version]);
    }
    CN_TRUE(memcmp(Z[0], Z[1], sizeof Z[0]) == 0);
    CN_TRUE(memcmp(tile[0], tile[1], sizeof tile[0]) == 0);
}

CN_MAIN(CN_RUN(products_of_roots_are_the_inverse); CN_RUN(bits_do_not_depend_on_strips_or_threads);
        CN_RUN(kernels_agree_bit_by_bit);)
