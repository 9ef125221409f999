// scene/language/tree_json.c -- the tree of a scene file as JSON, for programs that read scenes to
// change them.
#include <ctype.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "cairn/scene.h"
#include "scene/language/expr.h"
#include "scene/language/node.h"
#include "scene/language/text_lines.h"

static bool is_whole_number(const char *text)
{
    text += text[0] == '-';
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

// Scalars without quotes are numbers and truths where scenes take them for that.
static void write_scalar(cn_writing *w, const cn_node *node)
{
    double number;
    bool is_truth = strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0;
    bool is_number = cn_number_read(node->text, &number, NULL) == CN_OK;
    if (node->is_plain && (is_truth || (is_number && is_whole_number(node->text)))) {
        cn_write(w, "%s", node->text);
    } else if (node->is_plain && is_number) {
        cn_write_number(w, number);
    } else {
        cn_write_json(w, node->text);
    }
}

static cn_status tell_tree(const cn_source *source, cn_arena *arena, cn_tell *told, void *context,
                           cn_error *err)
{
    cn_report report = {.told = told, .context = context};
    const cn_node *root = NULL;
    CN_TRY(cn_node_parse(source, arena, arena, &report, &root, err));
    CN_TRY(cn_report_status(&report, source->name, err));
    if (root == NULL || root->kind != CN_NODE_MAP) {
        return cn_fail(err, CN_BAD_INPUT, "%s: a scene is a map of keys, this is %s", source->name,
                       root == NULL ? "empty" : cn_node_kind_name(root));
    }
    cn_writing w = {.told = told, .context = context};
    cn_write_tree(&w, root, write_scalar);
    return cn_write_end(&w, err);
}

cn_status cn_scene_json(const char *name, const char *text, size_t length, cn_tell *told,
                        void *context, cn_error *err)
{
    CN_NEED(err, name, text);
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a scene");
    }
    cn_arena arena = {0};
    const cn_source source = {.name = name, .text = text, .length = length};
    cn_status status = tell_tree(&source, &arena, told, context, err);
    cn_arena_free(&arena);
    cn_plain_end(&locale);
    return status;
}
