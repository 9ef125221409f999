// Masonry in space: volumes and joints known on paper, no overlaps, faces that lie on each other.
#include "generate/masonry.h"
#include "unit/solid_check.h"

// ---- walls

// Two leaves of 3 blocks, 4 courses, courses 2 and 4 through-stones.
CN_TEST(through_stones_join_the_leaves)
{
    cn_wall_def def = {.length = NAN,
                       .blocks = 3.0,
                       .courses = 4,
                       .block = {0.4, 0.2, 0.1},
                       .leaves = 2,
                       .leaf_gap = 0.05,
                       .through = 2,
                       .through_spacing = 1};
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 2 * 6 + 2 * 4);
    // Beds 3 x 1.2 x 0.4; heads 2 x 2 x 2 of blocks and 2 x 3 of through-stones 0.45 thick.
    check_solids(&wall, 1.2 * 0.1 * (2 * 0.4 + 2 * 0.45),
                 3 * 1.2 * 0.4 + 8 * 0.2 * 0.1 + 6 * 0.45 * 0.1);
    CN_TRUE(wall.piece[6].index[0] == 2 && wall.piece[6].index[1] == 1);
    CN_TRUE(wall.piece[6].at[1] == 0.0);
    cn_pieces_free(&wall);
}

CN_TEST(through_stones_may_be_spaced)
{
    cn_wall_def def = {.length = NAN,
                       .blocks = 4.0,
                       .courses = 3,
                       .block = {0.4, 0.2, 0.1},
                       .leaves = 2,
                       .bond = CN_BOND_STACK,
                       .through = 3,
                       .through_spacing = 2};
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 8 + 8 + 6);
    double leaf_joints = 2 * 1.6 * 0.1 + 2 * 0.4 * 0.1;
    check_solids(&wall, 1.6 * 0.4 * 0.3, 2 * 1.6 * 0.4 + 3 * 3 * 0.4 * 0.1 + leaf_joints);
    CN_TRUE(wall.piece[21].index[0] == 3 && wall.piece[21].index[1] == 6);
    cn_pieces_free(&wall);
}

CN_TEST(bad_walls_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_wall_def wall = {.length = NAN,
                        .blocks = 4.0,
                        .courses = 3,
                        .block = {0.4, 0.2, 0.1},
                        .leaves = 1,
                        .through = 3,
                        .through_spacing = 1};
    CN_FAILS(cn_generate_wall(&wall, &pieces, &test_error), CN_BAD_INPUT,
             "join the leaves of a wall");
    cn_pieces_free(&pieces);
}

// ---- arches and vaults

static const cn_arch_def round_arch = {.blocks = 9,
                                       .radius = 2.0,
                                       .thickness = 0.4,
                                       .embrace = NAN,
                                       .offset = NAN,
                                       .span = NAN,
                                       .focus = NAN,
                                       .depth = 0.5,
                                       .abutments = true};

// Area of a half ring of straight-edged voussoirs: n/2 sin(pi/n) (outer^2 - inner^2).
static double ring_area(const cn_arch_def *arch)
{
    return 0.5 * arch->blocks * sin(CN_PI / arch->blocks) * 2.0 * arch->radius * arch->thickness;
}

CN_TEST(arch_has_depth)
{
    cn_pieces arch = {.dim = 3};
    CN_DO(cn_generate_arch(&round_arch, &arch, &test_error));
    CN_TRUE(arch.count == 11 && arch.piece[9].is_support && arch.piece[10].is_support);
    // Abutments are one thickness deep and two wide.
    check_solids(&arch, 0.5 * (ring_area(&round_arch) + 2 * 0.8 * 0.4), 10 * 0.4 * 0.5);
    CN_TRUE(arch.piece[4].at[0] == 0.0 && arch.piece[4].at[1] == 0.0);
    CN_TRUE(arch.piece[0].at[0] == -arch.piece[8].at[0]);
    CN_TRUE(arch.piece[10].index[0] == 2 && arch.piece[10].index[1] == 2);
    cn_pieces_free(&arch);
}

