// picture/chart/plot_frames.c -- plots of what frames hold: contact forces, orientations,
// velocities, the reaction of a body. A plot is one function and one line of the table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/analyse.h"
#include "cairn/picture.h"
#include "picture/chart/chart.h"
#include "picture/chart/layers.h"
#include "picture/chart/plot.h"
#include "picture/chart/rose.h"
#include "picture/fabric.h"

enum { BINS_MAX = 720 };

// A plot in the making: the frames first .. last.
typedef struct making {
    cn_reader *reader;
    const cn_plot_def *def;
    const cn_beside *beside;
    int first, last, axis;
    char title[320];
    const char *path;
} making;

typedef struct walls {
    bool *is_wall; // of each body of a frame
    size_t room;
} walls;

typedef cn_status take_frame(void *context, const cn_frame *f, const bool *is_wall, cn_error *err);

static const char *const axis_name[] = {"x", "y", "z"};

static int bins_or(const making *m, int usual)
{
    return m->def->bins > 0 ? m->def->bins : usual;
}

static cn_status no_contacts(const making *m, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "no contact presses%s in frames %d to %d; choose others with --frame%s",
                   m->def->with_walls ? "" : " between bodies that move freely", m->first, m->last,
                   m->def->with_walls ? "" : ", or count walls with --with-walls");
}

// Rigid bodies of which a translation is held or driven.
static cn_status list_walls(const making *m, const cn_frame *f, walls *w, cn_error *err)
{
    unsigned translations = f->dim == 2 ? 3u : 7u;
    CN_TRY(cn_reserve(NULL, &w->is_wall, &w->room, (size_t)f->body_count, err));
    for (int i = 0; i < f->body_count; i++) {
        cn_mesh_def mesh;
        w->is_wall[i] = !m->def->with_walls && (f->fixed[i] & translations) != 0 &&
                        !cn_reader_mesh(m->reader, f->id[i], &mesh);
    }
    return CN_OK;
}

// Hands over all frames with their walls.
static cn_status each_frame(const making *m, take_frame *take, void *context, cn_error *err)
{
    walls w = {0};
    cn_status status = CN_OK;
    for (int k = m->first; status == CN_OK && k <= m->last; k++) {
        cn_frame f;
        status = cn_reader_frame(m->reader, k, &f, err);
        if (status == CN_OK && f.lacks_contacts && m->first < m->last) {
            continue;
        }
        CN_THEN(status, cn_reader_need_contacts(m->reader, &f, err));
        CN_THEN(status, list_walls(m, &f, &w, err));
        CN_THEN(status, take(context, &f, w.is_wall, err));
    }
    cn_release(NULL, w.is_wall);
    return status;
}

static cn_status take_forces(void *context, const cn_frame *f, const bool *is_wall, cn_error *err)
{
    return cn_forces_take(context, f, is_wall, err);
}

static cn_status gather_forces(const making *m, cn_numbers *forces, cn_error *err)
{
    CN_TRY(each_frame(m, take_forces, forces, err));
    return forces->count > 0 ? CN_OK : no_contacts(m, err);
}

static cn_status draw_forces(const making *m, const cn_numbers *forces, cn_error *err)
{
    double x[BINS_MAX], density[BINS_MAX], tail[BINS_MAX];
    int usual = (int)fmin(60.0, fmax(8.0, sqrt((double)forces->count)));
    int bins = bins_or(m, usual);
    double rate = cn_forces_spread(forces, bins, x, density), share = 0.0;
    for (size_t k = 0; k < forces->count; k++) {
        share += forces->value[k] > 1.0 ? 1.0 / (double)forces->count : 0.0;
    }
    for (int b = 0; b < bins; b++) { // as much beyond the mean as there is
        tail[b] = x[b] >= 1.0 ? share * rate * exp(-rate * (x[b] - 1.0)) : NAN;
    }
    char name[64];
    snprintf(name, sizeof name, "beyond the mean: exp(-%.3g f)", rate);
    const cn_curve curve[2] = {
        {.name = "contacts", .count = bins, .x = x, .y = density, .style = CN_CURVE_DOTS},
        {.name = name, .count = bins, .x = x, .y = tail, .style = CN_CURVE_DASHED}};
    const cn_chart_def chart = {.title = m->title,
                                .x_label = "f, normal force over its mean [-]",
                                .y_label = "probability density [-]",
                                .curve_count = isnan(rate) ? 1 : 2,
                                .curve = curve,
                                .log_y = true};
    return cn_chart_beside(&chart, m->beside, m->path, err);
}

