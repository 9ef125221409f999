// study/keys.h -- the language of study files.
#pragma once

#include "scene/keys.h"
#include "study/study.h"

const cn_section *cn_section_study(void);
