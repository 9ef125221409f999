// fem/mesh/read_vtu.c -- volume meshes from VTK XML files of unstructured grids (.vtu): text,
// base64 and raw binary, inline or appended, plain or compressed by zlib.
//
// The file is walked tag by tag. Of the one piece the points, the three arrays of cells and an
// integer array of cell data called `group` (or gmsh:physical) are read; all else is passed over.
// The contents of the arrays are in read_vtu_data.c.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/mesh/vtu.h"

// Cells of VTK that are elements here, or sides of them, and where VTK keeps the nodes of ours.
static const int pixel_order[] = {0, 1, 3, 2}, voxel_order[] = {0, 1, 3, 2, 4, 5, 7, 6};
static const struct {
    int number, type;
    const int *order;
} known[] = {{3, CN_SEG2, NULL},   {21, CN_SEG3, NULL},        {5, CN_TRI3, NULL},
             {22, CN_TRI6, NULL},  {9, CN_QUAD4, NULL},        {8, CN_QUAD4, pixel_order},
             {23, CN_QUAD8, NULL}, {10, CN_TET4, NULL},        {24, CN_TET10, NULL},
             {12, CN_HEX8, NULL},  {11, CN_HEX8, voxel_order}, {25, CN_HEX20, NULL},
             {13, CN_WEDGE6, NULL}};

enum { VERTEX = 1, GROUP_MAX = 10000 };

typedef struct reading {
    cn_vtu f;
    cn_volume_file *to;
    char section[32]; // Points, Cells, CellData; of the array that is being read
    int64_t point_count, cell_count;
    int piece_count;
    double *point;                        // 3 each
    double *connectivity, *offset, *type; // exact in doubles up to 2^53
    double *group;                        // NULL: none
    int64_t *group_number;                // ascending
    const char **group_name;
    char *group_text;
    int group_count;
} reading;

// ---- tags

static cn_status next_tag(cn_vtu *f, cn_vtu_tag *tag)
{
    cn_cursor *c = f->c;
    while (c->at < c->end && *c->at != '<') {
        c->line += *c->at++ == '\n';
    }
    if (c->at == c->end) {
        return cn_cursor_fail(c, "the file ends before </VTKFile>");
    }
    bool is_comment = c->end - c->at >= 4 && memcmp(c->at, "<!--", 4) == 0;
    const char *end = c->at;
    while (end < c->end && !(*end == '>' && (!is_comment || memcmp(end - 2, "--", 2) == 0))) {
        c->line += *end++ == '\n';
    }
    if (end == c->end) {
        return cn_cursor_fail(c, "a tag is not closed by '>'");
    }
    *tag = (cn_vtu_tag){c->at + 1, end};
    c->at = end + 1;
    return CN_OK;
}

static bool is_named(const cn_vtu_tag *tag, const char *name)
{
    size_t length = strlen(name);
    return (size_t)(tag->end - tag->begin) >= length && memcmp(tag->begin, name, length) == 0 &&
           (tag->begin + length == tag->end || strchr(" \t\r\n/", tag->begin[length]) != NULL);
}

bool cn_vtu_attribute(const cn_vtu_tag *tag, const char *name, char text[CN_WORD_MAX + 1])
{
    size_t length = strlen(name);
    text[0] = '\0';
    for (const char *at = tag->begin; at + length + 2 < tag->end; at++) {
        if (strchr(" \t\r\n", at[0]) == NULL || memcmp(at + 1, name, length) != 0 ||
            at[length + 1] != '=' || (at[length + 2] != '"' && at[length + 2] != '\'')) {
            continue;
        }
        const char *from = at + length + 3, *to = memchr(from, from[-1], (size_t)(tag->end - from));
        if (to == NULL || to - from > CN_WORD_MAX) {
            return false;
        }
        memcpy(text, from, (size_t)(to - from));
        text[to - from] = '\0';
        return true;
    }
    return false;
}

static cn_status integer_of(const cn_vtu *f, const cn_vtu_tag *tag, const char *name,
                            int64_t *value)
{
    if (!cn_vtu_attribute(tag, name, f->c->word)) {
        int shown = tag->end - tag->begin < 60 ? (int)(tag->end - tag->begin) : 60;
        return cn_cursor_fail(f->c, "<%.*s> has no %s", shown, tag->begin, name);
    }
    return cn_cursor_as_integer(f->c, name, value);
}

