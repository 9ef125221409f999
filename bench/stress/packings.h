// bench/stress/packings.h -- packings of grains, made by a simulation: the contact problem of a
// step.
#pragma once

#include "cairn/cairn.h"

typedef enum cn_grain { CN_GRAIN_DISK, CN_GRAIN_SPHERE, CN_GRAIN_HULL } cn_grain;

typedef struct cn_packing_def {
    cn_grain grain;
    int count;
    double mu;
    bool is_flowing; // a column of grains collapses sideways; else it settles in a box
    int steps;       // before the one that is taken
    uint64_t seed;
} cn_packing_def;

// Runs the simulation up to the step in question. The caller destroys the world.
cn_status cn_packing_make(const cn_packing_def *def, cn_world **world, cn_error *err);
