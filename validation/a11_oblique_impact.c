// validation/a11_oblique_impact.c -- A11: a disk or sphere without spin hits a plane obliquely.
//
// Question: stick or gross slip, and what comes out? Reference: for inertia k m R^2, k = 1/2 in
// the plane and 2/5 in space, slip iff |v_t| > (1 + 1/k) mu (1+e) |v_n|; stick v_t' = R w' =
// v_t/(1+k), slip v_t' = v_t - mu (1+e) |v_n|, R w' = mu (1+e) |v_n|/k.
// Source: Kane; Walton and Braun 1986.
#include "builders.h"
#include "table.h"

typedef struct impact {
    double v_t, v_n, R_w; // after [m/s]
} impact;

static double inertia_factor(const cn_place *place)
{
    return place->dim == 2 ? 0.5 : 0.4;
}

// Starts where the disk just touches at q + gamma h v, so that the arm is the radius.
static impact hit(cn_book *book, const cn_place *place, double v_t, double v_n, double mu, double e)
{
    const double R = 0.1, m = 1.0, h = 1e-4;
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.gamma = 0.5;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, mu, e);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk =
        cn_build_disk(&t, R,
                      (cn_body_def){.mass = m,
                                    .inertia = {0.0, 0.0, inertia_factor(place) * m * R * R},
                                    .at = {0.0, R - def.gamma * h * v_n},
                                    .velocity = {v_t, v_n}});
    cn_trial_step(&t, h);
    cn_body_state s = cn_trial_state(&t, disk);
    cn_trial_end(&t);
    return (impact){s.velocity[0], s.velocity[1], -R * s.angular_velocity[2]};
}

static void check_hit(cn_book *book, const cn_place *place, int number, impact i, impact exact)
{
    const char *name = place->name;
    cn_check(book, cn_name(book, "v_t after, case %d%s", number, name), i.v_t, exact.v_t, 1e-10);
    cn_check(book, cn_name(book, "v_n after, case %d%s", number, name), i.v_n, exact.v_n, 1e-10);
    cn_check(book, cn_name(book, "R w after, case %d%s", number, name), i.R_w, exact.R_w, 1e-10);
}

// The two-branch graph of v_t' over v_t, with its kink at `kink` = (1 + 1/k) mu (1+e) |v_n|.
static double graph_error(cn_book *book, const cn_place *place, double mu, double e, double kink)
{
    double error = 0.0;
    for (int n = -20; n <= 20; n++) {
        double v_t = kink + 0.08 * n, slip = v_t - mu * (1.0 + e);
        double exact = v_t < kink ? v_t / (1.0 + inertia_factor(place)) : slip;
        error = fmax(error, fabs(hit(book, place, v_t, -1.0, mu, e).v_t - exact));
    }
    return error;
}

static void check_hits(cn_book *book, cn_place place, double stuck, double R_w[2], double kink)
{
    check_hit(book, &place, 1, hit(book, &place, 1.0, -2.0, 0.3, 0.8), (impact){stuck, 1.6, stuck});
    check_hit(book, &place, 2, hit(book, &place, 6.0, -2.0, 0.3, 0.8), (impact){4.92, 1.6, R_w[0]});
    check_hit(book, &place, 3, hit(book, &place, 6.0, -2.0, 0.1, 0.5), (impact){5.7, 1.0, R_w[1]});
    cn_check(book, cn_name(book, "graph with its kink at %g, largest error%s", kink, place.name),
             graph_error(book, &place, 0.3, 0.8, kink), 0.0, 1e-10);
}

void cn_case_A11(cn_book *book)
{
    check_hits(book, cn_place_plane(), 2.0 / 3.0, (double[]){2.16, 0.6}, 1.62);
    check_hits(book, cn_place_space(0.0), 5.0 / 7.0, (double[]){2.7, 0.75}, 1.89);
}
