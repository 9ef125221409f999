// Cylinders, containers and surfaces in results: they come back as they were, and as exported
// surfaces they are closed and hold what they hold.
#include "block_mesh.h"
#include "show.h"
#include "test.h"

static double point[3 * BLOCK_MESH_POINTS(2)];

static const cn_solid_def SOLID[6] = {
    {.kind = CN_SOLID_CYLINDER, .radius = 0.3, .length = 0.8},
    {.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 0.5, .thickness = 0.1},
    {.kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.4, .length = 1.0, .thickness = 0.1, .ends = 1u},
    {.kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.4, .length = 1.0, .thickness = 0.1, .ends = 0u},
    {.kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.4, .length = 1.0, .thickness = 0.1, .ends = 2u},
    {.kind = CN_SOLID_ELLIPSOID, .size = {0.8, 0.6, 0.4}},
};

// One body per solid, held, three metres apart; the last is a block of triangles.
static cn_world *make_world(int from, int to)
{
    cn_world *w = scene_space(0.3, 0.0, 1e-10);
    for (int k = from; k < to; k++) {
        cn_solid_def block = {.kind = CN_SOLID_SURFACE,
                              .point_count = block_mesh(1.0, 0.8, 0.6, 2, point),
                              .point = point};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, k < 6 ? &SOLID[k] : &block},
                           .density = 1000.0,
                           .fixed = CN_FIXED_ALL,
                           .at = {3.0 * k, 0.0, 0.0},
                           .rotation = {0.6, 0.0, 0.8, 0.0}};
        CN_DO(cn_body_add(w, &def, NULL, &test_error));
    }
    return w;
}

CN_TEST(solids_come_back)
{
    cn_world *w = make_world(0, 7);
    cn_writer *writer = NULL;
    cn_reader *r = NULL;
    CN_DO(show_start(files_path("solids.h5"), w, &writer, &test_error));
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    CN_DO(cn_reader_open(files_path("solids.h5"), &r, &test_error));
    cn_view v = cn_world_view(w);
    for (int k = 0; k < 7; k++) {
        int count;
        const cn_solid_def *s = cn_reader_solids(r, v.id[k], &count), *was = &v.solid[k];
        CN_TRUE(count == 1 && s->kind == was->kind && s->radius == was->radius);
        CN_TRUE(memcmp(s->size, was->size, sizeof s->size) == 0);
        CN_TRUE(s->length == was->length && s->thickness == was->thickness);
        CN_TRUE(s->ends == was->ends && s->point_count == was->point_count);
        size_t bytes = 3 * sizeof(double) * (size_t)was->point_count;
        CN_TRUE(bytes == 0 || memcmp(s->point, was->point, bytes) == 0);
    }
    CN_TRUE(v.solid[6].point_count == BLOCK_MESH_POINTS(2));
    cn_reader_close(r);
    cn_world_destroy(w);
}

// Volume of polygons of n sides over that of circles.
static double roundness(int n)
{
    return 0.5 * n * sin(2.0 * CN_PI / n) / CN_PI;
}

// The same of a ball whose meridian is cut into rings as well: a pile of frusta.
static double ball_roundness(int n, int rings)
{
    double sum = 0.0;
    for (int k = 0; k < rings; k++) {
        double r = sin(CN_PI * k / rings), s = sin(CN_PI * (k + 1) / rings);
        double height = cos(CN_PI * k / rings) - cos(CN_PI * (k + 1) / rings);
        sum += 0.25 * height * (r * r + r * s + s * s);
    }
    return sum * roundness(n);
}

CN_TEST(exported_surfaces_are_closed)
{
    for (int k = 0; k < 7; k++) {
        cn_world *w = make_world(k, k + 1);
        double volume = cn_world_view(w).mass[0] / 1000.0;
        cn_reader *r = NULL;
        cn_surface s = {0};
        cn_surface_report *report = malloc(sizeof *report);
        cn_surface_def def = cn_surface_def_default();
        cn_surface_check_def check = cn_surface_check_def_default();
        cn_writer *writer = NULL;
        CN_DO(show_start(files_path("one.h5"), w, &writer, &test_error));
        CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
        cn_world_destroy(w);
        CN_DO(cn_reader_open(files_path("one.h5"), &r, &test_error));
        CN_DO(cn_export_obj(r, 0, files_path("one.obj"), &test_error));
        cn_reader_close(r);
        def.weld = 1e-9;
        CN_DO(cn_surface_load(files_path("one.obj"), &def, &s, &test_error));
        CN_DO(cn_surface_check(&s, &check, report, &test_error));
        CN_TRUE(cn_surface_error_count(report) == 0);
        double part = k == 0   ? roundness(24)
                      : k == 5 ? ball_roundness(24, 12)
                      : k == 6 ? 1.0
                               : roundness(128);
        CN_NEAR(report->mass.volume, volume * part, k == 1 ? 0.01 * volume : 1e-6 * volume,
                "corners on the surface; a sphere is also cut into rings");
        cn_surface_free(&s);
        free(report);
    }
}

CN_MAIN(CN_RUN(solids_come_back); CN_RUN(exported_surfaces_are_closed);)
