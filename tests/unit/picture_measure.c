// unit/picture_measure.c -- statistics of frames with answers on paper.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/cairn.h"
#include "picture/fabric.h"
#include "test.h"

enum { MANY = 4000 };

static cn_contact contact[MANY];

static cn_frame frame_of(int dim, int count)
{
    return (cn_frame){.dim = dim, .h = 0.5, .contact_count = count, .contact = contact};
}

static void set_contact(int a, double nx, double ny, double nz, double force)
{
    contact[a] = (cn_contact){.i = 0, .j = 1, .normal = {nx, ny, nz}, .r = {0.5 * force, 0.0, 0.0}};
}

// Quantiles of exp(-f): the mean is 1, and beyond it the excess has the mean 1 again.
CN_TEST(exponential_forces_have_an_exponential_tail)
{
    cn_numbers forces = {0};
    for (int a = 0; a < MANY; a++) {
        set_contact(a, 0.0, 1.0, 0.0, -700.0 * log(1.0 - (a + 0.5) / MANY));
    }
    cn_frame f = frame_of(2, MANY);
    CN_DO(cn_forces_take(&forces, &f, NULL, &test_error));
    double x[40], density[40], area = 0.0;
    double rate = cn_forces_spread(&forces, 40, x, density);
    CN_NEAR(rate, 1.0, 2e-3, "4000 quantiles; the last one cuts the tail");
    for (int b = 0; b < 40; b++) {
        area += density[b] * (x[1] - x[0]);
    }
    CN_NEAR(area, 1.0, 1e-12, "a density");
    CN_NEAR(density[4], exp(-x[4]), 0.03 * exp(-x[4]), "width of a bin 0.22: 0.2 %, and counts");
    cn_release(NULL, forces.value);
}

// Forces 1 and 3 N: mean 2, so that 0.5 and 1.5 are counted; open contacts are not.
CN_TEST(forces_are_taken_over_the_mean_of_those_that_press)
{
    cn_numbers forces = {0};
    set_contact(0, 0.0, 1.0, 0.0, 1.0);
    set_contact(1, 0.0, 1.0, 0.0, 0.0);
    set_contact(2, 0.0, 1.0, 0.0, 3.0);
    cn_frame f = frame_of(2, 3);
    CN_DO(cn_forces_take(&forces, &f, NULL, &test_error));
    CN_TRUE(forces.count == 2 && forces.value[0] == 0.5 && forces.value[1] == 1.5);
    cn_release(NULL, forces.value);
}

// A square lattice has normals along x and y only: four equal petals, each a quarter of all.
CN_TEST(square_lattice_has_four_equal_petals)
{
    cn_rose rose;
    CN_DO(cn_rose_make(2, 1, 36, &rose, &test_error));
    for (int a = 0; a < 100; a++) {
        double sign = a % 4 < 2 ? 1.0 : -1.0;
        set_contact(a, a % 2 == 0 ? sign : 0.0, a % 2 == 0 ? 0.0 : sign, 0.0,
                    a % 2 == 0 ? 3.0 : 1.0);
    }
    cn_frame f = frame_of(2, 100);
    cn_rose_take(&rose, &f, NULL);
    for (int b = 0; b < 36; b++) {
        CN_NEAR(cn_rose_density(&rose, b, false), b % 9 == 0 ? 9.0 : 0.0, 1e-12,
                "a quarter of the contacts in 1/36 of the circle");
        double exact = b % 18 == 0 ? 13.5 : b % 9 == 0 ? 4.5 : 0.0;
        CN_NEAR(cn_rose_density(&rose, b, true), exact, 1e-12,
                "forces along x are three times as large");
    }
    cn_rose_free(&rose);
}

// A triangular lattice: six petals, 60 degrees apart.
CN_TEST(triangular_lattice_has_six_petals)
{
    cn_rose rose;
    CN_DO(cn_rose_make(2, 1, 36, &rose, &test_error));
    for (int a = 0; a < 30; a++) {
        double angle = CN_PI / 3.0 * a;
        set_contact(a, cos(angle), sin(angle), 0.0, 1.0);
    }
    cn_frame f = frame_of(2, 30);
    cn_rose_take(&rose, &f, NULL);
    for (int b = 0; b < 36; b++) {
        CN_NEAR(cn_rose_density(&rose, b, false), b % 6 == 0 ? 6.0 : 0.0, 1e-12, "a sixth of all");
    }
    cn_rose_free(&rose);
}

// A cubic lattice in space: a third of the normals is vertical, the others on the horizon along x
// and y, each half on either side.
CN_TEST(cubic_lattice_on_the_hemisphere)
{
    cn_rose rose;
    CN_DO(cn_rose_make(3, 6, 24, &rose, &test_error));
    for (int a = 0; a < 300; a++) {
        double sign = a % 2 == 0 ? 1.0 : -1.0;
        set_contact(a, a % 3 == 0 ? sign : 0.0, a % 3 == 1 ? sign : 0.0, a % 3 == 2 ? sign : 0.0,
                    1.0);
    }
    cn_frame f = frame_of(3, 300);
    cn_rose_take(&rose, &f, NULL);
    double vertical = 0.0, sum = 0.0;
    for (int b = 0; b < 144; b++) {
        vertical += b < 24 ? rose.count[b] : 0.0;
        sum += rose.count[b];
    }
    CN_TRUE(vertical == 100.0 && sum == 300.0);
    for (int s = 0; s < 24; s++) {
        CN_TRUE(rose.count[24 * 5 + s] == (s % 6 == 0 ? 50.0 : 0.0));
    }
    cn_rose_free(&rose);
}

