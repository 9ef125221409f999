// geometry/space/solid_place.c -- solids in the principal frame of their body, and their boxes in
// the world.
#include "geometry/space/solid_parts.h"

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
    cn_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < hull->vertex_count; k++) {
        hull->vertex[k] = move_to(w, hull->vertex[k]);
        farthest = fmax(farthest, cn_norm3(hull->vertex[k]));
        sum = cn_add3(sum, hull->vertex[k]);
    }
    cn_hull_planes(hull);
    solid->hull = hull;
    solid->middle = cn_mul3(1.0 / hull->vertex_count, sum);
    solid->reach = farthest;
    solid->size = cn_hull_width(hull);
    return CN_OK;
}

static cn_status place_surface(const cn_solid_def *def, const way *w, const cn_hooks *hooks,
                               cn_solid *solid, cn_error *err)
{
    cn_vec3 *corner = NULL;
    CN_TRY(cn_array(hooks, &corner, def->point_count, err));
    double farthest = 0.0;
    for (int k = 0; k < def->point_count; k++) {
        const double *p = def->point + 3 * k;
        corner[k] = move_to(w, cn_v3(p[0], p[1], p[2]));
        farthest = fmax(farthest, cn_norm3(corner[k]));
    }
    solid->reach = farthest;
    solid->size = cn_surface_thickness(def);
    return cn_surface_solid_create(hooks, corner, def->point_count / 3, &solid->mesh, err);
}

static void place_round(const cn_solid_def *def, const way *w, double half_length, cn_solid *solid)
{
    solid->radius = def->radius;
    solid->end[0] = move_to(w, cn_v3(0.0, 0.0, -half_length));
    solid->end[1] = move_to(w, cn_v3(0.0, 0.0, half_length));
    solid->middle = cn_mul3(0.5, cn_add3(solid->end[0], solid->end[1]));
    solid->reach = fmax(cn_norm3(solid->end[0]), cn_norm3(solid->end[1])) + def->radius;
    solid->size = 2.0 * def->radius;
}

// What passes through the wall has gone past the wall: that is the size.
static void place_hollow(const cn_solid_def *def, const way *w, double half_length, cn_solid *solid)
{
    place_round(def, w, half_length, solid);
    solid->thickness = solid->size = def->thickness;
    solid->ends = def->ends;
    solid->reach += 2.0 * def->thickness; // a corner is at most sqrt(2) walls away
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
    placed.side = turn_to(&w, cn_v3(1.0, 0.0, 0.0));
    switch (def->kind) {
    case CN_SOLID_HULL:
        CN_TRY(place_hull(def, &w, hooks, &placed, err));
        break;
    case CN_SOLID_HALF_SPACE:
        place_half_space(&w, &placed);
        break;
    case CN_SOLID_SURFACE:
        CN_TRY(place_surface(def, &w, hooks, &placed, err));
        break;
    case CN_SOLID_CYLINDER:
        place_round(def, &w, 0.5 * def->length, &placed);
        placed.size = fmin(placed.size, def->length);
        break;
    case CN_SOLID_HOLLOW_SPHERE:
        place_hollow(def, &w, 0.0, &placed);
        break;
    case CN_SOLID_HOLLOW_CYLINDER:
        place_hollow(def, &w, 0.5 * def->length, &placed);
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
    cn_surface_solid_destroy(hooks, solid->mesh);
    solid->hull = NULL;
    solid->mesh = NULL;
}

static void widen(cn_box3 *box, cn_vec3 v)
{
    box->lo = cn_v3(v.x < box->lo.x ? v.x : box->lo.x, v.y < box->lo.y ? v.y : box->lo.y,
                    v.z < box->lo.z ? v.z : box->lo.z);
    box->hi = cn_v3(v.x > box->hi.x ? v.x : box->hi.x, v.y > box->hi.y ? v.y : box->hi.y,
                    v.z > box->hi.z ? v.z : box->hi.z);
}

// How far the solid reaches beyond its ends or vertices along the axes of the world.
static cn_vec3 margin_of(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    double round = s->radius + s->thickness;
    if (s->kind != CN_SOLID_HOLLOW_CYLINDER && s->kind != CN_SOLID_CYLINDER) {
        return cn_v3(round, round, round);
    }
    // A disk across u reaches sqrt(1 - u_x^2) of its radius along x.
    cn_vec3 u = cn_mat3_mul(&p->R, s->axis);
    return cn_v3(round * sqrt(fmax(0.0, 1.0 - u.x * u.x)) + s->thickness * fabs(u.x),
                 round * sqrt(fmax(0.0, 1.0 - u.y * u.y)) + s->thickness * fabs(u.y),
                 round * sqrt(fmax(0.0, 1.0 - u.z * u.z)) + s->thickness * fabs(u.z));
}

cn_box3 cn_posed3_box(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    if (s->kind == CN_SOLID_HALF_SPACE) {
        return (cn_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    }
    int count = 2;
    const cn_vec3 *vertex = s->end;
    if (s->hull != NULL || s->mesh != NULL) {
        count = s->hull != NULL ? s->hull->vertex_count : s->mesh->vertex_count;
        vertex = s->hull != NULL ? s->hull->vertex : s->mesh->vertex;
    }
    cn_vec3 first = cn_posed3_point(p, vertex[0]);
    cn_box3 box = {first, first};
    for (int k = 1; k < count; k++) {
        widen(&box, cn_posed3_point(p, vertex[k]));
    }
    cn_vec3 margin = margin_of(p);
    return (cn_box3){cn_sub3(box.lo, margin), cn_add3(box.hi, margin)};
}

bool cn_posed3_surrounds(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    const cn_solid *s = p->solid;
    if (!cn_solid_is_hollow(s)) {
        return false;
    }
    cn_vec3 inward = cn_sub3(cn_posed3_point(p, s->middle), point);
    if (s->kind == CN_SOLID_HOLLOW_CYLINDER) {
        cn_vec3 u = cn_mat3_mul(&p->R, s->axis);
        inward = cn_add_mul3(inward, -cn_dot3(u, inward), u);
    }
    // Ends of a cylinder are flat and its rims bend outwards: neither faces the axis.
    return cn_dot3(outward, inward) > 0.9 * cn_norm3(inward);
}
