// validation/d02_cantilever.c -- D02: a cantilever under a load at its tip.
//
// Question: deflection and first frequency of each element, and how far it locks? Reference: beam
// with shear, 3.8392381e-4 m (coefficient 5/6) and, with rotary inertia, 83.1596 Hz. The load comes
// suddenly, so that the tip swings about its deflection. Source: Timoshenko.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define DEFLECTION 3.8392381e-4 // [m]
#define FREQUENCY 83.1596       // [Hz]

typedef struct beam {
    const char *name;
    cn_element_type element;
    int cells[3];
    cn_integration integration;
} beam;

typedef struct swing {
    cn_trial trial;
    cn_body_id id;
    int tip;
} swing;

static swing build(cn_book *book, const beam *b, double theta)
{
    const double L = 1.0, height = 0.1, width = 0.05, F = 1000.0;
    int dim = cn_element_dim(b->element);
    cn_place place = dim == 2 ? cn_place_plane() : cn_place_along_axes(1.0);
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = theta;
    swing s = {.trial = cn_trial_begin_at(book, &def, &place)};
    cn_soft bar =
        cn_soft_box(book, b->element, b->cells, (double[]){0.0, -0.5 * height, -0.5 * width},
                    (double[]){L, height, width}, cn_soft_elastic(210e9, 0.3, 7800.0));
    bar.mesh.plane = CN_PLANE_STRESS;
    bar.mesh.thickness = dim == 2 ? width : 0.0;
    bar.mesh.integration = b->integration;
    s.id = cn_soft_add(&s.trial, &bar, (cn_body_def){0});
    cn_soft_free(&bar);
    for (int d = 0; d < dim; d++) {
        cn_soft_hold(&s.trial, s.id, "x0", (cn_dof)d);
    }
    cn_soft_load(&s.trial, s.id, "x1", CN_LOAD_TRACTION, cn_v3(0.0, -1.0, 0.0),
                 cn_constant(F / (height * width)));
    cn_node_view nodes = cn_soft_nodes(&s.trial, s.id);
    s.tip = cn_soft_nearest(&nodes, cn_v3(L, 0.0, 0.0));
    return s;
}

static double sag(const swing *s)
{
    cn_node_view nodes = cn_soft_nodes(&s->trial, s->id);
    return -cn_soft_moved(&nodes, s->tip, 1);
}

static double deflection(cn_book *book, const beam *b)
{
    swing s = build(book, b, 1.0);
    cn_soft_quasi_static(&s.trial);
    cn_trial_step(&s.trial, 1.0);
    double found = sag(&s);
    cn_trial_end(&s.trial);
    return found;
}

// From the first and the last of `count` + 1 times at which the tip passes its deflection
// downwards.
static double frequency(cn_book *book, const beam *b, double middle, int count)
{
    const double h = 0.01 / FREQUENCY;
    swing s = build(book, b, 0.5);
    double before = 0.0, first = NAN, last = NAN;
    for (int k = 0, passed = 0; passed <= count && cn_trial_step(&s.trial, h); k++) {
        double now = sag(&s);
        if (before < middle && now >= middle) {
            last = h * (k + (middle - before) / (now - before));
            first = passed++ == 0 ? last : first;
        }
        before = now;
    }
    cn_trial_end(&s.trial);
    return count / (last - first);
}

void cn_case_D02(cn_book *book)
{
    static const beam good[] = {
        {"quad8 20 x 4", CN_QUAD8, {20, 4}, CN_INTEGRATION_FULL},
        {"tri6 20 x 4", CN_TRI6, {20, 4}, CN_INTEGRATION_FULL},
        {"quad4 40 x 8 selective", CN_QUAD4, {40, 8}, CN_INTEGRATION_SELECTIVE},
        {"hex20 20 x 4", CN_HEX20, {20, 4, 1}, CN_INTEGRATION_FULL},
        {"hex8 40 x 8 selective", CN_HEX8, {40, 8, 2}, CN_INTEGRATION_SELECTIVE},
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        const beam *b = &good[k];
        double down = deflection(book, b);
        cn_check_rel(book, cn_name(book, "deflection, %s", b->name), down, DEFLECTION, 0.01);
        cn_check_rel(book, cn_name(book, "frequency, %s", b->name), frequency(book, b, down, 5),
                     FREQUENCY, 0.01);
    }
    static const beam locking[] = {
        {"quad4 40 x 8 full", CN_QUAD4, {40, 8}, CN_INTEGRATION_FULL},
        {"tri3 40 x 8", CN_TRI3, {40, 8}, CN_INTEGRATION_FULL},
    };
    for (size_t k = 0; k < sizeof locking / sizeof *locking; k++) { // reported
        cn_check(book, cn_name(book, "locking, %s", locking[k].name),
                 deflection(book, &locking[k]) / DEFLECTION - 1.0, 0.0, INFINITY);
    }
}
