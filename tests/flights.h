// tests/flights.h -- random flights: two bodies of any kinds, sizes, spins and speeds meet, or miss
// each other, under any law of the table; what holds for all of them is asserted.
//
// A flight is known by its seed and its number: FLIGHT_SEED and FLIGHT_NUMBER in the environment
// run it alone.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "flights_bodies.h"

enum { FLY_BODIES = 3, FLY_STEPS = 16 };

typedef enum fly_start { FLY_HIT, FLY_MISS, FLY_INSIDE } fly_start;

typedef struct fly_pose {
    double at[3], turn[4], angle;
    double velocity[3], rate[3]; // in the plane rate[2] is the spin
} fly_pose;

typedef struct flight {
    uint64_t seed;
    int number;
    int dim, body_count;
    int kind[FLY_BODIES];
    double scale[FLY_BODIES];
    uint64_t shape_seed[FLY_BODIES];
    fly_pose pose[FLY_BODIES];
    bool is_held; // the first body
    fly_start start;
    int joint; // kind of the joint between the second and the third, -1: none
    cn_law_def law;
    double e, mu;
    double gravity;
    double h;            // of a step, its number in the flight follows from `part`
    int part;            // h is the unit of time over this
    double speed, least; // of approach; the smallest extent of both [m]
    bool is_sound;       // nothing is found to overlap where it starts
} flight;

// How many flights had what: every list must be full.
typedef struct fly_census {
    int pair[256];                       // of kinds, in the order of fly_pair
    int law[16], joint[16];              // of the table; of cn_joint_kind
    int e[3], part[4];                   // restitution 0, 0.5, 1; h, h/2, h/4, h/10
    int size[3];                         // ratio from 1 to 1/10, 1/100, 1/1000
    int start[3], spinning, held, heavy; // fly_start; two that spin; the first is held; weight
} fly_census;

// What all flights of a run add up to.
typedef struct fly_tally {
    fly_census seen;
    int flights, hits, unconverged, told, steps;
    int mirrored, unlike;                    // mirror images looked at, and those that differ
    int missed_meshes, missed_tubes;         // that overlapped where contacts did not know
    double unseen, phantom;                  // the worst seen, of what is told as an error
    double energy, depth, momentum, angular; // the worst seen, of what is allowed
    double rotation;                         // row of a step, of the energy
    int failures;
    int next; // number of the flight after the last one
} fly_tally;

// ---- worlds

static inline cn_body_def fly_body(const flight *f, int k, const flyer *x, bool is_mirrored)
{
    const fly_pose *p = &f->pose[k];
    cn_body_def def = {.density = 1000.0, .shapes = {x->part_count, x->shape}};
    double sign = is_mirrored ? -1.0 : 1.0;
    for (int d = 0; d < 3; d++) {
        def.at[d] = d == 0 ? sign * p->at[d] : p->at[d];
        def.velocity[d] = d == 0 ? sign * p->velocity[d] : p->velocity[d];
        def.angular_velocity[d] = d == 0 ? p->rate[d] : sign * p->rate[d];
    }
    memcpy(def.rotation, p->turn, sizeof def.rotation);
    if (is_mirrored) {
        mirror_turn(def.rotation);
    }
    if (f->dim == 3) {
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){x->part_count, x->solid};
    } else {
        def.angle = sign * p->angle;
        memset(def.rotation, 0, sizeof def.rotation);
    }
    if (fly_is_mesh(f->dim, f->kind[k])) {
        def.density = 0.0;
        def.type = CN_BODY_MESH;
        def.mesh = (cn_mesh_body){.item = &x->mesh.def};
    }
    def.fixed = k == 0 && f->is_held ? CN_FIXED_ALL : 0u;
    return def;
}

static inline cn_status fly_add_joint(cn_world *w, const flight *f, const cn_body_id *id,
                                      bool is_mirrored, cn_error *err)
{
    cn_joint_def def = {.kind = (cn_joint_kind)f->joint, .body = id[1], .other = id[2]};
    bool is_line = f->joint == CN_JOINT_ROD || f->joint == CN_JOINT_CABLE;
    for (int d = 0; d < 3; d++) {
        double sign = is_mirrored && d == 0 ? -1.0 : 1.0;
        def.at[d] =
            sign * (is_line ? f->pose[1].at[d] : 0.5 * (f->pose[1].at[d] + f->pose[2].at[d]));
        def.to[d] = is_line ? sign * f->pose[2].at[d] : 0.0;
    }
    bool has_axis = f->joint == CN_JOINT_SLIDER || (f->joint == CN_JOINT_HINGE && f->dim == 3);
    def.axis[1] = has_axis ? 1.0 : 0.0;
    return cn_joint_add(w, &def, NULL, err);
}

