// validation/a05_elastic_ball.c -- A05: a ball bounces on an elastic contact.
//
// Question: what does the elastic repel law return when the step is below or above the contact
// time t_c = 2 pi sqrt(m/k)? Reference: digits of the discrete law at h = 2.5/97 s; continuous
// solution e = 1, deepest point (m g/k)(1 + sqrt(1 + 2 k z0/(m g))); implicit Euler damps to
// exp(-pi^2 h/t_c). Source: Dubois and Dureisseix, slides.
#include "builders.h"
#include "table.h"

typedef struct contact {
    double restitution; // speed after the last active step over speed before the first
    double deepest;     // z of the first contact [m]
    double late_speed;  // largest in the last 0.25 s [m/s]
    double deepest_run; // z of the whole run [m]
} contact;

static contact bounce(cn_book *book, double k, double theta, double h, double duration)
{
    contact c = {0};
    cn_world_def def = cn_trial_def();
    def.theta = theta;
    def.gamma = 0.5;
    cn_law_def law = cn_law_default("elastic");
    cn_law_set(&law, "stiffness", k, NULL);
    cn_law_set_word(&law, "forecast", "yes", NULL);
    cn_ball ball = cn_build_ball(book, &def, &law, 1.0, 0.0);
    double before = 0.0, v = 0.0;
    bool has_touched = false, is_over = false;
    for (int n = 0; n < (int)lround(duration / h); n++) {
        double last = v;
        cn_trial_step(&ball.trial, h);
        v = cn_ball_velocity(&ball);
        double z = cn_ball_height(&ball);
        bool is_active = fabs(v - (last - CN_G * h)) > 1e-12;
        if (is_active && !has_touched) {
            has_touched = true;
            before = last;
        }
        if (has_touched && !is_active && !is_over) {
            is_over = true;
            c.restitution = -last / before;
        }
        c.deepest = is_over ? c.deepest : fmin(c.deepest, z);
        c.deepest_run = fmin(c.deepest_run, z);
        c.late_speed = (n + 1) * h > duration - 0.25 ? fmax(c.late_speed, fabs(v)) : 0.0;
    }
    cn_trial_end(&ball.trial);
    return c;
}

static const double stiffness[3] = {1962.0, 19620.0, 196200.0};         // k/m [1/s2]
static const double depth[3] = {0.105124922, 0.032126729, 0.010050125}; // continuous [m]

static void check_slide_digits(cn_book *book)
{
    static const double restitution[3] = {0.186017573, 0.056928333, 0.007083067};
    static const double deepest[3] = {-0.049624507, -0.008145156, -0.005817403};
    for (int k = 0; k < 3; k++) {
        contact c = bounce(book, stiffness[k], 1.0, 2.5 / 97, 2.5);
        cn_check(book, cn_name(book, "restitution, theta 1, h 2.5/97, k %g", stiffness[k]),
                 c.restitution, restitution[k], 1e-9);
        cn_check(book, cn_name(book, "deepest z, theta 1, h 2.5/97, k %g", stiffness[k]),
                 c.deepest_run, deepest[k], 1e-9);
        if (k == 2) {
            cn_check(book, "deepest z of its first contact", c.deepest, -0.000870335, 1e-9);
            cn_check(book, "late speed over g h, h > t_c", c.late_speed / (CN_G * 2.5 / 97), 0.0,
                     1.0 + 1e-9);
        }
    }
}

static void check_convergence(cn_book *book, int k)
{
    double t_c = 2.0 * CN_PI / sqrt(stiffness[k]), duration = 0.8, error[2];
    for (int n = 0; n < 2; n++) {
        double h = t_c / (50 << n);
        contact c = bounce(book, stiffness[k], 1.0, h, duration);
        error[n] = fabs(-c.deepest - depth[k]);
        cn_check(book, cn_name(book, "restitution, theta 1, h t_c/%d, k %g", 50 << n, stiffness[k]),
                 c.restitution, exp(-CN_PI * CN_PI * h / t_c), 0.008);
        c = bounce(book, stiffness[k], 0.5, h, duration);
        cn_check(book,
                 cn_name(book, "restitution, theta 0.5, h t_c/%d, k %g", 50 << n, stiffness[k]),
                 c.restitution, 1.0, n == 0 ? 0.008 : 0.003);
    }
    cn_check(book, cn_name(book, "error of depth, h/2 over h, k %g", stiffness[k]),
             error[1] / error[0], 0.5, 0.1);
}

void cn_case_A05(cn_book *book)
{
    check_slide_digits(book);
    for (int k = 0; k < 3; k++) {
        check_convergence(book, k);
    }
}
