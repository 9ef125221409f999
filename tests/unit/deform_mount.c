// Points and frames of meshes: found in every element, and their rates are what differences say
// (theory 11.31 to 11.33).
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

CN_MAIN(CN_RUN(every_element_finds_its_points); CN_RUN(rate_is_that_of_the_frame);
        CN_RUN(shares_do_the_same_work);)
