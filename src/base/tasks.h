// base/tasks.h -- how threads share loops so that no result knows their number.
//
// A loop whose turns touch different things is shared as it is. A sum is cut into segments whose
// ends depend on its length alone; whoever comes by adds up a segment, and the segments are added
// in order. So one, two or eight threads give the same bits.
#pragma once

#include <stdint.h>

enum { CN_SEGMENTS = 64 };

// First item of segment k of `count` items; k may be CN_SEGMENTS: the end.
static inline int cn_segment_start(int count, int k)
{
    return (int)((int64_t)count * k / CN_SEGMENTS);
}

// Threads that share `count` items if each is to have `least` of them: waking a thread takes some
// ten microseconds, so a small loop is faster alone.
static inline int cn_share(int thread_count, int64_t count, int64_t least)
{
    int64_t most = count / least;
    int64_t shared = thread_count < most ? thread_count : most;
    return shared > 1 ? (int)shared : 1;
}

// for (int k = 0; k < count; k++) statement, shared by threads; clauses are those of OpenMP, in
// parentheses. One thread goes without OpenMP, which calls the system even for one.
#define CN_SHARED_FOR(threads, clauses, k, count, ...)                                             \
    do {                                                                                           \
        if ((threads) > 1) {                                                                       \
            CN_PRAGMA(omp parallel for num_threads(threads) CN_CLAUSES clauses)                    \
            for (int k = 0; k < (count); k++)                                                      \
                __VA_ARGS__                                                                        \
        } else {                                                                                   \
            for (int k = 0; k < (count); k++)                                                      \
                __VA_ARGS__                                                                        \
        }                                                                                          \
    } while (0)

#define CN_CLAUSES(...) __VA_ARGS__
#define CN_PRAGMA(...) CN_PRAGMA_TEXT(__VA_ARGS__)
#define CN_PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)
