// scene/language/value.h -- nodes read by the table of keys: typed, checked, defaults filled in,
// short forms written out, expressions evaluated. What comes out prints as a complete scene
// (scene/explain.c) and is all that the builders of bodies and stages look at.
#pragma once

#include "scene/keys/keys.h"
#include "scene/language/expr.h"
#include "scene/language/node.h"

typedef enum cn_value_kind {
    CN_VALUE_NUMBER = 0,
    CN_VALUE_FLAG,
    CN_VALUE_TEXT,
    CN_VALUE_LIST,
    CN_VALUE_MAP
} cn_value_kind;

typedef struct cn_value cn_value;
struct cn_value {
    cn_value_kind kind;
    bool is_default;
    const cn_key *key; // line of the table that it obeys
    cn_place at;
    double number;    // number; flag: 0 or 1; CN_TYPE_WORD: place among the choices; WORDS: bits
    const char *text; // text
    int count;        // list, map
    const char *const *name;     // map, in the order of the table (names: of the file)
    const cn_place *name_at;     // map
    const cn_value *const *item; // list, map
};

// The state of a reading: its memory, where problems are reported, and the symbols that are known.
typedef struct cn_reading {
    cn_arena *arena;
    cn_arena *tree; // of nodes, which values do not refer to
    cn_report *report;
    cn_error *err;
    cn_status status; // memory failures; problems of the file are in the report
    int dim;          // of the scene, 2 or 3
    const cn_symbol *symbol;
    int symbol_count;
    const cn_section *generators; // made on first use
    const cn_key *observer;       // likewise
    const cn_key *former[8];      // keys whose former name was met and noted, former_count
    int former_count;
    struct cn_defaults *defaults; // values of keys that were left out before, the newest first
    struct cn_making *making;     // whose reading it is: for shapes that name files
} cn_reading;

// Reads a node as a value of the key. NULL if there was a problem (reported, or in r->status).
const cn_value *cn_value_read(cn_reading *r, const cn_node *node, const cn_key *key);

// Reads a map node as a section.
const cn_value *cn_value_read_section(cn_reading *r, const cn_node *node, const cn_section *section,
                                      const cn_key *key);

// Single values, lists of numbers and the like (scene/language/value_plain.c).
const cn_value *cn_value_read_plain(cn_reading *r, const cn_node *node, const cn_key *key);

// A number, plain or as an expression. False if there was a problem.
bool cn_number_of(cn_reading *r, const cn_node *node, const cn_key *key, double *number);

// A new value, NULL without memory.
cn_value *cn_value_new(cn_reading *r, cn_value_kind kind, const cn_node *node, const cn_key *key);

// Memory of the reading; NULL sets r->status.
void *cn_reading_take(cn_reading *r, size_t count, size_t size);

// Items of a map by name: NULL, NaN or NULL if the key was left out and has no default.
const cn_value *cn_value_get(const cn_value *map, const char *name);
double cn_value_number(const cn_value *map, const char *name);
const char *cn_value_text(const cn_value *map, const char *name);
// Copies the two or three numbers of a point; false if the key was left out.
bool cn_value_point(const cn_value *map, const char *name, double point[3]);

// Fills in a default that follows from other values, so that explaining the scene shows it. `map`
// is a value of a section whose key `name` was left out. False without memory.
bool cn_value_put(cn_reading *r, const cn_value *map, const char *name, double number);

// Complains about an unknown word, naming the nearest of the known ones or, if none is near, all.
void cn_complain_unknown(cn_report *report, cn_place at, const char *what, const char *word,
                         const char *where, const char *const *known, int count);