// ---- arrays

static cn_status read_array(reading *r, const cn_vtu_tag *tag, const char *name, int64_t count,
                            double **to)
{
    if (*to != NULL) {
        return cn_cursor_fail(r->f.c, "the array '%s' is there twice", name);
    }
    if (count < 0) {
        return cn_cursor_fail(r->f.c, "the array '%s' comes before the offsets of the cells", name);
    }
    return cn_vtu_array(&r->f, tag, name, count, to);
}

// Number of entries of the connectivity, -1 before the offsets are known. Writers put it first, so
// it is remembered and read later.
static int64_t entry_count(const reading *r)
{
    return r->offset == NULL ? -1 : r->cell_count > 0 ? (int64_t)r->offset[r->cell_count - 1] : 0;
}

static cn_status check_offsets(reading *r)
{
    double before = 0.0;
    for (int64_t k = 0; k < r->cell_count; k++) {
        if (!(r->offset[k] >= before && r->offset[k] <= INT32_MAX)) {
            return cn_cursor_fail(r->f.c, "offset %lld of the cells is %.17g, after %.17g",
                                  (long long)k, r->offset[k], before);
        }
        before = r->offset[k];
    }
    return CN_OK;
}

// An array of the section that is open; the connectivity is kept for later.
static cn_status take_array(reading *r, const cn_vtu_tag *tag, cn_vtu_tag *connectivity,
                            cn_cursor *there)
{
    char name[CN_WORD_MAX + 1];
    cn_vtu_attribute(tag, "Name", name);
    if (strcmp(r->section, "Points") == 0) {
        int64_t components = 0;
        CN_TRY(integer_of(&r->f, tag, "NumberOfComponents", &components));
        if (components != 3) {
            return cn_cursor_fail(r->f.c, "points have %lld components, not 3",
                                  (long long)components);
        }
        return read_array(r, tag, "points", 3 * r->point_count, &r->point);
    }
    if (strcmp(r->section, "Cells") == 0 && strcmp(name, "connectivity") == 0) {
        *connectivity = *tag;
        *there = *r->f.c;
        return CN_OK;
    }
    if (strcmp(r->section, "Cells") == 0 && strcmp(name, "offsets") == 0) {
        CN_TRY(read_array(r, tag, name, r->cell_count, &r->offset));
        return check_offsets(r);
    }
    if (strcmp(r->section, "Cells") == 0 && strcmp(name, "types") == 0) {
        return read_array(r, tag, name, r->cell_count, &r->type);
    }
    bool is_group = strcmp(name, "group") == 0 || strcmp(name, "gmsh:physical") == 0;
    if (strcmp(r->section, "CellData") == 0 && is_group && r->group == NULL) {
        return read_array(r, tag, name, r->cell_count, &r->group);
    }
    return CN_OK;
}

static cn_status open_piece(reading *r, const cn_vtu_tag *tag)
{
    cn_cursor *c = r->f.c;
    CN_TRY(integer_of(&r->f, tag, "NumberOfPoints", &r->point_count));
    CN_TRY(integer_of(&r->f, tag, "NumberOfCells", &r->cell_count));
    if (++r->piece_count > 1) {
        return cn_cursor_fail(c, "the grid has several pieces: merge them into one");
    }
    if (r->point_count < 1 || r->point_count > INT32_MAX / 64 || r->cell_count < 1 ||
        r->cell_count > INT32_MAX / 64) {
        return cn_cursor_fail(c, "a piece of %lld points and %lld cells cannot be read",
                              (long long)r->point_count, (long long)r->cell_count);
    }
    return CN_OK;
}

