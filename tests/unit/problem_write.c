// Problems written to files: round trips, factors against rows, cores, and the shared library.
#include "masonry.h"
#include "problem_make.h"
#include "strict.h"

// Two masses on the ground and on each other, 2D: contact 0 under mass 0, contact 1 between them,
// contact 2 under mass 0 too, but switched off.
typedef struct pair {
    int body[6], block_start[6], row_start[4], dof_start[3];
    double G[36], u_free[6], r[6], b[6], c[6], r0[6];
    unsigned char kind[3];
    double mu[3];
    cn_problem problem;
} pair;

static void make_pair(pair *t)
{
    *t = (pair){.body = {0, -1, 1, 0, 0, -1},
                .row_start = {0, 2, 4, 6},
                .dof_start = {0, 3, 6},
                .u_free = {-1.0, 0.3, -0.2, 0.1, -5.0, 0.0},
                .b = {0.1, 0.0, -0.05, 0.0, 0.0, 0.0},
                .c = {0.2, 0.1, 0.0, 0.3, 0.0, 0.0},
                .r0 = {0.0, 0.0, 0.4, 0.0, 0.0, 0.0},
                .kind = {CN_CORE_CONE, CN_CORE_CONE, CN_CORE_FREE},
                .mu = {0.5, 0.2, 0.5}};
    for (int side = 0; side < 6; side++) {
        double *G = t->G + 6 * side, sign = side % 2 == 0 ? 1.0 : -1.0;
        t->block_start[side] = 6 * side;
        G[1] = sign;        // normal along y
        G[2] = 0.25 * sign; // with a lever
        G[3] = sign;        // tangent along x
    }
    t->problem = (cn_problem){.dim = 2,
                              .contact_count = 3,
                              .row_start = t->row_start,
                              .W.factors = {2, t->dof_start, t->body, t->block_start, t->G, NULL},
                              .u_free = t->u_free,
                              .kind = t->kind,
                              .mu = t->mu,
                              .b = t->b,
                              .c = t->c,
                              .r0 = t->r0,
                              .r = t->r};
}

static void solve_pair(pair *t)
{
    cn_solver *solver;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = def.tol = 1e-13;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_DO(test_solve(&t->problem, &def, solver, &report, &test_error));
    cn_solver_destroy(solver);
}

// The answer of the problem is an answer of the file, and solving the file gives it back.
CN_TEST(factors_and_cores_survive_the_file)
{
    static pair t;
    make_pair(&t);
    solve_pair(&t);
    const double guess[6] = {1.0, 0.1, 2.0, 0.2, 3.0, 0.3};
    const cn_problem_note note = {.title = "two masses", .with_solution = true, .guess = guess};
    CN_DO(cn_problem_write(files_path("pair.hdf5"), &t.problem, &note, &test_error));
    cn_problem_file *file = read_file(files_path("pair.hdf5"));
    const cn_problem_info *info = cn_problem_file_info(file);
    CN_TRUE(info->contact_count == 2 && info->has_solution && info->has_guess &&
            strcmp(info->title, "two masses") == 0);
    CN_NEAR(info->asymmetry, 0.0, 0.0, "W is made of products that commute");
    cn_problem_errors errors;
    const double *stored_r = cn_problem_file_solution(file);
    CN_DO(cn_problem_file_check(file, stored_r, NULL, &errors, &test_error));
    CN_NEAR(errors.natural, 0.0, 1e-12, "the residual of the solver was 1e-13");
    errors = solve_file(file, CN_METHOD_NLGS);
    CN_NEAR(errors.natural, 0.0, 1e-12, "residual 1e-13");
    const double *r = cn_problem_file_problem(file)->r;
    for (int k = 0; k < 4; k++) {
        CN_NEAR(stored_r[k], t.r[k] + t.r0[k], 1e-15, "the file holds r + r0");
        CN_NEAR(cn_problem_file_guess(file)[k], guess[k] + t.r0[k], 1e-15, "likewise");
        CN_NEAR(r[k], t.r[k] + t.r0[k], 1e-11, "one solution, two ways to it");
    }
    cn_problem_file_destroy(file);
}

