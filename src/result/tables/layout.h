// result/tables/layout.h -- the tables of a result file (docs/formats.md), shared by writer and
// reader.
//
// Rows in memory have room for the plane and for space; files hold the members of their dimension.
#pragma once

#include "cairn/view.h"
#include "result/hdf/hdf.h"
#include "result/tables/step_row.h"

#define CN_RESULT_FORMAT "cairn result"
// 1: without laws and states of contacts; 2: without joints; 3: without meshes; 4: without strains,
// forces on nodes and mean stresses; 5: without checksums, the history not compressed
#define CN_RESULT_VERSION 6
#define CN_NAME_SIZE 128 // longest name in a list, with its final zero

// A name, in lists of groups, series and states of laws.
typedef struct cn_name_row {
    char name[CN_NAME_SIZE];
} cn_name_row;

// A law of the world, and the rows with the names of its states.
typedef struct cn_law_row {
    char name[CN_NAME_SIZE];
    int64_t state_start, state_count;
} cn_law_row;

// A body that has appeared in the run, with its shapes; never removed.
typedef struct cn_body_row {
    uint64_t id;
    int32_t group;
    uint32_t fixed; // when it appeared
    int64_t shape_start;
    int64_t shape_count;
    double mass, inertia[3], size; // [kg], [kg m2], [m]
} cn_body_row;

typedef struct cn_shape_row {
    int32_t kind;
    int32_t vertex_count;
    int64_t vertex_start;
    double radius, length, thickness; // [m]
    double size[3];                   // [m]
    double at[3];                     // [m]
    double angle;                     // [rad]
    double turn[4];                   // unit quaternion
    uint32_t ends;                    // bits of closed ends
} cn_shape_row;

// A deformable body: rows of its nodes in the reference position, and of its elements.
typedef struct cn_mesh_row {
    uint64_t id; // of the body
    int64_t node_start, node_count;
    int64_t element_start, element_count;
} cn_mesh_row;

#define CN_ELEMENT_NODES 20 // most of an element
typedef struct cn_element_row {
    int32_t type;                   // cn_element_type
    int32_t node[CN_ELEMENT_NODES]; // of its mesh, from 0; -1: none
} cn_element_row;

// A node in a frame; the nodes of all meshes of a frame follow each other in the order of its
// bodies. Stresses at nodes: xx yy zz xy yz zx.
typedef struct cn_node_row {
    double x[3], v[3]; // [m], [m/s]
    double r[3];       // of contacts and supports, mean of the last step [N]
} cn_node_row;

typedef struct cn_stress_row {
    double stress[6]; // [Pa]
} cn_stress_row;

typedef struct cn_strain_row {
    double strain[6]; // [-]
} cn_strain_row;

// A deformable body in a frame, in the order of its bodies.
typedef struct cn_mean_row {
    double volume;    // [m3]
    double stress[6]; // mean over it [Pa]
} cn_mean_row;

typedef struct cn_frame_row {
    int64_t step;
    double time, h; // [s]
    int64_t body_start, body_count;
    int64_t contact_start, contact_count;
    int64_t known_groups, known_bodies; // rows of the lists that this frame may refer to
    int64_t known_shapes, known_vertices;
    int64_t known_laws, known_law_states;
    int64_t state_start, state_count; // of the contacts; none: count 0
    int64_t joint_start, joint_count;
    int64_t known_meshes, known_mesh_nodes, known_elements;
    int64_t node_start, node_count;
    int64_t stress_start, stress_count; // as many as nodes, or none
    int64_t strain_start, strain_count; // likewise
    int64_t mean_start, mean_count;     // as many as deformable bodies, or none
    double kinetic, potential, storage; // [J]
    double energy_error;                // [-]
    double cell[9];                     // vectors of the periodic cell; 0: none [m]
    double cell_rate[9];                // its velocity gradient [1/s]
    int64_t cell_axes;                  // bits 1 << axis of those that repeat
    int64_t contacts_left_out; // number of contacts that the frame has but the file has not
    uint64_t state_hash;
    double seconds[CN_STAGE_COUNT]; // spent in each stage so far [s]
} cn_frame_row;

// State of a body in a frame, as many numbers as the dimension asks for. Contacts are stored as
// cn_contact, vertices as plain coordinates.
typedef struct cn_state_row {
    uint64_t id;
    int32_t group;
    uint32_t fixed;
    double q[7], v[6];
} cn_state_row;

#define CN_PAIR_SIZE 200 // names of two bodies
typedef struct cn_end_row {
    int64_t is_complete; // written last
    char outcome[256];
    double wall_seconds;
    double seconds[CN_STAGE_COUNT];
    uint64_t state_hash;
    int64_t indeterminate; // -1: not computed
    char deepest_name[CN_PAIR_SIZE], unseen_name[CN_PAIR_SIZE], phantom_name[CN_PAIR_SIZE];
} cn_end_row;

// Records with names made at run time, from the names of energy rows and stages.
typedef struct cn_layout {
    int dim, q_size, v_size, inertia_size; // numbers per body
    cn_step_column column[CN_STEP_COLUMN_COUNT];
    char stage_name[CN_STAGE_COUNT][40];
    cn_field step_field[CN_STEP_COLUMN_COUNT];
    cn_field frame_field[37 + CN_STAGE_COUNT];
    cn_field end_field[8 + CN_STAGE_COUNT];
    cn_field series_field, series_tail_field;
    cn_row_type name, law, body, shape, vertex, frame, state, contact, contact_state, joint, end,
        step, series, series_tail, mesh, element, node, stress, strain, mean;
} cn_layout;

// dim 2 or 3; series_count 0: the record of series is not to be used.
void cn_layout_make(cn_layout *layout, int dim, int series_count);
