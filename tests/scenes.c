// tests/scenes.c -- worlds that several tests and benchmarks share.
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "strict.h"

static void must(cn_status status, const cn_error *err)
{
    if (status != CN_OK) {
        fprintf(stderr, "scene: %s: %s\n", cn_status_name(status), err->text);
        exit(1);
    }
}

cn_world *scene_world_with(const cn_world_def *def, const cn_law_def *law)
{
    cn_world *w;
    cn_error err;
    int number;
    must(cn_world_create(def, &w, &err), &err);
    must(cn_law_add(w, law, &number, &err), &err);
    must(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, number, &err), &err);
    return w;
}

cn_world *scene_world(double mu, double e, double tolerance)
{
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = def.solver.tol = tolerance;
    cn_law_def law = cn_law_coulomb(mu, e);
    return scene_world_with(&def, &law);
}

static cn_body_id add(cn_world *w, cn_body_def *def)
{
    cn_body_id id;
    cn_error err;
    must(cn_body_add(w, def, &id, &err), &err);
    return id;
}

cn_body_id scene_ground(cn_world *w, double x, double y, double angle)
{
    cn_shape_def shape = {.kind = CN_SHAPE_HALF_PLANE};
    cn_body_def def = {.shapes = {1, &shape}, .at = {x, y}, .angle = angle, .fixed = CN_FIXED_ALL};
    return add(w, &def);
}

cn_body_id scene_disk(cn_world *w, double x, double y, double radius, unsigned fixed)
{
    cn_shape_def shape = {.kind = CN_SHAPE_DISK, .radius = radius};
    cn_body_def def = {.shapes = {1, &shape}, .density = 1000.0, .at = {x, y}, .fixed = fixed};
    return add(w, &def);
}

cn_body_id scene_box(cn_world *w, double x, double y, double width, double height, double angle,
                     unsigned fixed)
{
    double vertex[8];
    cn_box_vertices(width, height, vertex);
    cn_shape_def shape = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex};
    cn_body_def def = {
        .shapes = {1, &shape}, .density = 2000.0, .at = {x, y}, .angle = angle, .fixed = fixed};
    return add(w, &def);
}

void scene_part(cn_body_def *def, int dim, const cn_shape_def *shape, const cn_solid_def *solid)
{
    if (dim == 2) {
        def->type = CN_BODY_SHAPES;
        def->shapes = (cn_shape_parts){1, shape};
    } else {
        def->type = CN_BODY_SOLIDS;
        def->solids = (cn_solid_parts){1, solid};
    }
}

cn_body_state scene_state(const cn_world *w, cn_body_id id)
{
    cn_body_state state;
    cn_error err;
    must(cn_body_get(w, id, &state, &err), &err);
    return state;
}

void scene_set_velocity(cn_world *w, cn_body_id id, double vx, double vy, double spin)
{
    cn_body_state state = scene_state(w, id);
    cn_error err;
    state.velocity[0] = vx;
    state.velocity[1] = vy;
    state.angular_velocity[2] = spin;
    must(cn_body_set(w, id, &state, &err), &err);
}

// The promise of every step (9.3): rows of the ledger add up to zero, so do their totals. Solved
// badly or well, whatever the scene; where nothing moves every row is rounding.
static void must_close(const cn_world *w)
{
    const cn_ledger *ledger = cn_world_view(w).ledger;
    double step = 0.0, total = 0.0;
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        step += ledger->step[k];
        total += ledger->total[k];
    }
    bool is_closed =
        fabs(step) + fabs(total) <= 2e-10 * ledger->scale && ledger->error_max <= 1e-10;
    if (!is_closed && ledger->scale > 1e-15) {
        printf(
            "scene: the ledger is open at step %d: rows add up to %g J, totals to %g J, of %g J; "
            "largest error %g\n",
            (int)cn_world_view(w).step, step, total, ledger->scale, ledger->error_max);
        exit(1);
    }
}

int scene_run(cn_world *w, double h, int steps)
{
    int missed = 0;
    for (int k = 0; k < steps; k++) {
        cn_error err;
        cn_status status = test_step(w, h, &err);
        if (status == CN_MISSED) {
            missed++;
        } else {
            must(status, &err);
        }
        must_close(w);
    }
    return missed;
}

int scene_wall(cn_world *w, int courses, int bricks, double width, double height, cn_body_id *first)
{
    int count = 0;
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int course = 0; course < courses; course++) {
        bool is_odd = course % 2 == 1;
        double y = height * (course + 0.5);
        for (int k = 0; k < bricks + is_odd; k++) {
            bool is_half = is_odd && (k == 0 || k == bricks);
            double left = is_odd ? (k == 0 ? 0.0 : k - 0.5) : k;
            double size = is_half ? 0.5 : 1.0;
            cn_body_id id =
                scene_box(w, width * (left + 0.5 * size), y, width * size, height, 0.0, 0);
            if (count++ == 0 && first != NULL) {
                *first = id;
            }
        }
    }
    return count;
}

void scene_packing(cn_world *w, int n, double radius)
{
    int columns = (int)ceil(sqrt(0.5 * n));
    double cell = 2.4 * radius;
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_ground(w, 0.0, 0.0, -0.5 * CN_PI);
    scene_ground(w, columns * cell, 0.0, 0.5 * CN_PI);
    uint64_t random = 7;
    for (int k = 0; k < n; k++) {
        double r = radius * (0.8 + 0.4 * cn_random(&random));
        double shake = 0.1 * radius;
        double x = cell * (k % columns + 0.5) + shake * (cn_random(&random) - 0.5);
        double y = cell * (k / columns + 0.5) + shake * (cn_random(&random) - 0.5);
        scene_disk(w, x, y, r < 1.15 * radius ? r : 1.15 * radius, 0);
    }
}

