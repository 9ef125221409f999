// fem/mesh/lattice.c -- how a cell of 3 x 3 (x 3) lattice points becomes elements of each kind.
//
// Points are numbered p = i + 3 j + 9 k with i, j, k = 0, 1, 2 along x, y, z. Cells are split in
// the same way everywhere, so that neighbours fit: diagonals of facing sides agree.
#include "fem/mesh/mesh_blocks.h"

// clang-format off
static const signed char quad4[][CN_ELEMENT_NODES_MAX] = {{0, 2, 8, 6}};
static const signed char quad8[][CN_ELEMENT_NODES_MAX] = {{0, 2, 8, 6, 1, 5, 7, 3}};
static const signed char tri3[][CN_ELEMENT_NODES_MAX] = {{0, 2, 8}, {0, 8, 6}};
static const signed char tri6[][CN_ELEMENT_NODES_MAX] = {{0, 2, 8, 1, 5, 4}, {0, 8, 6, 4, 7, 3}};
static const signed char tri3_crossed[][CN_ELEMENT_NODES_MAX] = {
    {0, 2, 4}, {2, 8, 4}, {8, 6, 4}, {6, 0, 4}};
static const signed char hex8[][CN_ELEMENT_NODES_MAX] = {{0, 2, 8, 6, 18, 20, 26, 24}};
static const signed char hex20[][CN_ELEMENT_NODES_MAX] = {
    {0, 2, 8, 6, 18, 20, 26, 24, 1, 5, 7, 3, 19, 23, 25, 21, 9, 11, 17, 15}};
static const signed char wedge6[][CN_ELEMENT_NODES_MAX] = {
    {0, 2, 8, 18, 20, 26}, {0, 8, 6, 18, 26, 24}};
// clang-format on

cn_cell_split cn_cell_split_of(cn_element_type type, bool is_crossed)
{
    switch (type) {
    case CN_TRI3:
        return is_crossed ? (cn_cell_split){4, tri3_crossed} : (cn_cell_split){2, tri3};
    case CN_TRI6:
        return (cn_cell_split){2, tri6};
    case CN_QUAD4:
        return (cn_cell_split){1, quad4};
    case CN_QUAD8:
        return (cn_cell_split){1, quad8};
    case CN_TET4:
    case CN_TET10:
        return (cn_cell_split){6, NULL}; // by cn_cell_tets
    case CN_HEX8:
        return (cn_cell_split){1, hex8};
    case CN_HEX20:
        return (cn_cell_split){1, hex20};
    case CN_WEDGE6:
        return (cn_cell_split){2, wedge6};
    case CN_ELEMENT_COUNT:
        break;
    }
    return (cn_cell_split){0, NULL};
}

// The point of the lattice midway between two corners.
static signed char middle(int p, int q)
{
    return (signed char)((p + q) / 2); // steps of corners are 0 or 2: no carry
}

void cn_cell_tets(const int corner[8], signed char node[6][CN_ELEMENT_NODES_MAX])
{
    static const int point[8] = {0, 2, 8, 6, 18, 20, 26, 24};
    int apex = 0, count = 0;
    for (int c = 1; c < 8; c++) {
        apex = corner[c] < corner[apex] ? c : apex;
    }
    // Each side that does not hold the apex is cut through its corner of lowest number; so are
    // those that hold it, as the apex is theirs.
    for (int side = 0; side < 6; side++) {
        const int *at = cn_element_hex8.side[side].node;
        int low = 0;
        bool has_apex = false;
        for (int k = 0; k < 4; k++) {
            has_apex = has_apex || at[k] == apex;
            low = corner[at[k]] < corner[at[low]] ? k : low;
        }
        for (int half = 1; half < 3 && !has_apex; half++, count++) {
            // Seen from outside low, b, c run counterclockwise; from the apex the other way round.
            int v[4] = {point[at[low]], point[at[(low + half + 1) % 4]],
                        point[at[(low + half) % 4]], point[apex]};
            static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
            for (int k = 0; k < 4; k++) {
                node[count][k] = (signed char)v[k];
            }
            for (int k = 0; k < 6; k++) {
                node[count][4 + k] = middle(v[edge[k][0]], v[edge[k][1]]);
            }
        }
    }
}
