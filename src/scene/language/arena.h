// scene/language/arena.h -- memory that is given back all at once. Blocks never move.
#pragma once

#include "cairn/base.h"

typedef struct cn_arena {
    struct cn_arena_block *block; // newest first
} cn_arena;

// Zeroed memory for `count` elements of `size` bytes, aligned for any type; NULL writes the error.
// A count of 0 gives a valid pointer.
void *cn_arena_take(cn_arena *arena, size_t count, size_t size, cn_error *err);

// A copy of `length` bytes with a zero after them.
char *cn_arena_text(cn_arena *arena, const char *text, size_t length, cn_error *err);

// printf into the arena.
char *cn_arena_print(cn_arena *arena, cn_error *err, const char *format, ...) CN_PRINTF(3, 4);

void cn_arena_free(cn_arena *arena);
