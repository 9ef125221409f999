// load/cell_load.c -- rates and stresses of a periodic cell, theory 15.2.
#include <math.h>

#include "body/cell.h"
#include "load/load.h"

cn_status cn_cell_set_control(cn_cell *c, const cn_cell_control *control, double t, cn_error *err)
{
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        const cn_cell_control *one = &control[k];
        bool is_asked = one->is_stress || one->f.kind != CN_FUNCTION_CONSTANT || one->f.c != 0.0;
        if (is_asked && (c->there & 1u << k) == 0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a %s is given for %s of the cell, which has no such component: both "
                           "axes must be periodic",
                           one->is_stress ? "stress" : "rate", cn_cell_component_name(k));
        }
    }
    c->free = 0;
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        cn_cell_control own = control[k];
        own.sign = own.sign == 0.0 ? 1.0 : own.sign;
        CN_TRY(cn_function_own(c->hooks, &own.f, err));
        cn_function_free(c->hooks, &c->control[k].f);
        own.t0 = isnan(own.t0) ? t : own.t0;
        c->control[k] = own;
        int n = 3 * cn_cell_row(k) + cn_cell_column(k);
        if (own.is_stress) {
            c->free |= 1u << k;
        } else {
            c->L[n] =
                own.sign * cn_function_at(&own.f, t - own.t0); // bodies keep their own velocities
        }
    }
    return CN_OK;
}

void cn_cell_release_control(cn_cell *c)
{
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        cn_function_free(c->hooks, &c->control[k].f);
    }
}

cn_status cn_load_cell(cn_cell *c, double t, double h, double theta, cn_error *err)
{
    for (int k = 0; c->is_there && k < CN_CELL_COMPONENT_COUNT; k++) {
        const cn_cell_control *control = &c->control[k];
        double f_0 = control->sign * cn_function_at(&control->f, t - control->t0);
        double f_1 = control->sign * cn_function_at(&control->f, t + h - control->t0);
        c->target[k] = control->is_stress ? theta * f_1 + (1.0 - theta) * f_0 : f_1;
        if (!isfinite(c->target[k])) {
            return cn_fail(err, CN_BAD_INPUT, "the %s of %s of the cell is %g at %g s",
                           control->is_stress ? "stress" : "rate", cn_cell_component_name(k),
                           c->target[k], t);
        }
        if (!control->is_stress && h * fabs(f_1) > CN_CELL_STRAIN_MOST) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the rate of %s of the cell is %g 1/s: in a step of %g s that is a "
                           "strain of %g, and at most %g is allowed. Take a shorter step",
                           cn_cell_component_name(k), f_1, h, h * fabs(f_1), CN_CELL_STRAIN_MOST);
        }
    }
    return CN_OK;
}
