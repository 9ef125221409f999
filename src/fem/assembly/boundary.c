// fem/assembly/boundary.c -- the surface of a mesh: sides that belong to one element only, and the
// named sets of nodes and sides.
#include <stdlib.h>
#include <string.h>

#include "fem/assembly/element_work.h"

// A side by its corners in ascending order (-1: fewer than four), so that the two elements of an
// inner side give equal keys.
typedef struct side_key {
    int corner[4];
    int element, side;
} side_key;

static int compare_corners(const side_key *p, const side_key *q)
{
    for (int k = 0; k < 4; k++) {
        if (p->corner[k] != q->corner[k]) {
            return p->corner[k] < q->corner[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_places(const void *p, const void *q)
{
    const side_key *a = p, *b = q;
    if (a->element != b->element) {
        return a->element < b->element ? -1 : 1;
    }
    return (a->side > b->side) - (a->side < b->side);
}

static int compare_keys(const void *p, const void *q)
{
    int order = compare_corners(p, q);
    return order != 0 ? order : compare_places(p, q);
}

static side_key make_key(const cn_fem *fem, int e, int side)
{
    const cn_element_side *s = &cn_element_of(fem->type[e])->side[side];
    const int *node = fem->element_node + fem->element_start[e];
    int count = cn_element_of(s->type)->corner_count;
    side_key key = {{-1, -1, -1, -1}, e, side};
    for (int k = 0; k < count; k++) {
        int value = node[s->node[k]], at = k;
        while (at > 0 && key.corner[at - 1] > value) {
            key.corner[at] = key.corner[at - 1];
            at--;
        }
        key.corner[at] = value;
    }
    return key;
}

// Keeps the sides that occur once, in the order of elements; returns their number, -1 if a side has
// three elements (its first key is then at keys[0]).
static int keep_single(side_key *key, int count)
{
    int kept = 0;
    for (int first = 0, next = 0; first < count; first = next) {
        for (next = first + 1; next < count && compare_corners(&key[first], &key[next]) == 0;) {
            next++;
        }
        if (next - first > 2) {
            key[0] = key[first];
            return -1;
        }
        if (next - first == 1) {
            key[kept++] = key[first];
        }
    }
    qsort(key, (size_t)kept, sizeof *key, compare_places);
    return kept;
}

static cn_status store_faces(cn_fem *fem, const side_key *key, int count, cn_error *err)
{
    fem->face_count = count;
    CN_TRY(cn_fem_new(fem, &fem->face_start, (size_t)count + 1, err));
    CN_TRY(cn_fem_new(fem, &fem->face_type, (size_t)count, err));
    CN_TRY(cn_fem_new(fem, &fem->face_element, (size_t)count, err));
    CN_TRY(cn_fem_new(fem, &fem->face_side, (size_t)count, err));
    CN_TRY(cn_fem_new(fem, &fem->face_node, (size_t)count * CN_SIDE_NODES_MAX, err));
    for (int f = 0; f < count; f++) {
        int e = key[f].element;
        const cn_element_side *s = &cn_element_of(fem->type[e])->side[key[f].side];
        const int *node = fem->element_node + fem->element_start[e];
        int nodes = cn_element_of(s->type)->node_count;
        fem->face_type[f] = (unsigned char)s->type;
        fem->face_element[f] = e;
        fem->face_side[f] = key[f].side;
        fem->face_start[f + 1] = fem->face_start[f] + nodes;
        for (int k = 0; k < nodes; k++) {
            fem->face_node[fem->face_start[f] + k] = node[s->node[k]];
        }
    }
    return CN_OK;
}

cn_status cn_fem_build_boundary(cn_fem *fem, cn_error *err)
{
    side_key *key = NULL;
    CN_TRY(cn_fem_new(fem, &key, (size_t)fem->element_count * CN_ELEMENT_SIDES_MAX, err));
    int count = 0;
    for (int e = 0; e < fem->element_count; e++) {
        for (int s = 0; s < cn_element_of(fem->type[e])->side_count; s++) {
            key[count++] = make_key(fem, e, s);
        }
    }
    qsort(key, (size_t)count, sizeof *key, compare_keys);
    int kept = keep_single(key, count);
    cn_status status =
        kept >= 0
            ? store_faces(fem, key, kept, err)
            : cn_fail(err, CN_BAD_INPUT,
                      "side %d of element %d (nodes %d %d ...) belongs to "
                      "three or more elements",
                      key[0].side, key[0].element,
                      key[0].corner[0] < 0 ? key[0].corner[2] : key[0].corner[0], key[0].corner[1]);
    cn_release(&fem->hooks, key);
    return status;
}

int cn_fem_face_split(int type, const int *node, int *facet)
{
    static const struct {
        int type, count, corner[CN_FACETS_MAX * 3];
    } split[] = {
        {CN_SEG2, 1, {0, 1}},
        {CN_SEG3, 2, {0, 2, 2, 1}},
        {CN_TRI3, 1, {0, 1, 2}},
        {CN_TRI6, 4, {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5}},
        {CN_QUAD4, 2, {0, 1, 2, 2, 3, 0}},
        {CN_QUAD8, 6, {0, 4, 7, 4, 1, 5, 5, 2, 6, 6, 3, 7, 4, 5, 7, 5, 6, 7}},
    };
    for (size_t k = 0; k < sizeof split / sizeof *split; k++) {
        int width = type == CN_SEG2 || type == CN_SEG3 ? 2 : 3;
        if (split[k].type == type) {
            for (int n = 0; n < width * split[k].count; n++) {
                facet[n] = node[split[k].corner[n]];
            }
            return split[k].count;
        }
    }
    return 0;
}

// Triangles of the faces of a model, and the face of each.
static cn_status list_facets(const cn_fem *fem, int **facet, int **face, int *count, cn_error *err)
{
    size_t room = (size_t)fem->face_count * CN_FACETS_MAX, capacity[2] = {0, 0};
    CN_TRY(cn_reserve(NULL, facet, &capacity[0], 3 * room, err));
    CN_TRY(cn_reserve(NULL, face, &capacity[1], room, err));
    for (int f = 0; f < fem->face_count; f++) {
        int parts = cn_fem_face_split(fem->face_type[f], fem->face_node + fem->face_start[f],
                                      *facet + 3 * *count);
        for (int k = 0; k < parts; k++) {
            (*face)[(*count)++] = f;
        }
    }
    return CN_OK;
}

cn_status cn_fem_facets(const cn_mesh_def *def, int **facet, int **face, int *count, cn_error *err)
{
    cn_fem lent = {.dim = def->dim, // the boundary reads the elements and changes nothing
                   .node_count = def->node_count,
                   .element_count = def->element_count,
                   .type = (unsigned char *)def->type,
                   .element_start = (int *)def->element_start,
                   .element_node = (int *)def->element_node};
    *facet = *face = NULL;
    *count = 0;
    cn_status status = cn_fem_build_boundary(&lent, err);
    if (status == CN_OK) {
        status = list_facets(&lent, facet, face, count, err);
    }
    cn_release(NULL, lent.face_start);
    cn_release(NULL, lent.face_node);
    cn_release(NULL, lent.face_type);
    cn_release(NULL, lent.face_element);
    cn_release(NULL, lent.face_side);
    return status;
}

// Boundary face of a side of an element, -1 if the side is inside: faces are in order of elements.
static int find_face(const cn_fem *fem, int element, int side)
{
    int lo = 0, hi = fem->face_count;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        bool is_before = fem->face_element[mid] < element ||
                         (fem->face_element[mid] == element && fem->face_side[mid] < side);
        lo = is_before ? mid + 1 : lo;
        hi = is_before ? hi : mid;
    }
    bool is_there =
        lo < fem->face_count && fem->face_element[lo] == element && fem->face_side[lo] == side;
    return is_there ? lo : -1;
}

static cn_status store_set(cn_fem *fem, int s, const cn_mesh_set *set, cn_error *err)
{
    size_t length = strlen(set->name) + 1;
    CN_TRY(cn_fem_new(fem, &fem->set_name[s], length, err));
    memcpy(fem->set_name[s], set->name, length);
    int *node = fem->set_node + fem->set_node_start[s];
    for (int k = 0; k < set->node_count; k++) {
        if (set->node[k] < 0 || set->node[k] >= fem->node_count) {
            return cn_fail(err, CN_BAD_INPUT, "set '%s' has node %d, but nodes are 0 .. %d",
                           set->name, set->node[k], fem->node_count - 1);
        }
        node[k] = set->node[k];
    }
    int *face = fem->set_face + fem->set_face_start[s];
    for (int k = 0; k < set->side_count; k++) {
        face[k] = find_face(fem, set->side[2 * k], set->side[2 * k + 1]);
        if (face[k] < 0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "set '%s': side %d of element %d is not on the boundary of the mesh",
                           set->name, set->side[2 * k + 1], set->side[2 * k]);
        }
    }
    return CN_OK;
}

cn_status cn_fem_build_sets(cn_fem *fem, const cn_mesh_def *def, cn_error *err)
{
    size_t count = (size_t)def->set_count;
    CN_TRY(cn_fem_new(fem, &fem->set_name, count, err));
    CN_TRY(cn_fem_new(fem, &fem->set_node_start, count + 1, err));
    CN_TRY(cn_fem_new(fem, &fem->set_face_start, count + 1, err));
    for (int s = 0; s < def->set_count; s++) {
        fem->set_node_start[s + 1] = fem->set_node_start[s] + def->set[s].node_count;
        fem->set_face_start[s + 1] = fem->set_face_start[s] + def->set[s].side_count;
    }
    CN_TRY(cn_fem_new(fem, &fem->set_node, (size_t)fem->set_node_start[def->set_count], err));
    CN_TRY(cn_fem_new(fem, &fem->set_face, (size_t)fem->set_face_start[def->set_count], err));
    fem->set_count = def->set_count;
    for (int s = 0; s < def->set_count; s++) {
        CN_TRY(store_set(fem, s, &def->set[s], err));
    }
    return CN_OK;
}

int cn_fem_set_find(const cn_fem *fem, const char *name)
{
    for (int s = 0; s < fem->set_count; s++) {
        if (strcmp(fem->set_name[s], name) == 0) {
            return s;
        }
    }
    return -1;
}
