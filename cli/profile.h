// cli/profile.h -- performance profiles: which solver solves how many problems within which
// multiple of the best time.
#pragma once

#include "cairn/cairn.h"

// seconds[solver_count * p + s] of problem p by solver s; infinite: not solved.
typedef struct cn_profile {
    int problem_count, solver_count;
    const char *const *solver;
    const double *seconds;
    const char *title;
} cn_profile;

// Problems that solver s solved, and those on which it was the fastest.
int cn_profile_solved(const cn_profile *profile, int s);
int cn_profile_won(const cn_profile *profile, int s);

// Draws the profile; the ending of the path (.png, .svg or .csv) decides the format. Solvers that
// solved nothing are left out.
cn_status cn_profile_draw(const cn_profile *profile, const char *path, cn_error *err);
