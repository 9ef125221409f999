// Water, fill and wind on free faces: forces known on paper (3.22) to (3.26).
#include <math.h>
#include <string.h>

#include "counted.h"
#include "scenes.h"
#include "test.h"

static const double G = 9.81, RHO = 1000.0;

static cn_face_load_def water(int count, const cn_body_id *id, double level)
{
    return (cn_face_load_def){.body_count = count,
                              .body = id,
                              .weight = RHO * G,
                              .ratio = 1.0,
                              .low = {-INFINITY, -INFINITY, -INFINITY},
                              .high = {INFINITY, INFINITY, INFINITY},
                              .f = cn_constant(level)};
}

static void six_of(cn_world *w, const cn_face_load_def *def, double *six)
{
    CN_DO(cn_face_load_forces(w, def, six, &test_error));
}

// Archimedes: a prism and its upright section, however turned, under water and half out of it.
CN_TEST(a_wetted_body_weighs_less_by_what_it_displaces)
{
    const double quarter[4] = {cos(0.3), 0.6 * sin(0.3), 0.0, 0.8 * sin(0.3)};
    const double at[3] = {0.2, -0.4, 5.0}, size[3] = {1.0, 0.5, 0.25};
    cn_world *flat = scene_world(0.5, 0.0, 1e-10), *space = scene_space(0.5, 0.0, 1e-10);
    cn_body_id box = scene_box(flat, 3.0, 5.0, 1.0, 0.5, 0.7, 0);
    cn_body_id block = scene_block(space, at, size, quarter, 0);
    double six[6];
    for (int dim = 2; dim <= 3; dim++) {
        double volume = dim == 2 ? 0.5 : 0.125;
        cn_world *w = dim == 2 ? flat : space;
        cn_body_id id = dim == 2 ? box : block;
        cn_face_load_def def = water(1, &id, 10.0);
        six_of(w, &def, six);
        for (int d = 0; d < 6; d++) {
            CN_NEAR(six[d], d == dim - 1 ? RHO * G * volume : 0.0, 1e-9 * RHO * G,
                    "the divergence theorem, to rounding of a depth of 5 m");
        }
        def = water(1, &id, 5.0); // through the middle, which is a centre of symmetry
        six_of(w, &def, six);
        CN_NEAR(six[dim - 1], 0.5 * RHO * G * volume, 1e-9 * RHO * G, "half of it is wetted");
        cn_world_destroy(w);
    }
}

// The same as above by another way: the buoyancy of an upright box acts at the middle of the
// wetted part, so that its moment about a point of the water line vanishes.
CN_TEST(a_box_that_leans_is_turned_by_the_wedge_that_comes_out)
{
    const double b = 0.6, t = 0.4, phi = 0.05; // beam, draught at rest, list
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_body_id id = scene_box(w, 0.0, 0.0, b, 1.0, phi, 0);
    double six[6], level = (t - 0.5) * cos(phi);
    cn_face_load_def def = water(1, &id, level);
    six_of(w, &def, six);
    // Wetted trapezium in axes of the box: the water line crosses the axis at y = t - 0.5, with the
    // slope -tan(phi); its area and first moments.
    double slope = tan(phi), area = b * t, y0 = t - 0.5;
    double x_first = -b * b * b / 12.0 * slope;
    double y_first = 0.5 * b * (y0 * y0 - 0.25) + b * b * b / 24.0 * slope * slope;
    double arm = x_first * cos(phi) - y_first * sin(phi);
    CN_NEAR(six[1], RHO * G * area, 1e-9 * RHO * G, "the water line turns about its middle");
    CN_NEAR(six[5], RHO * G * arm, 1e-9 * RHO * G, "weight of water times the way to its centre");
    cn_world_destroy(w);
}

// A dam of courses: joints keep the water out, so that all of it is one wall, pushed by
// rho g H^2/2 at H/3.
static void press_dam(int dim, double close)
{
    const double b = 0.4, h = 0.2, H = 0.9;
    cn_world *w = dim == 2 ? scene_world(0.5, 0.0, 1e-10) : scene_space(0.5, 0.0, 1e-10);
    cn_body_id id[5];
    double six[6 * 5], push = 0.0, lift = 0.0, moment = 0.0;
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, 0.0);
    } else {
        scene_floor(w, 0.0);
    }
    for (int k = 0; k < 5; k++) {
        double z = (k + 0.5) * h;
        const double at[3] = {0.5 * b, 0.0, z}, size[3] = {b, 1.0, h};
        id[k] =
            dim == 2 ? scene_box(w, 0.5 * b, z, b, h, 0.0, 0) : scene_block(w, at, size, NULL, 0);
    }
    cn_face_load_def def = water(5, id, H);
    def.high[0] = 0.5 * b;
    def.close = close;
    six_of(w, &def, six);
    for (int k = 0; k < 5; k++) {
        const double *f = six + 6 * (size_t)k;
        push += f[0];
        lift += f[dim - 1];
        moment += f[0] * (k + 0.5) * h + (dim == 2 ? -f[5] : f[4]);
    }
    CN_NEAR(push, 0.5 * RHO * G * H * H, 1e-9 * RHO * G, "integral of the pressure");
    CN_NEAR(lift, 0.0, 1e-9 * RHO * G, "joints are closed");
    CN_NEAR(moment, RHO * G * H * H * H / 6.0, 1e-9 * RHO * G, "it acts at a third of the height");
    cn_world_destroy(w);
}

