// Generators of grains and rock in space: cells and their cuts, slopes, drums, ballast.
#include "base/hash.h"
#include "generate/ground.h"
#include "generate/rock/cut_polyhedron.h"
#include "generate/rock/rock_joints.h"
#include "unit/solid_check.h"

// ---- cells

static cn_cell unit_cube(void)
{
    const cn_vec2 square[4] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const uint8_t side[4] = {1, 2, 3, 4};
    cn_cell cell;
    cn_cell_prism(4, square, 1.0, side, 5, &cell);
    return cell;
}

// Every edge is met once in each direction, and V - E + F = 2.
static void check_closed(const cn_cell *cell)
{
    int edges = 0, met = 0;
    for (int f = 0; f < cell->face_count; f++) {
        int start = cell->face_start[f], count = cell->face_start[f + 1] - start;
        edges += count;
        for (int k = 0; k < count; k++) {
            int a = cell->loop[start + k], b = cell->loop[start + (k + 1) % count];
            for (int g = 0; g < cell->face_count; g++) {
                int other = cell->face_start[g], n = cell->face_start[g + 1] - other;
                for (int m = 0; m < n; m++) {
                    met += cell->loop[other + m] == b && cell->loop[other + (m + 1) % n] == a;
                }
            }
        }
    }
    CN_TRUE(met == edges);
    CN_TRUE(cell->corner_count - edges / 2 + cell->face_count == 2);
}

CN_TEST(prism_is_closed_and_outward)
{
    cn_cell cube = unit_cube();
    CN_NEAR(cn_cell_volume(&cube), 1.0, 1e-15, "a cube of 1 m");
    CN_TRUE(cube.corner_count == 8 && cube.face_count == 6 && cube.tag[5] == 5);
    check_closed(&cube);
}

// Eight planes at random: pieces of pieces fill the cube.
CN_TEST(cuts_share_the_volume)
{
    enum { CUTS = 8 };
    uint64_t random = 3;
    for (int trial = 0; trial < 10; trial++) {
        static cn_cell piece[1 << CUTS];
        int count = 1;
        piece[0] = unit_cube();
        for (int n = 0; n < CUTS; n++) {
            cn_vec3 normal =
                cn_v3(cn_random(&random) - 0.5, cn_random(&random) - 0.5, cn_random(&random) - 0.5);
            cn_plane plane = {cn_mul3(1.0 / cn_norm3(normal), normal),
                              0.6 * (cn_random(&random) - 0.5)};
            for (int k = 0, before = count; k < before; k++) {
                double span[2];
                cn_cell_span(&piece[k], &plane, span);
                if (span[0] < -1e-6 && span[1] > 1e-6) {
                    cn_cell whole = piece[k];
                    CN_DO(cn_cell_cut(&whole, &plane, 1e-9, 9, &piece[k], &piece[count++],
                                      &test_error));
                }
            }
        }
        double volume = 0.0;
        for (int k = 0; k < count; k++) {
            volume += cn_cell_volume(&piece[k]);
            check_closed(&piece[k]);
        }
        CN_NEAR(volume, 1.0, 1e-13, "the pieces fill the cube, rounding");
    }
}

// Through corners and along edges: the diagonal plane makes two wedges of 5 faces.
CN_TEST(cut_through_edges_makes_wedges)
{
    cn_cell cube = unit_cube(), low, high;
    cn_plane plane = {{sqrt(0.5), 0.0, sqrt(0.5)}, 0.0};
    CN_DO(cn_cell_cut(&cube, &plane, 1e-9, 9, &low, &high, &test_error));
    CN_TRUE(low.face_count == 5 && high.face_count == 5 && low.corner_count == 6);
    CN_NEAR(cn_cell_volume(&low), 0.5, 1e-15, "half of it");
    CN_NEAR(cn_cell_volume(&high), 0.5, 1e-15, "half of it");
    check_closed(&low);
    check_closed(&high);
    CN_TRUE(low.tag[4] == 9 && high.tag[4] == 9);
}

// ---- slopes

static const double right = 0.5 * CN_PI;

// A vertical face, joints at right angles 1 m apart through the corners of a grid.
CN_TEST(square_joints_cut_a_slope_into_cubes)
{
    const cn_joint_set set[3] = {{.dip = 0.0,
                                  .spacing = {.constant = 1.0},
                                  .offset = 0.5,
                                  .dip_direction = NAN,
                                  .persistence = 1.0},
                                 {.dip = 0.5 * CN_PI,
                                  .spacing = {.constant = 1.0},
                                  .offset = 0.5,
                                  .dip_direction = NAN,
                                  .persistence = 1.0},
                                 {.dip = 0.5 * CN_PI,
                                  .direction = 0.5 * CN_PI,
                                  .spacing = {.constant = 1.0},
                                  .offset = 0.5,
                                  .dip_direction = NAN,
                                  .persistence = 1.0}};
    cn_slope_def def = {.height = 2.0,
                        .angle = right,
                        .length = 4.0,
                        .width = 2.0,
                        .joints = {3, set},
                        .thinnest = NAN,
                        .hold_base = true};
    cn_pieces slope = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &slope, &test_error));
    CN_TRUE(slope.count == 16);
    check_solids(&slope, 16.0, 12.0 + 8.0 + 8.0);
    for (int k = 0; k < 16; k++) {
        CN_TRUE(slope.piece[k].is_support == (k < 8)); // the lower layer comes first
        CN_NEAR(slope.piece[k].at[2], k < 8 ? 0.5 : 1.5, 1e-15, "middle of a layer");
    }
    cn_pieces_free(&slope);
}

