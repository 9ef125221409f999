// import/read_drives.c -- DRV_DOF.DAT: what holds, drives and loads; DOF.INI: where bodies are.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "import/datbox.h"

// The place in the files of bodies: which body and node the lines are about.
typedef struct where {
    cn_datbox *box;
    cn_dat d;
    cn_dat_kind kind;
    int body, node;
    bool is_known;
    cn_error *err;
} where;

// The number of a line such as " RBDY2  1025".
static bool read_number(where *w, const char *what, int *number)
{
    char word[CN_DAT_WORD];
    cn_dat_item item[CN_DAT_ITEMS];
    int at = 0;
    cn_dat_word(&w->d, &at, word, NULL);
    if (cn_dat_items(&w->d, at, item, 0) < 1) {
        cn_complain(w->d.report, cn_dat_place(&w->d, at + 1), "the number of the %s is missing",
                    what);
        return false;
    }
    return cn_dat_whole(&w->d, &item[0], what, number);
}

// The line behind $bdyty.
static void read_body_line(where *w)
{
    char word[CN_DAT_WORD];
    int at = 0, column = 1;
    w->is_known = false;
    if (!cn_dat_next(&w->d) || !cn_dat_word(&w->d, &at, word, &column) ||
        !cn_dat_body_kind(word, &w->kind)) {
        cn_complain(w->d.report, cn_dat_place(&w->d, column),
                    "after $bdyty comes RBDY2, RBDY3 or MAILx");
        return;
    }
    if (!read_number(w, "body", &w->body)) {
        return;
    }
    if (cn_datbox_body(w->box, w->kind, w->body) == NULL) {
        cn_complain(w->d.report, cn_dat_place(&w->d, column),
                    "there is no %s %d: BODIES.DAT has %d of them", word, w->body,
                    w->box->count_of[w->kind]);
        return;
    }
    w->is_known = true;
    w->node = 0;
}

static void read_node_line(where *w)
{
    const cn_dat_body *body = cn_datbox_body(w->box, w->kind, w->body);
    int most = w->kind == CN_DAT_MESH ? body->node.count : 1;
    if (read_number(w, "node", &w->node) && (w->node < 1 || w->node > most)) {
        cn_complain(w->d.report, cn_dat_place(&w->d, 1), "there is no node %d: the body has %d",
                    w->node, most);
        w->is_known = false;
    }
}

static void read_function(where *w, int at, cn_dat_drive *drive)
{
    char word[CN_DAT_WORD];
    int after = at, column;
    cn_dat_item item[CN_DAT_ITEMS];
    if (cn_dat_word(&w->d, &after, word, &column) && strcmp(word, "evolution") == 0) {
        if (!cn_dat_word(&w->d, &after, word, NULL)) {
            cn_complain(w->d.report, cn_dat_place(&w->d, column),
                        "the file of the evolution is missing");
        }
        snprintf(drive->file, sizeof drive->file, "%s", word);
        return;
    }
    int count = cn_dat_items(&w->d, at, item, 0);
    if (count != 6) {
        cn_complain(w->d.report, cn_dat_place(&w->d, column),
                    "a driven degree of freedom has 6 numbers, here are %d", count);
        return;
    }
    double *const value[6] = {&drive->ct,  &drive->amp,   &drive->omega,
                              &drive->phi, &drive->rampi, &drive->ramp};
    for (int k = 0; k < 6; k++) {
        *value[k] = item[k].value;
    }
}

// " vlocy      1  0.0D+00 ...", " force      2  evolution f.dat".
static cn_status read_drive(where *w)
{
    char word[CN_DAT_WORD], number[CN_DAT_WORD], rest;
    int at = 0, column = 1;
    const int most[CN_DAT_KINDS] = {3, 6, 3};
    cn_dat_word(&w->d, &at, word, &column);
    cn_dat_drive drive = {.kind = w->kind,
                          .body = w->body,
                          .node = w->node,
                          .is_force = strcmp(word, "force") == 0,
                          .at = cn_dat_place(&w->d, column)};
    drive.is_other = !drive.is_force && strcmp(word, "vlocy") != 0;
    if (!cn_dat_word(&w->d, &at, number, &column) ||
        sscanf(number, "%d%c", &drive.dof, &rest) != 1 || drive.dof < 1 ||
        drive.dof > most[w->kind]) {
        cn_complain(w->d.report, cn_dat_place(&w->d, column),
                    "the degree of freedom is a number from 1 to %d", most[w->kind]);
        return CN_OK;
    }
    if (!drive.is_other) {
        read_function(w, at, &drive);
    }
    return CN_DAT_ADD(w->box->drive, drive, w->err);
}

