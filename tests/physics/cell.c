// Periodic cells: exact lattices under rates and stresses, images, conservation, bits.
#include <string.h>

#include "scenes.h"
#include "test.h"

static cn_world *empty(int dim, double mu)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    return scene_world_with(&def, &law);
}

static void set_cell(cn_world *w, int dim, const double C[9], bool is_small)
{
    cn_cell_def def = {.is_periodic = {true, true, dim == 3}, .may_meet_itself = is_small};
    memcpy(def.vectors, C, sizeof def.vectors);
    CN_DO(cn_world_set_cell(w, &def, &test_error));
}

// Components by name: "xx stress", and so on; the others stand still.
typedef struct given {
    cn_cell_component component;
    bool is_stress;
    double value;
} given;

static void control(cn_world *w, int count, const given *list)
{
    cn_cell_control all[CN_CELL_COMPONENT_COUNT];
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        all[k] = (cn_cell_control){.f = cn_constant(0.0), .t0 = 0.0};
    }
    for (int k = 0; k < count; k++) {
        all[list[k].component].is_stress = list[k].is_stress;
        all[list[k].component].f = cn_constant(list[k].value);
    }
    CN_DO(cn_world_control_cell(w, all, &test_error));
}

static cn_body_id add_ball(cn_world *w, int dim, double radius, double x, double y, double z)
{
    const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = radius};
    const cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = radius};
    cn_body_def def = {.density = 1.0, .at = {x, y, z}};
    scene_part(&def, dim, &disk, &sphere);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static cn_cell_state cell_of(const cn_world *w)
{
    cn_cell_state s;
    CN_DO(cn_world_cell(w, &s, &test_error));
    return s;
}

// One grain between its own images: the force of each contact is the stress times the face.
CN_TEST(one_grain_in_a_square_cell)
{
    for (int dim = 2; dim <= 3; dim++) {
        const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, h = 1e-3;
        cn_world *w = empty(dim, 0.3);
        set_cell(w, dim, C, true);
        add_ball(w, dim, 0.5, 0.2, 0.3, 0.4);
        const given stress[3] = {
            {CN_CELL_XX, true, -1.0}, {CN_CELL_YY, true, -2.0}, {CN_CELL_ZZ, true, -3.0}};
        control(w, dim, stress);
        CN_TRUE(scene_run(w, h, 20) == 0);
        cn_view view = cn_world_view(w);
        CN_TRUE(view.contact_count == dim);
        for (int a = 0; a < view.contact_count; a++) {
            const cn_contact *x = &view.contact[a];
            int axis = x->shift[0] != 0 ? 0 : (x->shift[1] != 0 ? 1 : 2);
            CN_NEAR(x->r[0] / h, 1.0 + axis, 1e-10, "it is isostatic");
            CN_NEAR(x->r[1], 0.0, 1e-13, "nothing shears it");
        }
        CN_TRUE(view.ledger->error_max < 1e-10);
        cn_cell_state s = cell_of(w);
        for (int d = 0; d < dim; d++) {
            CN_NEAR(s.carried[4 * d], -(1.0 + d), 1e-10, "contacts carry what is asked");
        }
        cn_world_destroy(w);
    }
}

// A hexagonal lattice of one grain: three contacts, three components of stress.
CN_TEST(one_grain_in_a_hexagonal_cell)
{
    const double h = 1e-3, root = sqrt(3.0), C[9] = {1.0, 0.5, 0.0, 0.0, 0.5 * sqrt(3.0)};
    const double sxx = 1.0, syy = 1.5, sxy = 0.2;
    cn_world *w = empty(2, 0.0);
    set_cell(w, 2, C, true);
    add_ball(w, 2, 0.5, 0.0, 0.0, 0.0);
    const given stress[3] = {
        {CN_CELL_XX, true, -sxx}, {CN_CELL_YY, true, -syy}, {CN_CELL_XY, true, -sxy}};
    control(w, 3, stress);
    CN_TRUE(scene_run(w, h, 20) == 0);
    cn_view view = cn_world_view(w);
    CN_TRUE(view.contact_count == 3);
    for (int a = 0; a < 3; a++) {
        const cn_contact *x = &view.contact[a];
        bool is_flat = fabs(x->normal[1]) < 0.1;
        double sign = x->normal[0] * x->normal[1] > 0.0 ? 1.0 : -1.0;
        double exact = is_flat ? (3.0 * sxx - syy) / (2.0 * root) : syy / root + sign * sxy;
        CN_NEAR(x->r[0] / h, exact, 1e-9, "it is isostatic");
    }
    cn_world_destroy(w);
}

