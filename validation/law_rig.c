// validation/law_rig.c -- see law_rig.h.
#include "law_rig.h"

#include <math.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cn_status status_ = (call);                                                                \
        if (status_ != CN_OK) {                                                                    \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)

static cn_status add_box(cn_world *w, double y, unsigned fixed, cn_body_id *id, cn_error *err)
{
    const double corner[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
    cn_shape_def box = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = corner};
    cn_body_def def = {.shapes = {1, &box}, .density = 1000.0, .at = {0.0, y}, .fixed = fixed};
    return cn_body_add(w, &def, id, err);
}

static cn_status set_velocity(cn_law_rig *rig, cn_body_id id, const double v[2], cn_error *err)
{
    cn_body_state s;
    TRY(cn_body_get(rig->world, id, &s, err));
    s.velocity[0] = v[0];
    s.velocity[1] = id == rig->block && rig->pressure > 0.0 ? 0.0 : v[1];
    return cn_body_set(rig->world, id, &s, err);
}

cn_status cn_law_rig_lead(cn_law_rig *rig, const double velocity[2], cn_error *err)
{
    cn_loads_clear(rig->world);
    for (int dof = 0; dof < 3; dof++) {
        cn_drive_def drive = {.body = rig->grip,
                              .kind = CN_DRIVE_VELOCITY,
                              .dof = dof == 2 ? CN_DOF_RZ : (cn_dof)dof,
                              .f = {.c = dof < 2 ? velocity[dof] : 0.0},
                              .t0 = NAN};
        TRY(cn_drive_add(rig->world, &drive, err));
    }
    if (rig->pressure > 0.0) {
        cn_force_def force = {.body = rig->block,
                              .direction = {0.0, -1.0, 0.0},
                              .f = {.c = rig->pressure},
                              .t0 = NAN};
        TRY(cn_force_add(rig->world, &force, err));
    }
    TRY(set_velocity(rig, rig->grip, velocity, err));
    return set_velocity(rig, rig->block, velocity, err);
}

cn_status cn_law_rig_add(cn_world *world, double pressure, const double velocity[2],
                         cn_law_rig *rig, cn_error *err)
{
    bool is_pressed = pressure > 0.0;
    cn_body_id base;
    cn_joint_id id;
    *rig = (cn_law_rig){.world = world, .pressure = pressure};
    TRY(add_box(world, -0.5, CN_FIXED_ALL, &base, err));
    TRY(add_box(world, 0.5, is_pressed ? 1u << CN_DOF_RZ : 0, &rig->block, err));
    TRY(add_box(world, 5.0, 0, &rig->grip, err));
    cn_joint_def joint = {.kind = is_pressed ? CN_JOINT_SLIDER : CN_JOINT_FIXED,
                          .body = rig->block,
                          .other = rig->grip,
                          .at = {0.0, 0.5, 0.0},
                          .axis = {0.0, 1.0, 0.0}};
    TRY(cn_joint_add(world, &joint, &id, err));
    return cn_law_rig_lead(rig, velocity, err);
}

double cn_law_rig_state(const cn_law_rig *rig, const char *name)
{
    cn_view view = cn_world_view(rig->world);
    int a = view.contact_count > 2 ? 1 : 0;
    if (view.contact_count == 0) {
        return NAN;
    }
    const cn_law_type *type = cn_law_type_of(rig->world, view.contact[a].law);
    bool is_kept = view.state_start[a + 1] - view.state_start[a] >= type->state_count;
    for (int k = 0; k < type->state_count && is_kept; k++) {
        if (strcmp(type->state_name[k], name) == 0) {
            return view.state[view.state_start[a] + k];
        }
    }
    return NAN;
}

void cn_law_rig_traction(const cn_law_rig *rig, double h, double traction[2])
{
    cn_view view = cn_world_view(rig->world);
    traction[0] = traction[1] = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        const double *n = x->normal; // from the second body to the first, on which r acts
        double upper = n[1] > 0.0 ? 1.0 : -1.0;
        traction[0] += upper * (x->r[0] * n[0] - x->r[1] * n[1]) / h;
        traction[1] -= upper * (x->r[0] * n[1] + x->r[1] * n[0]) / h;
    }
}

void cn_law_rig_place(const cn_law_rig *rig, double place[2])
{
    cn_body_state s;
    bool is_known = cn_body_get(rig->world, rig->block, &s, NULL) == CN_OK;
    place[0] = is_known ? s.position[0] : NAN;
    place[1] = is_known ? s.position[1] - 0.5 : NAN;
}
