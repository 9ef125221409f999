// import/read_behaviours.c -- BULK_BEHAV.DAT, TACT_BEHAV.DAT and MODELS.DAT.
#include <string.h>

#include "base/memory.h"
#include "import/datbox.h"

static void read_option(const cn_dat *d, cn_dat_law *law)
{
    char key[CN_DAT_WORD];
    int at = 0;
    if (cn_dat_word(d, &at, key, NULL) && strcmp(key, "ani_:") == 0) {
        cn_dat_word(d, &at, law->anisotropy, NULL);
    }
}

static bool is_option(const cn_dat *d)
{
    return memchr(d->text, ':', (size_t)d->length) != NULL;
}

// The lines behind $behav: name, type and numbers, which go on in the next lines.
static void read_law(cn_dat *d, cn_dat_law *law)
{
    char word[CN_DAT_WORD];
    int at = 0, column = 1;
    *law = (cn_dat_law){.at = cn_dat_place(d, 1)};
    cn_dat_word(d, &at, word, &column);
    cn_dat_name(law->name, word);
    law->at.column = column;
    if (!cn_dat_word(d, &at, law->type, NULL)) {
        cn_complain(d->report, law->at, "behaviour '%s' names no law", law->name);
        return;
    }
    law->count = cn_dat_items(d, at, law->param, 0);
    while (cn_dat_next(d) && d->text[0] != '$' && d->report->count <= CN_REPORT_MAX) {
        if (cn_dat_is_record(d)) {
            continue; // unknown text
        }
        if (is_option(d)) {
            read_option(d, law);
        } else {
            law->count = cn_dat_items(d, 0, law->param, law->count);
        }
    }
}

static void read_gravity(cn_dat *d, double gravity[3])
{
    cn_dat_item item[CN_DAT_ITEMS];
    if (!cn_dat_next(d) || d->text[0] == '$' || cn_dat_items(d, 0, item, 0) != 3) {
        cn_complain(d->report, cn_dat_place(d, 1), "after $gravy come grv1=, grv2= and grv3=");
        return;
    }
    for (int k = 0; k < 3; k++) {
        gravity[k] = item[k].value;
    }
    cn_dat_next(d);
}

static void check_twice(const cn_datbox *box, const cn_dat_law *law, const cn_dat_law *before,
                        size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(before[k].name, law->name) == 0) {
            cn_complain(box->report, law->at, "behaviour '%s' is there twice, first in line %d",
                        law->name, before[k].at.line);
        }
    }
}

// Files from before 2000 have the contactor in the column of the body.
static void swap_old(cn_dat_see *see)
{
    for (int k = 0; k < 2; k++) {
        if (strcmp(see->kind[k], "BDARY") == 0) {
            memcpy(see->kind[k], see->body[k], sizeof see->kind[k]);
            see->body[k][0] = '\0';
        }
    }
}

// A line such as " RBDY2  DISKx  BLEUx  iqsc1  RBDY2  JONCx  UPxxx       0.5D-03".
static void read_see(cn_dat *d, cn_dat_see *see)
{
    char *const name[7] = {see->body[0], see->kind[0], see->colour[0], see->law,
                           see->body[1], see->kind[1], see->colour[1]};
    char word[CN_DAT_WORD];
    cn_dat_item item[CN_DAT_ITEMS];
    int at = 0, column = 1;
    *see = (cn_dat_see){.at = cn_dat_place(d, 1)};
    for (int k = 0; k < 7; k++) {
        if (!cn_dat_word(d, &at, word, &column)) {
            cn_complain(d->report, cn_dat_place(d, d->length + 1),
                        "a line of the see table needs candidate, colour, law, antagonist and "
                        "colour: 7 words, here are %d",
                        k);
            return;
        }
        see->at.column = k == 0 ? column : see->at.column;
        cn_dat_name(name[k], word);
    }
    if (cn_dat_items(d, at, item, 0) >= 1) {
        see->alert = item[0].value;
    }
    swap_old(see);
}

static bool is_see_line(const cn_dat *d)
{
    return d->text != NULL && cn_dat_is_record(d) && d->text[0] != '+';
}

