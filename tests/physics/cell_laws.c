// Every contact law in a periodic cell: a chain across the faces moves like one in the middle, its
// memory survives images that change, the ledger closes, a restart goes on to the bit.
#include <string.h>

#include "scenes.h"
#include "test.h"

enum { GRAINS = 6, STEPS = 240 };
static const double R = 0.04, H = 1e-3;

typedef struct param {
    const char *name;
    double value;
} param;

typedef struct law_case {
    const char *law;
    param param[5];
} law_case;

// Stiffnesses of periods of some ten steps for grains of 5 kg in the plane, 0.27 kg in space.
static const law_case cases[] = {
    {"coulomb", {{"friction", 0.4}, {"rolling", 0.1}}},
    {"elastic", {{"stiffness", 2e4}, {"friction", 0.4}}},
    {"viscoelastic", {{"stiffness", 2e4}, {"damping", 20.0}, {"friction", 0.4}}},
    {"glue", {{"friction", 0.4}}},
    {"wet", {{"cohesion", 5.0}, {"distance", 5e-3}, {"friction", 0.4}}},
    {"sliding", {{"friction", 0.2}, {"friction_static", 0.5}, {"slip_distance", 1e-3}}},
    {"hertz", {{"young", 1e6}, {"friction", 0.4}}},
    {"crush", {{"stiffness", 1e4}, {"stiffness_unloading", 4e4}, {"friction", 0.4}}},
};

static cn_law_def law_of(const law_case *c)
{
    cn_law_def law = cn_law_default(c->law);
    for (int k = 0; k < 5 && c->param[k].name != NULL; k++) {
        CN_DO(cn_law_set(&law, c->param[k].name, c->param[k].value, &test_error));
    }
    return law;
}

static cn_world *sheared_cell(int dim, const cn_law_def *law)
{
    const double C[9] = {1.0, 0.0, 0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 0.7};
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-13;
    cn_world *w = scene_world_with(&def, law);
    cn_cell_def cell = {.is_periodic = {true, true, dim == 3}};
    memcpy(cell.vectors, C, sizeof cell.vectors);
    CN_DO(cn_world_set_cell(w, &cell, &test_error));
    cn_cell_control all[CN_CELL_COMPONENT_COUNT];
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        all[k] = (cn_cell_control){.f = cn_constant(k == CN_CELL_XY ? 3.0 : 0.0), .t0 = 0.0};
    }
    CN_DO(cn_world_control_cell(w, all, &test_error));
    return w;
}

// A bent chain of touching grains that starts at x, and is shaken.
static cn_world *chain_at(int dim, const cn_law_def *law, const double x[3])
{
    cn_world *w = sheared_cell(dim, law);
    const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = R};
    const cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = R};
    double at[3] = {x[0], x[1], dim == 3 ? x[2] : 0.0};
    for (int k = 0; k < GRAINS; k++) {
        double angle = k % 2 == 0 ? 0.3 : -0.5;
        cn_body_def def = {.density = 1000.0, .at = {at[0], at[1], at[2]}};
        scene_part(&def, dim, &disk, &sphere);
        cn_body_id id;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        cn_body_state s = scene_state(w, id);
        s.velocity[0] = -0.2 * k + 0.1 * sin(3.0 * k);
        s.velocity[1] = 0.1 * cos(5.0 * k);
        s.velocity[2] = dim == 3 ? 0.1 * sin(11.0 * k) : 0.0;
        s.angular_velocity[2] = 2.0 * sin(7.0 * k);
        CN_DO(cn_body_set(w, id, &s, &test_error));
        at[0] += 2.0 * R * cos(angle);
        at[1] += 2.0 * R * sin(angle);
    }
    return w;
}

static void step(cn_world *w, const char *law)
{
    cn_status status = cn_world_step(w, H, &test_error);
    if (status != CN_OK) {
        printf("%s: %s\n", law, test_error.text);
    }
    CN_TRUE(status == CN_OK);
}

// The largest difference of places relative to the first grain, images counted.
static double difference(const cn_world *a, const cn_world *b)
{
    double most = 0.0, first[2][3], x[2][3];
    const cn_world *const w[2] = {a, b};
    for (int k = 0; k < GRAINS; k++) {
        for (int n = 0; n < 2; n++) {
            CN_DO(cn_world_unwrapped(w[n], k, x[n], &test_error));
            if (k == 0) {
                memcpy(first[n], x[n], sizeof first[n]);
            }
        }
        for (int d = 0; d < 3; d++) {
            most = fmax(most, fabs(x[0][d] - first[0][d] - x[1][d] + first[1][d]));
        }
    }
    return most;
}

static void check_law(const law_case *c, int dim)
{
    const double middle[3] = {0.3, 0.4, 0.35}, corner[3] = {0.85, 0.79, 0.69};
    cn_law_def law = law_of(c);
    cn_world *inside = chain_at(dim, &law, middle), *across = chain_at(dim, &law, corner),
             *again = chain_at(dim, &law, middle);
    double most = 0.0, energy = 0.0;
    int touched = 0;
    for (int k = 0; k < STEPS; k++) {
        if (k == STEPS / 2) {
            const cn_state_part *part;
            int count;
            CN_DO(cn_world_state(across, &part, &count, &test_error));
            CN_DO(cn_world_restore(again, part, count, &test_error));
        }
        step(inside, c->law);
        step(across, c->law);
        if (k >= STEPS / 2) {
            step(again, c->law);
        }
        most = fmax(most, difference(inside, across));
        energy = fmax(energy, cn_world_view(across).ledger->error_max);
        touched += cn_world_view(across).contact_count;
    }
    if (most > 1e-9 || energy > 1e-10) {
        printf("%s in %d dimensions: differs by %g m, energy by %g\n", c->law, dim, most, energy);
    }
    CN_TRUE(touched > STEPS / 2);
    CN_NEAR(most, 0.0, 1e-9, "residual of 1e-13 of 1 m/s over 0.24 s, and what impacts make of it");
    CN_NEAR(energy, 0.0, 1e-10, "the ledger closes");
    CN_TRUE(cn_world_state_hash(across) == cn_world_state_hash(again));
    cn_world_destroy(inside);
    cn_world_destroy(across);
    cn_world_destroy(again);
}

CN_TEST(laws_do_not_see_the_faces_of_a_cell)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        check_law(&cases[k], 2);
        check_law(&cases[k], 3);
    }
}

// Links that would have to follow the images of bodies are refused, as are bodies that deform.
CN_TEST(links_and_meshes_are_refused)
{
    static const char *const bonding[] = {"bond", "cohesive", "mohr", "compliant"};
    for (int k = 0; k < 4; k++) {
        cn_law_def law = cn_law_default(bonding[k]);
        for (int n = 0; n < law.type->param_count; n++) {
            law.param[n] = isnan(law.param[n]) ? 1e3 : law.param[n];
        }
        cn_world *w = sheared_cell(2, &law);
        CN_FAILS(cn_world_step(w, H, &test_error), CN_BAD_INPUT, "bonds surfaces");
        cn_world_destroy(w);
    }
    const double x[3] = {0.3, 0.4, 0.0};
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_world *w = chain_at(2, &law, x);
    cn_joint_def joint = {.kind = CN_JOINT_BALL, .body = 1, .other = 2, .at = {0.34, 0.4}};
    CN_DO(cn_joint_add(w, &joint, NULL, &test_error));
    CN_FAILS(cn_world_step(w, H, &test_error), CN_BAD_INPUT, "knows no joints");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(laws_do_not_see_the_faces_of_a_cell); CN_RUN(links_and_meshes_are_refused);)
