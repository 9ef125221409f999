// world/growth.c -- round bodies whose radii grow or shrink, theory "Growth".
#include "world/growth.h"

#include <math.h>

// Part of its radius by which a body may grow in a step [-].
static const double MOST = 0.1;

void cn_growth_free(cn_growth *growth)
{
    cn_release(growth->hooks, growth->body);
    cn_release(growth->hooks, growth->speed);
    cn_release(growth->hooks, growth->of_slot);
    *growth = (cn_growth){.hooks = growth->hooks};
}

static double radius_of(const cn_bodies *b, int i)
{
    int s = b->shape_start[i];
    return b->dim == 2 ? b->shape[s].radius : b->solid[s].radius;
}

// One disk or sphere about its mass centre.
static bool is_round(const cn_bodies *b, int i)
{
    int s = b->shape_start[i];
    bool is_one = b->deformable[i] < 0 && b->shape_start[i + 1] == s + 1;
    bool is_ball = is_one && (b->dim == 2 ? b->shape[s].kind == CN_SHAPE_DISK
                                          : b->solid[s].kind == CN_SOLID_SPHERE);
    return is_ball && b->reach[i] <= radius_of(b, i) * (1.0 + 1e-9);
}

static cn_status list_slots(cn_growth *growth, const cn_bodies *b, cn_error *err)
{
    size_t slots = (size_t)b->count;
    CN_TRY(cn_reserve(growth->hooks, &growth->of_slot, &growth->slot_capacity, slots, err));
    for (int i = 0; i < b->count; i++) {
        growth->of_slot[i] = -1;
    }
    for (int n = 0; n < growth->count; n++) {
        growth->of_slot[cn_bodies_find(b, growth->body[n].id)] = n;
    }
    return CN_OK;
}

static cn_status check_numbers(const cn_growth_def *def, cn_error *err)
{
    bool is_from = isnan(def->from) || (def->from > 0.0 && isfinite(def->from));
    if (!is_from || !(def->to > 0.0) || !isfinite(def->to)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "bodies grow from %g to %g of their radius: both must be > 0", def->from,
                       def->to);
    }
    if (!(def->duration > 0.0) || !isfinite(def->duration)) {
        return cn_fail(err, CN_BAD_INPUT, "bodies grow for %g s: it must be > 0 s", def->duration);
    }
    return CN_OK;
}

// Whether body number k of the definition can grow as it says; growth->of_slot is known.
static cn_status check_body(const cn_growth *growth, const cn_bodies *b, const cn_growth_def *def,
                            int k, cn_error *err)
{
    unsigned long long id = def->body[k];
    int i = cn_bodies_find(b, def->body[k]);
    if (i < 0) {
        return cn_fail(err, CN_BAD_INPUT, "there is no body %llu that could grow", id);
    }
    if (!is_round(b, i)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu cannot grow: it must be one disk or sphere about its mass "
                       "centre; leave it out",
                       id);
    }
    double now = growth->of_slot[i] < 0 ? 1.0 : growth->body[growth->of_slot[i]].factor;
    if (def->from > now * (1.0 + 1e-12)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu would jump from %g to %g of its radius and overlap others: let "
                       "it grow from %g, or leave out from where",
                       id, now, def->from, now);
    }
    return CN_OK;
}

// The entry of slot i, a new one if it has none; room was made.
static cn_grown_body *entry_of(cn_growth *growth, const cn_bodies *b, int i)
{
    if (growth->of_slot[i] < 0) {
        growth->of_slot[i] = growth->count;
        growth->body[growth->count++] = (cn_grown_body){
            .id = b->id[i], .radius = radius_of(b, i), .factor = 1.0, .from = 1.0, .to = 1.0};
    }
    return &growth->body[growth->of_slot[i]];
}

cn_status cn_growth_define(cn_growth *growth, const cn_bodies *b, const cn_growth_def *def,
                           double t, cn_error *err)
{
    CN_TRY(check_numbers(def, err));
    CN_TRY(list_slots(growth, b, err));
    for (int k = 0; k < def->body_count; k++) {
        CN_TRY(check_body(growth, b, def, k, err));
    }
    CN_TRY(cn_reserve(growth->hooks, &growth->body, &growth->body_capacity,
                      (size_t)(growth->count + def->body_count), err));
    for (int k = 0; k < def->body_count; k++) {
        cn_grown_body *x = entry_of(growth, b, cn_bodies_find(b, def->body[k]));
        x->from = isnan(def->from) ? x->factor : def->from;
        x->to = def->to;
        x->t0 = isnan(def->t0) ? t : def->t0;
        x->duration = def->duration;
    }
    return CN_OK;
}

void cn_growth_stop(cn_growth *growth)
{
    for (int n = 0; n < growth->count; n++) {
        growth->body[n].duration = 0.0;
    }
}

void cn_growth_forget(cn_growth *growth, cn_body_id id)
{
    for (int n = 0; n < growth->count; n++) {
        if (growth->body[n].id == id) {
            growth->body[n] = growth->body[--growth->count];
            return;
        }
    }
}

static double factor_at(const cn_grown_body *x, double t)
{
    double part = x->duration > 0.0 ? (t - x->t0) / x->duration : 0.0;
    return x->duration > 0.0 ? x->from + (x->to - x->from) * fmin(fmax(part, 0.0), 1.0) : x->factor;
}

