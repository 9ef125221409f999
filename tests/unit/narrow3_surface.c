// tests/unit/narrow3_surface.c -- a block given by its triangles is met like the block itself.
#include "block_mesh.h"
#include "detect/space/narrow_space.h"
#include "detect/space/surface/surface_near.h"
#include "flights_bodies.h"
#include "solid_random.h"
#include "test.h"

static uint64_t seed = 5;

// A block of 2 x 1.6 x 1.2 as triangles and as a polyhedron.
static cn_solid block_of_triangles(int n)
{
    static double point[3 * BLOCK_MESH_POINTS(6)];
    return place(&(cn_solid_def){.kind = CN_SOLID_SURFACE,
                                 .point_count = block_mesh(2.0, 1.6, 1.2, n, point),
                                 .point = point});
}

static cn_solid block(void)
{
    double point[24];
    cn_box_corners(2.0, 1.6, 1.2, point);
    return place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = point});
}

static cn_solid draw_solid(int kind)
{
    if (kind == CN_SOLID_HULL) {
        double point[36];
        for (int k = 0; k < 36; k++) {
            point[k] = 0.5 * draw(&seed);
        }
        return place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 12, .point = point});
    }
    return place(&(cn_solid_def){.kind = (cn_solid_kind)kind,
                                 .radius = 0.3 + 0.2 * draw(&seed),
                                 .length = 0.6 + 0.4 * draw(&seed)});
}

static int nearest(const cn_touch3 *touch, int count)
{
    int least = 0;
    for (int k = 1; k < count; k++) {
        least = touch[k].gap < touch[least].gap ? k : least;
    }
    return least;
}

CN_TEST(round_bodies_meet_triangles_as_they_meet_the_block)
{
    static const int KIND[3] = {CN_SOLID_SPHERE, CN_SOLID_CAPSULE, CN_SOLID_CYLINDER};
    cn_solid mesh = block_of_triangles(6), hull = block();
    int tested = 0;
    for (int trial = 0; trial < 3000; trial++) {
        cn_solid s = draw_solid(KIND[trial % 3]);
        cn_posed3 a = {
            &s, {1.6 * draw(&seed), 1.4 * draw(&seed), 1.2 * draw(&seed)}, draw_turn(&seed)};
        cn_mat3 turn = draw_turn(&seed);
        cn_posed3 b = {&mesh, {0.1, 0.2, 0.3}, turn}, c = {&hull, {0.1, 0.2, 0.3}, turn};
        a.x = cn_add3(b.x, cn_mat3_mul(&turn, a.x));
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.2, t), wanted = cn_narrow3(&a, &c, 0.2, u);
        int k = nearest(t, count), m = nearest(u, wanted);
        if (wanted == 0 || u[m].gap < -0.02 || u[m].gap > 0.15) {
            continue;
        }
        double tolerance = s.kind == CN_SOLID_SPHERE ? 1e-12 : 1e-5;
        tested++;
        CN_TRUE(count > 0);
        if (s.kind == CN_SOLID_CYLINDER && u[m].gap < 0.0) {
            continue; // a ridge that is overlapped may be left by either face
        }
        CN_NEAR(t[k].gap, u[m].gap, tolerance, "the same body");
        if (wanted == 1 && u[m].gap > 0.01) {
            CN_TRUE(cn_dot3(t[k].normal, u[m].normal) > 1.0 - 1e-4);
            CN_TRUE(cn_norm3(cn_sub3(t[k].point, u[m].point)) < 0.01);
        }
    }
    CN_TRUE(tested > 300);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &hull);
}

// However a cylinder overlaps the block, by up to 0.4 of its size, some point holds it.
CN_TEST(overlapping_cylinders_always_touch)
{
    cn_solid mesh = block_of_triangles(2), hull = block();
    uint64_t own = 5;
    int tested = 0;
    for (int trial = 0; trial < 6000; trial++) {
        cn_solid s = place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER,
                                           .radius = 0.3 + 0.2 * draw(&own),
                                           .length = 0.6 + 0.4 * draw(&own)});
        cn_posed3 a = {&s, {1.6 * draw(&own), 1.4 * draw(&own), 1.2 * draw(&own)}, draw_turn(&own)};
        cn_posed3 b = {&mesh, {0.0, 0.0, 0.0}, LEVEL}, c = {&hull, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.0, t), wanted = cn_narrow3(&a, &c, 0.0, u);
        double depth = wanted > 0 ? -u[nearest(u, wanted)].gap / s.size : 0.0;
        if (depth > 0.02 && depth < 0.4) {
            CN_TRUE(count > 0);
            tested++;
        }
    }
    CN_TRUE(tested > 1000);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &hull);
}