// Terms beside cores are folded into W and q: the file holds r' = r + r0 + k u, and its velocities.
CN_TEST(parallel_terms_survive_the_file)
{
    static pair t;
    make_pair(&t);
    const double k[6] = {0.7, 0.2, 3.0, 0.0, 0.0, 0.0};
    double u[6];
    t.problem.k = k;
    solve_pair(&t);
    cn_solver *solver;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_DO(cn_problem_velocity(&t.problem, solver, u, &test_error));
    cn_solver_destroy(solver);
    const cn_problem_note note = {.with_solution = true, .guess = t.r, .as_global = true};
    CN_DO(cn_problem_write(files_path("bonds.hdf5"), &t.problem, &note, &test_error));
    cn_problem_file *file = read_file(files_path("bonds.hdf5"));
    cn_problem_errors errors;
    const double *stored_r = cn_problem_file_solution(file);
    CN_DO(cn_problem_file_check(file, stored_r, NULL, &errors, &test_error));
    CN_NEAR(errors.natural, 0.0, 1e-12, "the residual of the solver was 1e-13");
    errors = solve_file(file, CN_METHOD_NLGS);
    CN_NEAR(errors.natural, 0.0, 1e-12, "residual 1e-13");
    for (int n = 0; n < 4; n++) {
        double r_core = t.r[n] + t.r0[n] + k[n] * u[n];
        CN_NEAR(stored_r[n], r_core, 1e-14, "the file holds r'");
        CN_NEAR(cn_problem_file_guess(file)[n], r_core, 1e-14, "likewise");
        CN_NEAR(cn_problem_file_problem(file)->r[n], r_core, 1e-11, "one solution");
    }
    cn_problem_file_destroy(file);
}

// Read, written and read again: the same problem, bit for bit.
CN_TEST(files_are_written_as_they_were_read)
{
    const char *first = files_path("first.hdf5");
    cn_problem_file *file = read_file(CAIRN_SOURCE_DIR "/tests/data/fclib/fc3d_rover_04493.hdf5");
    CN_TRUE(strcmp(cn_problem_file_info(file)->title, "fc3d_rover_04493") == 0);
    CN_DO(cn_problem_write(first, cn_problem_file_problem(file), NULL, &test_error));
    cn_problem_file *again = read_file(first);
    const cn_problem *p = cn_problem_file_problem(file), *q = cn_problem_file_problem(again);
    int rows = p->row_start[p->contact_count];
    CN_TRUE(q->row_start[q->contact_count] == rows);
    CN_TRUE(memcmp(p->u_free, q->u_free, sizeof(double) * (size_t)rows) == 0);
    CN_TRUE(memcmp(p->W.rows.block, q->W.rows.block, sizeof(double) * (size_t)(rows * rows)) == 0);
    CN_TRUE(memcmp(p->mu, q->mu, sizeof(double) * (size_t)p->contact_count) == 0);
    CN_TRUE(cn_problem_file_info(file)->asymmetry == cn_problem_file_info(again)->asymmetry);
    cn_problem_file_destroy(file);
    cn_problem_file_destroy(again);
}

// A joint between two masses becomes V, R and s.
CN_TEST(bilateral_constraints_survive_the_file)
{
    static pair t;
    make_pair(&t);
    t.kind[1] = CN_CORE_BILATERAL;
    solve_pair(&t);
    CN_DO(cn_problem_write(files_path("joint.hdf5"), &t.problem, NULL, &test_error));
    cn_problem_file *file = read_file(files_path("joint.hdf5"));
    CN_TRUE(cn_problem_file_info(file)->contact_count == 1);
    CN_TRUE(cn_problem_file_info(file)->bilateral_rows == 2);
    cn_problem_errors errors = solve_file(file, CN_METHOD_NNCG);
    CN_NEAR(errors.natural, 0.0, 1e-12, "residual 1e-13");
    for (int k = 0; k < 4; k++) {
        CN_NEAR(cn_problem_file_problem(file)->r[k], t.r[k] + t.r0[k], 1e-11, "one solution");
    }
    cn_problem_file_destroy(file);
}

