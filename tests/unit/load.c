// Loads by themselves: functions of time, what a step makes of forces and drives, and that loads
// leave with their bodies. Two steps of theory 3.2 and 3.5 are on paper for every kind.
#include "test.h"

#include "counted.h"
#include "grids.h"
#include "load/load.h"
#include "scenes.h"
#include "world/world.h"

static const double step = 0.1, theta = 0.75;

static cn_world *world_of(int dim)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.theta = theta;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

// f(0) = 3 and f(h) = 5: a step sees f_theta = 0.25 x 3 + 0.75 x 5 = 4.5.
static const double line_time[3] = {0.0, 0.1, 0.3}, line_value[3] = {3.0, 5.0, -1.0};
static const cn_function line = {
    .kind = CN_FUNCTION_TABLE, .count = 3, .time = line_time, .value = line_value};
static const double f_theta = 4.5;

CN_TEST(tables_are_linear_between_their_lines)
{
    const double time[5] = {1.0, 2.0, 4.0, 5.0, 9.0}, value[5] = {2.0, -2.0, 6.0, 6.0, 0.0};
    const cn_function f = {.kind = CN_FUNCTION_TABLE, .count = 5, .time = time, .value = value};
    const double at[][2] = {{-1.0, 2.0}, {1.0, 2.0}, {1.25, 1.0}, {2.0, -2.0}, {2.5, 0.0},
                            {3.5, 4.0},  {4.0, 6.0}, {4.7, 6.0},  {5.0, 6.0},  {6.0, 4.5},
                            {8.0, 1.5},  {9.0, 0.0}, {11.0, 0.0}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        CN_NEAR(cn_function_at(&f, at[k][0]), at[k][1], 1e-14, "rounding of one interpolation");
    }
    CN_NEAR(cn_function_at(&line, 0.2), 2.0, 1e-15, "half way from 5 to -1");
    cn_function wave = {
        .kind = CN_FUNCTION_COSINE, .c = 2, .a = 3, .w = 4, .p = 5, .r0 = 0.1, .r = 0.2};
    CN_NEAR(cn_function_at(&wave, 2.0), (2 + 3 * cos(13.0)) * 0.5, 1e-15, "ramp 0.1 + 0.4");
    CN_NEAR(cn_function_at(&wave, 9.0), 2 + 3 * cos(41.0), 1e-15, "the ramp ends at 1");
    CN_TRUE(isnan(cn_function_at(NULL, 0.0)));
}

CN_TEST(functions_that_are_no_numbers_are_refused)
{
    cn_function f = {.kind = CN_FUNCTION_COSINE};
    double *part[6] = {&f.c, &f.a, &f.w, &f.p, &f.r0, &f.r};
    for (int k = 0; k < 6; k++) {
        *part[k] = k % 2 == 0 ? NAN : -INFINITY;
        CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT, "not finite");
        *part[k] = 1.0;
    }
    f.kind = CN_FUNCTION_CALL;
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT, "kind 3");
    f.kind = (cn_function_kind)4;
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT, "kind 4");
    double time[3] = {0.0, 1.0, 2.0}, value[3] = {5.0, 6.0, 7.0};
    f = (cn_function){.kind = CN_FUNCTION_TABLE, .time = time, .value = value};
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT, "at least one line");
    f.count = 3;
    value[1] = NAN;
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT,
             "line 2 of a table of time is (1, ");
    value[1] = 6.0;
    time[0] = -INFINITY;
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT,
             "line 1 of a table of time is (-inf, 5)");
    time[0] = 0.0;
    time[1] = -1.0;
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT,
             "line 2 of a table of time is (-1, 6)");
    time[1] = time[2] = 1.0;
    CN_FAILS(cn_function_own(NULL, &f, &test_error), CN_BAD_INPUT,
             "line 3 of a table of time is (1, 7)");
    time[2] = 2.0;
    CN_DO(cn_function_own(NULL, &f, &test_error));
    time[1] = value[1] = 0.0; // no longer read
    CN_NEAR(cn_function_at(&f, 1.5), 6.5, 1e-15, "half way from 6 to 7");
    cn_function_free(NULL, &f);
    CN_TRUE(f.time == NULL && f.value == NULL);
}

