// scene/make/make_settings.c -- title, gravity, scheme, solver and output.
#include <math.h>
#include <string.h>

#include "scene/read_scene.h"

enum { FRAME_COUNT = 100 };

// A number is eps_v; `auto` leaves it to the number of contacts.
static void set_accuracy(const cn_value *accuracy, cn_solver_def *solver)
{
    if (accuracy->kind != CN_VALUE_TEXT) {
        solver->eps_v = accuracy->number;
        return;
    }
    for (int k = CN_ACCURACY_NUMBER + 1; k < CN_ACCURACY_COUNT; k++) {
        bool is_it = strcmp(accuracy->text, cn_accuracy_row((cn_accuracy)k)->name) == 0;
        solver->accuracy = is_it ? (cn_accuracy)k : solver->accuracy;
    }
}

static void set_springs(cn_making *m, const cn_value *value, cn_solver_def *solver)
{
    const cn_value *c = cn_value_get(value, "c");
    double stiffness = cn_value_number(value, "contact_stiffness");
    bool is_given = c != NULL && (c->kind == CN_VALUE_TEXT || !isnan(c->number));
    solver->is_elastic_auto = is_given && c->kind == CN_VALUE_TEXT;
    solver->elastic_c = is_given && !solver->is_elastic_auto ? c->number : 0.0;
    solver->contact_stiffness = isnan(stiffness) ? 0.0 : stiffness;
    if (is_given && !isnan(stiffness)) {
        cn_complain(m->reading.report, cn_value_get(value, "contact_stiffness")->at,
                    "'c' and 'contact_stiffness' both make the step elastic: give one of them");
    }
    const cn_accepted *word = cn_accuracy_row(solver->accuracy);
    bool stands = solver->accuracy == CN_ACCURACY_MASONRY || solver->accuracy == CN_ACCURACY_QUAKE;
    if (solver->is_elastic_auto && stands) {
        cn_complain(m->reading.report, c->at,
                    "'c: auto' is for grains: with accuracy %s blocks would sink into each other; "
                    "leave it out, or choose accuracy flow or packing",
                    word->name);
    }
}

static void set_solver(cn_making *m)
{
    const cn_value *value = cn_value_get(m->root, "solver");
    cn_solver_def *solver = &m->scene->solver;
    *solver = cn_solver_def_default();
    solver->method = (cn_method)cn_value_number(value, "method");
    solver->order = (cn_order)cn_value_number(value, "order");
    solver->sweep_max = (int)cn_value_number(value, "sweep_max");
    solver->seed = (uint64_t)cn_value_number(value, "seed");
    set_accuracy(cn_value_get(value, "accuracy"), solver);
    double patience = cn_value_number(value, "patience");
    solver->patience = isnan(patience) ? 0 : (int)patience;
    set_springs(m, value, solver);
    double tol = cn_value_number(value, "tol");
    solver->tol = isnan(tol) ? 0.0 : tol;
}

// Every N-th: of `all` every one, of the other word what it stands for.
static int64_t every_of(cn_making *m, const cn_value *value, const char *what, int64_t other)
{
    if (value->kind == CN_VALUE_TEXT) {
        return strcmp(value->text, "all") == 0 ? 1 : other;
    }
    if (value->number != floor(value->number)) {
        cn_complain(m->reading.report, value->at, "%s, not %g", what, value->number);
    }
    return (int64_t)value->number;
}

static void set_output(cn_making *m)
{
    const cn_value *value = cn_value_get(m->root, "output");
    cn_scene *scene = m->scene;
    double longest = 0.0;
    for (int k = 0; k < scene->stage_count; k++) {
        longest += scene->stage[k].duration;
    }
    scene->output.every = cn_value_number(value, "every");
    if (isnan(scene->output.every)) {
        scene->output.every = longest > 0.0 ? longest / FRAME_COUNT : 1.0;
        cn_value_put(&m->reading, value, "every", scene->output.every);
    }
    scene->output.history = every_of(m, cn_value_get(value, "history"),
                                     "history is all, frames or a whole number of steps", 0);
    scene->output.contacts_every =
        every_of(m, cn_value_get(value, "contacts"),
                 "contacts are all, last or a whole number of frames", -1);
    scene->output.is_reduced = cn_value_number(value, "precision") == 1.0;
    const cn_value *fields = cn_value_get(value, "fields");
    scene->output.has_stress = fields != NULL && ((unsigned)fields->number & 2u) != 0;
    scene->output.checkpoint_every = cn_value_number(value, "checkpoint_every");
}

cn_deform_def cn_deform_of(cn_making *m, const cn_value *scheme)
{
    cn_deform_def def = cn_deform_def_default();
    double theta = cn_value_number(scheme, "theta");
    def.tangent = (cn_tangent)cn_value_number(scheme, "newton");
    def.is_conserving = cn_value_number(scheme, "conserving") == 1.0;
    def.is_quasi_static = cn_value_number(scheme, "quasi_static") == 1.0;
    def.tolerance = cn_value_number(scheme, "newton_tol");
    def.iteration_max = (int)cn_value_number(scheme, "newton_max");
    if (def.is_conserving && theta != 0.5) {
        cn_complain(m->reading.report, scheme->at, "a conserving scheme has theta 0.5, got %g",
                    theta);
    }
    if (def.is_quasi_static && theta != 1.0) {
        cn_complain(m->reading.report, scheme->at, "a quasi-static scheme has theta 1, got %g",
                    theta);
    }
    return def;
}

bool cn_make_settings(cn_making *m)
{
    cn_scene *scene = m->scene;
    const cn_value *scheme = cn_value_get(m->root, "scheme");
    scene->title = cn_value_text(m->root, "title");
    scene->overlap_max = cn_value_number(m->root, "overlap_max");
    scene->theta = cn_value_number(scheme, "theta");
    scene->gamma = cn_value_number(scheme, "gamma");
    if (isnan(scene->gamma)) {
        scene->gamma = 1.0 - scene->theta;
        cn_value_put(&m->reading, scheme, "gamma", scene->gamma);
    }
    scene->deform = cn_deform_of(m, scheme);
    cn_value_point(m->root, "gravity", scene->gravity);
    set_solver(m);
    set_output(m);
    return m->reading.status == CN_OK;
}
