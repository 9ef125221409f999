// math/mat3_quat.h -- from rotation matrices to quaternions.
#pragma once

#include "cairn/vec.h"

// Unit quaternion of a rotation matrix.
cn_quat cn_mat3_quat(const cn_mat3 *R);
