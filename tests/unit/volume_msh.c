// Volume meshes from gmsh files: order of nodes, groups as sets, and what is refused.
#include "cairn/mesh.h"
#include "test.h"

static cn_volume *volume;

static cn_status parse(const char *text, int dim)
{
    return cn_volume_parse("part.msh", text, strlen(text), dim, 0.001, &volume, &test_error);
}

static const cn_mesh_set *set_named(const cn_mesh_def *mesh, const char *name)
{
    for (int k = 0; k < mesh->set_count; k++) {
        if (strcmp(mesh->set[k].name, name) == 0) {
            return &mesh->set[k];
        }
    }
    return NULL;
}

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define SQUARE                                                                                     \
    "$PhysicalNames\n2\n1 7 \"foot\"\n2 7 \"steel\"\n$EndPhysicalNames\n"                          \
    "$Nodes\n4\n1 0 0 0\n2 1000 0 0\n3 1000 1000 0\n9 0 1000 0\n$EndNodes\n"

CN_TEST(a_square_of_two_triangles_in_millimetres)
{
    CN_DO(parse(HEAD2 SQUARE
                "$Elements\n3\n1 1 2 7 1 1 2\n2 2 2 7 1 1 2 3\n3 2 2 7 1 1 3 9\n$EndElements\n",
                2));
    const cn_mesh_def *mesh = cn_volume_mesh(volume);
    CN_TRUE(mesh->node_count == 4 && mesh->element_count == 2 && mesh->type[0] == CN_TRI3);
    CN_NEAR(mesh->node[5], 1.0, 1e-15, "y of the third node, in metres");
    const cn_mesh_set *foot = set_named(mesh, "foot"), *steel = set_named(mesh, "steel");
    CN_TRUE(foot != NULL && foot->node_count == 2 && foot->node[0] == 0 && foot->node[1] == 1);
    CN_TRUE(foot != NULL && foot->side_count == 1 && foot->side[0] == 0 && foot->side[1] == 0);
    CN_TRUE(steel != NULL && steel->node_count == 4 && steel->side_count == 0);
    CN_TRUE(strcmp(cn_volume_group_name(volume, cn_volume_element_group(volume)[1]), "steel") == 0);
    cn_volume_destroy(volume);
}

// Groups of points, and in space of lines, hold their nodes; both versions of the format.
CN_TEST(points_and_lines_are_sets_of_nodes)
{
    CN_DO(parse(HEAD2 "$PhysicalNames\n3\n0 3 \"pin\"\n1 7 \"foot\"\n2 7 \"steel\"\n"
                      "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1000 0 0\n3 1000 1000 0\n"
                      "9 0 1000 0\n$EndNodes\n"
                      "$Elements\n5\n1 15 2 3 1 9\n2 15 2 3 2 2\n3 15 2 3 1 9\n"
                      "4 2 2 7 1 1 2 3\n5 2 2 7 1 1 3 9\n$EndElements\n",
                2));
    const cn_mesh_set *pin = set_named(cn_volume_mesh(volume), "pin");
    CN_TRUE(pin != NULL && pin->node_count == 2 && pin->node[0] == 1 && pin->node[1] == 3);
    const cn_mesh_set *foot = set_named(cn_volume_mesh(volume), "foot");
    CN_TRUE(foot != NULL && foot->node_count == 0); // whoever uses it is told
    cn_volume_destroy(volume);
    CN_DO(parse("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
                "$PhysicalNames\n2\n0 3 \"pin\"\n1 7 \"edge\"\n$EndPhysicalNames\n"
                "$Entities\n1 1 0 1\n1 0 0 0 1 3\n1 0 0 0 1 0 0 1 7 0\n"
                "1 0 0 0 1 1 1 0 0\n$EndEntities\n"
                "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1000 0 0\n0 1000 0\n"
                "0 0 1000\n$EndNodes\n"
                "$Elements\n3 3 1 3\n0 1 15 1\n1 1\n1 1 1 1\n2 1 2\n3 1 4 1\n3 1 2 3 4\n"
                "$EndElements\n",
                3));
    pin = set_named(cn_volume_mesh(volume), "pin");
    const cn_mesh_set *edge = set_named(cn_volume_mesh(volume), "edge");
    CN_TRUE(pin != NULL && pin->node_count == 1 && pin->node[0] == 0);
    CN_TRUE(edge != NULL && edge->node_count == 2 && edge->node[1] == 1);
    cn_volume_destroy(volume);
}

