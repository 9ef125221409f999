// Half-planes and half-spaces list the bodies that may reach them in a step, and no others.
#include <math.h>

#include "scenes.h"
#include "test.h"
#include "world/world.h"

static const double radius = 0.01, h = 1e-3; // [m], [s]

// Disks that the broad phase lists with a slope; the k-th is k diameters above it, and far from the
// others.
static int pairs_on_slope(double angle, double speed)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-2);
    cn_body_id ground = scene_ground(w, 0.0, 0.0, angle);
    for (int k = 0; k < 5; k++) {
        double height = (1.0 + 2.0 * k) * radius, along = 0.5 + 6.0 * k * radius;
        scene_disk(w, along * cos(angle) - height * sin(angle),
                   along * sin(angle) + height * cos(angle), radius, 0);
    }
    cn_drive_def drive = {
        .body = ground, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_Y, .f = cn_constant(speed)};
    CN_DO(cn_drive_add(w, &drive, &test_error));
    scene_run(w, h, 1);
    int found = (int)w->detect.broad.pair_count;
    cn_world_destroy(w);
    return found;
}

// The corner of the box around a disk reaches further than the disk, by 0.41 radii at most.
CN_TEST(a_slope_meets_what_lies_on_it)
{
    for (int k = -3; k <= 3; k++) {
        CN_TRUE(pairs_on_slope(0.4 * k, 0.0) == 1);
    }
}

// A floor that rises by five diameters in the step may reach all of them, and throws them on.
CN_TEST(a_rising_floor_meets_all_on_its_way)
{
    CN_TRUE(pairs_on_slope(0.0, 10.0 * radius / h) >= 5);
}

CN_TEST(a_floor_in_space_meets_the_lowest_layer)
{
    cn_world *w = scene_space(0.3, 0.0, 1e-2);
    scene_floor(w, 0.0);
    for (int k = 0; k < 27; k++) { // apart from each other
        scene_sphere(w, 3.0 * radius * (k % 3), 3.0 * radius * (k / 3 % 3),
                     (1.0 + 3.0 * (k / 9)) * radius, radius);
    }
    scene_run(w, h, 1);
    CN_TRUE(w->detect.broad.pair_count == 9);
    CN_TRUE(w->contacts.count == 9);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(a_slope_meets_what_lies_on_it); CN_RUN(a_rising_floor_meets_all_on_its_way);
        CN_RUN(a_floor_in_space_meets_the_lowest_layer);)