// A motor that may push with 0.3 along both rows, stronger than one of them needs: each row is a
// contact whose normal impulse is the bound.
CN_TEST(motors_survive_the_file)
{
    static pair t;
    make_pair(&t);
    t.kind[0] = CN_CORE_BOUNDED;
    t.mu[0] = 0.3;
    t.u_free[1] = 0.1;
    solve_pair(&t);
    CN_NEAR(t.r[0] + t.r0[0], 0.3, 1e-12, "at its bound along y");
    CN_TRUE(fabs(t.r[1]) < 0.3);
    const cn_problem_note note = {.with_solution = true, .as_global = true};
    CN_DO(cn_problem_write(files_path("motor.hdf5"), &t.problem, &note, &test_error));
    cn_problem_file *file = read_file(files_path("motor.hdf5"));
    CN_TRUE(cn_problem_file_info(file)->contact_count == 3);
    const double r[6] = {0.3, t.r[0], 0.3, t.r[1], t.r[2] + t.r0[2], t.r[3]};
    cn_problem_errors errors;
    CN_DO(cn_problem_file_check(file, cn_problem_file_solution(file), NULL, &errors, &test_error));
    CN_NEAR(errors.natural, 0.0, 1e-12, "the answer of the motor is one of the file");
    cn_problem_file_destroy(file);
    check_answer(files_path("motor.hdf5"), 6, r);
}

// A cable has one row; in the file its tangent is empty.
CN_TEST(cables_survive_the_file)
{
    static pair t;
    make_pair(&t);
    const int row_start[4] = {0, 1, 3, 5};
    const double u_free[5] = {-1.0, -0.2, 0.1, -5.0, 0.0};
    t.problem.row_start = row_start;
    t.problem.u_free = u_free;
    t.problem.b = t.problem.c = t.problem.r0 = NULL;
    solve_pair(&t);
    for (int as_global = 0; as_global < 2; as_global++) {
        const cn_problem_note note = {.as_global = as_global == 1};
        CN_DO(cn_problem_write(files_path("cable.hdf5"), &t.problem, &note, &test_error));
        cn_problem_file *file = read_file(files_path("cable.hdf5"));
        CN_TRUE(cn_problem_file_info(file)->is_global == note.as_global);
        cn_problem_file_destroy(file);
        check_answer(files_path("cable.hdf5"), 4, (double[4]){t.r[0], 0.0, t.r[1], t.r[2]});
    }
}

// Written with its bodies, a problem is read with them and has the same answer; a joint is G and b.
CN_TEST(bodies_survive_a_global_file)
{
    for (int has_joint = 0; has_joint < 2; has_joint++) {
        static pair t;
        make_pair(&t);
        t.problem.c = NULL;
        t.kind[1] = has_joint ? CN_CORE_BILATERAL : CN_CORE_CONE;
        solve_pair(&t);
        const double guess[6] = {1.0, 0.1, 2.0, 0.2, 3.0, 0.3};
        const cn_problem_note note = {.with_solution = true, .guess = guess, .as_global = true};
        CN_DO(cn_problem_write(files_path("bodies.hdf5"), &t.problem, &note, &test_error));
        cn_problem_file *file = read_file(files_path("bodies.hdf5"));
        const cn_problem *p = cn_problem_file_problem(file);
        CN_TRUE(cn_problem_file_info(file)->is_global && p->W.rows.row == NULL);
        CN_TRUE(p->W.factors.body_count == 2 && p->contact_count == 2);
        cn_problem_errors errors = {0};
        CN_DO(cn_problem_file_check(file, cn_problem_file_solution(file), NULL, &errors,
                                    &test_error));
        CN_NEAR(errors.natural, 0.0, 1e-12, "the residual of the solver was 1e-13");
        errors = solve_file(file, CN_METHOD_NLGS);
        for (int k = 0; k < 4; k++) {
            CN_NEAR(p->r[k], t.r[k] + t.r0[k], 1e-11, "one solution, two ways to it");
            CN_NEAR(cn_problem_file_guess(file)[k], guess[k] + t.r0[k], 1e-15, "r + r0");
        }
        cn_problem_file_destroy(file);
    }
}

