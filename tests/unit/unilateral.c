// The normal row: shifts of each unilateral form, patches, and springs that give way.
#include "contact/unilateral.h"
#include "scenes.h"
#include "test.h"
#include "world/world.h"

// A contact that is a patch of its own.
static cn_approach with_gap(double gap)
{
    return (cn_approach){.h = 0.1,
                         .theta = 0.5,
                         .gamma = 0.5,
                         .gap = gap,
                         .U_n = -0.6,
                         .size = 1.0,
                         .patch = {.floor = fmin(gap, 0.0), .top = gap}};
}

static double shift(cn_form form, double e, const cn_approach *x)
{
    double b_n = NAN;
    CN_TRUE(cn_unilateral_shift(&(cn_normal){.form = form, .restitution = e}, x, &b_n));
    return b_n;
}

CN_TEST(forms_give_their_shifts)
{
    const char *why = "one division";
    cn_approach apart = with_gap(0.02), inside = with_gap(-0.02), closed = with_gap(1e-12);
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &apart), 0.2, 1e-15, why); // without restitution: gap / h
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &inside), 0.0, 0.0, "quasi-inelastic never pushes out");
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &closed), 0.0, 0.0, "a gap of rounding is closed");
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &inside), -0.2, 1e-15, why);
    // gap at q is -0.02 + 0.03 = 0.01; (0.01 + 0.05 * -0.6) / 0.05
    CN_NEAR(shift(CN_FORM_DISPLACEMENT_END, 0.0, &inside), -0.4, 1e-15, why);
    CN_NEAR(shift(CN_FORM_AUTO, 0.5, &inside), -0.3, 1e-15, "e times the approach velocity");
    double b_n;
    const cn_normal bouncing = {.restitution = 0.5};
    CN_TRUE(!cn_unilateral_shift(&bouncing, &apart, &b_n));
}

// In a hollow a chord cuts into the wall by the arc, which is known and taken off (6.7).
CN_TEST(hollows_take_off_their_arc)
{
    cn_approach x = with_gap(0.02);
    x.is_concave = true;
    x.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (0.02 - 0.005) / 0.1, 1e-15, "one division");
}

// In a tenth of a step depth is given back as in the whole step, while a gap is closed in the
// tenth.
CN_TEST(parts_of_a_step_give_depth_back_in_the_whole)
{
    cn_approach apart = with_gap(0.02), inside = with_gap(-0.02);
    apart.h_whole = inside.h_whole = 1.0;
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &apart), 0.02 / 0.1, 1e-15, "one division");
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &inside), -0.02 / 1.0, 1e-15, "one division");
    inside.is_concave = true;
    inside.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &inside), -0.02 - 0.005 / 0.1, 1e-15, "the arc is its own");
}

// Gaps 2, 1, -1, -2 of the corners of a square are affine over it, and so are the shifts.
CN_TEST(points_of_a_patch_close_down_to_the_deepest)
{
    const double unit = 4e-6; // deepest: 0.8e-5 of the size
    const double gap[4] = {2.0 * unit, unit, -unit, -2.0 * unit};
    for (int k = 0; k < 4; k++) {
        cn_approach x = with_gap(gap[k]);
        x.patch = (cn_contact_patch){.is_shared = true, .floor = gap[3], .top = gap[0]};
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (gap[k] - gap[3]) / 0.1, 1e-19, "one division");
        x.patch.floor = -1e-2;
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (gap[k] + 1e-5) / 0.1, 1e-19, "at most 1e-5 down");
        x.patch.floor = 0.0;
        x.patch.top = 0.9e-11;
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), 0.0, 0.0, "the whole patch is closed");
    }
}

