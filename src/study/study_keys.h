// study/study_keys.h -- the language of study files.
#pragma once

#include "scene/keys/keys.h"
#include "study/study.h"

const cn_section *cn_section_study(void);
