// solve/sweep/batch.h -- the contacts of a sweep as batches of four that share no body (simd.h),
// zone by zone (zones.h).
#pragma once

#include "base/memory.h"
#include "solve/sweep/simd/simd.h"
#include "solve/sweep/zones.h"

struct cn_solver;
struct cn_packed;

// A packed constraint that is visited alone, and where its numbers start in the stream of the
// solver.
typedef struct cn_lone {
    int packed, at;
} cn_lone;

typedef struct cn_batches {
    cn_zones zones;
    cn_batch *batch;
    double *stream;
    int *zone_start;  // first batch of each zone, zone_count + 1
    int *zone_closed; // behind the last batch of each zone that is not idle (open_contacts.h)
    cn_lone *rest;    // what is visited one by one
    int batch_count, rest_count;
    uint64_t *taken;      // scratch: open batches that name each body
    int64_t stream_count; // doubles
    size_t batch_capacity, stream_capacity, zone_start_capacity, rest_capacity, taken_capacity;
    size_t zone_closed_capacity;
    cn_large large_stream; // large pages of it
} cn_batches;

// Memory that lasts until records are written: it is theirs.
cn_status cn_batches_room(struct cn_solver *s, size_t bytes, void **room, cn_error *err);

// The packed constraint in a lane of a batch.
const struct cn_packed *cn_batch_member(const struct cn_solver *s, const cn_batch *batch, int lane);

// Sorts the packed constraints of s into batches and the rest, and writes the records.
cn_status cn_batches_build(struct cn_solver *s, const cn_problem *p, cn_error *err);

// Finds out which batches of a zone share no body with the one before them (cn_batch).
void cn_batches_part(cn_batches *b, int zone);

// The shifts in the record of a batch, row by row.
cn_four *cn_batch_shift(const cn_batches *b, const cn_batch *batch);

void cn_batches_release(cn_batches *b, const cn_hooks *hooks);
