// geometry/space/solid_sphere.c -- all points within `radius` of the origin.
#include "geometry/space/solid_kind.h"

static cn_status measure(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(cn_solid_check_length(def, "radius", def->radius, err));
    double r = def->radius, volume = 4.0 / 3.0 * CN_PI * r * r * r, i = 0.4 * volume * r * r;
    *found =
        (cn_solid_moments){.volume = volume, .size = 2.0 * r, .inertia = {i, i, i, 0.0, 0.0, 0.0}};
    return CN_OK;
}

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    (void)hooks, (void)err;
    cn_solid_place_round(def, way, 0.0, solid);
    return CN_OK;
}

static double lever(const cn_solid *solid)
{
    return cn_norm3(solid->middle);
}

static cn_status faces(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                       void *context, cn_error *err)
{
    cn_profile p = {0};
    cn_profile_add_capsule(&p, def->radius, 0.0, fine->rings);
    return cn_profile_revolve(&p, fine->sides, visit, context, err);
}

const cn_solid_ops cn_solid_sphere = {.name = "sphere",
                                      .end_count = 1,
                                      .is_convex = true,
                                      .measure = measure,
                                      .place = place,
                                      .lever = lever,
                                      .faces = faces};
