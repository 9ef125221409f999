// cli/doctor_checks.c -- small runs whose answers are known: does this build compute on this
// machine what it computed where it was tested?
#include "doctor.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define G 9.81

// Where checks put their files; empty: no folder could be made.
typedef struct place {
    char folder[256];
} place;

// A number, what it must be, and how far it may be off; a failure before that goes to err.
typedef struct finding {
    double measured, exact, tolerance;
    const char *unit;
} finding;

static cn_status read_text(const char *text, cn_scene **scene, cn_error *err)
{
    cn_scene_source source = {.name = "check.yaml", .text = text};
    return cn_scene_read(&source, NULL, NULL, scene, err);
}

static cn_status build(const char *text, int threads, cn_world **w, cn_error *err)
{
    cn_scene *scene = NULL;
    cn_status status = read_text(text, &scene, err);
    status = status == CN_OK ? cn_scene_build(scene, threads, w, err) : status;
    cn_scene_destroy(scene);
    return status;
}

static cn_status make_steps(cn_world *w, double h, int count, cn_error *err)
{
    cn_status status = CN_OK;
    for (int k = 0; k < count && status == CN_OK; k++) {
        status = cn_world_step(w, h, err);
    }
    return status;
}

// v = g (sin - mu cos) t: constant forces are exact in v.
static cn_status slide(const place *p, finding *f, cn_error *err)
{
    static const char text[] =
        "cairn: 1\n"
        "gravity: [\"=9.81*sin(30*deg)\", \"=-9.81*cos(30*deg)\"]\n"
        "materials: {stone: {density: 2400}}\n"
        "laws: {dry: {type: coulomb, friction: 0.3}}\n"
        "contacts: [{between: [any, any], law: dry}]\n"
        "solver: {accuracy: 1e-12}\n"
        "bodies:\n"
        "  ground: {shape: {half_plane: {}}, fixed: true}\n"
        "  block: {shape: {box: [0.4, 0.2]}, at: [0, 0.1], material: stone}\n"
        "stages: [{step: 1e-2, duration: 0.5}]\n";
    (void)p;
    cn_world *w = NULL;
    cn_status status = build(text, 1, &w, err);
    status = status == CN_OK ? make_steps(w, 1e-2, 50, err) : status;
    if (status == CN_OK) {
        double t = 0.5, slope = CN_PI / 6.0;
        *f = (finding){cn_world_view(w).v[3], G * (sin(slope) - 0.3 * cos(slope)) * t, 1e-9, "m/s"};
    }
    cn_world_destroy(w);
    return status;
}

// A bar of height H under its weight shortens by rho g H^2 / 2E, at nodes exactly.
static cn_status shorten(const place *p, finding *f, cn_error *err)
{
    static const char text[] =
        "cairn: 1\n"
        "materials: {gum: {density: 1000, young: 1e6, poisson: 0}}\n"
        "bodies:\n"
        "  bar: {mesh: {box: [1, 2], cells: [4, 8]}, at: [0, 1], material: gum,\n"
        "        fixed_sets: {bottom: [x, y]}}\n"
        "stages: [{step: 1, duration: 1, scheme: {theta: 1, quasi_static: true}}]\n";
    char path[300];
    snprintf(path, sizeof path, "%s/bar.h5", p->folder);
    cn_scene *scene = NULL;
    cn_reader *reader = NULL;
    cn_frame frame;
    cn_run_def def = cn_run_def_default();
    def.result_path = path;
    cn_run_report report = {0};
    cn_status status = read_text(text, &scene, err);
    status = status == CN_OK ? cn_scene_run(scene, &def, &report, err) : status;
    status = status == CN_OK ? cn_reader_open(path, &reader, err) : status;
    status = status == CN_OK ? cn_reader_frame(reader, -1, &frame, err) : status;
    if (status == CN_OK) {
        double top = -INFINITY;
        for (int k = 0; k < frame.mesh[0].node_count; k++) {
            top = fmax(top, frame.mesh[0].x[2 * k + 1]);
        }
        *f = (finding){2.0 - top, 1000.0 * G * 4.0 / 2e6, 1e-9, "m"};
    }
    cn_reader_close(reader);
    cn_scene_destroy(scene);
    unlink(path);
    return status;
}

