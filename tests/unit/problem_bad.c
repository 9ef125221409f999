// Files that hold no problem, a wrong one or one without a solution: one sentence, never a crash.
#include "problem_make.h"

static const double unit2[4] = {1, 0, 0, 1};

static void refuse(const char *path, cn_status status, const char *word)
{
    cn_problem_file *file = NULL;
    CN_FAILS(cn_problem_file_read(path, &file, &test_error), status, word);
    CN_TRUE(file == NULL);
    CN_TRUE(strstr(test_error.text, path) != NULL);
}

CN_TEST(other_files_are_refused)
{
    refuse("no-such.hdf5", CN_IO, "No such file");
    files_write(files_path("text.hdf5"), "fclib_local", 11);
    refuse(files_path("text.hdf5"), CN_BAD_INPUT, "not an HDF5 file");
    cn_hdf *hdf = make_file(files_path("other.hdf5"));
    CN_DO(cn_hdf_put_text(hdf, "format", "another", &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
    refuse(files_path("other.hdf5"), CN_BAD_INPUT, "no contact problem");
}

// One local problem with something wrong in its matrix.
static void refuse_matrix(const stored *W, const char *word)
{
    const char *path = files_path("matrix.hdf5");
    cn_hdf *hdf = make_file(path);
    put_stored(hdf, "fclib_local/W", W);
    put_local(hdf, 2, 2, (double[2]){-1, 0}, (double[1]){0.5});
    CN_DO(cn_hdf_close(hdf, &test_error));
    refuse(path, CN_BAD_INPUT, word);
}

CN_TEST(wrong_matrices_are_refused)
{
    const int p[3] = {0, 1, 2}, i[2] = {0, 1}, wild[2] = {0, 1000000}, down[3] = {0, 2, 1};
    const int far[3] = {0, 1, 2000000000}, late[3] = {1, 1, 2};
    const double x[2] = {1, 1}, nan_x[2] = {1, NAN}, infinite[2] = {INFINITY, 1};
    refuse_matrix(&(stored){2, 2, -3, 2, p, i, x, 3, 2, 2}, "storage code");
    refuse_matrix(&(stored){-2, 2, -1, 2, p, i, x, 3, 2, 2}, "m -2");
    refuse_matrix(&(stored){2, 2, -1, 2, p, wild, x, 3, 2, 2}, "outside of 2 x 2");
    refuse_matrix(&(stored){2, 2, -1, 2, p, (int[2]){-1, 0}, x, 3, 2, 2}, "outside of 2 x 2");
    refuse_matrix(&(stored){2, 2, -1, 2, down, i, x, 3, 2, 2}, "p must start at 0 and grow");
    refuse_matrix(&(stored){2, 2, -1, 2, late, i, x, 3, 2, 2}, "p must start at 0 and grow");
    refuse_matrix(&(stored){2, 2, -1, 2, far, i, x, 3, 2, 2}, "p must start at 0 and grow");
    refuse_matrix(&(stored){2, 2, -2, 2, p, i, x, 2, 2, 2}, "over 2 rows");
    refuse_matrix(&(stored){2, 2, 3, 2, p, i, x, 3, 2, 2}, "3 triplets");
    refuse_matrix(&(stored){2, 2, -1, 2, p, i, nan_x, 3, 2, 2}, "must be finite");
    refuse_matrix(&(stored){2, 2, -1, 2, p, i, infinite, 3, 2, 2}, "must be finite");
    refuse_matrix(&(stored){2, 1, -1, 1, p, i, x, 2, 1, 1}, "square");
    refuse_matrix(&(stored){1000000000, 1000000000, 0, 0, p, i, x, 1, 1, 1}, "in a file of");
    refuse_matrix(&(stored){3, 3, 0, 0, p, i, x, 1, 1, 1}, "3 were expected");
    const double large[2] = {1.7e308, 1.7e308};
    refuse_matrix(&(stored){2, 2, 2, 2, (int[2]){0, 0}, (int[2]){0, 0}, large, 2, 2, 2},
                  "overflows");
}

CN_TEST(wrong_vectors_are_refused)
{
    const char *path = files_path("vectors.hdf5");
    make_local(path, 2, 2, unit2, (double[2]){NAN, 0}, (double[1]){0.5});
    refuse(path, CN_BAD_INPUT, "vectors/q: entry 0 is");
    make_local(path, 2, 2, unit2, (double[2]){-1, 0}, (double[1]){-0.5});
    refuse(path, CN_BAD_INPUT, "mu of contact 0 is -0.5");
    make_local(path, 1, 2, unit2, (double[2]){-1, 0}, (double[2]){0.5, 0.5});
    refuse(path, CN_BAD_INPUT, "spacedim is 1");
    make_local(path, 3, 2, unit2, (double[2]){-1, 0}, NULL);
    refuse(path, CN_BAD_INPUT, "no whole number of contacts");
}

static void make_global(const char *path, const double *M)
{
    const double H[4] = {1, 0, 0, 1}, f[2] = {-1, 0}, w[2] = {0, 0}, mu = 0.5;
    const int d = 2;
    cn_hdf *hdf = make_file(path);
    put_full(hdf, "fclib_global/M", 2, 2, M);
    put_full(hdf, "fclib_global/H", 2, 2, H);
    CN_DO(cn_fclib_put_integers(hdf, "fclib_global", "spacedim", 1, &d, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "f", 2, f, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "w", 2, w, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "mu", 1, &mu, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
}

CN_TEST(singular_masses_are_refused)
{
    make_global(files_path("mass.hdf5"), (double[4]){1, 1, 1, 1});
    refuse(files_path("mass.hdf5"), CN_BAD_INPUT, "M is singular");
    make_global(files_path("mass.hdf5"), (double[4]){1, 0, 0, 0});
    refuse(files_path("mass.hdf5"), CN_BAD_INPUT, "M is singular");
    make_global(files_path("mass.hdf5"), (double[4]){1, 0, 0, -2});
    refuse(files_path("mass.hdf5"), CN_BAD_INPUT, "entry (1, 1) of M is -2");
}

// A chain of 3000 coupled masses is too large for dense factors, and the message says what to do.
CN_TEST(large_coupled_masses_are_refused)
{
    enum { N = 3000 };
    static int row[2 * N], column[2 * N];
    static double x[2 * N], f[N];
    for (int k = 0; k < N; k++) {
        row[2 * k] = column[2 * k] = k;
        row[2 * k + 1] = k;
        column[2 * k + 1] = k > 0 ? k - 1 : 0;
        x[2 * k] = 2.0;
        x[2 * k + 1] = 0.1;
    }
    const int d = 2;
    cn_hdf *hdf = make_file(files_path("chain.hdf5"));
    put_stored(hdf, "fclib_global/M",
               &(stored){N, N, 2 * N, 2 * N, column, row, x, 2 * N, 2 * N, 2 * N});
    put_stored(hdf, "fclib_global/H",
               &(stored){N, 2, 2, 2, (int[2]){0, 1}, (int[2]){0, 1}, x, 2, 2, 2});
    CN_DO(cn_fclib_put_integers(hdf, "fclib_global", "spacedim", 1, &d, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "f", N, f, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_global/vectors", "w", 2, f, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
    refuse(files_path("chain.hdf5"), CN_BAD_INPUT, "sparse factorization of a later version");
}

// A contact without a normal row that approaches has no solution; one that departs has.
CN_TEST(zero_rows_are_seen)
{
    const double W[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, mu[2] = {0.5, 0.5};
    make_local(files_path("zero.hdf5"), 2, 4, W, (double[4]){-1, 0, -1, 0}, mu);
    cn_problem_file *file = read_file(files_path("zero.hdf5"));
    cn_problem_errors errors = solve_file(file, CN_METHOD_NNCG);
    CN_TRUE(errors.infeasible == 1 && errors.natural > 0.1 && errors.scaled > 0.1);
    cn_problem_file_destroy(file);
    make_local(files_path("zero.hdf5"), 2, 4, W, (double[4]){-1, 0, 1, 0}, mu);
    check_answer(files_path("zero.hdf5"), 4, (double[4]){1, 0, 0, 0});
}

// Zero impulses leave u_n = -1. With mu = 1e12 the natural map hides it: it moves by 1e-18 of q,
// and u_n is rounded away beside mu |u_t|. What contacts approach with shows it. A map that
// overflows is no answer.
CN_TEST(errors_do_not_hide_an_approach)
{
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, huge[1] = {1e12}, zero[3] = {0.0};
    make_local(files_path("wide.hdf5"), 3, 3, W, (double[3]){-1, 1e6, 0}, huge);
    cn_problem_file *file = read_file(files_path("wide.hdf5"));
    cn_problem_errors errors;
    CN_DO(cn_problem_file_check(file, zero, NULL, &errors, &test_error));
    CN_TRUE(errors.natural < 1e-15);
    for (int k = 0; k < CN_MEASURE_COUNT; k++) {
        CN_NEAR(1e6 * errors.approach[k], 1.0, 1e-11, "1 over the length of q, to rounding");
    }
    cn_problem_file_destroy(file);
    const double q[2][3] = {{-1e308, 1e308, 0}, {-1e-300, 1e-301, 0}};
    for (int k = 0; k < 2; k++) {
        make_local(files_path("wide.hdf5"), 3, 3, W, q[k], (double[1]){1e3});
        file = read_file(files_path("wide.hdf5"));
        CN_DO(cn_problem_file_check(file, zero, NULL, &errors, &test_error));
        CN_TRUE(k == 1 || !(errors.natural < 1e300));
        CN_TRUE(k == 1 || !(errors.scaled < 1e300));
        CN_TRUE(!(errors.velocity < 1e-4) || !(errors.approach[CN_MEASURE_VELOCITY] < 0.5));
        cn_problem_file_destroy(file);
    }
}

CN_MAIN(CN_RUN(other_files_are_refused); CN_RUN(wrong_matrices_are_refused);
        CN_RUN(wrong_vectors_are_refused); CN_RUN(singular_masses_are_refused);
        CN_RUN(large_coupled_masses_are_refused); CN_RUN(zero_rows_are_seen);
        CN_RUN(errors_do_not_hide_an_approach); files_remove();)
