// Joints on deformable bodies: forces and motions known on paper, small and large bodies, both
// dimensions (theory 11.21 to 11.24).
#include "test.h"

#include "grids.h"
#include "scenes.h"

static const double G = 9.81, RHO = 1000.0, YOUNG = 1e6;

// theta 1 damps what swings to rest.
static cn_world *make_world_on(int threads, int dim, double theta)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = dim == 2 ? -G : 0.0;
    def.gravity[2] = dim == 3 ? -G : 0.0;
    def.theta = theta;
    def.threads = threads;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    return scene_world_with(&def, &law);
}

static cn_world *make_world(int dim, double theta)
{
    return make_world_on(1, dim, theta);
}

static cn_material_def gum(double damping)
{
    cn_material_def material = grid_elastic(YOUNG, 0.0, RHO);
    material.rayleigh_mass = damping;
    return material;
}

// An upright bar of length 1 and width 0.1, its foot at height z and its axis at x.
static grid *make_bar(int dim, int cells, double x, double z, cn_material_def material)
{
    const int n2[2] = {dim == 2 && cells > 10 ? 4 : 2, cells}, n3[3] = {1, 1, cells};
    const double lo2[2] = {x - 0.05, z}, lo3[3] = {x - 0.05, -0.05, z};
    const double size2[2] = {0.1, 1.0}, size3[3] = {0.1, 0.1, 1.0};
    return dim == 2 ? grid_make(2, CN_QUAD4, n2, lo2, size2, material)
                    : grid_make(3, CN_HEX8, n3, lo3, size3, material);
}

static const char *top_of(int dim)
{
    return dim == 2 ? "y1" : "z1";
}

static const char *foot_of(int dim)
{
    return dim == 2 ? "y0" : "z0";
}

static cn_joint_id add_joint(cn_world *w, cn_joint_def def)
{
    cn_joint_id id = 0;
    CN_DO(cn_joint_add(w, &def, &id, &test_error));
    return id;
}

static cn_joint_state state_of(const cn_world *w, cn_joint_id id)
{
    cn_joint_state state = {0};
    CN_DO(cn_joint_get(w, id, &state, &test_error));
    return state;
}

// Mean height of the nodes of a side.
static double height_of(const cn_world *w, cn_body_id id, const char *set)
{
    cn_node_view nodes;
    int count;
    const int *node;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    CN_DO(cn_body_node_set(w, id, set, &count, &node, &test_error));
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += nodes.x[nodes.dim * node[k] + nodes.dim - 1];
    }
    return sum / count;
}

