// validation/a17_double_pendulum.c -- A17: a double pendulum hits a wall.
//
// Question: are impacts right where joints and contacts act at once? Two unit masses on rods of 1 m
// from a pivot 2 m up, at 60 and 36 degrees, hit a wall with restitution 0.1. Reference: the
// equations of motion between impacts, integrated to 1e-12. Source: Potra et al. 2006; the geometry
// is that of the Solfec validation manual.
#include "builders.h"
#include "table.h"

#define IMPACTS 5

static const struct {
    double time, ball, speed, energy; // energy after it, potential zero at the pivot [J]
    double steps;                     // accepted error of the time
} reference[IMPACTS] = {
    {0.545229944, 1, -1.985505770, -20.398583747, 3},
    {0.707571786, 2, -4.015730732, -28.522129468, 3},
    {1.284071674, 1, -0.679961108, -28.777794712, 5},
    {2.096669998, 2, -0.490201681, NAN, 10},
    {2.130553544, 1, -1.031062438, -29.423116035, 10},
};

typedef struct history {
    double time[IMPACTS], speed[IMPACTS], energy[IMPACTS];
    int ball[IMPACTS];
    int count;
    double x_1[2], x_2[2]; // of both balls at 1 s and 2 s [m]
    double gap;            // of both rods, at q_mid [m]
} history;

// Kinetic energy and potential energy below the pivot.
static double energy_of(const cn_trial *t)
{
    const double pivot = 2.0, mass = 2.0;
    const cn_ledger *ledger = cn_world_view(t->world).ledger;
    return ledger->kinetic + ledger->potential - mass * CN_G * pivot;
}

// Books the contact of the step that was not there in the step before.
static void book_impacts(const cn_trial *t, const cn_body_id ball[2], double time, bool was_hit[2],
                         history *o)
{
    cn_view view = cn_world_view(t->world);
    bool is_hit[2] = {false, false};
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        int k = view.id[c->i] == ball[1] || view.id[c->j] == ball[1];
        is_hit[k] = c->r[0] > 0.0;
        if (is_hit[k] && !was_hit[k] && o->count < IMPACTS) {
            o->time[o->count] = time;
            o->ball[o->count] = k + 1;
            o->speed[o->count] = c->u_before[0];
            o->energy[o->count++] = energy_of(t);
        }
    }
    was_hit[0] = is_hit[0];
    was_hit[1] = is_hit[1];
}

static history swing(cn_book *book, const cn_place *place, double h)
{
    const double angle[2] = {cn_degrees(60.0), cn_degrees(36.0)};
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 0.0, 0.1);
    cn_build_plane(&t, (cn_body_def){.at = {-0.05, 0.0}, .angle = -0.5 * CN_PI});
    cn_body_id ball[2];
    cn_joint_id rod[2];
    double x = 0.0, y = 2.0;
    for (int k = 0; k < 2; k++) {
        cn_joint_def link = {.kind = CN_JOINT_ROD, .other = k == 0 ? 0 : ball[0], .to = {x, y}};
        x += sin(angle[k]);
        y -= cos(angle[k]);
        ball[k] = cn_build_disk(
            &t, 0.05, (cn_body_def){.mass = 1.0, .inertia = {0.0, 0.0, 1e-3}, .at = {x, y}});
        link.body = ball[k];
        link.at[0] = x;
        link.at[1] = y;
        rod[k] = cn_trial_join(&t, &link);
    }
    history o = {0};
    bool was_hit[2] = {false, false};
    for (int n = 1; n <= (int)lround(2.5 / h) && cn_trial_step(&t, h); n++) {
        book_impacts(&t, ball, n * h, was_hit, &o);
        for (int k = 0; k < 2; k++) {
            o.gap = fmax(o.gap, fabs(cn_trial_joint(&t, rod[k]).gap));
            if (fabs(n * h - (k + 1.0)) < 0.5 * h) {
                o.x_1[k] = cn_trial_state(&t, ball[0]).position[0];
                o.x_2[k] = cn_trial_state(&t, ball[1]).position[0];
            }
        }
    }
    cn_trial_end(&t);
    return o;
}

// Sum of the errors of the impact times over a few steps around h, over their number.
static double mean_error(cn_book *book, double h)
{
    const double factor[3] = {1.0, 0.95, 0.9};
    cn_place plane = cn_place_plane();
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        history o = swing(book, &plane, h * factor[k]);
        for (int n = 0; n < IMPACTS; n++) {
            sum += fabs(o.time[n] - reference[n].time);
        }
    }
    return sum / 3.0;
}

static void check_run(cn_book *book, cn_place place, double h)
{
    history o = swing(book, &place, h);
    cn_check(book, cn_name(book, "impacts, h %g%s", h, place.name), o.count, IMPACTS, 0.0);
    for (int n = 0; n < IMPACTS; n++) {
        cn_check(book, cn_name(book, "ball of impact %d, h %g%s", n + 1, h, place.name), o.ball[n],
                 reference[n].ball, 0.0);
        cn_check(book, cn_name(book, "time of impact %d, h %g%s", n + 1, h, place.name), o.time[n],
                 reference[n].time, reference[n].steps * h);
        // What the accepted error of the time makes at 3 g, and of the energy at 3 g and 4 m/s.
        cn_check(book, cn_name(book, "normal speed of impact %d, h %g%s", n + 1, h, place.name),
                 o.speed[n], reference[n].speed, 3.0 * CN_G * reference[n].steps * h);
        if (isfinite(reference[n].energy)) {
            cn_check(book, cn_name(book, "energy after impact %d, h %g%s", n + 1, h, place.name),
                     o.energy[n], reference[n].energy, 12.0 * CN_G * reference[n].steps * h);
        }
    }
    const double x[4] = {0.223691037, 0.173172632, 0.123546074, 0.049865996};
    const double within[2] = {5e-3, 1e-2};
    for (int k = 0; k < 2; k++) {
        cn_check(book, cn_name(book, "x of ball 1 at %d s, h %g%s", k + 1, h, place.name), o.x_1[k],
                 x[2 * k], within[k]);
        cn_check(book, cn_name(book, "x of ball 2 at %d s, h %g%s", k + 1, h, place.name), o.x_2[k],
                 x[2 * k + 1], within[k]);
    }
    cn_check(book, cn_name(book, "joint gap at q_mid, h %g%s", h, place.name), o.gap, 0.0, 1e-12);
}

void cn_case_A17(cn_book *book)
{
    check_run(book, cn_place_plane(), 1e-3);
    check_run(book, cn_place_plane(), 1e-4);
    check_run(book, cn_place_space(0.0), 1e-3);
    double coarse = mean_error(book, 1e-3), fine = mean_error(book, 1e-4);
    cn_check(book, "order of the impact times, h 1e-3 to 1e-4", log10(coarse / fine), 1.0, 0.25);
}
