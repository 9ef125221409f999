// validation/e19_flows.c -- E19, E23: a slope of rock that topples, and a drum of balls.
//
// Question: does every step of what moves end, and in how much work? References: a slope of rock
// with friction 0.8, cut by a steep set about as far apart as its beds are: three steps, none
// missed, kinetic energy within a third of that by the worst contact to 1e-2 (E19). 19 000 balls in
// a drum from a dense start: ten steps in at most 6000 sweeps, none missed, penetration at most
// 1e-3 of a ball, kinetic energy after steps 6 and 10 within 1 and 2 % of that by the worst contact
// to 1e-2 (E23). Source: derived here.
#include "scale_rig.h"
#include "table.h"

static const char drum_text[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "materials: {glass: {density: 2500}}\n"
    "laws: {grains: {type: coulomb, friction: 0.5}, rough: {type: coulomb, friction: 0.9},\n"
    "  smooth: {type: coulomb, friction: 0.1}}\n"
    "contacts:\n"
    "  - {between: [balls, drum], law: rough}\n"
    "  - {between: [balls, windows], law: smooth}\n"
    "  - {between: [balls, balls], law: grains}\n"
    "bodies:\n"
    "  drum: {generate: {drum: {radius: 0.2, length: 0.1, plates: 30, ends: false}}}\n"
    "  windows: {fixed: true, cluster: [\n"
    "    {shape: {box: [0.428, 0.01, 0.428]}, at: [0, -0.055, 0]},\n"
    "    {shape: {box: [0.428, 0.01, 0.428]}, at: [0, 0.055, 0]}]}\n"
    "  balls: {material: glass, generate: {pack: {fill: 0.25, method: dense, seed: 3,\n"
    "    inside: {cylinder: {radius: 0.2, length: 0.1, axis: y}},\n"
    "    shape: {sphere: {radius: {uniform: [0.00266, 0.00399]}}}}}}\n"
    "solver: {accuracy: %s}\n"
    "stages: [{step: 1e-3, duration: 1}]\n";

// Kinetic energy after six and ten steps by the word, and by a worst contact of 1e-2.
static cn_scale_count run_drum(cn_book *book, const char *accuracy, double *at_six)
{
    char text[2048];
    snprintf(text, sizeof text, drum_text, accuracy);
    cn_scale_scene s = cn_scale_begin(book, text, 1e-3);
    cn_scale_count six = cn_scale_steps(&s, 6), rest = cn_scale_steps(&s, 4);
    *at_six = six.kinetic;
    rest.steps += six.steps;
    rest.missed += six.missed;
    rest.sweeps += six.sweeps;
    rest.penetration = fmax(rest.penetration, six.penetration);
    cn_say(book, "drum, accuracy %s: %d sweeps, %d steps missed, %.4e J and %.4e J", accuracy,
           rest.sweeps, rest.missed, *at_six, rest.kinetic);
    cn_scale_end(&s);
    return rest;
}

void cn_case_E23(cn_book *book)
{
    double six = 0.0, strict_six = 0.0;
    cn_scale_count word = run_drum(book, "flow", &six);
    cn_check(book, "steps missed", word.missed, 0.0, 0.0);
    cn_check(book, "sweeps", word.sweeps, 0.0, 6000.0);
    cn_check(book, "penetration over a ball", word.penetration / 6.65e-3, 0.0, 1e-3);
    cn_scale_count strict = run_drum(book, "1e-2", &strict_six);
    cn_check_rel(book, "kinetic energy after 6 steps [J]", six, strict_six, 0.01);
    cn_check_rel(book, "kinetic energy after 10 steps [J]", word.kinetic, strict.kinetic, 0.02);
}

static const char slope_text[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "materials: {rock: {density: 2600}}\n"
    "laws: {joint: {type: coulomb, friction: 0.8}}\n"
    "contacts: [{between: [any, any], law: joint}]\n"
    "bodies:\n"
    "  ground: {shape: {half_space: {}}, fixed: true}\n"
    "  slope: {material: rock, generate: {rock_slope: {height: 10, angle: 65deg, length: 12,\n"
    "    width: 9, hold_base: true, hold_back: true, seed: 4, joints: [\n"
    "      {dip: 35deg, spacing: 0.6},\n"
    "      {dip: 75deg, direction: 180deg, spacing: 0.75, scatter: 0.1},\n"
    "      {dip: 85deg, direction: 90deg, spacing: 0.66, scatter: 0.08, uneven: 0.5}]}}}\n"
    "solver: {accuracy: %s}\n"
    "stages: [{step: 2e-3, duration: 1}]\n";

static cn_scale_scene build_slope(cn_book *book, const char *accuracy)
{
    char text[2048];
    snprintf(text, sizeof text, slope_text, accuracy);
    return cn_scale_begin(book, text, 2e-3);
}

void cn_case_E19(cn_book *book)
{
    cn_scale_scene fine = build_slope(book, "1e-2"), s = build_slope(book, "quake");
    cn_scale_count strict = cn_scale_steps(&fine, 3), all = cn_scale_steps(&s, 3);
    cn_say(book, "three steps in %d sweeps, %d by the worst contact and 1e-2", all.sweeps,
           strict.sweeps);
    cn_scale_end(&fine);
    cn_check(book, "steps missed", all.missed, 0.0, 0.0);
    cn_open(book,
            "a mean of 3e-3 leaves slow modes of the slope: 10.6 J where the worst contact below "
            "1e-2 has 7.66; 9.95 J before corners of the blocks were merged at 1e-12");
    cn_check_rel(book, "kinetic energy after 3 steps [J]", all.kinetic, strict.kinetic, 1.0 / 3.0);
    cn_scale_solve how = {.def = cn_solver_def_default(), .from_guess = true};
    how.def.accuracy = CN_ACCURACY_QUAKE;
    how.def.h = s.h;
    cn_scale_answer by_auto = cn_scale_again(&s, &how);
    how.def.method = CN_METHOD_NNCG;
    cn_scale_answer by_nncg = cn_scale_again(&s, &how);
    cn_say(book, "the third again: auto %d, nncg %d sweeps%s", by_auto.sweeps, by_nncg.sweeps,
           by_nncg.is_converged ? "" : ", not converged");
    cn_check(book, "sweeps of auto over those of nncg", (double)by_auto.sweeps / by_nncg.sweeps,
             0.0, 1.2);
    cn_scale_end(&s);
}
