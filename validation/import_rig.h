// validation/import_rig.h -- models of LMGC90 as they ship (tests/data/lmgc90): imported, run and
// held against what LMGC90 computes of them.
#pragma once

#include "unpack.h"

// What only the command script of a model tells.
typedef struct cn_import_model {
    const char *name;
    double step, theta; // [s], -
    int step_count;
    double period;        // along x and y [m]; 0: none
    const char *accuracy; // word; NULL: as scenes have it
} cn_import_model;

#define CN_IMPORT_MODELS 14
extern const cn_import_model cn_import_models[CN_IMPORT_MODELS];

// The start: largest relative error of masses and moments, of places in units of the size of the
// smallest body, and the pairs that touch.
typedef struct cn_import_trial_start {
    double weight_error, place_error; // [-]
    int pairs, theirs, common;        // those of cairn, of LMGC90, in both
    int points;                       // of cairn within the reach
} cn_import_trial_start;

// The last frame, and the way there.
typedef struct cn_import_trial_end {
    double centre[3];             // of the bodies that are not driven [m]
    double kinetic_mean, kinetic; // of them, over the steps and in the last one [J]
    double deepest;               // overlap of all steps [m]
    double force;                 // sum of the normal forces of the last step [N]
    double top;                   // highest of their centres [m]
} cn_import_trial_end;

typedef struct cn_import_trial {
    cn_book *book;
    cn_import_model set; // may be changed before the import
    double every;        // between frames [s]; 0: as the import has it
    bool reads_script;   // step, theta and duration are those of the command script
    char folder[CN_FOLDER_SIZE];
    char scene[CN_FOLDER_SIZE + 32];  // file
    char result[CN_FOLDER_SIZE + 32]; // file
    cn_import_report report;
    cn_reader *reader; // after a run
    int steps, missed;
} cn_import_trial;

// Unpacks a model, and imports it. After a failure, which the book records, the rest does nothing.
cn_import_trial cn_import_trial_begin(cn_book *book, const char *name);
bool cn_import_trial_import(cn_import_trial *m);
cn_import_trial cn_import_trial_made(cn_book *book, const char *name); // both
void cn_import_trial_close(cn_import_trial *m);

// Runs the scene until a time [s] (INFINITY: to its end). Each step is booked.
bool cn_import_trial_run(cn_import_trial *m, double until);

// A column of the history of the run; none after a failure.
cn_column cn_import_trial_column(const cn_import_trial *m, const char *name);

// Adds a text to the scene, such as observers.
void cn_import_trial_add(const cn_import_trial *m, const char *text);

// Force of the contacts on a body in the last step along y, in space z [N].
double cn_import_trial_force(const cn_import_trial *m, cn_body_id id);

// Of a run of one step: pairs with gaps up to `reach` [m].
cn_import_trial_start cn_import_trial_start_of(const cn_import_trial *m, double reach);
cn_import_trial_end cn_import_trial_end_of(const cn_import_trial *m);

// The body with a name of LMGC90's: kind R (rigid) or M (mesh) and number. 0: there is none.
cn_body_id cn_import_trial_body(const cn_import_trial *m, char kind, int number);
