// analyse/table.c -- the quantities of samples.
#include <string.h>

#include "analyse/analyse.h"

static const cn_analysis *const all[] = {
    &cn_analysis_stress,       &cn_analysis_fabric,      &cn_analysis_anisotropy,
    &cn_analysis_coordination, &cn_analysis_network,     &cn_analysis_fraction,
    &cn_analysis_flow,         &cn_analysis_percolation, &cn_analysis_bodies,
    &cn_analysis_principal,    &cn_analysis_strain};

const cn_analysis *cn_analysis_at(int k)
{
    return k >= 0 && k < (int)(sizeof all / sizeof all[0]) ? all[k] : NULL;
}

const cn_analysis *cn_analysis_named(const char *name)
{
    const cn_analysis *found = NULL;
    for (int k = 0; name != NULL && cn_analysis_at(k) != NULL && found == NULL; k++) {
        found = strcmp(name, all[k]->name) == 0 ? all[k] : NULL;
    }
    return found;
}
