// A scene in memory, run to a result file, and a picture of its last frame by libcairn-view.
#include <cairn/cairn.h>

#include <stdio.h>
#include <string.h>

static const char scene_text[] =
    "cairn: 1\n"
    "title: Three blocks\n"
    "materials: {stone: {density: 2400}}\n"
    "laws: {dry: {type: coulomb, friction: 0.6}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  ground: {shape: {half_plane: {}}, fixed: true}\n"
    "  pile: {generate: {stack: {blocks: 3, block: [0.4, 0.2]}}, material: stone}\n"
    "stages: [{step: 1e-3, duration: 0.1}]\n";

// Lines with file, line and column of every mistake in the scene.
static void tell(void *context, const char *line)
{
    fprintf(context, "%s\n", line);
}

static cn_status simulate(const char *result, cn_error *err)
{
    cn_scene *scene;
    cn_status status = cn_scene_read(&(cn_scene_source){.name = "blocks.yaml", .text = scene_text},
                                     tell, stderr, &scene, err);
    if (status != CN_OK) {
        return status;
    }
    cn_run_def def = cn_run_def_default();
    def.result_path = result;
    cn_run_report report;
    status = cn_scene_run(scene, &def, &report, err);
    if (status == CN_OK) {
        printf("%d steps, %d missed their accuracy, residual %.0e at worst\n", (int)report.steps,
               (int)report.nonconverged_steps, report.residual_max);
    }
    cn_scene_destroy(scene);
    return status;
}

static cn_status draw(const char *result, const char *picture, cn_error *err)
{
    cn_reader *reader;
    cn_status status = cn_reader_open(result, &reader, err);
    if (status != CN_OK) {
        return status;
    }
    cn_render_def def = cn_render_def_default();
    def.frame = -1; // the last one
    status = cn_render(reader, &def, picture, err);
    cn_reader_close(reader);
    return status;
}

int main(void)
{
    cn_error err = {0};
    if (simulate("blocks.h5", &err) != CN_OK || draw("blocks.h5", "blocks.png", &err) != CN_OK) {
        fprintf(stderr, "picture: %s\n", err.text);
        return 1;
    }
    printf("picture blocks.png\n");
    return 0;
}
