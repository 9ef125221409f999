// validation/c34_growth.c -- C34: a grain that grows against a pressure.
//
// Question: does a cell under a pressure give way to a grain that grows between its own images, and
// what work does that take? Reference: one grain of diameter d grows to 1.1 d, so that the cell is
// 1.1 d wide; the work done on the cell is p (1.21 - 1) d^2 and the force of each contact 1.1 p d.
#include <stdio.h>

#include "scene_rig.h"
#include "table.h"

static const char grown[] = "cairn: 1\n"
                            "dimension: 2\n"
                            "gravity: none\n"
                            "params: {h: 1e-3}\n"
                            "cell: {size: [1, 1], allow_self: true, inertia: 1e-2}\n"
                            "materials: {grain: {density: 1}}\n"
                            "laws: {dry: {type: coulomb, friction: 0.3}}\n"
                            "contacts: [{between: [any, any], law: dry}]\n"
                            "solver: {accuracy: 1e-10}\n"
                            "bodies:\n"
                            "  grain: {shape: {disk: 0.5}, at: [0.5, 0.5], material: grain}\n"
                            "stages:\n"
                            "  - {step: \"=h\", duration: 1, cell: {pressure: 1},\n"
                            "     grow: {grain: 1.1}}\n"
                            "  - {step: \"=h\", duration: 0.1, cell: {pressure: 1}}\n"
                            "observe: [{name: cell, cell: true}, {name: s, stress: grain},\n"
                            "          {name: f, fraction: grain}]\n"
                            "output: {every: 1.1}\n";

static cn_scene_trial grow(cn_book *book, double h)
{
    char step[24];
    snprintf(step, sizeof step, "h=%g", h);
    return cn_scene_trial_run(book, grown, 1e-10, (const char *[CN_SCENE_SET_MAX]){step});
}

void cn_case_C34(cn_book *book)
{
    const double side = 1.1, area = side * side;
    cn_scene_trial t = grow(book, 1e-3), coarse = grow(book, 1e-2);
    cn_check(book, "width of the cell [m]", cn_scene_trial_last(&t, "series/cell.cxx"), side, 1e-4);
    cn_check(book, "height of the cell [m]", cn_scene_trial_last(&t, "series/cell.cyy"), side,
             1e-4);
    cn_check(book, "force along x: stress times height [N/m]",
             cn_scene_trial_last(&t, "series/s.xx") * side, side, 1e-4);
    cn_check(book, "force along y [N/m]", cn_scene_trial_last(&t, "series/s.yy") * side, side,
             1e-4);
    cn_check(book, "solid fraction, that of a square lattice",
             cn_scene_trial_last(&t, "series/f.fraction"), 0.25 * CN_PI, 1e-4);
    cn_check(book, "work done on the cell [J/m]", cn_scene_trial_last(&t, "total_applied"),
             area - 1.0, 1e-4);
    cn_check(book, "work of the growth, less what its two jolts take [J/m]",
             -cn_scene_trial_last(&t, "total_growth") - cn_scene_trial_last(&t, "total_shock"),
             area - 1.0, 1e-4);
    cn_check(book, "width of the cell, steps ten times as long [m]",
             cn_scene_trial_last(&coarse, "series/cell.cxx"), side, 1e-4);
    cn_scene_trial_end(&t);
    cn_scene_trial_end(&coarse);
}
