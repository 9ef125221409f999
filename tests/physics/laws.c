// Every law of the table keeps bodies out of each other alike: in hollows, when they are fast, on
// patches and over many steps. A law that is added is in these tests without a line.
#include "scenes.h"
#include "strict.h"
#include "test.h"
#include "world/world.h"

static const double STIFF = 1e8; // keeps indentations of these scenes small [N/m]

// A law with what it needs: its stiffness, per area as points of 1 cm2 have it, of a material that
// gives as little, and a damping that goes with it.
static cn_law_def law_at(int k, double stiffness)
{
    const cn_law_type *type = cn_law_type_at(k);
    cn_law_def law = cn_law_default(type->name);
    for (int p = 0; p < type->param_count; p++) {
        const cn_param *param = &type->param[p];
        double value = strncmp(param->unit, "N/m", 3) == 0
                           ? stiffness
                           : (strcmp(param->unit, "Pa/m") == 0 ? 1e4 : 5e-3) * stiffness;
        value = strcmp(param->name, "young") == 0 ? 1e4 * stiffness : value;
        if (isnan(law.param[p])) {
            law.param[p] = fmin(fmax(value, param->least), param->most);
        } else if (strcmp(param->name, "friction") == 0) {
            law.param[p] = 0.5;
        } else if (strcmp(param->unit, "N") == 0) {
            law.param[p] = 1e-6 * stiffness; // a pull
        }
    }
    return law;
}

static cn_world *world_of(int dim, int k, double stiffness, double g)
{
    cn_law_def law = law_at(k, stiffness);
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.gravity[dim - 1] = -g;
    def.solver.eps_v = 1e-6;
    return scene_world_with(&def, &law);
}

// With theta = 1 springs without a dashpot lose their energy, too.
static void let_springs_settle(cn_world *w)
{
    CN_DO(cn_world_set_scheme(w, 1.0, 0.0, &test_error));
}

static const char *name_of(int k)
{
    return cn_law_type_at(k)->name;
}

// A disk of 0.1 m circles in a drum of 1 m, 200 steps of 0.05 rad about the drum. A law that bonds
// holds it where it touches.
static void ride_in_a_drum(int k)
{
    const double R = 1.0, r = 0.1, h = 1e-3, speed = 0.05 * (R - r) / h;
    cn_world *w = world_of(2, k, STIFF, 0.0);
    cn_shape_def drum = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = R, .thickness = 0.05};
    cn_body_def def = {.shapes = {1, &drum}, .density = 1.0, .fixed = CN_FIXED_ALL};
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    cn_body_id disk = scene_disk(w, R - r, 0.0, r, 0);
    scene_set_velocity(w, disk, 0.0, speed, 0.0);
    for (int n = 0; n < 200; n++) {
        CN_DO(test_step(w, h, &test_error));
        cn_body_state s = scene_state(w, disk);
        double depth = hypot(s.position[0], s.position[1]) - (R - r);
        CN_NEAR(fmax(depth, 0.0), 0.0, 0.05 * 2.0 * r, name_of(k));
    }
    cn_world_destroy(w);
}

// Sum of the sizes of all states of contacts.
static double memory_size(cn_world *w)
{
    const cn_state_part *part;
    int count;
    double sum = 0.0;
    CN_DO(cn_world_state(w, &part, &count, &test_error));
    for (int k = 0; k < count; k++) {
        for (size_t n = 0; strcmp(part[k].name, "contact_state") == 0 && n < part[k].count; n++) {
            sum += fabs(((const double *)part[k].data)[n]);
        }
    }
    return sum;
}

CN_TEST(balls_stay_in_their_drum)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        ride_in_a_drum(k);
    }
}

// A box thrown along and across a tube from within stays in it.
CN_TEST(boxes_stay_in_their_tube)
{
    const double R = 0.5, side = 0.2, h = 2e-3;
    for (int k = 0; k < cn_law_type_count(); k++) {
        cn_world *w = world_of(3, k, STIFF, 9.81);
        cn_solid_def tube = {
            .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = R, .length = 20.0, .thickness = 0.05};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &tube},
                           .density = 1.0,
                           .rotation = {sqrt(0.5), sqrt(0.5), 0.0, 0.0}, // along y
                           .fixed = CN_FIXED_ALL};
        cn_body_id id;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        cn_body_id box =
            scene_block(w, (double[3]){0.0, 0.0, 0.0}, (double[3]){side, side, side}, NULL, 0);
        cn_body_state thrown = scene_state(w, box);
        const double v[6] = {4.0, 1.0, 0.0, 3.0, 2.0, 1.0};
        memcpy(thrown.velocity, v, sizeof thrown.velocity);
        memcpy(thrown.angular_velocity, v + 3, sizeof thrown.angular_velocity);
        CN_DO(cn_body_set(w, box, &thrown, &test_error));
        for (int n = 0; n < 500; n++) {
            scene_run(w, h, 1);
            cn_body_state s = scene_state(w, box);
            double out = hypot(s.position[0], s.position[2]) + 0.5 * side - R;
            CN_NEAR(fmax(out, 0.0), 0.0, 0.05 * side, name_of(k));
        }
        cn_world_destroy(w);
    }
}

