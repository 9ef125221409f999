// Generators in space: counts, places, volumes, no overlaps, the same seed gives the same bits.
#include "generate/masonry.h"
#include "unit/solid_check.h"

static const cn_wall_def wall_default = {
    .length = NAN, .blocks = 3.0, .courses = 4, .block = {0.4, 0.2, 0.1}, .leaves = 1};

CN_TEST(wall_is_in_running_bond_with_thickness)
{
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&wall_default, &wall, &test_error));
    CN_TRUE(wall.count == 2 * 3 + 2 * 4);
    CN_NEAR(total_volume(&wall), 1.2 * 0.2 * 0.4, 1e-15, "length x thickness x height");
    CN_NEAR(wall.piece[0].at[0], -0.4, 1e-16, "three blocks centred on x = 0");
    CN_NEAR(wall.piece[3].at[0], -0.5, 1e-16, "the second course begins with a half block");
    for (int k = 0; k < wall.count; k++) {
        const cn_piece *p = &wall.piece[k];
        CN_NEAR(p->at[2], (p->index[0] - 0.5) * 0.1, 1e-16, "courses go up along z");
        CN_TRUE(p->at[1] == 0.0 && p->solid == CN_SOLID_HULL && p->vertex_count == 8);
    }
    cn_pieces_free(&wall);
}

CN_TEST(wall_has_leaves)
{
    cn_wall_def def = wall_default;
    def.leaves = 2;
    def.leaf_gap = 0.05;
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 28);
    CN_TRUE(wall.piece[3].index[0] == 1 && wall.piece[3].index[1] == 4);
    CN_NEAR(wall.piece[3].at[1] - wall.piece[0].at[1], 0.25, 1e-15, "thickness and gap");
    CN_NEAR(wall.piece[3].at[1] + wall.piece[0].at[1], 0.0, 1e-15, "centred on y = 0");
    cn_pieces_free(&wall);
}

// Bricks of 0.2 x 0.1 x 0.06 m, two courses.
static cn_wall_def bonded(int bond, double blocks)
{
    return (cn_wall_def){.length = NAN,
                         .blocks = blocks,
                         .courses = 2,
                         .block = {0.2, 0.1, 0.06},
                         .leaves = 1,
                         .through_spacing = 1,
                         .bond = bond};
}

// Least distance along x between ends of stones of the two courses, within the wall.
static double least_bond(const cn_pieces *wall, double half)
{
    double least = INFINITY;
    for (int i = 0; i < wall->count; i++) {
        const cn_piece *a = &wall->piece[i];
        double end = a->at[0] + fabs(cn_piece_solid(wall, i).point[0]);
        for (int j = 0; j < wall->count && end < half - 1e-9; j++) {
            const cn_piece *b = &wall->piece[j];
            double other = b->at[0] + fabs(cn_piece_solid(wall, j).point[0]);
            least = a->index[0] != b->index[0] ? fmin(least, fabs(end - other)) : least;
        }
    }
    return least;
}

CN_TEST(bonds_of_stretchers_and_headers)
{
    const double across = 0.2 * 0.06, bed = 0.8 * 0.2;
    const struct {
        int bond, count;
        double stretchers, joints; // length of joints between leaves [m], joints across the wall
    } wanted[] = {{CN_BOND_ENGLISH, 8 + 9, 0.8, 3 + 8},
                  {CN_BOND_FLEMISH, 8 + 9, 5 * 0.2, 4 + 6},
                  {CN_BOND_HEADER, 8 + 9, 0.0, 7 + 8}};
    for (int k = 0; k < 3; k++) {
        cn_wall_def def = bonded(wanted[k].bond, 4.0);
        cn_pieces wall = {.dim = 3};
        CN_DO(cn_generate_wall(&def, &wall, &test_error));
        CN_TRUE(wall.count == wanted[k].count);
        check_solids(&wall, 0.8 * 0.2 * 0.12,
                     wanted[k].stretchers * 0.06 + wanted[k].joints * across + bed);
        CN_TRUE(least_bond(&wall, 0.4) > 0.0499); // a quarter of a brick
        cn_pieces_free(&wall);
    }
    cn_wall_def def = bonded(CN_BOND_ENGLISH, 4.5);
    cn_pieces wall = {.dim = 3};
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT,
             "cannot be 4.5 blocks long: use 4 or 5 blocks, which are 0.8 or 1 m");
    def = bonded(CN_BOND_FLEMISH, 3.0);
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "use 2.5 or 4 blocks");
    def.block[1] = 0.11;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "make them equal");
    def.leaves = 2;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "leave out leaves");
    cn_pieces_free(&wall);
}

