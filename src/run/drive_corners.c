// run/drive_corners.c -- velocities of driven bodies where a displacement has a corner (3.5, 3.6).
//
// A displacement x(t) is met exactly by v+ = (x(t+h) - x(t) - (1-theta) h v)/(theta h). A velocity
// v that is not that of the displacement, at its start or after a corner, is then made up for in
// one step and overshot in the next, for ever with theta 1/2. So the body is given the velocity
// that the displacement has from here on before the step is made: the jump is one of the drive, and
// contacts see the true velocities before and after.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/run.h"
#include "scene/check/warn.h"

static const double SAME = 1e-9; // velocities over the rate that need no change [-]

// Velocity of a body along the degree of freedom of a drive.
static double *velocity_along(cn_body_state *state, cn_dof dof)
{
    return dof >= CN_DOF_RX ? &state->angular_velocity[dof - CN_DOF_RX] : &state->velocity[dof];
}

static cn_status start_nodes(cn_run *run, const cn_scene_drive *drive, cn_body_id id, double rate,
                             cn_error *err)
{
    cn_node_view nodes;
    const int *node = NULL;
    int count;
    CN_TRY(cn_body_nodes(run->world, id, &nodes, err));
    count = nodes.node_count;
    if (drive->bodies.set != NULL) {
        CN_TRY(cn_body_node_set(run->world, id, drive->bodies.set, &count, &node, err));
    }
    size_t size = (size_t)nodes.dim * (size_t)nodes.node_count;
    double *v = malloc(size * sizeof *v + 1);
    if (v == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for velocities of nodes");
    }
    memcpy(v, nodes.v, size * sizeof *v);
    for (int n = 0; n < count; n++) {
        v[nodes.dim * (node != NULL ? node[n] : n) + (int)drive->def.dof] = rate;
    }
    cn_status status = cn_body_set_nodes(run->world, id, NULL, v, err);
    free(v);
    return status;
}

static cn_status start_body(cn_run *run, const cn_scene_drive *drive, cn_body_id id, double rate,
                            cn_error *err)
{
    cn_body_state state;
    CN_TRY(cn_body_get(run->world, id, &state, err));
    double *v = velocity_along(&state, drive->def.dof);
    if (fabs(*v - rate) <= SAME * fabs(rate)) {
        return CN_OK;
    }
    *v = rate;
    return cn_body_set(run->world, id, &state, err);
}

static double mean_rate(const cn_function *f, double t, double h)
{
    return (cn_function_at(f, t + h) - cn_function_at(f, t)) / h;
}

// Whether the displacement may turn a corner where a step from t on begins, and its rate there. A
// table may do so in any step, other functions where the stage begins.
static bool find_rate(const cn_run *run, const cn_scene_drive *drive, double h, double *rate)
{
    double t = cn_world_view(run->world).time - run->clock.stage_start;
    const cn_function *f = &drive->def.f;
    bool is_table = f->kind == CN_FUNCTION_TABLE;
    if (drive->def.kind != CN_DRIVE_DISPLACEMENT || (!is_table && t > 0.0)) {
        return false;
    }
    *rate = is_table ? mean_rate(f, t, h) : cn_drive_start_rate(f, h);
    double before = t > 0.0 ? mean_rate(f, t - h, h) : NAN;
    return !(fabs(*rate - before) <= SAME * fabs(*rate));
}

cn_status cn_run_turn_corners(cn_run *run, double h, cn_error *err)
{
    const cn_scene_stage *stage = &run->scene->stage[run->clock.stage];
    for (int d = 0; d < stage->drive_count && stage->theta < 1.0; d++) {
        const cn_scene_drive *drive = &stage->drive[d];
        double rate;
        if (!find_rate(run, drive, h, &rate)) {
            continue;
        }
        for (int k = 0; k < drive->bodies.count; k++) {
            int body = drive->bodies.body[k];
            cn_body_id id = cn_scene_body_id(body);
            if (run->place[body] >= 0) {
                CN_TRY(run->scene->body[body].def.type == CN_BODY_MESH
                           ? start_nodes(run, drive, id, rate, err)
                           : start_body(run, drive, id, rate, err));
            }
        }
    }
    return CN_OK;
}
