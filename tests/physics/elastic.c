// The elastic step: springs about the last impulses, and the one solution they leave.
#include "solutions.h"
#include "strict.h"
#include "world/world.h"

// A block of mass 1 and impulse r0 before: (W + a_c) r = -u_free + a_c r0 with W = 1, a_c = 1/c.
CN_TEST(one_contact_moves_by_its_spring)
{
    const double c = 100.0, before = 0.4, G[6] = {0, 1, 0, 1, 0, 0}, u_free[2] = {-1.0, 0.1};
    const int row_start[2] = {0, 2}, body[2] = {0, -1}, block[2] = {0, 0}, dof[2] = {0, 3};
    const unsigned char kind[1] = {CN_CORE_CONE};
    const double mu[1] = {0.5};
    double r[2] = {before, 0.0};
    cn_problem p = {.dim = 2,
                    .contact_count = 1,
                    .row_start = row_start,
                    .W.factors = {1, dof, body, block, G, NULL},
                    .u_free = u_free,
                    .kind = kind,
                    .mu = mu,
                    .r = r};
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = def.tol = 1e-12;
    def.elastic_c = c;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&p, &def, s, &report, &test_error));
    CN_NEAR(r[0], (1.0 + before / c) / (1.0 + 1.0 / c), 1e-12, "one division");
    CN_NEAR(r[1], -0.1 / (1.0 + 1.0 / c), 1e-12, "no tangential impulse before");
    CN_NEAR(report.elastic_c, c, 1e-12, "the same for all contacts");
    double u_n = r[0] - 1.0, u_t = r[1] + 0.1;
    CN_NEAR(report.rigid.e_max, hypot(u_n - 0.5 * fabs(u_t), u_t), 1e-3,
            "sticks inside the cone: all of u~ is missing, |u_t| is 1e-3");
    CN_TRUE(report.residual.err_v < 1e-12 && report.rigid.err_v > 1e-3);
    CN_TRUE(cn_solver_guess(s)[0] == before && cn_solver_problem(s, &p).c[0] > 0.0);

    r[0] = before;
    r[1] = 0.0;
    def.elastic_c = 0.0;
    def.h = 0.01;
    def.contact_stiffness = c / (def.h * def.h); // k = c m / h^2
    CN_DO(test_solve(&p, &def, s, &report, &test_error));
    CN_NEAR(r[0], (1.0 + before / c) / (1.0 + 1.0 / c), 1e-12, "the same spring");
    def.elastic_c = c;
    CN_FAILS(test_solve(&p, &def, s, &report, &test_error), CN_BAD_INPUT, "one of them");
    def.elastic_c = def.contact_stiffness = 0.0;
    def.is_elastic_auto = true;
    r[0] = before;
    r[1] = 0.0;
    CN_DO(test_solve(&p, &def, s, &report, &test_error));
    CN_NEAR(report.elastic_c, 100.0, 1e-12, "25/mu^2 of a friction of 0.5, the most there is");
    CN_NEAR(r[0], (1.0 + before / c) / (1.0 + 1.0 / c), 1e-12, "the same spring again");
    p.mu = (const double[1]){2.0};
    CN_DO(test_solve(&p, &def, s, &report, &test_error));
    CN_NEAR(report.elastic_c, 25.0 / 4.0, 1e-12, "25/mu^2");
    p.mu = mu;
    def.elastic_c = c;
    CN_FAILS(test_solve(&p, &def, s, &report, &test_error), CN_BAD_INPUT, "c by friction");
    def.is_elastic_auto = false;
    def.contact_stiffness = c;
    def.elastic_c = def.h = 0.0;
    CN_FAILS(test_solve(&p, &def, s, &report, &test_error), CN_BAD_INPUT, "time step");
    cn_solver_destroy(s);
}

