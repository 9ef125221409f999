// validation/e13_bridges.c -- E13, E14, E15: bridges of 2664 and 16 146 blocks.
//
// Question: how much work is it to find what a bridge stands by, knowing nothing of it, and does it
// stand from then on? References, of which each is a bound: 0.35 of the sweeps of `nncg` for 2664
// blocks (E13), 400 sweeps for 16 146 (E14); ten steps with 600 sweeps in the first and 50 in all
// others, kinetic energy exactly zero from the second on (E15). Accuracy `masonry`, natural error
// at most 1e-8. Source: derived here.
#include "scale_rig.h"
#include "table.h"

// Three tiers over each other. `spans` of the lower two, 4 to one of the upper; more stones across.
static cn_scale_scene build(cn_book *book, int spans, int high, int across)
{
    const double h = 2e-3;
    char text[2048];
    snprintf(text, sizeof text,
             "cairn: 1\n"
             "dimension: 3\n"
             "materials: {stone: {density: 2300}}\n"
             "laws: {dry: {type: coulomb, friction: 0.7}}\n"
             "contacts: [{between: [any, any], law: dry}]\n"
             "bodies: {bridge: {material: stone, generate: {aqueduct: {tiers: [\n"
             "  {spans: %d, span: 18.5, pier: 5.5, height: 12, voussoirs: 31, thickness: 1.6, "
             "cover: 1.2, course: 0.7, width: 6.4, stones: %d},\n"
             "  {spans: %d, span: 18.5, pier: 5.5, height: 9, voussoirs: 31, thickness: 1.5, "
             "cover: 1.2, course: 0.7, width: 4.6, stones: %d},\n"
             "  {spans: %d, span: 4.5, pier: 1.7, height: 2, voussoirs: 13, thickness: 0.75, "
             "cover: 2, course: 0.6, width: 3, stones: %d}]}}}}\n"
             "solver: {accuracy: masonry}\n"
             "stages: [{step: %g, duration: 1}]\n",
             spans, 2 * across, spans + high, (3 * across + 1) / 2, 4 * (spans + high) - 1, across,
             h);
    return cn_scale_begin(book, text, h);
}

static cn_scale_answer solve_by(cn_scale_scene *s, cn_method method)
{
    cn_scale_solve how = {.def = cn_solver_def_default()};
    how.def.method = method;
    how.def.accuracy = CN_ACCURACY_MASONRY;
    how.def.h = s->h;
    how.def.sweep_max = 3000; // that sweeps alone need more is enough to know
    cn_scale_answer answer = cn_scale_again(s, &how);
    cn_say(s->book, "%s from zero: %d sweeps, natural error %.1e%s", cn_method_name(method),
           answer.sweeps, answer.natural, answer.is_converged ? "" : ", not converged");
    return answer;
}

void cn_case_E13(cn_book *book)
{
    cn_scale_scene s = build(book, 2, 0, 1);
    cn_scale_steps(&s, 1);
    cn_scale_answer all = solve_by(&s, CN_METHOD_AUTO), nncg = solve_by(&s, CN_METHOD_NNCG);
    cn_check_true(book, "auto gets there", all.is_converged);
    cn_check(book, "sweeps of auto over those of nncg", (double)all.sweeps / nncg.sweeps, 0.0,
             0.35);
    cn_check(book, "natural error", all.natural, 0.0, 1e-8);
    cn_scale_end(&s);
}

void cn_case_E14(cn_book *book)
{
    cn_scale_scene s = build(book, 6, 3, 2);
    cn_scale_steps(&s, 1);
    cn_scale_answer all = solve_by(&s, CN_METHOD_AUTO);
    cn_check_true(book, "auto gets there", all.is_converged);
    cn_open(book, "iterations of admm crawl until all statuses are found, 275 of them here");
    cn_check(book, "sweeps from zero", all.sweeps, 0.0, 400.0);
    cn_check(book, "natural error", all.natural, 0.0, 1e-8);
    cn_scale_end(&s);
}

void cn_case_E15(cn_book *book)
{
    cn_scale_scene s = build(book, 2, 0, 1);
    cn_scale_count first = cn_scale_steps(&s, 1), second = cn_scale_steps(&s, 1);
    cn_scale_count rest = cn_scale_steps(&s, 8);
    cn_check(book, "sweeps of the first step", first.sweeps, 0.0, 600.0);
    cn_check(book, "sweeps of steps 2 to 10", second.sweeps + rest.sweeps, 0.0, 50.0);
    const char *tied = "blocks whose contacts hardly press are not tied: they move by rounding";
    cn_open(book, tied);
    cn_check(book, "kinetic energy after 2 steps [J]", second.kinetic, 0.0, 0.0);
    cn_open(book, tied);
    cn_check(book, "kinetic energy after 10 steps [J]", rest.kinetic, 0.0, 0.0);
    cn_check(book, "penetration [m]", fmax(first.penetration, rest.penetration), 0.0, 1e-8);
    cn_scale_end(&s);
}
