// picture/colour.c -- palettes, and a field scale drawn as a smooth curve through OKLab, the
// space in which equal distances look equally different (B. Ottosson, 2020).
#include "picture/colour.h"

#include <math.h>

cn_colour cn_colour_hex(unsigned hex)
{
    return (cn_colour){.r = (float)((hex >> 16) & 255u) / 255.0f,
                       .g = (float)((hex >> 8) & 255u) / 255.0f,
                       .b = (float)(hex & 255u) / 255.0f,
                       .a = 1.0f};
}

cn_colour cn_colour_mix(cn_colour a, cn_colour b, double t)
{
    float s = (float)t;
    return (cn_colour){a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b),
                       a.a + s * (b.a - a.a)};
}

cn_colour cn_colour_fade(cn_colour c, double opacity)
{
    c.a = (float)opacity;
    return c;
}

cn_colour cn_palette_fill(int k)
{
    static const unsigned fill[CN_PALETTE_COUNT] = {0x7fa8cc, 0xe8b76b, 0x6fb39a, 0xd98b70,
                                                    0xb9d9ea, 0xb490b8, 0xeadf95, 0x9c9388};
    return cn_colour_hex(fill[(unsigned)k % CN_PALETTE_COUNT]);
}

cn_colour cn_palette_stroke(int k)
{
    static const unsigned stroke[CN_PALETTE_COUNT] = {0x1b6ca8, 0xd2591e, 0x14967a, 0xb05f9c,
                                                      0xe0a021, 0x58b0e0, 0x6b5b4b, 0x8a9a2e};
    return cn_colour_hex(stroke[(unsigned)k % CN_PALETTE_COUNT]);
}

cn_colour cn_tone_paper(void)
{
    return cn_colour_hex(0xffffff);
}

cn_colour cn_tone_ink(void)
{
    return cn_colour_hex(0x22282f);
}

cn_colour cn_tone_steel(void)
{
    return cn_colour_hex(0x3a4450);
}

cn_colour cn_tone_faint(void)
{
    return cn_colour_hex(0x67717c);
}

cn_colour cn_tone_rule(void)
{
    return cn_colour_hex(0xe3e7ea);
}

cn_colour cn_tone_alarm(void)
{
    return cn_colour_hex(0xc8451b);
}

static double to_linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static float to_srgb(double x)
{
    double s = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    return (float)fmin(fmax(s, 0.0), 1.0);
}

void cn_colour_to_lab(cn_colour c, double lab[3])
{
    double r = to_linear(c.r), g = to_linear(c.g), b = to_linear(c.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static cn_colour colour_from_lab(const double lab[3])
{
    double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
    double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
    double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (cn_colour){to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                       to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                       to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 1.0f};
}

// Quadratic Bezier curve in OKLab: pale yellow, bent towards teal, dark blue. Lightness is linear
// in t by the choice of the middle point.
static void curve_point(double t, double lab[3])
{
    static const double start[3] = {0.955, -0.022, 0.075};
    static const double middle[3] = {0.640, -0.125, 0.000};
    static const double end[3] = {0.325, 0.012, -0.125};
    for (int k = 0; k < 3; k++) {
        double a = start[k] + t * (middle[k] - start[k]);
        double b = middle[k] + t * (end[k] - middle[k]);
        lab[k] = a + t * (b - a);
    }
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// Entries at equal arc length along the curve; the curve is sampled finely enough that linear
// interpolation between samples is invisible.
void cn_scale_fill(cn_scale *scale)
{
    enum { SAMPLES = 1024, LAST = 255 };
    double length[SAMPLES + 1] = {0.0};
    double previous[3];
    curve_point(0.0, previous);
    for (int k = 1; k <= SAMPLES; k++) {
        double next[3];
        curve_point((double)k / SAMPLES, next);
        length[k] = length[k - 1] + distance(previous, next);
        for (int i = 0; i < 3; i++) {
            previous[i] = next[i];
        }
    }
    int k = 0;
    for (int n = 0; n <= LAST; n++) {
        double want = length[SAMPLES] * n / LAST;
        while (k < SAMPLES - 1 && length[k + 1] < want) {
            k++;
        }
        double t = (k + (want - length[k]) / (length[k + 1] - length[k])) / SAMPLES;
        double lab[3];
        curve_point(t, lab);
        scale->entry[n] = colour_from_lab(lab);
    }
}

cn_colour cn_scale_at(const cn_scale *scale, double t)
{
    if (isnan(t)) {
        return cn_colour_hex(0xb0b0b0);
    }
    double s = fmin(fmax(t, 0.0), 1.0) * 255.0;
    int n = s >= 254.0 ? 254 : (int)s;
    return cn_colour_mix(scale->entry[n], scale->entry[n + 1], s - n);
}
