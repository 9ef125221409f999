// geometry/space/solid_hollow.c -- containers: a hollow sphere, and a hollow cylinder along z with
// closed or open ends.
#include "geometry/space/solid_kind.h"

// Differences of powers of the two radii, without cancellation in thin walls.
static cn_status measure_sphere(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(cn_solid_check_length(def, "inner radius", def->radius, err));
    CN_TRY(cn_solid_check_length(def, "wall thickness", def->thickness, err));
    double r = def->radius, t = def->thickness;
    double cubes = t * (3.0 * r * (r + t) + t * t);
    double fifths =
        t * (5.0 * r * r * r * r + t * (10.0 * r * r * r + t * (10.0 * r * r + t * (5.0 * r + t))));
    double i = 8.0 / 15.0 * CN_PI * fifths;
    *found = (cn_solid_moments){
        .volume = 4.0 / 3.0 * CN_PI * cubes, .size = t, .inertia = {i, i, i, 0.0, 0.0, 0.0}};
    return CN_OK;
}

// A tube, and up to two disks of its outer radius at its ends.
static cn_status measure_cylinder(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(cn_solid_check_length(def, "inner radius", def->radius, err));
    CN_TRY(cn_solid_check_length(def, "inner length", def->length, err));
    CN_TRY(cn_solid_check_length(def, "wall thickness", def->thickness, err));
    double r = def->radius, l = def->length, t = def->thickness, outer = r + t;
    double squares = r * r + outer * outer, at = 0.5 * (l + t);
    double wall = CN_PI * t * (r + outer) * l, disk = CN_PI * outer * outer * t;
    double along = 0.5 * wall * squares, across = wall * (0.25 * squares + l * l / 12.0);
    double volume = wall, first = 0.0; // first: moment of volume along the axis
    for (int k = 0; k < 2; k++) {
        if (def->ends >> k & 1u) {
            volume += disk;
            first += k == 0 ? -disk * at : disk * at;
            along += 0.5 * disk * outer * outer;
            across += disk * (0.25 * outer * outer + t * t / 12.0 + at * at);
        }
    }
    double centre = first / volume;
    across -= volume * centre * centre;
    *found = (cn_solid_moments){.volume = volume,
                                .size = t,
                                .centre = {0.0, 0.0, centre},
                                .inertia = {across, across, along, 0.0, 0.0, 0.0}};
    return CN_OK;
}

static cn_status place_sphere(const cn_solid_def *def, const cn_solid_way *way,
                              const cn_hooks *hooks, cn_solid *solid, cn_error *err)
{
    (void)hooks, (void)err;
    cn_solid_place_hollow(def, way, 0.0, solid);
    return CN_OK;
}

static cn_status place_cylinder(const cn_solid_def *def, const cn_solid_way *way,
                                const cn_hooks *hooks, cn_solid *solid, cn_error *err)
{
    (void)hooks, (void)err;
    cn_solid_place_hollow(def, way, 0.5 * def->length, solid);
    return CN_OK;
}

// Ends of a cylinder are flat and its rims bend outwards: neither faces the axis.
static bool faces_inward(cn_vec3 outward, cn_vec3 inward)
{
    return cn_dot3(outward, inward) > 0.9 * cn_norm3(inward);
}

static bool sphere_surrounds(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    return faces_inward(outward, cn_sub3(cn_posed3_point(p, p->solid->middle), point));
}

static bool cylinder_surrounds(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    cn_vec3 inward = cn_sub3(cn_posed3_point(p, p->solid->middle), point);
    cn_vec3 u = cn_mat3_mul(&p->R, p->solid->axis);
    return faces_inward(outward, cn_add_mul3(inward, -cn_dot3(u, inward), u));
}

static double sphere_curvature(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    const cn_solid *s = p->solid;
    return sphere_surrounds(p, point, outward) ? -1.0 / s->radius
                                               : 1.0 / (s->radius + s->thickness);
}

static double cylinder_curvature(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    const cn_solid *s = p->solid;
    if (cn_posed3_is_end(p, outward)) {
        return 0.0;
    }
    return cylinder_surrounds(p, point, outward) ? -1.0 / s->radius
                                                 : 1.0 / (s->radius + s->thickness);
}

static double sphere_lever(const cn_solid *solid)
{
    return cn_norm3(solid->middle);
}

static cn_status sphere_faces(const cn_solid_def *def, const cn_fineness *fine,
                              cn_face_visit *visit, void *context, cn_error *err)
{
    cn_profile p = {0};
    if (!fine->is_inside_only) {
        cn_profile_add_capsule(&p, def->radius + def->thickness, 0.0, fine->rings);
    }
    int inner = p.count;
    cn_profile_add_capsule(&p, def->radius, 0.0, fine->rings);
    cn_profile_reverse(&p, inner);
    return cn_profile_revolve(&p, fine->sides, visit, context, err);
}

static cn_status cylinder_faces(const cn_solid_def *def, const cn_fineness *fine,
                                cn_face_visit *visit, void *context, cn_error *err)
{
    cn_profile p = {0};
    if (!fine->is_inside_only) {
        cn_profile_add_tube(&p, def->radius + def->thickness, def->length, def->ends,
                            def->thickness);
    }
    int start = p.count;
    cn_profile_add_tube(&p, def->radius, def->length, def->ends, 0.0);
    cn_profile_reverse(&p, start);
    p.is_closed = !fine->is_inside_only && (def->ends & 1u) == 0;
    return cn_profile_revolve(&p, fine->sides, visit, context, err);
}

const cn_solid_ops cn_solid_hollow_sphere = {.name = "hollow_sphere",
                                             .is_hollow = true,
                                             .measure = measure_sphere,
                                             .place = place_sphere,
                                             .surrounds = sphere_surrounds,
                                             .curvature = sphere_curvature,
                                             .lever = sphere_lever,
                                             .faces = sphere_faces};
const cn_solid_ops cn_solid_hollow_cylinder = {.name = "hollow_cylinder",
                                               .is_hollow = true,
                                               .measure = measure_cylinder,
                                               .place = place_cylinder,
                                               .margin = cn_posed3_disk_margin,
                                               .surrounds = cylinder_surrounds,
                                               .curvature = cylinder_curvature,
                                               .faces = cylinder_faces};
