// validation/b10_dome.c -- B10: least thickness of a hemispherical dome cut into lunes.
//
// Question: at which thickness do two opposite lunes, an arch that tapers to a line at its crown,
// no longer stand? Reference: limit analysis with straight-edged stones, N = 40 along the meridian:
// 0.042684; Heyman's 0.042. Source: Heyman 1967, 1977; Lau 2006.
#include "builders.h"
#include "table.h"

#define R_CENTRE 5.0 // [m]
#define STONES 20    // of a lune, from the springing to the crown
#define MU 0.7

// At the crown a stone ends in a face this wide instead of a line, over the thickness.
#define BLADE 0.01

// Corners of a joint: intrados and extrados on both sides of the plane of the meridian, which is
// that of x and y; `from_crown` is its angle, `side` +1 or -1 for the lune of positive or negative
// x.
static void place_joint(double thickness, double from_crown, double side, double *point)
{
    const double half = cn_degrees(5.0);
    for (int n = 0; n < 4; n++) {
        double r = R_CENTRE + (n < 2 ? -0.5 : 0.5) * thickness, x = r * sin(from_crown);
        double wide = fmax(x * tan(half), 0.5 * BLADE * thickness);
        point[3 * n] = side * x;
        point[3 * n + 1] = r * cos(from_crown);
        point[3 * n + 2] = n % 2 == 0 ? wide : -wide;
    }
}

// Two lunes on the plane y = 0; their stones move in the plane of the meridian only.
static void build_lunes(cn_trial *t, double thickness)
{
    const double share = 0.5 * CN_PI / STONES;
    cn_build_plane(t, (cn_body_def){0});
    for (int k = 0; k < 2 * STONES; k++) {
        double side = k < STONES ? 1.0 : -1.0, point[24];
        place_joint(thickness, share * (k % STONES), side, point);
        place_joint(thickness, share * (k % STONES + 1), side, point + 12);
        cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &solid},
                           .density = 2000.0,
                           .fixed = 1u << CN_DOF_Z | 1u << CN_DOF_RX | 1u << CN_DOF_RY};
        cn_trial_add(t, &def);
    }
}

// Speed of the fastest stone after one step from rest, over g h.
static double first_step(cn_book *book, double thickness)
{
    const double h = 1e-3;
    cn_place place = cn_place_along_axes(1.0);
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_trial_coulomb(&t, MU, 0.0);
    build_lunes(&t, thickness * R_CENTRE);
    cn_trial_step(&t, h);
    double speed = cn_trial_speed(&t);
    cn_trial_end(&t);
    return speed / (CN_G * h);
}

void cn_case_B10(cn_book *book)
{
    const double limit = 0.042684;
    cn_bracket t = {0.95 * limit, 1.05 * limit};
    cn_check_true(book, "falls at 0.95 of the limit", first_step(book, t.low) > 1e-6);
    cn_check_true(book, "stands at 1.05 of the limit", first_step(book, t.high) < 1e-6);
    for (int k = 0; k < 11; k++) {
        t = cn_halve(t, first_step(book, cn_middle(t)) < 1e-6);
    }
    cn_check_rel(book, "least t/R, N 40, straight-edged stones", cn_middle(t), limit, 0.02);
}
