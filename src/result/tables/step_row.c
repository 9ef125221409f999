// result/tables/step_row.c
#include "result/tables/step_row.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Columns that follow each other; those of a list are called `name` and what `ending` gives.
typedef struct column_group {
    size_t offset;
    int count;
    const char *name;
    const char *(*ending)(int k);
    cn_merge merge;
    cn_unit unit;
    bool is_exact;
} column_group;

static const char *method_of(int k)
{
    return cn_method_name((cn_method)(k < CN_METHOD_AUTO ? k : k + 1));
}

static const char *repeat_of(int k)
{
    return cn_repeat_name((cn_repeat)k);
}

static const char *energy_of(int k)
{
    return cn_energy_row_name((cn_energy_row)k);
}

#define ONE(member, merge, unit, is_exact)                                                         \
    {                                                                                              \
        offsetof(cn_step_row, member), 1, #member, NULL, CN_MERGE_##merge, CN_UNIT_##unit,         \
            is_exact                                                                               \
    }
#define LIST(member, name, ending, merge, unit, is_exact)                                          \
    {                                                                                              \
        offsetof(cn_step_row, member), sizeof((cn_step_row *)0)->member / sizeof(double), name,    \
            ending, CN_MERGE_##merge, CN_UNIT_##unit, is_exact                                     \
    }
#define PAIR(member, name)                                                                         \
    {offsetof(cn_step_row, member.depth), 1, name, NULL, CN_MERGE_LAST, CN_UNIT_LENGTH, false},    \
        {offsetof(cn_step_row, member.rel),                                                        \
         1,                                                                                        \
         name "_rel",                                                                              \
         NULL,                                                                                     \
         CN_MERGE_LAST,                                                                            \
         CN_UNIT_ONE,                                                                              \
         false},                                                                                   \
        {offsetof(cn_step_row, member.i), 1, name "_i", NULL, CN_MERGE_LAST, CN_UNIT_OWN, true},   \
    {                                                                                              \
        offsetof(cn_step_row, member.j), 1, name "_j", NULL, CN_MERGE_LAST, CN_UNIT_OWN, true      \
    }

// The one place where the columns of the history are listed.
static const column_group groups[] = {
    ONE(step, LAST, OWN, false),
    ONE(time, LAST, TIME, false),
    ONE(h, LAST, TIME, false),
    ONE(residual, WORST, ONE, false),
    ONE(residual_rigid, WORST, ONE, false),
    ONE(residual_rms, WORST, ONE, false),
    ONE(outliers, WORST, ONE, false),
    ONE(v_ref, WORST, VELOCITY, false),
    ONE(force_error, WORST, FORCE, false),
    ONE(force_asked, WORST, FORCE, false),
    ONE(err_e, WORST, ONE, false),
    ONE(err_natural, WORST, ONE, false),
    ONE(accuracy, LAST, OWN, true),
    ONE(eps_v, LAST, ONE, false),
    ONE(tol, LAST, ONE, false),
    ONE(sweeps, SUM, OWN, true),
    LIST(iterations, "iterations_", method_of, SUM, OWN, true),
    ONE(contacts, WORST, OWN, false),
    ONE(active, WORST, OWN, false),
    ONE(penetration, WORST, LENGTH, false),
    ONE(penetration_rel, WORST, ONE, false),
    ONE(added_penetration, WORST, LENGTH, false),
    ONE(cone_violation, WORST, IMPULSE, false),
    ONE(status, WORST, OWN, false),
    ONE(painleve, WORST, OWN, false),
    ONE(nonconverged, SUM, OWN, false),
    ONE(nonunique, SUM, OWN, false),
    ONE(joints, WORST, OWN, false),
    ONE(joint_gap, WORST, LENGTH, false),
    ONE(drive_error, WORST, OWN, false),
    ONE(given_excess, WORST, ENERGY, false),
    ONE(held_rigid, WORST, OWN, false),
    ONE(law_residual, WORST, VELOCITY, false),
    ONE(parts, WORST, OWN, false),
    ONE(rigid, SUM, OWN, false),
    ONE(cut, SUM, OWN, false),
    LIST(repeats, "repeat_", repeat_of, SUM, OWN, false),
    ONE(deepest_i, DEEPEST, OWN, true),
    ONE(deepest_j, DEEPEST, OWN, true),
    ONE(worst_i, RESIDUAL, OWN, true),
    ONE(worst_j, RESIDUAL, OWN, true),
    ONE(creep, WORST, LENGTH, false),
    ONE(creep_i, CREEP, OWN, true),
    ONE(creep_j, CREEP, OWN, true),
    ONE(missed_criterion, MISSED, OWN, true),
    ONE(missed_value, MISSED, OWN, true),
    ONE(missed_asked, MISSED, OWN, true),
    ONE(missed_i, MISSED, OWN, true),
    ONE(missed_j, MISSED, OWN, true),
    LIST(energy_step, "step_", energy_of, SUM, ENERGY, false),
    LIST(energy_total, "total_", energy_of, LAST, ENERGY, false),
    ONE(kinetic, LAST, ENERGY, false),
    ONE(potential, LAST, ENERGY, false),
    ONE(storage, LAST, ENERGY, false),
    ONE(energy_error, WORST, ONE, false),
    ONE(overlap_looked, LAST, OWN, false),
    PAIR(overlap_max, "overlap_max"),
    PAIR(overlap_unseen, "overlap_unseen"),
    PAIR(overlap_phantom, "overlap_phantom"),
};