// Mortar joints of 1 cm: stones keep them, and left and right are mirror images.
CN_TEST(bonds_keep_gaps)
{
    cn_wall_def def = bonded(CN_BOND_FLEMISH, 4.0);
    def.block[0] = 0.21;
    def.head_gap = def.bed_gap = 0.01;
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    solids s = solids_of(&wall);
    CN_NEAR(joint_area(&s), 0.0, 0.0, "nothing touches");
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 0.0, "nothing overlaps");
    CN_TRUE(wall.piece[0].at[0] == -wall.piece[7].at[0] &&
            wall.piece[2].at[0] == -wall.piece[5].at[0]);
    solids_free(&s);
    cn_pieces_free(&wall);
}

CN_TEST(irregular_leaves_fill_the_wall)
{
    cn_wall_def def = wall_default;
    def.leaves = 2;
    def.irregular[0] = 0.3;
    def.irregular[1] = 0.4;
    def.lean = 0.3;
    def.seed = 4.0;
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    solids s = solids_of(&wall);
    CN_TRUE(wall.count == 28);
    CN_NEAR(total_volume(&wall), 1.2 * 0.4 * 0.4, 1e-15, "length x thickness x height");
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-15, "joints are shared");
    solids_free(&s);
    cn_pieces_free(&wall);
}

// Leaves, through-stones and rubble fill the wall; the same seed gives the same bits.
CN_TEST(rubble_fills_the_core)
{
    for (int through = 0; through <= 3; through += 3) {
        cn_leaf_wall_def def = {.blocks = 2.5,
                                .courses = 7,
                                .block = {0.4, 0.2, 0.2},
                                .core = 0.5,
                                .stone = 0.15,
                                .through = through,
                                .through_spacing = 2,
                                .relax = 5,
                                .seed = 3.0};
        cn_pieces wall = {.dim = 3}, again = {.dim = 3};
        CN_DO(cn_generate_leaf_wall(&def, &wall, &test_error));
        CN_DO(cn_generate_leaf_wall(&def, &again, &test_error));
        double core = 0.0, length = 1.0, height = 1.4;
        int stones = 0, through_stones = 0;
        for (int k = 0; k < wall.count; k++) {
            cn_solid_def solid = cn_piece_solid(&wall, k);
            cn_solid_mass mass;
            CN_DO(cn_solids_measure(&solid, 1, &mass, &test_error));
            bool is_core = wall.piece[k].index[0] == 8;
            core += is_core ? mass.volume : 0.0;
            stones += is_core;
            through_stones += !is_core && wall.piece[k].at[1] == 0.0;
        }
        double taken = through_stones * 0.4 * 0.5 * 0.2; // whole blocks
        taken -=
            through > 0 ? 2 * 0.2 * 0.5 * 0.2 : 0.0; // halves that begin or end courses 3 and 6
        solids s = solids_of(&wall);
        CN_TRUE(through_stones == (through > 0 ? 4 : 0) && stones > 150);
        CN_NEAR(core / (length * height * 0.5 - taken), 1.0, 1e-12, "stones fill the core");
        CN_NEAR(total_volume(&wall), length * height * 0.9, 1e-12, "all of the wall");
        CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "planes halfway, one rounding each");
        CN_TRUE(again.count == wall.count && again.vertex_count == wall.vertex_count &&
                memcmp(again.vertex, wall.vertex, 3 * sizeof(double) * (size_t)wall.vertex_count) ==
                    0);
        solids_free(&s);
        cn_pieces_free(&wall);
        cn_pieces_free(&again);
    }
    cn_leaf_wall_def def = {.blocks = 2.2, .courses = 1, .block = {1, 1, 1}, .core = 1, .stone = 1};
    cn_pieces wall = {.dim = 3};
    CN_FAILS(cn_generate_leaf_wall(&def, &wall, &test_error), CN_BAD_INPUT, "halves from 1 up");
    def.blocks = 2.0;
    def.stone = 1e-3;
    CN_FAILS(cn_generate_leaf_wall(&def, &wall, &test_error), CN_BAD_INPUT, "take larger ones");
    cn_pieces_free(&wall);
}

