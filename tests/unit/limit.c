// Limit analysis of single blocks, whose multipliers are known on paper.
#include "cairn/limit.h"

#include <math.h>
#include <string.h>

#include "cairn/base.h"
#include "test.h"

// One body on fixed points.
typedef struct block {
    cn_limit_program program;
    int dof_start[2], body[16];
    double dof[36], at[3], dead[6], live[6], point[24], normal[24], friction[8];
    double cohesion[8], tension[8], crush[8];
} block;

static void begin(block *b, int dim)
{
    *b = (block){0};
    static const int plane[3] = {0, 1, 5};
    int count = dim == 2 ? 3 : 6;
    for (int k = 0; k < count; k++) {
        b->dof[6 * k + (dim == 2 ? plane[k] : k)] = 1.0;
    }
    b->dof_start[1] = count;
    b->program = (cn_limit_program){.dim = dim,
                                    .body_count = 1,
                                    .dof_start = b->dof_start,
                                    .dof = b->dof,
                                    .at = b->at,
                                    .dead = b->dead,
                                    .live = b->live,
                                    .body = b->body,
                                    .point = b->point,
                                    .normal = b->normal,
                                    .friction = b->friction};
}

static void touch(block *b, cn_vec3 point, cn_vec3 normal, double friction)
{
    int a = b->program.contact_count++;
    b->body[2 * a + 1] = -1;
    memcpy(b->point + 3 * a, &point, sizeof point);
    memcpy(b->normal + 3 * a, &normal, sizeof normal);
    b->friction[a] = friction;
}

static cn_limit *solve(const block *b)
{
    cn_limit *limit = NULL;
    cn_error err;
    cn_limit_def def = cn_limit_def_default();
    def.gap = 1e-9;
    cn_status status = cn_limit_solve(&b->program, &def, &limit, &err);
    CN_TRUE(status == CN_OK);
    return limit;
}

static void check_bounds(const block *b, double exact, double tolerance, const char *why)
{
    cn_limit *limit = solve(b);
    CN_TRUE(limit->outcome == CN_LIMIT_BOUNDED);
    CN_NEAR(limit->lower, exact, tolerance * exact, why);
    CN_NEAR(limit->upper, exact, tolerance * exact, why);
    CN_TRUE(limit->lower <= limit->upper);
    cn_limit_destroy(limit);
}

// A block of 1 x 4 m in the plane, weight 1000 N and two points, pushed at its centre.
static void stand_in_plane(block *b, double mu)
{
    begin(b, 2);
    touch(b, cn_v3(-0.5, -2.0, 0.0), cn_v3(0.0, 1.0, 0.0), mu);
    touch(b, cn_v3(0.5, -2.0, 0.0), cn_v3(0.0, 1.0, 0.0), mu);
    b->dead[1] = -1000.0;
}

CN_TEST(block_in_the_plane_turns_or_slides)
{
    block b;
    stand_in_plane(&b, 0.7);
    b.live[0] = 1.0;
    check_bounds(&b, 250.0, 1e-8, "half width over height of the centre: 1/4 of the weight");
    stand_in_plane(&b, 0.1);
    b.live[0] = 1000.0;
    check_bounds(&b, 0.1, 1e-8, "friction is less than 1/4");
    stand_in_plane(&b, 0.5);
    b.live[1] = 2e4;
    check_bounds(&b, 0.05, 1e-7, "lifted off: no force is left, and so no angle to find it by");
}

// Boxes on four corners, pushed in any direction: B27 of the book.
static void stand_in_space(block *b, double half, double height, double mu)
{
    begin(b, 3);
    for (int k = 0; k < 4; k++) {
        touch(b, cn_v3(k % 2 ? half : -half, k / 2 ? half : -half, -height), cn_v3(0.0, 0.0, 1.0),
              mu);
    }
    b->dead[2] = -1e5;
}

CN_TEST(square_block_in_any_direction)
{
    for (int k = 0; k <= 3; k++) {
        double angle = k * CN_PI / 12.0;
        block b;
        stand_in_space(&b, 0.5, 2.0, 0.7);
        b.live[0] = 1e5 * cos(angle);
        b.live[1] = 1e5 * sin(angle);
        check_bounds(&b, 0.25 / cos(angle), 1e-8, "turns about an edge, at last about a corner");
        stand_in_space(&b, 0.5, 0.25, 0.4);
        b.live[0] = 1e5 * cos(angle);
        b.live[1] = 1e5 * sin(angle);
        check_bounds(&b, 0.4, 1e-8, "slides at mu whatever the direction: the cone is round");
    }
}

// At the limit no force is left anywhere: forces that were balanced too early lay on their cones.
CN_TEST(lifted_straight_up)
{
    for (int k = 0; k < 3; k++) {
        block b;
        stand_in_space(&b, 0.5, 0.25, 0.3 * k);
        b.live[2] = 1.0;
        check_bounds(&b, 1e5, 1e-7, "the weight");
    }
}

