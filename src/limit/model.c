// limit/model.c -- a scene as a model of limit analysis: what can move, what touches, which laws.
#include "limit/limit_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/check/check_overlap.h"

// Gaps that count as closed, over the smallest body that can move; standard gravity, where a load
// is given over gravity and the scene has none.
static const double CLOSE = 1e-4, GRAVITY = 9.81;
enum { NAMED_MOST = 3 };

static void remark(const cn_limit_model_def *def, const char *line)
{
    if (def->told != NULL) {
        def->told(def->context, line);
    }
}

// ---- what it cannot take

static cn_status check_kinds(const cn_scene *scene, cn_error *err)
{
    for (int k = 0; k < scene->body_count; k++) {
        char name[CN_BODY_NAME_MAX];
        const cn_scene_body *body = &scene->body[k];
        if (body->def.type != CN_BODY_MESH) {
            continue;
        }
        cn_scene_body_name(scene, k, name);
        return cn_fail(err, CN_BAD_INPUT,
                       "%s:%d: body '%s' is deformable: limit analysis takes rigid blocks, give it "
                       "a shape in place of its mesh",
                       scene->entry[body->entry].at.file, scene->entry[body->entry].at.line, name);
    }
    if (scene->joint_count > 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: limit analysis knows contacts alone, the scene has joint '%s': leave "
                       "joints out",
                       scene->name, scene->joint[0].name);
    }
    return CN_OK;
}

static bool has_strength(const cn_law_def *law)
{
    cn_strength s;
    return cn_strength_of(law, &s);
}

// Strength counts as if it were ductile, which real joints are not; runs break joints, and which
// of them their contacts do not say.
static void tell_strength(const cn_law_def *law, const char *name, const cn_limit_model_def *def)
{
    cn_strength s;
    char line[300];
    cn_strength_of(law, &s);
    if (def->result != NULL) {
        snprintf(line, sizeof line,
                 "law '%.60s': in the state of a run its friction alone counts, %g: which joints "
                 "are broken is not looked up",
                 name, cn_law_value(law, "friction", 0.0));
    } else {
        snprintf(line, sizeof line,
                 "law '%.60s': cohesion %g Pa, tension %g Pa and friction %g count in full until "
                 "all moves; joints that break at once bear less",
                 name, s.cohesion, s.tension, s.friction);
    }
    double cap = cn_law_value(law, "crushing", 0.0), push = cn_law_value(law, "pressure", 0.0);
    if (cap > 0.0 || push > 0.0) {
        remark(def, line);
        snprintf(line, sizeof line,
                 "law '%.60s': its crushing at %g Pa and the pressure of %g Pa in it do not count",
                 name, cap, push);
    }
    remark(def, line);
}

// What of a law does not count is told; a law that is no cone is refused.
static cn_status check_law(const cn_scene *scene, int n, const cn_limit_model_def *def,
                           cn_error *err)
{
    const cn_law_def *law = &scene->law[n].def;
    const char *type = law->type->name, *name = scene->law[n].name;
    char line[300];
    if (strcmp(type, "glue") == 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law '%s' is glue: a bond that nothing breaks has no place in limit "
                       "analysis; make one body of what it holds together",
                       name);
    }
    if (cn_law_value(law, "rolling", 0.0) > 0.0 || cn_law_value(law, "spinning", 0.0) > 0.0) {
        snprintf(line, sizeof line,
                 "law '%.60s': resistance to rolling and spinning is not counted", name);
        remark(def, line);
    }
    if (has_strength(law)) {
        tell_strength(law, name, def);
    } else if (strcmp(type, "coulomb") != 0) {
        snprintf(line, sizeof line,
                 "law '%.60s' (%.20s): its friction alone counts, neither stiffness nor strength",
                 name, type);
        remark(def, line);
    }
    if (cn_law_value(law, "friction_static", 0.0) > cn_law_value(law, "friction", 0.0)) {
        snprintf(line, sizeof line, "law '%.60s': friction while sliding counts, %g", name,
                 cn_law_value(law, "friction", 0.0));
        remark(def, line);
    }
    return CN_OK;
}

// ---- what is held

