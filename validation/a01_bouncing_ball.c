// validation/a01_bouncing_ball.c -- A01, A02: a ball bounces on a plane under the velocity law.
//
// Question: is the scheme the recursion it says it is, and is its energy the predicted one?
// Reference: the scalar recursion v+ = v - g h + r/m, z+ = z + (1-theta) h v + theta h v+, contact
// active when z + (h/2) v <= 0, restitution e; digits computed once from that recursion.
// Source: Dubois and Dureisseix, slides on non-smooth contact dynamics.
#include "builders.h"
#include "table.h"

#define DURATION 2.5 // [s]

static cn_ball drop(cn_book *book, double theta, double e)
{
    cn_world_def def = cn_trial_def();
    def.theta = theta;
    def.gamma = 0.5;
    cn_law_def law = cn_law_coulomb(0.0, e);
    cn_law_set_word(&law, "form", "velocity", NULL);
    return cn_build_ball(book, &def, &law, 1.0, 0.0);
}

typedef struct reference {
    double theta, e;
    int step_count;
    double z, v; // at the end; v is NaN where the source gives none
} reference;

static const reference trajectory[] = {
    {0.5, 0.0, 97, -0.114298809650, 0.0},
    {0.5, 0.9, 97, 0.469652413912, -0.909700515464},
    {0.5, 1.0, 97, 0.361396003826, 3.539690721649},
    {1.0, 0.0, 97, -0.003520565416, 0.0},
    {1.0, 0.9, 97, 0.417091395207, -1.394890979381},
    {1.0, 1.0, 97, 0.817541715379, 2.022680412371},
    {0.5, 0.0, 96, -0.017883300781, NAN},
    {0.5, 0.9, 96, 0.456613311768, NAN},
    {0.5, 1.0, 96, 0.730560302734, NAN},
    {1.0, 0.0, 96, -0.017883300781, NAN},
    {1.0, 0.9, 96, 0.378625488281, NAN},
    {1.0, 1.0, 96, 0.760498046875, NAN},
    {0.5, 0.0, 95, -0.039425207756, NAN},
    {0.5, 0.9, 95, 0.472403389889, NAN},
    {0.5, 1.0, 95, 0.660318559557, NAN},
    {1.0, 0.0, 95, -0.039425207756, NAN},
    {1.0, 0.9, 95, 0.410360574792, NAN},
    {1.0, 1.0, 95, 0.694286703601, NAN},
};

// Counts impacts: steps in which the velocity turns upwards.
static void check_trajectory(cn_book *book, const reference *ref)
{
    double h = DURATION / ref->step_count, tolerance = 1e-11, lowest = 0.0;
    int impact_count = 0;
    cn_ball ball = drop(book, ref->theta, ref->e);
    for (int n = 0; n < ref->step_count; n++) {
        double before = cn_ball_velocity(&ball);
        cn_trial_step(&ball.trial, h);
        impact_count += before < 0.0 && cn_ball_velocity(&ball) > 0.0;
        lowest = fmin(lowest, cn_ball_height(&ball));
    }
    const char *format = "%s, theta %g, e %g, N %d";
    cn_check(book, cn_name(book, format, "z", ref->theta, ref->e, ref->step_count),
             cn_ball_height(&ball), ref->z, tolerance);
    if (!isnan(ref->v)) {
        cn_check(book, cn_name(book, format, "v", ref->theta, ref->e, ref->step_count),
                 cn_ball_velocity(&ball), ref->v, tolerance);
    }
    if (ref->e > 0.0) {
        cn_check(book, cn_name(book, format, "impacts", ref->theta, ref->e, ref->step_count),
                 impact_count, 3.0, 0.0);
    } else {
        cn_check(book, cn_name(book, format, "lowest z", ref->theta, ref->e, ref->step_count),
                 lowest, ref->z, tolerance);
    }
    cn_trial_end(&ball.trial);
}

void cn_case_A01(cn_book *book)
{
    for (size_t k = 0; k < sizeof trajectory / sizeof trajectory[0]; k++) {
        check_trajectory(book, &trajectory[k]);
    }
}

// Largest departure of the energy from the predicted one: free flight changes it by
// -(theta - 1/2) m g^2 h^2, an impact of the elastic ball by (2 theta - 1) m g h |v|.
static double energy_departure(cn_book *book, double theta, double *ratio)
{
    const int step_count = 97;
    const double h = DURATION / step_count;
    cn_ball ball = drop(book, theta, 1.0);
    double start = cn_ball_energy(&ball), predicted = start, departure = 0.0;
    for (int n = 0; n < step_count; n++) {
        double before = cn_ball_velocity(&ball);
        cn_trial_step(&ball.trial, h);
        bool is_impact = before < 0.0 && cn_ball_velocity(&ball) > 0.0;
        predicted += is_impact ? (2.0 * theta - 1.0) * CN_G * h * fabs(before)
                               : -(theta - 0.5) * CN_G * CN_G * h * h;
        departure = fmax(departure, fabs(cn_ball_energy(&ball) - predicted) / start);
    }
    *ratio = cn_ball_energy(&ball) / start;
    cn_trial_end(&ball.trial);
    return departure;
}

void cn_case_A02(cn_book *book)
{
    double ratio;
    double departure = energy_departure(book, 0.5, &ratio);
    cn_check(book, "energy identity, theta 0.5", departure, 0.0, 1e-12);
    cn_check(book, "E/E0 at the end, theta 0.5", ratio, 1.0, 1e-12);
    departure = energy_departure(book, 1.0, &ratio);
    cn_check(book, "energy identity, theta 1", departure, 0.0, 1e-12);
    cn_check(book, "E/E0 at the end, theta 1", ratio, 1.026065469232, 1e-12);
}
