// Problem files with answers known on paper, in every storage and form.
#include "problem_make.h"

static const double identity3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

CN_TEST(one_contact_sticks)
{
    const double q[3] = {-1.0, 0.1, 0.2}, mu = 0.5, r[3] = {1.0, -0.1, -0.2};
    make_local(files_path("stick.hdf5"), 3, 3, identity3, q, &mu);
    check_answer(files_path("stick.hdf5"), 3, r);
}

CN_TEST(one_contact_slides)
{
    const double q[3] = {-1.0, 2.0, 0.0}, mu = 0.5, r[3] = {1.0, -0.5, 0.0};
    make_local(files_path("slide.hdf5"), 3, 3, identity3, q, &mu);
    check_answer(files_path("slide.hdf5"), 3, r);
}

CN_TEST(one_contact_opens)
{
    const double q[2] = {1.0, 3.0}, mu = 0.5, r[2] = {0.0, 0.0};
    const double W[4] = {2.0, 0.5, 0.5, 2.0};
    make_local(files_path("open.hdf5"), 2, 2, W, q, &mu);
    check_answer(files_path("open.hdf5"), 2, r);
}

// No friction: the tangent is left alone. Friction without bound: it sticks whatever happens.
CN_TEST(friction_may_be_none_or_huge)
{
    const double q[2] = {-1.0, 1e3}, none = 0.0, huge = 1e12, W[4] = {2.0, 0.0, 0.0, 2.0};
    const double r_none[2] = {0.5, 0.0}, r_huge[2] = {0.5, -500.0};
    make_local(files_path("none.hdf5"), 2, 2, W, q, &none);
    check_answer(files_path("none.hdf5"), 2, r_none);
    make_local(files_path("huge.hdf5"), 2, 2, W, q, &huge);
    check_answer(files_path("huge.hdf5"), 2, r_huge);
}

// A W without symmetry, so that rows and columns cannot be mistaken, and the velocities of r = 1.
static const double skew[16] = {4, 0, 1, 0, 0.5, 5, 0, 0, 0, 2, 6, 0, 0, 0, 0.25, 7};
static const double skew_sums[4] = {5, 5.5, 8, 7.25};

static void check_velocities(const char *path)
{
    const double r[4] = {1, 1, 1, 1};
    double u[4] = {0}, u_solver[4];
    cn_problem_errors errors;
    cn_solver *solver;
    cn_problem_file *file = read_file(path);
    cn_problem *p = cn_problem_file_problem(file);
    CN_DO(cn_problem_file_check(file, r, u, &errors, &test_error));
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    memcpy(p->r, r, sizeof r);
    CN_DO(cn_problem_velocity(p, solver, u_solver, &test_error));
    for (int k = 0; k < 4; k++) {
        CN_NEAR(u[k], skew_sums[k], 1e-15, "sums of a row");
        CN_NEAR(u_solver[k], skew_sums[k], 1e-15, "sums of a row, through the blocks");
    }
    CN_NEAR(cn_problem_file_info(file)->asymmetry, 2.0 / 7.0, 1e-15,
            "largest difference 2, entry 7");
    cn_solver_destroy(solver);
    cn_problem_file_destroy(file);
}

static void make_skew(const char *path, const stored *W)
{
    const double q[4] = {0}, mu[2] = {0.3, 0.4};
    cn_hdf *hdf = make_file(path);
    put_stored(hdf, "fclib_local/W", W);
    put_local(hdf, 2, 4, q, mu);
    CN_DO(cn_hdf_close(hdf, &test_error));
}

CN_TEST(compressed_columns_are_read)
{
    const int p[5] = {0, 2, 4, 7, 8}, i[8] = {0, 1, 1, 2, 0, 2, 3, 3};
    const double x[8] = {4, 0.5, 5, 2, 1, 6, 0.25, 7};
    make_skew(files_path("columns.hdf5"), &(stored){4, 4, -1, 8, p, i, x, 5, 8, 8});
    check_velocities(files_path("columns.hdf5"));
}

