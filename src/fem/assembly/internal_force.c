// fem/assembly/internal_force.c -- internal forces and tangent of a mesh: the loop over elements,
// in their order, so that sums are the same each time (theory 10.6).
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"

static void clear(const cn_cell *c, cn_cell_sums *s)
{
    size_t nd = (size_t)(c->n * c->dim);
    memset(s->f, 0, nd * sizeof *s->f);
    if (c->wants_tangent) {
        memset(s->K, 0, nd * nd * sizeof *s->K);
    }
    s->stored = s->plastic = 0.0;
}

bool cn_cell_sum(const cn_cell *c, const double *x, cn_cell_sums *s)
{
    double local[CN_ELEMENT_DOFS_MAX];
    clear(c, s);
    cn_cell_gather(c, x, local);
    switch (c->material->kinematics) {
    case CN_COROTATIONAL:
        return cn_cell_corotate(c, local, s);
    case CN_TOTAL_LAGRANGE:
        return cn_cell_lagrange(c, local, s);
    case CN_SMALL:
        break;
    }
    double X[CN_ELEMENT_DOFS_MAX];
    cn_cell_gather(c, c->fem->X, X);
    for (int q = 0; q < c->n * c->dim; q++) {
        local[q] -= X[q];
    }
    return cn_cell_small(c, local, s);
}

static cn_status refuse(const cn_cell *c, cn_error *err)
{
    return cn_fail(err, CN_BROKEN,
                   "element %d (%s of %s) is turned inside out or strained beyond its material",
                   c->id, c->element->name, c->material->type->name);
}

// Forces and matrix of one element into those of the mesh.
static void add_cell(const cn_cell *c, const cn_cell_sums *sums, double *f, double *K,
                     cn_fem_energy *total)
{
    for (int q = 0; q < c->n * c->dim; q++) {
        f[c->dim * c->node[q / c->dim] + q % c->dim] += sums->f[q];
    }
    if (K != NULL) {
        cn_fem_scatter(c->fem, c->id, sums->K, K);
    }
    total->stored += sums->stored;
    total->plastic += sums->plastic;
}

static void clear_mesh(const cn_fem *fem, double *f, double *K)
{
    memset(f, 0, (size_t)fem->dof_count * sizeof *f);
    if (K != NULL) {
        memset(K, 0, (size_t)fem->entry_count * sizeof *K);
    }
}

cn_status cn_fem_force(const cn_fem *fem, const double *x, const cn_fem_history *history, double *f,
                       double *K, cn_fem_energy *energy, cn_error *err)
{
    cn_cell_sums sums;
    cn_cell_room room;
    cn_fem_energy total = {0};
    clear_mesh(fem, f, K);
    for (int e = 0; e < fem->element_count; e++) {
        cn_cell c = cn_cell_open(fem, e, history, &room);
        c.wants_tangent = K != NULL;
        if (!cn_cell_sum(&c, x, &sums) || !isfinite(sums.stored)) {
            return refuse(&c, err);
        }
        add_cell(&c, &sums, f, K, &total);
    }
    if (energy != NULL) {
        *energy = total;
    }
    return CN_OK;
}

// (10.33) in small strain and linear: the force at the middle is exact.
static bool small_between(cn_cell *c, const double *u1, const double *middle, cn_cell_sums *s)
{
    cn_cell_sums now;
    clear(c, s);
    bool is_good = cn_cell_small(c, middle, s);
    c->wants_tangent = false;
    clear(c, &now);
    is_good = is_good && cn_cell_small(c, u1, &now);
    s->stored = now.stored;
    return is_good;
}

