// scene/make/make_start.c -- which state of another run a scene starts from. The file is opened
// when the world is built: it may be written by a run that follows.
#include <math.h>
#include <string.h>

#include "scene/make/make_loads.h"

static const char SAME[] = "same";

// `bodies: same`, or a list of selectors.
static bool make_bodies(cn_making *m, const cn_value *names, cn_scene_start *start)
{
    bool is_same = names->count == 1 && strcmp(names->item[0]->text, SAME) == 0;
    if (is_same) {
        return true;
    }
    cn_reading *r = &m->reading;
    char *is_chosen = cn_reading_take(r, (size_t)m->scene->body_count, 1);
    int *body = cn_reading_take(r, (size_t)m->scene->body_count, sizeof *body);
    for (int k = 0; k < names->count && is_chosen != NULL && body != NULL; k++) {
        cn_pick pick;
        bool is_good = false;
        const cn_value *name = names->item[k];
        if (!cn_make_pick(m, name->at, name->text, NULL, &pick, &is_good)) {
            return false;
        }
        for (int n = 0; is_good && n < pick.count; n++) {
            is_chosen[pick.body[n]] = 1;
        }
    }
    int count = 0;
    for (int k = 0; k < m->scene->body_count && is_chosen != NULL && body != NULL; k++) {
        if (is_chosen[k]) {
            body[count++] = k;
        }
    }
    start->bodies = (cn_pick){.count = count, .body = body, .text = names->item[0]->text};
    return is_chosen != NULL && body != NULL;
}

// `names`: what entries are called in the file.
static bool make_names(cn_making *m, const cn_value *names, cn_scene_start *start)
{
    const cn_scene *scene = m->scene;
    const char **there = cn_reading_take(&m->reading, (size_t)scene->entry_count, sizeof *there);
    for (int k = 0; names != NULL && there != NULL && k < names->count; k++) {
        int e = 0;
        while (e < scene->entry_count && strcmp(scene->entry[e].name, names->name[k]) != 0) {
            e++;
        }
        if (e < scene->entry_count) {
            there[e] = names->item[k]->text;
        } else {
            const cn_value *bodies = cn_value_get(m->root, "bodies");
            cn_complain_unknown(m->reading.report, names->name_at[k], "body", names->name[k], NULL,
                                bodies->name, bodies->count);
        }
    }
    start->name_there = there;
    return there != NULL;
}

bool cn_make_start(cn_making *m)
{
    const cn_value *value = cn_value_get(m->root, "start");
    if (value == NULL) {
        return true;
    }
    const cn_value *from = cn_value_get(value, "from");
    cn_scene_start *start = &m->scene->start;
    if (m->def->no_files) {
        cn_complain(m->reading.report, from->at,
                    "'%.200s' is not read: this scene may not open files", from->text);
        return true;
    }
    if (m->scene->waits != NULL) {
        cn_complain(m->reading.report, value->at,
                    "a scene whose bodies enter later starts as its bodies say, not from a file");
    }
    start->at = cn_making_line(m, from->at);
    start->frame = (int)cn_value_number(value, "frame");
    start->is_at_rest = cn_value_number(value, "velocities") == 1.0;
    start->path = cn_making_path(m, from->at, from->text);
    return start->path != NULL && make_bodies(m, cn_value_get(value, "bodies"), start) &&
           make_names(m, cn_value_get(value, "names"), start);
}