// A disk that meets nothing goes straight through a cell that is sheared and put together anew.
CN_TEST(free_flight_through_a_sheared_cell)
{
    const double rate = 2.0, h = 1e-2, T = 10.0, C[9] = {1.0, 0.0, 0.0, 0.0, 1.0};
    cn_world *w = empty(2, 0.3);
    set_cell(w, 2, C, false);
    cn_body_id disk = add_ball(w, 2, 0.025, 0.5, 0.5, 0.0);
    cn_body_state state = scene_state(w, disk);
    state.velocity[0] = 0.3 - rate * 0.5;
    state.velocity[1] = 0.7;
    CN_DO(cn_body_set(w, disk, &state, &test_error));
    const given shear = {CN_CELL_XY, false, rate};
    control(w, 1, &shear);
    CN_TRUE(scene_run(w, h, (int)(T / h + 0.5)) == 0);
    state = scene_state(w, disk);
    double place[3];
    CN_DO(cn_world_unwrapped(w, 0, place, &test_error));
    CN_NEAR(place[0], 3.5, 1e-11, "the middle rule is exact where L is nilpotent");
    CN_NEAR(place[1], 7.5, 1e-11, "as above");
    CN_NEAR(state.velocity[0], 0.3 - rate * 7.5, 1e-11, "as above");
    CN_NEAR(state.velocity[1], 0.7, 1e-11, "as above");
    CN_TRUE(fabs(state.position[0]) < 2.0 && fabs(state.position[1]) < 2.0);
    CN_NEAR(cell_of(w).strain[1], rate * T, 1e-11, "sum of the steps");
    cn_world_destroy(w);
}

// Rows of disks over rows: height, stress ratio and the work of shear are geometry.
CN_TEST(rows_over_rows)
{
    const double rate = 1e-3, h = 0.1, C[9] = {1.0, -0.5, 0.0, 0.0, 0.5 * sqrt(3.0)};
    cn_world *w = empty(2, 0.0);
    set_cell(w, 2, C, true);
    add_ball(w, 2, 0.5, 0.0, 0.0, 0.0);
    const given list[2] = {{CN_CELL_XY, false, rate}, {CN_CELL_YY, true, -1.0}};
    control(w, 2, list);
    for (int step = 0; step < 5000; step++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        cn_cell_state s = cell_of(w);
        double x = s.vectors[1], y = sqrt(1.0 - x * x);
        if (x > -0.02) {
            break;
        }
        CN_NEAR(s.vectors[4], y, 3e-5, "half a step behind, since contacts close at q_mid");
        if (step > 20) {
            CN_NEAR(fabs(s.carried[1]), -x / y, 5e-4, "force along the line of centres");
        }
    }
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// A gas of disks with a few collisions per step.
static cn_world *gas(int dim, int side, double fill, double mu, double e)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    cn_law_def law = cn_law_coulomb(mu, e);
    cn_world *w = scene_world_with(&def, &law);
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    set_cell(w, dim, C, false);
    int count = dim == 2 ? side * side : side * side * side;
    double sphere = fill * 3.0 / (4.0 * CN_PI * count), disk = fill / (CN_PI * count);
    double radius = dim == 2 ? sqrt(disk) : cbrt(sphere);
    for (int k = 0; k < count; k++) {
        double wave = 0.5 + 0.45 * sin(7.0 * k * k);
        double at[3] = {(k % side + 0.5) / side, (k / side % side + 0.5) / side,
                        (k / side / side + 0.5) / side};
        cn_body_id id =
            add_ball(w, dim, radius * (0.85 + 0.2 * wave), at[0], at[1], dim == 3 ? at[2] : 0.0);
        cn_body_state s = scene_state(w, id);
        s.velocity[0] = sin(3.0 * k);
        s.velocity[1] = cos(5.0 * k);
        s.velocity[2] = dim == 3 ? sin(11.0 * k) : 0.0;
        CN_DO(cn_body_set(w, id, &s, &test_error));
    }
    return w;
}

// Sum of m v and of m |v|.
static double momentum_left(const cn_world *w)
{
    cn_view view = cn_world_view(w);
    int dof = view.dim == 2 ? 3 : 6;
    double sum[3] = {0.0}, all = 0.0, left = 0.0;
    for (int i = 0; i < view.body_count; i++) {
        for (int d = 0; d < view.dim; d++) {
            sum[d] += view.mass[i] * view.v[dof * i + d];
            all += view.mass[i] * fabs(view.v[dof * i + d]);
        }
    }
    for (int d = 0; d < view.dim; d++) {
        left = fmax(left, fabs(sum[d]));
    }
    return left / all;
}

