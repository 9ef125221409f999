// picture/save.h -- pictures as PNG files.
#pragma once

#include "base/whole_file.h"
#include "picture/canvas.h"

cn_status cn_canvas_save(const cn_canvas *canvas, const char *path, cn_error *err);
