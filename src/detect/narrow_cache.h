// detect/narrow_cache.h -- what detection remembers of pairs of shapes from one look to the next.
//
// Hints are guesses that save work and change no result: they are not part of the state, and wrong
// or lost ones do no harm. Points of polyhedra that have not moved since they were found are those
// that would be found again, bit for bit.
#pragma once

#include "base/memory.h"
#include "body/bodies.h"
#include "detect/space/narrow_space.h"

// How points of a pair of shapes are asked for; the result depends on this and on the two poses.
typedef struct cn_asked {
    int s, t;
    double reach, sweep; // [m]; not a number: points are not to be kept
} cn_asked;

typedef struct cn_hint_entry {
    uint64_t pair; // shapes, the lower one in the upper half; all bits set: empty
    uint16_t kind, first, second, count;
    double reach, sweep; // as its points were asked for [m]
    size_t start;        // of its `count` points in `kept`; SIZE_MAX: they are not kept
} cn_hint_entry;

// Tables with open addressing: `old` of the last look, `now` of this one.
typedef struct cn_narrow_cache {
    const cn_hooks *hooks;
    cn_hint_entry *old, *now;
    size_t old_size, now_size; // powers of two, or 0
    size_t old_capacity, now_capacity;
    // of bodies, at the last look and now
    int body_count;
    double *q;                 // q_size of each, q_mid
    uint64_t *id;              // body_count
    unsigned char *is_unmoved; // body_count: q_mid is what it was, to the last bit
    size_t q_capacity, id_capacity, unmoved_capacity;
    cn_touch3 *kept; // kept_count points of pairs that have not moved
    size_t kept_count, kept_capacity;
} cn_narrow_cache;

void cn_narrow_cache_free(cn_narrow_cache *h);

// Begins a look at up to `count` pairs: what was kept in the last one can be found from now on.
cn_status cn_narrow_cache_begin(cn_narrow_cache *h, size_t count, cn_error *err);

// Compares q_mid of bodies in space with that of the last look, which the next one is compared
// with.
cn_status cn_narrow_cache_see(cn_narrow_cache *h, const cn_bodies *b, cn_error *err);

// What the last look kept of a pair, or nothing.
cn_hint cn_narrow_cache_find(const cn_narrow_cache *h, int s, int t);

// Keeps a hint for the next look. Threads may keep hints of different pairs at the same time.
void cn_narrow_cache_keep(cn_narrow_cache *h, const cn_asked *asked, const cn_hint *hint);

// Points of a pair of bodies that have not moved, if the last look kept them and they were asked
// for in the same way, and their number; -1: to be found. Keeps the hint.
int cn_narrow_cache_again(cn_narrow_cache *h, const cn_asked *asked, cn_touch3 *touch);

// After the look: begins the list of points to be kept, and adds those of a pair, whose hint was
// kept in this look.
void cn_narrow_cache_begin_points(cn_narrow_cache *h);
cn_status cn_narrow_cache_keep_points(cn_narrow_cache *h, int s, int t, const cn_touch3 *touch,
                                      int count, cn_error *err);
