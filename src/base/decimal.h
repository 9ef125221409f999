// base/decimal.h -- numbers of files have a decimal point whatever the language of the caller.
#pragma once

#include "base/shared.h"

#include <locale.h>
#include <stdbool.h>

// Holds between begin and end, in this thread. False without memory.
typedef struct cn_plain_locale {
    locale_t plain, before;
} cn_plain_locale;

CN_SHARED bool cn_plain_begin(cn_plain_locale *locale);
CN_SHARED void cn_plain_end(cn_plain_locale *locale);