// A function of the caller may have no value at one end of a step only.
static double late_pole(double t, void *context)
{
    return t > *(double *)context ? INFINITY : 1.0;
}

CN_TEST(a_function_without_a_value_names_its_body_and_time)
{
    double pole = 1.05;
    cn_function f = {.kind = CN_FUNCTION_CALL, .call = late_pole, .context = &pole};
    cn_load_value value;
    CN_DO(cn_load_value_of(&f, 7, 2.9, 0.1, 2.0, &value, &test_error));
    CN_TRUE(value.f_0 == 1.0 && value.f_1 == 1.0);
    CN_FAILS(cn_load_value_of(&f, 7, 3.0, 0.5, 2.0, &value, &test_error), CN_BAD_INPUT,
             "body 7 is inf at 1.5 s");
    CN_FAILS(cn_load_value_of(&f, 7, 3.25, 0.5, 2.0, &value, &test_error), CN_BAD_INPUT,
             "body 7 is inf at 1.25 s");
}

CN_TEST(forces_in_no_direction_are_refused)
{
    cn_world *w = world_of(3);
    cn_body_id ball = scene_sphere(w, 0.0, 0.0, 0.0, 1.0);
    grid *g = grid_make(3, CN_HEX8, (int[]){1, 1, 1}, (double[]){5, 0, 0}, (double[]){1, 1, 1},
                        grid_elastic(1e4, 0.3, 1.0));
    cn_body_id block = grid_body(w, g, 0.0, 0.0);
    for (int k = 0; k < 6; k++) {
        cn_force_def force = {.body = ball, .direction = {1.0}, .f = cn_constant(1.0)};
        cn_node_load_def load = {.body = block, .direction = {1.0}, .f = cn_constant(1.0)};
        *(k < 3 ? &force.direction[k] : &force.point[k - 3]) = k % 2 == 0 ? NAN : INFINITY;
        *(k < 3 ? &load.direction[k] : &load.point[k - 3]) = k % 2 == 0 ? NAN : INFINITY;
        CN_FAILS(cn_force_add(w, &force, &test_error), CN_BAD_INPUT, "not finite");
        CN_FAILS(cn_node_load_add(w, &load, &test_error), CN_BAD_INPUT, "kind 0, direction");
    }
    cn_node_load_def no_kind = {.body = block,
                                .kind = (cn_node_load_kind)6,
                                .direction = {1, 2, 3},
                                .point = {4, 5, 6},
                                .f = cn_constant(1.0)};
    CN_FAILS(cn_node_load_add(w, &no_kind, &test_error), CN_BAD_INPUT,
             "kind 6, direction (1, 2, 3) and point (4, 5, 6)");
    cn_force_def on_mesh = {.body = block, .direction = {1.0}, .f = cn_constant(1.0)};
    CN_FAILS(cn_force_add(w, &on_mesh, &test_error), CN_BAD_INPUT, "is deformable");
    cn_drive_def drive_mesh = {.body = block, .f = cn_constant(1.0)};
    CN_FAILS(cn_drive_add(w, &drive_mesh, &test_error), CN_BAD_INPUT, "is deformable");
    on_mesh.body = 99;
    CN_FAILS(cn_force_add(w, &on_mesh, &test_error), CN_BAD_INPUT, "does not exist");
    cn_node_load_def on_ball = {.body = ball, .direction = {1.0}, .f = cn_constant(1.0)};
    CN_FAILS(cn_node_load_add(w, &on_ball, &test_error), CN_BAD_INPUT, "is not deformable");
    // Sides have no name in this mesh: only its whole boundary can be pressed.
    cn_node_load_def sides = {.body = block, .set = "x1", .f = cn_constant(1.0)};
    sides.kind = CN_LOAD_PRESSURE;
    CN_FAILS(cn_node_load_add(w, &sides, &test_error), CN_BAD_INPUT, "nodes but no sides");
    sides.kind = CN_LOAD_TRACTION;
    CN_FAILS(cn_node_load_add(w, &sides, &test_error), CN_BAD_INPUT, "nodes but no sides");
    sides.set = "x0";
    CN_FAILS(cn_node_load_add(w, &sides, &test_error), CN_BAD_INPUT, "nodes but no sides");
    sides.set = "x1";
    sides.kind = CN_LOAD_TOTAL;
    CN_DO(cn_node_load_add(w, &sides, &test_error));
    g->set[0].node_count = g->set[1].node_count = 0;
    cn_body_id hollow = grid_body(w, g, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        cn_node_load_def on_none = {.body = hollow, .set = k == 0 ? "x0" : "x1"};
        CN_FAILS(cn_node_load_add(w, &on_none, &test_error), CN_BAD_INPUT, "which has no nodes");
    }
    sides.kind = CN_LOAD_CENTRIFUGAL;
    CN_FAILS(cn_node_load_add(w, &sides, &test_error), CN_BAD_INPUT,
             "all of a body, not on set 'x1'");
    cn_world_destroy(w);
    grid_free(g);
}