// A bar hung by the mean of its upper side: no stress but rho g z.
static void check_hung_bar(int dim, int cells)
{
    const double h = 0.02, area = dim == 2 ? 0.1 : 0.01;
    grid *g = make_bar(dim, cells, 0.0, 0.0, gum(40.0));
    cn_world *w = make_world(dim, 1.0);
    cn_body_id bar = grid_body(w, g, 0.0, 0.0);
    cn_joint_id ball = add_joint(
        w,
        (cn_joint_def){.kind = CN_JOINT_BALL, .body = bar, .body_set = top_of(dim), .at = {NAN}});
    CN_TRUE(scene_run(w, h, 200) == 0);
    cn_joint_state s = state_of(w, ball);
    CN_NEAR(s.impulse[dim - 1] / h, RHO * area * G, 1e-8, "the weight; 4 s at damping 20/s");
    CN_NEAR(s.impulse[0] / h, 0.0, 1e-8, "symmetric");
    CN_NEAR(height_of(w, bar, foot_of(dim)), -RHO * G / (2.0 * YOUNG), 1e-12,
            "rho g L^2/2E, exact at nodes");
    CN_NEAR(height_of(w, bar, top_of(dim)), 1.0, 1e-12, "the mean is held, all equal");
    CN_NEAR(s.gap, 0.0, 1e-13, "rounding");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(hung_bar_carries_its_weight)
{
    check_hung_bar(2, 8);  // 54 degrees of freedom: a factor
    check_hung_bar(2, 20); // 210: condensed
    check_hung_bar(3, 6);
    check_hung_bar(3, 10);
}

// A block of ten by one at the end of a pin or ball, let go level: as the rigid body with its mass,
// inertia and arm. With `set` a hinge about y holds the mean of its end.
static void check_pendulum(int dim, bool is_pseudo_rigid, const char *set)
{
    const double h = 1e-3, size[3] = {1.0, 0.1, 0.1}, lo[3] = {0.0, -0.05, -0.05};
    const int cells[3] = {4, 1, 1}, steps = 700;
    cn_material_def material = grid_elastic(1e9, 0.3, RHO);
    material.kinematics = CN_COROTATIONAL;
    grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, cells, lo, size, material);
    g->def.is_pseudo_rigid = is_pseudo_rigid;
    cn_world *w = make_world(dim, 0.5);
    cn_body_id soft = grid_body(w, g, 0.0, 0.0);
    cn_body_state s = scene_state(w, soft);
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 1e-3};
    cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = 1e-3};
    cn_body_def def = {.mass = s.mass, .inertia = {0.0, 0.0, s.inertia[2]}, .at = {5.5, 0.0, 0.0}};
    scene_part(&def, dim, &disk, &sphere);
    if (dim == 3) { // only the inertia about y counts
        cn_node_view nodes;
        CN_DO(cn_body_nodes(w, soft, &nodes, &test_error));
        double about_y = is_pseudo_rigid ? s.mass * (1.0 + 0.01) / 12.0 : 0.0;
        for (int n = 0; n < nodes.node_count && !is_pseudo_rigid; n++) {
            const double *x = nodes.x + 3 * n;
            about_y += nodes.mass[3 * n] * (pow(x[0] - 0.5, 2) + x[2] * x[2]);
        }
        def.inertia[0] = def.inertia[1] = def.inertia[2] = about_y;
    }
    cn_body_id stiff = 0;
    CN_DO(cn_body_add(w, &def, &stiff, &test_error));
    cn_joint_def joint = {
        .kind = set != NULL ? CN_JOINT_HINGE : CN_JOINT_BALL, .body = stiff, .at = {5.0}};
    joint.axis[1] = dim == 3 && set != NULL ? 1.0 : 0.0;
    add_joint(w, joint);
    joint.body = soft;
    joint.at[0] = 0.0;
    joint.body_set = set;
    cn_joint_id ball = add_joint(w, joint);
    CN_TRUE(scene_run(w, h, steps) == 0);
    cn_body_state a = scene_state(w, soft), b = scene_state(w, stiff);
    CN_TRUE(b.position[0] < 5.0 - 0.3);
    CN_NEAR(a.position[0], b.position[0] - 5.0, 4e-5,
            "strains of 3 m g L/b E are 1e-5, and nodes move along chords");
    CN_NEAR(a.position[dim - 1], b.position[dim - 1], 4e-5, "likewise");
    CN_NEAR(state_of(w, ball).gap, 0.0, 1e-12, "closed at middle configurations");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    CN_NEAR(cn_world_view(w).ledger->total[CN_ENERGY_JOINT], 0.0, 1e-3 * s.mass * G,
            "joints work in second order of h");
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(stiff_elastic_pendulum_swings_like_the_rigid_one)
{
    check_pendulum(2, false, NULL);
    check_pendulum(3, false, "x0");
    check_pendulum(2, true, NULL);
    check_pendulum(3, true, NULL);
    check_pendulum(3, true, "x0");
}

