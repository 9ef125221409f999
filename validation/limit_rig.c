// validation/limit_rig.c
#include "limit_rig.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 1 << 18 };

void cn_limits_add(cn_limits *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!l->is_broken) {
        int count = vsnprintf(l->text + l->length, TEXT_MOST - l->length, format, args);
        l->length += count > 0 ? (size_t)count : 0;
        l->is_broken = count < 0 || l->length >= TEXT_MOST;
    }
    va_end(args);
}

cn_limits cn_limits_begin_law(cn_book *book, int dim, double density, const char *law)
{
    cn_limits l = {.book = book, .text = malloc(TEXT_MOST)};
    l.is_broken = l.text == NULL;
    cn_limits_add(&l,
                  "cairn: 1\ndimension: %d\nmaterials: {m: {density: %.17g}}\n"
                  "laws: {dry: %s}\ncontacts: [{between: [any, any], law: dry}]\n",
                  dim, density, law);
    return l;
}

cn_limits cn_limits_begin(cn_book *book, int dim, double density, double mu)
{
    char law[100];
    snprintf(law, sizeof law, "{type: coulomb, friction: %.17g}", mu);
    return cn_limits_begin_law(book, dim, density, law);
}

void cn_limits_end(cn_limits *l)
{
    cn_limit_model_destroy(l->model);
    cn_scene_destroy(l->scene);
    free(l->text);
}

static void fail(cn_limits *l, const cn_error *err)
{
    cn_book_failure(l->book, err->text);
    l->is_broken = true;
}

static void make(cn_limits *l)
{
    cn_error err = {0};
    const cn_scene_source source = {.name = "limit.yaml", .text = l->text, .length = l->length};
    const cn_limit_model_def def = {0};
    if (cn_scene_read(&source, NULL, NULL, &l->scene, &err) != CN_OK ||
        cn_limit_model_create(l->scene, &def, &l->model, &err) != CN_OK) {
        fail(l, &err);
    }
}

cn_limit_answer *cn_limits_find(cn_limits *l, int k, double gap)
{
    cn_limit_answer *answer = NULL;
    cn_error err = {0};
    cn_limit_def def = cn_limit_def_default();
    def.gap = gap;
    if (l->model == NULL && !l->is_broken) {
        make(l);
    }
    if (!l->is_broken && cn_limit_model_solve(l->model, k, &def, &answer, &err) != CN_OK) {
        fail(l, &err);
    }
    return answer;
}

bool cn_limits_coulomb(cn_limits *l, int k, cn_limit_coulomb *found)
{
    cn_error err = {0};
    *found = (cn_limit_coulomb){0};
    if (l->model == NULL && !l->is_broken) {
        make(l);
    }
    if (!l->is_broken && cn_limit_model_coulomb(l->model, k, 0, found, &err) != CN_OK) {
        fail(l, &err);
    }
    return !l->is_broken;
}

bool cn_limits_least(cn_limits *l, cn_limit_less what, double gap, cn_limit_share *share)
{
    cn_error err = {0};
    cn_limit_def def = cn_limit_def_default();
    def.gap = gap;
    if (l->model == NULL && !l->is_broken) {
        make(l);
    }
    if (!l->is_broken && cn_limit_model_least(l->model, what, &def, share, &err) != CN_OK) {
        fail(l, &err);
    }
    return !l->is_broken;
}

bool cn_limits_domain(cn_limits *l, int k, cn_limit_domain *domain)
{
    cn_error err = {0};
    cn_limit_def def = cn_limit_def_default();
    def.gap = 1e-9;
    *domain = (cn_limit_domain){.count = 0};
    if (l->model == NULL && !l->is_broken) {
        make(l);
    }
    if (!l->is_broken && cn_limit_model_domain(l->model, k, &def, domain, &err) != CN_OK) {
        fail(l, &err);
    }
    return !l->is_broken;
}

void cn_limits_check(cn_limits *l, int k, const char *name, double unit, double reference,
                     double tolerance)
{
    cn_limit_answer *answer = cn_limits_find(l, k, 1e-8);
    char own[100]; // the name may be the book's, which the next one takes
    snprintf(own, sizeof own, "%s", name);
    if (answer != NULL) {
        const cn_limit *x = answer->limit;
        cn_check_true(l->book, cn_name(l->book, "%s: bounded", own),
                      x->outcome == CN_LIMIT_BOUNDED);
        cn_check(l->book, cn_name(l->book, "%s: lower bound", own), x->lower / unit, reference,
                 tolerance);
        cn_check(l->book, cn_name(l->book, "%s: upper bound", own), x->upper / unit, reference,
                 tolerance);
    }
    cn_limit_answer_destroy(answer);
}