// Between rounding and twice as much the gap that may close grows from nothing to all of it: no
// jump, or joints at the limit would flicker.
CN_TEST(gaps_near_rounding_open_without_a_jump)
{
    const double rounding = 1e-10;
    const double open[4] = {1.0 + 1e-9, 1.5, 2.0, 3.0}, closing[4] = {2e-9, 1.0, 2.0, 3.0};
    for (int k = 0; k < 4; k++) {
        cn_approach x = with_gap(open[k] * rounding);
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), closing[k] * rounding / 0.1, 1e-7 * rounding / 0.1,
                "2 (gap - rounding), at most the gap; open - rounding cancels nine digits");
    }
}

// Glue bonds where surfaces touch, not where a point found ahead says that they may: that one is a
// cone at the shift of rigid surfaces. One that is bonded stays so.
CN_TEST(points_found_ahead_do_not_bond)
{
    int memory_of[2] = {-1, 0};
    const cn_contacts all_found = {.found = 2, .memory_of = memory_of};
    const cn_contacts none_found = {.found = 0, .memory_of = memory_of};
    const cn_law_entry glue = {0};
    const cn_law_input in = {.shift = 0.25};
    const cn_core bond = {.kind = CN_CORE_BILATERAL, .b = {0.5, 0.75, 1.0}};
    cn_core core = bond;
    CN_TRUE(!cn_unilateral_hold(&all_found, NULL, &glue, 0, &in, &core));
    CN_TRUE(memcmp(&core, &bond, sizeof core) == 0);
    CN_TRUE(!cn_unilateral_hold(&none_found, NULL, &glue, 1, &in, &core));
    CN_TRUE(memcmp(&core, &bond, sizeof core) == 0);
    CN_TRUE(!cn_unilateral_hold(&none_found, NULL, &glue, 0, &in, &core));
    CN_TRUE(core.kind == CN_CORE_CONE);
    CN_NEAR(core.b[0], 0.25, 0.0, "the shift of rigid surfaces");
    CN_NEAR(core.b[1], 0.75, 0.0, "as it was");
    CN_NEAR(core.b[2], 1.0, 0.0, "as it was");
}

// Whatever a law writes, a rigid cone asks for no more room than there is; springs may.
CN_TEST(rigid_cones_keep_to_the_shift)
{
    const cn_contacts c = {.found = 1};
    const cn_law_entry rigid = {0};
    const cn_law_input in = {.shift = 0.25};
    cn_core more = {.kind = CN_CORE_CONE, .b = {0.5}}, less = {.kind = CN_CORE_CONE, .b = {0.1}};
    cn_core soft = {.kind = CN_CORE_CONE, .b = {0.5}, .c = {1.0}};
    CN_TRUE(!cn_unilateral_hold(&c, NULL, &rigid, 0, &in, &more));
    CN_TRUE(!cn_unilateral_hold(&c, NULL, &rigid, 0, &in, &less));
    CN_TRUE(!cn_unilateral_hold(&c, NULL, &rigid, 0, &in, &soft));
    CN_NEAR(more.b[0], 0.25, 0.0, "the shift");
    CN_NEAR(less.b[0], 0.1, 0.0, "less may be asked for");
    CN_NEAR(soft.b[0], 0.5, 0.0, "compliant rows are not rigid");
}

// A step of theta 0.7 and gamma 0.2 whose pair is fast, in a hollow or ahead; on paper from (4.9)
// to (4.12) and (6.1) to (6.7). U_n = -0.6, h = 0.1.
static cn_approach odd_step(double gap)
{
    cn_approach x = with_gap(gap);
    x.theta = 0.7;
    x.gamma = 0.2;
    return x;
}

static double to_end(double gap) // (4.11)
{
    return (gap + (1.0 - 0.7 - 0.2) * 0.1 * -0.6) / (0.7 * 0.1);
}

