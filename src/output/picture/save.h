// output/picture/save.h -- pictures as PNG files.
#pragma once

#include "base/whole.h"
#include "output/picture/canvas.h"

cn_status cn_canvas_save(const cn_canvas *canvas, const char *path, cn_error *err);
