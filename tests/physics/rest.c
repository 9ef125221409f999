// Rest is certified in every step, never assumed: a settled wall costs next to no sweeps, and wakes
// at once.
#include <math.h>
#include <string.h>

#include "scenes.h"
#include "test.h"

enum { SETTLE = 400, PUSH = 100 };
static const double h = 1e-3, mu = 1e-3;

// Four courses with next to no friction, so that a push of 2e-3 g moves a brick.
static cn_world *wall_world(cn_body_id *first, int *bricks)
{
    cn_world *w = scene_world(mu, 0.0, 1e-8);
    *bricks = scene_wall(w, 4, 4, 0.2, 0.1, first);
    return w;
}

static cn_force_def push_on(const cn_world *w, cn_body_id brick)
{
    cn_body_state state = scene_state(w, brick);
    return (cn_force_def){
        .body = brick, .direction = {1.0}, .f = cn_constant(2e-3 * 9.81 * state.mass), .t0 = NAN};
}

CN_TEST(settled_wall_needs_next_to_no_sweeps)
{
    cn_body_id first;
    int bricks;
    cn_world *w = wall_world(&first, &bricks);
    scene_run(w, h, SETTLE);
    int sweeps = 0;
    for (int k = 0; k < 50; k++) {
        scene_run(w, h, 1);
        cn_view view = cn_world_view(w);
        sweeps += view.certificate->solver.sweep_count;
        CN_TRUE(view.certificate->solver.is_converged);
    }
    CN_TRUE(sweeps <= 50); // one symmetric sweep where rounding of the gaps asks for it
    cn_world_destroy(w);
}

// A wall of ten courses at the accuracy of masonry stands for 5 s. Errors of slow modes must not
// grow: sweeps hardly act on them, and gravity drives what leans.
CN_TEST(errors_do_not_grow_in_a_high_wall)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-3);
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = 1e-3;
    def.tol = 1e-6;
    CN_DO(cn_world_set_solver(w, &def, &test_error));
    scene_brick_wall(w, 10, 2);
    long sweeps = 0;
    for (int k = 0; k < 500; k++) {
        CN_TRUE(scene_run(w, 0.01, 1) == 0);
        sweeps += cn_world_view(w).certificate->solver.sweep_count;
    }
    cn_view view = cn_world_view(w);
    double fastest = 0.0;
    for (int i = 0; i < 6 * view.body_count; i++) {
        fastest = fmax(fastest, fabs(view.v[i]));
    }
    CN_NEAR(fastest / (9.81 * 0.01), 0.0, 1e-8, "rest to rounding; 4e-4 where errors grow");
    CN_TRUE(sweeps < 10 * 500);
    cn_world_destroy(w);
}

// Bricks that patches tie to the ground stand still to the last bit, so that impulses which are
// right to 1e-10 hold for ever: a wall of 24 courses sways under them otherwise, and is solved anew
// every few steps.
CN_TEST(a_high_wall_stands_still)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-3);
    scene_brick_wall(w, 24, 3);
    scene_run(w, 0.01, 20);
    cn_view view = cn_world_view(w);
    int visited = 0, moving = 0;
    for (int k = 0; k < 50; k++) {
        CN_TRUE(scene_run(w, 0.01, 1) == 0);
        visited += view.certificate->solver.visited_count;
        for (int i = 0; i < 6 * view.body_count; i++) {
            moving += cn_world_view(w).v[i] != 0.0;
        }
    }
    CN_TRUE(visited == 0 && moving == 0);
    cn_world_destroy(w);
}

// Steps of what has come to rest, at the accuracy of flows.
typedef struct calm {
    int sweeps, missed;
    double moved; // of any body, upwards or down [m]
} calm;

static calm run_calm(cn_world *w, double step, int steps)
{
    enum { BODIES = 200 };
    double before[BODIES];
    cn_view view = cn_world_view(w);
    int width = view.dim == 2 ? 3 : 7, up = view.dim - 1;
    for (int i = 0; i < view.body_count && i < BODIES; i++) {
        before[i] = view.q[width * i + up];
    }
    calm all = {0};
    for (int k = 0; k < steps; k++) {
        all.missed += scene_run(w, step, 1);
        all.sweeps += cn_world_view(w).certificate->solver.sweep_count;
    }
    view = cn_world_view(w);
    for (int i = 0; i < view.body_count && i < BODIES; i++) {
        all.moved = fmax(all.moved, fabs(view.q[width * i + up] - before[i]));
    }
    return all;
}

