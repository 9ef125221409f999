// geometry/surface/hash_chain.c
#include "geometry/surface/hash_chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void link_item(cn_chain *chain, int item)
{
    int slot = (int)(chain->hash[item] & (uint64_t)(chain->slot_count - 1));
    chain->next[item] = chain->head[slot];
    chain->head[slot] = item;
}

static cn_status grow_slots(cn_chain *chain, cn_error *err)
{
    int slot_count = chain->slot_count > 0 ? 2 * chain->slot_count : 16;
    int *head = realloc(chain->head, (size_t)slot_count * sizeof *head);
    if (head == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a table of %d entries", slot_count);
    }
    memset(head, 0xff, (size_t)slot_count * sizeof *head); // -1
    chain->head = head;
    chain->slot_count = slot_count;
    for (int item = 0; item < chain->count; item++) {
        link_item(chain, item);
    }
    return CN_OK;
}

cn_status cn_chain_add(cn_chain *chain, uint64_t hash, cn_error *err)
{
    size_t need = (size_t)chain->count + 1;
    CN_TRY(cn_reserve(NULL, &chain->hash, &chain->hash_capacity, need, err));
    CN_TRY(cn_reserve(NULL, &chain->next, &chain->next_capacity, need, err));
    if (chain->count >= chain->slot_count) {
        CN_TRY(grow_slots(chain, err));
    }
    chain->hash[chain->count] = hash;
    link_item(chain, chain->count++);
    return CN_OK;
}

static int match(const cn_chain *chain, int item, uint64_t hash)
{
    while (item >= 0 && chain->hash[item] != hash) {
        item = chain->next[item];
    }
    return item;
}

int cn_chain_first(const cn_chain *chain, uint64_t hash)
{
    if (chain->slot_count == 0) {
        return -1;
    }
    return match(chain, chain->head[hash & (uint64_t)(chain->slot_count - 1)], hash);
}

int cn_chain_next(const cn_chain *chain, int item)
{
    return match(chain, chain->next[item], chain->hash[item]);
}

void cn_chain_free(cn_chain *chain)
{
    free(chain->hash);
    free(chain->next);
    free(chain->head);
    *chain = (cn_chain){0};
}
