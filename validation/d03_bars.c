// validation/d03_bars.c -- D03, D04: elastic bars that hit each other, or a wall.
//
// Question: do waves cross a contact? Reference: force rho c v A during 2 L/c, then two equal bars
// have exchanged their velocities and a bar leaves a wall as it came. What is lost is the motion of
// the skin nodes. Source: Cirak and West 2005; Doyen, Ern and Piperno 2011; Jean 1999.
#include "builders.h"
#include "solids.h"
#include "table.h"

typedef struct impact {
    double force;            // mean over 0.1 to 0.9 of 2 L/c [N]
    double first, last;      // of the steps with a force [s]
    double lost;             // by shocks [J]
    double speed;            // of the bar in front after it [m/s]
    double turning, squeeze; // when the waves are back: speed of the bar [m/s], its mean strain
    int open_count;          // steps without force in between
} impact;

// A bar along x of `cells` elements, from x = at.
static cn_body_id add_bar(cn_trial *t, int cells, double at, const double size[3], double speed,
                          cn_material_def material)
{
    bool is_flat = t->place.dim == 2;
    cn_soft bar = cn_soft_box(t->book, is_flat ? CN_QUAD4 : CN_HEX8, (int[]){cells, 1, 1},
                              (double[]){at, 0.0, 0.0}, size, material);
    bar.mesh.thickness = is_flat ? size[2] : 0.0;
    cn_body_id id = cn_soft_add(t, &bar, (cn_body_def){.velocity = {speed}});
    cn_soft_free(&bar);
    return id;
}

static double push(const cn_trial *t)
{
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    double sum = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        sum += view.contact[a].r[0];
    }
    return sum;
}

// Change of length over length.
static double squeeze_of(const cn_trial *t, cn_body_id id)
{
    cn_node_view n = cn_soft_nodes(t, id);
    double lo = 0.0, hi = 0.0, from = INFINITY, to = -INFINITY;
    for (int a = 0; a < n.node_count; a++) {
        double X = n.X[n.dim * a];
        lo = X < from ? n.x[n.dim * a] : lo;
        hi = X > to ? n.x[n.dim * a] : hi;
        from = fmin(from, X);
        to = fmax(to, X);
    }
    return 1.0 - (hi - lo) / (to - from);
}

static impact run(cn_trial *t, cn_body_id front, double crossing, double h)
{
    impact i = {.first = NAN};
    int counted = 0, steps = (int)lround(3.0 * crossing / h);
    for (int k = 0; k < steps && cn_trial_step(t, h); k++) {
        double r = push(t), time = k * h;
        if (r > 0.0) {
            i.open_count += isnan(i.first) ? 0 : (int)lround((time - i.last) / h);
            i.first = isnan(i.first) ? time : i.first;
            i.last = time + h;
        }
        if (time > 0.2 * crossing && time < 1.8 * crossing) {
            i.force += r / h;
            counted++;
        }
        if (k + 1 == lround(crossing / h)) {
            i.turning = cn_trial_state(t, front).velocity[0];
            i.squeeze = squeeze_of(t, front);
        }
    }
    i.force /= counted;
    i.speed = cn_trial_state(t, front).velocity[0];
    const double *row = cn_world_view(t->world).ledger->total;
    i.lost = t->is_broken ? NAN : row[CN_ENERGY_SHOCK] + row[CN_ENERGY_GIVEN];
    return i;
}

static cn_trial begin(cn_book *book, const cn_place *place)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 0.0, 0.0);
    return t;
}

static impact meet(cn_book *book, const cn_place *place, int cells)
{
    const double size[3] = {10.0, 2.0, 2.0};
    cn_trial t = begin(book, place);
    cn_material_def material = cn_soft_elastic(1.0, 0.0, 1.0);
    cn_body_id front = add_bar(&t, cells, -10.0, size, 0.1, material);
    add_bar(&t, cells, 0.0, size, -0.1, material);
    impact i = run(&t, front, 10.0, 5.0 / cells);
    cn_trial_end(&t);
    return i;
}

static void check_meeting(cn_book *book, cn_place place)
{
    impact fine = meet(book, &place, 100), coarse = meet(book, &place, 50);
    const char *where = place.name;
    cn_check_rel(book, cn_name(book, "mean force%s", where), fine.force, 0.4, 0.005);
    cn_check_rel(book, cn_name(book, "duration%s", where), fine.last - fine.first, 20.0, 0.01);
    cn_check_rel(book, cn_name(book, "rebound%s", where), fine.speed, -0.1, 0.02);
    cn_check(book, cn_name(book, "energy lost of 0.4 J%s", where), fine.lost / 0.4, 0.003, 0.003);
    cn_check(book, cn_name(book, "the same over that of half the elements%s", where),
             fine.lost / coarse.lost, 0.5, 0.05);
    cn_check(book, cn_name(book, "speed over 0.1 at t = 10%s", where), fine.turning / 0.1, 0.0,
             0.02);
    cn_check_rel(book, cn_name(book, "strain at t = 10%s", where), fine.squeeze, 0.1, 0.02);
}

void cn_case_D03(cn_book *book)
{
    check_meeting(book, cn_place_plane());
    check_meeting(book, cn_place_along_axes(1.0));
}

static void check_wall(cn_book *book, cn_place place)
{
    const double L = 1.0, E = 70e9, rho = 2700.0, c = sqrt(E / rho), side = 0.01;
    const int cells = 100;
    cn_trial t = begin(book, &place);
    cn_build_plane(&t, (cn_body_def){.angle = -0.5 * CN_PI}); // it looks along x
    cn_body_id bar =
        add_bar(&t, cells, 0.0, (double[]){L, side, side}, -1.0, cn_soft_elastic(E, 0.0, rho));
    impact i = run(&t, bar, L / c, 0.5 * L / cells / c);
    cn_trial_end(&t);
    const char *where = place.name;
    cn_check_rel(book, cn_name(book, "stress%s", where), i.force / (side * side), 13.747727e6,
                 0.01);
    cn_check_rel(book, cn_name(book, "duration%s", where), i.last - i.first, 392.7922e-6, 0.01);
    cn_check_rel(book, cn_name(book, "rebound%s", where), i.speed, 1.0, 0.02);
    cn_check(book, cn_name(book, "steps without contact before the end%s", where), i.open_count,
             0.0, 0.0);
}

void cn_case_D04(cn_book *book)
{
    check_wall(book, cn_place_plane());
    check_wall(book, cn_place_along_axes(1.0));
}
