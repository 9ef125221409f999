// validation/d11_mindlin.c -- D11: two equal round bodies are pressed together, then sheared.
//
// Question: how much of the contact still sticks? Reference: c/a = (1 - Q/(mu P))^(1/n), n = 2 for
// cylinders and 3 for balls. Source: Cattaneo 1938; Mindlin 1949.
//
// Only what is near the contact counts: each body is a block with a round face, mirror images, the
// far sides held or moved. Without inertia; motions of the far side are chosen step by step until
// the forces are those of the case.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define MU 0.5

typedef struct pressed {
    double R, E, P, a;      // radius [m], modulus [Pa], load of the model [N], half width [m]
    int fine, coarse, deep; // elements across a, beyond it, and in depth
    double width, height;   // half width and height of a block [m]
    double stick[2];        // c/a for Q = 0.3 and 0.5 mu P
} pressed;

typedef struct face {
    const pressed *p;
    int dim;
    bool is_upper;
} face;

// Distance of grid line k from the middle: elements of a/fine up to 1.25 a, then ever wider ones up
// to the reach.
static double line(double k, double size, int equal, int count, double reach)
{
    double near = fmin(fabs(k), equal), x = size * near;
    if (fabs(k) > near) {
        x *= pow(reach / x, (fabs(k) - near) / (count - equal));
    }
    return copysign(x, k);
}

// From numbers of grid lines to places.
static void place(double *X, const void *context)
{
    const face *f = context;
    const pressed *p = f->p;
    int equal = p->fine + p->fine / 4, across = equal + p->coarse;
    double size = p->a / p->fine, from = f->is_upper ? X[1] : p->deep - X[1];
    X[0] = line(X[0], size, equal, across, p->width);
    double out = X[0] * X[0];
    if (f->dim == 3) {
        X[2] = line(X[2], size, equal, across, p->width);
        out += X[2] * X[2];
    }
    double round = p->R - sqrt(p->R * p->R - out);
    double share = line(from, size, p->fine / 2, p->deep, p->height) / p->height;
    double y = round + (p->height - round) * share;
    X[1] = f->is_upper ? y : -y;
}

static cn_body_id add_block(cn_trial *t, const pressed *p, bool is_upper)
{
    int dim = t->place.dim, across = p->fine + p->fine / 4 + p->coarse;
    face f = {p, dim, is_upper};
    cn_soft block =
        cn_soft_box(t->book, dim == 2 ? CN_QUAD4 : CN_HEX8,
                    (int[]){2 * across, p->deep, 2 * across}, (double[]){-across, 0.0, -across},
                    (double[]){2 * across, p->deep, 2 * across}, cn_soft_elastic(p->E, 0.3, 1.0));
    cn_soft_map(&block, place, &f);
    cn_body_id id = cn_soft_add(t, &block, (cn_body_def){0});
    cn_soft_free(&block);
    return id;
}

typedef struct pair {
    cn_trial trial;
    cn_body_id lower, upper;
} pair;

// One step of 1 s in which the far side of the upper block moves by (x, y) [m]; the force on it
// is returned, that along the shear and that across [N].
static cn_vec2 move(pair *p, double x, double y)
{
    cn_trial *t = &p->trial;
    if (!t->is_broken) {
        cn_loads_clear(t->world);
    }
    for (int d = 0; d < t->place.dim; d++) {
        const double way[3] = {x, y, 0.0};
        cn_soft_hold(t, p->lower, "y0", (cn_dof)d);
        cn_soft_drive(t, p->upper, "y1", (cn_dof)d, CN_DRIVE_VELOCITY, cn_constant(way[d]));
    }
    cn_trial_step(t, 1.0);
    cn_vec3 push = cn_trial_push(t, p->lower, p->upper);
    return cn_v2(push.x, push.y);
}