static cn_slope_def scattered_slope(const cn_joint_set *set, int count)
{
    return (cn_slope_def){.height = 10.0,
                          .angle = 1.1,
                          .length = 12.0,
                          .width = 8.0,
                          .joints = {count, set},
                          .thinnest = NAN,
                          .hold_back = true,
                          .seed = 5.0};
}

static const cn_joint_set scattered[3] = {{.dip = 0.6,
                                           .spacing = {.constant = 2.0},
                                           .scatter = {.cone = 0.1},
                                           .uneven = 0.5,
                                           .dip_direction = NAN,
                                           .persistence = 1.0},
                                          {.dip = 1.3,
                                           .direction = CN_PI,
                                           .spacing = {.constant = 2.5},
                                           .scatter = {.cone = 0.1},
                                           .uneven = 0.5,
                                           .dip_direction = NAN,
                                           .persistence = 1.0},
                                          {.dip = 1.5,
                                           .direction = 1.6,
                                           .spacing = {.constant = 2.0},
                                           .scatter = {.cone = 0.1},
                                           .uneven = 0.5,
                                           .dip_direction = NAN,
                                           .persistence = 1.0}};

CN_TEST(scattered_joints_fill_the_slope_without_overlap)
{
    cn_slope_def def = scattered_slope(scattered, 3);
    cn_pieces slope = {.dim = 3}, again = {.dim = 3}, other = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &slope, &test_error));
    CN_TRUE(slope.count > 100);
    double volume = 8.0 * 10.0 * (12.0 - 0.5 * 10.0 / tan(1.1));
    CN_NEAR(total_volume(&slope), volume, 1e-9 * volume, "corners within 1e-9 are merged");
    solids s = solids_of(&slope);
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-8, "blocks meet face to face");
    int held = 0;
    for (int k = 0; k < s.count; k++) {
        CN_TRUE(slope.piece[k].is_support == (s.box[k].lo.x < -12.0 + 1e-9));
        CN_TRUE(s.box[k].lo.z > -1e-12 && s.box[k].hi.z < 10.0 + 1e-12);
        held += slope.piece[k].is_support;
    }
    CN_TRUE(held > 10 && held < slope.count / 2);
    solids_free(&s);
    CN_DO(cn_generate_slope(&def, &again, &test_error));
    CN_TRUE(again.vertex_count == slope.vertex_count &&
            memcmp(again.vertex, slope.vertex, 24 * (size_t)slope.vertex_count) == 0);
    def.seed = 6.0;
    CN_DO(cn_generate_slope(&def, &other, &test_error));
    CN_TRUE(other.vertex_count != slope.vertex_count ||
            memcmp(other.vertex, slope.vertex, 24 * (size_t)slope.vertex_count) != 0);
    cn_pieces_free(&slope);
    cn_pieces_free(&again);
    cn_pieces_free(&other);
}

// Planes that dip out of the slope at the angle of the set: every block lies between two of them.
CN_TEST(joints_dip_where_they_are_told)
{
    const cn_joint_set set = {.dip = 0.6,
                              .direction = 0.3,
                              .spacing = {.constant = 1.5},
                              .dip_direction = NAN,
                              .persistence = 1.0};
    cn_slope_def def = scattered_slope(&set, 1);
    cn_pieces slope = {.dim = 3};
    def.thinnest = 0.0; // else slabs keep what is thinner
    CN_DO(cn_generate_slope(&def, &slope, &test_error));
    cn_vec3 n = cn_v3(sin(0.6) * cos(0.3), sin(0.6) * sin(0.3), cos(0.6));
    for (int k = 0; k < slope.count; k++) {
        const cn_piece *p = &slope.piece[k];
        double low = INFINITY, high = -INFINITY;
        for (int v = 0; v < p->vertex_count; v++) {
            const double *x = slope.vertex + 3 * (p->vertex_start + v);
            double along = n.x * x[0] + n.y * x[1] + n.z * x[2];
            low = fmin(low, along);
            high = fmax(high, along);
        }
        CN_TRUE(high - low < 1.5 + 1e-9);
    }
    CN_TRUE(slope.count > 5);
    cn_pieces_free(&slope);
}

// A plane 1 cm below the top of a cube of 1 m cuts it only if slabs of 1 cm are wanted.
CN_TEST(thin_pieces_are_not_cut_off)
{
    const cn_joint_set set = {.dip = 0.0,
                              .spacing = {.constant = 5.0},
                              .offset = -2.01,
                              .dip_direction = NAN,
                              .persistence = 1.0};
    cn_slope_def def = {
        .height = 1.0, .angle = right, .length = 1.0, .width = 1.0, .joints = {1, &set}};
    cn_pieces slope = {.dim = 3};
    def.thinnest = 0.02;
    CN_DO(cn_generate_slope(&def, &slope, &test_error));
    CN_TRUE(slope.count == 1);
    def.thinnest = 0.005;
    slope.count = 0;
    CN_DO(cn_generate_slope(&def, &slope, &test_error));
    CN_TRUE(slope.count == 2);
    cn_pieces_free(&slope);
}

