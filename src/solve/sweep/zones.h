// solve/sweep/zones.h -- contacts cut into zones that threads may visit at the same time
// (theory 8.3).
//
// Contacts are cut into blocks along the order of visits. A body belongs to the block that names it
// first. Contacts inside one block are its interior zone, those between two blocks the zone of that
// pair. Zones that share a block are visited one after the other, in an order that follows from the
// problem alone; others may be visited at the same time. So any number of threads gives the same
// bits, and nobody waits but for the blocks that he needs.
#pragma once

#include "base/memory.h"

enum { CN_BLOCK_MAX = 32, CN_ZONE_MAX = CN_BLOCK_MAX * (CN_BLOCK_MAX + 1) / 2 };

// The blocks of a zone, twice the same for an interior, and how many zones come before at each.
typedef struct cn_zone {
    int block[2], turn[2];
} cn_zone;

typedef struct cn_zones {
    int *item; // contacts, zone after zone, in the order of visits within each; batch.c puts the
               // packed constraints there, batch after batch
    int start[CN_ZONE_MAX + 1]; // first item of each zone
    cn_zone zone[CN_ZONE_MAX];
    int turn_count[CN_BLOCK_MAX]; // zones of each block
    int zone_count, block_count;
    int *owner; // scratch: block of each body, -1: not met
    size_t item_capacity, owner_capacity;
} cn_zones;

// Contact k acts on bodies body[2k] and body[2k+1], -1: none that moves. zone_of is room for one
// number per contact.
cn_status cn_zones_build(cn_zones *s, const cn_hooks *hooks, int count, const int *body,
                         int body_count, int *zone_of, cn_error *err);

// Calls visit(context, zone) for every zone, in their order or backwards, shared by threads.
void cn_zones_run(const cn_zones *s, int thread_count, bool is_backward,
                  void (*visit)(void *context, int zone), void *context);
void cn_zones_release(cn_zones *s, const cn_hooks *hooks);
