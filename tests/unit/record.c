// Records of ground acceleration: the files of validation case B37, corrections, and bad input.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/record.h"
#include "scene/model.h"
#include "scene_text.h"

enum { COUNT = 2001, TEXT_MAX = 1 << 18 };

static const double DT = 0.005;
static char text[TEXT_MAX];
static size_t length;

static void put(const char *format, ...) CN_PRINTF(1, 2);

static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, args);
    va_end(args);
}

// 0.3 g sin(2 pi t), in units of `factor` g.
static double sample(int k, double factor)
{
    return 0.3 * factor * sin(2.0 * CN_PI * DT * k);
}

static cn_status parse_record(const cn_record_def *given, cn_record *record)
{
    cn_record_def def = given != NULL ? *given : cn_record_def_default();
    def.told = keep;
    lines[0] = '\0';
    char *copy = malloc(length + 1); // no zero after it, and a sanitizer sees reads behind the end
    memcpy(copy, text, length);
    cn_status status = cn_record_parse("a.at2", copy, length, &def, record, &test_error);
    free(copy);
    return status;
}

static void begin_peer(const char *fourth)
{
    length = 0;
    put("PEER STRONG MOTION DATABASE RECORD\nNOWHERE 10/17/89 00:05, HILL, 90\n"
        "ACCELERATION TIME HISTORY IN UNITS OF G\n%s\n",
        fourth);
}

// Files of the case; the digits of the file are 1e-7 of g.
static void write_case(int which)
{
    const char *const peer[] = {"NPTS=  2001, DT=   .0050 SEC", " 2001   .0050  NPTS, DT",
                                "NPTS=   2001, DT=   .0050 SEC,"};
    length = 0;
    if (which < 3) {
        begin_peer(peer[which]);
    } else if (which == 7) {
        put("EVENT_NAME: X\nSAMPLING_INTERVAL_S: 0.005\nNDATA: 2001\nUNITS: cm/s^2\nUSER5: \n");
    } else if (which < 6) {
        put("time%sa\n", which == 5 ? ";" : " ");
    }
    for (int k = 0; k < COUNT; k++) {
        double a = sample(k, which == 7 ? 981.0 : 1.0);
        const char *end = k % 5 == 4 ? "\n" : "";
        if (which < 2) {
            put("  %.7E%s", a, end);
        } else if (which == 2) {
            put(a < 0.0 ? "%.7f%s" : " %.7f%s", a, end);
        } else if (which == 3 || which == 4) {
            put(which == 3 ? "%8.3f  %.7f\n" : "%.3f\t%.7f\n", DT * k, a);
        } else if (which == 5) {
            char row[64];
            snprintf(row, sizeof row, "%.3f;%.7f\r\n", DT * k, a);
            for (char *c = row; *c != '\0'; c++) {
                *c = *c == '.' ? ',' : *c;
            }
            put("%s", row);
        } else {
            put("%.7f\n", a);
        }
    }
}

// B37. The velocity is that of linear pieces: less than that of the sine by (w dt)^2 / 12.
CN_TEST(eight_files_of_one_record)
{
    const double exact = 0.3 * CN_RECORD_G / CN_PI, share = pow(2.0 * CN_PI * DT, 2.0) / 12.0;
    for (int which = 0; which < 8; which++) {
        cn_record record;
        cn_record_def def = cn_record_def_default();
        def.unit = which >= 3 && which < 7 ? CN_RECORD_G_UNIT : CN_RECORD_AS_FILE;
        def.dt = which == 6 ? DT : 0.0;
        write_case(which);
        CN_DO(parse_record(&def, &record));
        cn_record_measure m = cn_record_measured(&record);
        CN_TRUE(record.count == COUNT);
        CN_NEAR(m.dt, DT, 1e-12, "of the header or of times with three digits");
        CN_NEAR(m.pga, 2.943, 1e-5 * 2.943, "seven digits of the file");
        CN_NEAR(cn_record_velocity_at(&record, 0.5), (1.0 - share) * exact, 1e-6 * exact,
                "half a period of linear pieces");
        CN_NEAR(m.pgv, (1.0 - share) * exact, 1e-6 * exact, "at half periods");
        CN_NEAR(m.velocity_end, 0.0, 1e-6, "ten periods, digits of the file");
        CN_TRUE(lines[0] == '\0');
        cn_record_free(&record);
    }
}

static void write_columns(double (*f)(double), double dt, int count)
{
    length = 0;
    put("t,a [m/s2]\n");
    for (int k = 0; k < count; k++) {
        put("%.17g,%.17g\n", dt * k, f(dt * k));
    }
}

static double drift(double t)
{
    return 0.1 + 0.02 * t;
}

static double shake(double t)
{
    return sin(7.0 * t) * exp(-0.3 * t) + 0.05;
}

