// geometry/space/solid_cylinder.c -- a round bar of `radius` and `length` along z, with flat ends.
#include "geometry/space/solid_kind.h"

static cn_status measure(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(cn_solid_check_length(def, "radius", def->radius, err));
    CN_TRY(cn_solid_check_length(def, "length", def->length, err));
    double r = def->radius, l = def->length;
    double volume = CN_PI * r * r * l, across = volume * (0.25 * r * r + l * l / 12.0);
    *found = (cn_solid_moments){.volume = volume,
                                .size = fmin(2.0 * r, l),
                                .inertia = {across, across, 0.5 * volume * r * r, 0.0, 0.0, 0.0}};
    return CN_OK;
}

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    (void)hooks, (void)err;
    cn_solid_place_round(def, way, 0.5 * def->length, solid);
    solid->size = fmin(solid->size, def->length);
    return CN_OK;
}

// A flat end has no curvature.
static double curvature(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    (void)point;
    return cn_posed3_is_end(p, outward) ? 0.0 : 1.0 / p->solid->radius;
}

static cn_status faces(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                       void *context, cn_error *err)
{
    cn_profile p = {0};
    cn_profile_add_tube(&p, def->radius, def->length, 3u, 0.0);
    return cn_profile_revolve(&p, fine->sides, visit, context, err);
}

const cn_solid_ops cn_solid_cylinder = {.name = "cylinder",
                                        .is_convex = true,
                                        .measure = measure,
                                        .place = place,
                                        .margin = cn_posed3_disk_margin,
                                        .curvature = curvature,
                                        .faces = faces};