CN_TEST(fast_pairs_are_never_let_through)
{
    const char *why = "rounding of a few operations";
    const cn_normal bouncing = {.form = CN_FORM_VELOCITY, .restitution = 0.5};
    double b_n = NAN;
    cn_approach x = odd_step(-0.02);
    CN_NEAR(shift(CN_FORM_DISPLACEMENT_END, 0.0, &x), to_end(-0.02), 1e-15, why);
    CN_NEAR(shift(CN_FORM_VELOCITY, 0.5, &x), -0.3, 1e-16, why);
    x.is_fast = true; // has passed the surface at q_mid
    CN_NEAR(shift(CN_FORM_VELOCITY, 0.5, &x), to_end(-0.02), 1e-15, "-0.37 is more than -0.3");
    CN_NEAR(shift(CN_FORM_VELOCITY, 1.0, &x), -0.6, 1e-15, "-0.6 is more than -0.37");
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &x), to_end(-0.02), 1e-15, "more than gap/h = -0.2");
    CN_NEAR(shift(CN_FORM_QUASI_INELASTIC, 0.0, &x), to_end(-0.02), 1e-15, why);
    x.is_concave = true;
    x.arc = 0.005;
    CN_NEAR(shift(CN_FORM_QUASI_INELASTIC, 0.0, &x), to_end(-0.02), 1e-15, "hollow or not");
    x = odd_step(-0.1);
    x.is_fast = true;
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &x), to_end(-0.1), 1e-14, why);
    x = odd_step(0.05);
    CN_TRUE(!cn_unilateral_shift(&bouncing, &x, &b_n)); // ahead of the surface, slow
    x.is_fast = true;
    CN_NEAR(shift(CN_FORM_VELOCITY, 0.5, &x), -0.3, 1e-16, "closes 0.06 in the step: met");
    x.gap = 0.07;
    CN_TRUE(!cn_unilateral_shift(&bouncing, &x, &b_n)); // 0.06 is less
    x = odd_step(0.05);
    x.size = 0.119; // fast by itself: 0.06 is more than half of it
    CN_NEAR(shift(CN_FORM_VELOCITY, 0.5, &x), -0.3, 1e-16, why);
    x.size = 0.121;
    CN_TRUE(!cn_unilateral_shift(&bouncing, &x, &b_n));
    x.U_n = 0.6;
    x.gap = 0.0;
    CN_NEAR(shift(CN_FORM_VELOCITY, 0.5, &x), 0.0, 0.0, "what leaves does not rebound");
}

// `ahead` is the velocity form that closes the gap first (6.5); in a hollow it follows the wall.
CN_TEST(ahead_closes_the_gap_before_it_rebounds)
{
    const cn_normal ahead = {.form = CN_FORM_AHEAD, .restitution = 0.5};
    double b_n = NAN;
    cn_approach x = odd_step(0.08); // is not closed in this step
    CN_TRUE(!cn_unilateral_shift(&ahead, &x, &b_n));
    x.is_from_ccd = true;
    CN_NEAR(shift(CN_FORM_AHEAD, 0.5, &x), 0.8, 1e-15, "gap/h and no more");
    x = odd_step(0.05); // is closed, but ahead of the surface
    CN_TRUE(!cn_unilateral_shift(&ahead, &x, &b_n));
    x.is_from_ccd = true;
    CN_NEAR(shift(CN_FORM_AHEAD, 0.5, &x), -0.3, 1e-16, "Newton's law");
    x = odd_step(-0.02);
    x.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AHEAD, 0.5, &x), -0.3, 1e-16, "more than to follow: -(0.005 + 0.005)/h");
    CN_NEAR(shift(CN_FORM_AHEAD, 0.0, &x), -0.1, 1e-15, "arc, and depth up to the arc");
    x.gap = 0.002;
    CN_NEAR(shift(CN_FORM_AHEAD, 0.0, &x), -0.03, 1e-16, "(0.005 - 0.002)/h");
    x.patch.floor = -0.02;
    x.patch.chord = 0.008;
    CN_NEAR(shift(CN_FORM_AHEAD, 0.0, &x), -0.08, 1e-16, "depth by turning is given back");
    x.is_fast = true;
    CN_NEAR(shift(CN_FORM_AHEAD, 0.0, &x), 0.0, 0.0, "not to fast ones");
    x = odd_step(-0.001); // restitution in a hollow is `ahead` by default
    x.is_concave = true;
    x.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AUTO, 1e-9, &x), -0.06, 1e-15, "(arc + depth)/h");
    cn_approach soft = with_gap(-0.02);
    soft.is_deformable = true;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &soft), -0.2, 1e-15, "displacement form of meshes");
    CN_NEAR(shift(CN_FORM_AUTO, 0.5, &soft), -0.3, 1e-15, "velocity form with restitution");
}

