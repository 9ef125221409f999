/// cairn/base.h -- version, status, errors and hooks shared by every other header.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CN_API __attribute__((visibility("default")))
#define CN_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define CN_API
#define CN_PRINTF(format_at, args_at)
#endif

#define CN_VERSION "0.1.0"

#define CN_PI 3.14159265358979323846

/// What a fallible call returns. CN_NOT_CONVERGED is not a failure of the call: the step was made
/// with the last iterate and the report tells how far it is.
typedef enum cn_status {
    CN_OK = 0,
    CN_NOT_CONVERGED,
    CN_BAD_INPUT, ///< the caller's values cannot be used; nothing was changed
    CN_IO,        ///< a file could not be read or written
    CN_NO_MEMORY, ///< an allocation failed; the object is still valid
    CN_BROKEN,    ///< NaN or another contradiction during a run: the state is not to be trusted
    CN_STOPPED    ///< stopped on request; all files are complete
} cn_status;

/// One sentence with the offending values, written by the call that failed. May be passed as NULL.
typedef struct cn_error {
    cn_status status;
    char text[1024];
} cn_error;

/// Memory of a world. `resize` behaves like realloc; size 0 frees. NULL members mean the C library.
typedef struct cn_hooks {
    void *(*resize)(void *context, void *memory, size_t size);
    void *context;
} cn_hooks;

/// Takes one line of text, without its end.
typedef void cn_tell(void *context, const char *line);

/// Version of the library that is linked (the macro is the version of the header).
CN_API const char *cn_version(void);

/// Short name of a status, e.g. "bad input".
CN_API const char *cn_status_name(cn_status status);

/// Writes the sentence into err (if any) and returns status, so that callers can
/// `return cn_fail(err, CN_BAD_INPUT, "...", value)`.
CN_API cn_status cn_fail(cn_error *err, cn_status status, const char *format, ...) CN_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
