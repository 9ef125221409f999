// import/read_bodies.c -- BODIES.DAT: rigid bodies with their contactors, meshes with their sides.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "import/datbox.h"

enum { VERTEX_MAX = 1000000, LABELS = 2 }; // words before the numbers of a line: kind and number

typedef struct reading {
    cn_datbox *box;
    cn_dat d;
    cn_dat_body body;
    int dim;
    cn_status status;
    cn_error *err;
} reading;

static void complain_here(reading *r, const char *sentence)
{
    cn_complain(r->d.report, cn_dat_place(&r->d, 1), "%s", sentence);
}

static bool has_problems(const reading *r)
{
    return r->status != CN_OK || r->d.report->count > CN_REPORT_MAX;
}

// Numbers of the current line behind `skip` words.
static int numbers(reading *r, int skip, cn_dat_item *item)
{
    char word[CN_DAT_WORD];
    int at = 0;
    for (int k = 0; k < skip; k++) {
        cn_dat_word(&r->d, &at, word, NULL);
    }
    return cn_dat_items(&r->d, at, item, 0);
}

static void copy_values(const cn_dat_item *item, int count, int most, double *value)
{
    for (int k = 0; k < count && k < most; k++) {
        value[k] = item[k].value;
    }
}

// A line of data that belongs to the record before it.
static bool next_data(reading *r)
{
    return cn_dat_next(&r->d) && r->d.text[0] != '$' && !cn_dat_is_record(&r->d);
}

static void read_plain(reading *r)
{
    char material[CN_DAT_WORD];
    int behind = 0;
    cn_dat_item item[CN_DAT_ITEMS];
    if (!cn_dat_named(&r->d, "behav", material, &behind)) {
        complain_here(r, "a line of bulk needs 'behav' and the name of a bulk behaviour");
        cn_dat_next(&r->d);
        return;
    }
    cn_dat_name(r->body.material, material);
    double value[2] = {0.0, 0.0};
    copy_values(item, cn_dat_items(&r->d, behind, item, 0), 2, value);
    r->body.radius = value[0];
    r->body.gyration = value[1];
    if (next_data(r)) {
        copy_values(item, numbers(r, 0, item), 3, r->body.inertia);
        cn_dat_next(&r->d);
    }
    for (int k = 0; k < 3; k++) {
        if (r->body.radius < 0.0 || r->body.gyration < 0.0 || r->body.inertia[k] < 0.0) {
            cn_complain(r->d.report, r->body.at, "avrd, gyrd, I1, I2 and I3 must not be negative");
            return;
        }
    }
}

// The node lines of an element go on in the next lines while these hold only numbers; then come
// the model and the behaviour of each physics.
static bool read_element_nodes(reading *r, cn_dat_element *e)
{
    cn_dat_item item[CN_DAT_ITEMS];
    char word[CN_DAT_WORD];
    int at = 0;
    while (cn_dat_word(&r->d, &at, word, NULL) && strcmp(word, "nodes") != 0) {
    }
    do {
        int count = cn_dat_items(&r->d, at, item, 0);
        for (int k = 0; k < count; k++) {
            int node;
            if (e->node_count >= CN_DAT_NODE_MAX ||
                !cn_dat_whole(&r->d, &item[k], "a node", &node)) {
                return false;
            }
            e->node[e->node_count++] = node;
        }
        at = 0;
    } while (next_data(r) && strstr(r->d.text, "model") == NULL);
    return true;
}

static void read_element(reading *r, const char *kind)
{
    cn_dat_element e = {.at = cn_dat_place(&r->d, 1)};
    char word[CN_DAT_WORD];
    int behind;
    cn_dat_name(e.kind, kind);
    if (!read_element_nodes(r, &e)) {
        cn_dat_next(&r->d);
        return;
    }
    while (r->d.text != NULL && r->d.text[0] != '$' && !cn_dat_is_record(&r->d)) {
        if (e.model[0] == '\0' && cn_dat_named(&r->d, "model", word, &behind)) {
            cn_dat_name(e.model, word);
            if (cn_dat_named(&r->d, "behav", word, &behind)) {
                cn_dat_name(e.material, word);
            }
        }
        cn_dat_next(&r->d);
    }
    if (e.node_count == 0) {
        cn_complain(r->d.report, e.at, "an element without nodes");
        return;
    }
    CN_THEN(r->status, CN_DAT_ADD(r->box->element, e, r->err));
    r->body.element.count++;
}

