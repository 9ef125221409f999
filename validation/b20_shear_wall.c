// validation/b20_shear_wall.c -- B20: a wall of dry blocks under a beam is pushed over.
//
// Question: which horizontal force at the beam makes the wall fail? Reference: associated limit
// analysis, an upper bound: Coulomb friction does not dilate, so the wall may give way a little
// earlier. The crack is a staircase: the higher a course, the more of it moves. Source: Lourenco et
// al. 2005 (tests); limits computed for this book.
#include "builders.h"
#include "table.h"

#define COURSE_COUNT 10
#define BLOCK_MAX 6 // of a course
#define LENGTH 0.2  // of a block [m]
#define HEIGHT 0.1  // of a block and of the beam [m]
#define WIDTH 1.0   // of the wall [m]
#define DEPTH 0.2   // thickness of the wall [m]
#define STEP 1e-3   // [s]

typedef struct wall {
    cn_trial trial;
    cn_body_id block[COURSE_COUNT][BLOCK_MAX], beam;
    int count[COURSE_COUNT];
} wall;

// Per metre of depth masses are those of the real wall.
static cn_body_id add_block(cn_trial *t, double x, double y, double length, double mass)
{
    cn_body_def rest = {.density = mass / (length * HEIGHT), .at = {x, y}};
    return cn_build_box(t, length, HEIGHT, rest);
}

// Full blocks in the lowest course, half blocks at both ends of every second one.
static void add_course(wall *w, int k)
{
    const double density = 2500.0;
    bool is_even = k % 2 == 0;
    w->count[k] = is_even ? 5 : 6;
    double x = -0.5 * WIDTH;
    for (int n = 0; n < w->count[k]; n++) {
        bool is_half = !is_even && (n == 0 || n == w->count[k] - 1);
        double length = is_half ? 0.5 * LENGTH : LENGTH;
        double mass = density * length * HEIGHT * DEPTH;
        w->block[k][n] = add_block(&w->trial, x + 0.5 * length, (k + 0.5) * HEIGHT, length, mass);
        x += length;
    }
}

static wall build(cn_book *book, double V)
{
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    wall w = {.trial = cn_trial_begin(book, &def)};
    cn_trial_coulomb(&w.trial, 0.62, 0.0);
    cn_build_plane(&w.trial, (cn_body_def){0});
    for (int k = 0; k < COURSE_COUNT; k++) {
        add_course(&w, k);
    }
    w.beam = add_block(&w.trial, 0.0, (COURSE_COUNT + 0.5) * HEIGHT, WIDTH, V / CN_G);
    return w;
}

// The force grows to 80 % of the expected limit at once and from there slowly.
static const double time_of[3] = {0.0, 0.1, 1.1};   // [s]
static const double share_of[3] = {0.0, 0.8, 1.05}; // of the expected limit

static const cn_function ramp = {
    .kind = CN_FUNCTION_TABLE, .count = 3, .time = time_of, .value = share_of};

static void push(wall *w, double limit)
{
    cn_trial *t = &w->trial;
    double force[3];
    for (int k = 0; k < 3; k++) {
        force[k] = limit * share_of[k];
    }
    cn_function f = {.kind = CN_FUNCTION_TABLE, .count = 3, .time = time_of, .value = force};
    cn_force_def def = {.body = w->beam, .direction = {1.0}, .f = f};
    cn_error err;
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_force_add(t->world, &def, &err), &err);
}

// Blocks of course k that have moved aside by more than a hundredth of what the beam has.
static int moved(const wall *w, double at_rest[COURSE_COUNT][BLOCK_MAX], int k, double x)
{
    int count = 0;
    for (int n = 0; n < w->count[k]; n++) {
        double dx = cn_trial_state(&w->trial, w->block[k][n]).position[0] - at_rest[k][n];
        count += dx > 0.01 * x;
    }
    return count;
}

// From each course to the next none or one block more moves, and from few at the foot to all.
static bool is_staircase(const wall *w, double at_rest[COURSE_COUNT][BLOCK_MAX], double x)
{
    int below = moved(w, at_rest, 0, x);
    bool holds = below < w->count[0];
    for (int k = 1; k < COURSE_COUNT; k++) {
        int here = moved(w, at_rest, k, x);
        holds = holds && (here == below || here == below + 1);
        below = here;
    }
    return holds && below == w->count[COURSE_COUNT - 1];
}

// Grows until the beam has gone; the limit is the force at which it was last at rest.
static double check_wall(cn_book *book, double V, double limit)
{
    const double gone = 1e-4; // [m]
    double at_rest[COURSE_COUNT][BLOCK_MAX], force = NAN, x = 0.0;
    wall w = build(book, V);
    cn_trial *t = &w.trial;
    for (int k = 0; k < COURSE_COUNT; k++) {
        for (int n = 0; n < w.count[k]; n++) {
            at_rest[k][n] = cn_trial_state(t, w.block[k][n]).position[0];
        }
    }
    push(&w, limit);
    for (int n = 1; x < gone && n * STEP < time_of[2] && cn_trial_step(t, STEP); n++) {
        cn_body_state beam = cn_trial_state(t, w.beam);
        x = beam.position[0];
        if (beam.velocity[0] < 1e-2 * CN_G * STEP) {
            force = limit * cn_function_at(&ramp, n * STEP);
        }
    }
    const double least = 0.88, most = 1.01;
    cn_check(book, cn_name(book, "limit over limit analysis, V %g kN", 1e-3 * V), force / limit,
             0.5 * (least + most), 0.5 * (most - least));
    cn_check_true(book, cn_name(book, "the crack is a staircase, V %g kN", 1e-3 * V),
                  is_staircase(&w, at_rest, x));
    cn_trial_end(t);
    return force;
}

void cn_case_B20(cn_book *book)
{
    double a = check_wall(book, 30e3, 15.51e3);
    double b = check_wall(book, 100e3, 48.84e3);
    double c = check_wall(book, 200e3, 96.46e3);
    cn_check_true(book, "the limit grows with the load", a < b && b < c);
}
