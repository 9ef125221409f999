// result/layout.c
#include "result/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(type, member, kind)                                                                  \
    {                                                                                              \
#member, kind, offsetof(type, member), 1, false                                            \
    }
#define FIELDS(type, member, kind, count)                                                          \
    {                                                                                              \
#member, kind, offsetof(type, member), count, false                                        \
    }
// Missing in older files, which read as zero.
#define NEWER(type, member, kind)                                                                  \
    {                                                                                              \
#member, kind, offsetof(type, member), 1, true                                             \
    }
#define NEWERS(type, member, kind, count)                                                          \
    {                                                                                              \
#member, kind, offsetof(type, member), count, true                                         \
    }
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))
#define RECORD(type, list) ((cn_record){sizeof(type), COUNT(list), list})

static const cn_field name_field[] = {FIELDS(cn_name_row, name, CN_FIELD_TEXT, CN_NAME_SIZE)};

static const cn_field law_field[] = {
    FIELDS(cn_law_row, name, CN_FIELD_TEXT, CN_NAME_SIZE),
    FIELD(cn_law_row, state_start, CN_FIELD_INT64),
    FIELD(cn_law_row, state_count, CN_FIELD_INT64),
};

// Rows whose members are longer in space than in the plane.
#define BODY_FIELDS(inertia_size)                                                                  \
    FIELD(cn_body_row, id, CN_FIELD_UINT64), FIELD(cn_body_row, group, CN_FIELD_INT32),            \
        FIELD(cn_body_row, fixed, CN_FIELD_UINT32),                                                \
        FIELD(cn_body_row, shape_start, CN_FIELD_INT64),                                           \
        FIELD(cn_body_row, shape_count, CN_FIELD_INT64), FIELD(cn_body_row, mass, CN_FIELD_REAL),  \
        FIELDS(cn_body_row, inertia, CN_FIELD_REAL, inertia_size),                                 \
        FIELD(cn_body_row, size, CN_FIELD_REAL)
#define STATE_FIELDS(q_size, v_size)                                                               \
    FIELD(cn_state_row, id, CN_FIELD_UINT64), FIELD(cn_state_row, group, CN_FIELD_INT32),          \
        FIELD(cn_state_row, fixed, CN_FIELD_UINT32),                                               \
        FIELDS(cn_state_row, q, CN_FIELD_REAL, q_size),                                            \
        FIELDS(cn_state_row, v, CN_FIELD_REAL, v_size)
#define NODE_FIELDS(dim)                                                                           \
    FIELDS(cn_node_row, x, CN_FIELD_REAL, dim), FIELDS(cn_node_row, v, CN_FIELD_REAL, dim),        \
        NEWERS(cn_node_row, r, CN_FIELD_REAL, dim)

static const cn_field body_field[] = {BODY_FIELDS(1)};
static const cn_field body_field3[] = {BODY_FIELDS(3)};
static const cn_field state_field[] = {STATE_FIELDS(3, 3)};
static const cn_field state_field3[] = {STATE_FIELDS(7, 6)};
static const cn_field node_field[] = {NODE_FIELDS(2)};
static const cn_field node_field3[] = {NODE_FIELDS(3)};

static const cn_field shape_field[] = {
    FIELD(cn_shape_row, kind, CN_FIELD_INT32),
    FIELD(cn_shape_row, vertex_count, CN_FIELD_INT32),
    FIELD(cn_shape_row, vertex_start, CN_FIELD_INT64),
    FIELD(cn_shape_row, radius, CN_FIELD_REAL),
    FIELD(cn_shape_row, length, CN_FIELD_REAL),
    FIELD(cn_shape_row, thickness, CN_FIELD_REAL),
    FIELDS(cn_shape_row, at, CN_FIELD_REAL, 3),
    FIELD(cn_shape_row, angle, CN_FIELD_REAL),
};