// Seen from behind all elements are turned; one that differs from the others is an error.
CN_TEST(orientation_is_that_of_all_elements)
{
    CN_DO(parse(HEAD2 SQUARE "$Elements\n2\n2 2 2 7 1 1 3 2\n3 2 2 7 1 1 9 3\n$EndElements\n", 2));
    const cn_mesh_def *mesh = cn_volume_mesh(volume);
    CN_TRUE(mesh->element_node[0] == 0 && mesh->element_node[1] == 1 && mesh->element_node[2] == 2);
    cn_volume_destroy(volume);
    CN_FAILS(
        parse(HEAD2 SQUARE "$Elements\n2\n2 2 2 7 1 1 2 3\n33 2 2 7 1 1 9 3\n$EndElements\n", 2),
        CN_BAD_INPUT, "part.msh: element 33 (tri3) is inside out");
}

// Ten nodes of a tetrahedron: gmsh has the middles of 23 and 13 the other way round.
CN_TEST(middle_nodes_come_in_our_order)
{
    CN_DO(parse("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
                "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 1 5 0\n$EndEntities\n"
                "$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
                "0 0 0\n2 0 0\n0 2 0\n0 0 2\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n0 1 1\n1 0 1\n$EndNodes\n"
                "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
                3));
    const cn_mesh_def *mesh = cn_volume_mesh(volume);
    CN_TRUE(mesh->type[0] == CN_TET10 && mesh->set_count == 1);
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int k = 0; k < 6; k++) {
        for (int d = 0; d < 3; d++) {
            const int *node = mesh->element_node;
            double middle =
                0.5 * (mesh->node[3 * node[edge[k][0]] + d] + mesh->node[3 * node[edge[k][1]] + d]);
            CN_NEAR(mesh->node[3 * node[4 + k] + d], middle, 1e-15, "straight edges");
        }
    }
    cn_volume_destroy(volume);
}

CN_TEST(bad_files_are_refused_with_the_place)
{
    CN_FAILS(parse("", 2), CN_BAD_INPUT, "part.msh:1: a gmsh file begins with $MeshFormat");
    CN_FAILS(parse(HEAD2 SQUARE, 2), CN_BAD_INPUT, "no elements of dimension 2");
    CN_FAILS(parse(HEAD2 SQUARE "$Elements\n1\n1 1 2 7 1 1 2\n$EndElements\n", 2), CN_BAD_INPUT,
             "only of lower dimension");
    CN_FAILS(parse(HEAD2 SQUARE "$Elements\n1\n4 2 2 7 1 1 2 8\n$EndElements\n", 2), CN_BAD_INPUT,
             "element 4 names node 8, which is not in the file");
    CN_FAILS(parse(HEAD2 SQUARE "$Elements\n1\n4 2 2 7 1 1 2 3\n$EndElements\n", 2), CN_BAD_INPUT,
             "part.msh: node 9 belongs to no element of dimension 2");
    CN_FAILS(parse(HEAD2 SQUARE "$Elements\n1\n4 10 2 7 1 1 2 3 9 1 2 3 9 1\n$EndElements\n", 2),
             CN_BAD_INPUT, "element 4 has type 10 of gmsh, 9 nodes; known are");
    CN_FAILS(
        parse(HEAD2 SQUARE "$Elements\n2\n4 2 2 7 1 1 2 3\n5 2 2 7 1 1 9 9\n$EndElements\n", 2),
        CN_BAD_INPUT, "element 5 (tri3) is without volume");
    CN_FAILS(parse(HEAD2 SQUARE "$Elements\n3\n4 2 2 7 1 1 2 3\n5 2 2 7 1 1 3 9\n6 1 2 7 1 2 9\n"
                                "$EndElements\n",
                   2),
             CN_BAD_INPUT, "element 6 is a side of no element of dimension 2");
    CN_FAILS(parse(HEAD2 SQUARE "$Elements\n2\n4 2 2 7 1 1 2 3\n", 2), CN_BAD_INPUT, "part.msh:");
}

CN_MAIN(CN_RUN(a_square_of_two_triangles_in_millimetres);
        CN_RUN(points_and_lines_are_sets_of_nodes); CN_RUN(orientation_is_that_of_all_elements);
        CN_RUN(middle_nodes_come_in_our_order); CN_RUN(bad_files_are_refused_with_the_place);)
