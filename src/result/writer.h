// result/writer.h -- the writer of result files, fed with views: knows no world, so that it can be
// tested with hand-made states. The public calls of cairn/result.h are thin wrappers
// (world_file.c).
#pragma once

#include "cairn/deformable.h"
#include "cairn/result.h"

// The state of a world that a frame is made of.
typedef struct cn_snapshot {
    cn_view view;
    int threads; // that compress it; at least 1
    uint64_t state_hash;
    cn_cell_state cell; // is_there: false without one
    int group_count;
    const char *(*group_name)(const void *context, int group);
    int law_count;
    const cn_law_type *(*law_type)(const void *context, int law);
    // Nodes of a body, false if it is rigid, their stresses and strains, and the mean stress with
    // the volume; NULL: no body is deformable.
    bool (*nodes)(const void *context, cn_body_id id, cn_mesh_def *mesh, cn_node_view *nodes);
    cn_status (*stress)(const void *context, cn_body_id id, double *stress, double *strain,
                        cn_error *err);
    cn_status (*mean)(const void *context, cn_body_id id, double mean[6], double *volume,
                      cn_error *err);
    const void *context;
} cn_snapshot;

cn_status cn_results_create(const char *path, const cn_provenance *provenance,
                            const cn_snapshot *snapshot, int series_count,
                            const char *const *series, cn_writer **writer, cn_error *err);
cn_status cn_results_step(cn_writer *writer, const cn_view *view, const double *series,
                          cn_error *err);
cn_status cn_results_frame(cn_writer *writer, const cn_snapshot *snapshot, cn_error *err);
cn_status cn_results_close(cn_writer *writer, const cn_snapshot *snapshot, const char *outcome,
                           double wall_seconds, int indeterminate, cn_error *err);
