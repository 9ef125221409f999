// scene/make/make_blocks.c -- bodies from surfaces that hold many blocks: one body each, which
// keeps its name; blocks that are not convex are bodies of several convex parts.
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cairn/surface.h"
#include "scene/language/nearest_word.h"
#include "scene/make/make_blocks.h"

static const double REFLEX = 1e-3; // depth of reflex edges that is no more than warped faces, of
                                   // the size of the block [-]
static const double BULGE = 1e-3;  // volume that the hull may add, of that of the block [-]
static const double WARPED =
    1e-6; // likewise depth that is worth a remark: more than digits of files
static const double SIZE_LO = 2e-3, SIZE_HI = 20.0; // mean sizes of blocks that are plausible [m]

typedef enum split_by {
    SPLIT_AUTO = 0,
    SPLIT_OBJECTS,
    SPLIT_GROUPS,
    SPLIT_PARTS,
    SPLIT_LAYERS
} split_by;

typedef enum concave { CONCAVE_CUT = 0, CONCAVE_REFUSE, CONCAVE_HULL } concave;

typedef struct made {
    const char *file;    // as the scene names it
    int64_t line;        // that names its group, 0: not known
    double *point;       // in the frame of the entry, part by part [m]
    int point_count;     // of all parts
    cn_solid_def *solid; // its parts, which share the points
    int part_count;
    bool is_support;
} made;

typedef struct making {
    cn_entry_making *e;
    split_by split;
    concave concave;
    int up; // 0 x, 1 y, 2 z
    double scale;
    int file_count;
    size_t label_most; // [bytes]
    made *block;
    const char **label;
    int count;
    size_t capacity, label_capacity;
    double volume, sizes; // sums [m3, m]
    double lo[3], hi[3];  // box of all [m]
    // What is said once for all blocks, with the first of them.
    int turned_count, bulged_count, empty_count, renamed_count, cut_count, part_count;
    const char *turned, *bulged, *empty, *renamed, *cut;
    double bulge_most;  // [m]
    double change_most; // of the volume of a block that was cut [-]
} making;

// A surface of a file and its blocks.
typedef struct opened {
    const cn_block_file *file;
    cn_surface s;
    cn_block_list blocks;
    bool by_group;
} opened;

static bool no_memory(making *w, const cn_error *why)
{
    cn_reading *r = &w->e->m->reading;
    r->status = cn_fail(r->err, CN_NO_MEMORY, "%s", why->text);
    return false;
}

// ---- reading

static bool has_two_groups(const cn_surface *s)
{
    int first = -1;
    for (int t = 0; s->group != NULL && t < s->triangle_count; t++) {
        if (first >= 0 && s->group[t] >= 0 && s->group[t] != first) {
            return true;
        }
        first = s->group[t] >= 0 ? s->group[t] : first;
    }
    return false;
}

static cn_surface_format format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".json") == 0 ? CN_SURFACE_COMPAS
                                                        : cn_surface_format_of(path);
}

static bool parse(making *w, const cn_source *source, cn_surface_grouping grouping, opened *o,
                  bool *is_good)
{
    cn_surface_def def = cn_surface_def_default();
    cn_error why = {0};
    def.scale = w->scale;
    def.grouping = grouping;
    def.volumes = true;
    cn_surface_free(&o->s);
    cn_status status = cn_surface_parse(source->name, format_of(o->file->path), source->text,
                                        source->length, &def, &o->s, &why);
    *is_good = status == CN_OK;
    if (status == CN_NO_MEMORY) {
        return no_memory(w, &why);
    }
    if (status != CN_OK) {
        cn_complain(w->e->m->reading.report, o->file->at, "body '%s': %s", w->e->name, why.text);
    }
    return true;
}

// Objects if there are at least two of them, else groups, else parts.
static bool parse_by(making *w, const cn_source *source, opened *o, bool *is_good)
{
    static const cn_surface_grouping by[] = {[SPLIT_OBJECTS] = CN_GROUPS_OBJECTS,
                                             [SPLIT_GROUPS] = CN_GROUPS_GROUPS,
                                             [SPLIT_PARTS] = CN_GROUPS_BOTH,
                                             [SPLIT_LAYERS] = CN_GROUPS_BOTH};
    if (w->split != SPLIT_AUTO) {
        o->by_group = w->split != SPLIT_PARTS;
        return parse(w, source, by[w->split], o, is_good);
    }
    for (split_by k = SPLIT_OBJECTS; k <= SPLIT_PARTS; k++) {
        if (!parse(w, source, by[k], o, is_good)) {
            return false;
        }
        o->by_group = *is_good && (has_two_groups(&o->s) || o->s.group_is_support != NULL);
        if (!*is_good || o->by_group) {
            return true;
        }
    }
    return true;
}