// The body that is pushed comes first again, with the same numbers: sweeps are fast on such pairs.
CN_TEST(sides_survive_a_global_file)
{
    const wall_def def = {3, 3, 3, 0.5, 0.1, 0.02, 10.0, true};
    made *m = made_wall(&def);
    const cn_problem_note note = {.as_global = true};
    CN_DO(cn_problem_write(files_path("wall.hdf5"), &m->problem, &note, &test_error));
    cn_problem_file *file = read_file(files_path("wall.hdf5"));
    const cn_factors *f = &cn_problem_file_problem(file)->W.factors;
    CN_TRUE(f->body_count == m->body_count);
    for (int x = 0; x < 2 * m->contact_count; x++) {
        CN_TRUE(f->body[x] == m->body[x]);
        for (int k = 0; k < 18 && m->body[x] >= 0; k++) {
            CN_NEAR(f->G[f->block_start[x] + k], m->G[m->block_start[x] + k], 0.0, "copied");
        }
    }
    cn_problem_file_destroy(file);
    made_destroy(m);
}

CN_TEST(what_the_layout_cannot_hold_is_refused)
{
    static pair t;
    make_pair(&t);
    t.kind[0] = CN_CORE_BOUNDED;
    t.mu[0] = INFINITY;
    const char *path = files_path("refused.hdf5");
    CN_FAILS(cn_problem_write(path, &t.problem, NULL, &test_error), CN_BAD_INPUT, "bound");
    make_pair(&t);
    t.u_free[0] = NAN;
    CN_FAILS(cn_problem_write(path, &t.problem, NULL, &test_error), CN_BROKEN, "not finite");
    make_pair(&t);
    t.problem.dim = 3;
    CN_FAILS(cn_problem_write(path, &t.problem, NULL, &test_error), CN_BAD_INPUT, "cone of 2 rows");
    make_pair(&t);
    CN_FAILS(cn_problem_write("no-such-folder/a.hdf5", &t.problem, NULL, &test_error), CN_IO,
             "no-such-folder");
    CN_TRUE(access(path, F_OK) != 0);
}

// The errors of reference solutions as the library of problems lists them, to its one digit.
CN_TEST(checker_agrees_with_the_published_errors)
{
    static const struct {
        const char *name;
        double natural, scaled;
    } listed[] = {
        {"fc2d_sim_disks484_a", 2e-6, 4e-5},
        {"fc3d_confeti_ex03", 2e-16, 9e-13},
        {"fc3d_lmgc_cubeh8_001_reduced", 3e-14, 2e-12},
        {"fc3d_lmgc_i00501_4_reduced", 1e-13, 1e-11},
        {"fc3d_example00_reduced", 9e-14, 9e-14},
        {"fc3d_capsules_i100_1090", 9e-14, 1e-13},
        {"fc2d_slidercrank_0", 1e-13, 3e-14},
        {"fc3d_one_contact", 4e-14, 6e-13},
    };
    for (size_t k = 0; k < sizeof listed / sizeof *listed; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/data/fclib/%s.hdf5", CAIRN_SOURCE_DIR,
                 listed[k].name);
        cn_problem_file *file = read_file(path);
        cn_problem_errors errors;
        CN_DO(cn_problem_file_check(file, cn_problem_file_solution(file), NULL, &errors,
                                    &test_error));
        CN_NEAR(log(errors.natural / listed[k].natural), 0.0, 0.5, "listed with one digit");
        CN_NEAR(log(errors.scaled / listed[k].scaled), 0.0, 0.5, "listed with one digit");
        cn_problem_file_destroy(file);
    }
}