// The group of column k; *nth is its number in it.
static const column_group *group_of(int k, int *nth)
{
    const column_group *g = groups;
    *nth = k - (int)(g->offset / sizeof(double));
    while (*nth >= g->count) {
        *nth -= g->count;
        g++;
    }
    return g;
}

cn_step_column cn_step_column_at(int k)
{
    int nth;
    const column_group *g = group_of(k, &nth);
    cn_step_column column = {.merge = g->merge, .unit = g->unit, .is_exact = g->is_exact};
    snprintf(column.name, sizeof column.name, "%s%s", g->name,
             g->ending != NULL ? g->ending(nth) : "");
    return column;
}

static cn_pair_columns columns_of(const cn_overlap_pair *pair)
{
    return (cn_pair_columns){pair->depth, pair->rel, (double)pair->i, (double)pair->j};
}

// What a step missed most, by how much and where; zero if nothing was.
static void fill_missed(const cn_certificate *c, cn_step_row *row)
{
    if (!c->solver.is_converged) {
        row->missed_criterion = c->solver.criterion;
        row->missed_value = c->solver.value;
        row->missed_asked = c->solver.asked;
        row->missed_i = (double)c->missed_body[0];
        row->missed_j = (double)c->missed_body[1];
    }
}

// Overlaps; zero after steps that were not looked at.
static void fill_overlap(const cn_certificate *c, cn_step_row *row)
{
    if (c->has_overlap) {
        row->overlap_looked = 1.0;
        row->overlap_max = columns_of(&c->overlap.deepest);
        row->overlap_unseen = columns_of(&c->overlap.unseen);
        row->overlap_phantom = columns_of(&c->overlap.phantom);
    }
}

