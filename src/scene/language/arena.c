// scene/language/arena.c
#include "scene/language/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cn_arena_block {
    struct cn_arena_block *next;
    size_t used, room;
    max_align_t data[];
} cn_arena_block;

// Blocks double up to BLOCK_MOST, which the system takes back when they are freed: small ones lie
// between others and stay.
enum { BLOCK_LEAST = 16384, BLOCK_MOST = 1 << 20, ALIGNMENT = _Alignof(max_align_t) };

static cn_arena_block *add_block(cn_arena *arena, size_t need, cn_error *err)
{
    size_t usual = arena->block == NULL ? BLOCK_LEAST : 2 * arena->block->room;
    usual = usual < BLOCK_MOST ? usual : BLOCK_MOST;
    size_t room = need > usual ? need : usual;
    cn_arena_block *block = calloc(1, sizeof *block + room);
    if (block == NULL) {
        cn_fail(err, CN_NO_MEMORY, "out of memory: %zu bytes were asked for", room);
        return NULL;
    }
    block->room = room;
    block->next = arena->block;
    arena->block = block;
    return block;
}

void *cn_arena_take(cn_arena *arena, size_t count, size_t size, cn_error *err)
{
    if (size > 0 && count > (SIZE_MAX - 2 * ALIGNMENT - sizeof(cn_arena_block)) / size) {
        cn_fail(err, CN_NO_MEMORY, "an array of %zu elements does not fit in memory", count);
        return NULL;
    }
    size_t need = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    cn_arena_block *block = arena->block;
    if (block == NULL || need > block->room - block->used) {
        block = add_block(arena, need, err);
        if (block == NULL) {
            return NULL;
        }
    }
    void *memory = (char *)block->data + block->used;
    block->used += need;
    return memory;
}

char *cn_arena_text(cn_arena *arena, const char *text, size_t length, cn_error *err)
{
    char *copy = cn_arena_take(arena, length + 1, 1, err);
    if (copy != NULL && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *cn_arena_print(cn_arena *arena, cn_error *err, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = cn_arena_take(arena, (size_t)(length < 0 ? 0 : length) + 1, 1, err);
    if (text != NULL) {
        vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, again);
    }
    va_end(again);
    return text;
}

void cn_arena_free(cn_arena *arena)
{
    cn_arena_block *block = arena->block;
    while (block != NULL) {
        cn_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->block = NULL;
}