// B38.
CN_TEST(baselines)
{
    cn_record record, again;
    cn_record_def def = cn_record_def_default();
    def.baseline = CN_BASELINE_LINEAR;
    write_columns(drift, 0.01, 1001);
    CN_DO(parse_record(&def, &record));
    CN_NEAR(cn_record_measured(&record).pga, 0.0, 1e-10, "a drift is all that there is");
    cn_record_free(&record);
    for (int degree = CN_BASELINE_CONSTANT; degree < CN_BASELINE_COUNT; degree++) {
        def.baseline = (cn_record_baseline)degree;
        write_columns(shake, 0.01, 1001);
        CN_DO(parse_record(&def, &record));
        length = 0;
        put("t,a [m/s2]\n");
        for (int k = 0; k < record.count; k++) {
            put("%.17g,%.17g\n", record.time[k], record.acceleration[k]);
        }
        CN_DO(parse_record(&def, &again));
        double most = 0.0;
        for (int k = 0; k < record.count; k++) {
            most = fmax(most, fabs(again.acceleration[k] - record.acceleration[k]));
        }
        CN_NEAR(most, 0.0, 1e-9, "what is corrected stays as it is");
        cn_record_free(&record);
        cn_record_free(&again);
    }
    length = 0;
    put("t,a [m/s2]\n0,1\n1,1\n1.0000001,0\n10,0\n");
    CN_DO(parse_record(NULL, &record));
    cn_record_measure m = cn_record_measured(&record);
    CN_NEAR(m.velocity_end, 1.0, 1e-7, "half of the jump of 1e-7 s");
    CN_NEAR(m.displacement_end, 9.5, 1e-6, "0.5 m in the first second, 1 m/s for nine more");
    CN_NEAR(m.arias, 0.5 * CN_PI / CN_RECORD_G, 1e-7, "pi/(2 g) times 1 m2/s3");
    CN_NEAR(m.d5_95, 0.9, 1e-7, "of a constant acceleration");
    CN_TRUE(strstr(lines, "it ends with a velocity of 1 m/s") != NULL);
    CN_TRUE(strstr(lines, "its intervals differ") != NULL);
    cn_record_free(&record);
}

static void expect_refused(const cn_record_def *def, const char *words)
{
    cn_record record;
    CN_FAILS(parse_record(def, &record), CN_BAD_INPUT, words);
    CN_TRUE(record.count == 0 && record.time == NULL);
}

CN_TEST(bad_files)
{
    cn_record record;
    cn_record_def def = cn_record_def_default();
    length = 0;
    put("0.0 0.1\n0.1 -0.35\n0.2 0.2\n");
    expect_refused(NULL,
                   "the peak of 0.35 is 0.35 m/s2, 0.35 g = 3.433 m/s2 or 0.35 cm/s2 = 0.0035");
    def.unit = CN_RECORD_G_UNIT;
    def.column = 3;
    expect_refused(&def, "has 2 columns, not 3");
    def.column = 0;
    length = 0;
    put("1\n2\n3\n");
    expect_refused(&def, "give their interval");
    begin_peer("NPTS= 2002, DT= .005 SEC");
    for (int k = 0; k < COUNT; k++) {
        put("%.6f\n", sample(k, 1.0));
    }
    expect_refused(NULL, "announces 2002 values, there are 2001");
    begin_peer("NPTS= 4, DT= .005 SEC");
    put("0.1 0.2\n0.3\n0.4 0.5\n");
    CN_DO(parse_record(NULL, &record));
    CN_TRUE(record.count == 4 && strstr(lines, "1 values follow") != NULL);
    cn_record_free(&record);
    begin_peer("NPTS= 4, DT= .005 SEC");
    put("0.1 0.2\nNaN 0.3\n");
    expect_refused(NULL, "a.at2:6: 'NaN 0.3' stands among the values, of which 2 were read");
    length = 0;
    put("t,a [g]\n0,1\n0.2,2\n0.1,3\n");
    expect_refused(NULL, "must increase, sample 3 has 0.1 s after 0.2 s");
    length = 0;
    put("nothing\n");
    expect_refused(NULL, "holds no numbers");
    length = 0;
    put("t,a [m/s2]\n0,100\n0.1,-300\n0.2,200\n");
    CN_DO(parse_record(NULL, &record));
    CN_TRUE(strstr(lines, "its peak is 300 m/s2: is the unit right?") != NULL);
    cn_record_free(&record);
}

// Whatever the step, the velocity that the drive imposes at its ends is that of the record.
CN_TEST(the_drive_has_the_velocity_of_the_record)
{
    static const char *const steps[] = {"5e-3", "2e-3", "3.7e-3", "1.3e-2"};
    char path[] = "/tmp/cairn-record-XXXXXX", scene_text[1000];
    write_case(3);
    FILE *file = fdopen(mkstemp(path), "w");
    fwrite(text, 1, length, file);
    fclose(file);
    cn_record record;
    cn_record_def def = cn_record_def_default();
    def.unit = CN_RECORD_G_UNIT;
    CN_DO(parse_record(&def, &record));
    for (int n = 0; n < 4; n++) {
        snprintf(scene_text, sizeof scene_text,
                 "cairn: 1\nbodies: {ground: {shape: {box: [2, 1]}, fixed: true}}\nstages:\n"
                 "  - {step: %s, duration: 11, drive: {ground: {acceleration: {x: {record: {file: "
                 "%s, unit: g}}}}}}\n",
                 steps[n], path);
        cn_scene *scene = parse(scene_text);
        const cn_drive_def *drive = &scene->stage[0].drive[0].def;
        double most = 0.0, h = atof(steps[n]);
        for (int k = 1; k * h < 10.0; k++) {
            double v = cn_function_at(&drive->f, k * h);
            most = fmax(most, fabs(v - cn_record_velocity_at(&record, k * h)));
        }
        CN_TRUE(drive->kind == CN_DRIVE_VELOCITY);
        CN_NEAR(most, 0.0, 1e-13, "rounding of velocities of 1 m/s");
        cn_scene_destroy(scene);
    }
    cn_record_free(&record);
    remove(path);
}

