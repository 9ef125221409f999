/// cairn/study.h -- studies: one scene run for many values of its parameters.
///
/// A study file names a scene, the values its params take and what to note of each run. Its runs
/// form lines: the runs of one line follow each other (a bisection needs the outcome of one run to
/// choose the next), lines are independent of each other and may go on at the same time. Which
/// runs there are depends on the file and the outcomes only.
#pragma once

#include "cairn/base.h"
#include "cairn/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cn_study cn_study;

/// Reads a study; problems are told as those of scenes are. CN_BAD_INPUT if anything was wrong,
/// CN_IO if the file cannot be read.
CN_API cn_status cn_study_load(const char *path, cn_tell *told, void *context, cn_study **study,
                               cn_error *err);
CN_API void cn_study_destroy(cn_study *study);

CN_API const char *cn_study_title(const cn_study *study);

/// Path of the scene, found from the folder of the study.
CN_API const char *cn_study_scene(const cn_study *study);

/// 64-bit hash of the study file: ties rows to studies.
CN_API uint64_t cn_study_hash(const cn_study *study);

CN_API int cn_study_param_count(const cn_study *study);
CN_API const char *cn_study_param(const cn_study *study, int k);

/// What is noted of each run, by name.
CN_API int cn_study_report_count(const cn_study *study);
CN_API const char *cn_study_report(const cn_study *study, int k);

/// Lines, and the most runs that one of them may have.
CN_API int cn_study_line_count(const cn_study *study);
CN_API int cn_study_run_max(const cn_study *study);

/// Values of the params (one each) of the next run of a line, of which `done` runs are known with
/// their outcomes. False: the line is complete.
CN_API bool cn_study_next(const cn_study *study, int line, int done, const bool *has_failed,
                          double *value);

/// The param that is bisected, -1 if none is.
CN_API int cn_study_bisected(const cn_study *study);

/// The param over which the study fits a fragility, -1 if it fits none.
CN_API int cn_study_fragility(const cn_study *study);

/// A lognormal probability of failure over an intensity s, Phi(ln(s/theta)/beta), and the standard
/// errors of ln(theta) and of beta (theory 16.26).
typedef struct cn_fragility {
    int count; ///< capacities, or runs
    double theta, beta;
    double theta_error, beta_error;
} cn_fragility;

/// From capacities, intensities at which single structures or records fail: moments of their
/// logarithms. CN_BAD_INPUT: fewer than two, one that is not positive, or all equal.
CN_API cn_status cn_fragility_of_capacities(int count, const double *capacity, cn_fragility *fit,
                                            cn_error *err);

/// From outcomes at intensities: the most likely one. CN_BAD_INPUT: none is, since failures and
/// survivals do not overlap, or one of them is missing.
CN_API cn_status cn_fragility_of_outcomes(int count, const double *intensity,
                                          const bool *has_failed, cn_fragility *fit, cn_error *err);

CN_API double cn_fragility_at(const cn_fragility *fit, double intensity);

/// What a bisection knows after `done` runs: the largest interval ends are value[0] and value[1],
/// between which the outcome changes. False: the outcome is the same at both ends.
CN_API bool cn_study_bracket(const cn_study *study, int line, int done, const bool *has_failed,
                             double value[2]);

/// What is noted of a finished run, one number each, and whether it failed in the sense of
/// `fails_when`. CN_BAD_INPUT names a series that the result does not have.
CN_API cn_status cn_study_measure(const cn_study *study, cn_reader *reader, double *value,
                                  bool *has_failed, cn_error *err);

#ifdef __cplusplus
}
#endif
