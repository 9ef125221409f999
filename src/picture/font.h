// picture/font.h -- a small stroke font for labels, ASCII 32 to 126.
//
// Letters are strokes of constant width with round ends. Up to 40 pixels their stems, baseline,
// x-height and capital height are moved onto pixel centres, so that small text is crisp.
// Text is UTF-8; accented Latin letters are drawn without accent, what is unknown as '?'.
#pragma once

#include "picture/canvas.h"

typedef enum cn_align { CN_ALIGN_LEFT = 0, CN_ALIGN_MIDDLE, CN_ALIGN_RIGHT } cn_align;

typedef struct cn_font {
    double size; // capitals are 0.7 of it [pixel]
    bool is_bold;
    cn_align align; // of the text about its anchor
} cn_font;

// Width of the text as drawn [pixel].
double cn_text_width(cn_font font, const char *text);

// The anchor (x, y) is on the baseline.
void cn_canvas_text(cn_canvas *canvas, double x, double y, cn_font font, cn_colour colour,
                    const char *text);

// Decodes one UTF-8 character; *at moves on. Bytes that are not UTF-8 give '?', 0 is the end.
unsigned cn_text_next(const char **at);
