// Patches of contacts: hull, resultant, eccentricity and kernel of shapes whose numbers are known.
#include "cairn/patch.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

// Sums and quotients of a few numbers of size 1.
static const double ROUNDING = 1e-13;

static cn_contact point_at(double x, double y, double z, double push)
{
    return (cn_contact){.pair = 1,
                        .i = 1,
                        .j = 0,
                        .point = {x, y, z},
                        .normal = {0.0, 0.0, 1.0},
                        .r = {push, 0.0, 0.0}};
}

static cn_patch_forces find(const cn_contact *contact, int count, int dim)
{
    cn_patch_forces patches = {0};
    CN_DO(cn_patch_forces_find(contact, count, dim, &patches, &test_error));
    return patches;
}

// A joint of depth 3 in the plane, pressed by 3 at one end and 1 at the other, sheared by 1.
CN_TEST(joint_in_the_plane)
{
    cn_contact two[2] = {point_at(1.0, 2.0, 0.0, 3.0), point_at(4.0, 2.0, 0.0, 1.0)};
    for (int k = 0; k < 2; k++) {
        memcpy(two[k].normal, (double[3]){0.0, 1.0, 0.0}, sizeof two[k].normal);
        two[k].r[1] = -0.5; // along (-1, 0): one to the right
    }
    cn_patch_forces p = find(two, 2, 2);
    CN_TRUE(p.count == 1 && p.patch[0].corner_count == 2);
    CN_NEAR(p.patch[0].area, 3.0, ROUNDING, "depth of the joint");
    CN_NEAR(p.patch[0].centre[0], 2.5, ROUNDING, "its middle");
    CN_NEAR(p.patch[0].at[0], (3.0 * 1.0 + 1.0 * 4.0) / 4.0, ROUNDING, "lever");
    CN_NEAR(p.patch[0].force[0], 1.0, ROUNDING, "shear to the right");
    CN_NEAR(p.patch[0].push, 4.0, ROUNDING, "sum");
    CN_NEAR(p.patch[0].shear, 1.0, ROUNDING, "sum");
    CN_NEAR(p.patch[0].moment[2], -1.5 * 3.0 + 1.5 * 1.0, ROUNDING, "about the middle");
    CN_NEAR(p.patch[0].eccentricity, 0.5, ROUNDING, "0.75 of 1.5");
    CN_TRUE(!p.patch[0].in_kernel); // beyond a third
    cn_patch_forces_free(&p);
    two[1].r[0] = 1.51; // 1.49/4.51 of the half depth
    p = find(two, 2, 2);
    CN_TRUE(p.patch[0].in_kernel);
    cn_patch_forces_free(&p);
    two[0].r[0] = two[1].r[0] = 0.0;
    p = find(two, 2, 2);
    CN_TRUE(isnan(p.patch[0].eccentricity) && !p.patch[0].in_kernel);
    cn_patch_forces_free(&p);
}

// The kernel of a rectangle a x b is the rhombus with half axes a/6 and b/6. Corners come in no
// order, one point lies inside and one on an edge.
CN_TEST(kernel_of_a_rectangle)
{
    const double a = 4.0, b = 1.0;
    for (int side = -1; side <= 1; side += 2) {
        double x = (1.0 + 1e-6 * side) * a / 12.0, y = b / 12.0; // on its edge, to 1e-6
        cn_contact c[6] = {point_at(2.0, -0.5, 7.0, 0.0), point_at(-2.0, 0.5, 7.0, 0.0),
                           point_at(2.0, 0.5, 7.0, 0.0),  point_at(-2.0, -0.5, 7.0, 0.0),
                           point_at(0.0, 0.5, 7.0, 0.0),  point_at(x, y, 7.0, 10.0)};
        cn_patch_forces p = find(c, 6, 3);
        CN_TRUE(p.count == 1 && p.patch[0].corner_count == 4 && p.patch[0].count == 6);
        CN_NEAR(p.patch[0].area, a * b, ROUNDING, "of the rectangle");
        CN_NEAR(p.patch[0].centre[2], 7.0, ROUNDING, "in its plane");
        CN_NEAR(p.patch[0].eccentricity, 1.0 / 6.0, 2e-7, "a/12 and b/12, the farther by 1e-6");
        CN_TRUE(p.patch[0].in_kernel == (side < 0));
        cn_patch_forces_free(&p);
    }
}

