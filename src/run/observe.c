// run/observe.c -- observed scalars of each step: resultants of contact forces, tracked
// bodies, energies of selections. Forces are the mean over the step: impulse over h.
#include "analyse/analyse.h"
#include "base/memory.h"
#include "run/run.h"
#include "scene/keys/keys.h"

#include "cairn/vec.h"

#include <string.h>

// A kind of observer: what gives its scalars, and their names in the plane and in space.
typedef struct observer_type {
    void (*observe)(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                    double *out);
    const char *plane, *space;   // separated by blanks, in the order in which they are written
    const cn_analysis *analysis; // or what finds and names them
} observer_type;

static const observer_type types[CN_OBSERVER_KIND_COUNT];

static const char *parts_of(cn_observer_kind kind, int dim)
{
    const observer_type *type = &types[kind];
    if (type->analysis != NULL) {
        return dim == 2 ? type->analysis->plane : type->analysis->space;
    }
    return dim == 2 ? type->plane : type->space;
}

static int count_parts(cn_observer_kind kind, int dim)
{
    char part[64];
    int count = 0;
    while (cn_choice_at(parts_of(kind, dim), count, part)) {
        count++;
    }
    return count;
}

static cn_status name_series(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    int at = 0;
    for (int o = 0; o < scene->observer_count; o++) {
        const char *parts = parts_of(scene->observer[o].kind, scene->dim);
        char part[64];
        for (int k = 0; cn_choice_at(parts, k, part); k++) {
            char *name = cn_arena_print(&run->arena, err, "%s.%s", scene->observer[o].name, part);
            if (name == NULL) {
                return CN_NO_MEMORY;
            }
            run->series_name[at++] = name;
        }
    }
    return CN_OK;
}

static void mark(const cn_pick *pick, unsigned char *mask)
{
    for (int k = 0; k < pick->count; k++) {
        mask[pick->body[k]] = 1;
    }
}

cn_status cn_run_observe_prepare(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    run->series_count = 0;
    for (int o = 0; o < scene->observer_count; o++) {
        run->series_count += count_parts(scene->observer[o].kind, scene->dim);
    }
    size_t series = (size_t)run->series_count;
    size_t masks = (size_t)scene->observer_count * (size_t)scene->body_count;
    run->series = cn_arena_take(&run->arena, series, sizeof *run->series, err);
    run->series_name = cn_arena_take(&run->arena, series, sizeof *run->series_name, err);
    run->in_a = cn_arena_take(&run->arena, masks, 1, err);
    run->in_b = cn_arena_take(&run->arena, masks, 1, err);
    size_t bodies = (size_t)scene->body_count;
    run->is_analysed = cn_arena_take(&run->arena, bodies, sizeof *run->is_analysed, err);
    run->analyse_room = cn_arena_take(&run->arena, bodies, sizeof *run->analyse_room, err);
    if (!run->series || !run->series_name || !run->in_a || !run->in_b || !run->is_analysed ||
        !run->analyse_room) {
        return CN_NO_MEMORY;
    }
    for (int o = 0; o < scene->observer_count; o++) {
        size_t start = (size_t)o * (size_t)scene->body_count;
        mark(&scene->observer[o].a, run->in_a + start);
        mark(&scene->observer[o].b, run->in_b + start);
    }
    return name_series(run, err);
}

void cn_run_find_places(cn_run *run)
{
    cn_view view = cn_world_view(run->world);
    for (int k = 0; k < run->scene->body_count; k++) {
        run->place[k] = -1;
    }
    for (int i = 0; i < view.body_count; i++) {
        run->place[view.id[i] - cn_scene_body_id(0)] = i;
    }
}

