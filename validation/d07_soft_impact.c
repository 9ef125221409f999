// validation/d07_soft_impact.c -- D07: a soft ball hits a rigid plane.
//
// Question: duration, peak force, travel and rebound? Reference: Hertz in the limit of a small
// contact; at 0.5 m/s the finite ball is stiffer, 16.2 ms and 61 N by quasi-static and dynamic runs
// of the check; at 0.005 m/s Hertz. Linear elasticity, axisymmetric. Source: Hertz; Johnson 1985.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define AFTER 5e-3 // how long the ball is watched after it has left [s]

typedef struct bounce {
    double duration, force, travel, rebound; // [s, N, m, m/s]
} bounce;

static bounce drop(cn_book *book, double speed, const int cells[2], double finer, double h)
{
    bounce b = {0};
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_body_id ground = cn_build_plane(&t, (cn_body_def){0});
    cn_soft half = cn_soft_half_disk(book, 0.05, cells, finer, cn_soft_elastic(1e6, 0.3, 1000.0));
    half.mesh.plane = CN_AXISYMMETRIC;
    cn_body_id ball = cn_soft_add(&t, &half, (cn_body_def){.velocity = {0.0, -speed}});
    cn_soft_free(&half);
    cn_soft_hold(&t, ball, "axis", CN_DOF_X);
    double start = cn_trial_state(&t, ball).position[1];
    for (int k = 0; cn_trial_step(&t, h) && k * h < b.duration + AFTER; k++) {
        double force = cn_trial_push(&t, ground, ball).y / h;
        b.force = fmax(b.force, force);
        b.duration = force > 0.0 ? (k + 1) * h : b.duration;
        b.travel = fmax(b.travel, start - cn_trial_state(&t, ball).position[1]);
    }
    b.rebound = cn_trial_state(&t, ball).velocity[1];
    cn_trial_end(&t);
    return b;
}

void cn_case_D07(cn_book *book)
{
    bounce b = drop(book, 0.5, (int[]){32, 10}, 3.0, 5e-5);
    cn_check_rel(book, "duration, 0.5 m/s", b.duration, 16.2e-3, 0.04);
    cn_check_rel(book, "peak force, 0.5 m/s", b.force, 61.0, 0.05);
    cn_check_rel(book, "travel of the mass centre (reported)", b.travel, 2.78e-3, INFINITY);
    cn_check_least(book, "rebound over v, 0.5 m/s", b.rebound / 0.5, 0.97);
    b = drop(book, 0.005, (int[]){48, 14}, 10.0, 1e-4);
    cn_check_rel(book, "duration, 0.005 m/s", b.duration, 44.591e-3, 0.04);
    cn_check_rel(book, "peak force, 0.005 m/s", b.force, 0.21600, 0.04);
    cn_check_least(book, "rebound over v, 0.005 m/s", b.rebound / 0.005, 0.97);
}