// Case B42 of the catalogue: a cube of 10 m, three sets at right angles, 2 m apart.
static cn_slope_def cube(const cn_joint_set *set, int count)
{
    return (cn_slope_def){.height = 10.0,
                          .angle = right,
                          .length = 10.0,
                          .width = 10.0,
                          .joints = {count, set},
                          .thinnest = NAN,
                          .seed = 1.0};
}

static cn_joint_set set_of(double dip, double direction, double spacing)
{
    return (cn_joint_set){.dip = dip,
                          .direction = direction,
                          .dip_direction = NAN,
                          .spacing = {.constant = spacing},
                          .persistence = 1.0};
}

CN_TEST(cubes_are_counted)
{
    cn_joint_set set[3] = {set_of(0.0, 0.0, 2.0), set_of(right, 0.0, 2.0),
                           set_of(right, right, 2.0)};
    cn_slope_def def = cube(set, 3);
    cn_pieces pieces = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 125);
    check_solids(&pieces, 1000.0, 300 * 4.0);
    pieces.count = 0;
    for (int k = 0; k < 3; k++) {
        set[k].offset = 1.0;
    }
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 216);
    CN_NEAR(total_volume(&pieces), 1000.0, 1e-9, "1e-12 of it");
    cn_pieces_free(&pieces);
}

// 70/090, 80/190 and 15/310 by the compass, on a slope that faces 035. The largest blocks are whole
// cells, of S1 S2 S3 / |n1 . (n2 x n3)|.
CN_TEST(attitudes_are_read_by_the_compass)
{
    const double degree = CN_PI / 180.0;
    const double attitude[3][3] = {{70, 90, 1.5}, {80, 190, 2.0}, {15, 310, 1.0}};
    cn_joint_set set[3];
    for (int k = 0; k < 3; k++) {
        set[k] = set_of(attitude[k][0] * degree, NAN, attitude[k][2]);
        set[k].dip_direction = attitude[k][1] * degree;
    }
    cn_slope_def def = cube(set, 3);
    def.azimuth = 35.0 * degree;
    def.thinnest = 0.0;
    cn_pieces pieces = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    double most = 0.0;
    for (int k = 0; k < pieces.count; k++) {
        cn_solid_def solid = cn_piece_solid(&pieces, k);
        cn_solid_mass mass;
        CN_DO(cn_solids_measure(&solid, 1, &mass, &test_error));
        most = fmax(most, mass.volume);
    }
    CN_NEAR(most, 3.052044703, 1e-9, "digits of the catalogue");
    CN_NEAR(total_volume(&pieces), 1000.0, 1e-6, "corners within 1e-9 are merged");
    cn_pieces_free(&pieces);
}

// 100 columns of 1 m2; nine planes cut each of them with a chance of 0.3.
CN_TEST(joints_that_do_not_persist_leave_bridges)
{
    cn_joint_set set[3] = {set_of(right, 0.0, 1.0), set_of(right, right, 1.0),
                           set_of(0.0, 0.0, 1.0)};
    cn_slope_def def = cube(set, 3);
    cn_pieces pieces = {.dim = 3};
    set[0].offset = set[1].offset = set[2].offset = 0.5;
    set[2].persistence = 0.3;
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    CN_NEAR(pieces.count, 100 + 0.3 * 900, 4.0 * sqrt(900 * 0.3 * 0.7), "four deviations");
    CN_NEAR(total_volume(&pieces), 1000.0, 1e-9, "1e-12 of it");
    pieces.count = 0;
    set[2].persistence = 0.0;
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 100);
    cn_pieces_free(&pieces);
}

// Case B34: planes 45/105 and 70/235 cut a wedge out of a face 65/185. Their line plunges
// 31.196514 degrees towards 157.732407 degrees.
CN_TEST(two_planes_cut_a_wedge)
{
    const double degree = CN_PI / 180.0;
    const cn_joint_plane plane[2] = {{.at = {-8.0, 0.0, 10.0},
                                      .dip = 45.0 * degree,
                                      .direction = NAN,
                                      .dip_direction = 105.0 * degree,
                                      .radius = NAN},
                                     {.at = {-8.0, 0.0, 10.0},
                                      .dip = 70.0 * degree,
                                      .direction = NAN,
                                      .dip_direction = 235.0 * degree,
                                      .radius = NAN}};
    cn_slope_def def = {.height = 10.0,
                        .angle = 65.0 * degree,
                        .length = 30.0,
                        .width = 40.0,
                        .azimuth = 185.0 * degree,
                        .planes = {2, plane},
                        .thinnest = 0.01,
                        .hold_base = true,
                        .hold_back = true,
                        .hold_sides = true};
    cn_pieces pieces = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    int wedge = -1;
    for (int k = 0; k < pieces.count; k++) {
        wedge = pieces.piece[k].is_support ? wedge : k;
    }
    CN_TRUE(pieces.count == 4 && wedge >= 0 && pieces.piece[wedge].vertex_count == 4);
    const double *x = pieces.vertex + 3 * pieces.piece[wedge].vertex_start;
    int low = 0, back = 0; // ends of the line: the lowest corner, and the one farthest in the slope
    for (int k = 1; k < 4; k++) {
        low = x[3 * k + 2] < x[3 * low + 2] ? k : low;
        back = x[3 * k] < x[3 * back] ? k : back;
    }
    cn_vec3 line = cn_v3(x[3 * low] - x[3 * back], x[3 * low + 1] - x[3 * back + 1],
                         x[3 * low + 2] - x[3 * back + 2]);
    double plunge = asin(-line.z / cn_norm3(line)), trend = def.azimuth - atan2(line.y, line.x);
    CN_NEAR(plunge / degree, 31.196514, 1e-6, "digits of the catalogue");
    CN_NEAR(trend / degree, 157.732407, 1e-6, "digits of the catalogue");
    cn_pieces_free(&pieces);
}

