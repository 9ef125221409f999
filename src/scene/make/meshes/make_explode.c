// scene/make/meshes/make_explode.c -- a mesh in pieces: every element, every material or every set
// of elements is a body of its own. What holds them together is the law between them.
#include <math.h>
#include <string.h>

#include "scene/make/meshes/make_meshes.h"

// Pieces of a mesh while they are cut.
typedef struct pieces {
    const cn_mesh_def *whole;
    int count;
    int *of_element;    // piece of each element
    int *element_start; // count + 1, into element: elements of each piece
    int *element;
    int *place;        // of each node of the mesh in the piece at hand
    int *owner;        // piece for which that was written, -1: none
    int *local;        // of each element among those of its piece
    unsigned char *in; // set_count node_count: nodes of sets
    int *side_next;    // of all sides of all sets: the next one of its set and piece, -1: none
    int *side_first;   // set_count count: first one, -1: none
    int *side_of_set;  // set_count + 1: where the sides of a set begin among all
} pieces;

static int *take_ints(cn_reading *r, size_t count, int value)
{
    int *to = cn_reading_take(r, count > 0 ? count : 1, sizeof *to);
    for (size_t k = 0; to != NULL && k < count; k++) {
        to[k] = value;
    }
    return to;
}

// ---- which piece

// The first set of boxes that holds all nodes of an element, else one more piece.
static int set_of(const pieces *p, const cn_value *boxes, int e)
{
    const cn_mesh_def *m = p->whole;
    int first = m->set_count - boxes->count;
    for (int s = first; s < m->set_count; s++) {
        bool holds = true;
        for (int n = m->element_start[e]; n < m->element_start[e + 1] && holds; n++) {
            holds = p->in[(size_t)s * (size_t)m->node_count + (size_t)m->element_node[n]] != 0;
        }
        if (holds) {
            return s - first;
        }
    }
    return boxes->count;
}

// Numbers the pieces that have elements, in the order of their first element.
static bool number_pieces(cn_reading *r, pieces *p, int kinds)
{
    int *number = take_ints(r, (size_t)kinds, -1);
    for (int e = 0; number != NULL && e < p->whole->element_count; e++) {
        int kind = p->of_element[e];
        number[kind] = number[kind] < 0 ? p->count++ : number[kind];
        p->of_element[e] = number[kind];
    }
    return number != NULL;
}

static bool choose_pieces(cn_reading *r, const cn_value *value, pieces *p)
{
    const cn_mesh_def *m = p->whole;
    const char *how = cn_value_text(value, "explode");
    const cn_value *boxes = cn_value_get(value, "sets");
    int kinds = m->element_count;
    for (int e = 0; e < m->element_count; e++) {
        p->of_element[e] = e;
        if (strcmp(how, "materials") == 0) {
            p->of_element[e] = m->element_material != NULL ? m->element_material[e] : 0;
            kinds = m->material_count;
        } else if (strcmp(how, "sets") == 0) {
            p->of_element[e] = set_of(p, boxes, e);
            kinds = boxes->count + 1;
        }
    }
    return number_pieces(r, p, kinds > m->element_count ? kinds : m->element_count);
}

static bool list_elements(cn_reading *r, pieces *p)
{
    int elements = p->whole->element_count;
    p->element_start = take_ints(r, (size_t)p->count + 1, 0);
    p->element = take_ints(r, (size_t)elements, 0);
    p->local = take_ints(r, (size_t)elements, 0);
    if (p->element_start == NULL || p->element == NULL || p->local == NULL) {
        return false;
    }
    for (int e = 0; e < elements; e++) {
        p->local[e] = p->element_start[p->of_element[e] + 1]++;
    }
    for (int k = 0; k < p->count; k++) {
        p->element_start[k + 1] += p->element_start[k];
    }
    for (int e = 0; e < elements; e++) {
        p->element[p->element_start[p->of_element[e]] + p->local[e]] = e;
    }
    return true;
}

// ---- sets

static bool mark_sets(cn_reading *r, pieces *p)
{
    const cn_mesh_def *m = p->whole;
    size_t nodes = (size_t)m->node_count;
    p->in = cn_reading_take(r, nodes * (size_t)m->set_count + 1, 1);
    for (int s = 0; p->in != NULL && s < m->set_count; s++) {
        for (int n = 0; n < m->set[s].node_count; n++) {
            p->in[nodes * (size_t)s + (size_t)m->set[s].node[n]] = 1;
        }
    }
    return p->in != NULL;
}

