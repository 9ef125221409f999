// load/record_header.c -- what the header of a record says: NPTS and DT of PEER files, SAMPLING_
// INTERVAL_S, NDATA and UNITS of ESM files, units in brackets of column names.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/ground_record.h"

enum { LINE_MAX_LENGTH = 255 };

// The number behind a key and '=', ':' or blanks; 0 if there is none.
static double number_after(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    while (at != NULL && at != line && isalnum((unsigned char)at[-1])) {
        at = strstr(at + 1, key);
    }
    if (at == NULL) {
        return 0.0;
    }
    at += strlen(key);
    at += strspn(at, " \t=:");
    return strtod(at, NULL);
}

// Old headers have the numbers first: "2001 .0050 NPTS, DT".
static void read_old_style(const char *line, cn_record_header *header)
{
    char *end;
    double count = strtod(line, &end), dt = strtod(end, &end);
    if (strstr(line, "npts") != NULL && strstr(line, "dt") != NULL && count >= 1.0 && dt > 0.0) {
        header->count = (int64_t)count;
        header->dt = dt;
    }
}

static const struct {
    const char *word;
    cn_record_unit unit;
} unit_words[] = {{"mm/s", CN_RECORD_MM_S2},        {"cm/s", CN_RECORD_CM_S2},
                  {"gal", CN_RECORD_CM_S2},         {"m/s", CN_RECORD_M_S2},
                  {"(g)", CN_RECORD_G_UNIT},        {"[g]", CN_RECORD_G_UNIT},
                  {"units of g", CN_RECORD_G_UNIT}, {"units: g", CN_RECORD_G_UNIT}};

// Units count where the line says that it is about them, or in brackets.
static cn_record_unit unit_of(const char *line)
{
    bool is_about_units = strstr(line, "unit") != NULL || strpbrk(line, "[(") != NULL;
    for (size_t k = 0; is_about_units && k < sizeof unit_words / sizeof *unit_words; k++) {
        if (strstr(line, unit_words[k].word) != NULL) {
            return unit_words[k].unit;
        }
    }
    return CN_RECORD_AS_FILE;
}

void cn_record_header_line(const char *text, size_t length, cn_record_header *header)
{
    static const char *const counts[] = {"npts", "ndata"};
    static const char *const intervals[] = {"dt", "sampling_interval_s"};
    char line[LINE_MAX_LENGTH + 1];
    length = length < LINE_MAX_LENGTH ? length : LINE_MAX_LENGTH;
    for (size_t k = 0; k < length; k++) {
        line[k] = (char)tolower((unsigned char)text[k]);
    }
    line[length] = '\0';
    read_old_style(line, header);
    for (int k = 0; k < 2; k++) {
        double count = number_after(line, counts[k]), dt = number_after(line, intervals[k]);
        header->count =
            header->count == 0 && count >= 1.0 && count < 1e9 ? (int64_t)count : header->count;
        header->dt = header->dt == 0.0 && dt > 0.0 ? dt : header->dt;
    }
    cn_record_unit unit = unit_of(line);
    header->unit = header->unit == CN_RECORD_AS_FILE ? unit : header->unit;
}
