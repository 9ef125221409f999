// Quantities of regular packings, whose numbers are known on paper (chapter 14). Samples are
// written down, not run: one grain of unit diameter in a cell, that touches its own images.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample_number.h"

enum { MOST = 4096 };
static const double h = 1e-3;
static bool is_in[MOST];
static int room[CN_SAMPLE_ROOM * MOST];
static double q[7 * MOST], v[6 * MOST], mass[MOST], content[MOST], param[CN_ANALYSIS_PARAM_MOST];
static cn_contact contact[MOST];

static cn_sample sample_of(int dim, int bodies)
{
    memset(q, 0, sizeof q);
    memset(v, 0, sizeof v);
    memset(param, 0, sizeof param);
    for (int i = 0; i < bodies; i++) {
        is_in[i] = true;
        content[i] = dim == 2 ? CN_PI / 4.0 : CN_PI / 6.0;
        mass[i] = 2.0 * content[i];
    }
    return (cn_sample){.dim = dim,
                       .body_count = bodies,
                       .q_size = dim == 2 ? 3 : 7,
                       .v_size = dim == 2 ? 3 : 6,
                       .q = q,
                       .v = v,
                       .mass = mass,
                       .content = content,
                       .contact = contact,
                       .h = h,
                       .is_in = is_in,
                       .param = param,
                       .room = room};
}

// The grain presses its image at n1 a1 + n2 a2 + n3 a3 with the force f.
static void touch(cn_sample *s, const int n[3], double f)
{
    cn_contact *c = &contact[s->contact_count++];
    double length = 0.0, way[3];
    *c = (cn_contact){.r = {f * h}};
    for (int k = 0; k < 3; k++) {
        way[k] = 0.0;
        for (int d = 0; d < 3; d++) {
            way[k] += s->cell[3 * k + d] * n[d];
        }
        c->shift[k] = (signed char)n[k];
        length += way[k] * way[k];
    }
    for (int k = 0; k < 3; k++) {
        c->normal[k] = -way[k] / sqrt(length);
        c->point[k] = 0.5 * way[k];
    }
}

// Body i presses the image of body j in the cell n.
static void press(cn_sample *s, int i, int j, const int n[3], double f)
{
    cn_contact *c = &contact[s->contact_count++];
    *c = (cn_contact){.i = i, .j = j, .r = {f * h}, .normal = {1.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        c->shift[k] = (signed char)n[k];
    }
}

// Chains in a cell: one that closes without going around, one that goes around x, one that goes
// around along the diagonal; weak contacts join nothing.
CN_TEST(percolation_is_winding)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    cn_sample s = sample_of(2, 8);
    s.cell = C;
    param[0] = 1.0;
    press(&s, 0, 1, (int[3]){1, 0, 0}, 2.0); // out across a face and back across it
    press(&s, 1, 2, (int[3]){0, 1, 0}, 2.0);
    press(&s, 2, 3, (int[3]){-1, 0, 0}, 2.0);
    press(&s, 3, 0, (int[3]){0, -1, 0}, 2.0);
    press(&s, 4, 5, (int[3]){0, 0, 0}, 2.0);
    press(&s, 5, 4, (int[3]){1, 0, 0}, 0.1); // would go around
    CN_TRUE(number(&s, "percolation", "clusters") == 2.0);
    CN_TRUE(number(&s, "percolation", "largest") == 0.5);
    CN_TRUE(number(&s, "percolation", "x") == 0.0 && number(&s, "percolation", "y") == 0.0);
    param[0] = 0.0; // all that press
    CN_TRUE(number(&s, "percolation", "x") == 1.0 && number(&s, "percolation", "y") == 0.0);
    param[0] = 1.0;
    press(&s, 3, 4, (int[3]){5, -2, 0}, 2.0); // joins both chains, wherever their images are
    CN_TRUE(number(&s, "percolation", "clusters") == 1.0);
    CN_TRUE(number(&s, "percolation", "largest") == 0.75);
    CN_TRUE(number(&s, "percolation", "x") == 0.0 && number(&s, "percolation", "y") == 0.0);
    press(&s, 6, 6, (int[3]){1, 1, 0}, 2.0); // a grain and its own image
    CN_TRUE(number(&s, "percolation", "clusters") == 2.0);
    CN_TRUE(number(&s, "percolation", "x") == 1.0 && number(&s, "percolation", "y") == 1.0);
    s.cell = NULL;
    CN_TRUE(isnan(number(&s, "percolation", "x")) && number(&s, "percolation", "clusters") == 2.0);
    s.contact_count = 0;
    CN_TRUE(isnan(number(&s, "percolation", "clusters")));
}

