// geometry/surface/read/read_msh.c -- gmsh: sections $Name ... $EndName. Faces of any order are
// taken by their corners, physical surfaces are groups; lines and volumes are left out, and nodes
// that only those use. Sections that are not needed are skipped.
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/surface/read/msh.h"
#include "geometry/surface/weld.h"

enum { TYPE_COUNT = 94 };

static const cn_msh_type types[TYPE_COUNT] = {
    [1] = {1, 2, 0},    [2] = {2, 3, 3},   [3] = {2, 4, 4},   [4] = {3, 4, 0},   [5] = {3, 8, 0},
    [6] = {3, 6, 0},    [7] = {3, 5, 0},   [8] = {1, 3, 0},   [9] = {2, 6, 3},   [10] = {2, 9, 4},
    [11] = {3, 10, 0},  [12] = {3, 27, 0}, [13] = {3, 18, 0}, [14] = {3, 14, 0}, [15] = {0, 1, 0},
    [16] = {2, 8, 4},   [17] = {3, 20, 0}, [18] = {3, 15, 0}, [19] = {3, 13, 0}, [20] = {2, 9, 3},
    [21] = {2, 10, 3},  [22] = {2, 12, 3}, [23] = {2, 15, 3}, [24] = {2, 15, 3}, [25] = {2, 21, 3},
    [26] = {1, 4, 0},   [27] = {1, 5, 0},  [28] = {1, 6, 0},  [29] = {3, 20, 0}, [30] = {3, 35, 0},
    [31] = {3, 56, 0},  [36] = {2, 16, 4}, [37] = {2, 25, 4}, [38] = {2, 36, 4}, [92] = {3, 64, 0},
    [93] = {3, 125, 0},
};

int cn_tags_find(const cn_tags *tags, int64_t tag)
{
    int k = cn_chain_first(&tags->chain, cn_mix((uint64_t)tag));
    while (k >= 0 && tags->tag[k] != tag) {
        k = cn_chain_next(&tags->chain, k);
    }
    return k >= 0 ? tags->value[k] : -1;
}

cn_status cn_tags_add(cn_tags *tags, int64_t tag, int value, cn_error *err)
{
    size_t need = (size_t)tags->chain.count + 1;
    CN_TRY(cn_reserve(NULL, &tags->tag, &tags->tag_capacity, need, err));
    CN_TRY(cn_reserve(NULL, &tags->value, &tags->value_capacity, need, err));
    tags->tag[need - 1] = tag;
    tags->value[need - 1] = value;
    return cn_chain_add(&tags->chain, cn_mix((uint64_t)tag), err);
}

static void free_tags(cn_tags *tags)
{
    cn_chain_free(&tags->chain);
    free(tags->tag);
    free(tags->value);
}

cn_status cn_msh_int(cn_msh *f, const char *what, int64_t *value)
{
    if (f->is_text) {
        CN_TRY(cn_cursor_integer(f->c, what, value));
        return *value == (int32_t)*value
                   ? CN_OK
                   : cn_cursor_fail(f->c, "%s is too large: %lld", what, (long long)*value);
    }
    const char *bytes;
    CN_TRY(cn_cursor_bytes(f->c, 4, what, &bytes));
    *value = (int32_t)cn_cursor_u32(f->c, bytes);
    return CN_OK;
}

cn_status cn_msh_size(cn_msh *f, const char *what, int64_t *value)
{
    if (f->is_text) {
        return cn_cursor_integer(f->c, what, value);
    }
    const char *bytes;
    CN_TRY(cn_cursor_bytes(f->c, 8, what, &bytes));
    *value = (int64_t)cn_cursor_u64(f->c, bytes);
    return CN_OK;
}

cn_status cn_msh_real(cn_msh *f, const char *what, double *value)
{
    if (f->is_text) {
        return cn_cursor_number(f->c, what, value);
    }
    const char *bytes;
    CN_TRY(cn_cursor_bytes(f->c, 8, what, &bytes));
    *value = cn_cursor_f64(f->c, bytes);
    return CN_OK;
}

cn_status cn_msh_count_ok(cn_msh *f, const char *what, int64_t count, size_t size)
{
    if (!cn_cursor_has(f->c, count, f->is_text ? 1 : size)) {
        return cn_cursor_fail(f->c,
                              "%lld %s do not fit in the %lld bytes that are left of the file",
                              (long long)count, what, (long long)(f->c->end - f->c->at));
    }
    return CN_OK;
}

cn_status cn_msh_type_of(cn_msh *f, int64_t number, cn_msh_type *type)
{
    if (number < 1 || number >= TYPE_COUNT || types[number].node_count == 0) {
        return cn_cursor_fail(f->c, "element type %lld is not known", (long long)number);
    }
    *type = types[number];
    type->number = (int)number;
    return CN_OK;
}

