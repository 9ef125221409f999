// scene/make/make_bodies.c -- entries of `bodies:` become bodies.
#include "scene/make/meshes/make_meshes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"

// Mass of a wall over that of what it presses. On 5000 disks walls of 0.003, 0.3 and 3 of the mass
// of the sample took 5906, 9470 and 11 980 sweeps; lighter ones were not tried [-].
static const double AUTO_MASS = 1e-2;

bool cn_check_name(cn_making *m, cn_place at, const char *what, const char *name)
{
    bool is_good = isalpha((unsigned char)name[0]) && strlen(name) <= 60;
    for (const char *c = name; *c != '\0' && is_good; c++) {
        is_good = isalnum((unsigned char)*c) || *c == '_' || *c == '-';
    }
    if (!is_good) {
        cn_complain(m->reading.report, at,
                    "'%.60s' cannot be the name of a %s: begin with a letter, use letters, digits, "
                    "'_' and '-'",
                    name, what);
        return false;
    }
    if (strcmp(name, "any") == 0 || strcmp(name, "none") == 0 || strcmp(name, "default") == 0) {
        cn_complain(m->reading.report, at, "'%s' is a word of the language, choose another name",
                    name);
        return false;
    }
    return true;
}

bool cn_bodies_fit(cn_entry_making *e, const cn_body_list *list, cn_place at, double more)
{
    if ((double)list->count + more > e->m->def->body_max) {
        cn_complain(e->m->reading.report, at, "more than %d bodies", e->m->def->body_max);
        return false;
    }
    return true;
}

static bool is_held(const cn_body_def *def, int dim)
{
    const unsigned planar = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ;
    const unsigned all = dim == 2 ? planar : CN_FIXED_ALL;
    return (def->fixed & all) == all;
}

// Area or volume of the parts, and the smallest extent of the first; the status says what is wrong.
static cn_status measure_parts(const cn_parts *parts, double *content, double *size, cn_error *err)
{
    *content = 0.0;
    if (parts->solid != NULL) {
        cn_solid_mass measure;
        CN_TRY(cn_solids_measure(parts->solid, parts->count, &measure, err));
        *content = measure.volume;
        *size = measure.size;
        return CN_OK;
    }
    for (int k = 0; k < parts->count; k++) {
        cn_shape_mass measure;
        CN_TRY(cn_shape_measure(&parts->shape[k], &measure, err));
        *content += measure.area;
        *size = k == 0 ? measure.size : *size;
    }
    return CN_OK;
}

static bool is_unbounded(const cn_parts *parts)
{
    for (int k = 0; k < parts->count; k++) {
        if (parts->solid != NULL ? parts->solid[k].kind == CN_SOLID_HALF_SPACE
                                 : parts->shape[k].kind == CN_SHAPE_HALF_PLANE) {
            return true;
        }
    }
    return false;
}

static bool has_surface(const cn_parts *parts)
{
    for (int k = 0; k < parts->count && parts->solid != NULL; k++) {
        if (parts->solid[k].kind == CN_SOLID_SURFACE) {
            return true;
        }
    }
    return false;
}

static bool can_turn(const cn_body_def *def, int dim)
{
    const unsigned turns = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    const unsigned all = dim == 2 ? 1u << CN_DOF_RZ : turns;
    return (def->fixed & all) != all;
}

// What has no end moves as a wall does, along its axes, with the mass that it is given.
static bool check_held(cn_entry_making *e, cn_place at, const cn_parts *parts,
                       const cn_body_def *def)
{
    int dim = e->m->scene->dim;
    bool has_mass = !isnan(e->mass) || e->is_mass_auto, turns = can_turn(def, dim);
    cn_report *report = e->m->reading.report;
    if (is_held(def, dim)) {
        return true;
    }
    if (has_surface(parts)) {
        cn_complain(report, at,
                    "body '%s': a mesh that moves freely needs 'cuts' into convex pieces ('cuts: "
                    "[]' if it is convex) or convex 'parts'; without it must be 'fixed: true' (a "
                    "drive may still move it)",
                    e->name);
        return false;
    }
    if (is_unbounded(parts) && (turns || !has_mass)) {
        cn_complain(report, at,
                    "body '%s': a %s %s; it must be 'fixed: true' (a drive may still move it), or "
                    "a wall that does not turn: 'fixed: [%s]' and a mass",
                    e->name, dim == 3 ? "half_space" : "half_plane",
                    turns ? "has no moment of inertia" : "has no mass",
                    dim == 3 ? "rx, ry, rz" : "rotation");
        return false;
    }
    if (e->is_mass_auto && turns) {
        cn_complain(report, at,
                    "body '%s': 'mass: auto' is for walls that do not turn; hold its rotation by "
                    "'fixed', or give a mass",
                    e->name);
        return false;
    }
    return true;
}

