// tests/unit/solid.c -- hulls are closed convex surfaces; masses against formulas on paper.
#include <stdlib.h>

#include "geometry/space/solid.h"
#include "test.h"

enum { POINT_MAX = 300 };

static unsigned long long seed = 1;

// Uniform in [-1, 1).
static double draw(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 4503599627370496.0 - 1.0;
}

static cn_quat draw_turn(void)
{
    cn_quat q = {draw(), draw(), draw(), draw()};
    return cn_quat_unit(q);
}

static void draw_points(double *point, int count)
{
    for (int k = 0; k < 3 * count; k++) {
        point[k] = draw();
    }
}

static void turn_points(double *point, int count, cn_quat q, cn_vec3 shift)
{
    cn_mat3 R = cn_quat_matrix(q);
    for (int k = 0; k < count; k++) {
        double *p = point + 3 * k;
        cn_vec3 v = cn_add3(shift, cn_mat3_mul(&R, cn_v3(p[0], p[1], p[2])));
        p[0] = v.x;
        p[1] = v.y;
        p[2] = v.z;
    }
}

// n^3 points of a cubic lattice of side 1: most lie inside faces and edges.
static int lattice(int n, double *point)
{
    for (int k = 0; k < n * n * n; k++) {
        point[3 * k] = (double)(k % n) / (n - 1);
        point[3 * k + 1] = (double)(k / n % n) / (n - 1);
        point[3 * k + 2] = (double)(k / n / n) / (n - 1);
    }
    return n * n * n;
}

// Largest height of a point above a face.
static double bulge(const cn_hull *h, const double *point, int count)
{
    double most = -INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        for (int k = 0; k < count; k++) {
            cn_vec3 p = cn_v3(point[3 * k], point[3 * k + 1], point[3 * k + 2]);
            most = fmax(most, cn_dot3(h->normal[f], p) - h->offset[f]);
        }
    }
    return most;
}

// Loops turn left about the outward normal at every vertex.
static bool is_turning_left(const cn_hull *h)
{
    bool is_left = true;
    for (int f = 0; f < h->face_count; f++) {
        const int *loop = h->face_vertex + h->face_start[f];
        int n = h->face_start[f + 1] - h->face_start[f];
        for (int k = 0; k < n; k++) {
            cn_vec3 u = h->vertex[loop[k]], v = h->vertex[loop[(k + 1) % n]];
            cn_vec3 w = h->vertex[loop[(k + 2) % n]];
            cn_vec3 turn = cn_cross3(cn_sub3(v, u), cn_sub3(w, v));
            is_left = is_left && cn_dot3(turn, h->normal[f]) > 0.0;
        }
    }
    return is_left;
}

static bool is_on_face(const cn_hull *h, int face, int from, int to)
{
    int start = h->face_start[face], end = h->face_start[face + 1];
    for (int k = start; k < end; k++) {
        int next = k + 1 == end ? start : k + 1;
        if (h->face_vertex[k] == from && h->face_vertex[next] == to) {
            return true;
        }
    }
    return false;
}

static bool are_edges_right(const cn_hull *h)
{
    bool is_right = true;
    for (int e = 0; e < h->edge_count; e++) {
        int u = h->edge[e][0], v = h->edge[e][1];
        is_right = is_right && u < v && is_on_face(h, h->edge_face[e][0], u, v) &&
                   is_on_face(h, h->edge_face[e][1], v, u);
        bool is_neighbour = false;
        for (int k = h->neighbour_start[u]; k < h->neighbour_start[u + 1]; k++) {
            is_neighbour = is_neighbour || h->neighbour[k] == v;
        }
        is_right = is_right && is_neighbour;
    }
    for (int v = 0; v < h->vertex_count; v++) {
        for (int k = h->neighbour_start[v] + 1; k < h->neighbour_start[v + 1]; k++) {
            is_right = is_right && h->neighbour[k - 1] < h->neighbour[k];
        }
    }
    return is_right && h->neighbour_start[h->vertex_count] == 2 * h->edge_count;
}

static void check_hull(const cn_hull *h, const double *point, int count)
{
    CN_TRUE(h->vertex_count - h->edge_count + h->face_count == 2);
    CN_TRUE(bulge(h, point, count) <= 1e-11);
    CN_TRUE(is_turning_left(h));
    CN_TRUE(are_edges_right(h));
}