static cn_status plot_forces(const making *m, cn_error *err)
{
    cn_numbers forces = {0};
    cn_status status = gather_forces(m, &forces, err);
    CN_THEN(status, draw_forces(m, &forces, err));
    cn_release(NULL, forces.value);
    return status;
}

static cn_status take_rose(void *context, const cn_frame *f, const bool *is_wall, cn_error *err)
{
    (void)err;
    cn_rose_take(context, f, is_wall);
    return CN_OK;
}

static cn_status fill_rose(const making *m, cn_rose *rose, cn_error *err)
{
    CN_TRY(each_frame(m, take_rose, rose, err));
    return rose->total > 0.0 ? CN_OK : no_contacts(m, err);
}

static cn_status plot_rose(const making *m, cn_error *err)
{
    int dim = cn_reader_summary(m->reader)->dim;
    cn_rose rose;
    cn_status status =
        cn_rose_make(dim, dim == 2 ? 1 : 6, bins_or(m, dim == 2 ? 36 : 24), &rose, err);
    CN_THEN(status, fill_rose(m, &rose, err));
    CN_THEN(status, cn_rose_save(&rose, m->title, m->path, err));
    cn_rose_free(&rose);
    return status;
}

// Group of a name, -1 if `name` is NULL; CN_BAD_INPUT lists those there are.
static cn_status find_group(const making *m, int *group, cn_error *err)
{
    const char *name = m->def->body;
    char known[400] = "";
    *group = -1;
    for (int k = 0; name != NULL && k < cn_reader_group_count(m->reader); k++) {
        const char *other = cn_reader_group_name(m->reader, k);
        if (strcmp(other, name) == 0) {
            *group = k;
            return CN_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", other);
    }
    return name == NULL ? CN_OK
                        : cn_fail(err, CN_BAD_INPUT, "no bodies are called '%.60s'; there are %s",
                                  name, known);
}

static bool is_free(const cn_frame *f, int i)
{
    unsigned all = f->dim == 2 ? 35u : 63u;
    return (f->fixed[i] & all) != all;
}

// Masses of the bodies that count: those of the group, else all that are free or deform.
static cn_status list_masses(const making *m, const cn_frame *f, int group, cn_numbers *mass,
                             cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &mass->value, &mass->capacity, (size_t)f->body_count, err));
    for (int i = 0; i < f->body_count; i++) {
        cn_mesh_def mesh;
        bool moves = is_free(f, i) || cn_reader_mesh(m->reader, f->id[i], &mesh);
        bool counts = group >= 0 ? f->group[i] == group : moves;
        mass->value[i] = counts ? cn_reader_mass(m->reader, f->id[i]) : 0.0;
    }
    return CN_OK;
}

static cn_status profile_range(const making *m, int group, cn_numbers *mass, double range[2],
                               cn_error *err)
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int k = m->first; k <= m->last; k++) {
        cn_frame f;
        CN_TRY(cn_reader_frame(m->reader, k, &f, err));
        CN_TRY(list_masses(m, &f, group, mass, err));
        for (int i = 0; i < f.body_count; i++) {
            double at = cn_profile_place(&f, m->axis, i);
            range[0] = mass->value[i] > 0.0 ? fmin(range[0], at) : range[0];
            range[1] = mass->value[i] > 0.0 ? fmax(range[1], at) : range[1];
        }
    }
    if (!(range[0] <= range[1])) {
        return cn_fail(err, CN_BAD_INPUT, "no body moves in frames %d to %d", m->first, m->last);
    }
    double room = range[1] > range[0] ? 0.0 : 0.5;
    range[0] -= room;
    range[1] += room;
    return CN_OK;
}