// The world of a flight; only: one of its bodies, -1 all of them.
static inline cn_status fly_world(const flight *f, bool is_mirrored, int only, cn_world **w,
                                  cn_error *err)
{
    cn_world_def def = cn_world_def_default();
    def.dim = f->dim;
    def.gravity[0] = def.gravity[2] = 0.0;
    def.gravity[1] = -f->gravity;
    def.solver.eps_v = def.solver.tol = 1e-9;
    cn_body_id id[FLY_BODIES] = {0};
    int law;
    CN_TRY(cn_world_create(&def, w, err));
    CN_TRY(cn_law_add(*w, &f->law, &law, err));
    CN_TRY(cn_rule_add(*w, CN_GROUP_ANY, CN_GROUP_ANY, law, err));
    for (int k = 0; k < f->body_count; k++) {
        if (only >= 0 && only != k) {
            continue;
        }
        flyer x;
        flyer_make(&x, f->dim, f->kind[k], f->scale[k], f->shape_seed[k]);
        if (is_mirrored) {
            flyer_mirror(&x);
        }
        cn_body_def body = fly_body(f, k, &x, is_mirrored);
        cn_status status = cn_body_add(*w, &body, &id[k], err);
        if (status == CN_OK && body.type == CN_BODY_MESH) { // a mesh turns as told by its nodes
            cn_body_state s;
            status = cn_body_get(*w, id[k], &s, err);
        }
        flyer_free(&x);
        CN_TRY(status);
    }
    return f->joint >= 0 && only < 0 ? fly_add_joint(*w, f, id, is_mirrored, err) : CN_OK;
}

static inline double fly_reach(const flight *f, int k, double *inside)
{
    flyer x;
    flyer_make(&x, f->dim, f->kind[k], f->scale[k], f->shape_seed[k]);
    flyer_free(&x);
    *inside = x.inside;
    return x.reach;
}

// Least gap of the first two bodies up to `limit`, NAN if the world cannot be made.
static inline double fly_gap(const flight *f, double limit)
{
    cn_world *w = NULL;
    cn_error err;
    flight two = *f;
    two.body_count = 2;
    two.joint = -1;
    double least = limit;
    if (fly_world(&two, false, -1, &w, &err) == CN_OK && cn_world_detect(w, limit, &err) == CN_OK) {
        cn_view view = cn_world_view(w);
        for (int a = 0; a < view.contact_count; a++) {
            least = fmin(least, view.contact[a].gap);
        }
        cn_overlap found; // which does not share its blind spots
        cn_status status = cn_world_overlap(w, &found, &err);
        least = status != CN_OK ? NAN : found.deepest.depth > 0.0 ? -found.deepest.depth : least;
    } else {
        least = NAN;
    }
    cn_world_destroy(w);
    return least;
}

// ---- drawing

static inline void fly_orient(fly_pose *p, int dim, uint64_t *state)
{
    p->angle = fly_real(state, -CN_PI, CN_PI);
    cn_vec3 axis = fly_direction(state, 3);
    double half = 0.5 * p->angle;
    p->turn[0] = cos(half);
    p->turn[1] = sin(half) * axis.x;
    p->turn[2] = sin(half) * axis.y;
    p->turn[3] = sin(half) * axis.z;
    (void)dim;
}

// Flights of lower seeds are those of the first laws of the table: ones that were kept stay what
// they are.
enum { FLY_ALL_LAWS = 1000, FLY_FIRST_LAWS = 4 };

