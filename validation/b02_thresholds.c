// validation/b02_thresholds.c -- B02: a block on a base that starts to accelerate.
//
// Question: does it rock or slip, and from which acceleration on? Reference: rocks iff a/g > b/h
// and mu > b/h (West), slips iff a/g > mu and mu < b/h. Source: West (Milne 1885); Housner 1963.
#include "builders.h"
#include "table.h"

typedef struct response {
    double turn; // [rad]
    double slip; // way of the block relative to the base, without what turning explains [m]
} response;

static response accelerate(cn_book *book, const cn_place *place, double slenderness, double mu,
                           double a)
{
    const double height = 0.8, width = slenderness * height, h = 1e-3;
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_body_id base = cn_build_plane(&t, (cn_body_def){0});
    cn_body_id block = cn_build_box(&t, width, height,
                                    (cn_body_def){.density = 2000.0, .at = {0.0, 0.5 * height}});
    cn_share share[3];
    cn_trial_drive(&t, base, CN_DRIVE_ACCELERATION, cn_v3(1.0, 0.0, 0.0), cn_constant(a), share);
    cn_trial_run(&t, h, 500);
    cn_body_state s = cn_trial_state(&t, block), ground = cn_trial_state(&t, base);
    cn_trial_end(&t);
    double lean = 0.5 * height * sin(fabs(s.angle)) - 0.5 * width * (1.0 - cos(s.angle));
    return (response){fabs(s.angle), fabs(s.position[0] - ground.position[0] + lean)};
}

static void check_thresholds(cn_book *book, cn_place place)
{
    static const double slenderness[2] = {0.25, 0.5}, friction[2] = {0.7, 0.2};
    for (int k = 0; k < 4; k++) {
        double s = slenderness[k / 2], mu = friction[k % 2], limit = fmin(s, mu) * CN_G;
        response below = accelerate(book, &place, s, mu, 0.995 * limit);
        response above = accelerate(book, &place, s, mu, 1.005 * limit);
        cn_check(book, cn_name(book, "turn + slip below, b/h %g, mu %g%s", s, mu, place.name),
                 below.turn + below.slip, 0.0, 1e-8);
        if (s < mu) {
            cn_check_least(book, cn_name(book, "turn above, b/h %g, mu %g%s", s, mu, place.name),
                           above.turn, 1e-3);
            cn_check(book, cn_name(book, "slip above, b/h %g, mu %g%s", s, mu, place.name),
                     above.slip, 0.0, 1e-5);
        } else {
            double way = 0.5 * 0.005 * limit * 0.25;
            cn_check_rel(book, cn_name(book, "slip above, b/h %g, mu %g%s", s, mu, place.name),
                         above.slip, way, 0.01);
            cn_check(book, cn_name(book, "turn above, b/h %g, mu %g%s", s, mu, place.name),
                     above.turn, 0.0, 1e-8);
        }
    }
}

void cn_case_B02(cn_book *book)
{
    check_thresholds(book, cn_place_plane());
    check_thresholds(book, cn_place_space(0.3));
}
