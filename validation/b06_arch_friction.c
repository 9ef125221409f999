// validation/b06_arch_friction.c -- B06: least thickness of the arch against friction.
//
// Question: how thick must a semicircular arch be when its joints may slide? Reference: limit
// analysis of 27 straight-edged stones; hinges alone from mu = 0.396 on, mixed mechanisms below,
// and no arch below 0.309. Limit analysis lets joints dilate as they slide, so Coulomb's arch may
// have to be thicker. Source: Gilbert, Casapulla and Ahmed 2006; Sinopoli et al. 1997.
#include "builders.h"
#include "table.h"

#define STONES 27
#define R_CENTRE 10.0 // radius of the centreline [m]

static bool stands(cn_book *book, double mu, double thickness, int *sliding)
{
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_joints_circular(STONES, R_CENTRE, thickness * R_CENTRE, CN_PI, joint);
    return cn_arch_first_step(book, STONES, joint, mu, sliding) < 1e-6;
}

// Least t/R that stands, by bisection on the first step from rest.
static double least_thickness(cn_book *book, double mu, double expected)
{
    cn_bracket t = {0.95 * expected, 1.1 * expected};
    for (int k = 0; k < 11; k++) {
        t = cn_halve(t, stands(book, mu, cn_middle(t), NULL));
    }
    return cn_middle(t);
}

void cn_case_B06(cn_book *book)
{
    static const struct {
        double mu, limit;
    } arch[] = {{1.0, 0.106721},  {0.7, 0.106721},  {0.4, 0.106721},   {0.39, 0.111631},
                {0.38, 0.121124}, {0.36, 0.140891}, {0.35, 0.151185},  {0.34, 0.161767},
                {0.33, 0.172650}, {0.32, 0.183845}, {0.312, 0.193493}, {0.31, 0.195995}};
    for (size_t k = 0; k < sizeof arch / sizeof *arch; k++) {
        double found = least_thickness(book, arch[k].mu, arch[k].limit);
        cn_check_rel(book, cn_name(book, "least t/R, mu %g", arch[k].mu), found, arch[k].limit,
                     0.01);
        int sliding = 0;
        bool is_hinging = arch[k].mu > 0.396,
             is_down = !stands(book, arch[k].mu, 0.98 * found, &sliding);
        cn_check_true(
            book,
            cn_name(book, "%s, mu %g", is_hinging ? "hinges alone" : "joints slide", arch[k].mu),
            is_down && (sliding == 0) == is_hinging);
    }
    for (double thickness = 0.2; thickness < 0.45; thickness += 0.1) {
        cn_check_true(book, cn_name(book, "falls at mu 0.3, t/R %g", thickness),
                      !stands(book, 0.3, thickness, NULL));
    }
}
