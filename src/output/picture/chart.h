// output/picture/chart.h -- x-y charts against the drawing interface.
#pragma once

#include "cairn/picture.h"
#include "output/picture/draw.h"

enum { CN_CHART_WIDTH = 960, CN_CHART_HEIGHT = 540 };

// Draws the whole chart into CN_CHART_WIDTH x CN_CHART_HEIGHT.
void cn_chart_draw(const cn_chart_def *def, const cn_draw *draw);

// A table: one x column if all curves share their x, else one line "curve,x,y" per point.
void cn_chart_write_csv(const cn_chart_def *def, FILE *file);
