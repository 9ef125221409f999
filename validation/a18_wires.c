// validation/a18_wires.c -- A18: wires, rods and cables.
//
// Question: do link laws give the right tension, break when they must and take the right part of
// the velocity when they snap? Reference: (a) a mass that falls s = 0.5 m before its wire is taut
// pulls with m g (1 + sqrt(1 + 2 k s/(m g))) = 109.340076 N; (b) so a wire of 100 N breaks and one
// of 110 N does not; (c) an elastic rod swings with sqrt(k/m)/2 pi; (d) an inextensible cable
// leaves the velocity across it, 0.6 of 3.961818 m/s. Source: laws of Dubois and Jean 2005.
#include "builders.h"
#include "table.h"

static const double H = 1e-4, K = 1000.0; // [s], [N/m]

static cn_trial begin(cn_book *book, const cn_place *place, bool has_gravity)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = has_gravity ? -CN_G : 0.0;
    return cn_trial_begin_at(book, &def, place);
}

static cn_body_id add_mass(cn_trial *t, double x, double y)
{
    return cn_build_disk(t, 0.01,
                         (cn_body_def){.mass = 1.0, .inertia = {0.0, 0.0, 1e-4}, .at = {x, y}});
}

static double force_of(const cn_joint_state *s)
{
    return cn_norm3(cn_v3(s->impulse[0], s->impulse[1], s->impulse[2])) / H;
}

typedef struct fall {
    double force, stretch, slack_force; // largest tension [N], elongation [m]; tension while slack
    bool is_broken, is_pulling_broken;
    double speed; // at the end [m/s]
} fall;

// A mass hung on a wire of 1 m, dropped from `start` below its upper end.
static fall drop(cn_book *book, const cn_place *place, double start, double strength,
                 double duration)
{
    cn_trial t = begin(book, place, true);
    cn_joint_def def = {.kind = CN_JOINT_CABLE,
                        .body = add_mass(&t, 0.0, -start),
                        .at = {0.0, -start},
                        .length = 1.0,
                        .stiffness = K,
                        .strength = strength};
    cn_joint_id wire = cn_trial_join(&t, &def);
    fall o = {0};
    double length = start;
    for (int n = 0; n < (int)lround(duration / H) && cn_trial_step(&t, H); n++) {
        bool was_broken = o.is_broken;
        cn_joint_state s = cn_trial_joint(&t, wire);
        double force = force_of(&s);
        o.is_broken = s.is_broken;
        o.is_pulling_broken = o.is_pulling_broken || (was_broken && (force > 0.0 || !s.is_broken));
        o.force = fmax(o.force, force);
        o.stretch = s.is_broken ? o.stretch : fmax(o.stretch, s.position - 1.0);
        if (length <= 1.0 && s.position <= 1.0) {
            o.slack_force = fmax(o.slack_force, force);
        }
        length = s.position;
    }
    o.speed = cn_trial_state(&t, def.body).velocity[1];
    cn_trial_end(&t);
    return o;
}

static void check_wire(cn_book *book, cn_place place)
{
    const char *name = place.name;
    fall o = drop(book, &place, 0.5, 0.0, 1.5);
    cn_check_rel(book, cn_name(book, "(a) peak tension%s", name), o.force, 109.340076, 2e-3);
    cn_check_rel(book, cn_name(book, "(a) peak elongation%s", name), o.stretch, 0.109340076, 2e-3);
    cn_check(book, cn_name(book, "(a) tension while slack%s", name), o.slack_force, 0.0, 0.0);
    o = drop(book, &place, 1.0 + CN_G / K, 0.0, 0.5);
    cn_check_rel(book, cn_name(book, "(a) static sag%s", name), o.stretch, 9.81e-3, 2e-3);
    cn_check_rel(book, cn_name(book, "(a) tension at rest%s", name), o.force, CN_G, 2e-3);
    o = drop(book, &place, 0.5, 100.0, 1.0);
    cn_check_true(book, cn_name(book, "(b) strength 100 N: broken%s", name), o.is_broken);
    cn_check_true(book, cn_name(book, "(b) strength 100 N: stays broken%s", name),
                  !o.is_pulling_broken);
    o = drop(book, &place, 0.5, 110.0, 1.5);
    cn_check_true(book, cn_name(book, "(b) strength 110 N: survives%s", name), !o.is_broken);
}

