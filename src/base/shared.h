// base/shared.h -- what libcairn-view takes from libcairn besides the public headers.
//
// Pictures and viewer are a library of their own, so the functions of the core that they call must
// leave libcairn.so. They are no part of the public interface and may change with every version.
#pragma once

#include "cairn/base.h"

#define CN_SHARED CN_API
