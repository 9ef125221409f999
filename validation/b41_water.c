// validation/b41_water.c -- B41: a dam, and a block under water.
//
// Question: is the pressure of water on free faces right, as a load of limit analysis and of runs?
// Reference: on paper. A wall of width b, height h and density rho_s turns about its toe at the
// depth (3 rho_s b^2 h/rho_w)^(1/3), and slides at sqrt(2 mu rho_s b h/rho_w) if it cannot turn; a
// body under water weighs (rho_s - rho_w) V g. Source: derived; Archimedes.
#include "builders.h"
#include "limit_rig.h"
#include "scene_rig.h"
#include "table.h"

#include <math.h>

static const double WIDTH = 1.2, HEIGHT = 5.0, STONE = 2400.0, WATER = 1000.0;

// In space the wall is 3 m long. Water is on the side of x < 0 alone.
static const char *bodies_of(int dim)
{
    return dim == 2 ? "bodies:\n"
                      "  ground: {shape: {half_plane: {}}, fixed: true}\n"
                      "  dam: {shape: {box: [1.2, 5]}, at: [0.6, 2.5], material: m%s}\n"
                    : "bodies:\n"
                      "  ground: {shape: {half_space: {}}, fixed: true}\n"
                      "  dam: {shape: {box: [1.2, 3, 5]}, at: [0.6, 0, 2.5], material: m%s}\n";
}

// Whether limit analysis lets it stand at a depth of the water.
static bool stands(cn_book *book, int dim, double mu, const char *fixed, double level)
{
    cn_limits l = cn_limits_begin(book, dim, STONE, mu);
    cn_limits_add(&l, bodies_of(dim), fixed);
    cn_limits_add(&l,
                  "limit: [{name: push, dead: {force: {dam: {water: {level: %.17g, "
                  "x: [-9, 0.6]}}}}, load: {acceleration: [1, 0%s]}}]\n",
                  level, dim == 2 ? "" : ", 0");
    cn_limit_answer *answer = cn_limits_find(&l, 0, 1e-9);
    bool is_up =
        answer != NULL && answer->limit->outcome == CN_LIMIT_BOUNDED && answer->limit->lower >= 0.0;
    cn_limit_answer_destroy(answer);
    cn_limits_end(&l);
    return is_up;
}

static void check_depth(cn_book *book, const char *name, int dim, double mu, const char *fixed,
                        double exact)
{
    double low = 0.5 * exact, high = 1.2 * exact;
    cn_check_true(book, cn_name(book, "%dD: %s, stands at half the depth", dim, name),
                  stands(book, dim, mu, fixed, low));
    while (high - low > 1e-6 * exact) {
        double middle = 0.5 * (low + high);
        *(stands(book, dim, mu, fixed, middle) ? &low : &high) = middle;
    }
    cn_check_rel(book, cn_name(book, "%dD: %s, depth [m]", dim, name), 0.5 * (low + high), exact,
                 1e-3);
}

// A run under a steady depth, 0.1 % below and above the limit: the way of the mass centre.
static double way_at(cn_book *book, double share, double exact)
{
    char text[900];
    snprintf(text, sizeof text,
             "cairn: 1\ndimension: 2\ngravity: [0, -9.81]\nmaterials: {m: {density: 2400}}\n"
             "laws: {dry: {type: coulomb, friction: 2}}\n"
             "contacts: [{between: [any, any], law: dry}]\n"
             "bodies:\n"
             "  ground: {shape: {half_plane: {}}, fixed: true}\n"
             "  dam: {shape: {box: [1.2, 5]}, at: [0.6, 2.5], material: m}\n"
             "stages: [{step: 2e-3, duration: 3, force: {dam: {water: {level: %.17g, "
             "x: [-9, 0.6]}}}}]\n"
             "observe: [{name: dam, moved: dam}]\n"
             "solver: {accuracy: 1e-11}\n",
             share * exact);
    cn_scene_trial run =
        cn_scene_trial_run(book, text, 1e-11, (const char *[CN_SCENE_SET_MAX]){NULL});
    double way = cn_scene_trial_last(&run, "series/dam.largest");
    cn_scene_trial_end(&run);
    return way;
}

// A block on its bed, with joints that are open to the water.
static void check_weight(cn_book *book, int dim)
{
    char text[900];
    const char *up = dim == 2 ? "y" : "z";
    snprintf(text, sizeof text,
             "cairn: 1\ndimension: %d\ngravity: [0, %s-9.81]\nmaterials: {m: {density: 2400}}\n"
             "laws: {dry: {type: coulomb, friction: 0.6}}\n"
             "contacts: [{between: [any, any], law: dry}]\n"
             "bodies:\n"
             "  bed: {shape: {%s: {}}, fixed: true}\n"
             "  block: {shape: {box: [%s]}, at: [0, %s0.25], material: m}\n"
             "stages: [{step: 1e-3, duration: 0.05, force: {block: {water: {level: 3, "
             "open_joints: true}}}}]\n"
             "observe: [{name: foot, resultant: [block, bed]}]\n"
             "solver: {accuracy: 1e-12}\n",
             dim, dim == 2 ? "" : "0, ", dim == 2 ? "half_plane" : "half_space",
             dim == 2 ? "0.4, 0.5" : "0.4, 0.7, 0.5", dim == 2 ? "" : "0, ");
    double V = dim == 2 ? 0.4 * 0.5 : 0.4 * 0.7 * 0.5, exact = (STONE - WATER) * V * CN_G;
    cn_scene_trial run =
        cn_scene_trial_run(book, text, 1e-12, (const char *[CN_SCENE_SET_MAX]){NULL});
    double foot = cn_scene_trial_last(&run, cn_name(book, "series/foot.f%s", up));
    cn_check_rel(book, cn_name(book, "%dD: weight under water [N]", dim), foot, exact, 1e-9);
    cn_scene_trial_end(&run);
}

void cn_case_B41(cn_book *book)
{
    double turns = cbrt(3.0 * STONE * WIDTH * WIDTH * HEIGHT / WATER);
    double slides = sqrt(2.0 * 0.6 * STONE * WIDTH * HEIGHT / WATER);
    for (int dim = 2; dim <= 3; dim++) {
        check_depth(book, "turns", dim, 2.0, "", turns);
        check_depth(book, "slides", dim, 0.6,
                    dim == 2 ? ", fixed: [rotation]" : ", fixed: [rx, ry, rz]", slides);
        check_weight(book, dim);
    }
    cn_check(book, "2D: way in 3 s, 0.1 % below the depth [m]", way_at(book, 0.999, turns), 0.0,
             1e-6);
    cn_check_true(book, "2D: it has gone over by more than 5 mm, 0.1 % above",
                  way_at(book, 1.001, turns) > 5e-3);
}
