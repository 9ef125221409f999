// validation/trial.c -- one world under test: every step is booked, the first failure ends it.
#include "validation.h"

#include <string.h>

cn_world_def cn_trial_def(void)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[0] = 0.0;
    def.gravity[1] = -9.81;
    def.theta = 0.5;
    def.gamma = -1.0;
    def.solver.eps_v = 1e-10;
    def.solver.tol = 1e-10;
    def.solver.sweep_max = 400000;
    return def;
}

bool cn_trial_ok(cn_trial *t, cn_status status, const cn_error *err)
{
    if (status == CN_OK) {
        return true;
    }
    if (!t->is_broken) {
        cn_book_failure(t->book, err->text);
    }
    t->is_broken = true;
    return false;
}

static void turn_out(const cn_place *place, const double a[3], double out[3])
{
    cn_vec3 turned = cn_place_out(place, cn_v3(a[0], a[1], a[2]));
    out[0] = turned.x;
    out[1] = turned.y;
    out[2] = turned.z;
}

cn_trial cn_trial_begin_at(cn_book *book, const cn_world_def *def, const cn_place *place)
{
    cn_trial t = {.book = book, .place = *place};
    cn_world_def placed = *def;
    cn_error err;
    placed.dim = place->dim;
    turn_out(place, def->gravity, placed.gravity);
    cn_trial_ok(&t, cn_world_create(&placed, &t.world, &err), &err);
    cn_book_accuracy(book, def->solver.eps_v);
    return t;
}

cn_trial cn_trial_begin(cn_book *book, const cn_world_def *def)
{
    cn_place plane = cn_place_plane();
    return cn_trial_begin_at(book, def, &plane);
}

cn_trial cn_trial_begin_scene(cn_book *book, const char *text, const cn_solver_def *solver)
{
    cn_trial t = {.book = book, .place = cn_place_plane()};
    cn_scene *scene = NULL;
    cn_error err;
    if (cn_trial_ok(&t,
                    cn_scene_read(&(cn_scene_source){.name = "scene of a case", .text = text}, NULL,
                                  NULL, &scene, &err),
                    &err) &&
        cn_trial_ok(&t, cn_scene_build(scene, 1, &t.world, &err), &err)) {
        t.place.dim = cn_world_view(t.world).dim;
        cn_trial_ok(&t, cn_world_set_solver(t.world, solver, &err), &err);
    }
    cn_scene_destroy(scene);
    cn_book_accuracy(book, solver->eps_v);
    return t;
}

void cn_trial_end(cn_trial *t)
{
    cn_world_destroy(t->world);
    *t = (cn_trial){.book = t->book, .place = t->place, .is_broken = true};
}

void cn_trial_law(cn_trial *t, int group_a, int group_b, const cn_law_def *law)
{
    int number = CN_LAW_NO_CONTACT;
    cn_error err;
    if (t->is_broken || (law && !cn_trial_ok(t, cn_law_add(t->world, law, &number, &err), &err))) {
        return;
    }
    cn_trial_ok(t, cn_rule_add(t->world, group_a, group_b, number, &err), &err);
}

void cn_trial_coulomb(cn_trial *t, double mu, double e)
{
    cn_law_def law = cn_law_coulomb(mu, e);
    cn_trial_law(t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
}

int cn_trial_group(cn_trial *t, const char *name)
{
    int group = 0;
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_group_add(t->world, name, &group, &err), &err);
    }
    return group;
}

cn_body_id cn_trial_add(cn_trial *t, const cn_body_def *def)
{
    cn_body_id id = 0;
    cn_error err;
    if (!t->is_broken) {
        cn_placed room;
        cn_body_def placed = cn_place_body(&t->place, def, &room);
        cn_trial_ok(t, cn_body_add(t->world, &placed, &id, &err), &err);
    }
    return id;
}

cn_body_state cn_trial_state(const cn_trial *t, cn_body_id id)
{
    cn_body_state state = {0};
    if (!t->is_broken) {
        cn_body_get(t->world, id, &state, NULL);
    }
    return cn_place_state(&t->place, state);
}