// Whether bodies that grow may meet others by this law: its normal row has to be that of rigid
// bodies without shocks, which knows how fast surfaces come together.
static bool is_known_to(const cn_law_entry *entry)
{
    const cn_normal *n = &entry->normal;
    bool has_form = n->form == CN_FORM_AUTO || n->form == CN_FORM_VELOCITY ||
                    n->form == CN_FORM_DISPLACEMENT || n->form == CN_FORM_QUASI_INELASTIC;
    return cn_law_is_rigid(entry) && has_form && n->restitution == 0.0 && n->restitution_t == 0.0 &&
           entry->law->energy == NULL && !entry->law->is_bonding;
}

static cn_status check_laws(const cn_bodies *b, int i, const cn_rules *rules, cn_error *err)
{
    for (int g = 0; g < rules->group_count; g++) {
        int law = rules->law[rules->group_count * b->group[i] + g];
        if (law >= 0 && !is_known_to(&rules->entry[law])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "body %llu grows, but law %s by which it meets others has restitution, "
                           "a stiffness, a bond or a pull; give the stage contacts of a law "
                           "coulomb without restitution",
                           (unsigned long long)b->id[i], rules->entry[law].type.name);
        }
    }
    return CN_OK;
}

static cn_status check_step(const cn_grown_body *x, double speed, double h, cn_error *err)
{
    double part = h * fabs(speed) / (x->factor * x->radius);
    return part <= MOST ? CN_OK
                        : cn_fail(err, CN_BAD_INPUT,
                                  "body %llu grows by %g of its radius in a step, at most %g can "
                                  "be followed: shorten the step, or let it grow for longer",
                                  (unsigned long long)x->id, part, MOST);
}

cn_status cn_growth_begin(cn_growth *growth, cn_bodies *b, const cn_rules *rules, double t,
                          const cn_scheme *scheme, cn_error *err)
{
    bool some = false;
    b->growth = NULL;
    CN_TRY(cn_reserve(growth->hooks, &growth->speed, &growth->speed_capacity,
                      growth->count > 0 ? (size_t)b->count : 0, err));
    for (int i = 0; i < b->count && growth->count > 0; i++) {
        growth->speed[i] = 0.0;
    }
    for (int n = 0, checked = -1; n < growth->count; n++) {
        cn_grown_body *x = &growth->body[n];
        int i = cn_bodies_find(b, x->id);
        double start = factor_at(x, t), end = factor_at(x, t + scheme->h);
        double speed = (end - start) * x->radius / scheme->h;
        if (end != start && b->group[i] != checked) {
            CN_TRY(check_laws(b, i, rules, err));
            checked = b->group[i];
        }
        x->factor = start;
        CN_TRY(check_step(x, speed, scheme->h, err));
        growth->speed[i] = speed;
        some = some || end != start;
        cn_bodies_set_radius(b, i, start * x->radius + scheme->gamma * scheme->h * speed); // (4.59)
    }
    b->growth = some ? growth->speed : NULL;
    return CN_OK;
}

void cn_growth_end(cn_growth *growth, cn_bodies *b, double t)
{
    for (int n = 0; n < growth->count; n++) {
        cn_grown_body *x = &growth->body[n];
        x->factor = factor_at(x, t);
        cn_bodies_set_radius(b, cn_bodies_find(b, x->id), x->factor * x->radius);
    }
    b->growth = NULL;
}

size_t cn_growth_reals(const cn_growth *growth, const cn_bodies *b)
{
    return growth->count > 0 ? 2 * (size_t)b->count : 0;
}

void cn_growth_gather(const cn_growth *growth, const cn_bodies *b, double *real)
{
    for (int k = 0; k < 2 * b->count && growth->count > 0; k++) {
        real[k] = 1.0;
    }
    for (int n = 0; n < growth->count; n++) {
        int i = cn_bodies_find(b, growth->body[n].id);
        real[i] = growth->body[n].factor;
        real[b->count + i] = growth->body[n].from;
    }
}

// Bodies as they were defined.
static void undo(cn_growth *growth, cn_bodies *b)
{
    for (int n = 0; n < growth->count; n++) {
        cn_grown_body *x = &growth->body[n];
        x->factor = x->from = 1.0;
        cn_bodies_set_radius(b, cn_bodies_find(b, x->id), x->radius);
    }
}

cn_status cn_growth_restore(cn_growth *growth, const double *real, cn_bodies *b, cn_error *err)
{
    if (real == NULL) {
        undo(growth, b);
        return CN_OK;
    }
    CN_TRY(list_slots(growth, b, err));
    CN_TRY(cn_reserve(growth->hooks, &growth->body, &growth->body_capacity,
                      (size_t)growth->count + (size_t)b->count, err));
    for (int i = 0; i < b->count; i++) {
        if (!(real[i] > 0.0) || !(real[b->count + i] > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT, "part 'growth' has a factor %g of body %llu", real[i],
                           (unsigned long long)b->id[i]);
        }
        if (growth->of_slot[i] >= 0 || real[i] != 1.0) {
            cn_grown_body *x = entry_of(growth, b, i);
            x->factor = real[i];
            x->from = real[b->count + i];
            cn_bodies_set_radius(b, i, x->factor * x->radius);
        }
    }
    return CN_OK;
}
