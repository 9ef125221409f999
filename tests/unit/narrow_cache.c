// Hints of pairs are found in the next look, each its own, and in no other.
#include "detect/narrow_cache.h"
#include "test.h"

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
            cn_narrow_cache_keep(&hints, k, 7 * k + 1, &hint);
            hint = hint_of(k + look);
            cn_narrow_cache_keep(&hints, 7 * k + 1, k, &hint);
        }
    }
    CN_DO(cn_narrow_cache_begin(&hints, COUNT, &test_error));
    CN_TRUE(cn_narrow_cache_find(&hints, 1, 8).kind == 0);
    cn_narrow_cache_free(&hints);
    CN_TRUE(hints.old == NULL && hints.now == NULL && hints.now_size == 0);
}

CN_MAIN(CN_RUN(every_pair_finds_its_own_hint);)
