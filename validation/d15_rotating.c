// validation/d15_rotating.c -- D15: a bar about its end and a disk about its centre turn at 100
// rad/s.
//
// Question: do bodies stretch as centrifugal forces ask, and does turning by itself strain nothing?
// Reference: bar rho w2 L3/(3 E) at the tip and rho w2 L2/2 at the root; disk (1 - nu) rho w2 R3/(4
// E) at the rim and (3 + nu)/8 rho w2 R2 in the middle. Free bodies keep energy and angular
// momentum over ten turns. Source: Timoshenko and Goodier.
#include "solids.h"
#include "table.h"
#include <stdlib.h>

#define YOUNG 210e9    // [Pa]
#define DENSITY 7800.0 // [kg/m3]
#define RATE 100.0     // [rad/s]

// Quadratic elements for the frame that turns, with masses that follow the radius inside elements,
// too; a few linear ones for free motion.
static void choose(cn_soft *soft, bool is_free, double thickness)
{
    soft->material.kinematics = is_free ? CN_TOTAL_LAGRANGE : CN_SMALL;
    soft->mesh.plane = CN_PLANE_STRESS;
    soft->mesh.thickness = soft->mesh.dim == 2 ? thickness : 0.0;
    soft->mesh.mass = is_free ? CN_MASS_LUMPED : CN_MASS_CONSISTENT;
}

static cn_element_type element_of(const cn_trial *t, bool is_free)
{
    static const cn_element_type type[2][2] = {{CN_QUAD8, CN_QUAD4}, {CN_HEX20, CN_HEX8}};
    return type[t->place.dim - 2][is_free];
}

static cn_soft make_bar(const cn_trial *t, bool is_free)
{
    cn_soft bar = cn_soft_box(t->book, element_of(t, is_free), (int[]){is_free ? 10 : 20, 1, 1},
                              (double[]){is_free ? -0.5 : 0.0, -0.025, -0.025},
                              (double[]){1.0, 0.05, 0.05}, cn_soft_elastic(YOUNG, 0.0, DENSITY));
    choose(&bar, is_free, 0.05);
    return bar;
}

// In space a thin cylinder.
static cn_soft make_disk(const cn_trial *t, bool is_free)
{
    cn_volume_def def = cn_volume_def_default();
    def.kind = t->place.dim == 2 ? CN_VOLUME_DISK : CN_VOLUME_CYLINDER;
    def.element = element_of(t, is_free);
    def.radius = 0.2;
    def.length = 0.01;
    def.cells[0] = is_free ? 2 : 8;
    def.cells[1] = is_free ? 1 : 6;
    def.cells[2] = 1;
    cn_soft disk = cn_soft_make(t->book, &def, cn_soft_elastic(YOUNG, 0.3, DENSITY));
    choose(&disk, is_free, def.length);
    return disk;
}

static cn_trial begin(cn_book *book, const cn_place *place, double theta)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = theta;
    return cn_trial_begin_at(book, &def, place);
}

// Adds a body of which the nodes of planes through the origin stay in them.
static cn_body_id add_held(cn_trial *t, cn_soft *soft)
{
    static const char *const plane[] = {"x", "y", "z"};
    for (int d = 0; d < t->place.dim; d++) {
        cn_soft_pick(soft, plane[d], d, 0.0);
    }
    cn_body_id id = cn_soft_add(t, soft, (cn_body_def){0});
    for (int d = 0; d < t->place.dim; d++) {
        cn_soft_hold(t, id, plane[d], (cn_dof)d);
    }
    return id;
}

typedef struct stretch {
    double rim, middle; // displacement along x [m], stress along x [Pa]
} stretch;

// One step without inertia in the turning frame.
static stretch spin_up(cn_trial *t, cn_body_id id, cn_vec3 rim, cn_vec3 middle)
{
    cn_soft_load(t, id, NULL, CN_LOAD_CENTRIFUGAL, cn_v3(0.0, 0.0, 1.0), cn_constant(RATE));
    cn_trial_step(t, 1.0);
    cn_node_view n = cn_soft_nodes(t, id);
    double *stress = cn_soft_stress(t, id);
    stretch s = {NAN, NAN};
    if (stress != NULL) {
        s.rim = cn_soft_moved(&n, cn_soft_nearest(&n, rim), 0);
        s.middle = stress[6 * cn_soft_nearest(&n, middle)];
    }
    free(stress);
    return s;
}