static void hold(const cn_limit_model *m, const cn_pick *bodies, unsigned bits)
{
    for (int n = 0; n < bodies->count; n++) {
        m->held[bodies->body[n]] |= bits;
    }
}

// Drives move what they hold; as the structure stands it is fixed.
static void find_held(cn_limit_model *m)
{
    const cn_scene *scene = m->scene;
    for (int i = 0; i < m->view.body_count; i++) {
        m->held[i] = m->view.fixed[i];
    }
    for (int s = 0; s < scene->stage_count; s++) {
        for (int d = 0; d < scene->stage[s].drive_count; d++) {
            const cn_scene_drive *drive = &scene->stage[s].drive[d];
            bool is_all = drive->def.kind == CN_DRIVE_ROTATION;
            hold(m, &drive->bodies, is_all ? CN_FIXED_ALL : 1u << drive->def.dof);
        }
    }
    unsigned all =
        scene->dim == 2 ? 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ : CN_FIXED_ALL;
    m->size = INFINITY;
    for (int i = 0; i < m->view.body_count; i++) {
        m->held[i] &= all;
        if (m->held[i] != all) {
            m->size = fmin(m->size, m->view.size[i]);
        }
    }
}

bool cn_model_is_held(const cn_limit_model *m, int i)
{
    return m->held[i] ==
           (m->scene->dim == 2 ? 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ : CN_FIXED_ALL);
}

// ---- what is supported

static int root_of(int *tree, int i)
{
    while (tree[i] != i) {
        i = tree[i] = tree[tree[i]];
    }
    return i;
}

// Bodies that no chain of contacts leads to what is held.
static cn_status check_support(const cn_limit_model *m, double close, int *tree, cn_error *err)
{
    int count = m->view.body_count, held = -1, lost = 0;
    char names[NAMED_MOST * (CN_BODY_NAME_MAX + 4)] = "";
    for (int i = 0; i < count; i++) {
        tree[i] = i;
    }
    for (int i = 0; i < count; i++) {
        if (m->held[i] != 0) { // what is partly held counts
            held = held < 0 ? i : held;
            tree[root_of(tree, i)] = root_of(tree, held);
        }
    }
    if (held < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: nothing is fixed: name bodies as fixed or supports, limit analysis "
                       "asks what stands on them",
                       m->scene->name);
    }
    for (int a = 0; a < m->view.contact_count; a++) {
        if (m->view.contact[a].gap <= close) {
            int i = root_of(tree, m->view.contact[a].i);
            tree[i] = root_of(tree, m->view.contact[a].j);
        }
    }
    for (int i = 0; i < count; i++) {
        if (root_of(tree, i) != root_of(tree, held)) {
            char name[CN_BODY_NAME_MAX];
            cn_scene_body_name(m->scene, (int)m->view.id[i] - 1, name);
            if (lost < NAMED_MOST) {
                snprintf(names + strlen(names), sizeof names - strlen(names), "%s'%s'",
                         lost > 0 ? ", " : "", name);
            }
            lost++;
        }
    }
    return lost == 0
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "%s: %d bodies do not touch anything that leads to a support: "
                         "%s%s; gaps up to %g m count as closed (key 'close')",
                         m->scene->name, lost, names, lost > NAMED_MOST ? ", ..." : "", close);
}

// ---- making

cn_status cn_model_look(cn_limit_model *m, double reach, cn_error *err)
{
    CN_TRY(cn_scene_named(m->scene, cn_world_detect(m->world, reach, err), err));
    m->view = cn_world_view(m->world);
    free(m->friction);
    m->friction = calloc((size_t)m->view.contact_count + 1, sizeof *m->friction);
    if (m->friction == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d contacts", m->view.contact_count);
    }
    for (int a = 0; a < m->view.contact_count; a++) {
        m->friction[a] = cn_law_value(&m->scene->law[m->view.contact[a].law].def, "friction", 0.0);
    }
    return CN_OK;
}

static cn_status find_contacts(cn_limit_model *m, cn_error *err)
{
    m->reach = 0.0;
    for (int k = -1; k < m->case_count; k++) {
        m->reach = fmax(m->reach, 2.0 * cn_model_close(m, k));
    }
    return cn_model_look(m, m->reach, err);
}

