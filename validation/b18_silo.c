// validation/b18_silo.c -- B18: what the bottom of a silo carries.
//
// Question: how much of the filled mass reaches the bottom? Reference: all of it between smooth
// walls. Where walls hold with friction mu_w and the bottom gives way, Janssen's law: M_app = M_inf
// (1 - exp(-M/M_inf)) with M_inf = density x width x lambda in the plane, lambda = D / (2 mu_w K),
// and K between 0.4 and 1.1 whatever mu_w. Source: Janssen 1895; Vanel and Clement 1999; Ovarlez et
// al. 2003.
//
// Grains are laid in from the lowest place up, so that little is left to settle; then the bottom
// goes down by 1e-3 grains per step, and once it has gone far enough for the walls to hold all they
// can the base force is taken in the mean of the rest of the way.
#include "builders.h"
#include "table.h"

#define GRAIN 0.01         // largest diameter [m]
#define WIDTH (30 * GRAIN) // [m]
#define STEP 1e-3          // [s]
#define HEIGHT_COUNT 4

typedef struct silo {
    cn_trial trial;
    cn_body_id bottom;
    double mass; // of the grains [kg]
} silo;

// Bottom, two walls and `count` grains of 0.8 to 1 times the largest diameter.
static silo begin(cn_book *book, double mu_wall, int count, cn_method method, double accuracy)
{
    char text[1536];
    snprintf(text, sizeof text,
             "cairn: 1\n"
             "dimension: 2\n"
             "materials: {grain: 1000}\n"
             "laws:\n"
             "  inside: {type: coulomb, friction: 0.5}\n"
             "  wall: {type: coulomb, friction: %.17g}\n"
             "contacts:\n"
             "  - {between: [left, any], law: wall}\n"
             "  - {between: [right, any], law: wall}\n"
             "  - {between: [any, any], law: inside}\n"
             "bodies:\n"
             "  bottom: {shape: {half_plane: {}}, fixed: true}\n"
             "  left: {shape: {half_plane: {}}, at: [%.17g, 0], angle: %.17g, fixed: true}\n"
             "  right: {shape: {half_plane: {}}, at: [%.17g, 0], angle: %.17g, fixed: true}\n"
             "  grains:\n"
             "    generate:\n"
             "      pack:\n"
             "        inside: {box: [%.17g, %.17g]}\n"
             "        shape: {disk: {radius: {uniform: [%.17g, %.17g]}}}\n"
             "        count: %d\n"
             "        method: dense\n"
             "        seed: 5\n"
             "    at: [0, %.17g]\n"
             "    material: grain\n"
             "stages: [{name: fill, step: 1e-3, duration: 1}]\n",
             mu_wall, -0.5 * WIDTH, -0.5 * CN_PI, 0.5 * WIDTH, 0.5 * CN_PI, WIDTH, 7.5 * WIDTH,
             0.4 * GRAIN, 0.5 * GRAIN, count, 3.75 * WIDTH);
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = method;
    solver.eps_v = accuracy;
    solver.tol = 1e-2;
    silo s = {.trial = cn_trial_begin_scene(book, text, &solver)};
    cn_view view = s.trial.is_broken ? (cn_view){0} : cn_world_view(s.trial.world);
    for (int i = 0; i < view.body_count; i++) {
        s.bottom = i == 0 ? view.id[0] : s.bottom;
        s.mass += view.fixed[i] == 0 ? view.mass[i] : 0.0;
    }
    return s;
}

// Grains that fill the silo up to `widths` times its width, about.
static int grains_of(double widths)
{
    const double fill = 0.82, radius = 0.45 * GRAIN;
    return (int)lround(fill * widths * WIDTH * WIDTH / (CN_PI * radius * radius));
}

// Momentum upwards of the grains, and their mean height.
static double momentum_of(const silo *s, double *centre)
{
    cn_view view = s->trial.is_broken ? (cn_view){0} : cn_world_view(s->trial.world);
    double sum = 0.0, moment = 0.0;
    for (int i = 0; i < view.body_count; i++) {
        bool is_grain = view.fixed[i] == 0;
        sum += is_grain ? view.mass[i] * view.v[3 * i + 1] : 0.0;
        moment += is_grain ? view.mass[i] * view.q[3 * i + 1] : 0.0;
    }
    *centre = moment / s->mass;
    return sum;
}

// Force on the bottom over g, that is the apparent mass, of the last step.
static double apparent_mass(const silo *s)
{
    return -cn_trial_impulse(&s->trial, s->bottom, NULL).y / (STEP * CN_G);
}

