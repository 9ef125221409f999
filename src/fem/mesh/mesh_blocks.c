// fem/mesh/mesh_blocks.c -- from blocks of cells to a mesh: lattice points, elements, sets,
// welding.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/mesh/mesh_blocks.h"
#include "geometry/surface/weld.h"

cn_volume_def cn_volume_def_default(void)
{
    return (cn_volume_def){.element = CN_QUAD4, .cells = {1, 1, 1}};
}

// Where the lattice of a block begins, and its points along each axis.
typedef struct lattice {
    int first;
    int count[3];
} lattice;

typedef struct making {
    const cn_volume_def *def;
    const cn_element *element;
    cn_cell_split split;
    cn_volume_plan plan;
    lattice lattice[CN_VOLUME_BLOCK_MAX];
    int point_count, element_count;
    double *point;   // three coordinates of every lattice point
    int *stands_for; // welded
    int *node;       // of each lattice point, -1: none
    int *set_of;     // element_count x sides: set of each side of an element, -1: inside
    size_t capacity[4];
    const char *set_name[6];
    int set_count;
} making;

static void lay_out(making *m)
{
    for (int n = 0; n < m->plan.block_count; n++) {
        const cn_volume_block *b = &m->plan.block[n];
        lattice *l = &m->lattice[n];
        l->first = m->point_count;
        int cells = 1, points = 1;
        for (int d = 0; d < 3; d++) {
            l->count[d] = d < m->plan.dim ? 2 * b->cells[d] + 1 : 1;
            points *= l->count[d];
            cells *= d < m->plan.dim ? b->cells[d] : 1;
        }
        m->point_count += points;
        m->element_count += cells * m->split.count;
    }
}

static void place_points(making *m)
{
    for (int n = 0; n < m->plan.block_count; n++) {
        const lattice *l = &m->lattice[n];
        int p = l->first;
        for (int k = 0; k < l->count[2]; k++) {
            for (int j = 0; j < l->count[1]; j++) {
                for (int i = 0; i < l->count[0]; i++) {
                    const double u[3] = {(double)i / fmax(l->count[0] - 1, 1),
                                         (double)j / fmax(l->count[1] - 1, 1),
                                         (double)k / fmax(l->count[2] - 1, 1)};
                    m->plan.map(m->def, n, u, m->point + 3 * p++);
                }
            }
        }
    }
}

// Points of neighbouring blocks fall together up to rounding.
static cn_status weld(making *m, cn_error *err)
{
    double size = 0.0;
    for (int k = 0; k < 3 * m->point_count; k++) {
        size = fmax(size, fabs(m->point[k]));
    }
    return cn_weld_find(m->point, m->point_count, 1e-10 * size, m->stands_for, err);
}

// Number of the set of that name, a new one if there is none.
static int set_named(making *m, const char *name)
{
    for (int k = 0; k < m->set_count; k++) {
        if (strcmp(m->set_name[k], name) == 0) {
            return k;
        }
    }
    m->set_name[m->set_count] = name;
    return m->set_count++;
}

// Lattice point p of a cell as steps along the axes.
static void steps_of(int p, int step[3])
{
    step[0] = p % 3;
    step[1] = p / 3 % 3;
    step[2] = p / 9;
}

// Set of a side of an element in cell `at` of block n, -1 if it lies inside.
static int set_of_side(making *m, int n, const int at[3], const signed char *node, int side)
{
    const cn_element_side *s = &m->element->side[side];
    int corners = cn_element_of(s->type)->corner_count;
    const cn_volume_block *b = &m->plan.block[n];
    for (int d = 0; d < m->plan.dim; d++) {
        for (int end = 0; end < 2; end++) {
            const char *name = b->side[2 * d + end];
            bool is_on = name != NULL && at[d] == (end == 0 ? 0 : b->cells[d] - 1);
            for (int c = 0; c < corners && is_on; c++) {
                int step[3];
                steps_of(node[s->node[c]], step);
                is_on = step[d] == 2 * end;
            }
            if (is_on) {
                return set_named(m, name);
            }
        }
    }
    return -1;
}

