// bench/stress/stress.c -- the table of the stress library. A new problem is one line here.
#include "stress.h"

#include <stdio.h>
#include <string.h>

static made *tower_1000(void)
{
    return made_tower(3, 30, 1000.0, 0.5);
}

static made *arch_41(void)
{
    return made_arch(3, 41, 10.0, 1.5, 0.7);
}

static made *arch_401(void)
{
    return made_arch(3, 401, 100.0, 15.0, 0.7);
}

static made *kapla_40(void)
{
    return made_kapla(40, 0.3);
}

static made *kapla_300(void)
{
    return made_kapla(300, 0.3);
}

static made *table_10000(void)
{
    return made_table(10, 4, 1e4, 0.5);
}

static made *wall(int dim, int columns, int courses, double push, double lintel)
{
    const wall_def def = {dim, columns, courses, 0.5, push, 0.02, lintel, true};
    return made_wall(&def);
}

static made *wall_plane(void)
{
    return wall(2, 20, 30, 0.3, 0.0);
}

static made *wall_lintel(void)
{
    return wall(3, 12, 30, 0.3, 2000.0);
}

static made *wall_20x30(void)
{
    return wall(3, 20, 30, 0.3, 0.0);
}

static made *wall_sliding(void)
{
    return wall(3, 20, 30, 0.6, 0.0);
}

static made *wall_40x60(void)
{
    return wall(3, 40, 60, 0.3, 0.0);
}

static made *bridge(void)
{
    const bridge_def def = {.spans = 30,
                            .stones = 46,
                            .courses = 12,
                            .width = 20,
                            .radius = 10.0,
                            .thickness = 1.5,
                            .mu = 0.6};
    return made_bridge(&def);
}

#define PACK(shape, number, friction, flows, after)                                                \
    .packing = {CN_GRAIN_##shape, number, friction, flows, after, 7}

static const cn_stress table[] = {
    {"tower_1000", "30 cubes under one of 1000 times their mass", 124, tower_1000, {0}},
    {"arch_41", "half circle of 41 stones", 168, arch_41, {0}},
    {"spheres_rest_1e3", "spheres, settled", 1000, PACK(SPHERE, 400, 0.5, false, 300)},
    {"spheres_flow_1e3", "spheres, collapsing", 1000, PACK(SPHERE, 500, 0.5, true, 100)},
    {"hulls_rest_1e3", "random polyhedra, settled", 1000, PACK(HULL, 200, 0.5, false, 300)},
    {"kapla_40", "tower of planks, 40 levels", 1440, kapla_40, {0}},
    {"arch_401", "half circle of 401 thin stones", 1608, arch_401, {0}},
    {"table_1e4", "slab of 10^4 cubes on 100 columns of four", 2000, table_10000, {0}},
    {"wall_plane", "wall 20 x 30 in the plane, pushed by 0.3 g", 3530, wall_plane, {0}},
    {"wall_lintel", "wall 12 x 30 under a lintel of 2000 bricks", 4264, wall_lintel, {0}},
    {"wall_20x30", "wall 20 x 30, pushed by 0.3 g", 7060, wall_20x30, {0}},
    {"wall_sliding", "the same, pushed by 0.6 g: it slides", 7060, wall_sliding, {0}},
    {"spheres_rest_1e4", "spheres, settled", 10000, PACK(SPHERE, 3200, 0.5, false, 200)},
    {"spheres_flow_1e4", "spheres, collapsing", 10000, PACK(SPHERE, 4200, 0.5, true, 100)},
    {"disks_flow_1e4", "disks, collapsing", 10000, PACK(DISK, 6000, 0.5, true, 150)},
    {"hulls_flow_1e4", "random polyhedra, collapsing", 10000, PACK(HULL, 1700, 0.5, true, 100)},
    {"kapla_300", "tower of planks, 300 levels", 10800, kapla_300, {0}},
    {"wall_40x60", "wall 40 x 60, pushed by 0.3 g", 28520, wall_40x60, {0}},
    {"spheres_flow_1e5", "spheres, collapsing", 100000, PACK(SPHERE, 38000, 0.5, true, 60)},
    {"hulls_rest_1e5", "random polyhedra, settling", 100000, PACK(HULL, 16000, 0.5, false, 60)},
    {"bridge", "viaduct of 30 spans, 35 250 stones", 250964, bridge, {0}},
    {"spheres_flow_1e6", "spheres, collapsing", 1000000, PACK(SPHERE, 380000, 0.5, true, 30)},
};

const cn_stress *cn_stress_table(int *count)
{
    *count = (int)(sizeof table / sizeof *table);
    return table;
}

const cn_stress *cn_stress_find(const char *name)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strcmp(table[k].name, name) == 0) {
            return &table[k];
        }
    }
    return NULL;
}

static cn_status write_packing(const cn_stress *stress, const char *path, cn_problem_note *note,
                               cn_error *err)
{
    cn_world *w;
    cn_status status = cn_packing_make(&stress->packing, &w, err);
    if (status != CN_OK) {
        return status;
    }
    cn_problem problem;
    status = cn_world_problem(w, &problem, &note->guess, err);
    status = status == CN_OK ? cn_problem_write(path, &problem, note, err) : status;
    cn_world_destroy(w);
    return status;
}

cn_status cn_stress_write(const cn_stress *stress, const char *path, cn_error *err)
{
    cn_problem_note note = {.title = stress->name, .description = stress->about, .as_global = true};
    if (stress->build == NULL) {
        return write_packing(stress, path, &note, err);
    }
    made *m = stress->build();
    cn_status status = cn_problem_write(path, &m->problem, &note, err);
    made_destroy(m);
    return status;
}