// Sum over contacts between a and b of the force on a, and its moment about a point.
static void observe_resultant(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                              double *out)
{
    size_t start = (size_t)(o - run->scene->observer) * (size_t)run->scene->body_count;
    const unsigned char *in_a = run->in_a + start, *in_b = run->in_b + start;
    double h = view->certificate->h;
    cn_vec3 about = cn_v3(o->about[0], o->about[1], o->about[2]);
    cn_vec3 sum = {0}, moment = {0};
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        int i = (int)(view->id[c->i] - cn_scene_body_id(0));
        int j = (int)(view->id[c->j] - cn_scene_body_id(0));
        int sign = (in_a[i] && in_b[j]) - (in_a[j] && in_b[i]);
        if (sign != 0) {
            double r[3];
            cn_contact_impulse(c, view->dim, r);
            cn_vec3 force = cn_mul3(sign / h, cn_v3(r[0], r[1], r[2]));
            cn_vec3 arm = cn_sub3(cn_v3(c->point[0], c->point[1], c->point[2]), about);
            sum = cn_add3(sum, force);
            moment = cn_add3(moment, cn_cross3(arm, force));
        }
    }
    if (view->dim == 2) {
        memcpy(out, (double[3]){sum.x, sum.y, moment.z}, 3 * sizeof *out);
    } else {
        memcpy(out, (double[6]){sum.x, sum.y, sum.z, moment.x, moment.y, moment.z},
               6 * sizeof *out);
    }
}