static cn_status read_see_block(cn_datbox *box, cn_dat *d, cn_error *err)
{
    cn_dat_see see;
    while (cn_dat_next(d) && d->text[0] != '$' && box->report->count <= CN_REPORT_MAX) {
        bool is_title = memmem(d->text, (size_t)d->length, "cdbdy", 5) != NULL;
        if (!is_title && is_see_line(d)) {
            read_see(d, &see);
            CN_TRY(CN_DAT_ADD(box->see, see, err));
        }
    }
    return CN_OK;
}

// A block of its own kind, $gravy or $seety, besides those of behaviours.
typedef cn_status block_reader(cn_datbox *box, cn_dat *d, cn_error *err);

static cn_status read_gravity_block(cn_datbox *box, cn_dat *d, cn_error *err)
{
    (void)err;
    read_gravity(d, box->gravity);
    return CN_OK;
}

static cn_status read_blocks(cn_datbox *box, const cn_source *source, const char *keyword,
                             block_reader *read, cn_dat_laws *laws, cn_error *err)
{
    cn_dat d = cn_dat_begin(source, box->report);
    cn_dat_law law;
    cn_dat_next(&d);
    while (d.text != NULL && box->report->count <= CN_REPORT_MAX) {
        if (cn_dat_is(&d, keyword)) {
            CN_TRY(read(box, &d, err));
        } else if (cn_dat_is(&d, "$behav") && cn_dat_next(&d) && d.text[0] != '$') {
            read_law(&d, &law);
            check_twice(box, &law, laws->item, laws->count);
            CN_TRY(CN_DAT_ADD(*laws, law, err));
        } else if (d.text != NULL) {
            cn_dat_next(&d);
        }
    }
    return CN_OK;
}

cn_status cn_read_bulk(cn_datbox *box, const cn_source *source, cn_error *err)
{
    return read_blocks(box, source, "$gravy", read_gravity_block, &box->bulk, err);
}

cn_status cn_read_laws(cn_datbox *box, const cn_source *source, cn_error *err)
{
    return read_blocks(box, source, "$seety", read_see_block, &box->law, err);
}

// "        MECAx  Q4xxx  aniso  iso__" and below it "                      kine_  small".
static cn_status read_model_line(cn_datbox *box, const cn_dat *d, cn_dat_model *model,
                                 cn_error *err)
{
    char word[4][CN_DAT_WORD];
    int at = 0, count = 0;
    while (count < 4 && cn_dat_word(d, &at, word[count], NULL)) {
        count++;
    }
    if (count >= 2 && model->physics[0] == '\0') {
        cn_dat_name(model->physics, word[0]);
        cn_dat_name(model->element, word[1]);
    }
    if (count >= 2) {
        cn_dat_option option = {0};
        cn_dat_name(option.name, word[count - 2]);
        memcpy(option.value, word[count - 1], sizeof option.value);
        CN_TRY(CN_DAT_ADD(box->option, option, err));
        model->option.count++;
    }
    return CN_OK;
}

static cn_status read_model(cn_datbox *box, cn_dat *d, cn_error *err)
{
    cn_dat_model model = {.at = cn_dat_place(d, 1), .option = {(int)box->option.count, 0}};
    char word[CN_DAT_WORD];
    int at = 0, column = 1;
    cn_dat_word(d, &at, word, &column);
    cn_dat_name(model.name, word);
    model.at.column = column;
    while (cn_dat_next(d) && d->text[0] != '$' && !cn_dat_is_record(d)) {
        CN_TRY(read_model_line(box, d, &model, err));
    }
    return CN_DAT_ADD(box->model, model, err);
}

cn_status cn_read_models(cn_datbox *box, const cn_source *source, cn_error *err)
{
    cn_dat d = cn_dat_begin(source, box->report);
    cn_dat_next(&d);
    while (d.text != NULL && box->report->count <= CN_REPORT_MAX) {
        bool is_model = cn_dat_is(&d, "$model") && cn_dat_next(&d) && d.text[0] != '$';
        if (is_model) {
            CN_TRY(read_model(box, &d, err));
        } else if (d.text != NULL) {
            cn_dat_next(&d);
        }
    }
    return CN_OK;
}
