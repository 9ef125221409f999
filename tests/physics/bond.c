// Cemented grains: beams of bonded disks and balls against those of the textbook (L14 of the
// catalogue of laws), twist, breaking, and what every bond keeps.
#include "scenes.h"
#include "test.h"

enum { GRAINS = 11 };
static const double R = 0.01, HALF = 0.8, E = 1e8, RATIO = 0.4, SIGMA = 1e5;

static cn_law_def law_of(double damping)
{
    cn_law_def law = cn_law_default("bond");
    CN_DO(cn_law_set(&law, "young", E, &test_error));
    CN_DO(cn_law_set(&law, "ratio", RATIO, &test_error));
    CN_DO(cn_law_set(&law, "radius", HALF, &test_error));
    CN_DO(cn_law_set(&law, "strength", SIGMA, &test_error));
    CN_DO(cn_law_set(&law, "damping", damping, &test_error));
    return law;
}

// Section of the bond and stiffness of its rows.
typedef struct section {
    double A, I, J, k_n, k_t, k_roll, k_spin;
} section;

static section section_of(int dim)
{
    double a = HALF * R, l = 2.0 * R;
    section s = {.A = dim == 2 ? 2.0 * a : CN_PI * a * a,
                 .I = dim == 2 ? 2.0 * a * a * a / 3.0 : CN_PI * a * a * a * a / 4.0};
    s.J = 2.0 * s.I;
    s.k_n = E * s.A / l;
    s.k_t = RATIO * s.k_n;
    s.k_roll = E * s.I / l;
    s.k_spin = RATIO * E * s.J / l;
    return s;
}

// Grains in a row along x, the first one fixed.
typedef struct row {
    cn_world *w;
    cn_body_id last;
} row;

static row make_row(int dim, const cn_law_def *law, const cn_world_def *settings)
{
    cn_world_def def = settings != NULL ? *settings : cn_world_def_default();
    def.dim = dim;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    row r = {.w = scene_world_with(&def, law)};
    for (int k = 0; k < GRAINS; k++) {
        double x = 2.0 * R * k;
        if (dim == 2) {
            r.last = scene_disk(r.w, x, 0.0, R, k == 0 ? CN_FIXED_ALL : 0);
        } else {
            cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = R};
            cn_body_def body = {.type = CN_BODY_SOLIDS,
                                .solids = {1, &ball},
                                .density = 1000.0,
                                .at = {x, 0.0, 0.0},
                                .fixed = k == 0 ? CN_FIXED_ALL : 0};
            CN_DO(cn_body_add(r.w, &body, &r.last, &test_error));
        }
    }
    return r;
}

static cn_world_def exact(void)
{
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = 1e-10;
    return def;
}

static void pull(row *r, const double direction[3], double first, double rate, bool turns)
{
    const double time[2] = {0.0, 10.0}, value[2] = {first, first + 10.0 * rate};
    cn_force_def def = {.body = r->last,
                        .is_torque = turns,
                        .direction = {direction[0], direction[1], direction[2]},
                        .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value},
                        .t0 = NAN};
    CN_DO(cn_force_add(r->w, &def, &test_error));
}

static double deflection(int dim, double P)
{
    const double n = GRAINS - 1;
    section s = section_of(dim);
    return P * (R * R * n * (4.0 * n * n - 1.0) / (3.0 * s.k_roll) + n / s.k_t);
}

CN_TEST(a_row_of_grains_bends_as_a_beam_does)
{
    const double direction[2][3] = {{0.0, 1.0, 0.0}, {0.0, 0.6, 0.8}};
    for (int dim = 2; dim <= 3; dim++) {
        cn_law_def law = law_of(0.01);
        cn_world_def def = exact();
        row r = make_row(dim, &law, &def);
        double P = dim == 2 ? 1e-2 : 1e-4;
        pull(&r, direction[dim - 2], P, 0.0, false);
        CN_TRUE(scene_run(r.w, 2e-3, 300) == 0);
        cn_body_state s = scene_state(r.w, r.last);
        double way = hypot(s.position[1], s.position[2]);
        CN_NEAR(way, deflection(dim, P), 1e-4 * deflection(dim, P), "at rest; small turns");
        CN_NEAR(s.position[2], dim == 2 ? 0.0 : 0.8 * way, 1e-9 * way, "in the plane of the load");
        cn_world_destroy(r.w);
    }
}

CN_TEST(a_row_of_grains_is_twisted)
{
    cn_law_def law = law_of(0.01);
    cn_world_def def = exact();
    row r = make_row(3, &law, &def);
    section s = section_of(3);
    double T = 1e-4;
    pull(&r, (double[3]){1.0, 0.0, 0.0}, T, 0.0, true);
    CN_TRUE(scene_run(r.w, 1e-3, 400) == 0);
    cn_body_state state = scene_state(r.w, r.last);
    double angle = 2.0 * asin(state.rotation[1]);
    CN_NEAR(angle, (GRAINS - 1) * T / s.k_spin, 1e-6 * angle, "ten torsion springs in a row");
    cn_world_destroy(r.w);
}

static int bond_count(const cn_world *w)
{
    cn_view view = cn_world_view(w);
    int count = 0;
    for (int a = 0; a < view.contact_count; a++) {
        const double *state = view.state + view.state_start[a];
        bool is_kept = view.state_start[a + 1] > view.state_start[a];
        count += is_kept && state[0] == 1.0 && state[1] < 1.0;
    }
    return count;
}

