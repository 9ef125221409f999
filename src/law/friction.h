// law/friction.h -- coefficients of friction that change: with velocity, slip, time at rest, or
// with rate and state, theory 4.14 to 4.18. Plain functions of what happened, for any law with a
// cone.
#pragma once

#include "cairn/base.h"

// How a coefficient changes. Zeros of `slip_distance`, `ageing`, `velocity_scale` and `rate` mean
// that it does not.
typedef struct cn_friction {
    double sliding, at_rest;      // mu_d, mu_s [-]
    double slip_distance;         // D: slip over which mu_s falls to mu_d; 0: at once [m]
    double ageing, ageing_time;   // B [-], t_0 [s]
    double fast, velocity_scale;  // mu_inf [-], v_s [m/s]
    double rate, state;           // a, b [-]
    double state_distance, speed; // D_c [m], v_0 [m/s]
    double hold;                  // time for which a new contact sticks whatever it bears [s]
} cn_friction;

// What a contact remembers of its slip; zeros for a new one.
typedef struct cn_friction_memory {
    double slip; // since it stuck last [m]
    double age;  // time at rest [s]
    double peak; // strength when it began to slide [-]
    double film; // theta of rate and state; 0: that of steady sliding at v_0 [s]
    double held; // time since it touched, up to that for which it sticks [s]
} cn_friction_memory;

// The coefficient during a step of length h in which the contact slides at a speed.
double cn_friction_at(const cn_friction *f, const cn_friction_memory *m, double speed, double h);

// Memory after a step in which it slid at that speed, or stuck.
cn_friction_memory cn_friction_after(const cn_friction *f, const cn_friction_memory *m,
                                     bool has_slid, double speed, double h);

// A coefficient and the speed that it leads to must belong together: mu = mu(speed(mu)), theory
// 4.18. Each solve gives one speed. Speeds fall along a line as the coefficient grows, until the
// contact sticks: two sliding points tell where that line meets the law; with one of each the next
// one lies between.
typedef struct cn_friction_search {
    double used;                  // coefficient of the core that was solved
    double mu_slide, speed_slide; // the last one with which it slid; speed 0: none
    double mu_other, speed_other; // one before it, or one with which it stuck; mu 0: none
    double count;                 // how many were tried
} cn_friction_search;

// Writes the next search to *next, `speed` being that of the core of *search; its `used` is the
// coefficient to solve with.
void cn_friction_search_on(const cn_friction *f, const cn_friction_memory *m, double h,
                           const cn_friction_search *search, double speed,
                           cn_friction_search *next);
