// scene/check/list_joints.c -- the joints between bodies before a run: `cairn check --joints`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/patch.h"
#include "scene/check/check_overlap.h"

static const double WIDE = 1e-2;   // gaps that are listed, of the size of bodies [-]
static const double CLOSED = 1e-6; // gaps that count as none, of the smaller body [-]
static const double SMALL = 1e-2;  // joints that are remarkably small, of the square size [-]
static const double EDGE = 1e-8;   // areas that are none, of the square size [-]
enum { NAMED_MOST = 5 };

// Points of two shapes with one normal.
typedef struct joint {
    const cn_patch_force *patch;
    int i, j, law;
    double least, mean, most; // gaps [m]
    double size;              // of the smaller body [m]
} joint;

typedef struct listing {
    const cn_scene *scene;
    cn_view view;
    cn_contact *contact; // by pairs of shapes, which are numbered in `pair`
    cn_patch_forces patches;
    int count;
    joint *joint;
    int *tree;     // of the bodies: those that closed joints connect have one root
    char *is_held; // by something below it, or fixed
    cn_tell *told;
    void *context;
} listing;

static bool is_face(const listing *l, const joint *m)
{
    return m->patch->area > EDGE * pow(m->size, l->scene->dim - 1);
}

static bool is_closed(const joint *m)
{
    return m->least <= CLOSED * m->size;
}

static int root_of(int *tree, int i)
{
    while (tree[i] != i) {
        tree[i] = tree[tree[i]];
        i = tree[i];
    }
    return i;
}

// ---- what is told

static void name_of(const listing *l, int i, char name[CN_BODY_NAME_MAX])
{
    cn_scene_body_name(l->scene, (int)l->view.id[i] - 1, name);
}

static void say_joint(const listing *l, const char *what, const joint *m, double value,
                      const char *unit)
{
    char a[CN_BODY_NAME_MAX], b[CN_BODY_NAME_MAX], line[400];
    const double *x = m->patch->centre;
    name_of(l, m->i, a);
    name_of(l, m->j, b);
    snprintf(line, sizeof line, "%-15s %.4g %s: %s and %s at (%.4g, %.4g, %.4g)", what, value, unit,
             a, b, x[0], x[1], x[2]);
    l->told(l->context, line);
}

static void tell_faces(const listing *l)
{
    int faces = 0, closed = 0, small = 0;
    double area = 0.0;
    const joint *least = NULL, *widest = NULL;
    for (int k = 0; k < l->count; k++) {
        const joint *m = &l->joint[k];
        if (is_face(l, m)) {
            faces++;
            closed += is_closed(m) && m->most <= CLOSED * m->size;
            small += m->patch->area < SMALL * pow(m->size, l->scene->dim - 1);
            area += m->patch->area;
            least = least == NULL || m->patch->area < least->patch->area ? m : least;
            widest = widest == NULL || m->most > widest->most ? m : widest;
        }
    }
    char line[300];
    const char *unit = l->scene->dim == 2 ? "m" : "m2";
    snprintf(
        line, sizeof line,
        "joints          %d of faces, %.9g %s in all, %d of them closed; %d along edges and at "
        "points",
        faces, area, unit, closed, l->count - faces);
    l->told(l->context, line);
    if (least != NULL) {
        say_joint(l, "smallest", least, least->patch->area, unit);
        say_joint(l, "widest gap", widest, widest->most, "m");
    }
    if (small > 0) {
        snprintf(line, sizeof line,
                 "note            %d joints are smaller than a hundredth of what meets there",
                 small);
        l->told(l->context, line);
    }
}

typedef bool is_meant(const listing *l, int i);

static void tell_bodies(const listing *l, const char *what, const char *more, is_meant *meant)
{
    char names[NAMED_MOST * (CN_BODY_NAME_MAX + 4)] = "", line[sizeof names + 200];
    int found = 0;
    for (int i = 0; i < l->view.body_count; i++) {
        if (!meant(l, i)) {
            continue;
        }
        char name[CN_BODY_NAME_MAX];
        name_of(l, i, name);
        size_t used = strlen(names);
        if (found++ < NAMED_MOST) {
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", name);
        }
    }
    if (found > 0) {
        snprintf(line, sizeof line, "%-15s %d %s: %s%s", what, found, more, names,
                 found > NAMED_MOST ? ", ..." : "");
        l->told(l->context, line);
    }
}

// Without a fixed body nothing leads to one.
static bool is_loose(const listing *l, int i)
{
    int none = l->view.body_count;
    return l->view.fixed[i] == 0 && root_of(l->tree, none) != none &&
           root_of(l->tree, i) != root_of(l->tree, none);
}

static bool hangs(const listing *l, int i)
{
    return l->view.fixed[i] == 0 && !is_loose(l, i) && !l->is_held[i];
}

// ---- who is connected, and who stands on what

static void connect(listing *l, const joint *m)
{
    const double *n = m->patch->normal, *g = l->scene->gravity;
    double down = n[0] * g[0] + n[1] * g[1] + n[2] * g[2];
    if (!is_closed(m)) {
        return;
    }
    l->tree[root_of(l->tree, m->i)] = root_of(l->tree, m->j);
    l->is_held[m->i] = (char)(l->is_held[m->i] || down < 0.0);
    l->is_held[m->j] = (char)(l->is_held[m->j] || down > 0.0);
}

static void connect_all(listing *l)
{
    int bodies = l->view.body_count; // the last place of the tree stands for all that is fixed
    for (int i = 0; i <= bodies; i++) {
        l->tree[i] = i;
    }
    for (int i = 0; i < bodies; i++) {
        if (l->view.fixed[i] != 0) {
            l->tree[root_of(l->tree, i)] = root_of(l->tree, bodies);
        }
    }
    for (int k = 0; k < l->count; k++) {
        connect(l, &l->joint[k]);
    }
}

