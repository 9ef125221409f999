// scene/language/node.c -- libyaml events to nodes.
#include "scene/language/node.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"

typedef struct anchor {
    const char *name;
    const cn_node *node;
} anchor;

typedef struct builder {
    yaml_parser_t yaml;
    const cn_source *source;
    cn_arena *tree, *words;
    cn_report *report;
    cn_error *err;
    anchor *anchor;
    size_t anchor_count, anchor_capacity;
    int alias_count;
    size_t alias_weight;
    int depth;
} builder;

// Nodes under way to become a list or a map.
typedef struct gathering {
    const cn_node **node;
    size_t count, capacity;
} gathering;

static cn_status parse_event_node(builder *b, yaml_event_t *event, const cn_node **node);

const char *cn_node_kind_name(const cn_node *node)
{
    switch (node->kind) {
    case CN_NODE_SCALAR:
        return "a single value";
    case CN_NODE_LIST:
        return "a list";
    case CN_NODE_MAP:
        return "a map";
    }
    return "a node";
}

const cn_node *cn_node_find(const cn_node *map, const char *key)
{
    for (int k = 0; map->kind == CN_NODE_MAP && k < map->count; k++) {
        if (strcmp(map->key[k]->text, key) == 0) {
            return map->item[k];
        }
    }
    return NULL;
}

static cn_place place_of(const builder *b, yaml_mark_t mark)
{
    return (cn_place){b->source, (int)mark.line + 1, (int)mark.column + 1};
}

// A problem ends the parse: *node stays NULL and everybody returns.
static cn_status refuse(builder *b, yaml_mark_t mark, const char *sentence)
{
    cn_complain(b->report, place_of(b, mark), "%s", sentence);
    return CN_OK;
}

static cn_status refuse_syntax(builder *b)
{
    const yaml_parser_t *y = &b->yaml;
    if (y->error == YAML_MEMORY_ERROR) {
        return cn_fail(b->err, CN_NO_MEMORY, "out of memory while reading '%s'", b->source->name);
    }
    const char *problem = y->problem != NULL ? y->problem : "this is not YAML";
    if (y->error == YAML_READER_ERROR) {
        cn_complain(b->report, (cn_place){b->source, 0, 0}, "%s (byte %zu)", problem,
                    y->problem_offset);
        return CN_OK;
    }
    bool is_tab = strstr(problem, "cannot start any token") != NULL;
    cn_complain(b->report, place_of(b, y->problem_mark), "%s%s%s%s", problem,
                y->context != NULL ? " " : "", y->context != NULL ? y->context : "",
                is_tab ? " (indent with blanks, and quote text that starts with a sign)" : "");
    return CN_OK;
}

// NULL *node after CN_OK means that the problem is in the report.
static cn_status next_event(builder *b, yaml_event_t *event, bool *is_there)
{
    *is_there = yaml_parser_parse(&b->yaml, event) == 1;
    return *is_there ? CN_OK : refuse_syntax(b);
}

static cn_status keep_anchor(builder *b, const yaml_char_t *name, const cn_node *node)
{
    if (name == NULL) {
        return CN_OK;
    }
    const char *text =
        cn_arena_text(b->words, (const char *)name, strlen((const char *)name), b->err);
    if (text == NULL) {
        return CN_NO_MEMORY;
    }
    CN_TRY(cn_reserve(NULL, &b->anchor, &b->anchor_capacity, b->anchor_count + 1, b->err));
    b->anchor[b->anchor_count++] = (anchor){text, node};
    return CN_OK;
}

static cn_status follow_alias(builder *b, const yaml_event_t *event, const cn_node **node)
{
    const char *name = (const char *)event->data.alias.anchor;
    const cn_node *found = NULL;
    for (size_t k = b->anchor_count; k > 0 && found == NULL; k--) {
        if (strcmp(b->anchor[k - 1].name, name) == 0) {
            found = b->anchor[k - 1].node;
        }
    }
    if (found == NULL) {
        cn_complain(b->report, place_of(b, event->start_mark),
                    "alias '*%.40s' has no anchor '&%.40s' that ends before it", name, name);
        return CN_OK;
    }
    b->alias_count++;
    b->alias_weight += found->weight;
    if (b->alias_count > CN_NODE_ALIAS_MAX || b->alias_weight > CN_NODE_ALIAS_WEIGHT_MAX) {
        return refuse(b, event->start_mark, "too many aliases (at most 1000 are accepted)");
    }
    *node = found;
    return CN_OK;
}