// A step at rest that begins with what is accepted costs no sweep. Some steps cost a few: errors
// that are accepted move bodies, and must not add up to more than that.
static void check_calm(cn_world *w, double step, int sweeps)
{
    enum { STEPS = 100 };
    calm all = run_calm(w, step, STEPS);
    CN_TRUE(all.missed == 0 && all.sweeps <= sweeps * STEPS);
    CN_NEAR(all.moved, 0.0, 1e-2 * 9.81 * step * step * STEPS, "accepted errors, all one way");
    cn_world_destroy(w);
}

static cn_world *with_default_accuracy(cn_world *w)
{
    cn_solver_def def = cn_solver_def_default();
    CN_DO(cn_world_set_solver(w, &def, &test_error));
    return w;
}

// Disks have no patches that tie them; one may go on rolling on the ground.
CN_TEST(settled_heap_of_disks_costs_no_more_than_a_sweep_a_step)
{
    cn_world *w = with_default_accuracy(scene_world(0.5, 0.0, 1e-2));
    scene_packing(w, 100, 0.05);
    scene_run(w, 2e-3, 2200);
    check_calm(w, 2e-3, 1);
}

// A pyramid of boxes that fall a little and lie askew, in the plane.
CN_TEST(settled_pile_of_boxes_costs_no_more_than_a_sweep_a_step)
{
    enum { ROWS = 10 };
    cn_world *w = with_default_accuracy(scene_world(0.5, 0.0, 1e-2));
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int r = 0; r < ROWS; r++) {
        for (int k = 0; k < ROWS - r; k++) {
            double lean = 0.02 * ((7 * r + 3 * k) % 5 - 2);
            scene_box(w, 0.22 * k + 0.11 * r, 0.055 + 0.1005 * r, 0.2, 0.1, lean, 0);
        }
    }
    scene_run(w, 2e-3, 450);
    check_calm(w, 2e-3, 1);
}

// The same in space, where each box lies on four: 1.3 sweeps a step in the long run.
CN_TEST(settled_pile_in_space_costs_a_few_sweeps_a_step)
{
    enum { LAYERS = 6 };
    const double size[3] = {0.2, 0.2, 0.1};
    cn_world *w = with_default_accuracy(scene_space(0.5, 0.0, 1e-2));
    scene_floor(w, 0.0);
    for (int n = 0, r = 0; r < LAYERS; n++) {
        int side = LAYERS - r;
        double at[3] = {0.22 * (n % side) + 0.11 * r, 0.22 * (n / side) + 0.11 * r,
                        0.055 + 0.105 * r};
        scene_block(w, at, size, NULL, 0);
        bool is_full = n + 1 == side * side;
        n = is_full ? -1 : n;
        r += is_full;
    }
    scene_run(w, 2e-3, 300);
    check_calm(w, 2e-3, 4);
}

CN_TEST(settled_wall_in_space_costs_no_sweep)
{
    cn_world *w = with_default_accuracy(scene_space(0.5, 0.0, 1e-2));
    scene_brick_wall(w, 10, 6);
    scene_run(w, 1e-2, 20);
    calm all = run_calm(w, 1e-2, 100);
    CN_TRUE(all.missed == 0 && all.sweeps == 0);
    CN_NEAR(all.moved, 0.0, 1e-9, "rounding, which grows where gravity acts on what leans");
    cn_world_destroy(w);
}

// Unit quaternions that are made unit again may swing by their last bit for ever.
CN_TEST(what_does_not_turn_keeps_its_bits)
{
    enum { BODIES = 50 };
    cn_world *w = scene_space(0.5, 0.0, 1e-8);
    for (int k = 0; k < BODIES; k++) {
        double t = 0.1 + 0.37 * k, turn[4] = {cos(t), sin(t) * 0.6, sin(t) * 0.48, sin(t) * 0.64};
        scene_block(w, (double[]){1.0 * k, 0.0, 0.0}, (double[]){0.1, 0.2, 0.3}, turn, 0);
    }
    CN_DO(cn_world_set_gravity(w, (double[3]){0.0}, &test_error));
    double before[7 * BODIES];
    memcpy(before, cn_world_view(w).q, sizeof before);
    scene_run(w, h, 20);
    CN_TRUE(memcmp(before, cn_world_view(w).q, sizeof before) == 0);
    cn_world_destroy(w);
}

