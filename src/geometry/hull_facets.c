// geometry/hull_facets.c -- facets of a convex hull, found by the library Qhull.
//
// Qhull merges neighbours whose centres lie within MERGE of a common plane. Its loops come as
// unordered pairs of vertices, which are chained here. A vertex that is left with two facets lies
// inside an edge, up to the same tolerance, and is dropped. Qhull writes its messages into a buffer
// and its structures are only read, never passed to calls that may end the program.
#include <libqhull_r/qhull_ra.h>

#include "geometry/space/solid_parts.h"

#define MERGE "1e-12" // of the size of the points [-]

enum { MESSAGE_MAX = 4096 };

// What the walk over the facets needs: two neighbours of each point in the loop at hand, and the
// number of facets of each point.
typedef struct scratch {
    const double *point;
    int (*link)[2];
    int *use;
} scratch;

cn_status cn_array_bytes(const cn_hooks *hooks, void **array, size_t count, size_t element_size,
                         cn_error *err)
{
    size_t capacity = 0;
    *array = NULL;
    return cn_reserve_bytes(hooks, array, &capacity, count, element_size, err);
}

void cn_facets_free(const cn_hooks *hooks, cn_facets *facets)
{
    cn_release(hooks, facets->facet);
    cn_release(hooks, facets->storage);
    *facets = (cn_facets){0};
}

static int index_of(const scratch *s, const vertexT *vertex)
{
    return (int)((vertex->point - s->point) / 3);
}

static void join(scratch *s, int i, int j)
{
    const int end[2] = {i, j};
    for (int k = 0; k < 2; k++) {
        int *link = s->link[end[k]];
        link[link[0] < 0 ? 0 : 1] = end[1 - k];
    }
}

// Forgets the neighbours of the vertices of a facet; returns their number.
static int clear_links(scratch *s, const facetT *facet)
{
    int count = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices)
    {
        int *link = s->link[index_of(s, vertex)];
        link[0] = link[1] = -1;
        count++;
    }
    return count;
}

// Joins the ends of every edge of a facet: each pair of a triangle, or the recorded ridges.
static void join_edges(scratch *s, const facetT *facet)
{
    if (facet->simplicial) {
        int corner[3], count = 0;
        vertexT *vertex, **vertexp;
        FOREACHvertex_(facet->vertices)
        {
            corner[count++] = index_of(s, vertex);
        }
        join(s, corner[0], corner[1]);
        join(s, corner[1], corner[2]);
        join(s, corner[2], corner[0]);
        return;
    }
    ridgeT *ridge, **ridgep;
    FOREACHridge_(facet->ridges)
    {
        join(s, index_of(s, SETfirstt_(ridge->vertices, vertexT)),
             index_of(s, SETsecondt_(ridge->vertices, vertexT)));
    }
}

// Follows the links of one facet round; false if they are not one loop of `size` vertices.
static bool chain(const scratch *s, const facetT *facet, int size, int *loop)
{
    int start = index_of(s, SETfirstt_(facet->vertices, vertexT));
    int before = -1, at = start;
    for (int k = 0; k < size; k++) {
        loop[k] = at;
        s->use[at]++;
        int next = s->link[at][0] != before ? s->link[at][0] : s->link[at][1];
        if (next < 0) {
            return false;
        }
        before = at;
        at = next;
    }
    return at == start;
}

static cn_status read_facets(qhT *qh, scratch *s, cn_facets *facets, cn_error *err)
{
    int edge_end_max = 6 * qh->num_vertices, used = 0;
    facetT *facet;
    FORALLfacets
    {
        int size = clear_links(s, facet);
        if (used + size > edge_end_max || facets->count == 2 * qh->num_vertices) {
            return cn_fail(err, CN_BAD_INPUT, "the hull of %d points is not a closed surface",
                           qh->num_points);
        }
        join_edges(s, facet);
        int *loop = facets->storage + used;
        if (size < 3 || !chain(s, facet, size, loop)) {
            return cn_fail(err, CN_BAD_INPUT, "a face of the hull of %d points has no outline",
                           qh->num_points);
        }
        facets->facet[facets->count++] = (cn_facet){loop, size};
        used += size;
    }
    return CN_OK;
}

static void drop_flat_vertices(const scratch *s, cn_facets *facets)
{
    for (int f = 0; f < facets->count; f++) {
        cn_facet *facet = &facets->facet[f];
        int kept = 0;
        for (int k = 0; k < facet->count; k++) {
            if (s->use[facet->point[k]] > 2) {
                facet->point[kept++] = facet->point[k];
            }
        }
        facet->count = kept;
    }
}

static cn_status collect(const cn_hooks *hooks, qhT *qh, scratch *s, cn_facets *facets,
                         cn_error *err)
{
    CN_TRY(cn_array(hooks, &facets->facet, 2 * qh->num_vertices, err));
    CN_TRY(cn_array(hooks, &facets->storage, 6 * qh->num_vertices, err));
    CN_TRY(read_facets(qh, s, facets, err));
    drop_flat_vertices(s, facets);
    return CN_OK;
}

static cn_status run(const cn_hooks *hooks, int count, FILE *messages, scratch *s,
                     cn_facets *facets, cn_error *err)
{
    CN_TRY(cn_array(hooks, &s->link, count, err));
    CN_TRY(cn_array(hooks, &s->use, count, err));
    for (int k = 0; k < count; k++) {
        s->use[k] = 0;
    }
    qhT qh;
    qh_zero(&qh, messages);
    char command[] = "qhull C-" MERGE;
    int code = qh_new_qhull(&qh, 3, count, (coordT *)s->point, False, command, NULL, messages);
    cn_status status = CN_OK;
    if (code == qh_ERRmem) {
        status = cn_fail(err, CN_NO_MEMORY, "no memory for the hull of %d points", count);
    } else if (code != qh_ERRnone) {
        status = cn_fail(err, CN_BAD_INPUT,
                         "the %d points have no hull that is convex beyond rounding (Qhull says "
                         "%d): remove points that lie close together",
                         count, code);
    } else {
        status = collect(hooks, &qh, s, facets, err);
    }
    int left_count, left_bytes;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left_count, &left_bytes);
    return status;
}

cn_status cn_facets_find(const cn_hooks *hooks, const double *point, int count, cn_facets *facets,
                         cn_error *err)
{
    *facets = (cn_facets){0};
    char text[MESSAGE_MAX];
    FILE *messages = fmemopen(text, sizeof text, "w");
    if (messages == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the hull of %d points", count);
    }
    scratch s = {.point = point};
    cn_status status = run(hooks, count, messages, &s, facets, err);
    fclose(messages);
    cn_release(hooks, s.link);
    cn_release(hooks, s.use);
    if (status != CN_OK) {
        cn_facets_free(hooks, facets);
    }
    return status;
}
