// validation/l17_tensegrity.c -- L17: a tensegrity prism finds its twist.
//
// Question: does a prism of three bars, whose cables are 1 % shorter than at 150 degrees, go there
// from 140 and from 160 degrees, with force densities 1 : 0.577350 of its cables, and does it
// collapse when one is cut? Source: Connelly and Back 1998. Bars are thin capsules with mass.
#include <math.h>
#include <stdio.h>

#include "builders.h"
#include "table.h"

static const double BAR = 2.274214, SIDE = 1.306885, AROUND = 1.732051; // [m]
static const double H = 2e-3;
enum { CABLES = 9 };

static cn_trial make_prism(cn_book *book, double twist)
{
    char text[1400];
    double chord = 2.0 * sin(0.5 * cn_degrees(twist));
    double height = sqrt(BAR * BAR - chord * chord);
    double side = hypot(2.0 * sin(0.5 * cn_degrees(twist - 120.0)), height);
    snprintf(text, sizeof text,
             "cairn: 1\ndimension: 3\nmaterials: {tube: {density: 2000}}\n"
             "laws: {dry: {type: coulomb}}\ncontacts: [{between: [any, any], law: dry}]\n"
             "bodies: {prism: {generate: {tensegrity: {radius: 1, height: %.17g, twist: %.17g,\n"
             "  bar: 0.01}}, material: tube}}\n"
             "joints:\n"
             "  side: {net: {of: prism, ends: true, reach: %.9g, beyond: %.9g},\n"
             "    cable: {stiffness: 1e5, damping: 500, length: %.9g}}\n"
             "  around: {net: {of: prism, ends: true, reach: 1.74, beyond: 1.72},\n"
             "    cable: {stiffness: 1e5, damping: 500, length: %.9g}}\n"
             "stages: [{step: 1e-3, duration: 1}]\n",
             height, cn_degrees(twist), 1.0001 * side, 0.9999 * side, 0.99 * SIDE, 0.99 * AROUND);
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin_scene(book, text, &solver);
    cn_error err;
    cn_trial_gravity(&t, 0.0, 0.0, 0.0);
    cn_trial_ok(&t, cn_world_set_scheme(t.world, 1.0, 0.0, &err), &err); // springs come to rest
    return t;
}

// Twist of a bar about the axis of the prism [degrees].
static double twist_of(const cn_trial *t, int bar)
{
    cn_view v = cn_world_view(t->world);
    cn_body_state s = cn_trial_state(t, v.id[bar]);
    cn_mat3 R =
        cn_quat_matrix((cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
    cn_vec3 axis = cn_mat3_mul(&R, cn_v3(0.0, 0.0, 0.5 * BAR));
    double low = atan2(s.position[1] - axis.y, s.position[0] - axis.x);
    double high = atan2(s.position[1] + axis.y, s.position[0] + axis.x);
    double twist = (high - low) * 180.0 / CN_PI;
    return twist < 0.0 ? twist + 360.0 : twist;
}

// The last bit of twist takes no cable along, so that their dashpots do not feel it: bars are
// slowed down from time to time.
static void come_to_rest(cn_trial *t)
{
    cn_view v = cn_world_view(t->world);
    for (int n = 0; n < 60 && cn_trial_run(t, H, 25); n++) {
        for (int k = 0; k < v.body_count; k++) {
            cn_error err;
            cn_body_state s = cn_trial_state(t, v.id[k]);
            for (int d = 0; d < 3; d++) {
                s.velocity[d] *= 0.5;
                s.angular_velocity[d] *= 0.5;
            }
            cn_trial_ok(t, cn_body_set(t->world, v.id[k], &s, &err), &err);
        }
    }
    cn_trial_run(t, H, 25);
}

static void check_twist(cn_book *book, double start)
{
    cn_trial t = make_prism(book, start);
    come_to_rest(&t);
    for (int k = 0; k < 3; k++) {
        cn_check(book, cn_name(book, "from %g degrees: twist of bar %d", start, k + 1),
                 twist_of(&t, k), 150.0, 0.05);
    }
    cn_view v = cn_world_view(t.world);
    double least = INFINITY, density[2] = {0.0, 0.0};
    for (int k = 0; k < v.joint_count && k < CABLES; k++) {
        const double *p = v.joint[k].impulse;
        double force = cn_norm3(cn_v3(p[0], p[1], p[2])) / H;
        least = fmin(least, force);
        density[k < 3 ? 0 : 1] += force / v.joint[k].position / (k < 3 ? 3.0 : 6.0);
    }
    cn_check_true(book, cn_name(book, "from %g degrees: no cable is slack", start), least > 100.0);
    cn_check_rel(book, cn_name(book, "from %g degrees: ratio of force densities", start),
                 density[1] / density[0], 0.577350, 5e-3);
    cn_error err;
    cn_trial_ok(&t, cn_joint_remove(t.world, v.joint[0].id, &err), &err);
    cn_trial_run(&t, H, 500);
    cn_check_true(book, cn_name(book, "from %g degrees: cut, it collapses", start),
                  fabs(twist_of(&t, 0) - 150.0) > 10.0);
    cn_trial_end(&t);
}

void cn_case_L17(cn_book *book)
{
    check_twist(book, 140.0);
    check_twist(book, 160.0);
}
