/// cairn/import.h -- models of other programs become scenes.
#pragma once

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a DATBOX folder does not say, because only the command script does.
typedef struct cn_import_settings {
    double step;      ///< [s]; NaN here and below: not given
    double theta;     ///< of the theta scheme, 0.5 to 1
    double duration;  ///< [s]; or
    double steps;     ///< number of steps
    double every;     ///< time between frames [s]
    double period[2]; ///< of a periodic model along x and y [m]
    int plane;        ///< 1 strain, 2 stress, 3 axisymmetric; 0: not given
} cn_import_settings;

/// Nothing given.
CN_API cn_import_settings cn_import_settings_default(void);

typedef struct cn_import_def {
    const char *folder; ///< DATBOX, or the folder that holds it
    const char *script; ///< command script, which is read and never run; NULL: looked for there
    const char *state;  ///< DOF.OUT.n or the like, in place of DOF.INI; NULL: DOF.INI
    const char *scene;  ///< file to be written; tables and meshes go to the folder NAME.files
                        ///< beside it, the names of bodies to NAME.names.csv
    cn_import_settings given; ///< wins over the script
    const char *accuracy;     ///< `accuracy` of the solver; NULL: as scenes have it
    bool is_strict;           ///< write no scene if something cannot be taken over
    cn_tell *told;            ///< problems with line and column, and what became of the model
    void *context;
} cn_import_def;

typedef struct cn_import_report {
    int body_count;
    int lost_count;    ///< things that have no counterpart: told with their lines
    int changed_count; ///< things that became something else: told with the reason
    bool is_written;
} cn_import_report;

/// Makes a scene of a DATBOX folder of LMGC90. CN_BAD_INPUT, CN_IO: the files are not understood;
/// CN_OK with lost_count > 0: the scene is written without it, or with is_strict not at all.
CN_API cn_status cn_import_lmgc90(const cn_import_def *def, cn_import_report *report,
                                  cn_error *err);

/// What a contact law of LMGC90 is here: one line for a name, all for "all". False if there is no
/// such name.
CN_API bool cn_lmgc90_law_told(const char *name, cn_tell *told, void *context);

#ifdef __cplusplus
}
#endif
