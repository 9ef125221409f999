// base/status.c -- errors as one sentence in the caller's memory.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

const char *cn_version(void)
{
    return CN_VERSION;
}

const char *cn_status_name(cn_status status)
{
    switch (status) {
    case CN_OK:
        return "ok";
    case CN_MISSED:
        return "accuracy missed";
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

// Length of the UTF-8 character at `text` that a terminal shows; 0: a control character, or none.
static int shown_length(const unsigned char *text)
{
    static const unsigned char least[5] = {0, 0, 0xc2, 0xe0, 0xf0};
    if (text[0] < 0x80) {
        return (text[0] >= 0x20 && text[0] != 0x7f) || text[0] == '\n' || text[0] == '\t';
    }
    int length = text[0] >= least[4] ? 4 : text[0] >= least[3] ? 3 : text[0] >= least[2] ? 2 : 0;
    for (int k = 1; k < length; k++) {
        if ((text[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_control = length == 2 && text[0] == 0xc2 && text[1] < 0xa0; // U+0080 to U+009F
    return is_control || text[0] > 0xf4 ? 0 : length;
}

char *cn_text_shown(const char *text, char *shown, size_t size)
{
    size_t used = 0;
    if (shown == NULL || size == 0) {
        return shown;
    }
    while (text != NULL && *text != '\0') {
        int length = shown_length((const unsigned char *)text);
        size_t needed = length > 0 ? (size_t)length : 4;
        if (used + needed + 1 > size) {
            break;
        }
        if (length > 0) {
            memcpy(shown + used, text, needed);
        } else {
            snprintf(shown + used, needed + 1, "\\x%02x", (unsigned)(unsigned char)*text);
        }
        used += needed;
        text += length > 0 ? length : 1;
    }
    shown[used] = '\0';
    return shown;
}

cn_status cn_fail(cn_error *err, cn_status status, const char *format, ...)
{
    if (err != NULL) {
        char text[sizeof err->text];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format != NULL ? format : "", args);
        va_end(args);
        err->status = status;
        cn_text_shown(text, err->text, sizeof err->text);
    }
    return status;
}

cn_status cn_need(cn_error *err, const char *function, const char *names, int count,
                  const void *const *pointer)
{
    for (int k = 0; k < count; k++) {
        size_t length = strcspn(names, ",");
        if (pointer[k] == NULL) {
            return cn_fail(err, CN_BAD_INPUT, "%s: '%.*s' is NULL", function, (int)length, names);
        }
        names += length;
        names += strspn(names, ", ");
    }
    return CN_OK;
}
