// audit/overlap/overlap_mesh.c -- a mesh as the audit sees it: facets from the sides of its
// elements, and which points its elements hold, by their shape functions.
#include <stdlib.h>
#include <string.h>

#include "audit/overlap/overlap.h"
#include "body/deformable/deformables.h"

enum { NEWTON = 20 };
static const double INSIDE = 1e-9; // by how much a local coordinate may leave its element [-]

// A side by its corners in ascending order, so that both elements of an inner one agree.
typedef struct side {
    int corner[4];
    int element, number;
} side;

// Order by corners; any will do if it is the same for both elements. Sides with the same corners
// are inside and left out, whichever comes first.
static int compare_corners(const void *p, const void *q)
{
    const side *a = p, *b = q;
    return memcmp(a->corner, b->corner, sizeof a->corner);
}

static int compare_ints(const void *p, const void *q)
{
    int a = *(const int *)p, b = *(const int *)q;
    return (a > b) - (a < b);
}

static side side_of(const cn_fem *fem, int e, int number)
{
    const cn_element_side *s = &cn_element_of(fem->type[e])->side[number];
    int corners = cn_element_of(s->type)->corner_count;
    side one = {{-1, -1, -1, -1}, e, number};
    for (int k = 0; k < corners; k++) {
        one.corner[k] = fem->element_node[fem->element_start[e] + s->node[k]];
    }
    qsort(one.corner, (size_t)corners, sizeof(int), compare_ints);
    return one;
}

// Middle of a face with four corners, from its shape functions.
static cn_vec3 middle_of(const cn_deep_skin *skin, int type, const int *node)
{
    double N[CN_SIDE_NODES_MAX], dN[2 * CN_SIDE_NODES_MAX];
    const cn_element *face = cn_element_of(type);
    cn_vec3 sum = {0.0, 0.0, 0.0};
    face->shape(face->centre, N, dN);
    for (int k = 0; k < face->node_count; k++) {
        sum = cn_add_mul3(sum, N[k], skin->vertex[node[k]]);
    }
    return sum;
}

// A fan of facets about the middle of a face, whose nodes come corner, middle of an edge, corner
// ... or are corners only.
static cn_status add_fan(const cn_hooks *hooks, cn_deep_skin *skin, int type, const int *node,
                         cn_error *err)
{
    int corners = cn_element_of(type)->corner_count, nodes = cn_element_of(type)->node_count;
    int centre = skin->vertex_count++;
    skin->vertex[centre] = middle_of(skin, type, node);
    for (int k = 0; k < corners; k++) {
        int next = node[(k + 1) % corners];
        if (nodes > corners) {
            CN_TRY(cn_deep_skin_add(hooks, skin, node[k], node[corners + k], centre, err));
            CN_TRY(cn_deep_skin_add(hooks, skin, node[corners + k], next, centre, err));
        } else {
            CN_TRY(cn_deep_skin_add(hooks, skin, node[k], next, centre, err));
        }
    }
    return CN_OK;
}

static cn_status add_six(const cn_hooks *hooks, cn_deep_skin *skin, const int *n, cn_error *err)
{
    CN_TRY(cn_deep_skin_add(hooks, skin, n[0], n[3], n[5], err));
    CN_TRY(cn_deep_skin_add(hooks, skin, n[3], n[1], n[4], err));
    CN_TRY(cn_deep_skin_add(hooks, skin, n[5], n[4], n[2], err));
    return cn_deep_skin_add(hooks, skin, n[3], n[4], n[5], err);
}