// A plate far thinner than the bodies over it: what is above its upper side is not below its lower
// one.
CN_TEST(bodies_over_a_thin_plate_are_not_held_by_its_far_side)
{
    static double point[3 * BLOCK_MESH_POINTS(1)];
    cn_solid plate = place(&(cn_solid_def){.kind = CN_SOLID_SURFACE,
                                           .point_count = block_mesh(2.0, 1.6, 0.1, 1, point),
                                           .point = point});
    double corner[24];
    cn_box_corners(0.5, 0.5, 0.5, corner);
    const cn_solid_def body[2] = {
        {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner},
        {.kind = CN_SOLID_CYLINDER, .radius = 0.25, .length = 0.5},
    };
    for (int k = 0; k < 2; k++) {
        cn_solid s = place(&body[k]);
        cn_posed3 a = {&s, {0.0, 0.0, 0.05 + 0.25 + 0.02}, LEVEL};
        cn_posed3 b = {&plate, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX];
        CN_TRUE(cn_narrow3(&a, &b, 0.01, t) == 0);
        int count = cn_narrow3(&a, &b, 0.03, t);
        CN_TRUE(count >= 4);
        for (int n = 0; n < count; n++) {
            CN_NEAR(t[n].gap, 0.02, 1e-15, "over the upper side");
        }
        cn_solid_free(NULL, &s);
    }
    cn_solid_free(NULL, &plate);
}

// A cylinder that comes down on an edge of the block, at the moment when its lowest rim is level
// with the face on the other side of that edge, is still stopped by it.
CN_TEST(cylinders_level_with_a_face_are_seen_by_its_edges)
{
    cn_solid mesh = block_of_triangles(1), hull = block();
    cn_solid s = place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.3, .length = 0.6});
    cn_posed3 b = {&mesh, {0.0, 0.0, 0.0}, LEVEL}, c = {&hull, {0.0, 0.0, 0.0}, LEVEL};
    int tested = 0;
    for (int trial = 0; trial < 200; trial++) {
        cn_posed3 a = {&s, {0.0, 0.5 * draw(&seed), 0.0}, draw_turn(&seed)};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        double tilt = fabs(a.R.row[2].z), across = sqrt(1.0 - tilt * tilt);
        a.x.z = 0.6 + 0.3 * tilt + 0.3 * across; // its lowest point is level with the top
        a.x.x = 1.25;
        int count = cn_narrow3(&a, &b, 0.2, t), wanted = cn_narrow3(&a, &c, 0.2, u);
        double gap = wanted > 0 ? u[nearest(u, wanted)].gap : 1.0;
        if (gap > 0.01 && gap < 0.19) {
            tested++;
            CN_TRUE(count > 0);
            CN_NEAR(t[nearest(t, count)].gap, gap, 1e-5, "the same body");
        }
    }
    CN_TRUE(tested > 20);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &hull);
}

// Polyhedra touch triangles where they overlap the block, and not where they are apart.
CN_TEST(polyhedra_overlap_triangles_where_they_overlap_the_block)
{
    cn_solid mesh = block_of_triangles(4), hull = block();
    int met = 0, apart = 0;
    for (int trial = 0; trial < 2000; trial++) {
        cn_solid s = draw_solid(CN_SOLID_HULL);
        cn_posed3 a = {
            &s, {1.6 * draw(&seed), 1.4 * draw(&seed), 1.2 * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {&mesh, {0.0, 0.0, 0.0}, LEVEL}, c = {&hull, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.0, t), wanted = cn_narrow3(&a, &c, 0.3, u);
        double gap = wanted > 0 ? u[nearest(u, wanted)].gap : 0.3;
        if (gap < -0.01 && gap > -0.1) {
            CN_TRUE(count > 0);
            met++;
        }
        if (gap > 1e-9) {
            CN_TRUE(count == 0);
            apart++;
        }
        cn_solid_free(NULL, &s);
    }
    CN_TRUE(met > 50 && apart > 200);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &hull);
}

// How deep a point is in a placed polyhedron.
static double depth_in(const cn_posed3 *a, cn_vec3 x)
{
    const cn_hull *h = a->solid->hull;
    cn_vec3 local = cn_mat3_mul_transposed(&a->R, cn_sub3(x, a->x));
    double least = INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        least = fmin(least, h->offset[f] - cn_dot3(h->normal[f], local));
    }
    return least;
}

