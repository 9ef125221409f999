/// cairn/cairn.h -- includes every public header.
#pragma once

#include "cairn/base.h"
#include "cairn/body.h"
#include "cairn/joint.h"
#include "cairn/law.h"
#include "cairn/load.h"
#include "cairn/mesh.h"
#include "cairn/picture.h"
#include "cairn/problem_file.h"
#include "cairn/result.h"
#include "cairn/scene.h"
#include "cairn/shape.h"
#include "cairn/solid.h"
#include "cairn/solver.h"
#include "cairn/vec.h"
#include "cairn/view.h"
#include "cairn/world.h"