// Case C16 of the catalogue: forces s d of two stresses in a square cell.
CN_TEST(square_lattice)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    cn_sample s = sample_of(2, 1);
    s.cell = C;
    touch(&s, (int[3]){1, 0, 0}, 1.0);
    touch(&s, (int[3]){0, 1, 0}, 2.0);
    CN_NEAR(number(&s, "stress", "xx"), 1.0, 1e-14, "rounding");
    CN_NEAR(number(&s, "stress", "yy"), 2.0, 1e-14, "rounding");
    CN_NEAR(number(&s, "fraction", "fraction"), CN_PI / 4.0, 1e-14, "area of a disk in its square");
    CN_NEAR(number(&s, "fraction", "void_ratio"), 4.0 / CN_PI - 1.0, 1e-14, "void over solid");
    CN_TRUE(number(&s, "coordination", "z") == 4.0);
    CN_TRUE(number(&s, "coordination", "rattlers") == 0.0);
    CN_NEAR(number(&s, "network", "mean"), 1.5, 1e-14, "mean of 1 and 2");
    CN_TRUE(number(&s, "network", "weak") == 0.5);
    CN_NEAR(number(&s, "network", "weak_p"), 1.0 / 3.0, 1e-14, "1 of 1 + 2");
    CN_NEAR(number(&s, "network", "weak_q"), -1.0, 1e-14, "it carries across the load");
    CN_NEAR(number(&s, "network", "tail"), 3.0, 1e-14, "over the mean by a third");
    CN_NEAR(number(&s, "anisotropy", "ac"), 0.0, 1e-14, "as many contacts along x as along y");
    CN_NEAR(number(&s, "anisotropy", "an"), 2.0 / 3.0, 1e-14, "2 (2 - 1)/(2 + 1)");
    CN_NEAR(number(&s, "anisotropy", "predicted"), 1.0 / 3.0, 1e-14, "q/p of 1 and 2");
    CN_NEAR(number(&s, "anisotropy", "measured"), 1.0 / 3.0, 1e-14, "q/p of 1 and 2");
    param[0] = 4.0;
    CN_NEAR(number(&s, "fraction", "fraction"), CN_PI / 16.0, 1e-14, "the volume that is given");
}

// Principal stresses of a cubic cell, and of a plane one whose axes are turned (case C17).
CN_TEST(principal_stresses)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, H = sqrt(3.0) / 2.0;
    cn_sample s = sample_of(3, 1);
    s.cell = C;
    touch(&s, (int[3]){1, 0, 0}, 2.0);
    touch(&s, (int[3]){0, 1, 0}, 1.0);
    touch(&s, (int[3]){0, 0, 1}, 4.0);
    CN_NEAR(number(&s, "principal", "s1"), 4.0, 1e-14, "force over area 1");
    CN_NEAR(number(&s, "principal", "s2"), 2.0, 1e-14, "force over area 1");
    CN_NEAR(number(&s, "principal", "s3"), 1.0, 1e-14, "force over area 1");
    CN_NEAR(number(&s, "principal", "sin_phi"), 0.6, 1e-14, "3/5");
    CN_NEAR(number(&s, "principal", "lode"), atan(sqrt(3.0) / 5.0), 1e-14, "of 4, 2, 1");
    CN_NEAR(fabs(number(&s, "principal", "z")), 1.0, 1e-14, "4 acts along z");
    contact[0].r[0] = h; // 4, 1, 1: compression along an axis
    CN_NEAR(number(&s, "principal", "lode"), 0.0, 1e-7, "root of rounding");
    contact[1].r[0] = contact[0].r[0] = 4.0 * h; // all alike: no direction
    CN_NEAR(number(&s, "principal", "s3"), 4.0, 1e-14, "all alike");
    CN_TRUE(isnan(number(&s, "principal", "x")) && number(&s, "principal", "sin_phi") == 0.0);
    const double hexagon[9] = {1.0, 0.5, 0.0, 0.0, H, 0.0, 0.0, 0.0, 1.0};
    s = sample_of(2, 1);
    s.cell = hexagon;
    touch(&s, (int[3]){1, 0, 0}, 1.5 / (2.0 * sqrt(3.0))); // xx 1, yy 1.5, xy 0.2
    touch(&s, (int[3]){0, 1, 0}, 1.5 / sqrt(3.0) + 0.2);
    touch(&s, (int[3]){-1, 1, 0}, 1.5 / sqrt(3.0) - 0.2);
    double deviator = hypot(0.25, 0.2);
    CN_NEAR(number(&s, "principal", "s1"), 1.25 + deviator, 1e-14, "of the tensor");
    CN_NEAR(number(&s, "principal", "s2"), 1.25 - deviator, 1e-14, "of the tensor");
    CN_NEAR(number(&s, "principal", "sin_phi"), deviator / 1.25, 1e-14, "q/p");
    CN_NEAR(number(&s, "principal", "angle"), 0.5 * atan2(0.2, -0.25), 1e-14, "of the tensor");
}

