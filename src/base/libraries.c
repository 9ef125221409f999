// base/libraries.c -- the libraries that this one is linked with, as they say it themselves.
#include "cairn/base.h"

#include <dlfcn.h>
#include <hdf5.h>
#include <jansson.h>
#include <stdio.h>
#include <yaml.h>
#include <zlib.h>
#ifdef CN_HAS_GPL
#include <cholmod.h>
#include <umfpack.h>
#else
#include <klu.h>
#include <ldl.h>
#endif

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

static void tell_factors(cn_tell *told, void *context)
{
    char line[200];
#ifdef CN_HAS_GPL
    snprintf(line, sizeof line, "CHOLMOD %d.%d.%d (GPL)", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
             CHOLMOD_SUBSUB_VERSION);
    told(context, line);
    snprintf(line, sizeof line, "UMFPACK %d.%d.%d (GPL)", UMFPACK_MAIN_VERSION, UMFPACK_SUB_VERSION,
             UMFPACK_SUBSUB_VERSION);
#else
    snprintf(line, sizeof line, "LDL %d.%d.%d (LGPL)", LDL_MAIN_VERSION, LDL_SUB_VERSION,
             LDL_SUBSUB_VERSION);
    told(context, line);
    snprintf(line, sizeof line, "KLU %d.%d.%d (LGPL)", KLU_MAIN_VERSION, KLU_SUB_VERSION,
             KLU_SUBSUB_VERSION);
#endif
    told(context, line);
}

bool cn_libraries_are_gpl(void)
{
#ifdef CN_HAS_GPL
    return true;
#else
    return false;
#endif
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
    tell_factors(told, context);
    tell_blas(told, context);
}