static void check_smooth(cn_book *book)
{
    double centre, worst = 0.0, worst_rest = 0.0;
    silo s = begin(book, 0.0, grains_of(1.0), CN_METHOD_NNCG, 2e-3);
    cn_trial_run(&s.trial, STEP, 1500);
    for (int n = 0; n < 50 && !s.trial.is_broken; n++) {
        double before = momentum_of(&s, &centre);
        cn_trial_step(&s.trial, STEP);
        double gained = (momentum_of(&s, &centre) - before) / (STEP * CN_G);
        double share = apparent_mass(&s) / s.mass;
        worst = fmax(worst, fabs(share - gained / s.mass - 1.0));
        worst_rest = fmax(worst_rest, fabs(share - 1.0));
    }
    cn_check(book, "base force less change of momentum, mu_w 0", worst, 0.0, 1e-6);
    cn_check(book, "base force over weight less 1, mu_w 0", worst_rest, 0.0, 1e-3);
    cn_trial_end(&s.trial);
}

typedef struct filling {
    double mass, apparent; // [kg]
    double density;        // of the bulk [kg/m2]
} filling;

static filling lower(cn_book *book, double widths, double mu_wall)
{
    const int settle = 50, before = 50, count = 100;
    filling f = {0};
    cn_share share[3];
    double centre;
    // Velocities are then wrong by a tenth of that of the bottom at most: at 3e-2 the mean over the
    // way is the same to 1 %, at seven times the cost.
    silo s = begin(book, mu_wall, grains_of(widths), CN_METHOD_AUTO, 0.1);
    cn_trial_run(&s.trial, STEP, settle);
    cn_trial_drive(&s.trial, s.bottom, CN_DRIVE_VELOCITY, cn_v3(0.0, 1.0, 0.0),
                   cn_constant(-1e-3 * GRAIN / STEP), share);
    cn_trial_run(&s.trial, STEP, before);
    for (int n = 0; n < count && cn_trial_step(&s.trial, STEP); n++) {
        f.apparent += apparent_mass(&s) / count;
    }
    momentum_of(&s, &centre);
    double bottom = cn_trial_state(&s.trial, s.bottom).position[1];
    f.mass = s.mass;
    f.density = s.mass / (2.0 * (centre - bottom) * WIDTH);
    cn_trial_end(&s.trial);
    return f;
}

static double janssen(double mass, double limit)
{
    return limit * (1.0 - exp(-mass / limit));
}

static double misfit(const filling *f, double limit)
{
    double sum = 0.0;
    for (int k = 0; k < HEIGHT_COUNT; k++) {
        double miss = f[k].apparent - janssen(f[k].mass, limit);
        sum += miss * miss;
    }
    return sum;
}

// M_inf by least squares: golden section on its logarithm.
static double fit(const filling *f)
{
    const double ratio = 0.5 * (sqrt(5.0) - 1.0);
    double low = log(0.01 * f[0].mass), high = log(100.0 * f[0].mass);
    for (int k = 0; k < 80; k++) {
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        bool is_left = misfit(f, exp(a)) < misfit(f, exp(b));
        low = is_left ? low : a;
        high = is_left ? b : high;
    }
    return exp(0.5 * (low + high));
}

// K of Janssen's law from fillings of several heights.
static double check_janssen(cn_book *book, double mu_wall)
{
    static const double widths[HEIGHT_COUNT] = {1.0, 2.0, 4.0, 6.0};
    filling f[HEIGHT_COUNT];
    double mean = 0.0, spread = 0.0, density = 0.0;
    for (int k = 0; k < HEIGHT_COUNT; k++) {
        f[k] = lower(book, widths[k], mu_wall);
        mean += f[k].apparent / HEIGHT_COUNT;
        density += f[k].density / HEIGHT_COUNT;
    }
    for (int k = 0; k < HEIGHT_COUNT; k++) {
        spread += (f[k].apparent - mean) * (f[k].apparent - mean);
    }
    double limit = fit(f), K = density * WIDTH * WIDTH / (2.0 * mu_wall * limit);
    cn_check_least(book, cn_name(book, "R^2 of Janssen's law, mu_w %g", mu_wall),
                   1.0 - misfit(f, limit) / spread, 0.98);
    cn_check(book, cn_name(book, "K, mu_w %g", mu_wall), K, 0.75, 0.35);
    return K;
}

void cn_case_B18(cn_book *book)
{
    check_smooth(book);
    double rough = check_janssen(book, 0.4), smoother = check_janssen(book, 0.2);
    cn_check(book, "K at mu_w 0.2 over K at mu_w 0.4", smoother / rough, 1.0, 0.15);
}