static const cn_field solid_field[] = {
    FIELD(cn_shape_row, kind, CN_FIELD_INT32),
    FIELD(cn_shape_row, vertex_count, CN_FIELD_INT32),
    FIELD(cn_shape_row, vertex_start, CN_FIELD_INT64),
    FIELD(cn_shape_row, radius, CN_FIELD_REAL),
    FIELD(cn_shape_row, length, CN_FIELD_REAL),
    FIELDS(cn_shape_row, at, CN_FIELD_REAL, 3),
    FIELDS(cn_shape_row, turn, CN_FIELD_REAL, 4),
    NEWER(cn_shape_row, thickness, CN_FIELD_REAL), // older files have no hollow solids
    NEWER(cn_shape_row, ends, CN_FIELD_UINT32),
};

static const cn_field vertex_field[] = {
    {"x", CN_FIELD_REAL, 0, 1, false},
    {"y", CN_FIELD_REAL, sizeof(double), 1, false},
    {"z", CN_FIELD_REAL, 2 * sizeof(double), 1, false}, // in space
};

static const cn_field frame_field[] = {
    FIELD(cn_frame_row, step, CN_FIELD_INT64),
    FIELD(cn_frame_row, time, CN_FIELD_REAL),
    FIELD(cn_frame_row, h, CN_FIELD_REAL),
    FIELD(cn_frame_row, body_start, CN_FIELD_INT64),
    FIELD(cn_frame_row, body_count, CN_FIELD_INT64),
    FIELD(cn_frame_row, contact_start, CN_FIELD_INT64),
    FIELD(cn_frame_row, contact_count, CN_FIELD_INT64),
    FIELD(cn_frame_row, known_groups, CN_FIELD_INT64),
    FIELD(cn_frame_row, known_bodies, CN_FIELD_INT64),
    FIELD(cn_frame_row, known_shapes, CN_FIELD_INT64),
    FIELD(cn_frame_row, known_vertices, CN_FIELD_INT64),
    FIELD(cn_frame_row, kinetic, CN_FIELD_REAL),
    FIELD(cn_frame_row, potential, CN_FIELD_REAL),
    FIELD(cn_frame_row, storage, CN_FIELD_REAL),
    FIELD(cn_frame_row, energy_error, CN_FIELD_REAL),
    FIELD(cn_frame_row, state_hash, CN_FIELD_UINT64),
    NEWER(cn_frame_row, known_laws, CN_FIELD_INT64),
    NEWER(cn_frame_row, known_law_states, CN_FIELD_INT64),
    NEWER(cn_frame_row, state_start, CN_FIELD_INT64),
    NEWER(cn_frame_row, state_count, CN_FIELD_INT64),
    NEWER(cn_frame_row, joint_start, CN_FIELD_INT64),
    NEWER(cn_frame_row, joint_count, CN_FIELD_INT64),
    NEWER(cn_frame_row, known_meshes, CN_FIELD_INT64),
    NEWER(cn_frame_row, known_mesh_nodes, CN_FIELD_INT64),
    NEWER(cn_frame_row, known_elements, CN_FIELD_INT64),
    NEWER(cn_frame_row, node_start, CN_FIELD_INT64),
    NEWER(cn_frame_row, node_count, CN_FIELD_INT64),
    NEWER(cn_frame_row, stress_start, CN_FIELD_INT64),
    NEWER(cn_frame_row, stress_count, CN_FIELD_INT64),
    NEWER(cn_frame_row, strain_start, CN_FIELD_INT64),
    NEWER(cn_frame_row, strain_count, CN_FIELD_INT64),
    NEWER(cn_frame_row, mean_start, CN_FIELD_INT64),
    NEWER(cn_frame_row, mean_count, CN_FIELD_INT64),
};

static const cn_field mesh_field[] = {
    FIELD(cn_mesh_row, id, CN_FIELD_UINT64),
    FIELD(cn_mesh_row, node_start, CN_FIELD_INT64),
    FIELD(cn_mesh_row, node_count, CN_FIELD_INT64),
    FIELD(cn_mesh_row, element_start, CN_FIELD_INT64),
    FIELD(cn_mesh_row, element_count, CN_FIELD_INT64),
};