// A level disc of 3 m cuts the whole cube, whose section has its centre there, or nothing of it.
CN_TEST(discs_end_at_their_rim)
{
    cn_slope_def def = cube(NULL, 0);
    cn_pieces pieces = {.dim = 3};
    const cn_joint_plane disc = {
        .at = {-5.0, 0.0, 4.0}, .direction = NAN, .dip_direction = NAN, .radius = 3.0};
    def.planes = (cn_structs){1, &disc};
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 2);
    cn_joint_plane beside = disc;
    beside.at[0] = -1.0;
    def.planes.row = &beside;
    pieces.count = 0;
    CN_DO(cn_generate_slope(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 1);
    cn_pieces_free(&pieces);
}

// ---- distributions

// Slabs of a tall box between level planes: their thicknesses are the spacings.
static int slabs_of(const cn_spacing_def *spacing, double *mean, double *deviation)
{
    const cn_joint_set set = {
        .dip_direction = NAN, .spacing = *spacing, .persistence = 1.0, .trace = NAN};
    cn_slope_def def = {.size = {20.0, 20.0, 2000.0}, .joints = {1, &set}, .seed = 3.0};
    cn_pieces rock = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &rock, &test_error));
    CN_NEAR(total_volume(&rock), 8e5, 1e-12 * 8e5, "slabs fill the box");
    double sum = 0.0, square = 0.0;
    int count = rock.count - 2; // without the ends
    for (int k = 1; k < rock.count - 1; k++) {
        cn_solid_def solid = cn_piece_solid(&rock, k);
        double low = INFINITY, high = -INFINITY;
        for (int n = 0; n < solid.point_count; n++) {
            low = fmin(low, solid.point[3 * n + 2]);
            high = fmax(high, solid.point[3 * n + 2]);
        }
        sum += high - low;
        square += (high - low) * (high - low);
    }
    *mean = sum / count;
    *deviation = sqrt(square / count - *mean * *mean);
    cn_pieces_free(&rock);
    return count;
}

CN_TEST(spacings_follow_their_distributions)
{
    const struct {
        cn_spacing_def spacing;
        double mean, deviation;
    } wanted[] = {
        {{.kind = CN_SPACING_UNIFORM, .pair = {1.0, 3.0}}, 2.0, 2.0 / sqrt(12.0)},
        {{.kind = CN_SPACING_LOGNORMAL, .pair = {1.5, 0.6}}, 1.5, 0.6},
        {{.kind = CN_SPACING_EXPONENTIAL, .mean = 2.0}, 2.0, 2.0},
    };
    for (int k = 0; k < 3; k++) {
        double mean, deviation;
        int count = slabs_of(&wanted[k].spacing, &mean, &deviation);
        double error = wanted[k].deviation / sqrt(count);
        CN_TRUE(count > 700);
        CN_NEAR(mean, wanted[k].mean, 4.0 * error, "four deviations of the mean");
        CN_NEAR(deviation, wanted[k].deviation, 0.15 * wanted[k].deviation,
                "four deviations of it, 4 sqrt(9 - 1)/(2 sqrt(1000)) for the exponential");
    }
}

// Angles of the planes of a set with their mean: cos(angle) = 1 + ln(u)/K for large K, of mean
// 1 - 1/K and deviation 1/K.
CN_TEST(normals_scatter_as_fisher_says)
{
    const double K = 60.0;
    const cn_joint_set set = {.dip = 0.6,
                              .direction = 0.4,
                              .dip_direction = NAN,
                              .spacing = {.constant = 1.0},
                              .scatter = {.kind = CN_SCATTER_FISHER, .fisher = K},
                              .persistence = 1.0};
    const cn_slope_def def = {.joints = {1, &set}};
    const cn_joint_domain domain = {.extent = {1000.0, 1000.0, 1000.0}, .seed = 8};
    cn_joints joints = {0};
    CN_DO(cn_joints_add_set(&def, &domain, 0, &joints, &test_error));
    cn_vec3 mean = cn_v3(sin(0.6) * cos(0.4), sin(0.6) * sin(0.4), cos(0.6)), sum = {0};
    double cosine = 0.0;
    for (int k = 0; k < joints.count; k++) {
        cn_vec3 n = joints.joint[k].plane.normal;
        cosine += cn_dot3(n, mean) / joints.count;
        sum = cn_add3(sum, n);
    }
    CN_TRUE(joints.count > 1500);
    CN_NEAR(cosine, 1.0 - 1.0 / K, 4.0 / (K * sqrt(joints.count)), "four deviations");
    CN_NEAR(cn_norm3(cn_cross3(sum, mean)) / joints.count, 0.0, 4.0 / sqrt(K * joints.count),
            "without a side that is preferred");
    free(joints.joint);
}

