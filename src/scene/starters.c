// scene/starters.c -- commented scenes to start from: the examples, embedded by CMake, which writes
// starters.h with STARTER_NAMES ("wall", "arch", ... and a comma) and STARTER_TEXTS (the same for
// the texts).
#include "starters.h"
#include "cairn/scene.h"

#include <string.h>

static const char *const names[] = {STARTER_NAMES NULL};
static const char *const texts[] = {STARTER_TEXTS NULL};

const char *const *cn_starter_names(void)
{
    return names;
}

const char *cn_starter_text(const char *name)
{
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(names[k], name) == 0) {
            return texts[k];
        }
    }
    return NULL;
}