// A global file and its reduction by another program have the same solution.
CN_TEST(reductions_agree_with_those_of_others)
{
    static const char *const name[][2] = {
        {"gfc3d_boxstacks_082", "fc3d_boxstacks_082_reduced"},
        {"gfc2d_granularflow_00069", "fc2d_granularflow_00069_reduced"},
        {"gfc3d_lmgc_cubeh8_001", "fc3d_lmgc_cubeh8_001_reduced"},
        {"gfc3d_tworods1", "fc3d_tworods1"},
    };
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        cn_problem_file *file[2];
        for (int n = 0; n < 2; n++) {
            char path[512];
            snprintf(path, sizeof path, "%s/tests/data/fclib/%s.hdf5", CAIRN_SOURCE_DIR,
                     name[k][n]);
            file[n] = read_file(path);
        }
        const cn_problem *p = cn_problem_file_problem(file[0]);
        const cn_problem *q = cn_problem_file_problem(file[1]);
        double largest = 0.0, difference = 0.0;
        CN_TRUE(p->contact_count == q->contact_count);
        for (int i = 0; i < p->row_start[p->contact_count]; i++) {
            largest = fmax(largest, fabs(q->u_free[i]));
            difference = fmax(difference, fabs(p->u_free[i] - q->u_free[i]));
        }
        CN_NEAR(difference / largest, 0.0, 1e-9, "factors of an ill-conditioned M (cube)");
        cn_problem_file_destroy(file[0]);
        cn_problem_file_destroy(file[1]);
    }
}

