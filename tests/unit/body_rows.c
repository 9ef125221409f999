// tests/unit/body_rows.c -- rows of H for impulses and for angular impulses, theory 4.2 and 4.18.
#include "body/bodies.h"
#include "test.h"

static const double tight = 1e-14;

// Unit angular impulses about two axes measure the angular velocity about them.
CN_TEST(spin_rows_measure_the_angular_velocity)
{
    const cn_vec3 axis[2] = {{0.6, 0.0, 0.8}, {0.0, 1.0, 0.0}};
    const double v[6] = {3.0, -2.0, 5.0, 0.3, 0.7, -1.1};
    double H[12];
    cn_rigid3.spin_rows(2, axis, H);
    for (int k = 0; k < 2; k++) {
        double u = 0.0;
        for (int d = 0; d < 6; d++) {
            u += H[6 * k + d] * v[d];
        }
        CN_NEAR(u, cn_dot3(axis[k], cn_v3(v[3], v[4], v[5])), tight, "rounding");
    }
    const cn_vec3 up = {0.0, 0.0, 1.0};
    cn_rigid2.spin_rows(1, &up, H);
    CN_NEAR(H[0] * v[0] + H[1] * v[1] + H[2] * v[2], v[2], tight, "rounding");
}

// A push and a turn at once change momentum and angular momentum by what they are, whatever the
// orientation of the body.
CN_TEST(any_number_of_rows_reaches_the_momentum)
{
    double corner[24];
    cn_box_corners(0.1, 0.2, 0.3, corner);
    const cn_solid_def box = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_body_def def = cn_body_def_default();
    def.solid = &box;
    def.solid_count = 1;
    cn_bodies b;
    cn_bodies_init(&b, 3, NULL, NULL);
    CN_DO(cn_bodies_add(&b, &def, &test_error));
    const double turned[4] = {0.5, 0.5, 0.1, 0.7};
    for (int k = 0; k < 4; k++) {
        b.q[3 + k] = turned[k];
    }
    b.kind->free_motion(&b, 1e-3, 0.5, 0.5);
    cn_axes frame = {.point = {b.q[0] + 0.05, b.q[1] - 0.02, b.q[2] + 0.01},
                     .axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    double H[36], G[36], v[6] = {0.0}, p[6];
    b.kind->rows(b.q, &frame, H);
    b.kind->spin_rows(3, frame.axis, H + 18);
    b.kind->scale(b.root, 6, H, 1.0, G);
    const double r[6] = {0.3, -0.2, 0.5, 0.01, 0.02, -0.03};
    b.kind->apply(b.root, 6, G, r, v);
    b.kind->momentum(&b, 0, b.q_mid, v, p);
    cn_vec3 turn = cn_cross3(cn_v3(0.05, -0.02, 0.01), cn_v3(r[0], r[1], r[2]));
    const double exact[6] = {r[0], r[1], r[2], turn.x + r[3], turn.y + r[4], turn.z + r[5]};
    for (int d = 0; d < 6; d++) {
        CN_NEAR(p[d], exact[d], tight, "A^-1 H r times A is H r");
    }
    cn_bodies_free(&b);
}

CN_MAIN(CN_RUN(spin_rows_measure_the_angular_velocity);
        CN_RUN(any_number_of_rows_reaches_the_momentum);)
