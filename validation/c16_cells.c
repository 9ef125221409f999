// validation/c16_cells.c -- C16 to C22: periodic cells of a few disks, and a sheared gas.
//
// Question: do cells of one or two grains carry and move as geometry says? Reference: balance of
// one grain between its images; a hexagonal lattice under three stresses; where it opens; Rowe's
// stress-dilatancy (1962); rows over rows; a straight flight through a cell that is sheared; the
// invariants of a sheared gas.
#include <string.h>

#include "builders.h"
#include "table.h"

#define D 1.0 // diameter [m]

static const double root = 1.7320508075688772;

// A cell of disks of diameter D and density 1, stress in compression; NaN: the rate is 0.
typedef struct cell {
    cn_trial trial;
    cn_cell_control control[CN_CELL_COMPONENT_COUNT];
} cell;

static cell begin(cn_book *book, int dim, double mu, const double C[9], double inertia)
{
    cn_world_def def = cn_trial_def();
    cn_place place = dim == 2 ? cn_place_plane() : cn_place_along_axes(D);
    def.gravity[1] = 0.0;
    cell c = {.trial = cn_trial_begin_at(book, &def, &place)};
    cn_cell_def cell_def = {
        .is_periodic = {true, true, dim == 3}, .inertia = inertia, .may_meet_itself = true};
    memcpy(cell_def.vectors, C, sizeof cell_def.vectors);
    cn_trial_coulomb(&c.trial, mu, 0.0);
    cn_error err;
    cn_trial_ok(&c.trial, cn_world_set_cell(c.trial.world, &cell_def, &err), &err);
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        c.control[k] = (cn_cell_control){.f = cn_constant(0.0)};
    }
    return c;
}

static void press(cell *c, cn_cell_component k, double pressure)
{
    c->control[k] = (cn_cell_control){.is_stress = true, .f = cn_constant(-pressure)};
}

static void strain(cell *c, cn_cell_component k, double rate)
{
    c->control[k] = (cn_cell_control){.f = cn_constant(rate)};
}

static void start(cell *c)
{
    cn_error err;
    cn_trial_ok(&c->trial, cn_world_control_cell(c->trial.world, c->control, &err), &err);
}

static cn_cell_state state_of(const cell *c)
{
    cn_cell_state s = {.is_there = false};
    if (!c->trial.is_broken) {
        cn_world_cell(c->trial.world, &s, NULL);
    }
    return s;
}

// ---- C16, C17: one grain

static void check_square(cn_book *book, int dim)
{
    const double C[9] = {D, 0.0, 0.0, 0.0, D, 0.0, 0.0, 0.0, D}, h = 1e-3;
    cell c = begin(book, dim, 0.3, C, 0.0);
    cn_build_disk(&c.trial, 0.5 * D, (cn_body_def){.density = 1.0, .at = {0.3, 0.6}});
    for (int d = 0; d < dim; d++) {
        press(&c, (cn_cell_component)d, 1.0 + d);
    }
    start(&c);
    cn_trial_run(&c.trial, h, 50);
    cn_view view = c.trial.is_broken ? (cn_view){0} : cn_world_view(c.trial.world);
    cn_check(book, cn_name(book, "contacts, %dD", dim), view.contact_count, dim, 0.0);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        int axis = x->shift[0] != 0 ? 0 : x->shift[1] != 0 ? 1 : 2;
        cn_check(book, cn_name(book, "force along %c, %dD", "xyz"[axis], dim), x->r[0] / h,
                 (1.0 + axis) * pow(D, dim - 1), 1e-10);
        cn_check(book, cn_name(book, "shear across %c, %dD", "xyz"[axis], dim), x->r[1] / h, 0.0,
                 1e-10);
    }
    cn_trial_end(&c.trial);
}

void cn_case_C16(cn_book *book)
{
    check_square(book, 2);
    check_square(book, 3);
}

static void check_hexagon(cn_book *book, double sxx, double syy, double sxy)
{
    const double C[9] = {D, 0.5 * D, 0.0, 0.0, 0.5 * root * D}, h = 1e-3;
    cell c = begin(book, 2, 0.0, C, 0.0);
    cn_build_disk(&c.trial, 0.5 * D, (cn_body_def){.density = 1.0});
    press(&c, CN_CELL_XX, sxx);
    press(&c, CN_CELL_YY, syy);
    press(&c, CN_CELL_XY, sxy);
    start(&c);
    cn_trial_run(&c.trial, h, 50);
    cn_view view = c.trial.is_broken ? (cn_view){0} : cn_world_view(c.trial.world);
    cn_check(book, "contacts", view.contact_count, 3, 0.0);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        bool is_flat = fabs(x->normal[1]) < 0.1;
        double sign = x->normal[0] * x->normal[1] > 0.0 ? 1.0 : -1.0;
        double force =
            is_flat ? D * (3.0 * sxx - syy) / (2.0 * root) : D * (syy / root + sign * sxy);
        int angle = is_flat ? 0 : sign > 0.0 ? 60 : 120;
        cn_check(book, cn_name(book, "force at %d deg, sxx %g syy %g sxy %g", angle, sxx, syy, sxy),
                 x->r[0] / h, force, 1e-9);
    }
    cn_trial_end(&c.trial);
}

