// audit/plausibility.c -- whether a step is possible, theory 9.7, 9.8 and 9.9.
//
// A ledger that closes says that sums add up. It does so when a wrong gap creates energy, too. Here
// a step is held against what bodies can do: contacts give back no more than bodies can have
// gained, nothing is deeper than it is thick, what is driven is where it was told to be.
#include <math.h>

#include "audit/audit.h"
#include "body/gravity.h"
#include "body/rigid.h"

// Depth given back that is looked at, over the smaller body, and energy that bonds give, over that
// of their bodies; energy that contacts of meshes give, over that of the world; how far drives may
// be off: rounding of places; and bonds, over the size [-].
static const double VISIBLE = 0.05;
static const double SEEN_ENERGY = 1e-3;
static const double DRIVE_MISS = 1e-9;
static const double BOND_DRIFT = 1e-6;

// Speed with which the surfaces of body i turn [m/s].
static double turning_speed(const cn_bodies *b, int i, int shape)
{
    const double *v = cn_body_v(b, b->v_before, i);
    double spin = b->dim == 2 ? fabs(v[2]) : cn_norm3(cn_v3(v[3], v[4], v[5]));
    double lever = spin > 0.0 ? cn_shape_lever(b, shape) : 0.0;
    return isfinite(lever) ? spin * lever : 0.0;
}

// Speed with which the bodies of contact a can have come together since they were apart [m/s].
static double closing_speed(const cn_contacts *c, const cn_bodies *b, int a, double added_before)
{
    const cn_contact *x = &c->contact[a];
    double g = cn_gravity_size(b);
    double speed = cn_norm3(cn_v3(x->u_before[0], x->u_before[1], x->u_before[2]));
    speed += b->deformable[x->i] >= 0
                 ? 0.0
                 : turning_speed(b, x->i, cn_feature_shape_i(b, x->i, x->feature));
    speed += b->deformable[x->j] >= 0
                 ? 0.0
                 : turning_speed(b, x->j, cn_feature_shape_j(b, x->j, x->feature));
    return speed + c->h * g + added_before / c->h;
}

// Energy that body i has of its own: of its free motion, and of a fall by a size [J]. Held bodies,
// which deformable ones are as rigid ones, count none.
static double own_energy(const cn_bodies *b, int i, double size)
{
    double p[6], g = cn_gravity_size(b);
    if (cn_body_is_held(b, i)) {
        return 0.0;
    }
    double T = b->kind->momentum(b, i, cn_body_q(b, b->q, i), cn_body_v(b, b->v_free, i), p);
    return T + b->mass[i] * g * size;
}

// What contact a puts into the free motion of rigid bodies (9.8) [J].
static double gained_on_free(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    double u_free = c->u_free[c->row_start[a]];
    return cn_contact_is_deformable(b, x) ? 0.0 : 0.5 * x->r[0] * (x->u[0] + u_free);
}

// What contact a gives beyond its bounds (9.8) [J]; 0 for what cannot be seen.
static double excess_of(const cn_contacts *c, const cn_bodies *b, int a, double added_before)
{
    const cn_contact *x = &c->contact[a];
    bool is_spring = c->has_c && c->c[c->row_start[a]] > 0.0;
    double push = cn_contact_push(c, b, a);
    if (is_spring || !(push > 0.0) || !(x->r[0] > 0.0) || c->is_fast[a]) {
        return 0.0;
    }
    double size = cn_contact_size(b, x);
    if (!(c->h * push > VISIBLE * size)) {
        return 0.0;
    }
    double most = closing_speed(c, b, a, added_before);
    double energy = x->r[0] * (push - most), gain = gained_on_free(c, b, a);
    double own = own_energy(b, x->i, size) + own_energy(b, x->j, size);
    return push > most && energy > own ? fmax(energy, gain) : gain > own ? gain : 0.0;
}

// What the bonds of one pair, contact a and those after it, put into the motion: they are kept by
// the names of their points, and where these move on a body, bonds pull against each other. *next
// is the first contact of another pair [J].
static double given_by_bonds(const cn_contacts *c, const cn_bodies *b, int a, int *next)
{
    const cn_contact *first = &c->contact[a];
    double sum = 0.0, pull = 0.0, size = cn_contact_size(b, first);
    for (; a < c->count && c->contact[a].i == first->i && c->contact[a].j == first->j; a++) {
        const cn_contact *x = &c->contact[a];
        bool is_bond = c->kind[a] == CN_CORE_BILATERAL;
        sum += is_bond ? x->r[0] * x->u[0] + x->r[1] * x->u[1] + x->r[2] * x->u[2] : 0.0;
        pull += is_bond ? cn_norm3(cn_v3(x->r[0], x->r[1], x->r[2])) : 0.0;
    }
    *next = a;
    if (b->deformable[first->i] >= 0 || b->deformable[first->j] >= 0) {
        return 0.0;
    }
    double own = own_energy(b, first->i, size) + own_energy(b, first->j, size);
    double drift = BOND_DRIFT * size / c->h; // that bonds in order take back
    return sum > VISIBLE * own + drift * pull ? sum : 0.0;
}

// Whether contact a, which may be fast, gives back a depth that can be seen, and faster than its
// bodies come together there.
static bool is_kick(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    bool is_spring = c->has_c && c->c[c->row_start[a]] > 0.0;
    double push = cn_contact_push(c, b, a);
    return !is_spring && x->r[0] > 0.0 && push > -x->u_before[0] &&
           c->h * push > VISIBLE * cn_contact_size(b, x);
}

