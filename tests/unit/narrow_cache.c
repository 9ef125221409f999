// Hints of pairs are found in the next look, each its own, and in no other; points of polyhedra
// that stand still are found again as they are.
#include "detect/narrow_cache.h"

#include <string.h>

#include "scenes.h"
#include "test.h"
#include "world/world.h"

enum { COUNT = 500 };

// Pairs (k, 7 k + 1), in any order of the two.
static cn_hint hint_of(int k)
{
    return (cn_hint){
        .kind = (uint16_t)(1 + k % 4), .first = (uint16_t)k, .second = (uint16_t)(3 * k + 2)};
}

CN_TEST(every_pair_finds_its_own_hint)
{
    cn_narrow_cache hints = {0};
    for (int look = 0; look < 3; look++) { // the last one keeps none
        CN_DO(cn_narrow_cache_begin(&hints, look < 2 ? COUNT : 0, &test_error));
        for (int k = 0; k < COUNT; k++) {
            cn_hint found =
                cn_narrow_cache_find(&hints, k % 2 ? k : 7 * k + 1, k % 2 ? 7 * k + 1 : k);
            cn_hint own = look == 0 ? (cn_hint){0} : hint_of(k + look - 1);
            CN_TRUE(found.kind == own.kind && found.first == own.first);
            CN_TRUE(found.second == own.second);
            CN_TRUE(cn_narrow_cache_find(&hints, k, 7 * k + 2).kind == 0); // nobody looked at these
        }
        for (int k = 0; k < COUNT && look < 2; k++) {
            cn_hint hint = hint_of(k + 9); // kept twice: the last one counts
            cn_narrow_cache_keep(&hints, &(cn_asked){.s = k, .t = 7 * k + 1}, &hint);
            hint = hint_of(k + look);
            cn_narrow_cache_keep(&hints, &(cn_asked){.s = 7 * k + 1, .t = k}, &hint);
        }
    }
    CN_DO(cn_narrow_cache_begin(&hints, COUNT, &test_error));
    CN_TRUE(cn_narrow_cache_find(&hints, 1, 8).kind == 0);
    cn_narrow_cache_free(&hints);
    CN_TRUE(hints.old == NULL && hints.now == NULL && hints.now_size == 0);
}

// A wall that stands, is hit and moves on; it forgets what it has found before each step or never.
static void run_wall(bool forgets, int threads, cn_world **out, size_t *tests)
{
    enum { REST = 12, HIT = 10 };
    const double h = 2e-3;
    cn_world *w = scene_space(0.5, 0.0, 1e-8);
    w->threads = threads;
    scene_brick_wall(w, 5, 3);
    for (int k = 0; k < REST + HIT; k++) {
        if (k == REST) {
            *tests = w->detect.corner_tests + w->detect.edge_tests;
            cn_view view = cn_world_view(w);
            scene_set_velocity(w, view.id[view.body_count - 1], 0.3, 1.0, 0.2);
        }
        if (forgets) {
            cn_narrow_cache_free(&w->detect.cache);
        }
        CN_TRUE(scene_run(w, h, 1) == 0);
    }
    *out = w;
}

CN_TEST(what_stands_is_found_again_to_the_last_bit)
{
    cn_world *kept[2], *lost;
    size_t found_again = 0, found_anew = 0;
    run_wall(true, 1, &lost, &found_anew);
    CN_TRUE(found_anew > 0);
    cn_view b = cn_world_view(lost);
    for (int k = 0; k < 2; k++) {
        run_wall(false, 1 + k, &kept[k], &found_again);
        CN_TRUE(found_again == 0);
        cn_view a = cn_world_view(kept[k]);
        CN_TRUE(a.body_count == b.body_count && a.contact_count == b.contact_count);
        CN_TRUE(memcmp(a.q, b.q, 7 * (size_t)a.body_count * sizeof *a.q) == 0);
        CN_TRUE(memcmp(a.v, b.v, 6 * (size_t)a.body_count * sizeof *a.v) == 0);
        for (int n = 0; n < a.contact_count; n++) {
            CN_TRUE(memcmp(a.contact[n].point, b.contact[n].point, sizeof a.contact[n].point) == 0);
            CN_TRUE(memcmp(a.contact[n].r, b.contact[n].r, sizeof a.contact[n].r) == 0);
        }
        cn_world_destroy(kept[k]);
    }
    cn_world_destroy(lost);
}

CN_MAIN(CN_RUN(what_stands_is_found_again_to_the_last_bit); CN_RUN(every_pair_finds_its_own_hint);)
