// audit/audit.h -- energy ledger, penetration and certificate of a step, theory chapter 9.
#pragma once

#include "body/bodies.h"
#include "cairn/view.h"
#include "contact/contacts.h"
#include "joint/joints.h"

// What a body brought or took between two steps, after step number `step`: its energy is in the
// totals of kinetic, potential, elastic and stored energy, and with the other sign in the row.
// Steps have none of it.
void cn_audit_flow(const cn_ledger *before, cn_energy_row row, int64_t step, cn_ledger *ledger);

// Kinetic and potential energy of the present state.
void cn_audit_start(cn_bodies *b, cn_ledger *ledger);

// The same after body i was added, without looking at all others again.
void cn_audit_add(cn_bodies *b, int i, cn_ledger *ledger);

// Adds the step to the ledger (9.2, 9.3): each row from its own formula.
void cn_audit_energy(const cn_contacts *c, const cn_joints *joints, const cn_law_entry *law,
                     double h, double theta, cn_bodies *b, cn_ledger *ledger);

// Adds to it, after that, what bodies lost by wear: change of their kinetic and potential energy,
// and the energy of what was worn off.
void cn_audit_wear(const double change[2], double taken, cn_ledger *ledger);

// Of a periodic cell (15.8): its kinetic energy; its rows of a step; and, as part of the impulse
// that each body got, what the flow of the cell took from it.
double cn_cell_kinetic(const cn_bodies *b);
void cn_audit_cell(const cn_bodies *b, double h, double *row);
void cn_cell_push_bodies(cn_bodies *b, double h);

// Moves what the springs of an elastic step took up to the storage row. p as assembled and as
// solved, its first `contact_count` constraints being contacts; the impulses that the step began
// with; *held: what the springs held before the step, and after it [J].
void cn_audit_springs(const cn_problem *p, const cn_problem *solved, const double *centre,
                      int contact_count, double *held, cn_ledger *ledger);

// The largest creep of contacts that stick (8.31).
void cn_audit_creep(const cn_contacts *c, const cn_bodies *b, cn_certificate *certificate);

// Joints that act and the largest gap that the step leaves (7.4).
void cn_audit_joints(const cn_joints *joints, cn_certificate *certificate);

// How far held and driven degrees of freedom are from what load/ told them (9.6).
void cn_audit_drives(const cn_bodies *b, double h, cn_certificate *certificate);

// Judges the step by physics: CN_BROKEN, with the bodies, if contacts give more than bodies can
// have gained (9.8), if bodies are deeper in each other than they are thick, or if what is driven
// is not where it was told to be (9.6). The ledger has the step; added_before: what the step before
// may have added to depths (9.5).
cn_status cn_audit_judge(const cn_contacts *c, const cn_bodies *b, const cn_ledger *ledger,
                         double added_before, cn_certificate *certificate, cn_error *err);

// Largest penetration and the bound on what the step may add (9.4, 9.5).
void cn_audit_penetration(const cn_contacts *c, const cn_bodies *b, double h,
                          cn_certificate *certificate);
