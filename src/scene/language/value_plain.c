// scene/language/value_plain.c -- numbers, words, points: values without keys inside.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/language/unit.h"
#include "scene/language/value.h"

enum { CHOICE_MAX = 16 };

static bool is_one_of(const char *text, const char *const *word, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (strcasecmp(text, word[k]) == 0) {
            return true;
        }
    }
    return false;
}

// Words that other YAML readers take for true or false: a trap either way.
static bool is_trap(cn_reading *r, const cn_node *node, const cn_key *key)
{
    static const char *const traps[] = {"yes", "no", "on", "off"};
    if (node->kind != CN_NODE_SCALAR || !node->is_plain || !is_one_of(node->text, traps, 4)) {
        return false;
    }
    cn_complain(r->report, node->at,
                "%s: '%s' is ambiguous (write true or false, or \"%s\" in quotes for the word)",
                key->name, node->text, node->text);
    return true;
}

// " [m]", or nothing.
static const char *unit_in_brackets(const cn_key *key, char text[32])
{
    bool has_unit = cn_key_unit(key)[0] != '\0';
    snprintf(text, 32, "%s%.28s%s", has_unit ? " [" : "", cn_key_unit(key), has_unit ? "]" : "");
    return text;
}

static void complain_takes(cn_reading *r, const cn_node *node, const cn_key *key,
                           const char *wanted)
{
    char unit[32];
    unit_in_brackets(key, unit);
    if (node->kind == CN_NODE_SCALAR) {
        cn_complain(r->report, node->at, "%s takes %s%s, got '%.60s'", key->name, wanted, unit,
                    node->text);
    } else {
        cn_complain(r->report, node->at, "%s takes %s%s, this is %s", key->name, wanted, unit,
                    cn_node_kind_name(node));
    }
}

// Limits such as pi/2 are told as 1.5708: a number that reads the same is meant to be the limit.
static double snap(double number, double limit)
{
    char a[32], b[32];
    snprintf(a, sizeof a, "%g", number);
    snprintf(b, sizeof b, "%g", limit);
    return strcmp(a, b) == 0 ? limit : number;
}

static bool check_range(cn_reading *r, const cn_node *node, const cn_key *key, double *value)
{
    bool has_range = key->least != 0.0 || key->most != 0.0;
    if (has_range && *value > key->most) {
        *value = snap(*value, key->most);
    } else if (has_range && *value < key->least) {
        *value = snap(*value, key->least);
    }
    double number = *value;
    bool is_low = key->is_open ? !(number > key->least) : !(number >= key->least);
    if (!has_range || (!is_low && number <= key->most)) {
        return true;
    }
    const char *unit = cn_key_unit(key), *space = unit[0] != '\0' ? " " : "";
    if (isinf(key->most)) {
        cn_complain(r->report, node->at, "%s must be %s %g%s%s, got %g", key->name,
                    key->is_open ? ">" : ">=", key->least, space, unit, number);
    } else if (isinf(key->least)) {
        cn_complain(r->report, node->at, "%s must be <= %g%s%s, got %g", key->name, key->most,
                    space, unit, number);
    } else {
        cn_complain(r->report, node->at, "%s must be between %g and %g%s%s, got %g", key->name,
                    key->least, key->most, space, unit, number);
    }
    return false;
}

// What is no number may be an expression whose '=' was forgotten.
static void complain_number(cn_reading *r, const cn_node *node, const cn_key *key, const char *why)
{
    double value;
    char unit[32];
    bool is_expression =
        cn_expr_eval(node->text, r->symbol, r->symbol_count, &value, NULL) == CN_OK;
    cn_complain(r->report, node->at, "%s takes a number%s: %s%s%.60s%s", key->name,
                unit_in_brackets(key, unit), why,
                is_expression ? "; an expression begins with '=': \"=" : "",
                is_expression ? node->text : "", is_expression ? "\"" : "");
}