CN_TEST(hulls_of_random_points_are_convex_and_closed)
{
    double point[3 * POINT_MAX];
    for (int trial = 0; trial < 200; trial++) {
        int count = 4 + trial % 60;
        draw_points(point, count);
        cn_hull *h = NULL;
        CN_DO(cn_hull_create(NULL, point, count, &h, &test_error));
        if (h != NULL) {
            check_hull(h, point, count);
            CN_TRUE(h->edge_count == 3 * h->vertex_count - 6); // all triangles
        }
        cn_hull_destroy(NULL, h);
    }
}

CN_TEST(coplanar_facets_merge_whatever_the_place)
{
    double point[3 * POINT_MAX];
    for (int trial = 0; trial < 60; trial++) {
        int count = lattice(2 + trial % 4, point);
        cn_vec3 shift = trial % 3 == 0 ? cn_v3(100.0 * draw(), 1.0, 2.0) : cn_v3(0.0, 0.0, 0.0);
        turn_points(point, count, trial < 4 ? (cn_quat){1.0, 0.0, 0.0, 0.0} : draw_turn(), shift);
        cn_hull *h = NULL;
        CN_DO(cn_hull_create(NULL, point, count, &h, &test_error));
        if (h != NULL) {
            check_hull(h, point, count);
            CN_TRUE(h->vertex_count == 8 && h->edge_count == 12 && h->face_count == 6);
        }
        cn_hull_destroy(NULL, h);
    }
}

CN_TEST(a_box_has_exact_faces)
{
    double point[24];
    cn_box_corners(2.0, 4.0, 6.0, point);
    cn_hull *h = NULL;
    CN_DO(cn_hull_create(NULL, point, 8, &h, &test_error));
    CN_TRUE(h->face_count == 6);
    for (int f = 0; f < h->face_count; f++) {
        cn_vec3 n = h->normal[f];
        CN_NEAR(fabs(n.x) + fabs(n.y) + fabs(n.z), 1.0, 0.0, "faces along the axes");
        CN_NEAR(h->offset[f], fabs(n.x) + 2.0 * fabs(n.y) + 3.0 * fabs(n.z), 0.0, "half sides");
    }
    CN_TRUE(h->vertex[7].x == 1.0 && h->vertex[7].y == 2.0 && h->vertex[7].z == 3.0);
    cn_hull_destroy(NULL, h);
}

CN_TEST(points_without_volume_are_refused)
{
    double flat[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.3, 0.2, 0};
    double line[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    double spot[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    double nan_point[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, NAN};
    cn_hull *h = NULL;
    CN_FAILS(cn_hull_create(NULL, flat, 5, &h, &test_error), CN_BAD_INPUT, "one plane");
    CN_FAILS(cn_hull_create(NULL, line, 4, &h, &test_error), CN_BAD_INPUT, "one line");
    CN_FAILS(cn_hull_create(NULL, spot, 4, &h, &test_error), CN_BAD_INPUT, "box of size 0");
    CN_FAILS(cn_hull_create(NULL, flat, 3, &h, &test_error), CN_BAD_INPUT, "at least 4");
    CN_FAILS(cn_hull_create(NULL, nan_point, 4, &h, &test_error), CN_BAD_INPUT, "not finite");
    CN_TRUE(h == NULL);
}

CN_TEST(bad_definitions_are_refused)
{
    cn_solid_mass mass;
    cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = -1.0};
    cn_solid_def rod = {.kind = CN_SOLID_CAPSULE, .radius = 1.0, .length = NAN};
    cn_solid_def skew = {.kind = CN_SOLID_SPHERE, .radius = 1.0, .rotation = {2.0, 0.0, 0.0, 0.0}};
    cn_solid_def lost = {.kind = CN_SOLID_SPHERE, .radius = 1.0, .at = {0.0, NAN, 0.0}};
    cn_solid_def odd = {.kind = (cn_solid_kind)99};
    CN_FAILS(cn_solids_measure(&ball, 1, &mass, &test_error), CN_BAD_INPUT, "radius of a sphere");
    CN_FAILS(cn_solids_measure(&rod, 1, &mass, &test_error), CN_BAD_INPUT, "length of a capsule");
    CN_FAILS(cn_solids_measure(&skew, 1, &mass, &test_error), CN_BAD_INPUT, "norm 2");
    CN_FAILS(cn_solids_measure(&lost, 1, &mass, &test_error), CN_BAD_INPUT, "not finite");
    CN_FAILS(cn_solids_measure(&odd, 1, &mass, &test_error), CN_BAD_INPUT, "kind 99");
}

CN_TEST(spheres_and_capsules_have_their_formulas)
{
    const double r = 0.5, l = 3.0;
    cn_solid_mass mass;
    cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = r, .at = {1.0, 2.0, 3.0}};
    CN_DO(cn_solids_measure(&ball, 1, &mass, &test_error));
    CN_NEAR(mass.volume, CN_PI / 6.0, 1e-15, "rounding");
    CN_NEAR(mass.centre[2], 3.0, 0.0, "exact");
    CN_NEAR(mass.inertia[1], 0.4 * CN_PI / 6.0 * r * r, 1e-15, "rounding");
    CN_NEAR(mass.size, 1.0, 0.0, "exact");
    cn_solid_def rod = {.kind = CN_SOLID_CAPSULE, .radius = r, .length = l};
    CN_DO(cn_solids_measure(&rod, 1, &mass, &test_error));
    // Slices across the axis: disks of radius rho(z), of volume pi rho^2 dz.
    double volume = 0.0, along = 0.0, across = 0.0;
    const int slices = 20000;
    for (int k = 0; k < slices; k++) {
        double height = l + 2.0 * r, z = ((k + 0.5) / slices - 0.5) * height;
        double beyond = fmax(fabs(z) - 0.5 * l, 0.0), rho2 = r * r - beyond * beyond;
        double slice = CN_PI * rho2 * height / slices;
        volume += slice;
        along += 0.5 * slice * rho2;
        across += slice * (0.25 * rho2 + z * z);
    }
    CN_NEAR(mass.volume, volume, 1e-7, "midpoint rule, 20000 slices");
    CN_NEAR(mass.inertia[0], across, 1e-7, "midpoint rule, 20000 slices");
    CN_NEAR(mass.inertia[1], across, 1e-7, "midpoint rule, 20000 slices");
    CN_NEAR(mass.inertia[2], along, 1e-7, "midpoint rule, 20000 slices");
    CN_TRUE(mass.size == 1.0);
}

