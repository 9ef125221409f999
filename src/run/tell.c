// run/tell.c -- what a run tells of its steps in the words of the scene: what one missed, and
// how far a long one is.
#include <stdio.h>
#include <string.h>

#include "run/run.h"

static const double beat_every = 5.0; // [s]

// The bodies between which a constraint acts, "" if there are none.
static void name_pair(const cn_scene *scene, const cn_body_id body[2], cn_joint_id joint,
                      char text[256])
{
    char name[2][96] = {"", ""};
    int count = 0;
    for (int side = 0; side < 2; side++) {
        if (body[side] > 0 && body[side] <= (cn_body_id)scene->body_count) {
            cn_scene_body_name(scene, (int)(body[side] - 1), name[count++]);
        }
    }
    text[0] = '\0';
    if (count > 0) {
        snprintf(text, 256, "%s '%s'%s%s%s", joint > 0 ? "the joint of" : "the contact of", name[0],
                 count > 1 ? " and '" : "", name[1], count > 1 ? "'" : "");
    }
}

// Advice to the user about a step that missed its accuracy.
static const char *advice(const cn_solver_report *solver)
{
    if (solver->criterion == CN_CRITERION_INFEASIBLE) {
        return "the bodies are wedged, or what is driven contradicts what is held";
    }
    if (solver->criterion == CN_CRITERION_JOINT) {
        return "joints or drives contradict each other, or the step is too long for the rate of "
               "turning";
    }
    return solver->is_work_limited
               ? "raise sweep_max of the solver or shorten the step"
               : "sweeps help no more: shorten the step, or ask for less with accuracy";
}

void cn_run_missed(const cn_run *run, char text[CN_MISSED_SIZE])
{
    const cn_certificate *c = cn_world_view(run->world).certificate;
    const cn_solver_report *s = &c->solver;
    char where[256], asked[64] = "";
    name_pair(run->scene, c->missed_body, c->missed_joint, where);
    const char *unit = s->criterion == CN_CRITERION_INFEASIBLE ? " m/s"
                       : s->criterion == CN_CRITERION_JOINT    ? " m"
                                                               : "";
    if (s->criterion != CN_CRITERION_INFEASIBLE) {
        snprintf(asked, sizeof asked, ", asked %.3g%s,", s->asked, unit);
    }
    snprintf(text, CN_MISSED_SIZE, "%s %.3g%s%s%s%s after %d sweeps; %s",
             cn_criterion_name(s->criterion), s->value, unit, asked, where[0] != '\0' ? " at " : "",
             where, s->sweep_count, advice(s));
}

static void tell_beat(void *context, const cn_beat *beat)
{
    const cn_run *run = context;
    char where[256];
    name_pair(run->scene, beat->body, beat->joint, where);
    run->def->beat(run->def->context, beat, where);
}

void cn_run_listen(cn_run *run)
{
    cn_world_watch_flag(run->world, run->def->stop);
    if (run->def->beat != NULL) {
        cn_world_set_beat(run->world, beat_every, tell_beat, run);
    }
}
