// viewer/http_library.h -- libmicrohttpd, loaded when a viewer starts. Linked to the program it
// would bring GnuTLS and a dozen libraries more into every command: 1.7 of the 7 ms that
// `cairn --version` took.
#pragma once

#include <microhttpd.h>

#include "cairn/base.h"

// The functions of the library, by their names there without MHD_.
#define CN_HTTP_FUNCTIONS(X)                                                                       \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(get_connection_info)                                                                         \
    X(lookup_connection_value)                                                                     \
    X(create_response_from_buffer)                                                                 \
    X(add_response_header)                                                                         \
    X(queue_response)                                                                              \
    X(destroy_response)

#define CN_HTTP_MEMBER(name) __typeof__(&MHD_##name) name;

typedef struct cn_http {
    void *library;
    CN_HTTP_FUNCTIONS(CN_HTTP_MEMBER)
} cn_http;

// CN_IO if it is not installed.
cn_status cn_http_load(cn_http *http, cn_error *err);

// After the last use of a function.
void cn_http_unload(cn_http *http);
