// tests/unit/body_rows.c -- rows of H for impulses and for angular impulses, theory 4.2 and 4.3.
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
    def.type = CN_BODY_SOLIDS;
    def.solids = (cn_solid_parts){1, &box};
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

// Impulses about the axes that are free change the angular momentum about these by what they are;
// about held axes nothing turns, whatever is pushed.
CN_TEST(held_axes_do_not_turn)
{
    double corner[24];
    cn_box_corners(0.1, 0.2, 0.3, corner);
    const cn_solid_def box = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    const cn_dof turns[3] = {CN_DOF_RX, CN_DOF_RY, CN_DOF_RZ};
    const double r[3] = {0.01, 0.02, -0.03}, turned[4] = {0.5, 0.5, 0.1, 0.7};
    const cn_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int free = 0; free < 8; free++) { // a bit for each axis
        cn_body_def def = cn_body_def_default();
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){1, &box};
        cn_bodies b;
        cn_bodies_init(&b, 3, NULL, NULL);
        CN_DO(cn_bodies_add(&b, &def, &test_error));
        memcpy(b.q + 3, turned, sizeof turned);
        for (int d = 0; d < 3; d++) {
            b.held[0] |= free >> d & 1 ? 0u : 1u << turns[d];
        }
        b.kind->free_motion(&b, 1e-3, 0.5, 0.5);
        double H[18], G[18], v[6] = {0.0}, p[6];
        b.kind->spin_rows(3, axis, H);
        b.kind->scale(b.root, 3, H, 1.0, G);
        b.kind->apply(b.root, 3, G, r, v);
        b.kind->momentum(&b, 0, b.q_mid, v, p);
        for (int d = 0; d < 3; d++) {
            bool is_free = free >> d & 1;
            CN_NEAR(is_free ? p[3 + d] : v[3 + d], is_free ? r[d] : 0.0, tight, "rounding");
        }
        cn_bodies_free(&b);
    }
}

// A body of the plane is one of space that turns about z.
CN_TEST(poses_of_the_plane_are_those_of_space)
{
    const double angle = 0.7, flat[3] = {1.5, -0.5, angle};
    const double space[7] = {1.5, -0.5, 0.0, cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    cn_body_pose a = cn_rigid2.pose(flat), b = cn_rigid3.pose(space);
    for (int k = 0; k < 3; k++) {
        cn_vec3 off = cn_sub3(a.R.row[k], b.R.row[k]);
        CN_NEAR(cn_norm3(off), 0.0, 1e-15, "rounding of sine and cosine");
        CN_NEAR((&a.x.x)[k], space[k], 0.0, "to the bit");
    }
}

// Turning moves the surface of a round part where its centre is, that of any other where its
// farthest point is: clusters of two equal parts on both sides of the middle, and at it.
CN_TEST(levers_of_parts_are_those_of_turning)
{
    const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.2};
    const cn_shape_def bar = {.kind = CN_SHAPE_CAPSULE, .radius = 0.2, .length = 0.6};
    const cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = 0.2};
    const cn_solid_def rod = {.kind = CN_SOLID_CAPSULE, .radius = 0.2, .length = 0.6};
    const double exact[2][4] = {{1.0, 1.5, 1.0, sqrt(1.09) + 0.2}, {0.0, 0.5, 0.0, 0.5}};
    for (int n = 0; n < 8; n++) { // bars lie along x, rods stand along z
        int k = n % 4;
        double aside = n < 4 ? 1.0 : 0.0;
        cn_shape_def shape[2] = {k == 0 ? disk : bar, k == 0 ? disk : bar};
        cn_solid_def solid[2] = {k == 2 ? ball : rod, k == 2 ? ball : rod};
        cn_body_def def = cn_body_def_default();
        shape[0].at[0] = solid[0].at[0] = aside;
        shape[1].at[0] = solid[1].at[0] = -aside;
        if (k < 2) {
            def.shapes = (cn_shape_parts){2, shape};
        } else {
            def.type = CN_BODY_SOLIDS;
            def.solids = (cn_solid_parts){2, solid};
        }
        cn_bodies b;
        cn_bodies_init(&b, k < 2 ? 2 : 3, NULL, NULL);
        CN_DO(cn_bodies_add(&b, &def, &test_error));
        CN_NEAR(cn_shape_lever(&b, 0), exact[n / 4][k], tight, "rounding");
        CN_NEAR(cn_shape_lever(&b, 1), exact[n / 4][k], tight, "rounding");
        cn_bodies_free(&b);
    }
}

CN_MAIN(CN_RUN(spin_rows_measure_the_angular_velocity);
        CN_RUN(any_number_of_rows_reaches_the_momentum); CN_RUN(held_axes_do_not_turn);
        CN_RUN(poses_of_the_plane_are_those_of_space);
        CN_RUN(levers_of_parts_are_those_of_turning);)