// A disk of 1 cm at 100 m/s, which moves 10 cm a step, never passes a wall of 1 mm.
CN_TEST(thin_walls_stop_what_is_fast)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        for (int start = 0; start < 10; start++) {
            cn_world *w = world_of(2, k, STIFF, 0.0);
            scene_box(w, 0.0, 0.0, 1.0, 1e-3, 0.0, CN_FIXED_ALL);
            cn_body_id disk = scene_disk(w, 0.0, 0.5 + 0.01 * start, 0.01, 0);
            scene_set_velocity(w, disk, 0.0, -100.0, 0.0);
            for (int n = 0; n < 20; n++) {
                scene_run(w, 1e-3, 1);
                CN_TRUE(scene_state(w, disk).position[1] > 0.0);
            }
            cn_world_destroy(w);
        }
    }
}

typedef struct keys {
    int count;
    uint64_t feature[64];
} keys;

static keys keys_of(const cn_world *w)
{
    cn_view view = cn_world_view(w);
    keys all = {.count = view.contact_count};
    for (int a = 0; a < view.contact_count && a < 64; a++) {
        all.feature[a] = view.contact[a].feature;
    }
    return all;
}

// A block on its equal, turned, whose springs are as deep as that under its weight: its points are
// the same in every step, and it comes to rest.
static void rest_turned(int k, double depth)
{
    const double side = 0.2, half = 0.15, turn[4] = {cos(half), 0.0, 0.0, sin(half)}, g = 9.81;
    double weight = 2000.0 * side * side * side * g;
    cn_world *w = world_of(3, k, weight / (4.0 * depth), g);
    let_springs_settle(w);
    scene_block(w, (double[3]){0.0, 0.0, -0.5}, (double[3]){side, side, 1.0}, NULL, CN_FIXED_ALL);
    cn_body_id block =
        scene_block(w, (double[3]){0.0, 0.0, 0.5 * side}, (double[3]){side, side, side}, turn, 0);
    scene_run(w, 1e-3, 3000);
    keys before = keys_of(w);
    for (int n = 0; n < 200; n++) {
        scene_run(w, 1e-3, 1);
        keys now = keys_of(w);
        CN_TRUE(memcmp(&before, &now, sizeof now) == 0);
    }
    cn_body_state s = scene_state(w, block);
    CN_NEAR(s.velocity[2], 0.0, 1e-6, name_of(k));
    CN_NEAR(s.position[2], 0.5 * side, 1.01 * depth, name_of(k));
    cn_world_destroy(w);
}

CN_TEST(turned_blocks_rest_on_their_equals)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        for (double depth = 2e-6; depth < 1e-3; depth *= 3.16) { // 1e-5 to 3e-3 of the side
            rest_turned(k, depth);
        }
    }
}

// Ten courses for 10^4 steps: no brick moves further than springs under the weight of the wall let
// it sink and swing.
CN_TEST(walls_of_ten_courses_stand)
{
    const double width = 0.4, height = 0.2;
    for (int k = 0; k < cn_law_type_count(); k++) {
        cn_world *w = world_of(2, k, STIFF, 9.81);
        let_springs_settle(w);
        cn_body_id first;
        int count = scene_wall(w, 10, 1, width, height, &first);
        double start[64][2];
        for (int n = 0; n < count && n < 64; n++) {
            cn_body_state s = scene_state(w, first + (cn_body_id)n);
            start[n][0] = s.position[0];
            start[n][1] = s.position[1];
        }
        scene_run(w, 1e-3, 10000);
        for (int n = 0; n < count && n < 64; n++) {
            cn_body_state s = scene_state(w, first + (cn_body_id)n);
            CN_NEAR(s.position[0], start[n][0], 1e-3 * height, name_of(k));
            CN_NEAR(s.position[1], start[n][1], 1e-2 * height, name_of(k));
        }
        cn_world_destroy(w);
    }
}