// Discs have the area per volume of planes at the spacing, and those mapped cut as they are told.
CN_TEST(discs_and_networks)
{
    const cn_joint_set set = {.dip = 0.5,
                              .dip_direction = NAN,
                              .spacing = {.constant = 2.0},
                              .persistence = 1.0,
                              .trace = 8.0};
    const cn_slope_def def = {.joints = {1, &set}};
    const cn_joint_domain domain = {.extent = {100.0, 100.0, 100.0}, .seed = 1};
    cn_joints joints = {0};
    CN_DO(cn_joints_add_set(&def, &domain, 0, &joints, &test_error));
    double area = 0.0;
    for (int k = 0; k < joints.count; k++) {
        area += CN_PI * joints.joint[k].radius * joints.joint[k].radius;
        CN_TRUE(k == 0 || joints.joint[k].radius <= joints.joint[k - 1].radius);
    }
    CN_NEAR(area / pow(108.0, 3.0), 0.5, 0.5 * 4.0 * sqrt(5.0 / joints.count),
            "four deviations of a sum of squares of exponentials");
    free(joints.joint);

    // Level at 1 m, and steep at x = 0 in the upper part only, since its disc does not reach down.
    const double x[] = {0.0, 0.0}, y[] = {0.0, 0.0}, z[] = {2.5, 1.0}, dip[] = {90.0, 0.0};
    const double direction[] = {90.0, 0.0}, radius[] = {1.2, 100.0};
    cn_slope_def box = {
        .size = {2.0, 2.0, 4.0},
        .thinnest = NAN,
        .hold_base = true,
        .network = {0, {2, x}, {2, y}, {2, z}, {2, dip}, {2, direction}, {2, radius}}};
    cn_pieces rock = {.dim = 3};
    CN_DO(cn_generate_slope(&box, &rock, &test_error));
    CN_TRUE(rock.count == 3 && rock.piece[0].is_support && !rock.piece[1].is_support);
    check_solids(&rock, 16.0, 4.0 + 2.0 * 3.0);
    CN_TRUE(strstr(rock.note, "discs") == NULL);
    cn_pieces_free(&rock);
    rock = (cn_pieces){.dim = 3};
    box.network.z.value = (const double[]){9.0, 1.0}; // the steep one is above the box
    CN_DO(cn_generate_slope(&box, &rock, &test_error));
    CN_TRUE(rock.count == 2 && strstr(rock.note, "; 1 of 2 discs cut none") != NULL);
    box.network.z.value = z;
    cn_pieces_free(&rock);
    box.network.radius.count = 1;
    CN_FAILS(cn_generate_slope(&box, &rock, &test_error), CN_BAD_INPUT, "must be as many");
    box.network.radius = (cn_numbers){2, z};
    box.network.dip = (cn_numbers){2, radius};
    CN_FAILS(cn_generate_slope(&box, &rock, &test_error), CN_BAD_INPUT,
             "joint 2 of the network needs");
    cn_pieces_free(&rock);
}

// ---- below the ground

enum { LINES = 9 };

typedef struct ground {
    double x[LINES * LINES], y[LINES * LINES], z[LINES * LINES];
} ground;

// Heights on a grid over a box of 4 m; returns the volume below its triangles.
static double make_ground(ground *g, double (*height)(double x, double y))
{
    double volume = 0.0, side = 4.0 / (LINES - 1);
    for (int k = 0; k < LINES * LINES; k++) {
        g->x[k] = -2.0 + k % LINES * side;
        g->y[k] = -2.0 + k / LINES * side;
        g->z[k] = height(g->x[k], g->y[k]);
    }
    for (int j = 0; j + 1 < LINES; j++) {
        for (int i = 0; i + 1 < LINES; i++) {
            const double *z = &g->z[j * LINES + i];
            volume += side * side / 6.0 * (2.0 * (z[0] + z[LINES + 1]) + z[1] + z[LINES]);
        }
    }
    return volume;
}

static cn_slope_def below(const ground *g, const cn_joint_set *set, int count)
{
    return (cn_slope_def){
        .size = {4.0, 4.0, 1.0},
        .joints = {count, set},
        .thinnest = NAN,
        .hold_base = true,
        .seed = 2.0,
        .ground = {0, {LINES * LINES, g->x}, {LINES * LINES, g->y}, {LINES * LINES, g->z}}};
}

static int count_bodies(const cn_pieces *pieces)
{
    int count = 0;
    for (int k = 0; k < pieces->count; k++) {
        count += !pieces->piece[k].is_part;
    }
    return count;
}

static double valley(double x, double y)
{
    (void)y;
    return 1.0 + fabs(x);
}

static double hills(double x, double y)
{
    return 2.0 + 0.5 * sin(1.9 * x + 0.3) * cos(1.3 * y) + 0.1 * x;
}

