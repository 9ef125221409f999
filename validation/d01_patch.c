// validation/d01_patch.c -- D01: the contact patch test.
//
// Question: does a uniform pressure pass from one mesh into another? Reference: stress -1
// everywhere, contact pressure 1, top displacement -2/E. One pass of nodes over facets is known to
// fail on meshes that do not match: its error is reported. Source: Taylor and Papadopoulos 1991.
#include "builders.h"
#include "solids.h"
#include "table.h"

#include <stdlib.h>

#define E 1000.0 // [Pa]

typedef struct patch {
    double stress, pressure; // largest errors
    double top;              // mean displacement of the top [m]
    double field;            // largest error of the displacements over that of the top
} patch;

static cn_body_id add_block(cn_trial *t, int cells, double low, bool is_two_pass)
{
    bool is_flat = t->place.dim == 2;
    cn_soft block = cn_soft_box(t->book, is_flat ? CN_QUAD4 : CN_HEX8, (int[]){cells, cells, cells},
                                (double[]){0.0, low, 0.0}, (double[]){1.0, 1.0, 1.0},
                                cn_soft_elastic(E, 0.3, 1.0));
    block.mesh.plane = CN_PLANE_STRESS;
    cn_body_id id = cn_soft_add(t, &block, (cn_body_def){.mesh.is_two_pass = is_two_pass});
    cn_soft_free(&block);
    cn_soft_hold(t, id, "x0", CN_DOF_X);
    if (!is_flat) {
        cn_soft_hold(t, id, "z0", CN_DOF_Z);
    }
    return id;
}

// Share of a node of a face of cells x cells (of cells in the plane) in its area.
static double share_of(const cn_node_view *n, int a, int cells)
{
    double share = 1.0;
    for (int d = 0; d < n->dim; d += 2) {
        double X = n->X[n->dim * a + d];
        share *= (X < 1e-9 || X > 1.0 - 1e-9 ? 0.5 : 1.0) / cells;
    }
    return share;
}

static void compare(cn_trial *t, cn_body_id id, int cells, double seam, double h, patch *p)
{
    cn_node_view n = cn_soft_nodes(t, id);
    double *stress = cn_soft_stress(t, id), sum = 0.0;
    int top = 0;
    for (int a = 0; a < n.node_count && stress != NULL; a++) {
        const double *X = n.X + n.dim * a;
        for (int d = 0; d < n.dim; d++) {
            double u = (d == 1 ? -1.0 : 0.3) / E * X[d];
            p->field = fmax(p->field, fabs(cn_soft_moved(&n, a, d) - u) / (2.0 / E));
        }
        p->stress = fmax(p->stress, fabs(stress[6 * a + 1] + 1.0));
        if (fabs(X[1] - seam) < 1e-9) {
            double force = fabs(n.impulse[n.dim * a + 1]) / h;
            p->pressure = fmax(p->pressure, fabs(force / share_of(&n, a, cells) - 1.0));
        }
        if (X[1] > 2.0 - 1e-9) {
            sum += cn_soft_moved(&n, a, 1);
            top++;
        }
    }
    p->top = top > 0 ? sum / top : 0.0;
    free(stress);
}

// While the blocks come to rest the accuracy of the book is enough.
static void sharpen(cn_trial *t, cn_solver_def solver)
{
    cn_error err;
    solver.eps_v = solver.tol = 1e-12;
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_world_set_solver(t->world, &solver, &err), &err);
}

static patch press(cn_book *book, const cn_place *place, int below, int above, bool is_two_pass)
{
    const double h = 0.035; // as long as waves take to cross a block; theta = 1 damps them
    patch p = {0};
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_body_id low = add_block(&t, below, 0.0, is_two_pass);
    cn_body_id high = add_block(&t, above, 1.0, is_two_pass);
    cn_soft_hold(&t, low, "y0", CN_DOF_Y);
    cn_soft_load(&t, high, "y1", CN_LOAD_TRACTION, cn_v3(0.0, -1.0, 0.0), cn_constant(1.0));
    cn_trial_run(&t, h, 90);
    sharpen(&t, def.solver);
    cn_trial_run(&t, h, 30);
    compare(&t, low, below, 1.0, h, &p);
    compare(&t, high, above, 1.0, h, &p);
    cn_trial_end(&t);
    return p;
}

static void check(cn_book *book, const patch *p, const char *meshes, const char *where)
{
    cn_check(book, cn_name(book, "stress + 1, %s%s", meshes, where), p->stress, 0.0, 1e-10);
    cn_check(book, cn_name(book, "pressure - 1, %s%s", meshes, where), p->pressure, 0.0, 1e-10);
    cn_check_rel(book, cn_name(book, "top, %s%s", meshes, where), p->top, -0.002, 1e-10);
    cn_check(book, cn_name(book, "displacements, %s%s", meshes, where), p->field, 0.0, 1e-10);
}

static void check_place(cn_book *book, cn_place place)
{
    patch p = press(book, &place, 4, 4, false);
    check(book, &p, "4 on 4 cells", place.name);
    p = press(book, &place, 5, 4, true);
    check(book, &p, "4 on 5, two passes", place.name);
    p = press(book, &place, 5, 4, false); // reported: it is known to fail
    cn_check(book, cn_name(book, "stress + 1, 4 on 5, one pass%s", place.name), p.stress, 0.0,
             INFINITY);
}

void cn_case_D01(cn_book *book)
{
    check_place(book, cn_place_plane());
    check_place(book, cn_place_along_axes(1.0));
}
