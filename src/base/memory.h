// base/memory.h -- growing arrays over the caller's memory hooks, and the macros that pass errors
// up.
#pragma once

#include "base/shared.h"
#include "cairn/base.h"

// Passes a failure up.
#define CN_TRY(call)                                                                               \
    do {                                                                                           \
        cn_status cn_try_status = (call);                                                          \
        if (cn_try_status != CN_OK) {                                                              \
            return cn_try_status;                                                                  \
        }                                                                                          \
    } while (0)

// Goes on as long as all has gone well: where something has to be freed after a failure.
#define CN_THEN(status, call) ((status) = (status) == CN_OK ? (call) : (status))

// Every public function that returns a status begins with the pointers it cannot do without
// (cairn/base.h): CN_NEED(err, w, def) fails with the name of the first that is NULL.
#define CN_NEED(err, ...)                                                                          \
    CN_TRY(cn_need((err), __func__, #__VA_ARGS__,                                                  \
                   (int)(sizeof(const void *[]){__VA_ARGS__} / sizeof(const void *)),              \
                   (const void *[]){__VA_ARGS__}))
CN_SHARED cn_status cn_need(cn_error *err, const char *function, const char *names, int count,
                            const void *const *pointer);

// resize behaves like realloc, size 0 frees; hooks may be NULL.
CN_SHARED void *cn_resize(const cn_hooks *hooks, void *memory, size_t size);
CN_SHARED void cn_release(const cn_hooks *hooks, void *memory);

// CN_RELEASE(a, b, c) frees arrays that have no hooks; NULL is allowed.
#define CN_RELEASE(...)                                                                            \
    cn_release_all((void *const[]){__VA_ARGS__},                                                   \
                   sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
CN_SHARED void cn_release_all(void *const *memory, size_t count);

// Makes room for `need` elements. Grows by an eighth, large arrays by a thirty-second, so that a
// settled run stops allocating; new elements are not initialised; never leaves NULL, so that empty
// arrays can be copied. Contents and capacity are unchanged on failure.
CN_SHARED cn_status cn_reserve_bytes(const cn_hooks *hooks, void **memory, size_t *capacity,
                                     size_t need, size_t element_size, cn_error *err);

// An array that is read from end to end again and again, as the system knows it.
typedef struct cn_large {
    const void *at;
    size_t size; // [bytes]
} cn_large;

// Asks the system to hold an array of many megabytes in large pages, of which fewer have to be
// looked up; only once for the same array. A hint: it changes no value, and systems that know no
// such pages ignore it. It is given for the whole room, since the system cannot enlarge in place
// what is of two kinds; only what is used, `size`, is moved to large pages at once.
void cn_large_ask(cn_large *known, const void *memory, size_t size, size_t room);

// Memory that stages use one after the other; what one wrote is lost to the next.
typedef struct cn_scratch_block {
    void *memory;
    size_t size; // [bytes]
} cn_scratch_block;

// An array and its room, which live in such memory for a while.
typedef struct cn_scratch_user {
    void **array;
    size_t *capacity, element;
} cn_scratch_user;

// Gives the memory to an array that has none, and takes it back, perhaps grown.
void cn_scratch_give(cn_scratch_block *block, cn_scratch_user to);
void cn_scratch_take(cn_scratch_block *block, cn_scratch_user from);

// cn_reserve(hooks, &array, &capacity, need, err) with the element size taken from the pointer.
#define cn_reserve(hooks, array, capacity, need, err)                                              \
    cn_reserve_bytes((hooks), (void **)(array), (capacity), (need), sizeof **(array), (err))
