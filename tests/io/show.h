// tests/io/show.h -- a world with every shape, written to a file, for the tests of exports.
#pragma once

#include "cairn/cairn.h"
#include "files.h"
#include "scenes.h"

// A drum around a disk, a capsule and a box, a cluster of two disks, a ground below all; at rest
// but for the drum, which turns. Bodies: 1 ground, 2 drum, 3 disk, 4 capsule, 5 box, 6 cluster.
static inline cn_world *show_world(void)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_shape_def ring = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 1.0, .thickness = 0.1};
    cn_shape_def bar = {.kind = CN_SHAPE_CAPSULE, .radius = 0.1, .length = 0.4};
    cn_shape_def pair[2] = {{.kind = CN_SHAPE_DISK, .radius = 0.2, .at = {-0.3, 0.0, 0.0}},
                            {.kind = CN_SHAPE_DISK, .radius = 0.2, .at = {0.3, 0.0, 0.0}}};
    cn_body_def def = cn_body_def_default();
    def.shape_count = 1;
    def.shape = &ring;
    def.at[0] = -3.0;
    def.at[1] = 1.1;
    def.fixed = CN_FIXED_ALL;
    cn_body_add(w, &def, NULL, NULL);
    scene_disk(w, 0.0, 0.25, 0.25, 0);
    def.shape = &bar;
    def.at[0] = 1.0;
    def.at[1] = 0.1;
    def.fixed = 0;
    cn_body_add(w, &def, NULL, NULL);
    scene_box(w, 2.0, 0.1, 0.4, 0.2, 0.0, 0);
    def.shape_count = 2;
    def.shape = pair;
    def.at[0] = 4.0;
    def.at[1] = 0.2;
    cn_body_add(w, &def, NULL, NULL);
    return w;
}

// 20 steps of 1 ms, a frame every 10.
static inline cn_status show_write(const char *path, cn_error *err)
{
    static const char *const series[1] = {"height, of the \"disk\""};
    cn_world *w = show_world();
    cn_provenance p = {.title = "show"};
    cn_writer *writer = NULL;
    cn_status status = cn_writer_create(path, &p, w, 1, series, &writer, err);
    for (int k = 1; status == CN_OK && k <= 20; k++) {
        scene_run(w, 1e-3, 1);
        double height = scene_state(w, 3).position[1];
        status = cn_writer_step(writer, w, &height, err);
        if (status == CN_OK && k % 10 == 0) {
            status = cn_writer_frame(writer, w, err);
        }
    }
    if (status == CN_OK) {
        status = cn_writer_close(writer, w, "done", 0.0, err);
    }
    cn_world_destroy(w);
    return status;
}