// No law of the table pulls yet. One that does gives its core an offset: r + h F is in the cone, so
// that a contact carries a pull of up to F and friction of up to mu (N + F).
static const double PULL = 3.0; // F [N]

static void prepare_sticky(const double *param, const double *state, const cn_law_input *in,
                           cn_core *core)
{
    cn_law_coulomb_type.prepare(param, state, in, core);
    core->r0[0] = in->h * PULL;
}

// Velocity after two steps of a ball below a ceiling, with loads on it; the first step has no pull.
static cn_vec3 hang(int dim, double mu, double down, double aside)
{
    const double h = 1e-2;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    cn_world_def world = cn_world_def_default();
    world.dim = dim;
    world.gravity[1] = 0.0;
    world.solver.eps_v = world.solver.tol = 1e-13;
    cn_world *w = scene_world_with(&world, &law);
    const double size[3] = {4.0, 4.0, 1.0}, at[3] = {0.0, 0.0, 0.6};
    cn_body_id ball;
    if (dim == 2) {
        scene_box(w, 0.0, 0.6, 4.0, 1.0, 0.0, CN_FIXED_ALL);
        ball = scene_disk(w, 0.0, 0.0, 0.1, 1u << CN_DOF_RZ);
    } else {
        scene_block(w, at, size, NULL, CN_FIXED_ALL);
        ball = scene_sphere(w, 0.0, 0.0, 0.0, 0.1);
        CN_DO(cn_body_fix(w, ball, 7u << CN_DOF_RX, &test_error));
    }
    scene_run(w, h, 1);
    cn_law sticky = *w->law[0].law;
    sticky.prepare = prepare_sticky;
    w->law[0].law = &sticky;
    cn_force_def load = {.body = ball, .direction = {aside}, .f = cn_constant(1.0)};
    load.direction[dim - 1] = -down;
    CN_DO(cn_force_add(w, &load, &test_error));
    scene_run(w, h, 1);
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_body_state s = scene_state(w, ball);
    cn_world_destroy(w);
    return cn_mul3(s.mass / h, cn_v3(s.velocity[0], s.velocity[1], s.velocity[2]));
}

CN_TEST(an_offset_of_the_core_is_a_pull)
{
    const char *why = "a step of constant forces, solved to 1e-13";
    for (int dim = 2; dim <= 3; dim++) {
        cn_vec3 held = hang(dim, 0.5, 2.9, 0.0), torn = hang(dim, 0.5, 3.5, 0.0);
        cn_vec3 stuck = hang(dim, 0.5, 1.0, 0.9), slides = hang(dim, 0.5, 1.0, 1.25);
        CN_NEAR(cn_norm3(held), 0.0, 1e-9, why);
        CN_NEAR((&torn.x)[dim - 1], -0.5, 1e-9, why);
        CN_NEAR(cn_norm3(stuck), 0.0, 1e-9, why);
        CN_NEAR(slides.x, 1.25 - 0.5 * (3.0 - 1.0), 1e-9, why);
    }
}

// Disks slide, which their law remembers; then the rule of another law, with more to remember,
// holds. It meets them anew: glue stops each where it is.
CN_TEST(another_law_takes_over_no_state)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-12);
    cn_law_def glue = cn_law_default("glue");
    cn_body_id disk[8];
    int law;
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < 8; k++) {
        disk[k] = scene_disk(w, 0.5 * k, 0.1, 0.1, 1u << CN_DOF_RZ);
        scene_set_velocity(w, disk[k], 1.0, 0.0, 0.0);
    }
    CN_TRUE(scene_run(w, 1e-3, 3) == 0);
    CN_DO(cn_law_add(w, &glue, &law, &test_error));
    cn_rules_clear(w);
    int group = w->bodies.group[0];
    CN_DO(cn_rule_add(w, group, group, law, &test_error));
    double before = scene_state(w, disk[7]).position[0];
    CN_TRUE(scene_run(w, 1e-3, 1) == 0);
    for (int k = 0; k < 8; k++) {
        cn_body_state s = scene_state(w, disk[k]);
        CN_NEAR(hypot(s.velocity[0], s.velocity[1]), 0.0, 1e-9, "solver tolerance");
    }
    CN_NEAR(scene_state(w, disk[7]).position[0] - before, 0.0, 1e-3, "half a step at 1 m/s");
    cn_world_destroy(w);
}

