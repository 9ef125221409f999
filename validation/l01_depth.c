// validation/l01_depth.c -- L01: no law lets bodies through.
//
// Question: whatever the law, how deep is a disk that circles inside a drum, a square that rolls
// down a slope, a box that drops flat, and does a thin wall stop what is fast? Reference: what a
// straight step cuts off a circle, (v h)^2/(2 (R - r)), twice; springs give besides, by the
// centripetal force, m v^2/((R - r) k), and by a blow, v sqrt(m/k) and the way v h of the step in
// which it comes. Source: derived. All laws of the table are run, also those added later.
#include <math.h>
#include <string.h>

#include "builders.h"
#include "table.h"

static const double STIFF = 1e9; // [N/m]

static bool is_name(const cn_param *param, const char *name)
{
    return strcmp(param->name, name) == 0;
}

// Without cohesion and bonds; what must be given is stiff.
static cn_law_def law_at(int k, double mu)
{
    const cn_law_type *type = cn_law_type_at(k);
    cn_law_def law = cn_law_default(type->name);
    for (int p = 0; p < type->param_count; p++) {
        const cn_param *param = &type->param[p];
        double value = is_name(param, "young") ? 210e9 : param->least;
        value = strcmp(param->unit, "N/m") == 0 || strcmp(param->unit, "Pa/m") == 0 ? STIFF : value;
        if (isnan(law.param[p])) {
            law.param[p] = value;
        }
        if (is_name(param, "friction")) {
            law.param[p] = mu;
        }
        if (is_name(param, "area")) {
            law.param[p] = 1.0; // [m2]: stiffness per area is stiffness
        }
        if (is_name(param, "bond")) {
            cn_law_set_word(&law, "bond", "off", NULL);
        }
    }
    return law;
}

// Whether it has a spring that is pressed; its stiffness is STIFF, or that of steel balls.
static bool is_spring(int k)
{
    static const char *const name[] = {"elastic", "viscoelastic", "compliant", "hertz", "crush"};
    bool is_one = false;
    for (int n = 0; n < (int)(sizeof name / sizeof *name); n++) {
        is_one = is_one || strcmp(cn_law_type_at(k)->name, name[n]) == 0;
    }
    return is_one;
}

static cn_trial begin(cn_book *book, const cn_place *place, int law, double mu, double g)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = -g;
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_law_def of = law_at(law, mu);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &of);
    return t;
}

// Depth over what is allowed, the worst of all steps.
static double circle(cn_book *book, int law, double v, int steps)
{
    const double outer = 1.0, r = 0.1, h = 1e-3;
    cn_place plane = cn_place_plane();
    cn_trial t = begin(book, &plane, law, 0.0, 0.0);
    cn_shape_def drum = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = outer, .thickness = 0.1};
    cn_body_def def = {.shapes = {1, &drum}, .density = 1000.0, .fixed = CN_FIXED_ALL};
    cn_trial_add(&t, &def);
    cn_body_id disk = cn_build_disk(
        &t, r, (cn_body_def){.density = 1000.0, .at = {outer - r, 0.0}, .velocity = {0.0, v}});
    double chord = v * h * v * h / (2.0 * (outer - r)), deepest = 0.0;
    double spring = cn_trial_state(&t, disk).mass * v * v / ((outer - r) * STIFF);
    for (int n = 0; n < steps && cn_trial_step(&t, h); n++) {
        const double *x = cn_trial_state(&t, disk).position;
        deepest = fmax(deepest, hypot(x[0], x[1]) - (outer - r));
    }
    cn_trial_end(&t);
    return deepest / (2.0 * chord + (is_spring(law) ? spring : 0.0));
}

