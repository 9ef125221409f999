// scene/make/make_limits.c -- load patterns of limit analysis.
#include <math.h>
#include <string.h>

#include "scene/make/make_loads.h"

static bool make_force(cn_making *m, const cn_value *named, int k, cn_scene_limit_force *force)
{
    const cn_value *value = named->item[k];
    bool is_good = false;
    cn_value_point(value, "force", force->force);
    cn_value_point(value, "at", force->at);
    if (m->scene->dim == 3) {
        cn_value_point(value, "torque", force->torque);
    } else {
        force->torque[2] = cn_value_number(value, "torque");
    }
    return cn_make_pick(m, named->name_at[k], named->name[k], NULL, &force->bodies, &is_good);
}

// Loads of limit analysis do not change with time.
static bool make_faces(cn_making *m, const cn_value *value, const cn_pick *bodies,
                       cn_scene_face_load *list, int *count)
{
    double gravity[3] = {0.0};
    int before = *count;
    cn_value_point(m->root, "gravity", gravity);
    bool has_memory = cn_make_face_loads(m, value, bodies, gravity, list, count);
    for (int k = before; k < *count; k++) {
        if (list[k].def.f.kind != CN_FUNCTION_CONSTANT) {
            cn_complain(m->reading.report, value->at,
                        "limit analysis knows no time: give a number as level or pressure");
        }
    }
    return has_memory;
}

static bool make_load(cn_making *m, const cn_value *value, cn_scene_limit_load *load)
{
    if (value == NULL) {
        return true;
    }
    const cn_value *named = cn_value_get(value, "force");
    cn_value_point(value, "acceleration", load->acceleration);
    load->grows_with_height = cn_value_number(value, "pattern") == 1.0;
    load->base = cn_value_number(value, "base");
    if (named == NULL) {
        return true;
    }
    cn_scene_limit_force *force = cn_reading_take(&m->reading, (size_t)named->count, sizeof *force);
    cn_scene_face_load *face =
        cn_reading_take(&m->reading, CN_FACE_LOADS_MOST * (size_t)named->count, sizeof *face);
    bool has_memory = force != NULL && face != NULL;
    for (int k = 0; k < named->count && has_memory; k++) {
        has_memory = make_force(m, named, k, &force[k]) &&
                     make_faces(m, named->item[k], &force[k].bodies, face, &load->face_load_count);
    }
    load->face_load = face;
    load->force = force;
    load->force_count = has_memory ? named->count : 0;
    return has_memory;
}

// A fixed body and a direction.
static bool make_support(cn_making *m, const cn_value *value, cn_scene_limit *limit)
{
    const cn_value *support = cn_value_get(value, "support");
    bool is_good = false, has_along = cn_value_point(value, "along", limit->along);
    double length = hypot(hypot(limit->along[0], limit->along[1]), limit->along[2]);
    if (!has_along || !(length > 0.0)) {
        cn_complain(m->reading.report, support->at,
                    "a support needs 'along', the direction of its reaction, such as [1, 0]");
        return true;
    }
    for (int k = 0; k < 3; k++) {
        limit->along[k] /= length;
    }
    if (!cn_make_pick(m, support->at, support->text, NULL, &limit->support, &is_good)) {
        return false;
    }
    if (is_good && limit->support.count != 1) {
        cn_complain(m->reading.report, support->at,
                    "the reaction of one body is found, '%.60s' selects %d", support->text,
                    limit->support.count);
    }
    return true;
}

static bool make_axles(cn_making *m, const cn_value *value, cn_scene_limit_axles *axles)
{
    const cn_value *on = cn_value_get(value, "on"), *loads = cn_value_get(value, "loads");
    bool is_good = false;
    double *axle = cn_reading_take(&m->reading, 2 * (size_t)loads->count, sizeof *axle);
    if (axle == NULL) {
        return false;
    }
    axles->from = cn_value_number(value, "from");
    axles->to = cn_value_number(value, "to");
    axles->steps = (int)cn_value_number(value, "steps");
    axles->spread = cn_value_number(value, "spread");
    axles->axle = axle;
    axles->count = loads->count;
    if (axles->count == 0) {
        cn_complain(m->reading.report, loads->at,
                    "a vehicle has at least one axle, such as [0, 1e4]");
    }
    if (!(axles->from < axles->to)) {
        cn_complain(m->reading.report, value->at, "axles roll from %g m to %g m: 'from' is less",
                    axles->from, axles->to);
    }
    for (int k = 0; k < axles->count; k++) {
        axle[2 * k] = loads->item[k]->item[0]->number;
        axle[2 * k + 1] = loads->item[k]->item[1]->number;
        if (!(axle[2 * k + 1] > 0.0)) {
            cn_complain(m->reading.report, loads->at, "an axle load is > 0 N, got %g",
                        axle[2 * k + 1]);
        }
    }
    return cn_make_pick(m, on->at, on->text, NULL, &axles->on, &is_good);
}

