// Walls under a pressure: the force is that of the length or area between other walls (3.11).
#include <math.h>

#include "analyse/analyse.h"
#include "scenes.h"
#include "strict.h"
#include "test.h"

static const double R = 0.1, P = 1e4;

static cn_world *empty(int dim)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

// A wall whose inner side is at `side` on the axis, free along it if it is pressed.
static cn_body_id add_wall(cn_world *w, int dim, int axis, double side, bool is_free)
{
    const double thick = 0.02, wide = 1.5 * R;
    double at[3] = {0.0}, size[3] = {wide, wide, wide}, vertex[8], corner[24];
    size[axis] = thick;
    at[axis] = side + copysign(0.5 * thick, side);
    cn_box_vertices(size[0], size[1], vertex);
    cn_box_corners(size[0], size[1], size[2], corner);
    cn_shape_def shape = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex};
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_body_def def = {.density = 1000.0, .at = {at[0], at[1], at[2]}};
    def.fixed = is_free ? CN_FIXED_ALL & ~(1u << axis) : CN_FIXED_ALL;
    scene_part(&def, dim, &shape, &solid);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// The pressure on wall[1] of an axis, over the walls of the others.
static cn_force_def pressure(int dim, int axis, cn_body_id wall[3][2])
{
    cn_force_def force = {.body = wall[axis][1], .f = cn_constant(P), .span_count = dim - 1};
    force.direction[axis] = -1.0;
    for (int d = 0, k = 0; d < dim; d++) {
        if (d != axis) {
            force.span[k++] = (cn_span){wall[d][0], wall[d][1], (cn_dof)d};
        }
    }
    return force;
}

// A half-plane or half-space across the last axis that looks down it from `side`, with a mass.
static cn_body_id add_half(cn_world *w, int dim, double side, double mass)
{
    const unsigned turns = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    cn_shape_def shape = {.kind = CN_SHAPE_HALF_PLANE};
    cn_solid_def solid = {.kind = CN_SOLID_HALF_SPACE};
    cn_body_def def = {.mass = mass, .angle = CN_PI, .rotation = {0.0, 1.0, 0.0, 0.0}};
    def.at[dim - 1] = side;
    def.fixed = turns;
    scene_part(&def, dim, &shape, &solid);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// Sum of the impulses of contacts on a body along the last axis.
static double impulse_on(const cn_world *w, cn_body_id id, int dim)
{
    cn_view view = cn_world_view(w);
    double sum = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double r[3];
        cn_contact_impulse(c, dim, r);
        sum += view.id[c->i] == id ? r[dim - 1] : (view.id[c->j] == id ? -r[dim - 1] : 0.0);
    }
    return sum;
}

// A wall without end falls on a ball under a force: contacts carry the force less the change of its
// momentum in every step, and at rest the force, whatever its mass is.
CN_TEST(walls_without_end_move)
{
    const double h = 1e-3, F = 1e3, gap = 1e-3, mass[3] = {1.0, 30.0, 1000.0};
    for (int run = 0; run < 6; run++) {
        int dim = 2 + run % 2, up = dim - 1;
        double M = mass[run / 2], momentum = 0.0;
        cn_world *w = empty(dim);
        add_wall(w, dim, up, -R, false);
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = R};
        const cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = R};
        cn_body_def ball = {.density = 1000.0};
        scene_part(&ball, dim, &disk, &sphere);
        CN_DO(cn_body_add(w, &ball, NULL, &test_error));
        cn_body_id wall = add_half(w, dim, R + gap, M);
        cn_force_def force = {.body = wall, .f = cn_constant(F)};
        force.direction[up] = -1.0;
        CN_DO(cn_force_add(w, &force, &test_error));
        for (int step = 0; step < 150; step++) {
            CN_TRUE(scene_run(w, h, 1) == 0);
            double after = M * scene_state(w, wall).velocity[up];
            CN_NEAR(impulse_on(w, wall, dim), h * F + after - momentum, 1e-11 * (h * F + M),
                    "balance of momentum");
            momentum = after;
        }
        CN_NEAR(impulse_on(w, wall, dim), h * F, 1e-9 * h * F, "it is at rest");
        double place = scene_state(w, wall).position[up];
        CN_NEAR(place, R, 2e-3 * R, "a step of the fall is 1.4e-4 m at most");
        cn_body_state state = scene_state(w, wall);
        CN_FAILS(cn_body_fix(w, wall, 0, &test_error), CN_BAD_INPUT, "can turn has inertia 0");
        CN_TRUE(state.mass == M);
        cn_world_destroy(w);
    }
}

