// scene/name_bodies.c -- messages of the world, in the words of the scene.
//
// The world knows bodies and joints by their ids and writes "body 12", "bodies 3 and 4" or "joint
// 2". Only the scene knows what its file calls them.
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

typedef bool find_name(const cn_scene *scene, unsigned long long id, char name[96]);

static bool name_body(const cn_scene *scene, unsigned long long id, char name[96])
{
    if (id == 0 || id > (unsigned long long)scene->body_count) {
        return false;
    }
    cn_scene_body_name(scene, (int)(id - 1), name);
    return true;
}

// Joints of a chain and those of `each` are numbered.
static bool name_joint(const cn_scene *scene, unsigned long long id, char name[96])
{
    for (int k = 0; k < scene->joint_count; k++) {
        const cn_scene_joint *joint = &scene->joint[k];
        unsigned long long first = (unsigned long long)joint->first + 1;
        if (id >= first && id < first + (unsigned long long)joint->count) {
            if (joint->is_chain || joint->is_each) {
                snprintf(name, 96, "%.60s[%llu]", joint->name, id - first + 1);
            } else {
                snprintf(name, 96, "%.60s", joint->name);
            }
            return true;
        }
    }
    return false;
}

// An id becomes the name of its owner; whatever else comes next stays as it is.
static bool pass_id(rewriting *w, find_name *find)
{
    if (!isdigit((unsigned char)*w->from)) {
        return false;
    }
    char *end, name[96], quoted[100];
    unsigned long long id = strtoull(w->from, &end, 10);
    if (!find(w->scene, id, name)) {
        return false;
    }
    snprintf(quoted, sizeof quoted, "'%s'", name);
    put(w, quoted, strlen(quoted));
    w->from = end;
    return true;
}

cn_status cn_scene_named(const cn_scene *scene, cn_status status, cn_error *err)
{
    if (status == CN_OK || err == NULL) {
        return status;
    }
    rewriting w = {.scene = scene, .from = err->text};
    while (*w.from != '\0') {
        bool is_word = w.from == err->text || !isalpha((unsigned char)w.from[-1]);
        if (is_word && pass(&w, "body ")) {
            pass_id(&w, name_body);
        } else if (is_word && pass(&w, "joint ")) {
            pass_id(&w, name_joint);
        } else if (is_word && pass(&w, "bodies ")) {
            if (pass_id(&w, name_body) && pass(&w, " and ")) {
                pass_id(&w, name_body);
            }
        } else {
            put(&w, w.from++, 1);
        }
    }
    w.text[w.length] = '\0';
    memcpy(err->text, w.text, w.length + 1);
    return status;
}