static cn_status check_tag(builder *b, const yaml_char_t *tag, yaml_mark_t mark, bool *is_good)
{
    *is_good = tag == NULL;
    if (tag != NULL) {
        return refuse(b, mark, "tags ('!...') are not part of the scene language");
    }
    return CN_OK;
}

static cn_status parse_scalar(builder *b, const yaml_event_t *event, const cn_node **node)
{
    bool is_good = false;
    CN_TRY(check_tag(b, event->data.scalar.tag, event->start_mark, &is_good));
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (is_good && memchr(value, '\0', length) != NULL) {
        return refuse(b, event->start_mark, "text may not hold a zero byte");
    }
    if (!is_good) {
        return CN_OK;
    }
    cn_node *made = cn_arena_take(b->tree, 1, sizeof *made, b->err);
    const char *text = cn_arena_text(b->words, value, length, b->err);
    if (made == NULL || text == NULL) {
        return CN_NO_MEMORY;
    }
    made->kind = CN_NODE_SCALAR;
    made->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    made->at = place_of(b, event->start_mark);
    made->text = text;
    made->weight = 1;
    CN_TRY(keep_anchor(b, event->data.scalar.anchor, made));
    *node = made;
    return CN_OK;
}

// Collects nodes up to the end event; *is_good stays false after a problem.
static cn_status gather(builder *b, yaml_event_type_t end, gathering *g, bool *is_good)
{
    for (;;) {
        yaml_event_t event;
        bool is_there = false;
        CN_TRY(next_event(b, &event, &is_there));
        if (!is_there) {
            return CN_OK;
        }
        if (event.type == end) {
            yaml_event_delete(&event);
            *is_good = true;
            return CN_OK;
        }
        const cn_node *node = NULL;
        cn_status status = parse_event_node(b, &event, &node);
        yaml_event_delete(&event);
        CN_TRY(status);
        if (node == NULL) {
            return CN_OK;
        }
        CN_TRY(cn_reserve(NULL, &g->node, &g->capacity, g->count + 1, b->err));
        g->node[g->count++] = node;
    }
}

static int compare_keys(const void *a, const void *b)
{
    const cn_node *left = *(const cn_node *const *)a, *right = *(const cn_node *const *)b;
    int order = strcmp(left->text, right->text);
    if (order != 0) {
        return order;
    }
    int lines = (left->at.line > right->at.line) - (left->at.line < right->at.line);
    int columns = (left->at.column > right->at.column) - (left->at.column < right->at.column);
    return lines != 0 ? lines : columns;
}

static cn_status check_keys(builder *b, const cn_node *map, bool *is_good)
{
    for (int k = 0; k < map->count; k++) {
        if (map->key[k]->kind != CN_NODE_SCALAR) {
            cn_complain(b->report, map->key[k]->at, "a key must be a word, this is %s",
                        cn_node_kind_name(map->key[k]));
            return CN_OK;
        }
    }
    const cn_node **sorted = malloc((size_t)map->count * sizeof *sorted + 1);
    if (sorted == NULL) {
        return cn_fail(b->err, CN_NO_MEMORY, "out of memory for %d keys", map->count);
    }
    memcpy(sorted, map->key, (size_t)map->count * sizeof *sorted);
    qsort(sorted, (size_t)map->count, sizeof *sorted, compare_keys);
    for (int k = 1; k < map->count; k++) {
        if (strcmp(sorted[k]->text, sorted[k - 1]->text) == 0) {
            cn_complain(b->report, sorted[k]->at, "key '%.60s' is given twice (first in line %d)",
                        sorted[k]->text, sorted[k - 1]->at.line);
        }
    }
    free(sorted);
    *is_good = true;
    return CN_OK;
}

static cn_status fill_list(builder *b, const gathering *g, cn_node *made)
{
    made->count = (int)g->count;
    const cn_node **item = cn_arena_take(b->tree, g->count, sizeof *item, b->err);
    if (item == NULL) {
        return CN_NO_MEMORY;
    }
    for (size_t k = 0; k < g->count; k++) {
        item[k] = g->node[k];
        made->weight += g->node[k]->weight;
    }
    made->item = item;
    return CN_OK;
}

