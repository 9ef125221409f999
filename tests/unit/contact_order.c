// Order of contacts: by identity, and cell by cell only where there are many.
#include "scenes.h"
#include "test.h"

// A lattice of n x n x n spheres that touch, from a corner; returns how often the pairs of bodies
// of its contacts, in their order, step back, and checks that each pair comes once.
static int descents_of(int n, int expected, cn_vec3 corner)
{
    const double radius = 0.5;
    cn_world *w = scene_space(0.0, 0.0, 1e-2);
    for (int k = 0; k < n * n * n; k++) {
        // Bodies are numbered so that neighbours in number are far from each other.
        int at = (int)((long long)k * 367 % (n * n * n));
        scene_sphere(w, corner.x + at % n, corner.y + at / n % n, corner.z + at / (n * n), radius);
    }
    scene_run(w, 1e-9, 1);
    cn_view view = cn_world_view(w);
    CN_TRUE(view.contact_count == expected);
    int descents = 0;
    for (int a = 1; a < view.contact_count; a++) {
        CN_TRUE(view.contact[a].pair != view.contact[a - 1].pair);
        descents += view.contact[a].pair < view.contact[a - 1].pair;
    }
    cn_world_destroy(w);
    return descents;
}

CN_TEST(few_contacts_follow_their_pairs)
{
    CN_TRUE(descents_of(5, 3 * 5 * 5 * 4, cn_v3(0.0, 0.0, 0.0)) == 0);
}

CN_TEST(many_contacts_go_cell_by_cell)
{
    const cn_vec3 corner[3] = {{0.0, 0.0, 0.0}, {3.0, 5.0, 7.0}, {-40.0, -3.0, 2.0}};
    for (int k = 0; k < 3; k++) { // eight cells, in order inside, wherever the lattice is
        CN_TRUE(descents_of(12, 3 * 12 * 12 * 11, corner[k]) == 7);
    }
}

CN_TEST(points_of_a_pair_follow_each_other_by_name)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-8);
    scene_floor(w, 0.0);
    const double size[3] = {0.4, 0.3, 0.1};
    for (int n = 0; n < 3; n++) {
        const double at[3] = {0.03 * n, 0.02 * n, 0.05 + 0.1 * n};
        scene_block(w, at, size, NULL, 0);
    }
    scene_run(w, 1e-3, 1);
    cn_view view = cn_world_view(w);
    CN_TRUE(view.contact_count == 12);
    for (int a = 1; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a - 1], *y = &view.contact[a];
        CN_TRUE(x->pair < y->pair || (x->pair == y->pair && x->feature < y->feature));
    }
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(few_contacts_follow_their_pairs); CN_RUN(many_contacts_go_cell_by_cell);
        CN_RUN(points_of_a_pair_follow_each_other_by_name);)
