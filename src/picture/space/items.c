// picture/space/items.c -- parts and forces as items in the world, and a ball around them.
#include <math.h>

#include "picture/space/space_scene.h"

static bool is_finite(cn_vec3 a)
{
    return isfinite(a.x + a.y + a.z);
}

static cn_status add_item(cn_items *items, cn_item item, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &items->item, &items->item_room, (size_t)items->count + 1, err));
    items->item[items->count++] = item;
    return CN_OK;
}

static cn_vec3 place(const cn_space_part *part, cn_vec3 local)
{
    return cn_add3(part->at, cn_mat3_mul(&part->turn, local));
}

// Normal of a loop by the sum of its corners' cross products: robust when three are in line.
static cn_vec3 loop_normal(const cn_vec3 *vertex, int count)
{
    cn_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 1; k + 1 < count; k++) {
        cn_vec3 a = cn_sub3(vertex[k], vertex[0]), b = cn_sub3(vertex[k + 1], vertex[0]);
        sum = cn_add3(sum, cn_cross3(a, b));
    }
    double length = cn_norm3(sum);
    return length > 0.0 ? cn_mul3(1.0 / length, sum) : sum;
}

// How far the corners of a loop are from their middle.
static double loop_reach(const cn_vec3 *vertex, int count)
{
    cn_vec3 middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < count; k++) {
        middle = cn_add_mul3(middle, 1.0 / count, vertex[k]);
    }
    double reach = 0.0;
    for (int k = 0; k < count; k++) {
        reach = fmax(reach, cn_norm3(cn_sub3(vertex[k], middle)));
    }
    return reach;
}

// Makes an item of the `count` vertices behind the last face; those without area are dropped.
static cn_status close_face(cn_items *items, int index, int face, int count, bool is_open,
                            cn_error *err)
{
    size_t first = items->vertex_count;
    const cn_vec3 *vertex = items->vertex + first;
    cn_vec3 normal = loop_normal(vertex, count);
    if (!(cn_norm3(normal) > 0.5)) {
        return CN_OK;
    }
    items->vertex_count += (size_t)count;
    return add_item(items,
                    (cn_item){.kind = CN_ITEM_FACE,
                              .part = index,
                              .a = vertex[0],
                              .b = normal,
                              .radius = loop_reach(vertex, count),
                              .first = (int)first,
                              .count = count,
                              .face = face,
                              .is_open = is_open},
                    err);
}

// A convex piece of a face: its first corner and those from `from` to `to`.
static cn_status add_piece(const cn_space_part *part, int index, int face, int from, int to,
                           cn_items *items, cn_error *err)
{
    size_t first = items->vertex_count;
    int count = to - from + 2;
    const int *loop = part->faces->face_vertex + part->faces->face_start[face];
    CN_TRY(cn_reserve(NULL, &items->vertex, &items->vertex_room, first + (size_t)count, err));
    cn_vec3 *vertex = items->vertex + first;
    vertex[0] = place(part, part->faces->vertex[loop[0]]);
    for (int k = from; k <= to; k++) {
        vertex[1 + k - from] = place(part, part->faces->vertex[loop[k]]);
    }
    return close_face(items, index, face, count, part->faces->is_open, err);
}

static cn_status add_face(const cn_space_part *part, int index, int face, cn_items *items,
                          cn_error *err)
{
    const int *start = part->faces->face_start + face;
    int last = start[1] - start[0] - 1;
    for (int from = 1; from < last; from += CN_LOOP_MAX - 2) {
        int to = from + CN_LOOP_MAX - 2 < last ? from + CN_LOOP_MAX - 2 : last;
        CN_TRY(add_piece(part, index, face, from, to, items, err));
    }
    return CN_OK;
}

// Every edge of a closed hull is met twice, once in each direction; one of them is drawn.
static cn_status add_wires(const cn_space_part *part, int index, int face, cn_items *items,
                           cn_error *err)
{
    const cn_space_faces *faces = part->faces;
    int start = faces->face_start[face], end = faces->face_start[face + 1];
    for (int k = start; k < end; k++) {
        int i = faces->face_vertex[k], j = faces->face_vertex[k + 1 < end ? k + 1 : start];
        if (i < j || faces->is_open) {
            CN_TRY(add_item(items,
                            (cn_item){.kind = CN_ITEM_ROD,
                                      .part = index,
                                      .a = place(part, faces->vertex[i]),
                                      .b = place(part, faces->vertex[j]),
                                      .is_wire = true},
                            err));
        }
    }
    return CN_OK;
}

static cn_status add_hull(const cn_space_part *part, int index, cn_items *items, cn_error *err)
{
    for (int face = 0; part->faces != NULL && face < part->faces->face_count; face++) {
        CN_TRY(part->is_ghost ? add_wires(part, index, face, items, err)
                              : add_face(part, index, face, items, err));
    }
    return CN_OK;
}

