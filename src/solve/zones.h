// solve/zones.h -- contacts cut into zones that threads may visit at the same time (theory 5.3).
//
// Contacts are cut into blocks along the order of visits. A body belongs to the block that names it
// first. Contacts inside one block are its interior zone, those between two blocks the zone of that
// pair. Interiors share no body, so they form one phase; the zones of pairs are coloured so that
// each colour is a phase as well. All follows from the problem alone, so a sweep that visits phase
// after phase gives the same bits for any number of threads.
#pragma once

#include "base/memory.h"

typedef struct cn_zones {
    int *item;        // contacts, zone after zone, in the order of visits within each; batch.c puts
                      // the packed constraints there, batch after batch
    int *start;       // first item of each zone, zone_count + 1
    int *phase_start; // first zone of each phase, phase_count + 1
    int zone_count, phase_count;
    // scratch
    int *owner;     // block of each body, -1: not met
    int *pair;      // of each zone of a pair: both blocks, next zone of the first block, colour
    int *first;     // first zone of a pair of each block, -1: none
    uint64_t *used; // colours that each block has used
    size_t item_capacity, start_capacity, phase_start_capacity;
    size_t owner_capacity, pair_capacity, first_capacity;
    size_t used_capacity;
} cn_zones;

// Contact k acts on bodies body[2k] and body[2k+1], -1: none that moves. zone_of is room for one
// number per contact: its zone, before and after sorting by phase.
cn_status cn_zones_build(cn_zones *s, const cn_hooks *hooks, int count, const int *body,
                         int body_count, int *zone_of, cn_error *err);
void cn_zones_release(cn_zones *s, const cn_hooks *hooks);
