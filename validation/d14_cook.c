// validation/d14_cook.c -- D14: Cook's membrane, a tapered panel under a shear load at its end.
//
// Question: do distorted elements bend as fine ones do? Reference: 23.96 in the middle of the
// loaded edge, from converged meshes. Source: Cook 1974; Simo and Rifai 1990.
//
// 1 % is asked of 32 x 32 linear or 16 x 16 quadratic elements. Two triangles of constant strain to
// a cell are the stiffest linear ones: 2.9 % at 32 x 32, 0.8 % at 64 x 64, and of second order.
#include "solids.h"
#include "table.h"

#define REFERENCE 23.96

// From the unit square about the origin to the corners (0, 0), (48, 44), (48, 60), (0, 44).
static void taper(double *X, const void *context)
{
    (void)context;
    double s = X[0] + 0.5, t = X[1] + 0.5;
    X[0] = 48.0 * s;
    X[1] = 44.0 * s + t * (44.0 - 28.0 * s);
}

static double deflect(cn_book *book, cn_element_type element, int cells, bool is_crossed)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_soft_quasi_static(&t);
    cn_volume_def square = cn_volume_def_default();
    square.kind = CN_VOLUME_BOX;
    square.element = element;
    square.size[0] = square.size[1] = 1.0;
    square.cells[0] = square.cells[1] = cells;
    square.is_crossed = is_crossed;
    cn_soft soft = cn_soft_make(book, &square, cn_soft_elastic(1.0, 1.0 / 3.0, 1.0));
    cn_soft_map(&soft, taper, NULL);
    soft.mesh.plane = CN_PLANE_STRESS;
    cn_body_id panel = cn_soft_add(&t, &soft, (cn_body_def){0});
    cn_soft_hold(&t, panel, "left", CN_DOF_X);
    cn_soft_hold(&t, panel, "left", CN_DOF_Y);
    cn_soft_load(&t, panel, "right", CN_LOAD_TRACTION, cn_v3(0.0, 1.0, 0.0),
                 cn_constant(1.0 / 16.0));
    cn_trial_step(&t, 1.0);
    cn_node_view n = cn_soft_nodes(&t, panel);
    double y = cn_soft_moved(&n, cn_soft_nearest(&n, cn_v3(48.0, 52.0, 0.0)), 1);
    cn_trial_end(&t);
    cn_soft_free(&soft);
    return y;
}

typedef struct panel {
    const char *name;
    cn_element_type element;
    int cells;
    bool is_crossed;
    double tolerance;
} panel;

void cn_case_D14(cn_book *book)
{
    static const panel panels[] = {{"quad4", CN_QUAD4, 32, false, 0.01},
                                   {"tri3, four to a cell", CN_TRI3, 32, true, 0.01},
                                   {"quad8", CN_QUAD8, 16, false, 0.01},
                                   {"tri6", CN_TRI6, 16, false, 0.01},
                                   {"tri3, two to a cell (reported)", CN_TRI3, 32, false, INFINITY},
                                   {"tri3, two to a cell", CN_TRI3, 64, false, 0.01},
                                   {"tri3, two to a cell", CN_TRI3, 128, false, 0.01}};
    enum { COUNT = sizeof panels / sizeof *panels };
    double y[COUNT];
    for (int k = 0; k < COUNT; k++) {
        const panel *p = &panels[k];
        y[k] = deflect(book, p->element, p->cells, p->is_crossed);
        cn_check_rel(book, cn_name(book, "deflection, %d x %d %s", p->cells, p->cells, p->name),
                     y[k], REFERENCE, p->tolerance);
    }
    const double *last = y + COUNT - 3;
    cn_check(book, "order of the last three", log2((last[1] - last[0]) / (last[2] - last[1])), 2.0,
             0.3);
}
