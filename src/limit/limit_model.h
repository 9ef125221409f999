// limit/limit_model.h -- the blocks of a scene as limit programs.
#pragma once

#include "cairn/limit.h"
#include "scene/model.h"

struct cn_limit_model {
    cn_scene *scene;
    cn_world *world;
    cn_view view;      // of the contacts that were found, which the world keeps
    unsigned *held;    // of each body of the view: bits of what is fixed or driven
    double *friction;  // of each contact of the view
    double size;       // of the smallest body that can move [m]
    double gravity;    // its size; 9.81 without gravity [m/s2]
    double reach;      // gaps up to this were looked for [m]
    bool has_strength; // joints have cohesion or tension that counts
    double apart;      // shift of contacts that are open (theory 16.21) [m/s]; 0: they do not count
    bool is_other;     // the other load of a domain is the live one
    int placed;        // case whose first axle is at `place`, others begin where they come from
    double place;      // [m]
    int case_count;
    const cn_scene_limit *limit; // case_count
    cn_scene_limit own;          // where the scene has none
};

// A limit program of the model, with the arrays it is made of.
typedef struct cn_model_program {
    cn_limit_program program;
    int *place;                            // of each body of the program in the view
    cn_contact *contact;                   // of each contact of the program, as detected
    double *friction, *cohesion, *tension; // of each contact
    double bonded_area;                    // of all patches with strength [m2], in the plane [m]
    void *memory;
} cn_model_program;

// The program of case k of the model, -1: of its dead load; gaps up to `close` are closed.
cn_status cn_model_program_make(const cn_limit_model *model, int k, double close,
                                cn_model_program *made, cn_error *err);
void cn_model_program_free(cn_model_program *made);

// What a joint of a law bears per area.
typedef struct cn_strength {
    double cohesion, tension; // [Pa]
    double friction;
} cn_strength;

// The strength of a law; false: it has none that limit analysis knows.
bool cn_strength_of(const cn_law_def *law, cn_strength *strength);

// Parameter of a law, `none` if it has no such one.
double cn_law_value(const cn_law_def *law, const char *name, double none);

// Gives the contacts of a program the strength of their laws, as long as joints are as built.
cn_status cn_model_strengthen(const cn_limit_model *m, cn_model_program *made, cn_error *err);

// Finds the contacts of the bodies as they are now, with gaps up to `reach`, and their friction.
cn_status cn_model_look(cn_limit_model *model, double reach, cn_error *err);

// Whether a body of the view cannot move at all.
bool cn_model_is_held(const cn_limit_model *model, int i);

// The answer to case k with gaps up to `close` closed.
cn_status cn_model_answer(const cn_limit_model *model, int k, double close, const cn_limit_def *def,
                          cn_limit_answer **answer, cn_error *err);

// Adds the axles of case k, where they are, to the six of each body.
cn_status cn_model_add_axles(const cn_limit_model *model, int k, double *of_body, cn_error *err);

// Moves a body by a finite screw: for t seconds of the velocity and angular velocity v. Its place
// is x y angle, in space x y z and a unit quaternion w x y z.
void cn_model_carry(int dim, const double *from, const double v[6], double t, double *to);

// Gaps of case k that count as closed.
double cn_model_close(const cn_limit_model *model, int k);