static cn_status draw_profile(const making *m, const cn_profile *p, cn_error *err)
{
    double at[BINS_MAX], mean[3][BINS_MAX];
    cn_curve curve[3];
    static const char *const name[2][3] = {{"vx", "vy", "vz"}, {"vr", "vt", "vz"}};
    bool is_round = p->axis == CN_PLOT_RADIUS;
    for (int b = 0; b < p->bins; b++) {
        at[b] = cn_profile_at(p, b);
        for (int k = 0; k < p->dim; k++) {
            mean[k][b] = cn_profile_mean(p, b, k);
        }
    }
    for (int k = 0; k < p->dim; k++) {
        curve[k] = (cn_curve){.name = name[is_round][k], .count = p->bins, .x = at, .y = mean[k]};
    }
    char label[40];
    snprintf(label, sizeof label, is_round ? "distance from the %s [m]" : "%s [m]",
             is_round ? (p->dim == 2 ? "origin" : "z axis") : axis_name[p->axis]);
    const cn_chart_def chart = {.title = m->title,
                                .x_label = label,
                                .y_label = "mean velocity [m/s]",
                                .curve_count = p->dim,
                                .curve = curve};
    return cn_chart_beside(&chart, m->beside, m->path, err);
}

static cn_status fill_profile(const making *m, int group, cn_numbers *mass, cn_profile *p,
                              cn_error *err)
{
    double range[2];
    CN_TRY(profile_range(m, group, mass, range, err));
    int dim = cn_reader_summary(m->reader)->dim;
    CN_TRY(cn_profile_make(dim, m->axis, bins_or(m, 20), range[0], range[1], p, err));
    for (int k = m->first; k <= m->last; k++) {
        cn_frame f;
        CN_TRY(cn_reader_frame(m->reader, k, &f, err));
        CN_TRY(list_masses(m, &f, group, mass, err));
        cn_profile_take(p, &f, mass->value);
    }
    return draw_profile(m, p, err);
}

static cn_status plot_profile(const making *m, cn_error *err)
{
    cn_numbers mass = {0};
    cn_profile profile = {0};
    int group;
    cn_status status = find_group(m, &group, err);
    CN_THEN(status, fill_profile(m, group, &mass, &profile, err));
    cn_profile_free(&profile);
    cn_release(NULL, mass.value);
    return status;
}

// Contents in place of masses: what has none counts as none.
static void list_contents(const making *m, const cn_frame *f, double *mass)
{
    for (int i = 0; i < f->body_count; i++) {
        double content = mass[i] > 0.0 ? cn_reader_content(m->reader, f->id[i]) : 0.0;
        mass[i] = content > 0.0 ? content : 0.0;
    }
}

static cn_status draw_fraction(const making *m, const cn_layers *l, cn_error *err)
{
    double at[BINS_MAX], mean[BINS_MAX];
    for (int b = 0; b < l->bins; b++) {
        at[b] = cn_layers_at(l, b);
        mean[b] = cn_layers_mean(l, b);
    }
    bool is_round = l->axis == CN_PLOT_RADIUS;
    char label[40];
    snprintf(label, sizeof label, "%s [m]",
             is_round ? "distance from the origin" : axis_name[l->axis]);
    const cn_curve curve = {.name = "fraction", .count = l->bins, .x = at, .y = mean};
    const cn_chart_def chart = {.title = m->title,
                                .x_label = label,
                                .y_label = "solid fraction [-]",
                                .curve_count = 1,
                                .curve = &curve};
    return cn_chart_beside(&chart, m->beside, m->path, err);
}

