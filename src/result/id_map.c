// result/id_map.c
#include "result/id_map.h"

#include <stdlib.h>

#include "base/memory.h"

cn_status cn_id_map_add(cn_id_map *map, cn_body_id id, int64_t place, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &map->entry, &map->capacity, map->count + 1, err));
    map->entry[map->count++] = (cn_id_place){id, place};
    return CN_OK;
}

// Equal ids keep the order of their places, whatever the sort does.
static int compare(const void *a, const void *b)
{
    const cn_id_place *x = a;
    const cn_id_place *y = b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

void cn_id_map_sort(cn_id_map *map)
{
    if (map->count > 0) {
        qsort(map->entry, map->count, sizeof map->entry[0], compare);
    }
}

// First entry of an id, or where it would be.
static size_t first_of(const cn_id_map *map, cn_body_id id)
{
    size_t low = 0;
    size_t high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->entry[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t cn_id_map_find(const cn_id_map *map, cn_body_id id)
{
    size_t first = first_of(map, id);
    return first < map->count && map->entry[first].id == id ? map->entry[first].place : -1;
}

int64_t cn_id_map_last(const cn_id_map *map, cn_body_id id, int64_t end)
{
    int64_t place = cn_id_map_find(map, id);
    size_t k = place >= 0 ? first_of(map, id) + 1 : map->count;
    for (; k < map->count && map->entry[k].id == id && map->entry[k].place < end; k++) {
        place = map->entry[k].place;
    }
    return place;
}

void cn_id_map_free(cn_id_map *map)
{
    cn_release(NULL, map->entry);
    *map = (cn_id_map){0};
}
