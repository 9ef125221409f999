// A scene explained reads back as the same scene; schema and reference know all keys.
#include "scene/keys/sections.h"
#include "scene/language/text_lines.h"
#include "scene/model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "test.h"

typedef struct gathered {
    char *text;
    size_t length, capacity;
} gathered;

static void gather(void *context, const char *line)
{
    gathered *g = context;
    size_t length = strlen(line);
    if (cn_reserve(NULL, &g->text, &g->capacity, g->length + length + 2, NULL) == CN_OK) {
        memcpy(g->text + g->length, line, length);
        memcpy(g->text + g->length + length, "\n", 2);
        g->length += length + 1;
    }
}

// What is said remains; that it was a default does not.
static void drop_comments(gathered *g)
{
    char *to = g->text;
    bool is_comment = false;
    for (const char *from = g->text; *from != '\0'; from++) {
        is_comment = *from == '\n' ? false : is_comment || strncmp(from, "  # ", 4) == 0;
        if (!is_comment) {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static cn_scene *parse(const char *text, size_t length)
{
    cn_scene *scene = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text, .length = length}, NULL,
                        NULL, &scene, &test_error));
    return scene;
}

// All that the library takes from a scene, bit for bit.
static bool is_same(const cn_scene *a, const cn_scene *b)
{
    bool is_equal = a->body_count == b->body_count && a->stage_count == b->stage_count &&
                    a->rule_count == b->rule_count && a->law_count == b->law_count &&
                    a->observer_count == b->observer_count && a->theta == b->theta &&
                    a->gamma == b->gamma && a->solver.eps_v == b->solver.eps_v &&
                    a->solver.tol == b->solver.tol && a->solver.sweep_max == b->solver.sweep_max &&
                    a->solver.patience == b->solver.patience &&
                    a->output.every == b->output.every && strcmp(a->title, b->title) == 0;
    for (int k = 0; is_equal && k < a->body_count; k++) {
        const cn_body_def *p = &a->body[k].def, *q = &b->body[k].def;
        is_equal = memcmp(p->at, q->at, sizeof p->at) == 0 && p->angle == q->angle &&
                   p->density == q->density && p->mass == q->mass && p->fixed == q->fixed &&
                   p->group == q->group && p->shapes.count == q->shapes.count &&
                   p->shapes.item[0].kind == q->shapes.item[0].kind &&
                   p->shapes.item[0].radius == q->shapes.item[0].radius &&
                   p->shapes.item[0].thickness == q->shapes.item[0].thickness;
    }
    for (int k = 0; is_equal && k < a->stage_count; k++) {
        const cn_scene_stage *p = &a->stage[k], *q = &b->stage[k];
        is_equal = p->h == q->h && p->duration == q->duration && p->theta == q->theta &&
                   p->drive_count == q->drive_count && p->force_count == q->force_count &&
                   p->until_count == q->until_count && strcmp(p->name, q->name) == 0;
        for (int n = 0; is_equal && n < p->until_count; n++) {
            is_equal =
                p->until[n].limit == q->until[n].limit && p->until[n].hold == q->until[n].hold;
        }
    }
    for (int k = 0; is_equal && k < a->law_count; k++) {
        is_equal =
            memcmp(a->law[k].def.param, b->law[k].def.param, sizeof a->law[k].def.param) == 0;
    }
    return is_equal;
}

static const char full[] =
    "cairn: 1\n"
    "title: \"a: [tricky] title, with 'quotes'\"\n"
    "params: {mu: 0.1, third: \"=1/3\"}\n"
    "materials: {stone: 2400}\n"
    "laws:\n"
    "  dry: {type: coulomb, friction: \"=mu+0.2\"}\n"
    "  soft: {type: elastic, stiffness: 1e6, forecast: true}\n"
    "contacts: [{between: [any, wall], law: dry}, {between: [any, any], law: none}]\n"
    "bodies:\n"
    "  box: {shape: {hollow_box: [8, 4]}, fixed: true}\n"
    "  drum: {shape: {hollow_disk: \"=third\"}, at: [100, 0], fixed: true}\n"
    "  ground: {shape: half_plane, fixed: true, at: [0, -9]}\n"
    "  wall: {generate: {wall: {length: 1.2, courses: 3, block: [0.4, 0.2]}}, material: stone}\n"
    "  grains: {generate: {pack: {inside: drum, shape: {disk: {radius: {uniform: [0.01, 0.02]}}},\n"
    "           fill: 0.3, seed: 7}}, material: stone}\n"
    "  arch: {generate: {arch: {blocks: 5, radius: 1, thickness: 0.2}}, material: stone, at: [50, "
    "0]}\n"
    "  bar: {shape: {capsule: {length: 1, radius: 0.1}}, at: [200, 0], mass: 2, fixed: [x, "
    "rotation]}\n"
    "  pair: {cluster: [{shape: {disk: 0.1}, at: [-1, 0]}, {shape: {box: [1, 1]}, angle: 0.5}],\n"
    "         at: [300, 0], material: stone, group: others}\n"
    "stages:\n"
    "  - {step: 1e-3, until: at_rest, at_most: 2}\n"
    "  - step: \"=third*1e-3\"\n"
    "    duration: 1\n"
    "    drive: {\"wall[1], wall[2,1]\": {velocity: {x: {cosine: {a: 1, w: 3}}}}}\n"
    "    force: {bar: {y: {table: [[0, 0], [1, \"=third\"]]}}}\n"
    "    stop_when: {speed_above: {speed: 100}}\n"
    "observe: [{name: top, track: wall.last}]\n";