// Numbers of a law that has none of its own, by their units: springs as stiff as `stiffness` at a
// depth of a fiftieth of the thinner body or all over its face, strengths that a tenth of the speed
// squared reaches. NAN: of another unit.
static inline double fly_value_of(const flight *f, const cn_param *p, double mass, double stiffness)
{
    double L = f->least, force = 0.1 * mass * f->speed * f->speed / L;
    double value = strcmp(p->unit, "Pa/m") == 0    ? stiffness / (L * L)
                   : strcmp(p->unit, "J/m2") == 0  ? 0.1 * force / L
                   : strcmp(p->unit, "N s/m") == 0 ? 0.1 * sqrt(stiffness * mass)
                   : strcmp(p->name, "young") == 0 ? 10.0 * stiffness / L
                   : strcmp(p->unit, "Pa") == 0    ? force / (L * L)
                                                   : 0.5;
    return fmin(fmax(value, p->least), p->most);
}

// Whether every place where the bodies may touch has an area of its own, so that a law may bond it.
static inline bool fly_has_areas(const flight *f)
{
    return !fly_is_mesh(f->dim, f->kind[0]) && !fly_is_mesh(f->dim, f->kind[1]);
}

// A law of the table with numbers that fit the flight; later ones need no line here as long as the
// units of their parameters are known.
static inline void fly_law(flight *f, double mass, uint64_t *state)
{
    static const double restitution[] = {0.0, 0.5, 1.0}, friction[] = {0.0, 0.3, 1.0};
    int laws = f->seed < FLY_ALL_LAWS ? FLY_FIRST_LAWS : cn_law_type_count();
    const cn_law_type *type = cn_law_type_at(fly_int(state, 2) == 0 // half of them with the first
                                                 ? 0
                                                 : fly_int(state, laws));
    f->law = cn_law_default(type->name);
    f->e = f->mu = 0.0;
    double stiffness = mass * pow(f->speed / (0.02 * f->least), 2.0);
    double step = 0.02 * f->least / (f->speed * f->part);
    for (int k = 0; k < type->param_count; k++) {
        const cn_param *p = &type->param[k];
        double *value = &f->law.param[k];
        if (strcmp(p->name, "restitution") == 0) {
            *value = f->e = restitution[fly_int(state, 3)];
        } else if (strcmp(p->name, "friction") == 0) {
            *value = f->mu = friction[fly_int(state, 3)];
        } else if (strcmp(p->unit, "N/m") == 0 && isnan(*value)) {
            *value = stiffness; // a depth of 0.02 of the body, which steps must resolve
            f->h = fmin(f->h, step);
        } else if (strcmp(p->unit, "N") == 0) { // what pulls, and how far
            *value = 0.1 * mass * f->speed * f->speed / f->least;
        } else if (strcmp(p->name, "distance") == 0) {
            *value = 0.05 * f->least;
        } else if (isnan(*value)) {
            *value = fly_value_of(f, p, mass, stiffness);
        }
        if (strcmp(p->name, "bond") == 0) { // beams and points without an area are refused
            bool may_bond = fly_has_areas(f);
            *value = may_bond ? fly_int(state, (int)p->most + 1) : CN_BOND_OFF;
        }
        bool is_spring = strcmp(p->unit, "Pa/m") == 0 || strcmp(p->name, "young") == 0;
        f->h = is_spring ? fmin(f->h, step) : f->h;
    }
}

// The pair of kinds of a flight: all pairs in turn.
static inline bool fly_pair(flight *f, int number)
{
    for (int dim = 2; dim <= 3; dim++) {
        int kinds = fly_kind_count(dim), pairs = kinds * (kinds + 1) / 2;
        if (number < pairs) {
            f->dim = dim;
            int i = 0;
            while (number >= kinds - i) {
                number -= kinds - i++;
            }
            f->kind[0] = i;
            f->kind[1] = i + number;
            return true;
        }
        number -= pairs;
    }
    return false;
}

static inline int fly_pair_count(void)
{
    int count = 0;
    for (int dim = 2; dim <= 3; dim++) {
        count += fly_kind_count(dim) * (fly_kind_count(dim) + 1) / 2;
    }
    return count;
}

// Flights from this number on are of ellipsoids with every kind in turn.
enum { FLY_ELLIPSOIDS = 1 << 28 };

static inline void fly_pair_of(flight *f, int number)
{
    if (number < FLY_ELLIPSOIDS) {
        fly_pair(f, number % fly_pair_count());
        return;
    }
    f->dim = 3;
    f->kind[0] = (number - FLY_ELLIPSOIDS) % (fly_kind_count(3) + 1);
    f->kind[1] = fly_kind_count(3);
}