// Checks the parts and turns a given mass into a density, or both mass and inertia into
// themselves.
static bool set_mass(cn_entry_making *e, cn_place at, const cn_parts *parts, cn_scene_body *body)
{
    double content = 0.0;
    cn_body_def *def = &body->def;
    cn_error why = {0};
    if (parts->mesh != NULL) {
        body->size = cn_mesh_extent(parts->mesh);
        if (!isnan(e->mass) || e->is_mass_auto) {
            cn_complain(e->m->reading.report, at,
                        "body '%s' has a mesh: its mass follows from the density of its material",
                        e->name);
        }
        return true;
    }
    if (measure_parts(parts, &content, &body->size, &why) != CN_OK) {
        cn_complain(e->m->reading.report, at, "body '%s': %s", e->name, why.text);
        return false;
    }
    if (!check_held(e, at, parts, def)) {
        return false;
    }
    body->is_mass_auto = e->is_mass_auto;
    if (!isnan(e->inertia) || e->has_tensor) {
        def->density = 0.0;
        def->mass = e->mass;
        def->inertia[2] = e->has_tensor ? def->inertia[2] : e->inertia;
    } else if (is_unbounded(parts) && !isnan(e->mass)) {
        def->density = 0.0;
        def->mass = e->mass;
    } else if (!isnan(e->mass)) {
        def->density = e->mass / content;
    }
    body->mass = def->density == 0.0 ? def->mass : def->density * content;
    return true;
}

// Puts a frame given in the frame of the body in its place.
static void place_body(const cn_pose *pose, int dim, cn_body_def *def)
{
    if (dim == 2) {
        cn_vec2 moved = cn_turn2(cn_v2(pose->at[0], pose->at[1]), cos(def->angle), sin(def->angle));
        def->at[0] += moved.x;
        def->at[1] += moved.y;
        def->angle += pose->angle;
        return;
    }
    cn_quat base = {def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]};
    cn_mat3 R = cn_quat_matrix(base);
    cn_vec3 moved = cn_mat3_mul(&R, cn_v3(pose->at[0], pose->at[1], pose->at[2]));
    cn_quat turn = cn_quat_unit(cn_quat_mul(base, pose->turn));
    def->at[0] += moved.x;
    def->at[1] += moved.y;
    def->at[2] += moved.z;
    memcpy(def->rotation, (double[4]){turn.w, turn.x, turn.y, turn.z}, sizeof def->rotation);
}

static void set_parts(const cn_entry_making *e, const cn_parts *parts, cn_body_def *def)
{
    const cn_value *mesh = e->mesh;
    const cn_value *bond_set = mesh != NULL ? cn_value_get(mesh, "bond_set") : NULL;
    if (parts->mesh != NULL) {
        def->type = CN_BODY_MESH;
        def->mesh = (cn_mesh_body){
            .item = parts->mesh,
            .is_two_pass = mesh != NULL && cn_value_number(mesh, "two_pass") == 1.0,
            .is_mid_face = mesh != NULL && cn_value_number(mesh, "mid_face") == 1.0,
            .is_self_contact = mesh != NULL && cn_value_number(mesh, "self_contact") == 1.0,
            .bond_set = bond_set != NULL ? bond_set->text : NULL};
    } else if (parts->solid != NULL) {
        def->type = CN_BODY_SOLIDS;
        def->solids = (cn_solid_parts){parts->count, parts->solid};
    } else {
        def->type = CN_BODY_SHAPES;
        def->shapes = (cn_shape_parts){parts->shape != NULL ? parts->count : 0, parts->shape};
    }
}

