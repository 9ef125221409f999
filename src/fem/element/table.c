// fem/element/table.c -- the elements that exist, in the order of cn_element_type.
#include <string.h>

#include "fem/element/element.h"

static const cn_element *const element_table[CN_CELL_COUNT] = {
    [CN_TRI3] = &cn_element_tri3,     [CN_TRI6] = &cn_element_tri6,
    [CN_QUAD4] = &cn_element_quad4,   [CN_QUAD8] = &cn_element_quad8,
    [CN_TET4] = &cn_element_tet4,     [CN_TET10] = &cn_element_tet10,
    [CN_HEX8] = &cn_element_hex8,     [CN_HEX20] = &cn_element_hex20,
    [CN_WEDGE6] = &cn_element_wedge6, [CN_SEG2] = &cn_element_seg2,
    [CN_SEG3] = &cn_element_seg3,
};

const cn_element *cn_element_of(int type)
{
    return element_table[type];
}

const char *cn_element_name(cn_element_type type)
{
    return (unsigned)type < CN_ELEMENT_COUNT ? element_table[type]->name : NULL;
}

cn_element_type cn_element_find(const char *name)
{
    int type = 0;
    while (type < CN_ELEMENT_COUNT &&
           (name == NULL || strcmp(element_table[type]->name, name) != 0)) {
        type++;
    }
    return (cn_element_type)type;
}

int cn_element_node_count(cn_element_type type)
{
    return (unsigned)type < CN_ELEMENT_COUNT ? element_table[type]->node_count : 0;
}

int cn_element_dim(cn_element_type type)
{
    return (unsigned)type < CN_ELEMENT_COUNT ? element_table[type]->dim : 0;
}
