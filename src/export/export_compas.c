// export/export_compas.c -- one frame in space as an assembly of COMPAS: blocks with names and
// supports, and interfaces with the forces at their corners.
//
// The layout is that of compas_assembly 2: a graph whose nodes have blocks and whose edges have
// lists of interfaces. It has no unit; numbers here are m and N. Bodies of several convex parts are
// one mesh of as many closed surfaces.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/patch.h"
#include "cairn/vec.h"
#include "export/export.h"
#include "export/polygons.h"

typedef struct assembly {
    cn_reader *reader;
    const cn_frame *f;
    cn_out *out;
    cn_polygons polygons;
    cn_patch_forces patches;
    int *order; // places in `polygons`: of the contacts of a patch or the corners of a block
    double *angle;
} assembly;

static void print_text(cn_out *out, const char *text)
{
    cn_out_print(out, "\"");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\') {
            cn_out_print(out, "\\%c", c);
        } else if (c < ' ') {
            cn_out_print(out, "\\u%04x", c);
        } else {
            cn_out_bytes(out, at, 1);
        }
    }
    cn_out_print(out, "\"");
}

static void print_point(cn_out *out, const double x[3])
{
    cn_out_print(out, "[%.17g, %.17g, %.17g]", x[0], x[1], x[2]);
}

// ---- blocks

// The corner that has the same coordinates, bit for bit, among those of a block that were printed
// before; its own place if there is none.
static int same_corner(const assembly *s, int from, int k)
{
    const double *x = s->polygons.point + 3 * (size_t)k;
    for (int n = from; n < k; n++) {
        if (memcmp(s->polygons.point + 3 * (size_t)n, x, 3 * sizeof *x) == 0) {
            return n;
        }
    }
    return k;
}

// Vertices and faces of the polygons from `first` up to `last`.
static void print_mesh(const assembly *s, int first, int last)
{
    const cn_polygons *p = &s->polygons;
    int from = p->start[first], to = p->start[last], count = 0;
    cn_out_print(s->out, "\"vertex\": {");
    for (int k = from; k < to; k++) {
        int same = same_corner(s, from, k);
        s->order[k] = same < k ? s->order[same] : count;
        if (same == k) {
            const double *x = p->point + 3 * (size_t)k;
            cn_out_print(s->out, "%s\"%d\": {\"x\": %.17g, \"y\": %.17g, \"z\": %.17g}",
                         count > 0 ? ", " : "", count, x[0], x[1], x[2]);
            count++;
        }
    }
    cn_out_print(s->out, "}, \"face\": {");
    for (int n = first; n < last; n++) {
        cn_out_print(s->out, "%s\"%d\": [", n > first ? ", " : "", n - first);
        for (int k = p->start[n]; k < p->start[n + 1]; k++) {
            cn_out_print(s->out, "%s%d", k > p->start[n] ? ", " : "", s->order[k]);
        }
        cn_out_print(s->out, "]");
    }
    cn_out_print(s->out,
                 "}, \"facedata\": {}, \"edgedata\": {}, \"max_vertex\": %d, \"max_face\": %d",
                 count - 1, last - first - 1);
}

static void print_block(const assembly *s, int i, int first, int last)
{
    char made[40];
    const char *name = cn_reader_body_name(s->reader, s->f->id[i]);
    snprintf(made, sizeof made, "body_%llu", (unsigned long long)s->f->id[i]);
    cn_out_print(s->out,
                 "\"%d\": {\"is_support\": %s, \"block\": {\"dtype\": "
                 "\"compas_assembly.datastructures/Block\", \"name\": ",
                 i, s->f->fixed[i] == CN_FIXED_ALL ? "true" : "false");
    print_text(s->out, name != NULL ? name : made);
    cn_out_print(s->out, ", \"data\": {\"attributes\": {\"name\": ");
    print_text(s->out, name != NULL ? name : made);
    cn_out_print(s->out, "}, \"default_vertex_attributes\": {\"x\": 0.0, \"y\": 0.0, \"z\": 0.0}, "
                         "\"default_edge_attributes\": {}, \"default_face_attributes\": {}, ");
    print_mesh(s, first, last);
    cn_out_print(s->out, "}}}");
}

