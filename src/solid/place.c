// solid/place.c -- solids in the principal frame of their body, and their boxes in the world.
#include "solid/parts.h"

// The way from the frame of a solid to the principal frame of its body.
typedef struct way {
    cn_mat3 turn, principal;
    cn_vec3 at; // relative to the mass centre, axes of the body
} way;

static cn_vec3 turn_to(const way *w, cn_vec3 local)
{
    return cn_mat3_mul(&w->principal, cn_mat3_mul(&w->turn, local));
}

static cn_vec3 move_to(const way *w, cn_vec3 local)
{
    return cn_mat3_mul(&w->principal, cn_add3(w->at, cn_mat3_mul(&w->turn, local)));
}

static cn_status place_hull(const cn_solid_def *def, const way *w, const cn_hooks *hooks,
                            cn_solid *solid, cn_error *err)
{
    cn_hull *hull = NULL;
    CN_TRY(cn_hull_create(hooks, def->point, def->point_count, &hull, err));
    double farthest = 0.0;
    for (int k = 0; k < hull->vertex_count; k++) {
        hull->vertex[k] = move_to(w, hull->vertex[k]);
        farthest = fmax(farthest, cn_norm3(hull->vertex[k]));
    }
    cn_hull_planes(hull);
    solid->hull = hull;
    solid->reach = farthest;
    solid->size = cn_hull_width(hull);
    return CN_OK;
}

static void place_round(const cn_solid_def *def, const way *w, double half_length, cn_solid *solid)
{
    solid->radius = def->radius;
    solid->end[0] = move_to(w, cn_v3(0.0, 0.0, -half_length));
    solid->end[1] = move_to(w, cn_v3(0.0, 0.0, half_length));
    solid->reach = fmax(cn_norm3(solid->end[0]), cn_norm3(solid->end[1])) + def->radius;
    solid->size = 2.0 * def->radius;
}

static void place_half_space(const way *w, cn_solid *solid)
{
    solid->end[0] = solid->end[1] = move_to(w, cn_v3(0.0, 0.0, 0.0));
    solid->reach = solid->size = INFINITY;
}

cn_status cn_solid_place(const cn_solid_def *def, cn_vec3 centre, const cn_mat3 *B,
                         const cn_hooks *hooks, cn_solid *solid, cn_error *err)
{
    way w = {.turn = cn_solid_turn(def), .principal = *B};
    w.at = cn_sub3(cn_v3(def->at[0], def->at[1], def->at[2]), centre);
    cn_solid placed = {.kind = def->kind, .body = solid->body};
    placed.axis = turn_to(&w, cn_v3(0.0, 0.0, 1.0));
    switch (def->kind) {
    case CN_SOLID_HULL:
        CN_TRY(place_hull(def, &w, hooks, &placed, err));
        break;
    case CN_SOLID_HALF_SPACE:
        place_half_space(&w, &placed);
        break;
    default:
        place_round(def, &w, def->kind == CN_SOLID_CAPSULE ? 0.5 * def->length : 0.0, &placed);
        break;
    }
    *solid = placed;
    return CN_OK;
}

void cn_solid_free(const cn_hooks *hooks, cn_solid *solid)
{
    cn_hull_destroy(hooks, solid->hull);
    solid->hull = NULL;
}

static void widen(cn_box3 *box, cn_vec3 v)
{
    box->lo = cn_v3(v.x < box->lo.x ? v.x : box->lo.x, v.y < box->lo.y ? v.y : box->lo.y,
                    v.z < box->lo.z ? v.z : box->lo.z);
    box->hi = cn_v3(v.x > box->hi.x ? v.x : box->hi.x, v.y > box->hi.y ? v.y : box->hi.y,
                    v.z > box->hi.z ? v.z : box->hi.z);
}

cn_box3 cn_posed3_box(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    if (s->kind == CN_SOLID_HALF_SPACE) {
        return (cn_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    }
    int count = s->hull != NULL ? s->hull->vertex_count : 2;
    const cn_vec3 *vertex = s->hull != NULL ? s->hull->vertex : s->end;
    cn_vec3 first = cn_posed3_point(p, vertex[0]);
    cn_box3 box = {first, first};
    for (int k = 1; k < count; k++) {
        widen(&box, cn_posed3_point(p, vertex[k]));
    }
    cn_vec3 margin = cn_v3(s->radius, s->radius, s->radius);
    return (cn_box3){cn_sub3(box.lo, margin), cn_add3(box.hi, margin)};
}
