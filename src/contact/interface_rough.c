// contact/interface_rough.c -- interfaces that ride on teeth, theory 4.46 to 4.48.
//
// Where faces have slipped from the place where they fit, they touch on the flanks of their teeth:
// the normal of their points leans back by the angle of dilation, and they are closed when the
// faces stand apart by what the way so far has lifted them. All points of a face lean alike.

#include <math.h>

#include "contact/frame.h"
#include "contact/interface_list.h"

// Slip over the smaller body up to which faces count as fitting: both flanks hold them.
static const double FIT = 1e-6;

// The angle of the lean, and the direction of slip along both tangents.
static double lean_of(const double *state, double along[2])
{
    const double *lean = state + CN_ROUGH_LEAN;
    double angle = hypot(lean[0], lean[1]);
    along[0] = angle > 0.0 ? lean[0] / angle : 0.0;
    along[1] = angle > 0.0 ? lean[1] / angle : 0.0;
    return angle;
}

cn_vec3 cn_rough_normal(const cn_law_entry *entry, const cn_placed *x, const double *state)
{
    double along[2];
    if (entry->law->teeth == NULL) {
        return x->axis[0];
    }
    double angle = lean_of(state, along);
    cn_vec3 way = cn_add3(cn_mul3(along[0], x->axis[1]), cn_mul3(along[1], x->axis[2]));
    return cn_add_mul3(cn_mul3(cos(angle), x->axis[0]), -sin(angle), way); // (4.46)
}

double cn_rough_gap(const cn_law_entry *entry, const cn_placed *x, const double *state)
{
    double along[2], opening = cn_dot3(x->axis[0], cn_sub3(x->at[0], x->at[1]));
    if (entry->law->teeth == NULL) {
        return opening;
    }
    double angle = lean_of(state, along);
    return cos(angle) * (opening - state[CN_ROUGH_DILATION]); // (4.47)
}

void cn_rough_keep(const cn_contacts *c, int a, const double *old, const cn_placed *now,
                   double *state)
{
    const cn_contact *x = &c->contact[a];
    const double *slip = state + CN_BOND_SLIP, *before = old + CN_BOND_SLIP;
    double along[2], angle = lean_of(old, along);
    double way = along[0] * (slip[0] - before[0]) + along[1] * (slip[1] - before[1]);
    cn_axes axes = cn_contact_axes(x, c->d);
    cn_vec3 r = cn_mul3(x->r[0], axes.axis[0]);
    for (int k = 1; k < c->d; k++) {
        r = cn_add_mul3(r, x->r[k], axes.axis[k]);
    }
    state[CN_ROUGH_DILATION] = fmax(old[CN_ROUGH_DILATION] + tan(angle) * way, 0.0); // (4.48)
    state[CN_ROUGH_PRESSURE] = fmax(cn_dot3(r, now->axis[0]), 0.0) / (c->h * old[CN_BOND_AREA]);
    state[CN_ROUGH_SLIP_BEFORE] = before[0];
    state[CN_ROUGH_SLIP_BEFORE + 1] = before[1];
}

// Means over the points of a face, by area.
typedef struct face {
    double area, force, worn;  // [m2, N, -]
    double pressure;           // when it was pressed last [Pa]
    double slip[2], before[2]; // [m]
} face;

static face face_of(const cn_contacts *c, int first, int end)
{
    face f = {0};
    for (int k = first; k < end; k++) {
        const double *state = cn_bonded_state(c, k);
        double area = state[CN_BOND_AREA];
        f.area += area;
        f.force += area * state[CN_ROUGH_PRESSURE];
        f.worn = fmax(f.worn, state[CN_ROUGH_WORN]);
        f.pressure = state[CN_ROUGH_FACE_PRESSURE];
        for (int t = 0; t < 2; t++) {
            f.slip[t] += area * state[CN_BOND_SLIP + t];
            f.before[t] += area * state[CN_ROUGH_SLIP_BEFORE + t];
        }
    }
    for (int t = 0; t < 2; t++) {
        f.slip[t] /= f.area;
        f.before[t] /= f.area;
    }
    f.pressure = f.force > 0.0 ? f.force / f.area : f.pressure;
    return f;
}

// Whether the faces fit, or will: if they go on as in the last step they pass the place where they
// do, and land there.
static bool fits(const face *f, double size)
{
    double next[2] = {2.0 * f->slip[0] - f->before[0], 2.0 * f->slip[1] - f->before[1]};
    bool passes = f->slip[0] * next[0] + f->slip[1] * next[1] <= 0.0;
    return passes || hypot(f->slip[0], f->slip[1]) <= FIT * size;
}

static void share_face(cn_contacts *c, const cn_law_entry *entry, double size, int first, int end)
{
    face f = face_of(c, first, end);
    double slip = hypot(f.slip[0], f.slip[1]);
    cn_rough now = {.pressure = f.pressure, .slip = slip, .worn = f.worn};
    cn_teeth teeth = {0};
    entry->law->teeth(entry->param, &now, &teeth);
    double lean = fits(&f, size) ? 0.0 : teeth.dilation;
    for (int k = first; k < end; k++) {
        double *state = c->memory_state + c->memory_start[c->bonded[k].n];
        state[CN_ROUGH_LEAN] = lean > 0.0 ? lean * f.slip[0] / slip : 0.0;
        state[CN_ROUGH_LEAN + 1] = lean > 0.0 ? lean * f.slip[1] / slip : 0.0;
        state[CN_ROUGH_FRICTION] = tan(teeth.friction - lean);
        state[CN_ROUGH_WORN] = teeth.worn;
        state[CN_ROUGH_FACE_PRESSURE] = f.pressure;
    }
}

void cn_rough_share(cn_contacts *c, const cn_bodies *b, const cn_rules *rules)
{
    for (int n = 0, end; n < c->bonded_count; n = end) {
        int i = cn_pair_i(c->bonded[n].pair), j = cn_pair_j(c->bonded[n].pair);
        int law = rules->law[rules->group_count * b->group[i] + b->group[j]];
        end = cn_bonded_end_of_group(c, n);
        if (rules->entry[law].law->teeth != NULL) {
            share_face(c, &rules->entry[law], fmin(b->size[i], b->size[j]), n, end);
        }
    }
}
