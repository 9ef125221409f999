// validation/b35_capacity.c -- B35: what a rocking block carries while it turns.
//
// Question: does the capacity curve follow a mechanism through finite rotations, in the plane and
// in space? Reference: on paper, tan(alpha - theta), to zero at theta = alpha. Source: derived.
#include "limit_rig.h"
#include "table.h"

#include <math.h>

static const double alpha = 0.24497866312686414; // atan(0.25)

// The value at a rotation, between the two states next to it.
static double value_at(const cn_limit_curve *c, double turned)
{
    for (int k = 0; k + 1 < c->count; k++) {
        double from = c->point[k].turned, to = c->point[k + 1].turned;
        if (turned >= from && turned <= to) {
            double share = to > from ? (turned - from) / (to - from) : 0.0;
            return c->point[k].upper + share * (c->point[k + 1].upper - c->point[k].upper);
        }
    }
    return NAN;
}

static double error_of(const cn_limit_curve *c)
{
    double most = 0.0;
    for (int k = 0; k < c->count; k++) {
        most = fmax(most, fabs(c->point[k].upper - tan(alpha - c->point[k].turned)));
        most = fmax(most, fabs(c->point[k].lower - tan(alpha - c->point[k].turned)));
    }
    return most;
}

static void check_curve(cn_book *book, int dim)
{
    cn_limits l = cn_limits_begin(book, dim, 2000.0, 1.0);
    cn_limit_curve curve = {.count = 0};
    cn_error err = {0};
    const char *control = "control: block, at: [-0.1, %s0.4], until: 0.25}}]\n";
    cn_limits_add(&l, dim == 2 ? "bodies:\n"
                                 "  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}\n"
                                 "  block: {shape: {box: [0.2, 0.8]}, at: [0, 0.4], material: m}\n"
                                 "limit: [{name: push, load: {acceleration: [1, 0]}, curve: {"
                               : "bodies:\n"
                                 "  ground: {shape: {box: [8, 8, 1]}, at: [0, 0, -0.5], fixed: "
                                 "true}\n"
                                 "  block: {shape: {box: [0.2, 0.3, 0.8]}, at: [0, 0, 0.4], "
                                 "material: m}\n"
                                 "limit: [{name: push, load: {acceleration: [1, 0, 0]}, curve: {");
    cn_limits_add(&l, control, dim == 2 ? "" : "0, ");
    cn_limit_answer *first = cn_limits_find(&l, 0, 1e-9); // makes the model
    cn_limit_def def = cn_limit_def_default();
    if (first != NULL && cn_limit_model_curve(l.model, 0, &def, &curve, &err) == CN_OK) {
        cn_check_true(book, cn_name(book, "%dD: it comes to its end", dim), curve.is_whole);
        for (int k = 0; k < 4; k++) {
            cn_check(book, cn_name(book, "%dD: at %g alpha", dim, 0.25 * k),
                     value_at(&curve, 0.25 * k * alpha), tan((1.0 - 0.25 * k) * alpha), 1e-4);
        }
        cn_check(book, cn_name(book, "%dD: rotation at its end over alpha", dim),
                 curve.point[curve.count - 1].turned / alpha, 1.0, 1e-6);
        cn_check(book, cn_name(book, "%dD: states, largest error", dim), error_of(&curve), 0.0,
                 1e-8);
        // The model is as it was.
        cn_limits_check(&l, 0, dim == 2 ? "2D: afterwards" : "3D: afterwards", 1.0, 0.25, 1e-9);
    } else {
        cn_book_failure(book, err.text);
    }
    cn_limit_curve_free(&curve);
    cn_limit_answer_destroy(first);
    cn_limits_end(&l);
}

void cn_case_B35(cn_book *book)
{
    check_curve(book, 2);
    check_curve(book, 3);
}