// A contact that rolls beside one that does not: both come back, with the same answer.
CN_TEST(contacts_with_and_without_rolling_share_a_file)
{
    const double block[25] = {
        1.0, 0.0,  0.0,  0.1, 0.0, // n t roll of the first, n t of the second
        0.0, 3.0,  -2.0, 0.2, 0.0, //
        0.0, -2.0, 4.0,  0.0, 0.0, //
        0.1, 0.2,  0.0,  1.0, 0.0, //
        0.0, 0.0,  0.0,  0.0, 2.0,
    };
    const int at[4] = {0, 9, 15, 21}; // blocks of 3 x 3, 3 x 2, 2 x 3 and 2 x 2
    double blocks[25], r[5] = {0};
    for (int n = 0; n < 4; n++) {
        int row = n < 2 ? 0 : 3, column = n % 2 == 0 ? 0 : 3;
        int rows = n < 2 ? 3 : 2, columns = n % 2 == 0 ? 3 : 2;
        for (int k = 0; k < rows * columns; k++) {
            blocks[at[n] + k] = block[5 * (row + k / columns) + column + k % columns];
        }
    }
    const int row_start[3] = {0, 3, 5}, row[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
    const unsigned char kind[2] = {CN_CORE_CONE, CN_CORE_CONE};
    const double mu[2] = {0.5, 0.3}, mu_roll[2] = {0.1, 0.0};
    const double u_free[5] = {-1.0, 2.0, 5.0, -1.0, 1.0};
    cn_problem p = {.dim = 2,
                    .contact_count = 2,
                    .row_start = row_start,
                    .W.rows = {row, column, at, blocks},
                    .u_free = u_free,
                    .kind = kind,
                    .mu = mu,
                    .mu_roll = mu_roll,
                    .r = r};
    const char *path = files_path("mixed.hdf5");
    CN_DO(cn_problem_write(path, &p, NULL, &test_error));
    cn_solver *solver;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = def.tol = 1e-13;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_DO(test_solve(&p, &def, solver, &report, &test_error));
    cn_solver_destroy(solver);
    CN_NEAR(r[2], -0.1 * r[0], 1e-14, "the first rolls");
    check_answer(path, 6, (double[6]){r[0], r[1], r[2], r[3], r[4], 0.0});
    const double mu_spin[2] = {0.1, 0.0};
    const int spinning_start[3] = {0, 4, 5};
    p.dim = 3;
    p.mu_roll = NULL;
    p.mu_spin = mu_spin;
    p.row_start = spinning_start;
    CN_FAILS(cn_problem_write(path, &p, NULL, &test_error), CN_BAD_INPUT, "spinning");
}

// The solvers' natural error and the checker's are the same number, got by different ways.
CN_TEST(checker_and_solver_agree_on_rolling_files)
{
    static const char *const name[] = {"rfc3d_cube_1", "rfc3d_rockfall_14", "grfc3d_chute_004"};
    for (size_t n = 0; n < sizeof name / sizeof *name; n++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/data/fclib/%s.hdf5", CAIRN_SOURCE_DIR, name[n]);
        cn_problem_file *file = read_file(path);
        cn_problem *p = cn_problem_file_problem(file);
        CN_TRUE(cn_problem_file_info(file)->is_rolling && p->row_start[1] == 5);
        cn_problem_errors errors;
        cn_residual residual;
        cn_solver *solver;
        double u[128];
        CN_TRUE(p->row_start[p->contact_count] <= 128);
        for (int k = 0; k < p->row_start[p->contact_count]; k++) { // an iterate with all statuses
            p->r[k] = k % 5 == 0 ? 1.0 : 0.05 * (k % 7 - 3);
        }
        CN_DO(cn_solver_create(NULL, &solver, &test_error));
        CN_DO(cn_problem_velocity(p, solver, u, &test_error));
        CN_DO(cn_problem_residual(p, u, solver, &residual, &test_error));
        CN_DO(cn_problem_file_check(file, p->r, u, &errors, &test_error));
        CN_TRUE(errors.natural > 1e-3);
        CN_NEAR(errors.velocity / residual.err_v, 1.0, 1e-9, "reduction of M in another order");
        if (!cn_problem_file_info(file)->is_global) { // those divide by another size
            CN_NEAR(errors.natural / residual.err_natural, 1.0, 1e-12, "rounding");
            CN_NEAR(errors.scaled / residual.err_scaled, 1.0, 1e-12, "rounding");
        }
        cn_solver_destroy(solver);
        cn_problem_file_destroy(file);
    }
}

CN_TEST(one_contact_files_are_solved_exactly)
{
    static const char *const name[] = {
        "fc3d_example00_badly_scaled_reduced",
        "fc3d_example00_reduced",
        "fc3d_example0_reduced",
        "fc3d_lmgc_cubeh8_001_reduced",
        "fc3d_one_contact",
        "fc3d_onecontact_reduced",
        "fc3d_rover_11035",
        "gfc3d_example0",
        "gfc3d_onecontact",
        "gfc3d_lmgc_cubeh8_001",
        "rfc3d_sphere_1",
        "rfc3d_sphere_2",
    };
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        const cn_method methods[] = {CN_METHOD_NNCG, CN_METHOD_NLGS}; // those that sweep
        for (int m = 0; m < 2; m++) {
            char path[512];
            snprintf(path, sizeof path, "%s/tests/data/fclib/%s.hdf5", CAIRN_SOURCE_DIR, name[k]);
            cn_problem_file *file = read_file(path);
            cn_problem_errors errors = solve_file(file, methods[m]);
            CN_NEAR(errors.natural, 0.0, 1e-14, "one local solution is exact");
            CN_NEAR(errors.scaled, 0.0, 1e-14, "one local solution is exact");
            cn_problem_file_destroy(file);
        }
    }
}

CN_MAIN(CN_RUN(factors_and_cores_survive_the_file); CN_RUN(parallel_terms_survive_the_file);
        CN_RUN(files_are_written_as_they_were_read); CN_RUN(bilateral_constraints_survive_the_file);
        CN_RUN(motors_survive_the_file); CN_RUN(cables_survive_the_file);
        CN_RUN(bodies_survive_a_global_file); CN_RUN(sides_survive_a_global_file);
        CN_RUN(what_the_layout_cannot_hold_is_refused);
        CN_RUN(checker_agrees_with_the_published_errors);
        CN_RUN(reductions_agree_with_those_of_others); CN_RUN(one_contact_files_are_solved_exactly);
        CN_RUN(contacts_with_and_without_rolling_share_a_file);
        CN_RUN(checker_and_solver_agree_on_rolling_files); files_remove();)