// The touch of a half-edge that lies in a polyhedron: one end of the gap is on the edge, the other
// on a face, and no place of the edge is deeper. Places are drawn to the middle of what is inside
// by 1e-3 times the square of their distance from it, of the edge.
static void check_pierced(const cn_posed3 *a, const cn_surface_solid *m, int half,
                          const cn_touch3 *touch)
{
    cn_vec3 from = m->vertex[cn_surface_from(m, half)], to = m->vertex[cn_surface_to(m, half)];
    cn_vec3 e = cn_sub3(to, from),
            on_edge = cn_add_mul3(touch->point, -0.5 * touch->gap, touch->normal);
    cn_vec3 on_face = cn_add_mul3(touch->point, 0.5 * touch->gap, touch->normal);
    double length = cn_norm3(e), far = cn_norm3(cn_cross3(e, cn_sub3(on_edge, from))) / length;
    double deepest = 0.0;
    for (int k = 0; k <= 100; k++) {
        deepest = fmax(deepest, depth_in(a, cn_add_mul3(from, 0.01 * k, e)));
    }
    CN_NEAR(far, 0.0, 1e-12, "on the edge");
    CN_NEAR(depth_in(a, on_edge), -touch->gap, 1e-12, "as deep as told");
    CN_TRUE(-touch->gap >= deepest - 0.25e-3 * length);
    CN_NEAR(depth_in(a, on_face), 0.0, 1e-3 * a->solid->size, "faces about as near are one");
}

CN_TEST(ridges_leave_polyhedra_where_they_are_deepest)
{
    cn_solid mesh = block_of_triangles(2);
    const cn_surface_solid *m = mesh.mesh;
    uint64_t own = 5;
    int found = 0;
    for (int trial = 0; trial < 1000; trial++) {
        cn_solid s = box(0.2 + 0.1 * draw(&own), 0.5 + 0.4 * draw(&own), 1.0 + 0.9 * draw(&own));
        cn_posed3 a = {&s, {1.6 * draw(&own), 1.4 * draw(&own), 1.2 * draw(&own)}, draw_turn(&own)};
        cn_posed3 b = {&mesh, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.0, t);
        for (int k = 0; k < count * 3 * m->triangle_count; k++) {
            int half = k / count;
            if (t[k % count].feature == cn_surface_name(CN_MESH_OVERLAP, half, 0u)) {
                check_pierced(&a, m, half, &t[k % count]);
                found++;
            }
        }
        cn_solid_free(NULL, &s);
    }
    CN_TRUE(found > 100);
    cn_solid_free(NULL, &mesh);
}