// Balls that touch each other and the ground, thrown aside: nine in the plane, eight in space.
static cn_world *make_grid(int dim, int k)
{
    const double r = 0.1;
    cn_world *w = world_of(dim, k, STIFF, 9.81);
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, 0.0);
    } else {
        scene_floor(w, 0.0);
    }
    int side = dim == 2 ? 3 : 2, layers = dim == 2 ? 1 : side;
    for (int n = 0; n < side * side * layers; n++) {
        double x = 2.0 * r * (n % side), up = r + 2.0 * r * (n / side % side);
        cn_body_id id = dim == 2 ? scene_disk(w, x, up, r, 0)
                                 : scene_sphere(w, x, 2.0 * r * (n / (side * side)), up, r);
        scene_set_velocity(w, id, 0.02 + 0.002 * (n % 5), 0.0, 0.0);
    }
    return w;
}

// Whatever a law remembers is in what a world gives to go on from.
CN_TEST(a_restart_changes_no_bit_under_any_law)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        for (int dim = 2; dim <= 3; dim++) {
            cn_world *w = make_grid(dim, k), *other = make_grid(dim, k);
            const cn_state_part *part;
            int count;
            scene_run(w, 1e-3, 15);
            CN_DO(cn_world_state(w, &part, &count, &test_error));
            CN_DO(cn_world_restore(other, part, count, &test_error));
            int missed = scene_run(w, 1e-3, 15);
            CN_TRUE(scene_run(other, 1e-3, 15) == missed);
            cn_view x = cn_world_view(w), y = cn_world_view(other);
            CN_TRUE(x.contact_count == y.contact_count && x.contact_count > 0);
            CN_TRUE(memcmp(x.v, y.v,
                           sizeof(double) * (size_t)(x.body_count * (dim == 2 ? 3 : 6))) == 0);
            size_t states = (size_t)x.state_start[x.contact_count];
            CN_TRUE(memcmp(x.state, y.state, sizeof(double) * states) == 0);
            CN_TRUE(memcmp(x.ledger->total, y.ledger->total, sizeof x.ledger->total) == 0);
            cn_world_destroy(w);
            cn_world_destroy(other);
        }
    }
}

// A disk pressed into a crushed contact: under a law of the same type its memory goes on, under
// another one and back it is gone.
CN_TEST(memory_goes_on_under_a_law_of_the_same_type_only)
{
    cn_law_def crush = cn_law_default("crush"), dry = cn_law_coulomb(0.5, 0.0);
    CN_DO(cn_law_set(&crush, "stiffness", 1e5, &test_error));
    CN_DO(cn_law_set(&crush, "stiffness_unloading", 2e5, &test_error));
    cn_world_def plane = cn_world_def_default();
    cn_world *w = scene_world_with(&plane, &crush);
    int again, other;
    CN_DO(cn_law_add(w, &crush, &again, &test_error));
    CN_DO(cn_law_add(w, &dry, &other, &test_error));
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_disk(w, 0.0, 0.1, 0.1, 0);
    for (int step = 0; step < 400; step++) {
        CN_DO(cn_world_step(w, 1e-3, &test_error));
    }
    CN_TRUE(memory_size(w) > 0.0);
    double before = memory_size(w);
    CN_DO(cn_rules_set(w, 1, &(cn_rule_def){CN_GROUP_ANY, CN_GROUP_ANY, again}, &test_error));
    CN_NEAR(memory_size(w), before, 0.0, "the same type");
    CN_FAILS(cn_rules_set(w, 1, &(cn_rule_def){0, 7, 0}, &test_error), CN_BAD_INPUT, "groups");
    CN_NEAR(memory_size(w), before, 0.0, "nothing is changed");
    CN_DO(cn_rules_set(w, 1, &(cn_rule_def){CN_GROUP_ANY, CN_GROUP_ANY, other}, &test_error));
    CN_NEAR(memory_size(w), 0.0, 0.0, "another type");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(memory_goes_on_under_a_law_of_the_same_type_only); CN_RUN(balls_stay_in_their_drum);
        CN_RUN(boxes_stay_in_their_tube); CN_RUN(thin_walls_stop_what_is_fast);
        CN_RUN(turned_blocks_rest_on_their_equals); CN_RUN(walls_of_ten_courses_stand);
        CN_RUN(an_offset_of_the_core_is_a_pull); CN_RUN(another_law_takes_over_no_state);
        CN_RUN(a_restart_changes_no_bit_under_any_law);)
