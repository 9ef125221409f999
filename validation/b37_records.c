// validation/b37_records.c -- B37 to B40: records of ground motion, read, corrected and used.
//
// Question: do eight kinds of files give one record, does a correction of the baseline take what it
// should and nothing else, does an oscillator on a driven base have the spectrum of a pulse, and is
// a driven base the same as a moving frame? Reference: 0.3 g sin(2 pi t) and its integral; closed
// forms; Galilei. Source: PEER format pages; Chopra, Dynamics of Structures; derived.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "builders.h"
#include "table.h"

enum { COUNT = 2001, TEXT_MOST = 1 << 18 };
static const double DT = 0.005;

typedef struct text {
    char *data;
    size_t length;
} text;

static void put(text *t, const char *format, ...) CN_PRINTF(2, 3);

static void put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int count = vsnprintf(t->data + t->length, TEXT_MOST - t->length, format, args);
    t->length += count > 0 ? (size_t)count : 0;
    va_end(args);
}

static text begin_text(cn_book *book)
{
    text t = {.data = calloc(1, TEXT_MOST)};
    if (t.data == NULL) {
        cn_book_failure(book, "no memory for the text of a record");
        abort();
    }
    return t;
}

#define PEER                                                                                       \
    "PEER STRONG MOTION DATABASE RECORD\nNOWHERE 10/17/89 00:05, HILL, 90\n"                       \
    "ACCELERATION TIME HISTORY IN UNITS OF G\n"

// A kind of file: what is above its values and how they are written.
typedef struct kind {
    const char *name, *head, *before, *after; // of a value
    const char *between;                      // its time and it; NULL: no times
    int digits;                               // 7, or 0 for those of powers of ten
    double unit;                              // of the values, per g
    cn_record_unit told;
    double dt;
} kind;

static const kind kinds[] = {
    {"AT2", PEER "NPTS=  2001, DT=   .0050 SEC\n", "  ", "\n", NULL, 0, 1.0, 0, 0.0},
    {"old AT2", PEER " 2001   .0050  NPTS, DT\n", "  ", "\n", NULL, 0, 1.0, 0, 0.0},
    {"stuck AT2", PEER "NPTS=  2001, DT=   .0050 SEC\n", "", "", NULL, 7, 1.0, 0, 0.0},
    {"blanks", "time a\n", "   ", "\n", "  ", 7, 1.0, CN_RECORD_G_UNIT, 0.0},
    {"tabs", "time a\n", "", "\n", "\t", 7, 1.0, CN_RECORD_G_UNIT, 0.0},
    {"semicolons", "time;a\n", "", "\r\n", ";", 7, 1.0, CN_RECORD_G_UNIT, 0.0},
    {"one column", "", "", "\n", NULL, 7, 1.0, CN_RECORD_G_UNIT, 0.005},
    {"ESM", "EVENT_NAME: X\nSAMPLING_INTERVAL_S: 0.005\nNDATA: 2001\nUNITS: cm/s^2\nUSER5: \n", "",
     "\n", NULL, 7, 981.0, 0, 0.0},
};

static void write_row(text *t, const kind *k, double time, double a)
{
    size_t from = t->length;
    const char *blank = k->after[0] == '\0' && !(a < 0.0) ? " " : ""; // minus signs stick
    put(t, "%s", k->before);
    if (k->between != NULL) {
        put(t, "%.3f%s", time, k->between);
    }
    if (k->digits > 0) {
        put(t, "%s%.*f%s", blank, k->digits, a, k->after);
    } else {
        put(t, "%.7E%s", a, k->after);
    }
    bool is_comma = k->between != NULL && k->between[0] == ';';
    for (size_t n = from; n < t->length && is_comma; n++) {
        t->data[n] = t->data[n] == '.' ? ',' : t->data[n];
    }
}

// 0.3 g sin(2 pi t).
static text write_record(cn_book *book, const kind *k, int announced)
{
    text t = begin_text(book);
    put(&t, "%s", k->head);
    for (int n = 0; n < announced; n++) {
        write_row(&t, k, DT * n, 0.3 * k->unit * sin(2.0 * CN_PI * DT * n));
    }
    return t;
}

static cn_status read_record(const text *t, const cn_record_def *def, cn_record *record,
                             cn_error *err)
{
    return cn_record_parse("record.txt", t->data, t->length, def, record, err);
}

