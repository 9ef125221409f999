// law/registered.c -- laws from outside: what they must state, and the list of them.
//
// Scenes are read before there is a world, and by every thread alike, so the list is one of the
// process: entries are written once, before the count that shows them, and stay.
#include "law/registered.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "law/law.h"

static const cn_law *registered[CN_LAW_REGISTERED_MAX];
static atomic_int registered_count;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

enum { NAME_MAX_LENGTH = 63 }; // of laws, parameters and states

int cn_law_registered_count(void)
{
    return atomic_load_explicit(&registered_count, memory_order_acquire);
}

const cn_law *cn_law_registered_at(int k)
{
    return registered[k];
}

// Whether scenes can write it without quotes, and tables have room for it.
static bool is_name(const char *text)
{
    size_t length = text != NULL ? strlen(text) : 0;
    bool is_good = length > 0 && length <= NAME_MAX_LENGTH && !isdigit((unsigned char)text[0]);
    for (size_t k = 0; k < length && is_good; k++) {
        is_good = isalnum((unsigned char)text[k]) || text[k] == '_';
    }
    return is_good;
}

static int word_count(const char *words)
{
    int count = 0;
    for (const char *at = words; *at != '\0'; at++) {
        count += *at != ' ' && (at == words || at[-1] == ' ');
    }
    return count;
}

static cn_status check_param(const cn_law_type *type, int k, cn_error *err)
{
    const cn_param *x = &type->param[k];
    if (!is_name(x->name) || strcmp(x->name, "type") == 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law %s: parameter %d needs a name of letters, digits and _, other than "
                       "'type'",
                       type->name, k);
    }
    for (int other = 0; other < k; other++) {
        if (strcmp(type->param[other].name, x->name) == 0) {
            return cn_fail(err, CN_BAD_INPUT, "law %s has two parameters '%s'", type->name,
                           x->name);
        }
    }
    if (x->unit == NULL || x->help == NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law %s: parameter '%s' needs a unit, \"-\" for a pure number, and a line "
                       "of help",
                       type->name, x->name);
    }
    bool is_within = isnan(x->fallback) || (x->fallback >= x->least && x->fallback <= x->most);
    if (!(x->least <= x->most) || !is_within) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law %s: parameter '%s' has default %g and range [%g, %g]", type->name,
                       x->name, x->fallback, x->least, x->most);
    }
    if (x->choices != NULL && (x->least != 0.0 || x->most != word_count(x->choices) - 1.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law %s: parameter '%s' has the words '%s', whose places are 0 to %d, and "
                       "range [%g, %g]",
                       type->name, x->name, x->choices, word_count(x->choices) - 1, x->least,
                       x->most);
    }
    return CN_OK;
}

static bool has_param(const cn_law_type *type, const char *name)
{
    bool found = false;
    for (int k = 0; k < type->param_count; k++) {
        found = found || strcmp(type->param[k].name, name) == 0;
    }
    return found;
}

// How many states there are names for: its own, and those of moments.
static int state_names(const cn_law *law)
{
    bool has_moments = has_param(&law->type, "rolling") || has_param(&law->type, "spinning");
    return law->type.state_count + (has_moments || law->has_beams ? (int)CN_MOMENT_STATE_COUNT : 0);
}

static cn_status check_states(const cn_law *law, cn_error *err)
{
    const cn_law_type *type = &law->type;
    int count = state_names(law);
    if (type->state_count < 0 || count > CN_LAW_STATE_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "law %s: %d states, moments included, at most %d exist",
                       type->name, count, CN_LAW_STATE_MAX);
    }
    for (int k = 0; k < count; k++) {
        if (type->state_name == NULL || !is_name(type->state_name[k])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "law %s: state %d of %d needs a name of letters, digits and _, under "
                           "which results have it",
                           type->name, k, count);
        }
        for (int other = 0; other < k; other++) {
            if (strcmp(type->state_name[other], type->state_name[k]) == 0) {
                return cn_fail(err, CN_BAD_INPUT, "law %s has two states '%s'", type->name,
                               type->state_name[k]);
            }
        }
    }
    if ((type->state_count > 0) != (law->commit != NULL)) {
        return cn_fail(err, CN_BAD_INPUT, "law %s: %d states and %s commit to keep them",
                       type->name, type->state_count, law->commit != NULL ? "a" : "no");
    }
    return CN_OK;
}

