// Pressure around bodies: rings of beads, outermost grains, platens; forces known on paper (3.19).
#include <string.h>

#include "scenes.h"
#include "strict.h"
#include "test.h"

static const double H = 1e-3;

static cn_world *empty_with(int dim, int threads)
{
    cn_world_def def = cn_world_def_default();
    def.threads = threads;
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-13;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

static cn_world *empty(int dim)
{
    return empty_with(dim, 1);
}

static cn_body_id add_ball(cn_world *w, int dim, double radius, const double at[3])
{
    const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = radius};
    const cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = radius};
    cn_body_def def = {.density = 1000.0, .at = {at[0], at[1], at[2]}};
    scene_part(&def, dim, &disk, &sphere);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static cn_around_state state_of(cn_world *w)
{
    cn_around_state s;
    CN_DO(cn_around_get(w, 0, &s, &test_error));
    return s;
}

// Three disks that touch: each is pushed to the middle by p d/2, a contact carries p d/(2 sqrt 3).
CN_TEST(three_disks)
{
    const double R = 0.1, p = 1e3, d = 2.0 * R;
    cn_world *w = empty(2);
    cn_body_id id[3];
    const double at[3][3] = {{0.0}, {d}, {R, sqrt(3.0) * R}};
    for (int k = 0; k < 3; k++) {
        id[k] = add_ball(w, 2, R, at[k]);
    }
    const cn_around_def def = {.body_count = 3, .body = id, .f = cn_constant(p)};
    CN_DO(cn_around_add(w, &def, &test_error));
    CN_TRUE(scene_run(w, H, 5) == 0);
    cn_view view = cn_world_view(w);
    CN_TRUE(view.contact_count == 3);
    for (int a = 0; a < view.contact_count; a++) {
        CN_NEAR(view.contact[a].r[0] / H, p * d / (2.0 * sqrt(3.0)), 1e-9 * p * d,
                "it is isostatic");
    }
    cn_around_state s = state_of(w);
    CN_TRUE(s.facet_count == 3 && s.pressed_count == 3);
    CN_NEAR(s.content, sqrt(3.0) * R * R, 1e-12, "the triangle of the centres");
    cn_world_destroy(w);
}

// A cable from each ball to a next one, as long as they are apart.
static void tie(cn_world *w, cn_body_id a, cn_body_id b)
{
    cn_joint_def def = {.kind = CN_JOINT_CABLE, .body = a, .other = b};
    cn_body_state from = scene_state(w, a), to = scene_state(w, b);
    memcpy(def.at, from.position, sizeof def.at);
    memcpy(def.to, to.position, sizeof def.to);
    CN_DO(cn_joint_add(w, &def, NULL, &test_error));
}

static void check_tensions(const cn_world *w, int count, double exact)
{
    for (int k = 0; k < count; k++) {
        cn_joint_state s;
        CN_DO(cn_joint_get(w, (cn_joint_id)(k + 1), &s, &test_error));
        double pull = sqrt(s.impulse[0] * s.impulse[0] + s.impulse[1] * s.impulse[1] +
                           s.impulse[2] * s.impulse[2]);
        CN_NEAR(pull / H, exact, 1e-9 * exact, "it is isostatic");
    }
}

// A ring of beads on cables under a pressure from inside: p R cos(pi/n), whichever way it goes
// round, and by a probe that does not pass between them into the hole.
CN_TEST(ring_of_beads)
{
    const double R = 1.0, p = 1.0;
    const int sizes[2] = {6, 12};
    for (int run = 0; run < 6; run++) {
        int n = sizes[run % 2];
        bool is_chain = run < 4;
        cn_world *w = empty(2);
        cn_body_id id[12];
        for (int k = 0; k < n; k++) {
            double angle = (run < 2 ? 2.0 : -2.0) * CN_PI * k / n;
            id[k] = add_ball(w, 2, 0.05, (double[3]){R * cos(angle), R * sin(angle), 0.0});
        }
        for (int k = 0; k < n; k++) {
            tie(w, id[k], id[(k + 1) % n]);
        }
        const cn_around_def def = {.body_count = n,
                                   .body = id,
                                   .is_chain = is_chain,
                                   .probe = is_chain ? 0.0 : 0.5,
                                   .f = cn_constant(-p)};
        CN_DO(cn_around_add(w, &def, &test_error));
        CN_TRUE(scene_run(w, H, 3) == 0);
        check_tensions(w, n, p * R * cos(CN_PI / n));
        CN_NEAR(state_of(w).content, 0.5 * n * sin(2.0 * CN_PI / n), 1e-12, "a regular polygon");
        cn_world_destroy(w);
    }
}

