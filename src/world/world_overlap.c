// world/world_overlap.c -- asks the audit for overlaps that contacts do not know (9.11 to 9.14).
#include <stdlib.h>

#include "audit/overlap/overlap.h"
#include "contact/interface.h"
#include "world/world.h"

typedef struct meeting {
    const cn_bodies *b;
    cn_rules rules;
    const cn_contacts *c;
} meeting;

static int compare_pairs(const void *p, const void *q)
{
    uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;
    return (a > b) - (a < b);
}

// Whether no impulse can move anything of the body, of meshes included.
static bool is_still(const cn_bodies *b, int i)
{
    unsigned all = b->dim == 2 ? 1u << CN_DOF_X | 1u << CN_DOF_Y
                               : 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_Z;
    return b->deformable[i] < 0 ? cn_body_is_held(b, i)
                                : (b->deformables->body[b->deformable[i]].fixed & all) == all;
}

// What the scene says of a pair: bodies that cannot move and those that ignore each other may
// overlap.
static bool may_meet(const void *context, int i, int j)
{
    const meeting *m = context;
    int law = m->rules.law[m->rules.group_count * m->b->group[i] + m->b->group[j]];
    uint64_t pair = cn_pair_apart(i, j);
    return law >= 0 && !(is_still(m->b, i) && is_still(m->b, j)) &&
           (m->rules.apart_count == 0 ||
            bsearch(&pair, m->rules.apart, (size_t)m->rules.apart_count, sizeof pair,
                    compare_pairs) == NULL);
}

// How far apart the places of a contact on both bodies may be.
static double held_apart(const void *context, int a)
{
    const meeting *m = context;
    return cn_interface_apart(m->c, &m->rules.entry[m->c->contact[a].law], a);
}

cn_status cn_world_overlap(cn_world *w, cn_overlap *overlap, cn_error *err)
{
    CN_NEED(err, w, overlap);
    if (!w->is_set_up) {
        return cn_fail(err, CN_BAD_INPUT,
                       "no contacts were looked for since the world was made or changed: make a "
                       "step before asking for overlaps");
    }
    meeting m = {.b = &w->bodies, .c = &w->contacts};
    CN_TRY(cn_world_rules(w, &m.rules, err));
    const cn_contacts *c = &w->contacts;
    cn_deep_input in = {.b = &w->bodies,
                        .contact_count = c->count,
                        .found = c->found,
                        .contact = c->contact,
                        .is_fast = c->is_fast,
                        .is_at_start = c->is_at_start,
                        .h = c->h,
                        .held_apart = held_apart,
                        .may_meet = may_meet,
                        .context = &m};
    CN_TRY(cn_deep_look(&in, overlap, err));
    cn_overlap end;
    in.is_end = true;
    CN_TRY(cn_deep_look(&in, &end, err));
    if (end.unseen.rel > overlap->unseen.rel) {
        overlap->unseen = end.unseen;
    }
    overlap->point_count += end.point_count;
    w->certificate.has_overlap = true;
    w->certificate.overlap = *overlap;
    return CN_OK;
}

bool cn_overlap_is_missed(const cn_overlap *overlap)
{
    return overlap != NULL &&
           (overlap->unseen.rel > CN_OVERLAP_MISSED || overlap->phantom.rel > CN_OVERLAP_MISSED);
}