// What a sine in the middle of a long record keeps in a band: gains of the bilinear filters
// squared.
static double kept_of(double frequency, const double band[2], double *shift)
{
    enum { LONG = 8001 };
    const double dt = 0.01;
    length = 0;
    put("t,a [m/s2]\n");
    for (int k = 0; k < LONG; k++) {
        put("%.6f,%.12f\n", dt * k, sin(2.0 * CN_PI * frequency * (dt * k - 40.0)));
    }
    cn_record record;
    cn_record_def def = cn_record_def_default();
    memcpy(def.band, band, sizeof def.band);
    def.taper = 0.25;
    CN_DO(parse_record(&def, &record));
    double sine = 0.0, cosine = 0.0;
    int periods = (int)(10.0 * frequency), most = (int)(periods / frequency / dt);
    for (int k = 0; k < most; k++) {
        double angle = 2.0 * CN_PI * frequency * dt * k;
        sine += 2.0 / most * record.acceleration[4000 + k] * sin(angle);
        cosine += 2.0 / most * record.acceleration[4000 + k] * cos(angle);
    }
    cn_record_free(&record);
    *shift = cosine;
    return sine;
}

CN_TEST(band_keeps_what_filters_say)
{
    const double dt = 0.01, band[2] = {0.5, 10.0};
    const double frequency[] = {0.2, 0.5, 1.0, 5.0, 10.0, 20.0};
    for (int k = 0; k < 6; k++) {
        double shift, kept = kept_of(frequency[k], band, &shift);
        double K = tan(CN_PI * frequency[k] * dt);
        double low = pow(tan(CN_PI * band[0] * dt) / K, 8.0);
        double high = pow(K / tan(CN_PI * band[1] * dt), 8.0);
        CN_NEAR(kept, 1.0 / ((1.0 + low) * (1.0 + high)), 2e-5,
                "1/(1 + (w/wc)^8) of both, but for what the taper brings in");
        CN_NEAR(shift, 0.0, 2e-5, "no phase is shifted");
    }
}

CN_TEST(bands_that_cannot_be)
{
    const double bad[][2] = {{2.0, 1.0}, {0.0, 100.0}, {150.0, 0.0}, {-1.0, 0.0}, {0.0, NAN}};
    cn_record record;
    cn_record_def def = cn_record_def_default();
    for (int k = 0; k < 5; k++) {
        write_case(0);
        memcpy(def.band, bad[k], sizeof def.band);
        CN_TRUE(parse_record(&def, &record) == CN_BAD_INPUT);
        CN_TRUE(strstr(test_error.text, "a.at2: a band from") != NULL);
    }
    length = 0;
    put("t,a [m/s2]\n0,0\n0.1,1\n0.3,0\n");
    def.band[0] = 1.0;
    def.band[1] = 0.0;
    CN_TRUE(parse_record(&def, &record) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "evenly spaced") != NULL);
}

// A step of acceleration that stays, damped: the first overshoot is 1 + exp(-pi
// zeta/sqrt(1-zeta^2)).
CN_TEST(spectrum_of_a_step)
{
    cn_record record;
    length = 0;
    put("t,a [m/s2]\n0,1\n0.01,1\n100,1\n");
    CN_DO(parse_record(NULL, &record));
    const double period[] = {0.01, 0.1, 3.0, 20.0}, zeta = 0.05;
    double u[4];
    CN_DO(cn_record_spectrum(&record, zeta, 4, period, u, &test_error));
    double exact = 1.0 + exp(-CN_PI * zeta / sqrt(1.0 - zeta * zeta));
    for (int k = 0; k < 4; k++) {
        double w = 2.0 * CN_PI / period[k];
        CN_NEAR(w * w * u[k], exact, 1e-5, "cubics between 32 points of a period");
    }
    CN_TRUE(cn_record_spectrum(&record, 1.0, 4, period, u, &test_error) == CN_BAD_INPUT);
    CN_TRUE(cn_record_spectrum(&record, 0.05, 1, (double[]){0.0}, u, &test_error) == CN_BAD_INPUT);
    cn_record_free(&record);
}

CN_MAIN(CN_RUN(eight_files_of_one_record); CN_RUN(baselines); CN_RUN(bad_files);
        CN_RUN(the_drive_has_the_velocity_of_the_record); CN_RUN(band_keeps_what_filters_say);
        CN_RUN(bands_that_cannot_be); CN_RUN(spectrum_of_a_step);)