// Before it touches a polyhedron is as far from the triangles as from the block, whatever meets:
// corners over sharp edges and corners, too. Level with a face within 1e-3 it may pass.
CN_TEST(polyhedra_approach_triangles_as_they_approach_the_block)
{
    cn_solid mesh = block_of_triangles(3), hull = block();
    int tested = 0, different = 0;
    for (int trial = 0; trial < 6000; trial++) {
        cn_solid s = draw_solid(CN_SOLID_HULL);
        cn_posed3 a = {
            &s, {1.6 * draw(&seed), 1.4 * draw(&seed), 1.2 * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {&mesh, {0.0, 0.0, 0.0}, LEVEL}, c = {&hull, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.2, t), wanted = cn_narrow3(&a, &c, 0.2, u);
        double gap = wanted > 0 ? u[nearest(u, wanted)].gap : 0.0;
        if (gap > 1e-4 && gap < 0.15) {
            tested++;
            different += count == 0 || fabs(t[nearest(t, count)].gap - gap) > 1e-5;
        }
        cn_solid_free(NULL, &s);
    }
    CN_TRUE(tested > 500 && different < 0.005 * tested);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &hull);
}

// Over seams there is one touch; along a valley two, on a ridge one.
CN_TEST(seams_are_not_felt)
{
    cn_solid mesh = block_of_triangles(4), ball = draw_solid(CN_SOLID_SPHERE);
    cn_posed3 b = {&mesh, {0.0, 0.0, 0.0}, LEVEL};
    cn_touch3 t[CN_TOUCH3_MAX];
    uint32_t name = 0;
    for (int k = 0; k < 50; k++) {
        double x = -0.5 + 0.02 * k; // seams at -0.5, 0, 0.5 and along diagonals
        cn_posed3 a = {&ball, {x, 0.0, 0.6 + ball.radius}, LEVEL};
        CN_TRUE(cn_narrow3(&a, &b, 0.01, t) == 1);
        CN_NEAR(t[0].gap, 0.0, 1e-14, "touches");
        CN_TRUE(t[0].normal.x == 0.0 && t[0].normal.y == 0.0 && t[0].normal.z == 1.0);
        name = k == 0 ? t[0].feature : name;
        CN_TRUE(t[0].feature == name); // it persists
    }
    double s = ball.radius * sqrt(0.5);
    cn_posed3 a = {&ball, {1.0 + s, 0.1, 0.6 + s}, LEVEL};
    CN_TRUE(cn_narrow3(&a, &b, 0.01, t) == 1);
    CN_NEAR(t[0].gap, 0.0, 1e-14, "on the edge");
    CN_NEAR(t[0].normal.x, sqrt(0.5), 1e-14, "between the faces");
    cn_solid_free(NULL, &mesh);
}

CN_TEST(meshes_are_closed_and_know_their_edges)
{
    cn_solid solid = block_of_triangles(3);
    const cn_surface_solid *m = solid.mesh;
    CN_TRUE(m->triangle_count == 108 && m->vertex_count == 56);
    int convex = 0, corners = 0;
    for (int half = 0; half < 324; half++) {
        CN_TRUE(m->twin[m->twin[half]] == half && m->bend[half] == m->bend[m->twin[half]]);
        CN_TRUE(m->bend[half] >= 0);
        convex += m->bend[half] > 0;
    }
    for (int v = 0; v < 56; v++) {
        corners += m->is_corner[v];
    }
    CN_TRUE(convex == 2 * 12 * 3 && corners == 8);
    for (int t = 0; t < 108; t++) {
        CN_TRUE(m->patch[t] == t / 18 * 18); // one per face
    }
    cn_solid_free(NULL, &solid);
}

CN_TEST(what_lies_inside_is_found_however_deep)
{
    static const int KIND[4] = {CN_SOLID_SPHERE, CN_SOLID_CAPSULE, CN_SOLID_CYLINDER,
                                CN_SOLID_HULL};
    cn_solid mesh = block_of_triangles(2), hull = block();
    int sunk = 0;
    for (int trial = 0; trial < 2000; trial++) {
        cn_solid s = draw_solid(KIND[trial % 4]);
        double wide = trial % 3 == 0 ? 0.3 : 1.5;
        cn_posed3 a = {
            &s, {wide * draw(&seed), wide * draw(&seed), wide * draw(&seed)}, draw_turn(&seed)};
        cn_mat3 turn = draw_turn(&seed);
        cn_posed3 b = {&mesh, {0.1, 0.2, 0.3}, turn}, c = {&hull, {0.1, 0.2, 0.3}, turn};
        a.x = cn_add3(b.x, cn_mat3_mul(&turn, a.x));
        cn_touch3 t, u[CN_TOUCH3_MAX], v[CN_TOUCH3_MAX];
        bool is_sunk = cn_surface_sunk(&a, &b, &t);
        int count = cn_narrow3(&a, &c, 0.0, u), found = cn_narrow3(&a, &b, 0.0, v);
        CN_TRUE(is_sunk == cn_surface_sunk(&b, &a, &t));
        if (count == 0) {
            CN_TRUE(!is_sunk);
        } else if (u[nearest(u, count)].gap < -0.1 * s.size) {
            CN_TRUE(is_sunk || found > 0);
            sunk += is_sunk;
        }
        cn_solid_free(NULL, &s);
    }
    CN_TRUE(sunk > 500);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &hull);
}