bool cn_bodies_append(cn_entry_making *e, cn_body_list *list, cn_place at, const cn_parts *parts,
                      const cn_local *local)
{
    cn_reading *r = &e->m->reading;
    cn_scene_body body = {.def = e->base,
                          .entry = e->entry,
                          .index = {local->index[0], local->index[1]},
                          .label = local->label,
                          .material = local->material,
                          .is_support = local->is_support};
    cn_body_def *def = &body.def;
    cn_parts meshed = {.count = 1};
    bool is_meshed = e->mesh != NULL || e->is_pseudo_rigid;
    if (is_meshed && parts->mesh == NULL && !local->is_support) {
        if (!cn_mesh_of_piece(e, parts, &meshed.mesh) || meshed.mesh == NULL) {
            return r->status == CN_OK;
        }
        parts = &meshed;
    }
    def->id = cn_scene_body_id((int)list->count);
    set_parts(e, parts, def);
    place_body(&local->pose, e->m->scene->dim, def);
    def->fixed |= local->fixed;
    if (!set_mass(e, at, parts, &body)) {
        return true;
    }
    if (cn_reserve(NULL, &list->body, &list->capacity, list->count + 1, r->err) != CN_OK) {
        r->status = CN_NO_MEMORY;
        return false;
    }
    list->body[list->count++] = body;
    return true;
}

// `cluster`: all parts together.
static bool cluster_parts(cn_reading *r, const cn_value *cluster, cn_parts *parts)
{
    cn_parts *own = cn_reading_take(r, (size_t)cluster->count, sizeof *own);
    bool has_memory = own != NULL;
    int total = 0;
    for (int k = 0; k < cluster->count && has_memory; k++) {
        cn_pose pose = cn_pose_of(r, cluster->item[k]);
        has_memory = cn_parts_of(r, cn_value_get(cluster->item[k], "shape"), &pose, &own[k]);
        total += has_memory ? own[k].count : 0;
    }
    cn_shape_def *shape = r->dim == 2 ? cn_reading_take(r, (size_t)total, sizeof *shape) : NULL;
    cn_solid_def *solid = r->dim == 3 ? cn_reading_take(r, (size_t)total, sizeof *solid) : NULL;
    *parts = (cn_parts){.shape = shape, .solid = solid};
    has_memory = has_memory && (shape != NULL || solid != NULL);
    for (int k = 0; k < cluster->count && has_memory; k++) {
        for (int n = 0; n < own[k].count; n++, parts->count++) {
            if (solid != NULL) {
                solid[parts->count] = own[k].solid[n];
            } else {
                shape[parts->count] = own[k].shape[n];
            }
        }
    }
    return has_memory;
}

static bool add_single(cn_entry_making *e, cn_body_list *list, const cn_value *source)
{
    cn_reading *r = &e->m->reading;
    cn_parts parts;
    cn_local local = {.pose = CN_POSE_NONE, .index = {1, 1}};
    bool has_memory = source->kind == CN_VALUE_LIST ? cluster_parts(r, source, &parts)
                                                    : cn_parts_of(r, source, &local.pose, &parts);
    if (has_memory && parts.count == 0) {
        return true; // the problem is reported
    }
    return has_memory && (!cn_bodies_fit(e, list, e->at, 1) ||
                          cn_bodies_append(e, list, source->at, &parts, &local));
}

static bool add_mesh(cn_entry_making *e, cn_body_list *list)
{
    cn_parts parts = {.count = 1};
    const cn_local local = {.pose = CN_POSE_NONE, .index = {1, 1}};
    if (cn_value_get(e->mesh, "explode") != NULL) {
        return cn_mesh_of(e, e->mesh, &e->whole) &&
               (e->whole == NULL || cn_mesh_explode(e, list, e->mesh, e->whole));
    }
    return cn_mesh_of(e, e->mesh, &parts.mesh) &&
           (parts.mesh == NULL || !cn_bodies_fit(e, list, e->at, 1) ||
            cn_bodies_append(e, list, e->mesh->at, &parts, &local));
}