// Lattice point p of cell `at` of block n, welded.
static int point_of(const making *m, int n, const int at[3], int p)
{
    const lattice *l = &m->lattice[n];
    int step[3];
    steps_of(p, step);
    int i = 2 * at[0] + step[0], j = 2 * at[1] + step[1], k = 2 * at[2] + step[2];
    return m->stands_for[l->first + i + l->count[0] * (j + l->count[1] * k)];
}

// Elements of one cell; `e` is the next element.
static void add_cell(making *m, cn_volume *v, int n, const int at[3], int *e)
{
    int nodes = m->element->node_count, sides = m->element->side_count;
    signed char tets[6][CN_ELEMENT_NODES_MAX];
    const signed char(*split)[CN_ELEMENT_NODES_MAX] = m->split.node;
    if (split == NULL) {
        static const int corner[8] = {0, 2, 8, 6, 18, 20, 26, 24};
        int number[8];
        for (int c = 0; c < 8; c++) {
            number[c] = point_of(m, n, at, corner[c]);
        }
        cn_cell_tets(number, tets);
        split = (const signed char(*)[CN_ELEMENT_NODES_MAX])tets;
    }
    for (int k = 0; k < m->split.count; k++, (*e)++) {
        const signed char *node = split[k];
        for (int a = 0; a < nodes; a++) {
            v->element_node[*e * nodes + a] = point_of(m, n, at, node[a]);
        }
        for (int side = 0; side < sides; side++) {
            m->set_of[*e * sides + side] = set_of_side(m, n, at, node, side);
        }
    }
}

static void add_elements(making *m, cn_volume *v)
{
    int e = 0;
    for (int n = 0; n < m->plan.block_count; n++) {
        const int *cells = m->plan.block[n].cells;
        int up = m->plan.dim == 3 ? cells[2] : 1, at[3];
        for (at[2] = 0; at[2] < up; at[2]++) {
            for (at[1] = 0; at[1] < cells[1]; at[1]++) {
                for (at[0] = 0; at[0] < cells[0]; at[0]++) {
                    add_cell(m, v, n, at, &e);
                }
            }
        }
    }
    int nodes = m->element->node_count;
    for (e = 0; e <= m->element_count; e++) {
        v->element_start[e] = e * nodes;
    }
    memset(v->type, (int)m->def->element, (size_t)m->element_count);
}

