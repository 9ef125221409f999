// geometry/space/solid_capsule.c -- all points within `radius` of a segment of `length` along z.
#include "geometry/space/solid_kind.h"

static cn_status measure(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(cn_solid_check_length(def, "radius", def->radius, err));
    CN_TRY(cn_solid_check_length(def, "length", def->length, err));
    double r = def->radius, l = def->length;
    double bar = CN_PI * r * r * l, ends = 4.0 / 3.0 * CN_PI * r * r * r;
    double along = bar * 0.5 * r * r + ends * 0.4 * r * r;
    // Two half-balls moved out by l/2; their centroids lie 3 r / 8 beyond.
    double across =
        bar * (l * l / 12.0 + 0.25 * r * r) + ends * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    *found = (cn_solid_moments){
        .volume = bar + ends, .size = 2.0 * r, .inertia = {across, across, along, 0.0, 0.0, 0.0}};
    return CN_OK;
}

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    (void)hooks, (void)err;
    cn_solid_place_round(def, way, 0.5 * def->length, solid);
    return CN_OK;
}

static cn_status faces(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                       void *context, cn_error *err)
{
    cn_profile p = {0};
    cn_profile_add_capsule(&p, def->radius, def->length, fine->rings);
    return cn_profile_revolve(&p, fine->sides, visit, context, err);
}

const cn_solid_ops cn_solid_capsule = {.name = "capsule",
                                       .end_count = 2,
                                       .is_convex = true,
                                       .measure = measure,
                                       .place = place,
                                       .faces = faces};
