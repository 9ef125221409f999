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
    def.shapes = (cn_shape_parts){1, &ring};
    def.at[0] = -3.0;
    def.at[1] = 1.1;
    def.fixed = CN_FIXED_ALL;
    cn_body_add(w, &def, NULL, NULL);
    scene_disk(w, 0.0, 0.25, 0.25, 0);
    def.shapes.item = &bar;
    def.at[0] = 1.0;
    def.at[1] = 0.1;
    def.fixed = 0;
    cn_body_add(w, &def, NULL, NULL);
    scene_box(w, 2.0, 0.1, 0.4, 0.2, 0.0, 0);
    def.shapes = (cn_shape_parts){2, pair};
    def.at[0] = 4.0;
    def.at[1] = 0.2;
    cn_body_add(w, &def, NULL, NULL);
    return w;
}

// The same in space, at rest on a floor. Bodies: 1 floor, 2 block turned by 0.5 rad about z, 3
// sphere, 4 capsule along x, 5 cluster of two spheres along (1, 1, 0) / sqrt 2.
static inline cn_world *show_space_world(void)
{
    const double size[3] = {0.4, 0.3, 0.2}, at[3] = {0.0, 0.0, 0.1};
    const double turn[4] = {cos(0.25), 0.0, 0.0, sin(0.25)};
    const double side = sqrt(0.5);
    cn_world *w = scene_space(0.3, 0.0, 1e-10);
    scene_floor(w, 0.0);
    scene_block(w, at, size, turn, 0);
    scene_sphere(w, 1.0, 0.0, 0.25, 0.25);
    cn_solid_def bar = {
        .kind = CN_SOLID_CAPSULE, .radius = 0.1, .length = 0.4, .rotation = {side, 0.0, side, 0.0}};
    cn_solid_def pair[2] = {{.kind = CN_SOLID_SPHERE, .radius = 0.2, .at = {-0.2, -0.2, 0.0}},
                            {.kind = CN_SOLID_SPHERE, .radius = 0.2, .at = {0.2, 0.2, 0.0}}};
    cn_body_def def = cn_body_def_default();
    def.type = CN_BODY_SOLIDS;
    def.solids = (cn_solid_parts){1, &bar};
    def.at[0] = 2.0;
    def.at[2] = 0.1;
    cn_body_add(w, &def, NULL, NULL);
    def.type = CN_BODY_SOLIDS;
    def.solids = (cn_solid_parts){2, pair};
    def.at[0] = 3.0;
    def.at[2] = 0.2;
    cn_body_add(w, &def, NULL, NULL);
    return w;
}

// Steps of 1 ms from `first` to `last`, a frame every 10. The observed scalar is the height of the
// third body.
static inline cn_status show_steps(cn_writer *writer, cn_world *w, int first, int last,
                                   cn_error *err)
{
    cn_status status = CN_OK;
    int up = cn_world_view(w).dim - 1;
    for (int k = first; status == CN_OK && k <= last; k++) {
        scene_run(w, 1e-3, 1);
        double height = scene_state(w, 3).position[up];
        status = cn_writer_step(writer, w, &height, err);
        if (status == CN_OK && k % 10 == 0) {
            status = cn_writer_frame(writer, w, err);
        }
    }
    return status;
}

static inline cn_status show_start(const char *path, const cn_world *w, cn_writer **writer,
                                   cn_error *err)
{
    static const char *const series[1] = {"height, of the \"disk\""};
    cn_provenance p = {.title = "show"};
    return cn_writer_create(path, &p, w, 1, series, writer, err);
}

// 20 steps and three frames of a world, which is destroyed.
static inline cn_status show_write_world(const char *path, cn_world *w, cn_error *err)
{
    cn_writer *writer = NULL;
    cn_status status = show_start(path, w, &writer, err);
    if (status == CN_OK) {
        status = show_steps(writer, w, 1, 20, err);
    }
    if (status == CN_OK) {
        status = cn_writer_close(writer, w, "done", 0.0, err);
    }
    cn_world_destroy(w);
    return status;
}

static inline cn_status show_write(const char *path, cn_error *err)
{
    return show_write_world(path, show_world(), err);
}