CN_TEST(explained_scenes_read_back_the_same)
{
    cn_scene *scene = parse(full, strlen(full));
    gathered once = {0}, twice = {0};
    CN_DO(cn_scene_explain(scene, gather, &once, &test_error));
    // What was left unsaid is said, with units.
    CN_TRUE(strstr(once.text, "theta: 0.5  # default") != NULL);
    CN_TRUE(strstr(once.text, "restitution: 0  # default") != NULL);
    CN_TRUE(strstr(once.text, "gravity: [0, -9.81]  # m/s2, default") != NULL);
    CN_TRUE(strstr(once.text, "thickness: 0.4") != NULL);
    cn_scene *again = parse(once.text, once.length);
    CN_TRUE(again != NULL && is_same(scene, again));
    CN_DO(cn_scene_explain(again, gather, &twice, &test_error));
    drop_comments(&once);
    drop_comments(&twice);
    CN_TRUE(strcmp(once.text, twice.text) == 0);
    cn_scene_destroy(scene);
    cn_scene_destroy(again);
    free(once.text);
    free(twice.text);
}

CN_TEST(choices_of_the_table_are_those_of_the_library)
{
    const cn_section *solver = cn_section_find(cn_section_scene(), "solver", 0)->section;
    for (int k = 0; k < CN_METHOD_COUNT; k++) {
        CN_TRUE(cn_choice_find(cn_section_find(solver, "method", 0)->choices,
                               cn_method_name((cn_method)k)) == k);
    }
    for (int k = 0; k < CN_ORDER_COUNT; k++) {
        CN_TRUE(cn_choice_find(cn_section_find(solver, "order", 0)->choices,
                               cn_order_name((cn_order)k)) == k);
    }
}

// Every key has a line of help, and reference page and schema name it.
CN_TEST(reference_and_schema_know_every_key)
{
    cn_arena arena = {0};
    cn_section_list list = {0};
    gathered page = {0}, schema = {0};
    CN_DO(cn_sections_collect(&arena, &list, &test_error));
    CN_DO(cn_scene_reference(gather, &page, &test_error));
    CN_DO(cn_scene_schema(gather, &schema, &test_error));
    for (size_t k = 0; k < list.count; k++) {
        for (int n = 0; n < list.item[k].section->count; n++) {
            const cn_key *key = &list.item[k].section->key[n];
            char cell[100], quoted[100];
            snprintf(cell, sizeof cell, "| `%s` |", key->name);
            snprintf(quoted, sizeof quoted, "\"%s\":", key->name);
            CN_TRUE(key->help != NULL && key->help[0] != '\0');
            CN_TRUE(strstr(page.text, cell) != NULL);
            CN_TRUE(strstr(schema.text, quoted) != NULL);
        }
    }
    CN_TRUE(list.count > 40);
    cn_arena_free(&arena);
    free(list.item);
    free(page.text);
    free(schema.text);
}

// A line of 300 000 words, as aliases make of a small file, costs no more a word than a short one:
// it took a minute when every word looked at all of it. Ends of lines within one call are all told.
CN_TEST(long_lines_are_written_once)
{
    enum { WORDS = 300000 };
    gathered g = {0};
    cn_writing w = {.told = gather, .context = &g};
    for (int k = 0; k < WORDS; k++) {
        cn_write(&w, "word, ");
    }
    CN_TRUE(g.length == 0); // not told yet
    cn_write(&w, "end\nsecond\n\nthird");
    CN_TRUE(g.length == 6 * WORDS + 4 + 7 + 1);
    cn_write(&w, " and last\n");
    CN_DO(cn_write_end(&w, &test_error));
    CN_TRUE(strcmp(g.text + 6 * WORDS, "end\nsecond\n\nthird and last\n") == 0);
    free(g.text);
}

CN_MAIN(CN_RUN(explained_scenes_read_back_the_same);
        CN_RUN(choices_of_the_table_are_those_of_the_library);
        CN_RUN(reference_and_schema_know_every_key); CN_RUN(long_lines_are_written_once);)
