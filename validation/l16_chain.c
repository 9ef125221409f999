// validation/l16_chain.c -- L16: a chain hangs between two points.
//
// Question: how deep does a chain of rigid links hang, and what do its ends pull? Reference: links
// with their weights in the middle, by shooting; the catenary of as many as one likes. Source:
// derived. The chain starts as a V and is slowed down from time to time until it is at rest.
#include <math.h>

#include "builders.h"
#include "table.h"

static const double H = 2e-3, LENGTH = 10.0, SPAN = 8.0, PER_LENGTH = 2.0;
enum { LINK_MAX = 40 };

typedef struct chain {
    cn_trial trial;
    int count;
    cn_body_id link[LINK_MAX];
    cn_joint_id end; // that holds the first link
} chain;

static chain make_chain(cn_book *book, int count)
{
    const double l = LENGTH / count, c = SPAN / LENGTH, s = sqrt(1.0 - c * c);
    cn_world_def def = cn_trial_def();
    def.theta = 1.0;
    def.solver.method = CN_METHOD_AUTO;
    chain x = {.trial = cn_trial_begin(book, &def), .count = count};
    cn_trial_law(&x.trial, CN_GROUP_ANY, CN_GROUP_ANY, NULL);
    for (int k = 0; k < count; k++) {
        double side = k < count / 2 ? -1.0 : 1.0;
        double way = (k < count / 2 ? k : count - k - 1) + 0.5; // links from its end
        double at[2] = {side * (0.5 * SPAN - way * l * c), -way * l * s};
        x.link[k] = cn_build_box(&x.trial, l, 0.02,
                                 (cn_body_def){.density = PER_LENGTH / 0.02,
                                               .at = {at[0], at[1]},
                                               .angle = side * atan2(s, c)});
        double pin[2] = {side * (0.5 * SPAN - (way + side * 0.5) * l * c),
                         -(way + side * 0.5) * l * s};
        cn_joint_def def_of = {.kind = CN_JOINT_BALL,
                               .body = x.link[k],
                               .other = k > 0 ? x.link[k - 1] : 0,
                               .at = {pin[0], pin[1]}};
        cn_joint_id id = cn_trial_join(&x.trial, &def_of);
        x.end = k == 0 ? id : x.end;
    }
    cn_joint_def last = {.kind = CN_JOINT_BALL, .body = x.link[count - 1], .at = {0.5 * SPAN, 0.0}};
    cn_trial_join(&x.trial, &last);
    return x;
}

static void come_to_rest(chain *x)
{
    for (int n = 0; n < 120 && cn_trial_run(&x->trial, H, 25); n++) {
        for (int k = 0; k < x->count; k++) {
            cn_error err;
            cn_body_state s = cn_trial_state(&x->trial, x->link[k]);
            s.velocity[0] *= 0.5;
            s.velocity[1] *= 0.5;
            s.angular_velocity[2] *= 0.5;
            cn_trial_ok(&x->trial, cn_body_set(x->trial.world, x->link[k], &s, &err), &err);
        }
    }
    cn_trial_run(&x->trial, H, 100);
}

static void hang(cn_book *book, int count, double pull, double sag, double tension)
{
    chain x = make_chain(book, count);
    come_to_rest(&x);
    const double *p = cn_trial_joint(&x.trial, x.end).impulse;
    cn_body_state middle = cn_trial_state(&x.trial, x.link[count / 2]);
    double low = middle.position[1] - 0.5 * LENGTH / count * sin(middle.angle);
    cn_check_rel(book, cn_name(book, "%d links: horizontal pull [N]", count), fabs(p[0]) / H, pull,
                 1e-4);
    cn_check_rel(book, cn_name(book, "%d links: sag [m]", count), -low, sag, 1e-4);
    cn_check_rel(book, cn_name(book, "%d links: pull at the ends [N]", count),
                 hypot(p[0], p[1]) / H, tension, 1e-4);
    cn_check(book, cn_name(book, "%d links: gap of the joints [m]", count),
             cn_world_view(x.trial.world).certificate->joint_gap, 0.0, 1e-9);
    cn_trial_end(&x.trial);
}

void cn_case_L16(cn_book *book)
{
    hang(book, 20, 66.310913, 2.657916, 118.409236);
    hang(book, 40, 66.344128, 2.655259, 118.427840);
}
