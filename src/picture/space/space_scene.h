// picture/space/space_scene.h -- what the files of the renderer of solids share.
//
// Parts become items, the things a ray can meet: balls, rods, faces, planes. A view is a camera
// with its raster; casting items into a buffer keeps, for every sample, the nearest item.
#pragma once

#include "base/memory.h"
#include "picture/space/space_draw.h"

typedef enum cn_item_kind { CN_ITEM_BALL, CN_ITEM_ROD, CN_ITEM_FACE, CN_ITEM_PLANE } cn_item_kind;

// In world coordinates.
typedef struct cn_item {
    cn_item_kind kind;
    int part;      // or force or film it belongs to
    cn_vec3 a, b;  // ball: centre; rod: its centres; face and plane: a point and the outward normal
    double radius; // ball, rod; face: how far it reaches from its middle [m]
    int first, count; // face: vertices
    int face;         // which face of its part it is
    bool is_wire;     // rod drawn in its plain colour
    bool is_open;     // face seen from both sides
    bool is_scenery;
} cn_item;

enum { CN_LOOP_MAX = 128 }; // corners of a face; larger ones are split

typedef struct cn_items {
    int count;
    cn_item *item;
    cn_vec3 *vertex; // of faces
    cn_box3 box;     // of all that cn_items_reach visits [m]
    cn_vec3 centre;  // of a ball around all finite items
    double radius;   // its radius [m]
    size_t item_room, vertex_room, vertex_count;
} cn_items;

cn_status cn_items_from_parts(const cn_space_def *def, cn_items *items, cn_error *err);
cn_status cn_items_from_forces(const cn_space_def *def, cn_items *items, cn_error *err);
void cn_items_free(cn_items *items);

// Visits balls whose hull holds all finite items that are no scenery: vertices have no reach.
typedef void cn_reach_visit(void *context, cn_vec3 at, double reach);
void cn_items_reach(const cn_items *items, cn_reach_visit *visit, void *context);

// Camera coordinates: x to the right, y up, z away from the eye. A sample at (s, t) of the raster
// looks along ((s - s_0) / scale, (t_0 - t) / scale, 1) from the eye, or, with parallel rays, along
// z from ((s - s_0) / scale, (t_0 - t) / scale, 0).
typedef struct cn_space_view {
    cn_vec3 eye;
    cn_mat3 axes; // world to camera
    double scale, s_0, t_0;
    double near; // nearest depth seen [m]
    bool is_parallel;
} cn_space_view;

// Depth and nearest item of samples; rows top .. top + height - 1 of the raster.
typedef struct cn_space_buffer {
    int width, height, top;
    float *depth; // INFINITY: nothing
    int *item;    // -1: nothing; NULL: only depth is kept
} cn_space_buffer;

cn_space_view cn_space_view_of(const cn_space_def *def);
cn_vec3 cn_view_point(const cn_space_view *view, cn_vec3 world);

// Point of the world at a depth seen by the raster position (s, t).
cn_vec3 cn_view_world(const cn_space_view *view, double s, double t, double depth);

void cn_buffer_clear(cn_space_buffer *buffer);

// Planes and wires throw no shadow.
void cn_items_cast(const cn_items *items, const cn_space_view *view, bool is_shadow,
                   cn_space_buffer *buffer);

// A lamp far away and what it meets first. A point p of the world is met at the sample
// (map[0], map[1]) and at the depth map[2] of its map, map[k] = row[k] . (p - centre) + shift[k].
typedef struct cn_lamp {
    float towards[3]; // unit
    float row[3][3], shift[3];
    int size;              // samples of the map each way
    float texel;           // size of a sample [m]
    unsigned short *depth; // 65535: nothing
} cn_lamp;

enum { CN_LAMP_SKY = 48, CN_LAMP_KEY = 16, CN_LAMP_COUNT = CN_LAMP_SKY + CN_LAMP_KEY };

typedef struct cn_lamps {
    cn_vec3 centre;  // of the scene
    cn_vec3 key;     // towards the main light, unit
    double open_sky; // light of the sky on open ground
    cn_lamp lamp[CN_LAMP_COUNT];
} cn_lamps;

// Maps of the main lamps measure `size` samples each way, those of the sky half of it.
cn_status cn_lamps_light(const cn_items *items, const cn_space_view *view, int size,
                         cn_lamps *lamps, cn_error *err);
void cn_lamps_free(cn_lamps *lamps);

// Light that arrives at a surface: *sky is 1 on open ground, *key on a surface across its rays.
void cn_lamps_shine(const cn_lamps *lamps, cn_vec3 at, cn_vec3 normal, double *sky, double *key);
