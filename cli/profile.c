// cli/profile.c -- performance profiles (Dolan and More, 2002) as step curves.
//
// The ratio of a solver on a problem is its time over the best time of any solver there. A curve
// shows the share of all problems with a ratio of at most x: its height at 1 is the share of wins,
// its end the share of problems solved.
#include "profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double best_of(const cn_profile *profile, int p)
{
    double best = INFINITY;
    for (int s = 0; s < profile->solver_count; s++) {
        best = fmin(best, profile->seconds[profile->solver_count * p + s]);
    }
    return best;
}

int cn_profile_solved(const cn_profile *profile, int s)
{
    int count = 0;
    for (int p = 0; p < profile->problem_count; p++) {
        count += profile->seconds[profile->solver_count * p + s] < INFINITY;
    }
    return count;
}

int cn_profile_won(const cn_profile *profile, int s)
{
    int count = 0;
    for (int p = 0; p < profile->problem_count; p++) {
        double seconds = profile->seconds[profile->solver_count * p + s];
        count += seconds < INFINITY && seconds <= best_of(profile, p);
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Ratios of one solver in ascending order; returns how many are finite.
static int find_ratios(const cn_profile *profile, int s, double *ratio)
{
    int count = 0;
    for (int p = 0; p < profile->problem_count; p++) {
        double seconds = profile->seconds[profile->solver_count * p + s];
        if (seconds < INFINITY) {
            ratio[count++] = seconds / best_of(profile, p);
        }
    }
    qsort(ratio, (size_t)count, sizeof *ratio, compare);
    return count;
}

// Steps of one curve up to x_max: two points per problem, and both ends.
static int fill_steps(const double *ratio, int count, int problem_count, double x_max, double *x,
                      double *y)
{
    int n = 0, done = 0;
    while (done < count && ratio[done] <= 1.0) {
        done++;
    }
    x[n] = 1.0;
    y[n++] = (double)done / problem_count;
    for (; done < count; done++) {
        x[n] = x[n + 1] = ratio[done];
        y[n++] = (double)done / problem_count;
        y[n++] = (done + 1.0) / problem_count;
    }
    x[n] = x_max;
    y[n++] = (double)done / problem_count;
    return n;
}

static cn_status draw(const cn_profile *profile, cn_curve *curve, double *work, const char *path,
                      cn_error *err)
{
    int problems = profile->problem_count, points = 2 * problems + 2, curves = 0;
    double *ratio = work, *at = work + problems, x_max = 10.0;
    for (int s = 0; s < profile->solver_count; s++) {
        int count = find_ratios(profile, s, ratio);
        x_max = count > 0 ? fmax(x_max, ratio[count - 1]) : x_max;
    }
    for (int s = 0; s < profile->solver_count; s++) {
        int count = find_ratios(profile, s, ratio);
        if (count == 0) {
            continue;
        }
        int filled = fill_steps(ratio, count, problems, 1.05 * x_max, at, at + points);
        curve[curves++] =
            (cn_curve){.name = profile->solver[s], .count = filled, .x = at, .y = at + points};
        at += 2 * points;
    }
    cn_chart_def chart = {.title = profile->title,
                          .x_label = "CPU time over that of the fastest solver of the problem",
                          .y_label = "share of the problems that are solved within",
                          .curve_count = curves,
                          .curve = curve,
                          .log_x = true};
    return cn_chart(&chart, path, err);
}

cn_status cn_profile_draw(const cn_profile *profile, const char *path, cn_error *err)
{
    size_t problems = (size_t)profile->problem_count, solvers = (size_t)profile->solver_count;
    cn_curve *curve = malloc((solvers + 1) * sizeof *curve);
    double *work = malloc((problems + solvers * 2 * (2 * problems + 2) + 1) * sizeof *work);
    cn_status status = CN_OK;
    if (curve == NULL || work == NULL) {
        status = cn_fail(err, CN_NO_MEMORY, "no memory for a profile of %d problems",
                         profile->problem_count);
    } else {
        status = draw(profile, curve, work, path, err);
    }
    free(curve);
    free(work);
    return status;
}
