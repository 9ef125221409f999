// import/dat_lines.h -- lines of the ASCII files of a DATBOX folder, word by word.
//
// The files have fixed columns, but real ones are a column off, have tabs, other labels and other
// line ends. So words and numbers are found where they stand, and what is no number is an error
// with its column: a wrong column is never read as zero.
#pragma once

#include "scene/language/report.h"

enum { CN_DAT_WORD = 32, CN_DAT_ITEMS = 24 };

// The current line of a file; comments and blank lines are passed over.
typedef struct cn_dat {
    const cn_source *source;
    cn_report *report;
    const char *next; // the line after the current one
    const char *text; // the current one, NULL at the end of the file
    int length, line; // without its end; from 1
} cn_dat;

// A number with the label before it, "byrd= 0.5000000D-02". A label without a number has the value
// 0, as LMGC90 reads a blank field.
typedef struct cn_dat_item {
    char label[CN_DAT_WORD];
    double value;
    bool is_given;
    int column;
} cn_dat_item;

// Stands before the first line of the file.
cn_dat cn_dat_begin(const cn_source *source, cn_report *report);

// False at the end of the file.
bool cn_dat_next(cn_dat *d);

// Whether the line starts with a keyword such as "$bdyty".
bool cn_dat_is(const cn_dat *d, const char *keyword);

// Whether it starts a record: its first letter stands within the first six columns.
bool cn_dat_is_record(const cn_dat *d);

// The next word from the place *at of the line on, cut to its room; false if there is none. *at is
// moved behind it, *column is where it begins (may be NULL).
bool cn_dat_word(const cn_dat *d, int *at, char word[CN_DAT_WORD], int *column);

// The word behind another one, such as a colour behind "color"; false if there is none.
bool cn_dat_named(const cn_dat *d, const char *name, char word[CN_DAT_WORD], int *behind);

// Labels and numbers from a place of the line on, appended to item[count] up to CN_DAT_ITEMS.
// Returns how many there are then; what is neither is complained of.
int cn_dat_items(const cn_dat *d, int at, cn_dat_item item[CN_DAT_ITEMS], int count);

// The whole number that an item holds; false is complained of. `what` names it.
bool cn_dat_whole(const cn_dat *d, const cn_dat_item *item, const char *what, int *value);

cn_place cn_dat_place(const cn_dat *d, int column);
