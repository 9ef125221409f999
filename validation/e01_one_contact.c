// validation/e01_one_contact.c -- E01: one contact in 2D, all four statuses.
//
// Question: is the local solution exact? Reference: fractions computed by hand for W_tt = 2,
// W_tn = 1/2, W_nn = 1, mu = 1/2. Source: Jean 1999, section 5.2.
#include "table.h"

static const double W[4] = {1.0, 0.5, 0.5, 2.0}; // normal first

static const struct {
    const char *name;
    double u_t, u_n, r_t, r_n, u_t_after;
    cn_contact_status status;
} problem[4] = {
    {"stick", 0.3, -1.0, -16.0 / 35.0, 43.0 / 35.0, 0.0, CN_STATUS_STICK},
    {"slip +", 3.0, -1.0, -2.0 / 3.0, 4.0 / 3.0, 7.0 / 3.0, CN_STATUS_SLIDE},
    {"slip -", -3.0, -1.0, 0.4, 0.8, -1.8, CN_STATUS_SLIDE},
    {"open", 1.0, 0.2, 0.0, 0.0, 1.0, CN_STATUS_OPEN},
};

// The same problem through the local solution and through the solver on stored rows.
void cn_case_E01(cn_book *book)
{
    const cn_core core = {.kind = CN_CORE_CONE, .mu = 0.5};
    const unsigned char kind = CN_CORE_CONE;
    const int row_start[2] = {0, 2}, row[2] = {0, 1}, first[1] = {0};
    cn_solver *solver = NULL;
    bool has_solver = cn_solver_create(NULL, &solver, NULL) == CN_OK;
    for (int k = 0; k < 4; k++) {
        double u_free[2] = {problem[k].u_n, problem[k].u_t}, r[2] = {0.0, 0.0}, u[2];
        cn_contact_status status = cn_core_solve(&core, 2, W, u_free, r);
        cn_check(book, cn_name(book, "r_n, %s", problem[k].name), r[0], problem[k].r_n, 1e-14);
        cn_check(book, cn_name(book, "r_t, %s", problem[k].name), r[1], problem[k].r_t, 1e-14);
        cn_check_true(book, cn_name(book, "status, %s", problem[k].name),
                      status == problem[k].status);

        cn_problem p = {.dim = 2,
                        .contact_count = 1,
                        .row_start = row_start,
                        .W = {.rows = {row, first, first, W}},
                        .u_free = u_free,
                        .kind = &kind,
                        .mu = &core.mu,
                        .r = (double[2]){0.0, 0.0}};
        cn_solver_def def = cn_solver_def_default();
        cn_solver_report report;
        bool is_solved = has_solver && cn_problem_solve(&p, &def, solver, &report, NULL) == CN_OK &&
                         cn_problem_velocity(&p, solver, u, NULL) == CN_OK;
        cn_check(book, cn_name(book, "r_n by the solver, %s", problem[k].name),
                 is_solved ? p.r[0] : NAN, problem[k].r_n, 1e-14);
        cn_check(book, cn_name(book, "u_t by the solver, %s", problem[k].name),
                 is_solved ? u[1] : NAN, problem[k].u_t_after, 1e-14);
    }
    cn_solver_destroy(solver);
}
