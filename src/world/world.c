// world/world.c -- create and destroy, groups, laws, rules, bodies and loads of a world.
#include "world/world.h"

#include <math.h>
#include <string.h>

cn_world_def cn_world_def_default(void)
{
    return (cn_world_def){.dim = 2,
                          .gravity = {0.0, -9.81, 0.0},
                          .theta = 0.5,
                          .gamma = -1.0,
                          .solver = cn_solver_def_default(),
                          .threads = 1};
}

double cn_world_gamma(const cn_world *w)
{
    return w->gamma_given < 0.0 ? 1.0 - w->theta : w->gamma_given;
}

static cn_status check_scheme(double theta, double gamma, cn_error *err)
{
    if (!(theta >= 0.5 && theta <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "theta is %g, it must be in [0.5, 1]", theta);
    }
    if (!(gamma <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "gamma is %g, it must be at most 1", gamma);
    }
    return CN_OK;
}

cn_status cn_world_create(const cn_world_def *def, cn_world **out, cn_error *err)
{
    CN_NEED(err, def, out);
    if (def->dim != 2 && def->dim != 3) {
        return cn_fail(err, CN_BAD_INPUT, "dimension is %d, it must be 2 or 3", def->dim);
    }
    CN_TRY(check_scheme(def->theta, def->gamma, err));
    cn_world *w = cn_resize(def->hooks, NULL, sizeof *w);
    if (w == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a world");
    }
    memset(w, 0, sizeof *w);
    if (def->hooks != NULL) {
        w->hooks = *def->hooks;
    }
    w->theta = def->theta;
    w->gamma_given = def->gamma;
    w->threads = def->threads;
    w->workspace_user = CN_WORKSPACE_NOBODY;
    w->certificate.solver.is_converged = true;
    cn_deformables_init(&w->deformables, def->dim, &w->hooks);
    cn_bodies_init(&w->bodies, def->dim, &w->deformables, &w->hooks);
    w->cell.hooks = w->loads.hooks = &w->hooks;
    w->bodies.cell = &w->cell;
    cn_detect_init(&w->detect, &w->hooks);
    cn_contacts_init(&w->contacts, &w->hooks);
    cn_joints_init(&w->joints, &w->hooks);
    w->wear.hooks = &w->hooks;
    w->growth.hooks = &w->hooks;
    cn_status status = cn_solver_create(&w->hooks, &w->solver, err);
    if (status == CN_OK) {
        status = cn_world_set_gravity(w, def->gravity, err);
    }
    if (status == CN_OK) {
        status = cn_world_set_solver(w, &def->solver, err);
    }
    if (status == CN_OK) {
        status = cn_group_add(w, "default", NULL, err);
    }
    if (status != CN_OK) {
        cn_world_destroy(w);
        return status;
    }
    *out = w;
    return CN_OK;
}

void cn_world_destroy(cn_world *w)
{
    if (w == NULL || cn_world_refuses(w, __func__)) {
        return;
    }
    cn_bodies_free(&w->bodies);
    cn_deformables_free(&w->deformables);
    cn_loads_free(&w->loads);
    cn_cell_release_control(&w->cell);
    cn_cell_free(&w->cell);
    cn_detect_free(&w->detect);
    cn_contacts_free(&w->contacts);
    cn_joints_free(&w->joints);
    cn_wear_free(&w->wear);
    cn_growth_free(&w->growth);
    cn_solver_destroy(w->solver);
    void *owned[] = {w->group_name, w->law, w->rule, w->pair_law, w->part, w->number, w->real};
    cn_hooks hooks = w->hooks;
    for (int k = 0; k < CN_WORKSPACE_BLOCKS; k++) {
        cn_release(&hooks, w->workspace[k].memory);
    }
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(&hooks, owned[k]);
    }
    cn_release(&hooks, w);
}

cn_status cn_world_set_scheme(cn_world *w, double theta, double gamma, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    CN_TRY(check_scheme(theta, gamma, err));
    w->theta = theta;
    w->gamma_given = gamma;
    return CN_OK;
}

