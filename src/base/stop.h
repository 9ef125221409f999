// base/stop.h -- a request to drop what is under way, looked at by long loops.
//
// It may be raised by a signal handler or by another thread. Once seen it stays until it is
// answered, so that all who look agree.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cn_stop {
    atomic_int is_asked;
    const volatile int *flag; // of the caller, asks as well; NULL: none
} cn_stop;

static inline bool cn_stop_is_asked(cn_stop *stop)
{
    if (stop == NULL) {
        return false;
    }
    if (stop->flag != NULL && *stop->flag != 0) {
        atomic_store_explicit(&stop->is_asked, 1, memory_order_relaxed);
    }
    return atomic_load_explicit(&stop->is_asked, memory_order_relaxed) != 0;
}