// Keys that say how `blocks` is read have no meaning beside other sources.
static void check_block_keys(cn_entry_making *e)
{
    static const char *const names[] = {"split", "scale", "up", "concave", "supports"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const cn_value *given = cn_value_get(e->value, names[k]);
        if (given != NULL) {
            cn_complain(e->m->reading.report, given->at,
                        "body '%s': '%s' says how `blocks` is read, and there is none", e->name,
                        names[k]);
        }
    }
}

// Pieces of generators stay whole.
static void check_explode(cn_entry_making *e, bool is_single_mesh)
{
    const cn_value *given = e->mesh != NULL ? cn_value_get(e->mesh, "explode") : NULL;
    if (given != NULL && !is_single_mesh) {
        cn_complain(e->m->reading.report, given->at,
                    "body '%s': only the mesh of one body can be exploded, this one is cut from "
                    "others",
                    e->name);
    }
}

static bool add_bodies(cn_entry_making *e, cn_body_list *list)
{
    const cn_value *shape = cn_value_get(e->value, "shape");
    const cn_value *cluster = cn_value_get(e->value, "cluster");
    const cn_value *generate = cn_value_get(e->value, "generate");
    const cn_value *from = cn_value_get(e->value, "from");
    const cn_value *blocks = cn_value_get(e->value, "blocks");
    bool is_many = generate != NULL || from != NULL || blocks != NULL;
    bool is_single_mesh = e->mesh != NULL && !is_many;
    int given = (shape != NULL && from == NULL) + (cluster != NULL) + (generate != NULL) +
                (from != NULL) + (blocks != NULL) + is_single_mesh;
    if (given != 1) {
        cn_complain(e->m->reading.report, e->at,
                    "body '%s' needs exactly one of shape, mesh, cluster, generate, from, blocks",
                    e->name);
        return true;
    }
    if (blocks != NULL) {
        return cn_bodies_from_blocks(e, list, blocks);
    }
    check_block_keys(e);
    check_explode(e, is_single_mesh);
    if (is_single_mesh) {
        return add_mesh(e, list);
    }
    if (generate != NULL) {
        return cn_bodies_generate(e, list, generate);
    }
    if (from != NULL) {
        return cn_bodies_from_csv(e, list, from, shape);
    }
    return add_single(e, list, cluster != NULL ? cluster : shape);
}

unsigned cn_fixed_of(const cn_value *words, int dim)
{
    unsigned given = words != NULL ? (unsigned)words->number : 0u;
    if (dim == 3) {
        return given; // x y z rx ry rz, in the order of cn_dof
    }
    return given == 7u ? CN_FIXED_ALL
                       : (given & 1u ? 1u << CN_DOF_X : 0u) | (given & 2u ? 1u << CN_DOF_Y : 0u) |
                             (given & 4u ? 1u << CN_DOF_RZ : 0u);
}

static void read_fixed(cn_entry_making *e)
{
    const cn_value *fixed = cn_value_get(e->value, "fixed");
    cn_body_def *base = &e->base;
    e->has_fixed = fixed != NULL;
    base->fixed = cn_fixed_of(fixed, e->m->scene->dim);
    const double speed[] = {base->velocity[0],         base->velocity[1],
                            base->velocity[2],         base->angular_velocity[0],
                            base->angular_velocity[1], base->angular_velocity[2]};
    bool is_moving = false;
    for (int d = CN_DOF_X; d <= CN_DOF_RZ; d++) {
        is_moving = is_moving || ((base->fixed & 1u << d) != 0 && speed[d] != 0.0);
    }
    if (is_moving) {
        cn_complain(e->m->reading.report, e->at,
                    "body '%s' is fixed where it has a velocity; use a 'drive' to move it",
                    e->name);
    }
}