// A bar along y whose upper side is a valley with its bottom at z = 0.
static cn_solid valley(void)
{
    static const double rim[5][2] = {
        {0.0, 0.0}, {-1.0, 0.5}, {-1.0, -1.0}, {1.0, -1.0}, {1.0, 0.5}};
    static double point[9 * 16];
    int count = 0;
    for (int k = 0; k < 5; k++) {
        const double *a = rim[k], *b = rim[(k + 1) % 5];
        const double side[2][9] = {{a[0], -1, a[1], a[0], 1, a[1], b[0], 1, b[1]},
                                   {a[0], -1, a[1], b[0], 1, b[1], b[0], -1, b[1]}};
        memcpy(point + 9 * count, side, sizeof side);
        count += 2;
        if (k > 0 && k < 4) { // the ends, as fans about the bottom
            const double cap[2][9] = {{0, -1, 0, a[0], -1, a[1], b[0], -1, b[1]},
                                      {0, 1, 0, b[0], 1, b[1], a[0], 1, a[1]}};
            memcpy(point + 9 * count, cap, sizeof cap);
            count += 2;
        }
    }
    return place(
        &(cn_solid_def){.kind = CN_SOLID_SURFACE, .point_count = 3 * count, .point = point});
}

// A corner below the bottom of a valley is over none of its faces. It leaves upwards.
CN_TEST(a_corner_below_a_valley_is_held)
{
    const double point[15] = {0, 0, 0, 0.3, 0.3, 1, -0.3, 0.3, 1, -0.3, -0.3, 1, 0.3, -0.3, 1};
    cn_solid mesh = valley();
    cn_solid peak = place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 5, .point = point});
    cn_posed3 a = {&peak, {0.0, 0.0, -0.01}, LEVEL}, b = {&mesh, {0.0, 0.0, 0.0}, LEVEL};
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_narrow3(&a, &b, 0.0, t);
    CN_TRUE(count == 1);
    CN_NEAR(t[0].gap, -0.01, 1e-12, "the bottom is the nearest place");
    CN_NEAR(t[0].normal.z, 1.0, 1e-12, "straight up");
    a.x.z = 0.01;
    CN_TRUE(cn_narrow3(&a, &b, 0.0, t) == 0);
    cn_solid_free(NULL, &mesh);
    cn_solid_free(NULL, &peak);
}

static double least_gap(const cn_posed3 *a, const cn_posed3 *b, double reach)
{
    cn_touch3 t[CN_TOUCH3_MAX];
    double least = INFINITY;
    for (int k = 0, count = cn_narrow3(a, b, reach, t); k < count; k++) {
        least = fmin(least, t[k].gap);
    }
    return least;
}

// A thin convex surface is the hull of its corners: nothing that is apart from the one touches the
// other. Edges that cross behind it do not.
CN_TEST(thin_surfaces_are_met_as_their_hulls)
{
    uint64_t state = 5;
    int apart = 0;
    for (int k = 0; k < 5000; k++) {
        flyer surface, block;
        flyer_make(&surface, 3, CN_SOLID_SURFACE, 1.0, (uint64_t)k);
        flyer_make(&block, 3, CN_SOLID_HULL, 0.1 + 0.45 * (1.0 + draw(&state)), (uint64_t)k + 7u);
        cn_solid_def corners = surface.solid[0];
        corners.kind = CN_SOLID_HULL;
        cn_solid a = place(&block.solid[0]), b = place(&surface.solid[0]), c = place(&corners);
        cn_posed3 p = {&a, {0.0, 0.0, 0.0}, draw_turn(&state)}, q = {&b, p.x, draw_turn(&state)};
        q.x = cn_mul3(0.6 + 0.4 * draw(&state), draw_direction(&state));
        cn_posed3 r = {&c, q.x, q.R};
        double reach = 0.2 * fmin(a.size, b.size);
        if (least_gap(&p, &r, reach) >= 0.0) {
            apart++;
            CN_TRUE(least_gap(&p, &q, reach) >= 0.0);
        }
        cn_solid_free(NULL, &a);
        cn_solid_free(NULL, &b);
        cn_solid_free(NULL, &c);
    }
    CN_TRUE(apart > 1000);
}