static void read_bulk_lines(reading *r)
{
    cn_dat_next(&r->d);
    while (r->d.text != NULL && r->d.text[0] != '$' && !has_problems(r)) {
        char word[CN_DAT_WORD];
        int at = 0;
        cn_dat_word(&r->d, &at, word, NULL);
        if (!cn_dat_is_record(&r->d)) {
            cn_dat_next(&r->d); // unknown text
        } else if (r->body.kind == CN_DAT_MESH) {
            read_element(r, word);
        } else {
            read_plain(r);
        }
    }
}

static void read_mesh_node(reading *r)
{
    cn_dat_item item[CN_DAT_ITEMS];
    int count = numbers(r, LABELS, item);
    if (r->body.node.count == 0 && r->body.element.count > 0 && (count == 2 || count == 3)) {
        r->dim = count;
    }
    if (count != r->dim) {
        cn_complain(r->d.report, cn_dat_place(&r->d, 1),
                    "a node with %d coordinates in %d dimensions", count, r->dim);
    }
    for (int k = 0; k < 3 && !has_problems(r); k++) {
        CN_THEN(r->status, CN_DAT_ADD(r->box->node, k < count ? item[k].value : 0.0, r->err));
    }
    r->body.node.count++;
    cn_dat_next(&r->d);
}

static void read_node_lines(reading *r)
{
    cn_dat_next(&r->d);
    while (r->d.text != NULL && r->d.text[0] != '$' && !has_problems(r)) {
        if (!cn_dat_is_record(&r->d)) {
            cn_dat_next(&r->d); // coo4 to coo6, which are zero
        } else if (r->body.kind == CN_DAT_MESH) {
            read_mesh_node(r);
        } else {
            cn_dat_item item[CN_DAT_ITEMS];
            copy_values(item, numbers(r, LABELS, item), 3, r->body.place);
            cn_dat_next(&r->d);
        }
    }
}

// The lines of vertices of a polygon or polyhedron.
static bool read_vertices(reading *r, cn_dat_contactor *c, int count)
{
    cn_dat_item item[CN_DAT_ITEMS];
    int dim = r->dim;
    c->vertex = (cn_dat_range){(int)r->box->vertex.count / 3, count};
    for (int k = 0; k < count; k++) {
        if (!next_data(r) || numbers(r, 0, item) != dim) {
            cn_complain(r->d.report, r->d.text != NULL ? cn_dat_place(&r->d, 1) : c->at,
                        "vertex %d of %d of this %s needs %d coordinates", k + 1, count, c->kind,
                        dim);
            return false;
        }
        for (int n = 0; n < 3; n++) {
            double x = n < dim ? item[n].value : 0.0;
            CN_THEN(r->status, CN_DAT_ADD(r->box->vertex, x, r->err));
        }
    }
    return r->status == CN_OK;
}

static bool read_triangles(reading *r, cn_dat_contactor *c, int count)
{
    cn_dat_item item[CN_DAT_ITEMS];
    c->triangle = (cn_dat_range){(int)r->box->triangle.count / 3, count};
    for (int k = 0; k < count; k++) {
        int corner[3];
        if (!next_data(r) || numbers(r, 0, item) != 3) {
            cn_complain(r->d.report, r->d.text != NULL ? cn_dat_place(&r->d, 1) : c->at,
                        "face %d of %d of this %s needs 3 vertices", k + 1, count, c->kind);
            return false;
        }
        for (int n = 0; n < 3; n++) {
            if (!cn_dat_whole(&r->d, &item[n], "a vertex of a face", &corner[n])) {
                return false;
            }
            if (corner[n] < 1 || corner[n] > c->vertex.count) {
                cn_complain(r->d.report, cn_dat_place(&r->d, item[n].column),
                            "there is no vertex %d: this %s has %d", corner[n], c->kind,
                            c->vertex.count);
                return false;
            }
            CN_THEN(r->status, CN_DAT_ADD(r->box->triangle, corner[n] - 1, r->err));
        }
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
            cn_complain(r->d.report, cn_dat_place(&r->d, item[0].column),
                        "a face has three different vertices");
            return false;
        }
    }
    return r->status == CN_OK;
}

