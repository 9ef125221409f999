// Points and frames of meshes: found in every element, and their rates are what differences say
// (theory 11.21 to 11.23).
#include "test.h"

#include "body/deformable/joint_frame.h"
#include "cairn/vec.h"
#include "fem_meshes.h"
#include "grids.h"

// Pseudo-random numbers in (0, 1), the same everywhere.
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

CN_TEST(every_element_finds_its_points)
{
    uint64_t state = 7;
    cn_material_def m = grid_elastic(1.0, 0.3, 1.0);
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        test_mesh mesh = make_block(type, (int[3]){2, 2, 2}, (double[3]){1.0, 1.0, 1.0}, 0.1, &m);
        cn_fem *fem = NULL;
        CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
        for (int n = 0; n < 50; n++) {
            double at[3], N[CN_ELEMENT_NODES_MAX], distance, found[3] = {0.0};
            for (int k = 0; k < 3; k++) {
                at[k] = draw(&state);
            }
            int e = cn_fem_locate(fem, fem->X, at, N, &distance);
            CN_TRUE(e >= 0);
            for (int a = fem->element_start[e]; a < fem->element_start[e + 1]; a++) {
                for (int k = 0; k < fem->dim; k++) {
                    found[k] +=
                        N[a - fem->element_start[e]] * fem->X[fem->dim * fem->element_node[a] + k];
                }
            }
            CN_NEAR(distance, 0.0, 1e-12, "the block is full");
            for (int k = 0; k < fem->dim; k++) {
                CN_NEAR(found[k], at[k], 1e-12, "shape functions give the point");
            }
        }
        double N[CN_ELEMENT_NODES_MAX], distance;
        cn_fem_locate(fem, fem->X, (double[3]){1.25, 0.5, 0.5}, N, &distance);
        CN_NEAR(distance, 0.25, 1e-12, "outside of the face x = 1");
        cn_fem_destroy(fem);
        free_mesh(&mesh);
    }
}

// A block of a world whose nodes are turned, strained and moved at random.
typedef struct shaken {
    cn_deformables meshes;
    grid *g;
    cn_mount mount;
} shaken;

static void shake(shaken *s, int dim, const char *set, uint64_t *state)
{
    cn_deformable_start start = {.R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    cn_mat3 R = dim == 2 ? (cn_mat3){{{-0.6, -0.8, 0}, {0.8, -0.6, 0}, {0, 0, 1}}}
                         : cn_quat_matrix(cn_quat_unit((cn_quat){0.1, 0.7, -0.5, 0.4}));
    s->g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[3]){2, 2, 2},
                     (double[3]){3.0, 1.0, -2.0}, (double[3]){1.0, 0.7, 0.5},
                     grid_elastic(1e6, 0.3, 1.0));
    cn_deformables_init(&s->meshes, dim, NULL);
    CN_DO(cn_deformables_add(&s->meshes, &s->g->def, &start, 0, &test_error));
    s->mount = CN_MOUNT_NONE;
    CN_DO(cn_mount_set(NULL, &s->meshes, 0, set, &s->mount, &test_error));
    for (int n = 0; n < s->g->def.node_count; n++) {
        double *x = s->meshes.x + dim * n, *v = s->meshes.v + dim * n, shift[3] = {0.0};
        for (int k = 0; k < dim; k++) {
            shift[k] = x[k] + 0.1 * draw(state);
            v[k] = draw(state) - 0.5;
        }
        cn_vec3 turned = cn_mat3_mul(&R, cn_v3(shift[0], shift[1], shift[2]));
        memcpy(x, &turned, sizeof(double) * (size_t)dim);
    }
}

static void free_shaken(shaken *s)
{
    cn_mount_free(NULL, &s->mount);
    cn_deformables_free(&s->meshes);
    grid_free(s->g);
}

