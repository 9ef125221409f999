// Generators in space: counts, places, volumes, no overlaps, the same seed gives the same bits.
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
        CN_RUN(stack_tapers_along_both_sides); CN_RUN(grid_has_layers);
        CN_RUN(packs_fill_a_box_without_overlap); CN_RUN(lattice_is_close_packed);
        CN_RUN(a_cylinder_is_filled); CN_RUN(polyhedra_are_packed_by_their_spheres);
        CN_RUN(cylinders_are_packed_by_their_spheres); CN_RUN(the_seed_selects_the_sample);
        CN_RUN(bad_definitions_are_told);)