// A sphere laid on the ground: the spring takes m g h after its overlap a_c m g h^2, w m = 8/3.
CN_TEST(static_overlap_is_that_of_the_spring)
{
    const double h = 4e-3, c = 100.0, g = 9.81;
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -g;
    def.theta = 1.0;
    def.gamma = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-13;
    def.solver.elastic_c = c;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_floor(w, 0.0);
    cn_body_id ball = scene_sphere(w, 0.0, 0.0, 0.1, 0.1);
    CN_TRUE(scene_run(w, h, 50) == 0);
    cn_body_state s = scene_state(w, ball);
    CN_NEAR(0.1 - s.position[2], 8.0 / 3.0 * g * h * h / c, 1e-11,
            "u + a_c (r - r_c) = 0 summed over all steps; the arm of 3 % of r is shorter by 2e-5");
    CN_NEAR(s.velocity[2], 0.0, 1e-12, "impulses do not change any more");
    CN_NEAR(cn_world_view(w).certificate->solver.rigid.err_v, 0.0, 1e-10,
            "at rest the elastic step obeys the rigid law");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    double force = s.mass * g, overlap = 0.1 - s.position[2];
    CN_NEAR(cn_world_view(w).ledger->storage / (0.5 * force * overlap), 1.0, 1e-4,
            "1/2 F x of the spring; its softness changes with the arm by 2e-5");
    cn_world_destroy(w);
}

// A ball of e = 0 on springs as soft as itself bounces: what it brings is stored, given back, and
// nothing is left in the springs once it is in the air. The ledger closes, and a restart in the
// middle of the contact changes nothing.
CN_TEST(the_ledger_knows_the_springs)
{
    const double h = 1e-3;
    cn_world *w[2];
    for (int k = 0; k < 2; k++) {
        cn_world_def def = cn_world_def_default();
        def.gravity[1] = -9.81;
        def.solver.eps_v = def.solver.tol = 1e-12;
        def.solver.elastic_c = 0.01;
        cn_law_def law = cn_law_coulomb(0.5, 0.0);
        w[k] = scene_world_with(&def, &law);
        scene_ground(w[k], 0.0, 0.0, 0.0);
        cn_body_id disk = scene_disk(w[k], 0.0, 0.1101, 0.1, 0);
        scene_set_velocity(w[k], disk, 0.02, 0.0, 0.0); // so that tangential springs work, too
    }
    double most = 0.0, kinetic = 0.0;
    bool has_left = false;
    for (int k = 0; k < 300 && !has_left; k++) {
        scene_run(w[0], h, 1);
        cn_view view = cn_world_view(w[0]);
        bool is_pressed = view.contact_count > 0 && view.contact[0].r[0] > 0.0;
        kinetic = is_pressed ? kinetic : view.ledger->kinetic;
        has_left = most > 0.0 && !is_pressed;
        most = fmax(most, view.ledger->storage);
        CN_TRUE(is_pressed || fabs(view.ledger->storage) < 1e-12 * kinetic || most == 0.0);
    }
    CN_TRUE(has_left && most > 0.5 * kinetic);
    CN_TRUE(cn_world_view(w[0]).ledger->error_max < 1e-10);
    int steps = (int)cn_world_view(w[0]).step;
    scene_run(w[1], h, steps - 3);
    const cn_state_part *part;
    int count;
    CN_DO(cn_world_state(w[1], &part, &count, &test_error));
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = -9.81;
    def.solver = w[1]->solver_def;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_world *again = scene_world_with(&def, &law);
    scene_ground(again, 0.0, 0.0, 0.0);
    scene_disk(again, 0.0, 0.1101, 0.1, 0);
    CN_DO(cn_world_restore(again, part, count, &test_error));
    scene_run(again, h, 3);
    CN_TRUE(cn_world_view(again).ledger->storage == cn_world_view(w[0]).ledger->storage);
    CN_TRUE(cn_world_view(again).ledger->total[CN_ENERGY_SHOCK] ==
            cn_world_view(w[0]).ledger->total[CN_ENERGY_SHOCK]);
    cn_world_destroy(again);
    cn_world_destroy(w[0]);
    cn_world_destroy(w[1]);
}

