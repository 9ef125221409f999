/// cairn/base.h -- version, status, errors and hooks shared by every other header.
///
/// Threads. Objects (worlds, scenes, readers, solvers, ...) share nothing: different threads may
/// use different ones at the same time. One object has one user at a time, except that functions
/// which take it as const may run side by side while nobody changes it. A step calls functions of
/// the caller (loads, is_interrupted, memory hooks); they and other threads may ask the world
/// through functions that take it as const, whose answers are then those of a step half made.
/// Whatever else is called on it meanwhile is refused: CN_BAD_INPUT, and functions without a status
/// do nothing, for which the step (or the next one) returns CN_BAD_INPUT.
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

#define CN_VERSION "0.2.0"

#define CN_PI 3.14159265358979323846

/// What a fallible call returns. Whether a step or a solve reached the accuracy asked for is not
/// among it: the certificate and the report tell.
typedef enum cn_status {
    CN_OK = 0,
    CN_MISSED,    ///< a run or study that was to be strict missed the accuracy asked for
    CN_BAD_INPUT, ///< the caller's values cannot be used; nothing was changed
    CN_IO,        ///< a file could not be read or written
    CN_NO_MEMORY, ///< an allocation failed; the object is still valid
    CN_BROKEN,    ///< NaN or another contradiction during a run: the state is not to be trusted
    CN_STOPPED    ///< stopped on request: a step was not made; all files are complete
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

/// Tells the libraries that this one is linked with and their versions, one per line.
CN_API void cn_libraries_tell(cn_tell *told, void *context);

/// Whether some of them are under the GPL, and with them a program that is passed on.
CN_API bool cn_libraries_are_gpl(void);

/// Short name of a status, e.g. "bad input".
CN_API const char *cn_status_name(cn_status status);

/// A text of others (a title, a name, a path) as it may go to a terminal: control characters and
/// bytes that are no UTF-8 become \xNN; lines and tabs stay. Cuts what does not fit in `size`
/// bytes; 4 times the length and one are always enough. Returns `shown`.
CN_API char *cn_text_shown(const char *text, char *shown, size_t size);

/// Writes the sentence into err (if any) and returns status, so that callers can
/// `return cn_fail(err, CN_BAD_INPUT, "...", value)`. It may go to a terminal (cn_text_shown).
CN_API cn_status cn_fail(cn_error *err, cn_status status, const char *format, ...) CN_PRINTF(3, 4);

/// Pointers. A pointer may be NULL where a comment says so, and: `err`; `told` and `context`;
/// arrays of no entries; what is freed (destroy, free, close, stop, release, abandon). NULL for any
/// other parameter is refused: CN_BAD_INPUT with its name, nothing is changed. Functions without a
/// status then do nothing and return 0, false, NULL, NaN (cn_function_at, cn_reader_state,
/// cn_stress_mises), "" (cn_reader_group_name), the count of kinds where a kind is looked for, or a
/// struct of zeros.

#ifdef __cplusplus
}
#endif
