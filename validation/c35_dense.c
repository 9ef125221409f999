// validation/c35_dense.c -- C35: 5000 disks of a dense pack under two loaded walls.
//
// Question: is a dense sample with friction solved that two walls of 780 kg press with 10 kPa, and
// what is its motion worth? Reference: no step missed, at most 16 000 sweeps, penetration below
// 1e-3 of a diameter, and the kinetic energy within 1 % of a run that is asked for 1e-2 of the
// worst contact instead. A figure of speed, not of truth: the strict run does not converge either.
#include "scene_rig.h"
#include "table.h"

static const char pressed[] =
    "cairn: 1\n"
    "dimension: 2\n"
    "gravity: none\n"
    "params: {p: 1e4}\n"
    "materials: {grain: {density: 2600}}\n"
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"
    "contacts: [{between: [grains, any], law: dry}, {between: [walls, walls], law: none}]\n"
    "solver: {accuracy: %s}\n"
    "bodies:\n"
    "  bottom: {shape: {half_plane: {}}, fixed: true, group: walls}\n"
    "  left: {shape: {half_plane: {}}, rotation: \"=-pi/2\", fixed: true, group: walls}\n"
    "  right: {shape: {box: [0.1, 2]}, at: [0.75, 0.5], mass: 780, fixed: [y, rotation],\n"
    "          group: walls}\n"
    "  top: {shape: {box: [2, 0.1]}, at: [0.5, 0.85], mass: 780, fixed: [x, rotation],\n"
    "        group: walls}\n"
    "  grains:\n"
    "    generate: {pack: {inside: {box: [0.7, 0.74]}, method: dense, count: 5000, seed: 1,\n"
    "                      shape: {disk: {radius: {uniform: [0.004, 0.006]}}}}}\n"
    "    at: [0.35, 0.37]\n"
    "    material: grain\n"
    "stages:\n"
    "  - {step: 1e-3, duration: 0.03,\n"
    "     force: {right: {x: \"=-p*0.74\"}, top: {y: \"=-p*0.7\"}}}\n"
    "output: {every: 0.03}\n";

static cn_scene_trial press(cn_book *book, const char *accuracy, double number)
{
    char text[sizeof pressed + 16];
    snprintf(text, sizeof text, pressed, accuracy);
    return cn_scene_trial_run(book, text, number, (const char *[CN_SCENE_SET_MAX]){NULL});
}

void cn_case_C35(cn_book *book)
{
    const char *steps = "friction makes the step have several answers: sweeps stall";
    cn_scene_trial t = press(book, "packing", 1e-2), strict = press(book, "1e-2", 1e-2);
    cn_say(book, "packing: %lld steps missed, %lld sweeps; 1e-2: %lld and %lld",
           (long long)t.missed, (long long)t.sweeps, (long long)strict.missed,
           (long long)strict.sweeps);
    cn_open(book, steps);
    cn_check(book, "steps missed", (double)t.missed, 0.0, 0.0);
    cn_open(book, "what 16 000 sweeps do not solve takes 30 000");
    cn_check(book, "sweeps", (double)t.sweeps, 0.0, 16000.0);
    cn_check(book, "penetration over diameter", t.deepest, 0.0, 1e-3);
    cn_check_rel(book, "kinetic energy against the strict run [J/m]",
                 cn_scene_trial_last(&t, "kinetic"), cn_scene_trial_last(&strict, "kinetic"), 0.01);
    cn_scene_trial_end(&t);
    cn_scene_trial_end(&strict);
    cn_open_steps(book, steps);
}