static cn_record read_kind(cn_book *book, const kind *k)
{
    cn_record record = {0};
    cn_error err;
    cn_record_def def = cn_record_def_default();
    def.unit = k->told;
    def.dt = k->dt;
    text t = write_record(book, k, COUNT);
    if (read_record(&t, &def, &record, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    free(t.data);
    return record;
}

static void check_refusals(cn_book *book)
{
    cn_record record;
    cn_error err = {0};
    cn_record_def def = cn_record_def_default();
    text t = write_record(book, &kinds[3], COUNT);
    bool is_refused = read_record(&t, &def, &record, &err) == CN_BAD_INPUT;
    cn_check_true(book, "without a unit: refused, with three peaks",
                  is_refused && strstr(err.text, "m/s2") && strstr(err.text, " g ") &&
                      strstr(err.text, "cm/s2"));
    free(t.data);
    t = write_record(book, &kinds[0], COUNT);
    memcpy(strstr(t.data, "2001"), "2002", 4);
    is_refused = read_record(&t, &def, &record, &err) == CN_BAD_INPUT;
    cn_check_true(book, "2002 announced: refused, with the count",
                  is_refused && strstr(err.text, "2001"));
    free(t.data);
}

void cn_case_B37(cn_book *book)
{
    const double exact = 0.936786, cut = pow(2.0 * CN_PI * DT, 2.0) / 12.0;
    for (int n = 0; n < (int)(sizeof kinds / sizeof *kinds); n++) {
        cn_record record = read_kind(book, &kinds[n]);
        cn_record_measure m = cn_record_measured(&record);
        const char *name = kinds[n].name;
        double v = cn_record_velocity_at(&record, 0.5);
        cn_check_rel(book, cn_name(book, "%s: peak [m/s2]", name), m.pga, 2.943, 1e-5);
        if (n == 0) {
            cn_open(book,
                    "samples are joined by lines, which cut (w dt)^2/12 = 8.2e-5 off the sine");
            cn_check_rel(book, "velocity at 0.5 s, of the sine [m/s]", v, exact, 1e-5);
        }
        cn_check_rel(book, cn_name(book, "%s: velocity at 0.5 s, of lines [m/s]", name), v,
                     (1.0 - cut) * exact, 1e-5);
        cn_check_rel(book, cn_name(book, "%s: largest velocity, of lines [m/s]", name), m.pgv,
                     (1.0 - cut) * exact, 1e-5);
        cn_check(book, cn_name(book, "%s: velocity at last [m/s]", name), m.velocity_end, 0.0,
                 1e-5 * exact);
        cn_record_free(&record);
    }
    check_refusals(book);
}

// ---- B38

static text write_function(cn_book *book, double (*f)(double), int count)
{
    text t = begin_text(book);
    put(&t, "t,a [m/s2]\n");
    for (int k = 0; k < count; k++) {
        put(&t, "%.17g,%.17g\n", 0.01 * k, f(0.01 * k));
    }
    return t;
}

static double drift(double t)
{
    return 0.1 + 0.02 * t;
}

static double shake(double t)
{
    return sin(7.0 * t) * exp(-0.3 * t) + 0.05;
}

static cn_record correct(cn_book *book, const text *t, cn_record_baseline baseline)
{
    cn_record record = {0};
    cn_error err;
    cn_record_def def = cn_record_def_default();
    def.baseline = baseline;
    if (read_record(t, &def, &record, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    return record;
}

static void check_twice(cn_book *book, cn_record_baseline baseline)
{
    static const char *const name[] = {"none", "constant", "linear", "quadratic"};
    text t = write_function(book, shake, 1001);
    cn_record once = correct(book, &t, baseline);
    t.length = 0;
    put(&t, "t,a [m/s2]\n");
    for (int k = 0; k < once.count; k++) {
        put(&t, "%.17g,%.17g\n", once.time[k], once.acceleration[k]);
    }
    cn_record twice = correct(book, &t, baseline);
    double most = 0.0;
    for (int k = 0; k < once.count && k < twice.count; k++) {
        most = fmax(most, fabs(twice.acceleration[k] - once.acceleration[k]));
    }
    cn_check(book, cn_name(book, "%s, twice: change over the peak", name[baseline]),
             most / cn_record_measured(&once).pga, 0.0, 1e-9);
    cn_record_free(&once);
    cn_record_free(&twice);
    free(t.data);
}

void cn_case_B38(cn_book *book)
{
    text t = write_function(book, drift, 1001);
    cn_record record = correct(book, &t, CN_BASELINE_LINEAR);
    cn_check(book, "drift, linear: what is left [m/s2]", cn_record_measured(&record).pga, 0.0,
             1e-10);
    cn_record_free(&record);
    for (int k = CN_BASELINE_CONSTANT; k < CN_BASELINE_COUNT; k++) {
        check_twice(book, (cn_record_baseline)k);
    }
    t.length = 0;
    put(&t, "t,a [m/s2]\n0,1\n1,1\n1.0000001,0\n10,0\n");
    record = correct(book, &t, CN_BASELINE_NONE);
    cn_record_measure m = cn_record_measured(&record);
    cn_check(book, "a second of 1 m/s2: velocity at 10 s [m/s]", m.velocity_end, 1.0, 1e-7);
    cn_check(book, "a second of 1 m/s2: place at 10 s [m]", m.displacement_end, 9.5, 1e-6);
    cn_record_free(&record);
    free(t.data);
}

// ---- B39: a mass of 1 kg on a spring whose other end goes with the record

static double response(cn_book *book, const cn_record *record, double period)
{
    const double h = 1e-3, w = 2.0 * CN_PI / period, along = 10.0;
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    const unsigned way = CN_FIXED_ALL & ~(1u << CN_DOF_X);
    cn_body_id base = cn_build_disk(&t, 0.1, (cn_body_def){.mass = 1.0, .inertia[2] = 1.0});
    cn_body_id mass = cn_build_disk(
        &t, 0.1, (cn_body_def){.mass = 1.0, .inertia[2] = 1.0, .at = {along, 0.0}, .fixed = way});
    cn_joint_def spring = {.kind = CN_JOINT_ROD,
                           .body = mass,
                           .other = base,
                           .at = {along, 0.0, 0.0},
                           .to = {0.0, 0.0, 0.0},
                           .stiffness = w * w};
    cn_trial_join(&t, &spring);
    for (int dof = 0; dof < 3 && !t.is_broken; dof++) {
        cn_drive_def drive = {.body = base,
                              .kind = CN_DRIVE_ACCELERATION,
                              .dof = dof == 2 ? CN_DOF_RZ : (cn_dof)dof,
                              .t0 = NAN};
        if (dof == 0) {
            drive.f = (cn_function){.kind = CN_FUNCTION_TABLE,
                                    .count = record->count,
                                    .time = record->time,
                                    .value = record->acceleration};
        }
        cn_error err;
        cn_trial_ok(&t, cn_drive_add(t.world, &drive, &err), &err);
    }
    double most = 0.0;
    for (int n = 0; n * h < 0.5 + period && cn_trial_step(&t, h); n++) {
        double u = cn_trial_state(&t, mass).position[0] - cn_trial_state(&t, base).position[0];
        most = fmax(most, fabs(u - along));
    }
    cn_trial_end(&t);
    return w * w * most;
}

void cn_case_B39(cn_book *book)
{
    static const double period[] = {0.2, 0.5, 1.0, 2.0, 5.0};
    static const double exact[] = {2.0, 2.0, 2.0, 1.414214, 0.618034};
    cn_error err;
    cn_record record = {0};
    cn_record_def def = cn_record_def_default();
    text t = begin_text(book);
    put(&t, "t,a [m/s2]\n0,1\n0.5,1\n0.501,0\n10,0\n");
    if (read_record(&t, &def, &record, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    for (int k = 0; k < (int)(sizeof period / sizeof *period) && record.count > 0; k++) {
        cn_check_rel(book, cn_name(book, "period %g s: largest acceleration [m/s2]", period[k]),
                     response(book, &record, period[k]), exact[k], 1e-3);
        double u, w = 2.0 * CN_PI / period[k];
        if (cn_record_spectrum(&record, 0.0, 1, &period[k], &u, &err) == CN_OK) {
            cn_check_rel(book, cn_name(book, "period %g s: by the closed form", period[k]),
                         w * w * u, exact[k], 1e-3);
        }
    }
    cn_record_free(&record);
    free(t.data);
}

// ---- B40

enum { BLOCKS = 2 };

typedef struct shaken {
    cn_trial trial;
    cn_body_id base, block[BLOCKS];
} shaken;

static const double share[3] = {1.0, 0.4, 0.7}; // of the record, along x, y (up) and z

static shaken build_shaken(cn_book *book, const cn_place *place)
{
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    shaken s = {.trial = cn_trial_begin_at(book, &def, place)};
    cn_trial_coulomb(&s.trial, 0.35, 0.0);
    s.base = cn_build_box(&s.trial, 4.0, 0.2, (cn_body_def){.density = 2000.0, .at = {0.0, -0.1}});
    s.block[0] =
        cn_build_box(&s.trial, 0.4, 0.2, (cn_body_def){.density = 2000.0, .at = {0.0, 0.1}});
    s.block[1] =
        cn_build_box(&s.trial, 0.3, 0.3, (cn_body_def){.density = 2000.0, .at = {0.02, 0.35}});
    return s;
}

// The mean of the record over a step.
static double mean_of(const cn_function *f, double t, double h)
{
    return 0.5 * (cn_function_at(f, t) + cn_function_at(f, t + h));
}

static void check_frames(cn_book *book, cn_place place, const cn_record *record)
{
    const double h = 1e-3, scale = 0.5 / 0.3;
    const cn_function f = {.kind = CN_FUNCTION_TABLE,
                           .count = record->count,
                           .time = record->time,
                           .value = record->acceleration};
    shaken driven = build_shaken(book, &place), held = build_shaken(book, &place);
    cn_error err;
    cn_trial_ok(&held.trial, cn_body_fix(held.trial.world, held.base, CN_FIXED_ALL, &err), &err);
    const int dim = place.dim;
    cn_share parts[3];
    for (int k = 0; k < (dim == 2 ? 3 : 6) && !driven.trial.is_broken; k++) {
        static const cn_dof dof[2][6] = {
            {CN_DOF_X, CN_DOF_Y, CN_DOF_RZ},
            {CN_DOF_X, CN_DOF_Y, CN_DOF_Z, CN_DOF_RX, CN_DOF_RY, CN_DOF_RZ}};
        cn_drive_def drive = {
            .body = driven.base, .kind = CN_DRIVE_ACCELERATION, .dof = dof[dim - 2][k], .t0 = NAN};
        if (k < dim) {
            parts[k] = (cn_share){f, scale * share[k]};
            drive.f =
                (cn_function){.kind = CN_FUNCTION_CALL, .call = cn_share_at, .context = &parts[k]};
        }
        cn_trial_ok(&driven.trial, cn_drive_add(driven.trial.world, &drive, &err), &err);
    }
    double most = 0.0, slid = 0.0;
    for (int n = 0; n < 2000; n++) {
        double a = scale * mean_of(&f, n * h, h);
        cn_trial_gravity(&held.trial, -share[0] * a, -CN_G - share[1] * a,
                         dim == 3 ? -share[2] * a : 0.0);
        if (!cn_trial_step(&driven.trial, h) || !cn_trial_step(&held.trial, h)) {
            break;
        }
        cn_body_state base = cn_trial_state(&driven.trial, driven.base);
        for (int b = 0; b < BLOCKS; b++) {
            cn_body_state x = cn_trial_state(&driven.trial, driven.block[b]);
            cn_body_state y = cn_trial_state(&held.trial, held.block[b]);
            for (int d = 0; d < dim; d++) {
                double way = x.position[d] - base.position[d];
                way += d == 1 ? -0.1 : 0.0;
                most = fmax(most, fabs(way - y.position[d]));
            }
            slid = fmax(slid, fabs(y.position[0]));
        }
    }
    cn_check(book, cn_name(book, "relative motion, driven base against frame [m]%s", place.name),
             most, 0.0, 1e-8);
    cn_check_least(book, cn_name(book, "way of the blocks on the base [m]%s", place.name), slid,
                   0.03);
    cn_trial_end(&driven.trial);
    cn_trial_end(&held.trial);
}

void cn_case_B40(cn_book *book)
{
    cn_record record = read_kind(book, &kinds[0]);
    check_frames(book, cn_place_plane(), &record);
    check_frames(book, cn_place_along_axes(0.4), &record);
    cn_record_free(&record);
}