// Moves along an axis until the force has the value, up to `error`, by secants of at most `most` of
// it. Shear softens, so that secants come to it from below and nothing slips back.
static void reach(pair *p, bool is_shear, double goal, double first, double most, double error,
                  double *force)
{
    double way = first;
    for (int k = 0; k < 80 && fabs(*force - goal) > error * goal && !p->trial.is_broken; k++) {
        cn_vec2 push = is_shear ? move(p, way, 0.0) : move(p, 0.0, -way);
        double now = is_shear ? -push.x : push.y;
        double stiffness = fmax((now - *force) / way, 1e-3 * goal / first);
        *force = now;
        way = fmin(goal - now, most * goal) / stiffness;
    }
}

// Half widths of the contact and of its part that sticks, along the shear: half an element beyond
// the last nodes.
typedef struct zones {
    double touch, stick;
} zones;

static zones look(const pair *p, double size)
{
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    cn_view view = p->trial.is_broken ? (cn_view){0} : cn_world_view(p->trial.world);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double shear = view.dim == 2 ? fabs(c->r[1]) : hypot(c->r[1], c->r[2]), x = c->point[0];
        bool sticks = shear < (1.0 - 1e-3) * MU * c->r[0];
        for (int k = 0; k < 2 && c->r[0] > 0.0 && fabs(c->point[2]) < 0.5 * size; k++) {
            lo[k] = k == 0 || sticks ? fmin(lo[k], x) : lo[k];
            hi[k] = k == 0 || sticks ? fmax(hi[k], x) : hi[k];
        }
    }
    return (zones){0.5 * (hi[0] - lo[0] + size), 0.5 * (hi[1] - lo[1] + size)};
}

static void check(cn_book *book, const pressed *p, cn_place where)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    pair two = {.trial = cn_trial_begin_at(book, &def, &where)};
    cn_trial_coulomb(&two.trial, 0.0, 0.0); // mirror images do not slip while they are pressed
    cn_soft_quasi_static(&two.trial);
    two.lower = add_block(&two.trial, p, false);
    two.upper = add_block(&two.trial, p, true);
    const double depth = p->a * p->a / p->R, size = p->a / p->fine, shears[2] = {0.3, 0.5};
    double P = 0.0, Q = 0.0;
    reach(&two, false, p->P, 0.2 * depth, 1.0, 1e-6, &P);
    zones z = look(&two, size);
    cn_check_rel(book, cn_name(book, "load%s [N]", where.name), P, p->P, 1e-5);
    cn_check(book, cn_name(book, "a%s [m]", where.name), z.touch, p->a, size);
    if (!two.trial.is_broken) {
        cn_rules_clear(two.trial.world);
    }
    cn_trial_coulomb(&two.trial, MU, 0.0);
    for (int k = 0; k < 2; k++) {
        reach(&two, true, shears[k] * MU * p->P, 0.01 * depth, 0.1, 2e-3, &Q);
        z = look(&two, size);
        cn_check(book, cn_name(book, "c/a, Q = %g mu P%s", shears[k], where.name), z.stick / p->a,
                 p->stick[k], fmax(0.05 * p->stick[k], 1.0 / p->fine));
    }
    cn_trial_end(&two.trial);
}

void cn_case_D11(cn_book *book)
{
    const pressed line_contact = {.R = 1.0,
                                  .E = 1000.0,
                                  .P = 10.0,
                                  .a = 0.107640512,
                                  .fine = 20,
                                  .coarse = 12,
                                  .deep = 24,
                                  .width = 0.8,
                                  .height = 0.9,
                                  .stick = {0.836660, 0.707107}};
    const pressed point_contact = {.R = 0.1,
                                   .E = 1e6,
                                   .P = 50.0,
                                   .a = 0.015055351,
                                   .fine = 6,
                                   .coarse = 5,
                                   .deep = 10,
                                   .width = 0.06,
                                   .height = 0.08,
                                   .stick = {0.887904, 0.793701}};
    check(book, &line_contact, cn_place_plane());
    check(book, &point_contact, cn_place_along_axes(1.0));
}
