// limit/least.c -- how small the joints may be, or how smooth, until the dead load is carried no
// more.
//
// Smaller joints and less friction leave a part of the forces that were possible before: what
// stands at a share stands at all larger ones, what falls at a share falls at all smaller ones.
// Cohesion goes with friction, and strength with the area of joints.
// Halving the interval leaves two shares, each with its proof (theory 16.20).
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cairn/patch.h"
#include "limit/limit_model.h"

static const char *const names[] = {"joints", "friction"};

const char *cn_limit_less_name(cn_limit_less what)
{
    return (unsigned)what <= CN_LIMIT_LESS_FRICTION ? names[what] : "unknown";
}

// Work in progress: the program of the dead load as it is, and its points and friction at the share
// that is tried.
typedef struct halving {
    cn_limit_less what;
    const cn_limit_def *def;
    cn_model_program made;
    cn_patch_forces patches;
    double *point, *friction, *cohesion, *tension;
    cn_limit_share *share;
} halving;

static void shrink(halving *w, double share)
{
    bool is_friction = w->what == CN_LIMIT_LESS_FRICTION;
    double area = is_friction ? 1.0 : pow(share, w->made.program.dim - 1.0);
    for (int a = 0; a < w->made.program.contact_count; a++) {
        w->friction[a] = (is_friction ? share : 1.0) * w->made.friction[a];
        w->cohesion[a] = (is_friction ? share : area) * w->made.cohesion[a];
        w->tension[a] = area * w->made.tension[a];
    }
    if (is_friction) {
        return;
    }
    for (int n = 0; n < w->patches.count; n++) {
        const cn_patch_force *f = &w->patches.patch[n];
        for (int k = f->first; k < f->first + f->count; k++) {
            int a = w->patches.order[k];
            for (int d = 0; d < 3; d++) {
                double arm = w->made.contact[a].point[d] - f->centre[d];
                w->point[3 * a + d] = f->centre[d] + share * arm;
            }
        }
    }
}

// Moves one end of the interval to the share; false where neither proof was found.
static bool try_share(halving *w, double share, cn_status *status, cn_error *err)
{
    cn_limit_program program = w->made.program;
    cn_limit *limit = NULL;
    shrink(w, share);
    program.point = w->what == CN_LIMIT_LESS_FRICTION ? program.point : w->point;
    program.friction = w->friction;
    if (program.cohesion != NULL) {
        program.cohesion = w->cohesion;
        program.tension = w->tension;
    }
    *status = cn_limit_solve(&program, w->def, &limit, err);
    if (*status != CN_OK) {
        return false;
    }
    w->share->program_count++;
    cn_limit_outcome outcome = limit->outcome;
    w->share->stands = outcome == CN_LIMIT_BOUNDED ? share : w->share->stands;
    w->share->falls = outcome == CN_LIMIT_FALLS ? share : w->share->falls;
    cn_limit_destroy(limit);
    return outcome == CN_LIMIT_BOUNDED || outcome == CN_LIMIT_FALLS;
}

static cn_status halve(halving *w, double gap, cn_error *err)
{
    cn_status status = CN_OK;
    bool goes_on = try_share(w, 1.0, &status, err) && w->share->stands == 1.0;
    while (goes_on && w->share->stands - w->share->falls > gap) {
        goes_on = try_share(w, 0.5 * (w->share->stands + w->share->falls), &status, err);
    }
    return status;
}

cn_status cn_limit_model_least(cn_limit_model *model, cn_limit_less what, const cn_limit_def *def,
                               cn_limit_share *share, cn_error *err)
{
    CN_NEED(err, model, def, share);
    *share = (cn_limit_share){.stands = NAN};
    if (!(def->gap > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "a gap > 0, got %g", def->gap);
    }
    halving w = {.what = what, .def = def, .share = share};
    CN_TRY(cn_model_program_make(model, -1, cn_model_close(model, -1), &w.made, err));
    size_t contacts = (size_t)w.made.program.contact_count;
    w.point = malloc((6 * contacts + 1) * sizeof *w.point);
    w.friction = w.point + 3 * contacts;
    w.cohesion = w.friction + contacts;
    w.tension = w.cohesion + contacts;
    cn_status status = w.point != NULL
                           ? cn_patch_forces_find(w.made.contact, (int)contacts, w.made.program.dim,
                                                  &w.patches, err)
                           : cn_fail(err, CN_NO_MEMORY, "no memory for %zu contacts", contacts);
    CN_THEN(status, halve(&w, def->gap, err));
    cn_patch_forces_free(&w.patches);
    free(w.point);
    cn_model_program_free(&w.made);
    return status;
}