// An octahedron of cables under a pressure from inside: p R^2/(3 sqrt 2), with a probe that has
// room inside or none.
static void press_octahedron(double probe)
{
    const double R = 1.0, p = 1.0;
    cn_world *w = empty(3);
    cn_body_id id[6];
    for (int k = 0; k < 6; k++) {
        double at[3] = {0.0};
        at[k / 2] = k % 2 == 0 ? R : -R;
        id[k] = add_ball(w, 3, 0.05, at);
    }
    for (int k = 0; k < 6; k++) {
        for (int n = k + 1; n < 6; n++) {
            if (n / 2 != k / 2) {
                tie(w, id[k], id[n]);
            }
        }
    }
    const cn_around_def def = {.body_count = 6, .body = id, .probe = probe, .f = cn_constant(-p)};
    CN_DO(cn_around_add(w, &def, &test_error));
    CN_TRUE(scene_run(w, H, 3) == 0);
    check_tensions(w, 12, p * R * R / (3.0 * sqrt(2.0)));
    CN_TRUE(state_of(w).facet_count == 8);
    CN_NEAR(state_of(w).content, 4.0 / 3.0, 1e-12, "the octahedron");
    cn_world_destroy(w);
}

CN_TEST(octahedron_of_cables)
{
    press_octahedron(1.0);
    press_octahedron(0.8); // with its balls 0.85: triangles are barred from 0.816 on
}

// Balls of sizes 1 to 2 on a lattice, at random off their places; on the lattice itself many balls
// have the same neighbours, which must not matter.
static int add_sample(cn_world *w, int dim, int side, double off, cn_body_id *id)
{
    uint64_t state = 7;
    int count = 0;
    for (int k = 0; k < side * side * (dim == 3 ? side : 1); k++) {
        const int cell[3] = {k % side, k / side % side, k / side / side};
        double at[3] = {0.0}, number[4];
        for (int d = 0; d < 4; d++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            number[d] = (double)(state >> 11) / 9007199254740992.0;
        }
        for (int d = 0; d < dim; d++) {
            at[d] = cell[d] + off * (number[d] - 0.5);
        }
        id[count++] = add_ball(w, dim, 0.25 + (off > 0.0 ? 0.25 * number[3] : 0.0), at);
    }
    return count;
}

// Nothing is pushed as a whole, and nothing is turned: sums of momenta after a step from rest.
// Lattices enclose a square or a cube.
CN_TEST(resultants_vanish)
{
    for (int run = 0; run < 4; run++) {
        int dim = 2 + run % 2, side = dim == 2 ? 12 : 5;
        double off = run < 2 ? 0.0 : 0.2;
        cn_world *w = empty(dim);
        cn_body_id id[144];
        int count = add_sample(w, dim, side, off, id);
        const cn_around_def def = {
            .body_count = count, .body = id, .probe = 0.7, .f = cn_constant(1e3)};
        CN_DO(cn_around_add(w, &def, &test_error));
        CN_TRUE(scene_run(w, 1e-6, 1) == 0);
        double sum[3] = {0.0}, moment[3] = {0.0}, all = 0.0;
        for (int k = 0; k < count; k++) {
            cn_body_state s = scene_state(w, id[k]);
            for (int d = 0; d < 3; d++) {
                int e = (d + 1) % 3, f = (d + 2) % 3;
                sum[d] += s.mass * s.velocity[d];
                moment[d] +=
                    s.mass * (s.position[e] * s.velocity[f] - s.position[f] * s.velocity[e]);
                all += s.mass * fabs(s.velocity[d]);
            }
        }
        CN_TRUE(all > 0.0);
        for (int d = 0; d < 3; d++) {
            CN_NEAR(sum[d] / all, 0.0, 1e-12, "the outside is closed");
            CN_NEAR(moment[d] / all, 0.0, 1e-11, "as above, with arms of 10 m");
        }
        if (off == 0.0) {
            CN_NEAR(state_of(w).content, pow(side - 1, dim), 1e-9, "a square, a cube");
        }
        cn_world_destroy(w);
    }
}