CN_TEST(twisted_block_leans_on_its_corners)
{
    block b;
    stand_in_space(&b, 0.5, 0.25, 0.4);
    b.live[5] = 1e5;
    check_bounds(&b, 0.4 * sqrt(0.5), 1e-8, "mu W times the distance of the corners");
}

// A wedge in a groove of 45 degrees, pulled along it: joints that dilate lock it.
CN_TEST(wedge_in_a_groove_dilates)
{
    const double mu[] = {0.2, 0.4, 0.6};
    for (int k = 0; k < 3; k++) {
        block b;
        begin(&b, 3);
        double s = sqrt(0.5);
        for (int n = 0; n < 4; n++) {
            double x = n % 2 ? 2.0 : -2.0, side = n / 2 ? 1.0 : -1.0;
            touch(&b, cn_v3(x, side, 0.0), cn_v3(0.0, -side * s, s), mu[k]);
        }
        b.dead[2] = -1.0;
        b.live[0] = 1.0;
        check_bounds(&b, mu[k] / (s * sqrt(1.0 - mu[k] * mu[k])), 1e-7,
                     "mu / (cos sqrt(1 - mu^2 tan^2)), section 5.4 of the derivation");
    }
}

CN_TEST(what_cannot_stand_falls_with_proof)
{
    block b;
    stand_in_plane(&b, 0.3);
    b.dead[0] = 310.0; // more than friction holds
    b.program.live = NULL;
    cn_limit *limit = solve(&b);
    CN_TRUE(limit->outcome == CN_LIMIT_FALLS);
    CN_NEAR(limit->check.sink, 0.0, 1e-9, "the mechanism is admissible");
    CN_TRUE(310.0 * limit->v[0] - 1000.0 * limit->v[1] > 0.0);
    cn_limit_destroy(limit);
    b.dead[0] = 290.0;
    b.dead[1] = -1000.0;
    b.friction[0] = b.friction[1] = 0.3;
    limit = solve(&b);
    CN_TRUE(limit->outcome == CN_LIMIT_FALLS); // it turns: 290 x 2 m against 1000 x 0.5 m
    cn_limit_destroy(limit);
    b.dead[0] = 240.0;
    limit = solve(&b);
    CN_TRUE(limit->outcome == CN_LIMIT_BOUNDED);
    CN_NEAR(limit->check.imbalance, 0.0, 1e-9, "forces are in balance");
    cn_limit_destroy(limit);
}

// Whatever is pressed straight down stays.
CN_TEST(load_towards_the_ground_has_no_limit)
{
    block b;
    stand_in_plane(&b, 0.5);
    b.live[1] = -1.0;
    cn_limit *limit = solve(&b);
    CN_TRUE(limit->outcome == CN_LIMIT_UNBOUNDED);
    CN_NEAR(limit->r[0] + limit->r[3], 1.0, 1e-9, "forces of the ray carry the load alone");
    cn_limit_destroy(limit);
}

// The load is far from the dead one in size: bounds stay relative.
CN_TEST(small_and_large_loads)
{
    for (int k = -8; k <= 8; k += 4) {
        block b;
        stand_in_plane(&b, 0.7);
        b.live[0] = pow(10.0, k);
        check_bounds(&b, 250.0 / pow(10.0, k), 1e-8, "1/4 of the weight over the unit of the load");
    }
}

// Nothing holds a block without friction, nor a disk that rolls: bounds are zero, not undecided.
CN_TEST(multiplier_may_be_zero)
{
    for (int k = 0; k < 2; k++) {
        block b;
        stand_in_plane(&b, 0.5 * k);
        b.live[0] = 1.0;
        b.program.contact_count -= k;
        b.point[0] *= 1 - k; // the only point is below the centre
        cn_limit *limit = solve(&b);
        CN_TRUE(limit->outcome == CN_LIMIT_BOUNDED);
        CN_NEAR(limit->lower, 0.0, 1e-7,
                "a gap of 1e-9 of a thousandth of the weight, and balance");
        CN_NEAR(limit->upper, 0.0, 1e-7, "likewise");
        CN_TRUE(limit->gap <= 1e-9);
        cn_limit_destroy(limit);
    }
}

// Equilibrium needs the load: the interval of multipliers does not contain zero.
CN_TEST(load_that_is_needed)
{
    block b;
    stand_in_plane(&b, 0.3);
    b.dead[0] = -400.0;
    b.live[0] = 1.0;
    cn_limit *limit = solve(&b);
    CN_NEAR(limit->lower, 650.0, 1e-4, "250 + 400 N: it turns the other way");
    cn_limit_destroy(limit);
}