// Case C17: three forces of three stresses in a hexagonal cell.
CN_TEST(hexagonal_lattice)
{
    const double H = sqrt(3.0) / 2.0, xx = 1.0, yy = 1.5, xy = 0.2;
    const double C[9] = {1.0, 0.5, 0.0, 0.0, H, 0.0, 0.0, 0.0, 1.0};
    cn_sample s = sample_of(2, 1);
    s.cell = C;
    touch(&s, (int[3]){1, 0, 0}, (3.0 * xx - yy) / (2.0 * sqrt(3.0)));
    touch(&s, (int[3]){0, 1, 0}, yy / sqrt(3.0) + xy);
    touch(&s, (int[3]){-1, 1, 0}, yy / sqrt(3.0) - xy);
    CN_NEAR(number(&s, "stress", "xx"), xx, 1e-14, "rounding");
    CN_NEAR(number(&s, "stress", "yy"), yy, 1e-14, "rounding");
    CN_NEAR(number(&s, "stress", "xy"), xy, 1e-14, "rounding");
    CN_NEAR(number(&s, "stress", "q"), hypot(0.25, 0.2), 1e-14, "radius of Mohr's circle");
    CN_NEAR(number(&s, "fraction", "fraction"), CN_PI / (2.0 * sqrt(3.0)), 1e-14, "densest disks");
    CN_NEAR(number(&s, "fabric", "a"), 0.0, 1e-14, "six directions are isotropic");
    CN_TRUE(number(&s, "coordination", "z") == 6.0);
    CN_NEAR(number(&s, "anisotropy", "measured"), hypot(0.25, 0.2) / 1.25, 1e-14, "q/p");
    CN_NEAR(number(&s, "anisotropy", "predicted"), hypot(0.25, 0.2) / 1.25, 1e-14,
            "normal forces alone");
}

// Simple cubic and face-centred cubic spheres under a pressure p.
CN_TEST(cubic_lattices)
{
    const double p = 5.0, I[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    cn_sample s = sample_of(3, 1);
    s.cell = I;
    for (int k = 0; k < 3; k++) {
        touch(&s, (int[3]){k == 0, k == 1, k == 2}, p);
    }
    CN_NEAR(number(&s, "stress", "p"), p, 1e-14 * p, "force p d^2");
    CN_NEAR(number(&s, "stress", "q"), 0.0, 1e-14 * p, "isotropic");
    CN_NEAR(number(&s, "fraction", "fraction"), CN_PI / 6.0, 1e-14, "sphere in its cube");
    CN_TRUE(number(&s, "coordination", "z") == 6.0);

    const double C[9] = {
        1.0, 0.5, 0.5, 0.0, sqrt(0.75), sqrt(1.0 / 12.0), 0.0, 0.0, sqrt(2.0 / 3.0)};
    const int way[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 1, 0}, {-1, 0, 1}, {0, -1, 1}};
    s = sample_of(3, 1);
    s.cell = C;
    for (int k = 0; k < 6; k++) {
        touch(&s, way[k], p / sqrt(8.0)); // p V/(2 d), V = d^3/sqrt(2)
    }
    CN_NEAR(number(&s, "stress", "p"), p, 1e-14 * p, "force p V/(2 d)");
    CN_NEAR(number(&s, "stress", "q"), 0.0, 1e-14 * p, "isotropic");
    CN_NEAR(number(&s, "fraction", "fraction"), CN_PI / sqrt(18.0), 1e-14, "densest spheres");
    CN_NEAR(number(&s, "fabric", "a"), 0.0, 1e-13, "isotropic");
    CN_TRUE(number(&s, "coordination", "z") == 12.0);
}