// Subtracts the mean velocity.
static void stop_drift(cn_world *w)
{
    cn_view view = cn_world_view(w);
    int dof = view.dim == 2 ? 3 : 6;
    double sum[3] = {0.0}, mass = 0.0;
    for (int i = 0; i < view.body_count; i++) {
        mass += view.mass[i];
        for (int d = 0; d < view.dim; d++) {
            sum[d] += view.mass[i] * view.v[dof * i + d];
        }
    }
    for (int i = 0; i < view.body_count; i++) {
        cn_body_state s = scene_state(w, view.id[i]);
        for (int d = 0; d < view.dim; d++) {
            s.velocity[d] -= sum[d] / mass;
        }
        CN_DO(cn_body_set(w, view.id[i], &s, &test_error));
    }
}

// A sheared gas keeps its momentum at zero, and its ledger closes in every step.
CN_TEST(momentum_and_energy_of_a_sheared_gas)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = gas(dim, dim == 2 ? 10 : 5, dim == 2 ? 0.5 : 0.3, 0.3, 0.9);
        stop_drift(w);
        const given shear = {CN_CELL_XY, false, 2.0};
        control(w, 1, &shear);
        for (int step = 0; step < 200; step++) {
            cn_status status = cn_world_step(w, 2e-3, &test_error);
            CN_TRUE(status == CN_OK);
            cn_view view = cn_world_view(w);
            CN_TRUE(view.ledger->error_step < 1e-10);
        }
        CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
        CN_TRUE(momentum_left(w) < 1e-12);
        cn_world_destroy(w);
    }
}

// Under stress a gas is compressed until it stands; whatever the solver leaves, the change of L is
// that of the stress, of contacts and of the motion.
CN_TEST(stress_identity_of_every_step)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = gas(dim, dim == 2 ? 8 : 4, dim == 2 ? 0.6 : 0.4, 0.2, 0.0);
        stop_drift(w);
        const given list[4] = {{CN_CELL_XX, true, -3.0},
                               {CN_CELL_YY, true, -4.0},
                               {CN_CELL_XY, true, 0.5},
                               {CN_CELL_ZZ, true, -5.0}};
        control(w, dim + 1, list);
        for (int step = 0; step < 60; step++) {
            const double h = 2e-3;
            cn_cell_state before = cell_of(w);
            cn_status status = cn_world_step(w, h, &test_error);
            CN_TRUE(status == CN_OK);
            cn_cell_state s = cell_of(w);
            for (int k = 0; k < 2; k++) {
                double change = (s.gradient[4 * k] - before.gradient[4 * k]) * s.inertia / h;
                double push = s.applied[k] - s.carried[4 * k];
                CN_NEAR(change / push, s.volume, 0.05, "the volume of the middle of the step");
            }
        }
        CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
        CN_TRUE(cell_of(w).volume < 1.0);
        CN_TRUE(momentum_left(w) < 1e-11);
        cn_world_destroy(w);
    }
}

// Compresses a gas until contacts carry the stress; with shear its vectors are chosen anew.
static cn_world *compressed(int dim, int steps)
{
    cn_world *w = gas(dim, dim == 2 ? 8 : 4, dim == 2 ? 0.7 : 0.4, 0.3, 0.0);
    stop_drift(w);
    const given list[4] = {{CN_CELL_XY, false, 3.0},
                           {CN_CELL_YY, true, -400.0},
                           {CN_CELL_XX, true, -400.0},
                           {CN_CELL_ZZ, true, -400.0}};
    control(w, dim + 1, list);
    for (int step = 0; step < steps; step++) {
        cn_status status = cn_world_step(w, 1e-3, &test_error);
        CN_TRUE(status == CN_OK);
    }
    return w;
}

