// Mass properties against formulas, definitions that must be refused, placement and boxes.
#include "geometry/plane/shape.h"
#include "test.h"

static cn_shape_mass measure(cn_shape_def def)
{
    cn_shape_mass mass = {0};
    CN_DO(cn_shape_measure(&def, &mass, &test_error));
    return mass;
}

static cn_shape_def polygon(int count, const double *vertex)
{
    return (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = count, .vertex = vertex};
}

CN_TEST(disk_has_the_mass_of_a_disk)
{
    cn_shape_mass m = measure((cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 0.3});
    CN_NEAR(m.area, CN_PI * 0.09, 1e-15, "pi r^2");
    CN_NEAR(m.inertia, CN_PI * 0.0081 / 2, 1e-16, "pi r^4 / 2");
    CN_NEAR(m.size, 0.6, 1e-15, "diameter");
}

// Cut the capsule in thin strips across its axis.
CN_TEST(capsule_inertia_matches_strips)
{
    const double r = 0.2, l = 0.7;
    double area = 0.0, inertia = 0.0;
    const int strips = 200000;
    for (int k = 0; k < strips; k++) {
        double x = (k + 0.5) / strips * (l / 2 + r), beyond = fmax(0.0, x - l / 2);
        double half = sqrt(r * r - beyond * beyond), width = (l / 2 + r) / strips;
        area += 2 * width * 2 * half;
        inertia += 2 * width * (2 * half * x * x + 2 * half * half * half / 3);
    }
    cn_shape_mass m = measure((cn_shape_def){.kind = CN_SHAPE_CAPSULE, .radius = r, .length = l});
    CN_NEAR(m.area, area, 1e-8, "strips end in a vertical tangent: error of order 1.5");
    CN_NEAR(m.inertia, inertia, 1e-8, "strips end in a vertical tangent: error of order 1.5");
    CN_NEAR(m.size, 2 * r, 1e-15, "across");
}

CN_TEST(hollow_disk_is_a_difference_of_disks)
{
    cn_shape_mass m =
        measure((cn_shape_def){.kind = CN_SHAPE_HOLLOW_DISK, .radius = 2.0, .thickness = 0.5});
    CN_NEAR(m.area, CN_PI * (6.25 - 4.0), 1e-14, "difference of areas");
    CN_NEAR(m.inertia, 0.5 * CN_PI * (39.0625 - 16.0), 1e-13, "difference of inertias");
    CN_NEAR(m.size, 0.5, 0.0, "wall");
}

CN_TEST(box_has_the_mass_of_a_box)
{
    double v[8];
    cn_box_vertices(0.4, 0.2, v);
    cn_shape_mass m = measure(polygon(4, v));
    CN_NEAR(m.area, 0.08, 1e-16, "w h");
    CN_NEAR(m.inertia, 0.08 * (0.16 + 0.04) / 12, 1e-17, "m (w^2 + h^2) / 12");
    CN_NEAR(m.centre[0], 0.0, 1e-16, "centred");
    CN_NEAR(m.centre[1], 0.0, 1e-16, "centred");
    CN_NEAR(m.size, 0.2, 1e-16, "height");
}

CN_TEST(triangle_far_from_the_origin_keeps_its_digits)
{
    const double x = 1e6;
    const double v[6] = {x, x, x + 3.0, x, x, x + 4.0};
    cn_shape_mass m = measure(polygon(3, v));
    CN_NEAR(m.area, 6.0, 1e-14, "coordinates are exact");
    CN_NEAR(m.centre[0] - x, 1.0, 1e-9, "one ulp of 1e6");
    CN_NEAR(m.inertia, 6.0 * (9.0 + 16.0) / 18, 1e-8, "m (a^2 + b^2) / 18, centroid to one ulp");
    CN_NEAR(m.size, 12.0 / 5.0, 1e-14, "height over the longest edge");
}

CN_TEST(regular_polygons_approach_the_disk)
{
    const int n = 999;
    double v[2 * 999];
    for (int k = 0; k < n; k++) {
        v[2 * k] = 5.0 + cos(2 * CN_PI * k / n);
        v[2 * k + 1] = sin(2 * CN_PI * k / n);
    }
    cn_shape_mass m = measure(polygon(n, v));
    double a = 2 * CN_PI / n;
    CN_NEAR(m.area, 0.5 * n * sin(a), 1e-12, "n triangles");
    CN_NEAR(m.inertia, n * sin(a) * (2 + cos(a)) / 12, 1e-12, "n triangles");
    CN_NEAR(m.size, 1 + cos(CN_PI / n), 1e-12, "odd polygon: radius plus apothem");
}