static cn_status open_file(cn_vtu *f)
{
    cn_vtu_tag tag;
    char text[CN_WORD_MAX + 1];
    do {
        CN_TRY(next_tag(f, &tag));
    } while (*tag.begin == '?' || *tag.begin == '!');
    if (!is_named(&tag, "VTKFile")) {
        return cn_cursor_fail(f->c, "this is no VTK file: it does not begin with <VTKFile>");
    }
    if (!cn_vtu_attribute(&tag, "type", text) || strcmp(text, "UnstructuredGrid") != 0) {
        return cn_cursor_fail(f->c, "a VTK file of type '%s', not UnstructuredGrid", text);
    }
    if (cn_vtu_attribute(&tag, "compressor", text)) {
        f->is_zlib = strcmp(text, "vtkZLibDataCompressor") == 0;
        if (!f->is_zlib) {
            return cn_cursor_fail(f->c, "compressed by %s: save it with zlib or uncompressed",
                                  text);
        }
    }
    cn_vtu_attribute(&tag, "byte_order", text);
    cn_cursor_set_order(f->c, strcmp(text, "BigEndian") != 0);
    cn_vtu_attribute(&tag, "header_type", text);
    f->header_size = strcmp(text, "UInt64") == 0 ? 8 : 4;
    return CN_OK;
}

// Where appended data begin; arrays before it name places in them.
static cn_status find_appended(cn_vtu *f)
{
    cn_cursor *c = f->c, start = *c;
    cn_vtu_tag tag = {c->at, c->at};
    char text[CN_WORD_MAX + 1];
    while (!is_named(&tag, "AppendedData") && !is_named(&tag, "/VTKFile")) {
        CN_TRY(next_tag(f, &tag));
    }
    if (is_named(&tag, "AppendedData")) {
        cn_vtu_attribute(&tag, "encoding", text);
        f->is_base64 = strcmp(text, "base64") == 0;
        while (c->at < c->end && *c->at != '_') {
            c->at++;
        }
        if (c->at == c->end) {
            return cn_cursor_fail(c, "appended data do not begin with '_'");
        }
        f->appended = c->at + 1;
    }
    *c = start;
    return CN_OK;
}

static cn_status read_piece(reading *r)
{
    static const char *const section[] = {"PointData", "CellData", "Points", "Cells"};
    cn_vtu_tag tag = {0}, connectivity = {0};
    cn_cursor *c = r->f.c, there = {0};
    do {
        CN_TRY(next_tag(&r->f, &tag));
        for (size_t k = 0; k < sizeof section / sizeof *section; k++) {
            cn_vtu_tag inside = {tag.begin + (*tag.begin == '/'), tag.end};
            if (is_named(&inside, section[k])) {
                snprintf(r->section, sizeof r->section, "%s",
                         inside.begin == tag.begin ? section[k] : "");
            }
        }
        if (is_named(&tag, "Piece")) {
            CN_TRY(open_piece(r, &tag));
        } else if (is_named(&tag, "DataArray") && r->piece_count > 0) {
            CN_TRY(take_array(r, &tag, &connectivity, &there));
        }
    } while (!is_named(&tag, "/UnstructuredGrid") && !is_named(&tag, "/VTKFile"));
    if (r->point == NULL || connectivity.begin == NULL || r->offset == NULL || r->type == NULL) {
        return cn_cursor_fail(c, "the grid has no %s",
                              r->point == NULL             ? "points"
                              : connectivity.begin == NULL ? "connectivity of cells"
                              : r->offset == NULL          ? "offsets of cells"
                                                           : "types of cells");
    }
    *c = there;
    return read_array(r, &connectivity, "connectivity", entry_count(r), &r->connectivity);
}

// ---- cells and groups

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Numbers of groups that occur, except 0; their names are the numbers.
static cn_status list_groups(reading *r, cn_error *err)
{
    size_t room[3] = {0}, count = r->group != NULL ? (size_t)r->cell_count : 0;
    CN_TRY(cn_reserve(NULL, &r->group_number, &room[0], count + 1, err));
    for (size_t k = 0; k < count; k++) {
        if (!(fabs(r->group[k]) <= INT32_MAX)) {
            return cn_cursor_fail(r->f.c,
                                  "element %zu is in group %g, but groups have numbers up to %d", k,
                                  r->group[k], INT32_MAX);
        }
        r->group_number[k] = (int64_t)r->group[k];
    }
    qsort(r->group_number, count, sizeof *r->group_number, compare_numbers);
    for (size_t k = 0; k < count; k++) {
        int64_t number = r->group_number[k];
        if (number != 0 && (r->group_count == 0 || number != r->group_number[r->group_count - 1])) {
            r->group_number[r->group_count++] = number;
        }
    }
    if (r->group_count > GROUP_MAX) {
        return cn_cursor_fail(r->f.c, "%d groups of cells are more than %d", r->group_count,
                              GROUP_MAX);
    }
    size_t groups = (size_t)r->group_count;
    CN_TRY(cn_reserve(NULL, &r->group_name, &room[1], groups + 1, err));
    CN_TRY(cn_reserve(NULL, &r->group_text, &room[2], 24 * groups + 1, err));
    for (size_t k = 0; k < groups; k++) {
        snprintf(r->group_text + 24 * k, 24, "%lld", (long long)r->group_number[k]);
        r->group_name[k] = r->group_text + 24 * k;
    }
    return CN_OK;
}