static void check_statics(cn_book *book, cn_place place)
{
    const char *where = place.name;
    cn_trial t = begin(book, &place, 1.0);
    cn_soft_quasi_static(&t);
    cn_soft bar = make_bar(&t, false);
    cn_body_id id = add_held(&t, &bar);
    stretch s = spin_up(&t, id, cn_v3(1.0, 0.0, 0.0), cn_v3(0.0, 0.0, 0.0));
    cn_check_rel(book, cn_name(book, "bar: tip%s [m]", where), s.rim, 1.238095e-4, 0.01);
    cn_check_rel(book, cn_name(book, "bar: root stress%s [Pa]", where), s.middle, 39e6, 0.01);
    cn_trial_end(&t);
    cn_soft_free(&bar);

    t = begin(book, &place, 1.0);
    cn_soft_quasi_static(&t);
    cn_soft disk = make_disk(&t, false);
    id = add_held(&t, &disk);
    s = spin_up(&t, id, cn_v3(0.2, 0.0, 0.0), cn_v3(0.0, 0.0, 0.0));
    cn_check_rel(book, cn_name(book, "disk: rim%s [m]", where), s.rim, 5.2e-7, 0.01);
    cn_check_rel(book, cn_name(book, "disk: centre stress%s [Pa]", where), s.middle, 1.287e6, 0.01);
    cn_trial_end(&t);
    cn_soft_free(&disk);
}

// Energy and angular momentum about z.
typedef struct motion {
    double energy, momentum;
} motion;

static motion motion_of(const cn_trial *t, cn_body_id id)
{
    cn_node_view n = cn_soft_nodes(t, id);
    motion now = {t->is_broken ? NAN : cn_world_view(t->world).ledger->kinetic + n.elastic, 0.0};
    for (int a = 0; a < n.node_count; a++) {
        const double *x = n.x + n.dim * a, *v = n.v + n.dim * a;
        now.momentum += n.mass[n.dim * a] * (x[0] * v[1] - x[1] * v[0]);
    }
    return now;
}

// Ten turns of a free body, from no strain: it also breathes. Largest changes over the first
// values.
static void check_free(cn_book *book, cn_place place, bool is_bar)
{
    const double h = 5e-4, until = 10.0 * 2.0 * CN_PI / RATE;
    const char *name = is_bar ? "bar" : "disk", *where = place.name;
    cn_trial t = begin(book, &place, 0.5);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_conserving = true;
    cn_soft_settings(&t, &deform);
    cn_soft soft = is_bar ? make_bar(&t, true) : make_disk(&t, true);
    cn_body_id id = cn_soft_add(&t, &soft, (cn_body_def){.angular_velocity = {0.0, 0.0, RATE}});
    motion first = motion_of(&t, id);
    double drift = 0.0, turn = 0.0;
    for (int k = 0; k * h < until && cn_trial_step(&t, h); k++) {
        motion now = motion_of(&t, id);
        drift = fmax(drift, fabs(now.energy / first.energy - 1.0));
        turn = fmax(turn, fabs(now.momentum / first.momentum - 1.0));
    }
    cn_check(book, cn_name(book, "free %s: change of energy%s", name, where), drift, 0.0, 1e-3);
    cn_check(book, cn_name(book, "free %s: of angular momentum%s", name, where), turn, 0.0, 1e-6);
    cn_trial_end(&t);
    cn_soft_free(&soft);
}

void cn_case_D15(cn_book *book)
{
    const cn_place place[2] = {cn_place_plane(), cn_place_along_axes(1.0)};
    for (int k = 0; k < 2; k++) {
        check_statics(book, place[k]);
        check_free(book, place[k], true);
        check_free(book, place[k], false);
    }
}