CN_TEST(joints_keep_the_water_out_of_a_dam)
{
    press_dam(2, 0.0);
    press_dam(3, 0.0);
    press_dam(3, 0.01);
}

// A lid of 1 m by 1 m on a wider block: half of its foot hangs over, and only that is lifted. A
// second block of the same top and a plane there cover nothing twice.
CN_TEST(what_two_bodies_cover_counts_once)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = dim == 2 ? scene_world(0.5, 0.0, 1e-10) : scene_space(0.5, 0.0, 1e-10);
        const double size[3] = {1.0, 1.0, 1.0}, lid[3] = {0.0, 0.0, 1.1}, flat[3] = {1.0, 1.0, 0.2};
        cn_body_id id;
        for (int k = 0; k < 2; k++) { // they lie in each other
            const double at[3] = {-0.5 - 0.25 * k, 0.0, 0.5};
            if (dim == 2) {
                scene_box(w, at[0], at[2], 1.0, 1.0, 0.0, CN_FIXED_ALL);
            } else {
                scene_block(w, at, size, NULL, CN_FIXED_ALL);
            }
        }
        id = dim == 2 ? scene_box(w, 0.0, lid[2], 1.0, 0.2, 0.0, 0)
                      : scene_block(w, lid, flat, NULL, 0);
        cn_face_load_def def = water(1, &id, 2.0);
        double six[6];
        six_of(w, &def, six);
        // Below: 1 m of water on the half that hangs over; above: 0.8 m on all.
        CN_NEAR(six[dim - 1], RHO * G * (0.5 * 1.0 - 0.8), 1e-9 * RHO * G, "covered once");
        double turning = dim == 2 ? six[5] : -six[4];
        CN_NEAR(turning, RHO * G * 0.5 * 0.25, 1e-9 * RHO * G, "the lift is at 0.25 m");
        cn_world_destroy(w);
    }
}

// A joint that opens like a wedge is closed as far as its gap is below `close`.
CN_TEST(a_joint_that_opens_is_closed_up_to_its_gap)
{
    const double phi = 1e-2, close = 4e-3;
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    // A box of 1 m by 1 m that stands on its lower left corner, at the origin.
    cn_body_id id = scene_box(w, 0.5 * cos(phi) - 0.5 * sin(phi), 0.5 * sin(phi) + 0.5 * cos(phi),
                              1.0, 1.0, phi, 0);
    cn_face_load_def def = water(1, &id, 3.0), all = def;
    double six[6], whole[6];
    def.close = close;
    all.has_open_joints = true;
    six_of(w, &def, six);
    six_of(w, &all, whole);
    // From the corner to where the gap is reached the water is kept out: its mean depth is there.
    double length = close / sin(phi), pressure = RHO * G * (3.0 - 0.5 * close);
    CN_NEAR(whole[1] - six[1], pressure * length * cos(phi), 1e-9 * RHO * G, "plane of the gap");
    cn_world_destroy(w);
}

// Fill with the ratio K: horizontal thrust K gamma H^2/2, weight of the earth on a slope, and the
// surcharge.
CN_TEST(fill_pushes_by_its_ratio_and_lies_on_slopes)
{
    const double K = 0.3, gamma = 18e3, q = 5e3, H = 1.0, phi = 0.4;
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_body_id id = scene_box(w, 0.0, 0.0, 1.0, 1.0, 0.0, 0);
    cn_face_load_def def = water(1, &id, 0.5);
    double six[6];
    def.weight = gamma;
    def.ratio = K;
    def.surcharge = q;
    def.low[0] = 0.1; // on the right side and a part of the top alone
    def.low[1] = -0.45;
    six_of(w, &def, six);
    double d = 0.95 * H;
    CN_NEAR(six[0], -K * (0.5 * gamma * d * d + q * d), 1e-8, "integral of the thrust");
    CN_NEAR(six[1], -q * 0.4, 1e-8, "the surcharge on the top");
    cn_world_destroy(w);

    w = scene_world(0.5, 0.0, 1e-10);
    id = scene_box(w, 0.0, 0.0, 1.0, 1.0, phi, 0);
    def = water(1, &id, 0.9);
    def.weight = gamma;
    def.ratio = 0.0; // weight alone: on what looks up it is that of the column above
    double top = 0.5 * cos(phi) - 0.5 * sin(phi); // ends of the upper side
    def.low[1] = fmin(top, 0.5 * (cos(phi) - sin(phi)));
    def.low[0] = -0.5 * sin(phi) - 0.5 * cos(phi);
    def.high[0] = 0.5 * cos(phi) - 0.5 * sin(phi);
    six_of(w, &def, six);
    double mean = 0.9 - 0.5 * cos(phi);
    CN_NEAR(six[1], -gamma * mean * cos(phi), 1e-8, "column on a slope of cos(phi) m");
    CN_NEAR(six[0], 0.0, 1e-8, "a weight has no thrust");
    cn_world_destroy(w);
}