// A level joint above the bottom of a valley: what is above it are two bodies.
CN_TEST(a_valley_parts_a_layer)
{
    ground g;
    CN_NEAR(make_ground(&g, valley), 32.0, 1e-14, "mean height of 2 m");
    const cn_joint_set set = {
        .dip_direction = NAN, .spacing = {.constant = 10.0}, .persistence = 1.0, .offset = 5.0};
    cn_slope_def def = below(&g, &set, 1); // plane at half the height, 1.5 m
    cn_pieces rock = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &rock, &test_error));
    CN_TRUE(count_bodies(&rock) == 3);
    CN_NEAR(total_volume(&rock), 32.0, 1e-12 * 32.0, "all that is below the ground");
    cn_pieces_free(&rock);
    g.z[4] = -0.5;
    CN_FAILS(cn_generate_slope(&def, &rock, &test_error), CN_BAD_INPUT, "must stay above the base");
    g.x[4] = 0.7;
    CN_FAILS(cn_generate_slope(&def, &rock, &test_error), CN_BAD_INPUT, "they are no grid");
    def.size[0] = 5.0;
    make_ground(&g, valley);
    CN_FAILS(cn_generate_slope(&def, &rock, &test_error), CN_BAD_INPUT,
             "known from x = -2 to 2 m, the rock reaches from -2.5 to 2.5 m");
    cn_pieces_free(&rock);
}

CN_TEST(hills_are_cut_into_blocks)
{
    ground g;
    double volume = make_ground(&g, hills);
    cn_joint_set set[3] = {scattered[0], scattered[1], scattered[2]};
    for (int k = 0; k < 3; k++) {
        set[k].spacing.constant = 1.0 + 0.1 * k;
    }
    cn_slope_def def = below(&g, set, 3);
    cn_pieces rock = {.dim = 3}, again = {.dim = 3};
    CN_DO(cn_generate_slope(&def, &rock, &test_error));
    CN_DO(cn_generate_slope(&def, &again, &test_error));
    solids s = solids_of(&rock);
    CN_TRUE(count_bodies(&rock) > 30 && rock.count > count_bodies(&rock));
    CN_NEAR(total_volume(&rock), volume, 1e-12 * volume, "prisms below the triangles");
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-10, "parts meet face to face");
    CN_TRUE(again.vertex_count == rock.vertex_count &&
            memcmp(again.vertex, rock.vertex, 24 * (size_t)rock.vertex_count) == 0);
    solids_free(&s);
    cn_pieces_free(&rock);
    cn_pieces_free(&again);
}

CN_TEST(bad_slopes_are_refused)
{
    cn_joint_set set = scattered[0];
    cn_slope_def def = scattered_slope(&set, 1);
    cn_pieces slope = {.dim = 3};
    def.length = 3.0;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "runs back");
    def = scattered_slope(&set, 1);
    set.dip = 2.0;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT,
             "joint set 1: dip between 0 and pi/2");
    set.dip = 0.5;
    set.dip_direction = 1.0;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "either direction");
    set.dip_direction = NAN;
    set.persistence = 1.5;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT,
             "joint set 1: persistence between 0 and 1 is wanted, got 1.5");
    set.persistence = 1.0;
    const cn_joint_plane plane = {.at = {NAN}, .dip_direction = NAN};
    def.planes = (cn_structs){1, &plane};
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "plane 1: its point");
    def.planes.count = 0;
    set.dip = 0.5;
    set.spacing.constant = 1e-4;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "planes");
    set.spacing.constant = NAN;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "spacing");
    set.spacing = (cn_spacing_def){.kind = CN_SPACING_UNIFORM, .pair = {3.0, 2.0}};
    set.uneven = 0.0;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "least and largest");
    set.spacing = (cn_spacing_def){.constant = 2.0};
    set.scatter = (cn_scatter_def){.kind = CN_SCATTER_FISHER, .fisher = 0.5};
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "from 1 up is wanted");
    set.scatter = (cn_scatter_def){0};
    set.trace = 0.01;
    CN_FAILS(cn_generate_slope(&def, &slope, &test_error), CN_BAD_INPUT, "discs, at most 10000");
    CN_TRUE(slope.count == 0);
    cn_pieces_free(&slope);
}

// ---- drums

CN_TEST(drum_is_one_closed_body)
{
    const cn_drum_def def = {.radius = 0.5,
                             .length = 0.3,
                             .thickness = 0.02,
                             .plates = 24,
                             .ends = true,
                             .lifters = 6,
                             .lifter = {0.06, 0.03}};
    cn_pieces drum = {.dim = 3};
    CN_DO(cn_generate_drum(&def, &drum, &test_error));
    CN_TRUE(drum.count == 24 + 2 + 6 && !drum.piece[0].is_part && drum.piece[0].is_support);
    for (int k = 1; k < drum.count; k++) {
        CN_TRUE(drum.piece[k].is_part);
    }
    double polygon = 24.0 * tan(CN_PI / 24.0); // area over the square of the inner radius
    double volume = polygon * (0.52 * 0.52 - 0.25) * 0.3 + 2.0 * polygon * 0.52 * 0.52 * 0.02 +
                    6.0 * 0.06 * 0.03 * 0.3;
    CN_NEAR(total_volume(&drum), volume, 1e-14, "plates, ends and bars");
    solids s = solids_of(&drum);
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "parts touch");
    for (int k = 0; k < 24; k++) { // the inner face looks at the axis, the joints run through it
        double inner = 0.0;
        for (int f = 0; f < s.hull[k]->face_count; f++) {
            inner = fmin(inner, s.hull[k]->offset[f]);
        }
        CN_NEAR(inner, -0.5, 1e-14, "inner faces touch the circle of the radius");
    }
    solids_free(&s);
    cn_pieces_free(&drum);
}

