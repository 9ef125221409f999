// validation/b13_wall.c -- B13: a dry wall on a table that is tilted in its plane.
//
// Question: at which slope does it fall, and how? Reference: it slides at mu = 0.3 exactly, and
// rocks at mu = 2, where wall (i) is slender enough to turn as one (w/h of the whole: 0.5). In
// between limit analysis, whose joints dilate as they slide, is an upper bound. Source: Baggio and
// Trovalusci 1998; Restrepo-Velez et al. 2014.
#include "builders.h"
#include "table.h"

#define WIDTH 0.2  // [m]
#define HEIGHT 0.1 // [m]
#define STEP 5e-3  // [s]
#define RATE 0.1   // of the tilt [deg/s]
#define START 0.9  // of the expected tan(tilt)

typedef struct wall {
    int blocks, courses; // in a full course
    const char *name;
} wall;

// Full blocks in the bottom course and every second one above it, halves at the ends of the others.
static void build_wall(cn_trial *t, const wall *w)
{
    cn_build_plane(t, (cn_body_def){0});
    for (int course = 0; course < w->courses; course++) {
        bool is_odd = course % 2 == 1;
        for (int k = 0; k < w->blocks + is_odd; k++) {
            bool is_half = is_odd && (k == 0 || k == w->blocks);
            double width = is_half ? 0.5 * WIDTH : WIDTH;
            double left = is_odd && k > 0 ? (k - 0.5) * WIDTH : k * WIDTH;
            cn_build_box(t, width, HEIGHT,
                         (cn_body_def){.density = 2000.0,
                                       .at = {left + 0.5 * width, (course + 0.5) * HEIGHT}});
        }
    }
}

// tan(tilt), raised from START of what is expected.
typedef struct slope {
    double stands; // the last one before the first step that misses its residual or moves a block
    double falls;  // the one at which a block moves
} slope;

static slope collapse(cn_book *book, const wall *w, double mu, double expected, double moving)
{
    const double most = 1.05; // of what is expected
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    build_wall(&t, w);
    double tilt = atan(START * expected), worst = 0.0;
    slope s = {.stands = 0.0};
    int missed = 0;
    while (tan(tilt) < most * expected) {
        cn_trial_gravity(&t, CN_G * sin(tilt), -CN_G * cos(tilt), 0.0);
        if (!cn_trial_step(&t, STEP)) {
            break;
        }
        const cn_certificate *c = cn_world_view(t.world).certificate;
        missed += !c->solver.is_converged;
        worst = fmax(worst, c->solver.residual.err_v);
        if (cn_trial_speed(&t) > moving) {
            break;
        }
        s.stands = missed == 0 ? tan(tilt) : s.stands;
        tilt += cn_degrees(RATE) * STEP;
    }
    s.falls = tan(tilt);
    cn_say(book, "%s, mu %g: stands up to %.6f, moves at %.6f, %d steps miss, the worst at %.1e",
           w->name, mu, s.stands, s.falls, missed, worst);
    cn_trial_end(&t);
    return s;
}

// A fall that a step without an answer brings about does not count: within the same bounds the wall
// was still standing with all residuals met.
static double check_slope(cn_book *book, const wall *w, double mu, double expected, slope s,
                          double least, double most)
{
    cn_check(book, cn_name(book, "tan(tilt) over %g, %s, mu %g", expected, w->name, mu),
             s.falls / expected, 0.5 * (least + most), 0.5 * (most - least));
    cn_check_least(book, cn_name(book, "stands, all residuals met, %s, mu %g", w->name, mu),
                   s.stands / expected, least);
    return s.falls;
}

// At rest blocks move at some 1e-12 m/s. A wall that rocks is not followed: its steps stall.
static void check_exact(cn_book *book, const wall *w, double mu, double limit)
{
    check_slope(book, w, mu, limit, collapse(book, w, mu, limit, 1e-5), 0.99, 1.01);
}

// Between 0.90 and 1.01 of the upper bound.
static double check_between(cn_book *book, const wall *w, double mu, double bound)
{
    return check_slope(book, w, mu, bound, collapse(book, w, mu, bound, 1e-7), 0.90, 1.01);
}

void cn_case_B13(cn_book *book)
{
    static const wall narrow = {3, 12, "3 x 12"}, wide = {5, 10, "5 x 10"};
    check_exact(book, &narrow, 0.3, 0.3);
    check_exact(book, &wide, 0.3, 0.3);
    check_exact(book, &narrow, 2.0, 0.5);
    check_exact(book, &wide, 2.0, 0.983082);
    double low = check_between(book, &narrow, 0.6, 0.419697);
    double high = check_between(book, &narrow, 0.75, 0.438011);
    cn_check_true(book, "mu 0.75 is stronger than mu 0.6, 3 x 12", high > low);
    low = check_between(book, &wide, 0.6, 0.523696);
    high = check_between(book, &wide, 0.75, 0.578419);
    cn_check_true(book, "mu 0.75 is stronger than mu 0.6, 5 x 10", high > low);
}
