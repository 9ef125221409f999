// limit/joint_strength.c -- cohesion and tension of a law as forces of the points of a joint,
// theory 16.13.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/own_law.h"
#include "cairn/patch.h"
#include "cairn/vec.h"
#include "limit/limit_model.h"

double cn_law_value(const cn_law_def *law, const char *name, double none)
{
    for (int k = 0; k < law->type->param_count; k++) {
        if (strcmp(law->type->param[k].name, name) == 0) {
            return law->param[k];
        }
    }
    return none;
}

bool cn_strength_of(const cn_law_def *law, cn_strength *strength)
{
    if (strcmp(law->type->name, "mohr") != 0 ||
        cn_law_value(law, "bond", CN_BOND_OFF) == CN_BOND_OFF) {
        return false;
    }
    double tip = cn_law_value(law, "cohesion", 0.0);
    double tension = cn_law_value(law, "tension", 0.0);
    strength->cohesion = cn_law_value(law, "cohesion_tangential", 0.0);
    strength->tension = tension > 0.0 ? fmin(tension, tip) : tip;
    strength->friction = strength->cohesion / tip;
    return true;
}

// Shares of the corners of a patch in its area: triangles around their mean give a third to each of
// their corners, so that a stress that is the same everywhere has its force and its moment.
static void find_shares(const double *corner, int count, double *share)
{
    double middle[2] = {0.0, 0.0}, all = 0.0;
    for (int k = 0; k < count; k++) {
        middle[0] += corner[2 * k] / count;
        middle[1] += corner[2 * k + 1] / count;
        share[k] = 0.0;
    }
    for (int k = 0; k < count; k++) {
        int next = (k + 1) % count;
        double x = corner[2 * k] - middle[0], y = corner[2 * k + 1] - middle[1];
        double x_next = corner[2 * next] - middle[0], y_next = corner[2 * next + 1] - middle[1];
        double area = 0.5 * fabs(x * y_next - y * x_next);
        share[k] += area / 3.0;
        share[next] += area / 3.0;
        all += area;
    }
    for (int k = 0; k < count; k++) {
        share[k] = all > 0.0 ? (share[k] + all / 3.0 / count) / all : 1.0 / count;
    }
}

// The contact of a patch that is nearest to a corner.
static int contact_at(const cn_patch_forces *patches, const cn_patch_force *f,
                      const cn_contact *contact, const double corner[2])
{
    int found = -1;
    double least = INFINITY;
    for (int k = f->first; k < f->first + f->count; k++) {
        const cn_contact *x = &contact[patches->order[k]];
        double along[2] = {0.0, 0.0};
        for (int d = 0; d < 3; d++) {
            along[0] += (x->point[d] - f->centre[d]) * f->tangent[0][d];
            along[1] += (x->point[d] - f->centre[d]) * f->tangent[1][d];
        }
        double apart = hypot(along[0] - corner[0], along[1] - corner[1]);
        found = apart < least ? patches->order[k] : found;
        least = fmin(apart, least);
    }
    return found;
}

// Strength of a patch at its corners.
static void strengthen_patch(const cn_limit_model *m, const cn_patch_forces *patches,
                             const cn_patch_force *f, cn_model_program *made)
{
    enum { CORNERS_MOST = 64 };
    const double *corner = patches->corner + 2 * (size_t)f->corner_first;
    const cn_contact *first = &made->contact[patches->order[f->first]];
    const cn_law_def *law = &m->scene->law[first->law].def;
    double share[CORNERS_MOST];
    cn_strength s;
    if (!cn_strength_of(law, &s)) {
        return;
    }
    double area = f->area > 0.0 ? f->area : cn_law_value(law, "area", 0.0);
    int count = f->corner_count < CORNERS_MOST ? f->corner_count : CORNERS_MOST;
    if (!(area > 0.0)) {
        return;
    }
    find_shares(corner, count, share);
    for (int k = f->first; k < f->first + f->count; k++) {
        made->friction[patches->order[k]] = s.friction;
    }
    for (int k = 0; k < count; k++) {
        int a = contact_at(patches, f, made->contact, corner + 2 * k);
        made->cohesion[a] += s.cohesion * area * share[k];
        made->tension[a] += s.tension * area * share[k];
    }
    made->bonded_area += area;
}

cn_status cn_model_strengthen(const cn_limit_model *m, cn_model_program *made, cn_error *err)
{
    if (!m->has_strength) {
        return CN_OK;
    }
    cn_patch_forces patches;
    CN_TRY(cn_patch_forces_find(made->contact, made->program.contact_count, m->scene->dim, &patches,
                                err));
    for (int n = 0; n < patches.count; n++) {
        strengthen_patch(m, &patches, &patches.patch[n], made);
    }
    cn_patch_forces_free(&patches);
    made->program.cohesion = made->cohesion;
    made->program.tension = made->tension;
    return CN_OK;
}
