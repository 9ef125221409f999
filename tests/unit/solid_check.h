// tests/unit/solid_check.h -- geometry of pieces in space, written apart from the generators:
// volume, depth of overlaps, and the area over which faces lie on each other.
#pragma once

#include <stdlib.h>

#include "generate/generate.h"
#include "test.h"
#include "unit/hull_oracle.h"

#define LOOP_MAX 64

// All pieces as hulls in the frame of the list.
typedef struct solids {
    int count;
    cn_hull **hull;
    cn_box3 *box;
    oracle_body *body;
} solids;

static inline cn_box3 box_of_hull(const cn_hull *h)
{
    cn_box3 box = {h->vertex[0], h->vertex[0]};
    for (int k = 1; k < h->vertex_count; k++) {
        cn_vec3 x = h->vertex[k];
        box.lo = cn_v3(fmin(box.lo.x, x.x), fmin(box.lo.y, x.y), fmin(box.lo.z, x.z));
        box.hi = cn_v3(fmax(box.hi.x, x.x), fmax(box.hi.y, x.y), fmax(box.hi.z, x.z));
    }
    return box;
}

static inline solids solids_of(const cn_pieces *pieces)
{
    solids s = {.count = pieces->count};
    s.hull = calloc((size_t)s.count, sizeof *s.hull);
    s.box = calloc((size_t)s.count, sizeof *s.box);
    s.body = calloc((size_t)s.count, sizeof *s.body);
    CN_TRUE(s.hull != NULL && s.box != NULL && s.body != NULL);
    const cn_mat3 none = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int k = 0; k < s.count; k++) {
        cn_solid_def solid = cn_piece_solid(pieces, k);
        double point[3 * LOOP_MAX];
        CN_TRUE(solid.kind == CN_SOLID_HULL && solid.point_count <= LOOP_MAX);
        for (int n = 0; n < 3 * solid.point_count; n++) {
            point[n] = pieces->piece[k].at[n % 3] + solid.point[n];
        }
        CN_DO(cn_hull_create(NULL, point, solid.point_count, &s.hull[k], &test_error));
        s.box[k] = box_of_hull(s.hull[k]);
        cn_solid placed = {.kind = CN_SOLID_HULL, .hull = s.hull[k]};
        cn_posed3 posed = {.solid = &placed, .R = none};
        oracle_place(&s.body[k], &posed);
    }
    return s;
}

static inline void solids_free(solids *s)
{
    for (int k = 0; k < s->count; k++) {
        cn_hull_destroy(NULL, s->hull[k]);
    }
    free(s->hull);
    free(s->box);
    free(s->body);
}

static inline bool is_near(const solids *s, int i, int j)
{
    const cn_box3 *a = &s->box[i], *b = &s->box[j];
    const double reach = 1e-6;
    return a->lo.x < b->hi.x + reach && b->lo.x < a->hi.x + reach && a->lo.y < b->hi.y + reach &&
           b->lo.y < a->hi.y + reach && a->lo.z < b->hi.z + reach && b->lo.z < a->hi.z + reach;
}

// Depth of the deepest overlap [m]; 0 if there is none.
static inline double deepest_solid_overlap(const solids *s)
{
    double deepest = 0.0;
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < i; j++) {
            if (is_near(s, i, j)) {
                double gap = (double)oracle_separation(&s->body[i], &s->body[j]);
                deepest = fmax(deepest, -gap);
            }
        }
    }
    return deepest;
}

typedef struct loop {
    int count;
    vec x[LOOP_MAX];
} loop;

static inline loop loop_of(const oracle_body *b, int f)
{
    loop l = {0};
    for (int k = b->hull->face_start[f]; k < b->hull->face_start[f + 1]; k++) {
        l.x[l.count++] = b->vertex[b->hull->face_vertex[k]];
    }
    return l;
}

// What is left of a loop on the side n . x <= c.
static inline loop cut_loop(const loop *l, vec n, long double c)
{
    loop left = {0};
    for (int k = 0; k < l->count; k++) {
        vec a = l->x[k], b = l->x[(k + 1) % l->count];
        long double da = vec_dot(n, a) - c, db = vec_dot(n, b) - c;
        if (da <= 0.0L) {
            left.x[left.count++] = a;
        }
        if ((da < 0.0L && db > 0.0L) || (da > 0.0L && db < 0.0L)) {
            left.x[left.count++] = vec_add(a, da / (da - db), vec_add(b, -1.0L, a));
        }
    }
    return left;
}

static inline double loop_area(const loop *l)
{
    vec sum = {0};
    for (int k = 1; k + 1 < l->count; k++) {
        vec u = vec_add(l->x[k], -1.0L, l->x[0]), v = vec_add(l->x[k + 1], -1.0L, l->x[0]);
        sum = vec_add(sum, 0.5L, vec_cross(u, v));
    }
    return (double)sqrtl(vec_dot(sum, sum));
}

// Common area of face f of a and face g of b if they lie in one plane back to back, else 0.
static inline double face_overlap(const oracle_body *a, int f, const oracle_body *b, int g)
{
    const double same = 1e-9;
    loop of_a = loop_of(a, f), of_b = loop_of(b, g);
    vec n = a->normal[f];
    if (vec_dot(n, b->normal[g]) > -1.0L + same ||
        fabsl(vec_dot(n, vec_add(of_a.x[0], -1.0L, of_b.x[0]))) > same) {
        return 0.0;
    }
    loop common = of_b;
    for (int k = 0; k < of_a.count; k++) {
        vec side = vec_add(of_a.x[(k + 1) % of_a.count], -1.0L, of_a.x[k]);
        vec out = vec_cross(side, n);
        common = cut_loop(&common, out, vec_dot(out, of_a.x[k]));
    }
    return loop_area(&common);
}

// Total area of faces that lie on each other [m2], each joint counted once.
static inline double joint_area(const solids *s)
{
    double area = 0.0;
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < i; j++) {
            for (int f = 0; is_near(s, i, j) && f < s->hull[i]->face_count; f++) {
                for (int g = 0; g < s->hull[j]->face_count; g++) {
                    area += face_overlap(&s->body[i], f, &s->body[j], g);
                }
            }
        }
    }
    return area;
}

static inline double total_volume(const cn_pieces *pieces)
{
    double volume = 0.0;
    for (int k = 0; k < pieces->count; k++) {
        cn_solid_def solid = cn_piece_solid(pieces, k);
        cn_solid_mass mass;
        CN_DO(cn_solids_measure(&solid, 1, &mass, &test_error));
        volume += mass.volume;
    }
    return volume;
}

// Volume, joints and the absence of overlaps, all at once.
static inline void check_solids(const cn_pieces *pieces, double volume, double joints)
{
    solids s = solids_of(pieces);
    CN_NEAR(total_volume(pieces), volume, 1e-12 * (1.0 + volume), "volume known on paper");
    CN_NEAR(joint_area(&s), joints, 1e-8 * (1.0 + joints), "area of all joints known on paper");
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14 * (1.0 + volume), "pieces do not overlap");
    solids_free(&s);
}