cn_status cn_msh_group(cn_msh *f, int64_t dimension, int64_t physical, int *group)
{
    int64_t key = cn_msh_key(dimension, physical);
    *group = -1;
    if (physical == 0) {
        return CN_OK;
    }
    *group = cn_tags_find(&f->physical, key);
    if (*group < 0) {
        char name[32];
        int length = snprintf(name, sizeof name, "%lld", (long long)physical);
        CN_TRY(cn_mesher_group(f->m, name, (size_t)length, group));
        return cn_tags_add(&f->physical, key, *group, f->c->err);
    }
    return CN_OK;
}

cn_status cn_msh_volume_group(cn_msh *f, int64_t dimension, int64_t entity, int *group)
{
    char name[40];
    if (!f->is_by_volume || dimension != 3 || *group >= 0) {
        return CN_OK;
    }
    int length = snprintf(name, sizeof name, "volume_%lld", (long long)entity);
    return cn_mesher_group(f->m, name, (size_t)length, group);
}

cn_status cn_msh_node(cn_msh *f, int64_t tag, int vertex)
{
    if (cn_tags_find(&f->node, tag) >= 0) {
        return cn_cursor_fail(f->c, "node %lld is there twice", (long long)tag);
    }
    return cn_tags_add(&f->node, tag, vertex, f->c->err);
}

cn_status cn_msh_corner(cn_msh *f, int k, int64_t tag, int64_t element)
{
    int vertex = cn_tags_find(&f->node, tag);
    if (vertex < 0) {
        return cn_cursor_fail(f->c, "element %lld names node %lld, which is not in the file",
                              (long long)element, (long long)tag);
    }
    CN_TRY(cn_mesher_room(f->m, k));
    f->m->corner[k] = vertex;
    return CN_OK;
}

cn_status cn_msh_element(cn_msh *f, const cn_msh_type *type, int64_t element, int group)
{
    if (f->element != NULL) {
        return f->element(f, type, element, group);
    }
    f->solid_count += type->dimension == 3 ? 1 : 0;
    if (type->dimension != 2) {
        return CN_OK;
    }
    f->curved_count += type->node_count > type->corner_count ? 1 : 0;
    f->m->group = group;
    return cn_mesher_face(f->m, f->m->corner, type->corner_count, element);
}

// Behind the word $MeshFormat.
static cn_status read_format(cn_msh *f, bool *is_4)
{
    cn_cursor *c = f->c;
    double version = 0.0;
    int64_t is_binary = 0, size = 0;
    CN_TRY(cn_cursor_number(c, "the version", &version));
    if (!(version >= 2.0 && version < 3.0) && version != 4.1) {
        return cn_cursor_fail(c, "version %g of the gmsh format is not read; save as 4.1 or 2.2",
                              version);
    }
    *is_4 = version == 4.1;
    CN_TRY(cn_cursor_integer(c, "the file type", &is_binary));
    CN_TRY(cn_cursor_integer(c, "the data size", &size));
    if (size != 8) {
        return cn_cursor_fail(c, "a data size of %lld bytes is not read, only 8", (long long)size);
    }
    cn_cursor_skip_line(c);
    f->is_text = is_binary == 0;
    c->is_binary = !f->is_text;
    if (!f->is_text) {
        const char *one;
        CN_TRY(cn_cursor_bytes(c, 4, "the byte order", &one));
        cn_cursor_set_order(c, true);
        if (cn_cursor_u32(c, one) != 1) {
            cn_cursor_set_order(c, false);
        }
        if (cn_cursor_u32(c, one) != 1) {
            return cn_cursor_fail(c, "the byte order of this binary file is not known");
        }
    }
    return CN_OK;
}

static cn_status read_name(cn_msh *f)
{
    cn_cursor *c = f->c;
    int64_t dimension = 0, tag = 0;
    const char *name;
    size_t length;
    CN_TRY(cn_cursor_integer(c, "the dimension of a physical group", &dimension));
    CN_TRY(cn_cursor_integer(c, "the number of a physical group", &tag));
    cn_cursor_rest(c, &name, &length);
    if (length < 2 || name[0] != '"' || name[length - 1] != '"') {
        return cn_cursor_fail(c, "the name of physical group %lld must stand in quotes",
                              (long long)tag);
    }
    if (dimension < 0 || dimension > 3) {
        return cn_cursor_fail(c, "a physical group of dimension %lld", (long long)dimension);
    }
    int64_t key = cn_msh_key(dimension, tag);
    if (!cn_msh_takes(f, dimension) || cn_tags_find(&f->physical, key) >= 0) {
        return CN_OK;
    }
    int group = -1;
    CN_TRY(cn_mesher_group(f->m, name + 1, length - 2, &group));
    return cn_tags_add(&f->physical, key, group, c->err);
}

// Names are text in binary files too.
static cn_status read_names(cn_msh *f)
{
    int64_t count = 0;
    CN_TRY(cn_cursor_integer(f->c, "the number of physical names", &count));
    for (int64_t k = 0; k < count; k++) {
        CN_TRY(read_name(f));
    }
    return CN_OK;
}