CN_TEST(stack_tapers_along_both_sides)
{
    cn_stack_def def = {.blocks = 2, .block = {2.0, 4.0, 3.0}, .top = 1.0, .offset = 0.1};
    cn_pieces stack = {.dim = 3};
    CN_DO(cn_generate_stack(&def, &stack, &test_error));
    CN_TRUE(stack.count == 2 && stack.piece[1].index[0] == 2);
    CN_NEAR(stack.piece[1].at[2], 4.5, 1e-15, "middle of the second block");
    CN_NEAR(stack.piece[1].at[0], 0.1, 1e-15, "offset");
    // Frustum: h/3 (A + B + sqrt(A B)), A = 8 m2, B = 8/4 m2, h = 6 m.
    CN_NEAR(total_volume(&stack), 2.0 * (8.0 + 2.0 + 4.0), 1e-13, "volume of a frustum");
    cn_pieces_free(&stack);
}

CN_TEST(grid_has_layers)
{
    cn_grid_def def = {.columns = 2,
                       .rows = 3,
                       .layers = 4,
                       .spacing = {1.0, 2.0, 3.0},
                       .turned = true,
                       .seed = 1.0,
                       .solid = {.kind = CN_GRAIN_BLOCK, .box = {0.1, 0.2, 0.3}}};
    cn_pieces grid = {.dim = 3};
    CN_DO(cn_generate_grid(&def, &grid, &test_error));
    CN_TRUE(grid.count == 24);
    const cn_piece *last = &grid.piece[23];
    CN_TRUE(last->index[0] == 4 && last->index[1] == 6);
    CN_NEAR(last->at[0], 0.5, 1e-16, "columns along x");
    CN_NEAR(last->at[1], 2.0, 1e-16, "rows along y");
    CN_NEAR(last->at[2], 4.5, 1e-16, "layers along z");
    double square = 0.0, w_sum = 0.0;
    for (int k = 0; k < grid.count; k++) {
        const double *q = grid.piece[k].turn;
        square = fmax(square, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0));
        w_sum += fabs(q[0]);
    }
    CN_NEAR(square, 0.0, 1e-14, "unit quaternions");
    CN_TRUE(w_sum / 24.0 < 0.9);
    CN_NEAR(total_volume(&grid), 24.0 * 0.006, 1e-14, "copies of a block");
    cn_pieces_free(&grid);
}

// ---- packings

static const cn_pack_def pack_default = {
    .inside = {.kind = CN_REGION_BOX, .box = {1.0, 1.2, 1.5}, .at = {5.0, 6.0, 7.0}},
    .solid = {.kind = CN_GRAIN_SPHERE, .radius = {.kind = CN_SIZE_UNIFORM, .pair = {0.03, 0.06}}},
    .fill = 0.2,
    .seed = 7.0};

// Least distance of two spheres, and of one to the walls of the box [m].
static double least_gap(const cn_pieces *pieces, const cn_region *box)
{
    double least = INFINITY;
    for (int i = 0; i < pieces->count; i++) {
        const cn_piece *a = &pieces->piece[i];
        for (int d = 0; d < 3; d++) {
            least = fmin(least, 0.5 * box->box[d] - fabs(a->at[d] - box->at[d]) - a->radius);
        }
        for (int j = 0; j < i; j++) {
            const cn_piece *b = &pieces->piece[j];
            double x = a->at[0] - b->at[0], y = a->at[1] - b->at[1], z = a->at[2] - b->at[2];
            least = fmin(least, sqrt(x * x + y * y + z * z) - a->radius - b->radius);
        }
    }
    return least;
}