CN_TEST(half_plane_has_no_mass)
{
    cn_shape_mass m = measure((cn_shape_def){.kind = CN_SHAPE_HALF_PLANE});
    CN_TRUE(m.area == 0.0 && m.inertia == 0.0 && m.size == INFINITY);
}

#define REFUSED(word, ...)                                                                         \
    do {                                                                                           \
        cn_shape_def def = __VA_ARGS__;                                                            \
        cn_shape_mass mass;                                                                        \
        CN_FAILS(cn_shape_measure(&def, &mass, &test_error), CN_BAD_INPUT, word);                  \
    } while (0)

CN_TEST(bad_lengths_are_refused)
{
    REFUSED("radius", {.kind = CN_SHAPE_DISK, .radius = -1.0});
    REFUSED("radius", {.kind = CN_SHAPE_DISK, .radius = NAN});
    REFUSED("radius", {.kind = CN_SHAPE_DISK});
    REFUSED("radius", {.kind = CN_SHAPE_DISK, .radius = INFINITY});
    REFUSED("too small", {.kind = CN_SHAPE_DISK, .radius = 1e-200});
    REFUSED("length", {.kind = CN_SHAPE_CAPSULE, .radius = 1.0});
    REFUSED("radius", {.kind = CN_SHAPE_CAPSULE, .length = 1.0});
    REFUSED("thickness", {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 1.0, .thickness = NAN});
    REFUSED("not finite", {.kind = CN_SHAPE_HALF_PLANE, .angle = NAN});
    REFUSED("kind", {.kind = CN_SHAPE_KIND_COUNT});
}