// Smallest extent of the parts of a body; those of a cluster may be thinner than it is.
static inline double fly_thickness(const flight *f, int k)
{
    flyer x;
    flyer_make(&x, f->dim, f->kind[k], f->scale[k], f->shape_seed[k]);
    double least = INFINITY;
    for (int part = 0; part < x.part_count && !fly_is_mesh(f->dim, f->kind[k]); part++) {
        cn_shape_mass flat = {.size = INFINITY};
        cn_solid_mass solid = {.size = INFINITY};
        cn_error err;
        cn_status status = f->dim == 2 ? cn_shape_measure(&x.shape[part], &flat, &err)
                                       : cn_solids_measure(&x.solid[part], 1, &solid, &err);
        least = status == CN_OK ? fmin(least, f->dim == 2 ? flat.size : solid.size) : least;
    }
    flyer_free(&x);
    return least;
}

// Smallest extent of both bodies, and the smaller mass; false: they cannot be made.
static inline bool fly_measure(flight *f, double *mass)
{
    f->least = *mass = INFINITY;
    for (int k = 0; k < 2; k++) {
        cn_world *w = NULL;
        cn_error err;
        cn_status status = fly_world(f, false, k, &w, &err);
        if (status == CN_OK) {
            cn_view view = cn_world_view(w);
            f->least = fmin(f->least, fmin(view.size[0], fly_thickness(f, k)));
            bool is_free = view.mass[0] > 0.0 && !(k == 0 && f->is_held);
            *mass = is_free ? fmin(*mass, view.mass[0]) : *mass;
        }
        cn_world_destroy(w);
        if (status != CN_OK) {
            printf("flight %d of seed %llu: %s\n", f->number, (unsigned long long)f->seed,
                   err.text);
            return false;
        }
    }
    return true;
}

static inline void fly_move(fly_pose *p, double by, cn_vec3 d)
{
    p->at[0] += by * d.x;
    p->at[1] += by * d.y;
    p->at[2] += by * d.z;
}

// Brings the second body along -d, from far, to the beginning of the flight. Gaps of bodies that
// are far apart are not those of their nearest points, so it may have to go back. False if bodies
// are found in each other that cannot be.
static inline bool fly_approach(flight *f, cn_vec3 d, double way, double before)
{
    double gone = 0.0, by = 0.0;
    for (int k = 0; k < 16; k++) {
        double gap = fly_gap(f, way - gone);
        if (!(gap >= 0.0) && k == 0) {
            return false;
        }
        by = gap >= 0.0 ? fmin(gap - before, 0.5 * way - gone) : -0.5 * fabs(by);
        if (gap >= 0.0 && !(by > 0.01 * before)) {
            return true;
        }
        fly_move(&f->pose[1], -by, d);
        gone += by;
    }
    if (!(fly_gap(f, before) >= 0.0)) { // from far, then
        fly_move(&f->pose[1], gone, d);
    }
    return true;
}

// Where the second body starts with respect to the first, which is at the origin. False as above.
static inline bool fly_place(flight *f, uint64_t *state)
{
    double inside[2], reach[2] = {fly_reach(f, 0, &inside[0]), fly_reach(f, 1, &inside[1])};
    int hollow = inside[0] > 2.5 * reach[1] ? 0 : inside[1] > 2.5 * reach[0] ? 1 : -1;
    f->start = fly_int(state, 8) == 0 && isfinite(reach[0]) ? FLY_MISS : FLY_HIT;
    f->start = hollow >= 0 && fly_int(state, 2) == 0 ? FLY_INSIDE : f->start;
    cn_vec3 d = fly_direction(state, f->dim), across = fly_direction(state, f->dim);
    double before = f->speed * f->h * f->part * fly_real(state, 0.1, 6.0);
    double sum = reach[0] + reach[1];
    bool is_sound = true;
    if (f->start == FLY_INSIDE) {
        double room = inside[hollow] - reach[1 - hollow];
        fly_move(&f->pose[1], 0.9 * room * fly_real(state, 0.0, 1.0), d);
        is_sound = fly_gap(f, 0.1 * f->least) >= 0.0;
    } else if (!isfinite(sum)) { // up along the normal of a half-space
        const double *q = f->pose[0].turn, a = f->pose[0].angle;
        d = f->dim == 2
                ? cn_v3(-sin(a), cos(a), 0.0)
                : cn_v3(2.0 * (q[1] * q[3] + q[0] * q[2]), 2.0 * (q[2] * q[3] - q[0] * q[1]),
                        1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]));
        fly_move(&f->pose[1], 1.01 * reach[1] + before, d);
        is_sound = fly_approach(f, d, 2.0 * reach[1] + before, before);
    } else {
        across = cn_add_mul3(across, -cn_dot3(across, d), d);
        double size = cn_norm3(across);
        across = size > 0.0 ? cn_mul3(1.0 / size, across) : across;
        double off = f->start == FLY_MISS ? fly_real(state, 3.0, 4.0) : fly_real(state, 0.0, 0.4);
        fly_move(&f->pose[1], 1.01 * sum + before, d);
        fly_move(&f->pose[1], off * (f->start == FLY_MISS ? sum : fmax(reach[0], reach[1])),
                 across);
        if (f->start == FLY_HIT) {
            is_sound = fly_approach(f, d, 2.0 * sum + before, before);
        }
    }
    for (int k = 0; k < f->dim; k++) {
        double way = k == 0 ? d.x : k == 1 ? d.y : d.z;
        f->pose[1].velocity[k] -= f->speed * way;
    }
    return is_sound;
}

