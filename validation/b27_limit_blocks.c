// validation/b27_limit_blocks.c -- B27 to B29, B33, B36, B48: limit analysis of single blocks, and
// a slope that topples.
//
// Question: are round cones, torsion, dilatancy and strength right, and load domains? Reference: on
// paper (B27 to B29, B36, B48); the same program by another implementation (B33). Source: derived;
// Orduna & Lourenco 2005 for torsion; Goodman & Bray 1976 for the slope.
#include "builders.h"
#include "limit_rig.h"
#include "table.h"

#include <math.h>

static void add_box(cn_limits *l, double height)
{
    cn_limits_add(l,
                  "bodies:\n"
                  "  ground: {shape: {box: [9, 9, 1]}, at: [0, 0, -0.5], fixed: true}\n"
                  "  block: {shape: {box: [1, 1, %g]}, at: [0, 0, %.17g], material: m}\n"
                  "limit:\n",
                  height, 0.5 * height);
}

static void check_azimuths(cn_book *book, double height, double mu)
{
    cn_limits l = cn_limits_begin(book, 3, 2000.0, mu);
    add_box(&l, height);
    for (int k = 0; k <= 3; k++) {
        double angle = cn_degrees(15.0 * k);
        cn_limits_add(&l, "  - {name: a%d, load: {acceleration: [%.17g, %.17g, 0]}}\n", k,
                      cos(angle), sin(angle));
    }
    for (int k = 0; k <= 3; k++) {
        double exact = fmin(mu, 0.5 / (0.5 * height * cos(cn_degrees(15.0 * k))));
        cn_limits_check(&l, k, cn_name(book, "height %g, %d degrees", height, 15 * k), 1.0, exact,
                        1e-7);
    }
    cn_limits_end(&l);
}

void cn_case_B27(cn_book *book)
{
    check_azimuths(book, 4.0, 0.7);
    check_azimuths(book, 0.5, 0.4);
}

void cn_case_B28(cn_book *book)
{
    cn_limits l = cn_limits_begin(book, 3, 2000.0, 0.4);
    add_box(&l, 0.5);
    cn_limits_add(&l, "  - {name: twist, load: {force: {block: {torque: [0, 0, 1]}}}}\n");
    cn_limits_check(&l, 0, "T/(W a)", 2000.0 * 0.5 * CN_G, 0.4 * sqrt(0.5), 1e-7);
    cn_limits_end(&l);
}

// A wedge 2 m wide, 1 m high, 4 m long between two faces of 45 degrees, pulled along them.
static void add_wedge(cn_limits *l)
{
    cn_limits_add(
        l,
        "bodies:\n"
        "  left: {shape: {polyhedron: [[-6, 0, 0], [6, 0, 0], [-6, -3, 3], [6, -3, 3], "
        "[-6, -3, 0], [6, -3, 0]]}, fixed: true}\n"
        "  right: {shape: {polyhedron: [[-6, 0, 0], [6, 0, 0], [-6, 3, 3], [6, 3, 3], [-6, 3, 0], "
        "[6, 3, 0]]}, fixed: true}\n"
        "  wedge: {shape: {polyhedron: [[-2, 0, 0], [2, 0, 0], [-2, -1, 1], [2, -1, 1], "
        "[-2, 1, 1], [2, 1, 1]]}, material: m}\n"
        "limit: [{name: pull, load: {acceleration: [1, 0, 0]}}]\n");
}

void cn_case_B29(cn_book *book)
{
    static const double mu[] = {0.2, 0.4, 0.6};
    for (int k = 0; k < 3; k++) {
        cn_limits l = cn_limits_begin(book, 3, 2500.0, mu[k]);
        add_wedge(&l);
        double exact = mu[k] / (cos(cn_degrees(45.0)) * sqrt(1.0 - mu[k] * mu[k]));
        cn_limits_check(&l, 0, cn_name(book, "dilating, mu %g", mu[k]), 1.0, exact, 1e-7);
        cn_limit_coulomb x;
        if (cn_limits_coulomb(&l, 0, &x)) {
            cn_check_rel(book, cn_name(book, "Coulomb, mu %g", mu[k]), x.multiplier,
                         mu[k] / cos(cn_degrees(45.0)), 2e-5);
        }
        cn_limits_end(&l);
    }
    cn_limits l = cn_limits_begin(book, 3, 2500.0, 1.05);
    add_wedge(&l);
    cn_limit_answer *x = cn_limits_find(&l, 0, 1e-8);
    cn_check_true(book, "mu 1.05: no limit", x != NULL && x->limit->outcome == CN_LIMIT_UNBOUNDED);
    cn_limit_answer_destroy(x);
    cn_limits_end(&l);
}

