// geometry/space/solid_hull.c -- convex polyhedra, and boxes, which become polyhedra in the world.
//
// A polyhedron is a sum of tetrahedra, one per triangle of each face, whose common corner is first
// a vertex (volume, centre) and then the centre (inertia), so that a polyhedron drawn far from the
// origin keeps its digits.
#include "geometry/space/solid_kind.h"

typedef void add_triangle(cn_vec3 a, cn_vec3 b, cn_vec3 c, cn_solid_moments *sum);

// Calls add with every triangle of the surface, relative to `origin`.
static void for_triangles(const cn_hull *hull, cn_vec3 origin, add_triangle *add,
                          cn_solid_moments *sum)
{
    for (int f = 0; f < hull->face_count; f++) {
        int start = hull->face_start[f], end = hull->face_start[f + 1];
        cn_vec3 a = cn_sub3(hull->vertex[hull->face_vertex[start]], origin);
        for (int k = start + 1; k + 1 < end; k++) {
            cn_vec3 b = cn_sub3(hull->vertex[hull->face_vertex[k]], origin);
            cn_vec3 c = cn_sub3(hull->vertex[hull->face_vertex[k + 1]], origin);
            add(a, b, c, sum);
        }
    }
}

int cn_hull_climb(const cn_hull *hull, cn_vec3 direction, int at)
{
    double height = cn_dot3(direction, hull->vertex[at]);
    for (int before = -1; before != at;) {
        before = at;
        for (int k = hull->neighbour_start[before]; k < hull->neighbour_start[before + 1]; k++) {
            double next = cn_dot3(direction, hull->vertex[hull->neighbour[k]]);
            if (next > height) {
                height = next;
                at = hull->neighbour[k];
            }
        }
    }
    return at;
}

double cn_hull_width(const cn_hull *hull)
{
    double least = INFINITY;
    int opposite = 0;
    for (int f = 0; f < hull->face_count; f++) {
        cn_vec3 n = hull->normal[f];
        opposite = cn_hull_climb(hull, cn_neg3(n), opposite);
        least = fmin(least, hull->offset[f] - cn_dot3(n, hull->vertex[opposite]));
    }
    return least;
}

static cn_status measure(const cn_solid_def *def, cn_solid_moments *sum, cn_error *err)
{
    cn_hull *hull = NULL;
    CN_TRY(cn_hull_create(NULL, def->point, def->point_count, &hull, err));
    cn_vec3 base = hull->vertex[0];
    *sum = (cn_solid_moments){.size = cn_hull_width(hull)};
    for_triangles(hull, base, cn_solid_add_volume, sum);
    sum->centre = cn_add_mul3(base, 1.0 / sum->volume, sum->centre);
    for_triangles(hull, sum->centre, cn_solid_add_inertia, sum);
    cn_hull_destroy(NULL, hull);
    return CN_OK;
}

static bool has_sharp_edge(const cn_hull *hull)
{
    double least = INFINITY;
    for (int e = 0; e < hull->edge_count; e++) {
        const int *face = hull->edge_face[e];
        least = fmin(least, cn_dot3(hull->normal[face[0]], hull->normal[face[1]]));
    }
    return least < -CN_SHARP;
}

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    cn_hull *hull = NULL;
    CN_TRY(cn_hull_create(hooks, def->point, def->point_count, &hull, err));
    double farthest = 0.0;
    cn_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < hull->vertex_count; k++) {
        hull->vertex[k] = cn_solid_moved(way, hull->vertex[k]);
        farthest = fmax(farthest, cn_norm3(hull->vertex[k]));
        sum = cn_add3(sum, hull->vertex[k]);
    }
    cn_hull_planes(hull);
    solid->hull = hull;
    solid->middle = cn_mul3(1.0 / hull->vertex_count, sum);
    solid->reach = farthest;
    solid->size = cn_hull_width(hull);
    solid->is_sharp = has_sharp_edge(hull);
    return CN_OK;
}

const cn_solid_ops cn_solid_hull = {.name = "polyhedron",
                                    .is_convex = true,
                                    .has_points = true,
                                    .measure = measure,
                                    .place = place};

static cn_solid_def hull_of_box(const cn_solid_def *box, double corner[24])
{
    cn_solid_def hull = *box;
    cn_box_corners(box->size[0], box->size[1], box->size[2], corner);
    hull.kind = CN_SOLID_HULL;
    hull.point_count = 8;
    hull.point = corner;
    return hull;
}

static cn_status measure_box(const cn_solid_def *def, cn_solid_moments *sum, cn_error *err)
{
    CN_TRY(cn_solid_check_sides(def, err));
    double corner[24];
    cn_solid_def hull = hull_of_box(def, corner);
    return measure(&hull, sum, err);
}

static cn_status place_box(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                           cn_solid *solid, cn_error *err)
{
    double corner[24];
    cn_solid_def hull = hull_of_box(def, corner);
    solid->kind = CN_SOLID_HULL;
    return place(&hull, way, hooks, solid, err);
}

const cn_solid_ops cn_solid_box = {.name = "box",
                                   .is_convex = true,
                                   .is_other_kind = true,
                                   .measure = measure_box,
                                   .place = place_box};