CN_TEST(other_arches_have_depth)
{
    cn_arch_def segmental = round_arch, pointed = round_arch, flat = round_arch;
    segmental.form = CN_ARCH_SEGMENTAL;
    segmental.embrace = 2.0;
    pointed.form = CN_ARCH_POINTED;
    pointed.blocks = 8;
    pointed.offset = 0.5;
    flat = (cn_arch_def){.form = CN_ARCH_FLAT,
                         .blocks = 7,
                         .radius = NAN,
                         .thickness = 0.3,
                         .embrace = NAN,
                         .offset = NAN,
                         .span = 2.0,
                         .focus = 2.0,
                         .depth = 0.5};
    cn_pieces arch = {.dim = 3};
    CN_DO(cn_generate_arch(&segmental, &arch, &test_error));
    check_solids(&arch, 0.5 * (0.5 * 9 * sin(2.0 / 9) * 2.0 * 2.0 * 0.4 + 2 * 0.8 * 0.4),
                 10 * 0.4 * 0.5);
    cn_pieces_free(&arch);
    arch.dim = 3;
    CN_DO(cn_generate_arch(&flat, &arch, &test_error));
    double joints = 0.0; // the six inner ones, from (x, 0) to (1.15 x, 0.3)
    for (int k = 1; k < 7; k++) {
        joints += 0.5 * hypot(0.3, 0.15 * (-1.0 + 2.0 * k / 7.0));
    }
    check_solids(&arch, 0.5 * 0.3 * 0.5 * (2.0 + 2.3), joints);
    cn_pieces_free(&arch);
    arch.dim = 3;
    CN_DO(cn_generate_arch(&pointed, &arch, &test_error));
    solids s = solids_of(&arch);
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "pieces do not overlap");
    solids_free(&s);
    cn_pieces_free(&arch);
}

CN_TEST(vault_is_in_running_bond)
{
    cn_vault_def def = {.arch = round_arch, .length = 3.0, .stones = 3.5};
    cn_pieces vault = {.dim = 3};
    CN_DO(cn_generate_vault(&def, &vault, &test_error));
    CN_TRUE(vault.count == 9 * 4 + 2);
    double section = ring_area(&round_arch);
    // Joints along the axis: three in each course.
    check_solids(&vault, 3.0 * (section + 2 * 0.8 * 0.4), 10 * 0.4 * 3.0 + 3 * section);
    const cn_piece *last = &vault.piece[37];
    CN_TRUE(last->is_support && last->index[0] == 10 && last->index[1] == 2);
    CN_NEAR(vault.piece[0].at[1], -1.5 + 3.0 / 7.0, 1e-15, "a whole stone first");
    CN_NEAR(vault.piece[4].at[1], -1.5 + 1.5 / 7.0, 1e-15, "then a half one");
    cn_pieces_free(&vault);
    vault.dim = 3;
    def.stones = 3.0;
    def.bond = CN_BOND_STACK;
    CN_DO(cn_generate_vault(&def, &vault, &test_error));
    CN_TRUE(vault.count == 9 * 3 + 2);
    cn_pieces_free(&vault);
}

CN_TEST(bad_arches_and_vaults_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_arch_def arch = round_arch;
    arch.depth = NAN;
    CN_FAILS(cn_generate_arch(&arch, &pieces, &test_error), CN_BAD_INPUT, "arch depth");
    cn_vault_def vault = {.arch = round_arch, .length = 0.0, .stones = 3.0};
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT, "vault length");
    vault.length = 1.0;
    vault.stones = 2.3;
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT,
             "whole number of halves");
    vault.stones = 2.5;
    vault.bond = CN_BOND_STACK;
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT,
             "whole number from 1 up, got 2.5");
    vault.stones = 2.0;
    vault.arch.radius = 0.1;
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT, "leaves no opening");
    cn_pieces_free(&pieces);
}

// ---- domes

static const cn_dome_def dome_default = {.radius = 2.0,
                                         .thickness = 0.4,
                                         .rings = 4,
                                         .stones = 10,
                                         .embrace = CN_PI,
                                         .oculus = NAN,
                                         .abutments = true};

// Volume between two cones of a shell of plane sides: a difference of pyramids from the centre.
static double zone_volume(int sides, double inner, double outer, double low, double high)
{
    double half = CN_PI / sides;
    return sides * (pow(outer, 3.0) - pow(inner, 3.0)) / 3.0 * sin(half) * cos(half) *
           (sin(low) + sin(high)) * sin(low - high);
}

