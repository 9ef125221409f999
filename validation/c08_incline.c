// validation/c08_incline.c -- C08: a layer of disks flows down a rough incline.
//
// Question: does a steady flow down a slope carry its weight, and has it the profile of Bagnold?
// Reference: in steady flow the friction at the base is the tangent of the slope, and the normal
// force the weight across it; u grows with H^1.5 - (H - z)^1.5 in thick layers (Silbert et al.
// 2001, GDR MiDi 2004). The layer is 20 grains deep over a row of grains that are held, in a cell
// that repeats along the slope. Not part of this case: space, and at which angle flows stop.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene_rig.h"
#include "table.h"

static const char layer[] =
    "cairn: 1\n"
    "dimension: 2\n"
    "params: {slope: 22}\n"
    "gravity: [\"=sin(slope*pi/180)\", \"=-cos(slope*pi/180)\"]\n"
    "cell: {size: [20, 60], periodic: [x]}\n"
    "materials: {grain: {density: 1.2732395}}\n" // a disk of diameter 1 has the mass 1
    "laws: {dry: {type: coulomb, friction: 0.5, restitution: 0.5}}\n"
    "contacts: [{between: [base, base], law: none}, {between: [any, any], law: dry}]\n"
    "solver: {accuracy: 1e-2}\n"
    "bodies:\n"
    "  base:\n"
    "    generate: {grid: {columns: 20, rows: 1, shape: {disk: {radius: 0.5}}, spacing: [1, 1]}}\n"
    "    at: [10, 0]\n"
    "    material: grain\n"
    "    fixed: true\n"
    "  grains:\n"
    "    generate: {grid: {columns: 20, rows: 20, spacing: [1, 1], seed: 1,\n"
    "                      shape: {disk: {radius: {uniform: [0.4, 0.5]}}}}}\n"
    "    at: [10.25, 10.6]\n"
    "    material: grain\n"
    "stages: [{step: 0.01, duration: 500}]\n"
    "observe: [{name: base, resultant: [base, grains]}, {name: b, bodies: grains}]\n"
    "output: {every: 2}\n";

static const double STEADY = 250.0; // from then on averages are taken [sqrt(d/g)]

enum { BINS = 40, BASE = 20 }; // layers of the height 1; the held bodies come first

// Mean velocity along the slope by layers, and the height of the layer, twice that of its mass
// centre.
typedef struct profile {
    int frames, count[BINS];
    double velocity[BINS], height;
} profile;

static void add_frame(const cn_frame *f, profile *p)
{
    double sum = 0.0;
    for (int i = BASE; i < f->body_count; i++) {
        double z = f->q[f->q_size * i + 1];
        int k = (int)floor(z);
        sum += z;
        if (k >= 0 && k < BINS) {
            p->count[k]++;
            p->velocity[k] += f->v[f->v_size * i];
        }
    }
    p->frames++;
    p->height += 2.0 * sum / (f->body_count - BASE);
}

static profile find_profile(const cn_scene_trial *t)
{
    profile p = {0};
    int frames = t->reader == NULL ? 0 : cn_reader_summary(t->reader)->frames;
    for (int k = 0; k < frames; k++) {
        cn_frame f;
        cn_error err;
        if (cn_reader_frame(t->reader, k, &f, &err) == CN_OK && f.time > STEADY) {
            add_frame(&f, &p);
        }
    }
    p.height /= p.frames;
    return p;
}

// R^2 of the line that fits velocities over H^1.5 - (H - z)^1.5, of layers that hold a quarter of
// what fits into one at least.
static double fit_bagnold(const profile *p)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < BINS; k++) {
        if (p->count[k] < 5 * p->frames) {
            continue;
        }
        double depth = fmax(p->height - (k + 0.5), 0.0);
        double a = pow(p->height, 1.5) - pow(depth, 1.5), b = p->velocity[k] / p->count[k];
        n += 1.0;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
        yy += b * b;
    }
    double both = xy - x * y / n;
    return both * both / ((xx - x * x / n) * (yy - y * y / n));
}

static void flow(cn_book *book, double degrees)
{
    const double slope = degrees * CN_PI / 180.0;
    char set[24];
    snprintf(set, sizeof set, "slope=%g", degrees);
    cn_scene_trial t = cn_scene_trial_run(book, layer, 1e-2, (const char *[CN_SCENE_SET_MAX]){set});
    double along = cn_scene_trial_mean(&t, "series/base.fx", STEADY, INFINITY);
    double across = -cn_scene_trial_mean(&t, "series/base.fy", STEADY, INFINITY);
    double mass = cn_scene_trial_last(&t, "series/b.mass");
    profile p = find_profile(&t);
    cn_say(book, "%g degrees: layer %.2f high, mean velocity %.3f, then %.3f", degrees, p.height,
           cn_scene_trial_mean(&t, "series/b.vx", STEADY, STEADY + 50.0),
           cn_scene_trial_mean(&t, "series/b.vx", 450.0, INFINITY));
    cn_check_rel(book, cn_name(book, "friction at the base, %g degrees", degrees), along / across,
                 tan(slope), 0.01);
    cn_check_rel(book, cn_name(book, "normal force at the base, %g degrees", degrees), across,
                 mass * cos(slope), 0.01);
    cn_check(book, cn_name(book, "1 - R^2 of Bagnold's profile, %g degrees", degrees),
             1.0 - fit_bagnold(&p), 0.0, 0.01);
    cn_scene_trial_end(&t);
}

void cn_case_C08(cn_book *book)
{
    flow(book, 20.0);
    flow(book, 22.0);
}