// Turns the axis that is up to z, without rounding.
static void turn_up(int up, double x[3])
{
    double p[3] = {x[0], x[1], x[2]};
    if (up == 1) {
        x[1] = 0.0 - p[2];
        x[2] = p[1];
    } else if (up == 0) {
        x[0] = p[1];
        x[1] = p[2];
        x[2] = p[0];
    }
}

static bool open_file(making *w, opened *o, bool *is_good)
{
    cn_making *m = w->e->m;
    cn_report *report = m->reading.report;
    cn_source source;
    cn_error why = {0};
    *is_good = false;
    if (format_of(o->file->path) == CN_SURFACE_FORMAT_COUNT) {
        cn_complain(report, o->file->at, "'%.200s' is none of .stl, .obj, .ply, .msh, .dxf, .json",
                    o->file->path);
        return true;
    }
    if (!cn_making_open(m, o->file->at, o->file->path, CN_SURFACE_BYTES_MAX, &source)) {
        return m->reading.status == CN_OK;
    }
    if (!parse_by(w, &source, o, is_good)) {
        return false;
    }
    for (int v = 0; v < o->s.vertex_count; v++) {
        turn_up(w->up, o->s.vertex + 3 * (size_t)v);
    }
    if (*is_good && o->by_group && o->s.group_count == 0) {
        cn_complain(report, o->file->at,
                    "'%.200s' has no %s to split it by; `split: parts` takes "
                    "what is connected",
                    o->file->path,
                    w->split == SPLIT_OBJECTS  ? "objects (o lines)"
                    : w->split == SPLIT_LAYERS ? "layers"
                                               : "groups (g lines)");
        *is_good = false;
    }
    cn_status status = *is_good ? cn_surface_blocks(&o->s, o->by_group, &o->blocks, &why) : CN_OK;
    if (status == CN_BAD_INPUT) {
        cn_complain(report, o->file->at, "'%.200s': %s", o->file->path, why.text);
    }
    *is_good = *is_good && status == CN_OK;
    return status != CN_NO_MEMORY || no_memory(w, &why);
}

// ---- names

// Groups have names, parts numbers of as many digits as the last of them; of several files that
// of the file is put before, or stands alone where the file is one block.
static const char *label_of(making *w, const opened *o, int k)
{
    cn_reading *r = &w->e->m->reading;
    int group = o->blocks.block[k].group, digits = snprintf(NULL, 0, "%d", o->blocks.count);
    bool is_alone = o->blocks.count == 1;
    const char *name = group >= 0                          ? o->s.group_name[group]
                       : is_alone && o->s.group_count == 1 ? o->s.group_name[0]
                       : is_alone || o->by_group           ? o->file->stem
                                                           : NULL;
    char part[32];
    snprintf(part, sizeof part, "part_%0*d", digits, k + 1);
    name = name != NULL ? name : part;
    if (w->file_count > 1) {
        name = is_alone ? o->file->stem
                        : cn_arena_print(r->arena, r->err, "%s.%s", o->file->stem, name);
    }
    const char *label = name == NULL ? NULL : cn_label_make(r->arena, name, w->label_most, r->err);
    r->status = label == NULL ? CN_NO_MEMORY : r->status;
    if (label != NULL && strcmp(label, name) != 0) {
        w->renamed = w->renamed_count++ == 0 ? label : w->renamed;
    }
    return label;
}

// ---- what is wrong with a block

// Another block with the same open edge: their common faces were merged or left out. -1: none.
static int neighbour_at_edge(const opened *o, int k)
{
    const cn_block *open = &o->blocks.block[k];
    for (int n = 0; n < o->blocks.count; n++) {
        const cn_block *other = &o->blocks.block[n];
        if (n != k && other->open_count > 0 && cn_block_has_point(other, open->edge[0]) &&
            cn_block_has_point(other, open->edge[1])) {
            return n;
        }
    }
    return -1;
}

