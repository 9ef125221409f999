// validation/e05_indeterminacy.c -- E05: with friction and redundant contacts forces are not
// unique.
//
// Question: what is unique? Reference: forces differ with the order of the sweep, but their sums
// and moments are those of the weight and nothing moves. Source: Moreau 2006; Radjai and Richefeu
// 2009.
#include "builders.h"
#include "table.h"

#define ORDER_COUNT 50
#define STEP 1e-3 // [s]

static cn_trial begin(cn_book *book, const cn_place *place, int seed)
{
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_NLGS;
    def.solver.order = CN_ORDER_RANDOM;
    def.solver.seed = (uint64_t)seed;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 0.5, 0.0);
    cn_build_plane(&t, (cn_body_def){0});
    return t;
}

// A bench: one body with four feet on the plane.
static void build_bench(cn_trial *t)
{
    double seat[8], leg[8];
    cn_shape_def shape[5] = {
        {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = seat, .at = {0.0, 0.45}}};
    cn_box_vertices(2.0, 0.1, seat);
    cn_box_vertices(0.1, 0.4, leg);
    for (int k = 0; k < 4; k++) {
        shape[k + 1] = (cn_shape_def){.kind = CN_SHAPE_POLYGON,
                                      .vertex_count = 4,
                                      .vertex = leg,
                                      .at = {0.6 * (k - 1.5), 0.2}};
    }
    cn_trial_add(t, &(cn_body_def){.density = 500.0, .shapes = {5, shape}});
}

// A square table on four legs.
static void build_table(cn_trial *t)
{
    double top[24], leg[24];
    cn_solid_def solid[5] = {
        {.kind = CN_SOLID_HULL, .point_count = 8, .point = top, .at = {0.0, 0.75, 0.0}}};
    cn_box_corners(1.0, 0.1, 1.0, top);
    cn_box_corners(0.1, 0.7, 0.1, leg);
    for (int k = 0; k < 4; k++) {
        solid[k + 1] = (cn_solid_def){.kind = CN_SOLID_HULL,
                                      .point_count = 8,
                                      .point = leg,
                                      .at = {k % 2 ? 0.4 : -0.4, 0.35, k / 2 ? 0.4 : -0.4}};
    }
    cn_trial_add(t, &(cn_body_def){.density = 500.0, .type = CN_BODY_SOLIDS, .solids = {5, solid}});
}

// A square table on four points: small balls under the corners.
static void build_stool(cn_trial *t)
{
    const double R = 0.05;
    double top[24];
    cn_solid_def solid[5] = {
        {.kind = CN_SOLID_HULL, .point_count = 8, .point = top, .at = {0.0, 0.75, 0.0}}};
    cn_box_corners(1.0, 0.1, 1.0, top);
    for (int k = 0; k < 4; k++) {
        solid[k + 1] = (cn_solid_def){.kind = CN_SOLID_SPHERE,
                                      .radius = R,
                                      .at = {k % 2 ? 0.4 : -0.4, R, k / 2 ? 0.4 : -0.4}};
    }
    cn_trial_add(t, &(cn_body_def){.density = 500.0, .type = CN_BODY_SOLIDS, .solids = {5, solid}});
}

// Three courses of bricks in running bond, with half bricks at the ends of the second.
static void build_wall(cn_trial *t)
{
    const double width = 0.2, height = 0.1;
    for (int course = 0; course < 3; course++) {
        int count = course == 1 ? 5 : 4;
        double x = 0.0;
        for (int k = 0; k < count; k++) {
            bool is_half = course == 1 && (k == 0 || k == count - 1);
            double w = is_half ? 0.5 * width : width;
            cn_build_box(
                t, w, height,
                (cn_body_def){.density = 2000.0, .at = {x + 0.5 * w, (course + 0.5) * height}});
            x += w;
        }
    }
}

typedef struct outcome {
    double force, moment; // resultant on the ground over weight, and over weight x 1 m, less exact
    double speed;         // over g h
    double first;         // normal force of the first contact with the ground over weight
    double stress[2];     // horizontal and vertical pressure times volume [J]
    double leg[4];        // vertical force on each quarter of the ground over weight
    int nullity;
} outcome;

static cn_vec3 vec_at(const double *a, int dim)
{
    return cn_v3(a[0], a[1], dim == 2 ? 0.0 : a[2]);
}

// Mass centre in the axes of the case.
static cn_vec3 centre_of(const cn_trial *t, const cn_view *view, int i)
{
    const double *q = view->q + (view->dim == 2 ? 3 : 7) * i;
    return cn_place_back(&t->place, vec_at(q, view->dim));
}

// Impulse on body i in the axes of the case. In space all contacts are with the ground, where
// friction has neither a vertical part nor a moment about the axes that lie in it: left out.
static cn_vec3 impulse_of(const cn_trial *t, const cn_contact *c)
{
    cn_vec3 n = cn_place_back(&t->place, vec_at(c->normal, 3)), r = cn_mul3(c->r[0], n);
    return t->place.dim == 3 ? r : cn_add_mul3(r, c->r[1], cn_v3(-n.y, n.x, 0.0));
}