static void print_blocks(const assembly *s)
{
    const cn_polygons *p = &s->polygons;
    for (int n = 0, end; n < p->count; n = end) {
        for (end = n + 1; end < p->count && p->body[end] == p->body[n]; end++) {
        }
        cn_out_print(s->out, n > 0 ? ",\n" : "\n");
        print_block(s, p->body[n], n, end);
    }
}

// ---- interfaces

// The contacts of a patch in the order around its centre, so that they make a polygon.
static void sort_corners(assembly *s, const cn_patch_force *x, cn_vec3 along, cn_vec3 across)
{
    for (int k = 0; k < x->count; k++) {
        int a = s->patches.order[x->first + k], n = k;
        const double *at = s->f->contact[a].point;
        cn_vec3 arm = cn_v3(at[0] - x->centre[0], at[1] - x->centre[1], at[2] - x->centre[2]);
        double angle = atan2(cn_dot3(arm, across), cn_dot3(arm, along));
        for (; n > 0 && s->angle[n - 1] > angle; n--) {
            s->angle[n] = s->angle[n - 1];
            s->order[n] = s->order[n - 1];
        }
        s->angle[n] = angle;
        s->order[n] = a;
    }
}

// Forces at a corner: pressing, pulling, and along the two axes of the frame [N].
static void print_force(const assembly *s, const cn_contact *c, cn_vec3 normal, cn_vec3 along,
                        cn_vec3 across)
{
    double r[3], per_step = s->f->h > 0.0 ? 1.0 / s->f->h : 0.0;
    cn_contact_impulse(c, 3, r);
    cn_vec3 force = cn_v3(r[0] * per_step, r[1] * per_step, r[2] * per_step);
    double push = cn_dot3(force, normal);
    cn_out_print(s->out, "{\"c_np\": %.17g, \"c_nn\": %.17g, \"c_u\": %.17g, \"c_v\": %.17g}",
                 fmax(push, 0.0), fmax(-push, 0.0), cn_dot3(force, along), cn_dot3(force, across));
}

static void print_interface(assembly *s, const cn_patch_force *x)
{
    cn_vec3 normal = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 along = cn_v3(x->tangent[0][0], x->tangent[0][1], x->tangent[0][2]);
    cn_vec3 across = cn_cross3(normal, along); // the third axis of the frame is the normal
    sort_corners(s, x, along, across);
    cn_out_print(s->out,
                 "{\"dtype\": \"compas_assembly.datastructures/Interface\", \"data\": "
                 "{\"type\": \"face_face\", \"size\": %.17g, \"points\": [",
                 x->area);
    for (int k = 0; k < x->count; k++) {
        cn_out_print(s->out, k > 0 ? ", " : "");
        print_point(s->out, s->f->contact[s->order[k]].point);
    }
    cn_out_print(s->out,
                 "], \"frame\": {\"dtype\": \"compas.geometry/Frame\", \"data\": {\"point\": ");
    print_point(s->out, x->centre);
    cn_out_print(s->out,
                 ", \"xaxis\": [%.17g, %.17g, %.17g], \"yaxis\": [%.17g, %.17g, %.17g]}}, "
                 "\"forces\": [",
                 along.x, along.y, along.z, across.x, across.y, across.z);
    for (int k = 0; k < x->count; k++) {
        cn_out_print(s->out, k > 0 ? ", " : "");
        print_force(s, &s->f->contact[s->order[k]], normal, along, across);
    }
    cn_out_print(s->out, "], \"mesh\": null, \"viewmesh\": null, \"interaction\": null}}");
}

