// world/world_cell.c -- the periodic cell of a world (cairn/cell.h).
#include <math.h>
#include <string.h>

#include "world/world.h"

cn_status cn_world_set_cell(cn_world *w, const cn_cell_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    cn_cell_release_control(&w->cell);
    CN_TRY(cn_cell_define(&w->cell, w->bodies.dim, def, err));
    w->is_set_up = false;
    return CN_OK;
}

cn_status cn_world_control_cell(cn_world *w, const cn_cell_control control[CN_CELL_COMPONENT_COUNT],
                                cn_error *err)
{
    CN_NEED(err, w, control);
    CN_CHANGE(w, err);
    if (!w->cell.is_there) {
        return cn_fail(err, CN_BAD_INPUT, "the world has no cell whose rates could be given");
    }
    CN_TRY(cn_cell_set_control(&w->cell, control, w->t, err));
    cn_audit_start(&w->bodies, &w->ledger);
    return CN_OK;
}

// What contacts and the motion of bodies carry: at rest the stress that is asked for (15.9).
static void find_carried(const cn_world *w, double carried[9])
{
    const cn_cell *c = &w->cell;
    double volume = cn_periodic_volume(c, c->C_mid), h = w->contacts.h;
    for (int k = 0; k < 9; k++) {
        carried[k] = h > 0.0 ? -(c->push[k] / h + c->flow[k]) / volume : 0.0;
    }
}

cn_status cn_world_cell(const cn_world *w, cn_cell_state *state, cn_error *err)
{
    CN_NEED(err, w, state);
    const cn_cell *c = &w->cell;
    *state = (cn_cell_state){.is_there = c->is_there};
    if (!c->is_there) {
        return CN_OK;
    }
    memcpy(state->is_periodic, c->is_periodic, sizeof c->is_periodic);
    memcpy(state->vectors, c->C, sizeof c->C);
    memcpy(state->gradient, c->L, sizeof c->L);
    memcpy(state->strain, c->strain, sizeof c->strain);
    state->volume = cn_periodic_volume(c, c->C);
    state->inertia = c->J;
    state->stress_components = c->free;
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        state->applied[k] = (c->free & 1u << k) != 0 ? c->target[k] : 0.0;
    }
    find_carried(w, state->carried);
    return CN_OK;
}

cn_status cn_world_unwrapped(const cn_world *w, int i, double place[3], cn_error *err)
{
    CN_NEED(err, w, place);
    const cn_bodies *b = &w->bodies;
    if (i < 0 || i >= b->count) {
        return cn_fail(err, CN_BAD_INPUT, "there is no body number %d", i);
    }
    const double *q = cn_body_q(b, b->q, i);
    const int *n = b->image + 3 * i;
    cn_vec3 by = cn_cell_mul(w->cell.C, cn_v3(n[0], n[1], n[2]));
    place[0] = q[0] + by.x;
    place[1] = q[1] + by.y;
    place[2] = b->dim == 3 ? q[2] + by.z : 0.0;
    return CN_OK;
}

// What a cell does not know: joints, and laws that bond.
static cn_status check_links(const cn_world *w, cn_error *err)
{
    if (w->joints.count > 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "joint %llu is in a world with a periodic cell, which knows no joints: make "
                       "what it joins one body of several parts, or put walls around it",
                       (unsigned long long)w->joints.link[0].id);
    }
    for (int k = 0; k < w->law_count; k++) {
        if (w->law[k].law->is_bonding) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "law %s bonds surfaces; in a world with a periodic cell it is not known: "
                "take one that acts between what touches, or put walls around the bodies",
                w->law[k].type.name);
        }
    }
    return CN_OK;
}

cn_status cn_world_wrap(cn_world *w, cn_error *err)
{
    if (!w->cell.is_there) {
        return CN_OK;
    }
    bool some;
    CN_TRY(check_links(w, err));
    CN_TRY(cn_cell_wrap(&w->bodies, &some, err));
    if (some) {
        cn_contact_rewrap(&w->contacts, &w->bodies);
        cn_audit_start(&w->bodies, &w->ledger);
    }
    return CN_OK;
}
