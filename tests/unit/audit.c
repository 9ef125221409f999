// The judge of a step by itself: bounds of theory 9.5, 9.6 and 9.8 at both sides of each threshold.
#include "test.h"

#include "audit/audit.h"
#include "grids.h"
#include "scenes.h"
#include "world/world.h"

static const double near = 1e-6; // relative, at both sides of a threshold

// A disk or a ball that has just been laid on the ground, with friction 0.3.
static cn_world *laid_down(int dim, double rolling, double spinning)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = dim == 2 ? -9.81 : 0.0;
    def.gravity[2] = dim == 3 ? -9.81 : 0.0;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    CN_DO(cn_law_set(&law, "rolling", rolling, &test_error));
    CN_DO(cn_law_set(&law, "spinning", spinning, &test_error));
    cn_world *w = scene_world_with(&def, &law);
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, 0.0);
        scene_disk(w, 0.0, 0.2, 0.2, 0);
    } else {
        scene_floor(w, 0.0);
        scene_sphere(w, 0.0, 0.0, 0.2, 0.2);
    }
    CN_TRUE(scene_run(w, 1e-3, 1) == 0 && w->contacts.count == 1);
    return w;
}

// (9.5): h sqrt(1 + slope^2) e_max, moments over the length of (8.16). The diagonal of W is 1, 3
// for the forces of a disk and 2/R^2 for its moment, over m: the length is R. Of a ball it is 1,
// 7/2, 7/2 and 5/2 /R^2: the length squared is 16/15 R^2. The radius of the contact is R.
CN_TEST(the_bound_of_added_depth_knows_all_slopes)
{
    const double exact[4] = {0.09, 0.09 + 0.04, 0.09 + 0.04 * 15.0 / 16.0,
                             0.09 + (0.04 + 0.0225) * 15.0 / 16.0};
    for (int k = 0; k < 4; k++) {
        cn_world *w = laid_down(k < 2 ? 2 : 3, k > 0 ? 0.2 : 0.0, k == 3 ? 0.15 : 0.0);
        cn_certificate judged = {.solver.rigid.e_max = 0.5};
        cn_audit_penetration(&w->contacts, &w->bodies, 0.01, &judged);
        CN_NEAR(judged.added_penetration, 0.01 * sqrt(1.0 + exact[k]) * 0.5, 1e-15, "rounding");
        CN_TRUE(judged.active_count == 1);
        cn_world_destroy(w);
    }
}

// A box on a fixed disk; contact and bodies are then what a test says they are.
typedef struct scene {
    cn_world *w;
    cn_contacts *c;
    cn_bodies *b;
    double v[6], size, mass, inertia;
} scene;

static void scene_make(scene *s)
{
    *s = (scene){.w = scene_world(0.0, 0.0, 1e-9)};
    CN_DO(cn_world_set_gravity(s->w, (double[]){0.0, 0.0, 0.0}, &test_error));
    scene_disk(s->w, 0.3, -1.0, 1.0, CN_FIXED_ALL);
    cn_body_state box = scene_state(s->w, scene_box(s->w, 0.0, 0.5, 1.0, 1.0, 0.0, 0));
    CN_TRUE(scene_run(s->w, 1e-6, 1) == 0 && s->w->contacts.count == 1);
    s->c = &s->w->contacts;
    s->b = &s->w->bodies;
    s->mass = box.mass;
    s->inertia = box.inertia[2];
    s->size = cn_contact_size(s->b, &s->c->contact[0]);
    s->c->h = 0.1;
    s->b->v_before = s->v;
}

static double excess(const scene *s, double added_before)
{
    cn_ledger ledger = {0};
    cn_certificate judged = {0};
    cn_status status = cn_audit_judge(s->c, s->b, &ledger, added_before, &judged, &test_error);
    CN_TRUE(status == (judged.given_excess > 0.0 ? CN_BROKEN : CN_OK));
    CN_TRUE((judged.given_worst[0] != 0) == (judged.given_excess > 0.0));
    return judged.given_excess;
}