// A nail through a plate: its corners and its middle are outside, and so are the ridges of the
// plate. Each of its edges is deepest midway between the faces.
CN_TEST(edges_that_pass_through_a_plate_are_seen)
{
    const double thick = 0.04;
    static double point[3 * BLOCK_MESH_POINTS(3)];
    cn_solid plate = place(&(cn_solid_def){.kind = CN_SOLID_SURFACE,
                                           .point_count = block_mesh(2.0, 1.6, thick, 3, point),
                                           .point = point});
    cn_solid nail = box(0.05, 0.05, 1.0);
    for (int k = 0; k < 100; k++) {
        cn_quat turn = {1.0, 0.3 * draw(&seed), 0.3 * draw(&seed), draw(&seed)};
        cn_mat3 R = cn_quat_matrix(cn_quat_unit(turn));
        cn_vec3 up = cn_mat3_mul(&R, cn_v3(0.0, 0.0, 1.0));
        cn_vec3 at = cn_v3(0.7 * draw(&seed), 0.5 * draw(&seed), 0.0);
        cn_posed3 a = {&nail, cn_add_mul3(at, 0.2, up), R}, b = {&plate, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.0, touch);
        CN_TRUE(count > 0);
        CN_NEAR(touch[nearest(touch, count)].gap, -0.5 * thick, 1e-9, "thirds of an edge");
    }
    cn_solid_free(NULL, &plate);
    cn_solid_free(NULL, &nail);
}

// A corner that has come from above nearly or wholly through a plate leaves upwards: the block
// would have to follow it to the other side.
CN_TEST(what_comes_through_a_plate_leaves_by_its_own_side)
{
    static double point[3 * BLOCK_MESH_POINTS(3)];
    cn_solid plate = place(&(cn_solid_def){.kind = CN_SOLID_SURFACE,
                                           .point_count = block_mesh(2.0, 1.6, 0.04, 3, point),
                                           .point = point});
    cn_solid can = place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.15, .length = 0.3});
    cn_solid body[2] = {box(0.3, 0.3, 0.3), can};
    for (int k = 0; k < 40; k++) {
        const cn_solid *s = &body[k % 2];
        cn_quat turn = {1.0, 0.4 + 0.05 * draw(&seed), 0.35, draw(&seed)}; // on a corner, a rim
        cn_posed3 a = {
            s, {0.4 * draw(&seed), 0.3 * draw(&seed), 0.0}, cn_quat_matrix(cn_quat_unit(turn))};
        cn_posed3 b = {&plate, {0.0, 0.0, 0.0}, LEVEL};
        double depth = k < 20 ? 0.03 : 0.05;
        a.x.z = 0.02 - depth - cn_posed3_box(&a).lo.z;
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.0, touch);
        CN_TRUE(count > 0);
        const cn_touch3 *t = &touch[nearest(touch, count)];
        CN_NEAR(t->normal.z, 1.0, 1e-12, "out of the upper face");
        CN_NEAR(t->gap, -depth, 1e-12, "how far the corner is below it");
    }
    cn_solid_free(NULL, &plate);
    cn_solid_free(NULL, &body[0]);
    cn_solid_free(NULL, &body[1]);
}

CN_MAIN(CN_RUN(round_bodies_meet_triangles_as_they_meet_the_block);
        CN_RUN(polyhedra_overlap_triangles_where_they_overlap_the_block);
        CN_RUN(ridges_leave_polyhedra_where_they_are_deepest);
        CN_RUN(what_lies_inside_is_found_however_deep);
        CN_RUN(polyhedra_approach_triangles_as_they_approach_the_block); CN_RUN(seams_are_not_felt);
        CN_RUN(meshes_are_closed_and_know_their_edges); CN_RUN(overlapping_cylinders_always_touch);
        CN_RUN(bodies_over_a_thin_plate_are_not_held_by_its_far_side);
        CN_RUN(cylinders_level_with_a_face_are_seen_by_its_edges);
        CN_RUN(a_corner_below_a_valley_is_held); CN_RUN(thin_surfaces_are_met_as_their_hulls);
        CN_RUN(edges_that_pass_through_a_plate_are_seen);
        CN_RUN(what_comes_through_a_plate_leaves_by_its_own_side);)
