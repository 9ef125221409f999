// validation/e06_audit.c -- E06: the energy audit, recomputed from the views alone.
//
// Question: is what the ledger says what happened? Reference: the identity of the scheme,
// T+ - T = 1/2 (v+ + v) . (h F + H r), contact dissipation D = -1/2 sum r . (u+ + u-), and for e =
// 0 D - 1/2 r . u_F = 1/2 r . W r - r_t . u_t+ >= 0 with u_F the velocity that gravity adds in a
// step. Soft bodies likewise, with the energy they store. Every other case checks that its ledger
// closes. Source: Acary 2016 on Moreau-Jean schemes.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define STEP 1e-3 // [s]

static double kinetic(const cn_view *view)
{
    double sum = 0.0;
    for (int i = 0; i < view->body_count; i++) {
        const double *v = view->v + 3 * i;
        if (!view->fixed[i]) {
            sum += 0.5 *
                   (view->mass[i] * (v[0] * v[0] + v[1] * v[1]) + view->inertia[i] * v[2] * v[2]);
        }
    }
    return sum;
}

// Mass times vertical velocity of all that falls.
static double fall(const cn_view *view)
{
    double sum = 0.0;
    for (int i = 0; i < view->body_count; i++) {
        sum += view->fixed[i] ? 0.0 : view->mass[i] * view->v[3 * i + 1];
    }
    return sum;
}

typedef struct books {
    double identity; // largest closing error of the step identity [J]
    double forged;   // the same with one impulse changed by 1e-6
    double ledger;   // largest difference of D to friction + shock rows [J]
    double split;    // largest error of the formula for e = 0 [J]
    double least;    // least D - 1/2 r . u_F [J]
    double negative; // least D + 1/2 |r . u_F| [J]
    double scale;    // largest kinetic energy [J]
} books;

static void audit_step(cn_trial *t, books *b)
{
    cn_view view = cn_world_view(t->world);
    double before = kinetic(&view), fall_before = fall(&view);
    if (!cn_trial_step(t, STEP)) {
        return;
    }
    view = cn_world_view(t->world);
    double work = 0.0, r_uF = 0.0, r_W_r = 0.0, slip = 0.0, largest = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double falls = (view.fixed[c->i] == 0) - (view.fixed[c->j] == 0);
        double uF_n = -CN_G * STEP * falls * c->normal[1],
               uF_t = -CN_G * STEP * falls * c->normal[0];
        double part =
            0.5 * (c->r[0] * (c->u[0] + c->u_before[0]) + c->r[1] * (c->u[1] + c->u_before[1]));
        work += part;
        largest = fabs(part) > fabs(largest) ? part : largest;
        r_uF += c->r[0] * uF_n + c->r[1] * uF_t;
        r_W_r += c->r[0] * (c->u[0] - c->u_before[0] - uF_n) +
                 c->r[1] * (c->u[1] - c->u_before[1] - uF_t);
        slip += c->r[1] * c->u[1];
    }
    double gravity = -0.5 * STEP * CN_G * (fall(&view) + fall_before);
    double gap = kinetic(&view) - before - gravity - work;
    const double *row = view.ledger->step;
    double rows = row[CN_ENERGY_FRICTION] + row[CN_ENERGY_SHOCK] + row[CN_ENERGY_GIVEN];
    b->identity = fmax(b->identity, fabs(gap));
    b->forged = fmax(b->forged, fabs(gap - 1e-6 * largest));
    b->ledger = fmax(b->ledger, fabs(rows + work));
    b->split = fmax(b->split, fabs(-work - 0.5 * r_uF - (0.5 * r_W_r - slip)));
    b->least = fmin(b->least, -work - 0.5 * r_uF);
    b->negative = fmin(b->negative, -work + 0.5 * fabs(r_uF));
    b->scale = fmax(b->scale, kinetic(&view));
}

