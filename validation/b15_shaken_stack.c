// validation/b15_shaken_stack.c -- B15: stacks of blocks on a base that shakes.
//
// Question: at which amplitude does a stack of n blocks move, and where? Reference: the base lifts
// or slips first, at A = g min(mu, w/(n h)); below, the stack goes along as one. Lengths x 4 with
// frequencies / 2 give the same motion. Source: Ceh et al. 2015; Camenen et al. 2015.
#include "builders.h"
#include "table.h"

#define WIDTH 0.2 // of a block [m]
#define BLOCK_MAX 5

typedef struct stack {
    int count;
    double aspect, mu; // height over width of a block, friction
    double frequency;  // of the base [Hz]
    double scale;      // of lengths
} stack;

typedef struct shake {
    double a, w;  // amplitude [m/s2], angular frequency [rad/s]
    double until; // end of the motion [s]
} shake;

static double acceleration(double t, void *context)
{
    const shake *s = context;
    return t < s->until ? s->a * sin(s->w * t) : 0.0;
}

typedef struct shaken {
    cn_trial trial;
    cn_body_id base, block[BLOCK_MAX];
    shake shake;
    cn_share share[3];
} shaken;

// *s must stay where it is: the drive points into it.
static void begin(cn_book *book, const cn_place *place, const stack *k, double a, double cycles,
                  shaken *s)
{
    double width = WIDTH * k->scale, height = k->aspect * width;
    cn_world_def def = cn_trial_def();
    cn_place scaled = *place;
    scaled.depth *= k->scale;
    def.solver.method = CN_METHOD_AUTO;
    s->trial = cn_trial_begin_at(book, &def, &scaled);
    s->shake = (shake){a, 2.0 * CN_PI * k->frequency, cycles / k->frequency};
    cn_trial_coulomb(&s->trial, k->mu, 0.0);
    s->base = cn_build_plane(&s->trial, (cn_body_def){0});
    for (int n = 0; n < k->count; n++) {
        s->block[n] =
            cn_build_box(&s->trial, width, height,
                         (cn_body_def){.density = 2000.0, .at = {0.0, (n + 0.5) * height}});
    }
    cn_function f = {.kind = CN_FUNCTION_CALL, .call = acceleration, .context = &s->shake};
    cn_trial_drive(&s->trial, s->base, CN_DRIVE_ACCELERATION, cn_v3(1.0, 0.0, 0.0), f, s->share);
}

// The lowest joint whose blocks move against each other, or -1.
static int moving_joint(const shaken *s, int count)
{
    cn_body_state below = cn_trial_state(&s->trial, s->base);
    for (int n = 0; n < count; n++) {
        cn_body_state now = cn_trial_state(&s->trial, s->block[n]);
        double spin = now.angular_velocity[2] - below.angular_velocity[2],
               slip = now.velocity[0] - below.velocity[0];
        if (fabs(slip) + WIDTH * fabs(spin) > 1e-6) {
            return n;
        }
        below = now;
    }
    return -1;
}

// Where a stack moves first within half a cycle, or -1; *turns: whether by turning.
static int first_event(cn_book *book, const cn_place *place, const stack *k, double a, bool *turns)
{
    shaken s;
    int joint = -1;
    double h = 2e-3 / k->frequency;
    begin(book, place, k, a, 0.5, &s);
    for (int n = 0; n < 250 && joint < 0 && cn_trial_step(&s.trial, h); n++) {
        joint = moving_joint(&s, k->count);
    }
    cn_body_state lowest = cn_trial_state(&s.trial, s.block[0]);
    *turns = WIDTH * fabs(lowest.angular_velocity[2]) > 1e-7;
    cn_trial_end(&s.trial);
    return joint;
}

static void check_event(cn_book *book, const cn_place *place, stack k)
{
    double lift = 1.0 / (k.count * k.aspect), expected = fmin(k.mu, lift);
    cn_bracket a = {0.97 * expected, 1.03 * expected};
    int joint = -1;
    bool turns = false;
    for (int n = 0; n < 8; n++) {
        bool is_turning;
        int where = first_event(book, place, &k, cn_middle(a) * CN_G, &is_turning);
        a = cn_halve(a, where >= 0);
        joint = where < 0 ? joint : where;
        turns = where < 0 ? turns : is_turning;
    }
    const char *format = "%s, n %d, h/w %g, mu %g%s", *where = place->name;
    cn_check_rel(book, cn_name(book, format, "A/g", k.count, k.aspect, k.mu, where), cn_middle(a),
                 expected, 0.01);
    cn_check_true(
        book,
        cn_name(book, format, lift < k.mu ? "lifts" : "slips", k.count, k.aspect, k.mu, where),
        turns == (lift < k.mu));
    if (lift < k.mu) { // all joints are equally near to slipping
        cn_check(book, cn_name(book, format, "joint", k.count, k.aspect, k.mu, where), joint, 0.0,
                 0.0);
    }
}

// Positions over the width of a block, and angles, after a pulse of one cycle.
static void pulse(cn_book *book, const cn_place *place, const stack *k, double a, double h,
                  double *pose)
{
    shaken s;
    begin(book, place, k, a, 1.0, &s);
    cn_trial_run(&s.trial, h, 800);
    for (int n = 0; n < k->count; n++) {
        cn_body_state now = cn_trial_state(&s.trial, s.block[n]);
        pose[3 * n] = now.position[0] / k->scale;
        pose[3 * n + 1] = now.position[1] / k->scale;
        pose[3 * n + 2] = now.angle;
    }
    cn_trial_end(&s.trial);
}

static void check_scaling(cn_book *book, const cn_place *place)
{
    stack small = {3, 1.5, 0.5, 2.0, 1.0}, large = {3, 1.5, 0.5, 1.0, 4.0};
    double one[3 * BLOCK_MAX], four[3 * BLOCK_MAX], most = 0.0;
    pulse(book, place, &small, 0.35 * CN_G, 1e-3, one);
    pulse(book, place, &large, 0.35 * CN_G, 2e-3, four);
    for (int n = 0; n < 3 * small.count; n++) {
        most = fmax(most, fabs(one[n] - four[n]));
    }
    cn_check_least(book, cn_name(book, "the top block turns%s", place->name), fabs(one[8]), 1e-3);
    cn_check(book, cn_name(book, "difference at lengths x 4%s", place->name), most, 0.0, 1e-6);
}

static void check_stacks(cn_book *book, cn_place place)
{
    check_event(book, &place, (stack){1, 2.0, 0.6, 2.0, 1.0});
    check_event(book, &place, (stack){1, 1.0, 0.3, 1.0, 1.0});
    check_event(book, &place, (stack){2, 1.5, 0.4, 10.0, 1.0});
    check_event(book, &place, (stack){3, 1.0, 0.3, 2.0, 1.0});
    check_event(book, &place, (stack){3, 1.0, 0.6, 5.0, 1.0});
    check_event(book, &place, (stack){5, 2.0, 0.3, 2.0, 1.0});
    check_scaling(book, &place);
}

void cn_case_B15(cn_book *book)
{
    check_stacks(book, cn_place_plane());
    check_stacks(book, cn_place_space(0.2));
}
