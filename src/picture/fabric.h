// picture/fabric.h -- statistics of frames: contact forces, orientations, velocities.
//
// Each takes frames one after the other, so that several can be taken together and only one is in
// memory; then it is asked for its numbers. Counts do not depend on the order within a frame.
#pragma once

#include "cairn/picture.h"
#include "cairn/result.h"

// Growing list of numbers.
typedef struct cn_numbers {
    double *value;
    size_t count, capacity;
} cn_numbers;

// Normal forces over their mean in their own frame; only contacts that press and of which neither
// body is left out (NULL: none is).
cn_status cn_forces_take(cn_numbers *forces, const cn_frame *frame, const bool *is_left_out,
                         cn_error *err);

// Their distribution: `bins` of one width from 0 to the largest; density[k] at the middle x[k] of
// each; integrates to 1. Returns the rate b of the exponential exp(-b x) that fits the forces
// beyond the mean best (maximum likelihood): NaN if there are none.
double cn_forces_spread(const cn_numbers *forces, int bins, double *x, double *density);

// Orientations of contacts that press, taken as forces are. A normal counts on both sides, so that
// roses are symmetric. In the plane bin k is centred at the angle k 2 pi/sectors. In space a
// hemisphere has `rings` of equal area (the innermost around the vertical) cut into `sectors`, the
// first centred at +x.
typedef struct cn_rose {
    int dim, rings, sectors; // rings: 1 in the plane
    double *count, *force;   // rings x sectors: contacts, normal forces [N]
    double total, force_total;
    size_t count_room, force_room;
} cn_rose;

cn_status cn_rose_make(int dim, int rings, int sectors, cn_rose *rose, cn_error *err);
void cn_rose_free(cn_rose *rose);
void cn_rose_take(cn_rose *rose, const cn_frame *frame, const bool *is_left_out);

// Share of a bin over the one it would have if all directions were alike; of contacts or of force.
double cn_rose_density(const cn_rose *rose, int bin, bool is_force);

// Velocities of bodies in slices across an axis.
typedef struct cn_profile {
    int dim, axis, bins;
    double low, high;     // of the axis [m]
    double *mass, *speed; // per bin; per bin and component: sum of masses times velocities
    size_t mass_room, speed_room;
} cn_profile;

cn_status cn_profile_make(int dim, int axis, int bins, double low, double high, cn_profile *p,
                          cn_error *err);
void cn_profile_free(cn_profile *p);

// `mass`: of each body of the frame; those without are left out.
void cn_profile_take(cn_profile *p, const cn_frame *frame, const double *mass);

// Where body i stands along an axis, or how far it is from the z axis.
double cn_profile_place(const cn_frame *frame, int axis, int i);

// Middle of a bin, and the mean velocity there; NaN if it is empty.
double cn_profile_at(const cn_profile *p, int bin);
double cn_profile_mean(const cn_profile *p, int bin, int component);

// Force along an axis of contacts and joints on the bodies that are `of` a set, by the others [N].
double cn_reaction_of(const cn_frame *frame, const bool *of, int axis);