static const cn_field element_field[] = {
    FIELD(cn_element_row, type, CN_FIELD_INT32),
    FIELDS(cn_element_row, node, CN_FIELD_INT32, CN_ELEMENT_NODES),
};

static const cn_field stress_field[] = {FIELDS(cn_stress_row, stress, CN_FIELD_REAL, 6)};
static const cn_field strain_field[] = {FIELDS(cn_strain_row, strain, CN_FIELD_REAL, 6)};

static const cn_field mean_field[] = {
    FIELD(cn_mean_row, volume, CN_FIELD_REAL),
    FIELDS(cn_mean_row, stress, CN_FIELD_REAL, 6),
};

static const cn_field contact_field[] = {
    FIELD(cn_contact, pair, CN_FIELD_UINT64),      FIELD(cn_contact, feature, CN_FIELD_UINT64),
    FIELD(cn_contact, i, CN_FIELD_INT32),          FIELD(cn_contact, j, CN_FIELD_INT32),
    FIELD(cn_contact, law, CN_FIELD_INT32),        FIELDS(cn_contact, shift, CN_FIELD_INT8, 3),
    FIELD(cn_contact, status, CN_FIELD_INT8),      FIELDS(cn_contact, point, CN_FIELD_REAL, 3),
    FIELDS(cn_contact, normal, CN_FIELD_REAL, 3),  FIELD(cn_contact, gap, CN_FIELD_REAL),
    FIELDS(cn_contact, r, CN_FIELD_REAL, 3),       FIELDS(cn_contact, u, CN_FIELD_REAL, 3),
    FIELDS(cn_contact, u_before, CN_FIELD_REAL, 3)};

static const cn_field joint_field[] = {
    FIELD(cn_joint_state, id, CN_FIELD_UINT64),
    FIELD(cn_joint_state, kind, CN_FIELD_INT32),
    FIELD(cn_joint_state, i, CN_FIELD_INT32),
    FIELD(cn_joint_state, j, CN_FIELD_INT32),
    FIELD(cn_joint_state, is_broken, CN_FIELD_INT8),
    FIELDS(cn_joint_state, point, CN_FIELD_REAL, 3),
    FIELDS(cn_joint_state, end, CN_FIELD_REAL, 3),
    FIELDS(cn_joint_state, axis, CN_FIELD_REAL, 3),
    FIELDS(cn_joint_state, impulse, CN_FIELD_REAL, 3),
    FIELDS(cn_joint_state, moment, CN_FIELD_REAL, 3),
    FIELD(cn_joint_state, motor, CN_FIELD_REAL),
    FIELD(cn_joint_state, gap, CN_FIELD_REAL),
    FIELD(cn_joint_state, gap_angle, CN_FIELD_REAL),
    FIELD(cn_joint_state, position, CN_FIELD_REAL),
    FIELD(cn_joint_state, speed, CN_FIELD_REAL),
    NEWER(cn_joint_state, stop, CN_FIELD_REAL), // older files have no stops
};

static const cn_field contact_state_field[] = {{NULL, CN_FIELD_REAL, 0, 1, false}};

static const cn_field end_field[] = {
    FIELD(cn_end_row, is_complete, CN_FIELD_INT64),
    FIELDS(cn_end_row, outcome, CN_FIELD_TEXT, 256),
    FIELD(cn_end_row, wall_seconds, CN_FIELD_REAL),
    FIELD(cn_end_row, state_hash, CN_FIELD_UINT64),
    FIELD(cn_end_row, indeterminate, CN_FIELD_INT64),
    NEWERS(cn_end_row, deepest_name, CN_FIELD_TEXT, CN_PAIR_SIZE),
    NEWERS(cn_end_row, unseen_name, CN_FIELD_TEXT, CN_PAIR_SIZE),
    NEWERS(cn_end_row, phantom_name, CN_FIELD_TEXT, CN_PAIR_SIZE),
};

