// body/table.c -- the kinds of bodies that exist, and the stages of a step over all of them.
#include "body/stages.h"

static const cn_body_stages *const kind_table[] = {&cn_rigid_stages, &cn_deformable_stages,
                                                   &cn_cell_stages};

enum { KIND_COUNT = sizeof kind_table / sizeof *kind_table };

// Calls a stage of every kind that has a part in it.
#define ALL_KINDS(stage, ...)                                                                      \
    for (int k = 0; k < KIND_COUNT; k++) {                                                         \
        if (kind_table[k]->stage != NULL) {                                                        \
            kind_table[k]->stage(__VA_ARGS__);                                                     \
        }                                                                                          \
    }

// The same for stages that may fail.
#define TRY_ALL_KINDS(stage, ...)                                                                  \
    for (int k = 0; k < KIND_COUNT; k++) {                                                         \
        if (kind_table[k]->stage != NULL) {                                                        \
            CN_TRY(kind_table[k]->stage(__VA_ARGS__));                                             \
        }                                                                                          \
    }

void cn_bodies_begin(cn_bodies *b){ALL_KINDS(begin, b)}

cn_status cn_bodies_free_motion(cn_bodies *b, const cn_scheme *scheme, cn_error *err)
{
    TRY_ALL_KINDS(free_motion, b, scheme, err)
    return CN_OK;
}

void cn_bodies_place(cn_bodies *b, const cn_scheme *scheme){ALL_KINDS(place, b, scheme)}

cn_status cn_bodies_correct(cn_bodies *b, cn_error *err)
{
    TRY_ALL_KINDS(correct, b, err)
    return CN_OK;
}

void cn_bodies_move(cn_bodies *b, const cn_scheme *scheme){ALL_KINDS(move, b, scheme)}

cn_status cn_bodies_balance(cn_bodies *b, bool *is_balanced, cn_error *err)
{
    *is_balanced = true;
    for (int k = 0; k < KIND_COUNT; k++) {
        bool is_kind_balanced = true;
        if (kind_table[k]->balance != NULL) {
            CN_TRY(kind_table[k]->balance(b, &is_kind_balanced, err));
        }
        *is_balanced = *is_balanced && is_kind_balanced;
    }
    return CN_OK;
}

cn_status cn_bodies_check(cn_bodies *b, cn_error *err)
{
    TRY_ALL_KINDS(check, b, err)
    return CN_OK;
}

void cn_bodies_rewind(cn_bodies *b)
{
    ALL_KINDS(rewind, b)
}

void cn_bodies_restore(cn_bodies *b)
{
    ALL_KINDS(restore, b)
}

void cn_bodies_publish(cn_bodies *b)
{
    ALL_KINDS(publish, b)
}

void cn_bodies_commit(cn_bodies *b)
{
    ALL_KINDS(commit, b)
}