// The conserving form acts where the bodies are in each other at the start (11.10).
CN_TEST(conserving_form_looks_at_the_start)
{
    double b_n = NAN;
    const cn_normal conserving = {.form = CN_FORM_CONSERVING};
    cn_approach x = odd_step(-0.0121); // gap at the start: -0.0121 + 0.012
    CN_NEAR(shift(CN_FORM_CONSERVING, 0.0, &x), -0.6, 0.0, "u+ = -u-");
    x.gap = -0.0119;
    CN_TRUE(!cn_unilateral_shift(&conserving, &x, &b_n));
}

// Depth that turning gains is given back: as deep as the patch is, at most the chord (6.4).
CN_TEST(depth_by_turning_is_given_back)
{
    cn_approach x = with_gap(-3e-6);
    x.patch = (cn_contact_patch){.floor = -4e-6, .top = 0.0, .chord = 5e-6};
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (1e-6 - 4e-6) / 0.1, 1e-19, "all of it");
    x.patch.chord = 2e-6;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (1e-6 - 2e-6) / 0.1, 1e-19, "the chord");
    x.patch.chord = 0.9e-12;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), 1e-6 / 0.1, 1e-19, "a speck is left");
}

// A body on a fixed round one, whose mobility along the normal is on paper: a box that is met off
// its centre by l has W = 1/m + l^2/I; in space two arms add up.
typedef struct touch {
    cn_world *w;
    cn_contacts c; // of the world, to be changed
    double W;
} touch;

static touch touch_make(int dim)
{
    touch t = {.w = dim == 2 ? scene_world(0.0, 0.0, 1e-9) : scene_space(0.0, 0.0, 1e-9)};
    CN_DO(cn_world_set_gravity(t.w, (double[]){0.0, 0.0, 0.0}, &test_error));
    if (dim == 2) {
        scene_disk(t.w, 0.3, -1.0, 1.0, CN_FIXED_ALL);
        cn_body_state box = scene_state(t.w, scene_box(t.w, 0.0, 0.5, 1.0, 1.0, 0.0, 0));
        t.W = 1.0 / box.mass + 0.09 / box.inertia[2];
    } else {
        cn_body_def ball = cn_body_def_default();
        cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = 1.0};
        ball.type = CN_BODY_SOLIDS;
        ball.solids = (cn_solid_parts){1, &sphere};
        ball.density = 1.0;
        ball.fixed = CN_FIXED_ALL;
        ball.at[0] = 0.3;
        ball.at[1] = 0.2;
        ball.at[2] = -1.0;
        CN_DO(cn_body_add(t.w, &ball, NULL, &test_error));
        const double size[3] = {1.0, 2.0, 1.0}, at[3] = {0.0, 0.0, 0.5};
        double m = scene_state(t.w, scene_block(t.w, at, size, NULL, 0)).mass;
        double about_x = m * (4.0 + 1.0) / 12.0, about_y = m * (1.0 + 1.0) / 12.0;
        t.W = 1.0 / m + 0.04 / about_x + 0.09 / about_y;
    }
    CN_TRUE(scene_run(t.w, 1e-6, 1) == 0);
    CN_TRUE(cn_world_view(t.w).contact_count == 1);
    t.c = t.w->contacts;
    t.c.h = 0.1;
    return t;
}

