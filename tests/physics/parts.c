// One brick of a wall at rest is pushed: it is solved as a part of its own, with the motion that
// the whole would give.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "scenes.h"
#include "solve/solver.h"
#include "test.h"
#include "world/world.h"

enum { SETTLE = 6, COURSES = 3, BRICKS = 40, STEPS_MAX = 16 };
static const double h = 1e-2;

// Long and low: the ground that carries a push is near.
static cn_world *long_wall(int dim, int bricks, double mu, double tol)
{
    cn_world *w = dim == 2 ? scene_world(mu, 0.0, tol) : scene_space(mu, 0.0, tol);
    if (dim == 2) {
        cn_body_id first;
        scene_wall(w, COURSES, bricks, 0.2, 0.1, &first);
    } else {
        scene_brick_wall(w, COURSES, bricks);
    }
    scene_run(w, h, SETTLE);
    return w;
}

// Along the wall in the plane, across it in space; `share` of the weight.
static void push(cn_world *w, cn_body_id brick, double share)
{
    cn_force_def force = {.body = brick,
                          .direction = {w->bodies.dim == 2, w->bodies.dim == 3},
                          .f = cn_constant(share * 9.81 * scene_state(w, brick).mass),
                          .t0 = NAN};
    CN_DO(cn_force_add(w, &force, &test_error));
}

// What a run came to: the way of the pushed brick, and the constraints visited in each step.
typedef struct outcome {
    double way[3];
    int visited[STEPS_MAX], contacts;
} outcome;

// Pushes a body, by its place among all; as a whole: no parts are tried.
static outcome run(int dim, double mu, double share, int place, int steps, bool is_whole)
{
    cn_world *w = long_wall(dim, BRICKS, mu, 1e-8); // of h g in each step: what slides adds up
    w->solver->is_whole = is_whole;
    cn_body_id brick = w->bodies.id[place < 0 ? w->bodies.count + place : place];
    cn_body_state before = scene_state(w, brick);
    push(w, brick, share);
    outcome all = {.contacts = w->contacts.count};
    for (int k = 0; k < steps; k++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        all.visited[k] = w->certificate.solver.visited_count;
    }
    cn_body_state after = scene_state(w, brick);
    for (int d = 0; d < 3; d++) {
        all.way[d] = after.position[d] - before.position[d];
    }
    cn_world_destroy(w);
    return all;
}

// A push that friction bears: the part finds that nothing moves, and all is at rest soon after.
static void compare_borne(int dim, int place)
{
    enum { STEPS = 6 };
    outcome part = run(dim, 0.5, 0.3, place, STEPS, false);
    outcome whole = run(dim, 0.5, 0.3, place, STEPS, true);
    for (int d = 0; d < dim; d++) {
        CN_NEAR(part.way[d], whole.way[d], 1e-9, "what freezing may change");
    }
    CN_TRUE(part.visited[0] > 0 && part.visited[0] <= part.contacts / 4);
    CN_TRUE(whole.visited[0] == whole.contacts);
    CN_TRUE(part.visited[STEPS - 1] == 0); // certified
}

CN_TEST(push_that_is_borne_in_the_plane)
{
    compare_borne(2, 1);
}

CN_TEST(pushes_that_are_borne_in_space)
{
    compare_borne(3, 1);
    compare_borne(3, BRICKS / 2);
    compare_borne(3, -BRICKS / 2);
}

// Next to no friction, a push of 2e-3 g: the last brick slides, a = (2e-3 - mu) g.
static void compare_sliding(int dim)
{
    enum { STEPS = 10 };
    const double mu = 1e-3, share = 2e-3, t = STEPS * h;
    outcome part = run(dim, mu, share, -1, STEPS, false);
    outcome whole = run(dim, mu, share, -1, STEPS, true);
    for (int d = 0; d < dim; d++) {
        CN_NEAR(part.way[d], whole.way[d], 1e-9, "what freezing may change");
    }
    CN_NEAR(part.way[dim - 2], 0.5 * (share - mu) * 9.81 * t * t, 1e-9, "on paper");
}