static cn_status check_supports(const cn_limit_model *m, cn_error *err)
{
    int *tree = calloc((size_t)m->view.body_count + 1, sizeof *tree);
    if (tree == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d bodies", m->view.body_count);
    }
    cn_status status = CN_OK;
    for (int k = -1; k < m->case_count && status == CN_OK; k++) {
        status = check_support(m, cn_model_close(m, k), tree, err);
    }
    free(tree);
    return status;
}

// The cases of the scene, or a push along x.
static void find_cases(cn_limit_model *m)
{
    const double *g = m->scene->gravity;
    double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    m->gravity = size > 0.0 ? size : GRAVITY;
    m->limit = m->scene->limit;
    m->case_count = m->scene->limit_count;
    if (m->case_count == 0) {
        m->own = (cn_scene_limit){.name = "push along x",
                                  .live = {.acceleration = {1.0, 0.0, 0.0}},
                                  .gap = 1e-6,
                                  .close = NAN,
                                  .above = NAN};
        m->limit = &m->own;
        m->case_count = 1;
    }
}

static cn_status check_cases(const cn_limit_model *m, cn_error *err)
{
    for (int k = 0; k < m->case_count; k++) {
        const cn_pick *support = &m->limit[k].support;
        if (support->count == 1 && !cn_model_is_held(m, support->body[0])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "%s:%d: '%s' is not fixed: the reaction of a support is asked for",
                           m->limit[k].at.file, m->limit[k].at.line, support->text);
        }
    }
    return CN_OK;
}

static cn_status make(cn_limit_model *m, const cn_limit_model_def *def, cn_error *err)
{
    cn_scene *scene = m->scene;
    CN_TRY(check_kinds(scene, err));
    for (int n = 0; n < scene->law_count; n++) {
        CN_TRY(check_law(scene, n, def, err));
        m->has_strength =
            m->has_strength || (def->result == NULL && has_strength(&scene->law[n].def));
    }
    if (def->result != NULL) {
        scene->start = (cn_scene_start){
            .path = def->result, .at = {scene->name, 1}, .frame = def->frame, .is_at_rest = true};
        scene->start.name_there =
            cn_arena_take(&scene->arena, (size_t)scene->entry_count, sizeof(char *), err);
        if (scene->start.name_there == NULL) {
            return CN_NO_MEMORY;
        }
    }
    CN_TRY(cn_scene_world(scene, 1, def->told, def->context, &m->world, err));
    m->view = cn_world_view(m->world);
    m->held = calloc((size_t)m->view.body_count + 1, sizeof *m->held);
    if (m->held == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d bodies", m->view.body_count);
    }
    find_cases(m);
    find_held(m);
    CN_TRY(check_cases(m, err));
    CN_TRY(find_contacts(m, err));
    return check_supports(m, err);
}

cn_status cn_limit_model_create(cn_scene *scene, const cn_limit_model_def *def,
                                cn_limit_model **model, cn_error *err)
{
    CN_NEED(err, scene, def, model);
    *model = NULL;
    cn_limit_model *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a model of limit analysis");
    }
    m->scene = scene;
    m->placed = -1;
    cn_status status = make(m, def, err);
    if (status != CN_OK) {
        cn_limit_model_destroy(m);
        return status;
    }
    *model = m;
    return CN_OK;
}

void cn_limit_model_destroy(cn_limit_model *model)
{
    if (model != NULL) {
        cn_world_destroy(model->world);
        free(model->held);
        free(model->friction);
        free(model);
    }
}

int cn_limit_model_count(const cn_limit_model *model)
{
    return model != NULL ? model->case_count : 0;
}

const char *cn_limit_model_name(const cn_limit_model *model, int k)
{
    return k >= 0 && k < cn_limit_model_count(model) ? model->limit[k].name : NULL;
}

double cn_limit_model_gap(const cn_limit_model *model, int k)
{
    return model == NULL || k >= model->case_count ? NAN : model->limit[k < 0 ? 0 : k].gap;
}

double cn_model_close(const cn_limit_model *model, int k)
{
    double close = model->limit[k < 0 ? 0 : k].close;
    return isnan(close) ? CLOSE * (isfinite(model->size) ? model->size : 1.0) : close;
}
