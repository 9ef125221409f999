// scene/make/loads/make_faces.c -- water, fill and wind on free faces.
#include <math.h>
#include <string.h>

#include "scene/make/make_loads.h"

// What the gravity of the stage makes of a density; it must point straight down.
static double weight_of(cn_making *m, const cn_value *value, const double gravity[3])
{
    int up = m->scene->dim - 1;
    bool is_down = gravity[up] < 0.0;
    for (int d = 0; d < up; d++) {
        is_down = is_down && gravity[d] == 0.0;
    }
    if (!is_down) {
        cn_complain(m->reading.report, value->at,
                    "%s lies still under a gravity that points straight down, [0, ..., -g]: give "
                    "the push as an acceleration of the ground, or of the load in 'limit'",
                    value->key->name);
    }
    return -cn_value_number(value, "density") * gravity[up];
}

// Where it is; without end along what is not given.
static void set_box(cn_making *m, const cn_value *value, cn_face_load_def *def)
{
    static const char *const axes[] = {"x", "y", "z"};
    for (int d = 0; d < 3; d++) {
        const cn_value *pair = cn_value_get(value, axes[d]);
        def->low[d] = pair != NULL ? pair->item[0]->number : -INFINITY;
        def->high[d] = pair != NULL ? pair->item[1]->number : INFINITY;
        if (!(def->low[d] < def->high[d])) {
            cn_complain(m->reading.report, pair->at, "%s goes from %g m to %g m: the first is less",
                        axes[d], def->low[d], def->high[d]);
        }
    }
}

// False for lack of memory only.
static bool make_fill(cn_making *m, const cn_value *value, const double gravity[3],
                      cn_face_load_def *def)
{
    bool is_water = strcmp(value->key->name, "water") == 0;
    def->kind = CN_FACE_FILL;
    def->weight = weight_of(m, value, gravity);
    def->ratio = is_water ? 1.0 : cn_value_number(value, "ratio");
    def->surcharge = is_water ? 0.0 : cn_value_number(value, "surcharge");
    def->has_open_joints = is_water && cn_value_number(value, "open_joints") == 1.0;
    return cn_make_function(m, cn_value_get(value, "level"), &def->f);
}

static bool make_wind(cn_making *m, const cn_value *value, cn_face_load_def *def)
{
    cn_value_point(value, "direction", def->direction);
    def->kind = CN_FACE_WIND;
    def->windward = cn_value_number(value, "windward");
    def->leeward = cn_value_number(value, "leeward");
    const double *d = def->direction;
    if (!(hypot(hypot(d[0], d[1]), d[2]) > 0.0)) {
        cn_complain(m->reading.report, value->at,
                    "wind needs a direction in which it blows, such as [1, 0]");
    }
    return cn_make_function(m, cn_value_get(value, "pressure"), &def->f);
}

static bool has_faces(const cn_body_def *def)
{
    bool is_good = def->type == CN_BODY_SHAPES || def->type == CN_BODY_SOLIDS;
    for (int s = 0; def->type == CN_BODY_SHAPES && s < def->shapes.count; s++) {
        is_good = is_good && def->shapes.item[s].kind == CN_SHAPE_POLYGON;
    }
    for (int s = 0; def->type == CN_BODY_SOLIDS && s < def->solids.count; s++) {
        cn_solid_kind kind = def->solids.item[s].kind;
        is_good = is_good && (kind == CN_SOLID_HULL || kind == CN_SOLID_BOX);
    }
    return is_good;
}

// Only polygons and polyhedra have faces.
static bool check_bodies(cn_making *m, cn_place at, const cn_pick *pick, const char *what)
{
    for (int k = 0; k < pick->count; k++) {
        if (!has_faces(&m->scene->body[pick->body[k]].def)) {
            char name[CN_BODY_NAME_MAX];
            cn_scene_body_name(m->scene, pick->body[k], name);
            cn_complain(m->reading.report, at,
                        "%s acts on the faces of polygons, boxes and polyhedra, and body '%s' is "
                        "none: select others",
                        what, name);
            return false;
        }
    }
    return true;
}

bool cn_make_face_loads(cn_making *m, const cn_value *value, const cn_pick *pick,
                        const double gravity[3], cn_scene_face_load *list, int *count)
{
    static const char *const names[] = {"water", "fill", "wind"};
    for (int k = 0; k < CN_FACE_LOADS_MOST; k++) {
        const cn_value *given = cn_value_get(value, names[k]);
        if (given == NULL || !check_bodies(m, given->at, pick, names[k])) {
            continue;
        }
        if (m->scene->has_cell) {
            cn_complain(m->reading.report, given->at,
                        "a periodic cell has no outside on which there could be %s", names[k]);
        }
        cn_scene_face_load load = {.bodies = *pick};
        double close = cn_value_number(given, "close");
        load.def.close = isnan(close) ? 0.0 : close;
        set_box(m, given, &load.def);
        if (!(strcmp(names[k], "wind") == 0 ? make_wind(m, given, &load.def)
                                            : make_fill(m, given, gravity, &load.def))) {
            return false;
        }
        list[(*count)++] = load;
    }
    return true;
}