void cn_case_C17(cn_book *book)
{
    check_hexagon(book, 1.0, 1.5, 0.2);
    check_hexagon(book, 1.0, 1.0, 0.0);
}

// ---- C18, C19: two grains, hexagonal

static cell hexagon(cn_book *book, double mu, double inertia)
{
    const double C[9] = {D, 0.0, 0.0, 0.0, root * D};
    cell c = begin(book, 2, mu, C, inertia);
    cn_build_disk(&c.trial, 0.5 * D, (cn_body_def){.density = 1.0, .at = {0.1, 0.1}});
    cn_build_disk(&c.trial, 0.5 * D,
                  (cn_body_def){.density = 1.0, .at = {0.1 + 0.5 * D, 0.1 + 0.5 * root * D}});
    press(&c, CN_CELL_XX, 1.0);
    press(&c, CN_CELL_XY, 0.0);
    return c;
}

// Widening of the cell under such a stress [-].
static double widening(cn_book *book, double mu, double syy)
{
    cell c = hexagon(book, mu, 1e-2);
    press(&c, CN_CELL_YY, syy);
    start(&c);
    cn_trial_run(&c.trial, 1e-3, 200);
    double width = state_of(&c).vectors[0] / D - 1.0;
    cn_trial_end(&c.trial);
    return width;
}

void cn_case_C18(cn_book *book)
{
    const double mu[4] = {0.0, 0.1, 0.2, 0.4};
    cn_check(book, "widening at syy 2.99 sxx, mu 0", widening(book, 0.0, 2.99), 0.0, 1e-8);
    cn_check_least(book, "widening at syy 3.01 sxx, mu 0", widening(book, 0.0, 3.01), 1e-6);
    for (int k = 1; k < 4; k++) {
        double limit = root * tan(cn_degrees(60.0) + atan(mu[k]));
        cn_check(book, cn_name(book, "widening at 0.99 of the limit, mu %g", mu[k]),
                 widening(book, mu[k], 0.99 * limit), 0.0, 1e-8);
        cn_check_least(book, cn_name(book, "widening at 1.01 of the limit, mu %g", mu[k]),
                       widening(book, mu[k], 1.01 * limit), 1e-6);
    }
}

static void check_rowe(cn_book *book, double mu, double angle)
{
    const double rate = 2e-4, h = 0.05;
    double end = cn_degrees(angle), time = log(root / (2.0 * sin(end))) / rate;
    cell c = hexagon(book, mu, 1e-2);
    strain(&c, CN_CELL_YY, -rate);
    start(&c);
    double ratio = 0.0, dilatancy = 0.0, exact = 0.0, exact_dilatancy = 0.0, width = 0.0;
    int64_t steps = (int64_t)(time / h), averaged = 100;
    for (int64_t n = 0; n < steps && cn_trial_step(&c.trial, h); n++) {
        cn_cell_state s = state_of(&c);
        double alpha = asin(s.vectors[4] / (2.0 * D));
        if (n >= steps - averaged) {
            ratio += s.carried[4] / s.carried[0] / (double)averaged;
            dilatancy += s.gradient[0] / rate / (double)averaged;
            exact += tan(alpha) * tan(alpha + atan(mu)) / (double)averaged;
            exact_dilatancy += tan(alpha) * tan(alpha) / (double)averaged;
            width = s.vectors[0] / (2.0 * D * cos(alpha)) - 1.0;
        }
    }
    cn_check_rel(book, cn_name(book, "syy/sxx, mu %g, %.1f deg", mu, angle), ratio, exact, 2e-4);
    cn_check_rel(book, cn_name(book, "dilatancy, mu %g, %.1f deg", mu, angle), dilatancy,
                 exact_dilatancy, 2e-4);
    cn_check(book, cn_name(book, "width, mu %g, %.1f deg", mu, angle), width, 0.0, 2e-5);
    cn_trial_end(&c.trial);
}

void cn_case_C19(cn_book *book)
{
    check_rowe(book, 0.0, 51.5925);
    check_rowe(book, 0.2, 58.0897);
    check_rowe(book, 0.2, 54.6459);
    check_rowe(book, 0.4, 58.0897);
    check_rowe(book, 0.4, 56.3118);
}

// ---- C20, C21

