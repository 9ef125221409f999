// validation/c31_fields.c -- C31: fields by coarse graining obey the balance of momentum.
//
// Question: do density, stress and force of walls of a settled packing obey div s = rho g + w at
// every point, whatever the width of the kernel, and do their integrals give back the masses and
// the moments of the forces? Reference: Newton's law of every grain. Source: Goldhirsch 2010,
// identities derived (theory chapter 14).
#include <math.h>
#include <stdlib.h>

#include "builders.h"
#include "table.h"

enum { ROWS = 10, COLUMNS = 20, GRAINS = ROWS * COLUMNS };
static const double DIAMETER = 0.02, H = 1e-3;

static cn_trial settle(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    def.solver.eps_v = def.solver.tol = 1e-3;
    cn_trial t = cn_trial_begin(book, &def);
    uint64_t seed = 31;
    cn_trial_coulomb(&t, 0.5, 0.0);
    cn_build_bin(&t, 0.55 * COLUMNS * DIAMETER, (double[3]){0.0, 0.0, 0.0});
    for (int k = 0; k < GRAINS; k++) {
        double stagger = k / COLUMNS % 2 == 0 ? 0.2 : -0.2, jitter = 0.05 * cn_random(&seed);
        double x = (k % COLUMNS - 0.5 * (COLUMNS - 1) + stagger + jitter) * 1.05 * DIAMETER;
        double y = (k / COLUMNS + 0.6) * 1.05 * DIAMETER;
        cn_build_disk(&t, 0.5 * DIAMETER * (0.8 + 0.2 * cn_random(&seed)),
                      (cn_body_def){.density = 2600.0, .at = {x, y}});
    }
    cn_trial_run(&t, H, 1500);
    cn_solver_def solver = def.solver;
    solver.eps_v = solver.tol = 1e-10;
    cn_error err;
    cn_trial_ok(&t, t.is_broken ? CN_OK : cn_world_set_solver(t.world, &solver, &err), &err);
    cn_trial_run(&t, H, 50);
    return t;
}

static cn_field_values field_at(const cn_sample *s, double width, double x, double y)
{
    const cn_grid point = {.low = {x, y}, .step = {1.0, 1.0, 1.0}, .count = {1, 1, 1}};
    cn_field_values f = {.density = NAN};
    cn_coarse_grain(s, width, &point, &f, NULL);
    return f;
}

// Central differences of order 6 of column d of the stress, at distances of 0.02 widths.
static void divergence(const cn_sample *s, double width, double x, double y, double div[2])
{
    static const double weight[3] = {0.75, -0.15, 1.0 / 60.0};
    const double step = 0.02 * width;
    div[0] = div[1] = 0.0;
    for (int d = 0; d < 2; d++) {
        for (int k = 1; k <= 3; k++) {
            double dx = d == 0 ? k * step : 0.0, dy = d == 1 ? k * step : 0.0;
            cn_field_values a = field_at(s, width, x + dx, y + dy);
            cn_field_values b = field_at(s, width, x - dx, y - dy);
            for (int row = 0; row < 2; row++) {
                div[row] +=
                    weight[k - 1] * (a.contact[3 * row + d] - b.contact[3 * row + d]) / step;
            }
        }
    }
}

// Largest miss of the balance at points all over the packing and beyond, over rho g of the grains.
static double worst_miss(const cn_sample *s, double width)
{
    double most = 0.0;
    for (int n = 0; n < 77; n++) {
        double x = (n % 11 - 5) * 0.11 * COLUMNS * DIAMETER, y = (n / 11 - 1) * 2.0 * DIAMETER;
        cn_field_values f = field_at(s, width, x, y);
        double div[2];
        divergence(s, width, x, y, div);
        most = fmax(most, fabs(div[0] - f.wall[0]));
        most = fmax(most, fabs(div[1] - f.wall[1] + CN_G * f.density));
    }
    return most / (2600.0 * CN_G);
}

// Sums over a grid that reaches beyond all kernels: exact for such a function but for rounding.
static void check_sums(cn_book *book, const cn_sample *s, double width)
{
    enum { SIDE = 120 };
    const double step = 0.5 * width;
    cn_grid grid = {.low = {-0.5 * SIDE * step, -0.4 * SIDE * step},
                    .step = {step, step, 1.0},
                    .count = {SIDE, SIDE, 1}};
    cn_field_values *f = calloc((size_t)SIDE * SIDE, sizeof *f);
    cn_error err = {0};
    if (f == NULL || cn_coarse_grain(s, width, &grid, f, &err) != CN_OK) {
        cn_book_failure(book, f == NULL ? "no memory for a grid" : err.text);
        free(f);
        return;
    }
    double mass = 0.0, sum = 0.0, out[CN_ANALYSIS_MOST], param = 1.0, stress[2] = {0.0, 0.0};
    cn_sample of_one = *s;
    of_one.param = &param; // a volume of 1, so that the stress is the sum of its moments
    cn_analysis_named("stress")->find(&of_one, out);
    for (int i = 0; i < s->body_count; i++) {
        mass += s->is_in[i] ? s->mass[i] : 0.0;
    }
    for (int n = 0; n < SIDE * SIDE; n++) {
        sum += f[n].density * step * step;
        stress[0] += f[n].contact[0] * step * step;
        stress[1] += f[n].contact[4] * step * step;
    }
    free(f);
    cn_check_rel(book, "integral of the density [kg/m]", sum, mass, 1e-8);
    cn_check_rel(book, "integral of the stress xx [N]", stress[0], out[0], 1e-8);
    cn_check_rel(book, "integral of the stress yy [N]", stress[1], out[3], 1e-8);
}

void cn_case_C31(cn_book *book)
{
    const double widths[3] = {1.0, 1.5, 4.0}; // diameters
    bool is_in[GRAINS + CN_BIN_WALL_MAX] = {false};
    cn_trial t = settle(book);
    cn_view view = t.is_broken ? (cn_view){0} : cn_world_view(t.world);
    if (view.body_count == 0 || view.body_count > GRAINS + CN_BIN_WALL_MAX) {
        cn_book_failure(book, "there is no packing");
    } else {
        for (int i = 0; i < view.body_count; i++) {
            is_in[i] = view.fixed[i] == 0;
        }
        cn_sample s = cn_sample_of_view(&view);
        s.is_in = is_in;
        for (int k = 0; k < 3; k++) {
            cn_check(book, cn_name(book, "div s - rho g - w over rho g, width %g d", widths[k]),
                     worst_miss(&s, widths[k] * DIAMETER), 0.0, 1e-8);
        }
        check_sums(book, &s, 1.5 * DIAMETER);
    }
    cn_trial_end(&t);
}
