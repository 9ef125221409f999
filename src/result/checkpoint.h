// result/checkpoint.h -- checkpoint files from plain parts; the public calls take a world
// (world_file.c).
#pragma once

#include "cairn/file.h"
#include "cairn/result.h"

// Writes the file of the claim, which stays; or takes and gives back the claim on `path`.
cn_status cn_checkpoint_put(cn_claim *claim, const cn_state_part *state, int state_count,
                            const cn_state_part *extra, int extra_count, cn_error *err);
cn_status cn_checkpoint_save(const char *path, const cn_state_part *state, int state_count,
                             const cn_state_part *extra, int extra_count, cn_error *err);

// The parts that belong to the world.
const cn_state_part *cn_checkpoint_state(const cn_checkpoint *checkpoint, int *count);
