// What a world makes of the bodies it is given: principal axes, places of their parts, accelerated
// nodes, and that all memory is given back.
#include "test.h"

#include "base/hash.h"
#include "counted.h"
#include "grids.h"
#include "scenes.h"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A brick whose corners are given turned about (1, 2, 3) has the principal inertias of the brick,
// and one that spins about one of its own axes goes on about it.
CN_TEST(a_brick_given_askew_spins_about_its_own_axes)
{
    const double a[3] = {0.4, 0.7, 1.1}, angle = 0.8;
    cn_vec3 axis = cn_mul3(1.0 / sqrt(14.0), cn_v3(1.0, 2.0, 3.0));
    double point[24], exact[3];
    cn_vec3 own[3];
    for (int d = 0; d < 3; d++) { // Rodrigues
        cn_vec3 e = cn_v3(d == 0, d == 1, d == 2);
        own[d] = cn_add_mul3(cn_add_mul3(cn_mul3(cos(angle), e), sin(angle), cn_cross3(axis, e)),
                             (1.0 - cos(angle)) * cn_dot3(axis, e), axis);
    }
    for (int n = 0; n < 8; n++) {
        cn_vec3 x = cn_v3(0.3, -0.2, 0.1);
        for (int d = 0; d < 3; d++) {
            x = cn_add_mul3(x, (n >> d & 1 ? 0.5 : -0.5) * a[d], own[d]);
        }
        memcpy(point + 3 * n, &x, sizeof x);
    }
    for (int d = 0; d < 3; d++) {
        double b = a[(d + 1) % 3], c = a[(d + 2) % 3];
        exact[d] = a[0] * a[1] * a[2] * (b * b + c * c) / 12.0;
    }
    qsort(exact, 3, sizeof *exact, by_size);
    const cn_solid_def hull = {.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
    for (int d = 0; d < 3; d++) {
        cn_world_def world = cn_world_def_default();
        world.dim = 3;
        world.gravity[1] = 0.0;
        cn_law_def law = cn_law_coulomb(0.0, 0.0);
        cn_world *w = scene_world_with(&world, &law);
        cn_body_def def = cn_body_def_default();
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){1, &hull};
        cn_vec3 rate = cn_mul3(5.0, own[d]);
        memcpy(def.angular_velocity, &rate, sizeof rate);
        cn_body_id id;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        cn_body_state s = scene_state(w, id);
        qsort(s.inertia, 3, sizeof *s.inertia, by_size);
        for (int k = 0; k < 3; k++) {
            CN_NEAR(s.inertia[k] / exact[k], 1.0, 1e-12, "rounding");
        }
        scene_run(w, 1e-2, 20);
        s = scene_state(w, id);
        CN_NEAR(hypot(hypot(s.angular_velocity[0] - rate.x, s.angular_velocity[1] - rate.y),
                      s.angular_velocity[2] - rate.z),
                0.0, 1e-9, "the middle axis lets rounding grow by e^(5 t) = e");
        cn_world_destroy(w);
    }
}

// Dumb-bells that lie askew in their own frames: when one is taken away the others keep theirs.
CN_TEST(frames_stay_with_their_bodies)
{
    for (int gone = 0; gone < 3; gone++) {
        cn_world *w = scene_space(0.0, 0.0, 1e-8);
        cn_body_id id[3];
        cn_body_state before[3];
        for (int k = 0; k < 3; k++) {
            double x = cos(0.3 + k), y = sin(0.3 + k), z = 0.4 * k - 0.3;
            const cn_solid_def ball[2] = {
                {.kind = CN_SOLID_SPHERE, .radius = 0.1, .at = {x, y, z}},
                {.kind = CN_SOLID_SPHERE, .radius = 0.2 + 0.01 * k, .at = {-x, -y, -z}}};
            cn_body_def def = cn_body_def_default();
            def.type = CN_BODY_SOLIDS;
            def.solids = (cn_solid_parts){2, ball};
            def.at[0] = 10.0 * k;
            CN_DO(cn_body_add(w, &def, &id[k], &test_error));
            before[k] = scene_state(w, id[k]);
        }
        CN_DO(cn_body_remove(w, id[gone], &test_error));
        for (int k = 0; k < 3; k++) {
            for (int d = 0; d < 4 && k != gone; d++) {
                CN_NEAR(scene_state(w, id[k]).rotation[d], before[k].rotation[d], 1e-15,
                        "nothing has moved");
            }
        }
        cn_world_destroy(w);
    }
}

