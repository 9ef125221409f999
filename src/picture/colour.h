// picture/colour.h -- colours of pictures: quiet palettes and one scale for fields.
#pragma once

// sRGB components and opacity, each in 0 .. 1.
typedef struct cn_colour {
    float r, g, b, a;
} cn_colour;

// From 0xRRGGBB, opaque.
cn_colour cn_colour_hex(unsigned hex);

// (1 - t) a + t b, component by component.
cn_colour cn_colour_mix(cn_colour a, cn_colour b, double t);

// Same colour, other opacity.
cn_colour cn_colour_fade(cn_colour c, double opacity);

// Quiet fills for groups and stronger strokes for curves; both repeat after CN_PALETTE_COUNT
// entries and differ in lightness as well as hue, so that they survive colour blindness and grey
// printing.
enum { CN_PALETTE_COUNT = 8 };
cn_colour cn_palette_fill(int k);
cn_colour cn_palette_stroke(int k);

// Common tones.
cn_colour cn_tone_paper(void); // background
cn_colour cn_tone_ink(void);   // text, axes
cn_colour cn_tone_faint(void); // secondary text
cn_colour cn_tone_steel(void); // joints
cn_colour cn_tone_rule(void);  // grid lines
cn_colour cn_tone_alarm(void); // what must be seen: sliding, warnings

// Colour of a field value t in 0 .. 1, pale for small and dark for large: lightness falls linearly
// and equal steps of t are equal steps in the OKLab colour space. Runs from yellow to blue, the
// axis that red-green colour blindness leaves intact. NaN gives grey.
typedef struct cn_scale {
    cn_colour entry[256];
} cn_scale;
void cn_scale_fill(cn_scale *scale);
cn_colour cn_scale_at(const cn_scale *scale, double t);

// OKLab coordinates (lightness, green-red, blue-yellow) of an sRGB colour.
void cn_colour_to_lab(cn_colour c, double lab[3]);