CN_TEST(compressed_rows_are_read)
{
    const int p[5] = {0, 2, 4, 6, 8}, i[8] = {0, 2, 0, 1, 1, 2, 2, 3};
    const double x[8] = {4, 1, 0.5, 5, 2, 6, 0.25, 7};
    make_skew(files_path("rows.hdf5"), &(stored){4, 4, -2, 8, p, i, x, 5, 8, 8});
    check_velocities(files_path("rows.hdf5"));
}

// Unsorted, one entry in two pieces, nzmax larger than the arrays, one array longer than nz.
CN_TEST(triplets_are_read)
{
    const int column[10] = {3, 0, 2, 0, 1, 1, 2, 2, 3, 77}, row[9] = {3, 0, 0, 1, 1, 2, 2, 3, 3};
    const double x[9] = {3, 4, 1, 0.5, 5, 2, 6, 0.25, 4};
    make_skew(files_path("triplets.hdf5"), &(stored){4, 4, 9, 50, column, row, x, 10, 9, 9});
    check_velocities(files_path("triplets.hdf5"));
    make_local(files_path("full.hdf5"), 2, 4, skew, (double[4]){0}, (double[2]){0.3, 0.4});
    check_velocities(files_path("full.hdf5"));
}

// One body of mass 2 kg, coupled translations and inertia 4 kg m2; the contact has a lever.
//     M = [2 1 0; 1 2 0; 0 0 4],  H = [0 1; 1 0; 2 0]:  W_nn = 2/3 + 1, W_tt = 2/3, W_nt = -1/3
CN_TEST(global_problem_keeps_its_body)
{
    const double M[9] = {2, 1, 0, 1, 2, 0, 0, 0, 4}, H[6] = {0, 1, 1, 0, 2, 0};
    const double f[3] = {3.0, 0.0, -4.0}, w[2] = {-1.0, 0.5}, mu = 0.2;
    const int d = 2;
    cn_hdf *hdf = make_file(files_path("global.hdf5"));
    put_full(hdf, "fclib_global/M", 3, 3, M);
    put_full(hdf, "fclib_global/H", 3, 2, H);
    CN_DO(cn_fclib_put_integers(hdf, "fclib_global", "spacedim", 1, &d, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "f", 3, f, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "w", 2, w, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "mu", 1, &mu, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));

    cn_problem_file *file = read_file(files_path("global.hdf5"));
    const cn_problem *p = cn_problem_file_problem(file);
    const double W[4] = {5.0 / 3, -1.0 / 3, -1.0 / 3, 2.0 / 3}, q[2] = {-4.0, 2.5};
    CN_TRUE(p->W.rows.row == NULL && p->W.factors.body_count == 1);
    for (int k = 0; k < 4; k++) {
        const double *a = p->W.factors.G + 3 * (k / 2), *b = p->W.factors.G + 3 * (k % 2);
        CN_NEAR(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], W[k], 1e-15, "H^T M^-1 H by hand");
    }
    CN_NEAR(p->u_free[0], q[0], 1e-15, "-1 of M^-1 f, -2 of the lever, -1 of w");
    CN_NEAR(p->u_free[1], q[1], 1e-15, "2 of M^-1 f and 0.5 of w");
    cn_problem_errors errors = solve_file(file, CN_METHOD_NNCG);
    CN_NEAR(errors.natural, 0.0, 1e-14, "one contact is solved exactly");
    CN_NEAR(p->r[0], 4.0 / (5.0 / 3 + 0.2 / 3), 1e-13, "sliding: r_n = -q_n / (W_nn - mu W_nt)");
    CN_NEAR(p->r[1], -0.2 * p->r[0], 1e-14, "sliding");
    CN_TRUE(cn_problem_file_info(file)->is_global && cn_problem_file_info(file)->dof_count == 3);
    cn_problem_file_destroy(file);
}