// Frequency between passages through the rest length, in one sense and the other.
static void check_rod(cn_book *book, cn_place place)
{
    cn_trial t = begin(book, &place, false);
    cn_joint_def def = {.kind = CN_JOINT_ROD,
                        .body = add_mass(&t, 0.995, 0.0),
                        .at = {0.995, 0.0},
                        .length = 1.0,
                        .stiffness = K};
    cn_joint_id rod = cn_trial_join(&t, &def);
    double last = 0.995, first[2] = {0.0, 0.0}, frequency[2] = {0.0, 0.0};
    int count[2] = {0, 0};
    for (int n = 1; n <= 20000 && cn_trial_step(&t, H); n++) {
        double length = cn_trial_joint(&t, rod).position;
        if ((last < 1.0) != (length < 1.0)) {
            int sense = length < last;
            double time = H * (n - (length - 1.0) / (length - last));
            first[sense] = count[sense] == 0 ? time : first[sense];
            frequency[sense] = count[sense]++ / (time - first[sense]);
        }
        last = length;
    }
    cn_trial_end(&t);
    for (int sense = 0; sense < 2; sense++) {
        cn_check_rel(book,
                     cn_name(book, "(c) frequency, %s%s", sense == 0 ? "lengthening" : "shortening",
                             place.name),
                     frequency[sense], 5.032921, 2e-3);
    }
}

static void check_cable(cn_book *book, cn_place place)
{
    const double taut = sqrt(2.0 * 0.8 / CN_G), speed = 3.961818, across = 2.377091;
    const char *name = place.name;
    cn_trial t = begin(book, &place, true);
    cn_joint_def def = {
        .kind = CN_JOINT_CABLE, .body = add_mass(&t, 0.6, 0.0), .at = {0.6, 0.0}, .length = 1.0};
    cn_joint_id cable = cn_trial_join(&t, &def);
    double before = 0.0, after = 0.0, snapped = 0.0, soon = 0.0, later = 0.0;
    for (int n = 1; n <= (int)lround((taut + 1.0) / H) && cn_trial_step(&t, H); n++) {
        cn_joint_state s = cn_trial_joint(&t, cable);
        cn_body_state mass = cn_trial_state(&t, def.body);
        double v = hypot(mass.velocity[0], mass.velocity[1]), time = n * H;
        if (snapped == 0.0 && force_of(&s) > 0.0) {
            snapped = time;
        }
        before = snapped == 0.0 ? v : before;
        after = snapped > 0.0 && time < snapped + 3.5 * H ? v : after;
        double excess = s.position - 1.0;
        soon = snapped > 0.0 && time > snapped + 0.01 ? soon : fmax(soon, excess);
        later = fmax(later, excess);
    }
    cn_trial_end(&t);
    cn_check(book, cn_name(book, "(d) time of the snap%s", name), snapped, taut, 2.0 * H);
    cn_check_rel(book, cn_name(book, "(d) speed before%s", name), before, speed, 5e-3);
    cn_check_rel(book, cn_name(book, "(d) speed after%s", name), after, across, 5e-3);
    cn_check_rel(book, cn_name(book, "(d) part of the kinetic energy lost%s", name),
                 1.0 - after * after / (before * before), 0.64, 5e-3);
    cn_check(book, cn_name(book, "(d) excess length within 10 ms%s", name), soon, 0.0, 4e-4);
    cn_check(book, cn_name(book, "(d) excess length in the first second%s", name), later, 0.0,
             1e-3);
}

void cn_case_A18(cn_book *book)
{
    check_wire(book, cn_place_plane());
    check_rod(book, cn_place_plane());
    check_cable(book, cn_place_plane());
    check_wire(book, cn_place_space(0.0));
    check_rod(book, cn_place_space(0.0));
    check_cable(book, cn_place_space(0.0));
}