// A law that bonds has the states and the parameters that interfaces write and read.
static cn_status check_bond(const cn_law *law, cn_error *err)
{
    static const char *const beam[] = {CN_BOND_STATES, CN_BEAM_STATES};
    static const char *const rough[] = {CN_BOND_STATES, CN_ROUGH_STATES};
    const char *const *state = law->teeth != NULL ? rough : beam;
    static const char *const param[] = {"bond", "bond_gap", "area"};
    const cn_law_type *type = &law->type;
    int needed = cn_law_bond_states(law);
    bool is_good = law->is_bonding || !(law->has_beams || law->teeth != NULL);
    is_good = is_good && !(law->has_beams && law->teeth != NULL);
    is_good = is_good && type->state_count >= needed;
    for (int k = 0; k < needed && is_good; k++) {
        is_good = strcmp(type->state_name[k], state[k]) == 0;
    }
    for (int k = 0; k < 3 && is_good && law->is_bonding; k++) {
        is_good = has_param(type, param[k]);
    }
    return is_good ? CN_OK
                   : cn_fail(err, CN_BAD_INPUT,
                             "law %s bonds: its states must begin with CN_BOND_STATES (with beams "
                             "CN_BEAM_STATES behind them, with teeth CN_ROUGH_STATES), and its "
                             "parameters contain "
                             "CN_BOND_PARAMS",
                             type->name);
}

static cn_status check_law(const cn_law *law, cn_error *err)
{
    if (law->interface != CN_LAW_INTERFACE) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a law states interface %d, this library (%s) has %d: set .interface = "
                       "CN_LAW_INTERFACE and compile it against this version",
                       law->interface, cn_version(), CN_LAW_INTERFACE);
    }
    const cn_law_type *type = &law->type;
    if (!is_name(type->name)) {
        return cn_fail(err, CN_BAD_INPUT, "a law needs a name of letters, digits and _, at most %d",
                       NAME_MAX_LENGTH);
    }
    if (type->help == NULL || law->prepare == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "law %s needs a line of help and prepare()", type->name);
    }
    if (type->param_count < 0 || type->param_count > CN_LAW_PARAM_MAX ||
        (type->param_count > 0 && type->param == NULL)) {
        return cn_fail(err, CN_BAD_INPUT, "law %s: %d parameters, at most %d and a table of them",
                       type->name, type->param_count, CN_LAW_PARAM_MAX);
    }
    for (int k = 0; k < type->param_count; k++) {
        CN_TRY(check_param(type, k, err));
    }
    CN_TRY(check_states(law, err));
    return check_bond(law, err);
}

static cn_status append(const cn_law *law, cn_error *err)
{
    int count = cn_law_registered_count();
    const cn_law_type *known = cn_law_type_find(law->type.name);
    if (known == &law->type) {
        return CN_OK;
    }
    if (known != NULL) {
        return cn_fail(err, CN_BAD_INPUT, "there is a law %s already: take another name",
                       law->type.name);
    }
    if (count == CN_LAW_REGISTERED_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "law %s: %d laws are registered, there is no more room",
                       law->type.name, count);
    }
    registered[count] = law;
    atomic_store_explicit(&registered_count, count + 1, memory_order_release);
    return CN_OK;
}

cn_status cn_law_register(const cn_law *law, cn_error *err)
{
    CN_NEED(err, law);
    CN_TRY(check_law(law, err));
    pthread_mutex_lock(&one_at_a_time);
    cn_status status = append(law, err);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

cn_status cn_law_load(const char *path, cn_error *err)
{
    CN_NEED(err, path);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL); // stays as long as its laws: the process
    if (object == NULL) {
        return cn_fail(err, CN_IO, "laws of '%s': %s%s", path, dlerror(),
                       strchr(path, '/') == NULL
                           ? " (a file in this folder is written with its path: ./name.so)"
                           : "");
    }
    const cn_law *const *law = dlsym(object, "cn_own_laws");
    if (law == NULL) {
        dlclose(object);
        return cn_fail(err, CN_BAD_INPUT,
                       "'%s' has no array `const cn_law *const cn_own_laws[]`, ended by NULL",
                       path);
    }
    for (; *law != NULL; law++) {
        CN_TRY(cn_law_register(*law, err));
    }
    return CN_OK;
}
