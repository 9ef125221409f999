// result/id_map.h -- from body ids to places in a list, as a sorted array.
#pragma once

#include "base/shared.h"
#include "cairn/body.h"

typedef struct cn_id_place {
    cn_body_id id;
    int64_t place;
} cn_id_place;

typedef struct cn_id_map {
    cn_id_place *entry;
    size_t count, capacity;
} cn_id_map;

// Entries are found only after the next cn_id_map_sort.
CN_SHARED cn_status cn_id_map_add(cn_id_map *map, cn_body_id id, int64_t place, cn_error *err);
CN_SHARED void cn_id_map_sort(cn_id_map *map);

// -1 if the id is not there; of several places of an id the first one, or the last one below `end`
// if there is one.
CN_SHARED int64_t cn_id_map_find(const cn_id_map *map, cn_body_id id);
CN_SHARED int64_t cn_id_map_last(const cn_id_map *map, cn_body_id id, int64_t end);
CN_SHARED void cn_id_map_free(cn_id_map *map);
