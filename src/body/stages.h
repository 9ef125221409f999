// body/stages.h -- the stages of a step over all bodies, whatever their kind.
//
// A kind of body keeps its own arrays and offers its part in each stage. A new kind is a file that
// fills a cn_body_stages and a line in table.c; the step calls every stage once and knows no kind.
#pragma once

#include "body/bodies.h"

// Moreau-Jean scheme of a step.
typedef struct cn_scheme {
    double h;       // [s]
    double theta;   // of the end of the step in velocities and loads (3.2) [-]
    double gamma;   // contacts are set up at q + gamma h v (3.3) [-]
    double h_whole; // of the step that this one is a part of (6.9) [s]
} cn_scheme;

// What a kind does in each stage, on all its bodies at once; NULL: nothing.
typedef struct cn_body_stages {
    const char *name;
    // The state is that before the step.
    void (*begin)(cn_bodies *b);
    // v_free, q_mid and A^-1 (3.3), (11.3), and what detection reads.
    cn_status (*free_motion)(cn_bodies *b, const cn_scheme *scheme, cn_error *err);
    // q_mid = q, for a look at contacts without a step (gamma is 0).
    void (*place)(cn_bodies *b, const cn_scheme *scheme);
    // v+ where impulses enter through a matrix of the kind's own (11.5).
    cn_status (*correct)(cn_bodies *b, cn_error *err);
    // q+ from v and v+ (3.4).
    void (*move)(cn_bodies *b, const cn_scheme *scheme);
    // Whether bodies that are linearized in the problem are in balance. If not, they have been
    // linearized where they are now, and the problem is to be solved again (11.6).
    cn_status (*balance)(cn_bodies *b, bool *is_balanced, cn_error *err);
    // Whether the state at the end of the step can be trusted; if not, CN_BROKEN names a body.
    cn_status (*check)(const cn_bodies *b, cn_error *err);
    // Back to the state before the step, to solve the same problem again or one made of it.
    void (*rewind)(cn_bodies *b);
    // Back to the state before the step, which is dropped.
    void (*restore)(cn_bodies *b);
    // Writes q and v of slots whose state is elsewhere, for those who look (11.26).
    void (*publish)(cn_bodies *b);
    // The step is accepted.
    void (*commit)(cn_bodies *b);
} cn_body_stages;

// The cell comes last: it moves the bodies that the others have moved.
extern const cn_body_stages cn_rigid_stages, cn_deformable_stages, cn_cell_stages;

// The same over all kinds, in the order of the table.
void cn_bodies_begin(cn_bodies *b);
cn_status cn_bodies_free_motion(cn_bodies *b, const cn_scheme *scheme, cn_error *err);
void cn_bodies_place(cn_bodies *b, const cn_scheme *scheme);
cn_status cn_bodies_correct(cn_bodies *b, cn_error *err);
void cn_bodies_move(cn_bodies *b, const cn_scheme *scheme);
cn_status cn_bodies_balance(cn_bodies *b, bool *is_balanced, cn_error *err);
cn_status cn_bodies_check(cn_bodies *b, cn_error *err);
void cn_bodies_rewind(cn_bodies *b);
void cn_bodies_restore(cn_bodies *b);
void cn_bodies_publish(cn_bodies *b);
void cn_bodies_commit(cn_bodies *b);
