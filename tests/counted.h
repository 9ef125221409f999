// tests/counted.h -- memory that counts what is asked of it, and may run out on request.
#pragma once

#include "cairn/cairn.h"

#include <stdlib.h>

typedef struct counted {
    long calls;        // blocks asked for, grown or new
    long fail_at;      // this call gets nothing; 0: none fails
    size_t held, most; // now, and at most so far [B]
} counted;

// A block is preceded by its size; two words keep it aligned.
static inline void *counted_resize(void *context, void *memory, size_t size)
{
    counted *c = context;
    size_t *block = memory != NULL ? (size_t *)memory - 2 : NULL;
    size_t before = block != NULL ? block[0] : 0;
    if (size == 0) {
        c->held -= before;
        free(block);
        return NULL;
    }
    c->calls++;
    block = c->calls == c->fail_at ? NULL : realloc(block, size + 2 * sizeof *block);
    if (block == NULL) {
        return NULL;
    }
    block[0] = size;
    c->held += size - before;
    c->most = c->held > c->most ? c->held : c->most;
    return block + 2;
}

static inline cn_hooks counted_hooks(counted *c)
{
    return (cn_hooks){counted_resize, c};
}
