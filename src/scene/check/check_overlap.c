// scene/check/check_overlap.c -- overlaps, and faces that nearly touch.
//
// A contact is listed, and kept by a body at rest, from 1e-6 of the smaller body down. What is
// further apart than that but within 1e-3, face on face, was most likely meant to touch: the run
// would begin with a fall through the slit. Overlaps stay as they are through the run, for the
// default form of contact never pushes bodies apart (theory 4.12), so that small ones are named
// too.
#include "scene/check/check_overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "scene/language/report.h"

static const double MET = 1e-6;      // gaps and overlaps that count as touching, of the size [-]
static const double SLIT = 1e-3;     // gaps that were meant to be none, of the size [-]
static const double PARALLEL = 1e-6; // 1 - cosine of normals that are one [-]

static int compare_contacts(const void *x, const void *y)
{
    const cn_contact *a = *(const cn_contact *const *)x, *b = *(const cn_contact *const *)y;
    uint64_t first[3] = {a->pair, a->feature >> 32, a->feature};
    uint64_t second[3] = {b->pair, b->feature >> 32, b->feature};
    for (int k = 0; k < 3; k++) {
        if (first[k] != second[k]) {
            return first[k] < second[k] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_same_meeting(const cn_contact *a, const cn_contact *b)
{
    return a->pair == b->pair && a->feature >> 32 == b->feature >> 32;
}

static cn_flaw judge(const cn_scene *scene, const cn_meeting *m)
{
    if (m->least < -scene->overlap_max * m->size * (1.0 + 1e-9)) {
        return CN_FLAW_OVERLAP;
    }
    if (m->least < -MET * m->size) {
        return CN_FLAW_PRESSED;
    }
    // A curved side of a mesh touches with a node and leaves the next ones off.
    bool is_round =
        m->least <= MET * m->size && (scene->body[m->body[0]].def.type == CN_BODY_MESH ||
                                      scene->body[m->body[1]].def.type == CN_BODY_MESH);
    bool is_face = m->point_count >= scene->dim && !is_round;
    bool is_slit = m->most > MET * m->size && m->most <= SLIT * m->size;
    return is_face && is_slit ? CN_FLAW_SLIT : CN_FLAW_NONE;
}

// The points contact[0 .. count - 1] of two shapes.
static cn_meeting meeting_of(const cn_scene *scene, const cn_view *view,
                             const cn_contact *const *contact, int count)
{
    const cn_contact *nearest = contact[0];
    for (int k = 1; k < count; k++) {
        nearest = contact[k]->gap < nearest->gap ? contact[k] : nearest;
    }
    int i = nearest->i, j = nearest->j;
    const double *n = nearest->normal;
    cn_meeting m = {.body = {(int)view->id[i] - 1, (int)view->id[j] - 1},
                    .normal = {n[0], n[1], n[2]},
                    .least = nearest->gap,
                    .most = nearest->gap,
                    .size = fmin(view->size[i], view->size[j])};
    for (int k = 0; k < count; k++) {
        const double *other = contact[k]->normal;
        double cosine = n[0] * other[0] + n[1] * other[1] + n[2] * other[2];
        if (cosine >= 1.0 - PARALLEL) {
            m.most = fmax(m.most, contact[k]->gap);
            m.point_count++;
        }
    }
    m.flaw = judge(scene, &m);
    return m;
}

double cn_scene_reach(const cn_view *view, double slit)
{
    double first = 0.0, second = 0.0, least = INFINITY;
    for (int i = 0; i < view->body_count; i++) {
        double size = isfinite(view->size[i]) ? view->size[i] : 0.0;
        second = fmax(second, fmin(size, first));
        first = fmax(first, size);
        least = size > 0.0 ? fmin(least, size) : least;
    }
    return fmin(slit * (second > 0.0 ? second : first), 0.1 * least);
}

static void gather(const cn_scene *scene, const cn_view *view, const cn_contact **order,
                   cn_meeting *meeting, int *count)
{
    for (int a = 0; a < view->contact_count; a++) {
        order[a] = &view->contact[a];
    }
    qsort(order, (size_t)view->contact_count, sizeof *order, compare_contacts);
    for (int first = 0, end; first < view->contact_count; first = end) {
        for (end = first + 1; end < view->contact_count; end++) {
            if (!is_same_meeting(order[first], order[end])) {
                break;
            }
        }
        meeting[(*count)++] = meeting_of(scene, view, order + first, end - first);
    }
}

cn_status cn_scene_meetings(const cn_scene *scene, cn_world *w, bool has_slits,
                            cn_meeting **meeting, int *count, cn_error *err)
{
    *meeting = NULL;
    *count = 0;
    cn_view view = cn_world_view(w);
    cn_status found =
        has_slits ? cn_world_detect(w, cn_scene_reach(&view, SLIT), NULL) : CN_BAD_INPUT;
    if (found != CN_OK) { // bodies without a rule are near: an error only once they meet
        CN_TRY(cn_scene_named(scene, cn_world_detect(w, 0.0, err), err));
    }
    view = cn_world_view(w);
    const cn_contact **order = NULL;
    size_t need = (size_t)view.contact_count, order_room = 0, meeting_room = 0;
    cn_status status = cn_reserve(NULL, &order, &order_room, need, err);
    CN_THEN(status, cn_reserve(NULL, meeting, &meeting_room, need, err));
    if (status == CN_OK) {
        gather(scene, &view, order, *meeting, count);
    }
    free(order);
    return status;
}

// One sentence about a flaw, with names, sizes and remedy.
static void describe(const cn_scene *scene, const cn_meeting *m, char *line, size_t size)
{
    char a[96], b[96];
    cn_scene_body_name(scene, m->body[0], a);
    cn_scene_body_name(scene, m->body[1], b);
    bool is_made_so = scene->body[m->body[0]].entry == scene->body[m->body[1]].entry;
    const char *move = is_made_so ? "change the numbers of the entry that makes both"
                       : m->flaw == CN_FLAW_SLIT
                           ? "move them together, or let 'cairn check --fix' do it"
                           : "move them apart, or let 'cairn check --fix' do it";
    if (m->flaw == CN_FLAW_SLIT) {
        char from[32] = "";
        bool is_wedge = m->most - m->least > MET * m->size;
        if (is_wedge) {
            snprintf(from, sizeof from, "%.3g to ", m->least);
        }
        snprintf(line, size,
                 "faces of '%s' and '%s' are %s%.3g m apart, %.3g %% of the smaller one: they do "
                 "not touch; %s",
                 a, b, from, m->most, 100.0 * m->most / m->size,
                 is_wedge && !is_made_so ? "turn one of them" : move);
        return;
    }
    bool is_error = m->flaw == CN_FLAW_OVERLAP;
    snprintf(line, size,
             "bodies '%s' and '%s' overlap by %.3g m, %.3g %% of the smaller one (%s: %g %%); %s%s",
             a, b, -m->least, -100.0 * m->least / m->size, is_error ? "accepted" : "accepted up to",
             100.0 * scene->overlap_max, is_error ? "" : "it stays through the run; ",
             is_error ? "move them apart, or raise 'overlap_max'" : move);
}

static int count_flaws(const cn_meeting *meeting, int count, cn_flaw flaw)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        found += meeting[k].flaw == flaw ? 1 : 0;
    }
    return found;
}

// The first flaws of one kind.
static void tell_flaws(const cn_scene *scene, const cn_meeting *meeting, int count, cn_flaw flaw,
                       cn_tell *told, void *context)
{
    int found = 0;
    char line[600], sentence[400];
    for (int k = 0; k < count; k++) {
        if (meeting[k].flaw == flaw && ++found <= CN_REPORT_MAX) {
            describe(scene, &meeting[k], sentence, sizeof sentence);
            snprintf(line, sizeof line, "%.150s: %s: %s", scene->name,
                     flaw == CN_FLAW_OVERLAP ? "error" : "warning", sentence);
            told(context, line);
        }
    }
    if (found > CN_REPORT_MAX) {
        snprintf(line, sizeof line, "and %d more like that", found - CN_REPORT_MAX);
        told(context, line);
    }
}

static cn_status fail_at_deepest(const cn_scene *scene, const cn_meeting *meeting, int count,
                                 int overlaps, cn_error *err)
{
    const cn_meeting *worst = NULL;
    for (int k = 0; k < count; k++) {
        bool is_overlap = meeting[k].flaw == CN_FLAW_OVERLAP;
        if (is_overlap && (worst == NULL || meeting[k].least < worst->least)) {
            worst = &meeting[k];
        }
    }
    char sentence[400];
    describe(scene, worst, sentence, sizeof sentence);
    char start[300] = "";
    if (scene->start.path != NULL) {
        snprintf(start, sizeof start, "after the start from '%.200s': ", scene->start.path);
    }
    return cn_fail(err, CN_BAD_INPUT, "%s: %s%s%s", scene->name, start,
                   overlaps > 1 ? "several bodies overlap; the deepest: " : "", sentence);
}

cn_status cn_scene_check_overlaps(const cn_scene *scene, cn_world *w, cn_tell *told, void *context,
                                  cn_error *err)
{
    cn_meeting *meeting = NULL;
    int count = 0;
    cn_status status = cn_scene_meetings(scene, w, told != NULL, &meeting, &count, err);
    int overlaps = status == CN_OK ? count_flaws(meeting, count, CN_FLAW_OVERLAP) : 0;
    if (status == CN_OK && told != NULL) {
        tell_flaws(scene, meeting, count, CN_FLAW_SLIT, told, context);
        tell_flaws(scene, meeting, count, CN_FLAW_PRESSED, told, context);
        if (overlaps > 1) { // a single one is the error itself
            tell_flaws(scene, meeting, count, CN_FLAW_OVERLAP, told, context);
        }
    }
    if (overlaps > 0) {
        status = fail_at_deepest(scene, meeting, count, overlaps, err);
    }
    free(meeting);
    return status;
}
