// Boxes of the overlap check: distances, and a tree that halves them where they are longest.
#include "audit/overlap/overlap.h"
#include "base/hash.h"
#include "test.h"

// 3, 4 and 12 beside a box on any side are 13 from it; inside the distance is zero.
CN_TEST(points_beside_a_box_are_as_far_as_its_nearest_point)
{
    const cn_box3 box = {{-1.0, -2.0, -3.0}, {1.0, 2.0, 3.0}};
    const double way[3] = {3.0, 4.0, 12.0}, half[3] = {1.0, 2.0, 3.0};
    for (int k = 0; k < 27; k++) { // below, beside or above along each axis
        const int side[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        double at[3], square = 0.0;
        for (int d = 0; d < 3; d++) {
            at[d] = side[d] == 0 ? 0.5 : side[d] * (half[d] + way[d]);
            square += side[d] == 0 ? 0.0 : way[d] * way[d];
        }
        double distance = cn_deep_box_distance(&box, cn_v3(at[0], at[1], at[2]));
        CN_NEAR(distance, sqrt(square), 1e-14, "rounding of a root");
    }
}

// Boxes along a line are halved across it, whichever axis it is: the halves do not overlap.
CN_TEST(trees_halve_boxes_where_they_are_longest)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int second = 0; second < 3; second++) { // twice as long there as along the third
            cn_box3 box[40];
            for (int k = 0; k < 40; k++) {
                double at[3] = {0.01 * (k % 3), 0.01 * (k % 4), 0.01 * (k % 5)};
                at[second] *= 2.0;
                at[axis] = 7 * k % 40;
                cn_vec3 lo = cn_v3(at[0], at[1], at[2]);
                box[k] = (cn_box3){lo, cn_add3(lo, cn_v3(0.5, 0.5, 0.5))};
            }
            cn_deep_tree tree;
            CN_DO(cn_deep_tree_build(NULL, box, 40, &tree, &test_error));
            const cn_deep_node *low = &tree.node[1], *high = &tree.node[tree.node[0].first];
            CN_TRUE(tree.node[0].count == 0);
            CN_NEAR((&low->box.hi.x)[axis], 19.5, 0.0, "the first twenty");
            CN_NEAR((&high->box.lo.x)[axis], 20.0, 0.0, "the others");
            cn_deep_tree_free(NULL, &tree);
        }
    }
}

// A walk in a box finds every item that meets it, once.
CN_TEST(walks_find_what_meets_their_box)
{
    enum { COUNT = 300 };
    uint64_t random = 8;
    cn_box3 box[COUNT];
    for (int k = 0; k < COUNT; k++) {
        cn_vec3 lo = cn_v3(cn_random(&random), cn_random(&random), cn_random(&random));
        double size = 0.1 * cn_random(&random);
        box[k] = (cn_box3){lo, cn_add3(lo, cn_v3(size, 0.5 * size, 2.0 * size))};
    }
    cn_deep_tree tree;
    CN_DO(cn_deep_tree_build(NULL, box, COUNT, &tree, &test_error));
    for (int k = 0; k < 50; k++) {
        bool is_found[COUNT] = {false};
        cn_deep_walk walk = cn_deep_walk_in(&tree, box[k]);
        for (int n = cn_deep_walk_next(&walk); n >= 0; n = cn_deep_walk_next(&walk)) {
            CN_TRUE(!is_found[n]);
            is_found[n] = true;
        }
        for (int n = 0; n < COUNT; n++) {
            CN_TRUE(is_found[n] || !cn_deep_boxes_meet(&box[n], &box[k]));
        }
    }
    cn_deep_tree_free(NULL, &tree);
    CN_DO(cn_deep_tree_build(NULL, box, 0, &tree, &test_error));
    cn_deep_walk empty = cn_deep_walk_in(&tree, box[0]);
    CN_TRUE(cn_deep_walk_next(&empty) == -1);
    cn_deep_tree_free(NULL, &tree);
}

CN_MAIN(CN_RUN(points_beside_a_box_are_as_far_as_its_nearest_point);
        CN_RUN(trees_halve_boxes_where_they_are_longest); CN_RUN(walks_find_what_meets_their_box);)
