// contact/interface_fans.c -- pieces of a mesh that hold together: corners that stand on one spot
// do not collide as long as bonds hold them there, all around or over others, and faces inside are
// nobody's surface. See interface_list.h.
#include <string.h>

#include "body/deformable/deformables.h"
#include "contact/interface_list.h"

// The corner of a skin behind a node, -1: bodies whose contacts are at the middles of facets have
// none.
static int corner_of(const cn_deformables *m, int k, int node)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    return m->body[k].is_mid_face || skin->place[node] < 0 ? -1
                                                           : m->node_start[k] + skin->place[node];
}

static int root_of(int *root, int corner)
{
    while (root[corner] != corner) {
        corner = root[corner] = root[root[corner]];
    }
    return corner;
}

// The least number of a fan stands for it, whatever the order.
static void join(int *root, int one, int other)
{
    int a = root_of(root, one), b = root_of(root, other);
    root[a > b ? a : b] = a > b ? b : a;
}

cn_status cn_fans_make(cn_contacts *c, const cn_bodies *b, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int corners = m->count > 0 ? m->node_start[m->count] : 0;
    CN_TRY(cn_reserve(c->hooks, &c->bond_root, &c->capacity.bond_root, (size_t)corners, err));
    for (int k = 0; k < corners; k++) {
        c->bond_root[k] = k;
    }
    for (int k = 0; k < c->bonded_count && corners > 0; k++) {
        const double *state = cn_bonded_state(c, k);
        const int body[2] = {cn_pair_i(c->bonded[k].pair), cn_pair_j(c->bonded[k].pair)};
        int node[2] = {cn_bonded_node(b, body[0], state, 0), cn_bonded_node(b, body[1], state, 1)};
        if (node[0] < 0 || node[1] < 0 || cn_bonded_is_far(b, body, state + CN_BOND_OPENING, 0)) {
            continue;
        }
        int one = corner_of(m, b->deformable[body[0]], node[0]);
        int other = corner_of(m, b->deformable[body[1]], node[1]);
        if (one >= 0 && other >= 0) {
            join(c->bond_root, one, other);
        }
    }
    for (int k = 0; k < corners; k++) {
        c->bond_root[k] = root_of(c->bond_root, k);
    }
    return CN_OK;
}

bool cn_fans_join(const cn_contacts *c, const cn_bodies *b, const cn_detect *d, const cn_point *x)
{
    const cn_deformables *m = b->deformables;
    if (x->anchor[0] < 0 || x->anchor[1] < 0) {
        return false;
    }
    const cn_anchor *one = &d->anchor[x->anchor[0]], *other = &d->anchor[x->anchor[1]];
    const cn_anchor *probe = one->count == 1 ? one : other, *facet = one->count == 1 ? other : one;
    int corner = probe->count == 1 ? corner_of(m, probe->mesh, probe->node[0]) : -1;
    bool is_joined = false;
    for (int k = 0; k < facet->count && corner >= 0; k++) {
        int next = corner_of(m, facet->mesh, facet->node[k]);
        is_joined = is_joined || (next >= 0 && c->bond_root[next] == c->bond_root[corner]);
    }
    return is_joined;
}

// ---- what is inside

// Whether the points of a group, which begins at `first`, hold two facets corner by corner.
static bool is_whole(const cn_contacts *c, const cn_bodies *b, int first, int end,
                     const int body[2], const int facet[2])
{
    int corners = 0, count = cn_interface_facet(b, body[0], facet[0]).count;
    bool holds = count == cn_interface_facet(b, body[1], facet[1]).count;
    for (int k = first; k < end && holds; k++) {
        const double *state = cn_bonded_state(c, k);
        bool is_corner =
            cn_bonded_node(b, body[0], state, 0) >= 0 && cn_bonded_node(b, body[1], state, 1) >= 0;
        corners += is_corner ? 1 : 0;
        holds = !cn_bonded_is_far(b, body, state + CN_BOND_OPENING, 0);
    }
    return holds && corners == count;
}

// Marks a facet, and the other half of a four-sided one.
static void cover_facet(const cn_deformables *m, int k, int facet, unsigned char *covered)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    int nodes = m->node_start[m->count], first = m->facet_start[k];
    covered[nodes + first + facet] = 1;
    if (m->dim == 3 && skin->fourth[facet] >= 0 && facet + 1 < skin->facet_count) {
        covered[nodes + first + facet + 1] = 1;
    }
}

// A node is inside if all facets around it are.
static void cover_nodes(const cn_deformables *m, unsigned char *covered)
{
    int nodes = m->node_start[m->count];
    for (int k = 0; k < m->count; k++) {
        const cn_skin *skin = &cn_deformable_model(m, k)->skin;
        for (int n = 0; n < skin->node_count && !m->body[k].is_mid_face; n++) {
            bool is_inside = true;
            for (int r = skin->ring_start[n]; r < skin->ring_start[n + 1] && is_inside; r++) {
                is_inside = covered[nodes + m->facet_start[k] + skin->ring[r]] != 0;
            }
            covered[m->node_start[k] + n] = is_inside;
        }
    }
}

cn_status cn_fans_cover(cn_contacts *c, const cn_bodies *b, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    size_t parts = m->count > 0 ? (size_t)(m->node_start[m->count] + m->facet_start[m->count]) : 0;
    CN_TRY(cn_reserve(c->hooks, &c->covered, &c->capacity.covered, parts, err));
    memset(c->covered, 0, parts);
    for (int k = 0, end; k < c->bonded_count; k = end) {
        uint64_t pair = c->bonded[k].pair, facets = c->bonded[k].facets;
        const int body[2] = {cn_pair_i(pair), cn_pair_j(pair)};
        const int facet[2] = {(int)(facets >> 32) - 1, (int)(facets & 0xffffffffu) - 1};
        end = cn_bonded_end_of_group(c, k);
        if (facet[0] >= 0 && facet[1] >= 0 && is_whole(c, b, k, end, body, facet)) {
            cover_facet(m, b->deformable[body[0]], facet[0], c->covered);
            cover_facet(m, b->deformable[body[1]], facet[1], c->covered);
        }
    }
    if (parts > 0) {
        cover_nodes(m, c->covered);
    }
    return CN_OK;
}
