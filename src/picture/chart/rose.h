// picture/chart/rose.h -- orientations of contacts as a picture: petals in the plane, a shaded
// hemisphere in space.
#pragma once

#include "picture/fabric.h"

cn_status cn_rose_save(const cn_rose *rose, const char *title, const char *path, cn_error *err);