// Area of the joints along one cone, and along all meridians between two cones.
static double cone_area(int sides, double inner, double outer, double angle)
{
    double s = sin(angle) * sin(CN_PI / sides);
    return sides * (outer * outer - inner * inner) * s * sqrt(1.0 - s * s);
}

static double meridian_area(int sides, double inner, double outer, double low, double high)
{
    return sides * 0.5 * (outer * outer - inner * inner) * sin(low - high);
}

// Rings between `high` and the springing.
static double ring_joints(const cn_dome_def *def, int sides, double low, double high)
{
    double inner = def->radius - 0.5 * def->thickness, outer = inner + def->thickness, sum = 0.0;
    for (int k = 0; k < def->rings; k++) {
        double a = low + (high - low) * k / def->rings,
               b = low + (high - low) * (k + 1) / def->rings;
        sum += meridian_area(sides, inner, outer, a, b);
        sum += k > 0 ? cone_area(sides, inner, outer, a) : 0.0;
    }
    return sum;
}

static double ring_volume(const cn_dome_def *def, int sides, double low, double high)
{
    double inner = def->radius - 0.5 * def->thickness, outer = inner + def->thickness, sum = 0.0;
    for (int k = 0; k < def->rings; k++) {
        double a = low + (high - low) * k / def->rings,
               b = low + (high - low) * (k + 1) / def->rings;
        sum += zone_volume(sides, inner, outer, a, b);
    }
    return sum;
}

CN_TEST(dome_in_running_bond_has_a_keystone)
{
    const cn_dome_def *def = &dome_default;
    cn_pieces dome = {.dim = 3};
    CN_DO(cn_generate_dome(def, &dome, &test_error));
    CN_TRUE(dome.count == 2 * 10 * 4 + 1 + 20);
    CN_TRUE(!dome.piece[0].is_part && dome.piece[1].is_part && !dome.piece[2].is_part);
    CN_TRUE(dome.piece[80].index[0] == 5 && !dome.piece[80].is_support);
    CN_TRUE(dome.piece[100].index[0] == 6 && dome.piece[100].index[1] == 20 &&
            dome.piece[100].is_support);
    // Pyramid of the keystone: polygon of 20 sides; abutments from 90 degrees down, 2 m +- 0.4 m.
    double crown = 0.5 * CN_PI / 9.0, cube = pow(2.2, 3.0) - pow(1.8, 3.0);
    double key = 10.0 * sin(CN_PI / 10.0) * pow(sin(crown), 2.0) * cos(crown) * cube / 3.0;
    double below = 0.5 * CN_PI + 0.2;
    double volume = ring_volume(def, 20, 0.5 * CN_PI, crown) + key +
                    zone_volume(20, 1.6, 2.4, below, 0.5 * CN_PI);
    double joints = ring_joints(def, 20, 0.5 * CN_PI, crown) + cone_area(20, 1.8, 2.2, crown) +
                    cone_area(20, 1.8, 2.2, 0.5 * CN_PI) +
                    meridian_area(20, 1.6, 2.4, below, 0.5 * CN_PI);
    check_solids(&dome, volume, joints);
    cn_pieces_free(&dome);
}

CN_TEST(dome_in_stack_bond_has_an_oculus)
{
    cn_dome_def def = dome_default;
    def.bond = CN_BOND_STACK;
    def.oculus = 0.5;
    def.embrace = 2.0;
    def.abutments = false;
    cn_pieces dome = {.dim = 3};
    CN_DO(cn_generate_dome(&def, &dome, &test_error));
    CN_TRUE(dome.count == 40 && !dome.piece[1].is_part);
    double crown = asin(0.5 / 1.8);
    check_solids(&dome, ring_volume(&def, 10, 1.0, crown), ring_joints(&def, 10, 1.0, crown));
    cn_pieces_free(&dome);
}