CN_TEST(pushed_brick_slides_as_in_the_whole)
{
    compare_sliding(2);
    compare_sliding(3);
}

// A brick that is pulled off the end of the top course, high above the ground: the part reaches it
// through those that carry the brick, and the rest of the wall stands still.
enum { HIGH_STEPS = 4 };
#define HIGH_EPS 1e-3

static outcome run_high(bool is_whole)
{
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = HIGH_EPS;
    def.tol = 1e-3 * HIGH_EPS;
    cn_world *w = scene_space(0.5, 0.0, HIGH_EPS);
    CN_DO(cn_world_set_solver(w, &def, &test_error));
    scene_brick_wall(w, 20, 16);
    scene_run(w, h, SETTLE);
    w->solver->is_whole = is_whole;
    cn_body_id brick = w->bodies.id[w->bodies.count - 1];
    cn_body_state before = scene_state(w, brick);
    cn_force_def pull = {
        .body = brick, .direction = {1.0}, .f = cn_constant(0.8 * 9.81 * before.mass), .t0 = NAN};
    CN_DO(cn_force_add(w, &pull, &test_error));
    outcome all = {.contacts = w->contacts.count};
    for (int k = 0; k < HIGH_STEPS; k++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        all.visited[k] = w->certificate.solver.visited_count;
    }
    for (int d = 0; d < 3; d++) {
        all.way[d] = scene_state(w, brick).position[d] - before.position[d];
    }
    cn_world_destroy(w);
    return all;
}

CN_TEST(brick_slides_off_a_high_wall_as_in_the_whole)
{
    outcome part = run_high(false), whole = run_high(true);
    double accepted = HIGH_EPS * h * 9.81, t = HIGH_STEPS * h;
    int parts = 0;
    for (int k = 0; k < HIGH_STEPS; k++) {
        parts += part.visited[k] < part.contacts / 4;
    }
    CN_TRUE(parts >= 2); // 3; the first step is solved as a whole
    for (int d = 0; d < 3; d++) {
        CN_NEAR(part.way[d], whole.way[d], accepted * t, "the velocity error that is accepted");
    }
    CN_NEAR(part.way[0], 0.5 * (0.8 - 0.5) * 9.81 * t * t, accepted * t, "on paper");
}

// A wall of ten courses whose head joints are open by 2 mm: pressed, they would hold a brick by
// forces that nothing but their history determines. With next to no friction a push of 2e-3 g moves
// a brick of the top course, a = (2e-3 - mu) g, and none that others stand on.
typedef struct slide {
    double way[3]; // of the brick [m]
    int parts, wholes;
} slide;

enum { HIGH_COURSES = 10, HIGH_BRICKS = 15, SLIDE_STEPS = 10 };

static void open_wall(cn_world *w)
{
    const double clear = 2e-3, length = 0.4, height = 0.2;
    scene_floor(w, 0.0);
    for (int k = 0; k < HIGH_COURSES; k++) {
        int count = HIGH_BRICKS + k % 2;
        double x = 0.0;
        for (int n = 0; n < count; n++) {
            double l = k % 2 == 1 && (n == 0 || n == count - 1) ? 0.5 * length : length;
            double at[3] = {x + 0.5 * l, 0.0, height * (k + 0.5)};
            scene_block(w, at, (double[]){l - clear, height, height}, NULL, 0);
            x += l;
        }
    }
}

