// validation/m23_scripts.c -- M23, M24: command scripts, speed and bad files.
//
// Question: what does the import make of what users have? References: step, theta and duration of
// every model as its script says, in six styles, none of them run (M23); a hundred thousand spheres
// in a second, files that are cut anywhere read or refused, never a crash, and a quarter to a
// twentieth of LMGC90's processor time (M24: M08, M09, M12 and M13, one core of an AMD EPYC). The
// way back is not built. Source: LMGC90 3.0.0, its own examples (tests/data/lmgc90).
#include "import_rig.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- M23

// A script of one style. Whoever runs them finds the folder without its bodies.
static void write_script(char *text, size_t size, int style, const cn_import_model *set)
{
    const char *const loop =
        "for k in range(1, nb + 1):\n    chipy.IncrementStep()\nwhile True: pass\n";
    double h = set->step, theta = set->theta, duration = h * set->step_count;
    int n = set->step_count;
    switch (style) {
    case 0: // plain calls
        snprintf(
            text, size,
            "import os\nos.remove('DATBOX/BODIES.DAT')\nchipy.TimeEvolution_SetTimeStep(%.17g)\n"
            "chipy.Integrator_InitTheta(%.17g)\nnb = %d\n%s",
            h, theta, n, loop);
        break;
    case 1: // names of the module as they are
        snprintf(text, size,
                 "from pylmgc90.chipy import *\nh = %.17g\nTimeEvolution_SetTimeStep(h)\n"
                 "Integrator_InitTheta(theta=%.17g)\nfor k in range(%d):\n    IncrementStep()\n",
                 h, theta, n);
        break;
    case 2: // the macros of newer scripts
        snprintf(
            text, size,
            "initialize(dim, %.17g, theta=%.17g)\nfor k in range(1, %d + 1):\n    one_step(freq)\n",
            h, theta, n);
        break;
    case 3: // a loop over time
        snprintf(text, size,
                 "dt, T = %.17g, "
                 "%.17g\nchipy.TimeEvolution_SetTimeStep(dt)\nchipy.Integrator_InitTheta(%.17g)\n"
                 "while chipy.TimeEvolution_GetTime() < T:\n    chipy.IncrementStep()\n",
                 h, duration, theta);
        break;
    case 4: // arithmetic
        snprintf(text, size,
                 "dt = %.17g/4  # a quarter\nnb = "
                 "int(%.17g/dt)//1\nchipy.TimeEvolution_SetTimeStep(dt)\n"
                 "chipy.Integrator_InitTheta(%.17g)\n%s",
                 4.0 * h, duration * (1.0 + 1e-9), theta, loop);
        break;
    default: // a second value in a branch
        snprintf(text, size,
                 "if small:\n    TimeEvolution_SetTimeStep(%.17g)\nelse:\n    "
                 "TimeEvolution_SetTimeStep(1.0)\n"
                 "Integrator_InitTheta(%.17g)\nfor k in range(%d):\n    IncrementStep()\n",
                 h, theta, n);
        break;
    }
}

