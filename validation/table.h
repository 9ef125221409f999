// validation/table.h -- the table of cases: id, speed, title. A new case is one line here and one
// file that defines cn_case_<id>. `fast` ones are part of `make test`.
#pragma once

#include "validation.h"

#define CN_CASES(X)                                                                                \
    X(A01, fast, "bouncing ball, velocity law: exact discrete trajectory")                         \
    X(A02, fast, "energy identity of the theta scheme")                                            \
    X(A03, fast, "accumulation of impacts")                                                        \
    X(A04, fast, "bouncing ball, displacement law")                                                \
    X(A05, fast, "bouncing ball on an elastic contact")                                            \
    X(A06, fast, "block on an incline")                                                            \
    X(A07, fast, "sliding block brought to rest")                                                  \
    X(A08, fast, "stick-slip under a sinusoidal force")                                            \
    X(A09, fast, "sliding to rolling")                                                             \
    X(A10, fast, "rolling or slipping on an incline")                                              \
    X(A11, fast, "oblique frictional impact")                                                      \
    X(A12, fast, "Newton's cradle")                                                                \
    X(A13, fast, "Painleve rod")                                                                   \
    X(A14, fast, "torque-free tops in space")                                                      \
    X(A15, fast, "heavy symmetrical top")                                                          \
    X(A16, fast, "pendula through joints")                                                         \
    X(A17, fast, "double pendulum hitting a wall")                                                 \
    X(A18, fast, "wires, rods and cables")                                                         \
    X(A19, fast, "viscoelastic repel law")                                                         \
    X(A20, fast, "points with cohesion that break at once")                                        \
    X(A21, fast, "a block slides down on a film of mud")                                           \
    X(A22, fast, "rolling resistance")                                                             \
    X(B01, fast, "Housner free rocking")                                                           \
    X(B02, fast, "uplift and slip thresholds")                                                     \
    X(B03, fast, "overturning by a rectangular pulse")                                             \
    X(B04, fast, "overturning by a half-sine pulse")                                               \
    X(B05, fast, "least thickness of the semicircular arch")                                       \
    X(B06, fast, "least arch thickness against friction")                                          \
    X(B07, slow, "arch on spreading and closing supports")                                         \
    X(B08, slow, "arch under horizontal acceleration")                                             \
    X(B09, fast, "least thickness of pointed arches")                                              \
    X(B10, fast, "least thickness of a dome cut into lunes")                                       \
    X(B11, fast, "flat arch")                                                                      \
    X(B12, fast, "leaning stack")                                                                  \
    X(B13, slow, "dry wall on a tilting table")                                                    \
    X(B14, fast, "drum column: which joint opens")                                                 \
    X(B15, slow, "stacks of blocks on a shaking base")                                             \
    X(B16, slow, "Jean's 144-block wall")                                                          \
    X(B17, fast, "keystone wedge")                                                                 \
    X(B18, fast, "silo: hydrostatic and Janssen")                                                  \
    X(B19, slow, "domino wave")                                                                    \
    X(B20, slow, "shear wall under vertical load")                                                 \
    X(B21, fast, "walls of Ferris and Tin-Loi, limit analysis")                                    \
    X(B22, slow, "the same walls without dilatancy: what is known")                                \
    X(B23, slow, "the same walls pushed in dynamics, below the proof")                             \
    X(B24, fast, "arch under one force, limit analysis")                                           \
    X(B25, fast, "extreme thrusts as programs")                                                    \
    X(B26, fast, "limit analysis in the plane and in space agrees")                                \
    X(B27, fast, "square block pushed in any direction")                                           \
    X(B28, fast, "twisted face")                                                                   \
    X(B29, fast, "wedge in a groove, dilating")                                                    \
    X(B30, fast, "arch on piers")                                                                  \
    X(B31, fast, "geometric safety of arches")                                                     \
    X(B32, fast, "arches without equilibrium")                                                     \
    X(B33, fast, "toppling slope, proof that it falls")                                            \
    X(B34, fast, "wedge of rock on two joints")                                                    \
    X(B35, fast, "capacity curve of a rocking block")                                              \
    X(B36, fast, "load domain of a block")                                                         \
    X(B37, fast, "eight files of one record")                                                      \
    X(B38, fast, "baseline of a record")                                                           \
    X(B39, fast, "response spectrum of a pulse")                                                   \
    X(B40, slow, "moving base and moving frame")                                                   \
    X(B41, fast, "a dam, and a block under water")                                                 \
    X(B42, fast, "rock cut by sets of joints")                                                     \
    X(B43, fast, "blocks that are not convex")                                                     \
    X(B44, fast, "assemblies of COMPAS")                                                           \
    X(B45, fast, "names of blocks to the end")                                                     \
    X(B46, slow, "intensities of collapse and fragility")                                          \
    X(B47, fast, "restitution of rocking blocks")                                                  \
    X(B48, fast, "a block on a joint with tension")                                                \
    X(C01, fast, "three-disk pyramid")                                                             \
    X(C02, slow, "random close packing")                                                           \
    X(C03, slow, "isostaticity")                                                                   \
    X(C07, slow, "friction and density of sheared disks")                                          \
    X(C08, slow, "flow down a rough incline")                                                      \
    X(C09, slow, "rotating drum")                                                                  \
    X(C11, slow, "axisymmetric column collapse")                                                   \
    X(C16, fast, "one grain in a square cell")                                                     \
    X(C17, fast, "one grain in a hexagonal cell, three stresses")                                  \
    X(C18, fast, "hexagonal lattice opens")                                                        \
    X(C19, fast, "Rowe's stress-dilatancy")                                                        \
    X(C20, fast, "rows over rows")                                                                 \
    X(C21, fast, "free flight through a sheared cell")                                             \
    X(C22, fast, "momentum and energy in a sheared gas")                                           \
    X(C23, fast, "images and origin do not matter")                                                \
    X(C24, slow, "stress identities in every step")                                                \
    X(C25, slow, "a gas that is pressed from all sides")                                           \
    X(C26, slow, "homogeneous shear, mean of seeds")                                               \
    X(C27, fast, "a loaded wall")                                                                  \
    X(C28, fast, "ring of beads under pressure")                                                   \
    X(C29, fast, "membrane of an octahedron")                                                      \
    X(C30, fast, "pressure on the outermost grains")                                               \
    X(C31, fast, "fields by coarse graining obey their balance")                                   \
    X(C32, fast, "stress, forces and fabric")                                                      \
    X(C33, fast, "sizes of grains along a curve of masses")                                        \
    X(C34, fast, "a grain that grows against a pressure")                                          \
    X(C35, slow, "5000 disks under two loaded walls")                                              \
    X(D01, fast, "contact patch test")                                                             \
    X(D02, fast, "cantilever: static and first frequency")                                         \
    X(D03, fast, "impact of two identical bars")                                                   \
    X(D04, fast, "elastic bar on a rigid wall")                                                    \
    X(D05, fast, "Hertz line contact")                                                             \
    X(D06, fast, "Hertz point contact")                                                            \
    X(D07, fast, "Hertz impact of a soft sphere")                                                  \
    X(D08, fast, "oblique impact of an elastic plate")                                             \
    X(D09, slow, "two cylinders inside rigid walls")                                               \
    X(D10, slow, "Taylor bar")                                                                     \
    X(D11, slow, "Cattaneo-Mindlin partial slip")                                                  \
    X(D12, fast, "elastic bar dragged on a frictional bed")                                        \
    X(D13, fast, "elastica: cantilever in large displacements")                                    \
    X(D14, fast, "Cook's membrane")                                                                \
    X(D15, slow, "rotating bar and disk")                                                          \
    X(D16, slow, "bonded arms peeled apart")                                                       \
    X(D19, fast, "disk squeezed between platens")                                                  \
    X(D20, fast, "column under sudden gravity, confined block")                                    \
    X(D21, fast, "frictional block pressed and pulled")                                            \
    X(E01, fast, "one contact, all statuses")                                                      \
    X(E02, fast, "one contact in space, coupled")                                                  \
    X(E03, fast, "stored contact problems")                                                        \
    X(E04, fast, "uniqueness without friction")                                                    \
    X(E05, fast, "indeterminacy with friction")                                                    \
    X(E06, fast, "energy audit closes")                                                            \
    X(E07, fast, "order of convergence in time")                                                   \
    X(E08, fast, "invariance")                                                                     \
    X(E09, fast, "two dimensions against extruded three")                                          \
    X(E10, fast, "heavy on light")                                                                 \
    X(E11, fast, "reproducibility and restart")                                                    \
    X(E12, fast, "similarity")                                                                     \
    X(E13, slow, "bridge of 2664 blocks, from nothing")                                            \
    X(E14, slow, "bridge of 16 146 blocks, from nothing")                                          \
    X(E15, slow, "a bridge is at rest after one step")                                             \
    X(E18, fast, "inexact answers are exact ones with misfits")                                    \
    X(E19, slow, "a slope of rock topples")                                                        \
    X(E22, slow, "a wall in a quake: creep and cost")                                              \
    X(E23, slow, "a drum of 19 000 balls, ten steps")                                              \
    X(E24, fast, "friction of 1 and 3 with the elastic step")                                      \
    X(L01, fast, "no law lets bodies through")                                                     \
    X(L02, fast, "cohesive curves, pure opening")                                                  \
    X(L03, fast, "a joint that unloads, closes and opens again")                                   \
    X(L04, fast, "damage that takes time")                                                         \
    X(L05, fast, "energy of a fracture in few steps")                                              \
    X(L06, fast, "joints in mixed modes")                                                          \
    X(L07, fast, "friction takes over as damage grows")                                            \
    X(L08, fast, "springs beside contacts, solved three ways")                                     \
    X(L09, fast, "a joint that is bent")                                                           \
    X(L10, fast, "brittle joints, pulled and sheared")                                             \
    X(L11, fast, "a liquid bridge")                                                                \
    X(L12, fast, "balls by Hertz")                                                                 \
    X(L13, fast, "a contact that is crushed")                                                      \
    X(L14, fast, "a beam of bonded grains")                                                        \
    X(L15, fast, "a rope of beads around a disk")                                                  \
    X(L16, slow, "a chain hangs between two points")                                               \
    X(L17, fast, "a tensegrity prism finds its twist")                                             \
    X(L18, fast, "cables that hold grains and blocks")                                             \
    X(L19, fast, "a slider wears as Archard says")                                                 \
    X(L20, fast, "rough joints of rock in a shear box")                                            \
    X(L21, fast, "friction that falls with slip")                                                  \
    X(L22, slow, "bonded arms sheared apart")                                                      \
    X(L23, slow, "bonded arms peeled and sheared apart")                                           \
    X(L24, slow, "a bar cut by two waves")                                                         \
    X(L26, slow, "same bits in a crack")                                                           \
    X(M01, fast, "fourteen models of LMGC90 are taken over")                                       \
    X(M02, fast, "their masses, moments and places")                                               \
    X(M03, fast, "a bar by the rules of LMGC90")                                                   \
    X(M04, fast, "where polygons are")                                                             \
    X(M05, fast, "polyhedra in coordinates of the world")                                          \
    X(M06, fast, "their pairs at the start")                                                       \
    X(M07, fast, "their contact points")                                                           \
    X(M08, slow, "1024 disks in a box, as in LMGC90")                                              \
    X(M09, fast, "disks in a drum, as in LMGC90")                                                  \
    X(M10, fast, "a wall of polygons falls, as in LMGC90")                                         \
    X(M11, fast, "clusters come to rest")                                                          \
    X(M12, slow, "945 spheres in a box, as in LMGC90")                                             \
    X(M13, fast, "an aqueduct stands")                                                             \
    X(M14, fast, "clusters of cylinders")                                                          \
    X(M15, fast, "a brick on a wire")                                                              \
    X(M16, fast, "blocks sheared on cohesive joints")                                              \
    X(M17, fast, "bricks of Q4 on a bar")                                                          \
    X(M18, fast, "two cubes of H8")                                                                \
    X(M19, fast, "sets of points hold")                                                            \
    X(M20, fast, "grains on bonded blocks rest")                                                   \
    X(M21, fast, "a deposit in a periodic cell")                                                   \
    X(M22, fast, "time functions and the start time")                                              \
    X(M23, fast, "command scripts in six styles")                                                  \
    X(M24, slow, "models of LMGC90: speed and bad files")

#define CN_CASE_DECLARE(id, speed, title) void cn_case_##id(cn_book *book);
CN_CASES(CN_CASE_DECLARE)
#undef CN_CASE_DECLARE
