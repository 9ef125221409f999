// validation/b19_dominoes.c -- B19: the wave in a row of dominoes.
//
// Question: does it run at a steady speed that only gravity and height set? Reference: with the
// step scaled by 2 a row four times as large moves alike, v/sqrt(g H) is the same; after some ten
// pieces the speed is steady; standard dominoes run at 1 to 2 sqrt(g H) at this spacing. Source:
// McLachlan et al. 1983; Stronge 1987; Stronge and Shu 1988; Larham 2013.
#include "builders.h"
#include "table.h"

#define PIECE_COUNT 40
#define HEIGHT 0.048 // [m]
#define WIDTH 0.024
#define THICK 0.0075
#define PITCH 0.5   // over the height
#define STEP 2.5e-4 // [s]
#define START 1.02  // angle of the first piece over that of its balance

typedef struct wave {
    double time[PIECE_COUNT]; // at which a piece has leaned by a quarter of its angle of balance
} wave;

// Leaning to the right about its lower right corner, where it stands if upright.
static cn_body_id add_piece(cn_trial *t, int group, double scale, double x, double lean)
{
    cn_vec2 half = cn_mul2(0.5 * scale, cn_v2(THICK, HEIGHT));
    cn_vec2 centre = cn_turn2(cn_v2(-half.x, half.y), cos(lean), -sin(lean));
    cn_body_def rest = {
        .density = 1000.0, .group = group, .at = {x + half.x + centre.x, centre.y}, .angle = -lean};
    return cn_build_box(t, scale * THICK, scale * HEIGHT, rest);
}

static cn_trial build(cn_book *book, cn_place place, double scale, cn_body_id piece[PIECE_COUNT])
{
    const double balance = atan(THICK / HEIGHT);
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    if (place.dim == 3) { // four points per face: some steps stall at 1e-7
        def.solver.eps_v = def.solver.tol = 1e-6;
    }
    place.depth *= scale;
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    int ground = cn_trial_group(&t, "floor"), row = cn_trial_group(&t, "pieces");
    cn_law_def floor_law = cn_law_coulomb(0.8, 0.0), law = cn_law_coulomb(0.3, 0.0);
    cn_trial_law(&t, ground, CN_GROUP_ANY, &floor_law);
    cn_trial_law(&t, row, row, &law);
    cn_build_plane(&t, (cn_body_def){.group = ground});
    for (int k = 0; k < PIECE_COUNT; k++) {
        double lean = k == 0 ? START * balance : 0.0;
        piece[k] = add_piece(&t, row, scale, scale * PITCH * HEIGHT * k, lean);
    }
    return t;
}

// Runs until the last piece leans.
static wave run(cn_book *book, cn_place place, double scale)
{
    const double threshold = 0.25 * atan(THICK / HEIGHT), h = STEP * sqrt(scale);
    cn_body_id piece[PIECE_COUNT];
    cn_trial t = build(book, place, scale, piece);
    wave w = {{0.0}};
    double last = 0.0; // lean of the piece that is waited for
    for (int n = 1, k = 1; k < PIECE_COUNT && n < 30000 && cn_trial_step(&t, h); n++) {
        double lean = -cn_trial_state(&t, piece[k]).angle;
        if (lean >= threshold) {
            w.time[k] = (n - 1 + (threshold - last) / (lean - last)) * h;
            lean = ++k < PIECE_COUNT ? -cn_trial_state(&t, piece[k]).angle : 0.0;
        }
        last = lean;
    }
    cn_trial_end(&t);
    return w;
}

// Mean speed between two pieces over sqrt(g H).
static double speed(const wave *w, double scale, int from, int to)
{
    double way = (to - from) * PITCH * HEIGHT * scale;
    return way / (w->time[to] - w->time[from]) / sqrt(CN_G * HEIGHT * scale);
}

static void check_row(cn_book *book, cn_place place)
{
    const int first = 15, last = 35;
    wave small = run(book, place, 1.0), large = run(book, place, 4.0);
    double mean = speed(&small, 1.0, first, last), off = 0.0;
    for (int k = first; k < last; k++) {
        off = fmax(off, fabs(speed(&small, 1.0, k, k + 1) / mean - 1.0));
    }
    cn_check(book, cn_name(book, "v/sqrt(g H), pieces 15 to 35%s", place.name), mean, 1.65, 0.85);
    cn_check(book, cn_name(book, "unsteadiness, pieces 15 to 35%s", place.name), off, 0.0, 0.02);
    cn_check_rel(book, cn_name(book, "v/sqrt(g H), four times as large%s", place.name),
                 speed(&large, 4.0, first, last), mean, 1e-3);
}

void cn_case_B19(cn_book *book)
{
    check_row(book, cn_place_plane());
    check_row(book, cn_place_space(WIDTH));
}