// Two unequal disks: the view shows them about their mass centre.
CN_TEST(parts_are_shown_about_the_mass_centre)
{
    const cn_shape_def disk[2] = {{.kind = CN_SHAPE_DISK, .radius = 1.0, .at = {1.0, 2.0}},
                                  {.kind = CN_SHAPE_DISK, .radius = 2.0, .at = {6.0, 12.0}}};
    cn_world *w = scene_world(0.0, 0.0, 1e-8);
    cn_body_def def = cn_body_def_default();
    def.shapes = (cn_shape_parts){2, disk};
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    cn_view view = cn_world_view(w);
    const char *why = "masses 1 and 4: centre (5, 10)";
    CN_NEAR(view.q[0], 5.0, 1e-14, why);
    CN_NEAR(view.q[1], 10.0, 1e-14, why);
    CN_NEAR(view.shape[0].at[0], -4.0, 1e-14, why);
    CN_NEAR(view.shape[0].at[1], -8.0, 1e-14, why);
    CN_NEAR(view.shape[1].at[0], 1.0, 1e-14, why);
    CN_NEAR(view.shape[1].at[1], 2.0, 1e-14, why);
    cn_world_destroy(w);
}

// Potential energy is the weight times the height, of all bodies together.
CN_TEST(the_ledger_shows_the_height_of_bodies)
{
    cn_world *w = scene_world(0.0, 0.0, 1e-8);
    double exact = 0.0;
    for (int k = 0; k < 3; k++) {
        cn_body_id id = scene_disk(w, 5.0 * k, 7.0 + k, 0.1, 0);
        exact += 9.81 * scene_state(w, id).mass * (7.0 + k);
    }
    scene_run(w, 1e-6, 1);
    CN_NEAR(cn_world_view(w).ledger->potential / exact, 1.0, 1e-11, "a fall of 1e-11 m");
    cn_world_destroy(w);
}

// Nodes that are accelerated along one axis start from the velocity they have along it.
CN_TEST(accelerated_nodes_start_from_their_velocity)
{
    const double h = 1e-2, acceleration = 3.0;
    for (int dof = 0; dof < 2; dof++) {
        cn_world *w = scene_world(0.0, 0.0, 1e-8);
        grid *g = grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){0, 0}, (double[]){1, 1},
                            grid_elastic(1e6, 0.3, 10.0));
        cn_body_id id = grid_body(w, g, 0.5, -0.7);
        cn_node_drive_def drive = {.body = id,
                                   .set = "x0",
                                   .dof = (cn_dof)dof,
                                   .kind = CN_DRIVE_ACCELERATION,
                                   .f = cn_constant(acceleration)};
        CN_DO(cn_node_drive_add(w, &drive, &test_error));
        scene_run(w, h, 5);
        cn_node_view nodes;
        CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
        for (int n = 0; n < 3; n++) {
            CN_NEAR(nodes.v[2 * g->set_node[0][n] + dof],
                    (dof == 0 ? 0.5 : -0.7) + 5.0 * h * acceleration, 1e-13, "sums of five steps");
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

static void live(cn_world *w)
{
    scene_run(w, 1e-3, 3);
    const cn_state_part *part;
    int count;
    CN_DO(cn_world_state(w, &part, &count, &test_error));
    cn_world_destroy(w);
}

// Bricks, meshes and joints, with one and with two threads: nothing is held at the end.
CN_TEST(worlds_give_back_all_memory)
{
    for (int k = 0; k < 6; k++) {
        counted memory = {0};
        cn_hooks hooks = counted_hooks(&memory);
        cn_world_def def = cn_world_def_default();
        def.dim = 2 + k % 2;
        def.hooks = &hooks;
        def.solver.thread_count = k < 3 ? 1 : 2;
        def.gravity[1] = def.dim == 2 ? -9.81 : 0.0;
        def.gravity[2] = def.dim == 3 ? -9.81 : 0.0;
        cn_law_def law = cn_law_coulomb(0.5, 0.0);
        CN_DO(cn_law_set(&law, "rolling", 0.1, &test_error));
        cn_world *w = scene_world_with(&def, &law);
        grid *g = grid_make(def.dim, def.dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){2, 2, 2},
                            (double[]){5, 0, 0}, (double[]){0.4, 0.4, 0.4},
                            grid_elastic(1e6, 0.3, 1000.0));
        if (def.dim == 2) {
            cn_body_id first;
            scene_wall(w, 5, 5, 0.4, 0.2, &first);
        } else {
            scene_brick_wall(w, 3, 3);
        }
        cn_joint_def joint = {
            .kind = CN_JOINT_BALL, .body = grid_body(w, g, 0.0, 0.0), .at = {5.0}};
        CN_DO(cn_joint_add(w, &joint, NULL, &test_error));
        live(w);
        CN_TRUE(memory.most > 0);
        CN_NEAR((double)memory.held, 0.0, 0.0, "every byte");
        grid_free(g);
    }
}

