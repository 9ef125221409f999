// world/one_user.c -- one call at a time uses a world. A step runs functions of the caller (loads,
// is_interrupted, memory hooks); what they or another thread ask of the world meanwhile is refused,
// since it would pull away what the step stands on.
#include "world/world.h"

cn_status cn_world_check_free(const cn_world *w, const char *function, cn_error *err)
{
    return atomic_load(&w->is_taken)
               ? cn_fail(err, CN_BAD_INPUT,
                         "%s: the world is inside a step, of this thread (a function that the step "
                         "calls) or of another one; wait until it has ended",
                         function)
               : CN_OK;
}

cn_status cn_world_take(cn_world *w, const char *function, cn_error *err)
{
    return atomic_exchange(&w->is_taken, true) ? cn_world_check_free(w, function, err) : CN_OK;
}

void cn_world_give(cn_world *w)
{
    atomic_store(&w->is_taken, false);
}

bool cn_world_refuses(cn_world *w, const char *function)
{
    bool is_taken = atomic_load(&w->is_taken);
    if (is_taken) {
        atomic_store(&w->refused, function);
    }
    return is_taken;
}

cn_status cn_world_check_refused(cn_world *w, cn_error *err)
{
    const char *function = atomic_exchange(&w->refused, NULL);
    return function == NULL ? CN_OK
                            : cn_fail(err, CN_BAD_INPUT,
                                      "%s was called inside a step and did nothing: call it "
                                      "between steps",
                                      function);
}
