// scene/make/make_bodies.h -- bodies of an entry, whatever they come from: a shape, a cluster, a
// generator or a CSV file.
#pragma once

#include "cairn/vec.h"
#include "scene/read_scene.h"

// Place and orientation in the frame around: angle in the plane, turn in space.
typedef struct cn_pose {
    double at[3]; // [m]
    double angle; // [rad]
    cn_quat turn;
} cn_pose;

#define CN_POSE_NONE                                                                               \
    {                                                                                              \
        .turn = { 1.0, 0.0, 0.0, 0.0 }                                                             \
    }

// Geometry of a body: shapes in the plane, solids in space, in memory of the arena.
typedef struct cn_parts {
    int count;
    const cn_shape_def *shape;
    const cn_solid_def *solid;
    const cn_mesh_def *mesh; // instead of both
} cn_parts;

// One line of `bodies:` while it is read.
typedef struct cn_entry_making {
    cn_making *m;
    const cn_value *value;
    cn_place at; // of its name
    const char *name;
    int entry;
    cn_body_def base;     // place, velocity, density and fixed degrees of freedom of all its bodies
    double mass, inertia; // NaN if not given
    bool is_mass_auto;    // a share of those of the other bodies
    bool has_tensor;      // in space: base.tensor is given
    bool has_fixed;       // said by the file
    const char *note;
    const cn_value *mesh; // its pieces are cut into elements as this says; NULL: they are not
    bool is_pseudo_rigid; // its pieces or its mesh are
    const char *const *material_name; // of the materials of its mesh
    const cn_mesh_def *whole; // the mesh of which all its bodies are pieces; NULL: it is in none
    cn_pose inside; // of the container that a generator fills, CN_POSE_NONE if there is none
} cn_entry_making;

// Bodies so far; memory moves.
typedef struct cn_body_list {
    cn_scene_body *body;
    size_t count, capacity;
} cn_body_list;

// Appends a body with checked parts, placed by `local` in the frame of the entry. Problems are
// reported at `at`; false for lack of memory only.
typedef struct cn_local {
    cn_pose pose;
    int index[2];
    unsigned fixed; // besides those of the entry
    bool is_support;
    const char *label;    // of a block; NULL: none
    const char *material; // of a piece of a mesh, by which rules may call it; NULL: none
} cn_local;

bool cn_bodies_append(cn_entry_making *e, cn_body_list *list, cn_place at, const cn_parts *parts,
                      const cn_local *local);

// True if `more` bodies may be added; else the problem is reported.
bool cn_bodies_fit(cn_entry_making *e, const cn_body_list *list, cn_place at, double more);

// Parts of a CN_TYPE_ONE value `shape`, placed by `pose`; none after a problem with a file, which
// is reported. False for lack of memory only. (scene/make/make_shapes.c, in space
// scene/make/make_solids.c)
#define CN_PARTS_PER_SHAPE 6 // but of a surface, which may have any number
bool cn_parts_of(cn_reading *r, const cn_value *shape, const cn_pose *pose, cn_parts *parts);
bool cn_solids_of(cn_reading *r, const cn_value *shape, const cn_pose *pose, cn_parts *parts);

// Solids of the shape `mesh`. (scene/make/make_surface.c)
typedef struct cn_solid_list {
    int count;
    cn_solid_def *solid;
} cn_solid_list;

bool cn_surface_solids(cn_reading *r, const cn_value *v, cn_solid_list *list);

// The mesh that a value `mesh` describes; that of a piece, cut as e->mesh says; NULL after a
// problem, which is reported. False for lack of memory only. (scene/make/meshes/make_meshes.c)
bool cn_mesh_of(cn_entry_making *e, const cn_value *value, const cn_mesh_def **made);
bool cn_mesh_of_piece(cn_entry_making *e, const cn_parts *parts, const cn_mesh_def **made);

// Smallest extent along an axis [m].
double cn_mesh_extent(const cn_mesh_def *mesh);

// `fixed_sets` of an entry whose bodies have meshes like this one; NULL: they have none.
bool cn_make_held(cn_entry_making *e, const cn_mesh_def *mesh, cn_scene_entry *entry);

// True if a mesh has a set of that name; else the problem is reported.
bool cn_check_set(cn_reading *r, cn_place at, const char *name, const char *body,
                  const cn_mesh_def *mesh);

// Remarks on surfaces that are much larger or smaller than all other bodies.
void cn_surface_compare(cn_making *m);

// `thickness` of a hollow shape; a tenth of `length` unless given.
double cn_thickness_of(cn_reading *r, const cn_value *v, double length);

// Keys at, angle and turn of a map; problems are reported. (scene/make/make_solids.c)
cn_pose cn_pose_of(cn_reading *r, const cn_value *map);

// The unit vector along a key that gives an axis; {0, 0, 1} after a problem, which is reported.
cn_vec3 cn_axis_of(cn_reading *r, const cn_value *map, const char *name);

// Sources of many bodies. False for lack of memory only. (scene/make/make_generated.c,
// scene/make/make_bulk.c, scene/make/make_blocks.c)
bool cn_bodies_generate(cn_entry_making *e, cn_body_list *list, const cn_value *generate);
bool cn_bodies_from_csv(cn_entry_making *e, cn_body_list *list, const cn_value *from,
                        const cn_value *shape);
bool cn_bodies_from_blocks(cn_entry_making *e, cn_body_list *list, const cn_value *blocks);
