// solve/table.c -- the methods by name: a new one is its file and a line here, theory section 5.
#include "solve/solver.h"

static const cn_method_row method_table[CN_METHOD_COUNT] = {
    [CN_METHOD_NNCG] = {"nncg", cn_nncg, 4000},
    [CN_METHOD_NLGS] = {"nlgs", cn_nlgs, 4000},
    [CN_METHOD_APGD] = {"apgd", cn_apgd, 4000},
    [CN_METHOD_PROX] = {"prox", cn_prox, 2000},
    [CN_METHOD_ADMM] = {"admm", cn_admm, 1000},
    [CN_METHOD_IPM] = {"ipm", cn_ipm, 1000},
    [CN_METHOD_IPM_LAGGED] = {"ipm-lagged", cn_ipm_lagged, 1000},
    [CN_METHOD_ALM] = {"alm", cn_alm, 1000},
    [CN_METHOD_PROX_NEWTON] = {"prox-newton", cn_prox_newton, 1000},
    [CN_METHOD_AUTO] = {"auto", cn_auto, 0},
};

const cn_method_row *cn_method_find(cn_method method)
{
    return &method_table[method];
}

const char *cn_method_name(cn_method method)
{
    return method_table[method].name;
}