// A pendulum makes the step solve its problem several times; the springs keep their centre.
CN_TEST(joints_leave_the_springs_alone)
{
    const double h = 4e-3, c = 100.0, g = 9.81;
    cn_world_def def = cn_world_def_default();
    def.theta = 1.0;
    def.gamma = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-13;
    def.solver.elastic_c = c;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id ball = scene_disk(w, 0.0, 0.1, 0.1, 0), bob = scene_disk(w, 3.0, 3.0, 0.1, 0);
    cn_joint_def joint = {.kind = CN_JOINT_BALL, .body = bob, .at = {2.0, 3.0, 0.0}};
    CN_DO(cn_joint_add(w, &joint, NULL, &test_error));
    CN_TRUE(scene_run(w, h, 50) == 0);
    CN_NEAR(0.1 - scene_state(w, ball).position[1], 2.0 * g * h * h / c, 1e-9,
            "w m = (1 + 3) / 2: normal row 1, tangential row 3 of a disk");
    cn_world_destroy(w);
}

// The problem of the last step with springs of hardness c about its warm start; r, b and c are the
// caller's, of `rows` each.
static cn_problem soften(const cn_problem *p, const double *guess, double c, double *r, double *b_c)
{
    int rows = p->row_start[p->contact_count];
    cn_problem soft = *p;
    soft.r = r;
    memcpy(r, guess, sizeof(double) * (size_t)rows);
    cn_solver *solver;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.elastic_c = c;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_DO(test_solve(&soft, &def, solver, &report, &test_error));
    cn_problem solved = cn_solver_problem(solver, &soft);
    memcpy(b_c, solved.b, sizeof(double) * (size_t)rows);
    memcpy(b_c + rows, solved.c, sizeof(double) * (size_t)rows);
    soft.b = b_c;
    soft.c = b_c + rows;
    cn_solver_destroy(solver);
    return soft;
}

// The same packing with springs of c = 100: every start leads to one velocity.
static void check_elastic(const cn_problem *p, const double *guess)
{
    size_t rows = 3 * (size_t)p->contact_count;
    double *work = malloc(sizeof *work * 4 * rows), *centre = work + 3 * rows;
    memcpy(centre, guess, sizeof *work * rows);
    cn_problem soft = soften(p, centre, 100.0, work, work + rows);
    solutions elastic = find_solutions(&soft, centre, 6, 6, 4000);
    CN_TRUE(elastic.count == 1 && elastic.failed == 0);
    CN_NEAR(elastic.spread, 0.0, 1e-8, "each start to 1e-10");
    free_solutions(&elastic);
    free(work);
}

// 54 spheres on the move, friction 0.5. The packing depends on every bit of the steps before, so
// the search goes on until a step with two solutions that differ clearly comes by; it is among the
// first looked at.
CN_TEST(an_elastic_step_has_one_solution_where_the_rigid_one_has_several)
{
    cn_world *w = falling_spheres(3, 6, 0.5, 0.5, 2);
    solutions rigid = {0};
    bool is_found = false;
    for (int look = 0; look < 30 && !is_found; look++) {
        scene_run(w, 4e-3, look == 0 ? 300 : 5);
        cn_problem p;
        const double *guess;
        CN_DO(cn_world_problem(w, &p, &guess, &test_error));
        double *r = malloc(sizeof *r * 3 * (size_t)p.contact_count);
        p.r = r; // the world keeps its own
        free_solutions(&rigid);
        rigid = find_solutions(&p, guess, 8, 2, 4000);
        is_found = rigid.count == 2 && rigid.spread > 1e-3;
        if (is_found) {
            check_elastic(&p, guess);
        }
        free(r);
    }
    CN_TRUE(is_found);
    free_solutions(&rigid);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(one_contact_moves_by_its_spring); CN_RUN(static_overlap_is_that_of_the_spring);
        CN_RUN(the_ledger_knows_the_springs); CN_RUN(joints_leave_the_springs_alone);
        CN_RUN(an_elastic_step_has_one_solution_where_the_rigid_one_has_several); files_remove();)