// The number behind a word of a scene; NaN: it is not there.
static double number_of(const char *scene, const char *word)
{
    const char *at = strstr(scene, word);
    return at != NULL ? strtod(at + strlen(word), NULL) : NAN;
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (file != NULL) {
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

// Largest error of step, theta and duration against the table, and the time that it took [s].
static double misread(cn_book *book, int model, int style, double *seconds)
{
    cn_import_trial m = cn_import_trial_begin(book, cn_import_models[model].name);
    char script[1024], path[256];
    write_script(script, sizeof script, style, &m.set);
    snprintf(path, sizeof path, "%s/%s/command.py", m.folder, m.set.name);
    cn_write_text(book, path, script, false);
    m.reads_script = true;
    clock_t start = clock();
    cn_import_trial_import(&m);
    *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    char *scene = text_of(m.scene);
    double error = fmax(
        fabs(number_of(scene, "\n  - step: ") / m.set.step - 1.0),
        fmax(fabs(number_of(scene, "scheme: {theta: ") / m.set.theta - 1.0),
             fabs(number_of(scene, "\n    duration: ") / (m.set.step * m.set.step_count) - 1.0)));
    snprintf(path, sizeof path, "%s/%s/DATBOX/BODIES.DAT", m.folder, m.set.name);
    error = access(path, R_OK) == 0 ? error : NAN; // the script was run
    free(scene);
    cn_import_trial_close(&m);
    return error;
}

void cn_case_M23(cn_book *book)
{
    for (int style = 0; style < 6; style++) {
        double worst = 0.0, slowest = 0.0;
        for (int k = 0; k < CN_IMPORT_MODELS; k++) {
            double seconds, error = misread(book, k, style, &seconds);
            worst = isnan(error) ? NAN : fmax(worst, error);
            slowest = fmax(slowest, seconds);
        }
        cn_check(book, cn_name(book, "style %d: step, theta, duration", style + 1), worst, 0.0,
                 1e-12);
        cn_check(book, cn_name(book, "style %d: slowest import [s]", style + 1), slowest, 0.0, 0.1);
    }
}

// ---- M24

// Processor time of the import of a model with a hundred thousand spheres [s].
static double import_spheres(cn_book *book, int *bodies)
{
    cn_import_trial m = cn_import_trial_begin(book, "spheres_box");
    char path[256];
    snprintf(path, sizeof path, "%s/spheres_box/DATBOX/BODIES.DAT", m.folder);
    FILE *to = fopen(path, "w");
    for (int k = 0; to != NULL && k < 100000; k++) {
        fprintf(to,
                "$bdyty\n RBDY3  %5d\n$blmty\n PLAIN      1  behav  TDURx  avrd= 0.0000000D+00\n"
                "                             I1  = 0.0000000D+00  I2  = 0.0000000D+00  I3  = "
                "0.0000000D+00\n"
                "$nodty\n NO6xx      1                coo1=%14.7E  coo2=%14.7E  coo3=%14.7E\n"
                "                             coo4= 0.0000000E+00  coo5= 0.0000000E+00  coo6= "
                "0.0000000E+00\n"
                "$tacty\n SPHER      1  color  BLEUx  byrd= 0.4000000D+00\n$$$$$$\n",
                k % 99999 + 1, (double)(k % 100), (double)(k / 100 % 100), (double)(k / 10000));
    }
    if (to != NULL) {
        fclose(to);
    }
    snprintf(path, sizeof path, "%s/spheres_box/DATBOX/DRV_DOF.DAT", m.folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/spheres_box/DATBOX/DOF.INI", m.folder);
    unlink(path);
    clock_t start = clock();
    cn_import_trial_import(&m);
    *bodies = m.report.body_count;
    cn_import_trial_close(&m);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

// Imports a model whose BODIES.DAT is cut after every 37th byte. How many cuts gave what is neither
// a scene nor a sentence.
static int cut_bodies(cn_book *book, int *refused)
{
    cn_import_trial m = cn_import_trial_begin(book, "cluster_mixed");
    char folder[256], path[300];
    int wrong = 0;
    snprintf(folder, sizeof folder, "%s/cluster_mixed", m.folder);
    snprintf(path, sizeof path, "%s/DATBOX/BODIES.DAT", folder);
    char *whole = text_of(path);
    for (size_t length = strlen(whole); length > 37; length -= 37) {
        cn_import_report report = {0};
        cn_error err = {0};
        whole[length] = '\0';
        cn_write_text(book, path, whole, false);
        cn_import_def def = {
            .folder = folder, .scene = m.scene, .given = cn_import_settings_default()};
        def.given.step = m.set.step;
        def.given.steps = m.set.step_count;
        cn_status status = cn_import_lmgc90(&def, &report, &err);
        *refused += status == CN_BAD_INPUT;
        wrong +=
            !(status == CN_OK ? report.is_written : status == CN_BAD_INPUT && err.text[0] != '\0');
    }
    free(whole);
    cn_import_trial_close(&m);
    return wrong;
}

// LMGC90's processor time, which is without output, over that of a run with two frames.
static double quicker(cn_book *book, const char *name, double theirs)
{
    cn_import_trial m = cn_import_trial_begin(book, name);
    m.every = m.set.step * m.set.step_count;
    cn_import_trial_import(&m);
    clock_t start = clock();
    cn_import_trial_run(&m, INFINITY);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    cn_import_trial_close(&m);
    return theirs / seconds;
}

void cn_case_M24(cn_book *book)
{
    int bodies = 0, refused = 0;
    double seconds = import_spheres(book, &bodies);
    cn_open(book, "results are not written as DATBOX folders");
    cn_check_true(book, "import, export and import give the same scene", false);
    cn_check(book, "spheres", bodies, 100000.0, 0.0);
    cn_check(book, "their import [s]", seconds, 0.0, 1.0);
    cn_check(book, "files that are cut: neither read nor refused", cut_bodies(book, &refused), 0.0,
             0.0);
    cn_check_least(book, "of them refused", refused, 1.0);
    cn_check_least(book, "LMGC90's time over ours, disks", quicker(book, "disks_box", 126.5), 12.0);
    cn_check_least(book, "LMGC90's time over ours, drum", quicker(book, "drum_xksid", 1.9), 4.0);
    cn_check_least(book, "LMGC90's time over ours, spheres", quicker(book, "spheres_box", 69.4),
                   25.0);
    cn_check_least(book, "LMGC90's time over ours, aqueduct", quicker(book, "aqueduct", 19.7),
                   20.0);
}
