// solve/sweep/simd/record.h -- records of contacts (simd.h), made from the problem. A contact is
// taken apart to see which kernel fits it, and again to write its lane.
#pragma once

#include "solve/solver.h"

// Whether a packed constraint is a contact of balls that is given by its geometry; then *trace is
// that of W_aa, without compliance, and the normal is not coupled to the tangents.
bool cn_record_is_ball(const cn_problem *p, const cn_packed *c, double *trace);

// The kernel that visits a packed constraint, a cn_simd_kind; -1: none.
int cn_record_kind(const cn_solver *s, const cn_problem *p, const cn_packed *c);

// Of a record of four contacts [bytes].
size_t cn_record_size(int kind);

// Writes the record of a batch.
void cn_record_write(const cn_solver *s, const cn_problem *p, const cn_batch *batch);

// The same of W' and shift alone, after a change of c, b or u_free.
void cn_record_renumber(const cn_solver *s, const cn_problem *p, const cn_batch *batch);