// One column of the step history: its name if names are asked for, else its value.
typedef struct column_list {
    char (*name)[40];
    double *value;
    int count;
} column_list;

static void column(column_list *list, const char *prefix, const char *name, double value)
{
    if (list->name != NULL) {
        snprintf(list->name[list->count], sizeof list->name[0], "%s%s", prefix, name);
    } else {
        list->value[list->count] = value;
    }
    list->count++;
}

static void energy_columns(const cn_ledger *l, column_list *list)
{
    for (int row = 0; row < CN_ENERGY_ROW_COUNT; row++) {
        column(list, "step_", cn_energy_row_name((cn_energy_row)row), l->step[row]);
    }
    for (int row = 0; row < CN_ENERGY_ROW_COUNT; row++) {
        column(list, "total_", cn_energy_row_name((cn_energy_row)row), l->total[row]);
    }
    column(list, "", "kinetic", l->kinetic);
    column(list, "", "potential", l->potential);
    column(list, "", "storage", l->storage);
    column(list, "", "energy_error", cn_larger(l->error_step, l->error));
}

static void pair_columns(const char *name, const cn_overlap_pair *pair, column_list *list)
{
    column(list, name, "", pair->depth);
    column(list, name, "_rel", pair->rel);
    column(list, name, "_i", (double)pair->i);
    column(list, name, "_j", (double)pair->j);
}

// Overlaps; zero after steps that were not looked at.
static void overlap_columns(const cn_certificate *c, column_list *list)
{
    const cn_overlap none = {0}, *o = c->has_overlap ? &c->overlap : &none;
    column(list, "", "overlap_looked", c->has_overlap);
    pair_columns("overlap_max", &o->deepest, list);
    pair_columns("overlap_unseen", &o->unseen, list);
    pair_columns("overlap_phantom", &o->phantom, list);
}

// What a step missed most, by how much and where; zero if nothing was.
static void missed_columns(const cn_certificate *c, column_list *list)
{
    bool has_missed = c->status != CN_OK;
    column(list, "", "missed_criterion", has_missed ? c->solver.criterion : CN_CRITERION_NONE);
    column(list, "", "missed_value", has_missed ? c->solver.value : 0.0);
    column(list, "", "missed_asked", has_missed ? c->solver.asked : 0.0);
    column(list, "", "missed_i", has_missed ? (double)c->missed_body[0] : 0.0);
    column(list, "", "missed_j", has_missed ? (double)c->missed_body[1] : 0.0);
}

// Iterations of each method of the solver.
static void method_columns(const cn_solver_report *r, column_list *list)
{
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        if (m != CN_METHOD_AUTO) {
            column(list, "iterations_", cn_method_name((cn_method)m), r->work[m].iteration_count);
        }
    }
}