cn_joint_id cn_trial_join(cn_trial *t, const cn_joint_def *def)
{
    cn_joint_id id = 0;
    cn_error err;
    cn_joint_def placed = *def;
    turn_out(&t->place, def->at, placed.at);
    turn_out(&t->place, def->to, placed.to);
    turn_out(&t->place, def->axis, placed.axis);
    if (!t->is_broken) {
        cn_trial_ok(t, cn_joint_add(t->world, &placed, &id, &err), &err);
    }
    return id;
}

cn_joint_state cn_trial_joint(const cn_trial *t, cn_joint_id id)
{
    cn_joint_state state = {0};
    if (!t->is_broken) {
        cn_joint_get(t->world, id, &state, NULL);
    }
    return state;
}

void cn_trial_gravity(cn_trial *t, double x, double y, double z)
{
    double g[3];
    cn_error err;
    turn_out(&t->place, (double[]){x, y, z}, g);
    if (!t->is_broken) {
        cn_trial_ok(t, cn_world_set_gravity(t->world, g, &err), &err);
    }
}

double cn_share_at(double time, void *context)
{
    const cn_share *share = context;
    return share->part * cn_function_at(&share->f, time);
}

void cn_trial_drive(cn_trial *t, cn_body_id id, cn_drive_kind kind, cn_vec3 direction,
                    cn_function f, cn_share share[3])
{
    cn_vec3 d = cn_place_out(&t->place, direction);
    const double part[3] = {d.x, d.y, d.z};
    for (int k = 0; k < t->place.dim && !t->is_broken; k++) {
        share[k] = (cn_share){f, part[k]};
        cn_drive_def drive = {
            .body = id,
            .kind = kind,
            .dof = (cn_dof)(CN_DOF_X + k),
            .f = {.kind = CN_FUNCTION_CALL, .call = cn_share_at, .context = &share[k]}};
        cn_error err;
        cn_trial_ok(t, cn_drive_add(t->world, &drive, &err), &err);
    }
}

bool cn_trial_step(cn_trial *t, double h)
{
    cn_error err;
    if (t->is_broken || !cn_trial_ok(t, cn_world_step(t->world, h, &err), &err)) {
        return false;
    }
    cn_view view = cn_world_view(t->world);
    cn_book_step(t->book, view.certificate, view.ledger);
    return true;
}

bool cn_trial_run(cn_trial *t, double h, int64_t step_count)
{
    for (int64_t n = 0; n < step_count; n++) {
        if (!cn_trial_step(t, h)) {
            return false;
        }
    }
    return true;
}

double cn_trial_speed(const cn_trial *t)
{
    double speed = 0.0;
    if (t->is_broken) {
        return NAN;
    }
    cn_view view = cn_world_view(t->world);
    for (int i = 0; i < view.body_count; i++) {
        bool is_held = view.fixed[i] & (1u << CN_DOF_X | 1u << CN_DOF_Y);
        if (!is_held) {
            const double *v = view.v + (view.dim == 2 ? 3 : 6) * i;
            speed = fmax(speed, hypot(hypot(v[0], v[1]), view.dim == 2 ? 0.0 : v[2]));
        }
    }
    return speed;
}

cn_vec2 cn_trial_impulse(const cn_trial *t, cn_body_id id, int *active_count)
{
    cn_vec2 sum = {0.0, 0.0};
    int active = 0;
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double sign = (view.id[c->i] == id) - (view.id[c->j] == id);
        cn_vec3 normal = cn_place_back(&t->place, cn_v3(c->normal[0], c->normal[1], 0.0));
        cn_vec2 n = cn_v2(normal.x, normal.y);
        sum = cn_add_mul2(sum, sign * c->r[0], n);
        sum = cn_add_mul2(sum, sign * c->r[1], cn_left2(n));
        active += sign != 0.0 && c->r[0] > 0.0;
    }
    if (active_count) {
        *active_count = active;
    }
    return sum;
}

cn_vec3 cn_trial_push(const cn_trial *t, cn_body_id by, cn_body_id on)
{
    cn_vec3 sum = {0.0, 0.0, 0.0};
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        cn_body_id i = view.id[c->i], j = view.id[c->j];
        double sign = (i == on && j == by) - (j == on && i == by);
        double impulse[3];
        cn_contact_impulse(c, view.dim, impulse);
        sum = cn_add_mul3(sum, sign, cn_v3(impulse[0], impulse[1], impulse[2]));
    }
    return cn_place_back(&t->place, sum);
}