static slide push_open_wall(int place, int direction, bool is_whole)
{
    const double share = 2e-3, mu = 1e-3;
    cn_world *w = scene_space(mu, 0.0, 1e-8);
    open_wall(w);
    scene_run(w, h, SETTLE);
    w->solver->is_whole = is_whole;
    cn_body_id brick = w->bodies.id[place];
    cn_body_state before = scene_state(w, brick);
    cn_force_def force = {.body = brick,
                          .direction = {direction == 0, direction == 1},
                          .f = cn_constant(share * 9.81 * before.mass),
                          .t0 = NAN};
    CN_DO(cn_force_add(w, &force, &test_error));
    slide all = {0};
    for (int k = 0; k < SLIDE_STEPS; k++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        int visited = w->certificate.solver.visited_count;
        all.parts += visited > 0 && visited <= w->contacts.count / 4;
        all.wholes += visited > w->contacts.count / 4;
    }
    cn_body_state after = scene_state(w, brick);
    for (int d = 0; d < 3; d++) {
        all.way[d] = after.position[d] - before.position[d];
    }
    cn_world_destroy(w);
    return all;
}

// Place of a brick: from which course and where in it.
static int place_of(int course, int n)
{
    return 1 + course * HIGH_BRICKS + course / 2 + n;
}

static slide check_open_wall(int place, int direction, double paper)
{
    slide s = push_open_wall(place, direction, false);
    for (int d = 0; d < 3; d++) {
        CN_NEAR(s.way[d], d == direction ? paper : 0.0, 1e-9, "what freezing may change");
    }
    return s;
}

CN_TEST(brick_of_ten_courses_moves_as_on_paper)
{
    const double t = SLIDE_STEPS * h, paper = 0.5 * (2e-3 - 1e-3) * 9.81 * t * t;
    int top = HIGH_COURSES - 1, last = place_of(top, HIGH_BRICKS), half = HIGH_BRICKS / 2;
    slide all[] = {check_open_wall(last, 0, paper), check_open_wall(last, 1, paper),
                   check_open_wall(place_of(top, half), 0, paper),
                   check_open_wall(place_of(top, half), 1, paper)};
    for (int k = 0; k < 4; k++) {
        CN_TRUE(all[k].parts >= 9);
    }
    slide whole = push_open_wall(last, 1, true);
    CN_TRUE(whole.wholes == SLIDE_STEPS);
    for (int d = 0; d < 3; d++) {
        CN_NEAR(all[1].way[d], whole.way[d], 1e-9, "what freezing may change");
    }
}

CN_TEST(loaded_brick_of_ten_courses_stays)
{
    int place[] = {place_of(HIGH_COURSES / 2, 0), place_of(HIGH_COURSES / 2, HIGH_BRICKS / 2)};
    for (int k = 0; k < 2; k++) {
        slide s = check_open_wall(place[k], k, 0.0);
        CN_TRUE(s.parts + s.wholes <= 4); // certified after that
    }
}

static uint64_t hash_of_run(int threads)
{
    cn_world *w = long_wall(3, 260, 0.5, 1e-6);
    w->threads = threads;
    push(w, w->bodies.id[100], 0.3);
    scene_run(w, h, 1);
    CN_TRUE(w->contacts.count > 8192); // so that threads share it
    CN_TRUE(w->certificate.solver.visited_count < w->contacts.count / 4);
    size_t count = (size_t)(6 * w->bodies.count);
    uint64_t hash = cn_hash_bytes(0, w->bodies.v, count * sizeof(double));
    for (int a = 0; a < w->contacts.count; a++) {
        hash = cn_hash_bytes(hash, w->contacts.contact[a].r, sizeof w->contacts.contact[a].r);
    }
    cn_world_destroy(w);
    return hash;
}

CN_TEST(parts_do_not_depend_on_threads)
{
    uint64_t one = hash_of_run(1);
    CN_TRUE(hash_of_run(2) == one && hash_of_run(3) == one);
}

CN_MAIN(CN_RUN(push_that_is_borne_in_the_plane); CN_RUN(pushes_that_are_borne_in_space);
        CN_RUN(pushed_brick_slides_as_in_the_whole);
        CN_RUN(brick_slides_off_a_high_wall_as_in_the_whole);
        CN_RUN(brick_of_ten_courses_moves_as_on_paper); CN_RUN(loaded_brick_of_ten_courses_stays);
        CN_RUN(parts_do_not_depend_on_threads);)
