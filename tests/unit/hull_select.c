// Which corners of a patch are kept, and their names (theory 5.4).
#include "base/hash.h"
#include "detect/plane/pairs.h"
#include "detect/space/hull/hull_patch.h"
#include "detect/space/nearest_space.h"
#include "test.h"

// A regular polygon of n corners, counterclockwise, the first edge below; shaken by rounding.
static cn_outline regular(int n, double shake, uint64_t *random)
{
    cn_outline o = {.count = n};
    for (int k = 0; k < n; k++) {
        double angle = 2.0 * CN_PI * (k - 0.5) / n - 0.5 * CN_PI;
        o.corner[k] = cn_v2(cos(angle) + shake * (cn_random(random) - 0.5),
                            sin(angle) + shake * (cn_random(random) - 0.5));
    }
    return o;
}

static double area_of(const cn_outline *o, const int pick[4])
{
    double area = 0.0;
    for (int k = 0; k < 4; k++) {
        area += 0.5 * cn_cross2(o->corner[pick[k]], o->corner[pick[(k + 1) % 4]]);
    }
    return area;
}

// Numbers of the corners that were kept, as a set of bits.
static unsigned kept_of(const cn_outline *all, const cn_outline *kept)
{
    unsigned bits = 0;
    for (int k = 0; k < kept->count; k++) {
        for (int n = 0; n < all->count; n++) {
            bits |= cn_norm2(cn_sub2(all->corner[n], kept->corner[k])) == 0.0 ? 1u << n : 0u;
        }
    }
    return bits;
}

// The largest quadrilateral with all corners of `must`.
static double largest(const cn_outline *o, unsigned must)
{
    double most = 0.0;
    int p[4];
    for (p[0] = 0; p[0] < o->count; p[0]++) {
        for (p[1] = p[0] + 1; p[1] < o->count; p[1]++) {
            for (p[2] = p[1] + 1; p[2] < o->count; p[2]++) {
                for (p[3] = p[2] + 1; p[3] < o->count; p[3]++) {
                    unsigned bits = 1u << p[0] | 1u << p[1] | 1u << p[2] | 1u << p[3];
                    most = (bits & must) == must ? fmax(most, area_of(o, p)) : most;
                }
            }
        }
    }
    return most;
}

// Flat patches keep the largest quadrilateral, tilted ones the largest that holds the lowest edge,
// or two; choices within 1e-3 of each other are equal, and three of them are made.
CN_TEST(the_largest_quadrilateral_is_kept)
{
    uint64_t random = 3;
    for (int n = 5; n <= 14; n++) {
        for (int hinge = 0; hinge < 4; hinge++) {
            cn_outline all = regular(n, 0.05, &random);
            unsigned must = 0;
            for (int k = 0; k < n && hinge > 1; k++) {
                all.gap[k] = k < hinge ? 0.0 : 1.0;
                must |= k < hinge ? 1u << k : 0u;
            }
            for (int side = 0; side < 2; side++) {
                cn_outline o = all;
                int slot[4];
                cn_outline_select(&o, cn_v2(0.6, 0.8), side == 0, 1e-6, slot);
                unsigned bits = kept_of(&all, &o);
                CN_TRUE(o.count == 4 && (bits & must) == must);
                int pick[4] = {0, 1, 2, 3};
                double area = fabs(area_of(&o, pick));
                CN_TRUE(area >= 0.997 * largest(&all, must));
                unsigned names = 0;
                for (int k = 0; k < 4; k++) {
                    names |= 1u << slot[k];
                    CN_TRUE((slot[(k + 1) % 4] - slot[k] + 4) % 4 == 1); // one after the other
                }
                CN_TRUE(names == 15u);
            }
        }
    }
}