static cn_status add_side(const cn_hooks *hooks, cn_deep_skin *skin, const side *one, cn_error *err)
{
    const cn_fem *fem = skin->fem;
    const cn_element_side *s = &cn_element_of(fem->type[one->element])->side[one->number];
    int node[CN_SIDE_NODES_MAX];
    for (int k = 0; k < cn_element_of(s->type)->node_count; k++) {
        node[k] = fem->element_node[fem->element_start[one->element] + s->node[k]];
    }
    switch (s->type) {
    case CN_SEG2:
        return cn_deep_skin_add(hooks, skin, node[0], node[1], node[1], err);
    case CN_SEG3:
        CN_TRY(cn_deep_skin_add(hooks, skin, node[0], node[2], node[2], err));
        return cn_deep_skin_add(hooks, skin, node[2], node[1], node[1], err);
    case CN_TRI3:
        return cn_deep_skin_add(hooks, skin, node[0], node[1], node[2], err);
    case CN_TRI6:
        return add_six(hooks, skin, node, err);
    default:
        return add_fan(hooks, skin, s->type, node, err);
    }
}

// Sides that belong to one element only.
static cn_status add_outer(const cn_hooks *hooks, cn_deep_skin *skin, side *all, int count,
                           cn_error *err)
{
    qsort(all, (size_t)count, sizeof *all, compare_corners);
    for (int k = 0; k < count; k++) {
        bool is_inner = (k > 0 && compare_corners(&all[k], &all[k - 1]) == 0) ||
                        (k + 1 < count && compare_corners(&all[k], &all[k + 1]) == 0);
        if (!is_inner) {
            CN_TRY(add_side(hooks, skin, &all[k], err));
        }
    }
    return CN_OK;
}

static cn_status add_facets(const cn_hooks *hooks, cn_deep_skin *skin, cn_error *err)
{
    const cn_fem *fem = skin->fem;
    side *all = NULL;
    size_t room = 0, most = (size_t)fem->element_count * CN_ELEMENT_SIDES_MAX;
    int count = 0;
    CN_TRY(cn_reserve(hooks, &all, &room, most, err));
    for (int e = 0; e < fem->element_count; e++) {
        for (int s = 0; s < cn_element_of(fem->type[e])->side_count; s++) {
            all[count++] = side_of(fem, e, s);
        }
    }
    cn_status status = add_outer(hooks, skin, all, count, err);
    cn_release(hooks, all);
    return status;
}

// Boxes of elements. Middles of edges may bulge beyond the box of the nodes: by as much as they
// are off their chords, which a quarter of the box covers for elements that are not folded.
static cn_status build_elements(const cn_hooks *hooks, cn_deep_skin *skin, cn_error *err)
{
    const cn_fem *fem = skin->fem;
    cn_box3 *box = NULL;
    size_t room = 0;
    CN_TRY(cn_reserve(hooks, &box, &room, (size_t)fem->element_count, err));
    for (int e = 0; e < fem->element_count; e++) {
        const cn_element *type = cn_element_of(fem->type[e]);
        box[e] = cn_deep_no_box;
        for (int k = fem->element_start[e]; k < fem->element_start[e + 1]; k++) {
            cn_deep_box_add(&box[e], skin->vertex[fem->element_node[k]]);
        }
        bool is_curved = type->node_count > type->corner_count;
        cn_vec3 by = cn_mul3(is_curved ? 0.25 : 1e-9, cn_sub3(box[e].hi, box[e].lo));
        box[e].lo = cn_sub3(box[e].lo, by);
        box[e].hi = cn_add3(box[e].hi, by);
    }
    cn_status status = cn_deep_tree_build(hooks, box, fem->element_count, &skin->elements, err);
    cn_release(hooks, box);
    return status;
}

cn_status cn_deep_skin_of_mesh(const cn_hooks *hooks, const cn_fem *fem, const double *x,
                               cn_deep_skin *skin, cn_error *err)
{
    size_t room = 0, faces = (size_t)fem->element_count * CN_ELEMENT_SIDES_MAX;
    *skin = (cn_deep_skin){.dim = fem->dim, .fem = fem, .vertex_count = fem->node_count};
    size_t middles = fem->dim == 3 ? faces : 0;
    CN_TRY(cn_reserve(hooks, &skin->vertex, &room, (size_t)fem->node_count + middles, err));
    for (int n = 0; n < fem->node_count; n++) {
        const double *at = x + fem->dim * n;
        skin->vertex[n] = cn_v3(at[0], at[1], fem->dim == 3 ? at[2] : 0.0);
    }
    CN_TRY(build_elements(hooks, skin, err));
    CN_TRY(add_facets(hooks, skin, err));
    return cn_deep_skin_finish(hooks, skin, err);
}