// (3.2) in space: a force at a point, a torque, a follower of each, on a body that is turned by a
// right angle about z and turns on; all are seen at q + (1-theta) h v.
CN_TEST(forces_act_at_their_point_in_their_direction)
{
    cn_world *w = world_of(3);
    const double turn[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    cn_body_id far = scene_sphere(w, 9.0, 0.0, 0.0, 1.0);
    cn_body_id block = scene_block(w, (double[]){0, 0, 0}, (double[]){1, 2, 3}, turn, 0);
    cn_body_state state = scene_state(w, block);
    state.angular_velocity[2] = 2.0;
    CN_DO(cn_body_set(w, block, &state, &test_error));
    double half = 0.5 * 2.0 * (1.0 - theta) * step; // Cayley: 2 atan(rate dt/2)
    double angle = 0.5 * CN_PI + 2.0 * atan(half), c = cos(angle), s = sin(angle);
    const double along[3] = {0.6, 0.0, 0.8}, at[3] = {0.1, -0.4, 0.7};
    const double turned[3] = {c * along[0] - s * along[1], s * along[0] + c * along[1], along[2]};
    const double arm[3] = {c * at[0] - s * at[1], s * at[0] + c * at[1], at[2]};
    for (int k = 0; k < 4; k++) {
        bool is_torque = k & 1, is_follower = k & 2;
        const double *n = is_follower ? turned : along;
        cn_force_def force = {.body = block,
                              .is_torque = is_torque,
                              .is_follower = is_follower,
                              .direction = {along[0], along[1], along[2]},
                              .point = {at[0], at[1], at[2]},
                              .f = line};
        cn_loads_clear(w);
        CN_DO(cn_force_add(w, &force, &test_error));
        CN_DO(cn_load_eval(&w->loads, 0.0, step, theta, &w->bodies, &test_error));
        const double *f = w->bodies.f + 6 * cn_bodies_find(&w->bodies, block);
        const double *none = w->bodies.f + 6 * cn_bodies_find(&w->bodies, far);
        for (int d = 0; d < 3; d++) {
            int x = (d + 1) % 3, y = (d + 2) % 3;
            double moment = is_torque ? n[d] : arm[x] * n[y] - arm[y] * n[x];
            const char *why = "rounding";
            CN_NEAR(f[d], is_torque ? 0.0 : f_theta * n[d], 1e-14, why);
            CN_NEAR(f[3 + d], f_theta * moment, 1e-14, why);
            CN_TRUE(none[d] == 0.0 && none[3 + d] == 0.0);
        }
    }
    cn_world_destroy(w);
}

// In the plane every torque is about z; forces have the moment x F_y - y F_x.
CN_TEST(forces_in_the_plane_turn_about_z)
{
    cn_world *w = world_of(2);
    cn_body_id box = scene_box(w, 0.0, 0.0, 1.0, 2.0, 0.5 * CN_PI, 0);
    for (int k = 0; k < 4; k++) {
        bool is_torque = k & 1, is_follower = k & 2;
        cn_force_def force = {.body = box,
                              .is_torque = is_torque,
                              .is_follower = is_follower,
                              .direction = {0.6, 0.8},
                              .point = {0.1, 0.3},
                              .f = line};
        cn_loads_clear(w);
        CN_DO(cn_force_add(w, &force, &test_error));
        CN_DO(cn_load_eval(&w->loads, 0.0, step, theta, &w->bodies, &test_error));
        const double n[2] = {is_follower ? -0.8 : 0.6, is_follower ? 0.6 : 0.8};
        CN_NEAR(w->bodies.f[0], is_torque ? 0.0 : f_theta * n[0], 1e-14, "rounding");
        CN_NEAR(w->bodies.f[1], is_torque ? 0.0 : f_theta * n[1], 1e-14, "rounding");
        double moment = is_torque ? 1.0 : -0.3 * n[1] - 0.1 * n[0];
        CN_NEAR(w->bodies.f[2], f_theta * moment, 1e-14, "rounding");
    }
    cn_world_destroy(w);
}

// (3.5) for every kind of drive, of bodies and of nodes, that move already.
CN_TEST(drives_impose_velocities_of_the_end_of_the_step)
{
    static const double v[3] = {0.3, -0.7, 1.1};
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = world_of(dim);
        cn_body_id rigid =
            dim == 2 ? scene_disk(w, 0.0, 0.0, 1.0, 0) : scene_sphere(w, 0.0, 0.0, 0.0, 1.0);
        grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){1, 1, 1},
                            (double[]){5, 0, 0}, (double[]){1, 1, 1}, grid_elastic(1e4, 0.3, 1.0));
        cn_body_def def = cn_body_def_default();
        cn_body_id ahead, block;
        def.type = CN_BODY_MESH;
        def.mesh.item = &g->def;
        CN_DO(cn_body_add(w, &def, &ahead, &test_error)); // is not driven
        def.at[1] = 9.0;
        memcpy(def.velocity, v, sizeof(double) * (size_t)dim);
        CN_DO(cn_body_add(w, &def, &block, &test_error));
        cn_body_state state = scene_state(w, rigid);
        memcpy(state.velocity, v, sizeof(double) * (size_t)dim);
        CN_DO(cn_body_set(w, rigid, &state, &test_error));
        const cn_deformables *m = &w->deformables;
        int first = m->dof_start[m->count - 1];
        for (int k = 0; k < 3 * dim; k++) {
            cn_drive_kind kind = (cn_drive_kind)(k / dim);
            int d = k % dim;
            cn_drive_def drive = {.body = rigid, .kind = kind, .dof = (cn_dof)d, .f = line};
            cn_node_drive_def nodes = {
                .body = block, .set = "x1", .kind = kind, .dof = (cn_dof)d, .f = line};
            cn_loads_clear(w);
            CN_DO(cn_drive_add(w, &drive, &test_error));
            CN_DO(cn_node_drive_add(w, &nodes, &test_error));
            CN_DO(cn_load_eval(&w->loads, 0.0, step, theta, &w->bodies, &test_error));
            const double exact[3] = {5.0, (2.0 - 0.25 * step * v[d]) / (0.75 * step),
                                     v[d] + step * f_theta};
            int i = cn_bodies_find(&w->bodies, rigid);
            CN_TRUE(w->bodies.held[i] == 1u << d);
            CN_NEAR(w->bodies.v_free[w->bodies.kind->dof * i + d], exact[kind], 1e-13, "rounding");
            for (int n = 0; n < m->dof_start[m->count]; n++) { // x1 are the nodes with odd numbers
                bool is_driven = n >= first && (n - first) % dim == d && (n - first) / dim % 2 == 1;
                CN_TRUE(m->held[n] == is_driven);
                CN_NEAR(m->v_imposed[n], is_driven ? exact[kind] : 0.0, 1e-13, "rounding");
            }
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

// A rotation about a point: velocity of the rigid turn at the place of t+h (3.5), which the turn of
// the step leads to; all degrees of freedom are driven.
CN_TEST(rotation_drives_all_of_a_body)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = world_of(dim);
        for (int k = 0; k < 2 && dim == 2; k++) { // are held anyway
            scene_disk(w, 3.0 * k, 9.0, 1.0, CN_FIXED_ALL);
        }
        cn_body_id body =
            dim == 2 ? scene_disk(w, 3.0, 1.0, 1.0, 0) : scene_sphere(w, 3.0, 1.0, 7.0, 1.0);
        int i = cn_bodies_find(&w->bodies, body);
        cn_body_state state = scene_state(w, body);
        state.angular_velocity[2] = 2.0;
        CN_DO(cn_body_set(w, body, &state, &test_error));
        cn_drive_def drive = {
            .body = body, .kind = CN_DRIVE_ROTATION, .about = {1.0, -0.5}, .f = line};
        CN_DO(cn_drive_add(w, &drive, &test_error));
        CN_DO(cn_load_eval(&w->loads, 0.0, step, theta, &w->bodies, &test_error));
        double turn = step * (0.25 * 2.0 + 0.75 * 5.0), c = cos(turn), s = sin(turn);
        const double *to = w->bodies.v_free + w->bodies.kind->dof * i;
        CN_NEAR(to[0], -5.0 * (s * 2.0 + c * 1.5), 1e-14, "rounding");
        CN_NEAR(to[1], 5.0 * (c * 2.0 - s * 1.5), 1e-14, "rounding");
        CN_NEAR(to[dim == 2 ? 2 : 5], 5.0, 0.0, "the rate at t+h");
        CN_NEAR(dim == 2 ? 0.0 : fabs(to[2]) + fabs(to[3]) + fabs(to[4]), 0.0, 0.0, "about z");
        CN_TRUE(w->bodies.held[i] == (dim == 2 ? CN_DOFS_PLANE : CN_FIXED_ALL));
        for (int k = 0; k < i; k++) {
            CN_TRUE(w->bodies.held[k] == w->bodies.fixed[k] && w->bodies.fixed[k] != 0);
        }
        cn_world_destroy(w);
    }
}

