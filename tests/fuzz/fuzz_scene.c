// Fuzz target of the scene reader (tools/fuzz.sh). No files are opened and few bodies are made, so
// that all time goes into reading. A scene that is accepted is explained, and that must read back;
// a small one is checked and makes its first steps, whose energies must be numbers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/read_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_BODY_MAX = 2000, FUZZ_CELL_MAX = 2000, FUZZ_BYTES_MAX = 1 << 16 };
enum { STEPPED_BODY_MAX = 30, STEPPED_NODE_MAX = 100, STEPPED_SWEEP_MAX = 200, STEP_COUNT = 3 };

static void drop_line(void *context, const char *line)
{
    size_t *seen = context;
    *seen += strlen(line);
}

static cn_status read_in_memory(const char *name, const char *text, size_t length, cn_scene **scene,
                                cn_error *err)
{
    size_t seen = 0;
    const char *given = length > 0 ? text : ""; // of no length it is one that ends with a zero
    const cn_read_def def = {.source = {.name = name, .text = given, .length = length},
                             .told = drop_line,
                             .context = &seen,
                             .no_files = true,
                             .body_max = FUZZ_BODY_MAX,
                             .cell_max = FUZZ_CELL_MAX};
    return cn_scene_read_within(&def, scene, err);
}

typedef struct explained {
    char *text;
    size_t length, capacity;
} explained;

static void add_line(void *context, const char *line)
{
    explained *e = context;
    size_t length = strlen(line);
    if (cn_reserve(NULL, &e->text, &e->capacity, e->length + length + 1, NULL) != CN_OK) {
        abort();
    }
    memcpy(e->text + e->length, line, length);
    e->text[e->length + length] = '\n';
    e->length += length + 1;
}

static bool is_small(const cn_scene *scene)
{
    int nodes = 0;
    for (int k = 0; k < scene->body_count && scene->body_count <= STEPPED_BODY_MAX; k++) {
        const cn_mesh_def *mesh = cn_body_mesh_of(&scene->body[k].def);
        nodes += mesh != NULL ? mesh->node_count : 0;
    }
    return scene->body_count <= STEPPED_BODY_MAX && nodes <= STEPPED_NODE_MAX;
}

static bool look_at_step(void *context, const cn_progress *progress)
{
    (void)context;
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        if (!isfinite(progress->ledger->step[k])) {
            abort();
        }
    }
    return progress->certificate->step < STEP_COUNT;
}

static void make_steps(cn_scene *scene)
{
    cn_error err;
    size_t seen = 0;
    cn_run_report report;
    cn_run_def def = cn_run_def_default();
    def.progress = look_at_step;
    scene->solver.sweep_max = STEPPED_SWEEP_MAX;
    cn_scene_check(scene, drop_line, &seen, &err);
    cn_scene_run(scene, &def, &report, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > FUZZ_BYTES_MAX) {
        return 0;
    }
    cn_scene *scene = NULL, *again = NULL;
    cn_error err = {0};
    if (read_in_memory("fuzz.yaml", (const char *)data, size, &scene, &err) != CN_OK) {
        return 0;
    }
    explained e = {0};
    if (cn_scene_explain(scene, add_line, &e, &err) != CN_OK ||
        read_in_memory("explained.yaml", e.text, e.length, &again, &err) != CN_OK ||
        again->body_count != scene->body_count || again->stage_count != scene->stage_count) {
        abort();
    }
    free(e.text);
    if (is_small(scene)) {
        make_steps(scene);
    }
    cn_scene_destroy(again);
    cn_scene_destroy(scene);
    return 0;
}
