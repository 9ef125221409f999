// geometry/surface/read/msh_volumes.c -- the outer surfaces of the volumes of a gmsh file: faces of
// volume elements that no other element of the same volume has. Two volumes that share a face both
// keep it, so that their joint is closed. A file without volume elements has its faces instead.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/surface/read/msh.h"
#include "geometry/surface/weld.h"

enum { FACE_CORNERS = 4, FACES_MOST = 6 };

// Faces of elements by their corners, seen from outside; -1 ends a triangle.
typedef struct shape {
    int corner_count, face_count, face[FACES_MOST][FACE_CORNERS];
} shape;

static const shape tetrahedron = {
    4, 4, {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}}};
static const shape hexahedron = {
    8, 6, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
static const shape prism = {
    6, 5, {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}};
static const shape pyramid = {
    5, 5, {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}};

// Corners come first in elements of any order.
static const shape *shape_of(int type)
{
    switch (type) {
    case 4:
    case 11:
    case 29:
    case 30:
    case 31:
        return &tetrahedron;
    case 5:
    case 12:
    case 17:
    case 92:
    case 93:
        return &hexahedron;
    case 6:
    case 13:
    case 18:
        return &prism;
    case 7:
    case 14:
    case 19:
        return &pyramid;
    default:
        return NULL;
    }
}

typedef struct face {
    int corner[FACE_CORNERS], group;
    int64_t element;
    bool is_inner;
} face;

typedef struct faces {
    cn_chain chain;
    face *face, *flat; // of volumes; of the surface
    size_t capacity, flat_capacity;
    int flat_count;
    int64_t element_count, curved_count;
} faces;

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_corners(const face *f, int sorted[FACE_CORNERS])
{
    memcpy(sorted, f->corner, sizeof f->corner);
    qsort(sorted, FACE_CORNERS, sizeof *sorted, compare);
}

static uint64_t hash_of(const face *f)
{
    int sorted[FACE_CORNERS];
    uint64_t hash = (uint64_t)(uint32_t)f->group;
    sort_corners(f, sorted);
    for (int k = 0; k < FACE_CORNERS; k++) {
        hash = cn_mix(hash ^ (uint64_t)(uint32_t)sorted[k]);
    }
    return hash;
}

static bool is_same(const face *a, const face *b)
{
    int one[FACE_CORNERS], other[FACE_CORNERS];
    sort_corners(a, one);
    sort_corners(b, other);
    return a->group == b->group && memcmp(one, other, sizeof one) == 0;
}

// A face that is met a second time is inside.
static cn_status add_face(faces *all, const face *f, cn_error *err)
{
    uint64_t hash = hash_of(f);
    for (int k = cn_chain_first(&all->chain, hash); k >= 0; k = cn_chain_next(&all->chain, k)) {
        if (is_same(&all->face[k], f)) {
            all->face[k].is_inner = true;
            return CN_OK;
        }
    }
    CN_TRY(cn_reserve(NULL, &all->face, &all->capacity, (size_t)all->chain.count + 1, err));
    all->face[all->chain.count] = *f;
    return cn_chain_add(&all->chain, hash, err);
}

static cn_status take_flat(faces *all, const cn_msh *f, int count, const face *made)
{
    CN_TRY(
        cn_reserve(NULL, &all->flat, &all->flat_capacity, (size_t)all->flat_count + 1, f->c->err));
    face *to = &all->flat[all->flat_count++];
    *to = *made;
    for (int k = 0; k < FACE_CORNERS; k++) {
        to->corner[k] = k < count ? f->m->corner[k] : -1;
    }
    return CN_OK;
}

static cn_status take_element(cn_msh *f, const cn_msh_type *type, int64_t element, int group)
{
    faces *all = f->context;
    const shape *s = type->dimension == 3 ? shape_of(type->number) : NULL;
    if (type->dimension == 2) {
        return take_flat(all, f, type->corner_count, &(face){.group = group, .element = element});
    }
    if (s == NULL) {
        return CN_OK;
    }
    all->element_count++;
    all->curved_count += type->node_count > s->corner_count;
    for (int n = 0; n < s->face_count; n++) {
        face made = {.group = group, .element = element};
        for (int k = 0; k < FACE_CORNERS; k++) {
            made.corner[k] = s->face[n][k] >= 0 ? f->m->corner[s->face[n][k]] : -1;
        }
        CN_TRY(add_face(all, &made, f->c->err));
    }
    return CN_OK;
}

static cn_status finish(cn_msh *f)
{
    const faces *all = f->context;
    cn_mesher *m = f->m;
    bool has_volumes = all->element_count > 0;
    int faces_count = has_volumes ? all->chain.count : all->flat_count;
    for (int k = 0; k < faces_count; k++) {
        const face *outer = has_volumes ? &all->face[k] : &all->flat[k];
        int count = outer->corner[FACE_CORNERS - 1] >= 0 ? FACE_CORNERS : FACE_CORNERS - 1;
        m->group = outer->group;
        if (!outer->is_inner) {
            CN_TRY(cn_mesher_room(m, count));
            memcpy(m->corner, outer->corner, sizeof *m->corner * (size_t)count);
            CN_TRY(cn_mesher_face(m, m->corner, count, outer->element));
        }
    }
    if (all->curved_count > 0) {
        cn_mesher_remark(m, "%lld curved elements are taken as flat between their corners",
                         (long long)all->curved_count);
    }
    int dropped = 0;
    return cn_surface_drop_unused(&m->s, &dropped, f->c->err);
}

cn_status cn_read_msh_volumes(cn_mesher *m)
{
    faces all = {.capacity = 0};
    cn_status status = cn_msh_read_elements(m, take_element, finish, &all, true);
    cn_chain_free(&all.chain);
    cn_release(NULL, all.face);
    cn_release(NULL, all.flat);
    return status;
}