static cn_world *space_with(const cn_law_def *law, double tolerance)
{
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -9.81;
    def.solver.eps_v = def.solver.tol = tolerance;
    return scene_world_with(&def, law);
}

cn_world *scene_space(double mu, double e, double tolerance)
{
    cn_law_def law = cn_law_coulomb(mu, e);
    return space_with(&law, tolerance);
}

cn_world *scene_ahead(int dim, double mu, double e, double tolerance)
{
    cn_law_def law = cn_law_coulomb(mu, e);
    cn_world_def plane = cn_world_def_default();
    plane.solver.eps_v = plane.solver.tol = tolerance;
    cn_error err;
    must(cn_law_set_word(&law, "form", "ahead", &err), &err);
    return dim == 3 ? space_with(&law, tolerance) : scene_world_with(&plane, &law);
}

static void turn_about_y(double angle, double turn[4])
{
    turn[0] = cos(0.5 * angle);
    turn[1] = turn[3] = 0.0;
    turn[2] = sin(0.5 * angle);
}

cn_body_id scene_floor(cn_world *w, double angle)
{
    cn_solid_def solid = {.kind = CN_SOLID_HALF_SPACE};
    cn_body_def def = {.type = CN_BODY_SOLIDS, .solids = {1, &solid}, .fixed = CN_FIXED_ALL};
    turn_about_y(angle, def.rotation);
    return add(w, &def);
}

cn_body_id scene_sphere(cn_world *w, double x, double y, double z, double radius)
{
    cn_solid_def solid = {.kind = CN_SOLID_SPHERE, .radius = radius};
    cn_body_def def = {
        .type = CN_BODY_SOLIDS, .solids = {1, &solid}, .density = 1000.0, .at = {x, y, z}};
    return add(w, &def);
}

cn_body_id scene_block(cn_world *w, const double at[3], const double size[3], const double turn[4],
                       unsigned fixed)
{
    double point[24];
    cn_box_corners(size[0], size[1], size[2], point);
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 2000.0,
                       .at = {at[0], at[1], at[2]},
                       .fixed = fixed};
    for (int k = 0; k < 4 && turn != NULL; k++) {
        def.rotation[k] = turn[k];
    }
    return add(w, &def);
}

void scene_brick_wall(cn_world *w, int courses, int bricks)
{
    const double size[3] = {0.4, 0.2, 0.2};
    scene_floor(w, 0.0);
    for (int course = 0; course < courses; course++) {
        bool is_odd = course % 2 == 1;
        for (int k = 0; k < bricks + is_odd; k++) {
            bool is_half = is_odd && (k == 0 || k == bricks);
            double part = is_half ? 0.5 : 1.0, left = is_odd && k > 0 ? k - 0.5 : k;
            const double at[3] = {size[0] * (left + 0.5 * part), 0.0, size[2] * (course + 0.5)};
            scene_block(w, at, (double[]){size[0] * part, size[1], size[2]}, NULL, 0);
        }
    }
}

// A fixed half-space through (x, y, 0) with the outward normal (nx, ny, 0).
static void add_side(cn_world *w, double x, double y, double nx, double ny)
{
    cn_solid_def solid = {.kind = CN_SOLID_HALF_SPACE};
    double half = sqrt(0.5); // z turned onto the normal, about (-ny, nx, 0)
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .at = {x, y, 0.0},
                       .rotation = {half, -ny * half, nx * half, 0.0},
                       .fixed = CN_FIXED_ALL};
    add(w, &def);
}

// Twelve corners on a sphere, no two of them within half a radius.
static void draw_corners(uint64_t *random, double radius, double corner[36])
{
    for (int k = 0; k < 12;) {
        double z = 2.0 * cn_random(random) - 1.0, angle = 2.0 * CN_PI * cn_random(random);
        double across = sqrt(1.0 - z * z), x[3] = {across * cos(angle), across * sin(angle), z};
        bool is_near = false;
        for (int m = 0; m < k; m++) {
            double dot = x[0] * corner[3 * m] + x[1] * corner[3 * m + 1] + x[2] * corner[3 * m + 2];
            is_near = is_near || dot > 0.875 * radius; // |x - y| < 1/2
        }
        for (int d = 0; d < 3 && !is_near; d++) {
            corner[3 * k + d] = radius * x[d];
        }
        k += !is_near;
    }
}

void scene_polyhedra(cn_world *w, int n, int columns, double radius)
{
    double pitch = 2.05 * radius, side = columns * pitch;
    uint64_t random = 13;
    scene_floor(w, 0.0);
    add_side(w, 0.0, 0.0, 1.0, 0.0);
    add_side(w, side, 0.0, -1.0, 0.0);
    add_side(w, 0.0, 0.0, 0.0, 1.0);
    add_side(w, 0.0, side, 0.0, -1.0);
    for (int k = 0; k < n; k++) {
        double corner[36];
        draw_corners(&random, radius, corner);
        cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 12, .point = corner};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &solid},
                           .density = 2000.0,
                           .at = {pitch * (k % columns + 0.5),
                                  pitch * (k / columns % columns + 0.5),
                                  pitch * (k / (columns * columns) + 0.5)}};
        add(w, &def);
    }
}