static books run(cn_book *book, double mu, double e)
{
    books b = {0};
    cn_placement placement = cn_placement_default(2);
    cn_law_def law = cn_law_coulomb(mu, e);
    cn_law_set_word(&law, "form", "velocity", NULL);
    cn_mixed mixed = cn_build_mixed(book, &placement, &law, 1e-10);
    for (int n = 0; n < 300 && !mixed.trial.is_broken; n++) {
        audit_step(&mixed.trial, &b);
    }
    cn_trial_end(&mixed.trial);
    return b;
}

static void check_books(cn_book *book, const books *b, const char *name)
{
    cn_check(book, cn_name(book, "step identity over energy, %s", name), b->identity / b->scale,
             0.0, 1e-10);
    cn_check(book, cn_name(book, "ledger rows less dissipation, %s", name), b->ledger / b->scale,
             0.0, 1e-10);
    cn_check_least(book, cn_name(book, "dissipation + |r.u_F|/2 over energy, %s", name),
                   b->negative / b->scale, -1e-10);
}

// ---- deformable bodies

enum { SOFT_COUNT = 2, POINTS_MAX = 160 };

#define YIELD 2e3 // [Pa]
#define HARDENING 1e4

// What two soft blocks are made of that fall on a floor and on each other.
typedef enum soft_kind {
    SOFT_LINEAR,
    SOFT_DAMPED,     // linear, with Kelvin-Voigt damping
    SOFT_CONSERVING, // elements of large strain and contacts that keep the energy
    SOFT_PLASTIC     // von Mises, large strain
} soft_kind;

typedef struct soft_scene {
    const char *name;
    soft_kind kind;
    double mu;
    cn_place place;
} soft_scene;

static cn_material_def soft_material(soft_kind kind)
{
    cn_material_def material = cn_soft_elastic(1e5, 0.3, 1000.0);
    material.model = kind == SOFT_CONSERVING ? CN_MATERIAL_SAINT_VENANT
                     : kind == SOFT_PLASTIC  ? CN_MATERIAL_J2
                                             : CN_MATERIAL_LINEAR;
    if (kind == SOFT_PLASTIC) {
        material.kinematics = CN_TOTAL_LAGRANGE;
        material.yield = YIELD;
        material.hardening = HARDENING;
    }
    material.viscous_time = kind == SOFT_DAMPED ? 1e-3 : 0.0;
    return material;
}

static cn_trial begin_soft(cn_book *book, const soft_scene *scene, cn_body_id id[SOFT_COUNT])
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, &scene->place);
    cn_law_def law = cn_law_coulomb(scene->mu, 0.0);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_conserving = scene->kind == SOFT_CONSERVING;
    cn_law_set_word(&law, "form", deform.is_conserving ? "conserving" : "velocity", NULL);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_soft_settings(&t, &deform);
    cn_build_plane(&t, (cn_body_def){0});
    for (int k = 0; k < SOFT_COUNT; k++) {
        cn_soft block =
            cn_soft_box(book, scene->place.dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){5 - k, 2, 2},
                        (double[]){0.07 * k, 0.004 + 0.23 * k, 0.0}, (double[]){0.4, 0.2, 0.2},
                        soft_material(scene->kind));
        id[k] = cn_soft_add(&t, &block, (cn_body_def){.velocity = {0.5 - k, -1.0}});
        cn_soft_free(&block);
    }
    return t;
}

typedef struct soft_state {
    double energy;                          // kinetic and stored energy of the nodes [J]
    double fall;                            // mass times velocity along y [kg m/s]
    double plastic[SOFT_COUNT][POINTS_MAX]; // equivalent plastic strains
    int point_count[SOFT_COUNT];
    double share[SOFT_COUNT]; // volume of a point: cells are equal [m3]
} soft_state;

