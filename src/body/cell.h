// body/cell.h -- the periodic cell: a kind of body whose degrees of freedom are the components of
// its velocity gradient L, theory chapter 15.
//
// Matrices are row by row. C and L are upper triangular. A body at x is repeated at x + C s for all
// integers s along the periodic axes; it moves by x' = L x + v, and v is what bodies keep as
// velocity.
#pragma once

#include "body/bodies.h"
#include "cairn/cell.h"

// Most that a rate may strain the cell in a step [-].
#define CN_CELL_STRAIN_MOST 0.1

typedef struct cn_cell {
    const cn_hooks *hooks;
    int dim;

    // the definition
    bool is_there;
    bool is_periodic[3];
    bool may_meet_itself;
    double inertia; // of the definition; 0: by the number of bodies [-]
    cn_cell_control control[CN_CELL_COMPONENT_COUNT];

    // world/: the state
    double C[9], L[9]; // [m, 1/s]
    double strain[9];  // [-]

    // load/: the step
    unsigned there;                         // components that exist, bits 1 << cn_cell_component
    unsigned free;                          // those under stress
    double target[CN_CELL_COMPONENT_COUNT]; // stress of the step, or rate at its end [Pa, 1/s]

    // body/: free motion and update
    double C_mid[9];         // at q_mid
    double C_before[9];      // at the start of the step
    double L_before[9];      // likewise
    double L_free[9];        // without contacts
    double flow[9];          // sum of m v v of the free motion (15.4) [J]
    double J;                // [kg m2]
    double strain_before[9]; // [-]

    // contact/: what the step did
    double push[9]; // sum of r times branch of all contacts [N s m]

    // cn_cell_wrap: what it did last
    int change[9]; // unimodular matrix by which shifts of pairs change first
    int *moved;    // 3 bodies: vectors of the cell by which each was moved then
    size_t moved_capacity;
    double volume_0; // of the definition [m3]
} cn_cell;

// Row and column of a component.
static inline int cn_cell_row(int component)
{
    static const int row[CN_CELL_COMPONENT_COUNT] = {0, 1, 2, 0, 0, 1};
    return row[component];
}

static inline int cn_cell_column(int component)
{
    static const int column[CN_CELL_COMPONENT_COUNT] = {0, 1, 2, 1, 2, 2};
    return column[component];
}

static inline cn_vec3 cn_cell_mul(const double A[9], cn_vec3 x)
{
    return cn_v3(A[0] * x.x + A[1] * x.y + A[2] * x.z, A[4] * x.y + A[5] * x.z, A[8] * x.z);
}

// C s of an image [m].
static inline cn_vec3 cn_cell_offset(const double C[9], const signed char shift[3])
{
    return cn_cell_mul(C, cn_v3(shift[0], shift[1], shift[2]));
}

static inline bool cn_cell_is_there(const cn_bodies *b)
{
    return b->cell != NULL && b->cell->is_there;
}

// From a body to its image of that shift, where bodies are at q_mid or at the start of the step
// [m].
static inline cn_vec3 cn_cell_image(const cn_bodies *b, const signed char shift[3],
                                    bool is_at_start)
{
    if ((shift[0] | shift[1] | shift[2]) == 0) {
        return cn_v3(0.0, 0.0, 0.0);
    }
    return cn_cell_offset(is_at_start ? b->cell->C : b->cell->C_mid, shift);
}

// Number of components under stress.
static inline int cn_cell_dof(const cn_cell *c)
{
    return __builtin_popcount(c->free);
}

// Whether the cell deforms, or may, in the step.
bool cn_cell_moves(const cn_cell *c);

// |L| that the step may have: before it and free [1/s].
double cn_cell_speed(const cn_cell *c);

double cn_periodic_volume(const cn_cell *c, const double C[9]);

void cn_cell_free(cn_cell *c);
cn_status cn_cell_define(cn_cell *c, int dim, const cn_cell_def *def, cn_error *err);

// Whether body i is repeated: half-planes and half-spaces are not.
bool cn_cell_repeats(const cn_bodies *b, int i);

// Whether bodies, joints apart, are such that a cell takes them in a step with its loads.
cn_status cn_cell_check(const cn_bodies *b, cn_error *err);

// Puts bodies back into the cell whose centres have left it, and chooses shorter vectors where
// shear has made them long: the same lattice and the same motion. *some: something was done, and
// `change` and `moved` tell what.
cn_status cn_cell_wrap(cn_bodies *b, bool *some, cn_error *err);
