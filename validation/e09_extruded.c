// validation/e09_extruded.c -- E09: what happens in the plane happens in space with depth.
//
// Question: do the codes of the plane and of space agree? Reference: a prism of depth 1 m moves
// like its section, whatever the forces at its more numerous contact points are. In space all axes
// are turned, so that nothing is zero by chance. Source: derived here.
#include "builders.h"
#include "table.h"

#define DEPTH 1.0 // [m]

typedef struct scene {
    const char *name;
    double mu, h, length; // [-], [s], size of a body [m]
    int step_count;
    void (*build)(cn_trial *t);
} scene;

static void build_incline(cn_trial *t)
{
    cn_build_box_on_plane(t, 0.2, 0.1, 2000.0, cn_degrees(30.0), 0.0, 0.0);
}

// Half width 0.1, half height 0.4, released at half of the angle of balance (case B01).
static void build_rocking(cn_trial *t)
{
    double tilt = 0.5 * atan(0.25);
    cn_vec2 centre = cn_turn2(cn_v2(-0.1, 0.4), cos(tilt), -sin(tilt));
    cn_build_plane(t, (cn_body_def){0});
    cn_build_box(t, 0.2, 0.8,
                 (cn_body_def){.density = 2000.0, .at = {centre.x, centre.y}, .angle = -tilt});
}

static void build_arch(cn_trial *t)
{
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_joints_circular(10, 10.0, 1.056, CN_PI, joint);
    cn_build_arch(t, 10, 1, joint, 2000.0);
}

// Differences between the two worlds over all bodies and steps.
typedef struct difference {
    double place, turn; // over the length of the scene [-], [rad]
    double velocity;    // over g h [-]
    double aside;       // out of the plane, over the length [-]
} difference;

static void compare(const scene *s, const cn_trial *flat, const cn_trial *deep, difference *d)
{
    cn_view view = cn_world_view(flat->world);
    for (int i = 0; i < view.body_count; i++) {
        if (view.fixed[i] != 0) {
            continue;
        }
        cn_body_state a = cn_trial_state(flat, view.id[i]), b = cn_trial_state(deep, view.id[i]);
        double x = b.position[0] - a.position[0], y = b.position[1] - a.position[1];
        double vx = b.velocity[0] - a.velocity[0], vy = b.velocity[1] - a.velocity[1];
        d->place = fmax(d->place, hypot(x, y) / s->length);
        d->turn = fmax(d->turn, fabs(b.angle - a.angle));
        d->velocity = fmax(d->velocity, hypot(vx, vy) / (CN_G * s->h));
        d->aside = fmax(d->aside, fabs(b.position[2]) / s->length);
    }
}

static cn_trial begin(cn_book *book, const scene *s, cn_place place)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_law_def law = cn_law_coulomb(s->mu, 0.0);
    cn_law_set_word(&law, "form", "velocity", NULL);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    s->build(&t);
    return t;
}

static difference run_both(cn_book *book, const scene *s)
{
    difference d = {0};
    cn_trial flat = begin(book, s, cn_place_plane()), deep = begin(book, s, cn_place_space(DEPTH));
    for (int n = 0; n < s->step_count; n++) {
        if (!cn_trial_step(&flat, s->h) || !cn_trial_step(&deep, s->h)) {
            d = (difference){NAN, NAN, NAN, NAN};
            break;
        }
        compare(s, &flat, &deep, &d);
    }
    cn_trial_end(&flat);
    cn_trial_end(&deep);
    return d;
}

void cn_case_E09(cn_book *book)
{
    static const scene sliding = {"sliding block, 1 s", 0.5, 1e-3, 0.1, 1000, build_incline};
    static const scene rocking = {"rocking block, 0.83 s", 1.0, 2.5e-4, 0.2, 3320, build_rocking};
    static const scene arch = {"falling arch, first step", 0.7, 1e-3, 1.056, 1, build_arch};
    const scene *all[3] = {&sliding, &rocking, &arch};
    for (int k = 0; k < 3; k++) {
        difference d = run_both(book, all[k]);
        const char *name = all[k]->name;
        cn_check(book, cn_name(book, "%s: places over a length", name), d.place, 0.0, 1e-6);
        cn_check(book, cn_name(book, "%s: angles", name), d.turn, 0.0, 1e-6);
        cn_check(book, cn_name(book, "%s: aside over a length", name), d.aside, 0.0, 1e-6);
        if (all[k]->step_count == 1) {
            cn_check(book, cn_name(book, "%s: velocities over g h", name), d.velocity, 0.0, 1e-6);
        }
    }
}
