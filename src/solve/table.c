// solve/table.c -- the methods by name: a new one is its file and a line here, theory chapter 13.
#include "solve/solver.h"

static const cn_method_row method_table[CN_METHOD_NAME_COUNT] = {
    [CN_METHOD_NNCG] = {"nncg", cn_nncg, 4000},                            // (13.1)
    [CN_METHOD_NLGS] = {"nlgs", cn_nlgs, 4000},                            // (8.3)
    [CN_METHOD_APGD] = {"apgd", cn_apgd, 4000, true},                      // (13.3)
    [CN_METHOD_PROX] = {"prox", cn_prox, 2000},                            // (13.4)
    [CN_METHOD_ADMM] = {"admm", cn_admm, 1000},                            // (13.10)
    [CN_METHOD_IPM] = {"ipm", cn_ipm, 1000, true},                         // (13.16)
    [CN_METHOD_IPM_LAGGED] = {"ipm-lagged", cn_ipm_lagged, 1000, true},    // (13.16)
    [CN_METHOD_ALM] = {"alm", cn_alm, 1000, true},                         // (13.20)
    [CN_METHOD_PROX_NEWTON] = {"prox-newton", cn_prox_newton, 1000, true}, // (13.22)
    [CN_METHOD_NEWTON] = {"newton", cn_newton, 1000},                      // (13.29)
    [CN_METHOD_CPG] = {"cpg", cn_cpg, 10000},                              // (13.31)
    [CN_METHOD_BIPOTENTIAL] = {"bipotential", cn_bipotential, 4000},       // (13.32)
    [CN_METHOD_UZAWA] = {"uzawa", cn_uzawa, 10000},                        // (13.32)
    [CN_METHOD_LEMKE] = {"lemke", cn_lemke, 1000},                         // (13.33)
    [CN_METHOD_AUTO] = {"auto", cn_auto, 0},                               // the policy
    [CN_METHOD_PROX_ADAPTIVE] = {"prox-adaptive", NULL, 0},                // (13.6)
    [CN_METHOD_ACTIVE_SET_NEWTON] = {"active-set-newton", NULL, 0},        // (13.21)
    [CN_METHOD_HOMOTOPY] = {"homotopy", NULL, 0},                          // (13.24)
    [CN_METHOD_SUBPROBLEM] = {"subproblem", NULL, 0},                      // subproblem.c
};

const cn_method_row *cn_method_find(cn_method method)
{
    return &method_table[method];
}

const char *cn_method_name(cn_method method)
{
    return method_table[method].name;
}
