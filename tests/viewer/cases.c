// viewer-cases NAME PATH [N] -- results that no scene file can make, for the tests of the viewer.
//
//   empty2, empty3   no bodies at all
//   one              one frame, one body, no contacts
//   guests           bodies that appear and vanish between frames
//   far              a block 500 km from the origin
//   spheres N        N spheres in a heap of layers, three frames
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

static void check(cn_status status, const cn_error *err)
{
    if (status != CN_OK) {
        fprintf(stderr, "viewer-cases: %s\n", err->text);
        exit(1);
    }
}

static cn_world *plane_world(void)
{
    return scene_world(0.3, 0.0, 1e-6);
}

static cn_writer *start(const char *path, const char *title, const cn_world *w)
{
    cn_error err = {0};
    cn_writer *writer = NULL;
    cn_provenance p = {.title = title, .scene_text = "cairn: 1\n"};
    check(cn_writer_create(path, &p, w, 0, NULL, &writer, &err), &err);
    return writer;
}

static void step_and_frame(cn_writer *writer, cn_world *w)
{
    cn_error err = {0};
    scene_run(w, 1e-3, 1);
    check(cn_writer_step(writer, w, NULL, &err), &err);
    check(cn_writer_frame(writer, w, &err), &err);
}

static void finish(cn_writer *writer, cn_world *w)
{
    cn_error err = {0};
    check(cn_writer_close(writer, w, "done", 0.0, &err), &err);
    cn_world_destroy(w);
}

static void write_empty(const char *path, int dim)
{
    cn_world *w = dim == 2 ? plane_world() : scene_space(0.3, 0.0, 1e-6);
    finish(start(path, "Nothing at all", w), w);
}

static void write_one(const char *path)
{
    cn_world *w = plane_world();
    scene_disk(w, 0.0, 1.0, 0.5, 0);
    finish(start(path, "One disk", w), w);
}

static void write_guests(const char *path)
{
    cn_world *w = scene_space(0.3, 0.0, 1e-6);
    cn_error err = {0};
    scene_floor(w, 0.0);
    cn_body_id first = scene_sphere(w, 0.0, 0.0, 0.2, 0.2);
    cn_writer *writer = start(path, "Guests", w);
    step_and_frame(writer, w);
    scene_sphere(w, 1.0, 0.0, 0.3, 0.3);
    step_and_frame(writer, w);
    check(cn_body_remove(w, first, &err), &err);
    step_and_frame(writer, w);
    finish(writer, w);
}

static void write_far(const char *path)
{
    const double at[3] = {500000.0, 0.0, 0.1}, size[3] = {0.2, 0.2, 0.2};
    cn_world *w = scene_space(0.3, 0.0, 1e-6);
    scene_floor(w, 0.0);
    scene_block(w, at, size, NULL, 0);
    cn_writer *writer = start(path, "Far away", w);
    step_and_frame(writer, w);
    finish(writer, w);
}

static void write_spheres(const char *path, int n)
{
    cn_world *w = scene_space(0.3, 0.0, 1e-2);
    scene_floor(w, 0.0);
    int side = (int)ceil(cbrt((double)n));
    for (int k = 0; k < n; k++) {
        scene_sphere(w, 0.1 * (k % side), 0.1 * (k / side % side), 0.05 + 0.1 * (k / side / side),
                     0.05);
    }
    cn_writer *writer = start(path, "Many spheres", w);
    for (int k = 0; k < 2; k++) {
        step_and_frame(writer, w);
    }
    finish(writer, w);
}

int main(int argc, char **argv)
{
    const char *name = argc > 2 ? argv[1] : "";
    if (strcmp(name, "empty2") == 0 || strcmp(name, "empty3") == 0) {
        write_empty(argv[2], name[5] - '0');
    } else if (strcmp(name, "one") == 0) {
        write_one(argv[2]);
    } else if (strcmp(name, "guests") == 0) {
        write_guests(argv[2]);
    } else if (strcmp(name, "far") == 0) {
        write_far(argv[2]);
    } else if (strcmp(name, "spheres") == 0 && argc > 3) {
        write_spheres(argv[2], atoi(argv[3]));
    } else {
        fprintf(stderr, "usage: viewer-cases empty2|empty3|one|guests|far|spheres PATH [N]\n");
        return 2;
    }
    return 0;
}
