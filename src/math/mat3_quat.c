// math/mat3_quat.c -- see mat3_quat.h.
#include "math/mat3_quat.h"

// The largest component is found first.
cn_quat cn_mat3_quat(const cn_mat3 *R)
{
    const double m[3][3] = {{R->row[0].x, R->row[0].y, R->row[0].z},
                            {R->row[1].x, R->row[1].y, R->row[1].z},
                            {R->row[2].x, R->row[2].y, R->row[2].z}};
    double four[4] = {1.0 + m[0][0] + m[1][1] + m[2][2], 1.0 + m[0][0] - m[1][1] - m[2][2],
                      1.0 - m[0][0] + m[1][1] - m[2][2], 1.0 - m[0][0] - m[1][1] + m[2][2]};
    int most = 0;
    for (int k = 1; k < 4; k++) {
        most = four[k] > four[most] ? k : most;
    }
    cn_quat q;
    switch (most) {
    case 0:
        q = (cn_quat){four[0], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
        break;
    case 1:
        q = (cn_quat){m[2][1] - m[1][2], four[1], m[0][1] + m[1][0], m[0][2] + m[2][0]};
        break;
    case 2:
        q = (cn_quat){m[0][2] - m[2][0], m[0][1] + m[1][0], four[2], m[1][2] + m[2][1]};
        break;
    default:
        q = (cn_quat){m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], four[3]};
        break;
    }
    return cn_quat_unit(q);
}
