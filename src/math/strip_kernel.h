// math/strip_kernel.h -- bodies of the strip kernels, compiled once for each kind of machine.
//
// Four rows of eight numbers stay in registers while the sum runs.
#include "math/strip.h"

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

#define AT(p) (*(four *)(p))
#define READ(p) (*(const four *)(p))

// Four rows of one group: row[r] -= sum_k L[8 k + r] X[k].
static inline void update_tile(int count, const double *L, const double *X, double *const *row,
                               size_t group)
{
    four s[4][2];
    for (int r = 0; r < 4; r++) {
        s[r][0] = READ(row[r] + group);
        s[r][1] = READ(row[r] + group + 4);
    }
    for (int k = 0; k < count; k++, L += CN_STRIP_STEP, X += CN_STRIP_STEP) {
        four x0 = READ(X), x1 = READ(X + 4);
        for (int r = 0; r < 4; r++) {
            s[r][0] -= L[r] * x0;
            s[r][1] -= L[r] * x1;
        }
    }
    for (int r = 0; r < 4; r++) {
        AT(row[r] + group) = s[r][0];
        AT(row[r] + group + 4) = s[r][1];
    }
}

void CN_STRIP(cn_strip_update)(int count, const double *L, const cn_strip *X,
                               double *const row[CN_STRIP_STEP])
{
    for (int g = 0; g < X->groups; g++) {
        size_t group = X->stride * (size_t)g;
        update_tile(count, L, X->at + group, row, group);
        update_tile(count, L + 4, X->at + group, row + 4, group);
    }
}

// Four columns of x, eight of y.
static inline void product_tile(int count, const double *x, const double *y, int width,
                                double *tile)
{
    four s[4][2];
    for (int r = 0; r < 4; r++) {
        s[r][0] = READ(tile + width * r);
        s[r][1] = READ(tile + width * r + 4);
    }
    for (int k = 0; k < count; k++, x += CN_STRIP_STEP, y += CN_STRIP_STEP) {
        four y0 = READ(y), y1 = READ(y + 4);
        for (int r = 0; r < 4; r++) {
            s[r][0] += x[r] * y0;
            s[r][1] += x[r] * y1;
        }
    }
    for (int r = 0; r < 4; r++) {
        AT(tile + width * r) = s[r][0];
        AT(tile + width * r + 4) = s[r][1];
    }
}

void CN_STRIP(cn_strip_product)(int count, const cn_strip *x, const cn_strip *y, double *tile)
{
    int width = CN_STRIP_STEP * y->groups;
    for (int i = 0; i < 2 * x->groups; i++) { // four columns each
        const double *from = x->at + x->stride * (size_t)(i / 2) + 4 * (i % 2);
        for (int g = 0; g < y->groups; g++) {
            product_tile(count, from, y->at + y->stride * (size_t)g, width,
                         tile + width * 4 * i + CN_STRIP_STEP * g);
        }
    }
}