static bool gives_way(touch *t, double k, const cn_law_input *in, const cn_core *law, double gap,
                      double u_free)
{
    cn_law_def def = cn_law_default("elastic");
    CN_DO(cn_law_set(&def, "stiffness", k, &test_error));
    cn_law_entry entry = cn_law_entry_make(cn_law_of(def.type), def.param);
    cn_core core = *law;
    t->c.contact[0].gap = gap;
    t->c.u_free[t->c.row_start[0]] = u_free;
    bool is_rigid = cn_unilateral_hold(&t->c, &t->w->bodies, &entry, 0, in, &core);
    if (is_rigid) {
        CN_TRUE(core.kind == CN_CORE_CONE && core.c[0] == 0.0 && core.r0[0] == 0.0);
        CN_NEAR(core.b[0], in->shift, 0.0, "a rigid row");
    } else {
        CN_TRUE(memcmp(&core, law, sizeof core) == 0);
    }
    return is_rigid;
}

// (6.8): a spring that lets bodies farther into each other than half the smaller one gives way.
// Alone with its core it gives r = -(u_free + b)/(W + c), and the next gap is gap + h (u_free + W
// r).
CN_TEST(springs_that_let_bodies_through_give_way)
{
    for (int dim = 2; dim <= 3; dim++) {
        touch t = touch_make(dim);
        const double h = 0.1, u = -3.0, size = 0.4, half = 0.2, near = 1e-6;
        const cn_law_input in = {.h = h, .size = size, .shift = -0.123};
        cn_core core = {.kind = CN_CORE_CONE, .b = {0.5, 0.25}, .c = {0.7 * t.W}, .r0 = {0.125}};
        double r = (3.0 - 0.5) / (1.7 * t.W), way = h * (u + t.W * r);
        CN_TRUE(gives_way(&t, 1.0, &in, &core, -half - way - near, u));
        CN_TRUE(!gives_way(&t, 1.0, &in, &core, -half - way + near, u));
        core.b[0] = 4.0; // no impulse: nothing stops the bodies
        CN_TRUE(gives_way(&t, 1.0, &in, &core, -half - h * u - near, u));
        CN_TRUE(!gives_way(&t, 1.0, &in, &core, -half - h * u + near, u));
        core.b[0] = -4.0;
        core.kind = CN_CORE_FREE;
        CN_TRUE(gives_way(&t, 1.0, &in, &core, -half - h * u - near, u));
        CN_TRUE(!gives_way(&t, 1.0, &in, &core, -half - h * u + near, u));
        CN_TRUE(!gives_way(&t, 1.0, &in, &core, -2.0, 3.0)); // deep, but on its way out
        cn_world_destroy(t.w);
    }
}

// In a hollow a step may last a quarter of the period of a spring: h sqrt(k W) up to pi/2 (6.8).
CN_TEST(springs_in_hollows_need_four_steps_a_period)
{
    for (int dim = 2; dim <= 3; dim++) {
        touch t = touch_make(dim);
        cn_law_input in = {.h = 0.1, .size = 1.0, .curvature_gap = 0.01};
        const cn_core core = {.kind = CN_CORE_CONE, .c = {t.W}};
        double k = 0.25 * CN_PI * CN_PI / (t.W * 0.01);
        CN_TRUE(gives_way(&t, 1.000001 * k, &in, &core, 0.009, 0.0));
        CN_TRUE(!gives_way(&t, 0.999999 * k, &in, &core, 0.009, 0.0));
        CN_TRUE(!gives_way(&t, 1.1 * k, &in, &core, 0.011, 0.0)); // above the wall
        in.curvature_gap = 0.0;
        CN_TRUE(!gives_way(&t, 1.1 * k, &in, &core, -0.001, 0.0)); // no hollow
        cn_world_destroy(t.w);
    }
}

// Springs act where bodies are at q_mid: points found ahead are free until they give way.
CN_TEST(springs_do_not_act_ahead)
{
    touch t = touch_make(2);
    const cn_law_entry spring = {.normal = {.stiffness = 1.0}};
    const cn_law_input in = {.size = 1.0};
    cn_core core = {.kind = CN_CORE_CONE, .b = {0.5}, .c = {1.0}};
    t.c.found = 0;
    CN_TRUE(!cn_unilateral_hold(&t.c, &t.w->bodies, &spring, 0, &in, &core));
    CN_TRUE(core.kind == CN_CORE_FREE);
    cn_world_destroy(t.w);
}

