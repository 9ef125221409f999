// What a solve that stops early may add to the depth of contacts (9.5), and how slow a body must be
// to be met where it is and not a step ahead (6.1).
#include "scenes.h"
#include "test.h"

// Plain Gauss-Seidel with few sweeps: impulses are left wrong by a good part.
static cn_world_def hasty(int dim)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = dim == 2 ? -9.81 : 0.0;
    def.gravity[2] = dim == 3 ? -9.81 : 0.0;
    def.solver.method = CN_METHOD_NLGS;
    def.solver.sweep_max = 4;
    def.solver.eps_v = def.solver.tol = 1e-6;
    return def;
}

// Largest way that closed contacts go on into each other within the step [m].
static double added_depth(const cn_view *view, double h)
{
    double added = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *x = &view->contact[a];
        added = x->gap <= 0.0 ? fmax(added, -h * x->u[0]) : added;
    }
    return added;
}

// A column of boxes is dropped: impulses must travel up through all of it.
CN_TEST(depth_that_a_step_adds_is_within_its_bound)
{
    const double mu = 0.75, h = 1e-3;
    cn_world_def def = hasty(2);
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < 20; k++) {
        scene_box(w, 0.0, 0.1 * k + 0.05, 0.2, 0.1, 0.0, 0);
    }
    double added_most = 0.0, over_most = -1.0, bound_least = INFINITY;
    for (int n = 0; n < 10; n++) {
        scene_run(w, h, 1);
        cn_view view = cn_world_view(w);
        const cn_certificate *c = view.certificate;
        double bound = c->added_penetration, added = added_depth(&view, h);
        added_most = fmax(added_most, added);
        over_most = fmax(over_most, added - bound);
        bound_least = fmin(bound_least, bound);
        CN_NEAR(bound / (h * 1.25 * c->solver.rigid.e_max), 1.0, 1e-14, "sqrt(1 + 0.75^2) = 1.25");
    }
    CN_TRUE(added_most > 1e-7 && bound_least > 0.0); // otherwise the solve was exact
    CN_TRUE(over_most <= 0.0);
    cn_world_destroy(w);
}

// The largest friction counts, be it that of the lowest contact of a column, which is the first, or
// of the highest.
CN_TEST(the_bound_is_that_of_the_roughest_contact)
{
    const double h = 1e-3;
    for (int rough = 0; rough <= 10; rough += 10) {
        cn_world_def def = hasty(2);
        cn_law_def law = cn_law_coulomb(0.2, 0.0), rougher = cn_law_coulomb(0.75, 0.0);
        cn_world *w;
        int number[2], group[2];
        CN_DO(cn_world_create(&def, &w, &test_error));
        CN_DO(cn_group_add(w, "below", &group[0], &test_error));
        CN_DO(cn_group_add(w, "above", &group[1], &test_error));
        CN_DO(cn_law_add(w, &rougher, &number[0], &test_error));
        CN_DO(cn_law_add(w, &law, &number[1], &test_error));
        CN_DO(cn_rule_add(w, group[0], group[1], number[0], &test_error));
        CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, number[1], &test_error));
        for (int k = 0; k < 12; k++) {
            const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
            cn_body_def body = cn_body_def_default();
            body.shapes = (cn_shape_parts){1, &disk};
            body.at[1] = 0.2 * k;
            body.fixed = k == 0 ? CN_FIXED_ALL : 0;
            body.group = k == rough || k == rough + 1 ? group[k - rough] : 0;
            CN_DO(cn_body_add(w, &body, NULL, &test_error));
        }
        scene_run(w, h, 1);
        cn_view view = cn_world_view(w);
        CN_TRUE(view.contact_count == 11 && view.certificate->solver.rigid.e_max > 0.0);
        CN_NEAR(view.certificate->added_penetration / (h * view.certificate->solver.rigid.e_max),
                1.25, 1e-14, "sqrt(1 + 0.75^2)");
        cn_world_destroy(w);
    }
}

// Moments count over a length, that of the mean diagonal of W: R for disks, R sqrt(16/15) for
// balls. Coefficients of rolling are over the radius of the pair, R/2.
CN_TEST(the_bound_knows_rolling_and_spinning)
{
    const double h = 1e-3, R = 0.1, mu = 0.5, roll = 0.6, spin = 0.3;
    for (int dim = 2; dim <= 3; dim++) {
        cn_world_def def = hasty(dim);
        cn_law_def law = cn_law_coulomb(mu, 0.0);
        CN_DO(cn_law_set(&law, "rolling", roll, &test_error));
        CN_DO(cn_law_set(&law, "spinning", dim == 3 ? spin : 0.0, &test_error));
        cn_world *w = scene_world_with(&def, &law);
        for (int k = 0; k < 12; k++) { // a leaning column of touching bodies
            double x = 1.2 * R * k, y = 1.6 * R * k;
            cn_body_id id = dim == 2 ? scene_disk(w, x, y, R, 0) : scene_sphere(w, x, 0.0, y, R);
            CN_DO(cn_body_fix(w, id, k == 0 ? CN_FIXED_ALL : 0, &test_error));
        }
        double moments2 = dim == 2 ? roll * roll : (roll * roll + spin * spin) * 15.0 / 16.0;
        double slope2 = mu * mu + 0.25 * moments2;
        scene_run(w, h, 1);
        const cn_certificate *c = cn_world_view(w).certificate;
        CN_TRUE(c->solver.rigid.e_max > 0.0);
        CN_NEAR(c->added_penetration / (h * c->solver.rigid.e_max), sqrt(1.0 + slope2), 1e-12,
                "rounding of sums over rows");
        cn_world_destroy(w);
    }
}

// A disk flies at a plate of thickness L and is nearer than its way of a step. With a way of more
// than L/2 it is met in this step, ahead of the plate; with less it goes on to the next one. Only
// the way towards the plate counts, not that along it.
static double velocity_after_a_step(double way_over_L, double along_over_L)
{
    const double L = 0.01, R = 0.05, h = 1e-3, way = way_over_L * L;
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    cn_law_def law = cn_law_coulomb(0.0, 1.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_box(w, 0.0, 0.0, L, 1.0, 0.0, CN_FIXED_ALL);
    cn_body_id disk = scene_disk(w, -R - 0.5 * L - 0.75 * way, 0.0, R, 0);
    scene_set_velocity(w, disk, way / h, along_over_L * L / h, 0.0);
    scene_run(w, h, 1);
    double v = scene_state(w, disk).velocity[0] * h / way;
    cn_world_destroy(w);
    return v;
}

CN_TEST(a_body_is_fast_from_half_the_thickness_in_a_step)
{
    for (double along = 0.0; along < 5.0; along += 2.0) {
        CN_NEAR(velocity_after_a_step(0.49, along), 1.0, 1e-12,
                "not there in the middle of the step");
        CN_NEAR(velocity_after_a_step(0.51, along), -1.0, 1e-12, "met ahead, with e = 1");
        CN_NEAR(velocity_after_a_step(5.0, along), -1.0, 1e-12, "met ahead, with e = 1");
    }
}

CN_MAIN(CN_RUN(depth_that_a_step_adds_is_within_its_bound);
        CN_RUN(the_bound_is_that_of_the_roughest_contact);
        CN_RUN(the_bound_knows_rolling_and_spinning);
        CN_RUN(a_body_is_fast_from_half_the_thickness_in_a_step);)
