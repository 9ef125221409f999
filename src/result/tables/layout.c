// result/tables/layout.c
#include "result/tables/layout.h"

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
#define RECORD(type, list) ((cn_row_type){sizeof(type), COUNT(list), list})

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
    NEWERS(cn_shape_row, size, CN_FIELD_REAL, 3), // not in older files
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
    NEWERS(cn_frame_row, cell, CN_FIELD_REAL, 9),      // older files have no periodic cells
    NEWERS(cn_frame_row, cell_rate, CN_FIELD_REAL, 9), // older files do not tell how they move
    NEWER(cn_frame_row, cell_axes, CN_FIELD_INT64),
    NEWER(cn_frame_row, contacts_left_out, CN_FIELD_INT64), // older files leave none out
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

// Columns are optional when read: files of programs with fewer columns stay readable.
static void make_step_record(cn_layout *layout)
{
    for (int k = 0; k < CN_STEP_COLUMN_COUNT; k++) {
        layout->column[k] = cn_step_column_at(k);
        layout->step_field[k] =
            (cn_field){layout->column[k].name, CN_FIELD_REAL, (size_t)k * sizeof(double), 1, true};
    }
    layout->step = (cn_row_type){sizeof(cn_step_row), CN_STEP_COLUMN_COUNT, layout->step_field};
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
    _Static_assert(COUNT(frame_field) + CN_STAGE_COUNT == COUNT(layout->frame_field) &&
                       COUNT(end_field) + CN_STAGE_COUNT == COUNT(layout->end_field),
                   "room for the fields of the table and of the stages");
    memcpy(layout->frame_field, frame_field, sizeof frame_field);
    int count = add_stages(layout, offsetof(cn_frame_row, seconds), COUNT(frame_field),
                           layout->frame_field);
    layout->frame = (cn_row_type){sizeof(cn_frame_row), count, layout->frame_field};
    memcpy(layout->end_field, end_field, sizeof end_field);
    count = add_stages(layout, offsetof(cn_end_row, seconds), COUNT(end_field), layout->end_field);
    layout->end = (cn_row_type){sizeof(cn_end_row), count, layout->end_field};
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
    layout->vertex = (cn_row_type){(size_t)dim * sizeof(double), dim, vertex_field};
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
    layout->series = (cn_row_type){(size_t)series_count * sizeof(double), 1, &layout->series_field};
    layout->series_tail_field = layout->series_field;
    layout->series_tail_field.name = "values";
    layout->series_tail = (cn_row_type){layout->series.size, 1, &layout->series_tail_field};
}
