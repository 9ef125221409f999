// picture/space/space_meshes.c
#include "picture/space/space_meshes.h"

#include <math.h>

#include "base/memory.h"
#include "body/deformable/skin.h"
#include "fem/assembly/fem.h"

void cn_coat_free(cn_coat *coat)
{
    CN_RELEASE(coat->facet, coat->patch, coat->start, coat->vertex, coat->normal, coat->value);
    *coat = (cn_coat){0};
}

static cn_vec3 point_of(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

// Smooth normals by the surface that contacts see; it lives only as long as they are computed.
static cn_status find_normals(const cn_figure *f, int count, cn_coat *coat, cn_error *err)
{
    cn_skin skin;
    double *flat = NULL, *corner = NULL;
    size_t room[3] = {0}, facets = (size_t)count;
    const cn_skin_def def = {3, f->mesh.node_count, f->mesh.node, count, coat->facet, NULL};
    CN_TRY(cn_skin_create(NULL, &def, &skin, err));
    cn_status status = cn_reserve(NULL, &flat, &room[0], 3 * facets, err);
    CN_THEN(status, cn_reserve(NULL, &corner, &room[1], 9 * facets, err));
    CN_THEN(status, cn_reserve(NULL, &coat->normal, &room[2], 3 * facets, err));
    if (status == CN_OK) {
        cn_skin_normals(&skin, f->x, flat, corner);
        for (size_t k = 0; k < 3 * facets; k++) {
            coat->normal[k] = point_of(corner + 3 * k);
        }
    }
    CN_RELEASE(flat, corner);
    cn_skin_free(NULL, &skin);
    return status;
}

static cn_status fill_coat(const cn_figure *f, cn_vec3 origin, cn_coat *coat, cn_error *err)
{
    int count = 0, nodes = f->mesh.node_count;
    size_t room[2] = {0};
    CN_TRY(cn_fem_facets(&f->mesh, &coat->facet, &coat->patch, &count, err));
    CN_TRY(cn_reserve(NULL, &coat->vertex, &room[0], (size_t)nodes, err));
    CN_TRY(cn_reserve(NULL, &coat->start, &room[1], (size_t)count + 1, err));
    CN_TRY(find_normals(f, count, coat, err));
    for (int n = 0; n < nodes; n++) {
        coat->vertex[n] = cn_sub3(point_of(f->x + 3 * n), origin);
    }
    for (int k = 0; k <= count; k++) {
        coat->start[k] = 3 * k;
    }
    coat->faces = (cn_space_faces){.vertex_count = nodes,
                                   .face_count = count,
                                   .vertex = coat->vertex,
                                   .face_start = coat->start,
                                   .face_vertex = coat->facet,
                                   .patch = coat->patch,
                                   .normal = coat->normal};
    return CN_OK;
}

cn_status cn_coat_make(const cn_figure *figure, cn_vec3 origin, cn_coat *coat, cn_error *err)
{
    *coat = (cn_coat){0};
    cn_status status = fill_coat(figure, origin, coat, err);
    if (status != CN_OK) {
        cn_coat_free(coat);
    }
    return status;
}

cn_status cn_coat_colour(const cn_render_plan *plan, const cn_figure *figure, cn_coat *coat,
                         cn_error *err)
{
    cn_paint paint = plan->def->paint;
    bool is_field = paint == CN_PAINT_DISPLACEMENT || paint == CN_PAINT_MISES;
    if (!is_field || !(plan->value_max > 0.0) || coat->value != NULL) {
        return CN_OK;
    }
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &coat->value, &room, (size_t)figure->mesh.node_count, err));
    for (int n = 0; n < figure->mesh.node_count; n++) {
        coat->value[n] = cn_figure_node_value(paint, figure, n) / plan->value_max;
    }
    coat->faces.value = coat->value;
    coat->faces.scale = &plan->colours;
    return CN_OK;
}

// Triangles of the patch that begins with triangle k.
static int patch_size(const cn_coat *coat, int k)
{
    int count = 1;
    while (k + count < coat->faces.face_count && coat->patch[k + count] == coat->patch[k]) {
        count++;
    }
    return count;
}

// Principal stresses of the mean over the corners of a patch, and their axes as rows.
static void principal(const cn_figure *f, const cn_coat *coat, int k, int count, double value[3],
                      double axes[9])
{
    double mean[6] = {0.0};
    for (int n = 3 * k; n < 3 * (k + count); n++) {
        for (int c = 0; c < 6; c++) {
            mean[c] += f->nodes->stress[6 * coat->facet[n] + c] / (3 * count);
        }
    }
    cn_fem_principal(mean, value, axes);
}

double cn_coat_stress_max(const cn_figure *figure, const cn_coat *coat)
{
    double most = 0.0;
    int count = figure->nodes->stress != NULL ? coat->faces.face_count : 0;
    for (int k = 0, size = 0; k < count; k += size) {
        double value[3], axes[9];
        size = patch_size(coat, k);
        principal(figure, coat, k, size, value, axes);
        most = fmax(most, fmax(fabs(value[0]), fabs(value[2])));
    }
    return most;
}

// Middle of a patch and its area as a vector.
static cn_vec3 patch_area(const cn_coat *coat, int k, int count, cn_vec3 *middle)
{
    cn_vec3 area = {0.0, 0.0, 0.0};
    *middle = area;
    for (int t = k; t < k + count; t++) {
        cn_vec3 a = coat->vertex[coat->facet[3 * t]], b = coat->vertex[coat->facet[3 * t + 1]],
                c = coat->vertex[coat->facet[3 * t + 2]];
        area = cn_add_mul3(area, 0.5, cn_cross3(cn_sub3(b, a), cn_sub3(c, a)));
        *middle = cn_add_mul3(*middle, 1.0 / (3 * count), cn_add3(a, cn_add3(b, c)));
    }
    return area;
}

int cn_coat_crosses(const cn_render_plan *plan, const cn_figure *figure, const cn_coat *coat,
                    cn_vec3 origin, cn_vec3 eye, cn_space_force *force)
{
    int count = figure->nodes->stress != NULL ? coat->faces.face_count : 0, made = 0;
    for (int k = 0, size = 0; k < count && plan->value_max > 0.0; k += size) {
        size = patch_size(coat, k);
        cn_vec3 middle, area = patch_area(coat, k, size, &middle);
        middle = cn_add3(origin, middle);
        if (!(cn_dot3(area, cn_sub3(eye, middle)) > 0.0)) {
            continue;
        }
        double value[3], axes[9], reach = 0.5 * sqrt(cn_norm3(area));
        principal(figure, coat, k, size, value, axes);
        for (int d = 0; d < 3; d++) {
            cn_vec3 arm = cn_mul3(reach * value[d] / plan->value_max, point_of(axes + 3 * d));
            force[made++] =
                (cn_space_force){.end = {cn_sub3(middle, arm), cn_add3(middle, arm)},
                                 .radius = fmin(0.8 * plan->ui / plan->scale, 0.08 * reach),
                                 .colour = value[d] > 0.0 ? cn_tone_alarm() : cn_tone_ink()};
        }
    }
    return made;
}
