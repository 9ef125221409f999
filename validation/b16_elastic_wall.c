// validation/b16_elastic_wall.c -- B16: Jean's wall of 144 blocks, rigid and elastic.
//
// Question: how does the foundation come to carry the wall, and do head joints push? Reference:
// rigid, the weight at once and no thrust in head joints; elastic, a reaction that rises as
// rho g c t, is the weight near H/c and swings about it, and thrust by Poisson swelling, at most
// nu/(1 - nu) of the vertical stress. Source: Jean 1999, section 9.3.
#include "builders.h"
#include "solids.h"
#include "table.h"

#include <stdlib.h>

#define COURSES 12
#define BLOCKS 12 // of a full course; every other one has halves at its ends
#define WIDTH 0.1
#define HEIGHT 0.05
#define DENSITY 500.0
#define WEIGHT (BLOCKS * COURSES * WIDTH * HEIGHT * DENSITY * CN_G)
#define POISSON 0.3
#define STEP 2e-4                               // [s]
#define PERIOD (4.0 * COURSES * HEIGHT / 46.88) // c in plane strain [s]

typedef cn_body_id add_block(cn_trial *t, const cn_soft kind[2], bool is_half, double x, double y);

static cn_body_id add_rigid(cn_trial *t, const cn_soft kind[2], bool is_half, double x, double y)
{
    (void)kind;
    double width = is_half ? 0.5 * WIDTH : WIDTH;
    return cn_build_box(
        t, width, HEIGHT,
        (cn_body_def){.density = DENSITY, .at = {x + 0.5 * width, y + 0.5 * HEIGHT}});
}

static cn_body_id add_elastic(cn_trial *t, const cn_soft kind[2], bool is_half, double x, double y)
{
    double width = is_half ? 0.5 * WIDTH : WIDTH;
    return cn_soft_add(
        t, &kind[is_half],
        (cn_body_def){.at = {x + 0.5 * width, y + 0.5 * HEIGHT}, .mesh.is_mid_face = true});
}

// Returns the foundation.
static cn_body_id build_wall(cn_trial *t, const cn_soft kind[2], add_block *add)
{
    cn_trial_coulomb(t, 0.5, 0.0);
    cn_body_id ground = cn_build_plane(t, (cn_body_def){0});
    for (int course = 0; course < COURSES; course++) {
        bool is_odd = course % 2 == 1;
        for (int k = 0; k < BLOCKS + is_odd; k++) {
            bool is_half = is_odd && (k == 0 || k == BLOCKS);
            add(t, kind, is_half, is_odd && k > 0 ? (k - 0.5) * WIDTH : k * WIDTH, course * HEIGHT);
        }
    }
    return ground;
}

typedef struct forces {
    double ground;    // on the wall [N]
    double bed, head; // sums over all joints [N]
    double thrust; // mean over head joints of the three lowest courses, over the weight above [-]
    double least;  // least normal force [N]
} forces;

static forces look(const cn_trial *t, cn_body_id ground, double h)
{
    forces f = {0};
    int count = 0;
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double N = c->r[0] / h, above = DENSITY * CN_G * (COURSES * HEIGHT - c->point[1]);
        bool is_ground = view.id[c->i] == ground || view.id[c->j] == ground;
        bool is_head = fabs(c->normal[0]) > 0.5;
        f.ground += is_ground ? N : 0.0;
        *(is_head ? &f.head : &f.bed) += N;
        f.least = fmin(f.least, N);
        if (is_head && c->point[1] < 3.0 * HEIGHT) {
            f.thrust += N / (HEIGHT * above);
            count++;
        }
    }
    f.thrust = count > 0 ? f.thrust / count : 0.0;
    return f;
}

static void check_rigid(cn_book *book)
{
    const double h = 1e-3;
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_body_id ground = build_wall(&t, NULL, add_rigid);
    cn_trial_step(&t, h);
    forces f = look(&t, ground, h);
    cn_check_rel(book, "R in the first step, rigid", f.ground, 3531.6, 1e-8);
    cn_check(book, "forces of head over those of bed joints, rigid", f.head / f.bed, 0.0, 0.02);
    cn_trial_end(&t);
}

