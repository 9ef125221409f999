// scene/observe/observe_energy.c -- energies of a selection of bodies.
#include "cairn/vec.h"
#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static const cn_key energy_keys[] = {
    {.name = "group", .type = CN_TYPE_TEXT, .fallback = "any", .help = "which bodies"},
};
static const cn_section energy = {"energy", "kinetic energy and potential energy in gravity",
                                  KEYS(energy_keys), .short_scalar = "group"};

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    const cn_value *group = cn_value_get(value, "group");
    bool is_good = false;
    return cn_make_pick(m, group->at, group->text, NULL, &observer->a, &is_good);
}

// Energy of rotation of body i.
static double turning_energy(const cn_view *view, int i)
{
    if (view->dim == 2) {
        double spin = view->v[3 * i + 2];
        return 0.5 * view->inertia[i] * spin * spin;
    }
    const double *q = view->q + 7 * i, *rate = view->v + 6 * i + 3, *J = view->inertia + 3 * i;
    cn_mat3 R = cn_quat_matrix((cn_quat){q[3], q[4], q[5], q[6]});
    cn_vec3 own = cn_mat3_mul_transposed(&R, cn_v3(rate[0], rate[1], rate[2]));
    return 0.5 * (J[0] * own.x * own.x + J[1] * own.y * own.y + J[2] * own.z * own.z);
}

static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_view *view = now->view;
    const cn_pick *pick = &o->a;
    const double *g = now->stage->gravity;
    out[0] = out[1] = 0.0;
    for (int k = 0; k < pick->count; k++) {
        int i = now->place[pick->body[k]];
        if (i >= 0) {
            const double *q = view->q + cn_q_size(view->dim) * i;
            const double *v = view->v + cn_dof_count(view->dim) * i;
            double square = 0.0, height = 0.0;
            for (int d = 0; d < view->dim; d++) {
                square += v[d] * v[d];
                height += g[d] * q[d];
            }
            out[0] += 0.5 * view->mass[i] * square + turning_energy(view, i);
            out[1] -= view->mass[i] * height;
        }
    }
}

const cn_observer_type cn_observer_energy = {.key = {.name = "energy",
                                                     .type = CN_TYPE_MAP,
                                                     .section = &energy,
                                                     OPTIONAL,
                                                     .help = "energy of a selection"},
                                             .make = make,
                                             .observe = observe,
                                             .plane = "kinetic potential",
                                             .space = "kinetic potential"};
