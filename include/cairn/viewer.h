/// cairn/viewer.h -- results in a browser: a small server on this machine, or one file.
///
/// The application is part of the library. The server listens on the loopback address only, answers
/// GET requests for a fixed list of addresses, and refuses requests that were addressed to another
/// name than this machine or lack the token of this server, ?token=..., which other users of the
/// machine do not know.
#pragma once

#include "cairn/base.h"
#include "cairn/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cn_viewer cn_viewer;

typedef struct cn_viewer_def {
    int port;           ///< 0: any that is free
    bool is_live;       ///< look for new frames while the run goes on
    const char *beside; ///< a second result to be compared with the first, at the address with
                        ///< &beside=1; NULL: none
} cn_viewer_def;

/// Whether the library was built with the server; cn_export_html always works.
CN_API bool cn_viewer_is_built(void);

/// Opens the result and serves it from a thread of its own until cn_viewer_stop. CN_IO: the file
/// cannot be read, or the port is taken; CN_BAD_INPUT: as cn_reader_open, or built without.
CN_API cn_status cn_viewer_start(const char *path, const cn_viewer_def *def, cn_viewer **viewer,
                                 cn_error *err);

/// The port on 127.0.0.1 that is listened on.
CN_API int cn_viewer_port(const cn_viewer *viewer);

/// The token that every request has to carry; belongs to the viewer.
CN_API const char *cn_viewer_token(const cn_viewer *viewer);

/// Stops the server and frees. NULL is allowed.
CN_API void cn_viewer_stop(cn_viewer *viewer);

/// Writes application and data as one file that a browser opens without a server. Positions are in
/// single precision, other numbers of frames rounded to 4 digits.
CN_API cn_status cn_export_html(cn_reader *reader, const char *path, cn_error *err);

#ifdef __cplusplus
}
#endif
