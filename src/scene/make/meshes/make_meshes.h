// scene/make/meshes/make_meshes.h -- what meshes of entries and of pieces of generators share.
// Functions return false without memory; other problems are reported and leave *made NULL.
#pragma once

#include "cairn/mesh.h"
#include "scene/make/make_bodies.h"

// elements, size, cells and crossed, of `part` or else of `mesh`. False after a problem, which is
// reported.
bool cn_mesh_set_cut(cn_reading *r, const cn_value *part, const cn_value *mesh, cn_volume_def *def);

// Reports why there is no mesh.
bool cn_mesh_refuse(cn_reading *r, cn_place at, cn_status status, const cn_error *why);

// Takes over a mesh, which is destroyed, with the options of `value`, NULL: none.
bool cn_mesh_adopt(cn_entry_making *e, const cn_value *value, cn_volume *volume,
                   cn_mesh_def **made);

// Adds the sets of boxes that `value` names, and checks the one that bonds.
bool cn_mesh_add_sets(cn_entry_making *e, const cn_value *value, cn_mesh_def *mesh);

// The pieces of a mesh as bodies of their own, as `explode` of `value` says. (make_explode.c)
bool cn_mesh_explode(cn_entry_making *e, cn_body_list *list, const cn_value *value,
                     const cn_mesh_def *mesh);

// Generates a mesh, likewise.
bool cn_mesh_make(cn_entry_making *e, const cn_value *value, const cn_volume_def *def,
                  cn_mesh_def **made);