// Whether local coordinates are in the reference cell of an element.
static bool is_in_cell(int type, const double xi[3])
{
    double low = -INSIDE, high = 1.0 + INSIDE;
    switch (type) {
    case CN_TRI3:
    case CN_TRI6:
        return xi[0] >= low && xi[1] >= low && xi[0] + xi[1] <= high;
    case CN_TET4:
    case CN_TET10:
        return xi[0] >= low && xi[1] >= low && xi[2] >= low && xi[0] + xi[1] + xi[2] <= high;
    case CN_WEDGE6:
        return xi[0] >= low && xi[1] >= low && xi[0] + xi[1] <= high && fabs(xi[2]) <= high;
    case CN_QUAD4:
    case CN_QUAD8:
        return fabs(xi[0]) <= high && fabs(xi[1]) <= high;
    default:
        return fabs(xi[0]) <= high && fabs(xi[1]) <= high && fabs(xi[2]) <= high;
    }
}

// Solves J dx = r of a plane or space element by Cramer's rule; false if it is singular.
static bool solve(int dim, const cn_vec3 J[3], cn_vec3 r, double dx[3])
{
    if (dim == 2) {
        double det = J[0].x * J[1].y - J[1].x * J[0].y;
        dx[0] = (r.x * J[1].y - J[1].x * r.y) / det;
        dx[1] = (J[0].x * r.y - r.x * J[0].y) / det;
        return det != 0.0;
    }
    double det = cn_dot3(J[0], cn_cross3(J[1], J[2]));
    dx[0] = cn_dot3(r, cn_cross3(J[1], J[2])) / det;
    dx[1] = cn_dot3(J[0], cn_cross3(r, J[2])) / det;
    dx[2] = cn_dot3(J[0], cn_cross3(J[1], r)) / det;
    return det != 0.0;
}

// Newton's method for the local coordinates of a point (9.11): x(xi) = p.
static bool element_holds(const cn_deep_skin *skin, int e, cn_vec3 p)
{
    const cn_fem *fem = skin->fem;
    const cn_element *type = cn_element_of(fem->type[e]);
    const int *node = fem->element_node + fem->element_start[e];
    double N[CN_ELEMENT_NODES_MAX], dN[CN_ELEMENT_DOFS_MAX];
    double xi[3] = {type->centre[0], type->centre[1], type->centre[2]};
    for (int k = 0; k < NEWTON; k++) {
        cn_vec3 r = p, J[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        double dx[3] = {0.0, 0.0, 0.0};
        type->shape(xi, N, dN);
        for (int n = 0; n < type->node_count; n++) {
            cn_vec3 x = skin->vertex[node[n]];
            r = cn_add_mul3(r, -N[n], x);
            for (int d = 0; d < type->dim; d++) {
                J[d] = cn_add_mul3(J[d], dN[type->dim * n + d], x);
            }
        }
        if (!solve(type->dim, J, r, dx)) {
            return false;
        }
        double most = fmax(fabs(dx[0]), fmax(fabs(dx[1]), fabs(dx[2])));
        for (int d = 0; d < 3; d++) {
            xi[d] += dx[d] * fmin(1.0, 1.0 / most); // a step leads no farther than the element is
        }
        if (!(most < 1e6) || fabs(xi[0]) + fabs(xi[1]) + fabs(xi[2]) > 30.0) {
            return false;
        }
        if (most < 1e-12) {
            break;
        }
    }
    return is_in_cell(fem->type[e], xi);
}

bool cn_deep_mesh_holds(const cn_deep_skin *skin, cn_vec3 p)
{
    cn_deep_walk walk = cn_deep_walk_in(&skin->elements, (cn_box3){p, p});
    for (int e = cn_deep_walk_next(&walk); e >= 0; e = cn_deep_walk_next(&walk)) {
        if (element_holds(skin, e, p)) {
            return true;
        }
    }
    return false;
}
