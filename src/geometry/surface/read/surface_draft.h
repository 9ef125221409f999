// geometry/surface/read/surface_draft.h -- a surface under way: what every reader adds vertices,
// faces and groups to.
#pragma once

#include "geometry/surface/hash_chain.h"
#include "geometry/surface/read/cursor.h"

typedef struct cn_mesher {
    cn_cursor *c;
    const cn_surface_def *def;
    cn_surface s;
    int group;           // of the faces to come, -1: none
    int64_t odd_count;   // polygons that could not be split properly
    int64_t odd_element; // the first of them
    bool is_welded;      // the format shares no vertices: equal ones are to be joined
    cn_chain names;      // of the groups
    int *corner, *split; // scratch: a face being read, and its triangles
    size_t vertex_capacity, triangle_capacity, group_capacity, element_capacity, name_capacity,
        line_capacity;
    size_t corner_capacity, split_capacity;
} cn_mesher;

// [m] in units of the file; not finite is refused.
cn_status cn_mesher_vertex(cn_mesher *m, double x, double y, double z);

// Face with `count` corners (vertices from 0, checked by the caller); split into triangles.
cn_status cn_mesher_face(cn_mesher *m, const int *corner, int count, int64_t element);

// Number of the group of this name, made if it is new.
cn_status cn_mesher_group(cn_mesher *m, const char *name, size_t length, int *group);

// Makes room for one more corner at m->corner[count].
cn_status cn_mesher_room(cn_mesher *m, int count);

// Tells a remark: "name: ...".
void cn_mesher_remark(cn_mesher *m, const char *format, ...) CN_PRINTF(2, 3);

// Splits a polygon into count - 2 triangles of its corners, without new vertices and, if it can be
// avoided, without flat ones. False: the polygon crosses itself or has too many reflex corners, and
// the fan about its first corner was taken.
bool cn_polygon_split(const double *vertex, const int *corner, int count, int *triangle);

// The readers. Each fills m->s.
cn_status cn_read_stl(cn_mesher *m);
cn_status cn_read_obj(cn_mesher *m);
cn_status cn_read_ply(cn_mesher *m);
cn_status cn_read_msh(cn_mesher *m);
cn_status cn_read_msh_volumes(cn_mesher *m); // what cn_read_msh does by def->volumes
cn_status cn_read_compas(cn_mesher *m);
cn_status cn_read_dxf(cn_mesher *m);
