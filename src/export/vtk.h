// export/vtk.h -- one VTK XML file of polygonal data or of cells (those with CN_VTK_CELLS): arrays
// are compressed as they are added, then written behind the header ("appended raw", 64-bit headers,
// zlib blocks).
#pragma once

#include "export/export.h"

typedef enum cn_vtk_place {
    CN_VTK_FIELD = 0,
    CN_VTK_POINT_DATA,
    CN_VTK_CELL_DATA,
    CN_VTK_POINTS,
    CN_VTK_VERTS,
    CN_VTK_POLYS,
    CN_VTK_CELLS
} cn_vtk_place;

typedef enum cn_vtk_type {
    CN_VTK_FLOAT64 = 0,
    CN_VTK_FLOAT32,
    CN_VTK_INT64,
    CN_VTK_INT32,
    CN_VTK_STRING // texts, a zero after each; only by cn_vtk_add_texts
} cn_vtk_type;

typedef struct cn_vtk_array {
    cn_vtk_place place;
    cn_vtk_type type;
    const char *name; // not owned
    int components;
    size_t tuples;
    size_t offset; // of its bytes, found when it is added
} cn_vtk_array;

typedef struct cn_vtk {
    cn_vtk_array *array;
    size_t array_count, array_capacity;
    unsigned char *bytes; // compressed arrays, one after the other
    size_t size, capacity;
} cn_vtk;

// Forgets all arrays, keeps the memory.
void cn_vtk_clear(cn_vtk *vtk);
cn_status cn_vtk_add(cn_vtk *vtk, cn_vtk_array array, const void *values, cn_error *err);

// An array of texts: array.tuples of them in `size` bytes, a zero after each.
cn_status cn_vtk_add_texts(cn_vtk *vtk, cn_vtk_array array, const char *texts, size_t size,
                           cn_error *err);

// Writes folder/name with as many vertices and polygons as were added ("offsets" arrays).
cn_status cn_vtk_write(const cn_vtk *vtk, const char *folder, const char *name, size_t points,
                       cn_error *err);
void cn_vtk_free(cn_vtk *vtk);