static const char wall[] =
    "cairn: 1\n"
    "materials: {stone: {density: 2400}}\n"
    "laws: {dry: {type: coulomb, friction: 0.6}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  ground: {shape: {half_plane: {}}, fixed: true}\n"
    "  wall: {generate: {wall: {length: 4, courses: 8, block: [0.4, 0.2]}}, material: stone}\n"
    "  ball: {shape: {disk: 0.2}, at: [-2.5, 1], velocity: [10, 0], material: stone}\n"
    "stages: [{step: 1e-3, duration: 0.02}]\n"
    "output: {every: 0.01}\n";

// One thread and two give the same bits: how many steps do not.
static cn_status compare_threads(const place *p, finding *f, cn_error *err)
{
    (void)p;
    cn_world *w[2] = {NULL, NULL};
    int differing = 0;
    cn_status status = build(wall, 1, &w[0], err);
    status = status == CN_OK ? build(wall, 2, &w[1], err) : status;
    for (int k = 0; k < 20 && status == CN_OK; k++) {
        status = make_steps(w[0], 1e-3, 1, err);
        status = status == CN_OK ? make_steps(w[1], 1e-3, 1, err) : status;
        differing += cn_world_state_hash(w[0]) != cn_world_state_hash(w[1]);
    }
    *f = (finding){differing, 0.0, 0.0, "steps differ"};
    cn_world_destroy(w[0]);
    cn_world_destroy(w[1]);
    return status;
}

// A result is written, found sound, holds the last state, and is drawn: how many of it fail.
static cn_status write_and_read(const place *p, finding *f, cn_error *err)
{
    char path[300], picture[300];
    snprintf(path, sizeof path, "%s/wall.h5", p->folder);
    snprintf(picture, sizeof picture, "%s/wall.png", p->folder);
    cn_scene *scene = NULL;
    cn_reader *reader = NULL;
    cn_run_def def = cn_run_def_default();
    cn_render_def view = cn_render_def_default();
    def.result_path = path;
    view.width = 200;
    view.frame = -1;
    cn_run_report report = {0};
    int damaged = 0;
    struct stat seen = {0};
    cn_status status = read_text(wall, &scene, err);
    status = status == CN_OK ? cn_scene_run(scene, &def, &report, err) : status;
    status = status == CN_OK ? cn_reader_open(path, &reader, err) : status;
    status = status == CN_OK ? cn_reader_verify(reader, NULL, NULL, &damaged, err) : status;
    status = status == CN_OK ? cn_render(reader, &view, picture, err) : status;
    if (status == CN_OK) {
        damaged += cn_reader_summary(reader)->state_hash != report.state_hash;
        damaged += stat(picture, &seen) != 0 || seen.st_size < 100;
    }
    *f = (finding){damaged, 0.0, 0.0, "parts damaged"};
    cn_reader_close(reader);
    cn_scene_destroy(scene);
    unlink(path);
    unlink(picture);
    return status;
}

static const struct {
    const char *name;
    cn_status (*check)(const place *p, finding *f, cn_error *err);
} checks[] = {
    {"a block slides down a slope", slide},
    {"a bar shortens under its weight", shorten},
    {"one thread and two, same bits", compare_threads},
    {"result and picture are written", write_and_read},
};

static bool print_check(const char *name, cn_status status, const finding *f, const cn_error *err)
{
    bool is_good = status == CN_OK && fabs(f->measured - f->exact) <= f->tolerance;
    printf("  %-32s %s", name, is_good ? "ok    " : "MISSED");
    if (status != CN_OK) {
        printf(" %s\n", err->text);
    } else if (f->tolerance > 0.0) {
        printf(" %.12g %s, exact %.12g\n", f->measured, f->unit, f->exact);
    } else {
        printf(" %g %s\n", f->measured, f->unit);
    }
    return is_good;
}

int cn_doctor_check_all(void)
{
    place p;
    const char *root = getenv("TMPDIR");
    snprintf(p.folder, sizeof p.folder, "%.200s/cairn-doctor-XXXXXX",
             root != NULL && root[0] != '\0' ? root : "/tmp");
    if (mkdtemp(p.folder) == NULL) {
        fprintf(stderr,
                "cairn doctor: error: no folder for the files of checks, %s: %s; TMPDIR names "
                "another place\n",
                cn_shown(p.folder), strerror(errno));
        return -1;
    }
    int missed = 0;
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        finding f = {NAN, NAN, 0.0, ""};
        cn_error err = {0};
        cn_status status = checks[k].check(&p, &f, &err);
        missed += !print_check(checks[k].name, status, &f, &err);
    }
    rmdir(p.folder);
    return missed;
}
