// result/reader.h -- an open result file: reader.c has bodies and shapes, reader_frames.c the
// frames, reader_laws.c the laws and states of contacts, history.c the steps.
#pragma once

#include "base/shared.h"
#include "cairn/result.h"
#include "geometry/space/solid.h"
#include "result/id_map.h"
#include "result/tables/result_tables.h"

typedef struct cn_column_cache {
    char *name;
    double *value; // NULL: not read yet
} cn_column_cache;

struct cn_reader {
    void **owned; // arrays of cn_reader_take
    size_t owned_count, owned_capacity;
    cn_tables tables;
    cn_summary summary;
    cn_error lists; // what is wrong with the lists that every frame needs; CN_OK: nothing
    char *scene_text;
    char *name_text; // names of bodies, each ended by a zero; NULL: not in the file
    const char **name;
    int64_t name_count;
    int group_count;
    cn_name_row *group;
    int law_count;
    cn_law_info *law;
    cn_law_row *law_row;
    cn_name_row *law_state;
    const char **state_name; // of all laws
    int64_t body_count, shape_count;
    int64_t known_bodies; // of them when the frame read last was written: shapes are those of then
    cn_body_row *body;
    cn_shape_def *shape; // in the plane
    cn_solid_def *solid; // in space
    cn_hull **hull;      // faces of solids, made when they are asked for
    double *vertex;      // x y, in space x y z
    cn_id_map map;
    int column_count, history_count; // all columns; those before the series
    cn_column_cache *column;
    cn_state_row *state; // of the frame that was read last
    cn_body_id *id;
    int *body_group;
    unsigned *fixed;
    double *q, *v;
    cn_contact *contact;
    double cell[9]; // of the frame that was read last; 0: none [m]
    cn_cell_state cell_state;
    cn_joint_state *joint;
    cn_mesh_row *mesh_row; // deformable bodies, and their elements
    cn_mesh_def *mesh;
    cn_id_map mesh_map;
    double *mesh_node;
    unsigned char *element_type;
    int *element_first, *element_node;
    cn_frame_mesh *frame_mesh; // of the frame that was read last
    cn_node_row *node_row;
    double *node_x, *node_v;
    cn_stress_row *stress;
    cn_strain_row *strain;
    cn_mean_row *mean;
    double *node_r;
    size_t strain_capacity, mean_capacity, node_r_capacity;
    size_t frame_mesh_capacity, node_row_capacity, node_x_capacity, node_v_capacity,
        stress_capacity;
    int *contact_state_start;
    double *contact_state;
    size_t state_capacity, id_capacity, group_capacity, fixed_capacity, q_capacity, v_capacity,
        contact_capacity, start_capacity, contact_state_capacity, joint_capacity;
};

// cn_reader_take(r, &array, count, err): an array of `count` zeroed elements, at least one, that
// lives as long as the reader.
#define cn_reader_take(r, array, count, err)                                                       \
    cn_reader_take_bytes((r), (void **)(array), (count), sizeof **(array), (err))
cn_status cn_reader_take_bytes(cn_reader *r, void **array, int64_t count, size_t element_size,
                               cn_error *err);
CN_SHARED cn_status cn_reader_no_memory(const cn_reader *r, cn_error *err);

// Contacts of one patch: the same pair of shapes with the same normal. They stand together.
static inline bool cn_is_same_patch(const cn_contact *a, const cn_contact *b)
{
    double cosine =
        a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2];
    return a->pair == b->pair && a->feature >> 32 == b->feature >> 32 && cosine > 1.0 - 1e-9;
}

// A unit quaternion, to what rounding in a long run may do to it.
bool cn_reader_is_turn(const double turn[4]);

// Halves of cn_reader_frame, for those who need one. Without its contacts the frame has none, and
// *contact_count tells how many there are; without its bodies it has neither bodies nor joints.
CN_SHARED cn_status cn_reader_bodies(cn_reader *r, int index, cn_frame *frame, int *contact_count,
                                     cn_error *err);
CN_SHARED cn_status cn_reader_contacts(cn_reader *r, int index, cn_frame *frame, cn_error *err);

// Faces of a hull, given as one of cn_reader_solids; they belong to the reader.
CN_SHARED cn_status cn_reader_hull(cn_reader *r, const cn_solid_def *solid, const cn_hull **hull,
                                   cn_error *err);

// Laws that the last frame knows (reader_laws.c); states of the contacts that were read last.
cn_status cn_reader_read_laws(cn_reader *r, const cn_frame_row *last, cn_error *err);
cn_status cn_reader_read_contact_states(cn_reader *r, int index, const cn_frame_row *row,
                                        cn_error *err);

// Meshes that the last frame knows (reader_meshes.c); nodes of a frame whose bodies are read.
cn_status cn_reader_read_meshes(cn_reader *r, const cn_frame_row *last, cn_error *err);
cn_status cn_reader_frame_meshes(cn_reader *r, const cn_frame_row *row, cn_frame *frame,
                                 cn_error *err);

// Lists the columns of the history; sums it up for the summary.
cn_status cn_reader_list_columns(cn_reader *r, cn_error *err);
cn_status cn_reader_sum_history(cn_reader *r, cn_error *err);