// (9.8): what closes at 0.5 m/s, turns at 2 rad/s with a reach of sqrt(1/2) m, falls with 10 m/s2
// and may have been let in by 0.02 m can have gained their sum in speed; what is given beyond it
// counts if it is more than the box has of its own: ½ m v^2 + ½ I w^2 + m g size.
CN_TEST(contacts_give_what_bodies_can_have_gained)
{
    scene s;
    scene_make(&s);
    cn_contact *x = &s.c->contact[0];
    s.b->gravity[0] = 6.0;
    s.b->gravity[1] = -8.0;
    s.v[2] = 9.0; // the disk turns in itself
    s.v[5] = -2.0;
    memcpy(x->u_before, (double[]){-0.3, 0.4, 0.0}, sizeof x->u_before);
    memcpy(s.b->v_free + 3, (double[]){1.0, 2.0, 3.0}, 3 * sizeof(double));
    double most = 0.5 + 2.0 * sqrt(0.5) + 0.1 * 10.0 + 0.02 / 0.1;
    double own = 0.5 * s.mass * 5.0 + 0.5 * s.inertia * 9.0 + s.mass * 10.0 * s.size;
    double beyond = 0.25, *b = &s.c->b[s.c->row_start[0]];
    *b = -(most + beyond);
    x->r[0] = own / beyond * (1.0 + near);
    CN_NEAR(excess(&s, 0.02), own, 2.0 * near * own, "r (push - most)");
    x->r[0] = own / beyond * (1.0 - near);
    CN_NEAR(excess(&s, 0.02), 0.0, 0.0, "less than its own");
    x->r[0] = 1e9;
    *b = -most * (1.0 - near);
    CN_NEAR(excess(&s, 0.02), 0.0, 0.0, "no more than it can have gained");
    *b = -10.0 * most;
    CN_TRUE(excess(&s, 0.02) > 0.0);
    s.c->is_fast[0] = true;
    CN_NEAR(excess(&s, 0.02), 0.0, 0.0, "fast pairs are met elsewhere");
    s.c->is_fast[0] = false;
    x->r[0] = -1e9;
    CN_NEAR(excess(&s, 0.02), 0.0, 0.0, "nothing is given");
    x->r[0] = 1e9;
    *b = 10.0 * most;
    CN_NEAR(excess(&s, 0.02), 0.0, 0.0, "an open gap");
    // Without any motion: what is less than a twentieth of the size is not looked at.
    s.b->gravity[0] = s.b->gravity[1] = s.v[5] = 0.0;
    memset(x->u_before, 0, sizeof x->u_before);
    *b = -0.05 * s.size / 0.1 * (1.0 - near);
    CN_NEAR(excess(&s, 0.0), 0.0, 0.0, "too little to be seen");
    *b = -0.05 * s.size / 0.1 * (1.0 + near);
    CN_TRUE(excess(&s, 0.0) > 0.0);
    double compliance[2] = {1e-3, 0.0};
    s.c->has_c = true;
    double *none = s.c->c;
    s.c->c = compliance;
    CN_NEAR(excess(&s, 0.0), 0.0, 0.0, "springs store what they give");
    s.c->has_c = false;
    s.c->c = none;
    s.b->v_before = s.b->v;
    cn_world_destroy(s.w);
}

// Bonds put r.u into the motion: at most a twentieth of what the bodies have, and what a drift of
// 1e-6 of the size in a step takes.
CN_TEST(bonds_give_next_to_nothing)
{
    scene s;
    scene_make(&s);
    cn_contact both[2] = {s.c->contact[0]}, *x = &both[0], *of_world = s.c->contact;
    unsigned char kind[2] = {CN_CORE_BILATERAL, CN_CORE_BILATERAL}, *kind_of_world = s.c->kind;
    s.c->contact = both; // the second is no longer one
    s.c->kind = kind;
    memcpy(s.b->v_free + 3, (double[]){1.0, 2.0, 3.0}, 3 * sizeof(double));
    double own = 0.5 * s.mass * 5.0 + 0.5 * s.inertia * 9.0, pull = 1300.0;
    double most = 0.05 * own + 1e-6 * s.size / 0.1 * pull;
    s.c->b[s.c->row_start[0]] = 0.0;
    memcpy(x->r, (double[]){300.0, -400.0, 1200.0}, sizeof x->r);
    for (int k = 0; k < 6; k++) { // along each axis, at both sides
        double sum = most * (k % 2 == 0 ? 1.0 + near : 1.0 - near);
        memset(x->u, 0, sizeof x->u);
        x->u[k / 2] = sum / x->r[k / 2];
        kind[0] = CN_CORE_BILATERAL;
        both[1] = both[0];
        CN_NEAR(excess(&s, 0.0), k % 2 == 0 ? sum : 0.0, 1e-12 * sum, "r.u, or nothing");
        kind[0] = CN_CORE_CONE;
        CN_NEAR(excess(&s, 0.0), 0.0, 0.0, "no bond");
    }
    s.c->contact = of_world;
    s.c->kind = kind_of_world;
    s.b->v_before = s.b->v;
    cn_world_destroy(s.w);
}

