// world/world_joint.c -- joints of a world: add, remove, ask.
#include <math.h>

#include "world/world.h"

cn_status cn_joint_add(cn_world *w, const cn_joint_def *def, cn_joint_id *id, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    CN_TRY(cn_joints_add(&w->joints, &w->bodies, def, err));
    const cn_link *link = &w->joints.link[w->joints.count - 1];
    w->ledger.storage += cn_link_energy_now(link, &w->bodies);
    if (id != NULL) {
        *id = link->id;
    }
    return CN_OK;
}

static cn_status check_drives(cn_world *w, double h, cn_error *err)
{
    cn_bodies *b = &w->bodies;
    CN_TRY(cn_load_eval(&w->loads, w->t, h, w->theta, b, err));
    b->kind->free_motion(b, h, w->theta, cn_world_gamma(w));
    CN_TRY(cn_joint_check_drives(&w->joints, b, h, err));
    return cn_joint_check_together(&w->joints, b, h, err);
}

cn_status cn_world_check_drives(cn_world *w, double h, cn_error *err)
{
    CN_NEED(err, w);
    if (!(h > 0.0) || !isfinite(h)) {
        return cn_fail(err, CN_BAD_INPUT, "time step must be > 0 s, got %g", h);
    }
    CN_TRY(cn_world_take(w, __func__, err));
    cn_status status = check_drives(w, h, err);
    cn_world_give(w);
    return status;
}

static cn_status find(const cn_world *w, cn_joint_id id, int *n, cn_error *err)
{
    *n = cn_joints_find(&w->joints, id);
    return *n >= 0 ? CN_OK
                   : cn_fail(err, CN_BAD_INPUT, "there is no joint %llu", (unsigned long long)id);
}

cn_status cn_joint_remove(cn_world *w, cn_joint_id id, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    int n;
    CN_TRY(find(w, id, &n, err));
    w->ledger.storage -= cn_link_energy_now(&w->joints.link[n], &w->bodies);
    cn_joints_remove(&w->joints, n);
    return CN_OK;
}

cn_status cn_joint_get(const cn_world *w, cn_joint_id id, cn_joint_state *state, cn_error *err)
{
    CN_NEED(err, w, state);
    int n;
    CN_TRY(find(w, id, &n, err));
    *state = w->joints.state[n];
    return CN_OK;
}

cn_status cn_joint_set_motor(cn_world *w, cn_joint_id id, double speed, double limit, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    int n;
    CN_TRY(find(w, id, &n, err));
    cn_link *link = &w->joints.link[n];
    if (!cn_joint_type_of(link->kind)->has_motor) {
        return cn_fail(err, CN_BAD_INPUT, "joint %llu is a %s: a hinge or a slider has a motor",
                       (unsigned long long)id, cn_joint_kind_name(link->kind));
    }
    if (!isfinite(speed) || !(limit >= 0.0) || !isfinite(limit)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "motor of joint %llu: speed %g must be finite and limit %g >= 0",
                       (unsigned long long)id, speed, limit);
    }
    link->motor_speed = speed;
    link->motor_limit = limit;
    cn_link_list_rows(link, w->bodies.dim);
    return CN_OK;
}
