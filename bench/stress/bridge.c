// bench/stress/bridge.c -- a viaduct of stones: large, hyperstatic, at rest.
#include "masonry.h"

#include <math.h>

// The stones of one row of a bridge across its width: first body and ends of the stones.
typedef struct bridge_row {
    int first, count;
    bool is_shifted;
} bridge_row;

static double bridge_end(const bridge_row *row, const bridge_def *def, int k)
{
    return fmin(fmax(k - (row->is_shifted ? 0.5 : 0.0), 0.0), def->width);
}

// Contacts of all stones of `row` with those of `other` (NULL: the ground) across a joint that
// spans `from` to `to` in x and z; both rows lie along y.
static void bridge_joint(made *m, const bridge_def *def, const bridge_row *row,
                         const bridge_row *other, const double from[3], const double to[3],
                         const double normal[3])
{
    for (int i = 0; i < row->count; i++) {
        for (int j = 0; j < (other != NULL ? other->count : 1); j++) {
            double left = bridge_end(row, def, i), right = bridge_end(row, def, i + 1);
            if (other != NULL) {
                left = fmax(left, bridge_end(other, def, j));
                right = fmin(right, bridge_end(other, def, j + 1));
            }
            if (right - left > 1e-9) {
                made_face(m, row->first + i, other != NULL ? other->first + j : -1,
                          (double[3]){from[0], left, from[2]}, (double[3]){to[0], right, to[2]},
                          normal, def->mu);
            }
        }
    }
}

static bridge_row bridge_stones(made *m, const bridge_def *def, bool is_shifted, double x, double z,
                                double length, double height)
{
    bridge_row row = {.first = m->body_count, .count = def->width + (is_shifted ? 1 : 0)};
    row.is_shifted = is_shifted;
    for (int i = 0; i < row.count; i++) {
        double left = bridge_end(&row, def, i), right = bridge_end(&row, def, i + 1);
        const double center[3] = {x, 0.5 * (left + right), z};
        const double size[3] = {length, right - left, height};
        made_box(m, center, size, 1.0);
    }
    return row;
}

// One pier, from the ground up; its top row at z = 0 carries two springings.
static bridge_row bridge_pier(made *m, const bridge_def *def, double x, double length)
{
    const double up[3] = {0.0, 0.0, 1.0};
    bridge_row row = {0};
    for (int k = 0; k < def->courses; k++) {
        double z = k - def->courses;
        bridge_row next = bridge_stones(m, def, false, x, z + 0.5, length, 1.0);
        bridge_joint(m, def, &next, k > 0 ? &row : NULL, (double[3]){x - 0.5 * length, 0.0, z},
                     (double[3]){x + 0.5 * length, 0.0, z}, up);
        row = next;
    }
    return row;
}

// One span between the piers (NULL: abutments), from the right springing to the left one.
static void bridge_span(made *m, const bridge_def *def, double x, const bridge_row *right,
                        const bridge_row *left)
{
    double inner = def->radius - 0.5 * def->thickness, outer = def->radius + 0.5 * def->thickness;
    double length = CN_PI * def->radius / def->stones;
    bridge_row row = {0};
    for (int k = 0; k <= def->stones; k++) {
        double angle = CN_PI * k / def->stones, sign = k < def->stones ? 1.0 : -1.0;
        double middle = CN_PI * (k + 0.5) / def->stones;
        const double normal[3] = {-sign * sin(angle), 0.0, sign * cos(angle)};
        const double from[3] = {x + inner * cos(angle), 0.0, inner * sin(angle)};
        const double to[3] = {x + outer * cos(angle), 0.0, outer * sin(angle)};
        if (k == def->stones) {
            bridge_joint(m, def, &row, left, from, to, normal);
            return;
        }
        bridge_row next = bridge_stones(m, def, k % 2 == 1, x + def->radius * cos(middle),
                                        def->radius * sin(middle), length, def->thickness);
        bridge_joint(m, def, &next, k > 0 ? &row : right, from, to, normal);
        row = next;
    }
}

made *made_bridge(const bridge_def *def)
{
    made *m = made_create(3);
    double pitch = 2.0 * def->radius + def->thickness;
    bridge_row left = {0}, right = {0};
    for (int s = 0; s < def->spans; s++) {
        bool is_last = s == def->spans - 1;
        double x = pitch * s;
        if (!is_last) {
            right = bridge_pier(m, def, x + 0.5 * pitch, 2.0 * def->thickness);
        }
        bridge_span(m, def, x, is_last ? NULL : &right, s > 0 ? &left : NULL);
        left = right;
    }
    made_finish(m, 0.0, 0.0);
    return m;
}
