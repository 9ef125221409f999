// validation/b18_silo.c -- B18: what the bottom of a silo carries.
//
// Question: how much of the filled mass reaches the bottom? Reference: all of it between smooth
// walls. Source: Janssen 1895; Vanel and Clement 1999; Ovarlez et al. 2003.
#include "builders.h"
#include "table.h"

#define GRAIN 0.01         // largest diameter [m]
#define WIDTH (30 * GRAIN) // [m]
#define STEP 1e-3          // [s]
#define MU_GRAIN 0.5

typedef struct silo {
    cn_trial trial;
    cn_body_id bottom;
    double mass; // of the grains [kg]
} silo;

// Grains of 0.8 to 1 times the largest diameter, loosely on a lattice between two walls.
static void fill(cn_trial *t, int grains, double height, double *mass)
{
    uint64_t seed = 5;
    const double pitch = GRAIN, rise = 0.87 * GRAIN;
    const int columns = (int)lround(WIDTH / pitch) - 1;
    *mass = 0.0;
    for (int row = 0; (row + 0.5) * rise < height; row++) {
        for (int k = 0; k < columns; k++) {
            double radius = 0.5 * GRAIN * (0.8 + 0.2 * cn_random(&seed));
            double x = pitch * (k + (row % 2 ? 1.25 : 0.75)) - 0.5 * WIDTH;
            cn_body_id id = cn_build_disk(t, radius,
                                          (cn_body_def){.density = 1000.0,
                                                        .group = grains,
                                                        .at = {x, 0.5 * GRAIN + row * rise}});
            *mass += cn_trial_state(t, id).mass;
        }
    }
}

// Bottom, two walls and a filling of `height`; *s must stay where it is.
static void begin(cn_book *book, double height, double mu_wall, silo *s)
{
    cn_world_def def = cn_trial_def();
    def.solver.eps_v = def.solver.tol = 1e-2;
    s->trial = cn_trial_begin(book, &def);
    cn_trial *t = &s->trial;
    int wall = cn_trial_group(t, "wall"), grains = cn_trial_group(t, "grains");
    cn_law_def on_wall = cn_law_coulomb(mu_wall, 0.0);
    cn_trial_law(t, wall, CN_GROUP_ANY, &on_wall);
    cn_trial_coulomb(t, MU_GRAIN, 0.0);
    s->bottom = cn_build_plane(t, (cn_body_def){0});
    for (int side = -1; side <= 1; side += 2) {
        cn_build_plane(t, (cn_body_def){.group = wall,
                                        .at = {0.5 * side * WIDTH, 0.0},
                                        .angle = 0.5 * side * CN_PI});
    }
    fill(t, grains, height, &s->mass);
}

// Momentum and mean height of the grains.
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
    silo s;
    double centre, worst = 0.0, worst_rest = 0.0;
    begin(book, WIDTH, 0.0, &s);
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

void cn_case_B18(cn_book *book)
{
    check_smooth(book);
}
