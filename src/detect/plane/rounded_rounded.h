// detect/plane/rounded_rounded.h -- rounded convex shapes, for the pairs that contain one.
#pragma once

#include "detect/plane/narrow_plane.h"
#include "detect/plane/rounded.h"

// Points of two hulls given relative to `origin`; `size` is that of the smaller shape.
int cn_convex_touch(const cn_rounded *a, const cn_rounded *b, cn_vec2 origin, double size,
                    double reach, cn_touch *touch);