cn_status cn_world_set_gravity(cn_world *w, const double gravity[3], cn_error *err)
{
    CN_NEED(err, w, gravity);
    CN_CHANGE(w, err);
    if (!isfinite(gravity[0] + gravity[1] + gravity[2])) {
        return cn_fail(err, CN_BAD_INPUT, "gravity is (%g, %g, %g)", gravity[0], gravity[1],
                       gravity[2]);
    }
    memcpy(w->bodies.gravity, gravity, sizeof w->bodies.gravity);
    cn_audit_start(&w->bodies, &w->ledger);
    return CN_OK;
}

cn_status cn_world_set_solver(cn_world *w, const cn_solver_def *solver, cn_error *err)
{
    CN_NEED(err, w, solver);
    CN_CHANGE(w, err);
    if ((unsigned)solver->accuracy >= CN_ACCURACY_COUNT) {
        return cn_fail(err, CN_BAD_INPUT, "solver: unknown accuracy %d", (int)solver->accuracy);
    }
    if (!(solver->eps_v >= 0.0) || !(solver->tol >= 0.0) || solver->sweep_max < 1 ||
        solver->patience < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "solver: eps_v %g, tol %g and patience %d must be at least 0 and sweep_max "
                       "%d at least 1",
                       solver->eps_v, solver->tol, solver->patience, solver->sweep_max);
    }
    w->solver_def = *solver;
    return CN_OK;
}

cn_status cn_group_add(cn_world *w, const char *name, int *group, cn_error *err)
{
    CN_NEED(err, w, name);
    CN_CHANGE(w, err);
    if (strlen(name) >= CN_GROUP_NAME_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "group name '%s' is longer than %d characters", name,
                       CN_GROUP_NAME_MAX - 1);
    }
    CN_TRY(
        cn_reserve(&w->hooks, &w->group_name, &w->group_capacity, (size_t)w->group_count + 1, err));
    strcpy(w->group_name[w->group_count], name);
    if (group != NULL) {
        *group = w->group_count;
    }
    w->group_count++;
    w->is_pair_law_stale = true;
    return CN_OK;
}

int cn_world_threads(const cn_world *w)
{
    return w != NULL ? w->threads : 0;
}

int cn_group_count(const cn_world *w)
{
    return w != NULL ? w->group_count : 0;
}

const char *cn_group_name(const cn_world *w, int group)
{
    return w != NULL && group >= 0 && group < w->group_count ? w->group_name[group] : NULL;
}

cn_status cn_law_add(cn_world *w, const cn_law_def *def, int *law, cn_error *err)
{
    CN_NEED(err, w, def, law);
    CN_CHANGE(w, err);
    const cn_law *found = def->type != NULL ? cn_law_of(def->type) : NULL;
    if (found == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "there is no such law");
    }
    for (int k = 0; k < def->type->param_count; k++) {
        const cn_param *param = &def->type->param[k];
        if (!(def->param[k] >= param->least && def->param[k] <= param->most)) {
            return cn_fail(err, CN_BAD_INPUT, "law %s: %s is %g, it must be in [%g, %g]",
                           def->type->name, param->name, def->param[k], param->least, param->most);
        }
    }
    if (found->check != NULL) {
        CN_TRY(found->check(def->param, err));
    }
    size_t count = (size_t)w->law_count + 1;
    CN_TRY(cn_reserve(&w->hooks, &w->law, &w->law_capacity, count, err));
    cn_law_entry entry = cn_law_entry_make(found, def->param);
    if (w->bodies.dim == 2 && cn_law_is_skew(&entry)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law %s: friction_2 is given, but in the plane there is one direction of "
                       "sliding only",
                       def->type->name);
    }
    w->contacts.has_skew = w->contacts.has_skew || cn_law_is_skew(&entry);
    if (w->bodies.dim == 2 && entry.spinning > 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law %s: spinning is %g, but in the plane bodies do not spin about normals: "
                       "rolling is what resists there",
                       def->type->name, entry.spinning);
    }
    double reach = found->reach != NULL ? found->reach(def->param) : 0.0;
    w->detect.law_reach = fmax(w->detect.law_reach, reach);
    w->law[w->law_count] = entry;
    *law = w->law_count++;
    return CN_OK;
}