// A body that has been removed gives NaN: the series shows where it went.
static void observe_track(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                          double *out)
{
    int i = run->place[o->a.body[0]];
    int q_size = cn_run_q_size(run), dof = cn_dof_count(view->dim);
    for (int d = 0; d < q_size; d++) {
        out[d] = i < 0 ? NAN : view->q[q_size * i + d];
    }
    for (int d = 0; d < dof; d++) {
        out[q_size + d] = i < 0 ? NAN : view->v[dof * i + d];
    }
    cn_body_state state;
    // The orientation of the frame in which the scene gives the shapes, not of the principal axes.
    if (view->dim == 3 && i >= 0 && cn_body_get(run->world, view->id[i], &state, NULL) == CN_OK) {
        memcpy(out + 3, state.rotation, sizeof state.rotation);
    }
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

static void observe_energy(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                           double *out)
{
    const cn_pick *pick = &o->a;
    const double *g = run->scene->stage[run->clock.stage].gravity;
    out[0] = out[1] = 0.0;
    for (int k = 0; k < pick->count; k++) {
        int i = run->place[pick->body[k]];
        if (i >= 0) {
            const double *q = view->q + cn_run_q_size(run) * i;
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

// A joint that is gone gives NaN, one that is broken no force.
static void observe_joint(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                          double *out)
{
    cn_joint_state s;
    int count = count_parts(CN_OBSERVE_JOINT, view->dim);
    cn_joint_id id = (cn_joint_id)(run->scene->joint[o->joint].first + 1);
    for (int k = 0; k < count; k++) {
        out[k] = NAN;
    }
    if (cn_joint_get(run->world, id, &s, NULL) != CN_OK) {
        return;
    }
    double h = view->certificate->h;
    for (int d = 0; d < view->dim; d++) {
        *out++ = s.impulse[d] / h;
    }
    for (int d = view->dim == 2 ? 2 : 0; d < 3; d++) {
        *out++ = s.moment[d] / h;
    }
    memcpy(out, (double[5]){s.motor / h, s.gap, s.position, s.speed, s.stop / h}, 5 * sizeof *out);
}

// Mean displacement of the nodes and sums of the forces on them; bodies that are gone count no
// more.
static void observe_nodes(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                          double *out)
{
    const cn_pick *pick = &o->a;
    int dim = view->dim, total = 0;
    double h = view->certificate->h;
    memset(out, 0, sizeof *out * 3 * (size_t)dim);
    for (int k = 0; k < pick->count; k++) {
        cn_node_view nodes;
        const int *list = NULL;
        cn_body_id id = cn_scene_body_id(pick->body[k]);
        if (run->place[pick->body[k]] < 0 || cn_body_nodes(run->world, id, &nodes, NULL) != CN_OK) {
            continue;
        }
        int count = nodes.node_count;
        if (pick->set != NULL) {
            cn_body_node_set(run->world, id, pick->set, &count, &list, NULL);
        }
        for (int n = 0; n < dim * count; n++) {
            int d = n % dim, at = dim * (list != NULL ? list[n / dim] : n / dim) + d;
            out[d] += nodes.x[at] - nodes.X[at] - nodes.at[d];
            out[dim + d] += h > 0.0 ? nodes.reaction[at] / h : 0.0;
            out[2 * dim + d] += h > 0.0 ? nodes.impulse[at] / h : 0.0;
        }
        total += count;
    }
    for (int d = 0; d < dim; d++) {
        out[d] = total > 0 ? out[d] / total : NAN;
    }
}

// Vectors, strain, volume, and the stress that is carried, pressure positive as in other series.
static void observe_cell(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                         double *out)
{
    static const int place[2][6] = {{0, 4, 1}, {0, 4, 8, 1, 2, 5}}; // xx yy zz xy xz yz
    (void)o;
    cn_cell_state s = {.is_there = false};
    cn_world_cell(run->world, &s, NULL);
    int count = view->dim == 2 ? 3 : 6;
    const int *at = place[view->dim - 2];
    for (int k = 0; k < count; k++) {
        out[k] = s.vectors[at[k]];
        out[count + k] = s.strain[at[k]];
        out[2 * count + 1 + k] = -s.carried[at[k]];
    }
    out[2 * count] = s.volume;
}

// Bodies that are gone count no more.
static void observe_analysis(const cn_run *run, const cn_view *view, const cn_scene_observer *o,
                             double *out)
{
    cn_sample sample = cn_sample_of_view(view);
    memset(run->is_analysed, 0, sizeof *run->is_analysed * (size_t)view->body_count);
    for (int k = 0; k < o->a.count; k++) {
        int i = run->place[o->a.body[k]];
        if (i >= 0) {
            run->is_analysed[i] = true;
        }
    }
    sample.is_in = run->is_analysed;
    sample.volume = o->volume;
    sample.room = run->analyse_room;
    types[o->kind].analysis->find(&sample, out);
}

static const observer_type types[CN_OBSERVER_KIND_COUNT] = {
    [CN_OBSERVE_RESULTANT] = {observe_resultant, "fx fy moment", "fx fy fz mx my mz"},
    [CN_OBSERVE_TRACK] = {observe_track, "x y angle vx vy spin",
                          "x y z qw qx qy qz vx vy vz wx wy wz"},
    [CN_OBSERVE_ENERGY] = {observe_energy, "kinetic potential", "kinetic potential"},
    [CN_OBSERVE_JOINT] = {observe_joint, "fx fy moment motor gap position speed stop",
                          "fx fy fz mx my mz motor gap position speed stop"},
    [CN_OBSERVE_NODES] = {observe_nodes, "ux uy rx ry cx cy", "ux uy uz rx ry rz cx cy cz"},
    [CN_OBSERVE_CELL] =
        {observe_cell, "cxx cyy cxy exx eyy exy volume sxx syy sxy",
         "cxx cyy czz cxy cxz cyz exx eyy ezz exy exz eyz volume sxx syy szz sxy sxz "
         "syz"},
    [CN_OBSERVE_STRESS] = {observe_analysis, .analysis = &cn_analysis_stress},
    [CN_OBSERVE_FABRIC] = {observe_analysis, .analysis = &cn_analysis_fabric},
    [CN_OBSERVE_COORDINATION] = {observe_analysis, .analysis = &cn_analysis_coordination},
};

void cn_run_observe(cn_run *run)
{
    const cn_scene *scene = run->scene;
    cn_view view = cn_world_view(run->world);
    double *out = run->series;
    for (int o = 0; o < scene->observer_count; o++) {
        const cn_scene_observer *observer = &scene->observer[o];
        types[observer->kind].observe(run, &view, observer, out);
        out += count_parts(observer->kind, scene->dim);
    }
}
