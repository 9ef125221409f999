// analyse/coarse_grain.c -- fields by a Gaussian kernel (14.13 to 14.16).
//
// Every body is a point of mass, every force acts along the line from the mass centre of its body
// to the point of contact. What a point or a line adds is not cut but where it is below rounding,
// so that the balance of momentum holds to rounding for every width.
#include "cairn/fields.h"

#include <math.h>
#include <string.h>

#include "analyse/analyse.h"
#include "base/memory.h"

static const double REACH = 8.5; // widths from where on exp(-x^2/2) is below 1e-15

typedef struct graining {
    const cn_sample *s;
    const cn_grid *grid;
    cn_field_values *field;
    int dim;
    double width, part, flat_part; // kernel at its centre, and that of one dimension less
} graining;

// What is spread: a point at `from`, or the line from there by `along`.
typedef struct source {
    cn_vec3 from, along;
    double length; // 0: a point [m]
    double mass, content;
    cn_vec3 v;
    cn_vec3 force; // of a line that of the contact, of a point that of a wall
} source;

static double entry(cn_vec3 x, int d)
{
    return d == 0 ? x.x : d == 1 ? x.y : x.z;
}

static double gauss(const graining *g, double square)
{
    return exp(-0.5 * square / (g->width * g->width));
}

// Mean of the kernel over the line, seen from `y` relative to its start (14.15).
static double line_kernel(const graining *g, const source *x, cn_vec3 y)
{
    cn_vec3 e = cn_mul3(1.0 / x->length, x->along);
    double a = cn_dot3(y, e), across = cn_dot3(y, y) - a * a, scale = sqrt(2.0) * g->width;
    double part = erf(a / scale) - erf((a - x->length) / scale);
    return g->flat_part * gauss(g, across) * 0.5 * part / x->length;
}

static void add_dyad(double k, cn_vec3 a, cn_vec3 b, double to[9])
{
    for (int n = 0; n < 9; n++) {
        to[n] += k * entry(a, n / 3) * entry(b, n % 3);
    }
}

static void add_vector(double k, cn_vec3 a, double to[3])
{
    for (int d = 0; d < 3; d++) {
        to[d] += k * entry(a, d);
    }
}

static void add_at(const graining *g, const source *x, cn_vec3 y, cn_field_values *field)
{
    if (x->length > 0.0) {
        add_dyad(-line_kernel(g, x, y), x->force, x->along, field->contact);
        return;
    }
    double phi = g->part * gauss(g, cn_dot3(y, y));
    field->density += phi * x->mass;
    field->fraction += phi * x->content;
    add_vector(phi * x->mass, x->v, field->momentum);
    add_dyad(phi * x->mass, x->v, x->v, field->kinetic);
    add_vector(phi, x->force, field->wall);
}

// Points of the grid from *first to *last along an axis that lie between two places.
static void find_points(const cn_grid *grid, int d, double low, double high, int *first, int *last)
{
    double a = ceil((low - grid->low[d]) / grid->step[d]),
           b = floor((high - grid->low[d]) / grid->step[d]);
    *first = (int)fmax(a, 0.0);
    *last = (int)fmin(b, grid->count[d] - 1.0);
}

// Adds the source moved by `shift` at the points that it reaches.
static void add_image(const graining *g, const source *x, cn_vec3 shift)
{
    const cn_grid *grid = g->grid;
    int first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
    cn_vec3 from = cn_add3(x->from, shift), to = cn_add3(from, x->along);
    for (int d = 0; d < g->dim; d++) {
        double a = entry(from, d), b = entry(to, d), reach = REACH * g->width;
        find_points(grid, d, fmin(a, b) - reach, fmax(a, b) + reach, &first[d], &last[d]);
    }
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            for (int i = first[0]; i <= last[0]; i++) {
                cn_vec3 at =
                    cn_v3(grid->low[0] + i * grid->step[0], grid->low[1] + j * grid->step[1],
                          g->dim == 3 ? grid->low[2] + k * grid->step[2] : 0.0);
                size_t n =
                    ((size_t)k * (size_t)grid->count[1] + (size_t)j) * (size_t)grid->count[0] +
                    (size_t)i;
                add_at(g, x, cn_sub3(at, from), &g->field[n]);
            }
        }
    }
}

// Images along axis d that reach the grid, where the others bring an offset along it.
static void find_images(const graining *g, const source *x, int d, double offset, int *first,
                        int *last)
{
    const cn_cell_state *cell = g->s->cell_state;
    *first = *last = 0;
    if (d < g->dim && cell != NULL && cell->is_periodic[d]) {
        const cn_grid *grid = g->grid;
        double reach = REACH * g->width, size = cell->vectors[4 * d];
        double a = entry(x->from, d), b = a + entry(x->along, d);
        double end = grid->low[d] + (grid->count[d] - 1) * grid->step[d];
        *first = (int)ceil((grid->low[d] - reach - fmax(a, b) - offset) / size);
        *last = (int)floor((end + reach - fmin(a, b) - offset) / size);
    }
}

