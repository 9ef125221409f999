// viewer/viewer_meshes.h -- deformable bodies for the viewer: meshes once, nodes in every frame.
#pragma once

#include "cairn/result.h"
#include "viewer/array_blocks.h"

// Adds the meshes of the run: what is to be drawn of each (triangles, edges) and the corners of its
// elements. Nothing if there are none.
cn_status cn_viewer_add_meshes(cn_reader *reader, const double origin[3], cn_blocks *blocks,
                               cn_error *err);

// Adds the nodes of a frame with their velocities, and stresses if the file has them.
cn_status cn_viewer_add_nodes(const cn_reader *reader, const cn_frame *frame,
                              const double origin[3], cn_blocks *blocks, cn_error *err);
