// picture/space/space_meshes.h -- the surface of a deformable body as faces of a part.
//
// The surface is made of triangles; those that belong to one face of an element form a patch, and
// lines are drawn between patches. Normals run smoothly over edges that are not sharp in the
// reference position, as they do for contacts (theory 11.14).
#pragma once

#include "picture/render.h"
#include "picture/space/space_draw.h"

typedef struct cn_coat {
    cn_space_faces faces; // points into the arrays below
    int *facet;           // three nodes of each triangle
    int *patch;           // of each triangle
    int *start;           // triangles as loops
    cn_vec3 *vertex;      // one per node of the mesh, from the place of the body [m]
    cn_vec3 *normal;      // three of each triangle
    double *value;        // per node: place on the scale of colours
} cn_coat;

// The surface of the body of a figure that has nodes, seen from `origin`.
cn_status cn_coat_make(const cn_figure *figure, cn_vec3 origin, cn_coat *coat, cn_error *err);
void cn_coat_free(cn_coat *coat);

// Colours by the field of the picture; nothing happens if its paint is none of the elements.
cn_status cn_coat_colour(const cn_render_plan *plan, const cn_figure *figure, cn_coat *coat,
                         cn_error *err);

// Largest principal stress over the patches [Pa]; 0 without stresses.
double cn_coat_stress_max(const cn_figure *figure, const cn_coat *coat);

// Rods along the principal stresses of every patch that the eye can see, as long as they are
// large, appended to `force`, which has room for three per triangle. Returns their number.
int cn_coat_crosses(const cn_render_plan *plan, const cn_figure *figure, const cn_coat *coat,
                    cn_vec3 origin, cn_vec3 eye, cn_space_force *force);
