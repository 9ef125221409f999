// viewer/page.c -- the application of the viewer, embedded as the assembler reads it.
#include "viewer/page.h"

#include <stdlib.h>
#include <zlib.h>

// CN_PAGE_FILE is viewer/dist/viewer.html, compressed when the library is built.
__asm__(".section .rodata\n"
        ".balign 16\n"
        "cn_page_first:\n"
        ".incbin \"" CN_PAGE_FILE "\"\n"
        "cn_page_last:\n"
        ".byte 0\n"
        ".previous\n");

extern const unsigned char cn_page_first[], cn_page_last[];

const unsigned char *cn_page_bytes(size_t *size)
{
    *size = (size_t)(cn_page_last - cn_page_first);
    return cn_page_first;
}

// The last four bytes of a gzip file tell the length of what is in it.
static size_t page_length(const unsigned char *bytes, size_t size)
{
    const unsigned char *tail = bytes + size - 4;
    return (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
}

cn_status cn_page_text(char **text, size_t *size, cn_error *err)
{
    size_t packed;
    const unsigned char *bytes = cn_page_bytes(&packed);
    *size = page_length(bytes, packed);
    *text = malloc(*size + 1);
    if (*text == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the page of the viewer");
    }
    z_stream z = {.next_in = (unsigned char *)bytes,
                  .avail_in = (unsigned)packed,
                  .next_out = (unsigned char *)*text,
                  .avail_out = (unsigned)*size};
    bool is_done =
        inflateInit2(&z, 16 + MAX_WBITS) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&z);
    (*text)[*size] = '\0';
    if (!is_done) {
        free(*text);
        *text = NULL;
        return cn_fail(err, CN_BROKEN, "the embedded page of the viewer is damaged");
    }
    return CN_OK;
}