void cn_case_C20(cn_book *book)
{
    const double C[9] = {D, -0.5 * D, 0.0, 0.0, 0.5 * root * D}, h = 0.02;
    cell c = begin(book, 2, 0.0, C, 0.0);
    cn_build_disk(&c.trial, 0.5 * D, (cn_body_def){.density = 1.0});
    strain(&c, CN_CELL_XY, 1e-3);
    press(&c, CN_CELL_YY, 1.0);
    start(&c);
    double height = 0.0, ratio = 0.0;
    cn_cell_state s = state_of(&c);
    double first = s.vectors[4];
    for (int n = 0; s.vectors[1] < -0.316228 && cn_trial_step(&c.trial, h); n++) {
        s = state_of(&c);
        double y = sqrt(D * D - s.vectors[1] * s.vectors[1]);
        height = fmax(height, fabs(s.vectors[4] - y));
        if (n > 100) { // the cell has begun to move by then
            ratio = fmax(ratio, fabs(s.carried[1] / s.carried[4] - s.vectors[1] / y));
        }
    }
    cn_view view = c.trial.is_broken ? (cn_view){0} : cn_world_view(c.trial.world);
    double work = c.trial.is_broken ? NAN : -view.ledger->total[CN_ENERGY_DRIVE];
    cn_check(book, "height off the circle", height, 0.0, 1e-5);
    cn_check(book, "shear stress off the line of centres", ratio, 0.0, 1e-4);
    cn_check(book, "|sxy|/syy at the end", fabs(s.carried[1] / s.carried[4]), 1.0 / 3.0, 1e-4);
    cn_check(book, "work of shear over change of area", work / (D * (s.vectors[4] - first)), 1.0,
             1e-4);
    cn_trial_end(&c.trial);
}

void cn_case_C21(cn_book *book)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0}, rate = 2.0;
    cell c = begin(book, 2, 0.3, C, 0.0);
    cn_body_def body = {.density = 1.0, .at = {0.5, 0.5}, .velocity = {0.3 - rate * 0.5, 0.7}};
    cn_body_id disk = cn_build_disk(&c.trial, 0.025, body);
    strain(&c, CN_CELL_XY, rate);
    start(&c);
    cn_trial_run(&c.trial, 1e-2, 1000);
    double place[3] = {NAN, NAN, NAN};
    if (!c.trial.is_broken) {
        cn_world_unwrapped(c.trial.world, 0, place, NULL);
    }
    cn_body_state s = cn_trial_state(&c.trial, disk);
    cn_check(book, "x after 10 s", place[0], 3.5, 1e-11);
    cn_check(book, "y after 10 s", place[1], 7.5, 1e-11);
    cn_check(book, "velocity along x relative to the cell", s.velocity[0], 0.3 - 2.0 * 7.5, 1e-11);
    cn_check(book, "velocity along y", s.velocity[1], 0.7, 1e-11);
    cn_trial_end(&c.trial);
}

// ---- C22

static void check_gas(cn_book *book, int dim, int side, double fill, int steps)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, h = 1e-3;
    int count = dim == 2 ? side * side : side * side * side;
    double radius = dim == 2 ? sqrt(fill / (CN_PI * count)) : cbrt(0.75 * fill / (CN_PI * count));
    cell c = begin(book, dim, 0.3, C, 0.0);
    uint64_t seed = 22;
    double sum[3] = {0.0}, v[3];
    for (int k = 0; k < count; k++) {
        cn_body_def body = {.density = 1.0};
        for (int d = 0, cut = 1; d < dim; d++, cut *= side) {
            body.at[d] = (k / cut % side + 0.5) / side;
            v[d] = k == count - 1 ? -sum[d] : cn_random(&seed) - 0.5;
            sum[d] += v[d];
            body.velocity[d] = v[d];
        }
        cn_build_disk(&c.trial, radius, body);
    }
    strain(&c, CN_CELL_XY, 2.0);
    start(&c);
    double power = 0.0, scale = 0.0, left = 0.0, all = 0.0;
    for (int n = 0; n < steps && cn_trial_step(&c.trial, h); n++) {
        cn_cell_state s = state_of(&c);
        double work = -cn_world_view(c.trial.world).ledger->step[CN_ENERGY_DRIVE];
        power = fmax(power, fabs(work - s.volume * s.carried[1] * 2.0 * h));
        scale = fmax(scale, fabs(work));
    }
    cn_view view = c.trial.is_broken ? (cn_view){0} : cn_world_view(c.trial.world);
    int dof = dim == 2 ? 3 : 6;
    for (int d = 0; d < dim; d++) {
        double momentum = 0.0;
        for (int i = 0; i < view.body_count; i++) {
            momentum += view.mass[i] * view.v[dof * i + d];
            all += view.mass[i] * fabs(view.v[dof * i + d]);
        }
        left = fmax(left, fabs(momentum));
    }
    cn_check(book, cn_name(book, "momentum over sum of m |v|, %dD", dim), left / all, 0.0, 1e-12);
    cn_check(book, cn_name(book, "power of shear against stress, %dD", dim), power / scale, 0.0,
             1e-9);
    cn_trial_end(&c.trial);
}

void cn_case_C22(cn_book *book)
{
    bool is_fast = cn_book_is_fast(book);
    check_gas(book, 2, is_fast ? 12 : 22, 0.5, is_fast ? 200 : 2000);
    check_gas(book, 3, is_fast ? 5 : 10, 0.3, is_fast ? 100 : 2000);
}
