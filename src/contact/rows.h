// contact/rows.h -- what a contact measures: axes, rows of H, relative velocities.
#pragma once

#include "contact/contacts.h"

enum { CN_ROWS_MAX = CN_ROW_MAX * 6 }; // entries of H of one body

// Velocities of bodies and nodes.
typedef struct cn_velocities {
    const double *body, *node;
} cn_velocities;

// Axes of the rows of moments (4.19): tangents for rolling, normal for spinning; in the plane z.
// Returns how many there are of a contact with that many rows.
int cn_contact_moment_axes(const cn_contact *x, int dim, int rows, cn_vec3 axis[3]);

// H of both bodies of contact a; of deformable ones it is axes at an anchor (11.4) and not written.
void cn_contact_rows(const cn_contacts *c, const cn_bodies *b, int a, double H_i[CN_ROWS_MAX],
                     double H_j[CN_ROWS_MAX]);

// u = H^T v of a contact (2.4), as many rows of it.
void cn_contact_velocity(const cn_contacts *c, const cn_bodies *b, int a, int rows,
                         const double *H_i, const double *H_j, cn_velocities v, double *u);

// State that the last step left for a law that keeps `count` numbers, NULL for a new contact. Where
// rules have changed there may be fewer: then it is as good as new.
const double *cn_contact_remembered(const cn_contacts *c, int a, int count);

// The same for the numbers of the law itself, moments apart; zeros for a new contact.
const double *cn_contact_old_state(const cn_contacts *c, const cn_law_entry *law, int a);
