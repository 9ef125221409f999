// solve/sweep/simd/simd.h -- contacts of rigid bodies, four at a time, theory 8.3.
//
// Four contacts that share no body are visited together: their order among themselves does not
// matter, so the result is that of a plain sweep. A record holds what the kernels read of four
// contacts, component by component. It is compact because G of a rigid body has a shape: with the
// axes n, t1, t2 of the contact, row k of side i is s_i a_k for the translation (s = +-1/sqrt(m))
// and a vector for the rotation, which for a ball is kappa_i (n x a_k).
//
// Padding lanes repeat lane 0: they compute and store the same numbers again. A contact with a body
// that cannot move names its other body on both sides, with s_j = 0 and no rotation; side j is
// stored first. So the kernels have no special cases and touch no shared dummy.
#pragma once

#include "cairn/solver.h"

// Alignment of a double: records follow each other in plain memory.
typedef double cn_four __attribute__((vector_size(32), aligned(8), may_alias));

typedef enum cn_simd_kind {
    CN_SIMD_PLANE = 0, // 2 rows on bodies of 3 degrees of freedom
    CN_SIMD_BALL,      // 3 rows, both arms along the normal, isotropic inertia
    CN_SIMD_SPACE,     // 3 rows on bodies of 6 degrees of freedom
    CN_SIMD_ARM,       // the same of contacts given by their geometry
    CN_SIMD_ROLL,      // a ball that resists rolling: 5 rows
    CN_SIMD_ROLL_SPIN, // and spinning: 6 rows
    CN_SIMD_KIND_COUNT
} cn_simd_kind;

// What every record begins with; s and turn or kappa are G of both sides.
typedef struct cn_simd_head {
    int w_i[4], w_j[4]; // first entry of both bodies in w
    int row[4];         // first row in r
    cn_four s_i, s_j, mu;
} cn_simd_head;

typedef struct cn_simd_plane {
    cn_simd_head head;
    cn_four n[2];
    cn_four turn_i[2], turn_j[2]; // rotation, normal and tangential row
    cn_four W[3], inv_det;        // W' = nn nt tt
    cn_four shift[2];
} cn_simd_plane;

typedef struct cn_simd_ball {
    cn_simd_head head;
    cn_four n[3], t[3];
    cn_four kappa_i, kappa_j; // row k of the rotation is kappa (n x a_k)
    cn_four shift[3];         // W' is diagonal and made at each visit
} cn_simd_ball;

typedef struct cn_simd_space {
    cn_simd_head head;
    cn_four n[3], t[3];
    cn_four turn_i[9], turn_j[9]; // rotation, rows n, t1, t2
    cn_four W[6];                 // W' = nn nt1 nt2 t1t1 t1t2 t2t2
    cn_four shift[3];
    cn_four x; // root of the last visit (8.7), 0: none
} cn_simd_space;

// A contact given by its geometry: row k of the rotation is F (arm x a_k) with F of the body, which
// many contacts share. Of side j, and wherever s is negative, the arm is the opposite.
typedef struct cn_simd_arm {
    cn_simd_head head;
    cn_four n[3], t[3];
    cn_four arm_i[3], arm_j[3];
    cn_four W[6]; // as above
    cn_four shift[3];
    cn_four x;
} cn_simd_arm;

// A ball with moments. The row of a moment about an axis a is g a on the rotation, so W' is
// diagonal but for the rows t1, t2 and the rolling about t2, t1.
typedef struct cn_simd_roll {
    cn_simd_head head;
    cn_four n[3], t[3];
    cn_four kappa_i, kappa_j, g_i, g_j;
    cn_four W_n, W_t, W_roll, W_spin;
    cn_four couple; // of t1 and the rolling about t2; of t2 and that about t1 it is the opposite
    cn_four mu_roll, mu_spin;
    cn_four shift[6];
} cn_simd_roll;

// A record of up to four contacts.
typedef struct cn_batch {
    int64_t at;              // where it starts in the stream, in doubles
    int first;               // of its contacts in the lists of zones
    signed char kind, count; // contacts in it; further lanes repeat the first
    bool is_apart;           // from the batch before it: of its kind, and they share no body
} cn_batch;

// What one sweep of a range of batches works on. c and r0 may be NULL: zero.
typedef struct cn_simd_task {
    const cn_batch *batch;
    double *stream;
    const double *c, *r0;
    const double *root; // of bodies (cn_factors), twice as far as their place in w
    double *w, *r;
    int newton_max; // steps of the scalar equation per visit
    bool is_far;    // more than caches hold: what comes next is fetched in time
} cn_simd_task;

// Visits batches first .. end - 1, or from end - 1 down to first. One source, compiled for AVX2 and
// for any machine; both give the same bits, since neither fuses operations.
void cn_simd_sweep_avx2(const cn_simd_task *task, int first, int end, bool is_backward);
void cn_simd_sweep_plain(const cn_simd_task *task, int first, int end, bool is_backward);

typedef void cn_simd_sweep_fn(const cn_simd_task *task, int first, int end, bool is_backward);

// The fastest that this machine runs.
cn_simd_sweep_fn *cn_simd_sweep_pick(void);
