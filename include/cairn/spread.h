/// cairn/spread.h -- how far contact forces differ between solutions of the same scene.
///
/// Rigid bodies in many contacts leave forces undetermined: several sets of impulses obey every law
/// at every contact (theory 8.20). A solver returns one of them. Here a scene is solved several
/// times by Gauss-Seidel sweeps whose orders are random, and what differs is reported. Every
/// solution is certified like that of any run. The range found is a lower bound of the true one.
#pragma once

#include "cairn/base.h"
#include "cairn/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cn_spread_def {
    int run_count;     ///< at least 2
    uint64_t seed;     ///< of orders and starts
    bool is_last_step; ///< only the last step is solved again, from random admissible impulses;
                       ///< else the whole scene is run again: history selects the solution
    const char *result_path; ///< result of the first run, for pictures; NULL: none
    int threads;             ///< the result does not depend on it
    bool (*progress)(void *context, int done); ///< after every run; false stops; may be NULL
    void *context;
} cn_spread_def;

/// Ten runs of the whole scene, seed 1, one thread.
CN_API cn_spread_def cn_spread_def_default(void);

/// A number over all solutions.
typedef struct cn_range {
    double mean, least, most, deviation;
} cn_range;

/// A contact, known by its bodies and its feature. In solutions without it its force is zero.
typedef struct cn_spread_contact {
    cn_body_id body[2];
    uint64_t feature;
    int seen;        ///< solutions in which it exists
    double point[3]; ///< in the first of them [m]
    double normal[3];
    cn_range normal_force;  ///< [N]
    cn_range tangent_force; ///< its size [N]
} cn_spread_contact;

/// A resultant observed by the scene (observers of kind resultant); of whole runs only.
typedef struct cn_spread_series {
    char name[128];
    cn_range value;
} cn_spread_series;

typedef struct cn_spread {
    int run_count;
    int nonconverged_count; ///< solutions that missed the tolerance: left out of nothing, but told
    double residual_max;    ///< of the last steps
    double time;            ///< of the state that is compared [s]
    double force_scale;     ///< mean normal force of contacts that carry one [N]
    int contact_count;
    cn_spread_contact *contact; ///< in the order of bodies and features
    int series_count;
    cn_spread_series *series;
} cn_spread;

/// Runs and compares. CN_STOPPED: progress said so. The caller destroys *spread.
CN_API cn_status cn_spread_measure(const cn_scene *scene, const cn_spread_def *def,
                                   cn_spread **spread, cn_error *err);
CN_API void cn_spread_destroy(cn_spread *spread);

/// Tables: contacts.csv and series.csv in a folder that is made if missing.
CN_API cn_status cn_spread_write(const cn_spread *spread, const char *folder, cn_error *err);

/// Picture of the last frame of the result: thickness by mean, colour by range.
CN_API cn_status cn_spread_render(const cn_spread *spread, const char *result_path,
                                  const char *png_path, cn_error *err);

/// Histogram of the ranges over the mean normal force (.svg, .png or .csv).
CN_API cn_status cn_spread_histogram(const cn_spread *spread, const char *path, cn_error *err);

#ifdef __cplusplus
}
#endif