static cn_world *world_of(const char *text)
{
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "rest.yaml", .text = text}, NULL, NULL, &scene,
                        &test_error));
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_scene_destroy(scene);
    return w;
}

// An aqueduct without a guess, asked for what masonry is asked for: its first step is solved as far
// as it goes, and from then on nothing moves by a bit and nothing is swept. Sweeps alone leave slow
// motion, which opens joints and costs 400 to 4000 sweeps in every step.
CN_TEST(an_aqueduct_is_at_rest_after_one_step)
{
    static const char text[] =
        "cairn: 1\n"
        "dimension: 3\n"
        "materials: {stone: {density: 2300}}\n"
        "laws: {dry: {type: coulomb, friction: 0.7}}\n"
        "contacts: [{between: [any, any], law: dry}]\n"
        "bodies: {a: {material: stone, generate: {aqueduct: {tiers: [{spans: 2, span: 6, pier: 3, "
        "height: 4, voussoirs: 15, thickness: 0.8, cover: 1.2, course: 0.6, width: 2.4}]}}}}\n"
        "solver: {accuracy: masonry}\n"
        "stages: [{step: 4e-3, duration: 1}]\n";
    cn_world *w = world_of(text);
    CN_TRUE(scene_run(w, 4e-3, 1) == 0);
    CN_TRUE(cn_world_view(w).certificate->solver.sweep_count <= 300);
    int sweeps = 0;
    for (int k = 0; k < 50; k++) {
        CN_TRUE(scene_run(w, 4e-3, 1) == 0);
        sweeps += cn_world_view(w).certificate->solver.sweep_count;
    }
    CN_TRUE(sweeps == 0);
    CN_NEAR(cn_world_view(w).ledger->kinetic, 0.0, 0.0, "locked bodies stand still");
    cn_world_destroy(w);
}

// Sweeps alone accept the first step of a wall sooner than it is at rest: with `quake` it then
// swung, and took 12 300 sweeps in 500 steps.
CN_TEST(a_wall_stands_after_one_step_with_any_word)
{
    static const char *const words[] = {"flow", "quake", "masonry", "1e-2"};
    for (int k = 0; k < 4; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "cairn: 1\n"
                 "dimension: 3\n"
                 "materials: {stone: {density: 2200}}\n"
                 "laws: {dry: {type: coulomb, friction: 0.6}}\n"
                 "contacts: [{between: [any, any], law: dry}]\n"
                 "bodies: {ground: {shape: {half_space: {}}, fixed: true},\n"
                 "  wall: {material: stone, generate: {wall: {length: 3, courses: 10, leaves: 2,\n"
                 "    block: [0.5, 0.25, 0.2]}}}}\n"
                 "solver: {accuracy: %s}\n"
                 "stages: [{step: 2e-3, duration: 1}]\n",
                 words[k]);
        cn_world *w = world_of(text);
        CN_TRUE(scene_run(w, 2e-3, 1) == 0);
        calm all = run_calm(w, 2e-3, 50);
        CN_TRUE(all.missed == 0 && all.sweeps == 0);
        CN_NEAR(all.moved, 0.0, 1e-15, "rounding");
        cn_world_destroy(w);
    }
}

// What is tied to a body that is driven goes with it; what touches at one point only may roll.
CN_TEST(bodies_on_a_moving_table_do_not_stand_still)
{
    const double at[3] = {0.0, 0.0, -0.1}, size[3] = {4.0, 1.0, 0.2}, speed = 1e-9;
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    cn_body_id table = scene_block(w, at, size, NULL, CN_FIXED_ALL);
    cn_body_id brick =
        scene_block(w, (double[]){0.0, 0.0, 0.1}, (double[]){0.4, 0.2, 0.2}, NULL, 0);
    scene_run(w, 0.01, 10);
    for (int d = 0; d < 3; d++) {
        CN_NEAR(scene_state(w, brick).velocity[d], 0.0, 0.0, "tied to a table that stands");
    }
    cn_drive_def drive = {.body = table, .dof = CN_DOF_X, .f = cn_constant(speed), .t0 = NAN};
    CN_DO(cn_drive_add(w, &drive, &test_error));
    scene_run(w, 0.01, 10);
    CN_NEAR(scene_state(w, brick).velocity[0], speed, 1e-2 * speed, "1e-10 h g, the limit of rest");
    cn_world_destroy(w);
}