// A load that grows until the first bond breaks; what it is then [N].
static double load_at_break(const double direction[3], double first, double rate, int *first_body)
{
    cn_law_def law = law_of(0.01);
    cn_world_def def = exact();
    row r = make_row(2, &law, &def);
    pull(&r, direction, first, rate, false);
    int n = 0;
    while (n < 3000 && (n == 0 || bond_count(r.w) == GRAINS - 1)) {
        CN_TRUE(scene_run(r.w, 1e-3, 1) == 0);
        n++;
    }
    CN_TRUE(bond_count(r.w) == GRAINS - 2);
    cn_view view = cn_world_view(r.w);
    for (int a = 0; a < view.contact_count; a++) {
        if (view.state[view.state_start[a] + 1] == 1.0) {
            *first_body =
                view.contact[a].i < view.contact[a].j ? view.contact[a].i : view.contact[a].j;
        }
    }
    double stored = view.ledger->storage, spent = view.ledger->total[CN_ENERGY_FRACTURE];
    CN_TRUE(spent > 0.0 && stored > 0.0);
    CN_NEAR(view.ledger->error_max, 0.0, 1e-10, "what was stored is spent");
    cn_world_destroy(r.w);
    return first + rate * 1e-3 * n;
}

CN_TEST(the_bond_at_the_root_breaks_first)
{
    section s = section_of(2);
    const double arm = (2 * GRAINS - 3) * R;
    double bent = SIGMA * s.I / (HALF * R * arm);
    int root = -1;
    double P = load_at_break((double[3]){0.0, 1.0, 0.0}, 20.0, 2.0, &root);
    CN_NEAR(P, bent, 5e-3 * bent, "M R/I at the root; slow load of 2 N/s, turned by 0.01 rad");
    CN_TRUE(root == 0);
}

// Impulses of a bond do not depend on who solves: the same motion from each method.
CN_TEST(methods_agree_on_bonds)
{
    static const cn_method method[] = {CN_METHOD_AUTO, CN_METHOD_NNCG, CN_METHOD_NLGS,
                                       CN_METHOD_ADMM, CN_METHOD_PROX, CN_METHOD_APGD};
    double way[sizeof method / sizeof *method];
    for (int k = 0; k < (int)(sizeof method / sizeof *method); k++) {
        cn_law_def law = law_of(0.0);
        cn_world_def def = exact();
        def.solver.method = method[k];
        row r = make_row(3, &law, &def);
        pull(&r, (double[3]){0.3, 1.0, -0.5}, 1e-3, 0.0, false);
        pull(&r, (double[3]){1.0, 0.2, 0.1}, 1e-5, 0.0, true);
        CN_TRUE(scene_run(r.w, 1e-4, 20) == 0);
        way[k] = scene_state(r.w, r.last).position[1];
        CN_NEAR(way[k], way[0], 1e-7 * fabs(way[0]), "residuals of 1e-10 a step");
        cn_world_destroy(r.w);
    }
}

// A pair that is thrown and turns fast keeps its energy, its bond and, in the middle of it, its
// bits over a restart.
CN_TEST(a_bonded_pair_flies_and_restarts)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (double theta = 0.5; theta < 0.8; theta += 0.2) {
            cn_law_def law = law_of(0.0);
            CN_DO(cn_law_set(&law, "strength", 1e8, &test_error));
            cn_world_def def = exact();
            def.theta = theta;
            row r = make_row(dim, &law, &def), other = make_row(dim, &law, &def);
            cn_body_state s = scene_state(r.w, r.last);
            s.velocity[1] = 0.1;
            s.angular_velocity[0] = dim == 3 ? 5.0 : 0.0;
            s.angular_velocity[2] = 3.0;
            CN_DO(cn_body_set(r.w, r.last, &s, &test_error));
            const cn_state_part *part;
            int count;
            CN_TRUE(scene_run(r.w, 1e-4, 100) == 0);
            CN_DO(cn_world_state(r.w, &part, &count, &test_error));
            CN_DO(cn_world_restore(other.w, part, count, &test_error));
            CN_TRUE(scene_run(r.w, 1e-4, 100) == 0 && scene_run(other.w, 1e-4, 100) == 0);
            cn_view x = cn_world_view(r.w), y = cn_world_view(other.w);
            CN_TRUE(memcmp(x.q, y.q, sizeof(double) * (dim == 2 ? 3 : 7) * GRAINS) == 0);
            CN_TRUE(memcmp(x.state, y.state,
                           sizeof(double) * (size_t)x.state_start[x.contact_count]) == 0);
            CN_TRUE(x.contact_count == GRAINS - 1);
            CN_NEAR(x.ledger->error_max, 0.0, 1e-10, "it closes at any theta");
            cn_world_destroy(r.w);
            cn_world_destroy(other.w);
        }
    }
}

CN_MAIN(CN_RUN(a_row_of_grains_bends_as_a_beam_does); CN_RUN(a_row_of_grains_is_twisted);
        CN_RUN(the_bond_at_the_root_breaks_first); CN_RUN(methods_agree_on_bonds);
        CN_RUN(a_bonded_pair_flies_and_restarts);)
