// validation/scale_rig.h -- scenes at the size of applications, and the work that they take.
//
// Work is counted in sweeps (cn_solver_report.sweep_count, factors and back-substitutions of
// matrices among them), never in seconds: the same on every machine.
#pragma once

#include "validation.h"

typedef struct cn_scale_scene {
    cn_book *book;
    cn_scene *scene;
    cn_world *world; // NULL: could not be built, which the book has on record
    double h;        // [s]
} cn_scale_scene;

// The world of a scene at its start; steps are of length h.
cn_scale_scene cn_scale_begin(cn_book *book, const char *text, double h);
void cn_scale_end(cn_scale_scene *s);

// What a number of steps took.
typedef struct cn_scale_count {
    int steps, missed;
    int sweeps;         // of all of them
    double kinetic;     // at the end [J]
    double penetration; // largest [m]
    double creep;       // of a contact that sticks, largest [m]
} cn_scale_count;

cn_scale_count cn_scale_steps(cn_scale_scene *s, int steps);

// The problem of the last step, solved again.
typedef struct cn_scale_solve {
    cn_solver_def def;
    bool from_guess; // from the impulses that the step began with; else from zero
} cn_scale_solve;

typedef struct cn_scale_answer {
    int sweeps;
    bool is_converged;
    double natural; // natural error of the impulses [-]
} cn_scale_answer;

cn_scale_answer cn_scale_again(cn_scale_scene *s, const cn_scale_solve *how);