// The file, and the line that names the block.
static void print_place(const opened *o, int k, char *where, size_t size)
{
    int group = o->blocks.block[k].group;
    char line[24] = "";
    if (group >= 0 && o->s.group_line != NULL && o->s.group_line[group] > 0) {
        snprintf(line, sizeof line, ":%lld", (long long)o->s.group_line[group]);
    }
    snprintf(where, size, "%.200s%s", o->file->path, line);
}

static void complain_open(making *w, const opened *o, int k, const char *where, const char *label)
{
    const cn_block *b = &o->blocks.block[k];
    int other = b->open_count > 0 ? neighbour_at_edge(o, k) : -1;
    char remedy[300];
    if (other >= 0 && o->blocks.block[other].group >= 0) {
        snprintf(remedy, sizeof remedy,
                 "faces between it and '%.60s' are missing: export blocks as closed solids",
                 o->s.group_name[o->blocks.block[other].group]);
    } else {
        snprintf(remedy, sizeof remedy, "%s",
                 b->open_count > 0 ? cn_defect_remedy(CN_DEFECT_OPEN_EDGE)
                                   : "where blocks touch, their faces must look outwards, or each "
                                     "block needs a group or a file of its own; walls inside must "
                                     "be taken out");
    }
    cn_complain(
        w->e->m->reading.report, o->file->at,
        "%s: block '%s' is not closed: %lld open edges and %lld of more than two faces, the "
        "first from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g); %s",
        where, label, (long long)b->open_count, (long long)b->crowded_count, b->edge[0][0],
        b->edge[0][1], b->edge[0][2], b->edge[1][0], b->edge[1][1], b->edge[1][2], remedy);
}

// Whether a block can be a body, and whether it has to be cut for that. Problems are reported at
// the line that names it.
static bool is_body(making *w, const opened *o, int k, const char *label, bool *is_cut)
{
    const cn_block *b = &o->blocks.block[k];
    cn_report *report = w->e->m->reading.report;
    char where[300];
    print_place(o, k, where, sizeof where);
    if (b->open_count + b->crowded_count > 0) {
        complain_open(w, o, k, where, label);
        return false;
    }
    double bulge = b->hull_volume / b->volume - 1.0;
    if (!(b->volume > 0.0) || !isfinite(bulge)) {
        cn_complain(report, o->file->at, "%s: block '%s' has no volume: its %d points are flat",
                    where, label, b->point_count);
        return false;
    }
    bool is_warped = b->reflex_depth <= REFLEX * cbrt(b->volume) && bulge <= BULGE;
    *is_cut = !is_warped && w->concave == CONCAVE_CUT;
    if (!is_warped && w->concave == CONCAVE_REFUSE) {
        cn_complain(
            report, o->file->at,
            "%s: block '%s' is not convex: a reflex edge between its faces %lld and %lld is "
            "%.3g m deep, its hull has %.3g %% more volume; `concave: cut` cuts it into convex "
            "parts, `concave: hull` takes the hull",
            where, label, (long long)b->reflex_faces[0], (long long)b->reflex_faces[1],
            b->reflex_depth, 100.0 * bulge);
        return false;
    }
    if (!*is_cut && b->reflex_depth > WARPED * cbrt(b->volume)) {
        w->bulged = b->reflex_depth > w->bulge_most ? label : w->bulged;
        w->bulge_most = fmax(w->bulge_most, b->reflex_depth);
        w->bulged_count++;
    }
    if (b->turned_count > 0) {
        w->turned = w->turned_count++ == 0 ? label : w->turned;
    }
    return true;
}

// ---- taking blocks over

// The parts of a block that was cut.
static bool take_parts(making *w, const cn_split *split, const cn_block *b, const char *label,
                       made *block)
{
    cn_reading *r = &w->e->m->reading;
    size_t parts = (size_t)split->count;
    cn_solid_mass mass;
    if (cn_solids_measure(split->solid, split->count, &mass, r->err) != CN_OK) {
        r->status = CN_NO_MEMORY; // they have been measured before
        return false;
    }
    block->part_count = split->count;
    block->solid = cn_reading_take(r, parts, sizeof *block->solid);
    for (int k = 0; k < split->count; k++) {
        block->point_count += split->solid[k].point_count;
    }
    size_t numbers = 3 * (size_t)block->point_count;
    block->point = cn_reading_take(r, numbers, sizeof *block->point);
    if (block->solid == NULL || block->point == NULL) {
        return false;
    }
    memcpy(block->point, split->point, numbers * sizeof *block->point);
    memcpy(block->solid, split->solid, parts * sizeof *block->solid);
    w->cut = w->cut_count++ == 0 ? label : w->cut;
    w->part_count += split->count;
    w->change_most = fmax(w->change_most, fabs(mass.volume / b->volume - 1.0));
    return true;
}