int cn_law_count(const cn_world *w)
{
    return w != NULL ? w->law_count : 0;
}

const cn_law_type *cn_law_type_of(const cn_world *w, int law)
{
    return w != NULL && law >= 0 && law < w->law_count ? &w->law[law].type : NULL;
}

static cn_status check_rule(const cn_world *w, int group_a, int group_b, int law, cn_error *err)
{
    if (group_a < CN_GROUP_ANY || group_a >= w->group_count || group_b < CN_GROUP_ANY ||
        group_b >= w->group_count) {
        return cn_fail(err, CN_BAD_INPUT, "a rule names groups %d and %d of %d", group_a, group_b,
                       w->group_count);
    }
    if (law < CN_LAW_NO_CONTACT || law >= w->law_count) {
        return cn_fail(err, CN_BAD_INPUT, "a rule names law %d of %d", law, w->law_count);
    }
    return CN_OK;
}

cn_status cn_rule_add(cn_world *w, int group_a, int group_b, int law, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    CN_TRY(check_rule(w, group_a, group_b, law, err));
    CN_TRY(cn_reserve(&w->hooks, &w->rule, &w->rule_capacity, (size_t)w->rule_count + 1, err));
    w->rule[w->rule_count++] = (cn_rule){group_a, group_b, law};
    w->is_pair_law_stale = true;
    return CN_OK;
}

void cn_rules_clear(cn_world *w)
{
    if (w == NULL || cn_world_refuses(w, __func__)) {
        return;
    }
    w->rule_count = 0;
    w->is_pair_law_stale = true;
}

static bool rule_matches(const cn_rule *rule, int a, int b)
{
    bool forward =
        (rule->a == CN_GROUP_ANY || rule->a == a) && (rule->b == CN_GROUP_ANY || rule->b == b);
    bool backward =
        (rule->a == CN_GROUP_ANY || rule->a == b) && (rule->b == CN_GROUP_ANY || rule->b == a);
    return forward || backward;
}

cn_status cn_world_rules(cn_world *w, cn_rules *rules, cn_error *err)
{
    int n = w->group_count;
    CN_TRY(cn_reserve(&w->hooks, &w->pair_law, &w->pair_law_capacity, (size_t)n * (size_t)n, err));
    for (int a = 0; a < n && w->is_pair_law_stale; a++) {
        for (int b = 0; b < n; b++) {
            w->pair_law[n * a + b] = CN_LAW_UNKNOWN;
            for (int k = w->rule_count - 1; k >= 0; k--) {
                if (rule_matches(&w->rule[k], a, b)) {
                    w->pair_law[n * a + b] = w->rule[k].law;
                }
            }
        }
    }
    w->is_pair_law_stale = false;
    cn_joints_sort_apart(&w->joints);
    *rules = (cn_rules){.group_count = n,
                        .law = w->pair_law,
                        .apart_count = w->joints.apart_count,
                        .apart = w->joints.apart,
                        .entry_count = w->law_count,
                        .entry = w->law};
    return CN_OK;
}

// The type of the law between two groups by rules in order; NULL: no contact, or no rule.
static const cn_law *kind_between(const cn_world *w, int a, int b)
{
    for (int k = 0; k < w->rule_count; k++) {
        if (rule_matches(&w->rule[k], a, b)) {
            return w->rule[k].law >= 0 ? w->law[w->rule[k].law].law : NULL;
        }
    }
    return NULL;
}

// Types of laws of all pairs of groups.
static void list_kinds(const cn_world *w, const cn_law **kind)
{
    for (int a = 0; a < w->group_count; a++) {
        for (int b = 0; b < w->group_count; b++) {
            kind[w->group_count * a + b] = kind_between(w, a, b);
        }
    }
}

// Zeroes the states of contacts whose law was of another type.
static void drop_states(cn_world *w, const cn_law *const *old)
{
    cn_contacts *c = &w->contacts;
    for (int m = 0; m < c->memory_count; m++) {
        int a = w->bodies.group[cn_pair_i(c->memory[m].pair)];
        int b = w->bodies.group[cn_pair_j(c->memory[m].pair)];
        int end = m + 1 < c->memory_count ? c->memory_start[m + 1] : c->memory_state_count;
        if (old[w->group_count * a + b] != kind_between(w, a, b)) {
            memset(c->memory_state + c->memory_start[m], 0,
                   sizeof *c->memory_state * (size_t)(end - c->memory_start[m]));
        }
    }
}

