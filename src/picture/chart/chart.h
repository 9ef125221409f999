// picture/chart/chart.h -- x-y charts against the drawing interface.
#pragma once

#include "cairn/picture.h"
#include "picture/draw.h"

enum { CN_CHART_WIDTH = 960, CN_CHART_HEIGHT = 540 };

// Draws the whole chart into its size.
void cn_chart_draw(const cn_chart_def *def, const cn_draw *draw);

// What a picture of numbers is made of: a drawing and a table.
typedef struct cn_sheet {
    int width, height; // 0: CN_CHART_WIDTH x CN_CHART_HEIGHT
    const char *title; // may be NULL
    const void *context;
    void (*draw)(const void *context, const cn_draw *draw);
    void (*table)(const void *context, FILE *file);
} cn_sheet;

// As SVG, PNG or CSV, by the ending of the path.
cn_status cn_sheet_save(const cn_sheet *sheet, const char *path, cn_error *err);

// A table: one x column if all curves share their x, else one line "curve,x,y" per point.
void cn_chart_write_csv(const cn_chart_def *def, FILE *file);
