// scene/name_bodies.c -- messages of the world, in the words of the scene.
//
// The world knows bodies by their ids and writes "body 12" or "bodies 3 and 4". Only the scene
// knows what its file calls them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/model.h"

typedef struct rewriting {
    const cn_scene *scene;
    const char *from; // what is left to read
    char text[sizeof((cn_error *)0)->text];
    size_t length;
} rewriting;

static void put(rewriting *w, const char *text, size_t length)
{
    size_t room = sizeof w->text - 1 - w->length;
    length = length < room ? length : room;
    memcpy(w->text + w->length, text, length);
    w->length += length;
}

// Copies `word` if it comes next.
static bool pass(rewriting *w, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(w->from, word, length) != 0) {
        return false;
    }
    put(w, word, length);
    w->from += length;
    return true;
}

// An id becomes the name of its body; whatever else comes next stays as it is.
static bool pass_id(rewriting *w)
{
    if (!isdigit((unsigned char)*w->from)) {
        return false;
    }
    char *end, name[96], quoted[100];
    unsigned long long id = strtoull(w->from, &end, 10);
    if (id == 0 || id > (unsigned long long)w->scene->body_count) {
        return false;
    }
    cn_scene_body_name(w->scene, (int)(id - 1), name);
    snprintf(quoted, sizeof quoted, "'%s'", name);
    put(w, quoted, strlen(quoted));
    w->from = end;
    return true;
}

cn_status cn_scene_named(const cn_scene *scene, cn_status status, cn_error *err)
{
    if (status == CN_OK || status == CN_NOT_CONVERGED || err == NULL) {
        return status;
    }
    rewriting w = {.scene = scene, .from = err->text};
    while (*w.from != '\0') {
        bool is_word = w.from == err->text || !isalpha((unsigned char)w.from[-1]);
        if (is_word && pass(&w, "body ")) {
            pass_id(&w);
        } else if (is_word && pass(&w, "bodies ")) {
            if (pass_id(&w) && pass(&w, " and ")) {
                pass_id(&w);
            }
        } else {
            put(&w, w.from++, 1);
        }
    }
    w.text[w.length] = '\0';
    memcpy(err->text, w.text, w.length + 1);
    return status;
}