// `inertia`: one number in the plane, three or six in space.
static void read_inertia(cn_entry_making *e)
{
    const cn_value *inertia = cn_value_get(e->value, "inertia");
    cn_report *report = e->m->reading.report;
    e->inertia = NAN;
    if (inertia == NULL) {
        return;
    }
    if (isnan(e->mass)) {
        cn_complain(report, e->at, "body '%s' has an inertia but no mass", e->name);
    }
    if (e->m->scene->dim == 2) {
        e->inertia = inertia->number;
        return;
    }
    if (inertia->count != 3 && inertia->count != 6) {
        cn_complain(report, inertia->at,
                    "inertia takes three numbers [xx, yy, zz] or six [xx, yy, zz, yz, zx, xy], got "
                    "%d",
                    inertia->count);
        return;
    }
    e->has_tensor = true;
    for (int k = 0; k < inertia->count; k++) {
        e->base.inertia[k] = inertia->item[k]->number;
    }
}

// `centre`: of one rigid body whose mass and inertia are given, too.
static void read_centre(cn_entry_making *e)
{
    const cn_value *centre = cn_value_get(e->value, "centre");
    if (centre == NULL) {
        return;
    }
    bool is_one =
        cn_value_get(e->value, "shape") != NULL || cn_value_get(e->value, "cluster") != NULL;
    bool is_many = cn_value_get(e->value, "from") != NULL || e->mesh != NULL || e->is_pseudo_rigid;
    if (!is_one || is_many || isnan(e->mass) || (isnan(e->inertia) && !e->has_tensor)) {
        cn_complain(e->m->reading.report, centre->at,
                    "'centre' is for one rigid body of a shape or cluster whose mass and inertia "
                    "are given");
        return;
    }
    e->base.has_centre = true;
    cn_value_point(e->value, "centre", e->base.centre);
}

static void read_density(cn_entry_making *e)
{
    cn_making *m = e->m;
    const cn_value *material = cn_value_get(e->value, "material");
    cn_report *report = m->reading.report;
    e->base.density = 1.0;
    const cn_value *mass = cn_value_get(e->value, "mass");
    e->is_mass_auto = mass != NULL && mass->kind == CN_VALUE_TEXT;
    e->mass = mass == NULL || e->is_mass_auto ? NAN : mass->number;
    read_inertia(e);
    read_centre(e);
    if (material != NULL && mass != NULL) {
        cn_complain(report, e->at, "body '%s' has both a material and a mass; give one", e->name);
    }
    if (material == NULL) {
        return;
    }
    const cn_scene_material *known = cn_material_named(m->scene, material->text);
    if (known != NULL) {
        e->base.density = known->density;
        e->base.wear = known->wear;
        return;
    }
    const cn_value *all = cn_value_get(m->root, "materials");
    cn_complain_unknown(report, material->at, "material", material->text, NULL, all->name,
                        all->count);
}

// Only what is held in all its degrees of freedom does without a mass.
static void check_density(cn_entry_making *e, const cn_body_list *list, size_t first)
{
    if (cn_value_get(e->value, "material") != NULL || !isnan(e->mass) || e->is_mass_auto) {
        return;
    }
    for (size_t k = first; k < list->count; k++) {
        const cn_body_def *def = &list->body[k].def;
        if (def->type != CN_BODY_MESH && !is_held(def, e->m->scene->dim)) {
            cn_complain(e->m->reading.report, e->at,
                        "body '%s' moves and needs a material or a mass (or 'fixed: true')",
                        e->name);
            return;
        }
    }
}

// Place, orientation and velocities.
static void read_motion(cn_entry_making *e)
{
    cn_body_def *base = &e->base;
    cn_pose pose = cn_pose_of(&e->m->reading, e->value);
    base->rotation[0] = e->m->scene->dim == 3 ? 1.0 : 0.0;
    place_body(&pose, e->m->scene->dim, base);
    cn_value_point(e->value, "velocity", base->velocity);
    if (e->m->scene->dim == 2) {
        base->angular_velocity[2] = cn_value_number(e->value, "angular_velocity");
    } else {
        cn_value_point(e->value, "angular_velocity", base->angular_velocity);
    }
}

