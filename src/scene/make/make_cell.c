// scene/make/make_cell.c -- the periodic cell of a scene, and how it deforms in a stage.
#include <math.h>

#include "cairn/cell.h"
#include "scene/make/make_loads.h"

// Entries above the diagonal.
static void set_tilt(cn_making *m, const cn_value *tilt, cn_cell_def *def)
{
    static const int place[3] = {1, 2, 5}; // xy xz yz
    int count = m->scene->dim == 2 ? 1 : 3;
    if (tilt->count != count) {
        cn_complain(m->reading.report, tilt->at, "tilt has %d numbers, it takes %s", tilt->count,
                    count == 1 ? "[xy]" : "[xy, xz, yz]");
        return;
    }
    for (int k = 0; k < count; k++) {
        def->vectors[place[k]] = tilt->item[k]->number;
    }
}

bool cn_make_cell(cn_making *m)
{
    const cn_value *value = cn_value_get(m->root, "cell");
    cn_scene *scene = m->scene;
    if (value == NULL) {
        return true;
    }
    double size[3] = {0.0}, inertia = cn_value_number(value, "inertia");
    cn_value_point(value, "size", size);
    unsigned periodic = (unsigned)cn_value_number(value, "periodic");
    scene->has_cell = true;
    scene->cell_at = cn_making_line(m, value->at);
    scene->cell = (cn_cell_def){.inertia = isnan(inertia) ? 0.0 : inertia,
                                .may_meet_itself = cn_value_number(value, "allow_self") == 1.0};
    for (int d = 0; d < scene->dim; d++) {
        scene->cell.is_periodic[d] = (periodic & 1u << d) != 0;
        scene->cell.vectors[4 * d] = size[d];
        if (!(size[d] > 0.0)) {
            cn_complain(m->reading.report, cn_value_get(value, "size")->at,
                        "the cell is %g m along %c: it must be > 0", size[d], "xyz"[d]);
        }
    }
    if (cn_value_get(value, "tilt") != NULL) {
        set_tilt(m, cn_value_get(value, "tilt"), &scene->cell);
    }
    return true;
}

// The components that a map names.
static bool read_components(cn_stage_making *s, const cn_value *map, bool is_stress,
                            unsigned *named)
{
    cn_scene_stage *stage = s->stage;
    for (int k = 0; map != NULL && k < CN_CELL_COMPONENT_COUNT; k++) {
        const char *name = cn_cell_component_name((cn_cell_component)k);
        const cn_value *value = cn_value_get(map, name);
        if (value == NULL) {
            continue;
        }
        if ((*named & 1u << k) != 0) {
            cn_complain(s->m->reading.report, value->at,
                        "both a rate and a stress are given for %s of the cell: take one of them",
                        name);
        }
        *named |= 1u << k;
        stage->cell[k].is_stress = is_stress;
        if (!cn_make_function(s->m, value, &stage->cell[k].f)) {
            return false;
        }
    }
    return true;
}

// The diagonal components that are left, under pressure.
static bool read_pressure(cn_stage_making *s, const cn_value *value, unsigned named)
{
    bool is_some = false;
    for (int d = 0; d < s->m->scene->dim; d++) {
        cn_cell_control *to = &s->stage->cell[d];
        if ((named & 1u << d) != 0 || !s->m->scene->cell.is_periodic[d]) {
            continue;
        }
        is_some = to->is_stress = true;
        to->sign = -1.0;
        if (!cn_make_function(s->m, value, &to->f)) {
            return false;
        }
    }
    if (!is_some) {
        cn_complain(s->m->reading.report, value->at,
                    "the pressure acts on nothing: rates or stresses are given along all axes");
    }
    return true;
}

bool cn_make_cell_control(cn_stage_making *s)
{
    const cn_value *value = cn_value_get(s->value, "cell");
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        s->stage->cell[k] = (cn_cell_control){.f = cn_constant(0.0), .sign = 1.0};
    }
    if (value == NULL) {
        return true;
    }
    if (!s->m->scene->has_cell) {
        cn_complain(s->m->reading.report, value->at,
                    "the stage deforms a cell, but the scene has none: add 'cell' to the scene");
        return true;
    }
    unsigned named = 0;
    const cn_value *pressure = cn_value_get(value, "pressure");
    return read_components(s, cn_value_get(value, "strain_rate"), false, &named) &&
           read_components(s, cn_value_get(value, "stress"), true, &named) &&
           (pressure == NULL || read_pressure(s, pressure, named));
}