static soft_state soft_state_of(cn_trial *t, const cn_body_id id[SOFT_COUNT])
{
    soft_state s = {.energy = 0.0};
    cn_error err;
    for (int k = 0; k < SOFT_COUNT && !t->is_broken; k++) {
        cn_node_view n = cn_soft_nodes(t, id[k]);
        s.energy += n.elastic;
        for (int d = 0; d < n.dim * n.node_count; d++) {
            s.energy += 0.5 * n.mass[d] * n.v[d] * n.v[d];
            s.fall += d % n.dim == 1 ? n.mass[d] * n.v[d] : 0.0;
        }
        int count = cn_body_point_count(t->world, id[k]);
        if (count <= POINTS_MAX &&
            cn_trial_ok(t, cn_body_point_stress(t->world, id[k], NULL, NULL, s.plastic[k], &err),
                        &err)) {
            s.point_count[k] = count;
            s.share[k] = 0.4 * 0.2 * (n.dim == 3 ? 0.2 : 1.0) / count;
        }
    }
    return s;
}

// Energy that plastic strain took in a step, (yield + hardening x strain) x change of strain.
static double plastic_work(const soft_state *before, const soft_state *now)
{
    double sum = 0.0;
    for (int k = 0; k < SOFT_COUNT; k++) {
        for (int p = 0; p < now->point_count[k]; p++) {
            double strain = now->plastic[k][p], change = strain - before->plastic[k][p];
            sum += now->share[k] * (YIELD + HARDENING * strain) * change;
        }
    }
    return sum;
}

// What contacts of e = 0 do not give: r . u+ of them all, by which T+ exceeds the energy of the
// free motion by no more than -1/2 r . W r (theory 9.7); of the conserving scheme 1/2 r . (u+ +
// u-). The half sum of the others is not bounded by 0: a node that opens before the step and is
// pressed by its own body within it gains 1/2 r . u-.
static double contact_gift(const cn_view *view, bool is_conserving)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        for (int k = 0; k < view->dim; k++) {
            sum += c->r[k] * (is_conserving ? 0.5 * (c->u[k] + c->u_before[k]) : c->u[k]);
        }
    }
    return sum;
}

// Energy that contacts gave in the last step, 1/2 sum r . (u+ + u-).
static double contact_work(const cn_view *view)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        for (int k = 0; k < view->dim; k++) {
            sum += 0.5 * c->r[k] * (c->u[k] + c->u_before[k]);
        }
    }
    return sum;
}

// Of the whole run.
typedef struct soft_books {
    books b;
    double lost, plastic;         // by contacts, by plastic strain [J]
    double plastic_error;         // largest difference of the plastic row to that [J]
    double internal, viscous_min; // sum of |internal row|, least viscous row [J]
} soft_books;

static void audit_soft_step(cn_trial *t, soft_kind kind, const cn_body_id id[SOFT_COUNT],
                            soft_state *last, soft_books *s)
{
    if (!cn_trial_step(t, STEP)) {
        return;
    }
    soft_state now = soft_state_of(t, id);
    cn_view view = cn_world_view(t->world);
    const double *row = view.ledger->step;
    double work = contact_work(&view), gravity = -0.5 * STEP * CN_G * (now.fall + last->fall);
    double plastic = plastic_work(last, &now);
    double gap = now.energy - last->energy - gravity - work + plastic + row[CN_ENERGY_VISCOUS] +
                 row[CN_ENERGY_INTERNAL];
    books *b = &s->b;
    b->identity = fmax(b->identity, fabs(gap));
    b->forged = fmax(b->forged, fabs(gap - 1e-6 * work));
    b->ledger = fmax(b->ledger, fabs(row[CN_ENERGY_FRICTION] + row[CN_ENERGY_SHOCK] +
                                     row[CN_ENERGY_GIVEN] + work));
    b->scale = fmax(b->scale, now.energy);
    b->negative = fmin(b->negative, -contact_gift(&view, kind == SOFT_CONSERVING));
    s->lost -= work;
    s->plastic += plastic;
    s->plastic_error = fmax(s->plastic_error, fabs(row[CN_ENERGY_PLASTIC] - plastic));
    s->internal += fabs(row[CN_ENERGY_INTERNAL]);
    s->viscous_min = fmin(s->viscous_min, row[CN_ENERGY_VISCOUS]);
    *last = now;
}