CN_TEST(bad_drums_are_refused)
{
    cn_drum_def def = {.radius = 0.5, .length = 0.3, .thickness = NAN, .plates = 24, .lifters = 7};
    cn_pieces drum = {.dim = 3};
    CN_FAILS(cn_generate_drum(&def, &drum, &test_error), CN_BAD_INPUT, "lifters");
    def.lifters = 24;
    def.lifter[0] = def.lifter[1] = 0.3;
    CN_FAILS(cn_generate_drum(&def, &drum, &test_error), CN_BAD_INPUT, "fewer or smaller");
    def.plates = 5;
    CN_FAILS(cn_generate_drum(&def, &drum, &test_error), CN_BAD_INPUT, "plates");
    def.radius = -1.0;
    CN_FAILS(cn_generate_drum(&def, &drum, &test_error), CN_BAD_INPUT, "radius");
    cn_pieces_free(&drum);
}

// ---- ballast

static cn_ballast_def layer(double slope)
{
    return (cn_ballast_def){.size = {0.6, 1.0},
                            .depth = 0.3,
                            .slope = slope,
                            .fill = 0.55,
                            .sleeper = {0.25, 0.8, 0.2},
                            .solid = {.kind = CN_GRAIN_POLYHEDRON,
                                      .radius = {.kind = CN_SIZE_UNIFORM, .pair = {0.03, 0.05}},
                                      .vertices = {10.0, 14.0},
                                      .irregular = 0.5},
                            .seed = 3.0};
}

// Stones keep to their balls, which do not overlap; the sleeper stands clear of them.
static void check_layer(const cn_ballast_def *def, const cn_pieces *ballast)
{
    int stones = ballast->count - 1;
    const cn_piece *sleeper = &ballast->piece[stones];
    double clear = INFINITY, base = 0.5 * def->size[1] + def->slope * def->depth;
    for (int i = 0; i < stones; i++) {
        const cn_piece *a = &ballast->piece[i];
        double ra = cn_norm3(cn_v3(ballast->vertex[3 * a->vertex_start],
                                   ballast->vertex[3 * a->vertex_start + 1],
                                   ballast->vertex[3 * a->vertex_start + 2]));
        for (int j = 0; j < i; j++) {
            const cn_piece *b = &ballast->piece[j];
            double rb = cn_norm3(cn_v3(ballast->vertex[3 * b->vertex_start],
                                       ballast->vertex[3 * b->vertex_start + 1],
                                       ballast->vertex[3 * b->vertex_start + 2]));
            cn_vec3 d = cn_v3(a->at[0] - b->at[0], a->at[1] - b->at[1], a->at[2] - b->at[2]);
            clear = fmin(clear, cn_norm3(d) - ra - rb);
        }
        CN_TRUE(a->index[0] == 1 && a->index[1] == i + 1);
        CN_TRUE(fabs(a->at[0]) + ra <= 0.3 + 1e-12 && fabs(a->at[1]) + ra <= base + 1e-12);
        CN_TRUE(a->at[2] - ra >= -1e-12);
        bool is_below = fabs(a->at[0]) < 0.125 && fabs(a->at[1]) < 0.4;
        CN_TRUE(!is_below || a->at[2] + ra <= sleeper->at[2] - 0.1 + 1e-12);
    }
    CN_TRUE(clear > -1e-12);
    CN_TRUE(sleeper->index[0] == 2 && sleeper->vertex_count == 8 && sleeper->at[0] == 0.0);
}

CN_TEST(ballast_fills_a_box_and_an_embankment)
{
    cn_ballast_def def = layer(0.0);
    cn_pieces box = {.dim = 3}, bank = {.dim = 3};
    CN_DO(cn_generate_ballast(&def, &box, &test_error));
    check_layer(&def, &box);
    double stones = total_volume(&box) - 0.25 * 0.8 * 0.2;
    CN_NEAR(stones, 0.55 * 0.6 * 1.0 * 0.3, 0.002, "half a stone of 3 l at most");
    def = layer(1.5);
    CN_DO(cn_generate_ballast(&def, &bank, &test_error));
    check_layer(&def, &bank);
    double more = (total_volume(&bank) - 0.25 * 0.8 * 0.2) / stones;
    CN_TRUE(more > 1.2 && more < 1.45); // 1 + slope depth / width, less what the slopes leave out
    cn_pieces_free(&box);
    cn_pieces_free(&bank);
}

CN_TEST(bad_ballast_is_refused)
{
    cn_pieces ballast = {.dim = 3};
    cn_ballast_def def = layer(0.0);
    def.size[0] = 0.05;
    CN_FAILS(cn_generate_ballast(&def, &ballast, &test_error), CN_BAD_INPUT, "do not fit");
    def = layer(-1.0);
    CN_FAILS(cn_generate_ballast(&def, &ballast, &test_error), CN_BAD_INPUT, "slope");
    def = layer(0.0);
    def.fill = 0.9;
    CN_FAILS(cn_generate_ballast(&def, &ballast, &test_error), CN_BAD_INPUT, "fill");
    def = layer(0.0);
    def.depth = NAN;
    CN_FAILS(cn_generate_ballast(&def, &ballast, &test_error), CN_BAD_INPUT, "depth");
    cn_pieces_free(&ballast);
}

