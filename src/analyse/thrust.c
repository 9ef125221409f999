// analyse/thrust.c -- the line of thrust: through each body that is pressed on two sides, from one
// point of action to the other.
#include <stdlib.h>

#include "base/memory.h"
#include "cairn/patch.h"
#include "cairn/vec.h"

// Patches press one side of a body if the cosine between their normals is at least this, 2.6
// degrees: stones that lie side by side have turned by less, those of an arch of 60 stand farther
// apart.
static const double SAME_SIDE = 0.999;

// Sides on which a body is pressed; from the third one on only their number counts.
typedef struct sides {
    int count;
    cn_vec3 normal[2], sum[2]; // sum of the points of action, weighted by what presses there
    double push[2];
} sides;

static void press(sides *s, const cn_patch_force *f, double sign)
{
    cn_vec3 normal = cn_v3(sign * f->normal[0], sign * f->normal[1], sign * f->normal[2]);
    int k = 0;
    while (k < s->count && k < 2 && cn_dot3(normal, s->normal[k]) < SAME_SIDE) {
        k++;
    }
    s->count = k == s->count || k == 2 ? k + 1 : s->count;
    if (k < 2) {
        s->normal[k] = normal;
        s->sum[k] = cn_add_mul3(s->sum[k], f->push, cn_v3(f->at[0], f->at[1], f->at[2]));
        s->push[k] += f->push;
    }
}

cn_status cn_thrust_find(const cn_patch_forces *patches, int body_count, cn_thrust **pieces,
                         int *count, cn_error *err)
{
    CN_NEED(err, patches, pieces, count);
    size_t bodies = (size_t)body_count + 1;
    sides *of_body = calloc(bodies, sizeof *of_body);
    *count = 0;
    *pieces = malloc(bodies * sizeof **pieces);
    if (of_body == NULL || *pieces == NULL) {
        CN_RELEASE(of_body, *pieces);
        *pieces = NULL;
        return cn_fail(err, CN_NO_MEMORY, "no memory for the thrust in %d bodies", body_count);
    }
    for (int k = 0; k < patches->count; k++) {
        const cn_patch_force *f = &patches->patch[k];
        if (f->push > 0.0) {
            press(&of_body[f->i], f, 1.0);
            press(&of_body[f->j], f, -1.0);
        }
    }
    for (int i = 0; i < body_count; i++) {
        for (int k = 0; k < 2 && of_body[i].count == 2; k++) {
            cn_vec3 at = cn_mul3(1.0 / of_body[i].push[k], of_body[i].sum[k]);
            cn_thrust *piece = &(*pieces)[*count];
            piece->body = i;
            piece->end[k][0] = at.x;
            piece->end[k][1] = at.y;
            piece->end[k][2] = at.z;
        }
        *count += of_body[i].count == 2;
    }
    CN_RELEASE(of_body);
    return CN_OK;
}