// "nb_vertex=  8      nb_faces= 12" and what follows.
static void read_corners(reading *r, cn_dat_contactor *c, const cn_dat_item *item, int count)
{
    bool is_solid = r->dim == 3;
    int vertices = 0, faces = 0;
    if (count < (is_solid ? 2 : 1)) {
        cn_complain(r->d.report, c->at, "this %s needs %s", c->kind,
                    is_solid ? "nb_vertex and nb_faces" : "nb_vertex");
        return;
    }
    if (!cn_dat_whole(&r->d, &item[0], "nb_vertex", &vertices) ||
        (is_solid && !cn_dat_whole(&r->d, &item[1], "nb_faces", &faces))) {
        return;
    }
    if (vertices < r->dim + 1 || vertices > VERTEX_MAX || faces < (is_solid ? 4 : 0) ||
        faces > VERTEX_MAX) {
        cn_complain(r->d.report, c->at, "%s with %d vertices and %d faces", c->kind, vertices,
                    faces);
        return;
    }
    if (read_vertices(r, c, vertices) && is_solid) {
        read_triangles(r, c, faces);
    }
}

// An optional "localframe" with three axes, and an optional shift.
static void read_frame(reading *r, cn_dat_contactor *c)
{
    cn_dat_item item[CN_DAT_ITEMS];
    char word[CN_DAT_WORD];
    int at = 0;
    cn_dat_word(&r->d, &at, word, NULL);
    if (strncmp(word, "localframe", 10) == 0) {
        c->is_turned = true;
        for (int k = 0; k < 3; k++) {
            if (!next_data(r) || numbers(r, 0, item) != 3) {
                cn_complain(r->d.report, c->at, "the local frame of this %s needs 3 axes", c->kind);
                return;
            }
            for (int n = 0; n < 3; n++) {
                c->axes[3 * n + k] = item[n].value;
            }
        }
        if (!next_data(r)) {
            return;
        }
    }
    copy_values(item, numbers(r, 0, item), 3, c->shift);
    cn_dat_next(&r->d);
}

static bool is_any(const char *word, const char *const *list)
{
    for (int k = 0; list[k] != NULL; k++) {
        if (strcmp(word, list[k]) == 0) {
            return true;
        }
    }
    return false;
}

// The numbers of a contactor of a rigid body; leaves the line behind it.
static void read_rigid(reading *r, cn_dat_contactor *c, const cn_dat_item *item, int count)
{
    static const char *const corners[] = {"POLYG", "POLYR", "POLYF", NULL};
    static const char *const points[] = {"PT2Dx", "PT3Dx", NULL};
    if (is_any(c->kind, corners)) {
        read_corners(r, c, item, count);
        if (!has_problems(r)) {
            cn_dat_next(&r->d);
        }
        return;
    }
    copy_values(item, count, 3, is_any(c->kind, points) ? c->shift : c->size);
    if (next_data(r)) {
        read_frame(r, c);
    }
    while (r->d.text != NULL && r->d.text[0] != '$' && !cn_dat_is_record(&r->d)) {
        cn_dat_next(&r->d); // nothing that we know of
    }
}

static void add_facet(reading *r, const cn_dat_item *item, int count)
{
    cn_dat_facet f = {0};
    for (int k = 0; k < count && f.count < 4 && strncmp(item[k].label, "nod", 3) == 0; k++) {
        if (!cn_dat_whole(&r->d, &item[k], "a node", &f.node[f.count++])) {
            return;
        }
    }
    CN_THEN(r->status, CN_DAT_ADD(r->box->facet, f, r->err));
}

// A side of a mesh: its first facet, and those of the lines that begin with '+'.
static void read_side(reading *r, cn_dat_contactor *c, const cn_dat_item *item, int count)
{
    cn_dat_item more[CN_DAT_ITEMS];
    c->facet = (cn_dat_range){(int)r->box->facet.count, 0};
    add_facet(r, item, count);
    c->facet.count++;
    while (cn_dat_next(&r->d) && r->d.text[0] != '$' && !has_problems(r)) {
        char word[CN_DAT_WORD];
        int behind;
        if (cn_dat_is_record(&r->d) && r->d.text[0] != '+') {
            return;
        }
        if (r->d.text[0] == '+' && cn_dat_named(&r->d, "color", word, &behind)) {
            add_facet(r, more, cn_dat_items(&r->d, behind, more, 0));
            c->facet.count++;
        }
    }
}