// The one place where the columns of the history are listed.
static void all_columns(const cn_certificate *c, const cn_ledger *l, column_list *list)
{
    column(list, "", "step", (double)c->step);
    column(list, "", "time", c->time);
    column(list, "", "h", c->h);
    column(list, "", "residual", c->solver.residual.err_v);
    column(list, "", "residual_rigid", c->solver.rigid.err_v);
    column(list, "", "err_e", c->solver.residual.err_e);
    column(list, "", "err_natural", c->solver.residual.err_natural);
    column(list, "", "eps_v", c->eps_v);
    column(list, "", "tol", c->tol);
    column(list, "", "sweeps", c->solver.sweep_count);
    method_columns(&c->solver, list);
    column(list, "", "contacts", c->contact_count);
    column(list, "", "active", c->active_count);
    column(list, "", "penetration", c->penetration);
    column(list, "", "penetration_rel", c->penetration_rel);
    column(list, "", "added_penetration", c->added_penetration);
    column(list, "", "cone_violation", c->solver.residual.cone_violation);
    column(list, "", "status", c->status);
    column(list, "", "painleve", c->solver.painleve_count);
    column(list, "", "nonconverged", c->status != CN_OK);
    column(list, "", "nonunique", c->solver.painleve_count > 0);
    column(list, "", "joints", c->joint_count);
    column(list, "", "joint_gap", c->joint_gap);
    column(list, "", "drive_error", c->drive_error);
    column(list, "", "given_excess", c->given_excess);
    column(list, "", "held_rigid", c->held_rigid);
    column(list, "", "parts", c->part_count);
    column(list, "", "rigid", c->held_rigid > 0);
    column(list, "", "cut", c->part_count > 1);
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        column(list, "repeat_", cn_repeat_name((cn_repeat)k), c->repeat_count[k]);
    }
    column(list, "", "deepest_i", (double)c->deepest[0]);
    column(list, "", "deepest_j", (double)c->deepest[1]);
    missed_columns(c, list);
    energy_columns(l, list);
    overlap_columns(c, list);
}

int cn_step_column_count(void)
{
    double value[CN_STEP_COLUMN_MAX];
    column_list list = {.value = value};
    all_columns(&(cn_certificate){0}, &(cn_ledger){0}, &list);
    return list.count;
}

void cn_step_row_fill(const cn_certificate *certificate, const cn_ledger *ledger, double *row)
{
    column_list list = {.value = row};
    all_columns(certificate, ledger, &list);
}

static bool is_any_of(const char *name, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(name, *list) == 0) {
            return true;
        }
    }
    return false;
}

static double value_of(const cn_layout *layout, const double *row, const char *name)
{
    for (int k = 0; k < layout->step.field_count; k++) {
        if (strcmp(layout->column_name[k], name) == 0) {
            return row[k];
        }
    }
    return 0.0;
}

double cn_step_missed_by(double criterion, double value, double asked)
{
    if (criterion == CN_CRITERION_NONE) {
        return 0.0;
    }
    return asked > 0.0 ? value / asked : INFINITY; // no solution is the worst
}

static double missed_by(const cn_layout *layout, const double *row)
{
    return cn_step_missed_by(value_of(layout, row, "missed_criterion"),
                             value_of(layout, row, "missed_value"),
                             value_of(layout, row, "missed_asked"));
}

// Whatever has no rule of its own is an error, of which the worst is kept, with what belongs to it.
void cn_step_row_merge(const cn_layout *layout, const double *next, double *row)
{
    static const char *const last[] = {"step",    "time",      "h",       "eps_v", "tol",
                                       "kinetic", "potential", "storage", NULL};
    static const char *const sum[] = {"sweeps", "nonconverged", "nonunique", "rigid", "cut", NULL};
    double depth = value_of(layout, next, "penetration_rel");
    bool is_deeper = depth > value_of(layout, row, "penetration_rel");
    bool is_worse = missed_by(layout, next) > missed_by(layout, row);
    for (int k = 0; k < layout->step.field_count; k++) {
        const char *name = layout->column_name[k];
        if (strncmp(name, "deepest_", 8) == 0) {
            row[k] = is_deeper ? next[k] : row[k];
        } else if (strncmp(name, "missed_", 7) == 0) {
            row[k] = is_worse ? next[k] : row[k];
        } else if (is_any_of(name, last) || strncmp(name, "total_", 6) == 0 ||
                   strncmp(name, "overlap_", 8) == 0) {
            row[k] = next[k];
        } else if (is_any_of(name, sum) || strncmp(name, "step_", 5) == 0 ||
                   strncmp(name, "repeat_", 7) == 0 || strncmp(name, "iterations_", 11) == 0) {
            row[k] += next[k];
        } else {
            row[k] = cn_larger(next[k], row[k]);
        }
    }
}

