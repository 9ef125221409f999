// scene/keys/keys.h -- the scene language as one table: name, type, unit, range, default and help
// of each key. Reading, `cairn check --explain`, the JSON Schema and the reference page all follow
// it.
//
// Laws, generators and observers bring tables of their own (cairn/law.h, generate/generate.h,
// scene/observe/observers.h); their sections are made from these, so a new one needs no change
// here. A new shape is one line in keys_shapes.c, a new drive one in keys.c, and the code that
// builds it.
#pragma once

#include "cairn/base.h"
#include "cairn/law.h"
#include "scene/language/arena.h"

typedef enum cn_key_type {
    CN_TYPE_NUMBER = 0, // a number; with `choices` also one of those words
    CN_TYPE_INTEGER,
    CN_TYPE_FLAG,     // true or false
    CN_TYPE_TEXT,     // any text
    CN_TYPE_WORD,     // one of `choices`
    CN_TYPE_WORDS,    // list of `choices`, true for all of them, false for none
    CN_TYPE_TEXTS,    // list of text, `least` to `most` of them; one alone is a list of one
    CN_TYPE_POINT,    // [x, y], in space [x, y, z]; with `choices` also one of those words: zeros
    CN_TYPE_PAIR,     // [a, b] in either dimension
    CN_TYPE_RANGE,    // [least, most], or one number for both
    CN_TYPE_POINTS,   // list of points
    CN_TYPE_PAIRS,    // list of pairs
    CN_TYPE_NUMBERS,  // [a, b, ...]
    CN_TYPE_MAP,      // keys of `section`
    CN_TYPE_ONE,      // exactly one key of `section`
    CN_TYPE_LIST,     // list of `item`
    CN_TYPE_NAMED,    // map from names to `item`
    CN_TYPE_LAW,      // law: the section follows from its key `type`
    CN_TYPE_OBSERVER, // keys of the observers: cn_key_observer
    CN_TYPE_GENERATOR // exactly one of the generators
} cn_key_type;

typedef struct cn_section cn_section;
typedef struct cn_key cn_key;

struct cn_key {
    const char *name;
    cn_key_type type;
    const char *unit;   // NULL: none; "*": any, of a param
    double least, most; // accepted range; both 0: any
    bool is_open;       // `least` itself is excluded
    const char
        *fallback; // default as text; NULL: must be given; "": may be left out, has no default
    const char *choices; // words separated by blanks
    const cn_section *section;
    const cn_key *item;
    const char *help;
    int dim;              // 2 or 3: only for scenes of that dimension; 0: for both
    const char *instead;  // what the other dimension takes in its place; NULL: it comes later there
    const char *formerly; // name of the key in earlier versions, still read with a note; NULL: none
};

// The unit as people read it: "" if there is none, or any.
static inline const char *cn_key_unit(const cn_key *key)
{
    return key->unit == NULL || key->unit[0] == '*' ? "" : key->unit;
}

static inline bool cn_key_is_for(const cn_key *key, int dim)
{
    return key->dim == 0 || dim == 0 || key->dim == dim;
}

// A value that is not a map stands for the key `short_scalar` (a single value) or `short_list` (a
// list) of its section: box: [2, 1] is box: {size: [2, 1]}. A single word that is a key of a
// CN_TYPE_ONE or of a section with `has_words` stands for that key with all its defaults: until:
// at_rest; where single values stand for another key it has to do without a value, so that inside:
// box is a body of that name. A section may hold a name twice, once for each dimension.
struct cn_section {
    const char *name;
    const char *help;
    int count;
    const cn_key *key;
    const char *short_scalar, *short_list;
    bool has_words;
};

// The whole scene.
const cn_section *cn_section_scene(void);

// Sections made from tables of others; NULL writes an error (memory). The first key of a law is
// `type`.
const cn_section *cn_section_law(const cn_law_type *type, cn_arena *arena, cn_error *err);
const cn_section *cn_section_generators(cn_arena *arena, cn_error *err);

// A map with the keys of all observers (scene/observe/table.c); NULL writes an error (memory).
const cn_key *cn_key_observer(cn_arena *arena, cn_error *err);

// A section of a first key and of parameters, its name and help left to the caller.
cn_section *cn_section_params(const cn_key *first, const cn_param *param, int count,
                              cn_arena *arena, cn_error *err);

// The section of a key whose type is MAP, ONE or GENERATOR.
const cn_section *cn_key_section(const cn_key *key, cn_arena *arena, cn_error *err);

// The key of that name for scenes of this dimension (0: the first of that name); NULL if unknown.
const cn_key *cn_section_find(const cn_section *section, const char *name, int dim);

// Place of a word among `choices`, -1 if it is not there; the k-th word, copied into word[64].
int cn_choice_find(const char *choices, const char *word);
bool cn_choice_at(const char *choices, int k, char word[64]);
