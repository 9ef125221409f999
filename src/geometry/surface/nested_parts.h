// geometry/surface/nested_parts.h -- the parts of a surface (triangles joined by edges) as solids
// and cavities.
#pragma once

#include "geometry/surface/box_tree.h"
#include "geometry/surface/topology.h"

typedef struct cn_part {
    bool is_solid; // every edge is run through as often one way as the other: it bounds a solid
    double volume; // if it does, negative if normals point inwards [m3]
    cn_box box;
    int depth;                          // solid parts around it: an odd number makes it a cavity
    int first;                          // its first triangle
    int triangle_start, triangle_count; // in cn_parts.triangle
} cn_part;

typedef struct cn_parts {
    const cn_topology *topology;
    int count;
    cn_part *part;
    int *triangle;     // part by part
    bool is_cut_short; // too many parts within each other: depths are not all known
} cn_parts;

cn_status cn_parts_make(const cn_topology *topology, cn_parts *parts, cn_error *err);
void cn_parts_free(cn_parts *parts);

// Whether the normals point the wrong way: into a solid, or out of a cavity into it.
bool cn_part_is_inverted(const cn_part *part);