// Axes that a definition holds are held in every step, those of other bodies not.
CN_TEST(nodes_of_fixed_axes_are_held)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = world_of(dim);
        grid *g = grid_make(dim, dim == 2 ? CN_TRI3 : CN_HEX8, (int[]){2, 1, 1},
                            (double[]){0, 0, 0}, (double[]){1, 1, 1}, grid_elastic(1e4, 0.3, 1.0));
        cn_body_def def = cn_body_def_default();
        def.type = CN_BODY_MESH;
        def.mesh.item = &g->def;
        const unsigned fixed[3] = {1u << CN_DOF_Y, 0, 1u << CN_DOF_X};
        for (int k = 0; k < 3; k++) {
            def.at[0] = 3.0 * k;
            def.fixed = fixed[k];
            CN_DO(cn_body_add(w, &def, NULL, &test_error));
        }
        CN_DO(cn_load_eval(&w->loads, 0.0, step, theta, &w->bodies, &test_error));
        const cn_deformables *m = &w->deformables;
        for (int n = 0; n < m->dof_start[3]; n++) {
            int k = n / m->dof_start[1], d = n % dim;
            CN_TRUE(m->held[n] == (k == 0 ? d == 1 : k == 2 && d == 0));
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

// Forces of a step on all nodes of the last of two bodies: sum, and sum of f_x y.
typedef struct resultant {
    double f[3], shear;
} resultant;

static resultant node_force(cn_world *w, const cn_node_load_def *load)
{
    resultant sum = {0};
    cn_loads_clear(w);
    CN_DO(cn_node_load_add(w, load, &test_error));
    CN_DO(cn_load_eval(&w->loads, 0.0, step, theta, &w->bodies, &test_error));
    const cn_deformables *m = &w->deformables;
    for (int n = 0; n < m->dof_start[1]; n++) {
        CN_TRUE(m->f[n] == 0.0); // nothing acts on the first body
    }
    for (int n = m->dof_start[1]; n < m->dof_start[2]; n++) {
        sum.f[(n - m->dof_start[1]) % m->dim] += m->f[n];
        sum.shear += (n - m->dof_start[1]) % m->dim == 0 ? m->f[n] * m->x[n + 1] : 0.0;
    }
    return sum;
}

// A box of 2 x 1 (x 1) m in 4 x 2 (x 1) cells, twice as wide at q + (1-theta) h v as it is now:
// v_x = (x - 2)/(0.25 h). Another one comes first, on which nothing acts.
static grid *widening_box(cn_world *w, int dim, cn_mass_kind mass, cn_body_id *id)
{
    grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){4, 2, 1}, (double[]){2, 5, 1},
                        (double[]){2, 1, 1}, grid_elastic(1e4, 0.3, 3.0));
    cn_body_def def = cn_body_def_default();
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    g->def.mass = mass;
    def.at[1] = -20.0;
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    def.at[1] = 0.0;
    CN_DO(cn_body_add(w, &def, id, &test_error));
    double v[3 * 30] = {0.0};
    for (int n = 0; n < g->def.node_count; n++) {
        v[dim * n] = (g->node[dim * n] - 2.0) / ((1.0 - theta) * step);
    }
    CN_DO(cn_body_set_nodes(w, *id, NULL, v, &test_error));
    return g;
}