// Strength of all joints of a block [N].
static void strengthen(block *b, double cohesion, double tension, double crush)
{
    for (int a = 0; a < b->program.contact_count; a++) {
        b->cohesion[a] = cohesion;
        b->tension[a] = tension;
        b->crush[a] = crush;
    }
    b->program.cohesion = b->cohesion;
    b->program.tension = b->tension;
    b->program.crush = b->crush;
}

CN_TEST(strength_of_two_joints)
{
    static const struct {
        double mu, cohesion, tension, crush, exact;
        const char *why;
    } row[] = {
        {0.7, 1e4, 100.0, INFINITY, 300.0, "about the toe: (1000/2 + 100)/2"},
        {0.7, 70.0, 500.0, INFINITY, 300.0, "the tip of the cone is at 70/0.7 N"},
        {0.1, 50.0, 20.0, INFINITY, 200.0, "slides at 0.1 1000 + 2 50"},
        {0.7, 0.0, 0.0, 700.0, 100.0, "the toe takes 700, the heel 300: 400 0.5/2"},
        {0.7, 1e4, 100.0, 1050.0, 275.0, "1050 and -50: both ends of both joints are there"},
        {0.7, 1e4, 100.0, 1100.0, 300.0, "the pull ends first"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        block b;
        stand_in_plane(&b, row[k].mu);
        strengthen(&b, row[k].cohesion, row[k].tension, row[k].crush);
        b.live[0] = 1.0;
        check_bounds(&b, row[k].exact, 1e-8, row[k].why);
    }
}

// Up, down, upside down and twisted.
CN_TEST(strength_along_the_normal_and_in_space)
{
    for (int k = 0; k < 2; k++) {
        block b;
        stand_in_plane(&b, 0.5 * k);
        strengthen(&b, 1e3 * k, 100.0, 5000.0);
        b.live[1] = 1.0;
        check_bounds(&b, 1200.0, 1e-8,
                     "lifted off: the weight and 2 100, with and without friction");
        b.live[1] = -1.0;
        check_bounds(&b, 9000.0, 1e-8, "crushed at 2 5000");
        b.dead[1] = 1000.0; // it hangs
        cn_limit *limit = solve(&b);
        CN_TRUE(limit->outcome == CN_LIMIT_BOUNDED); // pressed up it stands
        CN_NEAR(limit->upper, 11000.0, 1e-4, "crushed as well");
        cn_limit_destroy(limit);
        b.program.live = NULL;
        limit = solve(&b);
        CN_TRUE(limit->outcome == CN_LIMIT_FALLS && limit->check.sink <= 1e-9);
        cn_limit_destroy(limit);
        strengthen(&b, 1e3 * k, 600.0, 5000.0);
        limit = solve(&b);
        CN_TRUE(limit->outcome == CN_LIMIT_BOUNDED && limit->check.imbalance <= 1e-9);
        cn_limit_destroy(limit);
    }
    block b;
    stand_in_space(&b, 0.5, 0.25, 0.4);
    strengthen(&b, 1e3, 1e3, INFINITY);
    b.live[5] = 1e5;
    check_bounds(&b, 0.44 * sqrt(0.5), 1e-8, "(mu W + 4 1000) times the distance of the corners");
}

CN_TEST(bad_programs_are_refused)
{
    block b;
    cn_limit *limit = NULL;
    cn_error err;
    cn_limit_def def = cn_limit_def_default();
    stand_in_plane(&b, 0.3);
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "no work") != NULL);
    b.live[0] = 1.0;
    b.friction[1] = -0.1;
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    b.friction[1] = NAN;
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    b.friction[1] = 0.0;
    strengthen(&b, 10.0, 0.0, INFINITY);
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "contact 1 has a cohesion of 10 N and no friction") != NULL);
    strengthen(&b, 0.0, NAN, INFINITY);
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    strengthen(&b, 0.0, 0.0, 0.0);
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    strengthen(&b, 0.0, 0.0, INFINITY);
    b.body[0] = b.body[2] = -1;
    CN_TRUE(cn_limit_solve(&b.program, &def, &limit, &err) == CN_BAD_INPUT);
    CN_TRUE(strstr(err.text, "touches nothing") != NULL);
    CN_TRUE(limit == NULL);
}

CN_MAIN(CN_RUN(block_in_the_plane_turns_or_slides); CN_RUN(square_block_in_any_direction);
        CN_RUN(lifted_straight_up); CN_RUN(twisted_block_leans_on_its_corners);
        CN_RUN(wedge_in_a_groove_dilates); CN_RUN(what_cannot_stand_falls_with_proof);
        CN_RUN(load_towards_the_ground_has_no_limit); CN_RUN(small_and_large_loads);
        CN_RUN(multiplier_may_be_zero); CN_RUN(load_that_is_needed); CN_RUN(strength_of_two_joints);
        CN_RUN(strength_along_the_normal_and_in_space); CN_RUN(bad_programs_are_refused);)