// Case B10: 40 blocks along a meridian, lunes of 10 degrees.
CN_TEST(lunes_lean_on_each_other)
{
    cn_dome_def def = dome_default;
    def.form = CN_DOME_LUNES;
    def.radius = 5.0;
    def.thickness = 0.25;
    def.rings = 20;
    def.stones = 36;
    cn_pieces lunes = {.dim = 3};
    CN_DO(cn_generate_dome(&def, &lunes, &test_error));
    CN_TRUE(lunes.count == 42 && lunes.piece[41].is_support && lunes.piece[41].index[0] == 21);
    double inner = 4.875, outer = 5.125, half = 0.5 * CN_PI;
    double volume = ring_volume(&def, 36, half, 0.0) / 18.0 +
                    zone_volume(36, 4.75, 5.25, half + 0.05, half) / 18.0;
    double joints = 0.01 * 2 * 0.25 * 0.25; // the crown
    for (int k = 0; k < 20; k++) {
        joints += cone_area(36, inner, outer, half * (1.0 - k / 20.0)) / 18.0;
    }
    solids s = solids_of(&lunes);
    CN_NEAR(total_volume(&lunes), volume, 1e-2 * volume, "the crown is 0.5 % of the width wider");
    CN_NEAR(joint_area(&s), joints, 1e-8, "19 joints per lune, two springings, the crown");
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "pieces do not overlap");
    solids_free(&s);
    cn_pieces_free(&lunes);
}

CN_TEST(bad_domes_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_dome_def dome = dome_default;
    dome.stones = 3;
    CN_FAILS(cn_generate_dome(&dome, &pieces, &test_error), CN_BAD_INPUT, "at least 4 stones");
    dome = dome_default;
    dome.thickness = 4.0;
    CN_FAILS(cn_generate_dome(&dome, &pieces, &test_error), CN_BAD_INPUT, "leaves no room");
    dome = dome_default;
    dome.embrace = 4.0;
    CN_FAILS(cn_generate_dome(&dome, &pieces, &test_error), CN_BAD_INPUT, "between 0 and pi");
    dome = dome_default;
    dome.oculus = 1.9;
    CN_FAILS(cn_generate_dome(&dome, &pieces, &test_error), CN_BAD_INPUT, "oculus must be between");
    dome.form = CN_DOME_LUNES;
    CN_FAILS(cn_generate_dome(&dome, &pieces, &test_error), CN_BAD_INPUT, "no oculus");
    cn_pieces_free(&pieces);
}

// ---- columns

CN_TEST(column_tapers)
{
    cn_column_def def = {.drums = 3, .radius = 0.5, .height = 3.0, .top = 0.4, .sides = 12};
    cn_pieces column = {.dim = 3};
    CN_DO(cn_generate_column(&def, &column, &test_error));
    double a = 6.0 * sin(CN_PI / 6.0), joints = 0.0; // area over radius squared
    for (int k = 1; k < 3; k++) {
        joints += a * pow(0.5 - 0.1 * k / 3.0, 2.0);
    }
    CN_TRUE(column.count == 3 && column.piece[2].index[0] == 3);
    check_solids(&column, a * 1.0 * (0.5 * 0.5 + 0.5 * 0.4 + 0.4 * 0.4), joints);
    cn_pieces_free(&column);
}

// Three square columns of two drums: the architrave rests on all of each capital, the frieze on it.
CN_TEST(colonnade_has_an_entablature)
{
    cn_colonnade_def def = {.column = {.drums = 2,
                                       .radius = 0.25,
                                       .height = 3.0,
                                       .top = NAN,
                                       .section = CN_SECTION_SQUARE,
                                       .sides = 12},
                            .columns = 3,
                            .spacing = 2.0,
                            .capital = {0.75, 0.25},
                            .beam = {0.75, 0.5},
                            .frieze = 0.25};
    cn_pieces row = {.dim = 3};
    CN_DO(cn_generate_colonnade(&def, &row, &test_error));
    CN_TRUE(row.count == 3 * 3 + 2 + 3);
    CN_TRUE(row.piece[3].index[0] == 2 && row.piece[5].index[1] == 3 &&
            row.piece[11].index[0] == 5 && row.piece[11].index[1] == 1);
    double length = 4.75, volume = 3 * (0.25 * 3.0 + 0.75 * 0.75 * 0.25) + length * 0.75 * 0.75;
    double shafts = 3 * 2 * 0.25, capitals = 3 * 0.75 * 0.75; // joints
    check_solids(&row, volume,
                 shafts + capitals + length * 0.75 + 1 * 0.75 * 0.5 + 2 * 0.75 * 0.25);
    CN_TRUE(row.piece[0].at[0] == -2.0 && row.piece[6].at[0] == 2.0);
    row.count = 0;
    def.capital[0] = def.capital[1] = def.frieze = NAN;
    CN_DO(cn_generate_colonnade(&def, &row, &test_error));
    CN_TRUE(row.count == 3 * 2 + 2);
    cn_pieces_free(&row);
    def.spacing = 0.4;
    CN_FAILS(cn_generate_colonnade(&def, &row, &test_error), CN_BAD_INPUT, "do not fit");
    def.columns = 1;
    CN_FAILS(cn_generate_colonnade(&def, &row, &test_error), CN_BAD_INPUT, "at least 2 columns");
    cn_pieces_free(&row);
}

