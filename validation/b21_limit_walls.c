// validation/b21_limit_walls.c -- B21 to B23: the six walls of Ferris and Tin-Loi, limit analysis
// and dynamics.
//
// Question: which horizontal acceleration can the walls carry, by joints that dilate as they slide,
// and what is known of joints that do not? Do they fall in dynamics at no more?
// Reference: the same programs on the contacts of cairn by an interior point of another
// implementation, walls 1 to 5 also by linear programming (HiGHS). B22 asks solutions of Coulomb's
// law for their residual and for the ranges of that implementation. B23: a proof, and what an
// earlier version of cairn found, which is told and not asked for. Source: Ferris & Tin-Loi 2001;
// patterns of blocks as rebuilt by a public example, block counts agree.
#include "builders.h"
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

// Blocks of a course from the left: place of the left end and length, over that of a block.
static int list_course(const wall *w, int course, double left[16], double length[16])
{
    char text[200];
    double x = 0.0;
    int count = 0;
    describe_course(w, w->courses[course], text);
    for (char *at = text; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        bool is_open = *at == '(';
        double long_by = strtod(at + (is_open ? 1 : 0), NULL);
        if (!is_open) {
            left[count] = x;
            length[count++] = long_by;
        }
        x += long_by;
    }
    return count;
}

static void add_course(cn_limits *l, const wall *w, int course)
{
    double x[16], length[16];
    int count = list_course(w, course, x, length);
    for (int k = 0; k < count; k++) {
        cn_limits_add(l,
                      "  b%d_%d: {shape: {box: [%.17g, %.17g]}, at: [%.17g, %.17g], "
                      "material: m}\n",
                      course, (int)(2.0 * x[k]), LONG * length[k], HIGH,
                      LONG * (x[k] + 0.5 * length[k]), HIGH * (course + 0.5));
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

// ---- B23

#define STEP 2e-3   // [s]
#define SETTLE 0.1  // [s]
#define PUSH 3.0    // [s]
#define FALLEN 0.02 // way of a block from which on the wall falls [m]
enum { BLOCKS_MOST = 160 };

// What a run says; one with a step that missed its residual says nothing.
typedef enum verdict { STANDS, FALLS, UNDECIDED } verdict;

typedef struct pushed {
    cn_trial t;
    int count;
    cn_body_id block[BLOCKS_MOST];
    double start[2 * BLOCKS_MOST];
} pushed;

static void build_wall(pushed *p, const wall *w)
{
    double x[16], length[16];
    cn_build_box(&p->t, LONG * (w->width + 2), 0.2,
                 (cn_body_def){.at = {0.5 * LONG * w->width, -0.1}, .fixed = CN_FIXED_ALL});
    for (int course = 0; w->courses[course] != '\0'; course++) {
        int count = list_course(w, course, x, length);
        for (int k = 0; k < count; k++) {
            double *at = p->start + 2 * p->count;
            at[0] = LONG * (x[k] + 0.5 * length[k]);
            at[1] = HIGH * (course + 0.5);
            p->block[p->count++] =
                cn_build_box(&p->t, LONG * length[k], HIGH,
                             (cn_body_def){.density = 1000.0, .at = {at[0], at[1]}});
        }
    }
}

static bool has_fallen(const pushed *p)
{
    bool has = false;
    for (int k = 0; k < p->count; k++) {
        cn_body_state s = cn_trial_state(&p->t, p->block[k]);
        double x = s.position[0] - p->start[2 * k], y = s.position[1] - p->start[2 * k + 1];
        has = has || hypot(x, y) > FALLEN;
    }
    return has;
}

// Settles, then feels `push` g to the right.
static verdict push_wall(cn_book *book, const wall *w, const cn_solver_def *solver, double push)
{
    static pushed p;
    cn_world_def def = cn_trial_def();
    def.solver = *solver;
    p.count = 0;
    p.t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&p.t, 0.65, 0.0);
    build_wall(&p, w);
    bool falls = false, is_sure = true;
    for (int n = 0; n * STEP < SETTLE + PUSH && !falls && is_sure; n++) {
        cn_trial_gravity(&p.t, n * STEP < SETTLE ? 0.0 : CN_G * push, -CN_G, 0.0);
        is_sure =
            cn_trial_step(&p.t, STEP) && cn_world_view(p.t.world).certificate->solver.is_converged;
        falls = n % 10 == 9 && has_fallen(&p);
    }
    cn_trial_end(&p.t);
    return !is_sure ? UNDECIDED : falls ? FALLS : STANDS;
}

// Onset between two pushes, of which the first is known to stand and the other to fall. False if a
// run in between says nothing.
static bool bisect(cn_book *book, const wall *w, const cn_solver_def *solver, double between[2])
{
    while (between[1] - between[0] > 1e-3) {
        double middle = 0.5 * (between[0] + between[1]);
        verdict v = push_wall(book, w, solver, middle);
        if (v == UNDECIDED) {
            cn_say(book, "%g g: undecided, a step missed its residual", middle);
            return false;
        }
        between[v == FALLS] = middle;
    }
    return true;
}

static void check_dynamics(cn_book *book, int n, const double before[2])
{
    static const char *const word[] = {"stands", "falls", "undecided"};
    const wall *w = &walls[n];
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = CN_METHOD_AUTO;
    solver.eps_v = 1e-4;
    double between[2] = {0.7 * w->multiplier, 1.005 * w->multiplier};
    verdict above = push_wall(book, w, &solver, between[1]);
    cn_check_true(book, cn_name(book, "wall %d: falls at 1.005 of the bound", n + 1),
                  above == FALLS);
    cn_check_true(book, cn_name(book, "wall %d: stands at 0.7 of it", n + 1),
                  push_wall(book, w, &solver, between[0]) == STANDS);
    bool is_found = bisect(book, w, &solver, between);
    cn_say(book, "wall %d: onset %.5f to %.5f g%s, before %.4f to %.4f", n + 1, between[0],
           between[1], is_found ? "" : " (not narrower: undecided)", before[0], before[1]);
    cn_check_least(book, cn_name(book, "wall %d: the onset is below the bound", n + 1),
                   w->multiplier + 1e-3 - between[0], 0.0);
    solver.method = CN_METHOD_NLGS;
    verdict other = push_wall(book, w, &solver, 0.5 * (between[0] + between[1]));
    cn_say(book, "wall %d: %s in the middle by Gauss-Seidel", n + 1, word[other]);
}

void cn_case_B23(cn_book *book)
{
    static const double before[5][2] = {
        {0.6398, 0.6406}, {0.5686, 0.5694}, {0.3553, 0.3559}, {0.2634, 0.2641}, {0.2141, 0.2148}};
    cn_open_steps(book,
                  "Gauss-Seidel misses steps of walls about to move at 1e-4: such runs count as "
                  "undecided");
    for (int n = 0; n < 5; n++) {
        check_dynamics(book, n, before[n]);
    }
}