static void read_contactor(reading *r)
{
    cn_dat_item item[CN_DAT_ITEMS];
    cn_dat_contactor c = {.at = cn_dat_place(&r->d, 1), .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    char word[CN_DAT_WORD];
    int at = 0, column, behind = 0;
    cn_dat_word(&r->d, &at, word, &column);
    cn_dat_name(c.kind, word);
    c.at.column = column;
    if (!cn_dat_named(&r->d, "color", word, &behind)) {
        complain_here(r, "a contactor needs 'color' and its colour");
        cn_dat_next(&r->d);
        return;
    }
    cn_dat_name(c.colour, word);
    int count = cn_dat_items(&r->d, behind, item, 0);
    if (r->body.kind == CN_DAT_MESH) {
        read_side(r, &c, item, count);
    } else {
        read_rigid(r, &c, item, count);
    }
    CN_THEN(r->status, CN_DAT_ADD(r->box->contactor, c, r->err));
    r->body.contactor.count++;
}

static void read_contactors(reading *r)
{
    cn_dat_next(&r->d);
    while (r->d.text != NULL && r->d.text[0] != '$' && !has_problems(r)) {
        if (cn_dat_is_record(&r->d)) {
            read_contactor(r);
        } else {
            cn_dat_next(&r->d);
        }
    }
}

// The line after $bdyty. The number behind the kind is not used: order counts.
static bool begin_body(reading *r)
{
    char word[CN_DAT_WORD];
    int at = 0, column = 1;
    cn_datbox *box = r->box;
    r->body = (cn_dat_body){.contactor = {(int)box->contactor.count, 0},
                            .element = {(int)box->element.count, 0},
                            .node = {(int)box->node.count / 3, 0}};
    if (!cn_dat_next(&r->d) || !cn_dat_word(&r->d, &at, word, &column) ||
        !cn_dat_body_kind(word, &r->body.kind)) {
        cn_complain(r->d.report, cn_dat_place(&r->d, column),
                    "after $bdyty comes RBDY2, RBDY3 or MAILx");
        return false;
    }
    r->body.at = cn_dat_place(&r->d, column);
    r->body.number = ++box->count_of[r->body.kind];
    r->dim = r->body.kind == CN_DAT_RIGID2 ? 2 : 3;
    return true;
}

// A file that is cut within its last body is not taken for a shorter one.
static void end_body(reading *r, bool is_ended)
{
    const cn_source *source = r->d.source;
    bool is_whole = source->length > 0 && source->text[source->length - 1] == '\n';
    bool is_mesh = r->body.kind == CN_DAT_MESH;
    if (is_mesh ? r->body.element.count == 0 : r->body.contactor.count == 0) {
        cn_complain(r->d.report, r->body.at, "this body has no %s",
                    is_mesh ? "element" : "contactor");
    } else if (!is_ended && !is_whole) {
        cn_complain(r->d.report, r->body.at,
                    "the file ends within this body: it is cut, $$$$$$ is missing");
    } else if (!is_ended && r->d.text == NULL) {
        cn_remark(r->d.report, r->body.at, "$$$$$$ is missing at the end of this body");
    }
    CN_THEN(r->status, CN_DAT_ADD(r->box->body, r->body, r->err));
}

static void read_body(reading *r)
{
    if (!begin_body(r)) {
        return;
    }
    cn_dat_next(&r->d);
    while (r->d.text != NULL && !has_problems(r)) {
        if (cn_dat_is(&r->d, "$$$$$$") || cn_dat_is(&r->d, "$bdyty")) {
            break;
        }
        if (cn_dat_is(&r->d, "$blmty")) {
            read_bulk_lines(r);
        } else if (cn_dat_is(&r->d, "$nodty")) {
            read_node_lines(r);
        } else if (cn_dat_is(&r->d, "$tacty")) {
            read_contactors(r);
        } else {
            cn_dat_next(&r->d);
        }
    }
    if (!has_problems(r)) {
        end_body(r, cn_dat_is(&r->d, "$"));
    }
}

cn_status cn_read_bodies(cn_datbox *box, const cn_source *source, cn_error *err)
{
    reading r = {.box = box, .d = cn_dat_begin(source, box->report), .err = err};
    cn_dat_next(&r.d);
    while (r.d.text != NULL && !has_problems(&r)) {
        if (cn_dat_is(&r.d, "$bdyty")) {
            read_body(&r);
        } else {
            cn_dat_next(&r.d);
        }
    }
    if (box->body.count == 0 && box->report->count == 0) {
        cn_complain(box->report, (cn_place){source, 0, 0}, "the file has no body");
    }
    return r.status;
}
