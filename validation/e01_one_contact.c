// validation/e01_one_contact.c -- E01, E02: one contact in the plane and in space.
//
// Question: is the local solution exact? Reference: in the plane fractions computed by hand for
// W_tt = 2, W_tn = 1/2, W_nn = 1, mu = 1/2; in space the stick solution as a fraction and two
// sliding ones to twelve digits. Source: Jean 1999, section 5.2; computed for this book.
#include "table.h"

// The solver on one contact with stored rows; u gets the velocity.
static bool solve_rows(int dim, const double *W, const double *u_free, double mu, double *r,
                       double *u)
{
    const unsigned char kind = CN_CORE_CONE;
    const int row_start[2] = {0, dim}, row[2] = {0, 1}, first[1] = {0};
    cn_problem p = {.dim = dim,
                    .contact_count = 1,
                    .row_start = row_start,
                    .W = {.rows = {row, first, first, W}},
                    .u_free = u_free,
                    .kind = &kind,
                    .mu = &mu,
                    .r = r};
    cn_solver_def def = cn_solver_def_default();
    cn_solver *solver = NULL;
    cn_solver_report report;
    bool is_solved = cn_solver_create(NULL, &solver, NULL) == CN_OK &&
                     cn_problem_solve(&p, &def, solver, &report, NULL) == CN_OK &&
                     report.is_converged && cn_problem_velocity(&p, solver, u, NULL) == CN_OK;
    cn_solver_destroy(solver);
    return is_solved;
}

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
    for (int k = 0; k < 4; k++) {
        double u_free[2] = {problem[k].u_n, problem[k].u_t}, r[2] = {0.0, 0.0}, u[2];
        cn_contact_status status = cn_core_solve(&core, 2, W, u_free, r);
        cn_check(book, cn_name(book, "r_n, %s", problem[k].name), r[0], problem[k].r_n, 1e-14);
        cn_check(book, cn_name(book, "r_t, %s", problem[k].name), r[1], problem[k].r_t, 1e-14);
        cn_check_true(book, cn_name(book, "status, %s", problem[k].name),
                      status == problem[k].status);

        double by_solver[2] = {0.0, 0.0};
        bool is_solved = solve_rows(2, W, u_free, core.mu, by_solver, u);
        cn_check(book, cn_name(book, "r_n by the solver, %s", problem[k].name),
                 is_solved ? by_solver[0] : NAN, problem[k].r_n, 1e-14);
        cn_check(book, cn_name(book, "u_t by the solver, %s", problem[k].name),
                 is_solved ? u[1] : NAN, problem[k].u_t_after, 1e-14);
    }
}

static const struct {
    const char *name;
    double W[9], u_free[3], mu, r[3], u_t[2];
    cn_contact_status status;
} coupled[3] = {
    {"stick",
     {1.0, 0.2, -0.1, 0.2, 1.5, 0.3, -0.1, 0.3, 2.0},
     {-1.0, 0.4, 0.2},
     0.6,
     {3040.0 / 2803.0, -1162.0 / 2803.0, 46.0 / 2803.0},
     {0.0, 0.0},
     CN_STATUS_STICK},
    {"slip",
     {1.0, 0.2, -0.1, 0.2, 1.5, 0.3, -0.1, 0.3, 2.0},
     {-1.0, 2.0, -1.0},
     0.4,
     {1.098228025525, -0.393523231449, 0.195233792356},
     {1.687930895639, -0.837412187274},
     CN_STATUS_SLIDE},
    {"slip, strong coupling",
     {2.0, -0.5, 0.4, -0.5, 3.0, 0.6, 0.4, 0.6, 2.5},
     {-3.0, 1.0, 4.0},
     0.3,
     {1.597988718052, 0.008497838062, -0.479321292684},
     {-0.061093620449, 3.445990958348},
     CN_STATUS_SLIDE},
};

static double distance(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sqrt(sum);
}

void cn_case_E02(cn_book *book)
{
    for (int k = 0; k < 3; k++) {
        const char *name = coupled[k].name;
        cn_core core = {.kind = CN_CORE_CONE, .mu = coupled[k].mu};
        double r[3] = {0.0}, by_solver[3] = {0.0}, u[3] = {0.0};
        cn_contact_status status = cn_core_solve(&core, 3, coupled[k].W, coupled[k].u_free, r);
        bool is_solved = solve_rows(3, coupled[k].W, coupled[k].u_free, core.mu, by_solver, u);
        cn_check(book, cn_name(book, "impulse less exact, %s", name), distance(3, r, coupled[k].r),
                 0.0, 1e-10);
        cn_check_true(book, cn_name(book, "status, %s", name), status == coupled[k].status);
        cn_check(book, cn_name(book, "impulse by the solver less exact, %s", name),
                 is_solved ? distance(3, by_solver, coupled[k].r) : NAN, 0.0, 1e-10);
        cn_check(book, cn_name(book, "velocity by the solver less exact, %s", name),
                 distance(2, u + 1, coupled[k].u_t), 0.0, 1e-10);
        if (status == CN_STATUS_SLIDE) {
            double size = hypot(u[1], u[2]), bound = core.mu * by_solver[0];
            const double along[2] = {u[1] / size, u[2] / size};
            const double against[2] = {-by_solver[1] / bound, -by_solver[2] / bound};
            cn_check(book, cn_name(book, "friction against slip, %s", name),
                     distance(2, along, against), 0.0, 1e-10);
        }
    }
}
