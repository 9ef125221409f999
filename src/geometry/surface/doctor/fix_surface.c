// geometry/surface/doctor/fix_surface.c -- repairs in the order in which each helps the next: one
// vertex per place, no triangle without area or given twice, then orientation, which needs
// neighbours, then vertices of their own for surfaces that only touch, which needs orientation.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/surface/doctor/repair_steps.h"
#include "geometry/surface/weld.h"

cn_surface_fix_def cn_surface_fix_def_default(void)
{
    return (cn_surface_fix_def){.check = cn_surface_check_def_default()};
}

void cn_tally_add(cn_tally *tally, int64_t face)
{
    if (tally->count < CN_DEFECT_PLACES) {
        tally->face[tally->count] = face;
    }
    tally->count++;
}

static void tell(const cn_repair *r, const char *format, ...) CN_PRINTF(2, 3);

static void tell(const cn_repair *r, const char *format, ...)
{
    char line[800];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (r->def->told != NULL) {
        r->def->told(r->def->context, line);
    }
}

// Triangles of one polygon share its number: it is listed once.
static void list_faces(const cn_tally *tally, char *list, size_t size)
{
    size_t length = 0;
    for (int64_t k = 0; k < tally->count && k < CN_DEFECT_PLACES; k++) {
        if (k == 0 || tally->face[k] != tally->face[k - 1]) {
            length += (size_t)snprintf(list + length, size - length, "%s%lld", k > 0 ? ", " : "",
                                       (long long)tally->face[k]);
        }
    }
}

void cn_repair_tell(const cn_repair *r, const cn_tally *tally, const char *thing, const char *done)
{
    char list[24 * CN_DEFECT_PLACES + 8] = "";
    if (tally->count > 0) {
        list_faces(tally, list, sizeof list);
        tell(r, "%lld %s%s %s: face %s%s", (long long)tally->count, thing,
             tally->count > 1 ? "s" : "", done, list,
             tally->count > CN_DEFECT_PLACES ? ", ..." : "");
    }
}

// What joining and parting changed together: parts that touch are joined only to be parted again.
static void tell_vertices(const cn_repair *r, int joined)
{
    if (joined > 0 && r->def->weld > 0.0) {
        tell(r, "%d vertices joined with others at most %g m away", joined, r->def->weld);
    } else if (joined > 0) {
        tell(r, "%d vertices joined with others at the same place", joined);
    } else if (joined < 0) {
        tell(r, "%d vertices added: surfaces that only touch have their own", -joined);
    }
}

static cn_status make_marks(const cn_repair *r, bool **is_kept)
{
    *is_kept = malloc(((size_t)r->s->triangle_count + 1) * sizeof **is_kept);
    if (*is_kept == NULL) {
        return cn_fail(r->err, CN_NO_MEMORY, "out of memory for %d triangles",
                       r->s->triangle_count);
    }
    memset(*is_kept, 1, (size_t)r->s->triangle_count * sizeof **is_kept);
    return CN_OK;
}

static cn_status drop_collapsed(const cn_repair *r)
{
    bool *is_kept;
    cn_tally tally = {0};
    CN_TRY(make_marks(r, &is_kept));
    for (int t = 0; t < r->s->triangle_count; t++) {
        if (cn_is_collapsed(cn_corners(r->s, t))) {
            is_kept[t] = false;
            cn_tally_add(&tally, cn_element_of(r->s, t));
        }
    }
    cn_surface_keep_triangles(r->s, is_kept);
    free(is_kept);
    cn_repair_tell(r, &tally, "triangle", "with a corner twice removed");
    return CN_OK;
}

typedef struct duplicates {
    const cn_surface *s;
    bool *is_kept;
    cn_tally tally;
} duplicates;

static void drop_duplicate(void *context, int t, int earlier)
{
    duplicates *d = context;
    (void)earlier;
    d->is_kept[t] = false;
    cn_tally_add(&d->tally, cn_element_of(d->s, t));
}

static cn_status drop_duplicates(const cn_repair *r)
{
    duplicates d = {.s = r->s};
    CN_TRY(make_marks(r, &d.is_kept));
    cn_status status = cn_find_duplicates(r->s, drop_duplicate, &d, r->err);
    if (status == CN_OK) {
        cn_surface_keep_triangles(r->s, d.is_kept);
        cn_repair_tell(r, &d.tally, "triangle", "given twice removed");
    }
    free(d.is_kept);
    return status;
}

static cn_status drop_vertices(const cn_repair *r)
{
    int dropped = 0;
    CN_TRY(cn_surface_drop_unused(r->s, &dropped, r->err));
    if (dropped > 0) {
        tell(r, "%d unused vert%s removed", dropped, dropped > 1 ? "ices" : "ex");
    }
    return CN_OK;
}

// Says what is left.
static cn_status examine(const cn_repair *r, cn_surface_report *report)
{
    CN_TRY(cn_surface_check(r->s, &r->def->check, report, r->err));
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        if (cn_defect_is_error((cn_defect)k) && report->count[k] > 0) {
            tell(r, "not repaired: %lld x %s", (long long)report->count[k],
                 cn_defect_name((cn_defect)k));
        }
    }
    return CN_OK;
}

static cn_status repair(const cn_repair *r)
{
    int joined = 0, parted = 0;
    CN_TRY(cn_surface_weld(r->s, r->def->weld, &joined, r->err));
    CN_TRY(drop_collapsed(r));
    CN_TRY(drop_duplicates(r));
    CN_TRY(cn_repair_orientation(r));
    CN_TRY(cn_repair_flat(r));
    CN_TRY(cn_repair_inverted(r));
    CN_TRY(cn_surface_part(r->s, &parted, r->err));
    tell_vertices(r, joined - parted);
    return drop_vertices(r);
}

cn_status cn_surface_fix(cn_surface *surface, const cn_surface_fix_def *def,
                         cn_surface_report *report, cn_error *err)
{
    CN_NEED(err, surface, def);
    if (!(def->weld >= 0.0) || !isfinite(def->weld)) {
        return cn_fail(err, CN_BAD_INPUT, "the welding distance must be >= 0 m, got %g", def->weld);
    }
    CN_TRY(cn_surface_validate(surface, err));
    cn_repair r = {surface, def, err};
    CN_TRY(repair(&r));
    if (surface->triangle_count == 0) {
        return cn_fail(err, CN_BAD_INPUT, "nothing is left of the surface after its repair%s",
                       def->weld > 0.0 ? "; is the welding distance too large?" : "");
    }
    cn_surface_report *made = malloc(sizeof *made);
    if (made == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a report");
    }
    cn_status status = examine(&r, made);
    if (status == CN_OK && report != NULL) {
        *report = *made;
    }
    free(made);
    return status;
}