// A bar whose top is held, and below it another one on a rod or cable between the middles of their
// sides.
static void check_linked_bars(int dim, cn_joint_kind kind, int cells)
{
    const double h = 0.02, area = dim == 2 ? 0.1 : 0.01, weight = RHO * area * G;
    grid *g = make_bar(dim, cells, 0.0, 0.0, gum(40.0));
    grid *below = make_bar(dim, cells, 0.0, -1.5, gum(40.0));
    cn_world *w = make_world(dim, 1.0);
    cn_body_id upper = grid_body(w, g, 0.0, 0.0), lower = grid_body(w, below, 0.0, 0.0);
    for (int d = 0; d < dim; d++) {
        cn_node_drive_def hold = {.body = upper,
                                  .set = top_of(dim),
                                  .dof = (cn_dof)(CN_DOF_X + d),
                                  .kind = CN_DRIVE_VELOCITY,
                                  .f = cn_constant(0.0),
                                  .t0 = NAN};
        CN_DO(cn_node_drive_add(w, &hold, &test_error));
    }
    cn_joint_id link = add_joint(w, (cn_joint_def){.kind = kind,
                                                   .body = lower,
                                                   .other = upper,
                                                   .body_set = top_of(dim),
                                                   .other_set = foot_of(dim),
                                                   .at = {NAN},
                                                   .to = {NAN}});
    CN_TRUE(scene_run(w, h, 400) == 0);
    cn_joint_state s = state_of(w, link);
    CN_NEAR(s.impulse[dim - 1] / h, weight, 1e-7, "the weight of the lower one");
    CN_NEAR(s.position, 0.5, 1e-12, "the length of the link");
    CN_NEAR(height_of(w, upper, foot_of(dim)), -RHO * G * (1.0 + 0.5) / YOUNG, 1e-11,
            "F L/E A + rho g L^2/2E");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    grid_free(g);
    grid_free(below);
}

CN_TEST(rod_and_cable_between_bars_carry_the_lower_one)
{
    check_linked_bars(2, CN_JOINT_ROD, 8);
    check_linked_bars(2, CN_JOINT_CABLE, 20);
    check_linked_bars(3, CN_JOINT_ROD, 10);
}

// A block falls freely until its cable is taut and then hangs on it.
CN_TEST(cable_is_slack_until_it_is_taut)
{
    const double h = 2e-3, slack = 0.2;
    grid *g = make_bar(2, 8, 0.0, -1.0, gum(40.0));
    cn_world *w = make_world(2, 1.0);
    cn_body_id bar = grid_body(w, g, 0.0, 0.0);
    cn_joint_id cable = add_joint(w, (cn_joint_def){.kind = CN_JOINT_CABLE,
                                                    .body = bar,
                                                    .at = {0.0, 0.0},
                                                    .to = {0.0, 0.5},
                                                    .length = 0.5 + slack});
    CN_TRUE(scene_run(w, h, 50) == 0);
    double k = 40.0, t = 50 * h;
    CN_NEAR(height_of(w, bar, "y1"), -G * (t / k - (1.0 - exp(-k * t)) / (k * k)), 5e-4,
            "fall with drag k v; first order in h: 1/2 g h t");
    CN_TRUE(state_of(w, cable).impulse[1] == 0.0);
    CN_TRUE(scene_run(w, h, 2000) == 0);
    CN_NEAR(state_of(w, cable).position, 0.5 + slack, 1e-12, "taut");
    CN_NEAR(state_of(w, cable).impulse[1] / h, RHO * 0.1 * G, 1e-7, "the weight");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    grid_free(g);
}

// A fixed joint at the end of a bar that lies level: force and moment of the weight.
static void check_cantilever(int dim)
{
    const double h = 0.02, size[3] = {1.0, 0.2, 0.2}, lo[3] = {0.0, 0.0, 0.0};
    const int cells[3] = {8, 2, 1};
    cn_material_def material = gum(40.0);
    material.kinematics = CN_COROTATIONAL;
    material.young = 1e8;
    grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, cells, lo, size, material);
    cn_world *w = make_world(dim, 1.0);
    cn_body_id beam = grid_body(w, g, 0.0, 0.0);
    cn_joint_id wall = add_joint(
        w, (cn_joint_def){.kind = CN_JOINT_FIXED, .body = beam, .body_set = "x0", .at = {NAN}});
    CN_TRUE(scene_run(w, h, 400) == 0);
    cn_body_state b = scene_state(w, beam);
    cn_joint_state s = state_of(w, wall);
    int about = dim == 2 ? 2 : 1;
    CN_NEAR(s.impulse[dim - 1] / h, b.mass * G, 1e-6, "the weight");
    CN_NEAR(fabs(s.moment[about]) / h, b.mass * G * (b.position[0] - s.point[0]), 1e-6,
            "the weight at the mass centre");
    CN_TRUE(b.position[dim - 1] < 0.1 - 1e-4 && b.position[dim - 1] > 0.09);
    CN_NEAR(fmax(s.gap, s.gap_angle), 0.0, 1e-12, "place and mean rotation are held");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(fixed_joint_holds_the_mean_of_a_side)
{
    check_cantilever(2);
    check_cantilever(3);
}