// Columns are optional when read: files of programs with fewer columns stay readable.
static void make_step_record(cn_layout *layout)
{
    column_list list = {.name = layout->column_name};
    all_columns(&(cn_certificate){0}, &(cn_ledger){0}, &list);
    for (int k = 0; k < list.count; k++) {
        layout->step_field[k] =
            (cn_field){layout->column_name[k], CN_FIELD_REAL, (size_t)k * sizeof(double), 1, true};
    }
    layout->step = (cn_record){(size_t)list.count * sizeof(double), list.count, layout->step_field};
}

// Appends one optional field per stage: files of programs with other stages stay readable.
static int add_stages(const cn_layout *layout, size_t offset, int count, cn_field *field)
{
    for (int s = 0; s < CN_STAGE_COUNT; s++) {
        field[count + s] = (cn_field){layout->stage_name[s], CN_FIELD_REAL,
                                      offset + (size_t)s * sizeof(double), 1, true};
    }
    return count + CN_STAGE_COUNT;
}

static void make_timed_records(cn_layout *layout)
{
    for (int s = 0; s < CN_STAGE_COUNT; s++) {
        snprintf(layout->stage_name[s], sizeof layout->stage_name[0], "seconds_%s",
                 cn_stage_name((cn_stage)s));
    }
    memcpy(layout->frame_field, frame_field, sizeof frame_field);
    int count = add_stages(layout, offsetof(cn_frame_row, seconds), COUNT(frame_field),
                           layout->frame_field);
    layout->frame = (cn_record){sizeof(cn_frame_row), count, layout->frame_field};
    memcpy(layout->end_field, end_field, sizeof end_field);
    count = add_stages(layout, offsetof(cn_end_row, seconds), COUNT(end_field), layout->end_field);
    layout->end = (cn_record){sizeof(cn_end_row), count, layout->end_field};
}

// What differs between the plane and space.
static void make_body_records(cn_layout *layout, int dim)
{
    layout->dim = dim;
    layout->q_size = dim == 2 ? 3 : 7;
    layout->v_size = dim == 2 ? 3 : 6;
    layout->inertia_size = dim == 2 ? 1 : 3;
    layout->body = dim == 2 ? RECORD(cn_body_row, body_field) : RECORD(cn_body_row, body_field3);
    layout->shape =
        dim == 2 ? RECORD(cn_shape_row, shape_field) : RECORD(cn_shape_row, solid_field);
    layout->state =
        dim == 2 ? RECORD(cn_state_row, state_field) : RECORD(cn_state_row, state_field3);
    layout->node = dim == 2 ? RECORD(cn_node_row, node_field) : RECORD(cn_node_row, node_field3);
    layout->vertex = (cn_record){(size_t)dim * sizeof(double), dim, vertex_field};
}

void cn_layout_make(cn_layout *layout, int dim, int series_count)
{
    make_body_records(layout, dim);
    layout->name = RECORD(cn_name_row, name_field);
    layout->law = RECORD(cn_law_row, law_field);
    layout->contact = RECORD(cn_contact, contact_field);
    layout->contact_state = RECORD(double, contact_state_field);
    layout->joint = RECORD(cn_joint_state, joint_field);
    layout->mesh = RECORD(cn_mesh_row, mesh_field);
    layout->element = RECORD(cn_element_row, element_field);
    layout->stress = RECORD(cn_stress_row, stress_field);
    layout->strain = RECORD(cn_strain_row, strain_field);
    layout->mean = RECORD(cn_mean_row, mean_field);
    make_step_record(layout);
    make_timed_records(layout);
    layout->series_field = (cn_field){NULL, CN_FIELD_REAL, 0, series_count, false};
    layout->series = (cn_record){(size_t)series_count * sizeof(double), 1, &layout->series_field};
    layout->series_tail_field = layout->series_field;
    layout->series_tail_field.name = "values";
    layout->series_tail = (cn_record){layout->series.size, 1, &layout->series_tail_field};
}
