// Stops of hinges and sliders in the plane and in space: where they hold, what they take, how they
// bounce (theory 7.7).
#include "scenes.h"
#include "test.h"

static const double G = 9.81; // [m/s2]

static cn_world *make_world(int dim)
{
    return dim == 2 ? scene_world(0.3, 0.0, 1e-10) : scene_space(0.3, 0.0, 1e-10);
}

// x along the ground and y up, in either dimension; the plane of space is x-z.
static void put(int dim, double x, double y, double to[3])
{
    to[0] = x;
    to[dim - 1] = y;
}

// A bar of mass 1 and length 1 about (x, 0), along x.
static cn_body_id add_bar(cn_world *w, int dim, double x)
{
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = 0.1};
    cn_body_def def = {.mass = 1.0, .inertia = {1 / 12.0, 1 / 12.0, 1 / 12.0}};
    scene_part(&def, dim, &disk, &ball);
    put(dim, x, 0.0, def.at);
    cn_body_id id = 0;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static cn_joint_state joint_state(const cn_world *w, cn_joint_id id)
{
    cn_joint_state state = {0};
    CN_DO(cn_joint_get(w, id, &state, &test_error));
    return state;
}

// A hinge at the origin whose angle grows against the clock of the plane in space, too.
static cn_joint_id add_hinge(cn_world *w, int dim, cn_body_id bar, double low, double high,
                             double e)
{
    cn_joint_def def = {
        .kind = CN_JOINT_HINGE, .body = bar, .limit = {low, high}, .limit_restitution = e};
    def.axis[1] = dim == 3 ? -1.0 : 0.0;
    cn_joint_id id = 0;
    CN_DO(cn_joint_add(w, &def, &id, &test_error));
    return id;
}

// A bar let go level falls on the stop below and lies there.
static void check_rest(int dim)
{
    const double h = 1e-3, low = -1.0;
    cn_world *w = make_world(dim);
    cn_joint_id hinge = add_hinge(w, dim, add_bar(w, dim, 0.5), low, 0.5, 0.0);
    CN_TRUE(scene_run(w, h, 2000) == 0);
    cn_joint_state s = joint_state(w, hinge);
    CN_NEAR(s.position, low, 1e-12, "on the stop");
    CN_NEAR(s.speed, 0.0, 1e-11, "at rest");
    CN_NEAR(s.stop / h, 0.5 * G * cos(low), 1e-8, "the moment of the weight");
    const cn_ledger *ledger = cn_world_view(w).ledger;
    CN_NEAR(ledger->total[CN_ENERGY_SHOCK], 0.5 * G * sin(-low), 1e-4,
            "the stop takes what the fall gave; the joint works in second order");
    CN_NEAR(ledger->error_max, 0.0, 1e-11, "rounding");
    cn_world_destroy(w);
}

CN_TEST(hinge_rests_on_its_stop)
{
    check_rest(2);
    check_rest(3);
}

// With a restitution it leaves the stop with that part of its speed, and rises e^2 of the height.
static void check_bounce(int dim)
{
    const double h = 1e-4, low = -1.0, e = 0.6;
    cn_world *w = make_world(dim);
    cn_joint_id hinge = add_hinge(w, dim, add_bar(w, dim, 0.5), low, 0.5, e);
    double before = 0.0, after = 0.0, least = 0.0;
    while (after <= 0.0 && cn_world_view(w).time < 2.0) {
        before = after;
        scene_run(w, h, 1);
        after = joint_state(w, hinge).speed;
        least = fmin(least, joint_state(w, hinge).position);
    }
    CN_NEAR(before, -sqrt(3.0 * G * sin(-low)), 1e-3, "3 g sin / L, within a step");
    CN_NEAR(after / -before, e, 1e-3, "Newton's restitution; a step of the weight is 1e-4 of it");
    CN_TRUE(least > low + 2.0 * h * before); // no deeper than two steps
    double top = low;
    for (double last = low; joint_state(w, hinge).speed > 0.0; last = top) {
        scene_run(w, h, 1);
        top = fmax(last, joint_state(w, hinge).position);
    }
    CN_NEAR(sin(top) - sin(low), e * e * sin(-low), 2e-3, "e^2 of the height it fell");
    CN_TRUE(scene_run(w, h, 40000) == 0);
    CN_NEAR(joint_state(w, hinge).position, low, 1e-3, "rests in the end, within one step");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-11, "rounding");
    cn_world_destroy(w);
}