static bool list_sides(cn_reading *r, pieces *p)
{
    const cn_mesh_def *m = p->whole;
    p->side_of_set = take_ints(r, (size_t)m->set_count + 1, 0);
    if (p->side_of_set == NULL) {
        return false;
    }
    for (int s = 0; s < m->set_count; s++) {
        p->side_of_set[s + 1] = p->side_of_set[s] + m->set[s].side_count;
    }
    p->side_next = take_ints(r, (size_t)p->side_of_set[m->set_count], -1);
    p->side_first = take_ints(r, (size_t)m->set_count * (size_t)p->count, -1);
    for (int s = 0; s < m->set_count && p->side_next != NULL && p->side_first != NULL; s++) {
        for (int k = m->set[s].side_count - 1; k >= 0; k--) {
            int *first = &p->side_first[s * p->count + p->of_element[m->set[s].side[2 * k]]];
            p->side_next[p->side_of_set[s] + k] = *first;
            *first = k;
        }
    }
    return p->side_next != NULL && p->side_first != NULL;
}

// The part of a set that a piece has.
static bool cut_set(cn_reading *r, const pieces *p, int piece, const int *node, int node_count,
                    int s, cn_mesh_set *to)
{
    const cn_mesh_set *from = &p->whole->set[s];
    const unsigned char *in = p->in + (size_t)s * (size_t)p->whole->node_count;
    int nodes = 0, sides = 0, first = p->side_first[s * p->count + piece];
    for (int n = 0; n < node_count; n++) {
        nodes += in[node[n]];
    }
    for (int k = first; k >= 0; k = p->side_next[p->side_of_set[s] + k]) {
        sides++;
    }
    int *own_node = cn_reading_take(r, (size_t)nodes + 1, sizeof *own_node);
    int *own_side = cn_reading_take(r, 2 * (size_t)sides + 1, sizeof *own_side);
    *to = (cn_mesh_set){.name = from->name, .node = own_node, .side = own_side};
    if (own_node == NULL || own_side == NULL) {
        return false;
    }
    for (int n = 0; n < node_count; n++) {
        if (in[node[n]] != 0) {
            own_node[to->node_count++] = n;
        }
    }
    for (int k = first; k >= 0; k = p->side_next[p->side_of_set[s] + k]) {
        own_side[2 * to->side_count] = p->local[from->side[2 * k]];
        own_side[2 * to->side_count++ + 1] = from->side[2 * k + 1];
    }
    return true;
}

static bool cut_sets(cn_reading *r, const pieces *p, int piece, const int *node, int node_count,
                     cn_mesh_def *made)
{
    cn_mesh_set *set = cn_reading_take(r, (size_t)p->whole->set_count + 1, sizeof *set);
    int count = 0;
    for (int s = 0; set != NULL && s < p->whole->set_count; s++) {
        if (!cut_set(r, p, piece, node, node_count, s, &set[count])) {
            return false;
        }
        count += set[count].node_count > 0 ? 1 : 0;
    }
    made->set = set;
    made->set_count = count;
    return set != NULL;
}

// ---- a piece

// Numbers the nodes of a piece in the order of its elements; returns how many.
static int number_nodes(pieces *p, int piece, int *node)
{
    const cn_mesh_def *m = p->whole;
    int count = 0;
    for (int k = p->element_start[piece]; k < p->element_start[piece + 1]; k++) {
        int e = p->element[k];
        for (int n = m->element_start[e]; n < m->element_start[e + 1]; n++) {
            int old = m->element_node[n];
            if (p->owner[old] != piece) {
                p->owner[old] = piece;
                p->place[old] = count;
                node[count++] = old;
            }
        }
    }
    return count;
}

static bool cut_elements(cn_reading *r, const pieces *p, int piece, cn_mesh_def *made)
{
    const cn_mesh_def *m = p->whole;
    int elements = p->element_start[piece + 1] - p->element_start[piece], used = 0;
    unsigned char *type = cn_reading_take(r, (size_t)elements, 1);
    int *start = take_ints(r, (size_t)elements + 1, 0),
        *material = take_ints(r, (size_t)elements, 0);
    for (int k = 0; k < elements; k++) {
        int e = p->element[p->element_start[piece] + k];
        used += m->element_start[e + 1] - m->element_start[e];
    }
    int *node = take_ints(r, (size_t)used, 0);
    if (type == NULL || start == NULL || material == NULL || node == NULL) {
        return false;
    }
    for (int k = 0; k < elements; k++) {
        int e = p->element[p->element_start[piece] + k], at = start[k];
        type[k] = m->type[e];
        material[k] = m->element_material != NULL ? m->element_material[e] : 0;
        for (int n = m->element_start[e]; n < m->element_start[e + 1]; n++) {
            node[at++] = p->place[m->element_node[n]];
        }
        start[k + 1] = at;
    }
    made->element_count = elements;
    made->type = type;
    made->element_start = start;
    made->element_node = node;
    made->element_material = material;
    return true;
}

