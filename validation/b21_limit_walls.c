// validation/b21_limit_walls.c -- B21, B22: the six walls of Ferris and Tin-Loi, limit analysis.
//
// Question: which horizontal acceleration can the walls carry, by joints that dilate as they slide,
// and what is known of joints that do not?
// Reference: the same programs on the contacts of cairn by an interior point of another
// implementation, walls 1 to 5 also by linear programming (HiGHS). B22 asks solutions of Coulomb's
// law for their residual and for the ranges of that implementation. Source: Ferris & Tin-Loi 2001;
// patterns of blocks as rebuilt by a public example, block counts agree.
#include "limit_rig.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONG 0.4 // of a block [m]
#define HIGH 0.175

// Courses from below: F half, full ..., half; E full blocks; u, e: lengths, (1) an opening.
typedef struct wall {
    int width; // blocks
    const char *courses, *u, *e;
    int block_count, contact_count;
    double multiplier;
} wall;

static const wall walls[] = {
    {5, "FEFEFE", "", "", 33, 166, 0.642859},
    {5, "FEFEFEFEFE", "", "", 55, 282, 0.579999},
    {4, "EFEueueuEFE", ".5 1 (1) 1 .5", "1 .5 (1) .5 1", 46, 204, 0.403694},
    {5, "FEFueueuFEF", "1 (1) 1 (1) 1", ".5 .5 (1) .5 .5 (1) .5 .5", 55, 232, 0.331948},
    {3, "FEFueueuFEFueueuFEF", "1 (1) 1", ".5 .5 (1) .5 .5", 61, 240, 0.239643},
    {7, "FEFEueueuEFEueueuEFEF", ".5 1 (1) 1 1 (1) 1 .5", "1 .5 (1) .5 1 .5 (1) .5 1", 146, 690,
     0.347825},
};

// The lengths of a course as text.
static void describe_course(const wall *w, char kind, char text[200])
{
    text[0] = '\0';
    if (kind == 'u' || kind == 'e') {
        snprintf(text, 200, "%s", kind == 'u' ? w->u : w->e);
        return;
    }
    strcat(text, kind == 'F' ? ".5" : "1");
    for (int k = 1; k < w->width; k++) {
        strcat(text, " 1");
    }
    strcat(text, kind == 'F' ? " .5" : "");
}

static void add_course(cn_limits *l, const wall *w, int course)
{
    char text[200];
    double x = 0.0;
    describe_course(w, w->courses[course], text);
    for (char *at = text; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        bool is_open = *at == '(';
        double length = strtod(at + (is_open ? 1 : 0), NULL);
        if (!is_open) {
            cn_limits_add(l,
                          "  b%d_%d: {shape: {box: [%.17g, %.17g]}, at: [%.17g, %.17g], "
                          "material: m}\n",
                          course, (int)(2.0 * x), LONG * length, HIGH, LONG * (x + 0.5 * length),
                          HIGH * (course + 0.5));
        }
        x += length;
    }
}

static cn_limits begin_wall(cn_book *book, const wall *w)
{
    cn_limits l = cn_limits_begin(book, 2, 1000.0, 0.65);
    cn_limits_add(&l,
                  "limit: [{name: push, load: {acceleration: [1, 0]}}]\nbodies:\n"
                  "  base: {shape: {box: [%.17g, 0.2]}, at: [%.17g, -0.1], fixed: true}\n",
                  LONG * (w->width + 2), 0.5 * LONG * w->width);
    for (int course = 0; w->courses[course] != '\0'; course++) {
        add_course(&l, w, course);
    }
    return l;
}

static void check_wall(cn_book *book, int n)
{
    const wall *w = &walls[n];
    cn_limits l = begin_wall(book, w);
    cn_limit_answer *answer = cn_limits_find(&l, -1, 1e-6);
    if (answer != NULL) {
        cn_check(book, cn_name(book, "wall %d: blocks", n + 1), answer->body_count, w->block_count,
                 0.0);
        cn_check(book, cn_name(book, "wall %d: contact points", n + 1),
                 answer->limit->contact_count, w->contact_count, 0.0);
    }
    cn_limit_answer_destroy(answer);
    cn_limits_check(&l, 0, cn_name(book, "wall %d", n + 1), 1.0, w->multiplier, 2e-6);
    cn_limits_end(&l);
}

void cn_case_B21(cn_book *book)
{
    for (int n = 0; n < (int)(sizeof walls / sizeof *walls); n++) {
        check_wall(book, n);
    }
}

// Ranges of the same mechanism; 0: not told.
void cn_case_B22(cn_book *book)
{
    static const double least[] = {0.638982, 0.0, 0.0, 0.306981, 0.0, 0.3008};
    static const double most[] = {0.642859, 0.0, 0.0, 0.306981, 0.0, 0.3016};
    for (int n = 0; n < (int)(sizeof walls / sizeof *walls); n++) {
        cn_limits l = begin_wall(book, &walls[n]);
        cn_limit_coulomb x;
        if (cn_limits_coulomb(&l, 0, &x)) {
            cn_check(book, cn_name(book, "wall %d: residual", n + 1), x.residual, 0.0, 1e-6);
            cn_check_least(book, cn_name(book, "wall %d: below the proof", n + 1),
                           walls[n].multiplier + 1e-6 - x.multiplier, 0.0);
            bool has_range = !isnan(x.range[0] + x.range[1]);
            bool is_inside = x.range[0] <= x.multiplier + 1e-6 && x.multiplier <= x.range[1] + 1e-6;
            cn_check_true(book, cn_name(book, "wall %d: in its range", n + 1),
                          !has_range || is_inside);
            if (least[n] > 0.0) {
                cn_check(book, cn_name(book, "wall %d: least of its range", n + 1), x.range[0],
                         least[n], 3e-4);
                cn_check(book, cn_name(book, "wall %d: most of its range", n + 1), x.range[1],
                         most[n], 3e-4);
            }
            if (n == 1) {
                cn_check_least(book, "wall 2: width of its range over the multiplier",
                               (x.range[1] - x.range[0]) / x.multiplier, 0.01);
            }
        }
        cn_limits_end(&l);
    }
}