// Contact 0 of the world as one that approaches at `speed`.
static double first_touch(touch *t, const cn_normal *normal, double gap, double speed)
{
    t->c.contact[0].gap = gap;
    t->c.contact[0].u_before[0] = -speed;
    return cn_unilateral_first_touch(&t->c, &t->w->bodies, normal, 0);
}

// (6.9): a fast pair that has passed the surface at q_mid is met in the middle of a step of length
// gap(q)/(gamma speed), at least 1e-3 of the smaller body over the speed.
CN_TEST(fast_pairs_are_met_in_the_middle_of_a_step)
{
    touch t = touch_make(2);
    const cn_normal any = {.restitution = 0.5};
    bool yes = true;
    t.c.is_at_start = t.c.is_fast = &yes;
    t.c.gamma = 0.25; // x_mid is 0.2 m on at 8 m/s
    const double least = 1e-3 * cn_contact_size(&t.w->bodies, &t.c.contact[0]);
    CN_TRUE(least > 1e-4 && least < 1e-2);
    CN_NEAR(first_touch(&t, &any, -0.15, 8.0), 0.05 / 0.25 / 8.0, 1e-15, "rounding");
    CN_NEAR(first_touch(&t, &any, -0.2 + 0.2 * least, 8.0), least / 8.0, 1e-15, "at least that");
    CN_NEAR(first_touch(&t, &any, -0.2 - 0.9 * least, 8.0), least / 8.0, 1e-15, "touched before");
    CN_TRUE(isinf(first_touch(&t, &any, -0.2 - 1.1 * least, 8.0))); // was inside before
    CN_TRUE(isinf(first_touch(&t, &any, 0.01, 8.0)));               // has not passed
    CN_TRUE(isinf(first_touch(&t, &any, -0.15, -8.0)));             // leaves
    t.c.gamma = 0.0;
    CN_TRUE(isinf(first_touch(&t, &any, -0.15, 8.0))); // q_mid is q
    t.c.gamma = 0.25;
    bool no = false;
    t.c.is_fast = &no;
    CN_TRUE(isinf(first_touch(&t, &any, -0.15, 8.0)));
    cn_world_destroy(t.w);
}