// (9.6): held degrees of freedom, rotations times the reach, of bodies and of nodes.
CN_TEST(drives_are_held_to_what_they_were_told)
{
    const double h = 0.1;
    cn_world *w = scene_world(0.0, 0.0, 1e-9);
    grid *g = grid_make(2, CN_QUAD4, (int[]){1, 1}, (double[]){5, 0}, (double[]){1, 1},
                        grid_elastic(1e4, 0.3, 1.0));
    cn_body_id disk = scene_disk(w, 0.0, 0.0, 0.5, 1u << CN_DOF_Y | 1u << CN_DOF_RZ);
    cn_body_id first = grid_body(w, g, 0.0, 0.0);
    cn_body_def def = cn_body_def_default();
    cn_body_id second;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.at[0] = 5.0;
    CN_DO(cn_body_add(w, &def, &second, &test_error));
    CN_TRUE(scene_run(w, h, 1) == 0);
    cn_bodies *b = &w->bodies;
    cn_deformables *m = &w->deformables;
    memset(m->held, 0, (size_t)m->dof_start[2]);
    double *told = b->v_free, *v = b->v;
    memcpy(told, (double[]){1.0, 2.0, 3.0}, 3 * sizeof *told);
    memcpy(v, (double[]){9.0, 2.0, 3.0}, 3 * sizeof *v);
    cn_certificate judged = {.drive_error = 7.0, .drive_worst = 7};
    cn_audit_drives(b, h, &judged);
    CN_TRUE(judged.drive_error == 0.0 && judged.drive_worst == 0); // x is free
    v[1] = 2.5;
    cn_audit_drives(b, h, &judged);
    CN_NEAR(judged.drive_error, 0.05, 1e-16, "0.5 m/s in a step");
    v[2] = 1.0;
    cn_audit_drives(b, h, &judged);
    CN_NEAR(judged.drive_error, 0.1, 1e-16, "2 rad/s over 0.5 m");
    CN_TRUE(judged.drive_worst == disk);
    for (int k = 0; k < 2; k++) { // the last node of each mesh
        int n = m->dof_start[k + 1] - 1;
        m->held[n] = 1;
        m->v_imposed[n] = -1.0;
        m->v[n] = 1.0 + k;
        cn_audit_drives(b, h, &judged);
        CN_NEAR(judged.drive_error, 0.2 + 0.1 * k, 1e-16, "2 or 3 m/s in a step");
        CN_TRUE(judged.drive_worst == (k == 0 ? first : second));
    }
    v[1] = NAN;
    cn_audit_drives(b, h, &judged);
    CN_TRUE(isinf(judged.drive_error) && judged.drive_worst == disk);
    cn_world_destroy(w);
    grid_free(g);
}

// (9.9): a mesh that is pushed out by 0.3 m in a step at 3 m/s where it came at 1 m/s is given
// 1/2 r (3 - 1) = 2 J, which counts where contacts have not taken as much before, and where it is
// more than 1e-3 of the energy of the world. Fast contacts are in it.
CN_TEST(meshes_are_given_what_contacts_took)
{
    scene s;
    scene_make(&s);
    s.b->deformable[s.c->contact[0].j] = 0;
    cn_contact *x = &s.c->contact[0];
    int row = s.c->row_start[0];
    *x = (cn_contact){.i = x->i, .j = x->j, .r = {2.0}, .u = {3.0}, .u_before = {-1.0}};
    s.c->u_free[row] = -1.0;
    s.c->b[row] = -3.0;
    s.c->is_fast[0] = true;
    static const struct {
        double taken, energy, closing, given;
    } CASE[] = {{1.0, 100.0, 1.0, 2.0},
                {4.0, 100.0, 1.0, 0.0}, // all of it was taken before
                {1.0, 2e3 * (1.0 - 1e-3), 1.0, 2.0},
                {1.0, 2e3 * (1.0 + 1e-3), 1.0, 0.0},
                {1.0, 100.0, 3.0, 0.0}}; // no faster than it came
    for (int k = 0; k < 5; k++) {
        cn_ledger ledger = {.kinetic = 0.5 * CASE[k].energy, .elastic = 0.5 * CASE[k].energy};
        ledger.total[CN_ENERGY_SHOCK] = CASE[k].taken;
        ledger.total[CN_ENERGY_GIVEN] = -3.0;
        x->u_before[0] = -CASE[k].closing;
        cn_certificate judged = {0};
        cn_status status = cn_audit_judge(s.c, s.b, &ledger, 0.0, &judged, &test_error);
        CN_TRUE(status == (CASE[k].given > 0.0 ? CN_BROKEN : CN_OK));
        CN_NEAR(judged.given_excess, CASE[k].given, 1e-15, "rounding");
        CN_TRUE(judged.given_worst[1] == (CASE[k].given > 0.0 ? s.b->id[x->j] : 0));
    }
    s.b->deformable[x->j] = -1;
    cn_world_destroy(s.w);
}

