// unit/picture_result.c -- pictures of a real result file: a block that slides on the ground.
#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#include "cairn/cairn.h"
#include "strict.h"
#include "test.h"

static char folder[] = "picture_result_XXXXXX";
static char path[2][64];

static const char *inside(int k, const char *name)
{
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

static void add_shape(cn_world *w, cn_shape_def shape, double y, double speed, unsigned fixed)
{
    cn_body_def body = cn_body_def_default();
    body.shapes = (cn_shape_parts){1, &shape};
    body.at[1] = y;
    body.velocity[0] = speed;
    body.fixed = fixed;
    if (shape.kind == CN_SHAPE_HALF_PLANE) {
        body.density = 0.0;
        body.mass = body.inertia[2] = 1.0;
    }
    CN_DO(cn_body_add(w, &body, NULL, &test_error));
}

static cn_world *make_world(void)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = -9.81;
    cn_world *w;
    CN_DO(cn_world_create(&def, &w, &test_error));
    cn_law_def coulomb = cn_law_coulomb(0.5, 0.0);
    int law;
    CN_DO(cn_law_add(w, &coulomb, &law, &test_error));
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, law, &test_error));
    double vertex[8];
    cn_box_vertices(0.4, 0.2, vertex);
    add_shape(w, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 0.0, 0.0, CN_FIXED_ALL);
    add_shape(w, (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex}, 0.1,
              1.0, 0);
    return w;
}

// Ten steps, one frame after the last.
static cn_reader *make_result(void)
{
    cn_world *w = make_world();
    cn_provenance origin = {.title = "sliding block",
                            .scene_path = "",
                            .scene_text = "",
                            .command_line = "",
                            .step = 1e-3};
    cn_writer *writer;
    const char *file = inside(0, "block.h5");
    CN_DO(cn_writer_create(file, &origin, w, 0, NULL, &writer, &test_error));
    for (int k = 0; k < 10; k++) {
        CN_DO(test_step(w, 1e-3, &test_error));
        CN_DO(cn_writer_step(writer, w, NULL, &test_error));
    }
    CN_DO(cn_writer_frame(writer, w, &test_error));
    CN_DO(cn_writer_close(writer, w, "reached the end", 0.0, &test_error));
    cn_world_destroy(w);
    cn_reader *reader;
    CN_DO(cn_reader_open(file, &reader, &test_error));
    return reader;
}

// Counts the pixels of a PNG that come close to a colour 0xRRGGBB.
static int count_pixels(const char *png, int want_width, unsigned colour)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    CN_TRUE(png_image_begin_read_from_file(&image, png) != 0);
    CN_TRUE(image.width == (unsigned)want_width);
    image.format = PNG_FORMAT_RGB;
    unsigned char *bytes = malloc(PNG_IMAGE_SIZE(image));
    CN_TRUE(bytes != NULL && png_image_finish_read(&image, NULL, bytes, 0, NULL) != 0);
    int count = 0;
    for (size_t k = 0; bytes != NULL && k < (size_t)image.width * image.height; k++) {
        int r = (int)bytes[3 * k] - (int)(colour >> 16),
            b = (int)bytes[3 * k + 2] - (int)(colour & 255);
        int g = (int)bytes[3 * k + 1] - (int)((colour >> 8) & 255);
        count += abs(r) + abs(g) + abs(b) < 6;
    }
    free(bytes);
    return count;
}

CN_TEST(render_and_plot_a_result_file)
{
    CN_TRUE(mkdtemp(folder) != NULL);
    cn_reader *reader = make_result();
    cn_render_def def = cn_render_def_default();
    def.width = 400;
    const char *png = inside(1, "block.png");
    CN_DO(cn_render(reader, &def, png, &test_error));
    CN_TRUE(count_pixels(png, 400, 0xc8451b) > 200);  // the block slides: its force lines say so
    CN_TRUE(count_pixels(png, 400, 0xeceef0) > 1000); // ground
    def.frame = 0;
    CN_DO(cn_render(reader, &def, png, &test_error));
    CN_TRUE(count_pixels(png, 400, 0xc8451b) == 0); // no step, no force
    def.frame = 7;
    CN_FAILS(cn_render(reader, &def, png, &test_error), CN_BAD_INPUT, "7");
    remove(png);
    for (const char *const *name = cn_plot_names(); *name != NULL; name++) {
        cn_plot_def named = cn_plot_def_default(*name);
        CN_DO(cn_plot(reader, &named, inside(1, "plot.csv"), &test_error));
        CN_DO(cn_plot(reader, &named, inside(1, "plot.svg"), &test_error));
    }
    cn_plot_def plot = cn_plot_def_default("kinetic");
    plot.from = 0.0035;
    plot.until = 0.0075;
    CN_DO(cn_plot(reader, &plot, inside(1, "plot.csv"), &test_error));
    char line[200];
    int lines = 0;
    FILE *file = fopen(path[1], "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        lines++;
    }
    CN_TRUE(file != NULL && fclose(file) == 0 && lines == 1 + 4); // steps 4 to 7
    plot.from = 1.0;
    plot.until = 2.0;
    CN_FAILS(cn_plot(reader, &plot, path[1], &test_error), CN_BAD_INPUT,
             "no step lies between 1 and 2 s");
    plot = cn_plot_def_default("speed");
    CN_FAILS(cn_plot(reader, &plot, path[1], &test_error), CN_BAD_INPUT, "known are energy");
    cn_reader_close(reader);
    remove(inside(1, "plot.csv"));
    remove(inside(1, "plot.svg"));
    remove(path[0]);
    CN_TRUE(rmdir(folder) == 0); // nothing else was left behind
}

CN_MAIN(CN_RUN(render_and_plot_a_result_file);)
