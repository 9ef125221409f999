// base/decimal.c
#include "base/decimal.h"

bool cn_plain_begin(cn_plain_locale *locale)
{
    locale->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale->plain == (locale_t)0) {
        return false;
    }
    locale->before = uselocale(locale->plain);
    return true;
}

void cn_plain_end(cn_plain_locale *locale)
{
    uselocale(locale->before);
    freelocale(locale->plain);
}