CN_TEST(a_box_far_away_keeps_its_digits)
{
    double point[24];
    cn_box_corners(1.0, 2.0, 3.0, point);
    for (int k = 0; k < 8; k++) {
        point[3 * k] += 4096.0;
    }
    cn_solid_def box = {.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
    cn_solid_mass mass;
    CN_DO(cn_solids_measure(&box, 1, &mass, &test_error));
    CN_NEAR(mass.volume, 6.0, 1e-14, "rounding");
    CN_NEAR(mass.centre[0], 4096.0, 1e-12, "rounding");
    CN_NEAR(mass.inertia[0], 6.0 * (4.0 + 9.0) / 12.0, 1e-13, "rounding");
    CN_NEAR(mass.inertia[1], 6.0 * (1.0 + 9.0) / 12.0, 1e-13, "rounding");
    CN_NEAR(mass.inertia[2], 6.0 * (1.0 + 4.0) / 12.0, 1e-13, "rounding");
    CN_NEAR(mass.inertia[3], 0.0, 1e-13, "symmetry");
    CN_NEAR(mass.size, 1.0, 1e-15, "least side");
}

CN_TEST(a_tetrahedron_has_its_products_of_inertia)
{
    // Corner at the origin, legs a b c: I_xy about the origin is -a b V / 20; the centre at a/4 ...
    double a = 2.0, b = 3.0, c = 5.0, volume = a * b * c / 6.0;
    double point[12] = {0, 0, 0, a, 0, 0, 0, b, 0, 0, 0, c};
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 4, .point = point};
    cn_solid_mass mass;
    CN_DO(cn_solids_measure(&solid, 1, &mass, &test_error));
    CN_NEAR(mass.volume, volume, 1e-14, "rounding");
    CN_NEAR(mass.centre[1], b / 4.0, 1e-14, "rounding");
    CN_NEAR(mass.inertia[5], -volume * a * b * (1.0 / 20.0 - 1.0 / 16.0), 1e-13, "rounding");
    CN_NEAR(mass.inertia[3], -volume * b * c * (1.0 / 20.0 - 1.0 / 16.0), 1e-13, "rounding");
    CN_NEAR(mass.inertia[0], volume * (b * b + c * c) * (0.1 - 1.0 / 16.0), 1e-13, "rounding");
}