cn_status cn_read_drives(cn_datbox *box, const cn_source *source, cn_error *err)
{
    where w = {.box = box, .d = cn_dat_begin(source, box->report), .err = err};
    bool is_list = false;
    while (cn_dat_next(&w.d) && box->report->count <= CN_REPORT_MAX) {
        if (cn_dat_is(&w.d, "$bdyty")) {
            read_body_line(&w);
        } else if (cn_dat_is(&w.d, "$nodty") && cn_dat_next(&w.d) && w.is_known) {
            read_node_line(&w);
        } else if (cn_dat_is(&w.d, "$")) {
            is_list = cn_dat_is(&w.d, "$dofty");
            continue;
        } else if (is_list && w.is_known && w.node > 0 && cn_dat_is_record(&w.d)) {
            CN_TRY(read_drive(&w));
            continue;
        } else {
            continue;
        }
        is_list = false;
    }
    return CN_OK;
}

// "$steps      0                time= 0.0000000D+00": the last number, wherever its columns are.
static void read_time(where *w)
{
    cn_dat_item item[CN_DAT_ITEMS];
    char word[CN_DAT_WORD];
    int at = 0;
    cn_dat_word(&w->d, &at, word, NULL);
    int count = cn_dat_items(&w->d, at, item, 0);
    if (count >= 2) {
        w->box->time = item[count - 1].value;
    }
}

// All numbers of a node, up to the next record: moved, rate and, in space, axes.
static cn_status read_state(where *w)
{
    cn_dat_item item[CN_DAT_ITEMS];
    char word[CN_DAT_WORD];
    int at = 0, count = 0, dofs[CN_DAT_KINDS] = {3, 6, 0};
    cn_dat_state state = {.kind = w->kind, .at = cn_dat_place(&w->d, 1)};
    read_node_line(w);
    cn_dat_word(&w->d, &at, word, NULL);
    cn_dat_word(&w->d, &at, word, NULL);
    do {
        count = cn_dat_items(&w->d, at, item, count);
        at = 0;
    } while (cn_dat_next(&w->d) && w->d.text[0] != '$' && !cn_dat_is_record(&w->d));
    int dof = w->kind == CN_DAT_MESH ? count / 2 : dofs[w->kind];
    bool has_axes = w->kind == CN_DAT_RIGID3 && count == 21;
    if (!w->is_known || w->box->report->count > 0) {
        return CN_OK;
    }
    if (!has_axes && (count != 2 * dof || dof < 2 || dof > 6)) {
        cn_complain(w->d.report, state.at, "the state of this node has %d numbers, not %d", count,
                    w->kind == CN_DAT_RIGID3 ? 21 : 2 * dofs[w->kind]);
        return CN_OK;
    }
    state.body = w->body;
    state.node = w->node;
    state.has_axes = has_axes;
    for (int k = 0; k < dof; k++) {
        state.moved[k] = item[k].value;
        state.rate[k] = item[dof + k].value;
    }
    for (int k = 0; k < 9 && has_axes; k++) {
        state.axes[3 * (k % 3) + k / 3] = item[2 * dof + k].value;
    }
    return CN_DAT_ADD(w->box->state, state, w->err);
}

cn_status cn_read_states(cn_datbox *box, const cn_source *source, cn_error *err)
{
    where w = {.box = box, .d = cn_dat_begin(source, box->report), .err = err};
    bool is_list = false;
    cn_dat_next(&w.d);
    while (w.d.text != NULL && box->report->count <= CN_REPORT_MAX) {
        if (is_list && w.is_known && w.d.text[0] != '$' && cn_dat_is_record(&w.d)) {
            CN_TRY(read_state(&w));
            continue;
        }
        if (cn_dat_is(&w.d, "$steps")) {
            read_time(&w);
        } else if (cn_dat_is(&w.d, "$bdyty")) {
            read_body_line(&w);
        }
        is_list =
            w.d.text != NULL && (cn_dat_is(&w.d, "$nodty") || (is_list && w.d.text[0] != '$'));
        cn_dat_next(&w.d);
    }
    return CN_OK;
}

bool cn_dat_has_entries(const cn_source *source)
{
    cn_report report = {0};
    cn_dat d = cn_dat_begin(source, &report);
    while (cn_dat_next(&d)) {
        if (cn_dat_is(&d, "$") && !cn_dat_is(&d, "$steps")) {
            return true;
        }
    }
    return false;
}