// A motor at its limit: the torque turns the body with the angular acceleration of its inertia. The
// axis through the mass centre of a cross-section.
CN_TEST(motor_turns_a_set_with_its_torque)
{
    const double h = 1e-3, torque = 3.0, t = 0.1;
    const int cells[3] = {4, 1, 1};
    cn_material_def material = grid_elastic(1e9, 0.3, RHO);
    material.kinematics = CN_COROTATIONAL;
    grid *g = grid_make(3, CN_HEX8, cells, (double[]){0.0, -0.05, -0.05}, (double[]){0.4, 0.1, 0.1},
                        material);
    cn_world *w = make_world(3, 0.5);
    cn_body_id shaft = grid_body(w, g, 0.0, 0.0);
    cn_joint_def def = {.kind = CN_JOINT_HINGE,
                        .body = shaft,
                        .body_set = "x0",
                        .at = {NAN},
                        .axis = {1.0, 0.0, 0.0},
                        .motor_speed = 1e3,
                        .motor_limit = torque};
    cn_joint_id hinge = add_joint(w, def);
    CN_TRUE(scene_run(w, h, (int)(t / h + 0.5)) == 0);
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, shaft, &nodes, &test_error));
    double inertia = 0.0;
    for (int n = 0; n < nodes.node_count; n++) {
        inertia += nodes.mass[3 * n] * 2.0 * 0.05 * 0.05;
    }
    CN_NEAR(scene_state(w, shaft).angular_velocity[0], torque / inertia * t, 2e-3,
            "M t/I = 15 rad/s in the mean of the body; (w h)^2/8 of it");
    CN_NEAR(state_of(w, hinge).speed, torque / inertia * t, 0.1,
            "its end swings: 150 rad/s2 during the passage of a wave, 0.4 m at 620 m/s");
    CN_NEAR(state_of(w, hinge).motor / h, torque, 1e-9, "at its limit");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    grid_free(g);
}

// A tendon between the ends of one bar, too short by d: d = N (1/k + L/EA).
static void check_tendon(int cells)
{
    const double h = 0.02, k = 5e4, d = 0.01, area = 0.1, L = 1.0;
    grid *g = make_bar(2, cells, 0.0, 0.0, gum(40.0));
    cn_world *w = make_world(2, 1.0);
    CN_DO(cn_world_set_gravity(w, (double[3]){0.0, 0.0, 0.0}, &test_error));
    cn_body_id bar = grid_body(w, g, 0.0, 0.0);
    cn_joint_id tendon = add_joint(w, (cn_joint_def){.kind = CN_JOINT_CABLE,
                                                     .body = bar,
                                                     .other = bar,
                                                     .body_set = "y1",
                                                     .other_set = "y0",
                                                     .at = {NAN},
                                                     .to = {NAN},
                                                     .length = L - d,
                                                     .stiffness = k});
    CN_TRUE(scene_run(w, h, 400) == 0);
    double N = d / (1.0 / k + L / (YOUNG * area));
    CN_NEAR(-state_of(w, tendon).impulse[1] / h, N, 1e-8, "two springs in series");
    CN_NEAR(height_of(w, bar, "y1") - height_of(w, bar, "y0"), L - N * L / (YOUNG * area), 1e-12,
            "uniform pressure");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(tendon_presses_its_own_bar)
{
    check_tendon(8);
    check_tendon(20);
}

// Bars hanging from each other on a floor: contacts and joints on the same large bodies.
static cn_world *make_chain(int threads, grid *part[3])
{
    cn_world *w = make_world_on(threads, 2, 0.5);
    cn_body_id bar[3];
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        cn_material_def material = gum(2.0);
        material.kinematics = CN_COROTATIONAL;
        part[k] = make_bar(2, k == 1 ? 20 : 8, 0.4 * k, 0.01 * k, material);
        bar[k] = grid_body(w, part[k], 0.5, 0.0);
    }
    add_joint(w, (cn_joint_def){.kind = CN_JOINT_FIXED,
                                .body = bar[1],
                                .other = bar[0],
                                .body_set = "y1",
                                .other_set = "y1",
                                .at = {NAN}});
    add_joint(w, (cn_joint_def){.kind = CN_JOINT_ROD,
                                .body = bar[2],
                                .other = bar[1],
                                .at = {0.75, 0.5},
                                .to = {0.45, 0.4}});
    return w;
}