cn_status cn_rules_set(cn_world *w, int count, const cn_rule_def *rule, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    if (count > 0) {
        CN_NEED(err, rule);
    }
    for (int k = 0; k < count; k++) {
        CN_TRY(check_rule(w, rule[k].group_a, rule[k].group_b, rule[k].law, err));
    }
    const cn_law **old = NULL;
    size_t capacity = 0, pairs = (size_t)w->group_count * (size_t)w->group_count;
    CN_TRY(cn_reserve(&w->hooks, &w->rule, &w->rule_capacity, (size_t)count + 1, err));
    CN_TRY(cn_reserve(&w->hooks, &old, &capacity, pairs, err));
    list_kinds(w, old);
    for (int k = 0; k < count; k++) {
        w->rule[k] = (cn_rule){rule[k].group_a, rule[k].group_b, rule[k].law};
    }
    w->rule_count = count;
    w->is_pair_law_stale = true;
    drop_states(w, old);
    cn_release(&w->hooks, (void *)old);
    return CN_OK;
}

cn_body_def cn_body_def_default(void)
{
    return (cn_body_def){.density = 1.0};
}

cn_status cn_body_add(cn_world *w, const cn_body_def *def, cn_body_id *id, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    if (def->group < 0 || def->group >= w->group_count) {
        return cn_fail(err, CN_BAD_INPUT, "a body belongs to group %d of %d", def->group,
                       w->group_count);
    }
    CN_TRY(cn_bodies_add(&w->bodies, def, err));
    int last = w->bodies.count - 1;
    cn_status status =
        def->wear != 0.0 ? cn_wear_add(&w->wear, &w->bodies, last, def->wear, err) : CN_OK;
    if (status != CN_OK) {
        cn_bodies_remove(&w->bodies, last);
        return status;
    }
    w->is_set_up = false;
    if (id != NULL) {
        *id = w->bodies.id[last];
    }
    const cn_ledger before = w->ledger;
    cn_audit_add(&w->bodies, last, &w->ledger);
    cn_audit_flow(&before, CN_ENERGY_INFLOW, w->step, &w->ledger);
    return CN_OK;
}

static cn_status find(const cn_world *w, cn_body_id id, int *slot, cn_error *err)
{
    *slot = cn_bodies_find(&w->bodies, id);
    return *slot >= 0 ? CN_OK
                      : cn_fail(err, CN_BAD_INPUT, "there is no body %llu", (unsigned long long)id);
}

cn_status cn_body_remove(cn_world *w, cn_body_id id, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    int i;
    CN_TRY(find(w, id, &i, err));
    cn_loads_forget(&w->loads, id);
    cn_wear_forget(&w->wear, id);
    cn_growth_forget(&w->growth, id);
    cn_contact_forget_body(&w->contacts, i);
    w->is_set_up = false;
    const cn_ledger before = w->ledger;
    double in_joints = cn_joints_energy(&w->joints, &w->bodies);
    cn_joints_forget_body(&w->joints, i, w->bodies.deformable[i]);
    cn_bodies_remove(&w->bodies, i);
    w->ledger.storage += cn_joints_energy(&w->joints, &w->bodies) - in_joints;
    cn_audit_start(&w->bodies, &w->ledger);
    cn_audit_flow(&before, CN_ENERGY_OUTFLOW, w->step, &w->ledger);
    return CN_OK;
}