// dR/dt = omega x R, by differences; and the same omega whatever the strain of the set.
static void check_rate(int dim, const char *set)
{
    const double dt = 1e-6;
    uint64_t state = 3;
    shaken s;
    shake(&s, dim, set, &state);
    const cn_deformables *m = &s.meshes;
    cn_mount_turn now = cn_mount_turn_of(m, &s.mount, (cn_mount_at){m->x, 0.0});
    cn_mount_turn past = cn_mount_turn_of(m, &s.mount, (cn_mount_at){m->x, -dt});
    cn_mount_turn next = cn_mount_turn_of(m, &s.mount, (cn_mount_at){m->x, dt});
    cn_vec3 velocity, rate;
    cn_mount_velocity(m, &s.mount, &now, m->v, &velocity, &rate);
    CN_TRUE(s.mount.has_frame && cn_norm3(rate) > 0.1);
    for (int i = 0; i < 3; i++) {
        cn_vec3 column = cn_v3((&now.R.row[0].x)[i], (&now.R.row[1].x)[i], (&now.R.row[2].x)[i]);
        cn_vec3 turning = cn_cross3(rate, column);
        for (int k = 0; k < 3; k++) {
            double change = ((&next.R.row[k].x)[i] - (&past.R.row[k].x)[i]) / (2.0 * dt);
            CN_NEAR((&turning.x)[k], change, 1e-8, "central differences: dt^2 and rounding/dt");
        }
    }
    free_shaken(&s);
}

CN_TEST(rate_is_that_of_the_frame)
{
    check_rate(2, "x0");
    check_rate(3, "x0"); // a face: the moment tensor has a null vector
    check_rate(3, "z1");
}

// Forces on nodes do the work of force and moment on the mount, and have their sum.
CN_TEST(shares_do_the_same_work)
{
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t state = 5;
        shaken s;
        shake(&s, dim, "y1", &state);
        const cn_deformables *m = &s.meshes;
        const cn_vec3 force = {0.3, -0.2, dim == 3 ? 0.7 : 0.0};
        const cn_vec3 moment = {dim == 3 ? 0.4 : 0.0, dim == 3 ? -0.9 : 0.0, 0.5};
        cn_mount_turn turn = cn_mount_turn_of(m, &s.mount, (cn_mount_at){m->x, 0.0});
        cn_vec3 velocity, rate, sum = {0.0, 0.0, 0.0};
        cn_mount_velocity(m, &s.mount, &turn, m->v, &velocity, &rate);
        double power = 0.0;
        for (int n = 0; n < s.mount.count; n++) {
            cn_vec3 share = cn_mount_share(&s.mount, &turn, n, force, moment);
            power += cn_dot3(share, cn_deformable_at(m, 0, s.mount.node[n], m->v));
            sum = cn_add3(sum, share);
        }
        CN_NEAR(power, cn_dot3(force, velocity) + cn_dot3(moment, rate), 1e-13, "rounding");
        CN_NEAR(cn_norm3(cn_sub3(sum, force)), 0.0, 1e-13, "moments have no resultant");
        free_shaken(&s);
    }
}