// A trapezium of 2 m and 1 m depth; the bed k is 2 - k/4 m deep.
CN_TEST(buttress_leans_back)
{
    cn_buttress_def def = {
        .foot = 2.0, .top = 1.0, .height = 2.0, .courses = 4, .stone = 0.6, .width = 0.8};
    cn_pieces pier = {.dim = 3};
    CN_DO(cn_generate_buttress(&def, &pier, &test_error));
    int heads = pier.count - 4;
    check_solids(&pier, 3.0 * 0.8, (1.75 + 1.5 + 1.25) * 0.8 + heads * 0.5 * 0.8);
    CN_TRUE(heads == 2 + 2 + 1 + 1);
    cn_pieces_free(&pier);
    def.stone = 0.0;
    CN_FAILS(cn_generate_buttress(&def, &pier, &test_error), CN_BAD_INPUT, "stone must be");
    cn_pieces_free(&pier);
}

CN_TEST(column_may_be_square)
{
    cn_column_def def = {.drums = 4,
                         .radius = 0.5,
                         .height = 2.0,
                         .top = NAN,
                         .section = CN_SECTION_SQUARE,
                         .sides = 24,
                         .gap = 0.01};
    cn_pieces column = {.dim = 3};
    CN_DO(cn_generate_column(&def, &column, &test_error));
    check_solids(&column, 2.0, 0.0);
    CN_NEAR(column.piece[3].at[2], 1.75 + 0.03, 1e-15, "three gaps below");
    cn_pieces_free(&column);
    def.gap = -1.0;
    CN_FAILS(cn_generate_column(&def, &column, &test_error), CN_BAD_INPUT, "gap must be");
    def.sides = 2;
    CN_FAILS(cn_generate_column(&def, &column, &test_error), CN_BAD_INPUT, "3 to 200 sides");
    def.height = 0.0;
    CN_FAILS(cn_generate_column(&def, &column, &test_error), CN_BAD_INPUT, "column height");
}

// ---- houses

static const cn_house_def house_default = {.size = {4.0, 3.0},
                                           .block = {1.0, 0.5, 0.4},
                                           .courses = 6,
                                           .door = {NAN, NAN},
                                           .window = {NAN, NAN},
                                           .sill = NAN,
                                           .bearing = NAN};

CN_TEST(house_has_interlocked_corners)
{
    cn_house_def def = house_default;
    def.roof = 0.2;
    def.floor = 0.3;
    def.overhang = 0.1;
    cn_pieces house = {.dim = 3};
    CN_DO(cn_generate_house(&def, &house, &test_error));
    // Around: 4 + 2 + 4 + 2 blocks, then 3 + 3 + 3 + 3.
    CN_TRUE(house.count == 6 * 12 + 2);
    CN_TRUE(house.piece[73].is_support && house.piece[73].index[0] == 8);
    CN_TRUE(house.piece[72].index[0] == 7 && !house.piece[72].is_support);
    double area = 4.0 * 3.0 - 3.0 * 2.0, slab = 4.2 * 3.2;
    // As many head joints as stones in a closed ring; a bed below every course and the roof.
    check_solids(&house, area * 2.4 + slab * 0.5, 7 * area + 6 * 12 * 0.5 * 0.4);
    cn_pieces_free(&house);
}

// Stone of a course that covers the point (x, y); -1 if there is none.
static int stone_at(const cn_pieces *pieces, int course, double x, double y)
{
    for (int k = 0; k < pieces->count; k++) {
        const cn_piece *p = &pieces->piece[k];
        const double *corner = pieces->vertex + 3 * (size_t)p->vertex_start;
        if (p->index[0] == course && fabs(x - p->at[0]) <= fabs(corner[0]) &&
            fabs(y - p->at[1]) <= fabs(corner[1])) {
            return k;
        }
    }
    return -1;
}