CN_TEST(packs_fill_a_box_without_overlap)
{
    static const int methods[] = {CN_PACK_RANDOM, CN_PACK_LATTICE};
    for (int m = 0; m < 2; m++) {
        cn_pack_def def = pack_default;
        def.method = methods[m];
        def.gap = 0.002;
        cn_pieces pack = {.dim = 3};
        CN_DO(cn_generate_pack(&def, &pack, &test_error));
        CN_TRUE(pack.count > 500 && least_gap(&pack, &def.inside) > -1e-12);
        CN_NEAR(total_volume(&pack) / 1.8, 0.2, 5e-4, "one grain is less than 0.05 % of the box");
        double least = INFINITY, most = 0.0;
        for (int k = 0; k < pack.count; k++) {
            least = fmin(least, pack.piece[k].radius);
            most = fmax(most, pack.piece[k].radius);
        }
        CN_TRUE(least >= 0.03 && least < 0.031 && most <= 0.06 && most > 0.059);
        cn_pieces_free(&pack);
    }
}

// The close-packed lattice of equal balls fills pi/sqrt(18) = 0.74 of space, less along walls.
CN_TEST(lattice_is_close_packed)
{
    cn_pack_def def = {
        .inside = {.kind = CN_REGION_BOX, .box = {1.0, 1.0, 1.0}},
        .solid = {.kind = CN_GRAIN_SPHERE, .radius = {.kind = CN_SIZE_CONSTANT, .constant = 0.02}},
        .fill = 0.66,
        .seed = 1.0};
    cn_pieces pack = {.dim = 3};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    CN_TRUE(strstr(pack.note, "lattice") != NULL && pack.count > 19000);
    cn_pieces_free(&pack);
    pack.dim = 3;
    def.fill = 0.75;
    CN_FAILS(cn_generate_pack(&def, &pack, &test_error), CN_BAD_INPUT, "smaller fill");
    cn_pieces_free(&pack);
}

CN_TEST(a_cylinder_is_filled)
{
    cn_pack_def def = pack_default;
    def.inside = (cn_region){.kind = CN_REGION_DISK, .radius = 0.5, .length = 2.0};
    cn_pieces pack = {.dim = 3};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    CN_NEAR(total_volume(&pack) / (0.5 * CN_PI), 0.2, 1e-3, "volume of the cylinder");
    double out = -INFINITY;
    for (int k = 0; k < pack.count; k++) {
        const cn_piece *p = &pack.piece[k];
        out = fmax(out, hypot(p->at[0], p->at[1]) + p->radius - 0.5);
        out = fmax(out, fabs(p->at[2]) + p->radius - 1.0);
    }
    CN_TRUE(out < 1e-12);
    cn_pieces_free(&pack);
}

CN_TEST(polyhedra_are_packed_by_their_spheres)
{
    cn_pack_def def = pack_default;
    def.fill = NAN;
    def.count = 60;
    def.solid = (cn_grain3_def){.kind = CN_GRAIN_POLYHEDRON,
                                .radius = {.kind = CN_SIZE_CONSTANT, .constant = 0.05},
                                .vertices = {6.0, 14.0},
                                .irregular = 0.5};
    cn_pieces pack = {.dim = 3};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    int least = 100, most = 0;
    double farthest = 0.0;
    for (int k = 0; k < pack.count; k++) {
        cn_solid_def solid = cn_piece_solid(&pack, k);
        least = solid.point_count < least ? solid.point_count : least;
        most = solid.point_count > most ? solid.point_count : most;
        for (int n = 0; n < solid.point_count; n++) {
            const double *x = solid.point + 3 * n;
            double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            farthest = fmax(farthest, fabs(r - 0.05));
        }
        pack.piece[k].radius = 0.05; // the sphere around it, for the check below
    }
    CN_TRUE(pack.count == 60 && least == 6 && most == 14);
    CN_NEAR(farthest, 0.0, 1e-16, "vertices are on the sphere");
    CN_TRUE(least_gap(&pack, &def.inside) > -1e-12);
    cn_pieces_free(&pack);
}