CN_TEST(bad_polygons_are_refused)
{
    const double box[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    const double clockwise[8] = {0, 0, 0, 1, 1, 1, 1, 0};
    const double dart[8] = {0, 0, 2, 0, 0.5, 0.5, 0, 2};
    const double twice[8] = {0, 0, 1, 0, 1, 0, 0, 1};
    const double line[6] = {0, 0, 1, 1, 2, 2};
    const double straight[8] = {0, 0, 1, 0, 2, 0, 0, 1};
    const double nan[6] = {0, 0, 1, NAN, 0, 1};
    REFUSED("at least 3", polygon(2, box));
    REFUSED("at least 3", polygon(4, NULL));
    REFUSED("at most", polygon(40000, box));
    REFUSED("run clockwise: reverse them", polygon(4, clockwise));
    REFUSED("not convex at vertex 2", polygon(4, dart));
    REFUSED("vertices 1 and 2", polygon(4, twice));
    REFUSED("area 0", polygon(3, line));
    REFUSED("vertex 1 (1, 0)", polygon(4, straight));
    REFUSED("vertex 1", polygon(3, nan));
    double star[10];
    for (int k = 0; k < 5; k++) {
        star[2 * k] = cos(4 * CN_PI * k / 5);
        star[2 * k + 1] = sin(4 * CN_PI * k / 5);
    }
    REFUSED("winds 2 times", polygon(5, star));
}

// Two boxes that together are one: same mass properties.
CN_TEST(cluster_of_halves_is_the_whole)
{
    double half[8], whole[8];
    cn_box_vertices(0.2, 0.2, half);
    cn_box_vertices(0.4, 0.2, whole);
    cn_shape_def part[3] = {polygon(4, half), polygon(4, half), {.kind = CN_SHAPE_HALF_PLANE}};
    part[0].at[0] = 1.0 - 0.1 * cos(0.3);
    part[0].at[1] = 2.0 - 0.1 * sin(0.3);
    part[1].at[0] = 1.0 + 0.1 * cos(0.3);
    part[1].at[1] = 2.0 + 0.1 * sin(0.3);
    part[0].angle = part[1].angle = 0.3;
    cn_shape_mass m = {0}, exact = measure(polygon(4, whole));
    CN_DO(cn_shapes_measure(part, 3, &m, &test_error));
    CN_NEAR(m.area, exact.area, 1e-15, "areas add up");
    CN_NEAR(m.centre[0], 1.0, 1e-14, "middle");
    CN_NEAR(m.centre[1], 2.0, 1e-14, "middle");
    CN_NEAR(m.inertia, exact.inertia, 1e-15, "parallel axes");
    CN_NEAR(m.size, 0.2, 1e-15, "smallest of the shapes");
    part[1].radius = -1.0;
    part[1].kind = CN_SHAPE_DISK;
    CN_FAILS(cn_shapes_measure(part, 3, &m, &test_error), CN_BAD_INPUT, "shape 1");
}

CN_TEST(placed_shape_lies_where_the_definition_says)
{
    double v[8];
    cn_box_vertices(2.0, 1.0, v);
    cn_shape_def def = polygon(4, v);
    def.at[0] = 3.0;
    def.angle = CN_PI / 2;
    cn_vec2 vertex[4], normal[4];
    cn_shape shape;
    CN_TRUE(cn_shape_vertex_count(&def) == 4);
    cn_shape_place(&def, cn_v2(1.0, 0.0), vertex, normal, &shape);
    CN_NEAR(vertex[0].x, 2.5, 1e-15, "at - centre + turned (-1, -0.5)");
    CN_NEAR(vertex[0].y, -1.0, 1e-15, "at - centre + turned (-1, -0.5)");
    CN_NEAR(normal[0].x, 1.0, 1e-15, "lower edge looks right after a quarter turn");
    CN_NEAR(shape.reach, hypot(2.5, 1.0), 1e-15, "farthest corner");
    cn_posed posed = {&shape, {10.0, 0.0}, 0.0, 1.0};
    cn_box2 box = cn_posed_box(&posed);
    CN_NEAR(box.lo.x, 9.0, 1e-14, "turned once more");
    CN_NEAR(box.hi.y, 2.5, 1e-14, "turned once more");
}

CN_TEST(boxes_hold_the_rounding_and_the_wall)
{
    cn_vec2 vertex[2], normal[2];
    cn_shape shape;
    cn_posed posed = {&shape, {1.0, 1.0}, 1.0, 0.0};
    cn_shape_def drum = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 2.0, .thickness = 0.5};
    cn_shape_place(&drum, cn_v2(0.0, 0.0), vertex, normal, &shape);
    CN_NEAR(cn_posed_box(&posed).lo.x, -1.5, 0.0, "outer radius");
    CN_NEAR(shape.reach, 2.5, 0.0, "outer radius");
    cn_shape_def bar = {.kind = CN_SHAPE_CAPSULE, .radius = 0.5, .length = 4.0};
    cn_shape_place(&bar, cn_v2(0.0, 0.0), vertex, normal, &shape);
    CN_NEAR(cn_posed_box(&posed).hi.x, 3.5, 0.0, "half length and radius");
    CN_NEAR(cn_posed_box(&posed).hi.y, 1.5, 0.0, "radius");
    cn_shape_def plane = {.kind = CN_SHAPE_HALF_PLANE, .at = {0.0, 2.0}, .angle = CN_PI / 2};
    cn_shape_place(&plane, cn_v2(0.0, 0.0), vertex, normal, &shape);
    CN_TRUE(cn_posed_box(&posed).lo.x == -INFINITY && shape.reach == INFINITY);
    CN_NEAR(normal[0].x, -1.0, 1e-15, "outward is local y");
    CN_NEAR(vertex[0].y, 2.0, 0.0, "a point of the boundary");
}

CN_TEST(kinds_have_names)
{
    CN_TRUE(strcmp(cn_shape_kind_name(CN_SHAPE_HOLLOW_DISK), "hollow_disk") == 0);
    CN_TRUE(strcmp(cn_shape_kind_name((cn_shape_kind)99), "unknown shape") == 0);
}

CN_MAIN(CN_RUN(disk_has_the_mass_of_a_disk); CN_RUN(capsule_inertia_matches_strips);
        CN_RUN(hollow_disk_is_a_difference_of_disks); CN_RUN(box_has_the_mass_of_a_box);
        CN_RUN(triangle_far_from_the_origin_keeps_its_digits);
        CN_RUN(regular_polygons_approach_the_disk); CN_RUN(half_plane_has_no_mass);
        CN_RUN(bad_lengths_are_refused); CN_RUN(bad_polygons_are_refused);
        CN_RUN(cluster_of_halves_is_the_whole); CN_RUN(placed_shape_lies_where_the_definition_says);
        CN_RUN(boxes_hold_the_rounding_and_the_wall); CN_RUN(kinds_have_names);)
