// viewer/page.h -- the application, one HTML page with everything in it.
#pragma once

#include "cairn/base.h"

// The page as it is stored, compressed by gzip.
const unsigned char *cn_page_bytes(size_t *size);

// The page itself; the caller frees it.
cn_status cn_page_text(char **text, size_t *size, cn_error *err);
