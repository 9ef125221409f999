// validation/b24_limit_arches.c -- B24 to B26, B30 to B32: limit analysis of arches.
//
// Question: which loads, thrusts and piers does an arch take? Reference: programs over the same two
// points per joint by another implementation (B24, B30); Heyman's thrusts (B25, those of B07);
// symmetry (B26); other bisections for the geometric safety (B31); the least thicknesses of B05 and
// B06 (B32). Source: Heyman 1969, 1982.
#include "limit_rig.h"
#include "table.h"

#include <math.h>
#include <stdio.h>

#define STONES 27
#define RADIUS 10.0 // of the centreline [m]

static void add_arch(cn_limits *l, double thickness)
{
    cn_limits_add(l,
                  "bodies:\n  arch: {material: m, generate: {arch: {form: semicircular, blocks: "
                  "%d, radius: %g, thickness: %.17g}}}\n",
                  STONES, RADIUS, thickness);
}

// A wheel over the centre of mass of voussoir 12 is the load there.
static void check_wheel(cn_book *book, double weight, double reference)
{
    double step = CN_PI / STONES, inner = RADIUS - 1.0, outer = RADIUS + 1.0;
    double radius = 2.0 / 3.0 * cos(0.5 * step) * (pow(outer, 3.0) - pow(inner, 3.0)) /
                    (outer * outer - inner * inner);
    double x = -radius * sin(2.0 * step);
    cn_limits l = cn_limits_begin(book, 2, 2400.0, 0.7);
    cn_limit_influence line = {.count = 0};
    cn_limit_def def = cn_limit_def_default();
    cn_error err = {0};
    add_arch(&l, 2.0);
    cn_limits_add(&l,
                  "limit: [{name: wheel, axles: {loads: [[0, %.17g]], on: arch, from: %.17g, "
                  "to: %.17g, steps: 2}}]\n",
                  weight, x, -x);
    cn_limit_answer *dead = cn_limits_find(&l, -1, 1e-6); // makes the model
    def.gap = 1e-9;
    if (dead != NULL && cn_limit_model_influence(l.model, 0, &def, &line, &err) == CN_OK) {
        cn_check_rel(book, "P/W of a wheel over stone 12", line.place[0].upper, reference, 1e-5);
        cn_check_rel(book, "and over its twin", line.place[2].lower, line.place[0].lower, 1e-8);
    } else {
        cn_book_failure(book, err.text);
    }
    cn_limit_influence_free(&line);
    cn_limit_answer_destroy(dead);
    cn_limits_end(&l);
}

// A load at the centre of mass of each voussoir in turn, over the weight.
void cn_case_B24(cn_book *book)
{
    static const double P[] = {NAN,      NAN,      NAN,      NAN,      5.818348,
                               1.862762, 1.026752, 0.681274, 0.504299, 0.401327,
                               0.350560, 0.337452, 0.366094, 0.472636};
    cn_limits l = cn_limits_begin(book, 2, 2400.0, 0.7);
    add_arch(&l, 2.0);
    cn_limits_add(&l, "limit:\n");
    for (int k = 1; k <= STONES; k++) {
        cn_limits_add(&l, "  - {name: p%d, load: {force: {\"arch[1,%d]\": [0, -1]}}}\n", k, k);
    }
    cn_limit_answer *dead = cn_limits_find(&l, -1, 1e-6);
    double weight = dead != NULL ? dead->weight : NAN;
    cn_limit_answer_destroy(dead);
    cn_check_rel(book, "weight", weight, 1.47598e6, 1e-5);
    for (int k = 1; k <= 14; k++) {
        cn_limit_answer *x = cn_limits_find(&l, k - 1, 1e-9);
        cn_limit_answer *twin = cn_limits_find(&l, STONES - k, 1e-9);
        if (x == NULL || twin == NULL) {
            break;
        }
        if (isnan(P[k - 1])) {
            cn_check_true(book, cn_name(book, "P at %d: no limit, with a ray", k),
                          x->limit->outcome == CN_LIMIT_UNBOUNDED);
        } else {
            cn_check_rel(book, cn_name(book, "P/W at %d, at least", k), x->limit->lower / weight,
                         P[k - 1], 1e-5);
            cn_check_rel(book, cn_name(book, "P/W at %d, at most", k), x->limit->upper / weight,
                         P[k - 1], 1e-5);
            cn_check_rel(book, cn_name(book, "P/W at %d, mirrored", k), twin->limit->upper,
                         x->limit->upper, 1e-8);
        }
        cn_limit_answer_destroy(x);
        cn_limit_answer_destroy(twin);
    }
    check_wheel(book, weight, P[11]);
    cn_limit_answer *least = cn_limits_find(&l, 11, 1e-9);
    int hinges = 0, others = 0;
    for (int k = 0; least != NULL && k < least->joint_count; k++) {
        cn_joint_motion motion = cn_limit_joint_motion(least, k);
        hinges += motion == CN_JOINT_HINGES;
        others += motion == CN_JOINT_SLIDES || motion == CN_JOINT_PARTS;
    }
    cn_check(book, "hinges of the mechanism at 12", hinges, 4.0, 0.0);
    cn_check(book, "joints that slide or part there", others, 0.0, 0.0);
    cn_limit_answer_destroy(least);
    cn_limits_end(&l);
}