// Numbers the points that elements use, in the order of the lattice, and keeps these only.
static void number_nodes(making *m, cn_volume *v)
{
    int used = m->element_count * m->element->node_count, count = 0, dim = m->plan.dim;
    for (int p = 0; p < m->point_count; p++) {
        m->node[p] = -1;
    }
    for (int k = 0; k < used; k++) {
        m->node[v->element_node[k]] = 0;
    }
    for (int p = 0; p < m->point_count; p++) {
        if (m->node[p] == 0) {
            memcpy(v->node + dim * count, m->point + 3 * p, sizeof(double) * (size_t)dim);
            m->node[p] = count++;
        }
    }
    for (int k = 0; k < used; k++) {
        v->element_node[k] = m->node[v->element_node[k]];
    }
    v->mesh.node_count = count;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int drop_doubles(int *item, int count)
{
    int kept = 0;
    if (count > 0) {
        qsort(item, (size_t)count, sizeof *item, compare_ints);
    }
    for (int k = 0; k < count; k++) {
        if (kept == 0 || item[k] != item[kept - 1]) {
            item[kept++] = item[k];
        }
    }
    return kept;
}

// Sides and nodes of one set.
static cn_status fill_set(const making *m, cn_volume *v, int set, cn_error *err)
{
    int sides = m->element->side_count, nodes = m->element->node_count, side_count = 0;
    for (int k = 0; k < sides * m->element_count; k++) {
        side_count += m->set_of[k] == set;
    }
    size_t room[2] = {0, 0};
    CN_TRY(cn_reserve(NULL, &v->set_side[set], &room[0], 2 * (size_t)side_count, err));
    CN_TRY(
        cn_reserve(NULL, &v->set_node[set], &room[1], CN_SIDE_NODES_MAX * (size_t)side_count, err));
    int *side = v->set_side[set], *node = v->set_node[set], node_count = 0;
    for (int k = 0; k < sides * m->element_count; k++) {
        if (m->set_of[k] == set) {
            const cn_element_side *s = &m->element->side[k % sides];
            *side++ = k / sides;
            *side++ = k % sides;
            for (int a = 0; a < cn_element_of(s->type)->node_count; a++) {
                node[node_count++] = v->element_node[k / sides * nodes + s->node[a]];
            }
        }
    }
    v->set[set] = (cn_mesh_set){.name = m->set_name[set],
                                .node_count = drop_doubles(node, node_count),
                                .node = node,
                                .side_count = side_count,
                                .side = v->set_side[set]};
    return CN_OK;
}

static cn_status reserve(making *m, cn_volume *v, cn_error *err)
{
    size_t points = (size_t)m->point_count, elements = (size_t)m->element_count, room[5] = {0};
    size_t nodes = (size_t)m->element->node_count, sides = (size_t)m->element->side_count;
    CN_TRY(cn_reserve(NULL, &m->point, &m->capacity[0], 3 * points, err));
    CN_TRY(cn_reserve(NULL, &m->stands_for, &m->capacity[1], points, err));
    CN_TRY(cn_reserve(NULL, &m->node, &m->capacity[2], points, err));
    CN_TRY(cn_reserve(NULL, &m->set_of, &m->capacity[3], sides * elements, err));
    CN_TRY(cn_reserve(NULL, &v->node, &room[0], (size_t)m->plan.dim * points, err));
    CN_TRY(cn_reserve(NULL, &v->type, &room[1], elements, err));
    CN_TRY(cn_reserve(NULL, &v->element_start, &room[2], elements + 1, err));
    CN_TRY(cn_reserve(NULL, &v->element_node, &room[3], nodes * elements, err));
    return cn_reserve(NULL, &v->set, &room[4], 6, err);
}

static cn_status make(making *m, cn_volume *v, cn_error *err)
{
    CN_TRY(cn_volume_plan_make(m->def, &m->plan, err));
    m->element = cn_element_of(m->def->element);
    m->split = cn_cell_split_of(m->def->element, m->def->is_crossed);
    lay_out(m);
    CN_TRY(reserve(m, v, err));
    place_points(m);
    CN_TRY(weld(m, err));
    add_elements(m, v);
    number_nodes(m, v);
    for (int set = 0; set < m->set_count; set++) {
        CN_TRY(fill_set(m, v, set, err));
    }
    v->mesh.dim = m->plan.dim;
    v->mesh.node = v->node;
    v->mesh.element_count = m->element_count;
    v->mesh.type = v->type;
    v->mesh.element_start = v->element_start;
    v->mesh.element_node = v->element_node;
    v->mesh.set_count = m->set_count;
    v->mesh.set = v->set;
    return CN_OK;
}

cn_status cn_volume_make(const cn_volume_def *def, cn_volume **volume, cn_error *err)
{
    CN_NEED(err, def, volume);
    making m = {.def = def};
    cn_volume *v = calloc(1, sizeof *v);
    *volume = NULL;
    if (v == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a mesh");
    }
    cn_status status = make(&m, v, err);
    cn_release(NULL, m.point);
    cn_release(NULL, m.stands_for);
    cn_release(NULL, m.node);
    cn_release(NULL, m.set_of);
    if (status != CN_OK) {
        cn_volume_destroy(v);
        return status;
    }
    *volume = v;
    return CN_OK;
}

void cn_volume_destroy(cn_volume *v)
{
    if (v == NULL) {
        return;
    }
    for (int k = 0; k < 6; k++) {
        cn_release(NULL, v->set_node[k]);
        cn_release(NULL, v->set_side[k]);
    }
    cn_release(NULL, v->node);
    cn_release(NULL, v->type);
    cn_release(NULL, v->element_start);
    cn_release(NULL, v->element_node);
    cn_release(NULL, v->set);
    cn_release(NULL, v->set_data);
    cn_release(NULL, v->set_text);
    cn_release(NULL, v->element_group);
    cn_release(NULL, v->group_name);
    free(v);
}

const cn_mesh_def *cn_volume_mesh(const cn_volume *volume)
{
    return volume != NULL ? &volume->mesh : NULL;
}
