// bench/stress/stress.h -- the stress library of contact problems: what masonry, heavy loads and
// packings ask of a solver, from 10^2 to 10^6 contacts, made on the spot.
#pragma once

#include "cairn/cairn.h"
#include "masonry.h"
#include "packings.h"

// One problem of the library.
typedef struct cn_stress {
    const char *name;
    const char *about;
    int contacts;           // about so many
    made *(*build)(void);   // masonry, or
    cn_packing_def packing; // grains, if their count is not zero
} cn_stress;

// All of them, by size; *count receives how many.
const cn_stress *cn_stress_table(int *count);

// NULL if there is none of this name.
const cn_stress *cn_stress_find(const char *name);

// Makes the problem and writes it as a global FCLIB file; packings with their warm start.
cn_status cn_stress_write(const cn_stress *stress, const char *path, cn_error *err);
