/// cairn/record.h -- records of ground acceleration as they come: read, corrected, measured.
///
/// Read are PEER files (.AT2: NPTS and DT in the header, values in lines of any length), headers of
/// lines KEY: value (ESM, ITACA), columns of time and value, and one column with a given interval.
/// Numbers are separated by blanks, tabs, commas or semicolons; a comma is the decimal sign where
/// semicolons or tabs separate and no point occurs; numbers may stick together at their signs.
/// Acceleration is piecewise linear between the samples (theory 3.12).
#pragma once

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest file that is read, and one g of records [m/s2].
#define CN_RECORD_BYTES_MAX ((size_t)1 << 30)
#define CN_RECORD_G 9.81

typedef enum cn_record_unit {
    CN_RECORD_AS_FILE = 0, ///< what the header says; without it the file is refused
    CN_RECORD_M_S2,
    CN_RECORD_G_UNIT, ///< g
    CN_RECORD_CM_S2,  ///< gal
    CN_RECORD_MM_S2,
    CN_RECORD_UNIT_COUNT
} cn_record_unit;

typedef enum cn_record_baseline {
    CN_BASELINE_NONE = 0,
    CN_BASELINE_CONSTANT, ///< of the acceleration
    CN_BASELINE_LINEAR,
    CN_BASELINE_QUADRATIC,
    CN_BASELINE_COUNT
} cn_record_baseline;

typedef struct cn_record_def {
    cn_record_unit unit;
    double dt;                   ///< interval of files without time; 0: that of the header [s]
    int column;                  ///< of the value, from 1; 0: the second, or the only one
    double scale;                ///< factor on the values
    double taper;                ///< share of the duration at each end that a cosine fades [-]
    cn_record_baseline baseline; ///< taken off the acceleration, fitted to the velocity
    double band[2]; ///< frequencies that are kept, by Butterworth filters without phase
                    ///< (theory 3.15); 0: no end there [Hz]
    cn_tell *told;  ///< remarks on what was decided; may be NULL
    void *context;
} cn_record_def;

CN_API cn_record_def cn_record_def_default(void);

/// Filled by cn_record_load and freed by cn_record_free. Times begin with 0 and increase.
typedef struct cn_record {
    int count;
    double *time;         ///< [s]
    double *acceleration; ///< [m/s2]
    double *velocity;     ///< its integral, 0 at first [m/s]
} cn_record;

/// What engineers ask of a record.
typedef struct cn_record_measure {
    double duration;         ///< [s]
    double dt;               ///< mean interval [s]
    double dt_deviation;     ///< largest deviation from it [s]
    double pga, pgv, pgd;    ///< largest acceleration, velocity, displacement [m/s2, m/s, m]
    double arias;            ///< Arias intensity, pi/(2 g) times the integral of a^2 [m/s]
    double d5_95;            ///< time between 5 % and 95 % of it [s]
    double velocity_end;     ///< that the base is left with [m/s]
    double displacement_end; ///< [m]
} cn_record_measure;

/// Reads and corrects a record: unit, taper, baseline, band, scale, in this order. CN_BAD_INPUT
/// names file, line and what is wrong there: no unit, no interval, fewer values than announced,
/// text among the values.
CN_API cn_status cn_record_load(const char *path, const cn_record_def *def, cn_record *record,
                                cn_error *err);

/// The same from memory; `name` stands for the file in messages.
CN_API cn_status cn_record_parse(const char *name, const char *text, size_t length,
                                 const cn_record_def *def, cn_record *record, cn_error *err);

CN_API void cn_record_free(cn_record *record);

CN_API cn_record_measure cn_record_measured(const cn_record *record);

/// Response spectrum: largest |u| [m] of u'' + 2 zeta w u' + w^2 u = -a with w = 2 pi/period, from
/// rest, through the record and what follows it (theory 3.16); w^2 times it is the pseudo
/// acceleration. `damping` is zeta, at least 0 and less than 1; periods in s.
CN_API cn_status cn_record_spectrum(const cn_record *record, double damping, int count,
                                    const double *period, double *displacement, cn_error *err);

/// Velocity at a time: 0 before, and what it ends with after [m/s].
CN_API double cn_record_velocity_at(const cn_record *record, double t);

#ifdef __cplusplus
}
#endif
