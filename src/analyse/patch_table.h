// analyse/patch_table.h -- what the tables of patches and of cracks are written with.
#pragma once

#include <stdio.h>

#include "cairn/patch.h"

// A cell with the name of a body, or its number.
void cn_print_body(FILE *out, const cn_reader *reader, cn_body_id id);

// Cells of dim numbers.
void cn_print_vector(FILE *out, const double *a, int dim);