static void check_soft_rows(cn_book *book, const soft_scene *scene, const soft_books *s)
{
    const char *name = scene->name, *where = scene->place.name;
    double scale = s->b.scale;
    if (scene->kind == SOFT_PLASTIC) {
        cn_check(book, cn_name(book, "soft, %s: plastic row less that of strains%s", name, where),
                 s->plastic_error / scale, 0.0, 1e-8);
        cn_check_least(book, cn_name(book, "soft, %s: plastic work over energy%s", name, where),
                       s->plastic / scale, 0.01);
        cn_check(book, cn_name(book, "soft, %s: internal rows (reported)%s", name, where),
                 s->internal / scale, 0.0, INFINITY);
    }
    if (scene->kind == SOFT_DAMPED) {
        cn_check_least(book, cn_name(book, "soft, %s: least viscous row%s", name, where),
                       s->viscous_min / scale, -1e-12);
    }
    if (scene->kind == SOFT_CONSERVING) {
        cn_check(book, cn_name(book, "soft, %s: internal rows%s", name, where), s->internal / scale,
                 0.0, 1e-8);
    }
}

static void check_soft(cn_book *book, const soft_scene *scene)
{
    cn_body_id id[SOFT_COUNT];
    soft_books s = {.lost = 0.0};
    cn_trial t = begin_soft(book, scene, id);
    soft_state last = soft_state_of(&t, id);
    for (int n = 0; n < 300 && !t.is_broken; n++) {
        audit_soft_step(&t, scene->kind, id, &last, &s);
    }
    cn_trial_end(&t);
    const books *b = &s.b;
    const char *name = scene->name, *where = scene->place.name;
    cn_check(book, cn_name(book, "soft, %s: step identity over energy%s", name, where),
             b->identity / b->scale, 0.0, 1e-8);
    cn_check(book, cn_name(book, "soft, %s: rows less dissipation%s", name, where),
             b->ledger / b->scale, 0.0, 1e-8);
    cn_check_least(book, cn_name(book, "soft, %s: what contacts do not give%s", name, where),
                   b->negative / b->scale, -1e-8);
    if (scene->kind == SOFT_CONSERVING && scene->mu == 0.0) {
        cn_check(book, cn_name(book, "soft, %s: lost%s", name, where), s.lost / b->scale, 0.0,
                 1e-8);
    } else {
        cn_check_least(book, cn_name(book, "soft, %s: sees an impulse off by 1e-6%s", name, where),
                       b->forged / b->scale, 1e-10);
    }
    check_soft_rows(book, scene, &s);
}

void cn_case_E06(cn_book *book)
{
    books b = run(book, 0.3, 0.0);
    check_books(book, &b, "mu 0.3, e 0");
    cn_check(book, "formula of dissipation, mu 0.3, e 0", b.split / b.scale, 0.0, 1e-10);
    cn_check_least(book, "dissipation - r.u_F/2, mu 0.3, e 0", b.least / b.scale, -1e-10);
    cn_check_least(book, "identity sees an impulse off by 1e-6", b.forged / b.scale, 1e-9);
    b = run(book, 0.0, 0.5);
    check_books(book, &b, "mu 0, e 0.5");
    for (int space = 0; space < 2; space++) {
        cn_place place = space ? cn_place_along_axes(1.0) : cn_place_plane();
        const soft_scene scenes[] = {{"linear, mu 0.3", SOFT_LINEAR, 0.3, place},
                                     {"damped, mu 0.3", SOFT_DAMPED, 0.3, place},
                                     {"conserving, mu 0.3", SOFT_CONSERVING, 0.3, place},
                                     {"conserving, mu 0", SOFT_CONSERVING, 0.0, place},
                                     {"plastic, mu 0.3", SOFT_PLASTIC, 0.3, place}};
        for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
            check_soft(book, &scenes[k]);
        }
    }
}
