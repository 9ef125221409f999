// base/libraries.c -- the libraries that this one is linked with, as they say it themselves.
#include "cairn/base.h"

#include <cholmod.h>
#include <dlfcn.h>
#include <hdf5.h>
#include <jansson.h>
#include <stdio.h>
#include <umfpack.h>
#include <yaml.h>
#include <zlib.h>

// OpenBLAS where it is the BLAS of the system; else one that is some ten times slower.
static void tell_blas(cn_tell *told, void *context)
{
    char line[200];
    char *(*config)(void);
    *(void **)&config = dlsym(RTLD_DEFAULT, "openblas_get_config");
    if (config != NULL) {
        snprintf(line, sizeof line, "BLAS %.150s", config());
    } else {
        snprintf(line, sizeof line, "BLAS of another kind than OpenBLAS: dense work may be slow");
    }
    told(context, line);
}

void cn_libraries_tell(cn_tell *told, void *context)
{
    if (told == NULL) {
        return;
    }
    char line[200];
    unsigned hdf[3] = {0};
    H5get_libversion(&hdf[0], &hdf[1], &hdf[2]);
    snprintf(line, sizeof line, "HDF5 %u.%u.%u", hdf[0], hdf[1], hdf[2]);
    told(context, line);
    snprintf(line, sizeof line, "zlib %s", zlibVersion());
    told(context, line);
    snprintf(line, sizeof line, "libyaml %s", yaml_get_version_string());
    told(context, line);
    snprintf(line, sizeof line, "Jansson %s", JANSSON_VERSION);
    told(context, line);
    snprintf(line, sizeof line, "CHOLMOD %d.%d.%d (GPL)", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
             CHOLMOD_SUBSUB_VERSION);
    told(context, line);
    snprintf(line, sizeof line, "UMFPACK %d.%d.%d (GPL)", UMFPACK_MAIN_VERSION, UMFPACK_SUB_VERSION,
             UMFPACK_SUBSUB_VERSION);
    told(context, line);
    tell_blas(told, context);
}