bool cn_number_of(cn_reading *r, const cn_node *node, const cn_key *key, double *number)
{
    if (node->kind != CN_NODE_SCALAR) {
        complain_takes(r, node, key, "a number");
        return false;
    }
    cn_error why = {0};
    bool is_expression = node->text[0] == '=';
    if (is_expression) {
        if (cn_expr_eval(node->text + 1, r->symbol, r->symbol_count, number, &why) != CN_OK) {
            cn_complain(r->report, node->at, "%s: %s", key->name, why.text);
            return false;
        }
        return check_range(r, node, key, number);
    }
    if (is_trap(r, node, key)) {
        return false;
    }
    bool has_unit = cn_quantity_is_meant(node->text);
    cn_status status = has_unit ? cn_quantity_read(node->text, key->unit, number, &why)
                                : cn_number_read(node->text, number, &why);
    if (status != CN_OK) {
        complain_number(r, node, key, why.text);
        return false;
    }
    if (!node->is_plain && !has_unit) {
        cn_complain(r->report, node->at, "%s takes a number, \"%.40s\" in quotes is text",
                    key->name, node->text);
        return false;
    }
    return check_range(r, node, key, number);
}

static const cn_value *new_number(cn_reading *r, const cn_node *node, const cn_key *key,
                                  double number)
{
    cn_value *value = cn_value_new(r, CN_VALUE_NUMBER, node, key);
    if (value != NULL) {
        value->number = number;
    }
    return value;
}

static cn_value *new_text(cn_reading *r, const cn_node *node, const cn_key *key, const char *text)
{
    cn_value *value = cn_value_new(r, CN_VALUE_TEXT, node, key);
    if (value != NULL) {
        value->text = text;
    }
    return value;
}

static void complain_choice(cn_reading *r, const cn_node *node, const cn_key *key)
{
    const char *known[CHOICE_MAX];
    char word[CHOICE_MAX][64];
    int count = 0;
    while (count < CHOICE_MAX && cn_choice_at(key->choices, count, word[count])) {
        known[count] = word[count];
        count++;
    }
    if (node->kind == CN_NODE_SCALAR) {
        cn_complain_unknown(r->report, node->at, key->name, node->text, NULL, known, count);
    } else {
        complain_takes(r, node, key, "a word");
    }
}

static int find_choice(const cn_node *node, const cn_key *key)
{
    bool is_word = node->kind == CN_NODE_SCALAR && key->choices != NULL;
    return is_word ? cn_choice_find(key->choices, node->text) : -1;
}

static const cn_value *read_number(cn_reading *r, const cn_node *node, const cn_key *key)
{
    if (find_choice(node, key) >= 0) {
        return new_text(r, node, key, node->text);
    }
    bool is_word =
        node->kind == CN_NODE_SCALAR && node->text[0] != '=' && !cn_number_is_meant(node->text);
    if (key->choices != NULL && is_word) {
        complain_choice(r, node, key);
        return NULL;
    }
    double number;
    return cn_number_of(r, node, key, &number) ? new_number(r, node, key, number) : NULL;
}

static const cn_value *read_integer(cn_reading *r, const cn_node *node, const cn_key *key)
{
    double number;
    if (!cn_number_of(r, node, key, &number)) {
        return NULL;
    }
    if (number != floor(number) || fabs(number) > 0x1p53) {
        cn_complain(r->report, node->at, "%s takes a whole number, got %.17g", key->name, number);
        return NULL;
    }
    return new_number(r, node, key, number);
}

// 1 for true, 0 for false, -1 for anything else.
static int flag_of(const cn_node *node)
{
    if (node->kind != CN_NODE_SCALAR || !node->is_plain) {
        return -1;
    }
    return strcmp(node->text, "true") == 0 ? 1 : strcmp(node->text, "false") == 0 ? 0 : -1;
}

static const cn_value *read_flag(cn_reading *r, const cn_node *node, const cn_key *key)
{
    int flag = flag_of(node);
    if (flag < 0) {
        if (!is_trap(r, node, key)) {
            complain_takes(r, node, key, "true or false");
        }
        return NULL;
    }
    cn_value *value = cn_value_new(r, CN_VALUE_FLAG, node, key);
    if (value != NULL) {
        value->number = flag;
    }
    return value;
}