// A box cut in two and put together again, turned and moved as a whole.
CN_TEST(a_cluster_is_the_sum_of_its_parts)
{
    double left[24], right[24], whole[24];
    cn_box_corners(1.0, 2.0, 3.0, left);
    cn_box_corners(2.0, 2.0, 3.0, right);
    cn_box_corners(3.0, 2.0, 3.0, whole);
    cn_quat q = draw_turn();
    cn_mat3 R = cn_quat_matrix(q);
    cn_vec3 x = cn_mat3_mul(&R, cn_v3(-1.0, 0.0, 0.0)), y = cn_mat3_mul(&R, cn_v3(0.5, 0.0, 0.0));
    cn_solid_def part[3] = {
        {.kind = CN_SOLID_HULL, .point_count = 8, .point = left, .at = {x.x, x.y, x.z + 7.0}},
        {.kind = CN_SOLID_HALF_SPACE, .at = {1.0, 1.0, 1.0}},
        {.kind = CN_SOLID_HULL, .point_count = 8, .point = right, .at = {y.x, y.y, y.z + 7.0}}};
    cn_solid_def box = {.kind = CN_SOLID_HULL, .point_count = 8, .point = whole, .at = {0, 0, 7}};
    const double turn[4] = {q.w, q.x, q.y, q.z};
    for (int k = 0; k < 4; k++) {
        part[0].rotation[k] = part[2].rotation[k] = box.rotation[k] = turn[k];
    }
    cn_solid_mass sum, one;
    CN_DO(cn_solids_measure(part, 3, &sum, &test_error));
    CN_DO(cn_solids_measure(&box, 1, &one, &test_error));
    CN_NEAR(sum.volume, one.volume, 1e-13, "rounding");
    for (int k = 0; k < 6; k++) {
        CN_NEAR(sum.inertia[k], one.inertia[k], 1e-12, "rounding");
    }
    for (int k = 0; k < 3; k++) {
        CN_NEAR(sum.centre[k], one.centre[k], 1e-13, "rounding");
    }
    CN_NEAR(sum.size, 1.0, 1e-14, "thinnest part");
    CN_NEAR(one.size, 2.0, 1e-14, "least side");
}

CN_TEST(a_half_space_has_no_mass)
{
    cn_solid_def ground = {.kind = CN_SOLID_HALF_SPACE, .at = {1.0, 2.0, 3.0}};
    cn_solid_mass mass;
    CN_DO(cn_solids_measure(&ground, 1, &mass, &test_error));
    CN_TRUE(mass.volume == 0.0 && mass.centre[0] == 0.0 && mass.inertia[0] == 0.0);
    CN_TRUE(isinf(mass.size));
}

// Moving the centre and turning the axes changes nothing for the world: posed with the inverse turn
// and the centre as place, every solid is back where it was drawn.
CN_TEST(placed_solids_stay_where_they_are_drawn)
{
    double point[24];
    cn_box_corners(1.0, 2.0, 3.0, point);
    cn_mat3 B = cn_quat_matrix(draw_turn());
    cn_mat3 back = {{{B.row[0].x, B.row[1].x, B.row[2].x},
                     {B.row[0].y, B.row[1].y, B.row[2].y},
                     {B.row[0].z, B.row[1].z, B.row[2].z}}};
    cn_vec3 centre = cn_v3(0.3, -0.2, 0.1);
    const double half = sqrt(0.5); // a quarter turn about x: z goes to -y, y to z
    cn_solid_def def[4] = {
        {.kind = CN_SOLID_SPHERE, .radius = 0.5},
        {.kind = CN_SOLID_CAPSULE, .radius = 0.5, .length = 3.0},
        {.kind = CN_SOLID_HULL, .point_count = 8, .point = point},
        {.kind = CN_SOLID_HALF_SPACE},
    };
    const cn_vec3 extent[3] = {{0.5, 0.5, 0.5}, {0.5, 2.0, 0.5}, {0.5, 1.5, 1.0}};
    for (int k = 0; k < 4; k++) {
        def[k].at[0] = 10.0;
        def[k].rotation[0] = half;
        def[k].rotation[1] = half;
        cn_solid solid = {.body = 7};
        CN_DO(cn_solid_place(&def[k], centre, &B, NULL, &solid, &test_error));
        CN_TRUE(solid.body == 7 && solid.kind == def[k].kind);
        cn_posed3 posed = {&solid, centre, back};
        cn_box3 box = cn_posed3_box(&posed);
        if (def[k].kind == CN_SOLID_HALF_SPACE) {
            CN_TRUE(isinf(box.lo.x) && isinf(box.hi.z) && isinf(solid.reach) && isinf(solid.size));
            cn_vec3 n = cn_mat3_mul(&back, solid.axis), p = cn_posed3_point(&posed, solid.end[0]);
            CN_NEAR(n.y, -1.0, 1e-14, "rounding");
            CN_NEAR(p.x, 10.0, 1e-13, "rounding");
            continue;
        }
        CN_NEAR(box.lo.x, 10.0 - extent[k].x, 1e-13, "rounding");
        CN_NEAR(box.hi.x, 10.0 + extent[k].x, 1e-13, "rounding");
        CN_NEAR(box.lo.y, -extent[k].y, 1e-13, "rounding");
        CN_NEAR(box.hi.z, extent[k].z, 1e-13, "rounding");
        CN_TRUE(solid.reach > 9.0 && solid.reach < 12.5);
        CN_NEAR(solid.size, 1.0, 1e-13, "thinnest extent");
        cn_solid_free(NULL, &solid);
        CN_TRUE(solid.hull == NULL);
    }
}

