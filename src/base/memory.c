// base/memory.c
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 // Linux 6.1; older ones refuse it
#endif
#endif

void *cn_resize(const cn_hooks *hooks, void *memory, size_t size)
{
    if (hooks != NULL && hooks->resize != NULL) {
        return hooks->resize(hooks->context, memory, size);
    }
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

void cn_release(const cn_hooks *hooks, void *memory)
{
    if (memory != NULL) {
        cn_resize(hooks, memory, 0);
    }
}

void cn_release_all(void *const *memory, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        cn_release(NULL, memory[k]);
    }
}

static const size_t LARGE = (size_t)16 << 20; // [bytes]

cn_status cn_reserve_bytes(const cn_hooks *hooks, void **memory, size_t *capacity, size_t need,
                           size_t element_size, cn_error *err)
{
    if (need <= *capacity && *memory != NULL) {
        return CN_OK;
    }
    bool is_large = *capacity > LARGE / element_size; // fluctuates less, and slack costs more
    size_t grown = *capacity + *capacity / (is_large ? 32 : 8);
    size_t count = need > grown ? need : grown;
    if (count < 16) {
        count = 16;
    }
    if (count > SIZE_MAX / element_size) {
        return cn_fail(err, CN_NO_MEMORY, "an array of %zu elements does not fit in memory", need);
    }
    void *bigger = cn_resize(hooks, *memory, count * element_size);
    if (bigger == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory: %zu bytes were asked for",
                       count * element_size);
    }
    *memory = bigger;
    *capacity = count;
    return CN_OK;
}

void cn_large_ask(cn_large *known, const void *memory, size_t size, size_t room)
{
    if (size < LARGE || (known->at == memory && known->size >= size)) {
        return;
    }
    *known = (cn_large){memory, size};
#ifdef __linux__
    const uintptr_t page = 4096, large = (uintptr_t)2 << 20, start = (uintptr_t)memory;
    uintptr_t first = start / page * page, end = (start + room + page - 1) / page * page;
    if (madvise((void *)first, end - first, MADV_HUGEPAGE) == 0) {
        first = (start + large - 1) / large * large;
        end = (start + size) / large * large;
        madvise((void *)first, end - first, MADV_COLLAPSE); // pages that are there already
    }
#else
    (void)room;
#endif
}

void cn_scratch_give(cn_scratch_block *block, cn_scratch_user to)
{
    if (*to.array == NULL) {
        *to.array = block->memory;
        *to.capacity = block->memory != NULL ? block->size / to.element : 0;
        block->memory = NULL;
    }
}

void cn_scratch_take(cn_scratch_block *block, cn_scratch_user from)
{
    if (block->memory == NULL) {
        size_t size = *from.capacity * from.element;
        block->memory = *from.array;
        block->size = size > block->size ? size : block->size; // elements may not fill it
        *from.array = NULL;
        *from.capacity = 0;
    }
}
