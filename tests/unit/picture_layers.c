// Solid fraction of layers and rings: parts of disks and balls, nothing is lost, lattices.
#include "cairn/picture.h"
#include "picture/chart/layers.h"
#include "test.h"

CN_TEST(parts_of_disks_and_balls)
{
    CN_NEAR(cn_ball_below(2, 2.0, 0.0), 2.0 * CN_PI, 1e-14, "half a disk");
    CN_NEAR(cn_ball_below(3, 2.0, 0.0), 16.0 / 3.0 * CN_PI, 1e-13, "half a ball");
    CN_NEAR(cn_ball_below(2, 2.0, -5.0), 0.0, 1e-15, "nothing below");
    CN_NEAR(cn_ball_below(3, 2.0, 5.0), 32.0 / 3.0 * CN_PI, 1e-13, "all of it");
    CN_NEAR(cn_ball_below(3, 1.0, 0.5), CN_PI * (2.0 / 3.0 + 0.5 - 0.125 / 3.0), 1e-15,
            "less a cap of height 1/2");
    // Two unit circles through each other's centres share 2 pi/3 - sqrt(3)/2.
    CN_NEAR(cn_disk_within(1.0, 1.0, 1.0), 2.0 * CN_PI / 3.0 - 0.5 * sqrt(3.0), 1e-14, "a lens");
    CN_NEAR(cn_disk_within(1.0, 3.0, 1.5), 0.0, 0.0, "apart");
    CN_NEAR(cn_disk_within(1.0, 0.2, 4.0), CN_PI, 1e-15, "all of it");
    CN_NEAR(cn_disk_within(4.0, 0.2, 1.0), CN_PI, 1e-15, "all that is within");
    CN_NEAR(cn_disk_within(1.0, 100.0, 100.0), 0.5 * CN_PI - 1.0 / 300.0, 1e-6,
            "far away half of it, less its share of the curvature: 2/3 r^3/(2 R)");
}

// Disks in a cell: the layers together hold all of them, also those across the faces.
CN_TEST(layers_of_a_cell_hold_everything)
{
    const double cell[9] = {2.0, 0.3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    double q[3 * 5] = {0.1, 0.02, 0.0, 0.6, 0.5,  0.0, 1.9, 0.97,
                       0.0, 1.2,  0.3, 0.0, 2.05, 0.7, 0.0};
    double content[5], sum = 0.0;
    for (int k = 0; k < 5; k++) {
        content[k] = 0.01 * (k + 1);
        sum += content[k];
    }
    cn_frame f = {.dim = 2, .q_size = 3, .v_size = 3, .body_count = 5, .q = q, .cell = cell};
    for (int axis = 0; axis < 2; axis++) {
        cn_layers l;
        double all = 0.0;
        CN_DO(cn_layers_make(2, axis, 7, 0.0, cell[4 * axis], &l, &test_error));
        cn_layers_take(&l, &f, content);
        cn_layers_take(&l, &f, content);
        for (int b = 0; b < 7; b++) {
            all += cn_layers_mean(&l, b) / 7.0;
        }
        CN_NEAR(all, sum / 2.0, 1e-14, "area of the disks over that of the cell");
        CN_NEAR(cn_layers_at(&l, 0), cell[4 * axis] / 14.0, 1e-15, "middle of the first layer");
        cn_layers_free(&l);
    }
}

// One disk around the origin, and a ring of touching ones around it: nothing is lost either.
CN_TEST(rings_hold_everything)
{
    double q[3 * 7] = {0.0}, content[7], all = 0.0;
    for (int k = 0; k < 7; k++) {
        q[3 * k] = k == 0 ? 0.0 : 2.0 * cos(CN_PI * k / 3.0);
        q[3 * k + 1] = k == 0 ? 0.0 : 2.0 * sin(CN_PI * k / 3.0);
        content[k] = CN_PI;
    }
    cn_frame f = {.dim = 2, .q_size = 3, .v_size = 3, .body_count = 7, .q = q};
    cn_layers l;
    CN_DO(cn_layers_make(2, CN_PLOT_RADIUS, 6, 0.0, 3.0, &l, &test_error));
    cn_layers_take(&l, &f, content);
    for (int b = 0; b < 6; b++) {
        all += cn_layers_mean(&l, b) * CN_PI * 0.25 * (2 * b + 1);
    }
    CN_NEAR(all, 7.0 * CN_PI, 1e-13, "all seven disks");
    CN_NEAR(cn_layers_mean(&l, 0), 1.0, 1e-14, "the middle is full");
    cn_layers_free(&l);
}

CN_MAIN(CN_RUN(parts_of_disks_and_balls); CN_RUN(layers_of_a_cell_hold_everything);
        CN_RUN(rings_hold_everything);)