static int group_of(const reading *r, int64_t cell)
{
    if (r->group == NULL) {
        return -1;
    }
    int64_t number = (int64_t)r->group[cell];
    const int64_t *found =
        bsearch(&number, r->group_number, (size_t)r->group_count, sizeof number, compare_numbers);
    return found != NULL ? (int)(found - r->group_number) : -1;
}

static cn_status take_cell(reading *r, int64_t cell, int first, int count)
{
    cn_cursor *c = r->f.c;
    int corner[CN_ELEMENT_NODES_MAX];
    int number = fabs(r->type[cell]) <= INT32_MAX ? (int)r->type[cell] : -1;
    size_t k = 0, kinds = sizeof known / sizeof *known;
    while (k < kinds && known[k].number != number) {
        k++;
    }
    if (number == VERTEX) {
        return CN_OK;
    }
    if (k == kinds) {
        return cn_fail(c->err, CN_BAD_INPUT,
                       "%s: element %lld has type %d of VTK, %d nodes; known are tri3 tri6 quad4 "
                       "quad8 tet4 tet10 hex8 hex20 wedge6",
                       c->name, (long long)cell, number, count);
    }
    const cn_element *element = cn_element_of(known[k].type);
    if (count != element->node_count) {
        return cn_fail(c->err, CN_BAD_INPUT, "%s: element %lld (%s) has %d nodes, not %d", c->name,
                       (long long)cell, element->name, count, element->node_count);
    }
    for (int n = 0; n < count; n++) {
        double node = r->connectivity[first + n];
        if (!(node >= 0.0 && node < (double)r->point_count)) {
            return cn_fail(c->err, CN_BAD_INPUT,
                           "%s: element %lld names node %.17g, but nodes are 0 .. %lld", c->name,
                           (long long)cell, node, (long long)r->point_count - 1);
        }
        corner[n] = (int)node;
    }
    r->to->other += element->dim > r->to->dim;
    if (element->dim > r->to->dim) {
        return CN_OK;
    }
    if (element->dim < r->to->dim - 1) {
        return cn_volume_file_mark(r->to, group_of(r, cell), count, corner);
    }
    return cn_volume_file_take(r->to, known[k].type, cell, group_of(r, cell), corner,
                               known[k].order);
}

static cn_status build(reading *r, cn_error *err)
{
    int first = 0;
    CN_TRY(list_groups(r, err));
    for (int64_t cell = 0; cell < r->cell_count; cell++) {
        int end = (int)r->offset[cell];
        CN_TRY(take_cell(r, cell, first, end - first));
        first = end;
    }
    r->to->vertex_count = (int)r->point_count;
    r->to->vertex = r->point;
    r->to->group_count = r->group_count;
    r->to->group_name = (const char *const *)r->group_name;
    return cn_volume_file_build(r->to);
}

cn_status cn_volume_read_vtu(cn_cursor *c, cn_volume_file *to)
{
    reading r = {.f = {.c = c}, .to = to};
    cn_status status = open_file(&r.f);
    status = status == CN_OK ? find_appended(&r.f) : status;
    status = status == CN_OK ? read_piece(&r) : status;
    status = status == CN_OK ? build(&r, to->err) : status;
    void *owned[] = {r.point,        r.connectivity, r.offset,     r.type,      r.group,
                     r.group_number, r.group_name,   r.group_text, r.f.unpacked};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        free(owned[k]);
    }
    return status;
}
