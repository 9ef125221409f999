// scene/check/warn.h -- what usually goes wrong with a scene that is well-formed.
#pragma once

#include "scene/model.h"

// Tells warnings, each with file, line, names and remedy, about a world at its start: gravity that
// points up, nothing that can move, steps too long for the bodies, drives that jump or stop dead,
// bodies that meet within the first step, masses far apart.
cn_status cn_scene_warn(const cn_scene *scene, cn_world *w, cn_tell *told, void *context,
                        cn_error *err);

// Rate of a displacement where it starts: a parabola through three moments of the first step.
double cn_drive_start_rate(const cn_function *f, double h);