// Memory that fails at the n-th request.
static void *failing(void *context, void *memory, size_t size)
{
    int *left = context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(memory, size) : NULL;
}

CN_TEST(every_allocation_of_a_hull_may_fail)
{
    double point[24];
    cn_box_corners(1.0, 2.0, 3.0, point);
    cn_status status = CN_NO_MEMORY;
    int tried = 0;
    for (; status != CN_OK && tried < 100; tried++) {
        int left = tried;
        cn_hooks hooks = {failing, &left};
        cn_hull *h = NULL;
        status = cn_hull_create(&hooks, point, 8, &h, &test_error);
        CN_TRUE(status == CN_OK || status == CN_NO_MEMORY);
        cn_hull_destroy(&hooks, h);
    }
    CN_TRUE(tried > 10 && status == CN_OK);
}

// A shell is a ball less a ball, a closed drum a cylinder less a cylinder.
CN_TEST(hollow_solids_are_differences)
{
    double r = 0.7, t = 0.2, R = r + t, l = 1.5, L = l + 2.0 * t;
    cn_solid_def shell = {.kind = CN_SOLID_HOLLOW_SPHERE, .radius = r, .thickness = t};
    cn_solid_mass m;
    CN_DO(cn_solids_measure(&shell, 1, &m, &test_error));
    double ball = 4.0 / 3.0 * CN_PI, out = ball * R * R * R, in = ball * r * r * r;
    CN_NEAR(m.volume, out - in, 1e-14, "two balls");
    CN_NEAR(m.inertia[1], 0.4 * (out * R * R - in * r * r), 1e-14, "two balls");
    CN_NEAR(m.size, t, 0.0, "the wall");
    cn_solid_def drum = {
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = r, .length = l, .thickness = t, .ends = 3u};
    CN_DO(cn_solids_measure(&drum, 1, &m, &test_error));
    out = CN_PI * R * R * L;
    in = CN_PI * r * r * l;
    CN_NEAR(m.volume, out - in, 1e-14, "two cylinders");
    CN_NEAR(m.inertia[2], 0.5 * (out * R * R - in * r * r), 1e-14, "along the axis");
    CN_NEAR(m.inertia[0], out * (0.25 * R * R + L * L / 12.0) - in * (0.25 * r * r + l * l / 12.0),
            1e-13, "across the axis");
    CN_NEAR(m.centre[2], 0.0, 1e-15, "symmetric");
    drum.ends = 2u;
    cn_solid_mass cup;
    CN_DO(cn_solids_measure(&drum, 1, &cup, &test_error));
    double lid = CN_PI * R * R * t, at = 0.5 * (l + t), z = lid * at / (m.volume - lid);
    CN_NEAR(cup.volume, m.volume - lid, 1e-14, "without its floor");
    CN_NEAR(cup.centre[2], z, 1e-15, "moved towards the lid");
    CN_NEAR(cup.inertia[0],
            m.inertia[0] - lid * (0.25 * R * R + t * t / 12.0 + at * at) - cup.volume * z * z,
            1e-13, "parallel axes");
    drum.thickness = 0.0;
    CN_FAILS(cn_solids_measure(&drum, 1, &cup, &test_error), CN_BAD_INPUT, "wall thickness");
}

CN_MAIN(CN_RUN(hollow_solids_are_differences); CN_RUN(hulls_of_random_points_are_convex_and_closed);
        CN_RUN(coplanar_facets_merge_whatever_the_place); CN_RUN(a_box_has_exact_faces);
        CN_RUN(points_without_volume_are_refused); CN_RUN(bad_definitions_are_refused);
        CN_RUN(spheres_and_capsules_have_their_formulas); CN_RUN(a_box_far_away_keeps_its_digits);
        CN_RUN(a_tetrahedron_has_its_products_of_inertia);
        CN_RUN(a_cluster_is_the_sum_of_its_parts); CN_RUN(a_half_space_has_no_mass);
        CN_RUN(placed_solids_stay_where_they_are_drawn);
        CN_RUN(every_allocation_of_a_hull_may_fail);)