// Speeds that both have in common, and spins.
static inline void fly_launch(flight *f, uint64_t *state)
{
    cn_vec3 drift = fly_direction(state, f->dim);
    double common = f->is_held || fly_int(state, 2) == 0 ? 0.0 : fly_real(state, 0.0, f->speed);
    for (int k = 0; k < 2; k++) {
        double inside, reach = fly_reach(f, k, &inside);
        cn_vec3 axis = f->dim == 3 ? fly_direction(state, 3) : cn_v3(0.0, 0.0, 1.0);
        double most = fmin(f->speed / reach, 0.3 / (f->h * f->part));
        double spin = fly_int(state, 3) == 0 ? 0.0 : fly_real(state, -most, most);
        if (k == 0 && f->is_held) {
            continue;
        }
        f->pose[k].velocity[0] += common * drift.x;
        f->pose[k].velocity[1] += common * drift.y;
        f->pose[k].velocity[2] += common * drift.z;
        f->pose[k].rate[0] = spin * axis.x;
        f->pose[k].rate[1] = spin * axis.y;
        f->pose[k].rate[2] = spin * axis.z;
    }
}

// A ball behind the second body, joined to it.
static inline void fly_join(flight *f, uint64_t *state)
{
    f->joint = fly_int(state, CN_JOINT_UNIVERSAL);
    f->body_count = 3;
    f->kind[2] = 0; // disk, sphere
    f->scale[2] = 0.5 * f->scale[1];
    f->shape_seed[2] = 1;
    f->pose[2] = f->pose[1];
    double size = 0.0, way[3];
    for (int k = 0; k < 3; k++) {
        way[k] = f->pose[1].at[k] - f->pose[0].at[k];
        size += way[k] * way[k];
    }
    for (int k = 0; k < 3; k++) {
        f->pose[2].at[k] += 0.9 * f->scale[1] * way[k] / sqrt(size);
        f->pose[2].rate[k] = f->pose[1].rate[k] = 0.0;
    }
}

