// validation/b03_pulses.c -- B03, B04, B46: a block is overturned by one pulse of base
// acceleration.
//
// Question: the least amplitude that overturns without an impact before, and what a set of such
// pulses, read as records, says of its fragility. Reference: the nonlinear
// equation of motion, solved once; Housner's condition for the half sine (0.9433, 0.6549, 0.4391)
// is known to be wrong and must not come out. Source: Housner 1963; Shenton and Jones 1991; Makris
// and Roussos 2000.
#include "builders.h"
#include "table.h"

typedef struct pulse {
    double a, duration; // [m/s2], [s]
} pulse;

// Velocity of the base under a constant acceleration that ends.
static double rectangle_velocity(double t, void *context)
{
    const pulse *p = context;
    return p->a * fmin(t, p->duration);
}

// Of a record whose acceleration is scaled by a.
typedef struct scaled {
    double a, duration;
    const cn_record *record;
} scaled;

static double record_velocity(double t, void *context)
{
    const scaled *s = context;
    return s->a * cn_record_velocity_at(s->record, t);
}

static double half_sine(double t, void *context)
{
    const pulse *p = context;
    return t < p->duration ? p->a * sin(CN_PI * t / p->duration) : 0.0;
}

// Whether the block falls before it stands upright again. Well beyond alpha nothing returns.
static bool overturns(cn_book *book, const cn_place *place, cn_drive_kind kind,
                      double (*call)(double, void *), void *context)
{
    const double b = 0.1, half_height = 0.4, h = 2e-4;
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 2.0, 0.0);
    cn_body_id base = cn_build_plane(&t, (cn_body_def){0});
    cn_body_id block = cn_build_box(&t, 2.0 * b, 2.0 * half_height,
                                    (cn_body_def){.density = 2000.0, .at = {0.0, half_height}});
    cn_share share[3];
    cn_function f = {.kind = CN_FUNCTION_CALL, .call = call, .context = context};
    cn_trial_drive(&t, base, kind, cn_v3(1.0, 0.0, 0.0), f, share);
    double angle = 0.0, least = 0.0;
    bool has_swung = false, is_back = false;
    for (int n = 0; n < 20000 && !is_back && fabs(angle) < 0.6; n++) {
        if (!cn_trial_step(&t, h)) {
            break;
        }
        angle = cn_trial_state(&t, block).angle;
        has_swung = has_swung || angle > 0.02;
        is_back = has_swung && angle <= 0.0;
        least = fmin(least, angle);
    }
    cn_trial_end(&t);
    return angle >= 0.6 && least > -1e-3;
}

// Least a/g that overturns, by bisection between 0.95 and 1.05 of the expected value; NaN if it is
// not between them. The pulse begins with its amplitude, which is set here.
static double find_least(cn_book *book, const cn_place *place, cn_drive_kind kind,
                         double (*call)(double, void *), double *amplitude, double expected)
{
    cn_bracket a = {0.95 * expected, 1.05 * expected};
    *amplitude = a.low * CN_G;
    bool is_low = !overturns(book, place, kind, call, amplitude);
    *amplitude = a.high * CN_G;
    bool is_bracketed = is_low && overturns(book, place, kind, call, amplitude);
    for (int k = 0; k < 8 && is_bracketed; k++) {
        *amplitude = cn_middle(a) * CN_G;
        a = cn_halve(a, overturns(book, place, kind, call, amplitude));
    }
    return is_bracketed ? cn_middle(a) : NAN;
}

static void check_least(cn_book *book, const cn_place *place, cn_drive_kind kind,
                        double (*call)(double, void *), double duration, double expected)
{
    pulse p = {.duration = duration};
    cn_check_rel(book, cn_name(book, "least a/g, pulse of %g s%s", duration, place->name),
                 find_least(book, place, kind, call, &p.a, expected), expected, 0.01);
}

static const double duration[4] = {0.1, 0.2, 0.3, 0.5};
static const double limit[4] = {0.727886764, 0.438677947, 0.347882706, 0.284114729};

void cn_case_B03(cn_book *book)
{
    const cn_place plane = cn_place_plane(), space = cn_place_space(0.3);
    for (int k = 0; k < 4; k++) {
        check_least(book, &plane, CN_DRIVE_VELOCITY, rectangle_velocity, duration[k], limit[k]);
        if (k == 1 || !cn_book_is_fast(book)) {
            check_least(book, &space, CN_DRIVE_VELOCITY, rectangle_velocity, duration[k], limit[k]);
        }
    }
}

void cn_case_B04(cn_book *book)
{
    static const double sines[3] = {0.664074484, 0.509528437, 0.387885391};
    const cn_place plane = cn_place_plane(), space = cn_place_space(0.3);
    for (int k = 0; k < 3; k++) {
        check_least(book, &plane, CN_DRIVE_ACCELERATION, half_sine, duration[k + 1], sines[k]);
        if (k == 1 || !cn_book_is_fast(book)) {
            check_least(book, &space, CN_DRIVE_ACCELERATION, half_sine, duration[k + 1], sines[k]);
        }
    }
}

// A rectangular pulse of 1 m/s2 as the text of a record.
static cn_record read_pulse(cn_book *book, double length)
{
    char text[128];
    cn_record record = {0};
    cn_error err;
    cn_record_def def = cn_record_def_default();
    int count = snprintf(text, sizeof text, "t,a [m/s2]\n0,1\n%.17g,1\n%.17g,0\n10,0\n", length,
                         length + 1e-7);
    if (cn_record_parse("pulse.csv", text, (size_t)count, &def, &record, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    return record;
}

void cn_case_B46(cn_book *book)
{
    const cn_place plane = cn_place_plane();
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < 4; k++) {
        cn_record record = read_pulse(book, duration[k]);
        scaled s = {.record = &record};
        double least = find_least(book, &plane, CN_DRIVE_VELOCITY, record_velocity, &s.a, limit[k]);
        cn_check_rel(book, cn_name(book, "intensity of collapse, %g s [g]", duration[k]), least,
                     limit[k], 0.01);
        sum += log(least);
        squares += log(least) * log(least);
        cn_record_free(&record);
    }
    cn_check_rel(book, "median [g]", exp(0.25 * sum), 0.421487, 0.01);
    cn_check_rel(book, "beta", sqrt((squares - 0.25 * sum * sum) / 3.0), 0.405174, 0.02);
}