// An impulse of the ground on what it bears.
static cn_vec3 bear(outcome *o, cn_vec3 p, cn_vec3 up, double weight)
{
    o->force += up.y / weight;
    o->first = isnan(o->first) ? up.y / weight : o->first;
    o->leg[(p.x > 0.0) + 2 * (p.z > 0.0)] += up.y / weight;
    return cn_mul3(1.0 / weight, cn_cross3(p, up));
}

static outcome settle(cn_trial *t)
{
    outcome o = {.first = NAN};
    cn_trial_step(t, STEP);
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    double weight = 0.0;
    for (int i = 1; i < view.body_count; i++) {
        weight += view.mass[i] * CN_G * STEP;
    }
    cn_vec3 moment = {0};
    for (int i = 1; i < view.body_count; i++) {
        double part = view.mass[i] * CN_G * STEP / weight;
        cn_vec3 x = centre_of(t, &view, i);
        moment = cn_sub3(moment, cn_v3(-part * x.z, 0.0, part * x.x));
    }
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        cn_vec3 p = cn_place_back(&t->place, vec_at(c->point, 3)), r = impulse_of(t, c);
        cn_vec3 from = c->j == 0 ? p : centre_of(t, &view, c->j);
        cn_vec3 to = c->i == 0 ? p : centre_of(t, &view, c->i);
        o.stress[0] += r.x * (to.x - from.x) / STEP;
        o.stress[1] += r.y * (to.y - from.y) / STEP;
        if (c->i == 0 || c->j == 0) {
            moment = cn_add3(moment, bear(&o, p, c->j == 0 ? r : cn_neg3(r), weight));
        }
    }
    o.force -= 1.0;
    o.moment = cn_norm3(moment);
    o.speed = cn_trial_speed(t) / (CN_G * STEP);
    cn_error err;
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_world_indeterminate(t->world, &o.nullity, &err), &err);
    return o;
}

// Largest and least value over the orders.
typedef struct range {
    double least, most;
} range;

static void extend(range *r, double value)
{
    r->least = fmin(r->least, value);
    r->most = fmax(r->most, value);
}

typedef struct spread {
    double force, moment, speed;     // largest
    range first, vertical, pressure; // of one force, of vertical stress, of mean stress
    double diagonal;                 // largest difference of legs across, over weight
    double half;                     // largest difference of neighbours together to half of it
    int nullity;
} spread;

static spread settle_often(cn_book *book, const cn_place *place, void (*build)(cn_trial *))
{
    const range none = {INFINITY, -INFINITY};
    spread s = {.first = none, .vertical = none, .pressure = none};
    for (int k = 1; k <= ORDER_COUNT; k++) {
        cn_trial t = begin(book, place, k);
        build(&t);
        outcome o = settle(&t);
        s.force = fmax(s.force, fabs(o.force));
        s.moment = fmax(s.moment, fabs(o.moment));
        s.speed = fmax(s.speed, o.speed);
        extend(&s.first, o.first);
        extend(&s.vertical, o.stress[1]);
        extend(&s.pressure, 0.5 * (o.stress[0] + o.stress[1]));
        double across = fmax(fabs(o.leg[0] - o.leg[3]), fabs(o.leg[1] - o.leg[2]));
        s.diagonal = fmax(s.diagonal, across);
        s.half = fmax(s.half, fabs(o.leg[0] + o.leg[1] - 0.5));
        s.nullity = o.nullity;
        cn_trial_end(&t);
    }
    return s;
}

static void check_spread(cn_book *book, const char *name, const spread *s)
{
    cn_check(book, cn_name(book, "resultant over W - 1, %s", name), s->force, 0.0, 1e-8);
    cn_check(book, cn_name(book, "moment over W m, %s", name), s->moment, 0.0, 1e-8);
    cn_check(book, cn_name(book, "speed over g h, %s", name), s->speed, 0.0, 1e-8);
    cn_check(book, cn_name(book, "vertical stress, most over least, %s", name),
             s->vertical.most / s->vertical.least, 1.0, 0.01);
    cn_check_least(book, cn_name(book, "spread of one force over W, %s", name),
                   s->first.most - s->first.least, 1e-6);
    cn_check_least(book, cn_name(book, "free parameters reported, %s", name), s->nullity, 1.0);
}

// On four points numbered round the square N1 = N3, N2 = N4, N1 + N2 = W/2. Feet with an area carry
// moments and need not obey that.
static void check_tables(cn_book *book)
{
    cn_place space = cn_place_space(0.0);
    spread s = settle_often(book, &space, build_table);
    check_spread(book, "table on legs, in space", &s);
    s = settle_often(book, &space, build_stool);
    check_spread(book, "table on points, in space", &s);
    cn_check(book, "points across, difference over W, in space", s.diagonal, 0.0, 1e-8);
    cn_check(book, "neighbours together over W - 1/2, in space", s.half, 0.0, 1e-8);
}

void cn_case_E05(cn_book *book)
{
    cn_place plane = cn_place_plane();
    spread s = settle_often(book, &plane, build_bench);
    check_spread(book, "bench", &s);
    s = settle_often(book, &plane, build_wall);
    check_spread(book, "wall", &s);
    cn_open(book, "the thrust that friction on the ground holds in a short wall is itself free, so "
                  "the mean stress is not unique: 1.16 here, 1.09 in a wall ten times as long");
    cn_check(book, "mean stress, most over least, wall", s.pressure.most / s.pressure.least, 1.0,
             0.01);
    check_tables(book);
}
