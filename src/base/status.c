// base/status.c -- errors as one sentence in the caller's memory.
#include <stdarg.h>
#include <stdio.h>

#include "cairn/base.h"

const char *cn_version(void)
{
    return CN_VERSION;
}

const char *cn_status_name(cn_status status)
{
    switch (status) {
    case CN_OK:
        return "ok";
    case CN_NOT_CONVERGED:
        return "not converged";
    case CN_BAD_INPUT:
        return "bad input";
    case CN_IO:
        return "input/output failed";
    case CN_NO_MEMORY:
        return "out of memory";
    case CN_BROKEN:
        return "broken state";
    case CN_STOPPED:
        return "stopped";
    }
    return "unknown status";
}

cn_status cn_fail(cn_error *err, cn_status status, const char *format, ...)
{
    if (err != NULL) {
        err->status = status;
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}