cn_status cn_body_get(const cn_world *w, cn_body_id id, cn_body_state *state, cn_error *err)
{
    CN_NEED(err, w, state);
    int i;
    CN_TRY(find(w, id, &i, err));
    const cn_bodies *b = &w->bodies;
    const double *q = cn_body_q(b, b->q, i), *v = cn_body_v(b, b->v, i);
    *state = (cn_body_state){
        .mass = b->mass[i], .size = b->size[i], .group = b->group[i], .fixed = b->fixed[i]};
    memcpy(state->position, q, sizeof(double) * (size_t)b->dim);
    memcpy(state->velocity, v, sizeof(double) * (size_t)b->dim);
    if (b->dim == 2) {
        state->angle = q[2];
        state->angular_velocity[2] = v[2];
        state->inertia[2] = b->inertia[i];
        return CN_OK;
    }
    const double *frame = b->frame + 4 * i;
    cn_quat turn = cn_quat_mul((cn_quat){q[3], q[4], q[5], q[6]},
                               (cn_quat){frame[0], frame[1], frame[2], frame[3]});
    memcpy(state->rotation, &turn, sizeof turn);
    memcpy(state->angular_velocity, v + 3, sizeof state->angular_velocity);
    memcpy(state->inertia, b->inertia + 3 * i, sizeof state->inertia);
    return CN_OK;
}

cn_status cn_body_set(cn_world *w, cn_body_id id, const cn_body_state *state, cn_error *err)
{
    CN_NEED(err, w, state);
    CN_CHANGE(w, err);
    int i;
    CN_TRY(find(w, id, &i, err));
    cn_bodies *b = &w->bodies;
    if (b->deformable[i] >= 0) {
        return cn_fail(err, CN_BAD_INPUT, "body %llu is deformable: use cn_body_set_nodes",
                       (unsigned long long)id);
    }
    double q[7], v[6];
    memcpy(q, state->position, sizeof(double) * (size_t)b->dim);
    memcpy(v, state->velocity, sizeof(double) * (size_t)b->dim);
    if (b->dim == 2) {
        q[2] = state->angle;
        v[2] = state->angular_velocity[2];
    } else {
        const double *frame = b->frame + 4 * i, *turn = state->rotation;
        cn_quat back = {frame[0], -frame[1], -frame[2], -frame[3]};
        cn_quat principal =
            cn_quat_unit(cn_quat_mul((cn_quat){turn[0], turn[1], turn[2], turn[3]}, back));
        memcpy(q + 3, &principal, sizeof principal);
        memcpy(v + 3, state->angular_velocity, sizeof state->angular_velocity);
    }
    double sum = 0.0;
    for (int k = 0; k < b->kind->q_size; k++) {
        sum += q[k];
    }
    for (int k = 0; k < b->kind->dof; k++) {
        sum += v[k];
    }
    if (!isfinite(sum)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu: position (%g, %g), velocity (%g, %g): all must be finite",
                       (unsigned long long)id, q[0], q[1], v[0], v[1]);
    }
    memcpy(b->q + b->kind->q_size * i, q, sizeof(double) * (size_t)b->kind->q_size);
    memcpy(b->v + b->kind->dof * i, v, sizeof(double) * (size_t)b->kind->dof);
    cn_audit_start(b, &w->ledger);
    return CN_OK;
}

cn_status cn_body_fix(cn_world *w, cn_body_id id, unsigned fixed, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    int i;
    CN_TRY(find(w, id, &i, err));
    const cn_bodies *b = &w->bodies;
    if (b->deformable[i] >= 0) {
        w->bodies.deformables->body[b->deformable[i]].fixed = fixed;
        return CN_OK;
    }
    const double *J = b->inertia + b->kind->inertia_size * i;
    double least = b->dim == 2 ? J[0] : fmin(J[0], fmin(J[1], J[2]));
    cn_body_def def = {.fixed = fixed};
    CN_TRY(cn_bodies_check_mass(b, &def, b->mass[i], least, err));
    w->bodies.fixed[i] = fixed;
    return CN_OK;
}

cn_status cn_drive_add(cn_world *w, const cn_drive_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    return cn_loads_add_drive(&w->loads, &w->bodies, def, w->t, err);
}

cn_status cn_force_add(cn_world *w, const cn_force_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    return cn_loads_add_force(&w->loads, &w->bodies, def, w->t, err);
}

cn_status cn_around_add(cn_world *w, const cn_around_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    return cn_loads_add_around(&w->loads, &w->bodies, def, w->t, err);
}

