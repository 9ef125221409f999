// Joints by themselves: what a checkpoint holds of them, who is left when a body leaves, springs
// and stops of one step on paper, and how a step that opens them is judged.
#include "test.h"

#include "counted.h"
#include "grids.h"
#include "scenes.h"
#include "world/world.h"

static cn_world *world_of(int dim, double theta, const cn_hooks *hooks)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.theta = theta;
    def.hooks = hooks;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

static cn_body_id ball_at(cn_world *w, double x)
{
    return w->bodies.dim == 2 ? scene_disk(w, x, 0.0, 0.1, 0) : scene_sphere(w, x, 0.0, 0.0, 0.1);
}

static cn_joint_id join(cn_world *w, cn_joint_def def)
{
    cn_joint_id id = 0;
    CN_DO(cn_joint_add(w, &def, &id, &test_error));
    return id;
}

// A checkpoint gives back every number of a joint, whatever they are.
CN_TEST(joints_are_restored_to_the_bit)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = world_of(dim, 0.5, NULL);
        cn_body_id a = ball_at(w, 0.0), b = ball_at(w, 1.0);
        join(w, (cn_joint_def){.kind = CN_JOINT_ROD, .body = a, .other = b, .to = {1.0}});
        join(w, (cn_joint_def){.kind = CN_JOINT_HINGE,
                               .body = a,
                               .other = b,
                               .axis = {0.0, 0.0, 1.0},
                               .motor_limit = 2.0});
        double real[2][CN_JOINT_REALS], again[CN_JOINT_REALS];
        for (int n = 0; n < 2; n++) {
            for (int k = 0; k < CN_JOINT_REALS; k++) {
                real[n][k] = 100.0 * n + k + 0.5;
            }
            cn_joint_restore(&w->joints, &w->bodies, n, n == 1, real[n]);
        }
        for (int n = 0; n < 2; n++) {
            cn_joint_gather(&w->joints, n, again);
            CN_TRUE(memcmp(real[n], again, sizeof again) == 0);
            CN_TRUE(w->joints.link[n].is_broken == (n == 1));
            CN_TRUE(w->joints.step[n].constraint == -1);
        }
        const cn_link *link = &w->joints.link[0]; // in the order that files have
        CN_TRUE(link->anchor_i.x == 0.5 && link->anchor_j.z == 5.5 &&
                link->frame_i.row[1].y == 10.5);
        CN_TRUE(link->frame_j.row[2].z == 23.5 && link->length == 24.5 && link->arm == 27.5);
        CN_TRUE(link->motor_speed == 25.5 && link->motor_limit == 26.5 && link->r[0] == 28.5);
        cn_world_destroy(w);
    }
}

// Meshes in a row, each a unit square or cube, and a ball between them.
static grid *unit_grid(int dim)
{
    return grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){2, 1, 1}, (double[]){0, 0, 0},
                     (double[]){1, 1, 1}, grid_elastic(1e6, 0.3, 1.0));
}