// What the contacts of one pair with a deformable body, a and those after it, add to the free
// motion if one of them kicks (9.9). *next is the first contact of another pair [J].
static double given_by_kicks(const cn_contacts *c, const cn_bodies *b, int a, int *next)
{
    const cn_contact *first = &c->contact[a];
    double sum = 0.0;
    bool some = false;
    for (; a < c->count && c->contact[a].i == first->i && c->contact[a].j == first->j; a++) {
        const cn_contact *x = &c->contact[a];
        for (int k = 0; k < c->d; k++) {
            sum += 0.5 * x->r[k] * (x->u[k] + c->u_free[c->row_start[a] + k]);
        }
        some = some || is_kick(c, b, a);
    }
    *next = a;
    return some && cn_contact_is_deformable(b, first) ? sum : 0.0;
}

// Energy that pairs with deformable bodies are given although contacts have not taken as much since
// the start (9.9) [J]; worst: a contact of the pair that is given most.
static double find_kicks(const cn_contacts *c, const cn_bodies *b, const cn_ledger *ledger,
                         int *worst)
{
    double most = SEEN_ENERGY * (ledger->kinetic + ledger->elastic), given = 0.0;
    double taken = ledger->total[CN_ENERGY_FRICTION] + ledger->total[CN_ENERGY_SHOCK] +
                   ledger->total[CN_ENERGY_GIVEN];
    for (int a = 0, next = 0; a < c->count && taken < 0.0; a = next) {
        double sum = given_by_kicks(c, b, a, &next);
        if (sum > most) {
            most = sum;
            *worst = a;
            given = sum;
        }
    }
    return given;
}

// The bond of rigid bodies that is farthest from where it bonded, over their size: what it brings
// back in this step. -1 if none is visibly off.
static int find_drifted(const cn_contacts *c, const cn_bodies *b, double *drift)
{
    int worst = -1;
    double most = VISIBLE;
    for (int a = 0; a < c->count; a++) {
        const cn_contact *x = &c->contact[a];
        if (c->kind[a] != CN_CORE_BILATERAL || cn_contact_is_deformable(b, x)) {
            continue;
        }
        double square = 0.0;
        for (int k = c->row_start[a]; k < c->row_start[a + 1]; k++) {
            square += c->b[k] * c->b[k];
        }
        double off = c->h * sqrt(square), rel = off / cn_contact_size(b, x);
        if (rel > most) {
            most = rel;
            *drift = off;
            worst = a;
        }
    }
    return worst;
}

static void find_given(const cn_contacts *c, const cn_bodies *b, const cn_ledger *ledger,
                       double added_before, cn_certificate *certificate)
{
    int kicked = -1;
    double worst = find_kicks(c, b, ledger, &kicked);
    certificate->given_excess = worst;
    certificate->given_worst[0] = kicked >= 0 ? b->id[c->contact[kicked].i] : 0;
    certificate->given_worst[1] = kicked >= 0 ? b->id[c->contact[kicked].j] : 0;
    for (int a = 0, next = 0; a < c->count; a++) {
        double excess = excess_of(c, b, a, added_before);
        excess += a == next ? given_by_bonds(c, b, a, &next) : 0.0;
        certificate->given_excess += excess;
        if (excess > worst) {
            worst = excess;
            certificate->given_worst[0] = b->id[c->contact[a].i];
            certificate->given_worst[1] = b->id[c->contact[a].j];
        }
    }
}

// How far a drive may be off at its worst body [m].
static double miss_allowed(const cn_bodies *b, cn_body_id id)
{
    int i = id != 0 ? cn_bodies_find(b, id) : -1;
    double size = i >= 0 ? b->size[i] : 0.0;
    return DRIVE_MISS * (isfinite(size) && size > 0.0 ? size : 1.0);
}

cn_status cn_audit_judge(const cn_contacts *c, const cn_bodies *b, const cn_ledger *ledger,
                         double added_before, cn_certificate *certificate, cn_error *err)
{
    find_given(c, b, ledger, added_before, certificate);
    certificate->given = -ledger->step[CN_ENERGY_GIVEN];
    const cn_body_id *deep = certificate->deepest, *given = certificate->given_worst;
    if (certificate->penetration_rel > 1.0) {
        return cn_fail(err, CN_BROKEN,
                       "bodies %llu and %llu would be %g m deep in each other, more than the "
                       "thinner one is thick: they overlap at the start, or the step is too long",
                       (unsigned long long)deep[0], (unsigned long long)deep[1],
                       certificate->penetration);
    }
    if (certificate->given_excess > 0.0) {
        return cn_fail(err, CN_BROKEN,
                       "the contact of bodies %llu and %llu would put %g J into the motion, more "
                       "than they can have gained since they were apart",
                       (unsigned long long)given[0], (unsigned long long)given[1],
                       certificate->given_excess);
    }
    double drift = 0.0;
    int drifted = find_drifted(c, b, &drift);
    if (drifted >= 0) {
        return cn_fail(err, CN_BROKEN,
                       "bodies %llu and %llu have moved by %g m where they are bonded: the step is "
                       "too long for their turns",
                       (unsigned long long)b->id[c->contact[drifted].i],
                       (unsigned long long)b->id[c->contact[drifted].j], drift);
    }
    if (certificate->drive_error > miss_allowed(b, certificate->drive_worst)) {
        return cn_fail(err, CN_BROKEN, "body %llu misses its imposed motion by %g m",
                       (unsigned long long)certificate->drive_worst, certificate->drive_error);
    }
    return CN_OK;
}
