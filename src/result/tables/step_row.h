// result/tables/step_row.h -- a row of the step history: what it holds, what its columns are
// called, and how rows become one.
#pragma once

#include "cairn/view.h"

#define CN_STEP_METHODS (CN_METHOD_NAME_COUNT - 1) // all but auto, which only chooses

// Bodies that overlap.
typedef struct cn_pair_columns {
    double depth, rel; // [m], over the smaller body [-]
    double i, j;       // ids
} cn_pair_columns;

// Counts and ids are stored as real numbers, like everything in it. The order of the members is
// that of the columns in a file.
typedef struct cn_step_row {
    double step, time, h;
    double residual, residual_rigid, residual_rms, outliers, v_ref;
    double force_error, force_asked;
    double err_e, err_natural, accuracy, eps_v, tol;
    double sweeps, iterations[CN_STEP_METHODS];
    double contacts, active;
    double penetration, penetration_rel, added_penetration, cone_violation;
    double status, painleve, nonconverged, nonunique;
    double joints, joint_gap, drive_error, given_excess;
    double held_rigid, law_residual, parts, rigid, cut;
    double repeats[CN_REPEAT_COUNT];
    double deepest_i, deepest_j;
    double worst_i, worst_j;
    double creep, creep_i, creep_j;
    double missed_criterion, missed_value, missed_asked, missed_i, missed_j;
    double energy_step[CN_ENERGY_ROW_COUNT], energy_total[CN_ENERGY_ROW_COUNT];
    double kinetic, potential, storage, energy_error;
    double overlap_looked;
    cn_pair_columns overlap_max, overlap_unseen, overlap_phantom;
} cn_step_row;

enum { CN_STEP_COLUMN_COUNT = sizeof(cn_step_row) / sizeof(double) };

// What a quantity is measured in; values of one unit are compared with the range of all of them.
typedef enum cn_unit {
    CN_UNIT_OWN = 0, // compared with its own range: counts, observed series
    CN_UNIT_ONE,     // already relative
    CN_UNIT_TIME,
    CN_UNIT_LENGTH,
    CN_UNIT_ANGLE,
    CN_UNIT_VELOCITY,
    CN_UNIT_SPIN,
    CN_UNIT_IMPULSE,
    CN_UNIT_ENERGY,
    CN_UNIT_FORCE,
    CN_UNIT_STRESS,
    CN_UNIT_COUNT
} cn_unit;

// What becomes of a number when the rows of several steps become one: that of the worst step, of
// the last one, the sum, or that of the step with the deepest contact, with the largest residual,
// with the largest creep, or that missed most.
typedef enum cn_merge {
    CN_MERGE_WORST = 0,
    CN_MERGE_LAST,
    CN_MERGE_SUM,
    CN_MERGE_DEEPEST,
    CN_MERGE_RESIDUAL,
    CN_MERGE_CREEP,
    CN_MERGE_MISSED
} cn_merge;

typedef struct cn_step_column {
    char name[40];
    cn_merge merge;
    cn_unit unit;
    bool is_exact; // effort, and ids of bodies: within a tolerance they tell nothing, they may jump
} cn_step_column;

// Column k, the k-th number of a row; k from 0 to CN_STEP_COLUMN_COUNT - 1.
cn_step_column cn_step_column_at(int k);

// The row of the last step.
void cn_step_row_fill(const cn_certificate *certificate, const cn_ledger *ledger, cn_step_row *row);

// A row that stands for some steps, and the next one. Only the last step may have been looked at
// for overlaps.
void cn_step_row_merge(const cn_step_row *next, cn_step_row *row);

// How far a step is from what was asked: the value of a criterion over it; 0 if nothing is missed.
double cn_step_missed_by(double criterion, double value, double asked);

// NaN is larger than everything, so that it is seen.
static inline double cn_larger(double a, double b)
{
    return a > b || a != a ? a : b;
}
