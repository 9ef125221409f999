// solve/sweep/open_contacts.h -- contacts that stay open are skipped (theory chapter 13, "Open
// contacts").
//
// In a flow half of the contacts are open, and most of them stay so from step to step: their
// impulses are zero before and after a visit. They are gathered in batches of their own, and a
// batch of which every contact was open at the last full sweep is left out of the next few. Nothing
// is taken for granted: full sweeps come back to it, every measured residual counts every contact.
#pragma once

#include "solve/solver.h"

// Marks the contacts that are open at p->r and s->u, for the batches that are built next.
cn_status cn_open_contacts_guess(cn_solver *s, const cn_problem *p, cn_error *err);

// After a full sweep: moves the batches of each zone whose contacts are all open behind the others,
// out of the reach of cn_sweep_closed. Their momentum goes, with its image.
void cn_open_contacts_update(cn_solver *s, const cn_problem *p);