static void check_thrust(cn_book *book, int stones, double least, double most)
{
    cn_limits l = cn_limits_begin(book, 2, 2000.0, 0.7);
    cn_limits_add(&l,
                  "bodies:\n  arch: {material: m, generate: {arch: {form: semicircular, blocks: "
                  "%d, radius: 10, thickness: 1.5}}}\n"
                  "limit:\n"
                  "  - {name: least, support: \"arch[2,2]\", along: [1, 0]}\n"
                  "  - {name: most, support: \"arch[2,2]\", along: [-1, 0]}\n",
                  stones);
    cn_limit_answer *dead = cn_limits_find(&l, -1, 1e-6);
    double weight = dead != NULL ? dead->weight : NAN;
    cn_limit_answer_destroy(dead);
    cn_limits_check(&l, 0, cn_name(book, "H/W least, N %d", stones), -weight, least, 2e-6);
    cn_limits_check(&l, 1, cn_name(book, "H/W most, N %d", stones), weight, most, 2e-6);
    cn_limits_end(&l);
}

void cn_case_B25(cn_book *book)
{
    check_thrust(book, 16, 0.176566, 0.228117);
    check_thrust(book, 27, 0.175568, 0.227373);
}

// A barrel vault of ten stones along its axis, and the arch of its section.
void cn_case_B26(cn_book *book)
{
    const double exact = 0.145338333;
    cn_limits flat = cn_limits_begin(book, 2, 2400.0, 0.7);
    add_arch(&flat, 1.5);
    cn_limits_add(&flat, "limit: [{name: push, load: {acceleration: [1, 0]}}]\n");
    cn_limits_check(&flat, 0, "arch in the plane", 1.0, exact, 1e-7);
    cn_limits_end(&flat);
    cn_limits deep = cn_limits_begin(book, 3, 2400.0, 0.7);
    cn_limits_add(&deep,
                  "bodies:\n  vault: {material: m, generate: {vault: {form: semicircular, blocks: "
                  "%d, radius: %g, thickness: 1.5, length: 10, stones: 10}}}\n"
                  "limit: [{name: push, load: {acceleration: [1, 0, 0]}}]\n",
                  STONES, RADIUS);
    cn_limits_check(&deep, 0, "vault in space", 1.0, exact, 1e-7);
    cn_limits_end(&deep);
}