CN_TEST(wind_pushes_and_sucks_by_the_cosine)
{
    const double q = 800.0, phi = 0.5, turn[4] = {cos(0.25), 0.0, 0.0, sin(0.25)};
    const double at[3] = {0.0, 0.0, 1.0}, size[3] = {2.0, 0.5, 1.0};
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    cn_body_id id = scene_block(w, at, size, turn, 0);
    cn_face_load_def def = water(1, &id, 0.0);
    double six[6];
    def.kind = CN_FACE_WIND;
    memcpy(def.direction, (double[3]){3.0, 0.0, 0.0}, sizeof def.direction);
    def.windward = 0.8;
    def.leeward = 0.5;
    def.f = cn_constant(q);
    six_of(w, &def, six);
    double along = 0.5 * cos(phi) * cos(phi) + 2.0 * sin(phi) * sin(phi); // area times cos^2
    double across = (0.5 - 2.0) * cos(phi) * sin(phi);
    CN_NEAR(six[0], 1.3 * q * along, 1e-9 * q, "two pairs of faces");
    CN_NEAR(six[1], 1.3 * q * across, 1e-9 * q, "likewise across");
    CN_NEAR(six[2], 0.0, 1e-9 * q, "nothing lifts");
    cn_world_destroy(w);
}

// A raft heaves with omega^2 = rho_w g/(rho d); the ledger closes (scene_run) and a settled run
// asks for no memory.
CN_TEST(a_raft_heaves_at_its_frequency)
{
    const double rho = 500.0, d = 0.4, h = 1e-3, draught = rho / RHO * d, from = 0.03;
    counted c = {0};
    cn_hooks hooks = counted_hooks(&c);
    cn_world_def def = cn_world_def_default();
    def.hooks = &hooks;
    def.dim = 3;
    def.gravity[2] = -G;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    double corner[24];
    cn_box_corners(1.0, 1.0, d, corner);
    const cn_solid_def box = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_body_def raft = {.density = rho, .at = {0.0, 0.0, 0.5 * d - draught + from}};
    cn_body_id id;
    scene_part(&raft, 3, NULL, &box);
    CN_DO(cn_body_add(w, &raft, &id, &test_error));
    double omega = sqrt(RHO * G / (rho * d));
    cn_face_load_def load = water(1, &id, 0.0);
    CN_DO(cn_face_load_add(w, &load, &test_error));
    scene_run(w, h, 10);
    long calls = c.calls;
    scene_run(w, h, 990);
    CN_TRUE(c.calls == calls);
    double exact = 0.5 * d - draught + from * cos(omega * 1.0);
    CN_NEAR(scene_state(w, id).position[2], exact, from * omega * omega * omega * h * h / 12.0,
            "second order in h: the phase is late by (omega h)^2/24 of omega t");
    cn_world_destroy(w);
}

CN_TEST(what_cannot_be_is_refused)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    const double at[3] = {0.0, 0.0, 0.5}, size[3] = {1.0, 1.0, 1.0};
    cn_body_id ball = scene_sphere(w, 5.0, 0.0, 0.5, 0.5), id = scene_block(w, at, size, NULL, 0);
    double six[6];
    cn_face_load_def def = water(1, &ball, 1.0);
    CN_TRUE(cn_face_load_forces(w, &def, six, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "no polygon, box or polyhedron") != NULL);
    def = water(1, &id, NAN);
    CN_TRUE(cn_face_load_forces(w, &def, six, &test_error) == CN_BAD_INPUT);
    def = water(1, &id, 1.0);
    def.high[0] = -INFINITY;
    CN_TRUE(cn_face_load_forces(w, &def, six, &test_error) == CN_BAD_INPUT);
    // A bar that stands on the block covers a disk of it.
    const cn_solid_def bar = {.kind = CN_SOLID_CYLINDER, .radius = 0.2, .length = 1.0};
    cn_body_def body = {.density = 1000.0, .at = {0.0, 0.0, 1.5}};
    scene_part(&body, 3, NULL, &bar);
    CN_DO(cn_body_add(w, &body, NULL, &test_error));
    def = water(1, &id, 3.0);
    CN_TRUE(cn_face_load_forces(w, &def, six, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "cylinder") != NULL);
    def.has_open_joints = true;
    six_of(w, &def, six);
    CN_NEAR(six[2], RHO * G, 1e-6, "all around");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(a_wetted_body_weighs_less_by_what_it_displaces);
        CN_RUN(a_box_that_leans_is_turned_by_the_wedge_that_comes_out);
        CN_RUN(joints_keep_the_water_out_of_a_dam); CN_RUN(what_two_bodies_cover_counts_once);
        CN_RUN(a_joint_that_opens_is_closed_up_to_its_gap);
        CN_RUN(fill_pushes_by_its_ratio_and_lies_on_slopes);
        CN_RUN(wind_pushes_and_sucks_by_the_cosine); CN_RUN(a_raft_heaves_at_its_frequency);
        CN_RUN(what_cannot_be_is_refused);)