static void free_chain(cn_world *w, grid *part[3])
{
    cn_world_destroy(w);
    for (int k = 0; k < 3; k++) {
        grid_free(part[k]);
    }
}

// What a contact feels of a joint on the same body is what the joint feels of the contact.
CN_TEST(stored_rows_of_joints_and_contacts_are_symmetric)
{
    grid *part[3];
    cn_world *w = make_chain(1, part);
    scene_run(w, 2e-3, 60);
    cn_problem p;
    CN_DO(cn_world_problem(w, &p, NULL, &test_error));
    const cn_rows *W = &p.W.rows;
    int mixed = 0;
    CN_TRUE(W->row != NULL);
    for (int a = 0; a < p.contact_count; a++) {
        for (int n = W->row[a]; n < W->row[a + 1]; n++) {
            int b = W->col[n], m = W->row[b];
            while (m < W->row[b + 1] && W->col[m] != a) {
                m++;
            }
            CN_TRUE(m < W->row[b + 1]);
            int rows = p.row_start[a + 1] - p.row_start[a],
                cols = p.row_start[b + 1] - p.row_start[b];
            const double *own = W->block + W->block_start[n], *other = W->block + W->block_start[m];
            mixed += rows == 3 && cols == 2;
            double size = 0.0; // far away a step is hardly felt: 1e-13 of what is felt here
            for (int k = 0; k < rows * cols; k++) {
                size = fmax(size, fabs(own[k]));
            }
            for (int k = 0; k < rows * cols; k++) {
                double entry = other[rows * (k % cols) + k / cols];
                CN_NEAR(own[k], entry, 1e-6 * size, "one is the other, or solved likewise");
            }
        }
    }
    CN_TRUE(mixed > 0); // the fixed joint and contacts of its bar
    free_chain(w, part);
}

CN_TEST(threads_and_restart_keep_every_bit)
{
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; threads++) {
        grid *part[3], *other[3];
        cn_world *w = make_chain(threads, part), *again = make_chain(1, other);
        scene_run(w, 2e-3, 60);
        CN_TRUE(cn_world_view(w).contact_count > 0);
        CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
        const cn_state_part *state;
        int count;
        CN_DO(cn_world_state(w, &state, &count, &test_error));
        CN_DO(cn_world_restore(again, state, count, &test_error));
        scene_run(w, 2e-3, 20);
        scene_run(again, 2e-3, 20);
        CN_TRUE(cn_world_state_hash(w) == cn_world_state_hash(again));
        CN_TRUE(threads == 1 || cn_world_state_hash(w) == hash);
        hash = cn_world_state_hash(w);
        free_chain(w, part);
        free_chain(again, other);
    }
}

// A bar that swings about a pin beside its top: mounted on the whole side, which turns the arm, or
// at a point of it, without a frame.
static cn_world *make_swing(bool is_on_side, grid **g)
{
    cn_world *w = make_world(2, 0.5);
    *g = make_bar(2, 8, 0.0, 0.0, gum(0.0));
    cn_joint_def def = {.kind = CN_JOINT_BALL, .body = grid_body(w, *g, 0.0, 0.0), .at = {0, 1}};
    if (is_on_side) {
        def.body_set = "y1";
        def.at[0] = 0.3;
    }
    add_joint(w, def);
    return w;
}