// The source and all of its images in a periodic cell. Vectors of the cell are upper triangular:
// what moves along z alone decides about z, then y, then x.
static void add(const graining *g, const source *x)
{
    static const double none[9] = {0.0};
    const double *C = g->s->cell_state != NULL ? g->s->cell_state->vectors : none;
    int first[3], last[3];
    find_images(g, x, 2, 0.0, &first[2], &last[2]);
    for (int k = first[2]; k <= last[2]; k++) {
        find_images(g, x, 1, C[5] * k, &first[1], &last[1]);
        for (int j = first[1]; j <= last[1]; j++) {
            double along_x = C[1] * j + C[2] * k;
            find_images(g, x, 0, along_x, &first[0], &last[0]);
            for (int i = first[0]; i <= last[0]; i++) {
                add_image(g, x, cn_v3(C[0] * i + along_x, C[4] * j + C[5] * k, C[8] * k));
            }
        }
    }
}

static void add_bodies(const graining *g)
{
    const cn_sample *s = g->s;
    for (int i = 0; i < s->body_count; i++) {
        if (s->is_in[i]) {
            const double *v = s->v + s->v_size * i;
            add(g, &(source){.from = cn_sample_centre(s, i),
                             .mass = s->mass[i],
                             .content = s->content != NULL ? s->content[i] : NAN,
                             .v = cn_v3(v[0], v[1], g->dim == 3 ? v[2] : 0.0)});
        }
    }
}

// The force on one of the bodies of a contact, whose mass centre is seen at x.
static void add_force(const graining *g, cn_vec3 x, cn_vec3 point, cn_vec3 force)
{
    cn_vec3 along = cn_sub3(point, x);
    double length = cn_norm3(along);
    if (length > 0.0) { // at its mass centre a force has no arm
        add(g, &(source){.from = x, .along = along, .length = length, .force = force});
    }
}

static void add_contacts(const graining *g)
{
    const cn_sample *s = g->s;
    for (int a = 0; a < s->contact_count; a++) {
        const cn_contact *c = &s->contact[a];
        cn_vec3 point = cn_v3(c->point[0], c->point[1], g->dim == 3 ? c->point[2] : 0.0);
        cn_vec3 f = cn_sample_force(s, c), minus = cn_mul3(-1.0, f);
        if (s->is_in[c->i]) {
            add_force(g, cn_sample_centre(s, c->i), point, f);
        }
        if (s->is_in[c->j]) {
            cn_vec3 image = cn_add3(cn_sample_centre(s, c->j), cn_sample_image(s, c));
            add_force(g, image, point, minus);
        }
        if (s->is_in[c->i] != s->is_in[c->j]) {
            add(g, &(source){.from = point, .force = s->is_in[c->i] ? f : minus});
        }
    }
}

// Sums over bodies become fields: the stress of motion is that relative to the mean at the point.
static void finish(const graining *g, cn_field_values *f)
{
    for (int n = 0; n < 9 && f->density > 0.0; n++) {
        f->kinetic[n] -= f->momentum[n / 3] * f->momentum[n % 3] / f->density;
    }
    for (int n = 0; n < 9 && !(g->s->h > 0.0); n++) {
        f->contact[n] = NAN;
        f->wall[n / 3] = NAN;
    }
    f->fraction = g->s->content != NULL ? f->fraction : NAN;
}

cn_status cn_coarse_grain(const cn_sample *sample, double width, const cn_grid *grid,
                          cn_field_values *field, cn_error *err)
{
    CN_NEED(err, sample, grid, field);
    CN_NEED(err, sample->mass, sample->is_in);
    size_t count = 1;
    for (int d = 0; d < 3; d++) {
        bool is_there = d < sample->dim;
        if (grid->count[d] < 1 || (!is_there && grid->count[d] != 1) ||
            (is_there && !(grid->step[d] > 0.0 && isfinite(grid->low[d])))) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a grid needs a step > 0 m and one point at least along each axis, got "
                           "%d in steps of %g m along %c",
                           grid->count[d], grid->step[d], "xyz"[d]);
        }
        count *= (size_t)grid->count[d];
    }
    if (!(width > 0.0 && isfinite(width))) {
        return cn_fail(err, CN_BAD_INPUT, "the width of a kernel must be > 0 m, got %g", width);
    }
    double square = 2.0 * CN_PI * width * width;
    const graining g = {.s = sample,
                        .grid = grid,
                        .field = field,
                        .dim = sample->dim,
                        .width = width,
                        .part = pow(square, -0.5 * sample->dim),
                        .flat_part = pow(square, -0.5 * (sample->dim - 1))};
    memset(field, 0, count * sizeof *field);
    add_bodies(&g);
    if (sample->h > 0.0) {
        add_contacts(&g);
    }
    for (size_t n = 0; n < count; n++) {
        finish(&g, &field[n]);
    }
    return CN_OK;
}