// ---- rows

static void tell_row(const listing *l, const joint *m, cn_tell *row, void *context)
{
    char a[CN_BODY_NAME_MAX], b[CN_BODY_NAME_MAX], line[700];
    const double *x = m->patch->centre, *n = m->patch->normal;
    name_of(l, m->i, a);
    name_of(l, m->j, b);
    snprintf(line, sizeof line,
             "\"%s\",\"%s\",\"%s\",%d,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g",
             a, b, m->law >= 0 ? l->scene->law[m->law].name : "", m->patch->count, m->patch->area,
             m->least + 0.0, m->mean + 0.0, m->most + 0.0, x[0], x[1], x[2], n[0], n[1], n[2]);
    row(context, line);
}

static void tell_all(listing *l, cn_tell *row, void *row_context)
{
    tell_faces(l);
    tell_bodies(l, "loose", "bodies are connected to nothing that is fixed", is_loose);
    tell_bodies(l, "hanging", "bodies have nothing below them, friction at their sides alone",
                hangs);
    if (row != NULL) {
        row(row_context,
            l->scene->dim == 2
                ? "body,other,law,points,length,gap_min,gap_mean,gap_max,x,y,z,nx,ny,nz"
                : "body,other,law,points,area,gap_min,gap_mean,gap_max,x,y,z,nx,ny,nz");
    }
    for (int k = 0; row != NULL && k < l->count; k++) {
        tell_row(l, &l->joint[k], row, row_context);
    }
}

// ---- finding them

static int compare_shapes(const void *x, const void *y)
{
    const cn_contact *a = x, *b = y;
    uint64_t first[3] = {a->pair, a->feature >> 32, a->feature};
    uint64_t second[3] = {b->pair, b->feature >> 32, b->feature};
    for (int k = 0; k < 3; k++) {
        if (first[k] != second[k]) {
            return first[k] < second[k] ? -1 : 1;
        }
    }
    return 0;
}

// The parts of a concave block have joints of their own.
static void number_pairs(cn_contact *contact, int count)
{
    uint64_t number = 0, pair = 0, shapes = 0;
    qsort(contact, (size_t)count, sizeof *contact, compare_shapes);
    for (int a = 0; a < count; a++) {
        bool is_new = a == 0 || contact[a].pair != pair || contact[a].feature >> 32 != shapes;
        pair = contact[a].pair;
        shapes = contact[a].feature >> 32;
        number += is_new;
        contact[a].pair = number;
    }
}

static joint joint_of(const listing *l, const cn_patch_force *patch)
{
    const cn_contact *first = &l->contact[l->patches.order[patch->first]];
    joint m = {.patch = patch,
               .i = patch->i,
               .j = patch->j,
               .law = first->law,
               .least = INFINITY,
               .most = -INFINITY,
               .size = fmin(l->view.size[patch->i], l->view.size[patch->j])};
    for (int k = patch->first; k < patch->first + patch->count; k++) {
        double gap = l->contact[l->patches.order[k]].gap;
        m.least = fmin(m.least, gap);
        m.most = fmax(m.most, gap);
        m.mean += gap / patch->count;
    }
    return m;
}

static cn_status find(listing *l, cn_world *w, cn_error *err)
{
    size_t contact_room = 0, joint_room = 0;
    l->view = cn_world_view(w);
    cn_status status = cn_world_detect(w, cn_scene_reach(&l->view, WIDE), err);
    CN_TRY(cn_scene_named(l->scene, status, err));
    l->view = cn_world_view(w);
    int count = l->view.contact_count;
    CN_TRY(cn_reserve(NULL, &l->contact, &contact_room, (size_t)count, err));
    memcpy(l->contact, l->view.contact, (size_t)count * sizeof *l->contact);
    number_pairs(l->contact, count);
    CN_TRY(cn_patch_forces_find(l->contact, count, l->scene->dim, &l->patches, err));
    l->count = l->patches.count;
    CN_TRY(cn_reserve(NULL, &l->joint, &joint_room, (size_t)l->count, err));
    for (int k = 0; k < l->count; k++) {
        l->joint[k] = joint_of(l, &l->patches.patch[k]);
    }
    return CN_OK;
}

static cn_status list(listing *l, cn_world *w, cn_tell *row, void *row_context, cn_error *err)
{
    size_t tree_room = 0, held_room = 0, need = (size_t)l->scene->body_count + 1;
    cn_status status = find(l, w, err);
    CN_THEN(status, cn_reserve(NULL, &l->tree, &tree_room, need, err));
    CN_THEN(status, cn_reserve(NULL, &l->is_held, &held_room, need, err));
    if (status == CN_OK) {
        memset(l->is_held, 0, need);
        connect_all(l);
        tell_all(l, row, row_context);
    }
    CN_RELEASE(l->contact, l->joint, l->tree, l->is_held);
    cn_patch_forces_free(&l->patches);
    return status;
}

cn_status cn_scene_joints(const cn_scene *scene, cn_tell *told, void *context, cn_tell *row,
                          void *row_context, cn_error *err)
{
    CN_NEED(err, scene, told);
    listing l = {.scene = scene, .told = told, .context = context};
    cn_world *w = NULL;
    CN_TRY(cn_scene_world(scene, 1, told, context, &w, err));
    cn_status status = list(&l, w, row, row_context, err);
    cn_world_destroy(w);
    return status;
}
