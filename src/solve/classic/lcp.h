// solve/classic/lcp.h -- linear complementarity by pivoting, for small dense problems.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Numbers of work for a problem of this size.
size_t cn_lcp_work(int size);

// Finds z with w = M z + q >= 0, z >= 0, w . z = 0 by Lemke's method; M is row-major. False if the
// path ends without a solution (M is not of a kind that has one) or after `pivot_max` pivots.
// `work` and `basis` (size entries) are scratch.
bool cn_lcp_solve(int size, const double *M, const double *q, int pivot_max, double *work,
                  int *basis, double *z);