cn_status cn_around_get(const cn_world *w, int k, cn_around_state *state, cn_error *err)
{
    CN_NEED(err, w, state);
    CN_CHANGE(w, err);
    if (k < 0 || k >= w->loads.around_count) {
        return cn_fail(err, CN_BAD_INPUT, "there is no pressure around bodies of number %d", k);
    }
    cn_around_show(&w->loads.around[k], &w->bodies, state);
    return CN_OK;
}

cn_status cn_face_load_add(cn_world *w, const cn_face_load_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    return cn_loads_add_face_load(&w->loads, &w->bodies, def, w->t, err);
}

cn_status cn_face_load_get(const cn_world *w, int k, cn_face_load_state *state, cn_error *err)
{
    CN_NEED(err, w, state);
    CN_CHANGE(w, err);
    if (k < 0 || k >= w->loads.face_count) {
        return cn_fail(err, CN_BAD_INPUT, "there is no load on free faces of number %d", k);
    }
    *state = w->loads.face[k].state;
    return CN_OK;
}

cn_status cn_face_load_forces(cn_world *w, const cn_face_load_def *def, double *six, cn_error *err)
{
    CN_NEED(err, w, def, six);
    CN_CHANGE(w, err);
    cn_face_load a;
    CN_TRY(cn_face_load_own(w->loads.hooks, &w->bodies, def, w->t, &a, err));
    cn_load_value value;
    cn_status status = cn_load_value_of(&a.def.f, def->body_count > 0 ? def->body[0] : 0, 0.0, 0.0,
                                        0.0, &value, err);
    CN_THEN(status, cn_face_load_sum(w->loads.hooks, &a, value.f_0, 0.0, &w->bodies, err));
    for (int n = 0; n < def->body_count && status == CN_OK; n++) {
        cn_face_load_six(&a, n, six + 6 * (size_t)n);
    }
    cn_face_load_free(w->loads.hooks, &a);
    return status;
}

void cn_loads_clear(cn_world *w)
{
    if (w != NULL && !cn_world_refuses(w, __func__)) {
        cn_loads_remove_all(&w->loads);
        cn_growth_stop(&w->growth);
    }
}

cn_status cn_growth_add(cn_world *w, const cn_growth_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    CN_TRY(cn_growth_define(&w->growth, &w->bodies, def, w->t, err));
    cn_growth_end(&w->growth, &w->bodies, w->t);
    w->is_set_up = false;
    return CN_OK;
}

cn_status cn_world_find_points(cn_world *w, double reach, cn_error *err)
{
    cn_rules rules;
    CN_TRY(cn_world_rules(w, &rules, err));
    CN_TRY(cn_world_wrap(w, err));
    CN_TRY(cn_load_eval(&w->loads, w->t, 1.0, w->theta, &w->bodies, err));
    if (w->cell.is_there) {
        CN_TRY(cn_cell_check(&w->bodies, err));
    }
    cn_bodies_place(&w->bodies, &(cn_scheme){.h = 1.0, .theta = w->theta, .gamma = 0.0});
    CN_TRY(cn_detect_reach(&w->detect, &w->bodies, reach, err));
    CN_TRY(cn_detect_broad(&w->detect, &w->bodies, &rules, err));
    return cn_detect_narrow(&w->detect, &w->bodies, &rules, err);
}

static cn_status find_within(cn_world *w, double reach, cn_error *err)
{
    CN_TRY(cn_world_find_points(w, reach, err));
    return cn_contact_match(&w->contacts, &w->bodies, w->law, w->detect.point,
                            w->detect.point_count, w->detect.anchor, err);
}

cn_status cn_world_detect(cn_world *w, double reach, cn_error *err)
{
    CN_NEED(err, w);
    if (!(reach >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "reach is %g m, it must be >= 0", reach);
    }
    CN_TRY(cn_world_take(w, __func__, err));
    cn_world_use_workspace(w, CN_WORKSPACE_DETECTION);
    cn_status found = find_within(w, reach, err);
    cn_world_use_workspace(w, CN_WORKSPACE_NOBODY);
    cn_world_give(w);
    CN_TRY(found);
    for (int a = 0; a <= w->contacts.count; a++) {
        w->contacts.state_start[a] = 0;
    }
    w->is_set_up = true;
    return CN_OK;
}
