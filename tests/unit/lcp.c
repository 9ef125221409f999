// Lemke's method on linear complementarity problems with answers known on paper.
#include "solve/classic/lcp.h"

#include "cairn/base.h"
#include "test.h"

static bool solve(int size, const double *M, const double *q, double *z)
{
    double work[8 * 18];
    int basis[8];
    return cn_lcp_solve(size, M, q, 100, work, basis, z);
}

CN_TEST(nothing_to_do_where_q_is_positive)
{
    double z[2] = {9.0, 9.0};
    CN_TRUE(solve(2, (double[]){1, 0, 0, 1}, (double[]){1, 0}, z) && z[0] == 0.0 && z[1] == 0.0);
}

// Both rows tight, or one of them off.
CN_TEST(small_problems_are_solved_exactly)
{
    double z[2];
    CN_TRUE(solve(2, (double[]){2, 1, 1, 2}, (double[]){-5, -6}, z));
    CN_NEAR(z[0], 4.0 / 3.0, 1e-14, "both rows tight: 2 x 2 system");
    CN_NEAR(z[1], 7.0 / 3.0, 1e-14, "both rows tight: 2 x 2 system");
    CN_TRUE(solve(2, (double[]){1, 2, 2, 5}, (double[]){-1, 3}, z));
    CN_NEAR(z[0], 1.0, 1e-14, "the second stays off");
    CN_NEAR(z[1], 0.0, 0.0, "the second stays off");
}

// Two equal rows: a table with one leg too many. Any split of the load is right.
CN_TEST(redundant_rows_do_not_cycle)
{
    double z[3];
    CN_TRUE(solve(3, (double[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, (double[]){-2, -2, -2}, z));
    CN_NEAR(z[0] + z[1] + z[2], 2.0, 1e-14, "the load is carried");
    CN_TRUE(z[0] >= 0.0 && z[1] >= 0.0 && z[2] >= 0.0);
}

CN_TEST(no_solution_is_told)
{
    double z[2];
    CN_TRUE(!solve(2, (double[]){-1, 0, 0, -1}, (double[]){-1, -1}, z));
}

CN_MAIN(CN_RUN(nothing_to_do_where_q_is_positive); CN_RUN(small_problems_are_solved_exactly);
        CN_RUN(redundant_rows_do_not_cycle); CN_RUN(no_solution_is_told);)