static bool make_curve(cn_making *m, const cn_value *value, cn_scene_limit_curve *curve)
{
    const cn_value *control = cn_value_get(value, "control");
    bool is_good = false;
    cn_value_point(value, "at", curve->at);
    curve->until = cn_value_number(value, "until");
    curve->steps = (int)cn_value_number(value, "steps");
    if (!cn_make_pick(m, control->at, control->text, NULL, &curve->control, &is_good)) {
        return false;
    }
    if (is_good && curve->control.count != 1) {
        cn_complain(m->reading.report, control->at,
                    "the way of one body is measured, '%.60s' selects %d", curve->control.text,
                    curve->control.count);
        curve->control.count = 0;
    }
    return true;
}

static bool make_domain(cn_making *m, const cn_value *value, bool has_load, cn_scene_limit *limit)
{
    if (!has_load) {
        cn_complain(m->reading.report, value->at,
                    "a domain is of two loads: give 'load' beside it, not 'support' or 'axles'");
    }
    limit->directions = (int)cn_value_number(value, "directions");
    return make_load(m, cn_value_get(value, "load"), &limit->other);
}

static bool make_limit(cn_making *m, const cn_value *value, cn_scene_limit *limit)
{
    bool has_load = cn_value_get(value, "load") != NULL;
    bool has_support = cn_value_get(value, "support") != NULL;
    limit->name = cn_value_text(value, "name");
    limit->at = cn_making_line(m, value->at);
    limit->gap = cn_value_number(value, "gap");
    limit->close = cn_value_number(value, "close");
    limit->above = cn_value_number(value, "above");
    const cn_value *curve = cn_value_get(value, "curve");
    if (curve != NULL && has_support) {
        cn_complain(m->reading.report, curve->at,
                    "a curve is of a load, not of the reaction of a support");
    }
    const cn_value *axles = cn_value_get(value, "axles"), *domain = cn_value_get(value, "domain");
    if (has_load + has_support + (axles != NULL) != 1) {
        cn_complain(m->reading.report, value->at,
                    "limit '%.60s' takes either 'load' or 'support' with 'along', or in the plane "
                    "'axles'",
                    limit->name);
        return true;
    }
    return make_load(m, cn_value_get(value, "load"), &limit->live) &&
           make_load(m, cn_value_get(value, "dead"), &limit->dead) &&
           (!has_support || make_support(m, value, limit)) &&
           (axles == NULL || make_axles(m, axles, &limit->axles)) &&
           (domain == NULL || make_domain(m, domain, has_load, limit)) &&
           (curve == NULL || make_curve(m, curve, &limit->curve));
}

// Names are those of result files.
static void check_name(cn_making *m, const cn_value *all, int k)
{
    for (int n = 0; n < k; n++) {
        const char *name = cn_value_text(all->item[k], "name");
        if (strcmp(cn_value_text(all->item[n], "name"), name) == 0) {
            cn_complain(m->reading.report, all->item[k]->at, "two limits are called '%.60s'", name);
        }
    }
}

bool cn_make_limits(cn_making *m)
{
    const cn_value *all = cn_value_get(m->root, "limit");
    int count = all != NULL ? all->count : 0;
    cn_scene_limit *limit = cn_reading_take(&m->reading, (size_t)count, sizeof *limit);
    if (limit == NULL) {
        return false;
    }
    m->scene->limit = limit;
    m->scene->limit_count = count;
    for (int k = 0; k < count; k++) {
        check_name(m, all, k);
        if (!make_limit(m, all->item[k], &limit[k])) {
            return false;
        }
    }
    return true;
}
