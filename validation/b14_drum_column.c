// validation/b14_drum_column.c -- B14: a column of drums under a growing horizontal acceleration.
//
// Question: which joint opens first, and when? Reference: the whole column rocks at the base joint
// at a/g = D/(n H); with little friction it slides first, at mu. Square blocks in
// space bear sqrt(2) times as much along the diagonal, round drums the same everywhere. Source:
// Psycharis et al. 2000; Konstantinidis and Makris 2005.
#include "builders.h"
#include "table.h"

#define DRUM_COUNT 5

typedef struct onset {
    double a;                // over g
    int joint;               // between body joint - 1 (0: the ground) and joint
    double tilt[DRUM_COUNT]; // of each drum [rad]
} onset;

// Small rotation as a vector [rad].
static cn_vec3 turn_of(const cn_trial *t, cn_body_id id)
{
    cn_body_state s = cn_trial_state(t, id);
    double twice = s.rotation[0] < 0.0 ? -2.0 : 2.0;
    return t->place.dim == 2 ? cn_v3(0.0, 0.0, s.angle)
                             : cn_mul3(twice, cn_v3(s.rotation[1], s.rotation[2], s.rotation[3]));
}

typedef struct column {
    cn_place place;
    double azimuth; // of the acceleration [rad]
    bool is_round;  // drums instead of square blocks
} column;

// Drums of diameter and height 1 m on the plane y = 0, the column along y.
static void build_drums(cn_trial *t, double density, cn_body_id *id)
{
    const double side = sqrt(0.5);
    cn_build_plane(t, (cn_body_def){0});
    for (int k = 0; k < DRUM_COUNT; k++) {
        cn_solid_def drum = {.kind = CN_SOLID_CYLINDER,
                             .radius = 0.5,
                             .length = 1.0,
                             .rotation = {side, -side, 0.0, 0.0}};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &drum},
                           .density = density,
                           .at = {0.0, k + 0.5, 0.0}};
        id[k] = cn_trial_add(t, &def);
    }
}

// Raises a by 0.02 g per second until a drum moves at 0.1 mm/s.
static onset ramp(cn_book *book, const column *c, double mu, double start)
{
    const double h = 1e-3;
    onset o = {.a = start};
    cn_body_id drum[DRUM_COUNT];
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, &c->place);
    cn_trial_coulomb(&t, mu, 0.0);
    if (c->is_round) {
        build_drums(&t, 2000.0, drum);
    } else {
        cn_build_stack(&t, DRUM_COUNT, 1.0, 1.0, 2000.0, drum);
    }
    while (o.a < 0.5 && !t.is_broken) {
        double a = o.a * CN_G;
        cn_trial_gravity(&t, a * cos(c->azimuth), -CN_G, a * sin(c->azimuth));
        if (!cn_trial_step(&t, h) || cn_trial_speed(&t) > 1e-4) {
            break;
        }
        o.a += 0.02 * h;
    }
    double least = 0.0;
    cn_vec3 below = {0};
    for (int k = 0; k < DRUM_COUNT; k++) {
        cn_vec3 turn = turn_of(&t, drum[k]);
        double opening = cn_norm3(cn_sub3(turn, below));
        o.joint = opening > least ? k : o.joint;
        least = fmax(least, opening);
        o.tilt[k] = cn_norm3(turn);
        below = turn;
    }
    cn_trial_end(&t);
    return o;
}

static void check_rocking(cn_book *book, const column *c, const char *name, double expected)
{
    onset o = ramp(book, c, 0.7, 0.95 * expected);
    cn_check_rel(book, cn_name(book, "a/g at onset, %s", name), o.a, expected, 0.01);
    cn_check(book, cn_name(book, "joint that opens, %s", name), o.joint, 0.0, 0.0);
    cn_check_least(book, cn_name(book, "tilt of the lowest drum, %s", name), o.tilt[0], 1e-7);
}

static void check_sliding(cn_book *book, const column *c, const char *name)
{
    onset o = ramp(book, c, 0.15, 0.14);
    cn_check_rel(book, cn_name(book, "a/g at onset, %s", name), o.a, 0.15, 0.01);
    cn_check(book, cn_name(book, "tilt of the top drum, %s", name), o.tilt[DRUM_COUNT - 1], 0.0,
             1e-9);
}

void cn_case_B14(cn_book *book)
{
    column plane = {cn_place_plane(), 0.0, false};
    check_rocking(book, &plane, "mu 0.7", 0.2);
    check_sliding(book, &plane, "mu 0.15");
    column space = {cn_place_space(1.0), 0.0, false};
    check_rocking(book, &space, "mu 0.7, blocks in space", 0.2);
    space.azimuth = 0.25 * CN_PI;
    check_rocking(book, &space, "mu 0.7, along the diagonal, in space", 0.2 * sqrt(2.0));
    // Round drums have no better direction; pi/32 is half-way between two points of their rims.
    // Each joint has 32 points, nearly all redundant.
    column drums = {cn_place_space(1.0), 0.0, true};
    check_rocking(book, &drums, "mu 0.7, round drums", 0.2);
    drums.azimuth = CN_PI / 32.0;
    check_rocking(book, &drums, "mu 0.7, round drums, azimuth pi/32", 0.2);
    drums.azimuth = 0.5;
    check_rocking(book, &drums, "mu 0.7, round drums, azimuth 0.5", 0.2);
    // All joints reach the round boundary of their cones at once, those above without any slip.
    space.azimuth = 0.0;
    check_sliding(book, &space, "mu 0.15, blocks in space");
}
