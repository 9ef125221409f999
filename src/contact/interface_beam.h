// contact/interface_beam.h -- points of interfaces that transmit moments: beams between rigid
// bodies that touch in one point, as grains do.
#pragma once

#include "contact/interface_place.h"

// Makes a new point a beam: `tangent` is that of its seed.
void cn_interface_sow_beam(const cn_bodies *b, const int body[2], cn_vec3 tangent, double *state);

// Rotation of body i against body j since they were bonded, about both tangents of the material and
// the normal; in the plane about z.
void cn_interface_bend(const cn_bodies *b, cn_when when, const int body[2], const double *state,
                       double bend[3]);
