// scene/language/nearest_word.c
#include "scene/language/nearest_word.h"

#include <stddef.h>
#include <string.h>

enum { WORD_MAX = 48 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Row by row of the table d[i][j] = distance of the first i letters of a to the first j of b; a
// swap looks two rows back.
int cn_spelling_distance(const char *a, const char *b, int most)
{
    int a_length = (int)strnlen(a, WORD_MAX + 1), b_length = (int)strnlen(b, WORD_MAX + 1);
    if (a_length > WORD_MAX || b_length > WORD_MAX) {
        return most + 1;
    }
    int d[3][WORD_MAX + 1];
    for (int j = 0; j <= b_length; j++) {
        d[0][j] = j;
    }
    for (int i = 1; i <= a_length; i++) {
        int *row = d[i % 3], *above = d[(i + 2) % 3], *above2 = d[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], above2[j - 2] + 1);
            }
        }
    }
    return d[a_length % 3][b_length];
}

const char *cn_spelling_nearest(const char *word, const char *const *candidate, int count)
{
    int length = (int)strnlen(word, WORD_MAX);
    int best = length <= 3 ? 1 : length <= 8 ? 2 : 3;
    const char *nearest = NULL;
    for (int k = 0; k < count; k++) {
        int distance = cn_spelling_distance(word, candidate[k], best);
        // Strictly nearer replaces, so that the first of equals stays.
        if (distance < best || (distance == best && nearest == NULL)) {
            best = distance;
            nearest = candidate[k];
        }
    }
    return nearest;
}