// ---- packs in cylinders

CN_TEST(cylinder_lies_along_its_axis)
{
    for (int axis = CN_REGION_AXIS_Z; axis <= CN_REGION_AXIS_Y; axis++) {
        cn_pack_def def = {.inside = {.kind = CN_REGION_DISK,
                                      .axis = axis,
                                      .radius = 0.3,
                                      .length = 2.0,
                                      .at = {5.0, 6.0, 7.0}},
                           .solid = {.kind = CN_GRAIN_SPHERE, .radius = {.constant = 0.04}},
                           .count = 200,
                           .fill = NAN,
                           .seed = 1.0};
        cn_pieces pack = {.dim = 3};
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        int along = axis == CN_REGION_AXIS_Z ? 2 : axis == CN_REGION_AXIS_X ? 0 : 1;
        double far = 0.0;
        for (int k = 0; k < pack.count; k++) {
            double x[3];
            for (int d = 0; d < 3; d++) {
                x[d] = pack.piece[k].at[d] - def.inside.at[d];
            }
            CN_TRUE(hypot(x[(along + 1) % 3], x[(along + 2) % 3]) <= 0.26 + 1e-12);
            far = fmax(far, fabs(x[along]));
        }
        CN_TRUE(far > 0.8 && far <= 0.96 + 1e-12);
        cn_pieces_free(&pack);
    }
}

// Balls dropped one by one: dense, low, each resting on something, none in another.
static void check_dropped(const cn_region *region, double fill, double highest)
{
    cn_pack_def def = {.inside = *region,
                       .solid = {.kind = CN_GRAIN_SPHERE,
                                 .radius = {.kind = CN_SIZE_UNIFORM, .pair = {0.04, 0.06}}},
                       .fill = fill,
                       .method = CN_PACK_DENSE,
                       .seed = 2.0};
    cn_pieces pack = {.dim = 3};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    double volume = 0.0, clear = INFINITY, top = -INFINITY;
    int held = 0;
    for (int i = 0; i < pack.count; i++) {
        const cn_piece *a = &pack.piece[i];
        double nearest = INFINITY;
        volume += 4.0 / 3.0 * CN_PI * a->radius * a->radius * a->radius;
        for (int j = 0; j < pack.count; j++) {
            const cn_piece *b = &pack.piece[j];
            cn_vec3 d = cn_v3(a->at[0] - b->at[0], a->at[1] - b->at[1], a->at[2] - b->at[2]);
            double gap = i != j ? cn_norm3(d) - a->radius - b->radius : INFINITY;
            clear = fmin(clear, gap);
            nearest = d.z > 0.0 ? fmin(nearest, gap) : nearest;
        }
        top = fmax(top, a->at[2] + a->radius);
        held += nearest < 1e-12;
    }
    CN_TRUE(clear > -1e-12);
    CN_TRUE(held > pack.count / 2); // the others lie on the bottom
    CN_TRUE(top < highest);
    double room = region->kind == CN_REGION_BOX
                      ? region->box[0] * region->box[1] * region->box[2]
                      : CN_PI * region->radius * region->radius * region->length;
    CN_NEAR(volume / room, fill, 0.5 * 9.1e-4 / room, "half of the largest ball");
    cn_pieces_free(&pack);
}

CN_TEST(dropped_balls_are_dense_and_low)
{
    const cn_region box = {.kind = CN_REGION_BOX, .box = {1.0, 1.0, 1.0}};
    check_dropped(&box, 0.48, 0.5 + 1e-12);
    const cn_region pipe = {.kind = CN_REGION_DISK, .radius = 0.5, .length = 2.0};
    check_dropped(&pipe, 0.24, 0.1); // half full: a metre is 0.48 dense
    const cn_region drum = {
        .kind = CN_REGION_DISK, .radius = 0.6, .length = 1.0, .axis = CN_REGION_AXIS_Y};
    check_dropped(&drum, 0.24, 0.15);
}

CN_MAIN(CN_RUN(prism_is_closed_and_outward); CN_RUN(cuts_share_the_volume);
        CN_RUN(cut_through_edges_makes_wedges); CN_RUN(square_joints_cut_a_slope_into_cubes);
        CN_RUN(scattered_joints_fill_the_slope_without_overlap);
        CN_RUN(joints_dip_where_they_are_told); CN_RUN(thin_pieces_are_not_cut_off);
        CN_RUN(cubes_are_counted); CN_RUN(attitudes_are_read_by_the_compass);
        CN_RUN(joints_that_do_not_persist_leave_bridges); CN_RUN(two_planes_cut_a_wedge);
        CN_RUN(discs_end_at_their_rim); CN_RUN(spacings_follow_their_distributions);
        CN_RUN(normals_scatter_as_fisher_says); CN_RUN(discs_and_networks);
        CN_RUN(a_valley_parts_a_layer); CN_RUN(hills_are_cut_into_blocks);
        CN_RUN(bad_slopes_are_refused); CN_RUN(drum_is_one_closed_body);
        CN_RUN(bad_drums_are_refused); CN_RUN(ballast_fills_a_box_and_an_embankment);
        CN_RUN(bad_ballast_is_refused); CN_RUN(cylinder_lies_along_its_axis);
        CN_RUN(dropped_balls_are_dense_and_low);)