// Two points of one pair, as two blocks have, are one neighbour and one force.
CN_TEST(points_of_a_pair_add_up)
{
    cn_sample s = sample_of(2, 2);
    q[3] = 1.0;
    for (int k = 0; k < 2; k++) {
        contact[k] =
            (cn_contact){.i = 1, .point = {0.5, 0.1 * k}, .normal = {1.0}, .r = {h, 0.5 * h}};
    }
    s.contact_count = 2;
    CN_TRUE(number(&s, "coordination", "z") == 1.0);
    CN_NEAR(number(&s, "network", "mean"), 2.0, 1e-14, "1 N each");
    CN_NEAR(number(&s, "network", "mobilized"), 0.5, 1e-14, "half of the normal force");
    CN_TRUE(isnan(number(&s, "stress", "p"))); // no cell, no walls, no volume
}

// Case C32: contacts at quantiles of P = (1 + ac cos 2t)/2 pi with given harmonics of their forces.
CN_TEST(harmonics_that_are_known)
{
    enum { CONTACTS = 2000 };
    const double ac = 0.2, an = 0.3, at = 0.1;
    cn_sample s = sample_of(2, 2 * CONTACTS);
    for (int k = 0; k < CONTACTS; k++) {
        double t = 2.0 * CN_PI * (k + 0.5) / CONTACTS, quantile = t;
        for (int n = 0; n < 60; n++) { // contracts by ac
            t = quantile - 0.5 * ac * sin(2.0 * t);
        }
        contact[k] = (cn_contact){.i = 2 * k,
                                  .j = 2 * k + 1,
                                  .normal = {cos(t), sin(t)},
                                  .r = {h * (1.0 + an * cos(2.0 * t)), -h * at * sin(2.0 * t)}};
        q[6 * k] = cos(t);
        q[6 * k + 1] = sin(t);
    }
    s.contact_count = CONTACTS;
    CN_NEAR(number(&s, "anisotropy", "ac"), ac, 1e-4, "quantiles for an integral, as in C32");
    CN_NEAR(number(&s, "anisotropy", "an"), an, 1e-4, "likewise");
    CN_NEAR(number(&s, "anisotropy", "at"), at, 1e-4, "likewise");
    CN_NEAR(number(&s, "anisotropy", "al"), 0.0, 1e-4, "equal branches");
    CN_NEAR(number(&s, "anisotropy", "measured"), 0.291262136, 1e-4,
            "(ac + an + at)/2/(1 + ac an/2)");
    CN_NEAR(number(&s, "anisotropy", "predicted"), 0.291262136, 1e-4, "the same");
}

// Nine bodies in a known shear: the fit gives it back, and I = rate sqrt(m/p).
CN_TEST(gradient_that_is_known)
{
    const double L[4] = {-0.1, 2.0, 0.3, -0.4};
    cn_sample s = sample_of(2, 9);
    for (int i = 0; i < 9; i++) {
        q[3 * i] = 5.0 + i % 3;
        q[3 * i + 1] = 2.0 * (double)(i / 3);
        for (int d = 0; d < 2; d++) {
            v[3 * i + d] = 7.0 + L[2 * d] * q[3 * i] + L[2 * d + 1] * q[3 * i + 1];
        }
    }
    contact[0] = (cn_contact){.i = 1, .j = 0, .normal = {1.0}, .r = {3.0 * h}};
    s.contact_count = 1;
    param[0] = 0.5;
    const char *name[4] = {"xx", "xy", "yx", "yy"};
    for (int k = 0; k < 4; k++) {
        CN_NEAR(number(&s, "flow", name[k]), L[k], 1e-13, "a linear field is fitted exactly");
    }
    double rate = hypot(L[0] - L[3], L[1] + L[2]);
    CN_NEAR(number(&s, "flow", "rate"), rate, 1e-13, "difference of the principal rates");
    CN_NEAR(number(&s, "flow", "temperature"), 0.0, 1e-25, "nothing is left, squared");
    CN_NEAR(number(&s, "flow", "I"), rate * sqrt(mass[0] / 3.0), 1e-13, "p = 3 N m/0.5 m2/2");
    CN_NEAR(number(&s, "flow", "mu"), 1.0, 1e-14, "one principal stress alone");
    const double C[9] = {3.0, 0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0, 1.0};
    const cn_cell_state state = {.is_there = true, .is_periodic = {true}, .gradient = {0.5}};
    s.cell = C;
    CN_TRUE(isnan(number(&s, "flow", "rate"))); // the motion of the cell is not known
    s.cell_state = &state;
    CN_NEAR(number(&s, "flow", "xx"), 0.5, 1e-13, "along the cell that of the cell");
    CN_NEAR(number(&s, "flow", "xy"), L[1], 1e-13, "across it that of the bodies");
    s.cell = NULL;
    s.cell_state = NULL;
    s.body_count = 3; // in one line
    CN_TRUE(isnan(number(&s, "flow", "rate")));
}