// An arch on two piers: outer faces flush with the intrados.
static void check_pier(cn_book *book, double width, double exact)
{
    const double high = 6.0, inner = 4.625;
    cn_limits l = cn_limits_begin(book, 2, 2400.0, 0.7);
    cn_limits_add(&l,
                  "bodies:\n"
                  "  ground: {shape: {half_plane: {}}, fixed: true}\n"
                  "  left: {shape: {box: [%g, %g]}, at: [%.17g, %g], material: m}\n"
                  "  right: {shape: {box: [%g, %g]}, at: [%.17g, %g], material: m}\n"
                  "  arch: {material: m, at: [0, %g], generate: {arch: {form: semicircular, "
                  "blocks: 20, radius: 5, thickness: 0.75, abutments: false}}}\n"
                  "limit: [{name: push, load: {acceleration: [1, 0]}}]\n",
                  width, high, -inner - 0.5 * width, 0.5 * high, width, high, inner + 0.5 * width,
                  0.5 * high, high);
    cn_limits_check(&l, 0, cn_name(book, "pier of %g m", width), 1.0, exact, 2e-6);
    cn_limits_end(&l);
}

void cn_case_B30(cn_book *book)
{
    check_pier(book, 1.5, 0.0079606);
    check_pier(book, 2.0, 0.1052624);
    check_pier(book, 2.5, 0.1493502);
    check_pier(book, 3.0, 0.1493502);
}

static void check_safety(cn_book *book, int stones, double thickness, double least, double safety)
{
    cn_limits l = cn_limits_begin(book, 2, 2400.0, 0.7);
    cn_limits_add(&l,
                  "bodies:\n  arch: {material: m, generate: {arch: {form: semicircular, blocks: "
                  "%d, radius: %g, thickness: %.17g}}}\n"
                  "limit: [{name: push, load: {acceleration: [1, 0]}}]\n",
                  stones, RADIUS, thickness);
    char name[40];
    snprintf(name, sizeof name, "t/R %g, N %d", thickness / RADIUS, stones);
    cn_limit_share share;
    if (cn_limits_least(&l, CN_LIMIT_LESS_JOINTS, 1e-7, &share)) {
        cn_check(book, cn_name(book, "%s: stands at", name), share.stands, least, 2e-5);
        cn_check(book, cn_name(book, "%s: falls at", name), share.falls, least, 2e-5);
        cn_check(book, cn_name(book, "%s: safety", name), 1.0 / share.stands, safety, 5e-5);
    }
    cn_limits_end(&l);
}

void cn_case_B31(cn_book *book)
{
    check_safety(book, 27, 1.5, 0.711786, 1.404917);
    check_safety(book, 27, 2.0, 0.534196, 1.871972);
    check_safety(book, 16, 1.5, 0.714155, 1.400256);
}

static void check_stand(cn_book *book, double thickness, double mu, bool stands, bool slides)
{
    cn_limits l = cn_limits_begin(book, 2, 2400.0, mu);
    add_arch(&l, thickness);
    cn_limits_add(&l, "limit: [{name: push, load: {acceleration: [1, 0]}}]\n");
    cn_limit_answer *x = cn_limits_find(&l, -1, 1e-6);
    const char *name =
        cn_name(book, "t/R %.4f, mu %g: %s", thickness / RADIUS, mu, stands ? "stands" : "falls");
    if (x != NULL) {
        int sliding = 0;
        for (int k = 0; k < x->joint_count; k++) {
            sliding += cn_limit_joint_motion(x, k) == CN_JOINT_SLIDES;
        }
        cn_check_true(book, name,
                      x->limit->outcome == (stands ? CN_LIMIT_BOUNDED : CN_LIMIT_FALLS));
        if (stands) {
            cn_check(book, "forces in balance", x->limit->check.imbalance, 0.0, 1e-8);
        } else {
            cn_check(book, "mechanism does not sink in", x->limit->check.sink, 0.0, 1e-8);
            cn_check_true(book, slides ? "some joint slides" : "hinges only",
                          (sliding > 0) == slides);
        }
    }
    cn_limit_answer_destroy(x);
    cn_limits_end(&l);
}

void cn_case_B32(cn_book *book)
{
    check_stand(book, 0.950, 0.7, false, false);
    check_stand(book, 1.5, 0.35, false, true);
    check_stand(book, 1.078, 0.7, true, false);
}
