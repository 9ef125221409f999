// A free asymmetric top for 10^6 steps: its quaternion stays unit, energy and angular momentum stay
// what they were.
#include "cairn/vec.h"
#include "scenes.h"
#include "test.h"

static const double inertia[3] = {1.0, 2.0, 3.0}; // [kg m2]

static cn_vec3 momentum(const cn_body_state *s, double *energy)
{
    cn_mat3 R =
        cn_quat_matrix((cn_quat){s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]});
    cn_vec3 w = cn_mat3_mul_transposed(
        &R, cn_v3(s->angular_velocity[0], s->angular_velocity[1], s->angular_velocity[2]));
    *energy = 0.5 * (inertia[0] * w.x * w.x + inertia[1] * w.y * w.y + inertia[2] * w.z * w.z);
    return cn_mat3_mul(&R, cn_v3(inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z));
}

CN_TEST(free_top_does_not_drift_in_a_million_steps)
{
    cn_world_def def = cn_world_def_default();
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    def.dim = 3;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    cn_world *w = scene_world_with(&def, &law);
    cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = 0.1};
    cn_body_def body = {.mass = 1.0,
                        .inertia = {inertia[0], inertia[1], inertia[2]},
                        .type = CN_BODY_SOLIDS,
                        .solids = {1, &ball},
                        .angular_velocity = {0.01, 1.0, 0.01}};
    cn_body_id top;
    CN_DO(cn_body_add(w, &body, &top, &test_error));
    cn_body_state state = scene_state(w, top);
    double energy_start, energy, worst_energy = 0.0, worst_momentum = 0.0, worst_length = 0.0;
    cn_vec3 start = momentum(&state, &energy_start);
    for (int k = 0; k < 1000; k++) {
        scene_run(w, 1e-3, 1000);
        state = scene_state(w, top);
        cn_vec3 change = cn_sub3(momentum(&state, &energy), start);
        const double *q = state.rotation;
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        worst_energy = fmax(worst_energy, fabs(energy / energy_start - 1.0));
        worst_momentum = fmax(worst_momentum, cn_norm3(change) / cn_norm3(start));
        worst_length = fmax(worst_length, fabs(length - 1.0));
    }
    // A random walk of roundings of 1e-16 over 10^6 steps ends near 1e-13; one in step with itself
    // would reach 1e-10.
    CN_NEAR(worst_energy, 0.0, 1e-10, "rounding of 10^6 steps");
    CN_NEAR(worst_momentum, 0.0, 1e-10, "rounding of 10^6 steps");
    CN_NEAR(worst_length, 0.0, 4e-16, "made unit in every step");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(free_top_does_not_drift_in_a_million_steps);)