// (6.10): an inelastic impact in a small world. Here h g = 0.1 m/s, so that 5 m/s is fast.
CN_TEST(impacts_of_small_worlds_are_met_in_the_middle_of_a_step)
{
    touch t = touch_make(2);
    cn_bodies *b = &t.w->bodies;
    const cn_normal rigid = {0};
    bool no = false;
    double *u_free = &t.c.u_free[t.c.row_start[0]], v[2][3] = {{0.0}};
    const double *v_of_world = b->v_before;
    b->v_before = v[0];
    t.c.is_at_start = t.c.is_fast = &no;
    t.c.gamma = 0.25;
    t.c.h = 0.01;
    b->gravity[0] = 6.0;
    b->gravity[1] = -8.0;
    *u_free = -8.1;
    // gap at q: 0.03 + 0.25 x 0.01 x 8 = 0.05 m, touched at 6.25 ms; most: 8.1 + 0.1 m/s.
    double far = 0.05 / (1.25 * 8.2);
    CN_NEAR(first_touch(&t, &rigid, 0.03, 8.0), far, 1e-15, "up to the impact");
    CN_NEAR(first_touch(&t, &rigid, -0.0196, 8.0), 4e-4 / 8.0 / 0.25, 1e-15, "0.05 ms: met");
    CN_NEAR(first_touch(&t, &rigid, -0.01999, 8.0), 1e-5, 1e-15, "at least 1e-3 h");
    CN_NEAR(first_touch(&t, &rigid, -0.0185, 8.0), 1.5e-3 / 8.0 / 0.25, 1e-15, "0.0188 h: met");
    CN_NEAR(first_touch(&t, &rigid, -0.0183, 8.0), 1.7e-3 / (1.25 * 8.2), 1e-15, "0.0213 h: not");
    CN_TRUE(isinf(first_touch(&t, &rigid, -0.02 - 1e-9, 8.0))); // touched at q
    *u_free = -5.0;
    CN_NEAR(first_touch(&t, &rigid, 0.03, 8.0), 0.05 / (1.25 * 8.1), 1e-15, "the faster one");
    CN_TRUE(isinf(first_touch(&t, &rigid, 0.03, 4.99)));
    CN_TRUE(isfinite(first_touch(&t, &rigid, 0.03, 5.01)));
    CN_TRUE(isinf(first_touch(&t, &rigid, 0.051, 8.0))); // is not closed: u_free 0.05
    *u_free = -8.1;
    v[0][2] = 0.3; // h (0.3 + 0.6) rad
    v[1][2] = -0.6;
    CN_TRUE(isfinite(first_touch(&t, &rigid, 0.03, 8.0)));
    v[1][2] = -0.8;
    CN_TRUE(isinf(first_touch(&t, &rigid, 0.03, 8.0)));
    v[0][2] = v[1][2] = 0.0;
    t.c.count = 16;
    CN_TRUE(isfinite(first_touch(&t, &rigid, 0.03, 8.0)));
    t.c.count = 17;
    CN_TRUE(isinf(first_touch(&t, &rigid, 0.03, 8.0)));
    t.c.count = 1;
    const cn_normal other[4] = {{.form = CN_FORM_VELOCITY},
                                {.restitution = 0.1},
                                {.restitution_t = -0.1},
                                {.stiffness = 1}};
    for (int k = 0; k < 4; k++) {
        CN_TRUE(isinf(first_touch(&t, &other[k], 0.03, 8.0)));
    }
    b->gravity[0] = b->gravity[1] = 0.0;
    CN_TRUE(isinf(first_touch(&t, &rigid, 0.03, 8.0)));
    b->v_before = v_of_world;
    cn_world_destroy(t.w);
}

// Radius of the surfaces at a contact (4.4): 1/R = 1/R1 + 1/R2, inside a ring 1/R1 - 1/R2.
CN_TEST(surfaces_add_their_curvatures)
{
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_world(0.0, 0.0, 1e-9);
        CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
        cn_shape_def ring = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 2.0, .thickness = 0.1};
        cn_body_def drum = {.shapes = {1, &ring}, .density = 1.0, .fixed = CN_FIXED_ALL};
        CN_DO(cn_body_add(w, &drum, NULL, &test_error));
        scene_disk(w, k == 0 ? 1.5 : 2.6, 0.0, 0.5, 0); // inside, outside at 2.1
        CN_TRUE(scene_run(w, 1e-6, 1) == 0 && w->contacts.count == 1);
        double R = cn_contact_radius(&w->bodies, &w->contacts.contact[0]);
        CN_NEAR(R, k == 0 ? 1.0 / (2.0 - 0.5) : 1.0 / (2.0 + 1.0 / 2.1), 1e-14, "rounding");
        CN_TRUE(cn_contact_is_concave(&w->bodies, &w->contacts.contact[0]) == (k == 0));
        cn_world_destroy(w);
    }
}