CN_TEST(node_loads_have_the_resultant_of_their_kind)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = world_of(dim);
        cn_body_id id;
        grid *g = widening_box(w, dim, CN_MASS_LUMPED, &id);
        const double n[3] = {0.48, 0.6, dim == 3 ? 0.64 : 0.0}, mass = 6.0;
        const double end_nodes = dim == 2 ? 3.0 : 6.0, nodes = dim == 2 ? 15.0 : 30.0;
        cn_node_load_def load = {.body = id, .direction = {n[0], n[1], n[2]}, .f = line};
        // On one end x1 and on all: nodes, total, mass. An end has half a cell: an eighth of mass.
        const double share[3][2] = {{end_nodes, nodes}, {1.0, 1.0}, {mass / 8.0, mass}};
        const cn_node_load_kind kind[3] = {CN_LOAD_NODES, CN_LOAD_TOTAL, CN_LOAD_BODY};
        for (int k = 0; k < 6; k++) {
            load.kind = kind[k / 2];
            load.set = k % 2 == 0 ? "x1" : NULL;
            resultant sum = node_force(w, &load);
            double F = f_theta * share[k / 2][k % 2];
            for (int d = 0; d < dim; d++) {
                CN_NEAR(sum.f[d], F * n[d], 1e-12, "sum of 30 numbers");
            }
            CN_NEAR(sum.shear, F * n[0] * 5.5, 1e-11, "nodes are even about y = 5.5");
        }
        // Area by area: in the plane on the end x1 and on its top, all around has none.
        load.kind = CN_LOAD_TRACTION;
        for (int k = 0; k < 2 && dim == 2; k++) {
            load.set = k == 0 ? "x1" : "y1";
            resultant sum = node_force(w, &load);
            double area = k == 0 ? 1.0 : 2.0; // of the reference position
            CN_NEAR(sum.f[0], f_theta * area * n[0], 1e-12, "sum of 5 numbers");
            CN_NEAR(sum.f[1], f_theta * area * n[1], 1e-12, "sum of 5 numbers");
            load.kind = CN_LOAD_PRESSURE;
            sum = node_force(w, &load);
            CN_NEAR(sum.f[0], k == 0 ? -f_theta : 0.0, 1e-12, "against the end");
            CN_NEAR(sum.f[1], k == 0 ? 0.0 : -f_theta * 4.0, 1e-12, "twice as wide ahead");
            load.kind = CN_LOAD_TRACTION;
        }
        load.set = NULL;
        resultant around = node_force(w, &load);
        double area = dim == 2 ? 6.0 : 10.0;
        for (int d = 0; d < dim; d++) {
            CN_NEAR(around.f[d], f_theta * area * n[d], 1e-11, "sum of 30 numbers");
        }
        load.kind = CN_LOAD_PRESSURE;
        around = node_force(w, &load);
        for (int d = 0; d < dim; d++) {
            CN_NEAR(around.f[d], 0.0, 1e-12, "a closed surface");
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

// In a turning frame: mass times the way of its centre from the axis times the mean square rate.
// The box is centred at (4, 5.5, 1.5) at q + (1-theta) h v.
CN_TEST(turning_frames_pull_from_their_axis)
{
    const double mass = 6.0, square = 0.25 * 9.0 + 0.75 * 25.0;
    for (int k = 0; k < 4; k++) {
        int dim = k < 2 ? 2 : 3;
        cn_world *w = world_of(dim);
        cn_body_id id;
        grid *g = widening_box(w, dim, k % 2 == 0 ? CN_MASS_LUMPED : CN_MASS_CONSISTENT, &id);
        cn_node_load_def load = {.body = id, .kind = CN_LOAD_CENTRIFUGAL, .f = line};
        load.direction[0] = dim == 3 ? 0.6 : 0.0;
        load.direction[2] = dim == 3 ? 0.8 : 0.0;
        load.point[0] = 0.5;
        load.point[1] = 1.0;
        load.point[2] = -0.5;
        const double way[3] = {3.5, 4.5, 2.0}, along = 0.6 * 3.5 + 0.8 * 2.0;
        resultant sum = node_force(w, &load);
        CN_NEAR(sum.f[0], mass * square * (way[0] - (dim == 3 ? 0.6 * along : 0.0)), 1e-10, "sum");
        CN_NEAR(sum.f[1], mass * square * way[1], 1e-10, "sum of 30 numbers");
        CN_NEAR(sum.f[2], dim == 3 ? mass * square * (way[2] - 0.8 * along) : 0.0, 1e-10, "sum");
        cn_world_destroy(w);
        grid_free(g);
    }
}

// The clock of a load starts when it is told to, or when the load is added.
CN_TEST(clocks_start_when_they_are_told)
{
    cn_world *w = world_of(2);
    cn_body_id disk = scene_disk(w, 0.0, 0.0, 1.0, 0);
    grid *g = grid_make(2, CN_QUAD4, (int[]){1, 1}, (double[]){5, 0}, (double[]){1, 1},
                        grid_elastic(1e4, 0.3, 1.0));
    cn_body_id block = grid_body(w, g, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        double t0 = k == 0 ? NAN : 1.8;
        cn_force_def force = {.body = disk, .direction = {1.0}, .f = line, .t0 = t0};
        cn_drive_def drive = {.body = disk, .dof = CN_DOF_Y, .f = line, .t0 = t0};
        cn_node_load_def load = {.body = block, .direction = {1.0}, .f = line, .t0 = t0};
        cn_node_drive_def nodes = {.body = block, .dof = CN_DOF_Y, .f = line, .t0 = t0};
        cn_loads loads = {0};
        CN_DO(cn_loads_add_force(&loads, &w->bodies, &force, 2.0, &test_error));
        CN_DO(cn_loads_add_drive(&loads, &w->bodies, &drive, 2.0, &test_error));
        CN_DO(cn_loads_add_node_load(&loads, &w->bodies, &load, 2.0, &test_error));
        CN_DO(cn_loads_add_node_drive(&loads, &w->bodies, &nodes, 2.0, &test_error));
        CN_DO(cn_load_eval(&loads, 2.0, step, theta, &w->bodies, &test_error));
        double end = k == 0 ? 5.0 : -1.0, mean = k == 0 ? f_theta : 0.25 * 2.0 - 0.75;
        const char *why = "2.1 s - 1.8 s and the like are rounded";
        CN_NEAR(w->bodies.f[0], mean, 1e-13, why);
        CN_NEAR(w->deformables.f[0], mean, 1e-13, why);
        CN_NEAR(w->bodies.v_free[1], end, 1e-13, why);
        CN_NEAR(w->deformables.v_imposed[1], end, 1e-13, why);
        cn_loads_free(&loads);
    }
    cn_world_destroy(w);
    grid_free(g);
}

// Bytes of the tables that loads hold: nothing else of them is released before the end.
enum { TABLE_BYTES = 3 * 2 * sizeof(double) };

static void add_loads(cn_loads *loads, const cn_bodies *b, cn_body_id body)
{
    if (b->deformable[cn_bodies_find(b, body)] < 0) {
        cn_drive_def drive = {.body = body, .dof = CN_DOF_Y, .f = line};
        cn_force_def force = {.body = body, .direction = {1.0}, .f = line};
        CN_DO(cn_loads_add_drive(loads, b, &drive, 0.0, &test_error));
        CN_DO(cn_loads_add_force(loads, b, &force, 0.0, &test_error));
    } else {
        cn_node_drive_def drive = {.body = body, .dof = CN_DOF_Y, .f = line};
        cn_node_load_def load = {
            .body = body, .kind = CN_LOAD_TOTAL, .direction = {1.0}, .f = line};
        CN_DO(cn_loads_add_node_drive(loads, b, &drive, 0.0, &test_error));
        CN_DO(cn_loads_add_node_load(loads, b, &load, 0.0, &test_error));
    }
}

// Loads of a body that leaves are dropped with their tables, those of the others act as before;
// and nothing is left in the end.
CN_TEST(loads_leave_with_their_body)
{
    counted bytes = {0};
    cn_hooks hooks = counted_hooks(&bytes);
    cn_world *w = world_of(2);
    cn_body_id body[6];
    grid *g = grid_make(2, CN_QUAD4, (int[]){1, 1}, (double[]){0, 0}, (double[]){1, 1},
                        grid_elastic(1e4, 0.3, 1.0));
    for (int k = 0; k < 6; k++) {
        cn_body_def def = cn_body_def_default();
        def.type = CN_BODY_MESH;
        def.mesh.item = &g->def;
        def.at[0] = 9.0 * k;
        body[k] = k < 3 ? scene_disk(w, 9.0 * k, 5.0, 1.0, 0) : 0;
        if (k >= 3) {
            CN_DO(cn_body_add(w, &def, &body[k], &test_error));
        }
    }
    for (int left = 0; left < 6; left++) {
        cn_loads loads = {.hooks = &hooks};
        for (int k = 0; k < 12; k++) { // two of each kind and body
            add_loads(&loads, &w->bodies, body[k % 6]);
        }
        size_t before = bytes.held;
        cn_loads_forget(&loads, body[left]);
        CN_TRUE(before - bytes.held == 4 * TABLE_BYTES);
        CN_DO(cn_load_eval(&loads, 0.0, step, theta, &w->bodies, &test_error));
        for (int k = 0; k < 6; k++) {
            const cn_deformables *m = &w->deformables;
            int i = cn_bodies_find(&w->bodies, body[k]), dof = k < 3 ? 0 : m->dof_start[k - 3];
            double force = k < 3 ? w->bodies.f[3 * i] : 4.0 * m->f[dof];
            double v = k < 3 ? w->bodies.v_free[3 * i + 1] : m->v_imposed[dof + 1];
            CN_NEAR(force, k == left ? 0.0 : 2.0 * f_theta, 1e-14, "both forces, or none");
            CN_NEAR(v, k == left ? 0.0 : 5.0, 0.0, "the drive at t+h, or none");
        }
        before = bytes.held;
        cn_loads_remove_all(&loads);
        CN_TRUE(before - bytes.held == 20 * TABLE_BYTES);
        CN_TRUE(loads.drive_count + loads.force_count + loads.node_drive_count +
                    loads.node_load_count ==
                0);
        add_loads(&loads, &w->bodies, body[left]);
        cn_loads_free(&loads);
        CN_TRUE(bytes.held == 0);
    }
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(tables_are_linear_between_their_lines);
        CN_RUN(functions_that_are_no_numbers_are_refused);
        CN_RUN(a_function_without_a_value_names_its_body_and_time);
        CN_RUN(forces_in_no_direction_are_refused);
        CN_RUN(forces_act_at_their_point_in_their_direction);
        CN_RUN(forces_in_the_plane_turn_about_z);
        CN_RUN(drives_impose_velocities_of_the_end_of_the_step);
        CN_RUN(rotation_drives_all_of_a_body); CN_RUN(nodes_of_fixed_axes_are_held);
        CN_RUN(node_loads_have_the_resultant_of_their_kind);
        CN_RUN(turning_frames_pull_from_their_axis); CN_RUN(clocks_start_when_they_are_told);
        CN_RUN(loads_leave_with_their_body);)
