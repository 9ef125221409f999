// world/interrupt.c -- what comes in and out of a step under way: requests to drop it, and its
// heart-beat.
#include <math.h>

#include "solve/solver.h"
#include "world/world.h"

void cn_world_set_beat(cn_world *w, double every, cn_beat_hook *hook, void *context)
{
    if (w != NULL) {
        w->beat = hook;
        w->beat_every = every;
        w->beat_context = context;
    }
}

void cn_world_name(const cn_world *w, int a, cn_body_id body[2], cn_joint_id *joint)
{
    const cn_bodies *b = &w->bodies;
    body[0] = body[1] = 0;
    *joint = 0;
    if (a >= 0 && a < w->contacts.count) {
        body[0] = b->id[w->contacts.contact[a].i];
        body[1] = b->id[w->contacts.contact[a].j];
        return;
    }
    for (int n = 0; n < w->joints.count && a >= 0; n++) { // a joint has up to three constraints
        const cn_link *link = &w->joints.link[n];
        int first = w->joints.step[n].constraint;
        if (first >= 0 && first <= a) {
            body[0] = b->id[link->i];
            body[1] = link->j < 0 ? 0 : b->id[link->j];
            *joint = (cn_joint_id)link->id;
        }
    }
}

// Tells how far the step is, if it is time to.
static void beat(cn_world *w)
{
    double now = w->beat != NULL ? cn_world_clock() : 0.0;
    if (w->beat == NULL || now - w->beat_last < w->beat_every) {
        return;
    }
    w->beat_last = now;
    cn_beat told = {.step = w->step + 1,
                    .time = w->t,
                    .seconds = now - w->step_begun,
                    .contact_count = w->problem.contact_count,
                    .error = NAN};
    int worst = -1;
    const cn_solve_progress *progress = w->solver->progress;
    if (progress != NULL) {
        told.is_solving = true;
        told.method = progress->chain[progress->chain_count > 0 ? progress->chain_count - 1 : 0];
        told.iteration_count = progress->iteration_count;
        told.sweep_count = progress->sweep_count;
        told.error = cn_progress_distance(progress, &progress->residual);
        worst = progress->residual.worst;
    }
    cn_world_name(w, worst, told.body, &told.joint);
    w->beat(w->beat_context, &told);
}

void cn_world_request_stop(cn_world *w)
{
    if (w != NULL) {
        atomic_store_explicit(&w->stop.is_asked, 1, memory_order_relaxed);
    }
}

void cn_world_watch_flag(cn_world *w, const volatile int *stop)
{
    if (w != NULL) {
        w->stop.flag = stop;
    }
}

bool cn_world_is_stopping(void *world)
{
    cn_world *w = world;
    beat(w);
    const cn_solver_def *def = &w->solver_def;
    if (def->is_interrupted != NULL && def->is_interrupted(def->context)) {
        cn_world_request_stop(w);
    }
    return cn_stop_is_asked(&w->stop);
}

cn_status cn_world_look_for_stop(cn_world *w, cn_error *err)
{
    return cn_world_is_stopping(w) ? cn_fail(err, CN_STOPPED, "stopped on request within a step")
                                   : CN_OK;
}

void cn_world_answer_stop(cn_world *w)
{
    atomic_store_explicit(&w->stop.is_asked, 0, memory_order_relaxed);
    cn_contact_hide(&w->contacts);
}
