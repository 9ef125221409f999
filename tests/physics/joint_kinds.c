// Universal and cylindrical joints, points in planes. Answers on paper.
#include "scenes.h"
#include "test.h"

static const double g = 9.81;

static cn_body_id add_shaft(cn_world *w, cn_vec3 at)
{
    const cn_solid_def solid = {.kind = CN_SOLID_CYLINDER, .radius = 0.1, .length = 0.4};
    cn_body_def def = cn_body_def_default();
    def.type = CN_BODY_SOLIDS;
    def.solids = (cn_solid_parts){1, &solid};
    def.density = 1000.0;
    memcpy(def.at, &at, sizeof def.at);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static cn_joint_id add_joint(cn_world *w, const cn_joint_def *def)
{
    cn_joint_id id;
    CN_DO(cn_joint_add(w, def, &id, &test_error));
    return id;
}

static cn_joint_state state_of(const cn_world *w, cn_joint_id id)
{
    cn_joint_state s;
    CN_DO(cn_joint_get(w, id, &s, &test_error));
    return s;
}

// Along an axis that goes down at the angle a it falls by g sin(a), and what it turns about the
// axis it keeps: a helix. Where the bar is across, its weight is held.
CN_TEST(a_cylindrical_joint_slides_and_turns)
{
    const double a = 0.5, h = 1e-3, rate = 3.0;
    cn_world *w = scene_space(0.0, 0.0, 1e-12);
    cn_vec3 down = {cos(a), 0.0, -sin(a)};
    cn_body_id id = add_shaft(w, cn_v3(0.2, 0.1, 0.5));
    cn_joint_id joint = add_joint(w, &(cn_joint_def){.kind = CN_JOINT_CYLINDRICAL,
                                                     .body = id,
                                                     .at = {0.2, 0.1, 0.5},
                                                     .axis = {down.x, down.y, down.z}});
    cn_body_state s = scene_state(w, id);
    memcpy(s.angular_velocity, (double[3]){rate * down.x, rate * down.y, rate * down.z},
           sizeof s.angular_velocity);
    CN_DO(cn_body_set(w, id, &s, &test_error));
    CN_TRUE(scene_run(w, h, 500) == 0);
    cn_joint_state x = state_of(w, joint);
    double t = 0.5, fall = g * sin(a);
    CN_NEAR(x.position, 0.5 * fall * t * t, 1e-9, "a constant force is exact; 500 residuals");
    CN_NEAR(x.speed, fall * t, 1e-9, "likewise");
    CN_NEAR(x.gap, 0.0, 1e-12, "it does not drift");
    CN_NEAR(x.gap_angle, 0.0, 1e-12, "nor turn across");
    s = scene_state(w, id);
    cn_vec3 spin = cn_v3(s.angular_velocity[0], s.angular_velocity[1], s.angular_velocity[2]);
    CN_NEAR(cn_dot3(spin, down), rate, 1e-5,
            "the bar is not balanced about the axis: kinetic energy of rotation about a fixed axis "
            "is constant to second order in h rate = 3e-3");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

CN_TEST(a_cylindrical_joint_has_motor_and_stops)
{
    cn_world *w = scene_space(0.0, 0.0, 1e-12);
    cn_body_id id = add_shaft(w, cn_v3(0.0, 0.0, 0.0));
    cn_joint_id joint = add_joint(w, &(cn_joint_def){.kind = CN_JOINT_CYLINDRICAL,
                                                     .body = id,
                                                     .axis = {0.0, 0.0, 1.0},
                                                     .limit = {-0.3, 0.3}});
    CN_TRUE(scene_run(w, 1e-3, 1000) == 0); // falls on the lower stop
    CN_NEAR(state_of(w, joint).position, -0.3, 1e-9, "it rests there");
    double weight = scene_state(w, id).mass * g * 1e-3;
    CN_NEAR(state_of(w, joint).stop, weight, 1e-9 * weight, "the stop carries it");
    CN_DO(cn_joint_set_motor(w, joint, 0.5, 1e6, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 400) == 0);
    CN_NEAR(state_of(w, joint).speed, 0.5, 1e-9, "the motor lifts it");
    cn_world_destroy(w);
}

// Two shafts at the angle b, one on a hinge, the end of the other held by two rods. The pins (cos
// p, sin p, 0) and (-cos b sin q, cos q, sin b sin q) stay at right angles: tan q = tan p / cos b.
CN_TEST(a_universal_joint_has_the_ratio_of_cardan)
{
    const double b = 0.6, h = 1e-3;
    cn_world *w = scene_space(0.0, 0.0, 1e-12);
    cn_vec3 d = {sin(b), 0.0, cos(b)};
    cn_body_id in = add_shaft(w, cn_v3(0.0, 0.0, -0.5));
    cn_body_id out = add_shaft(w, cn_mul3(0.5, d));
    cn_joint_id first = add_joint(w, &(cn_joint_def){.kind = CN_JOINT_HINGE,
                                                     .body = in,
                                                     .at = {0.0, 0.0, -0.5},
                                                     .axis = {0.0, 0.0, 1.0},
                                                     .motor_speed = 2.0,
                                                     .motor_limit = 1e6});
    for (int k = 0; k < 2; k++) { // rods hold the end of the output on its axis
        cn_vec3 side = k == 0 ? cn_v3(0.0, 3.0, 0.0) : cn_v3(3.0 * d.z, 0.0, -3.0 * d.x);
        add_joint(w, &(cn_joint_def){.kind = CN_JOINT_ROD,
                                     .body = out,
                                     .at = {d.x, 0.0, d.z},
                                     .to = {d.x + side.x, side.y, d.z + side.z}});
    }
    cn_joint_id cross = add_joint(w, &(cn_joint_def){.kind = CN_JOINT_UNIVERSAL,
                                                     .body = in,
                                                     .other = out,
                                                     .axis = {0.0, 1.0, 0.0},
                                                     .pin = {1.0, 0.0, 0.0}});
    double most = 0.0, slow = INFINITY, fast = 0.0, open = 0.0;
    int missed = 0;
    for (int k = 0; k < 1600; k++) { // half a turn: all that there is
        missed += scene_run(w, h, 1);
        cn_body_state s = scene_state(w, out);
        cn_mat3 R =
            cn_quat_matrix((cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
        cn_vec3 pin = cn_mat3_mul(&R, cn_v3(0.0, 1.0, 0.0)), left = cn_cross3(d, cn_v3(0, 1, 0));
        double p = state_of(w, first).position, q = atan2(cn_dot3(pin, left), pin.y);
        most = fmax(most, fabs(remainder(q - atan2(sin(p), cos(p) * cos(b)), 2.0 * CN_PI)));
        double rate =
            cn_dot3(d, cn_v3(s.angular_velocity[0], s.angular_velocity[1], s.angular_velocity[2]));
        slow = k > 1 ? fmin(slow, rate) : slow;
        fast = fmax(fast, rate);
        open = fmax(open, fmax(state_of(w, cross).gap, fabs(state_of(w, cross).gap_angle)));
    }
    CN_TRUE(missed == 0);
    CN_NEAR(open, 0.0, 1e-11, "it stays closed where the step is set up");
    CN_NEAR(most, 0.0, 1e-5, "the joint is closed in the middle of a step: (h rate)^2 at its end");
    CN_NEAR(fast, 2.0 / cos(b), 1e-4, "where the pin of the input lies in the plane of the shafts");
    CN_NEAR(slow, 2.0 * cos(b), 1e-4, "a quarter turn later");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// On a plane at the angle a to the ground a point slides down at g sin(a); the body turns as it
// did, for what holds it goes through its mass centre.
CN_TEST(a_point_in_a_plane_slides_down_it)
{
    const double a = 0.4, h = 1e-3, t = 0.5, rate = 3.0;
    cn_world *w = scene_space(0.0, 0.0, 1e-12);
    cn_body_id id = scene_sphere(w, 0.0, 0.0, 1.0, 0.1);
    cn_vec3 normal = {sin(a), 0.0, cos(a)};
    cn_joint_id joint = add_joint(w, &(cn_joint_def){.kind = CN_JOINT_IN_PLANE,
                                                     .body = id,
                                                     .at = {0.0, 0.0, 1.0},
                                                     .axis = {normal.x, 0.0, normal.z}});
    cn_body_state s = scene_state(w, id);
    memcpy(s.angular_velocity, (double[3]){rate, rate, 0.0}, sizeof s.angular_velocity);
    CN_DO(cn_body_set(w, id, &s, &test_error));
    CN_TRUE(scene_run(w, h, 500) == 0);
    s = scene_state(w, id);
    double way = 0.5 * g * sin(a) * t * t;
    CN_NEAR(s.position[0], way * cos(a), 1e-9, "a constant force is exact; 500 residuals");
    CN_NEAR(s.position[2], 1.0 - way * sin(a), 1e-9, "likewise");
    CN_NEAR(s.angular_velocity[0], rate, 1e-12, "no moment acts on a ball");
    CN_NEAR(s.angular_velocity[1], rate, 1e-12, "likewise");
    const cn_joint_state held_by = state_of(w, joint);
    const double *r = held_by.impulse, held = s.mass * g * cos(a) * h;
    CN_NEAR(cn_dot3(cn_v3(r[0], r[1], r[2]), normal), held, 1e-9 * held, "the weight across it");
    CN_NEAR(state_of(w, joint).gap, 0.0, 1e-12, "it does not drift");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// A Scotch yoke: the pin of a crank in the slot of a body that slides along x, x = L cos(angle).
CN_TEST(a_pin_in_a_slot_drives_a_scotch_yoke)
{
    const double h = 1e-3, L = 0.3, rate = 2.0;
    cn_world *w = scene_world(0.0, 0.0, 1e-12);
    cn_body_id crank = scene_disk(w, 0.0, 0.0, 0.5, 0),
               yoke = scene_box(w, L, 0.0, 0.1, 1.0, 0.0, 0);
    cn_joint_id axle = add_joint(
        w, &(cn_joint_def){
               .kind = CN_JOINT_HINGE, .body = crank, .motor_speed = rate, .motor_limit = 1e6});
    cn_joint_id rail = add_joint(
        w, &(cn_joint_def){.kind = CN_JOINT_SLIDER, .body = yoke, .at = {L}, .axis = {1.0}});
    cn_joint_id slot = add_joint(
        w, &(cn_joint_def){
               .kind = CN_JOINT_IN_PLANE, .body = crank, .other = yoke, .at = {L}, .axis = {1.0}});
    double most = 0.0, open = 0.0;
    int missed = 0;
    for (int k = 0; k < 3500; k++) { // more than a turn
        missed += scene_run(w, h, 1);
        double angle = state_of(w, axle).position, x = L + state_of(w, rail).position;
        most = fmax(most, fabs(x - L * cos(angle)));
        open = fmax(open, state_of(w, slot).gap);
    }
    CN_TRUE(missed == 0);
    CN_NEAR(open, 0.0, 1e-12, "it stays closed where the step is set up");
    CN_NEAR(most, 0.0, L * h * rate * h * rate, "the end of a step is the middle of two of those");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

CN_TEST(what_they_cannot_be_is_refused)
{
    cn_world *w = scene_space(0.0, 0.0, 1e-12);
    cn_body_id id = add_shaft(w, cn_v3(0.0, 0.0, 0.0));
    cn_joint_def def = {.kind = CN_JOINT_UNIVERSAL, .body = id, .axis = {1.0, 0.0, 0.0}};
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "right angles");
    def.pin[0] = def.pin[1] = 1.0;
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "right angles");
    cn_joint_def bar = {.kind = CN_JOINT_CYLINDRICAL, .body = id};
    CN_FAILS(cn_joint_add(w, &bar, NULL, &test_error), CN_BAD_INPUT, "axis (0, 0, 0)");
    cn_world_destroy(w);
    w = scene_world(0.3, 0.0, 1e-10);
    id = scene_disk(w, 0.0, 1.0, 0.1, 0);
    bar = (cn_joint_def){.kind = CN_JOINT_CYLINDRICAL, .body = id, .axis = {1.0, 0.0, 0.0}};
    CN_FAILS(cn_joint_add(w, &bar, NULL, &test_error), CN_BAD_INPUT, "joint of space");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(a_cylindrical_joint_slides_and_turns);
        CN_RUN(a_cylindrical_joint_has_motor_and_stops);
        CN_RUN(a_universal_joint_has_the_ratio_of_cardan);
        CN_RUN(a_point_in_a_plane_slides_down_it); CN_RUN(a_pin_in_a_slot_drives_a_scotch_yoke);
        CN_RUN(what_they_cannot_be_is_refused);)
