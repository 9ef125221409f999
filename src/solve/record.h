// solve/record.h -- records of contacts (wide.h), made from the problem. A contact is taken apart
// to see which kernel fits it, and again to write its lane.
#pragma once

#include "solve/solver.h"

// The kernel that visits a packed constraint, a cn_wide_kind; -1: none.
int cn_record_kind(const cn_solver *s, const cn_problem *p, const cn_packed *c);

// Of a record of four contacts [bytes].
size_t cn_record_size(int kind);

// Writes the record of a batch.
void cn_record_write(const cn_solver *s, const cn_problem *p, const cn_batch *batch);