// Deepest corner of a square, over the chord of its turn and what its spring gives.
static double roll(cn_book *book, int law)
{
    const double side = 0.2, slope = cn_degrees(20.0), h = 1e-3;
    cn_place plane = cn_place_plane();
    cn_trial t = begin(book, &plane, law, 1.0, CN_G);
    cn_build_plane(&t, (cn_body_def){.angle = -slope});
    cn_body_id box = cn_build_box(
        &t, side, side,
        (cn_body_def){.density = 1000.0,
                      .at = {side * sin(slope), side * cos(slope)}, // thrown from above it
                      .angle = -slope,
                      .velocity = {15.0 * cos(slope), -15.0 * sin(slope)},
                      .angular_velocity[2] = -100.0});
    double worst = 0.0, r = side * sqrt(0.5), way = 0.0;
    double fastest = 0.0, turning = 0.0;
    for (int n = 0; n < 8000 && way < 10.0 && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, box);
        double height = INFINITY;
        for (int corner = 0; corner < 4; corner++) {
            double a = s.angle + slope + CN_PI * (0.25 + 0.5 * corner);
            height = fmin(height, r * sin(a));
        }
        double up = s.position[0] * sin(slope) + s.position[1] * cos(slope);
        way = s.position[0] * cos(slope) - s.position[1] * sin(slope);
        fastest = fmax(fastest, hypot(s.velocity[0], s.velocity[1]));
        turning = fmax(turning, fabs(s.angular_velocity[2]));
        double chord = turning * h * turning * h * r / 2.0;
        double spring = is_spring(law) ? fastest * (sqrt(s.mass / STIFF) + h) : 0.0;
        worst = fmax(worst, -(up + height) / (2.0 * chord + spring + 1e-9 * side));
    }
    cn_trial_end(&t);
    return worst;
}

// Whether a disk of 1 cm at 100 m/s passes a wall of 1 mm, from ten distances.
static bool passes_wall(cn_book *book, int law)
{
    bool passes = false;
    cn_place plane = cn_place_plane();
    for (int start = 0; start < 10; start++) {
        cn_trial t = begin(book, &plane, law, 0.0, 0.0);
        cn_build_box(&t, 1.0, 1e-3, (cn_body_def){.density = 1000.0, .fixed = CN_FIXED_ALL});
        cn_body_id disk = cn_build_disk(&t, 0.005,
                                        (cn_body_def){.density = 1000.0,
                                                      .at = {0.0, 0.5 + 0.01 * start},
                                                      .velocity = {0.0, -100.0}});
        for (int n = 0; n < 20 && cn_trial_step(&t, 1e-3); n++) {
            passes = passes || !(cn_trial_state(&t, disk).position[1] > 0.0);
        }
        cn_trial_end(&t);
    }
    return passes;
}

// A box that drops flat from 0.1 m on the four corners of its face.
static double drop(cn_book *book, int law)
{
    const double side = 0.2, fall = 0.1, h = 1e-3;
    cn_place space = cn_place_along_axes(side);
    cn_trial t = begin(book, &space, law, 0.5, CN_G);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id box = cn_build_box(&t, side, side,
                                  (cn_body_def){.density = 1000.0, .at = {0.0, 0.5 * side + fall}});
    double deepest = 0.0, v = sqrt(2.0 * CN_G * fall);
    double give = is_spring(law) ? v * (sqrt(cn_trial_state(&t, box).mass / STIFF) + h) : 0.0;
    for (int n = 0; n < 500 && cn_trial_step(&t, h); n++) {
        deepest = fmax(deepest, 0.5 * side - cn_trial_state(&t, box).position[1]);
    }
    cn_trial_end(&t);
    return deepest / (1e-9 * side + give);
}

void cn_case_L01(cn_book *book)
{
    static const double speed[3] = {2.0, 10.0, 40.0};
    int steps = cn_book_is_fast(book) ? 500 : 5000;
    for (int k = 0; k < cn_law_type_count(); k++) {
        const char *name = cn_law_type_at(k)->name;
        for (int n = 0; n < 3; n++) {
            double depth = circle(book, k, speed[n], steps);
            cn_check(book, cn_name(book, "%s: drum, %g m/s, depth over limit", name, speed[n]),
                     fmax(depth, 0.0), 0.0, 1.0);
        }
        cn_check(book, cn_name(book, "%s: square on a slope, depth over limit", name),
                 fmax(roll(book, k), 0.0), 0.0, 1.0);
        cn_check_true(book, cn_name(book, "%s: a wall of 1 mm is not passed", name),
                      !passes_wall(book, k));
        cn_check(book, cn_name(book, "%s: flat drop, depth over limit", name),
                 fmax(drop(book, k), 0.0), 0.0, 1.0);
    }
}
