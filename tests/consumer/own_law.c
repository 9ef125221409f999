// A program with a law of its own (sticky.c): a scene that names it, a run, a restart, its states
// in the result. A disk hangs from a ceiling by 1.01 times its weight; one that is 2 % too heavy
// falls, and what it took to tear it off is told.
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const cn_law sticky_law;

// Disks of 1 kg and 9.81 N; the pull holds 9.9081 N of the first, 9.6138 N of the second.
static const char scene_text[] =
    "cairn: 1\n"
    "title: Two disks under a ceiling\n"
    "materials: {stone: {density: 31.83098861837907}}\n" // 100 / pi
    "laws: {holds: {type: sticky, cohesion: 9.9081}, fails: {type: sticky, cohesion: 9.6138}}\n"
    "contacts: [{between: [roof, light], law: holds}, {between: [roof, heavy], law: fails}]\n"
    "bodies:\n"
    "  ceiling: {shape: {box: [4, 0.2]}, at: [0, 0.1], fixed: true, group: roof}\n"
    "  one: {shape: {disk: 0.1}, at: [-1, -0.1], material: stone, group: light}\n"
    "  other: {shape: {disk: 0.1}, at: [1, -0.1], material: stone, group: heavy}\n"
    "stages: [{step: 1e-3, duration: 0.2}]\n"
    "output: {every: 0.05}\n";

static void tell(void *context, const char *line)
{
    if (context != NULL) {
        fprintf(context, "%s\n", line);
    }
}

static cn_status read_scene(FILE *told, cn_scene **scene, cn_error *err)
{
    return cn_scene_read(&(cn_scene_source){.name = "hang.yaml", .text = scene_text}, tell, told,
                         scene, err);
}

// Without the law the file is refused; a law that does not say enough is, too.
static bool refuses(void)
{
    cn_error err = {0};
    cn_scene *scene = NULL;
    bool is_refused = read_scene(NULL, &scene, &err) == CN_BAD_INPUT;
    printf("not registered: %s\n", err.text);
    is_refused = is_refused && strstr(err.text, "cn_law_register") != NULL;
    cn_law mute = sticky_law;
    mute.type.name = "mute";
    mute.commit = NULL;
    is_refused = is_refused && cn_law_register(&mute, &err) == CN_BAD_INPUT;
    printf("refused: %s\n", err.text);
    mute.interface = CN_LAW_INTERFACE + 1;
    is_refused = is_refused && cn_law_register(&mute, &err) == CN_BAD_INPUT;
    printf("refused: %s\n", err.text);
    return is_refused;
}

static cn_status run(const cn_scene *scene, const char *result, double until, const char *restart,
                     uint64_t *hash, cn_error *err)
{
    cn_run_report report;
    cn_run_def def = cn_run_def_default();
    def.result_path = result;
    def.checkpoint_path = "hang.ckpt.h5";
    def.until = until;
    def.restart_path = restart;
    cn_status status = cn_scene_run(scene, &def, &report, err);
    *hash = report.state_hash;
    return status;
}

// Straight through, and by a restart in the middle: the same bits.
static cn_status compare(const cn_scene *scene, bool *is_same, cn_error *err)
{
    uint64_t straight = 0, half = 0, whole = 1;
    cn_status status = run(scene, "straight.h5", INFINITY, NULL, &straight, err);
    status = status == CN_OK ? run(scene, "hang.h5", 0.1, NULL, &half, err) : status;
    status =
        status == CN_OK ? run(scene, "hang.h5", INFINITY, "hang.ckpt.h5", &whole, err) : status;
    *is_same = straight == whole;
    return status;
}

// What the result says of the contact that holds, and how far the other disk fell.
static cn_status look(double *torn, double *fell, cn_error *err)
{
    cn_reader *reader;
    cn_frame frame;
    cn_status status = cn_reader_open("straight.h5", &reader, err);
    if (status != CN_OK) {
        return status;
    }
    status = cn_reader_frame(reader, -1, &frame, err);
    *torn = status == CN_OK && frame.contact_count > 0 ? cn_reader_state(reader, &frame, 0, "torn")
                                                       : NAN;
    *fell = status == CN_OK ? -0.1 - frame.q[frame.q_size * 2 + 1] : NAN;
    cn_reader_close(reader);
    return status;
}

int main(void)
{
    cn_error err = {0};
    cn_scene *scene;
    bool is_good = refuses(), is_same = false;
    if (cn_law_register(&sticky_law, &err) != CN_OK || read_scene(stderr, &scene, &err) != CN_OK) {
        fprintf(stderr, "own_law: %s\n", err.text);
        return 1;
    }
    double torn = NAN, fell = NAN, g = 9.81;
    cn_status status = compare(scene, &is_same, &err);
    status = status == CN_OK ? look(&torn, &fell, &err) : status;
    cn_scene_destroy(scene);
    if (status != CN_OK) {
        fprintf(stderr, "own_law: %s\n", err.text);
        return 1;
    }
    // g - 9.6138 N / 1 kg in the step in which it is torn, g from then on
    double slow = (g - 9.6138) * 1e-3, rest = 0.199;
    double exact = 0.5 * slow * 1e-3 + slow * rest + 0.5 * g * rest * rest;
    printf("hangs (torn: %g), the other fell %.6f m, exact %.6f; restart %s\n", torn, fell, exact,
           is_same ? "equal" : "differs");
    return is_good && is_same && torn == 0.0 && fabs(fell - exact) < 1e-9 ? 0 : 1;
}
