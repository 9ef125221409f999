// scene/make/block_labels.c -- names of blocks as selectors can write them, none twice.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/make/make_blocks.h"

// Bytes of the character of UTF-8 at c, 0 if it is none.
static size_t character_length(const unsigned char *c)
{
    size_t length = c[0] < 0x80                    ? 1
                    : c[0] >= 0xc2 && c[0] <= 0xdf ? 2
                    : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                    : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                   : 0;
    for (size_t k = 1; k < length; k++) {
        if ((c[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

const char *cn_label_make(cn_arena *arena, const char *name, size_t most, cn_error *err)
{
    char *label = cn_arena_take(arena, strlen(name) + 8, 1, err);
    size_t length = 0;
    for (const unsigned char *at = (const unsigned char *)name; label != NULL && *at != '\0';) {
        size_t bytes = character_length(at);
        bool is_kept = bytes > 1 || isalnum(*at) || strchr("_-.#", *at) != NULL;
        if (length + (bytes > 0 ? bytes : 1) > most) {
            break;
        }
        memcpy(label + length, is_kept && bytes > 0 ? (const char *)at : "_", is_kept ? bytes : 1);
        length += is_kept ? bytes : 1;
        at += bytes > 0 ? bytes : 1;
    }
    if (label != NULL && length == 0) {
        length = (size_t)snprintf(label, 8, "block");
    }
    if (label != NULL) {
        label[length] = '\0';
    }
    return label;
}

typedef struct numbered {
    const char **label;
    int place;
} numbered;

static int compare(const void *a, const void *b)
{
    const numbered *p = a, *q = b;
    int order = strcmp(*p->label, *q->label);
    return order != 0 ? order : (p->place > q->place) - (p->place < q->place);
}

// "stone" becomes "stone#2"; the name gives way where it is too long.
static const char *add_number(cn_reading *r, const char *label, int number, size_t most)
{
    char suffix[16];
    size_t tail = (size_t)snprintf(suffix, sizeof suffix, "#%d", number);
    size_t length = strlen(label) + tail > most ? most - tail : strlen(label);
    while (length > 0 && ((unsigned char)label[length] & 0xc0) == 0x80) {
        length--; // no half characters
    }
    const char *made = cn_arena_print(r->arena, r->err, "%.*s%s", (int)length, label, suffix);
    r->status = made == NULL ? CN_NO_MEMORY : r->status;
    return made;
}

// One round: those after the first of equals get numbers. Returns how many, -1 without memory.
static int number_round(cn_reading *r, numbered *list, int count, size_t most,
                        cn_label_report *report)
{
    int changed = 0;
    for (int k = 0, n; k < count; k = n) {
        const char *same = *list[k].label;
        for (n = k + 1; n < count && strcmp(*list[n].label, same) == 0; n++) {
            const char *made = add_number(r, same, n - k + 1, most);
            if (made == NULL) {
                return -1;
            }
            *list[n].label = made;
            report->first = report->count == 0 ? made : report->first;
            report->count++;
            changed++;
        }
    }
    return changed;
}

bool cn_labels_number(cn_reading *r, const char **label, int count, size_t most,
                      cn_label_report *report)
{
    numbered *list = cn_reading_take(r, (size_t)count, sizeof *list);
    *report = (cn_label_report){0};
    for (int k = 0; k < count && list != NULL; k++) {
        list[k] = (numbered){&label[k], k};
    }
    int changed = list == NULL ? -1 : 1;
    while (changed > 0) {
        // A file may have a stone#2 of its own: then again.
        qsort(list, (size_t)count, sizeof *list, compare);
        changed = number_round(r, list, count, most, report);
    }
    return changed == 0;
}