// (10.33) in total Lagrange form. The tangent has the moduli of the middle position and the stress
// of the step: in the middle of a turn a body is squeezed, in the step it is not.
static bool lagrange_between(cn_cell *c, const double *x0, const double *x1, const double *middle,
                             cn_cell_sums *s)
{
    double stress[6 * CN_ELEMENT_POINTS_MAX];
    cn_cell_sums tangent;
    bool wants_tangent = c->wants_tangent;
    c->between = stress;
    c->wants_tangent = false;
    clear(c, s);
    if (!cn_cell_between(c, x0, x1, s)) {
        return false;
    }
    c->wants_tangent = wants_tangent;
    if (wants_tangent) {
        clear(c, &tangent);
        if (!cn_cell_lagrange(c, middle, &tangent)) {
            return false;
        }
        size_t nd = (size_t)(c->n * c->dim);
        memcpy(s->K, tangent.K, nd * nd * sizeof *s->K);
    }
    return true;
}

static bool sum_between(cn_cell *c, const double *x0, const double *x1, cn_cell_sums *s)
{
    double from[CN_ELEMENT_DOFS_MAX], to[CN_ELEMENT_DOFS_MAX], middle[CN_ELEMENT_DOFS_MAX];
    double X[CN_ELEMENT_DOFS_MAX];
    bool is_small = c->material->kinematics == CN_SMALL;
    cn_cell_gather(c, x0, from);
    cn_cell_gather(c, x1, to);
    cn_cell_gather(c, c->fem->X, X);
    for (int q = 0; q < c->n * c->dim; q++) {
        double rest = is_small ? X[q] : 0.0;
        from[q] -= rest;
        to[q] -= rest;
        middle[q] = 0.5 * (from[q] + to[q]);
    }
    bool is_good =
        is_small ? small_between(c, to, middle, s) : lagrange_between(c, from, to, middle, s);
    return is_good && isfinite(s->stored);
}

cn_status cn_fem_force_between(const cn_fem *fem, const double *x0, const double *x1, double *f,
                               double *K, cn_fem_energy *energy, cn_error *err)
{
    cn_cell_sums sums;
    cn_cell_room room;
    cn_fem_energy total = {0};
    clear_mesh(fem, f, K);
    for (int e = 0; e < fem->element_count; e++) {
        cn_cell c = cn_cell_open(fem, e, NULL, &room);
        if (c.material->state_count > 0 || c.material->kinematics == CN_COROTATIONAL) {
            return cn_fail(err, CN_BAD_INPUT,
                           "element %d: forces that conserve energy exist for elastic materials in "
                           "small strain or total Lagrange form, not for %s%s",
                           e, c.material->type->name,
                           c.material->kinematics == CN_COROTATIONAL ? ", co-rotational" : "");
        }
        c.wants_tangent = K != NULL;
        if (!sum_between(&c, x0, x1, &sums)) {
            return refuse(&c, err);
        }
        add_cell(&c, &sums, f, K, &total);
    }
    if (energy != NULL) {
        *energy = total;
    }
    return CN_OK;
}

// (10.36): stiffness with the moduli at rest; no stress, hence no geometric part.
cn_status cn_fem_damping(const cn_fem *fem, const double *x, double *C, cn_error *err)
{
    cn_cell_sums sums;
    cn_cell_room room;
    memset(C, 0, (size_t)fem->entry_count * sizeof *C);
    for (int e = 0; e < fem->element_count; e++) {
        cn_cell c = cn_cell_open(fem, e, NULL, &room);
        const cn_material_def *def = &c.material->def;
        double time = def->viscous_time + def->rayleigh_stiffness;
        if (time > 0.0) {
            c.wants_tangent = c.is_rest = true;
            if (!cn_cell_sum(&c, x, &sums)) {
                return refuse(&c, err);
            }
            for (int k = 0; k < c.n * c.dim * c.n * c.dim; k++) {
                sums.K[k] *= time;
            }
            cn_fem_scatter(fem, e, sums.K, C);
        }
        if (def->rayleigh_mass > 0.0) {
            cn_fem_add_mass(fem, e, def->rayleigh_mass, C);
        }
    }
    return CN_OK;
}