void cn_step_row_fill(const cn_certificate *c, const cn_ledger *l, cn_step_row *row)
{
    double v_ref = c->solver.residual.v_ref;
    *row = (cn_step_row){
        .step = (double)c->step,
        .time = c->time,
        .h = c->h,
        .residual = c->solver.residual.err_v,
        .residual_rigid = c->solver.rigid.err_v,
        .residual_rms = c->solver.residual.err_v_rms,
        .outliers = c->solver.residual.outlier_count / fmax(c->solver.residual.count, 1.0),
        .v_ref = v_ref,
        .force_error = c->h > 0.0 ? c->solver.residual.z_rms / c->h : 0.0,
        .force_asked = c->h > 0.0 ? c->eps_v * v_ref * c->solver.residual.m_max / c->h : 0.0,
        .accuracy = c->accuracy,
        .err_e = c->solver.residual.err_e,
        .err_natural = c->solver.residual.err_natural,
        .eps_v = c->eps_v,
        .tol = c->tol,
        .sweeps = c->solver.sweep_count,
        .contacts = c->contact_count,
        .active = c->active_count,
        .penetration = c->penetration,
        .penetration_rel = c->penetration_rel,
        .added_penetration = c->added_penetration,
        .cone_violation = c->solver.residual.cone_violation,
        .status = !c->solver.is_converged,
        .painleve = c->solver.painleve_count,
        .nonconverged = !c->solver.is_converged,
        .nonunique = c->solver.painleve_count > 0,
        .joints = c->joint_count,
        .joint_gap = c->joint_gap,
        .drive_error = c->drive_error,
        .given_excess = c->given_excess,
        .held_rigid = c->held_rigid,
        .law_residual = c->law_residual,
        .parts = c->part_count,
        .rigid = c->held_rigid > 0,
        .cut = c->part_count > 1,
        .deepest_i = (double)c->deepest[0],
        .deepest_j = (double)c->deepest[1],
        .worst_i = (double)c->worst_body[0],
        .worst_j = (double)c->worst_body[1],
        .creep = c->creep,
        .creep_i = (double)c->creep_body[0],
        .creep_j = (double)c->creep_body[1],
        .kinetic = l->kinetic,
        .potential = l->potential,
        .storage = l->storage,
        .energy_error = cn_larger(l->error_step, l->error),
    };
    for (int k = 0; k < CN_STEP_METHODS; k++) {
        row->iterations[k] = c->solver.work[k < CN_METHOD_AUTO ? k : k + 1].iteration_count;
    }
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        row->repeats[k] = c->repeat_count[k];
    }
    memcpy(row->energy_step, l->step, sizeof row->energy_step);
    memcpy(row->energy_total, l->total, sizeof row->energy_total);
    fill_missed(c, row);
    fill_overlap(c, row);
}

double cn_step_missed_by(double criterion, double value, double asked)
{
    if (criterion == CN_CRITERION_NONE) {
        return 0.0;
    }
    return asked > 0.0 ? value / asked : INFINITY; // no solution is the worst
}

static double missed_by(const cn_step_row *row)
{
    return cn_step_missed_by(row->missed_criterion, row->missed_value, row->missed_asked);
}

void cn_step_row_merge(const cn_step_row *next, cn_step_row *row)
{
    bool is_deeper = next->penetration_rel > row->penetration_rel;
    bool has_crept = next->creep > row->creep;
    bool is_farther = next->residual > row->residual;
    bool is_worse = missed_by(next) > missed_by(row);
    const double *from = &next->step;
    double *to = &row->step;
    for (int k = 0; k < CN_STEP_COLUMN_COUNT; k++) {
        int nth;
        switch (group_of(k, &nth)->merge) {
        case CN_MERGE_WORST:
            to[k] = cn_larger(from[k], to[k]);
            break;
        case CN_MERGE_LAST:
            to[k] = from[k];
            break;
        case CN_MERGE_SUM:
            to[k] += from[k];
            break;
        case CN_MERGE_DEEPEST:
            to[k] = is_deeper ? from[k] : to[k];
            break;
        case CN_MERGE_RESIDUAL:
            to[k] = is_farther ? from[k] : to[k];
            break;
        case CN_MERGE_CREEP:
            to[k] = has_crept ? from[k] : to[k];
            break;
        case CN_MERGE_MISSED:
            to[k] = is_worse ? from[k] : to[k];
            break;
        }
    }
}