static const cn_value *read_text(cn_reading *r, const cn_node *node, const cn_key *key)
{
    if (node->kind != CN_NODE_SCALAR) {
        complain_takes(r, node, key, "text");
        return NULL;
    }
    return is_trap(r, node, key) ? NULL : new_text(r, node, key, node->text);
}

static const cn_value *read_word(cn_reading *r, const cn_node *node, const cn_key *key)
{
    int choice = find_choice(node, key);
    if (choice < 0) {
        complain_choice(r, node, key);
        return NULL;
    }
    cn_value *value = new_text(r, node, key, node->text);
    if (value != NULL) {
        value->number = choice;
    }
    return value;
}

static cn_value *new_list(cn_reading *r, const cn_node *node, const cn_key *key, int count,
                          const cn_value ***item)
{
    cn_value *list = cn_value_new(r, CN_VALUE_LIST, node, key);
    *item = cn_reading_take(r, (size_t)count, sizeof **item);
    if (list == NULL || *item == NULL) {
        return NULL;
    }
    list->count = count;
    list->item = *item;
    return list;
}

// Words as bits, in the order of the choices; true is all of them.
static const cn_value *words_of_bits(cn_reading *r, const cn_node *node, const cn_key *key,
                                     unsigned bits)
{
    const cn_value **item;
    cn_value *list = new_list(r, node, key, CHOICE_MAX, &item);
    if (list == NULL) {
        return NULL;
    }
    list->count = 0;
    list->number = bits;
    char word[64];
    for (int k = 0; k < CHOICE_MAX && cn_choice_at(key->choices, k, word); k++) {
        if ((bits >> k & 1u) == 0) {
            continue;
        }
        char *text = cn_arena_print(r->arena, r->err, "%s", word);
        item[list->count] = text == NULL ? NULL : new_text(r, node, key, text);
        if (item[list->count] == NULL) {
            r->status = CN_NO_MEMORY;
            return NULL;
        }
        list->count++;
    }
    return list;
}

static const cn_value *read_words(cn_reading *r, const cn_node *node, const cn_key *key)
{
    int flag = flag_of(node);
    if (flag >= 0) {
        char word[64];
        int count = 0;
        while (cn_choice_at(key->choices, count, word)) {
            count++;
        }
        return words_of_bits(r, node, key, flag == 1 ? (1u << count) - 1u : 0u);
    }
    if (is_trap(r, node, key)) {
        return NULL;
    }
    if (node->kind == CN_NODE_MAP) {
        complain_takes(r, node, key, "true, false or a list of words");
        return NULL;
    }
    unsigned bits = 0;
    bool is_list = node->kind == CN_NODE_LIST;
    for (int k = 0; k < (is_list ? node->count : 1); k++) {
        const cn_node *item = is_list ? node->item[k] : node;
        int choice = find_choice(item, key);
        if (choice < 0) {
            complain_choice(r, item, key);
            return NULL;
        }
        bits |= 1u << choice;
    }
    return words_of_bits(r, node, key, bits);
}

static const cn_value *read_texts(cn_reading *r, const cn_node *node, const cn_key *key)
{
    bool is_list = node->kind == CN_NODE_LIST;
    int count = is_list ? node->count : 1;
    if (count < key->least || count > key->most) {
        cn_complain(r->report, node->at, "%s takes %s%g names, got %d", key->name,
                    key->least == key->most ? "exactly " : "at least ", key->least, count);
        return NULL;
    }
    const cn_value **item;
    cn_value *list = new_list(r, node, key, count, &item);
    for (int k = 0; list != NULL && k < count; k++) {
        item[k] = read_text(r, is_list ? node->item[k] : node, key);
        if (item[k] == NULL) {
            return NULL;
        }
    }
    return list;
}