// A right triangle: centre of area at a third, not at the mean of its points once one is doubled.
CN_TEST(centre_of_area)
{
    cn_contact c[4] = {point_at(0.0, 0.0, 0.0, 1.0), point_at(3.0, 0.0, 0.0, 0.0),
                       point_at(0.0, 3.0, 0.0, 0.0), point_at(3.0, 0.0, 0.0, 0.0)};
    cn_patch_forces p = find(c, 4, 3);
    CN_NEAR(p.patch[0].centre[0], 1.0, ROUNDING, "a third of the side");
    CN_NEAR(p.patch[0].centre[1], 1.0, ROUNDING, "a third of the side");
    CN_NEAR(p.patch[0].area, 4.5, ROUNDING, "half of the square");
    CN_NEAR(p.patch[0].eccentricity, 1.0, ROUNDING, "at a corner");
    cn_patch_forces_free(&p);
}

// Points on a line, across which there is nothing; a point alone; another normal, another pair.
CN_TEST(lines_points_and_pairs)
{
    cn_contact c[6] = {point_at(0.0, 0.0, 0.0, 1.0), point_at(1e-17, 0.5, 0.0, 1.0),
                       point_at(0.0, 1.0, 0.0, 2.0), point_at(5.0, 5.0, 0.0, 1.0),
                       point_at(6.0, 5.0, 0.0, 1.0), point_at(7.0, 5.0, 0.0, 1.0)};
    c[3].normal[0] = 1.0;
    c[3].normal[2] = 0.0;
    c[4].pair = c[5].pair = 2;
    cn_patch_forces p = find(c, 6, 3);
    CN_TRUE(p.count == 3);
    CN_TRUE(p.patch[0].corner_count == 2 && p.patch[0].count == 3);
    CN_NEAR(p.patch[0].area, 0.0, 0.0, "a line has none");
    CN_NEAR(p.patch[0].eccentricity, (2.5 / 4.0 - 0.5) / 0.5, ROUNDING, "along the line");
    CN_TRUE(p.patch[1].corner_count == 1 && isnan(p.patch[1].eccentricity));
    CN_TRUE(p.patch[2].count == 2 && p.order[4] + p.order[5] == 9);
    cn_patch_forces_free(&p);
    p = find(c, 0, 3);
    CN_TRUE(p.count == 0);
    cn_patch_forces_free(&p);
}

// A column on the ground whose stones have two sides, until one is pressed from the side: the
// lowest one only then. Two stones of different weight beside each other press one side of what is
// below.
CN_TEST(line_of_thrust)
{
    cn_contact c[4] = {point_at(0.1, 0.0, 0.0, 3.0), point_at(0.2, 0.0, 1.0, 2.0),
                       point_at(0.3, 0.0, 2.0, 1.0), point_at(0.5, 0.0, 1.5, 0.0)};
    for (int k = 0; k < 3; k++) {
        c[k].pair = (uint64_t)k;
        c[k].i = k + 1;
        c[k].j = k;
    }
    c[3].pair = 9;
    c[3].i = 2;
    c[3].j = 4;
    c[3].normal[0] = 1.0;
    c[3].normal[2] = 0.0;
    for (int is_pushed = 0; is_pushed < 2; is_pushed++) {
        cn_thrust *piece = NULL;
        int count = 0;
        c[3].r[0] = is_pushed;
        cn_patch_forces p = find(c, 4, 3);
        CN_DO(cn_thrust_find(&p, 5, &piece, &count, &test_error));
        CN_TRUE(count == 2 - is_pushed && piece[0].body == 1);
        CN_NEAR(piece[0].end[0][0], 0.1, 0.0, "where the ground presses it");
        CN_NEAR(piece[0].end[1][0], 0.2, 0.0, "where the next one presses it");
        free(piece);
        cn_patch_forces_free(&p);
    }
    cn_thrust *piece = NULL;
    int count = 0;
    c[3] = point_at(0.6, 0.0, 1.0, 6.0);
    c[3].pair = 9;
    c[3].i = 4;
    c[3].j = 1;
    cn_patch_forces p = find(c, 4, 3);
    CN_DO(cn_thrust_find(&p, 5, &piece, &count, &test_error));
    CN_TRUE(count == 2 && piece[0].body == 1);
    CN_NEAR(piece[0].end[1][0], (2.0 * 0.2 + 6.0 * 0.6) / 8.0, ROUNDING, "weighted");
    free(piece);
    cn_patch_forces_free(&p);
}

CN_MAIN(CN_RUN(joint_in_the_plane); CN_RUN(kernel_of_a_rectangle); CN_RUN(centre_of_area);
        CN_RUN(lines_points_and_pairs); CN_RUN(line_of_thrust);)