// In space I = rate d sqrt(rho/p).
CN_TEST(gradient_in_space)
{
    const double rate = 0.7;
    cn_sample s = sample_of(3, 8);
    for (int i = 0; i < 8; i++) {
        for (int d = 0; d < 3; d++) {
            q[7 * i + d] = (i >> d) & 1;
        }
        v[6 * i] = rate * q[7 * i + 2];
    }
    contact[0] = (cn_contact){.i = 1, .j = 0, .normal = {1.0}, .r = {3.0 * h}};
    s.contact_count = 1;
    param[0] = 0.5;
    CN_NEAR(number(&s, "flow", "xz"), rate, 1e-14, "a linear field is fitted exactly");
    CN_NEAR(number(&s, "flow", "rate"), rate, 1e-14, "of a simple shear");
    CN_NEAR(number(&s, "flow", "I"), rate * sqrt(2.0 / 2.0), 1e-13, "d = 1, rho = 2, p = 3/0.5/3");
}

// Bodies that move by a gradient and a pattern that no gradient fits: the pattern is what is left.
CN_TEST(strain_is_what_fits_the_ways)
{
    static double start[3 * 125], way[3 * 125];
    const double H[9] = {0.1, -0.2, 0.05, 0.3, -0.1, 0.0, 0.0, 0.02, 0.04}, off = 1e-3;
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 2 ? 25 : 125;
        cn_sample s = sample_of(dim, n);
        for (int i = 0; i < n; i++) {
            const int at[3] = {i % 5, i / 5 % 5, i / 25};
            bool is_odd = ((at[0] + at[1] + at[2]) & 1) != 0; // 12 of 25, 62 of 125
            for (int d = 0; d < dim; d++) {
                start[dim * i + d] = 7.0 + at[d];
                way[dim * i + d] = 3.0 + H[3 * d] * at[0] + H[3 * d + 1] * at[1] +
                                   (dim == 3 ? H[3 * d + 2] * at[2] : 0.0);
            }
            way[dim * i] += is_odd ? off : 0.0;
        }
        s.start = start;
        s.way = way;
        CN_NEAR(number(&s, "strain", "xx"), H[0], 1e-14, "the pattern is even, and X is odd");
        CN_NEAR(number(&s, "strain", "xy"), H[1], 1e-14, "likewise");
        CN_NEAR(number(&s, "strain", "yx"), H[3], 1e-14, "likewise");
        double odd = dim == 2 ? 12.0 / 25.0 : 62.0 / 125.0;
        CN_NEAR(number(&s, "strain", "non_affine"), off * sqrt(odd * (1.0 - odd)), 1e-14,
                "the scatter of two values");
        double det = dim == 2 ? 1.1 * 0.9 + 0.2 * 0.3
                              : 1.1 * 0.9 * 1.04 + 0.2 * 0.3 * 1.04 + 0.05 * 0.3 * 0.02;
        CN_NEAR(number(&s, "strain", "volume"), det - 1.0, 1e-14, "the determinant");
        if (dim == 2) {
            CN_NEAR(number(&s, "strain", "shear"), sqrt(2.0 * 2.0 * (0.01 + 0.0025)), 1e-14,
                    "the symmetric deviator has 0.1 and 0.05");
        }
        way[0] = NAN; // came later: it does not count
        CN_NEAR(number(&s, "strain", "yy"), H[4], 1e-14, "of the others");
        s.way = NULL;
        CN_TRUE(isnan(number(&s, "strain", "xx")) && isnan(number(&s, "strain", "non_affine")));
    }
}

CN_MAIN(CN_RUN(strain_is_what_fits_the_ways); CN_RUN(percolation_is_winding);
        CN_RUN(square_lattice); CN_RUN(hexagonal_lattice); CN_RUN(principal_stresses);
        CN_RUN(cubic_lattices); CN_RUN(points_of_a_pair_add_up); CN_RUN(harmonics_that_are_known);
        CN_RUN(gradient_that_is_known); CN_RUN(gradient_in_space);)