static cn_status fill_fraction(const making *m, int group, cn_numbers *mass, cn_layers *l,
                               cn_error *err)
{
    double range[2];
    cn_frame f;
    int dim = cn_reader_summary(m->reader)->dim;
    CN_TRY(profile_range(m, group, mass, range, err));
    CN_TRY(cn_reader_frame(m->reader, m->last, &f, err));
    if (f.cell != NULL && m->axis != CN_PLOT_RADIUS) {
        range[0] = 0.0;
        range[1] = f.cell[4 * m->axis];
    }
    CN_TRY(cn_layers_make(dim, m->axis, bins_or(m, 20), range[0], range[1], l, err));
    for (int k = m->first; k <= m->last; k++) {
        CN_TRY(cn_reader_frame(m->reader, k, &f, err));
        CN_TRY(list_masses(m, &f, group, mass, err));
        list_contents(m, &f, mass->value);
        cn_layers_take(l, &f, mass->value);
    }
    return draw_fraction(m, l, err);
}

static cn_status plot_fraction(const making *m, cn_error *err)
{
    cn_numbers mass = {0};
    cn_layers layers = {0};
    int group;
    if (m->axis == CN_PLOT_RADIUS && cn_reader_summary(m->reader)->dim == 3) {
        return cn_fail(err, CN_BAD_INPUT,
                       "solid fractions of rings are for the plane; in space take an axis x, y, z");
    }
    cn_status status = find_group(m, &group, err);
    CN_THEN(status, fill_fraction(m, group, &mass, &layers, err));
    cn_layers_free(&layers);
    cn_release(NULL, mass.value);
    return status;
}

// Mean place of the bodies of a set along the axis.
static double mean_place(const cn_frame *f, const bool *of, int axis)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < f->body_count; i++) {
        sum += of[i] ? f->q[f->q_size * i + axis] : 0.0;
        count += of[i];
    }
    return count > 0 ? sum / count : NAN;
}

static cn_status gather_reaction(const making *m, int group, double *way, double *force,
                                 cn_error *err)
{
    bool *of = NULL;
    size_t room = 0;
    cn_status status = CN_OK;
    for (int k = 0; status == CN_OK && k <= m->last; k++) {
        cn_frame f;
        status = cn_reader_frame(m->reader, k, &f, err);
        CN_THEN(status, cn_reserve(NULL, &of, &room, (size_t)f.body_count, err));
        if (status == CN_OK) {
            for (int i = 0; i < f.body_count; i++) {
                of[i] = f.group[i] == group;
            }
            way[k] = mean_place(&f, of, m->axis) - (k > 0 ? way[0] : 0.0);
            bool has_forces = k > 0 && !f.lacks_contacts; // no step, no force
            force[k] = has_forces ? cn_reaction_of(&f, of, m->axis) : NAN;
        }
    }
    way[0] = 0.0;
    cn_release(NULL, of);
    return status;
}

// Force over displacement from frame 0 on, whatever the number of frames asked for.
static cn_status plot_reaction(const making *m, cn_error *err)
{
    int group;
    if (m->def->body == NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the plot 'reaction' needs the name of a body: --body NAME");
    }
    CN_TRY(find_group(m, &group, err));
    size_t room[2] = {0, 0}, count = (size_t)m->last + 1;
    double *way = NULL, *force = NULL;
    cn_status status = cn_reserve(NULL, &way, &room[0], count, err);
    CN_THEN(status, cn_reserve(NULL, &force, &room[1], count, err));
    CN_THEN(status, gather_reaction(m, group, way, force, err));
    if (status == CN_OK) {
        char label[2][120];
        const char *axis = axis_name[m->axis];
        snprintf(label[0], sizeof label[0], "displacement of %.60s along %s [m]", m->def->body,
                 axis);
        snprintf(label[1], sizeof label[1], "force on it along %s, by contacts and joints [N]",
                 axis);
        const cn_curve curve = {.name = "force", .count = (int)count, .x = way, .y = force};
        const cn_chart_def chart = {.title = m->title,
                                    .x_label = label[0],
                                    .y_label = label[1],
                                    .curve_count = 1,
                                    .curve = &curve};
        status = cn_chart_beside(&chart, m->beside, m->path, err);
    }
    CN_RELEASE(way, force);
    return status;
}

