// base/slices.c -- see slices.h.
#include "base/slices.h"

#include <string.h>

// Slices per thread, so that whoever has less to do takes more of them.
enum { PER_THREAD = 4 };

cn_status cn_slice_room(cn_slice *slice, size_t more, cn_error *err)
{
    size_t need = slice->count + more;
    if (need <= slice->capacity) {
        return CN_OK;
    }
    if (slice->may_grow) {
        return cn_reserve_bytes(slice->hooks, &slice->item, &slice->capacity, need, slice->element,
                                err);
    }
    slice->wanted = 2 * need;
    return CN_NO_MEMORY;
}

int cn_slices_count(int thread_count)
{
    int count = thread_count == 1 ? 1 : PER_THREAD * thread_count;
    return count < CN_SLICE_MAX ? count : CN_SLICE_MAX;
}

// One slice that is the list.
static cn_status fill_whole(const cn_hooks *hooks, cn_slice_fill *fill, void *context, cn_list list,
                            cn_error *err)
{
    cn_slice whole = {.hooks = hooks,
                      .may_grow = true,
                      .item = *list.item,
                      .element = list.element,
                      .capacity = *list.capacity};
    cn_status status = fill(context, 0, 1, &whole, err);
    *list.item = whole.item;
    *list.capacity = whole.capacity;
    *list.count = whole.count;
    return status;
}

static void fill_open(cn_slices *slices, int count, int thread_count, cn_slice_fill *fill,
                      void *context)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count)
    for (int k = 0; k < count; k++) {
        cn_slice *slice = &slices->slice[k];
        if (slice->is_open) {
            slice->count = slice->wanted = 0;
            slice->status = fill(context, k, count, slice, NULL);
        }
    }
}

// Closes the slices that are complete and gives room to the others; *is_full: some were not.
static cn_status make_room(cn_slices *slices, int count, cn_slice_fill *fill, void *context,
                           bool *is_full, cn_error *err)
{
    *is_full = false;
    for (int k = 0; k < count; k++) {
        cn_slice *slice = &slices->slice[k];
        slice->is_open = slice->wanted > 0;
        if (slice->is_open) {
            CN_TRY(cn_reserve_bytes(slice->hooks, &slice->item, &slice->capacity, slice->wanted,
                                    slice->element, err));
            *is_full = true;
        } else if (slice->status != CN_OK) { // once more, for its sentence
            slice->count = 0;
            return fill(context, k, count, slice, err);
        }
    }
    return CN_OK;
}

// Puts the slices one after the other.
static cn_status join(cn_slices *slices, const cn_hooks *hooks, int count, int thread_count,
                      cn_list list, cn_error *err)
{
    size_t start[CN_SLICE_MAX + 1] = {0};
    for (int k = 0; k < count; k++) {
        start[k + 1] = start[k] + slices->slice[k].count;
    }
    *list.count = start[count];
    CN_TRY(cn_reserve_bytes(hooks, list.item, list.capacity, start[count], list.element, err));
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count)
    for (int k = 0; k < count; k++) {
        const cn_slice *slice = &slices->slice[k];
        if (slice->count > 0) {
            memcpy((char *)*list.item + start[k] * list.element, slice->item,
                   slice->count * list.element);
        }
    }
    return CN_OK;
}

cn_status cn_slices_fill(cn_slices *slices, const cn_hooks *hooks, int thread_count,
                         cn_slice_fill *fill, void *context, cn_list list, cn_error *err)
{
    *list.count = 0;
    if (thread_count == 1) {
        return fill_whole(hooks, fill, context, list, err);
    }
    int count = cn_slices_count(thread_count);
    for (int k = 0; k < count; k++) {
        slices->slice[k].hooks = hooks;
        slices->slice[k].element = list.element;
        slices->slice[k].is_open = true;
    }
    for (bool is_full = true; is_full;) {
        fill_open(slices, count, thread_count, fill, context);
        CN_TRY(make_room(slices, count, fill, context, &is_full, err));
    }
    return join(slices, hooks, count, thread_count, list, err);
}

void cn_slices_free(cn_slices *slices, const cn_hooks *hooks)
{
    for (int k = 0; k < CN_SLICE_MAX; k++) {
        cn_release(hooks, slices->slice[k].item);
    }
    *slices = (cn_slices){0};
}
