// viewer/http_library.c
#ifdef CN_HAS_SERVER

#include "viewer/http_library.h"

#include <dlfcn.h>

#include "base/memory.h"

// A function pointer is stored through the address of a data pointer, as POSIX asks of dlsym.
#define LOAD(name)                                                                                 \
    *(void **)&http->name = dlsym(http->library, "MHD_" #name);                                    \
    is_whole = is_whole && http->name != NULL;

cn_status cn_http_load(cn_http *http, cn_error *err)
{
    *http = (cn_http){.library = dlopen(CN_HTTP_LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    if (http->library == NULL) {
        return cn_fail(err, CN_IO,
                       "the viewer's server needs a library that cannot be loaded: %s; "
                       "'cairn export --html' writes a file that a browser opens without it",
                       dlerror());
    }
    bool is_whole = true;
    CN_HTTP_FUNCTIONS(LOAD)
    return is_whole
               ? CN_OK
               : cn_fail(err, CN_IO, "%s lacks functions of the viewer's server", CN_HTTP_LIBRARY);
}

void cn_http_unload(cn_http *http)
{
    if (http->library != NULL) {
        dlclose(http->library);
    }
    *http = (cn_http){0};
}

#else

typedef int cn_no_http; // a file needs a declaration

#endif
