// What a solve says of its answer is true: OK only with the error that was asked for, and no
// solution where there is none.
#include "cairn/cairn.h"
#include "strict.h"
#include "test.h"

// A driven wedge of 1 g lifts a block of 1 t along a wall. Its force is W tan(alpha + 2 phi), so
// that with alpha = 20 degrees and mu = 0.9 (phi = 42 degrees) nothing moves it: all is wedged.
static const char wedge_format[] =
    "cairn: 1\n"
    "dimension: 2\n"
    "params: {t: '=tan(pi/9)'}\n"
    "laws: {l: {type: coulomb, friction: %g}}\n"
    "contacts: [{between: [floor, wall], law: none}, {between: [wedge, wall], law: none}, "
    "{between: [any, any], law: l}]\n"
    "bodies:\n"
    "  floor: {shape: {half_plane: {}}, fixed: true}\n"
    "  wall: {shape: {half_plane: {}}, at: [-0.4, 0], angle: '=-pi/2', fixed: true}\n"
    "  wedge: {shape: {polygon: [[-1, 0], [0.6, 0], [0.6, '=1.6*t']]}, mass: 1e-3, velocity: "
    "[-0.01, 0]}\n"
    "  block: {shape: {polygon: [[-0.4, '=0.6*t'], [0.4, '=1.4*t'], [0.4, 1.2], [-0.4, 1.2]]}, "
    "mass: 1000}\n"
    "stages: [{step: 1e-3, duration: 1}]\n";

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

// The world after one step.
static cn_world *wedge_world(double mu, cn_status *stepped)
{
    char text[sizeof wedge_format + 32];
    snprintf(text, sizeof text, wedge_format, mu);
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "wedge.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_scene_destroy(scene);
    const cn_drive_def drive = {
        .body = 3, .dof = CN_DOF_X, .kind = CN_DRIVE_VELOCITY, .f = cn_constant(-0.01)};
    CN_DO(cn_drive_add(w, &drive, &test_error));
    *stepped = test_step(w, 1e-3, NULL);
    return w;
}

// Its problem as one that was stored, from zero impulses.
static cn_status solve_stored(const cn_world *w, cn_measure measure, double tol,
                              cn_solver_report *report, double *normal_sum)
{
    cn_problem p;
    CN_DO(cn_world_problem(w, &p, NULL, &test_error));
    p.v_floor = 0.0;
    p.v_before = NAN;
    memset(p.r, 0, sizeof *p.r * (size_t)p.row_start[p.contact_count]);
    cn_solver *s = NULL;
    cn_solver_def def = cn_solver_def_default();
    def.measure = measure;
    def.eps_v = tol;
    def.tol = measure == CN_MEASURE_VELOCITY ? 1e300 : tol;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_status status = test_solve(&p, &def, s, report, NULL);
    cn_solver_destroy(s);
    *normal_sum = 0.0;
    for (int a = 0; a < p.contact_count; a++) {
        *normal_sum += p.r[p.row_start[a]];
    }
    return status;
}

CN_TEST(wedged_bodies_have_no_solution)
{
    cn_status stepped;
    cn_world *w = wedge_world(0.9, &stepped);
    const cn_solver_report *step = &cn_world_view(w).certificate->solver;
    CN_TRUE(stepped == CN_MISSED && step->is_infeasible);
    CN_TRUE(step->criterion == CN_CRITERION_INFEASIBLE && step->value > 1e-3 && step->at >= 0);
    for (int measure = 0; measure < CN_MEASURE_COUNT; measure++) {
        for (double tol = 1e-3; tol > 1e-9; tol *= 1e-5) {
            cn_solver_report report;
            double sum;
            cn_status status = solve_stored(w, (cn_measure)measure, tol, &report, &sum);
            CN_TRUE(status == CN_MISSED && report.is_infeasible && !report.is_converged);
            CN_TRUE(report.value > 1e-3); // of the 10 mm/s of the drive
        }
    }
    cn_world_destroy(w);
}

// With mu = 0.3 the wedge moves. The masses are as 1 to 1e6, and errors over impulses are small
// long before the block is lifted.
CN_TEST(impulses_are_right_whatever_the_masses)
{
    cn_status stepped;
    cn_world *w = wedge_world(0.3, &stepped);
    CN_TRUE(stepped == CN_OK);
    double exact;
    cn_solver_report report;
    CN_TRUE(solve_stored(w, CN_MEASURE_VELOCITY, 1e-8, &report, &exact) == CN_OK);
    for (int measure = 0; measure < CN_MEASURE_COUNT; measure++) {
        double sum;
        CN_TRUE(solve_stored(w, (cn_measure)measure, 1e-3, &report, &sum) == CN_OK);
        CN_NEAR(sum / exact, 1.0, 0.2,
                "impulses that leave 5 % of the approach; they were three times too small");
    }
    cn_world_destroy(w);
}

// Solves a file and compares what is said with what the independent checker finds.
static cn_status solve_file(const char *name, cn_measure measure, cn_solver_report *report,
                            cn_problem_errors *errors)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/%s.hdf5", CAIRN_SOURCE_DIR, name);
    cn_problem_file *file = NULL;
    CN_DO(cn_problem_file_read(path, &file, &test_error));
    cn_solver *s = NULL;
    cn_solver_def def = cn_solver_def_default();
    def.measure = measure;
    def.tol = measure == CN_MEASURE_VELOCITY ? def.tol : 1e-8;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_problem *p = cn_problem_file_problem(file);
    cn_status status = test_solve(p, &def, s, report, NULL);
    CN_DO(cn_problem_file_check(file, p->r, NULL, errors, &test_error));
    cn_solver_destroy(s);
    cn_problem_file_destroy(file);
    return status;
}

// Problems that a mutated file held: contacts that nothing moves and that approach; an entry of W
// of 1e290, whose answer is not a number.
CN_TEST(damaged_problems_are_not_called_solved)
{
    for (int measure = 0; measure < CN_MEASURE_COUNT; measure++) {
        cn_solver_report report;
        cn_problem_errors errors;
        cn_status status = solve_file("zero_normal_row", (cn_measure)measure, &report, &errors);
        CN_TRUE(status == CN_MISSED && report.is_infeasible);
        status = solve_file("rolling_huge_entry", (cn_measure)measure, &report, &errors);
        double error = measure == CN_MEASURE_NATURAL  ? errors.natural / 1e-8
                       : measure == CN_MEASURE_SCALED ? errors.scaled / 1e-8
                                                      : errors.velocity / 1e-2;
        CN_TRUE(status != CN_OK || error <= 1.0);
        CN_TRUE(report.sweep_count <= 20000);
    }
}

CN_MAIN(CN_RUN(wedged_bodies_have_no_solution); CN_RUN(impulses_are_right_whatever_the_masses);
        CN_RUN(damaged_problems_are_not_called_solved);)