// Bodies that are driven apart evenly, inside a hole that counts as inside: the work of the
// pressure is -p times the change of what is enclosed.
CN_TEST(work_is_pressure_times_area)
{
    for (int run = 0; run < 4; run++) {
        int dim = 2 + run % 2, side = dim == 2 ? 12 : 5, steps = 20;
        bool is_held = run < 2;
        const double p = 1e3, rate = 0.05, h = 1e-2;
        cn_world *w = empty(dim);
        cn_body_id id[144];
        int count = add_sample(w, dim, side, 0.2, id);
        for (int k = 0; k < count; k++) {
            cn_body_state s = scene_state(w, id[k]);
            for (int d = 0; d < dim; d++) {
                s.velocity[d] = rate * s.position[d];
                cn_drive_def drive = {
                    .body = id[k], .dof = (cn_dof)d, .f = cn_constant(s.velocity[d])};
                if (is_held) {
                    CN_DO(cn_drive_add(w, &drive, &test_error));
                }
            }
            CN_DO(cn_body_set(w, id[k], &s, &test_error));
        }
        const cn_around_def def = {.body_count = count,
                                   .body = id,
                                   .probe = 0.7,
                                   .f = cn_constant(is_held ? p : 1e-3 * p)};
        CN_DO(cn_around_add(w, &def, &test_error));
        CN_TRUE(scene_run(w, h, 1) == 0);
        double before = state_of(w).content,
               start = cn_world_view(w).ledger->total[CN_ENERGY_APPLIED];
        CN_TRUE(scene_run(w, h, steps) == 0);
        double work = cn_world_view(w).ledger->total[CN_ENERGY_APPLIED] - start;
        double exact = def.f.c * (state_of(w).content - before);
        double share = dim == 2 ? 1e-12 : rate * h * rate * h / 12.0 + 1e-10;
        CN_NEAR(work, exact, (is_held ? share : 1e-6) * fabs(exact),
                "exact for areas, for volumes up to (rate h)^2/12; free bodies bend from their "
                "ways");
        cn_world_destroy(w);
    }
}

static cn_body_id add_platen(cn_world *w, int dim, double at, bool is_upper)
{
    const cn_shape_def plane = {.kind = CN_SHAPE_HALF_PLANE};
    double corner[24];
    cn_box_corners(2.0, 2.0, 0.1, corner);
    const cn_solid_def box = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_body_def def = {.fixed = CN_FIXED_ALL, .angle = is_upper ? CN_PI : 0.0};
    def.at[dim - 1] = dim == 2 ? at : at + (is_upper ? 0.05 : -0.05);
    scene_part(&def, dim, &plane, &box);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// Columns between platens, two or four with three balls each: the ends are not pressed, and each
// side carries p times the way from the lowest to the highest mass centre.
CN_TEST(platens_keep_the_ends_free)
{
    const double R = 0.1, p = 1e3;
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = empty(dim);
        cn_body_id id[12], platen[2];
        int count = dim == 2 ? 6 : 12;
        for (int k = 0; k < count; k++) {
            const double side[2] = {k % 2 == 0 ? -R : R, k / 2 % 2 == 0 ? -R : R};
            double up = (2.0 * (k / (dim == 2 ? 2 : 4)) + 1.0) * R;
            id[k] = add_ball(w, dim, R, (double[3]){side[0], dim == 2 ? up : side[1], up});
        }
        platen[0] = add_platen(w, dim, 0.0, false);
        platen[1] = add_platen(w, dim, 6.0 * R, true);
        const cn_around_def def = {.body_count = count,
                                   .body = id,
                                   .probe = 0.8 * R,
                                   .platen_count = 2,
                                   .platen = platen,
                                   .f = cn_constant(p)};
        CN_DO(cn_around_add(w, &def, &test_error));
        CN_TRUE(scene_run(w, H, 1) == 0);
        double across = 0.0, along = 0.0;
        cn_view view = cn_world_view(w);
        for (int a = 0; a < view.contact_count; a++) {
            const cn_contact *c = &view.contact[a];
            across += fabs(c->normal[0]) > 0.9 ? c->r[0] / H : 0.0;
            along += fabs(c->normal[dim - 1]) > 0.9 ? c->r[0] / H : 0.0;
        }
        double area = dim == 2 ? 4.0 * R : 4.0 * R * 2.0 * R;
        CN_NEAR(across, p * area, 1e-9 * p * area, "what one side is pushed with");
        CN_NEAR(along, 0.0, 1e-9 * p * area, "nothing presses the platens");
        cn_around_state s = state_of(w);
        CN_TRUE(s.facet_count == (dim == 2 ? 6 : 20) && s.pressed_count == (dim == 2 ? 4 : 16));
        cn_world_destroy(w);
    }
}

