// viewer/viewer_scene.h -- a result as the viewer reads it: bodies and shapes once, frames, series.
#pragma once

#include "cairn/result.h"
#include "viewer/array_blocks.h"

#define CN_VIEWER_VERSION 1

// What the whole run has in common, as one JSON object; the caller frees it. `is_live`: the file
// may still grow.
cn_status cn_viewer_meta(cn_reader *reader, bool is_live, char **json, size_t *size, cn_error *err);

// Coordinates are given relative to this point, so that single precision is enough. Zero unless the
// bodies of frame 0 are far from the origin for their extent. [m]
cn_status cn_viewer_origin(cn_reader *reader, double origin[3], cn_error *err);

// Bodies that appear in the run, their shapes and meshes; equal hulls, polygons and surfaces once.
cn_status cn_viewer_shapes(cn_reader *reader, const double origin[3], cn_blocks *blocks,
                           cn_error *err);

// Bodies, nodes of meshes and joints of one frame; its contacts.
cn_status cn_viewer_frame(cn_reader *reader, int index, const double origin[3], cn_blocks *blocks,
                          cn_error *err);
cn_status cn_viewer_contacts(cn_reader *reader, int index, const double origin[3],
                             cn_blocks *blocks, cn_error *err);

// Column k of the step history; long ones are thinned so that every peak stays.
cn_status cn_viewer_series(cn_reader *reader, int k, cn_blocks *blocks, cn_error *err);