static const cn_value *read_numbers(cn_reading *r, const cn_node *node, const cn_key *key)
{
    const cn_value **item;
    cn_value *list = new_list(r, node, key, node->count, &item);
    bool is_good = list != NULL;
    for (int k = 0; list != NULL && k < node->count; k++) {
        double number = 0.0;
        is_good = cn_number_of(r, node->item[k], key, &number) && is_good;
        item[k] = new_number(r, node->item[k], key, number);
        is_good = is_good && item[k] != NULL;
    }
    return is_good ? list : NULL;
}

// The same number `count` times.
static const cn_value *repeat_number(cn_reading *r, const cn_node *node, const cn_key *key,
                                     int count, double number)
{
    const cn_value **item;
    const cn_value *list = new_list(r, node, key, count, &item);
    bool has_memory = list != NULL;
    for (int k = 0; list != NULL && k < count; k++) {
        item[k] = new_number(r, node, key, number);
        has_memory = has_memory && item[k] != NULL;
    }
    return has_memory ? list : NULL;
}

// Two or three numbers.
static const cn_value *read_point(cn_reading *r, const cn_node *node, const cn_key *key, int count)
{
    if (find_choice(node, key) >= 0) {
        return repeat_number(r, node, key, count, 0.0);
    }
    if (node->kind != CN_NODE_LIST) {
        char wanted[80];
        snprintf(wanted, sizeof wanted, "%s%s",
                 count == 3 ? "three numbers such as [0, 0, 1]" : "two numbers such as [0, 1]",
                 key->choices != NULL ? ", or none" : "");
        complain_takes(r, node, key, wanted);
        return NULL;
    }
    if (node->count != count) {
        cn_complain(r->report, node->at, "%s takes %s numbers%s, got %d", key->name,
                    count == 3 ? "three" : "two", count == 3 ? " in space" : "", node->count);
        return NULL;
    }
    return read_numbers(r, node, key);
}

static const cn_value *read_range(cn_reading *r, const cn_node *node, const cn_key *key)
{
    if (node->kind == CN_NODE_LIST) {
        return read_point(r, node, key, 2);
    }
    double number;
    return cn_number_of(r, node, key, &number) ? repeat_number(r, node, key, 2, number) : NULL;
}

static const cn_value *read_points(cn_reading *r, const cn_node *node, const cn_key *key, int each)
{
    if (node->kind != CN_NODE_LIST) {
        complain_takes(r, node, key,
                       each == 3 ? "a list of points such as [[0, 0, 0], [1, 0, 0]]"
                                 : "a list of points such as [[0, 0], [1, 0], [0, 1]]");
        return NULL;
    }
    const cn_value **item;
    cn_value *list = new_list(r, node, key, node->count, &item);
    bool is_good = list != NULL;
    for (int k = 0; list != NULL && k < node->count; k++) {
        item[k] = read_point(r, node->item[k], key, each);
        is_good = is_good && item[k] != NULL;
    }
    return is_good ? list : NULL;
}

const cn_value *cn_value_read_plain(cn_reading *r, const cn_node *node, const cn_key *key)
{
    switch (key->type) {
    case CN_TYPE_NUMBER:
        return read_number(r, node, key);
    case CN_TYPE_INTEGER:
        return read_integer(r, node, key);
    case CN_TYPE_FLAG:
        return read_flag(r, node, key);
    case CN_TYPE_TEXT:
        return read_text(r, node, key);
    case CN_TYPE_WORD:
        return read_word(r, node, key);
    case CN_TYPE_WORDS:
        return read_words(r, node, key);
    case CN_TYPE_TEXTS:
        return read_texts(r, node, key);
    case CN_TYPE_POINT:
        return read_point(r, node, key, r->dim);
    case CN_TYPE_PAIR:
        return read_point(r, node, key, 2);
    case CN_TYPE_RANGE:
        return read_range(r, node, key);
    case CN_TYPE_POINTS:
        return read_points(r, node, key, r->dim);
    case CN_TYPE_PAIRS:
        return read_points(r, node, key, 2);
    default:
        if (node->kind != CN_NODE_LIST) {
            complain_takes(r, node, key, "a list of numbers");
            return NULL;
        }
        return read_numbers(r, node, key);
    }
}
