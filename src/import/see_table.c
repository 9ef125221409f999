// import/see_table.c -- the see table becomes groups, laws and lines of `contacts`.
//
// In LMGC90 the first line that matches a pair of contactors wins; both orders are tried, and types
// and colours are tested apart: a line for type A of colour 1 against type B of colour 2 holds for
// A of colour 2 against B of colour 1 as well. A pair without a line is invisible.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/importing.h"
#include "import/lmgc90_laws.h"

// The name under which the see table knows a contactor.
static const char *seen_as(const char *kind)
{
    static const char *const alias[][2] = {
        {"DISKb", "DISKx"}, {"SPHEb", "SPHER"}, {"POLYF", "POLYR"}, {"CSpxx", "CSxxx"},
        {"CSpx0", "CSxxx"}, {"CSpx1", "CSxxx"}, {"CSpx2", "CSxxx"}, {"CSxx3", "CSxxx"},
        {"CSxx4", "CSxxx"}, {"CSxx6", "CSxxx"}, {"CSxx8", "CSxxx"}};
    for (size_t k = 0; k < sizeof alias / sizeof *alias; k++) {
        if (strcmp(kind, alias[k][0]) == 0) {
            return alias[k][1];
        }
    }
    return kind;
}

// Pairs of contactors that LMGC90 detects; all others are invisible whatever the table says.
static bool is_detected(const char *a, const char *b)
{
    static const char *const pairs[][2] = {
        {"DISKx", "DISKx"}, {"DISKx", "JONCx"}, {"DISKx", "POLYG"}, {"DISKx", "xKSID"},
        {"POLYG", "POLYG"}, {"POLYG", "JONCx"}, {"PT2Dx", "PT2Dx"}, {"PT3Dx", "PT3Dx"},
        {"CLxxx", "ALpxx"}, {"CLxxx", "JONCx"}, {"DISKx", "ALpxx"}, {"POLYG", "ALpxx"},
        {"SPHER", "SPHER"}, {"SPHER", "PLANx"}, {"SPHER", "DNLYC"}, {"SPHER", "CYLND"},
        {"SPHER", "POLYR"}, {"CYLND", "PLANx"}, {"CYLND", "CYLND"}, {"POLYR", "POLYR"},
        {"POLYR", "PLANx"}, {"CYLND", "POLYR"}, {"CSxxx", "ASpxx"}, {"CSxxx", "POLYR"},
        {"POLYR", "ASpxx"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        for (int turn = 0; turn < 2; turn++) {
            if (strcmp(a, pairs[k][turn]) == 0 && strcmp(b, pairs[k][1 - turn]) == 0) {
                return true;
            }
        }
    }
    return false;
}

static const char *const body_kind[CN_DAT_KINDS] = {"RBDY2", "RBDY3", "MAILx"};

static bool is_in_order(const char first[2][CN_DAT_NAME], const char *a, const char *b)
{
    return (strcmp(first[0], a) == 0 && strcmp(first[1], b) == 0) ||
           (strcmp(first[0], b) == 0 && strcmp(first[1], a) == 0);
}

const cn_dat_see *cn_import_see(const cn_importing *m, cn_dat_kind x_kind,
                                const cn_dat_contactor *x, cn_dat_kind y_kind,
                                const cn_dat_contactor *y)
{
    const char *first = seen_as(x->kind), *second = seen_as(y->kind);
    if (!is_detected(first, second)) {
        return NULL;
    }
    for (size_t k = 0; k < m->box.see.count; k++) {
        const cn_dat_see *see = &m->box.see.item[k];
        char seen[2][CN_DAT_NAME];
        bool is_old = see->body[0][0] == '\0' || see->body[1][0] == '\0';
        cn_dat_name(seen[0], seen_as(see->kind[0]));
        cn_dat_name(seen[1], seen_as(see->kind[1]));
        if (is_in_order(seen, first, second) && is_in_order(see->colour, x->colour, y->colour) &&
            (is_old || is_in_order(see->body, body_kind[x_kind], body_kind[y_kind]))) {
            return see;
        }
    }
    return NULL;
}

static bool is_same_mark(const cn_dat_contactor *a, const cn_dat_contactor *b)
{
    return strcmp(seen_as(a->kind), seen_as(b->kind)) == 0 && strcmp(a->colour, b->colour) == 0;
}

static bool has_mark(const cn_dat_set *set, const cn_dat_contactor *c)
{
    for (int k = 0; k < set->count; k++) {
        if (is_same_mark(set->contactor[k], c)) {
            return true;
        }
    }
    return false;
}

// The different contactors of a body, points of wires left out.
static void collect(cn_importing *m, const cn_dat_body *body, cn_dat_set *set)
{
    const cn_dat_contactor **found =
        cn_arena_take(&m->arena, (size_t)body->contactor.count, sizeof *found, m->err);
    if (found == NULL) {
        m->status = CN_NO_MEMORY;
        return;
    }
    *set = (cn_dat_set){.kind = body->kind, .contactor = found};
    for (int k = 0; k < body->contactor.count; k++) {
        const cn_dat_contactor *c = &m->box.contactor.item[body->contactor.first + k];
        if (!cn_dat_is_point(c) && !has_mark(set, c)) {
            found[set->count++] = c;
        }
    }
}

static bool is_same_set(const cn_dat_set *a, const cn_dat_set *b)
{
    bool is_same = a->count == b->count && a->kind == b->kind;
    for (int k = 0; k < a->count && is_same; k++) {
        is_same = has_mark(b, a->contactor[k]);
    }
    return is_same;
}

static void name_set(cn_importing *m, cn_dat_set *set)
{
    char kind[16], colour[16];
    size_t length = 0;
    set->name[0] = '\0';
    for (int k = 0; k < set->count && length + 16 < sizeof set->name; k++) {
        cn_import_word(set->contactor[k]->kind, kind, sizeof kind);
        cn_import_word(set->contactor[k]->colour, colour, sizeof colour);
        length += (size_t)snprintf(set->name + length, sizeof set->name - length, "%s%s_%s",
                                   k > 0 ? "-" : "", kind, colour);
    }
    bool is_taken = set->name[0] == '\0' || length >= 60;
    for (size_t k = 0; k < m->sets.count && !is_taken; k++) {
        is_taken = strcmp(m->sets.item[k].name, set->name) == 0;
    }
    if (is_taken) {
        snprintf(set->name, sizeof set->name, "set_%d", (int)m->sets.count + 1);
    }
}

// The number of the set of a body, -1 if it has only points.
static int set_of(cn_importing *m, const cn_dat_body *body)
{
    cn_dat_set set;
    collect(m, body, &set);
    if (m->status != CN_OK || set.count == 0) {
        return -1;
    }
    for (size_t k = 0; k < m->sets.count; k++) {
        if (is_same_set(&m->sets.item[k], &set)) {
            return (int)k;
        }
    }
    name_set(m, &set);
    CN_THEN(m->status, CN_DAT_ADD(m->sets, set, m->err));
    return (int)m->sets.count - 1;
}

void cn_import_sets(cn_importing *m)
{
    for (size_t k = 0; k < m->rigid.count && m->status == CN_OK; k++) {
        m->rigid.item[k].set = set_of(m, m->rigid.item[k].body);
    }
    for (size_t k = 0; k < m->box.body.count && m->status == CN_OK; k++) {
        cn_mesh_entry entry = {.body = &m->box.body.item[k]};
        if (entry.body->kind == CN_DAT_MESH) {
            entry.set = set_of(m, entry.body);
            CN_THEN(m->status, CN_DAT_ADD(m->meshes, entry, m->err));
        }
    }
}

int cn_import_law(cn_importing *m, const cn_dat_see *see)
{
    for (size_t k = 0; k < m->box.law.count; k++) {
        if (strcmp(m->box.law.item[k].name, see->law) == 0) {
            return (int)k;
        }
    }
    cn_complain(&m->report, see->at, "law '%s' is not defined in TACT_BEHAV.DAT", see->law);
    return -1;
}

// What the contactors of two groups ask for.
typedef struct asked {
    const cn_dat_see *first; // line that holds; NULL: they do not see each other
    bool is_mixed;           // others ask for another law
    bool has_blind;          // others do not see each other
} asked;

static asked ask(const cn_importing *m, const cn_dat_set *A, const cn_dat_set *B)
{
    asked all = {0};
    for (int a = 0; a < A->count; a++) {
        for (int b = 0; b < B->count; b++) {
            if (!is_detected(seen_as(A->contactor[a]->kind), seen_as(B->contactor[b]->kind))) {
                continue;
            }
            const cn_dat_see *see =
                cn_import_see(m, A->kind, A->contactor[a], B->kind, B->contactor[b]);
            all.has_blind = all.has_blind || see == NULL;
            all.is_mixed = all.is_mixed || (see != NULL && all.first != NULL &&
                                            strcmp(see->law, all.first->law) != 0);
            all.first = all.first == NULL ? see : all.first;
        }
    }
    return all;
}

// The law between two groups, -1 if they do not see each other. Contactors of one body that ask for
// different laws have no counterpart.
static int law_between(cn_importing *m, const cn_dat_set *A, const cn_dat_set *B)
{
    asked all = ask(m, A, B);
    bool is_mesh = A->kind == CN_DAT_MESH || B->kind == CN_DAT_MESH;
    if (all.is_mixed || (all.first != NULL && all.has_blind && !is_mesh)) {
        cn_import_lost(m, all.first->at,
                       "contactors of one body that obey different laws, or none: '%s' and '%s' "
                       "meet by '%s' alone",
                       A->name, B->name, all.first->law);
    } else if (all.first != NULL && all.has_blind) {
        cn_import_changed(m, all.first->at,
                          "sides of '%s' and '%s' that do not see each other in LMGC90 may touch",
                          A->name, B->name);
    }
    return all.first == NULL ? -1 : cn_import_law(m, all.first);
}

static void write_pair(cn_importing *m, const cn_dat_set *A, const cn_dat_set *B)
{
    char name[32];
    int law = law_between(m, A, B);
    if (law < 0) {
        return;
    }
    cn_lmgc90_known known = cn_lmgc90_law_find(m->box.law.item[law].type);
    if (known.is_taken) {
        m->is_law_used[law] = true;
        cn_import_word(m->box.law.item[law].name, name, sizeof name);
        fprintf(m->scene, "  - {between: [%s, %s], law: %s}\n", A->name, B->name, name);
        return;
    }
    cn_import_lost(m, m->box.law.item[law].at, "law %s between '%s' and '%s'%s%s",
                   m->box.law.item[law].type, A->name, B->name,
                   known.is_known && known.note[0] != '\0' ? ": " : "",
                   known.is_known ? known.note : ": LMGC90 has no such law that we know");
}

static void note_unused(cn_importing *m, const cn_dat_law *law, const double *value)
{
    char word[16];
    for (int place = -1; cn_lmgc90_law_unused(law->type, &place, word) != NULL;) {
        bool is_repeated = strcmp(word, "stfr") == 0 && value[place] == value[place - 1];
        if (!is_repeated && value[place] != 0.0) {
            cn_import_changed(m, law->at, "law '%s' has no use here for %s = %g", law->name, word,
                              value[place]);
        }
    }
}

static void write_law(cn_importing *m, const cn_dat_law *law)
{
    double value[CN_DAT_ITEMS];
    char name[32];
    cn_lmgc90_known known = cn_lmgc90_law_find(law->type);
    if (law->count != known.count) {
        cn_complain(&m->report, law->at, "law %s has %d numbers, here are %d", law->type,
                    known.count, law->count);
        return;
    }
    for (int k = 0; k < law->count; k++) {
        value[k] = law->param[k].value;
    }
    note_unused(m, law, value);
    cn_import_word(law->name, name, sizeof name);
    fprintf(m->scene, "  %s: ", name);
    cn_lmgc90_law_write(law->type, value, m->scene);
    fprintf(m->scene, "   # %s\n", law->type);
}

// The see table first, since it tells which laws are in use.
void cn_import_write_contacts(cn_importing *m)
{
    m->is_law_used = cn_arena_take(&m->arena, m->box.law.count, sizeof *m->is_law_used, m->err);
    if (m->is_law_used == NULL) {
        m->status = CN_NO_MEMORY;
        return;
    }
    fprintf(m->scene, "contacts:\n");
    for (size_t a = 0; a < m->sets.count; a++) {
        for (size_t b = a; b < m->sets.count; b++) {
            write_pair(m, &m->sets.item[a], &m->sets.item[b]);
        }
    }
    fprintf(m->scene,
            "  - {between: [any, any], law: none}   # a pair without a line is invisible\n");
    bool is_any = false;
    for (size_t k = 0; k < m->box.law.count; k++) {
        is_any = is_any || m->is_law_used[k];
    }
    fprintf(m->scene, is_any ? "laws:\n" : "");
    for (size_t k = 0; k < m->box.law.count; k++) {
        if (m->is_law_used[k]) {
            write_law(m, &m->box.law.item[k]);
        }
    }
}