static cn_status fill_map(builder *b, const gathering *g, cn_node *made, bool *is_good)
{
    made->count = (int)(g->count / 2);
    const cn_node **key = cn_arena_take(b->tree, g->count / 2, sizeof *key, b->err);
    const cn_node **item = cn_arena_take(b->tree, g->count / 2, sizeof *item, b->err);
    if (key == NULL || item == NULL) {
        return CN_NO_MEMORY;
    }
    for (int k = 0; k < made->count; k++) {
        key[k] = g->node[2 * k];
        item[k] = g->node[2 * k + 1];
        made->weight += key[k]->weight + item[k]->weight;
    }
    made->key = key;
    made->item = item;
    return check_keys(b, made, is_good);
}

static cn_status parse_inside(builder *b, const yaml_event_t *event, cn_node *made, bool *is_good)
{
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    gathering g = {0};
    bool is_whole = false;
    cn_status status =
        gather(b, is_map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT, &g, &is_whole);
    if (status == CN_OK && is_whole) {
        made->kind = is_map ? CN_NODE_MAP : CN_NODE_LIST;
        made->at = place_of(b, event->start_mark);
        made->weight = 1;
        *is_good = !is_map;
        status = is_map ? fill_map(b, &g, made, is_good) : fill_list(b, &g, made);
    }
    free(g.node);
    return status;
}

static cn_status parse_collection(builder *b, const yaml_event_t *event, const cn_node **node)
{
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    bool is_good = false;
    CN_TRY(check_tag(b, is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag,
                     event->start_mark, &is_good));
    if (is_good && b->depth >= CN_NODE_DEPTH_MAX) {
        return refuse(b, event->start_mark, "nested too deep (at most 64 levels are accepted)");
    }
    if (!is_good) {
        return CN_OK;
    }
    cn_node *made = cn_arena_take(b->tree, 1, sizeof *made, b->err);
    if (made == NULL) {
        return CN_NO_MEMORY;
    }
    is_good = false;
    b->depth++;
    cn_status status = parse_inside(b, event, made, &is_good);
    b->depth--;
    CN_TRY(status);
    if (is_good) {
        CN_TRY(keep_anchor(
            b, is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
            made));
        *node = made;
    }
    return CN_OK;
}

static cn_status parse_event_node(builder *b, yaml_event_t *event, const cn_node **node)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return follow_alias(b, event, node);
    case YAML_SCALAR_EVENT:
        return parse_scalar(b, event, node);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return parse_collection(b, event, node);
    default:
        return refuse(b, event->start_mark, "a value was expected here");
    }
}

// The first document is the scene; a second one is refused.
static cn_status parse_stream(builder *b, const cn_node **root)
{
    bool is_whole = false;
    const cn_node *first = NULL;
    while (!is_whole) {
        yaml_event_t event;
        bool is_there = false;
        CN_TRY(next_event(b, &event, &is_there));
        if (!is_there) {
            return CN_OK;
        }
        cn_status status = CN_OK;
        yaml_event_type_t type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && first != NULL) {
            status = refuse(b, event.start_mark, "a scene file holds one document, not several");
            is_whole = true;
        } else if (type != YAML_STREAM_START_EVENT && type != YAML_STREAM_END_EVENT &&
                   type != YAML_DOCUMENT_START_EVENT && type != YAML_DOCUMENT_END_EVENT) {
            status = parse_event_node(b, &event, &first);
            is_whole = first == NULL;
        }
        yaml_event_delete(&event);
        CN_TRY(status);
        is_whole = is_whole || type == YAML_STREAM_END_EVENT;
    }
    *root = first;
    return CN_OK;
}

cn_status cn_node_parse(const cn_source *source, cn_arena *tree, cn_arena *words, cn_report *report,
                        const cn_node **root, cn_error *err)
{
    *root = NULL;
    if (source->length > CN_SCENE_BYTES_MAX) {
        cn_complain(report, (cn_place){source, 0, 0},
                    "the file is larger than 64 MiB: put bulk bodies into a CSV file ('from:')");
        return CN_OK;
    }
    builder b = {.source = source, .tree = tree, .words = words, .report = report, .err = err};
    if (!yaml_parser_initialize(&b.yaml)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory while reading '%s'", source->name);
    }
    yaml_parser_set_encoding(&b.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.yaml, (const unsigned char *)source->text, source->length);
    cn_status status = parse_stream(&b, root);
    yaml_parser_delete(&b.yaml);
    free(b.anchor);
    return status;
}