// Bodies of every kind that are taken away again, first, last or in between, leave nothing behind.
CN_TEST(removed_bodies_give_back_their_memory)
{
    double corner[24];
    cn_box_corners(0.1, 0.2, 0.3, corner);
    const double square[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    for (int n = 0; n < 6; n++) {
        int dim = n < 3 ? 2 : 3;
        counted bytes = {0};
        cn_hooks hooks = counted_hooks(&bytes);
        cn_world_def world = cn_world_def_default();
        world.dim = dim;
        world.hooks = &hooks;
        cn_law_def law = cn_law_coulomb(0.0, 0.0);
        cn_world *w = scene_world_with(&world, &law);
        grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){1, 1, 1},
                            (double[]){0, 0, 0}, (double[]){1, 1, 1}, grid_elastic(1e4, 0.3, 1.0));
        const cn_shape_def polygon = {
            .kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = square};
        const cn_solid_def hull[2] = {
            {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner},
            {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner, .at = {0.3}}};
        cn_body_id id[3][3];
        for (int k = 0; k < 9; k++) { // a mesh, one part, two parts
            cn_body_def def = cn_body_def_default();
            def.at[0] = 5.0 * k;
            if (k % 3 == 0) {
                def.type = CN_BODY_MESH;
                def.mesh.item = &g->def;
            } else {
                scene_part(&def, dim, &polygon, hull);
                def.solids.count = dim == 3 ? k % 3 : 1;
            }
            CN_DO(cn_body_add(w, &def, &id[k / 3][k % 3], &test_error));
        }
        for (int k = 0; k < 3; k++) {
            CN_DO(cn_body_remove(w, id[n % 3][k], &test_error));
        }
        scene_run(w, 1e-3, 1);
        cn_world_destroy(w);
        CN_TRUE(bytes.held == 0);
        grid_free(g);
    }
}

// Memory in which blocks grow where they are, but for one call, which moves its block and spoils
// what was there before.
typedef struct moving {
    long calls, move_at;
} moving;

enum { ROOM = 1 << 14 };

static void *moving_resize(void *context, void *memory, size_t size)
{
    moving *m = context;
    size_t *block = memory != NULL ? (size_t *)memory - 2 : NULL;
    if (size == 0) {
        free(block);
        return NULL;
    }
    m->calls++;
    if (block != NULL && size <= block[0] && m->calls != m->move_at) {
        return memory;
    }
    size_t room = size > ROOM ? 4 * size : ROOM;
    size_t *fresh = malloc(room + 2 * sizeof *fresh);
    fresh[0] = room;
    if (block != NULL) {
        memcpy(fresh + 2, block + 2, block[0] < size ? block[0] : size);
        memset(block + 2, 0xff, block[0]);
        free(block);
    }
    return fresh + 2;
}

// Polygons and disks that fall on each other: the state after a few steps, one call of memory
// having moved. The number of calls is returned.
static long fall(int count, long move_at, uint64_t *hash)
{
    moving memory = {.move_at = move_at};
    cn_hooks hooks = {moving_resize, &memory};
    cn_world_def world = cn_world_def_default();
    world.hooks = &hooks;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_world *w = scene_world_with(&world, &law);
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < count; k++) {
        if (k % 3 == 0) {
            scene_disk(w, 0.01 * k, 0.1 + 0.2 * k, 0.1, 0);
        } else {
            scene_box(w, 0.01 * k, 0.1 + 0.2 * k, 0.2, 0.2, 0.0, 0);
        }
    }
    scene_run(w, 1e-2, 3);
    cn_view view = cn_world_view(w);
    *hash = cn_world_state_hash(w);
    for (int s = 0; s < view.shape_start[view.body_count]; s++) {
        size_t size = 2 * sizeof(double) * (size_t)view.shape[s].vertex_count;
        *hash = cn_hash_bytes(*hash, view.shape[s].vertex, size);
    }
    cn_world_destroy(w);
    return memory.calls;
}

CN_TEST(worlds_do_not_mind_where_their_memory_is)
{
    for (int count = 2; count <= 12; count++) { // arrays grow with the last body, or long before
        uint64_t hash, moved;
        long calls = fall(count, 0, &hash);
        CN_TRUE(calls > 50);
        for (long n = 1; n <= calls; n++) {
            fall(count, n, &moved);
            CN_TRUE(moved == hash);
        }
    }
}

CN_MAIN(CN_RUN(a_brick_given_askew_spins_about_its_own_axes); CN_RUN(frames_stay_with_their_bodies);
        CN_RUN(parts_are_shown_about_the_mass_centre);
        CN_RUN(the_ledger_shows_the_height_of_bodies);
        CN_RUN(accelerated_nodes_start_from_their_velocity); CN_RUN(worlds_give_back_all_memory);
        CN_RUN(removed_bodies_give_back_their_memory);
        CN_RUN(worlds_do_not_mind_where_their_memory_is);)