// Even directions in space fill rings of equal area evenly.
CN_TEST(even_directions_fill_rings_evenly)
{
    cn_rose rose;
    CN_DO(cn_rose_make(3, 4, 8, &rose, &test_error));
    for (int a = 0; a < 3200; a++) {
        double z = (a / 80 + 0.5) / 40.0, angle = 2.0 * CN_PI * (a % 80 + 0.5) / 80.0;
        double r = sqrt(1.0 - z * z);
        set_contact(a, r * cos(angle), r * sin(angle), z, 2.0);
    }
    cn_frame f = frame_of(3, 3200);
    cn_rose_take(&rose, &f, NULL);
    for (int b = 0; b < 32; b++) {
        CN_NEAR(cn_rose_density(&rose, b, false), 1.0, 1e-12, "isotropic");
        CN_NEAR(cn_rose_density(&rose, b, true), 1.0, 1e-12, "isotropic");
    }
    cn_rose_free(&rose);
}

// Uniform shear v = (2 y, 0): each slice moves with twice its height; heavy bodies count by mass.
CN_TEST(shear_has_a_straight_profile)
{
    double q[3 * 8], v[3 * 8] = {0}, mass[8];
    for (int i = 0; i < 8; i++) {
        q[3 * i] = 0.1 * i;
        q[3 * i + 1] = 0.25 + 0.5 * (i % 4);
        q[3 * i + 2] = 0.0;
        v[3 * i] = 2.0 * q[3 * i + 1] + (i < 4 ? 1.0 : -3.0);
        mass[i] = i < 4 ? 3.0 : 1.0;
    }
    cn_frame f = {.dim = 2, .q_size = 3, .v_size = 3, .body_count = 8, .q = q, .v = v};
    cn_profile p;
    CN_DO(cn_profile_make(2, 1, 4, 0.0, 2.0, &p, &test_error));
    cn_profile_take(&p, &f, mass);
    for (int b = 0; b < 4; b++) {
        CN_NEAR(cn_profile_at(&p, b), 0.25 + 0.5 * b, 1e-15, "middle of the slice");
        CN_NEAR(cn_profile_mean(&p, b, 0), 2.0 * (0.25 + 0.5 * b), 1e-14, "3 * 1 = 1 * 3 cancel");
        CN_TRUE(cn_profile_mean(&p, b, 1) == 0.0);
    }
    cn_profile_free(&p);
}

// A rigid turn about the origin: across the radius w r everywhere, along it nothing.
CN_TEST(a_turn_has_a_straight_profile_over_the_radius)
{
    double q[3 * 8] = {0}, v[3 * 8] = {0}, mass[8];
    for (int i = 0; i < 8; i++) {
        double radius = 0.25 + 0.5 * (i % 4), angle = 0.7 * i;
        q[3 * i] = radius * cos(angle);
        q[3 * i + 1] = radius * sin(angle);
        v[3 * i] = -3.0 * q[3 * i + 1];
        v[3 * i + 1] = 3.0 * q[3 * i];
        mass[i] = 1.0;
    }
    cn_frame f = {.dim = 2, .q_size = 3, .v_size = 3, .body_count = 8, .q = q, .v = v};
    cn_profile p;
    CN_DO(cn_profile_make(2, CN_PLOT_RADIUS, 4, 0.0, 2.0, &p, &test_error));
    cn_profile_take(&p, &f, mass);
    for (int b = 0; b < 4; b++) {
        CN_NEAR(cn_profile_mean(&p, b, 0), 0.0, 1e-15, "along the radius");
        CN_NEAR(cn_profile_mean(&p, b, 1), 3.0 * (0.25 + 0.5 * b), 1e-14, "across it");
    }
    cn_profile_free(&p);
}

// Body 0 pushed by 5 N along x from body 1, and held by a joint of 2 N.
CN_TEST(reaction_is_the_sum_of_contacts_and_joints)
{
    bool of[2] = {true, false}, other[2] = {false, true};
    cn_joint_state joint = {.i = 0, .j = -1, .impulse = {-1.0, 0.25, 0.0}};
    set_contact(0, 1.0, 0.0, 0.0, 5.0);
    cn_frame f = frame_of(2, 1);
    f.joint_count = 1;
    f.joint = &joint;
    CN_NEAR(cn_reaction_of(&f, of, 0), 5.0 - 2.0, 1e-14, "impulses over the step of 0.5 s");
    CN_NEAR(cn_reaction_of(&f, of, 1), 0.5, 1e-14, "joint only");
    CN_NEAR(cn_reaction_of(&f, other, 0), -5.0, 1e-14, "action and reaction");
}

CN_MAIN(CN_RUN(exponential_forces_have_an_exponential_tail);
        CN_RUN(forces_are_taken_over_the_mean_of_those_that_press);
        CN_RUN(square_lattice_has_four_equal_petals); CN_RUN(triangular_lattice_has_six_petals);
        CN_RUN(cubic_lattice_on_the_hemisphere); CN_RUN(even_directions_fill_rings_evenly);
        CN_RUN(shear_has_a_straight_profile); CN_RUN(a_turn_has_a_straight_profile_over_the_radius);
        CN_RUN(reaction_is_the_sum_of_contacts_and_joints);)
