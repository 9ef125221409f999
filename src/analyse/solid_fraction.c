// analyse/solid_fraction.c -- how much of a volume bodies fill, and the void between them (14.6).
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

static void find(const cn_sample *s, double *out)
{
    double solid = s->content != NULL ? 0.0 : NAN, V = cn_sample_volume(s, s->param[0]);
    for (int i = 0; s->content != NULL && i < s->body_count; i++) {
        solid += s->is_in[i] ? s->content[i] : 0.0;
    }
    double fraction = solid / V;
    memcpy(out, (double[5]){fraction, 1.0 / fraction - 1.0, 1.0 - fraction, solid, V},
           5 * sizeof *out);
}

#define NUMBERS "fraction void_ratio porosity solid volume"

const cn_analysis cn_analysis_fraction = {
    .name = "fraction",
    .help = "solid fraction of a selection in the volume that it fills, void ratio (void over "
            "solid) and porosity; volumes of the solid and of all [m3]",
    .param_count = 1,
    .param = &cn_param_volume,
    .takes_content = true,
    .plane = NUMBERS,
    .space = NUMBERS,
    .find = find};