CN_TEST(cylinders_are_packed_by_their_spheres)
{
    cn_pack_def def = pack_default;
    def.fill = NAN;
    def.count = 40;
    def.solid = (cn_grain3_def){.kind = CN_GRAIN_CYLINDER,
                                .radius = {.kind = CN_SIZE_CONSTANT, .constant = 0.03},
                                .length = 0.08};
    cn_pieces pack = {.dim = 3};
    CN_DO(cn_generate_pack(&def, &pack, &test_error));
    int cylinders = 0;
    for (int k = 0; k < pack.count; k++) {
        cylinders += pack.piece[k].solid == CN_SOLID_CYLINDER && pack.piece[k].length == 0.08;
        pack.piece[k].radius = 0.05; // of the sphere around it: sides 3 and 4 of a triangle
    }
    CN_TRUE(cylinders == 40);
    CN_TRUE(least_gap(&pack, &def.inside) > -1e-12);
    cn_pieces_free(&pack);
}

CN_TEST(the_seed_selects_the_sample)
{
    cn_pack_def def = pack_default;
    cn_pieces a = {.dim = 3}, b = {.dim = 3}, other = {.dim = 3};
    CN_DO(cn_generate_pack(&def, &a, &test_error));
    CN_DO(cn_generate_pack(&def, &b, &test_error));
    def.seed = 8.0;
    CN_DO(cn_generate_pack(&def, &other, &test_error));
    int same = 0;
    for (int k = 0; k < a.count && a.count == b.count; k++) {
        same += memcmp(a.piece[k].at, b.piece[k].at, sizeof a.piece[k].at) == 0 &&
                a.piece[k].radius == b.piece[k].radius;
    }
    CN_TRUE(same == a.count);
    CN_TRUE(a.piece[0].at[0] != other.piece[0].at[0]);
    cn_pieces_free(&a);
    cn_pieces_free(&b);
    cn_pieces_free(&other);
}

CN_TEST(bad_definitions_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_wall_def wall = wall_default;
    wall.block[2] = 0.0;
    CN_FAILS(cn_generate_wall(&wall, &pieces, &test_error), CN_BAD_INPUT, "block height");
    wall = wall_default;
    wall.leaf_gap = -1.0;
    CN_FAILS(cn_generate_wall(&wall, &pieces, &test_error), CN_BAD_INPUT, "leaf_gap");
    cn_pack_def pack = pack_default;
    pack.inside.box[2] = 0.05;
    CN_FAILS(cn_generate_pack(&pack, &pieces, &test_error), CN_BAD_INPUT, "do not fit");
    pack = pack_default;
    pack.solid.kind = CN_GRAIN_POLYHEDRON;
    pack.solid.vertices[0] = 3.0;
    CN_FAILS(cn_generate_pack(&pack, &pieces, &test_error), CN_BAD_INPUT, "between 4 and");
    pack = pack_default;
    pack.method = CN_PACK_RANDOM;
    pack.fill = 0.5;
    CN_FAILS(cn_generate_pack(&pack, &pieces, &test_error), CN_BAD_INPUT,
             "method: dense packs closer");
    cn_grid_def grid = {.columns = 1, .rows = 1, .spacing = {1.0, 1.0, 1.0}, .seed = 1.0};
    CN_FAILS(cn_generate_grid(&grid, &pieces, &test_error), CN_BAD_INPUT, "layers of a grid");
    cn_pieces_free(&pieces);
}

CN_MAIN(CN_RUN(wall_is_in_running_bond_with_thickness); CN_RUN(wall_has_leaves);
        CN_RUN(bonds_of_stretchers_and_headers); CN_RUN(bonds_keep_gaps);
        CN_RUN(irregular_leaves_fill_the_wall); CN_RUN(rubble_fills_the_core);
        CN_RUN(stack_tapers_along_both_sides); CN_RUN(grid_has_layers);
        CN_RUN(packs_fill_a_box_without_overlap); CN_RUN(lattice_is_close_packed);
        CN_RUN(a_cylinder_is_filled); CN_RUN(polyhedra_are_packed_by_their_spheres);
        CN_RUN(cylinders_are_packed_by_their_spheres); CN_RUN(the_seed_selects_the_sample);
        CN_RUN(bad_definitions_are_told);)
