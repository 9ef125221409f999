// solve/sleep/locked.h -- bodies that stand still exactly (theory chapter 13, "Locked bodies").
//
// Impulses at rest are right to 1e-10 of the reference velocity, never to the last bit, and what
// they miss would move bodies by as much in every step: a high wall sways by it, since gravity acts
// on what leans, until it has to be solved again. But where contacts that stick tie bodies to the
// ground the law leaves no choice: their velocity is zero. So that is what they get.
#pragma once

#include "solve/solver.h"

// Marks the bodies that are tied to bodies which cannot move, at p->r and s->u: one after the
// other, each by constraints with one body that leave it no motion relative to that, stick with
// something to spare and miss their laws by no more than the limit [m/s]. *is_all: they are all
// that constraints act on.
cn_status cn_locked_find(cn_solver *s, const cn_problem *p, double limit, bool *is_all,
                         cn_error *err);

// Whether all bodies of constraint a stand still.
static inline bool cn_is_locked(const cn_solver *s, const cn_problem *p, int a)
{
    bool is_locked = s->has_locked; // then there are bodies
    for (int side = 0; side < 2 && is_locked; side++) {
        int body = p->W.factors.body[2 * a + side];
        is_locked = body < 0 || s->is_locked[body];
    }
    return is_locked;
}

// Of the last problem solved: for each body whether it stands still; NULL: none does.
const unsigned char *cn_solver_locked(const cn_solver *solver);
