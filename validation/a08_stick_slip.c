// validation/a08_stick_slip.c -- A08: a block under a sinusoidal force sticks and slips.
//
// Question: are the slip intervals and the drift right? Reference: the piecewise analytic solution
// of m v' = 8 cos t - mu m g sign v. Source: Potra, Anitescu, Gavrea and Trinkle 2006.
#include "builders.h"
#include "table.h"

typedef struct record {
    double x2, x5, x8, v015, v315, v615;
    double slip[8]; // starts and ends of slip [s]
    int slip_count;
} record;

static record shake(cn_book *book, double theta, double h)
{
    record r = {0};
    cn_world_def def = cn_trial_def();
    def.theta = theta;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.8, 0.0);
    cn_body_id block = cn_build_box_on_plane(&t, 0.3, 0.1, 1.0 / 0.03, 0.0, 0.0, 0.0);
    cn_force_def push = {.body = block,
                         .direction = {1.0, 0.0, 0.0},
                         .f = {.kind = CN_FUNCTION_COSINE, .a = 8.0, .w = 1.0, .r0 = 1.0}};
    cn_error err;
    cn_trial_ok(&t, t.is_broken ? CN_OK : cn_force_add(t.world, &push, &err), &err);
    bool is_slipping = false;
    for (int n = 1; n <= (int)lround(10.0 / h) && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, block);
        double time = n * h, x = s.position[0], v = s.velocity[0];
        double *at[6] = {&r.v015, &r.x2, &r.v315, &r.x5, &r.v615, &r.x8};
        const double when[6] = {0.15, 2.0, 3.15, 5.0, 6.15, 8.0};
        for (int k = 0; k < 6; k++) {
            if (fabs(time - when[k]) < 0.5 * h) {
                *at[k] = k % 2 == 0 ? v : x;
            }
        }
        if ((fabs(v) > 1e-9) != is_slipping && r.slip_count < 8) {
            is_slipping = !is_slipping;
            r.slip[r.slip_count++] = time;
        }
    }
    cn_trial_end(&t);
    return r;
}

static void check_record(cn_book *book, const record *r, double theta)
{
    const double x_tol = theta < 1.0 ? 1e-5 : 4e-5, v_tol = 1e-3;
    cn_check(book, cn_name(book, "x(2), theta %g", theta), r->x2, 0.004348569727, x_tol);
    cn_check(book, cn_name(book, "x(5), theta %g", theta), r->x5, -0.008697166885, x_tol);
    cn_check(book, cn_name(book, "x(8), theta %g", theta), r->x8, 0.004348569727, x_tol);
    cn_check(book, cn_name(book, "v(0.15), theta %g", theta), r->v015, 0.018305059789, v_tol);
    cn_check(book, cn_name(book, "v(3.15), theta %g", theta), r->v315, -0.021049450900, v_tol);
    cn_check(book, cn_name(book, "v(6.15), theta %g", theta), r->v615, 0.002675346515, v_tol);
}

void cn_case_A08(cn_book *book)
{
    static const double slip[8] = {0.0,      0.338608, 2.946347, 3.532835,
                                   6.087939, 6.674427, 9.229532, 9.816020};
    record r = shake(book, 0.5, 1e-3);
    check_record(book, &r, 0.5);
    for (int k = 0; k < 8; k++) {
        cn_check(book, cn_name(book, "%s of slip %d", k % 2 == 0 ? "start" : "end", k / 2 + 1),
                 r.slip[k], slip[k], 3e-3);
    }
    r = shake(book, 1.0, 1e-3);
    check_record(book, &r, 1.0);
    record fine = shake(book, 1.0, 2.5e-4);
    double ratio = fabs(fine.x5 + 0.008697166885) / fabs(r.x5 + 0.008697166885);
    cn_check(book, "error of x(5), h/4 over h, theta 1", ratio, 0.25, 0.05);
}