// A box of eight triangles per 0.1 m x 0.05 m, around the origin.
static cn_soft make_triangles(cn_book *book, int columns, int rows)
{
    cn_volume_def def = cn_volume_def_default();
    def.kind = CN_VOLUME_BOX;
    def.element = CN_TRI3;
    def.is_crossed = true;
    def.size[0] = columns * 0.5 * WIDTH;
    def.size[1] = rows * HEIGHT;
    def.cells[0] = columns;
    def.cells[1] = rows;
    return cn_soft_make(book, &def, cn_soft_elastic(1e6, POISSON, DENSITY));
}

// Of all blocks, upwards [kg m/s].
static double momentum(const cn_trial *t)
{
    cn_view view = cn_world_view(t->world);
    double sum = 0.0;
    for (int i = 0; i < view.body_count; i++) {
        sum += cn_body_is_deformable(t->world, view.id[i]) ? view.mass[i] * view.v[3 * i + 1] : 0.0;
    }
    return sum;
}

static void check_elastic(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_soft kind[2] = {make_triangles(book, 2, 1), make_triangles(book, 1, 1)};
    cn_body_id ground = build_wall(&t, kind, add_elastic);
    int steps = (int)lround(4.0 * PERIOD / STEP);
    double mean = 0.0, thrust = 0.0, least = 0.0, peak = 0.0, when = 0.0, before = 0.0;
    double crossing = NAN, sum = 0.0, p = 0.0;
    for (int k = 0; k < steps && cn_trial_step(&t, STEP); k++) {
        forces f = look(&t, ground, STEP);
        double time = (k + 0.5) * STEP;
        if (isnan(crossing) && f.ground >= WEIGHT) {
            crossing = time - STEP * (f.ground - WEIGHT) / (f.ground - before);
        }
        double p_now = momentum(&t);
        sum += f.ground;
        mean = p * p_now < 0.0 ? sum / (k + 1) : mean; // whole swings: from rest to rest
        p = p_now;
        thrust += f.thrust / steps;
        least = fmin(least, f.least);
        when = f.ground > peak ? time : when;
        peak = fmax(peak, f.ground);
        before = f.ground;
    }
    cn_check_rel(book, "time when R is the weight", crossing, 0.0128, 0.1);
    cn_check_rel(book, "mean R until the wall last turns", mean, 3531.6, 0.005);
    cn_check(book, "peak of R over the weight (reported)", peak / WEIGHT, 2.0, INFINITY);
    cn_check(book, "time of the peak (reported)", when, 0.0256, INFINITY);
    cn_check_true(book, "lower head joints push on average", thrust > 0.0);
    cn_check_least(book, "nu/(1 - nu) less their thrust over the weight above",
                   POISSON / (1.0 - POISSON) - thrust, 0.0);
    cn_check(book, "least normal force", least, 0.0, 0.0);
    cn_trial_end(&t);
    cn_soft_free(&kind[0]);
    cn_soft_free(&kind[1]);
}

// Largest principal stress in the plane, of all nodes [Pa].
static double tension(cn_trial *t, cn_body_id id)
{
    double *stress = cn_soft_stress(t, id), most = -INFINITY;
    for (int a = 0; stress != NULL && a < cn_soft_nodes(t, id).node_count; a++) {
        const double *s = stress + 6 * a;
        most = fmax(most, 0.5 * (s[0] + s[1]) + hypot(0.5 * (s[0] - s[1]), s[3]));
    }
    free(stress);
    return most;
}

// The same wall in one piece: there is nothing that could open.
static void check_one_piece(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.5, 0.0);
    cn_build_plane(&t, (cn_body_def){0});
    cn_soft wall = make_triangles(book, 2 * BLOCKS, COURSES);
    cn_body_id id = cn_soft_add(
        &t, &wall, (cn_body_def){.at = {0.0, 0.5 * COURSES * HEIGHT}, .mesh.is_mid_face = true});
    cn_soft_free(&wall);
    double most = 0.0;
    for (int k = 0; k * STEP < PERIOD && cn_trial_run(&t, STEP, 16); k += 16) {
        most = fmax(most, tension(&t, id));
    }
    cn_trial_end(&t);
    cn_check_true(book, "the wall in one piece shows tension", most > 0.0);
    cn_check(book, "tension over mean base pressure (reported)", most / 2943.0, 0.0, INFINITY);
}

void cn_case_B16(cn_book *book)
{
    check_rigid(book);
    check_elastic(book);
    check_one_piece(book);
}