// Which image of a body is stored, and where the origin is, changes nothing but rounding.
CN_TEST(images_and_origin_do_not_matter)
{
    double C[2][9], carried[2][9];
    for (int variant = 0; variant < 2; variant++) {
        cn_world *w = compressed(2, 250);
        cn_view view = cn_world_view(w);
        cn_cell_state s = cell_of(w);
        for (int i = 0; i < view.body_count && variant == 1; i++) {
            cn_body_state body = scene_state(w, view.id[i]);
            int n = i % 3 - 1, m = i % 5 - 2;
            body.position[0] += s.vectors[0] * n + s.vectors[1] * m + 0.2;
            body.position[1] += s.vectors[4] * m - 0.7;
            CN_DO(cn_body_set(w, view.id[i], &body, &test_error));
        }
        cn_solver_def solver = cn_solver_def_default();
        solver.eps_v = solver.tol = 1e-11;
        CN_DO(cn_world_set_solver(w, &solver, &test_error));
        CN_DO(cn_world_step(w, 1e-3, &test_error));
        s = cell_of(w);
        memcpy(C[variant], s.vectors, sizeof s.vectors);
        memcpy(carried[variant], s.carried, sizeof s.carried);
        cn_world_destroy(w);
    }
    for (int k = 0; k < 2; k++) {
        CN_NEAR(C[1][4 * k], C[0][4 * k], 1e-9, "the solver is asked for 1e-11");
        CN_NEAR(carried[1][4 * k] / carried[0][4 * k], 1.0, 1e-6, "impulses of 1e-11 of v_ref");
    }
}

// A block with a point below, like a flat top, on another block: it stands on that and leans over,
// and the corner that a step brings down is met in it, also where the border of the cell lies
// between the two (5.3).
static cn_body_id add_top(cn_world *w, double z)
{
    double point[27] = {0.0, 0.0, -0.1};
    for (int k = 0; k < 8; k++) {
        point[3 * k + 3] = k & 1 ? 0.2 : -0.2;
        point[3 * k + 4] = k & 2 ? 0.2 : -0.2;
        point[3 * k + 5] = k & 4 ? 0.1 : -0.098;
    }
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 9, .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 2000.0,
                       .at = {0.5, 0.5, z},
                       .angular_velocity = {-15.0, 15.0, 0.0}};
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

CN_TEST(corners_come_down_across_the_border_as_inside)
{
    const double size[3] = {0.4, 0.4, 0.2}, low[2] = {0.3, 1.95};
    cn_body_state end[2];
    int count[2];
    for (int variant = 0; variant < 2; variant++) {
        cn_world *w = empty(3, 0.3);
        set_cell(w, 3, (double[9]){2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0}, false);
        scene_block(w, (double[3]){0.5, 0.5, low[variant]}, size, NULL, 0);
        cn_body_id id = add_top(w, fmod(low[variant] + 0.2001, 2.0));
        CN_DO(cn_world_step(w, 1e-3, &test_error));
        count[variant] = cn_world_view(w).contact_count;
        end[variant] = scene_state(w, id);
        cn_world_destroy(w);
    }
    CN_TRUE(count[0] >= 3);
    CN_NEAR(count[1], count[0], 0.0, "the same places");
    for (int d = 0; d < 3; d++) {
        CN_NEAR(end[1].velocity[d], end[0].velocity[d], 1e-9, "the same motion");
        CN_NEAR(end[1].angular_velocity[d], end[0].angular_velocity[d], 1e-7, "of 20 rad/s");
    }
}

// Impulses follow their contacts when bodies are put back and vectors are chosen anew: a step from
// them is solved at once, and a state that was stored goes on to the bit.
CN_TEST(restart_goes_on_to_the_bit)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = compressed(dim, 260),
                 *other = gas(dim, dim == 2 ? 8 : 4, dim == 2 ? 0.7 : 0.4, 0.3, 0.0);
        const given list[4] = {{CN_CELL_XY, false, 3.0},
                               {CN_CELL_YY, true, -400.0},
                               {CN_CELL_XX, true, -400.0},
                               {CN_CELL_ZZ, true, -400.0}};
        control(other, dim + 1, list);
        const cn_state_part *part;
        int count;
        CN_DO(cn_world_state(w, &part, &count, &test_error));
        CN_DO(cn_world_restore(other, part, count, &test_error));
        CN_TRUE(cn_world_state_hash(w) == cn_world_state_hash(other));
        for (int step = 0; step < 20; step++) {
            cn_world_step(w, 1e-3, &test_error);
            cn_world_step(other, 1e-3, &test_error);
        }
        CN_TRUE(cn_world_state_hash(w) == cn_world_state_hash(other));
        CN_TRUE(fabs(cell_of(w).strain[1]) > 0.5); // the cell has been put together anew
        cn_world_destroy(w);
        cn_world_destroy(other);
    }
}