CN_TEST(house_has_openings_with_lintels)
{
    const double windows[4] = {2.0, 1.0, 1.0, 0.0};
    cn_house_def def = house_default;
    def.size[0] = 9.0;
    def.size[1] = 4.0;
    def.door[0] = 0.8;
    def.door[1] = 2.0;
    def.window[0] = 0.9;
    def.window[1] = 0.8;
    def.sill = 0.8;
    def.windows = (cn_numbers){4, windows};
    cn_pieces house = {.dim = 3};
    CN_DO(cn_generate_house(&def, &house, &test_error));
    solids s = solids_of(&house);
    double area = 9.0 * 4.0 - 8.0 * 3.0;
    CN_NEAR(total_volume(&house), area * 2.4 - 0.5 * (0.8 * 2.0 + 4 * 0.9 * 0.8), 1e-12, "volume");
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "pieces do not overlap");
    CN_TRUE(stone_at(&house, 5, 0.0, -1.75) < 0 && stone_at(&house, 3, 4.25, 0.0) < 0);
    int lintel = stone_at(&house, 6, 0.0, -1.75);
    const double *corner = house.vertex + 3 * (size_t)house.piece[lintel].vertex_start;
    CN_NEAR(house.piece[lintel].at[0], 0.0, 1e-15, "above the door");
    CN_NEAR(2.0 * fabs(corner[0]), 0.8 + 2 * 0.5, 1e-15, "half a block on each side");
    CN_TRUE(stone_at(&house, 2, 4.25, 0.0) >= 0 && stone_at(&house, 5, 4.25, 0.0) >= 0);
    CN_TRUE(stone_at(&house, 3, -4.25, 0.0) >= 0);
    // No stone is shorter than a quarter of a block nor longer than the lintels of the windows.
    for (int k = 0; k < house.count; k++) {
        const double *c = house.vertex + 3 * (size_t)house.piece[k].vertex_start;
        double length = 2.0 * fmax(fabs(c[0]), fabs(c[1]));
        CN_TRUE(length > 0.249 && length < 1.91);
    }
    solids_free(&s);
    cn_pieces_free(&house);
}

CN_TEST(bad_houses_are_told)
{
    const double windows[4] = {0.0, 5.0, 0.0, 0.0};
    cn_pieces pieces = {.dim = 3};
    cn_house_def house = house_default;
    house.size[1] = 1.5;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "at least 2 m");
    house = house_default;
    house.door[0] = 0.9;
    house.door[1] = 1.9;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "use 1.6 or 2 m");
    house.door[1] = 2.4;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "room for its lintel");
    house.door[1] = 2.8;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "more than the wall");
    house.door[1] = 2.0;
    house.door[0] = 2.2;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT,
             "front wall has no room for 1 openings");
    house = house_default;
    house.windows = (cn_numbers){3, windows};
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "four numbers");
    house.windows.count = 4;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT,
             "their size is not known");
    house.windows.count = 0;
    house.sill = 0.8;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "no wall has any");
    house = house_default;
    house.roof = -1.0;
    CN_FAILS(cn_generate_house(&house, &pieces, &test_error), CN_BAD_INPUT, "roof, floor");
    cn_pieces_free(&pieces);
}

CN_MAIN(CN_RUN(column_tapers); CN_RUN(colonnade_has_an_entablature); CN_RUN(buttress_leans_back);
        CN_RUN(column_may_be_square); CN_RUN(house_has_interlocked_corners);
        CN_RUN(house_has_openings_with_lintels); CN_RUN(bad_houses_are_told);
        CN_RUN(dome_in_running_bond_has_a_keystone); CN_RUN(dome_in_stack_bond_has_an_oculus);
        CN_RUN(lunes_lean_on_each_other); CN_RUN(bad_domes_are_told);
        CN_RUN(through_stones_join_the_leaves); CN_RUN(through_stones_may_be_spaced);
        CN_RUN(bad_walls_are_told); CN_RUN(arch_has_depth); CN_RUN(other_arches_have_depth);
        CN_RUN(vault_is_in_running_bond); CN_RUN(bad_arches_and_vaults_are_told);)