static cn_status add_part(const cn_space_part *part, int index, cn_items *items, cn_error *err)
{
    cn_vec3 along = cn_mat3_mul(&part->turn, cn_v3(0.0, 0.0, 1.0));
    cn_vec3 half = cn_mul3(0.5 * part->length, along);
    switch (part->kind) {
    case CN_PART_BALL:
        return add_item(items,
                        (cn_item){.kind = CN_ITEM_BALL,
                                  .part = index,
                                  .a = part->at,
                                  .b = part->at,
                                  .radius = part->radius},
                        err);
    case CN_PART_ROD:
        return add_item(items,
                        (cn_item){.kind = CN_ITEM_ROD,
                                  .part = index,
                                  .a = cn_sub3(part->at, half),
                                  .b = cn_add3(part->at, half),
                                  .radius = part->radius},
                        err);
    case CN_PART_FACES:
        return add_hull(part, index, items, err);
    case CN_PART_GROUND:
        return add_item(
            items, (cn_item){.kind = CN_ITEM_PLANE, .part = index, .a = part->at, .b = along}, err);
    }
    return CN_OK;
}

static void grow(cn_box3 *box, cn_vec3 at, double reach)
{
    box->lo = cn_v3(fmin(box->lo.x, at.x - reach), fmin(box->lo.y, at.y - reach),
                    fmin(box->lo.z, at.z - reach));
    box->hi = cn_v3(fmax(box->hi.x, at.x + reach), fmax(box->hi.y, at.y + reach),
                    fmax(box->hi.z, at.z + reach));
}

void cn_items_reach(const cn_items *items, cn_reach_visit *visit, void *context)
{
    for (int k = 0; k < items->count; k++) {
        const cn_item *item = &items->item[k];
        bool is_round = item->kind == CN_ITEM_BALL || item->kind == CN_ITEM_ROD;
        if (is_round && !item->is_scenery) {
            visit(context, item->a, item->radius);
            visit(context, item->b, item->radius);
        }
        for (int n = 0; n < item->count && !item->is_scenery; n++) {
            visit(context, items->vertex[item->first + n], 0.0);
        }
    }
}

static void grow_box(void *context, cn_vec3 at, double reach)
{
    grow(context, at, reach);
}

typedef struct ball {
    cn_vec3 centre;
    double radius;
} ball;

static void grow_ball(void *context, cn_vec3 at, double reach)
{
    ball *b = context;
    b->radius = fmax(b->radius, cn_norm3(cn_sub3(at, b->centre)) + reach);
}

// Centred in the box of all finite items.
static void find_ball(cn_items *items)
{
    cn_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    cn_items_reach(items, grow_box, &box);
    items->box = box;
    if (!(box.lo.x <= box.hi.x)) { // planes only
        items->box = (cn_box3){{-1.0, -1.0, 0.0}, {1.0, 1.0, 1.0}};
    }
    ball b = {.centre = cn_mul3(0.5, cn_add3(items->box.lo, items->box.hi))};
    cn_items_reach(items, grow_ball, &b);
    items->centre = b.centre;
    items->radius = b.radius > 0.0 ? b.radius : 1.0;
}

static bool is_drawable(const cn_space_part *part)
{
    const cn_vec3 *row = part->turn.row;
    return is_finite(part->at) && is_finite(row[0]) && is_finite(row[1]) && is_finite(row[2]) &&
           isfinite(part->radius + part->length);
}

cn_status cn_items_from_parts(const cn_space_def *def, cn_items *items, cn_error *err)
{
    *items = (cn_items){0};
    for (int k = 0; k < def->part_count; k++) {
        cn_status status = CN_OK;
        int first = items->count;
        if (is_drawable(&def->part[k])) {
            status = add_part(&def->part[k], k, items, err);
        }
        for (int n = first; n < items->count; n++) {
            items->item[n].is_scenery = def->part[k].is_scenery;
        }
        if (status != CN_OK) {
            cn_items_free(items);
            return status;
        }
    }
    find_ball(items);
    return CN_OK;
}

static cn_status add_force(const cn_space_force *f, int index, cn_items *items, cn_error *err)
{
    bool is_good = is_finite(f->end[0]) && is_finite(f->end[1]) && isfinite(f->radius);
    cn_item item = {
        .kind = CN_ITEM_ROD, .part = index, .a = f->end[0], .b = f->end[1], .radius = f->radius};
    return is_good ? add_item(items, item, err) : CN_OK;
}

static cn_status add_film(const cn_space_film *f, int index, cn_items *items, cn_error *err)
{
    size_t first = items->vertex_count, count = (size_t)f->corner_count;
    CN_TRY(cn_reserve(NULL, &items->vertex, &items->vertex_room, first + count, err));
    for (size_t k = 0; k < count; k++) {
        items->vertex[first + k] = f->corner[k];
    }
    return close_face(items, index, 0, f->corner_count, true, err);
}

cn_status cn_items_from_forces(const cn_space_def *def, cn_items *items, cn_error *err)
{
    *items = (cn_items){0};
    cn_status status = CN_OK;
    for (int k = 0; k < def->force_count && status == CN_OK; k++) {
        status = add_force(&def->force[k], k, items, err);
    }
    for (int k = 0; k < def->film_count && status == CN_OK; k++) {
        status = add_film(&def->film[k], k, items, err);
    }
    if (status != CN_OK) {
        cn_items_free(items);
        return status;
    }
    find_ball(items);
    return CN_OK;
}

void cn_items_free(cn_items *items)
{
    CN_RELEASE(items->item, items->vertex);
    *items = (cn_items){0};
}
