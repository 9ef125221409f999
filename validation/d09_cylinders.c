// validation/d09_cylinders.c -- D09: two soft cylinders between rigid walls hit floor and each
// other.
//
// Question: is energy kept without friction, and lost in contacts only with it? Reference: 5 pi/2 J
// at the start; rigid disks at these places meet after 2.45 s (mu = 0) and 2.80 s (mu = 0.2, where
// elastic ones may miss). Source: Feng et al. 2006; Armero and Petocz 1998.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define STEP 1e-3 // [s]

typedef struct pair {
    cn_trial trial;
    cn_body_id left, right;
} pair;

// `fineness` 1: a disk of 96 quad4, 16 in its core and 4 x 20 around it.
static cn_body_id add_cylinder(cn_trial *t, int fineness, cn_body_def rest)
{
    cn_volume_def def = cn_volume_def_default();
    def.kind = CN_VOLUME_DISK;
    def.element = CN_QUAD4;
    def.radius = 1.0;
    def.cells[0] = 4 * fineness;
    def.cells[1] = 5 * fineness;
    cn_material_def material = cn_soft_elastic(2700.0, 0.33, 1.0);
    material.model = CN_MATERIAL_SAINT_VENANT;
    cn_soft disk = cn_soft_make(t->book, &def, material);
    cn_body_id id = cn_soft_add(t, &disk, rest);
    cn_soft_free(&disk);
    return id;
}

// A floor, without friction or with it.
static pair begin(cn_book *book, double mu, bool is_conserving)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    pair p = {.trial = cn_trial_begin(book, &def)};
    cn_trial *t = &p.trial;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_conserving = is_conserving;
    cn_law_set_word(&law, "form", is_conserving ? "conserving" : "auto", NULL);
    cn_trial_law(t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_soft_settings(t, &deform);
    cn_build_plane(t, (cn_body_def){0});
    return p;
}

static void add_all(pair *p)
{
    cn_trial *t = &p->trial;
    cn_build_plane(t, (cn_body_def){.at = {-1.5}, .angle = -0.5 * CN_PI});
    cn_build_plane(t, (cn_body_def){.at = {5.8632}, .angle = 0.5 * CN_PI});
    cn_build_plane(t, (cn_body_def){.at = {0.0, 6.0}, .angle = CN_PI});
    p->left = add_cylinder(t, 1, (cn_body_def){.at = {0.0, 4.0}, .velocity = {1.0, -2.0}});
    p->right = add_cylinder(t, 1, (cn_body_def){.at = {4.3632, 3.4827}});
}

static double energy_of(const cn_trial *t)
{
    const cn_ledger *l = t->is_broken ? NULL : cn_world_view(t->world).ledger;
    return l ? l->kinetic + l->elastic : NAN;
}

typedef struct story {
    double first, last; // energy [J]
    double gain, loss;  // largest over the first energy, from the start [-]
    double free, fall;  // largest change in a step without contact; least in one with it [J]
    double floor, hit;  // first contacts of the left cylinder: with the floor, the other [s]
    double worst;       // loss of the worst contact over the first energy [-]
} story;

// A contact lasts until nothing touches for 20 steps: then what it cost is known.
static story run(pair *p, double duration)
{
    cn_trial *t = &p->trial;
    story s = {.first = energy_of(t), .floor = NAN, .hit = NAN, .fall = -INFINITY};
    double last = s.first, before = s.first;
    int quiet = 0;
    for (int k = 0; k < (int)lround(duration / STEP) && cn_trial_step(t, STEP); k++) {
        double now = energy_of(t), hit = cn_norm3(cn_trial_push(t, p->right, p->left));
        int active = cn_world_view(t->world).certificate->active_count;
        s.gain = fmax(s.gain, now / s.first - 1.0);
        s.loss = fmax(s.loss, 1.0 - now / s.first);
        s.floor = isnan(s.floor) && active > 0 ? (k + 1) * STEP : s.floor;
        s.hit = isnan(s.hit) && hit > 0.0 ? (k + 1) * STEP : s.hit;
        quiet = active > 0 ? 0 : quiet + 1;
        if (active == 0) {
            s.free = fmax(s.free, fabs(now - last));
        } else {
            s.fall = fmax(s.fall, now - last);
        }
        if (quiet == 20) {
            s.worst = fmax(s.worst, (before - now) / s.first);
            before = now;
        }
        last = now;
    }
    s.last = last;
    cn_trial_end(t);
    return s;
}

// Element forces and contacts that keep the energy (theory 11.9 and 11.10).
static void check_conserving(cn_book *book)
{
    pair smooth = begin(book, 0.0, true);
    add_all(&smooth);
    story s = run(&smooth, 15.0);
    // Sixteen straight sides enclose 2.55 % less than the circle.
    cn_check_rel(book, "energy at the start [J]", s.first, 7.853982, 0.0256);
    cn_check(book, "largest gain of energy, mu 0", s.gain, 0.0, 1e-3);
    cn_check(book, "largest loss of energy over 15 s, mu 0", s.loss, 0.0, 5e-3);
    cn_check(book, "first hit, mu 0 [s]", s.hit, 2.5, 0.1);

    pair rough = begin(book, 0.2, true);
    add_all(&rough);
    s = run(&rough, 15.0);
    cn_check(book, "change of energy without contact, mu 0.2", s.free / s.first, 0.0, 1e-9);
    cn_check(book, "gain of energy in a contact, mu 0.2", fmax(s.fall, 0.0) / s.first, 0.0, 1e-9);
    cn_check_true(book, cn_name(book, "friction loses energy (hit at %.2f s)", s.hit),
                  s.last < 0.99 * s.first);
}

// One hit alone, on the floor or, as after a bounce, on the other cylinder.
static story hit_once(cn_book *book, bool is_floor, int fineness)
{
    pair p = begin(book, 0.0, false);
    cn_body_def left = {.at = {2.4, 2.8}, .velocity = {1.0, 2.0}}, right = {.at = {4.3632, 3.4827}};
    if (is_floor) {
        left = (cn_body_def){.at = {1.5, 1.01}, .velocity = {1.0, -2.0}};
    } else {
        p.right = add_cylinder(&p.trial, fineness, right);
    }
    p.left = add_cylinder(&p.trial, fineness, left);
    return run(&p, 0.4);
}

// Nodes that stop dead, and the trapezoidal rule in time: what is lost falls with the mesh.
static void check_plain(cn_book *book)
{
    story coarse = hit_once(book, true, 1), fine = hit_once(book, true, 2);
    cn_check(book, "plain, floor: loss, 384 quad4", fine.worst, 0.0, 0.01);
    cn_check(book, "plain, floor: the same over that of 96 quad4", fine.worst / coarse.worst, 0.5,
             0.1);
    story meet = hit_once(book, false, 3);
    cn_check(book, "plain, each other: loss, 864 quad4", meet.worst, 0.0, 0.01);
    cn_check(book, "plain: largest gain of energy", fmax(coarse.gain, fmax(fine.gain, meet.gain)),
             0.0, 1e-3);
}

void cn_case_D09(cn_book *book)
{
    check_plain(book);
    check_conserving(book);
}