// 16 columns of 10 m on steps of 1 m; along the base, which dips by 30 degrees, and normal to it.
static bool slope_falls(cn_book *book, double mu)
{
    static const double height[] = {4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 34, 28, 22, 16, 10, 4};
    double c = cos(cn_degrees(30.0)), s = sin(cn_degrees(30.0));
    cn_limits l = cn_limits_begin(book, 2, 25e3 / CN_G, mu);
    cn_limits_add(&l, "limit: [{name: push, load: {acceleration: [-1, 0]}}]\nbodies:\n");
    for (int n = 0; n < 16; n++) {
        double x = 10.0 * n, y = n, h = height[n];
        double up = y + 0.5 * h, down = y - 2.0;
        cn_limits_add(&l,
                      "  c%d: {shape: {box: [10, %g]}, at: [%.17g, %.17g], rotation: \"=pi/6\", "
                      "material: m}\n"
                      "  s%d: {shape: {box: [10, 4]}, at: [%.17g, %.17g], rotation: \"=pi/6\", "
                      "fixed: true}\n",
                      n, h, c * x - s * up, s * x + c * up, n, c * x - s * down, s * x + c * down);
    }
    cn_limit_answer *a = cn_limits_find(&l, -1, 1e-6);
    bool falls = a != NULL && a->limit->outcome == CN_LIMIT_FALLS;
    cn_check_true(book, cn_name(book, "mu %.7f decided", mu),
                  a != NULL && a->limit->outcome != CN_LIMIT_UNDECIDED);
    cn_limit_answer_destroy(a);
    cn_limits_end(&l);
    return falls;
}

void cn_case_B33(cn_book *book)
{
    const double exact = 0.659599;
    cn_check_true(book, "falls for certain below", slope_falls(book, exact - 1e-5));
    cn_check_true(book, "forces exist above", !slope_falls(book, exact + 1e-5));
}

// By how much a pair of loads is off the lines |H| = slope (W + V).
static double miss_of(double H, double V, double slope, double weight)
{
    return fabs(fabs(H) - slope * (weight + V)) / weight;
}

// Forces H to the right and V downwards at the top of a block of 1 x 2 m, in units of its weight.
static void check_domain(cn_book *book, double mu)
{
    double weight = 2000.0 * 2.0 * CN_G, slope = fmin(mu, 0.25), inner = 0.0, outer = 0.0;
    int unbounded = 0, expected = 0;
    cn_limit_domain d;
    cn_limits l = cn_limits_begin(book, 2, 2000.0, mu);
    cn_limits_add(&l,
                  "bodies:\n"
                  "  ground: {shape: {box: [9, 1]}, at: [0, -0.5], fixed: true}\n"
                  "  block: {shape: {box: [1, 2]}, at: [0, 1], material: m}\n"
                  "limit:\n"
                  "  - name: both\n"
                  "    load: {force: {block: {force: [%.17g, 0], at: [0, 1]}}}\n"
                  "    domain: {load: {force: {block: {force: [0, %.17g], at: [0, 1]}}}}\n",
                  weight, -weight);
    if (cn_limits_domain(&l, 0, &d)) {
        for (int k = 0; k < d.count; k++) {
            const cn_limit_direction *at = &d.direction[k];
            double H = at->load[0], V = at->load[1];
            bool is_free = fabs(H) <= slope * V * (1.0 + 1e-9);
            expected += is_free;
            unbounded += at->outcome == CN_LIMIT_UNBOUNDED;
            inner =
                is_free ? inner : fmax(inner, miss_of(at->lower * H, at->lower * V, slope, 1.0));
        }
        for (int k = 0; k < d.outer_count; k++) {
            outer = fmax(outer, miss_of(d.outer[2 * k], d.outer[2 * k + 1], slope, 1.0));
        }
        cn_check(book, cn_name(book, "inner polygon off its lines, mu %g", mu), inner, 0.0, 1e-6);
        cn_check(book, cn_name(book, "outer polygon, mu %g", mu), outer, 0.0, 1e-6);
        cn_check(book, cn_name(book, "directions without limit, mu %g", mu), unbounded, expected,
                 0.0);
    }
    cn_limit_domain_free(&d);
    cn_limits_end(&l);
}

void cn_case_B36(cn_book *book)
{
    check_domain(book, 0.6);
    check_domain(book, 0.2);
}

// A block of 0.4 x 1 m (by 1 m) that a joint of tension f pulls down at its heel: about the toe
// lambda W h/2 = W b/2 + f b^2/2. Shorter joints under the same block tell the area from the block.
void cn_case_B48(cn_book *book)
{
    const double W = 2000.0 * 0.4 * CN_G, f = 5000.0;
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 2; k++) {
            double b = k == 0 ? 0.4 : 0.3, arm = 0.5 * b; // the base is cut off to the left
            const char *out = dim == 3 ? ", 1" : "", *zero = dim == 3 ? ", 0" : "";
            cn_limits l = cn_limits_begin_law(book, dim, 2000.0,
                                              "{type: mohr, cohesion: 1e6, cohesion_tangential: "
                                              "8e5, tension: 5000, friction: 0.8}");
            cn_limits_add(
                &l,
                "bodies:\n"
                "  base: {shape: {box: [%.17g, 0.2%s]}, at: [%.17g, -0.1%s], fixed: true}\n"
                "  block: {shape: {box: [0.4, 1%s]}, at: [0, 0.5%s], material: m}\n"
                "limit: [{name: push, load: {acceleration: [1, 0%s]}}]\n"
                "gravity: [0, -%.17g%s]\n",
                b, out, 0.2 - 0.5 * b, zero, out, zero, zero, CN_G, zero);
            double exact = (0.2 * W + f * b * arm) / (0.5 * W);
            cn_limits_check(&l, 0, cn_name(book, "%dD, joint of %g m", dim, b), 1.0, exact, 1e-6);
            cn_limits_end(&l);
        }
    }
}
