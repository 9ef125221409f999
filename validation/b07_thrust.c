// validation/b07_thrust.c -- B07, B11: the thrust of arches whose support yields.
//
// Question: which horizontal reaction remains once a mechanism has formed? Reference: spreading
// supports give the least admissible thrust, closing ones the largest (limit analysis, two points
// per joint); a flat arch has no upper bound. Source: Heyman 1966 and 1982; Ochsendorf 2006.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

// Velocity of the right support: out for `turn` seconds, then in.
typedef struct travel {
    double speed, turn; // [m/s], [s]
} travel;

static double support_velocity(double t, void *context)
{
    const travel *way = context;
    return t <= way->turn ? way->speed : -way->speed;
}

// Mean horizontal reaction of the left support over W during `count` steps.
static double mean_thrust(cn_trial *t, const cn_arch *arch, int count)
{
    double sum = 0.0;
    for (int n = 0; n < count && cn_trial_step(t, STEP); n++) {
        sum += fabs(cn_trial_impulse(t, arch->support[0], NULL).x) / STEP;
    }
    return sum / (count * arch->weight);
}

// Moves one support out by `way`, and in by `way` beyond the start if `in` is wanted.
static void spread(cn_book *book, int stone_count, const cn_joint *joint, double mu, double way,
                   travel move, double *out, double *in)
{
    const int window = 100;
    int step_count = (int)lround(way / (move.speed * STEP));
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_arch arch = cn_build_arch(&t, stone_count, 1, joint, 2000.0);
    move.turn = (step_count + 0.5) * STEP;
    cn_drive_def drive = {
        .body = arch.support[1],
        .kind = CN_DRIVE_VELOCITY,
        .dof = CN_DOF_X,
        .f = {.kind = CN_FUNCTION_CALL, .call = support_velocity, .context = &move}};
    cn_error err;
    cn_trial_ok(&t, t.is_broken ? CN_OK : cn_drive_add(t.world, &drive, &err), &err);
    cn_trial_run(&t, STEP, step_count - window);
    *out = mean_thrust(&t, &arch, window);
    if (in) {
        cn_trial_run(&t, STEP, 2 * step_count - window);
        *in = mean_thrust(&t, &arch, window);
    }
    cn_trial_end(&t);
}

static void check_arch(cn_book *book, const char *name, int stone_count, double thickness,
                       double degrees, double least, double most)
{
    const double R = 10.0;
    double out, in;
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_joints_circular(stone_count, R, thickness * R, cn_degrees(degrees), joint);
    spread(book, stone_count, joint, 0.7, 1e-3 * R, (travel){.speed = 1e-3 * R}, &out, &in);
    cn_check_rel(book, cn_name(book, "H/W spreading, %s", name), out, least, 0.02);
    cn_check_rel(book, cn_name(book, "H/W closing, %s", name), in, most, 0.02);
}

void cn_case_B07(cn_book *book)
{
    check_arch(book, "semicircle N 16", 16, 0.15, 180.0, 0.176566, 0.228117);
    check_arch(book, "semicircle N 27", 27, 0.15, 180.0, 0.175568, 0.227373);
    check_arch(book, "segment 120 N 20", 20, 0.2, 120.0, 0.231388, 0.677156);
}

void cn_case_B11(cn_book *book)
{
    double out;
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_joints_flat(11, 2.0, 0.3, 2.0, joint);
    spread(book, 11, joint, 0.6, 1e-4, (travel){.speed = 2e-4}, &out, NULL);
    cn_check_rel(book, "H/W, abutment 0.1 mm out", out, 0.760955, 0.02);
}