// All quadrilaterals of a regular pentagon are equal, and so are two corners of a heptagon above
// three in a row: the first one is taken, whatever rounding makes of them.
CN_TEST(near_equal_choices_go_to_the_first)
{
    uint64_t random = 9;
    for (int k = 0; k < 20; k++) {
        cn_outline five = regular(5, 1e-5, &random), seven = regular(7, 1e-5, &random);
        for (int n = 0; n < 7; n++) {
            five.gap[n] = n < 2 ? 0.0 : 1.0;
            seven.gap[n] = n < 3 ? 0.0 : 1.0;
        }
        cn_outline o = five;
        int slot[4];
        cn_outline_select(&o, cn_v2(0.6, 0.8), true, 1e-6, slot);
        CN_TRUE(kept_of(&five, &o) == (1u << 0 | 1u << 1 | 1u << 2 | 1u << 3));
        o = seven;
        cn_outline_select(&o, cn_v2(0.6, 0.8), true, 1e-6, slot);
        CN_TRUE(kept_of(&seven, &o) == (1u << 0 | 1u << 1 | 1u << 2 | 1u << 4));
        // Flat: counted from the corner that is furthest along 25 degrees from the direction.
        for (int n = 0; n < 5; n++) {
            double angle = 2.0 * CN_PI * (n - 0.5) / 5 - 0.5 * CN_PI - 25.0 * CN_PI / 180.0;
            o = five;
            memset(o.gap, 0, sizeof o.gap);
            cn_outline_select(&o, cn_v2(cos(angle), sin(angle)), true, 1e-6, slot);
            CN_TRUE(kept_of(&five, &o) == (31u & ~(1u << (n + 4) % 5)));
        }
    }
}

// Where a list is full the touch with the largest gap leaves, and the order of the others stays.
CN_TEST(full_lists_keep_the_deepest)
{
    cn_touch list[CN_TOUCH_MAX + 2];
    int count = 0;
    for (int k = 0; k < CN_TOUCH_MAX + 2; k++) {
        list[k] = (cn_touch){.gap = -90.0 - k}; // what is behind the list is not touched
    }
    for (int k = 0; k < CN_TOUCH_MAX; k++) {
        cn_touch_keep(list, &count, (cn_touch){.gap = k == 3 ? 50.0 : k});
    }
    cn_touch_keep(list, &count, (cn_touch){.gap = 60.0}); // larger than all
    CN_TRUE(count == CN_TOUCH_MAX && list[3].gap == 50.0);
    cn_touch_keep(list, &count, (cn_touch){.gap = 3.5});
    for (int k = 0; k < CN_TOUCH_MAX; k++) {
        double gap = k == CN_TOUCH_MAX - 1 ? 3.5 : (k < 3 ? k : k + 1);
        CN_NEAR(list[k].gap, gap, 0.0, "in the order in which they came");
    }
    CN_TRUE(count == CN_TOUCH_MAX && list[CN_TOUCH_MAX].gap == -90.0 - CN_TOUCH_MAX);
}

// A unit vector across any other; across nothing it is z.
CN_TEST(across_is_a_unit_vector)
{
    uint64_t random = 4;
    for (int k = 0; k < 100; k++) {
        double scale = pow(10.0, 6.0 * cn_random(&random) - 3.0);
        cn_vec3 u = cn_v3(cn_random(&random) - 0.5, cn_random(&random) - 0.5,
                          k % 7 == 0 ? 0.0 : cn_random(&random) - 0.5);
        u = cn_mul3(scale, k % 5 == 0 ? cn_v3(0.0, u.y, u.z) : u);
        cn_vec3 n = cn_across(u);
        CN_NEAR(cn_norm3(n), 1.0, 1e-15, "a unit vector");
        CN_NEAR(cn_dot3(n, u), 0.0, 1e-15 * scale, "across");
    }
    cn_vec3 z = cn_across(cn_v3(0.0, 0.0, 0.0));
    CN_TRUE(z.x == 0.0 && z.y == 0.0 && z.z == 1.0);
}

CN_MAIN(CN_RUN(the_largest_quadrilateral_is_kept); CN_RUN(near_equal_choices_go_to_the_first);
        CN_RUN(full_lists_keep_the_deepest); CN_RUN(across_is_a_unit_vector);)
