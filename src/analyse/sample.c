// analyse/sample.c -- bodies and contacts of a moment, and the volume that a selection fills.
#include <math.h>

#include "analyse/analyse.h"

cn_sample cn_sample_of_view(const cn_view *view)
{
    if (view == NULL) {
        return (cn_sample){0};
    }
    return (cn_sample){.dim = view->dim,
                       .body_count = view->body_count,
                       .contact_count = view->contact_count,
                       .q_size = view->dim == 2 ? 3 : 7,
                       .v_size = view->dim == 2 ? 3 : 6,
                       .q = view->q,
                       .v = view->v,
                       .mass = view->mass,
                       .contact = view->contact,
                       .cell = view->cell,
                       .h = view->certificate->h};
}

cn_sample cn_sample_of_frame(const cn_frame *frame)
{
    if (frame == NULL) {
        return (cn_sample){0};
    }
    return (cn_sample){.dim = frame->dim,
                       .body_count = frame->body_count,
                       .contact_count = frame->contact_count,
                       .q_size = frame->q_size,
                       .v_size = frame->v_size,
                       .q = frame->q,
                       .v = frame->v,
                       .contact = frame->contact,
                       .cell = frame->cell,
                       .cell_state = frame->cell_state,
                       .h = frame->h};
}

// Least cosine between the normal of a side of a box and an axis: what leans by more than a degree,
// which is 1 % of a square, is round or askew and bounds no box.
static const double ALONG = 0.99985;

// Widens the box by a point where something presses the selection along `push`: the side that it
// bounds is that of the axis most along it. False if it is no side of a box.
static bool widen(const double *point, const cn_vec3 push, double low[3], double high[3])
{
    const double n[3] = {push.x, push.y, push.z};
    int axis = fabs(n[1]) > fabs(n[0]) ? 1 : 0;
    axis = fabs(n[2]) > fabs(n[axis]) ? 2 : axis;
    if (n[axis] > 0.0) {
        low[axis] = fmin(low[axis], point[axis]);
    } else {
        high[axis] = fmax(high[axis], point[axis]);
    }
    return fabs(n[axis]) > ALONG;
}

static bool is_around(const cn_sample *s, const double low[3], const double high[3])
{
    bool is_around = true;
    for (int i = 0; i < s->body_count; i++) {
        for (int d = 0; d < s->dim && s->is_in[i]; d++) {
            double x = s->q[s->q_size * i + d];
            is_around = is_around && x >= low[d] && x <= high[d];
        }
    }
    return is_around;
}

// Exact for a box of flat walls (14.2). A side that nothing presses, or past which a body has got,
// leaves it open: then there is no volume.
static double volume_of_walls(const cn_sample *s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    bool is_box = true;
    for (int a = 0; a < s->contact_count; a++) {
        const cn_contact *c = &s->contact[a];
        if (s->is_in[c->i] != s->is_in[c->j] && cn_is_pressed(c)) {
            double sign = s->is_in[c->i] ? 1.0 : -1.0; // the impulse on i is along the normal
            cn_vec3 push = cn_v3(sign * c->normal[0], sign * c->normal[1],
                                 s->dim == 3 ? sign * c->normal[2] : 0.0);
            is_box = widen(c->point, push, low, high) && is_box;
        }
    }
    double volume = 1.0;
    for (int d = 0; d < s->dim; d++) {
        volume *= high[d] - low[d];
    }
    return is_box && is_around(s, low, high) && isfinite(volume) && volume > 0.0 ? volume : NAN;
}

double cn_sample_volume(const cn_sample *sample, double given)
{
    if (sample == NULL) {
        return NAN;
    }
    const double *C = sample->cell;
    double of_cell = C == NULL ? 0.0 : C[0] * C[4] * (sample->dim == 3 ? C[8] : 1.0);
    return given > 0.0 ? given : of_cell > 0.0 ? of_cell : volume_of_walls(sample);
}

double cn_content(const cn_shape_def *shape, const cn_solid_def *solid, int count)
{
    double sum = 0.0;
    cn_solid_mass whole;
    for (int k = 0; shape != NULL && k < count; k++) {
        cn_shape_mass mass;
        sum += cn_shape_measure(&shape[k], &mass, NULL) == CN_OK ? mass.area : NAN;
    }
    if (shape == NULL && solid != NULL && count > 0) {
        sum = cn_solids_measure(solid, count, &whole, NULL) == CN_OK ? whole.volume : NAN;
    }
    return sum > 0.0 ? sum : NAN;
}

cn_vec3 cn_sample_image(const cn_sample *s, const cn_contact *c)
{
    cn_vec3 image = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < 3 && s->cell != NULL; k++) {
        const double *C = s->cell;
        image = cn_add_mul3(image, c->shift[k], cn_v3(C[k], C[3 + k], C[6 + k]));
    }
    return image;
}

cn_vec3 cn_sample_force(const cn_sample *s, const cn_contact *c)
{
    double r[3];
    cn_contact_impulse(c, s->dim, r);
    return cn_mul3(1.0 / s->h, cn_v3(r[0], r[1], r[2]));
}

double cn_deviator(const double t[6])
{
    double mean = (t[0] + t[1] + t[2]) / 3.0, sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += (t[k] - mean) * (t[k] - mean) + 2.0 * t[3 + k] * t[3 + k];
    }
    return sqrt(1.5 * sum);
}