// Goes to the line $EndName of a section that is not needed.
static cn_status skip_section(cn_cursor *c, const char *name)
{
    char end[CN_WORD_MAX + 8];
    int length = snprintf(end, sizeof end, "$End%s", name + 1);
    const char *found = memmem(c->at, (size_t)(c->end - c->at), end, (size_t)length);
    if (found == NULL) {
        return cn_cursor_fail(c, "section %.40s has no end", name);
    }
    for (; c->at < found; c->at++) {
        c->line += *c->at == '\n' ? 1 : 0;
    }
    return CN_OK;
}

static cn_status read_once(cn_msh *f, bool *is_read, const char *name, cn_status (*read)(cn_msh *f))
{
    if (*is_read) {
        return cn_cursor_fail(f->c, "section %s is there twice", name);
    }
    *is_read = true;
    return read(f);
}

static cn_status read_section(cn_msh *f, const char *name, bool is_4)
{
    if (strcmp(name, "$PhysicalNames") == 0) {
        return read_names(f);
    }
    if (strcmp(name, "$Entities") == 0 && is_4) {
        cn_cursor_skip_line(f->c);
        return cn_msh4_entities(f);
    }
    if (strcmp(name, "$Nodes") == 0) {
        cn_cursor_skip_line(f->c);
        return read_once(f, &f->has_nodes, name, is_4 ? cn_msh4_nodes : cn_msh2_nodes);
    }
    if (strcmp(name, "$Elements") == 0) {
        cn_cursor_skip_line(f->c);
        return read_once(f, &f->has_elements, name, is_4 ? cn_msh4_elements : cn_msh2_elements);
    }
    if (strcmp(name, "$PartitionedEntities") == 0) {
        cn_mesher_remark(f->m, "the mesh is partitioned: its physical groups are not read");
    }
    return skip_section(f->c, name);
}

static cn_status read_sections(cn_msh *f)
{
    cn_cursor *c = f->c;
    bool is_4 = false;
    char name[CN_WORD_MAX + 1];
    if (strcmp(cn_cursor_word(c), "$MeshFormat") != 0) {
        return cn_cursor_fail(c, "a gmsh file begins with $MeshFormat%s",
                              strcmp(c->word, "$NOD") == 0 ? "; this is version 1, save as 4.1"
                                                           : "");
    }
    CN_TRY(read_format(f, &is_4));
    memcpy(name, "$MeshFormat", sizeof "$MeshFormat");
    for (;;) {
        if (strncmp(cn_cursor_word(c), "$End", 4) != 0 || strcmp(c->word + 4, name + 1) != 0) {
            return cn_cursor_fail(c, "expected $End%.40s, found '%.40s'", name + 1, c->word);
        }
        if (cn_cursor_word(c)[0] == '\0') {
            return CN_OK;
        }
        if (c->word[0] != '$' || c->word[1] == '\0') {
            return cn_cursor_fail(c, "expected a section such as $Nodes, found '%.40s'", c->word);
        }
        memcpy(name, c->word, sizeof name);
        CN_TRY(read_section(f, name, is_4));
    }
}

static cn_status finish(cn_msh *f)
{
    cn_mesher *m = f->m;
    if (m->s.triangle_count == 0 && f->solid_count > 0) {
        return cn_fail(f->c->err, CN_BAD_INPUT,
                       "%s: the file holds %lld volume elements and no faces; save the surface too "
                       "(physical surfaces, or all elements)",
                       f->c->name, (long long)f->solid_count);
    }
    if (f->solid_count > 0) {
        cn_mesher_remark(m, "%lld volume elements are skipped: only the surface is read",
                         (long long)f->solid_count);
    }
    if (f->curved_count > 0) {
        cn_mesher_remark(m, "%lld curved faces are taken as flat between their corners",
                         (long long)f->curved_count);
    }
    int dropped = 0;
    return cn_surface_drop_unused(&m->s, &dropped, f->c->err);
}

static cn_status read_file(cn_msh *f, cn_status (*done)(cn_msh *f))
{
    cn_status status = read_sections(f);
    if (status == CN_OK) {
        status = done(f);
    }
    free_tags(&f->node);
    free_tags(&f->physical);
    free_tags(&f->entity);
    return status;
}

cn_status cn_read_msh(cn_mesher *m)
{
    if (m->def->volumes) {
        return cn_read_msh_volumes(m);
    }
    cn_msh f = {.m = m, .c = m->c, .is_text = true};
    return read_file(&f, finish);
}

cn_status cn_msh_read_elements(cn_mesher *m,
                               cn_status (*element)(cn_msh *f, const cn_msh_type *type,
                                                    int64_t element, int group),
                               cn_status (*done)(cn_msh *f), void *context, bool is_by_volume)
{
    cn_msh f = {.m = m,
                .c = m->c,
                .is_text = true,
                .element = element,
                .context = context,
                .is_by_volume = is_by_volume};
    return read_file(&f, done);
}
