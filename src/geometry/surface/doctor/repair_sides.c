// geometry/surface/doctor/repair_sides.c -- orientation: neighbours are turned to the side of the
// first triangle of their patch (triangles joined by edges of two), the smaller share of each patch
// gives way. A patch that cannot be turned to one side (a Moebius strip) stays as it is.
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/surface/doctor/repair_steps.h"
#include "geometry/surface/nested_parts.h"

enum { UNSEEN = -1 };

typedef struct sides {
    const cn_repair *r;
    cn_topology topology;
    int *across; // the other half-edge of an edge of two, -1: none
    int *queue;
    int *is_turned; // UNSEEN, 0 or 1
    cn_tally tally, one_sided;
} sides;

static void find_across(sides *o)
{
    const cn_topology *topology = &o->topology;
    for (int n = 0; n < 3 * topology->s->triangle_count; n++) {
        o->across[n] = -1;
        o->is_turned[n / 3] = UNSEEN;
    }
    for (int e = 0; e < topology->edge_count; e++) {
        const int *half = topology->half + topology->edge_start[e];
        if (topology->edge_start[e + 1] - topology->edge_start[e] == 2) {
            o->across[half[0]] = half[1];
            o->across[half[1]] = half[0];
        }
    }
}

// Collects the patch of a triangle in the queue; false if it has one side only.
static bool walk(sides *o, int first, int *count, int *turned_count)
{
    const cn_surface *s = o->r->s;
    bool has_sides = true;
    *count = 0;
    *turned_count = 0;
    o->is_turned[first] = 0;
    o->queue[(*count)++] = first;
    for (int n = 0; n < *count; n++) {
        int t = o->queue[n];
        *turned_count += o->is_turned[t];
        for (int half = 3 * t; half < 3 * t + 3; half++) {
            if (o->across[half] < 0) {
                continue;
            }
            int u = o->across[half] / 3;
            bool is_against = cn_half_is_forward(s, half) == cn_half_is_forward(s, o->across[half]);
            int wanted = is_against ? !o->is_turned[t] : o->is_turned[t];
            if (o->is_turned[u] == UNSEEN) {
                o->is_turned[u] = wanted;
                o->queue[(*count)++] = u;
            }
            has_sides = has_sides && o->is_turned[u] == wanted;
        }
    }
    return has_sides;
}

static void turn(cn_surface *s, int t)
{
    int *corner = s->triangle + 3 * (size_t)t;
    int second = corner[1];
    corner[1] = corner[2];
    corner[2] = second;
}

// Walks over all patches first: turning changes the half-edges that the walk reads.
static void choose(sides *o)
{
    const cn_surface *s = o->r->s;
    for (int t = 0; t < s->triangle_count; t++) {
        int count, turned_count;
        if (o->is_turned[t] != UNSEEN) {
            continue;
        }
        bool has_sides = walk(o, t, &count, &turned_count);
        if (!has_sides) {
            cn_tally_add(&o->one_sided, cn_element_of(s, t));
        }
        bool is_swapped = 2 * (int64_t)turned_count > count;
        for (int n = 0; n < count; n++) {
            int *is_turned = &o->is_turned[o->queue[n]];
            *is_turned = has_sides && (*is_turned != 0) != is_swapped;
        }
    }
}

static cn_status turn_to_one_side(sides *o)
{
    cn_surface *s = o->r->s;
    size_t count = (size_t)s->triangle_count;
    o->across = malloc((3 * count + 1) * sizeof *o->across);
    o->queue = malloc((count + 1) * sizeof *o->queue);
    o->is_turned = malloc((count + 1) * sizeof *o->is_turned);
    if (o->across == NULL || o->queue == NULL || o->is_turned == NULL) {
        return cn_fail(o->r->err, CN_NO_MEMORY, "out of memory for %zu triangles", count);
    }
    find_across(o);
    choose(o);
    for (int t = 0; t < s->triangle_count; t++) {
        if (o->is_turned[t] == 1) {
            turn(s, t);
            cn_tally_add(&o->tally, cn_element_of(s, t));
        }
    }
    return CN_OK;
}

cn_status cn_repair_orientation(const cn_repair *r)
{
    sides o = {.r = r};
    CN_TRY(cn_topology_make(r->s, &o.topology, r->err));
    cn_status status = turn_to_one_side(&o);
    free(o.across);
    free(o.queue);
    free(o.is_turned);
    cn_topology_free(&o.topology);
    cn_repair_tell(r, &o.tally, "triangle", "turned to the side of the neighbours");
    cn_repair_tell(r, &o.one_sided, "surface", "with one side only left as it is, begins with");
    return status;
}

static cn_status turn_inverted(const cn_repair *r, const cn_topology *topology)
{
    cn_parts parts;
    cn_tally tally = {0};
    CN_TRY(cn_parts_make(topology, &parts, r->err));
    for (int k = 0; k < parts.count; k++) {
        const cn_part *part = &parts.part[k];
        if (cn_part_is_inverted(part)) {
            for (int n = 0; n < part->triangle_count; n++) {
                turn(r->s, parts.triangle[part->triangle_start + n]);
            }
            cn_tally_add(&tally, cn_element_of(r->s, part->first));
        }
    }
    cn_parts_free(&parts);
    cn_repair_tell(r, &tally, "part", "inside out turned, begins with");
    return CN_OK;
}

cn_status cn_repair_inverted(const cn_repair *r)
{
    cn_topology topology;
    CN_TRY(cn_topology_make(r->s, &topology, r->err));
    cn_status status = turn_inverted(r, &topology);
    cn_topology_free(&topology);
    return status;
}
