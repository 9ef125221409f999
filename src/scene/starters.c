// scene/starters.c -- commented scenes to start from: the examples, embedded by CMake, which writes
// starters.h with STARTER_NAMES ("wall", "arch", ... and a comma), STARTER_TEXTS (the same for the
// texts) and STARTER_DATA ({scene, file, text}, and a comma).
#include "starters.h"
#include "cairn/scene.h"

#include <string.h>

static const char *const names[] = {STARTER_NAMES NULL};
static const char *const texts[] = {STARTER_TEXTS NULL};

static const struct {
    const char *scene, *file, *text;
} data[] = {STARTER_DATA};

const char *const *cn_starter_names(void)
{
    return names;
}

const char *cn_starter_text(const char *name)
{
    if (name == NULL) {
        return NULL;
    }
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(names[k], name) == 0) {
            return texts[k];
        }
    }
    return NULL;
}

const char *cn_starter_data(const char *name, const char **text)
{
    if (name == NULL || text == NULL) {
        return NULL;
    }
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        if (strcmp(data[k].scene, name) == 0) {
            *text = data[k].text;
            return data[k].file;
        }
    }
    return NULL;
}