// What is too deep, or misses its drive by more than 1e-9 of the body, is refused with its names.
CN_TEST(refusals_name_bodies_and_lengths)
{
    scene s;
    scene_make(&s);
    s.b->v_before = s.b->v;
    cn_ledger ledger = {.step[CN_ENERGY_GIVEN] = -0.25};
    cn_certificate judged = {.penetration = 0.125, .penetration_rel = 1.0, .deepest = {1, 2}};
    CN_DO(cn_audit_judge(s.c, s.b, &ledger, 0.0, &judged, &test_error));
    CN_NEAR(judged.given, 0.25, 0.0, "the row of the ledger");
    judged.penetration_rel = 1.001;
    CN_FAILS(cn_audit_judge(s.c, s.b, &ledger, 0.0, &judged, &test_error), CN_BROKEN,
             "bodies 1 and 2 would be 0.125 m deep");
    judged.penetration_rel = 0.0;
    judged.drive_worst = s.b->id[1];
    double size = s.b->size[1];
    judged.drive_error = 1e-9 * size * (1.0 - near);
    CN_DO(cn_audit_judge(s.c, s.b, &ledger, 0.0, &judged, &test_error));
    judged.drive_error = 1e-9 * size * (1.0 + near);
    CN_FAILS(cn_audit_judge(s.c, s.b, &ledger, 0.0, &judged, &test_error), CN_BROKEN,
             "misses its imposed motion by 1e-09 m");
    cn_world_destroy(s.w);
}

// Joints of a certificate: those that act, and the largest gap; rotations times the arm; elastic
// ones have no gap to close.
CN_TEST(joints_of_a_step_are_counted_with_their_gap)
{
    cn_world *w = scene_world(0.0, 0.0, 1e-9);
    cn_body_id box = scene_box(w, 0.0, 0.0, 0.3, 0.4, 0.0, 0);
    cn_body_id disk[2] = {scene_disk(w, 2.0, 0.0, 0.1, 0), scene_disk(w, 4.0, 0.0, 0.1, 0)};
    const cn_joint_def def[3] = {
        {.kind = CN_JOINT_FIXED, .body = box},
        {.kind = CN_JOINT_BALL, .body = disk[0], .at = {2.0}},
        {.kind = CN_JOINT_ROD, .body = disk[1], .at = {4.0}, .to = {4.0, 1.0}, .stiffness = 1.0}};
    for (int k = 0; k < 3; k++) {
        CN_DO(cn_joint_add(w, &def[k], NULL, &test_error));
    }
    CN_TRUE(scene_run(w, 1e-3, 1) == 0);
    cn_joints *joints = &w->joints;
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < joints->link[n].rows; k++) {
            bool is_spin = joints->link[n].row[k].is_spin;
            joints->step[n].gap[k] = n == 0 ? (is_spin ? 0.25 * 0.02 : 0.0) : 0.0;
        }
    }
    joints->step[2].gap[0] = 3.0;
    cn_certificate judged = {.joint_gap = 9.0, .joint_count = 9};
    cn_audit_joints(joints, &judged);
    CN_TRUE(judged.joint_count == 3);
    CN_NEAR(judged.joint_gap, 0.005, 1e-17, "0.02 rad with an arm of 0.25 m");
    joints->step[1].gap[0] = -0.006;
    cn_audit_joints(joints, &judged);
    CN_NEAR(judged.joint_gap, 0.006, 1e-17, "of the ball");
    joints->step[1].constraint = -1;
    cn_audit_joints(joints, &judged);
    CN_TRUE(judged.joint_count == 2);
    CN_NEAR(judged.joint_gap, 0.005, 1e-17, "the ball does not act");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(the_bound_of_added_depth_knows_all_slopes);
        CN_RUN(contacts_give_what_bodies_can_have_gained); CN_RUN(bonds_give_next_to_nothing);
        CN_RUN(drives_are_held_to_what_they_were_told); CN_RUN(meshes_are_given_what_contacts_took);
        CN_RUN(refusals_name_bodies_and_lengths);
        CN_RUN(joints_of_a_step_are_counted_with_their_gap);)