// What a cell cannot take is said.
// A record without the block of the cell would be another problem.
CN_TEST(problems_of_cells_under_stress_are_not_recorded)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    cn_world *w = empty(2, 0.3);
    set_cell(w, 2, C, true);
    add_ball(w, 2, 0.5, 0.2, 0.3, 0.0);
    const given stress[2] = {{CN_CELL_XX, true, -1.0}, {CN_CELL_YY, true, -2.0}};
    control(w, 2, stress);
    CN_TRUE(scene_run(w, 1e-3, 2) == 0);
    cn_problem problem;
    CN_DO(cn_world_problem(w, &problem, NULL, &test_error));
    CN_FAILS(cn_problem_write("none.hdf5", &problem, NULL, &test_error), CN_BAD_INPUT, "cell");
    cn_world_destroy(w);
}

CN_TEST(what_a_cell_refuses)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const given squeeze = {CN_CELL_XX, true, -1.0}, shear = {CN_CELL_XY, false, 1.0};
    cn_world *w = empty(2, 0.3);
    set_cell(w, 2, C, false);
    add_ball(w, 2, 0.3, 0.5, 0.5, 0.0);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BAD_INPUT, "twice its diameter");
    set_cell(w, 2, C, true);
    CN_DO(cn_world_step(w, 1e-3, &test_error));
    cn_world_set_gravity(w, (double[3]){0.0, -9.81, 0.0}, &test_error);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BAD_INPUT, "nothing is held");
    cn_world_set_gravity(w, (double[3]){0.0, 0.0, 0.0}, &test_error);
    control(w, 1, &squeeze);
    scene_ground(w, 0.0, -2.0, 0.0);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BAD_INPUT, "half-plane across y");
    cn_world_destroy(w);

    w = empty(2, 0.3);
    set_cell(w, 2, C, true);
    cn_body_id ball = add_ball(w, 2, 0.6, 0.5, 0.5, 0.0);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BAD_INPUT, "smaller than the body");
    CN_DO(cn_body_remove(w, ball, &test_error));
    ball = add_ball(w, 2, 0.1, 0.5, 0.5, 0.0);
    CN_DO(cn_body_fix(w, ball, CN_FIXED_ALL, &test_error));
    CN_DO(cn_world_step(w, 1e-3, &test_error));
    control(w, 1, &shear);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error), CN_BAD_INPUT, "held or driven in a cell");
    cn_world_destroy(w);

    w = empty(2, 0.3);
    set_cell(w, 2, C, false);
    add_ball(w, 2, 0.1, 0.5, 0.5, 0.0);
    CN_FAILS(cn_world_step(w, 1e-3, &test_error) == CN_OK
                 ? (control(w, 1, &shear), cn_world_step(w, 0.2, &test_error))
                 : CN_OK,
             CN_BAD_INPUT, "Take a shorter step");
    const given pull = {CN_CELL_YY, true, 0.1};
    control(w, 1, &pull);
    cn_status status = CN_OK;
    for (int step = 0; step < 2000 && status == CN_OK; step++) {
        status = cn_world_step(w, 1e-2, &test_error);
    }
    CN_TRUE(status == CN_BROKEN && strstr(test_error.text, "tension on it") != NULL);
    cn_cell_def bad = {.is_periodic = {true, true}, .vectors = {1.0, 0.0, 0.0, 0.5, 1.0}};
    CN_FAILS(cn_world_set_cell(w, &bad, &test_error), CN_BAD_INPUT, "entry yx");
    bad = (cn_cell_def){.is_periodic = {true}, .vectors = {1.0, 0.0, 0.0, 0.0, 1.0}};
    CN_DO(cn_world_set_cell(w, &bad, &test_error));
    cn_cell_control all[CN_CELL_COMPONENT_COUNT] = {[CN_CELL_YY] = {.is_stress = true}};
    CN_FAILS(cn_world_control_cell(w, all, &test_error), CN_BAD_INPUT, "no such component");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(one_grain_in_a_square_cell); CN_RUN(one_grain_in_a_hexagonal_cell);
        CN_RUN(free_flight_through_a_sheared_cell); CN_RUN(rows_over_rows);
        CN_RUN(momentum_and_energy_of_a_sheared_gas); CN_RUN(stress_identity_of_every_step);
        CN_RUN(images_and_origin_do_not_matter);
        CN_RUN(corners_come_down_across_the_border_as_inside); CN_RUN(restart_goes_on_to_the_bit);
        CN_RUN(what_a_cell_refuses); CN_RUN(problems_of_cells_under_stress_are_not_recorded);)