static cn_status plot_pressure(const making *m, cn_error *err)
{
    return cn_pressure_plot(m->reader, m->def, m->beside, m->path, err);
}

static const struct {
    const char *name, *title;
    cn_status (*plot)(const making *m, cn_error *err);
} plots[] = {
    {"forces", "distribution of contact forces", plot_forces},
    {"rose", "orientation of contacts", plot_rose},
    {"profile", "velocity profile", plot_profile},
    {"fraction", "solid fraction", plot_fraction},
    {"reaction", "force over displacement", plot_reaction},
    {"pressure", "contact pressure", plot_pressure},
};

enum { PLOT_COUNT = sizeof plots / sizeof *plots };

bool cn_plot_is_of_frames(const char *what)
{
    if (what == NULL) {
        return false;
    }
    for (int k = 0; k < PLOT_COUNT; k++) {
        if (strcmp(plots[k].name, what) == 0) {
            return true;
        }
    }
    return false;
}

static cn_status check_def(const cn_plot_def *def, int dim, cn_error *err)
{
    if (def->frame_count < 1) {
        return cn_fail(err, CN_BAD_INPUT, "at least one frame is taken, got %d", def->frame_count);
    }
    if (def->bins < 0 || def->bins > BINS_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "bins are 1 to %d, or 0 for a suitable number; got %d",
                       (int)BINS_MAX, def->bins);
    }
    cn_chart_look look = def->look;
    look.title = NULL;
    if (strcmp(def->what, "rose") == 0 && (cn_look_is_set(&look) || def->take != NULL)) {
        return cn_fail(err, CN_BAD_INPUT, "a rose takes a title, but has no axes and one size");
    }
    bool is_round = def->axis == CN_PLOT_RADIUS &&
                    (strcmp(def->what, "profile") == 0 || strcmp(def->what, "fraction") == 0);
    if ((def->axis < -1 || def->axis >= dim) && !is_round) {
        return cn_fail(err, CN_BAD_INPUT, "this result has the axes %s",
                       dim == 2 ? "x y" : "x y z");
    }
    return CN_OK;
}

cn_status cn_frames_plot(cn_reader *reader, const cn_plot_def *def, const cn_beside *beside,
                         const char *path, cn_error *err)
{
    const cn_summary *summary = cn_reader_summary(reader);
    CN_TRY(check_def(def, summary->dim, err));
    int last = def->frame < 0 ? summary->frames + def->frame : def->frame;
    if (last < 0 || last >= summary->frames) {
        return cn_fail(err, CN_BAD_INPUT, "there is no frame %d; the result has frames 0 to %d",
                       def->frame, summary->frames - 1);
    }
    making m = {.reader = reader,
                .def = def,
                .beside = beside,
                .last = last,
                .first = last >= def->frame_count ? last - def->frame_count + 1 : 0,
                .axis = def->axis >= 0 ? def->axis : summary->dim - 1,
                .path = path};
    for (int k = 0; k < PLOT_COUNT; k++) {
        if (strcmp(plots[k].name, def->what) == 0) {
            if (def->look.title != NULL) {
                snprintf(m.title, sizeof m.title, "%.300s", def->look.title);
                return plots[k].plot(&m, err);
            }
            snprintf(m.title, sizeof m.title, "%.250s%s%s%s", summary->title,
                     summary->title[0] != '\0' ? ": " : "", plots[k].title,
                     def->with_walls ? ", walls included" : "");
            return plots[k].plot(&m, err);
        }
    }
    return cn_fail(err, CN_BAD_INPUT, "unknown plot of frames '%.60s'", def->what);
}