// Patches come in the order of their pairs: first those of one body, pair after pair.
static void print_edges(assembly *s)
{
    const cn_patch_forces *p = &s->patches;
    for (int n = 0; n < p->count; n++) {
        const cn_patch_force *x = &p->patch[n], *before = n > 0 ? x - 1 : NULL;
        bool is_new_body = before == NULL || before->i != x->i;
        bool is_new_pair = is_new_body || before->j != x->j;
        if (is_new_body) {
            cn_out_print(s->out, "%s\"%d\": {", before != NULL ? "]}},\n" : "\n", x->i);
        } else if (is_new_pair) {
            cn_out_print(s->out, "]}, ");
        } else {
            cn_out_print(s->out, ", ");
        }
        if (is_new_pair) {
            cn_out_print(s->out, "\"%d\": {\"interfaces\": [", x->j);
        }
        print_interface(s, x);
    }
    cn_out_print(s->out, p->count > 0 ? "]}}" : "");
}

// ---- the file

static void print_assembly(assembly *s)
{
    cn_out_print(s->out,
                 "{\"dtype\": \"compas_assembly.datastructures/Assembly\", \"data\": "
                 "{\"attributes\": {\"name\": \"Assembly\", \"time\": %.17g},\n"
                 "\"graph\": {\"dtype\": \"compas.datastructures/Graph\", \"data\": "
                 "{\"attributes\": {}, \"default_node_attributes\": {\"block\": null, "
                 "\"is_support\": false}, \"default_edge_attributes\": {\"interfaces\": "
                 "null},\n\"node\": {",
                 s->f->time);
    print_blocks(s);
    cn_out_print(s->out, "},\n\"edge\": {");
    print_edges(s);
    cn_out_print(s->out, "},\n\"max_node\": %d}}}}\n", s->f->body_count - 1);
}

static cn_status reserve(assembly *s, cn_error *err)
{
    size_t corners = (size_t)s->polygons.point_count, contacts = (size_t)s->f->contact_count;
    s->order = malloc(sizeof *s->order * (corners + contacts + 1));
    s->angle = malloc(sizeof *s->angle * (contacts + 1));
    return s->order != NULL && s->angle != NULL
               ? CN_OK
               : cn_fail(err, CN_NO_MEMORY, "no memory for an assembly of %d blocks",
                         s->f->body_count);
}

static cn_status check(const cn_frame *f, cn_error *err)
{
    if (f->dim != 3) {
        return cn_fail(err, CN_BAD_INPUT,
                       "COMPAS knows assemblies in space, this result is in the "
                       "plane: export obj or csv");
    }
    return f->mesh_count == 0 ? CN_OK
                              : cn_fail(err, CN_BAD_INPUT,
                                        "COMPAS knows rigid blocks, this result has %d deformable "
                                        "bodies: export paraview",
                                        f->mesh_count);
}

static cn_status write_compas(cn_reader *reader, const cn_export_def *def, cn_error *err)
{
    cn_frame f;
    cn_out out = {0};
    CN_TRY(cn_reader_frame(reader, def->frame, &f, err));
    CN_TRY(check(&f, err));
    assembly s = {.reader = reader, .f = &f, .out = &out};
    cn_status status = cn_polygons_make(reader, &f, true, &s.polygons, err);
    CN_THEN(status, cn_patch_forces_find(f.contact, f.contact_count, 3, &s.patches, err));
    CN_THEN(status, reserve(&s, err));
    CN_THEN(status, cn_out_folder(def->folder, err));
    CN_THEN(status, cn_out_open(def->folder, "assembly.json", &out, err));
    if (status == CN_OK) {
        print_assembly(&s);
        status = cn_out_close(&out, def->told, def->context, err);
    }
    CN_RELEASE(s.order, s.angle);
    cn_patch_forces_free(&s.patches);
    cn_polygons_free(&s.polygons);
    return status;
}

const cn_export_format cn_export_compas_format = {
    "compas", "blocks of one frame and forces of their joints as an assembly of COMPAS",
    write_compas};