static cn_body_id mesh_at(cn_world *w, const grid *g, double x)
{
    cn_body_def def = cn_body_def_default();
    cn_body_id id = 0;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.at[0] = x;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// The same for what fastens joints to meshes; other meshes, and files that end early, are refused.
CN_TEST(mounts_are_restored_to_the_bit)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = world_of(dim, 0.5, NULL);
        grid *g = unit_grid(dim);
        cn_body_id ball = ball_at(w, -2.0), first = mesh_at(w, g, 0.0), second = mesh_at(w, g, 5.0);
        join(w, (cn_joint_def){.kind = CN_JOINT_ROD, .body = ball, .other = first, .at = {-2.0}});
        join(w, (cn_joint_def){.kind = CN_JOINT_FIXED,
                               .body = second,
                               .body_set = "x0",
                               .other = ball,
                               .at = {NAN}});
        cn_joints *joints = &w->joints;
        size_t count = cn_joint_mount_reals(joints);
        double real[200], again[200];
        CN_TRUE(count > 0 && count < 200);
        cn_joint_gather_mounts(joints, real);
        int held = (int)real[0]; // nodes of the first mount
        CN_TRUE(real[1] == 0.0 && real[2 + 5 * held + 1] == 1.0);
        CN_TRUE(count == (size_t)(4 + 5 * held + 5 * (dim == 2 ? 2 : 4)));
        const cn_mount *mount = &joints->link[1].mount[0];
        for (int n = 0; n < mount->count; n++) {
            const double *own = real + 2 + 5 * held + 2 + 5 * n;
            CN_TRUE(own[0] == mount->node[n] && own[1] == mount->weight[n]);
            CN_TRUE(own[2] == mount->lever[n].x && own[4] == mount->lever[n].z);
        }
        for (int s = 0; s < 2; s++) { // lose it all
            cn_mount *lost = &joints->link[s].mount[1 - s];
            memset(lost->node, 0, sizeof *lost->node * (size_t)lost->count);
            memset(lost->weight, 0, sizeof *lost->weight * (size_t)lost->count);
            memset(lost->lever, 0, sizeof *lost->lever * (size_t)lost->count);
            lost->has_frame = !lost->has_frame;
            lost->count = 1;
        }
        CN_DO(cn_joint_check_mounts(joints, &w->bodies, real, count, &test_error));
        cn_joint_restore_mounts(joints, real);
        CN_TRUE(cn_joint_mount_reals(joints) == count);
        cn_joint_gather_mounts(joints, again);
        CN_TRUE(memcmp(real, again, sizeof *real * count) == 0);
        // What a damaged file may say.
        const char *other = "another mesh";
        for (size_t left = 0; left < count; left++) {
            CN_FAILS(cn_joint_check_mounts(joints, &w->bodies, real, left, &test_error),
                     CN_BAD_INPUT, other);
        }
        CN_FAILS(cn_joint_check_mounts(joints, &w->bodies, real, count + 1, &test_error),
                 CN_BAD_INPUT, "more joints on meshes");
        const struct {
            int at;
            double value;
        } wrong[] = {{0, 0.0}, {0, g->def.node_count + 1.0}, {2, -1.0}, {2, g->def.node_count}};
        for (int k = 0; k < 4; k++) {
            double before = real[wrong[k].at];
            real[wrong[k].at] = wrong[k].value;
            CN_FAILS(cn_joint_check_mounts(joints, &w->bodies, real, count, &test_error),
                     CN_BAD_INPUT, other);
            real[wrong[k].at] = before;
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

// Six bodies in a row, rigid and meshes by turns, each joined to the next: when one leaves, its two
// joints go with it, the others hold the same bodies as before, and no memory is lost.
CN_TEST(joints_leave_with_their_body)
{
    for (int left = 0; left < 6; left++) {
        counted bytes = {0};
        cn_hooks hooks = counted_hooks(&bytes);
        cn_world *w = world_of(2, 0.5, &hooks);
        grid *g = unit_grid(2);
        cn_body_id body[6];
        for (int k = 0; k < 6; k++) {
            body[k] = k % 2 == 0 ? ball_at(w, 3.0 * k) : mesh_at(w, g, 3.0 * k);
        }
        cn_joint_id joint[5];
        for (int k = 0; k < 5; k++) {
            joint[k] = join(w, (cn_joint_def){.kind = CN_JOINT_CABLE,
                                              .body = body[k],
                                              .other = body[k + 1],
                                              .at = {3.0 * k},
                                              .to = {3.0 * (k + 1)},
                                              .length = 4.0});
        }
        CN_TRUE(scene_run(w, 1e-3, 1) == 0);
        cn_joint_state before[5], after;
        for (int k = 0; k < 5; k++) {
            CN_DO(cn_joint_get(w, joint[k], &before[k], &test_error));
        }
        CN_DO(cn_body_remove(w, body[left], &test_error));
        for (int k = 0; k < 5; k++) {
            if (k == left || k + 1 == left) {
                CN_FAILS(cn_joint_get(w, joint[k], &after, &test_error), CN_BAD_INPUT, "joint");
                continue;
            }
            int n = cn_joints_find(&w->joints, joint[k]);
            const cn_link *link = &w->joints.link[n];
            CN_DO(cn_joint_get(w, joint[k], &after, &test_error));
            CN_TRUE(w->bodies.id[after.i] == body[k] && w->bodies.id[after.j] == body[k + 1]);
            for (int side = 0; side < 2; side++) {
                int slot = side == 0 ? after.i : after.j;
                CN_TRUE(link->mount[side].mesh == w->bodies.deformable[slot]);
            }
            CN_TRUE(w->joints.step[n].constraint == -1);
            CN_NEAR(after.position, before[k].position, 0.0, "nothing has moved");
        }
        CN_TRUE(w->joints.count == (left == 0 || left == 5 ? 4 : 3));
        CN_TRUE(scene_run(w, 1e-3, 1) == 0);
        cn_world_destroy(w);
        CN_TRUE(bytes.held == 0);
        grid_free(g);
    }
}

// Spring and dashpot of one step with any theta: r = -h (k g_theta + eta u_theta), as (7.5) says,
// found in a single solve since the ball moves along the rod.
CN_TEST(elastic_rods_push_with_their_mean_gap)
{
    const double h = 0.05, t = 0.8, k = 40.0, eta = 3.0, v = 0.7, stretch = 0.02;
    cn_world *w = world_of(2, t, NULL);
    cn_body_id ball = ball_at(w, 1.0);
    scene_set_velocity(w, ball, v, 0.0, 0.0);
    cn_joint_id rod = join(w, (cn_joint_def){.kind = CN_JOINT_ROD,
                                             .body = ball,
                                             .at = {1.0},
                                             .length = 1.0 - stretch,
                                             .stiffness = k,
                                             .damping = eta});
    double m = scene_state(w, ball).mass;
    // m (u - v) = -h [k (g + t h ((1-t) v + t u)) + eta ((1-t) v + t u)]
    double b = h * (k * (stretch + t * h * (1 - t) * v) + eta * (1 - t) * v);
    double u = (m * v - b) / (m + h * (k * t * t * h + eta * t));
    CN_TRUE(scene_run(w, h, 1) == 0);
    const char *why = "solver tolerance 1e-12 of 1 m/s";
    CN_NEAR(scene_state(w, ball).velocity[0], u, 1e-11, why);
    cn_joint_state s;
    CN_DO(cn_joint_get(w, rod, &s, &test_error));
    CN_NEAR(s.impulse[0], m * (u - v), 1e-11, why);
    CN_NEAR(s.position, 1.0 + h * ((1 - t) * v + t * u), 1e-12, why);
    CN_NEAR(s.speed, u, 1e-11, "the rate of the distance");
    CN_NEAR(fabs(s.stop) + fabs(s.motor), 0.0, 0.0, "it has neither");
    CN_TRUE(w->joints.solve_count == 1);
    double end = s.position - 1.0 + stretch, mean = (1 - t) * v + t * u;
    const double *row = cn_world_view(w).ledger->total;
    CN_NEAR(row[CN_ENERGY_VISCOUS], h * eta * mean * mean, 1e-11, why);
    CN_NEAR(row[CN_ENERGY_STORAGE], 0.5 * k * (end * end - stretch * stretch), 1e-11, why);
    cn_world_destroy(w);
}

// A body that is pushed against the low or the high stop of its joint with F, or M: at rest the
// stop gives F h, positive at the low end.
CN_TEST(stops_hold_what_is_pushed_against_them)
{
    const double h = 1e-2, F = 3.0;
    for (int n = 0; n < 4; n++) {
        bool is_hinge = n >= 2;
        double sign = n % 2 == 0 ? 1.0 : -1.0;
        cn_world *w = world_of(2, 0.5, NULL);
        cn_body_id box = scene_box(w, 0.0, 0.0, 0.5, 0.25, 0.0, 0);
        cn_joint_def def = {.kind = is_hinge ? CN_JOINT_HINGE : CN_JOINT_SLIDER,
                            .body = box,
                            .axis = {1.0},
                            .limit = {-0.001, 0.002}};
        cn_joint_id joint = join(w, def);
        cn_force_def push = {
            .body = box, .is_torque = is_hinge, .direction = {-sign}, .f = cn_constant(F)};
        push.f = cn_constant(is_hinge ? -sign * F : F);
        CN_DO(cn_force_add(w, &push, &test_error));
        CN_TRUE(scene_run(w, h, 60) == 0);
        cn_joint_state s;
        CN_DO(cn_joint_get(w, joint, &s, &test_error));
        CN_NEAR(s.stop, sign * F * h, 1e-9, "balance; solver tolerance");
        CN_NEAR(s.position, n % 2 == 0 ? -0.001 : 0.002, 1e-9, "at the stop");
        CN_NEAR(s.motor, 0.0, 0.0, "there is none");
        CN_NEAR(s.speed, 0.0, 1e-9, "at rest");
        cn_world_destroy(w);
    }
}

// Opens all point rows of a joint by (3, -4) times `size` and its spin rows by `angle`.
static void open_joint(const cn_link *link, double size, double angle, double *gap)
{
    double next = 3.0 * size;
    for (int k = 0; k < link->rows; k++) {
        gap[k] = link->row[k].is_spin ? angle * link->arm : next;
        next = link->row[k].is_spin ? next : -4.0 * size;
    }
}

// The worst joint as the certificate tells: its gap as a length, rotations times its arm, or the
// change that it still asks for if that is more.
CN_TEST(open_joints_are_judged_by_their_gap)
{
    cn_world *w = world_of(2, 0.75, NULL);
    cn_body_id a = scene_box(w, 0.0, 0.0, 0.3, 0.4, 0.0, 0), b = ball_at(w, 2.0);
    join(w, (cn_joint_def){.kind = CN_JOINT_BALL, .body = b, .at = {2.0}});
    join(w, (cn_joint_def){.kind = CN_JOINT_FIXED, .body = a});
    CN_TRUE(scene_run(w, 0.1, 1) == 0);
    cn_joints *joints = &w->joints;
    const cn_link *link = &joints->link[1];
    double *gap = joints->step[1].gap, arm = link->arm, way = (0.75 + 0.25) * 0.1;
    CN_NEAR(arm, 0.25, 1e-15, "half the diagonal of the box");
    joints->worst = 1;
    joints->excess = 2.0;
    open_joint(link, 0.003, 0.06, gap);
    cn_solver_report report = {.is_converged = true};
    cn_joint_judge(joints, 1e-3, 0.5, &report);
    CN_NEAR(report.value, 0.015, 1e-16, "0.003 x 5 m, as 0.06 rad x 0.25 m");
    CN_NEAR(report.asked, 0.5 * way, 1e-16, "velocity times the way of a step");
    CN_TRUE(!report.is_converged && report.criterion == CN_CRITERION_JOINT);
    CN_TRUE(report.at == joints->step[1].constraint && report.at == 1);
    cn_joint_judge(joints, 1.0, 0.5, &report);
    CN_NEAR(report.value, 2.0 * 1.0 * way, 1e-16, "what is asked for still");
    // Torn: more than a hundredth of its size 0.25 m (anchors at the centre), or of a radian.
    CN_FAILS(cn_joint_check(joints, &test_error), CN_BROKEN,
             "joint 2, a fixed, is torn open by 0.015 m");
    open_joint(link, 0.00049, 0.0099, gap);
    CN_DO(cn_joint_check(joints, &test_error)); // 0.00245 m and 0.0099 rad
    open_joint(link, 0.0, 0.0101, gap);
    CN_FAILS(cn_joint_check(joints, &test_error), CN_BROKEN, "0.0101 rad");
    open_joint(link, 0.00051, 0.0, gap);
    CN_FAILS(cn_joint_check(joints, &test_error), CN_BROKEN, "0.00255 m");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(joints_are_restored_to_the_bit); CN_RUN(mounts_are_restored_to_the_bit);
        CN_RUN(joints_leave_with_their_body); CN_RUN(elastic_rods_push_with_their_mean_gap);
        CN_RUN(stops_hold_what_is_pushed_against_them);
        CN_RUN(open_joints_are_judged_by_their_gap);)
