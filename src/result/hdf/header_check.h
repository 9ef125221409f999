// result/hdf/header_check.h -- may HDF5 decode the header of an object?
//
// HDF5 1.10 believes what stands in headers with a right checksum: it divides by the sides of
// chunks and copies names up to the next zero byte, wherever that is. So the messages of a header
// are walked here before it sees them.
#pragma once

#include "cairn/base.h"

// False: a message of the header of version 2 at this address of an open file goes beyond its end,
// or says what HDF5 cannot bear. True as well for what is no such header.
bool cn_header_is_sound(int descriptor, uint64_t address);

// Bytes of the first part of that header, from its signature to its checksum; 0 if there is none.
uint64_t cn_header_length(int descriptor, uint64_t address);