// False if there is no such flight: two walls.
static inline bool fly_draw(flight *f, uint64_t seed, int number)
{
    *f = (flight){.seed = seed, .number = number, .body_count = 2, .joint = -1};
    uint64_t state = seed ^ (uint64_t)number * 0xd1342543de82ef95u;
    fly_next(&state);
    fly_pair_of(f, number);
    if (fly_is_wall(f->dim, f->kind[1])) { // walls come first
        int kind = f->kind[0];
        f->kind[0] = f->kind[1];
        f->kind[1] = kind;
    }
    if (fly_is_wall(f->dim, f->kind[1])) {
        return false;
    }
    f->is_held = fly_is_wall(f->dim, f->kind[0]) ||
                 (!fly_is_mesh(f->dim, f->kind[0]) && fly_int(&state, 4) == 0);
    double ratio = fly_int(&state, 3) == 0 ? 1.0 : pow(10.0, fly_real(&state, -3.0, 0.0));
    bool is_first_small = fly_int(&state, 2) == 0;
    f->scale[0] = is_first_small ? ratio : 1.0;
    f->scale[1] = is_first_small ? 1.0 : ratio;
    for (int k = 0; k < 2; k++) {
        f->shape_seed[k] = fly_next(&state);
        fly_orient(&f->pose[k], f->dim, &state);
    }
    static const int parts[] = {1, 2, 4, 10};
    f->part = parts[fly_int(&state, 4)];
    f->speed = pow(10.0, fly_real(&state, -1.0, 1.0));
    f->law = cn_law_default("coulomb");
    double mass;
    if (!fly_measure(f, &mass)) {
        return false;
    }
    f->h = f->least / f->speed * pow(10.0, fly_real(&state, -2.0, 0.3)) / f->part;
    fly_law(f, mass, &state);
    f->is_sound = fly_place(f, &state);
    bool has_weight = fly_int(&state, 4) == 0 && f->start != FLY_MISS;
    f->gravity = has_weight ? 0.1 * f->speed / (f->h * f->part) : 0.0;
    fly_launch(f, &state);
    bool is_rigid = !fly_is_mesh(f->dim, f->kind[1]);
    if (is_rigid && f->start == FLY_HIT && !f->is_held && fly_int(&state, 4) == 0) {
        fly_join(f, &state);
    }
    return true;
}

// ---- what was flown

static inline int fly_place_of(double value, const double *list, int count)
{
    int k = 0;
    while (k < count - 1 && value != list[k]) {
        k++;
    }
    return k;
}

static inline void fly_note(const flight *f, fly_census *seen)
{
    static const double parts[] = {1, 2, 4, 10}, restitution[] = {0.0, 0.5, 1.0};
    double ratio = fmin(f->scale[0], f->scale[1]) / fmax(f->scale[0], f->scale[1]);
    seen->pair[f->number % fly_pair_count()] += f->number < FLY_ELLIPSOIDS;
    for (int k = 0; k < cn_law_type_count(); k++) {
        seen->law[k] += cn_law_type_at(k) == f->law.type;
    }
    seen->joint[f->joint >= 0 ? f->joint : 15]++;
    seen->e[fly_place_of(f->e, restitution, 3)]++;
    seen->part[fly_place_of(f->part, parts, 4)]++;
    seen->size[ratio > 0.1 ? 0 : ratio > 0.01 ? 1 : 2]++;
    seen->start[f->start]++;
    bool spins = true;
    for (int k = 0; k < 2; k++) {
        const double *rate = f->pose[k].rate;
        spins = spins && (rate[0] != 0.0 || rate[1] != 0.0 || rate[2] != 0.0);
    }
    seen->spinning += spins;
    seen->held += f->is_held;
    seen->heavy += f->gravity > 0.0;
}

static inline int fly_print_list(const char *name, const int *list, int count)
{
    int least = list[0];
    printf("  %s", name);
    for (int k = 0; k < count; k++) {
        printf(" %d", list[k]);
        least = list[k] < least ? list[k] : least;
    }
    printf("\n");
    return least;
}

// Prints what was flown, and returns the least of all counts. Two walls do not fly.
static inline int fly_print_census(const fly_census *seen, int laws)
{
    int least = INT32_MAX, pairs = 0;
    for (int number = 0; number < fly_pair_count(); number++) {
        flight f = {0};
        fly_pair(&f, number);
        bool are_walls = fly_is_wall(f.dim, f.kind[0]) && fly_is_wall(f.dim, f.kind[1]);
        least = are_walls || seen->pair[number] > least ? least : seen->pair[number];
        pairs += seen->pair[number] > 0;
    }
    printf("  %d pairs of kinds, each at least %d times\n", pairs, least);
    int of[] = {fly_print_list("laws", seen->law, laws),
                fly_print_list("joints", seen->joint, CN_JOINT_UNIVERSAL),
                fly_print_list("restitution 0, 0.5, 1:", seen->e, 3),
                fly_print_list("h, h/2, h/4, h/10:", seen->part, 4),
                fly_print_list("sizes to 1:10, 1:100, 1:1000:", seen->size, 3),
                fly_print_list("outside, far, inside:", seen->start, 3),
                fly_print_list("both spin, held, heavy:", &seen->spinning, 3)};
    for (int k = 0; k < (int)(sizeof of / sizeof *of); k++) {
        least = of[k] < least ? of[k] : least;
    }
    return least;
}
