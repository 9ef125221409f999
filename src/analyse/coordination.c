// analyse/coordination.c -- neighbours that press a body, and bodies without support (14.5).
//
// Points of one pair of bodies count once, images of a periodic cell each. A body that fewer
// neighbours press than can hold it is a rattler; what it presses has lost a neighbour, so that
// rattlers are taken out until none is left.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

enum { OUTSIDE = -1, RATTLER = -2 }; // in `room`, where others have their neighbours

typedef struct tally {
    int neighbours; // of selected bodies, summed
    int pressed, sliding;
    bool has_friction;
} tally;

static bool is_gone(const cn_sample *s, int i)
{
    return s->room[i] == RATTLER;
}

// Neighbours of all selected bodies that are not rattlers; returns their sum.
static int count_neighbours(const cn_sample *s)
{
    int sum = 0;
    for (int i = 0; i < s->body_count; i++) {
        s->room[i] = !s->is_in[i] ? OUTSIDE : is_gone(s, i) ? RATTLER : 0;
    }
    cn_sample_pair p;
    for (int a = 0; cn_sample_next_pair(s, &a, &p);) {
        if (p.is_pressed && !is_gone(s, p.i) && !is_gone(s, p.j)) {
            s->room[p.i] += s->room[p.i] >= 0;
            s->room[p.j] += s->room[p.j] >= 0;
            sum += s->is_in[p.i] + s->is_in[p.j];
        }
    }
    return sum;
}

// Returns how many bodies with fewer neighbours than `least` were taken out.
static int take_rattlers(const cn_sample *s, int least)
{
    int taken = 0;
    for (int i = 0; i < s->body_count; i++) {
        bool is_loose = s->room[i] >= 0 && s->room[i] < least;
        s->room[i] = is_loose ? RATTLER : s->room[i];
        taken += is_loose;
    }
    return taken;
}

static tally count_points(const cn_sample *s)
{
    tally t = {0};
    for (int a = 0; a < s->contact_count; a++) {
        const cn_contact *c = &s->contact[a];
        if ((s->is_in[c->i] || s->is_in[c->j]) && cn_is_pressed(c)) {
            t.pressed++;
            t.sliding += c->status == CN_STATUS_SLIDE;
            t.has_friction = t.has_friction || c->r[1] != 0.0 || (s->dim == 3 && c->r[2] != 0.0);
        }
    }
    return t;
}

static void find(const cn_sample *s, double *out)
{
    int bodies = 0, rattlers = 0;
    for (int i = 0; i < s->body_count; i++) {
        bodies += s->is_in[i];
        s->room[i] = 0;
    }
    tally t = count_points(s);
    int all = count_neighbours(s), held = all, least = t.has_friction ? 2 : s->dim + 1;
    for (int taken; (taken = take_rattlers(s, least)) > 0;) {
        rattlers += taken;
        held = count_neighbours(s);
    }
    double N = bodies, left = bodies - rattlers;
    memcpy(out,
           (double[5]){bodies > 0 ? all / N : NAN, left > 0.0 ? held / left : NAN,
                       bodies > 0 ? rattlers / N : NAN,
                       t.pressed > 0 ? t.sliding / (double)t.pressed : NAN, t.pressed},
           5 * sizeof *out);
}

#define NUMBERS "z z_held rattlers sliding contacts"

const cn_analysis cn_analysis_coordination = {
    .name = "coordination",
    .help = "neighbours that press a body; the same without rattlers; shares of rattlers and of "
            "sliding contacts; points that press",
    .plane = NUMBERS,
    .space = NUMBERS,
    .find = find};