// A block that turns as a rigid one about an axis away from it: place, rotation, velocities and how
// far those of the nodes are from one of them.
CN_TEST(means_of_a_rigid_motion_are_that_motion)
{
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t state = 11;
        shaken s;
        shake(&s, dim, "x0", &state);
        cn_deformables *m = &s.meshes;
        cn_mat3 R = dim == 2 ? (cn_mat3){{{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}}}
                             : cn_quat_matrix(cn_quat_unit((cn_quat){0.3, 0.1, -0.5, 0.4}));
        const cn_vec3 omega = {dim == 3 ? 0.4 : 0.0, dim == 3 ? -0.9 : 0.0, 0.5};
        const cn_vec3 from = {0.2, -0.3, dim == 3 ? 0.1 : 0.0}, drift = {2.0, 0.0, 0.0};
        double farthest = 0.0;
        for (int n = 0; n < s.g->def.node_count; n++) {
            const double *X = s.g->node + dim * n;
            cn_vec3 x = cn_mat3_mul(&R, cn_v3(X[0], X[1], dim == 3 ? X[2] : 0.0));
            cn_vec3 v = cn_add3(drift, cn_cross3(omega, cn_sub3(x, from)));
            memcpy(m->x + dim * n, &x, sizeof(double) * (size_t)dim);
            memcpy(m->v + dim * n, &v, sizeof(double) * (size_t)dim);
            memcpy(m->v_free + dim * n, &v, sizeof(double) * (size_t)dim);
            farthest = fmax(farthest, cn_norm3(cn_sub3(v, drift)));
        }
        cn_deformable_mean mean = cn_deformable_mean_of(m, 0);
        cn_vec3 centre = cn_mat3_mul(&R, cn_v3(3.5, 1.35, dim == 3 ? -1.75 : 0.0));
        cn_vec3 v = cn_add3(drift, cn_cross3(omega, cn_sub3(centre, from)));
        CN_NEAR(cn_norm3(cn_sub3(mean.x, centre)), 0.0, 1e-14, "the middle of the block, turned");
        CN_NEAR(cn_norm3(cn_sub3(mean.v, v)), 0.0, 1e-14, "that of the middle");
        CN_NEAR(cn_norm3(cn_sub3(mean.rate, omega)), 0.0, 1e-13, "rounding over the inertia");
        for (int k = 0; k < 9; k++) {
            double entry = (&mean.R.row[k / 3].x)[k % 3];
            CN_NEAR(entry, (&R.row[k / 3].x)[k % 3], 1e-14, "the same turn");
        }
        CN_NEAR(cn_deformable_spread(m, 0, drift), farthest, 1e-15, "the farthest node");
        memset(m->v, 0, sizeof(double) * (size_t)(dim * s.g->def.node_count));
        m->v_free[dim] += 7.0; // node 1, as it moves freely
        cn_vec3 free = cn_deformable_at(m, 0, 1, m->v_free);
        CN_NEAR(cn_deformable_spread(m, 0, cn_v3(0, 0, 0)), cn_norm3(free), 1e-15,
                "free motion counts");
        memset(m->v_free, 0, sizeof(double) * (size_t)(dim * s.g->def.node_count));
        CN_NEAR(cn_deformable_spread(m, 0, cn_v3(0, 0, 0)), 0.0, 0.0, "nothing moves");
        free_shaken(&s);
    }
}

// A mount at a node has no share in its neighbours: what it can do is up to that node alone.
CN_TEST(mounts_at_held_nodes_cannot_move)
{
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t state = 13;
        shaken s;
        shake(&s, dim, "x0", &state);
        cn_deformables *m = &s.meshes;
        for (int n = 0; n < s.g->def.node_count; n++) {
            cn_mount at = CN_MOUNT_NONE;
            CN_DO(cn_mount_point(NULL, m, 0, cn_deformable_at(m, 0, n, m->x), &at, &test_error));
            CN_TRUE(cn_mount_can_move(m, &at));
            for (int k = 0; k < at.count; k++) {
                at.weight[k] = at.node[k] == n ? 1.0 : 0.0; // rounding apart
            }
            for (int d = 0; d < dim; d++) {
                CN_TRUE(cn_mount_can_move(m, &at));
                m->held[dim * n + d] = 1;
            }
            CN_TRUE(!cn_mount_can_move(m, &at));
            memset(m->held, 1, (size_t)(dim * s.g->def.node_count));
            m->held[dim * n + dim - 1] = 0;
            CN_TRUE(cn_mount_can_move(m, &at));
            memset(m->held, 0, (size_t)(dim * s.g->def.node_count));
            cn_mount_free(NULL, &at);
        }
        free_shaken(&s);
    }
}

CN_MAIN(CN_RUN(means_of_a_rigid_motion_are_that_motion); CN_RUN(mounts_at_held_nodes_cannot_move);
        CN_RUN(every_element_finds_its_points); CN_RUN(rate_is_that_of_the_frame);
        CN_RUN(shares_do_the_same_work);)