// A ball between fixed walls and such that are pressed: at rest its stress is the pressure.
CN_TEST(stress_is_the_pressure)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = empty(dim);
        cn_body_id wall[3][2];
        for (int d = 0; d < dim; d++) {
            wall[d][0] = add_wall(w, dim, d, -R, false);
            wall[d][1] = add_wall(w, dim, d, R, true);
        }
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = R};
        const cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = R};
        cn_body_def ball = {.density = 1000.0};
        scene_part(&ball, dim, &disk, &sphere);
        CN_DO(cn_body_add(w, &ball, NULL, &test_error));
        for (int d = 0; d < dim; d++) {
            cn_force_def force = pressure(dim, d, wall);
            CN_DO(cn_force_add(w, &force, &test_error));
        }
        CN_TRUE(scene_run(w, 1e-3, 10) == 0);
        bool is_in[7] = {false};
        int room[7];
        cn_view view = cn_world_view(w);
        cn_sample s = cn_sample_of_view(&view);
        is_in[2 * dim] = true;
        s.is_in = is_in;
        s.room = room;
        s.param = &(double){0.0};
        double out[CN_ANALYSIS_MOST];
        cn_analysis_named("stress")->find(&s, out);
        for (int d = 0; d < dim; d++) {
            CN_NEAR(out[dim * d + d], P, 1e-6 * P, "walls touch it within 1e-9 m of their way");
        }
        cn_world_destroy(w);
    }
}

// A wall that meets nothing, while another goes away at the speed v: the force grows with the way.
CN_TEST(the_force_follows_the_length)
{
    const double v = 0.3, h = 1e-2, T = 1.0, length = 2.0 * R;
    cn_world *w = empty(2);
    cn_body_id wall[3][2] = {{add_wall(w, 2, 0, -R, false), add_wall(w, 2, 0, 5.0, true)},
                             {add_wall(w, 2, 1, -R, false), add_wall(w, 2, 1, R, false)}};
    cn_body_state top = scene_state(w, wall[1][1]);
    cn_drive_def lift = {.body = wall[1][1], .dof = CN_DOF_Y, .f = cn_constant(v)};
    CN_DO(cn_drive_add(w, &lift, &test_error));
    top.velocity[1] = v;
    CN_DO(cn_body_set(w, wall[1][1], &top, &test_error));
    cn_force_def force = pressure(2, 0, wall);
    force.f = cn_constant(1.0);
    CN_DO(cn_force_add(w, &force, &test_error));
    CN_TRUE(scene_run(w, h, (int)(T / h + 0.5)) == 0);
    cn_body_state s = scene_state(w, wall[0][1]);
    double exact = -(length * T + 0.5 * v * T * T) / s.mass;
    CN_NEAR(s.velocity[0], exact, 1e-12, "the midpoint rule is exact where the length is linear");
    cn_world_destroy(w);
}

// Half-planes have a side where their normal is, boxes on both.
CN_TEST(sides_of_half_planes)
{
    cn_world *w = empty(2);
    cn_body_id low = scene_ground(w, 7.0, -0.4, 0.0), high = scene_ground(w, 3.0, 1.1, CN_PI);
    cn_body_id wall = add_wall(w, 2, 0, 50.0, true);
    cn_force_def force = {.body = wall, .direction = {-1.0}, .f = cn_constant(1.0)};
    force.span_count = 1;
    force.span[0] = (cn_span){low, high, CN_DOF_Y};
    CN_DO(cn_force_add(w, &force, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 1) == 0);
    cn_body_state s = scene_state(w, wall);
    CN_NEAR(s.velocity[0], -1.5 * 1e-3 / s.mass, 1e-15, "1.5 m between them");
    cn_world_destroy(w);
}

CN_TEST(spans_that_cannot_be)
{
    cn_world *w = empty(2);
    cn_body_id low = add_wall(w, 2, 1, -R, false), high = add_wall(w, 2, 1, R, false);
    cn_body_id wall = add_wall(w, 2, 0, 2.0, true), slope = scene_ground(w, 0.0, -9.0, 0.1);
    cn_force_def good = {.body = wall, .direction = {-1.0}, .f = cn_constant(1.0)};
    good.span_count = 1;
    good.span[0] = (cn_span){low, high, CN_DOF_Y};
    cn_force_def bad = good;
    bad.span[0] = (cn_span){high, low, CN_DOF_Y};
    CN_FAILS(cn_force_add(w, &bad, &test_error), CN_BAD_INPUT, "the lower one first");
    bad.span[0] = (cn_span){slope, high, CN_DOF_Y};
    CN_FAILS(cn_force_add(w, &bad, &test_error), CN_BAD_INPUT, "looks along the axis");
    bad.span[0] = (cn_span){low, 77, CN_DOF_Y};
    CN_FAILS(cn_force_add(w, &bad, &test_error), CN_BAD_INPUT, "must be there");
    bad.span[0] = (cn_span){low, high, CN_DOF_RZ};
    CN_FAILS(cn_force_add(w, &bad, &test_error), CN_BAD_INPUT, "x, y or z");
    bad = good;
    bad.span_count = 2;
    CN_FAILS(cn_force_add(w, &bad, &test_error), CN_BAD_INPUT, "one in the plane");
    CN_DO(cn_force_add(w, &good, &test_error));
    CN_DO(cn_body_remove(w, high, &test_error)); // the pressure has lost its wall: no step goes on
    CN_FAILS(test_step(w, 1e-3, &test_error), CN_BAD_INPUT, "must be there");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(walls_without_end_move); CN_RUN(stress_is_the_pressure);
        CN_RUN(the_force_follows_the_length); CN_RUN(sides_of_half_planes);
        CN_RUN(spans_that_cannot_be);)