CN_TEST(hinge_bounces_on_its_stop)
{
    check_bounce(2);
    check_bounce(3);
}

// A motor winds a wheel beyond half a turn: to the stop at 3.4, not to -2.9.
static void check_wide(int dim)
{
    cn_world *w = make_world(dim);
    cn_body_id bar = add_bar(w, dim, 0.0);
    cn_joint_id hinge = add_hinge(w, dim, bar, -2.8, 3.4, 0.0);
    CN_DO(cn_joint_set_motor(w, hinge, 5.0, 1.0, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 1500) == 0);
    cn_joint_state s = joint_state(w, hinge);
    CN_NEAR(s.position, 3.4 - 2.0 * CN_PI, 1e-12, "its angle is shown in (-pi, pi]");
    CN_NEAR(s.motor, 1e-3, 1e-12, "the motor pushes with all it has");
    CN_NEAR(s.stop, -1e-3, 1e-12, "against the stop");
    cn_world_destroy(w);
}

CN_TEST(range_of_a_hinge_may_be_nearly_a_turn)
{
    check_wide(2);
    check_wide(3);
}

// A bead between elastic stops on a bar that is free, too: it goes to and fro at its relative
// speed, the momentum of both stays.
static void check_bead(int dim)
{
    const double h = 1e-3, v = 0.5, range = 0.1;
    cn_world *w = make_world(dim);
    CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
    cn_body_id bar = add_bar(w, dim, 0.0), bead = add_bar(w, dim, 0.2);
    cn_joint_def def = {.kind = CN_JOINT_SLIDER,
                        .body = bead,
                        .other = bar,
                        .axis = {1.0},
                        .limit = {-range, range},
                        .limit_restitution = 1.0};
    cn_joint_id slider;
    CN_DO(cn_joint_add(w, &def, &slider, &test_error));
    cn_body_state s = scene_state(w, bead);
    s.velocity[0] = v;
    CN_DO(cn_body_set(w, bead, &s, &test_error));
    double last = v;
    int turns = 0;
    for (int n = 0; n < 2000; n++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        cn_joint_state state = joint_state(w, slider);
        CN_TRUE(fabs(state.position) < range + 2.0 * v * h);
        turns += state.speed * last < 0.0;
        last = state.speed;
    }
    CN_NEAR(fabs(last), v, 1e-9, "no loss");
    CN_NEAR(turns, v * 2.0 / (2.0 * range), 1.0, "one stop per way of 2 range");
    CN_NEAR(scene_state(w, bead).velocity[0] + scene_state(w, bar).velocity[0], v, 1e-9,
            "momentum");
    cn_world_destroy(w);
}

CN_TEST(bead_goes_to_and_fro_between_its_stops)
{
    check_bead(2);
    check_bead(3);
}

// The shift of a cable with 10 m of slack is 10^4 m/s in a step of 1 ms: no measure of errors.
CN_TEST(slack_cable_does_not_make_the_solver_coarse)
{
    cn_world *w = make_world(2);
    cn_body_id bar = add_bar(w, 2, 0.5);
    add_hinge(w, 2, bar, -1.0, 0.5, 0.0);
    cn_joint_def cable = {
        .kind = CN_JOINT_CABLE, .body = bar, .at = {1.0}, .to = {2.0}, .length = 11.0};
    CN_DO(cn_joint_add(w, &cable, NULL, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 100) == 0);
    CN_TRUE(cn_world_view(w).certificate->solver.residual.v_ref < 0.1); // h g is 0.01
    cn_world_destroy(w);
}

CN_TEST(limits_that_cannot_be)
{
    cn_world *w = make_world(2);
    cn_joint_def def = {.kind = CN_JOINT_HINGE, .body = add_bar(w, 2, 0.0), .limit = {0.1, 0.5}};
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "about where it starts");
    def.limit[0] = -6.0;
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "one turn");
    def.limit[0] = -1.0;
    def.limit_restitution = 1.5;
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "from 0 to 1");
    def.limit_restitution = 0.0;
    def.limit[1] = NAN;
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "limits");
    def.limit[1] = 1.0;
    def.kind = CN_JOINT_BALL;
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "a hinge or a slider");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(hinge_rests_on_its_stop); CN_RUN(hinge_bounces_on_its_stop);
        CN_RUN(range_of_a_hinge_may_be_nearly_a_turn);
        CN_RUN(bead_goes_to_and_fro_between_its_stops);
        CN_RUN(slack_cable_does_not_make_the_solver_coarse); CN_RUN(limits_that_cannot_be);)