static bool make_entry(cn_making *m, int k, const cn_value *bodies, cn_body_list *list,
                       cn_scene_entry *entry)
{
    const cn_value *value = bodies->item[k];
    cn_entry_making e = {.m = m,
                         .value = value,
                         .at = bodies->name_at[k],
                         .name = bodies->name[k],
                         .entry = k,
                         .note = "",
                         .mesh = cn_value_get(value, "mesh"),
                         .is_pseudo_rigid = cn_value_number(value, "pseudo_rigid") == 1.0,
                         .inside = CN_POSE_NONE};
    read_motion(&e);
    read_fixed(&e);
    read_density(&e);
    *entry = (cn_scene_entry){.name = e.name,
                              .at = cn_making_line(m, e.at),
                              .tag = cn_value_text(value, "group"),
                              .first = (int)list->count};
    bool is_named = cn_check_name(m, e.at, "body", e.name) &&
                    (entry->tag == NULL ||
                     cn_check_name(m, cn_value_get(value, "group")->at, "group", entry->tag));
    // The entry is known to those after it, for `inside: drum`.
    m->scene->body = list->body;
    m->scene->entry_count = k;
    if (is_named && !add_bodies(&e, list)) {
        return false;
    }
    check_density(&e, list, (size_t)entry->first);
    entry->count = (int)list->count - entry->first;
    const cn_mesh_def *mesh = e.whole;
    entry->is_exploded = e.whole != NULL;
    for (int n = entry->first; n < (int)list->count && mesh == NULL; n++) {
        mesh = cn_body_mesh_of(&list->body[n].def);
    }
    if ((entry->count > 0 || e.mesh == NULL) && !cn_make_held(&e, mesh, entry)) {
        return false;
    }
    entry->note = e.note;
    return true;
}

static bool make_entries(cn_making *m, const cn_value *bodies, cn_body_list *list)
{
    cn_scene_entry *entry = cn_reading_take(&m->reading, (size_t)bodies->count, sizeof *entry);
    if (entry == NULL) {
        return false;
    }
    m->scene->entry = entry;
    for (int k = 0; k < bodies->count; k++) {
        if (!make_entry(m, k, bodies, list, &entry[k])) {
            return false;
        }
    }
    m->scene->entry_count = bodies->count;
    return true;
}

// Masses of walls that follow from those of what they press (3.11).
static void set_auto_masses(cn_making *m, cn_body_list *list, const cn_value *bodies)
{
    double sum = 0.0;
    const cn_scene_body *mesh = NULL;
    for (size_t k = 0; k < list->count; k++) {
        const cn_scene_body *body = &list->body[k];
        bool counts = !body->is_mass_auto && !is_held(&body->def, m->scene->dim);
        sum += counts ? body->mass : 0.0;
        mesh = body->def.type == CN_BODY_MESH ? body : mesh;
    }
    for (size_t k = 0; k < list->count; k++) {
        cn_scene_body *body = &list->body[k];
        if (!body->is_mass_auto) {
            continue;
        }
        if (mesh != NULL || !(sum > 0.0)) {
            cn_complain(m->reading.report, bodies->name_at[body->entry],
                        "body '%s': 'mass: auto' is a share of the mass of rigid bodies that "
                        "move, and %s; give a mass",
                        bodies->name[body->entry],
                        mesh != NULL ? "there are meshes" : "there is none");
            return;
        }
        body->def.density = 0.0;
        body->def.mass = body->mass = AUTO_MASS * sum;
    }
}

bool cn_make_bodies(cn_making *m)
{
    const cn_value *bodies = cn_value_get(m->root, "bodies");
    cn_scene *scene = m->scene;
    if (bodies->count == 0) {
        cn_complain(m->reading.report, bodies->at, "the scene is empty: 'bodies' names no body");
    }
    cn_body_list list = {0};
    bool is_good = make_entries(m, bodies, &list);
    if (is_good) {
        set_auto_masses(m, &list, bodies);
    }
    cn_scene_body *body = is_good ? cn_reading_take(&m->reading, list.count, sizeof *body) : NULL;
    if (body != NULL && list.count > 0) {
        memcpy(body, list.body, list.count * sizeof *body);
    }
    scene->body = body;
    scene->body_count = body != NULL ? (int)list.count : 0;
    free(list.body);
    if (body != NULL && scene->dim == 3) {
        cn_surface_compare(m);
    }
    return body != NULL;
}
