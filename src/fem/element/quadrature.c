// fem/element/quadrature.c -- integration points of the reference cells (theory 10.3): lines -1 ..
// 1, triangles and tetrahedra with corners at the origin and the unit points, products of these.
#include "fem/element/element.h"

#define A2 0.57735026918962576451 // 1/sqrt(3)
#define A3 0.77459666924148337704 // sqrt(3/5)
#define W5 (5.0 / 9.0)
#define W8 (8.0 / 9.0)

static const double line2_at[][3] = {{-A2}, {A2}};
static const double line2_weight[] = {1.0, 1.0};
const cn_quadrature cn_rule_line2 = {2, line2_at, line2_weight};

static const double line3_at[][3] = {{-A3}, {0.0}, {A3}};
static const double line3_weight[] = {W5, W8, W5};
const cn_quadrature cn_rule_line3 = {3, line3_at, line3_weight};

static const double tri1_at[][3] = {{1.0 / 3.0, 1.0 / 3.0}};
static const double tri1_weight[] = {0.5};
const cn_quadrature cn_rule_tri1 = {1, tri1_at, tri1_weight};

#define TRI3_A (1.0 / 6.0)
#define TRI3_B (2.0 / 3.0)
static const double tri3_at[][3] = {{TRI3_A, TRI3_A}, {TRI3_B, TRI3_A}, {TRI3_A, TRI3_B}};
static const double tri3_weight[] = {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0};
const cn_quadrature cn_rule_tri3 = {3, tri3_at, tri3_weight};

#define TRI6_A 0.44594849091596488632
#define TRI6_B 0.09157621350977074346
#define TRI6_WA (0.5 * 0.22338158967801146570)
#define TRI6_WB (0.5 * 0.10995174365532186764)
static const double tri6_at[][3] = {
    {TRI6_A, TRI6_A}, {1.0 - 2.0 * TRI6_A, TRI6_A}, {TRI6_A, 1.0 - 2.0 * TRI6_A},
    {TRI6_B, TRI6_B}, {1.0 - 2.0 * TRI6_B, TRI6_B}, {TRI6_B, 1.0 - 2.0 * TRI6_B}};
static const double tri6_weight[] = {TRI6_WA, TRI6_WA, TRI6_WA, TRI6_WB, TRI6_WB, TRI6_WB};
const cn_quadrature cn_rule_tri6 = {6, tri6_at, tri6_weight};

#define QUAD4_LAYER(z)                                                                             \
    {-A2, -A2, z}, {A2, -A2, z}, {A2, A2, z},                                                      \
    {                                                                                              \
        -A2, A2, z                                                                                 \
    }
static const double quad4_at[][3] = {QUAD4_LAYER(0.0)};
static const double quad4_weight[] = {1.0, 1.0, 1.0, 1.0};
const cn_quadrature cn_rule_quad4 = {4, quad4_at, quad4_weight};

#define LINE3_ROW(y, z)                                                                            \
    {-A3, y, z}, {0.0, y, z},                                                                      \
    {                                                                                              \
        A3, y, z                                                                                   \
    }
#define QUAD9_LAYER(z) LINE3_ROW(-A3, z), LINE3_ROW(0.0, z), LINE3_ROW(A3, z)
#define LINE3_WEIGHT(w) W5 *(w), W8 *(w), W5 *(w)
#define QUAD9_WEIGHT(w) LINE3_WEIGHT(W5 *(w)), LINE3_WEIGHT(W8 *(w)), LINE3_WEIGHT(W5 *(w))
static const double quad9_at[][3] = {QUAD9_LAYER(0.0)};
static const double quad9_weight[] = {QUAD9_WEIGHT(1.0)};
const cn_quadrature cn_rule_quad9 = {9, quad9_at, quad9_weight};

static const double tet1_at[][3] = {{0.25, 0.25, 0.25}};
static const double tet1_weight[] = {1.0 / 6.0};
const cn_quadrature cn_rule_tet1 = {1, tet1_at, tet1_weight};

// Four points on the lines from the centre to the corners.
#define TET_CORNERS(a)                                                                             \
    {(a), (a), (a)}, {1.0 - 3.0 * (a), (a), (a)}, {(a), 1.0 - 3.0 * (a), (a)},                     \
    {                                                                                              \
        (a), (a), 1.0 - 3.0 * (a)                                                                  \
    }
#define TET4_A 0.13819660112501051518 // (5 - sqrt(5))/20
static const double tet4_at[][3] = {TET_CORNERS(TET4_A)};
static const double tet4_weight[] = {1.0 / 24.0, 1.0 / 24.0, 1.0 / 24.0, 1.0 / 24.0};
const cn_quadrature cn_rule_tet4 = {4, tet4_at, tet4_weight};

#define TET14_A 0.31088591926330060980
#define TET14_B 0.09273525031089122640
#define TET14_C 0.04550370412564964949
#define TET14_D (0.5 - TET14_C)
#define TET14_WA (0.11268792571801585080 / 6.0)
#define TET14_WB (0.07349304311636194934 / 6.0)
#define TET14_WC (0.04254602077708146644 / 6.0)
static const double tet14_at[][3] = {TET_CORNERS(TET14_A),        TET_CORNERS(TET14_B),
                                     {TET14_C, TET14_C, TET14_D}, {TET14_C, TET14_D, TET14_C},
                                     {TET14_D, TET14_C, TET14_C}, {TET14_D, TET14_D, TET14_C},
                                     {TET14_D, TET14_C, TET14_D}, {TET14_C, TET14_D, TET14_D}};
static const double tet14_weight[] = {TET14_WA, TET14_WA, TET14_WA, TET14_WA, TET14_WB,
                                      TET14_WB, TET14_WB, TET14_WB, TET14_WC, TET14_WC,
                                      TET14_WC, TET14_WC, TET14_WC, TET14_WC};
const cn_quadrature cn_rule_tet14 = {14, tet14_at, tet14_weight};

static const double hex8_at[][3] = {QUAD4_LAYER(-A2), QUAD4_LAYER(A2)};
static const double hex8_weight[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
const cn_quadrature cn_rule_hex8 = {8, hex8_at, hex8_weight};

static const double hex27_at[][3] = {QUAD9_LAYER(-A3), QUAD9_LAYER(0.0), QUAD9_LAYER(A3)};
static const double hex27_weight[] = {QUAD9_WEIGHT(W5), QUAD9_WEIGHT(W8), QUAD9_WEIGHT(W5)};
const cn_quadrature cn_rule_hex27 = {27, hex27_at, hex27_weight};

#define TRI3_LAYER(z)                                                                              \
    {TRI3_A, TRI3_A, z}, {TRI3_B, TRI3_A, z},                                                      \
    {                                                                                              \
        TRI3_A, TRI3_B, z                                                                          \
    }
static const double wedge6_at[][3] = {TRI3_LAYER(-A2), TRI3_LAYER(A2)};
static const double wedge6_weight[] = {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0,
                                       1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0};
const cn_quadrature cn_rule_wedge6 = {6, wedge6_at, wedge6_weight};