// A column pushed by 2 % more than it bears falls: theta'' = k (theta + 0.02 b/h), k = 3 g/(2 h)
// with 2b and 2h its sides. What a tie hardly shows moves the top a lot, and is not stopped.
CN_TEST(a_column_on_the_verge_falls)
{
    const double width = 0.1, height = 2.0, share = 1.02 * width / height, t = 0.5;
    cn_world *w = scene_world(0.7, 0.0, 1e-12);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id column = scene_box(w, 0.0, 0.5 * height, width, height, 0.0, 0);
    scene_run(w, h, 100);
    CN_NEAR(scene_state(w, column).angle, 0.0, 1e-15, "it stands");
    cn_force_def push = {.body = column,
                         .direction = {1.0},
                         .f = cn_constant(share * 9.81 * scene_state(w, column).mass),
                         .t0 = NAN};
    CN_DO(cn_force_add(w, &push, &test_error));
    scene_run(w, h, (int)(t / h));
    double rate = sqrt(1.5 * 9.81 * height / (height * height + width * width));
    double paper = 0.02 * width / height * (cosh(rate * t) - 1.0);
    CN_NEAR(-scene_state(w, column).angle, paper, 0.01 * paper,
            "a second order in the angle, 1e-3");
    cn_world_destroy(w);
}

// A push on the top of a wall that friction bears: the wall is at rest again at once, to rounding,
// and certified in most steps. Impulses that stop a motion at the limit of rest would act against
// it in the next step, and every other one had to be solved.
CN_TEST(push_that_is_borne_leaves_a_wall_at_rest)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-3);
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = 1e-3;
    def.tol = 1e-6;
    CN_DO(cn_world_set_solver(w, &def, &test_error));
    scene_brick_wall(w, 12, 12);
    scene_run(w, 0.01, 20);
    cn_view view = cn_world_view(w);
    cn_body_id last = view.id[view.body_count - 1];
    cn_force_def push = {.body = last,
                         .direction = {1.0},
                         .f = cn_constant(0.2 * 9.81 * scene_state(w, last).mass),
                         .t0 = NAN};
    CN_DO(cn_force_add(w, &push, &test_error));
    CN_TRUE(scene_run(w, 0.01, 3) == 0);
    int visited = 0;
    for (int k = 0; k < 20; k++) {
        CN_TRUE(scene_run(w, 0.01, 1) == 0);
        visited += cn_world_view(w).certificate->solver.visited_count > 0;
    }
    CN_TRUE(visited <= 5);
    double fastest = 0.0;
    for (int i = 0; i < 6 * view.body_count; i++) {
        fastest = fmax(fastest, fabs(cn_world_view(w).v[i]));
    }
    CN_NEAR(fastest / (9.81 * 0.01), 0.0, 1e-9, "the limit of rest, 1e-10, over arms of 0.2 m");
    cn_world_destroy(w);
}

// The last brick of the top course, pushed outwards: a = (2e-3 - mu) g, with and without a history
// of rest.
CN_TEST(pushed_brick_of_a_resting_wall_moves_at_once)
{
    double moved[2];
    for (int is_rested = 0; is_rested < 2; is_rested++) {
        cn_body_id first;
        int bricks;
        cn_world *w = wall_world(&first, &bricks);
        scene_run(w, h, is_rested ? SETTLE : 0);
        cn_body_id last = first + (cn_body_id)bricks - 1;
        cn_force_def push = push_on(w, last);
        double x = scene_state(w, last).position[0];
        CN_DO(cn_force_add(w, &push, &test_error));
        scene_run(w, h, PUSH);
        moved[is_rested] = scene_state(w, last).position[0] - x;
        cn_world_destroy(w);
    }
    double t = PUSH * h, paper = 0.5 * (2e-3 - mu) * 9.81 * t * t;
    CN_NEAR(moved[1], moved[0], 1e-9, "what freezing may change");
    CN_NEAR(moved[1], paper, 1e-9, "residual 1e-8 of h g over 100 steps; theta = 1/2 is exact");
}