// A bilateral row that takes half of the contact's compliance away: u_n = 2 r_n + l - 1, r_n + l =
// 0.
CN_TEST(mixed_local_problem_is_solved)
{
    const double W[4] = {2, 0, 0, 2}, V[2] = {1, 0}, R = 1.0, s = 0.0, q[2] = {-1, 0}, mu = 0.5;
    cn_hdf *hdf = make_file(files_path("mixed.hdf5"));
    put_full(hdf, "fclib_local/W", 2, 2, W);
    put_full(hdf, "fclib_local/V", 2, 1, V);
    put_full(hdf, "fclib_local/R", 1, 1, &R);
    put_local(hdf, 2, 2, q, &mu);
    CN_DO(cn_fclib_put_reals(hdf, "fclib_local/vectors", "s", 1, &s, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
    check_answer(files_path("mixed.hdf5"), 3, (double[3]){1, 0, -1});
}

// The same as a global problem: a body of 1 kg on one of 1 kg that hangs on the ground; the tangent
// has a mass of its own.
CN_TEST(global_bilateral_rows_are_solved)
{
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, H[6] = {1, 0, 1, 0, 0, 1}, G[3] = {0, 1, 0};
    const double f[3] = {-1, 0, 0}, w[2] = {0, 0}, b = 0.0, mu = 0.5;
    const int d = 2;
    cn_hdf *hdf = make_file(files_path("hung.hdf5"));
    put_full(hdf, "fclib_global/M", 3, 3, M);
    put_full(hdf, "fclib_global/H", 3, 2, H);
    put_full(hdf, "fclib_global/G", 3, 1, G);
    CN_DO(cn_fclib_put_integers(hdf, "fclib_global", "spacedim", 1, &d, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "f", 3, f, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "w", 2, w, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "b", 1, &b, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "mu", 1, &mu, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
    check_answer(files_path("hung.hdf5"), 3, (double[3]){1, 0, -1});
}

CN_TEST(an_empty_problem_is_solved)
{
    const int p = 0;
    cn_hdf *hdf = make_file(files_path("empty.hdf5"));
    put_stored(hdf, "fclib_local/W", &(stored){0, 0, -1, 0, &p, NULL, NULL, 1, 0, 0});
    put_local(hdf, 3, 0, NULL, NULL);
    CN_DO(cn_hdf_close(hdf, &test_error));
    check_answer(files_path("empty.hdf5"), 0, NULL);
}

// Other programs store other numbers: 64-bit indices, single precision, big-endian, compressed.
CN_TEST(numbers_of_any_kind_are_read)
{
    make_local(files_path("kinds.hdf5"), 3, 3, identity3, (double[3]){-1.0, 0.25, 0.0},
               (double[1]){0.5});
    hid_t file = H5Fopen(files_path("kinds.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
    H5Ldelete(file, "fclib_local/W/p", H5P_DEFAULT);
    const hsize_t three = 3, nine = 9;
    const float q[3] = {-1.0f, 0.25f, 0.0f};
    const int64_t p[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &nine);
    H5Pset_deflate(creation, 6);
    hid_t space3 = H5Screate_simple(1, &three, NULL), space9 = H5Screate_simple(1, &nine, NULL);
    hid_t set = H5Dcreate2(file, "fclib_local/vectors/q", H5T_IEEE_F32BE, space3, H5P_DEFAULT,
                           H5P_DEFAULT, H5P_DEFAULT);
    CN_TRUE(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
    H5Dclose(set);
    set = H5Dcreate2(file, "fclib_local/W/p", H5T_STD_I64BE, space9, H5P_DEFAULT, creation,
                     H5P_DEFAULT);
    CN_TRUE(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, p) >= 0);
    H5Dclose(set);
    H5Sclose(space3);
    H5Sclose(space9);
    H5Pclose(creation);
    H5Fclose(file);
    check_answer(files_path("kinds.hdf5"), 3, (double[3]){1.0, -0.25, 0.0});
}

CN_MAIN(CN_RUN(one_contact_sticks); CN_RUN(one_contact_slides); CN_RUN(one_contact_opens);
        CN_RUN(friction_may_be_none_or_huge); CN_RUN(compressed_columns_are_read);
        CN_RUN(compressed_rows_are_read); CN_RUN(triplets_are_read);
        CN_RUN(global_problem_keeps_its_body); CN_RUN(mixed_local_problem_is_solved);
        CN_RUN(global_bilateral_rows_are_solved); CN_RUN(an_empty_problem_is_solved);
        CN_RUN(numbers_of_any_kind_are_read); files_remove();)
