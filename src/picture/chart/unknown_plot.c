// picture/chart/unknown_plot.c -- what is said of a plot or column that does not exist.
#include <stdio.h>
#include <string.h>

#include "picture/chart/plot.h"
#include "scene/language/nearest_word.h"

static const char *const of_frames[] = {"forces",   "rose",     "profile",
                                        "fraction", "reaction", "pressure"};
enum { OF_FRAMES = sizeof of_frames / sizeof *of_frames };

// Appends to a sentence of limited size; what does not fit is cut.
static void append(char *text, size_t size, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

static const char *nearer(const char *name, const char *nearest, const char *word)
{
    const char *pair[] = {nearest != NULL ? nearest : word, word};
    return cn_spelling_nearest(name, pair, 2);
}

// The plot or column that was meant; NULL if none is near. Series go by their names alone.
static const char *find_nearest(const cn_history *history, const char *name)
{
    const char *nearest = NULL;
    for (const char *const *plot = cn_plot_names(); !history->is_points && *plot != NULL; plot++) {
        nearest = nearer(name, nearest, *plot);
    }
    for (int k = 0; !history->is_points && k < OF_FRAMES; k++) {
        nearest = nearer(name, nearest, of_frames[k]);
    }
    for (int k = 0; k < history->column_count; k++) {
        const char *column = history->name(history->context, k);
        nearest = nearer(name, nearest, column + (strncmp(column, "series/", 7) == 0 ? 7 : 0));
    }
    return nearest;
}

cn_status cn_plot_unknown(const cn_history *history, const char *name, cn_error *err)
{
    char known[900] = "";
    const char *nearest = find_nearest(history, name);
    if (nearest != NULL) {
        return cn_fail(err, CN_BAD_INPUT, "unknown plot or column '%.60s' (did you mean '%s'?)",
                       name, nearest);
    }
    if (history->is_points) {
        for (int k = 0; k < history->column_count; k++) {
            append(known, sizeof known, history->name(history->context, k));
        }
        return cn_fail(err, CN_BAD_INPUT, "unknown plot '%.60s'; known are the columns %s", name,
                       known);
    }
    for (const char *const *plot = cn_plot_names(); *plot != NULL; plot++) {
        append(known, sizeof known, *plot);
    }
    for (int k = 0; k < OF_FRAMES; k++) {
        append(known, sizeof known, of_frames[k]);
    }
    return cn_fail(err, CN_BAD_INPUT,
                   "unknown plot '%.60s'; known are %s, and the columns that 'cairn info' lists",
                   name, known);
}
