// law/registered.h -- laws from outside, in the order in which they were registered.
#pragma once

#include "cairn/own_law.h"

int cn_law_registered_count(void);
const cn_law *cn_law_registered_at(int k);
