/// cairn/cell.h -- a periodic cell: space repeats along one or more axes, and the cell may deform.
///
/// The columns of a matrix C are the vectors of the cell, upper triangular: the first along x, the
/// second in the plane of x and y. Its velocity gradient L = C' C^-1 has up to six components, of
/// which each is given as a rate or found from a stress. Bodies carry velocities relative to the
/// motion L x of the cell: what a world shows and takes as velocity in a cell is that (theory
/// chapter 15).
#pragma once

#include "cairn/base.h"
#include "cairn/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Components of L and of stresses.
typedef enum cn_cell_component {
    CN_CELL_XX = 0,
    CN_CELL_YY,
    CN_CELL_ZZ,
    CN_CELL_XY,
    CN_CELL_XZ,
    CN_CELL_YZ,
    CN_CELL_COMPONENT_COUNT
} cn_cell_component;

/// "xx", "yy", ...; NULL for a component that does not exist.
CN_API const char *cn_cell_component_name(cn_cell_component component);

typedef struct cn_cell_def {
    bool is_periodic[3];  ///< along x, y, z
    double vectors[9];    ///< C row by row; entries below the diagonal are 0 [m]
    double inertia;       ///< of the cell, over that of what it holds: J = inertia M V^(2/d); 0:
                          ///< 4 over the number of bodies, at least 1e-3 [-]
    bool may_meet_itself; ///< bodies may be so large that they touch their own images
} cn_cell_def;

/// How one component of L is found.
typedef struct cn_cell_control {
    bool is_stress; ///< f is a stress, tension positive [Pa; in the plane N/m]; else a rate [1/s]
    cn_function f;  ///< of the time since t0, times
    double sign;    ///< 1 or -1; 0 counts as 1
    double t0;      ///< NaN: now [s]
} cn_cell_control;

/// A cell at the end of a step. Matrices row by row.
typedef struct cn_cell_state {
    bool is_there;
    bool is_periodic[3];
    double vectors[9];  ///< C [m]
    double gradient[9]; ///< L [1/s]
    double strain[9];   ///< sum of h L over the middles of steps, since the cell was set [-]
    double volume;      ///< det C; a direction without period counts 1 m [m3, in the plane m2]
    double inertia;     ///< J [kg m2]
    unsigned stress_components;              ///< bits 1 << cn_cell_component
    double applied[CN_CELL_COMPONENT_COUNT]; ///< stress that is asked for, else 0 [Pa]
    double carried[9]; ///< what contacts and the motion of bodies carry, in the step [Pa]
} cn_cell_state;

/// Gives the world a cell, whose components all stand still. It takes rigid bodies without joints
/// that do not bond, and no half-plane or half-space that it would repeat; steps say what it cannot
/// take.
CN_API cn_status cn_world_set_cell(cn_world *w, const cn_cell_def *def, cn_error *err);

/// Says how the components are found from now on.
CN_API cn_status cn_world_control_cell(cn_world *w,
                                       const cn_cell_control control[CN_CELL_COMPONENT_COUNT],
                                       cn_error *err);

CN_API cn_status cn_world_cell(const cn_world *w, cn_cell_state *state, cn_error *err);

/// Where body number i of the view is if it is not put back into the cell: its first place, moved
/// with the cell and by its own motion [m].
CN_API cn_status cn_world_unwrapped(const cn_world *w, int i, double place[3], cn_error *err);

#ifdef __cplusplus
}
#endif