// Mesh of a piece about its first node, which is at `at` in that of the whole: equal pieces share
// what is made of them.
static bool cut_piece(cn_reading *r, pieces *p, int piece, cn_mesh_def *made, double at[3])
{
    const cn_mesh_def *m = p->whole;
    int room = 0, dim = m->dim;
    for (int k = p->element_start[piece]; k < p->element_start[piece + 1]; k++) {
        room += m->element_start[p->element[k] + 1] - m->element_start[p->element[k]];
    }
    int *node = take_ints(r, (size_t)room, 0);
    *made = *m;
    if (node == NULL) {
        return false;
    }
    int count = number_nodes(p, piece, node);
    double *x = cn_reading_take(r, (size_t)(dim * count), sizeof *x);
    for (int d = 0; d < dim; d++) {
        at[d] = m->node[dim * node[0] + d];
    }
    for (int k = 0; x != NULL && k < dim * count; k++) {
        x[k] = m->node[dim * node[k / dim] + k % dim] - at[k % dim];
    }
    made->node_count = count;
    made->node = x;
    return x != NULL && cut_elements(r, p, piece, made) && cut_sets(r, p, piece, node, count, made);
}

// ---- all of them

static bool refuse(cn_entry_making *e, const cn_value *value, const cn_mesh_def *mesh)
{
    const char *why = NULL;
    if (mesh->is_pseudo_rigid) {
        why = "it is pseudo-rigid, and moves as a whole";
    } else if (mesh->plane == CN_AXISYMMETRIC && mesh->dim == 2) {
        why = "it is axisymmetric, where pieces are rings that no law bonds";
    } else if (cn_value_number(value, "mid_face") == 1.0) {
        why = "its contacts act at the middles of faces, which leaves nothing at the corners where "
              "pieces meet";
    } else if (strcmp(cn_value_text(value, "explode"), "sets") == 0 &&
               cn_value_get(value, "sets") == NULL) {
        why = "'explode: sets' cuts along 'sets', and there are none";
    } else if (strcmp(cn_value_text(value, "explode"), "materials") == 0 &&
               mesh->material_count < 2) {
        why = "all of it is of one material; take 'explode: elements'";
    }
    if (why != NULL) {
        cn_complain(e->m->reading.report, cn_value_get(value, "explode")->at,
                    "body '%s' cannot be exploded: %s", e->name, why);
    }
    return why != NULL;
}

static bool prepare(cn_reading *r, const cn_value *value, pieces *p)
{
    size_t nodes = (size_t)p->whole->node_count;
    p->of_element = take_ints(r, (size_t)p->whole->element_count, 0);
    p->place = take_ints(r, nodes, 0);
    p->owner = take_ints(r, nodes, -1);
    return p->of_element != NULL && p->place != NULL && p->owner != NULL && mark_sets(r, p) &&
           choose_pieces(r, value, p) && list_elements(r, p) && list_sides(r, p);
}

// The material of a piece that is of one alone, by which rules may call it; else NULL.
static const char *material_of(const cn_entry_making *e, const cn_mesh_def *piece)
{
    int first = piece->element_material[0];
    for (int k = 1; k < piece->element_count; k++) {
        if (piece->element_material[k] != first) {
            return NULL;
        }
    }
    return e->material_name[first];
}

bool cn_mesh_explode(cn_entry_making *e, cn_body_list *list, const cn_value *value,
                     const cn_mesh_def *mesh)
{
    cn_reading *r = &e->m->reading;
    pieces p = {.whole = mesh};
    if (refuse(e, value, mesh)) {
        return true;
    }
    if (!prepare(r, value, &p)) {
        return false;
    }
    for (int k = 0; k < p.count; k++) {
        cn_mesh_def *piece = cn_reading_take(r, 1, sizeof *piece);
        cn_parts parts = {.count = 1, .mesh = piece};
        cn_local local = {.pose = CN_POSE_NONE, .index = {1, k + 1}};
        if (piece == NULL || !cut_piece(r, &p, k, piece, local.pose.at)) {
            return false;
        }
        local.material = material_of(e, piece);
        if (!cn_bodies_fit(e, list, value->at, 1)) {
            return true;
        }
        if (!cn_bodies_append(e, list, value->at, &parts, &local)) {
            return false;
        }
    }
    return true;
}
