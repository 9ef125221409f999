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

static cn_trial begin(cn_book *book, int seed)
{
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_NLGS;
    def.solver.order = CN_ORDER_RANDOM;
    def.solver.seed = (uint64_t)seed;
    cn_trial t = cn_trial_begin(book, &def);
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
    cn_trial_add(t, &(cn_body_def){.density = 500.0, .shape = shape, .shape_count = 5});
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
    int nullity;
} outcome;

// Centre of a body, or the point of contact for the ground (slot 0).
static cn_vec2 branch_end(const cn_view *view, int i, cn_vec2 point)
{
    return i == 0 ? point : cn_v2(view->q[3 * i], view->q[3 * i + 1]);
}

static outcome settle(cn_trial *t)
{
    outcome o = {.first = NAN};
    cn_trial_step(t, STEP);
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    double weight = 0.0, moment = 0.0;
    for (int i = 1; i < view.body_count; i++) {
        weight += view.mass[i] * CN_G * STEP;
        moment += view.mass[i] * CN_G * STEP * view.q[3 * i];
    }
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        cn_vec2 n = {c->normal[0], c->normal[1]}, p = {c->point[0], c->point[1]};
        cn_vec2 r = cn_add_mul2(cn_mul2(c->r[0], n), c->r[1], cn_left2(n));
        cn_vec2 branch = cn_sub2(branch_end(&view, c->i, p), branch_end(&view, c->j, p));
        o.stress[0] += r.x * branch.x / STEP;
        o.stress[1] += r.y * branch.y / STEP;
        if (c->i == 0 || c->j == 0) {
            cn_vec2 up = c->j == 0 ? r : cn_neg2(r);
            o.force += up.y / weight;
            o.moment += cn_cross2(p, up) / weight;
            o.first = isnan(o.first) ? up.y / weight : o.first;
        }
    }
    o.force -= 1.0;
    o.moment -= moment / weight;
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
    int nullity;
} spread;

static spread settle_often(cn_book *book, void (*build)(cn_trial *))
{
    const range none = {INFINITY, -INFINITY};
    spread s = {.first = none, .vertical = none, .pressure = none};
    for (int k = 1; k <= ORDER_COUNT; k++) {
        cn_trial t = begin(book, k);
        build(&t);
        outcome o = settle(&t);
        s.force = fmax(s.force, fabs(o.force));
        s.moment = fmax(s.moment, fabs(o.moment));
        s.speed = fmax(s.speed, o.speed);
        extend(&s.first, o.first);
        extend(&s.vertical, o.stress[1]);
        extend(&s.pressure, 0.5 * (o.stress[0] + o.stress[1]));
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

void cn_case_E05(cn_book *book)
{
    spread s = settle_often(book, build_bench);
    check_spread(book, "bench", &s);
    s = settle_often(book, build_wall);
    check_spread(book, "wall", &s);
    cn_open(book, "the thrust that friction on the ground holds in a short wall is itself free, so "
                  "the mean stress is not unique; a large sample would average it out");
    cn_check(book, "mean stress, most over least, wall", s.pressure.most / s.pressure.least, 1.0,
             0.01);
}
