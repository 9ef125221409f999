// scene/language/nearest_word.h -- the known word nearest to a misspelt one.
#pragma once

#include "base/shared.h"

// Number of single-letter changes, insertions, deletions and swaps of neighbours from a to b, or
// more than `most` if it is more.
int cn_spelling_distance(const char *a, const char *b, int most);

// The candidate nearest to `word`, the first of equals; NULL if none is near enough to be meant.
CN_SHARED const char *cn_spelling_nearest(const char *word, const char *const *candidate,
                                          int count);