// Steps in which the stone alone was visited, and those in which the wall was.
typedef struct visits {
    int stone, wall;
    double speed; // of the stone at the end [m/s]
} visits;

// A flat stone on the same ground as a wall, two corners and 84 contacts, given a speed.
static visits count_visits(double speed)
{
    cn_body_id first;
    cn_world *w = scene_world(0.5, 0.0, 1e-6);
    scene_wall(w, 4, 4, 0.2, 0.1, &first);
    cn_body_id stone = scene_box(w, -2.0, 0.01, 0.2, 0.02, 0.0, 0);
    scene_run(w, h, SETTLE);
    scene_set_velocity(w, stone, speed, 0.0, 0.0);
    visits v = {0};
    for (int k = 0; k < PUSH; k++) {
        scene_run(w, h, 1);
        const cn_solver_report *report = &cn_world_view(w).certificate->solver;
        CN_TRUE(report->is_converged && report->visited_count <= 86);
        v.stone += report->visited_count > 0 && report->visited_count <= 2;
        v.wall += report->visited_count > 2;
    }
    v.speed = scene_state(w, stone).velocity[0];
    cn_world_destroy(w);
    return v;
}

// A stone that slides past does not wake the wall: it is certified in every step, and visited no
// more often than beside a stone that lies still, when its errors have grown to what rest allows.
CN_TEST(one_moving_stone_does_not_wake_the_rest)
{
    visits still = count_visits(0.0), moving = count_visits(-2.0);
    CN_TRUE(moving.stone >= 10 && moving.wall <= still.wall && moving.wall < PUSH / 4);
    CN_NEAR(moving.speed, -2.0 + 0.5 * 9.81 * PUSH * h, 1e-6,
            "constant friction; residual 1e-6 of h g over 100 steps");
}

// A wall that rests beside a pushed one does not change what the pushed brick does.
CN_TEST(pushed_brick_moves_the_same_beside_a_wall_at_rest)
{
    double moved[2];
    for (int is_rested = 0; is_rested < 2; is_rested++) {
        cn_body_id first, other;
        int bricks;
        cn_world *w = wall_world(&first, &bricks);
        for (int k = 0; k < 6; k++) { // a pile far away
            other = scene_box(w, 9.0, 0.05 + 0.1 * k, 0.2, 0.1, 0.0, 0);
        }
        scene_run(w, h, is_rested ? SETTLE : 0);
        cn_body_id last = first + (cn_body_id)bricks - 1;
        cn_force_def push = push_on(w, last);
        double x = scene_state(w, last).position[0], y = scene_state(w, other).position[1];
        CN_DO(cn_force_add(w, &push, &test_error));
        scene_run(w, h, PUSH);
        moved[is_rested] = scene_state(w, last).position[0] - x;
        CN_NEAR(scene_state(w, other).position[1], y, 1e-9, "the pile stands");
        cn_world_destroy(w);
    }
    CN_NEAR(moved[1], moved[0], 1e-9, "what freezing may change");
}

CN_MAIN(CN_RUN(settled_wall_needs_next_to_no_sweeps); CN_RUN(errors_do_not_grow_in_a_high_wall);
        CN_RUN(a_high_wall_stands_still);
        CN_RUN(settled_heap_of_disks_costs_no_more_than_a_sweep_a_step);
        CN_RUN(settled_pile_of_boxes_costs_no_more_than_a_sweep_a_step);
        CN_RUN(settled_pile_in_space_costs_a_few_sweeps_a_step);
        CN_RUN(settled_wall_in_space_costs_no_sweep); CN_RUN(what_does_not_turn_keeps_its_bits);
        CN_RUN(an_aqueduct_is_at_rest_after_one_step);
        CN_RUN(a_wall_stands_after_one_step_with_any_word);
        CN_RUN(bodies_on_a_moving_table_do_not_stand_still); CN_RUN(a_column_on_the_verge_falls);
        CN_RUN(push_that_is_borne_leaves_a_wall_at_rest);
        CN_RUN(pushed_brick_of_a_resting_wall_moves_at_once);
        CN_RUN(one_moving_stone_does_not_wake_the_rest);
        CN_RUN(pushed_brick_moves_the_same_beside_a_wall_at_rest);)
