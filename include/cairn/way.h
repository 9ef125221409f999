/// cairn/way.h -- springs that can only push, over the way that a contact goes in a step, theory
/// 4.20 and 4.21.
///
/// The impulse is that of the mean force over the way from the gap at the start of the step to the
/// one at its end, so that what the spring takes from the motion is what it stores, also where the
/// contact closes or opens on the way. Where it does, the mean force is no line: laws take its
/// tangent at the gap where the last solve ended. For laws from outside, too: prepare makes the
/// core for the velocity before, refine for the one that was found.
#pragma once

#include <math.h>

#include "cairn/own_law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Depth at which a tangent is taken where the spring does not act, over the smaller body; and
/// slope of the flattest tangent, over the stiffness: steeper than the curve only where the force
/// is next to nothing, which the next solve finds [-].
#define CN_WAY_LEAST 1e-12
#define CN_WAY_FLAT 1e-6

typedef struct cn_way {
    double from, to; ///< gaps at the start and at the end of the step [m]
} cn_way;

/// Mean force over the way and how it changes with the gap at the end; the force itself at both
/// ends.
typedef struct cn_way_force {
    double mean, slope;        ///< [N], [N/m]
    double from, to, to_slope; ///< [N], [N], [N/m]
    double stiffness;          ///< of the spring [N/m]
} cn_way_force;

/// The way of a step that ends with the normal velocity u.
static inline cn_way cn_way_of(const cn_law_input *in, double u)
{
    cn_way way;
    way.from = cn_law_gap_start(in);
    way.to = way.from + in->h * ((1.0 - in->theta) * in->u_before[0] + in->theta * u);
    return way;
}

/// A way that begins where a spring, which acts from the gap -rest on, does not act yet ends where
/// it does: there its tangent is taken.
static inline void cn_way_end_in_contact(double size, double rest, cn_way *way)
{
    if (way->from + rest > 0.0) {
        way->to = fmin(way->to, -rest - CN_WAY_LEAST * size);
    }
}

static inline cn_way cn_way_tangent(const cn_law_input *in, double rest, double u)
{
    cn_way way = cn_way_of(in, u);
    cn_way_end_in_contact(in->size, rest, &way);
    return way;
}

static inline double cn_way_depth(double gap)
{
    return fmax(-gap, 0.0);
}

/// A linear spring (4.20) that acts from the gap -rest on.
static inline cn_way_force cn_way_linear(double stiffness, double rest, const cn_way *way)
{
    double a = cn_way_depth(way->from + rest), b = cn_way_depth(way->to + rest);
    double length = fabs(way->to - way->from);
    bool is_within = way->from + rest <= 0.0 && way->to + rest <= 0.0; // all the way
    cn_way_force force;
    force.from = stiffness * a;
    force.to = stiffness * b;
    force.to_slope = b > 0.0 ? -stiffness : 0.0;
    force.stiffness = stiffness;
    if (is_within || !(length > 0.0)) {
        force.mean = 0.5 * stiffness * (a + b);
        force.slope = 0.5 * force.to_slope;
    } else {
        double share = (a + b) / length; // of the way on which it acts; a or b is 0
        force.mean = 0.5 * stiffness * share * (a + b);
        force.slope =
            b > 0.0 ? -stiffness * share * (1.0 - 0.5 * share) : -0.5 * stiffness * share * share;
    }
    return force;
}

/// The same spring where it is taken to act all along the way: the line (4.19), whatever its end.
static inline cn_way_force cn_way_straight(double stiffness, const cn_way *way)
{
    cn_way_force force;
    force.from = -stiffness * way->from;
    force.to = -stiffness * way->to;
    force.mean = 0.5 * (force.from + force.to);
    force.to_slope = -stiffness;
    force.slope = -0.5 * stiffness;
    force.stiffness = stiffness;
    return force;
}

/// A dashpot beside it, on the depth: it does not act at a distance (4.22).
static inline void cn_way_damp(double eta, double h, const cn_way *way, cn_way_force *force)
{
    force->mean += eta / h * (cn_way_depth(way->to) - cn_way_depth(way->from));
    force->slope -= way->to < 0.0 ? eta / h : 0.0;
    force->stiffness += eta / h;
}

/// What it dissipates [J].
static inline double cn_way_viscous(double eta, double h, const cn_way *way)
{
    double deeper = cn_way_depth(way->to) - cn_way_depth(way->from);
    return eta / h * deeper * (way->from - way->to);
}

/// Compliance and shift of the force with the weights of the scheme (4.21), as a tangent at
/// way->to. `ahead` is the gap at the end less theta h u.
static inline void cn_way_line(double h, double theta, double ahead, const cn_way *way,
                               const cn_way_force *f, double *compliance, double *shift)
{
    double force = f->mean + (theta - 0.5) * (f->to - f->from);
    double slope = f->slope + (theta - 0.5) * f->to_slope;
    slope = fmin(slope, -CN_WAY_FLAT * f->stiffness);
    *compliance = -1.0 / (slope * theta * h * h);
    *shift = (force / slope + ahead - way->to) / (theta * h);
}

/// The same as the normal row of a core.
static inline void cn_way_core(const cn_law_input *in, const cn_way *way, const cn_way_force *f,
                               cn_core *core)
{
    double ahead = way->from + (1.0 - in->theta) * in->h * in->u_before[0];
    core->kind = CN_CORE_CONE;
    cn_way_line(in->h, in->theta, ahead, way, f, &core->c[0], &core->b[0]);
}

#ifdef __cplusplus
}
#endif
