// picture/chart/pressure.c -- pressures on the bodies of a group, along them: the forces of
// contact points in the plane, each over half the distances to its neighbours. In space:
// pressure_map.c.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "picture/chart/plot.h"

enum { CURVE_MAX = 16 };

typedef struct touch {
    int group;    // of the other body
    double x[2];  // [m]
    double along; // the coordinate that counts [m]
    double force; // normal, per metre of depth [N/m]
} touch;

// By group, then along.
static int compare(const void *p, const void *q)
{
    const touch *a = p, *b = q;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return (a->along > b->along) - (a->along < b->along);
}

static int find_group(const cn_reader *reader, const char *name)
{
    for (int g = 0; g < cn_reader_group_count(reader); g++) {
        if (strcmp(cn_reader_group_name(reader, g), name) == 0) {
            return g;
        }
    }
    return -1;
}

// Points between bodies of the group and others. Returns their number.
static int list_touches(const cn_frame *f, int group, touch *list)
{
    int count = 0;
    for (int a = 0; a < f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        int g_i = f->group[c->i], g_j = f->group[c->j];
        if ((g_i == group) != (g_j == group)) {
            list[count++] = (touch){.group = g_i == group ? g_j : g_i,
                                    .x = {c->point[0], c->point[1]},
                                    .force = f->h > 0.0 ? c->r[0] / f->h : 0.0};
        }
    }
    return count;
}

// Along x, or y if the points spread more there. Returns how far they spread.
static double choose_axis(touch *list, int count, int *axis)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < count; k++) {
        for (int d = 0; d < 2; d++) {
            low[d] = fmin(low[d], list[k].x[d]);
            high[d] = fmax(high[d], list[k].x[d]);
        }
    }
    *axis = high[1] - low[1] > high[0] - low[0];
    for (int k = 0; k < count; k++) {
        list[k].along = list[k].x[*axis];
    }
    return high[*axis] - low[*axis];
}

// Points of one group that fall together become one. Returns how many are left.
static int merge(touch *list, int count, double near)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        touch *last = kept > 0 ? &list[kept - 1] : NULL;
        if (last != NULL && last->group == list[k].group && list[k].along - last->along <= near) {
            last->force += list[k].force;
        } else {
            list[kept++] = list[k];
        }
    }
    return kept;
}

// Pressures of `count` points of one group.
static void spread(const touch *list, int count, double *x, double *p)
{
    for (int k = 0; k < count; k++) {
        double before = k > 0 ? list[k].along - list[k - 1].along : 0.0;
        double behind = k + 1 < count ? list[k + 1].along - list[k].along : 0.0;
        x[k] = list[k].along;
        p[k] = before + behind > 0.0 ? list[k].force / (0.5 * (before + behind)) : NAN;
    }
}

// The points that press on a group of bodies, and room for the curves through them.
typedef struct pressed {
    const cn_reader *reader;
    const char *body;
    int axis, count;
    touch *list;
    double *number; // 2 count
} pressed;

static cn_status draw(const pressed *on, const cn_beside *beside, const char *path, cn_error *err)
{
    cn_curve curve[CURVE_MAX];
    int curves = 0, count = on->count;
    const touch *list = on->list;
    for (int k = 0, size = 0; k < count && curves < CURVE_MAX; k += size) {
        for (size = 1; k + size < count && list[k + size].group == list[k].group;) {
            size++;
        }
        double *x = on->number + k, *p = on->number + count + k;
        spread(list + k, size, x, p);
        curve[curves++] = (cn_curve){.name = cn_reader_group_name(on->reader, list[k].group),
                                     .count = size,
                                     .x = x,
                                     .y = p,
                                     .style = beside->count > 0 ? CN_CURVE_DOTS : CN_CURVE_LINE};
    }
    char title[320];
    const char *run = cn_reader_summary(on->reader)->title;
    snprintf(title, sizeof title, "%.200s%spressure on %.80s", run != NULL ? run : "",
             run != NULL && run[0] != '\0' ? ": " : "", on->body);
    cn_chart_def chart = {.title = title,
                          .x_label = on->axis == 0 ? "x [m]" : "y [m]",
                          .y_label = "pressure [Pa]",
                          .curve_count = curves,
                          .curve = curve};
    return cn_chart_beside(&chart, beside, path, err);
}

static cn_status plot_touches(pressed *on, const cn_frame *f, int group, const cn_beside *beside,
                              const char *path, cn_error *err)
{
    on->count = list_touches(f, group, on->list);
    if (on->count == 0) {
        return cn_fail(err, CN_BAD_INPUT, "nothing touches '%.60s' in frame %d", on->body,
                       f->index);
    }
    double reach = choose_axis(on->list, on->count, &on->axis);
    qsort(on->list, (size_t)on->count, sizeof *on->list, compare);
    on->count = merge(on->list, on->count, 1e-6 * reach);
    return draw(on, beside, path, err);
}

cn_status cn_pressure_plot(cn_reader *reader, const cn_plot_def *def, const cn_beside *beside,
                           const char *path, cn_error *err)
{
    if (def->body == NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "pressure needs the name of the bodies that are pressed (--body NAME)");
    }
    int group = find_group(reader, def->body);
    cn_frame frame;
    if (group < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "no bodies are called '%.60s'; pressures are drawn for a group of bodies, "
                       "which 'cairn info' lists",
                       def->body);
    }
    CN_TRY(cn_reader_frame(reader, def->frame, &frame, err));
    CN_TRY(cn_reader_need_contacts(reader, &frame, err));
    if (frame.dim == 3 && (cn_look_is_set(&def->look) || def->take != NULL)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a map of pressures has a look of its own; take the "
                       "numbers (.csv) to draw another");
    }
    if (frame.dim == 3) {
        return beside->count > 0
                   ? cn_fail(err, CN_BAD_INPUT, "a map of pressures has no curves beside it")
                   : cn_pressure_map(reader, def, &frame, group, path, err);
    }
    pressed on = {.reader = reader, .body = def->body};
    size_t room[2] = {0}, most = (size_t)frame.contact_count;
    cn_status status = cn_reserve(NULL, &on.list, &room[0], most, err);
    CN_THEN(status, cn_reserve(NULL, &on.number, &room[1], 2 * most, err));
    CN_THEN(status, plot_touches(&on, &frame, group, beside, path, err));
    CN_RELEASE(on.list, on.number);
    return status;
}
