// body/deformable/contact_node.c -- contact sides on deformable bodies: velocities, impulses and
// rows of H at a point between nodes (theory 11.4), and the condensed rows of large bodies (11.20).
#include <string.h>

#include "body/deformable/deformables.h"

// Degrees of freedom behind the point: nodes of what moves, with weights.
typedef struct carrier {
    int count, node[4];
    double weight[4];
} carrier;

static carrier carrier_of(const cn_deformables *m, const cn_anchor *anchor)
{
    const double *weight = cn_deformable_model(m, anchor->mesh)->weight;
    carrier c = {.count = weight != NULL ? m->dim + 1 : anchor->count};
    for (int n = 0; n < c.count; n++) {
        c.node[n] = weight != NULL ? n : anchor->node[n];
        c.weight[n] = weight != NULL ? 0.0 : anchor->weight[n];
        for (int k = 0; k < anchor->count && weight != NULL; k++) { // (11.28)
            c.weight[n] += anchor->weight[k] * weight[c.count * anchor->node[k] + n];
        }
    }
    return c;
}

cn_vec3 cn_anchor_velocity(const cn_deformables *m, const cn_anchor *anchor, const double *v)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    const double *own = v + m->dof_start[anchor->mesh];
    carrier c = carrier_of(m, anchor);
    for (int k = 0; k < c.count; k++) {
        const double *at = own + m->dim * c.node[k];
        cn_vec3 node = cn_v3(at[0], at[1], m->dim == 3 ? at[2] : 0.0);
        sum = cn_add_mul3(sum, c.weight[k], node);
    }
    return sum;
}

void cn_anchor_push(cn_deformables *m, const cn_anchor *anchor, cn_vec3 r)
{
    double *own = m->impulse + m->dof_start[anchor->mesh];
    carrier c = carrier_of(m, anchor);
    m->body[anchor->mesh].is_pushed = true;
    for (int k = 0; k < c.count; k++) {
        for (int d = 0; d < m->dim; d++) {
            own[m->dim * c.node[k] + d] += c.weight[k] * (&r.x)[d];
        }
    }
    double *shown = m->point_impulse + m->point_start[anchor->mesh];
    for (int k = 0; k < anchor->count && cn_deformable_is_pseudo_rigid(m, anchor->mesh); k++) {
        for (int d = 0; d < m->dim; d++) {
            shown[m->dim * anchor->node[k] + d] += anchor->weight[k] * (&r.x)[d];
        }
    }
}

bool cn_anchor_can_move(const cn_deformables *m, const cn_anchor *anchor, cn_vec3 n)
{
    const unsigned char *held = m->held + m->dof_start[anchor->mesh];
    carrier c = carrier_of(m, anchor);
    double free = 0.0;
    for (int k = 0; k < c.count; k++) {
        for (int d = 0; d < m->dim; d++) {
            double share = c.weight[k] * (&n.x)[d];
            free += held[m->dim * c.node[k] + d] ? 0.0 : share * share;
        }
    }
    return free > 1e-12;
}

void cn_anchor_rows(const cn_deformables *m, const cn_anchor *anchor, int count,
                    const cn_vec3 *axis, double sign, double *H)
{
    int n = cn_deformable_dof(m, anchor->mesh);
    const unsigned char *held = m->held + m->dof_start[anchor->mesh];
    carrier c = carrier_of(m, anchor);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < c.count; k++) {
            for (int d = 0; d < m->dim; d++) {
                int dof = m->dim * c.node[k] + d;
                H[n * i + dof] += held[dof] ? 0.0 : sign * c.weight[k] * (&axis[i].x)[d];
            }
        }
    }
}

// sum_ij w_i w_j (A^-1)_ij over the nodes of two anchors; dim is a literal at each call.
static inline void sum_responses(int dim, const cn_iteration_matrix *f, const cn_anchor *a,
                                 const cn_anchor *b, double *sum)
{
    for (int i = 0; i < a->count; i++) {
        size_t p = (size_t)f->active_place[a->node[i]];
        for (int j = 0; j < b->count; j++) {
            size_t q = (size_t)f->active_place[b->node[j]], high = p > q ? p : q;
            const double *from =
                f->response + (size_t)(dim * dim) * (high * (high + 1) / 2 + (p > q ? q : p));
            double weight = a->weight[i] * b->weight[j];
            for (int k = 0; k < dim * dim; k++) {
                sum[k] += weight * (p > q ? from[dim * (k % dim) + k / dim] : from[k]);
            }
        }
    }
}

// An anchor and the axes along which velocities are taken there.
typedef struct framed_anchor {
    const cn_anchor *anchor;
    const cn_vec3 *axis;
} framed_anchor;

static inline void couple(int dim, const cn_iteration_matrix *f, const framed_anchor *a,
                          const framed_anchor *b, double sign, double *block)
{
    double sum[9] = {0}, turned[9];
    sum_responses(dim, f, a->anchor, b->anchor, sum);
    for (int k = 0; k < dim; k++) {
        for (int j = 0; j < dim; j++) {
            double along = 0.0;
            for (int l = 0; l < dim; l++) {
                along += sum[dim * k + l] * (&b->axis[j].x)[l];
            }
            turned[dim * k + j] = sign * along;
        }
    }
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            for (int k = 0; k < dim; k++) {
                block[dim * i + j] += (&a->axis[i].x)[k] * turned[dim * k + j];
            }
        }
    }
}

void cn_anchor_couple(const cn_deformables *m, const cn_anchor *a, const cn_vec3 *axis_a,
                      const cn_anchor *b, const cn_vec3 *axis_b, double sign, double *block)
{
    const cn_iteration_matrix *factor = &m->factors.item[m->body[a->mesh].factor];
    const framed_anchor one = {a, axis_a}, other = {b, axis_b};
    if (m->dim == 2) {
        couple(2, factor, &one, &other, sign, block);
    } else {
        couple(3, factor, &one, &other, sign, block);
    }
}
