// solve/problem/regime.h -- what a contact problem is like, for the policy of auto.c: signs of
// rest, of friction and of deformable bodies. All are read off the problem and the present iterate.
#pragma once

#include "solve/solver.h"

// Status of a packed constraint at p->r and s->u; slower than v_small is not sliding [m/s].
cn_contact_status cn_packed_status(const cn_solver *s, const cn_problem *p, const cn_packed *c,
                                   double v_small);

// Rows that contacts hold, over the columns of the matrix (linear_system.h): degrees of freedom, or
// all rows where W is stored.
double cn_hyperstaticity(const cn_solver *s, const cn_problem *p);

// The same if all constraints held: what a long chain of bodies at rest comes to, whose ends the
// first sweeps have not reached.
double cn_hyperstaticity_bound(const cn_solver *s);

// Whether the bodies are near rest, for all that is known: their velocity against v_ref [m/s], or
// what is left of the free one.
bool cn_is_slow(const cn_solver *s, const cn_problem *p, double v_ref);

// Whether there are bodies that may be at rest, though sweeps do not show it. Where W is stored
// only what they have stopped tells.
bool cn_may_rest(const cn_solver *s, const cn_problem *p, double v_ref);

// Whether deformable bodies take part: bodies of more degrees of freedom than rigid ones, or rows
// that were condensed of such.
bool cn_has_deformable(const cn_problem *p);

// Whether no contact rubs, nor resists rolling.
bool cn_is_smooth(const cn_solver *s);

// Whether the first guess says anything.
bool cn_has_guess(const cn_problem *p);
