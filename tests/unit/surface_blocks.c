// One surface, many blocks: groups, parts, faces that touch, and what is wrong with a block.
#include "mesh_files.h"

// A box from (x, 0, z) with sides of 1 as eight vertices and six faces that look outwards; `first`
// is the number of its first vertex.
static void print_vertices(file *f, double x, double z)
{
    for (int k = 0; k < 8; k++) {
        print(f, "v %g %d %g\n", x + (k & 1), k >> 1 & 1, z + (k >> 2));
    }
}

static const int box_faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

// Bits of `turned` are faces that look inwards, of `missing` faces that are left out.
static void print_faces(file *f, int first, unsigned turned, unsigned missing)
{
    for (int n = 0; n < 6; n++) {
        const int *c = box_faces[n];
        bool is_turned = turned >> n & 1u;
        if (!(missing >> n & 1u)) {
            print(f, "f %d %d %d %d\n", first + c[0], first + c[is_turned ? 3 : 1], first + c[2],
                  first + c[is_turned ? 1 : 3]);
        }
    }
}

static cn_block_list blocks_of(const char *name, file *f, bool by_group)
{
    cn_surface s;
    cn_block_list blocks = {0};
    CN_DO(parse(name, f, &s));
    CN_DO(cn_surface_blocks(&s, by_group, &blocks, &test_error));
    cn_surface_free(&s);
    return blocks;
}

static void expect_cubes(const cn_block_list *blocks, int count)
{
    CN_TRUE(blocks->count == count);
    for (int k = 0; k < blocks->count; k++) {
        const cn_block *b = &blocks->block[k];
        CN_TRUE(b->open_count == 0 && b->crowded_count == 0 && b->point_count == 8);
        CN_NEAR(b->volume, 1.0, 1e-15, "sums of products of whole numbers");
        CN_NEAR(b->hull_volume, 1.0, 1e-14, "the same block by its hull");
        CN_NEAR(b->reflex_depth, 0.0, 0.0, "a cube has no reflex edge");
    }
}

// A column of three: each group has vertices of its own, though the faces lie on each other.
CN_TEST(groups_are_blocks)
{
    static file f;
    for (int k = 0; k < 3; k++) {
        print_vertices(&f, 0.0, k);
        print(&f, "g stone_%d\n", k);
        print_faces(&f, 8 * k + 1, k == 1 ? 0x3fu : k == 2 ? 1u : 0u, 0u);
    }
    cn_block_list blocks = blocks_of("a.obj", &f, true);
    expect_cubes(&blocks, 3);
    CN_TRUE(blocks.block[1].group == 1 && blocks.block[1].element == 7);
    CN_TRUE(blocks.block[0].turned_count == 0 && blocks.block[1].turned_count == 12 &&
            blocks.block[2].turned_count == 2);
    cn_surface_blocks_free(&blocks);
    blocks = blocks_of("a.obj", &f, false);
    expect_cubes(&blocks, 3);
    cn_surface_blocks_free(&blocks);
}

// The same with common vertices: an edge of the joint has four faces, two of each block.
CN_TEST(blocks_that_share_vertices_stay_apart)
{
    static file f;
    for (int by_group = 0; by_group < 2; by_group++) {
        f.length = 0;
        for (int k = 0; k < 12; k++) {
            print(&f, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
        }
        print(&f, by_group ? "o lower\n" : "");
        print_faces(&f, 1, 0u, 0u);
        print(&f, by_group ? "o upper\n" : "");
        print_faces(&f, 5, 0u, 0u);
        cn_block_list blocks = blocks_of("a.obj", &f, by_group);
        expect_cubes(&blocks, 2);
        cn_surface_blocks_free(&blocks);
    }
}

CN_TEST(faces_left_out_are_open_edges)
{
    static file f;
    print_vertices(&f, 0.0, 0.0);
    print_vertices(&f, 0.0, 1.0);
    print(&f, "g a\n");
    print_faces(&f, 1, 0u, 2u);
    print(&f, "g b\n");
    print_faces(&f, 9, 0u, 1u);
    cn_block_list blocks = blocks_of("a.obj", &f, true);
    CN_TRUE(blocks.count == 2);
    for (int k = 0; k < 2; k++) {
        CN_TRUE(blocks.block[k].open_count == 4);
        CN_TRUE(blocks.block[k].edge[0][2] == 1.0 && blocks.block[k].edge[1][2] == 1.0);
    }
    cn_surface_blocks_free(&blocks);
}

// An L of three cubes: the inner edge is 1 m deep as seen from either face, the hull adds half a
// cube.
CN_TEST(an_l_is_not_convex)
{
    static file f;
    static const int corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int k = 0; k < 12; k++) {
        print(&f, "v %d %d %d\n", corner[k % 6][0], corner[k % 6][1], k / 6);
    }
    print(&f, "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n");
    for (int k = 0; k < 6; k++) {
        int next = (k + 1) % 6;
        print(&f, "f %d %d %d %d\n", k + 1, next + 1, next + 7, k + 7);
    }
    cn_block_list blocks = blocks_of("l.obj", &f, true);
    CN_TRUE(blocks.count == 1 && blocks.block[0].open_count == 0);
    CN_NEAR(blocks.block[0].volume, 3.0, 1e-14, "three cubes");
    CN_NEAR(blocks.block[0].hull_volume, 3.5, 1e-13, "and half a cube in the corner");
    CN_NEAR(blocks.block[0].reflex_depth, 1.0, 1e-14, "the sides of the corner are 1 m long");
    CN_TRUE(blocks.block[0].reflex_faces[0] == 5 && blocks.block[0].reflex_faces[1] == 6);
    cn_surface_blocks_free(&blocks);
}

// A wall inside belongs to no single block: three faces meet at its edges.
CN_TEST(walls_inside_are_crowded_edges)
{
    static file f;
    for (int k = 0; k < 12; k++) {
        print(&f, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
    }
    print_faces(&f, 1, 0u, 0u);
    print_faces(&f, 5, 0u, 1u);
    cn_block_list blocks = blocks_of("a.obj", &f, false);
    CN_TRUE(blocks.count == 1 && blocks.block[0].crowded_count == 4);
    cn_surface_blocks_free(&blocks);
}

// Both sides of one square: closed, without volume.
CN_TEST(a_flat_block_has_no_volume)
{
    static file f;
    print(&f, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 4 3 2 1\n");
    cn_block_list blocks = blocks_of("a.obj", &f, false);
    CN_TRUE(blocks.count >= 1 && blocks.block[0].hull_volume == 0.0);
    cn_surface_blocks_free(&blocks);
}

CN_MAIN(CN_RUN(groups_are_blocks); CN_RUN(blocks_that_share_vertices_stay_apart);
        CN_RUN(faces_left_out_are_open_edges); CN_RUN(an_l_is_not_convex);
        CN_RUN(walls_inside_are_crowded_edges); CN_RUN(a_flat_block_has_no_volume);)
