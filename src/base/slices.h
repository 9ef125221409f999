// base/slices.h -- a list that threads fill slice by slice.
//
// The slices are pieces of one walk: what they list, one after the other, is what a single thread
// lists, whatever the number of slices. Memory is taken by the caller's thread only: a slice that
// runs out of room stops, gets more and starts again. Room is kept, so a warm list allocates
// nothing.
#pragma once

#include "base/memory.h"

enum { CN_SLICE_MAX = 64 };

typedef struct cn_slice {
    const cn_hooks *hooks;
    bool may_grow; // at once: the only slice
    bool is_open;  // to be filled
    void *item;
    size_t element, count, capacity;
    size_t wanted; // room that it ran out of, 0: none
    cn_status status;
} cn_slice;

typedef struct cn_slices {
    cn_slice slice[CN_SLICE_MAX];
} cn_slices;

// A list: its items, their number and the room for them.
typedef struct cn_list {
    void **item;
    size_t element, *count, *capacity;
} cn_list;

// Lists what belongs to slice k of `count` slices, which is empty. It is asked again after it has
// failed for want of room.
typedef cn_status cn_slice_fill(void *context, int k, int count, cn_slice *slice, cn_error *err);

// Room for `more` items. A failure is for cn_slices_fill: pass it up.
cn_status cn_slice_room(cn_slice *slice, size_t more, cn_error *err);

// Slices that so many threads fill; one thread fills the whole list.
int cn_slices_count(int thread_count);

// Fills the list with the slices in order. With one thread it is filled in place. If slices fail,
// the first of them says why.
cn_status cn_slices_fill(cn_slices *slices, const cn_hooks *hooks, int thread_count,
                         cn_slice_fill *fill, void *context, cn_list list, cn_error *err);
void cn_slices_free(cn_slices *slices, const cn_hooks *hooks);