// A sample that is compressed goes on with the same bits from a state, with any threads.
CN_TEST(same_bits_from_a_state_and_with_threads)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *world[2];
        int side = dim == 2 ? 12 : 4;
        for (int n = 0; n < 2; n++) {
            cn_body_id id[144];
            world[n] = empty_with(dim, 1 + 2 * n);
            int count = add_sample(world[n], dim, side, 0.2, id);
            const cn_around_def def = {
                .body_count = count, .body = id, .probe = 0.7, .f = cn_constant(1e4)};
            CN_DO(cn_around_add(world[n], &def, &test_error));
        }
        CN_TRUE(scene_run(world[0], 5e-3, 20) == 0);
        const cn_state_part *part;
        int parts;
        CN_DO(cn_world_state(world[0], &part, &parts, &test_error));
        CN_DO(cn_world_restore(world[1], part, parts, &test_error));
        for (int n = 0; n < 2; n++) {
            CN_TRUE(scene_run(world[n], 5e-3, 20) == 0);
        }
        CN_TRUE(cn_world_state_hash(world[0]) == cn_world_state_hash(world[1]));
        CN_TRUE(cn_world_view(world[0]).contact_count > 0);
        cn_world_destroy(world[0]);
        cn_world_destroy(world[1]);
    }
}

CN_TEST(pressures_that_cannot_be)
{
    cn_world *w = empty(2);
    cn_body_id id[4], platen = add_platen(w, 2, -1.0, false);
    for (int k = 0; k < 4; k++) {
        id[k] = add_ball(w, 2, 0.1, (double[3]){0.25 * k, k == 3 ? 1.0 : 0.0, 0.0});
    }
    cn_around_def good = {.body_count = 4, .body = id, .f = cn_constant(1.0)};
    cn_around_def bad = good;
    bad.body_count = 2;
    CN_FAILS(cn_around_add(w, &bad, &test_error), CN_BAD_INPUT, "3 at least enclose");
    bad.body_count = 3;
    bad.body = (cn_body_id[]){id[0], id[1], platen};
    CN_FAILS(cn_around_add(w, &bad, &test_error), CN_BAD_INPUT, "has no end: it may be a platen");
    bad.body = (cn_body_id[]){id[0], id[1], 77};
    CN_FAILS(cn_around_add(w, &bad, &test_error), CN_BAD_INPUT, "which does not exist");
    bad.body = (cn_body_id[]){id[0], id[1], id[0]};
    bad.is_chain = true;
    CN_FAILS(cn_around_add(w, &bad, &test_error), CN_BAD_INPUT, "twice in a ring");
    bad.probe = 1.0;
    CN_FAILS(cn_around_add(w, &bad, &test_error), CN_BAD_INPUT, "takes no probe");
    bad = good;
    bad.platen_count = 1;
    bad.platen = id;
    CN_FAILS(cn_around_add(w, &bad, &test_error), CN_BAD_INPUT, "named as a platen and is none");
    bad = good;
    bad.body_count = 3; // they lie on a line
    CN_DO(cn_around_add(w, &bad, &test_error));
    CN_FAILS(test_step(w, H, &test_error), CN_BAD_INPUT, "lie in one line");
    cn_loads_clear(w);
    CN_DO(cn_around_add(w, &good, &test_error));
    CN_FAILS(test_step(w, H, &test_error), CN_BAD_INPUT, "give a larger one");
    cn_loads_clear(w);
    good.probe = 2.0;
    good.f = cn_constant(1e6); // sqrt(4 m/p) is 1.1e-2 s
    CN_DO(cn_around_add(w, &good, &test_error));
    CN_FAILS(test_step(w, 2e-2, &test_error), CN_BAD_INPUT, "take steps of 0.011 s");
    CN_DO(cn_body_remove(w, id[3], &test_error));
    CN_FAILS(test_step(w, H, &test_error), CN_BAD_INPUT, "lie in one line");
    cn_world_destroy(w);
    w = empty(2);
    const cn_cell_def cell = {.is_periodic = {true, true}, .vectors = {9.0, 0, 0, 0, 9.0}};
    CN_DO(cn_world_set_cell(w, &cell, &test_error));
    CN_FAILS(cn_around_add(w, &good, &test_error), CN_BAD_INPUT, "has no outside");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(three_disks); CN_RUN(ring_of_beads); CN_RUN(octahedron_of_cables);
        CN_RUN(resultants_vanish); CN_RUN(work_is_pressure_times_area);
        CN_RUN(platens_keep_the_ends_free); CN_RUN(same_bits_from_a_state_and_with_threads);
        CN_RUN(pressures_that_cannot_be);)
