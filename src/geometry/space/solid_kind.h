// geometry/space/solid_kind.h -- what each kind of solid offers. A new solid is a file that fills
// one of these and a line in table.c; how it touches others is a line in detect/space/table.c.
#pragma once

#include "geometry/space/round_faces.h"
#include "geometry/space/solid_parts.h"

// Mass properties per unit density, in the frame of the solid.
typedef struct cn_solid_moments {
    double volume, size; // [m3], smallest extent [m]
    cn_vec3 centre;      // [m]
    double inertia[6];   // about the centre: xx yy zz yz zx xy [m5]
} cn_solid_moments;

// The way from the frame of a solid to the principal frame of its body.
typedef struct cn_solid_way {
    cn_mat3 turn, principal;
    cn_vec3 at; // relative to the mass centre, axes of the body
} cn_solid_way;

typedef struct cn_solid_ops {
    const char *name;
    int end_count; // of `end` that are corners, rounded by `radius`: 1 of a sphere, 2 of a capsule
    bool is_unbounded, is_hollow, is_convex;
    bool has_points;    // its definition names them
    bool is_other_kind; // the world keeps it as one: a box is a hull

    // Checks the definition; mass properties. NULL: it has no mass.
    cn_status (*measure)(const cn_solid_def *def, cn_solid_moments *found, cn_error *err);
    // Fills the solid, whose kind, body, axis and side are set.
    cn_status (*place)(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err);
    // How far it reaches beyond its ends or vertices along the axes of the world [m]. NULL: by its
    // radius and thickness.
    cn_vec3 (*margin)(const cn_posed3 *p);
    // Whether it surrounds a point of its surface (6.6); hollow ones only.
    bool (*surrounds)(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward);
    // Curvature where its outward normal is that (the mean of the two), negative in a hollow one
    // [1/m]. NULL: 1/radius, 0 without radius.
    double (*curvature)(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward);
    // How far from the mass centre a turn moves its surface along the normal, at most [m]. NULL: as
    // far as it reaches.
    double (*lever)(const cn_solid *solid);
    // Visits its faces in its frame, for pictures and exports. NULL: hulls and planes.
    cn_status (*faces)(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                       void *context, cn_error *err);
    // For the judge of overlaps, which knows those without it by formulas of its own: how deep a
    // point is inside, negative outside, exactly [m]; the point farthest along n; the point of the
    // surface that stands for a direction, which moves by at most reach times its change.
    double (*depth)(const cn_solid_def *def, cn_vec3 local);
    cn_vec3 (*farthest)(const cn_solid_def *def, cn_vec3 n);
    cn_vec3 (*surface)(const cn_solid_def *def, cn_vec3 direction);
    // Points of it that show that it lies deep in a surface, with a ball around each.
    int sample_count;
    cn_vec3 (*sample)(const cn_solid *solid, int k, double *radius);
} cn_solid_ops;

CN_SHARED const cn_solid_ops *cn_solid_ops_of(cn_solid_kind kind);

// A length that must be finite and above zero.
cn_status cn_solid_check_length(const cn_solid_def *def, const char *what, double length,
                                cn_error *err);

cn_status cn_solid_check_sides(const cn_solid_def *def, cn_error *err);

cn_vec3 cn_solid_moved(const cn_solid_way *way, cn_vec3 local);

// Radius, ends, middle, reach and size of a round bar along z.
void cn_solid_place_round(const cn_solid_def *def, const cn_solid_way *way, double half_length,
                          cn_solid *solid);
// The same of a container.
void cn_solid_place_hollow(const cn_solid_def *def, const cn_solid_way *way, double half_length,
                           cn_solid *solid);

// Sums over the triangles of a closed surface, relative to a point: volume and centre, then, about
// the centre, inertia.
void cn_solid_add_volume(cn_vec3 a, cn_vec3 b, cn_vec3 c, cn_solid_moments *sum);
void cn_solid_add_inertia(cn_vec3 a, cn_vec3 b, cn_vec3 c, cn_solid_moments *sum);