// Cuts a block into convex parts. False for lack of memory only; one that cannot be cut is reported
// and has no parts.
static bool cut_block(making *w, const opened *o, int k, const char *label, made *block)
{
    const cn_block *b = &o->blocks.block[k];
    cn_split split;
    cn_error why = {0};
    cn_status status = b->surface.triangle_count > 0
                           ? cn_surface_decompose(&b->surface, &split, &why)
                           : cn_fail(&why, CN_BAD_INPUT, "it has no edge to cut it at");
    if (status == CN_NO_MEMORY) {
        return no_memory(w, &why);
    }
    if (status != CN_OK) {
        char where[300];
        print_place(o, k, where, sizeof where);
        cn_complain(w->e->m->reading.report, o->file->at,
                    "%s: block '%s' cannot be cut into convex parts: %s; cut it by hand, or take "
                    "the hull with `concave: hull`",
                    where, label, why.text);
        return true;
    }
    bool has_memory = take_parts(w, &split, b, label, block);
    cn_split_free(&split);
    return has_memory;
}

static bool take_hull(making *w, const cn_block *b, made *block)
{
    cn_reading *r = &w->e->m->reading;
    size_t numbers = 3 * (size_t)b->point_count;
    block->part_count = 1;
    block->point_count = b->point_count;
    block->point = cn_reading_take(r, numbers, sizeof *block->point);
    block->solid = cn_reading_take(r, 1, sizeof *block->solid);
    if (block->point == NULL || block->solid == NULL) {
        return false;
    }
    memcpy(block->point, b->point, numbers * sizeof *block->point);
    *block->solid = (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = b->point_count};
    return true;
}

static void measure_block(making *w, const cn_block *b, bool is_cut)
{
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double volume = is_cut ? b->volume : b->hull_volume;
    for (int n = 0; n < 3 * b->point_count; n++) {
        lo[n % 3] = fmin(lo[n % 3], b->point[n]);
        hi[n % 3] = fmax(hi[n % 3], b->point[n]);
    }
    for (int d = 0; d < 3; d++) {
        w->lo[d] = fmin(w->lo[d], lo[d]);
        w->hi[d] = fmax(w->hi[d], hi[d]);
    }
    w->volume += volume;
    w->sizes += cbrt(volume);
}

static bool take_block(making *w, const opened *o, int k, const char *label, bool is_cut)
{
    cn_reading *r = &w->e->m->reading;
    const cn_block *b = &o->blocks.block[k];
    size_t need = (size_t)w->count + 1;
    int64_t line = b->group >= 0 && o->s.group_line != NULL ? o->s.group_line[b->group] : 0;
    made block = {.file = o->file->path,
                  .line = line,
                  .is_support = b->group >= 0 && o->s.group_is_support != NULL &&
                                o->s.group_is_support[b->group]};
    if (!(is_cut ? cut_block(w, o, k, label, &block) : take_hull(w, b, &block))) {
        return false;
    }
    if (block.part_count == 0) {
        return true;
    }
    if (cn_reserve(NULL, &w->block, &w->capacity, need, r->err) != CN_OK ||
        cn_reserve(NULL, &w->label, &w->label_capacity, need, r->err) != CN_OK) {
        r->status = CN_NO_MEMORY;
        return false;
    }
    w->label[w->count] = label;
    w->block[w->count++] = block;
    measure_block(w, b, is_cut);
    return true;
}

// Groups without faces, such as lights and empties of a modelling program.
static bool note_empty_groups(making *w, const opened *o)
{
    cn_reading *r = &w->e->m->reading;
    char *is_used = cn_reading_take(r, (size_t)o->s.group_count + 1, 1);
    for (int k = 0; k < o->blocks.count && is_used != NULL; k++) {
        is_used[o->blocks.block[k].group + 1] = 1;
    }
    for (int g = 0; o->by_group && g < o->s.group_count && is_used != NULL; g++) {
        if (!is_used[g + 1] && w->empty_count++ == 0) {
            w->empty = cn_arena_print(r->arena, r->err, "%s", o->s.group_name[g]);
        }
    }
    return is_used != NULL;
}