// Joints are part of the state, how they are fastened to meshes included: a world whose bar hangs
// by a point goes on with that of the other, bit for bit.
CN_TEST(a_state_brings_the_mounts_of_its_joints)
{
    for (int from = 0; from < 2; from++) {
        grid *part[2];
        cn_world *w = make_swing(from == 0, &part[0]), *other = make_swing(from == 1, &part[1]);
        const cn_state_part *state;
        int count;
        scene_run(w, 2e-3, 20);
        CN_DO(cn_world_state(w, &state, &count, &test_error));
        CN_DO(cn_world_restore(other, state, count, &test_error));
        scene_run(w, 2e-3, 20);
        scene_run(other, 2e-3, 20);
        CN_TRUE(cn_world_state_hash(w) == cn_world_state_hash(other));
        for (int k = 0; k < 2; k++) {
            cn_world_destroy(k == 0 ? w : other);
            grid_free(part[k]);
        }
    }
}

// A body is removed: its joint goes with it, and that of the others finds its meshes again.
CN_TEST(joints_outlive_other_bodies)
{
    grid *part[3];
    cn_world *w = make_chain(1, part);
    scene_run(w, 2e-3, 5);
    CN_DO(cn_body_remove(w, cn_world_view(w).id[1], &test_error)); // the first bar
    CN_TRUE(cn_world_view(w).joint_count == 1);
    scene_run(w, 2e-3, 30);
    cn_joint_state s = cn_world_view(w).joint[0];
    CN_NEAR(s.gap, 0.0, 1e-12, "the rod still holds");
    CN_NEAR(s.position, hypot(0.3, 0.1), 1e-5, "at its length; v^2 h^2/8L at the ends of steps");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    free_chain(w, part);
}

CN_TEST(what_has_no_frame_or_no_point_is_told)
{
    grid *g = make_bar(2, 8, 0.0, 0.0, gum(0.0)), *solid = make_bar(3, 6, 0.0, 0.0, gum(0.0));
    cn_world *w = make_world(2, 0.5), *space = make_world(3, 0.5);
    cn_body_id bar = grid_body(w, g, 0.0, 0.0), post = grid_body(space, solid, 0.0, 0.0);
    cn_joint_def def = {.kind = CN_JOINT_BALL, .body = bar, .at = {0.5, 0.5}};
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "0.45 m away");
    def.body_set = "nose";
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "no set 'nose'");
    def.body_set = NULL;
    def.at[0] = 0.0;
    def.kind = CN_JOINT_HINGE;
    CN_FAILS(cn_joint_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "same pin");
    def.kind = CN_JOINT_FIXED;
    def.body = post;
    def.at[1] = 0.0;
    CN_FAILS(cn_joint_add(space, &def, NULL, &test_error), CN_BAD_INPUT, "spans a face");
    def.kind = CN_JOINT_ROD;
    def.other = post;
    CN_FAILS(cn_joint_add(space, &def, NULL, &test_error), CN_BAD_INPUT, "both ends");
    def.kind = CN_JOINT_BALL;
    CN_FAILS(cn_joint_add(space, &def, NULL, &test_error), CN_BAD_INPUT, "to itself");
    cn_world_destroy(w);
    cn_world_destroy(space);
    grid_free(g);
    grid_free(solid);
}

CN_MAIN(CN_RUN(hung_bar_carries_its_weight);
        CN_RUN(stiff_elastic_pendulum_swings_like_the_rigid_one);
        CN_RUN(rod_and_cable_between_bars_carry_the_lower_one);
        CN_RUN(cable_is_slack_until_it_is_taut); CN_RUN(fixed_joint_holds_the_mean_of_a_side);
        CN_RUN(motor_turns_a_set_with_its_torque); CN_RUN(tendon_presses_its_own_bar);
        CN_RUN(stored_rows_of_joints_and_contacts_are_symmetric);
        CN_RUN(threads_and_restart_keep_every_bit); CN_RUN(a_state_brings_the_mounts_of_its_joints);
        CN_RUN(joints_outlive_other_bodies); CN_RUN(what_has_no_frame_or_no_point_is_told);)
