// scene/make/make_joints.c -- joints: which bodies, which kind, where.
//
// Points that the file leaves out follow from mass centres, which only the world knows: they are
// filled in when it is built.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/make/make_bodies.h"
#include "scene/make/make_loads.h"

static const char WORLD[] = "world";

int cn_joint_named(cn_making *m, cn_place at, const char *name)
{
    const cn_scene *scene = m->scene;
    for (int k = 0; k < scene->joint_count; k++) {
        if (strcmp(scene->joint[k].name, name) == 0) {
            return k;
        }
    }
    const cn_value *all = cn_value_get(m->root, "joints");
    cn_complain_unknown(m->reading.report, at, "joint", name, NULL, all->name, all->count);
    return -1;
}

static bool is_entry(const cn_scene *scene, const char *name)
{
    for (int e = 0; e < scene->entry_count; e++) {
        if (strcmp(scene->entry[e].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// One side of `between`: one body, perhaps with a set of its mesh, or the world as the second.
static bool make_side(cn_making *m, const cn_value *name, bool may_be_world, cn_pick *pick)
{
    bool is_good;
    if (strcmp(name->text, WORLD) == 0 && !is_entry(m->scene, WORLD)) {
        if (!may_be_world) {
            cn_complain(m->reading.report, name->at,
                        "a joint names a body first and the world second");
        }
        return true;
    }
    if (!cn_make_pick_set(m, name->at, name->text, NULL, pick, &is_good)) {
        return false;
    }
    if (is_good && pick->count != 1) {
        cn_complain(m->reading.report, name->at,
                    "a joint is between two bodies, '%.60s' selects %d; write e.g. %.60s.last, or "
                    "use 'chain'",
                    name->text, pick->count, name->text);
    }
    return true;
}

// `each: wall`: every body of a selection to the world.
static bool make_each(cn_making *m, const cn_value *each, cn_scene_joint *joint)
{
    bool is_good;
    joint->is_each = true;
    if (!cn_make_pick(m, each->at, each->text, NULL, &joint->a, &is_good)) {
        return false;
    }
    joint->count = is_good ? joint->a.count : 0;
    for (int n = 0; n < joint->count; n++) {
        if (m->scene->body[joint->a.body[n]].def.type == CN_BODY_MESH) {
            cn_complain(
                m->reading.report, each->at,
                "'each' gives points in the frame of a rigid body, '%.60s' selects one that "
                "deforms; join it with 'between'",
                each->text);
            break;
        }
    }
    return true;
}

static bool make_bodies(cn_making *m, const cn_value *value, cn_scene_joint *joint)
{
    const cn_value *between = cn_value_get(value, "between"), *chain = cn_value_get(value, "chain");
    const cn_value *each = cn_value_get(value, "each"), *net = cn_value_get(value, "net");
    const cn_value *thread = cn_value_get(value, "thread");
    int given = (between != NULL) + (chain != NULL) + (each != NULL);
    if (given + (net != NULL) + (thread != NULL) != 1) {
        cn_complain(m->reading.report, value->at,
                    "joint '%.60s' takes either 'between' or 'chain' or 'each' or 'net' or "
                    "'thread'",
                    joint->name);
        return true;
    }
    if (net != NULL || thread != NULL) {
        return cn_make_net(m, net != NULL ? net : thread, thread != NULL, joint);
    }
    if (each != NULL) {
        return make_each(m, each, joint);
    }
    if (between != NULL) {
        joint->count = 1;
        return make_side(m, between->item[0], false, &joint->a) &&
               make_side(m, between->item[1], true, &joint->b);
    }
    bool is_good;
    joint->is_chain = true;
    if (!cn_make_pick(m, chain->at, chain->text, NULL, &joint->a, &is_good)) {
        return false;
    }
    joint->count = is_good ? joint->a.count - 1 : 0;
    if (is_good && joint->a.count < 2) {
        cn_complain(m->reading.report, chain->at, "a chain needs two bodies, '%.60s' selects %d",
                    chain->text, joint->a.count);
    }
    return true;
}

// The one kind that is given; NULL after a problem, which is reported.
static const cn_value *find_kind(cn_making *m, const cn_value *value, cn_scene_joint *joint)
{
    const cn_value *found = NULL;
    int count = 0;
    for (int k = 0; k < CN_JOINT_KIND_COUNT; k++) {
        const cn_value *kind = cn_value_get(value, cn_joint_kind_name((cn_joint_kind)k));
        if (kind != NULL) {
            joint->def.kind = (cn_joint_kind)k;
            found = kind;
            count++;
        }
    }
    if (count != 1) {
        char names[200] = "";
        for (int k = 0; k < CN_JOINT_KIND_COUNT; k++) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                     cn_joint_kind_name((cn_joint_kind)k));
        }
        cn_complain(m->reading.report, value->at, "joint '%.60s' takes exactly one of %s",
                    joint->name, names);
    }
    return count == 1 ? found : NULL;
}

static double number_or_zero(const cn_value *map, const char *name)
{
    double number = cn_value_number(map, name);
    return isnan(number) ? 0.0 : number;
}

// Points that a kind needs and no mass centre can give.
static void check_points(cn_making *m, const cn_value *kind, const cn_scene_joint *joint)
{
    const cn_joint_type *type = cn_joint_type_of(joint->def.kind);
    bool is_pin = type->is_point && !type->is_fixed, is_line = type->is_line;
    const char *name = type->name;
    cn_report *report = m->reading.report;
    if (joint->is_chain && (joint->has_at || joint->has_to)) {
        cn_complain(report, kind->at, "the joints of a chain find their own places: leave out '%s'",
                    is_line ? "from' and 'to" : "at");
    } else if (!joint->is_chain && !joint->is_each && is_pin && !joint->has_at &&
               joint->a.set == NULL && joint->b.set == NULL) {
        cn_complain(report, kind->at, "a %s needs 'at', the point that both bodies share", name);
    } else if (!joint->is_chain && is_line && !joint->has_to && joint->b.count == 0) {
        cn_complain(report, kind->at, "a %s to the world needs 'to', its end there", name);
    }
}

// A range that the library takes for none, or a restitution without a range.
static void check_limits(cn_making *m, const cn_value *limits, const cn_value *kind,
                         const cn_joint_def *def)
{
    if (limits != NULL && def->limit[0] == 0.0 && def->limit[1] == 0.0) {
        cn_complain(m->reading.report, limits->at,
                    "limits [0, 0] leave a %s no way to move: take a fixed joint",
                    cn_joint_kind_name(def->kind));
    }
    if (limits == NULL && cn_value_number(kind, "restitution") > 0.0) {
        cn_complain(m->reading.report, kind->at,
                    "the restitution of a %s is that of its stops: it needs 'limits'",
                    cn_joint_kind_name(def->kind));
    }
}

// A prestrain is that of a spring, and gives its length.
static void check_prestrain(cn_making *m, const cn_value *kind, const cn_scene_joint *joint)
{
    if (joint->prestrain != 0.0 && joint->def.length > 0.0) {
        cn_complain(m->reading.report, kind->at, "give either 'length' or 'prestrain'");
    } else if (joint->prestrain != 0.0 && !(joint->def.stiffness > 0.0)) {
        cn_complain(m->reading.report, kind->at,
                    "a prestrain needs a 'stiffness': what is rigid cannot be strained");
    }
}

static void set_kind(cn_making *m, const cn_value *kind, cn_scene_joint *joint)
{
    cn_joint_def *def = &joint->def;
    bool is_line = cn_joint_type_of(def->kind)->is_line;
    joint->has_at = cn_value_point(kind, is_line ? "from" : "at", def->at);
    joint->has_to = is_line && cn_value_point(kind, "to", def->to);
    if (cn_value_get(kind, "axis") != NULL) {
        cn_vec3 axis = cn_axis_of(&m->reading, kind, "axis");
        memcpy(def->axis, (double[3]){axis.x, axis.y, axis.z}, sizeof def->axis);
    }
    cn_value_point(kind, "pin", def->pin);
    if (is_line) {
        def->length = number_or_zero(kind, "length");
        def->stiffness = cn_value_number(kind, "stiffness");
        def->damping = cn_value_number(kind, "damping");
        joint->prestrain = cn_value_number(kind, "prestrain");
        check_prestrain(m, kind, joint);
    }
    const cn_value *motor = cn_value_get(kind, "motor");
    if (motor != NULL) {
        def->motor_speed = cn_value_number(motor, "speed");
        def->motor_limit = cn_value_number(motor, "limit");
    }
    const cn_value *limits = cn_value_get(kind, "limits");
    if (limits != NULL) {
        def->limit[0] = limits->item[0]->number;
        def->limit[1] = limits->item[1]->number;
        def->limit_restitution = cn_value_number(kind, "restitution");
    }
    check_points(m, kind, joint);
    check_limits(m, limits, kind, def);
}

bool cn_make_joints(cn_making *m)
{
    const cn_value *all = cn_value_get(m->root, "joints");
    cn_scene_joint *joint = cn_reading_take(&m->reading, (size_t)all->count, sizeof *joint);
    bool has_memory = joint != NULL;
    int first = 0;
    for (int k = 0; k < all->count && has_memory; k++) {
        const cn_value *value = all->item[k];
        cn_check_name(m, all->name_at[k], "joint", all->name[k]);
        joint[k].name = all->name[k];
        joint[k].first = first;
        joint[k].def.strength = number_or_zero(value, "strength");
        joint[k].def.yield = number_or_zero(value, "yield");
        joint[k].def.is_contact_kept = cn_value_number(value, "contact") == 1.0;
        has_memory = make_bodies(m, value, &joint[k]);
        const cn_value *kind = has_memory ? find_kind(m, value, &joint[k]) : NULL;
        if (kind != NULL) {
            set_kind(m, kind, &joint[k]);
        }
        first += joint[k].count;
    }
    m->scene->joint = joint;
    m->scene->joint_count = has_memory ? all->count : 0;
    return has_memory;
}