static bool add_file(making *w, const cn_block_file *file)
{
    opened o = {.file = file};
    bool is_good, has_memory = open_file(w, &o, &is_good);
    has_memory = has_memory && (!is_good || note_empty_groups(w, &o));
    for (int k = 0; is_good && has_memory && k < o.blocks.count; k++) {
        const char *label = label_of(w, &o, k);
        bool is_cut = false;
        has_memory = label != NULL &&
                     (!is_body(w, &o, k, label, &is_cut) || take_block(w, &o, k, label, is_cut));
    }
    cn_surface_blocks_free(&o.blocks);
    cn_surface_free(&o.s);
    return has_memory;
}

// ---- supports

static void complain_support(making *w, const cn_value *support, const char *pattern)
{
    const char *nearest = cn_spelling_nearest(pattern, w->label, w->count);
    cn_complain(w->e->m->reading.report, support->at, "no block of '%s' is called '%.80s'%s%s%s",
                w->e->name, pattern, nearest != NULL ? " (did you mean '" : "",
                nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
}

static bool is_below(const made *block, double z)
{
    for (int k = 0; k < block->point_count; k++) {
        if (block->point[3 * k + 2] < z) {
            return true;
        }
    }
    return false;
}

static void mark_support(making *w, const cn_value *support)
{
    const char *pattern = cn_value_text(support, "name");
    double below = cn_value_number(support, "below");
    int found = 0;
    if ((pattern == NULL) == isnan(below)) {
        cn_complain(w->e->m->reading.report, support->at,
                    "a support is a name, a pattern such as \"abutment_*\", or {below: z}");
        return;
    }
    for (int k = 0; k < w->count; k++) {
        bool is_meant =
            pattern != NULL ? fnmatch(pattern, w->label[k], 0) == 0 : is_below(&w->block[k], below);
        w->block[k].is_support = w->block[k].is_support || is_meant;
        found += is_meant;
    }
    if (found == 0 && pattern != NULL) {
        complain_support(w, support, pattern);
    } else if (found == 0) {
        cn_complain(w->e->m->reading.report, support->at,
                    "no block of '%s' reaches below z = %g m: the lowest point is at %g m",
                    w->e->name, below, w->lo[2]);
    }
}

// ---- bodies

static bool add_bodies(making *w, cn_body_list *list, cn_place at)
{
    for (int k = 0; k < w->count; k++) {
        made *b = &w->block[k];
        bool is_held = b->is_support && !w->e->has_fixed;
        cn_local local = {.pose = CN_POSE_NONE,
                          .index = {1, k + 1},
                          .fixed = is_held ? CN_FIXED_ALL : 0u,
                          .is_support = b->is_support,
                          .label = w->label[k]};
        for (int n = 0; n < 3 * b->point_count; n++) {
            local.pose.at[n % 3] += b->point[n] / b->point_count;
        }
        for (int n = 0; n < 3 * b->point_count; n++) {
            b->point[n] -= local.pose.at[n % 3];
        }
        const double *point = b->point;
        for (int n = 0; n < b->part_count; n++) {
            b->solid[n].point = point;
            point += 3 * (size_t)b->solid[n].point_count;
        }
        const cn_parts parts = {.count = b->part_count, .solid = b->solid};
        if (!cn_bodies_append(w->e, list, at, &parts, &local)) {
            return false;
        }
    }
    return true;
}

// Nothing else is there to stand on.
static bool is_unsupported(const making *w)
{
    bool is_held = w->e->has_fixed || cn_value_get(w->e->m->root, "bodies")->count > 1;
    for (int k = 0; k < w->count; k++) {
        is_held = is_held || w->block[k].is_support;
    }
    return !is_held;
}

static void tell(making *w, cn_place at, const cn_label_report *numbered)
{
    cn_report *report = w->e->m->reading.report;
    double size = w->sizes / w->count;
    if (is_unsupported(w)) {
        cn_remark(report, at, "nothing is fixed: name `supports`");
    }
    if (numbered->count > 0) {
        cn_remark(report, at,
                  "%d names of blocks occur before: they are numbered, the first is '%s'",
                  numbered->count, numbered->first);
    }
    if (w->renamed_count > 0) {
        cn_remark(report, at, "%d names are changed to what selectors can write, the first is '%s'",
                  w->renamed_count, w->renamed);
    }
    if (w->empty_count > 0) {
        cn_remark(report, at, "%d groups have no faces, the first is '%.60s'", w->empty_count,
                  w->empty != NULL ? w->empty : "");
    }
    if (w->turned_count > 0) {
        cn_remark(report, at, "faces of %d blocks looked inwards and are turned, the first is '%s'",
                  w->turned_count, w->turned);
    }
    if (w->cut_count > 0) {
        cn_remark(report, at,
                  "%d blocks that are not convex are cut into %d convex parts, the first is '%s'; "
                  "the volume of none changes by more than %.2g of it",
                  w->cut_count, w->part_count, w->cut, w->change_most);
    }
    if (w->bulged_count > 0) {
        cn_remark(report, at,
                  "%d blocks are taken as their hulls, the deepest reflex edge is %.2g m "
                  "('%s')",
                  w->bulged_count, w->bulge_most, w->bulged);
    }
    if (size < SIZE_LO || size > SIZE_HI) {
        cn_remark(report, at,
                  "these blocks measure %.3g m on average: is the unit of the file the metre? "
                  "`scale: 0.001` is for millimetres",
                  size);
    }
}

static bool set_note(making *w, const cn_block_files *files)
{
    cn_reading *r = &w->e->m->reading;
    int supports = 0;
    for (int k = 0; k < w->count; k++) {
        supports += w->block[k].is_support;
    }
    char more[32] = "";
    if (files->count > 1) {
        snprintf(more, sizeof more, " and %d more", files->count - 1);
    }
    w->e->note = cn_arena_print(r->arena, r->err,
                                "%d blocks of %.60s%s, %.4g x %.4g x %.4g m, %.6g m3, %d supports",
                                w->count, files->file[0].path, more, w->hi[0] - w->lo[0],
                                w->hi[1] - w->lo[1], w->hi[2] - w->lo[2], w->volume, supports);
    r->status = w->e->note == NULL ? CN_NO_MEMORY : r->status;
    return w->e->note != NULL;
}

// All blocks are known: names, supports, bodies.
static bool finish(making *w, cn_body_list *list, const cn_block_files *files, cn_place at)
{
    cn_label_report numbered;
    const cn_value *supports = cn_value_get(w->e->value, "supports");
    if (!cn_labels_number(&w->e->m->reading, w->label, w->count, w->label_most, &numbered)) {
        return false;
    }
    for (int k = 0; supports != NULL && k < supports->count; k++) {
        mark_support(w, supports->item[k]);
    }
    tell(w, at, &numbered);
    return !cn_bodies_fit(w->e, list, at, w->count) ||
           (set_note(w, files) && add_bodies(w, list, at));
}

static int word_of(const cn_value *map, const char *name, int fallback)
{
    const cn_value *word = cn_value_get(map, name);
    return word != NULL ? (int)word->number : fallback;
}

bool cn_bodies_from_blocks(cn_entry_making *e, cn_body_list *list, const cn_value *blocks)
{
    const cn_value *scale = cn_value_get(e->value, "scale");
    cn_block_files files = {0};
    making w = {.e = e,
                .split = (split_by)word_of(e->value, "split", SPLIT_AUTO),
                .concave = (concave)word_of(e->value, "concave", CONCAVE_CUT),
                .up = word_of(e->value, "up", 2),
                .scale = scale != NULL ? scale->number : 1.0,
                .label_most = CN_BODY_NAME_MAX - 2 - strlen(e->name),
                .lo = {INFINITY, INFINITY, INFINITY},
                .hi = {-INFINITY, -INFINITY, -INFINITY}};
    int before = e->m->reading.report->count;
    bool has_memory = cn_block_files_find(e->m, blocks, &files);
    w.file_count = files.count;
    for (int k = 0; k < files.count && has_memory; k++) {
        has_memory = add_file(&w, &files.file[k]);
    }
    if (has_memory && w.count > 0 && e->m->reading.report->count == before) {
        has_memory = finish(&w, list, &files, blocks->at);
    }
    CN_RELEASE(w.block, w.label, files.file);
    return has_memory;
}
