// contact/resume.c -- a step that is solved again with contacts found anew goes on from the
// impulses that it has found (4.47).
//
// In an impact what the last step left says little. What the solve gave each contact waits here, in
// the world frame, sorted by name, until the contacts are listed again.
#include "base/hash.h"
#include "base/radix.h"
#include "contact/contacts.h"

static uint64_t name_of(uint64_t pair, uint64_t feature)
{
    return cn_mix2(pair, feature);
}

cn_status cn_contact_keep_tried(cn_contacts *c, const cn_problem *p, cn_error *err)
{
    size_t count = (size_t)c->count;
    c->tried_count = 0;
    CN_TRY(cn_reserve(c->hooks, &c->tried, &c->tried_capacity, count, err));
    CN_TRY(cn_reserve(c->hooks, &c->tried_order, &c->tried_order_capacity, 2 * count, err));
    uint64_t differing = 0;
    for (int a = 0; a < c->count; a++) {
        const cn_contact *x = &c->contact[a];
        const double *r = p->r + c->row_start[a];
        cn_axes frame = cn_contact_axes(x, c->d);
        cn_vec3 sum = {0.0, 0.0, 0.0};
        for (int k = 0; k < c->d; k++) {
            sum = cn_add_mul3(sum, r[k], frame.axis[k]);
        }
        c->tried[a] = (cn_memory){x->pair, x->feature, {sum.x, sum.y, sum.z}};
        c->tried_order[a] = (cn_keyed){name_of(x->pair, x->feature), a};
        differing |= c->tried_order[a].key ^ c->tried_order[0].key;
    }
    cn_radix_sort(c->tried_order, c->count, differing, c->tried_order + count, 1);
    c->tried_count = c->count;
    return CN_OK;
}

// What was kept of a contact, NULL: nothing.
static const cn_memory *find_tried(const cn_contacts *c, const cn_contact *x)
{
    uint64_t name = name_of(x->pair, x->feature);
    int low = 0, high = c->tried_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->tried_order[middle].key < name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < c->tried_count && c->tried_order[low].key == name; low++) {
        const cn_memory *m = &c->tried[c->tried_order[low].item];
        if (m->pair == x->pair && m->feature == x->feature) {
            return m;
        }
    }
    return NULL;
}

void cn_contact_resume(const cn_contacts *c, cn_problem *p)
{
    for (int a = 0; a < c->count; a++) {
        const cn_memory *m = find_tried(c, &c->contact[a]);
        double *r = p->r + c->row_start[a];
        cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
        for (int k = 0; m != NULL && k < c->d; k++) {
            r[k] = cn_dot3(cn_v3(m->r[0], m->r[1], m->r[2]), frame.axis[k]);
        }
    }
}
