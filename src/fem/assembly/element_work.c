// fem/assembly/element_work.c -- one element at work: its data, the response of its points, and the
// sums of (10.6).
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"

cn_cell cn_cell_open(const cn_fem *fem, int element, const cn_fem_history *history,
                     cn_cell_room *room)
{
    if (fem->gradient == NULL) {
        cn_fem_place_points(fem, element, room->gradient);
    }
    const double *old = history != NULL ? history->old : NULL;
    double *new_ = history != NULL ? history->new_ : NULL;
    const cn_element *type = cn_element_of(fem->type[element]);
    const cn_material *material = &fem->material[fem->element_material[element]];
    bool has_bbar = type->has_bbar && !material->is_plane_stress;
    bool has_selective = type->has_bbar && fem->integration == CN_INTEGRATION_SELECTIVE &&
                         material->kinematics != CN_TOTAL_LAGRANGE;
    return (cn_cell){.fem = fem,
                     .element = type,
                     .material = material,
                     .id = element,
                     .n = type->node_count,
                     .dim = fem->dim,
                     .width = fem->point_width,
                     .strain_count = fem->dim == 2 ? 4 : 6,
                     .point_count = type->stiffness->count,
                     .node = fem->element_node + fem->element_start[element],
                     .gradient = fem->gradient != NULL
                                     ? fem->gradient + fem->gradient_start[element]
                                     : room->gradient,
                     .weight = fem->weight + fem->point_start[element],
                     .old = old != NULL ? old + fem->history_start[element] : NULL,
                     .new_ = new_ != NULL ? new_ + fem->history_start[element] : NULL,
                     .is_axisymmetric = fem->plane == CN_AXISYMMETRIC,
                     .has_bbar = has_bbar && fem->integration != CN_INTEGRATION_FULL,
                     .has_selective = has_selective};
}

void cn_cell_gather(const cn_cell *c, const double *global, double *local)
{
    for (int a = 0; a < c->n; a++) {
        for (int k = 0; k < c->dim; k++) {
            local[c->dim * a + k] = global[c->dim * c->node[a] + k];
        }
    }
}

bool cn_cell_respond(const cn_cell *c, int p, const double strain[6], cn_response *r)
{
    const cn_material *m = c->material;
    if (c->is_rest) {
        memset(r, 0, sizeof *r);
        memcpy(r->tangent, m->D_rest, sizeof r->tangent);
        return true;
    }
    const double *old = c->old != NULL ? c->old + p * m->state_count : NULL;
    double *new_ = c->new_ != NULL ? c->new_ + p * m->state_count : NULL;
    if (!cn_material_respond(m, strain, old, new_, r)) {
        return false;
    }
    if (c->stress != NULL) {
        memcpy(c->stress + 6 * p, r->stress, sizeof r->stress);
        memcpy(c->strain + 6 * p, strain, 6 * sizeof *strain);
    }
    return true;
}

void cn_cell_add(const cn_cell *c, int p, const double *B, const cn_response *r, cn_cell_sums *s)
{
    int nd = c->n * c->dim, rows = c->strain_count;
    double w = c->weight[p];
    s->stored += w * r->stored;
    s->plastic += w * r->plastic;
    for (int i = 0; i < rows; i++) {
        double stress = w * r->stress[i];
        for (int q = 0; q < nd; q++) {
            s->f[q] += stress * B[nd * i + q];
        }
    }
    if (!c->wants_tangent) {
        return;
    }
    double DB[CN_VOIGT * CN_ELEMENT_DOFS_MAX];
    for (int i = 0; i < rows; i++) {
        memset(DB + nd * i, 0, (size_t)nd * sizeof *DB);
        for (int j = 0; j < rows; j++) {
            double D = w * r->tangent[6 * i + j];
            for (int q = 0; q < nd && D != 0.0; q++) {
                DB[nd * i + q] += D * B[nd * j + q];
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int q = 0; q < nd; q++) {
            double b = B[nd * i + q];
            double *K = s->K + nd * q;
            for (int t = q; t < nd && b != 0.0; t++) {
                K[t] += b * DB[nd * i + t];
            }
        }
    }
}
