// cli/report.h -- what the parts of cairn report share: a page that needs no other file.
#pragma once

#include "command.h"

// One result on the page. Pictures are drawn in a folder of their own before they go in.
typedef struct cn_report {
    FILE *page;
    cn_reader *reader;
    const char *path;   // of the result
    const char *tables; // folder of tables for spreadsheets; NULL: none
    char folder[64];
    int row_most;  // of each table
    bool is_limit; // a result of cairn limit: forces in frame 0, then a mechanism
} cn_report;

// ---- report_page.c

void cn_report_begin(FILE *page, const char *title);
void cn_report_end(FILE *page);

// Text of others: <, > and & are not taken for marks of the page.
void cn_report_text(FILE *page, const char *text);

// A row of a table, of its header if `mark` is "th".
void cn_report_row(FILE *page, const char *mark, int count, const char *const *cell);

// A file as data of the page, .svg or .png by its ending.
cn_status cn_report_picture(FILE *page, const char *path, const char *caption, cn_error *err);

// ---- report_joints.c

// Forces on what is held, and the joints by how near their forces are to the edge.
cn_status cn_report_forces(cn_report *report, cn_error *err);

// The joints that move most in the mechanism of a result of cairn limit.
cn_status cn_report_mechanism(cn_report *report, cn_error *err);