// A disk at the bottom of a ring that is part of a body: the ring turns about the centre of all, a
// distance d below its own. A straight step of the disk cuts (6.7) ½ h^2 w^2/(R - r) off the ring,
// less what the ring itself is bent down, ½ h^2 spin^2 d; w is how fast they pass each other.
CN_TEST(arcs_know_how_the_hollow_turns)
{
    const double R = 2.0, r = 0.5, u = 2.0, spin = 1.5, h = 0.1;
    cn_world *w = scene_world(0.0, 0.0, 1e-9);
    CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
    const cn_shape_def part[2] = {{.kind = CN_SHAPE_HOLLOW_DISK, .radius = R, .thickness = 0.1},
                                  {.kind = CN_SHAPE_DISK, .radius = 0.7, .at = {0.0, -3.0}}};
    for (int order = 0; order < 2; order++) {
        cn_body_def ring = {.shapes = {2, part}, .density = 1.0, .at = {9.0 * order}};
        cn_body_id drum = 0, disk = 0;
        for (int k = 0; k < 2; k++) {
            if (k == order) {
                CN_DO(cn_body_add(w, &ring, &drum, &test_error));
            } else {
                disk = scene_disk(w, 9.0 * order, -(R - r), r, 0);
            }
        }
        CN_TRUE(scene_run(w, 1e-9, 1) == 0 && w->contacts.count == order + 1);
        double d = -scene_state(w, drum).position[1], v[12] = {0.0};
        CN_TRUE(d > 0.1);
        int a = order == 0 || w->contacts.contact[1].i > 1 ? order : 0;
        v[3 * cn_bodies_find(&w->bodies, drum) + 2] = spin;
        v[3 * cn_bodies_find(&w->bodies, disk)] = u;
        const double *v_of_world = w->bodies.v_before;
        w->bodies.v_before = v;
        w->contacts.h = h;
        double pass = u + spin * d; // the middle of the ring moves to the left
        double arc = 0.5 * h * h * (pass * pass / (R - r) - spin * spin * d);
        CN_TRUE(arc > 0.0);
        CN_NEAR(cn_contact_arc(&w->contacts, &w->bodies, &w->contacts.contact[a]), arc, 1e-9,
                "places of the contact are known to 1e-9 h v");
        w->bodies.v_before = v_of_world;
    }
    cn_world_destroy(w);
}

// Depth that turning adds: the angles of both bodies times the way of the contact on them, which is
// that of its slip and of turns about what is not round (6.4).
CN_TEST(turning_bodies_cut_corners)
{
    touch t = touch_make(2); // a disk under a square of 1 m, which reaches sqrt(1/2) m
    cn_contact *x = &t.c.contact[0];
    double v[6] = {0.0}, h = t.c.h;
    const double *v_of_world = t.w->bodies.v_before;
    t.w->bodies.v_before = v;
    x->u_before[1] = -3.0;
    v[2] = 5.0; // the disk turns in itself
    CN_NEAR(cn_contact_chord(&t.c, &t.w->bodies, x), 0.0, 0.0, "no surface turns");
    v[5] = -2.0;
    CN_NEAR(cn_contact_chord(&t.c, &t.w->bodies, x), 2.0 * h * (3.0 * h + 2.0 * h * sqrt(0.5)),
            1e-15, "angle times way");
    t.w->bodies.v_before = v_of_world;
    cn_world_destroy(t.w);
}

CN_MAIN(CN_RUN(parts_of_a_step_give_depth_back_in_the_whole); CN_RUN(forms_give_their_shifts);
        CN_RUN(hollows_take_off_their_arc); CN_RUN(points_of_a_patch_close_down_to_the_deepest);
        CN_RUN(gaps_near_rounding_open_without_a_jump); CN_RUN(points_found_ahead_do_not_bond);
        CN_RUN(rigid_cones_keep_to_the_shift); CN_RUN(fast_pairs_are_never_let_through);
        CN_RUN(ahead_closes_the_gap_before_it_rebounds); CN_RUN(conserving_form_looks_at_the_start);
        CN_RUN(depth_by_turning_is_given_back); CN_RUN(springs_that_let_bodies_through_give_way);
        CN_RUN(springs_in_hollows_need_four_steps_a_period); CN_RUN(springs_do_not_act_ahead);
        CN_RUN(fast_pairs_are_met_in_the_middle_of_a_step);
        CN_RUN(impacts_of_small_worlds_are_met_in_the_middle_of_a_step);
        CN_RUN(surfaces_add_their_curvatures); CN_RUN(turning_bodies_cut_corners);
        CN_RUN(arcs_know_how_the_hollow_turns);)
