// result/hdf/planes.h -- shuffled rows deflated plane by plane.
//
// A plane holds one byte of every row. The low bytes of coordinates and velocities are random: to
// look for repetitions in them takes most of the time of deflate and finds nothing. Such planes are
// stored as they are inside the same zlib stream, which any program inflates.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Most bytes that `row_count` rows of `row_size` bytes take.
size_t cn_planes_bound(size_t row_size, size_t row_count);

// Deflates the planes (cn_shuffle) into `to`, which has room for the bound. False without memory.
bool cn_planes_deflate(const unsigned char *planes, size_t row_size, size_t row_count,
                       unsigned char *to, size_t *length);
